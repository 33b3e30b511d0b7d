"""Random solutions of a board.

A small board is filled from scratch. A large one starts from a pattern that every square and every cube has, shuffled
by the symmetries of the board, and is then refilled: all cells of a few random values are freed and filled anew.
Filling takes the cells in random order and gives each the first value, in a random order, with which a solution
remains. The grid depends only on the random numbers, not on the solver, so a seed gives the same grid everywhere.
"""

from collections.abc import Callable
from itertools import combinations
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, breaks_rule
from sudoku_encode.puzzles.rules import CUBE_RULES, SQUARE_RULES
from sudoku_encode.puzzles.shapes import default_box
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver

if TYPE_CHECKING:
    # Most commands need no random numbers, and loading it takes as long as reading a puzzle.
    from numpy.random import RandomState

# The fastest solver of PySAT for many small questions about one formula.
SOLVER = "cadical153"
# A board with more candidates than a 10x10 is not filled from scratch, which may never end.
SMALL_CANDIDATES = 1_000
# How many values are refilled in a round, and how many rounds there are.
_REFILLED_VALUES, REFILLING_ROUNDS = 4, 10


def solution(
    solver: IncrementalSolver, rng: "RandomState", deadline: Deadline, rounds: int = REFILLING_ROUNDS
) -> Grids | None:
    """Return a random solution of an empty board, uint8 (n_cells,), or None if there is no solution.

    Not every solution is equally likely, and solutions that refilling cannot reach from the pattern never appear. With
    0 rounds of refilling, the solution is the pattern, shuffled.
    """
    board = solver.encoding.puzzle.geometry
    # The pattern ignores constraints.
    is_large = board.n_cells * board.n_values > SMALL_CANDIDATES and not solver.encoding.puzzle.constraints
    grid = pattern(board) if is_large else None
    if grid is None:
        return _filled(solver, rng, deadline)
    return refilled_pattern(board, grid, rng, deadline, rounds)


def refilled_pattern(board: Geometry, grid: Grids, rng: "RandomState", deadline: Deadline, rounds: int) -> Grids:
    """Return a solution that is shuffled, and then refilled in some rounds."""
    grid = shuffled(board, grid, rng)
    for _ in range(rounds):
        grid = refilled(board, grid, rng, deadline, encode)
    return grid


def refilled(
    board: Geometry, grid: Grids, rng: "RandomState", deadline: Deadline, encoded: Callable[[Puzzle], Encoding]
) -> Grids:
    """Return a solution with all cells of a few random values filled anew.

    `encoded` makes a formula for the possible solutions from the rest of the grid.
    """
    freed = rng.permutation(board.n_values)[:_REFILLED_VALUES] + 1
    rest = Puzzle.of(board, np.where(np.isin(grid, freed), 0, grid))
    with IncrementalSolver(encoded(rest), SOLVER) as solver:
        refilled_grid = _filled(solver, rng, deadline)
    if refilled_grid is None:
        raise InternalError(f"a solution of {board.name} was lost while it was refilled")
    return refilled_grid


def pattern(board: Geometry) -> Grids | None:
    """Return the regular solution of a square or a cube, with any of its rules, or None for another board.

    On a cube with n = k * k, a value is two digits to base k, and so is a coordinate: x = k * x1 + x0. Those of the
    value are x0 + y1 + z1 + z0 and x1 + y0 + z0, modulo k. The two digits of a line, x1 and x0, or of a box, x0 and y0,
    determine those of the value and are determined by them, so every line and every box has every value once. A Latin
    cube may have another side: there the value is x + y + z modulo n.
    """
    n, k = board.n_values, isqrt(board.n_values)
    if len(board.shape) == 3 and set(board.rule_names) <= set(CUBE_RULES):
        x, y, z = np.ix_(range(n), range(n), range(n))
        high, low = np.divmod(np.arange(n), k)
        first = low[x] + high[y] + high[z] + low[z]
        second = high[x] + low[y] + low[z]
        grid = first % k * k + second % k if k * k == n else (x + y + z) % n
    elif set(board.rule_names) <= set(SQUARE_RULES) and (box := _box(board)):
        r, c = box
        row, column = np.ix_(range(n), range(n))
        grid = (row % r * c + row // r + column) % n
    else:
        return None
    values: Grids = (grid.ravel() + 1).astype(np.uint8)
    return None if breaks_rule(board, values[None])[0] else values


def shuffled(board: Geometry, grid: Grids, rng: "RandomState") -> Grids:
    """Return a solution of a square or a cube with values renamed, and bands and the lines in them permuted."""
    n = board.n_values
    names = np.concatenate([[0], rng.permutation(n) + 1]).astype(np.uint8)
    cells = names[grid].reshape(board.shape)
    for axis in range(cells.ndim):
        cells = np.take(cells, _banded(n, _band(board, axis), rng), axis=axis)
    return np.ascontiguousarray(cells).ravel()


def _band(board: Geometry, axis: int) -> int:
    """Return how many lines or planes across an axis form a band; all of them if there cannot be boxes."""
    box, k = _box(board), isqrt(board.n_values)
    if box:
        return box[axis]
    return k if k * k == board.n_values else board.n_values


def _box(board: Geometry) -> tuple[int, int] | None:
    """Return the box of a square; a usual one if boxes are not among its rules, since any box works there."""
    n = board.n_values
    # A prime side has no other box than a row.
    return board.box or ((default_box(n) or (1, n)) if board.shape == (n, n) else None)


def _banded(n: int, band: int, rng: "RandomState") -> NDArray[np.intp]:
    """Return a permutation of n lines that keeps bands together."""
    order = [first * band + rng.permutation(band) for first in rng.permutation(n // band)]
    return np.concatenate(order)


def _filled(solver: IncrementalSolver, rng: "RandomState", deadline: Deadline) -> Grids | None:
    """Return the first solution in a random order of the blanks and of the values of each; None if none exists."""
    encoding = solver.encoding
    if encoding.contradiction or not solver.solve([], deadline):
        return None
    board, blanks = encoding.puzzle.geometry, encoding.puzzle.blanks
    order = blanks[rng.permutation(len(blanks))]
    preferred = np.argsort(rng.random_sample((len(order), board.n_values)), axis=1)
    # The candidates that remain next to the filled cells: they make most questions to the solver unnecessary.
    possible = encoding.candidates.copy()
    model, fixed = solver.model(), list[int]()
    for cell, values in zip(order.tolist(), preferred, strict=True):
        for value in values[possible[cell, values]].tolist():
            literal = int(encoding.literals[cell, value, 0])
            # A value without a literal is the only possible one of the cell.
            if literal and not model[literal]:
                if not solver.solve([*fixed, literal], deadline):
                    continue
                model = solver.model()
            if literal:
                fixed.append(literal)
            possible[board.peers[cell], value] = False
            break
    grid: Grids = encoding.decode_all(model[None])[0, : encoding.puzzle.geometry.n_grid]
    return grid


def kempe_sets(board: Geometry, grid: Grids) -> list[NDArray[np.intp]]:
    """Return sets of cells of a solution that another solution fills differently: connected cells of two values.

    If two values are swapped in a connected part of the cells that hold them, no rule is broken. So some cell of each
    set must be given for the solution to be unique. (In graph colouring the parts are called Kempe chains.)
    """
    ends = grid[board.edges]
    low, high = ends.min(axis=1), ends.max(axis=1)
    sets: list[NDArray[np.intp]] = []
    for first, second in combinations(range(1, board.n_values + 1), 2):
        edges = board.edges[(low == first) & (high == second)]
        part = np.arange(board.n_cells)
        while True:
            smallest = part.copy()
            np.minimum.at(smallest, edges[:, 0], part[edges[:, 1]])
            np.minimum.at(smallest, edges[:, 1], part[edges[:, 0]])
            smallest = smallest[smallest]
            if np.array_equal(smallest, part):
                break
            part = smallest
        cells = np.flatnonzero((grid == first) | (grid == second))
        sets += [cells[part[cells] == root] for root in np.unique(part[cells])]
    return sets
