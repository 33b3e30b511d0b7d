"""Laws that any right count obeys, on random small boards; and SAT and CP-SAT find the same solutions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.methods import calls
from sudoku_encode.methods.table import METHODS as ALL_METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import puzzles

JIGSAW_4X4 = "jigsaw:aaabacbbccbdcddd"
BOARDS = (
    *("4x4", "4x4+diagonals", "4x4+windoku", "4x4, two rules", JIGSAW_4X4, "6x6", "6x6:3x2"),
    *("4x4x4", "4x4x4, three rules", "short units"),
)
METHODS = ["sat", "sat:efficient", "sat:order", "sat:log", "cp-sat", "cp-sat-bool"]


def counted(puzzle: Puzzle, method: str) -> int:
    found = tally(calls.solutions(puzzle, method))
    assert found.complete
    return found.value


def grids(puzzle: Puzzle, method: str) -> list[tuple[int, ...]]:
    return sorted(tuple(grid.tolist()) for batch in calls.solutions(puzzle, method) for grid in batch)


@given(puzzle=puzzles(BOARDS), method=st.sampled_from(METHODS), pick=st.integers(0, 10**6))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_split_by_a_blank(puzzle: Puzzle, method: str, pick: int) -> None:
    """Filling one blank with each value splits the count."""
    assume(len(puzzle.blanks))
    cell = puzzle.blanks[pick % len(puzzle.blanks)]
    parts = 0
    for value in range(1, puzzle.geometry.n_values + 1):
        givens = puzzle.givens.copy()
        givens[cell] = value
        if puzzle.pencilmarks is None or puzzle.pencilmarks[cell, value - 1]:
            parts += counted(Puzzle.of(puzzle.geometry, givens, pencilmarks=puzzle.pencilmarks), method)

    assert parts == counted(puzzle, method)


@given(puzzle=puzzles(BOARDS), method=st.sampled_from(METHODS), seed=st.integers(0, 10**6))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_relabelled_values(puzzle: Puzzle, method: str, seed: int) -> None:
    """Relabelling the values relabels the solutions."""
    order = np.random.default_rng(seed).permutation(puzzle.geometry.n_values)
    labels = np.array([0, *(order + 1)])
    marks = None
    if puzzle.pencilmarks is not None:
        marks = np.zeros_like(puzzle.pencilmarks)
        marks[:, order] = puzzle.pencilmarks
    other = Puzzle.of(puzzle.geometry, labels[puzzle.givens], pencilmarks=marks)

    renamed = sorted(tuple(labels[list(grid)].tolist()) for grid in grids(puzzle, method))
    assert grids(other, method) == renamed


@given(puzzle=puzzles(["4x4", "4x4+diagonals", "6x6", "6x6:3x2"]), method=st.sampled_from(METHODS))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_transposed(puzzle: Puzzle, method: str) -> None:
    """Transposing keeps the count."""
    n = puzzle.geometry.n_values
    # An oblong box is turned as well.
    turned = {"6x6": board("6x6:3x2"), "6x6:3x2": board("6x6:2x3")}.get(puzzle.geometry.name, puzzle.geometry)
    cells = np.arange(n * n).reshape(n, n).T.ravel()
    marks = None if puzzle.pencilmarks is None else puzzle.pencilmarks[cells]
    other = Puzzle.of(turned, puzzle.givens[cells], pencilmarks=marks)

    assert grids(other, method) == sorted(tuple(np.array(grid)[cells].tolist()) for grid in grids(puzzle, method))


@given(puzzle=puzzles(["4x4", "6x6", "6x6:3x2"]), method=st.sampled_from(METHODS), seed=st.integers(0, 10**6))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_permuted_bands(puzzle: Puzzle, method: str, seed: int) -> None:
    """Permuting bands and rows within bands keeps the count."""
    chance = np.random.default_rng(seed)
    n = puzzle.geometry.n_values
    assert puzzle.geometry.box is not None
    height, width = puzzle.geometry.box
    rows = np.concatenate([band * height + chance.permutation(height) for band in chance.permutation(n // height)])
    columns = np.concatenate([stack * width + chance.permutation(width) for stack in chance.permutation(n // width)])
    cells = np.arange(n * n).reshape(n, n)[rows][:, columns].ravel()
    marks = None if puzzle.pencilmarks is None else puzzle.pencilmarks[cells]
    other = Puzzle.of(puzzle.geometry, puzzle.givens[cells], pencilmarks=marks)

    assert counted(other, method) == counted(puzzle, method)


@given(puzzle=puzzles(["4x4x4"]), method=st.sampled_from(METHODS), axes=st.permutations([0, 1, 2]))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_turned_cube(puzzle: Puzzle, method: str, axes: list[int]) -> None:
    """Turning a cube keeps the count."""
    cells = np.arange(64).reshape(4, 4, 4).transpose(axes).ravel()
    marks = None if puzzle.pencilmarks is None else puzzle.pencilmarks[cells]
    other = Puzzle.of(puzzle.geometry, puzzle.givens[cells], pencilmarks=marks)

    assert counted(other, method) == counted(puzzle, method)


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_sat_and_cp_sat(puzzle: Puzzle) -> None:
    """SAT and CP-SAT find the same solutions."""
    found = grids(puzzle, "sat")

    assert len(found) == len(set(found))
    assert grids(puzzle, "cp-sat") == found
    assert grids(puzzle, "cp-sat-bool") == found


@given(puzzle=puzzles(["4x4", "4x4+diagonals", JIGSAW_4X4, "short units", "4x4, two rules"]), data=st.data())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_encodings_and_plain_search(puzzle: Puzzle, data: st.DataObject) -> None:
    """Every encoding finds what a plain search finds."""
    method = data.draw(
        st.sampled_from(
            [name for name, method in ALL_METHODS.items() if not method.unsupported_reason(puzzle.geometry)]
        )
    )
    if ALL_METHODS[method].finds == "all":
        assert grids(puzzle, method) == sorted(by_hand(puzzle))


@given(
    puzzle=puzzles(["4x4", JIGSAW_4X4, "short units"]),
    method=st.sampled_from(METHODS),
    limit=st.integers(1, 60),
)
@settings(derandomize=True, max_examples=40, deadline=None)
def test_complete_below_limit(puzzle: Puzzle, method: str, limit: int) -> None:
    """A count is complete only when there are fewer than the limit."""
    n = len(list(by_hand(puzzle)))
    found = tally(calls.solutions(puzzle, method, Deadline(limit)))

    assert (found.value, found.complete) == (min(n, limit), n < limit)


@pytest.mark.parametrize("method", METHODS)
def test_growing_rules(method: str) -> None:
    """Adding rules one by one to a cube gives the known counts."""
    names = ["row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz"]
    # A Latin cube whose first layer is a Sudoku with ordered first row: 24 times as many without.
    first = [1, 2, 3, 4]
    counts = []
    for n_rules in (4, 5, 6):
        geometry = board("4x4x4", names[:n_rules])
        counts.append(counted(Puzzle.of(geometry, first + [0] * 60), method))

    assert counts == [912, 432, 32]
    assert all(more > fewer for more, fewer in pairwise(counts))
    assert Count(counts[2] * 24, True) == Count(768, True)
