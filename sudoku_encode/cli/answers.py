"""The answer for a puzzle, in words and as an exit status."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_encode.errors import plural

if TYPE_CHECKING:
    from sudoku_encode.cli.reading import PuzzleInput
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.counting import Count

# The statuses of records whose answer is not complete.
UNKNOWN = ("limit", "timeout", "memory", "interrupted", "stopped")


def status_of_all(seen: set[str], source: "PuzzleInput") -> int:
    """Return the exit status of a question whether puzzles are unique, by the words that were said of them."""
    return 2 if source.bad else 3 if seen.intersection(UNKNOWN) else 1 if seen - {"unique"} else 0


@dataclass
class Outcome:
    """Whether there were incomplete answers, and negative ones, so far."""

    incomplete: bool = False
    negative: bool = False

    def note(self, counted: "Count") -> None:
        """Take the number of solutions of a puzzle into account."""
        self.incomplete |= not counted.complete
        self.negative |= counted.complete and counted.value == 0

    def note_status(self, status: str) -> None:
        """Take the status of a record into account; see `records.status`."""
        self.incomplete |= status in UNKNOWN
        self.negative |= status == "no solution"

    def status(self, source: "PuzzleInput") -> int:
        """Return the exit status: bad input before an incomplete answer before a negative one."""
        return 2 if source.bad else 3 if self.incomplete else 1 if self.negative else 0


def total(counted: "Count", puzzle: "Puzzle") -> str:
    """Say how many solutions there are, whether that is all, and if not, why not."""
    if counted.complete and not counted.value:
        return f"no solution{why_none(puzzle)}"
    return f"{counted} {plural('solution', counted.value)}, complete" if counted.complete else unproved(counted)


def unproved(counted: "Count") -> str:
    """Return how many solutions there are at least, and what stopped the count."""
    solutions = f" {plural('solution', counted.value)}" if counted.value else ""
    return f"{counted}{solutions}; stopped: {counted.stopped}"


def why_none(puzzle: "Puzzle") -> str:
    """Say why there is no solution, where that is plain: two cells that clash, or a unit too large."""
    from sudoku_encode.constraints.lowering import lowered
    from sudoku_encode.encoders.reduction import reduce

    units = lowered(puzzle).puzzle
    reason = units.geometry.why_impossible or reduce(units, "singles").contradiction
    return f": {reason}" if reason else ""


def reasons_of(board: "Geometry", givens: "Grids") -> list[str]:
    """Return for each of many puzzles with givens alone what `why_none` says of it, without what is before that.

    Args:
        board: of all puzzles.
        givens: uint8 (m, n_cells), 0 for a blank.
    """
    from sudoku_encode.encoders.reduction import contradictions

    return [board.why_impossible] * len(givens) if board.why_impossible else contradictions(board, givens)
