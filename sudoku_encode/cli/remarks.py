"""What a person should read besides the answers, on standard error; --quiet leaves it out."""

import sys
from contextvars import ContextVar

from sudoku_encode.errors import printable

quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def set_quiet(wanted: bool) -> bool:
    """Leave remarks and progress out from now on, where that is wanted; what --quiet calls."""
    if wanted:
        quiet.set(True)
    return wanted


def remark(text: str) -> None:
    """Print a remark for people on standard error, on one line, even if it quotes a file or a library."""
    if not quiet.get():
        print(printable(text), file=sys.stderr)


def complain(text: object) -> None:
    """Print on standard error that an input is bad, also where remarks are left out."""
    print(printable(f"sudoku-encode: {text}"), file=sys.stderr)
