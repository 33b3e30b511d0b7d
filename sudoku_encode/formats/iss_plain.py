"""Jigsaws as plain text: the grid and then the region of each cell, on one line, as ISS reads them.

Values are digits up to 9x9, and letters from A for 1 on larger boards. A second half that solves the board with boxes
is not a map, but the solution of the first.
"""

import re
from string import ascii_uppercase, digits

from sudoku_encode.errors import FormatError, plural
from sudoku_encode.formats.f_puzzles_board import default_regions
from sudoku_encode.formats.region_maps import SIDES

_LINE = re.compile(r"[0-9A-Za-z.*_-]+", re.ASCII)


def solution_of(line: str) -> str:
    """Return the second half of a line where it is a solution; an empty text where it is not."""
    halves = "".join(line.split())
    n = next((n for n in SIDES if 2 * n * n == len(halves)), 0)
    symbols = digits[1 : n + 1] if n < 10 else ascii_uppercase[:n]
    half = halves[n * n :]
    if not n or set(half) != set(symbols):
        return ""
    units = [half[start : start + n] for start in range(0, n * n, n)] + [half[start::n] for start in range(n)]
    boxes = default_regions(n)
    units += ["".join(half[cell] for cell in range(n * n) if boxes[cell] == box) for box in range(n)]
    return half if all(len(set(unit)) == n for unit in units) else ""


def string_of(line: str) -> str:
    """Return the ISS string of a jigsaw, or of a grid with its solution; another line as it is.

    Raises:
        FormatError: it is no jigsaw, though it is as long as one.
    """
    halves = "".join(line.split())
    n = next((n for n in range(4, 17) if 2 * n * n == len(halves)), 0)
    if not n or not _LINE.fullmatch(halves):
        return line
    grid, regions = halves[: n * n], halves[n * n :]
    if sorted({regions.count(symbol) for symbol in regions}) != [n]:
        raise FormatError(f"the second half of these {2 * n * n} symbols is not {n} regions of {n} cells")
    symbols = digits[1 : n + 1] if n < 10 else ascii_uppercase[:n]
    blanks = sorted({symbol for symbol in grid if symbol not in symbols})
    if len(blanks) > 1:
        raise FormatError(
            f"{' and '.join(blanks)} are {len(blanks)} {plural('symbol', len(blanks))} for a blank; values of {n}x{n} "
            f"are {symbols[0]} to {symbols[-1]}"
        )
    names = digits + ascii_uppercase
    givens = [
        f"R{names[cell // n + 1]}C{names[cell % n + 1]}_{symbols.index(symbol) + 1}"
        for cell, symbol in enumerate(grid)
        if symbol in symbols
    ]
    board = f".Shape~{n}x{n}." if solution_of(line) else f".Shape~{n}x{n}.NoBoxes.Jigsaw~{regions}."
    return f"{board}{'~'.join(['', *givens])}"
