"""The command verify: many methods on each puzzle, compared."""

from typing import Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import several_of
from sudoku_encode.errors import SudokuError
from sudoku_encode.methods.table import METHODS


class VerifyOptions(NamedTuple):
    """The methods to run, and their limits."""

    methods: Annotated[
        str | None,
        typer.Option(
            help="The methods to run, separated by commas. By default those that support the board, until three "
            "families confirm the number.",
            show_default=False,
            autocompletion=several_of(("all", *METHODS)),
        ),
    ] = None
    run_all: Annotated[bool, typer.Option("--all", help="Run all methods, as `--methods all` does.")] = False
    timeout: Annotated[
        float,
        typer.Option(min=0.01, callback=options.finite, help="Time limit for each method on each puzzle, in seconds."),
    ] = 10.0
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory limit for each method on each puzzle, such as 500M; by default 2G (Linux only).",
            show_default=False,
        ),
    ] = None
    limit: Annotated[int, typer.Option(min=1, help="Stop each method after this number of solutions.")] = 100_000
    shrink: Annotated[
        bool,
        typer.Option(
            "--shrink", help="If a method fails, search for the smallest puzzle on which it fails in the same way."
        ),
    ] = False


def command(
    given: options.PuzzleOptions,
    *,
    own: VerifyOptions,
    as_json: options.Json = False,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Also write the results to this file, as --json prints them.",
            show_default=False,
        ),
    ] = "-",
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue an unfinished run in the file of -o, and keep its results."),
    ] = False,
    work: options.WorkOptions,
) -> None:
    """Run many methods on each puzzle, each in its own process, and compare their answers.

    A number is confirmed if two methods that share no code list the same solutions and prove that there are no more,
    and every grid listed by any method is a solution. Once three families of methods confirm it, the others are not
    run, unless they are named or --all is given. PUZZLE may also be a folder; if it, or a folder above it, contains a
    known.toml, the answers are also compared with the numbers there. The exit status is 1 if a method or an expected
    number is wrong, and 3 if a number could not be confirmed.

    Details:

    The output file (-o) is called FILE.part until all puzzles are done. To continue a stopped run, repeat the command
    with --resume: results in the file are shown again but not recomputed.
    """
    from sudoku_encode.report.comparing import CaseReader, compare
    from sudoku_encode.run.limits import Limits, in_bytes
    from sudoku_encode.verifying import DEFAULT_LIMITS
    from sudoku_encode.verifying.cases import ALL, ENOUGH_FAMILIES, chosen

    limits = Limits(own.limit, own.timeout, DEFAULT_LIMITS.memory if own.memory is None else in_bytes(own.memory))
    pool = work.pool()
    if own.run_all and own.methods not in (None, ALL):
        raise SudokuError("--all has no effect with --methods, which names the methods to run")
    enough = ENOUGH_FAMILIES if own.methods is None and not own.run_all else None
    cases = CaseReader(given, chosen(own.methods or ALL), enough, is_named=own.methods not in (None, ALL))
    raise typer.Exit(compare(cases, limits, pool, output, resume=resume, as_json=as_json, shrink=own.shrink))
