"""Answers to a question about each of many puzzles: in their places, whatever the input, the output and the limits."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.entries import Entry, PuzzleBatch, SourceItem
from sudoku_encode.formats.writing import write
from sudoku_encode.methods import calls
from sudoku_encode.methods.answers import BatchAnswer, BatchQuestion, PuzzleAnswer, answers
from sudoku_encode.methods.batches import BatchResult, solve_batches
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from tests.helpers.command import Command
from tests.helpers.known_puzzles import known
from tests.helpers.puzzles import filled

NINE, SIX = board("9x9"), board("6x6")
FULL = filled("9x9").astype(np.uint8)
SEVERAL = known("papers/gtsps-fig-4.9.sdk").puzzle
MARKED = Puzzle.of(
    board("4x4"), pencilmarks=np.eye(4, dtype=bool)[np.array([0, 1, 2, 3] * 4)] | (np.arange(16) > 7)[:, None]
)


def some_givens(n: int, blanks: float, seed: int = 3) -> Grids:
    """Givens with one solution, several or none."""
    chance = np.random.default_rng(seed)
    rows = np.where(chance.random((n, 81)) < blanks, 0, FULL).astype(np.uint8)
    rows[::7, :2] = 5
    return rows


def mixed() -> Iterator[SourceItem]:
    """Blocks and single puzzles of two boards, with errors among them."""
    bad = FormatError("bad", "here", 7)
    found: list[Entry | PuzzleBatch] = [
        *(Entry(bad, 1), Entry(MARKED, 2), PuzzleBatch(NINE, some_givens(100, 0.4), np.arange(100))),
        *(Entry(bad, 3), Entry(SEVERAL, 4), PuzzleBatch(NINE, some_givens(5, 0.5), np.arange(5)), Entry(bad, 5)),
        *(PuzzleBatch(SIX, np.zeros((2, 36), np.uint8), np.arange(2)), Entry(Puzzle.of(SIX), 6), Entry(MARKED, 8)),
    ]
    number = 1
    for one in found:
        yield SourceItem(number, "here", one)
        number += len(one) if isinstance(one, PuzzleBatch) else 1


def flat(found: Iterator[PuzzleAnswer | BatchAnswer]) -> list[tuple[int, Puzzle | None, Count | None, Grids | None]]:
    """Return the answers one by one: number, puzzle, count and grid."""
    rows: list[tuple[int, Puzzle | None, Count | None, Grids | None]] = []
    for answer in found:
        first = answer.located.number
        if isinstance(answer, PuzzleAnswer):
            puzzle = answer.entry.content
            rows.append((first, puzzle if isinstance(puzzle, Puzzle) else None, answer.count, answer.grid))
            continue
        for row, value in enumerate(answer.counts.tolist()):
            rows.append((first + row, answer.puzzle(row), answer.count_of(value), answer.grids[row] if value else None))
    return rows


@cache
def count_by_other(puzzle: Puzzle, limit: int) -> Count:
    """Return what a method says that no case here asks; once for all cases."""
    return calls.count(puzzle, "norvig2006", Limits(limit).start())


def ignored(item: tuple[int, Puzzle], event: Event) -> None:
    """Take no notice."""


@pytest.mark.parametrize("method", ["auto", "search", pytest.param("sat", marks=pytest.mark.slow)])
@pytest.mark.parametrize("limit", [1, 2, 60])
def test_counts_in_place(method: str, limit: int) -> None:
    """Every puzzle has its count in its place."""
    found = flat(answers(mixed(), BatchQuestion(method, Limits(limit), Options()), ignored))

    assert [number for number, *_ in found] == list(range(1, 115))
    assert [number for number, puzzle, *_ in found if puzzle is None] == [1, 103, 110]
    for _, puzzle, count, _ in found:
        assert count == (None if puzzle is None else count_by_other(puzzle, limit))


@pytest.mark.parametrize("seconds", [None, 60.0])
@pytest.mark.parametrize("method", ["auto", "search", "sat"])
def test_solutions_in_place(method: str, seconds: float | None) -> None:
    """Every puzzle has its solution in its place."""
    found = flat(answers(mixed(), BatchQuestion(method, Limits(seconds=seconds), Options(), solve=True), ignored))

    assert [number for number, *_ in found] == list(range(1, 115))
    for _, puzzle, count, grid in found:
        if puzzle is None:
            assert count is None
            assert grid is None
            continue
        some = count_by_other(puzzle, 1).value
        assert count == Count(some, True)
        assert (grid is not None) == bool(some)
        assert grid is None or ((puzzle.givens == 0) | (puzzle.givens == grid)).all()


def test_slow_puzzle_alone() -> None:
    """A puzzle that takes long is asked again or stopped and costs no other its answer."""
    rows = some_givens(30, 0.4)
    rows[11] = 0
    block = SourceItem(1, "here", PuzzleBatch(NINE, rows, np.arange(30)))
    wanted = [calls.count(Puzzle.of(NINE, row), "norvig2006", Limits(2).start()).value for row in rows]
    for method in ("auto", "search"):
        found = flat(answers(iter([block]), BatchQuestion(method, Limits(seconds=0.2), Options()), ignored))
        assert [number for number, *_ in found] == list(range(1, 31))
        for (_, _, count, _), least in zip(found, wanted, strict=True):
            assert count is not None
            assert min(count.value, 2) == least
        _, _, stopped, _ = found[11]
        assert stopped is not None
        assert (stopped.complete, stopped.stopped) == (False, "time limit")
    # What `auto` gives up after a first look is asked again, by a method that may do better.
    six = SourceItem(1, "here", PuzzleBatch(board("9x9+diagonals"), np.zeros((2, 81), np.uint8), np.arange(2)))
    (first, _) = flat(answers(iter([six]), BatchQuestion("auto", Limits(seconds=0.8), Options()), ignored))
    assert first[2] is not None
    assert first[2].stopped


def test_ended_batch_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch whose process is ended is answered one by one."""

    def hungry(*arguments: object) -> Iterator[BatchResult]:
        yield from solve_batches(*arguments)  # type: ignore[arg-type]
        np.ones(10**9)

    monkeypatch.setattr("sudoku_encode.methods.batches.solve_batches", hungry)
    rows = some_givens(3, 0.4)
    block = SourceItem(1, "here", PuzzleBatch(NINE, rows, np.arange(3)))
    question = BatchQuestion("search", Limits(2, memory=300_000_000), Options())
    found = flat(answers(iter([block]), question, ignored))
    assert [count for _, _, count, _ in found] == [
        calls.count(Puzzle.of(NINE, row), "norvig2006", Limits(2).start()) for row in rows
    ]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same puzzles, one of them wrong, in many files."""
    rows = some_givens(180, 0.35)
    found = np.array([calls.count(Puzzle.of(NINE, row), "norvig2006").value for row in rows])
    lines = [write(NINE, row, "line") for row in rows[found < 2][:105]]
    lines[60] = "bad"
    texts = {
        "plain": "\n".join(lines),
        "windows": "\r\n".join(lines),
        "blank": "\n\n".join(lines),
        "commented": "\n# and\n".join(f"{line} # x" for line in lines),
        "table": "\n".join(["id,puzzle", *(f"{number},{line}" for number, line in enumerate(lines))]),
        "directive": "# board: 9x9\n"
        + "\n# rules: row,column,box\n".join(["\n".join(lines[:70]), "\n".join(lines[70:])]),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(f"{text}\n", newline="")
    (tmp_path / "packed").write_bytes(gzip.compress((tmp_path / "plain").read_bytes()))
    return {name: tmp_path / name for name in (*texts, "packed")}


@pytest.mark.slow
@pytest.mark.parametrize("limits", [[], ["--timeout", "30"], ["--memory", "1G"]])
@pytest.mark.parametrize("command", [["solve"], ["count", "--limit", "2"]])
def test_answers_independent_of_form(
    run: Command, files: dict[str, Path], command: list[str], limits: list[str]
) -> None:
    """Input output and limits change no answer."""
    expected = run(*command, files["plain"], "--method", "sat").lines
    assert len(expected) == 105
    assert expected[60] == "# puzzle 61: bad input: 3 symbols where 9x9 needs 81"
    # All forms come to the same puzzles in blocks, `directive` to more of them: limits see no more than that.
    for path in files.values() if not limits else (files["plain"], files["directive"]):
        ran = run(*command, path, *limits)
        assert (ran.status, ran.lines) == (2, expected), path
        as_json = [json.loads(line) for line in run(*command, path, *limits, "--json").lines]
        as_csv = list(csv.DictReader(io.StringIO(run(*command, path, *limits, "--csv").out)))
        assert [record["puzzle"] for record in as_json] == list(range(1, 106))
        assert {record["file"] for record in as_json} == {str(path)}
        clashes = [record["reason"] for record in as_json if record["status"] == "no solution"]
        assert "r1c1 and r1c2 are peers and both hold 5" in clashes
        for one, row in zip(as_json, as_csv, strict=True):
            keys = [key for key in one if key != "chosen"]
            assert [*keys[:7], "givens", *keys[7:]] == list(row)
            assert [row[key] for key in ("file", "puzzle", "status")] == [
                one["file"],
                str(one["puzzle"]),
                one["status"],
            ]
            assert row["line"] == str(one["line"])
            assert row["reason"] == (one["reason"] or "")
        words = {"solve": "solved", "count": "unique"}
        for line, one, row in zip(expected, as_json, as_csv, strict=True):
            if command == ["solve"] and one["status"] == words["solve"]:
                assert "".join(map(str, one["solution"])) == row["solution"] == line
            elif command != ["solve"] and one["status"] != "bad input":
                assert str(one["count"]) == row["count"] == line.removeprefix("at least ")
        assert run(*command, "-", *limits, stdin=path.read_bytes()).lines == expected


def test_status_words(run: Command, tmp_path: Path) -> None:
    """The words of the statuses tell the answers apart."""
    one, none = FULL.copy(), FULL.copy()
    one[0], none[:2] = 0, 5
    path = tmp_path / "batch"
    path.write_text("\n".join([*(write(NINE, row, "line") for row in (one, none, SEVERAL.givens)), "bad", "." * 81]))
    words = [json.loads(line)["status"] for line in run("count", path, "--limit", "200", "--json").lines]
    assert words == ["unique", "no solution", "several", "bad input", "limit"]
    words = [json.loads(line)["status"] for line in run("count", path, "--timeout", "0.3", "--json").lines]
    assert words == ["unique", "no solution", "several", "bad input", "timeout"]


def test_several_files(run: Command, tmp_path: Path) -> None:
    """Several files are one batch and a bad one stops no other."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text(f"{write(NINE, FULL, 'line')}\n" * 2)
    bad.write_text("nothing\n")
    ran = run("count", good, bad, tmp_path / "none", good, "--json")
    records = [json.loads(line) for line in ran.lines]
    assert ran.status == 2
    assert [record["puzzle"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert [record["status"] for record in records] == ["unique"] * 2 + ["bad input"] * 2 + ["unique"] * 2
    assert [record["line"] for record in records] == [1, 2, 1, None, 1, 2]


@pytest.mark.parametrize(
    ("words", "method"), [([], "auto"), (["--workers", 2], "cp-sat"), (["--option", "seed=3"], "cp-sat")]
)
def test_default_method_of_solve(run: Command, words: list[object], method: str) -> None:
    """Solve picks the method that uses its options."""
    ran = run("solve", write(NINE, FULL, "line"), "--json", *words)
    assert (ran.status, json.loads(ran.out)["method"], ran.err) == (0, method, "")


def test_two_output_forms(run: Command) -> None:
    """Two forms of the answers are refused."""
    for forms in (["--json", "--csv"], ["--json", "--to", "line"]):
        ran = run("solve", "." * 81, *forms)
        assert ran.status == 2
        assert "give only one form of output" in ran.err
