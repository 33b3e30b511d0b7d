"""The search that counts each part once: agreement with SAT and with the transfer matrix, large numbers, memory."""

from collections.abc import Generator
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode import frontier
from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier import component_cache, component_keys_kernel, transfer_matrix
from sudoku_encode.frontier.problem import Cache, blank, propagated_candidates
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.puzzles import JIGSAW, cube_of_layers, puzzles
from tests.helpers.solution_sets import after, all_by_sat, never

SMALL = [
    "4x4",
    "4x4+diagonals",
    "4x4+windoku",
    "5x5",
    "6x6:3x2",
    JIGSAW,
    "4x4x4",
    "4x4@0,0;2,2",
    "corner:4",
    "latin:4x6",
]
LARGE = ["6x6", "6x6+diagonals", JIGSAW, "7x7", "4x4@0,0;2,2;4,0", "latin:6x6"]


def returned(lines: Generator[str, None, int]) -> int:
    """Return the result of a count after its lines."""
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


def by_parts(puzzle: Puzzle, max_bytes: int = 10**8) -> int:
    """Return the number of solutions by parts alone."""
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return 0
    return returned(component_cache.count(puzzle, candidates, never, max_bytes))


@pytest.mark.parametrize(
    ("givens", "barred"),
    [({}, []), ({0: 1, 16: 2}, []), ({0: 1, 6: 1, 37: 4}, []), ({}, [(0, 1), (21, 1), (32, 1), (33, 1)])],
)
def test_independent_parts(givens: dict[int, int], barred: list[tuple[int, int]]) -> None:
    """The layers of a cube are counted like squares, by parts and cell by cell."""
    puzzle, layers = cube_of_layers(givens, barred)
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    ways = transfer_matrix.ways(puzzle, candidates)

    expected = prod(len(all_by_sat(layer)) for layer in layers)
    assert by_parts(puzzle) == expected
    assert returned(frontier._count_independent(ways, never, 10**8)) == expected


@given(puzzle=puzzles(SMALL, most_open=0.9, fewer_rules=True))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_small_boards(puzzle: Puzzle) -> None:
    """It counts what SAT lists on boards of every kind."""
    assert by_parts(puzzle) == len(all_by_sat(puzzle, 100))


@given(puzzle=puzzles(LARGE, most_open=1.0, wrong=False))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_many_solutions(puzzle: Puzzle) -> None:
    """It counts as many as a transfer matrix."""
    candidates = propagated_candidates(puzzle)
    assume(candidates is not None)
    assert candidates is not None
    total = 1
    for ways in transfer_matrix.ways(puzzle, candidates):
        number = ways[0].follow(2**15, never, 10**8)
        assume(number is not None)
        total *= number or 0
    assert by_parts(puzzle) == total


@pytest.mark.parametrize(
    ("name", "rules", "expected"),
    [
        ("6x6", None, 28_200_960),
        ("6x6", ["row", "column"], 812_851_200),
        ("7x7+diagonals", ["row", "diagonal"], factorial(7) * factorial(6) ** 7),
        ("latin:3x5", None, 552 * factorial(5)),
        ("4x4x4", ["row-x", "row-y", "box-xy"], 288**4),
        ("latin:2x64", ["row"], factorial(64) ** 2),
    ],
)
def test_empty_boards(name: str, rules: list[str] | None, expected: int) -> None:
    """Empty boards have known numbers, also beyond a machine word."""
    assert by_parts(Puzzle.of(board(name, rules))) == expected


def test_larger_cache() -> None:
    """A cache that grows loses nothing, and one that may not grow ends the count."""
    puzzle = Puzzle.of(board("6x6", ["row", "column"]), [1, 2, 3, *[0] * 32, 4])
    rest = sum(by_parts(Puzzle.of(puzzle.geometry, [1, 2, 3, value, *[0] * 31, 4])) for value in (4, 5, 6))
    assert by_parts(puzzle) == rest
    with pytest.raises(OutOfTableMemory, match=r"memory limit of .* bytes: over .* parts"):
        by_parts(puzzle, 300_000)
    with pytest.raises(OutOfTableMemory, match="too many open cells"):
        by_parts(puzzle, 30_000)


def test_equal_hashes() -> None:
    """Of two keys with the same hash each has its own place."""
    keys = np.array([7, 8, 9, 7, 8, 10], np.uint32)
    table, pool = np.zeros(8, np.uint64), np.zeros(16, np.uint32)
    cache = Cache(table, pool)
    first = component_keys_kernel.slot_of(keys, 0, 3, cache)
    mixed = component_keys_kernel.hash_of(keys, 0, 3)
    table[first] = np.uint64(1) | np.uint64(mixed) >> np.uint64(40) << np.uint64(40)
    pool[1:5] = [3, 7, 8, 9]
    assert component_keys_kernel.slot_of(keys, 0, 3, cache) == first
    # The same hash, but the pool has another key.
    pool[4] = 10
    assert component_keys_kernel.slot_of(keys, 0, 3, cache) == (first + 1) % 8


def test_keys_name_cells() -> None:
    """Parts of the same form have different keys where their cells differ, and values have no names."""
    geometry = board("4x4")
    problem, _ = blank(geometry, np.ones((16, 4), bool))
    _, search = component_cache._start(problem, list(range(16)), 10**6)
    keys = []
    for first, second, marks in ((0, 1, 0b0110), (0, 2, 0b0110), (0, 1, 0b1001), (0, 1, 0b0111)):
        search.cells[:2] = first, second
        search.masks[:3] = marks
        end, _ = component_keys_kernel.write_key(search, 0, 2, 0)
        keys.append(tuple(search.keys[:end].tolist()))
    assert keys[0] == keys[2]
    assert len(set(keys)) == 3


def test_hopeless_search() -> None:
    """A search with nearly all of its work before it is given up, and ticks end it."""
    puzzle = Puzzle.of(board("8x8"), [1, 2, 3, *[0] * 61])
    with pytest.raises(OutOfTableMemory, match=r"parts of .* open cells in 0\.0.% of the search"):
        by_parts(puzzle, 10**9)
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    with pytest.raises(StoppedError, match="enough"):
        list(component_cache.count(puzzle, candidates, after(9), 10**9))
