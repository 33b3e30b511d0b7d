"""Ask a method within limits that hold whatever it does: what the public functions and the command line call.

With a limit on time or memory the method works in a process of its own, which is ended when it does not keep to it. In
`each_...` it always does, and what a library does to its process costs no other puzzle its answer.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from sudoku_encode.errors import MethodError, Stopped
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.each_here import allowed_seconds
from sudoku_encode.run.events import Event, Found, Progress, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import here

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from sudoku_encode.methods.first import Answer
    from sudoku_encode.solvers.approxmc import Estimate

R = TypeVar("R")
# A puzzle with its number, for the caller.
Numbered = tuple[int, Puzzle]
OnEvent = Callable[[Numbered, Event], None]

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()


def solutions(
    puzzle: Puzzle, method: str = "auto", limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS
) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches; see `calls.solutions`, which says what is raised."""
    calls.fitting(puzzle, method, options)
    return _within(limits, partial(calls.solutions, puzzle, method, limits.start(), options))


def count(
    puzzle: Puzzle,
    method: str = "auto",
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    executor: "Executor | None" = None,
) -> Count:
    """Count the solutions of a puzzle; see `calls.count`, which says what is raised."""
    if executor is not None and limits.memory is not None:
        raise MethodError("a limit on memory does not hold where an executor counts; leave one of them out")
    if not limits.need_a_process or executor is not None:
        return calls.count(puzzle, method, limits.start(), options, executor)
    ((_, found, _),) = count_each([(1, puzzle)], method, limits, options)
    return found


def first(
    puzzle: Puzzle, method: str = "auto", limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS
) -> "Answer":
    """Return a solution (n_cells,), None where it is proved that there is none, or what stopped the search."""
    from sudoku_encode.methods.first import first

    if not limits.need_a_process:
        return first(puzzle, method, limits, options)
    ((_, found, _),) = first_of_each([(1, puzzle)], method, limits, options)
    return found


def explain(puzzle: Puzzle, method: str, limits: Limits = _NO_LIMITS, form: str = "text") -> Iterator[Step]:
    """Return the steps of a method at work; see `calls.explain`, which says what is raised."""
    return _within(limits, partial(calls.explain, puzzle, method, limits.start(), form))


def _within(limits: Limits, work: Callable[[], Iterator[R]]) -> Iterator[R]:
    """Return what some work yields: in a process of its own, where the limits need one."""
    if not limits.need_a_process:
        return work()
    end = Limits(seconds=None if limits.seconds is None else allowed_seconds(limits.seconds)).start()
    return stream(work, end, limits.memory)


def count_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    on_event: OnEvent | None = None,
    processes: int = 1,
) -> Iterator[tuple[Numbered, Count, float]]:
    """Yield each puzzle with the number of its solutions, as far as it is known, and the seconds that took.

    Some processes count at a time.
    """

    def answer(item: Numbered) -> Count:
        return calls.count(item[1], method, limits.start(), options)

    yield from _counts(puzzles, method, limits, answer, on_event, processes)


def list_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    on_event: OnEvent,
    repeatable: bool = False,
    processes: int = 1,
) -> Iterator[tuple[Numbered, Count, float]]:
    """Emit all solutions of each puzzle as `Found`, and yield it as `count_each` does."""

    def answer(item: Numbered) -> Count:
        def emitted() -> Iterator[Grids]:
            for batch in calls.solutions(item[1], method, limits.start(), options, repeatable):
                emit(Found(batch))
                yield batch

        return tally(emitted())

    yield from _counts(puzzles, method, limits, answer, on_event, processes)


def _counts(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], Count],
    on_event: OnEvent | None,
    processes: int,
) -> Iterator[tuple[Numbered, Count, float]]:
    """Yield the answers; where something stops one, as many solutions as were found before."""
    found = 0

    def observe(item: Numbered, event: Event) -> None:
        nonlocal found
        if on_event:
            on_event(item, event)
        else:
            emit(event)
        if isinstance(event, Progress):
            found = max(found, event.found)

    for item, known, seconds in _each(puzzles, method, limits, answer, observe, processes):
        yield item, Count(found, False, str(known)) if isinstance(known, Stopped) else known, seconds
        found = 0


def first_of_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits, options: Options, processes: int = 1
) -> "Iterator[tuple[Numbered, Answer, float]]":
    """Yield each puzzle with a solution (n_cells,), None where it has none, or what stopped the search; and seconds."""
    from sudoku_encode.methods.first import first, first_of_each

    if limits.seconds is not None:
        yield from _each(puzzles, method, limits, lambda item: first(item[1], method, limits, options), None, processes)
        return
    load(method)

    def answers(items: list[Numbered]) -> "Iterator[Answer]":
        return first_of_each((puzzle for _, puzzle in items), method, options)

    # Neighbours may share a SAT solver, and then which solution it finds depends on the puzzles before.
    yield from each(answers, puzzles, limits, pool=here(processes), steady=method == "sat")


def estimate_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits
) -> "Iterator[tuple[Numbered, Estimate | Stopped]]":
    """Yield each puzzle with about how many solutions it has, or what stopped the estimate."""
    for item, found, _ in _each(puzzles, method, limits, lambda item: calls.estimate(item[1], method, limits.start())):
        yield item, found


def explain_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits, form: str, on_event: OnEvent
) -> Iterator[tuple[Numbered, tuple[Stopped | None, float]]]:
    """Emit each `Step` of a method at work on each puzzle; yield it with what stopped that, and the seconds it took."""

    def answer(item: Numbered) -> None:
        for step in calls.explain(item[1], method, limits.start(), form):
            emit(step)

    for item, stopped, seconds in _each(puzzles, method, limits, answer, on_event):
        yield item, (stopped, seconds)


def _each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], R],
    on_event: OnEvent | None = None,
    processes: int = 1,
) -> Iterator[tuple[Numbered, R | Stopped, float]]:
    load(method)
    prepare = (lambda item: warm_up(method, item[1])) if limits.seconds is not None else None
    task = partial(one_by_one, answer)
    yield from each(task, puzzles, limits, pool=here(processes), prepare=prepare, on_event=on_event)


def load(method: str) -> None:
    """Load what a method takes long to load, so that a process made from this one need not.

    Raises:
        MethodError: there is no such method.
    """
    chosen = calls.find(method)
    for library in chosen.loads:
        import_module(library)
    if chosen.compiled:
        # It loads numba, if there is one.
        kernels.unavailable()


def warm_up(method: str, puzzle: Puzzle) -> None:
    """Compile or load what a method needs on the board of a puzzle, before its time begins."""
    from sudoku_encode.methods.warm import warm_up

    warm_up(calls.find(method), puzzle.geometry)
