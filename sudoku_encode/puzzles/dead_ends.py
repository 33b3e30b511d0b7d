"""Reasons why a position has no solution, with the cells that show it: for the steps of a method at work."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import plural
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.puzzles.step import Step

# Pairs of givens that are named.
MAX_CLASHES = 5
# The data of a last step that proves that there is no solution.
NONE = {"solutions": 0, "complete": True}


class DeadEnd(NamedTuple):
    """A reason why a position has no solution."""

    text: str = ""  # for people; empty if the position has no dead end
    cells: tuple[int, ...] = ()  # the cells that show it


def clash_step(puzzle: Puzzle) -> Step | None:
    """Return the only step of every method on a puzzle whose givens clash, or whose board has no solution at all.

    >>> from sudoku_encode import Puzzle, board
    >>> print(impossible(Puzzle.of(board("4x4"), [1, 1] + 14 * [0])))
    no solution: the givens clash: r1c1 and r1c2 both hold 1 (row 1, box 1)
    """
    board = puzzle.geometry
    if board.oversized_unit is not None:
        cells = tuple(board.oversized_unit[1].tolist())
        return Step(f"no solution: {board.why_impossible}", "end", "oversized unit", cells, data=NONE)
    first_cells, second_cells = board.edges.T
    both = (puzzle.givens[first_cells] == puzzle.givens[second_cells]) & (puzzle.givens[first_cells] != 0)
    pairs = [(int(first), int(second)) for first, second in zip(first_cells[both], second_cells[both], strict=True)]
    if not pairs:
        return None
    texts = [
        f"{board.cell_name(first)} and {board.cell_name(second)} both hold {board.shown(puzzle.givens[first])}"
        f" ({', '.join(_shared_units(board, first, second))})"
        for first, second in pairs[:MAX_CLASHES]
    ]
    if more := len(pairs) - len(texts):
        texts.append(f"and {more} more {plural('pair', more)}")
    cells = tuple(dict.fromkeys(cell for pair in pairs for cell in pair))
    return Step(f"no solution: the givens clash: {'; '.join(texts)}", "end", "clash", cells, data=NONE)


def _shared_units(board: Geometry, cell: int, other: int) -> Iterator[str]:
    first = 0
    for rule, mine, its in zip(board.rules, board.units_of_cells[cell], board.units_of_cells[other], strict=True):
        if mine == its and mine >= 0:
            yield board.unit_name(rule, int(mine) - first)
        first += len(rule.units)


def dead_end(board: Geometry, candidates: Candidates, name: Callable[[int], str] | None = None) -> DeadEnd:
    """Return why these candidates have no solution, if a single cell or unit shows it.

    A filled cell has its value alone; `name` returns the name of a cell, by default that of the board.

    >>> import numpy as np
    >>> from sudoku_encode import board
    >>> left = np.ones((16, 4), bool)
    >>> left[0], left[4:6, :3] = [1, 0, 0, 0], False
    >>> dead_end(board("4x4"), left).text
    'r2c1 and r2c2 can both hold 4 only (row 2, box 1)'
    """
    named = name or board.cell_name
    empty = np.flatnonzero(~candidates.any(axis=1))
    if len(empty):
        return _empty_cell(board, candidates, int(empty[0]), named)
    settled = np.where(np.count_nonzero(candidates, axis=1) == 1, candidates.argmax(axis=1) + 1, 0)
    first_cells, second_cells = board.edges.T
    both = np.flatnonzero((settled[first_cells] == settled[second_cells]) & (settled[first_cells] > 0))
    if len(both):
        first, second = int(first_cells[both[0]]), int(second_cells[both[0]])
        units = ", ".join(_shared_units(board, first, second))
        text = f"{named(first)} and {named(second)} can both hold {board.shown(settled[first])} only ({units})"
        return DeadEnd(text, (first, second))
    return _full_unit(board, candidates, settled > 0, named)


def _empty_cell(board: Geometry, candidates: Candidates, cell: int, named: Callable[[int], str]) -> DeadEnd:
    """Return the dead end of a cell without a candidate, with the values of its filled peers."""
    peers = board.peers[cell]
    filled = peers[np.count_nonzero(candidates[peers], axis=1) == 1]
    holding = {int(candidates[peer].argmax()) + 1: int(peer) for peer in filled[::-1]}
    reasons = ", ".join(f"{named(holding[value])} holds {board.shown(value)}" for value in sorted(holding))
    others = [board.shown(value) for value in range(1, board.n_values + 1) if value not in holding]
    reasons += f"{', and ' if reasons and others else ''}{' '.join(others)}{' went before' if others else ''}"
    return DeadEnd(f"{named(cell)} has no candidate left: {reasons}", (cell, *sorted(holding.values())))


def _full_unit(board: Geometry, candidates: Candidates, settled: Bools, named: Callable[[int], str]) -> DeadEnd:
    """Return the dead end of a unit with no place for a value, or with one place for two values."""
    for rule in board.full_rules:
        places = candidates[rule.units].sum(axis=1)
        for number, value in np.argwhere(places == 0).tolist():
            unit = rule.units[number]
            blanks = " ".join(named(cell) for cell in unit[~settled[unit]].tolist())
            text = f"{board.unit_name(rule, number)} has no place for {board.shown(value + 1)}"
            text += f", which fits on none of its blanks {blanks}" if blanks else ""
            return DeadEnd(text, tuple(unit.tolist()))
        for number, unit in enumerate(rule.units):
            only = candidates[unit] & (places[number] == 1)
            for place in np.flatnonzero(only.sum(axis=1) > 1).tolist():
                values = " and ".join(board.shown(value + 1) for value in np.flatnonzero(only[place]).tolist())
                text = f"{values} fit in {board.unit_name(rule, number)} on {named(int(unit[place]))} only"
                return DeadEnd(text, (int(unit[place]),))
    return DeadEnd()
