"""How grids and progress are printed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sudoku_encode.cli.reading import PuzzleInput, remark
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.run.events import Compiling, Event, Progress, emit, observing

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


class Printer:
    """Writes grids; a board other than 9x9 is announced, so that the output can be read back.

    Args:
        format: a key of TEXT_FORMATS, or None for one a line.
        as_json: whether each grid is a JSON object.
        put: takes the bytes; by default standard output, as text.
    """

    def __init__(self, format: str | None, as_json: bool, put: "Callable[[bytes], object] | None" = None) -> None:
        self.format, self.as_json = format, as_json
        self.put = put or _to_standard_output
        self.announced: tuple[str, tuple[str, ...]] = ("9x9", ("row", "column", "box"))

    def grid(self, number: int, puzzle: "Puzzle", grid: "Grids") -> None:
        """Write a grid of a puzzle."""
        self.grids(number, puzzle, grid[None])

    def grids(self, number: int, puzzle: "Puzzle", grids: "Grids") -> None:
        """Write some grids of a puzzle, (m, n_cells)."""
        from sudoku_encode.formats import bulk
        from sudoku_encode.formats.writing import write

        board = puzzle.geometry
        if self.as_json:
            for grid in grids:
                self._json(number, "solution", grid.tolist())
            return
        announcement = board.name, board.rule_names
        if announcement != self.announced and not TEXT_FORMATS[self.format or "line"].is_document:
            self._line(f"# board: {board.name}\n# rules: {','.join(board.rule_names)}")
            self.announced = announcement
        if self.format in (None, "line") and board.n_values <= bulk.LETTERS:
            self.put(bulk.lines(board, grids))
            return
        for grid in grids:
            self._line(write(board, grid, self.format or "csv"))

    def no_grid(self, number: int, source: PuzzleInput, status: str, sentence: str) -> None:
        """Write that a puzzle has no grid, and remark why."""
        if self.as_json:
            self._json(number, status, None)
        elif source.many:
            self._line(f"# puzzle {number}: {status}")
        remark(f"{prefix(number, source)}{sentence}")

    def _json(self, number: int, status: str, solution: Any) -> None:
        import json

        self._line(json.dumps({"puzzle": number, "status": status, "solution": solution}))

    def _line(self, text: str) -> None:
        self.put(f"{text}\n".encode())


def _to_standard_output(text: bytes) -> None:
    # Text that was printed before is in another buffer, and must come first.
    sys.stdout.flush()
    sys.stdout.buffer.write(text)


def prefix(number: int, source: PuzzleInput) -> str:
    """Return what a remark on a puzzle begins with: its number, where there are several."""
    return f"puzzle {number}: " if source.many else ""


@contextmanager
def progress(first: str, before: str = "") -> Iterator[None]:
    """Show a spinner with the progress of the work that is done meanwhile, if standard error is a terminal.

    Args:
        first: the text at first.
        before: what each later text begins with.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    spinner, last = Spinner("dots", first), first

    def show(event: Event) -> None:
        nonlocal last
        if isinstance(event, Compiling):
            spinner.update(text="compiling, once on this machine ..." if event.busy else last)
        elif isinstance(event, Progress):
            last = f"{before}{event.text}"
            spinner.update(text=last)
        else:
            emit(event)

    # By default rich redirects all that is printed meanwhile to standard error, answers too.
    with (
        Live(spinner, console=Console(stderr=True), transient=True, redirect_stdout=False),
        observing(show),
    ):
        yield
