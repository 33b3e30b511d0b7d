"""Certificates of puzzles with constraints: made, checked, and refused, each for its own reason, when changed."""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from sudoku_encode import Puzzle, board, count, solutions, solve
from sudoku_encode.errors import FormatError, InternalError
from sudoku_encode.proving import check, prove
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.proving.making import whole_of
from sudoku_encode.proving.plain import _constraints
from sudoku_encode.proving.plain_constraints import clauses as clauses_of_constraints
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.constraints.lines import Thermometer
from sudoku_encode.puzzles.constraints.lowering import forget
from sudoku_encode.puzzles.constraints.primitives import Primitive, relation
from sudoku_encode.run.limits import Deadline
from tests.helpers import certificate_reader
from tests.helpers.command import Command
from tests.helpers.constraint_cases import CASES, Case, all_cases, has_hidden_cells, identified, puzzle_of
from tests.helpers.constraint_grids import SMALL, all_models, grids_of_fillings
from tests.helpers.forged_certificates import (
    LINES,
    Clause,
    Files,
    clauses,
    cnf,
    forged,
    made,
    n_variables,
    recounted,
    with_hints,
    written,
)


def on_board(case: Case) -> Puzzle:
    """Return the constraints of a case on a board that has a name, with blanks in two rows."""
    constraints, n, geometry = case[2], side(case), board(board_name(case))
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


def board_name(case: Case) -> str:
    """Return the name of a board that has the cells and values of a case: a cube, or the smallest square."""
    name, n = case[0], side(case)
    if case[2][0].startswith("doppelganger"):
        # It needs more values than a row has cells.
        return f"latin:{name}:{n}"
    return name if name.count("x") == 2 else f"{n}x{n}" if n in (4, 6, 9) else f"latin:{n}x{n}"


FIRST = [next((case for case in cases if case in SMALL), None) for cases in CASES.values()]
# The second reader does not know values of hidden cells.
_OF_GRIDS = [[case for case in cases if not has_hidden_cells(case)] for cases in CASES.values()]
ON_BOARD = [min(cases, key=side) for cases in _OF_GRIDS if cases]


@pytest.mark.parametrize("case", [case for case in FIRST if case], ids=identified)
def test_plain_clauses(case: Case) -> None:
    """The models of the plain clauses are the grids that break no definition."""
    puzzle = puzzle_of(case)
    assert sorted(all_models(whole_of(puzzle))) == sorted(grids_of_fillings(puzzle))


# All kinds take three seconds together.
@pytest.mark.parametrize(
    "case",
    [case if at % 8 == 0 else pytest.param(case, marks=pytest.mark.slow) for at, case in enumerate(ON_BOARD)],
    ids=identified,
)
def test_same_as_cp_sat(case: Case, tmp_path: Path) -> None:
    """A certificate proves the number that CP-SAT counts."""
    puzzle = on_board(case)
    made, found = prove(puzzle, tmp_path, Deadline()), check(tmp_path)
    assert made.count == found.count == count(puzzle, "cp-sat").value
    assert found.puzzle == puzzle
    assert (made.lemmas, found.n_cubes) == (found.lemmas, 0)
    # Of 9 values and up to 9 cells there are too many sequences to try.
    assert certificate_reader.check(tmp_path) == made.count


# What the small boards of the cases do not show: boxes of several shapes, windows, repeated cells, named hidden ones.
OTHERS = {
    # Hidden cells with names, of which some stand in alternatives alone, and those of ranks after them.
    "4x4": ["full-rank 6 r4c1-r1c1", "sum 6 r1c1 h1 h2", "exactly-one odd h3 | even h1-h4", "full-rank 9 r1c2-r4c2"],
    "6x6": ["windoku", "disjoint-groups", "same-values r1c1 r1c2 / r1c2 r1c1", "count-distinct r1c1 / r1c1-r1c4"],
    "6x6:3x2": ["windoku", "disjoint-groups", "diagonal", "lunchbox 10 r1c1-r1c5"],
    "9x9": ["windoku", "dutch-flatmates", "slingshot r1c1-r1c4", "look-and-say 1 6 0 3 1 6 r1c1 r2c1 r3c3"],
    "12x12": ["windoku", "disjoint-groups", "pairs AB C1: r1c1-r1c3", "weighted-sum 0 0 0 r1c1 r1c2"],
    # A unit of more cells than there are values never holds.
    "latin:4x4": [f"{kind} extra-region r1c1-r1c4 r2c1 | values 1 2 r1c1" for kind in ("either", "exactly-one")],
    "latin:3x5": ["anti-knight", "anti-king", "dutch-flatmates", "equality-cage r1c1-r1c4"],
    "latin:3x3x3": ["anti-knight", "anti-king", "space-diagonals", "plane-diagonals", "equal-planes 2 1 0 2"],
}
ALL = [(board_name(case), list(case[2])) for case in all_cases()] + [*OTHERS.items()]
# A case of each kind, and the boards above.
FIRST_LINES = [list(cases[0][2]) for cases in CASES.values()] + [*OTHERS.values()]


def named(part: object) -> str:
    return part if isinstance(part, str) else "; ".join(map(str, part)) if isinstance(part, list) else ""


@pytest.mark.parametrize(
    ("name", "lines"),
    [case if case[1] in FIRST_LINES else pytest.param(*case, marks=pytest.mark.slow) for case in ALL],
    ids=named,
)
@pytest.mark.thorough
def test_clauses_of_page(name: str, lines: list[str]) -> None:
    """The clauses of every constraint are those that the page says."""
    ours, n_variables = clauses_of_constraints(Puzzle.of(board(name), constraints=lines))
    sides, n, rules = certificate_reader.board(name)
    _, theirs, theirs_variables, _ = certificate_reader.read_constraints(lines, sides, n, rules)
    assert {tuple(sorted(clause)) for clause in ours} == set(theirs)
    assert n_variables == theirs_variables


def test_impossible_constraint(tmp_path: Path) -> None:
    """What no values keep is refuted."""
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


def killer() -> Puzzle:
    """Return a puzzle of three solutions: sets of values, supports, an automaton and equal sums."""
    return Puzzle.of(board("4x4"), constraints=LINES)


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return made(killer(), tmp_path_factory.mktemp("true"))


def refusal(files: Files, at: Path) -> str:
    """Return the one line by which a certificate is refused; its figures are made those of its files."""
    with pytest.raises((CertificateError, FormatError)) as caught:
        check(written(recounted(files), at))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def with_lines(files: Files, lines: list[str]) -> Files:
    item = json.loads(files["puzzle.json"]) | {"constraints": lines}
    return files | {"puzzle.json": json.dumps(item).encode()}


# What is left of the puzzle, and why its certificate proves nothing of it.
OTHER_LINES = {
    "another sum": (["cage 6 r2c2 r3c3", *LINES[1:]], "it breaks `cage 6 r2c2 r3c3`"),
    "one dropped that has no variables": ([LINES[0], *LINES[2:]], "is not a clause of the puzzle"),
    "one dropped that has variables": ([*LINES[:-1]], "not a literal of a formula with"),
    "all dropped": ([], "not a literal of a formula with 64 variables"),
    "one added": ([*LINES, "odd r2c2"], "it breaks `odd r2c2`|clauses of the puzzle are missing"),
    "another order": ([*LINES[::-1]], "clauses of the puzzle are missing|is not a clause of the puzzle"),
    "one twice": ([*LINES, LINES[0]], "a constraint appears twice"),
    "another form": (["cage 5  r2c2 r3c3", *LINES[1:]], "is not the plain form"),
    "an unknown one": (["cgae 5 r2c2 r3c3"], "not a kind of constraint: 'cgae'; the nearest are cage"),
}


@pytest.mark.parametrize("what", OTHER_LINES)
def test_other_constraints(what: str, true: Files, tmp_path: Path) -> None:
    """A certificate of other constraints is refused."""
    lines, reason = OTHER_LINES[what]
    assert re.search(reason, refusal(with_lines(true, lines), tmp_path))


def changed_clauses(files: Files, change: Callable[[list[Clause]], list[Clause]]) -> Files:
    """Change the clauses of both formulas alike."""
    names = ("formula.cnf", "blocked.cnf")
    return files | {name: cnf(change(clauses(files[name])), n_variables(files)) for name in names}


N_CELL_VARIABLES = 64


def is_about_auxiliary_variables(clause: Clause) -> bool:
    return any(abs(literal) > N_CELL_VARIABLES for literal in clause)


def dropped(gone: Clause, found: list[Clause]) -> list[Clause]:
    return [one for one in found if one != gone]


def cut(shortened: Clause, found: list[Clause]) -> list[Clause]:
    return [one[1:] if one == shortened else one for one in found]


def with_both(literal: int, found: list[Clause]) -> list[Clause]:
    return [*found, [literal], [-literal]]


def test_altered_clause(true: Files, tmp_path: Path) -> None:
    """An altered clause of a constraint is refused."""
    ours = [clause for clause in clauses(true["formula.cnf"]) if is_about_auxiliary_variables(clause)]
    assert len(ours) > 300
    for clause in random.Random(3).sample(ours, 12):
        without = changed_clauses(true, partial(dropped, clause))
        assert re.search("clauses of the puzzle are missing", refusal(without, tmp_path))
        shorter = changed_clauses(true, partial(cut, clause))
        assert re.search("clauses of the puzzle are missing|appears twice", refusal(shorter, tmp_path))


def test_excluding_auxiliary_clause(true: Files, tmp_path: Path) -> None:
    """A clause of auxiliary variables that excludes solutions is refused."""
    grids = true["solutions.txt"].split()
    assert len(grids) > 1
    for literal in (N_CELL_VARIABLES + 1, -N_CELL_VARIABLES - 2, n_variables(true)):
        # All solutions are lost, and the proof is that of an honest program.
        false = changed_clauses(true, partial(with_both, literal))
        both = clauses(false["blocked.cnf"])
        step = f"{len(both) + 1} 0 {len(both)} {len(both) - 1} 0\n".encode()
        assert "is not a clause of the puzzle" in refusal(false | {"proof.lrat": step}, tmp_path)


def test_unknown_variable(true: Files, tmp_path: Path) -> None:
    """A variable beyond those of the constraints is refused."""
    more = n_variables(true) + 1
    false = true | {"formula.cnf": cnf([*clauses(true["formula.cnf"]), [more]], more)}
    assert re.search(f"not a literal of a formula with {more - 1} variables: {more}", refusal(false, tmp_path))


@pytest.mark.slow
def test_breaking_grid(true: Files, tmp_path: Path) -> None:
    """A grid that breaks a constraint only is refused."""
    right = true["solutions.txt"].split()
    keeps_rules = next(grid for grid in grids_without_constraints() if grid.encode() not in right)
    false = true | {"solutions.txt": true["solutions.txt"] + f"{keeps_rules}\n".encode()}
    assert re.search(rf"grid {len(right) + 1} is not a solution: it breaks `", refusal(false, tmp_path))


def grids_without_constraints() -> list[str]:
    return ["".join(map(str, grid.values.ravel())) for grid in solutions(Puzzle.of(board("4x4")))]


def test_solutions_left_out(true: Files, tmp_path: Path) -> None:
    """A certificate that leaves solutions out is refused."""
    n = len(true["solutions.txt"].split())
    for left_out in ([0], [*range(n)]):
        false = forged(true, left_out)
        for files in (false, with_hints(false)):
            assert re.search("RUP|no contradiction|does not accept", refusal(files, tmp_path))


def test_wrong_constraint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A constraint that excludes more than its definition is found out."""

    def too_strict(here: BoundConstraint) -> Iterator[Primitive]:
        for first, second in pairwise(here.cells):
            yield relation(first, second, here.n, lambda a, b: a < b and b != 3)

    forget()
    monkeypatch.setattr(Thermometer, "lower", too_strict)
    puzzle = Puzzle.of(board("4x4"), constraints=["thermometer r1c1-r1c3", "odd r4c4"])
    try:
        prove(puzzle, tmp_path, Deadline())
        with pytest.raises(InternalError, match=r"`thermometer r1c1-r1c3` allows r1c1 = 1, r1c2 = 2, r1c3 = 3, but"):
            check(tmp_path)
    finally:
        # What is remembered of the puzzle is wrong.
        forget()
        _constraints.cache_clear()


@pytest.mark.slow
def test_cubes_and_candidates(tmp_path: Path, run: Command) -> None:
    """Cubes and true candidates are certified too."""
    words = [word for line in LINES for word in ("--constraint", line)]
    asked = ("--board", "4x4", *words)
    whole = run("prove", *asked, "-o", str(tmp_path / "whole"))
    parts = run("prove", *asked, "--cubes", "6", "-o", str(tmp_path / "parts"))
    again = run("prove", "--check", str(tmp_path / "parts"))
    assert whole.out == parts.out == again.out == f"exactly {count(killer(), 'cp-sat').value} solutions, proved\n"
    assert "4 of 4 constraints compared with their definitions on all values" in again.err
    proved = run("candidates", *asked, "--prove", str(tmp_path / "candidates"))
    checked = run("candidates", "--check", str(tmp_path / "candidates"))
    assert (proved.out, proved.status) == (checked.out, checked.status)
    assert proved.out == run("candidates", *asked).out
