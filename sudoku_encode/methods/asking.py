"""Ask a method within limits that hold whatever it does: what the public functions and the command line call.

With a limit on time or memory the method works in a process of its own, which is ended when it does not keep to it. In
`each_...` it always does, and what a library does to its process costs no other puzzle its answer.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import NoneType
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sudoku_encode.constraints.lowering import is_quick, lowered
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.returned import wrong_count, wrong_listing, wrong_solution
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import IN_PARTS, INTERRUPTED, Count, Floor, tally
from sudoku_encode.run.each import Usable, each, one_by_one
from sudoku_encode.run.each_here import allowed_seconds
from sudoku_encode.run.events import Event, Observer, emit, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool
from sudoku_encode.storage.part_journal import header_of

if TYPE_CHECKING:
    from sudoku_encode.methods.first import Answer
    from sudoku_encode.solvers.approxmc import Estimate
    from sudoku_encode.storage.parts_file import PartsFile

R = TypeVar("R")
# A puzzle with its number, for the caller.
Numbered = tuple[int, Puzzle]
OnEvent = Callable[[Numbered, Event], None]

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()
# The types of a solution, which is None where there is none.
_SOLUTION = (np.ndarray, NoneType)


def solutions(
    puzzle: Puzzle,
    method: str = "auto",
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    pool: Pool = ONE,
) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches; see `calls.solutions`, which says what is raised."""
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
    """Count the solutions of a puzzle; see `calls.count`, which says what is raised."""
    _require_fit(puzzle, method, limits, options)
    if pool.is_here and not limits.need_a_process:
        return calls.count(puzzle, method, limits.start(), options)
    ((_, found, _),) = count_each([(1, puzzle)], method, limits, options, pool=pool)
    return found


def _require_fit(puzzle: Puzzle, method: str, limits: Limits, options: Options) -> None:
    """Check that a method can do a puzzle; where that takes long and limits hold, the limited process checks it."""
    if limits.need_a_process and isinstance(puzzle, Puzzle) and not is_quick(puzzle):
        calls.find(method)
    else:
        calls.fitting(puzzle, method, options)


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
    """Yield each puzzle with the number of its solutions, as far as it is known, and the seconds that took.

    The pool is where they are counted; where that is not here, what takes long is counted there in parts, if the method
    is `search` or chooses it, and the file keeps what is known of them.
    """
    in_parts = not pool.is_here and calls.find(method).spreads
    answer = partial(_count, method, limits, options, in_parts)
    usable = partial(wrong_count, limits.solutions)
    for item, known, seconds in _counts(puzzles, method, limits, answer, on_event, pool, usable, Floor.note):
        # An earlier run may have counted parts of one that is not complete: then more is known.
        is_begun = known.stopped not in ("", INTERRUPTED) and header_of(parts_file).get("puzzle") == item[0]
        if known.stopped != IN_PARTS and not is_begun:
            yield item, known, seconds
            continue
        from sudoku_encode.methods.in_parts import counted

        begun = time.monotonic()
        with counted(*item, method, _rest(limits, seconds), pool, parts_file, _for(item, on_event)) as found:
            yield item, Floor(known.value).under(found), seconds + time.monotonic() - begun
        if found.stopped == INTERRUPTED:
            raise KeyboardInterrupt


def _rest(limits: Limits, seconds: float) -> Limits:
    """Return what is left of some limits after some seconds."""
    return limits if limits.seconds is None else replace(limits, seconds=max(0.0, limits.seconds - seconds))


def _for(item: Numbered, on_event: OnEvent | None) -> Observer:
    """Return what observes the events of a puzzle."""
    return emit if on_event is None else partial(on_event, item)


# What works in other processes is a function of a module, and a partial of one: a closure cannot be sent to them.
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
    in_parts = not pool.is_here and calls.find(method).spreads
    answer = partial(_list, method, limits, options, repeatable, in_parts)
    usable = partial(wrong_listing, limits.solutions)
    for item, known, seconds in _counts(puzzles, method, limits, answer, on_event, pool, usable, Floor.note_listed):
        if known.stopped != IN_PARTS:
            yield item, known, seconds
            continue
        from sudoku_encode.methods.in_parts import listed

        begun = time.monotonic()
        with observing(_for(item, on_event)):
            found = listed(item[1], _rest(limits, seconds), pool)
        yield item, found, seconds + time.monotonic() - begun
        if found.stopped == INTERRUPTED:
            raise KeyboardInterrupt


def _list(method: str, limits: Limits, options: Options, repeatable: bool, in_parts: bool, item: Numbered) -> Count:
    from sudoku_encode.methods.in_parts import emitted, in_parts_by, list_at_once

    if in_parts and in_parts_by(method, item[1]) and (found := list_at_once(method, limits, options, item)) is not None:
        return found
    return tally(emitted(calls.solutions(item[1], method, limits.start(), options, repeatable)))


def _counts(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], Count],
    on_event: OnEvent | None,
    pool: Pool,
    usable: Usable[Numbered, Count],
    note: Callable[[Floor, Event], None],
) -> Iterator[tuple[Numbered, Count, float]]:
    """Yield the answers; where something stops one, with as many solutions as were noted of its events before."""
    floor = Floor()

    def observe(item: Numbered, event: Event) -> None:
        if on_event:
            on_event(item, event)
        else:
            emit(event)
        note(floor, event)

    for item, known, seconds in _each(puzzles, method, limits, answer, observe, pool, (Count,), usable):
        yield item, floor.under(Count(0, False, str(known)) if isinstance(known, StoppedError) else known), seconds
        floor = Floor()


def first_of_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits, options: Options, pool: Pool = ONE
) -> "Iterator[tuple[Numbered, Answer, float]]":
    """Yield each puzzle with a solution (n_cells,), None where it has none, or what stopped the search; and seconds."""
    if limits.seconds is not None:
        answer = partial(_first, method, limits, options)
        yield from _each(puzzles, method, limits, answer, None, pool, _SOLUTION, wrong_solution)
        return
    calls.find(method)
    # Neighbours may share a SAT solver, and then which solution it finds depends on the puzzles before.
    task = partial(_first_of_some, method, options)
    yield from each(
        *(task, puzzles, limits),
        pool=pool,
        steady=method == "sat",
        load=partial(load_for_puzzle, method),
        types=_SOLUTION,
        usable=wrong_solution,
    )


def _first(method: str, limits: Limits, options: Options, item: Numbered) -> "Answer":
    from sudoku_encode.methods.first import first

    return first(item[1], method, limits, options)


def _first_of_some(method: str, options: Options, items: list[Numbered]) -> "Iterator[Answer]":
    from sudoku_encode.methods.first import first_of_each

    return first_of_each((puzzle for _, puzzle in items), method, options)


def estimate_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits
) -> "Iterator[tuple[Numbered, Estimate | StoppedError]]":
    """Yield each puzzle with about how many solutions it has, or what stopped the estimate."""
    for item, found, _ in _each(puzzles, method, limits, partial(_estimate, method, limits)):
        yield item, found


def _estimate(method: str, limits: Limits, item: Numbered) -> "Estimate":
    return calls.estimate(item[1], method, limits.start())


def explain_each(
    puzzles: Iterable[Numbered], method: str, limits: Limits, form: str, on_event: OnEvent
) -> Iterator[tuple[Numbered, tuple[StoppedError | None, float]]]:
    """Emit each `Step` of a method at work on each puzzle; yield it with what stopped that, and the seconds it took."""
    for item, stopped, seconds in _each(puzzles, method, limits, partial(_explain, method, limits, form), on_event):
        yield item, (stopped, seconds)


def _explain(method: str, limits: Limits, form: str, item: Numbered) -> None:
    for step in calls.explain(item[1], method, limits.start(), form):
        emit(step)


def _each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    answer: Callable[[Numbered], R],
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
    types: tuple[type, ...] = (object,),
    usable: Usable[Numbered, R] | None = None,
) -> Iterator[tuple[Numbered, R | StoppedError, float]]:
    calls.find(method)
    yield from each(
        *(partial(one_by_one, answer), puzzles, limits),
        pool=pool,
        load=partial(load_for_puzzle, method),
        prepare=partial(warm_up_for, method) if limits.seconds is not None else None,
        on_event=on_event,
        types=types,
        usable=usable,
    )


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


def load_for(method: str, item: object) -> None:
    """Do what `load` does, as `each` has it."""
    load(method)


def load_for_puzzle(method: str, item: Numbered) -> None:
    """Do what `load` does, and load what `search` has compiled for such a puzzle.

    Many may be answered in one process after the other, each of which would load it anew.
    """
    load(method)
    # Constraints that take long to lower are left to the process whose time is limited.
    if method in (AUTO, "search") and is_quick(item[1]) and not kernels.unavailable():
        # Imported here, since most methods do without it.
        from sudoku_encode.search import loading

        found = lowered(item[1])
        board, constrained = found.puzzle.geometry, bool(found.primitives)
        # Where nothing is compiled yet, `auto` tries another method before it waits for the compiler.
        if method == "search" or not loading.missing(board, constrained):
            loading.load(board, constrained)


def load_for_many(board: Geometry, method: str, item: object) -> None:
    """Load what answers many puzzles on a board, which `search` does for `auto`, as `each` has it."""
    load(method)
    if method in (AUTO, "search") and not kernels.unavailable():
        from sudoku_encode.search import loading

        loading.load_for_batch(board)


def warm_up_for(method: str, item: Numbered) -> None:
    """Do what `warm_up` does for a puzzle with its number, as `each` has it."""
    # What a process does before its time begins must not take long.
    if is_quick(item[1]):
        warm_up(method, item[1])


def warm_up(method: str, puzzle: Puzzle) -> None:
    """Compile or load what a method needs for a puzzle, before its time begins."""
    from sudoku_encode.methods.warm import warm_up

    warm_up(calls.find(method), puzzle)
