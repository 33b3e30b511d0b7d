"""Solutions of a puzzle: one, all, how many, whether only one; and a published method at work."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import at_work_on, on
from sudoku_encode.api.puzzles import Grid, PuzzleLike, as_puzzle
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods import asking, calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, observed, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike

OnEvent = Callable[[Event], None]
_NO_LIMITS, _NO_OPTIONS = Limits(), Options()


@checked
def solve(
    puzzle: PuzzleLike,
    method: str = "cp-sat",
    *,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Grid | None:
    """Return a solution, or None where it is proved that there is none.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS.
        limits: of time and memory; they hold whatever the method does.
        options: what else is chosen; a method refuses what it does not use.
        on_event: observes what happens meanwhile.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: it is not known, because of a limit.
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> print(solve("1234341221434...", board="4x4"))
    1234341221434321
    """
    asked = as_puzzle(puzzle, board, rules)
    with _observing(on_event):
        found = asking.first(asked, method, limits.without_solutions("solve"), options)
    if isinstance(found, StoppedError):
        raise found
    return None if found is None else Grid(asked.geometry, found)


class Solutions(Iterator[Grid]):
    """The solutions of a puzzle, one by one as they are found; `batches` gives many at once, as arrays.

    >>> import sudoku_encode as se
    >>> sum(len(batch) for batch in se.solutions("1...............", board="4x4").batches())
    72
    """

    def __init__(self, geometry: Geometry, batches: Iterator[NDArray[np.uint8]]) -> None:
        self._geometry, self._batches = geometry, batches
        self._rows: Iterator[NDArray[np.uint8]] = iter(())

    def __next__(self) -> Grid:
        """Return the next solution."""
        for row in self._rows:
            return Grid(self._geometry, row)
        self._rows = iter(next(self._batches))
        return next(self)

    def batches(self) -> Iterator[NDArray[np.uint8]]:
        """Yield what is left in arrays, uint8 (m, n_cells), each solution once."""
        if len(rest := list(self._rows)):
            yield np.array(rest)
        yield from self._batches

    def __repr__(self) -> str:
        """Return the board on one short line."""
        return f"Solutions({self._geometry.name[:60]!r})"


@checked
def solutions(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Solutions:
    """Return all solutions, each once, each checked against the rules; they end only when there are no more.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS that lists.
        limits: of solutions, time and memory.
        options: what else is chosen.
        on_event: observes what happens while the next are looked for.
        executor: where they are listed instead, in parts and by `search`, in an order that the puzzle alone decides: an
            Executor, a text such as `processes:8`, or a function that makes one.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached, while they are read.
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> len(list(solutions("1...............", board="4x4")))
    72
    """
    asked = as_puzzle(puzzle, board, rules)
    listing = partial(asking.solutions, asked, method, limits, options)
    batches = listing() if executor is None else on(executor, listing)
    return Solutions(asked.geometry, batches if on_event is None else observed(batches, on_event))


@checked
def count(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Count:
    """Return how many solutions there are, and whether that is proved.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS.
        limits: of solutions, time and memory.
        options: what else is chosen.
        on_event: observes what happens meanwhile.
        executor: where it is counted instead, in parts if that takes long: an Executor, a text such as `processes:8`,
            or a function that makes one.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> count("1...............", board="4x4")
    Count(value=72, complete=True, stopped='')
    """
    asked = as_puzzle(puzzle, board, rules)
    with _observing(on_event), at_work_on(executor) as pool:
        return asking.count(asked, method, limits, options, pool)


@checked
def is_unique(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> bool:
    """Say whether a puzzle has exactly one solution.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS.
        limits: of time and memory.
        options: of the method.
        on_event: observes what happens meanwhile.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: it is not known, because of a limit.
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> is_unique("1234341221434321", board="4x4"), is_unique("1" + 15 * ".", board="4x4")
    (True, False)
    """
    limits = limits.without_solutions("is_unique")
    two = Limits(2, limits.seconds, limits.memory)
    found = count(puzzle, method, limits=two, options=options, on_event=on_event, board=board, rules=rules)
    if not found.complete and found.value < 2:
        raise StoppedError(found.stopped)
    return found.value == 1


@checked
def explain(
    puzzle: PuzzleLike,
    method: str | None = None,
    *,
    to: str = "text",
    limits: Limits = _NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Iterator[Step]:
    """Return the steps of a published method at work, each with its text; those without one are for programs.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS that explains; by default one that fits the board.
        to: `text`; one of the method's drawings, whose lines are the texts; or `html`, which comes as one step
            whose text is a page that plays the steps.
        limits: of time and memory.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached, while they are read.
        SudokuError: it is no puzzle, or the method cannot show it.

    >>> for step in explain("1234341221434...", "logic", board="4x4"):
    ...     if step.text:
    ...         print(step)
    1. naked single r4c2: 3
    2. naked single r4c3: 2
    3. naked single r4c4: 1
    solved
    """
    asked = as_puzzle(puzzle, board, rules)
    form = "text" if to == "html" else to
    chosen = method or calls.explaining(asked.geometry, form)
    steps = asking.explain(asked, chosen, limits.without_solutions("explain"), form)
    return _played(asked, chosen, steps) if to == "html" else steps


def _played(puzzle: Puzzle, method: str, steps: Iterator[Step]) -> Iterator[Step]:
    """Yield a page that plays steps."""
    from sudoku_encode.render.steps_page import steps_page

    records = (step.record(puzzle.geometry) for step in steps)
    yield Step(steps_page(puzzle, records, method=method, source=calls.find(method).source))


def _observing(on_event: OnEvent | None) -> AbstractContextManager[object]:
    return nullcontext() if on_event is None else observing(on_event)
