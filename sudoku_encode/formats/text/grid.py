"""For people: a grid with borders at the boxes; the layers of a cube stand one below the other."""

from math import isqrt

from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    board, n = puzzle.geometry, puzzle.geometry.n_values
    box_rows, box_columns = (isqrt(n), isqrt(n)) if len(board.shape) == 3 else board.box or (n, n)
    layers = puzzle.givens.reshape(-1, n, n).tolist()
    return "\n\n".join("\n".join(_bordered(layer, box_rows, box_columns)) for layer in layers)


def _bordered(rows: list[list[int]], box_rows: int, box_columns: int) -> list[str]:
    """Return the lines of a square, with borders around its boxes."""
    n = len(rows)
    width = len(str(n))
    border = "+" + ("-" * (box_columns * (width + 1) + 1) + "+") * (n // box_columns)
    lines = []
    for at, row in enumerate(rows):
        cells = [f"{value or '.':>{width}}" for value in row]
        boxes = (" ".join(cells[start : start + box_columns]) for start in range(0, n, box_columns))
        lines += [border] * (at % box_rows == 0) + [f"| {' | '.join(boxes)} |"]
    return [*lines, border]
