"""Shares of candidates, and solutions by rank, with a transfer matrix over the cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.cell_order import Step, estimate, orders, steps
from sudoku_encode.frontier.problem import Problem, blank, components, separated_values, spans
from sudoku_encode.frontier.ranks import RankedSolutions, Wide, digits_of, exact, n_digits_of
from sudoku_encode.frontier.transfer_matrix import (
    MAX_NEAREST_CELLS,
    STATE_CAPS,
    STATES_PER_CALL,
    Layer,
    OutOfTableMemory,
    Way,
    first_layer,
    layers,
    move,
)
from sudoku_encode.puzzles.arrays import Int32s, Intps, Uint64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

# Shares: forwards in how many ways each state is reached, backwards in how many ways it is completed.
#
# A value of a cell leads from a state to another; the ways to reach the one, times the ways to complete the other, are
# the solutions that have it there. Only values that are interchangeable in the whole puzzle are identified, since
# otherwise a state would not tell which value is which; those have equal shares.

# How many orders of the cells are tried in each round.
_TRIED_ORDERS = 4


def shares(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> tuple[NDArray[Any], int]:
    """Return how many solutions have each candidate, Python integers (n_cells, n_values), and how many there are.

    The candidates are those after singles, at least one in each cell.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`, or a number is too large.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    apart = separated_values(puzzle.candidates)
    counts = candidates.astype(object)
    totals: list[int] = []
    parts = [(part._replace(apart=apart), cells[numbers]) for part, numbers in components(problem)]
    if not len(cells):
        return counts, 1
    for part, places in parts:
        way, passed = layers_of_best_way(board, part, places, tick, max_bytes)
        total = passed[-1].total if len(passed) > len(way.order) else 0
        totals.append(total)
        if total:
            counts[places[way.order]] = _backwards(way, passed, apart, total, tick)
    whole = prod(totals)
    if not whole:
        return np.zeros(candidates.shape, object), 0
    counts[candidates.sum(axis=1) == 1] *= whole
    for (_, places), total in zip(parts, totals, strict=True):
        counts[places] *= whole // total
    return counts, whole


def layers_of_best_way(
    board: Geometry, part: Problem, places: Intps, tick: Callable[[], None], max_bytes: int
) -> tuple[Way, list[Layer]]:
    """Follow ways with more and more states allowed; return the first way that reaches its end, with its layers."""
    named_orders = orders(part, places, board, near=len(places) <= MAX_NEAREST_CELLS)
    ways = [Way(name, part, order) for name, order in named_orders]
    ways = sorted(ways, key=lambda way: estimate(way.problem, way.order))[:_TRIED_ORDERS]
    for cap in (*STATE_CAPS, None):
        for way in ways:
            way_layers = _layers_of_way(way, cap, tick, max_bytes)
            if way_layers is not None:
                return way, way_layers
        ways = sorted(ways, key=lambda way: -way.passed)[: max(1, len(ways) // 2)]
    raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: too little for the states of all cells")


def _layers_of_way(way: Way, cap: int | None, tick: Callable[[], None], max_bytes: int) -> list[Layer] | None:
    """Return the layers of a way, with the layer before the first cell; None if there are too many states."""
    way_layers: list[Layer] = []
    way.passed = 0
    for layer in layers(way.problem, way.order, tick, max_bytes):
        max_bytes -= layer.states.nbytes + layer.counts.nbytes
        if max_bytes < 0:
            raise OutOfTableMemory("memory limit: too many states of cells")
        if cap is not None and len(layer.states) > cap:
            return None
        way.passed += 1
        if not way_layers:
            way_layers.append(first_layer(layer.states.shape[1], 8 * layer.states.dtype.itemsize))
        way_layers.append(layer)
    return way_layers


def _backwards(way: Way, passed: list[Layer], apart: NDArray[np.bool_], total: int, tick: Callable[[], None]) -> Any:
    """Return how many solutions of a part have each value in each cell, in the order of the way."""
    way_steps, _ = steps(way.problem, way.order, tick)
    n = len(passed[0].values)
    kinds = np.argmax(~apart, axis=1)
    sizes = np.bincount(kinds, minlength=n)
    in_cells = Wide.zeros((len(way_steps), n), total)
    after = Wide.all_one(len(passed[-1].states), total)
    for number in range(len(way_steps) - 1, -1, -1):
        old, new, step = passed[number], passed[number + 1], way_steps[number]
        before, behind = Wide.of_digits(old.counts, total), Wide.zeros((len(old.states),), total)
        at_places = Wide.zeros((n,), total)
        _retreat(old, new, step, before, after, behind, at_places, tick)
        for total_part, part in zip(in_cells.parts, at_places.parts, strict=True):
            np.add.at(total_part[number], kinds[old.values], part)
        after = behind
    counts = exact(in_cells, total)
    # Each of the values of a kind has as many.
    for kind in np.flatnonzero(sizes).tolist():
        counts[:, kinds == kind] = (counts[:, kind] // int(sizes[kind]))[:, None]
    return counts


def _retreat(
    old: Layer, new: Layer, step: Any, before: Wide, after: Wide, behind: Wide, in_cell: Wide, tick: Callable[[], None]
) -> None:
    """Go back by a step; see the kernel."""
    from sudoku_encode.frontier.transfer_matrix_kernel import retreat

    how, table = move(old, step), _table(new, tick)
    for four in zip(before.parts, after.parts, behind.parts, in_cell.parts, strict=True):
        for start, end in spans(len(old.states), STATES_PER_CALL, tick):
            retreat(old.states, how, new.states, table, *four, start, end)


# Ranks.
#
# From the last cell backwards the ways to complete each state are counted. Then a solution is built from the first cell
# on: each value that the next cell may have has as many solutions as the state that it leads to has completions, and
# the rank falls into the share of one of them. Values that are interchangeable from there on share one state, so a
# solution carries with it the value at each place of its state.


@dataclass(frozen=True, eq=False)
class _Part:
    """The solutions of one independent part of the cells."""

    cells: Intps  # their numbers on the board, in the order in which they are passed
    layers: list[Layer]  # the states before the first cell, and after each cell
    steps: list[Step]  # from each layer to the next
    completions: list[Uint64s]  # for each layer in how many ways its states are completed, uint64 (states, digits)
    total: int  # how many solutions there are

    def values(self, ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        """Return the values of the cells in the solutions of some ranks, uint8 (ranks, cells)."""
        from sudoku_encode.frontier.cell_ranks_kernel import choose_values

        n = len(self.layers[0].values)
        numbers, names = np.zeros(len(ranks), np.int64), np.tile(np.arange(n, dtype=np.int64), (len(ranks), 1))
        rest_ranks = digits_of(ranks, n_digits_of(self.total))
        values = np.zeros((len(self.cells), len(ranks)), np.uint8)
        for number, step in enumerate(self.steps):
            old, new = self.layers[number], self.layers[number + 1]
            how, table = move(old, step), _table(new, tick)
            after, cell_values = self.completions[number + 1], values[number]
            for start, end in spans(len(ranks), STATES_PER_CALL, tick):
                choose_values(
                    old.states, how, new.states, table, after, numbers, names, rest_ranks, cell_values, start, end
                )
        return np.ascontiguousarray(values.T)


def ranked(puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> RankedSolutions:
    """Return the solutions of a puzzle by rank; the candidates are those after singles, at least one in each cell.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    settled = (np.argmax(candidates, axis=1) + 1).astype(np.uint8)
    parts: list[_Part] = []
    for part, numbers in components(problem) if len(cells) else []:
        places = cells[numbers]
        way, layers = layers_of_best_way(board, part, places, tick, max_bytes)
        parts.append(_count_completions(way, layers, places, tick, max_bytes))
        max_bytes -= sum(_n_bytes(layer) for layer in layers)

    def solutions_at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        grids = np.tile(settled, (len(ranks), 1))
        for part in parts:
            own = [rank % part.total for rank in ranks]
            ranks = [rank // part.total for rank in ranks]
            grids[:, part.cells] = part.values(own, tick)
        return grids

    return RankedSolutions(prod(part.total for part in parts), solutions_at, "a transfer matrix, cell by cell")


def _n_bytes(layer: Layer) -> int:
    return layer.states.nbytes + layer.counts.nbytes


def _count_completions(way: Way, layers: list[Layer], places: Intps, tick: Callable[[], None], max_bytes: int) -> _Part:
    """Return a part with the number of completions of each state, counted from the last cell backwards."""
    from sudoku_encode.frontier.cell_ranks_kernel import sum_completions

    way_steps, _ = steps(way.problem, way.order, tick)
    total = layers[-1].total if len(layers) > len(way.order) else 0
    cells = places[way.order]
    if not total:
        return _Part(cells, layers, way_steps, [], 0)
    width = n_digits_of(total)
    # The numbers of ways to reach a state are not needed any more; that frees about as many bytes.
    largest = max(len(layer.states) for layer in layers)
    needed = sum(layer.states.nbytes + 8 * width * len(layer.states) for layer in layers) + 16 * largest
    if needed > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: the completions of all states take {needed:,}")
    layers = [layer._replace(counts=np.zeros((0, 1), np.uint64)) for layer in layers]
    after = np.zeros((len(layers[-1].states), width), np.uint64)
    after[:, 0] = 1
    completions = [after]
    for number in range(len(way_steps) - 1, -1, -1):
        old, new = layers[number], layers[number + 1]
        how, table = move(old, way_steps[number]), _table(new, tick)
        behind = np.zeros((len(old.states), width), np.uint64)
        for start, end in spans(len(old.states), STATES_PER_CALL, tick):
            sum_completions(old.states, how, new.states, table, completions[-1], behind, start, end)
        completions.append(behind)
    completions.reverse()
    return _Part(cells, layers, way_steps, completions, total)


def _table(layer: Layer, tick: Callable[[], None]) -> Int32s:
    """Return the numbers of a layer's states by hash."""
    from sudoku_encode.frontier.transfer_matrix_kernel import rebuild

    size = len(layer.states)
    table = np.full(1 << (2 * size + 1).bit_length(), -1, np.int32)
    for start, end in spans(size, 8 * STATES_PER_CALL, tick):
        rebuild(layer.states, table, start, end)
    return table
