"""Independent squares inside a board: their numbering, which of them are equal, and products of counts."""

import numpy as np
import pytest

from sudoku_encode import frontier
from sudoku_encode.frontier import parts
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.methods.calls import solutions
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from tests.helpers.method_steps import said
from tests.helpers.solution_sets import all_by_sat, never

EMPTY = 6_670_903_752_021_072_936_960
LAYERS = ["row-x", "row-y", "box-xy"]


def squares(puzzle: Puzzle) -> list[parts.Square]:
    """The independent squares of a puzzle."""
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    return parts.squares(puzzle, candidates)


def test_layers() -> None:
    """Layers of a cube are independent, and those that differ only in the names of values are counted once."""
    givens = np.zeros((9, 9, 9), np.uint8)
    givens[5, 7, 2], givens[5, 7, 3] = 1, 8
    puzzle = Puzzle.of(board("9x9x9", LAYERS), givens.ravel())
    assert len(squares(puzzle)) == 9
    steps = said(frontier.explain(puzzle, never))
    assert steps[-1] == f"{(EMPTY // 9) ** 2 * EMPTY**7:,} solutions"
    assert sum("squares that are independent" in line for line in steps) == 2


@pytest.mark.parametrize(("rules", "kind"), [(LAYERS, "4x4"), (LAYERS[:2], "latin:4x4")])
def test_small_layers(rules: list[str], kind: str) -> None:
    """Layers with givens and pencilmarks have as many solutions as SAT lists for each alone."""
    rng, cube, square = np.random.default_rng(3), board("4x4x4", rules), board(kind)
    for _ in range(4):
        marks, product = rng.random((4, 4, 4, 4)) < 0.75, 1
        marks[:, :, 3] = marks[:, :, 2]
        for layer in range(4):
            product *= len(all_by_sat(Puzzle.of(square, pencilmarks=marks[:, :, layer].reshape(16, 4))))
        assert frontier.count(Puzzle.of(cube, pencilmarks=marks.reshape(64, 4)), never) == product


@pytest.mark.parametrize("n", [3, 4])
def test_squares_of_more_values(n: int) -> None:
    """A square whose lines are shorter than the number of values is not counted as one with fewer values."""
    puzzle = Puzzle.of(board(f"latin:2x2:{n}@0,0;2,2"))
    assert squares(puzzle) == []
    # A ring of four cells has (n - 1)^4 + (n - 1) colourings.
    assert frontier.count(puzzle, never) == ((n - 1) ** 4 + n - 1) ** 2


def renumbered(cells: Intps, name: str) -> Geometry:
    """A board with cells of a square under other numbers, and a pair of cells beside it."""
    rules = [Rule(rule.name, cells[rule.units].astype(np.int32)) for rule in board(name).rules]
    return Geometry(
        "square and pair",
        (1, len(cells) + 2),
        board(name).n_values,
        (*rules, Rule("pair", np.array([[0, 1]], np.int32))),
    )


@pytest.mark.parametrize("name", ["9x9", "6x6", "6x6:3x2", "12x12:3x4", "latin:5x5"])
def test_numbering(name: str) -> None:
    """A square is found under any numbers of its cells, and its units are those of its board."""
    cells = np.random.default_rng(4).permutation(board(name).n_cells) + 2
    geometry = renumbered(cells, name)
    (square,) = squares(Puzzle.of(geometry))
    found = {frozenset(unit) for rule in square.puzzle.geometry.rules for unit in square.cells[rule.units].tolist()}
    assert found == {frozenset(unit) for rule in geometry.rules[:-1] for unit in rule.units.tolist()}
    assert square.puzzle.geometry.box in (board(name).box, (board(name).box or ())[::-1])


def test_cells_beside() -> None:
    """Cells beside a square are counted too, and a unit more makes it another board."""
    geometry = renumbered(np.arange(16) + 2, "4x4")
    assert frontier.count(Puzzle.of(geometry), never) == 288 * 4 * 3
    diagonal = Rule("diagonal", np.array([[2, 7, 12, 17]], np.int32))
    assert not squares(Puzzle.of(Geometry("more", (1, 18), 4, (*geometry.rules, diagonal))))
    bridge = Rule("bridge", np.array([[1, 2]], np.int32))
    joined = Puzzle.of(Geometry("joined", (1, 18), 4, (*geometry.rules, bridge)))
    assert not squares(joined)
    assert frontier.count(joined, never) == 288 * 3 * 3


def test_unit_to_outside() -> None:
    """A square that itself falls into two parts, of which one goes on outside, is not independent."""
    geometry = renumbered(np.arange(16) + 2, "4x4")
    marks = np.ones((18, 4), bool)
    row, column = np.divmod(np.arange(16), 4)
    marks[2:] = ((row + column) % 2)[:, None] == np.arange(4) // 2
    bridge = Rule("bridge", np.array([[1, 2]], np.int32))
    for outside, rules in (([0, 1, 1, 1], geometry.rules), ([1, 1, 1, 0], (*geometry.rules, bridge))):
        marks[1] = outside
        puzzle = Puzzle.of(Geometry("bridge", (1, 18), 4, rules), pencilmarks=marks)
        assert len(squares(puzzle)) == (len(rules) == 4)
        assert frontier.count(puzzle, never) == len(all_by_sat(puzzle)) > 0


def test_arms_of_samurai() -> None:
    """A samurai whose middle is settled is four squares with givens, whose counts are multiplied."""
    samurai, rng = board("samurai"), np.random.default_rng(5)
    grid = next(iter(solutions(Puzzle.of(samurai), "sat", Deadline(1))))[0]
    rows, columns = np.array(samurai.coordinates).T
    middle = (rows >= 6) & (rows < 15) & (columns >= 6) & (columns < 15)
    givens = np.where(middle | (rng.random(samurai.n_cells) < 0.2), grid, 0)
    expected = 1
    for top, left in ((0, 0), (0, 12), (12, 0), (12, 12)):
        arm = np.flatnonzero((rows >= top) & (rows < top + 9) & (columns >= left) & (columns < left + 9))
        expected *= frontier.count(Puzzle.of(board("9x9"), givens[arm]), never)
    # Rows and columns of the middle settle two cells of a box that it shares, which those of the arm do not.
    givens[((rows == 6) & (columns == 6)) | ((rows == 7) & (columns == 7))] = 0
    puzzle = Puzzle.of(samurai, givens)
    assert len(squares(puzzle)) == 4
    assert frontier.count(puzzle, never) == expected > 10**6
    assert frontier.plan(puzzle) == f"4 independent squares; the first: {frontier.plan(squares(puzzle)[0].puzzle)}"
