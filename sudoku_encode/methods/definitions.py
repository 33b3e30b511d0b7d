"""The method `definitions`: backtracking on what a puzzle says, by the words of each constraint's definition alone.

A cell takes one value after the other. A value that a peer holds is left out, and as soon as the last cell of a
constraint is filled, `violated` of its kind is asked. Nothing is propagated and nothing is lowered, so that an error in
what constraints are lowered to shows as another number of solutions. It is slow, and for small puzzles.
"""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.puzzles.constraint import Placed, cells_of, is_violated
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline

# How many values are tried between two looks at the deadline, and how many solutions are yielded at a time.
_TRIES_PER_LOOK, _BATCH_SOLUTIONS = 256, 1000


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield all solutions in batches, the first one by itself.

    Args:
        puzzle: any, with its constraints.
        deadline: when to stop.

    Raises:
        StoppedError: the deadline was reached.
    """
    found: list[list[int]] = []
    room = 1
    for grid in _grids(puzzle, deadline):
        found.append(grid)
        if len(found) == room:
            yield np.array(found, np.uint8)
            found, room = [], _BATCH_SOLUTIONS
    if found:
        yield np.array(found, np.uint8)


def _grids(puzzle: Puzzle, deadline: Deadline) -> Iterator[list[int]]:
    """Yield the values of all cells of one solution after the other."""
    candidates = [(np.flatnonzero(row) + 1).tolist() for row in puzzle.candidates]
    order = _order(puzzle, list(map(len, candidates)))
    earlier, asked = _looked_at(puzzle, order)
    values = [0] * len(order)
    if any(is_violated(here, values) for here in puzzle.placed if not cells_of(here)):
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
        if any(is_violated(here, values) for here in asked[depth]):
            continue
        if depth + 1 < len(order):
            untried.append(iter(candidates[order[depth + 1]]))
        else:
            yield list(values)


def _order(puzzle: Puzzle, sizes: list[int]) -> list[int]:
    """Return all cells in an order in which constraints and units are soon complete, those with one candidate first.

    Args:
        puzzle: the puzzle.
        sizes: how many candidates each cell has.
    """
    scopes = [set(cells_of(here)) for here in puzzle.placed]
    peers = [set(row.tolist()) for row in puzzle.geometry.peers]
    left, order, filled = set(range(len(sizes))), list[int](), set[int]()

    def urgency(cell: int) -> tuple[bool, int, float, int, int]:
        open_cells = [len(scope - filled) for scope in scopes if cell in scope]
        soon = sum(1 / size for size in open_cells)
        return sizes[cell] == 1, open_cells.count(1), soon + len(peers[cell] & filled) / 4, -sizes[cell], -cell

    while left:
        best = max(left, key=urgency)
        left.remove(best)
        filled.add(best)
        order.append(best)
    return order


def _looked_at(puzzle: Puzzle, order: list[int]) -> tuple[list[list[int]], list[list[Placed]]]:
    """Return for each place of an order the peers before it, and the constraints of which it is the last cell."""
    place = {cell: at for at, cell in enumerate(order)}
    earlier = [
        [peer for peer in puzzle.geometry.peers[cell].tolist() if place[peer] < at] for cell, at in place.items()
    ]
    asked: list[list[Placed]] = [[] for _ in order]
    for here in puzzle.placed:
        if cells := cells_of(here):
            asked[max(place[cell] for cell in cells)].append(here)
    return earlier, asked
