"""Nine layers: all solutions of each plane of a cube as a 2D Sudoku, and their combinations that satisfy all rules.

Source: Jana et al. 2023, section IV and Algorithm 2. As printed, the method `jana2023-v2`, it is `restrict=False,
    check="innermost"`: each layer's candidates are those that its own givens leave, and the nine nested loops of lines
    22 to 60 check whole cubes only.
Differs: by default, in the method `jana2023-v2-joined`, the layers are joined one at a time, and a partial combination
    is dropped as soon as two of its layers conflict. By default too, a layer's candidates are those that Algorithm 1's
    elimination leaves in the whole cube, minigrids included. A layer keeps those rules of a 2D Sudoku that the cube
    has; under the four rules of the paper's Fig. 8 they are not all three. Line 2 sets `l` once; here each layer's P
    begins at its first row.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from math import isqrt, prod

import numpy as np

from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import MAX_BYTES, MAX_LISTED_SOLUTIONS, Tree, candidates, index_text
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.dead_ends import NONE, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, breaks_rule
from sudoku_encode.puzzles.step import Step

AXES = ("x", "y", "z")
CHECKS = ("early", "innermost")
_BATCH_BYTES = 2**22
# Combinations, or solutions of a layer, checked together.
_CHUNK_ROWS = 4096


unsupported_reason = jana2021.unsupported_reason


def planes(board: Geometry, axis: str) -> Intps:
    """Return the cells of each plane across an axis, intp (n, n * n)."""
    n = board.shape[0]
    return np.moveaxis(np.arange(board.n_cells).reshape(board.shape), AXES.index(axis), 0).reshape(n, n * n)


def layer_matrix(puzzle: Puzzle, cells: Intps, restricted: Candidates | None) -> Matrix:
    """Return the sorted matrix P of one plane of a cube on its own.

    `restricted` are the candidates to start from, for every blank of the cube, bool (blanks, n_values); None for those
    that the plane's givens leave.
    """
    alone = _layer_puzzle(puzzle, cells)
    inside = np.isin(puzzle.blanks, cells)
    allowed = candidates(alone)[np.isin(alone.blanks, cells)] if restricted is None else restricted[inside]
    return Matrix(puzzle.geometry, puzzle.blanks[inside], allowed).sorted()


def _layer_puzzle(puzzle: Puzzle, cells: Intps) -> Puzzle:
    inside = np.isin(np.arange(puzzle.geometry.n_cells), cells)
    return Puzzle(puzzle.geometry, np.where(inside, puzzle.givens, 0).astype(np.uint8), puzzle.pencilmarks)


def layer_solutions(
    puzzle: Puzzle,
    cells: Intps,
    restricted: Candidates | None,
    tick: Callable[[], None],
    max_bytes: int = MAX_BYTES,
) -> Grids:
    """Return all solutions of one plane on its own, uint8 (m, cells), in no particular order; see `layer_matrix`.

    Raises:
        StoppedError: there are more solutions than fit into `max_bytes`.
    """
    board = puzzle.geometry
    if _layer_puzzle(puzzle, cells).clash is not None:
        return np.empty((0, len(cells)), np.uint8)
    matrix = layer_matrix(puzzle, cells, restricted)
    tree = Tree.of(board, matrix.cells, matrix.candidates)
    batches, total = [np.empty((0, len(cells)), np.uint8)], 0
    for branches in tree.grow(tick, max_bytes):
        total += len(branches)
        if total * len(cells) > max_bytes:
            where = f"from {board.cell_name(int(cells[0]))} to {board.cell_name(int(cells[-1]))}"
            raise StoppedError(f"memory: the layer {where} has at least {total} solutions of its own")
        batches.append(np.tile(puzzle.givens[cells], (len(branches), 1)))
        batches[-1][:, np.searchsorted(cells, tree.cells)] = branches
    return np.concatenate(batches)


def solutions(
    puzzle: Puzzle,
    tick: Callable[[], None],
    axis: str = "x",
    check: str = "early",
    restrict: bool = True,
    max_bytes: int = MAX_BYTES,
) -> Iterator[Grids]:
    """Yield all solutions of a cube in batches.

    The layers are the planes across an axis. The paper's grids are the rows of its Tables 1 and 2, which Fig. 8 numbers
    by x; the text calls them xz-planes, one above another along y. The check `early` joins the layers one at a time,
    `innermost` checks every combination of whole layers. With `restrict` it starts from the candidates that Algorithm
    1's elimination leaves, with minigrids. `max_bytes` limits, roughly, the memory of the layers' solutions, and of the
    combinations.

    Raises:
        MethodError: an unknown axis or check.
        StoppedError: there is not enough memory for the solutions of the layers. The paper names this weak point: a
            layer that is blank or almost blank.
    """
    if axis not in AXES or check not in CHECKS:
        raise MethodError(f"axis is one of {', '.join(AXES)}, check one of {', '.join(CHECKS)}")
    layers = planes(puzzle.geometry, axis)
    if puzzle.clash is not None:
        return
    restricted = _candidates_after_elimination(puzzle, tick) if restrict else None
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

    The cells of the layers are intp (n, n * n), the solutions of each uint8 (m, n * n). `joined`, int64 (n,), receives
    for `early` the number of partial combinations after each layer.
    """
    board = puzzle.geometry
    early = (
        _joined_combinations(board, layers, listed, tick, max_bytes, joined)
        if check == "early"
        else _all_combinations(listed)
    )
    for batch in early:
        size = max(1, _BATCH_BYTES // board.n_cells)
        for start in range(0, len(batch), size):
            tick()
            part = batch[start : start + size]
            grids = np.empty((len(part), board.n_cells), np.uint8)
            for layer, cells in enumerate(layers):
                grids[:, cells] = listed[layer][part[:, layer]]
            if check == "innermost":
                grids = grids[~breaks_rule(board, grids)]
            yield grids


def _candidates_after_elimination(puzzle: Puzzle, tick: Callable[[], None]) -> Candidates:
    """Return the candidates that Algorithm 1 leaves in each blank, bool (blanks, n_values)."""
    reduced, _ = jana2023_v1.eliminate(jana2023_v1.Matrix.of(puzzle), tick, minigrids=True)
    return reduced.candidates


def _all_combinations(listed: list[Grids]) -> Iterator[Intps]:
    """Yield every combination of one solution per layer, as numbers (m, layers), the last layer fastest."""
    sizes = [len(solutions_of_layer) for solutions_of_layer in listed]
    total = prod(sizes)
    if total > np.iinfo(np.int64).max:
        raise StoppedError(f"{total} combinations of layers are more than can be checked")
    for start in range(0, total, _CHUNK_ROWS):
        yield np.stack(np.unravel_index(np.arange(start, min(total, start + _CHUNK_ROWS)), sizes), axis=1)


def _joined_combinations(
    board: Geometry,
    layers: Intps,
    listed: list[Grids],
    tick: Callable[[], None],
    max_bytes: int,
    counts: Int64s | None,
) -> Iterator[Intps]:
    """Yield the combinations without conflicting layers, as numbers (m, layers), and count the partial ones."""
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
        # As many rows as fit into memory with their cubes and all their extensions; the rest waits.
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
    """Return which solutions `layer` (m, cells) fit which partial cubes `below` (w, n_cells), bool (w, m)."""
    seen = np.stack([(layer == value).any(axis=0) for value in range(1, board.n_values + 1)], axis=1)
    place, values = np.nonzero(seen)
    values += 1
    forbidden = []
    for place_in_layer, cell in enumerate(cells.tolist()):
        tick()
        peers = board.peers[cell]
        values_held = np.ascontiguousarray(below[:, peers[below[0, peers] > 0]].T)
        forbidden += [(values_held == value).any(axis=0) for value in values[place == place_in_layer]]
    # The product of two 0-1 matrices is the number of conflicts of each pair.
    wrong = np.array(forbidden, np.float32).T
    fits = np.empty((len(below), len(layer)), bool)
    for start in range(0, len(layer), _CHUNK_ROWS):
        tick()
        rows = layer[start : start + _CHUNK_ROWS]
        fits[:, start : start + _CHUNK_ROWS] = wrong @ (rows[:, place] == values).astype(np.float32).T == 0
    return fits


def explain(
    puzzle: Puzzle, tick: Callable[[], None], axis: str = "x", check: str = "early", restrict: bool = True
) -> Iterator[Step]:
    """Yield the layers, the matrix P and the solutions of each, and their combinations."""
    board = puzzle.geometry
    layers = planes(board, axis)
    yield from show_layers(puzzle, axis, layers, restrict)
    restricted = _candidates_after_elimination(puzzle, tick) if restrict else None
    listed: list[Grids] = []
    brief = len(puzzle.blanks) > MAX_PRINTED_BLANKS
    for number, cells in enumerate(layers, start=1):
        matrix = layer_matrix(puzzle, cells, restricted)
        yield show_matrix(number, matrix, AXES.index(axis), brief)
        listed.append(layer_solutions(puzzle, cells, restricted, tick, MAX_BYTES // len(layers)))
        yield show_table(board, number, cells, matrix.cells, listed[-1])
    yield from show_combinations(board, layers, listed)
    joined = np.zeros(len(layers), np.int64)
    n_solutions, stopped, listed_solutions = 0, None, [np.empty((0, board.n_cells), np.uint8)]
    # Without a solution of a layer there is nothing to combine.
    if all(map(len, listed)):
        try:
            for grids in combined(puzzle, layers, listed, tick, check, MAX_BYTES, joined):
                listed_solutions.append(grids[: max(0, jana2021.MAX_LISTED_SOLUTIONS - n_solutions)].copy())
                n_solutions += len(grids)
        except StoppedError as reason:
            stopped = reason
    if check == "early":
        yield from show_joins(joined)
    grids = np.concatenate(listed_solutions)
    yield from jana2021.show_solutions(board, puzzle.blanks, grids[:, puzzle.blanks], puzzle.givens)
    if not n_solutions and not stopped:
        yield no_solution_step(puzzle, layers, listed, joined if check == "early" else None, restricted)
        return
    satisfying = "satisfies all rules: the solution" if n_solutions == 1 else "satisfy all rules: the solutions"
    yield Step(
        f"{'at least ' if stopped else ''}{n_solutions} of them {satisfying}",
        "end",
        data={"solutions": n_solutions, "complete": not stopped},
    )
    if stopped:
        raise stopped


# The steps of `explain`: the layers, their solutions (Table 4) and their combinations (Fig. 19).

# The most blanks of a puzzle whose matrices P are printed (larger ones are data only), rows and columns of Table 4, and
# rows of Fig. 19.
MAX_PRINTED_BLANKS, MAX_ROWS, MAX_COLUMNS, MAX_COMBINATIONS = 100, 12, 24, 150
# Larger grids are not printed side by side.
MAX_PRINTED_SIDE = 9


def show_layers(puzzle: Puzzle, axis: str, planes: Intps, restrict: bool) -> Iterator[Step]:
    """Yield the definition of the layers, and the layers side by side as in Figs. 2 and 17."""
    board = puzzle.geometry
    text = f"grid i is the plane across {axis} with {axis} = i - 1"
    if axis == "x":
        text += ", as a row of Tables 1 and 2; the text calls these xz-planes, and Fig. 8 calls the row's number x"
    yield Step(text, data={"axis": axis})
    grids = puzzle.givens[planes].reshape(len(planes), *board.shape[1:])
    printed = "\n".join(_side_by_side(grids)) if board.n_values <= MAX_PRINTED_SIDE else ""
    yield Step(printed, "grid", "layers", data={"axis": axis, "grid": grids.tolist()})
    origin = "Algorithm 1's elimination leaves in the whole cube" if restrict else "the givens of its own grid leave"
    yield Step(f"candidates of a blank: those that {origin}")


def _side_by_side(grids: Grids) -> Iterator[str]:
    abreast = isqrt(len(grids))
    for start in range(0, len(grids), abreast):
        row_of_grids = grids[start : start + abreast]
        width = grids.shape[2] + 3
        yield "".join(f"grid {start + number + 1}".ljust(width) for number in range(len(row_of_grids))).rstrip()
        for row in range(grids.shape[1]):
            yield "   ".join("".join(map(str, grid[row].tolist())).replace("0", ".") for grid in row_of_grids)


def show_matrix(number: int, matrix: Matrix, axis: int, brief: bool) -> Step:
    """Return the matrix P of a layer, numbered from 1, as a step: two indices, the candidates, their count.

    All its cells share the index `axis`; a brief step shows only the number of its rows.
    """
    board = matrix.board
    width = len(str(board.n_values))
    rows = np.delete(matrix.table(), axis, axis=1).tolist()
    names = " ".join(name for place, name in enumerate("xyz") if place != axis)
    head = f"grid {number}: {_counted(len(rows), 'blank') if rows else 'no blanks'}"
    lines = [] if brief or not rows else [f"P of grid {number}: {names}, candidates, their count"]
    lines += [" ".join(f"{value:>{width}}" for value in row) for row in rows] if lines else []
    values = [(np.flatnonzero(row) + 1).tolist() for row in matrix.candidates]
    data = {
        "grid_number": number,
        "index": [index_text(board, cell) for cell in matrix.cells.tolist()],
        "candidates": dict(zip(map(board.cell_name, matrix.cells.tolist()), values, strict=True)),
    }
    return Step("\n".join([head, *lines]), "candidates", "matrix P", data=data)


def show_table(board: Geometry, number: int, cells: Intps, blanks: Intps, solutions: Grids) -> Step:
    """Return the solutions of a layer, numbered from 1, in the form of Table 4: a column per blank, a row per solution.

    The blanks come in the order of its P, the solutions are uint8 (m, cells).
    """
    names = [index_text(board, cell) for cell in blanks.tolist()]
    values = solutions[:MAX_LISTED_SOLUTIONS, np.searchsorted(cells, blanks)].tolist()
    # A layer without blanks is its own solution.
    lines = [f"grid {number}: {_counted(len(solutions), 'solution')} of its own"] if names else []
    if names and len(solutions) and len(names) <= MAX_COLUMNS:
        head = f"S{number}_{min(MAX_ROWS, len(solutions))}"
        lines.append(" ".join([" " * len(head), *names]))
        for row, solution in enumerate(values[:MAX_ROWS], start=1):
            shown = (f"{value:<{len(name)}}" for value, name in zip(solution, names, strict=True))
            lines.append(" ".join([f"S{number}_{row}".ljust(len(head)), *shown]).rstrip())
        if len(solutions) > MAX_ROWS:
            lines.append("...")
    data = {"grid_number": number, "index": names, "number": len(solutions), "solutions": values}
    return Step("\n".join(lines), "note", "Table 4", data=data)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def show_combinations(board: Geometry, planes: Intps, listed: list[Grids]) -> Iterator[Step]:
    """Yield the number of combinations, and, if they are few, the list of Fig. 19, each with its broken rule."""
    numbers = [len(solutions_of_layer) for solutions_of_layer in listed]
    total = prod(numbers)
    data = {"numbers": numbers, "combinations": total}
    yield Step(f"{_counted(total, 'combination')} of one solution per grid", "note", "Fig. 18", data=data)
    if not 0 < total <= MAX_COMBINATIONS:
        return
    lines, rows = [], []
    for chosen in product(*map(range, numbers)):
        grid = np.empty(board.n_cells, np.uint8)
        for cells, solutions_of_layer, number in zip(planes, listed, chosen, strict=True):
            grid[cells] = solutions_of_layer[number]
        wrong = _broken_unit(board, grid)
        rows.append({"combination": [number + 1 for number in chosen], "breaks": wrong})
        names = " ".join(f"S{layer}_{number + 1}" for layer, number in enumerate(chosen, start=1))
        lines.append(f"{names}: {f'breaks {wrong}' if wrong else 'a solution'}")
    yield Step("\n".join(lines), "note", "Fig. 19", data={"rows": rows})


def _broken_unit(board: Geometry, grid: Grids) -> str:
    """Return the first unit with a repeated value, or an empty string."""
    for rule in board.rules:
        ordered = np.sort(grid[rule.units], axis=1)
        wrong = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if len(wrong):
            cells = rule.units[wrong[0]].tolist()
            return f"{rule.name} {index_text(board, cells[0])} to {index_text(board, cells[-1])}"
    return ""


def no_solution_step(
    puzzle: Puzzle, planes: Intps, listed: list[Grids], joined: Int64s | None, restricted: Candidates | None
) -> Step:
    """Return why there is no solution: a layer has none of its own, or no combination is left when one is joined.

    `joined` is the number of combinations after each layer, if layers were joined one at a time; `restricted` are the
    candidates of all blanks that the layers started from, if they did.
    """
    without = [number for number, solutions_of_layer in enumerate(listed, start=1) if not len(solutions_of_layer)]
    if without:
        layer = planes[without[0] - 1]
        text = f"grid {without[0]} has no solution of its own"
        allowed = puzzle.candidates.copy()
        if restricted is not None:
            allowed[puzzle.blanks] = restricted
        else:
            for cell in layer.tolist():
                given_values = puzzle.givens[np.intersect1d(puzzle.geometry.peers[cell], layer)]
                allowed[cell, given_values[given_values > 0].astype(np.intp) - 1] = False
        allowed[np.setdiff1d(np.arange(len(allowed)), layer)] = True
        why, cells = dead_end(puzzle.geometry, allowed, partial(index_text, puzzle.geometry))
        text, cells = (f"{text}: {why}", cells) if why else (text, tuple(layer.tolist()))
    elif joined is None:
        cells = tuple(puzzle.blanks.tolist())
        text = "none of the combinations satisfies all rules"
    else:
        last = int(np.argmax(joined == 0))
        cells = tuple(np.intersect1d(planes[last], puzzle.blanks).tolist())
        text = f"no solution of grid {last + 1} fits any of the {joined[last - 1]} combinations of grids 1 to {last}"
    return Step(f"no solution: {text}", "end", "layers", cells, data=NONE)


def show_joins(joined: Int64s) -> Iterator[Step]:
    """Yield the number of partial combinations after each layer."""
    for number, n_left in enumerate(joined.tolist(), start=1):
        if number > 1:
            text = f"grids 1 to {number} joined: {_counted(n_left, 'combination')} left"
            yield Step(text, "branch", "early join", data={"layers": number, "combinations": n_left})
