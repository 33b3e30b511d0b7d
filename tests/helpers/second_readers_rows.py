"""Second readers of rows of symbols and of numbers, and of the project's JSON; see `second_readers`.

Rows are line, grid, sdk, sdm, ss, layers, table, sukaku, numbers and csv.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import product
from typing import Any, NamedTuple

from tests.helpers.oracle import Board
from tests.helpers.second_readers import (
    NAMED,
    CannotRead,
    Meaning,
    Misleading,
    Reading,
    board_named,
    default_box,
    frame_of,
    meaning,
    of_givens,
)

BLANKS = ".0*_-?"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KEYS = {"board", "rules", "givens", "pencilmarks", "constraints", "name"}


class Rows(NamedTuple):
    """Lines of a text under one header.

    Attributes:
        board: its name, where the text says it.
        blocks: rows without a blank line between them; a row is its tokens.
        commas: whether commas separate them.
    """

    board: str | None
    blocks: list[list[list[str]]]
    commas: bool


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text without the mark of its encoding and the ends that other systems write."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _rows(text: str) -> Rows:
    board: str | None = None
    blocks: list[list[list[str]]] = [[]]
    seen = False
    lines = [re.sub(r"\s#.*", "", line) if not line.lstrip().startswith("#") else line for line in plain_lines(text)]
    commas = any("," in line for line in lines if not line.lstrip().startswith("#"))
    used = "".join(line for line in lines if re.search(r"[\dA-Za-z]", line) and not line.lstrip().startswith("#"))
    for line in lines:
        body = line.strip()
        if body.startswith("#"):
            board = _header(body, seen) or board
        elif not body:
            blocks.append([])
        elif re.fullmatch(r"\[[A-Za-z ]+\]", body):
            if seen or body != "[Puzzle]":
                raise CannotRead("a section")
        elif not body.strip("-+=|:.*' \t"):
            if "-" in used and not body.strip("- \t"):
                raise CannotRead("a row of blanks, or a border")
            if re.search(r"[-+=]{3}", body) or not body.strip("| \t"):
                continue
            seen = True
            blocks[-1].append(_tokens(body.replace("|", " "), commas))
        else:
            seen = True
            blocks[-1].append(_tokens(body.replace("|", " "), commas))
    return Rows(board, [block for block in blocks if block], commas)


def _header(body: str, seen: bool) -> str | None:
    """Return the board that a comment says, before any row; None where it says nothing."""
    # The width of a box is written before its height.
    if match := re.match(r"#\s*size\s*=\s*(\d+)\s+box\s*=\s*(\d+)x(\d+)", body):
        return f"{match[1]}x{match[1]}:{match[3]}x{match[2]}"
    match = re.match(r"#\s*(board|rules|constraint|alphabet)\s*:(.*)", body, re.IGNORECASE)
    if match and (seen or match[1].lower() != "board"):
        raise CannotRead("a header that this reader does not know")
    return match[2].strip() if match else None


def _tokens(line: str, commas: bool) -> list[str]:
    return [part.strip() for part in line.split(",")] if commas else line.split()


def symbol_readings(text: str) -> list[Reading]:
    """Return the readings of rows of symbols or numbers."""
    rows = _rows(text)
    if not rows.blocks:
        raise CannotRead("no row")
    lines = [row for block in rows.blocks for row in block]
    n = len(lines)
    # The documentation shows so a cube, n lines of n groups of n symbols, though each line may be an n x n.
    if (
        n in (4, 9)
        and rows.board is None
        and {len(group) for row in lines for group in row} == {n} == set(map(len, lines))
    ):
        return _valued(board_named(f"{n}x{n}x{n}"), [["".join(map("".join, lines))[at] for at in range(n**3)]])
    ways = [_cells(rows, row_of=list)] if rows.commas or _tokens_may_be_cells(rows) else []
    if not rows.commas:
        ways.append(_cells(rows, row_of=lambda row: list("".join(row))))
    return _different(reading for way in ways for reading in _laid_out(rows.board, way))


def _tokens_may_be_cells(rows: Rows) -> bool:
    return any(len(row) > 1 for block in rows.blocks for row in block)


def _cells(rows: Rows, row_of: Callable[[list[str]], list[str]]) -> list[list[list[str]]]:
    """Return blocks of rows of cells."""
    return [[row_of(row) for row in block] for block in rows.blocks]


def _different(readings: Iterable[Reading]) -> list[Reading]:
    different: list[Reading] = []
    for reading in readings:
        if reading not in different:
            different.append(reading)
    return different


def _laid_out(board: str | None, blocks: list[list[list[str]]]) -> list[Reading]:
    """Return the readings of rows of cells, on a board or on every board that they fit."""
    rows = [row for block in blocks for row in block]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        return []
    (width,) = widths
    readings: list[Reading] = []
    for name in [board] if board else _boards_of(width, len(rows)):
        try:
            made = board_named(name)
        except CannotRead:
            continue
        readings += _on_board(made, blocks, rows, width)
    readings += _with_regions_below(blocks, rows, width) if not board else []
    return readings


def _boards_of(width: int, height: int) -> list[str]:
    """Return the names of the boards whose rows, or lines, have this width."""
    sides = [n for n in range(4, 101) if default_box(n) > 1]
    names = [f"{n}x{n}" for n in sides if width in (n, n * n) or (width == n**3 and n > 4)]
    names += [f"{n}x{n}x{n}" for n in (4, 9, 16, 25) if width in (n, n * n, n**3)]
    return names + [name for name in NAMED if (width, height) == frame_of(board_named(name))[::-1]]


def _on_board(board: Board, blocks: list[list[list[str]]], rows: list[list[str]], width: int) -> list[Reading]:
    n, n_cells = board.n, len(board.places)
    heights = {len(block) for block in blocks}
    if width == n_cells:
        return _valued(board, rows)
    if width == n_cells * n:
        return _sukaku(board, rows)
    frame = frame_of(board)
    if "@" in board.name or board.name in NAMED:
        if (len(rows), width) != frame:
            return []
        outside = [rows[r][c] for r, c in product(*map(range, frame)) if (r, c) not in board.index]
        if any(token.strip(BLANKS) for token in outside):
            return []
        return _valued(board, [[rows[r][c] for r, c in board.places]])
    cube = len(board.places[0]) == 3
    if cube and width == n and len(rows) == n * n and heights == {n}:
        return _valued(board, [[cell for row in rows for cell in row]])
    if cube and width == n * n and len(rows) == n:
        return _valued(board, [[cell for row in rows for cell in row]])
    if (
        not cube
        and width == n
        and len(rows) % n == 0
        and len(heights) == 1
        and (n % min(heights) == 0 or len(blocks) == 1)
    ):
        parts = [rows[start : start + n] for start in range(0, len(rows), n)]
        return _valued(board, [[cell for row in part for cell in row] for part in parts])
    return []


def _with_regions_below(blocks: list[list[list[str]]], rows: list[list[str]], width: int) -> list[Reading]:
    """Return the reading as a grid and, below it, the region of each cell."""
    if len(rows) != 2 * width or not 4 <= width <= 25 or (len(blocks) > 1 and len(blocks[0]) != width):
        return []
    regions = [cell for row in rows[width:] for cell in row]
    if set(Counter(regions).values()) != {width}:
        return []
    order = list(dict.fromkeys(regions))
    board = board_named("jigsaw:" + "".join((LETTERS + LETTERS.lower())[order.index(region)] for region in regions))
    return _valued(board, [[cell for row in rows[:width] for cell in row]])


def _sukaku(board: Board, rows: list[list[str]]) -> list[Reading]:
    n, reading = board.n, []
    for row in rows:
        marks: list[set[int]] = [set() for _ in board.places]
        for at, token in enumerate(row):
            values = _value_of(token, n)
            if values not in (0, at % n + 1):
                return []
            if values:
                marks[at // n].add(values)
        reading.append(meaning(board, marks))
    return [reading]


def _value_of(token: str, n: int) -> int | None:
    """Return the value of a symbol or number, 0 for a blank, None for anything else; A is 10."""
    if not token.strip(BLANKS) or (n <= 9 and token in ("x", "X")):
        return 0
    if token.isascii() and token.isdigit():
        return int(token) if int(token) <= n else None
    at = LETTERS.find(token.upper() if n <= 35 else token) + 10 if len(token) == 1 and n > 9 else 0
    return at if 10 <= at <= n else None


def _valued(board: Board, puzzles: list[list[str]]) -> list[Reading]:
    """Return the readings of the tokens of cells: 0 is a blank, or the smallest value where there is another blank."""
    n, readings = board.n, []
    values = [[_value_of(token, n) for token in puzzle] for puzzle in puzzles]
    if all(None not in row for row in values):
        readings.append([of_givens(board, [value or 0 for value in row]) for row in values])
    tokens = {token for puzzle in puzzles for token in puzzle}
    zero = [token for token in tokens if token and not token.strip("0")]
    others = [token for token in tokens if not token.strip(BLANKS) and token not in zero]
    # Two zeros, another blank, and not the largest value: the values may begin at 0.
    if zero and others and sum(puzzle.count(token) for puzzle in puzzles for token in zero) >= 2:
        shifted = [[0 if token in others else _from_zero(token, n) for token in puzzle] for puzzle in puzzles]
        if all(None not in row for row in shifted):
            readings.append([of_givens(board, [value or 0 for value in row]) for row in shifted])
    if n > 9 and not any(token.isdigit() for token in tokens):
        lettered = [
            [0 if not token.strip(BLANKS) else (LETTERS + LETTERS.lower()).find(token.upper()) + 1 for token in p]
            for p in puzzles
        ]
        if all(len(token) <= 1 for token in tokens) and all(v <= n for row in lettered for v in row):
            readings.append([of_givens(board, row) for row in lettered])
    return readings


def _from_zero(token: str, n: int) -> int | None:
    value = _value_of(token, n)
    return value + 1 if value is not None and value < n else None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise Misleading("a key twice")
    return dict(pairs)


def loaded(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_pairs)
    except ValueError as error:
        raise CannotRead(str(error)) from error


def json_readings(text: str) -> list[Reading]:
    """Return the readings of an object, a list of objects, or a list of values."""
    item = loaded(text)
    items = item if isinstance(item, list) and item and all(isinstance(one, dict) for one in item) else [item]
    parts = [_json_puzzle(one if isinstance(one, dict) else {"givens": one}) for one in items]
    return _different([list(reading) for reading in product(*parts)])


def _json_puzzle(item: dict[str, Any]) -> list[Meaning]:
    """Return what an object may mean."""
    for key in item:
        if key not in KEYS and get_close_matches(key.lower(), KEYS, cutoff=0.8):
            raise Misleading(f"the key {key}")
    if set(item) - KEYS or "rules" in item or item.get("constraints") or "givens" not in item:
        raise CannotRead("keys that this reader does not know")
    givens, board = item["givens"], item.get("board")
    if isinstance(givens, str):
        shape, tokens = [len(givens)], list(givens)
    else:
        shape, values = _nested(givens)
        if not all(value is None or type(value) is int for value in values):
            raise CannotRead("givens")
        tokens = ["" if value is None else str(value) for value in values]
    meanings: list[Meaning] = []
    for name in [board] if board else _json_boards(shape):
        made = board_named(name)
        inside = _inside(made, shape, tokens)
        if inside is not None and "pencilmarks" in item:
            meanings.append(_marked(made, inside, item["pencilmarks"]))
        elif inside is not None:
            meanings += [reading[0] for reading in _valued(made, [inside])]
    return meanings


def _nested(values: Any) -> tuple[list[int], list[Any]]:
    """Return the lengths of lists in lists, and the values in them."""
    if not isinstance(values, list) or not values:
        raise CannotRead("no list")
    shape, level = [len(values)], values
    while any(isinstance(value, list) for value in level):
        lengths = {len(value) if isinstance(value, list) else 0 for value in level}
        if len(lengths) > 1 or 0 in lengths:
            raise CannotRead("lists of different lengths")
        shape.append(lengths.pop())
        level = [value for part in level for value in part]
    return shape, level


def _inside(board: Board, shape: list[int], tokens: list[str]) -> list[str] | None:
    """Return the cells of a board among tokens in a shape; None where they do not fit."""
    if len(shape) == 2 and len(board.places) != len(tokens) and tuple(shape) == frame_of(board):
        by_place = dict(zip(product(*map(range, shape)), tokens, strict=True))
        if any(by_place[place].strip("0") for place in by_place.keys() - set(board.places)):
            return None
        return [by_place[place] for place in board.places]
    return tokens if len(tokens) == len(board.places) else None


def _json_boards(shape: list[int]) -> list[str]:
    """Return the names of the boards for lists of these lengths."""
    if len(shape) == 1:
        return [name for name in _boards_of(shape[0], 1) if len(board_named(name).places) == shape[0]]
    usual = ["x".join(map(str, shape))] if len(set(shape)) == 1 else []
    return usual + [name for name in NAMED if frame_of(board_named(name)) == tuple(shape)]


def _marked(board: Board, tokens: list[str], marks: Any) -> Meaning:
    if not isinstance(marks, list) or not all(isinstance(cell, list) for cell in marks) or len(marks) != len(tokens):
        raise CannotRead("pencilmarks")
    givens = [int(token or 0) for token in tokens]
    values = [*filter(None, givens), *(value for cell in marks for value in cell)]
    if not all(type(value) is int and 0 < value <= board.n for value in values):
        raise CannotRead("values")
    return meaning(board, [[given] if given else cell for given, cell in zip(givens, marks, strict=True)])
