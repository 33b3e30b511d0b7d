"""A step as text: a sentence, and the board with small digits in which the step is marked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudoku_encode.cli.streams import has_lines
from sudoku_encode.questions.techniques.table import TECHNIQUES

if TYPE_CHECKING:
    from sudoku_encode.questions.hinting import Hint, SolvePath

LEGEND = "*: what the step is about; -4: goes; +4: is placed"


def drawing(hint: "Hint") -> str:
    """Return the board before a step: its cells have a star, a minus is before what goes, a plus before what comes."""
    import numpy as np

    from sudoku_encode.render.text import draw

    board = hint.puzzle.geometry
    gone, placed = set(hint.removes), set(hint.places)
    gap = "," if board.n_values > 9 else ""
    texts = {}
    for cell in {cell for cell, _ in gone | placed}:
        marked = [
            f"{'+' if (cell, value) in placed else '-' if (cell, value) in gone else ''}{value}"
            for value in (np.flatnonzero(hint.candidates[cell]) + 1).tolist()
        ]
        texts[cell] = gap.join(marked)
    cells = sorted(set(hint.cells))
    text = draw(board, hint.values, candidates=hint.candidates, ascii=not has_lines(), marked=cells, texts=texts)
    return f"{text}\n{LEGEND}"


def table() -> Iterator[str]:
    """Yield a line for each technique, from simple to hard."""
    rows = TECHNIQUES.values()
    names, families = max(len(row.name) for row in rows), max(len(row.family) for row in rows)
    for row in rows:
        unique = " Only with --assume-unique." if row.assumes_unique else ""
        yield f"{row.name:<{names}}  {row.family:<{families}}  {row.says}{unique}"


def end(found: "SolvePath") -> str:
    """Return the board as the steps leave it."""
    from sudoku_encode.render.text import draw

    candidates = found.left if found.n_blanks else None
    return draw(found.puzzle.geometry, found.values, candidates=candidates, ascii=not has_lines())
