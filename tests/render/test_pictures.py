"""Pictures as SVG: every value once and in its place, borders where regions differ, and what is marked."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.render.page import within
from sudoku_encode.render.picture import cell_number, unit_cells
from sudoku_encode.render.shapes import LOOKS
from tests.helpers.golden_pictures import GOLDEN, PICTURES, SMALL, SOLUTION, TEXT

JIGSAW = "jigsaw:AAABBACBBBACCCDECDDDEEEED"
SQUARES = ["4x4", "6x6:2x3", "6x6:3x2", "5x5", "9x9", "16x16", "25x25", JIGSAW]


def texts(drawing: se.Drawing, kind: str) -> dict[tuple[int, int], str]:
    """Return the texts of a class by the row and column of the cell in which their middle lies."""
    found = {}
    for text in ET.fromstring(str(drawing)).findall(f".//{{*}}g[@class='{kind}']/{{*}}text"):
        size = float(text.get("font-size", ""))
        place = int(float(text.get("y", "")) - 0.36 * size), int(float(text.get("x", "")))
        assert place not in found, place
        found[place] = "".join(text.itertext())
    return found


def sides(drawing: se.Drawing, kind: str) -> set[tuple[int, int, int, int]]:
    """Return the sides of cells, as (x, y, to x, to y), that lie on the lines of a class."""
    found = set()
    for path in ET.fromstring(str(drawing)).findall(f".//{{*}}g[@class='{kind}']/{{*}}path"):
        for line in path.get("d", "").split("M")[1:]:
            points = [tuple(map(float, point.split())) for point in line.split("L")]
            for (x, y), (to_x, to_y) in pairwise(points):
                steps = int(max(to_x - x, to_y - y))
                across, down = int(to_x > x), int(to_y > y)
                for at in range(steps):
                    left, top = int(x) + at * across, int(y) + at * down
                    one = left, top, left + across, top + down
                    assert one not in found, one
                    found.add(one)
    return found


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name: str) -> None:
    """Pictures are as they were."""
    assert str(PICTURES[name]()) == (GOLDEN / f"{name}.svg").read_text(), "see tests/helpers/golden_pictures.py"


@pytest.mark.parametrize("name", PICTURES)
def test_classes_described(name: str) -> None:
    """Every class of shapes is described."""
    groups = ET.fromstring((GOLDEN / f"{name}.svg").read_text()).findall("{*}g")
    assert [group.get("class") for group in groups] == [
        kind for kind in LOOKS if kind in {group.get("class") for group in groups}
    ]


@pytest.mark.parametrize("name", SQUARES)
def test_values_in_place(name: str) -> None:
    """Every given and every other value is there once in its place."""
    board = se.board(name)
    # What a picture shows need not be a solution.
    values = np.random.RandomState(1).randint(1, board.n_values + 1, board.n_cells)
    givens = np.where(np.arange(board.n_cells) % 3 == 0, values, 0)
    drawing = se.draw(se.Puzzle.of(board, givens), solution=values)
    n = board.n_values
    wanted = {divmod(cell, n): str(value) for cell, value in enumerate(values.tolist())}
    given = {place: text for place, text in wanted.items() if givens[place[0] * n + place[1]]}

    assert texts(drawing, "given") == given
    assert texts(drawing, "solution") == {place: text for place, text in wanted.items() if place not in given}


@pytest.mark.parametrize("name", SQUARES)
def test_thick_and_thin_lines(name: str) -> None:
    """A thick line is where regions differ and a thin one between other cells."""
    board = se.board(name)
    n = board.n_values
    region = np.zeros((n, n), int)
    for rule in board.rules:
        if rule.name in ("box", "region"):
            for number, unit in enumerate(rule.units):
                region.ravel()[unit] = number
    thick: set[tuple[int, int, int, int]] = set()
    thin: set[tuple[int, int, int, int]] = set()
    for row in range(n):
        for line in range(n + 1):
            is_thick = line in (0, n) or region[row, line - 1] != region[row, line]
            (thick if is_thick else thin).add((line, row, line, row + 1))
            is_thick = line in (0, n) or region[line - 1, row] != region[line, row]
            (thick if is_thick else thin).add((row, line, row + 1, line))
    drawing = se.draw(se.Puzzle.of(board))

    assert sides(drawing, "thick") == thick
    assert sides(drawing, "thin") == thin


@pytest.mark.parametrize("name", ["4x4", "6x6:2x3", "9x9", "16x16"])
def test_candidates_in_place(name: str) -> None:
    """Each candidate has a place of its own in its cell."""
    board = se.board(name)
    drawing = se.draw(se.Puzzle.of(board), candidates=True)
    found: dict[tuple[int, int], dict[tuple[str, str], str]] = {}
    for text in ET.fromstring(str(drawing)).findall(".//{*}g[@class='candidate']/{*}text"):
        x, y, size = (float(text.get(key, "")) for key in ("x", "y", "font-size"))
        within = f"{x % 1:.2f}", f"{(y - 0.36 * size) % 1:.2f}"
        found.setdefault((int(y - 0.36 * size), int(x)), {})[within] = str(text.text)

    assert len(found) == board.n_cells
    for places in found.values():
        assert sorted(map(int, places.values())) == list(range(1, board.n_values + 1))
        # Values go from left to right, then down.
        assert [places[at] for at in sorted(places, key=lambda at: (at[1], at[0]))] == sorted(places.values(), key=int)
        assert len({places[at]: at for at in places}) == board.n_values


def test_pale_values() -> None:
    """A value that few solutions have is paler."""
    found = se.candidates(TEXT, "search", counts=True)
    root = ET.fromstring(str(se.draw(found)))
    opacities = {
        str(text.findtext("{*}title")): float(text.get("opacity", "1"))
        for text in root.findall(".//{*}g[@class='candidate']/{*}text")
    }

    assert opacities["2: 75 of 127"] > opacities["7: 52 of 127"] > 0.15


def test_highlights() -> None:
    """Highlighted cells and units are filled and a unit has an outline."""
    drawing = se.draw(TEXT, cells=["r1c3", 80, (4, 4)], units=["box 1"])
    root = ET.fromstring(str(drawing))
    cells = {(rect.get("x"), rect.get("y")) for rect in root.findall(".//{*}g[@class='cell-highlighted']/{*}rect")}

    assert cells == {("2", "0"), ("8", "8"), ("4", "4")}
    assert len(root.findall(".//{*}g[@class='unit']/{*}rect")) == 9
    assert sides(drawing, "unit-outline") == {
        *((at, line, at + 1, line) for at in range(3) for line in (0, 3)),
        *((line, at, line, at + 1) for at in range(3) for line in (0, 3)),
    }


def test_differences() -> None:
    """Cells that differ are framed with the other value."""
    other = SOLUTION[:10] + "1" + SOLUTION[11:]
    grid = se.solve(TEXT, "search")
    assert grid is not None
    drawing = se.draw(grid, against=other)
    differs = [divmod(cell, 9) for cell in range(81) if str(grid.values[cell]) != other[cell]]
    root = ET.fromstring(str(drawing))
    framed = root.findall(".//{*}g[@class='differs']/{*}rect")

    assert [(int(float(one.get("y", ""))), int(float(one.get("x", "")))) for one in framed] == differs
    assert texts(drawing, "other") == {(row, column): other[9 * row + column] for row, column in differs}


def test_layers_along_axis() -> None:
    """Each layer of a cube is drawn along the axis."""
    cube = se.board("4x4x4")
    values = np.zeros((4, 4, 4), int)
    values[1, 2, 3] = 4
    labels = "".join(texts(se.draw(se.Puzzle.of(cube, values), axis="z"), "label").values())

    assert "z = 3 (x down, y across)" in labels
    # The last of four layers in two rows of two: x is down and y across.
    (place,) = texts(se.draw(se.Puzzle.of(cube, values), axis="z"), "given")
    (x_place,) = texts(se.draw(se.Puzzle.of(cube, values)), "given")
    assert place[1] == 5 + 2
    assert x_place[1] == 5 + 3
    assert place[0] - x_place[0] > 3


def test_unit_numbers() -> None:
    """Units of a cube are counted from 1 and cells have their names."""
    cube = se.board("4x4x4")
    assert unit_cells(cube, "box-xy 1") == (0, 4, 16, 20)
    assert cell_number(cube, "x1y2z3") == 16 + 8 + 3


def test_extra_rules() -> None:
    """Extra rules are drawn."""
    lines = ET.fromstring(str(se.draw(se.Puzzle.of(se.board("9x9+diagonals")))))
    paths = [path.get("d") for path in lines.findall(".//{*}g[@class='diagonal']/{*}path")]
    windows = ET.fromstring(str(se.draw(SMALL / "9x9-windoku.sdk")))

    assert paths == ["M0 0L9 9", "M9 0L0 9"]
    assert len(windows.findall(".//{*}g[@class='window']/{*}rect")) == 36


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cells": ["r1c10"]}, "9x9 has no cell r1c10; its cells are r1c1 to r9c9"),
        ({"cells": [81]}, "9x9 has no cell 81"),
        ({"cells": [-1]}, "9x9 has no cell -1"),
        ({"cells": [(0, 9)]}, "9x9 has no cell"),
        ({"cells": [None]}, "9x9 has no cell None"),
        ({"cells": [1.5]}, "9x9 has no cell 1.5"),
        ({"units": ["row 0"]}, "9x9 has no unit 'row 0'; its units are row 1 to 9, column 1 to 9, box 1 to 9"),
        ({"units": ["row"]}, "9x9 has no unit 'row'"),
        ({"units": ["diagonal"]}, "9x9 has no unit 'diagonal'"),
        ({"solution": "1" * 80}, "80 symbols"),
        ({"solution": "9" * 81}, "r1c2 is 9 in the solution, but its given is 5"),
        ({"candidates": np.ones((80, 9), bool)}, "candidates of shape"),
        ({"against": "1" * 16}, "16 symbols"),
        ({"axis": "z"}, "9x9 is a square and has no layers"),
        ({"form": "gif"}, "not a form of drawings: 'gif'; there are text, svg"),
    ],
)
def test_off_the_board(wrong: dict[str, object], message: str) -> None:
    """What is not of the board is refused."""
    with pytest.raises(se.SudokuError, match=message.replace("(", r"\(")):
        se.draw(TEXT, **wrong)  # type: ignore[arg-type]


def test_conflicting_options() -> None:
    """What a step and true candidates have themselves is refused."""
    found = se.candidates(TEXT, "search")
    with pytest.raises(se.SudokuError, match="solution and against cannot be combined with a TrueCandidates"):
        se.draw(found, solution=SOLUTION, against=SOLUTION)
    assert "cell-highlighted" in str(se.draw(found, cells=["r1c1"]))


def test_axis_names() -> None:
    """An axis has one of three names."""
    with pytest.raises(se.GeometryError, match="not an axis: 'w'; there are x, y, z"):
        se.draw(se.Puzzle.of(se.board("4x4x4")), axis="w")


def test_titles() -> None:
    """Titles are texts."""
    drawing = se.draw(TEXT, title="</svg><script>&")
    root = ET.fromstring(str(drawing))

    assert root.findtext("{*}title") == "</svg><script>&"
    assert "<script>" not in str(drawing)


def test_notebook() -> None:
    """A notebook takes a drawing by its form."""
    svg, html = se.draw(TEXT), se.draw(TEXT, "html")

    assert svg._repr_svg_() == str(svg)
    assert (svg._repr_png_(), html._repr_svg_(), se.draw(TEXT, "tikz")._repr_html_()) == (None, None, None)
    # Where only HTML is asked for, it is an image.
    assert (svg._repr_html_() or "").startswith("<figure ")
    # A page within the page, whose styles stay its own.
    assert html._repr_html_() == within(str(html), "drawing")
    assert repr(svg).startswith("Drawing('svg', ")


def test_single_name() -> None:
    """A single name needs no list."""
    board = se.board("4x4")
    one = se.draw(se.Puzzle.of(board), cells="r1c2", units="row 2")
    assert str(one) == str(se.draw(se.Puzzle.of(board), cells=["r1c2"], units=["row 2"]))


def test_suffix_of_other_form(tmp_path: Path) -> None:
    """A drawing is not saved under the name of another form."""
    drawing = se.draw(se.Puzzle.of(se.board("4x4")))
    with pytest.raises(se.SudokuError, match=r"a\.png is the name of a png file, but this is svg"):
        drawing.save(tmp_path / "a.png")
    drawing.save(tmp_path / "a.svg.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg.gz"]
