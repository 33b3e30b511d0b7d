"""A square as the papers print it: a line for each row, a gap between boxes, a dot for a blank; and its heading."""

from collections.abc import Iterator, Sequence

from sudoku_encode.errors import plural
from sudoku_encode.puzzles.geometry import Geometry


def grid_text(board: Geometry, grid: Sequence[int]) -> str:
    """Return the values of a two-dimensional board, row by row.

    >>> from sudoku_encode.puzzles.boards import board
    >>> print(grid_text(board("4x4"), [1, 2, 3, 4, 0, 0, 0, 0, 2, 1, 4, 3, 0, 0, 0, 0]))
    1 2  3 4
    . .  . .
    2 1  4 3
    . .  . .
    """
    rows, columns = board.frame
    values = {board.coordinates[cell]: f"{value or '.'}" for cell, value in enumerate(grid)}
    across = board.box[1] if board.box else columns
    width = len(str(board.n_values))

    def parts(row: int) -> Iterator[str]:
        for start in range(0, columns, across):
            # Between overlapping boards, places outside all of them stay empty.
            yield " ".join(f"{values.get((row, column), ''):>{width}}" for column in range(start, start + across))

    return "\n".join("  ".join(parts(row)).rstrip() for row in range(rows))


def solution_text(n_solutions: int, stopped: bool = False) -> str:
    """Return the heading of the only solution that is shown, of so many, or at least so many if a search was stopped.

    >>> solution_text(1), solution_text(127), solution_text(2, stopped=True)
    ('the solution', 'one of 127 solutions', 'one of at least 2 solutions')
    """
    if stopped:
        return f"one of at least {n_solutions:,} {plural('solution', n_solutions)}"
    return "the solution" if n_solutions == 1 else f"one of {n_solutions:,} solutions"
