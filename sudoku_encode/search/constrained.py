"""A search with constraints from a puzzle: its primitives become flat arrays for compiled propagators."""

from collections import defaultdict
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
    MOST_BITS,
    N_KINDS,
    RELATION,
    SETS,
    SUMS,
    ConstrainedState,
    Propagators,
)
from sudoku_encode.search.state import any_state, masks_of

# Of more sets of values a sum of cells that differ is propagated as another sum.
_MOST_SETS = 200


class _Made(NamedTuple):
    """A propagator, as in `Propagators`; `scratch` is how much room it needs there."""

    kind: int
    cells: tuple[int, ...]
    factors: tuple[int, ...]
    data: Int64s
    scratch: int = 0


def constrained_state(found: Lowered) -> ConstrainedState:
    """Return a search of a puzzle with constraints; nothing is propagated yet."""
    board = found.puzzle.geometry
    made = [one for primitive in found.primitives for one in _made(primitive, board.n_values)]
    return ConstrainedState(any_state(board, masks_of(found.puzzle)), _propagators(made, board.n_cells))


def _propagators(made: Sequence[_Made], n_cells: int) -> Propagators:
    sizes = [len(one.cells) for one in made]
    starts = np.cumsum([0, *sizes], dtype=np.int64)
    cells = np.array([cell for one in made for cell in one.cells], np.uint32)
    users = np.unique(cells * np.int64(len(made)) + np.repeat(np.arange(len(made)), sizes))
    n_users = np.bincount(users // max(1, len(made)), minlength=n_cells)
    places, data = _joined([one.data for one in made])
    return Propagators(
        np.array([one.kind for one in made], np.int64),
        starts,
        cells,
        np.array([factor for one in made for factor in one.factors], np.int64),
        places,
        data,
        np.array([1 + len(one.data) // 16 + len(one.cells) // 2 for one in made], np.int64),
        np.array([one.kind not in (SETS, BOUNDS) and len(set(one.cells)) == len(one.cells) for one in made], np.bool_),
        np.concatenate([[0], np.cumsum(n_users)]).astype(np.int64),
        (users % max(1, len(made))).astype(np.uint32),
        (1 + n_users).astype(np.int64),
        np.zeros((N_KINDS, max(1, len(made))), np.uint32),
        np.zeros((2, N_KINDS), np.int64),
        np.zeros(len(made), np.bool_),
        np.zeros(max((one.scratch for one in made), default=0), np.int64),
        np.zeros(1, np.int64),
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


def _made(primitive: Primitive, n: int) -> list[_Made]:
    if isinstance(primitive, Relation):
        return [_Made(RELATION, (primitive.first, primitive.second), (0, 0), _relation_data(primitive.allowed))]
    if isinstance(primitive, Clause):
        return _clause(primitive, n)
    if isinstance(primitive, Sum):
        return [_sum(primitive, n)]
    if isinstance(primitive, EqualSums):
        return [_equal_sums(primitive, n)]
    if isinstance(primitive, Automaton):
        table = _automaton_data(primitive.layers)
        n_states = int(table[len(primitive.cells) + 1])
        return [_Made(AUTOMATON, primitive.cells, (0,) * len(primitive.cells), table, n_states)]
    raise TypeError(f"{primitive!r} is not lowered")


def _masks(masks: Sequence[int]) -> Int64s:
    """Return sets of up to 64 values as signed words."""
    return np.array(masks, np.uint64).view(np.int64)


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


def _sum(wanted: Sum, n: int) -> _Made:
    cells, factors = wanted.cells, wanted.coefficients
    if wanted.distinct and set(factors) == {1}:
        sets = _sets_data(n, len(cells), wanted.total)
        if len(sets) <= 1 + _MOST_SETS:
            return _Made(SETS, cells, (0,) * len(cells), sets)
    least = sum(factor * (1 if factor > 0 else n) for factor in factors)
    most = sum(factor * (n if factor > 0 else 1) for factor in factors)
    above, below = wanted.total - least, most - wanted.total
    if 0 <= above <= MOST_BITS or 0 <= below <= MOST_BITS:
        # Counted from the end that is nearer.
        amount, signed = (above, factors) if above <= below else (below, tuple(-factor for factor in factors))
        if amount >= 0:
            data = [1, 1 << amount, (2 << amount) - 1, 1, 0, len(cells)]
            return _Made(SUMS, cells, signed, np.array(data, np.int64), len(cells))
    return _Made(BOUNDS, cells, factors, np.array([1, wanted.total, wanted.total, 0, len(cells)], np.int64), 2)


def _equal_sums(wanted: EqualSums, n: int) -> _Made:
    counted: list[dict[int, int]] = []
    for part in wanted.parts:
        times: dict[int, int] = {}
        for cell in part:
            times[cell] = times.get(cell, 0) + 1
        counted.append(times)
    cells = tuple(cell for times in counted for cell in times)
    factors = tuple(factor for times in counted for factor in times.values())
    ends = np.cumsum([0, *map(len, counted)]).tolist()
    sizes = [sum(times.values()) for times in counted]
    # No amount above what the part with the least can have.
    most = n * min(sizes)
    if most <= MOST_BITS:
        amounts = (2 << most) - 1
        begins = [1 << size if size <= most else 0 for size in sizes]
        data = [len(counted), amounts, amounts, *begins, *ends]
        return _Made(SUMS, cells, factors, np.array(data, np.int64), max(map(len, counted)))
    data = [len(counted), min(sizes), most, *ends]
    return _Made(BOUNDS, cells, factors, np.array(data, np.int64), 2 * len(counted))


@lru_cache(maxsize=1024)
def _sets_data(n: int, size: int, amount: int) -> Int64s:
    found = value_sets(n, size, amount)
    return _masks([len(found), *found])


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
