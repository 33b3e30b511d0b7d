"""Groups of cells that a symmetry keeps together: every cell is in one, and their number is known."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import RandomState
from numpy.typing import NDArray

from sudoku_encode.generating.options import orbits, shuffled_orbits
from sudoku_encode.generating.table import SYMMETRIES
from sudoku_encode.puzzles.boards import board

Cells = NDArray[np.intp]

# What each symmetry does to an array of cells, written once more and by itself.
MOVES: dict[str, list[Callable[[Cells], Cells]]] = {
    "none": [],
    "point": [lambda cells: cells[tuple([slice(None, None, -1)] * cells.ndim)]],
    "mirror": [lambda cells: cells[..., ::-1]],
    "diagonal": [lambda cells: np.moveaxis(cells, 0, 1)],
    "quarter": [lambda cells: np.moveaxis(cells, 0, 1)[::-1]],
    "full": [
        lambda cells: cells[..., ::-1],
        lambda cells: cells[::-1],
        lambda cells: np.moveaxis(cells, 0, 1),
        lambda cells: np.moveaxis(cells, 0, -1),
    ],
}


@pytest.mark.parametrize("name", ["4x4", "9x9", "6x6", "4x4x4", "9x9x9"])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_cells_once(symmetry: str, name: str) -> None:
    """The groups hold every cell once."""
    groups = orbits(board(name), symmetry)

    assert sorted(cell for group in groups for cell in group) == list(range(board(name).n_cells))
    assert all(group == sorted(group) and group for group in groups)


@pytest.mark.parametrize("name", ["4x4", "9x9", "4x4x4", "9x9x9"])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_groups_kept(symmetry: str, name: str) -> None:
    """Every group is kept by the symmetry and is not too large."""
    geometry = board(name)
    home = np.zeros(geometry.n_cells, np.intp)
    for number, group in enumerate(orbits(geometry, symmetry)):
        home[group] = number
    at = home.reshape(geometry.shape)

    assert all((move(at) == at).all() for move in MOVES[symmetry])
    # From any cell the moves lead to the whole of its group.
    cells = np.arange(geometry.n_cells).reshape(geometry.shape)
    for group in orbits(geometry, symmetry):
        reached = {group[0]}
        while more := {int(move(cells).flat[cell]) for move in MOVES[symmetry] for cell in reached} - reached:
            reached |= more
        assert reached == set(group)


@pytest.mark.parametrize(
    ("name", "symmetry", "sizes"),
    [
        ("9x9", "none", {1: 81}),
        ("9x9", "point", {1: 1, 2: 40}),
        ("9x9", "mirror", {1: 9, 2: 36}),
        ("9x9", "diagonal", {1: 9, 2: 36}),
        ("9x9", "quarter", {1: 1, 4: 20}),
        ("9x9", "full", {1: 1, 4: 8, 8: 6}),
        ("4x4x4", "point", {2: 32}),
        ("4x4x4", "mirror", {2: 32}),
        ("4x4x4", "diagonal", {1: 16, 2: 24}),
        ("4x4x4", "quarter", {4: 16}),
        # The corners, the edges, the faces, the middle: an even cube has no cell on a plane of symmetry.
        ("4x4x4", "full", {8: 2, 24: 2}),
    ],
)
def test_group_sizes(name: str, symmetry: str, sizes: dict[int, int]) -> None:
    """The groups have the sizes that one counts by hand."""
    found = [len(group) for group in orbits(board(name), symmetry)]

    assert {size: found.count(size) for size in sorted(set(found))} == sizes


def test_shuffling() -> None:
    """Shuffling changes the order of the groups and nothing else."""
    groups = orbits(board("9x9"), "point")
    shuffled = shuffled_orbits(board("9x9"), "point", RandomState(1))

    assert shuffled != groups
    assert sorted(shuffled) == groups
    assert shuffled == shuffled_orbits(board("9x9"), "point", RandomState(1))
