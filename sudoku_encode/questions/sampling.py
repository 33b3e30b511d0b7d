"""Solutions drawn from all of a puzzle's, each as likely as the others: exactly, by whole numbers alone.

All solutions are numbered, see `generating.ranking`, and the numbers are drawn; so whether a sample is uniform hangs on
two things that can be seen by themselves: that every solution has one number, and that every number is as likely.
"""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from sudoku_encode.errors import MethodError, StoppedError, short
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.arrays import freeze, freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.questions.table import NOT_UNIFORM, SAMPLERS
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline

# How many cells are drawn at most, since they are kept in memory.
MAX_CELLS = 10**9
MAX_SEED = 2**32 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Solutions that were drawn.

    Attributes:
        puzzle: the puzzle.
        grids: uint8 (m, n_cells): the solutions in the order in which they were drawn, checked against the rules. One
            may come more than once. None where the puzzle has no solution, or the work was stopped.
        uniform: whether each solution was as likely as the others, and each draw did not depend on those before.
        total: how many solutions the puzzle has; None where that was not needed.
        seed: of everything that was random.
        method: how they were drawn, a key of SAMPLERS.
        stopped: what ended the work, where there are fewer than were wanted.

    >>> import sudoku_encode as se
    >>> drawn = se.sample("1234............", 5, seed=1, board="4x4")
    >>> drawn.grids.shape, drawn.uniform, drawn.total
    ((5, 16), True, Count(value=12, complete=True, stopped=''))
    """

    puzzle: Puzzle
    grids: Grids
    uniform: bool
    total: Count | None
    seed: int
    method: str
    stopped: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return how many there are on one short line."""
        kind = "uniform" if self.uniform else "not uniform"
        stopped = f", stopped={short(self.stopped, 30)!r}" if self.stopped else ""
        return f"Samples({short(self.puzzle.geometry.name, 30)!r}, {len(self.grids)}, {kind}{stopped})"

    @property
    def complete(self) -> bool:
        """Whether there are as many as were wanted, or it is proved that there is no solution."""
        return not self.stopped


def refuse(puzzle: Puzzle, many: int, seed: int, method: str) -> None:
    """Raise MethodError where something else was asked than can be drawn."""
    if method not in SAMPLERS:
        raise MethodError(f"no way to draw is called {short(str(method))!r}; choose from {', '.join(SAMPLERS)}")
    most = MAX_CELLS // max(1, puzzle.geometry.n_cells)
    if not 1 <= many <= most:
        raise MethodError(f"{many} samples of {puzzle.geometry.name}; it must be from 1 to {most:,}")
    if not 0 <= seed <= MAX_SEED:
        raise MethodError(f"seed {seed}; it must be from 0 to {MAX_SEED}")


def sample(
    puzzle: Puzzle,
    many: int,
    seed: int,
    method: str = AUTO,
    deadline: Deadline = Deadline(),  # noqa: B008  -- without limits it is a constant
) -> Samples:
    """Draw solutions of a puzzle, in this process. Those of a seed are the same however many are drawn.

    Args:
        puzzle: the puzzle.
        many: how many, with replacement: a solution may be drawn again.
        seed: of everything that is random.
        method: a key of SAMPLERS.
        deadline: when to stop.

    Raises:
        MethodError: there is no such method, number or seed.
        InternalError: a solution breaks a rule.
    """
    refuse(puzzle, many, seed, method)
    if method == NOT_UNIFORM:
        return _walked(puzzle, many, seed, deadline)
    from sudoku_encode.generating.drawing import drawn
    from sudoku_encode.generating.ranking import RANKINGS

    grids, by = np.zeros((0, puzzle.geometry.n_cells), np.uint8), method
    try:
        by, ranked = RANKINGS[method](puzzle, deadline)
        total = Count(ranked.total, True) if ranked.every else None
        if ranked.total:
            grids = drawn(ranked, many, seed, deadline)
            check(puzzle, grids)
        return Samples(puzzle, freeze(grids), True, total, seed, by)
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        return Samples(puzzle, freeze(grids), True, None, seed, by, stop_reason(reason))


def _walked(puzzle: Puzzle, many: int, seed: int, deadline: Deadline) -> Samples:
    """Take solutions from a walk; what was found before it was stopped is kept."""
    from sudoku_encode.questions.walking import walk

    found, stopped = [np.zeros((0, puzzle.geometry.n_cells), np.uint8)], ""
    try:
        for grid in islice(walk(puzzle, seed, deadline), many):
            check(puzzle, grid[None])
            found.append(grid[None])
            # The walk may come to one again, so that they are no bound on how many there are.
            emit(Progress(f"{len(found) - 1:,} solutions so far ..."))
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        stopped = stop_reason(reason)
    grids = np.concatenate(found)
    total = Count(0, True) if not len(grids) and not stopped else None
    return Samples(puzzle, freeze(grids), False, total, seed, NOT_UNIFORM, stopped)
