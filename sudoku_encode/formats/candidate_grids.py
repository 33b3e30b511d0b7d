"""Grids of 9x9 whose cells list their candidates: `489` may be 4, 8 or 9, and a single digit is a given.

`u5` is a digit that was placed. It is a given here, since the candidates are what is left once it is placed.
"""

import re
from collections.abc import Iterator

import numpy as np

from sudoku_encode.errors import FormatError, GeometryError, plural, short
from sudoku_encode.formats.board_kinds import ONLY_9X9
from sudoku_encode.formats.cells import placed
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Segment, Setting, segments
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

_CELL = re.compile("u[1-9]|[1-9]{1,9}", re.ASCII)


def cells_of(puzzle: Puzzle) -> list[list[str]]:
    """Return nine lists of the texts of nine cells."""
    texts = ["".join(str(value + 1) for value in np.flatnonzero(cell)) for cell in puzzle.candidates]
    return [texts[start : start + 9] for start in range(0, 81, 9)]


def unfit(puzzle: Puzzle) -> str:
    """Say why such a grid cannot hold a puzzle; an empty text where it can."""
    empty = np.flatnonzero(~puzzle.candidates.any(axis=1))
    return f"{puzzle.geometry.cell_name(int(empty[0]))} has no candidate" if len(empty) else ""


def read(text: str, caller: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    for segment in segments(text.replace("\r\n", "\n").replace("\r", "\n"), caller):
        for rows in _grids(segment):
            try:
                found = _puzzle(rows, segment.setting)
                placed_digits = sum(row.text.count("u") for row in rows)
                yield Entry(found, rows[0].line, remarks=(placed_remark(placed_digits),) if placed_digits else ())
            except (FormatError, GeometryError) as error:
                yield Entry(placed(error, caller.source, rows[0].line), rows[0].line)


def placed_remark(number: int) -> str:
    """Say that placed digits were read as givens."""
    return f"{number} placed {plural('digit', number)} {'is read as a given' if number == 1 else 'are read as givens'}"


def _grids(segment: Segment) -> Iterator[list[Row]]:
    """Yield the rows of each puzzle: nine, or what is left of a block."""
    blocks = segment.blocks
    if all(len(block) == 3 for block in blocks):
        # Blank lines go between the boxes.
        blocks = [[row for block in blocks for row in block]]
    for block in blocks:
        yield from (block[start : start + 9] for start in range(0, len(block), 9))


def _puzzle(rows: list[Row], setting: Setting) -> Puzzle:
    board = setting.known_board() or setting.named_board("9x9")
    if not ONLY_9X9.includes(board):
        raise FormatError(f"a grid of candidates is for {ONLY_9X9.description}, not for {board.name}")
    givens, marks = np.zeros(81, np.uint8), np.zeros((81, 9), bool)
    for number, row in enumerate(rows):
        found = list(re.finditer(r"\S+", row.text))
        for at, match in enumerate(found[:9]):
            cell = 9 * number + at
            values = _values(match[0], board, cell, row, match.start() + 1)
            marks[cell, [value - 1 for value in values]] = True
            givens[cell] = values[0] if len(values) == 1 else 0
        if len(found) != 9:
            column = found[9].start() + 1 if len(found) > 9 else len(row.text.rstrip()) + 1
            raise FormatError(
                f"{len(found)} cells where a row has 9; each lists its candidates", line=row.line, column=column
            )
    if len(rows) != 9:
        raise FormatError(f"{len(rows)} lines where a grid of candidates has 9")
    allowed = None if marks[givens == 0].all() else marks
    return Puzzle.of(board, givens, allowed, constraints=setting.constraints_on(board))


def _values(text: str, board: Geometry, cell: int, row: Row, column: int) -> list[int]:
    """Return the candidates of a cell."""
    values = [int(symbol) for symbol in text.removeprefix("u")] if _CELL.fullmatch(text) else []
    if not values or len(set(values)) < len(values):
        what = (
            f"{short(text, 20)!r} at {board.cell_name(cell)} lists no candidates; write 489, or one digit for a given"
        )
        raise FormatError(what, line=row.line, column=column)
    return values
