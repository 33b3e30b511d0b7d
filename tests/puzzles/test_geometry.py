"""Boards against units written out by hand: every method shares the geometry, so no comparison can see it wrong."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.geometry import Geometry, Rule, tiling
from sudoku_encode.puzzles.shapes import cube, jigsaw, literal_cube, square
from tests.helpers.puzzles import JIGSAW_4, KINDS_OF_BOARDS, REGIONS_4, units_of

ROWS_6 = [
    [0, 1, 2, 3, 4, 5],
    [6, 7, 8, 9, 10, 11],
    [12, 13, 14, 15, 16, 17],
    [18, 19, 20, 21, 22, 23],
    [24, 25, 26, 27, 28, 29],
    [30, 31, 32, 33, 34, 35],
]
COLUMNS_6 = [
    [0, 6, 12, 18, 24, 30],
    [1, 7, 13, 19, 25, 31],
    [2, 8, 14, 20, 26, 32],
    [3, 9, 15, 21, 27, 33],
    [4, 10, 16, 22, 28, 34],
    [5, 11, 17, 23, 29, 35],
]
# Two rows by three columns: wide boxes.
BOXES_6_2X3 = [
    [0, 1, 2, 6, 7, 8],
    [3, 4, 5, 9, 10, 11],
    [12, 13, 14, 18, 19, 20],
    [15, 16, 17, 21, 22, 23],
    [24, 25, 26, 30, 31, 32],
    [27, 28, 29, 33, 34, 35],
]
# Three rows by two columns: tall boxes.
BOXES_6_3X2 = [
    [0, 1, 6, 7, 12, 13],
    [2, 3, 8, 9, 14, 15],
    [4, 5, 10, 11, 16, 17],
    [18, 19, 24, 25, 30, 31],
    [20, 21, 26, 27, 32, 33],
    [22, 23, 28, 29, 34, 35],
]
WINDOWS_9 = [
    [10, 11, 12, 19, 20, 21, 28, 29, 30],
    [14, 15, 16, 23, 24, 25, 32, 33, 34],
    [46, 47, 48, 55, 56, 57, 64, 65, 66],
    [50, 51, 52, 59, 60, 61, 68, 69, 70],
]
#  a a b b
#  a a b b
#  c c d d
#  c c d d
BOXES_4 = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]


def test_wide_6x6() -> None:
    """Units of 6x6 with wide boxes are those written by hand."""
    wanted = {"row": ROWS_6, "column": COLUMNS_6, "box": BOXES_6_2X3}

    assert units_of(square(6, (2, 3))) == wanted
    assert units_of(square(6)) == wanted


def test_tall_6x6() -> None:
    """Units of 6x6 with tall boxes are those written by hand."""
    assert units_of(square(6, (3, 2))) == {"row": ROWS_6, "column": COLUMNS_6, "box": BOXES_6_3X2}


def test_cube_units() -> None:
    """Units of the cube are those of the definition."""
    wanted: dict[str, dict[tuple[int, ...], list[int]]] = {
        name: {} for name in ("row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz")
    }
    for x in range(4):
        for y in range(4):
            for z in range(4):
                cell = 16 * x + 4 * y + z
                # A row along an axis: that coordinate runs, the other two stay.
                wanted["row-x"].setdefault((y, z), []).append(cell)
                wanted["row-y"].setdefault((x, z), []).append(cell)
                wanted["row-z"].setdefault((x, y), []).append(cell)
                # A box in a plane: the third coordinate stays.
                wanted["box-xy"].setdefault((x // 2, y // 2, z), []).append(cell)
                wanted["box-xz"].setdefault((x // 2, y, z // 2), []).append(cell)
                wanted["box-yz"].setdefault((x, y // 2, z // 2), []).append(cell)

    assert units_of(cube(4)) == {name: sorted(units.values()) for name, units in wanted.items()}


def test_windoku() -> None:
    """Windoku has four windows and not the cells between them."""
    assert units_of(square(9, extra=["windoku"]))["window"] == WINDOWS_9
    assert units_of(square(4, extra=["windoku"]))["window"] == [[5, 6, 9, 10]]
    assert units_of(square(6, (3, 2), extra=["windoku"]))["window"] == [[7, 8, 13, 14, 19, 20]]


@pytest.mark.parametrize(
    ("n", "down", "up"), [(4, [0, 5, 10, 15], [3, 6, 9, 12]), (5, [0, 6, 12, 18, 24], [4, 8, 12, 16, 20])]
)
def test_diagonals(n: int, down: list[int], up: list[int]) -> None:
    """Diagonals run through the corners."""
    units = units_of(square(n, extra=["diagonals"]))

    assert (units["diagonal"], units["antidiagonal"]) == ([down], [up])


def test_jigsaw() -> None:
    """A jigsaw has its regions in place of boxes."""
    units = units_of(jigsaw(JIGSAW_4, "mine"))

    assert units["region"] == REGIONS_4
    assert units["row"] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]
    assert units["column"] == [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]]
    assert list(units) == ["row", "column", "region"]


def test_jigsaw_numbers() -> None:
    """A jigsaw takes any numbers for its regions."""
    renamed = [[70, 3, 9, 1][region] for region in JIGSAW_4]

    assert units_of(jigsaw(renamed, "mine"))["region"] == REGIONS_4


@pytest.mark.parametrize(
    ("board", "n_cells", "n_units", "n_edges", "degree"),
    [
        (square(4), 16, 12, 56, 7),
        (square(6), 36, 18, 216, 12),
        (square(9), 81, 27, 810, 20),
        (square(16), 256, 48, 4992, 39),
        (square(25), 625, 75, 20000, 64),
        (cube(4), 64, 96, 384, 12),
        (cube(9), 729, 486, 13122, 36),
        (cube(16), 4096, 1536, 147456, 72),
    ],
    ids=lambda value: value.name if isinstance(value, Geometry) else None,
)
def test_known_figures(board: Geometry, n_cells: int, n_units: int, n_edges: int, degree: int) -> None:
    """A board has the known figures."""
    assert (board.n_cells, board.n_units, len(board.edges)) == (n_cells, n_units, n_edges)
    assert {len(peers) for peers in board.peers} == {degree}


def test_literal_cube_clique() -> None:
    """The literal cube has cliques of 81."""
    board = literal_cube(9)

    assert len(board.edges) == 107_892
    assert {len(peers) for peers in board.peers} == {296}
    assert board.oversized_unit is not None
    name, cells = board.oversized_unit
    assert len(cells) == 81
    edges = set(map(tuple, board.edges.tolist()))
    assert all(pair in edges for pair in combinations(sorted(cells.tolist()), 2)), name


def test_no_other_clique() -> None:
    """No other board has a clique."""
    assert [name for name, make in KINDS_OF_BOARDS.items() if make().oversized_unit] == ["4x4x4:literal"]


@pytest.mark.parametrize("name", KINDS_OF_BOARDS)
def test_edges(name: str) -> None:
    """Edges are the pairs of all units once and smaller first."""
    board = KINDS_OF_BOARDS[name]()
    wanted = {
        (min(pair), max(pair)) for rule in board.rules for unit in rule.units.tolist() for pair in combinations(unit, 2)
    }
    edges = list(map(tuple, board.edges.tolist()))

    assert len(edges) == len(set(edges))
    assert set(edges) == wanted


@pytest.mark.parametrize("name", KINDS_OF_BOARDS)
def test_peers(name: str) -> None:
    """Peers are symmetric and ascending and cover the edges."""
    board = KINDS_OF_BOARDS[name]()
    pairs = {(cell, int(peer)) for cell, peers in enumerate(board.peers) for peer in peers}

    assert len(board.peers) == board.n_cells
    assert pairs == {(b, a) for a, b in pairs}
    assert {pair for pair in pairs if pair[0] < pair[1]} == set(map(tuple, board.edges.tolist()))
    assert all(peers.tolist() == sorted(set(peers.tolist())) for peers in board.peers)


def test_lone_cell() -> None:
    """A cell without units has no peers."""
    board = Geometry("three", (1, 3), 2, (Rule("pair", np.array([[0, 1]], np.int32)),))

    assert [peers.tolist() for peers in board.peers] == [[1], [0], []]


@pytest.mark.parametrize("name", KINDS_OF_BOARDS)
def test_n_pairs(name: str) -> None:
    """N pairs counts a pair once for each unit that has it."""
    board = KINDS_OF_BOARDS[name]()

    assert board.n_pairs == sum(
        1 for rule in board.rules for unit in rule.units.tolist() for _ in combinations(unit, 2)
    )


@pytest.mark.parametrize("name", KINDS_OF_BOARDS)
def test_unit_of_cell(name: str) -> None:
    """Each cell has a unit of each rule that has it."""
    board = KINDS_OF_BOARDS[name]()
    units = [unit for rule in board.rules for unit in rule.units.tolist()]
    first = np.cumsum([0, *(len(rule.units) for rule in board.rules)])

    assert board.units_of_cells.shape == (board.n_cells, len(board.rules))
    for cell, numbers in enumerate(board.units_of_cells.tolist()):
        for rule, number in enumerate(numbers):
            mine = [at for at in range(first[rule], first[rule + 1]) if cell in units[at]]
            assert [number] == (mine or [-1])


CLASSIC: dict[str, Callable[[], Geometry]] = {
    "4x4": lambda: square(4),
    "9x9": lambda: square(9),
    "9x9 by its box": lambda: square(9, (3, 3)),
    "16x16": lambda: square(16),
    "regions that are boxes": lambda: jigsaw(BOXES_4, "jigsaw:1122112233443344"),
    "rules in another order": lambda: replace(square(9), rules=square(9).rules[::-1], box=None),
    "a rule twice": lambda: replace(square(9), rules=(*square(9).rules, tiling("again", (9, 9), (1, 9)))),
    "units in another order": lambda: Geometry(
        "mine", (4, 4), 4, tuple(Rule(f"rule {at}", rule.units[::-1, ::-1]) for at, rule in enumerate(square(4).rules))
    ),
}
NOT_CLASSIC: dict[str, Callable[[], Geometry]] = {
    **{name: make for name, make in KINDS_OF_BOARDS.items() if name not in CLASSIC},
    "9x9:1x9": lambda: square(9, (1, 9)),
    "without boxes": lambda: square(9).with_rules(["row", "column"]),
    "without rows": lambda: square(9).with_rules(["column", "box"]),
    "with a rule more": lambda: square(4, extra=["diagonals"]),
    "with a value more": lambda: replace(square(4), n_values=5),
    "with boxes of those names only": lambda: replace(
        square(4), rules=(*square(4).rules[:2], Rule("box", np.array(REGIONS_4, np.int32)))
    ),
    "with a unit less": lambda: replace(
        square(4), rules=(*square(4).rules[:2], replace(square(4).rules[2], units=square(4).rules[2].units[1:]))
    ),
}


@pytest.mark.parametrize("name", CLASSIC)
def test_classic(name: str) -> None:
    """A classic board has rows columns and square boxes whatever they are called."""
    assert CLASSIC[name]().is_classic


@pytest.mark.parametrize("name", NOT_CLASSIC)
def test_not_classic(name: str) -> None:
    """A board with other units is not classic."""
    assert not NOT_CLASSIC[name]().is_classic


def test_full_rules() -> None:
    """Full rules have as many cells in a unit as there are values."""
    short = Rule("short", np.array([[0, 1], [4, 5]], np.int32))
    long = Rule("long", np.array([[0, 1, 2, 3, 4]], np.int32))
    board = Geometry("mixed", (4, 4), 4, (tiling("row", (4, 4), (1, 4)), short, long))

    assert [rule.name for rule in board.full_rules] == ["row"]
    assert literal_cube(4).full_rules == ()
    assert len(cube(4).full_rules) == 6


def test_labels() -> None:
    """Labels count from one on a square and from zero on a cube."""
    assert [square(9).cell_name(cell) for cell in (0, 2, 9, 80)] == ["r1c1", "r1c3", "r2c1", "r9c9"]
    assert [cube(4).cell_name(cell) for cell in (0, 14, 16, 63)] == ["x0y0z0", "x0y3z2", "x1y0z0", "x3y3z3"]


def test_unique_labels() -> None:
    """Every cell has its own label."""
    for board in (square(6), cube(4)):
        labels = [board.cell_name(cell) for cell in range(board.n_cells)]
        by_axes = product(*[range(side) for side in board.shape])
        wanted = [f"r{at[0] + 1}c{at[1] + 1}" if len(at) == 2 else f"x{at[0]}y{at[1]}z{at[2]}" for at in by_axes]
        assert labels == wanted


def test_with_rules() -> None:
    """With rules keeps the rules named in the order of the board."""
    board = square(9).with_rules(["box", "row"])

    assert board.rule_names == ("row", "box")
    assert units_of(board) == {name: units_of(square(9))[name] for name in ("row", "box")}
    assert len(board.edges) == 81 * 14 // 2
    assert board.name == "9x9"


def test_with_rules_is_new() -> None:
    """With rules does not change the board it is asked of."""
    board = square(9)
    board.with_rules(["row"])

    assert board.rule_names == ("row", "column", "box")


def test_all_rules() -> None:
    """With all rules is the board itself."""
    board = square(9)

    assert board.with_rules(["box", "row", "column"]) is board


def test_without_boxes() -> None:
    """A board without its boxes has no box."""
    board = square(6, extra=["diagonals"])

    assert board.with_rules(["row", "box"]).box == (2, 3)
    assert board.with_rules(["row", "column", "diagonal"]).box is None


def test_unknown_rule() -> None:
    """An unknown rule is refused with the rules there are."""
    with pytest.raises(GeometryError, match=r"9x9 has no rule 'box-xy'; its rules are row, column, box"):
        square(9).with_rules(["row", "box-xy"])


def test_no_rules() -> None:
    """No rule at all is refused."""
    with pytest.raises(GeometryError, match="no rule given; 9x9 has row, column, box"):
        square(9).with_rules([])


def test_overlapping_rule() -> None:
    """Units of one rule may not overlap."""
    crossing = Rule("cross", np.array([[0, 1], [1, 2]], np.int32))

    with pytest.raises(GeometryError, match="two units of rule cross share a cell"):
        Geometry("bad", (2, 2), 2, (crossing,))


def test_bad_tiling() -> None:
    """Blocks that do not tile the shape are refused."""
    with pytest.raises(GeometryError, match="rule box: blocks"):
        tiling("box", (9, 9), (2, 3))


@pytest.mark.parametrize(
    ("box", "message"), [((2, 2), "hold 4 cells, a 6x6 board needs 6"), ((0, 6), "needs 6"), ((-2, -3), "needs 6")]
)
def test_bad_box(box: tuple[int, int], message: str) -> None:
    """Boxes that do not hold n cells are refused."""
    with pytest.raises(GeometryError, match=message):
        square(6, box)


@pytest.mark.parametrize("n", [-1, 0, 1])
def test_square_side(n: int) -> None:
    """A square needs a side of two."""
    with pytest.raises(GeometryError, match="at least 2"):
        square(n)


@pytest.mark.parametrize("make", [cube, literal_cube])
@pytest.mark.parametrize("n", [0, 1, 2, 5, 8])
def test_cube_side(make: Callable[[int], Geometry], n: int) -> None:
    """A cube needs a square side."""
    with pytest.raises(GeometryError, match="4, 9, 16, 25"):
        make(n)


@pytest.mark.parametrize(
    ("regions", "message"),
    [
        ([0] * 15, "n \\* n symbols, this one has 15"),
        ([0], "n \\* n symbols"),
        ([0] * 8 + [1] * 8, "4 regions of 4 cells, this one has 2 regions of 8, 8 cells"),
        ([0] * 5 + [1] * 3 + [2] * 4 + [3] * 4, "this one has 4 regions of 3, 4, 4, 5 cells"),
    ],
)
def test_bad_regions(regions: list[int], message: str) -> None:
    """Regions of the wrong size are refused."""
    with pytest.raises(GeometryError, match=message):
        jigsaw(regions, "bad")


def test_too_many_values() -> None:
    """More values than a byte holds are refused."""
    with pytest.raises(GeometryError, match="at most 255 values"):
        square(256)
