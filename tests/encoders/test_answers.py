"""Models other than CNF: their solvers' answers, decoded with the file of the model alone."""

import importlib.util
import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model

from sudoku_encode.encoders.answers import read_answer, recognise_format
from sudoku_encode.encoders.model_files import ModelOptions, save_model
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formula.solver_output import verdict
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers.command import Command
from tests.helpers.hostile_readers import check_message
from tests.helpers.puzzles import ESCARGOT, ESCARGOT_SOLUTION
from tests.helpers.solver_answers import SOLVED, UNSOLVABLE

EMPTY, CLASH = Puzzle.of(boards.board("2x2")), Puzzle.of(boards.board("2x2"), [1, 1, 0, 0])
SOLUTIONS = {"1221", "2112"}
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def saved(folder: Path, form: str, puzzle: Puzzle = EMPTY, reduction: str | None = None) -> Path:
    path = folder / f"model{MODEL_FORMATS[form].suffixes[0]}"
    save_model(puzzle, path, form, ModelOptions(reduction=reduction))
    return path


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The model of the empty 2x2 board in each format."""
    return {form: saved(tmp_path_factory.mktemp("models"), form) for form in MODEL_FORMATS}


@pytest.mark.parametrize(("form", "program"), list(SOLVED))
def test_solutions_as_grids(run: Command, models: dict[str, Path], form: str, program: str) -> None:
    """The solutions that a program found come out as grids."""
    printed, count = SOLVED[form, program]

    ran = run("decode", models[form], stdin=printed)

    assert (ran.status, ran.err) == (0, "")
    assert len(set(ran.lines)) == len(ran.lines) == count
    assert set(ran.lines) <= SOLUTIONS


@pytest.mark.parametrize(("form", "program"), list(UNSOLVABLE))
def test_unsatisfiable_believed(run: Command, tmp_path: Path, form: str, program: str) -> None:
    """That there is none is believed where the programs word is all that there is."""
    path, printed = saved(tmp_path, form, CLASH), UNSOLVABLE[form, program]
    by_status = MODEL_FORMATS[form].exit_status

    plain = run("decode", path, stdin=printed)
    assert (plain.status, plain.out) == (3 if by_status else 1, "")
    assert "unsatisfiable" in plain.err
    for more in (["--exit-status", 20], ["--trust-status"]):
        told = run("decode", path, *more, stdin=printed)
        assert told.status == (1 if by_status else 2)
        assert ("no solution" if by_status else f"for {form} models says nothing about its answer") in told.err


@pytest.mark.parametrize(("form", "program"), list(SOLVED))
def test_foreign_solution(run: Command, tmp_path: Path, form: str, program: str) -> None:
    """A solution of another puzzle is told what is wrong with it."""
    # Half the solutions have a 1 in the first cell.
    path, (printed, count) = saved(tmp_path, form, Puzzle.of(boards.board("2x2"), [2, 0, 0, 0])), SOLVED[form, program]
    if form == "col":
        printed = "l 1 5\nl 2 6\nl 3 6\nl 4 5\nl 5 5\nl 6 6\n"

    ran = run("decode", path, stdin=printed)

    good = [line for line in ran.lines if line == "2112"]
    assert ran.lines == good
    assert ran.status == (0 if len(good) == count else 1)
    assert ("not a solution: r1c1 holds 1, its given is 2" in ran.err) == (len(good) < count)


# A MiniZinc model for data files is of a board alone.
@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in MODEL_FORMATS if form != "mzn-model"])
@pytest.mark.parametrize(
    ("board", "rules"),
    [("9x9", None), ("6x6:2x3+diagonals", None), ("4x4x4", ["row-x", "box-xy"]), ("jigsaw:1122112233443344", None)],
)
def test_every_model_has_puzzle(tmp_path: Path, form: str, board: str, rules: list[str] | None) -> None:
    """Every model carries its puzzle."""
    rng = np.random.default_rng(5)
    geometry = boards.board(board, rules)
    givens = rng.integers(0, geometry.n_values + 1, geometry.n_cells) * (rng.random(geometry.n_cells) < 0.3)
    marks = rng.random((geometry.n_cells, geometry.n_values)) < 0.9
    puzzle = Puzzle.of(geometry, givens, pencilmarks=marks)
    printed = tmp_path / "printed"
    printed.write_bytes(b"")
    for suffix in (*MODEL_FORMATS[form].suffixes, MODEL_FORMATS[form].suffixes[0] + ".gz"):
        path = tmp_path / f"a{suffix}"
        save_model(puzzle, path, form)

        assert recognise_format(str(path)).name == form
        assert read_answer(str(path), str(printed)).puzzle == puzzle


def test_every_format_has_reader() -> None:
    """Each format has a reader of answers."""
    for form in MODEL_FORMATS.values():
        assert callable(resolve_name(form.answers)), form.name


# CP-SAT


def responses(path: Path, more: int = 1) -> Any:
    """Solve a model with CP-SAT as its file says it, for some solutions."""
    model = cp_model.CpModel()
    model.proto.parse_text_format(path.read_text())
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = more > 1
    solver.parameters.fill_additional_solutions_in_response = more > 1
    solver.parameters.solution_pool_size = more
    solver.solve(model)
    return text_format.Parse(str(solver.response_proto), cp_model_pb2.CpSolverResponse())


@pytest.mark.parametrize("is_text", [True, False])
@pytest.mark.parametrize("reduction", ["none", "givens", "singles"])
@pytest.mark.parametrize("form", ["cp-sat", "cp-sat-bool"])
def test_cp_sat_responses(run: Command, tmp_path: Path, form: str, reduction: str, is_text: bool) -> None:
    """Responses of CP-SAT are read binary and as text."""
    puzzle = Puzzle.of(boards.board("9x9"), [int(value) for value in ESCARGOT])
    path, answer = saved(tmp_path, form, puzzle, reduction), tmp_path / "answer"
    response = responses(path)
    answer.write_bytes(str(response).encode() if is_text else response.SerializeToString())

    ran = run("decode", path, answer)

    assert (ran.status, ran.out, ran.err) == (0, ESCARGOT_SOLUTION + "\n", "")


@pytest.mark.parametrize("form", ["cp-sat", "cp-sat-bool"])
def test_all_solutions_of_response(run: Command, models: dict[str, Path], form: str) -> None:
    """All solutions in a response come out once."""
    printed = str(responses(models[form], 5))

    assert sorted(run("decode", models[form], stdin=printed).lines) == sorted(SOLUTIONS)


@pytest.mark.parametrize("form", ["cp-sat", "cp-sat-bool"])
def test_decided_model(run: Command, tmp_path: Path, form: str) -> None:
    """A model that is decided has a solution without variables."""
    path = saved(tmp_path, form, Puzzle.of(boards.board("2x2"), [1, 0, 0, 0]), "singles")

    ran = run("decode", path, stdin=str(responses(path)))

    assert (ran.status, ran.out) == (0, "1221\n")


@pytest.mark.parametrize("form", ["cp-sat", "cp-sat-bool"])
def test_other_response_statuses(run: Command, models: dict[str, Path], tmp_path: Path, form: str) -> None:
    """What else a response may say."""
    clash = saved(tmp_path, form, CLASH)

    assert run("decode", clash, stdin=responses(clash).SerializeToString()).status == 1
    assert run("decode", models[form], stdin="status: UNKNOWN\n").status == 3
    for text, said in (
        ("status: MODEL_INVALID\n", "the model is invalid"),
        ("status: OPTIMAL\n", "no model is printed"),
        ("status: OPTIMAL\nsolution: 1\n", "the solution has 1 variables"),
        ("status: INFEASIBLE\n" + "solution: 1\n" * (4 if form == "cp-sat" else 8), "contradict each other"),
        ("status: NONSENSE\n", "not a CpSolverResponse"),
        ("\xff\xfe", "not a CpSolverResponse"),
    ):
        ran = run("decode", models[form], stdin=text.encode("latin-1"))
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert said in ran.err


def test_extended_cp_sat_model(run: Command, models: dict[str, Path], tmp_path: Path) -> None:
    """Variables and constraints that were added to a CP-SAT model change nothing."""
    model = cp_model.CpModel()
    model.proto.parse_text_format(models["cp-sat"].read_text())
    first, mine = model.get_int_var_from_proto_index(0), model.new_int_var(0, 9, "mine")
    model.add(mine == 3)
    model.add(first == 2)
    path = tmp_path / "mine.pbtxt"
    model.export_to_file(str(path))

    assert run("decode", path, stdin=str(responses(path))).out == "2112\n"


# Solvers that are installed as packages


def test_z3_in_python(run: Command, tmp_path: Path) -> None:
    """Z3 in Python."""
    z3 = pytest.importorskip("z3")
    path = saved(tmp_path, "smt2", Puzzle.of(boards.board("9x9"), [int(value) for value in ESCARGOT]))
    solver = z3.SolverFor("QF_BV")
    solver.from_file(str(path))

    ran = run("decode", path, stdin=f"{solver.check()}\n{solver.model().sexpr()}\n")

    assert (ran.status, ran.out) == (0, ESCARGOT_SOLUTION + "\n")


def test_clasp_of_pypi(run: Command, models: dict[str, Path]) -> None:
    """Clasp of pypi."""
    pytest.importorskip("clingo")
    clasp = [sys.executable, "-m", "clingo", "--mode=clasp", "-n", "0", "--quiet=0", str(models["opb"])]
    printed = subprocess.run(clasp, capture_output=True, text=True, check=False).stdout

    assert set(run("decode", models["opb"], stdin=printed).lines) == SOLUTIONS


_HIGHS = """
import sys, highspy
highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
highs.readModel(sys.argv[1])
highs.run()
for style in (0, 2, 3, 4):
    highs.writeSolution(f"{sys.argv[1]}.{style}", style)
"""


@pytest.mark.parametrize("form", ["lp", "mps"])
def test_highs_styles(run: Command, tmp_path: Path, form: str) -> None:
    """HiGHS in four styles."""
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    path = saved(tmp_path, form, Puzzle.of(boards.board("9x9"), [int(value) for value in ESCARGOT]))
    subprocess.run([sys.executable, "-c", _HIGHS, path], check=True)

    for style in (0, 2, 3, 4):
        assert run("decode", path, f"{path}.{style}").out == ESCARGOT_SOLUTION + "\n"


# What is wrong


@pytest.mark.parametrize(
    ("form", "printed", "status", "said"),
    [
        ("opb", "s SATISFIABLE\nv x1 -x2 -x3\n", 3, "cut off: some variables of r1c2 are missing"),
        ("opb", "s SATISFIABLE\n", 2, "no model is printed"),
        ("opb", "s MAYBE\n", 2, "is not a pseudo-Boolean answer"),
        ("opb", "s SATISFIABLE\ns UNSATISFIABLE\n", 2, "the s lines of the solver contradict each other"),
        ("opb", "s UNSATISFIABLE\nv x1 -x2 -x3 x4 -x5 x6 x7 -x8\n", 2, "contradict each other"),
        ("opb", "v x1 -x1\n", 2, "both x1 and -x1"),
        ("opb", "v x9\n", 2, "x9 is out of range: this model has 8 variables"),
        ("opb", "v y1\n", 2, "'y1' is not a literal"),
        ("opb", "v x1 x2 -x3 x4 -x5 x6 x7 -x8\n", 1, "r1c1 holds 1 and 2"),
        ("opb", "v -x1 -x2 -x3 x4 -x5 x6 x7 -x8\n", 1, "r1c1 holds no value"),
        ("opb", "", 3, "no answer"),
        ("opb", "v x1 ~x2 ~x3 x4 x6 x7\n", 0, ""),
        ("mzn", "1 2\n2 1\n", 3, "cut off: no line ---------- follows it"),
        ("mzn", "1 2\n2 1\n----------\n2 1\n1", 3, "the last model is cut off"),
        ("mzn", "1 2\n2\n----------\n", 2, "stdin:1: 3 values for the 4 cells"),
        ("mzn", "1 2\n2 one\n----------\n", 2, "'one' is not a value of a cell"),
        ("mzn", "1 2\n2 99999999999\n----------\n", 2, "not a value of a cell"),
        ("mzn", "1 2\n2 7\n----------\n", 1, "r2c2 holds 7, not a value from 1 to 2"),
        ("mzn", "1 2\n2 -1\n----------\n", 1, "r2c2 holds -1, not a value"),
        ("mzn", "1 2\n2 1\n----------\n=====UNSATISFIABLE=====\n", 2, "contradict each other"),
        ("mzn", "=====UNSATISFIABLE=====\n=====UNKNOWN=====\n", 2, "contradicts itself"),
        ("mzn", "=====UNKNOWN=====\n", 3, "no answer"),
        ("mzn", "==========\n", 3, "no answer"),
        ("mzn", "Error: type error ~ in file\n", 2, "is not a grid of this model"),
        ("mzn", "s SATISFIABLE\nv x1 -x2\n", 2, "is not a grid of this model"),
        ("mzn", "x = [1, 2, 2", 3, "cut off"),
        ("mzn", '{\n  "x" : [1, 2, 2, 1]\n}\n', 3, "cut off"),
        ("smt2", "sat\n((c0 #b01) (c1 #b10) (c2 #b10) (c3 #b01))\n", 0, ""),
        ("smt2", "sat\n((c0 #x1))\n((c1 (_ bv2 2)) (c2 #b10) (c3 #b01))\n", 0, ""),
        ("smt2", "sat\n(model (define-fun c0 () (_ BitVec 2) #b01))\n", 1, "r1c2 holds 0"),
        ("smt2", "sat\n((c0 #b01) (c1 #b10) (c2 #b10) (c3 #b01)\n", 3, "a bracket is not closed"),
        ("smt2", "sat\n((c0 #b01) (c0 #b10))\n", 2, "c0 has the values 1 and 2"),
        ("smt2", "sat\n((c4 #b01))\n", 2, "c4 is out of range: this script"),
        ("smt2", "sat\n((c0 one))\n", 2, "is not a bit vector"),
        ("smt2", "sat\nunsat\n", 2, "different answers"),
        ("smt2", "maybe\n", 2, "is not an answer of an SMT solver"),
        ("smt2", "timeout\n", 3, "no answer"),
        ("smt2", '(error "line 3: unknown sort")\n', 2, "the solver reports an error"),
        ("smt2", ")\n", 2, "a bracket is closed"),
        ("smt2", "(" * 100_000, 2, "nested too deeply"),
        ("asp", "Answer: 1\nholds(0,1) holds(1,2) holds(2,2) holds(3,1) own(f(1),2)\n", 0, ""),
        ("asp", "Answer: 1\nholds(0,1) holds(1,2) holds(2,2)\n", 3, "cut off: it has no atom of r2c2"),
        ("asp", "Answer: 1\nholds(0,1) holds(1,2) holds(2,\n", 3, "cut off: line 2 ends within an atom"),
        ("asp", "holds(0,1) holds(1,2) holds(2,2)\nSATISFIABLE\n", 1, "r2c2 holds no value"),
        ("asp", "holds(0,1) holds(0,2) holds(1,2) holds(2,2) holds(3,1)\nSATISFIABLE\n", 1, "r1c1 holds 1 and 2"),
        ("asp", "holds(4,1)\n", 2, "holds(4,1) is not an atom of this program"),
        ("asp", "UNSATISFIABLE\nSATISFIABLE\n", 2, "two different results"),
        ("asp", "*** ERROR: (clingo): parsing failed\n", 2, "is not a line of clingo"),
        ("asp", "{\n", 3, "the JSON does not end"),
        ("asp", '{"Result": "MAYBE"}', 2, "not the JSON of clingo"),
        ("wcnf", "s OPTIMUM FOUND\no 0\nv 10010110\n", 0, ""),
        ("wcnf", "s SATISFIABLE\nv 1 -2 -3 4 -5 6\nv 7 -8\n", 0, ""),
        ("wcnf", "o 1\ns OPTIMUM FOUND\nv 10010110\n", 2, "reports 1 broken soft clauses, but its model drops 0"),
        ("wcnf", "s OPTIMUM FOUND\nv 100101\n", 3, "cut off: it has 6 of 8 digits"),
        ("wcnf", "s OPTIMUM FOUND\nv 1 -2 -3\n", 3, "cut off: it has 3 of 8 literals"),
        ("wcnf", "v 1 -2 -3 4 -5 6 9 0\n", 2, "literal 9 is out of range"),
        ("wcnf", "v 1 -2 three 0\n", 2, "'three' is not a literal"),
        ("wcnf", "v 10101010\n", 1, "r1c1 and r2c1 of one column both hold 1"),
        ("wcnf", "s OPTIMUM\n", 2, "is not a line of a MaxSAT solver"),
        ("wcnf", "s OPTIMUM FOUND\ns UNKNOWN\n", 2, "contradict each other"),
        ("wcnf", "o 3\n", 3, "no answer"),
        ("xcsp3", "s SATISFIABLE\nv <instantiation> <list> x[] </list> <values> 1 2\n", 3, "its XML does not end"),
        ("xcsp3", "v <instantiation> <list> x[] </list> </instantiation>\n", 2, "is not a list of variables"),
        ("xcsp3", "v <instantiation> <list> x[] </list> <values> 1 2 2 </values> </instantiation>\n", 2, "3 values"),
        ("xcsp3", "v <instantiation> <list> x[0] </list> <values> 1 2 </values> </instantiation>\n", 2, "more values"),
        ("xcsp3", "v <instantiation> <list> x[4] </list> <values> 1 </values> </instantiation>\n", 2, "out of range"),
        ("xcsp3", "v <instantiation> <list> x[1] </list> <values> 1 </values> </instantiation>\n", 1, "r1c1 holds 0"),
        ("xcsp3", "s MAYBE\n", 2, "is not an answer of a solver of XCSP3"),
        ("xcsp3", "s SATISFIABLE\ns UNSATISFIABLE\n", 2, "contradict each other"),
        ("cpmpy", "Traceback (most recent call last):\n", 2, "is not a grid of this model"),
        ("lp", "x_1 1\nx_4 1\nx_6 1\nx_7 1\n", 0, ""),
        ("lp", "x_1 0.5\nx_2 0.5\n", 2, "x_1 is 0.5, which is neither 0 nor 1 to within 1e-05"),
        ("lp", "x_1 nan\n", 2, "'nan' is not a value of x_1"),
        ("lp", "x_1 1\nx_1 1\n", 2, "x_1 has two values"),
        ("lp", "x_9 1\n", 2, "x_9 is out of range: this model"),
        ("lp", "x_1 1\nx_4 1\n", 3, "r2c1 has no variable at 1"),
        ("lp", "x_1 1\nx_2\n", 2, "'x_2' is not a line of a solution"),
        ("lp", "hello\n", 2, "'hello' is not a line of a solution"),
        ("lp", "s bas 12 8 f f 0\n", 2, "solution of the relaxation"),
        ("lp", "s mip 12 8 q 0\n", 2, "is not a status of glpsol"),
        ("lp", "s mip 12 8 o 0\nj 1 1\n", 3, "does not end with `e o f`"),
        ("lp", "s mip 12 8 u 0\ne o f\n", 3, "no answer"),
        ("lp", "Model status\nTime limit reached\n\n# Primal solution values\nNone\n", 3, "no answer"),
        ("lp", "Model status\nOptimal\n# Primal solution values\nFeasible\n# Columns 8\nx_1 1\n", 3, "1 of 8 columns"),
        ("lp", "Model status\nInfeasible\n# Primal solution values\nInfeasible\nx_1 1\n", 1, "no solution"),
        ("lp", "s mip 12 8 n 0\nj 1 1\nj 4 1\nj 6 1\nj 7 1\ne o f\n", 2, "contradict each other"),
        ("lp", "Infeasible - objective value 0\n0 x_1 1\n3 x_4 1\n5 x_6 1\n6 x_7 1\n", 2, "contradict each other"),
        ("col", "l 1 1\nl 2 2\nl 3 2\n", 3, "3 of 4 vertices"),
        ("col", "l 1 1\nl 2 2\nl 3 2\nl 4 3\n", 1, "r1c1 holds 0"),
        ("col", "l 1 1\nl 1 2\n", 2, "vertex 1 has two colours"),
        ("col", "l 5 1\n", 2, "vertex 5 is not in this graph: expected 1 to 4"),
        ("col", "v 1\n", 2, "is not a line `l VERTEX COLOUR`"),
        ("dlx", "1:\n c0 u0.1 u2.1 (1 of 2)\n", 3, "no option of r1c2"),
        ("dlx", "1:\n c0 u0.1 u2.2 (1 of 2)\n", 2, "is not an option of this model"),
        ("dlx", "1:\n c4 u0.1 u2.1 (1 of 2)\n", 2, "is not an option of this model"),
        ("dlx", " after 10 mems: 0 sols, 12 0.1\nTIMEOUT!\nAltogether 0 solutions, 1+1 mems\n", 3, "no answer"),
        ("dlx", "hello\n", 2, "is not a line of dlx1"),
    ],
)
def test_broken_or_foreign(
    run: Command, models: dict[str, Path], form: str, printed: str, status: int, said: str
) -> None:
    """What is broken cut or foreign is told in one line."""
    ran = run("decode", models[form], stdin=printed)

    assert ran.status == status
    assert said in ran.err
    assert set(ran.lines) <= SOLUTIONS
    assert status == 1 or ran.err.count("\n") == (1 if said else 0)


# The comments of the others are those of a CNF, which say enough.
@pytest.mark.parametrize("form", [form for form in MODEL_FORMATS if "encoding" not in MODEL_FORMATS[form].options])
def test_model_without_puzzle(run: Command, models: dict[str, Path], tmp_path: Path, form: str) -> None:
    """A model without its puzzle is refused."""
    path = tmp_path / "old"
    lines = models[form].read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b"sudoku-encode" not in line and b" format " not in line))

    ran = run("decode", path, stdin="s SATISFIABLE\n")

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "encode the puzzle again" in ran.err


# Nothing may stand before the first line of XML.
@pytest.mark.parametrize("form", [form.name for form in MODEL_FORMATS.values() if form.chunks and form.name != "xcsp3"])
def test_text_around_comments(run: Command, models: dict[str, Path], tmp_path: Path, form: str) -> None:
    """What is added around the comments changes nothing."""
    path, mark = tmp_path / "changed", models[form].read_text().split()[0]
    path.write_text(f"{mark} my own\n{models[form].read_text()}{mark} board 9x9\n")
    alike = {form, {"mps": "lp", "mzn-model": "mzn"}.get(form)}
    printed, count = next(answer for (of, _), answer in SOLVED.items() if of in alike)

    assert len(run("decode", path, stdin=printed).lines) == count


def test_both_from_stdin(run: Command) -> None:
    """The model and the answer cannot both be standard input."""
    ran = run("decode", "-", stdin="p cnf 1 1\n")

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "cannot both be standard input" in ran.err


def test_faults_in_json(run: Command, models: dict[str, Path]) -> None:
    """Faults are in JSON too."""
    printed = "1 2\n2 1\n----------\n1 2\n1 2\n----------\n"

    lines = [json.loads(line) for line in run("decode", models["mzn"], "--json", stdin=printed).lines]

    assert [line["status"] for line in lines] == ["solved", "not a solution"]
    assert [line["solution"] for line in lines] == [[1, 2, 2, 1], [1, 2, 1, 2]]
    assert "r1c1 and r2c1 of one column both hold 1" in lines[1]["faults"]


def test_cell_with_two_values(run: Command, models: dict[str, Path]) -> None:
    """A cell with two values has none in the grid."""
    ran = run("decode", models["opb"], "--json", stdin="v x1 x2 -x3 x4 -x5 x6 x7 -x8\n")

    record = json.loads(ran.out)
    assert [record[key] for key in ("status", "solution", "faults")] == [
        *("not a solution", [0, 2, 2, 1], ["r1c1 holds 1 and 2"])
    ]


# Damage

RESPONSES = {
    "cp-sat": "status: OPTIMAL solution: [1, 2, 2, 1] additional_solutions { values: [2, 1, 1, 2] } wall_time: 0.0075",
    "cp-sat-bool": "status: FEASIBLE solution: [1, 0, 0, 1, 0, 1, 1, 0] num_branches: 5",
}

ALL = [(*key, printed) for key, (printed, _) in SOLVED.items()] + [
    (form, "unsolvable", printed) for (form, _), printed in UNSOLVABLE.items()
]


def decoded(model: Path, printed: bytes, folder: Path) -> tuple[bool | None, list[str]]:
    """Return what `decode` finds, with each grid that it takes for a solution; anything but a refusal raises."""
    path = folder / "damaged"
    path.write_bytes(printed)
    try:
        answer = read_answer(str(model), str(path))
        found, _ = verdict(answer.claim, answer.n_models > 0, answer.cut_off, None, by_exit_status=False)
        grids = [model.grid.tolist() for model in answer.models if not model.faults]
    except SudokuError as error:
        check_message(error)
        return None, []
    assert [fault for grid in grids for fault in violations(EMPTY, grid)] == []
    return found, ["".join(map(str, grid)) for grid in grids]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "program", "printed"), ALL, ids=lambda value: value if len(value) < 40 else "")
def test_cut_answer(models: dict[str, Path], tmp_path: Path, form: str, program: str, printed: str) -> None:
    """An answer that ends anywhere is never taken for another."""
    whole, grids = decoded(models[form], printed.encode(), tmp_path)
    assert whole is (program != "unsolvable")

    # Anywhere near its beginning and its end; in between, where lines are alike, at every 17th character.
    ends = range(len(printed))
    for end in (end for end in ends if min(end, ends.stop - end) < 30 or end % 17 == 0):
        found, some = decoded(models[form], printed[:end].encode(), tmp_path)
        assert found in (None, whole)
        assert some == grids[: len(some)]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "program", "printed"), ALL, ids=lambda value: value if len(value) < 40 else "")
@given(data=st.data())
@settings(SETTINGS, max_examples=10)
def test_damaged_answer(
    models: dict[str, Path], tmp_path: Path, form: str, program: str, printed: str, data: st.DataObject
) -> None:
    """A damaged answer is refused or still checked."""
    assert program
    content = bytearray(printed.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        piece = data.draw(st.binary(max_size=4) | st.sampled_from([b"0", b"1", b"\n", b" ", b"-", b"(", b"x_1 1\n"]))
        content[at : at + data.draw(st.integers(0, 3))] = piece
        content = content or bytearray(b"\n")

    decoded(models[form], bytes(content), tmp_path)


@pytest.mark.parametrize("form", ["cp-sat", "cp-sat-bool"])
@given(data=st.data())
@SETTINGS
def test_damaged_response(models: dict[str, Path], tmp_path: Path, form: str, data: st.DataObject) -> None:
    """A damaged response is refused or still checked."""
    response = text_format.Parse(RESPONSES[form], cp_model_pb2.CpSolverResponse())
    content = bytearray(str(response).encode() if data.draw(st.booleans()) else response.SerializeToString())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(min_size=1, max_size=3))
    decoded(models[form], bytes(content[: data.draw(st.integers(0, len(content)))]), tmp_path)


@given(data=st.data())
@SETTINGS
def test_damaged_model(models: dict[str, Path], tmp_path: Path, data: st.DataObject) -> None:
    """A damaged model is refused or still decodes."""
    (form, _), (printed, _) = data.draw(st.sampled_from(list(SOLVED.items())))
    content = bytearray(models[form].read_bytes())
    at = data.draw(st.integers(0, 200))
    content[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=3))
    path, answer = tmp_path / "model", tmp_path / "answer"
    path.write_bytes(content)
    answer.write_text(printed)
    try:
        for model in read_answer(str(path), str(answer)).models:
            assert model.faults or model.grid.size
    except SudokuError as error:
        check_message(error)


def test_renamed_colours(run: Command, tmp_path: Path) -> None:
    """A colouring means the same whatever its colours are called."""
    path = saved(tmp_path, "col", Puzzle.of(boards.board("4x4"), [1] + [0] * 15))
    solution = "1234341221434321"
    for names in permutations([3, 5, 7, 9]):
        lines = [f"l {vertex} {names[int(value) - 1]}\n" for vertex, value in enumerate(solution + "1234", 1)]
        assert run("decode", path, stdin="".join(lines)).out == solution + "\n"
