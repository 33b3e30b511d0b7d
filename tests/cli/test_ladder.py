"""`generate --ladder`: puzzles of growing hardness with their CNFs."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.generating.file import Rung, ladder, propagations
from sudoku_encode.report.printing import progress
from tests.helpers.command import Command
from tests.helpers.puzzles import ESCARGOT, PUZZLE, puzzle_of

# Quick to make, and still of many degrees of hardness.
SMALL = ("--board", "6x6+diagonals")


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], [*SMALL, "--symmetry", "point"]], ids=str)
def test_growing_hardness(run: Command, tmp_path: Path, more: list[str]) -> None:
    """A ladder is a folder of puzzles each harder than the one before."""
    ran = run("generate", "--ladder", 3, "--seed", 3, *more, "-o", f"{tmp_path}/")

    rungs = manifest(tmp_path)
    assert (ran.status, ran.out) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"{number}.cnf" for number in range(1, 4)),
        *("manifest.jsonl", "puzzles.txt"),
    }
    assert all(int(str(low["propagations"])) < int(str(high["propagations"])) for low, high in pairwise(rungs))
    puzzles = list(se.read_all(tmp_path / "puzzles.txt"))
    for rung, puzzle in zip(rungs, puzzles, strict=True):
        assert isinstance(puzzle, se.Puzzle)
        assert load_encoding(tmp_path / str(rung["path"])).puzzle == puzzle
        assert se.is_unique(puzzle)
        assert rung["clues"] == int((puzzle.givens > 0).sum())
        assert rung["propagations"] == propagations(puzzle)
        cnf = CNF(from_file=str(tmp_path / str(rung["path"])))
        assert (rung["variables"], rung["clauses"]) == (cnf.nv, len(cnf.clauses))


def test_same_by_processes(run: Command, tmp_path: Path) -> None:
    """The same seed makes the same ladder by any number of processes."""
    for name, processes in (("a", 1), ("b", 2)):
        command = ["generate", "--ladder", 2, *SMALL, "--seed", 9, "-j", processes, "-o", f"{tmp_path / name}/"]
        assert run(*command).status == 0

    for file in ("manifest.jsonl", "puzzles.txt", "1.cnf", "2.cnf"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [["--seed", 9], []], ids=str)
def test_interrupt_and_resume(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: list[object]
) -> None:
    """An interrupted ladder keeps its puzzles and goes on."""
    asked: list[se.Puzzle] = []

    def interrupted(puzzle: se.Puzzle) -> int:
        asked.append(puzzle)
        if len(asked) == 5:
            raise KeyboardInterrupt
        return propagations(puzzle)

    broken, whole = tmp_path / "broken", tmp_path / "whole"
    with monkeypatch.context() as patch:
        patch.setattr("sudoku_encode.generating.file.propagations", interrupted)
        ran = run("generate", "--ladder", 2, *SMALL, *seed, "-o", f"{broken}/")
    assert ran.status == 3
    said = ran.err.splitlines()[-1]
    part = broken / "generated.jsonl.part"
    assert said == f"interrupted: 5 of 16 puzzles are made; {part} keeps what was written; continue with --resume"
    lines = part.read_text().splitlines()
    assert [json.loads(line)["givens"] for line in lines] == [puzzle.givens.tolist() for puzzle in asked]
    assert run("generate", "--ladder", 2, *SMALL, *seed, "-o", f"{broken}/").status == 2

    ran = run("generate", "--ladder", 2, *SMALL, *seed, "-o", f"{broken}/", "--resume")
    assert ran.status == 0, ran.err
    (chosen,) = {json.loads(line)["seed"] for line in lines}
    assert run("generate", "--ladder", 2, *SMALL, "--seed", chosen, "-o", f"{whole}/").status == 0
    assert {path.name: path.read_bytes() for path in broken.iterdir()} == {
        path.name: path.read_bytes() for path in whole.iterdir()
    }


def test_foreign_file_refused(run: Command, tmp_path: Path) -> None:
    """A file of other puzzles is not gone on with."""
    (tmp_path / "generated.jsonl.part").write_text('{"puzzle": 1, "command": "another", "reached": true}\n')
    ran = run("generate", "--ladder", 2, "--seed", 9, "-o", f"{tmp_path}/", "--resume")
    assert ran.status == 2
    assert "generated.jsonl.part:1: this is not puzzle 1 of: " in ran.err


def test_progress_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Progress is a line a minute where there is no terminal."""
    seconds = iter([0.0, 59.0, 61.0, 61.0, 119.0, 122.0, 122.0])
    with progress("making puzzles ...", lambda: 8, as_lines=True, clock=lambda: next(seconds)) as shown:
        for _ in range(4):
            shown.advance(1)
    assert capsys.readouterr().err.splitlines() == ["2 of 8 puzzles are done", "4 of 8 puzzles are done"]


def test_propagations_of_minisat() -> None:
    """Propagations are those of MiniSat until nothing is left."""
    encoding = se.encode(ESCARGOT, reduction="none")
    with Solver("minisat22", bootstrap_with=encoding.cnf) as solver:
        assert solver.solve()
        first = solver.accum_stats()["propagations"]

    assert propagations(puzzle_of("9x9", ESCARGOT)) > first > propagations(puzzle_of("9x9", PUZZLE)) / 2 > 0


def test_choice_of_rungs() -> None:
    """Rungs are the easiest the hardest and some between."""
    puzzles = [(number, generated.puzzle) for number, generated in enumerate(se.generate("9x9", many=12, seed=5), 1)]
    found = ladder(puzzles, 3)
    hardness = sorted({propagations(puzzle) for _, puzzle in puzzles})

    assert [found[0].propagations, found[-1].propagations] == [hardness[0], hardness[-1]]
    assert len(found) == len({rung.propagations for rung in found}) == 3
    assert found[1].propagations in hardness[1:-1]
    assert all(rung == Rung(rung.number, puzzles[rung.number - 1][1], rung.propagations) for rung in found)
    assert len(ladder(puzzles, 100)) == len(hardness)
    assert ladder([], 3) == []


def test_fewer_than_asked(run: Command, tmp_path: Path) -> None:
    """Fewer than wanted is said."""
    ran = run("generate", "--ladder", 5, "--board", "2x2", "--seed", 1, "-o", f"{tmp_path}/")

    assert ran.status == 3
    assert "fewer than 5 different degrees of hardness among 40 puzzles" in ran.err
    assert len(manifest(tmp_path)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "a ladder needs a folder"),
        (["-o", "ladder.txt"], "a ladder needs a folder"),
        (["-o", "ladder/", "--many", "3"], "--many has no effect on a ladder"),
        (["-o", "ladder/", "--to", "sdk"], "--to has no effect on a ladder"),
        (["-o", "ladder/", "--json"], "--json has no effect on a ladder"),
        (["-o", "ladder/", "--resume"], "there is nothing to resume"),
        (["-o", "ladder/", "--clues", "82"], "82 clues on 9x9"),
    ],
)
def test_refusals(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """What cannot be is refused."""
    monkeypatch.chdir(tmp_path)

    ran = run("generate", "--ladder", 3, *arguments)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert not list(tmp_path.iterdir())


def test_foreign_solution_kept(run: Command, tmp_path: Path) -> None:
    """A solution in the folder is not written over."""
    grid = str(se.solve(PUZZLE))
    (tmp_path / "puzzles.txt").write_text(grid)

    ran = run("generate", tmp_path / "puzzles.txt", "--ladder", 2, "-o", f"{tmp_path}/")

    assert ran.status == 2
    assert (tmp_path / "puzzles.txt").read_text() == grid


def test_too_slow_leaves_nothing(run: Command, tmp_path: Path) -> None:
    """A ladder that takes too long leaves nothing."""
    ran = run("generate", "--ladder", 2, "--board", "25x25", "--timeout", "0.01", "--seed", 1, "-o", f"{tmp_path}/")

    assert ran.status == 3
    assert "time limit: 0 of 16 puzzles are made; nothing is written" in ran.err
    assert not list(tmp_path.iterdir())
