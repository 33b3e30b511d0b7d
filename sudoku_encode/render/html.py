"""Drawings as a page for a browser, which stands alone and follows the colours of the system, light or dark."""

from collections.abc import Sequence
from html import escape

from sudoku_encode.render.details import Details
from sudoku_encode.render.page import page
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.svg import lines


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return a page with the pictures."""
    title = next((picture.title for picture in pictures if picture.title), pictures[0].label)
    body = "\n".join(_figure(picture) for picture in pictures)
    return page(title, f"<main>\n{body}\n</main>", styles=["pictures.css"])


def _figure(picture: Picture) -> str:
    """Return a picture as it stands on a page."""
    return f'<figure aria-label="{escape(picture.label)}">\n' + "\n".join(lines(picture)) + "\n</figure>"
