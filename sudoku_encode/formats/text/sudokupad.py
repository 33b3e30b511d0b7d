"""SudokuPad: givens, regions, cages and the title; everything else in it is only drawn, and its rules are prose.

A file contains JSON objects, one per line or in a list, or links that hold them, one per line.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats import lz
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.f_puzzles_constraints import whole
from sudoku_encode.formats.f_puzzles_keys import KEY_OF_KIND
from sudoku_encode.formats.f_puzzles_reading import NO_REGIONS, drawn_remark, name_of, require_one_blank, solution_of
from sudoku_encode.formats.json_objects import JsonObject, objects, refuse_misspelt, shown, unique_keys
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.region_maps import board_of
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.formats.text.links import entries_of_link
from sudoku_encode.puzzles.boards import MAX_SQUARE
from sudoku_encode.puzzles.constraints.constraint import UNBOUNDED, Constraint
from sudoku_encode.puzzles.puzzle import Puzzle

# The shortened JSON in SudokuPad's links: names without quotes, most of them short, and a few short values.
# Source: PuzzleZipper, as it is in public programs that write such links.

# The short names that are read here, each with the full name.
_NAMES = {
    "ce": "cells",
    "ca": "cages",
    "re": "regions",
    "v": "value",
    "t": "title",
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
}
_STRING = {quote: re.compile(rf"({quote}(?:[^{quote}\\]|\\.)*{quote})", re.DOTALL) for quote in "\"'"}
_KEY = re.compile(r"([,{\[])([A-Za-z0-9]+):")
_OMITTED = re.compile(r"([,\[])(?=[,\]])")
_WORD = re.compile(r":([ft]|#[0F]|[0-9A-Fa-f]{6})(?=[,}\]])")


def load_shortened(text: str) -> Any:
    """Return the value of a text, JSON or the shortened kind, with the names in full.

    Raises:
        FormatError: an object has a key twice.
        ValueError: the text is neither.
        RecursionError: it is nested too deep.
    """
    with suppress(ValueError):
        return json.loads(text, object_pairs_hook=unique_keys)
    quote = '"' if '"' in text else "'"
    segments = _STRING[quote].split(text)
    # Every second segment is a string: a colon or a brace in it means nothing.
    segments[::2] = [_as_json(segment) for segment in segments[::2]]
    if quote == "'":
        segments[1::2] = [_json_string(segment) for segment in segments[1::2]]
    return _with_full_names(json.loads("".join(segments), object_pairs_hook=unique_keys))


def _with_full_names(item: Any) -> Any:
    if isinstance(item, list):
        return [_with_full_names(value) for value in item]
    if isinstance(item, dict):
        return unique_keys([(_NAMES.get(key, str(key)), _with_full_names(value)) for key, value in item.items()])
    return item


def _as_json(segment: str) -> str:
    """Return a segment without strings as JSON."""
    segment = _KEY.sub(r'\1"\2":', segment)
    segment = _OMITTED.sub(r"\1{}", segment)
    return _WORD.sub(lambda match: ":" + _word(match[1]), segment)


def _word(word: str) -> str:
    return {"t": "true", "f": "false"}.get(word, f'"{word}"')


def _json_string(segment: str) -> str:
    """Return a string in single quotes as a JSON string; a quote in it may be of either kind."""
    return '"' + segment[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'


_DATA = re.compile(r"(?:.*[/=])?(?:scl|ctc)(\S+)")
_METADATA_TEXT = re.compile(r"\s*([A-Za-z]+)\s*:(.*)", re.DOTALL)
# Constraints on the whole grid, by their names there.
GLOBAL = {"antiknight": "anti-knight", "antiking": "anti-king"}
# Keys that say something about the puzzle, by their place; other keys say how it is displayed.
_KEYS = ("cells", "regions", "cages", "global", "metadata", "title")
_CAGE_KEYS = ("cells", "value", "sum", "unique")
_CELL_KEYS = ("value", "given")
_DRAWN = {"lines": "line", "arrows": "arrow", "overlays": "shape", "underlays": "shape below the grid"}


def write_sudokupad(puzzle: Puzzle) -> str:
    """Return one puzzle as text.

    Raises:
        FormatError: a constraint can only be drawn there.
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
        elif constraint.bounds != UNBOUNDED:
            raise FormatError(f"SudokuPad has no sums with bounds: `{constraint.text(board)}`")
        elif constraint.kind in ("cage", "extra-region", "sum"):
            cage: JsonObject = {"cells": _pairs(constraint.cells[0], n), "unique": constraint.kind != "sum"}
            if constraint.numbers:
                cage |= {"value": str(constraint.numbers[0]), "sum": constraint.numbers[0]}
            item.setdefault("cages", []).append(cage)
        else:
            # SudokuPad opens the link of f-puzzles with its own address in front.
            way = "--to f-puzzles-link, then sudokupad.app/fpuz instead of www.f-puzzles.com/?load="
            other = way if constraint.kind in KEY_OF_KIND else "--to iss writes it"
            raise FormatError(f"SudokuPad's own links cannot contain `{constraint.kind}`; {other}")
    return json.dumps(item, separators=(",", ":"))


def write_link(puzzle: Puzzle) -> str:
    """Return one puzzle as a link; raises as `write_sudokupad`."""
    return f"https://sudokupad.app/scl{quote(lz.packed(write_sudokupad(puzzle)), safe='')}"


def read_sudokupad(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one.

    Raises:
        FormatError: the text is not JSON.
    """
    if setting.format not in (None, *FORMATS):
        raise FormatError(f"this is sudokupad, not {setting.format}", setting.source)
    lines = [line.strip() for line in text.splitlines()]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    items: Iterable[tuple[int, Any]] = enumerate(lines, 1)
    if first.startswith(("{", "[")):
        items = objects(text, setting.source)
    for number, item in items:
        try:
            if not isinstance(item, str):
                yield _entry(item, setting, number)
            elif match := _DATA.fullmatch(item):
                yield _entry(_object_of_letters(match[1]), setting, number)
            elif item and not item.startswith("#"):
                yield from entries_of_link(Row(number, item), setting, but="sudokupad-link")
        except (FormatError, GeometryError) as error:
            message = error.message if isinstance(error, FormatError) else str(error)
            yield Entry(FormatError(message, setting.source, number), number)


def _object_of_letters(letters: str) -> JsonObject:
    """Return the object that the letters of a link hold."""
    try:
        item = load_shortened(lz.unpacked(letters))
    except (ValueError, RecursionError) as error:
        raise FormatError("the link is damaged: it holds no JSON") from error
    if not isinstance(item, dict):
        raise FormatError(f"the link holds {shown(item)} where it should hold an object")
    return item


def _entry(item: JsonObject, setting: Setting, line: int) -> Entry:
    """Return the puzzle of an object, with its solution and remarks."""
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
        if not setting.geometry.first:
            raise FormatError(f"values from 1, not those of {setting.geometry.name}")
        board, constraints = setting.geometry, ()
    metadata = _metadata(item)
    cages, drawn = _cages(item, n)
    global_names = [name for name in GLOBAL if str(metadata.get(name, "false")).strip().lower() not in ("", "false")]
    for name in _list(item, "global"):
        if not isinstance(name, str) or name not in GLOBAL:
            raise FormatError(f"global {shown(name)}: known are {', '.join(GLOBAL)}")
        global_names.append(name)
    constraints += tuple(Constraint(GLOBAL[name]) for name in dict.fromkeys(global_names))
    if setting.rules is not None:
        board = board.with_rules(setting.rules)
    cells = [cell for row in rows for cell in row]
    givens = [_given(cell, number, n) for number, cell in enumerate(cells)]
    require_one_blank([None if cell.get("given") is False else cell.get("value") for cell in cells], givens, n)
    puzzle = Puzzle.of(board, givens, name=name_of(metadata), constraints=(*constraints, *cages))
    answer, unread = solution_of(metadata, n)
    counts = {name: len(_list(item, key)) for key, name in _DRAWN.items()} | {"outline": drawn}
    no_regions = "" if regions else NO_REGIONS
    return Entry(puzzle, line, answer, tuple(filter(None, (no_regions, drawn_remark(counts), unread))))


def _list(item: JsonObject, key: str) -> list[Any]:
    value = item.get(key) or []
    if not isinstance(value, list):
        raise FormatError(f"{key} is {shown(value)}; expected a list")
    return value


def _numbers(regions: Sequence[Sequence[int]], n: int) -> list[int | None]:
    """Return for each cell the number of its region; refuse regions that overlap or are those of a smaller grid."""
    numbers: list[int | None] = [None] * (n * n)
    for number, region in enumerate(regions):
        for cell in region:
            if numbers[cell] is not None:
                raise FormatError(f"r{cell // n + 1}c{cell % n + 1} is in two regions")
            numbers[cell] = number
    # A grid with clues beside it is drawn inside a larger one.
    sizes = {len(region) for region in regions}
    if regions and None in numbers and sizes == {len(regions)}:
        raise FormatError(f"{n} rows, and {len(regions)} regions of as many cells: a grid with a margin is not read")
    return numbers


def _cells(pairs: object, n: int, key: str) -> tuple[int, ...]:
    """Return the cells of a list of pairs: the row and the column, from 0."""
    cells = []
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(row) is int and 0 <= row < n for row in pair)):
            shown_pair = json.dumps(pair)[:40]
            raise FormatError(f"{key}: {shown_pair} is not a cell; write a row and a column from 0 to {n - 1}")
        cells.append(pair[0] * n + pair[1])
    return tuple(dict.fromkeys(cells))


def _metadata(item: JsonObject) -> JsonObject:
    """Return the texts about the whole puzzle: from an object, or from cages without cells."""
    metadata = item.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise FormatError(f"metadata is {shown(metadata)}; expected an object")
    texts = {"title": item["title"]} if item.get("title") else {}
    for cage in _list(item, "cages"):
        if not isinstance(cage, dict) or cage.get("cells"):
            continue
        if match := _METADATA_TEXT.match(str(cage.get("value", ""))):
            texts[match[1].lower()] = match[2].strip()
    return texts | metadata


def _cages(item: JsonObject, n: int) -> tuple[list[Constraint], int]:
    """Return the cages that are constraints, and the number of those that are only drawn."""
    constraints, drawn = [], 0
    for cage in _list(item, "cages"):
        if not isinstance(cage, dict):
            raise FormatError(f"cages: {shown(cage)}; expected an object")
        refuse_misspelt(cage, _CAGE_KEYS)
        if not cage.get("cells"):
            continue
        cells = _cells(cage["cells"], n, "cages")
        is_set = cage.get("unique") is True
        total = whole(cage.get("sum") or (cage.get("value") if is_set else None))
        if is_set:
            constraints.append(Constraint("cage", (cells,), (total,) if total else ()))
        elif total:
            constraints.append(Constraint("sum", (cells,), (total,)))
        drawn += not is_set and not total
    return constraints, drawn


def _given(cell: object, number: int, n: int) -> int:
    if not isinstance(cell, dict):
        raise FormatError(f"r{number // n + 1}c{number % n + 1} is {shown(cell)}; expected an object")
    refuse_misspelt(cell, _CELL_KEYS)
    value = whole(cell.get("value")) if cell.get("given") is not False else 0
    if value is None or value > n:
        name = f"r{number // n + 1}c{number % n + 1}"
        raise FormatError(f"{name} holds {shown(cell['value'])}; values go from 1 to {n}")
    return value


def _pairs(cells: Iterable[int], n: int) -> list[list[int]]:
    return [list(divmod(cell, n)) for cell in cells]


FORMATS = {
    "sudokupad": FormatFunctions(write_sudokupad, read_sudokupad),
    "sudokupad-link": FormatFunctions(write_link, read_sudokupad),
}
