"""The figures that the papers print, drawn by the methods themselves, with what is to be compared."""

from functools import cache
from typing import NamedTuple

import sudoku_encode as se
from sudoku_encode.reproduce import puzzles

# The rules under which Jana et al. 2023 print their figures, and the path of their example.
_FOUR_RULES, _TABLE_2 = "row-z,box-xy,box-xz,box-yz", "papers/jana-2023-table-2.txt"


class Figure(NamedTuple):
    """A figure of a paper that a command draws.

    Attributes:
        number: as the paper has it.
        what: it shows, in a sentence.
        compare: what is to be compared, in a sentence.
        file: the puzzle, in the folder of instances.
        method: which draws it.
        rules: those that are kept; empty for all of the board.
    """

    number: str
    what: str
    compare: str
    file: str
    method: str
    rules: str = ""

    @property
    def command(self) -> str:
        """The command that draws it, in a folder that has the instances."""
        rules = f" --rules {self.rules}" if self.rules else ""
        return f"sudoku-encode explain instances/{self.file} --method {self.method}{rules} --to svg"

    def draw(self) -> str:
        """Return the picture as SVG."""
        (puzzle,) = puzzles.read(self.file)
        rules = self.rules.split(",") if self.rules else None
        return "\n".join(step.text for step in se.explain(puzzle, self.method, to="svg", rules=rules))


FIGURES: dict[str, tuple[Figure, ...]] = {
    "jana2023": (
        Figure(
            "Fig. 11",
            "The linked list of Table 2 in scan order, drawn as the search tree that it holds.",
            "The paper's has the same values from left to right; ours has also the branches that end.",
            _TABLE_2,
            "jana2021",
            _FOUR_RULES,
        ),
        Figure(
            "Fig. 12",
            "The same after the five constraints, blanks sorted by their number of candidates.",
            "Both end in two solutions; the yellow branches are those of Table 3.",
            _TABLE_2,
            "jana2023-v1",
            _FOUR_RULES,
        ),
    ),
    "gtsps": (
        Figure(
            "Figs. 4.3, 4.5 and 4.6",
            "The graph G of Fig. 4.2: a vertex for each valid permutation, named as in Fig. 4.2.",
            "Fig. 4.3 is all of it, Fig. 4.5 all but what is grey, Fig. 4.6 all but what is grey or orange. The paper "
            "stacks the minigrids in nine levels; here they lie as on the board.",
            "papers/gtsps-fig-4.2.ss",
            "gtsps-4.1",
        ),
    ),
}
"""The figures of each paper that has some which a command draws."""


@cache
def figures_of(key: str) -> tuple[tuple[Figure, str], ...]:
    """Return the figures of a paper, each with its picture as SVG; none of a paper that has none."""
    return tuple((figure, figure.draw()) for figure in FIGURES.get(key, ()))
