"""A search with constraints from a puzzle: its primitives become flat arrays for compiled propagators.

Some of these are late: they say nothing new, and remove more in more time, so that they are asked only when the search
did not end soon.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode.constraints.lowering import Lowered
from sudoku_encode.constraints.primitives import (
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    value_sets,
)
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.search.constrained_state import (
    AUTOMATON,
    BOUNDS,
    CLAUSE,
    COUNTS,
    DISTINCT,
    MOST_BITS,
    N_KINDS,
    RELATION,
    SETS,
    SUMS,
    ConstrainedState,
    Propagators,
)
from sudoku_encode.search.implied import MOST_SETS, all_differ, cliques, counted, differing, groups, sets_in_any_order
from sudoku_encode.search.state import any_state, masks_of

# The late propagators are asked when so much was looked at, some twenty milliseconds.
_SOON = 2**19
# A weight grows by this at first, so that it can grow by more, a little at a time.
_WEIGHT = 2**10
# With more values the sets of them are too many for a word each.
_MOST_VALUES_OF_SETS = 10
# About how much longer it takes to read by sets of values than to look at a relation.
_DISTINCT_COST = 100
# With more values four bits of a word for each do not fit.
_MOST_VALUES_OF_GROUPS = 16


class _Made(NamedTuple):
    """A propagator, as in `Propagators`; `scratch` is how much room it needs there, and the cost of most follows."""

    kind: int
    cells: tuple[int, ...]
    factors: tuple[int, ...]
    data: Int64s
    scratch: int = 0
    cost: int = 0
    is_late: bool = False


def constrained_state(found: Lowered) -> ConstrainedState:
    """Return a search of a puzzle with constraints; nothing is propagated yet."""
    board, near = found.puzzle.geometry, differing(found)
    counts, others = _counts(found, near)
    made = [one for primitive in others for one in _made(primitive, board.n_values, near)]
    made += counts
    pairs = [one for one in found.primitives if isinstance(one, Relation)]
    late = [one for one in made if one.is_late]
    late += [_sets(cells, sets) for cells, sets in cliques(pairs, board.n_values)]
    first = [one for one in made if not one.is_late]
    return ConstrainedState(any_state(board, masks_of(found.puzzle)), _propagators(first, late, board.n_cells))


def _counts(found: Lowered, near: Sequence[int]) -> tuple[list[_Made], list[Primitive]]:
    """Return what counts every value that some cells can hold among them, and all other primitives."""
    n = found.puzzle.geometry.n_values
    of_cells: defaultdict[tuple[int, ...], list[Primitive]] = defaultdict(list)
    for one in found.primitives:
        if isinstance(one, Automaton) and len(set(one.cells)) == len(one.cells):
            of_cells[one.cells].append(one)
    made: list[_Made] = []
    taken: set[Primitive] = set()
    for cells, automata in of_cells.items():
        held = np.flatnonzero(found.puzzle.candidates[list(cells)].any(axis=0)) + 1
        if len(automata) < max(3, len(held)):
            continue
        known = {one: said for one in automata if isinstance(one, Automaton) and (said := counted(one, n))}
        numbers = dict(known.values())
        # Each value once, and none that is not counted.
        if len(numbers) == len(known) and set(held.tolist()) <= numbers.keys():
            made.append(_counting(cells, numbers, near))
            taken.update(known)
    return made, [one for one in found.primitives if one not in taken] if taken else list(found.primitives)


def _counting(cells: Sequence[int], numbers: dict[int, int], near: Sequence[int]) -> _Made:
    found = groups(cells, near)
    begins = np.cumsum([0, *map(len, found)]).tolist()
    values = [number for value, good in numbers.items() for number in (1 << value - 1, good)]
    data = np.array([len(found), len(numbers), *begins, *values], np.int64)
    flat = tuple(cell for group in found for cell in group)
    return _Made(COUNTS, flat, (0,) * len(flat), data, 3 * len(numbers), 2 * len(flat))


def _propagators(first: Sequence[_Made], late: Sequence[_Made], n_cells: int) -> Propagators:
    made = [*first, *late]
    sizes = [len(one.cells) for one in made]
    starts = np.cumsum([0, *sizes], dtype=np.int64)
    cells = np.array([cell for one in made for cell in one.cells], np.uint32)
    users = np.unique(cells * np.int64(len(made)) + np.repeat(np.arange(len(made)), sizes))
    cell_of, number_of = np.divmod(users, max(1, len(made)))
    n_users = np.bincount(cell_of, minlength=n_cells)
    # What is late weighs nothing, so that what ends soon is the same without it.
    n_first = np.bincount(cell_of[number_of < len(first)], minlength=n_cells)
    places, data = _joined([one.data for one in made])
    return Propagators(
        np.array([one.kind for one in made], np.int64),
        starts,
        cells,
        np.array([factor for one in made for factor in one.factors], np.int64),
        places,
        data,
        np.array([one.cost or 1 + len(one.data) // 16 + len(one.cells) // 2 for one in made], np.int64),
        np.array(
            [one.kind not in (SETS, BOUNDS, COUNTS) and len(set(one.cells)) == len(one.cells) for one in made], np.bool_
        ),
        np.concatenate([[0], np.cumsum(n_users)]).astype(np.int64),
        number_of.astype(np.uint32),
        _WEIGHT * (1 + n_first).astype(np.int64),
        np.zeros((N_KINDS, max(1, len(made))), np.uint32),
        np.zeros((2, N_KINDS), np.int64),
        np.zeros(len(made), np.bool_),
        np.zeros(max((one.scratch for one in made), default=0), np.int64),
        np.array([0, 0, len(first), _SOON, 0, _WEIGHT, 0], np.int64),
    )


def _joined(tables: Sequence[Int64s]) -> tuple[Int64s, Int64s]:
    """Return where each table starts among all of them, and these one after the other, each object once."""
    place_of: dict[int, int] = {}
    kept, length = [np.zeros(0, np.int64)], 0
    for table in tables:
        if id(table) not in place_of:
            place_of[id(table)] = length
            kept.append(table)
            length += len(table)
    return np.array([place_of[id(table)] for table in tables], np.int64), np.concatenate(kept)


def _made(primitive: Primitive, n: int, near: Sequence[int]) -> list[_Made]:
    if isinstance(primitive, Relation):
        return [_Made(RELATION, (primitive.first, primitive.second), (0, 0), _relation_data(primitive.allowed))]
    if isinstance(primitive, Clause):
        return _clause(primitive, n)
    if isinstance(primitive, Sum):
        return _sum(primitive, n, near)
    if isinstance(primitive, EqualSums):
        return _equal_sums(primitive, n, near)
    if isinstance(primitive, Automaton):
        return _automaton(primitive, n, near)
    raise TypeError(f"{primitive!r} is not lowered")


def _sets(cells: tuple[int, ...], sets: tuple[int, ...]) -> _Made:
    return _Made(SETS, cells, (0,) * len(cells), _sets_data(sets))


def _automaton(wanted: Automaton, n: int, near: Sequence[int]) -> list[_Made]:
    cells, differ = wanted.cells, all_differ(wanted.cells, near)
    if differ and (sets := sets_in_any_order(wanted.layers, n)):
        return [_sets(cells, sets)]
    data, nothing = _automaton_data(wanted.layers), (0,) * len(cells)
    made = [_Made(AUTOMATON, cells, nothing, data, int(data[len(cells) + 1]))]
    # The states of a layer are the bits of a word.
    fits = n <= _MOST_VALUES_OF_SETS and max(data[1 : len(cells) + 1] - data[: len(cells)]) <= MOST_BITS
    if differ and fits:
        room = (2 << n) + len(cells) + 2
        made.append(_Made(DISTINCT, cells, nothing, data, room, _DISTINCT_COST, is_late=True))
    return made


def _grouped(parts: Sequence[dict[int, int]], low: int, high: int, n: int, near: Sequence[int]) -> list[_Made]:
    """Return the bounds of parts in groups of cells that differ, where there is any such group."""
    if n > _MOST_VALUES_OF_GROUPS:
        return []
    found: list[tuple[int, list[int]]] = []
    ends = [0]
    for part in parts:
        cells_of: defaultdict[int, list[int]] = defaultdict(list)
        for cell, factor in part.items():
            cells_of[factor].append(cell)
        found += [(factor, group) for factor, cells in cells_of.items() for group in groups(cells, near)]
        ends.append(len(found))
    cells = tuple(cell for _, group in found for cell in group)
    if len(cells) == len(found):
        return []
    factors = tuple(factor for factor, group in found for _ in group)
    begins = np.cumsum([0, *(len(group) for _, group in found)]).tolist()
    data = np.array([len(parts), low, high, *ends, *begins], np.int64)
    return [_Made(BOUNDS, cells, factors, data, 2 * (len(found) + len(parts)), 2 * len(cells), is_late=True)]


def _masks(masks: Sequence[int]) -> Int64s:
    """Return sets of up to 64 values as signed words."""
    return np.array(masks, np.uint64).view(np.int64)


@lru_cache(maxsize=1024)
def _sets_data(sets: tuple[int, ...]) -> Int64s:
    return _masks([len(sets), *sets])


@lru_cache(maxsize=1024)
def _relation_data(allowed: tuple[int, ...]) -> Int64s:
    n = len(allowed)
    back = [sum((allowed[value] >> other & 1) << value for value in range(n)) for other in range(n)]
    return _masks([*allowed, *back])


_NOTHING = np.zeros(0, np.int64)


def _clause(wanted: Clause, n: int) -> list[_Made]:
    """Return a clause as values of cells, one of which it wants; nothing where it always holds."""
    every = (1 << n) - 1
    masks: defaultdict[int, int] = defaultdict(int)
    for cell, value in wanted.literals:
        bit = 1 << abs(value) - 1
        masks[cell] |= bit if value > 0 else every ^ bit
    if every in masks.values():
        return []
    return [_Made(CLAUSE, tuple(masks), tuple(_masks(list(masks.values())).tolist()), _NOTHING)]


def _sum(wanted: Sum, n: int, near: Sequence[int]) -> list[_Made]:
    cells, factors = wanted.cells, wanted.coefficients
    if set(factors) == {1} and (wanted.distinct or all_differ(cells, near)):
        found = value_sets(n, len(cells), wanted.total, MOST_SETS)
        if found is not None:
            return [_sets(cells, found)]
    least = sum(factor * (1 if factor > 0 else n) for factor in factors)
    most = sum(factor * (n if factor > 0 else 1) for factor in factors)
    grouped = _grouped([dict(zip(cells, factors, strict=True))], wanted.total, wanted.total, n, near)
    above, below = wanted.total - least, most - wanted.total
    if 0 <= above <= MOST_BITS or 0 <= below <= MOST_BITS:
        # Counted from the end that is nearer.
        amount, signed = (above, factors) if above <= below else (below, tuple(-factor for factor in factors))
        if amount >= 0:
            data = [1, 1 << amount, (2 << amount) - 1, 1, 0, len(cells)]
            return [_Made(SUMS, cells, signed, np.array(data, np.int64), len(cells)), *grouped]
    data = [1, wanted.total, wanted.total, 0, len(cells), *range(len(cells) + 1)]
    return [_Made(BOUNDS, cells, factors, np.array(data, np.int64), 2 * len(cells) + 2), *grouped]


def _equal_sums(wanted: EqualSums, n: int, near: Sequence[int]) -> list[_Made]:
    counted = [Counter(part) for part in wanted.parts]
    cells = tuple(cell for times in counted for cell in times)
    factors = tuple(factor for times in counted for factor in times.values())
    ends = np.cumsum([0, *map(len, counted)]).tolist()
    sizes = [sum(times.values()) for times in counted]
    # No amount above what the part with the least can have.
    most = n * min(sizes)
    grouped = _grouped(counted, max(sizes), most, n, near)
    if most <= MOST_BITS:
        amounts = (2 << most) - 1
        begins = [1 << size if size <= most else 0 for size in sizes]
        data = [len(counted), amounts, amounts, *begins, *ends]
        return [_Made(SUMS, cells, factors, np.array(data, np.int64), max(map(len, counted))), *grouped]
    data = [len(counted), min(sizes), most, *ends, *range(len(cells) + 1)]
    return [_Made(BOUNDS, cells, factors, np.array(data, np.int64), 2 * (len(cells) + len(counted))), *grouped]


@lru_cache(maxsize=256)
def _automaton_data(layers: tuple[tuple[tuple[int, int, int], ...], ...]) -> Int64s:
    """Return the states of all layers numbered through, and of each its transitions; see AUTOMATON."""
    sizes = [1 + max(move[0] for move in layer) for layer in layers]
    firsts = np.cumsum([0, *sizes]).tolist()
    moves: list[list[int]] = [[] for _ in range(firsts[-1] + 1)]
    for layer, first, following in zip(layers, firsts, firsts[1:], strict=False):
        for state, value, after in layer:
            moves[first + state] += [1 << value - 1, following + after]
    rows = np.cumsum([0, *map(len, moves)]).tolist()
    numbers = [*firsts, len(moves), *rows, *(number for row in moves for number in row)]
    return np.array([number - (1 << 64) if number >> 63 else number for number in numbers], np.int64)
