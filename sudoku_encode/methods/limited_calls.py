"""Call methods within limits that are enforced by ending a process; the public functions and the command line use this.

With a limit on time or memory a method runs in a process of its own, which is killed when it passes the limit. The
`..._each` functions always use processes, so that a library that crashes costs no other puzzle its answer.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sudoku_encode.errors import INTERRUPTED, StoppedError
from sudoku_encode.methods import calls, sat_first
from sudoku_encode.methods.calls import lowered_to_units, unsupported_reason
from sudoku_encode.methods.check_results import count_fault, listing_fault, solution_fault
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraints.lowering import is_quick, lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step, proves_none
from sudoku_encode.run import kernels
from sudoku_encode.run.asking import Numbered, OnEvent, Question
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, Count, Floor, count_or_stopped, tally
from sudoku_encode.run.each import ResultFault, each, one_by_one
from sudoku_encode.run.each_here import allowed_seconds
from sudoku_encode.run.events import Compiling, Event, MethodChosen, Observer, Remark, emit, observing
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import ONE, Pool
from sudoku_encode.run.status import Status
from sudoku_encode.storage.part_journal import read_header

if TYPE_CHECKING:
    from sudoku_encode.methods.one_solution import SolveResult
    from sudoku_encode.solvers.counters import Estimate
    from sudoku_encode.storage.outputs import PartsFile


R = TypeVar("R")
_NO_LIMITS, _NO_OPTIONS = Limits(), Options()
# The types of the answer when solving.
_SOLUTION = (np.ndarray, NoneType)


def solutions(
    puzzle: Puzzle,
    method: str = "auto",
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    pool: Pool = ONE,
) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches; see `calls.solutions`, also for the errors."""
    _require_fit(puzzle, method, limits, options)
    if not pool.is_here:
        from sudoku_encode.methods.in_parts import batches_in_parts

        return batches_in_parts(puzzle, method, limits, pool)
    return _within(limits, partial(calls.solutions, puzzle, method, limits.start(), options))


def count(
    puzzle: Puzzle,
    method: str = "auto",
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    pool: Pool = ONE,
) -> Count:
    """Count the solutions of a puzzle; see `calls.count`, also for the errors."""
    _require_fit(puzzle, method, limits, options)
    if pool.is_here and not limits.need_a_process:
        return calls.count(puzzle, method, limits.start(), options)
    if pool.is_here and method == AUTO:
        turn, limits = first_turn(puzzle, limits, options)
        if turn is not None:
            return turn.counted
    if not pool.is_here or not is_searched_here(puzzle, method, limits, options):
        ((_, counted, _),) = count_each([(1, puzzle)], method, limits, options, pool=pool)
        return counted
    begun = time.monotonic()
    early = _counted_here(puzzle, method, limits)
    limits = remaining(limits, time.monotonic() - begun)
    if method == "search" or _is_final(early, limits) or not limits.seconds:
        return early
    answer = partial(_count, method, limits, options, False)
    if limits.solutions is None:
        answer = partial(_count_later, limits, early.value)
    usable = partial(count_fault, limits.solutions)
    ((_, counted, _),) = _counts([(1, puzzle)], method, limits, answer, None, pool, usable, Floor.note)
    return Floor(early.value).under(counted)


def first_turn(
    puzzle: Puzzle, limits: Limits, options: Options, *, solve: bool = False
) -> tuple[sat_first.Turn | None, Limits]:
    """Return the answer of `auto` in its first turn, in this process, or None; and the limits that remain."""
    begun = time.monotonic()
    turn = sat_first.take_turn(puzzle, (replace(limits, solutions=1) if solve else limits).start(), options)
    return turn, remaining(limits, time.monotonic() - begun)


# A limit costs nothing where the answer comes soon: a small puzzle is first worked on here, by a search that looks at
# the clock. Longer work goes on in a process that can be ended, since solvers may not look at the clock.
SOON_SECONDS = 0.5
_SOON_CANDIDATES = 1 << 12


def is_searched_here(puzzle: Puzzle, method: str, limits: Limits, options: Options) -> bool:
    """Check whether a method with a time limit begins with a search in this process; if so, load its code."""
    board = puzzle.geometry
    is_small = board.n_cells * board.n_values <= _SOON_CANDIDATES and is_quick(puzzle)
    if method not in (AUTO, "search") or options != _NO_OPTIONS or limits.memory is not None or not is_small:
        return False
    # Imported here, since most methods do without it.
    from sudoku_encode.search import loading, unsupported_reason

    lowering = lower_puzzle(puzzle)
    board, constrained = lowering.puzzle.geometry, bool(lowering.placed)
    if unsupported_reason(board) or loading.not_compiled_reason(board, constrained):
        return False
    loading.load(board, constrained)
    return True


def _counted_here(puzzle: Puzzle, method: str, limits: Limits) -> Count:
    """Return the number that a search finds in this process, for `auto` in its turn."""
    if method == "search":
        return calls.count(puzzle, method, limits.start())
    if limits.solutions is None:
        from sudoku_encode.methods import auto

        return auto.first_turn(lowered_to_units(puzzle), limits.start())
    counted = calls.count(puzzle, "search", limits.start().within(SOON_SECONDS, limits.solutions))
    if _is_final(counted, limits):
        emit(MethodChosen("search"))
    return counted


def _count_later(limits: Limits, n_early: int, item: Numbered) -> Count:
    """Go on as `auto` does after its first turn."""
    from sudoku_encode.methods import auto

    puzzle = lowered_to_units(item[1])
    return count_or_stopped(lambda: auto.later_turns(puzzle, limits.start(), _NO_OPTIONS, False, n_early))


def _is_final(counted: Count, limits: Limits) -> bool:
    """Check whether no more work would change a count."""
    return counted.complete or counted.value == limits.solutions or counted.stopped == INTERRUPTED


def _require_fit(puzzle: Puzzle, method: str, limits: Limits, options: Options) -> None:
    """Check that a method can do a puzzle; leave it to the limited process if checking takes long."""
    if limits.need_a_process and isinstance(puzzle, Puzzle) and not is_quick(puzzle):
        calls.find_method(method)
    else:
        calls.require_method(puzzle, method, options)


def solve(
    puzzle: Puzzle, method: str = "auto", limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS
) -> "SolveResult":
    """Return a solution (n_cells,), None if it is proved that there is no solution, or what stopped the search."""
    from sudoku_encode.methods.one_solution import solve_one

    if not limits.need_a_process:
        return solve_one(puzzle, method, limits, options)
    if method == AUTO:
        turn, limits = first_turn(puzzle, limits, options, solve=True)
        if turn is not None:
            return turn.batches[0][0] if turn.batches else None
    if is_searched_here(puzzle, method, limits, options):
        begun = time.monotonic()
        solution = solve_one(puzzle, "search", Limits(seconds=min(limits.seconds or 0.0, SOON_SECONDS)))
        limits = remaining(limits, time.monotonic() - begun)
        if not isinstance(solution, StoppedError):
            if method == AUTO:
                emit(MethodChosen("search"))
            return solution
        if not limits.seconds:
            return solution
    ((_, solution, _),) = solve_each([(1, puzzle)], method, limits, options)
    return solution


def explain(puzzle: Puzzle, method: str, limits: Limits = _NO_LIMITS, form: str = "text") -> Iterator[Step]:
    """Return the steps of a method at work; see `calls.explain`, also for the errors."""
    return _within(limits, partial(calls.explain, puzzle, method, limits.start(), form))


def _within(limits: Limits, work: Callable[[], Iterator[R]]) -> Iterator[R]:
    """Run some work, in a process of its own if the limits need one, and return its items."""
    if not limits.need_a_process:
        return work()
    end = Limits(seconds=None if limits.seconds is None else allowed_seconds(limits.seconds)).start()
    return stream(work, end, limits.memory, limited=True)


def count_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
    parts_file: "PartsFile | None" = None,
) -> Iterator[tuple[Numbered, Count, float]]:
    """Yield each puzzle with the count of its solutions, as far as it is known, and the seconds that it took.

    The puzzles are counted in the pool. On an executor a puzzle that takes long is counted in parts, if the method is
    `search` or chooses it; the file saves the counts of the parts.
    """
    in_parts = not pool.is_here and calls.find_method(method).can_split
    answer = partial(_count, method, limits, options, in_parts)
    usable = partial(count_fault, limits.solutions)
    for item, counted, seconds in _counts(puzzles, method, limits, answer, on_event, pool, usable, Floor.note):
        # An earlier run may have counted parts of an incomplete puzzle: then more solutions are known.
        is_begun = counted.stopped not in ("", INTERRUPTED) and read_header(parts_file).get("puzzle") == item[0]
        if counted.stopped != CONTINUE_IN_PARTS and not is_begun:
            yield item, counted, seconds
            continue
        from sudoku_encode.methods.in_parts import count_on_executor

        begun = time.monotonic()
        with count_on_executor(
            *item, method, remaining(limits, seconds), pool, parts_file, observer_for(item, on_event)
        ) as total:
            yield item, Floor(counted.value, counted.estimate).under(total), seconds + time.monotonic() - begun
        if total.stopped == INTERRUPTED:
            raise KeyboardInterrupt


def remaining(limits: Limits, seconds: float) -> Limits:
    """Return the limits that remain after some seconds."""
    return limits if limits.seconds is None else replace(limits, seconds=max(0.0, limits.seconds - seconds))


def observer_for(item: Numbered, on_event: OnEvent | None) -> Observer:
    """Return the observer of the events of a puzzle."""
    return emit if on_event is None else partial(on_event, item)


# Other processes get functions of a module, or partials of these: a closure cannot be sent.
def _count(method: str, limits: Limits, options: Options, in_parts: bool, item: Numbered) -> Count:
    return calls.count(item[1], method, limits.start(), options, in_parts)


def list_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    on_event: OnEvent,
    repeatable: bool = False,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, Count, float]]:
    """Emit all solutions of each puzzle as `Found`, and yield it as `count_each` does."""
    in_parts = not pool.is_here and calls.find_method(method).can_split
    answer = partial(_list, method, limits, options, repeatable, in_parts)
    usable = partial(listing_fault, limits.solutions)
    for item, counted, seconds in _counts(puzzles, method, limits, answer, on_event, pool, usable, Floor.note_listed):
        if counted.stopped != CONTINUE_IN_PARTS:
            yield item, counted, seconds
            continue
        from sudoku_encode.methods.in_parts import list_on_executor

        begun = time.monotonic()
        with observing(observer_for(item, on_event)):
            total = list_on_executor(item[1], remaining(limits, seconds), pool)
        yield item, total, seconds + time.monotonic() - begun
        if total.stopped == INTERRUPTED:
            raise KeyboardInterrupt


def _list(method: str, limits: Limits, options: Options, repeatable: bool, in_parts: bool, item: Numbered) -> Count:
    from sudoku_encode.methods.in_parts import can_list_in_parts, emit_batches, list_at_once

    if (
        in_parts
        and can_list_in_parts(method, item[1])
        and (counted := list_at_once(method, limits, options, item)) is not None
    ):
        return counted
    return tally(emit_batches(calls.solutions(item[1], method, limits.start(), options, repeatable)))


def _counts(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], Count],
    on_event: OnEvent | None,
    pool: Pool,
    usable: ResultFault[Numbered, Count],
    note: Callable[[Floor, Event], None],
) -> Iterator[tuple[Numbered, Count, float]]:
    """Yield the counts; a count that is stopped has at least as many solutions as the events before reported."""
    floor = Floor()

    def observe(item: Numbered, event: Event) -> None:
        if on_event:
            on_event(item, event)
        else:
            emit(event)
        note(floor, event)

    for item, counted, seconds in _each(puzzles, method, limits, answer, observe, pool, (Count,), usable):
        yield (
            item,
            floor.under(Count(0, False, counted.reason) if isinstance(counted, StoppedError) else counted),
            seconds,
        )
        floor = Floor()


def solve_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    pool: Pool = ONE,
    on_event: OnEvent | None = None,
    alone: bool = False,
) -> "Iterator[tuple[Numbered, SolveResult, float]]":
    """Yield each puzzle with a solution (n_cells,), None (no solution) or what stopped the search, and the seconds.

    Neighbours may share a SAT solver, unless each is to be solved alone.
    """
    if alone or limits.seconds is not None:
        answer = partial(_first, method, limits, options)
        yield from _each(puzzles, method, limits, answer, on_event, pool, _SOLUTION, solution_fault)
        return
    calls.find_method(method)
    # Neighbours may share a SAT solver: then the solution that it finds depends on the puzzles before.
    task = partial(_first_of_some, method, options)
    yield from each(
        task,
        puzzles,
        limits,
        pool=pool,
        steady=method == "sat",
        load=partial(load_for_puzzle, method),
        on_event=on_event,
        types=_SOLUTION,
        usable=solution_fault,
    )


def _first(method: str, limits: Limits, options: Options, item: Numbered) -> "SolveResult":
    from sudoku_encode.methods.one_solution import solve_one

    return solve_one(item[1], method, limits, options)


def _first_of_some(method: str, options: Options, items: list[Numbered]) -> "Iterator[SolveResult]":
    from sudoku_encode.methods.one_solution import solve_all

    return solve_all((puzzle for _, puzzle in items), method, options)


@dataclass(frozen=True)
class EstimateQuestion(Question["Estimate"]):
    """The question for about how many solutions a puzzle has."""

    method: str

    def answer(self, item: Numbered, deadline: Deadline) -> "Estimate":
        """Return the estimate."""
        return calls.estimate(item[1], self.method, deadline)

    def judge(self, puzzle: Puzzle, value: "Estimate") -> tuple[Status, str]:
        """Return that it is an estimate."""
        return Status.ESTIMATED, ""

    def method_of(self, value: "Estimate | None") -> str:
        """Return the method."""
        return self.method

    def load(self, item: Numbered) -> None:
        """Load the libraries of the method."""
        load_for_puzzle(self.method, item)


@dataclass(frozen=True)
class ExplainQuestion(Question[Step]):
    """The question for the steps of a method at work, which are emitted as they come; the answer is the last one."""

    method: str
    form: str = "text"  # or one of the drawings of the method

    def answer(self, item: Numbered, deadline: Deadline) -> Step:
        """Emit the steps, and return the last one."""
        last = Step("")
        for last in calls.explain(item[1], self.method, deadline, self.form):
            emit(last)
        return last

    def judge(self, puzzle: Puzzle, value: Step) -> tuple[Status, str]:
        """Return whether the last step proves that there is no solution."""
        return (Status.NO_SOLUTION if proves_none(value) else Status.SHOWN), ""

    def method_of(self, value: Step | None) -> str:
        """Return the method."""
        return self.method

    def load(self, item: Numbered) -> None:
        """Load the libraries of the method."""
        load_for_puzzle(self.method, item)

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the method."""
        warm_up_for(self.method, item)


def _each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], R],
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
    types: tuple[type, ...] = (object,),
    usable: ResultFault[Numbered, R] | None = None,
) -> Iterator[tuple[Numbered, R | StoppedError, float]]:
    calls.find_method(method)
    yield from each(
        partial(one_by_one, answer),
        puzzles,
        limits,
        pool=pool,
        load=partial(load_for_puzzle, method),
        prepare=partial(warm_up_for, method) if limits.seconds is not None else None,
        on_event=on_event,
        types=types,
        usable=usable,
    )


def load(method: str) -> None:
    """Load the libraries that a method takes long to load, so that processes forked from this one need not.

    Raises:
        MethodError: there is no such method.
    """
    chosen = calls.find_method(method)
    for library in chosen.loads:
        import_module(library)
    if chosen.compiled:
        # This loads numba, if it is installed.
        kernels.unavailable()


def load_for(method: str, item: object) -> None:
    """Load the libraries of a method, as the `load` of `each`."""
    load(method)


def load_for_puzzle(method: str, item: Numbered) -> None:
    """Load the libraries of a method, and the compiled code of `search` for such a puzzle.

    Else each of the processes that answer the puzzles would load them again.
    """
    load(method)
    if method == AUTO and sat_first.is_enough(item[1]):
        return
    # If the constraints take long to lower, the process with the time limit does it.
    if method in (AUTO, "search") and is_quick(item[1]) and not kernels.unavailable():
        # Imported here, since most methods do without it.
        from sudoku_encode.search import loading

        lowering = lower_puzzle(item[1])
        board, constrained = lowering.puzzle.geometry, bool(lowering.placed)
        # If nothing is compiled yet, `auto` tries another method before it waits for the compiler.
        if method == "search" or not loading.not_compiled_reason(board, constrained):
            loading.load(board, constrained)


def load_for_many(board: Geometry, method: str, item: object) -> None:
    """Load the method that answers many puzzles on a board, `search` for `auto`, as the `load` of `each`."""
    load(method)
    if method in (AUTO, "search") and not kernels.unavailable():
        from sudoku_encode.search import loading

        loading.load_for_batch(board)


def warm_up_for(method: str, item: Numbered) -> None:
    """Compile or load a method for a puzzle, as the `prepare` of `each`."""
    # Work before the time of the process begins must be short.
    if is_quick(item[1]):
        warm_up(method, item[1])


def warm_up(method: str, puzzle: Puzzle) -> None:
    """Compile or load a method for a puzzle, before its time begins; see `warm_up_method`."""
    warm_up_method(calls.find_method(method), puzzle)


# Compiling takes seconds, once on a machine, and must not count as a puzzle's time.


def warm_up_method(method: Method, puzzle: Puzzle) -> None:
    """Compile the functions that a method needs for a puzzle, or load them if they are compiled."""
    board = puzzle.geometry
    if not method.compiled or unsupported_reason(method, puzzle):
        return
    # A small puzzle, and one without a solution on the board itself, since some kernels are for certain boards only.
    puzzles = [Puzzle.of(boards.board("4x4")), Puzzle.of(board, np.ones(board.n_cells, np.uint8))]
    if lowered_to_units(puzzle).constraints:
        puzzles.append(Puzzle.of(boards.board("4x4"), constraints=["thermometer r1c1 r1c2"]))
    for small_puzzle in puzzles:
        # Errors are ignored: the method will raise them again on the puzzle itself.
        with observing(_pass_compiling), suppress(Exception):
            if method.lists:
                next(method.functions.solutions(small_puzzle, Limits(1).start(), **method.arguments), None)
            if method.counts:
                method.functions.count(small_puzzle, Limits().start(), **method.arguments)


def _pass_compiling(event: Event) -> None:
    """Pass on what is said about the compiler, and not the progress of a small puzzle, which is not the user's."""
    if isinstance(event, (Remark, Compiling)):
        emit(event)
