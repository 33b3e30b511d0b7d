"""From a command's arguments to puzzles, one by one, with bad ones reported on the way."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import FormatError, SudokuError, printable

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


@dataclass
class Source:
    """The puzzles that a command works on.

    Attributes:
        argument: the file, `-`, or the text; empty for the empty board.
        board: name of the board, or None for what fits.
        rules: comma-separated, or None for all.
        how: `alphabet` and `format`.
        bad: whether a puzzle was reported as bad.
        many: whether there was more than one, known from the second on.
    """

    argument: str
    board: str | None
    rules: str | None
    how: dict[str, Any] = field(default_factory=dict)
    bad: bool = False
    many: bool = False

    @property
    def inputs(self) -> list[str]:
        """What is read: names of files, `-` for standard input; a text that names no file may be among them."""
        board = (self.board or "").strip()
        maps = [board.removeprefix("jigsaw:")] if board.startswith("jigsaw:") else []
        return [*([self.argument] if self.argument else []), *maps]

    def puzzles(self) -> Iterator["tuple[int, Puzzle]"]:
        """Yield the good puzzles with their numbers, from 1; the bad ones are reported on standard error.

        Raises:
            SudokuError: there is no puzzle at all, or the text is bad as a whole.
        """
        from sudoku_encode.formats.reading import read_all
        from sudoku_encode.puzzles import boards
        from sudoku_encode.puzzles.puzzle import Puzzle

        rules = None if self.rules is None else [name.strip() for name in self.rules.split(",") if name.strip()]
        if not self.argument:
            if self.board is None:
                raise SudokuError("no puzzle: give a file, - or the text itself, or --board for an empty board")
            yield 1, Puzzle.of(boards.board(self.board, rules))
            return
        entries = iter(read_all(self.argument, board=self.board, rules=rules, **self.how))
        entry = next(entries, None)
        number = 0
        while entry is not None:
            following, number = next(entries, None), number + 1
            self.many = self.many or following is not None
            if isinstance(entry, FormatError):
                self.bad = True
                print(f"sudoku-encode: {entry}", file=sys.stderr)
            else:
                yield number, entry
            entry = following

    def bulk(self) -> "tuple[Geometry, Grids] | None":
        """Return all puzzles as one array, with their board, if the file holds nothing but plain lines of them.

        Only what is read the same way as `puzzles` reads it: 9x9, or the board that was asked for.
        """
        from sudoku_encode.formats import bulk
        from sudoku_encode.puzzles import boards

        if self.rules is not None or any(self.how.values()) or self.argument in ("", "-") or len(self.argument) > 4096:
            return None
        board = boards.board(self.board or "9x9")
        givens = bulk.read(self.argument, board)
        self.many = self.many or givens is not None
        return None if givens is None else (board, givens)

    def exit_status(self, answers: "Answers") -> int:
        """Return the status of the whole command: bad input before an incomplete answer before a negative one."""
        return 2 if self.bad else 3 if answers.incomplete else 1 if answers.negative else 0


@dataclass
class Answers:
    """What kinds of answers there were."""

    incomplete: bool = False
    negative: bool = False


def remark(text: str) -> None:
    """Tell a person something on standard error, on one line: what a file or a library says may be in it."""
    print(printable(text), file=sys.stderr)
