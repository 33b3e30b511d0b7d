"""Squares and cubes in vectors of blocks, of each shape; small ones too, which are otherwise searched as any board."""

from collections.abc import Iterator
from typing import ParamSpec, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sudoku_encode import search
from sudoku_encode.generating.grids import pattern, shuffled
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.search import blocks
from sudoku_encode.search.blocks_kernel import settle
from sudoku_encode.search.state import any_state, masks_of
from tests.helpers.known_puzzles import known
from tests.helpers.plain_search import singles_and_locked
from tests.helpers.puzzles import filled, puzzles
from tests.helpers.solution_sets import all_by_sat, different, never, rows_of, written_down

P = ParamSpec("P")
R = TypeVar("R")

# Boxes of two, three and four lines, a square and a cube: each is compiled, which takes longer than all these tests.
# The cube with three lines has a test of its own, and what both hold is compiled for any shape from the same lines.
SHAPES = ("4x4x4", "12x12:3x4")


@pytest.fixture(autouse=True, scope="module")
def _small_boards_too() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LEAST_CELLS", 0)
        blocks._lengths.cache_clear()
        yield
    blocks._lengths.cache_clear()


@pytest.mark.parametrize(
    ("name", "yes"),
    [
        *((name, True) for name in (*SHAPES, "6x6:2x3", "9x9x9", "12x12:4x3", "16x16", "16x16x16", "8x8:2x4")),
        *((name, False) for name in ("9x9+diagonals", "16x16+windoku", "10x10", "25x25", "9x9x9:literal", "7x7")),
    ],
)
def test_boards(name: str, yes: bool) -> None:
    """Which boards are searched so."""
    assert blocks.is_of_blocks(board(name)) == yes


def test_board_without_rule() -> None:
    """A board without one of its rules is not."""
    for name in ("16x16", "9x9x9"):
        rules = board(name).rule_names
        for left_out in rules:
            assert not blocks.is_of_blocks(board(name).with_rules([rule for rule in rules if rule != left_out]))


def settled(puzzle: Puzzle) -> tuple[bool, NDArray[np.bool_]]:
    """Return whether no contradiction was found, and what each cell may hold then."""
    state = blocks.blocks_state(puzzle)
    whole, n = state.frames.copy(), puzzle.geometry.n_values
    size = blocks.LANES * blocks.n_vectors(state)
    sound = settle(blocks.shape_of(state), state, 0)
    no_blocks = np.setdiff1d(np.arange(size), state.places)
    assert (state.frames[no_blocks] == whole[no_blocks]).all()
    return sound, (state.frames[state.places, None] >> np.arange(n) & 1).astype(bool)


@pytest.mark.slow
@given(puzzle=puzzles(SHAPES))
@settings(derandomize=True, max_examples=8, deadline=None)
def test_rules(puzzle: Puzzle) -> None:
    """The rules remove what all singles and locked candidates do and no solution."""
    sound, marks = settled(puzzle)
    solutions = all_by_sat(puzzle)

    if sound:
        assert singles_and_locked(puzzle.geometry, marks) == []
        for solution in solutions:
            assert marks[np.arange(len(solution)), np.array(solution) - 1].all()
    else:
        assert not solutions


@pytest.mark.slow
@given(puzzle=puzzles(SHAPES), size=st.integers(1, 7), work=st.integers(1, 20), limit=st.integers(1, 30))
@settings(derandomize=True, max_examples=15, deadline=None)
def test_same_as_sat_when_resumed(puzzle: Puzzle, size: int, work: int, limit: int) -> None:
    """It lists and counts what SAT finds also when it is left and written down."""
    expected = all_by_sat(puzzle)
    assert different(search.solutions(puzzle, never)) == expected
    assert search.count(puzzle, never) == len(expected)
    state, found = search.start(puzzle), []
    assert isinstance(state, blocks.BlocksState)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "VECTORS_PER_CALL", work * blocks.n_vectors(state))
        while not search.finished(state):
            out = np.zeros((size, puzzle.geometry.n_cells), np.uint8)
            found += rows_of([out[: search.advance(state, out)]])
            state = written_down(state)
    assert found == rows_of(search.solutions(puzzle, never))

    if puzzle.pencilmarks is None:
        grids, counts, _ = search.batch(puzzle.geometry, np.stack([puzzle.givens] * 2), limit, never)
        assert counts.tolist() == [min(limit, len(expected))] * 2
        for grid in grids:
            assert tuple(grid.tolist()) in expected if expected else not grid.any()


def test_same_as_listed() -> None:
    """Where the last open cells are counted at once there are as many solutions as in a list."""
    full, chance = filled("12x12:3x4"), np.random.default_rng(2)
    counts = []
    for n_givens in (72, 66, 60):
        puzzle = Puzzle.of(board("12x12:3x4"), np.where(chance.permutation(144) < n_givens, full, 0))
        counts.append(search.count(puzzle, never))
        assert counts[-1] == sum(map(len, search.solutions(puzzle, never)))
    assert max(counts) > 100


def test_empty_boards() -> None:
    """The empty cube has as many solutions as is known and the square its one."""
    assert search.count(Puzzle.of(board("4x4x4")), never) == 768
    assert search.count(known("small/12x12.txt").puzzle, never) == 1


@pytest.mark.slow
def test_hard_cube() -> None:
    """A cube with many guesses keeps the solutions that the kernel for any board counts."""
    geometry, chance = board("9x9x9"), np.random.RandomState(68003)
    regular = pattern(geometry)
    assert regular is not None
    givens = shuffled(geometry, regular, chance)
    givens[chance.permutation(729)[:680]] = 0
    puzzle = Puzzle.of(geometry, givens)
    listed = different(search.solutions(puzzle, never))

    assert search.tally(any_state(geometry, masks_of(puzzle)), never) == search.count(puzzle, never) == len(listed)
    assert len(listed) == 43
    sound, marks = settled(puzzle)
    assert sound
    assert singles_and_locked(geometry, marks) == []
    for solution in listed:
        assert not list(violations(puzzle, solution))
        assert marks[np.arange(729), np.array(solution) - 1].all()
