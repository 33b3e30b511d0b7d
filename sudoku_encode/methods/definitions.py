"""The method `definitions`: plain backtracking that checks each constraint by its definition, `violated`, alone.

A cell tries one value after the other, except those of its peers. As soon as the last cell of a constraint is filled,
`violated` of its kind checks it; constraints on hidden cells are checked on full grids. Nothing is propagated and
nothing is lowered, so an error in how constraints are
lowered shows as a different number of solutions. It is slow: for small puzzles only.
"""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, by_hidden_cells, can_be_filled
from sudoku_encode.run.limits import Deadline

# How many values are tried between two checks of the deadline, and how many solutions a batch has.
_TRIES_PER_LOOK, _BATCH_SOLUTIONS = 256, 1000


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield all solutions in batches; the first solution is a batch of its own.

    Args:
        puzzle: any, with its constraints.
        deadline: when to stop.

    Raises:
        StoppedError: the deadline was reached.
    """
    grids: list[list[int]] = []
    room = 1
    for grid in _grids(puzzle, deadline):
        grids.append(grid)
        if len(grids) == room:
            yield np.array(grids, np.uint8)
            grids, room = [], _BATCH_SOLUTIONS
    if grids:
        yield np.array(grids, np.uint8)


def _grids(puzzle: Puzzle, deadline: Deadline) -> Iterator[list[int]]:
    """Yield the values of all cells of one solution after the other."""
    candidates = [(np.flatnonzero(row) + 1).tolist() for row in puzzle.candidates]
    order = _order(puzzle, list(map(len, candidates)))
    in_grid, hidden = by_hidden_cells(puzzle)
    earlier, completed = _checks_at(puzzle, order, in_grid)
    values = [0] * len(order)
    if any(constraint.violated(values) for constraint in in_grid if not constraint.scope_cells):
        return
    untried = [iter(candidates[order[0]])]
    tries = 0
    while untried:
        depth = len(untried) - 1
        cell = order[depth]
        value = next(untried[-1], 0)
        values[cell] = value
        tries += 1
        if tries % _TRIES_PER_LOOK == 0:
            deadline()
        if not value:
            untried.pop()
            continue
        if any(values[peer] == value for peer in earlier[depth]):
            continue
        if any(constraint.violated(values) for constraint in completed[depth]):
            continue
        if depth + 1 < len(order):
            untried.append(iter(candidates[order[depth + 1]]))
        elif not hidden or can_be_filled(hidden, values):
            yield list(values)


def _order(puzzle: Puzzle, sizes: list[int]) -> list[int]:
    """Return the cells ordered so that constraints and units are complete soon; `sizes` are the candidates of each."""
    scopes = [set(constraint.scope_cells) for constraint in by_hidden_cells(puzzle)[0]]
    peers = [set(row.tolist()) for row in puzzle.geometry.peers]
    remaining, order, filled = set(range(len(sizes))), list[int](), set[int]()

    def urgency(cell: int) -> tuple[bool, int, float, int, int]:
        open_cells = [len(scope - filled) for scope in scopes if cell in scope]
        soon = sum(1 / size for size in open_cells)
        return sizes[cell] == 1, open_cells.count(1), soon + len(peers[cell] & filled) / 4, -sizes[cell], -cell

    while remaining:
        best = max(remaining, key=urgency)
        remaining.remove(best)
        filled.add(best)
        order.append(best)
    return order


def _checks_at(
    puzzle: Puzzle, order: list[int], constraints: list[BoundConstraint]
) -> tuple[list[list[int]], list[list[BoundConstraint]]]:
    """Return for each position of an order the peers before it, and the constraints whose last cell it is."""
    place = {cell: position for position, cell in enumerate(order)}
    earlier = [
        [peer for peer in puzzle.geometry.peers[cell].tolist() if place[peer] < position]
        for cell, position in place.items()
    ]
    completed: list[list[BoundConstraint]] = [[] for _ in order]
    for constraint in constraints:
        if cells := constraint.scope_cells:
            completed[max(place[cell] for cell in cells)].append(constraint)
    return earlier, completed
