"""The thesis chapter on GTSPS, refereed: its example, its claims, its costs, other solvers, its tables."""

from sudoku_encode.reproduce.finding import Paper
from sudoku_encode.reproduce.gtsps import compared, costs, example, figures, solutions, steps, tables

PAPER = Paper(
    "gtsps",
    "A Novel Graph Theoretic Sudoku Solver",
    "chapter 4 of a thesis; its author and year are not in the text at hand",
    "A vertex for each way to fill a minigrid by the clues alone, an edge where two of a row or column of minigrids "
    "match: the rook's graphs in it are the solutions. Compared with brute force and with solvers that do not guess.",
    (
        *(*example.CHECKS, *steps.CHECKS, *solutions.CHECKS, *costs.CHECKS),
        *(*figures.CHECKS, *tables.CHECKS, *compared.CHECKS),
    ),
)
