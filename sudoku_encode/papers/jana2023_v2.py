"""Nine layers: all solutions of each plane of a cube as a 2D Sudoku, and the combinations of them that fit together.

Source: Jana et al. 2023, section IV and Algorithm 2.
Differs: the nine nested loops of lines 22 to 60 check whole cubes only, in the innermost; that is `check="innermost"`.
    By default the layers are joined one at a time, and a partial combination is dropped as soon as two of its layers
    conflict. By default too, a layer's candidates are those that Algorithm 1's elimination leaves in the whole cube,
    minigrids included, not those that its own givens leave.
"""

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from sudoku_encode.errors import MethodError, Stopped
from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import MAX_BYTES, Tree, candidates
from sudoku_encode.puzzles.arrays import Bools, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, breaks_rule

AXES = ("x", "y", "z")
CHECKS = ("early", "innermost")
_BATCH_BYTES = 2**22
# Combinations, or solutions of a layer, that are looked at together.
_CHUNK_ROWS = 4096


unsupported_reason = jana2021.unsupported_reason


def planes(board: Geometry, axis: str) -> Intps:
    """Return the cells of each plane across an axis, intp (n, n * n)."""
    n = board.shape[0]
    return np.moveaxis(np.arange(board.n_cells).reshape(board.shape), AXES.index(axis), 0).reshape(n, n * n)


def layer_solutions(
    puzzle: Puzzle,
    cells: Intps,
    restricted: Candidates | None,
    tick: Callable[[], None],
    max_bytes: int = MAX_BYTES,
) -> Grids:
    """Return all solutions of one plane taken for itself, uint8 (m, cells), in no particular order.

    Args:
        puzzle: a cube.
        cells: those of the plane.
        restricted: candidates to start from, of every blank of the cube, bool (blanks, n_values); None for those that
            the plane's givens leave.
        tick: see the package.
        max_bytes: of memory for the solutions.

    Raises:
        Stopped: there are more solutions than fit into the memory.
    """
    board, inside = puzzle.geometry, np.isin(np.arange(puzzle.geometry.n_cells), cells)
    alone = Puzzle(board, np.where(inside, puzzle.givens, 0).astype(np.uint8), puzzle.pencilmarks)
    if alone.clash is not None:
        return np.empty((0, len(cells)), np.uint8)
    blanks = puzzle.blanks[np.isin(puzzle.blanks, cells)]
    if restricted is None:
        left = candidates(alone)[np.isin(alone.blanks, cells)]
    else:
        left = restricted[np.isin(puzzle.blanks, cells)]
    order = np.argsort(np.count_nonzero(left, axis=1), kind="stable")
    tree = Tree.of(board, blanks[order], left[order])
    found, total = [np.empty((0, len(cells)), np.uint8)], 0
    for branches in tree.grow(tick, max_bytes):
        total += len(branches)
        if total * len(cells) > max_bytes:
            where = f"from {board.cell_name(int(cells[0]))} to {board.cell_name(int(cells[-1]))}"
            raise Stopped(f"memory: the layer {where} has at least {total} solutions of its own")
        found.append(np.tile(puzzle.givens[cells], (len(branches), 1)))
        found[-1][:, np.searchsorted(cells, tree.cells)] = branches
    return np.concatenate(found)


def solutions(
    puzzle: Puzzle,
    tick: Callable[[], None],
    axis: str = "y",
    check: str = "early",
    restrict: bool = True,
    max_bytes: int = MAX_BYTES,
) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: a cube.
        tick: see the package.
        axis: the layers are the planes across this axis. The paper calls its layers xz-planes, that is across y, but
            its Tables 1 and 2 have one in each row, and Fig. 8 calls the number of the row x.
        check: `early` joins the layers one at a time, `innermost` checks every combination of whole layers.
        restrict: start from the candidates that Algorithm 1's elimination leaves, with minigrids.
        max_bytes: about as much memory as the layers' solutions may take, and the combinations.

    Raises:
        MethodError: an axis or a check that does not exist.
        Stopped: there is not enough memory for the solutions of the layers. The paper names this weak point: a layer
            that is blank or almost blank.
    """
    if axis not in AXES or check not in CHECKS:
        raise MethodError(f"axis is one of {', '.join(AXES)}, check one of {', '.join(CHECKS)}")
    layers = planes(puzzle.geometry, axis)
    if puzzle.clash is not None:
        return
    restricted = _eliminated(puzzle, tick) if restrict else None
    listed: list[Grids] = []
    for cells in layers:
        listed.append(layer_solutions(puzzle, cells, restricted, tick, max_bytes // len(layers)))
        if not len(listed[-1]):
            return
    combinations = _join(puzzle.geometry, layers, listed, tick, max_bytes) if check == "early" else _all(listed)
    for some in combinations:
        size = max(1, _BATCH_BYTES // puzzle.geometry.n_cells)
        for start in range(0, len(some), size):
            tick()
            part = some[start : start + size]
            grids = np.empty((len(part), puzzle.geometry.n_cells), np.uint8)
            for layer, cells in enumerate(layers):
                grids[:, cells] = listed[layer][part[:, layer]]
            if check == "innermost":
                grids = grids[~breaks_rule(puzzle.geometry, grids)]
            yield grids


def _eliminated(puzzle: Puzzle, tick: Callable[[], None]) -> Candidates:
    """Return the candidates that Algorithm 1 leaves to each blank, bool (blanks, n_values)."""
    reduced, _ = jana2023_v1.eliminate(jana2023_v1.Matrix.of(puzzle), tick, minigrids=True)
    return reduced.candidates


def _all(listed: list[Grids]) -> Iterator[Intps]:
    """Yield every combination of one solution per layer, as numbers (m, layers), the last layer changing fastest."""
    sizes = [len(some) for some in listed]
    total = prod(sizes)
    if total > np.iinfo(np.int64).max:
        raise Stopped(f"{total} combinations of layers are more than anyone can check")
    for start in range(0, total, _CHUNK_ROWS):
        yield np.stack(np.unravel_index(np.arange(start, min(total, start + _CHUNK_ROWS)), sizes), axis=1)


def _join(
    board: Geometry, layers: Intps, listed: list[Grids], tick: Callable[[], None], max_bytes: int
) -> Iterator[Intps]:
    """Yield the combinations in which no two layers conflict, as numbers (m, layers)."""
    waiting = [np.arange(len(listed[0]))[:, None]]
    while waiting:
        tick()
        joined = waiting.pop()
        layer = joined.shape[1]
        if layer == len(layers):
            yield joined
            continue
        # The rows that fit into memory with their cubes and with all their extensions; the rest waits.
        row_bytes = 6 * board.n_cells + 8 * (layer + 2) * len(layers) * len(listed[layer])
        size = max(1, max_bytes // row_bytes)
        if len(joined) > size:
            waiting.append(joined[size:])
            joined = joined[:size]
        below = np.zeros((len(joined), board.n_cells), np.uint8)
        for earlier in range(layer):
            below[:, layers[earlier]] = listed[earlier][joined[:, earlier]]
        rows, numbers = np.nonzero(_fits(board, layers[layer], listed[layer], below, tick))
        if len(rows):
            waiting.append(np.column_stack([joined[rows], numbers]))


def _fits(board: Geometry, cells: Intps, layer: Grids, below: Grids, tick: Callable[[], None]) -> Bools:
    """Say which solutions of a layer break no rule with what lies below.

    Args:
        board: the cube.
        cells: those of the layer.
        layer: its solutions (m, cells).
        below: partial cubes (w, n_cells), 0 where nothing lies yet.
        tick: see the package.

    Returns:
        bool (w, m).
    """
    seen = np.stack([(layer == value).any(axis=0) for value in range(1, board.n_values + 1)], axis=1)
    place, values = np.nonzero(seen)
    values += 1
    forbidden = []
    for at, cell in enumerate(cells.tolist()):
        tick()
        peers = board.peers[cell]
        held = np.ascontiguousarray(below[:, peers[below[0, peers] > 0]].T)
        forbidden += [(held == value).any(axis=0) for value in values[place == at]]
    # The product of two 0-1 matrices says in how many places each pair conflicts.
    wrong = np.array(forbidden, np.float32).T
    fits = np.empty((len(below), len(layer)), bool)
    for start in range(0, len(layer), _CHUNK_ROWS):
        tick()
        block = layer[start : start + _CHUNK_ROWS]
        fits[:, start : start + _CHUNK_ROWS] = wrong @ (block[:, place] == values).astype(np.float32).T == 0
    return fits


def explain(puzzle: Puzzle, tick: Callable[[], None], restrict: bool = True) -> Iterator[str]:
    """Yield how many solutions each layer has for itself, and how many combinations fit together."""
    if puzzle.clash is not None:
        yield "two givens clash: there is nothing to join"
        return
    restricted = _eliminated(puzzle, tick) if restrict else None
    numbers = []
    for layer, cells in enumerate(planes(puzzle.geometry, "y")):
        blanks = np.count_nonzero(puzzle.givens[cells] == 0)
        numbers.append(len(layer_solutions(puzzle, cells, restricted, tick)))
        yield f"layer y{layer}: {blanks} blanks, {numbers[-1]} solutions"
    yield f"{prod(numbers)} combinations of one solution per layer"
    yield f"{sum(map(len, solutions(puzzle, tick, restrict=restrict)))} of them satisfy all rules: the solutions"
