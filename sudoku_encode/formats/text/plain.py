"""Formats whose rows are read by their layout: symbols or numbers on lines, grids and layers.

See `formats.layout` for how the rows of a puzzle are recognised.
"""

from collections.abc import Callable
from math import isqrt

import numpy as np

from sudoku_encode.formats.symbols import (
    blank_of,
    framed_rows,
    number_texts,
    pack_lines,
    packed_rows,
    zero_is_blank,
)
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

_SS_BORDER = "-" * 13

# One puzzle on one line.


def write_symbols(board: Geometry, givens: Grids) -> str:
    """Return a line for each puzzle, with one symbol per cell."""
    return pack_lines(givens, board)


def write_sdm(board: Geometry, givens: Grids) -> str:
    """Return the lines of a SudoCue collection: 81 digits, 0 for a blank."""
    return pack_lines(givens, board, zeros=zero_is_blank(board, givens))


def write_csv(board: Geometry, givens: Grids) -> str:
    """Return a line for each puzzle, with decimal numbers separated by commas."""
    zeros = zero_is_blank(board, givens)
    if board.last < 10:
        return pack_lines(givens, board, ",", zeros)
    texts = {zero: number_texts(board, "0" if zero else ".") for zero in (False, True)}
    rows = zip(givens.tolist(), zeros.tolist(), strict=True)
    return "".join(",".join([texts[zero][value] for value in row]) + "\n" for row, zero in rows)


def _on_one_line(write_lines: Callable[[Geometry, Grids], str]) -> FormatFunctions:
    """Return the functions of a format by the one that writes many puzzles."""

    def write(puzzle: Puzzle) -> str:
        return write_lines(puzzle.geometry, puzzle.givens[np.newaxis]).rstrip("\n")

    return FormatFunctions(write, write_lines=write_lines)


# Rows of symbols or numbers.


def write_sdk(puzzle: Puzzle) -> str:
    """Return nine lines of nine symbols, as SudoCue and SadMan write them."""
    return "\n".join(packed_rows(puzzle))


def write_ss(puzzle: Puzzle) -> str:
    """Return nine lines of nine symbols with borders around the boxes, as Simple Sudoku writes them."""
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in packed_rows(puzzle)]
    return "\n".join([*rows[:3], _SS_BORDER, *rows[3:6], _SS_BORDER, *rows[6:]])


def write_numbers(puzzle: Puzzle) -> str:
    """Return decimal numbers separated by spaces, a row per line, with a blank line between the layers of a cube.

    On boards that overlap, - is a place outside of all squares.
    """
    blank = blank_of(puzzle, "0", ".")
    if puzzle.geometry.places:
        return "\n".join(map(" ".join, framed_rows(puzzle, blank, "-")))
    layers, numbers = (
        puzzle.givens.reshape(-1, *puzzle.geometry.shape[-2:]).tolist(),
        number_texts(puzzle.geometry, blank),
    )
    return "\n\n".join("\n".join(" ".join([numbers[value] for value in row]) for row in layer) for layer in layers)


def write_layers(puzzle: Puzzle) -> str:
    """Return the layers of a cube, one per x, or the faces of a surface: a line per y, symbols along z."""
    rows, height = packed_rows(puzzle), puzzle.geometry.shape[1]
    return "\n\n".join("\n".join(rows[start : start + height]) for start in range(0, len(rows), height))


def write_table(puzzle: Puzzle) -> str:
    """Return a cube as the table of Jana et al. 2023: a line per x, a group per y, symbols along z."""
    n, groups = puzzle.geometry.n_values, packed_rows(puzzle)
    return "\n".join(" ".join(groups[start : start + n]) for start in range(0, n * n, n))


# A grid for people.


def write_grid(puzzle: Puzzle) -> str:
    """Return a grid with borders at the boxes; layers of a cube and faces of a surface are below each other."""
    if puzzle.geometry.places:
        return _overlapping_grid(puzzle)
    board, numbers = puzzle.geometry, number_texts(puzzle.geometry, ".")
    texts = [f"{text:>{len(numbers[-1])}}" for text in numbers]
    layers = puzzle.givens.reshape(-1, *board.shape[-2:]).tolist()
    return "\n\n".join("\n".join(_bordered(layer, *_box(board, number), texts)) for number, layer in enumerate(layers))


def _overlapping_grid(puzzle: Puzzle) -> str:
    """Return the rows of boards that overlap: symbols, with spaces outside; numbers and - above 9 values."""
    if puzzle.geometry.last < 10:
        return "\n".join("".join(row).rstrip() for row in framed_rows(puzzle, ".", " "))
    width = len(str(puzzle.geometry.last))
    return "\n".join(" ".join(f"{text:>{width}}" for text in row) for row in framed_rows(puzzle, ".", "-"))


def _box(board: Geometry, layer: int) -> tuple[int, int]:
    """Return the rows and columns of a box in a layer or face; those of the whole layer if it has no boxes."""
    n, side = board.n_values, board.shape[-1]
    if len(board.shape) == 2 or board.is_cube:
        # In a layer of a cube, x is the same everywhere.
        return (isqrt(n), isqrt(n)) if "box-yz" in board.rule_names else board.box or (board.shape[-2], side)
    boxes = [rule.units for rule in board.rules if rule.name == "box"]
    if not boxes:
        return side, side
    row, column = np.divmod(boxes[0][layer * len(boxes[0]) // board.shape[0]] % side**2, side)
    return int(row.max()) + 1, int(column.max()) + 1


def _bordered(rows: list[list[int]], box_rows: int, box_columns: int, texts: list[str]) -> list[str]:
    """Return the lines of a rectangle, with borders around its boxes; `texts` are those of values, of one width."""
    n, width = len(rows[0]), len(texts[0])
    border = "+" + ("-" * (box_columns * (width + 1) + 1) + "+") * (n // box_columns)
    lines = []
    for number, row in enumerate(rows):
        cells = [texts[value] for value in row]
        boxes = (" ".join(cells[start : start + box_columns]) for start in range(0, n, box_columns))
        lines += [border] * (number % box_rows == 0) + [f"| {' | '.join(boxes)} |"]
    return [*lines, border]


FORMATS = {
    "line": _on_one_line(write_symbols),
    "sdm": _on_one_line(write_sdm),
    "csv": _on_one_line(write_csv),
    "sdk": FormatFunctions(write_sdk),
    "ss": FormatFunctions(write_ss),
    "numbers": FormatFunctions(write_numbers),
    "layers": FormatFunctions(write_layers),
    "table": FormatFunctions(write_table),
    "grid": FormatFunctions(write_grid),
}
