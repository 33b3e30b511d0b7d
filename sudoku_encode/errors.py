"""All errors that are raised on purpose.

SudokuError              bad input or an impossible request; the message is for the user
    GeometryError        a board that cannot exist
    FormatError          invalid text; the message says where
        NoFormatError    text in none of the usual formats, which may be in another style
    MethodError          an encoding, solver or method does not support a request on a board
        TooLargeError    a model that would take too much memory
    IncompleteError      an incomplete count, used as a number
InternalError            a bug in this program
StoppedError             not an error: the reason why a search ended before it was complete
    ProcessDiedError     its process ended without an answer
    ProcessHungError     its process ran on after its time limit, and was killed
    InterruptedRunError  Ctrl-C
"""

from collections.abc import Callable
from functools import wraps
from operator import index
from typing import ParamSpec, SupportsIndex, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class SudokuError(Exception):
    """Bad input, or an impossible request. The message is one line, for the user.

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
    """An encoding, solver or method that does not support a request on a board.

    >>> from sudoku_encode import count
    >>> count("1...............", "jana2021", board="4x4")
    Traceback (most recent call last):
    sudoku_encode.errors.MethodError: method jana2021 does not fit 4x4: it supports only cubes
    """


class TooLargeError(MethodError):
    """A model that would take too much memory; other methods may not need a model."""


class IncompleteError(SudokuError):
    """An incomplete count, used as a number.

    >>> import sudoku_encode as se
    >>> se.count("1...............", board="4x4", limits=se.Limits(solutions=2)) > 1
    Traceback (most recent call last):
    sudoku_encode.errors.IncompleteError: the count is not complete: at least 2 solutions (limit of 2); use .value
    """


class FormatError(SudokuError):
    """Invalid text.

    Args:
        message: the fault, and what is expected.
        source: the file of the text, or a word for it, such as `stdin`.
        line: 1-based, if known.
        column: 1-based, if known.

    >>> str(FormatError("there is no value 7", source="puzzle.txt", line=2, column=5))
    'puzzle.txt:2:5: there is no value 7'
    """

    def __init__(self, message: str, source: str = "", line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part)
        text = f"{place}: {message}" if place else message
        # Names and texts of files may contain characters that break the line, or move the cursor of a terminal.
        super().__init__(printable(text))


class NoFormatError(FormatError):
    """A text in none of the usual formats; it may be in another style."""


def printable(text: str) -> str:
    """Return a text in which line breaks and other unprintable characters are escape sequences."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def short(text: str, most: int = 40) -> str:
    """Return a text that fits on one line, cut off after `most` characters."""
    # The rest may be very long, so it is cut off before the text is made printable.
    text = printable(text[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."


def repr_of_fields(value: object) -> str:
    """Return the `repr` of a dataclass with the fields that are not None."""
    fields = ", ".join(f"{name}={content!r}" for name, content in vars(value).items() if content is not None)
    return f"{type(value).__name__}({fields})"


def has_surrogates(text: str) -> bool:
    """Check for half of a surrogate pair, which no file in UTF-8 can hold."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def plural(noun: str, number: int) -> str:
    """Return a noun as it follows a number: `solution` after 1, `solutions` otherwise."""
    return noun if number == 1 else f"{noun}s"


def whole_number(value: object, least: int, most: int | None = None) -> int | None:
    """Return a whole number of any type, such as numpy's, as an int; None if it is not a whole number in the range.

    A bool is not accepted, although it is an int in Python.
    """
    if isinstance(value, bool) or not isinstance(value, (int, SupportsIndex)):
        return None
    try:
        number = index(value)
    except TypeError:
        # An array has the method, but raises.
        return None
    return number if number >= least and (most is None or number <= most) else None


class InternalError(Exception):
    """A bug in this program, such as a solution that breaks a rule: it must never reach a user as an answer.

    >>> issubclass(InternalError, SudokuError)
    False
    """


class StopReason(str):
    """Why some work ended before its answer was complete: a text for people, with a word for programs.

    >>> solution_limit(2), solution_limit(2).status
    ('limit of 2', 'limit')
    """

    status: str  # of a record

    def __new__(cls, text: str, status: str = "stopped") -> "StopReason":
        """Return the reason with a text."""
        reason = super().__new__(cls, text)
        reason.status = status
        return reason

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        """Return the arguments by which pickle makes it again."""
        return str(self), self.status


TIME_LIMIT = StopReason("time limit", "timeout")
OUT_OF_MEMORY = StopReason("out of memory", "memory")
INTERRUPTED = StopReason("interrupted", "interrupted")


def solution_limit(limit: int) -> StopReason:
    """Return the reason for stopping at a number of solutions."""
    return StopReason(f"limit of {limit}", "limit")


class StoppedError(Exception):
    """The search ended before all solutions were found; the message is the reason.

    >>> from sudoku_encode import Limits, solutions
    >>> found = solutions("1...............", board="4x4", limits=Limits(solutions=2))
    >>> next(found).values[0], next(found).values[0]
    (np.uint8(1), np.uint8(1))
    >>> next(found)
    Traceback (most recent call last):
    sudoku_encode.errors.StoppedError: limit of 2
    """

    @property
    def reason(self) -> StopReason:
        """The message, with the word for programs."""
        text = self.args[0] if self.args else ""
        return text if isinstance(text, StopReason) else StopReason(str(self))


class ProcessDiedError(StoppedError):
    """The process of a search ended by itself, or was killed, without an answer."""


class ProcessHungError(StoppedError):
    """The process of a search ran on after its time limit, and was killed."""


class InterruptedRunError(StoppedError):
    """Ctrl-C was pressed during a search."""


def with_short_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function whose errors come without the frames below it, which say nothing to its caller.

    An InternalError keeps them, and so does an error of a function that the caller gave.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except (SudokuError, StoppedError) as error:
            raise error.with_traceback(None) from None

    return call


def missing_package(package: str, caller: str) -> str:
    """Return the message that an optional package is not installed: its extra, and a command that installs it.

    The command names the package itself, since this program may not be on an index.

    Args:
        package: its name on the package index.
        caller: needs it, such as `a link`.
    """
    requirement_text, extra = requirement(package)
    named = f' (extra "{extra}" of this installation)' if extra else ""
    return f"{caller} needs the package {package}{named}: pip install '{requirement_text}'"


def requirement(package: str) -> tuple[str, str]:
    """Return the requirement of an optional package, as pip takes it, and its extra.

    Both are read from the metadata of the installed program; if these lack the package, only its name is returned.

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
        specifier, _, marker = line.partition(";")
        extra = re.search(r"""extra == ["']([\w-]+)["']""", marker)
        # The extra `all` contains the others.
        if extra and extra[1] != "all" and re.split(r"[<>=!~ \[]", specifier, maxsplit=1)[0] == package:
            return specifier.strip(), extra[1]
    return package, ""
