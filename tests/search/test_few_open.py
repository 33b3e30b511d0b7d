"""The last open cells, whose fillings are counted at once: against SAT, and against lists of all solutions."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode import search
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.search import any_kernel, few_open_kernel
from sudoku_encode.search.state import MOST_FEW, OPEN_CELLS, AnyState, any_state, masks_of
from tests.helpers.puzzles import JIGSAW, filled, puzzles
from tests.helpers.solution_sets import all_by_sat, never

BOARDS = ("4x4", "5x5", "6x6:2x3", "9x9+diagonals", "4x4x4", JIGSAW, "4x4x4, two rules", "9x9, no boxes", "short units")


def ways(state: AnyState) -> int:
    """Count the solutions of a state that is propagated, at once."""
    cells = state.open_cells[: state.counts[OPEN_CELLS]]
    state.few.cells[: len(cells)], state.few.masks[0, : len(cells)] = cells, state.masks[cells]
    return few_open_kernel.count_few(state.few, len(cells))[0]


def test_same_as_sat() -> None:
    """As many fillings are counted as SAT finds, and once more: nothing is left from before."""
    counts: list[int] = []

    @given(puzzle=puzzles(BOARDS, wrong=False))
    @settings(derandomize=True, max_examples=80, deadline=None)
    def check(puzzle: Puzzle) -> None:
        state = any_state(puzzle.geometry, masks_of(puzzle))
        assume(any_kernel.begin(state, False) and state.counts[OPEN_CELLS] <= MOST_FEW)
        expected = len(all_by_sat(puzzle))
        assume(expected <= 100)
        counts.append(ways(state))
        # What takes many guesses is left to the search.
        assert counts[-1] in (expected, -1)
        assert ways(state) == counts[-1]
        assert not state.few.members.any()

    check()

    assert counts.count(-1) < len(counts) // 4


def test_products() -> None:
    """Parts are multiplied, and a product or a number of guesses that is too large is left to the search."""
    # Rows of three cells with three different values out of four, in which nothing else must differ.
    rule = Rule("row", np.arange(60, dtype=np.int32).reshape(20, 3))
    rows = Geometry("rows", (20, 3), 4, (rule,))
    for geometry, n_open, expected in (
        *((rows, 3 * n_rows, 24**n_rows) for n_rows in (1, 2, 6)),
        *((rows, 3 * n_rows, -1) for n_rows in (7, 20)),
        (board("latin:7x7"), 49, -1),
    ):
        givens = np.where(np.arange(geometry.n_cells) < n_open, 0, np.arange(geometry.n_cells) % 3 + 1)
        state = any_state(geometry, masks_of(Puzzle.of(geometry, givens)))
        assert any_kernel.begin(state, False)
        assert ways(state) == expected


@pytest.mark.parametrize(
    ("name", "n_givens"), [("latin:9x9", 35), ("10x10:2x5", 42), ("samurai", 165), ("9x9+diagonals", 16)]
)
def test_same_as_listed(name: str, n_givens: int) -> None:
    """As many solutions are counted as there are in a list."""
    full, chance = filled(name), np.random.default_rng(3)
    counts = []
    for fewer in range(0, 10, 3):
        givens = np.where(chance.permutation(len(full)) < n_givens - fewer, full, 0)
        state = any_state(board(name), masks_of(Puzzle.of(board(name), givens)))
        listed, out = 0, np.empty((1000, len(full)), np.uint8)
        again = any_state(board(name), state.masks.copy())
        while not search.finished(state) and listed < 20_000:
            listed += search.advance(state, out)
        if search.finished(state):
            counts.append(search.tally(again, never))
            assert counts[-1] == listed
    assert max(counts) > 20
