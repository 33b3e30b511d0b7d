"""Stand-ins with wrong answers for PySAT's solvers, CP-SAT, miniexact, Ganak and ApproxMC, in this process."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, NoReturn

from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.random_puzzles import all_solutions

Play = Callable[[], Any]
# What a library can do in place of an answer, whatever it is asked. SystemExit and os._exit(0) would end this program
# as if it had answered.
ENDS: dict[str, Play]


def raises() -> NoReturn:
    raise RuntimeError("boom \x1b[31m\nsecond line")


def hangs() -> None:
    while True:
        time.sleep(1)


ENDS = {
    "raises an error with an escape code and two lines": raises,
    "calls sys.exit(0)": lambda: sys.exit(0),
    "calls os._exit(0)": lambda: os._exit(0),
    "calls os._exit(1)": lambda: os._exit(1),
    "is killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "does not come back (with `--timeout`)": hangs,
}


@cache
def grids() -> list[tuple[int, ...]]:
    """All grids of the empty 4x4, by plain backtracking."""
    return sorted(all_solutions(Puzzle.of(board("4x4"))))


@contextmanager
def undone() -> Iterator[None]:
    """Undo in the end what is put in place of libraries meanwhile."""
    names = ("pysat.solvers", "ortools.sat.python.cp_model", "miniexact", "pyganak", "pyapproxmc")
    libraries = [import_module(name) for name in names if find_spec(name.partition(".")[0])]
    before = [dict(vars(library)) for library in libraries]
    yield
    for library, attributes in zip(libraries, before, strict=True):
        vars(library).update(attributes)


class CountingStandIn:
    """Stands in for a solver: counts the questions, and lies from one of them on."""

    def __init__(self, real: Any, first: int) -> None:
        self.real, self.first, self.number = real, first, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    @property
    def lying(self) -> bool:
        return self.number >= self.first


def pysat(
    first: int, answer: Play | None = None, model: Callable[[list[int]], Any] | None = None, proof: Any = None
) -> None:
    """Let PySAT's solvers lie: what they answer from some answer on, what model they show once, what their proof is."""
    from pysat import solvers

    real = solvers.Solver

    class Liar(CountingStandIn):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(real(*arguments, **options), first)
            self.shown: list[int] = []

        def solve_limited(self, **options: Any) -> Any:
            self.number += 1
            said = self.real.solve_limited(**options)
            return answer() if answer and self.lying else said

        def get_model(self) -> Any:
            there = self.real.get_model() or self.shown
            if model and self.number == self.first:
                return model(self.shown or there)
            self.shown = there
            return there

        def get_proof(self) -> Any:
            return self.real.get_proof() if proof is None else proof

    solvers.Solver = Liar


def cp_sat(status: str = "OPTIMAL", shown: list[Any] | None = None, end: Play | None = None) -> None:
    """Let CP-SAT show some lists of values of the 16 cells, then do something else, or say how it ended."""
    from ortools.sat.python import cp_model

    counters = ("conflicts", "branches", "binary_propagations", "integer_propagations", "restarts")
    work = {"wall_time": 0.0, **{f"num_{name}": 0 for name in counters}}

    class Callback:
        response_proto: Any = None

    class Liar:
        response_proto = SimpleNamespace(**work)

        def __init__(self) -> None:
            self.parameters = SimpleNamespace()

        def solve(self, model: Any, callback: Any) -> Any:
            for values in grids() if shown is None else shown:
                callback.response_proto = SimpleNamespace(solution=values, **work)
                callback.on_solution_callback()
            if end is not None:
                end()
            return getattr(cp_model, status)

        def stop_search(self) -> None:
            """Nothing is searched."""

    fakes: dict[str, Any] = {"CpSolverSolutionCallback": Callback, "CpSolver": Liar}
    vars(cp_model).update(fakes)


def miniexact(
    first: int, answer: Callable[[Any], Any] | None = None, options: Callable[[list[int]], list[int]] | None = None
) -> None:
    """Let miniexact lie: what it answers from some answer on, or once which options it says that it chose."""
    import miniexact

    real = miniexact.miniexacts_x

    class Liar(CountingStandIn):
        def __init__(self) -> None:
            super().__init__(real(), first)

        def solve(self) -> Any:
            self.number += 1
            return answer(self) if answer and self.lying else self.real.solve()

        def selected_options(self) -> Any:
            chosen = self.real.selected_options()
            return options(chosen) if options and self.number == self.first else chosen

    miniexact.miniexacts_x = Liar


def ganak(count: Play) -> None:
    """Let Ganak count anything."""
    import pyganak

    pyganak.Counter = lambda seed: SimpleNamespace(
        add_clauses=lambda clauses: None, set_sampling_set=lambda variables: None, count=count
    )


def approxmc(count: Play) -> None:
    """Let ApproxMC estimate anything, but for the 2 models that it is tried on first."""
    import pyapproxmc

    real = pyapproxmc.Counter

    class Liar:
        def __init__(self, **options: Any) -> None:
            self.real = real(**options)

        def __getattr__(self, name: str) -> Any:
            return getattr(self.real, name)

        def count(self, variables: list[int]) -> Any:
            return self.real.count(variables) if len(variables) == 2 else count()

    pyapproxmc.Counter = Liar
