"""Puzzles with candidates, and saved games, as other programs write them; the examples are published."""

import numpy as np
import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.reading import ReadOptions, read, read_entries, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle

# From HoDoKu, with deleted candidates, and with placed digits.
HODOKU = (
    ":0361:4:..5.132673268..14917...2835..8..1.262.1.96758.6..283...12....83693184572..723.6..:434 441 442 461 961 464 "
    "974:411:r7c39 r6c1b9 fr3c3"
)
PLACED = (
    ":0000:x:+36+1..+492+7.7.23.8.....7.1...8.........+356.84.........+83...4+27.....3+915.6..92....4.:432 535 835 747 "
    "148 751 261 761 463 767 577 178 179 691 397 899::"
)
# From the page of SudoCue on its formats: the puzzle after two digits were placed, and its givens.
SDX = """\
2 679 6789 1 46789 5 469 9 3
389 5 4 69 689 68 7 1 29
9 1 679 2 4679 3 4569 8 59
6 9 2 8 u1 7 3 59 4
3489 3479 3789 56 2456 46 u1 2579 2579
1 47 5 3 24 9 8 27 6
3459 2 39 7 3589 1 59 6 589
359 8 1 569 3569 6 2 4 579
7 369 369 4 35689 2 59 359 1"""
SDX_GIVENS = "2..1.5..3.54...71..1.2.3.8.6.28.73.4.........1.53.98.6.2.7.1.6..81...24.7..4.2..1"
# The same as HoDoKu draws it.
DOTTED = """\
.------------------.--------------------.------------------.
| 2    679  6789   | 1    46789  5      | 469  9     3     |
| 389  5    4      | 69   689    68     | 7    1     29    |
| 9    1    679    | 2    4679   3      | 4569 8     59    |
:------------------+--------------------+------------------:
| 6    9    2      | 8    1      7      | 3    59    4     |
| 3489 3479 3789   | 56   2456   46     | 1    2579  2579  |
| 1    47   5      | 3    24     9      | 8    27    6     |
:------------------+--------------------+------------------:
| 3459 2    39     | 7    3589   1      | 59   6     589   |
| 359  8    1      | 569  3569   6      | 2    4     579   |
| 7    369  369    | 4    35689  2      | 59   359   1     |
'------------------'--------------------'------------------'"""
STARRED = "\n".join(
    " *" + line[1:-1] + "*" if set(line) <= set(".-:'+") else " " + line for line in DOTTED.splitlines()
)
PLAIN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FORMS = ("hodoku", "sdx", "pencilmarks")
NINE = boards.board("9x9")


def many(text: str, format: str | None = None, board: str | None = None) -> list[Puzzle]:
    found = list(read_text(text, "here", ReadOptions(board, format=format)))
    assert all(isinstance(puzzle, Puzzle) for puzzle in found), [str(puzzle) for puzzle in found]
    return found  # type: ignore[return-value]


def one(text: str, format: str | None = None, board: str | None = None) -> Puzzle:
    (puzzle,) = many(text, format, board)
    return puzzle


def error(text: str, format: str | None = None, board: str | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(read_text(text, "here", ReadOptions(board, format=format)))
    return str(caught.value)


def written(puzzle: Puzzle, format: str) -> str:
    return "".join(write_all([puzzle], format))


def candidates(puzzle: Puzzle, cell: str) -> list[int]:
    return (np.flatnonzero(puzzle.candidates[NINE.cell_number(cell)]) + 1).tolist()


def test_hodoku_line() -> None:
    """A line of HoDoKu has givens and deleted candidates."""
    puzzle = one(HODOKU)
    assert "".join(map(str, puzzle.givens)).replace("0", ".") == HODOKU.split(":")[3]
    # 434 is 4 at row 3, column 4; 411, which the technique would eliminate, is still there. Digits in the row, column
    # and box of a cell leave {4, 6, 9}, {4, 5, 7, 9} and {4, 8, 9} in these.
    assert candidates(puzzle, "r3c4") == [6, 9]
    assert candidates(puzzle, "r6c1") == [5, 7]
    assert candidates(puzzle, "r1c1") == [4, 8, 9]


def test_hodoku_deleted_at_given() -> None:
    """No deleted candidate of HoDoKu is at a given."""
    for line in (HODOKU, PLACED):
        puzzle = one(line)
        for gone in line.split(":")[4].split():
            assert puzzle.givens[NINE.cell_number(f"r{gone[1]}c{gone[2]}")] == 0


def test_placed_digit() -> None:
    """A placed digit is a given."""
    assert "".join(map(str, one(PLACED).givens)).replace("0", ".") == PLACED.split(":")[3].replace("+", "")
    assert one(SDX).givens[NINE.cell_number("r4c5")] == 1


def test_hodoku_without_deleted() -> None:
    """A line of HoDoKu without deleted candidates has no pencilmarks."""
    for end in (":::", "::", ":", ""):
        assert one(f":0000:x:{PLAIN}{end}") == one(PLAIN)
    assert one(f":0000:x:{PLAIN.replace('.', '0')}:::") == one(PLAIN)


def test_sudocue_progress() -> None:
    """The progress of SudoCue is read."""
    puzzle = one(SDX)
    assert candidates(puzzle, "r1c2") == [6, 7, 9]
    assert candidates(puzzle, "r5c5") == [2, 4, 5, 6]
    given = [cell for cell, symbol in enumerate(SDX_GIVENS) if symbol != "."]
    assert all(puzzle.givens[cell] == int(SDX_GIVENS[cell]) for cell in given)
    # A cell with one candidate left, and one with a placed digit, are givens too.
    extra = [NINE.cell_name(int(cell)) for cell in np.flatnonzero(puzzle.givens) if cell not in given]
    assert extra == ["r1c8", "r3c1", "r4c2", "r4c5", "r5c7", "r8c6"]


@pytest.mark.parametrize("text", [DOTTED, STARRED, DOTTED.replace("\n", "\r\n"), "# from a forum\n" + DOTTED])
def test_bordered_grid(text: str) -> None:
    """A grid with borders is the same puzzle."""
    assert one(text) == one(SDX)


@pytest.mark.parametrize("line", [HODOKU, PLACED])
def test_hodoku_written(line: str) -> None:
    """HoDoKu writes the candidates that it deleted and no others."""
    _, _, _, grid, deleted, *_ = line.split(":")
    assert written(one(line), "hodoku") == f":0000:x:{grid.replace('+', '')}:{deleted}::\n"
    assert written(one(SDX), "hodoku").endswith(":::\n")


@pytest.mark.parametrize(
    ("text", "format"),
    [(text, form) for text in (HODOKU, PLACED, PLAIN, SDX) for form in FORMS if (text, form) != (SDX, "hodoku")],
)
def test_round_trip(text: str, format: str) -> None:
    """What is written is read back without being told the format."""
    puzzle = one(text)
    assert one(written(puzzle, format)) == puzzle
    assert not written(puzzle, format).startswith("#")


@pytest.mark.parametrize("format", FORMS)
def test_headers_first(format: str) -> None:
    """Boards and constraints stand before the puzzle."""
    puzzle = Puzzle.of(boards.board("9x9+diagonals"), one(PLAIN).givens, constraints=["cage 9 r1c3 r1c4"])
    assert one(written(puzzle, format)) == puzzle


@pytest.mark.parametrize("format", FORMS)
def test_many_puzzles(format: str) -> None:
    """A file has many puzzles."""
    puzzles = [one(text) for text in (HODOKU, PLAIN, PLACED, HODOKU)]
    assert many("".join(write_all(puzzles, format))) == puzzles


def test_grids_without_blank_lines() -> None:
    """The grids of a file need no blank lines between them."""
    assert many(f"{SDX}\n{SDX}") == many(f"{DOTTED}\n{DOTTED}") == [one(SDX)] * 2
    rows = SDX.splitlines()
    assert one("\n\n".join("\n".join(rows[start : start + 3]) for start in (0, 3, 6)), "sdx") == one(SDX)


def test_bad_grid_in_place() -> None:
    """A wrong grid is an error in its place."""
    bad = SDX.replace("u1", "u", 1)
    first, second, third = read_text(f"{SDX}\n\n{bad}\n\n{SDX}", "here")
    assert first == third == one(SDX)
    assert str(second) == "here:14:9: 'u' at r4c5 lists no candidates; write 489, or one digit for a given"


def test_full_grid_of_numbers() -> None:
    """A full grid of numbers is what it was."""
    full = "\n".join(" ".join(str((row * 3 + row // 3 + at) % 9 + 1) for at in range(9)) for row in range(9))
    assert one(full).pencilmarks is None
    cube = "\n".join(" ".join(["123456789"] * 9) for _ in range(9))
    assert one(cube, board="9x9x9", format="table").geometry.name == "9x9x9"


@pytest.mark.parametrize(
    ("text", "format", "what"),
    [
        (
            HODOKU.replace("441", "4441"),
            None,
            "here:1:95: '4441' among the deleted candidates; write 314 for 3 in row 1",
        ),
        (HODOKU.replace("..5", "..x"), None, "here:1:11: 'x' in the grid; it has digits, + before placed ones"),
        (HODOKU.replace("..5", ".5"), None, "here:1: 80 cells in the grid of a line that has 81"),
        (PLAIN, "hodoku", "here:1: not a line of a HoDoKu library: '53..7...."),
        (SDX.replace("679 6789", "679"), "sdx", "here:1:24: 8 cells where a row has 9; each lists its candidates"),
        (SDX.replace("679 6789", "677 6789"), "sdx", "here:1:3: '677' at r1c2 lists no candidates"),
        (SDX[: SDX.rindex("\n")], "sdx", "here:1: 8 lines where a grid of candidates has 9"),
        (DOTTED.replace("679 ", "6x9 ", 1), "pencilmarks", "here:2:8: '6x9' at r1c2 lists no candidates"),
    ],
)
def test_malformed(text: str, format: str | None, what: str) -> None:
    """What is malformed is refused with its place and what would be right."""
    assert what in error(text, format)


def test_9x9_only() -> None:
    """These forms are for 9x9."""
    assert "for 9x9 boards, not" in error(SDX, board="9x9x9")
    assert "here:1: a HoDoKu library contains 9x9 boards, not 16x16" in error(HODOKU, board="16x16")


def test_cell_without_candidate() -> None:
    """A cell without a candidate is refused where the form has none."""
    marks = np.ones((81, 9), bool)
    marks[3] = False
    puzzle = Puzzle.of(NINE, pencilmarks=marks)
    for format in ("sdx", "pencilmarks"):
        with pytest.raises(FormatError, match=f"format {format} cannot hold this puzzle: r1c4 has no candidate"):
            written(puzzle, format)
    assert np.array_equal(one(written(puzzle, "hodoku")).candidates, puzzle.candidates)


def test_text_argument() -> None:
    """The text may be an argument."""
    for text in (HODOKU, SDX, DOTTED):
        assert read(text) == one(text)


def test_remarks() -> None:
    """What is read as something else or not at all is remarked."""

    def remarks(text: str) -> list[str]:
        said: list[str] = []
        read(text, remarked=said.append)
        return said

    assert remarks(HODOKU) == ["1 elimination of the technique is not applied"]
    assert remarks(PLACED) == ["8 placed digits are read as givens"]
    assert remarks(SDX) == ["2 placed digits are read as givens"]
    assert remarks(DOTTED) == remarks(f":0000:x:{PLAIN}:::") == []
    assert remarks(state(3)) == ["9 values that the player entered are left out"]
    assert remarks(f'<opensudoku><game data="{PLAIN}"/></opensudoku>') == []


# The saved states of OpenSudoku.

NOTES = {1: ("1,5,", "-"), 2: ("12|", "0"), 3: ("12", "0"), 4: ("12|0", "0|0"), 5: ("12|0|3", "0|0|0")}


def state(version: int) -> str:
    """Return a game in which some blanks have notes, and some have what the player entered."""
    some, none = NOTES[version]
    cells = [
        f"{symbol}|{none}|0|" if symbol != "." else f"{4 if at % 5 == 0 else 0}|{some if at % 3 else none}|1|"
        for at, symbol in enumerate(PLAIN)
    ]
    return f"version: {version}\n{''.join(cells)}"


@pytest.mark.parametrize("version", NOTES)
def test_opensudoku_game(version: int) -> None:
    """A saved game of OpenSudoku has its givens without what the player did."""
    assert many(state(version)) == [one(PLAIN)]
    assert many(f"{state(version)}\n\n{state(3)}\n") == [one(PLAIN)] * 2
    for name in ("data", "cells_data"):
        text = f'<opensudoku version="3"><folder><game {name}="{state(version)}"/></folder></opensudoku>'
        assert many(text) == [one(PLAIN)]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (state(3).replace("version: 3", "version: 9"), "write version: 1 to version: 5, and the cells"),
        (state(3)[: state(3).rindex("9|")], "here:1: 80 cells where there are 81 in a state of version 3"),
        (state(3).replace("7|0|", "7|x|", 1), "here:1: '7|x|0|' is not a cell in a state of version 3"),
        (state(4).replace("version: 4", "version: 3"), "is not a cell in a state of version 3"),
    ],
)
def test_bad_opensudoku_game(text: str, what: str) -> None:
    """A saved game that is malformed is refused with its line."""
    assert what in error(text)
    first, second = read_text(f"{state(3)}\n{text}", "here")
    assert first == one(PLAIN)
    assert isinstance(second, FormatError)
    assert second.line == 3


# JSON as others have it: a puzzle is a string, beside its solution.


def test_json_puzzle_line() -> None:
    """JSON may call the givens a puzzle and have a line of symbols for them."""
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    text = f'[{{"puzzle": "{PLAIN}", "solution": "{solution}"}}, {{"quiz": "{PLAIN}"}}, {{"Sudoku": "{PLAIN[1:]}"}}]'
    first, second, third = read_entries(text)
    assert isinstance(first, Entry)
    assert isinstance(second, Entry)
    assert isinstance(third, Entry)
    assert first.content == second.content == one(PLAIN)
    assert (first.answer, second.answer) == (solution, "")
    assert "puzzle 3: 80 symbols on a line make no puzzle" in str(third.content)
    board = one('{"puzzle": "1..2............", "board": "4x4+diagonals", "constraints": ["cage 5 r1c2 r2c2"]}')
    assert (board.geometry.name, len(board.constraints)) == ("4x4+diagonals", 1)
    # 64 symbols are no candidates of a 4x4 here: a line is givens.
    assert "needs one of 16" in error(f'{{"puzzle": "{"1234" * 16}"}}', board="4x4")
    assert '"puzzle" and "quiz" are both a puzzle' in error(f'{{"puzzle": "{PLAIN}", "quiz": "{PLAIN}"}}')
