"""Constraints from functions: they mean what the functions say."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import bind, parse
from sudoku_encode.puzzles.geometry import Geometry

LINE = Geometry("1x4", (1, 4), 5, ())


def grids_of(constraint: Constraint, board: Geometry = LINE) -> list[tuple[int, ...]]:
    """Return the grids that the definition of a constraint allows, which are those that a method lists."""
    every = product(range(1, board.n_values + 1), repeat=board.n_cells)
    allowed = [grid for grid in every if not bind(constraint, board).violated(grid)]
    listed = se.solutions(se.Puzzle.of(board, constraints=[constraint]), "sat")
    assert sorted(tuple(grid.values.tolist()) for grid in listed) == allowed
    return allowed


FUNCTIONS: dict[str, Callable[..., bool]] = {
    "r1c3": lambda a: a % 2 == 1,
    "r1c4 r1c1": lambda a, b: a > b + 1,
    "r1c1-r1c3": lambda a, b, c: a * b == c + 1,
    "r1c4-r1c1": lambda a, b, c, d: (a + 2 * b) % 3 == (c * d) % 4,
}


@pytest.mark.parametrize("cells", FUNCTIONS)
def test_relation(cells: str) -> None:
    """Exactly the values of which the function is true are allowed."""
    constraint, function = se.relation(FUNCTIONS[cells], cells, LINE), FUNCTIONS[cells]
    (line,) = constraint.cells
    every = product(range(1, 6), repeat=4)
    assert grids_of(constraint) == [grid for grid in every if function(*(grid[cell] for cell in line))]
    assert parse(constraint.text(LINE), LINE) == constraint
    assert constraint.kind == {1: "values", 2: "pairs"}.get(len(line), "automaton")


def test_automaton() -> None:
    """An automaton accepts the values that its steps accept, and is small."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        last, n_falls = state
        return (value, n_falls + (value < last)) if abs(value - last) < 4 else None

    start: tuple[int, int] = (1, 0)
    constraint = se.automaton("r1c1-r1c4", LINE, start, step, lambda state: state[1] == 1)
    expected = [
        grid
        for grid in product(range(1, 6), repeat=4)
        if all(abs(a - b) < 4 for a, b in zip((1, *grid), grid, strict=False))
        and sum(b < a for a, b in zip((1, *grid), grid, strict=False)) == 1
    ]
    assert grids_of(constraint) == expected
    # A machine of two states stays one of two, however long the line is.
    two = se.automaton(range(81), "9x9", "low", lambda state, value: "high" if value > 6 else state, "high".__eq__)
    assert two.expression == "123456>0,789>1 !.>1"
    # Steps that count what does not matter are merged.
    counted = se.automaton("r1c1-r1c4", LINE, 0, lambda state, value: state + 1, lambda state: True)
    assert counted.expression.count(" ") == 4


def test_equal_states_merged() -> None:
    """States that no values tell apart become one."""
    last_two = se.automaton(
        "r1c1-r1c9", "9x9", (0, 0), lambda state, value: (state[1], value), lambda state: state[1] % 2 == 1
    )
    assert last_two.expression == "13579>1,2468>0 !13579>1,2468>0"


WRONG: dict[str, tuple[Callable[[], object], type[se.SudokuError], str]] = {
    "no values": (
        lambda: se.relation(lambda a, b: False, "r1c1 r1c2", LINE),
        se.FormatError,
        "the function allows no values",
    ),
    "no line": (
        lambda: se.automaton("r1c1 r1c2", LINE, 0, lambda state, value: None, bool),
        se.FormatError,
        "no values of its cells are accepted",
    ),
    "many cells": (lambda: se.relation(lambda *values: True, range(9), "9x9"), se.FormatError, "more than 100,000"),
    "no such cell": (lambda: se.relation(lambda a: True, [4], LINE), se.GeometryError, "cell 4 is not on 1x4"),
    "half a cell": (lambda: se.relation(lambda a: True, [0.5], LINE), se.GeometryError, "cell 0.5 is not on 1x4"),  # type: ignore[list-item]
    "no such name": (lambda: se.relation(lambda a: True, "r2c1", LINE), se.GeometryError, "no cell 'r2c1'"),
    "no symbols": (
        lambda: se.relation(lambda a, b: True, "r1c1 r1c2", "36x36"),
        se.FormatError,
        "there are symbols for 35 values, but 36x36 has 36",
    ),
    "no end": (
        lambda: se.automaton(range(81), "9x9", 0, lambda state, value: 10 * state + value, bool),
        se.FormatError,
        "an automaton of more than 100,000 states",
    ),
    "no cells": (
        lambda: se.automaton([], "9x9", 0, lambda state, value: 0, lambda state: True),
        se.FormatError,
        "0 lists of cells",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_not_a_function_of_cells(case: str) -> None:
    """A function that allows nothing, too many combinations, and cells that are not there are refused in one line."""
    make, error, words = WRONG[case]
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numpy_cells() -> None:
    """Numbers of numpy are cells too."""
    assert se.relation(lambda a, b: a == b, np.arange(2), LINE).cells == ((0, 1),)
