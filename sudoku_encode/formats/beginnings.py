"""What the texts in a format begin with, where that alone tells the format."""

from typing import NamedTuple


class Beginning(NamedTuple):
    """What a text begins with.

    Attributes:
        pattern: a regular expression for it, after any white space.
        missing: what is wrong with a text that does not begin so, for errors.
    """

    pattern: str
    missing: str


# Comments may come first, such as `# board: 9x9+diagonals`.
_COMMENTS = r"(?:#[^\n]*\n\s*)*"
_NO_DOCUMENT = "it starts with neither { nor [ nor <"
# A type and what follows it, after comments: no other text of a puzzle has ~. Nothing follows some types.
_LONE_TYPES = (
    *("AntiKnight", "AntiKing", "AntiConsecutive", "AntiTaxicab", "GlobalEntropy", "GlobalMod", "StrictKropki"),
    *("StrictXV", "NoBoxes", "Windoku", "DisjointSets", "DutchFlatmates", "ChaosConstruction", "Doppelganger"),
    *("RegionSameValues", "Or", "And"),
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
# A list of lists, objects or numbers; [Puzzle] is a heading in files of SadMan.
JSON = Beginning(r'\{|\[\s*(?:null\b|[\[\]{"\d-])', _NO_DOCUMENT)
# No string of JSON holds these characters, since quotes in it are escaped.
F_PUZZLES_JSON = Beginning(rf'{_COMMENTS}[\[{{](?s:.*?)"grid"\s*:\s*\[', 'it has no object with "grid"')
_F_PUZZLES_LETTERS = r"(?:(?:https?://)?\S*[?&]load=|(?:https?://\S*)?fpuz|N4Ig)\S{40}"
F_PUZZLES_LINK = Beginning(_COMMENTS + _F_PUZZLES_LETTERS, "it has no link that holds a puzzle")
_SUDOKUPAD_LETTERS = r"(?:https?://\S*[/=])?(?:scl|ctc)\S{40}"
SUDOKUPAD_TEXT = Beginning(
    rf'{_COMMENTS}(?:[\[{{](?s:.*?)"cells"\s*:\s*\[\s*\[|{_SUDOKUPAD_LETTERS})',
    'it has no object with "cells", and no link that holds a puzzle',
)
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
