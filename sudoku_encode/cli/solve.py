"""The command solve."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.completion import each_of
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import Records
from sudoku_encode.cli.remarks import remark
from sudoku_encode.methods.options import MAX_WORKERS
from sudoku_encode.methods.table import METHODS
from sudoku_encode.run.events import emit

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Located

# More puzzles than these are solved by `auto` where no method is named.
MOST_BY_CP_SAT_PUZZLES = 100


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="See `sudoku-encode methods`. By default cp-sat, and auto for more than "
            f"{MOST_BY_CP_SAT_PUZZLES} puzzles.",
            show_default=False,
            autocompletion=each_of(METHODS),
        ),
    ] = None,
    solver: options.SolverOptions,
    limits: options.LimitOptions,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=MAX_WORKERS, help="Workers of CP-SAT. By default 1.", show_default=False),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Compare the solutions with those in the column solution (or solutions, answer, answers) of a table; "
            "the exit status is 1 where one is wrong.",
        ),
    ] = False,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
) -> None:
    """Print one solution of each puzzle, by CP-SAT unless told otherwise.

    What has no solution, or is no puzzle, is a comment line (#) in its place; the exit status is 1 where a puzzle has
    no solution, and 2 where something is no puzzle.

    A file that is written with -o is called FILE.part until all puzzles are done. A run that was stopped goes on with
    --resume, with the same puzzles and options.
    """
    from sudoku_encode.methods.question import Question

    source, outcome, form = PuzzleInput(given), Outcome(), options.record_form(as_json, as_csv, to)
    with to_file.opened(source.inputs) as journal:
        located = source.located()
        if method is None:
            method, located = _by_default(located)
        question = Question(method, limits.limits(), solver.options(workers), True, work.pool(workers or 1))
        comparison = None
        if compare:
            from sudoku_encode.cli.comparison import Comparison

            comparison = Comparison(outcome)
        records = Records(source, outcome, True, form, to, journal, comparison)
        records.write_all(located, question, lambda _, event: emit(event))
    raise typer.Exit(outcome.status(source))


def _by_default(located: "Iterator[Located]") -> "tuple[str, Iterator[Located]]":
    """Return the method for some puzzles, and the puzzles."""
    from sudoku_encode.formats.entries import n_puzzles

    head, total = [], 0
    for one in located:
        head.append(one)
        total += n_puzzles(one.found)
        if total > MOST_BY_CP_SAT_PUZZLES:
            remark(f"more than {MOST_BY_CP_SAT_PUZZLES} puzzles: by auto; --method cp-sat solves them by CP-SAT")
            return "auto", chain(head, located)
    return "cp-sat", iter(head)
