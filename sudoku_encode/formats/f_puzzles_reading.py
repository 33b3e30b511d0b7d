"""From objects of f-puzzles to puzzles."""

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sudoku_encode.errors import FormatError, plural
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_constraints import (
    Origin,
    constraints_of,
    is_on,
    is_unknown,
    list_of,
    named_cells,
    whole,
)
from sudoku_encode.formats.f_puzzles_keys import (
    DIAGONALS,
    DRAWN,
    IS_PICTURE,
    KEYS,
    LOOKS,
    MEANING,
    cells_of,
    regions_of,
)
from sudoku_encode.formats.json_objects import JsonObject, one_line, shown
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.region_maps import board_of
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

NO_REGIONS = "it has no regions, so only its rows and columns are rules"


def entry_of(item: JsonObject, setting: Setting, line: int | None = None) -> Entry:
    """Return the puzzle of an object, with its stored solution and remarks on drawings.

    Raises:
        FormatError: the object contains something that cannot be read; the message names it.
        GeometryError: there is no such board, or the caller's rules are not on it.
    """
    n, cells = cells_of(item)
    flags = [key for key in DIAGONALS if is_on(item, key)]
    are_named, regions = any("region" in cell for cell in cells), regions_of(n, cells)
    board, constraints = _board(setting, n, regions, flags, are_named=are_named)
    if not {"diagonal", "antidiagonal"} <= set(board.rule_names):
        constraints += tuple(Constraint("diagonal", (), (DIAGONALS[key],)) for key in flags)
    if setting.rules is not None:
        board = board.with_rules(setting.rules)
    given = [_given(cell, number, n) for number, cell in enumerate(cells)]
    require_one_blank([cell.get("value") if cell.get("given") is True else None for cell in cells], given, n)
    constraints += tuple(constraints_of(item, n))
    original = json.dumps(item, separators=(",", ":"))
    puzzle = Puzzle(board, given, _pencilmarks(cells, board), name_of(item), constraints, original)
    answer, unread = solution_of(item, n)
    no_regions = are_named and all(region is None for region in regions)
    remarks = (_entered(cells), NO_REGIONS * no_regions, drawn_remark(_drawn(item, cells)), _unread_keys(item), unread)
    return Entry(puzzle, line, answer, (*filter(None, remarks), *_remarks_on_values(item, n)))


def _remarks_on_values(item: JsonObject, n: int) -> Iterator[str]:
    """Yield the remarks on values that are read as none, and on cells that are listed twice."""
    for name, key in KEYS.items():
        for number, entry in enumerate(list_of(item, name) if key.form != "flag" else (), 1):
            # All others were refused.
            assert isinstance(entry, dict)
            value = entry.get("value") if key.has_value and key.kind != "sandwich" else None
            is_empty = value is None or not str(value).strip()
            if not is_empty and (is_unknown(value) or whole(value) == 0):
                yield f"{name} {number}: its value {shown(value)} is read as none"
            cells = named_cells(Origin(name, number, n), entry["cells"]) if key.is_set and key.form == "cells" else ()
            if len(set(cells)) < len(cells):
                yield f"{name} {number}: a cell that is listed twice is read once"


def _board(
    setting: Setting, n: int, regions: Sequence[int | None], flags: Sequence[str], *, are_named: bool
) -> tuple[Geometry, tuple[Constraint, ...]]:
    """Return the board, the caller's if there is one, and constraints for regions that no board has."""
    if setting.geometry is not None:
        if setting.geometry.shape != (n, n):
            raise FormatError(f"{n} rows and {n} columns, not those of {setting.geometry.name}")
        if not setting.geometry.first:
            raise FormatError(f"values from 1, not those of {setting.geometry.name}")
        return setting.geometry, ()
    extra = ["diagonals"] if len(flags) == len(DIAGONALS) else []
    return board_of(n, regions, setting.boards, extra, are_named=are_named)


def drawn_remark(counts: Mapping[str, int]) -> str:
    """Return the remark that drawings may stand for rules, which are not read; an empty text without drawings."""
    drawn = ", ".join(f"{count} {plural(name, count)}" for name, count in counts.items() if count)
    return drawn and f"drawn without a constraint: {drawn}; rules that these stand for are not read"


def _unread_keys(item: JsonObject) -> str:
    """Return the remark on keys of constraints that are not read; an empty text without such keys."""
    unread = {
        f"{key} of {name}"
        for name in KEYS
        for entry in (item[name] if isinstance(item.get(name), list) else ())
        if isinstance(entry, dict)
        for key, value in entry.items()
        if key not in (*MEANING, *LOOKS) and value not in (None, False, "", [], {})
    }
    return f"not read: {', '.join(sorted(map(one_line, unread)))}" if unread else ""


def require_one_blank(values: Sequence[object], givens: Sequence[int], n: int) -> None:
    """Raise FormatError if the value 0 may be a blank or a value, since other cells have no value.

    The values are None or an empty text for a cell without one, the givens the same as numbers, 0 for a blank.
    """
    are_blank = [value is None or not str(value).strip() for value in values]
    zeros = sum(not given and not is_blank for is_blank, given in zip(are_blank, givens, strict=True))
    # A value is at most once in each row.
    if 0 < zeros <= n and any(are_blank) and n not in givens:
        raise FormatError(f"0 may be a blank or a value, since other cells have no value, and none is {n}; leave 0 out")


def _given(cell: JsonObject, cell_number: int, n: int) -> int:
    """Return the given of a cell, 0 for a blank; values that are not givens were entered by a player."""
    if cell.get("given") is not True:
        return 0
    value = cell.get("value", 0)
    number = whole(value)
    if number is None or not 0 <= number <= n:
        raise FormatError(
            f'"value" of r{cell_number // n + 1}c{cell_number % n + 1} is {shown(value)}; values go from 1 to {n}'
        )
    return number


def _pencilmarks(cells: Sequence[JsonObject], board: Geometry) -> Candidates | None:
    """Return the pencilmarks that the puzzle gives; None if it gives none."""
    n = board.n_values
    marks = np.ones((board.n_cells, n), bool)
    for number, cell in enumerate(cells):
        allowed = cell.get("givenPencilMarks")
        if not allowed or cell.get("given") is True:
            continue
        if not isinstance(allowed, list) or not all(type(value) is int and 1 <= value <= n for value in allowed):
            raise FormatError(f'"givenPencilMarks" of {board.cell_name(number)} must be a list of values from 1 to {n}')
        marks[number] = False
        marks[number, [value - 1 for value in allowed]] = True
    return None if marks.all() else marks


def name_of(item: JsonObject) -> str:
    """Return the name of a puzzle: its title and author, as far as it has them."""
    title, author = (one_line(str(item.get(key) or "")).strip() for key in ("title", "author"))
    return f"{title}, by {author}" if title and author else title or author


def _entered(cells: Sequence[JsonObject]) -> str:
    entered = sum(bool(cell.get("value")) and cell.get("given") is not True for cell in cells)
    omitted = f"{plural('value', entered)} without the mark of a given {'is' if entered == 1 else 'are'} left out"
    return f"{entered} {omitted}: a player entered {'it' if entered == 1 else 'them'}" if entered else ""


def _drawn(item: JsonObject, cells: Sequence[JsonObject]) -> dict[str, int]:
    """Return the number of drawings of each kind that are not pictures of constraints."""
    counts: dict[str, int] = {}
    # Old programs did not mark their pictures, but drew along the lines of constraints.
    lines = [one["lines"] for key, row in KEYS.items() if row.form == "lines" for one in _objects(item, key)]
    for key, name in DRAWN.items():
        entries = [one for one in _objects(item, key) if one.get("lines", "") not in lines]
        counts[name] = sum(not any(one.get(mark) for mark in IS_PICTURE) for one in entries)
    counts["coloured cell"] = sum(bool(cell.get("c") or cell.get("cArray")) for cell in cells)
    return counts


def _objects(item: JsonObject, key: str) -> list[JsonObject]:
    return [one for one in list_of(item, key) if isinstance(one, dict)]


def solution_of(item: JsonObject, n: int) -> tuple[str, str]:
    """Return the stored solution as text, and a remark if it is not read; empty texts without one."""
    given = item.get("solution")
    if not given:
        return "", ""
    values = list(given) if isinstance(given, list | str) else []
    numbers = [whole(value) for value in values]
    if len(numbers) != n * n or not all(numbers):
        return "", f"its solution is not read, since it does not have {n * n} values"
    return ("" if n <= 9 else ",").join(map(str, numbers)), ""
