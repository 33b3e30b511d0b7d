"""The table of forms that a picture can be drawn in. It loads nothing until a form is used."""

from typing import NamedTuple

from sudoku_encode.puzzles.table import brief, by_name


class DrawingForm(NamedTuple):
    """A row of the table.

    Attributes:
        name: as in `--to`.
        summary: what it is, in a few words.
        suffix: of its files.
        module: whose function `drawn` takes pictures and a `Sheet`, and returns text or bytes.
        is_bytes: whether it returns bytes.
        many: whether several pictures go into one file.
    """

    name: str
    summary: str
    suffix: str
    module: str
    is_bytes: bool = False
    many: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


DRAWINGS = by_name(
    DrawingForm("svg", "a vector picture for pages and papers", ".svg", "sudoku_encode.render.svg"),
)
"""The forms of `draw` and `show --to`, by their names.

>>> DRAWINGS["svg"].suffix
'.svg'
"""
