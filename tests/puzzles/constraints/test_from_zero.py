"""Constraints on boards whose values begin at 0: their numbers, symbols and expressions say what people read.

Types of ISS strings have their definitions in `tests/formats/test_iss_from_zero.py`; the rest is here.
"""

from collections.abc import Callable
from itertools import pairwise, product

import pytest

import sudoku_encode as se
from sudoku_encode import Puzzle, board
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.boards import from_one
from sudoku_encode.puzzles.constraints.parsing import parse
from sudoku_encode.puzzles.geometry import Geometry
from tests.helpers.constraint_grids import all_models, grids_of

# The numbers of all cells, row by row.
Numbers = tuple[int, ...]


def sandwiched(v: Numbers, first: int, last: int) -> int:
    """Return the sum between two numbers, each of which is there once; -1 if they are not."""
    if v.count(first) != 1 or v.count(last) != 1:
        return -1
    start, end = sorted((v.index(first), v.index(last)))
    return sum(v[start + 1 : end])


def beside(v: Numbers) -> list[tuple[int, int]]:
    """Return the numbers of the neighbours of two rows of two."""
    return [(v[0], v[1]), (v[2], v[3]), (v[0], v[2]), (v[1], v[3])]


# Sides, how many values, a constraint, and what it says.
CASES: list[tuple[tuple[int, int], int, str, Callable[[Numbers], bool]]] = [
    ((1, 3), 4, "cage >=4 r1c1-r1c3", lambda v: sum(v) >= 4 and len(set(v)) == 3),
    ((1, 3), 4, "sum <=2 r1c1-r1c3", lambda v: sum(v) <= 2),
    ((1, 3), 4, "sum 0 r1c1-r1c3", lambda v: sum(v) == 0),
    ((1, 3), 4, "sum 1-2 r1c1*2 r1c2 r1c3*-1", lambda v: 1 <= 2 * v[0] + v[1] - v[2] <= 2),
    ((1, 2), 5, "relation a*b <= n: r1c1 r1c2", lambda v: v[0] * v[1] <= 4),
    ((1, 3), 4, "relation a == 0 or b > a: r1c1-r1c3", lambda v: all(a == 0 or b > a for a, b in pairwise(v))),
    ((1, 2), 4, "pairs 013 32: r1c1 r1c2", lambda v: v in {(0, 1), (0, 3), (3, 2)}),
    ((1, 2), 12, "pairs 0AB B0: r1c1 r1c2", lambda v: v in {(0, 10), (0, 11), (11, 0)}),
    ((1, 3), 4, "automaton 0>1,3>0 !.>1: r1c1-r1c3", lambda v: 0 in v and set(v[: v.index(0)]) <= {3}),
    ((1, 3), 4, "regex 0[1-3]{1,2}0?: r1c1-r1c3", lambda v: v[0] == 0 and v[1] > 0),
    ((1, 2), 4, "values 0 3 r1c1 r1c2", lambda v: set(v) <= {0, 3}),
    ((1, 2), 4, "odd r1c1", lambda v: v[0] % 2 == 1),
    ((1, 2), 4, "even r1c1", lambda v: v[0] % 2 == 0),
    ((1, 3), 4, "slow-thermometer r1c1-r1c3", lambda v: v[0] <= v[1] <= v[2]),
    ((1, 3), 4, "parity-line r1c1-r1c3", lambda v: all((a + b) % 2 for a, b in pairwise(v))),
    ((1, 2), 5, "nabner r1c1-r1c2", lambda v: abs(v[0] - v[1]) >= 2),
    ((2, 2), 3, "minimum r1c1", lambda v: v[0] < min(v[1], v[2])),
    ((2, 2), 3, "maximum r1c1", lambda v: v[0] > max(v[1], v[2])),
    ((2, 2), 4, "negative-difference 2 3", lambda v: all(abs(a - b) not in (2, 3) for a, b in beside(v))),
    ((2, 2), 4, "negative-ratio 3", lambda v: all(a != 3 * b and b != 3 * a for a, b in beside(v))),
    ((2, 2), 4, "negative-xv 0 4", lambda v: all(a + b not in (0, 4) for a, b in beside(v))),
    ((1, 2), 4, "ratio 3 r1c1 r1c2", lambda v: v[0] == 3 * v[1] or v[1] == 3 * v[0]),
    ((1, 4), 4, "sandwich 2 r1c1-r1c4", lambda v: sandwiched(v, 0, 3) == 2),
    ((1, 4), 4, "sandwich 3 [0 1] r1c1-r1c4", lambda v: sandwiched(v, 0, 1) == 3),
    ((1, 4), 4, "sandwich >=3 r1c1-r1c4", lambda v: sandwiched(v, 0, 3) >= 3),
    ((1, 3), 4, "x-sum <=3 r1c1-r1c3", lambda v: v[0] >= 1 and sum(v[: v[0]]) <= 3),
    ((1, 3), 4, "skyscraper >=2 r1c1-r1c3", lambda v: sum(x > max((0, *v[:i])) for i, x in enumerate(v)) >= 2),
    (
        (1, 2),
        4,
        "either cage 3 r1c1 r1c2 | values 0 r1c1 & odd r1c2",
        lambda v: sum(v) == 3 or (v[0] == 0 and v[1] % 2 == 1),
    ),
]


def from_zero(sides: tuple[int, int], n: int) -> Geometry:
    return Geometry(f"{sides[0]}x{sides[1]}:0-{n - 1}", sides, n, (), first=0)


@pytest.mark.parametrize(("sides", "n", "text", "holds"), CASES, ids=[case[2] for case in CASES])
def test_numbers_as_read(sides: tuple[int, int], n: int, text: str, holds: Callable[[Numbers], bool]) -> None:
    """The definition, the clauses, CP-SAT and the search allow what the text says of the numbers."""
    puzzle = Puzzle.of(from_zero(sides, n), constraints=[text])
    grids = product(range(1, n + 1), repeat=sides[0] * sides[1])
    expected = [grid for grid in grids if holds(tuple(value - 1 for value in grid))]
    every = product(range(1, n + 1), repeat=sides[0] * sides[1])
    assert [grid for grid in every if not any(bound.violated(grid) for bound in puzzle.placed)] == expected
    assert sorted(all_models(encode(puzzle))) == expected
    for method in ("cp-sat", "search"):
        assert sorted(grids_of(puzzle, method)) == expected, method
    assert sorted(grids_of(puzzle.from_one, "sat")) == expected
    written = puzzle.constraints[0].text(puzzle.geometry)
    assert parse(written, puzzle.geometry) == puzzle.constraints[0]


REFUSED = {
    "values 4 r1c1": "values: not a value: 4 (0 to 3)",
    "sandwich 2 0 4 r1c1-r1c4": "sandwich: not a value: 4 (0 to 3)",
    "quadruple 4 r1c1 r1c2 r2c1 r2c2": "quadruple: not a value: 4 (0 to 3)",
    "pairs 14: r1c1 r1c2": "pairs: not a value: '5' (1 to 4) (of values from 1: `pairs 25: r1c1 r1c2`)",
    "cage 9 r1c1 r1c2": "add up to 3 to 7, never to 11 (of values from 1: `cage 11 r1c1 r1c2`)",
    "product 6 r1c1 r1c2": "product: it has no meaning with values from 0",
    "entropic r1c1-r1c3": "entropic: it has no meaning with values from 0",
    "little-killer 3 r1c1 r1c3": "little-killer: the cells are not on a diagonal",
    "relation a > n: r1c1 r1c2": "relation: no values satisfy it",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals(text: str) -> None:
    """What has no meaning, or cannot hold, is refused; the message says which values are meant."""
    with pytest.raises(FormatError) as caught:
        Puzzle.of(board("4x4:0-3"), constraints=[text])
    assert REFUSED[text] in str(caught.value)


def test_functions_read_numbers() -> None:
    """Functions of relations and automata get the numbers that people read."""
    zero = board("4x4:0-3")
    texts = [
        se.relation(lambda a: a == 0, "r1c1", zero).text(zero),
        se.relation(lambda a, b: a * b == 6, "r1c1 r1c2", zero).text(zero),
        se.automaton("r1c1 r1c2", zero, 0, lambda total, value: total + value, lambda total: total == 0).text(zero),
    ]
    assert texts == ["values 0 r1c1", "pairs 23 32: r1c1 r1c2", "automaton !0>0: r1c1 r1c2"]


def test_marks_of_dots() -> None:
    """Dots mark their pairs for negative constraints, with values from 1 too."""
    lines = ["ratio r1c1 r1c2", "difference r2c1 r2c2", "negative-ratio", "negative-difference"]
    puzzle = Puzzle.of(board("latin:3x3:0-6"), constraints=lines)
    solutions = [grid.values.reshape(3, 3).astype(int) - 1 for grid in se.solutions(puzzle, "search")]
    for grid in solutions:
        assert grid[0, 0] == 2 * grid[0, 1] or grid[0, 1] == 2 * grid[0, 0]
        assert abs(grid[1, 0] - grid[1, 1]) == 1
        free = [(grid[row, column], grid[row, column + 1]) for row in range(3) for column in range(2)]
        free += [(grid[row, column], grid[row + 1, column]) for row in range(2) for column in range(3)]
        marked = {(grid[0, 0], grid[0, 1]), (grid[1, 0], grid[1, 1])}
        assert all(abs(a - b) != 1 and a not in (2 * b, b / 2) for a, b in free if (a, b) not in marked)
    assert len(solutions) == se.count(puzzle.from_one, "sat").value > 0
    assert puzzle.from_one.geometry == from_one(puzzle.geometry) == board("latin:3x3:7")
