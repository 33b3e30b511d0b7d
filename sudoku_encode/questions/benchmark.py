"""Measure methods with their options on puzzles: the time of each run, and the work of its solver."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from sudoku_encode.errors import MethodError, StoppedError, SudokuError
from sudoku_encode.methods import calls, limited_calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import OPTIONS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, MethodChosen, SolverFigures, emit, ignore, observing
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_count

_NO_OPTIONS = Options()


@dataclass(frozen=True)
class Setup:
    """A method with its options.

    >>> str(Setup("sat:log", Options(sat_solver="glucose4", reduction="none")))
    'sat:log reduce=none sat-solver=glucose4'
    """

    method: str
    options: Options = _NO_OPTIONS

    @property
    def settings(self) -> dict[str, Any]:
        """The options that are chosen, by their names on the command line."""
        return {OPTIONS[field].name: value for field, value in self.options.chosen.items()}

    def __str__(self) -> str:
        """Return the method and its options on one line."""
        return " ".join([self.method, *(f"{name}={value}" for name, value in self.settings.items())])


def setups(methods: Sequence[str], varied: Mapping[str, Sequence[Any]]) -> list[Setup]:
    """Return each method with each combination of those varied options that it uses.

    Args:
        methods: keys of METHODS.
        varied: values by the field of `Options`.

    Raises:
        MethodError: an unknown method, an invalid value, or an option that no method uses.

    >>> [str(setup) for setup in setups(["sat", "search"], {"sat_solver": ["cadical195", "glucose4"]})]
    ['sat sat-solver=cadical195', 'sat sat-solver=glucose4', 'search']
    """
    rows = [calls.find_method(name) for name in dict.fromkeys(methods)]
    for field in varied:
        if not any(field in row.options for row in rows):
            raise MethodError(f"none of the methods uses the option {OPTIONS[field].name}: {', '.join(methods)}")
    combined = []
    for row in rows:
        fields = [field for field in varied if field in row.options]
        for values in product(*(dict.fromkeys(varied[field]) for field in fields)):
            combined.append(Setup(row.name, Options(**dict(zip(fields, values, strict=True)))))
    return combined


@dataclass(frozen=True)
class MeasuredRun:
    """A run of a method on a puzzle.

    Attributes:
        count: the number of solutions; if one was requested, 1 or 0.
        seconds: the time of the method in its process, with the model and without loading libraries.
        work: of its SAT or CP solver; None for other methods.
    """

    count: Count
    seconds: float
    work: SolverFigures | None


@dataclass(frozen=True)
class MeasureQuestion(Question[MeasuredRun]):
    """The question for the time and the work of a method: to solve a puzzle, or to count its solutions."""

    setup: Setup
    solve: bool = True
    types = (MeasuredRun,)

    def require(self, puzzle: Puzzle) -> None:
        """Check that the method fits the puzzle; see `calls.require_method`."""
        calls.require_method(puzzle, self.setup.method, self.setup.options)

    def answer(self, item: Numbered, deadline: Deadline) -> MeasuredRun:
        """Return the run, also one that the deadline stopped."""
        work: SolverFigures | None = None

        def observe(event: Event) -> None:
            nonlocal work
            if isinstance(event, SolverFigures):
                work = event
            elif isinstance(event, MethodChosen) and not event.is_solver:
                # Before `auto` chooses another method, it may have tried a solver.
                work = None
            emit(event)

        begun = time.monotonic()
        with observing(observe):
            counted = self._counted(item[1], deadline)
            seconds = time.monotonic() - begun
        return MeasuredRun(counted, seconds, work)

    def _counted(self, puzzle: Puzzle, deadline: Deadline) -> Count:
        method, options = self.setup.method, self.setup.options
        if not self.solve:
            return calls.count(puzzle, method, deadline, options)
        try:
            for _ in calls.solutions(puzzle, method, replace(deadline, solutions=1), options):
                return Count(1, True)
        except StoppedError as reason:
            return Count(0, False, reason.reason)
        return Count(0, True)

    def judge(self, puzzle: Puzzle, value: MeasuredRun) -> tuple[Status, str]:
        """Return the status of the answer, and what ended the work."""
        is_solved = self.solve and value.count.complete and value.count.value
        return Status.SOLVED if is_solved else status_of_count(value.count), value.count.stopped

    def method_of(self, value: MeasuredRun | None) -> str:
        """Return the method."""
        return self.setup.method

    def load(self, item: Numbered) -> None:
        """Load the libraries of the method."""
        limited_calls.load_for_puzzle(self.setup.method, item)

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the method, and run it once, since some code is loaded on its first use."""
        limited_calls.warm_up_for(self.setup.method, item)
        with suppress(SudokuError), observing(ignore):
            self._counted(Puzzle.of(boards.board("4x4")), Deadline(solutions=1))
