"""Boards of squares that share boxes: agreement with the search by parts, sums, and which boards are taken."""

import numpy as np
import pytest

from sudoku_encode import frontier
from sudoku_encode.frontier import component_cache, square_trees, square_trees_kernel
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.methods.calls import solutions
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.joined_boards import OVERLAPS
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from tests.helpers.solution_sets import never

CHAIN = "9x9@0,0;6,6;12,12"
# Its middle square sends to one that is not the last one either.
BRANCHED = "9x9@0,12;6,6;12,0;18,6"


def random_puzzle(name: str, n_givens: int, seed: int) -> Puzzle:
    """Return a random puzzle of a solution in which the values are exchanged."""
    chance = np.random.default_rng(seed)
    geometry = board(name)
    grid = next(iter(solutions(Puzzle.of(geometry), "search", Deadline(1))))[0]
    labels = np.array([0, *(chance.permutation(9) + 1)], np.uint8)
    givens = np.zeros(geometry.n_cells, np.uint8)
    chosen = chance.permutation(geometry.n_cells)[:n_givens]
    givens[chosen] = labels[grid[chosen]]
    return Puzzle.of(geometry, givens)


def counted_by(method: object, puzzle: Puzzle, max_bytes: int = 10**9) -> int:
    """Return the number of solutions by a module alone."""
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    lines = method.count(puzzle, candidates, never, max_bytes)  # type: ignore[attr-defined]
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


@pytest.mark.parametrize(("name", "n_givens"), [("twodoku", 55), (CHAIN, 85), (BRANCHED, 120), ("samurai", 130)])
@pytest.mark.parametrize("seed", [1, 2])
def test_against_parts(name: str, n_givens: int, seed: int) -> None:
    """Messages count as many solutions as the search by parts, in squares that send and receive."""
    puzzle = random_puzzle(name, n_givens, seed)
    assert counted_by(square_trees, puzzle) == counted_by(component_cache, puzzle) > 1


def test_sum_over_values() -> None:
    """A number beyond a machine word is the sum over the values of a cell in a shared box."""
    puzzle = random_puzzle("samurai", 86, 1)
    total = counted_by(square_trees, puzzle)
    assert total > 2**64
    geometry, candidates = puzzle.geometry, propagated_candidates(puzzle)
    assert candidates is not None
    shared = np.array([len(set(units)) for units in geometry.units_of_cells.tolist()]).argsort()[::-1]
    cell = next(int(one) for one in shared if candidates[one].sum() > 1)
    parts = []
    for value in np.flatnonzero(candidates[cell]).tolist():
        givens = puzzle.givens.copy()
        givens[cell] = value + 1
        parts.append(frontier.count(Puzzle.of(geometry, givens), never))
    assert len(parts) > 1
    assert sum(parts) == total


def test_boards() -> None:
    """Squares in a tree are taken, and those in a ring or that share more than boxes are not."""
    trees = {name for name in OVERLAPS if square_trees.tree(board(name)) is not None}
    assert trees == {"samurai", "twodoku"}
    assert square_trees.tree(board(CHAIN)) is not None
    others = ["9x9", "4x4@0,0;2,2", "9x9@0,0;6,6;0,15", "9x9+diagonals@0,0;6,6", "9x9@0,0;0,3"]
    assert [square_trees.tree(board(name)) for name in others] == [None] * len(others)


def test_primes() -> None:
    """The primes are those below 2**31."""
    assert square_trees._prime_below(2**31 - 1) == 2147483629
    assert square_trees._prime_below(2147483629) == 2147483587


def test_residues() -> None:
    """Sums of products keep their residues where they pass a machine word."""
    modulus, total, expected = 2**31 - 1, np.uint64(0), 0
    for number in range(20):
        total = square_trees_kernel.add_product(
            np.uint64(total),
            np.uint64(modulus - 1 - number),
            np.uint64(modulus - 2),
            np.uint64(2**63 // modulus * modulus),
        )
        expected += (modulus - 1 - number) * (modulus - 2)
    assert int(total) % modulus == expected % modulus


def test_too_large_tables() -> None:
    """Tables that would pass the limit are not made."""
    with pytest.raises(OutOfTableMemory, match=r"memory limit"):
        counted_by(square_trees, random_puzzle("twodoku", 30, 1), 10**5)
