"""A solution of a puzzle, the number of its solutions, and the steps of a published method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Unpack

from sudoku_encode.api.arguments import (
    NO_LIMITS,
    NO_OPTIONS,
    LimitNames,
    MethodNames,
    OnEvent,
    check_arguments,
    observing_if,
    open_pool,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.methods import calls, limited_calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.questions.objectives import ObjectiveQuestion
from sudoku_encode.run.asking import ask
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike


@check_arguments
def solve(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    objective: str | None = None,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    on_event: OnEvent | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> Grid | None:
    """Return a solution, or None if the puzzle provably has none.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS.
        objective: return the best solution: `first` or `last` in lexicographic
            order, `min CELLS` or `max CELLS` by a sum, or `keep`, without some
            givens, as few as possible. It has its own method.
        limits: on time and memory; a process that exceeds them is killed.
        options: settings of the method; one that it does not use is an error.
        on_event: called with each event meanwhile.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        StoppedError: a limit was reached first.
        SudokuError: not a puzzle, or the method does not support it.

    >>> print(solve("1234341221434...", board="4x4"))
    1234341221434321
    >>> print(solve("1...............", board="4x4", objective="last"))
    1432324141232314
    """
    parsed = as_puzzle(puzzle, board, rules)
    if objective is not None:
        if method != "auto" or options != NO_OPTIONS:
            raise MethodError("a method and options have no effect with an objective")
        with observing_if(on_event):
            best = ask(ObjectiveQuestion(objective), parsed, limits.without_solutions("solve"))
        if best.stopped:
            raise StoppedError(best.stopped)
        return None if best.required.grid is None else Grid(parsed.geometry, best.required.grid)
    with observing_if(on_event):
        values = limited_calls.solve(parsed, method, limits.without_solutions("solve"), options)
    if isinstance(values, StoppedError):
        raise values
    return None if values is None else Grid(parsed.geometry, values)


@check_arguments
def count(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    on_event: OnEvent | None = None,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> Count:
    """Return the number of solutions, and whether it is proved.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS.
        limits: on solutions, time and memory.
        options: settings of the method.
        on_event: called with each event meanwhile.
        executor: where to count, in parts if that takes long: an Executor, a
            text such as `processes:8`, or a function that makes one.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        SudokuError: not a puzzle, or the method does not support it.

    >>> count("1...............", board="4x4")
    Count(value=72, complete=True, stopped='')
    """
    parsed = as_puzzle(puzzle, board, rules)
    with observing_if(on_event), open_pool(executor) as pool:
        return limited_calls.count(parsed, method, limits, options, pool)


@check_arguments
def is_unique(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    on_event: OnEvent | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> bool:
    """Return whether a puzzle has exactly one solution.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS.
        limits: on time and memory.
        options: settings of the method.
        on_event: called with each event meanwhile.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        StoppedError: a limit was reached first.
        SudokuError: not a puzzle, or the method does not support it.

    >>> is_unique("1234341221434321", board="4x4"), is_unique("1" + 15 * ".", board="4x4")
    (True, False)
    """
    limits = limits.without_solutions("is_unique")
    two = Limits(2, limits.seconds, limits.memory)
    counted = count(puzzle, method, limits=two, options=options, on_event=on_event, board=board, rules=rules)
    if not counted.complete and counted.value < 2:
        raise StoppedError(counted.stopped)
    return counted.value == 1


@check_arguments
def explain(
    puzzle: PuzzleLike,
    method: str | None = None,
    *,
    to: str = "text",
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Iterator[Step]:
    """Return the steps of a published method on a puzzle, each with its text.

    Steps without a text are for programs. A puzzle with values from 0 is
    explained with values from 1, as published methods have them.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS that explains; by default one that fits the
            board.
        to: `text`; one of the method's drawings, whose lines are the texts; or
            `html`: a single step whose text is a page that plays the steps.
        limits: on time and memory.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached; raised during the iteration.
        SudokuError: not a puzzle, or the method cannot explain it.

    >>> for step in explain("1234341221434...", "logic", board="4x4"):
    ...     if step.text:
    ...         print(step)
    1. naked single r4c2: 3
    2. naked single r4c3: 2
    3. naked single r4c4: 1
    solved
    """
    parsed = as_puzzle(puzzle, board, rules).from_one
    form = "text" if to == "html" else to
    name = method or calls.default_explainer(parsed.geometry, form)
    steps = limited_calls.explain(parsed, name, limits.without_solutions("explain"), form)
    return _steps_page(parsed, name, steps) if to == "html" else steps


def _steps_page(puzzle: Puzzle, method: str, steps: Iterator[Step]) -> Iterator[Step]:
    """Yield a page that plays steps."""
    from sudoku_encode.render.steps_page import steps_page

    records = (step.record(puzzle.geometry) for step in steps)
    row = calls.find_method(method)
    yield Step(steps_page(puzzle, records, method=method, about=row.about, source=row.source))
