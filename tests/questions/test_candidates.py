"""True candidates: what listing all solutions says, by every way, with and without their numbers."""

import csv
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode import frontier, search
from sudoku_encode.errors import InternalError
from sudoku_encode.formats.reading import read
from sudoku_encode.frontier.ranks import Wide, exact
from sudoku_encode.methods import calls
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.questions import candidate_search
from sudoku_encode.questions.candidate_search import CandidateKnowledge
from sudoku_encode.questions.true_candidates import candidates
from sudoku_encode.run.limits import Limits
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import PUZZLE, SEVERAL

FIG_4_9 = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"
MOST = 20_000
# Boards with about how many givens leave from one to thousands of solutions.
BOARDS = {
    "4x4": 3,
    "6x6": 7,
    "4x4x4": 1,
    "9x9": 24,
    "9x9+diagonals": 18,
    "9x9+windoku": 18,
    "8x8:2x4": 17,
    "jigsaw": 22,
}
WAYS = ("auto", "search", "sat", "sat:order", "cp-sat", "frontier", "exact-cover", "ganak")


def board_of(name: str) -> se.Geometry:
    return read(INSTANCES / "small" / "9x9-jigsaw.txt").geometry if name == "jigsaw" else se.board(name)


def random_puzzle(name: str, random: np.random.Generator) -> Puzzle:
    """Return a puzzle cut out of a solution, or one that may have none; half of them are Sukaku."""
    board = board_of(name)
    n = board.n_values
    grid = se.solve(Puzzle.of(board), "sat")
    assert grid is not None
    full = random.permutation(n)[grid.values - 1] + 1
    keep = np.clip(BOARDS[name] + random.integers(-1, 4), 0, board.n_cells)
    givens = np.zeros(board.n_cells, np.uint8)
    kept = random.permutation(board.n_cells)[:keep]
    givens[kept] = full[kept]
    if random.random() < 0.1:
        givens[kept] = random.permutation(givens[kept])
    if random.random() < 0.5:
        return Puzzle.of(board, givens)
    marks = random.random((board.n_cells, n)) < 0.6
    if random.random() < 0.9:
        marks[np.arange(board.n_cells), full - 1] = True
    return Puzzle.of(board, np.where(random.random(board.n_cells) < 0.5, givens, 0), marks)


def listed(puzzle: Puzzle) -> Grids | None:
    """Return all solutions, or None where there are more than MOST."""
    batches = calls.solutions(puzzle, "search", Limits(MOST + 1).start())
    found = [np.zeros((0, puzzle.geometry.n_cells), np.uint8)]
    try:
        found += batches
    except se.StoppedError:
        return None
    return np.concatenate(found)


def shares_of(puzzle: Puzzle, grids: Grids) -> list[list[int]]:
    values = np.arange(1, puzzle.geometry.n_values + 1)
    counted: list[list[int]] = (grids[:, :, None] == values).sum(axis=0).tolist()
    return counted


def random_puzzles(seed: int) -> Iterator[tuple[Puzzle, Grids]]:
    random = np.random.default_rng(seed)
    while True:
        puzzle = random_puzzle(str(random.choice(list(BOARDS))), random)
        grids = listed(puzzle)
        if grids is not None:
            yield puzzle, grids


@cache
def backtracked() -> list[tuple[Puzzle, list[list[int]]]]:
    """Return puzzles of few solutions, each with what plain backtracking makes of it: the same ones for every way."""
    few = (one for one, grids in random_puzzles(7) if len(grids) < 300 and "+" not in one.geometry.name)
    found = []
    for puzzle in islice(few, 8):
        grids = np.array(list(by_hand(puzzle, 10**9)), np.uint8).reshape(-1, puzzle.geometry.n_cells)
        found.append((puzzle, shares_of(puzzle, grids)))
    return found


def assert_found(found: se.TrueCandidates, puzzle: Puzzle, shares: list[list[int]]) -> None:
    """What was found is what a list of all solutions says, and the witnesses show it."""
    total = sum(shares[0])
    assert found.complete, found.stopped
    assert (found.seen == (np.array(shares) > 0)).all()
    assert all(not list(violations(puzzle, grid)) for grid in found.witnesses)
    if len(found.witnesses):
        assert (np.array(shares_of(puzzle, found.witnesses)) > 0).tolist() == found.seen.tolist()
    if found.shares is not None:
        assert (found.shares.tolist(), found.total) == (shares, se.Count(total, True))


@pytest.mark.slow
def test_random_puzzles() -> None:
    """Random puzzles have what a list of all solutions says."""
    sizes = []
    for puzzle, grids in islice(random_puzzles(1), 20):
        sizes.append(len(grids))
        shares = shares_of(puzzle, grids)
        for way in ("auto", "search", "sat"):
            assert_found(candidates(puzzle, way), puzzle, shares)
        assert_found(candidates(puzzle, counts=True), puzzle, shares)
        # With diagonals or windows the tables of some take a minute.
        if "+" not in puzzle.geometry.name:
            assert_found(candidates(puzzle, "frontier", counts=True), puzzle, shares)

    assert min(sizes) == 0
    assert 1 in sizes
    assert max(sizes) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_each_way(way: str) -> None:
    """Each way finds what plain backtracking finds."""
    if not METHODS[way].installed:
        pytest.skip("it is not installed")
    # The processes of these take most of the time: they get the smaller boards.
    by_size = sorted(backtracked(), key=lambda one: one[0].geometry.n_cells)
    for puzzle, shares in by_size[: {"ganak": 1, "exact-cover": 2, "cp-sat": 5}.get(way, 8)]:
        if METHODS[way].unsupported_reason(puzzle.geometry) or (way == "ganak" and puzzle.geometry.n_cells > 36):
            continue
        assert_found(candidates(puzzle, way), puzzle, shares)
        assert_found(candidates(puzzle, way, counts=True), puzzle, shares)


def test_thesis_figure() -> None:
    """The figure of the thesis has the shares that it shows."""
    found = se.candidates(FIG_4_9, counts=True)

    assert found.total == se.Count(127, True)
    assert found.shares is not None
    assert found.shares[0].tolist() == [0, 75, 0, 0, 0, 0, 52, 0, 0]
    assert found.values(0) == [2, 7]


@pytest.mark.slow
def test_empty_9x9() -> None:
    """The empty 9x9 gives each value a ninth."""
    found = se.candidates(Puzzle.of(se.board("9x9")), "frontier", counts=True)

    assert found.shares is not None
    assert set(chain.from_iterable(found.shares.tolist())) == {6_670_903_752_021_072_936_960 // 9}


@pytest.mark.parametrize("name", ["6x6", "4x4x4", "4x4"])
def test_empty_boards(name: str) -> None:
    """An empty board gives each value the same share."""
    board = se.board(name)
    found = se.candidates(Puzzle.of(board), "frontier", counts=True)

    assert found.shares is not None
    assert set(chain.from_iterable(found.shares.tolist())) == {se.count(Puzzle.of(board)).value // board.n_values}


def puzzle_of_few_givens() -> Puzzle:
    """Return a 9x9 with 16 givens and hundreds of millions of solutions."""
    grid = se.solve("." * 81, "sat", board="9x9")
    assert grid is not None
    random = np.random.default_rng(3)
    givens, keep = np.zeros(81, np.uint8), random.permutation(81)[:17]
    givens[keep] = random.permutation(9)[grid.values[keep] - 1] + 1
    return Puzzle.of(se.board("9x9"), givens)


@pytest.mark.slow
def test_large_shares() -> None:
    """Shares of many solutions are what counting each value says."""
    puzzle = puzzle_of_few_givens()
    found = se.candidates(puzzle, counts=True)

    assert found.shares is not None
    assert found.total == se.count(puzzle, "frontier")
    assert found.total.value > 10**6
    assert all(sum(row) == found.total.value for row in found.shares.tolist())
    for cell in puzzle.blanks[::20].tolist():
        for value in found.values(cell):
            givens = puzzle.givens.copy()
            givens[cell] = value
            assert found.shares[cell, value - 1] == se.count(Puzzle.of(puzzle.geometry, givens), "frontier").value


def test_relabelled_and_turned() -> None:
    """Relabelling and turning carry shares over."""
    puzzle = puzzle_of_few_givens()
    names = np.random.default_rng(5).permutation(9)
    turned = np.rot90(np.append(0, names + 1)[puzzle.givens].reshape(9, 9))
    first, second = (frontier.shares(one, lambda: None) for one in (puzzle, Puzzle.of(puzzle.geometry, turned.ravel())))

    expected = np.rot90(first.shares[:, np.argsort(names)].reshape(9, 9, 9)).reshape(81, 9)
    assert second.total == first.total
    assert second.shares.tolist() == expected.tolist()


def test_beyond_machine_word() -> None:
    """Numbers above a machine word are exact."""
    # Without columns bands do not bear on each other, and each has more fillings than a word can hold.
    board = se.board("16x16:2x8", rules=["row", "box"])
    givens = np.zeros(256, np.uint8)
    givens[[0, 1, 25]] = 1, 2, 1
    found = frontier.shares(Puzzle.of(board, givens), lambda: None)

    assert found.total == frontier.count(Puzzle.of(board, givens), lambda: None) > 2**64
    assert all(sum(row) == found.total for row in found.shares.tolist())
    for cell, value in ((2, 3), (26, 2), (26, 3), (20, 16)):
        more = givens.copy()
        more[cell] = value
        assert found.shares[cell, value - 1] == frontier.count(Puzzle.of(board, more), lambda: None)


def test_numbers_read() -> None:
    """A remainder and ten digits are a number."""
    random = np.random.default_rng(2)
    numbers = [
        int(random.integers(2**62)) << int(random.integers(27)) | int(random.integers(2**20)) for _ in range(999)
    ]
    errors = 1 + random.uniform(-1e-10, 1e-10, len(numbers))
    words = np.array([number % 2**64 for number in numbers], np.uint64)

    assert max(numbers) > 2**85
    assert exact(Wide((words, np.array(numbers, float) * errors)), max(numbers)).tolist() == numbers


def test_given_up_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is given up refutes nothing."""

    def given_up(board: se.Geometry, givens: Grids, *more: object) -> search.BatchAnswers:
        return search.BatchAnswers(np.zeros_like(givens), np.zeros(len(givens), np.int64), np.ones(len(givens), bool))

    puzzle = puzzle_of_few_givens()
    found = CandidateKnowledge(puzzle)
    before = found.refuted.copy()
    monkeypatch.setattr(search, "batch", given_up)

    assert not candidate_search.by_search(found, Limits().start(), 1.0)
    assert (found.refuted == before).all()
    answer = candidates(puzzle)
    assert (answer.method, answer.complete) == ("sat", True)
    assert (answer.seen == candidates(puzzle, "sat").seen).all()


def test_limit() -> None:
    """A limit leaves what was found before."""
    found = se.candidates(Puzzle.of(se.board("9x9")), "search", counts=True, limits=se.Limits(seconds=0.3))

    assert not found.complete
    assert found.stopped == "time limit"
    assert found.total is not None
    assert not found.total.complete
    assert found.total.value > 0
    assert found.shares is not None
    assert found.shares[0].sum() == found.total.value


@pytest.mark.parametrize("method", ["logic", "hbpnp", "approxmc"])
def test_unsure_method(run: Command, method: str) -> None:
    """A method that is not sure is refused."""
    ran = run("candidates", FIG_4_9, "--method", method)

    assert ran.status == 2
    assert "does not prove that a value is in no solution" in ran.err


def test_single_answer_solver(run: Command) -> None:
    """A solver of one answer is refused."""
    ran = run("candidates", FIG_4_9, "--method", "sat", "--sat-solver", "kissat404")

    assert ran.status == 2
    assert "gives one answer only" in ran.err


def test_wrong_grid() -> None:
    """A grid that is no solution is never taken."""
    puzzle = se.read("1...............", board="4x4")
    with pytest.raises(InternalError, match="not a solution"):
        CandidateKnowledge(puzzle).add(np.array([[1, 1, 1, 1] * 4], np.uint8))


def test_forms_agree(run: Command) -> None:
    """Forms say the same."""
    record = json.loads(run("candidates", FIG_4_9, "--counts", "--json").out)
    rows = list(csv.DictReader(run("candidates", FIG_4_9, "--counts", "--csv").lines))
    text = run("candidates", FIG_4_9, "--counts").lines
    svg = run("candidates", FIG_4_9, "--counts", "--to", "svg").out

    assert (record["status"], record["total"], record["candidates"][0]) == ("several", 127, [2, 7])
    assert [(row["cell"], int(row["value"]), int(row["count"])) for row in rows[:2]] == [
        ("r1c1", 2, 75),
        ("r1c1", 7, 52),
    ]
    assert len(rows) == sum(map(len, record["candidates"]))
    assert "127 solutions" in text
    assert "r1c1  2: 75, 7: 52" in text
    for cell, value, share in ((0, 2, 75), (36, 9, 76)):
        assert record["counts"][cell][record["candidates"][cell].index(value)] == share
        assert f"<title>{value}: {share} of 127</title>" in svg
    assert svg.startswith("<svg ")
    assert svg.endswith("</svg>\n")


def test_colours(run: Command) -> None:
    """Colours are shares and change nothing else."""
    plain = run("candidates", FIG_4_9, "--counts").out
    shaded = run("candidates", FIG_4_9, "--counts", "--colour", "always").out

    assert re.sub("\033\\[[0-9;]*m", "", shaded) == plain
    # 75 and 52 of 127 are in the fifth and the third of seven parts.
    assert "\033[38;5;172m2\033[0m\033[38;5;37m7\033[0m" in shaded


def test_batch(run: Command, tmp_path: Path) -> None:
    """A batch has a record for each in its place."""
    batch = tmp_path / "batch"
    batch.write_text(f"{PUZZLE}\nbad\n55{'.' * 79}\n{SEVERAL}\n")
    ran = run("candidates", batch, "--json")
    records = [json.loads(line) for line in ran.lines]

    assert ran.status == 2
    assert [one["status"] for one in records] == ["unique", "bad input", "no solution", "several"]
    assert [one["puzzle"] for one in records] == [1, 2, 3, 4]
    assert all(len(values) == 1 for values in records[0]["candidates"])


def test_candidates_as_array() -> None:
    """True candidates are the values of each cell, and for numpy truth values."""
    found = se.candidates("1234341221434...", board="4x4")
    assert (len(found), found.shape, np.asarray(found).shape) == (16, (16, 4), (16, 4))
    assert np.asarray(found).dtype == bool
    assert np.asarray(found, int).sum() == 16
    assert list(found) == [[int(digit)] for digit in "1234341221434321"] == [found.values(cell) for cell in range(16)]
