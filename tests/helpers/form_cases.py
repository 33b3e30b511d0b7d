"""Puzzles for the forms of models, with their numbers of solutions or all of them, and plain readers of two forms."""

import re
from collections.abc import Callable
from functools import cache

import numpy as np

import sudoku_encode as se
from sudoku_encode.encoders import model_files
from sudoku_encode.puzzles import boards, shapes
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from tests.helpers.constraint_cases import CASES, Case
from tests.helpers.constraint_cases import puzzle_of as constrained
from tests.helpers.constraint_grids import allowed_grids
from tests.helpers.model_cases import BOARDS, Grid, cases
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import ESCARGOT, puzzle_of

DIAGONAL = "023406009000800001004000000000000090009000000060029000207000600000700000000205070"


def text(name: str, puzzle: Puzzle, candidates: Candidates | None = None) -> str:
    chunks = model_files.chunks(puzzle, name, puzzle.extended.candidates if candidates is None else candidates)
    return b"".join(chunks).decode("ascii")


def with_rule(cells: list[int]) -> Geometry:
    """The rows and columns of a 4x4 and one more unit, of any size."""
    rules = shapes.square(4).rules[:2]
    return Geometry("4x4 with a cage", (4, 4), 4, (*rules, Rule("cage", np.array([cells], np.int32))))


def pencilled() -> Puzzle:
    """The first four cells of a 4x4 may not be 4, 3, 2 and 1; the fifth must be 3 and so says its pencilmark."""
    marks = np.ones((16, 4), bool)
    marks[[0, 1, 2, 3], [3, 2, 1, 0]] = False
    marks[4] = [False, False, True, False]
    return Puzzle.of(shapes.square(4), [0] * 15 + [1], pencilmarks=marks)


def without_a_choice() -> Puzzle:
    """A 4x4 with a cell that may hold nothing."""
    marks = np.ones((16, 4), bool)
    marks[6] = False
    return Puzzle.of(shapes.square(4), pencilmarks=marks)


def loose_cell(*values: int) -> Puzzle:
    """A 2x2 of which only the diagonal is a unit; one of the other cells may hold these values."""
    marks = np.ones((4, 2), bool)
    marks[1] = np.isin([1, 2], values)
    return Puzzle.of(boards.board("2x2+diagonals", ["diagonal"]), pencilmarks=marks)


# In a process of its own: the libraries of OR-Tools and highspy cannot both be loaded in one.
HIGHS = """
import json, sys, highspy
said = open(sys.argv[1], "w")
for file in sys.argv[2:]:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    read = highs.readModel(file) == highspy.HighsStatus.kOk
    highs.run()
    names, values = highs.getLp().col_names_, highs.getSolution().col_value
    integer = all(kind == highspy.HighsVarType.kInteger for kind in highs.getLp().integrality_)
    true = sorted(int(name[2:]) for name, value in zip(names, values) if value > 0.5)
    print(json.dumps([read, integer, len(names), highs.modelStatusToString(highs.getModelStatus()), true]), file=said)
"""

# The number of solutions: a published one, or None where `by_hand` has to say.
SMALL: dict[str, tuple[Callable[[], Puzzle], int | None]] = {
    "empty 4x4": (lambda: puzzle_of("4x4"), 288),
    "empty 2x2": (lambda: puzzle_of("2x2"), 2),
    "Latin squares of order 4": (lambda: Puzzle.of(boards.board("4x4", ["row", "column"])), 576),
    "rows of a 3x3 alone": (lambda: Puzzle.of(boards.board("3x3", ["row"])), 6**3),
    "4x4 with diagonals": (lambda: puzzle_of("4x4+diagonals"), None),
    "jigsaw": (lambda: puzzle_of("jigsaw:1112122233343444"), None),
    "oblong": (lambda: puzzle_of("6x6:2x3", "120400" + "000050" + "0" * 18 + "004021"), None),
    "oblong, upright": (lambda: puzzle_of("6x6:3x2", "100400" + "056023" + "0" * 18 + "004000"), None),
    "pencilmarks": (pencilled, None),
    "short unit": (lambda: Puzzle.of(with_rule([0, 5, 10])), None),
    "unit of a single cell": (lambda: Puzzle.of(with_rule([7])), 576),
    "long unit": (lambda: Puzzle.of(with_rule([0, 5, 10, 15, 6])), 0),
    "given twice in a row": (lambda: puzzle_of("4x4", "1010" + "0" * 12), 0),
    "a cell without a candidate": (without_a_choice, 0),
    "a cell in no unit": (lambda: loose_cell(1, 2), 8),
    "a cell in no unit with one candidate": (lambda: loose_cell(2), 4),
    "a cell in no unit without a candidate": (loose_cell, 0),
    "full": (lambda: puzzle_of("4x4", "1234341221434321"), 1),
    "escargot": (lambda: puzzle_of("9x9", ESCARGOT), 1),
    "9x9 with diagonals": (lambda: puzzle_of("9x9+diagonals", DIAGONAL), None),
}
# An option names its value with its units, and these have a cell without any.
UNNAMED = ["a cell in no unit", "a cell in no unit with one candidate"]
CUBES: dict[str, tuple[Callable[[], Puzzle], int]] = {
    "empty 4x4x4": (lambda: puzzle_of("4x4x4"), 768),
    "4x4x4, lines of two axes": (
        lambda: Puzzle.of(boards.board("4x4x4", ["row-x", "row-y", "box-xy", "box-xz", "box-yz"])),
        82_944,
    ),
    "literal 4x4x4": (lambda: puzzle_of("4x4x4:literal"), 0),
}


def expected(name: str) -> tuple[Puzzle, int]:
    make, known = SMALL[name]
    puzzle = make()
    return puzzle, sum(1 for _ in by_hand(puzzle)) if known is None else known


def read_col(lines: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """Read a .col file as a strict reader does: counts exact, no edge twice, in either direction, and no loop."""
    body = [line for line in lines if not line.startswith("c ")]
    header = re.fullmatch(r"p edge (\d+) (\d+)", body[0])
    assert header, body[0]
    edges = []
    for line in body[1:]:
        match = re.fullmatch(r"e ([1-9]\d*) ([1-9]\d*)", line)
        assert match, line
        edges.append((int(match[1]), int(match[2])))
    assert len(edges) == int(header[2])
    assert all(1 <= vertex <= int(header[1]) for edge in edges for vertex in edge)
    assert len({frozenset(edge) for edge in edges}) == len(edges)
    assert all(first != second for first, second in edges)
    return int(header[1]), edges


def read_dlx(lines: list[str]) -> tuple[list[str], list[str], list[list[str]]]:
    """Read a file of dlx1: its primary items, its secondary items, and its options."""
    body = [line for line in lines if not line.startswith("|")]
    assert all(line == line.strip() and "  " not in line for line in body)
    primary, _, secondary = body[0].partition(" | ")
    names = [*primary.split(), *secondary.split()]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 8 and re.fullmatch(r"[^\s:|]+", name) for name in names)
    options = [line.split() for line in body[1:]]
    for option in options:
        assert option
        assert len(set(option)) == len(option)
        assert set(option) <= set(names)
    return primary.split(), secondary.split(), options


# Of the primitives each at least once, for the programs that take longer to start.
FEW: list[Case] = [
    *(CASES["cage"][i] for i in (0, 2, 4)),
    *(CASES["arrow"][i] for i in (1, 2)),
    *(CASES["equal-sums"][i] for i in (1, 2)),
    *(CASES[kind][0] for kind in ("thermometer", "quadruple", "sandwich", "between", "counting-circles", "zipper")),
    *(CASES[kind][0] for kind in ("look-and-say", "same-values", "skyscraper", "sum-line")),
    CASES["global-entropy"][0],
    CASES["row-indexer"][1],
    CASES["sandwich"][2],
    CASES["region-count"][0],
    CASES["connected"][1],
    CASES["regex"][4],
    ("1x3", 4, ("sum 5 r1c1-r1c3", "difference r1c1 r1c2", "odd r1c2")),
]
# A given that a constraint excludes, an automaton that reads a cell again, two equal givens in a row; and constraints
# of many kinds on boards with names, which the comments of a model need.
SPECIAL = (
    ("4x4", "2" + "0" * 15, ("odd r1c1",)),
    ("4x4", "0" * 16, ("regex 1[23].[34]: r1c1 r2c2 r3c3 r2c2", "cage 6 r1c1 r1c2 r1c3", "odd r3c1")),
    ("4x4", "10" * 2 + "0" * 12, ()),
    ("4x4", "0" * 16, ("thermometer r1c2-r1c4", "sandwich 5 r3c1-r3c4")),
    ("4x4", "0" * 16, ("quadruple 1 1 4 r2c2 r2c3 r3c2 r3c3", "skyscraper 3 r1c1-r1c4", "skyscraper 1 r4c1-r1c1")),
    ("4x4", "0" * 16, ("counting-circles r1c1 r1c2 r2c3", "odd r4c4")),
    ("4x4", "0" * 16, ("look-and-say 2 3 1 1 r1c1 r2c3 r3c2", "equal-sums r1c1 r1c2 / r4c3 r4c4")),
    ("4x4", "12" + "0" * 14, ("same-values r1c1 r1c2 / r4c3 r4c4", "whispers 2 r2c1 r3c1")),
    ("4x4", "0" * 15 + "3", ("row-indexer r1c2 r3c1",)),
    ("4x4", "0" * 16, ("region-count r1c1 / r2c2 r3c3 r4c4 r2c3", "renban r1c1-r1c3", "odd r4c4", "cage 7 r2c1 r3c1")),
    ("4x4", "0" * 16, ("either odd r1c1 & odd r1c2 | even r4c4", "palindrome r1c1 r2c3 r3c4", "cage 6 r1c3 r2c4 r4c1")),
    ("4x4+diagonals", "0" * 16, ("sum-line 5 r1c1-r1c4",)),
    ("latin:3x3:4", "120000000", ("global-entropy",)),
    ("6x6:2x3", "120400" + "000050" + "006102" + "0" * 12 + "004021", ()),
)


@cache
def listed() -> list[tuple[str, Puzzle, list[Grid]]]:
    """Puzzles with their names and all their solutions, by trying values or by the definitions of constraints."""
    puzzles = [
        (f"{name}, {what}", puzzle, sorted(solutions)) for name in BOARDS for what, puzzle, solutions in cases(name)[:3]
    ]
    puzzles += [(f"{case}", constrained(case), sorted(allowed_grids(constrained(case)))) for case in FEW]
    for board, givens, constraints in SPECIAL:
        puzzle = Puzzle.of(se.board(board), [int(digit) for digit in givens], constraints=constraints)
        grids = (grid for grid in by_hand(puzzle) if not any(placed.violated(grid) for placed in puzzle.placed))
        puzzles.append((f"{board} {constraints}", puzzle, sorted(grids)))
    return puzzles


def on_named_boards() -> list[tuple[str, Puzzle, list[Grid]]]:
    """Return the listed puzzles that can be read back from the comments of their models."""
    few = {f"{case}" for case in FEW}
    return [row for row in listed() if row[0] not in few]
