"""Drawings as a page for a browser, which stands alone and follows the colours of the system, light or dark.

A cube is one to turn, unless something is marked that only its layers show.
"""

from collections.abc import Sequence
from html import escape

import numpy as np

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.render.cube_page import cube_page
from sudoku_encode.render.details import Details
from sudoku_encode.render.page import page, within
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.svg import lines


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return a page with the pictures."""
    if len(pictures) == 1 and can_turn(pictures[0]):
        return _turning(pictures[0])
    title = pictures[0].label if len(pictures) == 1 else f"{len(pictures)} pictures"
    body = "\n".join(
        within(_turning(picture), picture.label) if can_turn(picture) else _figure(picture) for picture in pictures
    )
    return page(title, f"<main>\n{body}\n</main>", styles=["pictures.css"])


def can_turn(picture: Picture) -> bool:
    """Say whether a picture is of a cube, with nothing in it that a cube to turn does not show."""
    marked = picture.cells or picture.units or picture.marks or picture.constraints or picture.others is not None
    return picture.board.is_cube and not marked and picture.shares is None and picture.axis is None


def _turning(picture: Picture) -> str:
    """Return a page with a cube to turn; without scripts it has the layers."""
    return cube_page(
        Puzzle.of(picture.board, picture.givens),
        solution=np.maximum(picture.givens, picture.values) if picture.values.any() else None,
        candidates=picture.candidates,
        title=picture.title or None,
        fallback=_figure(picture),
    )


def _figure(picture: Picture) -> str:
    """Return a picture as it stands on a page."""
    return f'<figure aria-label="{escape(picture.label)}">\n' + "\n".join(lines(picture)) + "\n</figure>"
