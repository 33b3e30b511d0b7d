"""Which givens of a puzzle with one solution can go, and sub-puzzles that have none to spare."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import StoppedError
from sudoku_encode.generating.digging import Digger
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.methods.sat_turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.givens import with_givens_of
from sudoku_encode.run import kernels
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from sudoku_encode.solvers.sat import IncrementalSolver

# How long search looks at a given before a SAT solver does, and how long at all of them together.
_SEARCH_SECONDS, _ALL_SECONDS = 0.05, 1.0
# After how many conflicts a SAT solver leaves a given for later.
_FIRST_CONFLICTS = 2_000
# How many givens are looked at between two looks at the clock.
_CHUNK_GIVENS = 64


@dataclass(frozen=True)
class Redundant:
    """Which givens can go, one at a time.

    Attributes:
        cells: those that can, ascending; not always two of them together.
        undecided: those of which that is not known, ascending.
    """

    cells: tuple[int, ...]
    undecided: tuple[int, ...]

    @property
    def minimal(self) -> bool | None:
        """Whether no given can go; None where that is not known."""
        return False if self.cells else None if self.undecided else True


@dataclass(frozen=True, eq=False, repr=False)
class SubPuzzle:
    """A puzzle with fewer givens that has the same solution.

    Attributes:
        puzzle: the puzzle.
        minimal: whether it is proved that none of its givens can go.
        seed: of the order in which givens were taken out.
    """

    puzzle: Puzzle
    minimal: bool
    seed: int

    def __repr__(self) -> str:
        """Return how many givens there are on one short line."""
        return f"SubPuzzle({np.count_nonzero(self.puzzle.givens)} givens, minimal={self.minimal}, seed={self.seed})"


def redundant(puzzle: Puzzle, solution: Grids, deadline: Deadline) -> Redundant:
    """Say which givens can go one at a time, so that the puzzle still has one solution.

    Args:
        puzzle: has one solution.
        solution: that one, uint8 (n_cells,).
        deadline: when to stop; givens that were not looked at by then are undecided.
    """
    cells = np.flatnonzero(puzzle.givens).tolist()
    needed: dict[int, bool] = {}
    try:
        if _is_searched(puzzle):
            needed |= _by_search(puzzle, cells, deadline)
        rest = [cell for cell in cells if cell not in needed]
        if rest and puzzle.geometry.n_cells * puzzle.geometry.n_values <= LOADABLE_CANDIDATES:
            _by_sat(puzzle, solution, rest, deadline, needed)
    except StoppedError:
        pass
    found = tuple(cell for cell in cells if needed.get(cell) is False)
    return Redundant(found, tuple(cell for cell in cells if cell not in needed))


def _is_searched(puzzle: Puzzle) -> bool:
    """Say whether search looks at the givens: where it is compiled, or has to be since no formula would fit."""
    board = puzzle.geometry
    if not puzzle.has_givens_alone or search.unsupported_reason(board):
        return False
    if not loading.missing_for_batch(board):
        return True
    return board.n_cells * board.n_values > LOADABLE_CANDIDATES and not kernels.unavailable()


def _by_search(puzzle: Puzzle, cells: Sequence[int], deadline: Deadline) -> dict[int, bool]:
    """Return which givens are needed, as far as search sees that soon."""
    begun, needed = time.monotonic(), dict[int, bool]()
    for start in range(0, len(cells), _CHUNK_GIVENS):
        some = np.array(cells[start : start + _CHUNK_GIVENS], np.intp)
        rows = np.repeat(puzzle.givens[None], len(some), axis=0)
        rows[np.arange(len(some)), some] = 0
        found = search.batch(puzzle.geometry, rows, 2, deadline, _SEARCH_SECONDS)
        decided = ~found.given_up | (found.counts > 1)
        needed |= zip(some[decided].tolist(), (found.counts[decided] > 1).tolist(), strict=True)
        if time.monotonic() - begun > _ALL_SECONDS:
            break
    return needed


def _by_sat(puzzle: Puzzle, solution: Grids, cells: Sequence[int], deadline: Deadline, needed: dict[int, bool]) -> None:
    """Note which givens are needed: those without which there is a solution with another value in their cell.

    Raises:
        StoppedError: the deadline came.
    """
    with _solver_without_givens(puzzle) as solver:
        givens = np.flatnonzero(puzzle.givens)
        literal_of = dict(zip(givens.tolist(), _literals(solver, givens, solution), strict=True))

        def question(cell: int) -> list[int]:
            return [-literal if other == cell else literal for other, literal in literal_of.items()]

        # A given that is hard to decide must not take the time of all others.
        for cell in cells:
            deadline()
            answer = solver.decided(question(cell), _FIRST_CONFLICTS)
            if answer is not None:
                needed[cell] = answer
        for cell in cells:
            if cell not in needed:
                needed[cell] = solver.solve(question(cell), deadline)


def _solver_without_givens(puzzle: Puzzle) -> IncrementalSolver:
    return IncrementalSolver(encode(with_givens_of(puzzle, ()), reduction="none"), SOLVER)


def _literals(solver: IncrementalSolver, cells: NDArray[np.intp], grid: Grids) -> list[int]:
    found: list[int] = solver.encoding.literals[cells, grid[cells].astype(np.intp) - 1, 0].tolist()
    return found


def sub_puzzle(puzzle: Puzzle, solution: Grids, known: Redundant, seed: int, deadline: Deadline) -> SubPuzzle:
    """Return a puzzle with the same solution and as few of the givens as one pass in a random order leaves.

    Args:
        puzzle: has one solution.
        solution: that one, uint8 (n_cells,).
        known: which of its givens can go: no others can go later.
        seed: of the order.
        deadline: when to stop.
    """
    cells = np.array(sorted({*known.cells, *known.undecided}), np.intp)
    order = RandomState(seed).permutation(cells).tolist()
    if not order:
        return SubPuzzle(puzzle, True, seed)
    with _solver_without_givens(puzzle) as solver:
        givens = np.flatnonzero(puzzle.givens).tolist()
        digger = Digger(solver, solution, [[cell] for cell in order], 1, deadline, givens)
        try:
            minimal = digger.thin(None, lambda text: None)
        except StoppedError:
            minimal = False
        return SubPuzzle(with_givens_of(puzzle, list(digger.clues)), minimal, seed)
