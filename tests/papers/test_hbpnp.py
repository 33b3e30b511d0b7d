"""The hybrids of pencil and paper and backtracking: their strategies, all solutions, and what HBPnP lets pass."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.papers import hbpnp, hbpnp_kernel
from sudoku_encode.papers.hbpnp import VERSIONS, Replay, Search, explain
from sudoku_encode.papers.hbpnp_kernel import HBPNP, TABLES, UHBPNP, State
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, breaks_rule, violations
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.limits import Limits
from tests.helpers.known_puzzles import KNOWN, KnownCount, known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import filled, puzzles
from tests.helpers.solution_sets import after, all_by_sat, different, never

COMPLETE = ("uhbpnp", "uhbpnp-tables")
BOARDS = ("4x4", "4x4", "6x6", "6x6:3x2", "8x8", "9x9", "9x9", "10x10", "4x4:1x4")
AI = [case for case in KNOWN if case.file.startswith("papers/inkala/")]
FIG_1 = known("papers/uhbpnp-fig-1.txt").puzzle


def listed(state: State, version: int) -> dict[int, set[int]]:
    """The candidates of each blank, as the version holds them."""
    hbpnp_kernel.build_candidates(state, version)
    left: dict[int, set[int]] = {}
    for cell in np.flatnonzero(state.grid == 0).tolist():
        at = hbpnp_kernel.list_of_cell(version, state.locations, cell)
        values = range(1, state.units.shape[1] + 1)
        kinds = (state.marks, state.lists, state.sizes)
        left[cell] = {value for value in values if hbpnp_kernel.has_candidate(version, *kinds, at, value)}
        assert state.sizes[at] == len(left[cell])
    return left


def plain(puzzle: Puzzle, grid: Grids) -> dict[int, set[int]]:
    """The candidates of each blank by the board's peers."""
    found = {}
    for cell in np.flatnonzero(grid == 0).tolist():
        held = set(grid[puzzle.geometry.peers[cell]].tolist())
        found[cell] = set((np.flatnonzero(puzzle.candidates[cell]) + 1).tolist()) - held
    return found


@pytest.mark.parametrize("version", COMPLETE)
@pytest.mark.parametrize("case", [*AI, known("papers/uhbpnp-fig-1.txt")], ids=lambda case: str(case.name))
def test_paper_puzzles(case: KnownCount, version: str) -> None:
    """The puzzles of the paper have one solution."""
    found = [grid for batch in hbpnp.solutions(case.puzzle, never, version) for grid in batch]

    assert {grid.tobytes() for grid in found} == case.grids()
    assert len(found) == 1
    assert not list(violations(case.puzzle, found[0]))


@pytest.mark.parametrize("version", COMPLETE)
@pytest.mark.parametrize("name", ["papers/gtsps-fig-4.9.sdk", "small/4x4-empty.txt", "small/4x4-none.txt"])
def test_known_counts(name: str, version: str) -> None:
    """Other counts are those known."""
    case = known(name)
    assert len(different(hbpnp.solutions(case.puzzle, never, version))) == case.count


@given(puzzle=puzzles(BOARDS, most_open=0.85))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """The complete versions find the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    for version in COMPLETE:
        assert different(hbpnp.solutions(puzzle, never, version)) == expected, version


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=0.85))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_arrays_and_tables(puzzle: Puzzle) -> None:
    """Arrays and tables take the same decisions."""
    assume(puzzle.clash is None)
    all_by_sat(puzzle)
    one, other = (Search.of(puzzle, version) for version in COMPLETE)
    grids = [[grid.tolist() for batch in search.grow(never) for grid in batch] for search in (one, other)]

    assert grids[0] == grids[1]
    assert one.work == other.work


@pytest.mark.parametrize("case", AI, ids=lambda case: str(case.name))
def test_ai_puzzles_guesses(case: KnownCount) -> None:
    """Both guess alike on the AI puzzles."""
    work = []
    for version in COMPLETE:
        search = Search.of(case.puzzle, version)
        list(search.grow(never))
        work.append(search.work)
    assert work[0] == work[1]
    assert work[0][0] > 30


def test_singles_without_guess() -> None:
    """A puzzle of singles needs no guess."""
    search = Search.of(FIG_1, "uhbpnp-tables")
    list(search.grow(never))

    assert search.work[:2] == (0, 81 - 28)


def first_wrong(puzzle: Puzzle) -> bool:
    grids = next(Search.of(puzzle, "hbpnp").grow(never))
    return bool(breaks_rule(puzzle.geometry, grids[:1])[0])


def test_hbpnp_fails_on_seven() -> None:
    """HBPnP fails before the solution on seven of the ten AI puzzles."""
    wrong = [case.file for case in AI if first_wrong(case.puzzle)]
    assert len(AI) == 10
    assert len(wrong) == 7
    for case in AI:
        batches = hbpnp.solutions(case.puzzle, never, "hbpnp")
        if case.file in wrong:
            with pytest.raises(StoppedError, match="failed: its violation check let a wrong value pass"):
                next(batches)
        else:
            assert len(next(batches)) == 1


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=0.85))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_hbpnp_no_wrong_grid(puzzle: Puzzle) -> None:
    """HBPnP gives out no wrong grid and ends only with all solutions."""
    expected = all_by_sat(puzzle)
    found: list[Grids] = []
    try:
        found.extend(hbpnp.solutions(puzzle, never, "hbpnp"))
    except StoppedError:
        assert different(found) <= expected
    else:
        assert different(found) == expected


@given(puzzle=puzzles(BOARDS, most_open=0.85), chosen=st.integers(0, 10**6))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_candidate_tables(puzzle: Puzzle, chosen: int) -> None:
    """Lists and table hold the candidates after every placement."""
    assume(puzzle.clash is None)
    chance = np.random.default_rng(chosen)
    lists, table = (hbpnp_kernel.start(puzzle, version) for version in (UHBPNP, TABLES))
    for _ in range(6):
        left = plain(puzzle, lists.grid)
        assert listed(lists, UHBPNP) == listed(table, TABLES) == left
        open_cells = [cell for cell, values in left.items() if values]
        if not open_cells:
            break
        cell = open_cells[chance.integers(len(open_cells))]
        value = min(left[cell])
        for state, version in ((lists, UHBPNP), (table, TABLES)):
            hbpnp_kernel.place_value(state, version, cell, value)


def test_example_candidates() -> None:
    """The candidates of the paper's example are 5 and 8."""
    for version in (UHBPNP, TABLES):
        assert listed(hbpnp_kernel.start(FIG_1, version), version)[9 + 1] == {5, 8}


@pytest.mark.parametrize("version", [HBPNP, UHBPNP, TABLES])
def test_checks(version: int) -> None:
    """Both checks see what the peers hold."""
    state = hbpnp_kernel.start(FIG_1, version)
    for cell in FIG_1.blanks.tolist():
        held = set(FIG_1.givens[FIG_1.geometry.peers[cell]].tolist())
        said = {value for value in range(1, 10) if hbpnp_kernel.violates(state, version, cell, value)}
        assert said == held - {0}


def marked(geometry: Geometry, marks: dict[int, str]) -> Puzzle:
    """An empty board with these candidates in some cells."""
    allowed = np.ones((geometry.n_cells, geometry.n_values), bool)
    for cell, values in marks.items():
        allowed[cell] = [str(value) in values for value in range(1, geometry.n_values + 1)]
    return Puzzle.of(geometry, pencilmarks=allowed)


def applied(puzzle: Puzzle, strategy: int, version: int) -> tuple[int, dict[int, int], dict[int, set[int]]]:
    """What a strategy comes to, what it places, and the candidates then."""
    state = hbpnp_kernel.start(puzzle, version)
    outcome = hbpnp_kernel.apply_strategy(state, version, strategy)
    placed = {cell: int(state.grid[cell]) for cell in np.flatnonzero(state.grid).tolist()}
    return outcome, placed, listed(state, version)


@pytest.mark.parametrize("version", [HBPNP, UHBPNP, TABLES])
def test_strategies(version: int) -> None:
    """Each strategy does what it says and no more."""
    four = board("4x4")
    assert applied(marked(four, {5: "3"}), 1, version)[:2] == (hbpnp_kernel.CHANGED, {5: 3})
    assert applied(marked(four, {5: "3"}), 3, version)[:2] == (hbpnp_kernel.UNCHANGED, {})
    assert applied(marked(four, {5: ""}), 1, version)[0] == hbpnp_kernel.CONTRADICTION
    # 2 fits in one cell only of the last row.
    hidden = marked(four, {12: "134", 13: "134", 14: "134"})
    assert applied(hidden, 1, version)[:2] == (hbpnp_kernel.UNCHANGED, {})
    assert applied(hidden, 2, version)[:2] == (hbpnp_kernel.CHANGED, {15: 2})
    # 1 and 2 are for r1c1 and r1c4, so r1c2 and r1c3 have 3 and 4, and so they are a pair too.
    outcome, placed, left = applied(marked(four, {0: "12", 3: "12"}), 3, version)
    assert (outcome, placed) == (hbpnp_kernel.CHANGED, {})
    assert [left[cell] for cell in range(5)] == [{1, 2}, {3, 4}, {3, 4}, {1, 2}, {1, 2, 3, 4}]
    assert applied(marked(four, {0: "12", 3: "13"}), 3, version)[0] == hbpnp_kernel.UNCHANGED


@pytest.mark.parametrize(("version", "passes"), [(HBPNP, True), (UHBPNP, False), (TABLES, False)])
def test_double_single_passes(version: int, passes: bool) -> None:
    """Two singles of one value in one unit pass HBPnP only."""
    for other in (3, 12, 5):
        outcome, placed, _ = applied(marked(board("4x4"), {0: "1", other: "1"}), 1, version)
        assert outcome == (hbpnp_kernel.CHANGED if passes else hbpnp_kernel.CONTRADICTION)
        assert placed == ({0: 1, other: 1} if passes else {0: 1})


@pytest.mark.parametrize("version", [UHBPNP, TABLES])
@pytest.mark.parametrize(("rounds", "room"), [(1, 1), (3, 7), (10**6, 288)])
def test_resumed(version: int, rounds: int, room: int) -> None:
    """A search may stop and go on at any round."""
    state = hbpnp_kernel.start(Puzzle.of(board("4x4")), version, room)
    found, goes_on = [], True
    while goes_on:
        goes_on = hbpnp_kernel.run_rounds(state, version, rounds)
        found += state.out[: state.counts[hbpnp_kernel.FOUND]].tolist()
        state.counts[hbpnp_kernel.FOUND] = 0
    assert len(found) == len({tuple(grid) for grid in found}) == 288
    assert not hbpnp_kernel.run_rounds(state, version, rounds)


@pytest.mark.parametrize("version", VERSIONS)
def test_clash(version: str) -> None:
    """A clash is no solution."""
    assert list(hbpnp.solutions(Puzzle.of(board("4x4"), [1, 1] + [0] * 14), never, version)) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_deadline(version: str) -> None:
    """The deadline holds on the largest board."""
    empty = Puzzle.of(board("25x25"))
    next(iter(hbpnp.solutions(Puzzle.of(board("4x4")), never, version)))
    started = time.process_time()
    with pytest.raises(StoppedError, match="time limit"):
        for _ in hbpnp.solutions(empty, Limits(None, 0.2).start(), version):
            pass
    assert time.process_time() - started < 2


@pytest.mark.parametrize("version", COMPLETE)
def test_tick_error(version: str) -> None:
    """What a tick raises ends the search."""
    calls = []

    def tick() -> None:
        calls.append(1)
        if len(calls) > 3:
            raise StoppedError("enough")

    with pytest.raises(StoppedError, match="enough"):
        for _ in hbpnp.solutions(Puzzle.of(board("9x9")), tick, version):
            pass


@pytest.mark.parametrize("version", COMPLETE)
@pytest.mark.parametrize("name", ["16x16", "12x12:2x6", "25x25"])
def test_larger_boards(name: str, version: str) -> None:
    """Larger boards are done."""
    full = filled(name)
    givens = np.where(np.random.default_rng(1).random(len(full)) < 0.4, 0, full)
    puzzle = Puzzle.of(board(name), givens)

    assert different(hbpnp.solutions(puzzle, never, version)) == different(by_method(puzzle, "sat"))


@pytest.mark.parametrize("name", ["9x9+diagonals", "7x7", "9x9x9", "36x36"])
def test_misfit_boards(name: str) -> None:
    """Boards that do not fit are refused."""
    assert hbpnp.unsupported_reason(board(name))


def test_fitting_boards() -> None:
    """Boards with rows columns and boxes are accepted."""
    assert [hbpnp.unsupported_reason(board(name)) for name in (*BOARDS, "25x25")] == [""] * (len(BOARDS) + 1)
    assert hbpnp.unsupported_reason(board("9x9", ["row", "column"]))


def replayed(puzzle: Puzzle, version: str) -> tuple[dict[str, int], list[list[int]], list[Step]]:
    """What the search in Python does to its end: its counts, the grids that it fills, its steps."""
    replay = Replay(puzzle, version)
    steps = list(replay.go(never))
    return replay.counts, [step.data["grid"] for step in steps if step.rule == "full"], steps


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=0.8))
@settings(derandomize=True, max_examples=6, deadline=None)
def test_explained_decisions(puzzle: Puzzle) -> None:
    """What is shown takes the decisions of the compiled search."""
    assume(puzzle.clash is None)
    assume(len(all_by_sat(puzzle)) < 50)
    for version in VERSIONS:
        search = Search.of(puzzle, version)
        grids = [grid.tolist() for batch in search.grow(never) for grid in batch]
        counts, filled_grids, _ = replayed(puzzle, version)

        assert filled_grids == grids, version
        done = (counts["guesses"], counts["placements"], counts["rounds"])
        assert done == search.work, version


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", ["tweezers", "broken-brick"])
def test_explained_ai_puzzles(name: str, version: str) -> None:
    """What is shown of the AI puzzles is what the compiled search does."""
    puzzle = known(f"papers/inkala/{name}.txt").puzzle
    search = Search.of(puzzle, version)
    grids = [grid.tolist() for batch in search.grow(never) for grid in batch]
    counts, filled_grids, _ = replayed(puzzle, version)

    assert filled_grids == grids
    assert (counts["guesses"], counts["placements"], counts["rounds"]) == search.work


@pytest.mark.parametrize("version", VERSIONS)
def test_replayed_steps(version: str) -> None:
    """Steps replayed give the solution and remove no candidate of it."""
    case = known("papers/uhbpnp-fig-1.txt")
    first, *steps = explain(case.puzzle, never, version)
    left = [set(values) for values in first.data["candidates"]]
    grid = case.puzzle.givens.tolist()
    (solution,) = case.grids()
    for step in steps:
        for cell, value in step.removes:
            left[cell].remove(value)
            assert solution[cell] != value
        for cell, value in step.places:
            grid[cell] = value

    assert left == [{value} for value in solution]
    assert grid == list(solution)
    # The list that the paper works out: cell (2, 2) has 5 and 8.
    assert first.data["candidates"][10] == [5, 8]
    assert "L[2, 2] = 5 8" in first.text
    assert steps[-1].data == {"solutions": 1, "complete": True}


def test_guesses_undone() -> None:
    """Guesses are taken back value by value."""
    puzzle = known("papers/inkala/tweezers.txt").puzzle
    grid, kinds = puzzle.givens.tolist(), set()
    for step in explain(puzzle, never, "uhbpnp"):
        kinds.add(step.kind)
        for cell, value in step.places:
            assert grid[cell] == 0
            grid[cell] = value
        if step.kind == "undo":
            for cell, value in step.removes:
                assert grid[cell] == value
                grid[cell] = 0

    assert kinds >= {"candidates", "place", "remove", "guess", "undo", "grid", "note", "end"}


def test_faults_explained() -> None:
    """What HBPnP lets pass is shown."""
    steps: list[Step] = []
    with pytest.raises(StoppedError, match="failed: its violation check let a wrong value pass"):
        steps.extend(explain(known("papers/inkala/squadron.txt").puzzle, never, "hbpnp"))
    texts = said(steps)

    assert "this grid is wrong: 4 is on (2, 1) and (7, 1) of column 1" in texts
    assert texts[-1] == "at least 0 solutions"


def test_unsolvable_explained() -> None:
    """A puzzle without a solution is explained."""
    none = known("small/4x4-none.txt").puzzle
    for version in VERSIONS:
        end = list(explain(none, never, version))[-1]
        assert str(end) == "no solution: 2 is to be on (4, 4) in row 4, which holds 1"
        assert (end.because, end.data) == ((15,), {"solutions": 0, "complete": True})
    with pytest.raises(StoppedError, match="enough"):
        list(explain(FIG_1, after(3), "uhbpnp"))
