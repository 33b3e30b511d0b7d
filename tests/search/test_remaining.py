"""What a search that has stopped still has to do: with what it found that is the whole, and nothing appears twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode import search
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.search import any_kernel, blocks, blocks_kernel, constrained_kernel, vectors9, vectors9_kernel
from sudoku_encode.search.blocks import BlocksState
from sudoku_encode.search.part import pack_boards, remaining_boards, unpack_boards, with_candidates
from sudoku_encode.search.state import ConstrainedState, any_state, masks_of
from sudoku_encode.search.vectors9 import Vectors9State
from tests.helpers.long_searches import MANY, TEN_THOUSAND, of, of_blocks
from tests.helpers.puzzles import JIGSAW, puzzles
from tests.helpers.solution_sets import different, never

NOWHERE = np.empty((0, 0), np.uint8)
SMALL_BOARDS = ("4x4", "5x5", "6x6:2x3", "9x9", "9x9+diagonals+windoku", JIGSAW, "4x4x4", "9x9, no boxes")


def advanced(puzzle: Puzzle, calls: int, work: int, *, doubling: bool, plain: bool = False) -> tuple[search.State, int]:
    """Search a puzzle for some calls of the kernel, each of which looks at little; return the state and the count."""
    state: search.State = any_state(puzzle.geometry, masks_of(puzzle)) if plain else search.start(puzzle)
    return state, sum(step(state, work, doubling=doubling) for _ in range(calls) if not search.finished(state))


def step(state: search.State, work: int, *, doubling: bool) -> int:
    """Call the kernel once; return how many solutions it found."""
    if isinstance(state, Vectors9State):
        return vectors9_kernel.run(vectors9.kind_of(state), state, NOWHERE, 2**62, doubling, work)
    if isinstance(state, BlocksState):
        return blocks_kernel.run(blocks.shape_of(state), state, NOWHERE, 2**62, doubling, work)
    return any_kernel.run(state, NOWHERE, 2**62, doubling, 200 * work)


def assert_whole(puzzle: Puzzle, state: search.State, found: int) -> None:
    left = remaining_boards(state, puzzle.geometry.n_values)
    counts = [search.count(with_candidates(puzzle, rest.candidates), never) << rest.doubled for rest in left]
    assert found + sum(counts) == search.count(puzzle, never)
    assert search.finished(state) == (not left)


@given(puzzle=puzzles(SMALL_BOARDS), calls=st.integers(0, 6), work=st.integers(1, 40), doubling=st.booleans())
@settings(derandomize=True, max_examples=150, deadline=None)
def test_found_and_remaining(puzzle: Puzzle, calls: int, work: int, doubling: bool) -> None:
    """What was found and what remains is the whole."""
    for plain in (False, True):
        assert_whole(puzzle, *advanced(puzzle, calls, work, doubling=doubling, plain=plain))


@pytest.mark.parametrize("calls", [0, 1, 3, 17, 60])
@pytest.mark.parametrize("doubling", [False, True])
def test_ten_thousand(calls: int, doubling: bool) -> None:
    """A puzzle with ten thousand solutions can be left at any moment."""
    puzzle = of("9x9", TEN_THOUSAND)
    for plain in (False, True):
        state, found = advanced(puzzle, calls, 20, doubling=doubling, plain=plain)
        assert not search.finished(state)
        assert_whole(puzzle, state, found)


@pytest.mark.parametrize("calls", [0, 1, 3, 17, 60])
def test_constraints(calls: int) -> None:
    """A puzzle with constraints can be left at any moment."""
    lines = ["arrow r1c1 / r1c2 r1c3", "cage 9 r3c3 r3c4 r4c3", "skyscraper 3 r6c1-r6c6", "thermometer r5c1-r5c3"]
    puzzle = Puzzle.of(board("6x6"), [3, *35 * [0]], constraints=lines)
    state = search.start_any(lower_puzzle(puzzle))
    assert isinstance(state, ConstrainedState)
    found = sum(constrained_kernel.run(state, NOWHERE, 2**62, 999) for _ in range(calls))
    rests = remaining_boards(state, 6)
    listed = [different(search.solutions(with_candidates(puzzle, rest.candidates), never)) for rest in rests]
    assert bool(rests) != search.finished(state)
    assert found + sum(map(len, listed)) == found + len(set().union(*listed)) == search.count(puzzle, never)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("doubling", [False, True])
def test_large_square(seed: int, doubling: bool) -> None:
    """A large square can be left at any moment."""
    puzzle = of_blocks(seed, 120)
    for calls in (0, 1, 2, 5, 9):
        state, found = advanced(puzzle, calls, 7, doubling=doubling)
        assert isinstance(state, BlocksState)
        assert_whole(puzzle, state, found)


# On the plain 9x9 board the search stops between two frames only, and none of these counts twice.
@pytest.mark.parametrize(("puzzle", "plain"), [(of("9x9", MANY), True), (of_blocks(3, 140), False)])
def test_doubled_guesses(puzzle: Puzzle, plain: bool) -> None:
    """What remains where guesses count twice is doubled."""
    state, found = advanced(puzzle, 0, 1, doubling=True, plain=plain)
    for _ in range(3000):
        found += step(state, 1, doubling=True)
        if any(rest.doubled for rest in remaining_boards(state, puzzle.geometry.n_values)):
            break
    else:
        raise AssertionError("no such moment came")
    assert_whole(puzzle, state, found)


@given(puzzle=puzzles(SMALL_BOARDS), calls=st.integers(1, 6), work=st.integers(1, 40))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_no_repeats(puzzle: Puzzle, calls: int, work: int) -> None:
    """No solution is in two boards nor found already."""
    state, found = advanced(puzzle, calls, work, doubling=False, plain=True)
    rests = remaining_boards(state, puzzle.geometry.n_values)
    listed = [different(search.solutions(with_candidates(puzzle, rest.candidates), never)) for rest in rests]
    assert sum(map(len, listed)) == len(set().union(*listed)) == search.count(puzzle, never) - found


@given(puzzle=puzzles(SMALL_BOARDS), calls=st.integers(0, 6))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_packed_boards(puzzle: Puzzle, calls: int) -> None:
    """Boards are packed and unpacked."""
    boards: list[Candidates] = [
        rest.candidates
        for rest in remaining_boards(advanced(puzzle, calls, 9, doubling=False)[0], puzzle.geometry.n_values)
    ] or [puzzle.candidates]
    assert np.array_equal(unpack_boards(pack_boards(boards), puzzle.geometry, len(boards)), np.array(boards))


def test_short_board() -> None:
    """A board of less than a byte is packed and unpacked."""
    cell, boards = Geometry("1x1", (1, 1), 3, ()), [np.array([[True, False, value]]) for value in (True, False)]
    for some in (boards[:1], boards, 2 * boards):
        assert np.array_equal(unpack_boards(pack_boards(some), cell, len(some)), np.array(some))


def test_small_packed_9x9() -> None:
    """A board of a 9x9 puzzle travels in about a hundred bytes."""
    state, _ = advanced(of("9x9", MANY), 40, 50, doubling=True)
    boards = [rest.candidates for rest in remaining_boards(state, 9)]
    assert len(boards) > 5
    assert all(len(pack_boards([one])) < 150 for one in boards)


FULL = pack_boards([np.ones((16, 4), bool)])


@pytest.mark.parametrize("data", [b"", b"nonsense", FULL[:-3], pack_boards([np.ones((5, 4), bool)])])
def test_bad_packed_board(data: bytes) -> None:
    """What is no packed board is refused."""
    with pytest.raises(FormatError, match="not packed boards"):
        unpack_boards(data, board("4x4"), 1)
