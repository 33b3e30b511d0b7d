"""Rules that a square may have besides its own; the table of them is in `rules.py`."""

from collections.abc import Callable
from math import isqrt

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Rule


def diagonal_rules(n: int) -> list[Rule]:
    """Return the rules `diagonal` and `antidiagonal`: on a board of odd side they share its middle."""
    step = np.arange(n, dtype=np.int32)
    return [Rule("diagonal", (step * (n + 1))[None]), Rule("antidiagonal", ((step + 1) * (n - 1))[None])]


def windoku_rules(n: int) -> list[Rule]:
    """Return the rule `window`: blocks as large as boxes, with a line of cells around each.

    Raises:
        GeometryError: n is not a square of at least 4.
    """
    k = isqrt(n)
    if k * k != n:
        raise GeometryError(f"windoku needs a side of 4, 9, 16, 25, ..., not {n}")
    cells = np.arange(n * n, dtype=np.int32).reshape(n, n)
    starts = [number * (k + 1) + 1 for number in range(k - 1)]
    windows = [cells[row : row + k, column : column + k].ravel() for row in starts for column in starts]
    return [Rule("window", np.array(windows))]


RULES: dict[str, Callable[[int], list[Rule]]] = {"diagonals": diagonal_rules, "windoku": windoku_rules}
"""For each key of EXTRA_RULES a function from the side of the square to its rules."""
