"""Lines along the sides of cells, joined where they go straight on."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.render.shapes import Lines, Point


def between(regions: NDArray[np.int32], x: float, y: float) -> Iterator[Lines]:
    """Yield the lines of a square: `thick` where regions differ and around it, `thin` between other cells.

    Args:
        regions: int32 (rows, columns): for each cell the number of its region; -1 where there is no cell.
        x: its left side.
        y: its upper side.
    """
    outside = np.pad(regions, 1, constant_values=-1)
    # Whether regions differ on both sides of each line: upright ones (rows, columns + 1), then level ones, transposed.
    upright = outside[1:-1, 1:] != outside[1:-1, :-1]
    level = (outside[1:, 1:-1] != outside[:-1, 1:-1]).T
    # Beside a cell; nothing is drawn between places without one.
    held = outside >= 0
    beside = (held[1:-1, 1:] | held[1:-1, :-1], (held[1:, 1:-1] | held[:-1, 1:-1]).T)
    for kind, wanted in (("thin", False), ("thick", True)):
        upright_runs, level_runs = _runs((upright == wanted) & beside[0]), _runs((level == wanted) & beside[1])
        paths = [((x + at, y + start), (x + at, y + end)) for at, start, end in upright_runs]
        paths += [((x + start, y + at), (x + end, y + at)) for at, start, end in level_runs]
        if paths:
            yield Lines(kind, tuple(paths))


def around(kind: str, corners: Iterable[Point]) -> Iterator[Lines]:
    """Yield the outline of some cells, each by its upper left corner."""
    sides: set[tuple[Point, Point]] = set()
    for x, y in corners:
        square = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        ends = ((0, 1), (1, 2), (3, 2), (0, 3))
        # A side that two of the cells share is inside.
        sides ^= {(square[start], square[end]) for start, end in ends}
    if sides:
        yield Lines(kind, tuple(_joined(sides)))


def _runs(wanted: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Yield each run of true values down a column: the column, its first row, and the row after its last."""
    steps = np.diff(np.pad(wanted.astype(np.int8), ((1, 1), (0, 0))), axis=0).T
    for at, column in enumerate(steps):
        starts, ends = np.flatnonzero(column == 1), np.flatnonzero(column == -1)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            yield at, start, end


def _joined(sides: set[tuple[Point, Point]]) -> Iterator[tuple[Point, Point]]:
    """Yield sides of cells, in one piece where one goes straight on in the next."""
    following = {(start, end[0] > start[0]): end for start, end in sides}
    for start, end in sorted(sides):
        level = end[0] > start[0]
        before = (start[0] - 1, start[1]) if level else (start[0], start[1] - 1)
        if (before, level) in following:
            continue
        last = end
        while (last, level) in following:
            last = following[last, level]
        yield start, last
