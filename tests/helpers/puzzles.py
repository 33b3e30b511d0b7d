"""Puzzles that several test modules use, and random ones.

A text has a symbol a cell, and what is no digit is a blank.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from sudoku_encode.generating.grids import pattern
from sudoku_encode.methods.calls import solutions
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.shapes import cube, jigsaw, literal_cube, square
from sudoku_encode.run.limits import Deadline
from tests.helpers.plain_search import by_hand

RIGHT_4 = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]

STRIP = Geometry(
    "2x3 of 4 values",
    (2, 3),
    4,
    (
        Rule("row", np.array([[0, 1, 2], [3, 4, 5]], np.int32)),
        Rule("column", np.array([[0, 3], [1, 4], [2, 5]], np.int32)),
    ),
)
LOOSE = Geometry("a pair and a loose cell", (1, 3), 2, (Rule("row", np.array([[0, 1]], np.int32)),))


#  a a a b
#  a c b b
#  c c b d
#  c d d d
JIGSAW_4 = [0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 1, 3, 2, 3, 3, 3]
REGIONS_4 = [[0, 1, 2, 4], [3, 6, 7, 10], [5, 8, 9, 12], [11, 13, 14, 15]]

# Inkala's ten: the variables that one pass over the givens leaves, clauses with repetitions, and each once.
TOP_TEN = {
    "escargot": ("100007090030020008009600500005300900010080002600004000300000010040000007007000300", 223, 1680, 1472),
    "killer": ("000000070060010004003400200800003050002900700040080009020060007000100900700008060", 220, 1642, 1445),
    "diamond": ("100500400009030000070008005001000030800600500090007008004020010200800600000001002", 214, 1552, 1369),
    "worm hole": ("080000001007004020600300700002009000100060008030400000001700600090008005000000040", 229, 1729, 1523),
    "labyrinth": ("100400800040030009009006050050300000000001600000070002004010900700800004020004080", 221, 1630, 1430),
    "circles": ("005009700060000020100800006010700004007060030600003200000006040090050100800100002", 210, 1518, 1341),
    "squadron": ("600000200090001005008030040000002001500600900007090000070003002000400500006070080", 221, 1615, 1417),
    "honeypot": ("100000060000100003005002900009001000700040080030500002500400006008060070070005000", 231, 1767, 1545),
    "tweezers": ("000010004030200000600008090007060005900005080000800400040900100700002040005030007", 214, 1533, 1349),
    "brick": ("400060070000000600030002001700008500010400000020950000000000705009100030003040080", 219, 1598, 1392),
}


# Puzzles with one solution that need the technique and none after it. From public collections: Royle's
# puzzles of 17 givens, and magictour's; the first from Wadud & Abdullah-Al-Wadud, Fig. 1.
NEEDED = {
    "naked single": "006840000201060007039000010000098300060000090007320000040000130700010804000035700",
    "hidden single": "000000000000000001000002030000040005003010000026000070150008000400000000700006020",
    "pointing": "000000000000000001000002030002000400003050000004100006050600000070000020080910000",
    "claiming": "000000000000000012000034005000000600003070400050200000000080009010500000200000300",
    "naked pair": "000000000000000001002003040000000250000010000060070300000460008200005000370000000",
    "hidden pair": "000000000000000012003004000000000304000015000006000700000700480050000000210900000",
    "naked triple": "000000000000000012003004005000000600000037800250000000000206009100000000800000400",
    "hidden triple": "020000074098010000000000000700305006000020900100000000000000830000607000000400000",
    "naked quad": "704060800250040001000007000000800050060025107000100280000003060900000000025000400",
    # By hand, with many solutions: row 3 and column 3 keep 1 to 4 in four cells of box 1.
    "hidden quad": "000000000000000000000120340001000000002000000000000000000000000003000000004000000",
    "X-wing": "200603400170000090000000000006400005900000000000000000005300600080070010000010000",
    "XY-wing": "000000000000000012000034000000000300001000000025600700000250006340000008900000000",
    "swordfish": "000300500050010030007004001200000400060090000001006002800700200090080050005009007",
    "XYZ-wing": "000000000000000012003004000000003500010060000270000080000720000000801000009000600",
}


PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
SEVERAL = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"
CLASH = "55" + PUZZLE[2:]
JANA = Path(__file__).parents[2] / "instances" / "papers" / "jana-2023-table-2.txt"
ESCARGOT = TOP_TEN["escargot"][0]
ESCARGOT_SOLUTION = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"


# One of each kind.
KINDS_OF_BOARDS: dict[str, Callable[[], Geometry]] = {
    "4x4": lambda: square(4),
    "6x6": lambda: square(6),
    "6x6:3x2": lambda: square(6, (3, 2)),
    "7x7": lambda: square(7),
    "9x9": lambda: square(9),
    "9x9+diagonals+windoku": lambda: square(9, extra=["diagonals", "windoku"]),
    "5x5+diagonals": lambda: square(5, extra=["diagonals"]),
    "6x6, boxes as rows": lambda: square(6, (1, 6)),
    "jigsaw": lambda: jigsaw(JIGSAW_4, "jigsaw"),
    "4x4x4": lambda: cube(4),
    "4x4x4:literal": lambda: literal_cube(4),
    "4x4x4, two rules": lambda: cube(4).with_rules(["row-y", "box-xz"]),
    "9x9x9": lambda: cube(9),
}


def units_of(board: Geometry) -> dict[str, list[list[int]]]:
    return {rule.name: sorted(sorted(unit) for unit in rule.units.tolist()) for rule in board.rules}


def puzzle_of(name: str, text: str = "", rules: list[str] | None = None) -> Puzzle:
    return Puzzle.of(board(name, rules), [int(symbol) if symbol.isdigit() else 0 for symbol in text] if text else None)


def nine(text: str) -> Puzzle:
    return Puzzle.of(board("9x9"), [int(symbol) for symbol in text])


def opened(name: str, rules: list[str] | None = None) -> Puzzle:
    """Return the first solution of a board with every other cell blank."""
    empty = Puzzle.of(board(name, rules))
    return Puzzle.of(empty.geometry, np.array(next(by_hand(empty))) * (np.arange(empty.geometry.n_cells) % 2))


def marked() -> Puzzle:
    marks = np.ones((16, 4), bool)
    marks[0, 0] = marks[5, 1] = marks[10] = marks[15, 3] = False
    marks[10, 2] = True
    return Puzzle.of(square(4), [0] * 7 + [2] + [0] * 8, pencilmarks=marks)


PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "4x4": lambda: puzzle_of("4x4", "1000000000000000"),
    "4x4, one blank": lambda: puzzle_of("4x4", "1234341221434320"),
    "4x4, complete": lambda: puzzle_of("4x4", "1234341221434321"),
    "4x4, pencilmarks": marked,
    "6x6": lambda: puzzle_of("6x6:2x3", "100006000210060000003000050020006300"),
    "6x6 wide": lambda: opened("6x6:2x3"),
    "6x6 tall": lambda: opened("6x6:3x2"),
    "jigsaw": lambda: puzzle_of("jigsaw:aaabacbbccbdcddd"),
    "jigsaw, a given": lambda: puzzle_of("jigsaw:aaabacbbccbdcddd", "0000000300000000"),
    "diagonals": lambda: puzzle_of("4x4+diagonals"),
    "windoku": lambda: puzzle_of("4x4+windoku", "1000000000000000"),
    "rows and boxes": lambda: puzzle_of("4x4", "1204341200434020", ["row", "box"]),
    "columns only": lambda: puzzle_of("4x4", "1204341203400000", ["column"]),
    "window only": lambda: puzzle_of("4x4+windoku", "1230300221434321", ["window"]),
    "short units": lambda: Puzzle.of(STRIP),
    "short units, a given": lambda: Puzzle.of(STRIP, [0, 2, 0, 0, 0, 1]),
    "a loose cell": lambda: Puzzle.of(LOOSE),
    "a loose cell with one candidate": lambda: Puzzle.of(LOOSE, pencilmarks=[[True] * 2, [True] * 2, [False, True]]),
    "4x4x4": lambda: Puzzle.of(board("4x4x4"), [1, 2, 3, 4, 3, 4, 1, 2, 0, 0, 0, 0, 4, 3, 2, 1] + [0] * 48),
    "4x4x4, three rules": lambda: opened("4x4x4", ["row-x", "row-y", "box-xz"]),
}
CLASHES: dict[str, Callable[[], Puzzle]] = {
    "equal givens": lambda: puzzle_of("4x4", "1001000000000000"),
    "no candidate": lambda: puzzle_of("4x4", "1230000400000000"),
    "no place": lambda: puzzle_of("4x4", "0023100000000000"),
    "no pencilmark": lambda: Puzzle.of(square(4), pencilmarks=np.arange(64).reshape(16, 4) > 3),
}


JIGSAW = "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF"
# Boards of `puzzles` that have no name of their own.
BOARDS: dict[str, Geometry] = {
    "4x4, two rules": board("4x4", ["column", "box"]),
    "9x9, no boxes": board("9x9", ["row", "column"]),
    "4x4x4, two rules": board("4x4x4", ["row-x", "box-yz"]),
    "4x4x4, three rules": board("4x4x4", ["row-x", "row-z", "box-xy"]),
    "short units": STRIP,
}
# Up to what share of blanks a random puzzle has some solutions, but not thousands.
MOST_OPEN = {
    "4x4": 1.0,
    "4x4x4": 1.0,
    "short units": 1.0,
    "9x9, no boxes": 0.45,
    "4x4x4, two rules": 0.45,
    "4x4x4, three rules": 0.55,
}


def board_of(name: str) -> Geometry:
    return BOARDS[name] if name in BOARDS else board(name)


@cache
def filled(name: str) -> Grids:
    """A solution of an empty board; of a large one the regular solution, which takes a SAT solver minutes to find."""
    if board_of(name).n_cells > 700:
        regular = pattern(board_of(name))
        assert regular is not None
        return regular
    first: Grids = next(iter(solutions(Puzzle.of(board_of(name)), "sat", Deadline(1))))[0]
    return first


@st.composite
def puzzles(
    draw: st.DrawFn,
    names: Sequence[str],
    *,
    most_open: float | None = None,
    wrong: bool = True,
    marked: bool = True,
    fewer_rules: bool = False,
) -> Puzzle:
    """A random puzzle: a relabelled solution with few blanks or many, now and then changed so that it may have none.

    Args:
        draw: as Hypothesis gives it.
        names: of boards.
        most_open: the largest share of blanks; by default so large that most puzzles have fewer than 300 solutions.
        wrong: whether any given may be wrong.
        marked: whether there may be pencilmarks.
        fewer_rules: whether rules may be left out.
    """
    name = draw(st.sampled_from(names))
    geometry, share = board_of(name), MOST_OPEN.get(name, 0.7) if most_open is None else most_open
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    if fewer_rules and chance.random() < 0.3:
        kept = [rule for rule in geometry.rule_names if chance.random() < 0.7]
        geometry, share = geometry.with_rules(kept or geometry.rule_names[:1]), 0.6 * share
    labels = np.array([0, *(chance.permutation(geometry.n_values) + 1)], np.uint8)
    givens = np.where(chance.random(geometry.n_cells) < share * chance.random(), 0, labels[filled(name)])
    if wrong and chance.random() < 0.3:
        givens[chance.integers(geometry.n_cells)] = chance.integers(1, geometry.n_values + 1)
    marks = chance.random((geometry.n_cells, geometry.n_values)) < 0.9 if marked and chance.random() < 0.3 else None
    return Puzzle.of(geometry, givens, pencilmarks=marks)


def cube_of_layers(givens: dict[int, int], barred: list[tuple[int, int]]) -> tuple[Puzzle, list[Puzzle]]:
    """Return a cube of side 4 of four independent 4x4 Sudokus, and these; `barred` are cells with excluded values."""
    values, marks = np.zeros(64, np.uint8), np.ones((64, 4), bool)
    values[list(givens)] = list(givens.values())
    for cell, value in barred:
        marks[cell, value - 1] = False
    layers = zip(values.reshape(4, 16), marks.reshape(4, 16, 4), strict=True)
    return (
        Puzzle.of(board("4x4x4", ["row-y", "row-z", "box-yz"]), values, marks),
        [Puzzle.of(board("4x4"), *layer) for layer in layers],
    )
