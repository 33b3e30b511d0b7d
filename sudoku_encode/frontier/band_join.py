"""Count by bands: the values that three bands put into the columns, grouped, and joined.

Source: the super-vertices of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver, chapter 4): all fillings of a
    band that its own rows and boxes allow. Here they are never listed: a transfer matrix counts how many fillings put
    the same set of values into each column, and two groups of different bands determine the third.
"""

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier.cell_order import slots
from sudoku_encode.frontier.problem import Problem, Tree, separated_values, spans
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory, layers
from sudoku_encode.puzzles.arrays import Int32s, Intps, Uint64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates

# The values that a group puts into the columns are three words, one for each third of the columns: that fits in 64
# bits.
PARTS = 3
# How many steps a kernel does between two calls of `tick`, some tens of milliseconds.
STEPS_PER_CALL = 2**20
# How many groups are sorted or looked up between two calls of `tick`.
GROUPS_PER_CALL = 2**16
# How many bytes a group takes while it is sorted: its parts and count twice, and three numbers of 8 bytes.
GROUP_BYTES = 96


class Groups(NamedTuple):
    """The fillings of a band, grouped by the values that they put into the columns."""

    parts: Uint64s  # (groups, 3): the values in each third of the columns, a bit per column and value
    counts: Uint64s  # (groups,): how many fillings each group has

    @property
    def fillings(self) -> int:
        """How many fillings the band has."""
        return sum(self.counts.tolist())


def bands(board: Geometry) -> dict[str, list[Intps]]:
    """Return the bands that can be joined, by their kind: three arrays of cells, in rows of n.

    Every rule but one (the columns, or for stacks the rows) must lie within the bands.
    """
    if len(board.shape) != 2 or board.n_values % 3 or board.n_values**2 > 3 * 64:
        return {}
    if board.shape != (board.n_values, board.n_values):
        return {}
    cells = np.arange(board.n_cells).reshape(board.shape)
    bands_of_kind = {}
    for kind, across, lines in (("bands", "column", cells), ("stacks", "row", cells.T)):
        three = list(lines.reshape(3, -1, board.n_values))
        inside = all(
            any(np.isin(unit, band).all() for band in three)
            for rule in board.rules
            if rule.name != across
            for unit in rule.units
        )
        if inside and across in board.rule_names:
            bands_of_kind[kind] = three
    return bands_of_kind


def band_problem(board: Geometry, candidates: Candidates, band: Intps, keep: bool) -> Problem:
    """Return one band by itself, its columns open in the end; `band` are its cells in rows.

    If it should keep the names, states that differ only in those of interchangeable values are distinguished.
    """
    n = board.n_values
    flat = band.ravel()
    place = np.full(board.n_cells, -1, np.intp)
    place[flat] = np.arange(len(flat))
    columns = place[band].T
    inside = [place[unit] for rule in board.rules for unit in rule.units if (place[unit] >= 0).all()]
    needs = np.zeros((n + len(inside), n), bool)
    needs[n:] = np.array([len(unit) == n for unit in inside], bool)[:, None]
    lasting = np.arange(n + len(inside)) < n
    others = np.delete(candidates, flat, axis=0)
    apart = ~np.eye(n, dtype=bool) if keep else separated_values(others)
    return Problem(candidates[flat], (*columns, *inside), needs, lasting, apart)


def groups(problem: Problem, tick: Callable[[], None], max_bytes: int) -> Groups:
    """Count the fillings of a band by the values that they put into the columns.

    Raises:
        OutOfTableMemory: see `transfer_matrix.layers`; or a count passes a machine word.
    """
    from sudoku_encode.frontier.band_join_kernel import write_column_sets

    n = problem.candidates.shape[1]
    # Row by row made the fewest states of all orders tried.
    way = range(len(problem.candidates))
    final_layer = None
    for layer in layers(problem, way, tick, max_bytes):
        final_layer = layer
    if final_layer is None or not len(final_layer.states):
        return Groups(np.zeros((0, PARTS), np.uint64), np.zeros(0, np.uint64))
    if final_layer.counts.shape[1] > 1 and final_layer.counts[:, 1:].any():
        raise OutOfTableMemory("memory limit: a count of a band is too large for a machine word")
    after, _ = slots(problem, way)
    bits = dict(after[-1])
    places = np.array([bits[column] for column in range(n)], np.int64)
    parts = np.zeros((len(final_layer.states), PARTS), np.uint64)
    for start, end in spans(len(parts), GROUPS_PER_CALL, tick):
        write_column_sets(final_layer.states, final_layer.values, places, n // PARTS, parts, start, end)
    return Groups(parts, final_layer.counts[:, 0].copy())


def distinct(values: Uint64s, tick: Callable[[], None]) -> Uint64s:
    """Return the distinct values, ascending."""
    result = values[:0]
    for start, end in spans(len(values), GROUPS_PER_CALL, tick):
        result = np.union1d(result, values[start:end])
    return result


def build_tree(band_groups: Groups, sets: list[Uint64s], parts: tuple[int, ...], tick: Callable[[], None]) -> Tree:
    """Sort groups by their parts, in the order `parts`; `sets` are the distinct sets of each part, ascending."""
    kinds = []
    for part in parts[:2]:
        kind = np.empty(len(band_groups.parts), np.int64)
        for start in range(0, len(kind), GROUPS_PER_CALL):
            tick()
            kind[start : start + GROUPS_PER_CALL] = np.searchsorted(
                sets[part], band_groups.parts[start : start + GROUPS_PER_CALL, part]
            )
        kinds.append(kind)
    size = len(sets[parts[0]])
    # Integers of 16 bits are sorted fastest. The groups of each first set are sorted separately, so no sort is long.
    order = np.argsort(kinds[0].astype(np.uint16 if size <= 2**16 else np.int64), kind="stable")
    tick()
    ends = np.cumsum(np.bincount(kinds[0], minlength=size))
    for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True):
        tick()
        inside = order[start:end]
        order[start:end] = inside[np.lexsort((band_groups.parts[inside, parts[2]], kinds[1][inside]))]
    first = kinds[0][order]
    tick()
    second = kinds[1][order]
    tick()
    starts_node = np.ones(len(order), bool)
    starts_node[1:] = (np.diff(first) != 0) | (np.diff(second) != 0)
    leaves = np.append(np.flatnonzero(starts_node), len(order)).astype(np.int64)
    starts = np.searchsorted(first[starts_node], np.arange(size + 1)).astype(np.int64)
    tick()
    nodes = second[starts_node].astype(np.int32)
    thirds = band_groups.parts[order, parts[2]]
    tick()
    return Tree(nodes, starts, leaves, thirds, band_groups.counts[order])


def triples(
    first: Uint64s,
    second: Uint64s,
    third: Uint64s,
    full: int,
    tick: Callable[[], None],
) -> Int32s:
    """Return which sets of three bands complete each other in one part, int32 (triples, 3), ascending."""
    from sudoku_encode.frontier.band_join_kernel import find_triples

    results = [np.empty((0, 3), np.int32)]
    stride = max(1, STEPS_PER_CALL // max(1, len(second)))
    for start, end in spans(len(first), stride, tick):
        # Once to count them, once to write them.
        size = find_triples(first, second, third, np.uint64(full), results[0], start, end)
        results.append(np.empty((size, 3), np.int32))
        find_triples(first, second, third, np.uint64(full), results[-1], start, end)
    return np.concatenate(results)


def count_joined(three: list[Groups], n: int, tick: Callable[[], None]) -> int:
    """Return in how many ways a filling can be chosen for each band so that each column holds each value once.

    Raises:
        OutOfTableMemory: a product of three counts passes a machine word.
    """
    from sudoku_encode.frontier.band_join_kernel import join

    most = 1
    for band_groups in three:
        most *= int(band_groups.counts.max(initial=0))
    if not most:
        return 0
    if most >= 2**64:
        raise OutOfTableMemory("memory limit: a product of counts is too large for a machine word")
    full = (1 << n * (n // PARTS)) - 1
    sets = [[distinct(some.parts[:, part], tick) for part in range(PARTS)] for some in three]
    pairs = [triples(sets[0][part], sets[1][part], sets[2][part], full, tick) for part in range(PARTS)]
    # The part that leaves the fewest triples comes first.
    parts = tuple(sorted(range(PARTS), key=lambda part: len(pairs[part])))
    a, b, c = (build_tree(some, one, parts, tick) for some, one in zip(three, sets, strict=True))
    firsts, seconds = pairs[parts[0]], pairs[parts[1]]
    sizes = [len(one[parts[1]]) for one in sets]
    starts = np.searchsorted(seconds[:, 0], np.arange(sizes[0] + 1)).astype(np.int64)
    places = np.full(sizes[1], -1, np.int32), np.full(sizes[2], -1, np.int32)
    progress, total = np.zeros(2, np.int64), np.zeros(2, np.uint64)
    while progress[0] < len(firsts):
        tick()
        join(firsts, seconds, starts, a, b, c, places[0], places[1], np.uint64(full), progress, total, STEPS_PER_CALL)
    low, high = total.tolist()
    return int(low + (high << 64))


def choice(board: Geometry, candidates: Candidates) -> str:
    """Return the kind of bands that seems to have the fewest fillings, or an empty string if bands cannot be joined."""
    sizes = np.log2(np.maximum(1, candidates.sum(axis=1)))
    weights = {kind: sum(2 ** (sizes[band].sum() / 2) for band in some) for kind, some in bands(board).items()}
    return min(weights, key=lambda kind: weights[kind], default="")


def count(
    board: Geometry, candidates: Candidates, kind: str, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield a line for each step, and return the number of solutions.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`, or a number a machine word.
    """
    three = []
    for number, band in enumerate(bands(board)[kind]):
        problem = band_problem(board, candidates, band, keep=number > 0)
        three.append(groups(problem, tick, max_bytes))
        band_groups = three[-1]
        yield f"{kind[:-1]} {number + 1}: {band_groups.fillings:,} fillings in {len(band_groups.counts):,} groups"
        max_bytes -= GROUP_BYTES * len(band_groups.counts)
        if max_bytes < 0:
            raise OutOfTableMemory("memory limit: too many groups")
    return count_joined(three, board.n_values, tick)
