"""From primitives of alternatives to primitives that hold together where those of one alternative do.

Small alternatives are clauses, or a table of all values of their cells, of which an automaton is made that removes
every value that cannot be. Others are read one after another by one automaton, which may read a cell several times: it
is as long as all of them together, and no product of their states.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations, product
from math import prod
from operator import ne

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.constraints.disjunction_machines import in_turn
from sudoku_encode.constraints.primitives import (
    NEVER,
    Allowed,
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    automaton,
    pair_relations,
    primitive_cells,
    values_in,
)

# The values of all cells are tried where there are no more combinations of them.
MOST_TRIED = 60_000
# No more clauses than these are made of alternatives that are clauses themselves.
MOST_CLAUSES = 64
# Cells that differ are read as a set of values where there are no more values than these, else pair by pair.
MOST_VALUES_OF_SETS = 9

# Of each combination of the values of some cells, whether it is allowed; an axis a cell.
_Table = NDArray[np.bool_]
_Ints = NDArray[np.int64]
_Layer = Sequence[tuple[int, int, int]]


def any_of(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[Primitive]:
    """Return what says that the primitives of one alternative, or of several, hold.

    Args:
        alternatives: of each its primitives.
        n: the largest value.

    Raises:
        FormatError: it takes too many transitions.
    """
    possible = [
        [one for one in some if not _is_empty(one)]
        for some in alternatives
        if not any(_is_never(one, n) for one in some)
    ]
    if not all(possible):
        return []
    if len(possible) < 2:
        return possible[0] if possible else [NEVER]
    clauses = [[_literals(one) for one in some] for some in possible]
    n_clauses = prod(map(len, clauses)) if all(all(some) for some in clauses) else 0
    cells = tuple(dict.fromkeys(cell for some in possible for one in some for cell in primitive_cells(one)))
    if n_clauses != 1 and n ** len(cells) <= MOST_TRIED:
        return [_of_table(cells, _table(possible, cells, n), n)]
    if 1 <= n_clauses <= MOST_CLAUSES:
        made = (dict.fromkeys(literal for part in parts for literal in part) for parts in product(*clauses))
        return [Clause(tuple(some)) for some in made if not any((cell, -value) in some for cell, value in some)]
    return [in_turn([[part for one in some for part in _in_parts(one, n)] for some in possible], n)]


def _is_never(primitive: Primitive, n: int) -> bool:
    """Check whether a primitive never holds: more cells than there are values do not all differ."""
    return primitive == NEVER or (isinstance(primitive, Unit) and len(primitive.cells) > n)


def _is_empty(primitive: Primitive) -> bool:
    """Say whether a primitive says nothing."""
    if isinstance(primitive, Clause):
        return any((cell, -value) in primitive.literals for cell, value in primitive.literals)
    return isinstance(primitive, Automaton) and not primitive.cells


def _in_parts(primitive: Primitive, n: int) -> list[Primitive]:
    """Return what a primitive is read as: of many values it would take too many states to know which were there."""
    if isinstance(primitive, Unit) and n > MOST_VALUES_OF_SETS:
        return list(pair_relations(combinations(primitive.cells, 2), n, ne))
    return [primitive]


def _literals(primitive: Primitive) -> tuple[tuple[int, int], ...]:
    """Return the literals of which one holds; empty where a primitive is no clause."""
    if isinstance(primitive, Allowed):
        return tuple((primitive.cell, value) for value in values_in(primitive.values))
    return primitive.literals if isinstance(primitive, Clause) else ()


def _of_table(cells: tuple[int, ...], allowed: _Table, n: int) -> Primitive:
    if len(cells) == 1:
        return Allowed(cells[0], _as_set(allowed))
    if len(cells) == 2:
        return Relation(*cells, tuple(_as_set(row) for row in allowed))
    # The states after a cell are the different tables of the cells that follow; 0 is the one that allows nothing.
    moves: list[_Ints] = []
    rest = allowed.reshape(-1, n).astype(np.int64)
    for _ in cells:
        rows, numbers = np.unique(np.vstack([np.zeros((1, n), np.int64), rest]), axis=0, return_inverse=True)
        moves.append(rows)
        rest = numbers.ravel()[1:].reshape(-1, n) if len(moves) < len(cells) else numbers.ravel()[1:]
    tables, start = moves[::-1], int(rest[0])

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        at, row = state
        after = int(tables[at][row, value - 1])
        return (at + 1, after) if after else None

    return automaton(cells, n, (0, start), step, lambda state: True)


def _as_set(allowed: _Table) -> int:
    return sum(1 << int(value) for value in np.flatnonzero(allowed))


def _table(alternatives: Sequence[Sequence[Primitive]], cells: Sequence[int], n: int) -> _Table:
    axes = {
        cell: (np.arange(n) + 1).reshape([-1 if at == axis else 1 for at in range(len(cells))])
        for axis, cell in enumerate(cells)
    }
    found = np.zeros((n,) * len(cells), bool)
    for some in alternatives:
        kept = np.ones((n,) * len(cells), bool)
        for primitive in some:
            kept &= _holds(primitive, axes, n)
        found |= kept
    return found


def _holds(primitive: Primitive, held: dict[int, _Ints], n: int) -> _Table:
    """Return of which combinations a primitive holds, in a shape that fits the table's."""
    match primitive:
        case Unit(cells, _):
            return _all([held[one] != held[other] for one, other in combinations(cells, 2)])
        case Allowed(cell, values):
            return _as_row(values, n)[held[cell] - 1]
        case Clause(literals):
            return ~_all([(held[cell] != value) if value > 0 else (held[cell] == -value) for cell, value in literals])
        case Relation(first, second, allowed):
            return np.array([_as_row(values, n) for values in allowed])[held[first] - 1, held[second] - 1]
        case Sum(cells, coefficients, total, _):
            return np.equal(_added([held[cell] * by for cell, by in zip(cells, coefficients, strict=True)]), total)
        case EqualSums(parts):
            sums = [_added([held[cell] for cell in part]) for part in parts]
            return _all([one == sums[0] for one in sums[1:]])
        case Automaton(cells, layers):
            return _accepted(cells, layers, held, n)
    raise TypeError(f"{primitive!r} is no primitive")


def _all(parts: list[_Table]) -> _Table:
    found: _Table = reduce(np.logical_and, parts, np.array(True))
    return found


def _added(parts: list[_Ints]) -> _Ints:
    found: _Ints = reduce(np.add, parts)
    return found


def _as_row(values: int, n: int) -> _Table:
    return np.array([values >> value & 1 for value in range(n)], bool)


def _accepted(cells: Sequence[int], layers: Sequence[_Layer], held: dict[int, _Ints], n: int) -> _Table:
    state: _Ints = np.array(0)
    for cell, layer in zip(cells, layers, strict=True):
        # The last row is that of the state from which nothing leads on, -1.
        table = np.full((max(before for before, *_ in layer) + 2, n), -1)
        for before, value, after in layer:
            table[before, value - 1] = after
        state = table[state, held[cell] - 1]
    return np.asarray(state == 0)
