"""Boards that are surfaces in space: faces of square cells, with lines that go straight on over the edges.

A surface is given by the corners of its cells, points in space with whole coordinates. Two cells are neighbours if they
share an edge; a line enters a cell at one edge and leaves it at the opposite one. So lines need no description: they
are traced from the rim of the surface, or all around it if it has no rim. Cells are numbered face by face, row by row.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Geometry, Rule, matrices, tiling
from sudoku_encode.puzzles.joined_boards import SURFACES

Points = NDArray[np.int64]

# The largest n, k and n that `corner`, `isodoku` and `sudokube` take.
MAX_CORNER, MAX_ISODOKU, MAX_SUDOKUBE = 50, 5, 10
# How far a step along x, y and z goes to the right and down in a picture: x goes to the lower left, y to the lower
# right, z up.
_ISOMETRIC = np.array([[-(3**0.5) / 2, 0.5], [3**0.5 / 2, 0.5], [0.0, -1.0]])


@dataclass(frozen=True, eq=False)
class FoldedSurface:
    """A surface in space and in pictures, and the units on it."""

    faces: tuple[str, ...]  # the names of the faces
    corners: Points  # the corners of each cell in space, in turn around it, int64 (faces, rows, columns, 4, 3)
    # The same corners in a picture, each as its distance to the right and down from the origin, float64 (faces, rows,
    # columns, 4, 2).
    flat: NDArray[np.float64]
    n_values: int  # the number of values
    line: str  # the name of the rule whose units are lines
    box: str  # the name of the rule whose units are boxes
    boxes: tuple[tuple[int, int], ...]  # for each face the number of rows and of columns of its boxes
    line_cells: int  # the number of cells of a unit along a line; a longer line is cut into several units


def surface(kind: str, text: str) -> Geometry:
    """Return the board that a name such as `corner:4` describes, by a key of SURFACES and the text after the colon.

    Raises:
        GeometryError: there is no such surface.
    """
    folded = _folded(kind, text)
    shape, n_cells = folded.corners.shape[:3], folded.corners[..., 0, 0].size
    units = [unit for line in lines(folded.corners.reshape(n_cells, 4, 3)) for unit in _cut(line, folded.line_cells)]
    rules = [Rule(folded.line, matrix) for matrix in matrices(units)]
    cells_of_faces = np.arange(n_cells, dtype=np.int32).reshape(shape)
    boxes = [
        cells.ravel()[tiling("", shape[1:], box).units] for cells, box in zip(cells_of_faces, folded.boxes, strict=True)
    ]
    return Geometry(f"{kind}:{text}", shape, folded.n_values, (*rules, Rule(folded.box, np.concatenate(boxes))))


def polygons(board: Geometry) -> NDArray[np.float64]:
    """Return the corners of each cell in a picture of the board, (n_cells, corners, 2).

    Each corner is given by its distance to the right and down from the origin; a cell's sides have length 1. The layers
    of a cube stand one below the other, by ascending x.
    """
    kind, _, text = board.name.partition(":")
    if kind in SURFACES:
        return _folded(kind, text).flat.reshape(board.n_cells, 4, 2)
    *layer, row, column = np.array(board.coordinates).T
    below = row + (layer[0] * (board.shape[1] + 1) if layer else 0)
    around = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    corners: NDArray[np.float64] = (np.stack([column, below], axis=1)[:, None] + around).astype(float)
    return corners


def face_names(board: Geometry) -> tuple[str, ...]:
    """Return the names of the faces of a surface; an empty tuple for other boards."""
    kind, _, text = board.name.partition(":")
    return _folded(kind, text).faces if kind in SURFACES else ()


def _folded(kind: str, text: str) -> FoldedSurface:
    """Return the surface from the function of this module that the row of SURFACES names."""
    folded: FoldedSurface = globals()[SURFACES[kind].folded](text)
    return folded


def corner(text: str) -> FoldedSurface:
    """Return the three faces at a corner of a cube of n x n x n, seen from outside, with 2 n values.

    A line runs over two faces, from rim to rim. Boxes have 2 x n cells: two rows of the left face, two columns of each
    of the others. A turn of the cube that takes each of the three faces to the next takes boxes to boxes.

    Raises:
        GeometryError: n is not even, or out of range.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), the picture in section Other Variants, for n = 4:
        with these rules, the puzzle in it has exactly one solution.
    """
    n = _side("corner", text, MAX_CORNER)
    if n % 2:
        raise GeometryError(f"corner:{n}: boxes of 2 x n cells need an even side")
    top_face = _face((0, 0, n), (1, 0, 0), (0, 1, 0), n)
    left_face = _face((n, 0, n), (0, 0, -1), (0, 1, 0), n)
    right_face = _face((n, n, n), (0, 0, -1), (-1, 0, 0), n)
    corners = np.stack([top_face, left_face, right_face])
    boxes = ((n, 2), (2, n), (n, 2))
    return FoldedSurface(("top", "left", "right"), corners, corners @ _ISOMETRIC, 2 * n, "line", "box", boxes, 2 * n)


def isodoku(text: str) -> FoldedSurface:
    """Return the visible surface of cubes stacked in the corner of a room, with k x k cells on each face of a cube.

    The room has k x k x k places for cubes, and there are k * k values. However many cubes there are, k * k of their
    faces (or places of the floor and the walls) are seen from above, and as many from either side. So the cells form
    three squares, which the board stores one after the other.

    A trace from rim to rim has 2 * k * k cells and is two units, k * k cells each; pictures show a thick line between
    them. A box is a face of a cube.

    Args:
        text: k * k digits: how many cubes stand at each place of the floor, in rows from the back. No place has more
            cubes than the two places next to it that are nearer to a wall.

    Raises:
        GeometryError: the digits are not such a stack.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), the picture in section IsoDoku, for k = 3: the post
        gives no rules, but with these, and lines that end at the thick ones, its puzzle has exactly one solution.
    """
    k = isqrt(len(text))
    if not text.isdigit() or k * k != len(text) or not 2 <= k <= MAX_ISODOKU:
        raise GeometryError(f"isodoku:{text[:40]}: expected heights, k * k digits, k from 2 to {MAX_ISODOKU}")
    heights = np.array([int(digit) for digit in text]).reshape(k, k)
    rises = any((np.diff(heights, axis=axis) > 0).any() for axis in (0, 1))
    if rises or heights.max() > k:
        raise GeometryError(f"isodoku:{text}: heights go from {k} to 0 and never rise towards the front")
    # For each place of the two walls, how many cubes stand in front of it, along x and along y.
    level = np.arange(k)
    depths_x = (heights[:, :, None] > level).sum(axis=0)
    depths_y = (heights[:, :, None] > level).sum(axis=1)
    n = k * k
    top_face, left_face, right_face = (np.empty((n, n, 4, 3), np.int64) for _ in range(3))
    for row in range(n):
        for column in range(n):
            front, up = n - 1 - column, n - 1 - row
            top_face[row, column] = _cell((row, column, k * heights[row // k, column // k]), (1, 0, 0), (0, 1, 0))
            left_face[row, column] = _cell((k * depths_x[column // k, up // k], column, up + 1), (0, 0, -1), (0, 1, 0))
            right_face[row, column] = _cell(
                (front + 1, k * depths_y[front // k, up // k], up + 1), (0, 0, -1), (-1, 0, 0)
            )
    corners = np.stack([top_face, left_face, right_face])
    rows_of_heights = "/".join(text[at : at + k] for at in range(0, n, k))
    names = (f"from above, on cubes {rows_of_heights} high", "facing left", "facing right")
    return FoldedSurface(names, corners, corners @ _ISOMETRIC, n, "line", "box", ((k, k),) * 3, n)


def sudokube(text: str) -> FoldedSurface:
    """Return the six faces of a cube of n x n x n; a line, called a hoop, runs around it, over four faces.

    A hoop has 4 n cells, a face n * n. There are as many values as the larger of the two has cells; the smaller has
    each value at most once. Only with n = 4 are both of the same size. With sides 1 and 3 there is no solution.

    Raises:
        GeometryError: n is out of range.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), which names SudokuKubes and Sudoku Cubes.
    Differs: the post has no rules, and its picture is a `corner`; these are the rules of puzzles on all six faces that
        go by such names elsewhere, with n = 4. No other side is known to be used.
    """
    n = _side("sudokube", text, MAX_SUDOKUBE)
    down, forwards = (0, 0, -1), (0, -1, 0)
    # Each face with its place in the picture: the row and the column of the net.
    faces = {
        "up": (_face((0, n, n), forwards, (1, 0, 0), n), (0, 1)),
        "left": (_face((0, n, n), down, (0, -1, 0), n), (1, 0)),
        "front": (_face((0, 0, n), down, (1, 0, 0), n), (1, 1)),
        "right": (_face((n, 0, n), down, (0, 1, 0), n), (1, 2)),
        "back": (_face((n, n, n), down, (-1, 0, 0), n), (1, 3)),
        "down": (_face((0, 0, 0), (0, 1, 0), (1, 0, 0), n), (2, 1)),
    }
    corners = np.stack([face for face, _ in faces.values()])
    # The net: the four sides in a row, the others above and below the front.
    flat_face = np.stack(np.meshgrid(np.arange(n), np.arange(n)), axis=-1)[:, :, None] + np.array(
        [[0, 0], [0, 1], [1, 1], [1, 0]]
    )
    flat = np.stack([flat_face + n * np.array([column, row]) for _, (row, column) in faces.values()])
    n_values = max(4 * n, n * n)
    return FoldedSurface(tuple(faces), corners, flat.astype(float), n_values, "hoop", "face", ((n, n),) * 6, 4 * n)


def _side(kind: str, text: str, largest: int) -> int:
    """Return the side that a text gives; raise GeometryError if it is not a number from 1 to the largest."""
    if not text.isdigit() or len(text) > 3 or not 1 <= int(text) <= largest or text != str(int(text)):
        raise GeometryError(f"{kind}:{text[:40]}: expected a side from 1 to {largest}")
    return int(text)


def _cell(origin: Sequence[int], down: Sequence[int], right: Sequence[int]) -> Points:
    """Return the corners of a cell, (4, 3): from the origin go down, to the right, and up again."""
    first, below, beside = (np.asarray(each, np.int64) for each in (origin, down, right))
    return np.stack([first, first + below, first + below + beside, first + beside])


def _face(origin: Sequence[int], down: Sequence[int], right: Sequence[int], n: int) -> Points:
    """Return the corners of the cells of an n x n face, (n, n, 4, 3)."""
    row, column = np.indices((n, n))[..., None]
    first: Points = row * np.array(down) + column * np.array(right)
    return first[:, :, None] + _cell(origin, down, right)


def lines(corners: Points) -> Iterator[list[int]]:
    """Yield every straight line of cells of a surface: those from rim to rim, then those that close."""
    sides_at: dict[frozenset[tuple[int, ...]], list[tuple[int, int]]] = defaultdict(list)
    edge_of: dict[tuple[int, int], frozenset[tuple[int, ...]]] = {}
    for cell, around in enumerate(corners.tolist()):
        for side in range(4):
            edge = frozenset((tuple(around[side]), tuple(around[(side + 1) % 4])))
            edge_of[cell, side] = edge
            sides_at[edge].append((cell, side))
    rim = [entry for entry, edge in edge_of.items() if len(sides_at[edge]) == 1]
    # Two lines cross in a cell: one through its sides 0 and 2, one through 1 and 3.
    seen: set[tuple[int, int]] = set()
    for start in (*rim, *edge_of):
        line, entry = list[int](), start
        while (entry[0], entry[1] % 2) not in seen:
            cell, side = entry
            seen.add((cell, side % 2))
            line.append(cell)
            opposite = (cell, (side + 2) % 4)
            entry = next((other for other in sides_at[edge_of[opposite]] if other != opposite), entry)
        if line:
            yield line


def _cut(line: list[int], size: int) -> list[list[int]]:
    """Cut a line into units of a number of cells."""
    return [line[start : start + size] for start in range(0, len(line), size)]
