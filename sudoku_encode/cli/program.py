"""The program `sudoku-encode`: it runs a command, reports errors, and returns the exit status.

Results go to standard output, remarks and progress to standard error. Exit status: 0 answered; 1 a negative answer (no
solution, methods disagree); 2 bad input or usage; 3 incomplete (a limit, also of the system, such as a full disk; an
interrupt; a closed standard output); 70 internal error; 141 the reader of standard output is gone.

Nothing here imports numpy or a solver before the command that needs it runs.
"""

import _thread
import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, NoReturn

import typer

from sudoku_encode.cli import completion
from sudoku_encode.cli.app import app
from sudoku_encode.errors import InternalError, StoppedError, SudokuError, printable
from sudoku_encode.report.streams import drop_unwritable, open_missing, output_is_closed, quiet, remark
from sudoku_encode.run import machine
from sudoku_encode.run.events import Compiling, Event, Remark, observing
from sudoku_encode.run.machine import suspend_on_ctrl_z
from sudoku_encode.storage.outputs import FULL

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import CodeType, FrameType


BAD_INPUT, INCOMPLETE, INTERNAL = 2, 3, 70
# The status that a shell reports for a program ended by SIGPIPE, after the reader of its pipe closed it.
BROKEN_PIPE = 128 + 13

# The system's errors for too many open files or processes, or no memory.
_SYSTEM_LIMITS = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
# The messages of libraries that got no memory for their code.
_NO_MEMORY = ("failed to map segment", "annot allocate memory", "std::bad_alloc")
# A Ctrl-C that came while Python was freeing an object is repeated after this time.
_PRESS_AGAIN_SECONDS = 0.01
# The file of the frames of `import`.
_IMPORTING = "<frozen importlib._bootstrap>"


def main() -> None:
    """Run the command line and exit, without a traceback."""
    open_missing()
    machine.program.owns_process = True
    quiet.set(False)
    presses = []

    def press(_: int, frame: "FrameType | None") -> None:
        if _is_importing(frame):
            # Compiled modules lose an error raised while they are loaded, and no work has begun.
            _end(_interrupted())
        if _is_called_by(frame, _press_again.__code__):
            # On a busy machine the second press may come before the function that asked for it ends.
            _press_soon()
            return
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
    # Everything is printed. Python may still wait for a thread while it shuts down; Ctrl-C ends that at once.
    signal.signal(signal.SIGINT, lambda *_: os._exit(status))
    if presses:
        _end(status)
    sys.exit(status)


def _press_again(ignored: "UnraisableHookArgs") -> None:
    """Repeat a Ctrl-C that Python ignored, as it ignores all errors raised while an object is freed."""
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)
        return
    # A moment later, since an error raised here is ignored as well.
    _press_soon()


def _press_soon() -> None:
    again = threading.Timer(_PRESS_AGAIN_SECONDS, _interrupt_main_thread)
    again.daemon = True
    again.start()


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        # Unlike Python's own function, it wakes a thread that waits in a system call.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()


def _is_called_by(frame: "FrameType | None", code: "CodeType") -> bool:
    """Return whether a frame, or one of its callers, runs some code."""
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False


def _is_importing(frame: "FrameType | None") -> bool:
    """Return whether a frame, or one of its callers, loads a module."""
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
    """Print remarks, and that compiling takes long; other events are for the commands' observers."""
    if isinstance(event, Remark):
        _remark_once(event.text)
    elif isinstance(event, Compiling) and event.seconds:
        _remark_once("compiling, once on this machine ...")


def _end(status: int) -> NoReturn:
    """Exit after Ctrl-C; otherwise Python would end by the signal if it passed through an `exec`, as in numba."""
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(status)


def _run_and_report(presses: list[float]) -> int:
    """Run the command line, report any error, and return the exit status; `presses` lists the times of Ctrl-C."""
    try:
        status = _run(sys.argv[1:])
        # Python buffers output, so a write error may come only now.
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = _interrupted()
    except (Exception, SystemExit) as error:
        # A library may have turned Ctrl-C into another error while it was loaded.
        is_expected = isinstance(error, (SudokuError, typer.TyperException, BrokenPipeError))
        status = _interrupted() if presses and not is_expected else report(error)
    drop_unwritable()
    return status


def _interrupted() -> int:
    with suppress(OSError):
        print("interrupted", file=sys.stderr)
    return INCOMPLETE


def _run(arguments: list[str]) -> int:
    """Run the command line and return the exit status of its command."""
    # The app itself is not called: it would end the program with status 1 when the reader of its output is gone.
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


# Errors that end a command: one line on standard error, and an exit status.


def print_fault(text: str) -> None:
    """Print an error on one line of standard error, if it is open; the text may contain any characters."""
    with suppress(OSError):
        print(f"sudoku-encode: {printable(' '.join(text.splitlines()))}", file=sys.stderr, flush=True)


def report(error: BaseException) -> int:
    """Print the error that ended the command, and return the exit status."""
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    if isinstance(error, SudokuError):
        print_fault(str(error))
        return BAD_INPUT
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        print_fault(f"{_in_plain_words(error.format_message())}{where}")
        return BAD_INPUT
    if reason := _stop_reason(error):
        print_fault(reason)
        return INCOMPLETE
    text = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    print_fault(f"internal error, please report it: {text}")
    return INTERNAL


def _in_plain_words(message: str) -> str:
    """Return a message of typer with plain words for the types of numbers."""
    message = message.replace("a valid int range", "a whole number").replace("a valid int", "a whole number")
    return message.replace("a valid float range", "a number").replace("a valid float", "a number")


def _stop_reason(error: BaseException) -> str:
    """Return the reason why the command stopped early; empty for bad input or an internal error."""
    if isinstance(error, StoppedError):
        return f"stopped: {error}"
    # A fault found by our own checks is reported as internal, even if lack of memory led to it.
    causes = [error] if isinstance(error, InternalError) else _causes(error)
    if any(isinstance(cause, MemoryError) or any(text in str(cause) for text in _NO_MEMORY) for cause in causes):
        return "stopped: not enough memory"
    if not isinstance(error, OSError):
        return ""
    if error.errno in FULL:
        return f"stopped: no space left to write: {error.strerror}"
    if error.errno in _SYSTEM_LIMITS:
        return f"stopped: a limit of the system was reached: {error.strerror}"
    if error.errno == errno.EBADF and output_is_closed():
        return "stopped: standard output is closed"
    # Python raises this if no temporary folder can be written; it has no `errno`.
    if "No usable temporary directory" in str(error):
        return f"stopped: {error.strerror}"
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and the errors that caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
