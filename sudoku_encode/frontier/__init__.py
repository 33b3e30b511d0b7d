"""Counting without listing: what the cells passed so far forbid is all that is remembered of them.

Chosen by board and puzzle, see STRATEGIES: a transfer matrix over the cells (`transfer_matrix`, any board), groups of
fillings of three bands that are joined (`band_join`, squares with three rows or columns of boxes), for the 9x9 tables
of what each band puts into the columns (`band_tables`), for Latin squares with lines without givens the graphs that the
other lines leave (`latin`), and for the empty board what its symmetries leave to do (`empty_9x9`,
`empty_two_row_boxes`). Counts are exact: they are added in as many machine words as they need.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.frontier import (
    band_join,
    band_tables,
    box_fillings,
    empty_9x9,
    empty_two_row_boxes,
    latin,
    order_race,
)
from sudoku_encode.frontier.problem import differing, propagated, singles
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.dead_ends import NONE, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, require_plain
from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.frontier.all_shares import Shares
    from sudoku_encode.frontier.ranks import Ranked

__all__ = ["MAX_BYTES", "STRATEGIES", "Strategy", "count", "explain", "plan", "ranked", "shares", "unsupported_reason"]

# What the tables may take. Besides them there is the rest of the process, 200 MB or so.
MAX_BYTES = 2 * 10**9
# A puzzle that needs more memory is counted in slices, at most this number of them: each takes a while.
MAX_SLICES = 16
# States are the most when about half of the cells are passed. Where the memory ends long before, slices do not help.
MIN_PASSED = 0.4
# Boards below this side are done cell by cell: they are small, and joining bands has a cost of its own.
MIN_BAND_JOIN_SIDE = 9

_CONTRADICTION = "singles find a contradiction"


@dataclass(frozen=True)
class Strategy:
    """A way to count what singles leave of a puzzle.

    Attributes:
        fits: whether it is for this puzzle and these candidates, which are what singles leave.
        describe: says for people what it does with them.
        count: yields a line for each step, and returns the number of solutions. It takes puzzle, candidates, `tick` and
            `max_bytes`, see `count`. Where it raises OutOfTableMemory, the next strategy that fits is taken.
    """

    fits: Callable[[Puzzle, Candidates], bool]
    describe: Callable[[Puzzle, Candidates], str]
    count: Callable[[Puzzle, Candidates, Callable[[], None], int], Generator[str, None, int]]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board does not fit bit masks, or an empty string."""
    return "" if board.n_values <= 64 else "it is for up to 64 values"


def _silent(what: str) -> None:
    pass


def count(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, watch: Callable[[str], None] = _silent
) -> int:
    """Return the number of solutions.

    Args:
        puzzle: on a board that is not refused.
        tick: called some times a second; what it raises ends the count.
        max_bytes: what the tables may take.
        watch: told what each step had.

    Raises:
        StoppedError: by `tick`; or the tables would take more: its message starts with `memory limit`.
    """
    require_plain(puzzle)
    lines = _counted(puzzle, tick, max_bytes)
    while True:
        try:
            watch(next(lines))
        except StopIteration as end:
            return int(end.value)


def shares(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, watch: Callable[[str], None] = _silent
) -> "Shares":
    """Return how many solutions have each candidate, and how many there are.

    Args:
        puzzle: on a board that is not refused.
        tick: called some times a second; what it raises ends the work.
        max_bytes: what the tables may take.
        watch: told which way is taken.

    Raises:
        OutOfTableMemory: the tables would take more.
        StoppedError: by `tick`.
    """
    from sudoku_encode.frontier.all_shares import shares

    return shares(puzzle, tick, max_bytes, watch, lambda: count(puzzle, tick, max_bytes, watch))


def ranked(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> "Ranked":
    """Return the solutions by rank; see `all_ranked.ranked`, which says what is raised."""
    from sudoku_encode.frontier.all_ranked import ranked

    return ranked(puzzle, tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[Step]:
    """Yield which way was chosen, how many states or groups each step had, and the number of solutions.

    Raises:
        StoppedError: see `count`.
    """
    left, sound = singles(puzzle)
    if not sound:
        why = dead_end(puzzle.geometry, left)
        yield Step(_CONTRADICTION, because=why.cells)
        yield Step(f"no solution: {why.text}", "end", because=why.cells, data=NONE)
        return
    require_plain(puzzle)
    lines = _counted(puzzle, tick, max_bytes)
    while True:
        try:
            yield Step(next(lines))
        except StopIteration as end:
            total = int(end.value)
            break
    text = f"{total:,} solution{'' if total == 1 else 's'}" if total else "no solution: no state is left"
    yield Step(text, "end", data={"solutions": total, "complete": True})


def plan(puzzle: Puzzle) -> str:
    """Say how a puzzle would be counted, without doing it."""
    candidates = propagated(puzzle)
    if candidates is None:
        return _CONTRADICTION
    return _strategies(puzzle, candidates)[0].describe(puzzle, candidates)


def _counted(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int, slices: int = 1) -> Generator[str, None, int]:
    """Yield lines about each step, and return the count: that of the whole, or a sum over the values of a cell.

    A slice has no state in common with another, so that each needs less memory than the whole.

    Args:
        puzzle: what is counted.
        tick: called some times a second.
        max_bytes: what the tables may take.
        slices: how many there are already of the puzzle that was asked for.

    Raises:
        OutOfTableMemory: MAX_SLICES slices are not enough.
        StoppedError: by `tick`.
    """
    try:
        return (yield from _counted_whole(puzzle, tick, max_bytes))
    except OutOfTableMemory as error:
        if error.passed < MIN_PASSED:
            raise
        reason = error
    candidates = propagated(puzzle)
    assert candidates is not None
    cell = _sliced_cell(puzzle.geometry, candidates)
    # Of values that nothing tells apart each has as many solutions.
    first = np.argmax(~differing(puzzle.candidates), axis=1)
    values, sizes = np.unique(first[candidates[cell]], return_counts=True)
    slices *= max(2, len(values))
    if slices > MAX_SLICES:
        raise reason
    yield f"{reason}; so each value of the cell {puzzle.geometry.cell_name(cell)} by itself"
    total = 0
    for value, size in zip(values.tolist(), sizes.tolist(), strict=True):
        givens = puzzle.givens.copy()
        givens[cell] = value + 1
        part = Puzzle.of(puzzle.geometry, givens, puzzle.pencilmarks)
        total += size * (yield from _counted(part, tick, max_bytes, slices))
    return total


def _sliced_cell(board: Geometry, candidates: Candidates) -> int:
    """Return the open cell with the fewest candidates, and of those one with the most open peers."""
    sizes = candidates.sum(axis=1)
    n_open_peers = np.array([(sizes[peers] > 1).sum() for peers in board.peers])
    return int(np.lexsort((-n_open_peers, np.where(sizes > 1, sizes, board.n_values + 1)))[0])


def _counted_whole(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
    """Yield lines about each step, and return the count, by the strategies that fit."""
    tick()
    candidates = propagated(puzzle)
    if candidates is None:
        yield _CONTRADICTION
        return 0
    yield f"singles leave {_n_open(candidates)} of {len(candidates)} cells open"
    *others, last = _strategies(puzzle, candidates)
    for strategy in others:
        try:
            return (yield from strategy.count(puzzle, candidates, tick, max_bytes))
        except OutOfTableMemory as reason:
            yield f"{reason}; without tables instead"
    return (yield from last.count(puzzle, candidates, tick, max_bytes))


def _strategies(puzzle: Puzzle, candidates: Candidates) -> list[Strategy]:
    """Return the strategies that fit, the best first."""
    return [strategy for strategy in STRATEGIES if strategy.fits(puzzle, candidates)]


def _n_open(candidates: Candidates) -> int:
    return int((candidates.sum(axis=1) > 1).sum())


def _one_solution(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Count what singles have solved."""
    yield from ()
    return 1


def _band_kind(board: Geometry, candidates: Candidates) -> str:
    """Return which bands to join where too many states make that worth while: bands, stacks, or neither."""
    return band_join.choice(board, candidates) if board.n_values >= MIN_BAND_JOIN_SIDE else ""


def _describe_cells(puzzle: Puzzle, candidates: Candidates) -> str:
    kind = _band_kind(puzzle.geometry, candidates)
    limit = f" while there are at most {order_race.STATE_CAPS[0]:,} states; else by {kind}"
    return f"cell by cell{limit if kind else ''}"


def _count_cells(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Count cell by cell, or by bands where few states are not enough for that."""
    parts, caps = order_race.ways(puzzle, candidates), order_race.STATE_CAPS
    if len(parts) > 1:
        yield f"they fall into {len(parts)} parts that do not bear on each other"
        product = 1
        for ways in parts:
            product *= yield from order_race.race(ways, tick, max_bytes, (*caps, None))
        return product
    total = yield from order_race.race(parts[0], tick, max_bytes, caps[:1])
    if total >= 0:
        return total
    kind = _band_kind(puzzle.geometry, candidates)
    if kind:
        try:
            return (yield from band_join.count(puzzle.geometry, candidates, kind, tick, max_bytes))
        except OutOfTableMemory as reason:
            yield f"{reason}; cell by cell instead"
    return (yield from order_race.race(parts[0], tick, max_bytes, (*caps[1:], None)))


# The first that fits is taken; the last one fits everything.
STRATEGIES = (
    Strategy(
        lambda puzzle, candidates: _n_open(candidates) == 0,
        lambda puzzle, candidates: "singles settle every cell",
        _one_solution,
    ),
    Strategy(
        lambda puzzle, candidates: empty_9x9.fits(puzzle.geometry, candidates),
        lambda puzzle, candidates: "classes of first bands and what completes them",
        lambda puzzle, candidates, tick, max_bytes: empty_9x9.count(tick),
    ),
    Strategy(
        lambda puzzle, candidates: empty_two_row_boxes.fits(puzzle.geometry, candidates),
        lambda puzzle, candidates: "classes of what the boxes on the left have in their upper rows",
        lambda puzzle, candidates, tick, max_bytes: empty_two_row_boxes.count(puzzle.geometry.n_values // 2, tick),
    ),
    Strategy(
        lambda puzzle, candidates: latin.fits(puzzle),
        lambda puzzle, candidates: latin.describe(puzzle),
        latin.count,
    ),
    Strategy(
        lambda puzzle, candidates: box_fillings.fits(puzzle.geometry),
        lambda puzzle, candidates: "tables of what bands or stacks put into the lines across them",
        lambda puzzle, candidates, tick, max_bytes: band_tables.count(candidates, tick, max_bytes),
    ),
    Strategy(lambda puzzle, candidates: True, _describe_cells, _count_cells),
)
