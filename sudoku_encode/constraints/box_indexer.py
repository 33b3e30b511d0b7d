"""Box indexer: the p-th cell of a box with value v says that p is in the v-th cell of the box."""

from collections.abc import Iterator

from sudoku_encode.constraints import indexing
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether a cell says what is not so."""
    return indexing.is_wrong(here, values, _line)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield clauses; see `indexing.equivalences`."""
    return indexing.equivalences(here, _line)


def scope(here: Placed) -> Iterator[int]:
    """Return the cells of their lines."""
    return indexing.lines(here, _line)


def _line(here: Placed, cell: int) -> list[int]:
    boxes = next(rule for rule in here.board.rules if rule.name in ("box", "region"))
    return sorted(boxes.units[here.boxes[cell]].tolist())
