"""Cells side by side, and cells on a straight line, on boards that have coordinates."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Geometry

Coordinates = tuple[int, ...]

# Hidden cells follow each other along a line of their own, far from the grid.
_HIDDEN_LINE = -1000


def has_lines(board: Geometry) -> bool:
    """Check whether cells have one coordinate per side: on squares and cubes, but not on surfaces."""
    return board.has_rows_and_columns or board.has_axes


@lru_cache(maxsize=64)
def neighbours(board: Geometry, moves: tuple[Coordinates, ...] = ()) -> tuple[tuple[int, int], ...]:
    """Return the pairs of cells that are one step apart, smaller cell first.

    The moves are one of each pair of opposite ones; by default those along a side, so that cells share an edge (in a
    cube a face).

    Raises:
        GeometryError: the board is a surface.

    >>> from sudoku_encode import board
    >>> len(neighbours(board("9x9"))), len(neighbours(board("9x9"), ((1, 1), (1, -1))))
    (144, 128)
    """
    if not has_lines(board):
        raise GeometryError(f"{board.name} has no rows and columns over all its cells, so none of them are neighbours")
    if not moves:
        axes = range(len(board.coordinates[0]))
        moves = tuple(tuple(int(side == at) for side in axes) for at in axes)
    adjacent = set()
    for cell, place in enumerate(board.coordinates):
        for move in moves:
            other = cell_at(board, tuple(at + step for at, step in zip(place, move, strict=True)))
            if other is not None:
                adjacent.add((min(cell, other), max(cell, other)))
    return tuple(sorted(adjacent))


def around(board: Geometry, cell: int) -> list[int]:
    """Return the cells that share an edge with a cell, in a cube a face."""
    return _around(board)[cell]


@lru_cache(maxsize=64)
def _around(board: Geometry) -> list[list[int]]:
    """Return for each cell those that share an edge with it."""
    beside: list[list[int]] = [[] for _ in range(board.n_cells)]
    for first, second in neighbours(board):
        beside[first].append(second)
        beside[second].append(first)
    return beside


@lru_cache(maxsize=64)
def squares(board: Geometry) -> tuple[tuple[int, int, int, int], ...]:
    """Return the 2x2 squares of cells, each in reading order.

    Raises:
        GeometryError: the board has no rows and columns.
    """
    if not board.has_rows_and_columns:
        raise GeometryError(f"{board.name} is not a square, so it has no 2x2 squares")
    corners = []
    for row, column in board.coordinates:
        places = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
        cells = [cell for place in places if (cell := cell_at(board, place)) is not None]
        if len(cells) == 4:
            corners.append((cells[0], cells[1], cells[2], cells[3]))
    return tuple(corners)


def cell_at(board: Geometry, place: Coordinates) -> int | None:
    """Return the number of the cell with these coordinates from 0; None if there is no cell."""
    if place[0] == _HIDDEN_LINE:
        return board.n_grid + place[-1]
    return board.cells_by_coordinates.get(place)


def place_of(board: Geometry, cell: int) -> Coordinates:
    """Return the coordinates of a cell from 0."""
    if cell >= board.n_grid:
        return (*[_HIDDEN_LINE] * (len(board.coordinates[0]) - 1), cell - board.n_grid)
    return board.coordinates[cell]


def straight(board: Geometry, first: int, last: int) -> list[int]:
    """Return the cells from one to another along a row, a column or a diagonal, both included.

    Raises:
        GeometryError: there is no such line, or it leaves the board.

    >>> from sudoku_encode import board
    >>> straight(board("9x9"), 0, 20)
    [0, 10, 20]
    """
    ends = place_of(board, first), place_of(board, last)
    steps = [end - begin for begin, end in zip(*ends, strict=True)]
    lengths = {abs(step) for step in steps if step}
    names = f"{board.cell_name(first)} to {board.cell_name(last)}"
    if not has_lines(board) or len(lengths) > 1:
        raise GeometryError(f"no straight line goes from {names}")
    signs = [(step > 0) - (step < 0) for step in steps]
    places = [
        tuple(begin + sign * at for begin, sign in zip(ends[0], signs, strict=True))
        for at in range(max(lengths, default=0) + 1)
    ]
    cells = [cell for place in places if (cell := cell_at(board, place)) is not None]
    if len(cells) < len(places):
        raise GeometryError(f"the line from {names} goes over places where {board.name} has no cell")
    return cells


def is_diagonal(board: Geometry, cells: tuple[int, ...]) -> bool:
    """Check whether cells follow each other along a diagonal; a single cell does."""
    steps = {_step(board, pair) for pair in pairwise(cells)}
    return has_lines(board) and (not steps or (len(steps) == 1 and sum(map(bool, steps.pop() or ())) > 1))


def runs(board: Geometry, cells: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Cut a list of cells into straight lines of at least three cells, each a step from the one before, and others."""
    start = 0
    while start < len(cells):
        end = start + 1
        if has_lines(board):
            steps = [_step(board, pair) for pair in pairwise(cells[start:])]
            if steps and steps[0] is not None:
                end = start + 1 + next((at for at, step in enumerate(steps) if step != steps[0]), len(steps))
        if end - start < 3:
            end = start + 1
        yield cells[start:end]
        start = end


def _step(board: Geometry, pair: tuple[int, int]) -> Coordinates | None:
    """Return the step from a cell to another if it goes along a side or a diagonal, else None."""
    first, second = (place_of(board, cell) for cell in pair)
    step = tuple(to - at for at, to in zip(first, second, strict=True))
    return step if any(step) and all(abs(part) <= 1 for part in step) else None
