"""The propagators of each primitive, with their numbers for the compiled search; see the kinds in `state`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Sized
from functools import lru_cache
from itertools import accumulate, chain, combinations
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    CutLine,
    EachClass,
    EqualSums,
    EqualWhere,
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
from sudoku_encode.search.cell_relations import (
    MOST_SETS,
    all_differ,
    counted_value,
    groups,
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
    EQUAL_WHERE,
    INDEXED_LINE,
    MOST_BITS,
    REGIONS,
    RELATION,
    RUNS,
    SAME_COUNTS,
    SETS,
    SUM_BETWEEN,
    SUMS,
    VISIBLE,
)

# Of more classes there are too many sets.
_MOST_CLASSES = 4
# With more values there are too many sets of values for a word each.
_MOST_VALUES_OF_SETS = 10
# About how much longer a DISTINCT propagator takes than a relation.
_DISTINCT_COST = 100
# With more values, four bits for each do not fit in a word.
MOST_VALUES_OF_GROUPS = 16


class Propagator(NamedTuple):
    """A propagator, as in `Propagators`; `scratch` is the room it needs there; a cost of 0 means: by its size."""

    kind: int
    cells: tuple[int, ...]
    factors: tuple[int, ...]
    data: Int64s
    scratch: int = 0
    cost: int = 0


def counting_propagator(
    cells: Sequence[int], counts: Sequence[tuple[int, int]], values: Int64s, near: Sequence[int]
) -> Propagator:
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
    return Propagator(COUNTS, flat, (0,) * len(flat), _masks(data), 3 * len(numbers), 2 * len(flat))


def _starts(parts: Iterable[Sized]) -> list[int]:
    """Return where each of some parts that follow each other starts, and where the last one ends."""
    return list(accumulate(map(len, parts), initial=0))


# Their propagators are the same whichever of the cells differ.
_FOR_ANY_CELLS = (Relation, Clause, EachClass, IndexedLine, EqualWhere, Runs, ConnectedCells, Regions)


def depends_on_cells(primitive: Primitive, n: int) -> bool:
    """Return whether the propagators of a primitive depend on which of its cells differ."""
    if isinstance(primitive, Sum):
        has_sets = primitive.distinct and set(primitive.coefficients) == {1}
        return not has_sets or value_sets(n, len(primitive.cells), primitive.total, MOST_SETS) is None
    return not isinstance(primitive, _FOR_ANY_CELLS)


def propagators_of(primitive: Primitive, n: int, near: Sequence[int]) -> list[Propagator]:
    """Return the propagators of a primitive; `near` are the sets of cells that differ from each cell."""
    if isinstance(primitive, Relation):
        return [Propagator(RELATION, (primitive.first, primitive.second), (0, 0), _relation_data(primitive.allowed))]
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
        return [item for part in expanded([primitive], n) for item in propagators_of(part, n, near)]
    raise TypeError(f"{primitive!r} is not lowered")


def _own_propagator(primitive: Expandable, n: int, near: Sequence[int]) -> Propagator | None:
    """Return the propagator of a primitive as it is; None if it is too large for one, or if cells may be equal."""
    match primitive:
        case SameCounts(parts):
            groups_of_parts = [groups(part, near) for part in parts]
            every = [group for part in groups_of_parts for group in part]
            places = [3 + len(parts) + start for start in _starts(groups_of_parts)]
            data = [len(parts), len(parts[0]), *places, *_starts(every)]
            cells = tuple(chain.from_iterable(every))
            return Propagator(SAME_COUNTS, cells, (0,) * len(cells), _masks(data), 2 * n, n * len(cells) // 8)
        case Visible(cells, least, most) if n <= MOST_BITS:
            allowed = (1 << max(-1, min(most, n)) + 1) - 1 & ~((1 << max(least, 0)) - 1)
            nothing, room = (0,) * len(cells), (len(cells) + 3) * (n + 1)
            return Propagator(VISIBLE, cells, nothing, _masks([allowed, all_differ(cells, near)]), room, room // 4)
        case CutLine(cells, total, is_loop) if total < MOST_BITS:
            data, size = [total, total if is_loop else 1], len(cells)
            return Propagator(CUT_LINE, cells, (0,) * size, _masks(data), 2 * size, 1 + data[1] * size * n // 8)
        case EachClass(cells, classes):
            return Propagator(EACH_CLASS, cells, (0,) * len(cells), _class_data(classes))
        case IndexedLine(cells, place):
            return Propagator(INDEXED_LINE, cells, (0,) * len(cells), np.array([place - 1], np.int64))
        case EqualWhere(_, pairs, value):
            return Propagator(
                EQUAL_WHERE, primitive_cells(primitive), (0,) * (1 + 2 * len(pairs)), _masks([1 << value - 1])
            )
        case SumBetween(cells) if len(cells) > 1 and n <= MOST_BITS and all_differ(cells, near):
            table = _between_data(
                SumBetween(tuple(range(len(cells))), primitive.ends, primitive.least, primitive.most), n
            )
            return (
                None
                if table is None
                else Propagator(SUM_BETWEEN, cells, (0,) * len(cells), table, 2 * len(cells), len(table) // 2)
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


def sets_propagator(cells: tuple[int, ...], sets: tuple[int, ...]) -> Propagator:
    """Return the propagator of cells that differ and hold one of several sets of values."""
    return Propagator(SETS, cells, (0,) * len(cells), _sets_data(sets))


def _automaton(automaton: Automaton, n: int, near: Sequence[int]) -> list[Propagator]:
    cells, differ = automaton.cells, all_differ(automaton.cells, near)
    shape = _shape(automaton)
    if differ and (sets := _sets_in_any_order(shape, n)):
        return [sets_propagator(cells, sets)]
    data, nothing = _automaton_data(shape), (0,) * len(cells)
    propagators = [Propagator(AUTOMATON, cells, nothing, data, int(data[len(cells) + 1]))]
    # The states of a layer are the bits of a word.
    fits = n <= _MOST_VALUES_OF_SETS and max(data[1 : len(cells) + 1] - data[: len(cells)]) <= MOST_BITS
    if differ and fits:
        room = (2 << n) + len(cells) + 2
        propagators.append(Propagator(DISTINCT, cells, nothing, data, room, _DISTINCT_COST))
    if automaton.implied is not None:
        factors, low, high = automaton.implied
        propagators += _group_bounds([dict(zip(cells, factors, strict=True))], low, high, n, near)
    return propagators


def _group_bounds(
    parts: Sequence[dict[int, int]], low: int, high: int, n: int, near: Sequence[int]
) -> list[Propagator]:
    """Return a BOUNDS propagator over parts in groups of cells that differ, if there is any such group."""
    if n > MOST_VALUES_OF_GROUPS:
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
    return [Propagator(BOUNDS, cells, factors, data, 2 * (len(factor_groups) + len(parts)), 2 * len(cells))]


def joined_sum(parts: Sequence[Sequence[int]], total: int) -> Propagator:
    """Return the BOUNDS propagator of a sum of groups of cells that differ."""
    cells = tuple(chain.from_iterable(parts))
    data = np.array([1, total, total, 0, len(parts), *_starts(parts)], np.int64)
    return Propagator(BOUNDS, cells, (1,) * len(cells), data, 2 * len(parts) + 2, 2 * len(cells))


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


def _clause(clause: Clause, n: int) -> list[Propagator]:
    """Return the propagator of a clause, as a set of values for each cell; no propagator if the clause always holds."""
    every = (1 << n) - 1
    masks: defaultdict[int, int] = defaultdict(int)
    for cell, value in clause.literals:
        bit = 1 << abs(value) - 1
        masks[cell] |= bit if value > 0 else every ^ bit
    if every in masks.values():
        return []
    return [Propagator(CLAUSE, tuple(masks), tuple(_masks(list(masks.values())).tolist()), _NOTHING)]


def _sum(primitive: Sum, n: int, near: Sequence[int]) -> list[Propagator]:
    cells, factors = primitive.cells, primitive.coefficients
    if set(factors) == {1} and (primitive.distinct or all_differ(cells, near)):
        sets = value_sets(n, len(cells), primitive.total, MOST_SETS)
        if sets is not None:
            return [sets_propagator(cells, sets)]
    least = sum(factor * (1 if factor > 0 else n) for factor in factors)
    most = sum(factor * (n if factor > 0 else 1) for factor in factors)
    grouped = _group_bounds([dict(zip(cells, factors, strict=True))], primitive.total, primitive.total, n, near)
    above, below = primitive.total - least, most - primitive.total
    if 0 <= above <= MOST_BITS or 0 <= below <= MOST_BITS:
        # Amounts are counted from the nearer end.
        amount, signed = (above, factors) if above <= below else (below, tuple(-factor for factor in factors))
        if amount >= 0:
            data = [1, 1 << amount, (2 << amount) - 1, 1, 0, len(cells)]
            return [Propagator(SUMS, cells, signed, np.array(data, np.int64), len(cells)), *grouped]
    data = [1, primitive.total, primitive.total, 0, len(cells), *range(len(cells) + 1)]
    return [Propagator(BOUNDS, cells, factors, np.array(data, np.int64), 2 * len(cells) + 2), *grouped]


def _equal_sums(primitive: EqualSums, n: int, near: Sequence[int]) -> list[Propagator]:
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
        return [Propagator(SUMS, cells, factors, np.array(data, np.int64), max(map(len, counted))), *grouped]
    data = [len(counted), min(sizes), most, *ends, *range(len(cells) + 1)]
    return [Propagator(BOUNDS, cells, factors, np.array(data, np.int64), 2 * (len(cells) + len(counted))), *grouped]


def _runs(primitive: Runs) -> Propagator:
    cells = (primitive.control, primitive.first, *chain.from_iterable(primitive.arms))
    starts = np.cumsum([2, *map(len, primitive.arms)]).tolist()
    data = np.array([primitive.offset, len(primitive.arms), *starts], np.int64)
    return Propagator(RUNS, cells, (0,) * len(cells), data, 2 * len(primitive.arms) + len(cells), 4 * len(cells))


def _touching(size: int, edges: Sequence[tuple[int, int]]) -> Int64s:
    """Return the number of cells, the width of the table after it, and for each cell those that touch it, then -1."""
    rows: list[list[int]] = [[] for _ in range(size)]
    for first, second in edges:
        rows[first].append(second)
        rows[second].append(first)
    width = 1 + max(map(len, rows))
    table = [number for row in rows for number in [*row, *[-1] * (width - len(row))]]
    return np.array([size, width, *table], np.int64)


def _layer_propagator(kind: int, cells: tuple[int, ...], data: Int64s, table: Int64s) -> Propagator:
    """Return a propagator of cells that touch; it takes about as long as a relation of each of them."""
    return Propagator(kind, cells, (0,) * len(cells), np.concatenate([data, table]), 2 * int(table[0]), 4 * len(cells))


def _shape(automaton: Automaton) -> Automaton:
    """Return an automaton without its cells, for caches: those of one template have the same layers."""
    return Automaton((), automaton.layers)


def counted_value_of(automaton: Automaton, n: int) -> tuple[int, int] | None:
    """Return the value that an automaton counts, and the accepted numbers as bits; None for any other automaton."""
    return _counted_value(_shape(automaton), n)


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
