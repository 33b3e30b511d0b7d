"""SAT solving by PySAT: one incremental solver, blocking clauses that can be taken back."""

import gc
import math
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError, Stopped
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.table import DEFAULT_SOLVER, sat_solver

# How long the solver may work between two looks at the clock and at the keyboard, and how many conflicts that is at
# first; the number is adapted as it goes.
_SLICE_SECONDS, _SLICE_CONFLICTS = 0.2, 2_000
# More does not fit where some solvers keep the number.
_MOST_CONFLICTS = 1 << 30
# A batch is passed on when it has so many solutions, or is so many seconds old: what the process that works here has
# not passed on when it is ended is lost.
_BATCH, _SECONDS = 256, 0.1


class IncrementalSolver:
    """A solver that holds one encoding and answers for one set of assumptions after the other.

    Use it as a context manager; PySAT's solvers are not freed by themselves.
    """

    def __init__(self, encoding: Encoding, solver: str = DEFAULT_SOLVER, proof: bool = False) -> None:
        from pysat.solvers import Solver

        self._traits = sat_solver(solver)
        self.encoding, self.name = encoding, solver
        self._variables = encoding.cnf.n_variables
        self._conflicts = _SLICE_CONFLICTS
        self._solver: Any = Solver(name=solver, with_proof=proof)
        _load(self._solver, encoding.cnf)

    def __enter__(self) -> "IncrementalSolver":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._solver.delete()

    def solutions(self, deadline: Deadline, givens: Grids | None = None) -> Iterator[Grids]:
        """Yield all solutions in batches; afterwards the solver is as it was before.

        Args:
            deadline: the limit and the deadline.
            givens: uint8 (n_cells,): assumed besides what the encoding has.

        Raises:
            Stopped: the deadline came.
            MethodError: a solver that cannot do what the deadline asks.
            InternalError: the solver returned a solution twice.
        """
        if not self._traits.answers_again and deadline.solutions != 1:
            raise MethodError(f"{self.name} gives one answer only; choose another solver to list or count solutions")
        assumptions = [] if givens is None else next(self.encoding.assumptions(givens[None]))
        blanks = self.encoding.puzzle.blanks if givens is None else np.flatnonzero(givens == 0)
        switch, yielded, passed_on = 0, 0, -math.inf
        found: list[Grids] = []
        seen: set[int] = set()
        try:
            while self.solve([*assumptions, switch] if switch else assumptions, deadline):
                grid = self.encoding.decode_all(self.model()[None])
                found.append(grid)
                # A solver that passes over a blocking clause would never end, and count too many meanwhile.
                if (key := hash(grid.tobytes())) in seen:
                    raise InternalError(f"{self.name} returned a solution that it was told to leave out")
                seen.add(key)
                # The first solution is passed on at once.
                left = _BATCH if deadline.solutions is None else deadline.solutions - yielded
                if len(found) >= min(left, _BATCH) or time.monotonic() - passed_on > _SECONDS:
                    yielded += len(found)
                    yield np.concatenate(found)
                    found, passed_on = [], time.monotonic()
                if yielded == deadline.solutions:
                    return
                if not switch:
                    self._variables += 1
                    switch = self._variables
                self._solver.add_clause([-switch, *self.encoding.blocking_clause(grid[0], blanks)])
        except (Stopped, KeyboardInterrupt):
            if found:
                yield np.concatenate(found)
            raise
        finally:
            # Satisfied for good: the next puzzle is not bound by what this one has found.
            if switch:
                self._solver.add_clause([-switch])
        if found:
            yield np.concatenate(found)

    def first(self, givens: Grids) -> tuple[Grids, list[bool]]:
        """Return one solution for each row of givens (m, n_cells), which are assumed one row at a time.

        Returns:
            uint8 (m, n_cells), and of each row whether it has a solution. A grid says something only where it has.
        """
        truth = np.zeros((len(givens), self.encoding.cnf.n_variables + 1), bool)
        answers = []
        for row, assumptions in enumerate(self.encoding.assumptions(givens)):
            answers.append(self.solve(assumptions, Deadline()))
            if answers[-1]:
                self._model_into(truth[row])
        return self.encoding.decode_all(truth), answers

    def add(self, clause: list[int]) -> None:
        """Add a clause for good."""
        self._solver.add_clause(clause)

    def proof(self) -> list[str]:
        """Return the lines of the DRAT proof so far, as the solver gives them: they may be incomplete, or go on."""
        return self._solver.get_proof() or []

    def model(self) -> NDArray[np.bool_]:
        """Return the model that the last `solve` found, bool (n_variables + 1,)."""
        truth = np.zeros(self.encoding.cnf.n_variables + 1, bool)
        self._model_into(truth)
        return truth

    def decided(self, assumptions: list[int], conflicts: int) -> bool | None:
        """Say whether there is a solution under some literals, or None when so many conflicts did not decide it."""
        self._solver.conf_budget(conflicts)
        with _plain_interrupts():
            answer = self._solver.solve_limited(assumptions=assumptions)
        return None if answer is None else bool(answer)

    def solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        """Say whether there is a solution under some literals.

        Raises:
            Stopped: the deadline came.
            MethodError: a deadline, and a solver that cannot be stopped.
        """
        if not self._traits.stoppable:
            if deadline.ends is not None:
                raise MethodError(f"{self.name} cannot be stopped by a time limit; choose another solver")
            with _plain_interrupts():
                return bool(self._solver.solve(assumptions=assumptions) if assumptions else self._solver.solve())
        while True:
            deadline()
            start = time.monotonic()
            answer = self.decided(assumptions, self._conflicts)
            if answer is not None:
                return answer
            taken, wanted = time.monotonic() - start, min(_SLICE_SECONDS, deadline.seconds_left / 4)
            more = int(self._conflicts * min(2.0, wanted / max(taken, 1e-6)))
            self._conflicts = min(max(100, more), _MOST_CONFLICTS)

    def _model_into(self, truth: NDArray[np.bool_]) -> None:
        """Read the solver's model into bool (n_variables + 1,) of false; variables that no clause uses stay false."""
        model = self._solver.get_model()
        if model is None:
            raise InternalError(f"{self.name} says that there is a solution, and shows none")
        model = model[: self.encoding.cnf.n_variables]
        # Numpy takes three times as long to read a list of numbers, which is a tenth of a whole solve.
        literals = np.frombuffer(struct.pack(f"{len(model)}i", *model), np.int32)
        np.greater(literals, 0, out=truth[1 : len(model) + 1])


def solutions(encoding: Encoding, deadline: Deadline, solver: str = DEFAULT_SOLVER) -> Iterator[Grids]:
    """Yield all solutions of an encoded puzzle in batches, each solution once.

    Raises:
        Stopped: the deadline came.
        MethodError: an unknown solver, or one that cannot do what the deadline asks.
    """
    if encoding.contradiction:
        return
    with IncrementalSolver(encoding, solver) as incremental:
        yield from incremental.solutions(deadline)


def _load(solver: Any, cnf: Cnf) -> None:
    """Add all clauses, a chunk of lists at a time."""
    with _no_garbage_collection():
        for chunk in cnf.chunks():
            for start in range(0, len(chunk), 8192):
                solver.append_formula(chunk[start : start + 8192].tolist())


class _plain_interrupts:
    """Keep PySAT from handling Ctrl-C, which it does by jumping out of the solver and leaving it in pieces.

    Python's own handler then speaks up as soon as the solver has returned.
    """

    def __enter__(self) -> None:
        from pysat import solvers

        self.original, solvers.MainThread = solvers.MainThread, _NotMain

    def __exit__(self, *error: object) -> None:
        from pysat import solvers

        solvers.MainThread = self.original


class _NotMain:
    """What PySAT asks whether it may handle signals."""

    @staticmethod
    def check() -> bool:
        return False


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Millions of small lists make the collector run over and over, for nothing: that doubles the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
