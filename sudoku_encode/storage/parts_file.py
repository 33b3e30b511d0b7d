"""The name of a file that keeps the parts of some work; `part_journal` reads and writes it. Light: options name it."""

from pathlib import Path
from typing import NamedTuple

from sudoku_encode.errors import SudokuError


class PartsFile(NamedTuple):
    """A file that keeps what is known of the parts of a puzzle, while that is counted.

    Attributes:
        path: its name.
        resume: whether one that is there is gone on with.
    """

    path: Path
    resume: bool

    @property
    def is_there(self) -> bool:
        """Whether there is such a file."""
        try:
            return self.path.exists()
        except OSError:
            # Such as a name that is too long: to open it will raise the error that says what is wrong.
            return False

    def refuse_earlier(self) -> None:
        """Refuse a file that is there, unless it is gone on with.

        Raises:
            SudokuError: it is there.
        """
        if not self.resume and self.is_there:
            raise SudokuError(f"{self.path} was left by a run that did not end: go on with --resume, or remove it")

    def remove(self) -> None:
        """Remove the file, if there is one: all puzzles have their records."""
        if self.is_there:
            self.path.unlink(missing_ok=True)
