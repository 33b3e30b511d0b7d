"""The command show."""

from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.cli.streams import has_lines
from sudoku_encode.puzzles.rules import EXTRA_RULES

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def command(
    given: options.PuzzleOptions,
    *,
    candidates: Annotated[
        bool,
        typer.Option(
            "--candidates", help="Show in each blank which values the givens leave; a single one is in brackets."
        ),
    ] = False,
    axis: Annotated[
        str | None,
        typer.Option(
            help="The axis along which the layers of a cube are drawn, by default x.",
            show_default=False,
            **options.one_of(("x", "y", "z")),
        ),
    ] = None,
    ascii: Annotated[
        bool, typer.Option("--ascii", help="Draw lines with +, - and |, as where a terminal has no others.")
    ] = False,
) -> None:
    """Draw each puzzle or solution, with borders around its boxes or regions; a cube layer by layer.

    Above each layer of a cube stands which it is, from 0 as in the names of cells, and which axes go down and across.
    Blanks of a puzzle with pencilmarks show these. To write grids that can be read back, see `convert --to grid`.
    """
    from sudoku_encode.render.text import draw

    source, plain = PuzzleInput(given), ascii or not has_lines()
    for number, puzzle in source.puzzles():
        if source.many:
            print(f"# puzzle {number}{': ' + puzzle.name if puzzle.name else ''}")
        marks = _marks(puzzle, candidates, prefix(number, source))
        print(draw(puzzle.geometry, puzzle.givens, candidates=marks, axis=axis, ascii=plain))
        for rule in EXTRA_RULES.values():
            if set(rule.names) & set(puzzle.geometry.rule_names):
                print(f"and {rule.summary}")
    raise typer.Exit(Outcome().status(source))


def _marks(puzzle: "Puzzle", wanted: bool, before: str) -> "Candidates | None":
    """Return the candidates to be drawn, if there are any; what contradicts itself is remarked after `before`."""
    if not wanted:
        return None if puzzle.pencilmarks is None else puzzle.candidates
    from sudoku_encode.encoders.reduction import reduce

    reduced = reduce(puzzle, "givens")
    if reduced.contradiction:
        remark(f"{before}{reduced.contradiction}")
    return reduced.candidates
