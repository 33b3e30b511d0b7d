"""Which patterns the open values of a cube can still have together, where not all nine have one; compiled."""

from sudoku_encode.placements.state import (
    BEGIN,
    END,
    ORDER,
    SIGNS,
    VALUE,
    PlacementsState,
    Tables,
)
from sudoku_encode.placements.structure import WORDS
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones


@compiled
def find_possible(t: Tables, s: PlacementsState, depth: int, n_placed: int, open_values: int) -> bool:
    """Find for each pattern which open values can have it; say whether there is a cube at all.

    These are all values that have a pattern which is in some multiset of patterns that has the patterns of the placed
    values in it, and of which each open value can have one.

    Args:
        t: tables.
        s: state; what is found is in `s.values[depth]`.
        depth: the frame whose entries are looked at.
        n_placed: how many values are placed, those in `s.counts[ORDER:]`.
        open_values: the others, a bit each.
    """
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


@compiled
def _add_multisets(t: Tables, s: PlacementsState, depth: int, n_placed: int, base: int) -> bool:
    """Add what the multisets that have a pattern in them leave to the open values; say whether there is one."""
    possible, have = False, s.values[len(s.values) - 1]
    for number in range(len(t.mixed)):
        left = _left(t, s, n_placed, base, number)
        if left < 0 or not _fits(t, have, base, number, left):
            continue
        possible = True
        for i in range(t.counts[number, 1]):
            if left >> 4 * i & 15:
                pattern = t.mixed[number, i] ^ base
                s.values[depth, pattern] |= have[pattern]
    return possible


@inlined
def _left(t: Tables, s: PlacementsState, n_placed: int, base: int, number: int) -> int:
    """Return how many of each pattern of a multiset the placed values leave, four bits for each; -1 where too few."""
    left = t.counts[number, 0]
    for place in range(n_placed):
        pattern, i = s.chosen[s.counts[ORDER + place], WORDS] ^ base, 0
        while i < t.counts[number, 1] and t.mixed[number, i] != pattern:
            i += 1
        if not left >> 4 * i & 15:
            return -1
        left -= 1 << 4 * i
    return int(left)


@inlined
def _fits(t: Tables, have: Int64s, base: int, number: int, left: int) -> bool:
    """Say whether each open value can have one of the patterns that are left (P. Hall's theorem, 1935)."""
    n = t.counts[number, 1]
    # That one pattern has too few values is seen soonest.
    for i in range(n):
        if ones(have[t.mixed[number, i] ^ base]) < left >> 4 * i & 15:
            return False
    for some in range(1, 1 << n):
        wanted, values, rest = 0, 0, some
        while rest:
            i = lowest(rest)
            rest &= rest - 1
            wanted += left >> 4 * i & 15
            if left >> 4 * i & 15:
                values |= have[t.mixed[number, i] ^ base]
        if ones(values) < wanted:
            return False
    return True
