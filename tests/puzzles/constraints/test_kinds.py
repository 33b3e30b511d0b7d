"""Constraints: what their definitions allow is what their clauses and CP-SAT models allow, for every kind."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode import Puzzle, SudokuError, board, count
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.parsing import bind, constraint_fault, parse, placement_fault
from sudoku_encode.puzzles.constraints.primitives import Automaton, Clause, EqualSums, SameCounts
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Grids, are_wrong, violations
from tests.helpers.command import Command
from tests.helpers.constraint_cases import CASES, Case, identified, puzzle_of
from tests.helpers.constraint_grids import (
    ON_BOARDS,
    SMALL,
    all_models,
    allowed_grids,
    claims_consistency,
    grids_of,
    grids_of_fillings,
)

# The first case of each kind is quick; the others hold its corners.
_FIRST = {cases[0] for cases in CASES.values()}
EACH = [case if case in _FIRST else pytest.param(case, marks=pytest.mark.slow) for case in SMALL]
_MODELS = ("cp-sat", "cp-sat-bool")
# The first case of each kind in both models of CP-SAT, the others in them by turns.
MODELLED = [
    pytest.param(case, model, id=f"{identified(case)}-{model}", marks=[] if case in _FIRST else [pytest.mark.slow])
    for number, case in enumerate(SMALL)
    for model in (_MODELS if case in _FIRST else _MODELS[number % 2 :][:1])
]


@pytest.mark.parametrize("case", EACH, ids=identified)
def test_clauses_match_definitions(case: Case) -> None:
    """The models of the clauses are the grids that break no definition."""
    puzzle = puzzle_of(case)
    expected = sorted(grids_of_fillings(puzzle))
    # Sorted, not as sets: were auxiliary variables free, a grid would come several times.
    assert sorted(all_models(encode(puzzle, "efficient", reduction="none"))) == expected
    assert sorted(all_models(encode(puzzle))) == expected


@pytest.mark.parametrize(("case", "model"), MODELLED)
def test_cp_sat_matches_definitions(case: Case, model: str) -> None:
    """CP-SAT finds the grids that break no definition."""
    puzzle = puzzle_of(case)
    assert sorted(grids_of(puzzle, model)) == sorted(allowed_grids(puzzle))


@pytest.fixture(scope="module")
def solutions_4x4() -> Grids:
    return np.array(grids_of(Puzzle.of(board("4x4")), "sat"), np.uint8)


@pytest.mark.parametrize("case", [case for case in ON_BOARDS if case[0] == "4x4"], ids=identified)
def test_board_with_constraint(case: Case, solutions_4x4: Grids) -> None:
    """On a board the solutions are those of the board that break no definition."""
    puzzle = puzzle_of(case)
    expected = sorted(
        tuple(grid) for grid in solutions_4x4.tolist() if not any(here.violated(grid) for here in puzzle.placed)
    )
    assert len(solutions_4x4) == 288
    assert sorted(all_models(encode(puzzle))) == expected
    assert sorted(grids_of(puzzle, "cp-sat")) == expected
    assert (~are_wrong(puzzle, solutions_4x4)).sum() == len(expected)


@pytest.mark.parametrize("method", ["sat", "cp-sat", "cp-sat-bool", "search", "definitions"])
def test_counts_of_givens(method: str) -> None:
    """Counts of givens are right or wrong before anything is solved."""
    expected = {
        "look-and-say 1 1 r1c1-r1c3": 12,
        "look-and-say 2 1 r1c1-r1c3": 0,
        "same-values r1c1 r1c2 / r1c4 r1c3": 0,
        "same-values r1c1 r1c2 / r2c3 r2c4": 12,
    }
    puzzles = [Puzzle.of(board("4x4"), [1, 2, 3, 4] + 12 * [0], constraints=[text]) for text in expected]
    assert [count(puzzle, method).value for puzzle in puzzles] == [*expected.values()]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("other", ["equal-sums r1c1 r1c3 / r1c2 r1c4", "zipper r1c1-r1c4"])
@pytest.mark.parametrize("clause", ["either values 2 r1c1 | values 3 r1c2", "either values 3 r1c1 | values 2 r1c2"])
def test_kinds_are_distinct(clause: str, other: str, turned: bool, solutions_4x4: Grids) -> None:
    """A constraint is not taken for one of another kind with the same numbers."""
    # The cells of the sums, from 0, are the cells and values of the clause.
    puzzle = Puzzle.of(board("4x4"), constraints=[other, clause] if turned else [clause, other])
    expected = sorted(
        tuple(grid) for grid in solutions_4x4.tolist() if not any(here.violated(grid) for here in puzzle.placed)
    )
    assert len(expected) == 48
    for method in ("search", "cp-sat", "sat"):
        assert sorted(grids_of(puzzle, method)) == expected, method


def test_primitives_are_distinct() -> None:
    """Primitives of two classes are not equal."""
    same = ((0, 2), (1, 3))
    assert len({EqualSums(same), SameCounts(same), Clause(same)}) == 3


@pytest.mark.parametrize("case", [case for case in ON_BOARDS if case[0] == "4x4x4"], ids=identified)
def test_constraints_in_cubes(case: Case) -> None:
    """Constraints of cells hold in a cube too."""
    puzzle = puzzle_of(case)
    every = np.array(grids_of(Puzzle.of(puzzle.geometry), "search"), np.uint8)
    expected = [grid for grid in every.tolist() if not any(here.violated(grid) for here in puzzle.placed)]
    assert len(every) == 768
    assert sorted(grids_of(puzzle, "sat")) == sorted(map(tuple, expected))


@pytest.mark.parametrize("case", [case for case in SMALL if claims_consistency(case)], ids=identified)
def test_unit_propagation(case: Case) -> None:
    """Unit propagation leaves only what some allowed grid has."""
    puzzle = puzzle_of(case)
    n_cells = puzzle.geometry.n_cells
    grids = np.array(sorted(allowed_grids(puzzle)), np.int64).reshape(-1, n_cells)
    encoding = encode(puzzle, "efficient", reduction="none")
    x = encoding.literals[:, :, 0]
    rng = np.random.RandomState(0)
    # What no grid has is false before anything is removed, and then propagation does not tell it again.
    with Solver("glucose4", bootstrap_with=encoding.cnf) as solver:
        never = np.array([[not solver.propagate([literal])[0] for literal in row] for row in x.tolist()])
    with Solver("glucose4", bootstrap_with=encoding.cnf) as solver:
        for _ in range(60):
            removed = rng.random_sample(x.shape) < rng.choice([0.2, 0.5])
            fitting = grids[~removed[np.arange(n_cells), grids - 1].any(axis=1)]
            consistent, implied = solver.propagate((-x[removed]).tolist())
            assert consistent == (len(fitting) > 0)
            left = ~never & ~np.isin(-x, implied)
            expected = np.zeros_like(left)
            expected[np.arange(n_cells), fitting - 1] = True
            np.testing.assert_array_equal(left & consistent, expected)


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_each_kind_complete(kind: str) -> None:
    """Every kind has a meaning a text that is read back and cases."""
    geometry = board(CONSTRAINTS[kind].example_board)
    constraint = parse(CONSTRAINTS[kind].example, geometry)
    assert parse(constraint.text(geometry), geometry) == constraint
    assert constraint.text(geometry) == CONSTRAINTS[kind].example
    assert CASES[kind]


def test_cases_of_known_kinds() -> None:
    """The cases are of kinds that there are."""
    assert list(CASES.keys() ^ CONSTRAINTS.keys()) == []


SIZES = {
    # Two support clauses for each value.
    "whispers 5 r1c1 r1c2": (2 * 9, 0),
    "difference r1c1 r1c2": (2 * 9, 0),
    "ratio r1c1 r1c2": (2 * 9, 0),
    "thermometer r1c1-r1c4": (3 * 2 * 9, 0),
    # Of any 5 - k of the cells one holds the value: 3 twice, 5 once.
    "quadruple 3 3 5 r1c1 r1c2 r2c1 r2c2": (4 + 1, 0),
    "either values 5 r1c1 | values 5 6 r1c2 | even r1c3": (1, 0),
    # Whether the first cell has it is both states after it, and each is a transition (4 clauses). Of the second cell
    # there are three transitions (12), two states before and after it (4), and two cases; of the third two (6), two
    # states before it, and the end and two cases (3).
    "look-and-say 1 5 r1c1 r1c2 r1c3": (4 + 12 + 4 + 2 + 6 + 2 + 3, 2 + 3 + 2 + 2),
    "either difference r1c1 r1c2 | ratio r1c1 r1c2": (2 * 9, 0),
    # Six sets of four values: one is chosen; each excludes five values from four cells, and places four values. And of
    # the six pairs of the cage five are no peers.
    "cage 15 r1c1 r2c3 r4c5 r5c7": (1 + 6 * (5 * 4 + 4) + 9 * 5, 6),
}


@pytest.mark.parametrize("text", SIZES)
def test_clause_counts(text: str) -> None:
    """The number of clauses is as reckoned."""
    empty, geometry = encode(Puzzle.of(board("9x9")), reduction="none"), board("9x9")
    encoding = encode(Puzzle.of(geometry, constraints=[text]), reduction="none")
    clauses, auxiliary = SIZES[text]
    assert encoding.cnf.n_clauses - empty.cnf.n_clauses == clauses
    assert (encoding.cnf.n_variables - empty.cnf.n_variables, encoding.n_auxiliary) == (auxiliary, auxiliary)


AUTOMATA = {
    # Of the first three the numbers of auxiliary variables are known from another implementation.
    ("1x4", 9, "renban r1c1-r1c4"): 152,
    ("1x4", 9, "between r1c1-r1c4"): 289,
    ("1x4", 9, "lockout r1c1-r1c4"): 145,
    ("1x9", 9, "skyscraper 3 r1c1-r1c9"): None,
    ("1x9", 9, "sandwich 12 r1c1-r1c9"): None,
    ("1x5", 9, "either cage 15 r1c1-r1c5 | thermometer r1c1-r1c5"): None,
    ("2x4", 9, "either skyscraper 2 r1c1-r1c4 | skyscraper 3 r1c4-r1c1 & skyscraper 2 r2c1-r2c4"): None,
    ("1x4", 5, "regex [12]*3.*: r1c1-r1c4"): None,
}


def clauses_of_automaton(layers: tuple[tuple[tuple[int, int, int], ...], ...], n: int) -> tuple[int, int]:
    """Return how many clauses and auxiliary variables an automaton takes, by what docs/constraints.md says of it."""
    clauses, auxiliary, states = 0, 0, 1
    for layer in layers:
        after = len({state for _, _, state in layer})
        # A transition from the only state is its value, and the only state always holds.
        new = len(layer) if states > 1 else 0
        auxiliary += new + (after if after > 1 else 0)
        # A new transition is its state and its value: three clauses. Each leads to its state. States before and after,
        # and values, need a transition; a value that is itself the transition needs no clause.
        clauses += 3 * new + (len(layer) if after > 1 else 0) + states + after + n
        clauses -= len({value for _, value, _ in layer}) if states == 1 else 0
        states = after
    return clauses, auxiliary


@pytest.mark.parametrize("case", AUTOMATA, ids=lambda case: case[2])
def test_automaton_sizes(case: tuple[str, int, str]) -> None:
    """Automata take as many clauses and variables as their transitions say."""
    name, n, text = case
    puzzle = puzzle_of((name, n, (text,)))
    low = lower_puzzle(puzzle)
    plain, encoding = (encode(one, "efficient", reduction="none") for one in (low.puzzle, puzzle))
    primitives = expanded(low.primitives, n)
    sizes = [clauses_of_automaton(one.layers, n) for one in primitives if isinstance(one, Automaton)]
    assert len(sizes) == len(primitives) > 0
    assert encoding.cnf.n_clauses - plain.cnf.n_clauses == sum(clauses for clauses, _ in sizes)
    assert encoding.cnf.n_variables - plain.cnf.n_variables == sum(auxiliary for _, auxiliary in sizes)
    assert AUTOMATA[case] in (None, sum(auxiliary for _, auxiliary in sizes))


@pytest.mark.parametrize("amount", [4, 5, 6, 9])
def test_loop_cut_anywhere(amount: int) -> None:
    """A loop may be cut anywhere."""
    puzzle = puzzle_of(("1x6", 4, (f"sum-loop {amount} r1c1-r1c6",)))
    grids = sorted(allowed_grids(puzzle))
    assert sorted(grids_of(puzzle, "sat")) == grids
    # Where the first cut is does not matter, and in some no cut is before the first cell.
    assert grids == sorted((*grid[1:], grid[0]) for grid in grids)
    line = set(allowed_grids(puzzle_of(("1x6", 4, (f"sum-line {amount} r1c1-r1c6",)))))
    assert line < set(grids)


def test_broken_thermometer_message() -> None:
    """A thermometer is said to be broken in words."""
    puzzle = Puzzle.of(board("4x4"), constraints=["thermometer r1c1-r1c3"])
    grid = [int(symbol) for symbol in "1324241331424231"]
    assert list(violations(puzzle, grid)) == ["it breaks `thermometer r1c1-r1c3`"]


REFUSED = {
    "cage 15 r1c1 r1c1": "cage: r1c1 appears twice",
    "cage 50 r1c1-r1c5": "cage: 5 different values add up to 15 to 35, never to 50",
    "arrow r1c1 / r10c2": "arrow: 9x9 has no cell 'r10c2'; its cells are r1c1 to r9c9; write arrow CIRCLE / CELLS",
    "arrow r1c1": "arrow: 1 list of cells where there should be 2; write arrow CIRCLE / CELLS",
    "termometer r1c1": "not a kind of constraint: 'termometer'; the nearest are thermometer,",
    "thermometer r1c1": "thermometer: it has 1 cells where there should be at least 2",
    "sum r1c1": "sum: 0 numbers where there should be 1; write sum SUM CELLS",
    "cage 15": "cage: 0 lists of cells where there should be 1",
    "non-consecutive r1c1": "non-consecutive: it takes no cells",
    "thermometer r1c1-r2c9": "thermometer: no straight line goes from r1c1 to r2c9",
    "skyscraper 10 r1c1-r1c9": "skyscraper: 10 cells cannot be seen: expected 1 to 9",
    "whispers 9 r1c1 r1c2": "whispers: values from 1 to 9 differ by at most 8, never by 9",
    "quadruple 0 r1c1 r1c2": "quadruple: not a value: 0 (1 to 9)",
    "relation a ** b: r1c1 r1c2": "relation: 'a ** b' is not understood",
    "relation __import__('os'): r1c1 r1c2": "is not understood",
    "relation a <: r1c1 r1c2": "relation: 'a <' cannot be read",
    "relation a // (b-1): r1c1 r1c2": "divides by 0",
    "relation r1c1 r1c2": "relation needs an expression and a colon before its cells",
    "regex (1: r1c1": "is not a regular expression",
    "regex 1a: r1c1": "expected symbols 1-9 or A-Z for values",
    "regex [[]: r1c1": "regex: '[[]': expected values and ranges in brackets, not '['",
    "regex [1-]: r1c1": "regex: '[1-]': expected values and ranges in brackets, not '1-'",
    "regex A: r1c1": "not a value: 'A' (1 to 9)",
    "automaton 1>1: r1c1": "automaton: '1>1' goes to state 1, but the last state is 0",
    "automaton 1>0,12>1 !: r1c1": "automaton: '1>0,12>1' has two transitions on 1; at most one is allowed",
    "automaton 1-2>0: r1c1": "automaton: '1-2>0' is not a transition: expected values, > and a state, such as 12>1",
    "automaton A>0: r1c1": "automaton: not a value: 'A' (1 to 9)",
    "automaton 1>0,: r1c1": "automaton: '' is not a transition",
    "look-and-say 3 1 r1c1 r1c2": "look-and-say: 3 cells cannot hold a value: expected 0 to 2",
    "look-and-say -1 1 r1c1 r1c2": "look-and-say: -1 cells cannot hold a value: expected 0 to 2",
    "look-and-say 1 5 2 6 r1c1 r1c2": "look-and-say: its values take 3 cells, but it has 2",
    "look-and-say 1 5 2 5 r1c1 r1c2": "look-and-say: 1 and 2 cells should hold 5",
    "lunchbox 36 r1c1-r1c9": "lunchbox: impossible sum 36: expected 0 to 35",
    "weighted-sum 18 1 -2 r1c1 r1c2": "weighted-sum: impossible sum 18: expected -17 to 7",
    "sum-line 28 r1c1-r1c3": "sum-line: 3 cells add up to 27 at most, never to 28",
    "sum-loop 28 r1c1-r1c3": "sum-loop: 3 cells add up to 27 at most, never to 28",
    "lockout 9 r1c1-r1c3": "lockout: values from 1 to 9 differ by at most 8, never by 9",
    "lockout -1 r1c1-r1c3": "lockout: the difference is -1; expected 0 or more",
    "whispers -1 r1c1-r1c3": "whispers: the difference is -1; expected 0 or more",
    "little-killer 28 r1c1-r3c3": "little-killer: 3 values from 1 to 9 add up to 3 to 27, never to 28",
    "sum-loop 0 r1c1-r1c4": "sum-loop: the sum is 0; expected 1 to 60",
    "global-modular 0": "global-modular: not a modulus: 0 (2 to 4)",
    "negative-xv 19": "two values from 1 to 9 add up to 2 to 18, never to 19",
    "negative-ratio 10": "no value from 1 to 9 is 10 times another",
    "negative-difference 1 9": "values from 1 to 9 differ by 0 to 8, never by 9",
    "little-killer 9 r1c1-r1c3": "the cells are not on a diagonal; `sum` takes any cells",
    "sandwich 36 r1c1-r1c9": "sandwich: impossible sum 36: expected 0 to 35",
    "sandwich 57 r1c1-r1c8 r2c9": "sandwich: impossible sum 57: expected 0 to 56",
    "x-sum 46 r9c1-r1c1": "x-sum: impossible sum 46: expected 1 to 45",
    "x-sum >=46 r9c1-r1c1": "x-sum: impossible sum >=46: expected 1 to 45",
    "skyscraper >=10 r1c1-r1c9": "skyscraper: >=10 cells cannot be seen: expected 1 to 9",
    "cage >=36 r1c1-r1c5": "cage: 5 different values add up to 15 to 35, never to >=36",
    "sum <=2 r1c1-r1c3": "sum: 3 values from 1 to 9 add up to 3 to 27, never to <=2",
    "sum 20-12 r1c1-r1c3": "sum: the range 20-12 is empty; expected 12-20",
    "sum 10 r1c1*2*2 r1c2": "sum: not a cell with a coefficient: 'r1c1*2*2'; expected r1c1*2",
    "sum 10 r1c1*x r1c2": "sum: not a cell with a coefficient: 'r1c1*x'; expected r1c1*2",
    "sum 10 2*r1c1*2 r1c2": "sum: not a cell with a coefficient: '2*r1c1*2'; expected r1c1*2",
    "cage 10 r1c1*2 r1c2": "cage: 9x9 has no cell 'r1c1*2'",
    "lunchbox >=3 r1c1-r1c5": "lunchbox: 9x9 has no cell '>=3'",
    "sandwich 10 3 r1c1-r1c9": "sandwich: expected two different values after the sum, or none",
    "sandwich 10 [3 3] r1c1-r1c9": "sandwich: expected two different values after the sum, or none",
    "sandwich 10 [3 10] r1c1-r1c9": "sandwich: not a value: 10 (1 to 9)",
    "sandwich 43 [3 8] r1c1-r1c9": "sandwich: impossible sum 43: expected 0 to 34",
    "product 0 r1c1 r1c2": "product: impossible product 0: expected 1 to 81",
    "product 22 r1c1 r1c2": "product: no values from 1 to 9 multiply to 22",
    "product r1c1 r1c2": "product: 0 numbers where there should be 1; write product PRODUCT CELLS",
    "equal-sums r1c1": "equal-sums: 1 list of cells where there should be at least 2",
}


@pytest.mark.parametrize("text", REFUSED)
def test_not_a_constraint(text: str) -> None:
    """What is no constraint is refused in one line."""
    with pytest.raises(FormatError) as caught:
        parse(text, board("9x9"))
    assert REFUSED[text] in str(caught.value)
    assert "\n" not in str(caught.value)


NUMBERED = (
    "cage 10 r1c1-r1c4", "sum 9 r1c1-r1c3", "little-killer 9 r1c1-r3c3", "weighted-sum 2 3 -2 1 r1c1-r1c3",
    "sum-line 6 r1c1-r1c3", "sum-loop 6 r1c1-r1c3", "lunchbox 5 r1c1-r1c4", "lunchbox 0 r1c1", "difference 1 r1c1 r1c2",
    "ratio 2 r1c1 r1c2", "xv 5 r1c1 r1c2", "look-and-say 1 2 2 3 r1c1-r1c4", "whispers 3 r1c1-r1c3",
    "lockout 3 r1c1-r1c4", "lockout 3 r1c1 r1c2", "sandwich 5 r1c1-r1c4", "sandwich 5 r1c1-r1c3 r3c3",
    "sandwich 5 2 4 r1c1-r1c4", "product 12 r1c1-r1c3",
    "x-sum 6 r1c1-r1c4", "x-sum 6 r1c1-r1c3 r3c3", "skyscraper 2 r1c1-r1c4", "hidden-skyscraper 2 r1c1-r1c4",
    "numbered-room 2 r1c1-r1c4",
)  # fmt: skip


@pytest.mark.parametrize("text", NUMBERED)
def test_numbers_out_of_reach(text: str) -> None:
    """A number is refused only if no values have it and always if it is far off."""
    geometry = board("6x6")
    constraint = parse(text, geometry)
    cells = dict.fromkeys(cell for cells in constraint.cells for cell in cells)
    grids = [[0] * geometry.n_cells for _ in range(6 ** len(cells))]
    for grid, held in zip(grids, product(range(1, 7), repeat=len(cells)), strict=True):
        for cell, value in zip(cells, held, strict=True):
            grid[cell] = value
    # Whether cells of a row differ says the board.
    grids = [grid for grid in grids if len({grid[c] for c in cells if c < 6}) == sum(c < 6 for c in cells)]
    refused = 0
    for number in range(-20, 41):
        other = replace(constraint, numbers=(number, *constraint.numbers[1:]))
        if placement_fault(other, geometry):
            refused += 1
        elif bind(other, geometry).impossible():
            refused += 1
            assert all(bind(other, geometry).violated(grid) for grid in grids), number
    assert 0 < refused < 61
    for number in (-1000, 1000):
        assert constraint_fault(replace(constraint, numbers=(number, *constraint.numbers[1:])), geometry)


def test_no_neighbours_on_surface() -> None:
    """What needs neighbours says so on a surface."""
    with pytest.raises(FormatError, match="it needs neighbours"):
        parse("non-consecutive", board("corner:4"))
    with pytest.raises(FormatError, match="it needs boxes or regions"):
        parse("region-sums x0y0z0 x0y0z1", board("4x4x4"))


def test_unit_methods_decline() -> None:
    """A method that knows units alone declines by name and takes constraints that are units."""
    arrow = Puzzle.of(board("9x9"), constraints=["arrow r1c1 / r1c2 r2c3"])
    for method in ("frontier", "norvig2006", "exact-cover", "sat:order"):
        with pytest.raises(
            MethodError, match=f"method {method} supports only units; the puzzle has constraints: arrow"
        ):
            count(arrow, method)
    region = Puzzle.of(board("4x4"), constraints=["extra-region r1c1 r2c3 r3c2 r4c4", "odd r1c1"])
    expected = count(region, "sat")
    assert 0 < expected.value < 288
    for method in ("search", "exact-cover", "norvig2006", "brute-force", "auto", "cp-sat"):
        assert count(region, method) == expected


def test_excluded_given() -> None:
    """A given that a constraint excludes leaves no solution."""
    puzzle = Puzzle.of(board("4x4"), [2] + 15 * [0], constraints=["odd r1c1"])
    assert [count(puzzle, method).value for method in ("sat", "cp-sat", "auto")] == [0, 0, 0]


def test_read_back(tmp_path: Path) -> None:
    """Constraints come back from files."""
    lines = ["arrow r1c1 / r1c2 r2c3", "relation |a-b| > 1: r3c1 r4c1", "non-consecutive"]
    puzzles = [
        Puzzle.of(board("9x9"), constraints=lines),
        Puzzle.of(board("9x9"), constraints=lines[:1]),
        Puzzle.of(board("9x9"), [1] + 80 * [0]),
    ]
    for form in ("line", "grid", "json", "csv", "sukaku"):
        kept = puzzles if form != "sukaku" else puzzles[:2]
        file = tmp_path / f"puzzles.{form}"
        se.write(kept, file, form)
        found = [puzzle for puzzle in se.read_all(file) if isinstance(puzzle, Puzzle)]
        assert [one.constraints for one in found] == [one.constraints for one in kept]
    encode(puzzles[0]).save(tmp_path / "puzzle.cnf")
    from sudoku_encode.encoders.cnf_file import load_encoding

    assert load_encoding(tmp_path / "puzzle.cnf").puzzle == puzzles[0]
    with pytest.raises(SudokuError, match="cannot hold constraints"):
        se.write(puzzles, tmp_path / "puzzles.opensudoku", "opensudoku")


def test_bad_constraint_line() -> None:
    """A constraint that cannot be read names its line."""
    text = "# constraint: cage 15 r1c1 r1c2\n# a remark\n\n# constraint: cage r1c1 r1c1\n" + "." * 81 + "\n"
    with pytest.raises(FormatError, match=r"4: cage: r1c1 appears twice"):
        se.read(text)


def test_lines_hold_for_next_puzzles() -> None:
    """The lines of constraints are for the puzzles that follow."""
    from sudoku_encode.formats.reading import read_text

    blank = "." * 16
    text = f"{blank}\n# constraint: odd r1c1\n# remark\n# constraint: even r1c2\n{blank}\n{blank}\n"
    text += f"# constraint: none\n{blank}\n# constraint: odd r2c2\n{blank}\n"
    found = [puzzle for puzzle in read_text(text) if isinstance(puzzle, Puzzle)]
    kinds = [[constraint.kind for constraint in puzzle.constraints] for puzzle in found]
    assert kinds == [[], ["odd", "even"], ["odd", "even"], [], ["odd"]]


def test_disjoint_groups() -> None:
    """Disjoint groups are those of regions of one form."""
    rows = ["112233", "112233", "112233", "445566", "445566", "445566"]
    upright = board(f"jigsaw:6x6:{''.join(rows)}")
    units = lower_puzzle(Puzzle.of(upright, constraints=["disjoint-groups"])).puzzle.geometry.rules[-1].units
    groups = [{6 * (r + down) + c + right for down in (0, 3) for right in (0, 2, 4)} for r in range(3) for c in (0, 1)]
    assert sorted(map(sorted, units.tolist())) == sorted(map(sorted, groups))
    with pytest.raises(FormatError, match="it needs boxes of the same shape"):
        Puzzle.of(board("jigsaw:aaabacbbccbdcddd"), constraints=["disjoint-groups"])


ANSWERED = {
    "count": ("48", 0),
    "solve": ("# board: 4x4", 0),
    "check": ("48 solutions", 1),
    "prove -o {folder}/certificate": ("exactly 48 solutions, proved", 0),
    "verify": ("48", 0),
    "candidates": ("1", 0),
    "sample --seed 1": ("1", 0),
    "enumerate -o {folder}/solutions/": ("", 0),
    "info": ("primitives               2 Relation", 0),
}
DECLINED = ("hint --assume-unique", "rate --figure nodes", "info --to dot", "explain")


@pytest.mark.parametrize("words", ANSWERED)
def test_commands_take_constraints(words: str, tmp_path: Path, run: Command) -> None:
    """Commands take constraints."""
    said, status = ANSWERED[words]
    ended = run(*words.format(folder=tmp_path).split(), "--board", "4x4", "--constraint", "thermometer r1c1-r1c3")
    assert said in ended.out
    assert ended.status == status


@pytest.mark.parametrize("words", DECLINED)
def test_commands_decline(words: str, tmp_path: Path, run: Command) -> None:
    """Commands that know no constraints decline in one line."""
    asked = words.format(folder=tmp_path).split()
    ended = run(*asked, "--board", "4x4", "--constraint", "thermometer r1c1-r1c3")
    assert ended.status == 2
    assert ended.err.count("\n") == 1
    assert "the puzzle has constraints: thermometer" in ended.err


def test_units_in_parts(run: Command) -> None:
    """Parts on an executor see the units of constraints."""
    words = ("--board", "4x4", "--constraint", "extra-region r1c1 r2c3 r3c2 r4c4", "--method", "search")
    assert run("count", *words, "--executor", "threads:2").out == run("count", *words).out == "24\n"
