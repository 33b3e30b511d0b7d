"""The page of open questions, on cubes under sets of rules and on their kinds: the numbers by other ways."""

from itertools import combinations

import numpy as np
import pytest

from sudoku_encode.methods import calls
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.reproduce.finding import UNCHECKED
from sudoku_encode.reproduce.open_questions import cube_kinds, rule_sets, small_cubes
from sudoku_encode.reproduce.puzzles import Grids
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline
from tests.helpers.paper_findings import finding, table, verdict

# Sets of rules with parts of at most 16 cells, and the fewest givens of a part.
SMALL_PARTS = {
    ("row-x", "row-y"): 4,
    ("box-xy", "box-xz"): 4,
    ("row-x", "row-y", "box-xy"): 4,
    ("row-x", "box-xy", "box-yz"): 4,
    ("box-xy", "box-xz", "box-yz"): 3,
}


def test_classes_of_rules() -> None:
    """The sets of rules are classes under six swaps of axes, and Burnside's lemma gives their number."""
    sizes = rule_sets.classes().values()

    # Rules and boxes are each permuted like the axes: 64 sets are fixed by nothing, 4 by a turn, 16 by a swap.
    assert len(sizes) + 1 == (64 + 2 * 4 + 3 * 16) // 6
    assert sum(sizes) == 63
    assert set(sizes) <= {1, 2, 3, 6}


@pytest.mark.parametrize("rules", SMALL_PARTS, ids=",".join)
def test_fewest_givens_of_part(rules: tuple[str, ...]) -> None:
    """The fewest givens of a part are those of all its puzzles."""
    cube = board("4x4x4", rules)
    part = rule_sets.connected_parts(cube)[-1]
    grids, k = rule_sets.solutions_of_part(cube, part), SMALL_PARTS[rules]

    for size in (k - 1, k):
        cells = np.array(list(combinations(range(len(part)), size)))
        assert (small_cubes.n_unique(grids, cells) > 0) == (size == k)
    assert rule_sets.cube_count(rules).fewest == k * rule_sets.cube_count(rules).n_parts


def test_parts_share_no_unit() -> None:
    """Each unit lies in one part, and cells of a part reach each other by units."""
    cube = board("4x4x4", ["row-x", "row-y", "box-xz"])
    parts = rule_sets.connected_parts(cube)

    assert [len(part) for part in parts] == [32, 32]
    for rule in cube.rules:
        for unit in rule.units:
            assert sum(np.isin(unit, part).any() for part in parts) == 1
    assert sorted(np.concatenate(parts).tolist()) == list(range(64))


@pytest.mark.slow
def test_other_numbers_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that disagree are seen."""
    assert "up to the axes. From 768 to" in finding("open", "cubes_of_rule_sets").ours
    fewest = [row[-1] for row in table("open", "cubes_of_rule_sets").rows]
    assert fewest == [48, 48, 16, 32, 16, 32, 6, 16, 10, 32, 16, 24, 5, 8, 8, 16, 4, 8, 4]

    monkeypatch.setitem(rule_sets.PARTS_OF_9, ("row-x",), 362_881)
    assert verdict("open", "cubes_that_fall_apart") == UNCHECKED


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("rules", rule_sets.PARTS_OF_9, ids=",".join)
def test_parts_of_9(rules: tuple[str, ...]) -> None:
    """The cubes of side 9 under few rules are counted."""
    cube = board("9x9x9", rules)
    n_parts = len(rule_sets.connected_parts(cube))

    assert calls.count(Puzzle.of(cube), "frontier") == Count(rule_sets.PARTS_OF_9[rules] ** n_parts, True)


def test_minimal_puzzles() -> None:
    """The minimal puzzles of a 4x4 Sudoku are those whose givens are all needed, tried one by one."""
    empty = Puzzle.of(board("4x4"))
    grids = np.concatenate(list(calls.solutions(empty, "sat")))
    sets = small_cubes.differences(grids[0], grids)
    meets = {k: _sets_that_meet(sets, k) for k in range(3, 8)}
    expected = {
        k: sum(
            not any(cells ^ 1 << cell in meets[k - 1] for cell in range(16) if cells >> cell & 1) for cells in meets[k]
        )
        for k in range(4, 8)
    }

    assert cube_kinds.minimal_puzzles(sets) == {k: number for k, number in expected.items() if number}
    assert meets[3] == set()


def _sets_that_meet(sets: small_cubes.Sets, k: int) -> set[int]:
    """Return the sets of k of 16 cells that have a cell in each of some sets."""
    every = np.array([sum(1 << cell for cell in cells) for cells in combinations(range(16), k)], np.uint64)
    return set(every[((every[:, None] & sets) > 0).all(axis=1)].tolist())


def test_largest_minimal_cube() -> None:
    """A minimal cube of seven givens is unique by SAT, and is not without any of them."""
    cube = board("4x4x4")
    (kind,) = [kind for kind in small_cubes.kinds(*_cubes()) if kind.number == 192]
    givens = np.zeros(64, np.uint8)
    cells = [0, 30, 48, 53, 59, 62, 63]
    givens[cells] = kind.grid[cells]

    assert not list(violations(Puzzle.of(cube), kind.grid))
    assert _n_solutions(givens) == 1
    for cell in cells:
        assert _n_solutions(np.where(np.arange(64) == cell, 0, givens).astype(np.uint8)) == 2


def _numbers_of_minimal_cubes() -> dict[tuple[int, int], int]:
    """Return the minimal puzzles of a cube, by the size of its kind and by the givens."""
    return {(int(row[1] or 0), int(row[2] or 0)): int(row[3] or 0) for row in table("open", "minimal_cubes").rows}


def _cubes() -> tuple[Grids, list[small_cubes.Cells], int]:
    return small_cubes.all_solutions(small_cubes.CUBE), small_cubes.swaps((4, 4, 4), band=2), 4


def _n_solutions(givens: Grids) -> int:
    """Count the cubes with some givens, up to 2."""
    return tally(calls.solutions(Puzzle.of(board("4x4x4"), givens), "sat", Deadline(2))).value


@pytest.mark.slow
def test_numbers_of_minimal_cubes() -> None:
    """The smallest minimal cubes are all unique puzzles of four givens, and others have another first cell too."""
    rows = _numbers_of_minimal_cubes()

    assert rows[576, 4] * 576 == 4_423_680
    assert max(rows) == (576, 6)
    assert {k for size, k in rows if size == 192} == {5, 6, 7}


@pytest.mark.slow
@pytest.mark.thorough
def test_all_minimal_cubes() -> None:
    """The minimal puzzles of a cube are counted from every first cell."""
    rows = _numbers_of_minimal_cubes()
    for kind in small_cubes.kinds(*_cubes()):
        sets = small_cubes.differences(kind.grid, small_cubes.all_solutions(small_cubes.CUBE))
        expected = {k: number for (size, k), number in rows.items() if size == kind.number}
        assert cube_kinds.minimal_puzzles(sets) == expected


def test_kinds_and_unavoidable_sets() -> None:
    """The numbers of symmetries, kinds and unavoidable sets are those of a graph program and of other code."""
    # By pynauty, and by a search for hitting sets that shares no code with this one.
    assert [row[1] for row in table("open", "kinds_of_cubes").rows] == [3_072, 82_944, 13_060_694_016]
    assert "of 576 and 192 cubes" in finding("open", "kinds_of_cubes").ours
    totals = dict.fromkeys([576, 192], 0)
    for row in table("open", "unavoidable_sets").rows:
        totals[int(row[1] or 0)] += int(row[3] or 0)
    assert totals == {576: 248, 192: 96}
