"""The command rate: the difficulty of puzzles."""

from functools import partial
from typing import Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.questions.table import COPIES, FIGURES
from sudoku_encode.report.reading import PuzzleInput


class RateOptions(NamedTuple):
    """The figures and how they are measured."""

    figure: Annotated[
        list[str] | None,
        typer.Option(
            help="Compute only this figure; may be repeated. By default all: "
            + "; ".join(f"{row.name}, {row.says}" for row in FIGURES.values())
            + ".",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None
    sort: Annotated[
        str | None,
        typer.Option(
            help="Sort many puzzles by this figure after all are rated.\n\nPuzzles without a value come last. By "
            "default each puzzle is printed in its place as soon as it is rated.",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None
    copies: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help=f"Number of relabelled and permuted copies for the medians; by default {COPIES}.",
            show_default=False,
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**32 - 1, help="The seed of the copies; by default 0.", show_default=False),
    ] = None


def command(
    given: options.PuzzleOptions,
    *,
    own: RateOptions,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    add: options.Add = None,
    work: options.WorkOptions,
) -> None:
    """Measure the difficulty of each puzzle by several figures.

    To sort puzzles from easy to hard: `rate many.sdm --figure technique --sort technique`.

    The exit status is 0 if all puzzles are unique, 1 if one is not, and 3 if a figure was not finished in time.

    Details:

    The difficulty is a word from easy to diabolical: that of the hardest technique needed, as `hint --techniques` lists
    it, or `beyond` if the techniques do not solve the puzzle. The figure technique is like the rating of Sudoku
    Explainer, and score is like the score of HoDoKu, but each has its own scale.

    The figures are the hardest technique, the number of steps to solve the puzzle by hand, and the sum of their
    weights; the nodes of a search and the conflicts of a SAT solver until the puzzle is proved unique, each the median
    over disguised copies of it; and the fewest blanks that, once filled, leave only singles. For a puzzle with several
    solutions they are meaningless and not printed. For a puzzle without a solution, nodes and conflicts are those of
    the proof. For a puzzle with constraints only the technique, the steps and the score are known.
    """
    from sudoku_encode.questions.rating import RateQuestion
    from sudoku_encode.report.setters import RateReport
    from sudoku_encode.run.asking import ask_each

    form = options.record_form(as_json, as_csv, add=add)
    names = tuple(name for name in FIGURES if own.figure is None or name in own.figure)
    if own.sort is not None and own.sort not in names:
        raise SudokuError(f"--sort {own.sort}: this figure is not computed; add --figure {own.sort}")
    if own.sort is not None and add is not None:
        raise SudokuError("--sort has no effect with --add, which keeps the order of the table")
    for name, value in (("--copies", own.copies), ("--seed", own.seed)):
        if value is not None and not any(FIGURES[name].of_copies for name in names):
            raise SudokuError(f"{name} has no effect on {' and '.join(names)}, measured without copies")
    question, source = RateQuestion(names, own.copies or COPIES, own.seed or 0), PuzzleInput(given)
    report = RateReport(source, form, names, own.sort)
    report.add_columns(add)
    ask = partial(ask_each, question, limits=limits.limits(), pool=work.pool())
    raise typer.Exit(report.write(report.answered(ask)))
