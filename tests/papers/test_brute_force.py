"""Brute force: all solutions in order, what it tries, and a search that can be left and taken up again."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import brute_force, jana2021
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers.known_puzzles import known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import JIGSAW, puzzles
from tests.helpers.solution_sets import all_by_sat, never, rows_of

BOARDS = ["4x4", "6x6:2x3", "6x6:3x2", JIGSAW, "9x9", "9x9+diagonals+windoku", "4x4x4", "4x4x4, two rules"]


def recursive(puzzle: Puzzle) -> tuple[list[tuple[int, ...]], int]:
    """All solutions, and how many values are tried: the same search, written in the plainest way."""
    grid, found, tried = puzzle.givens.tolist(), [], 0

    def fill(blanks: list[int]) -> None:
        nonlocal tried
        if not blanks:
            found.append(tuple(grid))
            return
        cell, *rest = blanks
        for value in range(1, puzzle.geometry.n_values + 1):
            held = {grid[peer] for peer in puzzle.geometry.peers[cell]}
            if puzzle.candidates[cell, value - 1] and value not in held:
                tried += 1
                grid[cell] = value
                fill(rest)
                grid[cell] = 0

    if puzzle.clash is None:
        fill(puzzle.blanks.tolist())
    return found, tried


@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=120, deadline=None)
def test_same_as_sat_in_order(puzzle: Puzzle) -> None:
    """It finds the solutions that SAT finds in the order of their values."""
    expected = all_by_sat(puzzle)
    assert rows_of(brute_force.solutions(puzzle, never)) == sorted(expected)


@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_same_as_recursion(puzzle: Puzzle) -> None:
    """It tries what a plain recursion tries."""
    assume(puzzle.clash is None and len(puzzle.blanks) <= 45)
    few = all_by_sat(puzzle, 50)
    expected, tried = recursive(puzzle)
    state = brute_force.start(puzzle)

    assert rows_of(brute_force.run(state, never)) == expected == sorted(few)
    assert state.counts[1:3].tolist() == [tried, tried]


@given(puzzle=puzzles(BOARDS), work=st.integers(1, 50))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_resumed(puzzle: Puzzle, work: int) -> None:
    """A search that is left again and again finds the same."""
    assume(len(puzzle.blanks) <= 25)
    all_by_sat(puzzle, 50)
    at_once = rows_of(brute_force.solutions(puzzle, never))
    calls = [0]

    def tick() -> None:
        calls[0] += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brute_force, "VALUES_PER_CALL", work)
        assert rows_of(brute_force.solutions(puzzle, tick)) == at_once
    assert calls[0] >= len(puzzle.blanks) / (work + puzzle.geometry.n_values) or puzzle.clash is not None


def test_cube_order() -> None:
    """The order is that of the search tree on a cube."""
    puzzle = known("small/4x4x4-empty.txt").puzzle
    assert rows_of(brute_force.solutions(puzzle, never)) == rows_of(jana2021.solutions(puzzle, never))


def test_beyond_machine_word() -> None:
    """A board of more values than a machine word has bits is done."""
    geometry = board("72x72")
    row, column = np.divmod(np.arange(72 * 72), 72)
    full = (9 * (row % 8) + row // 8 + column) % 72 + 1
    puzzle = Puzzle.of(geometry, np.where(np.random.default_rng(1).random(72 * 72) < 0.1, 0, full))

    assert not list(violations(puzzle, full))
    assert tuple(full.tolist()) in rows_of(brute_force.solutions(puzzle, never))


def test_batch_sizes() -> None:
    """The first solution comes by itself and the others in larger batches."""
    sizes = [len(batch) for batch in brute_force.solutions(known("small/4x4-empty.txt").puzzle, never)]
    assert sizes == [1, 2, 4, 8, 16, 32, 64, 128, 33]


def test_batches_independent() -> None:
    """A batch is not changed by the next one."""
    batches = brute_force.solutions(known("small/4x4-empty.txt").puzzle, never)
    kept = [(batch, batch.copy()) for batch in batches]
    assert all(np.array_equal(batch, copy) for batch, copy in kept)


@pytest.mark.slow
def test_ticks() -> None:
    """Ticks come at least every tenth of a second and end the search."""
    for puzzle in (known("small/16x16.txt").puzzle, known("large/25x25.csv").puzzle, Puzzle.of(board("9x9x9"))):
        times: list[float] = []

        def tick(times: list[float] = times) -> None:
            times.append(time.process_time())
            if len(times) == 10:
                raise StoppedError("enough")

        with pytest.raises(StoppedError, match="enough"):
            list(brute_force.solutions(puzzle, tick))
        # The first stretch may compile, and a busy machine may hold up another.
        assert np.median(np.diff(times)) < 0.15


def test_explained() -> None:
    """It is explained."""
    puzzle = Puzzle.of(board("4x4"), [1, 2, 3, 4, 3, 4, 1, 2, 2, 0, 4, 0, 4, 0, 2, 0])

    # r3c2, r3c4 = 1, 3 and then 3, 1, each with r4c2, r4c4 the other way round.
    assert said(brute_force.explain(puzzle, never)) == [
        "4 blanks in scan order",
        "1. r3c2: 1",
        "2. r3c4: 3, since 1 2 do not fit",
        "3. r4c2: 3, since 1 2 do not fit",
        "4. r4c4: 1",
        "first solution: 4 values tried, 0 undone",
        "all done: 8 values tried, 8 undone",
        "2 solutions",
    ]


def explained(puzzle: Puzzle, ticks: int) -> list[str]:
    """What `explain` says until it is stopped after some number of ticks."""
    left, texts = [ticks], []

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise StoppedError("enough")

    try:
        for step in brute_force.explain(puzzle, tick):
            texts.append(step.text)
    except StoppedError:
        texts.append("and was stopped")
    return texts


def test_stopped_explanation() -> None:
    """A search that is stopped is explained as far as it went."""
    texts = explained(Puzzle.of(board("4x4")), 2)

    assert texts[17] == "first solution: 16 values tried, 0 undone"
    assert texts[18].startswith("stopped: ")
    assert texts[19:] == ["at least 4 solutions", "and was stopped"]
