"""In a notebook: puzzles and answers are shown as pictures and tables, and a cell that takes long says how far it is.

IPython is told which function shows objects of which class. So no class knows of pictures, which are on a floor above
most of them, and nothing is loaded before the first object is shown. Elsewhere nothing of this happens; `draw` makes
pictures anywhere.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from html import escape
from importlib import import_module
from typing import Any

from sudoku_encode.run.events import Compiling, Event, MethodChosen, Progress, observing

# By module and class, the function of `shown` that shows it.
SHOWN = {
    ("sudoku_encode.api.puzzles", "Grid"): "grid",
    ("sudoku_encode.encoders.encoding", "Encoding"): "encoding",
    ("sudoku_encode.generating.making", "GeneratedPuzzle"): "generated",
    ("sudoku_encode.proving.checking", "CheckedCount"): "checked_certificate",
    ("sudoku_encode.proving.making", "Certificate"): "certificate",
    ("sudoku_encode.puzzles.geometry", "Geometry"): "geometry",
    ("sudoku_encode.puzzles.puzzle", "Puzzle"): "puzzle",
    ("sudoku_encode.questions.candidates", "TrueCandidates"): "true_candidates",
    ("sudoku_encode.questions.checking", "NoSolution"): "no_solution",
    ("sudoku_encode.questions.checking", "Several"): "several",
    ("sudoku_encode.questions.checking", "Unique"): "unique",
    ("sudoku_encode.questions.checking", "Unknown"): "unknown",
    ("sudoku_encode.questions.hinting", "Hint"): "hint",
    ("sudoku_encode.questions.hinting", "SolvePath"): "worked",
    ("sudoku_encode.questions.rating", "Rating"): "rating",
    ("sudoku_encode.render.drawing", "Drawing"): "drawing",
    ("sudoku_encode.run.counting", "Count"): "count",
    ("sudoku_encode.verifying.report", "Report"): "report",
}
# A cell that takes less shows no progress.
DELAY_SECONDS = 0.5
# A browser need not draw more often.
_BETWEEN_SECONDS = 0.1


def set_up() -> None:
    """Tell the notebook that this process works for, if there is one, what shows our objects, and observe its cells."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    # A shell in a terminal has no kernel; it can show no pictures.
    if getattr(shell, "kernel", None) is None:
        return
    for (module, name), function in SHOWN.items():
        shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, _shown_by(function))
    # In the cell that imports the package, calls may take long too.
    _Cells(shell).begin()


def _shown_by(function: str) -> Callable[[Any], dict[str, str]]:
    """Return what shows an object by a function of `shown`, which is loaded then."""

    def show(found: Any) -> dict[str, str]:
        bundle: dict[str, str] = getattr(import_module("sudoku_encode.api.shown"), function)(found)
        return bundle

    return show


class _Cells:
    """Observes what happens while a cell of a notebook works."""

    def __init__(self, shell: Any) -> None:
        self._observing = ExitStack()
        self._bar = Bar()
        shell.events.register("pre_run_cell", self.begin)
        shell.events.register("post_run_cell", self.end)

    def begin(self, *_: object) -> None:
        """Observe from now on."""
        self._bar = Bar()
        self._observing.enter_context(observing(self._bar))

    def end(self, *_: object) -> None:
        """Observe no more, and take the bar away."""
        self._observing.close()
        self._bar.end()


class Bar:
    """Shows below a cell how far it is, from half a second on."""

    def __init__(self) -> None:
        self._began = self._drawn = time.monotonic()
        self._handle: Any = None
        self._text = ""

    def __call__(self, event: Event) -> None:
        """Show an event that says how far the work is, or what it waits for."""
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
        """Take the bar away, if there is one."""
        if self._handle is not None:
            self._show("")

    def _show(self, html: str) -> None:
        # Nothing in it has types.
        shown: Any = import_module("IPython.display")
        if self._handle is None:
            self._handle = shown.display(shown.HTML(html), display_id=True)
        else:
            self._handle.update(shown.HTML(html))
