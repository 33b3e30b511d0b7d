"""Algorithm 1 of Jana et al. 2023: the paper's matrices, each constraint by itself, and that none takes too much."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import jana2021, jana2023_v1, jana2023_v2
from sudoku_encode.papers.jana2023_v1 import Matrix, Use, eliminate, show_uses
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.puzzles.rules import CUBE_RULES
from sudoku_encode.puzzles.step import Step
from tests.helpers.known_puzzles import known
from tests.helpers.small_cubes import ROWS, cubes
from tests.helpers.solution_sets import after, all_by_sat, different, never, rows_of

PAPER = "papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"

# x y z, the candidates, their count; 130 without the printed 4 5 2, a slip for the 4 5 8 of Fig. 8b.
FIG_8A = """
0 3 2  4 8 9 0 0 0 0 0 0  3
0 3 6  4 0 0 0 0 0 0 0 0  1
0 3 8  8 0 0 0 0 0 0 0 0  1
0 4 1  5 0 0 0 0 0 0 0 0  1
0 5 0  4 8 0 0 0 0 0 0 0  2
0 5 1  3 4 0 0 0 0 0 0 0  2
0 5 2  3 4 8 0 0 0 0 0 0  3
1 3 0  4 5 8 0 0 0 0 0 0  3
1 3 1  3 4 5 0 0 0 0 0 0  3
1 3 2  3 4 5 8 0 0 0 0 0  4
1 3 8  3 5 0 0 0 0 0 0 0  2
1 5 2  3 5 0 0 0 0 0 0 0  2
1 5 7  3 0 0 0 0 0 0 0 0  1
2 3 0  5 0 0 0 0 0 0 0 0  1
2 3 8  3 0 0 0 0 0 0 0 0  1
2 4 2  4 0 0 0 0 0 0 0 0  1
"""
FIG_8B = [
    "036",
    "038",
    "041",
    "157",
    "230",
    "238",
    "242",
    "050",
    "051",
    "138",
    "152",
    "032",
    "052",
    "130",
    "131",
    "132",
]
FIG_9 = """
0 3 6  4 0 0 0 0 0 0 0 0  1
0 3 8  8 0 0 0 0 0 0 0 0  1
0 4 1  5 0 0 0 0 0 0 0 0  1
1 5 7  3 0 0 0 0 0 0 0 0  1
2 3 0  5 0 0 0 0 0 0 0 0  1
2 3 8  3 0 0 0 0 0 0 0 0  1
2 4 2  4 0 0 0 0 0 0 0 0  1
1 3 8  5 0 0 0 0 0 0 0 0  1
1 5 2  5 0 0 0 0 0 0 0 0  1
0 3 2  9 0 0 0 0 0 0 0 0  1
0 5 0  4 8 0 0 0 0 0 0 0  2
0 5 1  3 4 0 0 0 0 0 0 0  2
0 5 2  3 8 0 0 0 0 0 0 0  2
1 3 0  4 8 0 0 0 0 0 0 0  2
1 3 1  3 4 0 0 0 0 0 0 0  2
1 3 2  3 8 0 0 0 0 0 0 0  2
"""
TABLE_3 = {"050": "48", "051": "34", "052": "83", "130": "84", "131": "43", "132": "38"} | {
    blank: value * 2
    for blank, value in zip(
        ["036", "038", "041", "157", "230", "238", "242", "138", "152", "032"], "4853534559", strict=True
    )
}


def numbers(table: str) -> list[list[int]]:
    return [[int(number) for number in row.split()] for row in table.strip().splitlines()]


def lists(matrix: Matrix) -> dict[int, str]:
    return {
        cell: "".join(str(value + 1) for value in np.flatnonzero(row))
        for cell, row in zip(matrix.cells.tolist(), matrix.candidates, strict=True)
    }


def uses(
    lists_: dict[int, str], rules: tuple[str, ...] = ("row-z",), minigrids: bool = False, name: str = "9x9x9"
) -> list[Use]:
    """The uses of constraints that remove something, where the blanks have these candidates."""
    geometry = board(name, rules)
    left = np.array([[str(value) in some for value in range(1, geometry.n_values + 1)] for some in lists_.values()])
    _, log = eliminate(Matrix(geometry, np.array(list(lists_)), left), never, minigrids)
    return [use for use in log if use.removed]


ALL = "123456789"


def test_figure_8a() -> None:
    """P is that of figure 8a."""
    assert Matrix.of(known(PAPER).puzzle).table().tolist() == numbers(FIG_8A)


def test_figure_8b() -> None:
    """P sorted is that of figure 8b."""
    table = Matrix.of(known(PAPER).puzzle).sorted().table()

    assert ["".join(map(str, row[:3])) for row in table.tolist()] == FIG_8B
    assert sorted(table.tolist()) == sorted(numbers(FIG_8A))


def test_figure_9() -> None:
    """P reduced and sorted is that of figure 9."""
    reduced, _ = eliminate(Matrix.of(known(PAPER).puzzle).sorted(), never)

    assert reduced.sorted().table().tolist() == numbers(FIG_9)


def test_table_3() -> None:
    """The solutions are the two of table 3."""
    puzzle = known(PAPER).puzzle
    expected = []
    for which in (0, 1):
        grid = puzzle.givens.copy()
        for blank, values in TABLE_3.items():
            grid[int(blank[0]) * 81 + int(blank[1]) * 9 + int(blank[2])] = values[which]
        expected.append(tuple(grid.tolist()))

    assert rows_of(jana2023_v1.solutions(puzzle, never)) == expected
    assert different(jana2021.solutions(puzzle, never)) == set(expected)
    assert different(jana2023_v2.solutions(puzzle, never)) == set(expected)
    assert rows_of(jana2023_v1.solutions(Puzzle.of(board("9x9x9"), puzzle.givens), never)) == expected[:1]


def test_singles_beyond_rows() -> None:
    """Figure 9 needs singles to act beyond their rows."""
    # 5 is alone in 138, whose 3 no single of its row along z can take, and the only row rule is row-z.
    puzzle = known(PAPER).puzzle
    geometry = puzzle.geometry
    cell = 81 + 27 + 8
    _, log = eliminate(Matrix.of(puzzle).sorted(), never)
    (step,) = (step for step in log if (cell, 3) in step.removed)

    assert step.cells == (81 + 45 + 7,)
    assert step.cells[0] // 9 != cell // 9
    assert step.cells[0] in geometry.peers[cell]


def test_naked_single() -> None:
    """A naked single removes its value from its peers."""
    assert uses({0: "1", 1: "123", 2: "123", 90: "123"}) == [
        Use("naked single", (0,), (1,), "", ((1, 1), (2, 1))),
    ]
    assert uses({0: "1", 1: "123", 10: "123", 90: "123"}, ("box-yz",))[0].removed == ((1, 1), (10, 1))


def test_hidden_single() -> None:
    """What becomes single is a hidden single."""
    assert uses({0: "1", 1: "12", 2: "2345", 3: "345"}) == [
        Use("naked single", (0,), (1,), "", ((1, 1),)),
        Use("hidden single", (1,), (2,), "", ((2, 2),)),
    ]


def test_lone_ranger() -> None:
    """A lone ranger is the only blank of its row with a value."""
    blanks = {0: "12", **dict.fromkeys(range(1, 9), ALL[1:])}

    assert uses(blanks) == [
        Use("lone ranger", (0,), (1,), "row-z", ((0, 2),)),
    ]


def test_two_lone_values() -> None:
    """A blank with two lone values is left to the tree."""
    assert uses({0: "123", **dict.fromkeys(range(1, 9), "3456789")}) == []


def test_long_unit() -> None:
    """No value is lone in a unit of more cells than values."""
    blanks = {0: "123", 1: "234", 2: "234", 3: "234", 4: "234"}

    assert not [step for step in uses(blanks, ("row-x",), name="4x4x4:literal") if step.constraint == "lone ranger"]


def test_twins() -> None:
    """A twin takes both its values from the rest of the row."""
    blanks = {0: "12", 4: "12", **dict.fromkeys((1, 2, 3, 5, 6, 7, 8), ALL)}

    assert uses(blanks) == [
        Use("twin", (0, 4), (1, 2), "row-z", tuple((cell, value) for cell in (1, 2, 3, 5, 6, 7, 8) for value in (1, 2)))
    ]


@pytest.mark.parametrize("three", [("123", "123", "123"), ("12", "23", "13"), ("123", "12", "123")])
def test_triplets(three: tuple[str, str, str]) -> None:
    """A triplet takes its three values from the rest of the row."""
    blanks = dict(zip((0, 4, 8), three, strict=True)) | dict.fromkeys((1, 2, 3, 5, 6, 7), ALL)

    assert uses(blanks) == [
        Use(
            "triplet",
            (0, 4, 8),
            (1, 2, 3),
            "row-z",
            tuple((cell, value) for cell in (1, 2, 3, 5, 6, 7) for value in (1, 2, 3)),
        )
    ]


def test_not_a_triplet() -> None:
    """Three blanks of four values are no triplet."""
    assert uses({0: "123", 4: "124", 8: "123", **dict.fromkeys((1, 2, 3, 5, 6, 7), ALL)}) == []


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({2: "47", 6: "7"}, {2: "4", 6: "7"}),
        ({1: "23", 4: "27", 5: "23", 7: "36"}, {1: "23", 4: "7", 5: "23", 7: "6"}),
        ({1: "236", 4: "236", 5: "236", 7: "56"}, {1: "236", 4: "236", 5: "236", 7: "5"}),
    ],
    ids=["figure 13", "figure 15", "figure 16"],
)
@pytest.mark.parametrize(("rule", "step"), [("row-x", 81), ("row-y", 9), ("row-z", 1)])
def test_example_rows(row: dict[int, str], expected: dict[int, str], rule: str, step: int) -> None:
    """The paper's example rows along every dimension."""
    left = np.array([[value in some for value in ALL] for some in row.values()])
    matrix = Matrix(board("9x9x9", [rule]), np.array(list(row)) * step, left)

    reduced, _ = eliminate(matrix, never)
    assert lists(reduced) == {cell * step: some for cell, some in expected.items()}


def test_rules_that_hold() -> None:
    """A constraint is applied along the rows of rules that hold only."""
    along = {0: "12", 9: "12", 18: "1345", 27: "2345"}

    assert [step.rule for step in uses(along, ("row-y",))] == ["row-y"]
    for rules in (("row-x", "row-z"), ("row-z", "box-xy", "box-xz", "box-yz")):
        assert uses(along, rules) == []


def test_minigrid_rows() -> None:
    """Minigrids are rows only when asked."""
    # 0 and 10 share a box of the yz-plane and no row.
    box = {0: "12", 10: "12", 19: "12345", 20: "12345"}
    rules = ("row-z", "box-yz")

    assert uses(box, rules) == []
    assert uses(box, rules, minigrids=True) == [
        Use("twin", (0, 10), (1, 2), "box-yz", ((19, 1), (19, 2), (20, 1), (20, 2)))
    ]


def test_last_value_taken() -> None:
    """A blank whose last value is taken is no trouble."""
    log = uses({0: "1", 1: "1", 2: "12", 3: "12"})

    assert log[0] == Use("naked single", (0,), (1,), "", ((1, 1), (2, 1), (3, 1)))
    # The twin 1 2 leaves 3 alone to two blanks: they are singles then, no twin.
    log = uses({0: "12", 1: "12", 2: "13", 3: "13", 4: "3456"})
    assert [(step.constraint, step.values) for step in log[:2]] == [("twin", (1, 2)), ("hidden single", (3,))]


@pytest.mark.slow
@given(puzzle=cubes())
@settings(derandomize=True, max_examples=120, deadline=None)
def test_solutions_kept(puzzle: Puzzle) -> None:
    """No constraint takes a value that a solution has."""
    assume(puzzle.clash is None)
    expected = all_by_sat(puzzle)
    start = Matrix.of(puzzle).sorted()
    for minigrids in (False, True):
        reduced, log = eliminate(start, never, minigrids)

        assert reduced.cells.tolist() == start.cells.tolist()
        for row, cell in enumerate(start.cells.tolist()):
            had, has = ({value + 1 for value in np.flatnonzero(m.candidates[row]).tolist()} for m in (start, reduced))
            gone = [value for step in log for at, value in step.removed if at == cell]
            assert len(set(gone)) == len(gone)
            assert had - has == set(gone)
            assert {grid[cell] for grid in expected} <= has <= had
        assert different(jana2023_v1.solutions(puzzle, never, minigrids=minigrids)) == expected


@given(puzzle=cubes(wrong=False))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_little_memory(puzzle: Puzzle) -> None:
    """Little memory changes no solution."""
    assert rows_of(jana2023_v1.solutions(puzzle, never, 1)) == rows_of(jana2023_v1.solutions(puzzle, never))


@given(puzzle=cubes())
@settings(derandomize=True, max_examples=30, deadline=None)
def test_fewest_first(puzzle: Puzzle) -> None:
    """The tree grows over the fewest candidates first."""
    counts = jana2023_v1.plan(puzzle, never).candidates.sum(axis=1).tolist()

    assert counts == sorted(counts)


def explained() -> list[Step]:
    return list(jana2023_v1.explain(known(PAPER).puzzle, never))


def test_explained_order() -> None:
    """All is explained in the paper's order."""
    first, ordered, *rest = explained()
    reduced = next(step for step in rest if step.kind == "candidates")
    after_p = [str(step) for step in rest[rest.index(reduced) + 1 :]]

    for step, head, matrix in (
        (first, "P: x, y, z, candidates, their count", numbers(FIG_8A)),
        (ordered, "P sorted", None),
        (reduced, "P reduced and sorted", numbers(FIG_9)),
    ):
        said, *lines = str(step).splitlines()
        assert said == head
        assert matrix is None or numbers("\n".join(lines)) == matrix
    assert ordered.data["index"] == FIG_8B
    assert str(rest[0]) == "constraints: 10 steps, which remove 9 candidates"
    assert after_p[0].split() == ["level", "blank", "candidates", "open", "END"]
    # Fig. 12, its two solutions in the order of Table 3.
    assert after_p[17].splitlines()[1:] == [
        "036 038 041 157 230 238 242 138 152 032 050 051 052 130 131 132",
        "4 > 8 > 5 > 3 > 5 > 3 > 4 > 5 > 5 > 9 > 4 > 3 > 8 > 8 > 4 > 3  solution 1",
        " " * 40 + "8 > 3 > END",
        " " * 44 + "4 > 3 > 4 > 3 > 8  solution 2",
    ]
    assert after_p[-1] == "2 branches open after the last level: the solutions"


def test_step_reasons() -> None:
    """Each step names the rule and the cells behind it."""
    said = [str(step) for step in explained()]

    # 138 loses its 3 to 157 by a minigrid, not by a row; and what becomes single is a hidden single.
    assert "naked single 157 = x1y5z7: 3; removes 3 from 138 = x1y3z8 by box-yz; 3 from 152 = x1y5z2 by row-z" in said
    assert "naked single 238 = x2y3z8: 3" in said
    assert [text for text in said if text.startswith("hidden")] == [
        "hidden single 032 = x0y3z2: 9, which lost 4 by 036, 8 by 038",
        "hidden single 138 = x1y3z8: 5, which lost 3 by 157",
        "hidden single 152 = x1y5z2: 5, which lost 3 by 157",
    ]
    (step,) = (step for step in explained() if str(step).startswith("hidden single 032"))
    assert step.because == (29, 33, 35)
    assert step.places == ((29, 9),)


def test_step_places() -> None:
    """A step in a row says where the row is."""
    geometry = board("9x9x9")
    _, step = show_uses(geometry, [Use("twin", (0, 4), (1, 2), "row-z", ((1, 1), (2, 2)))])

    assert str(step) == (
        "twin 000 = x0y0z0, 004 = x0y0z4: 1 2 in row-z 000 to 008; removes 1 from 001 = x0y0z1, 2 from 002 = x0y0z2"
    )
    assert step.data["unit"][0] == "x0y0z0"
    assert (step.kind, step.because, step.removes) == ("remove", (0, 4), ((1, 1), (2, 2)))


@given(puzzle=cubes())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_replayed(puzzle: Puzzle) -> None:
    """The steps replayed on p end at the reduced p."""
    assume(puzzle.clash is None and len(puzzle.blanks) < 40)
    matrix, geometry = Matrix.of(puzzle), puzzle.geometry
    for minigrids in (False, True):
        reduced, log = eliminate(matrix.sorted(), never, minigrids)
        left = dict(zip(matrix.cells.tolist(), ({*some} for some in map(values, matrix.candidates)), strict=True))
        for step in show_uses(geometry, log):
            for cell, value in step.places:
                assert left[cell] == {value}
            for cell, value in step.removes:
                left[cell].remove(value)
                # A unit holds the cell and those that are the reason.
                causes = step.because[:1] if step.rule.endswith("single") else step.because
                assert all(cell == by or by in geometry.peers[cell] for by in causes)
        ours = dict(zip(reduced.cells.tolist(), ({*some} for some in map(values, reduced.candidates)), strict=True))
        assert left == ours
        singles = {cell for step in show_uses(geometry, log) for cell, _ in step.places}
        assert singles >= {cell for cell, some in ours.items() if len(some) == 1}


def values(row: Candidates) -> list[int]:
    return [value + 1 for value in np.flatnonzero(row).tolist()]


def test_stopped() -> None:
    """An explanation that is stopped has said what it knew."""
    shown: list[str] = []
    with pytest.raises(StoppedError):
        shown.extend(map(str, jana2023_v1.explain(known(PAPER).puzzle, after(0))))

    assert numbers("\n".join(shown[0].splitlines()[1:])) == numbers(FIG_8A)
    assert shown[1].startswith("P sorted\n")


def test_full_cube() -> None:
    """A full cube has an empty matrix."""
    full = known("papers/jana-2023-table-1.txt").puzzle
    reduced, log = eliminate(Matrix.of(full), never)

    assert reduced.table().shape == (0, 13)
    assert log == []
    assert rows_of(jana2023_v1.solutions(full, never)) == [tuple(full.givens.tolist())]


def test_deadline() -> None:
    """The constraints ask for the time often enough."""
    ticks = [0]

    def tick() -> None:
        ticks[0] += 1

    eliminate(Matrix.of(Puzzle.of(board("16x16x16", ROWS))), tick)
    assert ticks[0] >= 3 * 768


def test_cubes_only() -> None:
    """Only cubes are done."""
    assert (
        jana2023_v1.unsupported_reason(board("9x9"))
        == jana2021.unsupported_reason(board("9x9"))
        == "it supports only cubes"
    )
    assert jana2023_v1.unsupported_reason(board("9x9x9", CUBE_RULES[:2])) == ""


# Section III-B: what each row is for; all five constraints on the last one, and on a cube, in the paper's order.
FIVE = ["naked single", "hidden single", "lone ranger", "twin", "triplet"]


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("cubes/jana-2023-constraints.json#1 row-z", ["lone ranger"]),
        ("cubes/jana-2023-constraints.json#2 row-z", ["twin"]),
        ("cubes/jana-2023-constraints.json#3 row-z", ["triplet"]),
        ("cubes/jana-2023-constraints.json#4 row-z", FIVE),
        ("small/4x4x4-five-constraints.txt", FIVE),
    ],
)
def test_rows_for_constraints(name: str, first: list[str]) -> None:
    """Each row for a constraint shows it first, and all five act one after another."""
    _, log = eliminate(Matrix.of(known(name).puzzle).sorted(), never)
    assert list(dict.fromkeys(use.constraint for use in log))[: len(first)] == first
