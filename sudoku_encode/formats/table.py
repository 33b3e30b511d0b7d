"""The tables of this room: the text formats for puzzles, and the alphabets of their symbols.

To add a format, write one small function that writes a puzzle into a module of `text/`, with an entry in `FORMATS`
there (`FormatFunctions`), and a row here. The command line reads these tables for `--help`, so they import nothing that
takes time to load.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.format_features import (
    ANY,
    CUBES,
    F_PUZZLES,
    F_PUZZLES_JSON,
    F_PUZZLES_LINK,
    HODOKU,
    ISS,
    ISS_BOARDS,
    ISS_LINK,
    JSON,
    KILLER,
    KILLER_9X9,
    LAYERED,
    LINK,
    ONLY_9X9,
    OPENSUDOKU,
    PENCILMARKS,
    PLAIN_9X9,
    PUZZLINK,
    PUZZLINK_BOARDS,
    SDX,
    SNARFABLE,
    SNARFABLE_9X9,
    SOLO,
    SOLO_BOARDS,
    SQUARES,
    SUDOKUPAD,
    SUDOKUPAD_LINK,
    SUDOKUPAD_TEXT,
    SUMO_9X9,
    SUMOCUE,
    Beginning,
    BoardKind,
)
from sudoku_encode.puzzles.table import Table, brief

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry

_DIGITS, _UPPER, _LOWER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_ALL_SYMBOLS = _DIGITS + _UPPER + _LOWER
DEFAULT_ALPHABET = "1-G"
# The symbols for 1, 2, 3, ... of each kind of alphabet, by its name on a 16x16: what stands for 1 and for 16.
ALPHABETS: Mapping[str, str] = {
    DEFAULT_ALPHABET: _DIGITS[1:] + _UPPER + _LOWER,
    "0-F": _ALL_SYMBOLS,
    "A-P": _UPPER + _LOWER,
}
MAX_SYMBOLS = len(ALPHABETS[DEFAULT_ALPHABET])
# The alphabets that a shell completes; every size of board has more.
COMMON_ALPHABETS = ("1-9", "0-8", *ALPHABETS, "1-P", "0-O", "A-Y", "1-Z0", "0-Z")
_RANGE = re.compile("([0-9A-Za-z])(?:-([0-9A-Za-z]))?")


def alphabet_symbols(name: str) -> str:
    """Return the symbols for 1, 2, 3, ... that the name of an alphabet lists; an empty text if it is not a name.

    A name has symbols and ranges of them, in the order of digits, upper case and lower case letters.

    >>> alphabet_symbols("0-F"), alphabet_symbols("1-40")
    ('0123456789ABCDEF', '12340')
    """
    if not re.fullmatch(f"(?:{_RANGE.pattern})+", name):
        return ""
    symbols = ""
    for first, last in _RANGE.findall(name):
        symbols += _ALL_SYMBOLS[_ALL_SYMBOLS.index(first) : _ALL_SYMBOLS.index(last or first) + 1]
    return (
        symbols if 2 <= len(symbols) == len(set(symbols)) and all(a <= b for a, b in _RANGE.findall(name) if b) else ""
    )


def alphabet_names(n: int) -> list[str]:
    """Return the names of the usual alphabets of n symbols: the first of them is the default.

    >>> alphabet_names(16), alphabet_names(9), alphabet_names(36)
    (['1-G', '0-F', 'A-P'], ['1-9', '0-8'], ['1-a', '0-Z'])
    """
    kinds = [symbols for symbols in ALPHABETS.values() if n <= len(symbols)]
    has_letters_alone = 9 < n <= len(_UPPER)
    return [f"{symbols[0]}-{symbols[n - 1]}" for symbols in kinds if symbols[0] != "A" or has_letters_alone]


def fitting_alphabet(name: str, n: int) -> str:
    """Return the symbols of an alphabet for a board of n values; an empty text if it has another number of them.

    Upper case will do for letters in lower case where that alone fits.
    """
    spellings = (alphabet_symbols(spelling) for spelling in (name, name.upper()))
    return next((symbols for symbols in spellings if len(symbols) == n), "")


class TextFormat(NamedTuple):
    """A row of the table: the properties of a text format that are known without loading its code.

    Attributes:
        summary: one line for people.
        module: the module of `text/` that writes and reads it.
        layouts: the kinds of `layout.Layout` that its rows, or the data in a document, may have.
        boards: the boards that it can hold.
        has_numbers: whether cells are decimal numbers; else they are single symbols, and an alphabet says which.
        holds_pencilmarks: whether it lists the candidates of blanks.
        holds_names: whether it has a place for the name of a puzzle.
        begins: the beginning that tells the format, if its module reads it; else None.
        holds_constraints: the kinds of constraints that it can write, or whether it can write all. A format that can
            write some holds no others; one that can write none has lines `# constraint:` for all, unless it is a
            document.
        is_document: whether a file is one whole, such as a list in JSON, so that no line `# board: NAME` can stand
            between puzzles.
    """

    summary: str
    module: str
    layouts: tuple[str, ...]
    boards: BoardKind = ANY
    has_numbers: bool = False
    holds_pencilmarks: bool = False
    holds_names: bool = False
    holds_constraints: bool | tuple[str, ...] = False
    begins: Beginning | None = None
    is_document: bool = False

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)

    @property
    def is_one_line(self) -> bool:
        """Whether each puzzle is one line of the file. Otherwise a blank line goes between puzzles."""
        return not self.is_document and set(self.layouts) <= {"line", "sukaku"}

    def holds_kind(self, kind: str) -> bool:
        """Check whether the format can write constraints of a kind."""
        return self.holds_constraints if isinstance(self.holds_constraints, bool) else kind in self.holds_constraints

    def unsupported_reason(self, board: "Geometry") -> str | None:
        """Return why the format cannot hold a board, as the end of a sentence, or None if it can."""
        if not (board.first or self.boards.from_zero):
            return "has values from 1"
        if not self.boards.includes(board):
            return f"is for {self.boards.description}"
        if not self.has_numbers and board.n_values > MAX_SYMBOLS:
            return f"has one symbol per cell, up to {MAX_SYMBOLS} values"
        return None


TEXT_FORMATS = Table(
    {
        "line": TextFormat("one symbol per cell, one puzzle per line; . is a blank, A is 10", "plain", ("line",)),
        "grid": TextFormat(
            "for reading: with borders between boxes, and the layers of a cube one below the other",
            "plain",
            ("grid", "layers"),
            has_numbers=True,
        ),
        "sdk": TextFormat(
            "SudoCue and SadMan: nine lines of nine, . is a blank (9x9 only)", "plain", ("grid",), ONLY_9X9
        ),
        "sdm": TextFormat(
            "SudoCue collection: 81 digits on one line, 0 is a blank (9x9 only)", "plain", ("line",), ONLY_9X9
        ),
        "ss": TextFormat("Simple Sudoku: nine lines of nine with borders (9x9 only)", "plain", ("grid",), ONLY_9X9),
        "opensudoku": TextFormat(
            "OpenSudoku XML (plain 9x9 only)", "opensudoku", ("line",), PLAIN_9X9, begins=OPENSUDOKU, is_document=True
        ),
        "sukaku": TextFormat(
            "n symbols per cell, all on one line: each value that the cell may hold, or . (2D only)",
            "candidates",
            ("sukaku",),
            SQUARES,
            holds_pencilmarks=True,
        ),
        "hodoku": TextFormat(
            "HoDoKu library: givens, + before placed digits, and deleted candidates on one line (9x9 only)",
            "hodoku",
            ("line",),
            ONLY_9X9,
            holds_pencilmarks=True,
            begins=HODOKU,
        ),
        "pencilmarks": TextFormat(
            "HoDoKu and forums: a grid with borders that lists the candidates of each cell (9x9 only)",
            "candidates",
            ("grid",),
            ONLY_9X9,
            holds_pencilmarks=True,
            begins=PENCILMARKS,
        ),
        "sdx": TextFormat(
            "SudoCue progress: nine lines of nine cells with their candidates; u before a placed digit (9x9 only)",
            "candidates",
            ("grid",),
            ONLY_9X9,
            holds_pencilmarks=True,
            begins=SDX,
        ),
        "killer": TextFormat(
            "killer cages: 3x3::k: and for each cell 256 times the sum of its cage, plus the number of the cage (9x9 "
            "only)",
            "killer_cages",
            ("line",),
            KILLER_9X9,
            holds_constraints=("cage",),
            begins=KILLER,
        ),
        "snarfable": TextFormat(
            "killer cages on 81 symbols: the sum in one cell, A is 10, and < > ^ v from the others (plain 9x9 only)",
            "killer_cages",
            ("line",),
            SNARFABLE_9X9,
            holds_constraints=("cage",),
            begins=SNARFABLE,
        ),
        "sumocue": TextFormat(
            "SumoCue: killer cages; for each cell = and the sum, or + and the first cell, and J and a jigsaw's "
            "region (9x9 only)",
            "killer_cages",
            ("line",),
            SUMO_9X9,
            holds_constraints=("cage",),
            begins=SUMOCUE,
        ),
        "solo": TextFormat(
            "game IDs of Simon Tatham's Solo: 3x3, 3x3x (diagonals), 9j (jigsaw), 3x3k (cages), a colon and the puzzle",
            "solo",
            ("line",),
            SOLO_BOARDS,
            holds_constraints=("cage", "diagonal"),
            begins=SOLO,
        ),
        "numbers": TextFormat(
            "decimal numbers separated by spaces, one row per line, 0 is a blank (any size)",
            "plain",
            ("grid", "layers"),
            has_numbers=True,
        ),
        "csv": TextFormat(
            "decimal numbers separated by commas, one puzzle per line, 0 is a blank (any size)",
            "plain",
            ("line",),
            has_numbers=True,
        ),
        "layers": TextFormat(
            "one line per x and y, digits along z, a blank line between layers (cubes and surfaces only)",
            "plain",
            ("layers",),
            LAYERED,
        ),
        "table": TextFormat(
            "the table of Jana et al. 2023: one line per x, one group per y, digits along z (cubes only)",
            "plain",
            ("table",),
            CUBES,
        ),
        "f-puzzles": TextFormat(
            "JSON of f-puzzles.com, one object per line, with the constraints of the site (2D only)",
            "f_puzzles",
            (),
            F_PUZZLES,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_names=True,
            holds_constraints=True,
            begins=F_PUZZLES_JSON,
            is_document=True,
        ),
        "f-puzzles-link": TextFormat(
            "links of f-puzzles.com, one per line; SudokuPad opens them too (2D only)",
            "f_puzzles",
            (),
            F_PUZZLES,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_names=True,
            holds_constraints=True,
            begins=F_PUZZLES_LINK,
            is_document=True,
        ),
        "sudokupad": TextFormat(
            "JSON of SudokuPad, one object per line, with givens, regions and cages (2D only)",
            "sudokupad",
            (),
            SUDOKUPAD,
            has_numbers=True,
            holds_names=True,
            holds_constraints=True,
            begins=SUDOKUPAD_TEXT,
            is_document=True,
        ),
        "sudokupad-link": TextFormat(
            "links of SudokuPad (scl), one per line, with givens, regions and cages (2D only)",
            "sudokupad",
            (),
            SUDOKUPAD,
            has_numbers=True,
            holds_constraints=True,
            begins=SUDOKUPAD_LINK,
            is_document=True,
        ),
        "json": TextFormat(
            "an object with board, rules, givens, pencilmarks, constraints and name (any board)",
            "json",
            (),
            has_numbers=True,
            holds_pencilmarks=True,
            holds_names=True,
            holds_constraints=True,
            begins=JSON,
            is_document=True,
        ),
        "iss": TextFormat(
            "strings of Interactive Sudoku Solver, one per line: .Type~argument~R1C1~R1C2... (2D up to 16x16)",
            "iss",
            (),
            ISS_BOARDS,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_names=True,
            holds_constraints=True,
            begins=ISS,
            is_document=True,
        ),
        "iss-link": TextFormat(
            "links of Interactive Sudoku Solver, one per line (2D up to 16x16)",
            "iss",
            (),
            ISS_BOARDS,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_constraints=True,
            begins=ISS_LINK,
            is_document=True,
        ),
        "puzzlink": TextFormat(
            "links of puzz.link, p?sudoku/9/9/ and the cells, one per line (plain 6x6 and squares of 4, 9, 16, ...)",
            "links",
            (),
            PUZZLINK_BOARDS,
            has_numbers=True,
            begins=PUZZLINK,
            is_document=True,
        ),
        "sudokuwiki-link": TextFormat(
            "links of sudokuwiki.org, ?bd= and 81 digits, one per line; other sites' are read too (plain 9x9 only)",
            "links",
            (),
            SNARFABLE_9X9,
            begins=LINK,
            is_document=True,
        ),
    }
)
"""The text formats for puzzles, by the name that `write` takes.

>>> from sudoku_encode import board
>>> TEXT_FORMATS["sdk"].unsupported_reason(board("4x4"))
'is for 9x9 boards'
"""

GRID_FILES: Mapping[str, str] = {
    "txt": "text, one grid per line",
    "txt.zst": "the same, compressed with Zstandard",
    "parquet": "a table with the columns puzzle and solution, for DuckDB, polars, pandas and others",
}
"""The forms of files with many solutions of one puzzle; `grid_files` writes and reads them."""
DEFAULT_FORM = "txt.zst"
"""The default of these, if the package that compresses it is installed."""


def text_format(name: str) -> TextFormat:
    """Return the format of that name.

    Raises:
        FormatError: no format has this name.
    """
    if name not in TEXT_FORMATS:
        raise FormatError(f"no format is called {name!r}; known: {', '.join(TEXT_FORMATS)}")
    return TEXT_FORMATS[name]
