"""The table of boards that are several squares, which share cells where they lie on each other.

It loads nothing until such a board is asked for. To add one: write where its squares begin.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief


class Overlap(NamedTuple):
    """A row of the table.

    Attributes:
        summary: what it is, in a few words.
        squares: a board, `@`, and the row and column where each copy of it begins, counted from 0: what the name is
            short for.
    """

    summary: str
    squares: str

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


OVERLAPS = Table(
    {
        "samurai": Overlap("five 9x9, one in the middle of four", "9x9@0,0;0,12;6,6;12,0;12,12"),
        "twodoku": Overlap("two 9x9 that share a box", "9x9@0,0;6,6"),
        "gattai-3": Overlap("three 9x9, one above two", "9x9@0,6;6,0;6,12"),
        "sohei": Overlap("four 9x9 in a ring", "9x9@0,6;6,0;6,12;12,6"),
        "butterfly": Overlap("four 9x9 in a 12x12 square", "9x9@0,0;0,3;3,0;3,3"),
        "shogun": Overlap("eleven 9x9 in three rows", "9x9@0,0;0,12;0,24;0,36;6,6;6,18;6,30;12,0;12,12;12,24;12,36"),
    }
)
"""Boards of several squares that have a name.

>>> OVERLAPS["twodoku"].squares
'9x9@0,0;6,6'
"""
