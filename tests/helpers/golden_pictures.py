"""Pictures of each kind of board, as they are kept in tests/golden.

python -m tests.helpers.golden_pictures    # after a change that is meant to change them; look at the diff
"""

from collections.abc import Callable
from pathlib import Path

import sudoku_encode as se

GOLDEN = Path(__file__).parents[1] / "golden"
SMALL = Path(__file__).parents[2] / "instances" / "small"
CUBES = SMALL.parent / "cubes"
TEXT = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"
SOLUTION = "251679483397428561864315792645981237739254618182736945516842379923167854478593126"

# On 6x6: lines on each other, cages side by side, signs between cells, clues on all sides, and what is only written.
CONSTRAINTS = [
    "thermometer r1c1 r2c2 r2c3",
    "thermometer r1c1 r2c1",
    "slow-thermometer r6c1 r5c1",
    "arrow r1c6 / r1c5 r1c4",
    "arrow r3c5 r3c6 / r4c6 r5c5",
    "whispers 3 r5c2-r5c5",
    "renban r3c1-r3c4",
    "palindrome r2c4-r4c4",
    "between r6c3-r6c6",
    "cage 7 r3c1 r4c1",
    "cage 11 r3c2 r4c2 r4c3",
    "extra-region r1c3-r2c3",
    "odd r5c6",
    "even r6c6",
    "minimum r2c6",
    "difference r1c1 r1c2",
    "difference 2 r1c2 r1c3",
    "ratio r2c4 r2c5",
    "xv 5 r5c3 r6c3",
    "greater r4c5 r5c5",
    "quadruple 1 2 6 r4c3 r4c4 r5c3 r5c4",
    "relation a < 2*b: r6c1-r6c3",
    "little-killer 9 r1c3-r3c1",
    "sandwich 8 r2c1-r2c6",
    "skyscraper 3 r6c2-r1c2",
    "x-sum 12 r4c6-r4c1",
    "non-consecutive",
]

# Each kind of line once, none on another.
LINES = [
    "thermometer r1c1-r1c4",
    "thermometer r1c1 r2c2 r3c2 r3c1",
    "slow-thermometer r4c1-r7c1",
    "arrow r1c6 / r1c7 r1c8 r2c9",
    "arrow r1c6 / r2c6 r3c5",
    "arrow r3c7 r3c8 / r4c8 r4c7",
    "double-arrow r8c1 r7c2 r8c2 r9c3 r8c3",
    "between r4c2-r4c5",
    "lockout r9c5 r9c4 r8c4 r7c4",
    "whispers r2c5-r3c4",
    "renban r2c4 r1c5",
    "palindrome r5c2-r5c5",
    "region-sums r6c2-r6c5",
    "zipper r5c7-r5c9 r4c9",
    "entropic r6c7-r6c9",
    "modular r7c7-r7c9",
    "parity-line r8c7-r8c9",
    "nabner r9c7-r9c9",
    "equal-sums r7c5 r7c6 / r8c5 r8c6",
    "relation |a-b| >= 3: r2c7 r2c8 r3c9",
    "regex [12]9: r5c6 r4c6",
]
# What is in cells, around them and between them.
CELLS = [
    "cage 15 r1c1 r1c2 r2c1",
    "cage 20 r1c3 r1c4 r2c3 r2c2",
    "cage r1c5-r1c7",
    "sum 30 r2c7-r2c9 r3c9",
    "odd r3c1 r3c2",
    "even r3c3 r4c1",
    "minimum r4c5 r4c6",
    "maximum r4c8",
    "extra-region r5c2-r5c4 r6c4",
    "clone r7c3 r8c3 / r7c5 r8c5",
    "clone r8c1 r9c1 / r8c6 r9c6",
    "counting-circles r1c8 r1c9 r4c3 r4c9",
    "row-indexer r6c7 r6c8",
    "column-indexer r5c6 r6c6",
    "box-indexer r8c8",
    "quadruple 1 2 3 4 r2c4 r2c5 r3c4 r3c5",
    "difference r6c1 r7c1",
    "difference 3 r7c1 r7c2",
    "ratio r9c2 r9c3",
    "ratio 3 r9c3 r9c4",
    "xv 10 r7c8 r7c9",
    "xv 5 r8c9 r9c9",
    "greater r3c6-r3c8",
    "little-killer 31 r1c2-r8c9",
    "sandwich 17 r3c1-r3c9",
    "anti-taxicab",
]
# Cages with other marks, counters, and what is across the board.
RARER = [
    "weighted-sum 4 1 1 -2 r1c1 r1c2 r2c1",
    "lunchbox 11 r1c4 r1c5 r2c4 r2c5",
    "rellik-cage 9 r1c7-r1c9",
    "equality-cage r3c1-r3c4",
    "same-values r3c6 r3c7 / r5c5 r6c5 / r4c9 r5c9",
    "same-values r7c1 r7c3 / r8c1 r8c2",
    "look-and-say 1 6 2 7 r4c1 r5c1 r5c2",
    "count-distinct r2c7 / r2c8 r2c9 r3c9",
    "sum-line 10 r9c1-r9c5",
    "slingshot r7c5-r7c9",
    "pairs 134 25: r9c7-r9c9",
    "hidden-skyscraper 8 r1c1-r1c9",
    "skyscraper 3 r2c1-r2c9",
    "cage 15 r6c7 r6c8",
    "rellik-cage 6 r6c7 r6c8 r5c7",
    "diagonal 1",
    "windoku",
]


def _cube() -> se.Puzzle:
    puzzle = next(se.read_all(CUBES / "4x4x4-fewest.txt"))
    assert isinstance(puzzle, se.Puzzle)
    return puzzle


def _hint() -> se.Hint:
    found = se.hint(TEXT)
    assert found is not None
    return found


PICTURES: dict[str, Callable[[], se.Drawing]] = {
    "9x9": lambda: se.draw(TEXT, solution=SOLUTION, cells=["r1c1"], units=["row 3", "box 9"], title="A & B"),
    "9x9-candidates": lambda: se.draw(TEXT, candidates=True),
    "9x9-shares": lambda: se.draw(se.candidates(TEXT, "search", counts=True)),
    "9x9-hint": lambda: se.draw(_hint()),
    "9x9-against": lambda: se.draw(TEXT, against="1" * 81),
    "6x6-2x3": lambda: se.draw(SMALL / "6x6.txt", candidates=True),
    "jigsaw": lambda: se.draw(SMALL / "9x9-jigsaw.txt"),
    "16x16": lambda: se.draw(SMALL / "16x16.txt", candidates=True),
    "diagonals": lambda: se.draw(SMALL / "9x9-diagonals.ss", units=["diagonal"]),
    "windows": lambda: se.draw(SMALL / "9x9-windoku.sdk"),
    "constraints": lambda: se.draw(se.Puzzle.of(se.board("6x6:2x3"), constraints=CONSTRAINTS)),
    "constraints-lines": lambda: se.draw(se.Puzzle.of(se.board("9x9"), constraints=LINES)),
    "constraints-cells": lambda: se.draw(se.Puzzle.of(se.board("9x9"), constraints=CELLS)),
    "constraints-rarer": lambda: se.draw(se.Puzzle.of(se.board("9x9"), constraints=RARER)),
    "constraints-candidates": lambda: se.draw(
        se.Puzzle.of(se.board("4x4"), constraints=["cage 6 r1c1 r1c2", "difference r2c3 r3c3", "clone r1c3 / r4c1"]),
        candidates=True,
        title="Cages",
    ),
    "4x4x4": lambda: se.draw(_cube(), units=["box-xy 3"], axis="z", title="A cube"),
    "samurai": lambda: se.draw(SMALL.parent / "known-counts" / "samurai.txt"),
    "surface": lambda: se.draw(SMALL / "corner-2-empty.txt", units=["line 1"]),
}
"""By the name of its file, what makes a picture."""

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        drawn().save(GOLDEN / f"{name}.svg")
