"""f-puzzles, as JSON and as links: what each key means, what is refused, what is remarked on."""

import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.errors import FormatError
from sudoku_encode.formats import lz
from sudoku_encode.formats.entries import Entry, one_by_one
from sudoku_encode.formats.f_puzzles_keys import KEY_OF_KIND, KEYS, NEGATIVE
from sudoku_encode.formats.reading import read, read_entries, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

NINE = boards.board("9x9")
PLACES = ["R1C1", "R1C2", "R2C2", "R2C1"]
LINES = {"lines": [["R1C1", "R1C2", "R2C3"], ["R5C5", "R6C6"]]}


def an_object(side: int = 9, **keys: Any) -> dict[str, Any]:
    return {"size": side, "grid": [[{} for _ in range(side)] for _ in range(side)], **keys}


def text(item: dict[str, Any]) -> str:
    return json.dumps(item)


def lines_of(item: dict[str, Any]) -> list[str]:
    """Return the lines of the constraints of an object."""
    puzzle = read(text(item) + "\n")
    return [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]


def error(item: dict[str, Any]) -> str:
    with pytest.raises(FormatError) as caught:
        read(text(item) + "\n")
    return caught.value.message


def the_entry(source: str) -> Entry:
    (found,) = one_by_one(read_entries(source))
    return found


# What each key says, in our words; written by hand from descriptions of the format.
MEANINGS: list[tuple[dict[str, Any], list[str]]] = [
    ({"nonconsecutive": True}, ["non-consecutive"]),
    ({"diagonal+": True}, ["diagonal 1"]),
    ({"diagonal-": True, "antiking": False}, ["diagonal -1"]),
    ({"odd": [{"cell": "R1C1"}, {"cell": "R5C5"}]}, ["odd r1c1 r5c5"]),
    ({"even": [{"cell": "R1C1"}]}, ["even r1c1"]),
    ({"minimum": [{"cell": "R1C1"}], "maximum": [{"cell": "R3C3"}]}, ["minimum r1c1", "maximum r3c3"]),
    ({"killercage": [{"cells": PLACES, "value": "15"}]}, ["cage 15 r1c1 r1c2 r2c2 r2c1"]),
    ({"killercage": [{"cells": PLACES, "value": 15}]}, ["cage 15 r1c1 r1c2 r2c2 r2c1"]),
    ({"killercage": [{"cells": ["R1C1", "R1C2", "R1C1"], "value": ""}]}, ["cage r1c1 r1c2"]),
    ({"killercage": [{"cells": ["R1C1"], "value": 0}, {"cells": ["R1C2"]}]}, ["cage r1c1", "cage r1c2"]),
    ({"extraregion": [{"cells": PLACES}]}, ["extra-region r1c1 r1c2 r2c2 r2c1"]),
    ({"difference": [{"cells": ["R1C1", "R1C2"]}]}, ["difference r1c1 r1c2"]),
    ({"difference": [{"cells": ["R1C1", "R1C2"], "value": "3"}]}, ["difference 3 r1c1 r1c2"]),
    ({"ratio": [{"cells": ["R1C1", "R1C2"], "value": ""}]}, ["ratio r1c1 r1c2"]),
    ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "X"}]}, ["xv 10 r1c1 r1c2"]),
    ({"xv": [{"cells": ["R1C1", "R1C2"], "value": "v"}, {"cells": ["R5C1", "R5C2"]}]}, ["xv 5 r1c1 r1c2"]),
    ({"negative": ["xv"]}, ["negative-xv"]),
    ({"negative": ["ratio"], "ratio": []}, ["negative-ratio"]),
    (
        {"negative": ["ratio"], "ratio": [{"cells": ["R1C1", "R1C2"]}, {"cells": ["R3C1", "R3C2"], "value": "3"}]},
        ["negative-ratio 2 3", "ratio r1c1 r1c2", "ratio 3 r3c1 r3c2"],
    ),
    # A pair that a black dot marks may be consecutive too.
    (
        {"nonconsecutive": True, "ratio": [{"cells": ["R1C1", "R1C2"]}]},
        ["negative-difference", "ratio r1c1 r1c2"],
    ),
    (
        {"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": "12", "cells": ["R1C2", "R2C1"]}]},
        ["little-killer 12 r1c2 r2c1"],
    ),
    ({"littlekillersum": [{"cell": "R10C2", "direction": "UR", "value": 30}]}, ["little-killer 30 r9c3-r3c9"]),
    ({"littlekillersum": [{"cell": "R2C10", "direction": "UL", "value": 7}]}, ["little-killer 7 r1c9"]),
    ({"littlekillersum": [{"cell": "R0C3", "direction": "DL", "value": ""}]}, []),
    ({"sandwichsum": [{"cell": "R0C2", "value": "0"}]}, ["sandwich 0 r1c2-r9c2"]),
    ({"sandwichsum": [{"cell": "R4C10", "value": "17"}]}, ["sandwich 17 r4c9-r4c1"]),
    ({"xsum": [{"cell": "R10C5", "value": "26"}]}, ["x-sum 26 r9c5-r1c5"]),
    ({"skyscraper": [{"cell": "R1C0", "value": 3}, {"cell": "R2C0", "value": ""}]}, ["skyscraper 3 r1c1-r1c9"]),
    ({"rowindexer": [{"cells": ["R1C1", "R2C1"]}]}, ["row-indexer r1c1 r2c1"]),
    ({"columnindexer": [{"cells": ["R1C1"]}]}, ["column-indexer r1c1"]),
    ({"boxindexer": [{"cells": ["R1C5"]}]}, ["box-indexer r1c5"]),
    ({"quadruple": [{"cells": PLACES, "values": [3, "5", 5]}]}, ["quadruple 3 5 5 r1c1 r1c2 r2c2 r2c1"]),
    ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R5C5", "R5C6"]}]}, ["clone r1c1 r1c2 / r5c5 r5c6"]),
    ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R1C1", "R5C6"]}]}, ["clone r1c2 / r5c6"]),
    (
        {"arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2", "R2C3"], ["R1C1", "R2C1"], ["R1C1"]]}]},
        ["arrow r1c1 / r1c2 r2c3", "arrow r1c1 / r2c1"],
    ),
    ({"arrow": [{"cells": ["R1C2", "R1C1"], "lines": [["R1C2", "R2C3"]]}]}, ["arrow r1c1 r1c2 / r2c3"]),
    ({"thermometer": [LINES]}, ["thermometer r1c1 r1c2 r2c3", "thermometer r5c5 r6c6"]),
    ({"slowthermometer": [LINES]}, ["slow-thermometer r1c1 r1c2 r2c3", "slow-thermometer r5c5 r6c6"]),
    ({"palindrome": [LINES]}, ["palindrome r1c1 r1c2 r2c3", "palindrome r5c5 r6c6"]),
    ({"renban": [{"lines": [["R1C1", "R1C2", "R2C1", "R1C1"], ["R3C3"]]}]}, ["renban r1c1 r1c2 r2c1"]),
    ({"whispers": [LINES | {"value": "4"}]}, ["whispers 4 r1c1 r1c2 r2c3", "whispers 4 r5c5 r6c6"]),
    ({"whispers": [LINES]}, ["whispers r1c1 r1c2 r2c3", "whispers r5c5 r6c6"]),
    ({"regionsumline": [LINES]}, ["region-sums r1c1 r1c2 r2c3", "region-sums r5c5 r6c6"]),
    ({"betweenline": [LINES]}, ["between r1c1 r1c2 r2c3", "between r5c5 r6c6"]),
    ({"lockout": [LINES]}, ["lockout r1c1 r1c2 r2c3", "lockout r5c5 r6c6"]),
    ({"entropicline": [LINES]}, ["entropic r1c1 r1c2 r2c3", "entropic r5c5 r6c6"]),
    ({"modularline": [LINES]}, ["modular r1c1 r1c2 r2c3", "modular r5c5 r6c6"]),
    ({"nabner": [LINES]}, ["nabner r1c1 r1c2 r2c3", "nabner r5c5 r6c6"]),
    ({"doublearrow": [{"lines": [["R1C1", "R1C2", "R2C3"]]}]}, ["double-arrow r1c1 r1c2 r2c3"]),
    ({"zipperline": [LINES]}, ["zipper r1c1 r1c2 r2c3", "zipper r5c5 r6c6"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "lines"), MEANINGS, ids=lambda value: ",".join(value) if isinstance(value, dict) else ""
)
def test_each_key(keys: dict[str, Any], lines: list[str]) -> None:
    """A key means what the format says."""
    assert lines_of(an_object(**keys)) == lines


def test_all_keys_covered() -> None:
    """Every key is tried."""
    tried = {key for keys, _ in MEANINGS for key in keys}
    assert {key for key, row in KEYS.items() if row.form != "flag"} <= tried


@pytest.mark.parametrize("key", [key for key, row in KEYS.items() if row.form == "flag" and row.kind in CONSTRAINTS])
def test_flags(key: str) -> None:
    """A flag is a constraint without cells."""
    assert lines_of(an_object(**{key: True})) == [KEYS[key].kind]
    assert lines_of(an_object(**{key: False})) == []


@pytest.mark.parametrize("kind", [kind for kind in KEY_OF_KIND if kind in CONSTRAINTS])
@pytest.mark.parametrize("format", ["f-puzzles", "f-puzzles-link"])
def test_each_kind_round_trip(kind: str, format: str) -> None:
    """A constraint of every kind is written and read back."""
    puzzle = Puzzle.of(NINE, constraints=[CONSTRAINTS[kind].example], name="one of each")
    (again,) = read_text("".join(write_all([puzzle], format)))
    assert again == puzzle
    assert isinstance(again, Puzzle)
    assert again.name == "one of each"


def a_walk(draw: st.DrawFn, n: int, least: int, most: int) -> list[int]:
    """Return different cells, each a neighbour of the one before, also by a corner."""
    cells = [draw(st.integers(0, n * n - 1))]
    for _ in range(draw(st.integers(least, most)) - 1):
        row, column = divmod(cells[-1], n)
        beside = [
            r * n + c
            for r in range(max(0, row - 1), min(n, row + 2))
            for c in range(max(0, column - 1), min(n, column + 2))
            if r * n + c not in cells
        ]
        if beside:
            cells.append(draw(st.sampled_from(beside)))
    return cells


@st.composite
def a_constraint(draw: st.DrawFn, n: int) -> str:
    """Return a line of any kind that the format has: of cells of the board, not always one that fits it."""
    kind = draw(st.sampled_from([*KEY_OF_KIND, *NEGATIVE.values(), "diagonal"]))
    form = KEYS[KEY_OF_KIND[kind]].form if kind in KEY_OF_KIND else "flag"
    number = f" {draw(st.integers(1, 2 * n))}" if draw(st.booleans()) else ""

    def named(cells: list[int]) -> str:
        return " ".join(f"r{cell // n + 1}c{cell % n + 1}" for cell in cells)

    row, column = divmod(draw(st.integers(0, n * n - 1)), n)
    if form == "flag":
        return kind + (number if kind != "diagonal" else draw(st.sampled_from(["", " 1", " -1"])))
    if form == "outside":
        line = [row * n + at for at in range(n)] if draw(st.booleans()) else [at * n + column for at in range(n)]
        return f"{kind}{number or ' 0'} {named(line[:: draw(st.sampled_from([1, -1]))])}"
    if form == "diagonal":
        down, right = draw(st.sampled_from([(1, 1), (1, -1), (-1, 1), (-1, -1)]))
        beside = [(row + at * down, column + at * right) for at in range(n)]
        return f"{kind}{number or ' 9'} {named([r * n + c for r, c in beside if 0 <= r < n and 0 <= c < n])}"
    if form == "quadruple":
        square = [row * n + column, row * n + column + 1, (row + 1) * n + column, (row + 1) * n + column + 1]
        return f"{kind}{number or ' 1 2'} {named(square if row < n - 1 > column else square[:1])}"
    if form == "clone":
        first = a_walk(draw, n, 1, 4)
        return f"{kind} {named(first)} / {named([n * n - 1 - cell for cell in first])}"
    if form == "arrow":
        circle, line = a_walk(draw, n, 1, 2), a_walk(draw, n, 1, 4)
        return f"{kind} {named(sorted(circle))} / {named(line)}"
    least, most = (2, 2) if kind in ("xv", "difference", "ratio") else (1, 6)
    number = draw(st.sampled_from([" 5", " 10"])) if kind == "xv" else number
    return f"{kind}{number if KEYS[KEY_OF_KIND[kind]].has_value else ''} {named(a_walk(draw, n, least, most))}"


@st.composite
def a_puzzle(draw: st.DrawFn) -> Puzzle:
    """Return a puzzle of a side from 4 to 9 with a constraint or two, on a board of any boxes, regions, or none."""
    n = draw(st.integers(4, 9))
    boxes = [f"{n}x{n}:{rows}x{n // rows}" for rows in range(1, n + 1) if n % rows == 0]
    regions = draw(st.permutations("abcdefghi"[:n] * n))
    forms = [
        *boxes,
        *(f"{name}+diagonals" for name in boxes),
        f"{n}x{n}",
        f"latin:{n}x{n}",
        f"jigsaw:{''.join(regions)}",
    ]
    board = boards.board(draw(st.sampled_from(forms)))
    lines = draw(st.lists(a_constraint(n), min_size=1, max_size=2))
    givens = [draw(st.integers(0, n)) if at < 3 else 0 for at in range(n * n)]
    try:
        return Puzzle.of(board, givens, constraints=lines)
    except se.SudokuError:
        # It does not fit the board, such as a box indexer without boxes.
        assume(False)
        raise


def meaning(puzzle: Puzzle) -> tuple[object, ...]:
    """Return what a puzzle says: boxes by their cells, and units however they are called."""
    rules, n = puzzle.geometry.rules, puzzle.geometry.n_values
    units = {frozenset(unit) for rule in rules for unit in rule.units.tolist()}
    boxes = {frozenset(unit) for rule in rules if rule.name in ("box", "region") for unit in rule.units.tolist()}
    said: set[object] = set()
    for constraint in puzzle.constraints:
        kind, numbers = constraint.kind, constraint.numbers
        if kind == "non-consecutive" and all(other.kind != "ratio" for other in puzzle.constraints):
            # The two differ only in what they say beside a ratio.
            kind = "negative-difference"
        if kind == "diagonal":
            units |= set() if numbers == (1,) else {frozenset(range(0, n * n, n + 1))}
            units |= set() if numbers == (-1,) else {frozenset(range(n - 1, n * n - 1, n - 1))}
        elif kind == "clone":
            # A cell is its own clone anyway.
            pairs = [pair for pair in zip(*constraint.cells, strict=True) if pair[0] != pair[1]]
            said |= {(kind, tuple(zip(*pairs, strict=True)), numbers)} if pairs else set()
        elif kind == "extra-region":
            units |= {frozenset(constraint.cells[0])} if len(constraint.cells[0]) > 1 else set()
        elif KEYS[KEY_OF_KIND.get(kind, "antiking")].form == "marks":
            said |= {(kind, cell) for cell in constraint.cells[0]}
        elif KEYS[KEY_OF_KIND.get(kind, "antiking")].form != "lines" or len(constraint.cells[0]) > 1:
            said.add((kind, constraint.cells, numbers or NUMBERS_UNSAID.get(kind, ())))
    return units, boxes, said, puzzle.givens.tolist()


NUMBERS_UNSAID = {"negative-xv": (5, 10), "negative-ratio": (2,), "negative-difference": (1,)}


@settings(max_examples=60, derandomize=True, deadline=None)
@given(puzzle=a_puzzle(), form=st.sampled_from(["f-puzzles", "f-puzzles-link"]))
def test_any_board_round_trip(puzzle: Puzzle, form: str) -> None:
    """What is written of any board says the same when it is read."""
    try:
        text = "".join(write_all([puzzle], form))
    except FormatError as refusal:
        text = ""
        event(refusal.message.partition("`")[0])
    assume(text)
    (again,) = read_text(text)
    assert isinstance(again, Puzzle), again
    assert meaning(again) == meaning(puzzle)


@pytest.mark.parametrize("line", ["region-sums r1c1-r1c3 r2c3", "disjoint-groups", "box-indexer r1c2"])
@pytest.mark.parametrize("name", ["5x5:1x5", "5x5:5x1", "7x7:1x7+diagonals", "4x4:1x4", "6x6:6x1", "8x8:4x2"])
def test_boxes_as_rows(name: str, line: str) -> None:
    """Boxes that are rows or columns are boxes when they are read."""
    puzzle = Puzzle.of(boards.board(name), constraints=[line])
    plain = Puzzle.of(puzzle.geometry)
    for form, written in (("f-puzzles", puzzle), ("f-puzzles-link", puzzle), ("sudokupad", plain)):
        if form != "sudokupad" or "diagonals" not in name:
            (again,) = read_text("".join(write_all([written], form)))
            assert again == written


@pytest.mark.parametrize(
    "lines",
    [
        ["negative-xv"],
        ["ratio 3 r1c1 r1c2", "negative-ratio 3"],
        ["ratio r1c1 r1c2", "negative-difference"],
        ["arrow r3c3 r3c4 / r2c2 r1c1", "arrow r3c3 r3c4 / r4c5"],
        ["little-killer 9 r1c9", "little-killer 20 r9c3-r3c9"],
        ["sandwich 0 r9c1-r1c1", "x-sum 20 r2c9-r2c1"],
        ["diagonal 1"],
    ],
)
def test_combination_round_trip(lines: list[str]) -> None:
    """What goes together is written and read back."""
    puzzle = Puzzle.of(NINE, constraints=lines)
    (again,) = read_text("".join(write_all([puzzle], "f-puzzles")))
    assert isinstance(again, Puzzle)
    assert set(again.constraints) == set(puzzle.constraints)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["numbered-room 4 r1c1-r1c9"], "f-puzzles has no `numbered-room`"),
        (["relation a < b: r1c1 r1c2"], "f-puzzles has no `relation`"),
        (["xv 7 r1c1 r1c2"], "f-puzzles cannot say `xv 7 r1c1 r1c2`: it has sums of 5 and 10"),
        (["whispers 0 r1c1-r1c3"], "0 means there that no number is given"),
        (["little-killer 9 r1c2 r2c3"], "it needs a whole diagonal"),
        (["sandwich 9 r1c1-r1c8"], "it needs a whole row or column"),
        (["arrow r1c2 r1c1 / r2c2"], "the cells of the circle must be in reading order"),
        (["cage >=12 r1c1 r1c2"], "f-puzzles cannot say `cage >=12 r1c1 r1c2`: its value is one number there"),
        (["sandwich 10 3 8 r1c1-r1c9"], "its value is one number there"),
        (["sandwich <=10 r1c1-r1c9"], "its value is one number there"),
        (["negative-ratio 3"], "its numbers there are those of the marks"),
        (["negative-difference 2"], "it has 1 alone there"),
        (["non-consecutive", "ratio r1c1 r1c2"], "beside `ratio` it means `negative-difference` there"),
    ],
)
def test_unwritable(lines: list[str], says: str) -> None:
    """What the format cannot say is refused by name."""
    with pytest.raises(FormatError) as caught:
        list(write_all([Puzzle.of(NINE, constraints=lines)], "f-puzzles"))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"rellikcage": [{"cells": PLACES}]}, "rellikcage: not a constraint of f-puzzles that is read here"),
        ({"negative": ["skyscraper"]}, 'negative "skyscraper": known are difference, ratio, xv'),
        ({"nonconsecutive": 1}, "nonconsecutive is 1; expected true or false"),
        ({"thermometer": {}}, None),
        ({"kilercage": [], "x": "", "y": None, "z": False, "0": 0}, None),
        ({"killercage": [{"cells": PLACES, "vaule": "3", "valu": "3"}]}, 'vaule" is not a key that is read here'),
        ({"grid": [[{"valu": 1, "given": True}, {}], [{}, {}]]}, 'did you mean "value"?'),
        ({"thermometer": "R1C1"}, 'thermometer is "R1C1"; expected a list'),
        ({"thermometer": ["R1C1"]}, 'thermometer 1: "R1C1"; expected an object'),
        ({"thermometer": [{"lines": ["R1C1"]}]}, 'thermometer 1: "R1C1" is not a list of cells'),
        ({"thermometer": [LINES, {"lines": [["R1C1", "R0C1"]]}]}, "thermometer 2: R0C1 is not on the grid of 9 rows"),
        ({"thermometer": [LINES | {"value": "3"}]}, "thermometer 1: value: this key has no known meaning here"),
        ({"palindrome": [{"lines": [["A1"]]}]}, 'palindrome 1: "A1" is not a cell, such as R1C1'),
        ({"killercage": [{"cells": PLACES, "value": "FOW"}]}, 'killercage 1: value "FOW"; expected a number'),
        ({"xv": [{"cells": PLACES, "value": "IX"}]}, 'xv 1: value "IX"; expected X or V'),
        ({"xv": [{"cells": PLACES, "value": "X"}]}, "xv: it has 4 cells where there should be 2"),
        ({"xsum": [{"cell": "R1C1", "value": "3"}]}, "xsum 1: R1C1 is not beside a row or a column"),
        (
            {"littlekillersum": [{"cell": "R0C3", "value": "9"}]},
            "littlekillersum 1: direction null; expected one of UL",
        ),
        ({"littlekillersum": [{"cell": "R0C3", "direction": "UL", "value": "9"}]}, "no diagonal goes UL from R0C3"),
        ({"arrow": [{"cells": ["R1C1"], "lines": [["R1C2", "R1C3"]]}]}, "arrow 1: a line begins outside the circle"),
        ({"clone": [{"cells": ["R1C1"], "cloneCells": []}]}, "clone 1: 1 cells and 0 cloneCells"),
        ({"quadruple": [{"cells": PLACES, "values": ["a"]}]}, "quadruple 1: values [...]; expected a list of numbers"),
        ({"grid": [[{}]]}, '"grid" must be a list of rows'),
        ({"grid": [[{}], [{}]]}, 'row 1 of "grid" must be a list of 2 objects'),
        ({"size": 6}, '"size" is 6, and "grid" has 9 rows'),
    ],
)  # fmt: skip
def test_unreadable(keys: dict[str, Any], says: str | None) -> None:
    """What cannot be read is refused by name."""
    item = an_object() | keys
    if keys.get("grid"):
        del item["size"]
    if says is None:
        assert lines_of(item) == []
    else:
        assert says in error(item)


def test_givens_and_pencilmarks() -> None:
    """Only givens are clues and pencilmarks that are given hold."""
    item = an_object()
    item["grid"][0][0] = {"value": 5, "given": True}
    item["grid"][0][1] = {"value": 6, "centerPencilMarks": [1, 2]}
    item["grid"][0][2] = {"givenPencilMarks": [1, 2], "cornerPencilMarks": [9]}
    entry = the_entry(text(item))
    puzzle = entry.content
    assert isinstance(puzzle, Puzzle)
    assert puzzle.givens.tolist() == [5] + [0] * 80
    assert puzzle.pencilmarks is not None
    assert [row.tolist().count(True) for row in puzzle.candidates[:4]] == [1, 9, 2, 9]
    assert entry.remarks == ("1 value without the mark of a given is left out: a player entered it",)
    (again,) = read_text("".join(write_all([puzzle], "f-puzzles-link")))
    assert again == puzzle


def with_regions(rows: list[str]) -> dict[str, Any]:
    """Return an object whose cells have regions: a digit is its number, - is none, . says nothing."""
    cells: dict[str, dict[str, Any]] = {"-": {"region": None}, ".": {}}
    grid = [[cells.get(symbol) or ({} if symbol == "." else {"region": int(symbol)}) for symbol in row] for row in rows]
    return {"size": len(rows), "grid": grid}


@pytest.mark.parametrize(
    ("rows", "board", "lines"),
    [
        (["...."] * 4, "4x4", []),
        (["0011", "0011", "2233", "2233"], "4x4", []),
        (["..77", "..77", "2233", "2233"], "4x4", []),
        (["0001", "0211", "3221", "3332"], "jigsaw:aaabacbbdccbdddc", []),
        (["......"] * 6, "6x6", []),
        (["001122"] * 3 + ["334455"] * 3, "6x6:3x2", []),
        (["......."] * 7, "7x7", []),
        (["----"] * 4, "latin:4x4", []),
        (["00--", "00--", "----", "---1"], "latin:4x4", ["extra-region r1c1 r1c2 r2c1 r2c2"]),
    ],
)  # fmt: skip
def test_regions(rows: list[str], board: str, lines: list[str]) -> None:
    """Regions make the board."""
    puzzle = read(text(with_regions(rows)) + "\n")
    assert puzzle.geometry.name == board
    assert [constraint.text(puzzle.geometry) for constraint in puzzle.constraints] == lines
    assert list(read_text("".join(write_all([puzzle], "f-puzzles")))) == [puzzle]


def test_region_too_large() -> None:
    """A region with too many cells is refused."""
    assert "the region of r1c1 has 5 cells, and there are 4 values" in error(
        with_regions(["0001", "0011", "3221", "3332"])
    )


def test_both_diagonals() -> None:
    """Both diagonals are those of the board."""
    puzzle = read(text(an_object(**{"diagonal+": True, "diagonal-": True})) + "\n")
    assert (puzzle.geometry.name, puzzle.constraints) == ("9x9+diagonals", ())
    assert list(read_text("".join(write_all([puzzle], "f-puzzles")))) == [puzzle]


def test_drawings_remarked(run: Command, tmp_path: Path) -> None:
    """Drawings without a constraint are remarked on."""
    picture = {"lines": [["R1C1", "R1C2"]], "fromConstraint": "Renban"}
    item = an_object(4, line=[picture, {"lines": [["R2C1", "R2C2"]]}], text=[{"cells": ["R1C1"]}])
    item["renban"] = [{"lines": picture["lines"]}]
    item["grid"][3][3] = {"c": "#FF0000"}
    says = "drawn without a constraint: 1 line, 1 text, 1 coloured cell; rules that these stand for are not read"
    path = tmp_path / "a.jsonl"
    path.write_text(f"# a comment\n{text(item)}\n{text(an_object(4))}\n")

    ran = run("count", path)
    assert (ran.err.splitlines()[0], ran.status) == (f"{path}:2: {says}", 0)
    assert run("count", path, "--quiet").err == ""
    with pytest.warns(UserWarning, match="drawn without a constraint: 1 line, 1 text") as warned:
        found = [se.count(text(item)), *se.read_all(path)]
    # A user is shown the lines that asked.
    assert (len(found), [Path(one.filename).name for one in warned]) == (3, [Path(__file__).name] * 2)


def test_stored_solution(run: Command, tmp_path: Path) -> None:
    """A solution beside a puzzle is compared."""
    path = tmp_path / "a.jsonl"
    first = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    items = [an_object(4, solution=first), an_object(4, solution="".join(map(str, first))), an_object(4, solution="12")]
    for item in items[:2]:
        item["grid"][0] = [{"value": value, "given": True} for value in first[:4]]
        item["grid"][1] = [{"value": value, "given": True} for value in first[4:8]]
        item["grid"][2][:2] = [{"value": value, "given": True} for value in first[8:10]]
        item["grid"][3][0] = {"value": 4, "given": True}
    path.write_text("\n".join(map(text, items)))
    ran = run("solve", path, "--compare")
    assert f"{path}:3: its solution is not read, since it does not have 16 values" in ran.err
    assert "2 the same, 1 without one that can be read" in ran.err


def test_batch_with_errors() -> None:
    """Many puzzles are read with bad ones among them."""
    texts = [text(an_object(4)), text(an_object(4, sweepercell=[{}])), text(an_object(5))]
    found = list(read_text("\n".join(texts)))
    assert [isinstance(one, Puzzle) for one in found] == [True, False, True]
    assert "text:2: sweepercell: not a constraint" in str(found[1])
    # In a list they have no lines of their own.
    assert [isinstance(one, Puzzle) for one in read_text(f"[{', '.join(texts)}]")] == [True, False, True]


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("# board: 4x4\n", "a line `# board:` before JSON, which says that itself"),
        ("# constraint: odd r1c1\n", "a line `# constraint:` before JSON"),
    ],
)
def test_ignored_line_refused(before: str, says: str) -> None:
    """A line that would be ignored is refused."""
    with pytest.raises(FormatError, match=says):
        read(before + text(an_object(4)))


def test_board_of_caller() -> None:
    """The board of the caller wins."""
    item = text(an_object(6)) + "\n"
    assert read(item, board="6x6:3x2").geometry.name == "6x6:3x2"
    assert read(item, rules=["row", "box"]).geometry.rule_names == ("row", "box")
    with pytest.raises(FormatError, match="6 rows and 6 columns, not those of 9x9"):
        read(item, board="9x9")
    with pytest.raises(FormatError, match="this is f-puzzles, not json"):
        read(item, format="json")
    with pytest.raises(FormatError, match="this is not f-puzzles: it has no object with"):
        read("1..............." + "\n", format="f-puzzles")


def test_lz_string() -> None:
    """Letters hold what lz-string says."""
    # The example of lz-string itself.
    assert lz.unpacked("BIUwNmD2A0AEDqkBOYAmBCIA") == "Hello, World!"
    assert lz.packed("Hello, World!") == "BIUwNmD2A0AEDqkBOYAmBCIA"


@pytest.mark.parametrize(
    "form",
    [
        "https://www.f-puzzles.com/?load={}",
        "https://f-puzzles.com/?a=1&load={}",
        "https://sudokupad.app/fpuz{}",
        "https://app.crackingthecryptic.com/sudoku/?puzzleid=fpuzzles{}",
        "fpuzzles{}",
        "{}",
    ],
)
def test_link_forms(form: str) -> None:
    """A link is read in every form."""
    puzzle = Puzzle.of(NINE, [5] + [0] * 80, constraints=["thermometer r1c1-r1c9", "cage 17 r5c5 r5c6"])
    letters = "".join(write_all([puzzle], "f-puzzles-link")).strip().partition("load=")[2]
    assert {"+", "/"} <= set(letters)
    for some in (letters, letters.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D"), letters.rstrip("=")):
        assert read(form.format(some)) == puzzle
        assert read(f"# two links\n{form.format(some)}\n", format="f-puzzles-link") == puzzle


@pytest.mark.parametrize(
    ("letters", "says"),
    [
        ("N4Ig" + 40 * "A", "the link is damaged"),
        ("N4Ig" + 40 * "?", r"the link is damaged.*: its letters hold no text"),
        ("N4Ig" + "A" * 40_000, "a link of more than 32,768 characters"),
        (None, "not JSON"),
    ],
)
def test_empty_link(letters: str | None, says: str) -> None:
    """A link that holds nothing is refused."""
    with pytest.raises(FormatError, match=says):
        read("https://f-puzzles.com/?load=" + (letters or lz.packed('{"grid": [[' + 30 * "{}, ")))


def test_link_by_number(run: Command) -> None:
    """A link that names a puzzle by number is refused with what would be right."""
    ran = run("count", f"{'https://f-puzzles.com/?load=' + 'x' * 50}")
    assert ran.status == 2
    assert "not a link that holds a puzzle; expected one such as https://www.f-puzzles.com/?load=N4Ig" in ran.err


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library an error says what to install."""
    link = "".join(write_all([Puzzle.of(NINE)], "f-puzzles-link"))
    monkeypatch.setitem(sys.modules, "lzstring", None)
    with pytest.raises(
        FormatError, match=r"py-lzstring \(extra \"links\" of this installation\): pip install 'py-lzstring>=0.1.1'"
    ):
        read(link)
    monkeypatch.setitem(sys.modules, "lzstring", json)
    with pytest.raises(FormatError, match="the installed package lzstring is a different one"):
        read(link)


def test_commands_write_links(run: Command, tmp_path: Path) -> None:
    """Commands and functions write links."""
    puzzle = Puzzle.of(NINE, constraints=["thermometer r1c1-r1c4"])
    se.write(puzzle, tmp_path / "links", format="f-puzzles-link")
    assert (tmp_path / "links").read_text().startswith("https://www.f-puzzles.com/?load=N4Ig")
    ran = run("convert", tmp_path / "links", "--to", "f-puzzles")
    assert json.loads(ran.out)["thermometer"] == [{"lines": [["R1C1", "R1C2", "R1C3", "R1C4"]]}]
    assert run("convert", "--board", "4x4x4", "--to", "f-puzzles").status == 2


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("difference", {"cells": ["R1C1", "R1C2"], "valeu": "3"}),
        ("killercage", {"cells": ["R1C1", "R1C2"], "vlaue": "3"}),
        ("quadruple", {"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "vlaues": [1, 2]}),
    ],
)
def test_misspelt_key(key: str, entry: dict[str, object]) -> None:
    """A key of a constraint with letters in another order is named."""
    item = {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)], key: [entry]}
    with pytest.raises(FormatError, match=r'is not a key that is read here; did you mean "values?"'):
        se.read(json.dumps(item))


def test_unread_key_remarked() -> None:
    """A key of a constraint that is not read is remarked on."""
    entry = {"cells": ["R1C1", "R1C2"], "sum": "3", "outlineC": "#fff"}
    item = {"size": 4, "grid": [[{} for _ in range(4)] for _ in range(4)], "killercage": [entry]}
    with pytest.warns(UserWarning, match="^not read: sum of killercage$"):
        assert se.count(se.read(json.dumps(item))) == 288


def drawn_object() -> dict[str, Any]:
    """Return an object with texts, drawings, looks and notes of a player."""
    cage = {"cells": ["R1C1", "R1C2"], "value": "3", "outlineC": "#123456"}
    item = an_object(4, title="T", author="A", ruleset="Normal rules.", killercage=[cage], fogofwar=["R1C1"])
    item["grid"][0][0] = {"value": 1, "given": True, "c": "#ff0000"}
    item["grid"][1][1] = {"value": 2, "cornerPencilMarks": [3, 4]}
    item |= {"line": [{"lines": [["R1C1", "R2C2"]], "outlineC": "#fff"}], "text": [{"cells": ["R3C3"], "value": "x"}]}
    return item | {"solution": [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("format", ["f-puzzles", "f-puzzles-link"])
def test_unread_keys_kept(run: Command, tmp_path: Path, format: str) -> None:
    """An object is written back with its drawings, texts and looks, also as a link."""
    drawn, again = tmp_path / "drawn.json", tmp_path / "again"
    drawn.write_text(text(drawn_object()))
    again.write_text(run("convert", drawn, "--to", format).out)
    assert json.loads(run("convert", again, "--to", "f-puzzles").out) == drawn_object()


@pytest.mark.filterwarnings("ignore")
def test_unread_keys_of_changed_puzzle(run: Command, tmp_path: Path) -> None:
    """A puzzle with one more constraint keeps drawings and texts, but neither looks nor the solution."""
    drawn = tmp_path / "drawn.json"
    drawn.write_text(text(drawn_object()))
    more = ["--constraint", "region-sums r3c1-r3c3", "--constraint", "palindrome r1c1-r2c2"]
    item = json.loads(run("convert", drawn, "--to", "f-puzzles", *more).out)
    before = drawn_object()
    kept = ("title", "author", "ruleset", "fogofwar", "text", "size")
    assert {key: item.get(key) for key in kept} == {key: before[key] for key in kept}
    assert item["grid"][0][0] == before["grid"][0][0]
    assert item["grid"][1][1] == {"cornerPencilMarks": [3, 4]}
    assert item["killercage"] == [{"cells": ["R1C1", "R1C2"], "value": "3"}]
    assert "solution" not in item
    # The line of the new constraint is drawn after the others.
    assert item["line"][0] == before["line"][0]
    assert [line["lines"] for line in item["line"][1:]] == [[["R3C1", "R3C2", "R3C3"]]]


@pytest.mark.filterwarnings("ignore")
def test_original_of_puzzle() -> None:
    """The original of a puzzle is pickled and copied, but not compared; a wrong one has no effect."""
    puzzle = read(text(drawn_object()) + "\n")
    again = pickle.loads(pickle.dumps(puzzle))
    assert json.loads(again.original) == drawn_object()
    with pytest.raises(FormatError, match="5 is not an original of a puzzle; expected text"):
        replace(puzzle, original=5)  # type: ignore[arg-type]
    plain = replace(puzzle, original="")
    assert (plain, hash(plain)) == (puzzle, hash(puzzle))
    assert "text" not in json.loads("".join(write_all([plain], "f-puzzles")))
    renamed = json.loads("".join(write_all([replace(puzzle, name="N")], "f-puzzles")))
    assert (renamed["title"], renamed["text"]) == ("N", drawn_object()["text"])
    assert "author" not in renamed
    for wrong in ("{", "[]", "{}", text(an_object(5, ruleset="five"))):
        item = json.loads("".join(write_all([replace(plain, original=wrong)], "f-puzzles")))
        assert item == json.loads("".join(write_all([plain], "f-puzzles"))), wrong


@pytest.mark.parametrize(
    ("keys", "lines", "remark"),
    [
        ({"value": "0"}, ["cage r1c1 r1c2"], 'killercage 1: its value "0" is read as none'),
        ({"value": "?"}, ["cage r1c1 r1c2"], 'killercage 1: its value "?" is read as none'),
        ({"value": ""}, ["cage r1c1 r1c2"], ""),
        ({"value": "3"}, ["cage 3 r1c1 r1c2"], ""),
        (
            {"value": "4", "cells": ["R1C1", "R1C2", "R1C1"]},
            ["cage 4 r1c1 r1c2"],
            "killercage 1: a cell that is listed twice is read once",
        ),
    ],
)
def test_cages_remarked(keys: dict[str, Any], lines: list[str], remark: str) -> None:
    """A sum that is 0 or unknown is no sum, and a cell that is listed twice counts once; both are remarked on."""
    entry = the_entry(text(an_object(4, killercage=[{"cells": ["R1C1", "R1C2"], **keys}])))
    assert isinstance(entry.content, Puzzle)
    assert [constraint.text(entry.content.geometry) for constraint in entry.content.constraints] == lines
    assert entry.remarks == ((remark,) if remark else ())


@pytest.mark.parametrize("value", ["<5", "3-5", "x", "5?"])
def test_bounds_of_cages(value: str) -> None:
    """A sum that is not a number is refused with the constraint that says it."""
    message = error(an_object(4, killercage=[{"cells": ["R1C1", "R1C2"], "value": value}]))
    assert message.partition(" (")[0] == (
        f'killercage 1: value "{value}"; expected a number, or none; '
        "--constraint 'cage 3-5 r1c1 r1c2' says a sum from 3 to 5"
    )


def test_no_regions_remarked() -> None:
    """A grid without regions is a Latin square, which is remarked on."""
    item = an_object(4)
    item["grid"] = [[{"region": None} for _ in range(4)] for _ in range(4)]
    entry = the_entry(text(item))
    assert isinstance(entry.content, Puzzle)
    assert entry.content.geometry.name == "latin:4x4"
    assert entry.remarks == ("it has no regions, so only its rows and columns are rules",)
