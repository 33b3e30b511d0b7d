"""Diagonals and windows of a square, and the rules that they are; the table of these is in `rules.py`."""

from collections.abc import Callable

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Rule

Box = tuple[int, int] | None


def diagonals(n: int) -> dict[int, tuple[int, ...]]:
    """Return the cells of both diagonals of a square, from the top: 1 rises to the right, -1 falls."""
    return {1: tuple((row + 1) * (n - 1) for row in range(n)), -1: tuple(row * (n + 1) for row in range(n))}


def windows(n: int, box: Box) -> list[tuple[int, ...]]:
    """Return the cells of each window of a square: windows are as large as boxes, with a line of cells around each.

    Without boxes there are no windows, nor with boxes around which no line of cells fits.

    >>> windows(6, (2, 3))
    [(7, 8, 9, 13, 14, 15)]
    """
    height, width = box or (n, n)
    cells = np.arange(n * n).reshape(n, n)
    return [
        tuple(cells[row : row + height, column : column + width].ravel().tolist())
        for row in range(1, n - height, height + 1)
        for column in range(1, n - width, width + 1)
    ]


def diagonal_rules(n: int, box: Box) -> list[Rule]:
    """Return the rules `diagonal` and `antidiagonal`: on a board of odd side they share its middle."""
    names = {-1: "diagonal", 1: "antidiagonal"}
    return [Rule(name, np.array([diagonals(n)[number]], np.int32)) for number, name in names.items()]


def windoku_rules(n: int, box: Box) -> list[Rule]:
    """Return the rule `window`.

    Raises:
        GeometryError: there are no windows.
    """
    if units := windows(n, box):
        return [Rule("window", np.array(units, np.int32))]
    boxes = f"boxes of {box[0]}x{box[1]}" if box else "no boxes"
    raise GeometryError(f"windoku needs boxes with a line of cells around; {n}x{n} has {boxes}")


RULES: dict[str, Callable[[int, Box], list[Rule]]] = {"diagonals": diagonal_rules, "windoku": windoku_rules}
"""For each key of EXTRA_RULES a function from the side of the square and the box to its rules."""
