"""The command check: whether puzzles are unique, and the details for setters."""

from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.report.reading import PuzzleInput

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.questions.checking import CheckQuestion


class CheckOptions(NamedTuple):
    """Options for the details."""

    minimize: Annotated[
        bool,
        typer.Option(
            "--minimize",
            help="For a unique puzzle, also print a minimal one: givens are removed until each is needed.",
        ),
    ] = False
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The seed for the order in which --minimize removes givens, by default 0. Another seed may give "
            "another puzzle.",
            show_default=False,
        ),
    ] = None
    towards: Annotated[
        str | None,
        typer.Option(
            metavar="SOLUTION",
            help="For a puzzle with several solutions, the one that extra givens should leave: a file or the text. By "
            "default the first one found.",
            show_default=False,
        ),
    ] = None
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="For a puzzle without a solution, write a certificate that the clashing givens have none; see "
            "`prove`.",
            show_default=False,
        ),
    ] = None
    clashes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="For a puzzle without a solution, list up to this number of clashes of givens, units and constraints."
            "\n\nA clash is a set of these that leaves no solution, but does if any of them is left out. A smallest "
            "clash comes first.",
            show_default=False,
        ),
    ] = None
    details: Annotated[bool, typer.Option("--details", help="Print the full report for each of many puzzles.")] = False


def command(
    given: options.PuzzleOptions,
    *,
    own: CheckOptions,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    add: options.Add = None,
    work: options.WorkOptions,
) -> None:
    """Check whether each puzzle has one solution, several or none, and report redundant, missing or clashing givens.

    For many puzzles, one word per puzzle is printed, unless --details is given. The exit status is 0 if all puzzles are
    unique, 1 if one is not, and 3 if that is not known.

    Details:

    The report on a puzzle with one solution lists the givens and constraints that are redundant, one at a time. For
    several solutions it shows two of them with their differences, the number of solutions if it is quick to count, and
    extra givens that make the puzzle unique. For no solution it lists clashing givens. The search for as few givens as
    possible ends after --timeout, by default ten seconds; only a proved minimum is called the fewest.
    """
    if own.seed is not None and not own.minimize:
        raise SudokuError("--seed has no effect without --minimize")
    from sudoku_encode.methods.answers import BatchQuestion, answers
    from sudoku_encode.methods.options import Options
    from sudoku_encode.report.setters import CheckReport
    from sudoku_encode.run.asking import ask_each
    from sudoku_encode.run.events import emit

    source, form = PuzzleInput(given), options.record_form(as_json, as_csv, add=add)
    located = source.located()
    first = next(located)
    located, is_detailed = chain([first], located), own.details or not source.many
    for name, value in (
        ("--minimize", own.minimize),
        ("--towards", own.towards),
        ("--prove", own.prove),
        ("--clashes", own.clashes),
    ):
        if value and not is_detailed:
            raise SudokuError(f"{name} is for one puzzle, or for many with --details")
    if not is_detailed:
        request = BatchQuestion("auto", limits.limits(2), Options(), pool=work.pool())
        report = CheckReport(source, form)
        report.add_columns(add)
        verdicts = answers(report.begun(located), request, lambda item, event: emit(event))
        raise typer.Exit(report.write_words(verdicts))
    if own.towards is not None and source.many:
        raise SudokuError("--towards is for one puzzle: another has other solutions")
    question = _question(first, (own.seed or 0) if own.minimize else None, own.towards)
    question = replace(question, clashes=own.clashes or 0)
    report = CheckReport(source, form, question, own.prove, limits.limits())
    report.add_columns(add)
    ask = partial(ask_each, question, limits=limits.limits(), pool=work.pool())
    raise typer.Exit(report.write(report.answered(ask, located)))


def _question(first: "SourceItem", seed: int | None, towards: str | None) -> "CheckQuestion":
    """Return the question; with --towards, `first` is the only puzzle, and the solution must be a grid of its board."""
    from sudoku_encode.formats.reading import read
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.checking import CheckQuestion

    puzzle = next(first.singles()).entry.content
    if towards is None or not isinstance(puzzle, Puzzle):
        return CheckQuestion(seed)
    return CheckQuestion(seed, read(towards, board=puzzle.geometry).givens)
