"""Ways to find the true candidates of a puzzle: by many searches, by a growing clause, cell by cell, by counts."""

import time
from collections.abc import Iterable

import numpy as np

from sudoku_encode import search
from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.questions.gathered import Gathered
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.solvers.table import sat_solver as traits_of

# How many puzzles a search solves in the first round, one for a candidate; then twice as many in each.
_FIRST_PUZZLES, _MOST_PUZZLES = 8, 512
# For hundreds of short questions about one formula a solver that does little before it searches is faster.
QUESTION_SOLVER = "minisat22"
_NO_OPTIONS = Options()


def load_search(puzzle: Puzzle) -> None:
    """Load what `search` has compiled for a puzzle, or compile it: that must not count as the time of a search."""
    found = lowered(puzzle)
    board = found.puzzle.geometry
    loading.load(board, constrained=bool(found.primitives))
    if not found.primitives:
        loading.load_for_batch(board)


def say_progress(found: Gathered) -> None:
    """Say how far the work is."""
    emit(Progress(f"{int(found.seen.sum()):,} candidates found, {int(found.unknown.sum()):,} open ..."))


def by_listing(found: Gathered, batches: Iterable[Grids], seconds: float | None = None) -> bool:
    """Add solutions; when they end, what is not seen is refuted.

    Args:
        found: takes them.
        batches: all solutions.
        seconds: after which it is given up; by default never.

    Returns:
        Whether they ended.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    for batch in batches:
        found.add(batch)
        if found.counting:
            emit(Progress.of_solutions(found.total))
        if ends is not None and time.monotonic() >= ends:
            return False
    found.refute_rest()
    return True


def by_search(found: Gathered, deadline: Deadline, seconds: float | None = None) -> bool:
    """Search for a solution with each open candidate, many searches in one compiled loop.

    Args:
        found: of a puzzle without pencilmarks.
        deadline: when to stop.
        seconds: after which a search is given up; by default never.

    Returns:
        Whether no candidate is left open; it gives up where a good part of the searches did.

    Raises:
        StoppedError: by the deadline.
    """
    board, size = found.puzzle.geometry, _FIRST_PUZZLES
    given_up = np.zeros_like(found.seen)
    while True:
        cells, values = np.nonzero(found.unknown & ~given_up)
        if not len(cells):
            return not given_up.any()
        # Some from all over the board: their solutions have less in common than those of neighbours.
        some = np.random.default_rng(size).permutation(len(cells))[:size]
        cells, values = cells[some], values[some]
        givens = np.tile(found.puzzle.givens, (len(some), 1))
        givens[np.arange(len(some)), cells] = values + 1
        answers = search.batch(board, givens, 1, deadline, seconds)
        found.add(answers.grids[answers.counts > 0])
        none = (answers.counts == 0) & ~answers.given_up
        found.refute(cells[none], values[none])
        given_up[cells[answers.given_up], values[answers.given_up]] = True
        if answers.given_up.sum() * 4 > len(some):
            return False
        say_progress(found)
        size = min(2 * size, _MOST_PUZZLES)


def by_clause(found: Gathered, deadline: Deadline, encoding: str = "extended", options: Options = _NO_OPTIONS) -> None:
    """Ask a SAT solver again and again for a solution with something not seen yet, until there is none.

    Each clause says less than the one before it, so that they all stay, and the solver keeps what it has learnt.

    Raises:
        StoppedError: by the deadline.
        MethodError: the solver answers one question only.
    """
    name = options.sat_solver or QUESTION_SOLVER
    if not traits_of(name).answers_again:
        raise MethodError(f"{name} gives one answer only; choose another solver to ask for candidates")
    encoded = encode(found.puzzle, encoding, reduction=options.reduction, amo=options.amo or "pairwise")
    if encoded.contradiction:
        found.refute_rest()
        return
    with IncrementalSolver(encoded, name) as solver:
        literals = _literals(encoded, solver, found.unknown)
        # What an encoding leaves without a literal every solution has, so the first question is for any solution.
        while solver.solve([], deadline):
            found.add(encoded.decode_all(solver.model()[None]))
            say_progress(found)
            clause = literals[found.unknown & (literals != 0)].tolist()
            if not clause:
                break
            solver.add(clause)
            solver.prefer(clause)
        found.refute_rest()


def _literals(encoded: Encoding, solver: IncrementalSolver, wanted: Candidates) -> Int64s:
    """Return for each candidate a literal that is true only where its cell holds it; 0 where there is none.

    Where an encoding says it by several literals together, a new variable implies them.
    """
    found = encoded.literals[..., 0].astype(np.int64)
    found[~encoded.candidates] = 0
    if encoded.literals.shape[2] == 1:
        return found
    n = encoded.cnf.n_variables
    for cell, value in np.argwhere(wanted & (encoded.literals != 0).any(axis=2) & encoded.candidates).tolist():
        n += 1
        for literal in encoded.literals[cell, value].tolist():
            if literal:
                solver.add([-n, literal])
        found[cell, value] = n
    return found


def by_cells(found: Gathered, method: str, deadline: Deadline, options: Options) -> None:
    """Ask a method that lists, cell by cell, for a solution with a value that was not seen there.

    Raises:
        StoppedError: by the deadline, or the method stopped.
        MethodError: the method cannot do this board.
    """
    for cell in range(found.puzzle.geometry.n_cells):
        while (open_here := found.unknown[cell]).any():
            deadline()
            puzzle = found.narrowed(cell, open_here)
            grid = first_solution(puzzle, method, deadline, options)
            if grid is None:
                values = np.flatnonzero(open_here)
                found.refute(np.full(len(values), cell), values)
            else:
                found.add(grid[None])
            say_progress(found)


def first_solution(puzzle: Puzzle, method: str, deadline: Deadline, options: Options) -> Grids | None:
    """Return a solution, or None where there is none.

    Raises:
        StoppedError: it is not known.
    """
    one = deadline.within(deadline.seconds_left, 1) if deadline.ends is not None else Deadline(1, None, deadline.memory)
    try:
        for batch in calls.solutions(puzzle, method, one, options):
            first: Grids = batch[0]
            return first
    except StoppedError as reason:
        raise StoppedError(str(reason)) from reason
    return None
