"""Which of some literals are enough to leave a formula without a solution: as few of them as can be."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.hitting import HittingSets
from sudoku_encode.solvers.sat import IncrementalSolver


@dataclass(frozen=True)
class Subset:
    """Cells whose literals leave no solution together.

    Attributes:
        cells: ascending.
        irreducible: whether it is proved that none of them can be left out.
        smallest: whether it is proved that no other set of cells that does the same has fewer.
    """

    cells: tuple[int, ...]
    irreducible: bool
    smallest: bool


def smallest_unsatisfiable(solver: IncrementalSolver, literals: dict[int, int], deadline: Deadline) -> Subset:
    """Return as few cells as can be whose literals leave no solution; those of all cells together must leave none.

    First literals are left out one by one until none can go. Then the smallest set is searched for by implicit hitting
    sets: each solution of the formula makes some literals false, and every set that leaves none has one of them. A
    smallest set that hits all these sets of literals is tried; where it leaves a solution, there is a new set to hit.

    Args:
        solver: holds the formula.
        literals: by its cell, a literal.
        deadline: when to stop; what is found by then is returned.

    Source: Ignatiev, Previti, Liffiton & Marques-Silva 2015, Smallest MUS Extraction with Minimal Hitting Set
    Dualization.

    Differs: sets are added until a hitting set leaves no solution, as few literals of which are kept; so there is an
    answer whenever the time ends. A totalizer takes the place of a MaxSAT solver.
    """
    found = _Subsets(solver, literals, deadline)
    best, irreducible = frozenset(literals), False
    try:
        if found.missed(best) is not None:
            raise InternalError("literals that were to leave no solution have one")
        best = found.needed
        best, irreducible = _reduced(found, best), True
        if len(best) > 1:
            best = _by_hitting_sets(found, best)
        smallest = True
    except _Best as better:
        best, smallest = better.best, False
    except StoppedError:
        smallest = False
    return Subset(tuple(sorted(best)), irreducible, smallest)


class _Best(Exception):
    """The time was over; the best so far."""

    def __init__(self, best: frozenset[int]) -> None:
        self.best = best


class _Subsets:
    """Answers which literals a subset leaves unsettled.

    Attributes:
        sets: what every subset that leaves no solution has to hit; grows with each question.
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
        """Return a minimal set of cells that these do not hit, or None where they leave no solution."""
        if not self._solvable(cells):
            self.needed = frozenset(self.cell_of[literal] for literal in self.solver.core())
            return None
        false = self._false()
        # As few false literals as one pass leaves: smaller sets to hit say more.
        for cell in sorted(false):
            if cell in false and len(false) > 1:
                rest = [other for other in self.literals if other not in false]
                if self._solvable([*rest, cell]):
                    false = self._false()
        self.sets.append(false)
        return false


def _reduced(found: _Subsets, cells: frozenset[int]) -> frozenset[int]:
    """Leave out one cell after the other while no solution comes up; none that is left can go then."""
    try:
        for cell in sorted(cells):
            if cell in cells and found.missed(cells - {cell}) is None:
                cells = found.needed
    except StoppedError as reason:
        raise _Best(cells) from reason
    return cells


def _by_hitting_sets(found: _Subsets, best: frozenset[int]) -> frozenset[int]:
    """Return a smallest subset, where `best` is one that is irreducible.

    Raises:
        _Best: the time was over.
    """
    cells = list(found.literals)
    number_of = {cell: number for number, cell in enumerate(cells)}
    try:
        with HittingSets(len(cells), len(best)) as hitting:
            n_added = 0
            while True:
                for some in found.sets[n_added:]:
                    hitting.add(number_of[cell] for cell in some)
                n_added = len(found.sets)
                numbers = hitting.smallest(len(best), found.deadline)
                if numbers is None:
                    return best
                chosen = frozenset(cells[number] for number in numbers)
                best = min(_extended(found, chosen), best, key=len)
                if len(best) == len(chosen):
                    return best
    except _Best as better:
        raise _Best(min(better.best, best, key=len)) from better
    except StoppedError as reason:
        raise _Best(best) from reason


def _extended(found: _Subsets, cells: frozenset[int]) -> frozenset[int]:
    """Add cells until there is no solution, one of each set that is missed, and leave out again what can go."""
    begun = len(found.sets)
    while (some := found.missed(cells)) is not None:
        # The cell that most sets have, of those with the same number the first.
        cells |= {max(sorted(some), key=lambda cell: sum(cell in other for other in found.sets[begun:]))}
    return _reduced(found, found.needed)
