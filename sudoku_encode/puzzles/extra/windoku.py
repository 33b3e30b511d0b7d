"""Windows: blocks as large as boxes, with a line of cells around each."""

from math import isqrt

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Rule


def rules(n: int) -> list[Rule]:
    """Return the rule `window`.

    Raises:
        GeometryError: n is not a square of at least 4.
    """
    k = isqrt(n)
    if k * k != n:
        raise GeometryError(f"windoku needs a side of 4, 9, 16, 25, ..., not {n}")
    cells = np.arange(n * n, dtype=np.int32).reshape(n, n)
    corners = [at * (k + 1) + 1 for at in range(k - 1)]
    windows = [cells[row : row + k, column : column + k].ravel() for row in corners for column in corners]
    return [Rule("window", np.array(windows))]
