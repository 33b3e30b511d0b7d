"""Jigsaws as plain text: the grid and then the region of each cell, on one line, as ISS reads them.

Values are digits up to 9x9, and letters from A for 1 on larger boards.
"""

import re
from string import ascii_uppercase, digits

from sudoku_encode.errors import FormatError, plural

_LINE = re.compile(r"[0-9A-Za-z.*_-]+", re.ASCII)


def string_of(line: str) -> str:
    """Return the ISS string of a jigsaw; another line as it is.

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
    return f".Shape~{n}x{n}.NoBoxes.Jigsaw~{regions}.{'~'.join(['', *givens])}"
