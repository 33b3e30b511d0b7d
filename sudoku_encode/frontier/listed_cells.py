"""Count squares with few cells in extra units: list the fillings of these cells, and count the rest without the units.

Where every extra unit is filled, only rows, columns and boxes remain, for which there are faster ways. Values that
nothing tells apart are listed in the order of their first use, and on an empty board only one filling is counted of
those that exchanges of rows and columns make of each other.
"""

from collections.abc import Callable, Generator, Iterator
from itertools import permutations, product
from math import isqrt, perm

import numpy as np

from sudoku_encode.frontier.problem import separated_values
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

PLAIN_RULES = ("row", "column", "box")
# The two diagonals of the 9x9 have 17 cells.
MAX_CELLS = 17
# More fillings are not counted: each takes some milliseconds.
MAX_FILLINGS = 2**17

# Counts a puzzle, see `Strategy.count`.
CountPuzzle = Callable[[Puzzle, Callable[[], None], int], Generator[str, None, int]]


def fits(board: Geometry) -> bool:
    """Return whether this is a 9x9 with 3x3 boxes and extra units of few cells."""
    if board.shape != (9, 9) or not set(PLAIN_RULES) < set(board.rule_names):
        return False
    return board.with_rules(PLAIN_RULES).is_classic and len(_cells(board)) <= MAX_CELLS


def count(
    puzzle: Puzzle,
    candidates: Candidates,
    tick: Callable[[], None],
    max_bytes: int,
    count_puzzle: CountPuzzle,
) -> Generator[str, None, int]:
    """Yield a line about the fillings, and return the number of solutions; `count_puzzle` counts puzzles of the square.

    Raises:
        OutOfTableMemory: there are too many fillings.
    """
    board, n = puzzle.geometry, puzzle.geometry.n_values
    cells = _cells(board)
    # For each value the first that nothing distinguishes from it.
    names = np.argmax(~separated_values(puzzle.candidates), axis=1)
    listed: list[list[int]] = []
    for filling in _fillings(board, candidates, cells, names):
        if len(listed) % 256 == 0:
            tick()
        if len(listed) == MAX_FILLINGS:
            raise OutOfTableMemory(f"more than {MAX_FILLINGS:,} fillings of the {len(cells)} cells in extra units")
        listed.append(filling)
    fillings = np.array(listed, np.int64).reshape(-1, len(cells))
    chosen, sizes = np.arange(len(fillings)), np.ones(len(fillings), np.int64)
    if not names.any() and board.box == (isqrt(n), isqrt(n)):
        chosen, sizes = classes(fillings, symmetries(board, cells, tick))
    yield f"{len(fillings):,} fillings of the {len(cells)} cells in extra units, {len(chosen):,} to count"
    square, total = board.with_rules(PLAIN_RULES), 0
    class_sizes = np.bincount(names, minlength=n).tolist()
    for filling, size in zip(fillings[chosen], sizes.tolist(), strict=True):
        givens = puzzle.givens.copy()
        givens[cells] = filling + 1
        factor = size
        for name, used in zip(*np.unique(names[np.unique(filling)], return_counts=True), strict=True):
            factor *= perm(class_sizes[name], int(used))
        total += factor * _last(count_puzzle(Puzzle.of(square, givens, puzzle.pencilmarks), tick, max_bytes))
    return total


def _last(lines: Generator[str, None, int]) -> int:
    """Return the number that a count without its lines returns."""
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


def _extra_units(board: Geometry) -> list[Intps]:
    """Return the cells of each unit that is not a row, column or box."""
    return [unit.astype(np.intp) for rule in board.rules if rule.name not in PLAIN_RULES for unit in rule.units]


def _cells(board: Geometry) -> Intps:
    """Return the cells in extra units."""
    return np.unique(np.concatenate([*_extra_units(board), np.empty(0, np.intp)]))


def _fillings(board: Geometry, candidates: Candidates, cells: Intps, names: Intps) -> Iterator[list[int]]:
    """Yield the fillings of some cells, values of one name in the order of their first use."""
    earlier = [
        [other for other in range(place) if cells[other] in board.peers[cell]] for place, cell in enumerate(cells)
    ]
    values = [np.flatnonzero(candidates[cell]).tolist() for cell in cells]
    name_of_value = names.tolist()
    filling: list[int] = []

    def next_values() -> list[int]:
        """Return the values of the next cell, the last one first."""
        place, used = len(filling), set(filling)
        barred = {filling[other] for other in earlier[place]}
        new = [value for value in values[place] if value not in barred]
        firsts: dict[int, int] = {}
        for value in new:
            if value not in used:
                firsts.setdefault(name_of_value[value], value)
        return [value for value in reversed(new) if value in used or firsts[name_of_value[value]] == value]

    rest = [next_values()]
    while rest:
        if not rest[-1]:
            rest.pop()
            if filling:
                filling.pop()
            continue
        filling.append(rest[-1].pop())
        if len(filling) == len(cells):
            yield filling.copy()
            filling.pop()
        else:
            rest.append(next_values())


def symmetries(board: Geometry, cells: Intps, tick: Callable[[], None]) -> Int64s:
    """Return how exchanges of rows and columns permute cells in extra units, int64 (symmetries, cells).

    They keep the boxes and the extra units. Each symmetry says for each of the cells which of them comes to its place.
    """
    n, k = board.n_values, isqrt(board.n_values)
    orders = np.array(
        [
            [k * band + line for band, lines in zip(bands, inside, strict=True) for line in lines]
            for bands in permutations(range(k))
            for inside in product(permutations(range(k)), repeat=k)
        ]
    )
    place = np.full(n * n, -1, np.int64)
    place[cells] = np.arange(len(cells))
    units = {frozenset(place[unit].tolist()) for unit in _extra_units(board)}
    numbers, moves = np.arange(n * n).reshape(n, n), set()
    pattern = (place >= 0).reshape(n, n) @ (1 << np.arange(n))
    for square in (numbers, numbers.T):
        for columns in orders:
            tick()
            image = (place[square[:, columns]] >= 0) @ (1 << np.arange(n))
            for rows in orders[(image[orders] == pattern).all(axis=1)]:
                moved = place[square[rows][:, columns].ravel()[cells]]
                if {frozenset(moved[list(unit)].tolist()) for unit in units} == units:
                    moves.add(tuple(moved.tolist()))
    return np.array(sorted(moves), np.int64)


def classes(fillings: Int64s, moves: Int64s) -> tuple[Intps, Int64s]:
    """Return the numbers of fillings that stand for all others, and for how many; values have no names.

    `moves` are symmetries, see there. Each filling has its values in the order of their first use.
    """
    least = np.full(len(fillings), np.iinfo(np.int64).max)
    for move in moves:
        images, labels = fillings[:, move], np.full((len(fillings), fillings.max(initial=0) + 1), -1, np.int64)
        code, n_used, rows = (
            np.zeros(len(fillings), np.int64),
            np.zeros(len(fillings), np.int64),
            np.arange(len(fillings)),
        )
        for column in images.T:
            new = labels[rows, column] < 0
            labels[rows[new], column[new]] = n_used[new]
            n_used += new
            code = code * labels.shape[1] + labels[rows, column]
        least = np.minimum(least, code)
    _, chosen, sizes = np.unique(least, return_index=True, return_counts=True)
    return chosen, sizes
