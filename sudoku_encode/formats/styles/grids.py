"""Styles of grids on several lines: lines between the rows, labels before them, other symbols for blanks and bars."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import isqrt

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.styles import Rewritten
from sudoku_encode.formats.styles.common import (
    AREAS,
    BLANKS,
    SIDES,
    is_directive,
    is_row,
    joined_grids,
    left_out,
    parts_of,
    rule_in,
    side_of,
)

_BORDER = re.compile(r"[-+=|*_.:~' \t]*(?:--|==|\+|__|~~|\*\*)[-+=|*_.:~' \t]*")
_SECTION = re.compile(r"\[\w+\]")
_LAYER = re.compile(r"\b(?:layer|level|slice|plane|face|floor|ebene|couche)|\b[xyz]\s*=", re.IGNORECASE)
_SOLUTION = re.compile(r"^\W*(?:the )?(?:solution|answer|solved|l\u00f6sung)\b", re.IGNORECASE)
_AXIS = re.compile(r"\b([yz])\s*=", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,4}(?:[ \t,x]+\d{1,3}){0,2}", re.ASCII)

# Blanks.


def read_blanks(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return rows with dots, if one other symbol stands beside digits in all of them."""
    text = "".join(row.text for row in rows)
    symbols = set(text) - set("0123456789 \t|+-=,")
    if len(symbols) != 1 or not set(text) & set("123456789"):
        return None
    (symbol,) = symbols
    if any(mark in text for mark in ",;\t"):
        # An empty field is a blank.
        return None
    widths = {len("".join(parts_of(row.text.replace(symbol, ".")))) for row in rows if row.text.strip()}
    small = {n for n in SIDES if n <= 9}
    is_known = symbol in BLANKS + "xX" or "0" in text or "-" in text
    if is_known or not widths & (small | {n * n for n in small}):
        return None
    dotted = [row._replace(text=row.text.replace(symbol, ".")) for row in rows]
    return Rewritten(dotted, (f"{symbol!r} is read as a blank",))


# Lines between grids.


def read_titles(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return grids with an empty row between, without the lines that are not rows of them."""
    n = side_of(rows)
    if not n or any(_SECTION.fullmatch(row.text.strip()) for row in rows):
        return None
    has_dashes = any("-" in row.text and is_row(row.text, n) and row.text.strip("- ") for row in rows)
    runs: list[list[Row]] = [[]]
    edges: list[set[int]] = [set()]  # for each run the numbers of rows before an empty line or a border
    titles: list[Row] = []
    for row in rows:
        body = row.text.strip()
        is_border = bool(_BORDER.fullmatch(body)) and not (has_dashes and is_row(body, n))
        if not body or is_border:
            edges[-1].add(len(runs[-1]))
        elif is_directive(row):
            runs, edges = [*runs, [row], []], [*edges, set(), set()]
        elif is_row(body, n):
            runs[-1].append(row)
        else:
            titles.append(row)
            runs, edges = [*runs, []], [*edges, set()]
    solutions = [row for row in titles if _SOLUTION.search(row.text)]
    if solutions:
        runs, edges = _without_solutions(runs, edges, solutions, rows)
    directives = [run[0] for run in runs if run and is_directive(run[0])]
    pairs = [(run, edge) for run, edge in zip(runs, edges, strict=True) if run and not is_directive(run[0])]
    if not pairs or any(len(run) % n or not _are_even(edge, n) for run, edge in pairs):
        return None
    grids = [run[start : start + n] for run, _ in pairs for start in range(0, len(run), n)]
    if any(len(re.findall(r"[0-9.*_?-]", row.text)) >= n for row in titles) or _has_map(titles, n):
        # More than a title: cells of another puzzle, or regions.
        return None
    words = [row for row in titles if not _NUMBERS.fullmatch(row.text.strip())]
    _refuse_rules(words, setting)
    sizes = [row for row in titles if _NUMBERS.fullmatch(row.text.strip())]
    if sizes and not _fit_sizes(sizes, grids, n, setting):
        return None
    layers = [row for row in words if _LAYER.search(row.text)]
    if len(layers) == n == len(grids):
        return _layers(layers, grids, n, setting)
    remarks = (left_out("the lines between the grids", [row.text for row in words]),) if words else ()
    return Rewritten([*directives, *joined_grids(grids, n, setting, are_puzzles=bool(words))], remarks)


def _has_map(titles: Sequence[Row], n: int) -> bool:
    """Check whether n lines or more have a letter or a digit for each of n cells, as regions have."""
    return sum(bool(re.fullmatch(rf"(?:\w\s*){{{n}}}", row.text.strip())) for row in titles) >= n


def _without_solutions(
    runs: Sequence[list[Row]], edges: Sequence[set[int]], titles: Sequence[Row], rows: Sequence[Row]
) -> tuple[list[list[Row]], list[set[int]]]:
    """Return the runs, and the edges in them, without those that follow a title of a solution."""
    heads = [row.line for row in titles]
    others = []
    for run, edge in zip(runs, edges, strict=True):
        between = [row for row in rows if run and heads[0] <= row.line < run[0].line and row.text.strip()]
        if not (between and between[-1].line in heads):
            others.append((run, edge))
    return [run for run, _ in others], [edge for _, edge in others]


def _are_even(edges: set[int], n: int) -> bool:
    """Check whether empty lines and borders are at the edges of boxes, or of whole grids, in all grids of a run."""
    inside = {edge % n for edge in edges} - {0}
    return not inside or any(inside == set(range(height, n, height)) for height in range(1, n) if n % height == 0)


def _refuse_rules(titles: Sequence[Row], setting: Setting) -> None:
    """Raise FormatError if a title names a rule or a constraint: the grid is only a part of the puzzle then."""
    for row in titles:
        if word := rule_in(row.text):
            shown = short(row.text.strip(), 40)
            message = (
                f"{shown!r} may be a rule ({word}), which is not read; write it as `# board: NAME` or `# constraint: "
                "...`, or leave out the line"
            )
            raise FormatError(message, setting.source, row.line)


def _fit_sizes(sizes: Sequence[Row], grids: Sequence[Sequence[Row]], n: int, setting: Setting) -> bool:
    """Check whether lines of numbers are sizes of grids, their count or their numbers; refuse unclear boxes."""
    numbers = [[int(part) for part in re.findall(r"\d+", row.text)] for row in sizes]
    alone = [line[0] for line in numbers if len(line) == 1]
    if len(alone) == len(numbers) == len(grids) and alone == list(range(alone[0], alone[0] + len(alone))):
        return True
    for row, size in zip(sizes, numbers, strict=True):
        boxes = size[-2:] if size[-2:] != [n, n] and len(size) > 1 and size[-2] * size[-1] == n else []
        if boxes and boxes[0] != boxes[1] and not setting.has_said_board:
            high, wide = boxes
            message = (
                f"{row.text.strip()!r} may be boxes of {high} rows and {wide} columns, or of {wide} and {high}; "
                f"say which with --board {n}x{n}:{high}x{wide} or --board {n}x{n}:{wide}x{high}"
            )
            raise FormatError(message, setting.source, row.line)
        first = [grid for grid in grids if grid[0].line > row.line][:1]
        givens = sum(bool(part.strip(BLANKS + "xX")) for grid in first for line in grid for part in _cells(line, n))
        sizes_of_grids = ([n], [n, n], [isqrt(n)] if isqrt(n) ** 2 == n else [n], [len(grids)], [givens])
        if size not in sizes_of_grids and not (boxes and size[:-2] in ([], [n])):
            return False
    return True


def _cells(row: Row, n: int) -> Sequence[str]:
    """Return the texts of the cells of a row."""
    parts = parts_of(row.text)
    return parts if len(parts) == n else "".join(parts)


def _layers(titles: Sequence[Row], grids: Sequence[Sequence[Row]], n: int, setting: Setting) -> Rewritten | None:
    """Return the layers of a cube, one for each title."""
    if match := _AXIS.search(titles[0].text):
        message = f"layers along {match[1]}; a cube is read with layers along x, as `show --axis x` draws them"
        raise FormatError(message, setting.source, titles[0].line)
    board = [] if setting.has_said_board else [Row(titles[0].line, f"# board: {n}x{n}x{n}")]
    return Rewritten([*board, *(row for grid in grids for row in (*grid, Row(grid[-1].line, "")))])


# Labels before rows.

_JUDGED_ROWS = 20

_LABELS = (
    re.compile(r"\s*(?:row|r|line|zeile|ligne)?[ \t._-]*(\d{1,2})[:.)\]|=]+\s*", re.IGNORECASE),
    re.compile(r"\s*(\d{1,2})\s+"),
    re.compile(r"\s*([A-Z])[:.)\]|=]*\s+", re.IGNORECASE),
    re.compile(r"\s*([->])\s+"),
)


def read_labels(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return rows without a label before each: numbers or letters in order, or dashes."""
    lines = [
        row._replace(text=row.text.rstrip(" \t;"))
        for row in rows
        if row.text.strip(" \t;>") and not _BORDER.fullmatch(row.text.strip())
    ]
    for label in _LABELS:
        labelled = [(row, match) for row in lines if (match := label.match(row.text))]
        bare = [row._replace(text=" " * match.end() + row.text[match.end() :]) for row, match in labelled]
        n = side_of(bare)
        names = [match[1] for _, match in labelled]
        numbered = [(row, name) for row, name in zip(bare, names, strict=True) if n and is_row(row.text, n)]
        others = {row.line for row in lines} - {row.line for row, _ in numbered}
        if not n or len(numbered) % n or not _are_in_order([name for _, name in numbered], n):
            continue
        # Columns may have labels too: a line with the same number of symbols.
        if all(_is_heading(row.text, n) for row in lines if row.line in others):
            return Rewritten(joined_grids(_cut([row for row, _ in numbered], n), n, setting))
    return None


def _cut(rows: Sequence[Row], n: int) -> list[Sequence[Row]]:
    return [rows[start : start + n] for start in range(0, len(rows), n)]


def _are_in_order(names: Sequence[str], n: int) -> bool:
    """Check whether labels count the rows of each grid, from 1, 0, A, or through all rows; or are dashes."""
    if set(names) in ({"-"}, {">"}):
        return True
    numbers = [int(name) if name.isdigit() else ord(name.upper()) - ord("A") + 1 for name in names]
    first = numbers[0]
    each = [first + at % n for at in range(len(numbers))]
    return first in (0, 1) and numbers in (each, [first + at for at in range(len(numbers))])


def _is_heading(text: str, n: int) -> bool:
    """Check whether a line has labels of columns: 1, 2, 3, ... or A, B, C, ..., or is a comment."""
    if text.lstrip().startswith("#"):
        return True
    parts = "".join(parts_of(re.sub(r"\+|:=|^\s*param\s+\w+\s*:", " ", text))).upper()
    numbers = ("".join(map(str, range(1, n + 1))), "".join(map(str, range(n))))
    return parts in (*numbers, "".join(chr(ord("A") + at) for at in range(n)))


def read_bars(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return rows with spaces for the bars between boxes, where these are another symbol in the same columns."""
    lines = [row for row in rows if row.text.strip()]
    for bar in "!*:;/I":
        inside = [row for row in lines if row.text.strip(f"{bar}-+=~ ") and not is_directive(row)]
        width = max((len(row.text.rstrip()) for row in inside[:_JUDGED_ROWS]), default=0)
        if not any(all(row.text[at : at + 1] == bar for row in inside[:_JUDGED_ROWS]) for at in range(width)):
            continue
        columns = [at for at in range(width) if inside and all(row.text[at : at + 1] == bar for row in inside)]
        bare = [
            row._replace(text="".join(" " if at in columns else symbol for at, symbol in enumerate(row.text)))
            for row in inside
        ]
        n = side_of(bare) if columns else 0
        gaps = Counter(right - left for left, right in pairwise(columns))
        if n and len(bare) % n == 0 and len(gaps) <= 1 and all(is_row(row.text, n) for row in bare):
            return Rewritten(joined_grids(_cut(bare, n), n, setting))
    return None


# Spaces as blanks.


def read_spaces(rows: Sequence[Row], setting: Setting) -> Rewritten | None:
    """Return rows with dots for spaces: lines of n * n places, or grids of n lines of n places."""
    if any(set(row.text) - set("0123456789| +-=") or "0" in row.text for row in rows if not is_directive(row)):
        return None
    lines = [row for row in rows if row.text.strip() and not _BORDER.fullmatch(row.text.strip())]
    if lines and all(len(row.text) in AREAS and not _has_gaps(row.text) for row in lines):
        return Rewritten([row._replace(text=row.text.replace(" ", ".")) for row in lines])
    readings = {n: grids for n in SIDES if n <= 9 and (grids := _spaced_grids(rows, n))}
    if len(readings) > 1:
        names = " or ".join(f"--board {n}x{n}" for n in readings)
        raise FormatError(f"spaces as blanks fit several boards; say which with {names}", setting.source, rows[0].line)
    return next((Rewritten(joined_grids(grids, n, setting)) for n, grids in readings.items()), None)


def _has_gaps(text: str) -> bool:
    """Check whether a text has a space after each symbol, which is not a blank then."""
    return not text[1::2].strip() and " " not in text[::2].rstrip()


def _spaced_grids(rows: Sequence[Row], n: int) -> list[list[Row]]:
    """Return grids of n lines of n places each, with dots for spaces; an empty list if the lines have others."""
    drawn = [row for row in rows if not _BORDER.fullmatch(row.text.strip()) or not row.text.strip()]
    while drawn and not drawn[0].text.strip():
        drawn = drawn[1:]
    while drawn and not drawn[-1].text.strip() and len(drawn) % (n + 1) != n:
        drawn = drawn[:-1]
    grids = []
    for start in range(0, len(drawn), n + 1):
        grid = drawn[start : start + n]
        after = drawn[start + n : start + n + 1]
        if len(grid) != n or (after and after[0].text.strip()):
            return []
        ends = {len(row.text) for row in grid}
        if len(ends) > 1 and any(row.text.strip() and row.text.endswith(" ") for row in grid):
            # Spaces at the end of some rows say that they are in all, and so a symbol is missing.
            return []
        width = max(len(row.text.rstrip()) for row in grid)
        places = [_places(row.text.rstrip().ljust(width), n) for row in grid]
        if not all(places) or all(_has_gaps(row.text.rstrip()) for row in grid):
            return []
        grids.append([Row(row.line, text) for row, text in zip(grid, places, strict=True)])
    return grids


def _places(text: str, n: int) -> str:
    """Return the symbols at n places, or at every other one, a dot for a space; an empty text for other rows."""
    parts = text.strip("|").split("|") if "|" in text else [text]
    if n % len(parts):
        return ""
    per_part, symbols = n // len(parts), ""
    for part in parts:
        if len(part) <= per_part and not (len(parts) == 1 and len(part) < per_part - 4):
            symbols += part.ljust(per_part)
        elif len(part) <= 2 * per_part + 1 and part.startswith(" ") and not part[::2].strip():
            symbols += part[1::2].ljust(per_part)
        elif len(part) <= 2 * per_part and not part[1::2].strip():
            symbols += part[::2].ljust(per_part)
        else:
            return ""
    return symbols[:n].replace(" ", ".") if len(symbols) >= n and not symbols[n:].strip() else ""
