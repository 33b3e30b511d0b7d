"""Killer puzzles as other programs write them; the puzzles and their solutions are published."""

import re

import numpy as np
import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.reading import ReadOptions, read, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle, violations

NUMBERS = (
    "3x3::k:3595:3595:3844:3844:3090:3336:3336:2575:2575:3595:4620:4620:3348:3090:5:5648:5648:2575:3350:4620:4620:3348:"
    "3090:23:5648:5648:3841:3350:2581:24:3348:25:26:27:2579:3841:28:2581:29:30:4625:4625:4625:2579:31:3843:2581:32:33:34:"
    "35:36:2579:3335:3843:4878:4878:37:38:39:4618:4618:3335:3341:4878:4878:40:41:42:4618:4618:3593:3341:3341:3334:3334:"
    "43:3842:3842:3593:3593:"
)
DIAGONALS = (
    "3x3:d:k:3587:14:15:16:17:18:19:3586:3586:3587:1543:1543:20:21:22:23:1544:24:25:26:3338:27:28:3337:3337:1544:29:30:"
    "31:3338:32:33:34:35:36:37:38:39:40:41:42:43:44:45:46:47:48:49:4365:4365:50:3596:51:52:53:1541:3339:3339:54:55:3596:"
    "56:57:58:1541:59:60:61:62:1542:1542:3585:3588:3588:63:64:65:66:67:68:3585:"
)
ARROWS = "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^"
OVER_A_GAP = "A<H<MA<A<^P<<^N<<^E^E<^L<^E^^^^^^^^^M<<9<K<<<G^N<^F<SB^<^^L^^^^I<E>^>>^D^^^<^F<>^"
SOLUTIONS = {
    NUMBERS: "279648531581739426463251798956483217128975643734162859812597364697324185345816972",
    DIAGONALS: "872314695615972843394586721569241387487635219231897564146758932723469158958123476",
    ARROWS: "432851769786239415159467823263974581971583642548612397397148256614725938825396174",
    OVER_A_GAP: "258976431394218576671354829836497215729165348145823967963782154582641793417539682",
}
FORMS = ("killer", "sumocue", "snarfable")
NINE = boards.board("9x9")
JIGSAW = boards.board("jigsaw:" + "111222333" * 2 + "111222334555666443" + "555666444" * 2 + "777888999" * 3)


def one(text: str, format: str | None = None, board: str | None = None) -> Puzzle:
    (puzzle,) = read_text(text, "here", ReadOptions(board, format=format))
    assert isinstance(puzzle, Puzzle), str(puzzle)
    return puzzle


def error(text: str, format: str | None = None, board: str | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(read_text(text, "here", ReadOptions(board, format=format)))
    return str(caught.value)


def written(puzzle: Puzzle, format: str) -> str:
    return "".join(write_all([puzzle], format))


@pytest.mark.parametrize("text", SOLUTIONS)
def test_published_solution(text: str) -> None:
    """The published solution solves what is read and the same with two digits exchanged does not."""
    puzzle = one(text)
    grid = np.array([int(digit) for digit in SOLUTIONS[text]])
    assert len(puzzle.constraints) in (21, 13, 24, 27)
    assert all(constraint.kind == "cage" and constraint.numbers for constraint in puzzle.constraints)
    assert not list(violations(puzzle, grid))
    exchanged = np.choose(grid, [0, 2, 1, 3, 4, 5, 6, 7, 8, 9])
    assert list(violations(puzzle, exchanged))


@pytest.mark.parametrize(
    ("text", "format"),
    [(text, form) for text in SOLUTIONS for form in FORMS if (text, form) != (DIAGONALS, "snarfable")],
)
def test_round_trip(text: str, format: str) -> None:
    """What is written is read back without being told the format."""
    puzzle = one(text)
    again = one(written(puzzle, format))
    assert again.geometry.rule_names == puzzle.geometry.rule_names
    assert set(again.constraints) == set(puzzle.constraints)
    assert not written(puzzle, format).startswith("#")


def test_both_diagonals() -> None:
    """D stands for both diagonals."""
    assert one(DIAGONALS).geometry.name == "9x9+diagonals"
    assert one(written(one(DIAGONALS), "sumocue")).geometry.name == "9x9+diagonals"
    assert "here:1: this puzzle is for 9x9+diagonals, not for 9x9" in error(DIAGONALS, board="9x9")
    assert one(NUMBERS, board="9x9+windoku").geometry.name == "9x9+windoku"


def test_sum_of_0() -> None:
    """A cell whose sum is 0 is in no cage."""
    assert one("3x3::k:" + "0:" * 81) == Puzzle.of(NINE)
    assert one("SumoCueV1" + "=0" * 81) == Puzzle.of(NINE)


def test_single_cell_cage() -> None:
    """A cage of one cell is a given."""
    puzzle = Puzzle.of(NINE, [5, *[0] * 80], constraints=["cage 10 r1c2 r2c2"])
    for format in FORMS:
        assert one(written(puzzle, format)) == puzzle
    what = "here:1: r1c1 is a cage of one cell with the sum 12; values go to 9"
    assert error("SumoCueV1=12" + "=0" * 80) == what
    assert error(f"3x3::k:{12 * 256}:" + "0:" * 80) == what


def test_jigsaw() -> None:
    """A jigsaw has its regions and its givens."""
    regions = "".join(f"=0J{int(region) - 1}" for region in JIGSAW.name.removeprefix("jigsaw:"))
    puzzle = one("SumoCueV1" + regions.replace("=0J0", "=7J0", 1))
    assert (puzzle.geometry.name, puzzle.givens.tolist()) == (JIGSAW.name, [7, *[0] * 80])
    assert one(written(puzzle, "sumocue")) == puzzle
    assert "here:1: 10 with J0; each of J0 to J8 must be there nine times" in error(
        "SumoCueV1" + regions.replace("J1", "J0", 1)
    )
    assert "80 cells with a region" in error("SumoCueV1" + regions.replace("J1", "", 1))
    assert "a jigsaw with diagonals" in error("SumoCueV1D" + regions)


def test_file_of_many() -> None:
    """A file has many puzzles and comments and an error stands in the place of one."""
    text = f"# a book\n\n{NUMBERS}\r\n{NUMBERS[:-9]}\n{DIAGONALS} # the last\n"
    first, second, third = read_text(text, "here")
    assert isinstance(first, Puzzle)
    assert isinstance(third, Puzzle)
    assert str(second) == "here:4: 80 numbers after 3x3::k:, where a killer puzzle has 81, a colon after each"
    many = [one(NUMBERS), one(DIAGONALS), one(NUMBERS)]
    for format in ("killer", "sumocue"):
        again = list(read_text("".join(write_all(many, format)), "here"))
        assert [set(puzzle.constraints) for puzzle in again if isinstance(puzzle, Puzzle)] == [
            set(puzzle.constraints) for puzzle in many
        ]


@pytest.mark.parametrize(
    ("text", "format", "what"),
    [
        (NUMBERS.replace("3844:3844", "3844:x", 1), None, "here:1: 'x' at r1c4 is not a number"),
        (
            NUMBERS.replace("3844:3844", "3844:4100", 1),
            None,
            "here:1: r1c4 gives cage 4 the sum 16, a cell before it 15",
        ),
        (f"3x3::k:{300 * 256}:{300 * 256}:" + "0:" * 79, None, "here:1: cage: 2 different values add up to 3 to 17"),
        ("53..7", "killer", "here:1: not a killer puzzle: '53..7'; write 3x3::k: and 81 numbers"),
        ("53..7", "sumocue", "here:1: not a SumoCue puzzle: '53..7'; write SumoCueV1 and 81 cells such as =15 or +0"),
        ("SumoCueV2" + "=0" * 81, None, "here:1: not a SumoCue puzzle: 'SumoCueV2"),
        ("SumoCueV1=0+2+2" + "=0" * 78, None, "here:1: r1c2 is in the cage of cell 2, which has no = and sum"),
        ("SumoCueV1" + "=0" * 80, None, "it has 80 cells; write 81 such as =15 or +0"),
        ("SumoCueV1" + "=0" * 80 + "?", None, "'?' in it is not a cell"),
        ("^" + ARROWS[1:], "snarfable", "here:1: r1c1 points out of the grid; it must lead to the sum of its cage"),
        ("><" + ARROWS[2:], None, "here:1: r1c1 points in a circle"),
        (ARROWS[:-1], "snarfable", "here:1: not a killer puzzle, 80 symbols"),
        (ARROWS[:-1] + "k", "snarfable", "here:1: not a killer puzzle, 'k' in it; write 81 symbols"),
    ],
)
def test_malformed(text: str, format: str | None, what: str) -> None:
    """What is malformed is refused with its line and what would be right."""
    assert what in error(text, format)


@pytest.mark.parametrize(
    ("format", "constraints", "givens", "what"),
    [
        ("killer", ["thermometer r1c1 r1c2"], "", "constraints of the kind thermometer; "),
        ("killer", ["cage r1c1 r1c2"], "", "this puzzle: `cage r1c1 r1c2` has no sum"),
        ("sumocue", ["cage 3 r1c1 r1c2", "cage 9 r1c2 r1c3"], "", "this puzzle: r1c2 is in two cages"),
        ("sumocue", ["cage >=3 r1c1 r1c2"], "", "this puzzle: `cage >=3 r1c1 r1c2` has bounds"),
        ("snarfable", ["cage 3-5 r1c1 r1c2"], "", "this puzzle: `cage 3-5 r1c1 r1c2` has bounds"),
        ("sumocue", ["cage 3 r1c1 r1c2"], "1", "this puzzle: r1c1 is a given in a cage"),
        ("snarfable", ["cage 9 r1c1 r1c3"], "", "this puzzle: the cells r1c1 r1c3 of a cage are not connected"),
    ],
)
def test_unwritable(format: str, constraints: list[str], givens: str, what: str) -> None:
    """A form refuses by name what it cannot hold."""
    values = [int(digit) for digit in givens.ljust(81, "0")]
    puzzle = Puzzle.of(NINE, values, constraints=constraints)
    with pytest.raises(FormatError, match=re.escape(f"format {format} cannot hold {what}")):
        written(puzzle, format)


@pytest.mark.parametrize("format", ["killer", "sumocue"])
def test_scattered_cage(format: str) -> None:
    """The cells of a cage need not be connected."""
    puzzle = Puzzle.of(NINE, constraints=["cage 9 r1c1 r9c9"])
    assert one(written(puzzle, format)) == puzzle


def test_cage_without_sum() -> None:
    """A cage without a sum is written where the form has it."""
    puzzle = Puzzle.of(NINE, constraints=["cage r1c1 r1c2"])
    assert one(written(puzzle, "sumocue")) == one(written(puzzle, "snarfable")) == puzzle


def test_pointer_on_diagonal() -> None:
    """A pointer along a diagonal is enough."""
    puzzle = Puzzle.of(NINE, constraints=["cage 9 r1c2 r2c1"])
    assert "'" in written(puzzle, "snarfable")
    assert one(written(puzzle, "snarfable")) == puzzle


def test_text_argument() -> None:
    """The text may be an argument."""
    for text in (NUMBERS, ARROWS):
        assert read(text) == one(text)
