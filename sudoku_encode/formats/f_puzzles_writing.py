"""From puzzles to objects of f-puzzles."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.f_puzzles_keys import (
    CELL_MEANING,
    DIAGONALS,
    DIRECTIONS,
    DRAWN,
    KEY_OF_KIND,
    KEYS,
    LINE_COLOURS,
    NEGATIVE,
    OTHER,
    XV_SUMS,
)
from sudoku_encode.formats.f_puzzles_reading import name_of
from sudoku_encode.formats.json_objects import JsonObject
from sudoku_encode.formats.region_maps import default_regions
from sudoku_encode.puzzles.constraints.constraint import UNBOUNDED, Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import default_box


def object_of(puzzle: Puzzle) -> JsonObject:
    """Return the object of a puzzle.

    Raises:
        FormatError: f-puzzles cannot say something in the puzzle; the message names it.
    """
    n = puzzle.geometry.n_values
    item: JsonObject = {"size": n, "title": puzzle.name} if puzzle.name else {"size": n}
    cells = _cells(puzzle)
    item["grid"] = [cells[start : start + n] for start in range(0, n * n, n)]
    if "diagonal" in puzzle.geometry.rule_names:
        item |= dict.fromkeys(DIAGONALS, True)
    for constraint in puzzle.constraints:
        _add(item, constraint, puzzle)
    return item


def merged(item: JsonObject, original: JsonObject, name: str) -> JsonObject:
    """Return an object with the texts, drawings and notes of another one, from which its puzzle was made.

    The stored solution of the other is left out, since the puzzle has changed, and so are the looks of its constraints.
    """
    more = {key: value for key, value in original.items() if key in DRAWN or OTHER.get(key) == ""}
    if name == name_of(original):
        more |= {key: original[key] for key in ("title", "author") if key in original}
    if "line" in item:
        lines = original.get("line") or []
        drawn = [line.get("lines") for line in lines]
        more["line"] = [*lines, *(picture for picture in item["line"] if picture["lines"] not in drawn)]
    grid = [
        [cell | {key: old[key] for key in old if key not in CELL_MEANING} for cell, old in zip(*rows, strict=True)]
        for rows in zip(item["grid"], original["grid"], strict=True)
    ]
    return {**item, **more, "grid": grid}


def _cells(puzzle: Puzzle) -> list[JsonObject]:
    """Return the objects of the cells: givens, pencilmarks, and regions that are not the usual boxes."""
    board = puzzle.geometry
    cells: list[JsonObject] = [{"value": value, "given": True} if value else {} for value in puzzle.givens.tolist()]
    for cell, region in zip(cells, _regions(board), strict=True):
        if region != "usual":
            cell["region"] = region
    if puzzle.pencilmarks is not None:
        for number in puzzle.blanks.tolist():
            allowed = np.flatnonzero(puzzle.pencilmarks[number]) + 1
            if not len(allowed):
                raise FormatError(f"f-puzzles cannot say that {board.cell_name(number)} may hold no value")
            if len(allowed) < board.n_values:
                cells[number]["givenPencilMarks"] = allowed.tolist()
    return cells


def _regions(board: Geometry) -> Sequence[int | str | None]:
    """Return for each cell its region, or `usual`."""
    usual = ["usual"] * board.n_cells
    rules = [rule for rule in board.rules if rule.name in ("box", "region")]
    if not rules:
        # A board whose side is prime has no boxes, and there the usual regions are rows.
        return [None] * board.n_cells if board.name.startswith("latin:") else usual
    numbers = np.zeros(board.n_cells, int)
    for number, unit in enumerate(rules[0].units):
        numbers[unit] = number
    regions: list[int | str | None] = numbers.tolist()
    # Where the side is prime, rows are boxes only if they are named.
    is_usual = rules[0].name == "box" and default_box(board.n_values) and regions == default_regions(board.n_values)
    return usual if is_usual else regions


def _add(item: JsonObject, constraint: Constraint, puzzle: Puzzle) -> None:
    """Add a constraint to an object."""
    kind = constraint.kind
    if constraint.n_hidden(puzzle.geometry) > 0:
        raise _refusal(constraint, puzzle, "it has no hidden cells")
    if kind == "diagonal":
        item |= {name: True for name, number in DIAGONALS.items() if constraint.numbers in ((), (number,))}
        return
    beside_dots = any(other.kind == "ratio" for other in puzzle.constraints)
    if kind == "non-consecutive" and beside_dots:
        raise _refusal(constraint, puzzle, "beside `ratio` it means `negative-difference` there")
    if kind == "negative-difference":
        # f-puzzles supports only 1.
        if constraint.numbers not in ((), (1,)):
            raise _refusal(constraint, puzzle, "it has 1 alone there")
        item["nonconsecutive"] = True
    elif kind in NEGATIVE.values():
        if not _is_negative(constraint, puzzle):
            raise _refusal(constraint, puzzle, "its numbers there are those of the marks, or the usual ones")
        word = next(word for word, name in NEGATIVE.items() if name == kind)
        item.setdefault("negative", []).append(word)
    elif kind not in KEY_OF_KIND:
        raise FormatError(f"f-puzzles has no `{kind}`; it has {', '.join(KEY_OF_KIND)}")
    elif KEYS[KEY_OF_KIND[kind]].form == "flag":
        item[KEY_OF_KIND[kind]] = True
    else:
        _add_entries(item, constraint, puzzle)


def _add_entries(item: JsonObject, constraint: Constraint, puzzle: Puzzle) -> None:
    name = KEY_OF_KIND[constraint.kind]
    key, n = KEYS[name], puzzle.geometry.n_values
    if constraint.numbers == (0,) and constraint.kind != "sandwich":
        raise _refusal(constraint, puzzle, "0 means there that no number is given")
    if constraint.bounds != UNBOUNDED or (constraint.kind == "sandwich" and len(constraint.numbers) > 1):
        raise _refusal(constraint, puzzle, "its value is one number there")
    entries = _ENTRIES[key.form](constraint, n)
    if not entries:
        raise _refusal(constraint, puzzle, _WHY_NONE.get(key.form, ""))
    if key.has_value and constraint.numbers and key.form != "xv":
        for entry in entries:
            entry["value"] = str(constraint.numbers[0])
    item.setdefault(name, []).extend(entries)
    if name in LINE_COLOURS:
        # The site itself knows only the picture.
        picture = {"outlineC": LINE_COLOURS[name], "width": 0.25, "fromConstraint": name}
        item.setdefault("line", []).extend({"lines": entry["lines"], **picture} for entry in entries)


def _refusal(constraint: Constraint, puzzle: Puzzle, why: str) -> FormatError:
    return FormatError(f"f-puzzles cannot say `{constraint.text(puzzle.geometry)}`{': ' * bool(why)}{why}")


def _is_negative(constraint: Constraint, puzzle: Puzzle) -> bool:
    """Check whether the numbers are those that the word alone means with the marks of the puzzle."""
    if constraint.kind == "negative-xv":
        return set(constraint.numbers) in (set(), set(XV_SUMS.values()))
    dots = {dot.numbers[0] if dot.numbers else 2 for dot in puzzle.constraints if dot.kind == "ratio"}
    return set(constraint.numbers or (2,)) == (dots or {2})


def _name(cell: int, n: int) -> str:
    return f"R{cell // n + 1}C{cell % n + 1}"


def _names(cells: Sequence[int], n: int) -> list[str]:
    return [_name(cell, n) for cell in cells]


def _marks(constraint: Constraint, n: int) -> list[JsonObject]:
    return [{"cell": name} for name in _names(constraint.cells[0], n)]


def _of_cells(constraint: Constraint, n: int) -> list[JsonObject]:
    return [{"cells": _names(constraint.cells[0], n)}]


def _of_xv(constraint: Constraint, n: int) -> list[JsonObject]:
    letters = [letter for letter, total in XV_SUMS.items() if (total,) == constraint.numbers]
    return [{"cells": _names(constraint.cells[0], n), "value": letter} for letter in letters]


def _of_quadruple(constraint: Constraint, n: int) -> list[JsonObject]:
    return [{"cells": _names(constraint.cells[0], n), "values": list(constraint.numbers)}]


def _of_clone(constraint: Constraint, n: int) -> list[JsonObject]:
    cells, clones = constraint.cells
    return [{"cells": _names(cells, n), "cloneCells": _names(clones, n)}] if len(cells) == len(clones) else []


def _of_arrow(constraint: Constraint, n: int) -> list[JsonObject]:
    circle, line = constraint.cells
    if list(circle) != sorted(circle):
        return []
    # It starts at the nearest cell of the circle.
    start = min(circle, key=lambda cell: max(abs(cell // n - line[0] // n), abs(cell % n - line[0] % n)))
    return [{"lines": [_names([start, *line], n)], "cells": _names(circle, n)}]


def _of_lines(constraint: Constraint, n: int) -> list[JsonObject]:
    return [{"lines": [_names(constraint.cells[0], n)]}]


def _outside(constraint: Constraint, n: int) -> list[JsonObject]:
    (cells,) = constraint.cells
    first = cells[0]
    for number in range(n):
        across, down = tuple(range(number * n, number * n + n)), tuple(range(number, n * n, n))
        places = {across: (number, -1), across[::-1]: (number, n), down: (-1, number), down[::-1]: (n, number)}
        if cells in places and first in (across[0], across[-1], down[0], down[-1]):
            row, column = places[cells]
            return [{"cell": f"R{row + 1}C{column + 1}"}]
    return []


def _diagonal(constraint: Constraint, n: int) -> list[JsonObject]:
    (cells,) = constraint.cells
    row, column = divmod(cells[0], n)
    for word, (down, right) in DIRECTIONS.items():
        beside = row - down, column - right
        steps = range(min(n - row if down > 0 else row + 1, n - column if right > 0 else column + 1))
        walked = tuple((row + down * at) * n + column + right * at for at in steps)
        if walked == cells and not (0 <= beside[0] < n and 0 <= beside[1] < n):
            cell = f"R{beside[0] + 1}C{beside[1] + 1}"
            return [{"cell": cell, "cells": _names(cells, n), "direction": word}]
    return []


_ENTRIES: Mapping[str, Callable[[Constraint, int], list[JsonObject]]] = {
    "marks": _marks,
    "outside": _outside,
    "diagonal": _diagonal,
    "cells": _of_cells,
    "xv": _of_xv,
    "quadruple": _of_quadruple,
    "clone": _of_clone,
    "arrow": _of_arrow,
    "lines": _of_lines,
}
_WHY_NONE = {
    "outside": "it needs a whole row or column",
    "diagonal": "it needs a whole diagonal",
    "xv": "it has sums of 5 and 10 there",
    "clone": "its lists must be as long as each other",
    "arrow": "the cells of the circle must be in reading order",
}
