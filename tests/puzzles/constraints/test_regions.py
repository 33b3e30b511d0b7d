"""Regions to be found and connected cells, on boards with rows and columns, from ISS strings and by several methods."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode import Puzzle, board, search
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_writing import text_of
from sudoku_encode.proving import check, prove
from sudoku_encode.puzzles.constraints.regions import ChaosConstruction
from sudoku_encode.puzzles.puzzle import violations
from sudoku_encode.run.limits import Deadline
from tests.helpers.constraint_grids import grids_of

CHAOS = "chaos-construction h1-h16"
RUN = "region-run r1c1 / h1-h4 / h1 h5 h9 h13"
COUNT = "region-count 1 r2c2 / h6 h1 h2 h3 h5 h7 h9-h11"
# Numbers in which all methods agree.
COUNTS = {
    ("latin:4x4", CHAOS, RUN, COUNT): 148,
    ("latin:4x4", CHAOS, RUN, "values 3 h4"): 300,
    ("4x4", "connected 1 2 3"): 216,
    ("latin:3x4:6", "connected 4-5 1 2", "connected >=3 3 4"): 1248,
    ("latin:3x4:6", "connected 1 2", "connected 3 4"): 3296,
}
METHODS = ("search", "sat", "cp-sat", "cp-sat-bool", "definitions", "auto")
QUICK = ("search", "sat", "auto")


@pytest.mark.parametrize(
    ("method", "case"),
    [
        pytest.param(name, case, marks=[] if name in QUICK else [pytest.mark.slow])
        for name in METHODS
        for number, case in enumerate(COUNTS)
        # On boards of 3x4, `definitions` takes a quarter of a minute; the two models of CP-SAT take the cases by turns.
        if (name != "definitions" or case[0] != "latin:3x4:6") and name != ("cp-sat", "cp-sat-bool")[number % 2]
    ],
)
def test_counts(method: str, case: tuple[str, ...]) -> None:
    """Methods find as many grids, each once."""
    name, *constraints = case
    grids = grids_of(Puzzle.of(board(name), constraints=constraints), method)
    assert len(set(grids)) == len(grids) == COUNTS[case]


def test_divisions_of_a_grid() -> None:
    """The divisions of a grid are all numbers of regions that the definition allows, each once."""
    puzzle = Puzzle.of(board("latin:3x3"), constraints=["chaos h1-h9"])
    (chaos,) = puzzle.placed
    assert isinstance(chaos, ChaosConstruction)
    grid = [1, 2, 3, 2, 3, 1, 3, 1, 2]
    expected = [labels for labels in product((1, 2, 3), repeat=9) if not chaos.violated([*grid, *labels])]
    divisions = list(chaos.hidden_values([*grid, *[0] * 9], range(9, 18)))
    assert len(divisions) > 3
    assert sorted(divisions) == expected
    # Some cells are known already.
    known = [*grid, *expected[-1][:4], *[0] * 5]
    rest = [labels[4:] for labels in expected if labels[:4] == expected[-1][:4]]
    assert sorted(chaos.hidden_values(known, range(13, 18))) == rest


def test_solution_is_checked() -> None:
    """A grid without a division is not a solution, and one of 9x9 is looked at in moments."""
    rows = "621435543261154326462513315642236154"
    puzzle = Puzzle.of(board("latin:6x6"), constraints=["chaos h1-h36"])
    assert not list(violations(puzzle, [int(value) for value in rows]))
    cyclic = [(row + column) % 4 + 1 for row, column in product(range(4), repeat=2)]
    clue = "region-run r1c4 / h4-h1 / h4 h8 h12 h16"
    assert [str(fault) for fault in violations(Puzzle.of(board("latin:4x4"), constraints=[CHAOS, clue]), cyclic)] == []
    apart = Puzzle.of(board("latin:4x4"), constraints=[CHAOS, "clone h1 h2 / h3 h4", "region-run r1c1 / h1-h4"])
    (fault,) = violations(apart, cyclic)
    assert fault.startswith("no values of the hidden cells satisfy")


def test_search_yields_each_grid_once() -> None:
    """A grid with several divisions comes once from the search too."""
    puzzle = Puzzle.of(board("latin:4x4"), constraints=[CHAOS, RUN])
    grids = np.concatenate([batch[:, :16] for batch in search.solutions(puzzle, lambda: None)])
    assert len(grids) == len(np.unique(grids, axis=0)) == 354


def test_certificate(tmp_path: Path) -> None:
    """The number of grids with regions is proved."""
    puzzle = Puzzle.of(board("latin:3x3"), constraints=["chaos h1-h9", "region-run 1 r1c1 / h1-h3 / h1 h4 h7"])
    made = prove(puzzle, tmp_path, Deadline())
    assert made.count == check(tmp_path).count == len(grids_of(puzzle, "search")) == 6


ISS = (
    ".Shape~6x6.ChaosConstruction.NoBoxes.~R5C6_5~R2C1_3~R6C4_3~R3C4_1~R4C2_2.ChaosCount~R1C2~~CC2~CC1~CC7~CC8~CC9~CC3."
    "ChaosCount~R1C4.ChaosCount~R1C6.ChaosCount~R2C6.ChaosCount~R5C1.ChaosCount~R6C1.ChaosCount~R6C3.ChaosCount~R6C5"
)


def test_iss_example() -> None:
    """An example of that program has the published solution, and is written back."""
    puzzle = se.read(ISS)
    (grid,) = se.solutions(puzzle)
    assert "".join(map(str, grid.values.tolist())) == "265413314652543126126534631245452361"
    assert se.read(text_of(puzzle)) == puzzle
    assert "region-count r6c5 / h35 h28-h30 h34 h36" in [one.text(puzzle.geometry) for one in puzzle.constraints]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ChaosArrow~R2C2~1", "region-run 1 r2c2 / h6 h5 / h6-h8 / h6 h2 / h6 h10 h14"),
        ("ChaosArrow~R1C1~0~CC1~-~CC1~CC2", "region-run r1c1 / h1 / h1 h2"),
        ("ChaosCount~R1C1~1~CC1~CC6", "region-count 1 r1c1 / h1 h6"),
        ("ConnectedValues~~1_3", "connected 1 3"),
        ("ConnectedValues~CC~2~4", "connected 4-4 2 h1-h16"),
        ("CountDistinct~R1C1~CC1~CC2~CC3", "count-distinct r1c1 / h1-h3"),
        ("~CC5_1_2", "values 1 2 h5"),
    ],
)
def test_iss_types(text: str, line: str) -> None:
    """Each type about regions means the constraint, and is written back."""
    puzzle = se.read(f".Shape~4x4.NoBoxes.ChaosConstruction.{text}")
    assert line in [one.text(puzzle.geometry) for one in puzzle.constraints]
    assert set(se.read(text_of(puzzle)).constraints) == set(puzzle.constraints)


WRONG = {
    "chaos-construction h1-h4": "4 cells; expected 16, a hidden cell for each of the grid",
    "chaos-construction r1c1-r1c4": "4 cells; expected 16, a hidden cell for each of the grid",
    "region-run r1c1 / h1 h2 / h2 h3": "its lines begin at several cells; expected one cell from which all begin",
    "region-count 2 r1c1 / h1": "not 0 or 1: 2, how many first cells are left out",
    "connected 5": "not a value: 5 (1 to 4)",
    "connected 20-30 1": "impossible number of cells 20-30: expected 1 to 16",
    "connected 1 h1 h2": "2 cells with hidden ones; expected 16, a hidden cell for each of the grid",
    "either connected 1 | odd r1c1": (
        "connected cells and regions cannot be read cell by cell; expected other constraints"
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_refused(text: str) -> None:
    """What cannot be is refused in a line."""
    with pytest.raises(FormatError) as caught:
        Puzzle.of(board("latin:4x4"), constraints=[text])
    assert caught.value.message == f"{text.split(maxsplit=1)[0]}: {WRONG[text]}"


def test_boards_without_regions() -> None:
    """Boards without neighbours, and of more regions than values, are refused."""
    with pytest.raises(FormatError, match="it needs neighbours"):
        Puzzle.of(board("corner:2"), constraints=["connected 1"])
    with pytest.raises(FormatError, match="64 cells of 4 values; expected at most 4 regions"):
        Puzzle.of(board("4x4x4"), constraints=["chaos h1-h64"])
