"""The command bench: methods, encodings and solvers, measured on puzzles."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import several_of
from sudoku_encode.errors import SudokuError, short
from sudoku_encode.methods.table import METHODS, OPTIONS


class BenchOptions(NamedTuple):
    """The setups and limits of a benchmark, and its output."""

    methods: Annotated[
        str,
        typer.Option(
            help="The methods to measure, separated by commas; all: sudoku-encode methods.",
            autocompletion=several_of(METHODS),
        ),
    ] = "sat,cp-sat,search"
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUES",
            help="Values of an option, such as sat-solver=cadical195,glucose4; may be repeated.\n\nEach method is "
            "measured with each combination of those options that it uses: "
            + ", ".join(f"{row.name}" for row in OPTIONS.values())
            + ".",
            show_default=False,
        ),
    ] = None
    count_all: Annotated[bool, typer.Option("--count", help="Count all solutions instead of finding one.")] = False
    limit: Annotated[
        int | None, typer.Option(min=1, help="With --count, stop each run after this number of solutions.")
    ] = None
    timeout: Annotated[
        float, typer.Option(min=0.01, callback=options.finite, help="Time limit for each run, in seconds.")
    ] = 60.0
    memory: Annotated[
        str | None,
        typer.Option(help="Memory limit for each run, such as 500M (Linux).", show_default=False),
    ] = None
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="Write runs.jsonl (a record per run), table.md and cactus.svg into this folder.",
            show_default=False,
        ),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue an unfinished run in the folder of -o, and keep its results.")
    ] = False
    processes: Annotated[
        int,
        typer.Option("-j", "--processes", min=1, help="Runs in parallel, which may slow each other down."),
    ] = 1


def command(
    given: options.PuzzleOptions,
    *,
    own: BenchOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure methods, encodings and solvers on puzzles: a table, a record for each run, and a cactus plot.

    Each run is a separate process with a time limit. Its seconds are those of the method with its model; libraries
    are loaded and code is compiled before. With --json or --csv each record also has the work of the SAT or CP solver
    (conflicts, decisions, propagations, restarts) and the seconds of the solver alone. The exit status is 1 if two
    complete answers differ, and 3 if a run did not end.

    Details:

    In the table, `ended` is the number of puzzles with a complete answer, and PAR-2 the mean of the seconds, where a
    run that did not end counts twice its limit. A method is not run on puzzles that it does not support. In the cactus
    plot a point (n, s) means that n puzzles took at most s seconds each.
    """
    from sudoku_encode.questions.benchmark import setups
    from sudoku_encode.report.benchmark import Benchmark, write_benchmark
    from sudoku_encode.report.reading import PuzzleInput
    from sudoku_encode.run.limits import Limits, in_bytes
    from sudoku_encode.run.pools import local_pool

    form = options.record_form(as_json, as_csv)
    if own.limit is not None and not own.count_all:
        raise SudokuError("--limit has no effect without --count")
    if own.resume and own.output is None:
        raise SudokuError("--resume has no effect without -o, the folder of the unfinished run")
    limits = Limits(own.limit, own.timeout, None if own.memory is None else in_bytes(own.memory))
    methods = [name.strip() for name in own.methods.split(",") if name.strip()]
    benchmark = Benchmark(
        setups(methods, _varied(own.vary or [])), not own.count_all, limits, local_pool(own.processes)
    )
    folder = None if own.output is None else Path(own.output)
    raise typer.Exit(write_benchmark(PuzzleInput(given), benchmark, form, folder, own.resume))


def _varied(texts: list[str]) -> dict[str, list[Any]]:
    """Return the values of --vary by the field of `Options`; raise SudokuError for a wrong text or name."""
    fields = {row.name: field for field, row in OPTIONS.items()}
    varied: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or name not in fields:
            reason = "not NAME=VALUES" if not equals else "not the name of an option"
            raise SudokuError(f"--vary: {reason}: {short(repr(text))} (known: {', '.join(fields)})")
        if fields[name] in varied:
            raise SudokuError(f"--vary: {name} appears twice; separate its values by commas")
        is_number = not OPTIONS[fields[name]].choices
        varied[fields[name]] = [
            int(value) if is_number and value.isdecimal() else value for value in map(str.strip, values.split(","))
        ]
    return varied
