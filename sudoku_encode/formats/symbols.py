"""Symbols and values: the meaning of one character, or one number, for a cell.

A symbol stands for its place in the alphabet, counted from 1. Upper and lower case are the same unless the alphabet has
a letter in both. Each of `BLANKS` is a blank unless the alphabet has it as a value; on boards up to 9x9 so is X, as
Simple Sudoku writes it.

Where the values of a board begin at 0, that is not a blank. On other boards they may begin at 0 in a text: where 0
stands in no more cells than a value can, and the largest value nowhere, both readings fit, and a puzzle is refused
unless an alphabet says which is meant.
"""

import unicodedata
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from string import digits

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET, MAX_SYMBOLS, alphabet_names, alphabet_symbols
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

BLANKS = ".0*_-?"

# The longest number, and the longest blank among numbers, such as `..`.
MAX_DIGITS = 3

# On boards with more values a symbol may mean two things, and an alphabet must say which.
PLAIN_VALUES = 9

# Stands for a symbol that is not a value; above every value, as boards have at most 100.
UNKNOWN = 255

# The symbols that are read as those of ASCII.
_BLANK_SYMBOLS = "\u00b7\u2022\u22c5\u2219\u25e6\u25cb\u25a1\u25a2\u25fb\u2610\u30fb\uff0e\u3002\u2b1c\u25fd"
_VERTICAL = "\u2502\u2503\u2551\u2506\u2507\u250a\u250b\u254e\u254f\u2575\u2577\u2579\u257b\u257d\u257f\uff5c"
_HORIZONTAL = "\u2500\u2501\u2550\u2504\u2505\u2508\u2509\u254c\u254d\u2574\u2576\u2578\u257a\u257c\u257e"


@cache
def _plain_symbols() -> dict[int, str]:
    """Return the ASCII symbol for each other symbol of puzzles."""
    symbols = dict.fromkeys(range(0x2500, 0x2580), "+") | dict.fromkeys(map(ord, _BLANK_SYMBOLS), ".")
    symbols |= dict.fromkeys(map(ord, _VERTICAL), "|") | dict.fromkeys(map(ord, _HORIZONTAL), "-")
    # Wide symbols.
    symbols |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in _BLANK_SYMBOLS}
    symbols |= dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u3000"), " ") | {ord("\u2013"): "-"}
    # The marks that make a keycap of a digit.
    return symbols | dict.fromkeys((0xFE0E, 0xFE0F, 0x20E3), "")


def plain(text: str) -> str:
    """Return a text with the ASCII symbols for digits of other scripts, other blanks, and box-drawing characters.

    Each but keycaps is in its place, so that errors name the right column.

    >>> plain("\u0665\uff13\u00b7\u2502")
    '53.|'
    """
    if text.isascii():
        return text
    text = text.translate(_plain_symbols())
    return "".join(
        symbol if symbol.isascii() or unicodedata.category(symbol) != "Nd" else str(unicodedata.digit(symbol))
        for symbol in text
    )


@lru_cache
def _codes(n: int, alphabet: str) -> bytes:
    """For each byte its value, which may be too large for a board of n values, 0 for a blank, or UNKNOWN."""
    codes = bytearray([UNKNOWN]) * 256
    for blank in BLANKS + ("xX" if n <= 9 else ""):
        codes[ord(blank)] = 0
    used = alphabet[:n]
    any_case = len(set(used.upper())) == len(used)
    for value, symbol in enumerate(alphabet, 1):
        if value > n and codes[ord(symbol)] == 0:
            continue  # X is a blank there
        if any_case and value > n and symbol.islower():
            break
        codes[ord(symbol)] = value
        if any_case and symbol.swapcase() not in used:
            codes[ord(symbol.swapcase())] = value
    return bytes(codes)


def board_alphabet(board: Geometry) -> str:
    """Return the usual symbols for the values of a board, and those after them."""
    return ALPHABETS[DEFAULT_ALPHABET if board.first else "0-F"]


def unpack(symbols: str, n: int, alphabet: str | None = None) -> Grids:
    """Return one code per symbol: a value, 0 for a blank, or a code above n for a symbol that is not a value.

    Args:
        symbols: one for each cell.
        n: the number of values of the board.
        alphabet: the symbols for 1, 2, 3, ...; by default those of the default alphabet.
    """
    if not symbols.isascii():
        symbols = "".join(symbol if symbol.isascii() else "\0" for symbol in symbols)
    coded = symbols.encode("ascii").translate(_codes(n, alphabet or ALPHABETS[DEFAULT_ALPHABET]))
    return np.frombuffer(bytearray(coded), np.uint8)


def pack(values: Sequence[int] | Grids, board: Geometry, blank: str = ".") -> str:
    """Return one of the usual symbols per value of a board.

    Raises:
        FormatError: the board has more values than there are symbols.
    """
    return np.asarray(values).astype(np.uint8).tobytes().translate(_symbol_table(board, blank)).decode("ascii")


def pack_lines(values: Grids, board: Geometry, gap: str = "", zeros: Bools | None = None) -> str:
    """Return a line for each row of values: their usual symbols, as `pack` writes them.

    Args:
        values: (m, n_cells), 0 for a blank.
        board: the board of all.
        gap: between two symbols: one character, or none.
        zeros: for each row, whether a blank is 0 and not a dot.
    """
    symbols = np.frombuffer(_symbol_table(board, "."), np.uint8)[values]
    if zeros is not None:
        symbols[(values == 0) & zeros[:, np.newaxis]] = ord("0")
    width = 1 + len(gap)
    lines = np.full((len(values), values.shape[1] * width + 1 - len(gap)), ord(gap or "\n"), np.uint8)
    lines[:, :-1:width] = symbols
    lines[:, -1] = ord("\n")
    return lines.tobytes().decode("ascii")


def _symbol_table(board: Geometry, blank: str) -> bytes:
    """Return the symbol of each value, after that of a blank."""
    if (n := board.n_values) > MAX_SYMBOLS:
        raise FormatError(f"one symbol per cell goes up to {MAX_SYMBOLS} values, not {n}; write numbers, csv or json")
    return bytes(blank + board_alphabet(board), "ascii").ljust(256, b"?")


def number_texts(board: Geometry, blank: str) -> list[str]:
    """Return the number of each value of a board as text, after that of a blank."""
    return [blank, *map(str, board.numbers[1:])]


def framed_rows(puzzle: Puzzle, blank: str, outside: str) -> list[list[str]]:
    """Return the givens of boards that overlap as numbers, in the rows of the rectangle around all of them.

    Args:
        puzzle: a puzzle on such a board.
        blank: the text for a blank.
        outside: the text for a place without a cell.
    """
    rows, columns = puzzle.geometry.frame
    numbers = number_texts(puzzle.geometry, blank)
    texts = [[outside] * columns for _ in range(rows)]
    for (row, column), value in zip(puzzle.geometry.places, puzzle.givens.tolist(), strict=True):
        texts[row][column] = numbers[value]
    return texts


def packed_rows(puzzle: Puzzle) -> list[str]:
    """Return the givens of a puzzle in rows of symbols."""
    width = puzzle.geometry.shape[-1]
    symbols = pack(puzzle.givens, puzzle.geometry)
    return [symbols[start : start + width] for start in range(0, len(symbols), width)]


def zero_of(alphabet: str | None) -> int:
    """Return the value that the number 0 stands for under an alphabet: its place there; 0 where it is a blank."""
    return (alphabet or "").find("0") + 1


def number(token: str, n: int, zero: int = 0) -> int:
    """Return the value that a token of a line of separated numbers stands for, 0 for a blank, else UNKNOWN.

    Args:
        token: of the line.
        n: the number of values of the board.
        zero: see `zero_of`: where that is 1, each number is one less than the value.
    """
    if len(token) > MAX_DIGITS or not token.isascii():
        return UNKNOWN
    if not token.isdigit():
        return UNKNOWN if token.strip(BLANKS) else 0
    return value_of(int(token), n, zero)


def value_of(number: int, n: int, zero: int = 0) -> int:
    """Return the value that a number stands for, as `number` does."""
    if number == 0:
        return zero
    value = number + (zero == 1)
    return value if value < n or (value == n and zero < 2) else UNKNOWN


def most_of_a_value(board: Geometry) -> int:
    """Return in how many cells of a board a value can be, as far as units of one rule that cover it tell."""
    covers = (len(rule.units) for rule in board.rules if len(np.unique(rule.units)) == board.n_cells)
    return min(covers, default=board.n_cells)


def blank_of(puzzle: Puzzle, usual: str, clear: str) -> str:
    """Return the symbol to write for a blank: the usual one (0), or the clear one if 0 could be a value."""
    return usual if zero_is_blank(puzzle.geometry, puzzle.givens[np.newaxis])[0] else clear


def zero_is_blank(board: Geometry, givens: Grids) -> Bools:
    """Return for each puzzle of many on a board, (m, n_cells), whether a 0 in it can only be a blank."""
    if not board.first:
        return np.zeros(len(givens), bool)
    n_zeros = board.n_cells - np.count_nonzero(givens, axis=1)
    settled: Bools = (n_zeros > most_of_a_value(board)) | (givens == board.n_values).any(axis=1)
    return settled


def zero_doubt(blanks: Collection[str], n: int, *, is_settled: bool, blank: str = ".") -> str | None:
    """Return why the 0s of a puzzle that comes without an alphabet may be blanks or values; None if only one fits.

    Args:
        blanks: the symbols that stand for blanks in the puzzle, 0 among them.
        n: the number of values of the board.
        is_settled: whether 0 cannot be a value, since the puzzle has the value n, or more 0s than a value can have.
        blank: the symbol to suggest for a blank, if the puzzle has only 0.
    """
    others = sorted(blank for blank in blanks if blank.strip("0"))
    if is_settled or len(others) == len(blanks):
        return None
    clear = others[0] if others else blank
    reason = f"another symbol, {clear}, is a blank, and there is no {n}" if others else f"there is no {n} and 0 is rare"
    names = alphabet_names(n)[:2] if n <= MAX_SYMBOLS else []
    ways_out = f"say which with --alphabet {' or --alphabet '.join(names)}, or " if names else ""
    return f"0 may be a blank or a value, since {reason}; {ways_out}write {clear} for each blank and values from 1"


def doubt(symbols: str, n: int) -> str | None:
    """Return why symbols on 10 to 61 values may mean two things without an alphabet; None if they may not."""
    present = set(symbols.upper() if n <= 35 else symbols)
    # The last are the digits, and then letters up to the one before that of n.
    usual, zero_last = alphabet_names(n), f"1-{ALPHABETS[DEFAULT_ALPHABET][n - 2]}0"
    has_other_blank = bool(present & set(BLANKS[0] + BLANKS[2:]))
    # A 0 beside another blank is hardly a blank.
    has_zero = "0" in present and has_other_blank
    offered = _fitting_names(usual, present, has_zero=has_zero) or _fitting_names(usual, present) or usual
    names = f"{', '.join(offered[:-1])} or {offered[-1]}" if len(offered) > 1 else offered[0]
    ways_out = f"say which with --alphabet {names}, or write numbers separated by spaces"
    if _fitting_names([zero_last], present):
        ways_out += f"; with --alphabet {zero_last} 0 is the last value"
    if has_zero:
        return f"0 may be a blank or a value, since another symbol is a blank; {ways_out}"
    highest = ALPHABETS[DEFAULT_ALPHABET][n - 1 : n]
    # A full grid that counts from 0 has no blank, and every value, 0 too, once in each of n units.
    if 0 < symbols.count("0") <= len(symbols) // n and highest not in present:
        return f"0 may be a blank or a value, since there is no {highest or n} and 0 is rare; {ways_out}"
    if any(symbol.isalpha() for symbol in present) and not present & set(digits[1:]):
        return f"letters without any digit: A may be 1 or 10; {ways_out}"
    return None


def only_alphabet(symbols: str, n: int) -> str | None:
    """Return the usual alphabet of letters alone if no other one has all symbols; None where others may be meant."""
    present = set(symbols.upper() if n <= 35 else symbols)
    fitting = _fitting_names(alphabet_names(n), present) if n > PLAIN_VALUES and "0" not in present else []
    return fitting[0] if len(fitting) == 1 and fitting[0][0] == "A" else None


def _fitting_names(names: Sequence[str], present: Collection[str], *, has_zero: bool = False) -> list[str]:
    """Return the alphabets that have all symbols of a puzzle, blanks aside; those with 0 where it must be a value."""
    fitting, values = [], {symbol for symbol in present if symbol not in BLANKS} | ({"0"} if has_zero else set())
    for name in names:
        symbols = alphabet_symbols(name)
        any_case = len(set(symbols.upper())) == len(symbols)
        if values <= (set(symbols.upper() + symbols.lower()) if any_case else set(symbols)):
            fitting.append(name)
    return fitting


def explain(symbol: str, n: int, name: str, alphabet: str | None, separated: bool) -> str:
    """Return the error message for a symbol or number that is not a value of the board."""
    shown = repr(symbol if len(symbol) <= 20 else symbol[:17] + "...")
    if separated:
        what = "is too large" if symbol.isdigit() else "is neither a number nor a blank"
        zero = zero_of(alphabet)
        first, last, blanks = (0, n - 1, ".") if zero == 1 else (1, n, "0 or .") if not zero else (1, n - 1, ".")
        return f"{shown} {what}; values on {name} go from {first} to {last}, and {blanks} is a blank"
    symbols = alphabet or ALPHABETS[DEFAULT_ALPHABET]
    blanks = " ".join(blank for blank in BLANKS if blank not in symbols[:n])
    place = symbols.find(symbol)
    place = place if place >= 0 or n > 35 else symbols.find(symbol.upper())
    strange = place < 0 or (n <= 9 and alphabet is None and symbol.isalpha())
    what = (
        "is not a symbol of a puzzle"
        if strange
        else "is too large"
        if symbol == str(place + 1)
        else f"stands for {place + 1}"
    )
    return f"{shown} {what}; values on {name} go from {symbols[0]} to {symbols[n - 1 : n] or n}, a blank is {blanks}"
