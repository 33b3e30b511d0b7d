"""Jigsaws as two grids: the givens, and after them the region of each cell, a symbol n times for each of n regions.

A solution after a puzzle has each symbol n times too, but never two equal ones side by side, and the regions of a
jigsaw are mostly of one piece. A second grid between the two is refused, and so are maps that are not one after each
puzzle.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, plural
from sudoku_encode.formats.lines import NamedBoards, Row, Segment, Setting, symbols, tokens
from sudoku_encode.formats.symbols import BLANKS
from sudoku_encode.puzzles.boards import MAX_JIGSAW
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.puzzles.shapes import default_box

SIDES = range(4, 17)


class Grid(NamedTuple):
    """A grid of a text, with the regions after it."""

    rows: list[Row]  # of the givens
    regions: Sequence[str]  # the symbol of the region of each cell
    map_line: int  # where the map begins


def jigsaws(segment: Segment, *, is_cut: bool = False) -> list[Grid]:
    """Return the grids of a segment, each with the map after it; an empty list where no grid is a map.

    A segment that is cut has more rows, which are not there.

    Raises:
        FormatError: there are maps, but not one after each grid; or each second grid may be a map or a puzzle.
    """
    every = [row for block in segment.blocks for row in block]
    for n, height in _shapes(every[0]):
        pair = 2 * height
        rows = every[: len(every) // pair * pair] if is_cut else every
        if not rows or len(rows) % height:
            continue
        cells, lines = _cells(rows, n, height), [row.line for row in rows[::height]]
        are_maps = [is_map(grid, n) for grid in cells]
        if reason := _order_fault(cells, are_maps, lines, n) if any(are_maps) else _doubtful_map(cells, lines, n):
            raise FormatError(reason.text, segment.setting.source, reason.line)
        if any(are_maps):
            pairs = range(0, len(cells), 2)
            return [Grid(rows[at * height : (at + 1) * height], cells[at + 1], lines[at + 1]) for at in pairs]
    return []


class _Reason(NamedTuple):
    """Why grids are refused, and the line of the grid."""

    text: str
    line: int


def _order_fault(cells: list[list[str]], are_maps: list[bool], lines: list[int], n: int) -> _Reason | None:
    """Return why grids, of which some are maps, are not a puzzle and its map, again and again; None where they are."""
    if len(cells) == 1:
        return _Reason(lone_map_reason(n), lines[0])
    right = f"write each puzzle and then its regions, or `# board: {n}x{n}` before grids that are all puzzles"
    for number, (line, has_map) in enumerate(zip(lines, are_maps, strict=True)):
        if number % 2 == 0 and has_map:
            before = "after other regions" if number else "before any puzzle"
            return _Reason(f"regions of a jigsaw {before}; {right}", line)
        if number % 2 and not has_map:
            faulty = _faulty_map(cells[number], n)
            first = lines[are_maps.index(True)]
            return _Reason(faulty or f"not the regions of a jigsaw, as the grid in line {first} is; {right}", line)
    return _Reason(f"no regions after this grid, but after others; {right}", lines[-1]) if len(cells) % 2 else None


def _doubtful_map(cells: list[list[str]], lines: list[int], n: int) -> _Reason | None:
    """Return why a second grid may be a map, though none is one for sure; None where that is not so."""
    if len(cells) % 2:
        return None
    for number in range(1, len(cells), 2):
        has_blanks = any(not text.strip(BLANKS) for text in cells[number - 1])
        # In a long text without any map, regions of other sizes are hardly meant.
        is_likely = len(cells) == 2 or (has_blanks and len(set(cells[number])) == n)
        if is_likely and (reason := _faulty_map(cells[number], n)):
            return _Reason(reason, lines[number])
        if has_blanks and _may_be_map(cells[number], n):
            message = (
                f"the second grid may be a puzzle, or the regions of a jigsaw: each symbol is there {n} times; "
                f"write `# board: {n}x{n}` before two puzzles, or `# board: jigsaw:MAP` in place of the regions"
            )
            return _Reason(message, lines[number])
    return None


def lone_map_reason(n: int) -> str:
    """Return why a map without a puzzle is refused."""
    ways_out = f"give it as --board jigsaw:FILE, or say --board {n}x{n} to read it as a puzzle"
    return f"this looks like the regions of a jigsaw, not a puzzle; {ways_out}"


def map_lines(segment: Segment) -> list[int]:
    """Return the lines of the grids that look like maps after a grid that does not."""
    rows = [row for block in segment.blocks for row in block]
    for n, height in _shapes(rows[0]):
        if len(rows) % height == 0:
            are_maps = [is_map(grid, n) for grid in _cells(rows, n, height)]
            maps = [at for at in range(1, len(are_maps)) if are_maps[at] and not are_maps[at - 1]]
            if maps:
                return [rows[at * height].line for at in maps]
    return []


def jigsaw_board(n: int, regions: Sequence[str], setting: Setting) -> Geometry:
    """Return the board of a map."""
    numbers = {symbol: number for number, symbol in enumerate(dict.fromkeys(regions))}
    board, _ = board_of(n, [numbers[symbol] for symbol in regions], setting.boards)
    return board if setting.rules is None else board.with_rules(setting.rules)


def map_remark(where: str, otherwise: str) -> str:
    """Return the remark on a grid that is read as a map, with how to write two puzzles."""
    return f"{where} is read as the regions of a jigsaw; {otherwise}"


def pieces_remark(board: Geometry) -> str:
    """Return which regions of a jigsaw are in several pieces; an empty text where none is, or on another board."""
    if not board.name.startswith("jigsaw:") or board.places:
        return ""
    regions = [0] * board.n_cells
    units = [unit for rule in board.rules if rule.name == "region" for unit in rule.units.tolist()]
    for number, unit in enumerate(units, 1):
        for cell in unit:
            regions[cell] = number
    n_pieces = Counter(regions[cells[0]] for cells in pieces(board.shape[0], board.shape[1], regions))
    # 0 is of the cells in no region, where that rule is left out.
    apart = [
        f"that of {board.cell_name(units[region - 1][0])} in {number}"
        for region, number in sorted(n_pieces.items())
        if region and number > 1
    ]
    return f"{plural('region', len(apart))} of the jigsaw in several pieces: {', '.join(apart)}" if apart else ""


def is_map(cells: Sequence[str], n: int) -> bool:
    """Return whether cells are n regions of n cells, at most about half of them in several pieces."""
    return _has_each_n_times(cells, n) and len(pieces(n, n, cells)) < 2 * n


def full_maps(givens: Grids, n: int) -> list[int]:
    """Return which of many puzzles (m, n * n) are maps."""
    full = np.flatnonzero(givens.all(axis=1))
    grids = givens[full].reshape(-1, n, n)
    # Few full grids have equal values side by side.
    beside = (grids[:, 1:] == grids[:, :-1]).any(axis=(1, 2)) | (grids[:, :, 1:] == grids[:, :, :-1]).any(axis=(1, 2))
    return [at for at in full[beside].tolist() if is_map("".join(map(str, givens[at].tolist())), n)]


def _faulty_map(cells: Sequence[str], n: int) -> str:
    """Return why a full grid of few pieces, which is not a puzzle, is not a map; an empty text if it may be either."""
    sizes = Counter(cells)
    # A grid with 0 may be a puzzle with blanks.
    if len(cells) != n * n or "0" in sizes or set(sizes.values()) == {n}:
        return ""
    if not all(text.isascii() and text.isalnum() for text in sizes) or len(pieces(n, n, cells)) >= 2 * n:
        return ""
    region, size = next((region, size) for region, size in sizes.items() if size != n)
    return f"the second grid looks like the regions of a jigsaw, but {region} has {size} cells; each must have {n}"


def _may_be_map(cells: Sequence[str], n: int) -> bool:
    """Return whether cells are n regions of n cells, and not a Latin square, as a solution is."""
    square = [cells[start : start + n] for start in range(0, n * n, n)]
    return _has_each_n_times(cells, n) and any(len(set(line)) < n for line in (*square, *zip(*square, strict=True)))


def _has_each_n_times(cells: Sequence[str], n: int) -> bool:
    # A set is faster than counting, and most grids fail here.
    different = set(cells)
    if len(different) != n or len(cells) != n * n or not all(text.isascii() and text.isalnum() for text in different):
        return False
    return set(Counter(cells).values()) == {n}


def pieces(rows: int, columns: int, regions: Sequence[object]) -> list[list[int]]:
    """Return the cells of each piece: they have one region, and are connected by their sides."""
    todo, every = set(range(rows * columns)), []
    while todo:
        piece = [todo.pop()]
        for cell in piece:
            column = cell % columns
            beside = (
                cell - columns,
                cell + columns,
                cell - 1 if column else -1,
                cell + 1 if column < columns - 1 else -1,
            )
            new = [other for other in beside if other in todo and regions[other] == regions[cell]]
            todo.difference_update(new)
            piece += new
        every.append(piece)
    return every


def _shapes(row: Row) -> Iterator[tuple[int, int]]:
    """Yield the sides of grids that a first row may begin, each with the number of lines: n, or one."""
    widths = dict.fromkeys((len(tokens(row)), len(symbols(row))))
    yield from ((n, n) for n in SIDES if n in widths)
    yield from ((n, 1) for n in SIDES if n * n in widths)


def _cells(rows: list[Row], n: int, height: int) -> list[list[str]]:
    """Return the texts of the cells of each grid; fewer where a row has another number of them."""
    width = n * n // height
    grids: list[list[str]] = []
    for start in range(0, len(rows), height):
        grids.append([])
        for row in rows[start : start + height]:
            parts = tokens(row)
            grids[-1] += parts if len(parts) == width else symbols(row)
    return grids


# Boards by the region of each cell, as f-puzzles and SudokuPad have them.

# The symbols of a jigsaw's map, a region each.
_SYMBOLS = "abcdefghijklmnopqrstuvwxyz123456789"
Regions = Sequence[int | None]


def default_regions(n: int) -> list[int]:
    """Return for each cell the number of its box, which is a row where the side is prime."""
    return _boxes(n, *(default_box(n) or (1, n)))


def _boxes(n: int, rows: int, columns: int) -> list[int]:
    """Return for each cell the number of its box of some rows and columns."""
    per_row = n // columns
    return [(cell // n // rows) * per_row + cell % n // columns for cell in range(n * n)]


def board_of(
    n: int, regions: Regions, boards: NamedBoards, extra: Sequence[str] = (), *, are_named: bool = True
) -> tuple[Geometry, tuple[Constraint, ...]]:
    """Return the board with these regions, a number for each cell; regions that no board has become constraints.

    Extra rules are kept if its regions are boxes. A board whose side is prime has none if the text has no regions.

    Raises:
        FormatError: a region has more cells than there are values.
        GeometryError: the board is too large.
    """
    units: dict[int | None, list[int]] = {}
    for cell, region in enumerate(regions):
        units.setdefault(region, []).append(cell)
    order = {region: number for number, region in enumerate(units)}
    # Boxes are numbered in the order of their first cells, as these are.
    numbers = [None if region is None else order[region] for region in regions]
    if numbers == default_regions(n) and (default_box(n) or not are_named):
        return boards.board("+".join([f"{n}x{n}", *extra]), None), ()
    for rows in range(1, n + 1):
        if n % rows == 0 and numbers == _boxes(n, rows, n // rows):
            return boards.board("+".join([f"{n}x{n}:{rows}x{n // rows}", *extra]), None), ()
    if None not in units and {len(unit) for unit in units.values()} == {n} and n <= MAX_JIGSAW:
        return boards.board("jigsaw:" + "".join(_SYMBOLS[order[region]] for region in regions), None), ()
    units.pop(None, None)
    if large := next((unit for unit in units.values() if len(unit) > n), None):
        first = f"r{large[0] // n + 1}c{large[0] % n + 1}"
        raise FormatError(f"the region of {first} has {len(large)} cells, and there are {n} values")
    alone = tuple(Constraint("extra-region", (tuple(unit),)) for unit in units.values() if len(unit) > 1)
    return boards.board(f"latin:{n}x{n}", None), alone
