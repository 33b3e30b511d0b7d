"""From objects of f-puzzles to puzzles."""

from collections.abc import Mapping, Sequence

import numpy as np

from sudoku_encode.errors import FormatError, plural
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_board import board_of, cells_of, diagonal, regions_of
from sudoku_encode.formats.f_puzzles_constraints import constraints_of, is_on, list_of, whole
from sudoku_encode.formats.f_puzzles_keys import DIAGONALS, DRAWN, IS_PICTURE, KEYS, LOOKS, MEANING
from sudoku_encode.formats.json_objects import JsonObject, one_line, shown
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def entry_of(item: JsonObject, setting: Setting, line: int | None = None) -> Entry:
    """Return the puzzle of an object, with the solution beside it and what is to be said of what is only drawn.

    Raises:
        FormatError: the object says something that is not read; the message names it.
        GeometryError: there is no such board, or the caller's rules are not on it.
    """
    n, cells = cells_of(item)
    flags = [key for key in DIAGONALS if is_on(item, key)]
    are_named = any("region" in cell for cell in cells)
    board, constraints = _board(setting, n, regions_of(n, cells), flags, are_named=are_named)
    if not {"diagonal", "antidiagonal"} <= set(board.rule_names):
        constraints += tuple(Constraint("extra-region", (diagonal(n, key),)) for key in flags)
    if setting.rules is not None:
        board = board.with_rules(setting.rules)
    given = [_given(cell, at, n) for at, cell in enumerate(cells)]
    require_one_blank([cell.get("value") if cell.get("given") is True else None for cell in cells], given, n)
    constraints += tuple(constraints_of(item, n))
    found = Puzzle.of(board, given, _pencilmarks(cells, board), name_of(item), constraints)
    answer, unread = solution_of(item, n)
    remarks = (_entered(cells), drawn_remark(_drawn(item, cells)), _unread_keys(item), unread)
    return Entry(found, line, answer, tuple(filter(None, remarks)))


def _board(
    setting: Setting, n: int, regions: Sequence[int | None], flags: Sequence[str], *, are_named: bool
) -> tuple[Geometry, tuple[Constraint, ...]]:
    """Return the board, that of the caller where there is one, and constraints for what no board has."""
    if setting.geometry is not None:
        if setting.geometry.shape != (n, n):
            raise FormatError(f"{n} rows and {n} columns, not those of {setting.geometry.name}")
        return setting.geometry, ()
    extra = ["diagonals"] if len(flags) == len(DIAGONALS) else []
    return board_of(n, regions, setting.boards, extra, are_named=are_named)


def drawn_remark(counts: Mapping[str, int]) -> str:
    """Say that what is drawn may stand for rules, which are not read; an empty text where nothing is."""
    drawn = ", ".join(f"{count} {plural(name, count)}" for name, count in counts.items() if count)
    return drawn and f"drawn without a constraint: {drawn}; rules that these stand for are not read"


def _unread_keys(item: JsonObject) -> str:
    """Return the remark on keys of constraints that may say something, but are not read; an empty text without any."""
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
    """Raise FormatError where the value 0 may be a blank or a value of cells, since others have no value.

    Args:
        values: of the cells, None or an empty text where one has none.
        givens: the values as numbers, 0 for a blank.
        n: the side of the grid.
    """
    are_blank = [value is None or not str(value).strip() for value in values]
    zeros = sum(not given and not is_blank for is_blank, given in zip(are_blank, givens, strict=True))
    # A value is at most once in each row.
    if 0 < zeros <= n and any(are_blank) and n not in givens:
        raise FormatError(f"0 may be a blank or a value, since other cells have no value, and none is {n}; leave 0 out")


def _given(cell: JsonObject, at: int, n: int) -> int:
    """Return the given of a cell, 0 where it has none: a value that is no given is what a player entered."""
    if cell.get("given") is not True:
        return 0
    value = cell.get("value", 0)
    number = whole(value)
    if number is None or not 0 <= number <= n:
        raise FormatError(f'"value" of r{at // n + 1}c{at % n + 1} is {shown(value)}; values go from 1 to {n}')
    return number


def _pencilmarks(cells: Sequence[JsonObject], board: Geometry) -> Candidates | None:
    """Return what blanks may hold where the puzzle says so; None where it nowhere does."""
    n = board.n_values
    marks = np.ones((board.n_cells, n), bool)
    for at, cell in enumerate(cells):
        allowed = cell.get("givenPencilMarks")
        if not allowed or cell.get("given") is True:
            continue
        if not isinstance(allowed, list) or not all(type(value) is int and 1 <= value <= n for value in allowed):
            raise FormatError(f'"givenPencilMarks" of {board.cell_name(at)} must be a list of values from 1 to {n}')
        marks[at] = False
        marks[at, [value - 1 for value in allowed]] = True
    return None if marks.all() else marks


def name_of(item: JsonObject) -> str:
    """Return what a puzzle is called: its title and author, where there are any."""
    title, author = (one_line(str(item.get(key) or "")).strip() for key in ("title", "author"))
    return f"{title}, by {author}" if title and author else title or author


def _entered(cells: Sequence[JsonObject]) -> str:
    entered = sum(bool(cell.get("value")) and cell.get("given") is not True for cell in cells)
    left_out = f"{plural('value', entered)} without the mark of a given {'is' if entered == 1 else 'are'} left out"
    return f"{entered} {left_out}, as what a player entered" if entered else ""


def _drawn(item: JsonObject, cells: Sequence[JsonObject]) -> dict[str, int]:
    """Return how many things of each kind are drawn that are no pictures of constraints."""
    found: dict[str, int] = {}
    # Old programs did not mark their pictures, but drew along the lines of constraints.
    lines = [one["lines"] for key, row in KEYS.items() if row.form == "lines" for one in _objects(item, key)]
    for key, name in DRAWN.items():
        entries = [one for one in _objects(item, key) if one.get("lines", "") not in lines]
        found[name] = sum(not any(one.get(mark) for mark in IS_PICTURE) for one in entries)
    found["coloured cell"] = sum(bool(cell.get("c") or cell.get("cArray")) for cell in cells)
    return found


def _objects(item: JsonObject, key: str) -> list[JsonObject]:
    return [one for one in list_of(item, key) if isinstance(one, dict)]


def solution_of(item: JsonObject, n: int) -> tuple[str, str]:
    """Return the solution beside the puzzle as text, and why it is not read; empty texts where there is none."""
    given = item.get("solution")
    if not given:
        return "", ""
    values = list(given) if isinstance(given, list | str) else []
    numbers = [whole(value) for value in values]
    if len(numbers) != n * n or not all(numbers):
        return "", f"its solution is not read, since it does not have {n * n} values"
    return ("" if n <= 9 else ",").join(map(str, numbers)), ""
