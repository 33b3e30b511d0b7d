"""Squares inside a board that are independent of its other open cells: layers of cubes, arms of a samurai."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import GeometryError
from sudoku_encode.frontier.problem import blank, components
from sudoku_encode.puzzles.arrays import Bools, Intps
from sudoku_encode.puzzles.boards import board as board_of
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Cells = frozenset[int]


class Square(NamedTuple):
    """A part of a puzzle that is a square with rows, columns and perhaps boxes."""

    puzzle: Puzzle  # with the square as its board
    cells: Intps  # the cell of the whole board for each cell of the square
    key: bytes  # equal for squares that differ at most in the names of values


def squares(puzzle: Puzzle, candidates: Candidates) -> list[Square]:
    """Return the squares inside a board that are independent of all other open cells; the candidates after singles."""
    board = puzzle.geometry
    is_open: Bools = np.greater(candidates.sum(axis=1), 1)
    units = [frozenset(unit) for rule in board.rules for unit in rule.units.tolist()]
    independent: list[Square] = []
    taken = np.zeros(board.n_cells, np.bool_)
    for cover in _covers(puzzle, candidates, units):
        if len(cover) == board.n_cells:
            continue
        chosen = [number for number, unit in enumerate(units) if unit <= cover]
        numbered = _numbered({units[number] for number in chosen})
        # The lines of a square hold each value.
        if numbered is None or len(numbered[1]) != board.n_values**2:
            continue
        name, cells = numbered
        # A cell that is in a unit outside too counts by its value only.
        inside = np.logical_and.reduce(np.isin(board.units_of_cells[cells], [*chosen, -1]), axis=1)
        if np.any(is_open[cells] & (taken[cells] | ~inside)):
            continue
        taken[cells] = True
        allowed = np.where(inside[:, None], puzzle.candidates[cells], candidates[cells])
        by_value = sorted(places.tobytes() for places in np.ascontiguousarray(allowed.T))
        independent.append(Square(_with_candidates(name, allowed), cells, b"".join([name.encode(), *by_value])))
    return independent


def _covers(puzzle: Puzzle, candidates: Candidates, units: list[Cells]) -> Iterator[Cells]:
    """Yield for each independent part of the open cells the cells of all units with one of them, the largest first."""
    problem, open_cells = blank(puzzle.geometry, candidates)
    units_of = [[units[number] for number in row if number >= 0] for row in puzzle.geometry.units_of_cells.tolist()]
    covers = set()
    for _, numbers in components(problem):
        cells = open_cells[numbers].tolist()
        covers.add(frozenset(cells).union(*(unit for cell in cells for unit in units_of[cell])))
    yield from sorted(covers, key=lambda cover: (-len(cover), sorted(cover)))


def _numbered(units: set[Cells]) -> tuple[str, Intps] | None:
    """Return the name of the square with these units, and its cells in the order of their numbers; None if not one."""
    through = [unit for unit in units if min(map(min, units)) in unit]
    crossing = [(one, other) for one in through for other in through if len(one & other) == 1 < len(one)]
    if not crossing:
        return None
    # A row crosses a column in one cell, and a box in several or none.
    row, column = min(crossing, key=lambda pair: sorted(pair[0]))
    rows, columns = ({unit for unit in units if len(unit & line) == 1} for line in (column, row))
    boxes = [sorted(unit) for unit in units - rows - columns]
    # Lines through the same boxes are neighbours.
    lines = [
        sorted(some, key=lambda line: (sorted(box[0] for box in boxes if line.intersection(box)), min(line)))
        for some in (rows, columns)
    ]
    n, corner = len(row), [box for box in boxes if min(row & column) in box]
    height, width = (len(line.intersection(*corner)) for line in (column, row))
    name = f"{n}x{n}:{height}x{width}" if boxes else f"latin:{n}x{n}"
    cells = [next(iter(one & other), -1) for one in lines[0] for other in lines[1]]
    try:
        rules = board_of(name).rules
    except GeometryError:
        return None
    numbers = np.array(cells, np.intp)
    same = len(cells) == n**2 and units == {frozenset(unit) for rule in rules for unit in numbers[rule.units].tolist()}
    return (name, numbers) if same else None


def _with_candidates(name: str, allowed: Candidates) -> Puzzle:
    """Return a square with these candidates, as givens where they say no more."""
    sizes = allowed.sum(axis=1)
    givens = np.where(sizes == 1, np.argmax(allowed, axis=1) + 1, 0)
    return Puzzle.of(board_of(name), givens, None if np.isin(sizes, (1, allowed.shape[1])).all() else allowed)
