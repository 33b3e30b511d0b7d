"""The search by placements, compiled: cells that must be covered, and the loop of the search."""

import numpy as np

from sudoku_encode.placements.branching_kernel import begin_next, choose, find_possible
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
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest

# Every cell must have a value: consequences where values may have different patterns.


@compiled
def cover(t: Tables, s: PlacementsState, frame: Int64s) -> tuple[bool, bool]:
    """Require cells that only one open value may have, and bar those of a value's only line in a block."""
    # Returns whether anything changed, and whether each cell may have a value.
    _find_cells(t, s, frame)
    n, full = len(s.chosen), (1 << t.through.shape[1]) - 1
    changed = False
    for block in range(t.blocks.shape[1]):
        some_value, two_values = s.cells[n, block], s.cells[n, block]
        alone = 0
        for value in range(n):
            if frame[OPEN] >> value & 1:
                may = s.cells[value, block]
                two_values |= some_value & may
                some_value |= may
                if bit_count(may) == len(t.ways):
                    alone |= may
        if some_value != full:
            return changed, False
        only = some_value & ~two_values
        if not only and not alone & two_values:
            continue
        for entry in range(frame[BEGIN], frame[END]):
            value = s.entries[entry, VALUE]
            may = s.cells[value, block]
            barred = 0 if bit_count(may) == len(t.ways) else alone & may
            if only & may or barred:
                changed |= _restrict(t, s, entry, block, only & may, barred)
    return changed, True


@compiled
def _find_cells(t: Tables, s: PlacementsState, frame: Int64s) -> None:
    """Find the cells that each open value may have, and those that are taken."""
    n, n_blocks, all_lines = len(s.chosen), t.blocks.shape[1], (1 << t.crossings.shape[1]) - 1
    for value in range(n + 1):
        for block in range(n_blocks):
            s.cells[value, block] = 0
    for place in range(frame[N_PLACED]):
        value = s.counts[ORDER + place]
        for block in range(n_blocks):
            lines = s.chosen[value, t.blocks[0, block]] >> t.blocks[1, block] & all_lines
            s.cells[n, block] |= t.cells[t.signs[0, s.chosen[value, WORDS], block], lines]
    for entry in range(frame[BEGIN], frame[END]):
        value, pattern = s.entries[entry, VALUE], s.entries[entry, SIGNS]
        for block in range(n_blocks):
            lines = s.entries[entry, ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & all_lines
            s.cells[value, block] |= t.cells[t.signs[0, pattern, block], lines]


@inlined
def _restrict(t: Tables, s: PlacementsState, entry: int, block: int, needed: int, barred: int) -> bool:
    """Keep an entry's lines of a block with all needed and no barred cells; return whether lines were removed."""
    all_lines = (1 << t.crossings.shape[1]) - 1
    word, shift = t.blocks[0, block], t.blocks[1, block]
    signs, lines = t.signs[0, s.entries[entry, SIGNS], block], all_lines
    while needed:
        lines &= 1 << t.through[signs, lowest(needed)]
        needed &= needed - 1
    while barred:
        lines &= ~(1 << t.through[signs, lowest(barred)])
        barred &= barred - 1
    removed = s.entries[entry, ALLOWED + word] & (all_lines & ~lines) << shift
    if removed:
        s.entries[entry, ALLOWED + word] ^= removed
        s.entries[entry, FRESH] = False
    return bool(removed)


# The search.

# Up to which length lists are checked first, and then: if these refute a frame, longer lists need not be checked. Where
# patterns are mixed, also lists that are up to _TIMES times as long as the shortest.
_LONGEST, _TIMES = np.array([256, 4096, 1 << 62]), 4096
# How long a step takes for each entry, in visits of a placement.
_ENTRY_WORK = 64


@compiled
def run(t: Tables, s: PlacementsState, out: Grids, work: int) -> int:
    """Continue until `out` is full or about `work` placements are visited; return how many solutions were written."""
    # `out`: uint8 (m, n_cells).
    n_solutions = 0
    while n_solutions < len(out) and work > 0 and not s.counts[DONE]:
        depth = s.counts[DEPTH]
        work -= _ENTRY_WORK * (s.frames[depth, END] - s.frames[depth, BEGIN])
        if s.frames[depth, KIND] == NEW:
            looked, alive = _settle(t, s, depth)
            work -= looked
            if alive and not s.frames[depth, OPEN]:
                _write(t, s, out[n_solutions])
                n_solutions += 1
                alive = False
            if alive:
                choose(t, s, depth)
            else:
                _leave(s)
        elif not begin_next(t, s, depth):
            _leave(s)
    return n_solutions


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
    """Bring a frame's entries up to date; return how many placements were visited, and whether it can be solved."""
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
                # With many patterns, long lists can wait.
                return looked, _keep_possible(t, s, depth)
            # Longer lists may refute a frame that the short ones do not.
            turn += 1


@compiled
def _refresh_short(t: Tables, s: PlacementsState, depth: int, longest: int) -> tuple[int, bool]:
    """Bring the lists of a frame up to date, shorter ones first; return the work, and whether all are up to date."""
    # Lists of values with too many placements are left out. The work is the number of placements visited; it is -1 less
    # than minus that number if a value has no placement left.
    frame = s.frames[depth]
    looked, done, shortest, none = 0, 0, -1, len(s.chosen)
    listed = LISTED_AT_FIRST if depth == 0 else LISTED
    if s.counts[MIXED] and depth == 0:
        listed = LISTED_MIXED
    while done != frame[OPEN]:
        value = none
        for number in range(none):
            shorter = value == none or s.counts[SIZES + number] < s.counts[SIZES + value]
            if (frame[OPEN] & ~done) >> number & 1 and shorter:
                value = number
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
    """Estimate the number of placements of a value's entries without a list; return the sum over its entries."""
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
    """Remove entries without a placement and add up sizes; return whether each open value still has an entry."""
    frame = s.frames[depth]
    place = frame[BEGIN]
    for entry in range(frame[BEGIN], frame[END]):
        if s.entries[entry, COUNT] != 0 and not lacks_a_block(s.entries, entry, t.marks):
            _move(s, entry, place)
            place += 1
    frame[END] = place
    again = bool(s.counts[MIXED])
    while again:
        if not find_possible(t, s, depth, frame[N_PLACED], frame[OPEN]):
            return False
        place = frame[BEGIN]
        for entry in range(frame[BEGIN], frame[END]):
            if s.values[depth, s.entries[entry, SIGNS]] >> s.entries[entry, VALUE] & 1:
                _move(s, entry, place)
                place += 1
        again = place != frame[END]
        frame[END] = place
    values = 0
    for value in range(len(s.chosen)):
        s.counts[SIZES + value] = 0
    for entry in range(frame[BEGIN], frame[END]):
        if depth == 0 and s.entries[entry, COUNT] < 0 and not s.entries[entry, FRESH]:
            # Below the first frame, the sizes of the frame above are used until exact ones are needed.
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
    """Require lines that only one value can use, and bar lines of all placements of a value from the others."""
    # All entries and all placed values have one pattern, so each line is used once. Returns whether anything changed,
    # and whether a solution is possible.
    frame = s.frames[depth]
    last_bit = t.crossings.shape[1] - 1
    for entry in range(frame[BEGIN], frame[END]):
        if s.entries[entry, COUNT] < 0 or not s.entries[entry, FRESH]:
            hold_single_lines(t, s, entry)
    changed = False
    for word in range(4):
        some_value = two_values = held_lines = clash = used = 0
        for i in range(frame[N_PLACED]):
            used |= s.chosen[s.counts[ORDER + i], word]
        for entry in range(frame[BEGIN], frame[END]):
            two_values |= some_value & s.entries[entry, ALLOWED + word]
            some_value |= s.entries[entry, ALLOWED + word]
            clash |= held_lines & s.entries[entry, HELD + word]
            held_lines |= s.entries[entry, HELD + word]
        if clash or (some_value | used) != t.marks[2, word]:
            return changed, False
        only = some_value & ~two_values
        for entry in range(frame[BEGIN], frame[END]):
            x = s.entries[entry, ALLOWED + word]
            needed = only & x & ~s.entries[entry, HELD + word]
            barred = held_lines & ~s.entries[entry, HELD + word] & x
            if needed | barred:
                blocks = whole_blocks(needed, t.marks, word, last_bit)
                # Two lines of a block are too many.
                if needed & (needed - (blocks & t.marks[0, word])):
                    return changed, False
                s.entries[entry, ALLOWED + word] = x & ~barred & ~(blocks & ~needed)
                s.entries[entry, FRESH] = False
                changed = True
    return changed, True
