"""Find redundant givens and constraints of a puzzle with one solution, and sub-puzzles without redundant givens."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import StoppedError
from sudoku_encode.generating.digging import Digger
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.methods import calls, sat_first
from sudoku_encode.methods.turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.events import Event, Progress, emit, observing
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from sudoku_encode.solvers.sat import IncrementalSolver


def with_givens_of(puzzle: Puzzle, cells: Sequence[int]) -> Puzzle:
    """Return the puzzle with the givens of some cells alone.

    A cell that loses its given may hold any value; the pencilmarks of blanks stay as they are.
    """
    given_cells = list(cells)
    givens = np.zeros_like(puzzle.givens)
    givens[given_cells] = puzzle.givens[given_cells]
    marks = puzzle.pencilmarks
    if marks is not None:
        marks = marks.copy()
        marks[(puzzle.givens > 0) & (givens == 0)] = True
    return replace(puzzle, givens=givens, pencilmarks=marks)


# How long search tries one given before a SAT solver does, and how long all of them together.
_SEARCH_SECONDS, _ALL_SECONDS = 0.05, 1.0
# After this many conflicts a SAT solver leaves a given for later.
_FIRST_CONFLICTS = 2_000
# How many givens are tried between two looks at the clock.
_BATCH_GIVENS = 64


@dataclass(frozen=True)
class Redundant:
    """Which givens can go, one at a time."""

    cells: tuple[int, ...]  # of the givens that can go, ascending; two of them can not always go together
    undecided: tuple[int, ...]  # the cells of givens that were not decided, ascending

    @property
    def minimal(self) -> bool | None:
        """Whether no given can go; None if that is not known."""
        return False if self.cells else None if self.undecided else True


@dataclass(frozen=True, eq=False, repr=False)
class SubPuzzle:
    """A puzzle with fewer givens that has the same solution.

    Attributes:
        puzzle: the puzzle.
        minimal: whether it is proved that none of its givens can go.
        seed: of the order in which givens were removed.
    """

    puzzle: Puzzle
    minimal: bool
    seed: int

    def __repr__(self) -> str:
        """Return how many givens there are on one short line."""
        return f"SubPuzzle({np.count_nonzero(self.puzzle.givens)} givens, minimal={self.minimal}, seed={self.seed})"


def redundant_givens(puzzle: Puzzle, solution: Grids, deadline: Deadline) -> Redundant:
    """Find the givens that can go one at a time, so that the puzzle still has one solution.

    Givens that were not decided when the deadline came are `undecided`.
    """
    cells = np.flatnonzero(puzzle.givens).tolist()
    needed: dict[int, bool] = {}
    try:
        # A puzzle that a SAT solver answers before search is loaded takes it no time without a given either.
        if not sat_first.is_due(puzzle) and _can_search(puzzle):
            needed |= _by_search(puzzle, cells, deadline)
        rest = [cell for cell in cells if cell not in needed]
        if rest and puzzle.geometry.n_cells * puzzle.geometry.n_values <= LOADABLE_CANDIDATES:
            _by_sat(puzzle, solution, rest, deadline, needed)
    except StoppedError:
        pass
    can_go = tuple(cell for cell in cells if needed.get(cell) is False)
    return Redundant(can_go, tuple(cell for cell in cells if cell not in needed))


def _can_search(puzzle: Puzzle) -> bool:
    """Check whether search tries the givens: if it is compiled, or the board is too large for a formula."""
    board = puzzle.geometry
    if not puzzle.has_givens_alone or search.unsupported_reason(board):
        return False
    if not loading.batch_not_compiled_reason(board):
        return True
    return board.n_cells * board.n_values > LOADABLE_CANDIDATES and not kernels.unavailable()


def _by_search(puzzle: Puzzle, cells: Sequence[int], deadline: Deadline) -> dict[int, bool]:
    """Return which givens are needed, as far as search decides that soon."""
    start_time, needed = time.monotonic(), dict[int, bool]()
    for start in range(0, len(cells), _BATCH_GIVENS):
        batch = np.array(cells[start : start + _BATCH_GIVENS], np.intp)
        rows = np.repeat(puzzle.givens[None], len(batch), axis=0)
        rows[np.arange(len(batch)), batch] = 0
        answers = search.batch(puzzle.geometry, rows, 2, deadline, _SEARCH_SECONDS)
        decided = ~answers.given_up | (answers.counts > 1)
        needed |= zip(batch[decided].tolist(), (answers.counts[decided] > 1).tolist(), strict=True)
        if time.monotonic() - start_time > _ALL_SECONDS:
            break
    return needed


def _by_sat(puzzle: Puzzle, solution: Grids, cells: Sequence[int], deadline: Deadline, needed: dict[int, bool]) -> None:
    """Add to `needed` which givens are: those without which a solution has another value in their cell."""
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
    literals: list[int] = solver.encoding.literals[cells, grid[cells].astype(np.intp) - 1, 0].tolist()
    return literals


def sub_puzzle(puzzle: Puzzle, solution: Grids, redundant: Redundant, seed: int, deadline: Deadline) -> SubPuzzle:
    """Return a puzzle with the same solution, after one pass of removing givens in a random order.

    Only givens that are redundant are tried: the others can never go, since fewer givens only add solutions.
    """
    cells = np.array(sorted({*redundant.cells, *redundant.undecided}), np.intp)
    # Imported here: most questions need no random numbers.
    from numpy.random import RandomState

    order = RandomState(seed).permutation(cells).tolist()
    if not order:
        return SubPuzzle(puzzle, True, seed)
    with _solver_without_givens(puzzle) as solver:
        givens = np.flatnonzero(puzzle.givens).tolist()
        digger = Digger(solver, solution, [[cell] for cell in order], 1, deadline, givens)
        try:
            minimal = digger.remove_givens(None, lambda text: None)
        except StoppedError:
            minimal = False
        return SubPuzzle(with_givens_of(puzzle, list(digger.clues)), minimal, seed)


# Constraints that can go.

# How long one constraint is tried before the next.
_EACH_SECONDS = 2.0
_METHOD = "auto"


@dataclass(frozen=True)
class RedundantConstraints:
    """Which constraints can go, one at a time.

    Attributes:
        constraints: those that can go; two of them can not always go together.
        undecided: those that were not decided.
    """

    constraints: tuple[Constraint, ...] = ()
    undecided: tuple[Constraint, ...] = ()


def redundant_constraints(puzzle: Puzzle, deadline: Deadline) -> RedundantConstraints:
    """Find the constraints that can go one at a time, so that the puzzle still has one solution.

    The meaning of other constraints may change when one goes: a pair of cells that loses its dot becomes subject to a
    negative constraint. Constraints that were not decided when the deadline came are `undecided`.
    """
    can_go, undecided = list[Constraint](), list[Constraint]()
    for constraint in puzzle.constraints:
        fewer = replace(puzzle, constraints=tuple(other for other in puzzle.constraints if other != constraint))
        try:
            deadline()
            with observing(_emit_without_count):
                count = calls.count(fewer, _METHOD, replace(deadline.within(_EACH_SECONDS), solutions=2))
        except StoppedError:
            undecided.append(constraint)
            continue
        if count.value < 2:
            (can_go if count.complete else undecided).append(constraint)
    return RedundantConstraints(tuple(can_go), tuple(undecided))


def _emit_without_count(event: Event) -> None:
    """Pass an event on without its number of solutions, which belongs to another puzzle than the one in question."""
    emit(Progress(event.text) if isinstance(event, Progress) else event)
