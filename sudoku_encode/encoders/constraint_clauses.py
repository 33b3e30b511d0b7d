"""Encode the primitives of constraints as clauses over the literals of cells and values.

The values of the cells determine every auxiliary variable, so there are as many models as solutions:

- relation: *support clauses*, without auxiliary variables: a value of one cell implies one of the allowed values of the
  other.
- automaton: a variable for each state after each cell, and for each *transition*, which holds iff its state and its
  value do. Unit propagation then removes every value that is on no path through the automaton.
- sum: the automaton of the partial sums; if the cells all differ and few sets of values have the sum, a variable for
  each set.
- equal sums: a variable for each sum that all parts can have, and an automaton for each part.

Source: Gent 2002 (supports); Quimper & Walsh 2006, Bacchus 2007 (automata).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.errors import TooLargeError
from sudoku_encode.formula.cnf import Group, Literals, by_width
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    value_sets,
)

# A literal that always holds; its negation never does.
TRUE = 1 << 30
# Up to this number of sets of values a sum of cells that differ is encoded by sets. More sets would outnumber the
# partial sums.
_MAX_SETS = 50
# Steps from one partial sum to the next, of all sums of a puzzle: a gigabyte of clauses.
_MAX_SUMS = 10_000_000
# Pairs of values of relations that are handled at once, and literals of all clauses: a gigabyte.
_MAX_PAIRS, _MAX_LITERALS = 10_000_000, 250_000_000

# Clauses, int32 (m, width), which may contain TRUE and its negation. The first literal of a clause may be negative.
_Rows = NDArray[np.int32]
# Transitions (state, value, next state), int64 (m, 3).
_Layer = NDArray[np.int64]
_ONLY_STATE = np.array([TRUE], np.int32)


def constraint_groups(
    primitives: Sequence[Primitive], reduced: Reduction, x: Literals, n_variables: int
) -> tuple[list[Group], int, bool]:
    """Return the clauses of primitives.

    Args:
        primitives: without `Unit` and `Domain`.
        reduced: the reduced puzzle.
        x: int32 (n_cells, n_values), the literal of each cell and value; 0 for no literal.
        n_variables: number of variables so far.

    Returns:
        The clauses; the new number of variables; and False if the clauses plainly have no model.
    """
    literals = np.where(reduced.candidates, np.where(x == 0, TRUE, x), -TRUE).astype(np.int32)
    writer = _Writer(literals, n_variables)
    writer.relations([primitive for primitive in primitives if isinstance(primitive, Relation)])
    for primitive in primitives:
        if isinstance(primitive, Clause):
            writer.clause(primitive)
        elif isinstance(primitive, Sum):
            writer.sum(primitive)
        elif isinstance(primitive, EqualSums):
            writer.equal_sums(primitive)
        elif isinstance(primitive, Automaton):
            layers = [np.array(layer, np.int64).reshape(-1, 3) for layer in primitive.layers]
            writer.unrolled("automaton", primitive.cells, layers, _ONLY_STATE)
    return writer.groups, writer.n_variables, not writer.failed


class _Writer:
    """Writes clauses over the literals of cells.

    Attributes:
        literals: int32 (n_cells, n_values): TRUE if a cell holds the value, -TRUE if it cannot.
        n_variables: number of variables.
        groups: the clauses so far.
        failed: whether a clause can never hold.
    """

    def __init__(self, literals: Literals, n_variables: int) -> None:
        self.literals, self.n_variables = literals, n_variables
        self.groups: list[Group] = []
        self.failed = False
        self._n_sums = self._n_literals = 0

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
        tables = {relation.allowed: _as_bits(relation.allowed, n) for relation in relations}
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
        layers, _ = self._partial_sums(constraint.cells, constraint.coefficients, [constraint.total])
        self.unrolled("sum", constraint.cells, layers, _ONLY_STATE)

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
        parts = [_with_coefficients(part) for part in constraint.parts]
        totals = sorted(set.intersection(*(self._possible_sums(*part) for part in parts)))
        if not totals:
            self.failed = True
            return
        alone = next((cells[0] for cells, coefficients in parts if coefficients == (1,)), None)
        if len(totals) == 1:
            sums = _ONLY_STATE
        elif alone is not None:
            # The value of the cell is the sum.
            sums = self.literals[alone, np.array(totals) - 1]
        else:
            sums = self._new(len(totals))
        for cells, coefficients in parts:
            layers, ends = self._partial_sums(cells, coefficients, totals)
            self.unrolled("equal-sums", cells, layers, sums[np.searchsorted(totals, ends)])

    def unrolled(self, name: str, cells: Sequence[int], layers: Sequence[_Layer], ends: Literals) -> None:
        """Write an automaton.

        Args:
            name: of the clauses.
            cells: the cells that it reads.
            layers: its transitions.
            ends: the literal of each state after the last cell.
        """
        possible = self._possible(cells, layers)
        if not len(possible[-1]):
            self.failed = True
            return
        states = _ONLY_STATE
        for index, (cell, layer) in enumerate(zip(cells, possible, strict=True)):
            before, values, after = layer.T
            if index + 1 < len(cells):
                number_of, after = np.unique(after, return_inverse=True)
                following = _ONLY_STATE if len(number_of) == 1 else self._new(len(number_of))
                possible[index + 1][:, 0] = np.searchsorted(number_of, possible[index + 1][:, 0])
            else:
                following = ends
            self._layer(name, self.literals[cell], (states, following), (before, values, after))
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

    def _possible(self, cells: Sequence[int], layers: Sequence[_Layer]) -> list[_Layer]:
        """Return the transitions on paths from the first state to the end, with the candidates of each cell."""
        possible: list[_Layer] = []
        states = np.array([0])
        for cell, layer in zip(cells, layers, strict=True):
            can = (self.literals[cell, layer[:, 1] - 1] != -TRUE) & np.isin(layer[:, 0], states)
            possible.append(layer[can])
            states = np.unique(layer[can, 2])
        for index in range(len(possible) - 2, -1, -1):
            possible[index] = possible[index][np.isin(possible[index][:, 2], possible[index + 1][:, 0])]
        return possible

    def _partial_sums(
        self, cells: Sequence[int], coefficients: Sequence[int], totals: Sequence[int]
    ) -> tuple[list[_Layer], list[int]]:
        """Return the transitions between partial sums that lead to the totals, and the total of each last state."""
        steps = [
            coefficient * (np.flatnonzero(self.literals[cell] != -TRUE) + 1)
            for cell, coefficient in zip(cells, coefficients, strict=True)
        ]
        reached = [np.array([0])]
        for step in steps:
            self.count_sums(len(reached[-1]) * len(step))
            reached.append(np.unique(reached[-1][:, None] + step))
        good = np.intersect1d(reached[-1], totals)
        ends, layers = good.tolist(), []
        for index in range(len(cells) - 1, -1, -1):
            sums = reached[index]
            after = sums[:, None] + steps[index]
            is_good = np.isin(after, good)
            before, places = np.nonzero(is_good)
            used = np.unique(before)
            values = steps[index][places] // coefficients[index]
            layers.append(
                np.stack([np.searchsorted(used, before), values, np.searchsorted(good, after[is_good])], axis=1)
            )
            good = sums[used]
        return layers[::-1], ends

    def _possible_sums(self, cells: Sequence[int], coefficients: Sequence[int]) -> set[int]:
        sums = {0}
        for cell, coefficient in zip(cells, coefficients, strict=True):
            values = (np.flatnonzero(self.literals[cell] != -TRUE) + 1).tolist()
            self.count_sums(len(sums) * len(values))
            sums = {before + coefficient * value for before in sums for value in values}
        return sums

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
        always = (rows == TRUE).any(axis=1) | (rows[:, :1] == -rows[:, 1:]).any(axis=1)
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


def _as_bits(allowed: Sequence[int], n: int) -> NDArray[np.bool_]:
    """Return sets of values as rows of bits, bool (len(allowed), n); there may be more values than a word has bits."""
    size = (n + 7) // 8
    packed = np.frombuffer(b"".join(values.to_bytes(size, "little") for values in allowed), np.uint8)
    return np.unpackbits(packed.reshape(-1, size), axis=1, count=n, bitorder="little").astype(bool)


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


def _with_coefficients(cells: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return each cell once, with the number of its occurrences."""
    counts: dict[int, int] = {}
    for cell in cells:
        counts[cell] = counts.get(cell, 0) + 1
    return tuple(counts), tuple(counts.values())
