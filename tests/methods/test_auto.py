"""`auto` takes the method that fits, says why, and changes no answer; a batch agrees with puzzle by puzzle."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sudoku_encode import search
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formats.writing import write
from sudoku_encode.methods import auto, calls
from sudoku_encode.methods.batches import solve_batches
from sudoku_encode.methods.table import AUTO, METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.search import loading, parallel
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, KNOWN, KnownCount, known

MILLIONS = "051000403000008000000000000605000200000200000002700005000000070020000050008500000"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile what these tests are about; what `auto` does before is in methods/test_first_use.py."""
    for name in ("9x9", "2x2", "9x9x9"):
        loading.load(board(name))


QUICK = [case for case in KNOWN if not case.slow and case.count < 5000]
BATCHES = [f"known-counts/{name}" for name in ("oklibrary.sdm", "tdoku-several.txt", "tdoku-none.sdm")]


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.name == "cubes/9x9x9-fewest.txt" else [])
        for case in QUICK
    ],
)
def test_auto_counts_right(case: KnownCount, messages: list[str]) -> None:
    found = calls.count(case.puzzle, AUTO, Limits(seconds=600).start())
    assert found == Count(case.count, True)
    assert messages or case.puzzle.geometry.oversized_unit


def test_auto_lists_right() -> None:
    case = known("papers/gtsps-fig-4.9.sdk")
    rows = np.concatenate(list(calls.solutions(case.puzzle, AUTO)))
    assert len({row.tobytes() for row in rows}) == len(rows) == 127
    with pytest.raises(StoppedError, match="limit of 5"):
        list(calls.solutions(case.puzzle, AUTO, Deadline(5)))


def test_auto_says_that_it_counts_without_listing_where_there_are_too_many(messages: list[str]) -> None:
    found = calls.count(Puzzle.of(board("8x8")), AUTO)
    assert found == Count(29_136_487_207_403_520, True)
    assert messages[0].startswith("frontier, since there are about ")
    # Within the error of a thousand probes.
    assert 1e16 < float(messages[0].split()[5]) < 1e17


def test_auto_turns_to_sat_where_search_finds_nothing_soon(
    monkeypatch: pytest.MonkeyPatch, messages: list[str]
) -> None:
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    case = known("large/9x9x9-542-blanks.txt")
    rows = np.concatenate(list(calls.solutions(case.puzzle, AUTO)))
    assert messages == ["sat, since 0 seconds of search found no solution"]
    assert {row.tobytes() for row in rows} == case.grids()
    assert calls.count(case.puzzle, AUTO) == Count(case.count, True)
    assert messages[1].startswith("sat, since ")


def test_auto_places_whole_values_on_nearly_empty_cubes(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    # No time decides: a busy machine takes long for what takes part of a second else.
    monkeypatch.setattr(auto, "_PLACEMENTS_TURN_SECONDS", 600.0)
    givens = known("papers/jana-2023-table-1.txt").puzzle.givens.copy()
    givens[np.random.RandomState(1).permutation(729)[:690]] = 0
    puzzle = Puzzle.of(board("9x9x9"), givens)
    with pytest.raises(StoppedError, match="limit of 1"):
        list(calls.solutions(puzzle, AUTO, Deadline(1)))
    assert messages == ["placements, since 0.05 seconds of search found no solution"]


@pytest.mark.slow
def test_auto_lets_sat_and_placements_take_turns_on_nearly_empty_cubes(
    monkeypatch: pytest.MonkeyPatch, messages: list[str]
) -> None:
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(auto, "_PLACEMENTS_TURN_SECONDS", 0.0)
    monkeypatch.setattr(auto, "_CUBE_SAT_SECONDS", 600.0)
    case = known("cubes/9x9x9-fewest.txt")
    (row,) = np.concatenate(list(calls.solutions(case.puzzle, AUTO)))
    assert len(row) == 729
    assert messages[1:] == ["sat, since 0 seconds of placements did not end"]
    monkeypatch.setattr(auto, "_CUBE_SAT_SECONDS", 0.0)
    with pytest.raises(StoppedError, match="time limit"):
        list(calls.solutions(case.puzzle, AUTO, Limits(seconds=1).start()))
    assert messages[-1] == "placements, since 0 seconds of sat did not end either"


def test_auto_goes_on_where_there_are_more_than_sat_should_block(
    monkeypatch: pytest.MonkeyPatch, messages: list[str]
) -> None:
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    monkeypatch.setattr(auto, "_FEW_SOLUTIONS", 1e9)
    for module in (auto, auto):
        monkeypatch.setattr(module, "BLOCKABLE_SOLUTIONS", 100)
    assert calls.count(Puzzle.of(board("4x4")), AUTO) == Count(288, True)
    assert messages[1] == "sat, which gave up: limit of 100"
    assert messages[2].startswith("search on ")


def test_auto_takes_sat_where_search_refuses(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    monkeypatch.setattr(search, "unsupported_reason", lambda board: "it is for up to 3 values")
    assert calls.count(Puzzle.of(board("4x4")), AUTO) == Count(288, True)
    assert messages == ["sat, since search refuses: it is for up to 3 values"]


@pytest.mark.parametrize("file", BATCHES)
@pytest.mark.parametrize("limit", [1, 2, 50])
def test_a_batch_has_the_answers_of_its_puzzles(file: str, limit: int) -> None:
    cases = [case for case in KNOWN if case.file == file]
    givens = np.stack([case.puzzle.givens for case in cases])
    many = np.tile(givens, (400, 1))
    found = list(solve_batches(board("9x9"), many, limit))
    assert len(found) > 1
    counts = np.concatenate([answers.counts for answers in found])
    assert counts.tolist() == [min(limit, case.count) for case in cases] * 400
    grids = np.concatenate([answers.grids for answers in found])
    assert grids.any(axis=1).tolist() == (counts > 0).tolist()


def test_one_puzzle_is_counted_on_all_cores() -> None:
    for name in ("papers/gtsps-fig-4.9.sdk", "small/4x4x4-empty.txt", "small/9x9-clash.txt", "small/9x9-complete.sdm"):
        assert parallel.count_parts(known(name).puzzle, lambda: None) == Count(known(name).count, True)
    found = parallel.count_parts(Puzzle.of(board("9x9")), Limits(seconds=0.3).start())
    assert (found.complete, found.stopped) == (False, "time limit")


def test_a_wrong_grid_of_a_batch_never_gets_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = search.batch

    def lies(*arguments: Any, **more: Any) -> search.BatchAnswers:
        found = right(*arguments, **more)
        found.grids[0, :2] = found.grids[0, 1::-1]
        return found

    monkeypatch.setattr(search, "batch", lies)
    with pytest.raises(InternalError, match="not a solution"):
        list(solve_batches(board("9x9"), known("papers/uhbpnp-fig-1.txt").puzzle.givens[None], 1))


def test_solve_and_count_take_a_file_of_plain_lines_at_once(run: Command, tmp_path: Path) -> None:
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


def test_enumerate_writes_a_file_that_reads_back(run: Command, tmp_path: Path) -> None:
    ran = run("enumerate", "--board", "6x6", "--rules", "row,column", "--limit", "3000", "-o", tmp_path / "six.txt")
    assert (ran.status, ran.out) == (3, "")
    assert "at least 3000 solutions; stopped: limit of 3000" in ran.err
    lines = (tmp_path / "six.txt").read_text().splitlines()
    assert lines[:2] == ["# board: 6x6", "# rules: row,column"]
    assert lines[-1] == "# at least 3000 solutions; stopped: limit of 3000"
    assert len(set(lines[2:-1])) == len(lines[2:-1]) == 3000


def test_count_says_what_auto_took_and_an_estimate_is_no_count(run: Command) -> None:
    ran = run("count", MILLIONS, "--timeout", "60")
    assert (ran.status, ran.out) == (0, "89223005\n")
    assert "by frontier, since there are about " in ran.err
    if METHODS["approxmc"].installed:
        guess = run("count", INSTANCES / "papers" / "gtsps-fig-4.9.sdk", "--method", "approxmc")
        assert guess.status == 3
        assert guess.out.startswith("about ")
