"""Helpers of the styles: the sides of boards, the symbols of a row, and grids with an empty row between."""

import re
from collections.abc import Iterable, Sequence
from math import isqrt

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.lines import Row, Setting

# The sides of boards that a style is tried for: those with boxes.
SIDES = tuple(n for n in range(4, 50) if any(n % d == 0 for d in range(2, n)))
AREAS = {n * n: n for n in SIDES}
BLANKS = ".0*_-?"
_SMALL = frozenset("123456789xX" + BLANKS)
_LARGE = re.compile(r"[0-9A-Za-z.*_?-]*", re.ASCII)
_MOST_SYMBOLS = 9
# So many rows are enough to tell the side of a board.
_JUDGED_ROWS = 500
# A text with such words has more than the rules of its board.
_RULE_WORD = re.compile(
    r"\b(?:diagonal|window|windoku|hyper|jigsaw|irregular|nonomino|chaos|killer|thermo|knight|anti-?king|king'?s.move|kropki"
    r"|sandwich|whisper|renban|consecutive|palindrome|skyscraper|samurai|latin|constraint|x-sudoku|even.?odd|odd.?even"
    r"|parity|greater.?than|vergleich|asterisk|argyle|disjoint|girandola|toroidal|x-?sum|quadruple|between.line|du-sum-oh"
    r"|cent(?:er|re).?dot|r[1-9]\d?c[1-9]|board\W*[:=])"
    r"|\b(?:sudoku.?x|cages?|arrows?|regions?|areas?|box(?:es)?|blocks?|rules?|clues?.outside|outside.clues?|colou?rs?|xv"
    r"|clones?|frame|chains?)\b",
    re.IGNORECASE,
)
_USUAL_RULES = re.compile(
    r"\b(?:normal|classic(?:al)?|standard|usual)\b[\w ]*\brules?\b|\brules?\W+(?:normal|classic)", re.IGNORECASE
)


def rule_in(text: str) -> str:
    """Return the word in a text that names a rule or a constraint; an empty text without one."""
    match = _RULE_WORD.search(_USUAL_RULES.sub("", text))
    return match[0] if match else ""


def is_directive(row: Row) -> bool:
    """Check whether a row is a comment, which may say the board; it stays as it is."""
    return row.text.lstrip().startswith("#")


def are_symbols(text: str, n: int) -> bool:
    """Check whether each character of a text may be a cell of a board of n values."""
    if n > _MOST_SYMBOLS:
        return _LARGE.fullmatch(text) is not None
    return _SMALL.issuperset(text) and all(int(symbol) <= n for symbol in set(text) if symbol.isdigit())


def is_number(text: str, n: int) -> bool:
    """Check whether a text is a number of a board of n values, or one or two symbols for a blank."""
    if text.isascii() and text.isdigit():
        return len(text) < 4 and int(text) <= n
    return 0 < len(text) < 3 and not text.strip(BLANKS)


def parts_of(text: str) -> list[str]:
    """Return the parts of a row between spaces, bars and commas."""
    return text.replace("|", " ").replace(",", " ").split()


def is_row(text: str, n: int) -> bool:
    """Check whether a text may be a row of n cells: symbols, groups of them, or numbers."""
    parts = parts_of(text)
    if len(parts) == n and all(is_number(part, n) for part in parts):
        return True
    joined = "".join(parts)
    return len(joined) == n and are_symbols(joined, n)


def side_of(rows: Sequence[Row]) -> int:
    """Return the side of the board that most lines have as the number of their symbols or numbers; 0 for none."""
    counts = dict.fromkeys(SIDES, 0)
    for row in rows[:_JUDGED_ROWS]:
        parts = parts_of(row.text)
        for width in {len(parts), sum(map(len, parts))} & counts.keys():
            counts[width] += is_row(row.text, width)
    n = max(counts, key=lambda side: counts[side])
    return n if counts[n] >= n else 0


def joined_grids(grids: Sequence[Sequence[Row]], n: int, setting: Setting, *, are_puzzles: bool = False) -> list[Row]:
    """Return grids of n rows with an empty row between.

    Args:
        grids: the rows of each.
        n: the number of rows.
        setting: of the text; it may say the board.
        are_puzzles: whether the text says that each is a puzzle, and not a layer of a cube.

    Raises:
        FormatError: n grids may be n puzzles, or the layers of a cube.
    """
    rows: list[Row] = []
    if len(grids) == n == isqrt(n) ** 2 and not setting.has_said_board:
        if not are_puzzles:
            message = (
                f"{n} grids of {n}x{n} may be {n} puzzles, or the layers of one {n}x{n}x{n}; "
                f"say which with --board {n}x{n} or --board {n}x{n}x{n}"
            )
            raise FormatError(message, setting.source, grids[0][0].line)
        rows.append(Row(grids[0][0].line, f"# board: {n}x{n}"))
    for grid in grids:
        rows += [*grid, Row(grid[-1].line, "")]
    return rows


def left_out(what: str, texts: Iterable[str]) -> str:
    """Return the remark on texts that were left out, with the first of them; `what` is a plural noun."""
    distinct = list(dict.fromkeys(text.strip() for text in texts))
    shown = ", ".join(repr(short(text, 40)) for text in distinct[:2])
    return f"{what} are left out: {shown}{', ...' if len(distinct) > 2 else ''}"
