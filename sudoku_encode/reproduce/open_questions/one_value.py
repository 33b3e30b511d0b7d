"""In how many ways one value can be placed on the empty 9x9x9 cube, by three computations.

The board has all six rules. Blocks are numbered (a, b, c), and cell (i, j, l) of a block is that of the board at (3 a +
i, 3 b + j, 3 c + l). In a block a value has a cell in each layer of each direction, so its cells are (i, s i + o, t i +
r) modulo 3 with signs s, t of 1 or -1. Blocks side by side make s = e f and t = e g with signs e of a, f of b, g of c,
of which all can be turned round: 256 patterns of signs. With i, j, l multiplied by them all lines are (i, i + o, i +
r), and what is left of the rules is that o over c, r over b and r - o over a have no number twice.
"""

from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side

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
    for one, times in zip(e, number, strict=True):
        vanishes = ((one + z[:, None] - h[None]) % 3 == 0).all(axis=(2, 3, 4))
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
    """Return where each place of a (3,) * n_axes array goes when 1 or 2 is added along each axis: (2**n_axes, places).

    The last row takes back what the first does, and so on.
    """
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
    for at, (b, c) in enumerate(product(range(3), repeat=2)):
        box = np.ix_(ways[:, b], ways[:, c])
        parities += (odd[c, b][box] << at).reshape(parities.shape)
        members += (place[c, b][box] * 3**at).reshape(members.shape)
    tables, which = np.unique(parities, return_inverse=True)
    number = np.bincount(which.ravel() * 3**9 + members.ravel(), minlength=len(tables) * 3**9)
    return dict(zip(tables.tolist(), number.reshape(-1, *(3,) * 9), strict=True))


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
        "Each value has 81 cells of a 9x9x9 cube; in how many ways they can lie is not said.",
        f"One value can be placed on the empty cube in exactly {by_signs:,} ways: {N_PATTERNS} patterns of signs times"
        f" {by_signs // N_PATTERNS:,}, which is {signs:,} times 3 to the power of"
        f" {round(np.log(offsets) / np.log(3))}.",
        SETTLED if agree else UNCHECKED,
        "In a block its cells lie on a line modulo 3. Where in the 27 blocks is said by permutations of three numbers,"
        " and each is affine: offset plus or minus number. So the signs decide whether linear equations modulo 3 can be"
        " solved, and if so they have equally many solutions. The second way joins three layers of blocks by tables;"
        " the third knows no lines and joins slabs of cells.",
        side_by_side(
            ("way to count", "placements"),
            ("signs, and equations modulo 3", by_signs),
            ("layers of blocks, joined", by_layers),
            ("slabs of cells, joined", cells),
            drawn={"placements": ("placements",)},
        ),
    )
