"""Place random constraints that a given solution satisfies: cages, lines, dots and clues.

A line is a walk through cells that touch at a side or a corner; the cells of a cage are connected by sides. Constraints
of one kind share no cell, except little killers. Each constraint is checked by the definition of its kind.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import RandomState

from sudoku_encode.errors import MethodError, short
from sudoku_encode.generating.table import PLACED
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraint import BoundConstraint, Constraint, constraint_fault, is_violated
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# After this many steps the search for a line of one length gives up.
_MAX_STEPS = 20_000
# Takes the values of the first cells of a line, and the length of the whole line. Returns whether the line can begin
# with these values; if they are as many as its length, whether they are a line.
_Fits = Callable[[Sequence[int], int], bool]
# The cells of the constraints of a kind that are already placed; for little killers their diagonals, tuples of cells.
_Used = set[Any]
_DIAGONALS = (1, 1), (1, -1)
# Returns a random constraint of a kind that the values satisfy, on unused cells; None if there is no place for one.
_Make = Callable[[Geometry, Sequence[int], _Used, RandomState], Constraint | None]


def parse_placed(texts: Sequence[str], board: Geometry) -> tuple[tuple[str, int], ...]:
    """Read texts such as `thermometer:3`: return the kinds and how many of each, 1 if a text has no number.

    Args:
        texts: the values of the option --with; numbers of the same kind are added up.
        board: the board on which they are placed.

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
        if number and not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= 999):
            raise MethodError(f"--with {short(text, 40)}: expected a number from 1 to 999 after the colon")
        numbers[kind] = numbers.get(kind, 0) + (int(number) if number else 1)
        if PLACED[kind].needs_lines and not neighbours.has_lines(board):
            raise MethodError(f"--with {kind} needs cells beside each other in lines; {board.name} has no such cells")
        if kind == "little-killer" and len(board.shape) != 2:
            raise MethodError(f"--with {kind} needs rows and columns, which {board.name} does not have")
    return tuple(numbers.items())


def place_constraints(
    board: Geometry, grid: Grids, kinds: Sequence[tuple[str, int]], rng: RandomState
) -> tuple[Constraint, ...]:
    """Return random constraints that a grid satisfies; fewer than requested if there is no place for more.

    Args:
        board: the board of the grid.
        grid: a solution, (n_cells,).
        kinds: keys of PLACED, each with the number of constraints.
        rng: the source of all random choices.
    """
    values, constraints = grid.tolist(), list[Constraint]()
    for kind, number in kinds:
        make = _maker(kind)
        used: _Used = set()
        for _ in range(number):
            constraint = make(board, values, used, rng)
            if constraint is None:
                break
            if constraint_fault(constraint, board) or is_violated(BoundConstraint(board, constraint), values):
                raise MethodError(f"{constraint.text(board)} does not fit the grid that it was placed in")
            constraints.append(constraint)
            # Diagonals may cross, so a little killer uses up its diagonal, not the cells on it.
            used |= (
                set(constraint.cells)
                if kind == "little-killer"
                else {cell for cells in constraint.cells for cell in cells}
            )
    return tuple(constraints)


def _maker(kind: str) -> _Make:
    """Return the function that places a constraint of a kind."""
    if kind in ("odd", "even"):
        return lambda board, values, used, rng: _cell(kind, board, values, used, rng)
    if kind == "cage":
        return _cage
    if kind == "little-killer":
        return _little_killer
    if kind in ("difference", "ratio", "xv"):
        return lambda board, values, used, rng: _pair(kind, board, values, used, rng)
    return lambda board, values, used, rng: _line(kind, board, values, used, rng)


def _cell(kind: str, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return an odd or an even cell."""
    for cell in rng.permutation(board.n_cells).tolist():
        if cell not in used and values[cell] % 2 == (kind == "odd"):
            return Constraint(kind, ((cell,),))
    return None


def _pair(kind: str, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return two cells side by side whose values have a difference of 1, a ratio of 2, or a sum of 5 or 10."""
    pairs = neighbours.neighbours(board)
    for number in rng.permutation(len(pairs)).tolist():
        low, high = sorted(values[cell] for cell in pairs[number])
        fits = {"difference": high - low == 1, "ratio": high == 2 * low, "xv": low + high in (5, 10)}[kind]
        if fits and not set(pairs[number]) & used:
            return Constraint(kind, (pairs[number],), (low + high,) if kind == "xv" else ())
    return None


def _cage(board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
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
            return Constraint("cage", (tuple(sorted(cells)),), (sum(values[cell] for cell in cells),))
    return None


def _little_killer(board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
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
            return Constraint("little-killer", (diagonals[number],), (sum(values[cell] for cell in diagonals[number]),))
    return None


def _line(kind: str, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a line of a random length, or of the next shorter length for which a line is found."""
    least, most = PLACED[kind].lengths
    fits = _fits(kind, board.n_values)
    beside = _beside(board, diagonal=len(board.shape) == 2)
    for length in range(int(rng.randint(least, most + 1)), least - 1, -1):
        if kind == "palindrome" and length % 2 == 0:
            # Its two middle cells would be equal and side by side.
            continue
        cells = next(_walks(values, used, beside, fits, length, rng), None)
        if cells is not None:
            lists = (cells[:1], cells[1:]) if kind == "arrow" else (cells,)
            return Constraint(kind, lists)
    return None


def _fits(kind: str, n: int) -> _Fits:
    """Return the check of a kind of lines; `n` is the number of values."""

    def between(line: Sequence[int], length: int) -> bool:
        # All values between the ends are above the first and below the last one, or the other way round.
        first, middle = line[0], line[1 : length - 1]
        if not middle:
            return True
        last = line[-1] if len(line) == length else None
        ascends = min(middle) > first and (last is None or max(middle) < last)
        return ascends or (max(middle) < first and (last is None or min(middle) > last))

    def arrow(line: Sequence[int], length: int) -> bool:
        # The first value, in the circle, is the sum of the others.
        return sum(line[1:]) == line[0] if len(line) == length else sum(line[1:]) < line[0]

    fits: dict[str, _Fits] = {
        "thermometer": lambda line, length: all(a < b for a, b in pairwise(line)),
        "whispers": lambda line, length: all(abs(a - b) >= (n + 1) // 2 for a, b in pairwise(line)),
        "renban": lambda line, length: len(set(line)) == len(line) and max(line) - min(line) < length,
        "palindrome": lambda line, length: all(
            line[place] == line[length - 1 - place] for place in range(length // 2 + 1, len(line))
        ),
        "between": between,
        "arrow": arrow,
    }
    return fits[kind]


def _walks(
    values: Sequence[int],
    used: _Used,
    beside: Sequence[Sequence[int]],
    fits: _Fits,
    length: int,
    rng: RandomState,
) -> Iterator[tuple[int, ...]]:
    """Yield random walks of a length through unused cells whose values fit, until `_MAX_STEPS` steps are taken."""
    stack: list[tuple[int, ...]] = [(cell,) for cell in rng.permutation(len(values)).tolist() if cell not in used]
    for _ in range(_MAX_STEPS):
        if not stack:
            return
        walk = stack.pop()
        if not fits([values[cell] for cell in walk], length):
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
