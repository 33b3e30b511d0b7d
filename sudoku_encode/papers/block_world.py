"""Robots that put numbered boxes on the board, from one pile for each number.

Model 1 is chronological backtracking: robot 1 puts the first box that breaks no rule on the lowest empty position; when
none fits, robot 2 takes back the box that was put last. It finds all solutions. In the other models there is a robot
for each number; in each round they take turns, and each puts one box on the lowest position that is valid for it, until
a round puts none. A position is valid for number i when it is empty, i is not in its row, column and subblock, and for
every other row r of the subblock (and likewise every other column)

- `2`: row r holds i;
- `3`: or the subblock's cell in row r and the position's column is not empty;
- `4`: or no cell of the subblock in row r is empty.

`4-sound` is this program's: i fits in no other empty cell of the subblock. `4+1` is model 4 as printed and then model 1
for the rest, `4-sound+1` the same with the sound model 4.

Source: Abednego & Nugraheni, A block world problem based Sudoku solver, sections I and II; Nugraheni & Abednego 2013.
Differs: model 1 continues after the first solution. The paper does not say how robot 1 knows which boxes it has tried
    on a position; here it takes the next number up. Models 3 and 4 as printed place wrong boxes: they never look at the
    subblock's cells outside the position's row and column, where i may still fit. A board that they fill is not proved
    to be the only solution, and a puzzle on which they fail may have one. Model 4 as printed is model 3, since when all
    cells of a row of the subblock are filled, so is the one in the position's column; the paper reports more for 4 than
    for 3. `4-sound` is a reading that can do what the paper reports of model 4, and that places forced boxes only.
    After the robots have stopped, the board is searched for a cell where no box fits; the paper does not say how the
    robots notice it. Nor does it say how a wrong box is noticed: here the boxes put by models 3 and 4 as printed are
    compared with all solutions of the puzzle, found by model 1 from its givens.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.papers.grid_text import grid_text
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.rules import SQUARE_RULES
from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.papers.block_world_kernel import World


# Each model: the definition of valid for the robots of the numbers ("" for none), and whether model 1 fills the rest.
MODELS = {
    "1": ("", True),
    "2": ("2", False),
    "3": ("3", False),
    "4": ("4", False),
    "4-sound": ("4-sound", False),
    "4-sound+1": ("4-sound", True),
    "4+1": ("4", True),
}
UNSOUND = ("3", "4")
MAX_VALUES = 62


@dataclass(frozen=True)
class Move:
    """A box put on the board by the robot of its number."""

    robot: int  # the number of the robot
    box: int  # the number on the box
    cell: int  # the position
    round: int  # of the robots' turns, from 1


@dataclass(frozen=True, eq=False)
class Run:
    """The result of the robots' work, until the board was full or no move was left."""

    grid: Grids  # (n_cells,); 0 for an empty cell
    filled: int  # the number of cells that the robots filled
    rounds: int  # of the robots of the numbers
    put: int  # the number of boxes put on the board in all
    taken: int  # the number of boxes taken back


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not supported, or "": rows, columns and boxes only, at most MAX_VALUES values."""
    if board.box is None or board.rule_names != SQUARE_RULES:
        return "it supports only squares with just the rules row, column and box"
    return "" if board.n_values <= MAX_VALUES else f"it supports at most {MAX_VALUES} values"


def solutions(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Iterator[Grids]:
    """Yield solutions in batches: all solutions by the models with a 1, at most one by the others.

    Raises:
        StoppedError: the robots were stuck, or their moves prove nothing.
    """
    if puzzle.clash is not None:
        return
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle)
    if kernel.is_dead_end(world):
        return
    definition, backtracks = MODELS[model]
    placed = sum(1 for _ in forced_moves(world, definition, tick))
    doubtful = definition in UNSOUND and placed > 0
    n_found, n_blanks = 0, np.count_nonzero(world.grid == 0)
    if backtracks:
        for grids in _model_1_solutions(world, tick):
            n_found += len(grids)
            yield grids
    elif n_blanks == 0:
        n_found = 1
        yield world.grid[None].copy()
    elif not kernel.is_dead_end(world):
        raise StoppedError(f"stuck: {n_blanks} blanks left")
    if doubtful and n_found:
        raise StoppedError(f"not proved: the rule of model {definition} is unsound")
    if doubtful:
        raise StoppedError("failed: a wrong box was placed, or there is no solution")


def forced_moves(world: "World", definition: str, tick: Callable[[], None]) -> Iterator[Move]:
    """Yield each move of the robots of the numbers, until a round puts no box."""
    from sudoku_encode.papers.block_world_kernel import SOUND_4, put, valid_position

    rule = SOUND_4 if definition == "4-sound" else int(definition or 0)
    for turns in count(1) if definition else ():
        n_put = 0
        for robot in range(1, len(world.rows) + 1):
            tick()
            cell = valid_position(world, rule, robot)
            if cell >= 0:
                put(world, cell, robot)
                n_put += 1
                yield Move(robot, robot, cell, turns)
        if not n_put:
            return


def start_model_1(world: "World") -> int:
    """Prepare model 1: it fills the empty positions, robot 1 first; return their number."""
    from sudoku_encode.papers.block_world_kernel import TURN

    blanks = np.flatnonzero(world.grid == 0)
    world.blanks[: len(blanks)] = blanks
    world.counts[TURN] = 1
    return len(blanks)


def _model_1_solutions(world: "World", tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions of the empty positions by model 1, in batches."""
    from sudoku_encode.papers.block_world_kernel import FOUND, search

    n_blanks, moves, goes_on = start_model_1(world), 1000, True
    while goes_on:
        tick()
        started = time.monotonic()
        goes_on = search(world, n_blanks, moves)
        moves = moves * 2 if time.monotonic() - started < 0.02 else max(1000, moves // 2)
        if n_grids := int(world.counts[FOUND]):
            world.counts[FOUND] = 0
            yield world.out[:n_grids].copy()


def run(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Run:
    """Let the robots work until the board is full for the first time, or no move is left.

    Boxes put by models 3 and 4 may be wrong. If givens clash, the robots do nothing.
    """
    if puzzle.clash is not None:
        return Run(puzzle.givens, 0, 0, 0, 0)
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle, 1)
    definition, backtracks = MODELS[model]
    moves = list(forced_moves(world, definition, tick))
    grid = world.grid
    if backtracks:
        grid = next((grids[0] for grids in _model_1_solutions(world, tick)), grid)
    # The last round, which puts nothing, counts.
    rounds = max((move.round for move in moves), default=0) + bool(definition)
    n_put, n_taken = (int(world.counts[which]) for which in (kernel.PUT, kernel.TAKEN))
    filled = np.count_nonzero(grid) - np.count_nonzero(puzzle.givens)
    return Run(grid.copy(), int(filled), rounds, len(moves) + n_put, n_taken)


# The steps of `explain` (Figures 1, 3, 4 to 6): the board, the piles, and why a position is valid. Positions are
# written as in the paper: (9, 7) for row 9 and column 7. The many moves of model 1 are steps without a text; only the
# board before the first failure and at the end is printed, and the totals.


def explain(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Iterator[Step]:
    """Yield the moves of the robots, until the board is full for the first time or no move is left."""
    from sudoku_encode.papers import block_world_kernel as kernel

    world, board = kernel.start(puzzle), puzzle.geometry
    definition, backtracks = MODELS[model]
    yield _board_step(board, world, "start")
    yield _piles_step(world)
    moves: list[Move] = []
    for move in forced_moves(world, definition, tick):
        moves.append(move)
        yield _move_step(board, world, move, definition)
    if definition:
        rounds = max((move.round for move in moves), default=0) + 1
        boxes = f"{len(moves)} {'box' if len(moves) == 1 else 'boxes'}"
        text = f"the robots put {boxes} in {rounds} {plural('round', rounds)}; in the last one they put none"
        yield Step(text, data={"put": len(moves), "rounds": rounds})
    stopped = None
    if backtracks:
        if definition:
            yield _board_step(board, world, "before model 1")
        try:
            yield from _model_1_steps(board, world, tick)
        except StoppedError as reason:
            stopped = reason
        n_put, n_taken = (int(world.counts[which]) for which in (kernel.PUT, kernel.TAKEN))
        text = f"robot 1 puts {n_put:,} boxes, robot 2 takes {n_taken:,} of them back"
        yield Step(text, data={"put": n_put, "taken": n_taken})
    yield _board_step(board, world, "end")
    if stopped:
        raise stopped
    compared = wrong_box_step(puzzle, moves, tick) if definition in UNSOUND and moves else None
    if compared is not None:
        yield compared
    yield last_step(puzzle, world, backtracks, compared)


def _board_step(board: Geometry, world: "World", when: str) -> Step:
    grid = world.grid.tolist()
    return Step(grid_text(board, grid), "grid", when, data={"grid": grid})


def _piles_step(world: "World") -> Step:
    """Return the sizes of the piles outside the board, one for each number: Fig. 3."""
    n = len(world.rows)
    outside = [n - int(np.count_nonzero(world.grid == number)) for number in range(1, n + 1)]
    text = "piles outside the board: " + ", ".join(
        f"{many} of {number}" for number, many in enumerate(outside, start=1)
    )
    return Step(text, "note", "piles", data={"piles": outside})


def _move_step(board: Geometry, world: "World", move: Move, definition: str) -> Step:
    """Return a move as a step, with the conditions that make its position valid."""
    lines, cells = (
        _only_place(board, world, move)
        if definition == "4-sound"
        else printed_conditions(board, world, move, definition)
    )
    text = f"round {move.round}: robot {move.robot} puts box {move.box} on {position_text(board, move.cell)}: "
    return Step(
        text + "; ".join(lines),
        "place",
        f"definition {definition}",
        because=tuple(cells),
        places=((move.cell, move.box),),
        data={"robot": move.robot, "round": move.round, "conditions": lines},
    )


def printed_conditions(board: Geometry, world: "World", move: Move, definition: str) -> tuple[list[str], list[int]]:
    """Return which case of conditions 5 and 6 holds for each other row and column, and the cells that show it."""
    n, grid = board.n_values, world.grid
    x, y = divmod(move.cell, n)
    height, width = (int(side) for side in world.shape)
    first_row, first_column = x - x % height, y - y % width
    lines: list[str] = []
    cells: list[int] = []
    for condition, word, own, first, number in (
        (5, "row", x, first_row, height),
        (6, "column", y, first_column, width),
    ):
        reasons = []
        for line_number in range(first, first + number):
            if line_number == own:
                continue
            line = (
                np.arange(line_number * n, line_number * n + n) if word == "row" else np.arange(line_number, n * n, n)
            )
            beside = line_number * n + y if word == "row" else x * n + line_number
            inside = (
                line[first_column : first_column + width] if word == "row" else line[first_row : first_row + height]
            )
            holding = line[grid[line] == move.box]
            if len(holding):
                reasons.append(f"{word} {line_number + 1} holds {move.box}")
                cells.append(int(holding[0]))
            else:
                whole = definition == "4" and (grid[inside] > 0).all()
                more = f", as are all cells of {word} {line_number + 1} in the subblock" if whole else ""
                reasons.append(f"{position_text(board, beside).partition(' =')[0]} is not empty{more}")
                cells.append(beside)
        lines.append(f"{condition}) {', '.join(reasons)}")
    return lines, cells


def _only_place(board: Geometry, world: "World", move: Move) -> tuple[list[str], list[int]]:
    """Return why the number fits in no other empty cell of the subblock, and the cells that show it."""
    n, grid = board.n_values, world.grid
    assert board.box
    box = next(unit for unit in board.rules[2].units if move.cell in unit)
    rows: set[int] = set()
    columns: set[int] = set()
    others = 0
    for cell in box[(grid[box] == 0)].tolist():
        row, column = divmod(cell, n)
        if world.rows[row] >> (move.box - 1) & 1 and row != move.cell // n:
            rows.add(row)
        elif world.columns[column] >> (move.box - 1) & 1 and column != move.cell % n:
            columns.add(column)
        else:
            others += 1
    reasons = [f"row {row + 1} holds it" for row in sorted(rows)]
    reasons += [f"column {column + 1} holds it" for column in sorted(columns)]
    reasons += ["the puzzle does not allow it in the others"] if others else []
    cells_of_number = np.flatnonzero(grid == move.box).tolist()
    cells = [cell for cell in cells_of_number if cell // n in rows or cell % n in columns]
    text = (
        f"fits in no other empty cell of the subblock: {', '.join(reasons)}"
        if reasons
        else "all other cells of the subblock are filled"
    )
    return [text], cells


def _model_1_steps(board: Geometry, world: "World", tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the moves of model 1 until the board is full or no box is left to take back, with the first failure."""
    from sudoku_encode.papers import block_world_kernel as kernel

    n_blanks, failed = start_model_1(world), False
    while True:
        tick()
        outcome = kernel.move(world, n_blanks)
        if outcome in (kernel.FULL, kernel.ENDED):
            return
        height = int(world.counts[kernel.HEIGHT])
        level = height - 1 if outcome == kernel.PUTS else height
        cell, box = int(world.blanks[level]), int(world.tried[level])
        if outcome == kernel.TAKES and not failed:
            failed = True
            grid = world.grid.tolist()
            grid[cell] = box
            nowhere = position_text(board, int(world.blanks[height + 1]))
            text = f"robot 1 finds no box for {nowhere} after {height + 1} boxes, and gives the turn to robot 2:\n"
            yield Step(text + grid_text(board, grid), "grid", "first failure", data={"grid": grid})
        if outcome == kernel.PUTS:
            yield Step("", "guess", "model 1", places=((cell, box),), data={"robot": 1})
        else:
            yield Step("", "undo", "model 1", removes=((cell, box),), data={"robot": 2})


# The last steps: whether the board can still be filled, and which box is wrong.

# The most moves of model 1 to find all solutions, and its moves between two ticks.
MAX_MOVES, MOVES_PER_CALL = 2**21, 2**14
# The most positions and units to name that show that the board cannot be filled.
MAX_NAMED = 8
_UNIT_NAMES = {"row": "row", "column": "column", "box": "subblock"}


def position_text(board: Geometry, cell: int) -> str:
    """Return a position as in the paper, and as in this project.

    >>> from sudoku_encode.puzzles.boards import board
    >>> position_text(board("9x9"), 78)
    '(9, 7) = r9c7'
    """
    row, column = divmod(cell, board.n_values)
    return f"({row + 1}, {column + 1}) = {board.cell_name(cell)}"


def wrong_box_step(puzzle: Puzzle, moves: Sequence[Move], tick: Callable[[], None]) -> Step:
    """Return the first box after which the puzzle had no solution any more, as a step.

    Its data are `solutions`, the number of solutions of the puzzle (None if not known), and `wrong`, the number of the
    move, from 1 (None if no box is wrong).
    """
    board, solutions_left = puzzle.geometry, _all_solutions(puzzle, tick)
    if solutions_left is None:
        text = f"model 1 does not find all solutions in {MAX_MOVES:,} moves, so wrong boxes are not known"
        return Step(text, "note", "wrong boxes", data={"solutions": None, "wrong": None})
    data = {"solutions": len(solutions_left), "wrong": None}
    if not len(solutions_left):
        return Step("the puzzle has no solution, as model 1 shows", "note", "wrong boxes", data=data)
    for number, move in enumerate(moves, start=1):
        fitting = solutions_left[solutions_left[:, move.cell] == move.box]
        if not len(fitting):
            right = " or ".join(map(str, np.unique(solutions_left[:, move.cell]).tolist()))
            every = "the solution has" if len(solutions_left) == 1 else "the solutions with the boxes before it have"
            text = f"the first wrong box: {move.box} on {position_text(board, move.cell)}, put in round {move.round}"
            data |= {"wrong": number}
            return Step(f"{text}: {every} {right} there", "note", "wrong boxes", (move.cell,), data=data)
        solutions_left = fitting
    return Step("no box is wrong: a solution has all of them", "note", "wrong boxes", data=data)


def _all_solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Grids | None:
    """Return all solutions by model 1, (m, n_cells); None if they are too many, or need too many moves."""
    from sudoku_encode.papers import block_world_kernel as kernel

    world = kernel.start(puzzle)
    n_blanks = start_model_1(world)
    for _ in range(MAX_MOVES // MOVES_PER_CALL):
        tick()
        if not kernel.search(world, n_blanks, MOVES_PER_CALL):
            return world.out[: world.counts[kernel.FOUND]]
        if world.counts[kernel.FOUND] == len(world.out):
            return None
    return None


def last_step(puzzle: Puzzle, world: "World", backtracks: bool, compared: Step | None) -> Step:
    """Return the last step: the board is full, or cannot be filled (with the reason), or has blanks left.

    `backtracks` is whether model 1 moved last; `compared` is the step of `wrong_box_step`, if boxes may be wrong.
    """
    board, blanks = puzzle.geometry, np.flatnonzero(world.grid == 0)
    if not len(blanks):
        return Step("the board is full", "end", data={"blanks": 0})
    reasons, cells = _stuck_reasons(board, world)
    if backtracks:
        first = position_text(board, int(blanks[0]))
        head = f"robot 2 has no box left to take back, and every box was tried on {first}"
        cells = cells or (int(blanks[0]),)
    else:
        head = f"no robot has a valid position: {len(blanks)} blanks left"
    text, data = "; ".join([head, *reasons]), {"blanks": len(blanks)}
    if (compared is None and (backtracks or reasons)) or (compared is not None and compared.data["solutions"] == 0):
        return Step(f"no solution: {text}", "end", because=cells, data={**data, **NONE})
    if compared is not None and (backtracks or reasons):
        wrong_box = (
            "a wrong box was put, see above"
            if compared.data["wrong"]
            else "a wrong box was put, or there is no solution"
        )
        text += f": {wrong_box}"
    return Step(text, "end", because=cells, data=data)


def _stuck_reasons(board: Geometry, world: "World") -> tuple[list[str], tuple[int, ...]]:
    """Return the positions without a fitting box and the numbers without a place in a unit, and the cells of both."""
    fitting = _fitting_boxes(board, world)
    empty = np.flatnonzero(~fitting.any(axis=1)).tolist()
    reasons = [f"no box fits on {position_text(board, cell)}" for cell in empty]
    cells = [*empty]
    for rule in board.rules:
        for unit, value in np.argwhere(~fitting[rule.units].any(axis=1)).tolist():
            reasons.append(f"{value + 1} fits in no empty cell of {_UNIT_NAMES[rule.name]} {unit + 1}")
            cells += [cell for cell in rule.units[unit].tolist() if not world.grid[cell]]
    if len(reasons) > MAX_NAMED:
        reasons = [*reasons[:MAX_NAMED], f"and {len(reasons) - MAX_NAMED} more such reasons"]
    return reasons, tuple(dict.fromkeys(cells))


def _fitting_boxes(board: Geometry, world: "World") -> Candidates:
    """Return the boxes that fit on each position, bool (n_cells, n_values); for a filled position its box."""
    grid = world.grid
    fitting = (world.allowed[:, None] >> np.arange(board.n_values) & 1).astype(bool)
    for cell in np.flatnonzero(grid).tolist():
        fitting[board.peers[cell], grid[cell] - 1] = False
    filled = np.flatnonzero(grid)
    fitting[filled] = grid[filled, None] == np.arange(1, board.n_values + 1)
    return fitting
