"""Split a puzzle into parts, and count or list a part on any worker: a slow part comes back as smaller parts.

The tasks are functions of plain data, which return the same in any process and can be repeated. A task works on a part
until its time is over, or enough solutions are listed; then the rest of the search is split: the boards nearest to the
root have the most solutions and become parts of their own, and all deep boards together become one part, so that no
part is tiny.
"""

import heapq
import math
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from sudoku_encode import search
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.tasks import go_on
from sudoku_encode.search import blocks, vectors9
from sudoku_encode.search.blocks import LANES, BlocksState
from sudoku_encode.search.state import (
    DONE,
    DOUBLED,
    GUESSES,
    OPEN_CELLS,
    READY,
    TRAIL,
    AnyState,
    ConstrainedState,
    any_state,
    masks_of,
)
from sudoku_encode.search.vectors9 import Vectors9State

# Splitting a puzzle.


def split(puzzle: Puzzle, parts: int) -> list[Puzzle]:
    """Split a puzzle into at least `parts` puzzles that partition its solutions; fewer if there are no more.

    The puzzle with the most candidates is split again and again, by the candidates of a cell that has the fewest. The
    puzzles differ in their pencilmarks; the list is empty if the units show that there is no solution.
    """
    from sudoku_encode.search.any_kernel import begin, fewest

    plain = lower_puzzle(puzzle).puzzle
    board = plain.geometry
    # The number breaks ties, since arrays cannot be compared.
    heap: list[tuple[float, int, Int64s]] = [(0.0, 0, masks_of(plain))] if board.oversized_unit is None else []
    whole: list[Int64s] = []
    number = 0
    while heap and len(heap) + len(whole) < parts:
        state = any_state(board, heapq.heappop(heap)[2])
        if not begin(state, False):
            continue
        cell = _fewest_of_grid(state.masks, board.n_grid) if board.n_hidden else fewest(state, False)[0]
        if cell < 0:
            whole.append(state.masks)
            continue
        mask = int(state.masks[cell])
        while mask:
            child = state.masks.copy()
            child[cell] = mask & -mask
            mask &= mask - 1
            number += 1
            heapq.heappush(heap, (-float(np.log2(np.bitwise_count(child.view(np.uint64))).sum()), number, child))
    ordered = [*whole, *(masks for _, _, masks in sorted(heap, key=lambda entry: entry[1]))]
    return [replace(puzzle, pencilmarks=_candidates_of_masks(masks, board.n_values)) for masks in ordered]


def _fewest_of_grid(masks: Int64s, n_grid: int) -> int:
    """Return a cell of the grid with the fewest candidates of those with several; -1 if no cell has several."""
    sizes = np.bitwise_count(masks[:n_grid].view(np.uint64)).astype(np.int64)
    cell = int(np.where(sizes > 1, sizes, masks.itemsize * 8 + 1).argmin())
    return cell if sizes[cell] > 1 else -1


# The boards that a search that has not ended still has to search: they partition the remaining solutions.
#
# A search goes down one side of each guess first and keeps the other side for later. So the rest is the next board to
# search, and for each open guess the board where the guess is taken back and its value is removed.

# Unpacked boards take at most this many bytes.
_MAX_BYTES = 1 << 28


class RemainingBoard(NamedTuple):
    """A board that a search still has to look at."""

    candidates: Candidates  # (n_cells, n_values)
    doubled: int  # its solutions count 2**doubled times


def remaining_boards(
    state: AnyState | Vectors9State | BlocksState | ConstrainedState, n_values: int
) -> list[RemainingBoard]:
    """Return the boards that a stopped search still has to search, in its order; an empty list if it has ended.

    The solutions found so far, and those of the boards, doubled as often as they say, are all solutions. `doubled` is 0
    unless a call asked for doubling. No two boards share a solution.
    """
    if isinstance(state, AnyState | ConstrainedState):
        boards = _trail_boards(state.board if isinstance(state, ConstrainedState) else state)
    elif isinstance(state, Vectors9State):
        boards = _frame_boards(
            state.frames, state.counts[vectors9.LEVEL], vectors9.FRAME, vectors9.BOARD, vectors9.PLACES
        )
    else:
        size = LANES * (blocks.n_vectors(state) + 1)
        boards = _frame_boards(state.frames, state.counts[blocks.LEVEL], size, size - LANES, state.places)
    return [RemainingBoard(_candidates_of_masks(masks, n_values), doubled) for masks, doubled in boards]


def _frame_boards(frames: Int64s, level: int, size: int, doubled: int, places: Int64s) -> list[tuple[Int64s, int]]:
    """Return the boards in the frames up to the next one to search, that one first."""
    rows = frames[: (int(level) + 1) * size].reshape(-1, size)[::-1]
    masks = rows[:, places].astype(np.int64) & (2**LANES - 1)
    return list(zip(masks, rows[:, doubled].tolist(), strict=True))


def _trail_boards(state: AnyState) -> list[tuple[Int64s, int]]:
    """Return the current board, and the boards that taking back the guesses one by one leads to."""
    counts = state.counts
    if counts[DONE]:
        return []
    masks, doubled, trail = state.masks.copy(), int(counts[DOUBLED]), int(counts[TRAIL])
    boards = [(masks.copy(), doubled)]
    for guess in range(int(counts[GUESSES]) - 1, -1, -1) if counts[READY] else ():
        mark = int(state.guess_marks[guess])
        # The earliest trail entry of a cell holds its candidates at the mark.
        masks[state.trail_cells[mark:trail][::-1]] = state.trail_masks[mark:trail][::-1]
        trail = mark
        if state.guess_twice[guess]:
            # The guess also stands for its opposite, which is not searched.
            doubled -= 1
            continue
        cell = state.guess_cells[guess]
        masks[cell] ^= state.guess_bits[guess]
        boards.append((masks.copy(), doubled))
        masks[cell] ^= state.guess_bits[guess]
    return boards


def _candidates_of_masks(masks: Int64s, n_values: int) -> Candidates:
    values = np.arange(n_values, dtype=np.uint64)
    return (masks.view(np.uint64)[:, None] >> values & np.uint64(1)).astype(bool)


def pack_boards(boards: Sequence[Candidates]) -> bytes:
    """Return the candidates of boards as a few bytes each: the boards of one search have much in common."""
    return zlib.compress(np.packbits(np.array(boards, np.bool_)).tobytes(), 6)


def unpack_boards(data: bytes, geometry: Geometry, n_boards: int) -> Bools:
    """Return the boards that were packed, bool (n_boards, n_cells, n_values).

    Raises:
        FormatError: the data are not packed boards of this geometry.
    """
    size = geometry.n_cells * geometry.n_values
    try:
        packer = zlib.decompressobj()
        bits = np.frombuffer(packer.decompress(data, _MAX_BYTES), np.uint8)
    except zlib.error as error:
        raise FormatError(f"not packed boards: {error}") from error
    if not packer.eof or n_boards < 1 or len(bits) != -(-n_boards * size // 8):
        raise FormatError(f"not packed boards: expected {n_boards} of {geometry.name}")
    return np.unpackbits(bits, count=n_boards * size).astype(bool).reshape(n_boards, geometry.n_cells, -1)


def with_candidates(puzzle: Puzzle, candidates: Candidates) -> Puzzle:
    """Return a puzzle with fewer candidates."""
    return replace(puzzle, pencilmarks=candidates)


# Tasks: a part is counted or listed.

T = TypeVar("T")

# How many parts an unfinished part becomes: the boards next to the root by themselves, and all others together.
_CHILDREN = 8
# How many parts a board with several components becomes, if the time is over before all components but one are counted.
_OF_COMPONENTS = 32
# A task that lists returns at most this many bytes of solutions, and calls `search.advance` up to this often, each time
# for some tens of milliseconds: for the first parts less often, so that there are soon parts for all workers.
LISTED_BYTES = 1 << 22
FIRST_CALLS, CALLS = 32, 256


class Part(NamedTuple):
    """Some boards of a puzzle, which share no solution."""

    boards: bytes  # their candidates, see `pack_boards`
    times: tuple[int, ...]  # how often the solutions of each count

    @classmethod
    def of(cls, boards: "list[_Board]") -> "Part":
        """Return a part of some boards."""
        return cls(pack_boards([board.candidates for board in boards]), tuple(board.times for board in boards))

    @classmethod
    def of_puzzle(cls, puzzle: Puzzle) -> "Part":
        """Return a whole puzzle as a part."""
        return cls.of([_Board(puzzle.candidates, 1)])

    def unpacked(self, geometry: Geometry) -> "list[_Board]":
        """Return its boards.

        Raises:
            FormatError: the data are not packed boards.
        """
        boards = unpack_boards(self.boards, geometry, len(self.times))
        return list(map(_Board, boards, self.times))


class _Board(NamedTuple):
    candidates: Bools
    times: int


class PartCount(NamedTuple):
    """The count of a part."""

    value: int  # how many solutions were counted
    unfinished: list[Part]  # the parts that were not counted; empty if the count is complete
    seconds: float  # how long it took


class PartListing(NamedTuple):
    """Solutions of a part."""

    grids: bytes  # see `pack_grids`
    numbers: tuple[int, ...]  # how many solutions each board has
    unfinished: list[Part]  # the parts that were not listed; they come after this one


class _TimeOverError(Exception):
    """The time is over before there is anything to continue from."""


def first_parts(puzzle: Puzzle, n_parts: int) -> list[Part]:
    """Return at least `n_parts` parts that partition the solutions of a puzzle; fewer if there are no more."""
    return [Part.of_puzzle(part) for part in split(puzzle, n_parts)]


def count_part(puzzle: Puzzle, memory: int | None, item: tuple[Part, float]) -> PartCount:
    """Count a part of a puzzle for some seconds within some bytes of memory; a first step is always done.

    The number of solutions so far is emitted as `Progress`.

    Raises:
        StoppedError: the client has stopped it; memory is used up.
    """
    part, seconds = item
    return _run_within_memory(memory, partial(_count_boards, puzzle, part, seconds))


def _run_within_memory(memory: int | None, work: Callable[[], T]) -> T:
    """Do some work and return its result: in a process of its own, if there is a limit on memory."""
    if memory is None:
        return work()
    (result,) = stream(partial(_results, work), go_on, memory)
    return result


def _results(work: Callable[[], T]) -> Iterator[T]:
    """Yield the result of some work."""
    yield work()


def _count_boards(puzzle: Puzzle, part: Part, seconds: float) -> PartCount:
    begun = time.monotonic()
    ends = begun + seconds
    whole, boards, total = lower_puzzle(puzzle), part.unpacked(puzzle.geometry), 0
    for number, board in enumerate(boards):
        report = partial(search.report_count, total, board.times)
        count, rests = _count_board(_lowered_with_candidates(whole, board.candidates), ends, report)
        total += board.times * count
        if rests:
            mine = [_Board(rest.candidates, board.times * rest.times) for rest in rests]
            return PartCount(total, _split_unfinished(mine + boards[number + 1 :]), time.monotonic() - begun)
    return PartCount(total, [], time.monotonic() - begun)


def _split_unfinished(boards: list[_Board]) -> list[Part]:
    """Return unfinished boards as parts, in their order: the last boards are nearest to the root."""
    n_deep = max(1, len(boards) - _CHILDREN + 1)
    return [Part.of(boards[:n_deep]), *(Part.of([board]) for board in boards[n_deep:])]


def _lowered_with_candidates(whole: LoweredPuzzle, candidates: Candidates) -> LoweredPuzzle:
    return replace(whole, puzzle=with_candidates(whole.puzzle, candidates))


def _count_board(board: LoweredPuzzle, ends: float, report: Callable[[int], None]) -> tuple[int, list[_Board]]:
    """Count the solutions until the time `ends` of `time.monotonic`; return their number and the unfinished boards."""

    def tick() -> None:
        go_on()
        if time.monotonic() >= ends:
            raise _TimeOverError

    nowhere = np.empty((0, 0), np.uint8)
    try:
        factors = sorted(search.factors(board, tick), key=lambda factor: (factor.power == 1, _n_open(factor.search)))
        # A power of an incomplete count tells nothing about the unfinished boards.
        last = factors.pop().search if factors[-1].power == 1 else None
        times = math.prod(search.tally(factor.search, tick) ** factor.power for factor in factors)
    except _TimeOverError:
        # The time is lost: a product of incomplete counts tells nothing about the unfinished boards.
        return 0, [_Board(part.candidates, 1) for part in split(board.puzzle, _OF_COMPONENTS)]
    if last is None:
        return times, []
    total = 0
    while not search.finished(last):
        go_on()
        more = search.run(last, nowhere, 2**62, True)
        total += more
        if more:
            report(times * total)
        if time.monotonic() >= ends:
            break
    rests = remaining_boards(last, board.puzzle.geometry.n_values)
    return times * total, [_Board(rest.candidates, times << rest.doubled) for rest in rests]


def _n_open(state: search.AnySearch) -> int:
    return int(state.counts[OPEN_CELLS]) if isinstance(state, AnyState) else 0


def list_part(puzzle: Puzzle, memory: int | None, item: tuple[Part, int, int]) -> PartListing:
    """List a part of a puzzle: the same solutions in the same order on any worker.

    The item is the part, how many solutions to list at most, and how often to call `search.advance`.

    Raises:
        StoppedError: the client has stopped it; memory is used up.
    """
    part, most, calls = item
    return _run_within_memory(memory, partial(_list_boards, puzzle, part, most, calls))


def _list_boards(puzzle: Puzzle, part: Part, most: int, calls: int) -> PartListing:
    whole, geometry = lower_puzzle(puzzle), puzzle.geometry
    boards, numbers, n_listed = part.unpacked(geometry), [], 0
    out = np.empty((most, geometry.n_cells), np.uint8)
    for number, board in enumerate(boards):
        state, before = search.start_any(_lowered_with_candidates(whole, board.candidates)), n_listed
        while not search.finished(state) and n_listed < most and calls:
            go_on()
            n_listed += search.advance(state, out[n_listed:])
            calls -= 1
        numbers.append(n_listed - before)
        if rests := remaining_boards(state, geometry.n_values):
            unfinished = [_Board(rest.candidates, 1) for rest in rests] + boards[number + 1 :]
            break
        if not (n_listed < most and calls):
            unfinished = boards[number + 1 :]
            break
    else:
        unfinished = []
    numbers += [0] * (len(boards) - len(numbers))
    return PartListing(
        pack_grids(out[:n_listed], geometry), tuple(numbers), _split_unfinished(unfinished) if unfinished else []
    )


def pack_grids(grids: Grids, geometry: Geometry) -> bytes:
    """Return solutions in compressed form, cell by cell, since successive solutions have most cells in common."""
    columns = np.ascontiguousarray(grids.T) - np.uint8(1)
    if geometry.n_values <= 16:
        if len(grids) % 2:
            columns = np.pad(columns, ((0, 0), (0, 1)))
        columns = columns[:, ::2] << np.uint8(4) | columns[:, 1::2]
    return zlib.compress(columns.tobytes(), 1)


def unpack_grids(data: bytes, geometry: Geometry, n_grids: int) -> Grids:
    """Return the solutions that were packed, uint8 (n_grids, n_cells).

    Raises:
        FormatError: the data are not packed grids, or another number of them.
    """
    halves = geometry.n_values <= 16
    width = -(-n_grids // 2) if halves else n_grids
    size = width * geometry.n_cells
    try:
        packer = zlib.decompressobj()
        columns = np.frombuffer(packer.decompress(data, size + 1), np.uint8)
    except zlib.error as error:
        raise FormatError(f"not packed grids: {error}") from error
    if len(columns) != size:
        raise FormatError(f"not packed grids: expected {n_grids}")
    columns = columns.reshape(geometry.n_cells, width)
    if halves:
        columns = np.stack([columns >> np.uint8(4), columns & np.uint8(15)], axis=2).reshape(geometry.n_cells, -1)
    return np.ascontiguousarray(columns[:, :n_grids].T) + np.uint8(1)
