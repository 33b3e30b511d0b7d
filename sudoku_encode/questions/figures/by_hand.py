"""Figures of solving by hand: the hardest technique, and the number of steps."""

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.errors import plural
from sudoku_encode.questions.figures.asked import Asked, Figure
from sudoku_encode.questions.hinting import SOLVED
from sudoku_encode.questions.techniques.table import TECHNIQUES, chosen
from sudoku_encode.run.limits import Deadline


def technique(asked: Asked, deadline: Deadline) -> Figure:
    """Return the hardest technique; its number among them is its value, and one more than all where none finds more.

    A technique is tried only where no simpler one finds anything, so that each use of the hardest was needed then.

    Raises:
        StoppedError: by the deadline.
    """
    found = asked.by_hand(deadline)
    # Where there are no constraints but units those of constraints are not counted, since they find nothing.
    has_more = bool(lowered(asked.puzzle).primitives)
    names = [row.name for row in TECHNIQUES.values() if has_more or not row.of_constraints]
    if found.ended != SOLVED:
        left = f"{found.n_blanks} {plural('blank', found.n_blanks)}"
        hardest = chosen()[-1].name
        text = f"beyond the techniques up to {hardest}, which leave {left}"
        return Figure("technique", len(names) + 1, text, {"technique": None, "blanks": found.n_blanks})
    if not found.hardest:
        return Figure("technique", 0, "none: no cell is blank", {"technique": None, "blanks": 0})
    number = names.index(found.hardest) + 1
    text = f"{found.hardest}, number {number} of {len(names)} from simple to hard"
    return Figure("technique", number, text, {"technique": found.hardest, "blanks": 0})


def steps(asked: Asked, deadline: Deadline) -> Figure:
    """Return how many steps the techniques take; where they do not solve the puzzle, that has no meaning.

    Raises:
        StoppedError: by the deadline.
    """
    found = asked.by_hand(deadline)
    if found.ended != SOLVED:
        return Figure("steps", None, "", {}, f"the techniques get stuck after {len(found.steps)}")
    return Figure("steps", len(found.steps), f"{len(found.steps)}")
