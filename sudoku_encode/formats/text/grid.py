"""For people: a grid with borders at the boxes; layers of a cube, and faces of a surface, one below the other."""

from math import isqrt

import numpy as np

from sudoku_encode.formats.symbols import framed_rows
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    if puzzle.geometry.places:
        return _framed(puzzle)
    board, width = puzzle.geometry, len(str(puzzle.geometry.n_values))
    layers = puzzle.givens.reshape(-1, *board.shape[-2:]).tolist()
    return "\n\n".join("\n".join(_bordered(layer, *_box(board, at), width)) for at, layer in enumerate(layers))


def _framed(puzzle: Puzzle) -> str:
    """Return the rows of boards that overlap: symbols, with blanks outside; numbers and - above 9 values."""
    if puzzle.geometry.n_values < 10:
        return "\n".join("".join(row).rstrip() for row in framed_rows(puzzle, ".", " "))
    width = len(str(puzzle.geometry.n_values))
    return "\n".join(" ".join(f"{text:>{width}}" for text in row) for row in framed_rows(puzzle, ".", "-"))


def _box(board: Geometry, layer: int) -> tuple[int, int]:
    """Return the rows and columns of a box in a layer or face; those of all of it where it has none."""
    n, side = board.n_values, board.shape[-1]
    if len(board.shape) == 2 or board.is_cube:
        # Of a cube, a layer has equal x.
        return (isqrt(n), isqrt(n)) if "box-yz" in board.rule_names else board.box or (board.shape[-2], side)
    boxes = [rule.units for rule in board.rules if rule.name == "box"]
    if not boxes:
        return side, side
    row, column = np.divmod(boxes[0][layer * len(boxes[0]) // board.shape[0]] % side**2, side)
    return int(row.max()) + 1, int(column.max()) + 1


def _bordered(rows: list[list[int]], box_rows: int, box_columns: int, width: int) -> list[str]:
    """Return the lines of a rectangle, with borders around its boxes."""
    n = len(rows[0])
    border = "+" + ("-" * (box_columns * (width + 1) + 1) + "+") * (n // box_columns)
    lines = []
    for at, row in enumerate(rows):
        cells = [f"{value or '.':>{width}}" for value in row]
        boxes = (" ".join(cells[start : start + box_columns]) for start in range(0, n, box_columns))
        lines += [border] * (at % box_rows == 0) + [f"| {' | '.join(boxes)} |"]
    return [*lines, border]
