"""How often Keck's generator draws each Latin cube of side 4."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.reproduce import keck
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import SETTLED, Finding, Work, side_by_side
from sudoku_encode.reproduce.open_questions.givens import LATIN, all_solutions

Floats = NDArray[np.float64]
# The ways to part the four layers of an axis into two pairs.
_PAIRS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def chances(grids: Grids) -> Floats:
    """Return the chance of each solution to be what random backtracking in scan order ends with.

    At a cell the values are tried in random order, and one that no solution goes on with is taken back. So each of the
    values that some solution goes on with is equally likely, and the chance of a solution is the product, over its
    cells, of 1 through their number.

    Args:
        grids: all solutions of a board, each once, (m, n_cells).

    Returns:
        float64 (m,), 1 in all.
    """
    chance = np.ones(len(grids))
    # Solutions that are the same up to the cell have one number.
    prefix = np.zeros(len(grids), np.intp)
    for values in grids.T:
        longer, first, number = np.unique(
            prefix * (int(grids.max()) + 1) + values, return_index=True, return_inverse=True
        )
        chance /= np.bincount(prefix[first], minlength=len(longer))[prefix]
        prefix = number
    return chance


def are_split(grids: Grids) -> NDArray[np.bool_]:
    """Say of each Latin cube of side 4, uint8 (m, 64), whether it consists of eight sub-cubes of two values each.

    The two layers of a sub-cube along an axis need not lie next to each other.
    """
    bits = (1 << grids.astype(np.int64)).reshape(-1, 4, 4, 4)
    found = np.zeros(len(grids), bool)
    for x, y, z in product(_PAIRS, repeat=3):
        parts = [bits[:, np.array(a)[:, None, None], np.array(b)[:, None], np.array(c)] for a, b, c in product(x, y, z)]
        held = np.stack([np.bitwise_or.reduce(part.reshape(len(grids), 8), axis=1) for part in parts])
        found |= (np.bitwise_count(held) == 2).all(axis=0)
    return found


def latin_cubes_are_drawn_unevenly(work: Work) -> Finding:
    """Compute the chance of each Latin cube, and compare it with cubes that are drawn."""
    grids, some = all_solutions(LATIN), keck.drawn(10 * work.puzzles)
    chance, even = chances(grids), 1 / len(grids)
    split, n_drawn = are_split(grids), int(are_split(some).sum())
    expected = {"by the exact chances": float(chance[split].sum()), "if all were alike": float(split.mean())}
    squares = {
        name: (n_drawn - share * len(some)) ** 2 / (len(some) * share * (1 - share)) for name, share in expected.items()
    }
    rows = [
        (
            kind,
            int(which.sum()),
            *(round(100 * float(share), 1) for share in (which.mean(), chance[which].sum(), drawn)),
        )
        for kind, which, drawn in (
            ("eight sub-cubes of two values", split, n_drawn / len(some)),
            ("others", ~split, 1 - n_drawn / len(some)),
        )
    ]
    return Finding(
        "Keck, GenSudokuSolution",
        "At each cell a random number is picked from those that are possible; whether all solutions are equally likely"
        " is not said.",
        f"They are not: of the {len(grids):,} Latin cubes of side 4 the likeliest come {chance.max() / even:g} times as"
        f" often as if all were alike, the unlikeliest {even / chance.min():g} times as seldom. Cubes from which no"
        f" unique puzzle of fewer than 8 clues can be cut are {rows[0][2]} % of all and {rows[0][3]} % of those drawn.",
        SETTLED,
        "Exact: the chance of a cube is the product, over its cells, of 1 through the number of values with which some"
        f" cube goes on. Of {len(some)} cubes drawn {n_drawn} are of that kind; chi-square, one degree of freedom: "
        + ", ".join(f"{value:.1f} {name}" for name, value in squares.items())
        + " (3.8 is exceeded once in twenty times by chance).",
        side_by_side(
            ("cubes", "number", "of all, %", "chance, %", f"of {len(some)} drawn, %"),
            *rows,
            drawn={"share, %": ("of all, %", "chance, %", f"of {len(some)} drawn, %")},
        ),
    )
