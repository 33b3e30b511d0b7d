"""Solutions of a puzzle: one, all, their number, a folder of all of them; and the steps of a published method."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.api.arguments import (
    NO_LIMITS,
    NO_OPTIONS,
    LimitNames,
    MethodNames,
    OnEvent,
    check_arguments,
    iterate_on,
    observing_if,
    open_pool,
    short_errors_of,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import FormatError, MethodError, StoppedError
from sudoku_encode.formats import grid_files, solution_folder
from sudoku_encode.methods import calls, limited_calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.solution_folder import Target, list_to_folder
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.questions.objectives import ObjectiveQuestion
from sudoku_encode.run.asking import ask
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import observed
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import ExecutorLike
from sudoku_encode.storage.outputs import file_name


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


class Solutions(Iterator[Grid]):
    """An iterator over the solutions of a puzzle as they are found; `batches` yields many at once, as arrays.

    Its length is not known before the end. `numpy.asarray` puts the remaining solutions into an array (m, n_cells).

    >>> import sudoku_encode as se
    >>> import numpy as np
    >>> np.asarray(se.solutions("1...............", board="4x4")).shape
    (72, 16)
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
        """Yield the remaining solutions in arrays, uint8 (m, n_cells), each solution once."""
        if len(rest := list(self._rows)):
            yield np.array(rest)
        yield from self._batches

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the remaining solutions, (m, n_cells), for numpy; afterwards none remains.

        Raises:
            ValueError: no copy is allowed; solutions that are listed have no array yet.
        """
        if copy is False:
            raise ValueError("solutions are listed into a new array; expected copy=None or True")
        none = np.zeros((0, self._geometry.n_cells), np.uint8)
        return np.concatenate([none, *self.batches()]).astype(dtype or np.uint8, copy=False)

    def __repr__(self) -> str:
        """Return the board on one short line."""
        return f"Solutions({self._geometry.name[:60]!r})"


@check_arguments
def solutions(
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
) -> Solutions:
    """Return an iterator over all solutions; it ends only after the last.

    Each solution comes once, and is checked against the rules.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS that lists solutions.
        limits: on solutions, time and memory.
        options: settings of the method.
        on_event: called with each event during the iteration.
        executor: where to list them, by `search` and in an order that depends
            only on the puzzle: an Executor, a text such as `processes:8`, or a
            function that makes one.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        StoppedError: a limit was reached; raised during the iteration.
        SudokuError: not a puzzle, or the method does not support it.

    >>> len(list(solutions("1...............", board="4x4")))
    72
    """
    parsed = as_puzzle(puzzle, board, rules)
    listing = partial(limited_calls.solutions, parsed, method, limits, options)
    batches = listing() if executor is None else iterate_on(executor, listing)
    return Solutions(parsed.geometry, short_errors_of(batches if on_event is None else observed(batches, on_event)))


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


# All solutions in a folder, if they are too many for one file.


@check_arguments
def save_solutions(
    puzzle: PuzzleLike,
    folder: str | Path,
    form: str | None = None,
    *,
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    resume: bool = False,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Count:
    """Write all solutions of a puzzle to a folder, and return their number.

    Each file contains up to a million solutions. The files are byte for byte
    the same on any executor. `manifest.json` is written last; a run that
    stopped before that can be resumed.

    Args:
        puzzle: a Puzzle, its text or file, or an array of its values; on a
            board of up to 35 values.
        folder: created if it does not exist; otherwise it must be empty, unless
            the run resumes.
        form: the format of the files: `txt`, `txt.zst` (needs the extra
            `compress`) or `parquet` (needs the extra `parquet`). By default
            `txt.zst`, or `txt` if the extra is not installed.
        limits: on time and memory; if they stop the run, the count is not
            complete.
        executor: where to run; by default in processes on this machine, one per
            core.
        resume: continue an earlier run.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        MethodError: the board has too many values; a limit on solutions.
        FormatError: not a puzzle; no such form.
        SudokuError: the folder contains other files, or cannot be written; a
            package for the form is not installed.

    >>> import tempfile, pathlib
    >>> home = pathlib.Path(tempfile.mkdtemp())
    >>> print(save_solutions("1...............", home / "all", "txt", board="4x4", executor="threads:2"))
    72
    >>> sum(len(grids) for grids in read_solutions(home / "all"))
    72
    """
    target = Target(Path(file_name(folder)), form or grid_files.default_form(), resume=resume)
    with open_pool(executor, cores()) as pool:
        return list_to_folder(as_puzzle(puzzle, board, rules), target, limits, pool)


@check_arguments
def read_solutions(folder: str | Path) -> Iterator[Grids]:
    """Yield the solutions that `save_solutions` wrote to a folder.

    They are in order and checked, in arrays uint8 (m, n_cells).

    Raises:
        FormatError: the folder is not complete; a file is missing, cut, changed
            or listed twice, its number of solutions differs from the manifest,
            or it contains a wrong or repeated grid. The message names the file.
        SudokuError: a package for its files is not installed.

    >>> next(read_solutions("instances"))
    Traceback (most recent call last):
    sudoku_encode.errors.FormatError: instances: no manifest.json: this is not a folder of all solutions of a puzzle
    """
    path = Path(file_name(folder))
    if not path.is_dir():
        raise FormatError("no such folder", str(path))
    return solution_folder.read_solutions(path)
