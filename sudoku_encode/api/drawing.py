"""Pictures of puzzles and solutions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from sudoku_encode.api.arguments import check_arguments
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import SudokuError, short
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.questions.hinting import Hint
from sudoku_encode.questions.true_candidates import TrueCandidates
from sudoku_encode.render.drawing import Drawing, drawing
from sudoku_encode.render.picture import CellName, Marks, Picture, marked, picture

# The cells of a long chain are cut off in the name of its picture.
_MAX_NAME = 80


@check_arguments
def draw(
    puzzle: PuzzleLike | TrueCandidates | Hint,
    form: str = "svg",
    *,
    solution: PuzzleLike | None = None,
    candidates: Candidates | bool = False,
    cells: str | Iterable[CellName] = (),
    units: str | Iterable[str] = (),
    against: PuzzleLike | None = None,
    axis: str | None = None,
    title: str = "",
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Drawing:
    """Draw a puzzle, a solution, true candidates or a step of `hint`.

    True candidates are fainter if fewer solutions contain them.

    Args:
        puzzle: the puzzle to draw. A Grid is drawn as a solution, without
            givens.
        form: a key of DRAWINGS: svg, png, pdf, tikz, html or text.
        solution: a grid whose digits are drawn differently from the givens; an
            html page shows it on demand.
        candidates: True for the candidates left by the givens, as small digits,
            or bool (n_cells, n_values) for others.
        cells: cells to highlight: names such as `r1c3`, numbers, or coordinates
            from 0.
        units: units to highlight, by name and number from 1: `row 3`, `box 1`;
            on a cube `box-xy 12`.
        against: another grid; cells with different values are framed and show
            its value too.
        axis: x, y or z: the axis along which a cube is cut into layers; by
            default x.
        title: the title above the picture.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        SudokuError: not a puzzle; an argument does not fit its board; or a
            library for the form is missing.

    >>> drawing = draw("1...............", board="4x4", cells=["r1c1"], units=["row 1"])
    >>> drawing.form, str(drawing).count("<text")
    ('svg', 1)
    """
    if isinstance(puzzle, (TrueCandidates, Hint)):
        others = {"solution": solution, "candidates": candidates, "against": against, "board": board, "rules": rules}
        if unused := [name for name, value in others.items() if value is not None and value is not False]:
            raise SudokuError(
                f"{' and '.join(unused)} cannot be combined with a {type(puzzle).__name__}, which contains its own "
                "puzzle and candidates"
            )
        plain = picture_of_hint(puzzle) if isinstance(puzzle, Hint) else picture_of_candidates(puzzle)
        return drawing([marked(plain, cells, units, axis, title)], form)
    parsed = as_puzzle(puzzle, board, rules)
    if isinstance(puzzle, Grid):
        parsed, solution = Puzzle.of(parsed.geometry), puzzle if solution is None else solution
    if candidates is True:
        candidates = reduce(lower_puzzle(parsed).puzzle, "givens").candidates[: parsed.geometry.n_cells]
    plain = picture(
        parsed,
        solution=None if solution is None else as_puzzle(solution, parsed.geometry).givens,
        candidates=None if candidates is False else candidates,
        against=None if against is None else as_puzzle(against, parsed.geometry).givens,
    )
    return drawing([marked(plain, cells, units, axis, title)], form)


def picture_of_candidates(candidates: TrueCandidates) -> Picture:
    """Return a picture of true candidates; the digit is large in a cell with only one."""
    single = candidates.seen.sum(axis=1) == 1
    values = np.where(single, candidates.seen.argmax(axis=1) + 1, 0)
    total = 0 if candidates.total is None else candidates.total.value
    drawn = picture(
        candidates.puzzle, solution=values, candidates=candidates.seen, shares=candidates.shares, total=total
    )
    return replace(drawn, name=f"True candidates of {drawn.label}")


def picture_of_hint(hint: Hint) -> Picture:
    """Return a picture of a step, with its cells and candidates marked and removed candidates struck out."""
    # Hidden cells are not in the picture.
    n_cells = hint.puzzle.geometry.n_cells
    candidates = (
        frozenset(candidate for candidate in marked if candidate[0] < n_cells)
        for marked in (hint.pattern, hint.removes, hint.places)
    )
    marks = Marks(frozenset(cell for cell in hint.cells if cell < n_cells), *candidates)
    drawn = picture(hint.puzzle, solution=hint.values, candidates=hint.candidates, marks=marks)
    return replace(drawn, name=short(str(hint).partition(": ")[0], _MAX_NAME), text=f"{hint}.")
