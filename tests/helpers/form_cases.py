"""Puzzles for the forms other than CNF, with their numbers of solutions, and plain readers of two forms."""

import re
from collections.abc import Callable

import numpy as np

from sudoku_encode.encoders import model_files
from sudoku_encode.puzzles import boards, shapes
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from tests.helpers.constraint_cases import CASES, Case
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
