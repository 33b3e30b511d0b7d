"""The tables of samplers and figures. Imports nothing heavy: --help reads this."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from sudoku_encode.puzzles.table import brief, by_name

if TYPE_CHECKING:
    from sudoku_encode.questions.figures import Figure, FigureContext
    from sudoku_encode.run.limits import Deadline

# `walk` does not draw uniformly; each of the others draws every solution with the same probability.
SAMPLERS: Mapping[str, str] = {
    "auto": "listing if that is quick, else frontier, else parts",
    "listing": "from a list of all solutions",
    "frontier": "from tables of states with the numbers of their completions",
    "parts": "from the numbers of solutions of smaller and smaller sub-puzzles",
    "walk": "NOT uniform: random steps between neighbouring solutions, with a SAT solver",
}
NOT_UNIFORM = "walk"
# The objectives of `solve`, with their meanings.
FIRST, LAST, LEAST, MOST, KEEP = "first", "last", "min", "max", "keep"
OBJECTIVES: Mapping[str, str] = {
    FIRST: "the first solution in lexicographic order",
    LAST: "the last solution",
    f"{LEAST} CELLS": "the least sum of these cells",
    f"{MOST} CELLS": "the largest sum of these cells",
    KEEP: "a solution of the puzzle without some givens, as few as possible",
}


class MeasureFigure(Protocol):
    """The function of a figure, in `questions.figures`."""

    def __call__(self, context: "FigureContext", deadline: "Deadline") -> "Figure":
        """Measure the figure of a puzzle.

        Raises:
            StoppedError: by the deadline.
        """


class FigureKind(NamedTuple):
    """A row of the table of figures. To add one, write its function in `questions.figures` and a row here.

    Attributes:
        name: of the figure.
        says: what it is, in one line.
        function: its name in `questions.figures`, a `MeasureFigure`.
        of_none: whether the figure has a meaning for a puzzle without a solution too.
        of_copies: whether it is a median over copies of the puzzle.
        of_constraints: whether it has a meaning for a puzzle with constraints besides units too.
        by_hand: whether it comes from the steps of solving by hand.
    """

    name: str
    says: str
    function: str
    of_none: bool = False
    of_copies: bool = False
    of_constraints: bool = False
    by_hand: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)

    def load(self) -> MeasureFigure:
        """Return the function that measures the figure."""
        return cast(MeasureFigure, getattr(import_module("sudoku_encode.questions.figures"), self.function))


FIGURES = by_name(
    FigureKind(
        "technique",
        "the hardest technique of `hint --all`, by its number there",
        "technique",
        of_constraints=True,
        by_hand=True,
    ),
    FigureKind("steps", "the number of steps of `hint --all`", "steps", of_constraints=True, by_hand=True),
    FigureKind(
        "nodes",
        "nodes of a search tree of singles and guesses, the median over copies",
        "nodes",
        True,
        True,
    ),
    FigureKind("conflicts", "conflicts of a SAT solver, the median over copies", "conflicts", True, True),
    FigureKind("backdoor", "the smallest number of blanks to fill so that singles solve the rest", "backdoor"),
    FigureKind(
        "score",
        "the sum of the weights of all steps, as in HoDoKu",
        "score",
        of_constraints=True,
        by_hand=True,
    ),
)
"""The figures of `rate`, by name.

>>> FIGURES["backdoor"].of_none
False
"""
# The figure of a range of `generate --rating` without a name.
DEFAULT_FIGURE = "nodes"
COPIES = 100
