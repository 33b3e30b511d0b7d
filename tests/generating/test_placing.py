"""Random puzzles with constraints: they hold, the solution is the only one by other methods, and seeds are seeds."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode import Puzzle, board, count, generate
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.placing import place_constraints
from sudoku_encode.generating.table import PLACED
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.puzzle import violations
from sudoku_encode.questions.hinting import steps
from tests.helpers.command import Command

CORNER, NO_DIAGONALS = "corner:4", ("little-killer", "4x4x4")


def made(name: str, *with_: str, seed: int = 1, **how: object) -> GeneratedPuzzle:
    return next(generate(name, placed=with_, seed=seed, attempts=5, **how))  # type: ignore[arg-type]


def solution_of(name: str) -> np.ndarray:
    return np.frombuffer(bytes(next(iter(se.solutions(Puzzle.of(board(name)), "cp-sat"))).values), np.uint8)


def test_placed_kinds() -> None:
    """The help lists the kinds that can be placed."""
    assert [kind for kind, row in CONSTRAINTS.items() if row.placing] == list(PLACED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind in PLACED for name in ("6x6:2x3", "9x9", "4x4x4") if (kind, name) != NO_DIAGONALS],
)
def test_fulfilled_by_grid(kind: str, name: str) -> None:
    """Constraints are put where the grid fulfils them."""
    grid = solution_of(name)
    found = {seed: place_constraints(board(name), grid, ((kind, 3),), RandomState(seed)) for seed in range(2)}
    assert found == {seed: place_constraints(board(name), grid, ((kind, 3),), RandomState(seed)) for seed in range(2)}
    assert len(set(found.values())) > 1 or kind == "palindrome"
    for some in found.values():
        puzzle = Puzzle.of(board(name), constraints=some)
        assert list(violations(puzzle, grid)) == []
        assert {one.kind for one in some} <= {kind}
        if kind != "little-killer":
            cells = [cell for one in some for part in one.cells for cell in part]
            assert len(set(cells)) == len(cells)


@pytest.mark.parametrize(
    "with_", [("cage:6", "thermometer:2"), ("arrow:2", "xv:3", "even:3"), ("whispers:2", "little-killer:4")]
)
def test_unique_and_minimal(with_: tuple[str, ...]) -> None:
    """The solution is the only one and no given can go."""
    one = made("6x6:2x3", *with_)
    assert one.reached
    assert one.minimal
    assert [constraint.kind for constraint in one.puzzle.constraints] == [
        kind for text in with_ for kind, _, number in [text.partition(":")] for _ in range(int(number))
    ]
    assert not any(here.violated(one.solution.tolist()) for here in one.puzzle.placed)
    assert count(one.puzzle, "cp-sat").value == 1
    for cell in np.flatnonzero(one.puzzle.givens).tolist():
        givens = one.puzzle.givens.copy()
        givens[cell] = 0
        fewer = Puzzle.of(one.puzzle.geometry, givens, constraints=one.puzzle.constraints)
        assert count(fewer, "cp-sat").value > 1


@pytest.mark.slow
def test_seed_and_fewer_clues() -> None:
    """A seed makes the same puzzles and fewer clues are needed than without."""
    first, again, other = (made("9x9", "cage:12", "thermometer:3", seed=seed) for seed in (3, 3, 4))
    assert first.puzzle == again.puzzle != other.puzzle
    bare = next(generate("9x9", seed=3))
    # The solution is drawn before the constraints.
    assert (bare.solution == first.solution).all()
    assert first.clues < bare.clues
    assert count(first.puzzle, "cp-sat").value == 1
    # Nor does the number of puzzles matter.
    many = list(generate("6x6", placed=["cage:3"], seed=3, many=2))
    assert [one.puzzle for one in generate("6x6", placed=["cage:3"], seed=3, many=1)] == [many[0].puzzle]


def test_goals_reached() -> None:
    """Numbers of solutions and clues are as wanted."""
    one = made("4x4", "thermometer:1", solutions=3)
    assert one.reached
    assert count(one.puzzle, "cp-sat").value == 3
    assert made("6x6", "cage:3", clues=14).clues == 14


def test_given_constraints() -> None:
    """Puzzles are made with constraints that are given."""
    lines = ["thermometer r1c1-r1c4", "cage 9 r3c1 r3c2", "odd r6c6"]
    one = next(generate("6x6:2x3", constraints=lines, placed=["xv:1"], seed=2))
    assert [constraint.text(one.puzzle.geometry) for constraint in one.puzzle.constraints[:3]] == lines
    assert one.puzzle.constraints[3].kind == "xv"
    assert count(one.puzzle, "cp-sat").value == 1
    assert list(violations(one.puzzle, one.solution)) == []
    # In a box of the 4x4 neighbours would differ by 1.
    assert list(generate("4x4", constraints=["whispers 3 r1c1 r1c2 r2c2"], seed=1)) == []


@pytest.mark.slow
def test_hint_steps() -> None:
    """Every step of hint keeps the solution of random puzzles."""
    used = set()
    for seed in range(12):
        kinds = [f"{kind}:2" for kind in RandomState(seed).permutation(list(PLACED))[:4]]
        one = next(generate("6x6:2x3", placed=kinds, seed=seed, attempts=1))
        for step in steps(one.puzzle):
            used.add(step.technique)
            assert not any(one.solution[cell] == value for cell, value in step.removes), str(step)
            assert all(one.solution[cell] == value for cell, value in step.places), str(step)
    assert {"relation", "sum combinations", "line sequence"} <= used


REFUSED = {
    "--with thermometre:3": "not a constraint that can be placed at random: 'thermometre'; choose from cage,",
    "--with cage:0": "--with cage:0: expected a number from 1 to 999 after the colon",
    "--with cage:many": "expected a number from 1 to 999 after the colon",
    "--with little-killer --board 4x4x4": "--with little-killer needs rows and columns, which 4x4x4 does not have",
    f"--with cage --board {CORNER}": "--with cage needs cells beside each other",
    "--with cage --rating nodes:1-2": "a rating by nodes does not support constraints: cage",
    "--with cage --method keck2022": "method keck2022 does not support constraints: cage",
    "--constraint odd_r1c1 --uniform": "uniform chooses solutions regardless of constraints: odd",
    "--with cage --ladder 2 -o {folder}/": "--with has no effect on a ladder",
    "--with cage --resume -o {folder}/a.txt": "--resume needs one puzzle per line",
}


@pytest.mark.parametrize("words", REFUSED)
def test_refusals(words: str, tmp_path: Path, run: Command) -> None:
    """What cannot be is refused by name."""
    asked = [
        word.replace("_", " ") if word.startswith("odd") else word for word in words.format(folder=tmp_path).split()
    ]
    ended = run("generate", *asked)
    assert ended.status == 2
    assert REFUSED[words] in ended.err
    assert ended.err.count("\n") == 1


def test_too_few_places(run: Command) -> None:
    """Where too few places are found it is said."""
    ended = run("generate", "--board", "4x4", "--with", "arrow:9", "--seed", "1", "--attempts", "2")
    assert (ended.status, ended.out) == (3, "")
    assert "places for" in ended.err
    assert "of 9 constraints" in ended.err


@pytest.mark.slow
def test_round_trip(tmp_path: Path, run: Command) -> None:
    """Text and records have the constraints and are read back."""
    words = ("generate", "--board", "6x6:2x3", "--with", "cage:2", "--with", "xv", "--many", "2", "--seed", "5")
    printed = run(*words).out
    found = _read(printed, tmp_path)
    expected = list(generate("6x6:2x3", placed=["cage:2", "xv"], many=2, seed=5))
    assert [puzzle.constraints for puzzle in found] == [one.puzzle.constraints for one in expected]
    assert [puzzle.givens.tolist() for puzzle in found] == [one.puzzle.givens.tolist() for one in expected]
    records = [json.loads(line) for line in run(*words, "--json").lines]
    assert [record["constraints"] for record in records] == [
        [constraint.text(one.puzzle.geometry) for constraint in one.puzzle.constraints] for one in expected
    ]
    assert run(*words, "-o", tmp_path / "a.txt").status == 0
    in_file = _read((tmp_path / "a.txt").read_text(encoding="ascii"), tmp_path)
    assert in_file == found
    file = tmp_path / "b.jsonl"
    assert run(*words, "--json", "-o", file).status == 0
    again = run(*words[:-4], "--many", "3", "--seed", "5", "--json", "-o", file, "--resume")
    assert again.status == 0
    assert "--with cage:2 --with xv:1" in json.loads(file.read_text(encoding="ascii").splitlines()[2])["command"]


def _read(text: str, folder: Path) -> list[Puzzle]:
    (folder / "read.txt").write_text(text, encoding="ascii")
    return [puzzle for puzzle in se.read_all(folder / "read.txt") if isinstance(puzzle, Puzzle)]
