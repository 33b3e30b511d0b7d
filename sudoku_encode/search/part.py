"""A part of a puzzle, counted or listed wherever there is a worker: what takes too long comes back as smaller parts.

What is here are tasks: functions of plain data, which find the same in any process and can be repeated. A part is done
until its time is over, or so much of it is listed; then what the search still has to do is split: what is nearest to
the root is the most, and becomes parts of its own, and all that is deep becomes one part, so that none is tiny.
"""

import math
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from sudoku_encode import search
from sudoku_encode.constraints.lowering import Lowered, lowered
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.stopping import go_on
from sudoku_encode.search.remaining import narrowed, packed, remaining, unpacked
from sudoku_encode.search.splitting import split
from sudoku_encode.search.state import OPEN_CELLS, AnyState

T = TypeVar("T")

# How many parts what is left becomes: the boards next to the root by themselves, and all others together.
_CHILDREN = 8
# How many parts a board becomes that falls into components, and whose time is over before all but one are counted.
_OF_COMPONENTS = 32
# A task that lists returns as many solutions as these bytes hold at most, and calls `search.advance` up to this often,
# which takes some tens of milliseconds: for the first parts less often, so that there are soon parts for all workers.
LISTED_BYTES = 1 << 22
FIRST_CALLS, CALLS = 32, 256


class Part(NamedTuple):
    """Some boards of a puzzle, which share no solution.

    Attributes:
        boards: their candidates, as `remaining.packed`.
        times: how often the solutions of each count.
    """

    boards: bytes
    times: tuple[int, ...]

    @classmethod
    def of(cls, boards: "list[_Board]") -> "Part":
        """Return a part of some boards."""
        return cls(packed([board.candidates for board in boards]), tuple(board.times for board in boards))

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle) -> "Part":
        """Return a whole puzzle as a part."""
        return cls.of([_Board(puzzle.candidates, 1)])

    def unpacked(self, geometry: Geometry) -> "list[_Board]":
        """Return its boards.

        Raises:
            FormatError: these are none.
        """
        boards = unpacked(self.boards, geometry, len(self.times))
        return list(map(_Board, boards, self.times))


class _Board(NamedTuple):
    candidates: Bools
    times: int


class Counted(NamedTuple):
    """What the count of a part came to.

    Attributes:
        value: how many solutions were counted.
        left: parts that were not counted; nothing where the count is complete.
        seconds: how long it took.
    """

    value: int
    left: list[Part]
    seconds: float


class Listed(NamedTuple):
    """Solutions of a part.

    Attributes:
        grids: as `packed_grids`.
        numbers: how many are of each board.
        left: parts that were not listed, which come after this one.
    """

    grids: bytes
    numbers: tuple[int, ...]
    left: list[Part]


class _Over(Exception):
    """The time is over before there is anything that could be gone on with."""


def first_parts(puzzle: Puzzle, n_parts: int) -> list[Part]:
    """Return at least so many parts that have all solutions of a puzzle between them, or all that there are."""
    return [Part.of_puzzle(part) for part in split(puzzle, n_parts)]


def count_part(puzzle: Puzzle, memory: int | None, item: tuple[Part, float]) -> Counted:
    """Count a part of a puzzle.

    Args:
        puzzle: the whole.
        memory: how many bytes this may add to what the process has; by default there is no limit.
        item: the part, and for how many seconds it is counted; a moment of it is counted always.

    How many solutions the part has so far is emitted as `Progress`.

    Raises:
        StoppedError: the client has stopped it; memory is used up.
    """
    part, seconds = item
    return _within(memory, partial(_counted, puzzle, part, seconds))


def _within(memory: int | None, work: Callable[[], T]) -> T:
    """Return what some work returns: in a process of its own, where there is a limit on memory."""
    if memory is None:
        return work()
    (found,) = stream(partial(_results, work), go_on, memory)
    return found


def _results(work: Callable[[], T]) -> Iterator[T]:
    """Yield what some work returns."""
    yield work()


def _counted(puzzle: Puzzle, part: Part, seconds: float) -> Counted:
    begun = time.monotonic()
    ends = begun + seconds
    whole, boards, total = lowered(puzzle), part.unpacked(puzzle.geometry), 0
    for number, board in enumerate(boards):
        report = partial(search.report_found, total, board.times)
        count, rests = _count_board(_narrowed(whole, board.candidates), ends, report)
        total += board.times * count
        if rests:
            mine = [_Board(rest.candidates, board.times * rest.times) for rest in rests]
            return Counted(total, _children(mine + boards[number + 1 :]), time.monotonic() - begun)
    return Counted(total, [], time.monotonic() - begun)


def _children(boards: list[_Board]) -> list[Part]:
    """Return parts of what is left, in its order: the last boards are nearest to the root."""
    n_deep = max(1, len(boards) - _CHILDREN + 1)
    return [Part.of(boards[:n_deep]), *(Part.of([board]) for board in boards[n_deep:])]


def _narrowed(whole: Lowered, candidates: Candidates) -> Lowered:
    return replace(whole, puzzle=narrowed(whole.puzzle, candidates))


def _count_board(board: Lowered, ends: float, report: Callable[[int], None]) -> tuple[int, list[_Board]]:
    """Count the solutions until some time of the clock; return how many they are, and what is left.

    Args:
        board: of a part.
        ends: the time of `time.monotonic` at which it stops.
        report: called with how many solutions there are so far, where that has grown.
    """

    def tick() -> None:
        go_on()
        if time.monotonic() >= ends:
            raise _Over

    nowhere = np.empty((0, 0), np.uint8)
    try:
        *others, last = sorted(search.factors(board, tick), key=_n_open)
        times = math.prod(search.tally(state, tick) for state in others)
    except _Over:
        # The time is lost: a product of counts that are not complete says nothing of what is left.
        return 0, [_Board(part.candidates, 1) for part in split(board.puzzle, _OF_COMPONENTS)]
    total = 0
    while not search.finished(last):
        go_on()
        more = search.run(last, nowhere, 2**62, True)
        total += more
        if more:
            report(times * total)
        if time.monotonic() >= ends:
            break
    rests = remaining(last, board.puzzle.geometry.n_values)
    return times * total, [_Board(rest.candidates, times << rest.doubled) for rest in rests]


def _n_open(state: search.AnySearch) -> int:
    return int(state.counts[OPEN_CELLS]) if isinstance(state, AnyState) else 0


def list_part(puzzle: Puzzle, memory: int | None, item: tuple[Part, int, int]) -> Listed:
    """List a part of a puzzle: the same solutions in the same order wherever that is done.

    Args:
        puzzle: the whole.
        memory: how many bytes this may add to what the process has; by default there is no limit.
        item: the part, how many solutions are listed at most, and how often `search.advance` is called.

    Raises:
        StoppedError: the client has stopped it; memory is used up.
    """
    part, most, calls = item
    return _within(memory, partial(_listed, puzzle, part, most, calls))


def _listed(puzzle: Puzzle, part: Part, most: int, calls: int) -> Listed:
    whole, geometry = lowered(puzzle), puzzle.geometry
    boards, numbers, found = part.unpacked(geometry), [], 0
    out = np.empty((most, geometry.n_cells), np.uint8)
    for number, board in enumerate(boards):
        state, before = search.start_any(_narrowed(whole, board.candidates)), found
        while not search.finished(state) and found < most and calls:
            go_on()
            found += search.advance(state, out[found:])
            calls -= 1
        numbers.append(found - before)
        if rests := remaining(state, geometry.n_values):
            left = [_Board(rest.candidates, 1) for rest in rests] + boards[number + 1 :]
            break
        if not (found < most and calls):
            left = boards[number + 1 :]
            break
    else:
        left = []
    numbers += [0] * (len(boards) - len(numbers))
    return Listed(packed_grids(out[:found], geometry), tuple(numbers), _children(left) if left else [])


def packed_grids(grids: Grids, geometry: Geometry) -> bytes:
    """Return solutions in little room: cell by cell, since those that are found one after the other have most alike."""
    columns = np.ascontiguousarray(grids.T) - np.uint8(1)
    if geometry.n_values <= 16:
        if len(grids) % 2:
            columns = np.pad(columns, ((0, 0), (0, 1)))
        columns = columns[:, ::2] << np.uint8(4) | columns[:, 1::2]
    return zlib.compress(columns.tobytes(), 1)


def unpacked_grids(data: bytes, geometry: Geometry, n_grids: int) -> Grids:
    """Return the solutions that were packed, uint8 (n_grids, n_cells).

    Raises:
        FormatError: these are no grids, or not as many.
    """
    halves = geometry.n_values <= 16
    width = -(-n_grids // 2) if halves else n_grids
    size = width * geometry.n_cells
    try:
        packer = zlib.decompressobj()
        columns = np.frombuffer(packer.decompress(data, size + 1), np.uint8)
    except zlib.error as error:
        raise FormatError(f"these are no packed grids: {error}") from error
    if len(columns) != size:
        raise FormatError(f"these are not {n_grids} packed grids")
    columns = columns.reshape(geometry.n_cells, width)
    if halves:
        columns = np.stack([columns >> np.uint8(4), columns & np.uint8(15)], axis=2).reshape(geometry.n_cells, -1)
    return np.ascontiguousarray(columns[:, :n_grids].T) + np.uint8(1)
