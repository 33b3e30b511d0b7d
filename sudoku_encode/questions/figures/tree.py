"""The size of the search tree of a puzzle: the search of the method `search` on any board."""

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.figures.asked import Asked, Figure, over_copies
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import unsupported_reason
from sudoku_encode.search.state import DONE, any_state, masks_of

# Some tens of milliseconds on a 9x9 board.
_GUESSES_PER_CALL = 10_000


def nodes(asked: Asked, deadline: Deadline) -> Figure:
    """Return how many nodes the whole tree has, until it is proved that there are no more solutions.

    The root is what naked and hidden singles leave of the puzzle. Each guess has two nodes below it: a value put into a
    cell, and the same value taken from it, each with all singles that follow. So 1 means that singles are enough, and
    the number is odd. The guess is a cell with the fewest candidates, or where these are over two, a value with two
    places in a unit.

    Raises:
        StoppedError: by the deadline.
    """
    if why := unsupported_reason(asked.puzzle.geometry):
        return Figure("nodes", None, "", {}, why)
    return over_copies("nodes", [tree_size(copy, deadline) for copy in asked.copies], asked)


def tree_size(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return how many nodes the tree of one puzzle has; see `nodes`.

    Raises:
        StoppedError: by the deadline.
    """
    from sudoku_encode.questions.figures.tree_kernel import guesses

    state, made = any_state(puzzle.geometry, masks_of(puzzle)), 0
    while not state.counts[DONE]:
        deadline()
        made += guesses(state, _GUESSES_PER_CALL)
    return 1 + 2 * made
