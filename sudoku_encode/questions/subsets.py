"""Smallest sets of givens: extra givens that make a puzzle unique, and givens that clash.

Both are smallest sets of literals that leave a formula without a solution.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.generating.grids import SOLVER, pattern
from sudoku_encode.methods.turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.redundant import with_givens_of
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.hitting import HittingSets
from sudoku_encode.solvers.sat import IncrementalSolver


@dataclass(frozen=True)
class Subset:
    """Cells whose literals together leave no solution."""

    cells: tuple[int, ...]  # ascending
    irreducible: bool  # whether it is proved that none of them can be left out
    smallest: bool  # whether it is proved that no other set with this property has fewer cells


def smallest_unsatisfiable(solver: IncrementalSolver, literals: dict[int, int], deadline: Deadline) -> Subset:
    """Return as few cells as possible whose literals leave no solution; all of them together must leave none.

    First, literals are left out one by one until none can go. Then the smallest set is searched for by implicit hitting
    sets: each solution of the formula makes some literals false, and every set that leaves no solution contains one of
    them. A smallest set that hits all these sets is tried; if it leaves a solution, there is a new set to hit. When the
    deadline comes, the best set so far is returned.

    Source: Ignatiev, Previti, Liffiton & Marques-Silva 2015, Smallest MUS Extraction with Minimal Hitting Set
    Dualization.

    Differs: sets are added until a hitting set leaves no solution, and as few of its literals as possible are kept; so
    there is an answer whenever the time ends. A totalizer takes the place of a MaxSAT solver.
    """
    questions = _Subsets(solver, literals, deadline)
    smallest_so_far, irreducible = frozenset(literals), False
    try:
        if questions.missed(smallest_so_far) is not None:
            raise InternalError("these literals should leave no solution, but leave one")
        smallest_so_far = questions.needed
        smallest_so_far, irreducible = _without_redundant(questions, smallest_so_far), True
        if len(smallest_so_far) > 1:
            smallest_so_far = _by_hitting_sets(questions, smallest_so_far)
        smallest = True
    except _OutOfTime as stop:
        smallest_so_far, smallest = stop.best, False
    except StoppedError:
        smallest = False
    return Subset(tuple(sorted(smallest_so_far)), irreducible, smallest)


class _OutOfTime(Exception):
    """The time is over; the exception carries the best subset so far."""

    def __init__(self, best: frozenset[int]) -> None:
        self.best = best


class _Subsets:
    """Answers whether a subset of the literals leaves a solution.

    Attributes:
        sets: the sets that every subset without a solution must hit; each question may add one.
        needed: the cells whose literals the last proof used.
    """

    def __init__(self, solver: IncrementalSolver, literals: dict[int, int], deadline: Deadline) -> None:
        self.solver, self.literals, self.deadline = solver, literals, deadline
        self.cell_of = {literal: cell for cell, literal in literals.items()}
        self.sets: list[frozenset[int]] = []
        self.needed: frozenset[int] = frozenset()
        self._cells = np.array(list(literals), np.intp)
        self._variables = np.array([abs(literal) for literal in literals.values()], np.intp)
        self._positive = np.array([literal > 0 for literal in literals.values()], bool)

    def _false(self) -> frozenset[int]:
        """Return the cells whose literals are false in the last model."""
        return frozenset(self._cells[self.solver.model()[self._variables] != self._positive].tolist())

    def _solvable(self, cells: Iterable[int]) -> bool:
        return self.solver.solve([self.literals[cell] for cell in cells], self.deadline)

    def missed(self, cells: Collection[int]) -> frozenset[int] | None:
        """Return a minimal set that these cells do not hit, or None if they leave no solution."""
        if not self._solvable(cells):
            self.needed = frozenset(self.cell_of[literal] for literal in self.solver.core())
            return None
        false = self._false()
        # One pass makes as few literals false as it can: smaller sets to hit restrict more.
        for cell in sorted(false):
            if cell in false and len(false) > 1:
                rest = [other for other in self.literals if other not in false]
                if self._solvable([*rest, cell]):
                    false = self._false()
        self.sets.append(false)
        return false


def _without_redundant(subsets: _Subsets, cells: frozenset[int]) -> frozenset[int]:
    """Leave out one cell after the other as long as there is no solution; none of the rest can go then."""
    try:
        for cell in sorted(cells):
            if cell in cells and subsets.missed(cells - {cell}) is None:
                cells = subsets.needed
    except StoppedError as reason:
        raise _OutOfTime(cells) from reason
    return cells


def _by_hitting_sets(subsets: _Subsets, best: frozenset[int]) -> frozenset[int]:
    """Return a smallest subset, starting from an irreducible one; raise `_OutOfTime` when the time is over."""
    cells = list(subsets.literals)
    number_of = {cell: number for number, cell in enumerate(cells)}
    try:
        with HittingSets(len(cells), len(best)) as hitting:
            n_added = 0
            while True:
                for cells_to_hit in subsets.sets[n_added:]:
                    hitting.add(number_of[cell] for cell in cells_to_hit)
                n_added = len(subsets.sets)
                numbers = hitting.smallest(len(best), subsets.deadline)
                if numbers is None:
                    return best
                chosen = frozenset(cells[number] for number in numbers)
                best = min(_completed(subsets, chosen), best, key=len)
                if len(best) == len(chosen):
                    return best
    except _OutOfTime as better:
        raise _OutOfTime(min(better.best, best, key=len)) from better
    except StoppedError as reason:
        raise _OutOfTime(best) from reason


def _completed(subsets: _Subsets, cells: frozenset[int]) -> frozenset[int]:
    """Add cells until there is no solution, one of each missed set, and leave out those that can go again."""
    first = len(subsets.sets)
    while (missed_set := subsets.missed(cells)) is not None:
        # The cell that is in the most sets; the first of several.
        cells |= {max(sorted(missed_set), key=lambda cell: sum(cell in other for other in subsets.sets[first:]))}
    return _without_redundant(subsets, subsets.needed)


# Extra givens that leave one of several solutions.


def extra_givens(puzzle: Puzzle, target: Grids, deadline: Deadline) -> Subset:
    """Return blanks that leave a target solution alone when its values are given there; as few as are found in time.

    Every other solution differs from the target in a set of cells, called unavoidable: one of them must be given. So
    the answer is a smallest hitting set of all unavoidable sets; in a formula that excludes the target, it is a
    smallest set of literals of the target that leaves no model.
    """
    board = puzzle.geometry
    if board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        return Subset(tuple(puzzle.blanks.tolist()), False, False)
    encoding = encode(puzzle)
    # In a cell with one candidate, no other solution differs.
    cells = np.flatnonzero(np.count_nonzero(encoding.candidates, axis=1) > 1)
    literals = encoding.literals[cells, target[cells].astype(np.intp) - 1, 0].tolist()
    with IncrementalSolver(encoding, SOLVER) as solver:
        for clause in encoding.blocking(target[None]):
            solver.add(clause)
        return smallest_unsatisfiable(solver, dict(zip(cells.tolist(), literals, strict=True)), deadline)


def extra_givens_of_listed(solutions: Grids, target: Grids, deadline: Deadline) -> Subset:
    """Return the result of `extra_givens` from a list of all solutions, uint8 (m, n_cells)."""
    differ = solutions != target
    cells = np.flatnonzero(differ.any(axis=0))
    sets = np.unique(differ[differ.any(axis=1)][:, cells], axis=0)
    greedy, missed = list[int](), sets
    while len(missed):
        greedy.append(int(missed.sum(axis=0).argmax()))
        missed = missed[~missed[:, greedy[-1]]]
    best, smallest = greedy, True
    try:
        with HittingSets(len(cells), len(greedy)) as hitting:
            for row in sets:
                hitting.add(np.flatnonzero(row).tolist())
            best = hitting.smallest(len(greedy), deadline) or greedy
    except StoppedError:
        smallest = False
    return Subset(tuple(sorted(cells[best].tolist())), smallest, smallest)


# Givens that clash.


def clashing_givens(puzzle: Puzzle, deadline: Deadline) -> Subset:
    """Return cells whose givens alone leave no solution, as few as are found in time.

    No cells if the board, or its blanks with their pencilmarks, has no solution anyway.
    """
    board = puzzle.geometry
    if board.oversized_unit is not None:
        return Subset((), True, True)
    # On a board with a solution, a single given never clashes, since values can be renamed. So without pencilmarks and
    # constraints a pair is the smallest clash, unless the board has no solution.
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
