"""The tables of this room: the text formats for puzzles, and the alphabets of their symbols.

A format is a row here and the module `text/NAME.py`, with _ for -, with these functions:

- `write(puzzle)` returns one puzzle as text, without a newline at the end.
- `read(text, setting)` yields entries: puzzles, or a FormatError in the place of one. Only where the row has `begins`;
  else `layouts` is enough to read the text.
- `write_all(puzzles)` yields pieces of text that together are a file. Only where the row has `is_document`.

The command line reads these tables for `--help`, so they import nothing that takes time to load.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.table import Table, brief

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry

_DIGITS, _UPPER, _LOWER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
DEFAULT_ALPHABET = "1-G"
# The symbols for 1, 2, 3, ... under each name, which says what stands for 1 and for 16.
ALPHABETS: Mapping[str, str] = {
    DEFAULT_ALPHABET: _DIGITS[1:] + _UPPER + _LOWER,
    "0-F": _DIGITS + _UPPER + _LOWER,
    "A-P": _UPPER + _LOWER,
}
MAX_SYMBOLS = len(ALPHABETS[DEFAULT_ALPHABET])


class BoardKind(NamedTuple):
    """The boards that a format can hold.

    Attributes:
        description: which they are, for errors.
        includes: whether a board is one of them.
        default: the name of the board that a text in the format has when nothing else says which; None if that is left
            to the number of its symbols.
    """

    description: str
    includes: Callable[["Geometry"], bool]
    default: str | None = None


def _is_plain_9x9(board: "Geometry") -> bool:
    return (board.name, board.rule_names) == ("9x9", ("row", "column", "box"))


def _is_f_puzzles(board: "Geometry") -> bool:
    """Say whether f-puzzles has a board: a square with all its rules, with regions, or with lines alone."""
    n, rules = board.n_values, board.rule_names
    if len(board.shape) != 2 or rules[:2] != ("row", "column"):
        return False
    # A board whose side is prime has no boxes.
    lines_alone = board.name.startswith("latin:") or all(n % side for side in range(2, n))
    diagonals = ("diagonal", "antidiagonal")
    return rules[2:] in (("box",), ("region",), ("box", *diagonals)) or (lines_alone and rules[2:] in ((), diagonals))


def _is_sudokupad(board: "Geometry") -> bool:
    """Say whether SudokuPad has a board: a square with regions, or a Latin square."""
    rules = board.rule_names
    return len(board.shape) == 2 and (
        rules in (("row", "column", "box"), ("row", "column", "region"))
        or (rules == ("row", "column") and board.name.startswith("latin:"))
    )


ANY = BoardKind("any board", lambda board: True)
SQUARES = BoardKind("2D boards", lambda board: len(board.shape) == 2)
CUBES = BoardKind("cubes", lambda board: board.is_cube)
LAYERED = BoardKind("cubes and surfaces", lambda board: len(board.shape) == 3)
ONLY_9X9 = BoardKind("9x9 boards", lambda board: board.shape == (9, 9), default="9x9")
F_PUZZLES = BoardKind("2D boards with all their rules, but for windoku", _is_f_puzzles)
SUDOKUPAD = BoardKind("2D boards with boxes or regions, and Latin squares", _is_sudokupad)
PLAIN_9X9 = BoardKind("the plain 9x9 board with all its rules", _is_plain_9x9, default="9x9")


class Beginning(NamedTuple):
    """What a text begins with.

    Attributes:
        pattern: a regular expression for it, after any white space.
        missing: what is wrong with a text that does not begin so, for errors.
    """

    pattern: str
    missing: str


_NO_DOCUMENT = "it starts with neither { nor [ nor <"
XML = Beginning("<", _NO_DOCUMENT)
# A list of lists, objects or numbers; [Puzzle] is a heading in files of SadMan.
JSON = Beginning(r'\{|\[\s*(?:null\b|[\[\]{"\d-])', _NO_DOCUMENT)
_COMMENTS = r"(?:#[^\n]*\n\s*)*"
# No string of JSON holds these characters, since quotes in it are escaped.
F_PUZZLES_JSON = Beginning(rf'{_COMMENTS}[\[{{](?s:.*?)"grid"\s*:\s*\[', 'it has no object with "grid"')
_F_PUZZLES_LETTERS = r"(?:(?:https?://)?\S*[?&]load=|(?:https?://\S*)?fpuz|N4Ig)\S{40}"
F_PUZZLES_LINK = Beginning(_COMMENTS + _F_PUZZLES_LETTERS, "it has no link that holds a puzzle")
_SUDOKUPAD_LETTERS = r"(?:https?://\S*[/=])?(?:scl|ctc)\S{40}"
SUDOKUPAD_TEXT = Beginning(
    rf'{_COMMENTS}(?:[\[{{](?s:.*?)"cells"\s*:\s*\[\s*\[|{_SUDOKUPAD_LETTERS})',
    'it has no object with "cells", and no link that holds a puzzle',
)


class TextFormat(NamedTuple):
    """What is to be known of a text format besides the code that writes it.

    Attributes:
        summary: one line for people.
        layouts: the kinds of `layout.Layout` that its rows, or the data in a document, may have.
        boards: those that it can hold.
        has_numbers: whether cells are decimal numbers; else they are single symbols, and an alphabet says which.
        holds_pencilmarks: whether it says what each blank may hold.
        begins: how a text is known to be in the format, where the format's module reads it; else None.
        holds_constraints: whether it says what constraints there are by itself; others do by lines `# constraint:`.
        is_document: whether a file is one whole, such as a list in JSON, so that no line `# board: NAME` can stand
            between puzzles.
    """

    summary: str
    layouts: tuple[str, ...]
    boards: BoardKind = ANY
    has_numbers: bool = False
    holds_pencilmarks: bool = False
    holds_constraints: bool = False
    begins: Beginning | None = None
    is_document: bool = False

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)

    @property
    def is_one_line(self) -> bool:
        """Whether each puzzle is one line of the file. Otherwise a blank line goes between puzzles."""
        return not self.is_document and set(self.layouts) <= {"line", "sukaku"}

    def unsupported_reason(self, board: "Geometry") -> str | None:
        """Say what keeps the format from holding a board, as the end of a sentence, or return None."""
        if not self.boards.includes(board):
            return f"is for {self.boards.description}"
        if not self.has_numbers and board.n_values > MAX_SYMBOLS:
            return f"has one symbol a cell, up to {MAX_SYMBOLS} values"
        return None


TEXT_FORMATS = Table(
    {
        "line": TextFormat("one symbol a cell on one line, a puzzle a line; . is a blank, A is 10", ("line",)),
        "grid": TextFormat(
            "for people: borders at the boxes, the layers of a cube one below the other",
            ("grid", "layers"),
            has_numbers=True,
        ),
        "sdk": TextFormat("SudoCue and SadMan: nine lines of nine, . is a blank (9x9 only)", ("grid",), ONLY_9X9),
        "sdm": TextFormat("SudoCue collection: 81 digits on one line, 0 is a blank (9x9 only)", ("line",), ONLY_9X9),
        "ss": TextFormat("Simple Sudoku: nine lines of nine with borders (9x9 only)", ("grid",), ONLY_9X9),
        "opensudoku": TextFormat("OpenSudoku XML (plain 9x9 only)", ("line",), PLAIN_9X9, begins=XML, is_document=True),
        "sukaku": TextFormat(
            "n symbols a cell on one line: each value that it may hold, or . (2D only)",
            ("sukaku",),
            SQUARES,
            holds_pencilmarks=True,
        ),
        "numbers": TextFormat(
            "decimal numbers separated by spaces, a row a line, 0 is a blank (any size)",
            ("grid", "layers"),
            has_numbers=True,
        ),
        "csv": TextFormat(
            "decimal numbers separated by commas, a puzzle a line, 0 is a blank (any size)", ("line",), has_numbers=True
        ),
        "layers": TextFormat(
            "a line per x and y, digits along z, a blank line between the layers (cubes and surfaces only)",
            ("layers",),
            LAYERED,
        ),
        "table": TextFormat(
            "the table of Jana et al. 2023: a line per x, a group per y, digits along z (cubes only)", ("table",), CUBES
        ),
        "f-puzzles": TextFormat(
            "JSON as f-puzzles.com has it, an object a line, with the constraints of the site (2D only)",
            (),
            F_PUZZLES,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_constraints=True,
            begins=F_PUZZLES_JSON,
            is_document=True,
        ),
        "f-puzzles-link": TextFormat(
            "links of f-puzzles.com, a puzzle a line; SudokuPad opens them too (2D only)",
            (),
            F_PUZZLES,
            has_numbers=True,
            holds_pencilmarks=True,
            holds_constraints=True,
            begins=F_PUZZLES_LINK,
            is_document=True,
        ),
        "sudokupad": TextFormat(
            "JSON as SudokuPad has it, an object a line, with givens, regions and cages (2D only)",
            (),
            SUDOKUPAD,
            has_numbers=True,
            holds_constraints=True,
            begins=SUDOKUPAD_TEXT,
            is_document=True,
        ),
        "json": TextFormat(
            "an object with board, rules, givens, pencilmarks, constraints and name (any board)",
            (),
            has_numbers=True,
            holds_pencilmarks=True,
            holds_constraints=True,
            begins=JSON,
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
    "txt": "text, a grid a line",
    "txt.zst": "the same, packed by Zstandard",
    "parquet": "a table with the columns puzzle and solution, for DuckDB, polars, pandas and others",
}
"""The forms of files with many solutions of one puzzle; `grid_files` writes and reads them."""


def text_format(name: str) -> TextFormat:
    """Return the format of that name.

    Raises:
        FormatError: there is none.
    """
    if name not in TEXT_FORMATS:
        raise FormatError(f"no format is called {name!r}; known: {', '.join(TEXT_FORMATS)}")
    return TEXT_FORMATS[name]


def implementation(name: str) -> ModuleType:
    """Return the module of a format."""
    return import_module(f"sudoku_encode.formats.text.{name.replace('-', '_')}")
