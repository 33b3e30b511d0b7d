"""Families of instances: holes with any number of solutions, and neighbours without a solution."""

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import RandomState
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.formats.lines import ABOUT_KEYS
from sudoku_encode.generating import families, grids
from sudoku_encode.generating.file import measured
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, breaks_rule
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command

# Keys of comments about solutions, which a model with other solutions does not have.
_ANSWERS = ("status", "solutions", "clash", "evidence")


def manifest(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the manifest of a folder."""
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


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
    for row, puzzle in zip(manifest(tmp_path), se.read_all(tmp_path / "puzzles.txt"), strict=True):
        assert isinstance(puzzle, se.Puzzle)
        path = tmp_path / row["path"]
        lines = header(path)
        assert lines["status"] == row["expected"] == "SATISFIABLE"
        assert lines["solutions"] == str(row["solutions"]) == str(plain_count(puzzle.givens.tolist()))
        with Solver("glucose4", bootstrap_with=CNF(from_file=str(path))) as solver:
            assert solver.solve()
        assert load_encoding(path).puzzle == puzzle
        again = run(*shlex.split(lines["command"])[1:])
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
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert len(contents(tmp_path / "a")) == 5


def header(path: Path) -> dict[str, str]:
    """Return the comments of a CNF by their keys."""
    lines = [line[2:].partition(" ") for line in path.read_text().splitlines() if line.startswith("c ")]
    return {key: text for key, _, text in lines}


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_longer_folder(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished folder is made longer, also after an interrupt, and keeps its first puzzles byte for byte."""
    command = ["generate", "--family", "unsat", "--board", "6x6", "--seed", 2, "-o"]
    assert run(*command, f"{tmp_path}/a/", "--many", 2).status == 0
    first = contents(tmp_path / "a")

    def interrupted(puzzle: Puzzle) -> object:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("sudoku_encode.generating.file.measured", interrupted)
        assert run(*command, f"{tmp_path}/a/", "--many", 4, "--resume").status == 3
    assert contents(tmp_path / "a").items() > first.items()
    # Nothing is made again of the first two.
    assert json.loads((tmp_path / "a" / "generated.jsonl.part").read_text().splitlines()[0])["puzzle"] == 3
    longer = ["generate", "--family", "unsat", "--board", "6x6", "-o", f"{tmp_path}/a/", "--many", 4, "--resume"]
    assert run(*longer).status == 0
    assert run(*command, f"{tmp_path}/b/", "--many", 4).status == 0
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    for name in ("1.cnf", "2.cnf"):
        assert contents(tmp_path / "a")[name] == first[name]
    for name in ("manifest.jsonl", "puzzles.txt"):
        assert contents(tmp_path / "a")[name].startswith(first[name])
    assert "contains 4 puzzles already" in run(*longer).err
    other = run(*longer[:-3], "--many", 5, "--blanks", 20, "--resume")
    assert (other.status, "puzzles.txt:1: this run begins differently" in other.err) == (2, True)
    (tmp_path / "a" / "2.cnf").unlink()
    assert "is missing or changed" in run(*longer[:-3], "--many", 5, "--resume").err
    assert contents(tmp_path / "a").keys() == contents(tmp_path / "b").keys() - {"2.cnf"}


def test_clash_in_header(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header names givens that alone leave no solution, each of them needed, unless that takes too much work."""
    command = ["generate", "--family", "unsat", "--board", "6x6", "--many", 2, "--seed", 3, "-o"]
    assert run(*command, f"{tmp_path}/a/").status == 0
    for row, puzzle in zip(manifest(tmp_path / "a"), se.read_all(tmp_path / "a" / "puzzles.txt"), strict=True):
        assert isinstance(puzzle, se.Puzzle)
        cells = [puzzle.geometry.cell_names.index(name) for name in row["clash"]]
        assert row["clash_is_smallest"]
        lines = header(tmp_path / "a" / row["path"])
        assert lines["status"] == row["expected"] == "UNSATISFIABLE"
        assert lines["clash"].startswith(f"{len(cells)} givens alone leave no solution, no smaller set clashes: r")
        for left_out in (None, *cells):
            givens = np.zeros_like(puzzle.givens)
            kept = [cell for cell in cells if cell != left_out]
            givens[kept] = puzzle.givens[kept]
            n_solutions = se.count(Puzzle.of(puzzle.geometry, givens), method="search", limit=1).value
            assert (n_solutions > 0) is (left_out is not None)
    monkeypatch.setattr("sudoku_encode.report.generated._CLASH_SLICES", 2)
    assert run(*command, f"{tmp_path}/b/").status == 0
    assert not any("clash" in row for row in manifest(tmp_path / "b"))


def test_headers_kept(run: Command, tmp_path: Path) -> None:
    """The models of generated puzzles have the comments of these, unless other options change the solutions."""
    text = tmp_path / "made" / "puzzles.txt"
    command = ["generate", "--family", "unsat", "--board", "4x4", "--blanks", 9, "--many", 2, "--seed", 2, "-o"]
    assert run(*command, f"{text.parent}/").status == 0
    assert run("encode", text, "-o", f"{tmp_path}/cnf/").status == 0
    for name in ("1.cnf", "2.cnf"):
        assert (tmp_path / "cnf" / name).read_bytes() == (text.parent / name).read_bytes()
    lines = [f"{key} {value}" for key, value in header(tmp_path / "cnf" / "1.cnf").items()][1:9]
    assert [line.partition(" ")[0] for line in lines] == list(ABOUT_KEYS)
    first = tmp_path / "first.txt"
    # The comments on the puzzle, and its line.
    first.write_text("".join(f"{line}\n" for line in text.read_text().splitlines()[:12]))
    for form in se.MODEL_FORMATS:
        model = tmp_path / f"model{se.MODEL_FORMATS[form].suffixes[0]}"
        assert run("encode", first, "--to", form, "-o", model).status == 0
        written = model.read_text().replace("&#45;", "-")
        is_other = form in ("wcnf", "wcnf-old", "mzn-model")
        assert all((line in written) is not (is_other and line.startswith(_ANSWERS)) for line in lines)
    for changed in (["--rules", "row,column"], ["--constraint", "odd r1c1"], ["--board", "latin:4x4"]):
        assert "c status" not in run("encode", first, *changed).out
    first.write_text("# board: 4x4\n# status: UNSATISFIABLE\n12..34...12.....\n")
    assert "c status" not in run("encode", first).out


def test_header_of_file(run: Command, tmp_path: Path) -> None:
    """A file of instances says their status; its models say it too, until the text names another board."""
    file = tmp_path / "puzzles.txt"
    command = ["generate", "--family", "holes", "--board", "4x4", "--blanks", 9, "--many", 2]
    assert run(*command, "--seed", 2, "-o", file).status == 0
    with file.open("a") as more:
        more.write("# board: 4x4\n12..34...12.....\n")
    assert run("encode", file, "-o", f"{tmp_path}/cnf/").status == 0
    headers = [header(tmp_path / "cnf" / f"{number}.cnf") for number in (1, 2, 3)]
    assert [lines.get("evidence") for lines in headers] == 2 * ["the givens are those of a full grid"] + [None]
    assert headers[1]["command"] == file.read_text().splitlines()[0][2:]
    other = run(*command, "--seed", 3).lines[-2:]
    assert other != file.read_text().splitlines()[-4:-2]


def test_prime_sides() -> None:
    """Latin squares of prime sides are made by the random walk too, and not by a solver, which may take hours."""
    geometry = board("latin:29x29")
    assert grids.pattern(geometry) is not None
    grid = families.full_grid(Puzzle.of(geometry), RandomState(1), Deadline())
    assert grid is not None
    assert not breaks_rule(geometry, grid[None])[0]


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
