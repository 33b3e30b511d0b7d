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

    def refuse_earlier(self) -> None:
        """Refuse a file that is there, unless it is gone on with.

        Raises:
            SudokuError: it is there.
        """
        if not self.resume and self.path.exists():
            raise SudokuError(f"{self.path} was left by a run that did not end: go on with --resume, or remove it")

    def remove(self) -> None:
        """Remove the file, if there is one: all puzzles have their records."""
        self.path.unlink(missing_ok=True)
