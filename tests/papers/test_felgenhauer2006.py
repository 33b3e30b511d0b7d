"""9x9 grids counted by partitions: known numbers up to a hundred billion, agreement with listing, limits."""

import numpy as np
import pytest
from hypothesis import given, settings

from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.papers import felgenhauer2006
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.puzzles import nine, puzzles
from tests.helpers.solution_sets import after, all_by_sat, never

# The last was counted by `frontier` in two ways.
COUNTS = {
    "000000000000000002003004050000006000000012000070000080000300940200700000650000000": 10_810,
    "000000000000000012003045000000003000060000000120000000000200006007000400000807000": 943_676,
    "051000403000008000000000000605000200000200000002700005000000070020000050008500000": 89_223_005,
    "051000403000008000000000000005000200000200000002000005000000070020000050008500000": 4_520_394_642,
}


@pytest.mark.slow
@pytest.mark.parametrize(("givens", "known"), COUNTS.items())
def test_known_numbers(givens: str, known: int) -> None:
    """Known numbers are found."""
    assert felgenhauer2006.count(nine(givens), never) == known


@given(puzzle=puzzles(["9x9"], most_open=0.75))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """It counts what SAT lists."""
    assert felgenhauer2006.count(puzzle, never) == len(all_by_sat(puzzle))


def test_turned_board() -> None:
    """A turned board has as many solutions."""
    puzzle = nine(list(COUNTS)[1])
    turned = Puzzle.of(puzzle.geometry, puzzle.givens.reshape(9, 9).T.ravel())
    assert felgenhauer2006.count(turned, never) == felgenhauer2006.count(puzzle, never)


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other boards and too large tables are refused."""
    for name in ("9x9+diagonals", "8x8", "16x16", "9x9x9", "latin:9x9"):
        assert (
            felgenhauer2006.unsupported_reason(board(name))
            == "it supports only 9x9 with just the rules row, column and box"
        )
    with pytest.raises(StoppedError, match="enough"):
        felgenhauer2006.count(nine(list(COUNTS)[2]), after(200))
    monkeypatch.setattr(felgenhauer2006, "MAX_BYTES", 10**5)
    with pytest.raises(StoppedError, match=r"memory limit: the tables of three bands would take 3,225,792 bytes"):
        felgenhauer2006.count(nine(list(COUNTS)[2]), never)


def test_floating_point_sums() -> None:
    """Sums that floating point numbers cannot hold are no counts."""
    one = felgenhauer2006.Triples(*np.zeros((3, 1), np.intp))
    tables = [np.full((1, 1, 1), value, np.float64) for value in (3, 2**26, 2**26)]
    with pytest.raises(InternalError, match="too large"):
        felgenhauer2006._sum_over_tables(tables, [one, one, one], never)
    tables[0][:] = 1
    assert felgenhauer2006._sum_over_tables(tables, [one, one, one], never) == 2**52
