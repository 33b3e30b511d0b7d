"""Shares by a transfer matrix: forwards how often each state is reached, backwards how often it is completed.

A value of a cell leads from a state to another; the ways to reach the one, times the ways to complete the other, are
the solutions that have it there. Only values that nothing in the whole puzzle tells apart are taken for each other,
since otherwise a state would not say which value is which; those have equal shares.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.cell_order import estimate, orders, steps
from sudoku_encode.frontier.order_race import MAX_NEAREST_CELLS, STATE_CAPS, Way
from sudoku_encode.frontier.problem import blank, components, differing
from sudoku_encode.frontier.transfer_matrix import STATES_PER_CALL, Layer, OutOfTableMemory, first_layer, layers, move
from sudoku_encode.frontier.wide import Wide, exact
from sudoku_encode.puzzles.arrays import Uint64s
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# How many ways through the cells are tried in each round.
_TRIED_ORDERS = 4


def shares(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> tuple[NDArray[Any], int]:
    """Return how many solutions have each candidate, whole numbers (n_cells, n_values), and how many there are.

    Args:
        puzzle: the puzzle.
        candidates: what singles leave of it, at least one in each cell.
        tick: called some times a second.
        max_bytes: what the tables may take.

    Raises:
        OutOfTableMemory: the tables would take more, or a number is too large.
        StoppedError: by `tick`.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    apart = differing(puzzle.candidates)
    found = candidates.astype(object)
    totals: list[int] = []
    parts = [(part._replace(apart=apart), cells[numbers]) for part, numbers in components(problem)]
    if not len(cells):
        return found, 1
    for part, places in parts:
        near = len(places) <= MAX_NEAREST_CELLS
        ways = [Way(name, part, order) for name, order in orders(part, places, board, near)]
        ways.sort(key=lambda way: estimate(way.problem, way.order))
        way, passed = passed_layers(ways[:_TRIED_ORDERS], tick, max_bytes)
        total = passed[-1].total if len(passed) > len(way.order) else 0
        totals.append(total)
        if total:
            found[places[way.order]] = _backwards(way, passed, apart, total, tick)
    whole = prod(totals)
    if not whole:
        return np.zeros(candidates.shape, object), 0
    found[candidates.sum(axis=1) == 1] *= whole
    for (_, places), total in zip(parts, totals, strict=True):
        found[places] *= whole // total
    return found, whole


def passed_layers(ways: list[Way], tick: Callable[[], None], max_bytes: int) -> tuple[Way, list[Layer]]:
    """Follow ways with more and more states allowed; return the first one that comes to its end, with its layers."""
    for cap in (*STATE_CAPS, None):
        for way in ways:
            kept = _kept_layers(way, cap, tick, max_bytes)
            if kept is not None:
                return way, kept
        ways = sorted(ways, key=lambda way: -way.passed)[: max(1, len(ways) // 2)]
    raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: the states of all cells are too many")


def _kept_layers(way: Way, cap: int | None, tick: Callable[[], None], max_bytes: int) -> list[Layer] | None:
    """Return the layers of a way, that before the first cell included; None where there are too many states."""
    kept: list[Layer] = []
    way.passed = 0
    for layer in layers(way.problem, way.order, tick, max_bytes):
        max_bytes -= layer.states.nbytes + layer.counts.nbytes
        if max_bytes < 0:
            raise OutOfTableMemory("memory limit: the states of all cells are too many")
        if cap is not None and len(layer.states) > cap:
            return None
        way.passed += 1
        if not kept:
            kept.append(Layer(np.zeros((1, layer.states.shape[1]), layer.states.dtype), *_first(layer)))
        kept.append(layer)
    return kept


def _first(layer: Layer) -> tuple[Uint64s, Any, Any]:
    one = first_layer(layer.states.shape[1], 8 * layer.states.dtype.itemsize)
    return one.counts, one.values, one.firsts


def _backwards(way: Way, passed: list[Layer], apart: NDArray[np.bool_], total: int, tick: Callable[[], None]) -> Any:
    """Return how many solutions of a part have each value in each cell, in the order of the way."""
    way_steps, _ = steps(way.problem, way.order, tick)
    n = len(passed[0].values)
    kinds = np.argmax(~apart, axis=1)
    sizes = np.bincount(kinds, minlength=n)
    held = Wide.zeros((len(way_steps), n), total)
    after = Wide.ones(len(passed[-1].states), total)
    for number in range(len(way_steps) - 1, -1, -1):
        old, new, step = passed[number], passed[number + 1], way_steps[number]
        before, behind = Wide.of_digits(old.counts, total), Wide.zeros((len(old.states),), total)
        at_places = Wide.zeros((n,), total)
        _retreat(old, new, step, before, after, behind, at_places, tick)
        for one, other in zip(held.parts, at_places.parts, strict=True):
            np.add.at(one[number], kinds[old.values], other)
        after = behind
    found = exact(held, total)
    # Each of the values of a kind has as many.
    for kind in np.flatnonzero(sizes).tolist():
        found[:, kinds == kind] = (found[:, kind] // int(sizes[kind]))[:, None]
    return found


def _retreat(
    old: Layer, new: Layer, step: Any, before: Wide, after: Wide, behind: Wide, held: Wide, tick: Callable[[], None]
) -> None:
    """Go back by a step; see the kernel."""
    from sudoku_encode.frontier.transfer_matrix_kernel import rebuild, retreat

    how = move(old, step)
    table = np.full(1 << (2 * len(new.states) + 1).bit_length(), -1, np.int32)
    for start in range(0, len(new.states), 8 * STATES_PER_CALL):
        tick()
        rebuild(new.states, table, start, min(len(new.states), start + 8 * STATES_PER_CALL))
    numbers = zip(before.parts, after.parts, behind.parts, held.parts, strict=True)
    for four in numbers:
        for start in range(0, len(old.states), STATES_PER_CALL):
            tick()
            end = min(len(old.states), start + STATES_PER_CALL)
            retreat(old.states, *how[:5], new.states, table, *four, start, end)
