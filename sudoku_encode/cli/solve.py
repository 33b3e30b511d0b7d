"""The command solve."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.completion import each_of
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import PuzzleInput, remark
from sudoku_encode.cli.records import Records
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
        int | None, typer.Option(min=1, help="Workers of CP-SAT. By default 1.", show_default=False)
    ] = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """Print one solution of each puzzle, by CP-SAT unless told otherwise.

    What has no solution, or is no puzzle, is a comment line (#) in its place; the exit status is 1 where a puzzle has
    no solution, and 2 where something is no puzzle.
    """
    from sudoku_encode.methods.answers import answers
    from sudoku_encode.methods.question import Question

    source, outcome = PuzzleInput(given), Outcome()
    records = Records(source, outcome, True, options.record_form(as_json, as_csv, to), to)
    located, chosen = source.located(), solver.options(workers)
    if method is None:
        method, located = _by_default(located)
    question = Question(method, limits.limits(), chosen, solve=True)
    with progress("solving ..."):
        for answer in answers(located, question, lambda _, event: emit(event)):
            records.put(answer)
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
