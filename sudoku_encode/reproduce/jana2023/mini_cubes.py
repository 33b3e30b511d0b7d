"""Jana et al. 2023, section II-B, Figs. 3 to 7: the mini-cubes S1 to S27, their graph, and where Table 1 marks them."""

from itertools import product

import numpy as np

import sudoku_encode as se
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import index, table_1

MINI_CUBES, MINIGRIDS, NEIGHBOURS, EDGES = 27, 9, 6, 81
# Fig. 7: the mini-cubes of its legend.
LEGEND = ("S1", "S2", "S3", "S4", "S10", "S27")
# The digits of Table 1 that stand apart in our scan as x, y and z, each a range from 0: two are marked, one is set off.
STANDING_APART = (
    ((1, 2), (3, 4, 5), (0, 1, 2)),
    ((3, 4, 5), (2,), (0, 1, 2)),
    ((6,), (8,), (6, 7)),
)


def homes() -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Return the number of each cell's mini-cube, from 0: by grids, then by rows, then within a row."""
    return np.ravel_multi_index([at // 3 for at in np.unravel_index(np.arange(729), (9, 9, 9))], (3, 3, 3))


def mini_cubes(work: Work) -> Finding:
    """Count mini-cubes, their minigrids, their neighbours and the edges of their graph."""
    geometry, home, grid = se.board("9x9x9"), homes(), table_1().givens
    joined = np.zeros((MINI_CUBES, MINI_CUBES), bool)
    for cell in range(729):
        joined[home[cell], home[geometry.peers[cell]]] = True
    np.fill_diagonal(joined, False)
    seeing = {len(set(home[geometry.peers[cell]].tolist()) - {int(home[cell])}) for cell in range(729)}
    boxes = [set(home[unit].tolist()) for rule in geometry.rules[3:] for unit in rule.units]
    minigrids = [sum(some == {number} for some in boxes) for number in range(MINI_CUBES)]
    touching = [sum(1 + (0 < at < 2) for at in where) for where in product(range(3), repeat=3)]
    mixed = ", ".join(f"{touching.count(sides)} have {sides}" for sides in sorted(set(touching)))
    rows = []
    for number in range(MINI_CUBES):
        cells = np.flatnonzero(home == number)
        digits = " ".join("".join(map(str, layer)) for layer in grid[cells].reshape(3, 9).tolist())
        neighbours = " ".join(f"S{other + 1}" for other in np.flatnonzero(joined[number]))
        rows.append((f"S{number + 1}", f"{index(int(cells[0]))} to {index(int(cells[-1]))}", neighbours, digits))
    edges = int(joined.sum()) // 2
    right = set(minigrids) == {MINIGRIDS} and seeing == {NEIGHBOURS} and edges == EDGES
    return Finding(
        "section II-B, Figs. 4 to 6",
        f"{MINI_CUBES} mini-cubes, each of {MINIGRIDS} minigrids, each with {NEIGHBOURS} neighbouring mini-cubes, two"
        " in each direction; the values in these are considered for a blank cell.",
        f"{len(set(home.tolist()))} mini-cubes of {' or '.join(map(str, sorted(set(minigrids))))} minigrids; the rows"
        f" of a cell pass through {' or '.join(map(str, sorted(seeing)))} other mini-cubes, so their graph has {edges}"
        " edges.",
        verdict(right),
        f"Right where neighbours share a row. Of mini-cubes that touch with a side, {mixed}: S1, a corner, has 3.",
        side_by_side(("mini-cube", "cells, as xyz from 0", "neighbours", "its digits in Table 1, by grids"), *rows),
    )


def mini_cubes_of_figure_7(work: Work) -> Finding:
    """Number the mini-cubes whose digits are marked in Table 1."""
    home = homes().reshape(9, 9, 9)
    numbers = [{int(home[at]) + 1 for at in product(*ranges)} for ranges in STANDING_APART]
    found = [f"S{number}" for some in numbers for number in sorted(some)]
    return Finding(
        "Fig. 7, Table 1",
        f"Six mini-cubes can be identified in Table 1 by their colours: {', '.join(LEGEND)}.",
        f"In our scan three groups of its digits stand apart; each is in one mini-cube, {', '.join(found)}, if S1 to"
        " S9 are the minigrids of grids 1 to 3 row by row, S10 to S18 those of grids 4 to 6, and so on.",
        verdict(all(len(some) == 1 for some in numbers) and set(found) <= set(LEGEND)),
        "The legend is in our scan, most colours are not: those of S1, S2 and S3 cannot be compared.",
    )
