"""Facts that primitives and units imply together, for the search with constraints: cells that differ, sets of values.

A set of cells is an int with bit c set for cell c, and a set of values one with bit v - 1 set for value v.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.layers import next_states
from sudoku_encode.puzzles.constraints.primitives import Automaton, Sum
from sudoku_encode.puzzles.geometry import Geometry

# With more sets of values than this, checking each takes too long.
MOST_SETS = 200
# Sets are not searched for where there are more combinations of values than this.
_MOST_CHOICES = 4000
# A group has at most this many cells, so that four bits can count those with the same smallest candidate.
_LARGEST_GROUP = 15

# Sums that follow from others and from units are of use for so few cells, or if they are within `n_values` of the least
# or the greatest sum of up to `n_values` cells. Units that follow each other are looked at together up to this many.
_MOST_DERIVED_CELLS, _MOST_JOINT_UNITS = 6, 4
# Sums of fewer cells are not joined, and of more sums only the tightest are.
_LEAST_JOINED_CELLS, _MOST_JOINED_SUMS = 6, 16
# Numbers of cells up to this are bits of a word.
MOST_COUNTED = 61

Layers = tuple[tuple[tuple[int, int, int], ...], ...]


def differing_cells(board: Geometry, unequal: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each cell the set of those that differ from it: by a unit, or as one of some pairs of cells."""
    near = [*_differing_on(board)]
    for first, second in unequal:
        near[first] |= 1 << second
        near[second] |= 1 << first
    return near


@lru_cache(maxsize=64)
def _differing_on(board: Geometry) -> tuple[int, ...]:
    near, rules = [0] * board.n_cells, board.rules
    if board.base is not None:
        near, rules = [*_differing_on(board.base)], rules[len(board.base.rules) :]
    for rule in rules:
        for unit in rule.units.tolist():
            every = sum(1 << cell for cell in unit)
            for cell in unit:
                near[cell] |= every ^ 1 << cell
    return tuple(near)


@lru_cache(maxsize=1024)
def are_unequal(allowed: tuple[int, ...]) -> bool:
    """Return whether a relation never holds for equal values."""
    return not any(values >> at & 1 for at, values in enumerate(allowed))


def all_differ(cells: Sequence[int], near: Sequence[int]) -> bool:
    """Return whether no two cells can be equal; a cell that comes twice is equal to itself."""
    every = 0
    for cell in cells:
        if every & ~near[cell]:
            return False
        every |= 1 << cell
    return True


def groups(cells: Iterable[int], near: Sequence[int]) -> list[list[int]]:
    """Partition cells into groups of cells that all differ, large groups first."""
    rest, parts = sum(1 << cell for cell in cells), []
    while rest:
        largest = max((_grow_clique([cell], rest & near[cell], near) for cell in _cells_in(rest)), key=len)
        parts.append(largest[:_LARGEST_GROUP])
        rest &= ~sum(1 << cell for cell in parts[-1])
    return parts


def _grow_clique(group: list[int], others: int, near: Sequence[int]) -> list[int]:
    """Add to a group those of the other cells that differ from all its cells, first those that differ from most."""
    while others:
        best, most, rest, n_others = -1, -1, others, others.bit_count() - 1
        while rest and most < n_others:
            cell = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            number = (others & near[cell]).bit_count()
            if number > most:
                best, most = cell, number
        group.append(best)
        others &= near[best]
    return group


def _cells_in(cells: int) -> Iterator[int]:
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def cliques(
    relations: Iterable[tuple[tuple[int, ...], Iterable[tuple[int, int]]]], n: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield groups of three cells or more with the same relation between any two, and the sets of values they can hold.

    Relations come with the pairs of cells that they hold for. They are symmetric, and make cells differ. A group is
    left out where there are too many sets, or no set since it has too many cells.
    """
    graphs: defaultdict[tuple[int, ...], dict[int, int]] = defaultdict(dict)
    for allowed, pairs in relations:
        near = graphs[allowed]
        for first, second in pairs:
            near[first] = near.get(first, 0) | 1 << second
            near[second] = near.get(second, 0) | 1 << first
    for allowed, near in graphs.items():
        everywhere = [near.get(cell, 0) for cell in range(max(near) + 1)]
        rest = dict(near)
        for cell in sorted(near):
            while rest[cell]:
                other = next(_cells_in(rest[cell]))
                if not near[cell] & near[other]:
                    rest[cell] ^= 1 << other
                    continue
                group = sorted(_grow_clique([cell, other], near[cell] & near[other], everywhere))
                for member in group:
                    rest[member] &= ~sum(1 << same for same in group)
                if len(group) > 2 and (sets := _sets_by_pairs(allowed, len(group))):
                    yield tuple(group), sets


@lru_cache(maxsize=1024)
def is_symmetric(allowed: tuple[int, ...]) -> bool:
    """Return whether a relation is symmetric, and never holds for equal values."""
    return are_unequal(allowed) and all(
        (allowed[a] >> b & 1) == (allowed[b] >> a & 1) for a, b in combinations(range(len(allowed)), 2)
    )


@lru_cache(maxsize=256)
def _sets_by_pairs(allowed: tuple[int, ...], size: int) -> tuple[int, ...]:
    """Return the sets of `size` values that are pairwise allowed; no set if there are too many."""
    sets = [(0, (1 << len(allowed)) - 1)]
    for _ in range(size):
        sets = [
            (values | 1 << value, common & allowed[value])
            for values, common in sets
            for value in _cells_in(common >> values.bit_length() << values.bit_length())
        ]
        if len(sets) > _MOST_CHOICES:
            return ()
    return tuple(values for values, _ in sets) if len(sets) <= MOST_SETS else ()


def derived_sums(sums: Sequence[tuple[tuple[int, ...], int]], board: Geometry) -> list[Sum]:
    """Return sums of few cells that follow from cells and their sums, and from those of units that follow each other.

    A unit that holds every value has a known sum. Without the sums of cells that lie mostly in such units, it is
    the sum of the cells in none of these sums, less that of the cells beyond the units.
    """
    joint, n_units = _joint_units(board)
    parts = _disjoint_sums(sums)
    if not parts or not len(joint):
        return []
    n = board.n_values
    cages = np.zeros((len(parts), board.n_cells), np.float32)
    lengths = [len(members) for members, _ in parts]
    cages[np.repeat(range(len(parts)), lengths), [cell for members, _ in parts for cell in members]] = 1
    mostly_inside = (2 * (joint @ cages.T) > lengths).astype(np.float32)
    # 1 for a cell that counts, -1 for one that is taken away.
    rest = joint - mostly_inside @ cages
    totals = n_units * (n * (n + 1) // 2) - mostly_inside @ [total for _, total in parts]
    sizes, net = np.abs(rest).sum(axis=1), rest.sum(axis=1)
    # How far the sums are above their least, and below their greatest amount.
    added, taken = (sizes + net) / 2, (sizes - net) / 2
    is_tight = (np.minimum(totals - added + n * taken, n * added - taken - totals) <= n) & (sizes <= n)
    numbers = np.flatnonzero((sizes > 0) & (is_tight | (sizes <= _MOST_DERIVED_CELLS)))
    rows, columns = np.nonzero(rest[numbers])
    cells, factors = columns.tolist(), rest[numbers][rows, columns].astype(np.int64).tolist()
    derived: dict[tuple[int, ...], Sum] = {}
    begin = 0
    for size, total in zip(
        sizes[numbers].astype(np.int64).tolist(), totals[numbers].astype(np.int64).tolist(), strict=True
    ):
        end = begin + size
        sign, key = factors[begin], tuple(cells[begin:end])
        derived.setdefault(key, Sum(key, tuple([sign * factor for factor in factors[begin:end]]), sign * total))
        begin = end
    return list(derived.values())


@lru_cache(maxsize=64)
def _joint_units(board: Geometry) -> tuple[NDArray[np.float32], Int64s]:
    """Return the cells of units of a rule that follow each other, a row for each such group, and how many units."""
    rows, sizes = [np.zeros((0, board.n_cells), np.float32)], [np.zeros(0, np.int64)]
    for rule in board.full_rules:
        members = np.zeros((len(rule.units), board.n_cells), np.float32)
        np.put_along_axis(members, rule.units.astype(np.int64), 1, axis=1)
        sums = np.concatenate([np.zeros((1, board.n_cells), np.float32), np.cumsum(members, axis=0)])
        # On cubes a rule has more units than values, and neighbours have little to do with each other.
        most = _MOST_JOINT_UNITS if len(members) <= board.n_values else 1
        for size in range(1, min(most, len(members)) + 1):
            rows.append((sums[size:] - sums[:-size]).astype(np.float32))
            sizes.append(np.full(len(rows[-1]), size, np.int64))
    return np.concatenate(rows), np.concatenate(sizes)


def _disjoint_sums(sums: Sequence[tuple[tuple[int, ...], int]]) -> list[tuple[tuple[int, ...], int]]:
    """Return those sums of which no two share a cell; small ones first."""
    taken, parts = set[int](), []
    for part in sorted(sums, key=lambda part: len(part[0])):
        if taken.isdisjoint(part[0]):
            taken.update(part[0])
            parts.append(part)
    return parts


class _LongSum(NamedTuple):
    """A sum of many cells. Its tightness is the room of its groups of cells, less the room that the total leaves them.

    A group of differing cells alone has room between its least and its greatest sum.
    """

    tightness: int
    total: int
    cells: int

    @classmethod
    def of(cls, cells: int, total: int, near: Sequence[int], n: int) -> "_LongSum":
        """Return the sum of cells of a set."""
        sizes = [len(group) for group in _large_groups(cells, near)]
        least, room = sum(size * (size + 1) // 2 for size in sizes), sum(size * (n - size) for size in sizes)
        return cls(room - len(sizes) * min(total - least, least + room - total), total, cells)


def joined_sums(
    sums: Iterable[tuple[tuple[int, ...], int]], near: Sequence[int], n: int
) -> list[tuple[list[list[int]], int]]:
    """Return tight sums of the cells of several disjoint sums, each as groups of cells that differ and their total.

    Two diagonals that share a box, for example, have less room together than each alone, since the cells in the box
    cannot all hold 9. Sums are joined two by two, the tightest first.

    Args:
        sums: different cells, and their total.
        near: for each cell the set of those that differ from it.
        n: the greatest value.
    """
    long_sums = {sum(1 << cell for cell in cells): total for cells, total in sums if len(cells) >= _LEAST_JOINED_CELLS}
    if len(long_sums) < 2:
        return []
    parts = sorted(_LongSum.of(cells, total, near, n) for cells, total in long_sums.items())[-_MOST_JOINED_SUMS:]
    joins = {pair: _join(*pair, near, n) for pair in combinations(parts, 2)}
    while best := max(filter(None, joins.values()), default=None):
        pair = next(pair for pair, joined in joins.items() if joined == best)
        parts = [part for part in parts if part not in pair]
        joins = {both: joined for both, joined in joins.items() if both[0] in parts and both[1] in parts}
        joins |= {(part, best): _join(part, best, near, n) for part in parts}
        parts.append(best)
    return [
        (_large_groups(part.cells, near), part.total)
        for part in parts
        if part.tightness > 0 and part.cells not in long_sums
    ]


def _join(first: _LongSum, second: _LongSum, near: Sequence[int], n: int) -> _LongSum | None:
    """Return the sum of disjoint sums if it is tighter, and many cells of one differ from some of the other."""
    if first.cells & second.cells:
        return None
    if sum(near[cell] & second.cells != 0 for cell in _cells_in(first.cells)) < _LEAST_JOINED_CELLS:
        return None
    joined = _LongSum.of(first.cells | second.cells, first.total + second.total, near, n)
    each = first.tightness, second.tightness
    return joined if joined.tightness > min(max(each), sum(each)) else None


def _large_groups(cells: int, near: Sequence[int]) -> list[list[int]]:
    """Return a partition as `groups` does, in a shorter time: each group begins with a cell that differs from most."""
    parts = []
    while cells:
        parts.append(_grow_clique([], cells, near)[:_LARGEST_GROUP])
        cells &= ~sum(1 << cell for cell in parts[-1])
    return parts


def sets_in_any_order(layers: Layers, n: int) -> tuple[int, ...]:
    """Return the sets of different values that an automaton accepts in any order.

    The result is empty where the order matters, where there are too many sets, or more cells than values.
    """
    if len(layers) > n or math.comb(n, len(layers)) > _MOST_CHOICES:
        return ()
    tables: list[Int64s] = []
    for layer in range(len(layers)):
        tables.append(next_states(layers[layer], n))
        if layer == 0:
            continue
        table, following = tables[layer - 1 :]
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


def counted_value(automaton: Automaton, n: int) -> tuple[int, int] | None:
    """Return the value that an automaton counts and the set of accepted numbers, as bits.

    None is returned for an automaton that does anything else, or where the numbers do not fit in a word.
    """
    layers = automaton.layers
    if len(layers) > MOST_COUNTED:
        return None
    tables = [next_states(layer, n) for layer in layers]
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
        for layer, table in enumerate(tables):
            state = table[state, value if layer < number else other]
        numbers |= int(state == 0) << number
    return value + 1, numbers


@lru_cache(maxsize=64)
def _choices(n: int, size: int) -> Int64s:
    return np.array(list(combinations(range(n), size)), np.int64)
