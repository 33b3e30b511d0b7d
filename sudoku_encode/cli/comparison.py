"""Solutions beside those that a table has for its puzzles."""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import FormatError, InternalError, SudokuError
from sudoku_encode.formats.place import Place
from sudoku_encode.formats.reading import ReadOptions, read_text
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check

if TYPE_CHECKING:
    from sudoku_encode.methods.question import Answer, BlockAnswer

SAME, OTHER, WRONG, NONE = "same", "another solution", "wrong", "none"
# Of more than these standard error does not say which they are; the records do.
_MOST_REMARKS = 20


class Comparison:
    """Compares the solutions of puzzles with those in a table, and counts how that turns out.

    Args:
        outcome: is negative where a solution of the table is wrong.
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.words = outcome, Counter[str]()

    def of_entry(self, answer: "Answer") -> str:
        """Return how the solution beside a puzzle compares with ours."""
        puzzle = answer.entry.found
        if isinstance(puzzle, FormatError) or not answer.entry.answer:
            return self._noted(answer.located.place, NONE)
        grid = _grid(puzzle, answer.entry.answer)
        same = grid is not None and answer.grid is not None and bool((grid == answer.grid).all())
        return self._noted(answer.located.place, SAME if same else _judged(puzzle, grid))

    def of_block(self, answer: "BlockAnswer") -> list[str]:
        """Return the same for each puzzle of a block."""
        block = answer.block
        if block.answers is None:
            self.words[NONE] += len(block)
            return [NONE] * len(block)
        words = np.full(len(block), SAME, object)
        for row in np.flatnonzero((block.answers != answer.grids).any(axis=1) | (answer.counts == 0)).tolist():
            theirs = block.answers[row]
            # Zeros stand where there is none that can be read.
            line, number = int(block.lines[row]), answer.located.number + row
            word = _judged(answer.puzzle(row), theirs if theirs.any() else None)
            words[row] = self._noted(Place(answer.located.source, line, number), word)
        same: list[str] = words.tolist()
        self.words[SAME] += same.count(SAME)
        return same

    def _noted(self, place: Place, word: str) -> str:
        self.words[word] += 1
        if word == WRONG:
            self.outcome.negative = True
            if self.words[WRONG] <= _MOST_REMARKS:
                remark(f"{place.file}:{place.line}: puzzle {place.puzzle}: the solution beside it is wrong")
        return word

    def report(self) -> None:
        """Remark how many solutions compare how.

        Raises:
            SudokuError: there was nothing to compare with.
        """
        if self.words.total() == self.words[NONE]:
            raise SudokuError("--compare: no puzzle has a solution beside it; a table needs a column for them")
        known = [f"{self.words[word]:,} {name}" for word, name in _NAMES.items() if self.words[word]]
        remark(f"compared with the solutions beside the puzzles: {', '.join(known)}")


_NAMES = {SAME: "the same", OTHER: "another solution", WRONG: "wrong", NONE: "without one that can be read"}


def _grid(puzzle: Puzzle, text: str) -> Grids | None:
    """Return the grid that a text says, (n_cells,); None where it says none."""
    try:
        (found,) = read_text(text, "solution", ReadOptions(board=puzzle.geometry))
    except (SudokuError, ValueError):
        return None
    return None if isinstance(found, FormatError) else found.givens


def _judged(puzzle: Puzzle, grid: Grids | None) -> str:
    """Say whether a grid that is not ours is a solution as well."""
    if grid is None:
        return NONE
    try:
        check(puzzle, grid[None])
    except InternalError:
        return WRONG
    return OTHER
