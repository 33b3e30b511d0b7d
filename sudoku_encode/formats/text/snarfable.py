"""Killer cages on 81 symbols, the "snarfable" form of the forum of enjoysudoku.

One cell of each cage holds its sum, `0` to `9`, `A` to `Z` for 10 to 35 and `a` to `j` for 36 to 45. Every other cell
points to a neighbour in its cage: `<`, `>`, `^` and `v`, or `` ` `` (up and left), `'` (up and right), `,` (down and
left) and `.` (down and right). `0` is a cell in no cage, or in one whose sum is not said.
"""

from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase, digits

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.cages import Cage, board_of, cages_of, clash_of, puzzle_of
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.puzzles.puzzle import Puzzle

_SUMS = digits + ascii_uppercase + ascii_lowercase[:10]
_STEPS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    symbol_of: dict[int, str] = {}
    for cage in cages_of(puzzle):
        symbol_of |= _pointers(cage)
    return "".join(symbol_of[cell] for cell in range(81))


def unfit(puzzle: Puzzle) -> str:
    """Say why the format cannot hold a puzzle; an empty text where it can."""
    for cage in cages_of(puzzle):
        if cage.total >= len(_SUMS):
            return f"the sum {cage.total} is above {len(_SUMS) - 1}"
        if len(_pointers(cage)) < len(cage.cells):
            names = " ".join(map(puzzle.geometry.cell_name, cage.cells))
            return f"the cells {names} of a cage are not connected"
    return clash_of(puzzle)


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _puzzle)


def _pointers(cage: Cage) -> dict[int, str]:
    """Return the symbol of each cell of a cage that its first cell is connected to."""
    found = {cage.cells[0]: _SUMS[min(cage.total, len(_SUMS) - 1)]}
    while pointer := next(_more_pointers(cage, found), None):
        found[pointer[0]] = pointer[1]
    return found


def _more_pointers(cage: Cage, found: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Yield cells that can point to one that is found, with the symbol; those beside it before those at its corners."""
    for symbol, (rows, columns) in _STEPS.items():
        for cell in found:
            before = _moved(cell, (-rows, -columns))
            if before is not None and before in cage.cells and before not in found:
                yield before, symbol


def _moved(cell: int, step: tuple[int, int]) -> int | None:
    """Return the cell that is a step away; None outside the grid."""
    row, column = cell // 9 + step[0], cell % 9 + step[1]
    return 9 * row + column if 0 <= row < 9 and 0 <= column < 9 else None


def _puzzle(row: Row, setting: Setting) -> Puzzle:
    symbols, board = row.text.strip(), board_of("9x9", setting)
    if len(symbols) != 81 or set(symbols) - set(_SUMS) - set(_STEPS):
        wrong = next((symbol for symbol in symbols if symbol not in _SUMS and symbol not in _STEPS), None)
        what = f"{wrong!r} in it" if wrong and len(symbols) == 81 else f"{len(symbols)} symbols: {short(symbols, 20)!r}"
        raise FormatError(f"no killer puzzle, {what}; write 81 symbols, sums 0 to 9, A to Z and a to j, and < > ^ v")
    target = [cell if s in _SUMS else _moved(cell, _STEPS[s]) for cell, s in enumerate(symbols)]
    members: dict[int, list[int]] = {}
    for cell in range(81):
        at, steps = cell, 0
        while (after := target[at]) != at:
            steps += 1
            if after is None or steps > 81:
                where = "out of the grid" if after is None else "in a circle"
                raise FormatError(f"{board.cell_name(cell)} points {where}; it must lead to the sum of its cage")
            at = after
        members.setdefault(at, []).append(cell)
    return puzzle_of([Cage(_SUMS.index(symbols[at]), tuple(members[at])) for at in members], board, setting)
