"""Run methods on puzzles, each in a process of its own that has a time and a memory limit.

A method that hangs, dies or takes all memory stops nobody else, and what it listed before counts as what it is.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import IO, Any

import numpy as np

from sudoku_encode.errors import Died, MethodError, Stopped, SudokuError
from sudoku_encode.methods import METHODS, Method, Options
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import child, events, kernels
from sudoku_encode.run.interrupts import uninterrupted
from sudoku_encode.run.result import Budget, Count

# Children start with all that the parent has loaded, also what a test put into METHODS.
_PROCESSES = get_context("fork")
# A run hangs when it does not end so much after its time, of which it knows.
_SLACK, _GRACE = 1.05, 0.5
# To compile a method, where that has not been done on this machine.
_COMPILING = 120.0


@dataclass(frozen=True)
class Limits:
    """What each run may use.

    Attributes:
        solutions: how many it may list.
        seconds: how long it may take.
        memory: how many bytes of memory of its own it may use.
    """

    solutions: int = 100_000
    seconds: float = 10.0
    memory: int = 2 << 30


@dataclass(frozen=True, eq=False)
class Run:
    """What a method made of a puzzle.

    Attributes:
        method: its name.
        family: see `methods.Method`.
        found: its own word: how many solutions, and whether that is all.
        grids: what it listed, as it came: (m, n_cells).
        failure: `raised`, `died`, `hung` or `memory`, where it did not end by itself; `found.stopped` says more.
        seconds: how long it took.
        memory: how many bytes it used at its peak, besides what every process starts with; 0 where it could not say.
    """

    method: str
    family: str
    found: Count
    grids: Grids
    failure: str
    seconds: float
    memory: int

    @property
    def listed(self) -> bool:
        """Whether its solutions were listed, all that it speaks of; else it counted them."""
        return len(self.grids) == self.found.value


def options(method: Method) -> Options:
    """Return the options for a comparison: CP-SAT gets the whole puzzle, so that it shares no reduction with `sat`."""
    return Options(reduction="none") if method.family == "cp-sat" else Options()


def preload() -> None:
    """Load what takes long to load, once for all processes to come."""
    for name in ("ortools.sat.python.cp_model", "pysat.solvers"):
        import_module(name)
    # That loads numba, if there is one.
    if reason := kernels.unavailable():
        events.remark(f"methods that are compiled are left out: {reason}")


def run_all(jobs: Iterator[tuple[int, Puzzle, str]], limits: Limits, processes: int) -> Iterator[tuple[int, Run]]:
    """Run methods on puzzles, several at a time, and yield what they found as they end.

    Args:
        jobs: a number to tell the puzzle by, the puzzle, the name of a method.
        limits: of each run.
        processes: how many run at a time.
    """
    active: dict[Any, tuple[int, _Process]] = {}
    try:
        while True:
            while len(active) < processes and (job := next(jobs, None)):
                number, puzzle, name = job
                process = _Process(puzzle, METHODS[name], limits)
                active[process.pipe] = (number, process)
            if not active:
                return
            patience = min(process.ends - time.monotonic() for _, process in active.values())
            connection.wait(list(active), max(0.0, patience))
            for pipe, (number, process) in list(active.items()):
                # Whoever has ended by now has ended in time, however long it took to come back here.
                process.read_all()
                if (run := process.ended()) is not None:
                    del active[pipe]
                    yield number, run
    finally:
        for _, process in active.values():
            process.kill()


class _Process:
    """A method at work on a puzzle."""

    def __init__(self, puzzle: Puzzle, method: Method, limits: Limits) -> None:
        self.method, self.limits = method, limits
        self.batches: list[Grids] = [np.empty((0, puzzle.geometry.n_cells), np.uint8)]
        self.last: tuple[str, Any, int] | None = None
        # Closed by the process as it ends.
        self.pipe, theirs = _PROCESSES.Pipe(duplex=False)
        # Closed when the process has ended.
        self.errors: IO[bytes] = child.scratch()
        # The process has one end of it, and ends with the other.
        alive, self.held = os.pipe()
        work = (puzzle, method, limits, theirs, self.errors, (alive, self.held))
        self.process = _PROCESSES.Process(target=_work, args=work, daemon=True)
        self.begun = time.monotonic()
        self.ends = self.begun + (_COMPILING if method.compiled else limits.seconds * _SLACK + _GRACE)
        with uninterrupted():
            self.process.start()
        theirs.close()
        os.close(alive)

    def read_all(self) -> None:
        """Take the messages that are there."""
        while self.last is None and self.pipe.poll():
            self._read()

    def _read(self) -> None:
        try:
            kind, what, memory = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_GRACE)
            kind, what, memory = "died", child.cause(self.process.exitcode, self.errors), 0
        except Exception as error:
            kind, what, memory = "raised", f"what it sent cannot be read: {error}", 0
        if kind == "ready":
            self.begun = time.monotonic()
            self.ends = self.begun + self.limits.seconds * _SLACK + _GRACE
        elif kind == "batch":
            self.batches.append(what)
        else:
            self.last = (kind, what, memory)

    def ended(self) -> Run | None:
        """Return the run if it has ended; end it if its time is over."""
        now = time.monotonic()
        if self.last is None and now >= self.ends:
            self.last = ("hung", f"did not end within {now - self.begun:.1f} s, though asked to", 0)
        if self.last is None:
            return None
        self.kill()
        kind, what, memory = self.last
        grids = np.concatenate(self.batches)
        if kind == "complete":
            found = Count(len(grids) if what is None else what, True)
        else:
            found = Count(len(grids), False, what)
        failure = "" if kind in ("complete", "stopped") else kind
        return Run(self.method.name, self.method.family, found, grids, failure, now - self.begun, memory)

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        if self.last is None or self.last[0] == "hung":
            self.process.kill()
        self.process.join(_GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()
        self.errors.close()
        os.close(self.held)


def _work(
    puzzle: Puzzle, method: Method, limits: Limits, pipe: Connection, errors: IO[bytes], life: tuple[int, int]
) -> None:
    """What the process does."""
    # Ctrl-C is the parent's affair.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.close(life[1])
    child.end_with_parent(life[0])
    child.quiet(errors)
    child.limit_memory(limits.memory)
    if method.compiled:
        # Whatever is wrong with it will show on the puzzle as well.
        with suppress(Exception):
            tiny = Puzzle.of(boards.board("4x4"))
            if method.run is not None:
                next(method.run(tiny, Budget(), options(method)), None)
            if method.count is not None:
                method.count(tiny, Budget())
    pipe.send(("ready", None, 0))
    before = _peak()
    kind: str
    what: str | int | None
    try:
        kind, what = "complete", _list(puzzle, method, limits, pipe)
    except Died as reason:
        kind, what = "died", str(reason)
    except Stopped as reason:
        kind, what = "stopped", str(reason)
    except MemoryError:
        kind, what = "memory", f"needs more than {limits.memory / 1e9:.1f} GB of memory"
    except SudokuError as error:
        kind, what = "stopped", str(error)
    except BaseException as error:
        kind, what = "raised", f"{type(error).__name__}: {error}"
    pipe.send((kind, what, max(0, _peak() - before)))


def _list(puzzle: Puzzle, method: Method, limits: Limits, pipe: Connection) -> int | None:
    """Send all solutions; return their number where there are too many to list, and the method can count them."""
    budget, found = Budget.of(limits.solutions, limits.seconds), 0
    if method.run is None:
        if method.count is None:
            raise MethodError("it neither lists nor counts")
        return method.count(puzzle, budget)
    for batch in method.run(puzzle, budget, options(method)):
        kept = np.asarray(batch)[: limits.solutions - found]
        if kept.ndim != 2 or kept.shape[1] != puzzle.geometry.n_cells:
            raise ValueError(f"a batch of shape {kept.shape} for {puzzle.geometry.n_cells} cells")
        pipe.send(("batch", kept, 0))
        found += len(kept)
        if found == limits.solutions:
            if method.count is None:
                raise Stopped(f"limit of {found}")
            return method.count(puzzle, budget)
    return None


def _peak() -> int:
    """Return the most memory that this process ever had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
