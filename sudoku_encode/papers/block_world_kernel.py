"""The compiled moves of the robots of `block_world`.

All of the state is in arrays, so that a search can stop after any move and be resumed. The inner functions take arrays
one by one: numba counts references to the arrays of a tuple, which takes longer than the functions.
"""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.compiling import compiled_with_arrays, subroutine_with_arrays

# Places in `World.counts`: boxes of model 1 on the board, the robot whose turn it is, boxes put, boxes taken back, full
# grids in `out`.
HEIGHT, TURN, PUT, TAKEN, FOUND = range(5)

# The definitions of a valid position: 2 to 4 as printed, and the sound one.
SOUND_4 = 5

# Outcomes of a move of model 1.
PUTS, TAKES, FULL, ENDED = range(4)


class World(NamedTuple):
    """A board with its boxes. Sets of numbers are bits, number i at i - 1."""

    grid: Grids  # the number of the box in each cell, 0 for an empty cell
    allowed: Int64s  # the numbers that the puzzle allows in each cell
    rows: Int64s  # the numbers in each row
    columns: Int64s  # the numbers in each column
    blocks: Int64s  # the numbers in each box of the board (the paper's subblock)
    shape: Int64s  # rows and columns of a subblock
    blanks: Int64s  # the positions for model 1 to fill, in order
    tried: Int64s  # the number last tried on each of them
    counts: Int64s  # (5,): see HEIGHT
    out: Grids  # the full grids


def start(puzzle: Puzzle, n_out: int = 1024) -> World:
    """Return the board with its givens, which must not clash, and room for `n_out` full grids at a time."""
    board = puzzle.geometry
    n = board.n_values
    bits = np.int64(1) << np.arange(n, dtype=np.int64)
    world = World(
        grid=np.zeros(board.n_cells, np.uint8),
        allowed=puzzle.candidates @ bits,
        rows=np.zeros(n, np.int64),
        columns=np.zeros(n, np.int64),
        blocks=np.zeros(n, np.int64),
        shape=np.array(board.box, np.int64),
        blanks=puzzle.blanks.astype(np.int64),
        tried=np.zeros(board.n_cells + 1, np.int64),
        counts=np.zeros(5, np.int64),
        out=np.zeros((n_out, board.n_cells), np.uint8),
    )
    for cell in np.flatnonzero(puzzle.givens).tolist():
        put(world, cell, int(puzzle.givens[cell]))
    return world


@subroutine_with_arrays
def block_of(shape: Int64s, n: int, row: int, column: int) -> int:
    """Return the subblock of a cell, numbered in reading order."""
    return int(row // shape[0] * (n // shape[1]) + column // shape[1])


@subroutine_with_arrays
def free_numbers(allowed: Int64s, rows: Int64s, columns: Int64s, blocks: Int64s, shape: Int64s, cell: int) -> int:
    """Return the numbers that break no rule in an empty cell."""
    n = len(rows)
    row, column = cell // n, cell % n
    return int(allowed[cell] & ~(rows[row] | columns[column] | blocks[block_of(shape, n, row, column)]))


@compiled_with_arrays
def put(world: World, cell: int, number: int) -> None:
    """Put a box on the board; on a box of the board, flip its bits back."""
    n = len(world.rows)
    row, column, bit = cell // n, cell % n, 1 << (number - 1)
    world.grid[cell] = number
    world.rows[row] ^= bit
    world.columns[column] ^= bit
    world.blocks[block_of(world.shape, n, row, column)] ^= bit


@subroutine_with_arrays
def take_back(world: World, cell: int) -> None:
    """Take the box of a cell back to its pile."""
    put(world, cell, world.grid[cell])
    world.grid[cell] = 0


@subroutine_with_arrays
def all_filled(grid: Grids, first: int, step: int, n_cells: int) -> bool:
    """Check whether `n_cells` cells are all filled: `first`, and the next ones at distances of `step`."""
    for place in range(n_cells):  # noqa: SIM110 - numba does not compile `all`
        if grid[first + place * step] == 0:
            return False
    return True


@subroutine_with_arrays
def valid_as_printed(
    model: int, grid: Grids, rows: Int64s, columns: Int64s, shape: Int64s, cell: int, number: int
) -> bool:
    """Check conditions 5 and 6 of definitions 2, 3 and 4."""
    n = len(rows)
    x, y = cell // n, cell % n
    first_row, first_column = x - x % shape[0], y - y % shape[1]
    for r in range(first_row, first_row + shape[0]):
        holds = r == x or rows[r] >> (number - 1) & 1
        holds = holds or (model >= 3 and grid[r * n + y] != 0)
        if not (holds or (model >= 4 and all_filled(grid, r * n + first_column, 1, shape[1]))):
            return False
    for c in range(first_column, first_column + shape[1]):
        holds = c == y or columns[c] >> (number - 1) & 1
        holds = holds or (model >= 3 and grid[x * n + c] != 0)
        if not (holds or (model >= 4 and all_filled(grid, first_row * n + c, n, shape[0]))):
            return False
    return True


@subroutine_with_arrays
def valid_sound(
    grid: Grids, allowed: Int64s, rows: Int64s, columns: Int64s, blocks: Int64s, shape: Int64s, cell: int, number: int
) -> bool:
    """Check the condition of the sound model 4: the number fits in no other empty cell of the subblock."""
    n = len(rows)
    first_row, first_column = cell // n - cell // n % shape[0], cell % n - cell % n % shape[1]
    for r in range(first_row, first_row + shape[0]):
        for c in range(first_column, first_column + shape[1]):
            other = r * n + c
            fits = grid[other] == 0 and free_numbers(allowed, rows, columns, blocks, shape, other) >> (number - 1) & 1
            if fits and other != cell:
                return False
    return True


@compiled_with_arrays
def valid_position(world: World, model: int, number: int) -> int:
    """Return the lowest position that is valid for a box with that number, or -1."""
    grid, allowed, shape = world.grid, world.allowed, world.shape
    rows, columns, blocks = world.rows, world.columns, world.blocks
    for cell in range(len(grid)):
        # Conditions 1 to 4: empty, and the number is in neither row, column nor subblock.
        if grid[cell] == 0 and free_numbers(allowed, rows, columns, blocks, shape, cell) >> (number - 1) & 1:
            if model == SOUND_4:
                valid = valid_sound(grid, allowed, rows, columns, blocks, shape, cell, number)
            else:
                valid = valid_as_printed(model, grid, rows, columns, shape, cell, number)
            if valid:
                return cell
    return -1


@compiled_with_arrays
def is_dead_end(world: World) -> bool:
    """Check whether there is an empty cell where no box fits."""
    for cell in range(len(world.grid)):
        numbers = free_numbers(world.allowed, world.rows, world.columns, world.blocks, world.shape, cell)
        if world.grid[cell] == 0 and numbers == 0:
            return True
    return False


@subroutine_with_arrays
def next_box(
    allowed: Int64s, rows: Int64s, columns: Int64s, blocks: Int64s, shape: Int64s, cell: int, tried: int
) -> int:
    """Return the first number above `tried` that breaks no rule, or 0."""
    numbers = free_numbers(allowed, rows, columns, blocks, shape, cell) >> tried
    number = tried + 1
    while numbers:
        if numbers & 1:
            return number
        numbers >>= 1
        number += 1
    return 0


@compiled_with_arrays
def move(world: World, n_blanks: int) -> int:
    """Make one move of model 1, and return its outcome: a box put, a box taken back, board full, or search ended."""
    counts = world.counts
    if counts[TURN] == 1:
        height = counts[HEIGHT]
        if height == n_blanks:
            counts[TURN] = 2
            return FULL
        cell = world.blanks[height]
        number = next_box(
            world.allowed, world.rows, world.columns, world.blocks, world.shape, cell, world.tried[height]
        )
        if number:
            put(world, cell, number)
            world.tried[height] = number
            world.tried[height + 1] = 0
            counts[HEIGHT] += 1
            counts[PUT] += 1
            return PUTS
        counts[TURN] = 2
    if counts[HEIGHT] == 0:
        return ENDED
    counts[HEIGHT] -= 1
    take_back(world, world.blanks[counts[HEIGHT]])
    counts[TAKEN] += 1
    counts[TURN] = 1
    return TAKES


@compiled_with_arrays
def search(world: World, n_blanks: int, moves: int) -> bool:
    """Make `moves` moves of model 1, or fewer if `out` is full; False if the search has ended."""
    for _ in range(moves):
        if world.counts[FOUND] == len(world.out):
            return True
        outcome = move(world, n_blanks)
        if outcome == ENDED:
            return False
        if outcome == FULL:
            world.out[world.counts[FOUND]] = world.grid
            world.counts[FOUND] += 1
    return True
