"""Links with a puzzle in them or the name of one, game IDs of Solo, links of puzz.link, and links that are written."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.reading import ReadOptions, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ZEROS = LINE.replace(".", "0")
SOLO = "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9"
PUZZLINK = "https://puzz.link/p?sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79"
SITES = (
    f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}",
    f"https://sudokuexchange.com/play/?s={ZEROS}",
    f"https://sudoku.coach/en/play/{LINE}",
    f"sudokupad.app/puzzle/{ZEROS}",
    f"http://example.org/a/b?level=3&s={LINE}&again={LINE}#top",
    f"some-site.io/#{LINE}",
    f"https://example.org/?q={LINE}",
    f"https://example.org/?s={LINE.replace('.', '%2E')}",
    PUZZLINK,
    PUZZLINK.replace("puzz.link/p", "pzv.jp/p.html"),
    f"{PUZZLINK}&more=1",
    PUZZLINK.replace("sudoku", "m+sudoku_edit"),
    SOLO,
    f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/solo.html#{SOLO}",
)
# Written by the program itself (sgt-solo --generate).
IDS = (
    "3x3:a3d1_9a8_9b3_5_2e8a2_3d6_5a8c4c7c6c6a4_9d4_9a7e5_4_8b1_9a7_9d4a",
    "3x3x:b2d9c7a3c4_1a6_8g1e5_6b3_7_9b2_4e7g3_8a1_3c2a5c5d9b",
    "2x3:b3_1a5d4c2b6_6b5c2d5a1_6b",
    "5x2:a6b1a7_5_10a3a7_8_9a6a1a9c3g2b4c8a8f3b1f9a4c2b9g1c6a2a1a9_8_3a4a10_9_4a6b7a",
    "6j:3_1d6c2b2h1b3c1d6_4,adaa__b_a_a_cadbdd____baab",
    "5jx:5d3f2f1d4,c__ba__acbbb__a_abb",
    (
        "9j:k5_1c9a5_3b9_4c3a1a8_2b7b3a6a5b6b5_2a4a1c7_5b6_4a7c6_1k,ceb_ba____a____c__dade_c____gfabbaaaba__b__ab__a_b_"
        "bb___caacb_b"
    ),
    "2x2k:p,aaa__baa__a__a__,3a8a4_6c9_6c4a",
    (
        "6jk:zj,adaa__b_a_a_cadbdd____baab,aaa_a____________a__aaaaaaa___a___aaaaaaa,14a7a7a6a11a4b7_7_6a9_4c11b6a9a11_"
        "7e"
    ),
    (
        "3x3k:zzzc,_____aa_____a__a_____aa___a_a_a_aa_a___aa____ab_abca_ac___aa__ac______b______aaa___a______a__a_aaaa,"
        "15_17_6_14_13_11a11f13_4a12_7a5c11_13b16a8a4b3_11a13_11b12b10b17a15_10a12a12_17_4c21a7b12d20c18e"
    ),
)
# Found in public repositories.
PUZZLINKS = (
    "9/9/l768g3g2g7o4h1j2h43h4g5h92h6j7h5o5g9g1g824l",
    "9/9/15i96l17i7g65i42k1g5368h2i7g2p3h5g48g2g9k3h7i6",
    "9/9/k8g1g7i2i99o2g3h75q19h5g4o83i4i6g4g5k",
    "6/6/61j3g2j4g3j5g4j6g5j12",
    "6/6/g3h2g5j6h1l4h6j3g5g6h",
)


def one(text: str, board: str | None = None, format: str | None = None) -> Puzzle:
    (puzzle,) = read_text(text, "here", ReadOptions(board, format=format))
    assert isinstance(puzzle, Puzzle), str(puzzle)
    return puzzle


def error(text: str, board: str | None = None) -> str:
    with pytest.raises(FormatError) as caught:
        list(read_text(text, "here", ReadOptions(board)))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(puzzle: Puzzle, format: str) -> str:
    return "".join(write_all([puzzle], format)).strip()


def lines(puzzle: Puzzle) -> list[str]:
    return [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]


# Links with a puzzle in them.


@pytest.mark.parametrize("link", SITES)
def test_puzzle_in_link(run: Command, link: str) -> None:
    """A puzzle in a link is read as an argument and in a text."""
    assert one(link) == one(LINE)
    assert run("convert", link).out == f"{LINE}\n"


def test_many_links() -> None:
    """Links of all sites may stand in one file, each with its line."""
    puzzle = one(LINE)
    links = [*SITES[:-2], *(written(puzzle, form) for form in ("f-puzzles-link", "sudokupad-link", "iss-link"))]
    for first in links:
        text = "\n".join([first, "# a comment", *links, "https://f-puzzles.com/?id=abc"])
        *puzzles, wrong = read_text(text, "here")
        assert puzzles == [puzzle] * (len(links) + 1)
        assert isinstance(wrong, FormatError)
        assert wrong.line == len(links) + 3


def test_board_of_link() -> None:
    """The number of symbols says the board, or the caller, or a line before the link."""
    assert one("https://a.org/1234............").geometry.name == "4x4"
    assert one(f"# board: 9x9+diagonals\n{SITES[0]}").geometry.name == "9x9+diagonals"
    assert one(SITES[0], "9x9+windoku").geometry.name == "9x9+windoku"
    hexadecimal = "1" + "." * 254 + "G"
    assert one(f"https://a.org/?s={hexadecimal}", "16x16") == one(hexadecimal, "16x16")
    assert one(PUZZLINK, "9x9+diagonals").geometry.name == "9x9+diagonals"
    assert lines(one(f"# constraint: odd r1c3\n{PUZZLINK}")) == ["odd r1c3"]


@pytest.mark.parametrize(
    ("link", "says"),
    [
        (
            f"https://a.org/?s={LINE}&sol={LINE[::-1]}",
            "2 puzzles in one link, s=53..7....6..195..... and sol=97..8....",
        ),
        (f"https://a.org/?s={LINE[:-1]}", "the link has 80 digits and blanks in a row, 53..7....6..195.....; a 9x9"),
        ("https://a.org/?v=1234567890123456", "the link has 16 digits and blanks in a row"),
        (f"https://a.org/?s={'.' * 64}", "a line of 64 symbols may be 4x4x4 or 8x8"),
        (f"https://a.org/?s={LINE} a title", "not a link: 'https://a.org/"),
        ("https://a.org/?s=.03.0..12310..02", "0 may be a blank or a value"),
        ("https://puzz.link/p?sudoku/9/9/53h7j6", "10 cells in the link where 9x9 has 81"),
        (PUZZLINK + "g", "82 cells in the link where 9x9 has 81"),
        (PUZZLINK[:-1] + "a", "10 at cell 81; values go from 1 to 9"),
        (PUZZLINK[:-1] + "0", "0 at cell 81; values go from 1 to 9"),
        (PUZZLINK[:-1] + "G", "'G' among the cells; puzz.link has 1 to 9, a to f"),
        ("https://puzz.link/p?sudoku/9/8/zzz", "9 columns and 8 rows; puzz.link has boxes on 6x6"),
        ("https://puzz.link/p?sudoku/8/8/zzz", "8 columns and 8 rows; puzz.link has boxes on 6x6"),
        ("https://puzz.link/p?slither/9/9/zzz", "a puzzle of the kind slither, not a Sudoku"),
        ("https://puzz.link/p?sudoku/", "not a Sudoku of puzz.link"),
    ],
)
def test_bad_link(link: str, says: str) -> None:
    """A link with half a puzzle, or with two, is refused in a line that says why."""
    assert error(link).startswith(f"here:1: {says}")


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("https://f-puzzles.com/?id=ybbp9rel", "which f-puzzles.com holds; open it there, press Export"),
        ("f-puzzles.com/?id=ybbp9rel", "which f-puzzles.com holds"),
        ("https://sudokupad.app/RPBnQFRLR8", "give the text at https://sudokupad.app/api/puzzle/RPBnQFRLR8, or a link"),
        ("sudokupad.app/RPBnQFRLR8", "https://sudokupad.app/api/puzzle/RPBnQFRLR8"),
        ("https://app.crackingthecryptic.com/sudoku/RPBnQF", "https://sudokupad.app/api/puzzle/RPBnQF"),
        ("https://app.crackingthecryptic.com/sudoku/?puzzleid=RPBnQF", "https://sudokupad.app/api/puzzle/RPBnQF"),
        ("https://tinyurl.com/37ptjjtn", "which tinyurl.com holds; open it and give the address to which it leads"),
        ("https://logic-masters.de/Raetselportal/Raetsel/zeigen.php?id=0001AB", "on that page"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VZNb9s4EL37Vy", "a drawing of penpa, which is not read"),
        ("https://example.org/puzzles/12", "no puzzle in this link"),
        ("https://f-puzzles.com/?load=N4Ig", "expected one such as https://www.f-puzzles.com/?load=N4Ig"),
        ("https://sudokupad.app/sclN4Ig", "or https://sudokupad.app/sclN4Ig..., with all its letters"),
    ],
)
def test_link_that_names(run: Command, link: str, says: str) -> None:
    """A link that only names a puzzle is refused with how to get the puzzle."""
    ran = run("count", link)
    assert ran.status == 2
    assert says in ran.err
    assert "no file has this name" not in ran.err
    assert ran.err.count("\n") == 1


def test_files_and_boards(run: Command) -> None:
    """Names of files and boards are neither links nor game IDs."""
    for name in ("data.dir/file.txt", "no/such/file.sdk", "6x6:2x3", "9x9:0-8"):
        assert f"sudoku-encode: {name}: no such file" in run("info", name).err


# Solo.


@pytest.mark.parametrize("text", IDS)
def test_ids_of_solo(text: str) -> None:
    """An ID that Solo wrote has one solution, and is written as it was."""
    puzzle = one(text)
    assert se.count(puzzle, limit=2).value == 1
    assert written(puzzle, "solo") == text


def test_solo_by_hand() -> None:
    """Each part of an ID says what the manual of the format says."""
    assert one("2x2:1_2_3_4l") == one("1234............")
    assert one("2x2adt:k4_3_2_1a") == one("...........4321.")
    assert one("2x3:zj") == Puzzle.of(boards.board("6x6:2x3"))
    assert one("3x2:zj") == Puzzle.of(boards.board("6x6:3x2"))
    assert one("3x3xm4de:zzzc") == Puzzle.of(boards.board("9x9+diagonals"))
    assert one(f"5x3:15_{'z' * 8}o10").givens.tolist() == [15, *[0] * 223, 10]
    assert written(Puzzle.of(boards.board("15x15:5x3"), [15, *[0] * 223, 10]), "solo") == f"5x3:15{'z' * 8}o10"
    # Sides in rows: aaab, acbb, ccdb, cddd. Then in columns: aacc, accd, abdd, bbbd.
    assert one("4j:1o,b__b__caa__c_") == Puzzle.of(boards.board("jigsaw:aaabacbbccdbcddd"), [1, *[0] * 15])
    assert lines(one("4jx:p,b__b__caa__c_")) == ["diagonal"]
    # Six rows that are regions: 30 sides without a border, and then only borders.
    assert one(f"6j:zj,zd{'_' * 30}") == Puzzle.of(boards.board("6x6:1x6"))
    cages = one("2x2k:p,abbba____________,3a7a7a3aa3a7a7a3")
    assert lines(cages)[:2] == ["cage 3 r1c1 r1c2", "cage 7 r1c3 r1c4"]
    assert lines(cages)[-1] == "cage 3 r4c3 r4c4"
    assert one("2x2k:1o,abbba____________,3a7a7a3a3a7a7a3a", "4x4+diagonals").geometry.name == "4x4+diagonals"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3x3#12345", "3x3#12345 is a seed, of which only Solo itself makes a puzzle; give its game ID"),
        ("https://a.org/solo.html#9jx#7", "9jx#7 is a seed"),
        (SOLO[:30], "36 cells where the board has 81"),
        (SOLO + "_1", "82 cells where the board has 81"),
        (SOLO + "B", "'B' among the cells; write numbers, _ between two of them, and a to z for blanks"),
        (SOLO + "0", "90 among the cells; numbers there go to 9"),
        (SOLO + "_0", "'0' among the cells"),
        (SOLO + ",abc", "2 parts after 3x3: where it has 1: the cells"),
        ("9j:zzzc", "1 part after 9j: where it has 2: the cells, the borders of the regions"),
        ("4j:p,b__b__caa__c", "the borders of the regions are for 23 sides of cells where 4 rows and columns have 24"),
        ("4j:p,b__b__caa__z", "the borders of the regions are for 45 sides"),
        ("4j:p,b__b__caa__d", "regions of 4, 8, 4 cells"),
        ("4j:p,b__B__caa__c_", "'B' among the borders of the regions; write _ and a to z"),
        ("4j:p,x", "regions of 16 cells where a jigsaw of 4 values has 4 regions of 4"),
        ("2x2k:p,abbba____________", "2 parts after 2x2k: where it has 3"),
        ("2x2k:p,abbba____________,3a7a7a3a3a7a7c", "the cage of r4c3 has 0 sums; write one in one of its cells"),
        ("2x2k:p,abbba____________,3_1_7a7a3a3a7a7a3a", "the cage of r1c1 has 2 sums"),
        (f"2x2k:p,{'_' * 25},3o", "the cage of r1c1 has 1 cell; a cage has 2 to 4"),
        ("4x4k:zzzzzzzzzv,a,a", "4x4k: has 16 values; expected boxes of at least 2x2, and at most 9 values"),
        ("1x5:y", "1x5: has 5 values; expected boxes of at least 2x2"),
        ("6x6:a", "6x6: has 36 values"),
    ],
)
def test_bad_solo(text: str, says: str) -> None:
    """A damaged ID is refused in a line that says why."""
    assert says in error(text)


def test_solo_of_other_board() -> None:
    """An ID is not read for a board without its units."""
    assert "this puzzle is for 6x6:3x2, not for 6x6; leave the board out" in error("3x2:zj", "6x6")
    assert "not for 4x4; leave the board out" in error("4j:1o,b__b__caa__c_", "4x4")


# Writing.

MAPS = ("aaabacbbccdbcddd", "aaabbbccc" * 2 + "aaabbbccdeeefffcdd" + "eeefffddd" * 2 + "ggghhhiii" * 3)
BOXES = ("4x4", "6x6", "6x6:3x2", "8x8:4x2", "9x9", "9x9+diagonals", "12x12:3x4", "16x16", "25x25")
BOARDS = {
    "solo": (*BOXES, *(f"jigsaw:{text}" for text in MAPS)),
    "puzzlink": ("4x4", "6x6", "9x9", "16x16", "25x25"),
    "sudokuwiki-link": ("9x9",),
    "sudokupad-link": ("4x4", "6x6", "6x6:3x2", "9x9", "12x12", "latin:5x5", *(f"jigsaw:{text}" for text in MAPS)),
    "iss-link": ("4x4", "6x6", "9x9", "16x16", "5x5", *(f"jigsaw:{text}" for text in MAPS)),
}


@st.composite
def every_cell_in_a_cage(draw: st.DrawFn, n: int) -> list[str]:
    """Return cages that share the cells of a board: pieces of its rows, or of its columns."""
    in_rows = draw(st.booleans())
    cages: list[tuple[int, str]] = []
    for line in range(n):
        ends = [0, *sorted(draw(st.sets(st.sampled_from(range(2, n - 1, 2))))), n]
        for start, end in pairwise(ends):
            names = [f"r{line + 1}c{at + 1}" if in_rows else f"r{at + 1}c{line + 1}" for at in range(start, end)]
            count = end - start
            total = draw(st.integers(count * (count + 1) // 2, count * (2 * n - count + 1) // 2))
            first = (line * n + start) if in_rows else (start * n + line)
            cages.append((first, f"cage {total} {' '.join(names)}"))
    # They are read in the order of their first cells.
    return [cage for _, cage in sorted(cages)]


@pytest.mark.parametrize("format", BOARDS)
@settings(max_examples=40, derandomize=True, deadline=None)
@given(data=st.data())
def test_round_trip(format: str, data: st.DataObject) -> None:
    """A puzzle that is written in a format is read back as the same."""
    batch = []
    for _ in range(data.draw(st.integers(1, 3))):
        board = boards.board(data.draw(st.sampled_from(BOARDS[format])))
        n = board.n_values
        values = st.integers(0, n) if data.draw(st.booleans()) else st.sampled_from([0] * 20 + [1, n])
        givens = data.draw(st.lists(values, min_size=n * n, max_size=n * n))
        cages = data.draw(every_cell_in_a_cage(n)) if format == "solo" and n < 10 and data.draw(st.booleans()) else []
        batch.append(Puzzle.of(board, givens, constraints=cages))
    text = "".join(write_all(batch, format))
    assert list(read_text(text)) == batch
    if format == "solo" or format.endswith("link"):
        assert [one(line) for line in text.splitlines() if line[0] != "#"] == batch


@pytest.mark.parametrize(
    ("format", "board", "constraints", "says"),
    [
        ("solo", "5x5", [], "is for boxes of 2 rows and columns or more, and jigsaws, up to 31 values"),
        ("solo", "36x36", [], "up to 31 values"),
        ("solo", "9x9+windoku", [], "is for boxes of 2 rows"),
        ("solo", "jigsaw:abababcdabcdcdcd", [], "a region of the jigsaw is in several pieces"),
        ("solo", "9x9", ["thermometer r1c1 r1c2"], "cannot hold constraints of the kind thermometer"),
        ("solo", "9x9", ["diagonal"], "both diagonals are a rule of the board there: write --board 9x9+diagonals"),
        ("solo", f"jigsaw:{MAPS[0]}", ["diagonal 1"], "it has one diagonal, and there they are two"),
        ("solo", "9x9", ["cage 9 r1c1 r1c2"], "r1c3 is in no cage, and there each cell is in one"),
        ("solo", "9x9", ["cage 9 r1c1 r1c3"], "`cage 9 r1c1 r1c3` is not a cage of 2 to 9 connected cells with a sum"),
        ("solo", "9x9", ["cage r1c1 r1c2"], "is not a cage of 2 to 9 connected cells with a sum"),
        ("solo", "9x9", ["cage 9 r1c1 r1c2", "cage 8 r1c2 r1c3"], "r1c2 is in two cages"),
        ("solo", "9x9", ["cage >=9 r1c1 r1c2"], "has bounds; here a cage has one sum"),
        ("solo", "16x16", ["cage 9 r1c1 r1c2"], "it has cages and 16 values; there are 9 at most with cages"),
        ("puzzlink", "8x8", [], "is for plain 4x4, 6x6, 9x9, 16x16 and so on"),
        ("puzzlink", "6x6:3x2", [], "is for plain 4x4"),
        ("puzzlink", "9x9", ["anti-knight"], "cannot hold constraints"),
        ("sudokuwiki-link", "9x9+diagonals", [], "is for the plain 9x9 board"),
        ("sudokuwiki-link", "9x9", ["anti-knight"], "cannot hold constraints"),
        ("sudokupad-link", "9x9", ["thermometer r1c1 r1c2"], "SudokuPad's own links cannot contain `thermometer`"),
        ("iss-link", "4x4", ["cage >=3 r1c1 r1c2"], "an ISS string cannot express cage with bounds"),
    ],
)
def test_unwritable(format: str, board: str, constraints: list[str], says: str) -> None:
    """A puzzle that a format cannot hold is refused with the reason."""
    with pytest.raises(FormatError) as caught:
        written(Puzzle.of(boards.board(board), constraints=constraints), format)
    assert says in str(caught.value)


def test_links_as_written() -> None:
    """Links begin as the sites have them, and letters are escaped."""
    puzzle = Puzzle.of(boards.board("9x9"), one(LINE).givens, name="a b", constraints=["cage 12 r1c1 r2c2"])
    pad = written(puzzle, "sudokupad-link")
    assert pad.startswith("https://sudokupad.app/sclN4Ig")
    assert not set(pad.partition("scl")[2]) & set("+/=")
    assert (one(pad), one(pad).name) == (puzzle, "a b")
    assert one(pad, format="sudokupad-link") == puzzle
    iss = written(puzzle, "iss-link")
    assert iss.startswith("https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Shape~9x9.~R1C1_5~R1C2_3")
    assert one(iss, format="iss-link") == puzzle
    assert written(one(LINE), "sudokuwiki-link") == f"https://www.sudokuwiki.org/sudoku.htm?bd={ZEROS}"
    assert written(one(LINE), "puzzlink") == PUZZLINK
    assert written(one(LINE), "solo") == SOLO


@pytest.mark.parametrize("end", PUZZLINKS)
def test_links_of_puzzlink(end: str) -> None:
    """A link that people shared has one solution, and is written as it was."""
    puzzle = one(f"https://puzz.link/p?sudoku/{end}")
    assert se.count(puzzle, limit=2).value == 1
    assert written(puzzle, "puzzlink") == f"https://puzz.link/p?sudoku/{end}"
