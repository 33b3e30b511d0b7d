"""Families of instances: holes with any number of solutions, and neighbours without a solution."""

import json
import shlex
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import RandomState
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.generating import families, grids
from sudoku_encode.generating.file import measured
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, breaks_rule
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command


def plain_count(givens: list[int], cell: int = 0) -> int:
    """Return the number of solutions of a 4x4 by brute force, with the rules written out."""
    if cell == 16:
        return 1
    row, column = divmod(cell, 4)
    peers = [
        other
        for other in range(16)
        if other != cell
        and (other // 4 == row or other % 4 == column or (other // 8, other % 4 // 2) == (row // 2, column // 2))
    ]
    total = 0
    for value in [givens[cell]] if givens[cell] else range(1, 5):
        if all(givens[other] != value for other in peers):
            total += plain_count([*givens[:cell], value, *givens[cell + 1 :]], cell + 1)
    return total


@settings(derandomize=True, deadline=None, max_examples=10)
@given(family=st.sampled_from(["holes", "balanced", "unsat"]), blanks=st.integers(4, 9), seed=st.integers(0, 99))
def test_status_by_brute_force(family: str, blanks: int, seed: int) -> None:
    """A plain search finds solutions exactly where the family has any."""
    (generated,) = se.generate("4x4", family=family, blanks=blanks, seed=seed)
    puzzle = generated.puzzle
    assert len(puzzle.blanks) == blanks
    changed = int((puzzle.givens[puzzle.givens > 0] != generated.solution[puzzle.givens > 0]).sum())
    is_unsat = family == "unsat" and generated.reached
    assert (changed, generated.solutions) == ((1, 0) if is_unsat else (0, None))
    assert bool(plain_count(puzzle.givens.tolist())) is not is_unsat


@pytest.mark.parametrize("blanks", [None, 55])
def test_unsat_without_clashes(blanks: int | None) -> None:
    """Another solver finds no solution, though no two givens clash."""
    for generated in se.generate("9x9", family="unsat", blanks=blanks, many=2, seed=4):
        assert generated.reached
        assert se.count(generated.puzzle, method="cp-sat").value == 0
        givens = generated.puzzle.givens
        ends = givens[generated.puzzle.geometry.edges]
        assert not ((ends[:, 0] == ends[:, 1]) & (ends[:, 0] > 0)).any()


@pytest.mark.parametrize("name", ["9x9", "latin:10x10", "jigsaw:aaabacbbccbdcddd", "4x4x4"])
def test_balanced_units(name: str) -> None:
    """Holes in the units of a rule differ by at most one."""
    geometry = board(name)
    for blanks in (0, geometry.n_cells // 3, geometry.n_cells):
        holes = np.zeros(geometry.n_cells, int)
        holes[families.balanced_holes(geometry, blanks, RandomState(blanks))] = 1
        assert holes.sum() == blanks
        assert all(np.ptp(holes[rule.units].sum(axis=1)) <= 1 for rule in geometry.rules)


def test_uniform_latin_squares() -> None:
    """All twelve Latin squares of side 3 are about equally frequent."""
    empty, rng = Puzzle.of(board("latin:3x3")), RandomState(1)
    drawn = Counter(str(families.full_grid(empty, rng, Deadline())) for _ in range(600))
    assert len(drawn) == 12
    # The 0.999 quantile of chi square with 11 degrees of freedom.
    assert sum((number - 50) ** 2 / 50 for number in drawn.values()) < 31.3


def test_swaps_keep_solutions() -> None:
    """Swaps of two values lead to another solution."""
    geometry = board("16x16")
    pattern = grids.pattern(geometry)
    assert pattern is not None
    swapped = families._with_swaps(geometry, pattern, RandomState(1), Deadline())
    assert (swapped != pattern).any()
    assert not breaks_rule(geometry, swapped[None])[0]


def test_headers_reproduce(run: Command, tmp_path: Path) -> None:
    """The header of a CNF has its status, its number of solutions and a command that makes its puzzle."""
    command = ["generate", "--family", "holes", "--board", "4x4", "--blanks", 8, "--many", 3, "--seed", 2]
    assert run(*command, "-o", f"{tmp_path}/").status == 0
    rows = [json.loads(line) for line in (tmp_path / "manifest.jsonl").read_text().splitlines()]
    for row, puzzle in zip(rows, se.read_all(tmp_path / "puzzles.txt"), strict=True):
        assert isinstance(puzzle, se.Puzzle)
        path = tmp_path / row["path"]
        lines = [line[2:].partition(" ") for line in path.read_text().splitlines() if line.startswith("c ")]
        header = {key: text for key, _, text in lines}
        assert header["status"] == row["expected"] == "SATISFIABLE"
        assert header["solutions"] == str(row["solutions"]) == str(plain_count(puzzle.givens.tolist()))
        with Solver("glucose4", bootstrap_with=CNF(from_file=str(path))) as solver:
            assert solver.solve()
        assert load_encoding(path).puzzle == puzzle
        again = run(*shlex.split(header["command"])[1:])
        assert again.lines[-1] == row["givens"]
        assert row["answered"]
        assert row["work"]["solver"] == "minisat22"


def test_resumed_folder(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that was interrupted ends as an uninterrupted one."""
    command = ["generate", "--family", "unsat", "--board", "6x6", "--many", 3, "--seed", 2, "-o"]
    calls = list[int]()

    def interrupted(puzzle: Puzzle) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return measured(puzzle)

    with monkeypatch.context() as patch:
        patch.setattr("sudoku_encode.generating.file.measured", interrupted)
        assert run(*command, f"{tmp_path}/a/").status == 3
    assert run(*command, f"{tmp_path}/a/", "--resume").status == 0
    assert run(*command, f"{tmp_path}/b/").status == 0
    contents = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab"]
    assert contents[0] == contents[1]
    assert len(contents[0]) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--solutions", "2", "--blanks", "9"], "solutions has no effect on the family holes"),
        (["--symmetry", "point", "--blanks", "10"], "symmetry has no effect on the family holes"),
        (["--difficulty", "hard", "--blanks", "9"], "rating has no effect on the family holes"),
        ([], "the hardest number of blanks is not known for 9x9: give --blanks"),
        (["--blanks", "9", "--json", "-o", "folder/"], "--json has no effect on a folder of CNFs"),
    ],
)
def test_refused_options(run: Command, arguments: list[str], message: str) -> None:
    """Options without effect are refused in one line."""
    ran = run("generate", "--family", "holes", *arguments)
    assert (ran.status, ran.out, ran.err) == (2, "", f"sudoku-encode: {message}\n")
