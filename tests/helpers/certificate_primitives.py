"""The primitives of constraints for the second reader: what they mean, and their clauses with auxiliary variables.

From docs/internals/certificates.md alone, as `certificate_constraints`, which lists the primitives of a constraint.
Sequences are found by trying all that there are, which is for small boards: an automaton's states are the sets of the
rests of sequences.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence

from tests.helpers import certificate_regions

Clause = tuple[int, ...]
Cells = Sequence[int]
# Of a relation, of sequences: what values must hold.
Holds = Callable[..., bool]
# A primitive: its name, and what it is of.
Primitive = tuple[str, tuple[object, ...]]

MOST_SEQUENCES = 300_000
MAX_SETS = 50


class Writer:
    """Writes the clauses of primitives, with auxiliary variables from a number on."""

    def __init__(self, n: int, last: int) -> None:
        self.n, self.last = n, last

    def new(self) -> int:
        self.last += 1
        return self.last

    def clauses(self, name: str, of: tuple[object, ...]) -> Iterator[Clause]:
        if name in ("regions", "connected", "runs"):
            yield from getattr(certificate_regions, name)(self, *of)
        else:
            yield from getattr(self, name)(*of)

    def unit(self, cells: Cells) -> Iterator[Clause]:
        for v in range(1, self.n + 1):
            literals = [cell * self.n + v for cell in cells]
            if len(cells) == self.n:
                yield tuple(literals)
            yield from ((-a, -b) for a, b in itertools.combinations(literals, 2))

    def allowed(self, cell: int, values: set[int]) -> Iterator[Clause]:
        yield from ((-cell * self.n - v,) for v in range(1, self.n + 1) if v not in values)

    def clause(self, literals: list[tuple[int, int]]) -> Iterator[Clause]:
        found = {cell * self.n + v if v > 0 else -cell * self.n + v for cell, v in literals}
        if not any(-literal in found for literal in found):
            yield tuple(found)

    def relation(self, a: int, b: int, pairs: set[tuple[int, int]]) -> Iterator[Clause]:
        for one, other, table in ((a, b, pairs), (b, a, {(w, v) for v, w in pairs})):
            for v in range(1, self.n + 1):
                supports = [other * self.n + w for w in range(1, self.n + 1) if (v, w) in table]
                if len(supports) < self.n:
                    yield -one * self.n - v, *supports

    def sum(self, cells: Cells, coefficients: Sequence[int], amount: int, differ: bool) -> Iterator[Clause]:
        sets = [some for some in itertools.combinations(range(1, self.n + 1), len(cells)) if sum(some) == amount]
        if differ and set(coefficients) == {1} and len(sets) <= MAX_SETS:
            variables = {some: self.new() for some in sets}
            yield tuple(variables.values())
            for (some, variable), v in itertools.product(variables.items(), range(1, self.n + 1)):
                literals = [cell * self.n + v for cell in cells]
                if v in some:
                    yield -variable, *literals
                else:
                    yield from ((-variable, -literal) for literal in literals)
            return
        yield from self.partial_sums(cells, coefficients, {amount: self.new()})

    def equal(self, parts: list[list[int]]) -> Iterator[Clause]:
        sums = range(max(map(len, parts)), min(map(len, parts)) * self.n + 1)
        ends = {amount: self.new() for amount in sums}
        yield tuple(ends.values())
        if ends:
            for part in parts:
                yield from self.partial_sums(part, [1] * len(part), ends)

    def partial_sums(self, cells: Cells, coefficients: Sequence[int], ends: dict[int, int]) -> Iterator[Clause]:
        values = range(1, self.n + 1)
        before, after = [{0}], [set(ends)]
        for c in coefficients:
            before.append({amount + c * v for amount in before[-1] for v in values})
        for c in reversed(coefficients):
            after.insert(0, {amount - c * v for amount in after[0] for v in values})
        states = [sorted(a & b) for a, b in zip(before, after, strict=True)]
        layers = [
            [(s, v, s + c * v) for s in states[at] for v in values if s + c * v in states[at + 1]]
            for at, c in enumerate(coefficients)
        ]
        yield from self.automaton(cells, layers, ends)

    def sequences(self, cells: Cells, holds: Holds) -> Iterator[Clause]:
        if self.n ** len(cells) > MOST_SEQUENCES:
            raise ValueError("too many sequences for this reader")
        found = frozenset(s for s in itertools.product(range(1, self.n + 1), repeat=len(cells)) if holds(s))
        if not found:
            yield ()
            return
        states, layers = [found], []
        for _ in cells:
            numbers: dict[frozenset[Clause], int] = {}
            layer = []
            for (at, state), v in itertools.product(enumerate(states), range(1, self.n + 1)):
                rest = frozenset(s[1:] for s in state if s[0] == v)
                if rest:
                    layer.append((at, v, numbers.setdefault(rest, len(numbers))))
            layers.append(layer)
            states = list(numbers)
        yield from self.automaton(cells, layers, {0: self.new()})

    def automaton(
        self, cells: Cells, layers: Sequence[list[tuple[int, int, int]]], ends: dict[int, int]
    ) -> Iterator[Clause]:
        before = {0: self.new()}
        yield (before[0],)
        if len(ends) == 1:
            yield tuple(ends.values())
        for at, (cell, layer) in enumerate(zip(cells, layers, strict=True)):
            ordered = sorted({s for _, _, s in layer})
            after = ends if at == len(cells) - 1 else {state: self.new() for state in ordered}
            taken = {step: self.new() for step in sorted(layer)}
            for (s, v, t), variable in taken.items():
                x = cell * self.n + v
                yield from ((-variable, before[s]), (-variable, x), (-variable, after[t]), (variable, -before[s], -x))
            for s, variable in before.items():
                yield -variable, *(step for (a, _, _), step in taken.items() if a == s)
            for v in range(1, self.n + 1):
                yield -cell * self.n - v, *(step for (_, b, _), step in taken.items() if b == v)
            for t, variable in after.items():
                yield -variable, *(step for (_, _, c), step in taken.items() if c == t)
            before = after


def holds(name: str, of: tuple[object, ...], values: Sequence[int]) -> bool:
    """Says whether a primitive holds of the values of all cells."""
    one: list[object] = list(of)
    return bool(MEANING[name](values, *one))


MEANING: dict[str, Callable[..., bool]] = {
    "unit": lambda held, cells: len({held[cell] for cell in cells}) == len(cells),
    "allowed": lambda held, cell, values: held[cell] in values,
    "clause": lambda held, literals: any((held[cell] == abs(v)) == (v > 0) for cell, v in literals),
    "relation": lambda held, a, b, pairs: (held[a], held[b]) in pairs,
    "sum": lambda held, cells, by, amount, _: sum(k * held[c] for c, k in zip(cells, by, strict=True)) == amount,
    "equal": lambda held, parts: len({sum(held[cell] for cell in part) for part in parts}) == 1,
    "sequences": lambda held, cells, meaning: meaning(tuple(held[cell] for cell in cells)),
    **certificate_regions.MEANING,
}


def has_model(clauses: list[Clause], true: set[int]) -> bool:
    """Says whether clauses have a model in which some literals hold, by unit propagation and trying."""
    true, changed = set(true), True
    while changed:
        changed, rest = False, []
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            free = [literal for literal in clause if -literal not in true]
            if not free:
                return False
            if len(free) == 1:
                true.add(free[0])
                changed = True
            else:
                rest.append(tuple(free))
        clauses = rest
    return not clauses or any(has_model(clauses, {*true, sign * clauses[0][0]}) for sign in (1, -1))
