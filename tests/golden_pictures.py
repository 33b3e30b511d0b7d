"""Pictures of each kind of board, as they are kept in tests/golden.

python tests/golden_pictures.py    # after a change that is meant to change them; look at what git says has changed
"""

from collections.abc import Callable
from pathlib import Path

import sudoku_encode as se

GOLDEN = Path(__file__).parent / "golden"
SMALL = Path(__file__).parent.parent / "instances" / "small"
CUBES = SMALL.parent / "cubes"
TEXT = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"
SOLUTION = "251679483397428561864315792645981237739254618182736945516842379923167854478593126"


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
    "4x4x4": lambda: se.draw(_cube(), units=["box-xy 3"], axis="z", title="A cube"),
    "samurai": lambda: se.draw(SMALL.parent / "known-counts" / "samurai.txt"),
    "surface": lambda: se.draw(SMALL / "corner-2-empty.txt", units=["line 1"]),
}
"""By the name of its file, what makes a picture."""

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        drawn().save(GOLDEN / f"{name}.svg")
