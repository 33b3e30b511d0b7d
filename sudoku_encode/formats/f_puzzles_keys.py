"""The keys of an f-puzzles object, and of its cells."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.json_objects import JsonObject, refuse_misspelt, shown
from sudoku_encode.formats.region_maps import default_regions
from sudoku_encode.puzzles.boards import MAX_SQUARE
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS

# The keys of f-puzzles.


class Key(NamedTuple):
    """A key of f-puzzles whose value is a list of constraints of one kind."""

    kind: str  # a key of CONSTRAINTS
    # The form of its value. `flag`: true. Otherwise a list of objects with `cell` (`marks`: all of them are one
    # constraint; `outside`: a cell beside the grid, and `value`; `diagonal`: the same with `direction`), with `cells`
    # (`cells`; `xv`; `quadruple`: and `values`; `clone`: and `cloneCells`; `arrow`: and `lines`), or with `lines`.
    form: str
    has_value: bool = False  # whether an object may have a number, `value`
    # Whether the order of the cells has no meaning, so that a cell that is listed twice counts once.
    is_set: bool = False


_KINDS = [(kind.name, kind.f_puzzles) for kind in CONSTRAINTS.values() if kind.f_puzzles]
KEYS: Mapping[str, Key] = {
    row.key: Key(name, row.form, row.has_value, row.is_set) for name, row in _KINDS if row.form != "negative"
}
KEY_OF_KIND = {key.kind: name for name, key in KEYS.items()}

# In the list `negative`: pairs without such a mark do not have the property.
NEGATIVE = {row.key: name for name, row in _KINDS if row.form == "negative"}
# Colours of lines that the site itself does not know: programs draw them as pictures for it.
LINE_COLOURS = {row.key: row.colour for _, row in _KINDS if row.colour}
# Drawings; those that are not pictures of constraints may stand for rules.
DRAWN = {"line": "line", "rectangle": "rectangle", "circle": "circle", "text": "text", "cage": "outline"}
# Keys of a drawing that a program made as the picture of a constraint in the same puzzle.
IS_PICTURE = ("fromConstraint", "isNewConstraint", "fromRangskSolver")
# Keys about the whole puzzle, its display, and solving by hand: what is read of each; an empty text for nothing.
OTHER: Mapping[str, str] = {
    "size": "the side of the grid",
    "grid": "the cells",
    "title": "the name",
    "author": "the name, after the title",
    "solution": "the solution, for `solve --compare`",
    "negative": ", ".join(f"`{word}`: `{name}`" for word, name in NEGATIVE.items()),
    "diagonal+": "both: the rule `diagonals`; alone: `diagonal 1`",
    "diagonal-": "both: the rule `diagonals`; alone: `diagonal -1`",
    "ruleset": "",
    "successMessage": "",
    "msgcorrect": "",
    "highlightConflicts": "",
    "disabledlogic": "",
    "truecandidatesoptions": "",
    "fogofwar": "",
    "foglight": "",
}
# The numbers of `diagonal`: the one that falls to the right, and the one that rises.
DIAGONALS = {"diagonal-": -1, "diagonal+": 1}

# The keys of a cell that belong to the puzzle, with what each says; others are notes of the player, and colours.
CELL_MEANING: Mapping[str, str] = {
    "value": "a given, if it has `given`; else a player entered it, and it is left out",
    "given": "whether the value is a given",
    "region": "the region; by default the usual boxes. Regions that no board has are extra regions on a Latin square",
    "givenPencilMarks": "pencilmarks",
}
# The keys of a constraint object with a meaning; see LOOKS for the others.
MEANING = ("cell", "cells", "lines", "value", "values", "cloneCells", "direction")
# Colours and sizes, and notes of programs on the origin of an object.
LOOKS = (
    "outlineC",
    "baseC",
    "fontC",
    "lineC",
    "fillC",
    "size",
    "width",
    "height",
    "angle",
    "opacity",
    "text",
    "isNewConstraint",
    "fromConstraint",
    "fromRangskSolver",
    "isLLConstraint",
)
USED_BY_FORM = {
    "marks": {"cell"},
    "outside": {"cell", "value"},
    "diagonal": {"cell", "cells", "direction", "value"},
    "cells": {"cells"},
    "xv": {"cells", "value"},
    "quadruple": {"cells", "values"},
    "clone": {"cells", "cloneCells"},
    "arrow": {"cells", "lines"},
    "lines": {"lines"},
}
# Steps of rows and columns.
DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
# The sums of pairs with a letter.
XV_SUMS = {"X": 10, "V": 5}


def cells_of(item: JsonObject) -> tuple[int, list[JsonObject]]:
    """Return the side of the grid, and the objects of its cells.

    Raises:
        FormatError: the grid is not a square of objects, or one of them has a misspelt key.
    """
    grid = item.get("grid")
    if not isinstance(grid, list) or len(grid) < 2:
        raise FormatError('"grid" must be a list of rows, each a list of objects, such as {"value": 5, "given": true}')
    n = len(grid)
    if n > MAX_SQUARE:
        raise FormatError(f"a grid of {n} rows; a board may have {MAX_SQUARE}")
    if item.get("size", n) != n:
        raise FormatError(f'"size" is {shown(item["size"])}, and "grid" has {n} rows')
    for number, row in enumerate(grid, 1):
        if not isinstance(row, list) or len(row) != n or not all(isinstance(cell, dict) for cell in row):
            raise FormatError(f'row {number} of "grid" must be a list of {n} objects, such as {{"value": 5}}')
        for cell in row:
            refuse_misspelt(cell, CELL_MEANING)
    return n, [cell for row in grid for cell in row]


def regions_of(n: int, cells: Sequence[JsonObject]) -> list[int | None]:
    """Return for each cell the number of its region, None if it is in no region; names get numbers after the others.

    Raises:
        FormatError: a region is neither a number nor a name.
    """
    regions: list[int | None] = []
    numbers: dict[str, int] = {}
    for number, (cell, usual) in enumerate(zip(cells, default_regions(n), strict=True)):
        region = cell.get("region", usual)
        if isinstance(region, str) and re.fullmatch("[0-9A-Za-z]{1,3}", region):
            # So "1" and 1 are one region.
            region = int(region) if region.isdigit() else numbers.setdefault(region, n * n + len(numbers))
        if region is not None and type(region) is not int:
            raise FormatError(
                f'"region" of r{number // n + 1}c{number % n + 1} is {shown(region)}; it is a number, a letter or null'
            )
        regions.append(region)
    return regions
