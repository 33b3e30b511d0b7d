"""Notebooks show puzzles and answers as pictures and tables, and the progress of a cell that takes long.

IPython gets a table of the functions that show objects of each class. So no class depends on pictures, which are on a
floor above most of them, and nothing is loaded before the first object is shown. This happens only in notebooks; `draw`
makes pictures anywhere.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from html import escape
from importlib import import_module
from typing import Any

from sudoku_encode.run.events import Compiling, Event, MethodChosen, Progress, observing

# The function of `notebook_views` for each module and class.
SHOWN = {
    ("sudoku_encode.api.puzzles", "Grid"): "grid",
    ("sudoku_encode.encoders.encoding", "Encoding"): "encoding",
    ("sudoku_encode.generating.making", "GeneratedPuzzle"): "generated",
    ("sudoku_encode.proving.checking", "CheckedCount"): "checked_certificate",
    ("sudoku_encode.proving.making", "Certificate"): "certificate",
    ("sudoku_encode.puzzles.geometry", "Geometry"): "geometry",
    ("sudoku_encode.puzzles.puzzle", "Puzzle"): "puzzle",
    ("sudoku_encode.questions.true_candidates", "TrueCandidates"): "true_candidates",
    ("sudoku_encode.questions.checking", "NoSolution"): "no_solution",
    ("sudoku_encode.questions.checking", "Several"): "several",
    ("sudoku_encode.questions.checking", "Unique"): "unique",
    ("sudoku_encode.questions.checking", "Unknown"): "unknown",
    ("sudoku_encode.questions.hinting", "Hint"): "hint",
    ("sudoku_encode.questions.hinting", "SolvePath"): "solve_path",
    ("sudoku_encode.questions.rating", "Rating"): "rating",
    ("sudoku_encode.render.drawing", "Drawing"): "drawing",
    ("sudoku_encode.run.counting", "Count"): "count",
    ("sudoku_encode.verifying.report", "Report"): "report",
}
# A faster cell shows no progress.
DELAY_SECONDS = 0.5
# The bar is drawn at most this often.
_BETWEEN_SECONDS = 0.1


def set_up() -> None:
    """If this process belongs to a notebook, register the functions that show our objects, and observe its cells."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    # A shell in a terminal has no kernel and cannot show pictures.
    if getattr(shell, "kernel", None) is None:
        return
    for (module, name), function in SHOWN.items():
        shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, _lazy_view(function))
    # Calls in the cell that imports the package may take long too.
    _Cells(shell).begin()


def _lazy_view(function: str) -> Callable[[Any], dict[str, str]]:
    """Return a function that loads `notebook_views` and calls a function of it."""

    def show(value: Any) -> dict[str, str]:
        bundle: dict[str, str] = getattr(import_module("sudoku_encode.api.notebook_views"), function)(value)
        return bundle

    return show


class _Cells:
    """Observes the events while a cell of a notebook runs."""

    def __init__(self, shell: Any) -> None:
        self._observing = ExitStack()
        self._bar = Bar()
        shell.events.register("pre_run_cell", self.begin)
        shell.events.register("post_run_cell", self.end)

    def begin(self, *_: object) -> None:
        """Start observing."""
        self._bar = Bar()
        self._observing.enter_context(observing(self._bar))

    def end(self, *_: object) -> None:
        """Stop observing, and remove the bar."""
        self._observing.close()
        self._bar.end()


class Bar:
    """Shows the progress below a cell, from half a second on."""

    def __init__(self) -> None:
        self._began = self._drawn = time.monotonic()
        self._handle: Any = None
        self._text = ""

    def __call__(self, event: Event) -> None:
        """Show an event that tells the progress, or what the work waits for."""
        match event:
            case Progress(text):
                self._text = text
            case MethodChosen():
                self._text = f"{event} ..."
            case Compiling(busy=True):
                self._text = "compiling, once on this machine ..."
            case _:
                return
        now = time.monotonic()
        if now - self._began >= DELAY_SECONDS and (self._handle is None or now - self._drawn >= _BETWEEN_SECONDS):
            self._drawn = now
            self._show(f"<progress></progress> <small>{escape(self._text)} {now - self._began:.0f} s</small>")

    def end(self) -> None:
        """Remove the bar, if there is one."""
        if self._handle is not None:
            self._show("")

    def _show(self, html: str) -> None:
        # The module has no types.
        ipython: Any = import_module("IPython.display")
        if self._handle is None:
            self._handle = ipython.display(ipython.HTML(html), display_id=True)
        else:
            self._handle.update(ipython.HTML(html))
