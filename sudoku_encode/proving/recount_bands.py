"""The plain recounter of a 9x9 with few givens, to be read in five minutes. It needs only Python, and no other file.

A band is three rows, a stack is three columns, and a box is where both meet. The columns of a box contain three sets of
values: a partition of the nine values. Partitions of three boxes complete each other if the sets that belong to the
same column share no value: then the columns of the stack are right, however the boxes are filled. So it is enough to
know for each band its table: in how many ways it can be filled with each three partitions in its boxes. The number of
solutions is the sum of products of three such numbers, over all ways in which the bands complete each other in each of
the three stacks.

A partition is a whole number of 27 bits: nine for the left column, nine for the middle one, nine for the right one, and
of each nine the lowest bit for the value 1. So three partitions complete each other if no two of them share a bit.

    python recount_bands.py FOLDER        count again, and compare with each layer of count.json
    python recount_bands.py FOLDER 2      print the second layer: a line with the partitions and the ways of each state

docs/internals/counts.md describes the files.
"""

import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

Values = set[int]
# The states of a layer: partitions in three boxes, with the number of ways.
Table = Mapping[tuple[int, ...], int]

FULL = 2**27 - 1
_THREE = range(3)
_ROWS = [[9 * row + column for column in range(9)] for row in range(9)]
_COLUMNS = [list(column) for column in zip(*_ROWS, strict=True)]
_BOXES = [[9 * (3 * band + row) + 3 * stack + column for row, column in product(_THREE, _THREE)]
          for band, stack in product(_THREE, _THREE)]  # fmt: skip
UNITS = sorted([*_ROWS, *_COLUMNS, *_BOXES])


class BandsError(Exception):
    """The files do not describe a count by bands, or the count is another; the message says where."""


def read_rules(lines: Sequence[str]) -> list[Values]:
    """Return the values that rules.txt allows in each cell.

    Raises:
        BandsError: the board is not a 9x9 with rows, columns and boxes alone.
    """
    head = ["cells 81", "values 9", *(" ".join(["unit", *map(str, unit)]) for unit in UNITS)]
    if list(lines[: len(head)]) != head:
        raise BandsError("rules.txt: not a 9x9 with rows, columns and boxes")
    allowed = [set(range(1, 10)) for _ in range(81)]
    for line in lines[len(head) :]:
        word, cell, *values = line.split(" ")
        if word != "allowed" or int(cell) not in range(81):
            raise BandsError(f"rules.txt: not about the values of a cell: {line[:60]!r}")
        allowed[int(cell)] &= set(map(int, values))
    return allowed


def candidates(allowed: Sequence[Values], lines: str) -> list[Values]:
    """Return the values of each cell; with lines "columns" those of the board with rows and columns exchanged.

    A cell that may hold one value only takes it from the other cells of its units.
    """
    if lines not in ("rows", "columns"):
        raise BandsError(f"count.json: the lines are {lines!r}, not 'rows' or 'columns'")
    cells = [set(values) for values in allowed]
    for unit in UNITS:
        for cell, other in permutations(unit, 2):
            if len(allowed[other]) == 1:
                cells[cell] -= allowed[other]
    return cells if lines == "rows" else [cells[cell] for column in _COLUMNS for cell in column]


def fillings(box: Sequence[Values], values: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the ways to fill the nine cells of a box, row by row, when the first cells have some values."""
    if len(values) == 9:
        yield values
    else:
        for value in box[len(values)].difference(values):
            yield from fillings(box, (*values, value))


def partition(sets: Sequence[Collection[int]]) -> int:
    """Return the number of a partition, from the values in three rows or columns."""
    return sum(1 << 9 * (2 - place) + value - 1 for place, values in enumerate(sets) for value in values)


def completing(first: Collection[int], second: Collection[int], third: Collection[int]) -> list[tuple[int, int, int]]:
    """Return all three partitions, from one collection each, that complete each other."""
    return [(a, b, FULL ^ a ^ b) for a in first for b in second if not a & b and FULL ^ a ^ b in third]


def table(boxes: Sequence[Sequence[Values]]) -> Table:
    """Return in how many ways a band can be filled, for each three partitions of the columns of its boxes."""
    by_rows = []  # for each box, for each partition of its rows, the partitions of columns of its fillings
    for box in boxes:
        columns = defaultdict(list)
        for values in fillings(box):
            columns[partition([values[:3], values[3:6], values[6:]])].append(
                partition([values[0::3], values[1::3], values[2::3]])
            )
        by_rows.append(columns)
    ways = Counter[tuple[int, ...]]()
    for rows in completing(*by_rows):
        ways.update(product(*(columns[own] for columns, own in zip(by_rows, rows, strict=True))))
    return ways


def join(tables: Sequence[Table]) -> Table:
    """Return the number of solutions for each three partitions of the bands that complete each other in the left stack.

    Those without a solution are left out.
    """
    stacks = [completing(*({partitions[stack] for partitions in table} for table in tables)) for stack in _THREE]
    rights = []  # for each band, for each two partitions, the ways by the third one
    for table in tables:
        by_two = defaultdict[tuple[int, ...], dict[int, int]](dict)
        for partitions, ways in table.items():
            by_two[partitions[:2]][partitions[2]] = ways
        rights.append(by_two)
    solutions = Counter[tuple[int, ...]]()
    for lefts, middles in product(*stacks[:2]):
        a, b, c = (by_two.get(two, {}) for by_two, two in zip(rights, zip(lefts, middles, strict=True), strict=True))
        if a and b and c:
            solutions[lefts] += sum(a.get(x, 0) * b.get(y, 0) * c.get(z, 0) for x, y, z in stacks[2])
    return +solutions


def layers(allowed: Sequence[Values], lines: str) -> Iterator[Table]:
    """Yield the tables of the three bands, and their join, whose ways are the solutions."""
    cells = candidates(allowed, lines)
    tables = [table([[cells[cell] for cell in _BOXES[3 * band + stack]] for stack in _THREE]) for band in _THREE]
    yield from tables
    yield join(tables)


def summary(table: Table) -> list[Any]:
    """Return the summary of a layer in count.json: the number of states, that of ways, and a SHA-256 of both."""
    ways = sum(table.values())
    digits, digest = max(1, (ways.bit_length() + 7) // 8), hashlib.sha256()
    for partitions in sorted(table):
        digest.update(
            b"".join(own.to_bytes(4, "big") for own in partitions) + table[partitions].to_bytes(digits, "big")
        )
    return [len(table), ways, digest.hexdigest()]


def read(folder: Path) -> tuple[list[Values], dict[str, Any]]:
    """Return the values that are allowed in each cell, and the whole of count.json."""
    allowed = read_rules((folder / "rules.txt").read_text("ascii").splitlines())
    count = json.loads((folder / "count.json").read_text("ascii"))
    if count["kind"] != "bands":
        raise BandsError(f"count.json: the kind is {count['kind']!r}, and this program recounts bands")
    return allowed, count


def recount(folder: Path) -> int:
    """Return the number of solutions, if each layer is as count.json says.

    Raises:
        BandsError: a layer is not.
    """
    allowed, count = read(folder)
    recounted = [summary(layer) for layer in layers(allowed, count["lines"])]
    for number, (claimed, own) in enumerate(zip(count["layers"], recounted, strict=True), start=1):
        if claimed != own:
            raise BandsError(f"count.json: layer {number} differs from {own}")
    n_solutions: int = recounted[-1][1]
    if count["solutions"] != n_solutions:
        raise BandsError(f"count.json: {n_solutions} solutions, not as it says")
    return n_solutions


if __name__ == "__main__":
    given = Path(sys.argv[1])
    if len(sys.argv) > 2:
        allowed, count = read(given)
        layer = list(layers(allowed, count["lines"]))[int(sys.argv[2]) - 1]
        print("layer", sys.argv[2])
        for partitions in sorted(layer):
            print(*partitions, layer[partitions])
    else:
        print("RECOUNTED:", recount(given), "solutions")
