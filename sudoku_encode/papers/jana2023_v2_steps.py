"""Algorithm 2 of Jana et al. 2023, shown: its layers, their solutions (Table 4), their combinations (Fig. 19)."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import isqrt, prod

import numpy as np

from sudoku_encode.papers.jana2021_drawing import MAX_LISTED_SOLUTIONS, index
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.dead_ends import NONE, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Step

# Up to this many blanks the matrices P are printed, not only listed as data; and rows of Table 4, columns of it, and
# rows of Fig. 19.
MAX_PRINTED_BLANKS, MAX_ROWS, MAX_COLUMNS, MAX_COMBINATIONS = 100, 12, 24, 150
# Larger grids do not fit side by side.
MAX_PRINTED_SIDE = 9


def layers(puzzle: Puzzle, axis: str, planes: Intps, restrict: bool) -> Iterator[Step]:
    """Say what the layers are, and show them side by side as Figs. 2 and 17 do."""
    board = puzzle.geometry
    text = f"grid i is the plane across {axis} with {axis} = i - 1"
    if axis == "x":
        text += ", as a row of Tables 1 and 2; the text calls these xz-planes, and Fig. 8 calls the row's number x"
    yield Step(text, data={"axis": axis})
    grids = puzzle.givens[planes].reshape(len(planes), *board.shape[1:])
    printed = "\n".join(_side_by_side(grids)) if board.n_values <= MAX_PRINTED_SIDE else ""
    yield Step(printed, "grid", "layers", data={"axis": axis, "grid": grids.tolist()})
    origin = "Algorithm 1's elimination leaves in the whole cube" if restrict else "the givens of its own grid leave"
    yield Step(f"candidates of a blank: what {origin}")


def _side_by_side(grids: Grids) -> Iterator[str]:
    abreast = isqrt(len(grids))
    for start in range(0, len(grids), abreast):
        some = grids[start : start + abreast]
        width = grids.shape[2] + 3
        yield "".join(f"grid {start + number + 1}".ljust(width) for number in range(len(some))).rstrip()
        for row in range(grids.shape[1]):
            yield "   ".join("".join(map(str, grid[row].tolist())).replace("0", ".") for grid in some)


def matrix(number: int, left: Matrix, axis: int, brief: bool) -> Step:
    """Show the matrix P of a layer: two indices, the candidates, their count.

    Args:
        number: of the layer, from 1.
        left: its P, sorted.
        axis: which index all its cells share.
        brief: show how many rows it has only.
    """
    board = left.board
    width = len(str(board.n_values))
    rows = np.delete(left.table(), axis, axis=1).tolist()
    names = " ".join(name for place, name in enumerate("xyz") if place != axis)
    head = f"grid {number}: {_many(len(rows), 'blank') if rows else 'no blanks'}"
    lines = [] if brief or not rows else [f"P of grid {number}: {names}, candidates, their count"]
    lines += [" ".join(f"{value:>{width}}" for value in row) for row in rows] if lines else []
    left_of = [(np.flatnonzero(row) + 1).tolist() for row in left.candidates]
    data = {
        "grid_number": number,
        "index": [index(board, cell) for cell in left.cells.tolist()],
        "candidates": dict(zip(map(board.cell_name, left.cells.tolist()), left_of, strict=True)),
    }
    return Step("\n".join([head, *lines]), "candidates", "matrix P", data=data)


def table(board: Geometry, number: int, cells: Intps, blanks: Intps, found: Grids) -> Step:
    """Show the solutions of a layer as Table 4: a column for each blank, a row for each solution.

    Args:
        board: the cube.
        number: of the layer, from 1.
        cells: of the layer.
        blanks: those of its cells that are blank, in the order of its P.
        found: its solutions, uint8 (m, cells).
    """
    names = [index(board, cell) for cell in blanks.tolist()]
    values = found[:MAX_LISTED_SOLUTIONS, np.searchsorted(cells, blanks)].tolist()
    # Without a blank a layer is its own solution.
    lines = [f"grid {number}: {_many(len(found), 'solution')} of its own"] if names else []
    if names and len(found) and len(names) <= MAX_COLUMNS:
        head = f"S{number}_{min(MAX_ROWS, len(found))}"
        lines.append(" ".join([" " * len(head), *names]))
        for row, solution in enumerate(values[:MAX_ROWS], start=1):
            shown = (f"{value:<{len(name)}}" for value, name in zip(solution, names, strict=True))
            lines.append(" ".join([f"S{number}_{row}".ljust(len(head)), *shown]).rstrip())
        if len(found) > MAX_ROWS:
            lines.append("...")
    data = {"grid_number": number, "index": names, "number": len(found), "solutions": values}
    return Step("\n".join(lines), "note", "Table 4", data=data)


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def combinations(board: Geometry, planes: Intps, listed: list[Grids]) -> Iterator[Step]:
    """Say how many combinations there are, and list few ones as Fig. 19 does, each with what is wrong with it."""
    numbers = [len(found) for found in listed]
    total = prod(numbers)
    data = {"numbers": numbers, "combinations": total}
    yield Step(f"{_many(total, 'combination')} of one solution per grid", "note", "Fig. 18", data=data)
    if not 0 < total <= MAX_COMBINATIONS:
        return
    lines, rows = [], []
    for chosen in product(*map(range, numbers)):
        grid = np.empty(board.n_cells, np.uint8)
        for cells, found, number in zip(planes, listed, chosen, strict=True):
            grid[cells] = found[number]
        wrong = _broken(board, grid)
        rows.append({"combination": [number + 1 for number in chosen], "breaks": wrong})
        names = " ".join(f"S{layer}_{number + 1}" for layer, number in enumerate(chosen, start=1))
        lines.append(f"{names}: {f'breaks {wrong}' if wrong else 'a solution'}")
    yield Step("\n".join(lines), "note", "Fig. 19", data={"rows": rows})


def _broken(board: Geometry, grid: Grids) -> str:
    """Return the first unit in which a value is there twice, or an empty string."""
    for rule in board.rules:
        ordered = np.sort(grid[rule.units], axis=1)
        wrong = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if len(wrong):
            cells = rule.units[wrong[0]].tolist()
            return f"{rule.name} {index(board, cells[0])} to {index(board, cells[-1])}"
    return ""


def none(
    puzzle: Puzzle, planes: Intps, listed: list[Grids], joined: Int64s | None, restricted: Candidates | None
) -> Step:
    """Say why there is no solution: a layer has none of its own, or nothing is left when one is joined.

    Args:
        puzzle: the puzzle.
        planes: the cells of each layer.
        listed: the solutions of each.
        joined: how many combinations were left after each layer, if they were joined one at a time.
        restricted: candidates of all blanks that the layers started from, if they did.
    """
    without = [number for number, found in enumerate(listed, start=1) if not len(found)]
    if without:
        layer = planes[without[0] - 1]
        text = f"grid {without[0]} has no solution of its own"
        left = puzzle.candidates.copy()
        if restricted is not None:
            left[puzzle.blanks] = restricted
        else:
            for cell in layer.tolist():
                held = puzzle.givens[np.intersect1d(puzzle.geometry.peers[cell], layer)]
                left[cell, held[held > 0].astype(np.intp) - 1] = False
        left[np.setdiff1d(np.arange(len(left)), layer)] = True
        why, cells = dead_end(puzzle.geometry, left, partial(index, puzzle.geometry))
        text, cells = (f"{text}: {why}", cells) if why else (text, tuple(layer.tolist()))
    elif joined is None:
        cells = tuple(puzzle.blanks.tolist())
        text = "none of the combinations satisfies all rules"
    else:
        last = int(np.argmax(joined == 0))
        cells = tuple(np.intersect1d(planes[last], puzzle.blanks).tolist())
        text = f"no solution of grid {last + 1} fits any of the {joined[last - 1]} combinations of grids 1 to {last}"
    return Step(f"no solution: {text}", "end", "layers", cells, data=NONE)


def joining(joined: Int64s) -> Iterator[Step]:
    """Say how many partial combinations were left after each layer."""
    for number, left in enumerate(joined.tolist(), start=1):
        if number > 1:
            text = f"grids 1 to {number} joined: {_many(left, 'combination')} left"
            yield Step(text, "branch", "early join", data={"layers": number, "combinations": left})
