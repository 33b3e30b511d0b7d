"""Choose the order of the cells of a recount, and the symmetries that it uses.

Nothing of this is trusted: a checker tests that the order has each cell once, and that the symmetries hold.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import inf
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import OUT_OF_MEMORY, StopReason
from sudoku_encode.proving.recount import Arrangement, CountError, Rules, automaton, cells_of, units_of
from sudoku_encode.proving.recounting import TooManyStatesError, layers, links_of
from sudoku_encode.puzzles.arrays import Bools, Intps
from sudoku_encode.puzzles.geometry import Geometry

# Orders are tried with at most this number of states; those that pass the most cells are tried with more.
_FIRST_STATES, _MORE_STATES = 2_000, 8
# The states of automata that may be made before an order is tried, if there is a better one.
_MOST_AUTOMATA = 100_000
# How many ways to fill cells are looked at to choose the next cell of a puzzle with constraints.
_SAMPLE = 128
# Symmetries, which take time to find, are tried only where a count has more states than this.
WITHOUT_SYMMETRIES = 20_000
# To fill a state takes as long as to try this number of images of one.
_IMAGES_PER_STATE = 400


class Plan(NamedTuple):
    """How to recount a puzzle."""

    order: list[int]  # all cells
    symmetries: dict[int, list[list[int]]]  # by the number of filled cells: images of the open cells, in their order


class _Way(NamedTuple):
    """An order of the cells of a part."""

    cells: list[int]
    moves: dict[int, list[Intps]]  # symmetries by the number of filled cells of the part: the image of each cell


@dataclass(frozen=True, eq=False)
class _Task:
    """A part of a puzzle to be counted."""

    rules: Rules
    before: list[int]  # the cells that are filled before
    candidates: Bools  # (cells, n_values): those of the open cells, also those of other parts
    tick: Callable[[], None]


def plan(
    board: Geometry, rules: Rules, candidates: Bools, tick: Callable[[], None], max_states: int | None = None
) -> Plan:
    """Return the plan with the least work of those that were tried.

    First come the cells that singles fill, which leave one state; then one part after the other.

    Raises:
        TooManyStatesError: each that was tried passes more than about `max_states` states without symmetries.
    """
    near = _neighbours(rules.n_cells, rules.units)
    linked = _neighbours(rules.n_cells, [list(cells_of(*one)) for one in rules.constraints])
    guide = list[int]()
    if rules.constraints:
        order, candidates, guide = _guided(rules, near | linked, tick)
    else:
        order, candidates = _forced(rules, near, candidates)
    moves: dict[int, list[Intps]] = {}
    for part in _parts(near, linked, candidates):
        task = _Task(rules, order, candidates, tick)
        most = WITHOUT_SYMMETRIES if max_states is None else max_states
        best, is_short = _first_ways(task, guide, _orders(board, near | linked, part), most)
        if not is_short and max_states is not None:
            raise TooManyStatesError(StopReason(f"more than {max_states:,} states", OUT_OF_MEMORY.status))
        if not is_short:
            swaps = _line_swaps(np.array(board.coordinates), near)
            is_read: Bools = np.asarray(linked.any(axis=1))
            with_moves = [_Way(way.cells, _moves(swaps, near, candidates, is_read, way.cells)) for way in best]
            best, _ = _race(task, [*best, *(way for way in with_moves if way.moves)])
        moves.update({len(order) + filled: images for filled, images in best[0].moves.items()})
        order = order + best[0].cells
        candidates[part] = False
    return _completed(order, moves)


def _first_ways(task: _Task, guide: Sequence[int], orders: Iterator[list[int]], most: int) -> tuple[list[_Way], bool]:
    """Return the best ways to count a part without symmetries, and whether the first passes at most so many states."""
    ways = [_Way(cells, {}) for cells in orders]
    if guide:
        ways.insert(0, _Way([cell for cell in guide if cell in ways[0].cells], {}))
        sizes = [_automata_size(task.rules, way.cells) for way in ways]
        # Automata that read their cells in a bad order would take longer to make than all else.
        ways = [way for way, own in zip(ways, sizes, strict=True) if own <= max(_MOST_AUTOMATA, min(sizes))]
        if _run(task, ways[0], _FIRST_STATES)[0]:
            return ways[:1], True
    return _race(task, ways, most)


def _automata_size(rules: Rules, order: Sequence[int]) -> int:
    """Return about how many states the automata of sequences have that read cells in an order."""
    size = 0
    for cells, width in [(numbers[1 : numbers[0] + 1], max(numbers[numbers[0] + 2 :: 4], default=0) + 1)
                         for word, numbers in rules.constraints if word == "sequence"]:  # fmt: skip
        is_read = [False] * len(cells)
        for cell in order:
            if cell in cells:
                is_read = [own or cell == other for own, other in zip(is_read, cells, strict=True)]
                # An automaton knows what each stretch of cells that are read makes of each of its states.
                stretches = sum(own and not before for own, before in zip(is_read, [False, *is_read], strict=False))
                size += width**stretches
    return size


def _completed(order: list[int], moves: Mapping[int, Sequence[Intps]]) -> Plan:
    return Plan(order, {filled: [move[order[filled:]].tolist() for move in moves[filled]] for filled in moves})


def _neighbours(n_cells: int, units: Sequence[Sequence[int]]) -> Bools:
    """Return which different cells share a unit, bool (cells, cells)."""
    near = np.zeros((n_cells, n_cells), bool)
    for unit in units:
        near[np.ix_(unit, unit)] = True
    np.fill_diagonal(near, False)
    return near


def _forced(rules: Rules, near: Bools, candidates: Bools) -> tuple[list[int], Bools]:
    """Return the cells that naked and hidden singles fill, one after the other, and the candidates of the others."""
    candidates, order = candidates.copy(), list[int]()
    is_open = np.ones(rules.n_cells, bool)
    full = np.array([unit for unit in rules.units if len(unit) == rules.n_values], np.intp).reshape(-1, rules.n_values)
    while True:
        hidden = candidates[full] & (candidates[full].sum(axis=1) == 1)[:, None]
        unit, place, value = np.nonzero(hidden)
        candidates[full[unit, place]] = False
        candidates[full[unit, place], value] = True
        single = np.flatnonzero(is_open & (candidates.sum(axis=1) <= 1))
        if not len(single):
            return order, candidates & is_open[:, None]
        for cell in single.tolist():
            is_open[cell] = False
            order.append(cell)
            candidates[near[cell]] &= ~candidates[cell]


def _in_own_orders(rules: Rules) -> Arrangement:
    """Return a puzzle with its cells as they are numbered, whose automata read cells in the orders of their lines."""
    bit = {cell: 1 << cell for cell in range(rules.n_cells)}
    units, near = units_of(rules, bit)
    automata = [automaton(*one, cells_of(*one), rules) for one in rules.constraints]
    return Arrangement(bit, units, near, automata, [], ())


def _guided(rules: Rules, near: Bools, tick: Callable[[], None]) -> tuple[list[int], Bools, list[int]]:
    """Return the cells of a puzzle with constraints that have one value, the values of the others, and their order."""
    # The next cell is the one with the fewest values, on the average of ways in which the cells before can be filled.
    from sudoku_encode.proving.recount_narrowing_kernel import branch

    links, n = links_of(_in_own_orders(rules)), rules.n_values
    every = np.uint64(2**n - 1)
    start = np.full((1, rules.n_cells), every)
    for cell, values in rules.allowed.items():
        start[0, cell] = sum(1 << value - 1 for value in values)
    states = branch(links, start, -1, n)
    root = states[0] if len(states) else np.zeros(rules.n_cells, np.uint64)
    candidates: Bools = (root[:, None] >> np.arange(n, dtype=np.uint64) & np.uint64(1)).astype(bool)
    is_open: Bools = np.asarray(candidates.sum(axis=1) > 1)
    forced, order, is_filled = np.flatnonzero(~is_open).tolist(), list[int](), ~is_open
    while not is_filled.all():
        tick()
        # How many ways there are after each cell; of equal ones that with the most filled neighbours.
        sizes = np.bitwise_count(states).sum(axis=0, dtype=np.int64) * rules.n_cells - (near & is_filled).sum(axis=1)
        cell = int(np.argmin(np.where(is_filled, np.iinfo(np.int64).max, sizes)))
        is_filled[cell] = True
        order.append(cell)
        states = branch(links, states, cell, n)
        states = states[:: -(-len(states) // _SAMPLE) or 1]
    return forced, np.asarray(candidates & is_open[:, None]), order


def _parts(near: Bools, linked: Bools, candidates: Bools) -> Iterator[Intps]:
    """Yield the open cells in parts that share no constraint, and no candidate of a value within a unit."""
    waiting = candidates.any(axis=1)
    while waiting.any():
        part = np.zeros(len(near), bool)
        new = np.flatnonzero(waiting)[:1]
        while len(new):
            part[new] = True
            values = candidates[part].any(axis=0)
            reached = (near[part].any(axis=0) & (candidates & values).any(axis=1)) | linked[part].any(axis=0)
            new = np.flatnonzero(reached & waiting & ~part)
        waiting &= ~part
        yield np.flatnonzero(part)


def _orders(board: Geometry, near: Bools, part: Intps) -> Iterator[list[int]]:
    """Yield orders: by coordinates, by boxes, and from cell to the cell with the most filled neighbours."""
    coordinates = np.array(board.coordinates)[part].T
    keys = [coordinates[list(axes)] for axes in permutations(range(len(coordinates)))]
    if board.box is not None and len(coordinates) == 2:
        blocks = coordinates // np.array(board.box)[:, None]
        keys += [np.stack([blocks[one], blocks[1 - one], *coordinates]) for one in (0, 1)]
    for key in keys:
        order = part[np.lexsort(key[::-1])].tolist()
        yield order
        yield order[::-1]
    yield _nearest_first(near, part)


def _nearest_first(near: Bools, part: Intps) -> list[int]:
    """Return an order in which the next cell has the most filled cells nearby, and then the fewest open ones."""
    inside = near[np.ix_(part, part)].astype(np.int64)
    filled, order = np.zeros(len(part), bool), list[int]()
    for _ in part:
        scores = inside @ np.where(filled, 2, -1)
        scores[filled] = np.iinfo(np.int64).min
        order.append(int(np.argmax(scores)))
        filled[order[-1]] = True
    return [int(cell) for cell in part[order]]


def _line_swaps(coordinates: Intps, near: Bools) -> list[Intps]:
    """Return the swaps of neighbouring lines, or blocks of lines, that keep which cells share a unit."""
    cell_at = {tuple(place): cell for cell, place in enumerate(coordinates.tolist())}
    swaps = []
    for axis in range(coordinates.shape[1]):
        side = int(coordinates[:, axis].max()) + 1
        for width in range(1, side // 2 + 1):
            for start in range(0, side - 2 * width + 1, width):
                swapped = coordinates.copy()
                line = coordinates[:, axis]
                swapped[(line >= start) & (line < start + width), axis] += width
                swapped[(line >= start + width) & (line < start + 2 * width), axis] -= width
                images = [cell_at.get(tuple(place), -1) for place in swapped.tolist()]
                move = np.array(images, np.intp)
                if (move >= 0).all() and (near[np.ix_(move, move)] == near).all():
                    swaps.append(move)
    return swaps


def _moves(
    generators: Sequence[Intps], near: Bools, candidates: Bools, is_read: Bools, cells: Sequence[int]
) -> dict[int, list[Intps]]:
    """Return symmetries by the number of filled cells, where more hold than before and after the next cell."""
    # They map the open cells with their candidates onto themselves, up to the names of the values. No constraint may
    # read an open cell.
    is_open: Bools = np.asarray(candidates.any(axis=1))
    valid: list[list[Intps]] = [[]]
    for cell in cells:
        is_open[cell] = False
        is_free = not (is_open & is_read).any()
        valid.append([move for move in generators if is_free and _holds(move, near, candidates, is_open)])
    sizes = [*map(len, valid), 0]
    return {
        filled: valid[filled]
        for filled in range(1, len(cells))
        if sizes[filled] > sizes[filled - 1] and sizes[filled] >= sizes[filled + 1]
    }


def _holds(move: Intps, near: Bools, candidates: Bools, is_open: Bools) -> bool:
    """Return whether a swap is a symmetry of the open cells, and moves cells that have other filled neighbours."""
    if not (is_open[move] == is_open).all():
        return False
    before, after = candidates[is_open], candidates[move[is_open]]
    if sorted(map(bytes, before.T.copy())) != sorted(map(bytes, after.T.copy())):
        return False
    seen = near[:, ~is_open]
    return bool((seen[move[is_open]] != seen[is_open]).any())


def _race(task: _Task, ways: list[_Way], most: float = inf) -> tuple[list[_Way], bool]:
    """Let ways of counting a part do more and more work, until one ends; return it, and whether it ended."""
    # Each time, only the half that passes more cells goes on. If there is only one way, or if none ends with an amount
    # of work of `most`, the best ones are returned.
    budget = _FIRST_STATES
    while len(ways) > 1 and budget <= most:
        results = [_run(task, way, budget) for way in ways]
        ended = [(work, place) for place, (is_end, work) in enumerate(results) if is_end]
        if ended:
            return [ways[min(ended)[1]]], True
        best = sorted(range(len(ways)), key=lambda place: -results[place][1])[: (len(ways) + 1) // 2]
        ways = [ways[place] for place in best]
        budget *= _MORE_STATES
    return ways, False


def _run(task: _Task, way: _Way, budget: int) -> tuple[bool, int]:
    """Count a part with little work; return whether it ended, and its work, else how many cells it passed."""
    # A state that is filled is an amount of 1.
    own = {*task.before, *way.cells}
    order = [*task.before, *way.cells, *(cell for cell in range(task.rules.n_cells) if cell not in own)]
    plan = _completed(order, {len(task.before) + filled: moves for filled, moves in way.moves.items()})
    work = filled = 0
    passed = layers(task.rules, plan.order, plan.symmetries, task.tick, budget)
    try:
        for filled, layer in enumerate(islice(passed, len(own)), start=1):
            work += len(layer.states) + layer.n_images // _IMAGES_PER_STATE
            if work - filled > budget:
                return False, filled
    except TooManyStatesError:
        return False, filled
    except CountError:
        # The symmetries have too many products.
        return False, 0
    return True, work
