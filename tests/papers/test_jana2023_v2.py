"""Algorithm 2 of Jana et al. 2023: the layers by themselves, and every way to join them."""

import tracemalloc
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.methods.calls import explain
from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.methods.table import METHODS
from sudoku_encode.papers import jana2023_v2
from sudoku_encode.papers.jana2021 import candidates
from sudoku_encode.papers.jana2023_v2 import AXES, layer_solutions, planes
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.rules import CUBE_RULES
from tests.helpers.known_puzzles import known
from tests.helpers.small_cubes import SMALL, TABLE_1, cubes, cut
from tests.helpers.solution_sets import after, all_by_sat, different, never, rows_of

PAPER = "papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"


def test_planes() -> None:
    """A plane is the cells across its axis."""
    geometry = board("4x4x4")
    at = np.array(np.unravel_index(np.arange(64), (4, 4, 4)))

    for number, axis in enumerate(AXES):
        layers = planes(geometry, axis)
        assert sorted(layers.ravel().tolist()) == list(range(64))
        for layer, cells in enumerate(layers):
            assert (at[number, cells] == layer).all()
            assert (np.diff(cells) > 0).all()


@pytest.mark.slow
@given(puzzle=cubes(), axis=st.sampled_from(AXES), restrict=st.booleans(), power=st.sampled_from([4, 28]))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_all_axes(puzzle: Puzzle, axis: str, restrict: bool, power: int) -> None:
    """Every axis and every choice of candidates finds all."""
    expected = all_by_sat(puzzle)
    try:
        assert different(jana2023_v2.solutions(puzzle, never, axis, restrict=restrict, max_bytes=2**power)) == expected
    except StoppedError:
        assert power == 4


@given(puzzle=cubes(), axis=st.sampled_from(AXES), restrict=st.booleans())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_whole_cube_checks(puzzle: Puzzle, axis: str, restrict: bool) -> None:
    """Checking whole cubes only finds the same."""
    n_combinations = 1
    for cells in planes(puzzle.geometry, axis):
        n_combinations *= len(layer_solutions(puzzle, cells, candidates(puzzle) if restrict else None, never))
    if n_combinations <= 100_000:
        inner = different(jana2023_v2.solutions(puzzle, never, axis, "innermost", restrict))
        assert inner == different(jana2023_v2.solutions(puzzle, never, axis, "early", restrict))


def test_all_rules_checked() -> None:
    """Whole cubes are checked against every rule."""
    puzzle = known(PAPER).puzzle
    for axis in AXES:
        early = different(jana2023_v2.solutions(puzzle, never, axis))
        assert early == different(jana2023_v2.solutions(puzzle, never, axis, "innermost"))
        assert len(early) == 2


@pytest.mark.parametrize("max_bytes", [20_000, 2**28])
def test_small_batches(max_bytes: int) -> None:
    """Joining in small pieces loses nothing."""
    puzzle = Puzzle.of(board("4x4x4"))
    # Enough for the 288 squares of a layer, and for a few rows of combinations at a time.
    found = different(jana2023_v2.solutions(puzzle, never, max_bytes=max_bytes))

    assert len(found) == 768


def test_memory_bound() -> None:
    """The combinations stay within the memory."""
    # Two layers of 512 solutions each, which all fit together, and seven of one.
    givens = TABLE_1.reshape(9, 9, 9).copy()
    givens[:, :2, :2] = 0
    puzzle = Puzzle.of(board("9x9x9", ["row-z"]), givens)
    batches = jana2023_v2.solutions(puzzle, never, max_bytes=2**23)
    tracemalloc.start()
    first = [next(batches)[:1].copy() for _ in range(3)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(different(first)) == 3
    assert peak < 2 * 2**23


@given(blanks=st.integers(0, 14), seed=st.integers(0, 10**6), axis=st.sampled_from(AXES))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_layer_is_square(blanks: int, seed: int, axis: str) -> None:
    """The solutions of a layer are those of the square that it is."""
    chance = np.random.default_rng(seed)
    givens = np.where(chance.permutation(64) < 4 * blanks, 0, SMALL).astype(np.uint8)
    givens[chance.integers(64)] = 0 if seed % 3 else 1
    puzzle = Puzzle.of(board("4x4x4"), givens)

    for cells in planes(puzzle.geometry, axis):
        square = Puzzle.of(board("4x4"), givens[cells])
        alone = rows_of([layer_solutions(puzzle, cells, None, never)])
        assert len(set(alone)) == len(alone)
        assert set(alone) == different(by_method(square, "sat"))
        if puzzle.clash is None:
            # What other layers forbid a cell at once is left out.
            left = Puzzle.of(board("4x4"), givens[cells], pencilmarks=allowed(puzzle)[cells])
            restricted = rows_of([layer_solutions(puzzle, cells, candidates(puzzle), never)])
            assert set(restricted) == different(by_method(left, "sat")) <= set(alone)


def allowed(puzzle: Puzzle) -> np.ndarray:
    """What the givens of its peers leave to each cell, by hand."""
    marks = np.ones((puzzle.geometry.n_cells, puzzle.geometry.n_values), bool)
    for cell, peers in enumerate(puzzle.geometry.peers):
        for value in puzzle.givens[peers].tolist():
            if value:
                marks[cell, value - 1] = False
    return marks


@pytest.mark.slow
def test_elimination() -> None:
    """Elimination keeps a layer small that its candidates leave too many solutions."""
    puzzle = known("cubes/six-rules-hard.txt#15").puzzle

    assert len(different(jana2023_v2.solutions(puzzle, never, max_bytes=2**22))) == 768
    with pytest.raises(StoppedError, match="memory: the layer"):
        list(jana2023_v2.solutions(puzzle, never, restrict=False, max_bytes=2**22))


def test_layers_of_9x9x9() -> None:
    """The layers of a 9x9x9 are 9x9 puzzles."""
    puzzle = cut(CUBE_RULES, 380, 4)
    for axis in AXES:
        for cells in planes(puzzle.geometry, axis)[::4]:
            square = Puzzle.of(board("9x9"), puzzle.givens[cells])
            found = set(rows_of([layer_solutions(puzzle, cells, None, never)]))
            assert found == different(by_method(square, "sat"))


def test_unknown_option() -> None:
    """An unknown axis or check is refused."""
    puzzle = Puzzle.of(board("4x4x4"))
    for axis, check in (("w", "early"), ("", "early"), ("x", "late")):
        with pytest.raises(MethodError, match="axis is one of x, y, z, check one of early, innermost"):
            list(jana2023_v2.solutions(puzzle, never, axis, check))


@pytest.mark.slow
@pytest.mark.parametrize(("check", "max_bytes"), [("early", 2**20), ("innermost", 1)])
def test_blank_layer(check: str, max_bytes: int) -> None:
    """An almost blank layer is said to be too much."""
    givens = TABLE_1.copy()
    givens.reshape(9, 9, 9)[:, 4, :] = 0
    givens.reshape(9, 9, 9)[:, 5, :] = 0
    givens.reshape(9, 9, 9)[:, 3, 1:] = 0
    puzzle = Puzzle.of(board("9x9x9"), givens)

    with pytest.raises(StoppedError, match=r"memory: the layer from x0y\dz0 to x8y\dz8 has at least \d+ solutions"):
        next(jana2023_v2.solutions(puzzle, never, "y", check, restrict=False, max_bytes=max_bytes))


def test_largest_layer() -> None:
    """A layer just as large as the memory is listed."""
    puzzle = Puzzle.of(board("4x4x4", ["row-x", "row-z", "box-xz"]))
    cells = planes(puzzle.geometry, "y")[0]

    assert layer_solutions(puzzle, cells, None, never, max_bytes=288 * 16).shape == (288, 16)
    with pytest.raises(StoppedError, match=r"has at least \d+ solutions") as stopped:
        layer_solutions(puzzle, cells, None, never, max_bytes=288 * 16 - 1)
    assert int(str(stopped.value).split("at least ")[1].split()[0]) <= 288


def test_too_many_combinations() -> None:
    """Too many combinations to number are refused."""
    with pytest.raises(StoppedError, match="combinations of layers are more than can be checked"):
        list(jana2023_v2.solutions(Puzzle.of(board("9x9x9", ["row-z"]), _wide()), never, check="innermost"))


def _wide() -> np.ndarray:
    givens = TABLE_1.reshape(9, 9, 9).copy()
    givens[:8, :, :2] = 0
    return givens.ravel()


def test_blank_without_candidate() -> None:
    """A blank without candidates ends it all."""
    marks = np.ones((64, 4), bool)
    marks[40] = False
    puzzle = Puzzle.of(board("4x4x4"), pencilmarks=marks)

    for restrict in (True, False):
        assert rows_of(jana2023_v2.solutions(puzzle, never, restrict=restrict)) == []


@pytest.mark.parametrize("check", ["early", "innermost"])
@pytest.mark.parametrize("calls", [0, 1, 20, 70])
def test_tick_error(check: str, calls: int) -> None:
    """What a tick raises is passed on."""
    with pytest.raises(StoppedError, match="enough"):
        list(jana2023_v2.solutions(Puzzle.of(board("4x4x4")), after(calls), check=check))


def test_paper_grids() -> None:
    """The paper's grids and their solutions are explained."""
    steps = list(jana2023_v2.explain(known(PAPER).puzzle, never))
    said = [str(step) for step in steps]

    assert said[0].startswith("grid i is the plane across x with x = i - 1, as a row of Tables 1 and 2;")
    assert said[1].splitlines()[:2] == ["grid 1      grid 2      grid 3", "971385642   364192578   852476319"]
    assert np.array(steps[1].data["grid"]).shape == (9, 9, 9)
    # In its P by the whole cube three of the six blanks of Table 3 are left open.
    assert said[4].splitlines() == [
        "grid 1: 2 solutions of its own",
        "     032 036 038 041 050 051 052",
        "S1_1 9   4   8   5   4   3   8",
        "S1_2 9   4   8   5   8   4   3",
    ]
    joined = [text for text in said if text.startswith("grids 1 to")]
    assert joined[0] == "grids 1 to 2 joined: 2 combinations left"
    assert said[-1] == "2 of them satisfy all rules: the solutions"


def test_printed_algorithm() -> None:
    """The printed algorithm shows p of each layer alone table 4 and every combination."""
    steps = list(explain(known(PAPER).puzzle, "jana2023-v2"))
    matrices = [step for step in steps if step.rule == "matrix P"]
    tables = [step for step in steps if step.rule == "Table 4"]
    (combinations,) = (step for step in steps if step.rule == "Fig. 19")
    rows = combinations.data["rows"]

    # By the givens of grid 1 alone 036 may hold 4 and 8; the whole cube leaves it 4.
    assert matrices[0].data["candidates"]["x0y3z6"] == [4, 8]
    assert str(matrices[0]).splitlines()[1:3] == [
        "P of grid 1: y z, candidates, their count",
        "4 1 5 0 0 0 0 0 0 0 0 1",
    ]
    assert [table.data["number"] for table in tables] == [12, 12, 1, 1, 1, 1, 1, 1, 1]
    assert len(rows) == 144 == len(str(combinations).splitlines())
    assert [row["combination"] for row in rows[:2]] == [[1] * 9, [1, 2, *[1] * 7]]
    assert sum(not row["breaks"] for row in rows) == 2


def test_other_axes() -> None:
    """The layers of other axes are explained too."""
    for axis, numbers in (("y", [1, 1, 1, 24, 1, 6, 1, 1, 1]), ("z", [6, 6, 120, 1, 1, 1, 1, 1, 6])):
        steps = list(explain(known(PAPER).puzzle, f"jana2023-v2:{axis}"))
        assert str(steps[0]) == f"grid i is the plane across {axis} with {axis} = i - 1"
        (total,) = (step.data for step in steps if step.rule == "Fig. 18")
        assert total["numbers"] == numbers
        assert str(steps[-1]) == "2 of them satisfy all rules: the solutions"


def test_unsolvable_layer() -> None:
    """An unsolvable layer leaves no combination."""
    marks = np.ones((64, 4), bool)
    marks[40] = False
    for method in ("jana2023-v2-joined", "jana2023-v2"):
        said = [str(step) for step in explain(Puzzle.of(board("4x4x4"), SMALL * (np.arange(64) != 40), marks), method)]
        assert "0 combinations of one solution per grid" in said
        assert said[-1].startswith("no solution: grid 3 has no solution of its own: 220 has no candidate left: ")


def test_stopped() -> None:
    """A stop is explained."""
    shown: list[str] = []
    with pytest.raises(StoppedError):
        shown.extend(map(str, jana2023_v2.explain(Puzzle.of(board("4x4x4")), after(20), restrict=False)))
    assert any(text.startswith("grid 1: 288 solutions of its own") for text in shown)

    with pytest.raises(StoppedError):
        shown.extend(map(str, jana2023_v2.explain(Puzzle.of(board("4x4x4")), after(150), "x", "innermost", False)))
    assert shown[-1].startswith("at least 0 of them satisfy all rules")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name, row in METHODS.items() if name.startswith("jana2023-v2") and "axis" in row.choices]
)
@given(puzzle=cubes())
@settings(derandomize=True, max_examples=12, deadline=None)
def test_orders_and_axes(name: str, puzzle: Puzzle) -> None:
    """Every order of checks and every axis finds the same."""
    layers = planes(puzzle.geometry, str(METHODS[name].choices["axis"]))
    assume(prod(len(layer_solutions(puzzle, cells, None, never)) for cells in layers) <= 20_000)

    assert different(by_method(puzzle, name)) == all_by_sat(puzzle)


def test_batch_borders() -> None:
    """More combinations than a block holds are each checked once."""
    listed = [np.zeros((number, 1), np.uint8) for number in (3, 5, 1, 601)]
    every = np.concatenate(list(jana2023_v2._all_combinations(listed)))

    assert every.tolist() == [[i, j, 0, k] for i in range(3) for j in range(5) for k in range(601)]
