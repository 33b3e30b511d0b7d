"""Automata of ISS strings as constraints: a `regex` where a short one is found, an `automaton` where none is.

Some types are automata here though they are none there: kinds that count with values from 0.
"""

import base64
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from sudoku_encode.constraints import primitives
from sudoku_encode.constraints.primitives import Steps
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_machines import Machine, deterministic, layered, short_expression
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles.constraint import Constraint

# As many as the text of an `automaton` may have.
MAX_CHARACTERS = 200_000
# Of an automaton, while it is explored; some seconds.
_MAX_STEPS = 2_000_000
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
    cells = tuple(cell for segment in segments for cell in segment)
    breaks = tuple(sum(map(len, segments[: at + 1])) for at in range(len(segments) - 1))
    exact = layered(machine, len(cells), breaks, n)
    machine = machine._replace(moves=tuple(move for move in machine.moves if move[1] <= n))
    if not exact.ends:
        raise FormatError(f"its state machine accepts no line of {len(cells)} cells")
    if not breaks and (expression := short_expression(machine, exact, n)):
        return Constraint("regex", (cells,), (), expression)
    texts = [text_of(exact, n)]
    if not breaks and (plain := deterministic(machine)):
        texts.append(text_of(plain, n))
    if len(text := min(texts, key=len)) > MAX_CHARACTERS:
        raise FormatError("its state machine is too large")
    return Constraint("automaton", (cells,), (), text)


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
        + ",".join(f"{_values(values, n)}>{order[to]}" for to, values in moves.get(state, {}).items())
        for state in queue
    )


def _values(values: Sequence[int], n: int) -> str:
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
        found = {
            value: int(part.partition(">")[2])
            for part in states[state].removeprefix("!").split(",")
            for value in _values_of(part.partition(">")[0], n)
        }
        mask = sum(1 << value - 1 for value in found)
        bits += f"{mask:0{n}b}" + "".join(f"{number_of[found[value]]:0{size}b}" for value in sorted(found))
    held = bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))
    return base64.urlsafe_b64encode(held).decode().rstrip("=")


def _values_of(symbols: str, n: int) -> list[int]:
    return list(range(1, n + 1)) if symbols == "." else [_SYMBOLS.index(symbol) + 1 for symbol in symbols]


def automaton(cells: Sequence[int], n: int, steps: Steps[Any]) -> Constraint:
    """Return an `automaton` over some cells, for that number of cells alone.

    Args:
        cells: in the order in which they are read.
        n: the largest value.
        steps: how it reads values.

    Raises:
        FormatError: no values are accepted, or it is too large.
    """
    left = _MAX_STEPS

    def step(state: Any, value: int) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise FormatError("it takes an automaton that is too large")
        return steps.step(state, value)

    found = primitives.automaton(cells, n, steps.start, step, steps.accepts)
    if not isinstance(found, primitives.Automaton):
        raise FormatError("no values of its cells are right")
    # Its states are numbered in each layer anew; here each layer has numbers of its own.
    sizes = [1, *(1 + max(to for _, _, to in layer) for layer in found.layers)]
    first = list(accumulate(sizes, initial=0))
    moves = (
        (first[at] + state, value, first[at + 1] + to)
        for at, layer in enumerate(found.layers)
        for state, value, to in layer
    )
    whole = Machine(tuple(moves), frozenset([0]), frozenset([first[-2]]))
    if len(text := text_of(layered(whole, len(cells)), n)) > MAX_CHARACTERS:
        raise FormatError("it takes an automaton that is too large")
    return Constraint("automaton", (tuple(cells),), (), text)
