"""Solving by CP-SAT: one solution with any number of workers, all solutions with exactly one."""

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.errors import TIME_LIMIT, InternalError, StoppedError
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.events import SolverFigures, emit
from sudoku_encode.run.limits import Deadline

# The largest number of solutions of a batch, and the seconds after which a smaller one is yielded.
_BATCH_SOLUTIONS, _BATCH_SECONDS = 256, 0.1
# Parameters for models that are solved in a millisecond: 9x9 puzzles take two thirds of the default time.
_SMALL_MODELS = {
    "num_workers": 1,
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "linearization_level": 0,
    "symmetry_level": 0,
    # Its own handler of Ctrl-C aborts the process when it is called outside the main thread.
    "catch_sigint_signal": False,
}


def solutions(encoded: CpModel, deadline: Deadline, seed: int = 0, workers: int = 1) -> Iterator[Grids]:
    """Yield all solutions in batches, each solution once; with a limit of 1 only one, by any number of workers.

    With more than one worker CP-SAT 9.15 loses solutions of an enumeration, repeats others and still reports that it
    found all. So an enumeration always runs on one worker, is complete only if CP-SAT ends it by itself, and repeated
    solutions (presolve can cause them) are dropped. A model with an objective yields better and better solutions, by
    any number of workers, and ends when the last is proved to be best.

    Raises:
        InternalError: CP-SAT rejects the model, or its final status contradicts the solutions that it found.
    """
    if encoded.contradiction:
        return
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    lists_all = deadline.solutions != 1 and not encoded.model.has_objective()
    solver.parameters.enumerate_all_solutions = lists_all
    solver.parameters.num_workers = 1 if lists_all else workers
    solver.parameters.random_seed = seed
    # Its own handler of Ctrl-C aborts the process when it is called outside the main thread.
    solver.parameters.catch_sigint_signal = False
    if deadline.ends is not None:
        solver.parameters.max_time_in_seconds = deadline.seconds_left
    yield from _search(encoded, solver, deadline)


def first_of_small(encoded: CpModel) -> Grids | None:
    """Return a solution of a small model, uint8 (n_cells,); None if it has no solution.

    Presolve, which takes most of the time of a small model, is left out. The search cannot be stopped.

    Raises:
        StoppedError: CP-SAT gave up.
        InternalError: it rejects the model.
    """
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    for name, value in _SMALL_MODELS.items():
        setattr(solver.parameters, name, value)
    status = solver.solve(encoded.model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise _no_answer(encoded, status, "CP-SAT gave up")
    return encoded.decode(solver).values


def _search(encoded: CpModel, solver: Any, deadline: Deadline) -> Iterator[Grids]:
    """Run CP-SAT in a thread, so that solutions are yielded while it works and Ctrl-C is handled."""
    from ortools.sat.python import cp_model

    queue = _SolutionQueue()

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            response = self.response_proto
            queue.figures = _figures(encoded, response)
            queue.put(list(response.solution))

    def run() -> None:
        try:
            status = solver.solve(encoded.model, Collect())
            queue.figures = _figures(encoded, solver.response_proto)
            queue.end(status)
        except BaseException as error:
            queue.end(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield from _batches(encoded, queue, deadline)
    finally:
        queue.stop.set()
        while thread.is_alive():
            # Called again and again, since it has no effect before the search has begun.
            solver.stop_search()
            thread.join(timeout=0.05)


class _SolutionQueue:
    """The solutions of CP-SAT's thread that are not yielded yet, and how the search ended.

    The reader is woken for the first solution, for a whole batch and at the end, and otherwise polls: switching threads
    takes longer than finding a solution.
    """

    def __init__(self) -> None:
        self.stop, self._wake, self._taken = threading.Event(), threading.Event(), threading.Event()
        self._lock, self._values, self._any = threading.Lock(), list[list[int]](), False
        self._end: list[Any] = []
        self.figures: SolverFigures | None = None

    def put(self, values: list[int]) -> None:
        """Add a solution; if too many are waiting, wait until they are taken."""
        with self._lock:
            self._values.append(values)
            waiting = len(self._values)
        if waiting >= _BATCH_SOLUTIONS or not self._any:
            self._any = True
            self._wake.set()
        while waiting >= 4 * _BATCH_SOLUTIONS and not self.stop.is_set():
            self._taken.wait(_BATCH_SECONDS)
            waiting = len(self._values)

    def end(self, how: object) -> None:
        """Record the final status, or the error."""
        self._end.append(how)
        self._wake.set()

    def take(self) -> tuple[list[list[int]], list[Any]]:
        """Wait a little; return the waiting solutions, and the final status in a list once the search has ended."""
        self._wake.wait(_BATCH_SECONDS)
        self._wake.clear()
        # Read before the solutions, so that no solution can follow.
        end = list(self._end)
        with self._lock:
            values, self._values = self._values, []
        self._taken.set()
        self._taken.clear()
        return values, end


def _figures(encoded: CpModel, response: Any) -> SolverFigures:
    """Return how much CP-SAT has worked so far, by one of its responses."""
    proto = encoded.model.proto
    return SolverFigures(
        "cp-sat",
        len(proto.variables),
        len(proto.constraints),
        response.num_conflicts,
        response.num_branches,
        response.num_binary_propagations + response.num_integer_propagations,
        response.num_restarts,
        response.wall_time,
    )


def _batches(encoded: CpModel, queue: _SolutionQueue, deadline: Deadline) -> Iterator[Grids]:
    from ortools.sat.python import cp_model

    def emit_figures() -> None:
        if queue.figures:
            emit(queue.figures)

    seen, is_ordered = set[bytes](), encoded.model.has_objective()
    end: list[Any] = []
    while not end:
        values, end = queue.take()
        for start in range(0, len(values), _BATCH_SOLUTIONS):
            grids = encoded.decode_all(np.array(values[start : start + _BATCH_SOLUTIONS]))
            new = {key: row for row, grid in enumerate(grids) if (key := grid.tobytes()) not in seen}
            seen |= new.keys()
            emit_figures()
            # With an objective the last grid is the best, even if it came before with other values of other variables.
            yield grids if is_ordered else grids[list(new.values())]
    emit_figures()
    (status,) = end
    if isinstance(status, BaseException):
        raise status
    if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
        raise _no_answer(encoded, status, "CP-SAT gave up" if deadline.ends is None else TIME_LIMIT)
    if (status == cp_model.OPTIMAL) != bool(seen):
        raise InternalError(
            f"CP-SAT shows {len(seen)} solutions and says that there are {'some' if not seen else 'none'}"
        )


def _no_answer(encoded: CpModel, status: object, reason: str) -> StoppedError | InternalError:
    """Return the error to raise if CP-SAT ended without an answer."""
    from ortools.sat.python import cp_model

    if status == cp_model.MODEL_INVALID:
        return InternalError(f"CP-SAT rejects the model: {encoded.model.validate()}")
    return StoppedError(reason)
