"""Sudokus that are tied to a given one: their numbers by other ways, and the cubes that they make."""

from itertools import combinations, product

import numpy as np
import pytest
import tied_sudokus as tied
from numpy.typing import NDArray
from tied_sudokus_kernel import WORDS, covers

from sudoku_encode.methods import calls
from sudoku_encode.placements.structure import patterns, patterns_of
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.open_questions import cubes
from sudoku_encode.run.limits import Deadline


def cells_of(places: NDArray[np.int64]) -> Grids:
    """Return the cube of which the values are in these places, in the frame without a sign of -1."""
    k, n, _ = places.shape
    cube = np.zeros((n, n, n), np.uint8)
    a, value, box = np.indices(places.shape)
    o, r = np.divmod(places, k)
    for i in range(k):
        cube[k * a + i, k * (box // k) + (i + o) % k, k * (box % k) + (i + r) % k] = value + 1
    return cube.ravel()


def cubes_found(n: int) -> list[tuple[tied.Grid, NDArray[np.int64]]]:
    """Return some uniform cubes of side 9, with their first Sudokus."""
    rng = np.random.default_rng(8)
    found: list[tuple[tied.Grid, NDArray[np.int64]]] = []
    while len(found) < n:
        grid, _ = tied.drawn(rng)
        found += [(grid, places) for _, places in tied.sample(grid, 2, 30, rng).cubes if places is not None]
    return found[:n]


@pytest.mark.slow
@pytest.mark.thorough
def test_side_4_count() -> None:
    """All cubes of side 4 are counted by their first sudokus."""
    sudokus = puzzles.solutions(Puzzle.of(board("4x4")))
    rng = np.random.default_rng(0)
    # Those with 1234 in the first row: the others are these with renamed values.
    chosen = [grid.reshape(4, 4) for grid in sudokus if grid[:4].tolist() == [1, 2, 3, 4]]
    assert 24 * len(chosen) == len(sudokus)
    numbers = [tied.sample(grid, 0, 1, rng) for grid in chosen]

    assert 24 * sum(one.ways for one in numbers) == len(puzzles.solutions(Puzzle.of(board("4x4x4")))) == 768
    empty = Puzzle.of(board("4x4x4"))
    made = [places for one in numbers for _, places in one.cubes if places is not None]
    assert made
    assert all(not list(violations(empty, cells_of(places))) for places in made)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.slow
def test_covers(seed: int) -> None:
    """Covers are those of trying all and random choices have their number as mean."""
    # Each of four values has a cell in each of two parts, of four cells each.
    rng = np.random.default_rng(seed)
    cells = rng.integers(4, size=(4, 6, 2)).tolist()
    left = [np.array([[1 << one | 16 << other, 0, 0] for one, other in some], np.uint64) for some in cells]
    plain = sum(
        all(not (x & y).any() for x, y in combinations(choice, 2)) for choice in product(*(list(one) for one in left))
    )
    sizes = np.array([len(one) for one in left])
    rows = np.concatenate([*left, np.zeros((4 * sizes.sum(), WORDS), np.uint64)])
    begin, size = np.zeros((5, 4), np.int64), np.zeros((5, 4), np.int64)
    begin[0], found = np.cumsum(sizes) - sizes, np.zeros((4, WORDS), np.uint64)

    def estimate(n_random: int) -> float:
        size[0] = sizes
        weight, number = covers(rows, begin, size, n_random, rng, found)
        return weight * number

    assert estimate(0) == plain
    several = [estimate(2) for _ in range(2000)]
    assert abs(np.mean(several) - plain) <= 4 * np.std(several) / 2000**0.5


@pytest.mark.slow
def test_drawn_sudoku() -> None:
    """A drawn sudoku is one and the weights give the number of all."""
    rng, classic = np.random.default_rng(2), Puzzle.of(board("9x9"))
    drawn = [tied.drawn(rng) for _ in range(30)]
    weights = np.array([weight for _, weight in drawn])

    assert all(not list(violations(classic, grid.ravel())) for grid, _ in drawn)
    number, error = tied.N_CROSSES * weights.mean(), tied.N_CROSSES * weights.std() / 30**0.5
    assert abs(number - 6_670_903_752_021_072_936_960) < 4 * error < number / 5


def test_weight_of_draw() -> None:
    """The weight of a drawn sudoku is the number of ways to go on."""
    grid, weight = tied.drawn(np.random.default_rng(4))
    grid[3:, 3:] = 0

    assert len(puzzles.solutions(Puzzle.of(board("9x9"), grid.ravel()))) == weight


def test_three_in_a_row() -> None:
    """Sudokus with three values in one row of each box of a stack are drawn too."""
    rng = np.random.default_rng(2)
    drawn = [tied.drawn(rng, in_rows=True) for _ in range(30)]
    weights = np.array([weight for _, weight in drawn])

    for grid, _ in drawn:
        found = cubes.triples_of_stacks(grid.astype(np.int64))
        assert (0, tuple(sorted(grid[0, :3].tolist()))) in found
    number, error = tied.N_MARKED_CROSSES * weights.mean(), tied.N_MARKED_CROSSES * weights.std() / 30**0.5
    assert abs(number - cubes.N_WITH_ROWS) < 4 * error < number / 5


@pytest.mark.slow
def test_band_classes() -> None:
    """Such sudokus are counted by the classes of their first bands."""
    from sudoku_encode.frontier import empty_9x9

    tables = empty_9x9.tables(lambda: None)
    sets = [set(row.tolist()) for row in tables.partitions.columns]
    total = 0
    for start, size, fillings, rest in zip(
        tables.starts, tables.sizes, tables.fillings, tables.completions, strict=True
    ):
        second, third = divmod(int(tables.pairs[start]), len(sets))
        # Exchanging rows and columns, these are columns of a band.
        common = len(sets[0] & sets[second] & sets[third])
        total += common * size * fillings * rest

    assert len(sets) * total == cubes.N_WITH_ROWS


def test_uniform_cubes() -> None:
    """What is found are uniform cubes."""
    empty = Puzzle.of(board("9x9x9"))
    for grid, places in cubes_found(3):
        cube = cells_of(places)
        assert not list(violations(empty, cube))
        assert len(set(patterns_of(cube, 3))) == 1
        assert (places[0] == tied.first_places(grid)).all()


def test_continuations() -> None:
    """The ways to go on from some values are those that a solver lists."""
    ((grid, places),) = cubes_found(1)
    cube, kept = cells_of(places).reshape(9, 9, 9), 3
    cube[3:][cube[3:] > kept] = 0
    listed = np.concatenate(list(calls.solutions(Puzzle.of(board("9x9x9"), cube.ravel()), "sat", Deadline(60))))
    uniform = [one for one in listed if len(set(patterns_of(one, 3))) == 1]

    rows, bounds = tied.lists(grid)
    # The cells of the kept values are found by the places that a value has in the two other Sudokus.
    taken = np.zeros(192, np.uint8)
    for layer, box, value in product(range(2), range(9), range(kept)):
        taken[(layer * 9 + box) * 9 + places[layer + 1, value, box]] = 1
    barred = np.packbits(taken, bitorder="little").view(np.uint64)
    left = [rows[bounds[value] : bounds[value + 1]] for value in range(kept, 9)]
    left = [some[~(some & barred).any(axis=1)] for some in left]
    sizes = np.array([len(one) for one in left])
    room = np.concatenate([*left, np.zeros((6 * sizes.sum(), WORDS), np.uint64)])
    begin, size = np.zeros((7, 6), np.int64), np.zeros((7, 6), np.int64)
    begin[0], size[0] = np.cumsum(sizes) - sizes, sizes
    found = np.zeros((6, WORDS), np.uint64)

    assert covers(room, begin, size, 0, np.random.default_rng(0), found) == (1.0, len(uniform))
    assert len(uniform) >= 1


def test_switch() -> None:
    """A switch makes a cube of two patterns that differ in one slab."""
    empty, rng = Puzzle.of(board("9x9x9")), np.random.default_rng(1)
    grid, _ = tied.drawn(rng, in_rows=True)
    values = tuple(sorted(grid[0, :3].tolist()))
    for shift in cubes.shifts()[::25]:
        cube = cubes.shifted_cube(grid.astype(np.int64), shift)
        other = cubes.exchange_layers(cube, 0, values)
        assert not list(violations(empty, other))
        (one, *_) = {signs for value, signs in enumerate(patterns_of(other, 3), 1) if value in values}
        (rest, *_) = {signs for value, signs in enumerate(patterns_of(other, 3), 1) if value not in values}
        assert (patterns(3)[one] ^ patterns(3)[rest]).sum() == 1
        places = np.stack([tied.first_places(cube_of(cube, a)) for a in range(3)])
        assert (2, 0, tuple(value - 1 for value in values)) in tied.switches(places)


def cube_of(cube: Grids, a: int) -> tied.Grid:
    """Return one of the three Sudokus of a uniform cube without a sign of -1: its first layer in a slab."""
    layer = cube.reshape(9, 9, 9)[3 * a]
    found: tied.Grid = layer
    return found


def test_shifts() -> None:
    """Shifts are among the ways to keep a place to switch."""
    grid, _ = tied.drawn(np.random.default_rng(6), in_rows=True)
    number = tied.switchable(grid)

    # Two other Sudokus can be exchanged, and each moved on by three.
    assert number % 18 == 0
    assert number >= len(cubes.shifts()) == 126
