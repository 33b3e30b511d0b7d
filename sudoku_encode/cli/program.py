"""The program `sudoku-encode`: it runs the command that is called, and says with which status it ended.

Results go to standard output, remarks and progress to standard error. Exit status: 0 answered; 1 a negative answer (no
solution, methods disagree); 2 bad input or usage; 3 incomplete (a limit, the system's too, such as a full disk; an
interrupt; a closed standard output); 70 a fault of our own; 141 the reader of standard output is gone.

Nothing here imports numpy or a solver before the command that needs it runs.
"""

import _thread
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NoReturn

import typer

from sudoku_encode.cli import completion
from sudoku_encode.cli.app import app
from sudoku_encode.cli.faults import INCOMPLETE, report
from sudoku_encode.cli.remarks import quiet, remark
from sudoku_encode.cli.streams import drop_unwritable, open_missing
from sudoku_encode.errors import SudokuError
from sudoku_encode.run import starting
from sudoku_encode.run.events import Event, Remark, observing
from sudoku_encode.run.interrupts import suspend_on_ctrl_z

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

# How long Ctrl-C waits that came while Python was freeing an object.
_PRESS_AGAIN_SECONDS = 0.01
# The frames of this file are those of `import`.
_IMPORTING = "<frozen importlib._bootstrap>"


def main() -> None:
    """Run the command line and exit. No traceback reaches a user but for a fault of our own."""
    open_missing()
    starting.program.owns_process = True
    quiet.set(False)
    presses = []

    def press(_: int, frame: "FrameType | None") -> NoReturn:
        if _is_importing(frame):
            # Compiled modules lose an error that is raised while they are loaded, and nothing is at work then.
            _end(_interrupted())
        presses.append(time.monotonic())
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, press)
    suspend_on_ctrl_z()
    sys.unraisablehook = _press_again
    with observing(_observe):
        try:
            status = _run_and_report(presses)
        except KeyboardInterrupt:
            # Ctrl-C was pressed again while the first press was handled.
            status = INCOMPLETE
    # All is printed. Python may still wait for a thread while it shuts down; then Ctrl-C ends that at once.
    signal.signal(signal.SIGINT, lambda *_: os._exit(status))
    if presses:
        _end(status)
    sys.exit(status)


def _press_again(ignored: "UnraisableHookArgs") -> None:
    """Have Ctrl-C come once more where Python ignored it, as it ignores all that is raised while an object is freed."""
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)
        return
    # A moment later, since what is raised here is ignored as well.
    again = threading.Timer(_PRESS_AGAIN_SECONDS, _interrupt_main_thread)
    again.daemon = True
    again.start()


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        # Unlike Python's own function it wakes a thread that waits in the system.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_importing(frame: "FrameType | None") -> bool:
    """Check whether a frame, or one that called it, loads a module."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            return True
        frame = frame.f_back
    return False


@cache
def _remark_once(text: str) -> None:
    """Print a remark once, though each compiled function and each process may emit it."""
    remark(text)


def _observe(event: Event) -> None:
    """Print remarks; the other events are for the observers of the commands."""
    if isinstance(event, Remark):
        _remark_once(event.text)


def _end(status: int) -> NoReturn:
    """Exit after Ctrl-C: Python would end itself by the signal if that ever passed through an `exec`, as numba has."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(status)


def _run_and_report(presses: list[float]) -> int:
    """Run the command line, report what ended it early, and return the exit status; `presses` are times of Ctrl-C."""
    try:
        status = _run(sys.argv[1:])
        # Python buffers output, so that an error of writing may come only now.
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except (Exception, SystemExit) as error:
        # A library may have turned Ctrl-C into an error of another kind while it was loaded.
        ours = isinstance(error, (SudokuError, typer.TyperException, BrokenPipeError))
        status = _interrupted() if presses and not ours else report(error)
    drop_unwritable()
    return status


def _interrupted() -> int:
    with suppress(OSError):
        print("interrupted", file=sys.stderr)
    return INCOMPLETE


def _run(arguments: list[str]) -> int:
    """Run the command line and return the exit status of its command.

    The app itself is not called: it would end the program with status 1 when the reader of its output is gone.
    """
    arguments = arguments or ["--help"]
    if arguments == ["--show-completion"]:
        arguments = [*arguments, completion.calling_shell()]
    command = typer.main.get_command(app)
    if completion.VARIABLE in os.environ:
        return completion.answer(command)
    try:
        with command.make_context("sudoku-encode", arguments) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return 0
