"""The data structures of Wadud & Abdullah-Al-Wadud, written out from the paper.

Plain and slow; it shares no code with `papers.hbpnp`. What is read is counted, so that costs need no clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

Rows = list[list[int]]
NUMBERS = range(1, 10)


@dataclass
class Looks:
    """What was read: cells of the puzzle and entries of tables, and the most cells that one step read."""

    cells: int = 0
    entries: int = 0
    longest: int = 0


def sub_grid(r: int, c: int) -> int:
    """Number the sub-grids; Algorithm 2 takes the number as its argument s, and the paper does not give the formula."""
    return r // 3 * 3 + c // 3


def cells_of(r: int, c: int) -> tuple[list[tuple[int, int]], ...]:
    """Return the cells of the row, the column and the sub-grid of a cell, itself among them."""
    top, left = r - r % 3, c - c % 3
    box = [(x, y) for x in range(top, top + 3) for y in range(left, left + 3)]
    return [(r, y) for y in range(9)], [(x, c) for x in range(9)], box


def check_violation_1(grid: Rows, a: int, r: int, c: int, looks: Looks) -> int:
    """Algorithm 1: return which of the steps 1, 3 and 5 (row, column, sub-grid) finds a, or 0 for step 7."""
    for step, cells in zip((1, 3, 5), cells_of(r, c), strict=True):
        for number, (x, y) in enumerate(cells, start=1):
            looks.cells += 1
            looks.longest = max(looks.longest, number)
            if grid[x][y] == a:
                return step
    return 0


@dataclass
class Tables:
    """The arrays Row, Col and SGrid of Algorithm 2, with flags 0 and 1 as printed."""

    row: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])
    col: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])
    s_grid: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])

    @staticmethod
    def of(grid: Rows) -> "Tables":
        """Return the tables of a grid."""
        tables = Tables()
        for r, c in product(range(9), repeat=2):
            tables.mark(grid[r][c], r, c, 1)
        return tables

    def mark(self, a: int, r: int, c: int, flag: int) -> None:
        """Note that a number is put on a cell, or taken away."""
        self.row[r][a] = self.col[c][a] = self.s_grid[sub_grid(r, c)][a] = flag


def check_violation_2(tables: Tables, a: int, r: int, c: int, s: int, looks: Looks) -> int:
    """Algorithm 2: return which of the steps 1, 3 and 5 says true, or 0 for step 7."""
    looks.entries += 1
    if tables.row[r][a] == 1:
        return 1
    looks.entries += 1
    if tables.col[c][a] == 1:
        return 3
    looks.entries += 1
    return 5 if tables.s_grid[s][a] == 1 else 0


def candidate_list(grid: Rows, r: int, c: int, looks: Looks) -> set[int]:
    """Build the list of an empty cell: start with all numbers, delete those in the row, the column and the sub-grid."""
    left = set(NUMBERS)
    for cells in cells_of(r, c):
        for x, y in cells:
            looks.cells += 1
            left.discard(grid[x][y])
    return left


def all_lists(grid: Rows, looks: Looks) -> dict[tuple[int, int], set[int]]:
    """Build the lists of all empty cells."""
    blanks = [(r, c) for r, c in product(range(9), repeat=2) if grid[r][c] == 0]
    return {cell: candidate_list(grid, *cell, looks) for cell in blanks}


def update(lists: dict[tuple[int, int], set[int]], a: int, r: int, c: int, looks: Looks) -> None:
    """Bring the lists up to date when a number was put on a cell."""
    lists.pop((r, c))
    for cells in cells_of(r, c):
        for cell in cells:
            looks.entries += 1
            if cell in lists:
                lists[cell].discard(a)


def units() -> Iterator[list[tuple[int, int]]]:
    """Yield the cells of every row, column and sub-grid."""
    for at in range(9):
        yield cells_of(at, at)[0]
        yield cells_of(at, at)[1]
        yield cells_of(at // 3 * 3, at % 3 * 3)[2]


def singles(lists: dict[tuple[int, int], set[int]]) -> Iterator[tuple[str, tuple[int, int], int]]:
    """Yield each lone single and each hidden single, the cell and the number, as section 1 defines them."""
    for cell, left in lists.items():
        if len(left) == 1:
            yield "lone single", cell, min(left)
    for unit in units():
        for number in NUMBERS:
            places = [cell for cell in unit if number in lists.get(cell, ())]
            if len(places) == 1:
                yield "hidden single", places[0], number


def crossed_out(lists: dict[tuple[int, int], set[int]]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield what lone pairs take from other cells of their unit."""
    for unit in units():
        blanks = [cell for cell in unit if cell in lists]
        for at, one in enumerate(blanks):
            for other in blanks[at + 1 :]:
                if len(lists[one]) == 2 and lists[one] == lists[other]:
                    rest = (cell for cell in blanks if cell not in (one, other))
                    yield from ((cell, number) for cell in rest for number in lists[one] & lists[cell])


def random_grids(number: int) -> Iterator[Rows]:
    """Yield grids of random numbers and blanks, which may well break rules."""
    chance = np.random.default_rng(1)
    for _ in range(number):
        filled = chance.random((9, 9)) < chance.random()
        grid: Rows = np.where(filled, chance.integers(1, 10, (9, 9)), 0).tolist()
        yield grid
