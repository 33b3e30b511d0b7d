"""The fillings of the boxes of a 9x9, and which of them complete each other.

A filling of a box puts a *partition* of the values into its three rows, and another one into its columns. Partitions
are words with bit `line * 9 + value`. Three boxes make a band when their partitions of rows complete each other, and a
stack when those of columns do.
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier.band_join import triples
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates

SIDE = 3
VALUES = 9
_FULL = (1 << SIDE * VALUES) - 1
# A box has at most 9! fillings, the orders of nine values.
_MAX_FILLINGS = 362_880
# A filling takes two words, and is stored twice for a while.
_ENTRY_BYTES, _FILLING_BYTES = 4, 32
# Adding to an entry anywhere in a table takes this many times as long as multiplying entries that are read in order.
ADDITION_STEPS = 4


class Box(NamedTuple):
    """The fillings of a box."""

    across: Uint64s  # (fillings,): the partition in the lines of its band, see `band_tables_kernel.list_fillings`
    down: Uint64s  # (fillings,): the partition in the other lines

    def restricted_to(self, across: Uint64s, down: Uint64s) -> "Box":
        """Return the fillings with these partitions."""
        keep = np.isin(self.across, across) & np.isin(self.down, down)
        return Box(self.across[keep], self.down[keep])


class Plan(NamedTuple):
    """Boxes with the triples of partitions that complete each other, by one kind of bands."""

    kind: str  # bands or stacks
    boxes: list[list[Box]]  # band by band
    lines: list[Int32s]  # for each band int32 (triples, 3): numbers of the distinct `across` of its three boxes
    # For each stack of boxes int32 (triples, 3): numbers of the distinct `down` of its three boxes.
    columns: list[Int32s]
    order: list[int]  # the stacks in the order of the axes of tables
    sizes: Int64s  # (3, 3): how many distinct `down` each box has
    fillings: list[int]  # of each band
    steps: int  # about how long counting takes, in steps of a nanosecond or so

    @property
    def bytes(self) -> int:
        """How many bytes the tables take."""
        return _ENTRY_BYTES * int(self.sizes.prod(axis=1).sum())


def fits(board: Geometry) -> bool:
    """Return whether this is a 9x9 with 3x3 boxes and no other rules."""
    return board.is_classic and board.n_values == VALUES


def fillings(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> list[list[Box]]:
    """Return the fillings of all boxes, band by band.

    Raises:
        OutOfTableMemory: they take more than `max_bytes`.
    """
    from sudoku_encode.frontier.band_tables_kernel import list_fillings

    masks = (candidates.astype(np.int64) << np.arange(VALUES)).sum(axis=1).reshape(SIDE, SIDE, SIDE, SIDE)
    rows, columns = np.empty(_MAX_FILLINGS, np.uint64), np.empty(_MAX_FILLINGS, np.uint64)
    boxes: list[list[Box]] = []
    for band in range(SIDE):
        boxes.append([])
        for stack in range(SIDE):
            tick()
            size = list_fillings(masks[band, :, stack].ravel(), rows, columns)
            max_bytes -= _FILLING_BYTES * size
            if max_bytes < 0:
                raise OutOfTableMemory("memory limit: too many fillings of boxes")
            boxes[-1].append(Box(rows[:size].copy(), columns[:size].copy()))
    return boxes


def completing_triples(partitions: Sequence[Uint64s], tick: Callable[[], None]) -> Int32s:
    """Return which partitions of three boxes (each ascending) complete each other, int32 (triples, 3), ascending."""
    return triples(partitions[0], partitions[1], partitions[2], _FULL, tick)


def _used_partitions(three: Sequence[Uint64s], tick: Callable[[], None]) -> list[Uint64s]:
    """Return which partitions of three boxes are in a triple."""
    distinct = [np.unique(partitions) for partitions in three]
    triples = completing_triples(distinct, tick)
    return [partitions[np.unique(triples[:, number])] for number, partitions in enumerate(distinct)]


def prune(boxes: list[list[Box]], tick: Callable[[], None]) -> list[list[Box]]:
    """Remove fillings of boxes that nothing completes in their band or stack, until all are completed."""
    while True:
        before = sum(len(box.across) for band in boxes for box in band)
        across = [_used_partitions([box.across for box in band], tick) for band in boxes]
        down = [_used_partitions([band[stack].down for band in boxes], tick) for stack in range(SIDE)]
        boxes = [
            [box.restricted_to(across[i][j], down[j][i]) for j, box in enumerate(band)] for i, band in enumerate(boxes)
        ]
        if sum(len(box.across) for band in boxes for box in band) == before:
            return boxes


def plans(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> list[Plan]:
    """Return how the board is counted by bands and by stacks.

    Raises:
        OutOfTableMemory: no kind of tables fits into `max_bytes`.
    """
    boxes = prune(fillings(candidates, tick, max_bytes), tick)
    turned = [[Box(boxes[j][i].down, boxes[j][i].across) for j in range(SIDE)] for i in range(SIDE)]
    both = [_plan("bands", boxes, tick), _plan("stacks", turned, tick)]
    lists = _FILLING_BYTES * sum(len(box.across) for band in boxes for box in band)
    if not (possible := [plan for plan in both if lists + plan.bytes <= max_bytes]):
        least = lists + min(plan.bytes for plan in both)
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: the tables of three bands would take {least:,}")
    return possible


def _plan(kind: str, boxes: list[list[Box]], tick: Callable[[], None]) -> Plan:
    down = [[np.unique(box.down) for box in band] for band in boxes]
    columns = [completing_triples([band[stack] for band in down], tick) for stack in range(SIDE)]
    # The last axis is the inner loop; on the first, most partitions may stand for others.
    order = sorted(range(SIDE), key=lambda stack: -len(columns[stack]))
    sizes = np.array([[len(one) for one in band] for band in down])
    lines, ways, steps = [], [], prod(len(some) for some in columns)
    for band, width in zip(boxes, sizes, strict=True):
        across_counts = [np.unique(box.across, return_counts=True) for box in band]
        lines.append(completing_triples([one for one, _ in across_counts], tick))
        first, second, third = (across_counts[stack][1][lines[-1][:, stack]] for stack in order)
        ways.append(int((first * second * third).sum()))
        steps += (
            ADDITION_STEPS * int((second * third).sum())
            + len(band[order[0]].across) * int(width[order[1:]].prod()) // 4
        )
    return Plan(kind, boxes, lines, columns, order, sizes, ways, steps)
