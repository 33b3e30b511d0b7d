"""Standard streams that the caller closed or whose reader is gone, and remarks on standard error."""

import os
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import printable
from sudoku_encode.run.events import Event, MethodChosen, SolverFigures, emit

if TYPE_CHECKING:
    from sudoku_encode.run.asking import Numbered

# The fields of records for the figures of a solver, with --stats: those of `SolverFigures`.
STATS: dict[str, type] = {"solver": str}
STATS |= dict.fromkeys(("variables", "clauses", "conflicts", "decisions", "propagations", "restarts"), int)
STATS |= {"solver_seconds": float}

# The mode in which /dev/null replaces each stream: the wrong one, so that reading or writing fails.
_MISSING = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def open_missing() -> None:
    """Open /dev/null in place of each closed standard stream.

    Otherwise the next opened file would get its number, and messages would be written into it. Messages on standard
    error are dropped; reading standard input or writing standard output fails.
    """
    for number, mode in _MISSING:
        try:
            os.fstat(number)
        except OSError:
            # The system gives a new file the lowest free number, which is this one.
            os.set_inheritable(os.open(os.devnull, mode), True)
    # They stay open as long as the program runs.
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


def output_is_closed() -> bool:
    """Return whether standard output cannot be written at all."""
    try:
        import fcntl
    except ImportError:
        return False
    return fcntl.fcntl(1, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def drop_unwritable() -> None:
    """Drop output that can no longer be written, since Python would report it at its end and change the status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def has_lines() -> bool:
    """Return whether standard output can show line-drawing characters."""
    try:
        "─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# Remarks for people on standard error, which --quiet suppresses.

quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def set_quiet(is_given: bool) -> bool:
    """Suppress remarks and progress from now on, if --quiet is given."""
    if is_given:
        quiet.set(True)
    return is_given


def remark(text: str) -> None:
    """Print a remark on one line of standard error, even if it quotes a file or a library."""
    if not quiet.get():
        print(printable(text), file=sys.stderr)


def complain(text: object) -> None:
    """Print an error about an input on standard error, also with --quiet."""
    print(printable(f"sudoku-encode: {text}"), file=sys.stderr)


class Choices:
    """Collects the methods that `auto` chooses and the figures of solvers, for the records of puzzles.

    Args:
        is_told: whether to tell people of a choice.
        stats: whether records contain the figures of the solver.
    """

    def __init__(self, is_told: Callable[[MethodChosen], bool], stats: bool = False) -> None:
        self._chosen: list[MethodChosen] = []
        self._figures: SolverFigures | None = None
        self._is_told, self._stats = is_told, stats

    def observe(self, item: "Numbered", event: Event) -> None:
        """Note a choice or figures; emit other events."""
        if isinstance(event, SolverFigures):
            self._figures = event
            return
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        self._chosen.append(event)
        if self._is_told(event):
            remark(f"by {event}")

    def take(self) -> dict[str, Any]:
        """Return the choices and figures for the next puzzle, as fields of its record."""
        fields: dict[str, Any] = {"chosen": [str(event) for event in self._chosen]}
        if self._stats:
            figures = self.take_figures()
            fields["work"] = None if figures is None else figures.fields
        self._chosen, self._figures = [], None
        return fields

    def take_figures(self) -> SolverFigures | None:
        """Return the figures of the solver that answered the next puzzle; None if another method answered it."""
        # Before `auto` chooses another method, it may have tried a SAT solver, which did not answer.
        by_solver = not self._chosen or self._chosen[-1].is_solver
        figures, self._figures = self._figures, None
        return figures if by_solver else None
