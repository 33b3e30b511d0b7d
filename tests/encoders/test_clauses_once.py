"""No clause is written twice, whatever the encoding and the reduction; `--duplicates` writes some twice on purpose."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings

from sudoku_encode.encoders.encoding import encode, unsupported_reason
from sudoku_encode.formula.cnf import each_once
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.formulas import clauses_of, combinations_of_options
from tests.helpers.puzzles import TOP_TEN, puzzle_of, puzzles

# In 4x4:1x4 a box is a row, and on small boards a diagonal and a window share much with boxes.
BOARDS = (
    *("2x2", "3x3", "4x4", "4x4:1x4", "4x4+diagonals+windoku", "jigsaw:aaabacbbccbdcddd", "4x4x4"),
    *("6x6", "6x6:3x2", "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF", "9x9", "9x9+diagonals"),
)
# Each at-most-one where it can repeat anything: by pairs, and the two that exclude some pairs directly.
OPTIONS = [options for options in combinations_of_options() if options[2] in ("pairwise", "product", "commander")]


def repeated(clauses: list[list[int]]) -> list[tuple[int, ...]]:
    counted = Counter(tuple(sorted(clause)) for clause in clauses)
    return [clause for clause, times in counted.items() if times > 1]


@given(puzzle=puzzles(BOARDS, most_open=1.0, fewer_rules=True))
@settings(derandomize=True, max_examples=15, deadline=None)
def test_no_duplicates(puzzle: Puzzle) -> None:
    """No clause is written twice."""
    for encoding, level, amo in OPTIONS:
        if not unsupported_reason(encoding, puzzle.geometry):
            encoded = encode(puzzle, encoding, reduction=level, amo=amo)
            clauses = clauses_of(encoded)
            assert repeated(clauses) == [], (encoding, level, amo)
            assert encoded.cnf.n_clauses == len(clauses)


@pytest.mark.parametrize("name", TOP_TEN)
def test_only_duplicates_left_out(name: str) -> None:
    """What is left out is only what is there already."""
    puzzle = puzzle_of("9x9", TOP_TEN[name][0])
    for level in ("none", "givens", "singles"):
        once = clauses_of(encode(puzzle, "extended", reduction=level))
        again = clauses_of(encode(puzzle, "extended", reduction=level, duplicates=True))
        assert set(map(frozenset, once)) == set(map(frozenset, again))
        # A unit's long clauses come again with `--duplicates` too, not only its pairs.
        assert level == "none" or any(clause[0] > 0 for clause in repeated(again))


def test_reported_sizes(run: Command) -> None:
    """What encode and info and the header say is what is there."""
    puzzle = TOP_TEN["escargot"][0]
    ran = run("encode", puzzle, "--reduce", "givens")
    lines = [line for line in ran.lines if line[0] not in "cp"]
    assert len(lines) == len(set(lines)) == 1472
    assert "p cnf 223 1472" in ran.lines
    assert "223 variables, 1,472 clauses" in ran.err
    left = encode(puzzle_of("9x9", puzzle))
    assert f"{len(set(map(frozenset, clauses_of(left)))):,}" in run("info", puzzle).out


def test_order_of_literals() -> None:
    """Sets are compared whatever their order and the first is kept."""
    tables = np.array([[1, 2, 0], [0, 4, 1]]).T, np.array([[0, 1, 2], [4, 1, 0], [2, 1, 4]]).T
    kept = [table.T.tolist() for table in each_once([table.astype(np.int32) for table in tables])]
    assert kept == [[[1, 2, 0], [0, 4, 1]], [[2, 1, 4]]]
    assert len(list(chain.from_iterable(kept))) == 3
