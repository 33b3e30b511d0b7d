"""Second readers of the formats that one program or another made: HoDoKu, SudoCue, killers, OpenSudoku, f-puzzles, ISS.

As in `second_readers`, none has any code of the project. Of f-puzzles, SudokuPad and ISS the part is read that the
generator of `second_texts` writes.
"""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import lzstring

from tests.helpers.oracle import Board, Cells
from tests.helpers.second_readers import CannotRead, Meaning, Other, Reading, board_named, meaning, of_givens
from tests.helpers.second_readers_rows import json_readings, loaded, plain_lines, symbol_readings

NINE = range(1, 10)


def _lines(text: str) -> list[str]:
    """Return the lines that are neither empty nor comments.

    Raises:
        CannotRead: a header, which this reader does not know here.
    """
    lines = [line.strip() for line in plain_lines(text)]
    if any(re.match(r"#\s*(board|rules|constraint|alphabet)\s*:", line, re.IGNORECASE) for line in lines):
        raise CannotRead("a header")
    return [re.sub(r"\s#.*", "", line) for line in lines if line and not line.startswith("#")]


def _each_line(read: Callable[[str], Meaning]) -> Callable[[str], list[Reading]]:
    return lambda text: [[read(line) for line in _lines(text)]]


def hodoku(line: str) -> Meaning:
    """Read `:TECHNIQUE:CANDIDATES:GRID:DELETED:ELIMINATIONS:EXTRA`; a deleted 314 is 3 in row 1, column 4."""
    fields = line.split(":")
    if len(fields) < 4 or fields[0] or len(fields) > 8:
        raise CannotRead(line)
    digits = re.sub(r"\+(?=[1-9])", "", fields[3])
    if not re.fullmatch(r"[.\d]{81}", digits):
        raise CannotRead(line)
    allowed = [{int(digit)} if digit not in ".0" else set(NINE) for digit in digits]
    for gone in (fields[4] if len(fields) > 4 else "").split():
        if not re.fullmatch(r"[1-9]{3}", gone):
            raise CannotRead(line)
        value, row, column = map(int, gone)
        if digits[9 * row + column - 10] in ".0":
            allowed[9 * row + column - 10].discard(value)
    return meaning(board_named("9x9"), allowed)


def candidate_grid(text: str) -> list[Reading]:
    """Read nine lines of nine cells with the candidates of each; one candidate is a given."""
    rows = [line.replace("|", " ").split() for line in _lines(text) if re.search(r"\d", line)]
    others = [line for line in _lines(text) if not re.search(r"\d", line)]
    if len(rows) != 9 or {len(row) for row in rows} != {9} or any(line.strip("-+=|*.:' \t") for line in others):
        raise CannotRead("not nine lines of nine")
    cells = [cell.removeprefix("u") for row in rows for cell in row]
    if any(not re.fullmatch(r"[1-9]+", cell) or list(cell) != sorted(set(cell)) for cell in cells):
        raise CannotRead("not candidates")
    if any(cell.startswith("u") and len(cell) > 2 for row in rows for cell in row):
        raise CannotRead("a placed digit")
    return [[meaning(board_named("9x9"), [map(int, cell) for cell in cells])]]


def opensudoku(text: str) -> list[Reading]:
    """Read the games of an XML file: 81 digits, or a state of version 3 as value, notes and whether it may change."""
    try:
        root = ElementTree.fromstring(text.removeprefix("\ufeff"))
    except ElementTree.ParseError as error:
        raise CannotRead(str(error)) from error
    games = [game.get("data") or game.get("cells_data") or "" for game in root.iter("game")]
    if root.tag != "opensudoku" or not games or "<!" in text:
        raise CannotRead("not a file of OpenSudoku")
    return [[_game(data.strip()) for data in games]]


def _game(data: str) -> Meaning:
    if match := re.fullmatch(r"version: 3\s+((?:\d\|\d+\|[01]\|){81})", data):
        cells = re.findall(r"(\d)\|\d+\|([01])\|", match[1])
        data = "".join("." if may_change == "1" else value for value, may_change in cells)
    if not re.fullmatch(r"[.\d]{81}", data):
        raise CannotRead(data)
    return of_givens(board_named("9x9"), [int(symbol) if symbol != "." else 0 for symbol in data])


def _killer_puzzle(board: Board, cages: list[tuple[int, list[int]]]) -> Meaning:
    """Return the puzzle of cages: a sum, 0 where there is none, and cells; one cell with a sum is a given."""
    if any(total > board.n for total, cells in cages if len(cells) == 1):
        raise CannotRead("a given too large")
    givens = {cells[0]: total for total, cells in cages if len(cells) == 1}
    others: list[Other] = [
        ("cage", (tuple(cells),), (total,) if total else ()) for total, cells in cages if len(cells) > 1
    ]
    return of_givens(board, [givens.get(cell, 0) for cell in range(81)], others)


def killer(line: str) -> Meaning:
    """Read `3x3::k:` and for each cell 256 times the sum of its cage plus the number of the cage; sum 0 is no cage."""
    match = re.fullmatch(r"3x3:(d?):k:((?:\d{1,6}:){80}\d{1,6}):?", "".join(line.split()))
    if not match:
        raise CannotRead(line)
    cages: dict[int, list[int]] = {}
    sums: dict[int, int] = {}
    for cell, number in enumerate(map(int, match[2].split(":"))):
        if number >= 256:
            cages.setdefault(number, []).append(cell)
            if sums.setdefault(number % 256, number // 256) != number // 256:
                raise CannotRead("a cage of two sums")
    board = board_named("9x9+diagonals" if match[1] else "9x9")
    return _killer_puzzle(board, [(number // 256, cells) for number, cells in cages.items()])


_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_ARROWS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}


def snarfable(line: str) -> Meaning:
    """Read 81 symbols: a sum, or the way to the next cell of the same cage."""
    if len(line) != 81 or set(line) - set(_SUMS) - set(_ARROWS):
        raise CannotRead(line)
    cages: dict[int, list[int]] = {}
    for cell in range(81):
        place, steps = divmod(cell, 9), 0
        while line[9 * place[0] + place[1]] in _ARROWS:
            step = _ARROWS[line[9 * place[0] + place[1]]]
            place, steps = (place[0] + step[0], place[1] + step[1]), steps + 1
            if not (0 <= place[0] < 9 and 0 <= place[1] < 9) or steps > 81:
                raise CannotRead("an arrow that leads nowhere")
        cages.setdefault(9 * place[0] + place[1], []).append(cell)
    return _killer_puzzle(board_named("9x9"), [(_SUMS.index(line[end]), cells) for end, cells in cages.items()])


def sumocue(line: str) -> Meaning:
    """Read `SumoCueV1` and for each cell `=SUM`, or `+CELL` and the cage's first cell; `J0` to `J8` are regions."""
    match = re.fullmatch(r"SumoCueV1(D?)((?:[=+]\d{1,3}(?:J[0-8])?){81})", "".join(line.split()))
    if not match:
        raise CannotRead(line)
    parts = re.findall(r"([=+])(\d{1,3})(?:J([0-8]))?", match[2])
    regions = "".join(region for _, _, region in parts)
    if regions and (len(regions) != 81 or match[1]):
        raise CannotRead("regions")
    cages = {cell: [cell] for cell, (sign, _, _) in enumerate(parts) if sign == "="}
    for cell, (sign, first, _) in enumerate(parts):
        if sign == "+":
            if int(first) not in cages:
                raise CannotRead("a cage without a sum")
            cages[int(first)].append(cell)
    board = board_named(f"jigsaw:{regions}" if regions else "9x9+diagonals" if match[1] else "9x9")
    return _killer_puzzle(board, [(int(parts[first][1]), sorted(cells)) for first, cells in cages.items()])


# Objects of f-puzzles and SudokuPad, and strings of ISS.


def _cell(name: str, n: int, base: int = 10) -> int:
    """Return the cell of a name such as R1C9; in strings of ISS a is 10, in objects of f-puzzles it is two digits."""
    match = re.fullmatch(r"R([\da-g]+)C([\da-g]+)", name)
    try:
        row, column = (int(part, base) for part in match.groups()) if match else (0, 0)
    except ValueError as error:
        raise CannotRead(name) from error
    if not (1 <= row <= n and 1 <= column <= n) or (base > 10 and len(name) != 4):
        raise CannotRead(name)
    return (row - 1) * n + column - 1


def _objects(text: str) -> list[Any]:
    text = "\n".join(line for line in plain_lines(text) if not line.startswith("#"))
    item = (
        loaded(text) if text.lstrip().startswith("[") else [loaded(line) for line in text.split("\n") if line.strip()]
    )
    if not isinstance(item, list) or not all(isinstance(one, dict) for one in item):
        raise CannotRead("not objects")
    return item


def _regioned(n: int, regions: list[Any]) -> Board:
    """Return rows and columns, and the regions; a cell whose region is None is in none."""
    board = board_named(f"latin:{n}x{n}")
    groups: dict[Any, list[int]] = {}
    for cell, region in enumerate(regions):
        if region is not None:
            groups.setdefault(region, []).append(cell)
    if any(len(cells) > n for cells in groups.values()):
        raise CannotRead("a region too large")
    return Board("", n, board.places, {**board.rules, "region": [tuple(cells) for cells in groups.values()]})


def _usual_regions(n: int) -> list[int]:
    board = board_named(f"{n}x{n}")
    boxes = board.rules.get("box", board.rules["row"])
    return [next(number for number, box in enumerate(boxes) if cell in box) for cell in range(n * n)]


def f_puzzles(text: str) -> list[Reading]:
    """Read objects with `size` and `grid`, cages, thermometers, diagonals and anti-knight."""
    return [[_f_puzzle(item) for item in _objects(text)]]


_F_KEYS = {"size", "grid", "killercage", "thermometer", "diagonal+", "diagonal-", "antiknight", "title", "author"}


def _f_puzzle(item: dict[str, Any]) -> Meaning:
    try:
        n = len(item["grid"])
        cells = [cell for row in item["grid"] for cell in row]
        if set(item) - _F_KEYS or item.get("size", n) != n or len(cells) != n * n:
            raise CannotRead("keys")
        usual = _usual_regions(n)
        board = _regioned(n, [cell.get("region", own) for cell, own in zip(cells, usual, strict=True)])
        allowed = []
        for cell in cells:
            if set(cell) - {"value", "given", "region", "givenPencilMarks"}:
                raise CannotRead("keys of a cell")
            own = [cell["value"]] if cell.get("given") is True else cell.get("givenPencilMarks") or range(1, n + 1)
            if not all(type(value) is int and 1 <= value <= n for value in own):
                raise CannotRead("values")
            allowed.append(own)
        others: list[Other] = []
        for cage in item.get("killercage", []):
            total = (int(cage["value"]),) if cage.get("value") else ()
            others.append(("cage", (tuple(_cell(name, n) for name in cage["cells"]),), total))
        for bulb in item.get("thermometer", []):
            others += [("thermometer", (tuple(_cell(name, n) for name in line),), ()) for line in bulb["lines"]]
        if item.get("antiknight"):
            others.append(("anti-knight", (), ()))
        units: list[Cells] = []
        if item.get("diagonal-"):
            units.append(tuple(at * (n + 1) for at in range(n)))
        if item.get("diagonal+"):
            units.append(tuple((n - 1 - at) * n + at for at in range(n)))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise CannotRead(str(error)) from error
    return meaning(board, allowed, others, units)


def f_puzzles_link(text: str) -> list[Reading]:
    """Read links that hold an object of f-puzzles, packed by lz-string."""
    reading = []
    for line in _lines(text):
        match = re.fullmatch(
            r"https://www\.f-puzzles\.com/\?load=(\S+)|https://sudokupad\.app/fpuz(?:zles)?(\S+)", line
        )
        try:
            letters = match[1] or match[2] if match else ""
            packed = lzstring.decompress_from_base64(
                letters.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")
            )
        except (KeyError, IndexError, ValueError, OverflowError) as error:
            raise CannotRead(line) from error
        if not packed:
            raise CannotRead(line)
        reading.append(_f_puzzle(loaded(packed)))
    return [reading]


def sudokupad(text: str) -> list[Reading]:
    """Read objects with `cells`, `regions` and `cages`."""
    return [[_sudokupad(item) for item in _objects(text)]]


def _sudokupad(item: dict[str, Any]) -> Meaning:
    try:
        rows = item["cells"]
        n = len(rows)
        if set(item) - {"cells", "regions", "cages", "metadata"} or any(len(row) != n for row in rows):
            raise CannotRead("keys")
        numbers: list[Any] = [None] * (n * n)
        for number, region in enumerate(item.get("regions", [])):
            for row, column in region:
                if numbers[row * n + column] is not None or not 0 <= row < n or not 0 <= column < n:
                    raise CannotRead("regions")
                numbers[row * n + column] = number
        if None in numbers:
            raise CannotRead("cells without a region")
        givens = [int(cell.get("value") or 0) for row in rows for cell in row]
        others: list[Other] = []
        for cage in item.get("cages", []):
            if cage.get("unique") is not True or set(cage) - {"cells", "unique", "value", "sum"}:
                raise CannotRead("a cage")
            cells = tuple(row * n + column for row, column in cage["cells"])
            others.append(("cage", (cells,), (int(cage["sum"]),) if cage.get("sum") else ()))
        return of_givens(_regioned(n, numbers), givens, others)
    except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
        raise CannotRead(str(error)) from error


def iss(line: str) -> Meaning:
    """Read `.Type~argument~R1C1`: shapes, boxes or none, a jigsaw, givens, cages, thermometers, anti-knight."""
    before, *parts = "".join(line.split()).split(".")
    items = [part.split("~") for part in parts]
    names = [name for name, *_ in items]
    if before or set(names) - {"", "Shape", "NoBoxes", "Jigsaw", "Cage", "Thermo", "AntiKnight", "AllDifferent"}:
        raise CannotRead(line)
    if any(names.count(name) > 1 for name in ("Shape", "Jigsaw", "NoBoxes")):
        raise CannotRead(line)
    arguments = {name: rest for name, *rest in items}
    shape = re.fullmatch(r"(\d+)x\1", "~".join(arguments.get("Shape", ["9x9"])))
    if not shape or not 2 <= int(shape[1]) <= 16:
        raise CannotRead(line)
    n = int(shape[1])
    board = board_named(f"latin:{n}x{n}" if "NoBoxes" in names else f"{n}x{n}")
    units = list(board_named(f"jigsaw:{arguments['Jigsaw'][0]}").rules["region"]) if "Jigsaw" in names else []
    if "Jigsaw" in names and len(arguments["Jigsaw"][0]) != n * n:
        raise CannotRead(line)
    allowed, others = [set(range(1, n + 1)) for _ in range(n * n)], list[Other]()
    try:
        for name, *rest in items:
            if name == "":
                _restrict(allowed, n, rest)
            elif name == "Cage":
                cells = tuple(_cell(cell, n, 17) for cell in rest[1:])
                others.append(("cage", (cells,), (int(rest[0]),) if int(rest[0]) else ()))
            elif name == "AllDifferent":
                units.append(tuple(_cell(cell, n, 17) for cell in rest))
            elif name == "Thermo":
                others.append(("thermometer", (tuple(_cell(cell, n, 17) for cell in rest),), ()))
            elif name == "AntiKnight":
                others.append(("anti-knight", (), ()))
    except (ValueError, IndexError) as error:
        raise CannotRead(line) from error
    return meaning(board, allowed, others, units)


def _restrict(allowed: list[set[int]], n: int, given: list[str]) -> None:
    """Take from cells the values that texts such as R1C1_2_3 do not name."""
    for text in given:
        name, *values = text.split("_")
        if not values or not all(1 <= int(value) <= n for value in values):
            raise CannotRead(text)
        allowed[_cell(name, n, 17)] &= set(map(int, values))


READERS: dict[str, Callable[[str], list[Reading]]] = {
    "rows": symbol_readings,
    "json": json_readings,
    "hodoku": _each_line(hodoku),
    "candidates": candidate_grid,
    "opensudoku": opensudoku,
    "killer": _each_line(killer),
    "snarfable": _each_line(snarfable),
    "sumocue": _each_line(sumocue),
    "f-puzzles": f_puzzles,
    "f-puzzles-link": f_puzzles_link,
    "sudokupad": sudokupad,
    "iss": _each_line(iss),
}
"""By kind, the second readers; `rows` is for line, grid, sdk, sdm, ss, layers, table, sukaku, numbers and csv."""
