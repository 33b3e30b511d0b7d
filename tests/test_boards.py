"""Boards by name: each name means one board, and a bad name is refused with what would be right."""

from pathlib import Path

import numpy as np
import pytest
from puzzles import JIGSAW_4, REGIONS_4, units_of

from sudoku_encode.errors import FormatError, GeometryError, SudokuError
from sudoku_encode.puzzles import geometry
from sudoku_encode.puzzles.boards import board

NAMES = [
    "2x2",
    "4x4",
    "6x6",
    "6x6:3x2",
    "6x6:1x6",
    "7x7",
    "7x7:1x7",
    "9x9",
    "9x9:1x9",
    "9x9+diagonals",
    "9x9+windoku",
    "9x9+diagonals+windoku",
    "12x12:4x3",
    "16x16",
    "100x100",
    "4x4x4",
    "9x9x9:literal",
    "25x25x25",
    "jigsaw:aaabacbbccbdcddd",
    "jigsaw:0001021122132333",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_board_reads_back_as_that_board(name: str) -> None:
    first = board(name)
    again = board(first.name)

    assert again.name == first.name
    assert (again.shape, again.n_values, again.box) == (first.shape, first.n_values, first.box)
    assert again.rule_names == first.rule_names
    for one, other in zip(first.rules, again.rules, strict=True):
        assert np.array_equal(one.units, other.units)


@pytest.mark.parametrize(
    ("long", "short"), [("6x6:2x3", "6x6"), ("9x9:3x3", "9x9"), (" 9x9 ", "9x9"), ("12x12:3x4", "12x12")]
)
def test_a_default_box_is_left_out_of_the_name(long: str, short: str) -> None:
    assert board(long).name == short
    assert units_of(board(long)) == units_of(board(short))


def test_the_first_number_of_a_box_is_its_rows() -> None:
    assert board("6x6:3x2").box == (3, 2)
    assert [0, 1, 6, 7, 12, 13] in units_of(board("6x6:3x2"))["box"]


def test_a_prime_side_has_rows_and_columns_only() -> None:
    assert board("7x7").rule_names == ("row", "column")
    assert board("7x7").box is None


def test_rules_can_be_chosen_with_the_board() -> None:
    assert board("4x4x4", ["box-yz", "row-x"]).rule_names == ("row-x", "box-yz")
    with pytest.raises(GeometryError, match="no rule 'box'; its rules are row-x, row-y"):
        board("4x4x4", ["box"])


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("9x8", "all sides must be equal"),
        ("4x4x9", "all sides must be equal"),
        ("banana", "write 9x9, 6x6:2x3"),
        ("", "write 9x9, 6x6:2x3"),
        ("9", "write 9x9, 6x6:2x3"),
        ("9x9x9:figurative", "write 9x9, 6x6:2x3"),
        ("5x5x5", "a side of 4, 9, 16, 25"),
        ("1x1x1", "a side of 4, 9, 16, 25"),
        ("1x1", "at least 2"),
        ("0x0", "at least 2"),
        ("6x6:2x2", "a 6x6 board needs 6"),
        ("6x6:0x6", "a 6x6 board needs 6"),
        ("9x9+nonsense", "known: diagonals, windoku"),
        ("6x6+windoku", "a side of 4, 9, 16, 25"),
        ("101x101", "at most 100"),
        ("36x36x36", "at most 25"),
        ("99999999999999999999999999x99999999999999999999999999", "at most 100"),
        ("jigsaw:aaabacbbccbdcdd", "n \\* n symbols, this one has 15"),
        ("jigsaw:aaabacbbccbdcddc", "4 regions of 4 cells"),
        ("jigsaw:" + "a" * 1024, "at most 31x31"),
        ("9" * 5000 + "x9", "9x9|at most 100"),
        ("jigsaw:\0", "map"),
    ],
    ids=lambda text: text[:30],
)
def test_a_bad_name_is_refused_with_the_way_out(name: str, way_out: str) -> None:
    with pytest.raises(SudokuError, match=way_out) as refusal:
        board(name)

    assert len(str(refusal.value).splitlines()) == 1


def test_a_jigsaw_is_read_from_a_file_over_lines_with_comments(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text("# regions\naaab\nacbb\n\n  # more\nccbd\nc d d d\n", encoding="utf-8")

    found = board(f"jigsaw:{file}")

    assert units_of(found)["region"] == REGIONS_4
    assert found.name == "jigsaw:aaabacbbccbdcddd"
    assert units_of(found) == units_of(geometry.jigsaw(JIGSAW_4, "by hand"))


def test_a_jigsaw_may_be_as_large_as_the_limit_says() -> None:
    # Over 255 characters the map is no possible name of a file.
    symbols = "".join(symbol * 16 for symbol in "0123456789abcdef")

    assert board(f"jigsaw:{symbols}").n_values == 16


@pytest.mark.parametrize("content", [b"aaab acbb ccbd cd.d", b"\xff\xfe\x00", "ääab".encode()])
def test_a_file_that_is_no_map_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "map.txt"
    file.write_bytes(content)

    with pytest.raises(SudokuError, match="map"):
        board(f"jigsaw:{file}")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FormatError, match=r"nowhere\.txt: no region map can be read here"):
        board("jigsaw:nowhere.txt")


def test_no_file_is_read_where_files_are_forbidden(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text("aaabacbbccbdcddd", encoding="utf-8")

    with pytest.raises(GeometryError, match="n \\* n symbols"):
        board(f"jigsaw:{file}", files=False)
    assert board("jigsaw:aaabacbbccbdcddd", files=False).n_values == 4
