"""What ends a command early, as one line on standard error and an exit status."""

import errno
import sys
from collections.abc import Iterator
from contextlib import suppress

import typer

from sudoku_encode.cli.streams import output_is_closed
from sudoku_encode.errors import InternalError, StoppedError, SudokuError, printable
from sudoku_encode.storage.outputs import FULL

BAD_INPUT, INCOMPLETE, INTERNAL = 2, 3, 70
# The status that a shell gives a program which wrote to a pipe whose reader is gone: it was ended by SIGPIPE.
BROKEN_PIPE = 128 + 13

# The errors of a system that gives no more open files, processes or memory.
_SYSTEM_LIMITS = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
# What the errors of libraries say that got no memory for their code.
_NO_MEMORY = ("failed to map segment", "annot allocate memory", "std::bad_alloc")


def print_fault(text: str) -> None:
    """Print an error on one line of standard error, if that is open; an exception's text may have any characters."""
    with suppress(OSError):
        print(f"sudoku-encode: {printable(' '.join(text.splitlines()))}", file=sys.stderr, flush=True)


def report(error: BaseException) -> int:
    """Print what ended the command, and return the exit status."""
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    if isinstance(error, SudokuError):
        print_fault(str(error))
        return BAD_INPUT
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        print_fault(f"{_plain(error.format_message())}{where}")
        return BAD_INPUT
    if reason := _stop_reason(error):
        print_fault(reason)
        return INCOMPLETE
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    print_fault(f"internal error, please report it: {what}")
    return INTERNAL


def _plain(message: str) -> str:
    """Return a message of typer in the words of people: it names the types of numbers as its code does."""
    for words, plain in (("a valid int range", "a whole number"), ("a valid int", "a whole number")):
        message = message.replace(words, plain)
    return message.replace("a valid float range", "a number").replace("a valid float", "a number")


def _stop_reason(error: BaseException) -> str:
    """Return why the command could not end its work; an empty string for bad input or a fault of our own."""
    if isinstance(error, StoppedError):
        return f"stopped: {error}"
    # A fault that our own checks found is reported as such, even where an error of memory led to it.
    causes = [error] if isinstance(error, InternalError) else _causes(error)
    if any(isinstance(cause, MemoryError) or any(text in str(cause) for text in _NO_MEMORY) for cause in causes):
        return "stopped: there is not enough memory for this"
    if not isinstance(error, OSError):
        return ""
    if error.errno in FULL:
        return f"stopped: there is no space left to write: {error.strerror}"
    if error.errno in _SYSTEM_LIMITS:
        return f"stopped: the system gives no more: {error.strerror}"
    if error.errno == errno.EBADF and output_is_closed():
        return "stopped: standard output is closed, so that nothing can be printed"
    # Python raises this where no folder can be written; it has no `errno`.
    if "No usable temporary directory" in str(error):
        return f"stopped: {error.strerror}"
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and the errors that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
