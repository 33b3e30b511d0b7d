"""Remove givens from a solution while the number of solutions stays as required."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.generating.grids import SOLVER, kempe_sets
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.sat import IncrementalSolver

if TYPE_CHECKING:
    # Most commands need no random numbers, and loading it takes as long as reading a puzzle.
    from numpy.random import RandomState

Bools = NDArray[np.bool_]

# A question is given up after this many conflicts, since deciding it might take minutes or days.
_MAX_CONFLICTS = 20_000
# How many conflicts the solver has between two checks of the deadline.
_SLICE_CONFLICTS = 4_000
# To reach a number of solutions: how often the blanks are widened.
_WIDENINGS = 1000
# How many solutions are listed at most: this many plus this many times the required number.
_EXTRA_SOLUTIONS, _GOAL_FACTOR = 400, 8
# How many random choices of givens are tried to leave exactly the required number.
_CHOICES = 20


class Digger:
    """A puzzle whose givens are being removed, with all its solutions."""

    def __init__(
        self,
        solver: IncrementalSolver,
        grid: Grids,
        groups: Sequence[Sequence[int]],
        n_solutions: int,
        deadline: Deadline,
        clues: Iterable[int] | None = None,
    ) -> None:
        """Start from a solution of the solver's board, where groups of cells are given or blank together.

        At first all cells are given; or only `clues`, if these leave no other solution.
        """
        self._empty = solver.encoding.puzzle.on_grid
        board = self._empty.geometry
        self.solver, self.grid, self.groups = solver, grid, groups
        self.n_solutions, self.deadline = n_solutions, deadline
        # The cells that are still given, and the grids that agree with them, each uint8 (n_cells,).
        self.clues = dict.fromkeys(range(board.n_cells) if clues is None else clues)
        self.solutions = grid[None]
        literals = solver.encoding.literals[np.arange(board.n_cells), grid.astype(np.intp) - 1, 0]
        self._literals: list[int] = literals.tolist()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle with the current givens."""
        cells = list(self.clues)
        givens = np.zeros_like(self.grid)
        givens[cells] = self.grid[cells]
        return replace(self._empty, givens=givens)

    def multiply(self, rng: "RandomState", progress: Callable[[str], None]) -> None:
        """Remove groups until there are exactly as many solutions as required, or give up after many widenings.

        The blanks grow by Kempe sets that overlap them. If there are too many solutions, some givens come back, which
        leave only the solutions that agree with them: some random choices of such givens leave exactly the required
        number. On some boards nearly all numbers are powers of two; so the search also goes through multiples of the
        current number that divide the required number, the largest prime factor first, which is the rarest.
        """
        group_of = np.empty(len(self.grid), np.intp)
        for number, group in enumerate(self.groups):
            group_of[group] = number
        sets = kempe_sets(self._empty.geometry, self.grid)
        in_set = np.zeros((len(sets), len(self.groups)), bool)
        for row, cells in zip(in_set, sets, strict=True):
            row[group_of[cells]] = True
        # The blank groups for the solutions so far, and the blank groups in the next widening.
        blank: Bools = np.zeros(len(self.groups), bool)
        wider = blank
        # A few groups have fewer sets of blanks than there are widenings, so the same sets recur.
        listed = cache(self._list_solutions) if 1 << len(self.groups) <= _WIDENINGS else self._list_solutions
        for _ in range(_WIDENINGS):
            if len(self.solutions) == self.n_solutions:
                return
            self.deadline()
            goal = len(self.solutions) * _largest_prime_factor(self.n_solutions // len(self.solutions))
            wider = _wider(wider, blank, in_set, rng)
            solutions = listed(wider.tobytes(), _EXTRA_SOLUTIONS + _GOAL_FACTOR * goal)
            if solutions is None:
                wider = blank | wider & (rng.random_sample(len(wider)) < 0.5)
                continue
            agree = self._agree(solutions)
            chosen = _exactly((self.n_solutions, goal), agree, rng)
            if chosen is not None:
                self.solutions, agree = solutions[chosen], agree[chosen]
            # A given on which all solutions agree comes back; that changes nothing.
            wider = np.logical_not(agree.all(axis=0))
            if chosen is not None:
                blank = wider
                self.clues = dict.fromkeys(self._given(blank))
                progress(f"{len(self.solutions)} solutions of {self.n_solutions}, {len(self.clues)} clues")

    def remove_givens(self, clues: int | None, progress: Callable[[str], None]) -> bool:
        """Remove groups of givens, each tried once in order, without adding a solution, until few enough remain.

        A group that cannot go now cannot go later either, since fewer clues only add solutions: one pass is enough.
        Without a number of clues it is a pass over all groups, which ends early when one is undecided. Return whether
        every remaining group is known to be needed; only a whole pass can show that.
        """
        for done, group in enumerate(self.groups):
            givens = [cell for cell in group if cell in self.clues]
            if clues is None or len(self.clues) - len(givens) >= clues:
                if self._remove(givens) is None and clues is None:
                    return False
                progress(f"{done + 1} of {len(self.groups)} tried, {len(self.clues)} clues")
        return clues is None

    def _given(self, blank: Bools) -> list[int]:
        """Return the cells of the groups that are not blank."""
        return [cell for group, free in zip(self.groups, blank.tolist(), strict=True) if not free for cell in group]

    def _agree(self, solutions: Grids) -> Bools:
        """Return for each solution and group whether they agree, bool (solutions, n_groups)."""
        same = solutions[:, np.concatenate(self.groups)] == self.grid[np.concatenate(self.groups)]
        return np.logical_and.reduceat(same, np.cumsum([0, *map(len, self.groups[:-1])]), axis=1)

    def _list_solutions(self, blank: bytes, most: int) -> Grids | None:
        """Return all solutions, (m, n_cells), where groups are blank, bool (n_groups,) as bytes; None for too many."""
        givens = self.grid.copy()
        givens[self._given(~np.frombuffer(blank, bool))] = 0
        puzzle = replace(self._empty, givens=givens)
        # A new formula is faster than the solver with all clues assumed, since it omits the cells that they decide.
        deadline = Deadline(most + 1, self.deadline.ends)
        solutions = np.concatenate(list(sat.solutions(encode(puzzle), deadline, SOLVER)))[:, : len(givens)]
        return solutions if len(solutions) <= most else None

    def _remove(self, cells: Sequence[int]) -> bool | None:
        """Remove all of some givens, or none; return whether they were removed, None if that was not decided."""
        clues = self.clues
        self.clues = dict(clues)
        for cell in cells:
            del self.clues[cell]
            # Any additional solution has another value in this cell.
            question = [*map(self._literals.__getitem__, self.clues), -self._literals[cell]]
            more = is_satisfiable(self.solver, question, self.deadline)
            if more is not False:
                self.clues = clues
                return None if more is None else False
        return True


def is_satisfiable(solver: IncrementalSolver, question: list[int], deadline: Deadline) -> bool | None:
    """Return whether there is a solution under some literals, or None if too many conflicts did not decide it."""
    for _ in range(0, _MAX_CONFLICTS, _SLICE_CONFLICTS):
        deadline()
        answer = solver.decided(question, _SLICE_CONFLICTS)
        if answer is not None:
            return answer
    return None


def _largest_prime_factor(number: int) -> int:
    factor = 2
    while factor < number:
        number, factor = (number // factor, factor) if number % factor == 0 else (number, factor + 1)
    return factor


def _wider(wider: Bools, blank: Bools, in_set: Bools, rng: "RandomState") -> Bools:
    """Return the blank groups plus those of a random set that adds few and overlaps the groups new since `blank`."""
    new = (in_set & ~wider).sum(axis=1)
    fits = new > 0
    if (wider != blank).any():
        fits &= (in_set & wider & ~blank).any(axis=1)
    order = np.argsort(new + rng.random_sample(len(new)), kind="stable")
    order = order[fits[order]]
    if not len(order):
        return blank
    chosen: Bools = wider | in_set[order[int(len(order) * rng.random_sample() ** 2)]]
    return chosen


def _exactly(numbers: Sequence[int], agree: Bools, rng: "RandomState") -> Bools | None:
    """Choose groups at random to give back so that one of some numbers of solutions remains; return these, or None."""
    for _ in range(_CHOICES):
        remaining = np.ones(len(agree), bool)
        while True:
            counts = agree[remaining].sum(axis=0)
            for number in numbers:
                if remaining.sum() == number:
                    return remaining
                if len(hits := np.flatnonzero(counts == number)):
                    return remaining & agree[:, hits[rng.randint(len(hits))]]
            usable = np.flatnonzero((counts > min(numbers)) & (counts < remaining.sum()))
            if not len(usable):
                break
            remaining = remaining & agree[:, usable[rng.randint(len(usable))]]
    return None
