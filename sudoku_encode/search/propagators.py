"""Build a search with constraints: the primitives of a puzzle become flat arrays for compiled propagators.

Propagators that tell apart all values of an automaton's cells are deferred: they are redundant, stronger and slow, and
run only when the search does not end soon.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Sized
from functools import lru_cache
from itertools import accumulate, chain, combinations
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Count,
    CutLine,
    EachClass,
    EqualSums,
    Expandable,
    IndexedLine,
    Primitive,
    Regions,
    Relation,
    Runs,
    SameCounts,
    Sum,
    SumBetween,
    Visible,
    primitive_cells,
    value_sets,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.search.cell_relations import (
    MOST_COUNTED,
    MOST_SETS,
    all_differ,
    cliques,
    counted_value,
    derived_sums,
    differing_cells,
    groups,
    joined_sums,
    sets_in_any_order,
)
from sudoku_encode.search.state import (
    AUTOMATON,
    BOUNDS,
    CLAUSE,
    CONNECTED,
    COUNTS,
    CUT_LINE,
    DISTINCT,
    EACH_CLASS,
    INDEXED_LINE,
    MOST_BITS,
    N_KINDS,
    REGIONS,
    RELATION,
    RUNS,
    SAME_COUNTS,
    SETS,
    SUM_BETWEEN,
    SUMS,
    VISIBLE,
    WEIGHT,
    ConstrainedState,
    Propagators,
    any_state,
    masks_of,
)

# The deferred propagators start after this much work (about 20 ms).
_SOON = 2**19
# Which cells differ is not written down for more cells.
_MOST_NEAR_CELLS = 1024
# Of more classes there are too many sets.
_MOST_CLASSES = 4
# Propagators of sums: the small ones of them weigh more.
_OF_SUMS = (SETS, SUMS, BOUNDS)
# Propagators that remove nothing more when they run again at once, if no cell comes twice.
_ONCE = {RELATION, CLAUSE, INDEXED_LINE, SUMS, VISIBLE, CUT_LINE, AUTOMATON, DISTINCT}
# Fewer automata are not tried for counting values.
_LEAST_COUNTED = 3
# With more values there are too many sets of values for a word each.
_MOST_VALUES_OF_SETS = 10
# About how much longer a DISTINCT propagator takes than a relation.
_DISTINCT_COST = 100
# With more values, four bits for each do not fit in a word.
_MOST_VALUES_OF_GROUPS = 16


class _Propagator(NamedTuple):
    """A propagator, as in `Propagators`; `scratch` is the room it needs there; a cost of 0 means: by its size."""

    kind: int
    cells: tuple[int, ...]
    factors: tuple[int, ...]
    data: Int64s
    scratch: int = 0
    cost: int = 0


def constrained_state(lowered_puzzle: LoweredPuzzle) -> ConstrainedState:
    """Return a search of a puzzle with constraints; nothing is propagated yet."""
    board, near = lowered_puzzle.puzzle.geometry, differing_cells(lowered_puzzle)
    counts, others = _count_propagators(lowered_puzzle, near)
    propagators = [item for primitive in others for item in _propagators_of(primitive, board.n_values, near)]
    propagators += counts
    sums = [primitive for primitive in others if isinstance(primitive, Sum)]
    propagators += [item for derived in derived_sums(sums, board) for item in _sum(derived, board.n_values, near)]
    if board.n_values <= _MOST_VALUES_OF_GROUPS:
        plain = [(item.cells, item.total) for item in sums if _is_plain(item)]
        propagators += [_joined_sum(parts, total) for parts, total in joined_sums(plain, near, board.n_values)]
    pairs = [primitive for primitive in lowered_puzzle.primitives if isinstance(primitive, Relation)]
    propagators += [_sets_propagator(cells, sets) for cells, sets in cliques(pairs, board.n_values)]
    first = [item for item in propagators if item.kind != DISTINCT]
    late = [item for item in propagators if item.kind == DISTINCT]
    early = max((max(item.cells) + 1 for item in first if item.kind == REGIONS), default=board.n_grid)
    tables = _propagators([*first, *late], len(first), board, near, early)
    return ConstrainedState(any_state(board, masks_of(lowered_puzzle.puzzle)), tables)


def _count_propagators(lowered_puzzle: LoweredPuzzle, near: Sequence[int]) -> tuple[list[_Propagator], list[Primitive]]:
    """Return a COUNTS propagator for all cells in which values are counted, and all other primitives."""
    n = lowered_puzzle.puzzle.geometry.n_values
    sharing: defaultdict[tuple[int, ...], list[Automaton]] = defaultdict(list)
    for primitive in lowered_puzzle.primitives:
        if isinstance(primitive, Automaton) and len(set(primitive.cells)) == len(primitive.cells):
            sharing[primitive.cells].append(primitive)
    counts: defaultdict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    others: list[Primitive] = []
    for primitive in lowered_puzzle.primitives:
        count = None
        if isinstance(primitive, Count) and len(primitive.cells) <= MOST_COUNTED:
            count = primitive.value, primitive.numbers
        # Only automata of the same cells may be a few that count a value each.
        elif isinstance(primitive, Automaton) and len(sharing[primitive.cells]) >= _LEAST_COUNTED:
            count = _counted_value(_shape(primitive), n)
        if count is None:
            others.append(primitive)
        else:
            counts[primitive_cells(primitive)].append(count)
    candidates = lowered_puzzle.puzzle.candidates
    return [
        _counting_propagator(cells, numbers, np.flatnonzero(candidates[list(cells)].any(axis=0)) + 1, near)
        for cells, numbers in counts.items()
    ], others


def _counting_propagator(
    cells: Sequence[int], counts: Sequence[tuple[int, int]], values: Int64s, near: Sequence[int]
) -> _Propagator:
    """Return the propagator of the numbers of some values; `values` are those that the cells can hold."""
    any_number = (2 << len(cells)) - 1
    numbers = {1 << value - 1: any_number for value, _ in counts}
    for value, good in counts:
        numbers[1 << value - 1] &= good
    if rest := sum(1 << value - 1 for value in values.tolist()) & ~sum(numbers):
        numbers[rest] = any_number
    cell_groups = groups(cells, near)
    data = [len(cell_groups), len(numbers), *_starts(cell_groups), *chain.from_iterable(numbers.items())]
    flat = tuple(chain.from_iterable(cell_groups))
    return _Propagator(COUNTS, flat, (0,) * len(flat), _masks(data), 3 * len(numbers), 2 * len(flat))


def _starts(parts: Iterable[Sized]) -> list[int]:
    """Return where each of some parts that follow each other starts, and where the last one ends."""
    return list(accumulate(map(len, parts), initial=0))


def _propagators(
    propagators: Sequence[_Propagator], n_first: int, board: Geometry, near: Sequence[int], early: int
) -> Propagators:
    """Return the arrays of propagators, of which those from number `n_first` on are deferred."""
    n_cells = board.n_cells
    kinds = np.array([item.kind for item in propagators], np.int64)
    lengths = np.array([len(item.cells) for item in propagators], np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    cells = np.array([cell for one in propagators for cell in one.cells], np.uint32)
    users = np.unique(cells * np.int64(len(propagators)) + np.repeat(np.arange(len(propagators)), lengths))
    cell_of, number_of = np.divmod(users, max(1, len(propagators)))
    n_users = np.bincount(cell_of, minlength=n_cells)
    # Deferred propagators get weight 0, so a search that ends early behaves as if they did not exist.
    shares = np.where(np.isin(kinds, _OF_SUMS), np.maximum(2 * board.n_values - lengths, board.n_values), lengths)
    shares[n_first:] = 0
    weights = np.bincount(cell_of, shares[number_of], n_cells) + max(1, board.n_values * len(board.full_rules))
    places, data = _join_tables([one.data for one in propagators])
    return Propagators(
        kinds,
        starts,
        cells,
        np.array([factor for one in propagators for factor in one.factors], np.int64),
        places,
        data,
        np.array([one.cost or 1 + len(one.data) // 16 + len(one.cells) // 2 for one in propagators], np.int64),
        np.array([one.kind in _ONCE and len(set(one.cells)) == len(one.cells) for one in propagators], np.bool_),
        np.concatenate([[0], np.cumsum(n_users)]).astype(np.int64),
        number_of.astype(np.uint32),
        _near_words(near),
        WEIGHT * weights.astype(np.int64),
        np.zeros(board.n_values, np.int64),
        np.zeros((N_KINDS, max(1, len(propagators))), np.uint32),
        np.zeros((2, N_KINDS), np.int64),
        np.zeros(len(propagators), np.bool_),
        np.zeros(max((one.scratch for one in propagators), default=0), np.int64),
        np.array([0, 0, n_first, _SOON, 0, WEIGHT, 0, board.n_grid, early, 0], np.int64),
    )


def _near_words(near: Sequence[int]) -> Int64s:
    """Return for each cell those that differ from it, as bits of words; no rows if the board is large."""
    n_words = (len(near) + 63) // 64
    if len(near) > _MOST_NEAR_CELLS:
        return np.zeros((0, n_words), np.int64)
    every = b"".join(cells.to_bytes(8 * n_words, "little") for cells in near)
    return np.frombuffer(every, np.int64).reshape(-1, n_words).copy()


def _join_tables(tables: Sequence[Int64s]) -> tuple[Int64s, Int64s]:
    """Return where each table starts, and the tables one after the other, each object once."""
    place_of: dict[int, int] = {}
    distinct, length = [np.zeros(0, np.int64)], 0
    for table in tables:
        if id(table) not in place_of:
            place_of[id(table)] = length
            distinct.append(table)
            length += len(table)
    return np.array([place_of[id(table)] for table in tables], np.int64), np.concatenate(distinct)


def _propagators_of(primitive: Primitive, n: int, near: Sequence[int]) -> list[_Propagator]:
    if isinstance(primitive, Relation):
        return [_Propagator(RELATION, (primitive.first, primitive.second), (0, 0), _relation_data(primitive.allowed))]
    if isinstance(primitive, Clause):
        return _clause(primitive, n)
    if isinstance(primitive, Sum):
        return _sum(primitive, n, near)
    if isinstance(primitive, EqualSums):
        return _equal_sums(primitive, n, near)
    if isinstance(primitive, Automaton):
        return _automaton(primitive, n, near)
    if isinstance(primitive, Runs):
        return [_runs(primitive)]
    if isinstance(primitive, ConnectedCells):
        table = _touching(len(primitive.cells), primitive.edges)
        data = _masks([primitive.values, primitive.least, primitive.most])
        return [_layer_propagator(CONNECTED, primitive.cells, data, table)]
    if isinstance(primitive, Regions):
        table = _touching(len(primitive.cells), primitive.edges)
        data = np.array([primitive.n_regions], np.int64)
        return [_layer_propagator(REGIONS, (*primitive.labels, *primitive.cells), data, table)]
    if isinstance(primitive, Expandable):
        if (propagator := _own_propagator(primitive, n, near)) is not None:
            return [propagator]
        return [item for part in expanded([primitive], n) for item in _propagators_of(part, n, near)]
    raise TypeError(f"{primitive!r} is not lowered")


def _own_propagator(primitive: Expandable, n: int, near: Sequence[int]) -> _Propagator | None:
    """Return the propagator of a primitive as it is; None if it is too large for one, or if cells may be equal."""
    match primitive:
        case SameCounts(parts):
            groups_of_parts = [groups(part, near) for part in parts]
            every = [group for part in groups_of_parts for group in part]
            places = [3 + len(parts) + start for start in _starts(groups_of_parts)]
            data = [len(parts), len(parts[0]), *places, *_starts(every)]
            cells = tuple(chain.from_iterable(every))
            return _Propagator(SAME_COUNTS, cells, (0,) * len(cells), _masks(data), 2 * n, n * len(cells) // 8)
        case Visible(cells, least, most) if n <= MOST_BITS:
            allowed = (1 << max(-1, min(most, n)) + 1) - 1 & ~((1 << max(least, 0)) - 1)
            nothing, room = (0,) * len(cells), (len(cells) + 3) * (n + 1)
            return _Propagator(VISIBLE, cells, nothing, _masks([allowed, all_differ(cells, near)]), room, room // 4)
        case CutLine(cells, total, is_loop) if total < MOST_BITS:
            data, size = [total, total if is_loop else 1], len(cells)
            return _Propagator(CUT_LINE, cells, (0,) * size, _masks(data), 2 * size, 1 + data[1] * size * n // 8)
        case EachClass(cells, classes):
            return _Propagator(EACH_CLASS, cells, (0,) * len(cells), _class_data(classes))
        case IndexedLine(cells, place):
            return _Propagator(INDEXED_LINE, cells, (0,) * len(cells), np.array([place - 1], np.int64))
        case SumBetween(cells) if len(cells) > 1 and n <= MOST_BITS and all_differ(cells, near):
            table = _between_data(
                SumBetween(tuple(range(len(cells))), primitive.ends, primitive.least, primitive.most), n
            )
            return (
                None
                if table is None
                else _Propagator(SUM_BETWEEN, cells, (0,) * len(cells), table, 2 * len(cells), len(table) // 2)
            )
    return None


@lru_cache(maxsize=64)
def _class_data(classes: tuple[int, ...]) -> Int64s:
    """Return the data of an EACH_CLASS propagator: every set of classes; of many, each alone and all together."""
    sizes = range(1, len(classes) + 1) if len(classes) <= _MOST_CLASSES else (1, len(classes))
    sets = [number for size in sizes for chosen in combinations(classes, size) for number in (sum(chosen), size)]
    return _masks([len(sets) // 2, *sets])


@lru_cache(maxsize=256)
def _between_data(shape: SumBetween, n: int) -> Int64s | None:
    """Return the data of a SUM_BETWEEN propagator; None if there are too many sets of values."""
    size = len(shape.cells)
    if shape.ends is None:
        ends = [(low, high) for low in range(1, n + 1) for high in range(low + size - 1, n + 1)]
        pairs = [(low, high, (1 << high - 1) - (1 << low)) for low, high in ends]
    else:
        low, high = shape.ends
        pairs = [(low, high, (1 << n) - 1 & ~(1 << low - 1 | 1 << high - 1))]
    sets: list[list[int]] = []
    for inside in range(size - 1):
        sets.append([])
        for amount in range(max(shape.least, 0), min(shape.most, n * inside) + 1):
            more = value_sets(n, inside, amount, MOST_SETS)
            if more is None:
                return None
            sets[-1] += [values for values in more if any(values & ~others == 0 for _, _, others in pairs)]
        if len(sets[-1]) > MOST_SETS:
            return None
    both_ways = [
        number
        for low, high, others in pairs
        for first, last in ((low, high), (high, low))
        for number in (1 << first - 1, 1 << last - 1, others)
    ]
    places = [2 + len(both_ways) + size + start for start in _starts(sets)]
    return _masks([len(both_ways) // 3, size - 1, *both_ways, *places, *chain.from_iterable(sets)])


def _sets_propagator(cells: tuple[int, ...], sets: tuple[int, ...]) -> _Propagator:
    return _Propagator(SETS, cells, (0,) * len(cells), _sets_data(sets))


def _automaton(automaton: Automaton, n: int, near: Sequence[int]) -> list[_Propagator]:
    cells, differ = automaton.cells, all_differ(automaton.cells, near)
    shape = _shape(automaton)
    if differ and (sets := _sets_in_any_order(shape, n)):
        return [_sets_propagator(cells, sets)]
    data, nothing = _automaton_data(shape), (0,) * len(cells)
    propagators = [_Propagator(AUTOMATON, cells, nothing, data, int(data[len(cells) + 1]))]
    # The states of a layer are the bits of a word.
    fits = n <= _MOST_VALUES_OF_SETS and max(data[1 : len(cells) + 1] - data[: len(cells)]) <= MOST_BITS
    if differ and fits:
        room = (2 << n) + len(cells) + 2
        propagators.append(_Propagator(DISTINCT, cells, nothing, data, room, _DISTINCT_COST))
    if automaton.implied is not None:
        factors, low, high = automaton.implied
        propagators += _group_bounds([dict(zip(cells, factors, strict=True))], low, high, n, near)
    return propagators


def _group_bounds(
    parts: Sequence[dict[int, int]], low: int, high: int, n: int, near: Sequence[int]
) -> list[_Propagator]:
    """Return a BOUNDS propagator over parts in groups of cells that differ, if there is any such group."""
    if n > _MOST_VALUES_OF_GROUPS:
        return []
    factor_groups: list[tuple[int, list[int]]] = []
    ends = [0]
    for part in parts:
        cells_of: defaultdict[int, list[int]] = defaultdict(list)
        for cell, factor in part.items():
            cells_of[factor].append(cell)
        factor_groups += [(factor, group) for factor, cells in cells_of.items() for group in groups(cells, near)]
        ends.append(len(factor_groups))
    cells = tuple(cell for _, group in factor_groups for cell in group)
    if len(cells) == len(factor_groups):
        return []
    factors = tuple(factor for factor, group in factor_groups for _ in group)
    begins = _starts(group for _, group in factor_groups)
    data = np.array([len(parts), low, high, *ends, *begins], np.int64)
    return [_Propagator(BOUNDS, cells, factors, data, 2 * (len(factor_groups) + len(parts)), 2 * len(cells))]


def _is_plain(primitive: Sum) -> bool:
    """Return whether each cell of a sum counts once."""
    return set(primitive.coefficients) == {1} and len(set(primitive.cells)) == len(primitive.cells)


def _joined_sum(parts: Sequence[Sequence[int]], total: int) -> _Propagator:
    """Return the BOUNDS propagator of a sum of groups of cells that differ."""
    cells = tuple(chain.from_iterable(parts))
    data = np.array([1, total, total, 0, len(parts), *_starts(parts)], np.int64)
    return _Propagator(BOUNDS, cells, (1,) * len(cells), data, 2 * len(parts) + 2, 2 * len(cells))


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


def _clause(clause: Clause, n: int) -> list[_Propagator]:
    """Return the propagator of a clause, as a set of values for each cell; no propagator if the clause always holds."""
    every = (1 << n) - 1
    masks: defaultdict[int, int] = defaultdict(int)
    for cell, value in clause.literals:
        bit = 1 << abs(value) - 1
        masks[cell] |= bit if value > 0 else every ^ bit
    if every in masks.values():
        return []
    return [_Propagator(CLAUSE, tuple(masks), tuple(_masks(list(masks.values())).tolist()), _NOTHING)]


def _sum(primitive: Sum, n: int, near: Sequence[int]) -> list[_Propagator]:
    cells, factors = primitive.cells, primitive.coefficients
    if set(factors) == {1} and (primitive.distinct or all_differ(cells, near)):
        sets = value_sets(n, len(cells), primitive.total, MOST_SETS)
        if sets is not None:
            return [_sets_propagator(cells, sets)]
    least = sum(factor * (1 if factor > 0 else n) for factor in factors)
    most = sum(factor * (n if factor > 0 else 1) for factor in factors)
    grouped = _group_bounds([dict(zip(cells, factors, strict=True))], primitive.total, primitive.total, n, near)
    above, below = primitive.total - least, most - primitive.total
    if 0 <= above <= MOST_BITS or 0 <= below <= MOST_BITS:
        # Amounts are counted from the nearer end.
        amount, signed = (above, factors) if above <= below else (below, tuple(-factor for factor in factors))
        if amount >= 0:
            data = [1, 1 << amount, (2 << amount) - 1, 1, 0, len(cells)]
            return [_Propagator(SUMS, cells, signed, np.array(data, np.int64), len(cells)), *grouped]
    data = [1, primitive.total, primitive.total, 0, len(cells), *range(len(cells) + 1)]
    return [_Propagator(BOUNDS, cells, factors, np.array(data, np.int64), 2 * len(cells) + 2), *grouped]


def _equal_sums(primitive: EqualSums, n: int, near: Sequence[int]) -> list[_Propagator]:
    counted = [Counter(part) for part in primitive.parts]
    cells = tuple(cell for times in counted for cell in times)
    factors = tuple(factor for times in counted for factor in times.values())
    ends = _starts(counted)
    sizes = [sum(times.values()) for times in counted]
    # No amount is above the greatest one of the smallest part.
    most = n * min(sizes)
    grouped = _group_bounds(counted, max(sizes), most, n, near)
    if most <= MOST_BITS:
        amounts = (2 << most) - 1
        begins = [1 << size if size <= most else 0 for size in sizes]
        data = [len(counted), amounts, amounts, *begins, *ends]
        return [_Propagator(SUMS, cells, factors, np.array(data, np.int64), max(map(len, counted))), *grouped]
    data = [len(counted), min(sizes), most, *ends, *range(len(cells) + 1)]
    return [_Propagator(BOUNDS, cells, factors, np.array(data, np.int64), 2 * (len(cells) + len(counted))), *grouped]


def _runs(primitive: Runs) -> _Propagator:
    cells = (primitive.control, primitive.first, *chain.from_iterable(primitive.arms))
    starts = np.cumsum([2, *map(len, primitive.arms)]).tolist()
    data = np.array([primitive.offset, len(primitive.arms), *starts], np.int64)
    return _Propagator(RUNS, cells, (0,) * len(cells), data, 2 * len(primitive.arms) + len(cells), 4 * len(cells))


def _touching(size: int, edges: Sequence[tuple[int, int]]) -> Int64s:
    """Return the number of cells, the width of the table after it, and for each cell those that touch it, then -1."""
    rows: list[list[int]] = [[] for _ in range(size)]
    for first, second in edges:
        rows[first].append(second)
        rows[second].append(first)
    width = 1 + max(map(len, rows))
    table = [number for row in rows for number in [*row, *[-1] * (width - len(row))]]
    return np.array([size, width, *table], np.int64)


def _layer_propagator(kind: int, cells: tuple[int, ...], data: Int64s, table: Int64s) -> _Propagator:
    """Return a propagator of cells that touch; it takes about as long as a relation of each of them."""
    return _Propagator(kind, cells, (0,) * len(cells), np.concatenate([data, table]), 2 * int(table[0]), 4 * len(cells))


def _shape(automaton: Automaton) -> Automaton:
    """Return an automaton without its cells, for caches: those of one template have the same layers."""
    return Automaton((), automaton.layers)


_counted_value = lru_cache(maxsize=256)(counted_value)


@lru_cache(maxsize=256)
def _sets_in_any_order(shape: Automaton, n: int) -> tuple[int, ...]:
    return sets_in_any_order(shape.layers, n)


@lru_cache(maxsize=256)
def _automaton_data(shape: Automaton) -> Int64s:
    """Return the data of an AUTOMATON propagator: the states of all layers numbered through, with their transitions."""
    layers = shape.layers
    sizes = [1 + max(move[0] for move in layer) for layer in layers]
    firsts = np.cumsum([0, *sizes]).tolist()
    moves: list[list[int]] = [[] for _ in range(firsts[-1] + 1)]
    for layer, first, following in zip(layers, firsts, firsts[1:], strict=False):
        for state, value, after in layer:
            moves[first + state] += [1 << value - 1, following + after]
    rows = np.cumsum([0, *map(len, moves)]).tolist()
    numbers = [*firsts, len(moves), *rows, *(number for row in moves for number in row)]
    return np.array([number - (1 << 64) if number >> 63 else number for number in numbers], np.int64)
