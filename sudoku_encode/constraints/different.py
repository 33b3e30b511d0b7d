"""What the constraints on groups of cells that differ have in common."""

from collections.abc import Iterable, Iterator

from sudoku_encode.constraints.primitives import Primitive, Unit
from sudoku_encode.puzzles.constraint import Values

Groups = Iterable[tuple[int, ...]]


def is_wrong(values: Values, groups: Groups) -> bool:
    """Say whether two cells of a group are equal."""
    return any(len({values[cell] for cell in cells}) < len(cells) for cells in groups)


def units(groups: Groups, name: str) -> Iterator[Primitive]:
    """Yield a unit for each group, of a rule of that name."""
    for cells in groups:
        yield Unit(cells, name)


def cells(groups: Groups) -> Iterator[int]:
    """Yield the cells of the groups."""
    for group in groups:
        yield from group
