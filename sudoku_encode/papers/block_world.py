"""Robots that put numbered boxes on the board, from one pile for each number.

Model 1 is chronological backtracking: robot 1 puts the first box that breaks no rule on the lowest empty position; when
none fits, robot 2 takes back the box that was put last. It finds all solutions. In the other models there is a robot
for each number; in each round they take turns, and each puts one box on the lowest position that is valid for it, until
a round puts none. A position is valid for number i when it is empty, i is not in its row, column and subblock, and for
every other row r of the subblock (and likewise every other column)

- `2`: row r holds i;
- `3`: or the subblock's cell in row r and the position's column is not empty;
- `4`: or all cells of the subblock in row r are not empty.

`4-sound` is ours: i fits in no other empty cell of the subblock. `4+1` is the sound model 4 and then model 1 for the
rest, `4-printed+1` the same with model 4 as printed.

Source: Abednego & Nugraheni, A block world problem based Sudoku solver, section II; Nugraheni & Abednego 2013.
Differs: model 1 goes on after the first solution. The paper does not say how robot 1 knows which boxes it has tried on
    a position; here it takes the next number up.
    Models 3 and 4 as printed place wrong boxes: they never look at the subblock's cells outside the position's row and
    column, where i may still fit. What they fill is not proved to be the only solution, and where they fail there may
    be one. Model 4 as printed is model 3, since when all cells of a row of the subblock are filled, so is the one in
    the position's column; the paper reports more for 4 than for 3. `4-sound` is a reading that can do what the paper
    reports of model 4, and that places forced boxes only.
    A cell where no box fits is looked for when the robots have stopped; the paper does not say how they notice.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.rules import SQUARE_RULES

if TYPE_CHECKING:
    from sudoku_encode.papers.block_world_kernel import World

# Each model: what is valid for the robots of the numbers, if they work at all, and whether model 1 does the rest.
MODELS = {
    "1": ("", True),
    "2": ("2", False),
    "3": ("3", False),
    "4": ("4", False),
    "4-sound": ("4-sound", False),
    "4+1": ("4-sound", True),
    "4-printed+1": ("4", True),
}
UNSOUND = ("3", "4")
MAX_VALUES = 62


@dataclass(frozen=True)
class Move:
    """A box put on the board by the robot of its number.

    Attributes:
        robot: the number of the robot.
        box: the number on the box.
        cell: the position.
        round: of the robots' turns, from 1.
    """

    robot: int
    box: int
    cell: int
    round: int


@dataclass(frozen=True, eq=False)
class Run:
    """What the robots did until the board was full or they could do no more.

    Attributes:
        grid: uint8 (n_cells,); 0 where no box was put.
        filled: how many cells the robots filled.
        rounds: of the robots of the numbers.
        put: how many boxes were put on the board in all.
        taken: how many of them were taken back.
    """

    grid: Grids
    filled: int
    rounds: int
    put: int
    taken: int


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is no square of rows, columns and boxes alone with few enough values, or an empty string."""
    if board.box is None or board.rule_names != SQUARE_RULES:
        return "it is for squares with rows, columns and boxes alone"
    return "" if board.n_values <= MAX_VALUES else f"it is for at most {MAX_VALUES} values"


def solutions(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Iterator[Grids]:
    """Yield solutions in batches: all of them by the models with a 1, one or none by the others.

    Args:
        puzzle: see `unsupported_reason`.
        tick: see the package.
        model: a key of MODELS.

    Raises:
        StoppedError: the robots were stuck, or what they did proves nothing.
    """
    if puzzle.clash is not None:
        return
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle)
    if kernel.dead_end(world):
        return
    definition, backtracks = MODELS[model]
    placed = sum(1 for _ in forced(world, definition, tick))
    doubtful = definition in UNSOUND and placed > 0
    n_found, n_blanks = 0, np.count_nonzero(world.grid == 0)
    if backtracks:
        for grids in _searched(world, tick):
            n_found += len(grids)
            yield grids
    elif n_blanks == 0:
        n_found = 1
        yield world.grid[None].copy()
    elif not kernel.dead_end(world):
        raise StoppedError(f"stuck: {n_blanks} blanks left")
    if doubtful and n_found:
        raise StoppedError(f"not proved: the rule of model {definition} is unsound")
    if doubtful:
        raise StoppedError("failed: a wrong box was placed, or there is no solution")


def forced(world: "World", definition: str, tick: Callable[[], None]) -> Iterator[Move]:
    """Let the robots of the numbers take turns until a round puts no box; yield each move when it is made."""
    from sudoku_encode.papers.block_world_kernel import SOUND_4, position, put

    rule = SOUND_4 if definition == "4-sound" else int(definition or 0)
    for turns in count(1) if definition else ():
        n_put = 0
        for robot in range(1, len(world.rows) + 1):
            tick()
            cell = position(world, rule, robot)
            if cell >= 0:
                put(world, cell, robot)
                n_put += 1
                yield Move(robot, robot, cell, turns)
        if not n_put:
            return


def rest(world: "World") -> int:
    """Make the empty positions those that model 1 is to fill, give robot 1 the turn, and say how many there are."""
    from sudoku_encode.papers.block_world_kernel import TURN

    blanks = np.flatnonzero(world.grid == 0)
    world.blanks[: len(blanks)] = blanks
    world.counts[TURN] = 1
    return len(blanks)


def _searched(world: "World", tick: Callable[[], None]) -> Iterator[Grids]:
    """Let model 1 fill the rest in every way that there is."""
    from sudoku_encode.papers.block_world_kernel import FOUND, search

    n_blanks, moves, goes_on = rest(world), 1000, True
    while goes_on:
        tick()
        started = time.monotonic()
        goes_on = search(world, n_blanks, moves)
        moves = moves * 2 if time.monotonic() - started < 0.02 else max(1000, moves // 2)
        if found := int(world.counts[FOUND]):
            world.counts[FOUND] = 0
            yield world.out[:found].copy()


def run(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Run:
    """Let the robots work until the board is full for the first time, or they can do no more.

    Whether what models 3 and 4 put is right is for the caller to see. Givens that clash leave the robots idle.
    """
    if puzzle.clash is not None:
        return Run(puzzle.givens, 0, 0, 0, 0)
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle, 1)
    definition, backtracks = MODELS[model]
    moves = list(forced(world, definition, tick))
    grid = world.grid
    if backtracks:
        grid = next((grids[0] for grids in _searched(world, tick)), grid)
    # The last round, which puts nothing, is one too.
    rounds = max((move.round for move in moves), default=0) + bool(definition)
    n_put, n_taken = (int(world.counts[which]) for which in (kernel.PUT, kernel.TAKEN))
    filled = np.count_nonzero(grid) - np.count_nonzero(puzzle.givens)
    return Run(grid.copy(), int(filled), rounds, len(moves) + n_put, n_taken)
