"""Norvig's solver: all solutions, what propagation alone does, and a search that can be left and taken up again."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import logic, norvig2006
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import SINGLES
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers.known_puzzles import known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import JIGSAW, nine, puzzles
from tests.helpers.solution_sets import all_by_sat, different, never, rows_of

BOARDS = ["4x4", "6x6:2x3", "6x6:3x2", JIGSAW, "9x9", "9x9+diagonals+windoku", "16x16", "4x4x4"]
EASY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"
HARD = "400000805030000000000700000020000060000080400000010000000603070500200000104000000"


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=0.75, fewer_rules=True))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """It finds the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    assert different(norvig2006.solutions(puzzle, never)) == expected


@given(puzzle=puzzles(BOARDS, most_open=0.75, fewer_rules=True))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_propagation(puzzle: Puzzle) -> None:
    """Propagation alone comes to where naked and hidden singles come."""
    assume(puzzle.clash is None and not logic.unsupported_reason(puzzle.geometry))
    marks = Marks.of(puzzle)
    list(logic.steps(marks, never, SINGLES))
    contradiction = logic.ended(marks) == "contradiction"
    state = norvig2006.start(puzzle)

    assert norvig2006.propagate(state) != contradiction
    if not contradiction:
        assert state.masks.tolist() == marks.masks


def test_essay_puzzles() -> None:
    """Propagation alone solves the easy puzzle of the essay and not the hard one."""
    assert said(norvig2006.explain(nine(EASY), never)) == [
        "propagation alone: 49 of 49 blanks filled",
        "first solution: 0 values guessed, 0 undone",
        "all done: 0 values guessed, 0 undone",
        "1 solution",
    ]
    hard = said(norvig2006.explain(nine(HARD), never))
    assert hard[0] == "propagation alone: 3 of 64 blanks filled"
    assert hard[-1] == "1 solution"


def test_printed_hard_grid() -> None:
    """The hard puzzle is left as the essay prints it."""
    state = norvig2006.start(nine(HARD))
    norvig2006.propagate(state)
    printed = ["4", "1679", "12679", "139", "2369", "269", "8", "1239", "5"]

    assert [
        "".join(str(value) for value in range(1, 10) if mask >> value - 1 & 1) for mask in state.masks[:9].tolist()
    ] == (printed)


def test_fewest_candidates() -> None:
    """A guess is made where the fewest candidates are."""
    marks = np.ones((16, 4), bool)
    marks[6, 1:3] = False
    state = norvig2006.start(Puzzle.of(board("4x4"), pencilmarks=marks))
    found = rows_of(norvig2006.run(state, never))

    assert state.guess_cells[0] == 6
    # Of 288 solutions 72 have each value in a cell.
    assert len(found) == 144
    assert {grid[6] for grid in found} == {1, 4}
    assert found == sorted(found, key=lambda grid: grid[6])


@given(puzzle=puzzles(BOARDS, most_open=0.75, fewer_rules=True))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_resumed(puzzle: Puzzle) -> None:
    """A search that is left after each guess finds the same."""
    all_by_sat(puzzle, 200)
    states = [norvig2006.start(puzzle), norvig2006.start(puzzle)]
    calls = [0]

    def tick() -> None:
        calls[0] += 1

    at_once = rows_of(norvig2006.run(states[0], never))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(norvig2006, "CELLS_PER_CALL", 1)
        assert rows_of(norvig2006.run(states[1], tick)) == at_once
    guesses, undone = states[1].counts[3:5].tolist()
    assert guesses == undone == states[0].counts[3]
    assert calls[0] == guesses + 1


def test_full_units_only() -> None:
    """Rule 2 holds in full units only."""
    # A window has nine cells and is full; with the cells of one value gone from it there is no solution.
    windoku = board("9x9+windoku")
    marks = np.ones((81, 9), bool)
    marks[windoku.rules[3].units[0], 4] = False
    assert not norvig2006.propagate(norvig2006.start(Puzzle.of(windoku, pencilmarks=marks)))

    # A unit of two cells and four values has no need of any value.
    short = windoku.with_rules(["window"])
    assert norvig2006.propagate(norvig2006.start(Puzzle.of(short))), "every unit is full"
    pairs = Puzzle.of(_pairs(), pencilmarks=np.tile([True, True, True, False], (4, 1)))
    assert len(rows_of(norvig2006.solutions(pairs, never))) == 36


def _pairs() -> Geometry:
    """Two pairs of cells that differ, with four values."""
    return Geometry("pairs", (2, 2), 4, (Rule("row", np.array([[0, 1], [2, 3]], np.int32)),))


def test_refused_boards() -> None:
    """It refuses boards of more values than a machine word has bits."""
    assert norvig2006.unsupported_reason(board("64x64")) == ""
    assert norvig2006.unsupported_reason(board("100x100")) == "it supports at most 64 values"


def test_all_64_bits() -> None:
    """All 64 bits are used."""
    geometry = board("64x64")
    row, column = np.divmod(np.arange(64 * 64), 64)
    full = (8 * (row % 8) + row // 8 + column) % 64 + 1
    puzzle = Puzzle.of(geometry, np.where(np.random.default_rng(1).random(64 * 64) < 0.1, 0, full))

    assert not list(violations(puzzle, full))
    assert rows_of(norvig2006.solutions(puzzle, never)) == [tuple(full.tolist())]


def test_clash() -> None:
    """A clash is no solution."""
    clash = Puzzle.of(board("4x4"), [1, 1, *[0] * 14])

    assert rows_of(norvig2006.solutions(clash, never)) == []


def test_contradiction_explained() -> None:
    """A contradiction is explained."""
    none = norvig2006.explain(known("small/4x4-no-candidate.txt").puzzle, never)
    assert said(none) == [
        "propagation alone: a contradiction",
        "no solution: r1c4 and r2c4 can both hold 4 only (column 4, box 2)",
    ]


@pytest.mark.slow
def test_ticks() -> None:
    """Ticks come at least every tenth of a second and end the search."""
    for puzzle in (Puzzle.of(board("9x9x9")), Puzzle.of(board("25x25")), Puzzle.of(board("16x16x16"))):
        times: list[float] = []

        def tick(times: list[float] = times) -> None:
            times.append(time.process_time())
            if len(times) == 10:
                raise StoppedError("enough")

        with pytest.raises(StoppedError, match="enough"):
            list(norvig2006.solutions(puzzle, tick))
        # The first stretch may compile, and a busy machine may hold up another.
        assert np.median(np.diff(times)) < 0.15
