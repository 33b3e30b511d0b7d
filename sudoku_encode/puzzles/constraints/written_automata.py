"""Tables of pairs and automata as words of the constraints `pairs` and `automaton`: from pairs, steps or moves."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS
from sudoku_encode.puzzles.constraints.primitives import Automaton, Steps, automaton
from sudoku_encode.puzzles.geometry import Geometry

MAX_CHARACTERS = 200_000


def pair_words(allowed: Iterable[tuple[int, ...]]) -> str:
    """Return the words of a table of pairs of values."""
    words: dict[int, str] = {}
    for first, second in sorted(allowed):
        words[first] = words.get(first, SYMBOLS[first - 1]) + SYMBOLS[second - 1]
    return " ".join(words.values())


def too_many_values(board: Geometry) -> str:
    """Return why a board has more values than there are symbols; an empty text if there are enough."""
    n, n_symbols = board.n_values, len(SYMBOLS)
    return "" if n <= n_symbols else f"there are symbols for {n_symbols} values, but {board.name} has {n}"


# The symbols of values in the words of tables and automata; what follows > is the number of a state.
_SYMBOLS = re.compile(r"(?<!>)\b[0-9A-Z]+\b", re.ASCII)
_ABOVE, _BELOW = str.maketrans("0" + SYMBOLS, SYMBOLS + "z"), str.maketrans(SYMBOLS, "0" + SYMBOLS[:-1])


def one_more(words: str) -> str:
    """Return words of symbols from 0 as the words that say the same about values that are one more."""
    return _SYMBOLS.sub(lambda match: match[0].translate(_ABOVE), words)


def one_less(words: str) -> str:
    """Return words of symbols from 1 as the words that say the same about values that are one less."""
    return _SYMBOLS.sub(lambda match: match[0].translate(_BELOW), words)


class StateMachine(NamedTuple):
    """A machine that reads values, deterministic or not."""

    moves: tuple[tuple[int, int, int], ...]  # triples (state, value, next state)
    starts: frozenset[int]  # the states in which it may begin
    ends: frozenset[int]  # the states in which it may end


def automaton_from_zero(
    cells: Sequence[int], n: int, steps: Callable[..., Steps[Any]], *numbers: Hashable
) -> Constraint:
    """Return an `automaton` over some cells that accepts values if the steps for these numbers accept those one less.

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


def joined(unrolled: Automaton) -> StateMachine:
    """Return an automaton as a machine in which cells share the states with the same moves."""
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    number_of = {0: 0}
    for layer in reversed(unrolled.layers):
        rows: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for state, value, to in layer:
            rows[state].append((value, number_of[to]))
        number_of = {state: numbers.setdefault(tuple(row), len(numbers) + 1) for state, row in rows.items()}
    moves = ((state, value, to) for row, state in numbers.items() for value, to in row)
    return StateMachine(tuple(moves), frozenset([number_of[0]]), frozenset([0]))


def live(machine: StateMachine) -> StateMachine:
    """Return a machine without moves from or to states that lead to no end."""
    before: defaultdict[int, list[int]] = defaultdict(list)
    for state, _, to in machine.moves:
        before[to].append(state)
    useful = dict.fromkeys(machine.ends)
    queue = list(useful)
    for state in queue:
        more = [earlier for earlier in dict.fromkeys(before[state]) if earlier not in useful]
        useful.update(dict.fromkeys(more))
        queue += more
    return machine._replace(moves=tuple(move for move in machine.moves if move[0] in useful and move[2] in useful))


def merged(machine: StateMachine, length: int) -> StateMachine:
    """Return a deterministic machine with states merged that no line of up to some length tells apart."""
    rows: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for state, value, to in machine.moves:
        rows[state].append((value, to))
    states = {*machine.starts, *machine.ends, *rows}
    group_of = {state: int(state in machine.ends) for state in states}
    for _ in range(length):
        groups: dict[tuple[object, ...], int] = {}
        keys = {state: (group_of[state], *((value, group_of[to]) for value, to in rows[state])) for state in states}
        n_groups = len(set(group_of.values()))
        group_of = {state: groups.setdefault(key, len(groups)) for state, key in keys.items()}
        if len(groups) == n_groups:
            break
    first = {group: state for state, group in reversed(group_of.items())}
    moves = ((group, value, group_of[to]) for group, state in first.items() for value, to in rows[state])
    return StateMachine(
        tuple(moves),
        frozenset(group_of[state] for state in machine.starts),
        frozenset(group_of[state] for state in machine.ends),
    )


def words_of(machine: StateMachine, n: int) -> str:
    """Return the words of an `automaton` for a deterministic machine, its first state first."""
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


# States that the steps of a function may reach, before equal ones are merged.
_MOST_EXPLORED = 100_000


def words_of_steps(steps: Steps[Any], n: int, length: int) -> str:
    """Return the words of the automaton that reads `length` values as the steps do; states are merged.

    Raises:
        FormatError: no values are accepted; or it is too large.
    """
    machine = live(_explored(steps, n, length))
    if not (machine.moves or (not length and machine.ends)):
        raise FormatError("no values of its cells are accepted")
    return words_of(merged(machine, length), n)


def _explored(steps: Steps[Any], n: int, length: int) -> StateMachine:
    """Return the machine of the states that a line of a length can reach."""
    numbers: dict[Hashable, int] = {steps.start: 0}
    moves: list[tuple[int, int, int]] = []
    last = [steps.start]
    for _ in range(length):
        n_known = len(numbers)
        for state in last:
            for value in range(1, n + 1):
                if (to := steps.step(state, value)) is not None:
                    moves.append((numbers[state], value, numbers.setdefault(to, len(numbers))))
            if len(numbers) > _MOST_EXPLORED:
                raise FormatError(f"an automaton of more than {_MOST_EXPLORED:,} states; expected fewer")
        last = [*numbers][n_known:]
    ends = (number for state, number in numbers.items() if steps.accepts(state))
    return StateMachine(tuple(moves), frozenset([0]), frozenset(ends))
