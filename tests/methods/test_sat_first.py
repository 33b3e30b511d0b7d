"""The first turn of `auto`: a SAT solver answers an easy puzzle before numba is loaded, and no other puzzle."""

import numpy as np
import pytest

from sudoku_encode.errors import StoppedError
from sudoku_encode.formats.reading import read
from sudoku_encode.methods import calls, limited_calls, sat_first
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import true_candidates
from sudoku_encode.questions.checking import Several, Unique, check
from sudoku_encode.questions.redundant import redundant_givens
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Deadline, Limits
from tests.helpers.known_puzzles import known

UNIQUE = read("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
NONE = read("44....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
SEVERAL = known("papers/gtsps-fig-4.9.sdk").puzzle
KILLER = Puzzle.of(
    board("4x4"), constraints=["cage 3 r1c1 r1c2", "cage 7 r2c1 r2c2 r2c3", "thermometer r3c1 r3c2 r3c3"]
)
WHY = "sat, which finished within 2,000 conflicts, before search was loaded"


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it look as if numba were not loaded in a new process."""
    monkeypatch.setattr(kernels, "loaded", lambda: False)
    monkeypatch.setattr(sat_first, "turns", sat_first.Turns())


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("puzzle", [UNIQUE, NONE, SEVERAL, KILLER, Puzzle.of(board("4x4x4"))])
def test_same_answers(puzzle: Puzzle, messages: list[str]) -> None:
    """The turn finds what search finds, and says so."""
    wanted = calls.count(puzzle, "search")
    assert calls.count(puzzle, "auto") == wanted
    grids = [tuple(row) for batch in calls.solutions(puzzle, "auto") for row in batch.tolist()]
    assert len(set(grids)) == len(grids) == wanted.value
    assert limited_calls.count(puzzle, "auto", Limits(2, 10)) == calls.count(puzzle, "search", Deadline(2))
    assert messages == [WHY] * 3


@pytest.mark.usefixtures("unloaded")
def test_left_to_search(messages: list[str]) -> None:
    """More solutions than the turn may find are counted by search, once it is loaded."""
    assert calls.count(Puzzle.of(board("latin:4x4")), "auto") == Count(576, True)
    assert calls.count(Puzzle.of(board("latin:5x5")), "auto") == Count(161280, True)
    assert calls.count(UNIQUE, "auto") == Count(1, True)
    assert messages[0] == WHY
    assert [text.startswith("search") for text in messages[1:]] == [True, True]


@pytest.mark.usefixtures("unloaded")
def test_limit_of_conflicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn ends after its conflicts, whatever was found by then."""
    monkeypatch.setattr(sat_first, "MOST_CONFLICTS", 3)
    assert sat_first.take_turn(UNIQUE, Deadline()) is None
    assert sat_first.turns.remaining == 0
    with pytest.raises(StoppedError, match="limit of 3 conflicts"):
        list(calls.solutions(UNIQUE, "sat", Deadline(conflicts=3)))
    assert len(list(calls.solutions(UNIQUE, "sat", Deadline(conflicts=100)))) == 1


@pytest.mark.usefixtures("unloaded")
def test_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """With options, on large boards, after many turns and once numba is loaded, the turn is skipped."""
    assert sat_first.is_due(UNIQUE)
    assert not sat_first.is_due(UNIQUE, Options(sat_solver="minisat22"))
    assert not sat_first.is_due(Puzzle.of(board("25x25")))
    sat_first.turns.remaining = 1
    assert sat_first.is_enough(UNIQUE)
    assert not sat_first.is_enough(UNIQUE)
    sat_first.turns.remaining = 1
    monkeypatch.setattr(kernels, "loaded", lambda: True)
    assert not sat_first.is_due(UNIQUE)


@pytest.mark.usefixtures("unloaded")
def test_repeatable_order() -> None:
    """If the order of solutions matters, the turn answers only for puzzles with one solution or none."""
    wanted = list(calls.solutions(SEVERAL, "search"))
    assert sat_first.take_turn(SEVERAL, Deadline(2), only_one=True) is None
    sat_first.turns.remaining = 1
    assert np.array_equal(np.concatenate(list(calls.solutions(SEVERAL, repeatable=True))), np.concatenate(wanted))


@pytest.mark.usefixtures("unloaded")
@pytest.mark.parametrize("puzzle", [UNIQUE, NONE, SEVERAL, KILLER])
@pytest.mark.parametrize("counts", [False, True])
def test_candidates_in_turn(puzzle: Puzzle, counts: bool, messages: list[str]) -> None:
    """True candidates and shares are those that search finds."""
    in_turn = true_candidates.candidates(puzzle, counts=counts)
    by_search = true_candidates.candidates(puzzle, "search", counts=counts)
    assert np.array_equal(in_turn.seen, by_search.seen)
    assert in_turn.complete
    assert in_turn.total == by_search.total
    assert np.array_equal(np.array(in_turn.shares), np.array(by_search.shares))
    assert set(messages) <= {WHY}


@pytest.mark.usefixtures("unloaded")
def test_check_in_turn() -> None:
    """A check in the turn finds what it finds by search."""
    verdict = check(UNIQUE, Deadline())
    assert isinstance(verdict, Unique)
    assert verdict.minimal
    several = check(SEVERAL, Deadline())
    assert isinstance(several, Several)
    assert several.count == 127
    solved = Puzzle(UNIQUE.geometry, verdict.solution)
    needed = redundant_givens(solved, verdict.solution, Deadline())
    sat_first.turns.remaining = 0
    assert redundant_givens(solved, verdict.solution, Deadline()) == needed
    assert len(needed.cells) == 81
