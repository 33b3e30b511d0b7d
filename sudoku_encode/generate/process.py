"""Puzzles made in a process of their own: a SAT solver at a hard question hears no Ctrl-C for seconds."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from sudoku_encode import generate
from sudoku_encode.errors import Stopped
from sudoku_encode.generate import Made, Wanted
from sudoku_encode.geometry import Geometry
from sudoku_encode.puzzle import Grids, Puzzle
from sudoku_encode.solvers.apart import apart


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
    """Yield what `generate.puzzles` yields for puzzles of some numbers, and raise what it raises.

    The process starts at once, not when the first puzzle is asked for.
    """
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)

    def told(what: str) -> None:
        # Who does not look does not need to know.
        with suppress(BlockingIOError):
            os.write(write, f"{what}\n".encode())

    making = generate.puzzles(
        *(board, wanted, seed, numbers[-1], attempts, method, seconds), grid=grid, watch=told, first=numbers[0]
    )

    def work() -> Iterator[Any]:
        yield "ready"
        try:
            for made in making:
                yield made and (
                    made.puzzle.givens,
                    made.solutions,
                    made.solution,
                    made.attempt,
                    made.reached,
                    made.minimal,
                )
        except Stopped as reason:
            yield str(reason)

    def tick() -> None:
        with suppress(BlockingIOError):
            watch(os.read(read, 1 << 16).decode().splitlines()[-1])

    running = apart(work, tick)
    next(running)
    return _made(board, running, (read, write))


def _made(board: Geometry, running: Iterator[Any], pipe: tuple[int, int]) -> Iterator[Made | None]:
    try:
        for what in running:
            if isinstance(what, str):
                raise Stopped(what)
            yield what and Made(Puzzle.of(board, what[0]), *what[1:])
    finally:
        for end in pipe:
            os.close(end)
