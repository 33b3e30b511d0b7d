"""Show the progress of a notebook cell that takes long; see `notebook_views` for the objects that it shows."""

import time
from contextlib import ExitStack
from html import escape
from importlib import import_module
from typing import Any

from sudoku_encode.run.events import Compiling, Event, MethodChosen, Progress, observing

# A notebook cell shows no progress before.
DELAY_SECONDS = 0.5
# The least time between two updates of the bar.
_UPDATE_SECONDS = 0.1


def set_up() -> None:
    """If this process belongs to a notebook, show the progress of its cells."""
    from IPython import get_ipython

    shell: Any = get_ipython()
    # A shell in a terminal has no kernel and cannot show HTML.
    if getattr(shell, "kernel", None) is None:
        return
    # The notebook cell that imports the package is running already, and may make long calls after the import.
    _CellObserver(shell).begin()


class _CellObserver:
    """Observes the events while a notebook cell runs, and shows them in a bar."""

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
    """A progress bar below a notebook cell, which appears after `DELAY_SECONDS`. It is called with each event."""

    def __init__(self) -> None:
        self._began = self._drawn = time.monotonic()
        self._handle: Any = None
        self._text = ""

    def __call__(self, event: Event) -> None:
        """Show the progress, the method that was chosen, or that a kernel is being compiled; ignore other events."""
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
        if now - self._began >= DELAY_SECONDS and (self._handle is None or now - self._drawn >= _UPDATE_SECONDS):
            self._drawn = now
            self._show(f"<progress></progress> <small>{escape(self._text)} {now - self._began:.0f} s</small>")

    def end(self) -> None:
        """Remove the bar, if there is one."""
        if self._handle is not None:
            self._show("")

    def _show(self, html: str) -> None:
        # Its functions have no types.
        ipython: Any = import_module("IPython.display")
        if self._handle is None:
            self._handle = ipython.display(ipython.HTML(html), display_id=True)
        else:
            self._handle.update(ipython.HTML(html))
