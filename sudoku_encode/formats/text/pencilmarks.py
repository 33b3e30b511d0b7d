"""HoDoKu, Simple Sudoku and forums: a grid with borders around the boxes, each cell its candidates."""

from sudoku_encode.formats import candidate_grids
from sudoku_encode.puzzles.puzzle import Puzzle

read, unfit = candidate_grids.read, candidate_grids.unfit


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    rows = candidate_grids.cells_of(puzzle)
    widths = [max(len(row[column]) for row in rows) for column in range(9)]
    padded = [[text.ljust(width) for text, width in zip(row, widths, strict=True)] for row in rows]
    lines = [f"| {' | '.join(' '.join(row[start : start + 3]) for start in (0, 3, 6))} |" for row in padded]
    border = ["-" * (sum(widths[start : start + 3]) + 4) for start in (0, 3, 6)]
    top, middle, bottom = f".{'.'.join(border)}.", f":{'+'.join(border)}:", "'" + "'".join(border) + "'"
    return "\n".join([top, *lines[:3], middle, *lines[3:6], middle, *lines[6:], bottom])
