"""What the indexers have in common: a cell that says at which place of its line a value is."""

from collections.abc import Callable, Iterator, Sequence

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values

# From a cell to the cells of its line, itself among them, in the order in which its value numbers them.
LineOf = Callable[[Placed, int], Sequence[int]]


def is_wrong(here: Placed, values: Values, line_of: LineOf) -> bool:
    """Say whether a cell says what is not so: it is the p-th of its line, and p is not where its value says, or is."""
    for cell in here.cells:
        line = line_of(here, cell)
        place = line.index(cell) + 1
        if any((values[cell] == at) != (values[other] == place) for at, other in enumerate(line, 1)):
            return True
    return False


def equivalences(here: Placed, line_of: LineOf) -> Iterator[Primitive]:
    """Yield for each cell and value that both say the same: two clauses."""
    for cell in here.cells:
        line = line_of(here, cell)
        place = line.index(cell) + 1
        for at, other in enumerate(line, 1):
            if other != cell or at != place:
                yield Clause(((cell, -at), (other, place)))
                yield Clause(((cell, at), (other, -place)))


def lines(here: Placed, line_of: LineOf) -> Iterator[int]:
    """Yield the cells of their lines."""
    for cell in here.cells:
        yield from line_of(here, cell)


def unfit(here: Placed, axis: int) -> str:
    """Refuse boards on which a value may be that of no line; `axis` 0 for rows, 1 for columns."""
    shape, line = here.board.shape, ("rows", "columns")[axis]
    if len(shape) == 2 and shape[axis] == here.n:
        return ""
    return f"it needs as many {line} as values, which {here.board.name} does not have"
