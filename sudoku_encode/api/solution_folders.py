"""All solutions of a puzzle in a folder of files, for those that are too many for one."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import at_work_on
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import FormatError
from sudoku_encode.formats import grid_files, solution_folder
from sudoku_encode.methods.solution_folder import Target, list_to_folder
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.cores import cores
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits
from sudoku_encode.storage.outputs import file_name

if TYPE_CHECKING:
    from sudoku_encode.run.pools import ExecutorLike

_NO_LIMITS = Limits()


@checked
def save_solutions(
    puzzle: PuzzleLike,
    folder: str | Path,
    form: str | None = None,
    *,
    limits: Limits = _NO_LIMITS,
    executor: "ExecutorLike | None" = None,
    resume: bool = False,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Count:
    """Write all solutions of a puzzle to files of up to a million in a folder, and return how many there are.

    The files have the same bytes whatever the executor. `manifest.json` is written last; before that, `resume` goes on.

    Args:
        puzzle: itself, its text or file, or an array of its values; on a board of up to 35 values.
        folder: made if there is none; one that is there must be empty, unless the run resumes.
        form: of the files: `txt`, `txt.zst`, which needs the extra `compress`, or `parquet`, which needs the extra
            `parquet`. By default `txt.zst`, or `txt` where the extra is not installed.
        limits: of time and memory; where they stop the run, the count is not complete.
        executor: where the work is done; by default in processes of this machine, one on each core.
        resume: go on with what an earlier run has written.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        MethodError: the board has too many values; a limit on solutions.
        FormatError: it is no puzzle; no such form.
        SudokuError: the folder has something else, or cannot be written; what the form needs is not installed.

    >>> import tempfile, pathlib
    >>> home = pathlib.Path(tempfile.mkdtemp())
    >>> print(save_solutions("1...............", home / "all", "txt", board="4x4", executor="threads:2"))
    72
    >>> sum(len(grids) for grids in read_solutions(home / "all"))
    72
    """
    target = Target(Path(file_name(folder)), form or grid_files.default_form(), resume=resume)
    with at_work_on(executor, cores()) as pool:
        return list_to_folder(as_puzzle(puzzle, board, rules), target, limits, pool)


@checked
def read_solutions(folder: str | Path) -> Iterator[Grids]:
    """Yield the solutions that `save_solutions` wrote to a folder, uint8 (m, n_cells) at a time, in order, all checked.

    Raises:
        FormatError: the folder is not complete; a file is missing, cut, changed or comes twice, has another number of
            solutions than the manifest says, a grid that is no solution, or one twice. It names the file.
        SudokuError: what its files need is not installed.

    >>> next(read_solutions("instances"))
    Traceback (most recent call last):
    sudoku_encode.errors.FormatError: instances: no manifest.json: this is no folder of all solutions of a puzzle
    """
    path = Path(file_name(folder))
    if not path.is_dir():
        raise FormatError("there is no such folder", str(path))
    return solution_folder.read_solutions(path)
