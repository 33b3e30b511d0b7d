"""Killer cages as other programs write them: each cell says of which cage it is, and what that adds up to.

A cage of one cell is a given, and a given is written as one: these forms have no other.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


class Cage(NamedTuple):
    """Cells that differ.

    Attributes:
        total: what they add up to; 0 where that is not said.
        cells: ascending.
    """

    total: int
    cells: tuple[int, ...]


def board_of(name: str, setting: Setting) -> Geometry:
    """Return the board that a puzzle's text says, or the one that is asked for where that has the same rules or more.

    Raises:
        FormatError: the board that is asked for is another.
        GeometryError: a rule that is asked for does not exist.
    """
    said, known = setting.named_board(name), setting.known_board()
    if known is None:
        return said
    if known.shape != said.shape or not set(said.rule_names) <= set(known.rule_names):
        raise FormatError(f"this puzzle is for {said.name}, not for {known.name}; leave the board out")
    return known


def puzzle_of(cages: Iterable[Cage], board: Geometry, setting: Setting) -> Puzzle:
    """Return the puzzle that cages make.

    Raises:
        FormatError: the sum of a cage is none that its cells can have.
    """
    givens, constraints = np.zeros(board.n_cells, np.int64), list(setting.constraints_on(board))
    for total, cells in cages:
        if len(cells) > 1:
            constraints.append(Constraint("cage", (cells,), (total,) if total else ()))
        elif total > board.n_values:
            at = board.cell_name(cells[0])
            raise FormatError(f"{at} is a cage of one cell with the sum {total}; values go to {board.n_values}")
        else:
            givens[cells[0]] = total
    return Puzzle.of(board, givens, constraints=constraints)


def cages_of(puzzle: Puzzle) -> list[Cage]:
    """Return the cages of a puzzle, and one for each given and each cell in none; ordered by their first cells."""
    found = [Cage(sum(constraint.numbers), tuple(sorted(constraint.cells[0]))) for constraint in puzzle.constraints]
    caged = {cell for cage in found for cell in cage.cells}
    alone = [Cage(value, (cell,)) for cell, value in enumerate(puzzle.givens.tolist()) if cell not in caged]
    return sorted(found + alone, key=lambda cage: cage.cells)


def clash_of(puzzle: Puzzle) -> str:
    """Say why a form in which each cell is of one cage cannot hold a puzzle; an empty text where it can."""
    seen: set[int] = set()
    for constraint in puzzle.constraints:
        for cell in constraint.cells[0]:
            if cell in seen:
                return f"{puzzle.geometry.cell_name(cell)} is in two cages"
            if puzzle.givens[cell]:
                return f"{puzzle.geometry.cell_name(cell)} is a given in a cage; a cell is either"
            seen.add(cell)
    return ""
