"""Random texts in the formats of other programs, for `second_texts`; and the grids that all texts are made of."""

import json
import random
from collections.abc import Sequence
from typing import Any

import lzstring

from tests.helpers.second_readers import default_box

SYMBOLS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Chance = random.Random


def full_grid(chance: Chance, n: int) -> list[int]:
    """Return a full grid of the n x n board with its usual boxes."""
    rows = default_box(n)
    columns = n // rows
    names = chance.sample(range(1, n + 1), n)
    lines = [
        band * rows + row for band in chance.sample(range(columns), columns) for row in chance.sample(range(rows), rows)
    ]
    return [names[(columns * (row % rows) + row // rows + column) % n] for row in lines for column in range(n)]


def givens(chance: Chance, full: Sequence[int], share: float | None = None) -> list[int]:
    """Return a grid with blanks."""
    kept = chance.choice([0.2, 0.35, 0.5]) if share is None else share
    return [value if chance.random() < kept else 0 for value in full]


def squares(values: Sequence[Any], width: int) -> list[list[Any]]:
    """Return values in rows."""
    return [list(values[start : start + width]) for start in range(0, len(values), width)]


def symbols(values: Sequence[int], blank: str = ".") -> str:
    """Return a symbol for each value; A is 10."""
    return "".join(SYMBOLS[value] if value else blank for value in values)


def as_lines(rows: Sequence[str]) -> str:
    return "\n".join(rows) + "\n"


def marks_of(chance: Chance, n: int, least: int = 1) -> list[list[int]]:
    """Return candidates for each cell of an n x n board, with those of a solution among them."""
    return [
        sorted({value, *chance.sample(range(1, n + 1), chance.choice([0, 1, 2, n - 1]))}) if least else []
        for value in full_grid(chance, n)
    ]


def hodoku(chance: Chance) -> str:
    lines = []
    for _ in range(chance.choice([1, 2])):
        values = givens(chance, full_grid(chance, 9))
        grid = "".join(
            ("+" if chance.random() < 0.2 else "") + str(value) if value else chance.choice(".0") for value in values
        )
        gone = {
            f"{chance.randint(1, 9)}{cell // 9 + 1}{cell % 9 + 1}"
            for cell in chance.sample(range(81), 6)
            if not values[cell]
        }
        technique, candidates = chance.choice(["0000", "0702"]), chance.choice(["", "x", "9"])
        lines.append(f":{technique}:{candidates}:{grid}:{' '.join(sorted(gone))}::{chance.choice(['', ':'])}")
    return as_lines(lines)


def pencilmarks(chance: Chance) -> str:
    cells = squares(["".join(map(str, cell)) for cell in marks_of(chance, 9)], 9)
    width = max(len(cell) for row in cells for cell in row)
    lines = [
        "| " + " | ".join(" ".join(cell.ljust(width) for cell in part) for part in squares(row, 3)) + " |"
        for row in cells
    ]
    dashes = "-" * (3 * width + 4)
    top, middle, bottom = chance.choice(
        [(".{}.{}.{}.", ":{}+{}+{}:", "'{}'{}'{}'"), ("+{}+{}+{}+",) * 3, ("*{}*{}*{}*", "|{}+{}+{}|", "*{}*{}*{}*")]
    )
    borders = [form.format(dashes, dashes, dashes) for form in (top, middle, middle, bottom)]
    return as_lines([borders[0], *lines[:3], borders[1], *lines[3:6], borders[2], *lines[6:], borders[3]])


def sdx(chance: Chance) -> str:
    cells = [
        ("u" if len(cell) == 1 and chance.random() < 0.3 else "") + "".join(map(str, cell))
        for cell in marks_of(chance, 9)
    ]
    return as_lines([" ".join(row) for row in squares(cells, 9)])


def opensudoku(chance: Chance) -> str:
    games = []
    for _ in range(chance.choice([1, 2])):
        values = givens(chance, full_grid(chance, 9))
        data = symbols(values, "0")
        if chance.random() < 0.4:
            data = "version: 3&#10;" if chance.random() < 0.5 else "version: 3 "
            data += "".join(
                f"{value}|0|0|" if value else f"{chance.choice([0, 0, 5])}|{chance.choice([0, 12])}|1|"
                for value in values
            )
        games.append(f'<game {chance.choice(["data", "cells_data"])}="{data}"/>')
    return '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n' + "\n".join(games) + "\n</opensudoku>\n"


def cages_of(chance: Chance, full: Sequence[int]) -> dict[int, list[int]]:
    """Return cages of neighbours with different values, by their first cell; one cell is a given, or a blank."""
    free, cages = set(range(81)), dict[int, list[int]]()
    for first in range(81):
        if first in free:
            cage = [first]
            free.discard(first)
            for _ in range(chance.choice([0, 1, 2, 3])):
                beside = [c for at in cage for c in (at + 1, at + 9) if c in free and (c % 9 or c == at + 9)]
                beside = [c for c in beside if full[c] not in {full[own] for own in cage}]
                if beside:
                    cage.append(chance.choice(beside))
                    free.discard(cage[-1])
            cages[first] = sorted(cage)
    return cages


def killer(chance: Chance) -> str:
    full = full_grid(chance, 9)
    numbers = [0] * 81
    for number, cage in enumerate(cages_of(chance, full).values()):
        total = sum(full[cell] for cell in cage) if chance.random() < 0.8 else 0
        for cell in cage:
            numbers[cell] = 256 * total + number
    return f"3x3:{chance.choice(['', '', 'd'])}:k:" + ":".join(map(str, numbers)) + chance.choice([":", ""]) + "\n"


def snarfable(chance: Chance) -> str:
    full, text = full_grid(chance, 9), [""] * 81
    for first, cage in cages_of(chance, full).items():
        total = sum(full[cell] for cell in cage) if chance.random() < 0.8 else 0
        text[first] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"[total]
        for cell in cage[1:]:
            # Each cell was put to the right of or below another one of the cage.
            text[cell] = "<" if cell - 1 in cage and cell % 9 else "^"
    return "".join(text) + "\n"


def sumocue(chance: Chance) -> str:
    full = full_grid(chance, 9)
    jigsaw = chance.random() < 0.4
    regions = [f"J{row // 3 * 3 + column // 3}" if jigsaw else "" for row in range(9) for column in range(9)]
    text = [""] * 81
    for first, cage in cages_of(chance, full).items():
        total = sum(full[cell] for cell in cage) if chance.random() < 0.8 else 0
        for cell in cage:
            text[cell] = (f"={total}" if cell == first else f"+{first}") + regions[cell]
    return f"SumoCueV1{chance.choice(['', 'D']) if not jigsaw else ''}" + "".join(text) + "\n"


def _f_object(chance: Chance) -> dict[str, Any]:
    n = chance.choice([4, 6, 9])
    cells: list[dict[str, Any]] = [
        {"value": v, "given": True} if v else {} for v in givens(chance, full_grid(chance, n))
    ]
    if chance.random() < 0.3:
        for cell in cells:
            if not cell and chance.random() < 0.3:
                cell["givenPencilMarks"] = sorted(chance.sample(range(1, n + 1), 2))
    if chance.random() < 0.3:
        regions = chance.choice(
            [[cell % n for cell in range(n * n)], [cell * 7 % n if n % 7 else 0 for cell in range(n * n)]]
        )
        for cell, region in zip(cells, regions, strict=True):
            cell["region"] = region
    item: dict[str, Any] = {"size": n, "grid": squares(cells, n)}
    row = chance.randint(1, n)
    names = [f"R{row}C{column}" for column in range(1, n + 1)]
    if chance.random() < 0.5:
        item["killercage"] = [
            {"cells": names[:3], **({"value": str(chance.randint(6, 3 * n - 3))} if chance.random() < 0.7 else {})}
        ]
    if chance.random() < 0.3:
        item["thermometer"] = [{"lines": [names[1:4]]}]
    for key in ("diagonal+", "diagonal-", "antiknight"):
        if chance.random() < 0.2:
            item[key] = True
    return item


def f_puzzles(chance: Chance) -> str:
    return json.dumps(_f_object(chance), separators=chance.choice([(",", ":"), (", ", ": ")])) + "\n"


def f_puzzles_link(chance: Chance) -> str:
    packed: str = lzstring.compress_to_base64(json.dumps(_f_object(chance)))
    return chance.choice(["https://www.f-puzzles.com/?load=", "https://sudokupad.app/fpuz"]) + packed + "\n"


def sudokupad(chance: Chance) -> str:
    n = chance.choice([4, 6, 9])
    cells = [
        {"value": str(v) if chance.random() < 0.5 else v} if v else {} for v in givens(chance, full_grid(chance, n))
    ]
    height = default_box(n)
    width = n // height
    if chance.random() < 0.3:
        height, width = width, height
    regions = [
        [[top + r, left + c] for r in range(height) for c in range(width)]
        for top in range(0, n, height)
        for left in range(0, n, width)
    ]
    item: dict[str, Any] = {"cells": squares(cells, n), "regions": regions}
    if chance.random() < 0.5:
        total = chance.randint(3, 2 * n - 1)
        item["cages"] = [
            {"cells": [[0, 0], [0, 1]], "unique": True, **chance.choice([{}, {"value": str(total), "sum": total}])}
        ]
    return json.dumps(item) + "\n"


def iss(chance: Chance) -> str:
    n = chance.choice([4, 6, 9, 12])
    parts = [f".Shape~{n}x{n}"] if n != 9 or chance.random() < 0.3 else []
    parts += chance.choice([[], [], [".NoBoxes"]])
    if chance.random() < 0.3:
        parts.append(".Jigsaw~" + "".join(SYMBOLS[cell % n + 1] for cell in range(n * n)))
    cells = [f"R{cell // n + 1:x}C{cell % n + 1:x}" for cell in range(n * n)]
    named = [
        f"{name}_{value}" if chance.random() < 0.8 else f"{name}_{value}_{value % n + 1}"
        for name, value in zip(cells, givens(chance, full_grid(chance, n), 0.3), strict=True)
        if value
    ]
    parts.append(".~" + "~".join(named))
    if chance.random() < 0.5:
        parts.append(f".Cage~{chance.choice([0, chance.randint(3, 2 * n - 1)])}~R1C1~R1C2")
    if chance.random() < 0.3:
        parts.append(".Thermo~R1C1~R1C2~R1C3")
    if chance.random() < 0.2:
        parts.append(".AntiKnight")
    return "".join(parts) + "\n"
