"""Every method on random puzzles finds what plain backtracking finds; `scripts/fuzz methods` tries many more."""

import runpy
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode import frontier
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers import broken_methods, random_puzzles
from tests.helpers.known_puzzles import KNOWN
from tests.helpers.plain_search import TooMany, by_hand
from tests.helpers.random_puzzles import TESTED, Tally, all_solutions, judge, puzzles, random_puzzle

FUZZ = Path(__file__).parents[2] / "scripts" / "fuzz"
# Of this seed's puzzles the first has a cell that is in no unit and has no candidate.
SEED, PUZZLES = 6, 9


@pytest.mark.slow
def test_same_as_backtracking() -> None:
    """Every method finds what plain backtracking finds."""
    tally, chance = Tally(), np.random.default_rng(SEED)
    for puzzle, truth in islice(puzzles(SEED), PUZZLES):
        tally.add(puzzle, truth, chance, TESTED)
    assert [fault[1:] for fault in tally.faults] == []
    assert tally.runs["right"] > 150


def lonely(puzzle: Puzzle) -> np.ndarray:
    """The cells that are in no unit, bool (n_cells,)."""
    return np.array([len(peers) == 0 for peers in puzzle.geometry.peers])


def empty(puzzle: Puzzle) -> np.ndarray:
    """The cells without a candidate, bool (n_cells,)."""
    return np.array([not some.any() for some in puzzle.candidates])


@pytest.mark.slow
def test_many_kinds() -> None:
    """The puzzles are of many kinds."""
    chance = np.random.default_rng(SEED)
    seen = [random_puzzle(chance) for _ in range(200)]
    boards = [puzzle.geometry for puzzle in seen]
    assert len({geometry.name for geometry in boards}) > 80
    assert any(geometry.name.startswith("jigsaw:") for geometry in boards)
    assert {"4x4x4", "9x9x9"} <= {geometry.name for geometry in boards}
    assert max(geometry.n_values for geometry in boards if len(geometry.shape) == 2) == 16
    assert sum(len(geometry.rules) == 1 for geometry in boards) > 10
    assert sum(lonely(puzzle).any() for puzzle in seen) > 10
    assert sum(empty(puzzle).any() for puzzle in seen) > 10
    assert sum(puzzle.clash is not None for puzzle in seen) > 10
    assert sum(not len(puzzle.blanks) for puzzle in seen) > 5


@pytest.mark.slow
def test_seeds() -> None:
    """The puzzles of a seed are the same again and have any number of solutions."""
    one, other = (list(islice(puzzles(SEED), 24)) for _ in range(2))
    for (puzzle, truth), (again, same) in zip(one, other, strict=True):
        assert puzzle.geometry.name == again.geometry.name
        assert np.array_equal(puzzle.givens, again.givens)
        assert truth == same
    assert (lonely(one[0][0]) & empty(one[0][0])).any()
    numbers = [len(truth) for _, truth in one]
    assert min(numbers) == 0
    assert sum(number == 1 for number in numbers) > 5
    assert sum(number > 1 for number in numbers) > 7


def test_known_numbers() -> None:
    """Plain backtracking is right where the number is known."""
    squares = list(by_hand(Puzzle.of(board("4x4"))))
    assert len(set(squares)) == len(squares) == 288
    assert sum(1 for _ in by_hand(Puzzle.of(board("4x4x4")))) == 768
    assert sum(1 for _ in by_hand(Puzzle.of(board("5x5", ["row", "column"]), [1, 2, 3, 4, 5, *[0] * 20]))) == 1344
    few = [case for case in KNOWN if case.count < 200 and case.board == "9x9"]
    checked = 0
    for case in few[:6]:
        try:
            found = set(by_hand(case.puzzle, 10**6))
        except TooMany:
            continue
        assert len(found) == case.count
        assert all(not list(violations(case.puzzle, grid)) for grid in found)
        checked += 1
    assert checked
    marks = np.arange(64).reshape(16, 4) % 5 > 0
    allowed = {grid for grid in squares if all(marks[cell, value - 1] for cell, value in enumerate(grid))}
    assert set(by_hand(Puzzle.of(board("4x4"), pencilmarks=marks))) == allowed
    assert 0 < len(allowed) < 288


def test_backtracking_gives_up() -> None:
    """Backtracking gives up where there are too many solutions or steps."""
    with pytest.raises(TooMany):
        all_solutions(Puzzle.of(board("5x5")))
    with pytest.raises(TooMany):
        list(by_hand(Puzzle.of(board("4x4")), 100))


@pytest.mark.parametrize("name", ["loses", "invents", "repeats", "too-early", "raises"])
def test_wrong_method_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that is wrong is found."""
    monkeypatch.setitem(METHODS, name, broken_methods.method(name, broken_methods.FAULTS[name][0]))
    puzzle = Puzzle.of(board("4x4"), [1, *[0] * 15])
    tally = Tally()
    tally.add(puzzle, all_solutions(puzzle), np.random.default_rng(0), [name])
    assert tally.runs["wrong"] == len(tally.faults) == 1


def test_wrong_count_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that is wrong is found."""
    puzzle = Puzzle.of(board("4x4"))
    monkeypatch.setattr(frontier, "count", lambda *arguments: 287)
    assert judge(puzzle, "frontier", all_solutions(puzzle), Options()) == "counts 287, not 288"


def test_faults_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault is kept and can be run again."""
    real = frontier.count

    def one_less(*arguments: object) -> int:
        return real(*arguments) - 1  # type: ignore[arg-type]

    def few(seed: int) -> Iterator[tuple[Puzzle, set[tuple[int, ...]]]]:
        rules = board("4x4+diagonals", ["row", "diagonal"])
        marks = np.ones((16, 4), bool)
        marks[5, 1] = False
        puzzle = Puzzle.of(rules, [1, 0, 0, 4, *[1, 2, 3, 4] * 2, 0, 0, 0, 0], pencilmarks=marks)
        yield puzzle, all_solutions(puzzle)

    monkeypatch.setattr(frontier, "count", one_less)
    monkeypatch.setattr(random_puzzles, "puzzles", few)
    monkeypatch.setattr(random_puzzles, "TESTED", ["sat", "frontier"])
    runs, wrong = random_puzzles.compare(1, 60, tmp_path)
    assert runs == {"right": 1, "wrong": 1}
    assert [what.split(":")[0] for what in wrong] == ["frontier"]
    (kept,) = tmp_path.iterdir()
    fuzz = runpy.run_path(str(FUZZ))
    assert fuzz["main"](["methods", "--replay", str(kept)]) == 1
    assert "counts" in capsys.readouterr().out
    monkeypatch.setattr(frontier, "count", real)
    assert fuzz["main"](["methods", "--replay", str(kept)]) == 0
    puzzle, _ = next(few(1))
    again, name, options = random_puzzles.load(kept)
    assert (name, options) == ("frontier", Options())
    assert again.geometry.rule_names == puzzle.geometry.rule_names
    assert np.array_equal(again.givens, puzzle.givens)
    assert np.array_equal(again.candidates, puzzle.candidates)
