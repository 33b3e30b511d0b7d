"""Primitives of alternatives as one automaton, which reads the cells of one after another."""

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sudoku_encode.constraints.primitives import (
    Allowed,
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    from_layers,
)
from sudoku_encode.errors import FormatError

# One of two skyscrapers on 9x9 takes 2,400; anti-knight or anti-king of the whole board takes 51,000.
MOST_TRANSITIONS = 200_000

_State = Hashable
# An alternative holds; a primitive of the alternative that is being read does not.
_DONE, _FAILED = "done", "failed"


class Machine(NamedTuple):
    """A primitive that is read cell by cell.

    Attributes:
        cells: in the order in which they are read.
        start: the first state.
        step: from the place among the cells, a state and a value to the next state; None where it cannot hold any more.
        accepts: whether it holds after the last cell.
    """

    cells: tuple[int, ...]
    start: _State
    step: Callable[[int, Any, int], _State | None]
    accepts: Callable[[Any], bool] = lambda state: True


class _Turn(NamedTuple):
    """A primitive in its turn.

    Attributes:
        machine: that reads it.
        holds: the state after it where it holds: the first of the next primitive, or DONE after the last one.
        fails: the state where it does not: FAILED, and after the last one the first state of the next alternative,
            None where there is none.
    """

    machine: Machine
    holds: _State
    fails: _State | None


def in_turn(alternatives: Sequence[Sequence[Primitive]], n: int) -> Primitive:
    """Return the automaton that reads all primitives of all alternatives, until those of one hold.

    Args:
        alternatives: of each its primitives.
        n: the largest value.

    Raises:
        FormatError: it has too many transitions.
    """
    turns = _turns([[machine_of(one, n) for one in some] for some in alternatives])
    start = turns[0].machine.start
    layers: list[dict[_State, dict[int, _State]]] = []
    states: dict[_State, None] = {start: None}
    n_transitions = 0
    for turn in turns:
        for at in range(len(turn.machine.cells)):
            layers.append({state: _moves(turn, at, state, n) for state in states})
            states = {after: None for row in layers[-1].values() for after in row.values()}
            n_transitions += n * len(layers[-1])
            if n_transitions > MOST_TRANSITIONS:
                raise FormatError(
                    f"its automaton has more than {MOST_TRANSITIONS:,} transitions; fewer cells in an alternative, or "
                    "fewer alternatives would help"
                )
    return from_layers([cell for turn in turns for cell in turn.machine.cells], layers, start, {_DONE: 0})


def _turns(machines: Sequence[Sequence[Machine]]) -> list[_Turn]:
    found: list[_Turn] = []
    for some, after in zip(machines, [*(some[0].start for some in machines[1:]), None], strict=True):
        found += [_Turn(machine, following.start, _FAILED) for machine, following in pairwise(some)]
        found.append(_Turn(some[-1], _DONE, after))
    return found


def _moves(turn: _Turn, at: int, state: _State, n: int) -> dict[int, _State]:
    """Return by value the states to which a state leads at a place among the cells."""
    machine, is_end = turn.machine, at + 1 == len(turn.machine.cells)
    found: dict[int, _State] = {}
    for value in range(1, n + 1):
        after = state if state in (_DONE, _FAILED) else machine.step(at, state, value)
        if after is None:
            after = _FAILED
        if is_end and after != _DONE:
            after = turn.holds if after != _FAILED and machine.accepts(after) else turn.fails
        if after is not None:
            found[value] = after
    return found


def machine_of(primitive: Primitive, n: int) -> Machine:
    """Return a primitive as what reads its cells one after another."""
    match primitive:
        case Unit(cells, _):
            return Machine(cells, 0, lambda at, used, value: None if used >> value & 1 else used | 1 << value)
        case Allowed(cell, values):
            return Machine((cell,), 0, lambda at, state, value: 0 if values >> value - 1 & 1 else None)
        case Clause():
            return _clause(primitive)
        case Relation(first, second, allowed):
            return Machine(
                (first, second),
                0,
                lambda at, held, value: value if at == 0 else 0 if allowed[held - 1] >> value - 1 & 1 else None,
            )
        case Sum(cells, coefficients, total, _):
            return Machine(cells, 0, lambda at, amount, value: amount + coefficients[at] * value, total.__eq__)
        case EqualSums():
            return _equal_sums(primitive)
        case Automaton(cells, layers):
            tables = [{(before, value): after for before, value, after in layer} for layer in layers]
            return Machine(cells, 0, lambda at, state, value: tables[at].get((state, value)))
    raise TypeError(f"{primitive!r} is no primitive")


def _clause(clause: Clause) -> Machine:
    cells = tuple(dict.fromkeys(cell for cell, _ in clause.literals))
    wanted = [{value for other, value in clause.literals if other == cell} for cell in cells]

    def step(at: int, holds: bool, value: int) -> bool:
        return holds or value in wanted[at] or any(-other != value for other in wanted[at] if other < 0)

    return Machine(cells, False, step, bool)


def _equal_sums(sums: EqualSums) -> Machine:
    """Read the parts one after another: the sum of the first, where it is known, and that of the one at hand."""
    cells = tuple(cell for part in sums.parts for cell in part)
    ends = {sum(map(len, sums.parts[: at + 1])) - 1 for at in range(len(sums.parts))}
    first = len(sums.parts[0]) - 1

    def step(at: int, state: tuple[int, int], value: int) -> tuple[int, int] | None:
        wanted, amount = state[0], state[1] + value
        if at == first:
            return amount, 0
        if at in ends:
            return (wanted, 0) if amount == wanted else None
        return wanted, amount

    return Machine(cells, (0, 0), step)
