"""Functions that several kinds share: groups that differ, unmarked neighbours, 2x2 squares, and indexers."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sudoku_encode.constraints.primitives import Clause, Primitive, Unit, pair_relations
from sudoku_encode.puzzles.constraint import BoundConstraint, Values
from sudoku_encode.puzzles.neighbours import squares

# Groups of cells that differ.

Groups = Iterable[tuple[int, ...]]


def has_equal_cells(values: Values, groups: Groups) -> bool:
    """Return whether two cells of a group are equal."""
    return any(len({values[cell] for cell in cells}) < len(cells) for cells in groups)


def group_units(groups: Groups, name: str) -> Iterator[Primitive]:
    """Yield a unit of the rule `name` for each group."""
    for cells in groups:
        yield Unit(cells, name)


def group_cells(groups: Groups) -> Iterator[int]:
    """Yield the cells of the groups."""
    for group in groups:
        yield from group


# Negative constraints: neighbours without a mark do not have the relation that the mark stands for.

# Returns whether two unmarked neighbours must not hold these two values.
Forbidden = Callable[[BoundConstraint, int, int], bool]


def has_forbidden_pair(c: BoundConstraint, values: Values, marks: tuple[str, ...], forbidden: Forbidden) -> bool:
    """Return whether two neighbours that no constraint of the kinds `marks` names hold forbidden values."""
    return any(forbidden(c, values[a], values[b]) for a, b in _unmarked_pairs(c, marks))


def unmarked_relations(c: BoundConstraint, marks: tuple[str, ...], forbidden: Forbidden) -> Iterator[Primitive]:
    """Yield a relation for each unmarked pair of neighbours."""
    yield from pair_relations(_unmarked_pairs(c, marks), c.n, lambda a, b: not forbidden(c, a, b))


def unmarked_cells(c: BoundConstraint, marks: tuple[str, ...]) -> Iterator[int]:
    """Yield the cells of the unmarked pairs."""
    for pair in _unmarked_pairs(c, marks):
        yield from pair


def _unmarked_pairs(c: BoundConstraint, marks: tuple[str, ...]) -> list[tuple[int, int]]:
    marked = c.marked(*marks)
    return [pair for pair in c.neighbours if pair not in marked]


# 2x2 squares: each contains a value of each class.

# Returns the class of a value.
ClassOf = Callable[[BoundConstraint, int], int]


def lacks_class(c: BoundConstraint, values: Values, class_of: ClassOf) -> bool:
    """Return whether a square lacks a class."""
    classes = {class_of(c, value) for value in range(1, c.n + 1)}
    return any({class_of(c, values[cell]) for cell in cells} != classes for cells in squares(c.board))


def square_clauses(c: BoundConstraint, class_of: ClassOf) -> Iterator[Primitive]:
    """Yield a clause for each square and class."""
    for cells in squares(c.board):
        for number in sorted({class_of(c, value) for value in range(1, c.n + 1)}):
            values = [value for value in range(1, c.n + 1) if class_of(c, value) == number]
            yield Clause(tuple((cell, value) for cell in cells for value in values))


# Indexers: a cell says where in its line a value is.

# Returns the line of a cell, the cell among them, in the order in which the value of the cell numbers them.
LineOf = Callable[[BoundConstraint, int], Sequence[int]]


def is_wrong_index(c: BoundConstraint, values: Values, line_of: LineOf) -> bool:
    """Return whether the p-th cell of its line holds v, but the v-th does not hold p, or the other way round."""
    for cell in c.cells:
        line = line_of(c, cell)
        place = line.index(cell) + 1
        if any((values[cell] == number) != (values[other] == place) for number, other in enumerate(line, 1)):
            return True
    return False


def index_clauses(c: BoundConstraint, line_of: LineOf) -> Iterator[Primitive]:
    """Yield two clauses for each cell and value: the p-th cell holds v if and only if the v-th holds p."""
    for cell in c.cells:
        line = line_of(c, cell)
        place = line.index(cell) + 1
        for number, other in enumerate(line, 1):
            if other != cell or number != place:
                yield Clause(((cell, -number), (other, place)))
                yield Clause(((cell, number), (other, -place)))


def line_cells(c: BoundConstraint, line_of: LineOf) -> Iterator[int]:
    """Yield the cells of the indexed lines."""
    for cell in c.cells:
        yield from line_of(c, cell)


def line_count_reason(c: BoundConstraint, axis: int) -> str:
    """Return why the board does not have as many rows (axis 0) or columns (axis 1) as values; empty if it does."""
    shape, line = c.board.shape, ("rows", "columns")[axis]
    if len(shape) == 2 and shape[axis] == c.n:
        return ""
    return f"it needs as many {line} as values, unlike {c.board.name}"
