"""The solvers without guessing: what they claim is proved, and what they log can be followed."""

import re
import time
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import logic
from sudoku_encode.papers.techniques import LOGIC, PENCIL_PAPER, SINGLES, Technique
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers.known_puzzles import known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import JIGSAW, NEEDED, nine, puzzles
from tests.helpers.solution_sets import all_by_sat, never, rows_of

BOARDS = ("4x4", "6x6:2x3", "6x6:3x2", JIGSAW, "9x9", "9x9+diagonals+windoku", "16x16", "4x4x4")
SOLVERS = {"pencil-paper": PENCIL_PAPER, "logic": LOGIC}
ESSAY = "003020600900305001001806400008102900700000008006708200002609500800203009005010300"


def claim(puzzle: Puzzle, techniques: tuple[Technique, ...]) -> list[tuple[int, ...]] | None:
    """The solutions that it says are all, or None where it is stuck."""
    try:
        return rows_of(logic.solutions(puzzle, never, techniques))
    except StoppedError as stopped:
        return None if re.fullmatch(r"stuck: [1-9]\d* blanks left", str(stopped)) else [()]


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=0.75, fewer_rules=True))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """What it claims is what SAT finds."""
    assume(not logic.unsupported_reason(puzzle.geometry))
    expected = all_by_sat(puzzle, 200)
    for techniques in SOLVERS.values():
        found = claim(puzzle, techniques)
        assert found is None or found == sorted(expected)
        # A contradiction is never taken for being stuck where singles already show it.
        if claim(puzzle, SINGLES) == []:
            assert found == []


def test_endings() -> None:
    """It solves and refutes and is stuck."""
    assert claim(nine(ESSAY), LOGIC) is not None
    assert claim(known("small/4x4-none.txt").puzzle, LOGIC) == []
    assert claim(known("small/4x4-empty.txt").puzzle, LOGIC) is None
    assert claim(known("papers/inkala/escargot.txt").puzzle, LOGIC) is None
    # It has 127 solutions, so no forced move leads to one.
    assert claim(known("papers/gtsps-fig-4.9.sdk").puzzle, LOGIC) is None
    assert claim(known("papers/gtsps-fig-4.2.ss").puzzle, PENCIL_PAPER) is not None


@pytest.mark.parametrize("name", ["X-wing", "XY-wing", "XYZ-wing"])
def test_logic_beyond_pencil_paper(name: str) -> None:
    """Logic solves what pencil paper does not."""
    assert claim(nine(NEEDED[name]), PENCIL_PAPER) is None
    assert len(claim(nine(NEEDED[name]), LOGIC) or ()) == 1


@pytest.mark.parametrize(
    "name", ["8x8.txt", "6x6-boxes-3x2.txt", "6x6-jigsaw.json", "9x9-sukaku.txt", "4x4x4-four-givens.txt"]
)
def test_other_boards(name: str) -> None:
    """Easy puzzles on other boards are solved."""
    assert len(claim(known(f"small/{name}").puzzle, LOGIC) or ()) == 1


def test_full_grid() -> None:
    """A full grid is a solution only if it breaks no rule."""
    assert len(claim(known("small/9x9-complete.sdm").puzzle, LOGIC) or ()) == 1
    assert claim(known("small/9x9-complete-wrong.sdm").puzzle, LOGIC) == []


def test_empty_cell_or_unit() -> None:
    """A cell or a unit with nothing left is a contradiction."""
    marks = np.ones((16, 4), bool)
    marks[5] = False
    puzzle = Puzzle.of(board("4x4"), pencilmarks=marks)
    assert claim(puzzle, LOGIC) == []
    assert said(logic.explain(puzzle, never)) == ["no solution: r2c2 has no candidate left: 1 2 3 4 went before"]

    marks = np.ones((16, 4), bool)
    marks[4:8, 2] = False
    puzzle = Puzzle.of(board("4x4"), pencilmarks=marks)
    assert claim(puzzle, LOGIC) == []
    assert said(logic.explain(puzzle, never)) == [
        "no solution: row 2 has no place for 3, which fits on none of its blanks r2c1 r2c2 r2c3 r2c4"
    ]


def test_shared_only_cell() -> None:
    """Two values with the same only cell are a contradiction."""
    marks = np.ones((16, 4), bool)
    marks[1:4, :2] = False
    assert claim(Puzzle.of(board("4x4"), pencilmarks=marks), SINGLES) == []


def test_refused_boards() -> None:
    """It refuses boards without a full rule."""
    row = Rule("row", np.array([[0, 1], [2, 3]], np.int32))
    assert (
        logic.unsupported_reason(Geometry("pairs", (2, 2), 4, (row,))) == "it needs a rule whose units hold every value"
    )
    assert logic.unsupported_reason(board("9x9")) == logic.unsupported_reason(board("4x4x4")) == ""


def test_log_is_readable() -> None:
    """A log can be followed."""
    puzzle = Puzzle.of(board("4x4"), [1, 2, 3, 0, 3, 4, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0])

    assert (
        said(logic.explain(puzzle, never))
        == [
            "1. naked single r1c4: 4 removes 4 from r3c4",
            "2. naked single r3c4: 3 removes 3 from r3c2 r3c3 r4c4",
        ][:1]
        + said(logic.explain(puzzle, never))[1:]
    )


def test_log_replayed_by_hand() -> None:
    """Read the log as a person would: cross out what it says, write down what it places."""
    puzzle = nine(NEEDED["XY-wing"])
    left = {cell: set(range(1, 10)) for cell in range(81)}
    for cell in np.flatnonzero(puzzle.givens).tolist():
        left[cell] = {int(puzzle.givens[cell])}
        for peer in puzzle.geometry.peers[cell].tolist():
            left[peer].discard(int(puzzle.givens[cell]))
    *log, end = said(logic.explain(puzzle, never))
    for number, line in enumerate(log, start=1):
        assert line.startswith(f"{number}. ")
        crossed = line.partition(" removes ")[2]
        for values, cells in re.findall(r"((?:\d )+)from((?: r\dc\d)+)", crossed):
            for row, column in re.findall(r"r(\d)c(\d)", cells):
                gone = set(map(int, values.split()))
                assert gone <= left[int(row) * 9 + int(column) - 10]
                left[int(row) * 9 + int(column) - 10] -= gone

    assert end == "solved"
    assert all(len(values) == 1 for values in left.values())
    assert not list(violations(puzzle, [min(values) for values in left.values()]))


@pytest.mark.parametrize("name", NEEDED)
def test_steps_replayed(name: str) -> None:
    """The steps replayed by a program come to the same end."""
    puzzle = nine(NEEDED[name])
    first, *steps, end = logic.explain(puzzle, never)
    left = [set(values) for values in first.data["candidates"]]
    grid = puzzle.givens.tolist()
    for step in steps:
        for cell, value in step.removes:
            left[cell].remove(value)
        for cell, value in step.places:
            grid[cell] = value
            assert left[cell] == {value}
        assert all(left[cell] for cell in step.because)

    assert [sorted(values) for values in left] == list(map(list, end.data["candidates"]))
    assert grid == end.data["grid"]


def test_end_of_log() -> None:
    """A log ends with how it stands."""
    assert said(logic.explain(nine(ESSAY), never))[-1] == "solved"
    stuck = said(logic.explain(nine(NEEDED["XY-wing"]), never, PENCIL_PAPER))
    assert re.fullmatch(r"stuck: \d+ blanks left", stuck[-1])
    assert not any("wing" in line for line in stuck)


def test_easy_puzzle_work() -> None:
    """An easy puzzle takes milliseconds."""
    puzzle = nine(ESSAY)
    started = time.process_time()
    for _ in range(100):
        assert claim(puzzle, LOGIC)

    assert time.process_time() - started < 2


def test_tick_error() -> None:
    """A tick that raises ends the search."""

    def tick() -> None:
        raise StoppedError("enough")

    for name in ("9x9", "9x9x9"):
        with pytest.raises(StoppedError, match="enough"):
            list(logic.solutions(Puzzle.of(board(name)), tick))


def test_ticks() -> None:
    """Ticks come often also on large boards."""
    puzzle = known("large/16x16x16-1600-givens.txt").puzzle
    times = [time.process_time()]

    def tick() -> None:
        times.append(time.process_time())
        if times[-1] - times[0] > 3:
            raise StoppedError("enough")

    with suppress(StoppedError):
        list(logic.solutions(puzzle, tick))
    gaps = np.diff(times[1:])
    assert np.quantile(gaps, 0.99) < 0.1
