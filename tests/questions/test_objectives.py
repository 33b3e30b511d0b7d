"""The best solution by an objective, beside a list of all solutions, and beside all subsets of the givens."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.questions.objectives import ObjectiveQuestion
from sudoku_encode.run.asking import ask
from sudoku_encode.run.limits import Limits
from tests.helpers.command import Command

FIG_4_9 = Path("instances/papers/gtsps-fig-4.9.sdk")
PUZZLES: dict[str, Callable[[], se.Puzzle]] = {
    "9x9": lambda: se.read(FIG_4_9),
    "4x4": lambda: se.read("1...............", board="4x4"),
    "4x4x4": lambda: se.read(Path("instances/small/4x4x4-four-givens.txt")),
    "constraints": lambda: se.Puzzle.of(se.board("6x6"), constraints=["thermometer r1c1-r1c5", "cage 7 r3c1 r4c1"]),
    "hidden": lambda: se.Puzzle.of(se.board("4x4"), constraints=["thermometer h1 r1c1 r1c2"]),
    "from-zero": lambda: se.read("0...............", board="4x4", alphabet="0-3"),
}


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line."""
    return Command(capfd, monkeypatch)


@pytest.mark.parametrize("name", PUZZLES)
def test_same_as_all_solutions(name: str) -> None:
    """The first, the last and the extreme sums are those among all solutions."""
    puzzle = PUZZLES[name]()
    every = np.asarray(se.solutions(puzzle)).astype(int)
    ordered = sorted(map(tuple, every.tolist()))
    cells = [puzzle.geometry.cell_name(cell) for cell in (1, 5, 6)]
    numbers = every[:, [1, 5, 6]] + puzzle.geometry.first - 1

    def best(text: str) -> tuple[tuple[int, ...], int | None]:
        answer = ask(ObjectiveQuestion(text), puzzle)
        assert answer.status == "solved"
        assert answer.required.grid is not None
        assert answer.required.value == answer.required.bound
        return tuple(answer.required.grid.tolist()), answer.required.value

    assert best("first") == (ordered[0], None)
    assert best("last") == (ordered[-1], None)
    weights = {" ".join(cells): (1, 1, 1), f"3*{cells[0]}+{cells[1]}, {cells[2]}*-2": (3, 1, -2)}
    for text, factors in weights.items():
        sums = numbers @ factors
        for kind, extreme in (("max", sums.max()), ("min", sums.min())):
            grid, value = best(f"{kind} {text}")
            assert sums[every.tolist().index(list(grid))] == value == extreme


@pytest.mark.parametrize("text", ["11..............", "12..3..4.....111", "1.2.3.4.1.2.3.4.", "1234341221434321"])
def test_most_givens_kept(text: str) -> None:
    """As many givens are kept as in a largest subset with a solution."""
    puzzle = se.read(text, board="4x4")
    given = np.flatnonzero(puzzle.givens).tolist()

    def is_solvable(kept: tuple[int, ...]) -> bool:
        givens = [int(puzzle.givens[cell]) if cell in kept else 0 for cell in range(16)]
        return se.solve(se.Puzzle(puzzle.geometry, givens), "exact-cover") is not None

    largest = next(size for size in range(len(given), 0, -1) if any(map(is_solvable, combinations(given, size))))
    best = ask(ObjectiveQuestion("keep"), puzzle).required
    assert (best.value, best.bound, len(best.dropped)) == (largest, largest, len(given) - largest)
    assert best.grid is not None
    kept = [cell for cell in given if cell not in best.dropped]
    assert (best.grid[kept] == puzzle.givens[kept]).all()
    assert not list(se.violations(se.Puzzle.of(puzzle.geometry), best.grid))


def test_no_solution(run: Command) -> None:
    """That there is no solution is said, with status 1."""
    for text in ("first", "max r1c1"):
        found = run("solve", "11..............", "--board", "4x4", "--objective", text)
        assert (found.status, found.out) == (1, "# puzzle 1: no solution: r1c1 and r1c2 are peers and both hold 1\n")
    assert se.solve("11..............", board="4x4", objective="last") is None


def test_time_over() -> None:
    """Without time nothing is called best."""
    answer = ask(ObjectiveQuestion("last"), se.Puzzle.of(se.board("9x9")), Limits(seconds=0))
    assert (answer.status, answer.stopped) == ("timeout", "time limit")
    with pytest.raises(se.StoppedError, match="time limit"):
        se.solve("." * 81, objective="first", timeout=0)


def test_shell(run: Command) -> None:
    """The command prints grids, records and rows, with the value and its bound."""
    found = run("solve", FIG_4_9, "--objective", "max r1c1-r1c3")
    assert (found.status, len(found.lines)) == (0, 1)
    assert found.err == "max r1c1-r1c3: value 13, proved to be best\n"
    record = json.loads(run("solve", "instances/small/9x9-clash.txt", "--objective", "keep", "--json").out)
    assert (record["value"], record["bound"], record["dropped"]) == (35, 35, ["r1c1"])
    both = run("solve", FIG_4_9, FIG_4_9, "--objective", "first", "--csv")
    assert both.lines[1].split(",")[4:6] == ["solved", "sat"]
    assert both.lines[1].split(",")[8] == both.lines[2].split(",")[8] == str(se.solve(FIG_4_9, objective="first"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--objective", "best"), "not an objective: 'best'; expected first, last, min CELLS, max CELLS, keep"),
        (("--objective", "max"), "objective max needs cells"),
        (("--objective", "keep r1c1"), "objective keep takes no cells"),
        (("--objective", "min r1c10"), "9x9 has no cell 'r1c10'"),
        (("--objective", "max r1c1 h2"), "objective max: a solution does not contain hidden cells: h2"),
        (("--objective", "min 2*r1c1*2"), "not a cell with a coefficient: '2*r1c1*2'; expected r1c1*2"),
        (("--objective", "first", "--method", "sat"), "--method has no effect with --objective"),
        (("--objective", "first", "--option", "seed=1"), "--option has no effect with --objective"),
        (("--objective", "first", "-o", "x.txt"), "-o has no effect with --objective"),
    ],
)
def test_bad_objectives(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """A wrong objective, or an option that has no effect, is one line."""
    found = run("solve", FIG_4_9, *arguments)
    assert (found.status, found.out) == (2, "")
    assert message in found.err
    assert found.err.count("\n") == 1
