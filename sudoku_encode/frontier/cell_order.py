"""Orders in which to pass the cells, and the steps of an order: what a cell may hold, what a state must remember."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb, log2

import numpy as np

from sudoku_encode.frontier.problem import Problem, members
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps, Uint64s
from sudoku_encode.puzzles.geometry import Geometry

# A signature is a machine word with a bit for each open unit.
MAX_OPEN_UNITS = 64


@dataclass(frozen=True, eq=False)
class Step:
    """One cell."""

    allowed: Bools  # (n_values,): the values that it may hold, given the later cells
    barred: int  # bits of its units that were begun before
    set: int  # bits of its units that are open afterwards
    must: Uint64s  # (n_values,): bits that each value must have afterwards, or it finds no place in that unit
    keep: Uint64s  # (n_values,): bits that still matter afterwards
    classes: Int64s  # (n_values,): for each value the smallest one that no later cell distinguishes from it


def slots(problem: Problem, order: Sequence[int]) -> tuple[list[list[tuple[int, int]]], int]:
    """Return for each step the open units after it with their bits, and how many bits there are."""
    place = {cell: step for step, cell in enumerate(order)}
    reach = [sorted(place[cell] for cell in unit.tolist()) for unit in problem.units]
    last = [len(order) if lasts else span[-1] for span, lasts in zip(reach, problem.lasting, strict=True)]
    begun: list[list[int]] = [[] for _ in order]
    for number, span in enumerate(reach):
        begun[span[0]].append(number)
    bit_of_unit: dict[int, int] = {}
    free: list[int] = []
    most, after = 0, []
    for step in range(len(order)):
        for unit in begun[step]:
            if not free:
                free, most = [most], most + 1
            bit_of_unit[unit] = free.pop()
        closing = [unit for unit in bit_of_unit if last[unit] <= step]
        # A bit is free again only after its unit's last cell, so that no two units of one step share it.
        free += [bit_of_unit.pop(unit) for unit in closing]
        after.append(list(bit_of_unit.items()))
    return after, most


class LaterCells:
    """Facts about the cells not yet passed, built from the last cell backwards: givens bar their value from peers."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.units_of_cell = members(problem.units, len(problem.candidates))
        self.candidates = np.zeros_like(problem.candidates)
        n = problem.candidates.shape[1]
        self.differ = problem.apart.astype(np.int64)
        self.places = np.zeros((len(problem.units), n), np.int64)

    def _change(self, cell: int, row: Bools) -> None:
        for sign, values in ((-1, self.candidates[cell]), (1, row)):
            self.differ += sign * (values[:, None] ^ values[None, :])
            self.places[self.units_of_cell[cell]] += sign * values
        self.candidates[cell] = row

    def add(self, cell: int, later: Bools) -> None:
        """Add a cell that is passed before those already added, which are marked in `later`."""
        row = self.problem.candidates[cell].copy()
        single = np.flatnonzero(row) if row.sum() == 1 else np.empty(0, np.intp)
        for unit in self.units_of_cell[cell]:
            for peer in self.problem.units[unit].tolist():
                if not later[peer]:
                    continue
                if self.problem.candidates[peer].sum() == 1:
                    row &= ~self.problem.candidates[peer]
                for value in single:
                    if self.candidates[peer, value]:
                        without = self.candidates[peer].copy()
                        without[value] = False
                        self._change(peer, without)
        self._change(cell, row)

    @property
    def classes(self) -> Int64s:
        """For each value the smallest one that these cells do not distinguish from it."""
        first: Int64s = np.argmax(self.differ == 0, axis=1).astype(np.int64)
        return first


def steps(problem: Problem, order: Sequence[int], tick: Callable[[], None]) -> tuple[list[Step], int]:
    """Return all steps, and how many bits a signature needs; no steps if that is more than a word has."""
    after, most = slots(problem, order)
    if most > MAX_OPEN_UNITS:
        return [], most
    n_cells, n = problem.candidates.shape
    future, later = LaterCells(problem), np.zeros(n_cells, bool)
    views = []
    for cell in reversed(order):
        tick()
        behind = future.classes, future.places.copy()
        future.add(cell, later)
        later[cell] = True
        views.append((*behind, future.candidates[cell].copy()))
    views.reverse()
    checked = np.zeros((len(problem.units), n), bool)
    result = []
    before: dict[int, int] = {}
    for cell, open_after, (classes, places, allowed) in zip(order, after, views, strict=True):
        bits = dict(open_after)
        barred = sum(1 << before[unit] for unit in future.units_of_cell[cell] if unit in before)
        placed = sum(1 << bits[unit] for unit in future.units_of_cell[cell] if unit in bits)
        must, keep = _masks(problem, open_after, classes, places, checked)
        result.append(Step(allowed, barred, placed, must, keep, classes))
        before = bits
    return result, most


def _masks(
    problem: Problem,
    open_after: list[tuple[int, int]],
    classes: Int64s,
    places: Int64s,
    checked: Bools,
) -> tuple[Uint64s, Uint64s]:
    """Return `Step.must` and `Step.keep` of a step."""
    n = len(classes)
    must, keep = np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    for unit, slot in open_after:
        bit = np.uint64(1 << slot)
        if problem.lasting[unit]:
            keep |= bit
            continue
        keep[places[unit] > 0] |= bit
        lost = problem.needs[unit] & (places[unit] == 0)
        due = lost & ~checked[unit]
        # A bit is checked once, since it is not kept afterwards. Values that are interchangeable by now may have
        # changed places, so all values of a class are checked or no value.
        fails = np.bincount(classes, ~due, n)
        must[due & (fails[classes] == 0)] |= bit
        checked[unit] |= lost
    return must, keep


def orders(problem: Problem, cells: Intps, board: Geometry, near: bool = True) -> Iterator[tuple[str, list[int]]]:
    """Yield orders of the cells, with names; that from cell to nearest cell, which takes time to find, only if `near`.

    `cells` are the numbers on the board of the cells of the problem.
    """
    coordinates = np.array(board.coordinates)[cells].T
    for axes in permutations(range(len(coordinates))):
        name = "rows" if axes == (0, 1) else "columns" if axes == (1, 0) else "axes " + "".join("xyz"[a] for a in axes)
        way = np.lexsort(coordinates[list(reversed(axes))]).tolist()
        yield name, way
        yield f"{name} backwards", way[::-1]
    if near:
        yield "nearest first", greedy(problem)


def _sizes(problem: Problem) -> list[list[float]]:
    """Return for each unit and number of passed cells log2 of the number of sets of values that they may hold."""
    sizes = []
    for unit in problem.units:
        pool = int(problem.candidates[unit].any(axis=0).sum())
        sizes.append([log2(max(1, comb(pool, passed))) for passed in range(len(unit))] + [0.0])
    return sizes


def greedy(problem: Problem) -> list[int]:
    """Return an order in which the next cell is always the one that makes the frontier smallest."""
    sizes, units_of_cell = _sizes(problem), members(problem.units, len(problem.candidates))
    passed = [0] * len(problem.units)
    rest, order = list(range(len(units_of_cell))), []
    while rest:
        best = min(
            rest, key=lambda cell: sum(sizes[u][passed[u] + 1] - sizes[u][passed[u]] for u in units_of_cell[cell])
        )
        rest.remove(best)
        order.append(best)
        for unit in units_of_cell[best]:
            passed[unit] += 1
    return order


def estimate(problem: Problem, order: Sequence[int]) -> float:
    """Return log2 of roughly the largest number of states; good only for choosing between orders."""
    sizes, units_of_cell = _sizes(problem), members(problem.units, len(problem.candidates))
    passed = [0] * len(problem.units)
    widest = now = 0.0
    for cell in order:
        for unit in units_of_cell[cell]:
            now += sizes[unit][passed[unit] + 1] - sizes[unit][passed[unit]]
            passed[unit] += 1
        widest = max(widest, now)
    return widest
