"""Which patterns the values of a cube have together: by the law of blocks, symmetries, and a formula over lines."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from numpy.random import RandomState

from sudoku_encode.generating import grids
from sudoku_encode.generating.cubes import encoded
from sudoku_encode.placements.classes import CLASSES, Multiset, alike, class_numbers, class_of
from sudoku_encode.placements.structure import directions, pattern_of, patterns, patterns_of
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from tests.helpers.solved_cubes import CUBE, mixed_cube, table_1


@cache
def lawful() -> frozenset[Multiset]:
    """Return the multisets of nine patterns, 0 among them, where each block has one direction, or six and three."""
    going = np.eye(4, dtype=np.int64)[directions(3)]
    found: list[Multiset] = [(0,)]
    for _ in range(8):
        longer: list[Multiset] = []
        for some in found:
            counts = np.sort(going[list(some)].sum(axis=0) + going[some[-1] :], axis=2)
            few, many = counts[:, :, 2], counts[:, :, 3]
            fits = (counts[:, :, :2] == 0).all(axis=2) & (few <= 3) & ((few == 0) | (many <= 6))
            longer += [(*some, some[-1] + more) for more in np.flatnonzero(fits.all(axis=1)).tolist()]
        found = longer
    rows = np.array(found)
    counts = np.array([np.sort(going[row].sum(axis=0), axis=1) for row in rows])
    return frozenset(map(tuple, rows[np.isin(counts[:, :, 2], (0, 3)).all(axis=1)].tolist()))


@cache
def classes() -> tuple[Multiset, ...]:
    """Return the smallest multiset of each class of lawful ones."""
    left, found = set(lawful()), []
    while left:
        found.append(min(left))
        left -= alike(found[-1])
    return tuple(found)


@pytest.mark.slow
@pytest.mark.thorough
def test_multisets_and_classes() -> None:
    """The law of blocks leaves 1171 multisets which symmetries join in 28 classes."""
    assert len(lawful()) == 1_171
    assert all(alike(one) <= lawful() for one in classes())
    assert sum(len(alike(one)) for one in classes()) == 1_171
    assert len(classes()) == 28
    assert set(CLASSES) <= set(classes())
    assert list(CLASSES) == sorted(CLASSES)
    assert len(class_numbers()) == 388


@pytest.mark.slow
@pytest.mark.thorough
def test_realised_classes() -> None:
    """A formula over lines has a solution for the 14 classes that are listed and for no other."""
    assert len(CLASSES) == 14
    for one in classes():
        encoding = encoded(Puzzle.of(CUBE), one)
        with IncrementalSolver(encoding, "glucose4") as solver:
            exists = solver.solve([], Deadline())
            assert exists == (one in CLASSES), one
            if exists:
                (cube,) = encoding.decode_all(solver.model()[None])
                assert list(violations(Puzzle.of(CUBE), cube)) == []
                assert patterns_of(cube, 3) == one


def test_moved_cube() -> None:
    """A cube that is moved stays in its class."""
    random = RandomState(1)
    cubes = {class_of(patterns_of(cube, 3)): cube for cube in (mixed_cube(), table_1())}
    assert sorted(cubes) == [0, 1]
    for number, cube in cubes.items():
        for axes in permutations(range(3)):
            moved = grids.shuffled(CUBE, np.ascontiguousarray(cube.reshape(9, 9, 9).transpose(axes)).ravel(), random)
            assert list(violations(Puzzle.of(CUBE), moved)) == []
            assert class_of(patterns_of(moved, 3)) == number


def test_impossible_patterns() -> None:
    """Patterns that no cube has are in no class."""
    assert class_of((0, 0, 0, 0, 0, 0, 7, 7, 7)) == -1
    assert class_of((9, 9, 9, 9, 9, 9, 14, 14, 14)) == -1
    assert class_of((5, 4, 5, 5, 4, 5, 4, 5, 5)) == 1
    assert class_of((5, 4, 5, 5, 4, 5, 5, 5, 5)) == -1


@pytest.mark.parametrize("values", [(), (3,), (1, 2, 3, 4), range(1, 10)])
def test_formula_of_puzzle(values: tuple[int, ...]) -> None:
    """Of a cube some values are freed: it is found again, and other patterns of freed values have no cube with it."""
    cube = mixed_cube()
    wanted = list(patterns_of(cube, 3))
    puzzle = Puzzle.of(CUBE, np.where(np.isin(cube, values), 0, cube))
    with IncrementalSolver(encoded(puzzle, wanted), "glucose4") as solver:
        literals = [
            literal for cell, value in enumerate(cube) if (literal := solver.encoding.literals[cell, value - 1, 0])
        ]
        assert solver.solve([int(one) for one in literals], Deadline())
        assert (solver.encoding.decode_all(solver.model()[None]) == cube).all()
    if 1 <= len(values) < 9:
        wanted[values[0] - 1] ^= 128
        with IncrementalSolver(encoded(puzzle, wanted), "glucose4") as solver:
            assert not solver.solve([], Deadline())


def test_pattern_numbers() -> None:
    """Patterns are numbered by their signs."""
    cells = np.flatnonzero(table_1() == 1)
    number = pattern_of(3, cells)
    assert sum(1 << bit for bit, sign in enumerate(patterns(3)[number].ravel()[1:]) if sign) == number
