"""The command solve: one solution of each puzzle."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import each_of
from sudoku_encode.methods.table import AUTO, METHODS
from sudoku_encode.questions.table import OBJECTIVES
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.report.records import Comparison, Records
from sudoku_encode.report.streams import STATS, Choices
from sudoku_encode.report.table_output import FIELDS, opened

if TYPE_CHECKING:
    from sudoku_encode.questions.objectives import Optimum
    from sudoku_encode.run.asking import Answer, Numbered
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="A method from `sudoku-encode methods`; by default auto, and cp-sat if --workers or a seed is given.",
            show_default=False,
            autocompletion=each_of(METHODS),
        ),
    ] = None,
    solver: options.SolverOptions,
    limits: options.LimitOptions,
    workers: Annotated[int | None, options.method_option("workers")] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Compare the solutions with a column of the input table named solution, solutions, answer or "
            "answers; the exit status is 1 if a solution there is wrong.",
        ),
    ] = False,
    objective: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Print the best solution, by `first`, `last`, `min CELLS`, `max CELLS` or `keep`.\n\n"
            + "; ".join(f"`{form}`: {meaning}" for form, meaning in OBJECTIVES.items())
            + ". CELLS are such as r1c1 r2c2-r2c4 or 3*r1c1+r1c2. The proof that no solution is better may take "
            "long; --timeout prints the best one so far.",
            show_default=False,
        ),
    ] = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    stats: options.Stats = False,
    add: options.Add = None,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
) -> None:
    """Print one solution of each puzzle.

    If a puzzle is invalid or has no solution, a comment line (#) is printed in its place. The exit status is 1 if a
    puzzle has no solution, and 2 if one is invalid.

    The output file (-o) is called FILE.part until all puzzles are done. To continue a stopped run, repeat the command
    with --resume.
    """
    from sudoku_encode.methods.answers import BatchQuestion

    source, outcome, form = PuzzleInput(given), Outcome(), options.record_form(as_json, as_csv, to, add)
    if objective is not None:
        unused = {"--method": method is not None, "--option": solver.options(workers).chosen, "--stats": stats}
        unused |= {"--compare": compare, "--add": add is not None, "-o": to_file.output != "-"}
        options.refuse_given(unused | {"--resume": to_file.resume}, "with --objective")
        raise typer.Exit(_write_best(source, objective, form, to, limits.limits(), work.pool()))
    fields = FIELDS | {"solution": str, **({"compared": str} if compare else {}), "reason": str, **STATS}
    with opened(add, fields, source, to_file) as (journal, table):
        method = method or (AUTO if workers is None and solver.seed is None else "cp-sat")
        stats = options.has_stats(stats, method, add)
        pool = work.pool(workers or 1)
        question = BatchQuestion(method, limits.limits(), solver.options(workers), True, pool, stats=stats)
        comparison = None
        if compare:
            comparison = Comparison(outcome)
        # A solution needs no remark on how it was found.
        choices = Choices(lambda event: False, stats)
        records = Records(source, outcome, True, form, to, journal, comparison, table, stats)
        records.write_all(source.located(), question, choices)
    raise typer.Exit(outcome.status(source))


def _write_best(source: PuzzleInput, objective: str, form: str, to: str | None, limits: "Limits", pool: "Pool") -> int:
    """Write the best solution of each puzzle, and return the exit status."""
    from sudoku_encode.questions.objectives import ObjectiveQuestion
    from sudoku_encode.report.solutions import ObjectiveReport
    from sudoku_encode.run.asking import ask_each

    question = ObjectiveQuestion(objective)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer[Optimum]]]":
        return ask_each(question, required(puzzles), limits, pool)

    def required(puzzles: "Iterator[Numbered]") -> "Iterator[Numbered]":
        for item in puzzles:
            question.require(item[1])
            yield item

    return ObjectiveReport(source, form, to, objective).write(source.answered(ask))
