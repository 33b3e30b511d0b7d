"""Disjoint groups: cells in the same place of their boxes differ."""

from collections.abc import Iterator

from sudoku_encode.constraints import different
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two cells of a group are equal."""
    return different.is_wrong(values, _groups(here))


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a unit for each."""
    return different.units(_groups(here), "disjoint-groups")


def scope(here: Placed) -> Iterator[int]:
    """Return their cells."""
    return different.cells(_groups(here))


def unfit(here: Placed) -> str:
    """Refuse boards whose boxes have not all the same form."""
    if len(here.board.shape) == 2 and len({frozenset(box) for box in _boxes(here)}) == 1:
        return ""
    return f"it needs boxes of the same form, which {here.board.name} does not have"


def _groups(here: Placed) -> list[tuple[int, ...]]:
    boxes = _boxes(here)
    return [tuple(box[place] for box in boxes) for place in boxes[0]]


def _boxes(here: Placed) -> list[dict[tuple[int, int], int]]:
    """Return the cells of each box by how far they are from its first row and column."""
    boxes: dict[int, list[tuple[int, int]]] = {}
    columns = here.board.shape[1]
    for cell, number in enumerate(here.boxes):
        if number >= 0:
            boxes.setdefault(number, []).append(divmod(cell, columns))
    found = []
    for places in boxes.values():
        top, left = (min(line) for line in zip(*places, strict=True))
        found.append({(row - top, column - left): row * columns + column for row, column in places})
    return found
