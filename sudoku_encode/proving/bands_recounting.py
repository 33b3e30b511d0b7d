"""Recount a 9x9 by bands with compiled loops: the same layers as `recount_bands`, which says plainly what is done."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.errors import OUT_OF_MEMORY, StoppedError, StopReason
from sudoku_encode.proving.recount_bands import FULL, Table, Values, candidates, summary
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint16s, Uint32s

# How many bytes the record of a state takes at most.
_RECORD_BYTES = 18
# How many products are summed between two calls of `tick`.
_PRODUCTS_PER_CALL = 1 << 26
# About how many nanoseconds it takes to multiply three entries, to spread one, and to add one of a sheet.
_MULTIPLYING, _SPREADING, _ADDING = 0.2, 0.6, 0.1


@dataclass(frozen=True, eq=False)
class Box:
    """The fillings of a box."""

    rows: Uint32s  # the partitions of its rows, ascending
    columns: Uint32s  # those of its columns, ascending
    starts: Int64s  # for each partition of rows, where its fillings start
    of_rows: Int32s  # for each filling, by the partitions of rows, the place of its partition of columns


class Work(NamedTuple):
    """How much it takes to count by bands."""

    n_bytes: int
    nanoseconds: float


@dataclass(frozen=True, eq=False)
class Bands:
    """A board in boxes, and how their columns complete each other."""

    boxes: list[list[Box]]  # by band and stack
    triples: list[Int32s]  # for each stack, (triples, 3): the places of partitions that complete each other

    @property
    def n_products(self) -> int:
        """The number of products that the join sums."""
        return prod(map(len, self.triples))

    @property
    def work(self) -> Work:
        """How much memory and time it takes to count."""
        sizes = np.array([[len(box.columns) for box in band] for band in self.boxes])
        entries, spread = sizes.prod(axis=1), int(sizes[:, 1].sum()) * len(self.triples[2])
        adding = sum(
            len(band[0].of_rows) * int(size[1] * size[2]) for band, size in zip(self.boxes, sizes, strict=True)
        )
        return Work(
            2 * int(entries.sum() + spread) + (2 + _RECORD_BYTES) * int((sizes[:, 1] * sizes[:, 2]).max()),
            self.n_products * _MULTIPLYING + len(self.triples[0]) * spread * _SPREADING + adding * _ADDING,
        )


def bands(allowed: Sequence[Values], lines: str) -> Bands:
    """Return a board in boxes. Raises as `recount_bands.candidates`."""
    cells = np.array([sum(1 << value - 1 for value in values) for values in candidates(allowed, lines)], np.uint32)
    boxes = [[_box(box) for box in band] for band in cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(3, 3, 9)]
    return Bands(boxes, [completing(*(band[stack].columns for band in boxes)) for stack in range(3)])


def _box(cells: Uint32s) -> Box:
    """Return the fillings of a box, whose cells have these values, a bit each."""
    used = rows = columns = np.zeros(1, np.uint32)
    for cell, values in enumerate(cells):
        filling, value = np.nonzero((values & ~used)[:, None] >> np.arange(9, dtype=np.uint32) & 1)
        bits = np.uint32(1) << value.astype(np.uint32)
        used = used[filling] | bits
        rows = rows[filling] | bits << np.uint32(9 * (2 - cell // 3))
        columns = columns[filling] | bits << np.uint32(9 * (2 - cell % 3))
    order = np.argsort(rows, kind="stable")
    by_rows, starts = np.unique(rows[order], return_index=True)
    by_columns, of_rows = np.unique(columns[order], return_inverse=True)
    return Box(by_rows, by_columns, np.append(starts, len(rows)), of_rows.astype(np.int32))


def completing(first: Uint32s, second: Uint32s, third: Uint32s) -> Int32s:
    """Return the places of three partitions, one of each list, that complete each other, (triples, 3), ascending."""
    a, b = np.nonzero((first[:, None] & second) == 0)
    lacking = FULL ^ first[a] ^ second[b]
    place = np.searchsorted(third, lacking)
    fits = np.append(third, np.uint32(0))[place] == lacking
    triples: Int32s = np.stack([a, b, place], axis=1)[fits].astype(np.int32)
    return triples


def layers(given: Bands, tick: Callable[[], None], max_bytes: int) -> Iterator[list[Any]]:
    """Yield the summaries of the tables of the three bands, and of their join.

    Raises:
        StoppedError: the tables take more than `max_bytes`.
    """
    if given.work.n_bytes > max_bytes:
        raise StoppedError(StopReason(f"more than {max_bytes:,} bytes in tables of bands", OUT_OF_MEMORY.status))
    tables = []
    for boxes in given.boxes:
        tables.append(_table(boxes, tick))
        yield _summary(boxes, tables[-1], tick)
    yield summary(_join(given, tables, tick))


def states(given: Bands, layer: int) -> dict[tuple[int, ...], int]:
    """Return the partitions of a layer, a number from 1, with their ways."""

    def never() -> None:
        """Do not stop."""

    if layer > len(given.boxes):
        return dict(_join(given, [_table(boxes, never) for boxes in given.boxes], never))
    boxes = given.boxes[layer - 1]
    table = _table(boxes, never)
    places = np.nonzero(table)
    partitions = (box.columns[place].tolist() for box, place in zip(boxes, places, strict=True))
    return dict(zip(zip(*partitions, strict=True), table[places].tolist(), strict=True))


def _table(boxes: Sequence[Box], tick: Callable[[], None]) -> Uint16s:
    """Return in how many ways a band can be filled, for each three partitions of the columns of its boxes."""
    from sudoku_encode.proving.recount_bands_kernel import add_fillings

    first, second, third = boxes
    # 16 bits are enough. A partition of columns leaves 6^3 orders of the values in them; when two boxes are full, the
    # rows of the third one are known, and with its columns all its cells: so there are 6^6 ways at most.
    table = np.zeros([len(box.columns) for box in boxes], np.uint16)
    sheet = np.empty(table.shape[1:], np.uint16)
    triples = completing(first.rows, second.rows, third.rows)
    starts = np.searchsorted(triples[:, 0], np.arange(len(first.rows) + 1))
    for rows in np.unique(triples[:, 0]):
        tick()
        add_fillings(
            triples[starts[rows] : starts[rows + 1]],
            first.of_rows[first.starts[rows] : first.starts[rows + 1]],
            second.of_rows,
            second.starts,
            third.of_rows,
            third.starts,
            sheet,
            table,
        )
    return table


def _summary(boxes: Sequence[Box], table: Uint16s, tick: Callable[[], None]) -> list[Any]:
    """Return the summary of the table of a band."""
    from sudoku_encode.proving.recount_bands_kernel import write_records

    n_entries, ways = int(np.count_nonzero(table)), int(table.sum(dtype=np.uint64))
    digits, digest = max(1, (ways.bit_length() + 7) // 8), hashlib.sha256()
    first, second, third = (box.columns.astype(">u4").view(np.uint8).reshape(-1, 4) for box in boxes)
    records = np.empty((table[0].size if len(table) else 0, 12 + digits), np.uint8)
    for own, sheet in zip(first, table, strict=True):
        tick()
        records[:, :4] = own
        digest.update(records.data[: write_records(sheet, second, third, records)])
    return [n_entries, ways, digest.hexdigest()]


def _join(given: Bands, tables: Sequence[Uint16s], tick: Callable[[], None]) -> Table:
    """Return the number of solutions for each three partitions that complete each other in the left stack."""
    from sudoku_encode.proving.recount_bands_kernel import spread, sum_products

    lefts, middles, rights = given.triples
    rows = [np.empty((table.shape[1], len(rights)), np.uint16) for table in tables]
    is_filled = [np.empty(table.shape[1], np.bool_) for table in tables]
    places = [np.ascontiguousarray(column) for column in rights.T]
    step = max(1, _PRODUCTS_PER_CALL // max(1, len(rights)))
    before, solutions = [-1, -1, -1], dict[tuple[int, ...], int]()
    for triple in lefts.tolist():
        for band in range(3):
            if triple[band] != before[band]:
                spread(tables[band][triple[band]], places[band], rows[band], is_filled[band])
        (first, second, third), (is_first, is_second, is_third) = rows, is_filled
        before, sums = triple, 0
        for start in range(0, len(middles), step):
            tick()
            low, high = sum_products(middles[start : start + step], first, second, third, is_first, is_second, is_third)
            sums += int(low) + (int(high) << 32)
        if sums:
            partitions = (int(boxes[0].columns[own]) for boxes, own in zip(given.boxes, triple, strict=True))
            solutions[tuple(partitions)] = sums
    return solutions
