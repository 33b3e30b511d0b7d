"""Place random constraints that a given solution satisfies: cages, lines, dots and clues.

A line is a walk through cells that touch at a side or a corner; the cells of a cage are connected by sides. Constraints
of one kind share no cell, except little killers. Each constraint is checked by the definition of its kind.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.random import RandomState

from sudoku_encode.errors import MethodError, short
from sudoku_encode.generating.table import PLACED
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraints.constraint import Constraint, Placing
from sudoku_encode.puzzles.constraints.parsing import Kind, bind, constraint_fault
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# After this many steps the search for a line of one length gives up.
_MAX_STEPS = 20_000
# The cells of the constraints of a kind that are already placed; for little killers their diagonals, tuples of cells.
_Used = set[Any]
_DIAGONALS = (1, 1), (1, -1)
# Returns a random constraint of a kind that the values satisfy, on unused cells; None if there is no place for one.
_Make = Callable[[Kind, Geometry, Sequence[int], _Used, RandomState], Constraint | None]


def parse_placed(texts: Sequence[str], board: Geometry) -> tuple[tuple[str, int], ...]:
    """Read texts such as `thermometer:3`: return the kinds and how many of each, 1 if a text has no number.

    Numbers of the same kind are added up.

    Raises:
        MethodError: an unknown kind, an invalid number, or a board that the kind does not fit.
    """
    numbers: dict[str, int] = {}
    for text in texts:
        kind, _, number = text.partition(":")
        if kind not in PLACED:
            raise MethodError(
                f"not a constraint that can be placed at random: {short(kind, 30)!r}; choose from {', '.join(PLACED)}"
            )
        form = _placing(CONSTRAINTS[kind]).form
        if number and not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= 999):
            raise MethodError(f"--with {short(text, 40)}: expected a number from 1 to 999 after the colon")
        numbers[kind] = numbers.get(kind, 0) + (int(number) if number else 1)
        if form != "cell" and not neighbours.has_lines(board):
            raise MethodError(f"--with {kind} needs cells beside each other in lines; {board.name} has no such cells")
        if form == "diagonal" and len(board.shape) != 2:
            raise MethodError(f"--with {kind} needs rows and columns, which {board.name} does not have")
    return tuple(numbers.items())


def place_constraints(
    board: Geometry, grid: Grids, kinds: Sequence[tuple[str, int]], rng: RandomState
) -> tuple[Constraint, ...]:
    """Return random constraints of some kinds that a solution satisfies; fewer if there is no place for more."""
    values, constraints = (grid.astype(int) + board.first - 1).tolist(), list[Constraint]()
    for name, number in kinds:
        kind = CONSTRAINTS[name]
        make = _MAKERS[_placing(kind).form]
        used: _Used = set()
        for _ in range(number):
            constraint = make(kind, board, values, used, rng)
            if constraint is None:
                break
            if constraint_fault(constraint, board) or not _holds(constraint, board, values):
                raise MethodError(f"{constraint.text(board)} does not fit the grid that it was placed in")
            constraints.append(constraint)
            # Diagonals may cross, so a little killer uses up its diagonal, not the cells on it.
            used |= (
                set(constraint.cells)
                if _placing(kind).form == "diagonal"
                else {cell for cells in constraint.cells for cell in cells}
            )
    return tuple(constraints)


def _placing(kind: Kind) -> Placing:
    """Return how a kind is placed, if it is."""
    assert kind.placing is not None
    return kind.placing


def _holds(constraint: Constraint, board: Geometry, values: Sequence[int]) -> bool:
    """Check whether a grid satisfies a constraint; its values are those that people read."""
    return not bind(constraint, board).violated([value + 1 - board.first for value in values])


def _cell(kind: Kind, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a cell by itself."""
    for cell in rng.permutation(board.n_cells).tolist():
        constraint = Constraint(kind.name, ((cell,),))
        if cell not in used and _holds(constraint, board, values):
            return constraint
    return None


def _pair(kind: Kind, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return two cells side by side, with the first of the numbers of the kind that is true of them."""
    pairs = neighbours.neighbours(board)
    for pair in (pairs[number] for number in rng.permutation(len(pairs)).tolist()):
        for numbers in _placing(kind).numbers:
            constraint = Constraint(kind.name, (pair,), numbers)
            if not set(pair) & used and _holds(constraint, board, values):
                return constraint
    return None


def _cage(kind: Kind, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a cage of 2 to 4 cells with different values."""
    beside = _beside(board, diagonal=False)
    for start in rng.permutation(board.n_cells).tolist():
        size, cells = int(rng.randint(2, 5)), [start]
        while start not in used and len(cells) < size:
            used_values = {values[cell] for cell in cells}
            extensions = sorted(
                {
                    other
                    for cell in cells
                    for other in beside[cell]
                    if other not in used and values[other] not in used_values
                }
            )
            if not extensions:
                break
            cells.append(extensions[rng.randint(len(extensions))])
        if len(cells) > 1:
            return Constraint(kind.name, (tuple(sorted(cells)),), (sum(values[cell] for cell in cells),))
    return None


def _diagonal(kind: Kind, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a diagonal of at least two cells with the sum of its values."""
    rows, columns = board.shape
    diagonals = list[tuple[int, ...]]()
    for row, column in np.ndindex(rows, columns):
        for down, right in ((1, 1), (1, -1)):
            # A diagonal starts at a cell that has no cell before it.
            if 0 <= row - down < rows and 0 <= column - right < columns:
                continue
            length = min(rows - row, columns - column if right > 0 else column + 1)
            if length > 1:
                diagonals.append(tuple((row + down * step) * columns + column + right * step for step in range(length)))
    for number in rng.permutation(len(diagonals)).tolist():
        if diagonals[number] not in used:
            amount = sum(values[cell] for cell in diagonals[number])
            return Constraint(kind.name, (diagonals[number],), (amount,))
    return None


def _walk(kind: Kind, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a line of a random length, or of the next shorter length for which a line is found."""
    least, most = _placing(kind).lengths
    beside = _beside(board, diagonal=len(board.shape) == 2)
    for length in range(int(rng.randint(least, most + 1)), least - 1, -1):
        if _placing(kind).is_odd and length % 2 == 0:
            continue
        cells = next(_walks(kind, values, used, beside, length, board.n_values, rng), None)
        if cells is not None:
            # A kind with two lists, such as the arrow, begins with a list of one cell.
            lists = (cells[:1], cells[1:]) if kind.n_lists == (2, 2) else (cells,)
            return Constraint(kind.name, lists)
    return None


_MAKERS: dict[str, _Make] = {
    "cell": _cell,
    "pair": _pair,
    "cage": _cage,
    "diagonal": _diagonal,
    "walk": _walk,
}


def _walks(
    kind: Kind,
    values: Sequence[int],
    used: _Used,
    beside: Sequence[Sequence[int]],
    length: int,
    n: int,
    rng: RandomState,
) -> Iterator[tuple[int, ...]]:
    """Yield random walks of a length through unused cells whose values fit, until `_MAX_STEPS` steps are taken."""
    stack: list[tuple[int, ...]] = [(cell,) for cell in rng.permutation(len(values)).tolist() if cell not in used]
    for _ in range(_MAX_STEPS):
        if not stack:
            return
        walk = stack.pop()
        if not kind.can_begin_walk([values[cell] for cell in walk], length, n):
            continue
        if len(walk) == length:
            yield walk
            continue
        following = beside[walk[-1]]
        for number in rng.permutation(len(following)).tolist():
            if following[number] not in used and following[number] not in walk:
                stack.append((*walk, following[number]))


def _beside(board: Geometry, diagonal: bool) -> list[list[int]]:
    """Return for each cell the cells that touch it at a side, or with `diagonal` at a side or a corner."""
    pairs = list(neighbours.neighbours(board))
    if diagonal:
        pairs += neighbours.neighbours(board, _DIAGONALS)
    neighbours_of: list[list[int]] = [[] for _ in range(board.n_cells)]
    for first, second in pairs:
        neighbours_of[first].append(second)
        neighbours_of[second].append(first)
    return neighbours_of
