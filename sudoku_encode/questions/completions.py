"""How to make a puzzle with several solutions unique: the fewest extra givens that leave one of them."""

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import StoppedError
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.methods.sat_turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.subsets import Subset, smallest_unsatisfiable
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.hitting import HittingSets
from sudoku_encode.solvers.sat import IncrementalSolver


def extra_givens(puzzle: Puzzle, wanted: Grids, deadline: Deadline) -> Subset:
    """Return blanks that, given what a solution has there, leave that solution alone; as few as are found in time.

    Every other solution differs from the wanted one in a set of cells, which is unavoidable: one of them must be given.
    So these are the smallest hitting sets of all unavoidable sets; in terms of a formula that excludes the wanted
    solution, a smallest set of its literals that leaves no model.

    Args:
        puzzle: has other solutions too.
        wanted: a solution, uint8 (n_cells,).
        deadline: when to stop; what is found by then is returned.
    """
    board = puzzle.geometry
    if board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        return Subset(tuple(puzzle.blanks.tolist()), False, False)
    encoding = encode(puzzle)
    # Where one candidate is left, no other solution differs.
    cells = np.flatnonzero(np.count_nonzero(encoding.candidates, axis=1) > 1)
    literals = encoding.literals[cells, wanted[cells].astype(np.intp) - 1, 0].tolist()
    with IncrementalSolver(encoding, SOLVER) as solver:
        for clause in encoding.blocking(wanted[None]):
            solver.add(clause)
        return smallest_unsatisfiable(solver, dict(zip(cells.tolist(), literals, strict=True)), deadline)


def extra_givens_of_listed(every: Grids, wanted: Grids, deadline: Deadline) -> Subset:
    """Return what `extra_givens` does, where all solutions are known.

    Args:
        every: all solutions, uint8 (m, n_cells).
        wanted: one of them, (n_cells,).
        deadline: when to stop; what is found by then is returned.
    """
    differ = every != wanted
    cells = np.flatnonzero(differ.any(axis=0))
    sets = np.unique(differ[differ.any(axis=1)][:, cells], axis=0)
    greedy, left = list[int](), sets
    while len(left):
        greedy.append(int(left.sum(axis=0).argmax()))
        left = left[~left[:, greedy[-1]]]
    best, smallest = greedy, True
    try:
        with HittingSets(len(cells), len(greedy)) as hitting:
            for row in sets:
                hitting.add(np.flatnonzero(row).tolist())
            best = hitting.smallest(len(greedy), deadline) or greedy
    except StoppedError:
        smallest = False
    return Subset(tuple(sorted(cells[best].tolist())), smallest, smallest)
