"""Count by a transfer matrix, cell by cell: a state remembers only what the passed cells forbid to the others.

A state holds for each value its *signature*: which of the units that are begun but not complete hold it. Values that
are interchangeable from there on are sorted by their signatures, so that states that differ only in names are one.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier.cell_order import MAX_OPEN_UNITS, Step, estimate, orders, steps
from sudoku_encode.frontier.problem import Move, Problem, blank, components, spans, whole
from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# How many states the kernel processes between two calls of `tick`: some milliseconds to some tens of them.
STATES_PER_CALL = 2**14
# The kernel enters some hundreds of states together, and needs room for them.
MIN_ROOM_STATES = 1024


class OutOfTableMemory(StoppedError):
    """The tables would pass the limit; `passed` is the share of the cells that were passed before, 0 if unknown."""

    def __init__(self, reason: str, passed: float = 0.0) -> None:
        super().__init__(reason, passed)
        self.passed = passed

    def __str__(self) -> str:
        """Return the reason."""
        return str(self.args[0])


class Layer(NamedTuple):
    """The states after a step."""

    states: Uint64s  # unsigned (states, n_values): signatures, the values in the order of `values`
    counts: Uint64s  # (states, digits): in how many ways each is reached, lowest digit first; see the kernel
    values: Int64s  # (n_values,): the value at each place
    firsts: Int64s  # (n_values,): the first place of the class of each

    @property
    def numbers(self) -> list[int]:
        """The count of each state."""
        from sudoku_encode.frontier.transfer_matrix_kernel import DIGIT_BITS

        return [sum(digit << DIGIT_BITS * place for place, digit in enumerate(one)) for one in self.counts.tolist()]

    @property
    def total(self) -> int:
        """The sum of all counts."""
        from sudoku_encode.frontier.transfer_matrix_kernel import DIGIT_BITS

        half = np.uint64(DIGIT_BITS // 2)
        low = (self.counts & np.uint64(2 ** (DIGIT_BITS // 2) - 1)).sum(axis=0, dtype=np.uint64).tolist()
        high = (self.counts >> half).sum(axis=0, dtype=np.uint64).tolist()
        digits = [a + (b << DIGIT_BITS // 2) for a, b in zip(low, high, strict=True)]
        return sum(digit << DIGIT_BITS * place for place, digit in enumerate(digits))


class _Room:
    """A growing table of the states after a step."""

    def __init__(self, size: int, n: int, kind: np.dtype[np.uint64], digits: int) -> None:
        self.states = np.empty((size, n), kind)
        self.counts = np.zeros((size, digits), np.uint64)
        self.table = np.full(1 << (2 * size - 1).bit_length(), -1, np.int32)

    @staticmethod
    def bytes(size: int, n: int, kind: np.dtype[np.uint64], digits: int) -> int:
        """Return how many bytes room for `size` states takes."""
        return size * (n * kind.itemsize + 8 * digits) + (4 << (2 * size - 1).bit_length())

    def grow(self, used: int, tick: Callable[[], None]) -> None:
        """Double the room, in which the first `used` states are."""
        from sudoku_encode.frontier.transfer_matrix_kernel import rebuild

        states, counts = self.states, self.counts
        self.table = np.empty(0, np.int32)
        self.states = np.empty((2 * len(states), states.shape[1]), states.dtype)
        self.counts = np.zeros((2 * len(counts), counts.shape[1]), np.uint64)
        tick()
        self.states[:used] = states[:used]
        tick()
        self.counts[:used] = counts[:used]
        tick()
        self.table = np.full(1 << (4 * len(states) - 1).bit_length(), -1, np.int32)
        for start, end in spans(used, 8 * STATES_PER_CALL, tick):
            rebuild(self.states, self.table, start, end)


def layers(problem: Problem, order: Sequence[int], tick: Callable[[], None], max_bytes: int) -> Iterator[Layer]:
    """Yield the states after each step; the total of the last one is the number of solutions.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or more units are open at once than a signature has bits.
    """
    n = problem.candidates.shape[1]
    way, most = steps(problem, order, tick)
    if most > MAX_OPEN_UNITS:
        raise OutOfTableMemory(f"memory limit: {most} units are open at once; the most is {MAX_OPEN_UNITS}")
    layer = first_layer(n, most)
    for number, step in enumerate(way, 1):
        n_states = len(layer.states)
        after = _advance_layer(layer, step, tick, max_bytes)
        if after is None:
            raise OutOfTableMemory(
                f"memory limit of {max_bytes:,} bytes: over {n_states:,} states at cell {number} of {len(way)}",
                number / len(way),
            )
        layer = after
        yield layer
        if not len(layer.states):
            return


def move(old: Layer, step: Step) -> Move:
    """Return how a step turns the states of a layer into others."""
    n = len(old.values)
    # The places after the step are ordered by class, and each new place knows where its value was.
    values = np.lexsort((np.arange(n), step.classes)).astype(np.int64)
    old_place = np.empty(n, np.int64)
    old_place[old.values] = np.arange(n)
    classes = step.classes[values]
    firsts = np.searchsorted(classes, classes).astype(np.int64)
    ends = np.full(n, step.set, np.uint64), np.full(n, step.barred, np.uint64)
    masks = np.stack([ends[1], ends[0], step.must[values], step.keep[values]]).astype(old.states.dtype)
    return Move(step.allowed[old.values], old.firsts, old_place[values], firsts, masks, values)


def first_layer(n: int, most: int) -> Layer:
    """Return the state before the first step; `n` is the number of values, `most` how many bits a signature needs."""
    kind = np.dtype(np.uint16 if most <= 16 else np.uint32 if most <= 32 else np.uint64)
    values = np.arange(n, dtype=np.int64)
    return Layer(np.zeros((1, n), kind), np.ones((1, 1), np.uint64), values, values)


def _advance_layer(old: Layer, step: Step, tick: Callable[[], None], max_bytes: int) -> Layer | None:
    """Return the states after one more step, or None if they take too much memory."""
    from sudoku_encode.frontier.transfer_matrix_kernel import DIGIT_BITS, advance

    n = len(old.values)
    kind, how = old.states.dtype, move(old, step)
    digits = -(-(old.total * n).bit_length() // DIGIT_BITS)
    tick()
    old_bytes = old.states.nbytes + old.counts.nbytes
    size = max(MIN_ROOM_STATES, 2 * len(old.states))
    while size > MIN_ROOM_STATES and old_bytes + _Room.bytes(size, n, kind, digits) > max_bytes:
        size //= 2
    room, reached = _Room(size, n, kind, digits), np.zeros(2, np.int64)
    while True:
        tick()
        before = reached.copy()
        advance(old.states, old.counts, how, room.states, room.counts, room.table, reached, STATES_PER_CALL)
        if reached[0] == len(old.states):
            break
        if reached[0] < before[0] + STATES_PER_CALL:
            # The old and the new room exist together for a moment.
            size = len(room.states)
            if old_bytes + room.states.nbytes + room.counts.nbytes + _Room.bytes(2 * size, n, kind, digits) > max_bytes:
                return None
            room.grow(int(reached[1]), tick)
    used = int(reached[1])
    return Layer(room.states[:used], room.counts[:used], how.values, how.firsts)


# The race of orders: no estimate tells the best order, so several are tried in turn, with more and more states allowed.

# The race has rounds. In each, an order is given up as soon as it has more states than the round's cap; the last round
# has no cap.
STATE_CAPS = (2**12, 2**15, 2**18)
# How many orders, the best of the round before, are tried in each round, the last one included.
ROUND_ORDERS = (10, 6, 5, 1)
# On larger boards the order from cell to nearest cell takes too long to find, and settled cells are always left out.
MAX_NEAREST_CELLS = 256


@dataclass
class Way:
    """An order of the cells, and how far it has been followed."""

    name: str  # for people
    problem: Problem  # the problem whose cells they are
    order: list[int]  # the numbers of the cells
    passed: int = 0  # how many cells were passed without exceeding the cap
    widest: int = 1  # the largest number of states so far

    def follow(self, cap: int | None, tick: Callable[[], None], max_bytes: int) -> int | None:
        """Return the number of solutions, or None if there are too many states.

        Raises:
            StoppedError: see `transfer_matrix.layers`.
        """
        total = 1
        self.passed = 0
        for layer in layers(self.problem, self.order, tick, max_bytes):
            self.widest = max(self.widest, len(layer.states))
            if cap is not None and len(layer.states) > cap:
                return None
            self.passed += 1
            total = layer.total
        return total


def ways(puzzle: Puzzle, candidates: Candidates, skipped: Sequence[int] = ()) -> list[list[Way]]:
    """Return the ways to try, the most promising first, for each independent part of the cells after singles.

    Parts with `skipped` cells are left out.

    Settled cells are left out, which bars the most values; or they are cells like others, so that values that only they
    distinguish are interchangeable behind them.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    settled = board.n_cells - len(cells)
    parts = components(problem)
    ways_of_parts = []
    for part, numbers in parts:
        if np.isin(cells[numbers], skipped).any():
            continue
        kinds = [("", part, cells[numbers])]
        if len(parts) == 1 and 0 < settled <= board.n_cells // 3 and board.n_cells <= MAX_NEAREST_CELLS:
            kinds.append((", settled cells too", _with_settled(board, puzzle, candidates), np.arange(board.n_cells)))
        part_ways = []
        for remark, kind, places in kinds:
            seen: set[tuple[int, ...]] = set()
            for name, order in orders(kind, places, board, near=len(places) <= MAX_NEAREST_CELLS):
                if tuple(order) not in seen and (settled or "backwards" not in name):
                    seen.add(tuple(order))
                    part_ways.append(Way(name + remark, kind, order))
        part_ways.sort(key=lambda way: estimate(way.problem, way.order))
        ways_of_parts.append(part_ways)
    return ways_of_parts


def _with_settled(board: Geometry, puzzle: Puzzle, candidates: Candidates) -> Problem:
    """Return the whole board with the puzzle's candidates and its settled cells, nothing else barred."""
    # Candidates that singles bar in the other cells would distinguish values that are interchangeable once some givens
    # are passed.
    plain = puzzle.candidates.copy()
    settled = candidates.sum(axis=1) == 1
    plain[settled] = candidates[settled]
    return whole(board, plain)


def race(
    candidates: list[Way], tick: Callable[[], None], max_bytes: int, caps: tuple[int | None, ...]
) -> Generator[str, None, int]:
    """Follow ways with more and more states; yield a line for each round, and return the count.

    Ways that fall behind are removed. `caps` has that of each round, see STATE_CAPS; None for a last round without a
    cap. The count is -1 if every way has more states than the last cap.

    Raises:
        StoppedError: see `layers`.
    """
    remaining_in_rounds = ROUND_ORDERS[-len(caps) :] if caps[-1] is None else ROUND_ORDERS
    for cap, n_remaining in zip(caps, remaining_in_rounds, strict=False):
        candidates.sort(key=lambda way: -way.passed / max(1, len(way.order)))
        for way in candidates[:n_remaining]:
            try:
                total = way.follow(cap, tick, max_bytes)
            except OutOfTableMemory:
                if cap is None:
                    raise
                continue
            if total is not None:
                yield f"cell by cell, {way.name}: {len(way.order)} cells, {way.widest:,} states at the widest"
                return total
        del candidates[n_remaining:]
        yield f"cell by cell: {len(candidates)} way{'s' * (len(candidates) > 1)} tried, more than {cap:,} states each"
    return -1
