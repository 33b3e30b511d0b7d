"""What a blocking clause leaves out follows from the rest: each clause excludes one solution, and says which."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.encoders.blocking import blocking, inferred_cells
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import LOOSE, STRIP, puzzle_of

BOARDS = ["4x4", "6x6", "9x9", "9x9+diagonals", "jigsaw:aaabacbbccbdcddd", "4x4x4"]


@settings(deadline=None)
@given(st.sampled_from(BOARDS), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_inferred_cells(board: str, seed: int, share: float) -> None:
    """Inferred cells can be filled in one after the other."""
    geometry = boards.board(board)
    is_open = np.random.default_rng(seed).random(geometry.n_cells) < share
    inferred = inferred_cells(geometry, is_open)

    left_out = {cell for cell, _ in inferred}
    unknown = set(left_out)
    for cell, unit in inferred:
        assert len(unit) == geometry.n_values
        assert unknown.intersection(unit.tolist()) == {cell}
        unknown.remove(cell)
    assert not unknown
    assert left_out <= set(np.flatnonzero(is_open).tolist())
    assert len(left_out) < max(1, is_open.sum())


def test_quarter_of_empty_board() -> None:
    """Of an empty board a quarter of the cells is inferred."""
    # The 27 units say no more than 21 of them do.
    assert len(inferred_cells(boards.board("9x9"), np.ones(81, bool))) in (20, 21)


def test_full_units_only() -> None:
    """Only a unit with all values says what a cell holds."""
    inferred = {board.name: inferred_cells(board, np.ones(board.n_cells, bool)) for board in (STRIP, LOOSE)}

    assert inferred[STRIP.name] == []
    assert [(cell, unit.tolist()) for cell, unit in inferred[LOOSE.name]] == [(0, [0, 1])]


@pytest.mark.parametrize("reduction", ["none", "singles"])
@pytest.mark.parametrize("infer", [True, False])
def test_excluded_grids_named(reduction: str, infer: bool) -> None:
    """Clauses say which grids they exclude."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = encode(puzzle, reduction=reduction)
    how = blocking(encoded, puzzle.givens, infer=infer)
    wanted = sorted(by_hand(puzzle))
    models = [
        [
            variable if (encoded.literals[np.arange(16), np.array(grid) - 1] == variable).any() else -variable
            for variable in range(1, encoded.cnf.n_variables + 1)
        ]
        for grid in wanted
    ]

    clauses = [how.clause(model) for model in models]

    assert len({tuple(clause) for clause in clauses}) == len(wanted)
    assert how.grids
    assert how.grids(clauses).tolist() == list(map(list, wanted))
    # A model that gives a cell no value, or two, has an empty grid, which is no solution.
    first, second = how.grids([clauses[0], clauses[1][1:]]).tolist()
    assert (first, set(second)) == (list(next(iter(wanted))), {0})


def test_sums_above_255() -> None:
    """Sums of a unit may pass 255."""
    board = boards.board("25x25")
    grid = np.array([(5 * (row % 5) + row // 5 + column) % 25 + 1 for row in range(25) for column in range(25)])
    puzzle = Puzzle.of(board, np.where(np.arange(625) < 300, grid, 0))
    encoded = encode(puzzle, reduction="givens")
    how = blocking(encoded, puzzle.givens)
    cells = np.flatnonzero(encoded.literals.any(axis=(1, 2)))
    held = set(encoded.literals[cells, grid[cells] - 1, 0].tolist())

    clause = how.clause([v if v in held else -v for v in range(1, encoded.cnf.n_variables + 1)])

    assert len(clause) < len(cells)
    assert how.grids
    assert how.grids([clause])[0].tolist() == grid.tolist()
