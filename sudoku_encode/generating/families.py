"""Families of instances: holes in a random solution, any number of solutions; and neighbours without a solution.

Unlike other random puzzles they need no proof of uniqueness, so boards may be large: a Latin square is made by a random
walk, and a board that would take a SAT solver minutes by swaps of two values.

Source: Achlioptas, Gomes, Kautz & Selman 2000 (quasigroups with holes); Kautz et al. 2001 (balanced holes); Jacobson &
Matthews 1996 (random Latin squares).
"""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.generating import grids
from sudoku_encode.generating.digging import is_satisfiable
from sudoku_encode.generating.options import is_latin_square
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver

if TYPE_CHECKING:
    # Most commands need no random numbers, and loading it takes as long as reading a puzzle.
    from numpy.random import RandomState

Cells = NDArray[np.intp]

# How many moves a random Latin square takes at least; a large one takes a move for each cell.
_LEAST_MOVES = 100
# With more candidates than a 64x64 a round of refilling takes minutes.
_REFILLED_CANDIDATES = 1 << 18
# How many swaps of two values a larger board gets for each value.
_SWAPS = 20
# How many swaps of a hole and a given may make holes more even.
_BALANCING_STEPS = 20_000
# In how many cells a change is tried that only a solver can refute.
_CHANGED_CELLS = 60


# Full grids.


def full_grid(puzzle: Puzzle, rng: "RandomState", deadline: Deadline) -> Grids | None:
    """Return a random solution of a puzzle without givens, uint8 (n_cells,), or None if there is no solution.

    A Latin square is nearly uniform: it ends a random walk whose limit is the uniform distribution. Another
    board is as in `grids.solution`; above 2 ** 18 candidates it is a shuffled pattern after random swaps of two values.
    """
    board = puzzle.geometry
    pattern = None if puzzle.constraints else grids.pattern(board)
    if pattern is not None and is_latin_square(board):
        return _random_latin_square(grids.shuffled(board, pattern, rng), rng, deadline)
    if pattern is not None and board.n_cells * board.n_values > _REFILLED_CANDIDATES:
        return _with_swaps(board, grids.shuffled(board, pattern, rng), rng, deadline)
    if pattern is not None and board.n_cells * board.n_values > grids.SMALL_CANDIDATES:
        return grids.refilled_pattern(board, pattern, rng, deadline, grids.REFILLING_ROUNDS)
    with IncrementalSolver(encode(puzzle, reduction="none"), grids.SOLVER) as solver:
        return grids.solution(solver, rng, deadline)


def _random_latin_square(grid: Grids, rng: "RandomState", deadline: Deadline) -> Grids:
    """Return a Latin square after a number of moves from one square to another."""
    # The square is a cube of 0 and 1, where row, column and value are the axes. A step adds 1 to a cell (x, y, z)
    # and restores the sums of its lines by seven further cells; one of them may get -1 and is then the next (x, y, z).
    # A move ends when nothing is -1. The number of moves is fixed, since a walk that ended at the first square after a
    # number of steps would prefer squares that end long moves.
    n = round(len(grid) ** 0.5)
    if n < 2:
        return grid
    # For each line of the cube, the places with 1 along it: two if the line contains the -1.
    along: tuple[list[list[list[int]]], ...] = tuple([[[] for _ in range(n)] for _ in range(n)] for _ in range(3))
    for cell, value in enumerate(grid.tolist()):
        _put(along, cell // n, cell % n, value - 1)
    negative: tuple[int, int, int] | None = None
    moves = max(n * n, _LEAST_MOVES)
    while moves:
        deadline()
        drawn = rng.randint(0, n, size=(n * n, 2)).tolist()
        offsets, sides = rng.randint(1, n, size=n * n).tolist(), rng.randint(0, 2, size=(n * n, 3)).tolist()
        for (row, column), offset, (in_x, in_y, in_z) in zip(drawn, offsets, sides, strict=True):
            x, y, z = negative or (row, column, (along[2][row][column][0] + offset) % n)
            xs, ys, zs = along[0][y][z], along[1][x][z], along[2][x][y]
            x1, y1, z1 = xs[in_x % len(xs)], ys[in_y % len(ys)], zs[in_z % len(zs)]
            if not negative:
                _put(along, x, y, z)
            for place in ((x1, y, z), (x, y1, z), (x, y, z1)):
                _take(along, *place)
            for place in ((x, y1, z1), (x1, y, z1), (x1, y1, z)):
                _put(along, *place)
            negative = None if _take(along, x1, y1, z1) else (x1, y1, z1)
            moves -= not negative
            if not moves:
                break
    return np.array([along[2][x][y][0] + 1 for x in range(n) for y in range(n)], np.uint8)


def _put(along: tuple[list[list[list[int]]], ...], x: int, y: int, z: int) -> None:
    along[0][y][z].append(x)
    along[1][x][z].append(y)
    along[2][x][y].append(z)


def _take(along: tuple[list[list[list[int]]], ...], x: int, y: int, z: int) -> bool:
    """Take a 1 away; return whether there is one."""
    if x not in along[0][y][z]:
        return False
    along[0][y][z].remove(x)
    along[1][x][z].remove(y)
    along[2][x][y].remove(z)
    return True


def _with_swaps(board: Geometry, grid: Grids, rng: "RandomState", deadline: Deadline) -> Grids:
    """Return a solution after random swaps of two values in a connected part of the cells that hold them."""
    # A swap and its reverse are equally likely, so in the long run all grids that swaps can reach are.
    grid = grid.copy()
    for _ in range(_SWAPS * board.n_values):
        deadline()
        cell = rng.randint(board.n_cells)
        other = (int(grid[cell]) - 1 + rng.randint(1, board.n_values)) % board.n_values + 1
        # The cells that hold one of the values and were not reached yet.
        unseen = (grid == grid[cell]) | (grid == other)
        unseen[cell] = False
        reached, part = [np.array([cell])], []
        while len(reached[-1]):
            part.append(reached[-1])
            near = np.unique(np.concatenate([board.peers[one] for one in reached[-1].tolist()]))
            near = near[unseen[near]]
            unseen[near] = False
            reached.append(near)
        cells = np.concatenate(part)
        grid[cells] = int(grid[cell]) + other - grid[cells].astype(np.int64)
    return grid


# Holes.


def random_holes(board: Geometry, blanks: int, rng: "RandomState") -> Cells:
    """Return cells to blank, each set of that size equally likely."""
    holes: Cells = rng.permutation(board.n_cells)[:blanks]
    return holes


def balanced_holes(board: Geometry, blanks: int, rng: "RandomState") -> Cells:
    """Return cells to blank such that the units of a rule contain nearly equally many.

    Cells with the fewest holes in their units become holes one after the other. Then the hole with the most others in
    its units moves to a cell with the fewest, until the numbers in the units of each rule differ by at most 1, or for a
    number of steps. The sum of the squares of the numbers never grows.
    """
    units = [unit for rule in board.rules for unit in rule.units]
    of_cell: list[list[int]] = [[] for _ in range(board.n_cells)]
    for number, unit in enumerate(units):
        for cell in unit.tolist():
            of_cell[cell].append(number)
    counts = np.zeros(len(units), np.int64)
    # Twice the holes in the units of each cell, plus its units: how much a hole there adds to the sum of squares.
    cost = np.array([len(numbers) for numbers in of_cell])
    is_hole = np.zeros(board.n_cells, bool)

    def change(cell: int, by: int) -> None:
        is_hole[cell] = by > 0
        for number in of_cell[cell]:
            counts[number] += by
            cost[units[number]] += 2 * by

    def choose(cells: Cells, highest: bool) -> int:
        costs = cost[cells]
        ties = cells[costs == (costs.max() if highest else costs.min())]
        return int(ties[rng.randint(len(ties))])

    for _ in range(blanks):
        change(choose(np.flatnonzero(~is_hole), highest=False), 1)
    if blanks in (0, board.n_cells):
        return np.flatnonzero(is_hole)
    starts = np.cumsum([0, *(len(rule.units) for rule in board.rules)])[:-1]
    for _ in range(_BALANCING_STEPS):
        if (np.maximum.reduceat(counts, starts) - np.minimum.reduceat(counts, starts) <= 1).all():
            break
        change(choose(np.flatnonzero(is_hole), highest=True), -1)
        change(choose(np.flatnonzero(~is_hole), highest=False), 1)
    return np.flatnonzero(is_hole)


# Neighbours without a solution.


class Refutation(NamedTuple):
    """A puzzle without a solution.

    Attributes:
        puzzle: the puzzle.
        proof: what proves that there is no solution.
    """

    puzzle: Puzzle
    proof: str


def unsatisfiable_neighbour(puzzle: Puzzle, rng: "RandomState", deadline: Deadline) -> Refutation | None:
    """Return a puzzle without a solution that differs from a solvable one in one given, or None if none is known.

    No given has the value of another in its units. A value that naked and hidden singles do not exclude from the cell
    is preferred, so that a solver has to search.
    """
    board, easy = puzzle.geometry, None
    for cell in rng.permutation(np.flatnonzero(puzzle.givens))[:_CHANGED_CELLS].tolist():
        givens = puzzle.givens.copy()
        clashing = {0, int(givens[cell]), *givens[board.peers[cell]].tolist()}
        values = [value for value in (rng.permutation(board.n_values) + 1).tolist() if value not in clashing]
        givens[cell] = 0
        rest = replace(puzzle, givens=givens)
        encoding = encode(rest, reduction="singles")
        with IncrementalSolver(encoding, grids.SOLVER) as solver:
            for value in values:
                changed = givens.copy()
                changed[cell] = value
                if not encoding.candidates[cell, value - 1]:
                    easy = easy or Refutation(replace(puzzle, givens=changed), "naked and hidden singles")
                elif is_satisfiable(solver, [int(encoding.literals[cell, value - 1, 0])], deadline) is False:
                    return Refutation(replace(puzzle, givens=changed), grids.SOLVER)
    return easy
