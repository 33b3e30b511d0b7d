"""Whether puzzles are unique, and what setters ask then: against lists of all solutions by plain backtracking."""

import json
import time
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.formats.reading import read, read_all
from sudoku_encode.generating.grids import pattern, shuffled
from sudoku_encode.proving import check as check_certificate
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import checking
from sudoku_encode.questions import redundant as redundant_module
from sudoku_encode.questions.checking import check
from sudoku_encode.questions.redundant import redundant_givens, with_givens_of
from sudoku_encode.questions.subsets import clashing_givens
from sudoku_encode.run import each_here
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers.hitting import HittingSets
from tests.helpers import random_puzzles
from tests.helpers.command import Command
from tests.helpers.listed_facts import faults, with_givens
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import PUZZLE, SEVERAL

INSTANCES = Path(__file__).parents[2] / "instances"
NONE = f"55{'.' * 79}"
# No pair of givens clashes; no singles find out.
NONE_4 = "1..23......42..."
UNIQUE_4, SEVERAL_4 = "12..34...12.....", "12..34....2....."
NO_DEADLINE = Limits().start()


class Calls(Deadline):
    """A deadline that comes after some calls."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.__dict__["left"] = most

    def __call__(self) -> None:
        self.__dict__["left"] -= 1
        if self.__dict__["left"] < 0:
            raise se.StoppedError("time limit")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_puzzles(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer on random puzzles is what all solutions say."""
    if seed % 2:
        # Extra givens by a solver, also where all solutions could be listed.
        monkeypatch.setattr(checking, "_MAX_LISTED", 0)
    wrong = []
    for puzzle, truth in islice(random_puzzles.puzzles(100 + seed), 8):
        wrong += [(puzzle, said) for said in faults(puzzle, truth, se.check(puzzle, seed=seed))]
    assert wrong == []


@given(st.integers(0, 2**32 - 1))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_clashes_on_small_boards(seed: int) -> None:
    """Every clash on small boards is what all solutions say."""
    chance = np.random.default_rng(seed)
    name = str(chance.choice(["4x4", "5x5:1x5", "jigsaw:aaabacbbccbdcddd"]))
    n = int(name[0]) if name[0] in "45" else 4
    givens = np.where(chance.random(n * n) < chance.choice([0.4, 0.6]), chance.integers(1, n + 1, n * n), 0)
    marks = chance.random((n * n, n)) < 0.9 if chance.random() < 0.3 else None
    puzzle = Puzzle.of(board(name), givens, marks)
    solutions = set(islice(by_hand(puzzle), random_puzzles.MOST_SOLUTIONS))
    assume(len(solutions) < random_puzzles.MOST_SOLUTIONS)

    assert faults(puzzle, solutions, check(puzzle, NO_DEADLINE)) == []


@pytest.mark.slow
def test_clash_at_any_time() -> None:
    """Wherever the time ends what is said of a clash is true."""
    givens = read(PUZZLE).givens.copy()
    # The only solution has another value there; the first proof uses more givens than are needed.
    givens[14] = 2
    puzzle = Puzzle.of(board("9x9"), givens)
    said = set()
    for most in [*range(0, 40, 5), *range(40, 400, 90)]:
        found = clashing_givens(puzzle, Calls(most))
        verdict = se.NoSolution(with_givens(puzzle, found.cells), found.cells, found.irreducible, found.smallest)
        assert faults(puzzle, set(), verdict) == [], most
        said.add((found.irreducible, found.smallest))
    assert said >= {(False, False), (True, False)}


@pytest.mark.slow
def test_irreducible_clashes() -> None:
    """The hard puzzles without a solution have irreducible clashes."""
    entries = read_all(INSTANCES / "known-counts" / "tdoku-none.sdm")
    puzzles = [one for one in entries if isinstance(one, Puzzle)]
    assert len(puzzles) == 3
    found = [se.check(puzzle, limits=se.Limits(seconds=600)) for puzzle in puzzles]
    assert all(isinstance(one, se.NoSolution) and one.irreducible for one in found)
    assert [fault for puzzle, one in zip(puzzles, found, strict=True) for fault in faults(puzzle, set(), one)] == []


def test_cube_givens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search and a SAT solver agree on the givens of a cube."""
    cube = board("9x9x9")
    grid = pattern(cube)
    assert grid is not None
    chance = np.random.RandomState(5)
    grid = shuffled(cube, grid, chance)
    chosen = chance.permutation(cube.n_cells)[:90]
    puzzle = Puzzle.of(cube, np.where(np.isin(np.arange(cube.n_cells), chosen), grid, 0))
    assert se.is_unique(puzzle)

    monkeypatch.setattr(redundant_module, "_can_search", lambda puzzle: True)
    by_search = redundant_givens(puzzle, grid, NO_DEADLINE)
    monkeypatch.setattr(redundant_module, "_can_search", lambda puzzle: False)
    by_sat = redundant_givens(puzzle, grid, NO_DEADLINE)

    assert by_search == by_sat
    assert 0 < len(by_sat.cells) < 90
    assert by_sat.undecided == ()


def test_sub_puzzle_seeds() -> None:
    """A seed makes one sub puzzle and seeds make several."""
    found = [se.check(PUZZLE, seed=seed) for seed in (1, 1, 2, 3)]
    smaller = [one.sub_puzzle for one in found if isinstance(one, se.Unique) and one.sub_puzzle]
    assert [one.minimal for one in smaller] == [True] * 4
    assert smaller[0].puzzle == smaller[1].puzzle
    assert len({one.puzzle for one in smaller}) > 1
    for one in smaller:
        again = se.check(one.puzzle)
        assert isinstance(again, se.Unique)
        assert again.minimal


def test_given_and_free_cell() -> None:
    """A given that goes leaves a cell that may hold anything."""
    marks = np.eye(4, dtype=bool)[[0, 1, 2, 3] * 4]
    puzzle = Puzzle.of(board("4x4"), [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1], marks)
    fewer = with_givens_of(puzzle, range(1, 16))
    assert fewer == with_givens(puzzle, range(1, 16))
    assert fewer.pencilmarks is not None
    assert fewer.pencilmarks[0].all()
    verdict = check(puzzle, NO_DEADLINE)
    assert isinstance(verdict, se.Unique)
    assert verdict.redundant == tuple(range(16))


def test_own_pencilmarks() -> None:
    """A given that its own pencilmarks deny is no clash and one that others deny is."""
    marks = np.ones((16, 4), bool)
    marks[1] = [True, False, False, False]
    found = clashing_givens(Puzzle.of(board("4x4"), [1, 0, 0, 0, 2, 2, *[0] * 10], marks), NO_DEADLINE)
    assert (found.cells, found.smallest) == ((0,), True)


def test_extra_givens() -> None:
    """Extra givens lead to the solution that is wanted."""
    solutions = [str(grid) for grid in se.solutions(SEVERAL_4, board="4x4")]
    assert len(solutions) == 3
    for wanted in solutions:
        found = se.check(SEVERAL_4, towards=wanted, board="4x4")
        assert isinstance(found, se.Several)
        values = read(SEVERAL_4, board="4x4").givens.copy()
        values[list(found.extra)] = found.wanted[list(found.extra)]
        assert [str(grid) for grid in se.solutions(values, board="4x4")] == [wanted]


def test_not_a_solution() -> None:
    """A grid that is no solution is not aimed at."""
    with pytest.raises(
        se.SudokuError, match=r"the wanted solution does not solve the puzzle: r1c1 holds 2, its given is 1"
    ):
        se.check(SEVERAL_4, towards="2143341241232341", board="4x4")


@pytest.mark.parametrize("hung", ["extra_givens_of_listed", "redundant_givens", "clashing_givens"])
def test_decided_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hung: str) -> None:
    """What is decided is not lost where a detail does not end."""
    text = {"extra_givens_of_listed": SEVERAL_4, "redundant_givens": UNIQUE_4, "clashing_givens": NONE_4}[hung]
    puzzle = read(text, board="4x4")
    givens = tuple(np.flatnonzero(puzzle.givens).tolist())
    begun = tmp_path / "begun"

    def hang(*arguments: object) -> None:
        begun.touch()
        # The process that waits for this one looks at its clock when it hears something.
        emit(Remark("a detail has begun"))
        time.sleep(600)

    looks = count(1)

    def monotonic() -> float:
        # Each look after the detail has begun is hours later, also the first one, from which the time may be counted.
        return time.monotonic() + 10_000 * (next(looks) if begun.exists() else 0)

    clock = SimpleNamespace(monotonic=monotonic)
    monkeypatch.setattr(each_here, "time", clock)
    monkeypatch.setattr(checking, hung, hang)
    found = se.check(puzzle, seed=1, limits=se.Limits(seconds=1000))
    if isinstance(found, se.Several):
        assert (found.count.value, found.count.complete, found.fewest) == (2, False, False)
        assert found.extra == tuple(puzzle.blanks.tolist())
        assert len(found.differing) > 0
    elif isinstance(found, se.Unique):
        assert (found.redundant, found.undecided, found.minimal) == ((), givens, None)
        assert found.sub_puzzle is not None
        assert not found.sub_puzzle.minimal
    else:
        assert isinstance(found, se.NoSolution)
        assert (found.clash, found.irreducible, found.smallest) == (givens, False, False)
    assert (
        type(found).__name__
        == {"extra_givens_of_listed": "Several", "redundant_givens": "Unique", "clashing_givens": "NoSolution"}[hung]
    )


@pytest.mark.slow
def test_unproved_minimum() -> None:
    """What is not proved in time is not called smallest or fewest."""
    found = se.check(Puzzle.of(board("9x9")), limits=se.Limits(seconds=5))
    assert isinstance(found, se.Several)
    assert not found.fewest
    assert not found.count.complete
    unique = Puzzle.of(board("9x9"), np.where(np.isin(np.arange(81), found.extra), found.wanted, 0))
    assert se.is_unique(unique)


def test_hitting_sets() -> None:
    """Smallest hitting sets are found and none where all are larger."""
    with HittingSets(6, 4) as hitting:
        assert hitting.smallest(4, NO_DEADLINE) == []
        hitting.add([0, 1])
        assert hitting.smallest(4, NO_DEADLINE) in ([0], [1])
        assert hitting.size == 1
        for some in ([1, 2], [3, 4], [4, 5]):
            hitting.add(some)
        assert hitting.smallest(4, NO_DEADLINE) == [1, 4]
        hitting.add([0])
        hitting.add([5])
        assert hitting.smallest(4, NO_DEADLINE) is None
        assert hitting.size == 4


def test_unsolvable_board() -> None:
    """The answer for a board without a solution blames no given."""
    found = se.check("11" + "." * 62, board="4x4x4:literal")
    assert isinstance(found, se.NoSolution)
    assert (found.clash, found.smallest) == ((), True)


@pytest.mark.parametrize(
    ("arguments", "status", "first", "last"),
    [
        ([PUZZLE], 0, "unique", "22 of 30 givens can be removed (*), one at a time: r1c1, "),
        ([UNIQUE_4, "--minimize"], 0, "unique", "sub-puzzle with "),
        ([SEVERAL_4], 1, "several", "1 extra given, the fewest possible, makes the first solution the only one: "),
        ([NONE_4], 1, "no solution", "4 givens clash (*): r1c1, r2c1, r3c4, r4c1; no smaller set clashes"),
        ([NONE], 1, "no solution", "2 givens clash (*): r1c1, r1c2; no smaller set clashes"),
        (["--board", "4x4x4:literal"], 1, "no solution", "no givens clash: "),
        (["--board", "9x9", "--timeout", "0"], 3, "not known: time limit", "not known: time limit"),
    ],
)
def test_report_for_people(run: Command, arguments: list[str], status: int, first: str, last: str) -> None:
    """People read what is proved."""
    ran = run("check", *arguments)
    assert (ran.status, ran.lines[0]) == (status, first), ran.err
    assert ran.lines[-1].startswith(last)


def test_stars_at_differences(run: Command) -> None:
    """Differences have stars."""
    first, second = run("check", SEVERAL_4).out.split("(*):\n")[1].split("┌")[1:]
    assert first.count("*") == second.count("*") > 0


def test_certified_clash(run: Command, tmp_path: Path) -> None:
    """A clash is certified."""
    ran = run("check", NONE_4, "--prove", tmp_path / "proof", "--json")
    record = json.loads(ran.out)
    checked = check_certificate(Path(record["certificate"]))
    assert checked.count == 0
    assert np.count_nonzero(checked.puzzle.givens) == len(record["clash"]) == 4


def test_batch(run: Command, tmp_path: Path) -> None:
    """A batch has a word for each and details where they are wanted."""
    batch = tmp_path / "batch"
    batch.write_text(f"{PUZZLE}\nbad\n{NONE}\n{SEVERAL}\n")
    ran = run("check", batch)
    assert ran.status == 2
    assert ran.lines[0::2] == ["unique", "no solution"]
    assert ran.lines[1].startswith("# puzzle 2: bad input: ")
    assert ran.lines[3] == "several"
    short = [json.loads(line) for line in run("check", batch, "--json").lines]
    long = [json.loads(line) for line in run("check", batch, "--json", "--details").lines]
    assert [one["status"] for one in short] == [one["status"] for one in long]
    assert [set(one) - set(short[0]) != set() for one in long] == [True, False, True, True]


@pytest.mark.parametrize(("puzzles", "status"), [([PUZZLE] * 3, 0), ([PUZZLE, NONE], 1), ([PUZZLE, SEVERAL], 1)])
def test_batch_status(run: Command, tmp_path: Path, puzzles: list[str], status: int) -> None:
    """The status of a batch says whether all are unique."""
    batch = tmp_path / "batch"
    batch.write_text("\n".join(puzzles))
    assert run("check", batch).status == status
    assert run("check", batch, "--details").status == status


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seed", "1"], "--seed has no effect without --minimize"),
        (["--minimize"], "--minimize is for one puzzle, or for many with --details"),
        (["--prove", "folder"], "--prove is for one puzzle, or for many with --details"),
        (["--towards", SEVERAL, "--details"], "--towards is for one puzzle"),
    ],
)
def test_unused_option(run: Command, tmp_path: Path, options: list[str], said: str) -> None:
    """An option without effect is refused."""
    batch = tmp_path / "batch"
    batch.write_text(f"{PUZZLE}\n{SEVERAL}\n")
    ran = run("check", batch, *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_redundant_constraints(run: Command) -> None:
    """Constraints that can go are those without which the count stays one."""
    lines = ("thermometer r1c1-r1c4", "odd r2c3", "cage 5 r3c3 r3c4", "xv 5 r2c1 r3c1", "negative-xv 8")
    givens = [1, 0, 0, 0, 0, 0, 0, 2] + 8 * [0]
    puzzle = Puzzle.of(board("4x4"), givens, constraints=lines)
    found = se.check(puzzle)
    assert isinstance(found, se.Unique)
    without = {
        one: replace(puzzle, constraints=tuple(c for c in puzzle.constraints if c != one)) for one in puzzle.constraints
    }
    expected = tuple(one for one, fewer in without.items() if se.count(fewer, "cp-sat").value == 1)
    assert found.constraints.constraints == expected
    assert 0 < len(expected) < len(lines)
    assert found.constraints.undecided == ()
    words = [word for line in lines for word in ("--constraint", line)]
    record = json.loads(run("check", "".join(map(str, givens)), *words, "--json").out)
    assert record["redundant_constraints"] == [one.text(puzzle.geometry) for one in expected]
    text = run("check", "".join(map(str, givens)), *words).out
    assert (
        f"{len(expected)} of 5 constraints can be removed, one at a time: {expected[0].text(puzzle.geometry)}" in text
    )
