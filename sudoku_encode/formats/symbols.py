"""Symbols and values: what one character, or one number, says about a cell.

A symbol stands for its place in the alphabet, counted from 1. Upper and lower case are the same on boards whose values
all fit before the lower case letters. Each of `BLANKS` is a blank unless the alphabet has it as a value; on boards up
to 9x9 so is X, as Simple Sudoku writes it.
"""

from collections.abc import Sequence
from functools import lru_cache
from string import digits

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET, MAX_SYMBOLS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

BLANKS = ".0*_-?"

# The longest number, and the longest blank among numbers, such as `..`.
MAX_DIGITS = 3

# Stands for a symbol that is no value; above every value, as boards have at most 100.
UNKNOWN = 255


@lru_cache
def _codes(n: int, alphabet: str) -> bytes:
    """For each byte its value, which may be too large for a board of n values, 0 for a blank, or UNKNOWN."""
    codes = bytearray([UNKNOWN]) * 256
    for blank in BLANKS + ("xX" if n <= 9 else ""):
        codes[ord(blank)] = 0
    symbols = ALPHABETS[alphabet]
    any_case = n <= symbols.index("a")
    for value, symbol in enumerate(symbols, 1):
        if value > n and codes[ord(symbol)] == 0:
            continue  # X is a blank there
        if any_case and symbol.islower():
            break
        codes[ord(symbol)] = value
        if any_case:
            codes[ord(symbol.lower())] = value
    return bytes(codes)


def unpack(symbols: str, n: int, alphabet: str | None) -> Grids:
    """Return one code per symbol: a value, 0 for a blank, or a code above n for what is no value of the board."""
    if not symbols.isascii():
        symbols = "".join(symbol if symbol.isascii() else "\0" for symbol in symbols)
    coded = symbols.encode("ascii").translate(_codes(n, alphabet or DEFAULT_ALPHABET))
    return np.frombuffer(bytearray(coded), np.uint8)


def pack(values: Sequence[int] | Grids, n: int, blank: str = ".") -> str:
    """Return one symbol of the default alphabet per value.

    Raises:
        FormatError: the board has more values than there are symbols.
    """
    if n > MAX_SYMBOLS:
        raise FormatError(f"one symbol a cell goes up to {MAX_SYMBOLS} values, not {n}; write numbers, csv or json")
    table = bytes(blank + ALPHABETS[DEFAULT_ALPHABET], "ascii").ljust(256, b"?")
    return np.asarray(values).astype(np.uint8).tobytes().translate(table).decode("ascii")


def framed_rows(puzzle: Puzzle, blank: str, outside: str) -> list[list[str]]:
    """Return the givens of boards that overlap as numbers, in the rows of the rectangle around all of them.

    Args:
        puzzle: on such boards.
        blank: what stands for a blank.
        outside: what stands where there is no cell.
    """
    rows, columns = puzzle.geometry.frame
    found = [[outside] * columns for _ in range(rows)]
    for (row, column), value in zip(puzzle.geometry.places, puzzle.givens.tolist(), strict=True):
        found[row][column] = str(value or blank)
    return found


def packed_rows(puzzle: Puzzle) -> list[str]:
    """Return the givens of a puzzle in rows of symbols."""
    width = puzzle.geometry.shape[-1]
    symbols = pack(puzzle.givens, puzzle.geometry.n_values)
    return [symbols[start : start + width] for start in range(0, len(symbols), width)]


def number(token: str, n: int) -> int:
    """Return the value that a token of a line of separated numbers stands for, 0 for a blank, else UNKNOWN."""
    if len(token) <= MAX_DIGITS and not token.strip(BLANKS):
        return 0
    known = len(token) <= MAX_DIGITS and token.isascii() and token.isdigit() and int(token) <= n
    return int(token) if known else UNKNOWN


def doubt(symbols: str, n: int) -> str | None:
    """Say why symbols that come without an alphabet may mean two things, or return None."""
    if n <= 9:
        return None
    present = set(symbols.upper() if n <= 35 else symbols)
    ways_out = "say which with --alphabet 1-G, 0-F or A-P, or write numbers separated by spaces"
    if "0" in present and present & set(BLANKS[0] + BLANKS[2:]):
        return f"0 may be a blank or a value, since there is another symbol for blanks; {ways_out}"
    highest = ALPHABETS[DEFAULT_ALPHABET][n - 1 : n]
    # A full grid that counts from 0 has no blank, and every value, 0 too, once in each of n units.
    if 0 < symbols.count("0") <= len(symbols) // n and highest not in present:
        return f"0 may be a blank or a value, since no {highest or n} is here and 0 is rare; {ways_out}"
    if any(symbol.isalpha() for symbol in present) and not present & set(digits[1:]):
        return f"letters without any digit: A may be 1 or 10; {ways_out}"
    return None


def explain(symbol: str, n: int, name: str, alphabet: str | None, separated: bool) -> str:
    """Say what is wrong with a symbol or number that is no value of the board."""
    shown = repr(symbol if len(symbol) <= 20 else symbol[:17] + "...")
    if separated:
        what = "is too large" if symbol.isdigit() else "is neither a number nor a blank"
        return f"{shown} {what}; values on {name} go from 1 to {n}, and 0 or . is a blank"
    symbols = ALPHABETS[alphabet or DEFAULT_ALPHABET]
    blanks = " ".join(blank for blank in BLANKS if blank not in symbols[:n])
    at = symbols.find(symbol.upper() if n <= symbols.index("a") else symbol)
    strange = at < 0 or (n <= 9 and alphabet is None and symbol.isalpha())
    what = (
        "is no symbol of a puzzle" if strange else "is too large" if symbol == str(at + 1) else f"stands for {at + 1}"
    )
    return f"{shown} {what}; values on {name} go from {symbols[0]} to {symbols[n - 1 : n] or n}, a blank is {blanks}"
