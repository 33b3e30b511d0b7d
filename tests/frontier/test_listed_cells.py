"""Squares whose extra units have few cells: agreement with SAT on small boards, and the published number."""

import numpy as np
import pytest
from hypothesis import given, settings

from sudoku_encode import frontier
from sudoku_encode.frontier import listed_cells
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.puzzles import puzzles
from tests.helpers.solution_sets import all_by_sat, never


def by_listing(puzzle: Puzzle) -> int:
    """Return the number of solutions by listed cells alone."""
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return 0
    lines = listed_cells.count(puzzle, candidates, never, 10**8, frontier._count_in_slices)
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


@given(puzzle=puzzles(["4x4+diagonals", "4x4+windoku", "6x6+diagonals"], most_open=1.0))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_small_boards(puzzle: Puzzle) -> None:
    """It counts what SAT lists, with givens and without."""
    assert by_listing(puzzle) == len(all_by_sat(puzzle, 100))


@pytest.mark.parametrize("name", ["4x4+diagonals", "4x4+windoku", "6x6+diagonals"])
def test_empty_boards(name: str) -> None:
    """Empty boards have the numbers that other ways give."""
    assert by_listing(Puzzle.of(board(name))) == frontier.count(Puzzle.of(board(name)), never) > 0


def test_dots() -> None:
    """A unit of the centres of the boxes is listed too."""
    centres = Rule("centre", np.array([[10, 13, 16, 37, 40, 43, 64, 67, 70]], np.int32))
    geometry = board("9x9").with_more([centres])
    assert listed_cells.fits(geometry)
    givens = [
        int(digit) for digit in "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    ]
    puzzle = Puzzle.of(geometry, np.where(np.arange(81) % 4 == 1, givens, 0))
    assert by_listing(puzzle) == frontier.count(puzzle, never) > 1


def test_symmetries() -> None:
    """The fillings of two diagonals fall into 74 classes under 96 symmetries, as published."""
    geometry = board("9x9+diagonals")
    cells = listed_cells._cells(geometry)
    moves = listed_cells.symmetries(geometry, cells, never)
    empty = Puzzle.of(geometry)
    names = np.zeros(9, np.intp)
    fillings = np.array(list(listed_cells._fillings(geometry, empty.candidates, cells, names)), np.int64)
    chosen, sizes = listed_cells.classes(fillings, moves)
    assert (len(moves), len(fillings), len(chosen), sizes.sum()) == (96, 4752, 74, 4752)


@pytest.mark.slow
@pytest.mark.thorough
def test_published_number() -> None:
    """The empty 9x9 with two diagonals has the published number of solutions."""
    assert frontier.count(Puzzle.of(board("9x9+diagonals")), never) == 55_613_393_399_531_520


def test_boards() -> None:
    """Boards with few cells in extra units are taken."""
    names = ["9x9", "9x9+diagonals", "9x9+windoku", "4x4+diagonals", "9x9+diagonals+windoku"]
    assert [listed_cells.fits(board(name)) for name in names] == [False, True, False, False, False]
    assert not listed_cells.fits(board("9x9+diagonals", ["row", "column", "diagonal"]))


def test_many_fillings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many fillings are not listed."""
    monkeypatch.setattr(listed_cells, "MAX_FILLINGS", 100)
    with pytest.raises(OutOfTableMemory, match="more than 100 fillings of the 17 cells in extra units"):
        by_listing(Puzzle.of(board("9x9+diagonals")))
