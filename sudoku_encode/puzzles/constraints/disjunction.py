"""Alternatives: primitives that hold if and only if all primitives of some alternative hold, or of exactly one.

Small alternatives become clauses, or a table of all values of their cells and from it an automaton, which removes every
impossible value. Larger ones are read one after another by one automaton, which may read a cell several times: its
length is the sum of the alternatives, instead of the product of their states.
"""

from collections.abc import Sequence
from itertools import chain, combinations, product
from math import prod
from operator import ne

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.layers import transitions
from sudoku_encode.puzzles.constraints.primitives import (
    NEVER,
    Automaton,
    Clause,
    Domain,
    Primitive,
    Relation,
    Unit,
    automaton,
    from_layers,
    pair_relations,
    primitive_cells,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded, stored, with_cells

# Up to this number of combinations of the values of all cells, a table is made.
MOST_COMBINATIONS = 60_000
# Up to this number of clauses, alternatives that are clauses become clauses.
MOST_CLAUSES = 64
# Up to this number of values, cells that differ are read as a set of values, otherwise pair by pair.
MOST_VALUES_OF_SETS = 9

# Whether each combination of the values of some cells is allowed; one axis per cell.
_Table = NDArray[np.bool_]


def any_of(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[Primitive]:
    """Return primitives that hold if and only if all primitives of at least one alternative hold.

    Raises:
        FormatError: the automaton has too many transitions.
    """
    possible = _possible(alternatives, n)
    if not all(possible):
        return []
    if len(possible) < 2:
        return possible[0] if possible else [NEVER]
    clauses = [[_literals(primitive) for primitive in primitives] for primitives in possible]
    n_clauses = prod(map(len, clauses)) if all(map(all, clauses)) else 0
    cells = _cells(possible)
    if n_clauses != 1 and n ** len(cells) <= MOST_COMBINATIONS:
        return [_of_table(cells, _table(possible, cells, n) > 0, n)]
    if 1 <= n_clauses <= MOST_CLAUSES:
        products = (dict.fromkeys(chain.from_iterable(parts)) for parts in product(*clauses))
        return [
            Clause(tuple(clause)) for clause in products if not any((cell, -value) in clause for cell, value in clause)
        ]
    return [_read_in_turn(_all_in_parts(possible, n), n)]


def exactly_one_of(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[Primitive]:
    """Return primitives that hold if and only if all primitives of exactly one alternative hold; see `any_of`.

    The primitives must be such that a filling of their cells is known to break them: not of cells of their own.
    """
    possible = _possible(alternatives, n)
    n_always = possible.count([])
    possible = [primitives for primitives in possible if primitives]
    if n_always > 1 or not possible:
        return [] if n_always == 1 else [NEVER]
    if len(possible) == 1 and not n_always:
        return possible[0]
    cells = _cells(possible)
    if n ** len(cells) <= MOST_COMBINATIONS:
        return [_of_table(cells, _table(possible, cells, n) + n_always == 1, n)]
    return [_counting_automaton(_all_in_parts(possible, n), n, n_always)]


def _possible(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[list[Primitive]]:
    """Return the alternatives that may hold, without primitives that always hold."""
    return [
        [primitive for primitive in primitives if not _is_empty(primitive)]
        for primitives in (expanded(primitives, n) for primitives in alternatives)
        if not any(_is_never(primitive, n) for primitive in primitives)
    ]


def _cells(alternatives: Sequence[Sequence[Primitive]]) -> tuple[int, ...]:
    return tuple(
        dict.fromkeys(cell for primitives in alternatives for part in primitives for cell in primitive_cells(part))
    )


def _all_in_parts(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[list[Primitive]]:
    return [[part for primitive in primitives for part in _in_parts(primitive, n)] for primitives in alternatives]


def _is_never(primitive: Primitive, n: int) -> bool:
    """Check whether a primitive never holds: more cells than there are values do not all differ."""
    return primitive == NEVER or (isinstance(primitive, Unit) and len(primitive.cells) > n)


def _is_empty(primitive: Primitive) -> bool:
    """Return whether a primitive always holds."""
    if isinstance(primitive, Clause):
        return any((cell, -value) in primitive.literals for cell, value in primitive.literals)
    return isinstance(primitive, Automaton) and not primitive.cells


def _in_parts(primitive: Primitive, n: int) -> list[Primitive]:
    """Return the primitives that are read in place of one: pairs for a unit of many values, to need fewer states."""
    if isinstance(primitive, Unit) and n > MOST_VALUES_OF_SETS:
        return list(pair_relations(combinations(primitive.cells, 2), n, ne))
    return [primitive]


def _literals(primitive: Primitive) -> tuple[tuple[int, int], ...]:
    """Return the literals of a clause or domain, of which one holds; an empty tuple for other primitives."""
    if isinstance(primitive, Domain):
        return tuple((primitive.cell, value) for value in values_in(primitive.values))
    return primitive.literals if isinstance(primitive, Clause) else ()


def _of_table(cells: tuple[int, ...], allowed: _Table, n: int) -> Primitive:
    if len(cells) == 1:
        return Domain(cells[0], _as_set(allowed))
    if len(cells) == 2:
        return Relation(*cells, tuple(_as_set(row) for row in allowed))
    # The states after a cell are the different tables of the remaining cells; state 0 is the table that allows nothing.
    moves: list[Int64s] = []
    rest = allowed.reshape(-1, n).astype(np.int64)
    for _ in cells:
        rows, numbers = np.unique(np.vstack([np.zeros((1, n), np.int64), rest]), axis=0, return_inverse=True)
        moves.append(rows)
        rest = numbers.ravel()[1:].reshape(-1, n) if len(moves) < len(cells) else numbers.ravel()[1:]
    tables, start = moves[::-1], int(rest[0])

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        depth, row = state
        after = int(tables[depth][row, value - 1])
        return (depth + 1, after) if after else None

    return automaton(cells, n, (0, start), step, lambda state: True)


def _as_set(allowed: _Table) -> int:
    return sum(1 << int(value) for value in np.flatnonzero(allowed))


def _table(alternatives: Sequence[Sequence[Primitive]], cells: Sequence[int], n: int) -> NDArray[np.int16]:
    """Return how many alternatives hold of each combination; one axis per cell."""
    axes = dict(zip(cells, np.ogrid[(slice(n),) * len(cells)], strict=True))
    numbers = np.zeros((n,) * len(cells), np.int16)
    for primitives in alternatives:
        by_alternative = np.ones((n,) * len(cells), bool)
        for primitive in primitives:
            by_alternative &= _holds(primitive, axes, n)
        numbers += by_alternative
    return numbers


def _holds(primitive: Primitive, axes: dict[int, Int64s], n: int) -> _Table:
    """Return for which combinations a primitive holds, in a shape that broadcasts to the table."""
    state: Int64s = np.array(0)
    for cell, table in zip(*transitions(primitive, n), strict=True):
        # The last row is for state -1, from which there is no path.
        state = np.vstack([table, np.full((1, n), -1)])[state, axes[cell]]
    return np.asarray(state >= 0)


# One automaton that reads the primitives of all alternatives one after another.

# One of two skyscrapers on 9x9 takes 2,400; anti-knight or anti-king of the whole board takes 51,000.
MOST_DISJUNCTION_TRANSITIONS = 200_000


def _require_few(n_transitions: int) -> None:
    if n_transitions > MOST_DISJUNCTION_TRANSITIONS:
        raise FormatError(
            f"its automaton has more than {MOST_DISJUNCTION_TRANSITIONS:,} transitions; "
            "expected fewer cells in an alternative, or fewer alternatives"
        )


# States besides those of the primitive that is read, and numbers of the last rows of tables: an alternative holds; a
# primitive of the current alternative does not hold.
_DONE, _FAILED = -2, -1


def _read_in_turn(alternatives: Sequence[Sequence[Primitive]], n: int) -> Primitive:
    """Return the automaton of `sequential_automaton`, made once for primitives that differ only in their cells."""
    cells: list[int] = []
    patterns: list[tuple[Primitive, ...]] = []
    for primitives in alternatives:
        pattern = []
        for primitive in primitives:
            places = {cell: place for place, cell in enumerate(primitive_cells(primitive), len(cells))}
            pattern.append(with_cells(primitive, places))
            cells += places
        patterns.append(tuple(pattern))
    (template,) = stored(("in turn", n, *patterns), n, lambda: [sequential_automaton(patterns, n)]).every
    return with_cells(template, cells)


def sequential_automaton(alternatives: Sequence[Sequence[Primitive]], n: int) -> Primitive:
    """Return the automaton that reads the alternatives one after another until all primitives of one hold.

    Raises:
        FormatError: the automaton has too many transitions.
    """
    cells: list[int] = []
    tables: list[list[list[int]]] = []
    # The first state of the primitive that is read next.
    start = _FAILED
    for primitives in reversed(alternatives):
        holds, fails = _DONE, start
        for primitive in reversed(primitives):
            own_cells, own = transitions(primitive, n, _require_few)
            start = 0 if len(own[0]) else _FAILED
            rows = [[*table.tolist(), [_DONE] * n, [_FAILED] * n] for table in own]
            rows[-1] = [
                [_DONE if after == _DONE else holds if after >= 0 else fails for after in row] for row in rows[-1]
            ]
            cells[:0], tables[:0] = own_cells, rows
            holds, fails = start, _FAILED
    reached: list[dict[int, list[int]]] = []
    states, n_transitions = {start: None}, 0
    for table in tables:
        n_transitions += n * len(states)
        _require_few(n_transitions)
        reached.append({state: table[state] for state in states})
        states = {after: None for row in reached[-1].values() for after in row}
    return from_layers(cells, reached, start, {_DONE: 0})


def _counting_automaton(alternatives: Sequence[Sequence[Primitive]], n: int, n_before: int) -> Primitive:
    """Return the automaton that counts alternatives that hold one after another, to one; `n_before` hold already."""
    cells: list[int] = []
    reached: list[dict[_Counting, list[_Counting | None]]] = []
    states: dict[_Counting, None] = {(n_before, 0): None}
    n_transitions = 0
    for primitives in alternatives:
        for place, primitive in enumerate(primitives, 1):
            own_cells, own = transitions(primitive, n, _require_few)
            cells += own_cells
            for depth, table in enumerate(own, 1):
                n_transitions += n * len(states)
                _require_few(n_transitions)
                is_end = depth == len(own)
                rows = {state: [*table[state[1]].tolist()] if state[1] >= 0 else [_FAILED] * n for state in states}
                reached.append(
                    {
                        state: [_counted(state[0], after, is_end, place == len(primitives)) for after in row]
                        for state, row in rows.items()
                    }
                )
                states = {after: None for row in reached[-1].values() for after in row if after is not None}
    return from_layers(cells, reached, (n_before, 0), {(1, 0): 0})


# How many alternatives hold, and the state of the primitive that is read: _FAILED if the alternative does not hold.
_Counting = tuple[int, int]


def _counted(number: int, after: int, is_end: bool, is_last: bool) -> _Counting | None:
    """Return the state after a value, which is the last of a primitive or not, and this the last of an alternative."""
    if not is_end:
        return number, after
    if not is_last:
        return number, 0 if after >= 0 else _FAILED
    number += after >= 0
    return (number, 0) if number < 2 else None
