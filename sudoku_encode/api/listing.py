"""All solutions: those of a puzzle or a CP-SAT model as an iterator, those of a puzzle in a folder."""

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
    open_pool,
    short_errors_of,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.errors import FormatError, MethodError, SudokuError, short
from sudoku_encode.formats import grid_files, solution_folder
from sudoku_encode.methods import limited_calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.solution_folder import Target, list_to_folder
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.counting import Count, checked
from sudoku_encode.run.events import observed
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import ExecutorLike
from sudoku_encode.solvers import cpsat
from sudoku_encode.storage.outputs import file_name


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
def model_solutions(
    model: CpModel,
    *,
    seed: int = 0,
    workers: int = 1,
    limits: Limits = NO_LIMITS,
    on_event: OnEvent | None = None,
    **named: Unpack[LimitNames],
) -> Solutions:
    """Return an iterator over the solutions of a CP-SAT model.

    It ends only when it is proved that there are no more. Each grid comes
    once, and is checked against the rules of the puzzle. Of a model with an
    objective the grids become better; after the end, the last is proved to be
    best.

    Args:
        model: from `cp_model`, with your own constraints, variables or
            objective.
        seed: of CP-SAT.
        workers: of CP-SAT, with an objective or a limit of 1; it cannot list
            all solutions with several.
        limits: on solutions and time.
        on_event: called with each event during the iteration.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached; raised during the iteration.
        SudokuError: CP-SAT rejects the model.

    >>> from sudoku_encode import cp_model
    >>> model = cp_model("1...............", board="4x4")
    >>> model.model.maximize(model["r1c2"] + model["r2c1"])
    >>> *_, best = model_solutions(model)
    >>> best[0, 1] + best[1, 0]
    7
    """
    if not isinstance(model, CpModel):
        raise MethodError(f"model={short(repr(model))}: expected a model from cp_model")
    if limits.memory is not None:
        raise MethodError("a limit on memory has no effect on a model, which is solved in this process")
    if workers < 1:
        raise MethodError(f"workers={workers}: it must be at least 1")
    if workers > 1 and limits.solutions != 1 and not model.model.has_objective():
        raise MethodError("workers has no effect without an objective or a limit of 1: one worker lists all solutions")
    if reason := model.model.validate():
        raise SudokuError(f"CP-SAT rejects the model: {short(reason, 200)}")
    puzzle, has_objective = model.puzzle.on_grid, model.model.has_objective()
    n_cells = puzzle.geometry.n_cells
    batches = cpsat.solutions(model, limits.start(), seed, workers)
    # A grid may come again with other values of hidden cells, which an objective may use: then the last is the best.
    batches = (batch[:, :n_cells] for batch in batches) if has_objective else batches
    batches = checked(puzzle, batches, limits.solutions)
    return Solutions(puzzle.geometry, short_errors_of(batches if on_event is None else observed(batches, on_event)))


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
