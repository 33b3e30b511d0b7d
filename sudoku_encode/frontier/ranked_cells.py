"""Solutions by rank with a transfer matrix: how often each state is completed says how many solutions each value has.

From the last cell backwards it is counted in how many ways each state is completed. Then a solution is followed from
the first cell on: the values that the next cell may have are gone through, each has as many solutions as the state that
it leads to has completions, and the rank falls into the share of one of them. Values that nothing later tells apart
have one state, so a solution carries with it which value is where in its state.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from sudoku_encode.frontier.cell_order import Step, estimate, orders, steps
from sudoku_encode.frontier.cell_shares import passed_layers
from sudoku_encode.frontier.order_race import MAX_NEAREST_CELLS, Way
from sudoku_encode.frontier.problem import blank, components
from sudoku_encode.frontier.ranks import Ranked, digits_of, n_digits_of
from sudoku_encode.frontier.transfer_matrix import STATES_PER_CALL, Layer, OutOfTableMemory, move
from sudoku_encode.puzzles.arrays import Int32s, Intps, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

# How many ways through the cells are tried in each round.
_TRIED_ORDERS = 4


@dataclass(frozen=True, eq=False)
class _Part:
    """The solutions of cells that no others bear on.

    Attributes:
        cells: their numbers on the board, in the order in which they are passed.
        layers: the states after each of them, those before the first included.
        steps: from each to the next.
        completions: for each layer in how many ways its states are completed, uint64 (states, digits).
        total: how many solutions there are.
    """

    cells: Intps
    layers: list[Layer]
    steps: list[Step]
    completions: list[Uint64s]
    total: int

    def values(self, ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        """Return the values of the cells in the solutions of some ranks, uint8 (ranks, cells)."""
        from sudoku_encode.frontier.ranked_cells_kernel import choose

        n = len(self.layers[0].values)
        numbers, names = np.zeros(len(ranks), np.int64), np.tile(np.arange(n, dtype=np.int64), (len(ranks), 1))
        left = digits_of(ranks, n_digits_of(self.total))
        found = np.zeros((len(self.cells), len(ranks)), np.uint8)
        for number, step in enumerate(self.steps):
            old, new = self.layers[number], self.layers[number + 1]
            how, table = move(old, step), _table(new, tick)
            for start in range(0, len(ranks), STATES_PER_CALL):
                tick()
                end = min(len(ranks), start + STATES_PER_CALL)
                choose(
                    *(old.states, how.allowed, how.sources, how.firsts, how.masks, new.states, table),
                    *(self.completions[number + 1], numbers, names, left, found[number], start, end),
                )
        return np.ascontiguousarray(found.T)


def ranked(puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> Ranked:
    """Return the solutions of a puzzle by rank.

    Args:
        puzzle: the puzzle.
        candidates: what singles leave of it, at least one in each cell.
        tick: called some times a second.
        max_bytes: what the tables may take.

    Raises:
        OutOfTableMemory: the tables would take more.
        StoppedError: by `tick`.
    """
    board = puzzle.geometry
    problem, cells = blank(board, candidates)
    settled = (np.argmax(candidates, axis=1) + 1).astype(np.uint8)
    parts: list[_Part] = []
    for part, numbers in components(problem) if len(cells) else []:
        places = cells[numbers]
        near = len(places) <= MAX_NEAREST_CELLS
        ways = [Way(name, part, order) for name, order in orders(part, places, board, near)]
        ways.sort(key=lambda way: estimate(way.problem, way.order))
        way, layers = passed_layers(ways[:_TRIED_ORDERS], tick, max_bytes)
        parts.append(_completed(way, layers, places, tick, max_bytes))
        max_bytes -= sum(_n_bytes(layer) for layer in layers)

    def at(ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        grids = np.tile(settled, (len(ranks), 1))
        for part in parts:
            own = [rank % part.total for rank in ranks]
            ranks = [rank // part.total for rank in ranks]
            grids[:, part.cells] = part.values(own, tick)
        return grids

    return Ranked(prod(part.total for part in parts), at, "a transfer matrix, cell by cell")


def _n_bytes(layer: Layer) -> int:
    return layer.states.nbytes + layer.counts.nbytes


def _completed(way: Way, layers: list[Layer], places: Intps, tick: Callable[[], None], max_bytes: int) -> _Part:
    """Count from the last cell backwards in how many ways each state is completed."""
    from sudoku_encode.frontier.ranked_cells_kernel import complete

    made, _ = steps(way.problem, way.order, tick)
    total = layers[-1].total if len(layers) > len(way.order) else 0
    cells = places[way.order]
    if not total:
        return _Part(cells, layers, made, [], 0)
    width = n_digits_of(total)
    # The numbers of ways to reach a state are of no use any more; as many bytes may be left.
    largest = max(len(layer.states) for layer in layers)
    needed = sum(layer.states.nbytes + 8 * width * len(layer.states) for layer in layers) + 16 * largest
    if needed > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: the completions of all states take {needed:,}")
    layers = [layer._replace(counts=np.zeros((0, 1), np.uint64)) for layer in layers]
    after = np.zeros((len(layers[-1].states), width), np.uint64)
    after[:, 0] = 1
    completions = [after]
    for number in range(len(made) - 1, -1, -1):
        old, new = layers[number], layers[number + 1]
        how, table = move(old, made[number]), _table(new, tick)
        behind = np.zeros((len(old.states), width), np.uint64)
        for start in range(0, len(old.states), STATES_PER_CALL):
            tick()
            end = min(len(old.states), start + STATES_PER_CALL)
            complete(old.states, *how[:5], new.states, table, completions[-1], behind, start, end)
        completions.append(behind)
    completions.reverse()
    return _Part(cells, layers, made, completions, total)


def _table(layer: Layer, tick: Callable[[], None]) -> Int32s:
    """Return the numbers of a layer's states by hash."""
    from sudoku_encode.frontier.transfer_matrix_kernel import rebuild

    size = len(layer.states)
    table = np.full(1 << (2 * size + 1).bit_length(), -1, np.int32)
    for start in range(0, size, 8 * STATES_PER_CALL):
        tick()
        rebuild(layer.states, table, start, min(size, start + 8 * STATES_PER_CALL))
    return table
