"""Puzzles and the specification of a solution: `violations`, and `check`, which must agree with it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError, InternalError
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle, breaks_rule, check, violations
from sudoku_encode.puzzles.shapes import square
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import RIGHT_4, STRIP


def faults(givens: list[int] | None, grid: list[int], marks: np.ndarray | None = None) -> list[str]:
    return list(violations(Puzzle.of(square(4), givens, pencilmarks=marks), grid))


def test_plain_search_288() -> None:
    """The plain search finds the 288 grids."""
    assert len(set(by_hand(Puzzle.of(square(4))))) == 288
    assert RIGHT_4 in map(list, by_hand(Puzzle.of(square(4))))


def test_right_grid() -> None:
    """A right grid has no violations."""
    assert faults(None, RIGHT_4) == []
    assert faults([1, 0, 0, 4] + [0] * 12, RIGHT_4) == []
    assert faults(RIGHT_4, RIGHT_4) == []


def test_row_repeat() -> None:
    """A repeat in a row alone is told."""
    strip = Geometry("strip", (1, 2), 2, (Rule("row", np.array([[0, 1]], np.int32)),))

    assert list(violations(Puzzle.of(strip), [2, 2])) == ["r1c1 and r1c2 of one row both hold 2"]


@pytest.mark.parametrize(
    ("rule", "grid"),
    [
        # Each grid is right but for that one rule.
        ("row", [1, 1, 2, 2, 3, 3, 4, 4, 2, 2, 1, 1, 4, 4, 3, 3]),
        ("column", [1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4, 1, 2]),
        ("box", [1, 2, 3, 4, 2, 3, 4, 1, 3, 4, 1, 2, 4, 1, 2, 3]),
    ],
)
def test_unit_repeats(rule: str, grid: list[int]) -> None:
    """A repeat in each kind of unit is told."""
    told = faults(None, grid)

    assert any(f"of one {rule} both hold" in fault for fault in told)
    if rule == "box":
        assert all("of one box both hold" in fault for fault in told)
        assert len(told) == 4
        assert told[0] == "r1c2 and r2c1 of one box both hold 2"


def test_cube_axis_repeat() -> None:
    """A repeat in one axis of a cube is told."""
    cube = board("4x4x4")
    grid = np.array(next(by_hand(Puzzle.of(cube))))
    assert list(violations(Puzzle.of(cube), grid)) == []
    for rule in cube.rules:
        alone = cube.with_rules([rule.name])
        broken = grid.copy()
        first, second = rule.units[5][:2]
        broken[second] = broken[first]
        assert any(f"of one {rule.name} both hold" in fault for fault in violations(Puzzle.of(alone), broken))


def test_changed_given() -> None:
    """A changed given is told."""
    assert faults([2] + [0] * 15, RIGHT_4) == ["r1c1 holds 1, its given is 2"]


@pytest.mark.parametrize("value", [0, 5, -1, 255])
def test_value_range(value: int) -> None:
    """A value out of range is told."""
    assert faults(None, [*RIGHT_4[:-1], value]) == [f"r4c4 holds {value}, not a value from 1 to 4"]


@pytest.mark.parametrize("grid", [RIGHT_4[:-1], [*RIGHT_4, 1], []])
def test_wrong_length(grid: list[int]) -> None:
    """A wrong length is told."""
    assert faults(None, grid) == [f"{len(grid)} values for 16 cells"]


def test_excluded_value() -> None:
    """A value that pencilmarks exclude is told."""
    marks = np.ones((16, 4), bool)
    marks[15, 0] = False

    assert faults(None, RIGHT_4, marks) == ["r4c4 holds 1, which its pencilmarks exclude"]
    # A given counts more than a pencilmark.
    assert faults([0] * 15 + [1], RIGHT_4, marks) == []


def test_all_faults() -> None:
    """Every fault is told not only the first."""
    told = faults([4] + [0] * 15, [1, 1, 3, 9, *RIGHT_4[4:]])

    assert "r1c1 holds 1, its given is 4" in told
    assert "r1c4 holds 9, not a value from 1 to 4" in told
    assert "r1c1 and r1c2 of one row both hold 1" in told
    assert "r1c1 and r1c2 of one box both hold 1" in told


GRIDS_4 = list(by_hand(Puzzle.of(square(4))))
DIAGONAL = board("4x4+diagonals")


@given(
    picks=st.lists(st.integers(0, 287), min_size=1, max_size=4),
    changes=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 15), st.integers(0, 6)), max_size=2),
    given_cells=st.sets(st.integers(0, 15), max_size=6),
    wrong_given=st.booleans(),
    marked=st.lists(st.tuples(st.integers(0, 15), st.integers(0, 3)), max_size=2),
    diagonals=st.booleans(),
)
@settings(derandomize=True, max_examples=300, deadline=None)
def test_check_agrees(
    picks: list[int],
    changes: list[tuple[int, int, int]],
    given_cells: set[int],
    wrong_given: bool,
    marked: list[tuple[int, int]],
    diagonals: bool,
) -> None:
    """Check agrees with the specification."""
    grids = np.array([GRIDS_4[pick] for pick in picks], np.uint8)
    givens = np.zeros(16, np.uint8)
    for cell in given_cells:
        givens[cell] = grids[0, cell] % 4 + 1 if wrong_given and cell == min(given_cells) else grids[0, cell]
    for row, cell, value in changes:
        grids[row % len(grids), cell] = value
    marks = np.ones((16, 4), bool)
    for cell, value in marked:
        marks[cell, value] = False
    puzzle = Puzzle.of(DIAGONAL if diagonals else square(4), givens, pencilmarks=marks)
    wrong = [grid for grid in grids if list(violations(puzzle, grid))]

    if wrong:
        with pytest.raises(InternalError, match="not a solution") as failure:
            check(puzzle, grids)
        assert next(violations(puzzle, wrong[0])) in str(failure.value)
    else:
        check(puzzle, grids)


def test_corruptions() -> None:
    """Every single corruption is caught by both."""
    puzzle = Puzzle.of(square(4))
    right = np.array(RIGHT_4, np.uint8)
    for cell, value in product(range(16), range(6)):
        if value == right[cell]:
            continue
        corrupt = right.copy()
        corrupt[cell] = value
        assert list(violations(puzzle, corrupt))
        with pytest.raises(InternalError):
            check(puzzle, corrupt[None])


def test_givens_per_grid() -> None:
    """Check takes givens of each grid its own."""
    puzzle = Puzzle.of(square(4))
    grids = np.array([GRIDS_4[0], GRIDS_4[1]], np.uint8)
    givens = np.zeros_like(grids)
    givens[1, 15] = grids[1, 15]
    check(puzzle, grids, givens)

    givens[1, 15] = grids[1, 15] % 4 + 1
    with pytest.raises(InternalError, match="changes a given"):
        check(puzzle, grids, givens)


def test_empty_batch() -> None:
    """Check takes an empty batch."""
    check(Puzzle.of(square(4)), np.zeros((0, 16), np.uint8))


@given(seed=st.integers(0, 10**6), many=st.booleans())
@settings(derandomize=True, max_examples=50, deadline=None)
def test_breaks_rule_small_units(seed: int, many: bool) -> None:
    """Breaks rule agrees with the specification on units with fewer cells than values."""
    # With 64 values and more a set of values is no machine word.
    strip = replace(STRIP, n_values=64) if many else STRIP
    grids = np.random.default_rng(seed).integers(1, 5, (6, strip.n_cells)).astype(np.uint8)
    wrong = [any(True for _ in violations(Puzzle.of(strip), grid)) for grid in grids]

    assert breaks_rule(strip, grids).tolist() == wrong


def test_breaks_rule_per_grid() -> None:
    """Breaks rule tells each grid on its own."""
    wrong = [*RIGHT_4[:-1], 2]

    assert breaks_rule(square(4), np.array([RIGHT_4, wrong, RIGHT_4], np.uint8)).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("cells", "clash"), [((0, 3), True), ((0, 12), True), ((0, 5), True), ((0, 6), False), ((0, 0), False)]
)
def test_clash(cells: tuple[int, int], clash: bool) -> None:
    """Two equal givens clash when they are peers."""
    givens = np.zeros(16, int)
    givens[list(cells)] = 3

    assert Puzzle.of(square(4), givens).clash == (cells if clash else None)


def test_no_clash() -> None:
    """Different givens and blanks do not clash."""
    assert Puzzle.of(square(4)).clash is None
    assert Puzzle.of(square(4), RIGHT_4).clash is None


def test_candidates() -> None:
    """Candidates are what a cell itself allows."""
    marks = np.ones((16, 4), bool)
    marks[2] = [True, False, False, True]
    puzzle = Puzzle.of(square(4), [3] + [0] * 15, pencilmarks=marks)

    assert puzzle.candidates[0].tolist() == [False, False, True, False]
    assert puzzle.candidates[1].all()
    assert puzzle.candidates[2].tolist() == [True, False, False, True]
    assert puzzle.blanks.tolist() == list(range(1, 16))


@pytest.mark.parametrize(
    ("givens", "message"),
    [
        ([1, 2, 3], "3 values for the 16 cells of 4x4"),
        ([], "0 values for the 16 cells"),
        ([0] * 17, "17 values"),
        ([0] * 15 + [5], "r4c4 = 5; values on 4x4 go from 1 to 4"),
        ([-1] + [0] * 15, "r1c1 = -1; values"),
        ([257] + [0] * 15, "r1c1 = 257"),
        ([0.5] * 16, "whole numbers, not float64"),
        (["1"] * 16, "whole numbers"),
        ([10**30] * 16, "whole numbers"),
        ([True] * 16, "whole numbers"),
    ],
)
def test_bad_input(givens: list[object], message: str) -> None:
    """Bad input is refused."""
    with pytest.raises(FormatError, match=message):
        Puzzle.of(square(4), np.array(givens))


def test_from_any_array() -> None:
    """A puzzle is made from a grid of any shape and type."""
    for givens in (RIGHT_4, np.reshape(RIGHT_4, (4, 4)), np.array(RIGHT_4, np.int8), tuple(RIGHT_4)):
        made = Puzzle.of(square(4), givens)
        assert made.givens.tolist() == RIGHT_4
        assert made.givens.dtype == np.uint8


def test_source_copied() -> None:
    """Changing the source does not change the puzzle."""
    source = np.array(RIGHT_4, np.uint8)
    puzzle = Puzzle.of(square(4), source)
    source[0] = 4

    assert puzzle.givens[0] == 1


def test_wrong_pencilmarks() -> None:
    """Pencilmarks of another shape are refused."""
    with pytest.raises(FormatError, match=r"\(16, 3\) for 4x4; expected \(16, 4\)"):
        Puzzle.of(board("4x4"), pencilmarks=np.ones((16, 3), bool))
