"""Both long diagonals."""

import numpy as np

from sudoku_encode.puzzles.geometry import Rule


def rules(n: int) -> list[Rule]:
    """Return the rules `diagonal` and `antidiagonal`: on a board of odd side they share its middle."""
    step = np.arange(n, dtype=np.int32)
    return [Rule("diagonal", (step * (n + 1))[None]), Rule("antidiagonal", ((step + 1) * (n - 1))[None])]
