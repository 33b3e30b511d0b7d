"""Layered graphs: every path is a way to fill the cells, and every way is a path."""

from itertools import product

import numpy as np
import pytest

from sudoku_encode.proving.plain import holds
from sudoku_encode.puzzles.constraints.layers import layers, machine_of, part_sums, paths, reach
from sudoku_encode.puzzles.constraints.primitives import NEVER, EqualSums, Relation, Unit
from sudoku_encode.puzzles.constraints.templates import expanded
from tests.helpers.constraint_cases import CASES, puzzle_of


# Regions and connected cells are not read cell by cell.
@pytest.mark.parametrize("kind", sorted(CASES.keys() - {"either", "chaos-construction", "connected"}))
def test_transitions_on_paths(kind: str) -> None:
    """With some of the values of each cell, the transitions are those of the combinations that hold."""
    random = np.random.default_rng(1)
    for board, n, lines in CASES[kind]:
        lowered = [part for bound in puzzle_of((board, n, lines)).placed for part in bound.primitives()]
        for primitive in {*expanded(lowered, n)} - {NEVER}:
            machine = machine_of(primitive, n)
            cells = sorted(set(machine.cells))
            if n ** len(cells) > 50_000:
                continue
            every = np.array(list(product(range(1, n + 1), repeat=len(cells))), np.int64).reshape(-1, len(cells))
            true = every[holds(primitive, dict(zip(cells, every.T, strict=True)), len(every))]
            allowed = {cell: np.flatnonzero(random.random(n) < 0.7) + 1 for cell in cells}
            possible = np.all([np.isin(true[:, at], allowed[cell]) for at, cell in enumerate(cells)], axis=0)
            columns = dict(zip(cells, true[possible].T, strict=True))
            tables = layers(machine, [allowed[cell] for cell in machine.cells])
            used = [np.full(table.shape, -1) for table in tables]
            state = np.zeros(possible.sum(), np.int64)
            for cell, table, marks in zip(machine.cells, tables, used, strict=True):
                place = np.searchsorted(allowed[cell], columns[cell])
                before, state = state, table[state, place] if len(state) else state
                assert (state >= 0).all()
                marks[before, place] = state
            if len(cells) < len(machine.cells):
                continue
            # Nothing else is in the graph.
            assert all(np.array_equal(marks, table) for marks, table in zip(used, tables, strict=True))


def test_many_values_differ() -> None:
    """Sets of more values than a word has bits are read."""
    unit = Unit((0, 1, 2), "cage")
    first, second, third = layers(machine_of(unit, 80), [np.array([79, 80]), np.array([80]), np.array([1, 79, 80])])
    assert [first.tolist(), second.tolist(), third.tolist()] == [[[0, -1]], [[0]], [[0, -1, -1]]]


def test_relation_read() -> None:
    """The states between two cells are the values of the first."""
    less = Relation(3, 5, (0b110, 0b100, 0))
    assert [table.tolist() for table in layers(machine_of(less, 3), [np.arange(1, 4)] * 2)] == [
        [[0, 1, -1]],
        [[-1, 0, 0], [-1, -1, 0]],
    ]


def test_equal_sums_by_parts() -> None:
    """Each part of equal sums is a graph to the totals that all parts have."""
    first, second = (machine_of(part, 4) for part in part_sums(EqualSums(((0, 0), (1, 2)))))
    (states, following), (others, _) = (reach(part, [np.arange(1, 5)] * len(part.cells)) for part in (first, second))
    totals = np.intersect1d(states[-1], others[-1])
    assert totals.tolist() == [2, 4, 6, 8]
    assert [table.tolist() for table in paths(states, following, totals)] == [[[0, 1, 2, 3]]]
    assert [table.shape for table in paths(states, following, totals[:0])] == [(0, 4)]
