"""Run methods on puzzles, each in a process of its own that has a time and a memory limit.

A method that hangs, dies or takes all memory stops no other, and the grids that it listed before count as listed.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import (
    OUT_OF_MEMORY,
    InterruptedRunError,
    MethodError,
    ProcessDiedError,
    ProcessHungError,
    StoppedError,
    SudokuError,
    solution_limit,
)
from sudoku_encode.methods.calls import prepared_for
from sudoku_encode.methods.limited_calls import warm_up_method
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.child import can_limit_memory
from sudoku_encode.run.counting import Count, of_grid
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Remark, SolutionsFound, SolverFigures, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool

DEFAULT_LIMITS = Limits(solutions=100_000, seconds=10.0, memory=2 << 30 if can_limit_memory() else None)


@dataclass(frozen=True, eq=False)
class Run:
    """The answer of a method for a puzzle, unchecked.

    Attributes:
        method: its name.
        family: see `methods.method.Method`.
        count: how many solutions it says that there are, and whether it says that these are all.
        grids: the grids that it listed, in its order: (m, n_cells).
        failure: `raised`, `died`, `hung` or `memory`, where it did not end by itself; `count.stopped` says more.
        seconds: how long it took.
        memory: how many bytes it used at its peak, besides what every process starts with; 0 where it is not known.
        figures: how much its SAT or CP solver worked; None for other methods.
    """

    method: str
    family: str
    count: Count
    grids: Grids
    failure: str
    seconds: float
    memory: int
    figures: SolverFigures | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    @property
    def listed(self) -> bool:
        """Whether it listed all solutions that it found; else it counted them."""
        return len(self.grids) == self.count.value


class Job(NamedTuple):
    """A method to run on a puzzle, and the puzzle's number."""

    number: int
    puzzle: Puzzle
    method: str


class _Outcome(NamedTuple):
    """How a run ended, as reported by its process."""

    kind: str  # `complete`, `stopped`, or a failure of `Run`
    counted: int | None  # the number of solutions, where they are not all listed
    text: str  # why it is not complete
    seconds: float  # how long it took
    memory: int  # how many bytes it used at its peak, besides what it started with


def options(method: Method) -> Options:
    """Return the options for a comparison: CP-SAT gets the whole puzzle, so that it shares no reduction with `sat`."""
    return Options(reduction="none") if method.family == "cp-sat" else Options()


def preload() -> None:
    """Load libraries that take long to load, so that the processes forked later have them."""
    for name in dict.fromkeys(library for method in METHODS.values() for library in method.loads):
        import_module(name)
    # To ask this loads numba, where it is installed.
    if reason := kernels.unavailable():
        emit(Remark(f"methods that are compiled are left out: {reason}"))


def run_all(jobs: Iterable[Job], limits: Limits, pool: Pool = ONE) -> Iterator[tuple[int, Run]]:
    """Run methods on puzzles, each in a process of its own, and yield what they found, by the puzzle's number."""
    listed: dict[int, list[Grids]] = {}
    work_so_far: dict[int, SolverFigures] = {}

    def observe(job: Job, event: Event) -> None:
        if isinstance(event, SolutionsFound):
            listed.setdefault(id(job), []).append(event.grids)
        elif isinstance(event, SolverFigures):
            work_so_far[id(job)] = event
        else:
            emit(event)

    task = partial(one_by_one, partial(_work, limits=limits))
    ran = each(
        task,
        jobs,
        limits,
        pool=pool,
        chunk=1,
        load=_load,
        prepare=_prepare,
        on_event=observe,
        types=(_Outcome,),
    )
    for job, outcome, _ in ran:
        if isinstance(outcome, InterruptedRunError):
            # `each` raises KeyboardInterrupt next, and a run that it cut off has no answer.
            continue
        run = _run(job, outcome, listed.pop(id(job), []), limits)
        yield job.number, replace(run, figures=work_so_far.pop(id(job), None))


def _run(job: Job, outcome: "_Outcome | StoppedError", batches: list[Grids], limits: Limits) -> Run:
    """Return a run, from its outcome and the batches that it had listed by then."""
    if isinstance(outcome, ProcessHungError):
        seconds = limits.seconds or 0.0
        outcome = _Outcome("hung", None, f"did not end within {seconds} s, though asked to", seconds, 0)
    elif isinstance(outcome, StoppedError):
        kind = (
            "died"
            if isinstance(outcome, ProcessDiedError)
            else "memory"
            if str(outcome) == OUT_OF_MEMORY
            else "stopped"
        )
        outcome = _Outcome(kind, None, str(outcome), 0, 0)
    grids = np.concatenate([np.empty((0, job.puzzle.geometry.n_cells), np.uint8), *batches])
    if outcome.kind == "complete":
        count = Count(len(grids) if outcome.counted is None else outcome.counted, True)
    else:
        count = Count(len(grids), False, outcome.text)
    failure = "" if outcome.kind in ("complete", "stopped") else outcome.kind
    return Run(job.method, METHODS[job.method].family, count, grids, failure, outcome.seconds, outcome.memory)


def _load(job: Job) -> None:
    for name in METHODS[job.method].loads:
        import_module(name)
    kernels.unavailable()


def _prepare(job: Job) -> None:
    warm_up_method(METHODS[job.method], job.puzzle)


def _work(job: Job, limits: Limits) -> _Outcome:
    """Run a method, in this process."""
    begun, before = time.monotonic(), _peak()
    kind, counted, text = "complete", None, ""
    try:
        counted = _list(job.puzzle, METHODS[job.method], limits)
    except ProcessDiedError as reason:
        kind, text = "died", str(reason)
    except StoppedError as reason:
        kind, text = "stopped", str(reason)
    except MemoryError:
        kind, text = "memory", f"needs more than {(limits.memory or 0) / 1e9:.1f} GB of memory"
    except SudokuError as error:
        kind, text = "stopped", str(error)
    except KeyboardInterrupt:
        # Only reached without a process of its own.
        raise
    except BaseException as error:
        kind, text = "raised", f"{type(error).__name__}: {error}"
    return _Outcome(kind, counted, text, time.monotonic() - begun, max(0, _peak() - before))


def _list(puzzle: Puzzle, method: Method, limits: Limits) -> int | None:
    """Emit all solutions; return their number where there are too many to list, and the method can count them."""
    deadline, n_listed, original = limits.start(), 0, puzzle
    puzzle = prepared_for(method, puzzle)
    arguments = {**method.arguments, **options(method).chosen}
    if not method.lists:
        if not method.counts:
            raise MethodError("it neither lists nor counts")
        return _complete(method.functions.count(puzzle, deadline, **arguments))
    batches = map(np.asarray, method.functions.solutions(puzzle, deadline, **arguments))
    for batch in of_grid(original, batches) if puzzle.geometry.n_hidden else batches:
        grids = batch if limits.solutions is None else batch[: limits.solutions - n_listed]
        if grids.ndim != 2 or grids.shape[1] != original.geometry.n_cells:
            raise ValueError(f"a batch of shape {grids.shape} for {original.geometry.n_cells} cells")
        emit(SolutionsFound(grids))
        n_listed += len(grids)
        if n_listed == limits.solutions:
            if not method.counts or puzzle.geometry.n_hidden:
                raise StoppedError(solution_limit(n_listed))
            return _complete(method.functions.count(puzzle, deadline, **arguments))
    return None


def _complete(counted: int | Count) -> int:
    """Return a number of solutions; raise StoppedError if something ended the count."""
    if isinstance(counted, Count) and not counted.complete:
        raise StoppedError(counted.stopped or "not complete")
    return int(counted)


def _peak() -> int:
    """Return the peak memory of this process in bytes; 0 where the system does not report it."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
