"""SudokuPad: givens, regions, cages and the title; all else in it is only drawn, and its rules are words.

A file has objects of JSON, one a line or in a list, or links that hold them, one a line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats import lz, sudokupad_zip
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_board import board_of
from sudoku_encode.formats.f_puzzles_constraints import whole
from sudoku_encode.formats.f_puzzles_keys import KEY_OF_KIND
from sudoku_encode.formats.f_puzzles_reading import drawn_remark, name_of, require_one_blank, solution_of
from sudoku_encode.formats.json_objects import JsonObject, objects, refuse_misspelt, shown
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.boards import MAX_SQUARE
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.puzzle import Puzzle

_DATA = re.compile(r"(?:.*[/=])?(?:scl|ctc)(\S+)")
_METADATA = re.compile(r"\s*([A-Za-z]+)\s*:(.*)", re.DOTALL)
# What holds in the whole grid, by its name there.
GLOBAL = {"antiknight": "anti-knight", "antiking": "anti-king"}
# What says something of the puzzle, by where it stands; other keys are of how it is shown.
_KEYS = ("cells", "regions", "cages", "global", "metadata", "title")
_CAGE_KEYS = ("cells", "value", "sum", "unique")
_CELL_KEYS = ("value", "given")
_DRAWN = {"lines": "line", "arrows": "arrow", "overlays": "shape", "underlays": "shape below the grid"}


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text.

    Raises:
        FormatError: a constraint that can only be drawn there.
    """
    board = puzzle.geometry
    n = board.n_values
    givens = [{"value": str(value)} if value else {} for value in puzzle.givens.tolist()]
    item: JsonObject = {"metadata": {"title": puzzle.name}} if puzzle.name else {}
    item["cells"] = [givens[start : start + n] for start in range(0, n * n, n)]
    units = [unit for rule in board.rules if rule.name in ("box", "region") for unit in rule.units.tolist()]
    item["regions"] = [_pairs(unit, n) for unit in units]
    for constraint in puzzle.constraints:
        if constraint.kind in GLOBAL.values():
            item.setdefault("global", []).extend(name for name, kind in GLOBAL.items() if kind == constraint.kind)
        elif constraint.kind in ("cage", "extra-region", "sum"):
            cage: JsonObject = {"cells": _pairs(constraint.cells[0], n), "unique": constraint.kind != "sum"}
            if constraint.numbers:
                cage |= {"value": str(constraint.numbers[0]), "sum": constraint.numbers[0]}
            item.setdefault("cages", []).append(cage)
        else:
            other = "f-puzzles-link can say it, and opens there" if constraint.kind in KEY_OF_KIND else "iss can say it"
            raise FormatError(f"SudokuPad can only draw `{constraint.kind}`; {other}")
    return json.dumps(item, separators=(",", ":"))


def write_all(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a line for each puzzle."""
    for puzzle in puzzles:
        yield write(puzzle) + "\n"


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one.

    Raises:
        FormatError: not JSON.
    """
    if setting.format not in (None, "sudokupad"):
        raise FormatError(f"this is sudokupad, not {setting.format}", setting.source)
    lines = [line.strip() for line in text.splitlines()]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    found: Iterable[tuple[int, Any]] = enumerate(lines, 1)
    if first.startswith(("{", "[")):
        found = objects(text, setting.source)
    for number, one in found:
        try:
            if not isinstance(one, str):
                yield _entry(one, setting, number)
            elif one and not one.startswith("#"):
                yield _entry(_unpacked(one), setting, number)
        except (FormatError, GeometryError) as error:
            what = error.message if isinstance(error, FormatError) else str(error)
            yield Entry(FormatError(what, setting.source, number), number)


def _unpacked(link: str) -> JsonObject:
    """Return the object that a link holds."""
    match = _DATA.fullmatch(link)
    if not match:
        raise FormatError("no link that holds a puzzle, such as https://sudokupad.app/sclN4Ig...; others need the site")
    try:
        found = sudokupad_zip.loaded(lz.unpacked(match[1]))
    except (ValueError, RecursionError) as error:
        raise FormatError("the link is damaged: it holds no JSON") from error
    if not isinstance(found, dict):
        raise FormatError(f"the link holds {shown(found)} where it should hold an object")
    return found


def _entry(item: JsonObject, setting: Setting, line: int) -> Entry:
    """Return the puzzle of an object, with its solution and what is to be said of it."""
    refuse_misspelt(item, (*_KEYS, *_DRAWN), _KEYS)
    rows = item.get("cells")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise FormatError('"cells" must be a list of rows, each a list of objects, such as {"value": 5}')
    if any(len(row) != len(rows) for row in rows) or len(rows) > MAX_SQUARE:
        raise FormatError(f"{len(rows)} rows of {len(rows[0])} cells; a board is a square of at most {MAX_SQUARE}")
    n = len(rows)
    regions = [_cells(region, n, "regions") for region in _list(item, "regions")]
    board, constraints = board_of(n, _numbers(regions, n), setting.boards)
    if setting.geometry is not None:
        if setting.geometry.shape != (n, n):
            raise FormatError(f"{n} rows and {n} columns, not those of {setting.geometry.name}")
        board, constraints = setting.geometry, ()
    about = _about(item)
    cages, drawn = _cages(item, n)
    wide = [name for name in GLOBAL if str(about.get(name, "false")).strip().lower() not in ("", "false")]
    for name in _list(item, "global"):
        if not isinstance(name, str) or name not in GLOBAL:
            raise FormatError(f"global {shown(name)}: known are {', '.join(GLOBAL)}")
        wide.append(name)
    constraints += tuple(Constraint(GLOBAL[name]) for name in dict.fromkeys(wide))
    if setting.rules is not None:
        board = board.with_rules(setting.rules)
    cells = [cell for row in rows for cell in row]
    givens = [_given(cell, at, n) for at, cell in enumerate(cells)]
    require_one_blank([None if cell.get("given") is False else cell.get("value") for cell in cells], givens, n)
    puzzle = Puzzle.of(board, givens, name=name_of(about), constraints=(*constraints, *cages))
    answer, unread = solution_of(about, n)
    counts = {name: len(_list(item, key)) for key, name in _DRAWN.items()} | {"outline": drawn}
    no_regions = "" if regions else "it has no regions, so that its rules are those of rows and columns alone"
    return Entry(puzzle, line, answer, tuple(filter(None, (no_regions, drawn_remark(counts), unread))))


def _list(item: JsonObject, key: str) -> list[Any]:
    value = item.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} is {shown(value)}; it is a list")
    return value


def _numbers(regions: Sequence[Sequence[int]], n: int) -> list[int | None]:
    """Return for each cell the number of its region.

    Raises:
        FormatError: the regions are those of a smaller grid, or two of them share a cell.
    """
    found: list[int | None] = [None] * (n * n)
    for number, region in enumerate(regions):
        for cell in region:
            if found[cell] is not None:
                raise FormatError(f"r{cell // n + 1}c{cell % n + 1} is in two regions")
            found[cell] = number
    # A grid is drawn inside a larger one where there are clues beside it.
    if regions and None in found and len({len(region) for region in regions}) == 1 and len(regions) == len(regions[0]):
        raise FormatError(f"{n} rows, and {len(regions)} regions of as many cells: a grid with a margin is not read")
    return found


def _cells(pairs: object, n: int, key: str) -> tuple[int, ...]:
    """Return the cells of a list of pairs: the row and the column, from 0."""
    found = []
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(at) is int and 0 <= at < n for at in pair)):
            raise FormatError(f"{key}: {json.dumps(pair)[:40]} is no cell; write a row and a column from 0 to {n - 1}")
        found.append(pair[0] * n + pair[1])
    return tuple(dict.fromkeys(found))


def _about(item: JsonObject) -> JsonObject:
    """Return what is said of the whole puzzle: in an object, or in the texts of cages without cells."""
    metadata = item.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise FormatError(f"metadata is {shown(metadata)}; it is an object")
    found = {"title": item["title"]} if item.get("title") else {}
    for cage in _list(item, "cages"):
        if isinstance(cage, dict) and not cage.get("cells") and (match := _METADATA.match(str(cage.get("value", "")))):
            found[match[1].lower()] = match[2].strip()
    return found | metadata


def _cages(item: JsonObject, n: int) -> tuple[list[Constraint], int]:
    """Return the cages that say what holds in them, and how many are only drawn."""
    found, drawn = [], 0
    for cage in _list(item, "cages"):
        if not isinstance(cage, dict):
            raise FormatError(f"cages: {shown(cage)}; a cage is an object")
        refuse_misspelt(cage, _CAGE_KEYS)
        if not cage.get("cells"):
            continue
        cells = _cells(cage["cells"], n, "cages")
        is_set = cage.get("unique") is True
        total = whole(cage.get("sum") or (cage.get("value") if is_set else None))
        if is_set:
            found.append(Constraint("cage", (cells,), (total,) if total else ()))
        elif total:
            found.append(Constraint("sum", (cells,), (total,)))
        drawn += not is_set and not total
    return found, drawn


def _given(cell: object, at: int, n: int) -> int:
    if not isinstance(cell, dict):
        raise FormatError(f"r{at // n + 1}c{at % n + 1} is {shown(cell)}; a cell is an object")
    refuse_misspelt(cell, _CELL_KEYS)
    number = whole(cell.get("value")) if cell.get("given") is not False else 0
    if number is None or number > n:
        raise FormatError(f"r{at // n + 1}c{at % n + 1} holds {shown(cell['value'])}; values go from 1 to {n}")
    return number


def _pairs(cells: Iterable[int], n: int) -> list[list[int]]:
    return [list(divmod(cell, n)) for cell in cells]
