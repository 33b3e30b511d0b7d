"""What follows from primitives and units together, for the search with constraints: cells that differ, sets of values.

A set of cells is an int with bit c set for cell c, and a set of values one with bit v - 1 set for value v.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np

from sudoku_encode.constraints.lowering import Lowered
from sudoku_encode.constraints.primitives import Automaton, Relation
from sudoku_encode.puzzles.arrays import Int64s

# Where there are more sets of values than this, it takes too long to look at each.
MOST_SETS = 200
# Sets are not looked for where there are more combinations of values than this to try.
_MOST_CHOICES = 4000
# A group has no more cells, so that four bits count those with the same smallest candidate.
_LARGEST_GROUP = 15

# Numbers of cells up to this are bits of a word.
_MOST_COUNTED = 61

Layers = tuple[tuple[tuple[int, int, int], ...], ...]


def differing(found: Lowered) -> list[int]:
    """Return for each cell the set of those that differ from it, by a unit or a relation."""
    near = [0] * found.puzzle.geometry.n_cells
    for rule in found.puzzle.geometry.rules:
        for unit in rule.units.tolist():
            every = sum(1 << cell for cell in unit)
            for cell in unit:
                near[cell] |= every ^ 1 << cell
    for one in found.primitives:
        if isinstance(one, Relation) and _are_unequal(one.allowed):
            near[one.first] |= 1 << one.second
            near[one.second] |= 1 << one.first
    return near


@lru_cache(maxsize=1024)
def _are_unequal(allowed: tuple[int, ...]) -> bool:
    return not any(values >> at & 1 for at, values in enumerate(allowed))


def all_differ(cells: Sequence[int], near: Sequence[int]) -> bool:
    """Say whether no two cells can be equal; a cell that comes twice is equal to itself."""
    every = 0
    for cell in cells:
        if every & ~near[cell]:
            return False
        every |= 1 << cell
    return True


def groups(cells: Iterable[int], near: Sequence[int]) -> list[list[int]]:
    """Share out cells among groups of cells that all differ, large ones first."""
    left, found = sum(1 << cell for cell in cells), []
    while left:
        largest = max((_grown([cell], left & near[cell], near) for cell in _cells_in(left)), key=len)
        found.append(largest[:_LARGEST_GROUP])
        left &= ~sum(1 << cell for cell in found[-1])
    return found


def _grown(group: list[int], others: int, near: Sequence[int]) -> list[int]:
    """Add to a group cells of others that are near to all, first those near to most of them."""
    while others:
        best = max(_cells_in(others), key=lambda cell: (others & near[cell]).bit_count())
        group.append(best)
        others &= near[best]
    return group


def _cells_in(cells: int) -> Iterator[int]:
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def cliques(relations: Iterable[Relation], n: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield three cells or more, any two of which have the same relation, and the sets of values that they can hold.

    These are relations by which two cells differ, and in which either comes first. Where there are too many sets, or
    none since the cells are too many, nothing is said of the cells.
    """
    graphs: defaultdict[tuple[int, ...], dict[int, int]] = defaultdict(dict)
    for one in relations:
        if _is_symmetric(one.allowed):
            near = graphs[one.allowed]
            near[one.first] = near.get(one.first, 0) | 1 << one.second
            near[one.second] = near.get(one.second, 0) | 1 << one.first
    for allowed, near in graphs.items():
        everywhere = [near.get(cell, 0) for cell in range(max(near) + 1)]
        left = dict(near)
        for cell in sorted(near):
            while left[cell]:
                other = next(_cells_in(left[cell]))
                if not near[cell] & near[other]:
                    left[cell] ^= 1 << other
                    continue
                group = sorted(_grown([cell, other], near[cell] & near[other], everywhere))
                for member in group:
                    left[member] &= ~sum(1 << same for same in group)
                if len(group) > 2 and (sets := _sets_by_pairs(allowed, len(group))):
                    yield tuple(group), sets


@lru_cache(maxsize=1024)
def _is_symmetric(allowed: tuple[int, ...]) -> bool:
    """Say whether a relation holds both ways or not at all, and never of equal values."""
    return _are_unequal(allowed) and all(
        (allowed[a] >> b & 1) == (allowed[b] >> a & 1) for a, b in combinations(range(len(allowed)), 2)
    )


@lru_cache(maxsize=256)
def _sets_by_pairs(allowed: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the sets of as many values that are pairwise allowed; none where they are too many."""
    found = [(0, (1 << len(allowed)) - 1)]
    for _ in range(size):
        found = [
            (held | 1 << value, common & allowed[value])
            for held, common in found
            for value in _cells_in(common >> held.bit_length() << held.bit_length())
        ]
        if len(found) > _MOST_CHOICES:
            return ()
    return tuple(held for held, _ in found) if len(found) <= MOST_SETS else ()


@lru_cache(maxsize=256)
def sets_in_any_order(layers: Layers, n: int) -> tuple[int, ...]:
    """Return the sets of different values that an automaton reads to its end, whatever their order.

    None are returned where the order matters to it, where there are too many sets, or more cells than values.
    """
    if len(layers) > n or math.comb(n, len(layers)) > _MOST_CHOICES:
        return ()
    tables: list[Int64s] = []
    for at in range(len(layers)):
        tables.append(_table(layers, at, n))
        if at == 0:
            continue
        table, following = tables[at - 1 :]
        # It is minimal: two values either lead to the same state both ways, or their order matters.
        after = following[table]
        if not np.array_equal(after, after.swapaxes(1, 2)):
            return ()
    chosen = _choices(n, len(layers))
    states = np.zeros(len(chosen), np.int64)
    for table, values in zip(tables, chosen.T, strict=True):
        states = table[states, values]
    good = chosen[states == 0]
    return tuple((1 << good).sum(axis=1).tolist()) if len(good) <= MOST_SETS else ()


def counted(wanted: Automaton, n: int) -> tuple[int, int] | None:
    """Return of an automaton that counts a value, whatever the others, that value and the set of good numbers, as bits.

    None is returned for any other automaton, or where the numbers do not fit a word.
    """
    layers = wanted.layers
    if len(layers) > _MOST_COUNTED:
        return None
    tables = [_table(layers, at, n) for at in range(len(layers))]
    states, places, times = np.unique(tables[0][0], return_index=True, return_counts=True)
    if len(states) != 2 or 1 not in times or n < 3:
        return None
    value = int(places[times == 1][0])
    other = (value + 1) % n
    for table in tables:
        rest = np.delete(table, value, axis=1)
        if (rest != rest[:, :1]).any():
            return None
    for table, following in pairwise(tables):
        if not np.array_equal(following[table[:, value], other], following[table[:, other], value]):
            return None
    numbers = 0
    for number in range(len(layers) + 1):
        state = 0
        for at, table in enumerate(tables):
            state = table[state, value if at < number else other]
        numbers |= int(state == 0) << number
    return value + 1, numbers


def _table(layers: Layers, at: int, n: int) -> Int64s:
    """Return for a layer the next state by state and value, from 0; after the last state of each is what goes wrong."""
    here, after = (1 + max(move[0] for move in layer) if layer else 1 for layer in (*layers[at : at + 2], ())[:2])
    table = np.full((here + 1, n), after, np.int64)
    states, values, following = np.array(layers[at]).T
    table[states, values - 1] = following
    return table


@lru_cache(maxsize=64)
def _choices(n: int, size: int) -> Int64s:
    return np.array(list(combinations(range(n), size)), np.int64)
