"""The command enumerate: all solutions."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.formats.table import DEFAULT_FORM, GRID_FILES
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.storage.outputs import is_folder


class FolderOptions(NamedTuple):
    """Options for folders of solutions."""

    form: Annotated[
        str | None,
        typer.Option(
            help=f"The format of the files in a folder (-o): {', '.join(GRID_FILES)}. By default {DEFAULT_FORM}, or "
            "txt if zstandard is not installed.\n\n"
            + "; ".join(f"{name}: {text}" for name, text in GRID_FILES.items())
            + ".",
            show_default=False,
            **options.one_of(GRID_FILES),
        ),
    ] = None
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Check this folder instead: every file is complete, and every grid is a solution.",
            show_default=False,
        ),
    ] = None


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    stats: options.Stats = False,
    to_file: options.OutputOptions,
    folders: FolderOptions,
    work: options.WorkOptions,
) -> None:
    """Print all solutions of each puzzle, each once, as soon as they are found.

    A line on standard error reports whether the list is complete. If a limit, Ctrl-C or a full disk stopped it, the
    exit status is 3.

    Details:

    The output file (-o) is called FILE.part until the run ends; its last line reports whether it is complete. To
    continue a killed run, repeat the command with --resume.

    If -o names a folder, the solutions are written to files of up to a million each, which manifest.json lists.
    Commands read a complete folder like a file of puzzles.
    """
    from sudoku_encode.methods.answers import BatchQuestion
    from sudoku_encode.report.listing import (
        FolderTarget,
        SolutionForm,
        check_folder,
        list_solutions,
        list_to_folders,
    )

    unused = _unused_options(method=method, limit=limit, to=to, as_json=as_json, solver=solver)
    unused["--stats"] = stats
    if folders.check is not None:
        _refuse_with_check(given, to_file, folders, limits, {**work.given, **unused})
        raise typer.Exit(check_folder(Path(folders.check)))
    if to_file.output != "-" and is_folder(to_file.output):
        options.refuse_given(unused, "with a folder, whose solutions are listed by search")
        target = FolderTarget(Path(to_file.output), folders.form, to_file.resume)
        raise typer.Exit(list_to_folders(PuzzleInput(given), target, limits.limits(), work.pool()))
    options.refuse_given({"--form": folders.form is not None}, "with a file; give -o a folder, such as all/")
    options.record_form(as_json, as_csv=False, to=to)
    question = BatchQuestion(method, limits.limits(limit), solver.options(), pool=work.pool())
    form = SolutionForm(method, to, as_json, options.has_stats(stats, method))
    raise typer.Exit(list_solutions(PuzzleInput(given), question, form, to_file.output, to_file.resume))


def _refuse_with_check(
    given: options.PuzzleOptions,
    to_file: options.OutputOptions,
    folders: FolderOptions,
    limits: options.LimitOptions,
    others: dict[str, bool],
) -> None:
    """Raise SudokuError if an option is given that has no effect with --check."""
    unused = {"a puzzle": bool(given.puzzles), "--board": given.board is not None, "-o": to_file.output != "-"}
    unused |= {"--rules": given.rules is not None, "--alphabet": given.alphabet is not None}
    unused |= {"--constraint": bool(given.constraints)}
    unused |= {"--from": given.source_format is not None, "--timeout": limits.timeout is not None}
    unused |= {"--memory": limits.memory is not None}
    unused |= {"--resume": to_file.resume, "--form": folders.form is not None, **others}
    options.refuse_given(unused, "with --check, which lists nothing")


def _unused_options(
    *, method: str, limit: int | None, to: str | None, as_json: bool, solver: options.SolverOptions
) -> dict[str, bool]:
    """Return, by name, whether each option that has no effect on a folder is given."""
    names = {"reduce": "--reduce", "amo": "--amo", "sat_solver": "--sat-solver", "seed": "--seed"}
    return {
        f"--method {method}": method not in ("auto", "search"),
        "--limit": limit is not None,
        "--to": to is not None,
        "--json": as_json,
        **{name: getattr(solver, field) is not None for field, name in names.items()},
    }
