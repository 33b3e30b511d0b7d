"""Standard input, output and error, where the caller has closed them or nobody reads them any more."""

import os
import sys

# How a missing stream is opened instead: so that reading or writing fails where that would lose something.
_MISSING = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY))


def open_missing() -> None:
    """Open /dev/null where a standard stream is closed.

    Otherwise the next file that is opened gets its number, and what is meant for a person would be written into it.
    What is said on standard error is dropped; standard input cannot be read, nor standard output written.
    """
    for number, mode in _MISSING:
        try:
            os.fstat(number)
        except OSError:
            # It gets the lowest number that is free, which is this one.
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
    """Let what can no longer be written go nowhere: Python would complain of it when it ends, and change the status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
