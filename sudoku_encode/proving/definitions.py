"""Define the auxiliary variables of any formula as functions of its other variables.

The definitions only choose values: the caller then shows that this choice satisfies every clause. A variable that is
defined by variables before it has a value under every assignment of these, so adding definitions excludes no assignment
of the other variables, whatever was chosen. After a bad choice a clause is not satisfied, and nothing is shown.

A literal is defined as the disjunction of reasons for it. The first of these kinds that fits a variable is used; "open"
are variables that are not defined yet:

- gate: p implies l1 or ... or lk, each of which implies p. Then p is their disjunction.
- needs: p holds if a clause with p needs it, where no clause with p has another open variable.
- inner needs: the same for a variable without a gate, where clauses of gates of other variables are left out.
- partial needs: the same for a variable without a gate, where clauses with other open variables are left out.
- implications: the same for a variable with a gate, where only clauses of two literals count.
- nothing: p is false.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving.numbers import Numbers, clause_starts

Clause = tuple[int, ...]
_NEEDS, _INNER_NEEDS, _IMPLICATIONS = _KINDS = range(3)


class Definitions(NamedTuple):
    """The definitions of the auxiliary variables of a formula."""

    clauses: list[Clause]
    n_variables: int  # of the formula, and new ones, which stand for parts of definitions
    # A literal is defined as the disjunction of its reasons; not all literals are listed.
    reasons: dict[int, Sequence[int]]


def definitions(formula: Numbers, is_given: NDArray[np.bool_], n_variables: int) -> Definitions:
    """Return definitions of the auxiliary variables of a formula.

    `is_given`, bool (variables + 1,), marks the variables that the others become functions of; entry 0 is True. New
    variables come after `n_variables`.
    """
    finder = _Finder(list(_clauses_to_satisfy(formula, is_given)), is_given, n_variables)
    return Definitions(list(finder.clauses()), finder.n_variables, finder.reasons)


def disjunction(literal: int, reasons: Sequence[int]) -> list[Clause]:
    """Return the clauses that a literal holds if and only if one of its reasons does."""
    return [(-literal, *reasons), *((literal, -reason) for reason in reasons)]


def _clauses_to_satisfy(formula: Numbers, is_given: NDArray[np.bool_]) -> Iterator[Clause]:
    """Yield the clauses with auxiliary variables, without those that always hold."""
    starts = clause_starts(formula)
    if not len(starts):
        return
    chosen = np.logical_or.reduceat(~is_given[np.abs(formula)], starts)
    ends = np.append(starts[1:], len(formula)) - 1
    literals = formula.tolist()
    for start, end in zip(starts[chosen].tolist(), ends[chosen].tolist(), strict=True):
        clause = tuple(dict.fromkeys(literals[start:end]))
        if not any(-literal in clause for literal in clause):
            yield clause


class _Finder:
    """Finds the definitions, one variable after the other."""

    def __init__(self, formula: Sequence[Clause], is_given: NDArray[np.bool_], n_variables: int) -> None:
        self.n_variables, self._formula = n_variables, formula
        self.reasons: dict[int, Sequence[int]] = {}
        self._open = dict.fromkeys(np.flatnonzero(~is_given).tolist())  # variables, ascending
        # The clauses with each literal of an auxiliary variable, and how many open variables each clause has.
        self._clauses_with: defaultdict[int, list[int]] = defaultdict(list)
        for number, clause in enumerate(formula):
            for literal in clause:
                if abs(literal) in self._open:
                    self._clauses_with[literal].append(number)
        self._n_open = [sum(abs(literal) in self._open for literal in clause) for clause in formula]
        # A gate is a literal and the number of the clause in which it is negated. Each clause of gates is listed with
        # the variables that they define.
        self._gates: set[tuple[int, int]] = set()
        self._defined_by: defaultdict[int, set[int]] = defaultdict(set)
        self._find_gates()
        # Of two equivalent variables neither need be defined by the other.
        self._with_gate = {abs(literal) for literal, number in self._gates if len(formula[number]) > 2}
        # For each kind of definition the literals that have it now: the first gate is the next, but of other kinds the
        # last literal, so that a chain of variables is defined from one end. And for each literal how many of the
        # clauses that count still have another open variable.
        self._ready_gates = deque(sorted(gate for gate in self._gates if self._n_open[gate[1]] == 1))
        self._ready: dict[int, list[int]] = {kind: [] for kind in _KINDS}
        self._n_waiting: dict[tuple[int, int], int] = {}
        for literal in (sign * variable for variable in reversed(self._open) for sign in (-1, 1)):
            for kind in _KINDS:
                counted = self._counted(kind, literal)
                self._n_waiting[kind, literal] = sum(self._n_open[number] > 1 for number in counted)
                self._note_if_ready(kind, literal)

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses of all definitions."""
        while self._open:
            literal, defining = self._next()
            yield from defining
            self._close(abs(literal))

    def _find_gates(self) -> None:
        pairs = {}
        for number, clause in enumerate(self._formula):
            if len(clause) == 2:
                pairs[-clause[0], clause[1]] = pairs[-clause[1], clause[0]] = number
        for number, clause in enumerate(self._formula):
            for negated in clause:
                implying = [(literal, -negated) for literal in clause if literal != negated]
                if abs(negated) in self._open and all(pair in pairs for pair in implying):
                    self._gates.add((-negated, number))
                    for part in (number, *(pairs[pair] for pair in implying)):
                        self._defined_by[part].add(abs(negated))

    def _counts(self, kind: int, literal: int, number: int) -> bool:
        """Return whether a clause with a literal counts for a kind of definition of that literal."""
        if kind == _IMPLICATIONS:
            return len(self._formula[number]) == 2
        return kind == _NEEDS or self._defined_by[number] <= {abs(literal)}

    def _counted(self, kind: int, literal: int) -> list[int]:
        return [number for number in self._clauses_with[literal] if self._counts(kind, literal, number)]

    def _note_if_ready(self, kind: int, literal: int) -> None:
        has_gate = abs(literal) in self._with_gate
        if self._n_waiting[kind, literal] or (kind == _INNER_NEEDS and has_gate):
            return
        if (kind == _IMPLICATIONS and has_gate) or (kind != _IMPLICATIONS and self._counted(kind, literal)):
            self._ready[kind].append(literal)

    def _next(self) -> tuple[int, list[Clause]]:
        """Return the next literal to define, and the clauses of its definition."""
        while self._ready_gates:
            literal, number = self._ready_gates.popleft()
            if abs(literal) in self._open:
                return literal, self._disjunction(literal, [part for part in self._formula[number] if part != -literal])
        for kind in (_NEEDS, _INNER_NEEDS):
            if literal := self._last_ready(kind):
                return literal, self._by_needs(literal, self._counted(kind, literal))
        for variable in self._open:
            for literal in (variable, -variable) if variable not in self._with_gate else ():
                if counted := [number for number in self._clauses_with[literal] if self._n_open[number] == 1]:
                    return literal, self._by_needs(literal, counted)
        if literal := self._last_ready(_IMPLICATIONS):
            return literal, self._by_needs(literal, self._counted(_IMPLICATIONS, literal))
        variable = next(iter(self._open))
        return variable, [(-variable,)]

    def _last_ready(self, kind: int) -> int:
        """Return the last literal of an open variable that has a definition of a kind; 0 for none."""
        while self._ready[kind]:
            literal = self._ready[kind].pop()
            if abs(literal) in self._open:
                return literal
        return 0

    def _by_needs(self, literal: int, numbers: Sequence[int]) -> list[Clause]:
        """Return the clauses that a literal holds if and only if one of its clauses needs it."""
        reasons, defining = list[int](), list[Clause]()
        for number in numbers:
            others = [other for other in self._formula[number] if other != literal]
            if not others:
                return [(literal,)]
            if len(others) == 1:
                reasons.append(-others[0])
                continue
            self.n_variables += 1
            reasons.append(self.n_variables)
            defining += self._disjunction(-self.n_variables, others)
        return [*defining, *self._disjunction(literal, reasons)]

    def _disjunction(self, literal: int, reasons: Sequence[int]) -> list[Clause]:
        self.reasons[literal] = reasons
        return disjunction(literal, reasons)

    def _close(self, variable: int) -> None:
        """Note that a variable is defined."""
        del self._open[variable]
        for number in (*self._clauses_with[variable], *self._clauses_with[-variable]):
            self._n_open[number] -= 1
            if self._n_open[number] != 1:
                continue
            (last,) = (literal for literal in self._formula[number] if abs(literal) in self._open)
            if (-last, number) in self._gates:
                self._ready_gates.append((-last, number))
            for kind in _KINDS:
                if self._counts(kind, last, number):
                    self._n_waiting[kind, last] -= 1
                    self._note_if_ready(kind, last)
