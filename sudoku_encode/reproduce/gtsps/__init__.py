"""The thesis chapter on GTSPS, refereed: its example, its claims, its costs, other solvers, its tables."""

from sudoku_encode.reproduce.finding import Check
from sudoku_encode.reproduce.gtsps import claims, compared, costs, example, figures, solutions, tables

CHECKS: tuple[Check, ...] = (
    *example.CHECKS,
    *solutions.STEP_CHECKS,
    *solutions.CHECKS,
    *costs.CHECKS,
    *costs.BOUND_CHECKS,
    *figures.CHECKS,
    *tables.CHECKS,
    *compared.CHECKS,
    *claims.CHECKS,
)
