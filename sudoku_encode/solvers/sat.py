"""SAT solving by PySAT: an incremental solver whose blocking clauses can be switched off."""

import gc
import math
import signal
import struct
import time
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.blocking import Blocking
from sudoku_encode.encoders.blocking import blocking as blocking_of
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.events import SolverFigures, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.table import DEFAULT_SOLVER, sat_solver
from sudoku_encode.storage.outputs import make_temporary

# Seconds between two checks of the deadline and of Ctrl-C, and the first guess of the number of conflicts for that; it
# is adapted to the measured time, and grows at most by this factor.
_SLICE_SECONDS, _SLICE_CONFLICTS, _GROWTH = 0.2, 2_000, 2.0
# A solver begins each slice as it begins a puzzle, with short phases between changes of its strategy, though it keeps
# what it has learnt: on hard puzzles many slices take several times as long as one. In a process that its parent ends
# Ctrl-C is ignored; there slices grow faster, and without a deadline there is only one.
_LONG_GROWTH = 4.0
# In a formula of more clauses a conflict takes longer, so that there are fewer within a limit on conflicts.
_USUAL_CLAUSES = 25_000
# Some solvers store it in 32 bits.
_MAX_CONFLICTS = 1 << 30
# After this number of solutions a puzzle is cut into parts; below it listing is as fast without a cut.
_PART_SOLUTIONS = 20_000
# A batch is yielded when it has this many solutions, when its models have this many bytes, or after this many seconds:
# a process that is killed loses the solutions that it has not yielded.
_BATCH_SOLUTIONS, _BATCH_BYTES, _BATCH_SECONDS = 256, 1 << 22, 0.1


class IncrementalSolver:
    """A solver of one encoding that can be asked repeatedly, under different assumptions.

    Use it as a context manager: PySAT's solvers are not freed by themselves.
    """

    def __init__(self, encoding: Encoding, solver: str = DEFAULT_SOLVER, proof: bool = False) -> None:
        from pysat.solvers import Solver

        self._traits = sat_solver(solver)
        self.encoding, self.name = encoding, solver
        self._variables = encoding.cnf.n_variables
        self._size = encoding.cnf.n_variables, encoding.cnf.n_clauses
        self._share_of_conflicts = min(1.0, _USUAL_CLAUSES / max(1, encoding.cnf.n_clauses))
        self._seconds = 0.0
        self._conflicts, self._plain_interrupts = _SLICE_CONFLICTS, PlainInterrupts()
        self._ignores_interrupts = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        self._solver: Any = make_temporary(partial(Solver, name=solver, with_proof=proof))
        _load(self._solver, encoding.cnf)

    def __enter__(self) -> "IncrementalSolver":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._solver.delete()

    def solutions(self, deadline: Deadline, givens: Grids | None = None, *, for_good: bool = False) -> Iterator[Grids]:
        """Yield all solutions in batches; afterwards the solver is in the same state as before.

        Givens, uint8 (n_cells,), are assumed in addition to the encoding. If it is for good, the solutions stay
        excluded, which is faster; the solver is then not used for anything else.

        Raises:
            MethodError: a solver that cannot do what the deadline asks.
            InternalError: the solver returned a solution twice.
        """
        if not self._traits.answers_again and deadline.solutions != 1:
            raise MethodError(f"{self.name} gives one answer only; choose another solver to list or count solutions")
        batch: list[list[int]] = []
        all_givens = self.encoding.puzzle.givens if givens is None else givens
        blocking = blocking_of(self.encoding, all_givens, infer=deadline.solutions != 1)
        most = max(1, min(_BATCH_SOLUTIONS, _BATCH_BYTES // (self.encoding.cnf.n_variables + 1)))
        yielded, yielded_at = 0, -math.inf
        try:
            with closing(self._one_by_one(deadline, givens, blocking, for_good)) as clauses:
                for clause in clauses:
                    batch.append(clause)
                    remaining = most if deadline.solutions is None else deadline.solutions - yielded
                    # The first solution is yielded at once.
                    if len(batch) >= min(remaining, most) or time.monotonic() - yielded_at > _BATCH_SECONDS:
                        yielded += len(batch)
                        yield self._decoded(batch, blocking)
                        batch, yielded_at = [], time.monotonic()
                    if yielded == deadline.solutions:
                        return
        except (StoppedError, KeyboardInterrupt):
            if batch:
                yield self._decoded(batch, blocking)
            raise
        if batch:
            yield self._decoded(batch, blocking)

    def _one_by_one(
        self, deadline: Deadline, givens: Grids | None, blocking: Blocking, for_good: bool
    ) -> Generator[list[int]]:
        """Yield the clause that excludes each solution, or its model if clauses do not determine grids."""
        # Unless `for_good`, blocking clauses are active only while a literal, the switch, is assumed. In the end it is
        # made false, so that the clauses affect no other puzzle.
        assumptions = [] if givens is None else next(self.encoding.assumptions(givens[None]))
        switch = 0
        seen: set[int] = set()
        try:
            while self.solve([*assumptions, switch] if switch else assumptions, deadline):
                model = self._literals()
                clause = blocking.clause(model)
                # A solver that ignores a blocking clause would never end, and count too many solutions. The hash is of
                # bytes, since -1 and -2 have the same hash.
                if (key := hash(array("i", clause).tobytes())) in seen:
                    raise InternalError(f"{self.name} returned a solution that it was told to leave out")
                seen.add(key)
                # Models are long: storing some hundreds of them takes as much time as finding them.
                yield clause if blocking.grids else model
                if not for_good:
                    if not switch:
                        self._variables += 1
                        switch = self._variables
                    clause = [*clause, -switch]
                self._solver.add_clause(clause)
        finally:
            if switch:
                self._solver.add_clause([-switch])

    def _decoded(self, clauses: list[list[int]], blocking: Blocking) -> Grids:
        """Return the grids of the clauses or models that `_one_by_one` yielded."""
        if blocking.grids:
            return blocking.grids(clauses)
        return self.encoding.decode_all(self._truth([self._packed(model) for model in clauses]))

    def first(self, givens: Grids) -> tuple[Grids, list[bool]]:
        """Return one solution for each row of givens (m, n_cells), assumed one at a time, and whether it has any.

        The grid of a row without a solution is meaningless.
        """
        models, answers, no_deadline = [], [], Deadline()
        no_model = bytes(4 * self.encoding.cnf.n_variables)
        # Once for all, and with few calls for each: that is a tenth of the time of easy puzzles.
        with self._plain_interrupts:
            for assumptions in self.encoding.assumptions(givens):
                answer = self._slice(assumptions, _SLICE_CONFLICTS)
                answers.append(self.solve(assumptions, no_deadline) if answer is None else bool(answer))
                models.append(self._packed(self._literals()) if answers[-1] else no_model)
        return self.encoding.decode_all(self._truth(models)), answers

    def add(self, clause: list[int]) -> None:
        """Add a clause for good."""
        self._solver.add_clause(clause)

    def prefer(self, literals: list[int]) -> None:
        """Let the solver try these literals first in decisions; not every solver can."""
        with suppress(NotImplementedError):
            self._solver.set_phases(literals)

    @property
    def propagations(self) -> int:
        """How many literals the solver has propagated so far."""
        return int(self._solver.accum_stats()["propagations"])

    @property
    def conflicts(self) -> int:
        """How many conflicts the solver has had so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def figures(self, earlier: SolverFigures | None = None) -> SolverFigures:
        """Return how much the solver has worked so far, together with earlier work on the same puzzle."""
        work: dict[str, Any] = {}
        # Not every solver of PySAT reports its work.
        with suppress(NotImplementedError):
            work = self._solver.accum_stats() or {}
        conflicts, decisions = work.get("conflicts"), work.get("decisions")
        propagations, restarts = work.get("propagations"), work.get("restarts")
        figures = SolverFigures(self.name, *self._size, conflicts, decisions, propagations, restarts, self._seconds)
        return figures.after(earlier) if earlier else figures

    def proof(self) -> list[str]:
        """Return the lines of the DRAT proof so far, as the solver prints them; it may be incomplete."""
        return self._solver.get_proof() or []

    def model(self) -> NDArray[np.bool_]:
        """Return the model that the last `solve` found, bool (n_variables + 1,)."""
        truth: NDArray[np.bool_] = self._truth([self._packed(self._literals())])[0]
        return truth

    def decided(self, assumptions: list[int], conflicts: int) -> bool | None:
        """Return whether there is a solution under some literals; None if this many conflicts do not decide it."""
        with self._plain_interrupts:
            answer = self._slice(assumptions, conflicts)
        return None if answer is None else bool(answer)

    def _slice(self, assumptions: list[int], conflicts: int) -> Any:
        """Return the solver's answer within a number of conflicts, or without limit if the solver cannot be stopped."""
        begun = time.monotonic()
        try:
            if not self._traits.stoppable:
                return self._solver.solve(assumptions=assumptions) if assumptions else self._solver.solve()
            self._solver.conf_budget(conflicts)
            return self._solver.solve_limited(assumptions=assumptions)
        finally:
            self._seconds += time.monotonic() - begun

    def core(self) -> list[int]:
        """Return assumptions that together have no solution; only after a `solve` that returned False."""
        return self._solver.get_core() or []

    def solve(self, assumptions: list[int], deadline: Deadline) -> bool:
        """Return whether there is a solution under some literals.

        Raises:
            MethodError: a deadline, and a solver that cannot be stopped.
            StoppedError: by the deadline, or the solver has had its conflicts.
        """
        if not self._traits.stoppable:
            if deadline.ends is not None:
                raise MethodError(f"{self.name} cannot be stopped by a time limit; choose another solver")
            return bool(self.decided(assumptions, 0))
        while True:
            deadline()
            start, most = time.monotonic(), self._conflicts
            if self._ignores_interrupts and deadline.ends is None:
                most = _MAX_CONFLICTS
            if deadline.conflicts is not None:
                most = min(most, int(deadline.conflicts * self._share_of_conflicts) - self.conflicts)
                if most <= 0:
                    raise StoppedError(f"limit of {deadline.conflicts} conflicts")
            answer = self.decided(assumptions, most)
            if answer is not None:
                return answer
            seconds, slice_seconds, growth = time.monotonic() - start, deadline.seconds_left / 4, _LONG_GROWTH
            if not self._ignores_interrupts:
                slice_seconds, growth = min(_SLICE_SECONDS, slice_seconds), _GROWTH
            more = int(self._conflicts * min(growth, slice_seconds / max(seconds, 1e-6)))
            self._conflicts = min(max(100, more), _MAX_CONFLICTS)

    def _literals(self) -> list[int]:
        """Return the solver's model as literals of the encoding's variables; variables in no clause are false."""
        model: list[int] | None = self._solver.get_model()
        if model is None:
            raise InternalError(f"{self.name} says that there is a solution, but shows no model")
        n = self.encoding.cnf.n_variables
        # A model ends with the last variable of a clause, which may be one of a blocking clause.
        return [*model[:n], *range(-len(model) - 1, -n - 1, -1)] if len(model) != n else model

    def _packed(self, literals: list[int]) -> bytes:
        """Return a model of all variables as bytes."""
        # `struct` reads a list of numbers three times as fast as numpy, which saves a tenth of the time of a solve.
        return struct.pack(f"{self.encoding.cnf.n_variables}i", *literals)

    def _truth(self, packed: Sequence[bytes]) -> NDArray[np.bool_]:
        """Return packed models as bool (m, n_variables + 1)."""
        # All at once: the first call of a function of numpy after each solve takes as long as the reading itself.
        n = self.encoding.cnf.n_variables
        literals = np.frombuffer(b"".join(packed), np.int32).reshape(len(packed), n)
        truth = np.zeros((len(literals), n + 1), bool)
        np.greater(literals, 0, out=truth[:, 1:])
        return truth


def solutions(
    encoding: Encoding,
    deadline: Deadline,
    solver: str = DEFAULT_SOLVER,
    encode_part: Callable[[Puzzle], Encoding] | None = None,
) -> Iterator[Grids]:
    """Yield all solutions of an encoded puzzle in batches, each solution once.

    Each solution is excluded by a clause, and the solver gets slower with their number. So after some thousands the
    puzzle is cut into parts by the value of a cell. Each part has a solver of its own, without the clauses of other
    parts and with fewer variables. Without `encode_part`, which encodes the puzzle with more givens, it is not cut.

    Raises:
        MethodError: an unknown solver, or one that cannot do what the deadline asks.
    """
    none = np.zeros((0, encoding.puzzle.geometry.n_cells), np.uint8)
    # The remaining parts, the next at the end: puzzles, with their solutions that are found already.
    parts, remaining = [(encoding.puzzle, none)], deadline.solutions
    work_so_far: SolverFigures | None = None
    while parts:
        puzzle, earlier = parts.pop()
        if puzzle is not encoding.puzzle:
            assert encode_part
            encoding_of_part = encode_part(puzzle)
        else:
            encoding_of_part = encoding
        if encoding_of_part.contradiction:
            continue
        most = remaining if encode_part is None else min(_PART_SOLUTIONS, remaining or _PART_SOLUTIONS)
        batches = [earlier]
        with IncrementalSolver(encoding_of_part, solver) as incremental:
            for clause in encoding_of_part.blocking(earlier[:, : puzzle.geometry.n_grid]):
                incremental.add(clause)
            try:
                for batch in incremental.solutions(replace(deadline, solutions=most), for_good=True):
                    batches.append(batch)
                    # Emitted before each batch, since the caller may read no further, or end this process.
                    emit(incremental.figures(work_so_far))
                    yield batch
            finally:
                work_so_far = incremental.figures(work_so_far)
                emit(work_so_far)
        n_found = sum(map(len, batches[1:]))
        if remaining is not None:
            remaining -= n_found
        if remaining == 0 or n_found != most:
            # The limit is reached, or there are no more.
            if remaining == 0:
                return
            continue
        parts += _cut(encoding_of_part, np.concatenate(batches))


def _cut(encoding: Encoding, solutions: Grids) -> list[tuple[Puzzle, Grids]]:
    """Cut a puzzle by the cell that divides its solutions so far most evenly; return the solutions of each part too."""
    puzzle = encoding.puzzle
    is_open = (puzzle.givens == 0) & (np.count_nonzero(encoding.candidates, axis=1) > 1)
    blanks = np.flatnonzero(is_open[: puzzle.geometry.n_grid])
    if not len(blanks):
        return []
    values = np.arange(1, puzzle.geometry.n_values + 1)
    largest = [np.bincount(solutions[:, cell]).max() for cell in blanks]
    cell = int(blanks[np.argmin(largest)])
    parts = []
    for value in values[encoding.candidates[cell]].tolist():
        givens = puzzle.givens.copy()
        givens[cell] = value
        parts.append((replace(puzzle, givens=givens), solutions[solutions[:, cell] == value]))
    return parts


def _load(solver: Any, cnf: Cnf) -> None:
    """Add all clauses, a chunk of lists at a time."""
    with _no_garbage_collection():
        for chunk in cnf.chunks():
            for start in range(0, len(chunk), 8192):
                solver.append_formula(chunk[start : start + 8192].tolist())


class PlainInterrupts:
    """Keep PySAT from handling Ctrl-C: it would jump out of the solver and leave it in an unusable state.

    Instead, Python raises KeyboardInterrupt when the solver has returned. One context may be inside another.
    """

    def __init__(self) -> None:
        from pysat import solvers

        self.solvers, self.originals = solvers, list[Any]()

    def __enter__(self) -> None:
        self.originals.append(self.solvers.MainThread)
        self.solvers.MainThread = _NotMain

    def __exit__(self, *error: object) -> None:
        self.solvers.MainThread = self.originals.pop()


class _NotMain:
    """Tells PySAT that this is not the main thread, so that it does not handle signals."""

    @staticmethod
    def check() -> bool:
        return False


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Switch the garbage collector off: with millions of small lists it runs often and doubles the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
