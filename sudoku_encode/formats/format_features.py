"""Features of text formats: beginnings that tell the format, and the boards that a format can hold.

Imports nothing heavy: `--help` reads the table of formats, which uses this module.
"""

from collections.abc import Callable
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry


class Beginning(NamedTuple):
    """The beginning of a text, which tells its format."""

    pattern: str  # a regular expression for it, after any white space
    missing: str  # the fault of a text that does not begin so, for errors


# Comments may come first, such as `# board: 9x9+diagonals`.
_COMMENTS = r"(?:#[^\n]*\n\s*)*"
_NO_DOCUMENT = "it starts with neither { nor [ nor <"
# A type and what follows it, after comments: no other text of a puzzle has ~. Nothing follows some types.
_LONE_TYPES = (
    "AntiKnight",
    "AntiKing",
    "AntiConsecutive",
    "AntiTaxicab",
    "GlobalEntropy",
    "GlobalMod",
    "StrictKropki",
    "StrictXV",
    "NoBoxes",
    "Windoku",
    "DisjointSets",
    "DutchFlatmates",
    "ChaosConstruction",
    "Doppelganger",
    "RegionSameValues",
    "Or",
    "And",
)
# Jigsaws as two grids on a line, with a space between or none: values with some blank, and then regions.
_GRID, _REGIONS, _END = "[0-9A-Za-z.*_-]", "[0-9A-Za-z]", r"[ \t\r]*(?:\n|$)"
_JIGSAWS = "|".join(
    rf"(?=[^\n]{{0,{size - 1}}}[.0*_-]){_GRID}{{{size}}}[ \t]?{_REGIONS}{{{size}}}{_END}"
    for size in (n * n for n in range(4, 16))
)
# 512 symbols without letters may be candidates of 8x8.
_JIGSAW_16 = rf"(?=[^\n]{{0,255}}[.0*_-])(?=[^\n]*[A-Z]){_GRID}{{256}}[ \t]?{_REGIONS}{{256}}{_END}"
_STRING = (
    r"(?:https?://\S*[?&]q=)?(?:\.|%2E)+\s*"
    rf"(?:[A-Za-z]*\s*(?:~|%7E)|(?:{'|'.join(_LONE_TYPES)})\s*(?:\.|%2E|$))"
)
ISS = Beginning(
    f"{_COMMENTS}(?:{_JIGSAWS}|{_JIGSAW_16}|{_STRING})",
    "it does not begin as an ISS string, such as .~R1C1_5.Thermo~R2C1~R3C2",
)
ISS_LINK = Beginning(rf"{_COMMENTS}https?://\S*[?&]q=(?:\.|%2E)", "it does not begin with a link with ?q=.")
# A list of lists, objects or numbers; [Puzzle] is a heading in files of SadMan.
JSON = Beginning(r'\{|\[\s*(?:null\b|[\[\]{"\d-])', _NO_DOCUMENT)
# No string of JSON holds these characters, since quotes in it are escaped.
# A grid of f-puzzles has rows of objects; a row of values is one of any other program.
F_PUZZLES_JSON = Beginning(
    rf'{_COMMENTS}[\[{{](?s:.*?)"grid"\s*:\s*\[(?!\s*(?:\[\s*)?(?:["\d.-]|null))', 'it has no object with "grid"'
)
_F_PUZZLES_LETTERS = r"(?:(?:https?://)?\S*[?&]load=|(?:https?://\S*)?fpuz|N4Ig)\S{40}"
F_PUZZLES_LINK = Beginning(_COMMENTS + _F_PUZZLES_LETTERS, "it has no link that holds a puzzle")
_SUDOKUPAD_LETTERS = r"(?:https?://\S*[/=])?(?:scl|ctc)\S{40}"
SUDOKUPAD_LINK = Beginning(_COMMENTS + _SUDOKUPAD_LETTERS, "it has no link that holds a puzzle")
SUDOKUPAD_TEXT = Beginning(
    rf'{_COMMENTS}(?:[\[{{](?s:.*?)"cells"\s*:\s*\[\s*\[|{_SUDOKUPAD_LETTERS})',
    'it has no object with "cells", and no link that holds a puzzle',
)
# Links of any site, and without https:// those of some sites or with at least 16 symbols in a row.
_SITES = (
    r"f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com|sudokuwiki\.org|sudokuexchange\.com|sudoku\.coach|puzz\.link|"
    r"tinyurl\.com|logic-masters\.de|swaroopg92\.github\.io"
)
LINK = Beginning(
    rf"{_COMMENTS}(?i:https?://|(?:[\w-]+\.)?(?:{_SITES})/)\S"
    rf"|{_COMMENTS}[a-z][a-z\d-]{{2,}}(?:\.[a-z\d-]+)*\.[a-z]{{2,}}/\S*(?<![\d.])[\d.]{{16}}",
    "it does not begin with a link that holds a puzzle",
)
PUZZLINK = Beginning(
    rf"{_COMMENTS}\S*[?&](?:m\+|m%2B)?sudoku(?:_[a-z]+)?/",
    "it does not begin with a link such as puzz.link/p?sudoku/9/9/...",
)
# 6x6:2x3 and 9x9:0-8 are names of boards.
SOLO = Beginning(
    _COMMENTS
    + r"(?:https?://[^\s#]*#)?\d{1,3}(?:x\d{1,3}|j)(?:[jxka]|md?\d|r\d|d[a-z])*(?:#\w|:(?!\d+[x-]\d+(?![\w,]))[\da-z_])",
    "it does not begin with a kind such as 3x3: or 9jk:",
)
SOLO_MOST, SOLO_MOST_KILLER = 31, 9
OPENSUDOKU = Beginning(r"<|version:[ \t]*\d+\s", "it starts with neither { nor [ nor < nor version: and a number")
KILLER = Beginning(_COMMENTS + r"3x3:d?:k:", "it does not start with 3x3::k:")
SNARFABLE = Beginning(
    _COMMENTS + r"(?=[^\n]{0,80}[v<>^`'])[0-9A-Za-jv<>^`',.]{81}[ \t\r]*(?:\n|$)",
    "it does not start with a line of 81 sums and < > ^ v",
)
SUMOCUE = Beginning(_COMMENTS + "SumoCueV", "it does not start with SumoCueV1")
HODOKU = Beginning(_COMMENTS + r":[\d-]+x?:[1-9x]*:", "it does not start with :0000:x: or the like")
# Nine rows of nine cells with candidates. Where each cell is one digit, it is a grid of numbers like any other.
_CELL, _ONE = "(?=[u1-9])u?1?2?3?4?5?6?7?8?9?", "[1-9]"


def _nine_rows(cell: str, gap: str, before: str = "") -> str:
    """Return a pattern for nine lines of nine cells."""
    return rf"(?:{before}{gap}*(?:{cell}{gap}+){{8}}{cell}{gap}*(?:\n|$)){{9}}"


_BORDERS = r"(?:[-+=|*.:'\"| \t\r]*\n)*"
_SPACE, _SPACE_OR_BORDER = r"[ \t\r]", r"[| \t\r]"
SDX = Beginning(
    rf"{_COMMENTS}(?!\s|{_nine_rows(_ONE, _SPACE)}){_nine_rows(_CELL, _SPACE)}",
    "it does not start with nine lines of nine cells with candidates",
)
PENCILMARKS = Beginning(
    rf"{_COMMENTS}(?=[-+=|*.:'])(?!{_nine_rows(_ONE, _SPACE_OR_BORDER, _BORDERS)})"
    + _nine_rows(_CELL, _SPACE_OR_BORDER, _BORDERS),
    "it does not start with a border and nine lines of nine cells with candidates",
)


# The boards that a format can hold.


class BoardKind(NamedTuple):
    """The boards that a format can hold."""

    description: str  # which they are, for errors
    fits: Callable[["Geometry"], bool]  # whether a board is one of them, wherever its values begin
    from_zero: bool = False  # whether these may begin at 0
    # The name of the board that a text in the format has when nothing else says which; None if the number of its
    # symbols tells it.
    default: str | None = None

    def includes(self, board: "Geometry") -> bool:
        """Check whether a board is one of them."""
        return (bool(board.first) or self.from_zero) and self.fits(board)


def _is_plain_9x9(board: "Geometry") -> bool:
    return (board.name, board.rule_names) == ("9x9", ("row", "column", "box"))


def _is_of_iss(board: "Geometry") -> bool:
    """Check whether an ISS string can say the cells and rules of a board: without boxes of another shape."""
    # Loaded here, since the table of formats, which --help reads, loads this module.
    from sudoku_encode.puzzles import boards

    sides = "x".join(map(str, board.shape))
    name = board.from_one.name
    is_named = name == sides or (name.startswith(("latin:", "jigsaw:")) and "@" not in name)
    if len(board.shape) != 2 or max(*board.shape, board.n_values) > 16 or not is_named:
        return False
    return boards.board(board.name, files=False).rule_names == board.rule_names


def _is_f_puzzles(board: "Geometry") -> bool:
    """Check whether f-puzzles has a board: a square with all its rules, with regions, or with lines alone."""
    n, rules = board.n_values, board.rule_names
    if board.shape != (n, n) or rules[:2] != ("row", "column"):
        return False
    # A board whose side is prime has no boxes.
    lines_alone = board.name.startswith("latin:") or all(n % side for side in range(2, n))
    diagonals = ("diagonal", "antidiagonal")
    return rules[2:] in (("box",), ("region",), ("box", *diagonals)) or (lines_alone and rules[2:] in ((), diagonals))


def _is_sudokupad(board: "Geometry") -> bool:
    """Check whether SudokuPad has a board: a square with regions, or a Latin square."""
    rules = board.rule_names
    return board.shape == (board.n_values, board.n_values) and (
        rules in (("row", "column", "box"), ("row", "column", "region"))
        or (rules == ("row", "column") and board.name.startswith("latin:"))
    )


def _is_solo(board: "Geometry") -> bool:
    """Check whether Solo has a board: boxes of at least two rows and columns, perhaps with diagonals, or regions."""
    n, rules, box = board.n_values, board.rule_names, board.box or (0, 0)
    if board.shape != (n, n) or n > SOLO_MOST:
        return False
    has_boxes = (
        min(box) > 1 and rules[:3] == ("row", "column", "box") and rules[3:] in ((), ("diagonal", "antidiagonal"))
    )
    return has_boxes or rules == ("row", "column", "region")


def has_puzzlink_boxes(n: int) -> bool:
    """Check whether puzz.link draws the usual boxes on a board of a side: on others they are cut off."""
    return n == 6 or (n > 3 and isqrt(n) ** 2 == n)


def _is_puzzlink(board: "Geometry") -> bool:
    n = board.n_values
    is_plain = (board.name, board.rule_names) == (f"{n}x{n}", ("row", "column", "box"))
    return is_plain and has_puzzlink_boxes(n)


def _is_killer_9x9(board: "Geometry") -> bool:
    both = ("row", "column", "box", "diagonal", "antidiagonal")
    return _is_plain_9x9(board) or (board.name, board.rule_names) == ("9x9+diagonals", both)


ANY = BoardKind("any board", lambda board: True, from_zero=True)
SQUARES = BoardKind("2D boards", lambda board: board.has_rows_and_columns, from_zero=True)
CUBES = BoardKind("cubes", lambda board: board.is_cube, from_zero=True)
LAYERED = BoardKind("cubes and surfaces", lambda board: len(board.shape) == 3, from_zero=True)
ONLY_9X9 = BoardKind("9x9 boards", lambda board: (*board.shape, board.n_values) == (9, 9, 9), default="9x9")
F_PUZZLES = BoardKind("2D boards with all their rules, but for windoku", _is_f_puzzles)
SUDOKUPAD = BoardKind("2D boards with boxes or regions, and Latin squares", _is_sudokupad)
PLAIN_9X9 = BoardKind("the plain 9x9 board with all its rules", _is_plain_9x9, default="9x9")
ISS_BOARDS = BoardKind(
    "squares, jigsaws and boards of rows and columns alone, up to 16x16 and 16 values, with all their rules",
    _is_of_iss,
    from_zero=True,
)
# The text says which of these it is, so there is no default.
SOLO_BOARDS = BoardKind("boxes of 2 rows and columns or more, and jigsaws, up to 31 values", _is_solo)
PUZZLINK_BOARDS = BoardKind("plain 4x4, 6x6, 9x9, 16x16 and so on, with all their rules", _is_puzzlink)
KILLER_9X9 = BoardKind("9x9 and 9x9+diagonals with all their rules", _is_killer_9x9)
SNARFABLE_9X9 = BoardKind("the plain 9x9 board with all its rules", _is_plain_9x9)
SUMO_9X9 = BoardKind(
    "9x9, 9x9+diagonals and jigsaws of 9x9 with all their rules",
    lambda board: _is_killer_9x9(board) or (board.shape, board.rule_names) == ((9, 9), ("row", "column", "region")),
)
