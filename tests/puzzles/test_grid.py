"""A grid is an array of the shape of its board, and prints as a line of text."""

import pickle

import numpy as np
import pytest

import sudoku_encode as se

SQUARE = se.Grid(se.board("4x4"), np.array([*map(int, "1234341221434321")], np.uint8))


def test_square_as_array() -> None:
    """Length, items and numpy's array are those of the rows."""
    assert (len(SQUARE), SQUARE.shape, [row.tolist() for row in SQUARE][1]) == (4, (4, 4), [3, 4, 1, 2])
    assert (SQUARE[1, 2], SQUARE[1].tolist(), SQUARE[:2, :2].tolist()) == (1, [3, 4, 1, 2], [[1, 2], [3, 4]])
    assert type(SQUARE[1, 2]) is int
    assert np.asarray(SQUARE).tolist() == SQUARE.array.tolist()
    assert np.asarray([SQUARE, SQUARE]).shape == (2, 4, 4)
    with pytest.raises(IndexError):
        SQUARE[4, 0]


def test_copies_of_a_grid() -> None:
    """Numpy gets a copy that can be written into, and the grid's own memory only when it asks for no copy."""
    own = np.asarray(SQUARE)
    own[0, 0] = 9
    assert SQUARE[0, 0] == 1
    assert np.asarray(SQUARE, dtype=float).dtype == np.float64
    view = np.asarray(SQUARE, copy=False)
    assert np.shares_memory(view, SQUARE.values)
    assert not view.flags.writeable
    with pytest.raises(ValueError, match="copy"):
        np.asarray(SQUARE, dtype=float, copy=False)


def test_cube_and_overlapping_boards() -> None:
    """The items of a cube are its layers, those of boards that overlap their cells."""
    cube = se.solve("." * 64, board="4x4x4")
    assert cube is not None
    assert (len(cube), cube.shape, next(iter(cube)).shape) == (4, (4, 4, 4), (4, 4))
    board = se.board("samurai")
    samurai = se.Grid(board, np.ones(board.n_cells, np.uint8))
    assert (len(samurai), samurai.shape, samurai[0, 0], samurai[5]) == (369, (369,), 1, 1)
    with pytest.raises(IndexError, match="samurai has no cell at"):
        samurai[0, 10]


def test_numbers_from_zero() -> None:
    """With values from 0 the array has 1 to n, and the text the numbers."""
    grid = se.Grid(se.board("4x4:0-3"), SQUARE.values)
    assert np.asarray(grid).tolist() == np.asarray(SQUARE).tolist()
    assert str(grid) == "0123230110323210"


def test_pickled_grid() -> None:
    """A grid comes back from a pickle, also one of the time when it was in another module."""
    text = pickle.dumps(SQUARE, 0)
    assert pickle.loads(text) == SQUARE
    assert pickle.loads(text.replace(b"sudoku_encode.puzzles.grid", b"sudoku_encode.api.puzzles")) == SQUARE
