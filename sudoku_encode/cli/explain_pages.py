"""What the command explain writes with --to html: a page for each puzzle."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.methods.table import METHODS

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.puzzles.step import Step

_MANY = "there are many puzzles, and each has a page: give a folder to write to, such as -o pages/"

# What a place says of a puzzle that is from no file.
_NO_FILES = (None, "stdin", "argument", "board")


def _file_name(file: str | None, board: str) -> str:
    """Return what a puzzle without a name is called: its file and board, or the board."""
    return board if file in _NO_FILES else f"{Path(str(file)).name}, {board}"


@dataclass
class Pages:
    """Collects the records of a puzzle, and writes its page when they end.

    Attributes:
        output: a file, `-`, or a folder.
        inputs: the names of the files that are read.
        records: of the steps of the puzzle at work, as far as a page takes them.
        left_out: how many steps it had beyond these.
    """

    output: str
    inputs: Iterable[str]
    records: list[dict[str, Any]] = field(default_factory=list)
    left_out: int = 0

    @property
    def in_folder(self) -> bool:
        """Whether each page has a file of its own."""
        from sudoku_encode.storage.outputs import is_folder

        return is_folder(self.output)

    def check(self, many: bool) -> None:
        """Refuse before any work what cannot be written.

        Raises:
            SudokuError: there are many puzzles and one file, or the file is one of the inputs.
        """
        from sudoku_encode.storage.outputs import refuse_inputs

        if many and not self.in_folder:
            raise SudokuError(_MANY)
        if not self.in_folder:
            refuse_inputs(self.inputs, self.output)

    def add(self, step: "Step", puzzle: "Puzzle") -> None:
        """Take a step of the puzzle at work."""
        from sudoku_encode.render.steps_page import MAX_STEPS

        if len(self.records) == MAX_STEPS:
            self.left_out += 1
        else:
            self.records.append(step.record(puzzle.geometry))

    def write(self, one: "Located", puzzle: "Puzzle", method: str, stopped: str) -> None:
        """Write the page of a puzzle, and be ready for the next one.

        Args:
            one: where the puzzle is from; its number names its file in a folder.
            puzzle: the puzzle.
            method: whose steps these are.
            stopped: what ended it before its end, if anything did.
        """
        from sudoku_encode.render.steps_page import steps_page
        from sudoku_encode.storage import files, outputs

        path = self.output
        if self.in_folder:
            path = str(outputs.folder(self.output) / f"{one.number:06}.html")
            outputs.refuse_inputs(self.inputs, path)
        source = METHODS[method].source
        text = steps_page(
            puzzle,
            self.records,
            title=puzzle.name or _file_name(one.place.file, puzzle.geometry.name),
            method=method,
            source=source,
            stopped=stopped,
            left_out=self.left_out,
        )
        with files.writing(path) as write:
            write(text.encode())
        if path != "-":
            remark(f"{path}: {len(self.records):,} steps of {method}")
        self.records, self.left_out = [], 0
