"""The disjunction of alternatives: primitives that hold if and only if all primitives of some alternative hold.

Small alternatives become clauses, or a table of all values of their cells and from it an automaton, which removes every
impossible value. Larger ones are read one after another by one automaton, which may read a cell several times: its
length is the sum of the alternatives, instead of the product of their states.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from itertools import chain, combinations, pairwise, product
from math import prod
from operator import ne
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.primitives import (
    NEVER,
    Automaton,
    Clause,
    Domain,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    automaton,
    from_layers,
    pair_relations,
    primitive_cells,
    values_in,
)

# Up to this number of combinations of the values of all cells, a table is made.
MOST_COMBINATIONS = 60_000
# Up to this number of clauses, alternatives that are clauses become clauses.
MOST_CLAUSES = 64
# Up to this number of values, cells that differ are read as a set of values, otherwise pair by pair.
MOST_VALUES_OF_SETS = 9

# Whether each combination of the values of some cells is allowed; one axis per cell.
_Table = NDArray[np.bool_]
_Ints = NDArray[np.int64]
_Layer = Sequence[tuple[int, int, int]]


def any_of(alternatives: Sequence[Sequence[Primitive]], n: int) -> list[Primitive]:
    """Return primitives that hold if and only if all primitives of at least one alternative hold.

    Args:
        alternatives: the primitives of each alternative.
        n: the largest value.

    Raises:
        FormatError: the automaton has too many transitions.
    """
    possible = [
        [primitive for primitive in primitives if not _is_empty(primitive)]
        for primitives in alternatives
        if not any(_is_never(primitive, n) for primitive in primitives)
    ]
    if not all(possible):
        return []
    if len(possible) < 2:
        return possible[0] if possible else [NEVER]
    clauses = [[_literals(primitive) for primitive in primitives] for primitives in possible]
    n_clauses = prod(map(len, clauses)) if all(map(all, clauses)) else 0
    cells = tuple(
        dict.fromkeys(cell for primitives in possible for part in primitives for cell in primitive_cells(part))
    )
    if n_clauses != 1 and n ** len(cells) <= MOST_COMBINATIONS:
        return [_of_table(cells, _table(possible, cells, n), n)]
    if 1 <= n_clauses <= MOST_CLAUSES:
        products = (dict.fromkeys(chain.from_iterable(parts)) for parts in product(*clauses))
        return [
            Clause(tuple(clause)) for clause in products if not any((cell, -value) in clause for cell, value in clause)
        ]
    parts = [[part for primitive in primitives for part in _in_parts(primitive, n)] for primitives in possible]
    return [sequential_automaton(parts, n)]


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
    moves: list[_Ints] = []
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


def _table(alternatives: Sequence[Sequence[Primitive]], cells: Sequence[int], n: int) -> _Table:
    axes = {
        cell: (np.arange(n) + 1).reshape([-1 if other == axis else 1 for other in range(len(cells))])
        for axis, cell in enumerate(cells)
    }
    allowed = np.zeros((n,) * len(cells), bool)
    for primitives in alternatives:
        by_alternative = np.ones((n,) * len(cells), bool)
        for primitive in primitives:
            by_alternative &= _holds(primitive, axes, n)
        allowed |= by_alternative
    return allowed


def _holds(primitive: Primitive, grid: dict[int, _Ints], n: int) -> _Table:
    """Return for which combinations a primitive holds, in a shape that broadcasts to the table."""
    match primitive:
        case Unit(cells, _):
            return _all([grid[one] != grid[other] for one, other in combinations(cells, 2)])
        case Domain(cell, values):
            return _as_row(values, n)[grid[cell] - 1]
        case Clause(literals):
            return ~_all([(grid[cell] != value) if value > 0 else (grid[cell] == -value) for cell, value in literals])
        case Relation(first, second, allowed):
            return np.array([_as_row(values, n) for values in allowed])[grid[first] - 1, grid[second] - 1]
        case Sum(cells, coefficients, total, _):
            return np.equal(_added([grid[cell] * by for cell, by in zip(cells, coefficients, strict=True)]), total)
        case EqualSums(parts):
            sums = [_added([grid[cell] for cell in part]) for part in parts]
            return _all([one == sums[0] for one in sums[1:]])
        case Automaton(cells, layers):
            return _accepted(cells, layers, grid, n)
    raise TypeError(f"{primitive!r} is not a primitive")


def _all(parts: list[_Table]) -> _Table:
    result: _Table = reduce(np.logical_and, parts, np.array(True))
    return result


def _added(parts: list[_Ints]) -> _Ints:
    total: _Ints = reduce(np.add, parts)
    return total


def _as_row(values: int, n: int) -> _Table:
    return np.array([values >> value & 1 for value in range(n)], bool)


def _accepted(cells: Sequence[int], layers: Sequence[_Layer], grid: dict[int, _Ints], n: int) -> _Table:
    state: _Ints = np.array(0)
    for cell, layer in zip(cells, layers, strict=True):
        # The last row is for state -1, which has no way to the end.
        table = np.full((max(before for before, *_ in layer) + 2, n), -1)
        for before, value, after in layer:
            table[before, value - 1] = after
        state = table[state, grid[cell] - 1]
    return np.asarray(state == 0)


# One automaton that reads the primitives of all alternatives one after another.

# One of two skyscrapers on 9x9 takes 2,400; anti-knight or anti-king of the whole board takes 51,000.
MOST_DISJUNCTION_TRANSITIONS = 200_000

State = Hashable
# States: an alternative holds; a primitive of the current alternative does not hold.
_DONE, _FAILED = "done", "failed"


class Machine(NamedTuple):
    """A primitive that is read cell by cell.

    Attributes:
        cells: in the order in which they are read.
        start: the first state.
        step: from an index into the cells, a state and a value to the next state; None if the primitive cannot hold.
        accepts: whether the primitive holds in a state after the last cell.
    """

    cells: tuple[int, ...]
    start: State
    step: Callable[[int, Any, int], State | None]
    accepts: Callable[[Any], bool] = lambda state: True


class _Turn(NamedTuple):
    """A primitive among those that are read one after another.

    Attributes:
        machine: reads the primitive.
        holds: the next state if it holds: the first state of the next primitive, or _DONE after the last.
        fails: the next state if it fails: _FAILED; after the last primitive the first state of the next alternative, or
            None after the last alternative.
    """

    machine: Machine
    holds: State
    fails: State | None


def sequential_automaton(alternatives: Sequence[Sequence[Primitive]], n: int) -> Primitive:
    """Return the automaton that reads the alternatives one after another until all primitives of one hold.

    Args:
        alternatives: the primitives of each alternative.
        n: the largest value.

    Raises:
        FormatError: the automaton has too many transitions.
    """
    turns = _turns([[machine_of(primitive, n) for primitive in primitives] for primitives in alternatives])
    start = turns[0].machine.start
    layers: list[dict[State, list[State]]] = []
    states: dict[State, None] = {start: None}
    n_transitions = 0
    for turn in turns:
        for index in range(len(turn.machine.cells)):
            layers.append({state: _moves(turn, index, state, n) for state in states})
            states = dict.fromkeys(chain.from_iterable(layers[-1].values()))
            states.pop(None, None)
            n_transitions += n * len(layers[-1])
            if n_transitions > MOST_DISJUNCTION_TRANSITIONS:
                raise FormatError(
                    f"its automaton has more than {MOST_DISJUNCTION_TRANSITIONS:,} transitions; "
                    "expected fewer cells in an alternative, or fewer alternatives"
                )
    return from_layers([cell for turn in turns for cell in turn.machine.cells], layers, start, {_DONE: 0})


def _turns(machines: Sequence[Sequence[Machine]]) -> list[_Turn]:
    turns: list[_Turn] = []
    next_starts = [*(machines_of_one[0].start for machines_of_one in machines[1:]), None]
    for machines_of_one, next_start in zip(machines, next_starts, strict=True):
        turns += [_Turn(machine, following.start, _FAILED) for machine, following in pairwise(machines_of_one)]
        turns.append(_Turn(machines_of_one[-1], _DONE, next_start))
    return turns


def _moves(turn: _Turn, index: int, state: State, n: int) -> list[State]:
    """Return the next state for each value, from a state at an index into the cells; None for no next state."""
    machine, is_end = turn.machine, index + 1 == len(turn.machine.cells)
    next_states: list[State] = []
    for value in range(1, n + 1):
        after = state if state in (_DONE, _FAILED) else machine.step(index, state, value)
        if after is None:
            after = _FAILED
        if is_end and after != _DONE:
            after = turn.holds if after != _FAILED and machine.accepts(after) else turn.fails
        next_states.append(after)
    return next_states


def machine_of(primitive: Primitive, n: int) -> Machine:
    """Return the machine that reads a primitive."""
    match primitive:
        case Unit(cells, _):
            return Machine(cells, 0, lambda index, used, value: None if used >> value & 1 else used | 1 << value)
        case Domain(cell, values):
            return Machine((cell,), 0, lambda index, state, value: 0 if values >> value - 1 & 1 else None)
        case Clause():
            return _clause_machine(primitive)
        case Relation(first, second, allowed):
            return Machine(
                (first, second),
                0,
                lambda index, other, value: value if index == 0 else 0 if allowed[other - 1] >> value - 1 & 1 else None,
            )
        case Sum(cells, coefficients, total, _):
            return Machine(cells, 0, lambda index, amount, value: amount + coefficients[index] * value, total.__eq__)
        case EqualSums():
            return _equal_sums_machine(primitive)
        case Automaton(cells, layers):
            tables = [{(before, value): after for before, value, after in layer} for layer in layers]
            return Machine(cells, 0, lambda index, state, value: tables[index].get((state, value)))
    raise TypeError(f"{primitive!r} is not a primitive")


def _clause_machine(clause: Clause) -> Machine:
    cells = tuple(dict.fromkeys(cell for cell, _ in clause.literals))
    literals = [{value for other, value in clause.literals if other == cell} for cell in cells]

    def step(index: int, holds: bool, value: int) -> bool:
        return holds or value in literals[index] or any(-other != value for other in literals[index] if other < 0)

    return Machine(cells, False, step, bool)


def _equal_sums_machine(sums: EqualSums) -> Machine:
    """Return a machine that reads the parts in turn; a state is (sum of the first part, sum of the current part)."""
    cells = tuple(cell for part in sums.parts for cell in part)
    ends = {sum(map(len, sums.parts[:number])) - 1 for number in range(1, len(sums.parts) + 1)}
    first = len(sums.parts[0]) - 1

    def step(index: int, state: tuple[int, int], value: int) -> tuple[int, int] | None:
        total, amount = state[0], state[1] + value
        if index == first:
            return amount, 0
        if index in ends:
            return (total, 0) if amount == total else None
        return total, amount

    return Machine(cells, (0, 0), step)
