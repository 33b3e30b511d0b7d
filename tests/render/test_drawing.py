"""Drawings: borders where the regions are, labels at the layers of cubes, candidates, and lines that a terminal has."""

import io
import sys
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode import board
from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.rules import EXTRA_RULES
from sudoku_encode.puzzles.square_rules import RULES
from sudoku_encode.render.text import AXES, draw
from tests.helpers.command import Command

JIGSAW = "jigsaw:AAABBACBBBACCCDECDDDEEEED"
CLUES = "1.............4."


def test_boxes() -> None:
    """Boxes have borders."""
    assert draw(board("4x4"), [1, 0, 0, 0, *[0] * 8, 0, 0, 4, 0]).splitlines() == [
        "┌─────┬─────┐",
        "│ 1 . │ . . │",
        "│ . . │ . . │",
        "├─────┼─────┤",
        "│ . . │ . . │",
        "│ . . │ 4 . │",
        "└─────┴─────┘",
    ]
    assert draw(board("6x6"), np.zeros(36), ascii=True).splitlines()[:4] == [
        "+-------+-------+",
        "| . . . | . . . |",
        "| . . . | . . . |",
        "+-------+-------+",
    ]


def test_regions() -> None:
    """Regions have borders."""
    assert draw(board(JIGSAW), np.zeros(25)).splitlines() == [
        "┌───────────┬───────┐",
        "│ .   .   . │ .   . │",
        "│   ┌───┬───┘       │",
        "│ . │ . │ .   .   . │",
        "│   │   └───────┬───┤",
        "│ . │ .   .   . │ . │",
        "├───┤   ┌───────┘   │",
        "│ . │ . │ .   .   . │",
        "│   └───┴───────┐   │",
        "│ .   .   .   . │ . │",
        "└───────────────┴───┘",
    ]


@pytest.mark.parametrize("name", ["4x4", "6x6:3x2", "9x9", "5x5", "16x16", "25x25", JIGSAW])
@pytest.mark.parametrize("ascii", [False, True])
def test_lines_between_regions(name: str, ascii: bool) -> None:
    """A line is between two cells where their regions differ and nowhere else."""
    geometry = board(name)
    n = geometry.n_values
    numbers = np.zeros(n * n, int)
    for rule in geometry.rules:
        if rule.name in ("box", "region"):
            for number, unit in enumerate(rule.units):
                numbers[unit] = number
    region = numbers.reshape(n, n)
    lines = draw(geometry, np.zeros(n * n), ascii=ascii).splitlines()

    assert len({len(line) for line in lines}) == 1
    rows = [at for at, line in enumerate(lines) if "." in line]
    columns = [at for at, letter in enumerate(lines[rows[0]]) if letter == "."]
    assert (len(rows), len(columns)) == (n, n)
    bar, dash = ("|", "-") if ascii else ("│", "─")
    for row in range(n):
        for column in range(n):
            right = lines[rows[row]][columns[column] : columns[column + 1] if column + 1 < n else None]
            assert (bar in right) == (column + 1 == n or region[row, column] != region[row, column + 1])
            below = lines[rows[row] + 1 : rows[row + 1] if row + 1 < n else None]
            drawn = any(line[columns[column]] == dash for line in below)
            assert drawn == (row + 1 == n or region[row, column] != region[row + 1, column])


@pytest.mark.parametrize("axis", AXES)
def test_layer_titles(axis: str) -> None:
    """Each layer of a cube says which it is."""
    cube = board("4x4x4")
    # A cell for each of x, y and z, in one layer of each axis.
    values = np.zeros(cube.shape, int)
    values[1, 2, 3] = 4
    lines = draw(cube, values, axis=axis).splitlines()

    others = [name for name in AXES if name != axis]
    headings = [line for line in lines if " = " in line]
    assert headings == [f"{axis} = {at} ({others[0]} down, {others[1]} across)" for at in range(4)]
    place = {"x": 1, "y": 2, "z": 3}
    heading = lines.index(headings[place[axis]])
    layer = [line.replace("│", "").split() for line in lines[heading + 1 : heading + 8] if "." in line]
    assert layer[place[others[0]]][place[others[1]]] == "4"


def test_rule_left_out() -> None:
    """A rule that is left out has no borders."""
    cube = board("4x4x4", ["row-x", "box-xy"])
    assert "├" not in draw(cube, np.zeros(64))
    assert draw(cube, np.zeros(64), axis="z").count("├") == 4
    assert "├" not in draw(board("4x4", ["row", "column"]), np.zeros(16))


def test_square_has_no_layers() -> None:
    """A square has no layers."""
    with pytest.raises(GeometryError, match="9x9 is a square and has no layers"):
        draw(board("9x9"), np.zeros(81), axis="z")


def test_candidates() -> None:
    """Candidates are drawn in blanks and one alone in brackets."""
    may_be = np.ones((16, 4), bool)
    may_be[2] = [0, 0, 1, 0]
    may_be[3] = False
    assert draw(board("4x4"), [1, *[0] * 15], candidates=may_be).splitlines()[1] == "│ 1    1234 │ (3)  ()   │"
    assert "1,2,3,4,5,6,7,8,9,10" in draw(board("10x10"), np.zeros(100), candidates=np.ones((100, 10), bool))


def test_command(run: Command) -> None:
    """The command shows what the givens leave."""
    ran = run("show", CLUES, "--board", "4x4", "--candidates")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[1].split() == ["│", "1", "234", "│", "23", "234", "│"]
    clash = run("show", "11..............", "--board", "4x4", "--candidates")
    assert (clash.status, clash.err) == (0, "r1c1 and r1c2 are peers and both hold 1\n")


def test_pencilmarks(run: Command) -> None:
    """Pencilmarks are shown though nobody asks."""
    instances = Path(__file__).parents[2] / "instances" / "small"
    ran = run("show", instances / "4x4-sukaku.json", instances / "6x6-jigsaw.json")
    assert ran.status == 0
    assert ran.lines[0].startswith("# puzzle 1: a 4x4 Sukaku")
    assert "│ 12  234 │ 1234 1234 │" in ran.lines
    assert any(line.startswith("# puzzle 2: a 6x6 jigsaw") for line in ran.lines)


def test_axis(run: Command) -> None:
    """The command draws a cube along an axis."""
    assert run("show", "--board", "4x4x4").lines[0] == "x = 0 (y down, z across)"
    assert run("show", "--board", "4x4x4", "--axis", "z").lines[0] == "z = 0 (x down, y across)"
    refused = run("show", "--board", "9x9", "--axis", "z")
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == "sudoku-encode: 9x9 is a square and has no layers; an axis is for cubes\n"


def test_extra_rules(run: Command) -> None:
    """Extra rules are named."""
    assert run("show", "--board", "9x9+diagonals+windoku").lines[-2:] == [
        "and both long diagonals",
        "and windows as large as boxes, a line apart",
    ]
    for name, row in EXTRA_RULES.items():
        assert tuple(dict.fromkeys(rule.name for rule in RULES[name](9, (3, 3)))) == row.names


@pytest.mark.parametrize(("encoding", "line"), [("utf-8", "┌"), ("latin-1", "+"), ("ascii", "+")])
def test_terminal_lines(monkeypatch: pytest.MonkeyPatch, encoding: str, line: str) -> None:
    """A terminal gets lines that it has."""
    from sudoku_encode.report import streams

    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    assert streams.has_lines() == (line == "┌")


def test_plain_lines(run: Command) -> None:
    """Lines of letters are asked for."""
    ran = run("show", CLUES, "--board", "4x4", "--ascii")
    assert ran.out.isascii()
    # They can be read back.
    assert run("convert", "-", stdin=ran.out).lines[-1] == CLUES
