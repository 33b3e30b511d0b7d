"""The figures of `rate`: what each is called, what it says, and where it is measured.

To add one: write a function from `Asked` and a deadline to a `Figure` (see `asked`), and its row here. Light: what
lists the figures loads none of the modules that measure.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import brief, by_name


class FigureRow(NamedTuple):
    """A row of the table.

    Attributes:
        name: what it is called.
        says: what it is, in one line.
        module: which has the function, in this package.
        function: its name there.
        of_none: whether it means something of a puzzle without a solution too.
        of_copies: whether it is a median over copies of the puzzle.
        of_constraints: whether it means something of a puzzle with constraints besides units too.
    """

    name: str
    says: str
    module: str
    function: str
    of_none: bool = False
    of_copies: bool = False
    of_constraints: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


FIGURES = by_name(
    FigureRow(
        *("technique", "the hardest technique of `hint --all`, by its number there", "by_hand", "technique"),
        of_constraints=True,
    ),
    FigureRow("steps", "how many steps `hint --all` takes", "by_hand", "steps", of_constraints=True),
    FigureRow(
        "nodes", "nodes of a search tree of singles and guesses, the median over copies", "tree", "nodes", True, True
    ),
    FigureRow("conflicts", "conflicts of a SAT solver, the median over copies", "conflicts", "conflicts", True, True),
    FigureRow("backdoor", "the fewest blanks that, once filled, leave nothing but singles", "backdoor", "backdoor"),
)
"""The figures of `rate`, by name.

>>> FIGURES["backdoor"].of_none
False
"""
# What a range of `generate --rating` without a name is of.
DEFAULT_FIGURE = "nodes"
COPIES = 100
