"""The figures of the papers, drawn by the methods and from the puzzles, each with a text that says what to compare."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import sudoku_encode as se
from sudoku_encode.reproduce import puzzles

# The rules under which Jana et al. 2023 print their figures, and their example.
_FOUR_RULES, _TABLE_2 = "row-z,box-xy,box-xz,box-yz", "papers/jana-2023-table-2.txt"
_GTSPS = "papers/gtsps-fig-4.2.ss"


class Figure(NamedTuple):
    """A figure of a paper."""

    number: str  # as in the paper
    says: str  # what it shows and what to compare, in sentences
    command: str  # the command that draws it or its subject, in a folder that contains the instances
    draw: Callable[[], str]  # returns the picture, as SVG


def _explained(number: str, says: str, file: str, method: str, rules: str = "") -> Figure:
    """Return a figure that a method draws, under some or all of the board's rules."""
    rules_option = f" --rules {rules}" if rules else ""
    command = f"sudoku-encode explain instances/{file} --method {method}{rules_option} --to svg"

    def draw() -> str:
        steps = se.explain(puzzles.read(file)[0], method, to="svg", rules=rules.split(",") if rules else None)
        return "\n".join(step.text for step in steps)

    return Figure(number, says, command, draw)


def _shown(number: str, says: str, file: str) -> Figure:
    """Return a figure of a puzzle."""
    command = f"sudoku-encode show instances/{file} --to svg"
    return Figure(number, says, command, lambda: str(se.draw(puzzles.read(file)[0])))


def _solved(number: str, says: str, file: str) -> Figure:
    """Return a figure of a puzzle with its only solution."""
    command = f"sudoku-encode show instances/{file} --solution --to svg"

    def draw() -> str:
        (puzzle,) = puzzles.read(file)
        (grid,) = se.solutions(puzzle)
        return str(se.draw(puzzle, solution=grid))

    return Figure(number, says, command, draw)


def _compared(number: str, says: str, file: str, rules: str) -> Figure:
    """Return a figure of a puzzle under some rules with its two solutions, which its command lists."""
    command = f"sudoku-encode enumerate instances/{file} --rules {rules}"

    def draw() -> str:
        (puzzle,) = puzzles.read(file)
        first, second = se.solutions(puzzle, rules=rules.split(","))
        return str(se.draw(puzzle, solution=first, against=second))

    return Figure(number, says, command, draw)


FIGURES: dict[str, tuple[Figure, ...]] = {
    "jana2023": (
        _compared(
            "Tables 2 and 3",
            "The cube of Table 2, layer by layer along x, as the rows of the table are; its blanks hold solution 1 or 2"
            " of Table 3, and where the two differ the other's value is in a frame: in six cells.",
            _TABLE_2,
            _FOUR_RULES,
        ),
        _explained(
            "Fig. 11",
            "The linked list of Table 2 in scan order, drawn as the search tree that it holds. The paper's has the same"
            " values from left to right.",
            _TABLE_2,
            "jana2021",
            _FOUR_RULES,
        ),
        _explained(
            "Fig. 12",
            "The same after the five constraints, blanks sorted by their number of candidates. Both trees end in two"
            " solutions; the yellow branches are those of Table 3.",
            _TABLE_2,
            "jana2023-v1",
            _FOUR_RULES,
        ),
    ),
    "gtsps": (
        _solved(
            "Figs. 4.2 and 4.7",
            "The puzzle of 35 clues, and its only solution, in another colour: that of Fig. 4.7.",
            _GTSPS,
        ),
        _explained(
            "Figs. 4.3, 4.5 and 4.6",
            "The graph G of Fig. 4.2: a vertex for each valid permutation, named as there. Fig. 4.3 is all of it,"
            " Fig. 4.5 all but what is grey, Fig. 4.6 all but what is grey or orange. The paper stacks the minigrids in"
            " nine levels; here they lie as on the board.",
            _GTSPS,
            "gtsps-4.1",
        ),
        _shown("Fig. 4.9", "The puzzle of 32 clues and 127 solutions.", "papers/gtsps-fig-4.9.sdk"),
    ),
    "wadud": (_solved("Fig. 1", "The puzzle of 28 clues, and its solution.", "papers/uhbpnp-fig-1.txt"),),
    "block-world": (
        _shown("Fig. 1", "The puzzle of 30 clues, with which the robots begin.", "papers/block-world-fig-1.opensudoku"),
    ),
    "keck": (
        _solved(
            "Picture of the hard setting",
            "The cube of 19 givens, layer by layer, and its only solution as a Latin cube.",
            "papers/keck-hard.txt",
        ),
        _solved("Picture of a Cubic Sudoku", "The cube of 8 givens, and its only solution.", "papers/keck-cubic.txt"),
        _shown(
            "Picture of an IsoDoku",
            "The surface of 13 cubes in a corner, face by face: the picture has them as they lie in space.",
            "papers/keck-isodoku.txt",
        ),
        _solved(
            "Picture of a Sudoku Cube",
            "Three faces of a cube, each apart, and the only solution: the picture has them as they lie in space.",
            "papers/keck-sudoku-cube.txt",
        ),
    ),
}
"""The figures of each paper that can be drawn here."""


@cache
def figures_of(key: str) -> tuple[tuple[Figure, str], ...]:
    """Return the figures of a paper, each with its picture as SVG; () for a paper without figures."""
    return tuple((figure, figure.draw()) for figure in FIGURES.get(key, ()))
