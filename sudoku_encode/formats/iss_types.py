"""The types of ISS strings: tables that reading and writing share, and names of cells and lines.

An ISS string is the form in which Interactive Sudoku Solver stores a puzzle: `.Type~argument~R1C1~R1C2`, one after
another. Most
types are a kind of constraint under another name; the others are in `iss_constraints` and `iss_writing`.

Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: the types, and the order of their arguments.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import prod
from string import ascii_lowercase, digits

from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import MAX_HIDDEN, Geometry
from sudoku_encode.puzzles.shapes import default_box

# A cell name has one symbol per coordinate, and there are values up to 16.
MAX_SIDE = 16
SYMBOLS = digits + ascii_lowercase
_CELL = re.compile(r"R([0-9a-z])C([0-9a-z])", re.IGNORECASE | re.ASCII)
# The sign before the number of a hidden cell, in place of the name that it has in a string: see `hidden_names`.
HIDDEN = "$"
_HIDDEN = re.compile(r"\$([1-9]\d{0,2})", re.ASCII)
_VAR_SIZE = re.compile(r"(?:([1-9]\d{0,2})x)?([1-9]\d{0,2})", re.ASCII)
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
ABOUT_BOARDS = ("", "Shape", "Jigsaw", "NoBoxes", "RegionSize", "RegionSameValues", "SearchPriority", "Var")
# The cells that these leave out depend on the other constraints of the puzzle.
ABOUT_OTHERS = ("StrictKropki", "StrictXV", "AntiConsecutive")
# Which rows and columns may be equal as numbers: the words for the numbers of `full-rank-ties`.
TIES = ("none", "only-unclued", "any")
# At least one part of an Or holds, all parts of an And; each has an End.
GROUPS = ("Or", "And", "End")
# They bring hidden cells with them, which other types may name.
WITH_HIDDEN_CELLS = ("Var", "ChaosConstruction", "Doppelganger")

_BITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def place_of(name: str) -> tuple[int, int] | None:
    """Return the row and column of a cell from 0, by its name; None if the name is not that of a cell."""
    match = _CELL.fullmatch(name.lower())
    row, column = (SYMBOLS.index(symbol) - 1 for symbol in match.groups()) if match else (-1, -1)
    return (row, column) if row >= 0 and column >= 0 else None


def is_cell(name: str) -> bool:
    """Check whether a word is the name of a cell, on some board."""
    return place_of(name) is not None


def is_hidden(name: str) -> bool:
    """Check whether a word is a hidden cell, as `hidden_names` gives it."""
    return _HIDDEN.fullmatch(name) is not None


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
    if match := _HIDDEN.fullmatch(name):
        return rows * columns + int(match[1]) - 1
    if (place := place_of(name)) and place[0] < rows and place[1] < columns:
        return place[0] * columns + place[1]
    if name == "LOOP":
        raise FormatError("only a SumLine may be a LOOP, a line that ends where it begins")
    raise FormatError(f"{short(name, 20)!r} is not a cell; they are R1C1 to R{SYMBOLS[rows]}C{SYMBOLS[columns]}")


def hidden_names(items: Sequence[tuple[str, Sequence[str]]], shape: tuple[int, ...]) -> dict[str, str]:
    """Return for each name of a hidden cell in a string the sign and its number, from 1.

    Args:
        items: types, each with its arguments: `Var~A~~2` stands for two cells, VA1 and VA2, and `Var~B` for VB.
        shape: of the board.

    Raises:
        FormatError: a group has an invalid name or size, or two groups have one name; there are too many cells.
    """
    names = hidden_cells_of([kind for kind, _ in items], shape)
    for kind, arguments in items:
        if kind != "Var":
            continue
        prefix, _, size, *_ = *arguments, "", "", ""
        match = _VAR_SIZE.fullmatch(size or "1")
        if not (prefix.isascii() and prefix.isalpha() and prefix.isupper() and match):
            raise FormatError(
                f"Var: {short('~'.join(arguments), 30)!r}; expected A~label~8, capital letters and a size"
            )
        count = int(match[1] or 1) * int(match[2])
        names += [f"V{prefix}{number}" for number in range(1, count + 1)] if count > 1 else [f"V{prefix}"]
    if len(names) > MAX_HIDDEN:
        raise FormatError(f"Var: {len(names)} cells; expected at most {MAX_HIDDEN}")
    by_name = {name: f"{HIDDEN}{number}" for number, name in enumerate(names, start=1)}
    if len(by_name) < len(names):
        raise FormatError("Var: two groups of cells have one name")
    return by_name


def hidden_cells_of(kinds: Sequence[str], shape: tuple[int, ...]) -> list[str]:
    """Return the names of the hidden cells that some types bring with them, in the order of their numbers."""
    names = [f"CC{number}" for number in range(1, prod(shape) + 1)] if "ChaosConstruction" in kinds else []
    if "Doppelganger" in kinds:
        for prefix, cells, _ in missing_values(shape):
            names += [f"{prefix}{number}" for number in range(1, len(cells) + 1)]
    return names


@lru_cache(maxsize=16)
def missing_values(shape: tuple[int, ...]) -> tuple[tuple[str, tuple[int, ...], int], ...]:
    """Return the hidden cells of a `Doppelganger`, of rows, columns and boxes: the prefix, the cells, the width.

    Those of columns are in a row there, above the columns, and have the letter of rows; and the other way round.
    """
    side = shape[0]
    first, box = prod(shape), default_box(side)
    widths = {"DGC": side, "DGR": side, **({"DGB": box[1]} if box else {})}
    return tuple(
        (prefix, tuple(range(first + number * side, first + (number + 1) * side)), width)
        for number, (prefix, width) in enumerate(widths.items())
    )


def hidden_neighbours(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of hidden cells that are side by side, smaller first."""
    for _, cells, width in missing_values(shape):
        for place, cell in enumerate(cells):
            if (place + 1) % width and place + 1 < len(cells):
                yield cell, cells[place + 1]
            if place + width < len(cells):
                yield cell, cells[place + width]


def cell_name(board: Geometry, cell: int) -> str:
    """Return the name of a cell; of a hidden one the sign and its number, until `text_of` gives it a name."""
    if cell >= board.n_grid:
        return f"{HIDDEN}{cell - board.n_grid + 1}"
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
