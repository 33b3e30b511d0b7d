"""Every known board against the rules in plain coordinates, without geometry's code; and such a test finds its faults.

All methods share the geometry, so no cross-check can see it wrong.
"""

from dataclasses import replace
from math import isqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_encode.puzzles import shapes
from sudoku_encode.puzzles.boards import board as named
from sudoku_encode.puzzles.geometry import Geometry, Rule, tiling
from sudoku_encode.puzzles.joined_boards import OVERLAPS, SURFACES
from sudoku_encode.puzzles.rules import CUBE_RULES
from sudoku_encode.puzzles.shapes import cube, square
from tests.helpers.known_puzzles import KNOWN

Together = NDArray[np.bool_]


def same(*keys: NDArray[np.int64]) -> Together:
    """Say of each pair of cells whether they agree in all of some numbers."""
    agree = np.ones((len(keys[0]), len(keys[0])), bool)
    for key in keys:
        agree &= key[:, None] == key[None]
    return agree


def on_a_square(name: str, rules: tuple[str, ...]) -> dict[str, Together]:
    """Return for each rule the pairs of cells that it makes differ, from rows and columns alone."""
    size, *extra = name.split("+")
    if name.startswith("jigsaw:"):
        regions = name.removeprefix("jigsaw:")
        n, box = isqrt(len(regions)), None
    else:
        n = int(size.split("x")[0])
        box = tuple(map(int, size.split(":")[1].split("x"))) if ":" in size else None
        regions = ""
    row, column = (part.ravel() for part in np.indices((n, n)))
    found = {"row": same(row), "column": same(column)}
    if regions:
        found["region"] = same(np.array([ord(symbol) for symbol in regions]))
    elif "box" in rules:
        # By default the sides of a box are as equal as they can be, and it is no taller than wide.
        r, c = box or max((r, n // r) for r in range(1, n + 1) if n % r == 0 and r * r <= n)
        found["box"] = same(row // r, column // c)
    if "diagonals" in extra:
        found["diagonal"] = same(row - column) & (row == column)
        found["antidiagonal"] = same(row + column) & (row + column == n - 1)
    if "windoku" in extra:
        r, c = box or max((r, n // r) for r in range(1, n + 1) if n % r == 0 and r * r <= n)
        # Windows are as large as boxes, with a line of cells around each, so the last of a side may be too near to it.
        inside = (row % (r + 1) > 0) & (column % (c + 1) > 0)
        inside &= (row // (r + 1) < (n - 1) // (r + 1)) & (column // (c + 1) < (n - 1) // (c + 1))
        found["window"] = same(row // (r + 1), column // (c + 1)) & inside & inside[:, None]
    return found


def on_a_rectangle(name: str) -> dict[str, Together]:
    """Return the same for `latin:3x4`, or `jigsaw:4x6:` and a map."""
    _, size, *regions = name.split(":")
    row, column = (part.ravel() for part in np.indices([int(side) for side in size.split("x")]))
    found = {"row": same(row), "column": same(column)}
    if regions:
        found["region"] = same(np.array([ord(symbol) for symbol in regions[0]]))
    return found


# Where the boards of a name begin: row and column of the upper left cell, counted from 0.
BEGINNINGS = {
    "samurai": [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)],
    "twodoku": [(0, 0), (6, 6)],
    "gattai-3": [(0, 3), (3, 6), (6, 0)],
    "flower": [(0, 3), (3, 0), (3, 3), (3, 6), (6, 3)],
    "kazaguruma": [(0, 3), (3, 12), (6, 6), (9, 0), (12, 9)],
    "sohei": [(0, 6), (6, 0), (6, 12), (12, 6)],
    "butterfly": [(0, 0), (0, 3), (3, 0), (3, 3)],
    "shogun": [*((0, at) for at in (0, 12, 24, 36)), (6, 6), (6, 18), (6, 30), *((12, at) for at in (0, 12, 24, 36))],
    "4x4@0,0;2,2": [(0, 0), (2, 2)],
    "4x4@0,0;1,1": [(0, 0), (1, 1)],
    "9x9@0,0;3,1": [(0, 0), (3, 1)],
}


def on_overlapping(name: str) -> dict[str, Together]:
    """Return the same for copies of a 9x9 or a 4x4: two cells must differ where they must in one of them."""
    n = 4 if name.startswith("4x4") else 9
    beginnings = BEGINNINGS[name]
    places = sorted({(top + row, left + column) for top, left in beginnings for row, column in np.ndindex(n, n)})
    row, column = np.array(places).T
    found = {rule: np.zeros((len(places), len(places)), bool) for rule in ("row", "column", "box")}
    for top, left in beginnings:
        inside = (top <= row) & (row < top + n) & (left <= column) & (column < left + n)
        down, across = row - top, column - left
        pairs = {"row": same(down), "column": same(across), "box": same(down // isqrt(n), across // isqrt(n))}
        for rule, together in pairs.items():
            found[rule] |= together & inside & inside[:, None]
    return found


def on_a_cube(name: str) -> dict[str, Together]:
    """Return the same for a cube, as Jana et al. 2023 define it in section II-D: as intended, or literally."""
    n = int(name.removeprefix("latin:").split("x", maxsplit=1)[0])
    k = isqrt(n)
    x, y, z = (part.ravel() for part in np.indices((n, n, n)))
    if name.partition(":")[2].startswith("planes"):
        return {"plane-x": same(x), "plane-y": same(y), "plane-z": same(z)}
    if name.endswith(":literal"):
        found = {"row-x": same(x), "row-y": same(y), "row-z": same(z)}
        pairs = {"box-xy": (x, y), "box-xz": (x, z), "box-yz": (y, z)}
        return found | {rule: same(one // k, other // k) for rule, (one, other) in pairs.items()}
    lines = {"row-x": same(y, z), "row-y": same(x, z), "row-z": same(x, y)}
    if name.startswith("latin:"):
        return lines
    return lines | {
        "box-xy": same(x // k, y // k, z),
        "box-xz": same(x // k, z // k, y),
        "box-yz": same(y // k, z // k, x),
    }


def on_a_surface(name: str) -> dict[str, Together]:
    """Return the same for a surface, from slices through space: a line is what lies in one, or half of that.

    Cells are numbered face by face: from above; then those that face along x, to the left; then along y, to the right.
    """
    kind, _, text = name.partition(":")
    if kind == "sudokube":
        n = int(text)
        face, row, column = (part.ravel() for part in np.indices((6, n, n)))
        down, back = n - 1 - row, n - 1 - column
        # Where up, left, front, right, back, down are cut by slices of equal x, y and z; none is negative.
        none = -1 - np.arange(6 * n * n)
        x = np.choose(face, [column, none, column, none, back, column])
        y = np.choose(face, [down, back, none, column, none, row])
        z = np.choose(face, [none, down, down, down, down, none])
        return {"hoop": same(x) | same(y) | same(z), "face": same(face)}
    n = int(text) if kind == "corner" else len(text)
    face, row, column = (part.ravel() for part in np.indices((3, n, n)))
    down, back = n - 1 - row, n - 1 - column
    none = -1 - np.arange(3 * n * n)
    slices = [
        np.choose(face, [row, none, back]),
        np.choose(face, [column, column, none]),
        np.choose(face, [none, down, down]),
    ]
    if kind == "corner":
        box = np.choose(face, [column // 2, row // 2, column // 2])
        return {"line": same(slices[0]) | same(slices[1]) | same(slices[2]), "box": same(face, box)}
    k = isqrt(n)
    heights = [[int(digit) for digit in text[at : at + k]] for at in range(0, n, k)]
    position = []
    for f, r, c in zip(face.tolist(), row.tolist(), column.tolist(), strict=True):
        # The middle of each cell.
        if f == 0:
            position.append((r + 0.5, c + 0.5, k * heights[r // k][c // k]))
            continue
        up, beside = n - 1 - r, c if f == 1 else n - 1 - c
        cubes = [line[beside // k] for line in heights] if f == 1 else heights[beside // k]
        depth = k * sum(height > up // k for height in cubes)
        position.append((depth, c + 0.5, up + 0.5) if f == 1 else (beside + 0.5, depth, up + 0.5))
    x, y, z = np.array(position).T
    # In a picture a line ends where it crosses the middle: where the other two coordinates are equal.
    halves = [same(one, ahead > behind) for one, ahead, behind in zip(slices, (y, x, y), (z, z, x), strict=True)]
    return {"line": halves[0] | halves[1] | halves[2], "box": same(face, row // k, column // k)}


def wrong_rules(board: Geometry) -> list[str]:
    """Return the rules of a board that are not what their names say, and those that it should have but has not."""
    if board.name.partition(":")[0] in SURFACES:
        rules = on_a_surface(board.name)
    elif board.places:
        rules = on_overlapping(board.name)
    elif len(board.shape) == 2 and board.shape != (board.n_values,) * 2:
        rules = on_a_rectangle(board.name)
    else:
        rules = on_a_cube(board.name) if len(board.shape) == 3 else on_a_square(board.name, board.rule_names)
    made: dict[str, Together] = {}
    for rule in board.rules:
        made.setdefault(rule.name, np.zeros((board.n_cells, board.n_cells), bool))
        for unit in rule.units.tolist():
            made[rule.name][np.ix_(unit, unit)] = True
    for pairs in (*rules.values(), *made.values()):
        np.fill_diagonal(pairs, False)
    return [name for name in made if name not in rules or not np.array_equal(made[name], rules[name])]


BOARDS = {
    f"{known.board} {' '.join(known.rules or ())}": known.puzzle.geometry
    for known in KNOWN
    if known.puzzle.geometry.n_cells < 3000
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_rule(name: str) -> None:
    """Every rule of every known board says what its name says."""
    assert wrong_rules(BOARDS[name]) == []


@pytest.mark.parametrize(
    "name",
    [
        *("corner:2", "corner:4", "corner:6", "sudokube:2", "sudokube:3", "sudokube:4"),
        *("isodoku:0000", "isodoku:2222", "isodoku:2110", "isodoku:321211111", "isodoku:333000000"),
    ],
)
def test_surface_lines(name: str) -> None:
    """The lines of a surface are those of slices through space."""
    assert set(named(name).rule_names) == set(on_a_surface(name))
    assert wrong_rules(named(name)) == []


@pytest.mark.parametrize("name", ["2x2x2:planes", "3x3x3:planes", "4x4x4:planes", "3x3x3:planes:0-8"])
def test_planes(name: str) -> None:
    """Cells of a cube of planes must differ where they share a coordinate."""
    cube = named(name)
    assert cube.rule_names == ("plane-x", "plane-y", "plane-z")
    assert cube.shape == (int(name[0]),) * 3
    assert cube.n_values == int(name[0]) ** 2
    assert wrong_rules(cube) == []


@pytest.mark.parametrize("name", BEGINNINGS)
def test_overlapping_boards(name: str) -> None:
    """Cells of boards that overlap must differ where they must in one of them."""
    assert set(named(name).rule_names) == {"row", "column", "box"}
    assert wrong_rules(named(name)) == []


def test_all_boards_covered() -> None:
    """Every board of several squares is in these tests."""
    assert set(OVERLAPS) <= set(BEGINNINGS)


def test_lost_unit_found() -> None:
    """A unit of a samurai that is lost is found."""
    samurai = named("samurai")
    *others, boxes = samurai.rules
    fewer = Rule("box", boxes.units[:-1])
    assert wrong_rules(replace(samurai, rules=(*others, fewer))) == ["box"]


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("6x6", {"row", "column", "box"}),
        ("9x9", {"row", "column", "box"}),
        ("9x9x9", {"row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz"}),
        ("4x4x4", {"row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz"}),
    ],
)
def test_no_rule_missing(name: str, rules: set[str]) -> None:
    """No rule is missing."""
    board = square(int(name[0])) if name.count("x") == 1 else cube(int(name[0]))
    assert set(board.rule_names) == rules


def test_transposed_box_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transposed box is found."""
    right = tiling

    def transposed(name: str, shape: tuple[int, ...], block: tuple[int, ...]) -> Rule:
        return right(name, shape, block[::-1] if name == "box" else block)

    monkeypatch.setattr(shapes, "tiling", transposed)
    assert wrong_rules(square(6)) == ["box"]
    # On a square box nothing changes.
    assert wrong_rules(square(9)) == []


@pytest.mark.parametrize("lost", ["row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz"])
def test_repeated_rule_found(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of a cube that repeats another is found."""
    right = tiling
    blocks = {"row-x": (1, 4, 1), "row-y": (1, 1, 4), "row-z": (4, 1, 1)}
    boxes = {"box-xy": (2, 1, 2), "box-xz": (1, 2, 2), "box-yz": (2, 2, 1)}

    def confused(name: str, shape: tuple[int, ...], block: tuple[int, ...]) -> Rule:
        return right(name, shape, (blocks | boxes)[name] if name == lost else block)

    monkeypatch.setattr(shapes, "tiling", confused)
    assert wrong_rules(cube(4)) == [lost]


def test_missing_family_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing family is found."""
    right = shapes._cube

    def forgetful(name: str, n: int, blocks: list[tuple[int, int, int]]) -> Geometry:
        return replace(right(name, n, blocks), rules=right(name, n, blocks).rules[:-1])

    monkeypatch.setattr(shapes, "_cube", forgetful)
    # What is there is right; that one is not there is what the other test sees.
    assert wrong_rules(cube(4)) == []
    with pytest.raises(AssertionError, match="box-yz"):
        test_no_rule_missing("4x4x4", set(CUBE_RULES))
