"""Puzzles made in a process of their own: a SAT solver at a hard question hears no Ctrl-C for seconds."""

from collections.abc import Callable, Iterator
from typing import Any

from sudoku_encode import generate
from sudoku_encode.apart import apart
from sudoku_encode.generate import Made, Wanted
from sudoku_encode.geometry import Geometry
from sudoku_encode.puzzle import Grids, Puzzle


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
        for made in making:
            # The board stays at home.
            send(("made", made and (made.puzzle.givens, *(getattr(made, name) for name in _FIELDS))))

    return _made(board, apart(work, _never), watch)


_FIELDS = ("solutions", "solution", "attempt", "reached", "minimal")


def _never() -> None:
    pass


def _made(board: Geometry, messages: Iterator[tuple[str, Any]], watch: Callable[[str], None]) -> Iterator[Made | None]:
    for kind, what in messages:
        if kind == "doing":
            watch(what)
        else:
            yield what and Made(Puzzle.of(board, what[0]), *what[1:])
