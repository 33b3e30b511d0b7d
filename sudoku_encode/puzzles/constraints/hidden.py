"""Hidden cells by definition: their values that go with a grid, found by trying all, constraint by constraint."""

from collections.abc import Iterator, Sequence

from sudoku_encode.puzzles.constraints.constraint import BoundConstraint


def fillings(constraints: Sequence[BoundConstraint], values: Sequence[int]) -> Iterator[list[int]]:
    """Yield the values of all cells, hidden ones included, that satisfy some constraints and begin with a grid.

    It is the definition of a solution of a puzzle with hidden cells: a grid with at least one filling. Only `violated`
    decides; hidden cells that no constraint names are left out.
    """
    if not constraints:
        yield list(values)
        return
    board = constraints[0].board
    filled = [*values, *[0] * (board.n_cells - len(values))]
    yield from _filled(_order(constraints, len(values)), 0, filled, board.n_values)


# A constraint, and the hidden cells in it that no constraint before it has.
_Step = tuple[BoundConstraint, tuple[int, ...]]


def _order(constraints: Sequence[BoundConstraint], n_grid: int) -> list[_Step]:
    """Return the constraints in an order in which each has few hidden cells that are new, or decides them."""
    scopes = {number: {cell for cell in one.scope_cells if cell >= n_grid} for number, one in enumerate(constraints)}
    steps: list[_Step] = []
    decided = set[int]()

    def cost(number: int) -> tuple[bool, int, int]:
        n_new = len(scopes[number] - decided)
        return n_new > 0 and not constraints[number].decides_hidden_cells, n_new, number

    while scopes:
        number = min(scopes, key=cost)
        new = tuple(sorted(scopes.pop(number) - decided))
        steps.append((constraints[number], new))
        decided.update(new)
    return steps


def _filled(steps: Sequence[_Step], number: int, values: list[int], n: int) -> Iterator[list[int]]:
    """Yield the values that satisfy the constraints from a number on; `values` holds those of the cells before."""
    if number == len(steps):
        yield list(values)
        return
    constraint, cells = steps[number]
    for hidden in constraint.hidden_values(values, cells):
        for cell, value in zip(cells, hidden, strict=True):
            values[cell] = value
        yield from _filled(steps, number + 1, values, n)
    for cell in cells:
        values[cell] = 0
