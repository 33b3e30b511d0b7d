"""The table of forms that a picture can be drawn in. It loads nothing until a form is used."""

from typing import NamedTuple

from sudoku_encode.puzzles.table import brief, by_name


class DrawingForm(NamedTuple):
    """A row of the table.

    Attributes:
        name: as in `--to`.
        summary: what it is, in a few words.
        suffix: of its files.
        module: whose function `drawn` takes pictures and `Details`, and returns text or bytes.
        is_bytes: whether it returns bytes.
        many: whether several pictures go into one file.
        details: the fields of `Details` that it uses.
    """

    name: str
    summary: str
    suffix: str
    module: str
    is_bytes: bool = False
    many: bool = False
    details: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


DRAWINGS = by_name(
    DrawingForm(
        "text",
        "lines and letters, for a terminal",
        ".txt",
        "sudoku_encode.render.text",
        many=True,
        details=frozenset({"ascii", "coloured"}),
    ),
    DrawingForm("svg", "a picture of lines and texts, for pages", ".svg", "sudoku_encode.render.svg"),
    DrawingForm("png", "a picture of pixels", ".png", "sudoku_encode.render.png", is_bytes=True),
    DrawingForm(
        "pdf",
        "sheets to be printed",
        ".pdf",
        "sudoku_encode.render.pdf",
        is_bytes=True,
        many=True,
        details=frozenset({"per_page", "paper", "answers"}),
    ),
    DrawingForm("tikz", "a LaTeX document, a page a picture", ".tex", "sudoku_encode.render.tikz", many=True),
    DrawingForm("html", "a page for a browser", ".html", "sudoku_encode.render.html", many=True),
)
"""The forms of `draw` and `show --to`, by their names.

>>> DRAWINGS["svg"].suffix
'.svg'
"""
