"""The methods `ganak` and `approxmc`: an exact and an approximate counter of other projects, on an encoding."""

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import counters


def count(puzzle: Puzzle, deadline: Deadline, encoding: str) -> int:
    """Return the number of solutions; see `solvers.counters.count_by_ganak`."""
    return counters.count_by_ganak(encode(puzzle, encoding), deadline)


def estimate(puzzle: Puzzle, deadline: Deadline, encoding: str) -> counters.Estimate:
    """Return an estimate of the number of solutions; see `solvers.counters.estimate`."""
    return counters.estimate(encode(puzzle, encoding), deadline)
