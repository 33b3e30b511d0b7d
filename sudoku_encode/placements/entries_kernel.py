"""Entries, a value with a pattern each: the allowed lines, and the lists of placements; compiled.

A set of lines is four words. In each, a block has k * k bits beside each other, which are counted, compared and
cleared for all blocks at once: `marks` are the first and the last bit of each block.
"""

from sudoku_encode.placements.state import (
    ALLOWED,
    CHUNK,
    COLUMNS,
    COUNT,
    FRESH,
    HELD,
    ROW,
    SIZE,
    TAKEN,
    WAYS,
    PlacementsState,
    Tables,
)
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest, subroutine
from sudoku_encode.run.vectors import any_bit, load, splat, store

# Up to how many estimated placements a list is made: in the first frame, and below it, where it would be made again and
# again. Entries with more are stored as allowed lines, which refute less.
LISTED_AT_FIRST, LISTED_MIXED, LISTED = 1_000_000, 1_000_000, 30_000
# A list may have this many times as many placements as estimated.
_TIMES_MORE = 8
# How long it takes to find the ways of all a, in visits of a placement.
_WAYS_WORK = 20_000


@inlined
def whole_blocks(x: int, marks: Int64s, word: int, last_bit: int) -> int:
    """Return all bits of those blocks of a word that have a bit in `x`."""
    low = marks[1, word] - marks[0, word]
    last = (((x & ~marks[1, word]) + low) | x) & marks[1, word]
    return int(last | (last - (last >> last_bit)))


@inlined
def lacks_a_block(entries: Int64s, entry: int, marks: Int64s) -> bool:
    """Return whether a block has no line."""
    for word in range(4):
        x = entries[entry, ALLOWED + word]
        if (x - marks[0, word]) & ~x & marks[1, word]:
            return True
    return False


@compiled
def hold_single_lines(t: Tables, s: PlacementsState, entry: int) -> None:
    """Set the lines that all placements have to the lines of blocks with only one."""
    last_bit = t.crossings.shape[1] - 1
    for word in range(4):
        x = s.entries[entry, ALLOWED + word]
        several = whole_blocks(x & (x - t.marks[0, word]), t.marks, word, last_bit)
        s.entries[entry, HELD + word] = x & ~several


@inlined
def _remove(t: Tables, s: PlacementsState, entry: int, block: int, members: int) -> bool:
    """Remove lines of a block, a bit each, from an entry; return whether one of them was allowed."""
    word, shift = t.blocks[0, block], t.blocks[1, block]
    had = s.entries[entry, ALLOWED + word] & members << shift
    s.entries[entry, ALLOWED + word] &= ~(members << shift)
    return bool(had)


@compiled
def tighten(t: Tables, s: PlacementsState, entry: int) -> bool:
    """Remove lines by the rule that o, r and r - o have no number twice; return whether each block has a line left."""
    k, full = t.classes.shape[1], (1 << t.crossings.shape[1]) - 1
    again = True
    while again:
        again = False
        for kind in range(3):
            for unit in range(k * k):
                for number in range(k):
                    members = t.classes[kind, number]
                    places, owner, place = 0, -1, -1
                    for i in range(k):
                        block = t.units[kind, unit, i]
                        x = s.entries[entry, ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & full
                        if x & members:
                            places += 1
                            place = i
                            if not x & ~members:
                                owner = i
                    if not places:
                        return False
                    if places == 1 and owner < 0:
                        again |= _remove(t, s, entry, t.units[kind, unit, place], full & ~members)
                    elif places > 1 and owner >= 0:
                        for i in range(k):
                            block = t.units[kind, unit, i]
                            if (
                                i != owner
                                and s.entries[entry, ALLOWED + t.blocks[0, block]] & members << t.blocks[1, block]
                            ):
                                s.entries[entry, ALLOWED + t.blocks[0, block]] &= ~(members << t.blocks[1, block])
                                again = True
    return True


@compiled
def estimate(t: Tables, s: PlacementsState, entry: int) -> int:
    """Return about how many placements are allowed, as if the blocks were independent."""
    n_lines = t.crossings.shape[1]
    # All placements of a value in one frame. Products were 5 to 9 times too small on the cubes that were examined.
    product = 5 * 406_309_608.0 if n_lines == 9 else 32.0
    for block in range(t.blocks.shape[1]):
        product *= (
            bit_count(s.entries[entry, ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & ((1 << n_lines) - 1))
            / n_lines
        )
    return int(product) + 1


@compiled
def refresh(s: PlacementsState, entry: int, own_from: int) -> int:
    """Remove the forbidden placements from an entry's list; return the work done, 0 if there is no room."""
    # Also finds the lines that some of the remaining placements have, and those that all have. Lists from row
    # `own_from` on belong to the frame, and are changed in place.
    begin, end = s.entries[entry, ROW], s.entries[entry, ROW] + s.entries[entry, COUNT]
    to = begin if begin >= own_from else s.counts[TAKEN]
    barred = ~load(s.entries, COLUMNS * entry + ALLOWED)
    lists, all_shared, row_after, looked = s.lists, s.shared, to, 0
    for first in range(begin, end, CHUNK):
        if any_bit(load(all_shared, 4 * (first // CHUNK)) & barred):
            continue
        # Not possible for a list that is changed in place: it has whole chunks, and does not grow.
        if row_after + CHUNK > len(lists):
            return 0
        looked += CHUNK
        # Each placement is written, and overwritten by the next if it is forbidden: branches would be mispredicted.
        for row in range(first, min(first + CHUNK, end)):
            placement = load(lists, 4 * row)
            store(lists, 4 * row_after, placement)
            row_after += not any_bit(placement & barred)
    if to != begin:
        s.counts[TAKEN] = next_chunk(row_after)
    set_list(s, entry, to, row_after)
    return int((end - begin) // CHUNK + looked + row_after - to)


@inlined
def next_chunk(row: int) -> int:
    """Return the first row from this one on with which a chunk begins."""
    return -(-row // CHUNK) * CHUNK


@compiled
def set_list(s: PlacementsState, entry: int, begin: int, end: int) -> None:
    """Set an entry's list, and find the lines that some of its placements, all of them, and all of each chunk have."""
    s.entries[entry, ROW], s.entries[entry, FRESH] = begin, True
    s.entries[entry, COUNT] = s.entries[entry, SIZE] = end - begin
    lists, all_shared, some_lines = s.lists, s.shared, splat(0)
    all_lines = ~some_lines
    for first in range(begin, end, CHUNK):
        shared = ~splat(0)
        for row in range(first, min(first + CHUNK, end)):
            placement = load(lists, 4 * row)
            some_lines |= placement
            shared = shared & placement
        store(all_shared, 4 * (first // CHUNK), shared)
        all_lines = all_lines & shared
    store(s.entries, COLUMNS * entry + ALLOWED, some_lines)
    store(s.entries, COLUMNS * entry + HELD, all_lines)


@compiled
def list_placements(t: Tables, s: PlacementsState, entry: int, most: int) -> int:
    """List an entry's placements if there is room and they are at most `most`, as estimated; return the work done."""
    k, n_ways = len(t.ways), t.ways.shape[1]
    sizes = s.counts[WAYS:]
    # With k = 2 there is no third a.
    sizes[2] = 1
    about = 406_309_608.0 if k == 3 else 32.0
    for a in range(k):
        sizes[a] = _find_ways(t, s, entry, a)
        about *= sizes[a] / n_ways
    s.entries[entry, SIZE] = int(about) + 1
    if about > most:
        return _WAYS_WORK
    # The a with the most ways is looked up by its code; the ways of the others are enumerated, the fewest first.
    largest = k - 1
    for a in range(k - 1):
        if sizes[a] > sizes[largest]:
            largest = a
    first, second = (largest + 1) % k, (largest + 2) % k
    if k == 3 and sizes[second] < sizes[first]:
        first, second = second, first
    _sort_by_code(t, s, largest, sizes[largest])
    begin = s.counts[TAKEN]
    room = min(len(s.lists), begin + _TIMES_MORE * most)
    end = _join(t, s, first, sizes[first], second, sizes[second] if k == 3 else sizes[2], largest, begin, room)
    if end < 0:
        # There are more than estimated, or there is no room: no second attempt while there are as many.
        s.entries[entry, SIZE] = max(s.entries[entry, SIZE], _TIMES_MORE * most)
        end = begin
    else:
        s.counts[TAKEN] = next_chunk(end)
        set_list(s, entry, begin, end)
    return int(_WAYS_WORK + end - begin + sizes[largest] + sizes[first] * sizes[second])


@subroutine
def _find_ways(t: Tables, s: PlacementsState, entry: int, a: int) -> int:
    """Find the ways to place the value in the blocks of one a; return their number."""
    k, n_orders = len(t.ways), len(t.orders)
    n_ways, all_orders = 0, (1 << n_orders) - 1
    for row in range(n_orders**k):
        columns = _orders_of_columns(t, s, entry, a, row)
        rest = columns & all_orders
        while rest:
            way = row * n_orders + lowest(rest)
            rest &= rest - 1
            rest1 = columns >> n_orders & all_orders
            while rest1:
                way1 = way * n_orders + lowest(rest1)
                rest1 &= rest1 - 1
                if k == 2:
                    s.scratch[a, n_ways] = way1
                    n_ways += 1
                    continue
                rest2 = columns >> 2 * n_orders
                while rest2:
                    s.scratch[a, n_ways] = way1 * n_orders + lowest(rest2)
                    rest2 &= rest2 - 1
                    n_ways += 1
    return n_ways


@inlined
def _orders_of_columns(t: Tables, s: PlacementsState, entry: int, a: int, row: int) -> int:
    """Return which permutations over b the r of each column of blocks may be, a bit each; 0 if a column has none."""
    # `a`: of the blocks. `row`: the permutations over c that are the o of each row of blocks, as digits of base k!.
    k, n_orders = len(t.ways), len(t.orders)
    full, line = (1 << k * k) - 1, (1 << k) - 1
    columns, rest, high = (1 << k * n_orders) - 1, row, n_orders ** (k - 1)
    for b in range(k):
        order = rest // high
        rest, high = rest % high, high // n_orders
        for c in range(k):
            word, shift = t.blocks[0, (a * k + b) * k + c], t.blocks[1, (a * k + b) * k + c]
            r = (s.entries[entry, ALLOWED + word] >> shift & full) >> k * t.orders[order, c] & line
            barred = 0
            for permutation in range(n_orders):
                barred |= (~r >> t.orders[permutation, b] & 1) << permutation
            columns &= ~(barred << c * n_orders)
            if not columns >> c * n_orders & ((1 << n_orders) - 1):
                return 0
    return columns


@subroutine
def _sort_by_code(t: Tables, s: PlacementsState, a: int, count: int) -> None:
    k = len(t.ways)
    n_codes = k ** (k * k)
    for code in range(n_codes + 1):
        s.scratch[k + 1, code] = 0
    for i in range(count):
        s.scratch[len(t.ways) + 1, t.codes[1, s.scratch[a, i]]] += 1
    end = 0
    for code in range(n_codes + 1):
        end += s.scratch[len(t.ways) + 1, code]
        s.scratch[len(t.ways) + 1, code] = end
    # From the end on, so that each start is right when its last way is put in its place.
    for i in range(count - 1, -1, -1):
        way = s.scratch[a, i]
        s.scratch[len(t.ways) + 1, t.codes[1, way]] -= 1
        s.scratch[len(t.ways), s.scratch[len(t.ways) + 1, t.codes[1, way]]] = way


@subroutine
def _join(
    t: Tables,
    s: PlacementsState,
    first: int,
    n_first: int,
    second: int,
    n_second: int,
    largest: int,
    begin: int,
    room: int,
) -> int:
    """Write the placements that the ways of all a make; return where they end, or -1 if there is no room."""
    # The numbers r - o of a block are all different, so those of the last a are the numbers that the others leave.
    k, n_ways = len(t.ways), t.ways.shape[1]
    # With digits of base k: in each place 0 + 1 + ... + k - 1.
    all_codes = (k ** (k * k) - 1) // (k - 1) * (k * (k - 1) // 2)
    row_after = begin
    for i in range(n_first):
        way = s.scratch[first, i]
        for j in range(n_second):
            code = all_codes - t.codes[1, way]
            placed = load(t.ways, 4 * (first * n_ways + way))
            if k == 3:
                second_way = s.scratch[second, j]
                if t.codes[0, way] & t.codes[0, second_way]:
                    continue
                code -= t.codes[1, second_way]
                placed |= load(t.ways, 4 * (second * n_ways + second_way))
            for place in range(s.scratch[len(t.ways) + 1, code], s.scratch[len(t.ways) + 1, code + 1]):
                if row_after == room:
                    return -1
                store(
                    s.lists,
                    4 * row_after,
                    placed | load(t.ways, 4 * (largest * n_ways + s.scratch[len(t.ways), place])),
                )
                row_after += 1
    return row_after
