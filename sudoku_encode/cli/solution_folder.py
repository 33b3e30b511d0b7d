"""A folder with all solutions of a puzzle: written by `enumerate -o FOLDER/`, and checked by `enumerate --check`."""

from pathlib import Path

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, total
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import FormatError, SudokuError, missing_package, plural
from sudoku_encode.formats.table import DEFAULT_FORM
from sudoku_encode.run.counting import INTERRUPTED


def refuse(given: dict[str, bool], why: str) -> None:
    """Refuse options that have no effect.

    Args:
        given: by the names of the options, whether each is given.
        why: what they have no effect with.

    Raises:
        SudokuError: one is.
    """
    for name, is_given in given.items():
        if is_given:
            raise SudokuError(f"{name} has no effect with {why}")


def listed(
    given: options.PuzzleOptions,
    to_file: options.OutputOptions,
    form: str | None,
    limits: options.LimitOptions,
    work: options.WorkOptions,
    unused: dict[str, bool],
) -> int:
    """List all solutions of each puzzle to files in a folder, and return the exit status.

    One puzzle has the folder for itself; each of many has a folder in it, called by its number.

    Raises:
        SudokuError: as `list_to_folder`; an option has no effect.
    """
    from sudoku_encode.methods.solution_folder import Target, list_to_folder

    refuse(unused, "a folder, whose solutions are listed by search")
    form = form or _default_form()
    source, outcome, home, pool = PuzzleInput(given), Outcome(), Path(to_file.output), work.pool()
    number = 0
    with progress("searching ...", total=source.total) as shown:
        for number, puzzle in source.puzzles():
            if source.many and not to_file.resume and number == 1:
                _refuse_full(home)
            if source.many and to_file.resume and number == 1:
                _refuse_others(home, source.total())
            folder = home / str(number) if source.many else home
            # What a run before has not begun cannot be resumed.
            resume = to_file.resume and not (source.many and not folder.exists())
            target = Target(folder, form, number, resume)
            counted = list_to_folder(puzzle, target, limits.limits(), pool)
            outcome.note(counted)
            shown.advance(1)
            shown.hide()
            advice = "" if counted.complete else f"; {folder}/ keeps its files: go on with --resume"
            remark(f"{prefix(number, source)}{total(counted, puzzle)}{advice}")
            if counted.stopped == INTERRUPTED:
                break
        else:
            if source.many and to_file.resume:
                _refuse_others(home, number)
    return outcome.status(source)


def _default_form() -> str:
    """Return the form of the files where none is asked for; remark that they are not packed where they cannot be."""
    from sudoku_encode.formats.grid_files import default_form

    form = default_form()
    if form != DEFAULT_FORM:
        remark(f"files of the form {form}: {missing_package('zstandard', DEFAULT_FORM)}")
    return form


def _refuse_full(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise SudokuError(f"{folder}: the folder is not empty: go on with --resume, or give another folder")


def _refuse_others(home: Path, n_puzzles: int | None) -> None:
    """Refuse a folder in which an earlier run listed the solutions of one puzzle, or of more than there are now."""
    from sudoku_encode.formats.solution_folder import MANIFEST
    from sudoku_encode.methods.solution_folder import JOURNAL

    for path in home.iterdir() if home.is_dir() else ():
        many = path.name.isdecimal() and n_puzzles is not None and int(path.name) > n_puzzles
        if many or path.name in (MANIFEST, JOURNAL):
            puzzles = f"{int(path.name):,} puzzles or more" if many else "one puzzle"
            raise SudokuError(f"{path}: it is of a run of {puzzles}, and this run has others; give -o another folder")


def checked(
    folder: Path,
    given: options.PuzzleOptions,
    to_file: options.OutputOptions,
    form: str | None,
    limits: options.LimitOptions,
    work: options.WorkOptions,
    unused: dict[str, bool],
) -> int:
    """Check a folder of solutions, print what was found, and return the exit status.

    Raises:
        SudokuError: there is no such folder; what its files need is not installed; an option has no effect.
    """
    from sudoku_encode.formats.solution_folder import check_solutions, is_solution_folder

    elsewhere = {"a puzzle": bool(given.puzzles), "--board": given.board is not None, "-o": to_file.output != "-"}
    elsewhere |= {"--rules": given.rules is not None, "--alphabet": given.alphabet is not None}
    elsewhere |= {"--constraint": bool(given.constraints)}
    elsewhere |= {"--from": given.source_format is not None, "--timeout": limits.timeout is not None}
    elsewhere |= {"--memory": limits.memory is not None}
    elsewhere |= {"--resume": to_file.resume, "--form": form is not None, **work.given, **unused}
    refuse(elsewhere, "--check, which lists nothing")
    if not is_solution_folder(folder):
        if folder.is_dir() and (folder / "manifest.part").exists():
            raise SudokuError(f"{folder}: these are not all solutions: the run was stopped; go on with --resume")
        raise SudokuError(f"{folder}: this is no folder that `enumerate` wrote: it has no manifest.json")
    try:
        with progress("checking ..."):
            n = check_solutions(folder)
    except FormatError as reason:
        print("refused")
        remark(f"refused: {reason}")
        return 1
    print(f"{n} {plural('solution', n)}, all right")
    return 0 if n else 1


def options_of(
    *, method: str, limit: int | None, to: str | None, as_json: bool, solver: options.SolverOptions
) -> dict[str, bool]:
    """Return by the names of the options of a list whether each is given that a folder has no use for."""
    names = {"reduce": "--reduce", "amo": "--amo", "sat_solver": "--sat-solver", "seed": "--seed"}
    return {
        f"--method {method}": method not in ("auto", "search"),
        "--limit": limit is not None,
        "--to": to is not None,
        "--json": as_json,
        **{names[field]: value is not None for field, value in solver._asdict().items()},
    }
