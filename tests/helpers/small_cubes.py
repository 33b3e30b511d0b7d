"""Cubes: those of Jana et al. with any blanks, and random small ones under any rules."""

import numpy as np
from hypothesis import strategies as st

from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.rules import CUBE_RULES
from tests.helpers.known_puzzles import known
from tests.helpers.puzzles import filled

ROWS = ("row-x", "row-y", "row-z")
SMALL = filled("4x4x4")
TABLE_1 = known("papers/jana-2023-table-1.txt").puzzle.givens


def rule_sets(at_least: int = 1, at_most: int = 6) -> st.SearchStrategy[tuple[str, ...]]:
    names = st.lists(st.sampled_from(CUBE_RULES), min_size=at_least, max_size=at_most, unique=True)
    return names.map(lambda chosen: tuple(name for name in CUBE_RULES if name in chosen))


@st.composite
def cubes(draw: st.DrawFn, wrong: bool = True) -> Puzzle:
    """A 4x4x4 puzzle under some rules, now and then with a wrong given or with pencilmarks."""
    rules = draw(rule_sets())
    geometry = board("4x4x4", rules)
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = np.array([0, *(chance.permutation(4) + 1)], np.uint8)
    share = (0.4 + 0.6 * chance.random()) * (0.15 + 0.14 * len(rules))
    givens = np.where(chance.random(64) < share, 0, labels[SMALL])
    if wrong and chance.random() < 0.3:
        givens[chance.integers(64)] = chance.integers(1, 5)
    marks = chance.random((64, 4)) < 0.9 if wrong and chance.random() < 0.3 else None
    return Puzzle.of(geometry, givens, pencilmarks=marks)


def cut(rules: tuple[str, ...], n_blanks: int, seed: int) -> Puzzle:
    """Table 1 of the paper with random blanks."""
    givens = TABLE_1.copy()
    givens[np.random.default_rng(seed).permutation(729)[:n_blanks]] = 0
    return Puzzle.of(board("9x9x9", rules), givens)
