"""The command convert: puzzles in another text format."""

from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.report.reading import Outcome, PuzzleInput


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str,
        typer.Option(
            help="The format to write, such as grid, csv or f-puzzles; all: sudoku-encode info --formats.",
            **options.one_of(TEXT_FORMATS),
        ),
    ] = "line",
    output: options.Output = "-",
) -> None:
    """Write puzzles in another text format."""
    from sudoku_encode.formats.writing import write_all
    from sudoku_encode.storage import files
    from sudoku_encode.storage.outputs import refuse_inputs

    source = PuzzleInput(given)
    refuse_inputs(source.inputs, output)

    with files.writing(output) as write:
        for text in write_all((puzzle for _, puzzle in source.puzzles()), to):
            write(text.encode())
    raise typer.Exit(Outcome().status(source))
