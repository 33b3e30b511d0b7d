"""Automata as the words of an `automaton` constraint, from steps or from moves."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS
from sudoku_encode.puzzles.constraints.primitives import Automaton, Steps, automaton

MAX_CHARACTERS = 200_000


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


def automaton_from_zero(
    cells: Sequence[int], n: int, steps: Callable[..., Steps[Any]], *numbers: Hashable
) -> Constraint:
    """Return an `automaton` over some cells that accepts values if steps accept those that are one less.

    Args:
        cells: in the order in which they are read.
        n: the largest value.
        steps: makes the steps, which read values from 0.
        numbers: the arguments of `steps`.

    Raises:
        FormatError: no values are accepted, or it is too large.
    """
    return Constraint("automaton", (tuple(cells),), (), _words_from_zero(len(cells), n, steps, numbers))


@lru_cache(maxsize=256)
def _words_from_zero(size: int, n: int, steps: Callable[..., Steps[Any]], numbers: tuple[Hashable, ...]) -> str:
    """Return the words of the automaton for a number of cells."""
    start, step, accepts = steps(*numbers)
    unrolled = automaton(range(size), n, start, lambda state, value: step(state, value - 1), accepts)
    if not isinstance(unrolled, Automaton):
        raise FormatError("no values of its cells are accepted")
    if len(words := words_of(joined(unrolled), n)) > MAX_CHARACTERS:
        raise FormatError("it takes an automaton that is too large")
    return words


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
