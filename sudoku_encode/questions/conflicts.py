"""Why a puzzle has no solution: givens that clash, as few as can be."""

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.generating.grids import SOLVER, pattern
from sudoku_encode.methods.sat_turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.givens import with_givens_of
from sudoku_encode.questions.subsets import Subset, smallest_unsatisfiable
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver


def clash(puzzle: Puzzle, deadline: Deadline) -> Subset:
    """Return cells whose givens leave no solution by themselves, as few as can be found in time.

    No cells at all where the board, or what the pencilmarks of its blanks leave, has no solution.

    Args:
        puzzle: has no solution.
        deadline: when to stop; what is found by then is returned.
    """
    board = puzzle.geometry
    if board.oversized_unit is not None:
        return Subset((), True, True)
    # Where there are givens alone, a single given does not clash on a board that has a solution, since values can be
    # renamed. So a pair is the smallest clash, unless the board has no solution.
    pair = puzzle.clash if puzzle.has_givens_alone else None
    if pair is not None and pattern(board) is not None:
        return Subset(tuple(sorted(pair)), True, True)
    cells = np.flatnonzero(puzzle.givens) if pair is None else np.array(pair, np.intp)
    if board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        return Subset(tuple(sorted(cells.tolist())), False, False)
    encoding = encode(with_givens_of(puzzle, ()), reduction="none")
    if encoding.contradiction:
        return Subset((), True, True)
    with IncrementalSolver(encoding, SOLVER) as solver:
        values = puzzle.givens[cells].astype(np.intp) - 1
        literals = dict(zip(cells.tolist(), encoding.literals[cells, values, 0].tolist(), strict=True))
        return smallest_unsatisfiable(solver, literals, deadline)
