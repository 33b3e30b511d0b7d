"""Every error raised on purpose.

SudokuError            bad input or a request that cannot be met; the message is for the user
    GeometryError      a board that cannot exist
    FormatError        text that is not what it should be; the message says where
    MethodError        an encoding, solver or method that cannot do what is asked on this board
        TooLargeError       a model that would take too much memory
    IncompleteError    a count that is not complete, used as a number
InternalError          our own fault; never the user's
StoppedError                no error: why a search ended before it was complete
    ProcessDiedError               its process ended without an answer
    ProcessHungError               its process went on after its time, and was ended
    InterruptedRunError        Ctrl-C
"""

from operator import index
from typing import SupportsIndex


class SudokuError(Exception):
    """Bad input, or a request that cannot be met. The message is one line, for the user.

    >>> import sudoku_encode as se
    >>> try:
    ...     se.count("1...............", "search", board="4x4", options=se.Options(seed=7))
    ... except se.SudokuError as error:
    ...     print(error)
    method search does not use the option seed; it uses none
    """


class GeometryError(SudokuError):
    """A board that cannot exist.

    >>> from sudoku_encode import board
    >>> board("9x8")
    Traceback (most recent call last):
    sudoku_encode.errors.GeometryError: 9x8: all sides must be equal
    """


class MethodError(SudokuError):
    """An encoding, solver or method that cannot do what is asked on this board.

    >>> from sudoku_encode import count
    >>> count("1...............", "jana2021", board="4x4")
    Traceback (most recent call last):
    sudoku_encode.errors.MethodError: method jana2021 does not fit 4x4: it is for cubes
    """


class TooLargeError(MethodError):
    """A model that would take too much memory; other methods may do without one."""


class IncompleteError(SudokuError):
    """A count that is not complete, used as a number.

    >>> import sudoku_encode as se
    >>> se.count("1...............", board="4x4", limits=se.Limits(solutions=2)) > 1
    Traceback (most recent call last):
    sudoku_encode.errors.IncompleteError: the count is not complete: at least 2 solutions (limit of 2); use .value
    """


class FormatError(SudokuError):
    """Text that is not what it should be.

    Args:
        message: what is wrong and what would be right.
        source: the file that the text is from, or a word for it, such as `stdin`.
        line: 1-based, where known.
        column: 1-based, where known.

    >>> str(FormatError("there is no value 7", source="puzzle.txt", line=2, column=5))
    'puzzle.txt:2:5: there is no value 7'
    """

    def __init__(self, message: str, source: str = "", line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part)
        text = f"{place}: {message}" if place else message
        # The names and texts of files may have characters that break the line, or move the cursor of a terminal.
        super().__init__(printable(text))


def printable(text: str) -> str:
    """Return a text with line breaks and other characters that cannot be printed as escape sequences."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def short(text: str, most: int = 40) -> str:
    """Return a text that can be shown on a line, cut off where it is longer than that."""
    # What is cut off need not be made printable first: it may be very long.
    text = printable(text[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."


def has_surrogates(text: str) -> bool:
    """Check for half of a surrogate pair, which no file in UTF-8 can hold."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def plural(noun: str, number: int) -> str:
    """Return a noun as it follows a number: `solution` after 1, else `solutions`."""
    return noun if number == 1 else f"{noun}s"


def whole_number(value: object, least: int, most: int | None = None) -> int | None:
    """Return a whole number of any type, such as one of numpy's, as Python's own; None for what is not one in a range.

    A truth value is not one, though Python calls it an int.
    """
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        number = index(value)
    except TypeError:
        # An array has the method, and refuses to be an index.
        return None
    return number if number >= least and (most is None or number <= most) else None


class InternalError(Exception):
    """Our own fault, such as a solution that breaks a rule: it must never reach a user as an answer.

    >>> issubclass(InternalError, SudokuError)
    False
    """


class StoppedError(Exception):
    """The search ended before it was known whether there are more solutions; the message says why.

    >>> from sudoku_encode import Limits, solutions
    >>> found = solutions("1...............", board="4x4", limits=Limits(solutions=2))
    >>> next(found).values[0], next(found).values[0]
    (np.uint8(1), np.uint8(1))
    >>> next(found)
    Traceback (most recent call last):
    sudoku_encode.errors.StoppedError: limit of 2
    """


class ProcessDiedError(StoppedError):
    """The process of a search ended by itself, or was killed, without an answer."""


class ProcessHungError(StoppedError):
    """The process of a search went on after its time was over, and was ended."""


class InterruptedRunError(StoppedError):
    """Ctrl-C was pressed during a search."""


def missing_package(package: str, what: str) -> str:
    """Return the message that an optional package is not installed: its extra, and a command that installs it.

    The command names the package: that of this program may be on no index.

    Args:
        package: its name on the package index.
        what: needs it, such as `a link`.
    """
    wanted, extra = requirement(package)
    named = f' (extra "{extra}" of this installation)' if extra else ""
    return f"{what} needs the package {package}{named}: pip install '{wanted}'"


def requirement(package: str) -> tuple[str, str]:
    """Return which versions of an optional package are right, as pip takes it, and the extra that it belongs to.

    They are read from what is installed; where that says nothing of the package, its name is all, without an extra.

    >>> requirement("py-lzstring")
    ('py-lzstring>=0.1.1', 'links')
    """
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = requires("sudoku-encode") or []
    except PackageNotFoundError:
        lines = []
    for line in lines:
        wanted, _, marker = line.partition(";")
        extra = re.search(r"""extra == ["']([\w-]+)["']""", marker)
        # The extra `all` has what belongs to the others.
        if extra and extra[1] != "all" and re.split(r"[<>=!~ \[]", wanted, maxsplit=1)[0] == package:
            return wanted.strip(), extra[1]
    return package, ""
