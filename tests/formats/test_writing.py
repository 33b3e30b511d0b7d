from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.entries import PuzzleBatch
from sudoku_encode.formats.reading import read_text
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import write, write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NINE = boards.board("9x9")
VALUES = np.array([int(symbol) if symbol != "." else 0 for symbol in LINE])

WRITTEN = {
    "line": LINE,
    "sdm": LINE.replace(".", "0"),
    "sdk": "\n".join(LINE[start : start + 9] for start in range(0, 81, 9)),
    "ss": """\
|53.|.7.|...|
|6..|195|...|
|.98|...|.6.|
-------------
|8..|.6.|..3|
|4..|8.3|..1|
|7..|.2.|..6|
-------------
|.6.|...|28.|
|...|419|..5|
|...|.8.|.79|""",
    "grid": """\
+-------+-------+-------+
| 5 3 . | . 7 . | . . . |
| 6 . . | 1 9 5 | . . . |
| . 9 8 | . . . | . 6 . |
+-------+-------+-------+
| 8 . . | . 6 . | . . 3 |
| 4 . . | 8 . 3 | . . 1 |
| 7 . . | . 2 . | . . 6 |
+-------+-------+-------+
| . 6 . | . . . | 2 8 . |
| . . . | 4 1 9 | . . 5 |
| . . . | . 8 . | . 7 9 |
+-------+-------+-------+""",
    "numbers": "\n".join(" ".join(LINE[start : start + 9].replace(".", "0")) for start in range(0, 81, 9)),
    "csv": ",".join(LINE.replace(".", "0")),
    "opensudoku": '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n  <game data="'
    + LINE.replace(".", "0")
    + '"/>\n</opensudoku>',
    "sukaku": "".join("123456789" if s == "." else "." * (int(s) - 1) + s + "." * (9 - int(s)) for s in LINE),
    "json": '{"board": "9x9", "givens": ' + str(VALUES.reshape(9, 9).tolist()) + "}",
}


@pytest.mark.parametrize("format", list(WRITTEN))
def test_written_form(format: str) -> None:
    """A puzzle is written as the format wants."""
    assert write(NINE, VALUES, format) == WRITTEN[format]


def test_cube_forms() -> None:
    """A cube is written as layers and as the table of the paper."""
    board, values = boards.board("4x4x4"), np.arange(64) % 5
    rows = ["".join(map(str, row)).replace("0", ".") for row in values.reshape(16, 4).tolist()]
    planes = [rows[start : start + 4] for start in range(0, 16, 4)]
    assert write(board, values, "table") == "\n".join(" ".join(plane) for plane in planes)
    assert write(board, values, "layers") == "\n\n".join("\n".join(plane) for plane in planes)
    assert write(board, values, "grid").startswith("+-----+-----+\n| . 1 | 2 3 |\n| 4 . | 1 2 |\n+-----+-----+\n")


def test_values_above_nine() -> None:
    """Values above nine are letters on a line and numbers in a grid."""
    values = np.zeros(256, int)
    values[:3] = 9, 10, 16
    board = boards.board("16x16")
    assert write(board, values, "line").startswith("9AG..")
    assert write(board, values, "grid").splitlines()[1].startswith("|  9 10 16  . |")
    assert write(board, values, "numbers").startswith("9 10 16 0 0")


def test_boxes_of_grid() -> None:
    """Boxes of a grid are those of the board."""
    assert write(boards.board("6x6"), np.zeros(36, int), "grid").splitlines() == [
        "+-------+-------+",
        "| . . . | . . . |",
        "| . . . | . . . |",
    ] * 3 + ["+-------+-------+"]


@pytest.mark.parametrize(
    ("board", "format", "reason", "some_that_can"),
    [
        ("16x16", "sdm", "is for 9x9 boards", {"line", "grid", "sukaku", "numbers", "csv", "json"}),
        ("9x9x9", "sdk", "is for 9x9 boards", {"line", "grid", "numbers", "csv", "layers", "table", "json"}),
        ("9x9x9", "sukaku", "is for 2D boards", {"layers"}),
        ("9x9+windoku", "opensudoku", "is for the plain 9x9 board with all its rules", {"sdk", "ss"}),
        ("9x9", "table", "is for cubes", {"opensudoku"}),
        ("64x64", "line", "has one symbol per cell, up to 61 values", {"grid", "numbers", "csv", "json"}),
    ],
)
def test_unfit_format(board: str, format: str, reason: str, some_that_can: set[str]) -> None:
    """A format that cannot hold the board says which can."""
    puzzle = Puzzle.of(boards.board(board))
    with pytest.raises(FormatError) as caught:
        write(puzzle.geometry, puzzle.givens, format)
    can = [name for name in TEXT_FORMATS if holds(name, puzzle.geometry)]
    assert str(caught.value) == f"format {format} {reason}, so it cannot hold {board}; these can: {', '.join(can)}"
    assert some_that_can <= set(can)
    with pytest.raises(FormatError) as again:
        list(write_all([puzzle], format))
    assert str(again.value) == str(caught.value)


def test_unknown_format() -> None:
    """A format that does not exist is refused with all that do."""
    with pytest.raises(FormatError) as caught:
        write(NINE, VALUES, "pdf")
    with pytest.raises(FormatError) as again:
        list(write_all([], "pdf"))
    assert str(caught.value) == str(again.value) == f"no format is called 'pdf'; known: {', '.join(TEXT_FORMATS)}"


def test_pencilmarks_kept() -> None:
    """Pencilmarks are not lost without a word."""
    board, marks = boards.board("4x4"), np.ones((16, 4), bool)
    with pytest.raises(FormatError, match=r"cannot hold pencilmarks; sukaku, .*json.* can$"):
        write(board, np.zeros(16, int), "line", pencilmarks=marks)
    marks[0, 1:] = False
    assert write(board, np.zeros(16, int), "sukaku", pencilmarks=marks) == "1..." + "1234" * 15


@pytest.mark.parametrize(
    ("names", "format", "headers"),
    [
        (["9x9"], "line", []),
        (["9x9"] * 8, "line", []),
        (["9x9"] * 9, "line", ["# board: 9x9"]),
        (["9x9"] * 200, "line", []),
        (["9x9"] * 8, "grid", []),
        (["9x9"] * 9, "sdk", ["# board: 9x9"]),
        (["8x8"], "line", ["# board: 8x8"]),
        (["8x8"], "grid", []),
        (["16x16"], "grid", []),
        (["6x6:3x2"], "grid", ["# board: 6x6:3x2"]),
        (["9x9x9"], "table", []),
        (["9x9x9"], "layers", ["# board: 9x9x9"]),
        (["9x9"], "sukaku", []),
        (
            ["4x4", "4x4", "9x9"],
            "csv",
            ["# board: 4x4", "# board: 9x9", "# rules: row,column,box"],
        ),
    ],
    ids=range(14),
)
def test_header_where_needed(names: list[str], format: str, headers: list[str]) -> None:
    """A header is written only where the text would be misread."""
    text = "".join(write_all([Puzzle.of(boards.board(name)) for name in names], format))
    assert [line for line in text.splitlines() if line.startswith("#")] == headers


def test_header_contents() -> None:
    """Headers name rules and alphabet where they matter."""
    puzzle = Puzzle.of(boards.board("16x16", ["row", "box"]), [11] + [0] * 255)
    text = "".join(write_all([puzzle], "line"))
    assert text.startswith("# board: 16x16\n# rules: row,box\n# alphabet: 1-G\nB....")


BOARDS: list[tuple[str, list[str] | None]] = [
    ("4x4", None),
    ("4x4", ["row", "column"]),
    ("6x6", None),
    ("6x6:3x2", None),
    ("8x8", None),
    ("9x9", None),
    ("9x9", ["box"]),
    ("9x9+diagonals+windoku", None),
    ("jigsaw:aaabaccbddcbddcb", None),
    ("jigsaw:aaaaabbbabbcccbcccddddddeeeeeeffffff", None),
    ("7x7", None),
    ("10x10", None),
    ("12x12", None),
    ("16x16", None),
    ("25x25", None),
    ("36x36", None),
    ("64x64", None),
    ("4x4x4", None),
    ("4x4x4", ["row-x", "box-yz"]),
    ("9x9x9", None),
    ("4x4x4:literal", None),
    ("16x16x16", None),
]


@st.composite
def batches(draw: st.DrawFn, some: list[Geometry]) -> list[Puzzle]:
    """Up to 20 puzzles of up to three boards, those of one board beside each other or not."""
    geometries = draw(st.lists(st.sampled_from(some), min_size=1, max_size=3))
    largest = max(geometry.n_cells for geometry in geometries)
    repeat = draw(st.integers(1, 20 if largest < 1000 else 2))
    seed, density = draw(st.integers(0, 99)), draw(st.sampled_from([0.0, 0.1, 0.5, 1.0]))
    low = draw(st.booleans())
    random = np.random.default_rng(seed)
    puzzles = []
    for geometry in geometries:
        for _ in range(repeat):
            values = random.integers(1, min(geometry.n_values, 9 if low else 99), geometry.n_cells, endpoint=True)
            values[random.random(geometry.n_cells) > density] = 0
            puzzles.append(Puzzle.of(geometry, values))
    return puzzles


def same(first: Puzzle, second: Puzzle, exact: bool) -> bool:
    boards_same = (
        first.geometry.name == second.geometry.name and first.geometry.rule_names == second.geometry.rule_names
    )
    if not boards_same or not np.array_equal(first.candidates, second.candidates):
        return False
    return not exact or np.array_equal(first.givens, second.givens)


@cache
def held(format: str) -> list[Geometry]:
    """Return the boards that a format can hold."""
    return [geometry for name, rules in BOARDS if holds(format, geometry := boards.board(name, rules))]


def holds(format: str, geometry: Geometry) -> bool:
    try:
        write(geometry, np.zeros(geometry.n_cells, int), format)
    except FormatError:
        return False
    return True


@pytest.mark.parametrize(
    "format", [pytest.param(name, marks=[pytest.mark.slow] if at % 3 else []) for at, name in enumerate(TEXT_FORMATS)]
)
@settings(derandomize=True, deadline=None, max_examples=8)
@given(data=st.data())
def test_round_trip(format: str, data: st.DataObject) -> None:
    """What is written is read back as the same."""
    batch = data.draw(batches(held(format)))
    found = list(read_text("".join(write_all(batch, format))))
    assert len(found) == len(batch), found[:3]
    for first, second in zip(found, batch, strict=True):
        assert isinstance(first, Puzzle), first
        assert same(first, second, exact=format != "sukaku")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["line", "sdm", "grid", "csv", "numbers", "sdk", "ss"])
@pytest.mark.parametrize("count", [2, 8, 9, 10, 81, 100, 101, 150])
def test_batch_round_trip(format: str, count: int) -> None:
    """Any number of puzzles is read back."""
    puzzle = Puzzle.of(NINE, VALUES)
    found = list(read_text("".join(write_all([puzzle] * count, format))))
    assert [isinstance(other, Puzzle) and same(puzzle, other, True) for other in found] == [True] * count


@pytest.mark.parametrize(
    ("name", "format"),
    [("9x9", "sdm"), *((name, format) for name in ("9x9", "4x4", "16x16") for format in ("line", "csv", "grid"))],
)
def test_batch_as_one_by_one(name: str, format: str) -> None:
    """A batch is written as its puzzles are one by one, between other puzzles too."""
    board = boards.board(name)
    random = np.random.default_rng(0)
    # Grids without a blank and with few, where 0 may be taken for a value.
    givens = random.integers(1, board.n_values + 1, (250, board.n_cells), np.uint8)
    givens[random.random(givens.shape) < random.choice([0, 0.03, 0.7], (250, 1))] = 0
    batch = PuzzleBatch(board, givens, np.arange(250))
    other = Puzzle.of(board if format == "sdm" else boards.board("6x6"))
    orders: tuple[list[Puzzle | PuzzleBatch], ...] = (
        [batch],
        [other, batch, other],
        [batch.part(0, 20), other, batch.part(20, 250)],
    )
    for items in orders:
        alone = [one for item in items for one in ([item] if isinstance(item, Puzzle) else item.puzzles())]
        assert "".join(write_all(items, format)) == "".join(write_all(alone, format))


@pytest.mark.parametrize("count", [4, 16, 100, 256, 288])
def test_small_puzzles_round_trip(count: int) -> None:
    """Small puzzles in any number do not become a larger one."""
    puzzle = Puzzle.of(boards.board("4x4"), [1, 2, 3, 4] * 4)
    for format in ("line", "grid", "csv", "numbers"):
        found = list(read_text("".join(write_all([puzzle] * count, format))))
        assert [isinstance(other, Puzzle) and same(puzzle, other, True) for other in found] == [True] * count


def test_letters_only_round_trip() -> None:
    """A late puzzle of letters only is read back."""
    board = boards.board("10x10")
    batch = [Puzzle.of(board, [1, 10] + [0] * 98)] * 105 + [Puzzle.of(board, [10] + [0] * 99)]
    found = list(read_text("".join(write_all(batch, "line"))))
    assert len(found) == len(batch)
    assert all(
        isinstance(other, Puzzle) and same(puzzle, other, True) for puzzle, other in zip(batch, found, strict=True)
    )


@pytest.mark.parametrize("format", ["json", "sukaku"])
def test_pencilmarks_round_trip(format: str) -> None:
    """Pencilmarks are read back."""
    marks = np.random.default_rng(1).random((81, 9)) < 0.5
    puzzle = Puzzle.of(NINE, pencilmarks=marks)
    (found,) = read_text("".join(write_all([puzzle], format)))
    assert isinstance(found, Puzzle)
    assert found.pencilmarks is not None
    assert (found.pencilmarks == marks).all()


def test_names_in_json() -> None:
    """Names are kept in JSON."""
    puzzle = Puzzle.of(NINE, VALUES, name='a "b"')
    (found,) = read_text("".join(write_all([puzzle], "json")))
    assert isinstance(found, Puzzle)
    assert found.name == 'a "b"'


def test_no_puzzles() -> None:
    """No puzzles make no lines."""
    assert "".join(write_all([], "line")) == ""
    assert "".join(write_all([], "json")) == "[\n]\n"
