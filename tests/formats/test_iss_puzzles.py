"""The puzzles of Interactive Sudoku Solver: each is read, and its published solution is one, of some the only one."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode import Limits, Puzzle, count, read_all
from sudoku_encode.puzzles.puzzle import violations
from sudoku_encode.run.counting import Count

FILE = Path(__file__).parents[2] / "instances" / "variants" / "iss.txt"
SOLUTIONS = re.findall(r"^# solution: (\w+)$", FILE.read_text(encoding="utf-8"), re.MULTILINE)
with warnings.catch_warnings(record=True) as REMARKS:
    warnings.simplefilter("always")
    PUZZLES = [puzzle for puzzle in read_all(FILE) if isinstance(puzzle, Puzzle)]
# One of most kinds, none of which takes SAT a second.
QUICK = (
    *("Lines", "German Whispers", "Elementary", "Sudoku Variants Series (173) - Between Lines Sudoku", "159 Sudoku"),
    *("Slingshot sudoku", "Equality cages", "Double arrow", "Pill Arrow Sudoku", "Magic square", "Quadruple X"),
    *(
        "Dots & pairs",
        "Merry X/V-mas",
        "Fortress",
        "Skyscraper",
        "X-Windoku",
        "I just like colours",
        "6x6: Numbered rooms",
    ),
    *("[New Constraint] Entropy Sudoku", "Global mod 3", "Clone", "Anti-knight Anti-king", "Septa", "Nabner"),
    # Boards that are no squares, or have more values than a side has cells.
    *("6x8: Plain", "4x7: Jigsaw", "9x8: Plain boxless", "Easy as a Quattroquadri", "7x7: Buggy NR Squishdoku"),
    # A loop, copies, letters, and values from 0.
    *("10 Lines", "Daredevil", "16x16: Jigsaw", "Hippo Birdie", "A Very Full Quiver", "± Information"),
    *("0-indexed: Thermo SameValues", "0-indexed: Quadruple X", "0-indexed: Equality cages", "Regex Line [0-indexed]"),
    *("0-indexed: 9x8 Plain boxless", "0-indexed: 0-sensitive pairwise", "0-indexed: Windoku"),
    *("Sequence sudoku", "Odd, Even, Seven Thermos", "Order From Chaos"),
    # Hidden cells: copies of lines, and missing values.
    *("Full rank 3", "4x4: Full Rank - with ties", "4x4: Full Rank - tied clues", "4x4: Full Rank - unclued ties"),
    *("Doppelganger", "Dutch-pelgänger [easier]"),
    # Alternatives.
    *("Either/Or", "Unbidden First Hidden", "City Planning"),
)


def solution_of(puzzle: Puzzle, text: str) -> list[int]:
    # With letters A stands for 1. Where there is a 0, each value is one more here.
    more = int("0" in text)
    return [int(symbol) + more if text.isdigit() else ord(symbol) - ord("A") + 1 for symbol in text]


def test_all_read() -> None:
    """All are read with their names and solutions."""
    assert len(PUZZLES) == len(SOLUTIONS) == 129
    assert len({puzzle.name for puzzle in PUZZLES}) == 129
    assert len({constraint.kind for puzzle in PUZZLES for constraint in puzzle.constraints}) > 45


def test_region_remark() -> None:
    """A remark is made where a region or a cage is not what it looks like."""
    assert sorted(str(one.message).partition(":")[0] for one in REMARKS) == [*("Cage", *4 * ["Jigsaw"], *3 * ["NFA"])]


@pytest.mark.parametrize(
    ("puzzle", "text"), list(zip(PUZZLES, SOLUTIONS, strict=True)), ids=lambda one: getattr(one, "name", "")
)
def test_published_solution_fits(puzzle: Puzzle, text: str) -> None:
    """The published solution breaks nothing and another grid does."""
    solution = solution_of(puzzle, text)
    assert list(violations(puzzle, solution)) == []
    assert list(violations(puzzle, np.roll(solution, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_published_solution_unique(name: str) -> None:
    """The published solution is the only one."""
    (puzzle,) = (puzzle for puzzle in PUZZLES if puzzle.name == name)
    assert count(puzzle, "sat", limits=Limits(solutions=2)) == Count(1, True)
