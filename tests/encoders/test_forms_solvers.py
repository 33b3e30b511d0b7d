"""Forms other than CNF, given to outside programs: they must accept each file, and find what there is to find."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, violations
from tests.helpers.form_cases import CUBES, HIGHS, SMALL, expected, text
from tests.helpers.puzzles import ESCARGOT, ESCARGOT_SOLUTION, puzzle_of

DIAGONAL_UNIQUE = "103056000076000301000137200040501800010080030060000000200000000400003000090040100"
CASES = [*SMALL, *CUBES]


def case(name: str) -> tuple[Puzzle, int]:
    if name in SMALL:
        return expected(name)
    make, count = CUBES[name]
    return make(), count


def run(*command: str | Path) -> str:
    """Run a program and return its standard output; skip where it is not installed."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout


def save(path: Path, form: str, puzzle: Puzzle, candidates: Candidates | None = None) -> Path:
    file = path / f"puzzle.{form}"
    file.write_bytes(text(form, puzzle, candidates).encode("ascii"))
    return file


def grid_of(puzzle: Puzzle, true_variables: list[int]) -> list[int]:
    """Return the grid that the true variables say, which must be one a cell."""
    n = puzzle.geometry.n_values
    assert [(number - 1) // n for number in true_variables] == list(range(puzzle.geometry.n_cells))
    return [(number - 1) % n + 1 for number in true_variables]


# OPB


def clasp_count(output: str) -> int:
    assert "s SATISFIABLE" in output or "s UNSATISFIABLE" in output, output
    match = re.search(r"^c Models +: (\d+)$", output, re.M)
    assert match, output
    return int(match[1])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if "two axes" not in name])
def test_clasp_of_pypi_opb(name: str, tmp_path: Path) -> None:
    """Clasp of pypi counts the solutions of every OPB file."""
    pytest.importorskip("clingo")
    puzzle, count = case(name)
    file = save(tmp_path, "opb", puzzle)
    assert clasp_count(run(sys.executable, "-m", "clingo", "--mode=clasp", file, "-n", "0", "-q")) == count


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_clasp_opb(name: str, tmp_path: Path) -> None:
    """Clasp counts the solutions of every OPB file."""
    puzzle, count = case(name)
    assert clasp_count(run("clasp", save(tmp_path, "opb", puzzle), "-n", "0", "-q")) == count


@pytest.mark.parametrize("name", CASES)
def test_minisat_plus_opb(name: str, tmp_path: Path) -> None:
    """MiniSat plus reads every OPB file."""
    puzzle, count = case(name)
    output = run("minisat+", save(tmp_path, "opb", puzzle))
    if not count:
        assert "s UNSATISFIABLE" in output
        return
    values = re.search(r"^v (.*)$", output, re.M)
    assert values, output
    true = sorted(int(word[1:]) for word in values[1].split() if word.startswith("x"))
    assert list(violations(puzzle, grid_of(puzzle, true))) == []


# SMT-LIB


def z3_grids(puzzle: Puzzle, limit: int) -> list[list[int]]:
    """Return the solutions that z3 finds for the script, each excluded once found."""
    z3 = pytest.importorskip("z3")
    width = puzzle.geometry.n_values.bit_length()
    solver = z3.SolverFor("QF_BV")
    solver.add(z3.parse_smt2_string(text("smt2", puzzle)))
    cells = [z3.BitVec(f"c{cell}", width) for cell in range(puzzle.geometry.n_cells)]
    grids: list[list[int]] = []
    while len(grids) < limit and solver.check() == z3.sat:
        model = solver.model()
        grids.append([model.eval(cell, model_completion=True).as_long() for cell in cells])
        solver.add(z3.Or([cell != value for cell, value in zip(cells, grids[-1], strict=True)]))
    return grids


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_z3_scripts(name: str) -> None:
    """Z3 finds solutions of every script and no more than there are."""
    puzzle, count = case(name)
    limit = 20
    grids = z3_grids(puzzle, limit)
    assert len({tuple(grid) for grid in grids}) == len(grids) == min(count, limit)
    assert [fault for grid in grids for fault in violations(puzzle, grid)] == []


@pytest.mark.slow
def test_z3_empty_4x4() -> None:
    """Z3 counts the 288 grids of the empty 4x4."""
    assert len(z3_grids(puzzle_of("4x4"), 1000)) == 288


def test_z3_9x9() -> None:
    """Z3 finds the one solution of a 9x9."""
    assert z3_grids(puzzle_of("9x9", ESCARGOT), 2) == [[int(symbol) for symbol in ESCARGOT_SOLUTION]]


def test_z3_program(tmp_path: Path) -> None:
    """The program Z3 runs the whole script and prints the model."""
    output = run("z3", save(tmp_path, "smt2", puzzle_of("9x9", ESCARGOT)))
    assert output.startswith("sat\n")
    assert "error" not in output
    values = {int(cell): value for cell, value in re.findall(r"define-fun c(\d+) .*\n\s*(#\S+?)\)", output)}
    assert "".join(str(int(values[cell].replace("#", "0"), 0)) for cell in range(81)) == ESCARGOT_SOLUTION
    assert run("z3", save(tmp_path, "smt2", puzzle_of("4x4", "11" + "0" * 14))).startswith("unsat\n")


# MPS and LP


@pytest.fixture(scope="module")
def highs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[object]]:
    """What HiGHS says of every case in both forms, from one process."""
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    keys = [(name, form) for name in CASES for form in ("mps", "lp")]
    files = []
    for number, (name, form) in enumerate(keys):
        path = tmp_path_factory.mktemp(f"case{number}")
        files.append(save(path, form, case(name)[0]))
    # Into a file, since HiGHS prints its licence to standard output whatever its options say.
    said = tmp_path_factory.mktemp("said") / "highs.jsonl"
    run(sys.executable, "-c", HIGHS, said, *files)
    return dict(zip(keys, map(json.loads, said.read_text(encoding="ascii").splitlines()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mps", "lp"])
@pytest.mark.parametrize("name", CASES)
def test_highs_programs(name: str, form: str, highs: dict[tuple[str, str], list[object]]) -> None:
    """HiGHS reads every program and finds a solution or that there is none."""
    puzzle, count = case(name)
    read, integer, n_variables, status, true = highs[name, form]
    assert (read, integer, n_variables) == (True, True, puzzle.candidates.size)
    assert status == ("Optimal" if count else "Infeasible")
    if count:
        assert isinstance(true, list)
        assert list(violations(puzzle, grid_of(puzzle, true))) == []


def test_highs_9x9(highs: dict[tuple[str, str], list[object]]) -> None:
    """HiGHS finds the one solution of a 9x9."""
    for form in ("mps", "lp"):
        true = highs["escargot", form][4]
        assert isinstance(true, list)
        assert "".join(map(str, grid_of(puzzle_of("9x9", ESCARGOT), true))) == ESCARGOT_SOLUTION


@pytest.mark.parametrize(("form", "option"), [("mps", "--freemps"), ("lp", "--lp")])
@pytest.mark.parametrize("name", ["pencilmarks", "short unit", "empty 4x4x4", "oblong", "given twice in a row"])
def test_glpsol(name: str, form: str, option: str, tmp_path: Path) -> None:
    """Glpsol reads the programs."""
    puzzle, count = case(name)
    output = run("glpsol", option, save(tmp_path, form, puzzle), "-w", tmp_path / "out")
    assert "error" not in output.lower()
    # OR-Tools writes the bounds of a binary and then calls it binary; GLPK remarks on it, once for each bound.
    assert [line for line in output.splitlines() if "warning" in line and not line.endswith("redefined")] == []
    if not count:
        assert "NO PRIMAL FEASIBLE SOLUTION" in output or "NO INTEGER FEASIBLE SOLUTION" in output
        return
    # Lines `j NUMBER VALUE`: the columns in their order.
    true = re.findall(r"^j (\d+) 1$", (tmp_path / "out").read_text(encoding="ascii"), re.M)
    assert list(violations(puzzle, grid_of(puzzle, [int(number) for number in true]))) == []


# MiniZinc


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if "two axes" not in name])
def test_minizinc(name: str, tmp_path: Path) -> None:
    """MiniZinc prints every solution once."""
    puzzle, count = case(name)
    output = run("minizinc", "--solver", "gecode", "-a", save(tmp_path, "mzn", puzzle))
    if not count:
        assert "=====UNSATISFIABLE=====" in output
        return
    assert output.rstrip().endswith("==========")
    blocks = output.split("----------\n")[:-1]
    grids = [[int(word) for word in block.split()] for block in blocks]
    assert len({tuple(grid) for grid in grids}) == len(grids) == count
    assert [fault for grid in grids for fault in violations(puzzle, grid)] == []


# What candidates add to givens


def readers() -> dict[str, Callable[[Puzzle, Candidates, Path], int]]:
    def clasp(puzzle: Puzzle, candidates: Candidates, path: Path) -> int:
        pytest.importorskip("clingo")
        file = save(path, "opb", puzzle, candidates)
        return clasp_count(run(sys.executable, "-m", "clingo", "--mode=clasp", file, "-n", "0", "-q"))

    def minizinc(puzzle: Puzzle, candidates: Candidates, path: Path) -> int:
        output = run("minizinc", "--solver", "gecode", "-a", save(path, "mzn", puzzle, candidates))
        return output.count("----------\n")

    return {"clasp": clasp, "minizinc": minizinc}


@pytest.mark.parametrize("reader", readers())
def test_reduced_9x9_diagonals(reader: str, tmp_path: Path) -> None:
    """A 9x9 with diagonals is solved from candidates that a reduction left."""
    puzzle = puzzle_of("9x9+diagonals", DIAGONAL_UNIQUE)
    candidates = puzzle.candidates.copy()
    for cell, value in enumerate(puzzle.givens.tolist()):
        if value:
            candidates[puzzle.geometry.peers[cell], value - 1] = False
    assert 81 < np.count_nonzero(candidates) < np.count_nonzero(puzzle.candidates)
    assert readers()[reader](puzzle, candidates, tmp_path) == 1
    decided = candidates.copy()
    blank = int(puzzle.blanks[0])
    decided[blank] = False
    assert readers()[reader](puzzle, decided, tmp_path) == 0
