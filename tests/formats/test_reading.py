import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError, GeometryError, SudokuError
from sudoku_encode.formats.reading import ReadOptions, read, read_all, read_text
from sudoku_encode.formats.table import ALPHABETS, TEXT_FORMATS
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
VALUES = [int(symbol) if symbol != "." else 0 for symbol in LINE]
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
GRID = "\n".join(ROWS)

# Table 1 of Jana et al. 2023: a line per x, a group per y, digits along z.
CUBE = """\
971385642 285647931 643921785 769153428 152478369 438269157 897536214 526714893 314892576
364192578 197538264 528764193 843926715 976315842 215847936 431289657 789653421 652471389
852476319 436219857 719853426 521784693 384692571 697531284 265147938 143928765 978365142
583624791 674391582 291587634 135248967 748963125 962175348 356412879 417839256 829756413
746913825 912875346 835246917 487639251 629751483 351482679 174398562 298567134 563124798
129758463 358462179 467139258 296517834 513824796 874396512 982675341 635241987 741983625
215847936 843926715 976315842 652471389 431289657 789653421 528764193 364192578 197538264
697531284 521784693 384692571 978365142 265147938 143928765 719853426 852476319 436219857
438269157 769153428 152478369 314892576 897536214 526714893 643921785 971385642 285647931
"""


def puzzles(text: str, **more: object) -> list[Puzzle]:
    found = list(read_text(text, "here", ReadOptions(**more)))  # type: ignore[arg-type]
    assert all(isinstance(result, Puzzle) for result in found), [str(result) for result in found]
    return found  # type: ignore[return-value]


def one(text: str, **more: object) -> Puzzle:
    (found,) = puzzles(text, **more)
    return found


def error(text: str, **more: object) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_text(text, "here", ReadOptions(**more))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return caught.value


def is_the_puzzle(puzzle: Puzzle) -> bool:
    return puzzle.geometry.name == "9x9" and puzzle.givens.tolist() == VALUES


@pytest.mark.parametrize("blank", list(".0*_-?xX"))
def test_blanks_on_a_line(blank: str) -> None:
    """Every symbol for a blank is read on one line."""
    assert is_the_puzzle(one(LINE.replace(".", blank)))


@pytest.mark.parametrize("blank", list(".0*_-?xX"))
def test_blanks_in_a_grid(blank: str) -> None:
    """Every symbol for a blank is read in a grid."""
    assert is_the_puzzle(one(GRID.replace(".", blank)))


@pytest.mark.parametrize(
    "text",
    [
        " ".join(ROWS),
        "\t".join(ROWS),
        GRID.replace("\n", "\r\n"),
        GRID.replace("\n", "\r"),
        "\ufeff" + GRID,
        "# a comment\n\n" + LINE + "  # another\n\n\n",
        "\n\n".join("\n".join(ROWS[start : start + 3]) for start in (0, 3, 6)),
        "\n".join(" ".join(row) for row in ROWS),
        "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS),
        "\n".join(",".join(row.replace(".", "0")) for row in ROWS),
        "\n".join(",".join(row).replace(".", "") for row in ROWS),
        "\n".join(" ".join(f"{int(value):02}" for value in row.replace(".", "0")) for row in ROWS),
        ",".join(LINE.replace(".", "0")),
    ],
    ids=range(13),
)
def test_spacing(text: str) -> None:
    """The same puzzle is read however it is spaced."""
    assert is_the_puzzle(one(text))


@pytest.mark.parametrize(
    "border", ["------+-------+------", "-----------", "===========", "|---+---+---|", "---------"]
)
@pytest.mark.parametrize("blank", [".", "0"])
def test_borders(border: str, blank: str) -> None:
    """Lines of border characters are no rows."""
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|".replace(".", blank) for row in ROWS]
    text = "\n".join(["*-----------*", *rows[:3], border, *rows[3:6], border, *rows[6:], "*-----------*"])
    assert is_the_puzzle(one(text))


def test_dashes_as_blanks() -> None:
    """A line of dashes is a row of blanks where a dash is the blank."""
    rows = ["12--", "----", "--21", "----"]
    assert one("\n".join(rows)).givens.tolist() == [1, 2, *[0] * 8, 2, 1, *[0] * 4]


def test_long_dashes_as_border() -> None:
    """A longer line of dashes is a border even where a dash is the blank."""
    rows = ["12|--", "--|--", "-----", "--|21", "--|--"]
    assert one("\n".join(rows)).givens.tolist() == [1, 2, *[0] * 8, 2, 1, *[0] * 4]


def test_bars_as_border() -> None:
    """A line of bars alone is a border."""
    assert is_the_puzzle(one("\n|   |   |   |\n".join(ROWS)))


def test_empty_board() -> None:
    """Nothing but dashes is the empty board."""
    assert one("\n".join(["-" * 9] * 9)).givens.tolist() == [0] * 81


@pytest.mark.parametrize("n", [4, 6, 9, 10, 12, 14, 15, 16, 18, 20, 24, 25, 28, 30])
def test_length_gives_square(n: int) -> None:
    """The length of a line says which square it is."""
    assert one("." * (n * n)).geometry.name == f"{n}x{n}"


def test_jana_table() -> None:
    """A table of words is the cube of the paper."""
    puzzle = one(CUBE)
    assert puzzle.geometry.name == "9x9x9"
    cube = puzzle.givens.reshape(9, 9, 9)
    assert cube[0, 0].tolist() == [9, 7, 1, 3, 8, 5, 6, 4, 2]
    assert cube[0, 1].tolist() == [2, 8, 5, 6, 4, 7, 9, 3, 1]
    assert cube[1, 0].tolist() == [3, 6, 4, 1, 9, 2, 5, 7, 8]
    assert puzzle.clash is None


@pytest.mark.parametrize(
    "text",
    [
        CUBE.replace(" ", ""),
        "".join(CUBE.split()),
        "\n".join(CUBE.split()),
        "\n\n".join(line.replace(" ", "\n") for line in CUBE.splitlines()),
    ],
    ids=["ungrouped", "one line", "81 lines", "layers"],
)
def test_cube_layouts(text: str) -> None:
    """Every other layout of the cube is read when the board is given."""
    for found in (one(text, board="9x9x9"), one("# Board: 9x9x9\n" + text)):
        assert found.givens.tolist() == one(CUBE).givens.tolist()


def test_incomplete_layers() -> None:
    """Layers that are not as many as their lines are separate puzzles."""
    assert len(puzzles("\n\n".join([GRID] * 8))) == 8
    assert len(puzzles("\n\n".join([GRID] * 18))) == 18


def test_cubes_in_a_row() -> None:
    """Cubes follow each other when the board is given."""
    layers = "\n\n".join(line.replace(" ", "\n") for line in CUBE.splitlines())
    assert [puzzle.geometry.name for puzzle in puzzles(f"{layers}\n\n{layers}", board="9x9x9")] == ["9x9x9"] * 2


def test_cube_without_last_layer() -> None:
    """A cube without its last layer spoils itself only."""
    layers = [line.replace(" ", "\n") for line in CUBE.splitlines()]
    first, second = read_text("\n\n".join([*layers, *layers[:8]]), "here", ReadOptions(board="9x9x9"))
    assert isinstance(first, Puzzle)
    assert str(second) == "here:91: 8 blocks of 9 lines; 9x9x9 needs 81 lines of 9 symbols in blocks of 9"


def test_line_of_729() -> None:
    """A line of 729 symbols is refused with all boards named."""
    message = str(error("." * 729))
    assert message.startswith("here:1: a line of 729 symbols may be 9x9x9")
    for part in ("9x9 Sukaku", "27x27", "--board 9x9x9", "`# board: 9x9x9`"):
        assert part in message


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("." * 64, ["8x8", "4x4x4", "--board 4x4x4"]),
        ("." * 4096, ["16x16x16", "64x64", "16x16 Sukaku"]),
        ("\n".join(["." * 16] * 16), ["16x16", "16 puzzles of 4x4"]),
        ("\n".join(["." * 16] * 4), ["4x4x4", "4 puzzles of 4x4"]),
        ("\n".join(["." * 81] * 9), ["9x9x9", "9 puzzles of 9x9"]),
        ("\n".join(["." * 36] * 36), ["36x36", "36 puzzles of 6x6"]),
        ("\n".join(["." * 81] * 81), ["81x81", "81 puzzles of 9x9"]),
        ("\n\n".join([GRID] * 9), ["9x9x9", "9 puzzles of 9x9"]),
    ],
    ids=range(8),
)
def test_two_boards_fit(text: str, named: list[str]) -> None:
    """What fits two boards is refused with both named."""
    message = str(error(text))
    assert "`# board: " in message
    for part in named:
        assert part in message


@pytest.mark.parametrize(
    ("text", "board", "count"),
    [
        ("." * 64, "8x8", 1),
        ("." * 64, "4x4x4", 1),
        ("." * 64, "4x4", 1),
        ("." * 729, "27x27", 1),
        ("\n".join(["." * 16] * 16), "16x16", 1),
        ("\n".join(["." * 16] * 16), "4x4", 16),
        ("\n".join(["." * 16] * 4), "4x4x4", 1),
        ("\n".join(["." * 81] * 9), "9x9", 9),
        ("\n".join(["." * 81] * 81), "81x81", 0),
        ("\n\n".join([GRID] * 9), "9x9", 9),
    ],
    ids=range(10),
)
def test_given_board_decides(text: str, board: str, count: int) -> None:
    """With a board what fits it is taken."""
    if not count:
        assert "write numbers" in str(error(text, board=board))
        return
    assert [puzzle.geometry.name for puzzle in puzzles(text, board=board)] == [board] * count


def test_nine_grids_by_format() -> None:
    """Nine grids that say so by their format are nine puzzles."""
    assert len(puzzles("\n\n".join([GRID] * 9), format="sdk")) == 9
    assert len(puzzles("\n".join([LINE] * 9), format="sdm")) == 9


def test_wrong_format() -> None:
    """A format that the text is not in is refused."""
    assert "as grid" in str(error(LINE, format="grid"))
    assert "not json" in str(error(LINE, format="json"))
    assert "this is JSON, not grid" in str(error(str([0] * 81), format="grid"))
    assert "3 lines of 9 symbols make no puzzle; 9x9 needs" in str(error("\n".join(ROWS[:3]), board="9x9"))
    assert f"known: {', '.join(TEXT_FORMATS)}" in str(error(LINE, format="sudoku"))


@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_round_trip(format: str) -> None:
    """What is written in a format is read when that format is asked for."""
    suits = [name for name in ("9x9", "9x9x9") if TEXT_FORMATS[format].unsupported_reason(boards.board(name)) is None]
    written = Puzzle.of(boards.board(suits[0]))
    found = one("".join(write_all([written], format)), format=format)
    assert found.geometry.name == suits[0]
    assert found.candidates.all()


def test_directives() -> None:
    """Directives hold for what follows and the caller wins."""
    text = f"# BOARD: 9x9+diagonals\n#rules: row, diagonal\n{LINE}\n# board: 4x4\n# rules: column\n{'.' * 16}"
    first, second = puzzles(text)
    assert (first.geometry.name, first.geometry.rule_names) == ("9x9+diagonals", ("row", "diagonal"))
    assert (second.geometry.name, second.geometry.rule_names) == ("4x4", ("column",))
    assert one(f"# board: 9x9+windoku\n{LINE}", board="9x9").geometry.name == "9x9"
    assert one(f"# rules: row\n{LINE}", rules=["box"]).geometry.rule_names == ("box",)
    assert one(f"# rules: row\n{LINE}", board="9x9").geometry.rule_names == ("row",)


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}\n# constraint: odd r1c1\n",
        f"# board: 9x9\n{GRID}\n\n# constraint: odd r1c1",
        f"{LINE}\n\n# board: 9x9\n# constraint: odd r1c1\n\n",
        f"# constraint: odd r1c1\n{LINE}\n# constraint: odd r1c2\n# rules: row\n",
        f"name,puzzle\na,{LINE}\n# constraint: odd r1c1\n",
    ],
)
def test_constraint_after_puzzle(text: str) -> None:
    """A constraint after the last puzzle is an error with its line: it would be ignored without a word."""
    line = text[: text.rindex("# constraint")].count("\n") + 1
    with pytest.raises(
        FormatError, match=f"^here:{line}: a constraint after the last puzzle; write it before its puzzle$"
    ):
        puzzles(text)


@pytest.mark.parametrize(
    "text", [f"{LINE}\n# constraint: none\n", f"{LINE}\n# constraint: odd r1c1\n{LINE}\n", f"{LINE}\n# rules: row\n"]
)
def test_directive_after_puzzle(text: str) -> None:
    """Other directives may stand at the end, and a constraint between puzzles belongs to the next one."""
    assert {puzzle.geometry.n_cells for puzzle in puzzles(text)} == {81}


@pytest.mark.parametrize(
    ("directive", "what"),
    [
        ("# board: 9x9x8", "all sides must be equal"),
        ("# board: chess", "no board is called"),
        ("# board: jigsaw:/etc/passwd", "region map"),
        ("# rules: knight", "no rule 'knight'; its rules are row, column, box"),
        ("# rules:", "# rules: row,column"),
        ("# alphabet: greek", "1-G, 0-F, A-P"),
    ],
)
def test_bad_directive(directive: str, what: str) -> None:
    """A directive that cannot be read is an error with its line."""
    found = error(f"# first\n{directive}\n{LINE}")
    assert found.line == 2
    assert what in str(found)


def test_unknown_rule() -> None:
    """A rule of the caller that the board does not have is a geometry error."""
    with pytest.raises(GeometryError, match="its rules are row, column, box"):
        read_text(LINE, "here", ReadOptions(rules=["row-x"]))


def test_bad_line_in_batch() -> None:
    """A bad line of a batch is an error in its place and the rest runs."""
    results = list(read_text("\n".join([LINE, LINE[:40] + "@" + LINE[41:], LINE[:80], LINE + "1", LINE]), "here"))
    assert [isinstance(result, Puzzle) for result in results] == [True, False, False, False, True]
    places = [(result.source, result.line, result.column) for result in results if isinstance(result, FormatError)]
    assert places == [("here", 2, 41), ("here", 3, 81), ("here", 4, 82)]
    assert str(results[1]).startswith("here:2:41: '@' is not a symbol of a puzzle; values on 9x9 go from 1 to 9")
    assert str(results[2]).startswith("here:3:81: 80 symbols where 9x9 needs 81")


def test_usual_length() -> None:
    """The commonest length that fits is what the lines should be."""
    results = list(read_text("\n".join([LINE[1:], LINE[1:], LINE]), "here"))
    assert [isinstance(result, Puzzle) for result in results] == [False, False, True]


def test_bad_segment_alone() -> None:
    """A bad segment leaves the next alone."""
    bad, good = read_text(f"# board: 4x4\n{LINE}\n# board: 9x9\n{LINE}", "here")
    assert isinstance(good, Puzzle)
    assert "here:2: 81 symbols on a line make no puzzle; 4x4 needs" in str(bad)


def test_line_ends() -> None:
    """Lines may end in any way."""
    for end in ("\n", "\r\n", "\r"):
        assert len(puzzles(LINE + end + LINE + end)) == 2


def test_blank_lines_between() -> None:
    """Blank lines between lines of small puzzles do not make them a grid."""
    assert len(puzzles("\n\n".join(["\n".join(["1" + "." * 15] * 8)] * 3))) == 24


def test_bad_grid_in_place() -> None:
    """A bad grid among grids is an error in its place."""
    short = "\n".join(ROWS[:8])
    results = list(read_text("\n\n".join([GRID, short, GRID]), "here"))
    assert [isinstance(result, Puzzle) for result in results] == [True, False, True]
    assert str(results[1]) == "here:11: a block of 8 lines; 9x9 needs 9 lines of 9 symbols"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        (
            LINE[:80],
            "here:1",
            "80 symbols on a line make no puzzle; on one line a puzzle has 64 (4x4x4, 8x8) or 81 (9x9)",
        ),
        (GRID.replace("419", "41", 1), "here:8:9", "8 symbols where 9x9 needs 9"),
        ("\n".join(ROWS[:8]), "here:1", "8 lines of 9 symbols make no puzzle; a 9x9 grid has 9 lines of 9"),
        ("\n".join([*ROWS, *ROWS[:8]]), "here:1", "a blank line between grids"),
        (GRID.replace("419", "4k9"), "here:8:5", "'k' is not a symbol of a puzzle"),
        ("1234123412341239", "here:1:16", "'9' is too large; values on 4x4 go from 1 to 4"),
        (",".join(["1"] * 15 + ["17"]), "here:1:31", "'17' is too large; values on 4x4 go from 1 to 4"),
        ("\n".join(["12 " * 16] * 15 + ["12 " * 15 + "17"]), "here:16:46", "values on 16x16 go from 1 to 16"),
        (",".join(["1"] * 15 + ["300"]), "here:1:31", "'300' is too large; values on 4x4 go from 1 to 4"),
        (",".join(["1"] * 15 + ["a b"]), "here:1:31", "'a b' is neither a number nor a blank"),
        (f"{LINE[1:]};easy", "here:1", "85 symbols on a line"),
        (f"{LINE},{LINE[::-1]}", "here:1:83", "two puzzles on a line: "),
        ("", "here", "empty"),
        ("# only this\n\n", "here", "no puzzle here"),
        ("²" * 81, "here:1:1", "'²' is not a symbol"),
    ],
    ids=range(15),
)
def test_error_message(text: str, place: str, what: str) -> None:
    """An error says where what and what would be right."""
    message = str(error(text))
    assert message.startswith(f"{place}: ")
    assert what in message


def test_no_puzzle() -> None:
    """A text without any puzzle is one error."""
    assert "none of the first 100 puzzles can be read" in str(error("\n".join(["z" * 81] * 5000)))
    assert "none of the 3 puzzles can be read" in str(error("\n".join(["z" * 81] * 3)))


def test_hundred_errors() -> None:
    """A hundred errors in a row end a batch."""
    results = list(read_text("\n".join([LINE] * 200 + ["z" * 81] * 5000), "here"))
    assert len(results) == 300
    assert "the rest is not read" in str(results[-1])


@pytest.mark.parametrize("alphabet", list(ALPHABETS))
def test_alphabet(alphabet: str) -> None:
    """Letters stand for what the alphabet says."""
    text = ALPHABETS[alphabet][:16] + "." * 240
    for more in ({"alphabet": alphabet}, {"alphabet": alphabet.lower()}):
        assert one(text, **more).givens.tolist()[:17] == [*range(1, 17), 0]
        assert one(text.lower(), **more).givens.tolist()[:17] == [*range(1, 17), 0]
    assert one(f"# alphabet: {alphabet}\n{text}").givens.tolist()[:17] == [*range(1, 17), 0]


def test_lower_case_letters() -> None:
    """Lower case letters go on where upper case letters end."""
    found = one("1Za" + "." * (36 * 36 - 3))
    assert found.givens.tolist()[:4] == [1, 35, 36, 0]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        # A 0 beside a dot, of which 1-G would make a blank.
        ("10.A", "0-F"),
        ("10AG.....00000000000000000000", "1-G"),
        ("ABCG....", "1-G or A-P"),
        ("ABC0", "1-G, 0-F or A-P"),
        ("0123456789ABCDEF", "1-G or 0-F"),
    ],
)
def test_ambiguous_letters(text: str, names: str) -> None:
    """Letters that may mean two things are refused with the alphabets that fit."""
    blank = "." if "." in text else "0" if text == "ABC0" else "1"
    message = str(error(text + blank * (256 - len(text))))
    assert f"--alphabet {names}, or write numbers" in message
    assert ("with --alphabet 1-F0 0 is the last value" in message) == ("G" not in text)


def test_alphabet_of_caller() -> None:
    """An alphabet of the caller wins and holds for separated symbols too."""
    text = " ".join("01" + "." * 254)
    assert one(text, alphabet="0-F").givens.tolist()[:3] == [1, 2, 0]
    assert one("# alphabet: 1-G\n" + text, alphabet="0-F").givens.tolist()[:3] == [1, 2, 0]
    assert one(text, alphabet="1-G").givens.tolist()[:3] == [0, 1, 0]


def test_case_of_letters() -> None:
    """Case is no matter up to the last board without lower case values."""
    assert one("1z" + "." * (35 * 35 - 2)).givens.tolist()[:3] == [1, 35, 0]


def test_x_as_value() -> None:
    """X is no blank where it could be a value."""
    assert "'X' stands for 33; values on 16x16 go from 1 to G" in str(error("12X" + "." * 253))


def test_zero_as_blank() -> None:
    """A zero is a blank where it is the only one and frequent."""
    assert one("123A" + "0" * 252).givens.tolist() == [1, 2, 3, 10, *[0] * 252]


def test_two_digit_numbers() -> None:
    """Numbers of two digits are read from rows and from one line."""
    cells = [str(value % 17) for value in range(256)]
    rows = "\n".join(" ".join(cells[start : start + 16]) for start in range(0, 256, 16))
    padded = " ".join(f"{value % 17:02}" for value in range(256))
    for text in (rows, padded, " ".join(cells), ",".join(cells), rows.replace(" 0", " ..")):
        found = one(text)
        assert found.geometry.name == "16x16"
        assert found.givens.tolist() == [value % 17 for value in range(256)]


def test_sadman_sections() -> None:
    """Sadman sections other than the puzzle are ignored."""
    text = f"#AMe\n#Bdate\n[Puzzle]\n{GRID}\n[State]\n{GRID.replace('.', '1')}\n[PencilMarks]\n123,,\n"
    assert is_the_puzzle(one(text))


def test_opensudoku() -> None:
    """OpenSudoku games are a batch."""
    digits = LINE.replace(".", "0")
    bad = f'<game data="{digits[:-1]}"/>'
    start = '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku><name>x</name>'
    text = f'{start}\n<game data="{digits}"/>\n{bad}\n</opensudoku>'
    first, second = read_text(text, "here")
    assert isinstance(first, Puzzle)
    assert is_the_puzzle(first)
    assert isinstance(second, FormatError)
    assert second.line == 4
    assert len(puzzles(text.replace(bad, f'<game data="{digits}"/>' * 8))) == 9


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><opensudoku/>', "a document type or entity"),
        ("<sudoku/>", "here:1:1: <sudoku> where an OpenSudoku file has <opensudoku>"),
        ("<opensudoku>\n<game/></opensudoku>", "here:2:1: a game without data"),
        ("<opensudoku>\n<game", "here:2:"),
        ("<opensudoku></opensudoku>", "no puzzle here"),
    ],
)
def test_other_xml(text: str, what: str) -> None:
    """XML that is no OpenSudoku is refused."""
    assert what in str(error(text))


def test_sukaku() -> None:
    """Sukaku is read as pencilmarks when the board is given."""
    text = "1234" + "1..." + "...." + "..3." + "1234" * 12
    puzzle = one(text, board="4x4")
    assert puzzle.givens.tolist() == [0] * 16
    assert puzzle.pencilmarks is not None
    assert puzzle.pencilmarks[:4].astype(int).tolist() == [[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert "here:1:6: 3 stands where only 2 or a blank may" in str(error("12341333" + "." * 56, board="4x4"))


def test_json_object() -> None:
    """JSON of our own form is read."""
    text = '{"board": "4x4", "rules": ["row"], "givens": [[1,0,0,0],[0,null,0,0],[0,0,0,0],[0,0,0,4]], "name": "a"}'
    puzzle = one(text)
    assert (puzzle.geometry.name, puzzle.geometry.rule_names, puzzle.name) == ("4x4", ("row",), "a")
    assert puzzle.givens.tolist() == [1, *[0] * 14, 4]
    assert len(puzzles(f"[{text}, {text}]")) == 2
    assert one(text, board="4x4+diagonals", rules=["column"]).geometry.rule_names == ("column",)


def test_json_pencilmarks() -> None:
    """JSON pencilmarks are a list of values a cell."""
    marks = [[1, 2], *[[3]] * 15]
    for nested in (marks, [marks[start : start + 4] for start in range(0, 16, 4)]):
        puzzle = one(f'{{"board": "4x4", "givens": {[0] * 16}, "pencilmarks": {nested}}}')
        assert puzzle.pencilmarks is not None
        assert puzzle.pencilmarks[:2].astype(int).tolist() == [[1, 1, 0, 0], [0, 0, 1, 0]]


def test_nested_lists() -> None:
    """The shape of nested lists is the board."""
    assert one(str(np.zeros((9, 9), int).tolist())).geometry.name == "9x9"
    assert one(str(np.zeros((4, 4, 4), int).tolist())).geometry.name == "4x4x4"
    assert one(str([0] * 81)).geometry.name == "9x9"
    assert one("[null, " + "0, " * 14 + "1]").givens.tolist() == [*[0] * 15, 1]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"givens": [1,\n2', "here:2:2: not JSON"),
        ('{"board": "9x9"}', 'no "givens"'),
        ("[[1,2],[3]]", "lists of 1 and 2 values"),
        ("[[1,2],[3,4],[5,6]]", "givens of 3x2 fit no board"),
        (str([0] * 64), "4x4x4 or 8x8"),
        (str([0] * 80), "64 (4x4x4, 8x8) or 81 (9x9)"),
        (str([1.5] * 16), "1.5 in givens"),
        (str([-1] * 16), "-1 in givens"),
        (str([5] * 16), "r1c1 = 5; values on 4x4 go from 1 to 4"),
        ('{"board": "4x4", "givens": [0]}', "1 values for the 16 cells"),
        (f'{{"board": "4x4", "givens": {[[0] * 8] * 2}}}', "givens of 2x8 on 4x4; nest them as the board is"),
        ('{"board": "4y4", "givens": [0]}', "no board is called"),
        ('{"board": 4, "givens": [0]}', "must be strings"),
        ('{"board": "4x4", "rules": "row", "givens": [0]}', "must be a list of strings"),
        (f'{{"board": "4x4", "givens": {[0] * 16}, "pencilmarks": [[1]]}}', "pencilmarks for 1 of the 16 cells"),
        (f'{{"board": "4x4", "givens": {[0] * 16}, "pencilmarks": {[[7]] * 16}}}', "pencilmarks of r1c1"),
        ("[" * 200_000, "nested too deep"),
        ("[]", "no puzzle here"),
    ],
    ids=range(18),
)
def test_json_without_puzzle(text: str, what: str) -> None:
    """JSON that is no puzzle is refused."""
    assert what in str(error(text))


EMPTY_JSON = f'"board": "4x4", "givens": {[0] * 16}'


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            f'{{{EMPTY_JSON}, "constraint": ["odd r1c1"]}}',
            '"constraint" is not a key of a puzzle; did you mean "constr',
        ),
        (f'{{{EMPTY_JSON}, "rule": ["row"]}}', 'did you mean "rules"?'),
        (f'{{{EMPTY_JSON}, "Board": "9x9"}}', '"Board" is not a key of a puzzle; did you mean "board"?'),
        (f'{{{EMPTY_JSON}, "marks": []}}', '"marks" is not a key of a puzzle; '),
        (f'{{{EMPTY_JSON}, "rating": 7}}', "the keys are board, rules, givens, pencilmarks, constraints, name"),
        (f'{{{EMPTY_JSON}, "givens": {[1] * 16}}}', 'the key "givens" appears twice in an object; give each key once'),
        (f'[{{{EMPTY_JSON}}}, {{{EMPTY_JSON}, "name": "a", "name": "a"}}]', 'the key "name" appears twice'),
        ('{"puzzle": "1...............", "puzzle": "2..............."}', 'the key "puzzle" appears twice'),
        ('{"puzzle": "1...............", "data": [{"a": 1, "a": 2}]}', 'the key "a" appears twice'),
        ('{"puzzle": "1...............", "constraint": ["odd r1c1"]}', 'did you mean "constraints"?'),
        (
            '{"quiz": "1...............", "Rules": ["row"]}',
            '"Rules" is not a key that is read here; did you mean "rules"?',
        ),
        (
            f'{{{EMPTY_JSON}, "puzzle": "1..............."}}',
            '"givens" and "puzzle" are both a puzzle; give one of them',
        ),
        ('{"size": 4, "grid": [[{}, {}], [{}, {}]], "size": 4}', 'the key "size" appears twice'),
        ('{"cells": [[{}, {}], [{"value": 1, "value": 2}, {}]], "regions": []}', 'the key "value" appears twice'),
    ],
    ids=range(14),
)
def test_json_keys(text: str, what: str) -> None:
    """A key of JSON that is unknown or there twice is named."""
    assert what in str(error(text))


@pytest.mark.parametrize(
    "columns",
    [
        '"id": 7, "rating": 1.5, "clues": 1, "source": "s", "tags": ["a"]',
        '"n_constraints": 3, "has_rules": true, "constraint": null, "size": 4',
        '"solution": "1234341221434321", "answer": ""',
    ],
)
def test_data_set_record(columns: str) -> None:
    """A record of a data set may have columns of its own."""
    assert one(f'{{"puzzle": "1...............", {columns}}}') == one("1...............")


def test_generate_record(run: Command) -> None:
    """A record that generate writes is read as a puzzle."""
    record = run("generate", "--board", "4x4", "--seed", 1, "--json").out
    assert one(record).givens.tolist() == json.loads(record)["givens"]


def test_bad_puzzle_in_json() -> None:
    """A bad puzzle of a JSON list is an error in its place."""
    good, bad = f'{{"givens": {[0] * 16}}}', f'{{"givens": {[9] * 16}}}'
    results = list(read_text(f"[{good}, {bad}, {good}]", "here"))
    assert [isinstance(result, Puzzle) for result in results] == [True, False, True]
    assert str(results[1]).startswith("here: puzzle 2: r1c1 = 9")


PIECES = [
    LINE,
    GRID,
    "\n",
    "\n\n",
    " ",
    ",",
    "|",
    "-",
    "---",
    "+",
    "#",
    "# board: 4x4\n",
    "[Puzzle]\n",
    "{",
    "[",
    "<",
    "]",
]
PIECES += [
    "12",
    "1234" * 4,
    "." * 16,
    "A",
    "é",
    "\0",
    "null",
    '"',
    "[[1,2],[0,0]]",
    "<opensudoku>",
    "10 11 12",
    "\ufeff",
]


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12), st.sampled_from([None, "4x4", "9x9x9"]))
def test_any_text(pieces: list[str], board: str | None) -> None:
    """No text makes anything but puzzles and errors of one line."""
    try:
        found = list(read_text("".join(pieces), "here", ReadOptions(board)))
    except FormatError as caught:
        found = [caught]
    assert found
    for result in found:
        assert isinstance(result, Puzzle) or (str(result).startswith("here") and len(str(result).splitlines()) == 1)


# Arguments, files and standard input.


@pytest.mark.parametrize(("text", "board"), [("1..2", "2x2"), ("1...2...3", "3x3"), ("1..2..1..", "jigsaw:112122333")])
def test_argument_is_text(text: str, board: str) -> None:
    """An argument with a symbol for each cell of a small board is the text."""
    assert read(text, board=board).givens.tolist() == [0 if symbol == "." else int(symbol) for symbol in text]
    for wrong in (text[1:], f"{text}.txt"):
        with pytest.raises(FormatError, match="no such file"):
            read(wrong, board=board)


def test_argument_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument is a file or standard input or the text."""
    path = tmp_path / "puzzle.txt"
    path.write_text(GRID)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GRID.encode())))
    for argument in (str(path), "-", LINE, GRID, str([VALUES[start : start + 9] for start in range(0, 81, 9)])):
        assert is_the_puzzle(read(argument))


def test_path_or_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path is a file even where its name is puzzle text."""
    path = tmp_path / "puzzle.txt"
    path.write_text(GRID)
    assert is_the_puzzle(read(path))
    monkeypatch.chdir(tmp_path)
    for name in (LINE, "-"):
        with pytest.raises(FormatError, match=f"{re.escape(name)}: no such file"):
            read(Path(name))
        (tmp_path / name).write_text(GRID)
        assert is_the_puzzle(read(Path(name)))


def test_suffix_means_9x9(tmp_path: Path) -> None:
    """The suffix of a file says that its boards are 9x9."""
    for name, text in [("a.sdm", "\n".join([LINE] * 9)), ("a.sdk", "\n\n".join([GRID] * 9)), ("a.ss", GRID)]:
        path = tmp_path / name
        path.write_text(text)
        assert {puzzle.geometry.name for puzzle in read_all(str(path)) if isinstance(puzzle, Puzzle)} == {"9x9"}


def test_jigsaw_file(tmp_path: Path) -> None:
    """A jigsaw of the caller may come from a file."""
    path = tmp_path / "map.txt"
    path.write_text("aabb\naabb\nccdd\nccdd\n")
    assert read("1" + "." * 15, board=f"jigsaw:{path}").geometry.name == "jigsaw:aabbaabbccddccdd"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "empty"),
        (b"\0" * 300_000, ":1: binary data"),
        (b"5\x01\x02\x03" * 40, "binary data (120 control characters)"),
        (LINE.encode("utf-16-le"), "binary data (a NUL"),
        (b"\xff" + LINE.encode(), ":1:1: byte 0xff is not UTF-8"),
        (b"1" * 300_000, "a line of more than 262,144 characters is not a puzzle"),
        (b"3f9a\nqx\n" * 50_000, "make no puzzle"),
        (b"qrstuvwxyzqrstuv\n" * 30_000, "none of the first 100 puzzles can be read"),
    ],
    ids=range(8),
)
@pytest.mark.thorough
def test_garbage_file(tmp_path: Path, content: bytes, what: str) -> None:
    """A file of garbage is one error."""
    path = tmp_path / "garbage"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_all(str(path))
    message = str(caught.value)
    assert message.startswith(str(path))
    assert what.removeprefix(":1: ") in message


def test_not_utf8(tmp_path: Path) -> None:
    """A line that is not UTF-8 is an error in its place."""
    path = tmp_path / "batch"
    path.write_bytes(f"{LINE}\n# caf".encode() + b"\xe9\n\xff" + f"{LINE}\n{LINE}\n".encode())
    first, error, last = read_all(str(path))
    assert first == last
    assert str(error) == f"{path}:3:1: byte 0xff is not UTF-8; save the file as UTF-8 text"


class Endless(io.RawIOBase):
    """More and more of the same line; counts what is taken."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        assert 0 < size <= 1 << 18, "garbage must not be read to its end"
        self.taken += size
        return (b"no puzzle\n" * (size // 10 + 1))[:size]


def test_garbage_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Garbage is refused by its beginning."""
    stream = Endless()
    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": stream}))
    with pytest.raises(FormatError, match="stdin:1: "):
        read_all("-")
    assert stream.taken < 1 << 22


def test_long_batch(tmp_path: Path) -> None:
    """A batch longer than what is judged first is read to its end."""
    path = tmp_path / "batch.sdm"
    path.write_text((LINE + "\n") * 15_000 + "bad\n" + LINE)
    results = list(read_all(str(path)))
    assert len(results) == 15_002
    assert [result.line for result in results if isinstance(result, FormatError)] == [15_001]


def test_long_cubes(tmp_path: Path) -> None:
    """Cubes longer than what is judged first are read to their end."""
    path = tmp_path / "cubes"
    path.write_text("# board: 9x9x9\n" + "\n".join(line.replace(" ", "\n") + "\n" for line in CUBE.splitlines() * 400))
    assert len(list(read_all(str(path)))) == 400


def test_endless_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON without end is not read to its end."""
    monkeypatch.setattr("sudoku_encode.formats.decoding.MAX_DOCUMENT_BYTES", 1 << 20)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[" * (3 << 20))))
    with pytest.raises(FormatError, match="more than 1 MB of JSON or XML"):
        read_all("-")


def test_few_lines() -> None:
    """A few lines of a board's length do not make a text puzzles."""
    text = "\n".join("1" * (16 + line % 20) for line in range(200))
    assert "200 lines of different lengths make no puzzle" in str(error(text))


def test_unreadable_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file a directory and no permission are told apart."""
    with pytest.raises(FormatError, match=r"none\.txt: no such file"):
        read_all(str(tmp_path / "none.txt"))
    with pytest.raises(FormatError, match="this is a directory"):
        read_all(str(tmp_path))
    with pytest.raises(FormatError, match="the puzzle is empty"):
        read_all(" ")
    (tmp_path / "secret").write_text(LINE)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FormatError, match="secret: no permission to read this file"):
        read_all(str(tmp_path / "secret"))


@pytest.mark.parametrize("argument", ["veryhardpuzzles.txt", LINE[:80]])
def test_failing_text(argument: str) -> None:
    """Text that fails may have been meant as a file."""
    with pytest.raises(FormatError, match=r"make no puzzle.*no file has this name"):
        read_all(argument)


def test_one_puzzle_expected(tmp_path: Path) -> None:
    """One puzzle is asked for and several are counted."""
    path = tmp_path / "batch"
    path.write_text(f"{LINE}\n{LINE}\n{LINE}\n")
    with pytest.raises(FormatError, match="3 puzzles where one is needed"):
        read(str(path))
    path.write_text(f"{LINE}\n{LINE[:-1]}z\n")
    with pytest.raises(FormatError, match="batch:2:81: 'z'"):
        read(str(path))


def test_bad_caller_options() -> None:
    """A wrong wish of the caller is refused."""
    with pytest.raises(FormatError, match="known: 1-G, 0-F, A-P"):
        read_all(LINE, alphabet="greek")
    with pytest.raises(GeometryError):
        read_all(LINE, board="9x8")
    assert boards.board("9x9").rule_names == read(LINE).geometry.rule_names


PLAIN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (PLAIN, {}),
        (PLAIN, {"board": "9x9", "rules": ["row", "box"]}),
        (PLAIN, {"board": boards.board("9x9")}),
        (PLAIN, {"board": "9x9+diagonals"}),
        (PLAIN, {"board": "jigsaw:" + "111222333" * 3 + "444555666" * 3 + "777888999" * 3}),
        (PLAIN, {"constraints": ["cage 8 r1c1 r1c2"]}),
        (PLAIN.replace(".", "0"), {}),
        ("." * 81, {}),
        ("1234............", {}),
        ("1234............", {"board": "4x4"}),
    ],
)
def test_plain_line_as_any_text(text: str, options: dict[str, Any]) -> None:
    """A plain line, which is read at once, is the same puzzle as the same text with a comment."""
    for source in (text, "#\n" + text):
        assert read(source, **options) == read(f"{text}\n# a comment", **options)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("12345...........", {}, "'5' is too large"),
        (PLAIN, {"board": "4x4"}, "81 symbols on a line make no puzzle"),
        (PLAIN[1:], {}, "80 symbols on a line make no puzzle"),
    ],
)
def test_nearly_plain_lines(text: str, options: dict[str, Any], message: str) -> None:
    """A value that is too large, or another length, is refused in the usual words."""
    with pytest.raises(SudokuError, match=message):
        read(text, **options)
