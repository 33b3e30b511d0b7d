"""The constraints of f-puzzles objects."""

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
from sudoku_encode.puzzles.constraints.constraint import Constraint

_CELL = re.compile(r"\s*R(\d{1,3})C(\d{1,3})\s*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\s*(\d{1,6})\s*", re.ASCII)


class Origin(NamedTuple):
    """The origin of a constraint, for errors: its key, its number from 1, and the side of the grid."""

    key: str
    number: int
    n: int

    def error(self, message: str) -> FormatError:
        """Return an error about the constraint."""
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
        origin = Origin(name, number, n)
        if not isinstance(entry, dict):
            raise origin.error(f'{shown(entry)}; expected an object, such as {{"cells": ["R1C1"]}}')
        refuse_misspelt(entry, MEANING)
        used = USED_BY_FORM[key.form] | ({"value"} if key.has_value else set())
        if wrong := [word for word in MEANING if word not in used and entry.get(word)]:
            raise origin.error(f"{wrong[0]}: this key has no known meaning here")
        if key.form == "marks":
            marked += named_cells(origin, [entry.get("cell")])
        else:
            yield from _FORMS[key.form](origin, key, entry)
    if marked:
        yield Constraint(key.kind, (tuple(dict.fromkeys(marked)),))


def _value(origin: Origin, entry: JsonObject) -> tuple[int, ...]:
    """Return the number of an object; none if it is empty or 0."""
    value = entry.get("value")
    number = 0 if origin.key == "killercage" and is_unknown(value) else whole(value)
    if number is None:
        bounds = "; --constraint 'cage 3-5 r1c1 r1c2' says a sum from 3 to 5" * (origin.key == "killercage")
        raise origin.error(f"value {shown(value)}; expected a number, or none{bounds}")
    return (number,) if number else ()


def is_unknown(value: object) -> bool:
    """Check whether a text only says that there is a number, such as `?`."""
    return isinstance(value, str) and bool(value.strip()) and not value.strip(" ?")


def _place(origin: Origin, word: object) -> tuple[int, int]:
    """Return the row and the column of a cell, from 0; -1 and n are beside the grid."""
    match = _CELL.fullmatch(word) if isinstance(word, str) else None
    if not match:
        raise origin.error(f"{shown(word)} is not a cell, such as R1C1")
    return int(match[1]) - 1, int(match[2]) - 1


def named_cells(origin: Origin, words: object, is_set: bool = False) -> tuple[int, ...]:
    """Return the cells that a list names, each once if it is a set."""
    if not isinstance(words, list):
        raise origin.error(f'{shown(words)} is not a list of cells, such as ["R1C1", "R1C2"]')
    cells = []
    for word in words:
        row, column = _place(origin, word)
        if not (0 <= row < origin.n and 0 <= column < origin.n):
            raise origin.error(f"{word.strip()} is not on the grid of {origin.n} rows and columns")
        cells.append(row * origin.n + column)
    return tuple(dict.fromkeys(cells)) if is_set else tuple(cells)


def _lines(origin: Origin, entry: JsonObject) -> Iterator[tuple[int, ...]]:
    lines = entry.get("lines")
    if not isinstance(lines, list):
        raise origin.error(f'lines {shown(lines)}; expected lists of cells, such as [["R1C1", "R1C2"]]')
    for line in lines:
        yield named_cells(origin, line)


def _of_cells(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    cells = named_cells(origin, entry.get("cells"), key.is_set)
    # A region of a single cell has no effect.
    if key.kind != "extra-region" or len(cells) > 1:
        yield Constraint(key.kind, (cells,), _value(origin, entry))


def _of_xv(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    value = entry.get("value")
    # Without a letter it is not a constraint.
    if value in (None, ""):
        return
    if str(value).strip().upper() not in XV_SUMS:
        raise origin.error(f"value {shown(value)}; expected X or V")
    yield Constraint(key.kind, (named_cells(origin, entry.get("cells")),), (XV_SUMS[str(value).strip().upper()],))


def _of_quadruple(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    values = entry.get("values") or []
    numbers = [whole(value) for value in values] if isinstance(values, list) else [None]
    if not all(numbers):
        raise origin.error(f"values {shown(values)}; expected a list of numbers")
    if numbers:
        yield Constraint(
            key.kind, (named_cells(origin, entry.get("cells"), is_set=True),), tuple(filter(None, numbers))
        )


def _of_clone(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    both = named_cells(origin, entry.get("cells")), named_cells(origin, entry.get("cloneCells"))
    if len(both[0]) != len(both[1]):
        raise origin.error(f"{len(both[0])} cells and {len(both[1])} cloneCells")
    # A cell that is in both at one place is equal to itself.
    pairs = [pair for pair in zip(*both, strict=True) if pair[0] != pair[1]]
    if pairs:
        yield Constraint(key.kind, (tuple(first for first, _ in pairs), tuple(second for _, second in pairs)))


def _of_arrow(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    circle = tuple(sorted(named_cells(origin, entry.get("cells"), is_set=True)))
    for line in _lines(origin, entry):
        if line and line[0] not in circle:
            raise origin.error("a line begins outside the circle")
        # The first cell is that of the circle from which it starts.
        if line[1:]:
            yield Constraint(key.kind, (circle, line[1:]))


def _of_lines(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
    numbers = _value(origin, entry)
    for line in _lines(origin, entry):
        cells = tuple(dict.fromkeys(line)) if key.is_set else line
        # A line of a single cell has no effect.
        if len(cells) > 1:
            yield Constraint(key.kind, (cells,), numbers)


def _of_outside(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
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


def _of_diagonal(origin: Origin, key: Key, entry: JsonObject) -> Iterator[Constraint]:
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
