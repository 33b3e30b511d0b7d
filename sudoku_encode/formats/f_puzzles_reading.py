"""From objects of f-puzzles to puzzles."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, plural, short
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_keys import (
    DIAGONALS,
    DIRECTIONS,
    DRAWN,
    IS_PICTURE,
    KEYS,
    LOOKS,
    MEANING,
    NEGATIVE,
    OTHER,
    USED_BY_FORM,
    XV_SUMS,
    Key,
    cells_of,
    regions_of,
)
from sudoku_encode.formats.json_objects import JsonObject, one_line, refuse_misspelt, shown
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.region_maps import board_of
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# The constraints of an f-puzzles object.

_CELL = re.compile(r"\s*R(\d{1,3})C(\d{1,3})\s*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\s*(\d{1,6})\s*", re.ASCII)


class _Origin(NamedTuple):
    """The origin of a constraint, for errors: its key, its number from 1, and the side of the grid."""

    key: str
    number: int
    n: int

    def error(self, message: str) -> FormatError:
        return FormatError(f"{self.key} {self.number}: {message}")


def constraints_of(item: JsonObject, n: int) -> Iterator[Constraint]:
    """Yield the constraints of an object in their order, but for its regions and diagonals.

    Raises:
        FormatError: an unknown key that is not empty, or a constraint that cannot be read.
    """
    if wrong := [key for key in item if key not in KEYS and key not in OTHER and key not in DRAWN and item[key]]:
        raise FormatError(
            f"{', '.join(short(key, 30) for key in wrong)}: not a constraint of f-puzzles that is read here"
        )
    for name, value in item.items():
        if name == "negative":
            for word in list_of(item, name):
                if not isinstance(word, str) or word not in NEGATIVE:
                    raise FormatError(f"negative {shown(word)}: known are {', '.join(NEGATIVE)}")
                yield Constraint(NEGATIVE[word], (), _negative_numbers(item, word, n))
        elif name in KEYS and KEYS[name].form == "flag":
            if is_on(item, name):
                yield Constraint(_kind_of_flag(name, KEYS[name], item))
        elif name in KEYS and value:
            yield from _of_key(name, KEYS[name], list_of(item, name), n)


def whole(value: object) -> int | None:
    """Return the number that a value is, or a text of digits; 0 for null and an empty text, None for others."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return 0
    match = _NUMBER.fullmatch(str(value)) if type(value) in (int, str) else None
    return int(match[1]) if match else None


def list_of(item: JsonObject, key: str) -> list[object]:
    """Return the list of a key, an empty one by default."""
    value = item.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} is {shown(value)}; expected a list")
    return value


def is_on(item: JsonObject, key: str) -> bool:
    """Check whether a key is true; by default it is not."""
    value = item.get(key) or False
    if type(value) is not bool:
        raise FormatError(f"{key} is {shown(value)}; expected true or false")
    return value


def _kind_of_flag(name: str, key: Key, item: JsonObject) -> str:
    """Return the kind of a flag. Beside black dots, these may mark neighbours that are consecutive as well."""
    return "negative-difference" if name == "nonconsecutive" and list_of(item, "ratio") else key.kind


def _negative_numbers(item: JsonObject, word: str, n: int) -> tuple[int, ...]:
    """Return the numbers of a negative constraint: those of all dots, if they are not the usual one alone."""
    if word == "xv":
        return ()
    usual = {"difference": 1, "ratio": 2}[word]
    dots = _of_key(word, KEYS[word], list_of(item, word), n)
    values = {dot.numbers[0] if dot.numbers else usual for dot in dots}
    return () if values <= {usual} else tuple(sorted(values))


def _of_key(name: str, key: Key, entries: Sequence[object], n: int) -> Iterator[Constraint]:
    """Yield the constraints of the list of a key."""
    marked: list[int] = []
    for number, entry in enumerate(entries, 1):
        origin = _Origin(name, number, n)
        if not isinstance(entry, dict):
            raise origin.error(f'{shown(entry)}; expected an object, such as {{"cells": ["R1C1"]}}')
        refuse_misspelt(entry, MEANING)
        used = USED_BY_FORM[key.form] | ({"value"} if key.has_value else set())
        if wrong := [word for word in MEANING if word not in used and entry.get(word)]:
            raise origin.error(f"{wrong[0]}: this key has no known meaning here")
        if key.form == "marks":
            marked += _cells(origin, [entry.get("cell")])
        else:
            yield from _FORMS[key.form](origin, key, entry)
    if marked:
        yield Constraint(key.kind, (tuple(dict.fromkeys(marked)),))


def _value(origin: _Origin, entry: JsonObject) -> tuple[int, ...]:
    """Return the number of an object; none if it is empty or 0."""
    number = whole(entry.get("value"))
    if number is None:
        raise origin.error(f"value {shown(entry['value'])}; expected a number")
    return (number,) if number else ()


def _place(origin: _Origin, word: object) -> tuple[int, int]:
    """Return the row and the column of a cell, from 0; -1 and n are beside the grid."""
    match = _CELL.fullmatch(word) if isinstance(word, str) else None
    if not match:
        raise origin.error(f"{shown(word)} is not a cell, such as R1C1")
    return int(match[1]) - 1, int(match[2]) - 1


def _cells(origin: _Origin, words: object, is_set: bool = False) -> tuple[int, ...]:
    if not isinstance(words, list):
        raise origin.error(f'{shown(words)} is not a list of cells, such as ["R1C1", "R1C2"]')
    cells = []
    for word in words:
        row, column = _place(origin, word)
        if not (0 <= row < origin.n and 0 <= column < origin.n):
            raise origin.error(f"{word.strip()} is not on the grid of {origin.n} rows and columns")
        cells.append(row * origin.n + column)
    return tuple(dict.fromkeys(cells)) if is_set else tuple(cells)


def _lines(origin: _Origin, entry: JsonObject) -> Iterator[tuple[int, ...]]:
    lines = entry.get("lines")
    if not isinstance(lines, list):
        raise origin.error(f'lines {shown(lines)}; expected lists of cells, such as [["R1C1", "R1C2"]]')
    for line in lines:
        yield _cells(origin, line)


def _of_cells(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    cells = _cells(origin, entry.get("cells"), key.is_set)
    # A region of a single cell has no effect.
    if key.kind != "extra-region" or len(cells) > 1:
        yield Constraint(key.kind, (cells,), _value(origin, entry))


def _of_xv(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    value = entry.get("value")
    # Without a letter it is not a constraint.
    if value in (None, ""):
        return
    if str(value).strip().upper() not in XV_SUMS:
        raise origin.error(f"value {shown(value)}; expected X or V")
    yield Constraint(key.kind, (_cells(origin, entry.get("cells")),), (XV_SUMS[str(value).strip().upper()],))


def _of_quadruple(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    values = entry.get("values") or []
    numbers = [whole(value) for value in values] if isinstance(values, list) else [None]
    if not all(numbers):
        raise origin.error(f"values {shown(values)}; expected a list of numbers")
    if numbers:
        yield Constraint(key.kind, (_cells(origin, entry.get("cells"), is_set=True),), tuple(filter(None, numbers)))


def _of_clone(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    both = _cells(origin, entry.get("cells")), _cells(origin, entry.get("cloneCells"))
    if len(both[0]) != len(both[1]):
        raise origin.error(f"{len(both[0])} cells and {len(both[1])} cloneCells")
    # A cell that is in both at one place is equal to itself.
    pairs = [pair for pair in zip(*both, strict=True) if pair[0] != pair[1]]
    if pairs:
        yield Constraint(key.kind, (tuple(first for first, _ in pairs), tuple(second for _, second in pairs)))


def _of_arrow(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    circle = tuple(sorted(_cells(origin, entry.get("cells"), is_set=True)))
    for line in _lines(origin, entry):
        if line and line[0] not in circle:
            raise origin.error("a line begins outside the circle")
        # The first cell is that of the circle from which it starts.
        if line[1:]:
            yield Constraint(key.kind, (circle, line[1:]))


def _of_lines(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    numbers = _value(origin, entry)
    for line in _lines(origin, entry):
        cells = tuple(dict.fromkeys(line)) if key.is_set else line
        # A line of a single cell has no effect.
        if len(cells) > 1:
            yield Constraint(key.kind, (cells,), numbers)


def _of_outside(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    """Yield a clue beside a row or a column, whose cells are read from the clue on."""
    # Only a sandwich may be 0.
    numbers = _value(origin, entry) or (
        (0,) if key.kind == "sandwich" and str(entry.get("value")).strip() == "0" else ()
    )
    n, (row, column) = origin.n, _place(origin, entry.get("cell"))
    across, down = 0 <= row < n and column in (-1, n), 0 <= column < n and row in (-1, n)
    if not (across or down):
        raise origin.error(f"{entry.get('cell')} is not beside a row or a column, such as R1C0 or R0C1")
    cells = [row * n + step if across else step * n + column for step in range(n)]
    if numbers:
        yield Constraint(key.kind, (tuple(cells[::-1] if n in (row, column) else cells),), numbers)


def _of_diagonal(origin: _Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    """Yield a sum along a diagonal, whose first cell is a step from its clue."""
    if not (numbers := _value(origin, entry)):
        return
    direction = entry.get("direction")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise origin.error(f"direction {shown(direction)}; expected one of {', '.join(DIRECTIONS)}")
    down, right = DIRECTIONS[direction]
    row, column = _place(origin, entry.get("cell"))
    cells, n = [], origin.n
    while 0 <= (row := row + down) < n and 0 <= (column := column + right) < n:
        cells.append(row * n + column)
    if not cells:
        raise origin.error(f"no diagonal goes {direction} from {entry.get('cell')}")
    yield Constraint(key.kind, (tuple(cells),), numbers)


_FORMS = {
    "outside": _of_outside,
    "diagonal": _of_diagonal,
    "cells": _of_cells,
    "xv": _of_xv,
    "quadruple": _of_quadruple,
    "clone": _of_clone,
    "arrow": _of_arrow,
    "lines": _of_lines,
}


def entry_of(item: JsonObject, setting: Setting, line: int | None = None) -> Entry:
    """Return the puzzle of an object, with its stored solution and remarks on drawings.

    Raises:
        FormatError: the object contains something that cannot be read; the message names it.
        GeometryError: there is no such board, or the caller's rules are not on it.
    """
    n, cells = cells_of(item)
    flags = [key for key in DIAGONALS if is_on(item, key)]
    are_named = any("region" in cell for cell in cells)
    board, constraints = _board(setting, n, regions_of(n, cells), flags, are_named=are_named)
    if not {"diagonal", "antidiagonal"} <= set(board.rule_names):
        constraints += tuple(Constraint("diagonal", (), (DIAGONALS[key],)) for key in flags)
    if setting.rules is not None:
        board = board.with_rules(setting.rules)
    given = [_given(cell, number, n) for number, cell in enumerate(cells)]
    require_one_blank([cell.get("value") if cell.get("given") is True else None for cell in cells], given, n)
    constraints += tuple(constraints_of(item, n))
    puzzle = Puzzle.of(board, given, _pencilmarks(cells, board), name_of(item), constraints)
    answer, unread = solution_of(item, n)
    remarks = (_entered(cells), drawn_remark(_drawn(item, cells)), _unread_keys(item), unread)
    return Entry(puzzle, line, answer, tuple(filter(None, remarks)))


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
