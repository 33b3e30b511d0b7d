"""The method `placements`: every solution once, whatever the order and however little room there is."""

import numpy as np
import pytest

from sudoku_encode.placements import solutions
from sudoku_encode.placements.structure import WORDS, patterns_of
from sudoku_encode.puzzles.puzzle import Puzzle, check
from sudoku_encode.run.limits import Deadline
from tests.helpers.solved_cubes import EMPTY_4, blanked, by, mixed_cube, table_1


def listed(puzzle: Puzzle, memory: int | None = None) -> list[bytes]:
    """Return the solutions that `placements` finds, each checked, in some order."""
    found = []
    for batch in solutions(puzzle, Deadline(memory=memory)):
        check(puzzle, batch)
        found += [grid.tobytes() for grid in batch]
    return found


def test_side_4() -> None:
    """All cubes of side 4 are listed once."""
    found = listed(EMPTY_4)
    assert len(found) == len(set(found)) == 768
    assert set(found) == by("search", EMPTY_4)


@pytest.mark.parametrize("placements", [1, 7, 13, 50, 99, 203])
def test_any_room(placements: int) -> None:
    """Also room that is no whole number of the chunks in which lists are kept. A search takes half of the memory."""
    found = listed(EMPTY_4, 2 * 8 * WORDS * placements)
    assert len(found) == len(set(found)) == 768


def test_both_kinds() -> None:
    """The cubes of these tests are of both kinds."""
    assert patterns_of(table_1(), 3) == (1,) * 9
    assert patterns_of(mixed_cube(), 3) == (32,) * 3 + (0,) * 6


@pytest.mark.parametrize(
    ("grid", "blanks", "seed"), [("mixed", 660, 1), ("mixed", 660, 2), ("table 1", 660, 1), ("table 1", 670, 2)]
)
@pytest.mark.parametrize("memory", [None, 2**12])
def test_same_as_sat(grid: str, blanks: int, seed: int, memory: int | None) -> None:
    """With 4096 bytes there is room for 64 placements, so that lines of blocks are chosen instead."""
    puzzle = blanked(mixed_cube() if grid == "mixed" else table_1(), blanks, seed)
    found = listed(puzzle, memory)
    assert len(found) == len(set(found))
    assert set(found) == by("sat", puzzle)


def test_mixed_cubes() -> None:
    """A search that was written in C, before this one and otherwise, found as many."""
    found = listed(blanked(mixed_cube(), 690, 2))
    assert len(found) == len(set(found)) == 63
    kinds = {len(set(patterns_of(np.frombuffer(grid, np.uint8), 3))) == 1 for grid in found}
    assert kinds == {False, True}
