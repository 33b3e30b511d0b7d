"""Random constraints that a solution fulfils: cages, lines, dots and clues, put where the grid has what they ask for.

A line is a walk through neighbouring cells, side by side or corner to corner, and a cage is in one piece. Those of one
kind share no cell. What is put down is looked at by the definition of its kind.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.random import RandomState

from sudoku_encode.errors import MethodError, short
from sudoku_encode.generating.table import PLACED
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraint import Constraint, Placed, is_violated, unfit
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids

# How many steps of walks are tried for one line before it is given up.
_MAX_STEPS = 20_000
# Says whether the values at the beginning of a line may go on to one of a length; at the end, whether they are one.
_Fits = Callable[[Sequence[int], int], bool]
# The cells, or of little killers the diagonals, that constraints of a kind have so far.
_Used = set[Any]
_DIAGONALS = (1, 1), (1, -1)


def parse_placed(texts: Sequence[str], board: Geometry) -> tuple[tuple[str, int], ...]:
    """Return kinds and how many of each, from texts such as `thermometer:3`; without a number it is one.

    Raises:
        MethodError: an unknown kind, no number, or a board that does not have what the kind needs.
    """
    found: dict[str, int] = {}
    for text in texts:
        kind, _, number = text.partition(":")
        if kind not in PLACED:
            raise MethodError(
                f"no constraint that can be put at random is called {short(kind, 30)!r}; choose from "
                f"{', '.join(PLACED)}"
            )
        if number and not (number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= 999):
            raise MethodError(f"--with {short(text, 40)}: after the colon comes how many, from 1 to 999")
        found[kind] = found.get(kind, 0) + (int(number) if number else 1)
        if PLACED[kind].needs_lines and not neighbours.has_lines(board):
            raise MethodError(f"--with {kind} needs neighbours, and the cells of {board.name} have none in lines")
        if kind == "little-killer" and len(board.shape) != 2:
            raise MethodError(f"--with {kind} needs rows and columns, which {board.name} does not have")
    return tuple(found.items())


def placed(board: Geometry, grid: Grids, wanted: Sequence[tuple[str, int]], rng: RandomState) -> tuple[Constraint, ...]:
    """Return random constraints that a grid fulfils; fewer than wanted where no more places were found.

    Args:
        board: of the grid.
        grid: a solution, (n_cells,).
        wanted: kinds, keys of PLACED, and how many of each.
        rng: the source of all that is random.
    """
    values, found = grid.tolist(), list[Constraint]()
    for kind, number in wanted:
        makers = _makers(kind)
        used: _Used = set()
        for _ in range(number):
            one = makers(board, values, used, rng)
            if one is None:
                break
            if unfit(one, board) or is_violated(Placed(board, one), values):
                raise MethodError(f"{one.text(board)} does not fit the grid that it was made for")
            found.append(one)
            # Diagonals cross, and each has its clue.
            used |= set(one.cells) if kind == "little-killer" else {cell for cells in one.cells for cell in cells}
    return tuple(found)


_Make = Callable[[Geometry, Sequence[int], set[int], RandomState], Constraint | None]


def _makers(kind: str) -> _Make:
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
    for cell in rng.permutation(board.n_cells).tolist():
        if cell not in used and values[cell] % 2 == (kind == "odd"):
            return Constraint(kind, ((cell,),))
    return None


def _pair(kind: str, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    pairs = neighbours.neighbours(board)
    for at in rng.permutation(len(pairs)).tolist():
        low, high = sorted(values[cell] for cell in pairs[at])
        fits = {"difference": high - low == 1, "ratio": high == 2 * low, "xv": low + high in (5, 10)}[kind]
        if fits and not set(pairs[at]) & used:
            return Constraint(kind, (pairs[at],), (low + high,) if kind == "xv" else ())
    return None


def _cage(board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    beside = _beside(board, diagonal=False)
    for start in rng.permutation(board.n_cells).tolist():
        size, cells = int(rng.randint(2, 5)), [start]
        while start not in used and len(cells) < size:
            held = {values[cell] for cell in cells}
            more = sorted(
                {other for cell in cells for other in beside[cell] if other not in used and values[other] not in held}
            )
            if not more:
                break
            cells.append(more[rng.randint(len(more))])
        if len(cells) > 1:
            return Constraint("cage", (tuple(sorted(cells)),), (sum(values[cell] for cell in cells),))
    return None


def _little_killer(board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    rows, columns = board.shape
    found = list[tuple[int, ...]]()
    for row, column in np.ndindex(rows, columns):
        for down, right in ((1, 1), (1, -1)):
            # The first cell along this direction: none comes before it.
            if 0 <= row - down < rows and 0 <= column - right < columns:
                continue
            length = min(rows - row, columns - column if right > 0 else column + 1)
            if length > 1:
                found.append(tuple((row + down * at) * columns + column + right * at for at in range(length)))
    for at in rng.permutation(len(found)).tolist():
        if found[at] not in used:
            return Constraint("little-killer", (found[at],), (sum(values[cell] for cell in found[at]),))
    return None


def _line(kind: str, board: Geometry, values: Sequence[int], used: _Used, rng: RandomState) -> Constraint | None:
    """Return a line of a random length, or where there is none of the next shorter one."""
    least, most = PLACED[kind].lengths
    fits = _fits(kind, board.n_values)
    beside = _beside(board, diagonal=len(board.shape) == 2)
    for length in range(int(rng.randint(least, most + 1)), least - 1, -1):
        if kind == "palindrome" and length % 2 == 0:
            # Their two middle cells would be equal, and side by side.
            continue
        cells = next(_walks(values, used, beside, fits, length, rng), None)
        if cells is not None:
            lists = (cells[:1], cells[1:]) if kind == "arrow" else (cells,)
            return Constraint(kind, lists)
    return None


def _fits(kind: str, n: int) -> _Fits:
    def between(held: Sequence[int], length: int) -> bool:
        first, middle = held[0], held[1 : length - 1]
        if not middle:
            return True
        last = held[-1] if len(held) == length else None
        above = min(middle) > first and (last is None or max(middle) < last)
        return above or (max(middle) < first and (last is None or min(middle) > last))

    def arrow(held: Sequence[int], length: int) -> bool:
        return sum(held[1:]) == held[0] if len(held) == length else sum(held[1:]) < held[0]

    fits: dict[str, _Fits] = {
        "thermometer": lambda held, length: all(a < b for a, b in pairwise(held)),
        "whispers": lambda held, length: all(abs(a - b) >= (n + 1) // 2 for a, b in pairwise(held)),
        "renban": lambda held, length: len(set(held)) == len(held) and max(held) - min(held) < length,
        "palindrome": lambda held, length: all(
            held[at] == held[length - 1 - at] for at in range(length // 2 + 1, len(held))
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
    """Yield walks through cells that are not used whose values fit, up to a number of steps."""
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
        for at in rng.permutation(len(following)).tolist():
            if following[at] not in used and following[at] not in walk:
                stack.append((*walk, following[at]))


def _beside(board: Geometry, diagonal: bool) -> list[list[int]]:
    pairs = list(neighbours.neighbours(board))
    if diagonal:
        pairs += neighbours.neighbours(board, _DIAGONALS)
    found: list[list[int]] = [[] for _ in range(board.n_cells)]
    for first, second in pairs:
        found[first].append(second)
        found[second].append(first)
    return found
