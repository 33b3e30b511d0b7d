"""Standard input, output and error, where the caller has closed them or their reader is gone."""

import os
import sys

# How /dev/null is opened in place of each stream: in the wrong mode, so that to read or to write it fails.
_MISSING = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def open_missing() -> None:
    """Open /dev/null where a standard stream is closed.

    Otherwise the next file that is opened gets its number, and messages for people would be written into it. Messages
    on standard error are dropped; to read standard input or to write standard output fails.
    """
    for number, mode in _MISSING:
        try:
            os.fstat(number)
        except OSError:
            # The system gives a new file the lowest number that is free, which is this one.
            os.set_inheritable(os.open(os.devnull, mode), True)
    # They stay open as long as the program runs.
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


def output_is_closed() -> bool:
    """Say whether standard output cannot be written at all."""
    try:
        import fcntl
    except ImportError:
        return False
    return fcntl.fcntl(1, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def drop_unwritable() -> None:
    """Drop what can no longer be written: Python would print an error about it when it ends, and change the status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def has_lines() -> bool:
    """Say whether standard output can take lines for drawing."""
    try:
        "─".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
