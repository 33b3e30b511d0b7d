"""Constraints that are units of the board: chess moves, diagonals, groups and windows, with numbers that are known."""

import pytest

from sudoku_encode import Puzzle, board, count
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.parsing import parse
from sudoku_encode.run.counting import Count


@pytest.mark.parametrize("method", ["sat", "cp-sat"])
def test_miracle_72(method: str) -> None:
    """The miracle rules have 72 grids."""
    # Anti-knight, anti-king and non-consecutive on the empty grid; dclamage/SudokuSolver asserts the same number.
    puzzle = Puzzle.of(board("9x9"), constraints=["anti-knight", "anti-king", "non-consecutive"])
    assert count(puzzle, method) == Count(72, True)


def new_units(name: str, *constraints: str) -> list[list[int]]:
    """Return the units that constraints add to a board."""
    found = lower_puzzle(Puzzle.of(board(name), constraints=constraints))
    assert found.primitives == ()
    more = found.puzzle.geometry.rules[len(board(name).rules) :]
    return [unit for rule in more for unit in rule.units.tolist()]


def test_covered_pairs_add_nothing() -> None:
    """Pairs that a unit has already add nothing."""
    # Of 2 * 8 * 8 diagonal neighbours 8 are in each box, and of 4 * 7 * 8 knight's moves too.
    assert len(new_units("9x9", "anti-king")) == 2 * 8 * 8 - 9 * 8
    assert len(new_units("9x9", "anti-knight")) == 4 * 7 * 8 - 9 * 8
    assert len(new_units("latin:9x9", "anti-knight")) == 4 * 7 * 8
    assert len(new_units("9x9+diagonals", "diagonal")) == 0
    assert len(new_units("9x9+windoku", "windoku")) == 0
    assert sorted(map(len, new_units("9x9", "diagonal", "windoku", "disjoint-groups"))) == [9] * (2 + 4 + 9)


@pytest.mark.parametrize("name", ["6x6", "6x6:3x2", "8x8", "12x12:2x6", "16x16:2x8", "9x9+diagonals"])
def test_windows_of_rule_and_constraint(name: str) -> None:
    """The rule has the windows of the constraint, with boxes of any form."""
    rule = {tuple(cells) for cells in board(f"{name}+windoku").rules[-1].units.tolist()}
    assert rule == set(map(tuple, new_units(name, "windoku")))


@pytest.mark.parametrize("rule", ["diagonals", "windoku"])
def test_same_as_board_rule(rule: str) -> None:
    """A constraint has as many solutions as the rule of its name."""
    constraint = Puzzle.of(board("4x4"), constraints=[rule.removesuffix("s")])
    expected = count(Puzzle.of(board(f"4x4+{rule}")), "search")
    assert 0 < expected.value < 288
    for method in ("search", "sat", "frontier"):
        assert count(constraint, method) == expected


def test_moves_in_cubes() -> None:
    """A cube has moves along each of its sides."""
    # A knight moves two along one side and one along another: 6 * 4 directions, of two opposite ones one.
    latin = new_units("latin:4x4x4", "anti-knight")
    assert len(latin) == 12 * (2 * 3 * 4)
    king = new_units("latin:4x4x4", "anti-king")
    assert len(king) == 6 * (3 * 3 * 4) + 4 * (3 * 3 * 3)
    assert len(new_units("4x4x4", "space-diagonals")) == 4
    assert len(new_units("4x4x4", "plane-diagonals")) == 3 * 4 * 2


def test_equal_planes() -> None:
    """Planes of a cube can be equal where no rule is across them."""
    # Each plane is a Sudoku by itself: of those with the same values there is one left.
    layers = board("4x4x4", ["row-x", "row-y", "box-xy"])
    for method in ("search", "sat", "cp-sat"):
        assert count(Puzzle.of(layers, constraints=["equal-planes 3 0 1 2 3"]), method).value == 288
    across = board("4x4x4", ["row-x", "row-y", "row-z", "box-xy"])
    assert count(Puzzle.of(across, constraints=["equal-planes 3 0 3"]), "sat").value == 0


REFUSED = {
    ("corner:4", "anti-knight"): "it needs neighbours",
    ("4x4x4", "diagonal"): "it needs rows and columns",
    ("9x9", "diagonal 3"): "not a diagonal: 3 (1 rises to the right, -1 falls)",
    ("9x9", "space-diagonals"): "it needs a cube, not 9x9",
    ("9x9", "equal-planes 1 0 1"): "it needs a cube, not 9x9",
    ("4x4x4", "equal-planes 0 1 2"): "not an axis: 0 (1, 2 or 3, for x, y or z)",
    ("4x4x4", "equal-planes 3 1 4"): "not a plane of 4x4x4: 4 (0 to 3)",
    ("4x4x4", "equal-planes 3 1 1"): "a plane appears twice",
    ("9x9", "plane-diagonals"): "it needs a cube, not 9x9",
    ("latin:9x9", "disjoint-groups"): "it needs boxes or regions that share no cell, which latin:9x9 does not have",
    ("jigsaw:aabbaabbccddccdd", "windoku"): "it needs rectangular boxes",
    ("4x4:1x4", "windoku"): "it needs rectangular boxes with a line of cells around, unlike 4x4:1x4",
}


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_refusals(name: str, text: str) -> None:
    """What a board does not have is refused in one line."""
    with pytest.raises(FormatError) as caught:
        parse(text, board(name))
    assert REFUSED[name, text] in str(caught.value)
