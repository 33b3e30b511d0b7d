"""Counting by a transfer matrix: cell by cell, remembering only what the cells passed forbid the others.

A state is for each value its *signature*: which of the units that are begun and not complete hold it. Values that
nothing later tells apart are sorted by their signatures, so that states that differ in names only are one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier.cell_order import MAX_OPEN_UNITS, Step, steps
from sudoku_encode.frontier.problem import Problem
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s

# What the kernel does between two calls of `tick`: it takes some milliseconds to some tens of them.
STATES_PER_CALL = 2**14
# The kernel enters some hundreds of states together, and needs room for them.
MIN_ROOM_STATES = 1024


class OutOfTableMemory(StoppedError):
    """The tables would pass the limit.

    Attributes:
        passed: the share of the cells that were passed before, where that is known.
    """

    def __init__(self, reason: str, passed: float = 0.0) -> None:
        super().__init__(reason, passed)
        self.reason, self.passed = reason, passed

    def __str__(self) -> str:
        """Return the reason."""
        return self.reason


class Layer(NamedTuple):
    """The states after a step.

    Attributes:
        states: unsigned (states, n_values): signatures, the values in the order of `values`.
        counts: uint64 (states, digits): in how many ways each is reached, lowest digit first; see the kernel.
        values: int64 (n_values,): which value is where.
        firsts: int64 (n_values,): the first place of the class of each.
    """

    states: Uint64s
    counts: Uint64s
    values: Int64s
    firsts: Int64s

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
    """Where the states after a step are gathered; it grows."""

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
        for start in range(0, used, 8 * STATES_PER_CALL):
            tick()
            rebuild(self.states, self.table, start, min(used, start + 8 * STATES_PER_CALL))


def layers(problem: Problem, order: Sequence[int], tick: Callable[[], None], max_bytes: int) -> Iterator[Layer]:
    """Yield the states after each step; the total of the last one is the number of solutions.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or more units are open at once than a signature has bits.
        StoppedError: by `tick`.
    """
    n = problem.candidates.shape[1]
    way, most = steps(problem, order, tick)
    if most > MAX_OPEN_UNITS:
        raise OutOfTableMemory(f"memory limit: {most} units are open at once, at most {MAX_OPEN_UNITS} can be")
    layer = first_layer(n, most)
    for number, step in enumerate(way, 1):
        held = len(layer.states)
        after = _advanced(layer, step, tick, max_bytes)
        if after is None:
            raise OutOfTableMemory(
                f"memory limit of {max_bytes:,} bytes: over {held:,} states at cell {number} of {len(way)}",
                number / len(way),
            )
        layer = after
        yield layer
        if not len(layer.states):
            return


class Move(NamedTuple):
    """How a step turns states into others, as the kernel takes it.

    Attributes:
        allowed: bool (n_values,): for each place of an old state whether the cell may hold the value there.
        classes: int64 (n_values,): for each place of an old state the first place of its class.
        sources: int64 (n_values,): for each place of a new state its place in the old one.
        firsts: int64 (n_values,): for each place of a new state the first place of its class.
        masks: unsigned (4, n_values), see the kernel.
        values: int64 (n_values,): which value is where in a new state.
    """

    allowed: Bools
    classes: Int64s
    sources: Int64s
    firsts: Int64s
    masks: Any
    values: Int64s


def move(old: Layer, step: Step) -> Move:
    """Return how a step turns the states of a layer into others."""
    n = len(old.values)
    # The places after the step: class by class, and each new place knows where its value was.
    values = np.lexsort((np.arange(n), step.classes)).astype(np.int64)
    at = np.empty(n, np.int64)
    at[old.values] = np.arange(n)
    classes = step.classes[values]
    firsts = np.searchsorted(classes, classes).astype(np.int64)
    ends = np.full(n, step.set, np.uint64), np.full(n, step.barred, np.uint64)
    masks = np.stack([ends[1], ends[0], step.must[values], step.keep[values]]).astype(old.states.dtype)
    return Move(step.allowed[old.values], old.firsts, at[values], firsts, masks, values)


def first_layer(n: int, most: int) -> Layer:
    """Return the state before the first step.

    Args:
        n: the number of values.
        most: how many bits a signature needs.
    """
    kind = np.dtype(np.uint16 if most <= 16 else np.uint32 if most <= 32 else np.uint64)
    values = np.arange(n, dtype=np.int64)
    return Layer(np.zeros((1, n), kind), np.ones((1, 1), np.uint64), values, values)


def _advanced(old: Layer, step: Step, tick: Callable[[], None], max_bytes: int) -> Layer | None:
    """Return the states after one more step, or None when they take too much memory."""
    from sudoku_encode.frontier.transfer_matrix_kernel import DIGIT_BITS, advance

    n = len(old.values)
    kind, how = old.states.dtype, move(old, step)
    digits = -(-(old.total * n).bit_length() // DIGIT_BITS)
    tick()
    held = old.states.nbytes + old.counts.nbytes
    size = max(MIN_ROOM_STATES, 2 * len(old.states))
    while size > MIN_ROOM_STATES and held + _Room.bytes(size, n, kind, digits) > max_bytes:
        size //= 2
    room, reached = _Room(size, n, kind, digits), np.zeros(2, np.int64)
    while True:
        tick()
        before = reached.copy()
        advance(
            *(old.states, old.counts, *how[:5]),
            *(room.states, room.counts, room.table, reached, STATES_PER_CALL),
        )
        if reached[0] == len(old.states):
            break
        if reached[0] < before[0] + STATES_PER_CALL:
            # Old and new room are both there for a moment.
            size = len(room.states)
            if held + room.states.nbytes + room.counts.nbytes + _Room.bytes(2 * size, n, kind, digits) > max_bytes:
                return None
            room.grow(int(reached[1]), tick)
    used = int(reached[1])
    return Layer(room.states[:used], room.counts[:used], how.values, how.firsts)
