"""The search by placements, compiled."""

import numpy as np

from sudoku_encode.placements.branching_kernel import begin_next, choose
from sudoku_encode.placements.cover_kernel import cover
from sudoku_encode.placements.entries_kernel import (
    LISTED,
    LISTED_AT_FIRST,
    LISTED_MIXED,
    estimate,
    hold_single_lines,
    lacks_a_block,
    list_placements,
    refresh,
    tighten,
    whole_blocks,
)
from sudoku_encode.placements.multisets_kernel import find_possible
from sudoku_encode.placements.state import (
    ALLOWED,
    BEFORE,
    BEGIN,
    COLUMNS,
    COUNT,
    DEPTH,
    DONE,
    END,
    FRESH,
    HELD,
    KIND,
    MIXED,
    N_PLACED,
    NEW,
    OPEN,
    ORDER,
    SIGNS,
    SIZE,
    SIZES,
    TAKEN,
    VALUE,
    PlacementsState,
    Tables,
)
from sudoku_encode.placements.structure import WORDS
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined

# Up to which length lists are looked at first, and then: where these refute a frame, longer ones need not be looked at.
# Where patterns are mixed, also lists that are up to _TIMES times as long as the shortest.
_LONGEST, _TIMES = np.array([256, 4096, 1 << 62]), 4096
# How long a step takes for each entry, beside a look at a placement.
_ENTRY_WORK = 64


@compiled
def run(t: Tables, s: PlacementsState, out: Grids, work: int) -> int:
    """Go on until `out` is full or some work is done; return how many solutions were written.

    Args:
        t: tables.
        s: state.
        out: uint8 (m, n_cells).
        work: how many placements to look at, about.
    """
    found = 0
    while found < len(out) and work > 0 and not s.counts[DONE]:
        depth = s.counts[DEPTH]
        work -= _ENTRY_WORK * (s.frames[depth, END] - s.frames[depth, BEGIN])
        if s.frames[depth, KIND] == NEW:
            looked, alive = _settle(t, s, depth)
            work -= looked
            if alive and not s.frames[depth, OPEN]:
                _write(t, s, out[found])
                found += 1
                alive = False
            if alive:
                choose(t, s, depth)
            else:
                _leave(s)
        elif not begin_next(t, s, depth):
            _leave(s)
    return found


@inlined
def _leave(s: PlacementsState) -> None:
    """Go back to the frame above."""
    s.counts[TAKEN] = s.frames[s.counts[DEPTH], BEFORE]
    s.counts[DEPTH] -= 1
    if s.counts[DEPTH] < 0:
        s.counts[DONE] = 1


@compiled
def _write(t: Tables, s: PlacementsState, grid: Grids) -> None:
    for value in range(len(s.chosen)):
        lines = t.lines[s.chosen[value, WORDS]]
        for cell in range(len(grid)):
            if s.chosen[value, lines[cell] >> 6] >> (lines[cell] & 63) & 1:
                grid[cell] = value + 1


@compiled
def _settle(t: Tables, s: PlacementsState, depth: int) -> tuple[int, bool]:
    """Bring a frame's entries up to date; return how many placements were looked at, and whether it may be solved."""
    looked, turn = 0, 0
    while True:
        if not _keep_possible(t, s, depth):
            return looked, False
        more, all_done = _refresh_short(t, s, depth, _LONGEST[turn])
        looked += more
        if more < 0:
            return looked - 2 * more, False
        if s.counts[MIXED]:
            changed, alive = cover(t, s, s.frames[depth])
        else:
            changed, alive = _propagate(t, s, depth)
        if not alive:
            return looked, False
        if not changed:
            if all_done or s.counts[MIXED]:
                # Where there are many patterns long lists can wait.
                return looked, _keep_possible(t, s, depth)
            # What the short lists do not refute, longer ones may.
            turn += 1


@compiled
def _refresh_short(t: Tables, s: PlacementsState, depth: int, longest: int) -> tuple[int, bool]:
    """Bring the lists of a frame up to date, the shorter ones first, but for those of values with too many.

    Returns:
        How many placements were looked at, -1 less than minus that where a value has none left; and whether all lists
        are up to date.
    """
    frame = s.frames[depth]
    looked, done, shortest, none = 0, 0, -1, len(s.chosen)
    listed = LISTED_AT_FIRST if depth == 0 else LISTED
    if s.counts[MIXED] and depth == 0:
        listed = LISTED_MIXED
    while done != frame[OPEN]:
        value = none
        for one in range(none):
            shorter = value == none or s.counts[SIZES + one] < s.counts[SIZES + value]
            if (frame[OPEN] & ~done) >> one & 1 and shorter:
                value = one
        size = s.counts[SIZES + value]
        if size > longest and not (s.counts[MIXED] and size <= _TIMES * shortest) and shortest >= 0:
            return looked, False
        done |= 1 << value
        size = _estimate_unlisted(t, s, frame, value)
        total = 0
        for entry in range(frame[BEGIN], frame[END]):
            if s.entries[entry, VALUE] != value:
                continue
            if s.entries[entry, COUNT] >= 0 and not s.entries[entry, FRESH]:
                looked += refresh(s, entry, frame[BEFORE])
            elif s.entries[entry, COUNT] < 0 and size <= listed:
                looked += list_placements(t, s, entry, listed)
            total += s.entries[entry, SIZE]
        if not total:
            return -1 - looked, True
        if shortest < 0 or total < shortest:
            shortest = total
    return looked, True


@compiled
def _estimate_unlisted(t: Tables, s: PlacementsState, frame: Int64s, value: int) -> int:
    """Find how many placements the entries of a value have, about, where there is no list; return their sum."""
    total = 0
    for entry in range(frame[BEGIN], frame[END]):
        if s.entries[entry, VALUE] != value:
            continue
        if s.entries[entry, COUNT] < 0 and not s.entries[entry, FRESH]:
            if tighten(t, s, entry):
                s.entries[entry, SIZE] = estimate(t, s, entry)
                s.entries[entry, FRESH] = True
            else:
                s.entries[entry, COUNT] = s.entries[entry, SIZE] = 0
        total += s.entries[entry, SIZE]
    return total


@compiled
def _keep_possible(t: Tables, s: PlacementsState, depth: int) -> bool:
    """Remove entries without a placement; add up sizes for each value; say whether each open value has an entry."""
    frame = s.frames[depth]
    kept = frame[BEGIN]
    for entry in range(frame[BEGIN], frame[END]):
        if s.entries[entry, COUNT] != 0 and not lacks_a_block(s.entries, entry, t.marks):
            _move(s, entry, kept)
            kept += 1
    frame[END] = kept
    again = bool(s.counts[MIXED])
    while again:
        if not find_possible(t, s, depth, frame[N_PLACED], frame[OPEN]):
            return False
        kept = frame[BEGIN]
        for entry in range(frame[BEGIN], frame[END]):
            if s.values[depth, s.entries[entry, SIGNS]] >> s.entries[entry, VALUE] & 1:
                _move(s, entry, kept)
                kept += 1
        again = kept != frame[END]
        frame[END] = kept
    values = 0
    for value in range(len(s.chosen)):
        s.counts[SIZES + value] = 0
    for entry in range(frame[BEGIN], frame[END]):
        if depth == 0 and s.entries[entry, COUNT] < 0 and not s.entries[entry, FRESH]:
            # Below, the sizes of the frame above serve until they are needed.
            s.entries[entry, SIZE] = estimate(t, s, entry)
        s.counts[SIZES + s.entries[entry, VALUE]] += s.entries[entry, SIZE]
        values |= 1 << s.entries[entry, VALUE]
    return bool(values == frame[OPEN])


@inlined
def _move(s: PlacementsState, entry: int, to: int) -> None:
    """Put an entry in the place of another one."""
    if to != entry:
        for column in range(COLUMNS):
            s.entries[to, column] = s.entries[entry, column]


@compiled
def _propagate(t: Tables, s: PlacementsState, depth: int) -> tuple[bool, bool]:
    """Require lines that one value only can take, and bar those that all placements of a value have from the others.

    All entries and all placed values have one pattern, so that each line is taken once.

    Returns:
        Whether something changed, and whether there can be a solution.
    """
    frame = s.frames[depth]
    last_bit = t.crossings.shape[1] - 1
    for entry in range(frame[BEGIN], frame[END]):
        if s.entries[entry, COUNT] < 0 or not s.entries[entry, FRESH]:
            hold_single_lines(t, s, entry)
    changed = False
    for word in range(4):
        one = two = held = clash = used = 0
        for i in range(frame[N_PLACED]):
            used |= s.chosen[s.counts[ORDER + i], word]
        for entry in range(frame[BEGIN], frame[END]):
            two |= one & s.entries[entry, ALLOWED + word]
            one |= s.entries[entry, ALLOWED + word]
            clash |= held & s.entries[entry, HELD + word]
            held |= s.entries[entry, HELD + word]
        if clash or (one | used) != t.marks[2, word]:
            return changed, False
        only = one & ~two
        for entry in range(frame[BEGIN], frame[END]):
            x = s.entries[entry, ALLOWED + word]
            needed = only & x & ~s.entries[entry, HELD + word]
            barred = held & ~s.entries[entry, HELD + word] & x
            if needed | barred:
                blocks = whole_blocks(needed, t.marks, word, last_bit)
                # Two lines of a block are too many.
                if needed & (needed - (blocks & t.marks[0, word])):
                    return changed, False
                s.entries[entry, ALLOWED + word] = x & ~barred & ~(blocks & ~needed)
                s.entries[entry, FRESH] = False
                changed = True
    return changed, True
