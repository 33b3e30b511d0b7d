"""Puzzles and solutions as text."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats.reading import read_text
from sudoku_encode.formats.symbols import ALPHABETS, DEFAULT_ALPHABET, pack
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

FORMATS = {
    "line": "one symbol a cell on one line, a puzzle a line; . is a blank, A is 10",
    "grid": "for people: borders at the boxes, the layers of a cube one below the other",
    "sdk": "SudoCue and SadMan: nine lines of nine, . is a blank (9x9 only)",
    "sdm": "SudoCue collection: 81 digits on one line, 0 is a blank (9x9 only)",
    "ss": "Simple Sudoku: nine lines of nine with borders (9x9 only)",
    "opensudoku": "OpenSudoku XML (plain 9x9 only)",
    "sukaku": "n symbols a cell on one line: each value that it may hold, or . (2D only)",
    "numbers": "decimal numbers separated by spaces, a row a line, 0 is a blank (any size)",
    "csv": "decimal numbers separated by commas, a puzzle a line, 0 is a blank (any size)",
    "layers": "a line per x and y, digits along z, a blank line between the layers (cubes only)",
    "table": "the table of Jana et al. 2023: a line per x, a group per y, digits along z (cubes only)",
    "json": "an object with board, rules, givens, pencilmarks and name (any board)",
}

# One symbol a cell; the others write numbers.
_PACKED = ("line", "layers", "table", "sukaku")
# A puzzle over several lines: a blank line goes between puzzles.
_BLOCKS = ("grid", "sdk", "ss", "numbers", "layers", "table")
# So many puzzles are read back to see whether they need a header. No coincidence of layout has more.
_WINDOW = 101


def write(geometry: Geometry, values: ArrayLike, format: str, *, pencilmarks: Candidates | None = None) -> str:
    """Return one puzzle or solution as text, without a header and without a newline at the end.

    Args:
        geometry: the board.
        values: one value per cell, 0 for a blank.
        format: a key of FORMATS.
        pencilmarks: bool (n_cells, n_values), what the blanks may hold.

    Raises:
        FormatError: no such format, or it cannot hold the board or the pencilmarks; the message says which can.
    """
    puzzle = Puzzle.of(geometry, values, pencilmarks=pencilmarks)
    _check(puzzle, format)
    if format == "opensudoku":
        return "\n".join([*_XML_START, _game(puzzle), _XML_END])
    return _WRITERS[format](puzzle)


def write_all(puzzles: Iterable[Puzzle], format: str) -> Iterator[str]:
    """Yield pieces of text that together are a file with the puzzles, in their order.

    A line `# board: NAME` (and `# rules:`, `# alphabet:`) goes before the puzzles whose text alone would not say so:
    it is left out when the text is read back as the same puzzles without it, and comes back whenever the board changes.
    Up to a hundred puzzles are taken before the first is written.

    Raises:
        FormatError: as `write`.
    """
    if format not in FORMATS:
        raise FormatError(f"no format is called {format!r}; known: {', '.join(FORMATS)}")
    if format == "json":
        yield from _wrapped(puzzles, format, ["["], "]", ",")
    elif format == "opensudoku":
        yield from _wrapped(puzzles, format, _XML_START, _XML_END, "")
    else:
        yield from _headed(iter(puzzles), format)


def _wrapped(puzzles: Iterable[Puzzle], format: str, start: list[str], end: str, between: str) -> Iterator[str]:
    yield "\n".join(start)
    for count, puzzle in enumerate(puzzles):
        _check(puzzle, format)
        yield (between if count else "") + "\n" + _WRITERS[format](puzzle)
    yield f"\n{end}\n"


def _headed(puzzles: Iterator[Puzzle], format: str) -> Iterator[str]:
    window = list(islice(puzzles, _WINDOW))
    needed = not _reads_back(window, format)
    last: Geometry | None = None
    gap = "\n" if format in _BLOCKS else ""
    for puzzle in chain(window, puzzles):
        _check(puzzle, format)
        board = puzzle.geometry
        changed = last is None or _identity(last) != _identity(board)
        header = _header(board, format, again=last is not None) if changed and (needed or last is not None) else ""
        yield (gap if last is not None else "") + header + _WRITERS[format](puzzle) + "\n"
        last = board


def _reads_back(puzzles: list[Puzzle], format: str) -> bool:
    """Say whether the text of the puzzles needs no header to be read as the same puzzles."""
    boards_seen = {_identity(puzzle.geometry) for puzzle in puzzles}
    if len(boards_seen) > 1 or (len(puzzles) == _WINDOW and format in _PACKED and puzzles[0].geometry.n_values > 9):
        return False  # a later puzzle may have letters only, and look like another alphabet
    for puzzle in puzzles:
        _check(puzzle, format)
    gap = "\n\n" if format in _BLOCKS else "\n"
    try:
        found = list(read_text(gap.join(_WRITERS[format](puzzle) for puzzle in puzzles)))
    except (FormatError, GeometryError):
        return False
    return len(found) == len(puzzles) and all(map(_same, found, puzzles))


def _same(found: Puzzle | FormatError, puzzle: Puzzle) -> bool:
    return (
        isinstance(found, Puzzle)
        and _identity(found.geometry) == _identity(puzzle.geometry)
        and np.array_equal(found.candidates, puzzle.candidates)
    )


def _identity(geometry: Geometry) -> tuple[str, tuple[str, ...]]:
    return geometry.name, geometry.rule_names


def _header(geometry: Geometry, format: str, again: bool) -> str:
    """Return the directives that make the text that follows this board's, whatever came before if `again`."""
    lines = [f"# board: {geometry.name}"]
    if again or boards.board(geometry.name, files=False).rule_names != geometry.rule_names:
        lines.append(f"# rules: {','.join(geometry.rule_names)}")
    if format in _PACKED and geometry.n_values > 9:
        lines.append(f"# alphabet: {DEFAULT_ALPHABET}")
    return "\n".join([*lines, ""])


def _check(puzzle: Puzzle, format: str) -> None:
    """Raise FormatError if the format cannot hold the puzzle."""
    if format not in FORMATS:
        raise FormatError(f"no format is called {format!r}; known: {', '.join(FORMATS)}")
    board = puzzle.geometry
    if puzzle.pencilmarks is not None and format not in ("sukaku", "json"):
        fit = "sukaku and json" if _reason(board, "sukaku") is None else "json"
        raise FormatError(f"format {format} cannot hold pencilmarks; {fit} can")
    if reason := _reason(board, format):
        fit = ", ".join(name for name in FORMATS if _reason(board, name) is None)
        raise FormatError(f"format {format} {reason}, so it cannot hold {board.name}; these can: {fit}")


def _reason(geometry: Geometry, format: str) -> str | None:
    """Say what keeps a format from holding a board."""
    if format in ("sdk", "sdm", "ss") and geometry.shape != (9, 9):
        return "is for 9x9 boards"
    if format == "opensudoku" and _identity(geometry) != ("9x9", ("row", "column", "box")):
        return "is for the plain 9x9 board with all its rules"
    if format == "sukaku" and len(geometry.shape) != 2:
        return "is for 2D boards"
    if format in ("layers", "table") and len(geometry.shape) != 3:
        return "is for cubes"
    largest = len(ALPHABETS[DEFAULT_ALPHABET])
    if format in _PACKED and geometry.n_values > largest:
        return f"has one symbol a cell, up to {largest} values"
    return None


def _line(puzzle: Puzzle) -> str:
    return pack(puzzle.givens, puzzle.geometry.n_values)


def _sdm(puzzle: Puzzle) -> str:
    return pack(puzzle.givens, 9, "0")


def _rows(puzzle: Puzzle, width: int) -> list[str]:
    """Return packed symbols cut into rows."""
    symbols = _line(puzzle)
    return [symbols[start : start + width] for start in range(0, len(symbols), width)]


def _sdk(puzzle: Puzzle) -> str:
    return "\n".join(_rows(puzzle, 9))


def _ss(puzzle: Puzzle) -> str:
    rows = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in _rows(puzzle, 9)]
    return "\n".join([*rows[:3], "-" * 13, *rows[3:6], "-" * 13, *rows[6:]])


def _table(puzzle: Puzzle) -> str:
    n = puzzle.geometry.n_values
    groups = _rows(puzzle, n)
    return "\n".join(" ".join(groups[start : start + n]) for start in range(0, len(groups), n))


def _layers(puzzle: Puzzle) -> str:
    n = puzzle.geometry.n_values
    rows = _rows(puzzle, n)
    return "\n\n".join("\n".join(rows[start : start + n]) for start in range(0, len(rows), n))


def _planes(puzzle: Puzzle) -> list[list[list[int]]]:
    """Return the rows of the square, or of each layer of the cube."""
    n = puzzle.geometry.n_values
    planes: list[list[list[int]]] = puzzle.givens.reshape(-1, n, n).tolist()
    return planes


def _numbers(puzzle: Puzzle) -> str:
    return "\n\n".join("\n".join(" ".join(map(str, row)) for row in plane) for plane in _planes(puzzle))


def _csv(puzzle: Puzzle) -> str:
    return ",".join(map(str, puzzle.givens.tolist()))


def _grid(puzzle: Puzzle) -> str:
    board, n = puzzle.geometry, puzzle.geometry.n_values
    r, c = (isqrt(n), isqrt(n)) if len(board.shape) == 3 else board.box or (n, n)
    width = len(str(n))
    border = "+" + ("-" * (c * (width + 1) + 1) + "+") * (n // c)
    planes = []
    for plane in _planes(puzzle):
        lines = []
        for at, row in enumerate(plane):
            cells = [f"{value or '.':>{width}}" for value in row]
            boxes = (" ".join(cells[start : start + c]) for start in range(0, n, c))
            lines += [border] * (at % r == 0) + [f"| {' | '.join(boxes)} |"]
        planes.append("\n".join([*lines, border]))
    return "\n\n".join(planes)


def _sukaku(puzzle: Puzzle) -> str:
    n = puzzle.geometry.n_values
    return pack(np.where(puzzle.candidates, np.arange(1, n + 1), 0).ravel(), n)


def _json(puzzle: Puzzle) -> str:
    import json

    board = puzzle.geometry
    item: dict[str, object] = {"name": puzzle.name} if puzzle.name else {}
    item["board"] = board.name
    if boards.board(board.name, files=False).rule_names != board.rule_names:
        item["rules"] = board.rule_names
    item["givens"] = puzzle.givens.reshape(board.shape).tolist()
    if puzzle.pencilmarks is not None:
        item["pencilmarks"] = [(np.flatnonzero(cell) + 1).tolist() for cell in puzzle.pencilmarks]
    return json.dumps(item)


_XML_START = ['<?xml version="1.0" encoding="UTF-8"?>', "<opensudoku>"]
_XML_END = "</opensudoku>"


def _game(puzzle: Puzzle) -> str:
    return f'  <game data="{_sdm(puzzle)}"/>'


_WRITERS: dict[str, Callable[[Puzzle], str]] = {
    "line": _line,
    "grid": _grid,
    "sdk": _sdk,
    "sdm": _sdm,
    "ss": _ss,
    "opensudoku": _game,
    "sukaku": _sukaku,
    "numbers": _numbers,
    "csv": _csv,
    "layers": _layers,
    "table": _table,
    "json": _json,
}
