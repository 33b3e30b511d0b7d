"""The compiled loops of `component_cache`."""

import numpy as np

from sudoku_encode.frontier.component_keys_kernel import (
    PLACE,
    WIDTH,
    add,
    compare_rows,
    enter,
    multiply,
    slot_of,
    write_key,
)
from sudoku_encode.frontier.problem import Cache, Search, Units
from sudoku_encode.run.compiling import bit_count, compiled, subroutine

# How `count_parts` ended.
DONE, UNFINISHED, FULL = 0, 1, 2
# Fields of a frame: its cells in `Search.cells`, from FIRST to LAST; how many of its values were tried, of how many;
# the part to count next, and where the parts end; the length of the trail before the current value; where its key
# begins and ends in `Search.keys`; and the digits of its sum and of its product.
FIRST, LAST, TRIED, CHOICES, NEXT_PART, END_PART, TRAIL, KEY, END_KEY, SUM, PRODUCT, FIELDS = range(12)
# Places in `Search.progress`: the frame, the length of the trail, entries of the cache, words of its pool in use; how
# many units are to be looked at; how many cells were queued, and of how many the value is barred from their peers.
DEPTH, TRAIL_LENGTH, ENTRIES, USED = range(4)
CHANGED, QUEUED, BARRED = WIDTH + 1, WIDTH + 2, WIDTH + 3


@compiled
def count_parts(units: Units, search: Search, cache: Cache, work: int) -> int:
    """Count all parts, each once, while there is work and room; the product is that of frame 0."""
    progress, frames = search.progress, search.frames
    while work > 0:
        depth = progress[DEPTH]
        frame = frames[depth]
        if frame[NEXT_PART] < frame[END_PART]:
            work -= _begin_part(search, cache, depth)
            continue
        if depth == 0:
            return DONE
        _end_value(search, depth)
        if frame[TRIED] < frame[CHOICES]:
            work -= _try_value(units, search, depth)
            continue
        if not _has_room(search, cache, depth):
            return FULL
        _end_part(search, cache, depth)
    return UNFINISHED


@subroutine
def _begin_part(search: Search, cache: Cache, depth: int) -> int:
    """Take the count of a frame's next part from the cache, or push a frame for it; return the work that it was."""
    frame, part = search.frames[depth], search.parts[search.frames[depth, NEXT_PART]]
    frame[NEXT_PART] += 1
    start = frame[END_KEY]
    end, size = write_key(search, part[0], part[1], start)
    place = np.int64(cache.table[slot_of(search.keys, start, end, cache)] & PLACE)
    if place:
        head = cache.pool[place]
        digits = int(place + 1 + np.int64(head & np.uint32(0xFFFF)))
        length = int(np.int64(head >> np.uint32(16)))
        frame[PRODUCT] = multiply(search.products[depth], frame[PRODUCT], cache.pool, digits, length, search.scratch)
        if frame[PRODUCT] == 0:
            frame[NEXT_PART] = frame[END_PART]
        return int(part[1] - part[0])
    below = search.frames[depth + 1]
    below[FIRST], below[LAST], below[TRIED] = part[0], part[1], 0
    below[NEXT_PART] = below[END_PART] = frame[END_PART]
    below[TRAIL], below[KEY], below[END_KEY] = search.progress[TRAIL_LENGTH], start, end
    below[SUM] = below[PRODUCT] = 0
    below[CHOICES] = _write_choices(search, depth + 1, size)
    search.progress[DEPTH] = depth + 1
    return int(2 * (part[1] - part[0]))


@subroutine
def _write_choices(search: Search, depth: int, size: int) -> int:
    """Write the values of a part's first cell, one of each class of equal sets of cells; return their number."""
    n_choices = 0
    for number in range(size):
        value = search.order[number]
        if not search.rows[value, 0] & np.uint64(1):
            continue
        if (
            n_choices
            and number
            and compare_rows(search.rows, value, search.order[number - 1], search.progress[WIDTH]) == 0
        ):
            search.times[depth, n_choices - 1] += 1
        else:
            search.choices[depth, n_choices] = value
            search.times[depth, n_choices] = 1
            n_choices += 1
    return n_choices


@subroutine
def _end_value(search: Search, depth: int) -> None:
    """Add the product of the parts under a frame's current value to its sum, and take the value back."""
    frame = search.frames[depth]
    if frame[PRODUCT]:
        frame[SUM] = add(
            search.sums[depth],
            frame[SUM],
            search.products[depth],
            frame[PRODUCT],
            np.uint64(search.times[depth, frame[TRIED] - 1]),
        )
        frame[PRODUCT] = 0
    place, start = search.progress[TRAIL_LENGTH], frame[TRAIL]
    while place > start:
        place -= 1
        search.masks[search.trail[place, 0]] = search.trail[place, 1]
    search.progress[TRAIL_LENGTH] = start


@subroutine
def _try_value(units: Units, search: Search, depth: int) -> int:
    """Place a frame's next value in its first cell and split what is open then into parts; return the work."""
    frame = search.frames[depth]
    value = search.choices[depth, frame[TRIED]]
    frame[TRIED] += 1
    before = search.frames[depth - 1, END_PART]
    frame[NEXT_PART] = frame[END_PART] = before
    if settle(units, search, search.cells[frame[FIRST]], int(np.int64(1) << value)):
        frame[PRODUCT] = search.products[depth, 0] = 1
        frame[END_PART] = split(units, search, frame[FIRST], frame[LAST], before)
    return int(4 * (frame[LAST] - frame[FIRST]))


@subroutine
def _has_room(search: Search, cache: Cache, depth: int) -> bool:
    """Return whether the cache has room for a part that is counted."""
    frame = search.frames[depth]
    need = 1 + frame[END_KEY] - frame[KEY] + frame[SUM]
    entries, used = search.progress[ENTRIES], search.progress[USED]
    return bool(used + need <= len(cache.pool) and 4 * (entries + 1) <= 3 * len(cache.table))


@subroutine
def _end_part(search: Search, cache: Cache, depth: int) -> None:
    """Enter the count of a frame's part into the cache, multiply the product above by it, and pop the frame."""
    frame, above = search.frames[depth], search.frames[depth - 1]
    place, start, end = search.progress[USED], frame[KEY], frame[END_KEY]
    # Parts below are smaller, so none of them has this key, but one may have taken its slot.
    slot = slot_of(search.keys, start, end, cache)
    digits = place + 1 + end - start
    enter(search, cache, slot, place, start, end)
    for digit in range(frame[SUM]):
        cache.pool[digits + digit] = np.uint32(search.sums[depth, digit])
    cache.pool[place] |= np.uint32(frame[SUM]) << np.uint32(16)
    search.progress[USED] = digits + frame[SUM]
    search.progress[ENTRIES] += 1
    above[PRODUCT] = multiply(
        search.products[depth - 1], above[PRODUCT], cache.pool, digits, frame[SUM], search.scratch
    )
    if above[PRODUCT] == 0:
        above[NEXT_PART] = above[END_PART]
    search.progress[DEPTH] = depth - 1


@subroutine
def settle(units: Units, search: Search, cell: int, mask: int) -> bool:
    """Place a value and what follows by singles; return False if a unit has fewer values than open cells."""
    progress = search.progress
    progress[QUEUED] = progress[BARRED] = 0
    sound = _change(units, search, cell, mask)
    while sound:
        if progress[BARRED] < progress[QUEUED]:
            sound = _bar_from_peers(units, search, search.queue[progress[BARRED]])
            progress[BARRED] += 1
        elif progress[CHANGED]:
            progress[CHANGED] -= 1
            unit = search.changed[progress[CHANGED]]
            search.is_changed[unit] = False
            sound = _place_hidden(units, search, unit)
        else:
            break
    while progress[CHANGED]:
        progress[CHANGED] -= 1
        search.is_changed[search.changed[progress[CHANGED]]] = False
    return sound


@subroutine
def _change(units: Units, search: Search, cell: int, mask: int) -> bool:
    """Set what a cell may hold, which can be taken back; return whether it may hold anything."""
    progress = search.progress
    search.trail[progress[TRAIL_LENGTH], 0], search.trail[progress[TRAIL_LENGTH], 1] = cell, search.masks[cell]
    progress[TRAIL_LENGTH] += 1
    search.masks[cell] = mask
    if not mask & (mask - 1):
        search.queue[progress[QUEUED]] = cell
        progress[QUEUED] += 1
    for item in range(units.of_cells.starts[cell], units.of_cells.starts[cell + 1]):
        unit = units.of_cells.items[item]
        if not search.is_changed[unit]:
            search.is_changed[unit] = True
            search.changed[progress[CHANGED]] = unit
            progress[CHANGED] += 1
    return mask != 0


@subroutine
def _bar_from_peers(units: Units, search: Search, cell: int) -> bool:
    """Take the value of a cell from its peers; return False if one may hold nothing then."""
    masks = search.masks
    for item in range(units.peers.starts[cell], units.peers.starts[cell + 1]):
        peer = units.peers.items[item]
        if masks[peer] & masks[cell] and not _change(units, search, peer, masks[peer] & ~masks[cell]):
            return False
    return True


@subroutine
def _place_hidden(units: Units, search: Search, unit: int) -> bool:
    """Place the values that only one cell of a unit may hold; return False if it has too few values for its cells."""
    masks, first, last = search.masks, units.cells.starts[unit], units.cells.starts[unit + 1]
    n_open, once, twice = 0, np.int64(0), np.int64(0)
    for item in range(first, last):
        mask = masks[units.cells.items[item]]
        if mask & (mask - 1):
            n_open += 1
            twice |= once & mask
            once |= mask
    n_values, hidden = bit_count(int(once)), once & ~twice
    # Where there are more values than cells, none of them needs a cell.
    if n_values != n_open or not hidden:
        return n_values >= n_open
    for item in range(first, last):
        cell = units.cells.items[item]
        mask = masks[cell] & hidden
        if mask and masks[cell] & (masks[cell] - 1):
            if mask & (mask - 1):
                return False
            _change(units, search, cell, mask)
    return True


@compiled
def split(units: Units, search: Search, first: int, last: int, n_parts: int) -> int:
    """Write the connected parts of the open cells among some; return how many parts there are then."""
    masks, cells, parts = search.masks, search.cells, search.parts
    # Behind the parts that wait to be counted.
    top = parts[n_parts - 1, 1] if n_parts else last
    for index in range(first, last):
        search.is_open[cells[index]] = masks[cells[index]] & (masks[cells[index]] - 1) != 0
    for index in range(first, last):
        if not search.is_open[cells[index]]:
            continue
        search.is_open[cells[index]] = False
        start = top
        cells[top] = cells[index]
        top += 1
        done = start
        while done < top:
            cell = cells[done]
            done += 1
            for item in range(units.peers.starts[cell], units.peers.starts[cell + 1]):
                peer = units.peers.items[item]
                if search.is_open[peer] and masks[peer] & masks[cell]:
                    search.is_open[peer] = False
                    cells[top] = peer
                    top += 1
        parts[n_parts, 0], parts[n_parts, 1] = start, top
        n_parts += 1
        # Insertion sort: they are few, and nearly in order.
        for place in range(start + 1, top):
            cell, to = cells[place], place
            while to > start and cells[to - 1] > cell:
                cells[to] = cells[to - 1]
                to -= 1
            cells[to] = cell
    return n_parts
