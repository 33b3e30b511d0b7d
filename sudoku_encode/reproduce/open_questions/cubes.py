"""9x9x9 cubes: the placements of one value, the number of cubes (bounds and estimates), and powers of two.

**One value.** Its placements on the empty cube are counted in three ways. The board has all six rules. Blocks are
numbered (a, b, c), and cell (i, j, l) of a block is that of the board at (3 a + i, 3 b + j, 3 c + l). In a block a
value has a cell in each layer of each direction, so its cells are (i, s i + o, t i + r) modulo 3 with signs s, t of 1
or -1. Blocks side by side make s = e f and t = e g with signs e of a, f of b, g of c, of which all can be turned round:
256 patterns of signs. With i, j, l multiplied by them all lines are (i, i + o, i + r), and the rest of the rules is
that o over c, r over b and r - o over a have no number twice.

**Uniform cubes.** A cube is *uniform* if its values have one pattern of signs, one of 256. It is then three
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

The estimates are from `scripts/uniform`, whose estimator gives all 768 cubes of side 4 where nothing is random.
"""

import csv
from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.gtsps.figures import GRIDS
from sudoku_encode.reproduce.puzzles import Grids

# One value.

N_PATTERNS = 256
Ints = NDArray[np.int64]
_POWERS = 3 ** np.arange(9)


def sign_triples() -> int:
    """Count the signs that o, r and r - o can have, as functions of c, b and a.

    A permutation of the numbers modulo 3 is x + sign * c. So

        o(a, b, c) = x(a, b) + eps(a, b) c,    r(a, b, c) = y(a, c) + eta(a, c) b,    r - o = z(b, c) + zeta(b, c) a,

    and z(b, c) + zeta(b, c) a = y(a, c) + eta(a, c) b - x(a, b) - eps(a, b) c for all a, b, c. Functions of two of the
    three numbers can make up for eps(a, b) c + zeta(b, c) a - eta(a, c) b if and only if its mixed difference over a, b
    and c, against 0 in each, vanishes for all a, b, c from 1 to 2:

        E(a, b) c + Z(b, c) a - H(a, c) b = 0,

    where E(a, b) = eps(a, b) - eps(a, 0) - eps(0, b) + eps(0, 0), and Z and H likewise.
    """
    signs = np.array(list(product((1, 2), repeat=9))).reshape(-1, 3, 3)
    mixed = (signs - signs[:, :1] - signs[:, :, :1] + signs[:, :1, :1])[:, 1:, 1:] % 3
    differences, number = np.unique(mixed.reshape(-1, 4), axis=0, return_counts=True)
    table, to = differences.reshape(-1, 2, 2), np.arange(1, 3)
    e, h, z = (np.einsum(f"n{axes},{axis}->nabc", table, to) for axes, axis in (("ab", "c"), ("ac", "b"), ("bc", "a")))
    total = 0
    for e_of, times in zip(e, number, strict=True):
        vanishes = ((e_of + z[:, None] - h[None]) % 3 == 0).all(axis=(2, 3, 4))
        total += int(times) * int(number @ vanishes @ number)
    return total


def n_offsets() -> int:
    """Count the x, y and z that add nothing: z(b, c) = y(a, c) - x(a, b) for all a, b, c.

    They are x(a, b) = v(b) - u(a), y(a, c) = w(c) - u(a), z(b, c) = w(c) - v(b), and nothing changes where u, v and w
    grow alike. Here the equations are solved instead: 27 of them modulo 3, with 27 unknowns.
    """
    rows = np.zeros((27, 27), np.int64)
    for row, (a, b, c) in zip(rows, product(range(3), repeat=3), strict=True):
        row[[3 * a + b, 9 + 3 * a + c, 18 + 3 * b + c]] = 1, -1, 1
    rank = 0
    for column in range(27):
        pivots = np.flatnonzero(rows[rank:, column] % 3) + rank
        if len(pivots):
            rows[[rank, pivots[0]]] = rows[[pivots[0], rank]]
            rows[rank] = rows[rank] * rows[rank, column] % 3
            rows[rank + 1 :] = (rows[rank + 1 :] - rows[rank + 1 :, column, None] * rows[rank]) % 3
            rank += 1
    return int(3 ** (27 - rank))


def layer_codes() -> Ints:
    """Count the ways to place a value in the blocks of one a: int64 (3,) * 9, by the numbers r - o of the blocks."""
    orders = np.array(list(permutations(range(3))))
    rows = orders[np.array(list(product(range(6), repeat=3)))]
    o, r = rows.reshape(-1, 1, 9), rows.transpose(0, 2, 1).reshape(1, -1, 9)
    return np.bincount(((r - o) % 3 @ _POWERS).ravel(), minlength=3**9).reshape((3,) * 9)


def triples(table: Ints) -> int:
    """Sum the products of three entries of a table whose places differ along every axis, in any order."""
    flat, total = table.reshape(3**4, 3**5), 0
    heads, tails = _moved(4), _moved(5)
    for head, head_back in zip(heads, heads[::-1], strict=True):
        second, third = flat[head], flat[head_back]
        for tail, tail_back in zip(tails, tails[::-1], strict=True):
            total += int((flat * second[:, tail] * third[:, tail_back]).sum())
    return total


def _moved(n_axes: int) -> Ints:
    """Return the places of a (3,) * n_axes array after 1 or 2 is added along each axis, int64 (2**n_axes, places)."""
    # The last row undoes the first, and so on.
    places = np.indices((3,) * n_axes).reshape(n_axes, -1)
    steps = np.array(list(product((1, 2), repeat=n_axes)))
    moved: Ints = 3 ** np.arange(n_axes)[::-1] @ ((places + steps[:, :, None]) % 3)
    return moved


def slab_tables() -> dict[int, Ints]:
    """Return which cells of three layers of the board a value can take, seen along x, and in how many ways.

    Nothing is known here but the units of the board. In a layer, the value has a cell in each row, column and box:
    46,656 ways. Seen from the rows of a layer, a way says in which band of z each of 9 rows along z has its cell; seen
    from its columns, in which band of y; and these two say all. In three layers that make a slab the bands are
    different ones, for each row and column, which is what the boxes across the layers ask for. So a way for the first
    layer is followed by one of 2**6 for the second, and the third takes what is left.

    Returns:
        For each of nine boxes of rows along x, whether the permutation that the three cells make there is odd, a bit
        each; and the numbers of ways, int64 (3,) * 9, by which of the three permutations of that parity it is.
    """
    orders = np.array(list(permutations(range(3))))
    # In the box of bands (b, c) a layer has one cell: at the row of b that goes to c, and the column of c from b.
    places = np.array([[np.argsort((orders + turn * layer) % 3, axis=1) for layer in range(3)] for turn in (1, 2)])
    places = places.transpose(0, 2, 1, 3).reshape(12, 3, 3)
    # Its kind: the permutation that the cells of three layers make; int64 (3, 3, 12, 12), for c and b, by the ways of
    # the band of rows and of that of columns.
    rows, columns = places.transpose(2, 0, 1)[:, None, :, None], places.transpose(2, 0, 1)[None, :, None]
    kinds = (columns * 3 ** (2 - rows)).sum(axis=-1)
    # Even permutations and odd ones: how much a column grows from one row to the next is 1 or 2.
    odd = (kinds // 3 - kinds) % 3 == 1
    place = kinds // 9
    parities, members = np.zeros((46_656, 64), np.int64), np.zeros((46_656, 64), np.int64)
    ways = np.array(list(product(range(12), repeat=3)))
    for number, (b, c) in enumerate(product(range(3), repeat=2)):
        box = np.ix_(ways[:, b], ways[:, c])
        parities += (odd[c, b][box] << number).reshape(parities.shape)
        members += (place[c, b][box] * 3**number).reshape(members.shape)
    tables, which = np.unique(parities, return_inverse=True)
    counts = np.bincount(which.ravel() * 3**9 + members.ravel(), minlength=len(tables) * 3**9)
    return dict(zip(tables.tolist(), counts.reshape(-1, *(3,) * 9), strict=True))


@cache
def by_cells() -> tuple[int, int]:
    """Return how many ways there are by `slab_tables`, and how many sums that took: equal tables have equal sums."""
    sums: dict[bytes, int] = {}
    total = 0
    for table in slab_tables().values():
        if (key := table.tobytes()) not in sums:
            sums[key] = triples(table)
        total += sums[key]
    return total, len(sums)


def placements_of_a_value(work: Work) -> Finding:
    """Count the placements of one value three times."""
    signs, offsets = sign_triples(), n_offsets()
    by_layers, (cells, _) = N_PATTERNS * triples(layer_codes()), by_cells()
    by_signs = N_PATTERNS * signs * offsets
    agree = by_signs == by_layers == cells
    return Finding(
        "Jana et al. 2023, section II; Keck",
        "Each value has 81 cells of a 9x9x9 cube; the number of ways to place them is not given.",
        f"One value can be placed on the empty cube in exactly {by_signs:,} ways: {N_PATTERNS} patterns of signs times"
        f" {by_signs // N_PATTERNS:,}, which is {signs:,} times 3 to the power of"
        f" {round(np.log(offsets) / np.log(3))}.",
        SETTLED if agree else UNCHECKED,
        "In a block the cells of a value lie on a line modulo 3. Where they lie in the 27 blocks is given by "
        "permutations of three numbers, and each of these is affine: offset plus or minus number. So the signs "
        "decide whether linear equations modulo 3 can be solved, and if so they have equally many solutions. The "
        "second way joins three layers of blocks by tables; the third uses no lines and joins slabs of cells.",
        side_by_side(
            ("way to count", "placements"),
            ("signs, and equations modulo 3", by_signs),
            ("layers of blocks, joined", by_layers),
            ("slabs of cells, joined", cells),
            drawn={"placements": ("placements",)},
        ),
    )


# The number of first bands of 9x9 Sudokus.
N_BANDS = 362_880 * 56 * 6**6
# The number of Sudokus, each counted as often as three values are in one row of each box of its first stack;
# tests/placements/test_tied.py adds it up over the classes of Felgenhauer & Jarvis 2006.
N_WITH_ROWS = 92_140_510_772_000_194_560


class SampleOfSudokus(NamedTuple):
    """The result of `scripts/uniform` with seed 1."""

    n_sudokus: int  # the number of Sudokus in the sample
    ways: float  # the mean number of ways to tie two others to one
    error: float  # its standard error


# `scripts/uniform all 1 6200`, and `scripts/uniform switchable 1 550`.
ALL, SWITCHABLE = SampleOfSudokus(6_200, 157_670, 3_690), SampleOfSudokus(550, 654, 287)


def shifts() -> Ints:
    """Return all shifts of rows and of columns that tie two Sudokus to the first: int64 (m, 3, 6), sigma and then rho.

    The first of the three are zeros.
    """
    vectors = np.array(list(product(range(3), repeat=6)))
    step = (vectors[:, None, 3:] - vectors[:, :3, None]) % 3
    second = np.flatnonzero((step != 0).all(axis=(1, 2)))
    pairs = np.array([(x, y) for x in second for y in second if (step[x] + step[y] == 3).all()])
    return np.concatenate([np.zeros((len(pairs), 1, 6), np.int64), vectors[pairs]], axis=1)


def shifted_cube(sudoku: Ints, shift: Ints) -> Grids:
    """Return the cube of three Sudokus, from the first one, int64 (9, 9), in the pattern without a sign of -1.

    `shift`, int64 (3, 6), is how far the rows of each band and the columns of each stack are shifted, for each of
    three.
    """
    cube = np.zeros((9, 9, 9), np.uint8)
    a, b, o, c, r, i = np.indices((3,) * 6).reshape(6, -1)
    row, column = (o + shift[a, b]) % 3, (r + shift[a, 3 + c]) % 3
    cube[3 * a + i, 3 * b + (i + row) % 3, 3 * c + (i + column) % 3] = sudoku[3 * b + o, 3 * c + r]
    return cube.ravel()


def triples_of_stacks(sudoku: Ints) -> list[tuple[int, tuple[int, ...]]]:
    """Return the stacks of which three values are in one row of each box, with the values."""
    matches = []
    for stack in range(3):
        rows = np.sort(sudoku[:, 3 * stack : 3 * stack + 3], axis=1).reshape(3, 3, 3).tolist()
        common = set(map(tuple, rows[0])) & set(map(tuple, rows[1])) & set(map(tuple, rows[2]))
        matches += [(stack, values) for values in sorted(common)]
    return matches


def exchange_layers(cube: Grids, stack: int, values: tuple[int, ...]) -> Grids:
    """Exchange the second and the third layer of a slab of c, for some values."""
    layers = np.moveaxis(cube.reshape(9, 9, 9).copy(), 2, 0)
    pair = layers[[3 * stack + 1, 3 * stack + 2]]
    layers[[3 * stack + 1, 3 * stack + 2]] = np.where(np.isin(pair, values), 0, pair) + (
        np.where(np.isin(pair[::-1], values), pair[::-1], 0)
    )
    return np.moveaxis(layers, 0, 2).ravel()


def lower_bounds() -> tuple[int, int]:
    """Return lower bounds for the number of uniform cubes and of other cubes."""
    n_shifts = len(shifts())
    in_two = N_BANDS * 3**8 * n_shifts
    uniform = N_PATTERNS * (3 * n_shifts * GRIDS - 3 * in_two)
    # The shifts for a keep the three values in a row of a stack, and each of three stacks and three bands can have
    # them.
    return uniform, N_PATTERNS * n_shifts * 6 * N_WITH_ROWS


def n_wrong(cubes: Iterable[Grids]) -> int:
    """Count the grids that break a rule of the cube."""
    empty = se.Puzzle.of(se.board("9x9x9"))
    return sum(next(iter(se.violations(empty, cube)), None) is not None for cube in cubes)


def uniform_cubes(work: Work) -> Finding:
    """Bound the number of uniform cubes by shifts of one Sudoku, which are made and checked, and cite the estimate."""
    (sudoku,) = se.generate("9x9", blanks=0, seed=0)
    cubes_made = {shifted_cube(sudoku.solution.reshape(9, 9).astype(np.int64), shift).tobytes() for shift in shifts()}
    wrong = n_wrong(np.frombuffer(one, np.uint8) for one in cubes_made)
    least, _ = lower_bounds()
    estimate, error = (N_PATTERNS * GRIDS * one for one in (ALL.ways, ALL.error))
    return Finding(
        "Jana et al. 2023, section IV; Keck",
        "Cubes are made at random; their number is not given.",
        f"There are at least {least:,} uniform cubes, whose values have one pattern of signs, which is proved, and "
        f"about {estimate:.3g}, give or take {error:.1g} (one standard error).",
        UNCHECKED,
        "A uniform cube is three Sudokus that are tied by their boxes, so the number is 256 times that of 9x9 "
        f"Sudokus times the mean number of ways to tie two others to one: {ALL.ways:,.0f} by a sample of "
        f"{ALL.n_sudokus:,} Sudokus (scripts/uniform). {len(cubes_made)} ways are shifts of the first Sudoku itself; "
        f"those of one Sudoku were made, and {len(cubes_made) - wrong} are cubes. Counting all ways for one Sudoku "
        "would take about ten minutes, and there are more than 100,000,000,000 kinds of Sudokus, so we do not have "
        "the exact number. If the ties were independent, there would be 21 ways.",
        side_by_side(
            ("uniform cubes", "number"),
            ("shifts of one Sudoku, at least", least),
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
    stack, values = triples_of_stacks(grid)[0]
    cubes = [exchange_layers(shifted_cube(grid, shift), stack, values) for shift in shifts()]
    right = len(cubes) - n_wrong(cubes)
    uniform, least = lower_bounds()
    share = 9 * N_WITH_ROWS * SWITCHABLE.ways / (GRIDS * ALL.ways)
    error = share * float(np.hypot(SWITCHABLE.error / SWITCHABLE.ways, ALL.error / ALL.ways))
    return Finding(
        "Jana et al. 2023, section IV; Keck",
        "Cubes are made at random; their number is not given.",
        f"There are at least {uniform + least:,} cubes: {uniform:,} uniform ones and {least:,} others. The others "
        f"that differ from a uniform one in three values and one slab are about {share:.1e} times as many as the "
        f"uniform ones, give or take {error:.0e}.",
        UNCHECKED,
        "If three values lie in the same planes throughout a slab, two of its layers can be exchanged for these "
        f"three alone; {right} of {len(cubes)} cubes made in this way keep all rules. Each uniform cube with such a "
        "place makes exactly one cube of this kind. The ways to tie Sudokus with such a place were counted for "
        f"{SWITCHABLE.n_sudokus:,} Sudokus (scripts/uniform); a few have very many, so the error may be larger than "
        "given. Nothing is known of cubes whose values differ in more slabs.",
        side_by_side(
            ("cubes", "at least", "estimate"),
            ("uniform", uniform, float(f"{N_PATTERNS * GRIDS * ALL.ways:.4g}")),
            (
                "three values differ in one slab",
                least,
                float(f"{share * N_PATTERNS * GRIDS * ALL.ways:.2g}"),
            ),
            drawn={"cubes": ("at least", "estimate")},
        ),
    )


# Powers of two: why so many cubes of Jana et al. have 2, 4, 8, ... solutions.

# The rules that the paper's own example follows.
FOUR = ("row-z", "box-xy", "box-xz", "box-yz")
# The cells in which the two solutions of Table 3 differ, as the paper writes them.
TABLE_3 = ("050", "051", "052", "130", "131", "132")
# Numbers of exchanges to leave open together.
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
    sets = np.sort(grid[lines], axis=2)
    return [
        (cube, (*lines[cube, one].tolist(), *lines[cube, other].tolist()))
        for cube in range(27)
        for one, other in combinations(range(9), 2)
        if np.array_equal(sets[cube, one], sets[cube, other])
    ]


def without(grid: Grids, cells: NDArray[np.intp], rules: tuple[str, ...] | None) -> int:
    """Count the solutions of a full cube with some cells blanked, up to 10,000."""
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
        (generated,) = se.generate("9x9x9", rules=FOUR, blanks=0, seed=seed)
        grids[f"ours, seed {seed}"] = generated.solution
    rows, as_said = [], True
    for name, grid in grids.items():
        pairs = exchanges(grid)
        one_each = list(dict(reversed(pairs)).values())
        counts = [without(grid, np.array(one_each[:k]).ravel(), FOUR) for k in OPEN]
        as_said &= counts == [2**k for k in OPEN]
        rows.append((name, len(pairs), len(one_each), ", ".join(map(str, counts))))
    six = {without(table_1.givens, np.array(cells), None) for _, cells in exchanges(table_1.givens)}
    return Finding(
        "Jana et al. 2023, Tables 5 to 7",
        f"The cubes have 1 to 768 solutions; {len(many)} of {len(printed_counts())} have several, and {powers} of "
        "these numbers are powers of two. The paper does not say why.",
        f"Under the four rules of the paper's own example, two lines of three cells along z in one mini-cube that hold"
        f" the same three values can be exchanged: Table 1 has {rows[0][1]} such pairs. Left blank, k of them in"
        f" different mini-cubes give 2^k solutions {'each time' if as_said else 'not each time'}"
        f" (k = {', '.join(map(str, OPEN))}).",
        SETTLED if as_said and is_one else UNCHECKED,
        "The exchange changes the set of values of no minigrid and no z-row, so one of the six cells must be given. "
        f"The two solutions of Table 3 differ in such an exchange: {', '.join(TABLE_3)}. Under all six rules each of "
        f"the pairs of Table 1 leaves {' or '.join(map(str, sorted(six)))} solution, since rows along x or y break. "
        "The puzzles are not published, so this shows where powers of two come from, not that each of theirs does.",
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
    sets = np.sort(grid[lines], axis=2)
    triples = [
        lines[cube, list(three)].ravel()
        for cube in range(27)
        for three in combinations(range(9), 3)
        if (sets[cube, list(three)] == sets[cube, three[0]]).all()
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
        "768 is 12 * 2^6 and 720 is 12 * 60; 3, 6 and 15 need less regular cells, about which we settle nothing.",
    )
