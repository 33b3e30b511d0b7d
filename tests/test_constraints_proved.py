"""Certificates of puzzles with constraints: made, checked, and refused, each for its own reason, when changed."""

from pathlib import Path

import pytest
from constraint_cases import CASES, Case, identified, puzzle_of
from test_constraints import SMALL, all_models, allowed_grids

from sudoku_encode import Puzzle, board, count, solve
from sudoku_encode.proving import check, prove
from sudoku_encode.proving.formulas import whole_of
from sudoku_encode.run.limits import Deadline


def on_board(case: Case) -> Puzzle:
    """Return the constraints of a case on a board that has a name, with blanks in two rows."""
    (name, _, constraints), n = case, side(case)
    geometry = board(name if name.count("x") == 2 else f"{n}x{n}" if n in (4, 6, 9) else f"latin:{n}x{n}")
    asked = Puzzle.of(geometry, constraints=constraints)
    found = solve(asked, "cp-sat")
    if found is None:
        return asked
    givens = found.values.ravel().copy()
    givens[: 2 * n] = 0
    return Puzzle.of(geometry, givens, constraints=constraints)


def side(case: Case) -> int:
    """Return the side of the smallest square that has the cells and values of a case."""
    return max(case[1], *map(int, case[0].split("x")))


FIRST = [next((case for case in cases if case in SMALL), None) for cases in CASES.values()]
ON_BOARD = [min(cases, key=side) for cases in CASES.values()]


@pytest.mark.parametrize("case", [case for case in FIRST if case], ids=identified)
def test_the_models_of_the_plain_clauses_are_the_grids_that_break_no_definition(case: Case) -> None:
    puzzle = puzzle_of(case)
    assert sorted(all_models(whole_of(puzzle))) == sorted(allowed_grids(puzzle))


@pytest.mark.parametrize("case", ON_BOARD, ids=identified)
def test_a_certificate_proves_the_number_that_cp_sat_counts(case: Case, tmp_path: Path) -> None:
    puzzle = on_board(case)
    made, found = prove(puzzle, tmp_path, Deadline()), check(tmp_path)
    assert made.count == found.count == count(puzzle, "cp-sat").value
    assert found.puzzle == puzzle
    assert (made.lemmas, found.n_cubes) == (found.lemmas, 0)


def test_what_no_values_keep_is_refuted(tmp_path: Path) -> None:
    # A given that is excluded, parts whose sums have nothing in common, an automaton without a way to its end.
    for given, constraint in (
        (2, "odd r1c1"),
        (0, "equal-sums r1c1 / r1c2 r1c3 r1c4 r2c1 r2c2"),
        (0, "regex 1|2: r1c1-r1c3"),
        (0, "arrow r1c1 / r1c1 r1c2"),
    ):
        puzzle = Puzzle.of(board("4x4"), [given] + 15 * [0], constraints=[constraint])
        prove(puzzle, tmp_path, Deadline())
        assert check(tmp_path).count == 0
