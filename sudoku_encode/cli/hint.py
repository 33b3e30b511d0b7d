"""The command hint: the steps to solve a puzzle by hand."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.questions.techniques.table import TECHNIQUES, choose_techniques
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.report.pictures import refuse_terminal
from sudoku_encode.report.reading import PuzzleInput


def command(
    given: options.PuzzleOptions,
    *,
    every: Annotated[bool, typer.Option("--all", help="Print all steps to the solution, one per line.")] = False,
    technique: Annotated[
        list[str] | None,
        typer.Option(
            help="Use only this technique, by its name in --techniques; may be repeated.",
            show_default=False,
            **options.one_of(TECHNIQUES),
        ),
    ] = None,
    assume_unique: Annotated[
        bool,
        typer.Option("--assume-unique", help="Also use techniques that assume a unique solution."),
    ] = False,
    techniques: Annotated[
        bool,
        typer.Option(
            "--techniques", help="List the techniques instead, from simple to hard, with their numbers and difficulty."
        ),
    ] = False,
    to: Annotated[
        str, typer.Option(help="The form of the output: text or a picture.", **options.one_of(DRAWINGS))
    ] = "text",
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print the next step to solve each puzzle by hand: the simplest technique that applies, and the reason.

    To see where a puzzle gets hard, print all steps: `hint puzzle.txt --all`. To test whether a puzzle has an X-wing
    now: `hint puzzle.txt --technique X-wing`.

    The exit status is 1 if a puzzle turns out to have no solution, and 3 if no technique applies (with --all: before
    the puzzle is solved). A puzzle with several solutions always ends that way.

    Details:

    A sentence names the technique, the cells, the reason, and the removed or placed candidates. In the board below it,
    a star marks the cells of the step, a minus each removed candidate, and a plus each placed one. Steps are also valid
    for puzzles with several solutions, except those of --assume-unique.
    """
    if as_json and to != "text":
        raise SudokuError(f"--json prints steps as data, --to {to} a picture: leave out one of them")
    if techniques:
        _list_techniques(given, every or assume_unique or bool(technique) or to != "text", as_json)
        return
    if every and to != "text":
        raise SudokuError(f"--to {to} draws a single step: leave out --all")
    if technique and assume_unique:
        raise SudokuError("--assume-unique has no effect with --technique, which is used anyway")
    from sudoku_encode.questions.hinting import HintQuestion
    from sudoku_encode.report.setters import HintReport
    from sudoku_encode.run.asking import ask_each

    refuse_terminal(to)
    question = HintQuestion(tuple(choose_techniques(technique or None, assume_unique)), None if every else 1)
    source = PuzzleInput(given)
    report = HintReport(source, "json" if as_json else to, every)
    ask = partial(ask_each, question, limits=limits.limits(), pool=work.pool(), on_event=report.observe)
    raise typer.Exit(report.write(source.answered(ask)))


def _list_techniques(given: options.PuzzleOptions, others: bool, as_json: bool) -> None:
    if others or any(value is not None and value != [] for value in given):
        raise SudokuError("--techniques only lists the techniques: leave out puzzles and other options")
    for line in _records() if as_json else _table():
        print(line)


def _records() -> Iterator[str]:
    """Yield a JSON object for each technique, from simple to hard."""
    for row in TECHNIQUES.values():
        record = {"technique": row.name, "number": row.number, "difficulty": row.difficulty, "weight": row.weight}
        record |= {"family": row.family, "summary": row.says}
        yield json.dumps(record | {"of_constraints": row.of_constraints, "assumes_unique": row.assumes_unique})


def _table() -> Iterator[str]:
    """Yield a line for each technique, from simple to hard."""
    rows = TECHNIQUES.values()
    names, families, words = (
        max(map(len, column)) for column in zip(*((row.name, row.family, row.difficulty) for row in rows), strict=True)
    )
    for row in rows:
        unique = " Only with --assume-unique." if row.assumes_unique else ""
        number = f"{row.name:<{names}}  {row.number:>4g}  {row.difficulty:<{words}}"
        yield f"{number}  {row.family:<{families}}  {row.says}{unique}"
