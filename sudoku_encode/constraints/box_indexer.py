"""Box indexer: the p-th cell of a box with value v says that p is in the v-th cell of the box."""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause, Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell says what is not so."""
    for cell in here.cells:
        line = _line(here, cell)
        place = line.index(cell) + 1
        if any((values[cell] == at) != (values[other] == place) for at, other in enumerate(line, 1)):
            return True
    return False


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield for each cell and value that both say the same: two clauses."""
    for cell in here.cells:
        line = _line(here, cell)
        place = line.index(cell) + 1
        for at, other in enumerate(line, 1):
            if other != cell or at != place:
                yield Clause(((cell, -at), (other, place)))
                yield Clause(((cell, at), (other, -place)))


def scope(here: Placed) -> Iterator[int]:
    """Yield the cells of their lines."""
    for cell in here.cells:
        yield from _line(here, cell)


def _line(here: Placed, cell: int) -> list[int]:
    return [other for other in range(here.board.n_cells) if here.boxes[other] == here.boxes[cell]]
