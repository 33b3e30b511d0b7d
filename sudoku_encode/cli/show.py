"""The command show."""

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.reading import PuzzleInput


def command(given: options.PuzzleOptions) -> None:
    """Draw each puzzle or solution as a grid, a cube layer by layer."""
    from sudoku_encode.formats.writing import write

    source = PuzzleInput(given)
    for number, puzzle in source.puzzles():
        if source.many:
            print(f"# puzzle {number}{': ' + puzzle.name if puzzle.name else ''}")
        print(write(puzzle.geometry, puzzle.givens, "grid", pencilmarks=puzzle.pencilmarks))
    raise typer.Exit(Outcome().status(source))
