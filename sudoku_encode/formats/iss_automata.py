"""State machines of ISS strings, `NFA`, as `automaton` constraints and back.

Source: sigh/Interactive-Sudoku-Solver, js/nfa_builder.js: `NFASerializer`, the bits of a machine;
    Moore 1956, merging of states that no line tells apart.
"""

import base64
import binascii
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.primitives import Automaton, Primitive, automaton
from sudoku_encode.puzzles.constraints.written_automata import (
    MAX_CHARACTERS,
    StateMachine,
    joined,
    live,
    merged,
    words_of,
)

_MAX_STATES = 20_000
_HEADER = (2, 4, 4)
_SYMBOLS = ALPHABETS[DEFAULT_ALPHABET]


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
def machine_of(token: str, n: int) -> StateMachine:
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
    return StateMachine(tuple(moves), frozenset(range(n_starts)), frozenset(ends))


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


class _Sets(NamedTuple):
    """The sets of states in which a machine may be after some values, by numbers: 0 is the empty set, 1 the first.

    Attributes:
        steps: from a set to the next one for each value, ascending; the empty set is left out.
        is_end: whether a line may end in a set.
    """

    steps: Callable[[int], dict[int, int]]
    is_end: Callable[[int], bool]


def constraint_of(machine: StateMachine, segments: Sequence[Sequence[int]], n: int) -> Constraint:
    """Return the `automaton` that accepts what a machine accepts in some cells.

    Args:
        machine: deterministic or not; between two segments it reads the value n + 1.
        segments: lists of cells, one after the other.
        n: the largest value.

    Raises:
        FormatError: it accepts no line of that length, or is too large.
    """
    words = _words(machine, tuple(map(len, segments)), n)
    return Constraint("automaton", (tuple(chain.from_iterable(segments)),), (), words)


@lru_cache(maxsize=64)
def _words(machine: StateMachine, sizes: tuple[int, ...], n: int) -> str:
    """Return the words of the automaton of a machine for segments of some sizes, of two the shorter."""
    sets = _sets_of(machine)
    unrolled = _unrolled(sets, sizes, n)
    if not isinstance(unrolled, Automaton):
        raise FormatError(f"its state machine accepts no line of {sum(sizes)} cells")
    texts = [words_of(joined(unrolled), n)]
    if len(sizes) == 1:
        # Lines of any length may take too many states.
        with suppress(FormatError):
            texts.insert(0, words_of(merged(_deterministic(sets, n), *sizes), n))
    if len(text := min(texts, key=len)) > MAX_CHARACTERS:
        raise FormatError("its state machine is too large")
    return text


def _sets_of(machine: StateMachine) -> _Sets:
    """Return the sets of states of a machine, each made when it is reached."""
    after: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for state, value, to in machine.moves:
        after[state].append((value, to))
    sets = [frozenset[int](), machine.starts]
    numbers = {states: number for number, states in enumerate(sets)}

    @cache
    def steps(number: int) -> dict[int, int]:
        following: defaultdict[int, set[int]] = defaultdict(set)
        for state in sets[number]:
            for value, to in after.get(state, ()):
                following[value].add(to)
        row: dict[int, int] = {}
        for value in sorted(following):
            states = frozenset(following[value])
            if states not in numbers:
                numbers[states] = len(sets)
                sets.append(states)
            row[value] = numbers[states]
        if len(sets) > _MAX_STATES:
            raise FormatError(f"its state machine has more than {_MAX_STATES} states")
        return row

    return _Sets(steps, lambda number: not machine.ends.isdisjoint(sets[number]))


def _unrolled(sets: _Sets, sizes: Sequence[int], n: int) -> Primitive:
    """Return the automaton of a machine over the cells of segments, by their numbers."""
    breaks = Counter([*accumulate(sizes)][:-1])

    def crossed(number: int, place: int) -> tuple[int, int]:
        for _ in range(breaks[place]):
            number = sets.steps(number).get(n + 1, 0)
        return place, number

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        following = sets.steps(state[1]).get(value)
        return None if following is None else crossed(following, state[0] + 1)

    return automaton(range(sum(sizes)), n, crossed(1, 0), step, lambda state: sets.is_end(state[1]))


def _deterministic(sets: _Sets, n: int) -> StateMachine:
    """Return a deterministic machine without states that lead to no end."""
    reached, moves = {1: None}, list[tuple[int, int, int]]()
    queue = [1]
    for number in queue:
        for value, to in sets.steps(number).items():
            if value <= n:
                moves.append((number, value, to))
                if to not in reached:
                    reached[to] = None
                    queue.append(to)
    return live(StateMachine(tuple(moves), frozenset([1]), frozenset(filter(sets.is_end, reached))))


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
