"""Vectors of sixteen numbers in compiled code, against numpy; and the rules of the plain 9x9 board on them."""

from collections.abc import Callable
from itertools import product
from typing import ParamSpec, TypeVar, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numba import njit
from numpy.typing import NDArray

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import vectors
from sudoku_encode.search.vectors9 import BOARD, PLACES, vectors9_state
from sudoku_encode.search.vectors9_kernel import _loaded, _store, above, below, settle, to_left, to_right
from tests.helpers.plain_search import singles_and_locked
from tests.helpers.puzzles import filled, puzzles
from tests.helpers.solution_sets import all_by_sat

Shorts = NDArray[np.int16]
P = ParamSpec("P")
R = TypeVar("R")


def compiled_here(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function and keep no code of it: it would be of the operations as they were."""
    return cast("Callable[P, R]", njit(function))


REVERSED = vectors.reordering(range(15, -1, -1))
SQUARES = vectors.constant([number * number for number in range(16)])


@compiled_here
def _operated(x: Shorts, y: Shorts, z: Shorts, number: int, out: Shorts) -> tuple[bool, int, int]:
    """Write what each operation makes of three vectors, 16 numbers each, and return those that make numbers."""
    a, b, c = vectors.load(x, 0), vectors.load(y, 0), vectors.load(z, 0)
    vectors.store(out, 0, a & b)
    vectors.store(out, 16, a | b)
    vectors.store(out, 32, a ^ b)
    vectors.store(out, 48, a + b)
    vectors.store(out, 64, ~a)
    vectors.store(out, 80, vectors.without_lowest(a))
    vectors.store(out, 96, vectors.bit_counts(a))
    vectors.store(out, 112, vectors.smaller(a, b))
    vectors.store(out, 128, vectors.larger(a, b))
    vectors.store(out, 144, vectors.where_zero(c, a, b))
    vectors.store(out, 160, vectors.splat(number))
    vectors.store(out, 176, vectors.times_256(a))
    vectors.store(out, 192, REVERSED(a))
    vectors.store(out, 208, SQUARES())
    return vectors.any_bit(c), vectors.zero_lanes(c), vectors.largest(a)


def shorts(few: bool = False) -> st.SearchStrategy[Shorts]:
    return arrays(np.int16, 16, elements=st.sampled_from([0, 0, 1, -1]) if few else st.integers(-(2**15), 2**15 - 1))


@given(x=shorts(), y=shorts(), z=shorts(few=True), number=st.integers(-(2**15), 2**15 - 1))
@settings(derandomize=True, deadline=None)
def test_operations(x: Shorts, y: Shorts, z: Shorts, number: int) -> None:
    """Each operation is that of numpy."""
    out = np.zeros(14 * 16, np.int16)
    any_bit, zeros, largest = _operated(x, y, z, number, out)
    a, b = x.view(np.uint16), y.view(np.uint16)

    expected = [
        *(a & b, a | b, a ^ b, a + b, ~a, a & (a - np.uint16(1)), np.bitwise_count(a), np.minimum(a, b)),
        *(np.maximum(a, b), np.where(z == 0, a, b), np.full(16, number, np.int16), a << np.uint16(8), a[::-1]),
        np.arange(16) ** 2,
    ]
    assert np.array_equal(out.reshape(-1, 16), np.array([row.astype(np.int16) for row in expected]))
    assert (any_bit, zeros, largest) == (bool(z.any()), sum(1 << i for i in range(16) if z[i] == 0), int(a.max()))


@compiled_here
def _beside(x: Shorts, out: Shorts) -> None:
    board = vectors.load(x, 0)
    vectors.store(out, 0, to_right(board))
    vectors.store(out, 16, to_left(board))
    vectors.store(out, 32, below(board))
    vectors.store(out, 48, above(board))


def test_neighbouring_boxes() -> None:
    """The boxes beside go round."""
    out = np.zeros(64, np.int16)
    _beside(np.arange(16, dtype=np.int16), out)

    for (number, (down, right)), band, stack in product(
        enumerate([(0, 1), (0, 2), (1, 0), (2, 0)]), range(3), range(3)
    ):
        assert out[16 * number + 4 * band + stack] == 4 * ((band + down) % 3) + (stack + right) % 3


@compiled_here
def _settled(frames: Shorts) -> bool:
    sound, _, board, _ = settle(_loaded(frames, 0))
    _store(frames, 0, board)
    return sound


def settled(puzzle: Puzzle) -> tuple[bool, NDArray[np.bool_]]:
    """Return whether no contradiction was found, and what each cell may hold then."""
    frames = vectors9_state(puzzle).frames
    sound = _settled(frames)
    assert (np.delete(frames[:BOARD], PLACES) == 511).all()
    return sound, (frames[PLACES, None] >> np.arange(9) & 1).astype(bool)


@given(puzzle=puzzles(["9x9"]))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_rules(puzzle: Puzzle) -> None:
    """The three rules remove what all singles and locked candidates do and no solution."""
    sound, marks = settled(puzzle)
    solutions = all_by_sat(puzzle)

    if sound:
        assert singles_and_locked(puzzle.geometry, marks) == []
        for solution in solutions:
            assert marks[np.arange(81), np.array(solution) - 1].all()
    else:
        assert not solutions


def test_full_board() -> None:
    """A full board is checked: each swap of two values in a solution is a contradiction."""
    from sudoku_encode.puzzles.boards import board

    full = filled("9x9")
    assert settled(Puzzle.of(board("9x9"), full))[0]
    for first, second in ((0, 1), (0, 9), (0, 80), (30, 40)):
        givens = full.copy()
        givens[[first, second]] = full[[second, first]]
        assert not settled(Puzzle.of(board("9x9"), givens))[0]


@pytest.mark.parametrize(("cells", "why"), [([(0, 1), (80, 1)], True), ([(0, 1), (1, 1)], False)])
def test_contradiction(cells: list[tuple[int, int]], why: bool) -> None:
    """Two equal values that are peers are a contradiction."""
    from sudoku_encode.puzzles.boards import board

    givens = np.zeros(81, int)
    for cell, value in cells:
        givens[cell] = value
    assert settled(Puzzle.of(board("9x9"), givens))[0] == why
