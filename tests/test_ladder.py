"""`generate --ladder`: puzzles of growing hardness with their CNFs."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from command import Command
from puzzles import ESCARGOT, PUZZLE, puzzle_of
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.generating.ladder import Rung, ladder, propagations


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("more", [[], ["--board", "9x9+diagonals"], ["--symmetry", "point"]], ids=str)
def test_a_ladder_is_a_folder_of_puzzles_each_harder_than_the_one_before(
    run: Command, tmp_path: Path, more: list[str]
) -> None:
    ran = run("generate", "--ladder", 4, "--seed", 3, *more, "-o", f"{tmp_path}/")

    rungs = manifest(tmp_path)
    assert (ran.status, ran.out) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"{number}.cnf" for number in range(1, 5)),
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


def test_the_same_seed_makes_the_same_ladder_by_any_number_of_processes(run: Command, tmp_path: Path) -> None:
    for name, processes in (("a", 1), ("b", 2)):
        command = ["generate", "--ladder", 2, "--seed", 9, "-j", processes, "-o", f"{tmp_path / name}/"]
        assert run(*command).status == 0

    for file in ("manifest.jsonl", "puzzles.txt", "1.cnf", "2.cnf"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_propagations_are_those_of_minisat_until_nothing_is_left() -> None:
    encoding = se.encode(ESCARGOT, reduction="none")
    with Solver("minisat22", bootstrap_with=encoding.cnf) as solver:
        assert solver.solve()
        first = solver.accum_stats()["propagations"]

    assert propagations(puzzle_of("9x9", ESCARGOT)) > first > propagations(puzzle_of("9x9", PUZZLE)) / 2 > 0


def test_rungs_are_the_easiest_the_hardest_and_some_between() -> None:
    puzzles = [(number, generated.puzzle) for number, generated in enumerate(se.generate("9x9", many=12, seed=5), 1)]
    found = ladder(puzzles, 3)
    hardness = sorted({propagations(puzzle) for _, puzzle in puzzles})

    assert [found[0].propagations, found[-1].propagations] == [hardness[0], hardness[-1]]
    assert len(found) == len({rung.propagations for rung in found}) == 3
    assert found[1].propagations in hardness[1:-1]
    assert all(rung == Rung(rung.number, puzzles[rung.number - 1][1], rung.propagations) for rung in found)
    assert len(ladder(puzzles, 100)) == len(hardness)
    assert ladder([], 3) == []


def test_fewer_than_wanted_is_said(run: Command, tmp_path: Path) -> None:
    ran = run("generate", "--ladder", 5, "--board", "2x2", "--seed", 1, "-o", f"{tmp_path}/")

    assert ran.status == 3
    assert "there are no 5 of different hardness among 40 puzzles" in ran.err
    assert len(manifest(tmp_path)) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "a ladder needs a folder"),
        (["-o", "ladder.txt"], "a ladder needs a folder"),
        (["-o", "ladder/", "--many", "3"], "--many has no effect on a ladder"),
        (["-o", "ladder/", "--to", "sdk"], "--to has no effect on a ladder"),
        (["-o", "ladder/", "--json"], "--json has no effect on a ladder"),
        (["-o", "ladder/", "--resume"], "--resume has no effect on a ladder"),
        (["-o", "ladder/", "--clues", "82"], "82 clues on 9x9"),
    ],
)
def test_what_cannot_be_is_refused(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)

    ran = run("generate", "--ladder", 3, *arguments)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert not list(tmp_path.iterdir())


def test_a_solution_in_the_folder_is_not_written_over(run: Command, tmp_path: Path) -> None:
    grid = str(se.solve(PUZZLE))
    (tmp_path / "puzzles.txt").write_text(grid)

    ran = run("generate", tmp_path / "puzzles.txt", "--ladder", 2, "-o", f"{tmp_path}/")

    assert ran.status == 2
    assert (tmp_path / "puzzles.txt").read_text() == grid


def test_a_ladder_that_takes_too_long_leaves_nothing(run: Command, tmp_path: Path) -> None:
    ran = run("generate", "--ladder", 2, "--board", "25x25", "--timeout", "0.01", "--seed", 1, "-o", f"{tmp_path}/")

    assert ran.status == 3
    assert "time limit; nothing is written" in ran.err
    assert not list(tmp_path.iterdir())
