"""The command explain: the steps of a published method."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import each_of
from sudoku_encode.errors import SudokuError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark

if TYPE_CHECKING:
    from sudoku_encode.puzzles.step import Step
    from sudoku_encode.run.asking import Answer, Numbered

_PAGE = "html"
_FORMS = tuple(dict.fromkeys(["text", _PAGE, *(form for method in METHODS.values() for form in method.drawings)]))


class ExplainOptions(NamedTuple):
    """Options for the method and the output."""

    method: Annotated[
        str | None,
        typer.Option(
            help="A method that shows its steps (`sudoku-encode methods NAME` tells). By default one that fits the "
            "first puzzle's board.",
            show_default=False,
            autocompletion=each_of(name for name, method in METHODS.items() if method.explains),
        ),
    ] = None
    to: Annotated[
        str,
        typer.Option(
            help="The form of the output: text; html, a page that plays the steps; for gtsps-4.1 its graph as dot, "
            "graphml or svg, for gtsps-4.2 as svg; for jana2021 and jana2023-v1 the search tree as dot or svg.",
            **options.one_of(_FORMS),
        ),
    ] = "text"
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="The file for the page of --to html; for many puzzles a folder, such as pages/. By default standard "
            "output (-).",
            show_default=False,
        ),
    ] = "-"


def command(
    given: options.PuzzleOptions,
    *,
    own: ExplainOptions,
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Show a published method at work on each puzzle: its candidates, its steps, the width of its search.

    With --json, each step is a record, including steps that are too many for text. If a puzzle provably has no
    solution, the exit status is 1, and the last step names the cells that show it.

    docs/papers.md lists the command for each figure of the papers. The figures of Jana et al. 2023 use four of the six
    rules: `--rules row-z,box-xy,box-xz,box-yz`.
    """
    from sudoku_encode.methods.calls import default_explainer
    from sudoku_encode.methods.limited_calls import ExplainQuestion
    from sudoku_encode.report.steps import Pages, StepReport
    from sudoku_encode.run.asking import ask_each

    if as_json and own.to != "text":
        raise SudokuError(f"--json is for steps, which --to {own.to} does not print: leave out one of them")
    if own.output != "-" and own.to != _PAGE:
        raise SudokuError(
            f"-o is only for the page of --to {_PAGE}; the output of --to {own.to} goes to standard output"
        )
    source = PuzzleInput(given)
    pages = Pages(own.output, source.inputs) if own.to == _PAGE else None
    # A page consists of the steps that are also printed as text.
    form = "text" if pages else own.to
    report = StepReport(source, "json" if as_json else form, pages)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer[Step]]]":
        puzzles = _with_values_from_one(puzzles)
        head = list(islice(puzzles, 1))
        report.method = own.method or (default_explainer(head[0][1].geometry, form) if head else "")
        if own.method is None:
            report.first_remark = f"by {report.method}, since no --method is given"
        if pages:
            pages.check(source.many)
        question = ExplainQuestion(report.method, form)
        return ask_each(question, chain(head, puzzles), limits.limits(), on_event=report.observe) if head else iter(())

    raise typer.Exit(report.write(source.answered(ask)))


def _with_values_from_one(puzzles: "Iterator[Numbered]") -> "Iterator[Numbered]":
    """Yield each puzzle with values from 1, as published methods have them."""
    for number, puzzle in puzzles:
        if not puzzle.geometry.first:
            remark(f"puzzle {number}: explained with values from 1, each 1 higher than on {puzzle.geometry.name}")
        yield number, puzzle.from_one
