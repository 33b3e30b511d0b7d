"""Automata as the words of an `automaton` constraint, made from steps or from moves."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS
from sudoku_encode.puzzles.constraints.primitives import Automaton, Steps, automaton

MAX_CHARACTERS = 200_000
# The most steps while an automaton is explored; some seconds.
_MAX_STEPS = 2_000_000


class Machine(NamedTuple):
    """A machine that reads values, deterministic or not.

    Attributes:
        moves: triples (state, value, next state).
        starts: the states in which it may begin.
        ends: the states in which it may end.
    """

    moves: tuple[tuple[int, int, int], ...]
    starts: frozenset[int]
    ends: frozenset[int]


def written(cells: Sequence[int], n: int, steps: Steps[Any], first: int = 1) -> Constraint:
    """Return an `automaton` over some cells, for that number of cells alone.

    Args:
        cells: in the order in which they are read.
        n: the largest value.
        steps: how it reads values.
        first: the value that the steps read for 1; for each other value one as much more or less.

    Raises:
        FormatError: no values are accepted, or it is too large.
    """
    n_steps = 0

    def step(state: Any, value: int) -> Any:
        nonlocal n_steps
        n_steps += 1
        if n_steps > _MAX_STEPS:
            raise FormatError("it takes an automaton that is too large")
        return steps.step(state, value - 1 + first)

    unrolled = automaton(cells, n, steps.start, step, steps.accepts)
    if not isinstance(unrolled, Automaton):
        raise FormatError("no values of its cells are accepted")
    if len(words := words_of(joined(unrolled), n)) > MAX_CHARACTERS:
        raise FormatError("it takes an automaton that is too large")
    return Constraint("automaton", (tuple(cells),), (), words)


def joined(unrolled: Automaton) -> Machine:
    """Return an automaton as a machine in which cells share the states with the same moves."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    number_of = {0: 0}
    for layer in reversed(unrolled.layers):
        rows: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, value, to in layer:
            rows[state].append((value, number_of[to]))
        number_of = {state: numbers.setdefault(tuple(row), len(numbers) + 1) for state, row in rows.items()}
    moves = ((state, value, to) for row, state in numbers.items() for value, to in row)
    return Machine(tuple(moves), frozenset([number_of[0]]), frozenset([0]))


def words_of(machine: Machine, n: int) -> str:
    """Return the words of an `automaton`, its first state first.

    Args:
        machine: deterministic.
        n: the largest value.
    """
    moves: dict[int, dict[int, list[int]]] = {}
    for state, value, to in machine.moves:
        moves.setdefault(state, {}).setdefault(to, []).append(value)
    # States are numbered as they are reached.
    order = dict.fromkeys(machine.starts, 0)
    queue = list(order)
    for state in queue:
        for to in moves.get(state, {}):
            if to not in order:
                order[to] = len(order)
                queue.append(to)
    return " ".join(
        ("!" if state in machine.ends else "")
        + ",".join(f"{_value_symbols(values, n)}>{order[to]}" for to, values in moves.get(state, {}).items())
        for state in queue
    )


def _value_symbols(values: Sequence[int], n: int) -> str:
    return "." if len(values) == n else "".join(SYMBOLS[value - 1] for value in sorted(values))
