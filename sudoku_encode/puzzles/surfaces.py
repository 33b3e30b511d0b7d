"""The table of boards that are surfaces: squares of cells that meet at edges, with lines that run over the edges.

It loads nothing until such a board is asked for. To add one: write the function that its row names in `folding.py`.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief


class Surface(NamedTuple):
    """A row of the table.

    Attributes:
        summary: what it is, in a few words.
        example: what may follow the colon in a board's name.
        folded: the function in `folding` that makes it of the text after the colon.
    """

    summary: str
    example: str
    folded: str

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


SURFACES = Table(
    {
        "corner": Surface("three faces of a cube, lines over two of them", "4", "corner"),
        "isodoku": Surface("stacked cubes in a corner, their heights as digits", "321211111", "isodoku"),
        "sudokube": Surface("six faces of a cube, lines around it", "4", "sudokube"),
    }
)
"""The boards that are surfaces, by the name that comes before the colon in a board's name.

>>> SURFACES["corner"].summary
'three faces of a cube, lines over two of them'
"""
