"""Printing of grids and of the progress."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import quiet, remark
from sudoku_encode.run import machine
from sudoku_encode.run.events import Compiling, Event, Progress, emit, observing

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


# No progress is shown for this time after something was printed on the same terminal.
_HIDDEN_SECONDS = 0.3
# The interval between lines of progress without a terminal.
_REMARK_SECONDS = 60.0


class Printer:
    """Writes grids, and the name of each board other than 9x9, so that the output can be read back.

    Args:
        format: a key of TEXT_FORMATS, or None for one grid per line.
        put: called with the bytes; by default they go to standard output.
    """

    def __init__(self, format: str | None, put: "Callable[[bytes], object] | None" = None) -> None:
        self.format = format
        self.put = put or _to_standard_output
        self.announced: tuple[str, tuple[str, ...]] = ("9x9", ("row", "column", "box"))

    def grid(self, puzzle: "Puzzle", grid: "Grids") -> None:
        """Write a grid of a puzzle."""
        self.grids(puzzle, grid[None])

    def grids(self, puzzle: "Puzzle", grids: "Grids") -> None:
        """Write some grids of a puzzle, (m, n_cells)."""
        from sudoku_encode.formats import bulk
        from sudoku_encode.formats.writing import write

        board = puzzle.geometry
        announcement = board.name, board.rule_names
        if announcement != self.announced and not TEXT_FORMATS[self.format or "line"].is_document:
            self.line(f"# board: {board.name}\n# rules: {','.join(board.rule_names)}")
            self.announced = announcement
        if self.format in (None, "line") and board.n_values <= bulk.LETTERS:
            self.put(bulk.lines(board, grids))
            return
        for grid in grids:
            self.line(write(board, grid, self.format or "csv"))

    def line(self, text: str) -> None:
        """Write a line."""
        self.put(f"{text}\n".encode())


def _to_standard_output(text: bytes) -> None:
    # Text printed earlier is in another buffer, and must come first.
    sys.stdout.flush()
    sys.stdout.buffer.write(text)


def prefix(number: int, source: PuzzleInput) -> str:
    """Return the beginning of a remark on a puzzle: its number, if there are several puzzles."""
    return f"puzzle {number}: " if source.many else ""


class ProgressDisplay:
    """A display of the progress; this one shows nothing."""

    def advance(self, n_done: int) -> None:
        """Count more puzzles as done."""

    def hide(self) -> None:
        """Hide the display for a moment, since something is printed on the same terminal."""


class _Bar(ProgressDisplay):
    """A line with a bar or a spinner, the number of finished puzzles, their rate, and the remaining time.

    Args:
        first: the first text.
        total: the number of puzzles; None if unknown.
    """

    def __init__(self, first: str, total: int | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

        columns = [SpinnerColumn("dots"), TextColumn("{task.description}", markup=False)]
        if total == 1:
            # A single puzzle has no other measure of its progress.
            columns += [TextColumn("{task.elapsed:.0f} s")]
        else:
            columns += [BarColumn(), TextColumn("{task.fields[done]}"), TimeRemainingColumn(compact=True)]
        # By default rich would redirect everything printed meanwhile, even answers, to standard error.
        self.display = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
        self._task = self.display.add_task(first, total=total, done="")
        self._total, self._begun, self._n_done, self._text = total, time.monotonic(), 0, first
        self._hidden_until = 0.0

    def hide(self) -> None:
        if sys.stdout.isatty():
            self.display.stop()
            self._hidden_until = time.monotonic() + _HIDDEN_SECONDS

    def _show(self) -> None:
        if self._hidden_until and time.monotonic() >= self._hidden_until:
            self.display.start()
            self._hidden_until = 0.0

    def advance(self, n_done: int) -> None:
        self._show()
        self._n_done += n_done
        rate = self._n_done / max(1e-9, time.monotonic() - self._begun)
        of = "" if self._total is None else f" of {self._total:,}"
        done = f"{self._n_done:,}{of} puzzles, {rate:,.0f} a second" if self._n_done > 1 or of else ""
        self.display.update(self._task, advance=n_done, done=done)

    def observe(self, event: Event) -> None:
        """Show events of progress; emit the others."""
        self._show()
        if isinstance(event, Compiling):
            text = "compiling, once on this machine ..." if event.busy else self._text
            self.display.update(self._task, description=text)
        elif isinstance(event, Progress):
            self._text = event.text
            self.display.update(self._task, description=self._text)
        else:
            emit(event)


class _Lines(ProgressDisplay):
    """A remark per minute on the number of finished puzzles, for use without a terminal.

    Args:
        total: the number of puzzles; None if unknown.
        clock: returns the time in seconds.
    """

    def __init__(self, total: int | None, clock: Callable[[], float]) -> None:
        self._total, self._clock, self._n_done, self._last = total, clock, 0, clock()

    def advance(self, n_done: int) -> None:
        self._n_done += n_done
        if self._clock() - self._last >= _REMARK_SECONDS:
            self._last = self._clock()
            of = "" if self._total is None else f" of {self._total:,}"
            remark(f"{self._n_done:,}{of} puzzles are done")


@contextmanager
def progress(
    first: str,
    total: Callable[[], int | None] = lambda: 1,
    *,
    as_lines: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ProgressDisplay]:
    """Show the progress of the work in this context, if standard error is a terminal and --quiet is not given.

    Args:
        first: the first text.
        total: returns the number of puzzles, None if unknown; called only if it is shown.
        as_lines: print a line per minute if standard error is not a terminal, for work that takes hours.
        clock: returns the time in seconds, for those lines.
    """
    if quiet.get() or not sys.stderr.isatty():
        yield _Lines(total(), clock) if as_lines and not quiet.get() else ProgressDisplay()
        return
    bar = _Bar(first, total())
    live = bar.display.live
    quiet_threads = machine.quiet_threads(live._lock, lambda thread: getattr(thread, "live", None) is live)
    with quiet_threads, bar.display, observing(bar.observe):
        yield bar


# A spreadsheet takes a text that begins with one of these as a formula, which may even run a program. The last four are
# the wide forms of the first four, which some spreadsheets treat the same.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def plain_text(value: str) -> str:
    """Return a text for a CSV table, after an apostrophe if a spreadsheet would take it for a formula."""
    return f"'{value}" if value.startswith(_FORMULA_SIGNS) else value


def cell(value: Any) -> str:
    """Return a value as text for a table; empty for None."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


# Records as text.


def as_json(record: Any) -> str:
    """Return a record, or a value in one, as JSON."""
    # Imported here, as `csv` is: they take long to load, and text needs neither.
    import json

    return json.dumps(record)


def row(values: Iterable[Any]) -> str:
    """Return values as a CSV row; a list is a grid, which becomes one field."""
    from sudoku_encode.formats.tables import csv_row

    return csv_row(cell(value) for value in values)


def grid_texts(board: "Geometry", grids: "Grids", form: str) -> list[str]:
    """Return the text of each grid, (m, n_cells), as a JSON list, or else as `bulk.texts`."""
    if form != "json":
        from sudoku_encode.formats import bulk

        return bulk.texts(board, grids)
    n_cells = grids.shape[1]
    if not board.first:
        grids = grids - 1
    if not len(grids) or grids.max() > 9:
        return [f"[{', '.join(map(str, grid.tolist()))}]" for grid in grids]
    import numpy as np

    # Digits at equal distances in a text that is otherwise the same.
    pattern = f"[{', '.join('0' * n_cells)}]"
    text = np.tile(np.frombuffer(pattern.encode(), np.uint8), (len(grids), 1))
    text[:, 1 : 3 * n_cells : 3] += grids
    whole, width = text.tobytes().decode(), len(pattern)
    return [whole[at : at + width] for at in range(0, len(whole), width)]
