"""The names of the rules, and the table of those that a square may have besides its own.

The functions that make them are in `square_rules.py`, which is loaded when a board needs one.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief

SQUARE_RULES = ("row", "column", "box")
CUBE_RULES = ("row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz")
PLANE_RULES = ("plane-x", "plane-y", "plane-z")
SURFACE_RULES = ("line", "box", "hoop", "face")


class ExtraRule(NamedTuple):
    """A row of the table.

    Attributes:
        summary: its meaning, in a few words.
        names: the names of its rules, each once.
    """

    summary: str
    names: tuple[str, ...]

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


EXTRA_RULES = Table(
    {
        "diagonals": ExtraRule("both long diagonals", ("diagonal", "antidiagonal")),
        "windoku": ExtraRule("windows as large as boxes, a line apart", ("window",)),
    }
)
"""The rules that a square may have besides its own, by the name that follows the + in a board's name: lower case
letters, and hyphens between them.

>>> EXTRA_RULES["diagonals"].summary
'both long diagonals'
"""
