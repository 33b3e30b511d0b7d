"""The method `approxmc`: an approximate counter from another project, on an encoding."""

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import approxmc


def estimate(puzzle: Puzzle, deadline: Deadline, encoding: str) -> approxmc.Estimate:
    """Return about how many solutions there are; see `solvers.approxmc.estimate`."""
    return approxmc.estimate(encode(puzzle, encoding), deadline)
