"""Claims that need unpublished puzzles, checked on puzzles that a reader gives."""

from dataclasses import replace
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.reproduce import check, puzzles, readers_instances, work_on
from sudoku_encode.reproduce.block_world import tables as block_world
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED, UNCHECKED
from sudoku_encode.reproduce.jana2023 import tables as jana2023
from tests.helpers.command import Command
from tests.helpers.paper_findings import CHECKS

FIGURES = tuple(str(puzzles.path(f"papers/{name}")) for name in ("uhbpnp-fig-1.txt", "block-world-fig-6.txt"))


def test_cubes_of_a_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cube is taken for the row with its blanks and solutions, and a verdict follows."""
    file = tmp_path / "cubes.txt"
    cubes = puzzles.read("cubes/six-rules-easy.txt")[:2]
    file.write_text("# board: 9x9x9\n" + "".join(f"{''.join(map(str, cube.givens))}\n" for cube in cubes))
    work = work_on("jana2023", [str(file), FIGURES[0]], 4, 5.0)
    found = check("jana2023", "algorithm_1", work)

    assert found.verdict == REPRODUCED
    assert f"On 2 of the reader's 3 puzzles ({file}, {FIGURES[0]})" in found.ours
    assert found.table is not None
    assert [row[:5] for row in found.table.rows] == [(1, "easy", 180, 1, 1.62), (2, "easy", 185, 1, 1.71)]

    # A paper whose Algorithm 1 does not work on these rows.
    without = [replace(row, seconds={}) if row.instance < 3 else row for row in jana2023.rows()]
    monkeypatch.setattr(jana2023, "rows", lambda: without)
    assert check("jana2023", "algorithm_1", work).verdict == DIFFERS


def test_robots_on_books(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables I and II are decided by as many puzzles as the paper had, and by no fewer."""
    work = work_on("block-world", FIGURES, 4, 5.0)
    name = "solved_by_the_printed_definitions"
    found = check("block-world", name, work)
    assert (found.verdict, "which had 100" in found.why) == (UNCHECKED, True)

    monkeypatch.setattr(readers_instances, "BOOKS", 2)
    assert check("block-world", name, work).verdict == DIFFERS
    # Models 3 and 4 as printed put wrong boxes on both puzzles.
    monkeypatch.setattr(block_world, "SOLVED", {"1": 100, "2": 0, "3": 0, "4": 0})
    assert check("block-world", name, work).verdict == REPRODUCED


@pytest.mark.parametrize(("key", "name"), [(key, name) for key, fed in readers_instances.FED.items() for name in fed])
def test_fed_checks_are_checks(key: str, name: str) -> None:
    """What a reader's puzzles feed is a check of the paper."""
    assert name in CHECKS[key]


@pytest.mark.parametrize(("key", "name"), [("gtsps", "numbers_of_vertices"), ("gtsps", "extreme_puzzles")])
def test_fewer_puzzles_decide_nothing(key: str, name: str) -> None:
    """A claim on many puzzles is compared with few, but not decided."""
    found = check(key, name, work_on(key, FIGURES, 4, 5.0))
    assert found.verdict == UNCHECKED
    assert "of the reader's 2 puzzles" in found.ours


def test_refused_instances(run: Command) -> None:
    """Puzzles are refused where no claim needs them, and so is another file."""
    with pytest.raises(se.SudokuError, match="choose from jana2023, gtsps, wadud, block-world"):
        work_on("keck", FIGURES, 4, 5.0)
    ran = run("reproduce", "wadud", "--instances", "missing.txt")
    assert (ran.status, ran.out) == (2, "")
    assert "missing.txt" in ran.err
