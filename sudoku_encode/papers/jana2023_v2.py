"""Nine layers: all solutions of each plane of a cube as a 2D Sudoku, and the combinations of them that fit together.

Source: Jana et al. 2023, section IV and Algorithm 2. As printed it is `restrict=False, check="innermost"`: each layer's
    candidates are what its own givens leave, and the nine nested loops of lines 22 to 60 check whole cubes only.
Differs: by default the layers are joined one at a time, and a partial combination is dropped as soon as two of its
    layers conflict. By default too, a layer's candidates are those that Algorithm 1's elimination leaves in the whole
    cube, minigrids included. A layer keeps those rules of a 2D Sudoku that the cube has; under the four rules of the
    paper's Fig. 8 they are not all three. Line 2 sets `l` once; here each layer's P begins at its first row.
"""

from collections.abc import Callable, Iterator
from math import prod

import numpy as np

from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.papers import jana2021, jana2021_drawing, jana2023_v1, jana2023_v2_steps
from sudoku_encode.papers.jana2021 import MAX_BYTES, Tree, candidates
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, breaks_rule
from sudoku_encode.puzzles.step import Step

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


def layer_matrix(puzzle: Puzzle, cells: Intps, restricted: Candidates | None) -> Matrix:
    """Return the sorted matrix P of one plane taken for itself.

    Args:
        puzzle: a cube.
        cells: those of the plane.
        restricted: candidates to start from, of every blank of the cube, bool (blanks, n_values); None for those that
            the plane's givens leave.
    """
    alone = _alone(puzzle, cells)
    inside = np.isin(puzzle.blanks, cells)
    left = candidates(alone)[np.isin(alone.blanks, cells)] if restricted is None else restricted[inside]
    return Matrix(puzzle.geometry, puzzle.blanks[inside], left).sorted()


def _alone(puzzle: Puzzle, cells: Intps) -> Puzzle:
    inside = np.isin(np.arange(puzzle.geometry.n_cells), cells)
    return Puzzle(puzzle.geometry, np.where(inside, puzzle.givens, 0).astype(np.uint8), puzzle.pencilmarks)


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
        restricted: as for `layer_matrix`.
        tick: see the package.
        max_bytes: of memory for the solutions.

    Raises:
        StoppedError: there are more solutions than fit into the memory.
    """
    board = puzzle.geometry
    if _alone(puzzle, cells).clash is not None:
        return np.empty((0, len(cells)), np.uint8)
    matrix = layer_matrix(puzzle, cells, restricted)
    tree = Tree.of(board, matrix.cells, matrix.candidates)
    found, total = [np.empty((0, len(cells)), np.uint8)], 0
    for branches in tree.grow(tick, max_bytes):
        total += len(branches)
        if total * len(cells) > max_bytes:
            where = f"from {board.cell_name(int(cells[0]))} to {board.cell_name(int(cells[-1]))}"
            raise StoppedError(f"memory: the layer {where} has at least {total} solutions of its own")
        found.append(np.tile(puzzle.givens[cells], (len(branches), 1)))
        found[-1][:, np.searchsorted(cells, tree.cells)] = branches
    return np.concatenate(found)


def solutions(
    puzzle: Puzzle,
    tick: Callable[[], None],
    axis: str = "x",
    check: str = "early",
    restrict: bool = True,
    max_bytes: int = MAX_BYTES,
) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: a cube.
        tick: see the package.
        axis: the layers are the planes across this axis. The paper's grids are the rows of its Tables 1 and 2, which
            Fig. 8 numbers by x; the text calls them xz-planes, one above another along y.
        check: `early` joins the layers one at a time, `innermost` checks every combination of whole layers.
        restrict: start from the candidates that Algorithm 1's elimination leaves, with minigrids.
        max_bytes: about as much memory as the layers' solutions may take, and the combinations.

    Raises:
        MethodError: an axis or a check that does not exist.
        StoppedError: there is not enough memory for the solutions of the layers. The paper names this weak point: a
            layer
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
    yield from combined(puzzle, layers, listed, tick, check, max_bytes)


def combined(
    puzzle: Puzzle,
    layers: Intps,
    listed: list[Grids],
    tick: Callable[[], None],
    check: str,
    max_bytes: int = MAX_BYTES,
    joined: Int64s | None = None,
) -> Iterator[Grids]:
    """Yield the combinations of one solution of each layer that satisfy all rules, in batches.

    Args:
        puzzle: a cube.
        layers: the cells of each, intp (n, n * n).
        listed: the solutions of each, uint8 (m, n * n).
        tick: see the package.
        check: one of CHECKS.
        max_bytes: of memory for the combinations.
        joined: of `early`, counts how many partial combinations fit after each layer, int64 (n,).
    """
    board = puzzle.geometry
    early = _join(board, layers, listed, tick, max_bytes, joined) if check == "early" else _all(listed)
    for some in early:
        size = max(1, _BATCH_BYTES // board.n_cells)
        for start in range(0, len(some), size):
            tick()
            part = some[start : start + size]
            grids = np.empty((len(part), board.n_cells), np.uint8)
            for layer, cells in enumerate(layers):
                grids[:, cells] = listed[layer][part[:, layer]]
            if check == "innermost":
                grids = grids[~breaks_rule(board, grids)]
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
        raise StoppedError(f"{total} combinations of layers are more than can be checked")
    for start in range(0, total, _CHUNK_ROWS):
        yield np.stack(np.unravel_index(np.arange(start, min(total, start + _CHUNK_ROWS)), sizes), axis=1)


def _join(
    board: Geometry,
    layers: Intps,
    listed: list[Grids],
    tick: Callable[[], None],
    max_bytes: int,
    counts: Int64s | None,
) -> Iterator[Intps]:
    """Yield the combinations in which no two layers conflict, as numbers (m, layers); count the partial ones."""
    waiting = [np.arange(len(listed[0]))[:, None]]
    counts = np.zeros(len(layers), np.int64) if counts is None else counts
    counts[0] = len(listed[0])
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
        counts[layer] += len(rows)
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


def explain(
    puzzle: Puzzle, tick: Callable[[], None], axis: str = "x", check: str = "early", restrict: bool = True
) -> Iterator[Step]:
    """Yield the layers, the matrix P and the solutions of each, and how these are combined."""
    board = puzzle.geometry
    layers = planes(board, axis)
    yield from jana2023_v2_steps.layers(puzzle, axis, layers, restrict)
    restricted = _eliminated(puzzle, tick) if restrict else None
    listed: list[Grids] = []
    brief = len(puzzle.blanks) > jana2023_v2_steps.MAX_PRINTED_BLANKS
    for number, cells in enumerate(layers, start=1):
        matrix = layer_matrix(puzzle, cells, restricted)
        yield jana2023_v2_steps.matrix(number, matrix, AXES.index(axis), brief)
        listed.append(layer_solutions(puzzle, cells, restricted, tick, MAX_BYTES // len(layers)))
        yield jana2023_v2_steps.table(board, number, cells, matrix.cells, listed[-1])
    yield from jana2023_v2_steps.combinations(board, layers, listed)
    joined = np.zeros(len(layers), np.int64)
    found, stopped, kept = 0, None, [np.empty((0, board.n_cells), np.uint8)]
    # The loops over a layer without a solution do nothing.
    if all(map(len, listed)):
        try:
            for grids in combined(puzzle, layers, listed, tick, check, MAX_BYTES, joined):
                kept.append(grids[: max(0, jana2021_drawing.MAX_LISTED_SOLUTIONS - found)].copy())
                found += len(grids)
        except StoppedError as reason:
            stopped = reason
    if check == "early":
        yield from jana2023_v2_steps.joining(joined)
    grids = np.concatenate(kept)
    yield from jana2021_drawing.solved(board, puzzle.blanks, grids[:, puzzle.blanks], puzzle.givens)
    if not found and not stopped:
        yield jana2023_v2_steps.none(puzzle, layers, listed, joined if check == "early" else None, restricted)
        return
    satisfying = "satisfies all rules: the solution" if found == 1 else "satisfy all rules: the solutions"
    yield Step(
        f"{'at least ' if stopped else ''}{found} of them {satisfying}",
        "end",
        data={"solutions": found, "complete": not stopped},
    )
    if stopped:
        raise stopped
