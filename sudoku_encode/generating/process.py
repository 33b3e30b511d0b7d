"""Puzzles generated in a process of its own: on a hard question a SAT solver checks no deadline for seconds."""

from collections.abc import Callable, Iterator
from functools import partial

from sudoku_encode.errors import Interrupted, Stopped
from sudoku_encode.generating import making
from sudoku_encode.generating.making import Generated, Wanted
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.each import each
from sudoku_encode.run.limits import Limits


def puzzles(
    board: Geometry,
    wanted: Wanted,
    seed: int,
    numbers: range,
    attempts: int,
    method: str,
    seconds: float | None,
    grid: Grids | None,
) -> Iterator[Generated | None]:
    """Yield the puzzles of some numbers as `making.puzzles` does, and raise what it raises."""
    begin = partial(making.puzzles, board, wanted, seed, attempts=attempts, method=method, seconds=seconds, grid=grid)
    # It raises MethodError at once where an argument is wrong; nothing is generated before its iterator is read.
    begin()
    return _unwrapped(lambda chunk: begin(first=chunk[0], many=chunk[-1]), numbers, Limits(seconds=seconds))


def _unwrapped(
    task: Callable[[list[int]], Iterator[Generated | Stopped | None]], numbers: range, limits: Limits
) -> Iterator[Generated | None]:
    """Yield the puzzles that a task generates in another process; raise Stopped where that is the answer."""
    for _, answer in each(task, numbers, limits):
        if isinstance(answer, Interrupted):
            # `each` raises KeyboardInterrupt next.
            continue
        if isinstance(answer, Stopped):
            raise answer
        yield answer
        if answer is None:
            return
