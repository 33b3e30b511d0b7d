"""The question how many kinds of solutions a puzzle has, up to its symmetries."""

from dataclasses import dataclass

import numpy as np

from sudoku_encode.errors import StoppedError, StopReason
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status
from sudoku_encode.symmetry.groups import symmetry
from sudoku_encode.symmetry.kinds import MOST_CELLS, Kinds, kinds, unit_in_order, with_unit

_NO_OPTIONS = Options()


@dataclass(frozen=True)
class KindsQuestion(Question[Kinds]):
    """The question for the kinds of solutions, which lists all solutions up to the names of values."""

    types = (Kinds,)

    method: str = AUTO  # that lists the solutions; a key of METHODS
    options: Options = _NO_OPTIONS

    def answer(self, item: Numbered, deadline: Deadline) -> Kinds:
        """Return the kinds.

        Raises:
            StoppedError: the deadline was reached, or there are too many solutions to list.
        """
        symmetries = symmetry(item[1], deadline)
        unit = unit_in_order(item[1], symmetries)
        puzzle = with_unit(item[1], unit)
        most = MOST_CELLS // puzzle.geometry.n_cells
        batches, n_grids = [np.zeros((0, puzzle.geometry.n_grid), np.uint8)], 0
        for batch in calls.solutions(puzzle, self.method, deadline, self.options):
            batches.append(batch)
            n_grids += len(batch)
            if n_grids > most:
                names = "" if unit is None else ", with one way to name the values"
                raise StoppedError(StopReason(f"more than {most:,} solutions{names}: too many to list", Status.LIMIT))
        return kinds(symmetries, unit, np.concatenate(batches))

    def judge(self, puzzle: Puzzle, value: Kinds) -> tuple[Status, str]:
        """Return whether there is no solution, one, or several."""
        return (Status.NO_SOLUTION, Status.UNIQUE, Status.SEVERAL)[min(value.solutions, 2)], ""
