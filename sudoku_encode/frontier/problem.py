"""What is left of a puzzle after singles: cells with candidates, and groups of cells that must differ."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int32s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


class Problem(NamedTuple):
    """Cells and groups of cells that must differ, without coordinates.

    Attributes:
        candidates: bool (cells, n_values).
        units: for each group the numbers of its cells.
        needs: bool (units, n_values): the values that must each be in the unit.
        lasting: bool (units,): what the unit holds in the end is asked for; it stays open.
        apart: bool (n_values, n_values): pairs of values that something outside tells apart.
    """

    candidates: Candidates
    units: tuple[Intps, ...]
    needs: Bools
    lasting: Bools
    apart: Bools


def propagated(puzzle: Puzzle) -> Candidates | None:
    """Return the candidates after naked and hidden singles, bool (n_cells, n_values); None when that shows a clash.

    Values that nothing tells apart before are not told apart by this either.
    """
    candidates, sound = singles(puzzle)
    return candidates if sound else None


def singles(puzzle: Puzzle) -> tuple[Candidates, bool]:
    """Return the candidates as far as naked and hidden singles came, and whether no contradiction was found."""
    board = puzzle.geometry
    candidates = puzzle.candidates.copy()
    # A cell may lie in no unit, where no rule looks at it.
    if board.why_impossible or not candidates.any(axis=1).all():
        return candidates, False
    before = -1
    while (left := int(candidates.sum())) != before:
        before = left
        for rule in board.rules:
            if not _singles(candidates, rule.units, rule in board.full_rules):
                return candidates, False
    return candidates, True


def _singles(candidates: Candidates, units: Int32s, full: bool) -> bool:
    """Apply naked singles, and hidden ones where each value must be in each unit; false on a contradiction."""
    here = candidates[units]
    single = here.sum(axis=2) == 1
    held = (here & single[:, :, None]).sum(axis=1)
    here &= single[:, :, None] | ~held.astype(bool)[:, None, :]
    sound = bool((held <= 1).all() and here.any(axis=2).all())
    if full and sound:
        places = here.sum(axis=1)
        only = here & (places == 1)[:, None, :]
        here = np.where(only.any(axis=2)[:, :, None], only, here)
        sound = bool((places > 0).all() and (only.sum(axis=2) <= 1).all())
    candidates[units] = here
    return sound


def whole(board: Geometry, candidates: Candidates) -> Problem:
    """Return a board as a problem."""
    n = board.n_values
    units = [unit.astype(np.intp) for rule in board.rules for unit in rule.units]
    needs = np.zeros((len(units), n), bool)
    needs[[len(unit) == n for unit in units]] = True
    return Problem(candidates, tuple(units), needs, np.zeros(len(units), bool), np.zeros((n, n), bool))


def blank(board: Geometry, candidates: Candidates) -> tuple[Problem, Intps]:
    """Return a board as a problem without its settled cells, whose peers must lack their values, and the cells left."""
    n = board.n_values
    left = np.flatnonzero(candidates.sum(axis=1) > 1)
    at = np.full(board.n_cells, -1, np.intp)
    at[left] = np.arange(len(left))
    units, needs = [], [np.zeros((0, n), bool)]
    for rule in board.rules:
        for unit in rule.units:
            open_cells = at[unit][at[unit] >= 0]
            if len(open_cells) > 1:
                settled = candidates[unit][at[unit] < 0].any(axis=0)
                units.append(open_cells)
                needs.append((~settled & (len(unit) == n))[None])
    apart = np.zeros((n, n), bool)
    return Problem(candidates[left], tuple(units), np.concatenate(needs), np.zeros(len(units), bool), apart), left


def components(problem: Problem) -> list[tuple[Problem, Intps]]:
    """Split a problem without lasting units into parts that do not bear on each other, each with its cells.

    Two cells bear on each other when they share a unit and a candidate, so all places of a value in a unit are in one
    part, and each part needs of the unit's values those that it has a place for.
    """
    root = list(range(len(problem.candidates)))

    def find(cell: int) -> int:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for unit in problem.units:
        for places in problem.candidates[unit].T:
            first, *rest = unit[places].tolist() or [0]
            for cell in rest:
                root[find(cell)] = find(first)
    roots = np.array([find(cell) for cell in range(len(root))], np.intp)
    return [_part(problem, np.flatnonzero(roots == one)) for one in np.unique(roots)]


def _part(problem: Problem, cells: Intps) -> tuple[Problem, Intps]:
    at = np.full(len(problem.candidates), -1, np.intp)
    at[cells] = np.arange(len(cells))
    candidates = problem.candidates[cells]
    units, needs = [], [np.zeros((0, candidates.shape[1]), bool)]
    for unit, needed in zip(problem.units, problem.needs, strict=True):
        inside = at[unit][at[unit] >= 0]
        if len(inside) > 1:
            units.append(inside)
            needs.append((needed & candidates[inside].any(axis=0))[None])
    part = Problem(candidates, tuple(units), np.concatenate(needs), np.zeros(len(units), bool), problem.apart)
    return part, cells


def differing(candidates: Candidates) -> Bools:
    """Say of each two values whether some cell may hold one and not the other, bool (n_values, n_values)."""
    columns = candidates.astype(np.float32)
    both = columns.T @ columns
    each = np.diagonal(both)
    return np.asarray((both != each[:, None]) | (both != each[None, :]))


def members(units: Sequence[Intps], n_cells: int) -> list[list[int]]:
    """Return for each cell the numbers of its units."""
    units_of_cell: list[list[int]] = [[] for _ in range(n_cells)]
    for number, unit in enumerate(units):
        for cell in unit.tolist():
            units_of_cell[cell].append(number)
    return units_of_cell
