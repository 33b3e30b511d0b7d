"""Boards by name: each name means one board, and a bad name is refused with what would be right."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import FormatError, GeometryError, SudokuError
from sudoku_encode.formats.reading import read
from sudoku_encode.puzzles import shapes, square_rules
from sudoku_encode.puzzles.boards import EXAMPLES, HELP, board
from sudoku_encode.puzzles.geometry import Rule
from sudoku_encode.puzzles.rules import EXTRA_RULES, ExtraRule
from tests.helpers.command import Command
from tests.helpers.puzzles import JIGSAW_4, REGIONS_4, units_of

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
    "6x6:3x2+windoku",
    "12x12:4x3",
    "16x16",
    "100x100",
    "4x4x4",
    "9x9x9:literal",
    "25x25x25",
    "latin:2x2",
    "latin:9x9",
    "latin:2x2x2",
    "latin:4x4x4",
    "latin:5x5x5",
    "jigsaw:aaabacbbccbdcddd",
    "jigsaw:0001021122132333",
    "9x9:0-8",
    "6x6:3x2+windoku:0-5",
    "4x4x4:0-3",
    "latin:5x5:0-4",
    "latin:6x9:0-11",
    "jigsaw:0001021122132333:0-3",
    "samurai:0-8",
]


@pytest.mark.parametrize("name", NAMES)
def test_name_round_trip(name: str) -> None:
    """The name of a board reads back as that board."""
    first = board(name)
    again = board(first.name)

    assert again.name == first.name
    assert (again.shape, again.n_values, again.box) == (first.shape, first.n_values, first.box)
    assert again.rule_names == first.rule_names
    for one, other in zip(first.rules, again.rules, strict=True):
        assert np.array_equal(one.units, other.units)


@pytest.mark.parametrize(
    ("long", "short"),
    [
        *(("6x6:2x3", "6x6"), ("9x9:3x3", "9x9"), (" 9x9 ", "9x9"), ("12x12:3x4", "12x12")),
        *(("9x9:1-9", "9x9"), ("latin:9x9:1-10", "latin:9x9:10"), ("latin:9x9:10:0-9", "latin:9x9:0-9")),
        ("9x9@0,0;6,6:0-8", "twodoku:0-8"),
    ],
)
def test_default_box(long: str, short: str) -> None:
    """A default box, and the usual values, are left out of the name."""
    assert board(long).name == short
    assert units_of(board(long)) == units_of(board(short))


VALUES = {
    "9x9:0-9": "9x9 has 9 values, not 0-9; expected 0-8 or 1-9",
    "9x9:1-8": "9x9 has 9 values, not 1-8",
    "9x9:2-10": "no board is called '9x9:2-10'",
    "9x9:0-8:0-8": "no board is called '9x9:0-8:0-8'",
    "latin:9x9:0-5": "a line of 9 cells needs at least 9 values, not 6",
}


@pytest.mark.parametrize("name", VALUES)
def test_wrong_values(name: str) -> None:
    """Values that a board cannot have are refused."""
    with pytest.raises(GeometryError) as caught:
        board(name)
    assert VALUES[name] in str(caught.value)


@pytest.mark.parametrize("name", ["9x9:0-8", "latin:4x5:0-6", "4x4x4:0-3", "samurai:0-8"])
def test_values_from_zero(name: str) -> None:
    """The numbers of a board with values from 0 are one less; it differs from the same board with values from 1."""
    zero = board(name)
    assert (zero.first, zero.last) == (0, zero.n_values - 1)
    assert zero.numbers == (None, *range(zero.n_values))
    assert [zero.shown(value) for value in range(3)] == [".", "0", "1"]
    assert zero != zero.from_one == board(zero.from_one.name)
    assert zero.from_one.numbers == (*range(zero.n_values + 1),)
    assert pickle.loads(pickle.dumps(zero)) is zero
    kept = zero.with_rules(zero.rule_names[:1])
    assert pickle.loads(pickle.dumps(kept)) == kept != kept.from_one


def test_box_order() -> None:
    """The first number of a box is its rows."""
    assert board("6x6:3x2").box == (3, 2)
    assert [0, 1, 6, 7, 12, 13] in units_of(board("6x6:3x2"))["box"]


def test_prime_side() -> None:
    """A prime side has rows and columns only."""
    assert board("7x7").rule_names == ("row", "column")
    assert board("7x7").box is None


@pytest.mark.parametrize(("name", "rules"), [("4x4x4", ("row-x", "row-y", "row-z")), ("9x9", ("row", "column"))])
def test_latin_board(name: str, rules: tuple[str, ...]) -> None:
    """A latin board has the lines of the other and no boxes."""
    latin = board(f"latin:{name}")

    assert latin.rule_names == rules
    assert latin.box is None
    assert latin.rules == board(name, rules).rules
    assert latin.shape == board(name).shape


def test_chosen_rules() -> None:
    """Rules can be chosen with the board."""
    assert board("4x4x4", ["box-yz", "row-x"]).rule_names == ("row-x", "box-yz")
    with pytest.raises(GeometryError, match="no rule 'box'; its rules are row-x, row-y"):
        board("4x4x4", ["box"])


def test_left_out_boxes(run: Command) -> None:
    """Boxes that do not hold are not drawn."""

    def drawn(*rules: str) -> list[str]:
        return run("show", "--ascii", "--board", "4x4", *rules, "1..............2").out.splitlines()

    assert drawn()[:4] == ["+-----+-----+", "| 1 . | . . |", "| . . | . . |", "+-----+-----+"]
    assert drawn("--rules", "row,box") == drawn()
    assert drawn("--rules", "row,column") == [
        *("+---------+", "| 1 . . . |", "| . . . . |", "| . . . . |", "| . . . 2 |", "+---------+")
    ]


def test_examples_are_boards() -> None:
    """Each form of a name is a board, and each rule of the table is in one."""
    assert all(f"9x9+{name}" in EXAMPLES for name in EXTRA_RULES)
    names = [name for name in EXAMPLES if not name.startswith("jigsaw:")]
    assert all(board(name).n_cells > 0 for name in names)
    assert len(EXAMPLES) - len(names) == 3


def test_help_of_option(run: Command) -> None:
    """The help of the option is that of the error, on two lines."""
    said = run("count", "--board", "banana").err
    lines = run("count", "--help").lines
    start = next(number for number, line in enumerate(lines) if "--board <text>" in line)

    assert HELP in said
    assert " ".join(" ".join(lines[start : start + 2]).split()) == f"--board <text> The board: {HELP}."


@pytest.mark.parametrize("name", EXTRA_RULES)
def test_extra_rule(name: str) -> None:
    """An extra rule is added to those of the square."""
    found = board(f"9x9+{name}")
    added = found.rules[3:]

    assert found.name == f"9x9+{name}"
    assert found.rule_names[:3] == ("row", "column", "box")
    assert added
    assert all(rule.units.size for rule in added)
    assert len(EXTRA_RULES[name].summary.splitlines()) == 1


def test_rule_of_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of several matrices has one name."""

    # Units that overlap: each cell with the next one in its row.
    def rules(n: int, box: tuple[int, int] | None) -> list[Rule]:
        rows = np.arange(n * n, dtype=np.int32).reshape(n, n)
        pairs = [np.concatenate([rows[:, at : at + 2] for at in range(first, n - 1, 2)]) for first in (0, 1)]
        return [Rule("next-to", some) for some in pairs]

    monkeypatch.setitem(square_rules.RULES, "next-to", rules)
    monkeypatch.setitem(EXTRA_RULES, "next-to", ExtraRule("neighbours in a row", ("next-to",)))
    found = board("5x5+next-to", ["next-to"])

    assert [rule.name for rule in found.rules] == ["next-to", "next-to"]
    assert found.rule_names == ("next-to",)
    assert set(map(tuple, found.edges.tolist())) == {
        (cell, cell + 1) for row in range(0, 25, 5) for cell in range(row, row + 4)
    }
    assert board("5x5+next-to").rule_names == ("row", "column", "next-to")
    assert pickle.loads(pickle.dumps(found)) is found


@pytest.mark.parametrize("name", ["9x9+", "9x9+-", "9x9+a-", "9x9+-a", "9x9+a--b", "9x9+A", "9x9+diagonals+", "9x9 +a"])
def test_rule_names(name: str) -> None:
    """Names of rules are letters with hyphens between them."""
    with pytest.raises(GeometryError, match="no board is called"):
        board(name)


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
        ("9x9+nonsense", f"known: {', '.join(EXTRA_RULES)}"),
        ("9x9+non-sense-ical", f"unknown extra rule 'non-sense-ical'; known: {', '.join(EXTRA_RULES)}"),
        ("7x7+windoku", "boxes with a line of cells around; 7x7 has no boxes"),
        ("9x9:1x9+windoku", "9x9 has boxes of 1x9"),
        ("101x101", "at most 100"),
        ("36x36x36", "at most 25"),
        ("99999999999999999999999999x99999999999999999999999999", "at most 100"),
        ("latin:1x1x1", "at least 2"),
        ("latin:1x1", "at least 2"),
        ("latin:4x4x5", "all sides must be equal"),
        ("latin:26x26x26", "at most 25"),
        ("latin:101x101", "at most 100"),
        ("latin:4", "no board is called"),
        ("latin:4x4x4x4", "no board is called"),
        ("jigsaw:aaabacbbccbdcdd", "n \\* n symbols, this has 15"),
        ("jigsaw:aaabacbbccbdcddc", "4 regions of 4 cells"),
        ("jigsaw:" + "a" * 1024, "at most 31x31"),
        ("9" * 5000 + "x9", "9x9|at most 100"),
        ("jigsaw:\0", "map"),
    ],
    ids=lambda text: text[:30],
)
def test_bad_name(name: str, way_out: str) -> None:
    """A bad name is refused with the way out."""
    with pytest.raises(SudokuError, match=way_out) as refusal:
        board(name)

    assert len(str(refusal.value).splitlines()) == 1


def test_jigsaw_file(tmp_path: Path) -> None:
    """A jigsaw is read from a file over lines with comments."""
    file = tmp_path / "map.txt"
    file.write_text("# regions\naaab\nacbb\n\n  # more\nccbd\nc d d d\n", encoding="utf-8")

    found = board(f"jigsaw:{file}")

    assert units_of(found)["region"] == REGIONS_4
    assert found.name == "jigsaw:aaabacbbccbdcddd"
    assert units_of(found) == units_of(shapes.jigsaw(JIGSAW_4, "by hand"))


def test_largest_jigsaw() -> None:
    """A jigsaw may be as large as the limit says."""
    # Over 255 characters the map is no possible name of a file.
    symbols = "".join(symbol * 16 for symbol in "0123456789abcdef")

    assert board(f"jigsaw:{symbols}").n_values == 16


@pytest.mark.parametrize("content", [b"aaab acbb ccbd cd.d", b"\xff\xfe\x00", "ääab".encode()])
def test_not_a_map(tmp_path: Path, content: bytes) -> None:
    """A file that is no map is refused."""
    file = tmp_path / "map.txt"
    file.write_bytes(content)

    with pytest.raises(SudokuError, match="map"):
        board(f"jigsaw:{file}")


def test_missing_file() -> None:
    """A missing file is named."""
    with pytest.raises(FormatError, match=r"nowhere\.txt: no region map can be read here"):
        board("jigsaw:nowhere.txt")


def test_forbidden_files(tmp_path: Path) -> None:
    """No file is read where files are forbidden."""
    file = tmp_path / "map.txt"
    file.write_text("aaabacbbccbdcddd", encoding="utf-8")

    with pytest.raises(GeometryError, match="n \\* n symbols"):
        board(f"jigsaw:{file}", files=False)
    assert board("jigsaw:aaabacbbccbdcddd", files=False).n_values == 4


@pytest.mark.parametrize("name", ["9x9-jigsaw.txt", "6x6-jigsaw.json", "5x5-jigsaw-empty.txt"])
def test_map_in_puzzle_file(name: str) -> None:
    """The file of a jigsaw puzzle is that of its map."""
    file = Path(__file__).parents[2] / "instances" / "small" / name
    assert board(f"jigsaw:{file}") == read(file).geometry


def test_file_without_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without a map is refused in words."""
    monkeypatch.chdir(tmp_path)
    file = Path("p.txt")
    for text in ("53..7....", "", " \n" * 50_000, "# board: 9x9\n"):
        file.write_text(text)
        with pytest.raises(FormatError, match=r"p\.txt: not a region map, which has a letter or a digit"):
            board("jigsaw:p.txt")


def test_cached_boards() -> None:
    """Equal boards in use are one object however many others there are."""
    first = board("9x9", ["row", "column", "box"])
    for side in range(2, 100):
        board(f"latin:{side}x{side}")

    assert board("9x9") is first
    assert pickle.loads(pickle.dumps(first)) is first
