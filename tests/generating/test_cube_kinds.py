"""Random cubes of a wanted kind: uniform, whose values have one pattern of signs, or mixed."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import MethodError
from sudoku_encode.formats.writing import write
from sudoku_encode.generating import cubes, grids
from sudoku_encode.generating.making import puzzles
from sudoku_encode.generating.options import GenerateOptions
from sudoku_encode.placements import pattern_figures
from sudoku_encode.placements.classes import CLASSES, class_of
from sudoku_encode.placements.structure import patterns_of
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command
from tests.helpers.solved_cubes import CUBE, EMPTY_4, blanked, by, mixed_cube, table_1

# How the cube begins that seed 1 makes on every machine.
MIXED_1 = "784352961965841372312796584237168495458973216"


def drawn(kind: str, seed: int, rounds: int = 2) -> Grids:
    return cubes.solution(CUBE, kind, RandomState(seed), Deadline(), rounds)


@pytest.mark.parametrize("number", range(len(CLASSES)))
def test_first_cube_of_class(number: int) -> None:
    """The first cube of a class keeps all rules and has its patterns."""
    cube = cubes.first_cube(CUBE, number)
    assert list(violations(Puzzle.of(CUBE), cube)) == []
    assert class_of(patterns_of(cube, 3)) == number
    assert not number or patterns_of(cube, 3) == CLASSES[number]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["uniform", "mixed"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_cube(kind: str, seed: int) -> None:
    """A random cube keeps all rules and is of its kind."""
    cube = drawn(kind, seed)
    assert list(violations(Puzzle.of(CUBE), cube)) == []
    assert (len(set(patterns_of(cube, 3))) == 1) == (kind == "uniform")
    assert (cube != drawn(kind, seed + 3)).any()
    assert (cube == drawn(kind, seed)).all()


def test_mixed_classes() -> None:
    """Every class of mixed cubes is drawn with patterns of many sorts."""
    patterns = [patterns_of(drawn("mixed", seed, rounds=0), 3) for seed in range(60)]
    assert {class_of(one) for one in patterns} == set(range(1, len(CLASSES)))
    assert len({one[0] for one in patterns}) > 30


@pytest.mark.parametrize("kind", ["uniform", "mixed"])
def test_refilling(kind: str) -> None:
    """Refilling changes a cube and keeps its patterns."""
    before, after = drawn(kind, 5, rounds=0), drawn(kind, 5, rounds=4)
    assert patterns_of(before, 3) == patterns_of(after, 3)
    assert np.count_nonzero(before != after) > 200


@pytest.mark.parametrize("kind", ["uniform", "mixed"])
def test_any_solver(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cube is the same whatever solver is asked."""
    cube = drawn(kind, 7)
    for solver in ("glucose4", "minisat22"):
        monkeypatch.setattr(grids, "SOLVER", solver)
        assert (drawn(kind, 7) == cube).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["uniform", "mixed"])
def test_puzzle_of_kind(kind: str) -> None:
    """A puzzle of a kind is cut out of such a cube."""
    (one,) = se.generate("9x9x9", blanks=200, solutions=3, kind=kind, seed=2)
    assert one.reached
    assert (one.clues, one.solutions) == (529, 3)
    assert (len(set(patterns_of(one.solution, 3))) == 1) == (kind == "uniform")
    assert len(by("sat", one.puzzle)) == 3


@pytest.mark.parametrize(
    ("wanted", "how", "reason"),
    [
        (GenerateOptions(kind="odd"), {}, "not a kind of cube: 'odd'"),
        (GenerateOptions(kind="mixed"), {"board": se.board("9x9")}, "this is 9x9 with row, column, box"),
        (GenerateOptions(kind="uniform"), {"board": se.board("4x4x4")}, "this is 4x4x4 with row-x"),
        (GenerateOptions(kind="mixed"), {"board": se.board("9x9x9", rules=["row-x", "row-y"])}, "with row-x, row-y"),
        (GenerateOptions(kind="mixed"), {"method": "keck2022"}, "keck2022 makes its own cubes"),
        (GenerateOptions(kind="mixed"), {"grid": mixed_cube()}, "no effect if the full grid is given"),
    ],
)
def test_useless_kind_refused(wanted: GenerateOptions, how: dict[str, object], reason: str) -> None:
    """A kind is refused where it has no effect."""
    with pytest.raises(MethodError, match=reason):
        puzzles(**{"board": CUBE, "options": wanted, **how})  # type: ignore[arg-type]


@pytest.mark.slow
def test_resumed_file(run: Command, tmp_path: Path) -> None:
    """A file of mixed cubes says the kind and is resumed."""
    options = ["--board", "9x9x9", "--kind", "mixed", "--blanks", "0", "--seed", "1"]
    file = str(tmp_path / "cubes.txt")
    assert run("generate", *options, "-o", file).status == 0
    assert " --kind mixed " in Path(file).read_text()
    assert run("generate", *options, "--many", "2", "-o", file, "--resume").status == 0
    made = run("generate", *options, "--many", "2").out.splitlines()
    assert Path(file).read_text().splitlines()[-2:] == made[-2:]
    assert made[-2].startswith(MIXED_1)
    assert run("generate", *options[:2], *options[4:], "-o", file, "--resume").status == 2


def test_info_kind(run: Command) -> None:
    """Info says the kind of a cube and the patterns of its values."""
    for cube, kind in ((table_1(), "uniform"), (mixed_cube(), "mixed")):
        text = write(CUBE, cube, "line")
        record = json.loads(run("info", text, "--board", "9x9x9", "--json").out)
        assert (record["kind"], record["patterns"]) == (kind, list(patterns_of(cube, 3)))
        says = run("info", text, "--board", "9x9x9").out
        assert f"kind                     {kind}\n" in says
        assert ", ".join(map(str, record["patterns"])) in says


def test_info_patterns_left(run: Command) -> None:
    """Info says how many patterns a puzzle leaves."""
    record = json.loads(run("info", "--board", "9x9x9", "--json").out)
    assert record["patterns_left"] == [256] * 9
    assert "kind" not in record
    assert "patterns_left" not in json.loads(run("info", "--board", "9x9", "--json").out)


def test_patterns_bound_solutions() -> None:
    """The patterns left are at least those of the solutions."""
    puzzle = blanked(mixed_cube(), 660, 1)
    left = pattern_figures(puzzle, reduce(puzzle, "singles").candidates)["patterns_left"]
    found = np.array([patterns_of(np.frombuffer(grid, np.uint8), 3) for grid in by("sat", puzzle)])
    assert all(number >= len(set(column)) for number, column in zip(left, found.T.tolist(), strict=True))
    assert max(left) < 256
    assert pattern_figures(EMPTY_4, EMPTY_4.candidates) == {"patterns_left": [1] * 4}


def test_broken_cube_has_no_kind() -> None:
    """A full grid that breaks a rule has no kind."""
    cube = table_1().copy()
    cube[[0, 1]] = cube[[1, 0]]
    assert pattern_figures(Puzzle.of(CUBE, cube), Puzzle.of(CUBE, cube).candidates) == {}
