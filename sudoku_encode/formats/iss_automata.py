"""State machines of ISS strings, `NFA`, as constraints: a `regex` if it has a short one, else an `automaton`.

Some other types become automata too: kinds that count with values from 0. Expressions are made by *state elimination*:
a state is removed, and each way through it becomes one move.

Source: sigh/Interactive-Sudoku-Solver, js/nfa_builder.js: `NFASerializer`, the bits of a machine;
    Brzozowski & McCluskey 1963, state elimination.
"""

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles.constraints import primitives
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.primitives import Steps

# Machines, and their regular expressions.

# As many characters as a `regex` may have.
MAX_EXPRESSION_CHARACTERS = 200
_MAX_STATES = 20_000
# Of states with moves between them; larger machines have no short expression, and would take long.
_MAX_PAIRS = 300
_HEADER = (2, 4, 4)


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


def _bits_of(token: str) -> list[str]:
    """Return the bits of a text in base 64, the highest of a byte first, from the last to the first."""
    try:
        data = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise FormatError(f"{short(token, 20)!r} is not a state machine in base 64") from error
    return list("".join(f"{byte:08b}" for byte in data))[::-1]


def _take(bits: list[str], size: int) -> int:
    """Take the next bits away and return them as a number."""
    if size > len(bits):
        raise FormatError("its state machine is cut off")
    return int("".join(bits.pop() for _ in range(size)) or "0", 2)


@lru_cache(maxsize=64)
def machine_of(token: str, n: int) -> Machine:
    """Return the machine of an ISS string.

    Args:
        token: its bits in base 64.
        n: the largest value; n + 1 is read between lists of cells.

    Raises:
        FormatError: the text is not a machine, or reads other values too.
    """
    bits = _bits_of(token)
    form, state_size, n_symbols = (_take(bits, size) for size in _HEADER)
    state_size, n_symbols = state_size + 1, n_symbols + 1
    if form > 1:
        raise FormatError(f"{short(token, 20)!r} is not a state machine in base 64")
    if n_symbols > n + 1:
        raise FormatError(f"a state machine over {n_symbols} symbols, where there are {n} values and a break")
    n_starts, n_ends = _take(bits, state_size), _take(bits, state_size)
    both = _take(bits, n_starts)
    moves = _packed(bits, n_symbols, state_size) if form == 1 else _plain(bits, n_symbols, state_size)
    ends = {at for at in range(n_starts) if both >> at & 1} | set(range(n_starts, n_starts + n_ends))
    return Machine(tuple(moves), frozenset(range(n_starts)), frozenset(ends))


def _packed(bits: list[str], n_symbols: int, state_size: int) -> list[tuple[int, int, int]]:
    moves, state = [], 0
    while len(bits) >= n_symbols:
        mask = _take(bits, n_symbols)
        moves += [(state, at + 1, _take(bits, state_size)) for at in range(n_symbols) if mask >> at & 1]
        state += 1
    return moves


def _plain(bits: list[str], n_symbols: int, state_size: int) -> list[tuple[int, int, int]]:
    moves, state = [], 0
    count_size, symbol_size = _take(bits, _HEADER[2]), (n_symbols - 1).bit_length()
    while count_size and len(bits) >= count_size:
        for _ in range(_take(bits, count_size)):
            value = _take(bits, symbol_size) + 1
            moves.append((state, value, _take(bits, state_size)))
        state += 1
    return moves


def short_expression(machine: Machine, exact: Machine, n: int) -> str:
    """Return a regular expression that matches what a machine accepts; an empty text if there is no short one.

    Args:
        machine: any.
        exact: one that accepts the same lines of the length that is meant, and perhaps no others.
        n: the largest value.
    """
    texts = [_eliminated(one, n) for one in (machine, exact)]
    return min((text for text in texts if text), key=len, default="")


def deterministic(machine: Machine) -> Machine | None:
    """Return a deterministic machine that accepts the same lines; None if it has too many states."""
    after = _after(machine)
    numbers = {machine.starts: 0}
    moves: list[tuple[int, int, int]] = []
    queue = [machine.starts]
    for state in queue:
        for value, to in _steps(state, after).items():
            if to not in numbers:
                numbers[to] = len(numbers)
                queue.append(to)
            moves.append((numbers[state], value, numbers[to]))
        if len(queue) > _MAX_STATES:
            return None
    ends = frozenset(number for state, number in numbers.items() if state & machine.ends)
    # States from which an end can be reached.
    useful, n_before = set(ends), -1
    while len(useful) > n_before:
        n_before = len(useful)
        useful |= {state for state, _, to in moves if to in useful}
    return Machine(tuple(move for move in moves if move[0] in useful and move[2] in useful), frozenset([0]), ends)


def _after(machine: Machine) -> dict[int, list[tuple[int, int]]]:
    after: dict[int, list[tuple[int, int]]] = {}
    for state, value, following in machine.moves:
        after.setdefault(state, []).append((value, following))
    return after


def layered(machine: Machine, length: int, breaks: tuple[int, ...] = (), n: int = 0) -> Machine:
    """Return the smallest deterministic machine that accepts the same lines of one length, and no others.

    Args:
        machine: deterministic or not.
        length: of the lines.
        breaks: places between cells, from 0, at which it reads the value n + 1, which no cell has.
        n: the largest value.

    Raises:
        FormatError: it has too many states.
    """
    after = _after(machine)
    layers: list[dict[frozenset[int], dict[int, frozenset[int]]]] = []

    def crossed(state: frozenset[int], place: int) -> frozenset[int]:
        for _ in range(breaks.count(place)):
            state = _steps(state, after).get(n + 1, frozenset())
        return state

    start = crossed(machine.starts, 0)
    states = {start}
    for place in range(1, length + 1):
        layer = {
            state: {value: crossed(to, place) for value, to in _steps(state, after).items() if not breaks or value <= n}
            for state in states
        }
        layers.append(layer)
        states = {following for steps in layer.values() for following in steps.values()}
        if len(states) > _MAX_STATES:
            raise FormatError(f"its state machine has more than {_MAX_STATES} states")
    # From the end: states with the same moves are merged, and states that lead to no end are dropped.
    number_of = {state: 0 for state in states if state & machine.ends}
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    for layer in reversed(layers):
        useful = {
            state: tuple(sorted((value, number_of[to]) for value, to in steps.items() if to in number_of))
            for state, steps in layer.items()
        }
        number_of = {state: numbers.setdefault(moves, len(numbers) + 1) for state, moves in useful.items() if moves}
    first = number_of.get(start)
    if first is None:
        return Machine((), frozenset(), frozenset())
    moves = ((state, value, to) for row, state in numbers.items() for value, to in row)
    return Machine(tuple(moves), frozenset([first]), frozenset([0]))


def _steps(state: frozenset[int], after: dict[int, list[tuple[int, int]]]) -> dict[int, frozenset[int]]:
    steps: dict[int, set[int]] = {}
    for part in state:
        for value, following in after.get(part, ()):
            steps.setdefault(value, set()).add(following)
    return {value: frozenset(found) for value, found in steps.items()}


class _Ways(NamedTuple):
    """The texts that may be read on the way from one state to another.

    Attributes:
        values: single values.
        texts: expressions without `|` outside groups; "" for nothing at all.
    """

    values: frozenset[int] = frozenset()
    texts: tuple[str, ...] = ()


# The same ways are asked for at each state that is removed.
@lru_cache(maxsize=4096)
def _text(ways: _Ways, n: int) -> str:
    """Return one expression, in a group where it has more than one part to choose from."""
    parts = [text for text in ways.texts if text]
    parts += [_character_class(ways.values, n)] if ways.values else []
    is_atom = len(parts) == 1 and not [text for text in ways.texts if text]
    if "" not in ways.texts:
        return parts[0] if len(parts) == 1 else f"({'|'.join(parts)})"
    return (parts[0] if is_atom else f"({'|'.join(parts)})") + "?" if parts else ""


@lru_cache(maxsize=4096)
def _starred(ways: _Ways, n: int) -> str:
    """Return one expression that is repeated any number of times."""
    parts = [text for text in ways.texts if text]
    if not parts:
        return f"{_character_class(ways.values, n)}*" if ways.values else ""
    return f"({'|'.join([*parts, *([_character_class(ways.values, n)] if ways.values else [])])})*"


def _character_class(values: Iterable[int], n: int) -> str:
    symbols = ALPHABETS[DEFAULT_ALPHABET]
    inside = "".join(symbols[value - 1] for value in sorted(values))
    if len(inside) in (1, n):
        return inside if len(inside) == 1 else "."
    others = "".join(symbols[value - 1] for value in range(1, n + 1) if symbols[value - 1] not in inside)
    return f"[{inside}]" if len(inside) <= len(others) + 1 else f"[^{others}]"


_Table = dict[tuple[int, int], _Ways]
_START, _END = -1, -2


def _eliminated(machine: Machine, n: int) -> str:
    """Return the expression of a machine; an empty text if it is too long, or accepts only the empty line."""
    table: _Table = {}
    for state, value, to in machine.moves:
        _add(table, (state, to), _Ways(frozenset([value])))
    for state in machine.starts:
        _add(table, (_START, state), _Ways(texts=("",)))
    for state in machine.ends:
        _add(table, (state, _END), _Ways(texts=("",)))
    states = {state for pair in table for state in pair} - {_START, _END}
    if len(table) > _MAX_PAIRS:
        return ""
    while states:
        costs = _costs(table, n)
        least = min(states, key=lambda state: (costs[state], state))
        states.remove(least)
        _eliminate(table, least, n)
        if any(len(text) > MAX_EXPRESSION_CHARACTERS for ways in table.values() for text in ways.texts):
            return ""
    text = _text(table[_START, _END], n) if (_START, _END) in table else ""
    is_group = text.startswith("(") and text.endswith(")") and len(table[_START, _END].texts) > 1
    text = text[1:-1] if is_group else text
    return text if len(text) <= MAX_EXPRESSION_CHARACTERS else ""


def _add(table: _Table, pair: tuple[int, int], ways: _Ways) -> None:
    old = table.get(pair, _Ways())
    table[pair] = _Ways(old.values | ways.values, tuple(dict.fromkeys((*old.texts, *ways.texts))))


def _around(table: _Table, state: int) -> tuple[Sequence[int], Sequence[int]]:
    before = sorted(one for one, other in table if other == state != one)
    return before, sorted(other for one, other in table if one == state != other)


def _costs(table: _Table, n: int) -> Counter[int]:
    """Return for each state about the number of characters that its removal adds."""
    entering, leaving, loops, n_before, n_behind = (Counter[int]() for _ in range(5))
    for (source, target), ways in table.items():
        if source == target:
            loops[source] = len(_starred(ways, n))
        else:
            size = len(_text(ways, n))
            entering[target] += size
            leaving[source] += size
            n_before[target] += 1
            n_behind[source] += 1
    return Counter(
        {
            state: entering[state] * (n_behind[state] - 1)
            + leaving[state] * (n_before[state] - 1)
            + loops[state] * (n_before[state] * n_behind[state] - 1)
            for state in entering.keys() | leaving.keys()
        }
    )


def _eliminate(table: _Table, state: int, n: int) -> None:
    before, behind = _around(table, state)
    loop = table.pop((state, state), None)
    for source in before:
        for target in behind:
            first, last = table[source, state], table[state, target]
            if loop is None and last == _Ways(texts=("",)):
                _add(table, (source, target), first)
            elif loop is None and first == _Ways(texts=("",)):
                _add(table, (source, target), last)
            else:
                middle = "" if loop is None else _starred(loop, n)
                _add(table, (source, target), _Ways(texts=(_text(first, n) + middle + _text(last, n),)))
    for pair in [pair for pair in table if state in pair]:
        del table[pair]


# As many as the text of an `automaton` may have.
MAX_AUTOMATON_CHARACTERS = 200_000
_SYMBOLS = ALPHABETS[DEFAULT_ALPHABET]


def constraint_of(machine: Machine, segments: Sequence[Sequence[int]], n: int) -> Constraint:
    """Return the constraint that a machine accepts the values of some cells.

    Args:
        machine: deterministic or not; between two segments it reads the value n + 1.
        segments: lists of cells, one after the other.
        n: the largest value.

    Raises:
        FormatError: it accepts no line of that length, or is too large.
    """
    kind, expression = _kind_and_expression(machine, tuple(map(len, segments)), n)
    return Constraint(kind, (tuple(cell for segment in segments for cell in segment),), (), expression)


@lru_cache(maxsize=64)
def _kind_and_expression(machine: Machine, lengths: tuple[int, ...], n: int) -> tuple[str, str]:
    """Return the kind and the expression of the constraint of a machine, from the lengths of the segments."""
    *breaks, size = accumulate(lengths)
    exact = layered(machine, size, tuple(breaks), n)
    machine = machine._replace(moves=tuple(move for move in machine.moves if move[1] <= n))
    if not exact.ends:
        raise FormatError(f"its state machine accepts no line of {size} cells")
    if not breaks and (expression := short_expression(machine, exact, n)):
        return "regex", expression
    texts = [text_of(exact, n)]
    if not breaks and (plain := deterministic(machine)):
        texts.append(text_of(plain, n))
    if len(text := min(texts, key=len)) > MAX_AUTOMATON_CHARACTERS:
        raise FormatError("its state machine is too large")
    return "automaton", text


def text_of(machine: Machine, n: int) -> str:
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
    return "." if len(values) == n else "".join(_SYMBOLS[value - 1] for value in sorted(values))


def token_of(words: str, n: int) -> str:
    """Return the words of an `automaton` as the bits of a state machine, in base 64; `machine_of` reads them."""
    states = words.split()
    # The first state comes first, and those where a line may end before the others.
    order = sorted(range(len(states)), key=lambda state: (state > 0, not states[state].startswith("!")))
    number_of = {state: number for number, state in enumerate(order)}
    size = max(len(states).bit_length(), 1)
    is_end = states[0].startswith("!")
    n_ends = sum(word.startswith("!") for word in states) - is_end
    bits = f"{1:02b}{size - 1:04b}{n - 1:04b}{1:0{size}b}{n_ends:0{size}b}{is_end:b}"
    for state in order:
        next_states = {
            value: int(part.partition(">")[2])
            for part in states[state].removeprefix("!").split(",")
            for value in _values_of(part.partition(">")[0], n)
        }
        mask = sum(1 << value - 1 for value in next_states)
        bits += f"{mask:0{n}b}" + "".join(f"{number_of[next_states[value]]:0{size}b}" for value in sorted(next_states))
    data = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _values_of(symbols: str, n: int) -> list[int]:
    return list(range(1, n + 1)) if symbols == "." else [_SYMBOLS.index(symbol) + 1 for symbol in symbols]


def automaton_text(size: int, n: int, steps: Steps[Any]) -> str:
    """Return the expression of an `automaton` over some cells, for that number of cells alone.

    Args:
        size: the number of cells.
        n: the largest value.
        steps: how it reads values.

    Raises:
        FormatError: no values are accepted, or it is too large.
    """
    explored = primitives.automaton(range(size), n, *steps)
    if not isinstance(explored, primitives.Automaton):
        raise FormatError("no values of its cells are accepted")
    # Its states are numbered in each layer anew; here each layer has numbers of its own.
    sizes = [1, *(1 + max(to for _, _, to in layer) for layer in explored.layers)]
    first = list(accumulate(sizes, initial=0))
    moves = (
        (first[at] + state, value, first[at + 1] + to)
        for at, layer in enumerate(explored.layers)
        for state, value, to in layer
    )
    whole = Machine(tuple(moves), frozenset([0]), frozenset([first[-2]]))
    if len(text := text_of(layered(whole, size), n)) > MAX_AUTOMATON_CHARACTERS:
        raise FormatError("it takes an automaton that is too large")
    return text
