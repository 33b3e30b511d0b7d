"""`auto` takes the method that fits, says why, and changes no answer; a batch agrees with puzzle by puzzle."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_encode import search
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formats.writing import write
from sudoku_encode.methods import auto, calls, turns
from sudoku_encode.methods.batches import solve_batches
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO, METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.search import loading, parallel
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, KNOWN, KnownCount, is_costly, known

BY_SAT = "sat (cadical195, encoding extended)"
MILLIONS = "051000403000008000000000000605000200000200000002700005000000070020000050008500000"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what these tests are about; what `auto` does before is in methods/test_first_use.py."""
    for name in ("9x9", "2x2", "9x9x9"):
        loading.load(board(name))


# The largest cube takes a quarter of a minute.
QUICK = [case for case in KNOWN if not case.slow and case.count < 5000 and case.puzzle.geometry.name != "16x16x16"]
BATCHES = [f"known-counts/{name}" for name in ("oklibrary.sdm", "tdoku-several.txt", "tdoku-none.sdm")]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=[pytest.mark.slow] if is_costly(case) else []) for case in QUICK],
)
def test_counts(case: KnownCount, messages: list[str]) -> None:
    """Auto counts right."""
    found = calls.count(case.puzzle, AUTO, Limits(seconds=600).start())
    assert found == Count(case.count, True)
    assert messages or case.puzzle.geometry.oversized_unit


def test_lists() -> None:
    """Auto lists right."""
    case = known("papers/gtsps-fig-4.9.sdk")
    rows = np.concatenate(list(calls.solutions(case.puzzle, AUTO)))
    assert len({row.tobytes() for row in rows}) == len(rows) == 127
    with pytest.raises(StoppedError, match="limit of 5"):
        list(calls.solutions(case.puzzle, AUTO, Deadline(5)))


def test_count_without_listing(messages: list[str]) -> None:
    """Auto says that it counts without listing where there are too many."""
    found = calls.count(Puzzle.of(board("8x8")), AUTO)
    assert found == Count(29_136_487_207_403_520, True)
    assert messages[0].startswith("frontier, since random probes estimate ")
    # Within the error of a thousand probes.
    assert 1e16 < float(messages[0].split()[5]) < 1e17


def test_turns_to_sat(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Auto turns to SAT where search finds nothing soon."""
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    case = known("large/9x9x9-542-blanks.txt")
    rows = np.concatenate(list(calls.solutions(case.puzzle, AUTO)))
    assert messages == [f"{BY_SAT}, since a trial search of 0 seconds found no solution"]
    assert {row.tobytes() for row in rows} == case.grids()
    assert calls.count(case.puzzle, AUTO) == Count(case.count, True)
    assert messages[1].startswith(f"{BY_SAT}, since ")


def test_placements_on_cubes(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Auto places whole values on nearly empty cubes."""
    # No time decides: a busy machine takes long for what takes part of a second else.
    monkeypatch.setattr(turns, "_PLACEMENTS_TURN_SECONDS", 600.0)
    givens = known("papers/jana-2023-table-1.txt").puzzle.givens.copy()
    givens[np.random.RandomState(1).permutation(729)[:690]] = 0
    puzzle = Puzzle.of(board("9x9x9"), givens)
    with pytest.raises(StoppedError, match="limit of 1"):
        list(calls.solutions(puzzle, AUTO, Deadline(1)))
    assert messages == ["placements, since a trial search of 0.05 seconds found no solution"]


@pytest.mark.parametrize("quicker", ["placements", "sat"])
def test_cube_beside_solver(monkeypatch: pytest.MonkeyPatch, messages: list[str], quicker: str) -> None:
    """Auto takes the answer of placements or of SAT, whichever ends first."""
    givens = known("papers/jana-2023-table-1.txt").puzzle.givens.copy()
    givens[np.random.RandomState(1).permutation(729)[:300]] = 0
    puzzle, ways = Puzzle.of(board("9x9x9"), givens), calls.solutions
    expected = np.concatenate(list(ways(puzzle, "search")))

    def solutions(puzzle: Puzzle, method: str, deadline: Deadline, *others: Any) -> Iterator[Grids]:
        if method == quicker:
            yield from ways(puzzle, method, deadline, *others)
        while method != quicker:
            deadline()
            time.sleep(0.01)

    monkeypatch.setattr(turns, "_PLACEMENTS_TURN_SECONDS", 0.0)
    monkeypatch.setattr(calls, "solutions", solutions)
    found = np.concatenate(list(turns.list_nearly_empty_cube(puzzle, Deadline(), Options(), "")))
    assert sorted(map(bytes, found)) == sorted(map(bytes, expected))
    beside = f"{BY_SAT}, beside placements, since placements alone did not finish within 0 seconds"
    ends = {
        "placements": "placements, which was quicker than sat",
        "sat": f"{BY_SAT}, which was quicker than placements",
    }
    assert messages == ["placements", beside, ends[quicker]]


def test_too_many_for_sat(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Auto goes on where there are more than SAT should block."""
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(auto, "_FEW_SOLUTIONS", 1e9)
    for module in (auto, turns):
        monkeypatch.setattr(module, "BLOCKABLE_SOLUTIONS", 100)
    assert calls.count(Puzzle.of(board("4x4")), AUTO) == Count(288, True)
    assert messages[1] == f"{BY_SAT}, which gave up: limit of 100"
    assert messages[2].startswith("search on ")


def test_refused_by_search(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Auto takes SAT where search refuses."""
    monkeypatch.setattr(search, "unsupported_reason", lambda board: "it supports at most 3 values")
    assert calls.count(Puzzle.of(board("4x4")), AUTO) == Count(288, True)
    assert messages == [f"{BY_SAT}, since search does not support this board: it supports at most 3 values"]


@pytest.mark.parametrize("file", BATCHES)
@pytest.mark.parametrize("limit", [1, 2, 50])
def test_batch_as_single(file: str, limit: int) -> None:
    """A batch has the answers of its puzzles."""
    cases = [case for case in KNOWN if case.file == file]
    givens = np.stack([case.puzzle.givens for case in cases])
    many = np.tile(givens, (400, 1))
    found = list(solve_batches(board("9x9"), many, limit))
    assert len(found) > 1
    counts = np.concatenate([answers.counts for answers in found])
    assert counts.tolist() == [min(limit, case.count) for case in cases] * 400
    grids = np.concatenate([answers.grids for answers in found])
    assert grids.any(axis=1).tolist() == (counts > 0).tolist()


def test_all_cores() -> None:
    """One puzzle is counted on all cores."""
    for name in ("papers/gtsps-fig-4.9.sdk", "small/4x4x4-empty.txt", "small/9x9-clash.txt", "small/9x9-complete.sdm"):
        assert parallel.count_parts(known(name).puzzle, lambda: None) == Count(known(name).count, True)
    found = parallel.count_parts(Puzzle.of(board("9x9")), Limits(seconds=0.3).start())
    assert (found.complete, found.stopped) == (False, "time limit")


def test_wrong_grid_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong grid of a batch never gets out."""
    right = search.batch

    def lies(*arguments: Any, **more: Any) -> search.BatchAnswers:
        found = right(*arguments, **more)
        found.grids[0, :2] = found.grids[0, 1::-1]
        return found

    monkeypatch.setattr(search, "batch", lies)
    with pytest.raises(InternalError, match="not a solution"):
        list(solve_batches(board("9x9"), known("papers/uhbpnp-fig-1.txt").puzzle.givens[None], 1))


def test_plain_lines(run: Command, tmp_path: Path) -> None:
    """Solve and count take a file of plain lines at once."""
    one, none = known("papers/uhbpnp-fig-1.txt").puzzle, known("known-counts/tdoku-none.sdm#1").puzzle
    several = known("known-counts/tdoku-several.txt#1").puzzle
    nine = board("9x9")
    lines = [write(nine, puzzle.givens, "line") for puzzle in (one, none, several, none, one)]
    (tmp_path / "many.txt").write_text("\n".join(lines) + "\n")
    solved = run("solve", tmp_path / "many.txt")
    assert solved.status == 1
    (solution,) = np.concatenate(list(calls.solutions(one, "sat")))
    assert solved.lines[0] == solved.lines[4] == write(nine, solution, "line")
    assert solved.lines[1] == "# puzzle 2: no solution"
    assert solved.lines[3] == "# puzzle 4: no solution"
    assert "puzzle 2: no solution" in solved.err
    counted = run("count", tmp_path / "many.txt", "--limit", "2")
    assert counted.lines == ["1", "0", "at least 2", "0", "1"]
    assert counted.status == 3
    by_one = run("solve", tmp_path / "many.txt", "--method", "sat")
    assert [by_one.lines[at] for at in (0, 1, 3, 4)] == [solved.lines[at] for at in (0, 1, 3, 4)]


def test_enumerate_round_trip(run: Command, tmp_path: Path) -> None:
    """Enumerate writes a file that reads back."""
    ran = run("enumerate", "--board", "6x6", "--rules", "row,column", "--limit", "3000", "-o", tmp_path / "six.txt")
    assert (ran.status, ran.out) == (3, "")
    assert "at least 3000 solutions; stopped: limit of 3000" in ran.err
    lines = (tmp_path / "six.txt").read_text().splitlines()
    assert lines[:2] == ["# board: 6x6", "# rules: row,column"]
    assert lines[-1] == "# at least 3000 solutions; stopped: limit of 3000"
    assert len(set(lines[2:-1])) == len(lines[2:-1]) == 3000


def test_choice_is_reported(run: Command) -> None:
    """Count says what auto took and an estimate is no count."""
    ran = run("count", MILLIONS, "--timeout", "60")
    assert (ran.status, ran.out) == (0, "89223005\n")
    assert "by frontier, since random probes estimate " in ran.err
    if METHODS["approxmc"].installed:
        guess = run("count", INSTANCES / "papers" / "gtsps-fig-4.9.sdk", "--method", "approxmc")
        assert guess.status == 3
        assert guess.out.startswith("about ")
