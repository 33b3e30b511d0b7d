"""Shares on the 9x9 by the tables of bands: the product of three tables is joined, and then taken apart again.

Forwards there is a table for each band, see `band_tables`. Backwards, an entry of one is in as many solutions as the
other two have products that complete it; and a filling of a box in as many as the entries that it was counted in.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.frontier.band_tables import STEPS_PER_CALL, by_first, filled_rows, joined, lists, table
from sudoku_encode.frontier.box_fillings import SIDE, VALUES, Plan, plans
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.frontier.wide import Wide, exact
from sudoku_encode.puzzles.arrays import Uint32s, Uint64s
from sudoku_encode.puzzles.puzzle import Candidates

# A number of an entry's completions takes two words of 4 bytes, besides the entry itself.
_TIMES_BYTES = 3


def shares(candidates: Candidates, tick: Callable[[], None], max_bytes: int) -> tuple[NDArray[Any], int]:
    """Return how many solutions have each candidate, whole numbers (81, 9), and how many there are.

    Raises:
        OutOfTableMemory: the tables would pass `max_bytes`.
        StoppedError: by `tick`.
    """
    plan = min(plans(candidates, tick, max_bytes), key=lambda one: one.steps)
    if not plan.sizes.all():
        return np.zeros(candidates.shape, object), 0
    if plan.bytes * _TIMES_BYTES > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: shares need tables of all completions")
    # Zeros are looked for in the first table only, so that is where they are many.
    bands = sorted(range(SIDE), key=lambda band: plan.fillings[band] / plan.sizes[band].prod())
    tables = [table(plan, band, tick) for band in bands]
    tick()
    total = prod(plan.fillings)
    if total >= 2**64:
        # Mostly there are far fewer solutions, and to count them takes less time than to sum in floating point too.
        total = joined(plan, candidates, tick)
    held = exact(Wide(tuple(_held(plan, bands, tables, kind, tick) for kind in Wide.kinds(total))), total)
    return held, sum(held[0].tolist())


def _held(plan: Plan, bands: list[int], tables: list[Uint32s], kind: type[Any], tick: Callable[[], None]) -> Any:
    """Return in how many solutions each cell holds each value, (81, 9), as numbers of a kind."""
    found = np.zeros((SIDE, SIDE, SIDE, SIDE, VALUES), kind)
    for band, completions in zip(bands, _completions(plan, bands, tables, kind, tick), strict=True):
        for stack, weights in zip(plan.order, _weights(plan, band, completions, kind, tick), strict=True):
            box = plan.boxes[band][stack]
            tick()
            for line in range(SIDE):
                for across in range(SIDE):
                    found[band, line, stack, across] = _by_value(box.across, box.down, line, across, weights)
    cells = found.reshape(VALUES, VALUES, VALUES)
    # By stacks, the lines of a band are columns.
    return (cells.swapaxes(0, 1) if plan.kind == "stacks" else cells).reshape(VALUES**2, VALUES)


def _by_value(across: Uint64s, down: Uint64s, line: int, place: int, weights: NDArray[Any]) -> NDArray[Any]:
    """Sum the weights of a box's fillings by the value in a cell."""
    one = np.uint64(2**VALUES - 1)
    held = (across >> np.uint64(line * VALUES)) & (down >> np.uint64(place * VALUES)) & one
    return np.array([weights[held == np.uint64(1 << value)].sum() for value in range(VALUES)], weights.dtype)


def _completions(
    plan: Plan, bands: list[int], tables: list[Uint32s], kind: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each entry of each table how many ways the other two have to complete it."""
    from sudoku_encode.frontier.band_shares_kernel import complete

    found = [np.zeros(one.shape, kind) for one in tables]
    three = [
        by_first(plan.columns[stack][:, bands], size) for stack, size in zip(plan.order, tables[0].shape, strict=True)
    ]
    filled = [filled_rows(one, tick) for one in tables]
    firsts = three[0].items[np.isin(three[0].items[:, 0], np.flatnonzero(filled[0].any(axis=1)))]
    at = np.zeros(2, np.int64)
    while at[0] < len(firsts):
        tick()
        complete(
            *(tables[0], tables[1], tables[2], firsts, three[1], three[2]),
            *(filled[0], filled[1], filled[2], found[0], found[1], found[2]),
            *(at, STEPS_PER_CALL),
        )
    return found


def _weights(
    plan: Plan, band: int, completions: NDArray[Any], kind: type[Any], tick: Callable[[], None]
) -> list[NDArray[Any]]:
    """Return for each box of a band, in the order of axes, in how many solutions each of its fillings is."""
    from sudoku_encode.frontier.band_shares_kernel import take_apart

    some = lists(plan, band, tick)
    (a, _), (b, _), (c, _) = some
    lines = by_first(plan.lines[band][:, plan.order], len(a.starts) - 1)
    weights = [np.zeros(len(one.items), kind) for one, _ in some]
    for start in range(len(a.starts) - 1):
        tick()
        take_apart(lines, a, b, c, completions, weights[0], weights[1], weights[2], start, start + 1)
    found = []
    for (_, order), one in zip(some, weights, strict=True):
        back = np.empty_like(one)
        back[order] = one
        found.append(back)
    return found
