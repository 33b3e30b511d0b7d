"""Jigsaws as plain text, a grid and then its regions on one line, as Interactive Sudoku Solver reads them."""

import pytest

from sudoku_encode import Puzzle, board, count, read, read_all
from sudoku_encode.errors import FormatError


def test_values_then_regions() -> None:
    """The first half has the values and the second the regions."""
    puzzle = read("1" + 15 * "." + "1112122233343444")
    assert puzzle.geometry == board("jigsaw:1112122233343444")
    assert puzzle.givens.tolist() == [1, *15 * [0]]
    assert count(puzzle, "sat") == count(f"1{15 * '.'}", "sat", board="jigsaw:1112122233343444")


def test_space_between() -> None:
    """A space may stand between the halves."""
    assert read("1" + 15 * "." + " 1112122233343444") == read("1" + 15 * "." + "1112122233343444")
    assert read("A" + 255 * "." + " " + 16 * "0123456789ABCDEF").geometry.n_values == 16


def test_letters_from_a() -> None:
    """Values above 9 are letters from a for 1."""
    # Regions are rows here, so that columns and rows are all that holds.
    regions = "".join(12 * symbol for symbol in "0123456789ab")
    puzzle = read("A.L" + "." * 141 + regions)
    assert puzzle.geometry.n_values == 12
    assert puzzle.givens[:3].tolist() == [1, 0, 12]


def test_mixed_lines() -> None:
    """Each line is a jigsaw and strings may stand between them."""
    line = "0004" + "0" * 12 + "1112122233343444"
    names = [
        puzzle.geometry.name
        for puzzle in read_all(f"{line}\n.Shape~4x4.~R1C1_1\n{line}\n")
        if isinstance(puzzle, Puzzle)
    ]
    assert names == ["jigsaw:1112122233343444", "4x4", "jigsaw:1112122233343444"]


REFUSED = {
    "1" + 15 * "." + "1112122233343433": "the second half of these 32 symbols is not 4 regions of 4 cells",
    "1.-" + 13 * "." + "1112122233343444": "- and . are 2 symbols for a blank; values of 4x4 are 1 to 4",
    "1.5" + 13 * "." + "1112122233343444": ". and 5 are 2 symbols for a blank; values of 4x4 are 1 to 4",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    """What is as long as a jigsaw and is none is refused."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert REFUSED[text] in str(caught.value)


@pytest.mark.parametrize("text", ["12345678" * 64, "1" * 16 + "2" * 16, "." * 32])
def test_other_lines(text: str) -> None:
    """Lines of that length that are something else are none."""
    try:
        found = read(text).geometry.name
    except FormatError as error:
        found = str(error)
    assert "jigsaw" not in found
    assert "regions" not in found


def test_solution_is_no_map() -> None:
    """A second half that is a solution is not a map."""
    solution = "1234341221434321"
    for gap in ("", " "):
        with pytest.warns(UserWarning, match="is read as the solution"):
            puzzle = read("1" + 15 * "." + gap + solution)
        assert puzzle.geometry == board("4x4")
        assert count(puzzle).value == 288 // 4
    # A Latin square whose boxes are wrong may be a map of regions in pieces.
    with pytest.warns(UserWarning, match="regions of the jigsaw in several pieces"):
        assert read("1" + 15 * "." + "1234234134124123").geometry.name.startswith("jigsaw:")
