"""Draw solutions of a puzzle, uniformly and exactly, by integer arithmetic alone.

All solutions are numbered (see `generating.ranking`), and numbers are drawn. So uniformity depends on two facts that
can be checked separately: every solution has one number, and every number is equally likely.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.random import PCG64, RandomState
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import MethodError, StoppedError, short
from sudoku_encode.generating import grids
from sudoku_encode.methods.check_results import grids_fault
from sudoku_encode.methods.limited_calls import load, warm_up
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.arrays import freeze, freeze_fields, restore_frozen
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.questions.candidate_search import first_solution
from sudoku_encode.questions.table import NOT_UNIFORM, SAMPLERS
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import Event, Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_stop

# At most this many cells are drawn, since they are kept in memory.
MAX_CELLS = 10**9
MAX_SEED = 2**32 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Samples:
    """Solutions that were drawn. Its items are grids; numpy takes it as `grids`.

    Attributes:
        puzzle: the puzzle.
        grids: uint8 (m, n_cells): the solutions in the order in which they were drawn, checked against the rules; a
            solution may occur more than once. Empty if the puzzle has no solution, or the work was stopped.
        uniform: whether every solution was equally likely, and the draws were independent.
        total: how many solutions the puzzle has; None if that was not needed.
        seed: of all random choices.
        method: how they were drawn, a key of SAMPLERS.
        stopped: what ended the work early; empty if nothing did.

    >>> import sudoku_encode as se
    >>> drawn = se.sample("1234............", 5, seed=1, board="4x4")
    >>> drawn.shape, drawn.uniform, drawn.total
    ((5, 16), True, Count(value=12, complete=True, stopped=''))
    >>> [str(grid) for grid in drawn][0]
    '1234432121433412'
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
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return how many there are on one short line."""
        kind = "uniform" if self.uniform else "not uniform"
        stopped = f", stopped={short(self.stopped, 30)!r}" if self.stopped else ""
        return f"Samples({short(self.puzzle.geometry.name, 30)!r}, {len(self.grids)}, {kind}{stopped})"

    @property
    def shape(self) -> tuple[int, int]:
        """How many there are, and the cells of each."""
        return self.grids.shape[0], self.grids.shape[1]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.grids)

    def __iter__(self) -> Iterator[Grid]:
        """Yield them in the order in which they were drawn."""
        return (Grid(self.puzzle.geometry, values) for values in self.grids)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `grids`, for numpy."""
        return np.array(self.grids, dtype=dtype, copy=copy)

    @property
    def complete(self) -> bool:
        """Whether all solutions were drawn that were asked for, or it is proved that there is no solution."""
        return not self.stopped


def _require_way(method: str) -> None:
    if not isinstance(method, str) or method not in SAMPLERS:
        raise MethodError(f"not a way to draw: {short(str(method))!r}; choose from {', '.join(SAMPLERS)}")


def require_sampler(puzzle: Puzzle, many: int, seed: int, method: str) -> None:
    """Raise MethodError unless there is such a way to draw, and the number and the seed are in range."""
    _require_way(method)
    most = MAX_CELLS // max(1, puzzle.geometry.n_cells)
    if not 1 <= many <= most:
        raise MethodError(f"{many} samples of {puzzle.geometry.name}; expected from 1 to {most:,}")
    if not 0 <= seed <= MAX_SEED:
        raise MethodError(f"seed {seed}; expected from 0 to {MAX_SEED}")


def sample(
    puzzle: Puzzle,
    many: int,
    seed: int,
    method: str = AUTO,
    deadline: Deadline = Deadline(),  # noqa: B008  -- without limits it is a constant
) -> Samples:
    """Draw solutions of a puzzle, in this process; the first ones of a seed are the same for any number.

    They are drawn with replacement: a solution may be drawn again. The method is a key of SAMPLERS.

    Raises:
        MethodError: there is no such method, or the number or the seed is out of range.
        InternalError: a solution breaks a rule.
    """
    require_sampler(puzzle, many, seed, method)
    if method == NOT_UNIFORM:
        return _sample_by_walk(puzzle, many, seed, deadline)
    from sudoku_encode.generating.ranking import RANKINGS, draw_solutions

    grids, chosen = np.zeros((0, puzzle.geometry.n_cells), np.uint8), method
    try:
        chosen, ranked = RANKINGS[method](puzzle, deadline)
        total = Count(ranked.total, True) if ranked.every else None
        if ranked.total:
            grids = draw_solutions(ranked, many, seed, deadline)
            check(puzzle, grids)
        return Samples(puzzle, freeze(grids), True, total, seed, chosen)
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        return Samples(puzzle, freeze(grids), True, None, seed, chosen, stop_reason(reason))


def _sample_by_walk(puzzle: Puzzle, many: int, seed: int, deadline: Deadline) -> Samples:
    """Draw solutions from a walk; those before it was stopped are kept."""
    drawn, stopped = [np.zeros((0, puzzle.geometry.n_cells), np.uint8)], ""
    try:
        for grid in islice(walk(puzzle, seed, deadline), many):
            check(puzzle, grid[None])
            drawn.append(grid[None])
            # The walk may return to a solution, so this number is not a lower bound on the count.
            emit(Progress(f"{len(drawn) - 1:,} solutions so far ..."))
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        stopped = stop_reason(reason)
    grids = np.concatenate(drawn)
    total = Count(0, True) if not len(grids) and not stopped else None
    return Samples(puzzle, freeze(grids), False, total, seed, NOT_UNIFORM, stopped)


# A walk: not uniform, from a solution to others near it.

# How often a few values are refilled between two solutions.
_ROUNDS = 10


def walk(puzzle: Puzzle, seed: int, deadline: Deadline) -> Iterator[Grids]:
    """Yield solutions, each (n_cells,), without end; none if there is no solution. Each depends on the one before.

    Between two of them, some times, a few values are removed and refilled by a SAT solver in random order; the givens
    stay. On an empty board with a regular solution, the walk starts from that one, shuffled.

    Raises:
        StoppedError: by the deadline, or it is not known whether there is a solution.
    """
    rng = RandomState(PCG64(seed))
    board = puzzle.geometry
    free = not puzzle.givens.any() and puzzle.has_givens_alone
    pattern = grids.pattern(board) if free else None
    # By one method always: `auto` finds another solution once search is loaded.
    if pattern is None:
        grid = first_solution(puzzle, "sat", deadline, Options())
    else:
        grid = grids.shuffled(board, pattern, rng)

    def encoded(rest: Puzzle) -> Encoding:
        givens = np.where(puzzle.givens > 0, puzzle.givens, rest.givens)
        return encode(replace(puzzle, givens=givens))

    while grid is not None:
        for _ in range(_ROUNDS):
            grid = grids.refilled(board, grid, rng, deadline, encoded)
        yield grid


def seed_of(seed: int, number: int) -> int:
    """Return the seed of a puzzle by its number, from 1: consecutive seeds for consecutive puzzles."""
    return (seed + number - 1) % (MAX_SEED + 1)


@dataclass(frozen=True)
class SampleQuestion(Question[Samples]):
    """The question for random solutions; puzzle 1 uses the seed, each other puzzle its own (see `seed_of`)."""

    types = (Samples,)

    number: int = 1  # of solutions for each puzzle
    seed: int = 0
    method: str = AUTO  # a key of SAMPLERS

    def __post_init__(self) -> None:
        _require_way(self.method)

    def require(self, puzzle: Puzzle) -> None:
        """Check that there is such a way to draw, and that the number and the seed are in range."""
        require_sampler(puzzle, self.number, self.seed, self.method)

    def answer(self, item: Numbered, deadline: Deadline) -> Samples:
        """Return the drawn solutions, which depend neither on the pool nor on other puzzles."""
        return sample(item[1], self.number, seed_of(self.seed, item[0]), self.method, deadline)

    def judge(self, puzzle: Puzzle, value: Samples) -> tuple[Status, str]:
        """Return whether all solutions were drawn that were asked for."""
        if value.stopped:
            return status_of_stop(value.stopped), value.stopped
        return (Status.DRAWN if len(value.grids) else Status.NO_SOLUTION), ""

    def method_of(self, value: Samples | None) -> str:
        """Return the method that drew them."""
        return self.method if value is None else value.method

    def load(self, item: Numbered) -> None:
        """Load the SAT solvers."""
        load("sat")

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the ways to count."""
        for name in (AUTO, "frontier"):
            warm_up(name, item[1])

    def fault(self, item: Numbered, value: Samples, events: Sequence[Event]) -> str:
        """Return why drawn solutions cannot be right: they are checked against the rules, and counted."""
        n_drawn = len(value.grids)
        # Nothing is drawn if there is no solution, or the work was stopped.
        if n_drawn != self.number and (n_drawn or (value.complete and value.total is not None and value.total.value)):
            return (
                f"the executor's answer for puzzle {item[0]} has {n_drawn} solutions, and {self.number} were asked for"
            )
        return grids_fault(*item, value.grids)
