"""Random texts of puzzles in every format, in styles of people and programs, and the same with mistakes.

A text is for the second reader of its kind, a key of `second_readers_forms.READERS`. Its style says what is particular
about it, so that a fault has a name.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.helpers.second_readers import NAMED, board_named, default_box, frame_of
from tests.helpers.second_texts_forms import (
    SYMBOLS,
    Chance,
    as_lines,
    f_puzzles,
    f_puzzles_link,
    full_grid,
    givens,
    hodoku,
    iss,
    killer,
    marks_of,
    opensudoku,
    pencilmarks,
    sdx,
    snarfable,
    squares,
    sudokupad,
    sumocue,
    symbols,
)

BLANKS = ".0*_?-"


class Sample(NamedTuple):
    """A text, which second reader it is for, and its style."""

    kind: str
    style: str
    text: str


# Rows of symbols.


def line(chance: Chance) -> str:
    n, blank = chance.choice(
        [(4, "."), (6, "*"), (9, "."), (9, "0"), (9, "_"), (9, "?"), (9, "x"), (10, "."), (12, "0")]
    )
    blank = "." if n > 9 else blank
    return as_lines([symbols(givens(chance, full_grid(chance, n)), blank) for _ in range(chance.choice([1, 1, 2, 3]))])


def line_with_board(chance: Chance) -> str:
    n = chance.choice([4, 6, 8, 9, 12, 16])
    box = chance.choice(["", f":{n // default_box(n)}x{default_box(n)}"])
    more = chance.choice(["", "+diagonals"])
    return f"# board: {n}x{n}{box}{more}\n{symbols(givens(chance, full_grid(chance, n)))}\n"


def length_of_two_boards(chance: Chance) -> str:
    n = chance.choice([8, 8, 27])
    return symbols(givens(chance, full_grid(chance, n), 0.3)) + "\n"


def rows_of_symbols(chance: Chance) -> str:
    n, blank = chance.choice([4, 6, 8, 9, 9, 9, 10, 12]), chance.choice(BLANKS[:5])
    blank = "." if n > 9 else blank
    gap = chance.choice(["", "", " "])
    return as_lines([gap.join(symbols(row, blank)) for row in squares(givens(chance, full_grid(chance, n)), n)])


def rows_with_borders(chance: Chance) -> str:
    n, gap, lines = chance.choice([4, 6, 9, 9]), chance.choice(["", " "]), list[str]()
    height, border = default_box(n), chance.choice(["|", "|", " "])
    for number, row in enumerate(squares(givens(chance, full_grid(chance, n)), n)):
        if number % height == 0:
            width = n + (n // (n // height) - 1) if gap == "" else 2 * n + 3
            lines.append(chance.choice(["+" + "-" * width + "+", "-" * width + "+" + "-" * 3]))
        parts = [gap.join(symbols(part)) for part in squares(row, n // height)]
        lines.append(f"{border}{gap}" + f"{gap}{border}{gap}".join(parts) + f"{gap}{border}")
    return as_lines(lines)


def bands(chance: Chance) -> str:
    lines = [
        " ".join(symbols(part) for part in squares(row, 3)) for row in squares(givens(chance, full_grid(chance, 9)), 9)
    ]
    return "\n\n".join("\n".join(lines[start : start + 3]) for start in (0, 3, 6)) + "\n"


def simple_sudoku(chance: Chance) -> str:
    blank = chance.choice(".X")
    lines = [
        "|" + "|".join(symbols(part, blank) for part in squares(row, 3)) + "|"
        for row in squares(givens(chance, full_grid(chance, 9)), 9)
    ]
    return as_lines([*lines[:3], "-" * 13, *lines[3:6], "-" * 13, *lines[6:]])


def sdk(chance: Chance) -> str:
    rows = [symbols(row) for row in squares(givens(chance, full_grid(chance, 9)), 9)]
    return chance.choice(["#ASomebody\n#DA puzzle\n", "[Puzzle]\n", "#L1\n[Puzzle]\n"]) + as_lines(rows)


def two_blanks(chance: Chance) -> str:
    n = chance.choice([4, 6, 9])
    text = [symbols([value], chance.choice(".0")) for value in givens(chance, full_grid(chance, n))]
    return as_lines(["".join(row) for row in squares(text, n)] if chance.random() < 0.5 else ["".join(text)])


def from_zero(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 9])
    blank = chance.choice("._*?")
    text = [str(value - 1) if value else blank for value in givens(chance, full_grid(chance, n), 0.4)]
    form = chance.choice(["line", "rows", "numbers", "csv"])
    if form == "line":
        return "".join(text) + "\n"
    if form == "csv":
        return as_lines([",".join(cell.replace(blank, "") for cell in row) for row in squares(text, n)])
    return as_lines([(" " if form == "numbers" else "").join(row) for row in squares(text, n)])


def letters(chance: Chance) -> str:
    values = givens(chance, full_grid(chance, 16), 0.5)
    first = chance.choice(["1-G", "A-P", "0-F"])
    table = {"1-G": SYMBOLS[1:], "A-P": SYMBOLS[10:], "0-F": "0" + SYMBOLS[1:]}[first]
    text = [table[value - 1] if value else "." for value in values]
    return as_lines(["".join(row) for row in squares(text, 16)] if chance.random() < 0.5 else ["".join(text)])


def numbers(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 10, 12, 16, 25])
    blank = chance.choice(["0", "0", ".", "..", "_"])
    wide = chance.choice([0, 2])
    return as_lines(
        [
            " ".join(str(value or blank).rjust(wide) for value in row)
            for row in squares(givens(chance, full_grid(chance, n)), n)
        ]
    )


def csv_lines(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 12])
    blank = chance.choice(["0", ".", ""]) if n != 4 else "0"
    return as_lines(
        [
            ",".join(str(value or blank) for value in givens(chance, full_grid(chance, n)))
            for _ in range(chance.choice([1, 2]))
        ]
    )


def csv_rows(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 10, 12])
    blank, gap = chance.choice(["0", ".", ""]), chance.choice([",", ", "])
    return as_lines(
        [gap.join(str(value or blank) for value in row) for row in squares(givens(chance, full_grid(chance, n)), n)]
    )


def regions_below(chance: Chance) -> str:
    n = chance.choice([4, 6, 9])
    full = full_grid(chance, n)
    boxes, swaps = (
        [cell // n // default_box(n) * default_box(n) + cell % n // (n // default_box(n)) for cell in range(n * n)],
        3,
    )
    for _ in range(swaps):
        # Two cells of the same value change their regions, so that the grid stays right.
        value = chance.choice(full)
        one, other = chance.sample([cell for cell in range(n * n) if full[cell] == value], 2)
        boxes[one], boxes[other] = boxes[other], boxes[one]
    names = chance.choice(["123456789", "123456789", "012345678", "abcdefghi", "ABCDEFGHI"])
    gap, between = chance.choice(["", " "]), chance.choice(["", "\n", "\n"])
    clues = [gap.join(symbols(row)) for row in squares(givens(chance, full), n)]
    regions = [gap.join(names[region] for region in row) for row in squares(boxes, n)]
    return as_lines(clues) + between + as_lines(regions)


def overlap(chance: Chance) -> str:
    """Write boards that overlap in the rectangle around them; a board without a name has a header."""
    name = chance.choice(["samurai", "twodoku", "4x4@0,0;2,2", "4x4@0,0;2,2"])
    board = board_named(name)
    blank = chance.choice(["0", ".", ""])
    cells = dict.fromkeys(board.places, "")
    for place in board.places:
        taken = {cells[other] for other in board.places if other[0] == place[0] or other[1] == place[1]}
        value = str(chance.randint(1, board.n))
        cells[place] = value if chance.random() < 0.15 and value not in taken else blank
    rows, columns = frame_of(board)
    form = chance.choice(["csv", "csv", "json", "text", "numbers"])
    if form == "json":
        places = [[cells.get((row, column), "") for column in range(columns)] for row in range(rows)]
        grid = [[int(text) if text.isdigit() else 0 for text in row] for row in places]
        return json.dumps({"board": name, "givens": grid} if name not in NAMED or chance.random() < 0.3 else grid)
    header = "" if name in NAMED and chance.random() < 0.7 else f"# board: {name}\n"
    if form == "csv":
        outside = chance.choice(["", blank])
        return header + as_lines(
            [",".join(cells.get((row, column), outside) for column in range(columns)) for row in range(rows)]
        )
    gap, outside = " " if form == "numbers" else "", chance.choice(["-", "."])
    return header + as_lines(
        [gap.join(cells.get((row, column), outside) or "0" for column in range(columns)) for row in range(rows)]
    )


def size_header(chance: Chance) -> str:
    n = chance.choice([6, 8, 12])
    height = chance.choice([rows for rows in range(2, n) if n % rows == 0 and n // rows > 1])
    text = [" ".join(map(str, row)) for row in squares(givens(chance, full_grid(chance, n)), n)]
    return f"# size={n} box={height}x{n // height}\n" + as_lines(text)


def cube_cells(chance: Chance) -> list[int]:
    """Return some values in places of a 4x4x4."""
    return [chance.choice([0, 0, 0, 0, 0, 0, 0, chance.randint(1, 4)]) for _ in range(64)]


def layers(chance: Chance) -> str:
    parts = squares([symbols(row) for row in squares(cube_cells(chance), 4)], 4)
    return chance.choice(["", "# board: 4x4x4\n"]) + "\n\n".join("\n".join(part) for part in parts) + "\n"


def table(chance: Chance) -> str:
    rows = squares([symbols(row) for row in squares(cube_cells(chance), 4)], 4)
    return chance.choice(["", "# board: 4x4x4\n"]) + as_lines([" ".join(row) for row in rows])


def cube_line(chance: Chance) -> str:
    return "# board: 4x4x4\n" + symbols(cube_cells(chance)) + "\n"


def sukaku(chance: Chance) -> str:
    n = chance.choice([4, 6, 9])
    text = "".join("".join(str(v) if v in cell else "." for v in range(1, n + 1)) for cell in marks_of(chance, n))
    return (f"# board: {n}x{n}\n" if n == 4 or chance.random() < 0.5 else "") + text + "\n"


def lines_of_grids(chance: Chance) -> str:
    """Write 16 lines of 16: sixteen 4x4, or a 16x16."""
    if chance.random() < 0.5:
        return as_lines([symbols(givens(chance, full_grid(chance, 4))) for _ in range(16)])
    return as_lines([symbols(row) for row in squares(givens(chance, full_grid(chance, 16)), 16)])


# JSON.


def json_object(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 12])
    values = givens(chance, full_grid(chance, n))
    item: dict[str, Any] = {"givens": squares(values, n) if chance.random() < 0.7 else values}
    if chance.random() < 0.6:
        item = {"board": f"{n}x{n}" + chance.choice(["", f":{default_box(n)}x{n // default_box(n)}"]), **item}
    if chance.random() < 0.3:
        item["name"] = "a puzzle"
    if chance.random() < 0.3:
        item["pencilmarks"] = marks_of(chance, n)
    return json.dumps([item] if chance.random() < 0.3 else item)


def json_list(chance: Chance) -> str:
    n = chance.choice([4, 6, 9])
    blank = chance.choice([0, None])
    return json.dumps(squares([value or blank for value in givens(chance, full_grid(chance, n))], n))


def json_line(chance: Chance) -> str:
    n = chance.choice([4, 9])
    return json.dumps(
        {"board": f"{n}x{n}", "givens": symbols(givens(chance, full_grid(chance, n)), chance.choice(".0"))}
    )


def json_from_zero(chance: Chance) -> str:
    n = chance.choice([4, 9])
    values = [value - 1 if value else None for value in givens(chance, full_grid(chance, n), 0.4)]
    item = squares(values, n) if chance.random() < 0.7 else values
    return json.dumps({"givens": item} if chance.random() < 0.5 else item)


def json_other_key(chance: Chance) -> str:
    key = chance.choice(["constraint", "rule", "pencilmark", "Board", "Constraints"])
    item = {"givens": squares(givens(chance, full_grid(chance, 4)), 4), key: ["row"]}
    return json.dumps(item if key != "Board" else {**item, key: "4x4+diagonals"})


def json_key_twice(chance: Chance) -> str:
    one, other = (json.dumps(squares(givens(chance, full_grid(chance, 4)), 4)) for _ in range(2))
    return f'{{"board": "4x4", "givens": {one}, "givens": {other}}}'


STYLES: dict[str, tuple[str, Callable[[Chance], str]]] = {
    "line": ("rows", line),
    "line with board": ("rows", line_with_board),
    "length of two boards": ("rows", length_of_two_boards),
    "rows": ("rows", rows_of_symbols),
    "rows with borders": ("rows", rows_with_borders),
    "bands": ("rows", bands),
    "ss": ("rows", simple_sudoku),
    "sdk": ("rows", sdk),
    "two blanks": ("rows", two_blanks),
    "from 0": ("rows", from_zero),
    "letters": ("rows", letters),
    "numbers": ("rows", numbers),
    "csv lines": ("rows", csv_lines),
    "csv rows": ("rows", csv_rows),
    "regions below": ("rows", regions_below),
    "overlap": ("rows or json", overlap),
    "size header": ("rows", size_header),
    "layers": ("rows", layers),
    "table": ("rows", table),
    "cube line": ("rows", cube_line),
    "sukaku": ("rows", sukaku),
    "lines of 16": ("rows", lines_of_grids),
    "json object": ("json", json_object),
    "json list": ("json", json_list),
    "json line": ("json", json_line),
    "json from 0": ("json", json_from_zero),
    "json other key": ("json", json_other_key),
    "json key twice": ("json", json_key_twice),
    "hodoku": ("hodoku", hodoku),
    "pencilmarks": ("candidates", pencilmarks),
    "sdx": ("candidates", sdx),
    "opensudoku": ("opensudoku", opensudoku),
    "killer": ("killer", killer),
    "snarfable": ("snarfable", snarfable),
    "sumocue": ("sumocue", sumocue),
    "f-puzzles": ("f-puzzles", f_puzzles),
    "f-puzzles-link": ("f-puzzles-link", f_puzzles_link),
    "sudokupad": ("sudokupad", sudokupad),
    "iss": ("iss", iss),
}
"""By style, the kind of reader, and what writes a text."""


def sample(chance: Chance, style: str) -> Sample:
    """Return a text in a style, for one in three with other ends of lines, spaces, comments or the mark of UTF-8."""
    kind, write = STYLES[style]
    text = write(chance)
    if kind == "rows or json":
        kind = "json" if text.startswith(("{", "[")) else "rows"
    if chance.random() < 0.1:
        text = "\n".join(line + "  " if line.strip() else line for line in text.split("\n"))
    if chance.random() < 0.1 and kind not in ("json", "opensudoku"):
        text = "# a comment\n" + text
    if chance.random() < 0.15:
        text = text.replace("\n", "\r\n")
    if chance.random() < 0.1:
        text = "\ufeff" + text
    return Sample(kind, style, text)


def changed(chance: Chance, text: str) -> str:
    """Return a text with one mistake or a few: characters lost, doubled, put in, exchanged; a line lost or twice."""
    for _ in range(chance.choice([1, 1, 2])):
        at, kind = chance.randrange(len(text)), chance.randrange(7)
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at] + text[at:]
        elif kind == 2:
            text = text[:at] + chance.choice('0123456789.,:|-+=[]{}"#xA \n') + text[at:]
        elif kind in (3, 4):
            text = text[:at] + chance.choice("0123456789.,:x- ") + text[at + 1 :]
        else:
            lines = text.split("\n")
            at = chance.randrange(len(lines))
            lines[at : at + 1] = [] if kind == 5 else [lines[at]] * 2
            text = "\n".join(lines)
        text = text or "1"
    return text
