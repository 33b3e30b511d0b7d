"""How grids and progress are printed."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sudoku_encode.cli.reading import Source, remark

if TYPE_CHECKING:
    from sudoku_encode.puzzle import Grids, Puzzle


class Printer:
    """Prints grids; a board other than 9x9 is announced, so that the output can be read back."""

    def __init__(self, format: str | None, as_json: bool) -> None:
        self.format, self.as_json = format, as_json
        self.announced: tuple[str, tuple[str, ...]] = ("9x9", ("row", "column", "box"))

    def grid(self, number: int, puzzle: "Puzzle", grid: "Grids") -> None:
        """Print a grid of a puzzle."""
        from sudoku_encode.formats import write

        if self.as_json:
            self._json(number, "solution", grid.tolist())
            return
        board = puzzle.geometry
        announcement = board.name, board.rule_names
        if announcement != self.announced and self.format != "json":
            print(f"# board: {board.name}\n# rules: {','.join(board.rule_names)}")
            self.announced = announcement
        # Letters run out at 61 values, and nobody reads them much earlier.
        print(write(board, grid, self.format or ("line" if board.n_values <= 35 else "csv")))

    def no_grid(self, number: int, source: Source, status: str, sentence: str) -> None:
        """Print that there is no grid, and say why."""
        if self.as_json:
            self._json(number, status, None)
        elif source.many:
            print(f"# puzzle {number}: {status}")
        remark(f"{prefix(number, source)}{sentence}")

    def _json(self, number: int, status: str, solution: Any) -> None:
        print(json.dumps({"puzzle": number, "status": status, "solution": solution}))


def prefix(number: int, source: Source) -> str:
    """Name the puzzle, where there are several."""
    return f"puzzle {number}: " if source.many else ""


@contextmanager
def progress(first: str) -> "Iterator[Callable[[str], None]]":
    """Show what is being done, where a person is looking; yields what is to be told that, in a few words."""
    if not sys.stderr.isatty():
        yield lambda what: None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    spinner = Spinner("dots", first)
    # By default rich sends what is printed meanwhile to standard error, answers too.
    with Live(spinner, console=Console(stderr=True), transient=True, redirect_stdout=False):
        yield lambda what: spinner.update(text=what)
