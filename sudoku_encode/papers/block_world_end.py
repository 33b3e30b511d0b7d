"""How it ends with the robots of `block_world`, shown: whether the board can still be filled, and which box is wrong.

Source: Abednego & Nugraheni, A block world problem based Sudoku solver, section II.
Differs: the paper does not say how a wrong box is noticed. Here the boxes that models 3 and 4 as printed have put are
    compared with all solutions of the puzzle, which model 1 finds from its givens.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.papers.block_world import Move, rest
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.papers.block_world_kernel import World

# How far model 1 goes to find all solutions, and how many moves it makes between two ticks.
MAX_MOVES, MOVES_PER_CALL = 2**21, 2**14
# Of the positions and units that show that the board cannot be filled, how many are named.
MAX_NAMED = 8
_UNIT_NAMES = {"row": "row", "column": "column", "box": "subblock"}


def position_text(board: Geometry, cell: int) -> str:
    """Write a position as in the paper, and as everywhere else here.

    >>> from sudoku_encode.puzzles.boards import board
    >>> position_text(board("9x9"), 78)
    '(9, 7) = r9c7'
    """
    row, column = divmod(cell, board.n_values)
    return f"({row + 1}, {column + 1}) = {board.cell_name(cell)}"


def wrong_boxes(puzzle: Puzzle, moves: Sequence[Move], tick: Callable[[], None]) -> Step:
    """Say which box was the first after which there was no solution any more.

    Its data has `solutions`, how many solutions the puzzle has, or None where that is not known, and `wrong`, the
    number of the move from 1, or None.
    """
    board, found = puzzle.geometry, _all_solutions(puzzle, tick)
    if found is None:
        text = f"whether a box is wrong is not known: model 1 does not find all solutions in {MAX_MOVES:,} moves"
        return Step(text, "note", "wrong boxes", data={"solutions": None, "wrong": None})
    data = {"solutions": len(found), "wrong": None}
    if not len(found):
        return Step("the puzzle itself has no solution, as model 1 shows", "note", "wrong boxes", data=data)
    for number, move in enumerate(moves, start=1):
        fitting = found[found[:, move.cell] == move.box]
        if not len(fitting):
            right = " or ".join(map(str, np.unique(found[:, move.cell]).tolist()))
            every = "the solution has" if len(found) == 1 else "the solutions with the boxes before it have"
            text = f"the first wrong box: {move.box} on {position_text(board, move.cell)}, put in round {move.round}"
            data |= {"wrong": number}
            return Step(f"{text}: {every} {right} there", "note", "wrong boxes", (move.cell,), data=data)
        found = fitting
    return Step("no box is wrong: a solution has all of them", "note", "wrong boxes", data=data)


def _all_solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Grids | None:
    """Return all solutions by model 1, (m, n_cells); None where they are too many, or too far."""
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle)
    n_blanks = rest(world)
    for _ in range(MAX_MOVES // MOVES_PER_CALL):
        tick()
        if not kernel.search(world, n_blanks, MOVES_PER_CALL):
            return world.out[: world.counts[kernel.FOUND]]
        if world.counts[kernel.FOUND] == len(world.out):
            return None
    return None


def end(puzzle: Puzzle, world: "World", backtracks: bool, compared: Step | None) -> Step:
    """Return the last step: the board is full, or what shows that it cannot be filled, or how many blanks are left.

    Args:
        puzzle: the puzzle.
        world: as the robots left it.
        backtracks: whether model 1 was the last at work.
        compared: the step of `wrong_boxes`, where boxes that were put may be wrong.
    """
    board, blanks = puzzle.geometry, np.flatnonzero(world.grid == 0)
    if not len(blanks):
        return Step("the board is full", "end", data={"blanks": 0})
    said, cells = _stuck(board, world)
    if backtracks:
        first = position_text(board, int(blanks[0]))
        head = f"robot 2 has no box left to take back, and every box was tried on {first}"
        cells = cells or (int(blanks[0]),)
    else:
        head = f"no robot has a valid position: {len(blanks)} blanks left"
    text, data = "; ".join([head, *said]), {"blanks": len(blanks)}
    if (compared is None and (backtracks or said)) or (compared is not None and compared.data["solutions"] == 0):
        return Step(f"no solution: {text}", "end", because=cells, data={**data, **NONE})
    if compared is not None and (backtracks or said):
        known = "a wrong box was put, see above" if compared.data["wrong"] else "a wrong box was put, or no solution is"
        text += f": {known}"
    return Step(text, "end", because=cells, data=data)


def _stuck(board: Geometry, world: "World") -> tuple[list[str], tuple[int, ...]]:
    """Say which positions take no box, and which numbers fit nowhere in a row, column or subblock; with the cells."""
    left = _left(board, world)
    empty = np.flatnonzero(~left.any(axis=1)).tolist()
    said = [f"no box fits on {position_text(board, cell)}" for cell in empty]
    cells = [*empty]
    for rule in board.rules:
        for unit, value in np.argwhere(~left[rule.units].any(axis=1)).tolist():
            said.append(f"{value + 1} fits in no empty cell of {_UNIT_NAMES[rule.name]} {unit + 1}")
            cells += [cell for cell in rule.units[unit].tolist() if not world.grid[cell]]
    if len(said) > MAX_NAMED:
        said = [*said[:MAX_NAMED], f"and {len(said) - MAX_NAMED} more like that"]
    return said, tuple(dict.fromkeys(cells))


def _left(board: Geometry, world: "World") -> Candidates:
    """Return the boxes that fit on each position, bool (n_cells, n_values); a box that is on the board is alone."""
    grid = world.grid
    left = (world.allowed[:, None] >> np.arange(board.n_values) & 1).astype(bool)
    for cell in np.flatnonzero(grid).tolist():
        left[board.peers[cell], grid[cell] - 1] = False
    filled = np.flatnonzero(grid)
    left[filled] = grid[filled, None] == np.arange(1, board.n_values + 1)
    return left
