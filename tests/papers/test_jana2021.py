"""The search tree of Jana et al. 2021: its levels, its order, its memory, and all solutions by every jana method."""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.methods.table import METHODS
from sudoku_encode.papers import jana2021
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.puzzles.rules import CUBE_RULES
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.limits import Deadline, Limits
from tests.helpers.known_puzzles import known
from tests.helpers.small_cubes import ROWS, SMALL, TABLE_1, cubes, cut
from tests.helpers.solution_sets import after, all_by_sat, different, never, rows_of

PAPER_RULES = ("row-z", "box-yz", "box-xz", "box-xy")
# Algorithm 2 as printed does not end on most of what is here; it and its other axes have their own tests.
JANA = [name for name, method in METHODS.items() if name.startswith("jana") and not method.only_if_named]
PAPER = "papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"


def line(*lists: str) -> Tree:
    """A tree over the first cells of one line along z, with these candidates."""
    left: Candidates = np.array([[str(value) in some for value in range(1, 5)] for some in lists])
    return Tree.of(board("4x4x4", ["row-z"]), np.arange(len(lists)), left)


@pytest.mark.parametrize("max_bytes", [2**28, 1])
def test_widths_by_hand(max_bytes: int) -> None:
    """The widths and the ends of a tree are those found by hand."""
    tree = line("12", "12", "23")

    # 1, 2; then 12, 21; then 12-3, 21-3.
    assert rows_of(tree.grow(never, max_bytes)) == [(1, 2, 3), (2, 1, 3)]
    assert tree.opened.tolist() == [2, 2, 2]
    assert tree.ended.tolist() == [0, 0, 0]

    tree = line("12", "13", "3")
    # 1, 2; then 13, 21, 23; then 21-3, and two ENDs.
    assert rows_of(tree.grow(never, max_bytes)) == [(2, 1, 3)]
    assert tree.opened.tolist() == [2, 3, 1]
    assert tree.ended.tolist() == [0, 0, 2]


def test_regrown_tree() -> None:
    """A tree that grows again is counted anew."""
    tree = line("12", "13", "3")
    for _ in range(2):
        list(tree.grow(never))
        assert tree.opened.tolist() == [2, 3, 1]


def test_levels_of_peers() -> None:
    """A level looks at the levels of its peers only."""
    geometry = board("4x4x4", ["row-x", "row-z"])
    # x0y0z3, x0y0z0, x1y0z0, x1y1z0
    tree = Tree.of(geometry, np.array([3, 0, 16, 20]), np.ones((4, 4), bool))

    assert [earlier.tolist() for earlier in tree.earlier] == [[], [0], [1], []]


def test_no_levels() -> None:
    """A tree without levels has one branch."""
    assert [branches.shape for branches in line().grow(never)] == [(1, 0)]
    full = Puzzle.of(board("4x4x4"), SMALL)
    assert rows_of(jana2021.solutions(full, never)) == [tuple(SMALL.tolist())]


def test_blank_without_candidate() -> None:
    """A blank without candidates ends every branch."""
    tree = line("12", "", "3")

    assert rows_of(tree.grow(never)) == []
    assert tree.opened.tolist() == [2, 0, 0]
    assert tree.ended.tolist() == [0, 2, 0]


@pytest.mark.slow
@given(puzzle=cubes(), power=st.integers(8, 28))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_branch_numbers(puzzle: Puzzle, power: int) -> None:
    """Open and ended branches add up."""
    tree = jana2021.plan(puzzle)
    found = sum(map(len, tree.grow(never, 2**power)))

    before = 1
    for opened, ended, left in zip(tree.opened.tolist(), tree.ended.tolist(), tree.candidates, strict=True):
        extended = before - ended
        assert 0 <= extended <= opened <= extended * np.count_nonzero(left)
        before = opened
    assert found == before


def test_first_candidate_fails() -> None:
    """A branch whose first candidate fails is not lost."""
    assert rows_of(line("1", "12").grow(never)) == [(1, 2)]


@given(puzzle=cubes(wrong=False), power=st.integers(0, 16))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_little_memory(puzzle: Puzzle, power: int) -> None:
    """Little memory changes neither the solutions nor their order."""
    plenty = rows_of(jana2021.solutions(puzzle, never))

    assert plenty == sorted(plenty)
    assert rows_of(jana2021.solutions(puzzle, never, 2**power)) == plenty


@pytest.mark.slow
def test_memory_budget() -> None:
    """The memory of a wide tree stays within its budget."""
    empty = Puzzle.of(board("4x4x4", ROWS))
    peaks = {}
    for power in (20, 28):
        tracemalloc.start()
        assert sum(map(len, jana2021.plan(empty).grow(never, 2**power))) == 55_296
        peaks[power] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()

    assert peaks[20] < 2**20 < 10 * 2**20 < peaks[28] < 2**28


def test_many_blanks() -> None:
    """Many blanks in a large cube stay within the budget."""
    puzzle = cut(("row-x", "row-z"), 500, 1)
    tracemalloc.start()
    with pytest.raises(StoppedError):
        for _ in jana2021.plan(puzzle).grow(after(1500), 2**22):
            pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 2**23


@given(puzzle=cubes())
@settings(derandomize=True, max_examples=50, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """Every method finds the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    for method in JANA:
        assert different(by_method(puzzle, method)) == expected, method


NINE = [
    (CUBE_RULES, 350, 1),
    (CUBE_RULES, 300, 2),
    (CUBE_RULES[:5], 250, 3),
    (CUBE_RULES[1:5], 160, 4),
    (("row-x", "row-z", "box-xz"), 60, 5),
    (PAPER_RULES, 160, 6),
    (("box-xy", "box-xz", "box-yz"), 60, 7),
]


@pytest.mark.parametrize(("rules", "n_blanks", "seed"), NINE)
def test_paper_cube(rules: tuple[str, ...], n_blanks: int, seed: int) -> None:
    """Every method agrees with SAT on the paper's cube."""
    puzzle = cut(rules, n_blanks, seed)
    expected = different(by_method(puzzle, "sat", Deadline(5000)))
    for method in JANA:
        assert different(by_method(puzzle, method)) == expected, method


@pytest.mark.parametrize("method", JANA)
def test_clash(method: str) -> None:
    """A contradiction in the givens is no solution."""
    wrong = SMALL.copy()
    wrong[0] = wrong[1]
    for givens in (wrong, np.where(np.arange(64) < 2, wrong, 0)):
        assert rows_of(by_method(Puzzle.of(board("4x4x4"), givens), method)) == []


@pytest.mark.parametrize("method", JANA)
def test_pencilmarks(method: str) -> None:
    """Pencilmarks hold."""
    marks = np.ones((64, 4), bool)
    marks[5, 1:] = False
    puzzle = Puzzle.of(board("4x4x4"), pencilmarks=marks)

    assert different(by_method(puzzle, method)) == different(by_method(puzzle, "sat"))
    marks[5] = False
    assert rows_of(by_method(Puzzle.of(board("4x4x4"), pencilmarks=marks), method)) == []


@pytest.mark.parametrize("method", JANA)
def test_tick_ends_search(method: str) -> None:
    """A tick that raises ends the search at once."""
    puzzle = Puzzle.of(board("9x9x9"))
    started = time.process_time()
    with pytest.raises(StoppedError, match="time limit"):
        for _ in by_method(puzzle, method, Limits(None, 0.3).start()):
            pass

    assert time.process_time() - started < 3


@pytest.mark.parametrize("method", JANA)
@pytest.mark.parametrize("calls", [0, 1, 5, 40])
def test_tick_error(method: str, calls: int) -> None:
    """What a tick raises is passed on."""
    tick = after(calls)

    class Ticking(Deadline):
        def __call__(self) -> None:
            tick()

    with pytest.raises(StoppedError, match="enough"):
        list(by_method(Puzzle.of(board("4x4x4", ROWS)), method, Ticking()))


def _large() -> tuple[Puzzle, Geometry]:
    case = known("large/16x16x16-1600-givens.txt")
    return case.puzzle, case.puzzle.geometry


@pytest.mark.slow
@pytest.mark.parametrize("method", JANA)
def test_large_cube(method: str) -> None:
    """A large cube with hundreds of blanks is done in seconds."""
    puzzle, geometry = _large()
    full = next(iter(by_method(puzzle, "sat", Deadline(1))))[0]
    givens = full.copy()
    givens[np.random.default_rng(1).permutation(4096)[:900]] = 0
    started = time.process_time()
    found = different(by_method(Puzzle.of(geometry, givens), method))

    assert tuple(full.tolist()) in found
    assert found == different(by_method(Puzzle.of(geometry, givens), "sat"))
    assert time.process_time() - started < 30


def explained(puzzle: Puzzle, tick: Callable[[], None]) -> tuple[list[Step], bool]:
    """The steps of `explain`, and whether it was stopped."""
    shown: list[Step] = []
    try:
        for step in jana2021.explain(puzzle, tick):
            shown.append(step)
    except StoppedError:
        return shown, True
    return shown, False


def test_level_by_level() -> None:
    """The tree is shown level by level."""
    steps, stopped = explained(known(PAPER).puzzle, never)
    said = [str(step) for step in steps]

    assert not stopped
    assert said[0].split() == ["level", "blank", "candidates", "open", "END"]
    assert said[1].split() == ["1", "032", "=", "x0y3z2", "4", "8", "9", "3", "0", "#" * 14]
    assert said[2].split() == ["2", "036", "=", "x0y3z6", "4", "2", "1", "#" * 9]
    assert [step.kind for step in steps[1:17]] == ["branch"] * 16
    assert steps[1].data == {"level": 1, "candidates": [4, 8, 9], "open": 3, "end": 0}
    assert said[-1] == "2 branches open after the last level: the solutions"


def test_small_tree_drawn() -> None:
    """A small tree is drawn node by node with its ends."""
    steps, _ = explained(known(PAPER).puzzle, never)
    drawing = steps[17]

    assert str(drawing).splitlines()[1:5] == [
        "032 036 038 041 050 051 052 130 131 132 138 152 157 230 238 242",
        "4 > END",
        "8 > 4 > END",
        "9 > 4 > 8 > 5 > 4 > 3 > 8 > 5 > 4 > 3 > END",
    ]
    nodes = drawing.data["nodes"]
    # Fig. 11 has 49 nodes and 10 END: level, parent, value.
    assert [value for _, _, value in nodes].count("END") == 10
    assert len(nodes) == 49 + 10
    assert nodes[:2] == [[0, -1, 4], [1, 0, "END"]]
    assert all(parent < number for number, (_, parent, _) in enumerate(nodes))


@given(puzzle=cubes(wrong=False))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_drawing_complete(puzzle: Puzzle) -> None:
    """A drawing has the nodes the ends and the solutions of its tree."""
    tree = jana2021.plan(puzzle)
    found = rows_of(tree.grow(never))
    assume(len(tree.cells) and tree.opened.sum() + tree.ended.sum() <= jana2021.MAX_LISTED_NODES)
    listed = jana2021.tree_nodes(tree.candidates, tree.earlier)
    levels = range(len(tree.cells))

    assert [sum(node.level == level and node.value > 0 for node in listed) for level in levels] == tree.opened.tolist()
    assert [sum(node.level == level and node.value == 0 for node in listed) for level in levels] == tree.ended.tolist()
    branches = []
    for node in listed:
        if node.level == levels[-1] and node.value:
            at, branch = node, [node.value]
            while at.parent >= 0:
                at = listed[at.parent]
                branch.append(at.value)
            branches.append(tuple(reversed(branch)))
    assert branches == found


def test_table_3() -> None:
    """The solutions are printed as table 3 and as grids."""
    steps, _ = explained(known(PAPER).puzzle, never)
    table, *grids = steps[18:-1]

    assert str(table).splitlines()[:2] == ["Index  Solution 1  Solution 2", "032    9           9"]
    assert table.data["solutions"][0][4:10] == [4, 3, 8, 8, 4, 3]
    assert [step.kind for step in grids] == ["grid", "grid"]
    assert np.array(grids[0].data["grid"]).ravel().tolist() == TABLE_1.tolist()
    assert str(grids[0]).splitlines()[1].startswith("971385642 285647931 643921785 769153428")


def test_large_tree_widths() -> None:
    """A large tree is shown by its widths only."""
    puzzle = Puzzle.of(board("4x4x4"))
    steps, _ = explained(puzzle, never)

    assert [str(step) for step in steps[65:]] == [
        "",
        *[""] * 100,
        "768 branches open after the last level: the solutions",
    ]
    assert len(steps[65].data["solutions"]) == 100


def test_straight_columns() -> None:
    """The levels have straight columns on every board."""
    for name in ("4x4x4", "16x16x16"):
        geometry = board(name)
        tree = Tree.of(geometry, np.array([0, geometry.n_cells - 1]), np.ones((2, geometry.n_values), bool))
        list(tree.grow(never))
        head, *rows = map(str, tree.levels())
        assert [row.index(" 0 ") + 2 for row in rows] == [len(head)] * 2


def test_cell_names() -> None:
    """Cells are named as the paper names them and as we do."""
    assert jana2021.cell_text(board("9x9x9"), 29) == "032 = x0y3z2"
    assert jana2021.cell_text(board("16x16x16"), 4095) == "[15,15,15] = x15y15z15"


def test_stopped_tree() -> None:
    """A tree that is stopped is shown as far as it grew."""
    steps, stopped = explained(Puzzle.of(board("4x4x4", ROWS)), after(10))
    said = [str(step) for step in steps]

    assert stopped
    assert said[1].split()[-3:-1] == ["4", "0"]
    assert said[64].split()[-2:] == ["0", "0"]
    assert said[-1].startswith("at least 0 branches")
    assert steps[-1].data == {"solutions": 0, "complete": False}
