"""Brute force: all solutions in order, what it tries, and a search that can be left and taken up again."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known import KNOWN, Known, known
from listing import all_by_sat, never, rows_of

from sudoku_encode.errors import Stopped
from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.papers import brute_force, jana2021
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.run.limits import Deadline

# What takes scan order more than a second.
HARD = ("small/12x12.txt", "small/12x12-boxes-2x6.txt", "small/16x16.txt", "large/", "cubes/")
CASES = [case for case in KNOWN if not case.name.startswith(HARD)]
JIGSAW = "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF"
BOARDS = ["4x4", "6x6:2x3", "6x6:3x2", JIGSAW, "9x9", "9x9+diagonals+windoku", "4x4x4", "4x4x4:row-x,box-yz"]


def named(name: str, givens: object = None) -> Puzzle:
    """A puzzle on a board with the rules after its colon, if they are rules."""
    plain, _, rules = name.rpartition(":")
    some = rules.split(",") if rules.startswith("row-") else None
    return Puzzle.of(board(plain, some) if some else board(name), givens)  # type: ignore[arg-type]


FULL = {name: next(iter(by_method(named(name), "sat", Deadline(1))))[0] for name in BOARDS}


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """A puzzle with few blanks or many, now and then with a wrong given or with pencilmarks."""
    name = draw(st.sampled_from(BOARDS))
    geometry = named(name).geometry
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    labels = np.array([0, *(chance.permutation(geometry.n_values) + 1)], np.uint8)
    most = 0.45 if "," in name else 0.7
    givens = np.where(chance.random(geometry.n_cells) < most * chance.random(), 0, labels[FULL[name]])
    if chance.random() < 0.3:
        givens[chance.integers(geometry.n_cells)] = chance.integers(1, geometry.n_values + 1)
    marks = chance.random((geometry.n_cells, geometry.n_values)) < 0.9 if chance.random() < 0.3 else None
    return Puzzle.of(geometry, givens, pencilmarks=marks)


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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_it_finds_as_many_solutions_as_are_known(case: Known) -> None:
    batches = list(brute_force.solutions(case.puzzle, never))
    grids = np.concatenate([np.empty((0, case.puzzle.geometry.n_cells), np.uint8), *batches])

    assert len(np.unique(grids, axis=0)) == len(grids) == case.count
    for grid in grids[:3]:
        assert not list(violations(case.puzzle, grid))


def test_the_known_counts_have_none_one_and_many_solutions_on_every_kind_of_board() -> None:
    counts = {case.name: case.count for case in CASES}

    assert counts["small/4x4-empty.txt"] == 288
    assert counts["papers/gtsps-fig-4.9.sdk"] == 127
    assert counts["known-counts/tdoku-none.sdm#1"] == counts["small/6x6-none.txt"] == 0
    assert {case.board.split(":")[0] for case in CASES} >= {"4x4", "6x6", "9x9", "jigsaw", "4x4x4", "10x10"}


@given(puzzle=puzzles())
@settings(derandomize=True, max_examples=120, deadline=None)
def test_it_finds_the_solutions_that_sat_finds_in_the_order_of_their_values(puzzle: Puzzle) -> None:
    expected = all_by_sat(puzzle)
    if expected is not None:
        assert rows_of(brute_force.solutions(puzzle, never)) == sorted(expected)


@given(puzzle=puzzles())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_it_tries_what_a_plain_recursion_tries(puzzle: Puzzle) -> None:
    if puzzle.clash is not None or all_by_sat(puzzle, 50) is None or len(puzzle.blanks) > 45:
        return
    expected, tried = recursive(puzzle)
    state = brute_force.start(puzzle)

    assert rows_of(brute_force.run(state, never)) == expected
    assert state.counts[1:3].tolist() == [tried, tried]


@given(puzzle=puzzles(), work=st.integers(1, 50))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_a_search_that_is_left_again_and_again_finds_the_same(puzzle: Puzzle, work: int) -> None:
    if len(puzzle.blanks) > 25 or all_by_sat(puzzle, 50) is None:
        return
    at_once = rows_of(brute_force.solutions(puzzle, never))
    calls = [0]

    def tick() -> None:
        calls[0] += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(brute_force, "VALUES_PER_CALL", work)
        assert rows_of(brute_force.solutions(puzzle, tick)) == at_once
    assert calls[0] >= len(puzzle.blanks) / (work + puzzle.geometry.n_values) or puzzle.clash is not None


def test_the_order_is_that_of_the_search_tree_on_a_cube() -> None:
    puzzle = known("small/4x4x4-empty.txt").puzzle
    assert rows_of(brute_force.solutions(puzzle, never)) == rows_of(jana2021.solutions(puzzle, never))


def test_a_board_of_more_values_than_a_machine_word_has_bits_is_done() -> None:
    geometry = board("72x72")
    row, column = np.divmod(np.arange(72 * 72), 72)
    full = (9 * (row % 8) + row // 8 + column) % 72 + 1
    puzzle = Puzzle.of(geometry, np.where(np.random.default_rng(1).random(72 * 72) < 0.1, 0, full))

    assert not list(violations(puzzle, full))
    assert tuple(full.tolist()) in rows_of(brute_force.solutions(puzzle, never))


def test_the_first_solution_comes_by_itself_and_the_others_in_larger_batches() -> None:
    sizes = [len(batch) for batch in brute_force.solutions(known("small/4x4-empty.txt").puzzle, never)]
    assert sizes == [1, 2, 4, 8, 16, 32, 64, 128, 33]


def test_a_batch_is_not_changed_by_the_next_one() -> None:
    batches = brute_force.solutions(known("small/4x4-empty.txt").puzzle, never)
    kept = [(batch, batch.copy()) for batch in batches]
    assert all(np.array_equal(batch, copy) for batch, copy in kept)


def test_ticks_come_at_least_every_tenth_of_a_second_and_end_the_search() -> None:
    for puzzle in (known("small/16x16.txt").puzzle, known("large/25x25.csv").puzzle, Puzzle.of(board("9x9x9"))):
        times: list[float] = []

        def tick(times: list[float] = times) -> None:
            times.append(time.perf_counter())
            if len(times) == 10:
                raise Stopped("enough")

        with pytest.raises(Stopped, match="enough"):
            list(brute_force.solutions(puzzle, tick))
        # The first stretch may compile, and a busy machine may hold up another.
        assert np.median(np.diff(times)) < 0.15


def test_it_is_explained() -> None:
    puzzle = Puzzle.of(board("4x4"), [1, 2, 3, 4, 3, 4, 1, 2, 2, 0, 4, 0, 4, 0, 2, 0])

    # r3c2, r3c4 = 1, 3 and then 3, 1, each with r4c2, r4c4 the other way round.
    assert list(brute_force.explain(puzzle, never)) == [
        "4 blanks in scan order",
        "first solution: 4 values tried, 0 undone",
        "all done: 8 values tried, 8 undone",
        "2 solutions",
    ]
    clash = Puzzle.of(board("4x4"), [1, 1, *[0] * 14])
    assert list(brute_force.explain(clash, never)) == ["two givens clash: nothing to try"]


def explained(puzzle: Puzzle, ticks: int) -> list[str]:
    """What `explain` says until it is stopped after so many ticks."""
    left, said = [ticks], []

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Stopped("enough")

    try:
        for line in brute_force.explain(puzzle, tick):
            said.append(line)
    except Stopped:
        said.append("and was stopped")
    return said


def test_a_search_that_is_stopped_is_explained_as_far_as_it_went() -> None:
    said = explained(Puzzle.of(board("4x4")), 2)

    assert said[1].startswith("first solution: ")
    assert said[2].startswith("stopped: ")
    assert said[3:] == ["at least 3 solutions", "and was stopped"]
