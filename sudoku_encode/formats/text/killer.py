"""Killer cages by number, as several killer programs have them: `3x3::k:`, and a number and a colon for each cell.

The number is 256 times the sum of the cell's cage, plus the number of the cage. Cells whose sum is 0 are in no cage;
programs write them with a number of their own. `3x3:d:k:` says that the diagonals are units too.
"""

import re
from collections.abc import Iterator

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.cages import Cage, board_of, cages_of, clash_of, puzzle_of
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.puzzles.puzzle import Puzzle

_START = re.compile(r"3x3:(d?):k:", re.ASCII)
_NUMBER, _NUMBERS = re.compile(r"\d{1,6}", re.ASCII), re.compile(r"(\d{1,6}:){80}\d{1,6}", re.ASCII)


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    number_of = {cell: 256 * cage.total + number for number, cage in enumerate(cages_of(puzzle)) for cell in cage.cells}
    diagonals = "d" if "diagonal" in puzzle.geometry.rule_names else ""
    return f"3x3:{diagonals}:k:" + "".join(f"{number_of[cell]}:" for cell in range(81))


def unfit(puzzle: Puzzle) -> str:
    """Say why the format cannot hold a puzzle; an empty text where it can."""
    for constraint in puzzle.constraints:
        if not constraint.numbers:
            return f"`{constraint.text(puzzle.geometry)}` has no sum, and here cells without one are in no cage"
    return clash_of(puzzle)


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _puzzle)


def _puzzle(row: Row, setting: Setting) -> Puzzle:
    line = "".join(row.text.split())
    start = _START.match(line)
    if not start:
        raise FormatError(f"no killer puzzle: {short(line, 30)!r}; write 3x3::k: and 81 numbers, a colon after each")
    numbers = line[start.end() :].removesuffix(":")
    fields = numbers.split(":")
    if len(fields) != 81:
        raise FormatError(f"{len(fields)} numbers after {start[0]}, where a killer puzzle has 81, a colon after each")
    board = board_of("9x9+diagonals" if start[1] else "9x9", setting)
    if not _NUMBERS.fullmatch(numbers):
        cell, field = next((cell, field) for cell, field in enumerate(fields) if not _NUMBER.fullmatch(field))
        what = f"{short(field, 20)!r} at {board.cell_name(cell)} is no number"
        raise FormatError(f"{what}; write 256 times the sum, plus the cage's number")
    groups: dict[int, list[int]] = {}
    for cell, number in enumerate(map(int, fields)):
        groups.setdefault(number, []).append(cell)
    totals: dict[int, int] = {}
    for number, cells in groups.items():
        total, cage = divmod(number, 256)
        if total and totals.setdefault(cage, total) != total:
            at = board.cell_name(cells[0])
            raise FormatError(f"{at} gives cage {cage} the sum {total}, a cell before it {totals[cage]}")
    cages = [Cage(number // 256, tuple(cells)) for number, cells in groups.items() if number >= 256]
    return puzzle_of(cages, board, setting)
