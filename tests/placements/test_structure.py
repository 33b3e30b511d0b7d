"""The statements of `placements.structure`, each against the rules themselves."""

from itertools import combinations, product

import numpy as np
import pytest

from sudoku_encode.placements.state import allowed_lines, tables
from sudoku_encode.placements.structure import bits, crossings, lines, pattern_of, patterns, patterns_of
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from tests.helpers.solved_cubes import EMPTY_4, by, mixed_cube, table_1

SIDES = {2: board("4x4x4"), 3: board("9x9x9")}


def cells_of_line(k: int, pattern: int, block: int, line: int) -> frozenset[int]:
    return frozenset(np.flatnonzero(lines(k, pattern) == bits(k)[block, line]).tolist())


@pytest.mark.parametrize(("k", "number"), [(2, 4), (3, 36)])
def test_lines_of_block(k: int, number: int) -> None:
    """Lines are all that has a cell in each layer of a block."""
    cells = list(product(range(k), repeat=3))
    straight = {
        frozenset((x * k * k + y) * k * k + z for x, y, z in some)
        for some in combinations(cells, k)
        if all(len({cell[axis] for cell in some}) == k for axis in range(3))
    }
    assert len(straight) == number
    assert {cells_of_line(k, p, 0, line) for p in range(len(patterns(k))) for line in range(k * k)} == straight


def test_directions() -> None:
    """All partitions of 27 cells into nine lines: 4 of one direction, 36 of six and three."""
    all_lines = sorted({cells_of_line(3, p, 0, line) for p in range(256) for line in range(9)}, key=sorted)
    block = sorted(set.union(*map(set, all_lines)))
    # Two lines have the same direction where one is the other, shifted.
    places = {cell: np.array([cell // 81, cell // 9 % 9, cell % 9]) for cell in block}

    def slope(line: frozenset[int]) -> tuple[int, ...]:
        first, second, _ = sorted(line)
        return tuple(((places[second] - places[first]) % 3).tolist())

    def partitions(left: frozenset[int]) -> list[list[frozenset[int]]]:
        if not left:
            return [[]]
        return [
            [line, *rest]
            for line in all_lines
            if min(left) in line and line <= left
            for rest in partitions(left - line)
        ]

    kinds = []
    for partition in partitions(frozenset(block)):
        by_slope: dict[tuple[int, ...], list[frozenset[int]]] = {}
        for line in partition:
            by_slope.setdefault(slope(line), []).append(line)
        kinds.append(sorted(map(len, by_slope.values())))
        if len(by_slope) == 2:
            few, many = sorted(by_slope, key=lambda one: len(by_slope[one]))
            plane = {tuple(places[cell].tolist()) for line in by_slope[few] for cell in line}
            for other in (few, many):
                assert {tuple(((np.array(cell) + other) % 3).tolist()) for cell in plane} == plane
    assert sorted(kinds) == [[3, 6]] * 36 + [[9]] * 4


def test_pattern_of_value() -> None:
    """Every value of a solution has a pattern."""
    for grid in by("search", EMPTY_4):
        assert patterns_of(np.frombuffer(grid, np.uint8), 2) == (0,) * 4
    assert min(patterns_of(mixed_cube(), 3)) >= 0 < min(patterns_of(table_1(), 3))


def test_mixed_signs() -> None:
    """Cells with other signs in one block are no placement."""
    cells = np.flatnonzero(table_1() == 1)
    assert pattern_of(3, cells) == 1
    x, y, z = np.unravel_index(cells, (9, 9, 9))
    here = (x < 3) & (y < 3) & (z < 3)
    turned = np.where(here, 2 - z, z)
    assert len(set(turned[here])) == 3
    assert pattern_of(3, np.ravel_multi_index((x, y, turned), (9, 9, 9))) == -1


@pytest.mark.parametrize("k", SIDES)
def test_crossings(k: int) -> None:
    """Crossings are the lines that share a cell."""
    random = np.random.default_rng(k)
    for _ in range(30):
        one, other = random.integers(len(patterns(k)), size=2)
        block, line = int(random.integers(k**3)), int(random.integers(k * k))
        a, b, c = np.unravel_index(block, (k, k, k))
        e, f, g = (patterns(k)[one] ^ patterns(k)[other])[[0, 1, 2], [a, b, c]].astype(int)
        crossed = crossings(k)[4 * e + 2 * f + g, line]
        cells = cells_of_line(k, int(one), block, line)
        for number in range(k * k):
            assert bool(cells & cells_of_line(k, int(other), block, number)) == bool(crossed >> number & 1)


@pytest.mark.parametrize("k", SIDES)
def test_frames(k: int) -> None:
    """The cells of lines in a block are those of the frame."""
    random, t = np.random.default_rng(k), tables(k)
    numbers = np.arange(k**6).reshape((k,) * 6)
    for _ in range(30):
        pattern, block, some = (
            int(random.integers(len(patterns(k)))),
            int(random.integers(k**3)),
            random.integers(2 ** (k * k)),
        )
        a, b, c = np.unravel_index(block, (k, k, k))
        cells, signs = numbers[a, :, b, :, c, :].ravel().tolist(), t.signs[0, pattern, block]
        held = [cells_of_line(k, pattern, block, line) for line in range(k * k)]
        filled = frozenset().union(*(held[line] for line in range(k * k) if some >> line & 1))
        assert {cell for i, cell in enumerate(cells) if t.cells[signs, some] >> i & 1} == filled
        assert all(cell in held[t.through[signs, i]] for i, cell in enumerate(cells))


@pytest.mark.parametrize(("grid", "k"), [(table_1(), 3), (mixed_cube(), 3)])
def test_allowed_cells(grid: Grids, k: int) -> None:
    """What is allowed holds the solution and nothing of other values."""
    givens = np.where(np.random.default_rng(1).random(729) < 0.1, grid, 0).astype(np.uint8)
    allowed = allowed_lines(Puzzle.of(SIDES[k], givens), k)
    for value, pattern in enumerate(patterns_of(grid, k)):
        placed = np.unique(lines(k, pattern)[grid == value + 1])
        members = np.unpackbits(allowed[pattern, value].view(np.uint8), bitorder="little")
        assert members[placed].all()
        others = np.unique(lines(k, pattern)[(givens > 0) & (givens != value + 1)])
        assert not members[others].any()
