"""Search for the true candidates of a puzzle: what is known so far, and the ways to learn more.

The ways: list all solutions, search for each candidate, ask a SAT solver with a shrinking clause, go cell by cell, or
count the solutions that have each candidate.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, check
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.solvers.table import sat_solver as traits_of


@dataclass(eq=False)
class CandidateKnowledge:
    """The candidates that are known to be in some solution, and those that are known to be in none."""

    puzzle: Puzzle
    counting: bool = False  # whether solutions are counted too; then no solution may be added twice
    seen: Candidates = field(init=False)  # (n_cells, n_values): the candidates that are in some solution
    refuted: Candidates = field(init=False)  # (n_cells, n_values): the candidates that are in no solution
    # Solutions that together contain all candidates seen in added solutions.
    witnesses: list[Grids] = field(default_factory=list)
    # (n_cells, n_values): how many of the added solutions have each value, if they are counted.
    shares: Int64s = field(init=False)
    total: int = 0  # how many solutions were added, if they are counted

    def __post_init__(self) -> None:
        reduction = reduce(lower_puzzle(self.puzzle).puzzle, "singles")
        # Every method would begin with this reduction.
        possible = reduction.candidates[: self.puzzle.geometry.n_cells]
        self.refuted = ~possible if not reduction.contradiction else np.ones_like(possible)
        if self.puzzle.geometry.oversized_unit is not None:
            self.refuted[:] = True
        self.seen = np.zeros_like(self.refuted)
        self.shares = np.zeros(self.refuted.shape, np.int64)

    @property
    def unknown(self) -> Candidates:
        """The candidates that are neither seen nor refuted, bool (n_cells, n_values)."""
        return ~(self.seen | self.refuted)

    def add(self, grids: Grids) -> None:
        """Add solutions, uint8 (m, n_cells), or with hidden cells after these.

        Raises:
            InternalError: a grid is not a solution, or contains a refuted candidate.
        """
        if not len(grids):
            return
        n_cells, n = self.seen.shape
        check(self.puzzle if grids.shape[1] == n_cells else self.puzzle.extended, grids)
        grids = grids[:, :n_cells]
        places = grids + np.arange(n_cells, dtype=np.int64) * n - 1
        counts = np.bincount(places.ravel(), minlength=n_cells * n).reshape(n_cells, n)
        if self.counting:
            self.shares += counts
            self.total += len(grids)
        new = (counts > 0) & ~self.seen
        if (new & self.refuted).any():
            raise InternalError("a solution contains a refuted candidate")
        if new.any():
            self._add_witnesses(grids, new)
            self.seen |= new

    def _add_witnesses(self, grids: Grids, new: Candidates) -> None:
        """Add solutions to the witnesses, each time the one with the most of the remaining new candidates."""
        cells, values = np.nonzero(new)
        has = grids[:, cells] == (values + 1).astype(np.uint8)
        rest = np.ones(len(cells), bool)
        while rest.any():
            best = int(np.argmax(has[:, rest].sum(axis=1)))
            self.witnesses.append(grids[best].copy())
            rest &= ~has[best]

    def refute(self, cells: Intps, values: Intps) -> None:
        """Record that no solution has these values (from 0) in these cells."""
        self.refuted[cells, values] = True

    def refute_rest(self) -> None:
        """Record that no solution contains a candidate that was not seen."""
        self.refuted = ~self.seen

    def narrowed(self, cell: int, values: Bools) -> Puzzle:
        """Return the puzzle with one cell restricted to some values, bool (n_values,)."""
        marks = self.puzzle.candidates.copy()
        marks[cell] &= values
        givens = self.puzzle.givens
        if values.sum() == 1:
            givens = givens.copy()
            givens[cell] = np.argmax(values) + 1
            if self.puzzle.pencilmarks is None:
                return replace(self.puzzle, givens=givens)
        return replace(self.puzzle, givens=givens, pencilmarks=marks)


# The number of solutions that have each candidate: by `frontier`, or by a count for each candidate.

# Python integers, since shares may exceed a machine word: (n_cells, n_values).
Shares = NDArray[Any]


def by_frontier(puzzle: Puzzle, deadline: Deadline) -> tuple[Shares, int]:
    """Return the shares of all candidates and the total, by one pass forwards and one backwards.

    Raises:
        StoppedError: by the deadline, or the tables would take too much memory.
    """
    from sudoku_encode import frontier

    max_bytes = frontier.MAX_BYTES if deadline.memory is None else deadline.memory * 3 // 4
    counts = frontier.shares(puzzle, deadline, max_bytes, lambda text: emit(Progress(text)))
    return counts.shares, counts.total


def by_counts(knowledge: CandidateKnowledge, method: str, deadline: Deadline, options: Options) -> tuple[Shares, int]:
    """Count the solutions that have each candidate, one after the other, by a method that counts.

    Of values that can be exchanged in the puzzle, one is counted for all.

    Raises:
        StoppedError: by the deadline, or the method stopped.
        InternalError: the shares of a cell do not sum to the total.
    """
    n_cells, n = knowledge.seen.shape
    shares, unknown = np.zeros((n_cells, n), object), ~knowledge.refuted
    total = _exact_count(knowledge.puzzle, method, deadline, options)
    if not total:
        return shares, 0
    kinds = kinds_of_values(knowledge.puzzle)
    for cell, value in product(range(n_cells), np.unique(kinds).tolist()):
        if not unknown[cell, value]:
            continue
        single = np.zeros(n, bool)
        single[value] = True
        count = (
            total
            if unknown[cell].sum() == 1
            else _exact_count(knowledge.narrowed(cell, single), method, deadline, options)
        )
        shares[cell, kinds == value] = count
        emit(Progress(f"counted for cell {cell + 1:,} of {n_cells:,} ...", total))
    if any(sum(row) != total for row in shares.tolist()):
        raise InternalError(f"{method}: the shares of a cell do not sum to the number of solutions")
    return shares, total


def _exact_count(puzzle: Puzzle, method: str, deadline: Deadline, options: Options) -> int:
    """Return how many solutions a puzzle has, or raise StoppedError if that is not known."""
    count = calls.count(puzzle, method, Deadline(None, deadline.ends, deadline.memory), options)
    if not count.complete:
        raise StoppedError(count.stopped)
    return count.value


def kinds_of_values(puzzle: Puzzle) -> Int64s:
    """Return for each value (from 0) the first one that it can be exchanged with in the puzzle."""
    return first_alike(puzzle.candidates)


def first_alike(candidates: Candidates) -> Int64s:
    """Return for each value the first one that is a candidate of the same cells."""
    columns = candidates.astype(np.int64).T
    alike = (columns[:, None, :] == columns[None, :, :]).all(axis=2)
    first: Int64s = np.argmax(alike, axis=1).astype(np.int64)
    return first


# Ways to find the true candidates.

# How many puzzles a search solves in the first round, one for each candidate; each later round doubles it.
_FIRST_PUZZLES, _MOST_PUZZLES = 8, 512
# For hundreds of short questions about one formula, a solver with little preprocessing is faster.
QUESTION_SOLVER = "minisat22"
_NO_OPTIONS = Options()


def load_search(puzzle: Puzzle) -> None:
    """Load the compiled code of `search` for a puzzle, or compile it: that must not count as the time of a search."""
    in_units = lower_puzzle(puzzle)
    board = in_units.puzzle.geometry
    loading.load(board, constrained=bool(in_units.placed))
    if not in_units.placed:
        loading.load_for_batch(board)


def emit_progress(knowledge: CandidateKnowledge) -> None:
    """Emit how many candidates are found and how many are open."""
    emit(Progress(f"{int(knowledge.seen.sum()):,} candidates found, {int(knowledge.unknown.sum()):,} open ..."))


def by_listing(knowledge: CandidateKnowledge, batches: Iterable[Grids], seconds: float | None = None) -> bool:
    """Add solutions from a list of all; at its end, the candidates that were not seen are refuted.

    Listing is given up after some seconds, by default never. Returned is whether the list came to its end.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    for batch in batches:
        knowledge.add(batch)
        if knowledge.counting:
            emit(Progress.of_solutions(knowledge.total))
        if ends is not None and time.monotonic() >= ends:
            return False
    knowledge.refute_rest()
    return True


def by_search(knowledge: CandidateKnowledge, deadline: Deadline, seconds: float | None = None) -> bool:
    """Search for a solution with each open candidate, many searches in one compiled loop; no pencilmarks are allowed.

    One search is given up after some seconds, by default never. Returned is whether no candidate is open; if a quarter
    of a round's searches were given up, no round follows.

    Raises:
        StoppedError: by the deadline.
    """
    board, size = knowledge.puzzle.geometry, _FIRST_PUZZLES
    given_up = np.zeros_like(knowledge.seen)
    while True:
        cells, values = np.nonzero(knowledge.unknown & ~given_up)
        if not len(cells):
            return not given_up.any()
        # Candidates from all over the board: their solutions have less in common than those of neighbours.
        chosen = np.random.default_rng(size).permutation(len(cells))[:size]
        cells, values = cells[chosen], values[chosen]
        givens = np.tile(knowledge.puzzle.givens, (len(chosen), 1))
        givens[np.arange(len(chosen)), cells] = values + 1
        answers = search.batch(board, givens, 1, deadline, seconds)
        knowledge.add(answers.grids[answers.counts > 0])
        refuted = (answers.counts == 0) & ~answers.given_up
        knowledge.refute(cells[refuted], values[refuted])
        given_up[cells[answers.given_up], values[answers.given_up]] = True
        if answers.given_up.sum() * 4 > len(chosen):
            return False
        emit_progress(knowledge)
        size = min(2 * size, _MOST_PUZZLES)


def by_clause(
    knowledge: CandidateKnowledge, deadline: Deadline, encoding: str = "extended", options: Options = _NO_OPTIONS
) -> None:
    """Ask a SAT solver repeatedly for a solution with a candidate not seen yet, until it proves that none exists.

    Each clause is implied by the next, so all of them stay, and the solver keeps the clauses that it has learnt.

    Raises:
        StoppedError: by the deadline.
        MethodError: the solver answers one question only.
    """
    name = options.sat_solver or QUESTION_SOLVER
    if not traits_of(name).answers_again:
        raise MethodError(f"{name} gives one answer only; choose another solver to ask for candidates")
    encoded = encode(knowledge.puzzle, encoding, reduction=options.reduction, amo=options.amo or "pairwise")
    if encoded.contradiction:
        knowledge.refute_rest()
        return
    with IncrementalSolver(encoded, name) as solver:
        literals = _literals(encoded, solver, knowledge.unknown)
        # A candidate without a literal is in every solution, so the first question is for any solution.
        while solver.solve([], deadline):
            knowledge.add(encoded.decode_all(solver.model()[None]))
            emit_progress(knowledge)
            clause = literals[knowledge.unknown & (literals != 0)].tolist()
            if not clause:
                break
            solver.add(clause)
            solver.prefer(clause)
        knowledge.refute_rest()


def _literals(encoded: Encoding, solver: IncrementalSolver, open_candidates: Candidates) -> Int64s:
    """Return for each candidate a literal that is true only if its cell holds it; 0 if there is no literal."""
    n_cells = len(open_candidates)
    of_values, possible = encoded.literals[:n_cells], encoded.candidates[:n_cells]
    single = of_values[..., 0].astype(np.int64)
    single[~possible] = 0
    if of_values.shape[2] == 1:
        return single
    # If an encoding expresses a candidate by several literals, a new variable implies them.
    n = encoded.cnf.n_variables
    for cell, value in np.argwhere(open_candidates & (of_values != 0).any(axis=2) & possible).tolist():
        n += 1
        for literal in of_values[cell, value].tolist():
            if literal:
                solver.add([-n, literal])
        single[cell, value] = n
    return single


def by_cells(knowledge: CandidateKnowledge, method: str, deadline: Deadline, options: Options) -> None:
    """Ask a method that lists solutions, cell by cell, for one with a value that was not seen there.

    Raises:
        StoppedError: by the deadline, or the method stopped.
        MethodError: the method does not support this board.
    """
    for cell in range(knowledge.puzzle.geometry.n_cells):
        while (open_values := knowledge.unknown[cell]).any():
            deadline()
            puzzle = knowledge.narrowed(cell, open_values)
            grid = first_solution(puzzle, method, deadline, options)
            if grid is None:
                values = np.flatnonzero(open_values)
                knowledge.refute(np.full(len(values), cell), values)
            else:
                knowledge.add(grid[None])
            emit_progress(knowledge)


def first_solution(puzzle: Puzzle, method: str, deadline: Deadline, options: Options) -> Grids | None:
    """Return a solution, or None if the puzzle has no solution.

    Raises:
        StoppedError: it is not known whether there is one.
    """
    limit = (
        deadline.within(deadline.seconds_left, 1) if deadline.ends is not None else Deadline(1, None, deadline.memory)
    )
    try:
        for batch in calls.solutions(puzzle, method, limit, options):
            first: Grids = batch[0]
            return first
    except StoppedError as reason:
        raise StoppedError(reason.reason) from reason
    return None
