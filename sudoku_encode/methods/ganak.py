"""The method `ganak`: an exact counter from another project, on an encoding."""

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import ganak


def count(puzzle: Puzzle, deadline: Deadline, encoding: str) -> int:
    """Return the number of solutions; see `solvers.ganak.count`."""
    return ganak.count(encode(puzzle, encoding), deadline)
