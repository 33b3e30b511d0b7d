"""Puzzles of many kinds, and what remains of each in each text format: for the table in docs/formats.md, and tests."""

from functools import cache

import numpy as np

import sudoku_encode as se
from sudoku_encode.formats.writing import losses, refusal
from sudoku_encode.puzzles.puzzle import Puzzle

MANY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Verdicts of the table.
SAME, REFUSED, NAME, FORM = "yes", "-", "no name", "changed"


def _puzzle(board: str, *constraints: str, rules: list[str] | None = None, name: str = "") -> Puzzle:
    """Return a puzzle with two givens."""
    geometry = se.board(board, rules)
    givens = np.zeros(geometry.n_cells, np.uint8)
    # The largest value tells some boards from others.
    givens[[0, -1]] = 1, geometry.n_values
    return Puzzle.of(geometry, givens, name=name, constraints=constraints)


def _marked(board: str, *, has_single: bool = False, has_none: bool = False) -> Puzzle:
    """Return a puzzle with a given and pencilmarks in three cells."""
    geometry = se.board(board)
    marks = np.ones((geometry.n_cells, geometry.n_values), bool)
    marks[1, 2] = marks[2, 1] = False
    marks[3] = [value == 1 for value in range(geometry.n_values)] if has_single else not has_none
    givens = np.zeros(geometry.n_cells, np.uint8)
    givens[-1] = 3
    return Puzzle.of(geometry, givens, pencilmarks=marks)


@cache
def puzzles() -> dict[str, Puzzle]:
    """Return a puzzle of each kind; the first of each word is that of the table."""
    return {
        "9x9": se.read(MANY),
        "9x9, empty": se.read("." * 81, board="9x9"),
        "6x6": _puzzle("6x6"),
        "6x6, boxes of 3x2": _puzzle("6x6:3x2"),
        "6x6, prime 5x5": _puzzle("5x5"),
        "6x6, full": se.read("1234341221434321"),
        "25x25": _puzzle("25x25"),
        "25x25, 16x16": _puzzle("16x16"),
        "64x64": _puzzle("64x64"),
        "diagonals": _puzzle("9x9+diagonals"),
        "diagonals, windoku": _puzzle("9x9+windoku"),
        "jigsaw": _puzzle("jigsaw:1112122233344434"),
        "jigsaw, boxes": _puzzle("jigsaw:1122112233443344"),
        "jigsaw, rectangle": _puzzle("jigsaw:4x6:111222111222333444333444"),
        "lines alone": _puzzle("latin:6x6"),
        "lines alone, rectangle": _puzzle("latin:4x6"),
        "lines alone, more values": _puzzle("latin:4x6:12"),
        "cube": _puzzle("4x4x4"),
        "cube, 9x9x9": _puzzle("9x9x9"),
        "cube, lines alone": _puzzle("latin:4x4x4"),
        "cube, literal": _puzzle("4x4x4:literal"),
        "cube, planes": _puzzle("3x3x3:planes"),
        "cube, planes from 0": _puzzle("3x3x3:planes:0-8"),
        "surface": _puzzle("corner:4"),
        "surface, isodoku": _puzzle("isodoku:321211111"),
        "samurai": _puzzle("samurai"),
        "samurai, 4x4s": _puzzle("4x4@0,0;2,2"),
        "from 0": _puzzle("9x9:0-8"),
        "from 0, jigsaw": _puzzle("jigsaw:1112122233344434:0-3"),
        "from 0, lines": _puzzle("latin:9x9:0-9"),
        "from 0, pencilmarks": _marked("4x4:0-3"),
        "from 0, cage": _puzzle("4x4:0-3", "cage 3 r1c2 r1c3"),
        "fewer rules": _puzzle("9x9", rules=["row", "column"]),
        "fewer rules, boxes": _puzzle("9x9", rules=["box"]),
        "fewer rules, cube": _puzzle("4x4x4", rules=["row-x", "box-xy"]),
        "pencilmarks": _marked("9x9"),
        "pencilmarks, 16x16": _marked("16x16"),
        "one mark": _marked("9x9", has_single=True),
        "no mark": _marked("9x9", has_none=True),
        "cage": _puzzle("9x9", "cage 15 r1c2 r1c3"),
        "cage, arrow": _puzzle("9x9", "arrow r1c2 / r1c3 r1c4"),
        "odd": _puzzle("9x9", "odd r1c2"),
        "full-rank": _puzzle("9x9", "full-rank 3 r1c1-r1c9"),
        "hidden cell": _puzzle("9x9", "difference 1 r1c2 h1"),
        "name": _puzzle("9x9", name='Mild: #3 "x", 4'),
        "name, cube": _puzzle("4x4x4", name="Mild"),
    }


def verdict(puzzle: Puzzle, format: str) -> str:
    """Return the verdict on a puzzle in a format."""
    if refusal(puzzle, format):
        return REFUSED
    changes = losses(puzzle, format)
    return SAME if not changes else NAME if all("name" in text for text in changes) else FORM
