"""The thesis chapter on GTSPS, refereed: its example, its claims, its costs, other solvers, its tables."""

from sudoku_encode.reproduce import (
    gtsps_compared,
    gtsps_costs,
    gtsps_example,
    gtsps_figures,
    gtsps_solutions,
    gtsps_steps,
    gtsps_tables,
)
from sudoku_encode.reproduce.finding import Paper

PAPER = Paper(
    "gtsps",
    "A Novel Graph Theoretic Sudoku Solver",
    "chapter 4 of a thesis; its author and year are not in the text at hand",
    "A vertex for each way to fill a minigrid by the clues alone, an edge where two of a row or column of minigrids "
    "match: the rook's graphs in it are the solutions. Compared with brute force and with solvers that do not guess.",
    (
        *(*gtsps_example.CHECKS, *gtsps_steps.CHECKS, *gtsps_solutions.CHECKS, *gtsps_costs.CHECKS),
        *(*gtsps_figures.CHECKS, *gtsps_tables.CHECKS, *gtsps_compared.CHECKS),
    ),
)
