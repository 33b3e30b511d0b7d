"""Counting without listing: what the cells passed so far forbid is all that is remembered of them.

Chosen by board and puzzle: a transfer matrix over the cells (`transfer`, any board), groups of fillings of three
bands that are joined (`bands`, squares with three rows or columns of boxes), and for the 9x9 tables of what each band
puts into the columns (`tables`; `empty` when there are no givens). Counts are exact: they are added in as many
machine words as they need.
"""

from collections.abc import Callable, Generator, Iterator

from sudoku_encode.frontier import bands, boxes, empty, racing, tables, two_rows
from sudoku_encode.frontier.problem import propagated
from sudoku_encode.frontier.transfer import Full
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

__all__ = ["MAX_BYTES", "count", "explain", "plan", "refuses"]

# What the tables may take. Besides them there is the rest of the process, 200 MB or so.
MAX_BYTES = 2 * 10**9
# Boards below this side are done cell by cell: they are small, and joining bands has a cost of its own.
LEAST_BANDS = 9


def refuses(board: Geometry) -> str:
    """Refuse what does not fit a bit mask."""
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
        Stopped: by `tick`; or the tables would take more: its message starts with `memory limit`.
    """
    lines = _counted(puzzle, tick, max_bytes)
    while True:
        try:
            watch(next(lines))
        except StopIteration as end:
            return int(end.value)


def explain(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[str]:
    """Yield which way was chosen, how many states or groups each step had, and the number of solutions.

    Raises:
        Stopped: see `count`.
    """
    total = yield from _counted(puzzle, tick, max_bytes)
    yield f"{total:,} solution{'' if total == 1 else 's'}"


def plan(puzzle: Puzzle) -> str:
    """Say how a puzzle would be counted, without doing it."""
    candidates = propagated(puzzle)
    if candidates is None:
        return "singles find a contradiction"
    if (candidates.sum(axis=1) == 1).all():
        return "singles settle every cell"
    if empty.is_empty(puzzle.geometry, candidates):
        return "classes of first bands and what completes them"
    if two_rows.columns(puzzle.geometry, candidates):
        return "classes of what the boxes on the left have in their upper rows"
    if boxes.fits(puzzle.geometry):
        return "tables of what bands or stacks put into the lines across them"
    kind = bands.choice(puzzle.geometry, candidates) if puzzle.geometry.n_values >= LEAST_BANDS else ""
    if kind:
        return f"cell by cell while there are at most {racing.CAPS[0]:,} states; else by {kind}"
    return "cell by cell"


def _counted(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
    """Yield lines about each step, and return the count."""
    tick()
    candidates = propagated(puzzle)
    if candidates is None:
        yield "singles find a contradiction"
        return 0
    left = int((candidates.sum(axis=1) > 1).sum())
    yield f"singles leave {left} of {len(candidates)} cells open"
    if not left:
        return 1
    if empty.is_empty(puzzle.geometry, candidates):
        total, classes = empty.count(tick)
        yield f"{classes} classes of first bands"
        return total
    if width := two_rows.columns(puzzle.geometry, candidates):
        return (yield from two_rows.count(width, tick))
    if boxes.fits(puzzle.geometry):
        try:
            return (yield from tables.count(candidates, tick, max_bytes))
        except Full as reason:
            yield f"{reason}; without tables instead"
    parts = racing.ways(puzzle, candidates)
    if len(parts) > 1:
        yield f"they fall into {len(parts)} parts that do not bear on each other"
        product = 1
        for some in parts:
            product *= yield from racing.race(some, tick, max_bytes, (*racing.CAPS, None))
        return product
    total = yield from racing.race(parts[0], tick, max_bytes, racing.CAPS[:1])
    if total >= 0:
        return total
    kind = bands.choice(puzzle.geometry, candidates) if puzzle.geometry.n_values >= LEAST_BANDS else ""
    if kind:
        try:
            return (yield from bands.count(puzzle.geometry, candidates, kind, tick, max_bytes))
        except Full as reason:
            yield f"{reason}; cell by cell instead"
    return (yield from racing.race(parts[0], tick, max_bytes, (*racing.CAPS[1:], None)))
