"""Pictures of puzzles and solutions."""

from collections.abc import Iterable

import numpy as np

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.puzzles import Grid, PuzzleLike, as_puzzle
from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import SudokuError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.questions.hinting import Hint
from sudoku_encode.render.drawing import Drawing, drawing
from sudoku_encode.render.picture import CellName, Marks, Picture, marked, picture


@checked
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
    """Draw a puzzle or a solution, true candidates (fainter where fewer solutions have them), or a step of `hint`.

    Args:
        puzzle: what is drawn. A Grid is a solution: its digits are drawn as those that are no givens.
        form: a key of DRAWINGS: svg, png, pdf, tikz, html or text.
        solution: a grid, whose digits are drawn apart from the givens.
        candidates: true for small digits that the givens leave, or bool (n_cells, n_values) for others.
        cells: to highlight: names such as `r1c3`, numbers, or coordinates from 0.
        units: to highlight, by name and number from 1: `row 3`, `box 1`; on a cube `box-xy 12`.
        against: another grid; the cells where it has another value are framed, with that value.
        axis: x, y or z, along which the layers of a cube follow each other; by default x.
        title: above the picture.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        SudokuError: it is no puzzle, something is not of its board, or a library that the form needs is missing.

    >>> drawing = draw("1...............", board="4x4", cells=["r1c1"], units=["row 1"])
    >>> drawing.form, str(drawing).count("<text")
    ('svg', 1)
    """
    if isinstance(puzzle, (TrueCandidates, Hint)):
        others = {"solution": solution, "candidates": candidates, "against": against, "board": board, "rules": rules}
        if unused := [name for name, value in others.items() if value is not None and value is not False]:
            raise SudokuError(f"{' and '.join(unused)}: {type(puzzle).__name__} has its own puzzle and candidates")
        made = picture_of_hint(puzzle) if isinstance(puzzle, Hint) else picture_of_candidates(puzzle)
        return drawing([marked(made, cells, units, axis, title)], form)
    asked = as_puzzle(puzzle, board, rules)
    if isinstance(puzzle, Grid):
        asked, solution = Puzzle.of(asked.geometry), puzzle if solution is None else solution
    if candidates is True:
        candidates = reduce(lowered(asked).puzzle, "givens").candidates
    made = picture(
        asked,
        solution=None if solution is None else as_puzzle(solution, asked.geometry).givens,
        candidates=None if candidates is False else candidates,
        against=None if against is None else as_puzzle(against, asked.geometry).givens,
    )
    return drawing([marked(made, cells, units, axis, title)], form)


def picture_of_candidates(found: TrueCandidates) -> Picture:
    """Return a picture of true candidates: a cell with a single one has a large digit."""
    single = found.seen.sum(axis=1) == 1
    values = np.where(single, found.seen.argmax(axis=1) + 1, 0)
    total = 0 if found.total is None else found.total.value
    return picture(found.puzzle, solution=values, candidates=found.seen, shares=found.shares, total=total)


def picture_of_hint(hint: Hint) -> Picture:
    """Return a picture of a step: its cells and candidates are marked, what goes is struck out."""
    marks = Marks(frozenset(hint.cells), frozenset(hint.pattern), frozenset(hint.removes), frozenset(hint.places))
    return picture(hint.puzzle, solution=hint.values, candidates=hint.candidates, marks=marks)
