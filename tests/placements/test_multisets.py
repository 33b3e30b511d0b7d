"""What the compiled search concludes from patterns and from lists, beside the same by plain loops."""

from collections import Counter

import numpy as np
import pytest

from sudoku_encode.placements import branching_kernel, entries_kernel
from sudoku_encode.placements.classes import class_numbers
from sudoku_encode.placements.state import (
    ALLOWED,
    CHUNK,
    COUNT,
    FRESH,
    HELD,
    MOST_PATTERNS,
    ORDER,
    PLACED_SO_FAR,
    ROW,
    TAKEN,
    new_state,
    tables,
)
from sudoku_encode.placements.structure import WORD_BITS, WORDS, lines, patterns_of, words
from sudoku_encode.puzzles.arrays import Int64s
from tests.helpers.solved_cubes import mixed_cube

MIXED = [one for one in class_numbers() if len(set(one)) > 1]
ALL = np.full((256, 9, WORDS), (1 << 63) - 1)


def can_match(left: list[int], having: dict[int, set[int]], open_values: list[int]) -> bool:
    """Return whether each open value can have one of the patterns that are left, by trying all ways."""
    if not open_values:
        return not left
    first, *rest = open_values
    return any(
        first in having.get(pattern, set()) and can_match(left[:i] + left[i + 1 :], having, rest)
        for i, pattern in enumerate(left)
        if pattern not in left[:i]
    )


def test_room_for_patterns() -> None:
    """No multiset has more patterns than there is room for."""
    assert max(len(set(one)) for one in MIXED) == MOST_PATTERNS
    t, found = tables(3), set()
    for different, (times, number) in zip(t.mixed, t.counts.tolist(), strict=True):
        found.add(tuple(sorted(np.repeat(different[:number], [times >> 4 * i & 15 for i in range(number)]).tolist())))
    assert found == set(MIXED)
    assert len(t.mixed) == len(MIXED)


@pytest.mark.parametrize("n_placed", [1, 2, 4, 7, 9])
def test_open_values(n_placed: int) -> None:
    """What open values can have is what some multiset leaves to all of them."""
    random, alive = np.random.default_rng(n_placed), 0
    for _ in range(12):
        base = int(random.integers(256))
        order, cube = random.permutation(9), np.array(MIXED[random.integers(len(MIXED))]) ^ base
        placed, rest = order[:n_placed].tolist(), sorted(order[n_placed:].tolist())
        # What the open values have in one cube, which is left out for one of them now and then, and more.
        entries = {(int(value), int(cube[value])) for value in rest if random.random() < 0.9}
        few = (np.array(MIXED[random.integers(len(MIXED))]) ^ cube[placed[0]]).tolist()
        entries |= {(value, pattern) for value in rest for pattern in few if random.random() < 0.3}
        rows = np.array(sorted(entries), np.int64).reshape(-1, 2)
        state = new_state(rows, ALL, 3, 1, 1, True)
        for place, value in enumerate(placed):
            state.counts[ORDER + place], state.chosen[value, WORDS] = value, cube[value]
        open_values = sum(1 << value for value in rest)
        possible = branching_kernel.find_possible(tables(3), state, 0, n_placed, open_values)

        having = {pattern: {value for value, own in entries if own == pattern} for _, pattern in entries}
        expected: set[tuple[int, int]] = set()
        fits = False
        for one in MIXED:
            left = Counter(member ^ int(cube[placed[0]]) for member in one)
            taken = Counter(cube[placed].tolist())
            if taken <= left and can_match(sorted((left - taken).elements()), having, rest):
                fits = True
                expected |= {(value, pattern) for value, pattern in entries if pattern in left - taken}
        alive += fits
        assert bool(possible) == fits
        found = {(value, pattern) for value, pattern in entries if state.values[0, pattern] >> value & 1}
        assert found == expected
    assert alive


def listed(seed: int) -> Int64s:
    """Return placements in the order in which a list has them: int64 (m, 4)."""
    ways, random = tables(3).ways, np.random.default_rng(seed)
    first, second, last = random.permutation(3).tolist()
    rows = [
        ways[first, i] | ways[second, j] | ways[last, m]
        for i in random.choice(ways.shape[1], 8, False)
        for j in random.choice(ways.shape[1], random.integers(1, 9), False)
        for m in random.choice(ways.shape[1], random.integers(1, 9), False)
    ]
    return np.array(rows)


@pytest.mark.parametrize("seed", range(12))
def test_list_filter(seed: int) -> None:
    """A list keeps what is allowed whatever is passed over."""
    rows = listed(seed)
    random = np.random.default_rng(seed)
    allowed = rows[random.integers(len(rows))]
    for _ in range(seed):
        allowed = allowed | rows[random.integers(len(rows))]
    kept = rows[(rows & ~allowed == 0).all(axis=1)]
    after = -(-len(rows) // CHUNK) * CHUNK
    for own_from, own in ((0, True), (after, False)):
        state = new_state(np.array([[0, 0]]), ALL, 3, 2 * after + CHUNK, 1, False)
        state.lists[: len(rows)], state.counts[TAKEN] = rows, after
        entries_kernel.set_list(state, 0, 0, len(rows))
        of_chunks = [np.bitwise_and.reduce(rows[i : i + CHUNK]).tolist() for i in range(0, len(rows), CHUNK)]
        assert state.shared[: len(of_chunks)].tolist() == of_chunks
        state.entries[0, ALLOWED:HELD] = allowed
        assert entries_kernel.refresh(state, 0, own_from) > 0
        begin, count = state.entries[0, ROW], state.entries[0, COUNT]
        assert begin == (0 if own else after)
        assert state.lists[begin : begin + count].tolist() == kept.tolist()
        assert own or state.lists[: len(rows)].tolist() == rows.tolist()
        assert state.entries[0, FRESH]
        assert state.entries[0, ALLOWED:HELD].tolist() == np.bitwise_or.reduce(kept).tolist()
        assert state.entries[0, HELD:].tolist() == np.bitwise_and.reduce(kept).tolist()


@pytest.mark.parametrize("rows", [1, 7, 8, 13])
def test_whole_segments_only(rows: int) -> None:
    """There is room for whole chunks only."""
    state = new_state(np.array([[0, 0]]), ALL, 3, rows, 1, False)
    assert rows <= len(state.lists) == CHUNK * len(state.shared) < rows + CHUNK


def test_full_list_unchanged() -> None:
    """A list without room for what is kept stays as it is."""
    rows = listed(1)
    state = new_state(np.array([[0, 0]]), ALL, 3, len(rows), 1, False)
    state.lists[: len(rows)], state.counts[TAKEN] = rows, len(state.lists)
    entries_kernel.set_list(state, 0, 0, len(rows))
    state.entries[0, FRESH] = False
    assert entries_kernel.refresh(state, 0, len(state.lists)) == 0
    assert state.lists[: len(rows)].tolist() == rows.tolist()
    assert state.entries[0, [ROW, COUNT, FRESH]].tolist() == [0, len(rows), 0]


@pytest.mark.parametrize("value", [1, 9])
def test_crossing_lines(value: int) -> None:
    """A placement takes from each pattern the lines that share a cell with it."""
    grid = mixed_cube()
    cells, own = np.flatnonzero(grid == value), patterns_of(grid, 3)[value - 1]
    state = new_state(np.array([[0, 0]]), ALL, 3, 1, 1, True)
    held = np.zeros(WORDS * WORD_BITS, bool)
    held[lines(3, own)[cells]] = True
    state.chosen[0, :WORDS], state.counts[PLACED_SO_FAR] = words(held), 1
    for other in (own, *np.random.default_rng(value).integers(256, size=20).tolist()):
        branching_kernel.find_blocked(tables(3), state, 0, own, other)
        taken = np.zeros(WORDS * WORD_BITS, bool)
        taken[lines(3, other)[cells]] = True
        assert state.blocked[other, :WORDS].tolist() == words(taken).tolist()
