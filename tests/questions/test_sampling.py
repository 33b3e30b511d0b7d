"""Samples: every solution is as likely as the others, on boards that can be listed and by exact shares on others."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, default_rng
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode import frontier
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.frontier import band_ranks, cell_ranks, empty_9x9
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.generating import ranking
from sudoku_encode.generating.ranking import by_frontier, by_listing, by_parts, ranks
from sudoku_encode.methods import sat_first
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.questions.sampling import sample
from sudoku_encode.questions.table import SAMPLERS
from sudoku_encode.run import kernels
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import loading
from tests.helpers import random_puzzles
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES
from tests.helpers.puzzles import JIGSAW, LOOSE, PUZZLE, STRIP, marked, nine, puzzle_of

UNIFORM = [name for name in SAMPLERS if name != "walk"]
# 10,810 solutions, listed by every method in the tables of speed.
MANY_TEXT = "000000000000000002003004050000006000000012000070000080000300940200700000650000000"
MANY = nine(MANY_TEXT)
# 16 givens of a solution.
MILLIONS = "....7.9126.21......9.......8.............3....1...4..6.6........8...9............"
# Where chi-square is right, it is beyond this many standard deviations once in a million times.
MOST_DEVIATIONS = 4.8


def never() -> None:
    pass


def deviations(observed: Sequence[int], expected: float) -> float:
    """Return by how many standard deviations chi-square is off, by the transformation of Wilson and Hilferty."""
    free = len(observed) - 1
    chi_square = sum((number - expected) ** 2 / expected for number in observed)
    spread = 2 / (9 * free)
    return float(((chi_square / free) ** (1 / 3) - 1 + spread) / spread**0.5)


def frequencies(grids: Grids, listed: Grids) -> list[int]:
    """Count how often each listed solution was drawn; fail where another was."""
    number_of = {grid.tobytes(): number for number, grid in enumerate(listed)}
    found = np.bincount([number_of[grid.tobytes()] for grid in grids], minlength=len(listed))
    return [int(times) for times in found]


def listed(puzzle: Puzzle) -> Grids:
    return np.concatenate(list(se.solutions(puzzle, "sat").batches()))


def two_parts() -> Puzzle:
    """A 4x4 whose blanks fall into parts that do not bear on each other, with values that nothing tells apart."""
    return puzzle_of("4x4", "..34" + "34.." + ".." + "43" + "43..")


def three_values_open() -> Puzzle:
    """A 9x9 without three of its values in a regular solution: these can be exchanged."""
    grid = np.array([(row % 3 * 3 + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)])
    return Puzzle.of(se.board("9x9"), np.where(grid <= 3, 0, grid))


SMALL = {
    "4x4, 288": puzzle_of("4x4"),
    "4x4x4, 768": puzzle_of("4x4x4"),
    "9x9, 741": nine("01" + MANY_TEXT[2:]),
    "two parts": two_parts(),
    "three values open": three_values_open(),
    "diagonals": puzzle_of("6x6+diagonals", "1" + "." * 35),
    "jigsaw": puzzle_of(JIGSAW, "12" + "." * 10 + "3" + "." * 23),
    "pencilmarks": marked(),
    "Latin square": puzzle_of("latin:4x4"),
    "short units": Puzzle.of(STRIP),
    "loose cell": Puzzle.of(LOOSE),
    "corner": puzzle_of("corner:2", "1" + "." * 11),
}


def marked_names(*slow: str) -> list[Any]:
    """Return the names of the small puzzles, of which these have the mark `slow`."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in SMALL]


@pytest.mark.parametrize("method", UNIFORM)
@pytest.mark.parametrize("name", marked_names("4x4x4, 768", "diagonals", "jigsaw", "9x9, 741"))
def test_uniform(name: str, method: str) -> None:
    """Each solution is drawn as often as the others."""
    everything = listed(SMALL[name])
    drawn = se.sample(SMALL[name], 20 * len(everything), seed=5, method=method)

    assert drawn.uniform
    assert drawn.complete
    assert drawn.total == se.Count(len(everything), True)
    times = frequencies(drawn.grids, everything)
    assert min(times) > 0
    assert abs(deviations(times, 20)) < MOST_DEVIATIONS


def by_cells(everything: Grids, random: np.random.Generator) -> Grids:
    """Fill cell after cell with any value that leaves a solution: a sampler that many take for a uniform one."""
    left = everything
    for cell in range(everything.shape[1]):
        left = left[left[:, cell] == random.choice(np.unique(left[:, cell]))]
    return left


def test_biased_samplers_fail() -> None:
    """Samplers that are not uniform fail the same test."""
    puzzle = puzzle_of("4x4", "1" + "." * 15)
    everything, random = listed(puzzle), default_rng(1)
    filled = np.concatenate([by_cells(everything, random) for _ in range(20 * len(everything))])
    assert deviations(frequencies(filled, everything), 20) > 2 * MOST_DEVIATIONS

    # A remainder of seven random bits: most of the 72 solutions twice as often as the last.
    remainders = [int(word) >> 57 for word in PCG64(1).random_raw(60 * len(everything))]
    times = np.bincount([number % len(everything) for number in remainders], minlength=len(everything))
    assert deviations([int(one) for one in times], 60) > MOST_DEVIATIONS


@pytest.mark.parametrize("total", [1, 2, 3, 100, 2**56 - 1, 2**64, 2**64 + 1, 3 * 2**70 + 1, 6670903752021072936960])
def test_ranks_are_uniform(total: int) -> None:
    """Each rank is as likely however many words it has."""
    numbers = list(islice(ranks(total, 3), 4000))
    assert all(0 <= number < total for number in numbers)
    cells = min(total, 50)
    times = np.bincount([number * cells // total for number in numbers], minlength=cells)
    if cells > 1:
        # By low digits too: these are lost where a number is made of a fraction.
        lows = np.bincount([number % cells for number in numbers], minlength=cells)
        for some in (times, lows):
            assert abs(deviations([int(one) for one in some], 4000 / cells)) < MOST_DEVIATIONS
    assert list(islice(ranks(total, 3), 10)) == numbers[:10]


@pytest.mark.parametrize("name", marked_names("4x4x4, 768", "diagonals"))
@pytest.mark.parametrize("way", [by_listing, by_frontier, by_parts])
def test_one_rank_each(name: str, way: Callable[[Puzzle, Deadline], RankedSolutions]) -> None:
    """Each solution has one rank."""
    ranked = way(SMALL[name], Deadline())
    everything = ranked.solutions_at(range(ranked.total), never)
    assert frequencies(everything, listed(SMALL[name])) == [1] * ranked.total

    # In any order, and again.
    some = [ranked.total - 1, 0, ranked.total // 2, 0]
    assert ranked.solutions_at(some, never).tolist() == everything[some].tolist()


def test_cells_and_bands_agree() -> None:
    """A 9x9 by cells and by bands has the same solutions."""
    candidates = propagated_candidates(MANY)
    assert candidates is not None
    cells = cell_ranks.ranked(MANY, candidates, never, 10**9)
    bands = band_ranks.ranked(candidates, never, 10**9)
    assert cells.total == bands.total == 10_810
    both = [set(map(bytes, one.solutions_at(range(one.total), never))) for one in (cells, bands)]
    assert both[0] == both[1]
    assert len(both[0]) == 10_810


def share_deviations(grids: Grids, shares: NDArray[Any], total: int) -> float:
    """Return by how many standard deviations the most deviating value of a cell is off its exact share."""
    probability = (shares / total).astype(float)
    held = (grids[:, :, None] == np.arange(1, shares.shape[1] + 1)).sum(axis=0)
    assert not held[probability == 0].any()
    spread = np.sqrt(len(grids) * probability * (1 - probability))
    return float(np.max(np.abs(held - len(grids) * probability)[spread > 0] / spread[spread > 0]))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("9x9", MILLIONS, marks=pytest.mark.slow),
        (JIGSAW, "12"),
        ("6x6+diagonals", ""),
        ("6x6", ""),
        pytest.param("latin:6x6", "123", marks=pytest.mark.slow),
    ],
)
def test_exact_shares(name: str, text: str) -> None:
    """The values of cells are as frequent as their exact shares."""
    puzzle = puzzle_of(name, text.ljust(se.board(name).n_cells, "."))
    known = se.candidates(puzzle, "frontier", counts=True)
    assert known.shares is not None
    assert known.total is not None
    drawn = se.sample(puzzle, 5000, seed=2, method="frontier")

    assert drawn.total == known.total
    assert share_deviations(drawn.grids, known.shares, known.total.value) < 5
    assert len(np.unique(drawn.grids, axis=0)) > min(known.total.value, 5000) // 2


@pytest.fixture(scope="module")
def tables_once() -> Iterator[None]:
    """Make the tables of bands once: they take seconds, and are the same for each puzzle."""
    made = empty_9x9.tables(never)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(empty_9x9, "tables", lambda tick: made)
        yield


@pytest.mark.slow
@pytest.mark.thorough
def test_first_bands(tables_once: None) -> None:
    """The empty 9x9 has first bands of each kind as often as counted."""
    # Grids with 1, 2, 3 at the left of row 1 and in the middle of row 2, counted by `frontier` in 40 seconds. By the
    # names of these values, and their order in row 2, there are 9 * 8 * 7 * 6 times as many that have three there.
    given = 39_654_909_071_032_320
    total = 6670903752021072936960
    share = 9 * 8 * 7 * 6 * given / total
    drawn = se.sample(puzzle_of("9x9"), 2000, seed=3)
    assert drawn.total == se.Count(total, True)
    hits = int((np.sort(drawn.grids[:, 0:3], axis=1) == np.sort(drawn.grids[:, 12:15], axis=1)).all(axis=1).sum())
    spread = (2000 * share * (1 - share)) ** 0.5
    assert 0.01 < share < 0.02
    assert abs(hits - 2000 * share) < 5 * spread
    assert abs(deviations(np.bincount(drawn.grids[:, 40], minlength=10)[1:].tolist(), 2000 / 9)) < MOST_DEVIATIONS


@pytest.mark.slow
def test_few_givens(tables_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few givens keep their shares."""
    # Fewer ranks are looked up than by default, of which 150 draws would need a few.
    monkeypatch.setattr(ranking, "_RANKS_AT_A_TIME", 256)
    puzzle = nine("1" + "0" * 30 + "2" + "0" * 40 + "3" + "0" * 8)
    assert empty_9x9.has_few_givens(puzzle.givens)
    drawn = se.sample(puzzle, 150, seed=4)
    assert drawn.uniform
    assert drawn.complete
    assert not frontier.ranked(puzzle, never).every
    # Of the values that are not given each is as frequent.
    times = np.bincount(drawn.grids[:, 80], minlength=10)[4:]
    assert abs(deviations(times.tolist(), float(times.mean()))) < MOST_DEVIATIONS


@pytest.mark.slow
def test_random_puzzles() -> None:
    """Of random puzzles every draw is a solution and all are drawn."""
    # Finding their solutions by plain backtracking takes longer than all methods together.
    for number, (puzzle, truth) in enumerate(islice(random_puzzles.puzzles(11), 20)):
        many = 30 * len(truth) if len(truth) <= 50 else 50
        for method in UNIFORM:
            drawn = sample(puzzle, max(1, many), number, method)
            assert drawn.complete, (method, puzzle, drawn.stopped)
            assert drawn.total == se.Count(len(truth), True)
            seen = {tuple(grid) for grid in drawn.grids.tolist()}
            assert seen <= truth
            assert len(seen) == len(truth) or len(truth) > 50
            assert not any(True for grid in drawn.grids[:20] for _ in violations(puzzle, grid))


def test_seeds() -> None:
    """A seed draws the same however many and wherever."""
    few, more = (se.sample(MANY, many, seed=9) for many in (5, 50))
    limited = se.sample(MANY, 5, seed=9, limits=se.Limits(seconds=100))
    assert few.grids.tolist() == more.grids[:5].tolist() == limited.grids.tolist()
    assert few.grids.tolist() != se.sample(MANY, 5, seed=10).grids.tolist()
    assert se.sample(MANY).seed != se.sample(MANY).seed


def test_cannot_be_drawn() -> None:
    """What cannot be drawn is refused."""
    for many, seed, method in (
        (0, 1, "auto"),
        (1, -1, "auto"),
        (1, 2**32, "auto"),
        (1, 1, "magic"),
        (10**9, 1, "auto"),
    ):
        with pytest.raises(MethodError):
            se.sample(MANY, many, seed=seed, method=method)
    with pytest.raises(MethodError, match="no limit on solutions"):
        se.sample(MANY, limits=se.Limits(solutions=3))


def test_no_solution() -> None:
    """No solution is no sample."""
    for method in SAMPLERS:
        drawn = se.sample("11" + "." * 14, 3, seed=1, method=method, board="4x4")
        assert (len(drawn.grids), drawn.complete, drawn.total) == (0, True, se.Count(0, True)), method


@pytest.mark.slow
def test_walk_is_not_uniform() -> None:
    """A walk says that it is not uniform."""
    drawn = se.sample(puzzle_of("9x9x9"), 3, seed=1, method="walk")
    assert len(drawn.grids) == 3
    assert not drawn.uniform
    assert drawn.total is None
    assert "not uniform" in repr(drawn)
    puzzle = nine("".join(PUZZLE).replace(".", "0"))
    assert len(np.unique(se.sample(puzzle, 4, seed=1, method="walk").grids, axis=0)) == 1


def test_walk_of_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed gives the same walk before and after search is loaded."""
    walks = []
    monkeypatch.setattr(loading, "not_compiled_reason", lambda board, constrained=False: "")
    for is_loaded in (False, True):
        monkeypatch.setattr(kernels, "loaded", lambda is_loaded=is_loaded: is_loaded)
        monkeypatch.setattr(sat_first, "turns", sat_first.Turns())
        walks.append(sample(MANY, 3, 1, "walk").grids.tolist())
    assert walks[0] == walks[1]


@pytest.mark.parametrize("name", marked_names("4x4x4, 768", "diagonals"))
def test_split_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where neither a list nor tables are possible: cell by cell, by the counts of what is left."""
    everything = listed(SMALL[name])

    def refuse(puzzle: Puzzle, deadline: Deadline) -> RankedSolutions:
        raise OutOfTableMemory("memory limit: a test")

    monkeypatch.setattr(ranking, "by_frontier", refuse)
    monkeypatch.setattr(ranking, "LISTABLE_SOLUTIONS", max(1, len(everything) // 10))
    ranked = by_parts(SMALL[name], Deadline())
    assert ranked.total == len(everything)
    assert frequencies(ranked.solutions_at(range(ranked.total), never), everything) == [1] * ranked.total


def test_memory_limit() -> None:
    """Tables that take too much memory are given up."""
    with pytest.raises(OutOfTableMemory, match="memory limit"):
        frontier.ranked(puzzle_of("6x6", "1" + "." * 35), never, 10**4)


def test_command(run: Command) -> None:
    """Samples are printed one a line and said to be uniform."""
    ran = run("sample", "--board", "4x4", "-n", "5", "--seed", "1")
    assert ran.status == 0
    grids = [line for line in ran.lines if not line.startswith("#")]
    assert len(grids) == 5
    assert all(not list(violations(puzzle_of("4x4"), np.array([int(one) for one in line]))) for line in grids)
    assert "5 draws of 288, uniform" in ran.err
    assert grids == ["".join(map(str, grid)) for grid in se.sample(puzzle_of("4x4"), 5, seed=1).grids.tolist()]
    assert "seed " in run("sample", "--board", "4x4").err


def test_batch(run: Command, tmp_path: Path) -> None:
    """Each of many puzzles has its record."""
    batch = tmp_path / "batch"
    batch.write_text(f"{PUZZLE}\nbad\n55{'.' * 79}\n{MILLIONS}\n")
    first, *others = (run("sample", batch, "-n", 2, "--seed", 7, "--json", "-j", jobs) for jobs in (1, 2))
    records = [json.loads(line) for line in first.lines]
    assert first.status == 2
    assert [record["status"] for record in records] == ["drawn", "bad input", "no solution", "drawn"]
    assert [record["total"] for record in records[:1]] == [1]
    assert [record["seed"] for record in records] == [7, 8, 9, 10]
    assert records[3]["solutions"] == se.sample(MILLIONS, 2, seed=10).grids.tolist()
    again = [json.loads(line) for line in others[0].lines]
    assert [one["solutions"] for one in again] == [one["solutions"] for one in records]

    text = run("sample", batch, "-n", 2, "--seed", 7)
    assert text.lines[0] == "# puzzle 1"
    assert text.lines[3].startswith("# puzzle 2: bad input")
    assert text.lines[4].startswith("# puzzle 3: no solution: r1c1 and r1c2")
    assert len(text.lines) == 8


def test_exit_status(run: Command) -> None:
    """What is not counted exits with 3 and names the walk."""
    ran = run("sample", "--board", "9x9x9", "--timeout", "0.3")
    assert (ran.status, ran.out) == (3, "")
    assert len([line for line in ran.err.splitlines() if "stopped" in line]) == 1
    assert "--method walk" in ran.err
    assert "not uniform" in ran.err

    walked = run("sample", "--board", "16x16", "--method", "walk", "--json", "--seed", "2")
    record = json.loads(walked.out)
    assert (walked.status, record["uniform"], record["total"], record["method"]) == (0, False, None, "walk")
    assert "NOT uniform" in walked.err

    assert run("sample", "11" + "." * 14).status == 1
    assert run("sample", PUZZLE, "--json", "--to", "grid").status == 2
    assert run("sample", PUZZLE, "-n", 10**9).status == 2


def test_instances() -> None:
    """The instances can be sampled."""
    for name in ("9x9-jigsaw.txt", "9x9-sukaku.txt", "9x9-windoku.sdk"):
        puzzle = se.read(INSTANCES / "small" / name)
        drawn = se.sample(puzzle, 5, seed=1)
        assert drawn.total == se.count(puzzle)
        assert not any(True for grid in drawn.grids for _ in violations(puzzle, grid))


def test_generate_uniform(run: Command) -> None:
    """Puzzles are cut out of uniform solutions where that is asked."""
    everything = listed(puzzle_of("latin:3x3"))
    made = list(se.generate("latin:3x3", blanks=0, uniform=True, many=20 * len(everything), seed=1))
    assert all(one.uniform for one in made)
    grids = np.array([one.solution for one in made])
    assert abs(deviations(frequencies(grids, everything), 20)) < MOST_DEVIATIONS
    assert not next(se.generate("4x4", seed=1)).uniform

    ran = run("generate", "--board", "4x4", "--uniform", "--seed", 2, "--json")
    assert json.loads(ran.out)["uniform"]
    assert "uniformly drawn" in ran.err
    assert not json.loads(run("generate", "--board", "4x4", "--seed", 2, "--json").out)["uniform"]


def test_generate_not_uniform(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puzzles are not said to be uniform where they cannot be."""
    for options in ({"method": "keck2022"}, {"solution": "1234341221434321"}):
        with pytest.raises(MethodError, match="uniform"):
            se.generate("4x4", uniform=True, **options)  # type: ignore[arg-type]
    with pytest.raises(MethodError, match="kind mixed"):
        se.generate("9x9x9", uniform=True, kind="mixed")
    ran = run("generate", "--board", "16x16", "--uniform", "--timeout", "0.3")
    assert (ran.status, ran.out) == (3, "")

    def uncounted(puzzle: Puzzle, deadline: Deadline) -> None:
        raise StoppedError("no method here can count so many")

    monkeypatch.setattr("sudoku_encode.generating.ranking.by_auto", uncounted)
    ran = run("generate", "--board", "16x16", "--uniform")
    assert (ran.status, ran.out) == (2, "")
    assert "16x16: no solution can be drawn uniformly: no method here can count so many" in ran.err


def test_samples_as_array() -> None:
    """Samples are as many grids, also for numpy."""
    drawn = se.sample("1...............", 5, seed=1, board="4x4")
    assert (len(drawn), drawn.shape, np.asarray(drawn).shape) == (5, (5, 16), (5, 16))
    assert [grid.values.tolist() for grid in drawn] == np.array(drawn).tolist() == drawn.grids.tolist()
    assert all(isinstance(grid, se.Grid) and not list(se.violations(drawn.puzzle, grid)) for grid in drawn)
    none = se.sample("11..............", 5, board="4x4")
    assert (len(none), none.shape, list(none), bool(none)) == (0, (0, 16), [], False)
    from_zero = se.sample("0...............", 2, seed=1, board="4x4:0-3")
    assert np.asarray(from_zero)[:, 0].tolist() == [1, 1]
    assert [str(grid)[0] for grid in from_zero] == ["0", "0"]
