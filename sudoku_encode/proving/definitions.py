"""What constraints are made of, compared with their definitions.

That a checker takes the clauses of a constraint for what it says rests on `lower`, which encoders use too. So where a
constraint depends on few cells, all values of these are tried here: what its primitives exclude, its definition must
exclude, or a solution could be missing. This reads primitives by a code of its own.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.constraints.lowering import primitives_of
from sudoku_encode.constraints.primitives import (
    Allowed,
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
)
from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.constraint import Placed, cells_of, is_violated
from sudoku_encode.puzzles.puzzle import Puzzle

# How many combinations of values are tried of all constraints of a puzzle together, those of the fewest cells first.
MOST_TRIED = 150_000

# For each cell the value that it has in each combination, int64 (m,).
_Held = Mapping[int, NDArray[np.int64]]
_Truth = NDArray[np.bool_]


def compare(puzzle: Puzzle) -> int:
    """Try all values of the cells of constraints that have few; return of how many constraints all were tried.

    Raises:
        InternalError: the primitives of a constraint exclude what its definition allows.
    """
    n, left, compared = puzzle.geometry.n_values, MOST_TRIED, 0
    for here, cells in sorted(((here, cells_of(here)) for here in puzzle.placed), key=lambda one: len(one[1])):
        if not cells:
            continue
        left -= n ** len(cells)
        if left < 0:
            break
        _compare(here, cells)
        compared += 1
    return compared


def _compare(here: Placed, cells: tuple[int, ...]) -> None:
    tried = np.indices((here.n,) * len(cells)).reshape(len(cells), -1) + 1
    held = dict(zip(cells, tried, strict=True))
    kept = np.ones(tried.shape[1], bool)
    for primitive in primitives_of(here):
        kept &= holds(primitive, held, tried.shape[1])
    grid = [1] * here.board.n_cells
    for values in tried[:, ~kept].T.tolist():
        for cell, value in zip(cells, values, strict=True):
            grid[cell] = value
        if not is_violated(here, grid):
            where = ", ".join(f"{here.board.cell_name(cell)} = {grid[cell]}" for cell in cells)
            raise InternalError(f"`{here.constraint.text(here.board)}` allows {where}, and what it is made of does not")


def holds(primitive: Primitive, held: _Held, m: int) -> _Truth:
    """Say of each of m combinations of values whether a primitive holds, bool (m,)."""
    truth = np.ones(m, bool)
    match primitive:
        case Unit(cells, _):
            for at, cell in enumerate(cells):
                for other in cells[:at]:
                    truth &= held[cell] != held[other]
        case Allowed(cell, values):
            truth = _table([values], held[cell].max(initial=1))[0, held[cell] - 1]
        case Clause(literals):
            truth = np.zeros(m, bool)
            for cell, value in literals:
                truth |= (held[cell] == value) if value > 0 else (held[cell] != -value)
        case Relation(first, second, allowed):
            truth = _table(allowed, held[second].max(initial=1))[held[first] - 1, held[second] - 1]
        case Sum(cells, coefficients, total, _):
            truth = _total(cells, coefficients, held, m) == total
        case EqualSums(parts):
            sums = [_total(part, (1,) * len(part), held, m) for part in parts]
            for one in sums[1:]:
                truth &= one == sums[0]
        case Automaton():
            truth = _accepted(primitive, held, m)
    return truth


def _table(sets: Sequence[int], n: int) -> _Truth:
    """Return which values from 1 to n are in some sets, bool (sets, n)."""
    return np.array([[values >> value & 1 for value in range(n)] for values in sets], bool)


def _total(cells: tuple[int, ...], coefficients: tuple[int, ...], held: _Held, m: int) -> NDArray[np.int64]:
    found = np.zeros(m, np.int64)
    for cell, coefficient in zip(cells, coefficients, strict=True):
        found += coefficient * held[cell]
    return found


def _accepted(automaton: Automaton, held: _Held, m: int) -> _Truth:
    """Say which combinations lead to the end; -1 is the state of those that lead nowhere."""
    state = np.zeros(m, np.int64)
    for cell, layer in zip(automaton.cells, automaton.layers, strict=True):
        table = np.full((max(step[0] for step in layer) + 2, int(held[cell].max()) + 1), -1)
        for before, value, after in layer:
            table[before, value] = after
        state = table[state, held[cell]]
    return np.asarray(state == 0)
