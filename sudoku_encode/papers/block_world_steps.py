"""The robots of `block_world` shown at work: the board and the piles, why a position is valid, and how much they do.

Positions are written as in the paper, (9, 7) for row 9 and column 7. The moves of model 1, which are many, are steps
without a text: only the board before the first failure and at the end is printed, and the totals.

Source: Abednego & Nugraheni, A block world problem based Sudoku solver, sections I and II, Figures 1, 3, 4 to 6.
Differs: see `block_world`.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers.block_world import MODELS, UNSOUND, Move, forced, rest, solutions, unsupported_reason
from sudoku_encode.papers.block_world_end import end, position_text, wrong_boxes
from sudoku_encode.papers.grid_text import grid_text
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.papers.block_world_kernel import World

__all__ = ["explain", "solutions", "unsupported_reason"]


def explain(puzzle: Puzzle, tick: Callable[[], None], model: str = "1") -> Iterator[Step]:
    """Yield the moves of the robots, until the board is full for the first time or they can do no more."""
    from sudoku_encode.papers import block_world_kernel as kernel

    world, board = kernel.start(puzzle), puzzle.geometry
    definition, backtracks = MODELS[model]
    yield _board(board, world, "start")
    yield _piles(world)
    moves: list[Move] = []
    for move in forced(world, definition, tick):
        moves.append(move)
        yield _valid(board, world, move, definition)
    if definition:
        rounds = max((move.round for move in moves), default=0) + 1
        text = f"boxes of the robots of the numbers: {len(moves)}, in {rounds} rounds; the last one puts none"
        yield Step(text, data={"put": len(moves), "rounds": rounds})
    stopped = None
    if backtracks:
        if definition:
            yield _board(board, world, "before model 1")
        try:
            yield from _model_1(board, world, tick)
        except StoppedError as reason:
            stopped = reason
        n_put, n_taken = (int(world.counts[which]) for which in (kernel.PUT, kernel.TAKEN))
        text = f"robot 1 puts {n_put:,} boxes, robot 2 takes {n_taken:,} of them back"
        yield Step(text, data={"put": n_put, "taken": n_taken})
    yield _board(board, world, "end")
    if stopped:
        raise stopped
    compared = wrong_boxes(puzzle, moves, tick) if definition in UNSOUND and moves else None
    if compared is not None:
        yield compared
    yield end(puzzle, world, backtracks, compared)


def _board(board: Geometry, world: "World", when: str) -> Step:
    grid = world.grid.tolist()
    return Step(grid_text(board, grid), "grid", when, data={"grid": grid})


def _piles(world: "World") -> Step:
    """Return how many boxes are outside the board, in a pile for each number: Fig. 3."""
    n = len(world.rows)
    outside = [n - int(np.count_nonzero(world.grid == number)) for number in range(1, n + 1)]
    text = "piles outside the board: " + ", ".join(
        f"{many} of {number}" for number, many in enumerate(outside, start=1)
    )
    return Step(text, "note", "piles", data={"piles": outside})


def _valid(board: Geometry, world: "World", move: Move, definition: str) -> Step:
    """Return a move of a robot of a number, with the conditions that make its position valid."""
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
    """Say which case of conditions 5 and 6 holds for each other row and column, and which cells show it."""
    n, grid = board.n_values, world.grid
    x, y = divmod(move.cell, n)
    height, width = (int(side) for side in world.shape)
    top, left = x - x % height, y - y % width
    lines: list[str] = []
    cells: list[int] = []
    for condition, word, own, first, number in ((5, "row", x, top, height), (6, "column", y, left, width)):
        said = []
        for at in range(first, first + number):
            if at == own:
                continue
            line = np.arange(at * n, at * n + n) if word == "row" else np.arange(at, n * n, n)
            beside = at * n + y if word == "row" else x * n + at
            inside = line[left : left + width] if word == "row" else line[top : top + height]
            holding = line[grid[line] == move.box]
            if len(holding):
                said.append(f"{word} {at + 1} holds {move.box}")
                cells.append(int(holding[0]))
            else:
                whole = definition == "4" and (grid[inside] > 0).all()
                more = f", as are all cells of {word} {at + 1} in the subblock" if whole else ""
                said.append(f"{position_text(board, beside).partition(' =')[0]} is not empty{more}")
                cells.append(beside)
        lines.append(f"{condition}) {', '.join(said)}")
    return lines, cells


def _only_place(board: Geometry, world: "World", move: Move) -> tuple[list[str], list[int]]:
    """Say why the number fits in no other empty cell of the subblock, and which cells show it."""
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
    said = [f"row {row + 1} holds it" for row in sorted(rows)]
    said += [f"column {column + 1} holds it" for column in sorted(columns)]
    said += ["the puzzle does not allow it in the others"] if others else []
    held = np.flatnonzero(grid == move.box).tolist()
    cells = [cell for cell in held if cell // n in rows or cell % n in columns]
    text = (
        f"fits in no other empty cell of the subblock: {', '.join(said)}" if said else "the subblock is full but for it"
    )
    return [text], cells


def _model_1(board: Geometry, world: "World", tick: Callable[[], None]) -> Iterator[Step]:
    """Let model 1 work until the board is full or no box is left to take back; print the first failure."""
    from sudoku_encode.papers import block_world_kernel as kernel

    n_blanks, failed = rest(world), False
    while True:
        tick()
        made = kernel.move(world, n_blanks)
        if made in (kernel.FULL, kernel.ENDED):
            return
        height = int(world.counts[kernel.HEIGHT])
        level = height - 1 if made == kernel.PUTS else height
        cell, box = int(world.blanks[level]), int(world.tried[level])
        if made == kernel.TAKES and not failed:
            failed = True
            grid = world.grid.tolist()
            grid[cell] = box
            nowhere = position_text(board, int(world.blanks[height + 1]))
            text = f"robot 1 finds no box for {nowhere} after {height + 1} boxes, and gives the turn to robot 2:\n"
            yield Step(text + grid_text(board, grid), "grid", "first failure", data={"grid": grid})
        if made == kernel.PUTS:
            yield Step("", "guess", "model 1", places=((cell, box),), data={"robot": 1})
        else:
            yield Step("", "undo", "model 1", removes=((cell, box),), data={"robot": 2})
