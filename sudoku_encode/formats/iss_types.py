"""The types of ISS strings: tables that reading and writing share, and names of cells and lines.

An ISS string is the form in which Interactive Sudoku Solver stores a puzzle: `.Type~argument~R1C1~R1C2`, one after
another. Most
types are a kind of constraint under another name; the others are in `iss_constraints` and `iss_writing`.

Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: the types, and the order of their arguments.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase, digits

from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import Geometry

# A cell name has one symbol per coordinate, and there are values up to 16.
MAX_SIDE = 16
SYMBOLS = digits + ascii_lowercase
_CELL = re.compile(r"R([0-9a-z])C([0-9a-z])", re.IGNORECASE | re.ASCII)
_LINE = re.compile(r"([RC])(\d{1,2})", re.ASCII)

_ROWS = [(kind.name, row) for kind in CONSTRAINTS.values() for row in kind.iss]
# No arguments: the constraints that a type stands for.
FLAGS: dict[str, tuple[Constraint, ...]] = {}
for _name, _row in _ROWS:
    if _row.form == "flag":
        FLAGS[_row.type] = (*FLAGS.get(_row.type, ()), Constraint(_name, (), _row.numbers))
# A row or column and a clue at each of its ends.
OUTSIDE: Mapping[str, str] = {row.type: name for name, row in _ROWS if row.form == "outside"}
# A table of pairs and cells: for adjacent cells of the line (False), or for all pairs (True).
TABLES: Mapping[str, bool] = {"Pair": False, "PairX": True, "Binary": False, "BinaryX": True}
# Types about the cells and their candidates. SearchPriority is about how that program searches, not a rule.
ABOUT_BOARDS = ("", "Shape", "Jigsaw", "NoBoxes", "RegionSize", "RegionSameValues", "SearchPriority")
# The cells that these leave out depend on the other constraints of the puzzle.
ABOUT_OTHERS = ("StrictKropki", "StrictXV", "AntiConsecutive")
# At least one part of an Or holds, all parts of an And; each has an End.
GROUPS = ("Or", "And", "End")
UNSUPPORTED = (
    "Var",
    "ChaosConstruction",
    "ChaosArrow",
    "ChaosCount",
    "FullRank",
    "FullRankTies",
    "Doppelganger",
    "ConnectedValues",
)

_BITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def place_of(name: str) -> tuple[int, int] | None:
    """Return the row and column of a cell from 0, by its name; None if the name is not that of a cell."""
    match = _CELL.fullmatch(name.lower())
    row, column = (SYMBOLS.index(symbol) - 1 for symbol in match.groups()) if match else (-1, -1)
    return (row, column) if row >= 0 and column >= 0 else None


def is_cell(name: str) -> bool:
    """Check whether a word is the name of a cell, on some board."""
    return place_of(name) is not None


def cell_of(board: Geometry, name: str) -> int:
    """Return the number of a cell.

    Raises:
        FormatError: the board has no cell of that name.
    """
    return _cell_on(board.shape, name)


@lru_cache(maxsize=4096)
def _cell_on(shape: tuple[int, ...], name: str) -> int:
    """Return the number of a cell on a board of a shape."""
    rows, columns = shape
    if (place := place_of(name)) and place[0] < rows and place[1] < columns:
        return place[0] * columns + place[1]
    if name == "LOOP":
        raise FormatError("only a SumLine may be a LOOP, a line that ends where it begins")
    raise FormatError(f"{short(name, 20)!r} is not a cell; they are R1C1 to R{SYMBOLS[rows]}C{SYMBOLS[columns]}")


def cell_name(board: Geometry, cell: int) -> str:
    """Return the name of a cell."""
    row, column = divmod(cell, board.shape[1])
    return f"R{SYMBOLS[row + 1]}C{SYMBOLS[column + 1]}"


def cells_of(board: Geometry, names: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of some cells; raises as `cell_of`."""
    shape = board.shape
    return tuple([_cell_on(shape, name) for name in names])


@lru_cache(maxsize=1024)
def number_of(text: str) -> int:
    """Return the number that a text stands for.

    Raises:
        FormatError: the text is not a number.
    """
    if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
        raise FormatError(f"{short(text, 20)!r} where there should be a number")
    return int(text)


def line_of(board: Geometry, name: str) -> tuple[int, ...]:
    """Return the cells of a row such as R4, or a column such as C4.

    Raises:
        FormatError: the board has no row or column of that name.
    """
    rows, columns = board.shape
    if match := _LINE.fullmatch(name):
        number = int(match[2]) - 1
        if 0 <= number < (rows if match[1] == "R" else columns):
            cells = (
                range(number * columns, (number + 1) * columns)
                if match[1] == "R"
                else range(number, rows * columns, columns)
            )
            return tuple(cells)
    raise FormatError(f"{short(name, 20)!r} is not a row or column; they are R1 to R{rows}, and C1 to C{columns}")


def lines(board: Geometry) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield all rows and columns with their names."""
    rows, columns = board.shape
    for name in (*(f"R{at + 1}" for at in range(rows)), *(f"C{at + 1}" for at in range(columns))):
        yield name, line_of(board, name)


def diagonal_from(board: Geometry, cell: int) -> tuple[int, ...]:
    """Return the diagonal whose clue is at a cell of the border, empty for other cells.

    From the left side it goes down, from the top left and down, from the right side up, from the bottom right and up:
    each diagonal of at least two cells has one first cell.
    """
    rows, columns = board.shape
    row, column = divmod(cell, columns)
    if column == 0 and row < rows - 1:
        down, right = 1, 1
    elif row == 0:
        down, right = 1, -1
    elif column == columns - 1 and row < rows - 1:
        down, right = -1, -1
    elif row == rows - 1 and 0 < column < columns - 1:
        down, right = -1, 1
    else:
        return ()
    cells = []
    while 0 <= row < rows and 0 <= column < columns:
        cells.append(row * columns + column)
        row, column = row + down, column + right
    return tuple(cells) if len(cells) > 1 else ()


def bits_of(key: str) -> list[int]:
    """Return the bits of a text in base 64, the lowest of each symbol first.

    Raises:
        FormatError: it has other symbols.
    """
    if not set(key) <= set(_BITS):
        raise FormatError(f"{short(key, 20)!r} is not in base 64")
    return [_BITS.index(symbol) >> at & 1 for symbol in key for at in range(6)]


def table_of(key: str, n: int) -> tuple[tuple[bool, ...], ...]:
    """Return for each value of a cell, from 1, and then of another, whether the pair is in a table.

    Raises:
        FormatError: it is not a table.
    """
    if len(key) > n * n // 6 + 1:
        raise FormatError(f"{short(key, 20)!r} is not a table of {n}x{n} pairs in base 64")
    bits = [*bits_of(key), *[0] * (n * n)]
    return tuple(tuple(bool(bit) for bit in bits[row * n : (row + 1) * n]) for row in range(n))


def table_key(table: Sequence[Sequence[bool]]) -> str:
    """Return the text of a table of pairs, as `table_of` reads it."""
    bits = [bit for row in table for bit in row]
    groups = [bits[at : at + 6] for at in range(0, len(bits), 6)]
    return "".join(_BITS[sum(bit << at for at, bit in enumerate(group))] for group in groups).rstrip("A")
