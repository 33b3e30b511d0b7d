"""Formats that list the candidates of each cell: Sukaku on one line, and 9x9 grids of HoDoKu, forums and SudoCue.

In a grid `489` may be 4, 8 or 9, and a single digit is a given. `u5` is a digit that was placed. It is read as a given,
since the candidates are those that remain once it is placed.
"""

import re
from collections.abc import Iterator

import numpy as np

from sudoku_encode.errors import FormatError, GeometryError, plural, short
from sudoku_encode.formats.cells import located_error
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.format_features import ONLY_9X9
from sudoku_encode.formats.lines import Row, Segment, Setting, segments
from sudoku_encode.formats.symbols import pack
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

_CELL = re.compile("u[1-9]|[1-9]{1,9}", re.ASCII)

# Writing.


def write_sukaku(puzzle: Puzzle) -> str:
    """Return n symbols per cell on one line: the value d or a blank at the d-th of them."""
    n = puzzle.geometry.n_values
    return pack(np.where(puzzle.candidates, np.arange(1, n + 1), 0).ravel(), puzzle.geometry)


def sukaku_fault(puzzle: Puzzle) -> str:
    """Return why a line of candidates cannot hold a puzzle; an empty text if it can."""
    n, size = puzzle.geometry.n_values, puzzle.geometry.n_cells * puzzle.geometry.n_values
    is_jigsaw = any(2 * side * side == size for side in range(4, 17 if n > 9 else 16))
    return f"its {size} symbols would be read as a jigsaw with its regions" if is_jigsaw else ""


def write_pencilmarks(puzzle: Puzzle) -> str:
    """Return a grid with borders around the boxes, each cell with its candidates: HoDoKu, Simple Sudoku and forums."""
    rows = _candidate_texts(puzzle)
    widths = [max(len(row[column]) for row in rows) for column in range(9)]
    padded = [[text.ljust(width) for text, width in zip(row, widths, strict=True)] for row in rows]
    lines = [f"| {' | '.join(' '.join(row[start : start + 3]) for start in (0, 3, 6))} |" for row in padded]
    border = ["-" * (sum(widths[start : start + 3]) + 4) for start in (0, 3, 6)]
    top, middle, bottom = f".{'.'.join(border)}.", f":{'+'.join(border)}:", "'" + "'".join(border) + "'"
    return "\n".join([top, *lines[:3], middle, *lines[3:6], middle, *lines[6:], bottom])


def write_sdx(puzzle: Puzzle) -> str:
    """Return nine lines of nine cells, each with its candidates, with spaces between the cells: SudoCue progress."""
    return "\n".join(" ".join(row) for row in _candidate_texts(puzzle))


def candidates_fault(puzzle: Puzzle) -> str:
    """Return why a grid of candidates cannot hold a puzzle; an empty text if it can."""
    empty = np.flatnonzero(~puzzle.candidates.any(axis=1))
    return f"{puzzle.geometry.cell_name(int(empty[0]))} has no candidate" if len(empty) else ""


def _candidate_texts(puzzle: Puzzle) -> list[list[str]]:
    """Return nine lists of the texts of nine cells."""
    texts = ["".join(str(value + 1) for value in np.flatnonzero(cell)) for cell in puzzle.candidates]
    return [texts[start : start + 9] for start in range(0, 81, 9)]


# Reading.


def read_candidate_grids(text: str, caller: Setting) -> Iterator[Entry]:
    """Yield the puzzles of grids of candidates, or a FormatError in the place of one."""
    for segment in segments(text.replace("\r\n", "\n").replace("\r", "\n"), caller):
        for rows in _grids(segment):
            try:
                puzzle = _puzzle(rows, segment.setting)
                n_placed = sum(row.text.count("u") for row in rows)
                yield Entry(puzzle, rows[0].line, remarks=(placed_remark(n_placed),) if n_placed else ())
            except (FormatError, GeometryError) as error:
                yield Entry(located_error(error, caller.source, rows[0].line), rows[0].line)


def placed_remark(number: int) -> str:
    """Return the remark that some placed digits were read as givens."""
    return f"{number} placed {plural('digit', number)} {'is read as a given' if number == 1 else 'are read as givens'}"


def _grids(segment: Segment) -> Iterator[list[Row]]:
    """Yield the rows of each puzzle: nine, or the rest of a block."""
    blocks = segment.blocks
    if all(len(block) == 3 for block in blocks):
        # The blank lines separate the boxes.
        blocks = [[row for block in blocks for row in block]]
    for block in blocks:
        yield from (block[start : start + 9] for start in range(0, len(block), 9))


def _puzzle(rows: list[Row], setting: Setting) -> Puzzle:
    board = setting.known_board() or setting.named_board("9x9")
    if not ONLY_9X9.includes(board):
        raise FormatError(f"a grid of candidates is for {ONLY_9X9.description}, not for {board.name}")
    givens, marks = np.zeros(81, np.uint8), np.zeros((81, 9), bool)
    for number, row in enumerate(rows):
        matches = list(re.finditer(r"\S+", row.text))
        for column, match in enumerate(matches[:9]):
            cell = 9 * number + column
            values = _values(match[0], board, cell, row, match.start() + 1)
            marks[cell, [value - 1 for value in values]] = True
            givens[cell] = values[0] if len(values) == 1 else 0
        if len(matches) != 9:
            column = matches[9].start() + 1 if len(matches) > 9 else len(row.text.rstrip()) + 1
            raise FormatError(
                f"{len(matches)} cells where a row has 9; each lists its candidates", line=row.line, column=column
            )
    if len(rows) != 9:
        raise FormatError(f"{len(rows)} lines where a grid of candidates has 9")
    allowed = None if marks[givens == 0].all() else marks
    return Puzzle.of(board, givens, allowed, constraints=setting.constraints_on(board))


def _values(text: str, board: Geometry, cell: int, row: Row, column: int) -> list[int]:
    """Return the candidates of a cell."""
    values = [int(symbol) for symbol in text.removeprefix("u")] if _CELL.fullmatch(text) else []
    if not values or len(set(values)) < len(values):
        message = (
            f"{short(text, 20)!r} at {board.cell_name(cell)} lists no candidates; write 489, or one digit for a given"
        )
        raise FormatError(message, line=row.line, column=column)
    return values


FORMATS = {
    "sukaku": FormatFunctions(write_sukaku, fault=sukaku_fault),
    "pencilmarks": FormatFunctions(write_pencilmarks, read_candidate_grids, fault=candidates_fault),
    "sdx": FormatFunctions(write_sdx, read_candidate_grids, fault=candidates_fault),
}
