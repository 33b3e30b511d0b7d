"""Constraints in forms other than CNF: outside programs find as many solutions as the definitions allow."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import sudoku_encode as se
from sudoku_encode import Puzzle, board
from sudoku_encode.encoders import model_files
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import Domain, EqualWhere, Primitive, Regions, Unit
from tests.helpers.command import Command
from tests.helpers.constraint_cases import CASES, Case, has_hidden_cells, identified, puzzle_of
from tests.helpers.constraint_grids import allowed_grids
from tests.helpers.form_cases import FEW, text
from tests.helpers.icnf_files import grids as icnf_grids
from tests.helpers.icnf_files import read as read_icnf

# Of each kind the first case: small enough, since a 4x4 has 4^16 grids.
FIRST = [cases[0] for cases in CASES.values() if not (cases[0][0].startswith("4x4") or has_hidden_cells(cases[0]))]
BOARD = ("thermometer r1c1-r1c3", "arrow r3c1 / r4c1 r4c2", "cage 7 r2c1-r2c3", "between r1c4-r4c4")


def on_a_board() -> Puzzle:
    return Puzzle.of(board("4x4"), constraints=BOARD[:3])


def allowed(case: Case) -> frozenset[tuple[int, ...]]:
    """Return all grids that break no definition."""
    return allowed_grids(puzzle_of(case))


def program(*command: str | Path) -> str:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout


def test_cases_have_all_primitives() -> None:
    """The few cases have all primitives."""
    found = {type(primitive) for case in FEW for primitive in lower_puzzle(puzzle_of(case)).primitives}
    # Lines are copied to hidden cells only, and a case with these is not among the few.
    assert found == {*get_args(Primitive)} - {Unit, Domain, Regions, EqualWhere}
    assert 0 in {len(allowed(case)) for case in FEW}


@pytest.mark.slow
@pytest.mark.parametrize("case", FIRST, ids=identified)
def test_clasp_opb(case: Case, tmp_path: Path) -> None:
    """Clasp counts in every OPB file the grids that break no definition."""
    file = tmp_path / "a.opb"
    file.write_text(text("opb", puzzle_of(case)), encoding="ascii")
    found = re.search(r"^c Models +: (\d+)$", program("clasp", file, "-n", "0", "-q"), re.M)
    assert found
    assert int(found[1]) == len(allowed(case))


@pytest.mark.parametrize("case", FEW, ids=identified)
def test_opb_is_strict(case: Case) -> None:
    """Every OPB file is what strict readers ask for."""
    head, *lines = text("opb", puzzle_of(case)).splitlines()
    body = [line for line in lines if not line.startswith("* ")]
    variables = {int(number) for number in re.findall(r"x(\d+)", " ".join(body))}
    assert head == f"* #variable= {max(variables)} #constraint= {len(body)}"
    assert variables == set(range(1, max(variables) + 1))
    assert all(re.fullmatch(r"([+-][1-9]\d* x[1-9]\d* )+(=|>=) -?\d+ ;", line) for line in body)


@pytest.mark.slow
@pytest.mark.parametrize("case", FEW, ids=identified)
def test_minizinc(case: Case, tmp_path: Path) -> None:
    """MiniZinc prints every grid that breaks no definition once."""
    file = tmp_path / "a.mzn"
    file.write_text(text("mzn", puzzle_of(case)), encoding="ascii")
    *blocks, end = program("minizinc", "--solver", "gecode", "-a", file).split("----------\n")
    assert end.startswith("=====")
    assert sorted(tuple(map(int, block.split())) for block in blocks) == sorted(allowed(case))


@pytest.mark.slow
@pytest.mark.parametrize("case", FIRST, ids=identified)
def test_z3(case: Case) -> None:
    """Z3 finds grids that break no definition and no more than there are."""
    z3 = pytest.importorskip("z3")
    puzzle, expected, limit = puzzle_of(case), allowed(case), 10
    solver = z3.SolverFor("QF_BV")
    solver.add(z3.parse_smt2_string(text("smt2", puzzle)))
    width = puzzle.geometry.n_values.bit_length()
    cells = [z3.BitVec(f"c{cell}", width) for cell in range(puzzle.geometry.n_cells)]
    found: list[tuple[int, ...]] = []
    while len(found) < limit and solver.check() == z3.sat:
        model = solver.model()
        found.append(tuple(model.eval(cell, model_completion=True).as_long() for cell in cells))
        solver.add(z3.Or([cell != value for cell, value in zip(cells, found[-1], strict=True)]))
    assert len(set(found)) == len(found) == min(limit, len(expected))
    assert set(found) <= expected


# In a process of its own, as in test_forms_solvers: each solution is excluded once found, up to a limit.
_HIGHS = """
import json, sys, highspy
said, limit, *files = sys.argv[1:]
said = open(said, "w")
for file in files:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(file) == highspy.HighsStatus.kOk
    columns = {name: at for at, name in enumerate(highs.getLp().col_names_)}
    found = []
    while len(found) < int(limit):
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            break
        values = highs.getSolution().col_value
        true = [at for name, at in columns.items() if name[0] == "x" and values[at] > 0.5]
        found.append(sorted(int(highs.getLp().col_names_[at][2:]) for at in true))
        highs.addRow(-highspy.kHighsInf, len(true) - 1.0, len(true), true, [1.0] * len(true))
    print(json.dumps(found), file=said)
"""


@pytest.mark.slow
def test_highs(tmp_path: Path) -> None:
    """HiGHS finds in both forms grids that break no definition and no more."""
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    limit, files = 4, []
    for number, case in enumerate(FEW):
        for form in ("mps", "lp"):
            files.append(tmp_path / f"{number}.{form}")
            files[-1].write_text(text(form, puzzle_of(case)), encoding="ascii")
    program(sys.executable, "-c", _HIGHS, tmp_path / "said", str(limit), *files)
    answers = list(map(json.loads, (tmp_path / "said").read_text(encoding="ascii").splitlines()))
    for case, answer in zip([case for case in FEW for _ in range(2)], answers, strict=True):
        n, expected = case[1], allowed(case)
        found = {tuple((variable - 1) % n + 1 for variable in true) for true in answer}
        assert len(found) == len(answer) == min(limit, len(expected))
        assert found <= expected


ASKED = {
    "opb": ("clasp", "{model}"),
    "mzn": ("minizinc", "--solver", "gecode", "{model}"),
    "smt2": ("z3", "{model}"),
    "mps": ("glpsol", "--freemps", "{model}", "-w", "{output}"),
    "lp": ("glpsol", "--lp", "{model}", "-o", "{output}"),
}


@pytest.mark.parametrize("form", ASKED)
def test_answers_checked(form: str, tmp_path: Path, run: Command) -> None:
    """Answers are decoded and checked against the constraints."""
    model, output = tmp_path / f"a.{form}", tmp_path / "output"
    words = [word for constraint in BOARD for word in ("--constraint", constraint)]
    assert run("encode", "--board", "4x4", *words, "-o", model).status == 0
    printed = program(*(word.format(model=model, output=output) for word in ASKED[form]))
    if not output.exists():
        output.write_text(printed, encoding="ascii")
    ended = run("decode", model, output)
    assert (ended.out, ended.status) == ("2341412334121234\n", 0)
    # The same answer to another puzzle.
    other = model.read_text(encoding="ascii").replace("constraint thermometer r1c1-r1c3", "constraint odd r1c1")
    model.write_text(other, encoding="ascii")
    ended = run("decode", model, output)
    assert ended.status == 1
    assert "it breaks `odd r1c1`" in ended.err


def test_highs_auxiliary_columns(tmp_path: Path, run: Command) -> None:
    """HiGHS lists auxiliary columns too."""
    puzzle = Puzzle.of(board("4x4"), constraints=BOARD)
    model_files.save_model(puzzle, tmp_path / "a.lp")
    n = len(re.findall(r"^ y_\d+", (tmp_path / "a.lp").read_text(encoding="ascii"), re.M))
    grid = "2341412334121234"
    pairs = [f"x_{4 * cell + int(value)} 1" for cell, value in enumerate(grid)]
    others = [
        f"x_{4 * cell + value} 0" for cell, held in enumerate(grid) for value in range(1, 5) if value != int(held)
    ]
    listed = [*pairs, *others, *(f"y_{65 + at} 0" for at in range(n))]
    text_ = "\n".join(["Model status", "Optimal", "# Primal solution values", f"# Columns {len(listed)}", *listed, ""])
    (tmp_path / "out").write_text(text_, encoding="ascii")
    assert n > 0
    assert run("decode", tmp_path / "a.lp", tmp_path / "out").out == f"{grid}\n"
    (tmp_path / "out").write_text("\n".join(text_.splitlines()[:-1]) + "\n", encoding="ascii")
    assert run("decode", tmp_path / "a.lp", tmp_path / "out").status == 3


def test_sizes() -> None:
    """The sizes are as reckoned."""
    # For each of 4 values a support clause from both sides; but what goes with nothing is a clause of one literal.
    relation, empty = Puzzle.of(board("4x4"), constraints=["whispers 2 r1c1 r1c2"]), Puzzle.of(board("4x4"))
    cage = Puzzle.of(board("4x4"), constraints=["cage 7 r1c1 r2c3 r3c2"])
    cells = {form: text(form, empty) for form in ("opb", "smt2", "mzn", "lp")}

    def more(form: str, puzzle: Puzzle, what: str) -> int:
        return len(re.findall(what, text(form, puzzle), re.M)) - len(re.findall(what, cells[form], re.M))

    assert [more("opb", puzzle, r";$") for puzzle in (relation, cage)] == [2 * 4, 1 + 4]
    assert [more("lp", puzzle, r"^ k\d+:") for puzzle in (relation, cage)] == [2 * 4, 1]
    assert [more("smt2", puzzle, r"^\(assert") for puzzle in (relation, cage)] == [4, 1 + 1]
    assert [more("mzn", puzzle, r"^constraint") for puzzle in (relation, cage)] == [1, 1 + 1]
    # All 12 terms of the sum stand in one constraint.
    assert "+1 x1 +2 x2 +3 x3 +4 x4 +1 x25 +2 x26 +3 x27 +4 x28 +1 x37 +2 x38 +3 x39 +4 x40 = 7 ;" in text("opb", cage)


@pytest.mark.parametrize("reduction", ["none", "singles"])
def test_reduction(reduction: str, tmp_path: Path) -> None:
    """A reduction keeps the solutions of a puzzle with constraints."""
    constraints = [BOARD[0], "odd r4c4", "extra-region r1c1 r2c3 r3c2", "sum 5 r4c1 r4c2"]
    puzzle = Puzzle.of(board("4x4"), constraints=constraints)
    expected = sorted(bytes(grid.values) for grid in se.solutions(puzzle, "cp-sat"))
    options = model_files.ModelOptions(reduction=reduction)
    for form in ("opb", "icnf"):
        model_files.save_model(puzzle, tmp_path / f"a.{form}", options=options)
    found = re.search(r"^c Models +: (\d+)$", program("clasp", tmp_path / "a.opb", "-n", "0", "-q"), re.M)
    assert found
    clauses, cubes = read_icnf(tmp_path / "a.icnf")
    by_cubes = sorted(grid for cube in cubes for grid in icnf_grids(tmp_path / "a.icnf", clauses, cube))
    assert int(found[1]) == len(by_cubes) == len(expected) > 0
    assert by_cubes == expected


@pytest.mark.parametrize("form", ["col", "dlx"])
def test_forms_without_constraints(form: str, tmp_path: Path) -> None:
    """A form without a place for constraints declines by name and writes nothing."""
    with pytest.raises(
        MethodError, match=f"model format {form} supports only units; .* has constraints: thermometer, arrow"
    ):
        model_files.save_model(on_a_board(), tmp_path / f"a.{form}")
    assert list(tmp_path.iterdir()) == []
