"""The names of the rules, and the table of those that a square may have besides its own.

It loads nothing until a board needs a rule.
"""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from sudoku_encode.puzzles.table import Table, brief

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Rule

SQUARE_RULES = ("row", "column", "box")
CUBE_RULES = ("row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz")
SURFACE_RULES = ("line", "box", "hoop", "face")


class ExtraRule(NamedTuple):
    """A row of the table.

    Attributes:
        summary: what it asks for, in a few words.
        module: whose function `rules` takes the side of the board and returns a list of `Rule`.
        names: of these rules, each once.
    """

    summary: str
    module: str
    names: tuple[str, ...]

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


EXTRA_RULES = Table(
    {
        "diagonals": ExtraRule(
            "both long diagonals", "sudoku_encode.puzzles.extra.diagonals", ("diagonal", "antidiagonal")
        ),
        "windoku": ExtraRule(
            "windows as large as boxes, a line apart", "sudoku_encode.puzzles.extra.windoku", ("window",)
        ),
    }
)
"""The rules that a square may have besides its own, by the name that follows the + in a board's name: lower case
letters, and hyphens between them.

>>> EXTRA_RULES["diagonals"].summary
'both long diagonals'
"""


def extra_rules(name: str, n: int) -> "list[Rule]":
    """Return what an extra rule adds to the n x n board.

    Args:
        name: a key of EXTRA_RULES.
        n: the side.

    Raises:
        GeometryError: the rule is not for this side.
    """
    made: list[Rule] = import_module(EXTRA_RULES[name].module).rules(n)
    return made
