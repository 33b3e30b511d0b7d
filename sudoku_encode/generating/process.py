"""Puzzles made in a process of their own: a SAT solver at a hard question hears no Ctrl-C for seconds."""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from sudoku_encode import generating
from sudoku_encode.errors import Stopped
from sudoku_encode.generating import Made, Wanted
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.child import allowed, apart

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
    """Yield what `generating.puzzles` yields for puzzles of some numbers, and raise what it raises."""
    settings = board, wanted, seed, numbers[-1], attempts, method, seconds, grid
    begin = partial(generating.puzzles, *settings, first=numbers[0])
    # What is wrong with it is said here and now.
    begin()

    def work(send: Callable[[tuple[str, Any]], None]) -> None:
        for one in begin(watch=lambda what: send(("doing", what))):
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
