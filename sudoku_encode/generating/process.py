"""Puzzles made in a process of their own: a SAT solver at a hard question looks at no deadline for seconds."""

from collections.abc import Callable, Iterator
from functools import partial

from sudoku_encode import generating
from sudoku_encode.errors import Interrupted, Stopped
from sudoku_encode.generating import Made, Wanted
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
) -> Iterator[Made | None]:
    """Yield what `generating.puzzles` yields for puzzles of some numbers, and raise what it raises."""
    begin = partial(
        generating.puzzles, board, wanted, seed, attempts=attempts, method=method, seconds=seconds, grid=grid
    )
    # What is wrong with it is said here and now.
    begin()
    return _made(lambda some: begin(first=some[0], many=some[-1]), numbers, Limits(seconds=seconds))


def _made(
    task: Callable[[list[int]], Iterator[Made | Stopped | None]], numbers: range, limits: Limits
) -> Iterator[Made | None]:
    for _, made in each(task, numbers, limits):
        if isinstance(made, Interrupted):
            # KeyboardInterrupt comes next.
            continue
        if isinstance(made, Stopped):
            raise made
        yield made
        if made is None:
            return
