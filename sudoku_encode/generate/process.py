"""Puzzles made in a process of their own: a SAT solver at a hard question hears no Ctrl-C for seconds."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from sudoku_encode import generate
from sudoku_encode.apart import allowed, apart
from sudoku_encode.errors import Stopped
from sudoku_encode.generate import Made, Wanted
from sudoku_encode.geometry import Geometry
from sudoku_encode.puzzle import Grids, Puzzle

# Of `Made`, besides the puzzle: its board stays at home.
_FIELDS = ("solutions", "solution", "attempt", "reached", "minimal")


def puzzles(
    board: Geometry,
    wanted: Wanted,
    seed: int,
    numbers: range,
    attempts: int,
    method: str,
    seconds: float | None,
    grid: Grids | None,
    watch: Callable[[str], None],
) -> Iterator[Made | None]:
    """Yield what `generate.puzzles` yields for puzzles of some numbers, and raise what it raises."""
    told: list[Callable[[str], None]] = []
    making = generate.puzzles(
        *(board, wanted, seed, numbers[-1], attempts, method, seconds),
        grid=grid,
        watch=lambda what: told[0](what),  # noqa: PLW0108  -- it is not there yet
        first=numbers[0],
    )

    def work(send: Callable[[tuple[str, Any]], None]) -> None:
        told.append(lambda what: send(("doing", what)))
        for one in making:
            fields = one and (one.puzzle.givens, *(getattr(one, name) for name in _FIELDS))
            send(("made", fields))

    end = math.inf

    def tick() -> None:
        if time.monotonic() >= end:
            raise Stopped("time limit")

    def made() -> Iterator[Made | None]:
        nonlocal end
        messages = apart(work, tick)
        while True:
            # Whoever hears the clock stops by itself.
            end = math.inf if seconds is None else time.monotonic() + allowed(seconds)
            for kind, what in messages:
                if kind == "made":
                    yield what and Made(Puzzle.of(board, what[0]), *what[1:])
                    break
                watch(what)
            else:
                return

    return made()
