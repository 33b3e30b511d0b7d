"""The thesis chapter on GTSPS, refereed: its example, its claims, its costs, other solvers, its tables."""

from sudoku_encode.reproduce.finding import Check
from sudoku_encode.reproduce.gtsps import bounds, claims, compared, costs, example, figures, solutions, steps, tables

CHECKS: tuple[Check, ...] = (
    *(*example.CHECKS, *steps.CHECKS, *solutions.CHECKS, *costs.CHECKS, *bounds.CHECKS),
    *(*figures.CHECKS, *tables.CHECKS, *compared.CHECKS, *claims.CHECKS),
)
