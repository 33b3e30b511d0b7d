"""The method `placements`: every solution once, whatever the order and however little room there is."""

import numpy as np
import pytest
from known import INSTANCES
from numpy.random import RandomState

from sudoku_encode.formats.reading import read
from sudoku_encode.methods import calls
from sudoku_encode.placements import solutions
from sudoku_encode.placements.structure import patterns_of
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run.limits import Deadline

CUBE = board("9x9x9")
EMPTY_4 = Puzzle.of(board("4x4x4"), np.zeros(64, np.uint8))


def mixed_cube() -> Grids:
    """Return a cube in which values 1, 2 and 3 have another pattern than the others, made by a formula."""
    grid = np.zeros((9, 9, 9), np.uint8)
    for a, b, c in np.ndindex(3, 3, 3):
        for value, i in np.ndindex(9, 3):
            group, number = divmod(value, 3)
            o, r = (group + c) % 3, (number + a + b) % 3
            z = -i - r if c == 0 and group == 0 else i + r
            grid[3 * a + i, 3 * b + (i + o) % 3, 3 * c + z % 3] = value + 1
    return grid.ravel()


def table_1() -> Grids:
    return read(INSTANCES / "papers" / "jana-2023-table-1.txt").givens


def blanked(grid: Grids, blanks: int, seed: int) -> Puzzle:
    givens = grid.copy()
    givens[RandomState(seed).permutation(729)[:blanks]] = 0
    return Puzzle.of(CUBE, givens)


def listed(puzzle: Puzzle, memory: int | None = None) -> list[bytes]:
    """Return the solutions that `placements` finds, each checked, in some order."""
    found = []
    for batch in solutions(puzzle, Deadline(memory=memory)):
        check(puzzle, batch)
        found += [grid.tobytes() for grid in batch]
    return found


def by(method: str, puzzle: Puzzle) -> set[bytes]:
    return {grid.tobytes() for batch in calls.solutions(puzzle, method) for grid in batch}


def test_all_cubes_of_side_4_are_listed_once() -> None:
    found = listed(EMPTY_4)
    assert len(found) == len(set(found)) == 768
    assert set(found) == by("search", EMPTY_4)


def test_the_cubes_of_these_tests_are_of_both_kinds() -> None:
    assert patterns_of(table_1(), 3) == (1,) * 9
    assert patterns_of(mixed_cube(), 3) == (32,) * 3 + (0,) * 6


@pytest.mark.parametrize(
    ("grid", "blanks", "seed"), [("mixed", 660, 1), ("mixed", 660, 2), ("table 1", 660, 1), ("table 1", 670, 2)]
)
@pytest.mark.parametrize("memory", [None, 2**12])
def test_it_lists_what_sat_does_on_uniform_and_mixed_cubes(
    grid: str, blanks: int, seed: int, memory: int | None
) -> None:
    """With 4096 bytes there is room for 64 placements, so that lines of blocks are chosen instead."""
    puzzle = blanked(mixed_cube() if grid == "mixed" else table_1(), blanks, seed)
    found = listed(puzzle, memory)
    assert len(found) == len(set(found))
    assert set(found) == by("sat", puzzle)


def test_mixed_cubes_beyond_other_solvers_are_listed() -> None:
    """A search that was written in C, before this one and otherwise, found as many."""
    found = listed(blanked(mixed_cube(), 690, 2))
    assert len(found) == len(set(found)) == 63
    kinds = {len(set(patterns_of(np.frombuffer(grid, np.uint8), 3))) == 1 for grid in found}
    assert kinds == {False, True}
