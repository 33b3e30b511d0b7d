"""What the constraints on all 2x2 squares have in common: a square has values of each of some classes."""

from collections.abc import Callable, Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values
from sudoku_encode.puzzles.neighbours import squares

# From a value to its class.
ClassOf = Callable[[Placed, int], int]


def is_wrong(here: Placed, values: Values, class_of: ClassOf) -> bool:
    """Say whether a square lacks a class."""
    wanted = {class_of(here, value) for value in range(1, here.n + 1)}
    return any({class_of(here, values[cell]) for cell in cells} != wanted for cells in squares(here.board))


def clauses(here: Placed, class_of: ClassOf) -> Iterator[Primitive]:
    """Yield a clause for each square and class."""
    for cells in squares(here.board):
        for wanted in sorted({class_of(here, value) for value in range(1, here.n + 1)}):
            values = [value for value in range(1, here.n + 1) if class_of(here, value) == wanted]
            yield Clause(tuple((cell, value) for cell in cells for value in values))
