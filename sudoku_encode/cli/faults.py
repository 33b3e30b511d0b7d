"""What ends a command early, as one line on standard error and an exit status."""

import errno
import sys
from collections.abc import Iterator
from contextlib import suppress

import typer

from sudoku_encode.cli.streams import output_is_closed
from sudoku_encode.errors import InternalError, Stopped, SudokuError, printable
from sudoku_encode.storage.outputs import FULL

BAD_INPUT, INCOMPLETE, INTERNAL = 2, 3, 70
# What a shell says of a program that wrote to a pipe which nobody reads.
BROKEN_PIPE = 128 + 13

# What a system says that gives no more open files, processes or memory.
_LIMITS = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
# How libraries say that they got no memory for their code, in whatever error they raise.
_NO_MEMORY = ("failed to map segment", "annot allocate memory", "std::bad_alloc")


def say(text: str) -> None:
    """Say something on one line, if anybody listens: an exception's text may be of any kind."""
    with suppress(OSError):
        print(f"sudoku-encode: {printable(' '.join(text.splitlines()))}", file=sys.stderr, flush=True)


def reported(error: BaseException) -> int:
    """Say what ended the command, and return the exit status."""
    if isinstance(error, BrokenPipeError):
        return BROKEN_PIPE
    if isinstance(error, SudokuError):
        say(str(error))
        return BAD_INPUT
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context else ""
        say(f"{error.format_message()}{where}")
        return BAD_INPUT
    if reason := _stopped(error):
        say(reason)
        return INCOMPLETE
    what = str(error) if isinstance(error, InternalError) else f"{type(error).__name__}: {error}"
    say(f"internal error, please report it: {what}")
    return INTERNAL


def _stopped(error: BaseException) -> str:
    """Say why the command could not end its work, where that is neither bad input nor a fault of ours; else nothing."""
    if isinstance(error, Stopped):
        return f"stopped: {error}"
    # What our own checks found is said, whatever led to it.
    causes = [error] if isinstance(error, InternalError) else _causes(error)
    if any(isinstance(one, MemoryError) or any(text in str(one) for text in _NO_MEMORY) for one in causes):
        return "stopped: there is not enough memory for this"
    if not isinstance(error, OSError):
        return ""
    if error.errno in FULL:
        return f"stopped: there is no space left to write: {error.strerror}"
    if error.errno in _LIMITS:
        return f"stopped: the system gives no more: {error.strerror}"
    if error.errno == errno.EBADF and output_is_closed():
        return "stopped: standard output is closed, so that nothing can be printed"
    # Python's own word where no folder can be written; it has no number for it.
    if "No usable temporary directory" in str(error):
        return f"stopped: {error.strerror}"
    return ""


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those that led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
