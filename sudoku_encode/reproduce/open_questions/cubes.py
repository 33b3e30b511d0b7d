"""How many 9x9x9 cubes there are: what is proved, and what samples say.

A cube is *uniform* if its values have one pattern of signs, which is one of 256 (see `one_value`). It is then three
Sudokus, one for each a, with rows (b, o) and columns (c, r), and the only tie between them is that in box (b, c) a
value has three different numbers r - o. So there are 256 times as many as there are such triples.

**A proved lower bound.** Take any Sudoku, and shift its rows and columns for the second and the third: o + sigma(a, b),
r + rho(a, c), with no shift for a = 0. The tie holds for all values at once if and only if rho(a, c) - sigma(a, b) are
three different numbers over a, for each b and c: `shifts`. Each choice makes another cube. The same can be done with
the three Sudokus for b, and for c. A cube that comes from both a and b is known by the cells of one band (a = b = 0):
the other bands of the first Sudoku are shifts of it, 3**2 for o and 3**6 for r - o, and then the other Sudokus are.

**Other cubes.** If in one slab three values lie in the same plane in each block, such as (i, i + o, *) in a slab of c,
then two layers of the slab can be exchanged for these three values alone: their cells together stay the same, and so
does what other values see. The three then have another direction in the slab. From the new cube, the six other values
say what the pattern was. So there are just as many cubes of which three values differ from the other six in the sign of
one slab as there are choices of a uniform cube, a slab and three such values.

The estimates are of `scripts/uniform`, whose estimator gives all 768 cubes of side 4 where nothing is random.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.gtsps.figures import GRIDS
from sudoku_encode.reproduce.open_questions.one_value import N_PATTERNS

Ints = NDArray[np.int64]
# The number of first bands of 9x9 Sudokus.
N_BANDS = 362_880 * 56 * 6**6
# The number of Sudokus, each counted as often as three values are in one row of each box of its first stack;
# tests/placements/test_tied.py adds it up over the classes of Felgenhauer & Jarvis 2006.
N_WITH_ROWS = 92_140_510_772_000_194_560


class Drawn(NamedTuple):
    """What `scripts/uniform` found with seed 1.

    Attributes:
        n_sudokus: how many Sudokus were drawn.
        ways: the mean number of ways to tie two others to one.
        error: its standard error.
    """

    n_sudokus: int
    ways: float
    error: float


# `scripts/uniform all 1 6200`, and `scripts/uniform switchable 1 550`.
ALL, SWITCHABLE = Drawn(6_200, 157_670, 3_690), Drawn(550, 654, 287)


def shifts() -> Ints:
    """Return all shifts of rows and of columns that tie two Sudokus to the first: int64 (m, 3, 6), sigma and then rho.

    The first of the three are zeros.
    """
    one = np.array(list(product(range(3), repeat=6)))
    step = (one[:, None, 3:] - one[:, :3, None]) % 3
    second = np.flatnonzero((step != 0).all(axis=(1, 2)))
    pairs = np.array([(x, y) for x in second for y in second if (step[x] + step[y] == 3).all()])
    return np.concatenate([np.zeros((len(pairs), 1, 6), np.int64), one[pairs]], axis=1)


def shifted_cube(sudoku: Ints, shift: Ints) -> Grids:
    """Return the cube of three Sudokus, in the pattern without a sign of -1.

    Args:
        sudoku: int64 (9, 9), the first one.
        shift: int64 (3, 6): how far the rows of each band and the columns of each stack are shifted, for each of three.
    """
    cube = np.zeros((9, 9, 9), np.uint8)
    a, b, o, c, r, i = np.indices((3,) * 6).reshape(6, -1)
    row, column = (o + shift[a, b]) % 3, (r + shift[a, 3 + c]) % 3
    cube[3 * a + i, 3 * b + (i + row) % 3, 3 * c + (i + column) % 3] = sudoku[3 * b + o, 3 * c + r]
    return cube.ravel()


def in_rows_of_a_stack(sudoku: Ints) -> list[tuple[int, tuple[int, ...]]]:
    """Return the stacks of which three values are in one row of each box, with the values."""
    found = []
    for stack in range(3):
        rows = np.sort(sudoku[:, 3 * stack : 3 * stack + 3], axis=1).reshape(3, 3, 3).tolist()
        common = set(map(tuple, rows[0])) & set(map(tuple, rows[1])) & set(map(tuple, rows[2]))
        found += [(stack, values) for values in sorted(common)]
    return found


def switched(cube: Grids, stack: int, values: tuple[int, ...]) -> Grids:
    """Exchange the second and the third layer of a slab of c, for some values."""
    layers = np.moveaxis(cube.reshape(9, 9, 9).copy(), 2, 0)
    pair = layers[[3 * stack + 1, 3 * stack + 2]]
    layers[[3 * stack + 1, 3 * stack + 2]] = np.where(np.isin(pair, values), 0, pair) + (
        np.where(np.isin(pair[::-1], values), pair[::-1], 0)
    )
    return np.moveaxis(layers, 0, 2).ravel()


def lower_bounds() -> tuple[int, int]:
    """Return how many uniform cubes there are at least, and how many others."""
    n_shifts = len(shifts())
    in_two = N_BANDS * 3**8 * n_shifts
    uniform = N_PATTERNS * (3 * n_shifts * GRIDS - 3 * in_two)
    # The shifts for a keep what is in a row of a stack there, and three stacks and three bands can have it.
    return uniform, N_PATTERNS * n_shifts * 6 * N_WITH_ROWS


def n_wrong(cubes: Iterable[Grids]) -> int:
    """Count the grids that break a rule of the cube."""
    empty = se.Puzzle.of(se.board("9x9x9"))
    return sum(next(iter(se.violations(empty, cube)), None) is not None for cube in cubes)


def uniform_cubes(work: Work) -> Finding:
    """Bound the number of uniform cubes by shifts of one Sudoku, which are made and checked, and cite the estimate."""
    (sudoku,) = se.generate("9x9", blanks=0, seed=0)
    made = {shifted_cube(sudoku.solution.reshape(9, 9).astype(np.int64), shift).tobytes() for shift in shifts()}
    wrong = n_wrong(np.frombuffer(one, np.uint8) for one in made)
    least, _ = lower_bounds()
    estimate, error = (N_PATTERNS * GRIDS * one for one in (ALL.ways, ALL.error))
    return Finding(
        "Jana et al. 2023, section IV; Keck",
        "Cubes are made at random; how many there are is not said.",
        f"Uniform cubes, whose values have one pattern of signs, are at least {least:,}, which is proved, and about"
        f" {estimate:.3g}, give or take {error:.1g} (one standard error).",
        UNCHECKED,
        "A uniform cube is three Sudokus that are tied by their boxes, so the number is 256 times that of 9x9 Sudokus"
        f" times the mean number of ways to tie two others to one: {ALL.ways:,.0f} by a sample of {ALL.n_sudokus:,}"
        f" Sudokus (scripts/uniform). {len(made)} ways are shifts of the first Sudoku itself; those of one were made,"
        f" and {len(made) - wrong} are cubes. To count all ways for one Sudoku would take some ten minutes, and"
        " there are more than 100,000,000,000 kinds of these, so the exact number was not reached. Had the ties"
        " nothing to do with each other, there would be 21 ways.",
        side_by_side(
            ("uniform cubes", "number"),
            ("shifts of one Sudoku, at least", float(f"{least:.6g}")),
            ("estimate", float(f"{estimate:.4g}")),
            ("its standard error", float(f"{error:.2g}")),
            drawn={"uniform cubes": ("number",)},
        ),
    )


def other_cubes(work: Work) -> Finding:
    """Make a cube that is not uniform by an exchange, check it, and say how many come from such exchanges."""
    b, o, c, r = np.indices((3,) * 4).reshape(4, 9, 9)
    # A Sudoku in which each row of a box has three values that follow each other.
    grid = 3 * ((o + c) % 3) + (r + b) % 3 + 1
    stack, values = in_rows_of_a_stack(grid)[0]
    cubes = [switched(shifted_cube(grid, shift), stack, values) for shift in shifts()]
    right = len(cubes) - n_wrong(cubes)
    uniform, least = lower_bounds()
    share = 9 * N_WITH_ROWS * SWITCHABLE.ways / (GRIDS * ALL.ways)
    error = share * float(np.hypot(SWITCHABLE.error / SWITCHABLE.ways, ALL.error / ALL.ways))
    return Finding(
        "Jana et al. 2023, section IV; Keck",
        "Cubes are made at random; how many there are is not said.",
        f"There are at least {uniform + least:,} cubes: {uniform:,} uniform ones and {least:,} others. Those"
        " of the others that differ from a uniform one in three values and one slab are about"
        f" {share:.1e} times as many as the uniform ones, give or take {error:.0e}.",
        UNCHECKED,
        "Where three values lie in the same planes all over a slab, two of its layers can be exchanged for these three"
        f" alone; {right} of {len(cubes)} cubes made so keep all rules. Each uniform cube with such a place makes just"
        " one cube of this kind, and the ways to tie Sudokus with such a place were counted for"
        f" {SWITCHABLE.n_sudokus:,} Sudokus (scripts/uniform); a few have very many, so the error may be larger than it"
        " says. Of cubes whose values differ in more slabs nothing is known.",
        side_by_side(
            ("cubes", "at least", "estimate"),
            ("uniform", float(f"{uniform:.6g}"), float(f"{N_PATTERNS * GRIDS * ALL.ways:.4g}")),
            (
                "three values differ in one slab",
                float(f"{least:.6g}"),
                float(f"{share * N_PATTERNS * GRIDS * ALL.ways:.2g}"),
            ),
            drawn={"cubes": ("at least", "estimate")},
        ),
    )
