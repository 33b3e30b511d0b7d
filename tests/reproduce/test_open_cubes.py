"""The page of open questions, on how many cubes there are: the numbers by other ways."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_encode.placements.structure import patterns_of
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED
from sudoku_encode.reproduce.gtsps.figures import GRIDS
from sudoku_encode.reproduce.open_questions import cubes
from tests.helpers.paper_findings import finding, table, verdict
from tests.helpers.puzzles import filled

Sets = NDArray[np.bool_]
Ints = NDArray[np.int64]
CUBE = board("9x9x9")


def peers_of(cells: Ints) -> Sets:
    """Return which cells share a unit with some cells."""
    found = np.zeros(CUBE.n_cells, bool)
    found[np.concatenate([CUBE.peers[cell] for cell in cells])] = True
    return found


@cache
def ways_in_a_layer() -> Ints:
    """Return the ways to place a value in the first layer, by its units alone: int64 (46656, 9), its cells."""
    apart = ~np.array([peers_of(np.array([cell]))[:81] for cell in range(81)])
    ways = np.zeros((1, 0), np.int64)
    for row in range(9):
        longer = [np.insert(ways, row, 9 * row + at, axis=1) for at in range(9)]
        ways = np.concatenate([one[apart[one[:, :-1], one[:, -1:]].all(axis=1)] for one in longer])
    return ways


def left_in_layers(chosen: list[Ints]) -> list[Ints]:
    """Return the ways that some layers leave for each of the layers below them."""
    taken = np.logical_or.reduce([np.zeros(CUBE.n_cells, bool), *(peers_of(one) for one in chosen)])
    below = [ways_in_a_layer() + 81 * layer for layer in range(len(chosen), 9)]
    return [some[~taken[some].any(axis=1)] for some in below]


def n_completions(ways: list[Ints]) -> int:
    """Count the choices of a way for each of some layers, no two of which share a unit."""
    if len(ways) == 1:
        return len(ways[0])
    total = 0
    for one in ways[0]:
        taken = peers_of(one)
        total += n_completions([other[~taken[other].any(axis=1)] for other in ways[1:]])
    return total


def kinds(slab: list[Ints]) -> tuple[int, Ints]:
    """Return the parities of the permutations of a slab, seen along x, as bits, and which of a parity each is."""
    y, z = np.divmod(np.concatenate(slab) % 81, 9)
    columns = np.zeros((9, 3), np.int64)
    columns[y, z // 3] = z % 3
    found = columns.reshape(3, 3, 3).transpose(0, 2, 1).reshape(9, 3)
    odd = (found[:, 1] - found[:, 0]) % 3 == 2
    return int(odd @ (1 << np.arange(9))), found[:, 0]


def test_continuations_of_layer() -> None:
    """A layer is gone on with in 64 ways to a slab."""
    assert len(ways_in_a_layer()) == 46_656
    for first in ways_in_a_layer()[::10_000]:
        assert n_completions(left_in_layers([first])[:2]) == 64


@pytest.mark.slow
def test_third_slab() -> None:
    """Two slabs leave as many ways for the third as its table has."""
    rng, tables = np.random.default_rng(0), cubes.slab_tables()
    numbers: list[int] = []
    expected: list[int] = []
    while len(numbers) < 4:
        chosen: list[Ints] = []
        while len(chosen) < 6:
            # A layer that leaves nothing for the next one is given up, with all above it.
            ways = left_in_layers(chosen)[0]
            chosen = [*chosen, ways[rng.integers(len(ways))]] if len(ways) else []
        (parity, one), (other_parity, other) = kinds(chosen[:3]), kinds(chosen[3:])
        # Slabs that have no cell in common, seen along x, have one parity in each box, and other permutations.
        assert parity == other_parity
        assert (one != other).all()
        numbers.append(n_completions(left_in_layers(chosen)))
        expected.append(int(tables[parity].ravel()[(3 - one - other) @ 3 ** np.arange(9)]))

    assert numbers == expected
    assert any(numbers)


def test_signs_of_placements() -> None:
    """Signs are those of placements and of no others."""
    # The signs of o and r are drawn, and those of r - o counted one by one.
    rng, numbers = np.random.default_rng(0), []
    signs = np.array(list(product((1, 2), repeat=9))).reshape(-1, 3, 3)
    a, b, c = np.indices((3, 3, 3))
    for _ in range(1000):
        eps, eta = signs[rng.integers(512, size=2)]
        value = (eta[a, c] * b - eps[a, b] * c - signs[:, b, c] * a) % 3
        # A sum of functions of two of the numbers each: what is left without those where one is 0.
        rest = value - value[:, :1] - value[:, :, :1] - value[:, :, :, :1]
        rest += value[:, :1, :1] + value[:, :1, :, :1] + value[:, :, :1, :1] - value[:, :1, :1, :1]
        numbers.append(int((rest % 3 == 0).all(axis=(1, 2, 3)).sum()))

    assert abs(np.mean(numbers) - cubes.sign_triples() / 512**2) < 4 * np.std(numbers) / 1000**0.5


def test_random_offsets() -> None:
    """A random offset that adds nothing is of three kinds."""
    u, v, w = np.random.default_rng(0).integers(3, size=(3, 3))
    x, y, z = v[None] - u[:, None], w[None] - u[:, None], w[None] - v[:, None]

    assert (z[None] == y[:, None] - x[:, :, None]).all()
    assert cubes.n_offsets() == 3**9 // 3


@pytest.mark.slow
def test_disagreement_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A way that disagrees is seen."""
    assert "in exactly 104,015,259,648 ways" in finding("open", "placements_of_a_value").ours
    assert {row[1] for row in table("open", "placements_of_a_value").rows} == {104_015_259_648}

    monkeypatch.setattr(cubes, "N_PATTERNS", 255)
    assert verdict("open", "placements_of_a_value") == UNCHECKED


def test_shifted_sudokus() -> None:
    """Shifts of one sudoku are cubes and all differ."""
    empty, sudoku = Puzzle.of(CUBE), filled("9x9").reshape(9, 9).astype(np.int64)
    made = [cubes.shifted_cube(sudoku, shift) for shift in cubes.shifts()]

    assert len({cube.tobytes() for cube in made}) == 126
    assert all(not list(violations(empty, cube)) for cube in made[::7])
    assert {patterns_of(cube, 3) for cube in made[::25]} == {(0,) * 9}
    # A shift that leaves a number r - o where it was breaks a rule.
    assert next(violations(empty, cubes.shifted_cube(sudoku, np.zeros((3, 6), np.int64))), None) is not None


def test_bounds() -> None:
    """The bounds are those of the page and below the estimates."""
    uniform, others = cubes.lower_bounds()

    assert uniform == 256 * 3 * (126 * GRIDS - 9**1 * 2_612_736 * 40_320 * 3**8 * 126)
    assert [row[1] for row in table("open", "other_cubes").rows] == [pytest.approx(uniform), pytest.approx(others)]
    assert f"at least {uniform:,} uniform cubes" in finding("open", "uniform_cubes").ours
    for row in table("open", "other_cubes").rows:
        assert float(row[2] or 0) > float(row[1] or 0)


def test_side_4_cubes() -> None:
    """All cubes of side 4 are tied sudokus."""
    # Seen along the first axis, each of two slabs is a Sudoku; the other layer of a slab says nothing new.
    grids = puzzles.solutions(Puzzle.of(board("4x4x4"))).reshape(-1, 4, 4, 4)
    first = {cube[0].tobytes() for cube in grids}

    assert len(grids) == 768
    assert len(first) == 288
    assert len({cube[::2].tobytes() for cube in grids}) == 768
