"""Equal planes: planes of a cube across an axis (1 is x, 2 is y, 3 is z) hold the same values in the same places.

Lines along the axis then hold a value twice, so the rule for these lines must be left out.
"""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two of the planes differ."""
    first, *others = [[values[cell] for cell in plane] for plane in _planes(c)]
    return any(other != first for other in others)


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield an equality for each cell of the first plane and each cell at its place in the other planes."""
    first, *others = _planes(c)
    for other in others:
        yield from pair_relations(zip(first, other, strict=True), c.n, lambda a, b: a == b)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield the cells of the planes."""
    for plane in _planes(c):
        yield from plane


def unfit(c: BoundConstraint) -> str:
    """Return why the board is not a cube, or why it has no such axis or planes."""
    if not c.board.is_cube:
        return f"it needs a cube, not {c.board.name}"
    (axis, *planes), last = c.numbers, c.n - 1
    if not 1 <= axis <= 3:
        return f"not an axis: {axis} (1, 2 or 3, for x, y or z)"
    if wrong := [plane for plane in planes if not 0 <= plane <= last]:
        return f"not a plane of {c.board.name}: {wrong[0]} (0 to {last})"
    if len(set(planes)) < len(planes):
        return "a plane is named twice"
    return ""


def _planes(c: BoundConstraint) -> list[list[int]]:
    cells, (axis, *planes) = c.board.cells_by_coordinates, c.numbers
    places = list(product(range(c.n), repeat=2))
    return [[cells[*place[: axis - 1], plane, *place[axis - 1 :]] for place in places] for plane in planes]
