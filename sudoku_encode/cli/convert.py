"""The command convert: puzzles in another text format."""

from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.reading import Answers, Source


def convert(
    puzzle: options.PuzzleArgument = "",
    to: Annotated[options.TextName, typer.Option(help="The format to write.")] = "line",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    output: options.Output = "-",
) -> None:
    """Write puzzles in another text format."""
    from sudoku_encode.formats import write_all
    from sudoku_encode.storage import files
    from sudoku_encode.storage.outputs import refuse_inputs

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    refuse_inputs(source.inputs, output)
    with files.writing(output) as write:
        for piece in write_all((asked for _, asked in source.puzzles()), to):
            write(piece.encode())
    raise typer.Exit(source.exit_status(Answers()))
