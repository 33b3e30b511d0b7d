"""Incremental CNFs, read by a reader of a few lines: their cubes have each model, and none of them twice."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sudoku_encode.encoders.model_files import ModelOptions, save_model
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.icnf_files import grids, read
from tests.helpers.known_puzzles import known
from tests.helpers.puzzles import ESCARGOT

EMPTY = Puzzle.of(board("4x4"))
FIGURE = "papers/gtsps-fig-4.9.sdk"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("wanted", [1, pytest.param(40, marks=pytest.mark.slow)])
def test_model_in_one_cube(tmp_path: Path, encoding: str, wanted: int) -> None:
    """Each model is in one cube."""
    save_model(EMPTY, tmp_path / "a.icnf", options=ModelOptions(encoding, cubes=wanted))
    clauses, cubes = read(tmp_path / "a.icnf")

    found = [grid for cube in cubes for grid in grids(tmp_path / "a.icnf", clauses, cube)]

    assert len(found) == len(set(found)) == 288
    assert len(cubes) >= wanted


@pytest.mark.parametrize("reduction", ["none", "givens", "singles"])
def test_puzzle_with_givens(tmp_path: Path, reduction: str) -> None:
    """Cubes of a puzzle with givens have its solutions."""
    save_model(known(FIGURE).puzzle, tmp_path / "a.icnf", options=ModelOptions(reduction=reduction, cubes=20))
    clauses, cubes = read(tmp_path / "a.icnf")

    found = [grid for cube in cubes for grid in grids(tmp_path / "a.icnf", clauses, cube)]

    assert len(found) == len(set(found)) == 127
    assert 20 <= len(cubes) < 40


@pytest.mark.parametrize(("givens", "count"), [("1234341221434321", 1), ("11" + "0" * 14, 0)])
def test_one_cube_if_decided(tmp_path: Path, givens: str, count: int) -> None:
    """Where singles say all there is one cube."""
    save_model(Puzzle.of(board("4x4"), list(map(int, givens))), tmp_path / "a.icnf")
    clauses, cubes = read(tmp_path / "a.icnf")

    assert cubes == [[]]
    assert len(grids(tmp_path / "a.icnf", clauses, [])) == count


def test_fewer_cubes_reported(run: Command, tmp_path: Path) -> None:
    """Fewer cubes than were asked for are said with the reason."""
    # Singles decide each of the cubes of this one before there are many.
    few = run("encode", ESCARGOT, "-o", tmp_path / "few.icnf")
    assert len(read(tmp_path / "few.icnf")[1]) == 11
    assert ", 11 cubes; fewer cubes than 64, since naked and hidden singles decide each of them" in few.err
    assert "fewer cubes" not in run("encode", ESCARGOT, "--cubes", 11, "-o", tmp_path / "few.icnf").err
    none = run("encode", "11" + "." * 14, "--board", "4x4", "--cubes", 2, "-o", tmp_path / "none.icnf")
    assert ", 1 cube; " in none.err
    assert "fewer cubes than 2, since naked and hidden singles find no solution" in none.err


@pytest.mark.parametrize("reduction", ["givens", "singles"])
def test_contradiction(tmp_path: Path, reduction: str) -> None:
    """A contradiction of constraints is one cube."""
    impossible = Puzzle.of(board("4x4"), [1, 2] + [0] * 14, constraints=("sum 5 r1c1 r1c2",))
    save_model(impossible, tmp_path / "a.icnf", options=ModelOptions(reduction=reduction, cubes=9))
    clauses, cubes = read(tmp_path / "a.icnf")

    assert cubes == [[]]
    assert grids(tmp_path / "a.icnf", clauses, []) == []


def test_stable_file(tmp_path: Path) -> None:
    """The same puzzle gives the same file."""
    for name in ("a", "b"):
        save_model(known(FIGURE).puzzle, tmp_path / f"{name}.icnf")

    assert (tmp_path / "a.icnf").read_bytes() == (tmp_path / "b.icnf").read_bytes()
    assert len(read(tmp_path / "a.icnf")[1]) >= 64


def test_compressed(run: Command, tmp_path: Path) -> None:
    """A compressed file holds the same."""
    for name in ("a.icnf", "a.icnf.gz"):
        assert run("encode", "--board", "4x4", "--cubes", 9, "-o", tmp_path / name).status == 0
    unpacked = subprocess.run(["gzip", "-dc", tmp_path / "a.icnf.gz"], check=True, stdout=subprocess.PIPE).stdout

    assert unpacked == (tmp_path / "a.icnf").read_bytes()


@pytest.mark.parametrize("wanted", [0, -1, 2.5])
def test_bad_number_of_cubes(tmp_path: Path, wanted: int) -> None:
    """A number of cubes that is none is refused."""
    with pytest.raises(MethodError, match="it must be a whole number, at least 1"):
        save_model(EMPTY, tmp_path / "a.icnf", options=ModelOptions(cubes=wanted))


# What CaDiCaL 1.5.3 prints of the empty 2x2 board: it stops at the first cube with a model.
@pytest.mark.parametrize(
    ("printed", "status", "lines"),
    [("s SATISFIABLE\nv 1 -2 -3 4 -5 6 7 -8 0\n", 0, ["1221"]), ("s UNSATISFIABLE\n", 3, [])],
)
def test_solver_answers(run: Command, tmp_path: Path, printed: str, status: int, lines: list[str]) -> None:
    """Answers of a solver are decoded."""
    save_model(Puzzle.of(board("2x2")), tmp_path / "a.icnf")

    ran = run("decode", tmp_path / "a.icnf", stdin=printed)

    assert (ran.status, ran.lines) == (status, lines)


@pytest.mark.skipif(not shutil.which("cadical"), reason="CaDiCaL is not installed")
def test_cadical(run: Command, tmp_path: Path) -> None:
    """CaDiCaL goes through the cubes."""
    save_model(known(FIGURE).puzzle, tmp_path / "a.icnf", options=ModelOptions(cubes=20))
    printed = subprocess.run(["cadical", "-q", tmp_path / "a.icnf"], check=False, capture_output=True, text=True)

    ran = run("decode", tmp_path / "a.icnf", stdin=printed.stdout)

    assert (printed.returncode, ran.status, len(ran.lines)) == (10, 0, 1)
