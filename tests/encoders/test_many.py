"""Many puzzles encoded at once: each gets, letter by letter, the file that it gets alone."""

import numpy as np
import pytest

from sudoku_encode.encoders.batch_encoding import encode_many
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import InternalError, MethodError
from sudoku_encode.formula.cnf import Cnf, Group, cut_formula
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.formulas import combinations_of_options, text_of
from tests.helpers.puzzles import ESCARGOT, ESCARGOT_SOLUTION, puzzle_of


def of_all_kinds(board: str, givens: list[str]) -> list[Puzzle]:
    """Return puzzles, and among them the empty board, pencilmarks, and givens that clash."""
    geometry = boards.board(board)
    marks = np.ones((geometry.n_cells, geometry.n_values), bool)
    marks[1:3, :2] = False
    first, *others = [puzzle_of(board, text) for text in givens]
    empty = Puzzle.of(geometry)
    clash = Puzzle.of(geometry, [1, 1] + [0] * (geometry.n_cells - 2))
    return [first, empty, Puzzle.of(geometry, None, marks), clash, *others, empty, first]


SMALL = of_all_kinds("4x4", ["1" + "0" * 15, "0" * 12 + "1200", "1234341221434321", "1034301201034301"])
LARGE = of_all_kinds("9x9", [ESCARGOT, ESCARGOT[:40] + "0" * 41, ESCARGOT_SOLUTION, ESCARGOT_SOLUTION[:60] + "0" * 21])


def file_of(encoded: Encoding) -> bytes:
    return text_of(encoded.cnf, *encoded.comments(show=True))


OPTIONS = [
    (encoding, level, amo, duplicates)
    for encoding, level, amo in combinations_of_options()
    for duplicates in ([False, True] if amo == "pairwise" and "duplicates" in ENCODINGS[encoding].options else [False])
]


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "level", "amo", "duplicates"), OPTIONS)
def test_same_as_alone(encoding: str, level: str, amo: str, duplicates: bool) -> None:
    """Each gets the file that it gets alone."""
    made = list(encode_many(SMALL, encoding, reduction=level, amo=amo, duplicates=duplicates))

    alone = [encode(puzzle, encoding, reduction=level, amo=amo, duplicates=duplicates) for puzzle in SMALL]
    assert list(map(file_of, made)) == list(map(file_of, alone))
    assert [one.puzzle for one in made] == SMALL


@pytest.mark.parametrize(
    ("encoding", "amo"), [("extended", "pairwise"), ("extended", "sequential"), ("order", "pairwise")]
)
def test_large_formulas(encoding: str, amo: str) -> None:
    """Formulas that are too large to share calls are the same too."""
    made = list(encode_many(LARGE, encoding, reduction="givens", amo=amo))

    alone = [encode(puzzle, encoding, reduction="givens", amo=amo) for puzzle in LARGE]
    assert list(map(file_of, made)) == list(map(file_of, alone))
    assert [one.holds(np.ones((1, one.cnf.n_variables + 1), bool)).sum() for one in made] == [
        one.holds(np.ones((1, one.cnf.n_variables + 1), bool)).sum() for one in alone
    ]


def test_misfit_board() -> None:
    """A board that does not fit is refused."""
    puzzles = [puzzle_of("4x4x4", "1" + "0" * 63)] * 2

    with pytest.raises(MethodError, match="triads does not fit 4x4x4"):
        list(encode_many(puzzles, "triads"))


def test_split_formula() -> None:
    """A formula is cut into its parts with their auxiliary variables."""
    # Variables 1 and 3 are of the first part, 2 of the second; 4 and 6 are auxiliary to the second, 5 to the first.
    whole = Cnf.of(6, [Group.of("two", [[2, -4], [1, -3], [4, 6], [-5, 3]]), Group.of("three", [[-6, 4, 4]])])

    parts, names = cut_formula(whole, np.array([0, 0, 1, 0, -1, -1, -1], np.int16), 2)

    assert [list(part) for part in parts] == [[[1, -2], [-3, 2]], [[1, -2], [2, 3], [-3, 2, 2]]]
    assert [part.n_variables for part in parts] == [3, 3]
    assert names[[0, 1, 2, 3, 4, 5, 6]].tolist() == [0, 1, 1, 2, 2, 3, 3]
    assert names[[-1, -2, -3]].tolist() == [-1, -1, -2]


def test_variable_of_no_part() -> None:
    """A variable of no part is no part of a file."""
    whole = Cnf.of(3, [Group.of("two", [[1, 1], [2, 3]])])

    with pytest.raises(InternalError, match="2 variables share no clause with a part"):
        cut_formula(whole, np.array([0, 0, -1, -1], np.int16), 1)
