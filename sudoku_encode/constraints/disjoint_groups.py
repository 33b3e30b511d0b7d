"""Disjoint groups: cells at the same place in their boxes differ."""

from collections.abc import Iterator

from sudoku_encode.constraints import common
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two cells at the same place are equal."""
    return common.has_equal_cells(values, _groups(c))


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield a unit for each place."""
    return common.group_units(_groups(c), "disjoint-groups")


def scope(c: BoundConstraint) -> Iterator[int]:
    """Return the cells of all groups."""
    return common.group_cells(_groups(c))


def unfit(c: BoundConstraint) -> str:
    """Return why the board has no boxes of one shape."""
    if len(c.board.shape) == 2 and len({frozenset(box) for box in _boxes(c)}) == 1:
        return ""
    return f"it needs boxes of the same shape, unlike {c.board.name}"


def _groups(c: BoundConstraint) -> list[tuple[int, ...]]:
    boxes = _boxes(c)
    return [tuple(box[place] for box in boxes) for place in boxes[0]]


def _boxes(c: BoundConstraint) -> list[dict[tuple[int, int], int]]:
    """Return the cells of each box, by their offsets from the box's first row and column."""
    boxes: dict[int, list[tuple[int, int]]] = {}
    columns = c.board.shape[1]
    for cell, number in enumerate(c.boxes):
        if number >= 0:
            boxes.setdefault(number, []).append(divmod(cell, columns))
    offsets = []
    for places in boxes.values():
        first_row, first_column = (min(line) for line in zip(*places, strict=True))
        offsets.append({(row - first_row, column - first_column): row * columns + column for row, column in places})
    return offsets
