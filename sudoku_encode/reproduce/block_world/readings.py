"""The definitions of a valid position of Abednego & Nugraheni, written out from the paper, and robots that follow them.

Plain and slow; it shares no code with `papers.block_world`, so that what both say alike is evidence.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import block_world
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.puzzles import no_tick

Three = tuple[bool, bool, bool]


class View(NamedTuple):
    """What a robot sees of the subblock around an empty position; its number is in neither the position's lines nor it.

    Attributes:
        filled: of each row of the subblock, which cells are not empty.
        rows: which rows of the board, of those through the subblock, hold the number.
        columns: likewise.
        x, y: the position in the subblock.
    """

    filled: tuple[Three, Three, Three]
    rows: Three
    columns: Three
    x: int
    y: int

    @property
    def turned(self) -> "View":
        """The same with rows for columns."""
        first, second, third = zip(*self.filled, strict=True)
        return View((first, second, third), self.columns, self.rows, self.y, self.x)


Reading = Callable[[View], bool]


def others(at: int) -> tuple[int, int]:
    """Return the other two lines of a subblock."""
    return ((1, 2), (0, 2), (0, 1))[at]


def condition(view: View, cell: bool = False, line: bool = False) -> bool:
    """Condition 5 of the definitions; condition 6 is this one on the turned view.

    Args:
        view: of the position.
        cell: whether "or the cell at the position (r, y) is not empty" is in the definition.
        line: whether "or all cells in row r in the same sub-block are not empty" is.
    """
    return all(
        view.rows[r] or (cell and view.filled[r][view.y]) or (line and all(view.filled[r])) for r in others(view.x)
    )


def definition_2(view: View) -> bool:
    """Conditions 5 and 6 of definition 2."""
    return condition(view) and condition(view.turned)


def definition_3(view: View) -> bool:
    """Conditions 5 and 6 of definition 3."""
    return condition(view, cell=True) and condition(view.turned, cell=True)


def definition_4(view: View) -> bool:
    """Conditions 5 and 6 of definition 4."""
    return condition(view, cell=True, line=True) and condition(view.turned, cell=True, line=True)


def one_way_3(view: View) -> bool:
    """Definition 3, but in one of the two directions the other lines must hold the number."""
    turned = view.turned
    return (condition(view) and condition(turned, cell=True)) or (condition(view, cell=True) and condition(turned))


def one_way_4(view: View) -> bool:
    """Definition 4, but in one of the two directions the other lines must hold the number or be filled."""
    turned = view.turned
    across = condition(view, line=True) and condition(turned, cell=True)
    return across or (condition(view, cell=True) and condition(turned, line=True))


def fixed_way_3(view: View) -> bool:
    """Definition 3, but the other rows must hold the number."""
    return condition(view) and condition(view.turned, cell=True)


def fixed_way_4(view: View) -> bool:
    """Definition 4, but the other rows must hold the number or be filled."""
    return condition(view, line=True) and condition(view.turned, cell=True)


def whole_lines_4(view: View) -> bool:
    """Definition 4 with its third case for the second, not beside it."""
    return condition(view, line=True) and condition(view.turned, line=True)


def only_place(view: View) -> bool:
    """Say whether every other cell of the subblock is filled or in a line that holds the number: what is true."""
    return all(
        view.filled[r][c] or view.rows[r] or view.columns[c]
        for r, c in product(range(3), repeat=2)
        if (r, c) != (view.x, view.y)
    )


READINGS: dict[str, Reading] = {
    "2": definition_2,
    "3": definition_3,
    "4": definition_4,
    "3 one way": one_way_3,
    "4 one way": one_way_4,
    "3 fixed way": fixed_way_3,
    "4 fixed way": fixed_way_4,
    "4 whole lines": whole_lines_4,
    "only place": only_place,
}


def views() -> Iterator[View]:
    """Yield every view that there can be."""
    for x, y in product(range(3), repeat=2):
        for bits in product((False, True), repeat=8):
            cells = [*bits[: 3 * x + y], False, *bits[3 * x + y :]]
            filled = tuple(tuple(cells[3 * r : 3 * r + 3]) for r in range(3))
            for lines in product((False, True), repeat=4):
                rows, columns = list(lines[:2]), list(lines[2:])
                rows.insert(x, False)
                columns.insert(y, False)
                yield View(filled, tuple(rows), tuple(columns), x, y)  # type: ignore[arg-type]


def robots(puzzle: se.Puzzle, reading: Reading) -> Iterator[tuple[int, int]]:
    """Let the nine robots take turns, and yield each box that is put: its number and the cell."""
    grid = puzzle.givens.reshape(9, 9).tolist()
    put = True
    while put:
        put = False
        for robot in range(1, 10):
            cell = position(grid, robot, reading)
            if cell >= 0:
                grid[cell // 9][cell % 9] = robot
                put = True
                yield robot, cell


def position(grid: list[list[int]], robot: int, reading: Reading) -> int:
    """Return the lowest position that is valid for a robot, or -1."""
    rows = [robot in row for row in grid]
    columns = [any(row[c] == robot for row in grid) for c in range(9)]
    for x, y in product(range(9), repeat=2):
        if grid[x][y] or rows[x] or columns[y]:
            continue
        top, left = x - x % 3, y - y % 3
        box = [row[left : left + 3] for row in grid[top : top + 3]]
        if any(robot in row for row in box):
            continue
        filled = tuple(tuple(number > 0 for number in row) for row in box)
        view = View(filled, tuple(rows[top : top + 3]), tuple(columns[left : left + 3]), x - top, y - left)  # type: ignore[arg-type]
        if reading(view):
            return 9 * x + y
    return -1


def followed(puzzle: se.Puzzle, reading: Reading) -> Grids:
    """Return the board when the robots that follow a reading have stopped."""
    grid = puzzle.givens.copy()
    for robot, cell in robots(puzzle, reading):
        grid[cell] = robot
    return grid


@dataclass(frozen=True)
class Outcome:
    """What robots did on some puzzles with one solution each.

    Attributes:
        grids: the boards when they stopped.
        solved: how many are full and right.
        filled: how many of a hundred blanks hold a box.
        wrong: the wrong boxes on each board.
        put: how many boxes were put in all, those taken back too; 0 where not counted.
    """

    grids: tuple[bytes, ...]
    solved: int
    filled: float
    wrong: tuple[int, ...]
    put: int

    @property
    def n_wrong(self) -> str:
        """How many wrong boxes there are on how many boards."""
        return f"{sum(self.wrong)} in {sum(wrong > 0 for wrong in self.wrong)} puzzles"


@cache
def sample(number: int) -> tuple[tuple[se.Puzzle, Grids], ...]:
    """Return about `number` random puzzles, a quarter of each kind with one solution, and their solutions."""
    each = max(1, number // 4)
    kinds = ("easy", "medium", "hard", "evil")
    return tuple((puzzle, answers.solution(puzzle)) for kind in kinds for puzzle in puzzles.random(kind, each))


@cache
def outcome(name: str, number: int) -> Outcome:
    """Let robots work on the sample: those of a reading, or of `model NAME`, a model of `papers.block_world`."""
    grids, put = [], 0
    for puzzle, _ in sample(number):
        if name.startswith("model "):
            run = block_world.run(puzzle, no_tick, name.removeprefix("model "))
            grids.append(run.grid)
            put += run.put
        else:
            grids.append(followed(puzzle, READINGS[name]))
    pairs = [(grid, right) for grid, (_, right) in zip(grids, sample(number), strict=True)]
    n_blanks = sum(len(puzzle.blanks) for puzzle, _ in sample(number))
    n_filled = n_blanks - sum(int(np.count_nonzero(grid == 0)) for grid in grids)
    return Outcome(
        grids=tuple(grid.tobytes() for grid in grids),
        solved=sum(bool((grid == right).all()) for grid, right in pairs),
        filled=100 * n_filled / n_blanks,
        wrong=tuple(int(np.count_nonzero((grid != 0) & (grid != right))) for grid, right in pairs),
        put=put,
    )
