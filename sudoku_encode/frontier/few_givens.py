"""The 9x9 with few givens: its bands joined once for each class of what the first band puts into the stacks.

A band puts a partition of the values into the columns of each stack (`partitions`). Three partitions keep their number
of completions when values are renamed that the other two bands do not give, and when columns are exchanged that have no
given there. So the fillings of the first band are added up by classes: the partition of the first stack is brought to
its least form, then that of the middle stack by the renamings that keep the first one, then that of the last stack.

Source: Felgenhauer & Jarvis 2006, Mathematics of Sudoku I, for the empty board.
Differs: with givens; and the classes are not known in advance.
"""

from collections.abc import Callable, Generator, Iterator
from itertools import permutations, product
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier import band_tables, box_fillings
from sudoku_encode.frontier.box_fillings import SIDE, VALUES
from sudoku_encode.frontier.partitions import ORDERS, Partitions, all_partitions
from sudoku_encode.frontier.problem import BandTable, Classes, Lists, spans
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Intps, Uint16s
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# With more settled cells, `band_tables` takes less time.
MOST_SETTLED = 13
# How many bytes the tables take at most: of fillings, of renamed partitions, and of the classes.
MAX_TABLE_BYTES = 200 * 10**6
# How many steps the kernels do between two calls of `tick`, some milliseconds.
_STEPS_PER_CALL = 2**23
_RENAMED_PER_CALL = 256
# About how many nanoseconds it takes to add a filling of the first band to its class, to copy an entry of a table, and
# to multiply two.
_ADDING, _COPYING, _MULTIPLYING = 6, 2, 0.25


class Stack(NamedTuple):
    """The partitions of columns that three bands may put into a stack."""

    columns: list[Bools]  # (1680,) for each band: those that the givens allow, and that others complete
    completing: Lists  # for each partition, allowed in the first band or not, the pairs of the others that complete it
    orders: list[int]  # the orders of columns, see `ORDERS`, that leave those with givens in the other two bands


class Arrangement(NamedTuple):
    """A board with its bands and stacks (or stacks and bands) in an order; the first band is the one in classes."""

    partitions: Partitions
    kind: str  # bands or stacks
    first: int  # the number of the first band
    givens: Int64s  # (3, 3, 3, 3): by band, stack, row and column: a value from 0, or -1
    stacks: list[Stack]

    @property
    def renamable(self) -> Bools:
        """The values that the other two bands do not give, bool (9,)."""
        return ~np.isin(np.arange(VALUES), self.givens[1:])

    @property
    def given_nowhere(self) -> Bools:
        """The values that no band gives, bool (9,)."""
        return ~np.isin(np.arange(VALUES), self.givens)

    @property
    def steps(self) -> float:
        """About how many nanoseconds counting takes."""
        sizes = [int(stack.columns[0].sum()) for stack in self.stacks]
        means = [
            np.diff(stack.completing.starts)[stack.columns[0]].sum() / max(1, size)
            for stack, size in zip(self.stacks, sizes, strict=True)
        ]
        copied = sum(int(columns.sum()) for columns in self.stacks[2].columns[1:])
        alike, turns = factorial(int(self.renamable.sum())), np.cumprod([len(stack.orders) for stack in self.stacks])
        fillings = prod(sizes) / factorial(int(self.given_nowhere.sum()))
        # Some partitions are their own images, so there are some classes more.
        rows = min(sizes[0] * sizes[1], 4 * sizes[0] * sizes[1] / (alike * turns[1]) + 4)
        classes = min(fillings, prod(sizes) / (alike * turns[2]) + 500)
        return float(
            fillings * _ADDING + means[0] * means[1] * (rows * copied * _COPYING + classes * means[2] * _MULTIPLYING)
        )


def _allowed(partitions: Partitions, box: Int64s, rows: bool = False) -> Bools:
    """Return which partitions the givens of a box, (3, 3), allow as those of its columns, or of its rows."""
    places = np.nonzero(box >= 0)
    allowed: Bools = (partitions.marks[:, box[places]] == places[0 if rows else 1]).all(axis=1)
    return allowed


def _stack(partitions: Partitions, givens: Int64s) -> Stack:
    """Return the partitions of a stack, whose givens are (3, 3, 3) by band, row and column."""
    size = len(partitions.marks)
    first, second, third = (_allowed(partitions, box) for box in givens)
    fits = second[partitions.rests[:, :, 0]] & third[partitions.rests[:, :, 1]]
    items = partitions.rests[fits]
    columns = [first & fits.any(axis=1), *(np.isin(np.arange(size), items[:, band]) for band in range(2))]
    fixed = np.flatnonzero((givens[1:] >= 0).any(axis=(0, 1)))
    orders = [number for number, order in enumerate(ORDERS) if all(order[column] == column for column in fixed)]
    return Stack(columns, _as_lists(items, fits), orders)


def _as_lists(items: Intps | Int32s, fits: Bools) -> Lists:
    """Return items as lists, one for each row of `fits`, which has True for each."""
    return Lists(items.astype(np.int32), np.append(0, np.cumsum(fits.sum(axis=1))))


def arrangements(
    partitions: Partitions, puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None]
) -> Iterator[Arrangement]:
    """Yield the ways to count a puzzle: by bands or stacks, in several orders, by its givens or with settled cells."""
    # More givens leave fewer fillings, but their values can no longer be renamed.
    for marks in [puzzle.candidates, candidates][: 1 + int((puzzle.candidates != candidates).any())]:
        values = np.where(marks.sum(axis=1) == 1, np.argmax(marks, axis=1), -1)
        boxes = values.reshape(SIDE, SIDE, SIDE, SIDE).swapaxes(1, 2)
        for kind, first in product(("bands", "stacks"), range(SIDE)):
            tick()
            turned = np.roll(boxes if kind == "bands" else boxes.transpose(1, 0, 3, 2), -first, axis=0)
            stacks = [_stack(partitions, turned[:, stack]) for stack in range(SIDE)]
            for order in permutations(range(SIDE)):
                givens = np.ascontiguousarray(turned[:, list(order)])
                yield Arrangement(partitions, kind, first, givens, [stacks[stack] for stack in order])


def band_table(arrangement: Arrangement, band: int, tick: Callable[[], None]) -> BandTable:
    """Return how many fillings of a band put each three partitions into the stacks."""
    partitions, givens = arrangement.partitions, arrangement.givens[band]
    first, *others = [stack.columns[band] for stack in arrangement.stacks]
    # Values that are not given in the band may be renamed, which makes each first partition the least one of its type.
    renamed = renamings(partitions, ~np.isin(np.arange(VALUES), givens), tick)
    least = np.diagonal(renamed)
    of_type = np.isin(np.arange(len(least)), least[first])
    types = np.where(first, _places(of_type)[least], -1).astype(np.int16)
    # The renamings keep what the givens allow in the other stacks, but not what other bands complete.
    others = [_allowed(partitions, box) for box in givens[1:]]
    rows, lines, factor = _lines(arrangement, band, np.flatnonzero(of_type))
    boxes = [_crossing(partitions, of_type, rows), *(_crossing(partitions, columns) for columns in others)]
    table = band_tables.filled_table(lines, boxes, [int(columns.sum()) for columns in (of_type, *others)], tick)
    table *= np.uint32(factor)
    places = [np.where(columns, _places(columns), -1).astype(np.int16)[renamed] for columns in others]
    return BandTable(table, types, np.stack(places))


def _places(chosen: Bools) -> Intps:
    """Return for each partition how many of those before it are chosen."""
    return np.cumsum(chosen) - chosen


def _crossing(partitions: Partitions, columns: Bools, rows: Intps | None = None) -> Lists:
    """Return for each of these partitions of rows, or all, the places of those of columns that make a box with it."""
    crossing = partitions.crossing if rows is None else partitions.crossing[rows]
    fits = columns[crossing]
    return _as_lists(_places(columns)[crossing[fits]], fits)


def _lines(arrangement: Arrangement, band: int, columns: Intps) -> tuple[Intps, Lists, int]:
    """Return partitions of rows of the first box, with the pairs that complete each, and for how many each stands."""
    # Only those that make a box with one of these partitions of columns are needed.
    partitions, givens = arrangement.partitions, arrangement.givens[band]
    first, second, third = (_allowed(partitions, box, rows=True) for box in givens)
    # Rows without givens may be exchanged: their least values in the first box ascend.
    free = np.flatnonzero((givens < 0).all(axis=(0, 2)))
    least_values = np.argmax(partitions.marks[:, :, None] == free, axis=1)
    first &= (np.diff(least_values, axis=1) > 0).all(axis=1)
    first &= np.isin(np.arange(len(first)), partitions.crossing[columns])
    rows = np.flatnonzero(first)
    rests = partitions.rests[rows]
    fits = second[rests[:, :, 0]] & third[rests[:, :, 1]]
    triples = np.column_stack([np.nonzero(fits)[0], rests[fits]])
    return rows, _as_lists(triples, fits), factorial(len(free))


def renamings(partitions: Partitions, values: Bools, tick: Callable[[], None]) -> Uint16s:
    """Return for each partition all of them after the renaming that makes it the least one, uint16 (1680, 1680).

    Only `values`, bool (9,), are renamed.
    """
    from sudoku_encode.frontier.few_givens_kernel import rename_all

    size = len(partitions.marks)
    renamed, kinds = np.empty((size, size), np.uint16), np.where(values, VALUES, np.arange(VALUES))
    for start, end in spans(size, _RENAMED_PER_CALL, tick):
        rename_all(partitions.exchanged, kinds, renamed, start, end)
    return renamed


class Member(NamedTuple):
    """A partition that the first band puts into the first stack."""

    partition: int
    factor: int  # for how many it stands: its images when values are renamed that are given nowhere
    turned: int  # the partition with its columns in the order that makes the class


def first_classes(arrangement: Arrangement, renamed: Uint16s) -> dict[int, list[Member]]:
    """Return for each class of partitions of the first stack, named by the least one, its members."""
    partitions, allowed = arrangement.partitions, np.flatnonzero(arrangement.stacks[0].columns[0])
    marks, nowhere = partitions.marks[allowed], arrangement.given_nowhere
    marks[:, nowhere] = np.sort(marks[:, nowhere], axis=1)
    members, factors = np.unique(partitions.numbers(marks), return_counts=True)
    images = partitions.turned[arrangement.stacks[0].orders][:, members]
    least = renamed[images, images]
    choices = np.argmin(least, axis=0)
    classes: dict[int, list[Member]] = {}
    for number, (member, factor) in enumerate(zip(members.tolist(), factors.tolist(), strict=True)):
        choice = choices[number], number
        classes.setdefault(int(least[choice]), []).append(Member(member, factor, int(images[choice])))
    return classes


def fits(puzzle: Puzzle) -> bool:
    """Return whether this is a 9x9 with 3x3 boxes, in which each cell has one candidate or all."""
    return box_fillings.fits(puzzle.geometry) and bool(np.isin(puzzle.candidates.sum(axis=1), (1, VALUES)).all())


def describe(puzzle: Puzzle, candidates: Candidates) -> str:
    """Return a text about how a puzzle that `fits` is counted."""
    return "classes of the values that a band or stack puts into the lines across it, and their completions"


def count(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield a line for each step, and return the number of solutions of a puzzle that `fits`.

    Raises:
        OutOfTableMemory: the tables might pass `max_bytes`.
    """
    from sudoku_encode.frontier.few_givens_kernel import add_band, sum_completions

    if max_bytes < MAX_TABLE_BYTES:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: tables of bands may take {MAX_TABLE_BYTES:,}")
    partitions = all_partitions(tick)
    arrangement = min(arrangements(partitions, puzzle, candidates, tick), key=lambda one: one.steps)
    renamed = renamings(partitions, arrangement.renamable, tick)
    first_stacks = first_classes(arrangement, renamed)
    if not first_stacks:
        return 0
    first, upper, lower = _tables(arrangement, tick)
    pairs, seconds, thirds = (stack.completing for stack in arrangement.stacks)
    orders = _concatenated([stack.orders for stack in arrangement.stacks])
    size = len(partitions.marks)
    classes = Classes(np.zeros(size, np.bool_), np.zeros((size, size), np.uint64), np.empty((size, size), np.uint16))
    total = n_classes = 0
    for partition, members in first_stacks.items():
        kinds = np.where(arrangement.renamable, partitions.marks[partition], SIDE + np.arange(VALUES))
        for member in members:
            tick()
            names = renamed[member.turned]
            add_band(partitions, first, member.partition, names, member.factor, kinds, orders, classes)
        firsts = pairs.items[pairs.starts[partition] : pairs.starts[partition + 1]]
        progress, sums = np.zeros(2, np.int64), np.zeros(3, np.uint64)
        while progress[0] < size:
            tick()
            sum_completions(firsts, seconds, thirds, upper, lower, classes, progress, sums, _STEPS_PER_CALL)
        n_classes += int(progress[1])
        total += sum(digit << 32 * place for place, digit in enumerate(sums.tolist()))
    name = f"{arrangement.kind[:-1]} {arrangement.first + 1}"
    yield f"{n_classes:,} classes of fillings of {name}, each completed by the other {arrangement.kind}"
    return total


def _tables(arrangement: Arrangement, tick: Callable[[], None]) -> list[BandTable]:
    """Return the tables of the three bands; those without givens are made once."""
    tables: dict[bytes, BandTable] = {}
    keys = [band.tobytes() for band in arrangement.givens]
    for band, key in enumerate(keys):
        tables[key] = tables.get(key) or band_table(arrangement, band, tick)
    return [tables[key] for key in keys]


def _concatenated(lists: list[list[int]]) -> Lists:
    """Return lists of numbers, one after the other."""
    return Lists(np.concatenate(lists).astype(np.int32), np.append(0, np.cumsum([len(one) for one in lists])))
