"""Every error raised on purpose.

SudokuError            bad input or a request that cannot be met; the message is for the user
    GeometryError      a board that cannot exist
    FormatError        text that is not what it should be; knows its place
    MethodError        an encoding, solver or method that cannot do what is asked on this board
InternalError          our own fault; never the user's
Stopped                no error: why a search ended before everything was known
    Died               a process that worked on it ended without a word
    Hung               a process that worked on it went on after its time, and was ended
    Interrupted        Ctrl-C
"""


class SudokuError(Exception):
    """Bad input, or a request that cannot be met. The message is one line, for the user."""


class GeometryError(SudokuError):
    """A board that cannot exist."""


class MethodError(SudokuError):
    """An encoding, solver or method that cannot do what is asked on this board."""


class FormatError(SudokuError):
    """Text that is not what it should be.

    Args:
        message: what is wrong and what would be right.
        source: the file, or whatever the text came from.
        line: 1-based, where known.
        column: 1-based, where known.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None, column: int | None = None) -> None:
        self.message, self.source, self.line, self.column = message, source, line, column
        place = ":".join(str(part) for part in (source, line, column) if part)
        text = f"{place}: {message}" if place else message
        # Names of files and what they hold may break lines, or move the cursor of a terminal.
        super().__init__(printable(text))


def printable(text: str) -> str:
    """Return a text with all that cannot be shown on a line written out."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


class InternalError(Exception):
    """Our own fault, such as a solution that breaks a rule: it must never reach a user as an answer."""


class Stopped(Exception):
    """The search ended before it was known whether there are more solutions; the message says why."""


class Died(Stopped):
    """A process that worked on the search ended by itself, or was killed, without an answer."""


class Hung(Stopped):
    """A process that worked on the search went on after its time was over, and was ended."""


class Interrupted(Stopped):
    """Ctrl-C was pressed while the search was going on."""
