"""SudokuPad: what it says is read, and what it draws is remarked on."""

import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import lz
from sudoku_encode.formats.entries import Entry, one_by_one
from sudoku_encode.formats.reading import read, read_entries, read_text
from sudoku_encode.formats.text import sudokupad
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

BOXES = [[[2 * a + i, 2 * b + j] for i in range(2) for j in range(2)] for a in range(2) for b in range(2)]


def an_object(**more: Any) -> dict[str, Any]:
    return {"cells": [[{} for _ in range(4)] for _ in range(4)], "regions": BOXES} | more


def entry(item: dict[str, Any]) -> Entry:
    (found,) = one_by_one(read_entries(json.dumps(item) + "\n"))
    return found


def puzzle_of(item: dict[str, Any]) -> Puzzle:
    found = entry(item).content
    assert isinstance(found, Puzzle), found
    return found


def test_read_fields() -> None:
    """Givens regions cages title and solution are read."""
    item = an_object(
        cages=[
            {"cells": [[0, 0], [0, 1]], "value": "5", "unique": True, "sum": 5},
            {"cells": [[2, 0], [3, 0]], "unique": True},
            {"cells": [[3, 2], [3, 3]], "value": "6", "sum": 6},
            {"value": "title: Four"},
            {"value": "author: A. Setter"},
            {"value": "rules: Normal rules.\nAnd: more."},
            {"value": "solution: 1234341221434321"},
        ]
    )
    item["cells"][0][0] = {"value": 1}
    item["cells"][0][1] = {"value": "2"}
    found, puzzle = entry(item), puzzle_of(item)
    assert (puzzle.geometry.name, puzzle.name) == ("4x4", "Four, by A. Setter")
    assert puzzle.givens.tolist() == [1, 2] + [0] * 14
    lines = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]
    assert lines == ["cage 5 r1c1 r1c2", "cage r3c1 r4c1", "sum 6 r4c3 r4c4"]
    assert (found.answer, found.remarks) == ("1234341221434321", ())


def test_drawings_remarked(run: Command, tmp_path: Path) -> None:
    """What is only drawn is remarked on."""
    item = an_object(lines=[{}, {}], underlays=[{}], cages=[{"cells": [[0, 0]], "value": "FOW"}])
    says = "drawn without a constraint: 2 lines, 1 shape below the grid, 1 outline; "
    says += "rules that these stand for are not read"
    assert entry(item).remarks == (says,)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(item))
    assert says in run("solve", path).err
    (without,) = entry(an_object(regions=[])).remarks
    assert "it has no regions" in without
    assert puzzle_of(an_object(regions=[])).geometry.name == "latin:4x4"


def test_jigsaw_regions() -> None:
    """Regions may be those of a jigsaw."""
    rows = ["aaab", "accb", "ddcb", "ddcb"]
    regions = [[[r, c] for r in range(4) for c in range(4) if rows[r][c] == symbol] for symbol in "abcd"]
    assert puzzle_of(an_object(regions=regions)).geometry.name == "jigsaw:" + "".join(rows)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"global": ["antitaxicab"]}, 'global "antitaxicab": known are antiknight, antiking'),
        ({"regions": [*BOXES, [[0, 0]]]}, "r1c1 is in two regions"),
        ({"regions": [[[0, 4]]]}, "regions: [0, 4] is not a cell; write a row and a column from 0 to 3"),
        ({"regions": [[[1, 1], [1, 2]], [[2, 1], [2, 2]]]}, "a grid with a margin is not read"),
        ({"cells": [[{}, {}]]}, "1 rows of 2 cells; a board is a square"),
        ({"cells": [[{"value": "x"}, {}], [{}, {}]], "regions": []}, 'r1c1 holds "x"; values go from 1 to 2'),
        ({"cages": [3]}, "cages: 3; expected an object"),
        ({"metadata": 3}, "metadata is 3; expected an object"),
        ({"lines": 3}, "lines is 3; expected a list"),
        ({"globals": ["antiking"]}, '"globals" is not a key that is read here; did you mean "global"?'),
        ({"region": [[[0, 0]]]}, 'did you mean "regions"?'),
        ({"cages": [{"cell": [[0, 0]]}]}, 'did you mean "cells"?'),
        ({"cells": [[{"valu": 1}, {}], [{}, {}]], "regions": []}, 'did you mean "value"?'),
    ],
)
def test_unreadable(more: dict[str, Any], says: str) -> None:
    """What cannot be read is refused by name."""
    with pytest.raises(FormatError) as caught:
        read(json.dumps(an_object(**more)) + "\n")
    assert says in caught.value.message


# What a program that writes links makes of the object: no quotes around names, empty objects left out, t for true.
SHORT = "{id:'x',ce:[[{v:1},,,],[,,,],[,,,],[,,,{v:4}]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
SHORT += "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],ca:[{ce:[[0,0],[0,1]],v:5,unique:t,hidden:f,c1:#0},"
SHORT += "{v:'title: It\\'s [a:b],{c}'},{v:'solution: 1'}],l:[{c:AB12CD,wp:[[0.5,0.5]]}]}"


def test_short_links() -> None:
    """The short form of links is read."""
    found = sudokupad.load_shortened(SHORT)
    assert found["cells"] == [[{"value": 1}, {}, {}, {}], [{}] * 4, [{}] * 4, [{}, {}, {}, {"value": 4}]]
    assert found["cages"][0] == {"cells": [[0, 0], [0, 1]], "value": 5, "unique": True, "hidden": False, "c1": "#0"}
    assert found["cages"][1] == {"value": "title: It's [a:b],{c}"}
    assert found["lines"] == [{"c": "AB12CD", "wp": [[0.5, 0.5]]}]
    plain: dict[str, list[object]] = {"cells": [[]], "lines": []}
    assert sudokupad.load_shortened(json.dumps(plain)) == plain


@pytest.mark.parametrize("form", ["https://sudokupad.app/scl{}", "https://sudokupad.app/?puzzleid=ctc{}", "scl{}"])
def test_links(form: str) -> None:
    """Links are read."""
    for text in (SHORT, json.dumps(sudokupad.load_shortened(SHORT))):
        puzzle = read(form.format(lz.packed(text)))
        assert puzzle.givens.tolist() == [1] + [0] * 14 + [4]
        assert [constraint.text(puzzle.geometry) for constraint in puzzle.constraints] == ["cage 5 r1c1 r1c2"]
        assert puzzle.name == "It's [a:b],{c}"


@pytest.mark.parametrize(
    ("link", "says"),
    [
        ("scl" + "A" * 50, "the link is damaged"),
        ("https://sudokupad.app/scl" + lz.packed("{abc:def" * 30), "it holds no JSON"),
        ("https://sudokupad.app/scl" + lz.packed(str(list(range(40)))), "where it should hold an object"),
    ],
)
def test_empty_link(link: str, says: str) -> None:
    """A link that holds nothing is refused."""
    with pytest.raises(FormatError, match=says):
        read(link)


@pytest.mark.parametrize(
    "text",
    ['{"cells":[[{}]],"regions":[],"regions":[[[0,0]]]}', "{ce:[[,],[,]],id:'a long name',cells:[[{v:1},],[,]]}"],
)
def test_repeated_key(text: str) -> None:
    """A key of a link that appears twice is named."""
    with pytest.raises(FormatError, match=r"the key \"(regions|cells)\" appears twice"):
        read("scl" + lz.packed(text))


def test_round_trip() -> None:
    """What it can say is written and read back."""
    for name in ("4x4", "6x6:3x2", "jigsaw:aaabaccbddcbddcb", "latin:4x4"):
        puzzle = Puzzle.of(boards.board(name), constraints=["cage 5 r1c1 r1c2", "cage r2c1-r2c3", "sum 7 r1c1 r2c2"])
        assert list(read_text("".join(write_all([puzzle] * 2, "sudokupad")))) == [puzzle] * 2


def test_unwritable() -> None:
    """What it can only draw is refused by name."""
    puzzle = Puzzle.of(boards.board("9x9"), constraints=["thermometer r1c1-r1c3"])
    with pytest.raises(FormatError, match="own links cannot contain `thermometer`; --to f-puzzles-link, then"):
        list(write_all([puzzle], "sudokupad"))
    bounded = Puzzle.of(boards.board("9x9"), constraints=["cage >=12 r1c1 r1c2"])
    with pytest.raises(FormatError, match="SudokuPad has no sums with bounds: `cage >=12 r1c1 r1c2`"):
        list(write_all([bounded], "sudokupad"))
    with pytest.raises(FormatError, match="is for 2D boards with boxes or regions, and Latin squares"):
        list(write_all([Puzzle.of(boards.board("9x9+diagonals"))], "sudokupad"))


def test_other_formats() -> None:
    """Another format is not taken for it."""
    with pytest.raises(FormatError, match="this is sudokupad, not json"):
        read(json.dumps(an_object()) + "\n", format="json")
    assert read(json.dumps(an_object()) + "\n", format="sudokupad").geometry.name == "4x4"
