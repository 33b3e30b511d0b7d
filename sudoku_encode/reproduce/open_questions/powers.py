"""Why so many of Jana's cubes have 2, 4, 8, ... solutions."""

import csv
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side

# The rules that the paper's own example follows.
FOUR = ("row-z", "box-xy", "box-xz", "box-yz")
# The cells in which the two solutions of Table 3 differ, as the paper writes them.
TABLE_3 = ("050", "051", "052", "130", "131", "132")
# How many exchanges are left open at a time.
OPEN = (1, 2, 3, 6, 10)
# Grids made for the count of exchanges; each takes a quarter of a second.
N_GRIDS = 4

Lines = NDArray[np.intp]


def short_lines() -> Lines:
    """Return the nine lines of three cells along z of each of the 27 mini-cubes, (27, 9, 3)."""
    cells = np.arange(9**3).reshape(3, 3, 3, 3, 3, 3)
    return cells.transpose(0, 2, 4, 1, 3, 5).reshape(27, 9, 3)


def exchanges(grid: Grids) -> list[tuple[int, tuple[int, ...]]]:
    """Return the pairs of short lines of a mini-cube that hold the same three values: its number, and the six cells."""
    lines = short_lines()
    held = np.sort(grid[lines], axis=2)
    return [
        (cube, (*lines[cube, one].tolist(), *lines[cube, other].tolist()))
        for cube in range(27)
        for one, other in combinations(range(9), 2)
        if np.array_equal(held[cube, one], held[cube, other])
    ]


def without(grid: Grids, cells: NDArray[np.intp], rules: tuple[str, ...] | None) -> int:
    """Count the solutions of a full cube from which some cells are taken, up to 10,000."""
    givens = grid.copy()
    givens[cells] = 0
    return se.count(se.Puzzle.of(se.board("9x9x9", rules), givens), limits=se.Limits(10_000)).value


def printed_counts() -> list[int]:
    """Return the numbers of solutions in Tables 5 to 7."""
    with puzzles.path("cubes/jana-2023-tables.csv").open(encoding="utf-8") as file:
        return [int(row["solutions"]) for row in csv.DictReader(file)]


def powers_of_two(work: Work) -> Finding:
    """Take exchanges out of solutions, several at a time, and count."""
    many = [number for number in printed_counts() if number > 1]
    powers = sum(number & (number - 1) == 0 for number in many)
    (table_1,) = puzzles.read("papers/jana-2023-table-1.txt")
    differing = {int(np.ravel_multi_index(tuple(map(int, cell)), (9, 9, 9))) for cell in TABLE_3}
    is_one = any(set(cells) == differing for _, cells in exchanges(table_1.givens))
    grids = {"Table 1": table_1.givens}
    for seed in range(N_GRIDS):
        (made,) = se.generate("9x9x9", rules=FOUR, blanks=0, seed=seed)
        grids[f"ours, seed {seed}"] = made.solution
    rows, as_said = [], True
    for name, grid in grids.items():
        found = exchanges(grid)
        one_each = list(dict(reversed(found)).values())
        counts = [without(grid, np.array(one_each[:k]).ravel(), FOUR) for k in OPEN]
        as_said &= counts == [2**k for k in OPEN]
        rows.append((name, len(found), len(one_each), ", ".join(map(str, counts))))
    six = {without(table_1.givens, np.array(cells), None) for _, cells in exchanges(table_1.givens)}
    return Finding(
        "Jana et al. 2023, Tables 5 to 7",
        f"The cubes have 1 to 768 solutions; {len(many)} of {len(printed_counts())} have several, and {powers} of these"
        " numbers are powers of two. Why is not said.",
        f"Under the four rules of the paper's own example, two lines of three cells along z in one mini-cube that hold"
        f" the same three values can be exchanged: Table 1 has {rows[0][1]} such pairs. Left blank, k of them in"
        f" different mini-cubes give 2^k solutions {'each time' if as_said else 'not each time'}"
        f" (k = {', '.join(map(str, OPEN))}).",
        SETTLED if as_said and is_one else UNCHECKED,
        "The exchange changes no minigrid's and no z-row's set of values, so one of the six cells must be given. It is"
        f" what the two solutions of Table 3 differ in: {', '.join(TABLE_3)}. Under all six rules each of the pairs of"
        f" Table 1 leaves {' or '.join(map(str, sorted(six)))} solution, since rows along x or y break. The puzzles are"
        " not published, so this shows where powers of two come from, not that each of theirs does.",
        side_by_side(
            ("solution", "pairs", "mini-cubes with one", f"solutions with {', '.join(map(str, OPEN))} of them blank"),
            *rows,
            drawn={"number": ("pairs", "mini-cubes with one")},
        ),
    )


def latin_squares_in_a_mini_cube(work: Work) -> Finding:
    """Leave three lines of the same values blank."""
    (table_1,) = puzzles.read("papers/jana-2023-table-1.txt")
    lines, grid = short_lines(), table_1.givens
    held = np.sort(grid[lines], axis=2)
    triples = [
        lines[cube, list(three)].ravel()
        for cube in range(27)
        for three in combinations(range(9), 3)
        if (held[cube, list(three)] == held[cube, three[0]]).all()
    ]
    counts = {without(grid, triple, FOUR) for triple in triples}
    others = sorted({number for number in printed_counts() if number & (number - 1)})
    return Finding(
        "Jana et al. 2023, Tables 5 to 7",
        f"The other numbers are {', '.join(map(str, others))}.",
        f"Three lines along z of one mini-cube with the same three values form a Latin square of side 3. Table 1 has"
        f" {len(triples)} such triples, and each, left blank, gives {' or '.join(map(str, sorted(counts)))} solutions"
        " under the four rules: the 12 Latin squares of side 3.",
        SETTLED if counts == {12} else UNCHECKED,
        "768 is 12 * 2^6 and 720 is 12 * 60; 3, 6 and 15 need cells that are less alike, of which nothing is settled"
        " here.",
    )
