"""Strings of Interactive Sudoku Solver: what they mean here, what is written, and what is refused by name."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

from sudoku_encode import Puzzle, board, hint, read, read_all, solutions
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from tests.helpers.command import Command

FAR_APART = " ".join(
    "".join(map(str, [first, *(second for second in range(1, 10) if abs(first - second) >= 2)]))
    for first in range(1, 10)
)
MEANINGS = {
    ".Thermo~R1C1~R1C2~R1C3": ["thermometer r1c1-r1c3"],
    ".Whisper~R1C1~R2C2": ["whispers 5 r1c1 r2c2"],
    ".Whisper~4~R1C1~R2C2": ["whispers 4 r1c1 r2c2"],
    ".Cage~15~R1C1~R1C2.Cage~0~R3C1~R3C2.Cage~~R5C1": ["cage 15 r1c1 r1c2", "cage r3c1 r3c2", "cage r5c1"],
    # A cell that appears twice counts twice.
    ".Cage~20~R4C2~R4C3~R4C4~R4C4": ["extra-region r4c2-r4c4", "weighted-sum 20 1 1 2 r4c2-r4c4"],
    ".Sum~7_=_1_1_-2~R1C1~R1C2~R1C3.Sum~9~R1C1~R1C2": ["weighted-sum 7 1 1 -2 r1c1-r1c3", "sum 9 r1c1 r1c2"],
    ".Arrow~R1C1~R1C2~R2C3": ["arrow r1c1 / r1c2 r2c3"],
    # The pill is read from left to right.
    ".PillArrow~2~R1C3~R1C2~R1C1~R2C1": ["arrow r1c2 r1c3 / r1c1 r2c1"],
    ".WhiteDot~R1C1~R1C2~R2C2~R9C9": ["difference 1 r1c1 r1c2", "difference 1 r1c2 r2c2"],
    ".BlackDot~R1C1~R2C1.X~R1C1~R1C2.V~R3C3~R3C4": [
        "ratio 2 r1c1 r2c1",
        "xv 10 r1c1 r1c2",
        "xv 5 r3c3 r3c4",
    ],
    ".GreaterThan~R2C2~R1C2~R2C3": ["greater r2c2 r1c2", "greater r2c2 r2c3"],
    ".StrictKropki.StrictXV": ["negative-difference 1", "negative-ratio 2", "negative-xv"],
    ".AntiConsecutive.WhiteDot~R1C1~R1C2": [
        "non-consecutive",
        "difference 1 r1c1 r1c2",
        "relation |a-b| != 1: r1c1 r1c2",
    ],
    ".Or.~R1C1_5.~R1C2_6_5.End": ["either values 5 r1c1 | values 5 6 r1c2"],
    ".Or.And.Cage~7~R1C1~R1C2.~R1C3_1~R1C4_2.End.Thermo~R1C1~R1C2.End": [
        "either cage 7 r1c1 r1c2 & values 1 r1c3 & values 2 r1c4 | thermometer r1c1 r1c2"
    ],
    # Alternatives of alternatives are alternatives, and what is about two of them is all combinations.
    ".Or.~R1C1_1.Or.~R1C2_1.~R1C3_1.End.And.Or.~R2C1_1.~R2C2_1.End.XSum~R3~8~9.End.End": [
        "either values 1 r1c1 | values 1 r1c2 | values 1 r1c3 | "
        "values 1 r2c1 & x-sum 8 r3c1-r3c9 & x-sum 9 r3c9-r3c1 | values 1 r2c2 & x-sum 8 r3c1-r3c9 & x-sum 9 r3c9-r3c1"
    ],
    ".And.~R1C1_5.Thermo~R1C1~R1C2.Or.~R3C3_3.End.End": ["values 5 r1c1", "thermometer r1c1 r1c2", "values 3 r3c3"],
    # Of one cell AllDifferent says nothing, so that the alternatives do not.
    ".Or.AllDifferent~R1C1.Thermo~R1C1~R1C2.End.Or..~R1C1_1..~R1C1_1.End": ["values 1 r1c1"],
    ".XSum~C2~27~.XSum~R3~~8.Skyscraper~C5~5": [
        "x-sum 27 r1c2-r9c2",
        "x-sum 8 r3c9-r3c1",
        "skyscraper 5 r1c5-r9c5",
    ],
    ".NumberedRoom~R1~4~6": ["numbered-room 4 r1c1-r1c9", "numbered-room 6 r1c9-r1c1"],
    ".Sandwich~17~R4": ["sandwich 17 r4c1-r4c9"],
    ".LittleKiller~20~R2C1.LittleKiller~9~R1C4": ["little-killer 20 r2c1-r9c8", "little-killer 9 r1c4-r4c1"],
    ".LittleKiller~20~R3C9.LittleKiller~9~R9C3": ["little-killer 20 r3c9-r1c7", "little-killer 9 r9c3-r3c9"],
    ".Quad~R1C8~6~7": ["quadruple 6 7 r1c8 r1c9 r2c8 r2c9"],
    ".ContainAtLeast~1_1_2~R1C1~R2C2~R3C3.ContainExact~1_1_2~R1C1~R2C2~R3C3": [
        "quadruple 1 1 2 r1c1-r3c3",
        "look-and-say 2 1 1 2 r1c1-r3c3",
    ],
    ".SumLine~10~R1C1~R1C2~R2C2~LOOP.SumLine~9~R1C1~R1C2": ["sum-loop 10 r1c1 r1c2 r2c2", "sum-line 9 r1c1 r1c2"],
    # Each pair of neighbours once, whatever is named twice.
    ".GreaterThan~R1C1~R1C2~R1C1": ["greater r1c1 r1c2"],
    ".Regex~W2FiXQ~R1C1": ["regex [AB]: r1c1"],
    ".LookAndSay~1617~R3C1~R2C1": ["look-and-say 1 6 1 7 r3c1 r2c1"],
    ".Indexing~C~R1C1.Indexing~R~R2C2": ["column-indexer r1c1", "row-indexer r2c2"],
    ".Diagonal~1.Diagonal~-1.AntiKnight.DisjointSets": ["diagonal 1", "diagonal -1", "anti-knight", "disjoint-groups"],
    ".EqualSum~R1C1~R1C2~-~R2C1~R2C2~-~R3C1": ["equal-sums r1c1 r1c2 / r2c1 r2c2 / r3c1"],
    ".SameValues~2~R1C1~R2C4~R3C7~R4C1": ["same-values r1c1 r2c4 / r3c7 r4c1"],
    # A table of the pairs that differ by at least 2, and of those of which one is three times the other. The older type
    # has its last two symbols the other way round.
    ".PairX~8H_xf8H_xf8H_B~_Nabner~R4C1~R5C1~~R1C1~R2C2~R3C3": [
        f"pairs {FAR_APART}: {two}" for two in ("r4c1 r5c1", "r1c1 r2c2", "r1c1 r3c3", "r2c2 r3c3")
    ],
    ".Binary~EAEBEAAQAAAAE~~R3C6~R4C6": ["pairs 13 26 319 62 93: r3c6 r4c6"],
    ".BinaryX~8H-xf8H-xf8H-B~~R3C6~R4C6": [f"pairs {FAR_APART}: r3c6 r4c6"],
    ".Regex~KDEyfDIuM3wzLi40fDQuLi41fDUuLi4uNikuKg~R1C1~R1C2~R1C3~~R2C1": [
        "regex (12|2.3|3..4|4...5|5....6).*: r1c1-r1c3",
        "regex (12|2.3|3..4|4...5|5....6).*: r2c1",
    ],
    ". Renban ~R1C1~ R1C2 .SearchPriority~1~R1C1": ["renban r1c1 r1c2"],
}

BLANK = ".~R9C9_1"


def texts_of(puzzle: Puzzle) -> list[str]:
    return [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]


def found_in(text: str) -> list[Puzzle | FormatError]:
    return list(read_all(text))


@pytest.mark.filterwarnings("ignore:Cage|AntiCons|Search|Jigsaw|Sandwich")
@pytest.mark.parametrize("text", MEANINGS)
def test_each_type(text: str) -> None:
    """Each type means what it means there."""
    assert texts_of(read(text)) == MEANINGS[text]


def test_givens_and_pencilmarks() -> None:
    """Givens and pencilmarks are read and those of one cell hold together."""
    puzzle = read(".~R1C1_5~R1C2_1_2_3.~R1C2_3_2_9~R2C1_6_7~R2C1_6")
    assert puzzle.givens[[0, 1, 9]].tolist() == [5, 0, 6]
    assert (np.flatnonzero(puzzle.candidates[1]) + 1).tolist() == [2, 3]
    assert puzzle.candidates[2].all()
    assert read(".~R1C1_5").pencilmarks is None


REGIONS = "1112222111122233334443334444556667755666775556777"
BOARDS = {
    ".Shape~6x6": "6x6",
    ".Shape~16x16.~R1Cg_16": "16x16",
    ".Shape~9x9~1-9.~R1C1_1": "9x9",
    ".Shape~7x7": "7x7",
    ".NoBoxes": "latin:9x9",
    ".Shape~4x4.NoBoxes.Jigsaw~1122112233443344": "jigsaw:1122112233443344",
    # Boxes hold besides the regions.
    ".Shape~4x4.Jigsaw~1112122233343444": "4x4",
    # A side of 7 has no boxes.
    f".Shape~7x7.Jigsaw~{REGIONS}": f"jigsaw:{REGIONS}",
    # Boxes have as many cells as the longer side, and are lower than wide where both ways fit.
    ".Shape~4x6": "jigsaw:4x6:111222111222333444333444",
    ".Shape~6x4": "jigsaw:6x4:112211221122334433443344",
    ".Shape~4x8": "jigsaw:4x8:11112222111122223333444433334444",
    ".Shape~4x6.NoBoxes": "latin:4x6",
    ".Shape~9x8": "latin:9x8",
    ".Shape~4x6~12": "latin:4x6:12",
    ".Shape~4x6~8.NoBoxes.RegionSize~8.Jigsaw~111222111222113322333333": "jigsaw:4x6:111222111222113322333333",
    ".Shape~6x6~9.RegionSize~9": "jigsaw:6x6:111222111222111222333444333444333444",
    ".Shape~6x6~9": "latin:6x6:9",
    ".RegionSize~6": "latin:9x9",
}


@pytest.mark.filterwarnings("ignore:Cage|AntiCons|Search|Jigsaw|Sandwich")
@pytest.mark.parametrize("text", BOARDS)
def test_boards(text: str) -> None:
    """The board is the one that the string says."""
    assert read(text).geometry == board(BOARDS[text])


@pytest.mark.parametrize("name", dict.fromkeys(BOARDS.values()))
def test_board_round_trip(name: str) -> None:
    """A board is written and read back as the same."""
    puzzle = Puzzle.of(board(name), [2, *(0 for _ in range(board(name).n_cells - 1))])
    again = read("".join(write_all([puzzle], "iss")))
    assert (again.geometry, again.givens.tolist()) == (puzzle.geometry, puzzle.givens.tolist())


@pytest.mark.parametrize("name", ["4x4@0,0;2,2", "6x6:3x2", "latin:17x5", "latin:4x6:17", "9x9+windoku", "4x4x4"])
def test_unwritable_board(name: str) -> None:
    """A board that no string says is refused by name."""
    with pytest.raises(FormatError, match="iss"):
        list(write_all([Puzzle.of(board(name))], "iss"))


def test_small_boxes() -> None:
    """Boxes with fewer cells than there are values are constraints."""
    puzzle = read(".Shape~6x6~9.~R1C1_9")
    assert texts_of(puzzle)[:2] == ["extra-region r1c1-r1c3 r2c1-r2c3", "extra-region r1c4-r1c6 r2c4-r2c6"]
    assert len(puzzle.constraints) == 6
    assert texts_of(read(".Shape~6x6~9.NoBoxes.~R1C1_9")) == []


def test_largest_regions() -> None:
    """All largest regions have the same values where they do not have all."""
    (same,) = read(".Shape~2x3~4.RegionSameValues").constraints
    assert (same.kind, same.cells) == ("same-values", ((0, 1, 2), (3, 4, 5)))
    (same,) = read(".Shape~3x3~4.RegionSameValues").constraints
    assert same.cells == ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8))
    assert [one.kind for one in read(".Shape~4x4.RegionSameValues").constraints] == []


@pytest.mark.filterwarnings("ignore:Cage|AntiCons|Search|Jigsaw|Sandwich")
def test_sandwich_without_all_values() -> None:
    """A sandwich on a line without all values lies between its smallest and largest."""
    assert texts_of(read(".Shape~4x6.NoBoxes.Sandwich~7~C1.Sandwich~7~R1")) == [
        "lunchbox 7 r1c1-r4c1",
        "sandwich 7 r1c1-r1c6",
    ]


REMARKS = {
    ".Cage~20~R4C2~R4C3~r4c2": ["Cage: a cell that is in a cage twice counts twice in its sum"],
    ".Cage~20~R4C2~R4C3~R4C4": [],
    ".AllDifferent~R1C1~R1C2~R1C1": ["AllDifferent: a cell that is listed twice is read once"],
    ".Shape~12x12.Whisper~R1C1~R1C2": ["Whisper: without a number cells differ by at least 5, with 12 values too"],
    ".Whisper~R1C1~R1C2.Shape~9x9": [],
    ".NoBoxes.RegionSumLine~R1C1~R5C5": ["RegionSumLine: there are no boxes or regions, so it has no effect"],
    ".Shape~4x6.Sandwich~7~C1.Sandwich~7~C2": [
        "Sandwich: on a line without all values it is between the smallest and the largest of the line"
    ],
    ".Sandwich~7~C1": [],
    ".Shape~4x4.Jigsaw~1112122233343444": ["Jigsaw: without NoBoxes its regions hold in addition to the boxes"],
    ".Shape~4x4.NoBoxes.Jigsaw~1111000000000000": ["Jigsaw: 12 cells are in no region, since a region has 4"],
    ".Shape~4x4.NoBoxes.Jigsaw~1111111111111111": ["Jigsaw: one region of all cells has no effect"],
    ".SearchPriority~1~R1C1": ["SearchPriority: not read, since it says where that program searches first"],
    ".AntiConsecutive.WhiteDot~R1C1~R1C2": [
        "AntiConsecutive: it holds for cells with a WhiteDot too, so there is no solution"
    ],
    ".AntiConsecutive.BlackDot~R1C1~R1C2": [],
}


@pytest.mark.parametrize("text", REMARKS)
def test_remarks(text: str) -> None:
    """A remark says what a type means besides its name."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        read(text)
    assert [str(one.message) for one in said] == REMARKS[text]


@pytest.mark.filterwarnings("ignore:Cage|AntiCons|Search|Jigsaw|Sandwich")
def test_regions_beside_boxes() -> None:
    """Regions beside boxes are constraints and only one may be of another size."""
    assert texts_of(read(".Shape~4x4.Jigsaw~1112122233343444"))[0] == "extra-region r1c1-r1c3 r2c1"
    assert len(read(".Shape~4x4.NoBoxes.Jigsaw~1111000000000000").constraints) == 1
    with pytest.raises(FormatError, match="Jigsaw: each region has 4 cells"):
        read(".Shape~4x4.Jigsaw~1110000000000222")


REFUSED = {
    ".Or.Thermo~R1C1~R1C2": "Or without its End",
    ".Or.And.Thermo~R1C1~R1C2.End": "Or without its End",
    ".Thermo~R1C1~R1C2.End": "an End without its Or or And",
    ".Or.End": "Or is empty",
    ".Or.~R1C1_1~R1C2_2.~R1C3_3.End": "givens: an Or has several of it in one part; write each as a part",
    ".Or.XSum~C2~27~5.~R1C3_3.End": "XSum: an Or has several of it in one part; write each as a part",
    ".Or.Regex~MQ~R1C1~~R1C2.~R1C3_3.End": "Regex: an Or has several of it in one part; write each as a part",
    ".Or.Pair~AB~_one~R1C1~R1C2~_other~R3C1~R3C2.~R1C3_3.End": "Pair: an Or has several of it in one part",
    ".Or.NoBoxes.~R1C3_3.End": "NoBoxes: it is about the whole puzzle, and is not read in Or and And",
    ".Or.And.StrictXV.~R1C3_3.End.~R1C1_1.End": "StrictXV: it is about the whole puzzle",
    ".Or.~R1C1.~R1C3_3.End": "givens: 'R1C1' has no value",
    ".Or.~R1C1_10.~R1C3_3.End": "either: values: not a value: 10 (1 to 9)",
    ".Or.Thermo.~R1C3_3.End": "Thermo: its cells are missing",
    ".And" + 9 * ".Or.~R1C1_1.~R1C2_1.End" + ".End.Or.And" + 9 * ".Or.~R1C1_1.~R1C2_1.End" + ".End.~R1C1_1.End": (
        "512 alternatives; up to 256 are read"
    ),
    21 * ".Or" + ".~R1C1_1": "more than 20 Or and And in each other",
    ".Var~abc~R1C1": "Var: 'abc~R1C1'; expected A~label~8, capital letters and a size",
    ".ChaosConstruction.ChaosArrow~R1C1~0~R1C2": "ChaosArrow: its cells after the first should be cells of regions",
    ".ConnectedValues~X~1": "ConnectedValues: 'X' is not a group of cells; expected none for the grid, or CC",
    ".ChaosCount~R1C1~~CC82": "ChaosCount: 'CC82' is not a cell",
    ".Termo~R1C1~R1C2": "'Termo' is not a type of ISS strings",
    ".Shape~1x8": "Shape 1x8: only sides from 2 to 16 are read",
    ".Shape~9": "Shape 9: only sides from 2 to 16 are read",
    ".Shape~9x9~0-8~Raw": "only a board with rows and columns is read",
    ".Shape~6x9~8": "Shape 6x9~8: there are 9 to 16 values, from 0 or 1",
    ".Shape~6x9~17": "Shape 6x9~17: there are 9 to 16 values",
    ".RegionSize~10.~R1C1_1": "RegionSize 10: only regions of 2 to 9 cells are read",
    ".RegionSize~6~6": "RegionSize 6~6: only regions of 2 to 9 cells are read",
    ".~R1C1_10": "givens: R1C1 = 10; values on 9x9 go from 1 to 9",
    ".~R1C1": "givens: 'R1C1' has no value",
    ".~R0C1_1": "givens: 'R0C1' is not a cell; they are R1C1 to R9C9",
    ".Thermo~R1C1~VA1": "Thermo: 'VA1' is not a cell",
    ".Thermo~R1C1~R1C2~LOOP": "Thermo: only a SumLine may be a LOOP, a line that ends where it begins",
    ".Cage~50~R1C1~R1C2": "cage: 2 different values add up to 3 to 17, never to 50",
    ".Cage~x~R1C1": "Cage: 'x' where there should be a number",
    ".Cage~5": "Cage: its cells are missing",
    ".Skyscraper~R10~5": "Skyscraper: 'R10' is not a row or column; they are R1 to R9, and C1 to C9",
    ".LittleKiller~9~R2C2": "LittleKiller: no diagonal begins at R2C2",
    ".Quad~R9C9~1": "Quad: R9C9 is the first of no 2x2 square",
    ".WhiteDot~R1C1~R2C2": "WhiteDot: no two of its cells are neighbours",
    ".SameValues~3~R1C1~R2C4": "SameValues: 2 cells are not 3 sets of equal size",
    ".Regex~KDEyfDI~R1C1": "is not a regular expression",
    ".Pair~a.b~R1C1": "not a type of ISS strings",
    ".Diagonal~2": "diagonal: not a diagonal: 2 (1 rises to the right, -1 falls)",
    ".Jigsaw~12": "Jigsaw: 9x9 needs a letter or digit for each of its 81 cells",
}


@pytest.mark.parametrize("text", REFUSED)
def test_not_understood(text: str) -> None:
    """What is not understood is refused by name in one line."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert REFUSED[text] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines_with_errors() -> None:
    """A line is a puzzle and a wrong one does not stop the others."""
    first, wrong, last = found_in(f"# a remark\n# name: Elsa\n{BLANK}\n\n.Or.End\n.AntiKnight.{BLANK}\n")
    assert isinstance(first, Puzzle)
    assert isinstance(last, Puzzle)
    assert (first.name, last.name, texts_of(last)) == ("Elsa", "", ["anti-knight"])
    assert isinstance(wrong, FormatError)
    assert wrong.line == 5


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_argument() -> None:
    """A string alone is read as it is among other lines, and other texts with a tilde are not strings."""
    for text in (*MEANINGS, ".Shape~4x4.~R1C1_1", ".AntiKnight.Thermo~R1C1~R1C2"):
        assert read(text) == found_in(f"# name: Elsa\n{text}")[0]
    with pytest.raises(FormatError, match="no such file; text must have"):
        read(".1~2")
    with pytest.raises(FormatError, match="'Thermos' is not a type of ISS strings"):
        read(".Thermos~R1C1")


def test_continued_line() -> None:
    """An indented line goes on with the string before."""
    lines = "\n    .Shape~4x4.Thermo~R1C1\n     ~R1C2\n\t.AntiKnight\n\n .Shape~4x4\n.AntiKing\n"
    first, second, third = found_in(f"# name: Elsa{lines}")
    assert isinstance(first, Puzzle)
    assert (first.name, texts_of(first)) == ("Elsa", ["thermometer r1c1 r1c2", "anti-knight"])
    assert second == Puzzle.of(board("4x4"))
    assert isinstance(third, Puzzle)
    assert texts_of(third) == ["anti-king"]


def test_blanks_are_not_iss() -> None:
    """A puzzle that begins with blanks is no such string."""
    assert found_in("..E." + "." * 251 + "1")[0] == Puzzle.of(board("16x16"), [0, 0, 14, *252 * [0], 1])
    with pytest.raises(FormatError, match="this is not iss: it does not begin as an ISS string"):
        read("." * 81, format="iss")
    with pytest.raises(FormatError, match="this is an ISS string, not json"):
        read(BLANK, format="json")


def refused_kinds() -> Iterator[str]:
    for kind, row in CONSTRAINTS.items():
        puzzle = Puzzle.of(board(row.example_board), constraints=[row.example])
        try:
            list(write_all([puzzle], "iss"))
        except FormatError:
            yield kind


# These come back as a table of pairs, as candidates, or cell by cell.
OTHERWISE = (
    "automaton",
    "relation",
    "greater",
    "slow-thermometer",
    "parity-line",
    "nabner",
    "odd",
    "even",
    "values",
    "clone",
)
# No string says these.
NOT_THERE = (
    *("minimum", "maximum", "box-indexer", "space-diagonals", "plane-diagonals", "equal-planes", "product"),
    # Of values from 0 alone there; an Or holds if several of its parts do.
    *("doppelganger", "exactly-one"),
)
NOT_WRITTEN = (*NOT_THERE, *(kind for kind in CONSTRAINTS if kind.startswith("negative-") and kind != "negative-xv"))


def test_unwritable_kinds() -> None:
    """The kinds that a string cannot say are refused by name."""
    assert sorted(refused_kinds()) == sorted(NOT_WRITTEN)
    with pytest.raises(FormatError, match="an ISS string cannot express minimum: minimum r2c2"):
        list(write_all([Puzzle.of(board("9x9"), constraints=["minimum r2c2"])], "iss"))
    for text in ("cage >=12 r1c1 r1c2", "sum 12-15 r1c1 r1c2", "weighted-sum <=4 1 -1 r1c1 r1c2"):
        with pytest.raises(FormatError, match=f"an ISS string cannot express {text.split()[0]} with bounds: {text}"):
            list(write_all([Puzzle.of(board("9x9"), constraints=[text])], "iss"))
    with pytest.raises(FormatError, match="an ISS string cannot express sandwich except for whole rows and columns"):
        list(write_all([Puzzle.of(board("9x9"), constraints=["sandwich 9 3 8 r1c1-r1c9"])], "iss"))
    with pytest.raises(
        FormatError, match="an ISS string cannot express automaton that no values of its cells satisfy: automaton 3>0"
    ):
        list(write_all([Puzzle.of(board("4x4"), constraints=["automaton 3>0 !2>1: r1c1 r1c2"])], "iss"))


@pytest.mark.parametrize("text", ["relation a + b == 5 or a == 1: r1c1-r1c3", "relation a < b: r2c1 r2c2"])
def test_relation_as_table(text: str) -> None:
    """A relation is written as a table."""
    puzzle = Puzzle.of(board("4x4"), constraints=[text])
    (written,) = write_all([puzzle], "iss")
    found, expected = ({grid.values.tobytes() for grid in solutions(one)} for one in (read(written), puzzle))
    assert found == expected


@pytest.mark.parametrize("text", ["column-indexer r2c1", "column-indexer r1c3 r3c2"])
def test_indexer_of_rectangle(text: str) -> None:
    """An indexer of a rectangle comes back."""
    puzzle = Puzzle.of(board("latin:3x4"), constraints=[text])
    (written,) = write_all([puzzle], "iss")
    assert texts_of(read(written)) == [text]


@pytest.mark.parametrize("kind", [kind for kind in CONSTRAINTS if kind not in (*NOT_WRITTEN, *OTHERWISE)])
def test_round_trip(kind: str) -> None:
    """What is written is read back as the same."""
    givens = [5, *80 * [0]] if kind != "odd" else None
    marks = np.ones((81, 9), bool)
    marks[80, :4] = False
    puzzle = Puzzle.of(board("9x9"), givens, marks, "a name", [CONSTRAINTS[kind].example])
    again = read("".join(write_all([puzzle], "iss")))
    assert (again.geometry, again.name, again.constraints) == (puzzle.geometry, puzzle.name, puzzle.constraints)
    np.testing.assert_array_equal(again.candidates, puzzle.candidates)


@pytest.mark.filterwarnings("ignore:NFA")
@pytest.mark.parametrize("kind", OTHERWISE)
def test_equivalent_writing(kind: str) -> None:
    """What is said otherwise means the same."""
    puzzle = Puzzle.of(board("9x9"), constraints=[CONSTRAINTS[kind].example])
    again = read("".join(write_all([puzzle], "iss")))
    rng = np.random.RandomState(0)
    cells, found = np.arange(81), set()
    for _ in range(600):
        grid = rng.randint(1, 10, 81).tolist()
        broken = any(here.violated(grid) for here in puzzle.placed)
        marked = again.candidates[cells, np.array(grid) - 1].all()
        assert broken == (not marked or any(here.violated(grid) for here in again.placed))
        found.add(broken)
    assert found == {True, False} or kind == "clone"


def test_kropki() -> None:
    """Kropki is written when both of its halves are there."""
    lines = ["ratio 2 r1c1 r1c2", "negative-difference 1", "odd r3c3", "negative-ratio 2"]
    text = "".join(write_all([Puzzle.of(board("9x9"), constraints=lines)], "iss"))
    assert ".StrictKropki" in text
    assert texts_of(read(text)) == ["ratio 2 r1c1 r1c2", "negative-difference 1", "negative-ratio 2"]
    for lines in (["negative-xv 10"], ["non-consecutive", "difference 1 r1c1 r1c2"], ["x-sum 12 r1c1-r1c5"]):
        with pytest.raises(FormatError, match="an ISS string cannot express"):
            list(write_all([Puzzle.of(board("9x9"), constraints=lines)], "iss"))


def test_command(run: Command) -> None:
    """The command converts both ways."""
    text = run("convert", "--to", "iss", "--board", "4x4", "--constraint", "thermometer r1c1-r1c3", "." * 16).out
    assert text == ".Shape~4x4.Thermo~R1C1~R1C2~R1C3\n"
    assert run("count", text).out == "48\n"
    assert "# constraint: thermometer r1c1-r1c3" in run("convert", "--to", "line", text).out
    said = run("count", ".Shape~4x4.Jigsaw~1112122233343444")
    assert (said.status, said.err.count("Jigsaw: without NoBoxes its regions hold in addition to the boxes")) == (0, 1)
    refused = run("convert", "--to", "iss", "." * 81, "--constraint", "minimum r2c2")
    assert (refused.status, refused.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    "link",
    [
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Thermo~R1C1~R1C2.~R3C3_5",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?mode=all&q=%2EThermo%7ER1C1%7ER1C2%2E%7ER3C3_5",
    ],
)
def test_link(link: str) -> None:
    """A link is read as the string in it."""
    assert read(link) == read(".Thermo~R1C1~R1C2.~R3C3_5")
    assert read(link).constraints == Puzzle.of(board("9x9"), constraints=["thermometer r1c1 r1c2"]).constraints


@pytest.mark.filterwarnings("ignore:Shape")
def test_missing_values() -> None:
    """The missing values of rows, columns and boxes are hidden cells, with neighbours as they are drawn there."""
    parts = [
        "Doppelganger",
        "~DGC2_3~DGR1_1_2",
        "Whisper~2~DGC1~DGC2",
        "GreaterThan~DGB4~DGB2~DGB3",
        "Or.~DGB1_4.~R1C1_0.End",
    ]
    assert texts_of(read(f".Shape~4x4~0-4.{'.'.join(parts)}"))[4:] == [
        *("values 3 h2", "values 1 2 h5", "either values 4 h9 | values 0 r1c1", "doppelganger h1-h4 / h5-h8 / h9-h12"),
        *("whispers 2 h1 h2", "greater h12 h10", "greater h12 h11"),
    ]
    written = read(".Shape~4x4~0-4.Doppelganger.~R1C1_0.Whisper~2~DGC1~DGC2")
    assert read("".join(write_all([written], "iss"))) == written
    assert hint(written) is None
    assert "h1 is 1" in str(hint(read(".Shape~4x4.ChaosConstruction")))
    for text, reason in {
        ".Shape~4x4~0-4.Whisper~2~DGC1~DGC2": "Whisper: 'DGC1' is not a cell",
        ".Shape~4x4~0-4.Doppelganger.Whisper~2~DGC1~DGC5": "Whisper: 'DGC5' is not a cell",
        ".Shape~4x4.Doppelganger": "doppelganger: it needs a square with one value more",
        ".Shape~4x4.FullRankTies~some": "FullRankTies: 'some' is not one of none, only-unclued, any",
        ".Shape~4x4.Or.FullRankTies~any.~R1C1_1.End": "it is about the whole puzzle, and is not read in Or and And",
        ".Shape~4x4.Or.FullRank~R1~3~.~R1C1_1.End": "either: full-rank: not a constraint for an alternative",
        ".Shape~4x4.FullRank~R1~17~": "full-rank: impossible rank 17: expected 1 to 16",
    }.items():
        with pytest.raises(FormatError, match=reason):
            read(text)


def test_ranks() -> None:
    """Ranks at both ends of a row or column, and which lines may be equal."""
    puzzle = read(".Shape~4x4.FullRank~C1~10~.FullRank~R4~5~12.FullRankTies~any")
    assert texts_of(puzzle) == [
        "full-rank 10 r1c1-r4c1",
        "full-rank 5 r4c1-r4c4",
        "full-rank 12 r4c4-r4c1",
        "full-rank-ties 2",
    ]
    (written,) = write_all([puzzle], "iss")
    assert read(written) == puzzle
