"""Constraints in pictures: each kind is drawn, where its cells are, in every form."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.api.notebook_views import svg as shown_in_notebooks
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.render.constraint_drawings import CONSTRAINT_DRAWINGS, SAMPLES, sample_of
from sudoku_encode.render.drawing import drawing
from sudoku_encode.render.layout import scene
from sudoku_encode.render.picture import Picture, picture
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Point, Scene, Shape, Text
from sudoku_encode.render.table import DRAWINGS
from tests.helpers.command import Command
from tests.helpers.golden_pictures import CONSTRAINTS as GOLDEN_CONSTRAINTS
from tests.helpers.pdf import pymupdf

# Whose cells the constraint does not name.
DRAWN_WITHOUT = ["diagonal", "windoku"]
# Mostly about hidden cells, which are in no picture.
WRITTEN_BELOW = {"chaos-construction", "region-run", "region-count", "doppelganger"}
WITH_CELLS = [kind for kind, row in CONSTRAINTS.items() if row.n_lists[0] and kind not in WRITTEN_BELOW]
DRAWN = [kind for kind, row in CONSTRAINTS.items() if row.picture]
CAGES = {
    "a cell": ["r2c2"],
    "a square": ["r1c1", "r1c2", "r2c1", "r2c2"],
    "a step": ["r1c2", "r2c1", "r2c2", "r3c1"],
    "a ring": ["r1c1", "r1c2", "r1c3", "r2c1", "r2c3", "r3c1", "r3c2", "r3c3"],
    "a bay": ["r2c2", "r3c2", "r4c2", "r4c3", "r4c4", "r3c4", "r2c4"],
    "cells that meet at a corner": ["r1c1", "r2c2"],
    "cells that are apart": ["r1c1", "r1c2", "r4c4"],
}


def shown(board: str, constraints: Sequence[str], title: str = "", **more: Any) -> Picture:
    return picture(se.Puzzle.of(se.board(board), constraints=constraints), title=title, **more)


def drawn(board: str, constraints: Sequence[str], title: str = "", **more: Any) -> Scene:
    return scene(shown(board, constraints, title, **more))


def of_kind(found: Scene, kind: str) -> list[Any]:
    return [shape for shape in found.shapes if shape.kind == kind]


def said(found: Scene, kind: str) -> list[str]:
    return [shape.text for shape in of_kind(found, kind)]


def corners(shape: Shape) -> list[Point]:
    """Return points between which a shape is; of a text, about where it is."""
    half = LOOKS[shape.kind].width / 2
    match shape:
        case Lines(_, paths):
            points = [point for path in paths for point in path]
            return [(x + sign * half, y + sign * half) for x, y in points for sign in (-1, 1)]
        case Box(_, x, y, width, height):
            return [(x, y), (x + width, y + height)]
        case Circle(_, x, y, radius):
            return [(x - radius - half, y - radius - half), (x + radius + half, y + radius + half)]
        case Text(_, x, y, size, text, _, _, begins):
            width = 0.62 * size * len(text)
            left = x if begins else x - width / 2
            return [(left, y - 0.75 * size), (left + width, y)]


def surrounds(loops: Sequence[Sequence[Point]], x: float, y: float) -> bool:
    """Return whether a point is inside of lines: one goes to the right and crosses them an odd number of times."""
    crossed = 0
    for loop in loops:
        for (from_x, from_y), (to_x, to_y) in pairwise([*loop, loop[0]]):
            if (from_y > y) != (to_y > y) and from_x + (y - from_y) / (to_y - from_y) * (to_x - from_x) > x:
                crossed += 1
    return crossed % 2 == 1


def test_kinds_have_drawings() -> None:
    """Every kind with cells has a drawing."""
    assert set(DRAWN) == {*WITH_CELLS, *DRAWN_WITHOUT}
    assert all((row.draw is None) != (row.clue is None) for row in CONSTRAINT_DRAWINGS.values())
    pictures = [row.picture for row in CONSTRAINTS.values() if row.picture]
    assert {picture.draw for picture in pictures} == set(CONSTRAINT_DRAWINGS)
    assert {picture.legend for picture in pictures} == {"", *SAMPLES}


@pytest.mark.parametrize("kind", DRAWN)
def test_nothing_cut_off(kind: str) -> None:
    """Every kind is drawn and nothing is cut off."""
    found, plain = drawn("9x9", [CONSTRAINTS[kind].example]), drawn("9x9", [])
    own = set(found.shapes) - set(plain.shapes)
    points = [point for shape in found.shapes for point in corners(shape)]

    assert any(shape.kind not in ("caption", "letter", "link") for shape in own)
    assert CONSTRAINTS[kind].example not in said(found, "caption")
    # Half a cell is around each picture.
    assert all(-0.2 < x < found.width + 0.2 and -0.2 < y < found.height + 0.2 for x, y in points)


@pytest.mark.parametrize("kind", [kind for kind in CONSTRAINTS if kind not in DRAWN])
def test_kind_without_cells(kind: str) -> None:
    """A kind without cells is written below."""
    board = CONSTRAINTS[kind].example_board
    found, plain = drawn(board, [CONSTRAINTS[kind].example]), drawn(board, [])

    # A long one goes on in further lines.
    assert " ".join(said(found, "caption")) == CONSTRAINTS[kind].example
    assert all(text.y > plain.height for text in of_kind(found, "caption"))


@pytest.mark.parametrize("title", ["", "A title"])
@pytest.mark.parametrize("cells", CAGES.values(), ids=list(CAGES))
def test_cage_outline(cells: list[str], title: str) -> None:
    """The line of a cage goes round its cells and no others."""
    board = se.board("5x5")
    found = drawn("5x5", [f"cage {' '.join(cells)}"], title)
    top = found.height - 5
    loops = [path for shape in of_kind(found, "cage") for path in shape.paths]
    inside = {
        board.cell_name(5 * row + column)
        for row in range(5)
        for column in range(5)
        if surrounds(loops, column + 0.5, top + row + 0.5)
    }

    assert LOOKS["cage"].dashes
    assert inside == set(cells)
    # All of it is in cells of the cage, as far from their sides: lines of two cages are never on each other.
    for loop in loops:
        assert loop[0] == loop[-1]
        for (x, y), (to_x, to_y) in pairwise(loop):
            for part in (0.0, 0.25, 0.5, 0.75, 1.0):
                at_x, at_y = x + part * (to_x - x), y + part * (to_y - y) - top
                assert board.cell_name(5 * int(at_y) + int(at_x)) in cells
            side = x if x == to_x else y - top
            assert min(side % 1, 1 - side % 1) == pytest.approx(0.07)


def test_cage_sum() -> None:
    """The sum of a cage is in the corner of its first cell and its line leaves room."""
    found = drawn("9x9", ["cage 15 r3c2 r2c3 r2c2"])
    (text,), (line,) = of_kind(found, "cage-sum"), of_kind(found, "cage")
    (left, top), (right, low) = corners(text)

    assert text.text == "15"
    assert (1 < left < right < 1.6, 1 < top < low < 1.4) == (True, True)
    assert not any(left < x < right and top < y < low for x, y in line.paths[0])
    assert line.paths[0][0][0] > right - 0.03
    assert line.paths[0][-1][1] > low


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        ("sum 15 r2c2 r2c3", "15"),
        ("weighted-sum -4 1 -2 r2c2 r2c3", "-4"),
        ("lunchbox 8 r2c2 r2c3 r3c2", "8"),
        ("rellik-cage 9 r2c2 r2c3", "9"),
        ("equality-cage r2c2 r2c3", "="),
        ("look-and-say 1 6 2 7 r2c2 r2c3 r3c2", "16 27"),
    ],
)
def test_cage_corner(constraint: str, text: str) -> None:
    """What is in the corner of a cage is in its first cell and not in the legend."""
    found = drawn("9x9", [constraint])
    texts = [shape for shape in of_kind(found, "cage-sum") if shape.y < 9]

    assert [shape.text for shape in texts] == [text]
    (left, top), (right, low) = corners(texts[0])
    assert (1 < left < right < 2, 1 < top < low < 1.4) == (True, True)
    kind = constraint.split(maxsplit=1)[0]
    assert said(found, "caption") == ([kind] if sample_of(kind) else [])
    marks = {shape.kind for shape in found.shapes} & {"sum-frame", "sum-strike"}
    assert marks == {"lunchbox": {"sum-frame"}, "rellik-cage": {"sum-strike"}}.get(kind, set())


def test_coefficients() -> None:
    """Coefficients other than one are in their cells."""
    found = drawn("9x9", ["weighted-sum 4 1 3 -2 r1c1 r1c2 r2c1"])
    (three, minus) = of_kind(found, "coefficient")

    assert ((three.text, int(three.x), int(three.y)), (minus.text, int(minus.x), int(minus.y))) == (
        ("x3", 1, 0),
        ("x-2", 0, 1),
    )


def test_nested_cages() -> None:
    """Of cages with the same first cell one has its text there and their lines are within each other."""
    found = drawn("9x9", ["cage 15 r2c2 r2c3", "rellik-cage 6 r2c2 r2c3"])
    (outer,), (inner, _sample) = of_kind(found, "cage"), of_kind(found, "rellik-cage")

    assert [shape.text for shape in of_kind(found, "cage-sum") if shape.y < 9] == ["15"]
    assert said(found, "caption") == ["rellik-cage", "rellik-cage 6 r2c2 r2c3"]
    assert {point for path in outer.paths for point in path}.isdisjoint(inner.paths[0])
    assert min(x for x, _ in inner.paths[0]) > min(x for x, _ in outer.paths[0]) + 0.03


def test_no_room_in_cage() -> None:
    """What has no room in a cage or is on another is written too."""
    long = "look-and-say 1 6 1 7 1 8 1 9 r1c1-r1c4"
    sums = ["weighted-sum 9 2 3 r1c1 r1c2", "weighted-sum 9 2 3 r1c2 r2c2"]

    assert said(drawn("9x9", [long]), "caption") == ["look-and-say", long]
    assert said(drawn("9x9", sums), "caption") == ["weighted-sum", *sums]


def test_same_values() -> None:
    """Lists with the same values have lines around them and letters where there are several."""
    found = drawn("9x9", ["same-values r1c1 r1c2 / r5c5 r6c5", "same-values r8c1 / r9c9"])

    assert said(found, "caption") == ["a, b: same-values"]
    assert [(text.text, int(text.x), int(text.y)) for text in of_kind(found, "letter")] == [
        ("a", 0, 0),
        ("a", 4, 4),
        ("b", 0, 7),
        ("b", 8, 8),
    ]


def test_counted_values() -> None:
    """A counter of values has a circle and a line to what it counts unless it is in there."""
    apart, among = (drawn("9x9", [f"count-distinct {cells}"]) for cells in ("r3c3 / r2c2-r2c4", "r2c3 / r2c2-r2c4"))

    assert [(circle.x, circle.y) for circle in of_kind(apart, "count-circle")] == [(2.5, 2.5)]
    assert [line.paths for line in of_kind(apart, "link")] == [(((2.5, 2.5), (2.5, 1.5)),)]
    assert of_kind(among, "link") == []


@pytest.mark.parametrize(
    ("constraint", "ends"),
    [
        ("diagonal", {((0, 9), (9, 0)), ((0, 0), (9, 9))}),
        ("diagonal 1", {((0, 9), (9, 0))}),
        ("diagonal -1", {((0, 0), (9, 9))}),
    ],
)
def test_diagonals(constraint: str, ends: set[tuple[Point, Point]]) -> None:
    """Diagonals go from corner to corner."""
    found = drawn("9x9", [constraint])
    lines = [path for line in of_kind(found, "diagonal") for path in line.paths]

    assert {tuple(sorted(path)) for path in lines} == ends
    assert not said(found, "caption")


def test_windows() -> None:
    """Windows are drawn as those of a board with windows."""
    constraint, board = drawn("9x9", ["windoku"]), drawn("9x9+windoku", [])
    assert sorted(of_kind(constraint, "window")) == sorted(of_kind(board, "window"))


def test_candidates_beside_sum() -> None:
    """Small digits are not on the sum of a cage."""
    board = se.board("9x9")
    puzzle = se.Puzzle.of(board, constraints=["cage 15 r1c2 r1c1"])
    found = scene(picture(puzzle, candidates=puzzle.candidates))
    (text,) = of_kind(found, "cage-sum")
    low = corners(text)[1][1]

    digits = [shape for shape in of_kind(found, "candidate") if shape.x < 1 and shape.y < 1]
    assert len(digits) == 9
    assert min(corners(shape)[0][1] for shape in digits) >= low - 0.02


def test_line_below_digits() -> None:
    """A line goes through its cells below digits and lines between cells."""
    found = drawn("9x9", ["whispers r1c1 r2c2 r2c3"], solution=[1] + [0] * 80)
    (line,) = [shape for shape in of_kind(found, "whispers") if shape.paths[0][0] == (0.5, 0.5)]
    order = list(LOOKS)

    assert line.paths == (((0.5, 0.5), (1.5, 1.5), (2.5, 1.5)),)
    assert order.index("whispers") < order.index("thin") < order.index("given") < order.index("solution")
    assert [order.index(shape.kind) for shape in found.shapes] == sorted(
        order.index(shape.kind) for shape in found.shapes
    )


def test_lines_without_colour() -> None:
    """Kinds of lines differ without their colours."""
    with_samples = [kind for kind in DRAWN if sample_of(kind) and kind in LOOKS]
    cages = [row.name for row in CONSTRAINTS.values() if row.picture and row.picture.draw in ("cage", "weighted-sum")]
    kinds = dict.fromkeys([*with_samples, *cages])
    looks = [(LOOKS[kind].width, LOOKS[kind].dashes) for kind in kinds if LOOKS[kind].stroke and not LOOKS[kind].fill]

    assert len(looks) > 10
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize(
    ("constraint", "place"),
    [
        ("sandwich 17 r2c1-r2c9", (-1, 1)),
        ("x-sum 17 r2c9-r2c1", (9, 1)),
        ("skyscraper 3 r1c3-r9c3", (2, -1)),
        ("numbered-room 4 r9c3-r1c3", (2, 9)),
        ("little-killer 20 r1c4-r4c1", (4, -1)),
        ("little-killer 20 r4c1-r1c4", (-1, 4)),
        ("little-killer 20 r1c1-r9c9", (-1, -1)),
        ("little-killer 20 r9c9-r1c1", (9, 9)),
    ],
)
def test_outside_clue(constraint: str, place: Point) -> None:
    """A clue is outside the grid at the end from which it is read."""
    found = drawn("9x9", [constraint])
    (number,) = of_kind(found, "clue")[:1]
    grid = min(point for shape in of_kind(found, "thick") for path in shape.paths for point in path)
    at = number.x - grid[0], number.y - 0.36 * number.size - grid[1]

    assert (at[0] // 1, at[1] // 1) == place
    assert bool(of_kind(found, "clue-arrow")) == constraint.startswith("little")
    for arrow in of_kind(found, "clue-arrow"):
        assert all((x - grid[0]) // 1 == place[0] and (y - grid[1]) // 1 == place[1] for x, y in arrow.paths[0])


def test_clues_of_one_place() -> None:
    """Clues of one place are apart and kinds have frames."""
    constraints = [
        "sandwich 35 r1c3-r9c3",
        "x-sum 22 r1c3-r9c3",
        "little-killer 31 r1c4-r6c9",
        "little-killer 9 r1c2 r2c1",
    ]
    found = drawn("9x9", constraints)
    numbers = {text.text: corners(text) for text in of_kind(found, "clue") if text.size > 0.3}

    assert set(numbers) == {"35", "22", "31", "9"}
    middles = [((left + right) / 2, (top + low) / 2) for (left, top), (right, low) in numbers.values()]
    assert all(abs(y - other) > 0.35 for at, (_, y) in enumerate(middles) for _, other in middles[:at])
    assert len([frame for frame in of_kind(found, "clue-frame") if frame.y < found.height - 9]) == 1


def test_partial_row_clue() -> None:
    """A clue of a part of a row is written since a number beside the grid is about all of it."""
    parts = ["sandwich 5 r2c1-r2c4", "little-killer 8 r2c2 r3c3", "x-sum 12 r1c1 r1c2 r2c2"]
    found = drawn("9x9", parts)

    assert said(found, "caption") == parts
    assert not of_kind(found, "clue")


def test_minimum_signs() -> None:
    """Signs of minimum are on the sides of neighbours that are not marked."""
    for title in ("", "A title"):
        assert len(of_kind(drawn("9x9", ["minimum r5c5"], title), "sign")) == 4
        assert len(of_kind(drawn("9x9", ["minimum r5c5 r5c6"], title), "sign")) == 6
        assert len(of_kind(drawn("9x9", ["maximum r1c1"], title), "sign")) == 2
    (smaller, *_), (greater, *_) = (of_kind(drawn("9x9", [f"{kind} r5c5"]), "sign") for kind in ("minimum", "maximum"))
    # To the right: the tip points into a minimum, and out of a maximum.
    assert smaller.paths[0][1][0] < smaller.paths[0][0][0]
    assert greater.paths[0][1][0] > greater.paths[0][0][0]


def test_greater_sign() -> None:
    """The tip of a greater sign is at the smaller cell."""
    (sign,) = of_kind(drawn("9x9", ["greater r2c1 r1c1"]), "sign")
    (_, back), (_, tip), _ = sign.paths[0]
    assert tip < 1 < back


def test_dots() -> None:
    """Dots have their numbers unless they are the usual ones."""
    plain = drawn("9x9", ["difference r1c1 r1c2", "difference 1 r2c1 r3c1", "ratio r1c4 r1c5", "xv 10 r5c1 r5c2"])
    numbered = drawn("9x9", ["difference 3 r1c1 r1c2", "ratio 4 r1c4 r1c5", "xv 5 r4c1 r4c2", "xv 12 r5c1 r5c2"])

    assert [(dot.x, dot.y) for dot in of_kind(plain, "white-dot")] == [(1, 0.5), (0.5, 2)]
    assert [(dot.x, dot.y) for dot in of_kind(plain, "black-dot")] == [(4, 0.5)]
    assert said(plain, "dark-number") + said(plain, "light-number") == []
    assert (said(numbered, "dark-number"), said(numbered, "light-number")) == (["3"], ["4"])
    assert (said(plain, "pair-number"), said(numbered, "pair-number")) == (["X"], ["V", "12"])


def test_lettered_clones() -> None:
    """Two forms of a kind and several clones have letters."""
    found = drawn("9x9", ["whispers 4 r1c1-r1c5", "whispers 5 r2c1-r2c5", "clone r5c5 / r6c6", "clone r7c7 / r8c8"])

    assert said(found, "caption") == ["a: whispers 4", "b: whispers 5", "c, d: clone"]
    assert sorted(said(found, "letter")) == ["a", "b", "c", "c", "d", "d"]
    assert not said(drawn("9x9", ["whispers r1c1-r1c5", "whispers r2c1-r2c5"]), "letter")


def test_odd_clones() -> None:
    """Clones of another shape are written too."""
    assert said(drawn("9x9", ["clone r1c1 r1c2 / r5c5 r6c5"]), "caption") == ["clone", "clone r1c1 r1c2 / r5c5 r6c5"]


def test_cubes() -> None:
    """Constraints of a cube are on the layer of their cells or written."""
    constraints = ["cage 6 x1y0z0 x1y1z0", "thermometer x0y0z0-x2y2z2"]
    found, along_y = drawn("4x4x4", constraints), drawn("4x4x4", constraints, axis="y")
    (cage,) = of_kind(found, "cage")

    # The second of two layers beside each other, which are a cell apart.
    assert all(5 < x < 6 for x, _ in cage.paths[0])
    assert said(found, "caption") == constraints[1:]
    assert said(along_y, "caption") == constraints
    assert "<canvas" not in str(drawing([shown("4x4x4", constraints)], "html"))


@pytest.mark.parametrize("form", DRAWINGS)
def test_every_form(form: str) -> None:
    """Every form draws constraints."""
    with_them, without = (drawing([shown("6x6:2x3", some)], form) for some in (GOLDEN_CONSTRAINTS, []))
    assert len(bytes(with_them)) > 1.3 * len(bytes(without))


def test_dashes_and_numbers() -> None:
    """Forms have the dashes and the numbers."""
    some = ["cage 15 r1c1 r1c2", "region-sums r1c3-r1c5", "xv 10 r3c3 r3c4"]
    svg, tikz, text, pdf = (drawing([shown("9x9", some)], form) for form in ("svg", "tikz", "text", "pdf"))
    (page,) = pymupdf().open(stream=bytes(pdf), filetype="pdf")

    assert '<g class="cage" fill="none" stroke="#1a1a1a" stroke-width="0.03" stroke-dasharray="0.1 0.07">' in str(svg)
    assert 'stroke-opacity="0.6"' in str(svg)
    assert "dash pattern=on 0.9mm off 0.63mm" in str(tikz)
    assert "draw opacity=0.6" in str(tikz)
    assert str(text).splitlines()[-3:] == some
    assert {"15", "X", "region-sums"} <= {word[4] for word in page.get_text("words")}
    dashed = [path for path in page.get_drawings() if path.get("dashes") not in (None, "", "[] 0")]
    assert len(dashed) == 1


def test_show(run: Command) -> None:
    """Show draws constraints without a remark."""
    ran = run("show", "--board", "4x4", "--constraint", "cage 7 r1c1 r1c2", "--to", "svg")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == str(se.draw(se.Puzzle.of(se.board("4x4"), constraints=["cage 7 r1c1 r1c2"])))


def test_undrawn_kind(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind without a drawing is written and remarked on."""
    monkeypatch.setattr(CONSTRAINTS["cage"], "picture", None)
    ran = run("show", "--board", "4x4", "--constraint", "cage 7 r1c1 r1c2", "--to", "svg")

    assert (ran.status, ran.err) == (0, "written below the picture, since these kinds have no drawing: cage\n")
    assert "cage 7 r1c1 r1c2</text>" in ran.out


def test_candidates_and_notebooks() -> None:
    """True candidates and notebooks draw constraints."""
    puzzle = se.Puzzle.of(se.board("4x4"), constraints=["thermometer r1c1-r1c4"])
    assert 'class="bulb"' in str(se.draw(se.candidates(puzzle)))
    assert 'class="bulb"' in shown_in_notebooks(puzzle)
