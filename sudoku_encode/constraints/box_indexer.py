"""Box indexer: if the p-th cell of a box holds v, then the v-th cell of that box holds p."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether an indexer cell points to the wrong place."""
    return common.is_wrong_index(c, values, _line)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield clauses; see `common.index_clauses`."""
    return common.index_clauses(c, _line)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of the indexed lines."""
    return common.line_cells(c, _line)


def _line(c: BoundConstraint, cell: int) -> list[int]:
    boxes = next(rule for rule in c.board.rules if rule.name in ("box", "region"))
    return sorted(boxes.units[c.boxes[cell]].tolist())
