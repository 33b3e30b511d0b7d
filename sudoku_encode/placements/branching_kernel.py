"""The branches of the search by placements: possible patterns, and the steps that a frame tries in turn; compiled."""

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
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest, subroutine

# The patterns that the open values of a cube can still have together, where not all nine have one.


@compiled
def find_possible(t: Tables, s: PlacementsState, depth: int, n_placed: int, open_values: int) -> bool:
    """Find for each pattern the open values that can have it; return whether there is a cube at all."""
    # The result, in `s.values[depth]`, has all values with a pattern in a multiset of patterns that contains the
    # patterns of the placed values, and of which each open value can have one. `depth`: the frame whose entries are
    # used. `n_placed`: how many values are placed, those in `s.counts[ORDER:]`. `open_values`: the others, a bit each.
    frame, have = s.frames[depth], s.values[len(s.values) - 1]
    for pattern in range(s.values.shape[1]):
        have[pattern] = s.values[depth, pattern] = 0
    for entry in range(frame[BEGIN], frame[END]):
        have[s.entries[entry, SIGNS]] |= open_values & 1 << s.entries[entry, VALUE]
    if n_placed:
        return _add_multisets(t, s, depth, n_placed, s.chosen[s.counts[ORDER], WORDS])
    possible = False
    for pattern in range(s.values.shape[1]):
        if have[pattern]:
            possible |= _add_multisets(t, s, depth, n_placed, pattern)
    return possible


@subroutine
def _add_multisets(t: Tables, s: PlacementsState, depth: int, n_placed: int, base: int) -> bool:
    """Add the patterns that multisets with a given pattern leave to the open values; return whether there are any."""
    possible, have = False, s.values[len(s.values) - 1]
    for number in range(len(t.mixed)):
        rest = _patterns_left(t, s, n_placed, base, number)
        if rest < 0 or not _fits(t, have, base, number, rest):
            continue
        possible = True
        for i in range(t.counts[number, 1]):
            if rest >> 4 * i & 15:
                pattern = t.mixed[number, i] ^ base
                s.values[depth, pattern] |= have[pattern]
    return possible


@inlined
def _patterns_left(t: Tables, s: PlacementsState, n_placed: int, base: int, number: int) -> int:
    """Return how many of each pattern of a multiset the placed values leave, four bits for each; -1 if too few."""
    rest = t.counts[number, 0]
    for place in range(n_placed):
        pattern, i = s.chosen[s.counts[ORDER + place], WORDS] ^ base, 0
        while i < t.counts[number, 1] and t.mixed[number, i] != pattern:
            i += 1
        if not rest >> 4 * i & 15:
            return -1
        rest -= 1 << 4 * i
    return int(rest)


@inlined
def _fits(t: Tables, have: Int64s, base: int, number: int, counts: int) -> bool:
    """Return whether each open value can have one of the remaining patterns (P. Hall's theorem, 1935)."""
    n = t.counts[number, 1]
    # The fastest check: a single pattern has too few values.
    for i in range(n):
        if bit_count(have[t.mixed[number, i] ^ base]) < counts >> 4 * i & 15:
            return False
    for subset in range(1, 1 << n):
        needed, values, rest = 0, 0, subset
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            needed += counts >> 4 * i & 15
            if counts >> 4 * i & 15:
                values |= have[t.mixed[number, i] ^ base]
        if bit_count(values) < needed:
            return False
    return True


@inlined
def _random(s: PlacementsState, below: int) -> int:
    """Return a random number from 0 to `below` - 1."""
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
    """Choose the branches of a frame: the placements of the value with the fewest, if they are listed."""
    frame = s.frames[depth]
    for value in range(len(s.chosen)):
        s.counts[SIZES + value] = 0
    for entry in range(frame[BEGIN], frame[END]):
        s.counts[SIZES + s.entries[entry, VALUE]] += s.entries[entry, SIZE]
    value = -1
    for other in range(len(s.chosen)):
        if frame[OPEN] >> other & 1 and (value < 0 or s.counts[SIZES + other] < s.counts[SIZES + value]):
            value = other
    entry, count, listed = -1, 0, True
    for other in range(frame[BEGIN], frame[END]):
        if s.entries[other, VALUE] == value:
            if entry < 0:
                entry = other
            count += 1
            listed &= s.entries[other, COUNT] >= 0
    frame[ENTRY], frame[N_ENTRIES], frame[BEGUN], frame[LEFT] = entry, count, 0, 0
    frame[FIRST] = _random(s, frame[N_ENTRIES])
    if listed:
        frame[KIND] = PLACEMENT
    elif count > 1:
        frame[KIND] = PATTERN
    else:
        frame[KIND] = LINE
        _choose_block(t, s, frame)


@subroutine
def _choose_block(t: Tables, s: PlacementsState, frame: Int64s) -> None:
    """Choose the block with the fewest lines, of those with several."""
    n_lines = t.crossings.shape[1]
    fewest = n_lines + 1
    for block in range(t.blocks.shape[1]):
        x = s.entries[frame[ENTRY], ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & ((1 << n_lines) - 1)
        if 1 < bit_count(x) < fewest:
            fewest = bit_count(x)
            frame[ITEM], frame[LEFT] = block, x
    if fewest > n_lines:
        # There was no room for a list of the only placement.
        frame[KIND], frame[LEFT] = SINGLE, 1


@compiled
def begin_next(t: Tables, s: PlacementsState, depth: int) -> bool:
    """Make the frame of the next branch; return whether there is one."""
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
        for other in range(frame[BEGIN], frame[END]):
            if s.entries[other, VALUE] != s.entries[entry, VALUE] or other == entry:
                _copy(s, other, below)
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
    skip = _random(s, bit_count(frame[LEFT]))
    rest = frame[LEFT]
    for _ in range(skip):
        rest &= rest - 1
    line = rest & -rest
    frame[LEFT] ^= line
    _take_line(t, s, depth, frame[ENTRY], frame[ITEM], lowest(line))
    return True


@subroutine
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


@subroutine
def _next_placement(t: Tables, s: PlacementsState, depth: int) -> bool:
    """Make the frame with the next placement of the current value; return whether there is one."""
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


@subroutine
def _has_others(t: Tables, s: PlacementsState, depth: int, entry: int) -> bool:
    """Find the patterns that other values can have beside an entry's; return whether there is a cube at all."""
    frame = s.frames[depth]
    value = s.entries[entry, VALUE]
    s.chosen[value, WORDS], s.counts[ORDER + frame[N_PLACED]] = s.entries[entry, SIGNS], value
    return not s.counts[MIXED] or find_possible(t, s, depth, frame[N_PLACED] + 1, frame[OPEN] & ~(1 << value))


@subroutine
def _place(t: Tables, s: PlacementsState, depth: int, entry: int) -> None:
    """Make the frame in which an entry's value has the placement that was chosen."""
    frame = s.frames[depth]
    value, pattern = s.entries[entry, VALUE], s.entries[entry, SIGNS]
    s.counts[PLACED_SO_FAR] += 1
    below = s.frames[depth + 1]
    _begin_below(s, depth)
    below[OPEN] &= ~(1 << value)
    below[N_PLACED] += 1
    for other in range(frame[BEGIN], frame[END]):
        if s.entries[other, VALUE] == value:
            continue
        if s.counts[MIXED] and not s.values[depth, s.entries[other, SIGNS]] >> s.entries[other, VALUE] & 1:
            continue
        find_blocked(t, s, value, pattern, s.entries[other, SIGNS])
        _bar(s, _copy(s, other, below), s.blocked[s.entries[other, SIGNS]])


@subroutine
def _divisor(x: int, y: int) -> int:
    """Return the greatest common divisor."""
    while y:
        x, y = y, x % y
    return x


@compiled
def find_blocked(t: Tables, s: PlacementsState, value: int, pattern: int, other: int) -> None:
    """Find the lines of another pattern that the last placement meets, unless they are known."""
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


@subroutine
def _take_line(t: Tables, s: PlacementsState, depth: int, entry: int, block: int, line: int) -> None:
    """Make the frame in which an entry has a line of a block, and no other entry has a line that meets it."""
    below = s.frames[depth + 1]
    _begin_below(s, depth)
    frame = s.frames[depth]
    word, shift = t.blocks[0, block], t.blocks[1, block]
    all_lines = (1 << t.crossings.shape[1]) - 1
    for other in range(frame[BEGIN], frame[END]):
        copied = _copy(s, other, below)
        barred = t.crossings[t.signs[0, s.entries[entry, SIGNS] ^ s.entries[other, SIGNS], block], line]
        if other == entry:
            barred = all_lines & ~(1 << line)
        if s.entries[copied, ALLOWED + word] & barred << shift:
            s.entries[copied, ALLOWED + word] &= ~(barred << shift)
            s.entries[copied, FRESH] = False
