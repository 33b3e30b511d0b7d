"""The constraints of an f-puzzles object."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.f_puzzles_keys import (
    DIRECTIONS,
    DRAWN,
    KEYS,
    MEANING,
    NEGATIVE,
    OTHER,
    USED_BY_FORM,
    XV_SUMS,
    Key,
)
from sudoku_encode.formats.json_objects import JsonObject, refuse_misspelt, shown
from sudoku_encode.puzzles.constraint import Constraint

_CELL = re.compile(r"\s*R(\d{1,3})C(\d{1,3})\s*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\s*(\d{1,6})\s*", re.ASCII)


class _Here(NamedTuple):
    """Where in a text an object of a constraint is: its key, its number from 1, and the side of the grid."""

    key: str
    number: int
    n: int

    def error(self, message: str) -> FormatError:
        return FormatError(f"{self.key} {self.number}: {message}")


def constraints_of(item: JsonObject, n: int) -> Iterator[Constraint]:
    """Yield the constraints of an object in their order, but for its regions and diagonals.

    Raises:
        FormatError: a key that is not known and says something, or a constraint that cannot be read.
    """
    if wrong := [key for key in item if key not in KEYS and key not in OTHER and key not in DRAWN and item[key]]:
        raise FormatError(
            f"{', '.join(short(key, 30) for key in wrong)}: no constraint of f-puzzles that is known here"
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
    """Return the number that a value is, or a text of digits; 0 for none and for an empty text, None for others."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return 0
    match = _NUMBER.fullmatch(str(value)) if type(value) in (int, str) else None
    return int(match[1]) if match else None


def list_of(item: JsonObject, key: str) -> list[object]:
    """Return the list of a key, an empty one where there is none."""
    value = item.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} is {shown(value)}; it is a list")
    return value


def is_on(item: JsonObject, key: str) -> bool:
    """Say whether a key is true; without it, it is not."""
    value = item.get(key) or False
    if type(value) is not bool:
        raise FormatError(f"{key} is {shown(value)}; it is true or false")
    return value


def _kind_of_flag(name: str, key: Key, item: JsonObject) -> str:
    """Return the kind of a flag. Beside black dots, these may mark neighbours that are consecutive as well."""
    return "negative-difference" if name == "nonconsecutive" and list_of(item, "ratio") else key.kind


def _negative_numbers(item: JsonObject, word: str, n: int) -> tuple[int, ...]:
    """Return the numbers that do not hold elsewhere: those of all dots, where these say others than the usual one."""
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
        here = _Here(name, number, n)
        if not isinstance(entry, dict):
            raise here.error(f'{shown(entry)}; it is an object, such as {{"cells": ["R1C1"]}}')
        refuse_misspelt(entry, MEANING)
        used = USED_BY_FORM[key.form] | ({"value"} if key.has_value else set())
        if wrong := [word for word in MEANING if word not in used and entry.get(word)]:
            raise here.error(f"{wrong[0]}: what that means here is not known")
        if key.form == "marks":
            marked += _cells(here, [entry.get("cell")])
        else:
            yield from _FORMS[key.form](here, key, entry)
    if marked:
        yield Constraint(key.kind, (tuple(dict.fromkeys(marked)),))


def _value(here: _Here, entry: JsonObject) -> tuple[int, ...]:
    """Return the number of an object; none where it is empty or 0."""
    number = whole(entry.get("value"))
    if number is None:
        raise here.error(f"value {shown(entry['value'])}; it is a number")
    return (number,) if number else ()


def _place(here: _Here, word: object) -> tuple[int, int]:
    """Return the row and the column of a cell, from 0; -1 and n are beside the grid."""
    match = _CELL.fullmatch(word) if isinstance(word, str) else None
    if not match:
        raise here.error(f"{shown(word)} is no cell, such as R1C1")
    return int(match[1]) - 1, int(match[2]) - 1


def _cells(here: _Here, words: object, is_set: bool = False) -> tuple[int, ...]:
    if not isinstance(words, list):
        raise here.error(f'{shown(words)} is no list of cells, such as ["R1C1", "R1C2"]')
    found = []
    for word in words:
        row, column = _place(here, word)
        if not (0 <= row < here.n and 0 <= column < here.n):
            raise here.error(f"{word.strip()} is not on the grid of {here.n} rows and columns")
        found.append(row * here.n + column)
    return tuple(dict.fromkeys(found)) if is_set else tuple(found)


def _lines(here: _Here, entry: JsonObject) -> Iterator[tuple[int, ...]]:
    lines = entry.get("lines")
    if not isinstance(lines, list):
        raise here.error(f'lines {shown(lines)}; they are lists of cells, such as [["R1C1", "R1C2"]]')
    for line in lines:
        yield _cells(here, line)


def _of_cells(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    cells = _cells(here, entry.get("cells"), key.is_set)
    # Those of a single cell say nothing.
    if key.kind != "extra-region" or len(cells) > 1:
        yield Constraint(key.kind, (cells,), _value(here, entry))


def _of_xv(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    value = entry.get("value")
    # Without a letter it is a picture of none.
    if value in (None, ""):
        return
    if str(value).strip().upper() not in XV_SUMS:
        raise here.error(f"value {shown(value)}; it is X or V")
    yield Constraint(key.kind, (_cells(here, entry.get("cells")),), (XV_SUMS[str(value).strip().upper()],))


def _of_quadruple(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    values = entry.get("values") or []
    numbers = [whole(value) for value in values] if isinstance(values, list) else [None]
    if not all(numbers):
        raise here.error(f"values {shown(values)}; they are a list of numbers")
    if numbers:
        yield Constraint(key.kind, (_cells(here, entry.get("cells"), is_set=True),), tuple(filter(None, numbers)))


def _of_clone(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    both = _cells(here, entry.get("cells")), _cells(here, entry.get("cloneCells"))
    if len(both[0]) != len(both[1]):
        raise here.error(f"{len(both[0])} cells and {len(both[1])} cloneCells")
    # A cell that is in both at one place is equal to itself.
    pairs = [pair for pair in zip(*both, strict=True) if pair[0] != pair[1]]
    if pairs:
        yield Constraint(key.kind, (tuple(first for first, _ in pairs), tuple(second for _, second in pairs)))


def _of_arrow(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    circle = tuple(sorted(_cells(here, entry.get("cells"), is_set=True)))
    for line in _lines(here, entry):
        if line and line[0] not in circle:
            raise here.error("a line begins outside the circle")
        # The first cell is that of the circle from which it starts.
        if line[1:]:
            yield Constraint(key.kind, (circle, line[1:]))


def _of_lines(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    numbers = _value(here, entry)
    for line in _lines(here, entry):
        cells = tuple(dict.fromkeys(line)) if key.is_set else line
        # A line of a single cell says nothing.
        if len(cells) > 1:
            yield Constraint(key.kind, (cells,), numbers)


def _of_outside(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    """Yield a clue beside a row or a column, whose cells are read from the clue on."""
    # A sandwich of 0 has a meaning; of the others no number is 0.
    numbers = _value(here, entry) or ((0,) if key.kind == "sandwich" and str(entry.get("value")).strip() == "0" else ())
    n, (row, column) = here.n, _place(here, entry.get("cell"))
    across, down = 0 <= row < n and column in (-1, n), 0 <= column < n and row in (-1, n)
    if not (across or down):
        raise here.error(f"{entry.get('cell')} is not beside a row or a column, such as R1C0 or R0C1")
    cells = [row * n + at if across else at * n + column for at in range(n)]
    if numbers:
        yield Constraint(key.kind, (tuple(cells[::-1] if n in (row, column) else cells),), numbers)


def _of_diagonal(here: _Here, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    """Yield a sum along a diagonal, whose first cell is a step from its clue."""
    if not (numbers := _value(here, entry)):
        return
    direction = entry.get("direction")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise here.error(f"direction {shown(direction)}; it is one of {', '.join(DIRECTIONS)}")
    down, right = DIRECTIONS[direction]
    row, column = _place(here, entry.get("cell"))
    cells, n = [], here.n
    while 0 <= (row := row + down) < n and 0 <= (column := column + right) < n:
        cells.append(row * n + column)
    if not cells:
        raise here.error(f"no diagonal goes {direction} from {entry.get('cell')}")
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
