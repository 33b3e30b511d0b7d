"""Cubes of planes, as KSudoku's Roxdoku: counted by code of their own, and through every part of the toolkit."""

from itertools import product
from math import factorial
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.encoders.table import ENCODINGS
from tests.helpers import certificate_reader
from tests.helpers.command import Command

BOARD, PUZZLE = "3x3x3:planes", ".....7..6.2..63.84....5.1.."
SOLUTION = "845217396721963584639458172"


def plain_count(grid: list[int], n: int) -> int:
    """Count by trying every value in every blank, with no unit but `two cells that share a coordinate differ`."""
    if 0 not in grid:
        return 1
    cell = grid.index(0)
    place = np.unravel_index(cell, (n, n, n))
    seen = {
        grid[other]
        for other, beside in enumerate(product(range(n), repeat=3))
        if any(one == two for one, two in zip(place, beside, strict=True))
    }
    values = set(range(1, n * n + 1)) - seen
    return sum(plain_count([*grid[:cell], value, *grid[cell + 1 :]], n) for value in values)


def test_smallest_by_brute_force() -> None:
    """All 65,536 grids of 2x2x2 are looked at: 24 have each value once in each plane."""
    grids = np.indices((4,) * 8).reshape(8, -1).T.reshape(-1, 2, 2, 2)
    planes = [np.take(grids, at, axis).reshape(-1, 4) for axis in (1, 2, 3) for at in (0, 1)]
    right = np.logical_and.reduce([(np.sort(plane, axis=1) == range(4)).all(axis=1) for plane in planes])
    assert right.sum() == 24 == se.count(board_only("2x2x2:planes")).value == plain_count([0] * 8, 2)


def board_only(name: str) -> se.Puzzle:
    board = se.board(name)
    return se.Puzzle.of(board, np.zeros(board.n_cells, np.uint8))


def test_roxdoku_counted_twice() -> None:
    """With its first layer filled in the empty board has 40 solutions, so all are 9! times as many."""
    layer = [*range(1, 10), *[0] * 18]
    assert plain_count(layer, 3) == 40 == se.count(layer, "sat", board=BOARD).value
    assert se.count(board_only(BOARD)).value == 40 * factorial(9)


@pytest.mark.parametrize("method", ["search", "frontier", "exact-cover", "cp-sat", "definitions", "norvig2006"])
def test_methods_agree(method: str) -> None:
    """Methods of several families find the only solution, and those of a puzzle with several."""
    assert se.count(PUZZLE, method, board=BOARD).value == 1
    several = [int(symbol) if symbol in "7652" else 0 for symbol in PUZZLE.replace(".", "0")]
    assert se.count(several, method, board=BOARD, limits=se.Limits(solutions=3)).value == 3


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "triads"])
def test_encodings(encoding: str) -> None:
    """Every encoding but triads, which needs a classic square, has the one model."""
    assert se.count(PUZZLE, f"sat:{encoding}", board=BOARD).value == 1
    with pytest.raises(se.MethodError, match="triads does not fit 3x3x3:planes"):
        se.encode(PUZZLE, "triads", board=BOARD)


@pytest.mark.parametrize("text", [PUZZLE, "...\n..7\n..6\n\n.2.\n.63\n.84\n\n...\n.5.\n1..\n"])
def test_text_forms(run: Command, text: str) -> None:
    """A puzzle is 27 symbols, or three blocks of three lines."""
    ran = run("solve", "-", "--board", BOARD, stdin=text)
    assert ran.lines[-1] == SOLUTION


def test_picture_of_layers(run: Command, tmp_path: Path) -> None:
    """A picture has three layers, across any axis; a page in the browser is of layers too."""
    shown = run("show", PUZZLE, "--board", BOARD, "--axis", "z", "--ascii").out
    assert shown.count("+-------+") == 6
    assert "z = 2 (x down, y across)" in shown
    assert run("show", PUZZLE, "--board", BOARD, "-o", tmp_path / "a.svg").status == 0
    assert (tmp_path / "a.svg").read_text().count("x = ") >= 3
    assert run("show", PUZZLE, "--board", BOARD, "-o", tmp_path / "a.html").status == 0
    assert "<svg" in (tmp_path / "a.html").read_text()


def test_certificate(run: Command, tmp_path: Path) -> None:
    """A certificate is made and checked."""
    ran = run("prove", PUZZLE, "--board", BOARD, "-o", tmp_path / "certificate")
    assert (ran.status, ran.lines[-1]) == (0, "exactly 1 solution, proved")
    assert certificate_reader.check(tmp_path / "certificate") == 1


def test_generated(run: Command) -> None:
    """Puzzles are generated, and each has one solution."""
    text = run("generate", "--board", BOARD, "--seed", 3).out
    assert run("count", "-", stdin=text).out == "1\n"


def test_constraints_by_axes() -> None:
    """Cells are named by x, y and z, and constraints of neighbours hold in the cube."""
    constraint = "cage 13 x0y0z0 x0y0z2"
    assert se.count(PUZZLE, board=se.board(BOARD)).value == 1
    assert se.count(se.read(PUZZLE, board=BOARD, constraints=[constraint])).value == 1
    assert se.count(se.read(PUZZLE, board=BOARD, constraints=["cage 12 x0y0z0 x0y0z2"])).value == 0
    assert se.board(BOARD).cell_name(26) == "x2y2z2"
