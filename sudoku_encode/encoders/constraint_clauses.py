"""Encode the primitives of constraints as clauses over the literals of cells and values.

The values of the cells determine every auxiliary variable, so there are as many models as solutions:

- relation: *support clauses*, without auxiliary variables: a value of one cell implies one of the allowed values of the
  other.
- automaton: a variable for each state after each cell, and for each *transition*, which holds iff its state and its
  value do. Unit propagation then removes every value that is on no path through the automaton.
- sum: the automaton of the partial sums; if the cells all differ and few sets of values have the sum, a variable for
  each set.
- equal sums: a variable for each sum that all parts can have, and an automaton for each part.
- regions, connected cells and runs: see `region_clauses`.
- counts: an automaton of the number so far, which reads whether each cell holds the value; for the same counts as equal
  sums, for each value.

Source: Gent 2002 (supports); Quimper & Walsh 2006, Bacchus 2007 (automata).
"""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.encoders.region_clauses import TRUE, RegionWriter
from sudoku_encode.errors import TooLargeError
from sudoku_encode.formula.cnf import Group, Literals, by_width
from sudoku_encode.puzzles.constraints.layers import Machine, bits_of, layers, machine_of, part_sums, paths, reach
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Count,
    EqualSums,
    Primitive,
    Regions,
    Relation,
    Runs,
    SameCounts,
    Sum,
    value_sets,
)
from sudoku_encode.puzzles.constraints.templates import expanded

# Up to this number of sets of values a sum of cells that differ is encoded by sets. More sets would outnumber the
# partial sums.
_MAX_SETS = 50
# Steps from one partial sum to the next, of all sums of a puzzle: a gigabyte of clauses.
_MAX_SUMS = 10_000_000
# Pairs of values of relations that are handled at once, and literals of all clauses: a gigabyte.
_MAX_PAIRS, _MAX_LITERALS = 10_000_000, 250_000_000

# Clauses, int32 (m, width), which may contain TRUE and its negation. The first literal of a clause may be negative.
_Rows = NDArray[np.int32]
_ONLY_STATE = np.array([TRUE], np.int32)


def constraint_groups(
    primitives: Sequence[Primitive], reduced: Reduction, x: Literals, n_variables: int
) -> tuple[list[Group], int, bool]:
    """Return the clauses of primitives, the new number of variables, and False if the clauses plainly have no model.

    `Unit` and `Domain` are not among the primitives; `x`, int32 (n_cells, n_values), is the literal of each cell and
    value, 0 for no literal.
    """
    literals = np.where(reduced.candidates, np.where(x == 0, TRUE, x), -TRUE).astype(np.int32)
    writer = _Writer(literals, n_variables)
    primitives = expanded(primitives, literals.shape[1], (Count, SameCounts))
    writer.relations([primitive for primitive in primitives if isinstance(primitive, Relation)])
    for primitive in primitives:
        if isinstance(primitive, Clause):
            writer.clause(primitive)
        elif isinstance(primitive, Sum):
            writer.sum(primitive)
        elif isinstance(primitive, EqualSums):
            writer.equal_sums(primitive)
        elif isinstance(primitive, Count):
            writer.counts("count", [primitive.cells], primitive.value, primitive.numbers)
        elif isinstance(primitive, SameCounts):
            for value in range(1, literals.shape[1] + 1):
                writer.counts("same-counts", primitive.parts, value)
        elif isinstance(primitive, Automaton):
            writer.graph("automaton", primitive)
        elif isinstance(primitive, ConnectedCells | Regions | Runs):
            writer.region_writer.write(primitive)
    return writer.groups, writer.n_variables, not writer.failed


class _Writer:
    """Writes clauses over the literals of cells."""

    def __init__(self, literals: Literals, n_variables: int) -> None:
        # int32 (n_cells, n_values): TRUE if a cell holds the value, -TRUE if it cannot.
        self.literals, self.n_variables = literals, n_variables
        self.groups: list[Group] = []
        self.failed = False  # whether a clause can never hold
        self._n_sums = self._n_literals = 0
        self.region_writer = RegionWriter(literals, self._new, self._add)

    def relations(self, relations: Sequence[Relation]) -> None:
        """Write the support clauses of relations."""
        if not relations:
            return
        n = self.literals.shape[1]
        if len(relations) * n * n > _MAX_PAIRS:
            size = max(1, _MAX_PAIRS // (n * n))
            for start in range(0, len(relations), size):
                self.relations(relations[start : start + size])
            return
        tables = {relation.allowed: bits_of(relation.allowed, n) for relation in relations}
        allowed = np.array([tables[relation.allowed] for relation in relations])
        first = self.literals[[relation.first for relation in relations]]
        second = self.literals[[relation.second for relation in relations]]
        for own, other, pairs in ((first, second, allowed), (second, first, allowed.transpose(0, 2, 1))):
            supports = np.where(pairs, other[:, None, :], np.int32(-TRUE))
            rows = np.concatenate([-own[:, :, None], supports], axis=2)
            # A value that allows every other value needs no clause.
            self._add("relation", rows[~pairs.all(axis=2)])

    def clause(self, clause: Clause) -> None:
        """Write a clause."""
        literals = [int(np.sign(value)) * int(self.literals[cell, abs(value) - 1]) for cell, value in clause.literals]
        self._add("clause", np.array([literals], np.int32).reshape(1, -1))

    def sum(self, constraint: Sum) -> None:
        """Write a sum."""
        if constraint.distinct and set(constraint.coefficients) == {1}:
            sets = value_sets(self.literals.shape[1], len(constraint.cells), constraint.total, _MAX_SETS)
            if sets is not None:
                self._sets(constraint.cells, sets)
                return
        self.graph("sum", constraint, self.count_sums)

    def graph(self, name: str, primitive: Primitive, count: Callable[[int], object] = int) -> None:
        """Write the layered graph of a primitive; see `reach` for `count`."""
        machine = machine_of(primitive, self.literals.shape[1])
        rows = [self.literals[cell] for cell in machine.cells]
        self.unrolled(name, rows, layers(machine, _values(rows), count), _ONLY_STATE)

    def count_sums(self, n_transitions: int) -> None:
        """Count transitions between partial sums.

        Raises:
            TooLargeError: there are too many of them.
        """
        self._n_sums += n_transitions
        if self._n_sums > _MAX_SUMS:
            raise TooLargeError(
                f"sums of more than {_MAX_SUMS:,} steps are too large for clauses; expected fewer cells or smaller "
                "numbers, or another method or form"
            )

    def equal_sums(self, constraint: EqualSums) -> None:
        """Write that parts have the same sum."""
        machines = [machine_of(part, self.literals.shape[1]) for part in part_sums(constraint)]
        rows = [[self.literals[cell] for cell in machine.cells] for machine in machines]
        # The value of a cell is the sum.
        alone = next((self.literals[part[0]] for part in constraint.parts if len(part) == 1), None)
        self._equal_ends("equal-sums", machines, rows, None, alone)

    def counts(self, name: str, parts: Sequence[Sequence[int]], value: int, numbers: int = -1) -> None:
        """Write that a value occurs in all parts equally often, one of some numbers of times, given as bits."""
        # Of each cell there are two cases, that it holds the value and that it does not.
        columns = [self.literals[list(part), value - 1] for part in parts]
        rows = [list(np.stack([literals, -literals], axis=1)) for literals in columns]
        machine = Machine((), lambda index, states, cases: states + (cases == 1))
        allowed = np.array([number for number in range(len(parts[0]) + 1) if numbers >> number & 1])
        self._equal_ends(name, [machine] * len(parts), rows, allowed)

    def _equal_ends(
        self,
        name: str,
        machines: Sequence[Machine],
        rows: Sequence[Sequence[Literals]],
        allowed: NDArray[np.int64] | None,
        alone: Literals | None = None,
    ) -> None:
        """Write that machines, each of which reads a part, end in the same state."""
        # `rows`: of each part the literals of the cells that are read, by the value; -TRUE for no such value.
        # `allowed`: the states in which they may end; None for any. `alone`: the literals of states from 1, if there
        # are literals already.
        reached = [reach(machine, _values(own), self.count_sums) for machine, own in zip(machines, rows, strict=True)]
        ends = reduce(np.intersect1d, [states[-1] for states, _ in reached] + ([] if allowed is None else [allowed]))
        if not len(ends):
            self.failed = True
            return
        if len(ends) == 1 or len(machines) == 1:
            literals = _ONLY_STATE
        else:
            literals = self._new(len(ends)) if alone is None else alone[ends - 1]
        for own, (states, following) in zip(rows, reached, strict=True):
            tables = paths(states, following, ends)
            # One part alone may end anywhere.
            self.unrolled(name, own, [*tables[:-1], np.minimum(tables[-1], len(literals) - 1)], literals)

    def unrolled(
        self, name: str, rows: Sequence[Literals], tables: Sequence[NDArray[np.int64]], ends: Literals
    ) -> None:
        """Write a layered graph: the literals of the cells, transitions as by `layers`, literals of the last states."""
        if not all(map(len, tables)):
            self.failed = True
            return
        states = _ONLY_STATE
        for row, values, table, n_following in zip(
            rows, _values(rows), tables, [*map(len, tables[1:]), 0], strict=True
        ):
            before, columns = np.nonzero(table >= 0)
            following = (self._new(n_following) if n_following > 1 else _ONLY_STATE) if n_following else ends
            self._layer(name, row, (states, following), (before, values[columns], table[before, columns]))
            states = following

    def _layer(
        self,
        name: str,
        values_of_cell: Literals,
        states: tuple[Literals, Literals],
        moves: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    ) -> None:
        """Write the transitions at a cell."""
        (states_before, states_after), (before, values, after) = states, moves
        state, value, following = states_before[before], values_of_cell[values - 1], states_after[after]
        taken = np.where(state == TRUE, value, state)
        both = np.flatnonzero((state != TRUE) & (value != TRUE))
        taken[both] = new = self._new(len(both))
        self._add(name, np.stack([-new, state[both]], axis=1))
        self._add(name, np.stack([-new, value[both]], axis=1))
        self._add(name, np.stack([new, -state[both], -value[both]], axis=1))
        self._add(name, np.stack([-taken, following], axis=1))
        self._add(name, _needs(states_before, before, taken))
        self._add(name, _needs(states_after, after, taken, only=np.unique(after)))
        self._add(name, _needs(values_of_cell, values - 1, taken))

    def _sets(self, cells: Sequence[int], sets: Sequence[int]) -> None:
        """Write that the values of cells that differ form one of the sets."""
        literals = self.literals[list(cells)]
        possible = literals != -TRUE
        n = literals.shape[1]
        rows = np.array([[chosen >> value & 1 for value in range(n)] for chosen in sets], bool).reshape(-1, n)
        rows = rows[(possible.any(axis=0) | ~rows).all(axis=1) & (rows[:, None] & possible).any(axis=2).all(axis=1)]
        chosen = _ONLY_STATE if len(rows) == 1 else self._new(len(rows))
        self._add("sum", chosen[None])
        for literal, row in zip(chosen, rows, strict=True):
            outside = literals[:, ~row].ravel()
            self._add("sum", np.stack([np.full(len(outside), -literal), -outside], axis=1))
            self._add("sum", np.concatenate([np.full((1, row.sum()), -literal), literals[:, row]]).T)

    def _new(self, number: int) -> Literals:
        """Return new variables."""
        self.n_variables += number
        return np.arange(self.n_variables - number + 1, self.n_variables + 1, dtype=np.int32)

    def _add(self, name: str, rows: _Rows) -> None:
        """Add clauses, without clauses that always hold and literals that never hold."""
        always = (rows == TRUE).any(axis=1)
        for first in (0, 1):
            # A transition may be a literal, and another one its opposite.
            always |= (rows[:, first : first + 1] == -rows[:, first + 1 :]).any(axis=1)
        rows = rows[~always]
        is_literal = rows != -TRUE
        widths = is_literal.sum(axis=1)
        self.failed |= bool((widths == 0).any())
        self._n_literals += len(rows[is_literal])
        if self._n_literals > _MAX_LITERALS:
            raise TooLargeError(
                f"the clauses of the constraints have more than {_MAX_LITERALS:,} literals; expected fewer cells, or "
                "another method or form"
            )
        self.groups += by_width(name, rows[is_literal], widths)


def _values(rows: Sequence[Literals]) -> list[NDArray[np.int64]]:
    """Return the values that each cell that is read may have."""
    return [np.flatnonzero(row != -TRUE) + 1 for row in rows]


def _needs(
    literals: Literals, keys: NDArray[np.int64], taken: Literals, only: NDArray[np.int64] | None = None
) -> _Rows:
    """Return the clause that each literal (of a state or value) implies one of the transitions with its number."""
    # keys: the number of the state or value of each transition; taken: their literals; only: the numbers that need a
    # transition, by default all.
    order = np.argsort(keys, kind="stable")
    counts = np.bincount(keys, minlength=len(literals))
    rows = np.full((len(literals), counts.max(initial=0) + 1), -TRUE, np.int32)
    rows[:, 0] = -literals
    places = np.arange(len(keys)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows[keys[order], places + 1] = taken[order]
    return rows if only is None else rows[only]
