"""HoDoKu library: `:TECHNIQUE:CANDIDATES:GRID:DELETED:ELIMINATIONS:EXTRA`, a puzzle and how far it is solved on a line.

In the grid `+` comes before a digit that was placed, not given. Both are read as givens, since the candidates are those
that remain once it is placed. DELETED lists the candidates that were removed, besides those that a digit in the same
row, column or box excludes: `314` is 3 in row 1, column 4. ELIMINATIONS are the next step; they are not applied.
"""

import re
from collections.abc import Iterator

import numpy as np

from sudoku_encode.errors import FormatError, plural, short
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.format_features import ONLY_9X9
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.symbols import pack
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.formats.text.candidates import placed_remark
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

_LINE = re.compile(r"\s*:[\d-]*x?:[1-9x]*:([^:]*)(?::([^:]*)(?::[^:]*){0,3})?", re.ASCII)
_FORM = ":0000:x:GRID:DELETED::"


def write_hodoku(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    allowed = _without_peers(puzzle.geometry, puzzle.givens)
    cells, values = np.nonzero(allowed & ~puzzle.candidates & (puzzle.givens == 0)[:, None])
    deleted = sorted(zip((cells // 9 + 1).tolist(), (cells % 9 + 1).tolist(), (values + 1).tolist(), strict=True))
    removed = " ".join(f"{value}{row}{column}" for row, column, value in deleted)
    return f":0000:x:{pack(puzzle.givens, puzzle.geometry)}:{removed}::"


def read_hodoku(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _puzzle, _remarks)


def _remarks(row: Row) -> Iterator[str]:
    """Yield remarks on parts of a line that are read as something else, or not at all."""
    _, _, _, grid, _, *rest = [*row.text.split(":"), ""]
    if placed := grid.count("+"):
        yield placed_remark(placed)
    if eliminations := (rest[0].split() if rest else []):
        number = len(eliminations)
        yield f"{number} {plural('elimination', number)} of the technique {'is' if number == 1 else 'are'} not applied"


def _without_peers(board: Geometry, givens: Grids) -> Candidates:
    """Return for each cell the values that no given of a peer excludes."""
    allowed = np.ones((board.n_cells, board.n_values), bool)
    for first, second in (board.edges.T, board.edges.T[::-1]):
        given = givens[first] > 0
        allowed[second[given], givens[first][given] - 1] = False
    return allowed


def _puzzle(row: Row, setting: Setting) -> Puzzle:
    match = _LINE.fullmatch(row.text.rstrip())
    if not match:
        raise FormatError(f"not a line of a HoDoKu library: {short(row.text.strip(), 30)!r}; write {_FORM}")
    board = setting.known_board() or setting.named_board("9x9")
    if not ONLY_9X9.includes(board):
        raise FormatError(f"a HoDoKu library contains {ONLY_9X9.description}, not {board.name}")
    if wrong := re.search(r"[^+.\d]|\+(?![1-9])", match[1], re.ASCII):
        message = f"{wrong[0]!r} in the grid; it has digits, + before placed ones, and . for a blank"
        raise FormatError(message, column=match.start(1) + wrong.start() + 1)
    # A value is at most once in each row.
    if "." in match[1] and 0 < match[1].count("0") <= 9 and "9" not in match[1]:
        raise FormatError("0 may be a blank or a value, since . is a blank too, and no 9; write . for each blank")
    symbols = match[1].replace("+", "").replace(".", "0")
    if len(symbols) != 81:
        raise FormatError(f"{len(symbols)} cells in the grid of a line that has 81: {_FORM}")
    givens = np.array([int(symbol) for symbol in symbols], np.uint8)
    marks, has_deleted = _without_peers(board, givens), False
    for candidate in re.finditer(r"\S+", match[2] or ""):
        if not re.fullmatch("[1-9]{3}", candidate[0], re.ASCII):
            message = f"{short(candidate[0], 20)!r} among the deleted candidates; write 314 for 3 in row 1, column 4"
            raise FormatError(message, column=match.start(2) + candidate.start() + 1)
        value, row_number, column_number = map(int, candidate[0])
        marks[9 * (row_number - 1) + column_number - 1, value - 1], has_deleted = False, True
    allowed = Puzzle(board, givens, marks).candidates if has_deleted else None
    return Puzzle.of(board, givens, allowed, constraints=setting.constraints_on(board))


FORMATS = {"hodoku": FormatFunctions(write_hodoku, read_hodoku)}
