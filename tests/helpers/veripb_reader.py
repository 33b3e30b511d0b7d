"""A checker of the files for VeriPB, written from docs/internals/certificates.md alone, with nothing but Python.

It shares no code with sudoku_encode, and is as strict as VeriPB and CakePB together: a step must follow from its hints
in one pass, and the variables that a solution leaves out must follow by unit propagation and be false.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# Literals are numbers of variables, negative where the variable is negated.
Assignment = dict[int, bool]


class InvalidProofError(ValueError):
    """The proof proves nothing; the message is one line."""


@dataclass(frozen=True)
class Constraint:
    """The coefficients of the literals that are true add up to at least the degree; coefficients are above 0."""

    terms: dict[int, int]
    degree: int

    def slack(self, truth: Assignment) -> int:
        """Return how much the literals that are not false exceed the degree."""
        return sum(factor for lit, factor in self.terms.items() if value(lit, truth) is not False) - self.degree

    def propagate(self, truth: Assignment) -> bool | None:
        """Make literals true that must be; return whether any was new, or None if the constraint cannot hold."""
        slack = self.slack(truth)
        if slack < 0:
            return None
        units = [lit for lit, factor in self.terms.items() if factor > slack and value(lit, truth) is None]
        truth.update((abs(lit), lit > 0) for lit in units)
        return bool(units)

    def negated(self) -> "Constraint":
        """Return the constraint that holds where this one does not."""
        return constraint([(-factor, lit) for lit, factor in self.terms.items()], 1 - self.degree)


@dataclass
class Problem:
    """A file of constraints."""

    preserved: set[int]
    n_variables: int
    constraints: list[Constraint] = field(default_factory=list)


def value(lit: int, truth: Assignment) -> bool | None:
    """Return whether a literal is true; None if that is open."""
    of_variable = truth.get(abs(lit))
    return of_variable if of_variable is None or lit > 0 else not of_variable


def constraint(terms: Iterable[tuple[int, int]], degree: int) -> Constraint:
    """Return a constraint from factors and literals of any sign and any number of occurrences."""
    factors: dict[int, int] = {}
    for factor, lit in terms:
        # A factor of a negated variable is the opposite factor of the variable, and a constant.
        factors[abs(lit)] = factors.get(abs(lit), 0) + (factor if lit > 0 else -factor)
        degree -= 0 if lit > 0 else factor
    degree -= sum(factor for factor in factors.values() if factor < 0)
    literals = {variable if factor > 0 else -variable: abs(factor) for variable, factor in factors.items() if factor}
    return Constraint(literals, degree)


def literal(word: str) -> int:
    """Return a literal of a text."""
    if not (match := re.fullmatch("(~?)x([1-9][0-9]*)", word)):
        raise InvalidProofError(f"not a literal: {word}")
    return int(match[2]) * (-1 if match[1] else 1)


def linear(words: list[str]) -> tuple[list[tuple[int, int]], str, int]:
    """Return the terms, the relation and the degree of a constraint."""
    *terms, relation, degree = words
    if relation not in (">=", "=") or len(terms) % 2:
        raise InvalidProofError(f"not a constraint: {' '.join(words)[:60]}")
    return (
        [(int(factor), literal(lit)) for factor, lit in zip(terms[::2], terms[1::2], strict=True)],
        relation,
        int(degree),
    )


def statements(path: Path) -> Iterator[list[str]]:
    """Yield the words of each line, which must end in a semicolon; comments are left out."""
    for line in path.read_text("ascii").splitlines():
        if not line.startswith("*"):
            *words, last = line.split(" ")
            if last != ";":
                raise InvalidProofError(f"no semicolon: {line[:60]}")
            yield words


def read_opb(path: Path) -> Problem:
    """Return the constraints of a file."""
    header = re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", path.read_text("ascii"))
    assert header
    (first, *names), *lines = statements(path)
    if first != "preserved:" or len(lines) != int(header[2]):
        raise InvalidProofError("not the header of these constraints")
    problem = Problem({literal(name) for name in names}, int(header[1]))
    for words in lines:
        terms, relation, degree = linear(words)
        problem.constraints.append(constraint(terms, degree))
        if relation == "=":
            problem.constraints.append(constraint([(-factor, lit) for factor, lit in terms], -degree))
    return problem


def check(folder: Path) -> int:
    """Return how many solutions there are, if the proof in a folder holds.

    Raises:
        InvalidProofError: it does not.
    """
    problem = read_opb(folder / "formula.opb")
    header, *lines = (folder / "proof.pbp").read_text("ascii").splitlines()
    if header != "pseudo-Boolean proof version 3.0":
        raise InvalidProofError("no header")
    database, n_solutions = list(problem.constraints), 0
    *steps, output, conclusion, end = [line.removesuffix(" ;").split(" ") for line in lines if line.endswith(" ;")]
    if len(steps) + 3 != len(lines) or steps.pop(0) != ["f", str(len(database))]:
        raise InvalidProofError("no semicolon, or another number of constraints")
    for rule, *words in steps:
        if rule == "solx":
            database.append(excluding(solution(map(literal, words), database, problem), problem))
            n_solutions += 1
        elif rule == "pol":
            database.append(polish(words, database))
        elif rule == "rup":
            database.append(by_propagation(words, database))
        else:
            raise InvalidProofError(f"not a rule: {rule}")
    if output != ["output", "NONE"] or end != ["end", "pseudo-Boolean", "proof"]:
        raise InvalidProofError("not the end of a proof")
    *claim, colon, number = conclusion
    expected = ["ENUMERATION_COMPLETE", str(n_solutions)] if n_solutions else ["UNSAT"]
    if claim != ["conclusion", *expected] or colon != ":" or named(number, database).slack({}) >= 0:
        raise InvalidProofError("not the conclusion of the proof")
    return n_solutions


def named(number: str, database: list[Constraint]) -> Constraint:
    """Return a constraint by its number."""
    if not 1 <= int(number) <= len(database):
        raise InvalidProofError(f"no constraint {number}")
    return database[int(number) - 1]


def solution(literals: Iterable[int], database: list[Constraint], problem: Problem) -> Assignment:
    """Return the solution that some literals determine."""
    truth = {abs(lit): lit > 0 for lit in literals}
    listed = set(truth)
    while sum(map(bool, [each.propagate(truth) for each in database])):
        pass
    if any(truth[variable] for variable in truth.keys() - listed) or len(truth) != problem.n_variables:
        raise InvalidProofError("the solution is not determined")
    for number, each in enumerate(database, start=1):
        if each.slack(truth) < 0:
            raise InvalidProofError(f"not a solution: constraint {number} does not hold")
    return truth


def excluding(truth: Assignment, problem: Problem) -> Constraint:
    """Return the constraint that excludes a solution."""
    return Constraint({-variable if truth[variable] else variable: 1 for variable in problem.preserved}, 1)


def polish(words: list[str], database: list[Constraint]) -> Constraint:
    """Return the constraint that an expression in reverse Polish notation adds up, multiplies and divides."""
    stack: list[Constraint | int] = []
    for word in words:
        if word.isdecimal():
            stack.append(int(word))
            continue
        second, first = stack.pop(), stack.pop()
        first = named(str(first), database) if isinstance(first, int) else first
        if word == "+":
            other = named(str(second), database) if isinstance(second, int) else second
            terms = [(factor, lit) for each in (first, other) for lit, factor in each.terms.items()]
            stack.append(constraint(terms, first.degree + other.degree))
        elif isinstance(second, int) and second > 0 and word in ("*", "d"):
            # Quotients are rounded up.
            factor, divisor = (second, 1) if word == "*" else (1, second)
            of = {lit: -(-each * factor // divisor) for lit, each in first.terms.items()}
            stack.append(Constraint(of, -(-first.degree * factor // divisor)))
        else:
            raise InvalidProofError(f"not an operation: {word}")
    (result,) = stack
    return named(str(result), database) if isinstance(result, int) else result


def by_propagation(words: list[str], database: list[Constraint]) -> Constraint:
    """Return a constraint whose opposite and hints, one after the other, lead to one that cannot hold."""
    colon = words.index(":")
    terms, relation, degree = linear(words[:colon])
    derived, truth = constraint(terms, degree), Assignment()
    if relation != ">=":
        raise InvalidProofError("an equality is two constraints")
    for hint in words[colon + 1 :]:
        if (derived.negated() if hint == "~" else named(hint, database)).propagate(truth) is None:
            return derived
    raise InvalidProofError(f"does not follow: {' '.join(words)[:60]}")
