"""Types of ISS strings that depend on boxes, on boards that have other boxes or none; and what is said twice."""

from itertools import product

import pytest

from sudoku_encode import Puzzle, board, read
from sudoku_encode.errors import FormatError


def texts_of(text: str) -> list[str]:
    puzzle = read(text)
    return [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]


def test_windows_without_boxes() -> None:
    """Windows and places of boxes are there without boxes."""
    windows = texts_of(".NoBoxes.Windoku")
    assert len(windows) == 4
    assert windows[:2] == [
        "extra-region r2c2-r2c4 r3c2-r3c4 r4c2-r4c4",
        "extra-region r2c6-r2c8 r3c6-r3c8 r4c6-r4c8",
    ]
    places = texts_of(".NoBoxes.DisjointSets")
    assert len(places) == 9
    assert places[0] == "extra-region r1c1 r1c4 r1c7 r4c1 r4c4 r4c7 r7c1 r7c4 r7c7"


@pytest.mark.parametrize("kind", ["Windoku", "DisjointSets"])
@pytest.mark.parametrize("side", [4, 6, 9])
def test_same_as_with_boxes(kind: str, side: int) -> None:
    """They are the same as those of the board with boxes."""
    usual, plain = read(f".Shape~{side}x{side}.{kind}"), read(f".Shape~{side}x{side}.NoBoxes.{kind}")
    units = {tuple(sorted(one.cells[0])) for one in plain.constraints}
    (one,) = usual.placed
    # Two equal cells break it exactly if some unit has both.
    for first, second in product(range(0, side * side, 3), range(side * side)):
        values = [9 + cell for cell in range(side * side)]
        values[first] = values[second]
        together = first != second and any(first in unit and second in unit for unit in units)
        assert one.violated(values) == together


def test_region_sums_small_boxes() -> None:
    """Region sums go by boxes with fewer cells than there are values."""
    assert texts_of(".Shape~6x6~9.RegionSumLine~R1C1~R1C3~R1C4~R3C4~R4C1~R4C2")[6:] == [
        "equal-sums r1c1 r1c3 / r1c4 / r3c4 / r4c1 r4c2"
    ]
    assert texts_of(".Shape~6x6~9.RegionSumLine~R1C1~R1C3")[6:] == []


@pytest.mark.filterwarnings("ignore:RegionSumLine")
def test_region_sums_without_regions() -> None:
    """Region sums say nothing where there are no regions."""
    assert texts_of(".NoBoxes.RegionSumLine~R1C1~R5C5") == []


@pytest.mark.filterwarnings("ignore:Jigsaw")
def test_region_sums_partial_jigsaw() -> None:
    """Region sums go by the regions of a jigsaw that leaves cells out."""
    text = ".Shape~4x4.NoBoxes.Jigsaw~1100110000000000.RegionSumLine~R1C1~R2C2~R3C3~R4C4~R1C2"
    assert texts_of(text)[1:] == ["equal-sums r1c1 r2c2 / r3c3 r4c4 / r1c2"]


@pytest.mark.slow
def test_indexing_on_rectangle() -> None:
    """Indexing on a rectangle is a relation with each cell of the line."""
    puzzle = read(".Shape~2x3~4.NoBoxes.Indexing~C~R1C1~R2C3.Indexing~R~R1C2")
    assert puzzle.geometry == board("latin:2x3:4")
    found = 0
    for values in product(range(1, 5), repeat=6):
        grid = [values[:3], values[3:]]
        # The place of a cell is where its value says, and nowhere else.
        wanted = all(
            value <= len(line) and [v == at for v in line] == [place == value for place in range(1, len(line) + 1)]
            for value, line, at in (
                (grid[0][0], grid[0], 1),
                (grid[1][2], grid[1], 3),
                (grid[0][1], (grid[0][1], grid[1][1]), 1),
            )
        )
        assert wanted != any(here.violated(values) for here in puzzle.placed)
        found += wanted
    assert found > 10


def test_pill_digits() -> None:
    """All cells of a pill but the first are digits."""
    puzzle = read(".Shape~12x12.PillArrow~2~R1C1~R1C2~R2C1~R2C2")
    assert [one.text(puzzle.geometry) for one in puzzle.constraints] == [
        "arrow r1c1 r1c2 / r2c1 r2c2",
        "regex [^ABC]: r1c2",
    ]


def test_pill_from_zero() -> None:
    """The digits of a pill begin at 0 where values do."""
    puzzle = read(".Shape~12x12~0-11.PillArrow~2~R1C1~R1C2~R2C1~R2C2")
    assert [one.text(puzzle.geometry) for one in puzzle.constraints] == [
        "arrow r1c1 r1c2 / r2c1 r2c2",
        "regex [^AB]: r1c2",
    ]


TWICE = {
    ".Quad~R1C1~1~2.Quad~r1c1~3": "Quad: R1C1 has both 1~2 and 3; only one of them can be meant",
    ".XSum~R1~12~.XSum~R1~13~": "XSum: R1 from its beginning has both 12 and 13",
    ".Skyscraper~C2~~3.Skyscraper~C2~2~4": "Skyscraper: C2 from its end has both 3 and 4",
    ".LittleKiller~9~R1C3.LittleKiller~8~R1C3": "LittleKiller: R1C3 has both 9 and 8",
    ".Sandwich~9~R1.Sandwich~8~R1": "Sandwich: R1 has both 9 and 8",
    ".RegionSize~6.RegionSize~9": "RegionSize: 6 and 9; only one of them can be meant",
    ".Shape~9x9.~R1C1_1.Shape~6x6": "Shape: 9x9 and 6x6",
    ".Shape~4x6.Windoku": "Windoku: it is read on a square that boxes tile",
    ".Shape~5x5.DisjointSets": "DisjointSets: it is read on a square that boxes tile",
}


@pytest.mark.parametrize("text", TWICE)
def test_refusals(text: str) -> None:
    """What cannot be meant is refused."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert TWICE[text] in str(caught.value)


def test_repeated_once() -> None:
    """What is said twice in the same way is read once."""
    assert texts_of(".XSum~R1~12~.XSum~R1~~5.XSum~R1~12~.Quad~R1C1~1~2.Quad~R1C1~2~1") == [
        *("x-sum 12 r1c1-r1c9", "x-sum 5 r1c9-r1c1", "quadruple 1 2 r1c1 r1c2 r2c1 r2c2"),
        "quadruple 2 1 r1c1 r1c2 r2c1 r2c2",
    ]


def test_latin_rules() -> None:
    """A puzzle without boxes has no more than its rows and columns."""
    assert isinstance(read(".NoBoxes.~R1C1_1"), Puzzle)
    assert texts_of(".NoBoxes.~R1C1_1") == []
