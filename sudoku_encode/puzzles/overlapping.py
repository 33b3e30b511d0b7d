"""Boards of several squares that share the cells where they lie on each other, such as a samurai.

Each square keeps its units, and a cell of two squares is in units of both. Cells are numbered in reading order of the
rectangle around all squares; places that no square covers are not cells. A unit that two squares share, such as the box
where two corners meet, is listed once.
"""

import re
from collections.abc import Sequence

import numpy as np

from sudoku_encode.errors import GeometryError, short
from sudoku_encode.puzzles.geometry import Cells, Geometry, Rule, matrices
from sudoku_encode.puzzles.joined_boards import OVERLAPS

# So that a typing error cannot ask for more memory than there is.
MAX_SQUARES, MAX_CELLS = 100, 10_000
_OFFSET = re.compile(r"(\d{1,4}),(\d{1,4})")
_SHORT_NAMES = {row.squares: name for name, row in OVERLAPS.items()}

Place = tuple[int, int]


def overlapping(square: Geometry, text: str) -> Geometry:
    """Return the board of copies of a square, whose upper left cells are at `ROW,COLUMN;ROW,COLUMN;...`, from 0.

    Raises:
        GeometryError: the board has no rows and columns, the text is not of that form, two copies are at one place,
            a row or a column between them is empty, or they are too many.

    >>> from sudoku_encode import board
    >>> samurai = board("samurai")
    >>> samurai.n_cells, samurai.n_units, len(samurai.edges)
    (369, 131, 3906)
    """
    if len(square.shape) != 2:
        raise GeometryError(f"{short(square.name)}@...: only boards of rows and columns can overlap")
    squares = f"{square.name}@{text}"
    n_squares, most = text.count(";") + 1, min(MAX_SQUARES, MAX_CELLS // square.n_cells)
    # One square is as large as any board.
    if n_squares > max(1, most):
        raise GeometryError(f"{short(squares)}: at most {max(1, most)} boards of {short(square.name)}, not {n_squares}")
    offsets = sorted(_offsets(squares, text))
    if offsets == [(0, 0)]:
        return square
    rows, columns = square.shape
    covered = [[(top + row, left + column) for row, column in np.ndindex(rows, columns)] for top, left in offsets]
    places = tuple(sorted({place for copy in covered for place in copy}))
    for side, what in enumerate(("row", "column")):
        _require_no_gap(squares, what, {place[side] for place in places})
    number = {place: cell for cell, place in enumerate(places)}
    cells_of = [np.array([number[place] for place in copy], np.int32) for copy in covered]
    squares = f"{square.name}@{';'.join(f'{top},{left}' for top, left in offsets)}"
    rules = [rule for name in square.rule_names for rule in _rules(name, square, cells_of)]
    return Geometry(_SHORT_NAMES.get(squares, squares), (len(places),), square.n_values, tuple(rules), places=places)


def _offsets(squares: str, text: str) -> list[Place]:
    offsets: list[Place] = []
    for part in text.split(";"):
        match = _OFFSET.fullmatch(part.strip())
        if match is None:
            raise GeometryError(
                f"{short(squares)}: {short(part.strip(), 20)!r} is not a place of a board; "
                "write ROW,COLUMN;ROW,COLUMN;... counted from 0, such as 9x9@0,0;6,6"
            )
        place = int(match[1]), int(match[2])
        if place in offsets:
            raise GeometryError(f"{short(squares)}: two boards at {place[0]},{place[1]}")
        offsets.append(place)
    return offsets


def _require_no_gap(squares: str, what: str, taken: set[int]) -> None:
    """Raise GeometryError if a row or column before the last one has no cell: no text could show it."""
    missing = next((place for place in range(max(taken)) if place not in taken), None)
    if missing == 0:
        raise GeometryError(f"{short(squares)}: no board begins at {what} 0, from which places are counted")
    if missing is not None:
        raise GeometryError(f"{short(squares)}: {what} {missing} (from 0) is in no board; move them together")


def _rules(name: str, square: Geometry, cells_of: Sequence[Cells]) -> list[Rule]:
    """Return the units of one name of all copies, each once, in matrices filled in order."""
    rules: list[Rule] = []
    for size in dict.fromkeys(rule.units.shape[1] for rule in square.rules if rule.name == name):
        of_square = [rule.units for rule in square.rules if rule.name == name and rule.units.shape[1] == size]
        units: dict[tuple[int, ...], list[int]] = {}
        for cells in cells_of:
            for unit in np.concatenate([cells[of_rule] for of_rule in of_square]).tolist():
                units.setdefault(tuple(sorted(unit)), unit)
        rules += [Rule(name, matrix) for matrix in matrices(list(units.values()))]
    return rules
