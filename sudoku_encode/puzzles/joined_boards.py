"""The tables of boards that are joined: surfaces, whose squares meet at edges, and squares that overlap.

It loads nothing until such a board is asked for. To add a surface, write the function that its row names in
`folding.py`; its lines run over the edges. To add overlapping squares, write where they begin.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief


class Surface(NamedTuple):
    """A row of the table."""

    summary: str  # a description in a few words
    example: str  # a text that may follow the colon in a board's name
    folded: str  # the function in `folding` that makes it from the text after the colon

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


SURFACES = Table(
    {
        "corner": Surface("three faces of a cube; each line runs over two", "4", "corner"),
        "isodoku": Surface("stacked cubes in a corner, their heights as digits", "321211111", "isodoku"),
        "sudokube": Surface("six faces of a cube, lines around it", "4", "sudokube"),
    }
)
"""The boards that are surfaces, by the name that comes before the colon in a board's name.

>>> SURFACES["corner"].summary
'three faces of a cube; each line runs over two'
"""


class Overlap(NamedTuple):
    """A row of the table."""

    summary: str  # a description in a few words
    # A board, `@`, and the row and column where each copy of it begins, counted from 0: what the name is short for.
    squares: str

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


OVERLAPS = Table(
    {
        "samurai": Overlap("five 9x9, one in the middle of four", "9x9@0,0;0,12;6,6;12,0;12,12"),
        "twodoku": Overlap("two 9x9 that share a box", "9x9@0,0;6,6"),
        "gattai-3": Overlap("three 9x9 around a box that all share", "9x9@0,3;3,6;6,0"),
        "sohei": Overlap("four 9x9 in a ring", "9x9@0,6;6,0;6,12;12,6"),
        "butterfly": Overlap("four 9x9 in a 12x12 square", "9x9@0,0;0,3;3,0;3,3"),
        "flower": Overlap("five 9x9 in a 15x15 square without its corners", "9x9@0,3;3,0;3,3;3,6;6,3"),
        "kazaguruma": Overlap("five 9x9 as a windmill", "9x9@0,3;3,12;6,6;9,0;12,9"),
        "shogun": Overlap("eleven 9x9 in three rows", "9x9@0,0;0,12;0,24;0,36;6,6;6,18;6,30;12,0;12,12;12,24;12,36"),
    }
)
"""Boards of several squares that have a name.

>>> OVERLAPS["twodoku"].squares
'9x9@0,0;6,6'
"""
