"""All ways to fill the cells of one constraint: what its parts, and units among its cells, allow together.

By hand these are the combinations of a cage, the bounds of a thermometer, the windows of a renban line: whatever the
kind of a constraint, they are lists of values of its cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.papers.marks import values_of
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.constraints.layers import automaton_tables, part_sums
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    primitive_cells,
)

# No more ways are listed; a constraint with more is looked at part by part.
MOST_WAYS = 20_000
# No more partial ways are made while ways are listed.
_MOST_TRIED = 200_000
# With more choices of candidates it is not tried.
_MOST_CHOICES = 10**10
# After a failure, ways are listed again once the choices of candidates are fewer by this factor.
_FEWER = 8
# Those of which ways are listed; other parts of a constraint are left out, so that some ways may be no ways.
_READ = (Relation, Clause, Sum, EqualSums, Automaton)

# A value in a way is a bit, as in the candidates: bit 0 is value 1. There may be as many values as a word has bits.
Ways = NDArray[Any]
_MAX_VALUES = 64
Values = NDArray[np.uint8]


class Together(NamedTuple):
    """All parts of a constraint, with the pairs of its cells that see each other."""

    parts: tuple[Primitive, ...]
    differ: tuple[tuple[int, int], ...]

    @staticmethod
    def of(parts: Sequence[Primitive], peers: Sequence[Sequence[int]]) -> "Together":
        """Return those parts of which ways can be listed, and the pairs of their cells that are peers."""
        read = tuple(part for part in parts if isinstance(part, _READ))
        cells = sorted({cell for part in read for cell in primitive_cells(part)})
        return Together(read, tuple((one, other) for one, other in combinations(cells, 2) if other in peers[one]))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells in the order in which they are filled, each once: that of the longest automata."""
        longest = sorted(self.parts, key=lambda part: (not isinstance(part, Automaton), -len(primitive_cells(part))))
        return tuple(dict.fromkeys(cell for part in longest for cell in primitive_cells(part)))


@dataclass(eq=False)
class Filler:
    """Lists the ways to fill cells, again and again with fewer candidates."""

    together: Together
    cells: tuple[int, ...]  # in the order of the columns of ways
    n: int
    # The ways with the candidates of `masks`, from which those with fewer candidates are chosen.
    ways: Ways | None = None
    masks: tuple[int, ...] = ()
    too_many: float = float("inf")  # with how many choices of candidates there were too many ways
    _pairs: list[list[tuple[int, Bools]]] = field(default_factory=list)

    def ways_with(self, masks: tuple[int, ...]) -> Ways | None:
        """Return the ways with some candidates, (ways, cells) of bits; None if there are too many."""
        ways = self.known_ways(masks)
        if ways is None:
            choices = prod(mask.bit_count() for mask in masks)
            if choices > _MOST_CHOICES or choices * _FEWER > self.too_many or self.n > _MAX_VALUES:
                return None
            if (values := self._listed(masks)) is None:
                self.too_many = choices
                return None
            bits = np.array([0, *(1 << value for value in range(self.n))], np.uint16 if self.n <= 16 else np.uint64)
            ways = bits[values]
        elif self.ways is not None and 2 * len(ways) > len(self.ways):
            return ways
        self.ways, self.masks = ways, masks
        return ways

    def known_ways(self, masks: tuple[int, ...]) -> Ways | None:
        """Return the ways with some candidates if ways with at least these were listed; None if not."""
        if self.ways is None or any(mask & ~old for mask, old in zip(masks, self.masks, strict=True)):
            return None
        if masks == self.masks:
            return self.ways
        return cast(Ways, self.ways[(self.ways & np.array(masks, self.ways.dtype)).all(axis=1)])

    def _listed(self, masks: tuple[int, ...]) -> Values | None:
        """List the ways cell by cell, dropping those that break a part as soon as its cells show it."""
        ways = np.zeros((1, 0), np.uint8)
        pairs = self._pairs = self._pairs or _pairs(self.together, self.cells, self.n)
        readers = [_Reader.of(part, self.cells, masks, self.n) for part in self.together.parts]
        tests = [reader for reader in readers if reader is not None]
        states = [np.zeros(1, np.int64) for _ in tests]
        for index, mask in enumerate(masks):
            own = np.array(values_of(mask), np.uint8)
            if len(ways) * len(own) > _MOST_TRIED:
                return None
            before = np.repeat(np.arange(len(ways)), len(own))
            added = np.tile(own, len(ways))
            good = np.ones(len(added), bool)
            for other, allowed in pairs[index]:
                good &= allowed[ways[before, other], added]
            before, added = before[good], added[good]
            ways = np.column_stack([ways[before], added])
            good, states = np.ones(len(ways), bool), [state[before] for state in states]
            for number, test in enumerate(tests):
                states[number], fits = test.read(index, states[number], ways)
                good &= fits
            ways, states = ways[good], [state[good] for state in states]
            if len(ways) > MOST_WAYS:
                return None
        return ways


def _pairs(together: Together, cells: tuple[int, ...], n: int) -> list[list[tuple[int, Bools]]]:
    """Return for each cell the earlier cells with which its values must fit, and which fit."""
    tables: dict[tuple[int, int], Bools] = {}
    place = {cell: number for number, cell in enumerate(cells)}

    def add(first: int, second: int, allowed: Any) -> None:
        if place[first] > place[second]:
            first, second, allowed = second, first, allowed.T
        before = tables.get((place[first], place[second]))
        tables[place[first], place[second]] = allowed if before is None else before & allowed

    for cell, other in together.differ:
        add(cell, other, ~np.eye(n + 1, dtype=bool))
    for part in together.parts:
        if isinstance(part, Relation):
            allowed = np.zeros((n + 1, n + 1), bool)
            for value, fitting in enumerate(part.allowed, start=1):
                allowed[value, list(values_of(fitting))] = True
            add(part.first, part.second, allowed)
    return [
        [(first, allowed) for (first, second), allowed in tables.items() if second == place[cell]] for cell in cells
    ]


class _Reader(NamedTuple):
    """How a part of a constraint is tested while cells are filled; a state is a number for each way."""

    part: Primitive
    last: int  # the place of the last of its cells
    places: tuple[int, ...]  # of the cells of a clause, or in the order in which an automaton reads them
    factors: tuple[int, ...]  # of the cells up to each place, for a sum
    # The least and the most that the cells after each place add to a sum.
    lows: tuple[int, ...] = ()
    highs: tuple[int, ...] = ()
    tables: tuple[Int64s, ...] = ()

    @staticmethod
    def of(part: Primitive, cells: tuple[int, ...], masks: tuple[int, ...], n: int) -> "_Reader | None":
        """Return the reader of a part; None for a pair of cells, whose table is looked up."""
        if isinstance(part, Relation):
            return None
        place = {cell: number for number, cell in enumerate(cells)}
        last = max((place[cell] for cell in primitive_cells(part)), default=0)
        if isinstance(part, Sum):
            factor_of = dict(zip(part.cells, part.coefficients, strict=True))
            factors = tuple(factor_of.get(cell, 0) for cell in cells)
            ends = [
                sorted((factor * (mask & -mask).bit_length(), factor * mask.bit_length()))
                for factor, mask in zip(factors, masks, strict=True)
            ]
            lows, highs = (tuple(sum(end[k] for end in ends[at + 1 :]) for at in range(len(cells))) for k in (0, 1))
            return _Reader(part, last, (), factors, lows, highs)
        if isinstance(part, Automaton):
            places = tuple(place[cell] for cell in part.cells)
            return _Reader(part, last, places, (), tables=automaton_tables(Automaton((), part.layers), n))
        return _Reader(part, last, tuple(place[cell] for cell in primitive_cells(part)), ())

    def read(self, index: int, states: Int64s, ways: Values) -> tuple[Int64s, Bools]:
        """Return the states after the cell at a place is filled, and which ways may still fit."""
        if isinstance(self.part, Sum):
            states = states + self.factors[index] * ways[:, index].astype(np.int64)
            missing = self.part.total - states
            return states, (missing >= self.lows[index]) & (missing <= self.highs[index])
        if isinstance(self.part, Automaton):
            return self._read_on(index, states, ways)
        fits = np.ones(len(ways), bool) if index < self.last else self._holds(ways)
        return states, fits

    def _read_on(self, index: int, states: Int64s, ways: Values) -> tuple[Int64s, Bools]:
        """Let an automaton read all cells that it can: those up to the first that is not filled."""
        for step in self._steps(index):
            following = self.tables[step][states, ways[:, self.places[step]].astype(np.int64) - 1]
            # A way that does not fit stays in any state.
            states = np.where(states < 0, -1, following)
        return states, states >= 0

    def _steps(self, index: int) -> Iterator[int]:
        reached = -1
        for step, place in enumerate(self.places):
            reached = max(reached, place)
            if reached == index:
                yield step

    def _holds(self, ways: Values) -> Bools:
        """Check whether whole ways satisfy a clause or equal sums."""
        if isinstance(self.part, EqualSums):
            cells = primitive_cells(self.part)
            place = dict(zip(cells, self.places, strict=True))
            sums = [
                ways[:, [place[cell] for cell in part.cells]].astype(np.int64) @ np.array(part.coefficients)
                for part in part_sums(self.part)
            ]
            equal: Bools = np.all([amount == sums[0] for amount in sums], axis=0)
            return equal
        assert isinstance(self.part, Clause)
        place = dict(zip(primitive_cells(self.part), self.places, strict=True))
        holds = np.zeros(len(ways), bool)
        for cell, value in self.part.literals:
            holds |= (ways[:, place[cell]] == value) if value > 0 else (ways[:, place[cell]] != -value)
        return holds
