"""From a command's arguments to puzzles, one by one, with bad ones reported on the way."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_encode.cli.options import PuzzleOptions
from sudoku_encode.errors import FormatError, SudokuError, printable

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


# No file has a longer name: an argument that is longer is the text of a puzzle.
LONGEST_NAME = 4096


@dataclass
class PuzzleInput:
    """The puzzles that a command works on.

    Attributes:
        given: the options that say where they are.
        bad: whether a puzzle was reported as bad.
        many: whether there is more than one; it is set before the first of several is yielded.
    """

    given: PuzzleOptions
    bad: bool = False
    many: bool = False

    @property
    def inputs(self) -> list[str]:
        """The names of the files that are read, `-` for standard input; the text of a puzzle may be among them."""
        board = (self.given.board or "").strip()
        maps = [board.removeprefix("jigsaw:")] if board.startswith("jigsaw:") else []
        return [*([self.given.puzzle] if self.given.puzzle else []), *maps]

    def puzzles(self) -> Iterator["tuple[int, Puzzle]"]:
        """Yield the good puzzles with their numbers, from 1; the bad ones are reported on standard error.

        Raises:
            SudokuError: there is no puzzle at all, or the text is bad as a whole.
        """
        from sudoku_encode.formats.reading import read_all
        from sudoku_encode.puzzles import boards
        from sudoku_encode.puzzles.puzzle import Puzzle

        given = self.given
        rules = None if given.rules is None else [name.strip() for name in given.rules.split(",") if name.strip()]
        if not given.puzzle:
            if given.board is None:
                raise SudokuError("no puzzle: give a file, - or the text itself, or --board for an empty board")
            yield 1, Puzzle.of(boards.board(given.board, rules))
            return
        entries = iter(
            read_all(given.puzzle, board=given.board, rules=rules, alphabet=given.alphabet, format=given.source_format)
        )
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

        It must be read as `puzzles` reads it: the board is 9x9, or that of --board.
        """
        from sudoku_encode.formats import bulk
        from sudoku_encode.puzzles import boards

        given = self.given
        if given.rules is not None or given.alphabet or given.source_format or given.puzzle in ("", "-"):
            return None
        if len(given.puzzle) > LONGEST_NAME:
            return None
        board = boards.board(given.board or "9x9")
        givens = bulk.read(given.puzzle, board)
        self.many = self.many or givens is not None
        return None if givens is None else (board, givens)


def remark(text: str) -> None:
    """Print a remark for people on standard error, on one line, even if it quotes a file or a library."""
    print(printable(text), file=sys.stderr)
