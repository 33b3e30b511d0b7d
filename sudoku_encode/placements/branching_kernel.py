"""What the search by placements tries in a frame, one after the other; compiled."""

from sudoku_encode.placements.multisets_kernel import find_possible
from sudoku_encode.placements.state import (
    ALLOWED,
    BEFORE,
    BEGIN,
    BEGUN,
    COLUMNS,
    COUNT,
    DEPTH,
    END,
    ENTRY,
    FIRST,
    FRESH,
    ITEM,
    KIND,
    LEFT,
    LINE,
    MIXED,
    N_ENTRIES,
    N_PLACED,
    NEW,
    OPEN,
    ORDER,
    PATTERN,
    PLACED_SO_FAR,
    PLACEMENT,
    RANDOM,
    ROW,
    SIGNS,
    SINGLE,
    SIZE,
    SIZES,
    STRIDE,
    TAKEN,
    VALUE,
    PlacementsState,
    Tables,
)
from sudoku_encode.placements.structure import WORDS
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones


@inlined
def _random(s: PlacementsState, below: int) -> int:
    """Return a number from 0 on, below another."""
    x = s.counts[RANDOM]
    x ^= (x & 0x7FFFFFFFFFF) << 13
    x &= 0x7FFFFFFFFFFFFFFF
    x ^= x >> 7
    x ^= (x & 0x3FFFFFFFFFFF) << 17
    x &= 0x7FFFFFFFFFFFFFFF
    s.counts[RANDOM] = x
    return int((x >> 8) % below)


@compiled
def choose(t: Tables, s: PlacementsState, depth: int) -> None:
    """Choose what to try in a frame: the placements of the value with the fewest, if they are listed."""
    frame = s.frames[depth]
    for value in range(len(s.chosen)):
        s.counts[SIZES + value] = 0
    for entry in range(frame[BEGIN], frame[END]):
        s.counts[SIZES + s.entries[entry, VALUE]] += s.entries[entry, SIZE]
    value = -1
    for one in range(len(s.chosen)):
        if frame[OPEN] >> one & 1 and (value < 0 or s.counts[SIZES + one] < s.counts[SIZES + value]):
            value = one
    entry, count, listed = -1, 0, True
    for one in range(frame[BEGIN], frame[END]):
        if s.entries[one, VALUE] == value:
            if entry < 0:
                entry = one
            count += 1
            listed &= s.entries[one, COUNT] >= 0
    frame[ENTRY], frame[N_ENTRIES], frame[BEGUN], frame[LEFT] = entry, count, 0, 0
    frame[FIRST] = _random(s, frame[N_ENTRIES])
    if listed:
        frame[KIND] = PLACEMENT
    elif count > 1:
        frame[KIND] = PATTERN
    else:
        frame[KIND] = LINE
        _choose_block(t, s, frame)


@compiled
def _choose_block(t: Tables, s: PlacementsState, frame: Int64s) -> None:
    """Choose the block with the fewest lines, of those with several."""
    n_lines = t.crossings.shape[1]
    fewest = n_lines + 1
    for block in range(t.blocks.shape[1]):
        x = s.entries[frame[ENTRY], ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & ((1 << n_lines) - 1)
        if 1 < ones(x) < fewest:
            fewest = ones(x)
            frame[ITEM], frame[LEFT] = block, x
    if fewest > n_lines:
        # There was no room for a list, of this one.
        frame[KIND], frame[LEFT] = SINGLE, 1


@compiled
def begin_next(t: Tables, s: PlacementsState, depth: int) -> bool:
    """Make the frame of what is tried next; say whether there is something left to try."""
    frame = s.frames[depth]
    if frame[KIND] == PLACEMENT:
        return _next_placement(t, s, depth)
    if frame[KIND] == PATTERN:
        if frame[BEGUN] == frame[N_ENTRIES]:
            return False
        entry = frame[ENTRY] + (frame[FIRST] + frame[BEGUN]) % frame[N_ENTRIES]
        frame[BEGUN] += 1
        below = s.frames[depth + 1]
        _begin_below(s, depth)
        for one in range(frame[BEGIN], frame[END]):
            if s.entries[one, VALUE] != s.entries[entry, VALUE] or one == entry:
                _copy(s, one, below)
        return True
    if not frame[LEFT]:
        return False
    if frame[KIND] == SINGLE:
        frame[LEFT] = 0
        if not _has_others(t, s, depth, frame[ENTRY]):
            return False
        for word in range(4):
            s.chosen[s.entries[frame[ENTRY], VALUE], word] = s.entries[frame[ENTRY], ALLOWED + word]
        _place(t, s, depth, frame[ENTRY])
        return True
    skip = _random(s, ones(frame[LEFT]))
    left = frame[LEFT]
    for _ in range(skip):
        left &= left - 1
    line = left & -left
    frame[LEFT] ^= line
    _take_line(t, s, depth, frame[ENTRY], frame[ITEM], lowest(line))
    return True


@compiled
def _begin_below(s: PlacementsState, depth: int) -> None:
    """Begin a frame below another one, without entries."""
    frame, below = s.frames[depth], s.frames[depth + 1]
    below[BEGIN] = below[END] = frame[END]
    below[BEFORE], below[OPEN], below[N_PLACED], below[KIND] = s.counts[TAKEN], frame[OPEN], frame[N_PLACED], NEW
    s.counts[DEPTH] = depth + 1


@inlined
def _copy(s: PlacementsState, entry: int, below: Int64s) -> int:
    """Copy an entry into the frame below; return its number there."""
    to = below[END]
    below[END] += 1
    for column in range(COLUMNS):
        s.entries[to, column] = s.entries[entry, column]
    return int(to)


@inlined
def _bar(s: PlacementsState, entry: int, lines: Int64s) -> None:
    """Take lines from an entry."""
    for word in range(4):
        if s.entries[entry, ALLOWED + word] & lines[word]:
            s.entries[entry, ALLOWED + word] &= ~lines[word]
            s.entries[entry, FRESH] = False


@compiled
def _next_placement(t: Tables, s: PlacementsState, depth: int) -> bool:
    """Make the frame with the next placement of the value that is tried; say whether there is one."""
    frame = s.frames[depth]
    while True:
        while not frame[LEFT]:
            if frame[BEGUN] == frame[N_ENTRIES]:
                return False
            entry = frame[ENTRY] + (frame[FIRST] + frame[BEGUN]) % frame[N_ENTRIES]
            frame[BEGUN] += 1
            count = s.entries[entry, COUNT]
            frame[LEFT] = count if _has_others(t, s, depth, entry) else 0
            if frame[LEFT]:
                # All numbers below `count` come once, since the stride has no divisor with it.
                frame[ITEM], frame[STRIDE] = _random(s, count), 1 + _random(s, count)
                while _divisor(frame[STRIDE], count) > 1:
                    frame[STRIDE] += 1
        entry = frame[ENTRY] + (frame[FIRST] + frame[BEGUN] - 1) % frame[N_ENTRIES]
        frame[LEFT] -= 1
        frame[ITEM] = (frame[ITEM] + frame[STRIDE]) % s.entries[entry, COUNT]
        row = s.entries[entry, ROW] + frame[ITEM]
        fits = True
        for word in range(4):
            fits &= not s.lists[row, word] & ~s.entries[entry, ALLOWED + word]
        if fits:
            break
    for word in range(4):
        s.chosen[s.entries[entry, VALUE], word] = s.lists[row, word]
    _place(t, s, depth, entry)
    return True


@compiled
def _has_others(t: Tables, s: PlacementsState, depth: int, entry: int) -> bool:
    """Find which patterns other values can have beside an entry's; say whether there is a cube at all."""
    frame = s.frames[depth]
    value = s.entries[entry, VALUE]
    s.chosen[value, WORDS], s.counts[ORDER + frame[N_PLACED]] = s.entries[entry, SIGNS], value
    return not s.counts[MIXED] or find_possible(t, s, depth, frame[N_PLACED] + 1, frame[OPEN] & ~(1 << value))


@compiled
def _place(t: Tables, s: PlacementsState, depth: int, entry: int) -> None:
    """Make the frame in which an entry's value has the placement that was chosen."""
    frame = s.frames[depth]
    value, pattern = s.entries[entry, VALUE], s.entries[entry, SIGNS]
    s.counts[PLACED_SO_FAR] += 1
    below = s.frames[depth + 1]
    _begin_below(s, depth)
    below[OPEN] &= ~(1 << value)
    below[N_PLACED] += 1
    for one in range(frame[BEGIN], frame[END]):
        if s.entries[one, VALUE] == value:
            continue
        if s.counts[MIXED] and not s.values[depth, s.entries[one, SIGNS]] >> s.entries[one, VALUE] & 1:
            continue
        find_blocked(t, s, value, pattern, s.entries[one, SIGNS])
        _bar(s, _copy(s, one, below), s.blocked[s.entries[one, SIGNS]])


@compiled
def _divisor(x: int, y: int) -> int:
    """Return the greatest common divisor."""
    while y:
        x, y = y, x % y
    return x


@compiled
def find_blocked(t: Tables, s: PlacementsState, value: int, pattern: int, other: int) -> None:
    """Find which lines of another pattern the last placement meets, unless that is known."""
    if s.blocked[other, WORDS] == s.counts[PLACED_SO_FAR]:
        return
    s.blocked[other, WORDS] = s.counts[PLACED_SO_FAR]
    if pattern == other:
        for word in range(4):
            s.blocked[other, word] = s.chosen[value, word]
        return
    n_lines = t.crossings.shape[1]
    for word in range(4):
        s.blocked[other, word] = 0
    for block in range(t.blocks.shape[1]):
        word, shift = t.blocks[0, block], t.blocks[1, block]
        line = lowest(s.chosen[value, word] >> shift & ((1 << n_lines) - 1))
        s.blocked[other, word] |= t.crossings[t.signs[0, pattern ^ other, block], line] << shift


@compiled
def _take_line(t: Tables, s: PlacementsState, depth: int, entry: int, block: int, line: int) -> None:
    """Make the frame in which an entry has a line of a block, and others have none that meets it."""
    below = s.frames[depth + 1]
    _begin_below(s, depth)
    frame = s.frames[depth]
    word, shift = t.blocks[0, block], t.blocks[1, block]
    all_lines = (1 << t.crossings.shape[1]) - 1
    for one in range(frame[BEGIN], frame[END]):
        copied = _copy(s, one, below)
        barred = t.crossings[t.signs[0, s.entries[entry, SIGNS] ^ s.entries[one, SIGNS], block], line]
        if one == entry:
            barred = all_lines & ~(1 << line)
        if s.entries[copied, ALLOWED + word] & barred << shift:
            s.entries[copied, ALLOWED + word] &= ~(barred << shift)
            s.entries[copied, FRESH] = False
