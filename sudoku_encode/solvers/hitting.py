"""Smallest hitting sets (the fewest elements that meet each of some sets), by SAT and a totalizer."""

from collections.abc import Iterable
from types import TracebackType
from typing import Any

from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import PlainInterrupts

# A solver that takes a budget of conflicts and tries false first, which gives small sets.
_SOLVER = "glucose4"
_SLICE_CONFLICTS = 2_000


class HittingSets:
    """A growing list of sets of the numbers from 0 to n - 1; use it as a context manager.

    `size` is a proved lower bound of the size of a hitting set.
    """

    def __init__(self, n: int, most: int) -> None:
        """Start without a set, for `n` elements, and for hitting sets of `most` of them at most."""
        from pysat.card import ITotalizer
        from pysat.solvers import Solver

        totalizer = ITotalizer(lits=list(range(1, n + 1)), ubound=most, top_id=n)
        # Literal k says that more than k elements are chosen.
        self._more_than: list[int] = totalizer.rhs
        self._solver: Any = Solver(name=_SOLVER, bootstrap_with=totalizer.cnf.clauses)
        totalizer.delete()
        self._n, self._interrupts, self.size = n, PlainInterrupts(), 0

    def __enter__(self) -> "HittingSets":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._solver.delete()

    def add(self, elements: Iterable[int]) -> None:
        """Add a set."""
        self._solver.add_clause([element + 1 for element in elements])

    def smallest(self, below: int, deadline: Deadline) -> list[int] | None:
        """Return a smallest hitting set; None if every hitting set has at least `below` elements, `most` + 1 at most.

        Raises:
            StoppedError: the deadline came; `size` is the bound proved by then.
        """
        while self.size < below:
            bound = [-self._more_than[self.size]] if self.size < len(self._more_than) else []
            if self._has_model(bound, deadline):
                return [literal - 1 for literal in self._solver.get_model()[: self._n] if literal > 0]
            self.size += 1
        return None

    def _has_model(self, bound: list[int], deadline: Deadline) -> bool:
        while True:
            deadline()
            self._solver.conf_budget(_SLICE_CONFLICTS)
            with self._interrupts:
                answer = self._solver.solve_limited(assumptions=bound)
            if answer is not None:
                return bool(answer)
