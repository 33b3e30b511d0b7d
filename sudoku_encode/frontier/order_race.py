"""In which order to pass the cells: no estimate tells, so some are tried in turn, with more and more states allowed."""

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from sudoku_encode.frontier.cell_order import estimate, orders
from sudoku_encode.frontier.problem import Problem, blank, components, whole
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory, layers
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# The race has rounds. In each, an order is given up as soon as it has more states than the round's cap; the last round
# has none.
STATE_CAPS = (2**12, 2**15, 2**18)
# How many orders, the best of the round before, are tried in each round, the last one included.
ROUND_ORDERS = (10, 6, 5, 1)
# On larger boards the order from cell to nearest cell takes too long to find, and settled cells are always left out.
MAX_NEAREST_CELLS = 256


@dataclass
class Way:
    """A way through the cells, and how far it has been followed.

    Attributes:
        name: for people.
        problem: whose cells they are.
        order: their numbers.
        passed: how many cells were passed with the states that were allowed.
        widest: the most states there were.
    """

    name: str
    problem: Problem
    order: list[int]
    passed: int = 0
    widest: int = 1

    def follow(self, cap: int | None, tick: Callable[[], None], max_bytes: int) -> int | None:
        """Return the number of solutions, or None when there are too many states.

        Raises:
            StoppedError: see `transfer_matrix.layers`.
        """
        total = 1
        self.passed = 0
        for layer in layers(self.problem, self.order, tick, max_bytes):
            self.widest = max(self.widest, len(layer.states))
            if cap is not None and len(layer.states) > cap:
                return None
            self.passed += 1
            total = layer.total
        return total


def ways(puzzle: Puzzle, candidates: Candidates) -> list[list[Way]]:
    """Return ways worth a try, the most promising first, for each part of what singles leave.

    Settled cells are left out, which bars most; or they are cells like others, so that values that only they tell
    apart are interchangeable behind them.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    settled = board.n_cells - len(cells)
    parts = components(problem)
    found = []
    for part, numbers in parts:
        kinds = [("", part, cells[numbers])]
        if len(parts) == 1 and 0 < settled <= board.n_cells // 3 and board.n_cells <= MAX_NEAREST_CELLS:
            kinds.append((", settled cells too", _with_settled(board, puzzle, candidates), np.arange(board.n_cells)))
        some = []
        for remark, one, places in kinds:
            seen: set[tuple[int, ...]] = set()
            for name, order in orders(one, places, board, near=len(places) <= MAX_NEAREST_CELLS):
                if tuple(order) not in seen and (settled or "backwards" not in name):
                    seen.add(tuple(order))
                    some.append(Way(name + remark, one, order))
        some.sort(key=lambda way: estimate(way.problem, way.order))
        found.append(some)
    return found


def _with_settled(board: Geometry, puzzle: Puzzle, candidates: Candidates) -> Problem:
    """Return the whole board with what the puzzle says and its settled cells, nothing else barred.

    What singles bar in the other cells would tell values apart that are interchangeable once some givens are passed.
    """
    plain = puzzle.candidates.copy()
    settled = candidates.sum(axis=1) == 1
    plain[settled] = candidates[settled]
    return whole(board, plain)


def race(
    some: list[Way], tick: Callable[[], None], max_bytes: int, caps: tuple[int | None, ...]
) -> Generator[str, None, int]:
    """Follow ways with more and more states; yield a line for each round, and return the count.

    Args:
        some: the ways; those that fall behind are removed.
        tick: called some times a second.
        max_bytes: what the tables may take.
        caps: of each round, see STATE_CAPS; None for a last round without one.

    Returns:
        The number of solutions, or -1 where every way has more states than the last cap.

    Raises:
        StoppedError: see `transfer_matrix.layers`.
    """
    kept_in_rounds = ROUND_ORDERS[-len(caps) :] if caps[-1] is None else ROUND_ORDERS
    for cap, kept in zip(caps, kept_in_rounds, strict=False):
        some.sort(key=lambda way: -way.passed / max(1, len(way.order)))
        for way in some[:kept]:
            try:
                total = way.follow(cap, tick, max_bytes)
            except OutOfTableMemory:
                if cap is None:
                    raise
                continue
            if total is not None:
                yield f"cell by cell, {way.name}: {len(way.order)} cells, {way.widest:,} states at the widest"
                return total
        del some[kept:]
        yield f"cell by cell: {len(some)} way{'s' * (len(some) > 1)} tried, more than {cap:,} states each"
    return -1
