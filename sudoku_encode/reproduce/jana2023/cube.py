"""Jana et al. 2023, sections I and II: the cube, its graph, Figs. 2 to 7, Tables 1 and 2, completeness."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.papers.jana2023_v2 import AXES, planes
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids

# The rules of the paper's example, as its candidates show: no rows along x and y are checked.
FOUR = ("row-z", "box-xy", "box-xz", "box-yz")
SIX = se.board("9x9x9").rule_names
GRIDS, PLANES = 27, 64
# Section II-B, of cell [2], [3]; Fig. 8a, column by column: the blanks of Table 2 as x, y, z.
THROUGH_2_3 = "576428319"
BLANKS = "032 036 038 041 050 051 052 130 131 132 138 152 157 230 238 242"
CLUES_FOR_A_SOLUTION = 17
# A puzzle of 17 clues with one solution, and where the paper says that a grid lies: across y (section II-B).
SEVENTEEN = "000000010400000000020000000000050407008000300001090000300400200050100000000806000"
GRID_ACROSS = "y"
# Fig. 2 as scanned: three grids side by side. Where a row is left out, the scan of all three grids is garbled.
FIGURE_2 = {
    (0, 1): "285647931 197538264 436219857",
    (0, 2): "643921785 528764193 719853426",
    (0, 3): "769153428 843926715 521784693",
    (0, 4): "152478369 976315842 384692571",
    (0, 5): "438269157 215847936 697531284",
    (0, 6): "897536214 431289657 265147938",
    (0, 7): "526714893 789653421 143928765",
    (0, 8): "314892576 652471389 978365142",
    (1, 0): "583624791 746913825 129758463",
    (1, 1): "674391582 9128753-6 358462179",
    (2, 0): "215847936 697531284 438269157",
    (2, 1): "843926715 521784693 769153428",
    (2, 2): "976315842 384692571 152478369",
    (2, 3): "652471389 978365142 314892576",
    (2, 4): "431289657 265147938 897536214",
    (2, 5): "789653421 265928765 526714893",
    (2, 6): "528764193 719853426 643921785",
    (2, 7): "364192578 852476319 971385642",
    (2, 8): "197538264 436219857 285647931",
}


def table_1() -> se.Puzzle:
    """Return Table 1 under all six rules."""
    return puzzles.read("papers/jana-2023-table-1.txt")[0]


def table_2(rules: tuple[str, ...] | None = None) -> se.Puzzle:
    """Return Table 2 under some rules, all six by default."""
    return se.Puzzle.of(se.board("9x9x9", rules), puzzles.read("papers/jana-2023-table-2.txt")[0].givens)


def index(cell: int) -> str:
    """Return the name of a cell as in Fig. 8: x, y, z, from 0."""
    return "".join(map(str, np.unravel_index(cell, (9, 9, 9))))


def _joined_cells(literal: bool) -> NDArray[np.bool_]:
    """Return which pairs of cells an edge joins, by the text, not by this project's geometry."""
    coordinates = np.stack(np.unravel_index(np.arange(729), (9, 9, 9)))
    same = coordinates[:, :, None] == coordinates[:, None, :]
    near = coordinates[:, :, None] // 3 == coordinates[:, None, :] // 3
    joined = np.zeros((729, 729), bool)
    for first, second, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        joined |= same[third] if literal else same[first] & same[second]
        joined |= near[first] & near[second] & (literal | same[third])
    np.fill_diagonal(joined, False)
    return joined


def edge_conditions(work: Work) -> Finding:
    """Colour the graph of the six printed conditions with Table 1."""
    grid = table_1().givens
    rows, clashes = [], {}
    for reading in ("as printed", "with the other coordinates equal"):
        joined = _joined_cells(reading == "as printed")
        degrees = joined.sum(axis=1)
        clashes[reading] = int((joined & (grid[:, None] == grid[None, :])).sum()) // 2
        rows.append((reading, int(joined.sum()) // 2, f"{degrees.min()} to {degrees.max()}", clashes[reading]))
    clique = se.board("9x9x9:literal").why_impossible
    return Finding(
        "section II-D",
        "Two vertices are joined if and only if x1 = x2, or y1 = y2, or z1 = z2, or they are in the same minigrid of"
        " two coordinates; a colouring with 9 colours is a solution.",
        f"As printed there are {rows[0][1]:,} edges; Table 1 gives both ends of {rows[0][3]:,} of them the same "
        f"colour. No colouring exists: {clique}. If the other coordinates are equal too, there are {rows[1][1]:,} "
        f"edges, and Table 1 breaks {rows[1][3]}.",
        verdict(clashes["as printed"] == 0),
        "A row needs two equal coordinates, and a minigrid needs the third one equal; the six conditions leave that "
        "out.",
        side_by_side(
            ("reading", "edges", "degree", "edges that Table 1 breaks"),
            *rows,
            drawn={"edges": ("edges", "edges that Table 1 breaks")},
        ),
    )


def planes_of_a_cube(work: Work) -> Finding:
    """Count the planes of Table 1 that are 2D Sudokus."""
    puzzle, square = table_1(), se.Puzzle.of(se.board("9x9"))
    grids = np.concatenate([puzzle.givens[planes(puzzle.geometry, axis)] for axis in AXES])
    valid = sum(not any(se.violations(square, grid)) for grid in grids)
    others = ", ".join(f"{3 * k * k} and not {k**3} for side {k * k}" for k in (2, 4))
    return Finding(
        "section II-B",
        f"A 9x9x9 cube contains 3^3 = {GRIDS} 2D Sudoku grids.",
        f"Table 1 has {len(grids)} planes, and {valid} of them are valid 2D Sudokus.",
        verdict(GRIDS == valid == len(grids)),
        f"The number is 3 times 9. It equals 3^3 only for side 9: it is {others}.",
    )


def table_1_is_a_solution(work: Work) -> Finding:
    """Count the units that Table 1 satisfies."""
    puzzle = table_1()
    units = [unit for rule in puzzle.geometry.rules for unit in rule.units]
    n_complete = sum(len(set(puzzle.givens[unit].tolist())) == 9 for unit in units)
    return Finding(
        "Table 1",
        "Table 1 is a solved 9x9x9 cube.",
        f"{n_complete} of its {len(units)} rows and minigrids hold every value once.",
        verdict(n_complete == len(units)),
    )


def aircraft(work: Work) -> Finding:
    """Place 64 planes by a 4x4x4 cube."""
    puzzle = se.Puzzle.of(se.board("4x4x4"))
    grid = puzzles.solution(puzzle).reshape(4, 4, 4)
    (number,) = {int((grid == value).sum()) for value in range(1, 5)}
    (each,) = {int((layer == value).sum()) for layer in grid for value in range(1, 5)}
    return Finding(
        "section I",
        f"{PLANES} planes in four groups can be placed in four elevations by a 4x4x4 Sudoku.",
        f"A 4x4x4 solution has {grid.size} cells; each value is in {number} of them, {each} in each layer.",
        verdict(grid.size == PLANES and number == PLANES // 4 and each == PLANES // 16),
        "The paper does not say how positions come into conflict; only the counting is checked.",
    )


def figure_2(work: Work) -> Finding:
    """Compare the legible rows of Fig. 2 with Table 1."""
    cube = table_1().givens.reshape(9, 9, 9)
    agreeing = differing = unread = 0
    slips = []
    for (band, row), text in FIGURE_2.items():
        for place, group in enumerate(text.split()):
            truth = "".join(map(str, cube[3 * band + place, row]))
            wrong = sum(a not in ("-", b) for a, b in zip(group, truth, strict=True))
            unread += group.count("-")
            differing += wrong
            agreeing += 9 - wrong - group.count("-")
            if wrong:
                slips.append((3 * band + place + 1, row + 1, group, truth))
    impossible = all(len(set(group)) < 9 for _, _, group, _ in slips)
    rows = 81 - 3 * len(FIGURE_2)
    listed = "; ".join(f"grid {grid}, row {row}: {group}, Table 1 has {truth}" for grid, row, group, truth in slips)
    return Finding(
        "Fig. 2",
        "Fig. 2 shows the nine grids of the cube of Table 1, grid i in row i of the table.",
        f"Of the {agreeing + differing} digits in our scan, {agreeing} agree and {differing} do not ({listed}).",
        verdict(impossible),
        "A row that differs holds a digit twice, so it cannot be meant: an error of the print or of the scan. "
        f"{rows} of the 81 rows are garbled in our scan and left out; {unread} further digit is unreadable.",
    )


def cell_through_the_grids(work: Work) -> Finding:
    """Find the line of the cell [2], [3]."""
    cube = table_1().givens.reshape(9, 9, 9)
    line = [int(digit) for digit in THROUGH_2_3]
    places = [(row, column) for row in range(9) for column in range(9) if cube[:, row, column].tolist() == line]
    texts = [f"row {row + 1}, column {column + 1}, counted from 1" for row, column in places]
    return Finding(
        "section II-B",
        f"Cell [2], [3] of grids 1 to 9 contains {', '.join(THROUGH_2_3)}.",
        f"These values are at {' and '.join(texts)}.",
        verdict(places == [(1, 2)]),
        "Fig. 8 and section IV count from 0.",
    )


def minigrid_of_cell_2_3(work: Work) -> Finding:
    """Find the minigrid of the cell [2], [3] of section IV with either way of counting."""
    fits = [
        base for base in (0, 1) if ((2 - base) // 3, (3 - base) // 3, (2 - base) % 3, (3 - base) % 3) == (0, 1, 2, 0)
    ]
    geometry = se.board("9x9x9")
    cell = int(np.ravel_multi_index((3, 2, 3), (9, 9, 9)))
    boxes = {int(peer) for rule in geometry.rules[3:] for unit in rule.units if cell in unit for peer in unit}
    beyond = {tuple(map(int, np.unravel_index(peer, (9, 9, 9)))) for peer in boxes if peer // 81 in (4, 5)}
    named = {(grid, row, 3) for grid in (4, 5) for row in range(3)}
    named |= {(grid, 2, column) for grid in (4, 5) for column in range(3, 6)}
    return Finding(
        "section IV-A",
        "Cell [2], [3] of Sudoku 4 is in the first column and the last row of the second minigrid; the first columns"
        " and last rows of the second minigrids of Sudokus 5 and 6 must be checked too.",
        f"This is right if cells are counted from {' or '.join(map(str, fits))}; in Sudokus 5 and 6 the cells of its "
        f"minigrids are {'those' if beyond == named else 'not those'} that the text names.",
        verdict(fits == [1] and beyond == named),
        "The same cell [2], [3] in section II-B is right only if cells are counted from 1.",
    )


def table_2_blanks(work: Work) -> Finding:
    """Compare Table 2 with Table 1."""
    full, puzzle = table_1().givens, table_2()
    given = puzzle.givens > 0
    same = int((puzzle.givens[given] == full[given]).sum())
    blanks = [index(int(cell)) for cell in puzzle.blanks]
    return Finding(
        "Table 2",
        f"There are {len(BLANKS.split())} blank cells; the first is [0,3,2].",
        f"Table 2 has {len(blanks)} zeros, the first at [{','.join(blanks[0])}]; they are the cells of Fig. 8a."
        f" {same} of its {int(given.sum())} digits are those of Table 1.",
        verdict(blanks == BLANKS.split() and same == int(given.sum())),
        "No digit of the scan of Table 2 had to be repaired.",
    )


def direction_of_the_grids(work: Work) -> Finding:
    """Find which index of Fig. 8a numbers the rows of Table 2."""
    blanks = {tuple(map(int, name)) for name in BLANKS.split()}
    cells = [tuple(map(int, np.unravel_index(int(cell), (9, 9, 9)))) for cell in table_2().blanks]
    row = "".join("xyz"[axis] for axis in range(3) if {at[0] for at in cells} == {name[axis] for name in blanks})
    return Finding(
        "section II-B, Table 2, Fig. 8",
        f"The nine grids lie in xz-planes, so their number is {GRID_ACROSS}; each is a row of Table 2.",
        f"In Fig. 8a the number of the row is the index {row}, so a grid is a plane across {row}.",
        verdict(row == GRID_ACROSS),
        "The caption of Table 2 calls its rows x, as Fig. 8a does. The six rules treat the axes in the same way, so "
        "only names differ; but it matters for subsets of the rules and for the layers of Algorithm 2, which are "
        "these grids here. jana2023-v2:y has the planes across y.",
    )


def seventeen_clues(work: Work) -> Finding:
    """Count the solutions of an empty grid, of a puzzle of 17 clues, and of the same without one clue."""
    square = se.board("9x9")
    givens: Grids = np.array([int(digit) for digit in SEVENTEEN], np.uint8)
    counts = {0: [_up_to_two(se.Puzzle.of(square))], CLUES_FOR_A_SOLUTION: [_up_to_two(se.Puzzle.of(square, givens))]}
    fewer = [np.where(np.arange(81) == cell, 0, givens) for cell in np.flatnonzero(givens)]
    counts[CLUES_FOR_A_SOLUTION - 1] = [_up_to_two(se.Puzzle.of(square, some)) for some in fewer]
    solvable = all(number > 0 for clues, some in counts.items() if clues < CLUES_FOR_A_SOLUTION for number in some)
    return Finding(
        "section II-C",
        f"A minimum of {CLUES_FOR_A_SOLUTION} clues is needed to obtain at least one solution.",
        f"The empty grid has at least {counts[0][0]} solutions. A puzzle of {CLUES_FOR_A_SOLUTION} clues with"
        f" {counts[CLUES_FOR_A_SOLUTION][0]} solution has at least {min(counts[CLUES_FOR_A_SOLUTION - 1])} without any"
        " one of its clues.",
        verdict(not solvable),
        "The cited work (McGuire, Tugemann & Civario) shows that 17 clues are needed for exactly one solution.",
    )


def _up_to_two(puzzle: se.Puzzle) -> int:
    return se.count(puzzle, "sat", limits=se.Limits(2)).value


# Completeness: a theorem of others, of whose proof one step can be run.

# Sides of the Latin squares, of which Sudokus of side 4, 9 and 16 are made.
ORDERS = (2, 3, 4)


def latin_hole(order: int) -> se.Puzzle:
    """Return a Sudoku whose blanks can be filled as a Latin square can, and in no other way.

    Cell (i, j) of its solution, from 0, has the value (i mod n) n + i div n + j, modulo n^2, plus 1. Blank are the
    cells of the first band in the columns 0, n, 2n, ...: in each of these rows and columns just the values 1, n + 1,
    2n + 1, ... are missing, and of a minigrid only one column is blank, so that it asks for nothing more.
    """
    n = order
    i, j = np.indices((n * n, n * n))
    grid = (i % n * n + i // n + j) % (n * n) + 1
    grid[:n, ::n] = 0
    return se.Puzzle.of(se.board(f"{n * n}x{n * n}"), grid)


def fillings(order: int) -> set[bytes]:
    """Return the blanks of `latin_hole` in all solutions, as values from 1 to the order."""
    puzzle = latin_hole(order)
    return {grid.tobytes() for grid in (puzzles.solutions(puzzle)[:, puzzle.blanks] - 1) // order + 1}


def asp_completeness(work: Work) -> Finding:
    """Sections I and II-C: the step from Latin squares to Sudokus, on small sides."""
    rows = []
    for order in ORDERS:
        squares = puzzles.solution_set(se.Puzzle.of(se.board(f"latin:{order}x{order}")))
        filled = fillings(order)
        rows.append((f"{order**2}x{order**2}", order**2, len(squares), len(filled), len(squares & filled)))
    same = all(row[2] == row[3] == row[4] for row in rows)
    return Finding(
        "abstract, section II-C",
        "Sudoku is NP-complete; its ASP-completeness (to find another solution where one is known) was proved by [8].",
        f"Not proved here. Blanks in Sudokus of side {', '.join(str(order**2) for order in ORDERS)} are filled by"
        f" {'exactly' if same else 'not exactly'} the {', '.join(str(row[2]) for row in rows)} Latin squares of side"
        f" {', '.join(map(str, ORDERS))}.",
        UNCHECKED,
        "Computing some sides cannot confirm a theorem on all sides. But one step of such a proof can be run: to "
        "complete a Latin square is to solve a Sudoku, with as many solutions, since more givens leave the same "
        "fillings to both. That completing Latin squares is NP-complete, and ASP-complete, is taken from the "
        "literature. [8] and this step are about squares; the paper gives no proof for cubes.",
        side_by_side(
            ("Sudoku", "blanks", "Latin squares", "fillings of the blanks", "in both"),
            *rows,
            drawn={"number": ("Latin squares", "fillings of the blanks", "in both")},
        ),
    )


# Section II-B, Figs. 3 to 7: the mini-cubes S1 to S27, their graph, and the marks in Table 1.

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
        f"This is right if neighbours share a row. Of mini-cubes that touch with a side, {mixed}: S1, a corner, has 3.",
        side_by_side(("mini-cube", "cells, as xyz from 0", "neighbours", "its digits in Table 1, by grids"), *rows),
    )


def mini_cubes_of_figure_7(work: Work) -> Finding:
    """Number the mini-cubes whose digits are marked in Table 1."""
    home = homes().reshape(9, 9, 9)
    numbers = [{int(home[at]) + 1 for at in product(*ranges)} for ranges in STANDING_APART]
    names = [f"S{number}" for some in numbers for number in sorted(some)]
    return Finding(
        "Fig. 7, Table 1",
        f"Six mini-cubes can be identified in Table 1 by their colours: {', '.join(LEGEND)}.",
        f"In our scan three groups of its digits stand apart; each is in one mini-cube, {', '.join(names)}, if S1 to"
        " S9 are the minigrids of grids 1 to 3 row by row, S10 to S18 those of grids 4 to 6, and so on.",
        verdict(all(len(some) == 1 for some in numbers) and set(names) <= set(LEGEND)),
        "The legend is in our scan, but most colours are not: those of S1, S2 and S3 cannot be compared.",
    )
