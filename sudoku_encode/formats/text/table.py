"""The table of Jana et al. 2023 for a cube: a line per x, a group per y, symbols along z."""

from sudoku_encode.formats.symbols import packed_rows
from sudoku_encode.puzzles.puzzle import Puzzle


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    n, groups = puzzle.geometry.n_values, packed_rows(puzzle)
    return "\n".join(" ".join(groups[start : start + n]) for start in range(0, n * n, n))
