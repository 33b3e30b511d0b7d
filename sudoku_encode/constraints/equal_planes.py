"""Equal planes: planes of a cube across an axis (1 is x, 2 is y, 3 is z) have the same values in the same places.

Lines along the axis then have a value twice: it is for cubes whose rule for these lines is left out.
"""

from collections.abc import Iterator
from itertools import product

from sudoku_encode.constraints.primitives import Primitive, pair_relations
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two of the planes differ."""
    first, *others = [[values[cell] for cell in plane] for plane in _planes(here)]
    return any(other != first for other in others)


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield a relation for each cell of the first plane and each that lies in its place."""
    first, *others = _planes(here)
    for other in others:
        yield from pair_relations(zip(first, other, strict=True), here.n, lambda a, b: a == b)


def scope(here: Placed) -> Iterator[int]:
    """Yield the cells of the planes."""
    for plane in _planes(here):
        yield from plane


def unfit(here: Placed) -> str:
    """Refuse what is no cube, has no such axis or plane, and a plane that is named twice."""
    if not here.board.is_cube:
        return f"it needs a cube, which {here.board.name} is not"
    (axis, *planes), last = here.numbers, here.n - 1
    if not 1 <= axis <= 3:
        return f"the axis is 1, 2 or 3, for x, y or z, not {axis}"
    if wrong := [plane for plane in planes if not 0 <= plane <= last]:
        return f"planes of {here.board.name} go from 0 to {last}; {wrong[0]} is none"
    if len(set(planes)) < len(planes):
        return "a plane is there twice"
    return ""


def _planes(here: Placed) -> list[list[int]]:
    cells, (axis, *planes) = here.board.cells_by_coordinates, here.numbers
    places = list(product(range(here.n), repeat=2))
    return [[cells[*place[: axis - 1], plane, *place[axis - 1 :]] for place in places] for plane in planes]
