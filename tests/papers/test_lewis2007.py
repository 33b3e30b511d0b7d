"""Simulated annealing of Lewis 2007: it ends with a solution or fails, and never proves that there is no solution."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import MethodError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.papers import lewis2007
from sudoku_encode.papers.lewis2007_kernel import anneal
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Deadline
from tests.helpers.known_puzzles import known
from tests.helpers.puzzles import puzzles

EMPTY = Puzzle.of(board("4x4"))


def first_solution(puzzle: Puzzle, seed: int) -> Grids:
    """Return the solution that annealing reaches with a seed."""
    batch: Grids = next(calls.solutions(puzzle, "lewis2007", Deadline(1), Options(seed=seed)))
    grid: Grids = batch[0]
    return grid


@pytest.mark.parametrize(
    "name", ["papers/uhbpnp-fig-1.txt", "papers/gtsps-fig-4.9.sdk", "papers/block-world-fig-1.opensudoku"]
)
def test_one_solution(name: str) -> None:
    """A solution is reached, and not called the only one."""
    puzzle = known(name).puzzle
    count = calls.count(puzzle, "lewis2007")

    assert (count.value, count.complete, count.stopped) == (1, False, lewis2007.ONE_ONLY)


def test_seeds() -> None:
    """A seed gives the same solution again, and other seeds other ones."""
    solutions = [first_solution(EMPTY, seed).tobytes() for seed in range(8)]

    assert solutions == [first_solution(EMPTY, seed).tobytes() for seed in range(8)]
    assert len(set(solutions)) > 1


@pytest.mark.parametrize("text", ["11..............", "1....234........", "123....4........"])
def test_no_solution(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle without a solution is never called so."""
    monkeypatch.setattr(lewis2007, "MAX_REHEATINGS", 3)
    puzzle = Puzzle.of(board("4x4"), [int(symbol) for symbol in text.replace(".", "0")])
    count = calls.count(puzzle, "lewis2007")

    assert calls.count(puzzle, "sat") == Count(0, True)
    assert (count.value, count.complete) == (0, False)
    assert count.stopped.startswith("failed: ")


@pytest.mark.parametrize("name", ["9x9+diagonals", "latin:9x9", "4x4x4"])
def test_refused_boards(name: str) -> None:
    """Boards with other rules than rows, columns and boxes are refused."""
    with pytest.raises(MethodError, match="it supports only squares"):
        calls.count(Puzzle.of(board(name)), "lewis2007")


@given(puzzle=puzzles(["4x4", "6x6:2x3"], most_open=0.9), seed=st.integers(0, 99))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_cost(puzzle: Puzzle, seed: int) -> None:
    """The cost is kept by swaps, counts what rows and columns lack, and is 0 for solutions alone."""
    if puzzle.clash is not None:
        puzzle = EMPTY
    random = np.random.default_rng(seed)
    state = lewis2007.start(puzzle, random)
    cost = lewis2007.cost_of(state)
    if len(state.free):
        cost = anneal(state, cost, 2.0, random, 50)
    n, grid = puzzle.geometry.n_values, state.grid
    square = grid.reshape(n, n)
    lacking = sum(n - len(set(line.tolist())) for line in (*square, *square.T))
    excluded = int((~puzzle.candidates)[np.arange(n * n), grid - 1].sum())

    assert cost == lewis2007.cost_of(state) == lacking + excluded
    assert (grid[puzzle.givens > 0] == puzzle.givens[puzzle.givens > 0]).all()
    assert (cost == 0) == (not list(violations(puzzle, grid)))
