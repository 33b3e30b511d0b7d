"""Regular expressions over values as deterministic automata.

A value is a symbol, as in the text of a puzzle: 1 to 9, then A, B, ... for 10, 11, ... There are symbols, `.`, sets
such as `[135]`, `[2-5]` and `[^1]`, groups, `|`, and the repetitions `*`, `+`, `?`, `{2}`, `{1,3}`.

The states of the automaton are *derivatives*: the expression that remains to be matched after some values. A repetition
is one part of an expression however often it repeats. No count needs to be higher than the number of cells of a line.

Source: Brzozowski 1964.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from string import ascii_uppercase
from typing import NamedTuple, Union

from sudoku_encode.errors import FormatError, short

SYMBOLS = "123456789" + ascii_uppercase
MAX_CHARACTERS = 200
# No line of cells needs more repetitions.
_MOST_TIMES = 50
_MAX_STATES = 2_000
# Parts of one state, and of all states together: these take a few seconds.
_MAX_STATE_PARTS, _MAX_PARTS = 10_000, 300_000
# The text between brackets.
_INSIDE = re.compile(r"\^?(?:[0-9A-Z](?:-[0-9A-Z])?)+")
_PLAIN = re.compile(r"[0-9A-Z.\[\]^()|*+?{},-]*")


class Symbols(NamedTuple):
    """One value of a set; an empty set matches nothing."""

    values: int  # the set, bit v - 1 for value v


class Chain(NamedTuple):
    """Expressions one after the other; without any, the empty text."""

    parts: tuple["Expression", ...]


class Either(NamedTuple):
    """One of several expressions."""

    parts: frozenset["Expression"]


class Repeat(NamedTuple):
    """A repeated expression."""

    part: "Expression"  # the expression
    least: int  # least number of times
    most: int | None  # largest number of times; None for any number


Expression = Union[Symbols, Chain, Either, Repeat]  # noqa: UP007  -- it refers to itself
NOTHING, EMPTY = Symbols(0), Chain(())


@lru_cache(maxsize=256)
def parsed(text: str, n: int) -> Expression:
    """Return the parsed regular expression over the values from 1 to n.

    Raises:
        FormatError: the text is not a regular expression.
    """
    if len(text) > MAX_CHARACTERS:
        raise FormatError(f"an expression of more than {MAX_CHARACTERS} characters")
    if not _PLAIN.fullmatch(text):
        raise FormatError(f"{short(text)!r}: expected symbols 1-9 or A-Z for values, and . [] ^ () | * + ? {{}}")
    for inside in re.findall(r"\[([^\]]*)", text):
        if not _INSIDE.fullmatch(inside):
            raise FormatError(f"{short(text)!r}: expected values and ranges in brackets, not {short(inside)!r}")
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise FormatError(f"{short(text)!r} is not a regular expression: {error}") from error
    expression, end = _either(text, 0, n)
    if end < len(text):
        raise FormatError(f"{short(text)!r}: unmatched {text[end]!r} at column {end + 1}")
    return expression


def _either(text: str, pos: int, n: int) -> tuple[Expression, int]:
    parts = []
    while True:
        part, pos = _sequence(text, pos, n)
        parts.append(part)
        if pos == len(text) or text[pos] != "|":
            return either(parts), pos
        pos += 1


def _sequence(text: str, pos: int, n: int) -> tuple[Expression, int]:
    parts = []
    while pos < len(text) and text[pos] not in "|)":
        part, pos = _atom(text, pos, n)
        part, pos = _repeated(text, pos, part)
        parts.append(part)
    return sequence(parts), pos


def _atom(text: str, pos: int, n: int) -> tuple[Expression, int]:
    symbol = text[pos]
    if symbol == "(":
        if text[pos + 1 : pos + 2] == "?":
            raise FormatError(f"{short(text)!r}: expected plain groups, not `(?`")
        part, pos = _either(text, pos + 1, n)
        return part, pos + 1
    if symbol == "[":
        end = text.index("]", pos + 1)
        inside = text[pos + 1 : end]
        values = sum(1 << v for v in range(n) if re.fullmatch(f"[{inside.removeprefix('^')}]", SYMBOLS[v]))
        return Symbols(((1 << n) - 1) ^ values if inside.startswith("^") else values), end + 1
    if symbol == ".":
        return Symbols((1 << n) - 1), pos + 1
    if symbol not in SYMBOLS[:n]:
        raise FormatError(f"{short(text)!r}: not a value: {symbol!r} (1 to {SYMBOLS[n - 1]})")
    return Symbols(1 << SYMBOLS.index(symbol)), pos + 1


def _repeated(text: str, pos: int, part: Expression) -> tuple[Expression, int]:
    mark = text[pos : pos + 1]
    if mark in ("*", "+", "?"):
        least, most, pos = int(mark == "+"), 1 if mark == "?" else None, pos + 1
    elif match := re.compile(r"\{(\d*)(,?)(\d*)\}").match(text, pos):
        least, pos = int(match[1] or 0), match.end()
        most = int(match[3]) if match[3] else None if match[2] else least
    else:
        return part, pos
    if max(least, most or 0) > _MOST_TIMES:
        raise FormatError(f"{short(text)!r}: more than {_MOST_TIMES} times")
    if text[pos : pos + 1] in ("*", "+", "?", "{"):
        raise FormatError(f"{short(text)!r}: two repetitions in a row at column {pos + 1}; write a group")
    return Repeat(part, least, most), pos


def sequence(parts: list[Expression]) -> Expression:
    """Return the concatenation of expressions, in the simplest form."""
    flat: list[Expression] = []
    for part in parts:
        if part == NOTHING:
            return NOTHING
        flat += part.parts if isinstance(part, Chain) else [part]
    return flat[0] if len(flat) == 1 else Chain(tuple(flat))


def either(parts: list[Expression]) -> Expression:
    """Return the union of expressions, in the simplest form."""
    flat: set[Expression] = set()
    for part in parts:
        flat |= part.parts if isinstance(part, Either) else {part}
    values = 0
    for symbols in [part for part in flat if isinstance(part, Symbols)]:
        values |= symbols.values
        flat.discard(symbols)
    if values:
        flat.add(Symbols(values))
    return next(iter(flat)) if len(flat) == 1 else Either(frozenset(flat)) if flat else NOTHING


def repeated(part: Expression, least: int, most: int | None, length: int) -> Expression:
    """Return the repetition of an expression, in the simplest form that matches the same lines up to a length."""
    if most == 0:
        return EMPTY
    if is_done(part):
        # Fewer repetitions are included already, with the empty text for the others; the empty part is then redundant.
        least = 0
        part = either([inner for inner in part.parts if inner != EMPTY]) if isinstance(part, Either) else part
    if part in (EMPTY, NOTHING):
        return NOTHING if least else EMPTY
    size = max(1, _shortest(part))
    if least * size > length:
        return NOTHING
    if most is not None and (most + 1) * size > length:
        most = None
    if isinstance(part, Repeat) and _has_no_gap(part, least):
        both = None if most is None or part.most is None else most * part.most
        return repeated(part.part, least * part.least, both, length)
    return _again(part, least, most)


def _has_no_gap(part: Repeat, least: int) -> bool:
    """Check that a repetition, repeated `least` times or more, gives every number of repetitions without a gap."""
    # k times a..b is a k .. b k; the next range begins at a (k + 1). The first gap is the widest.
    if least == 0:
        return part.least <= 1
    return part.most is None or (least + 1) * part.least <= least * part.most + 1


def _again(part: Expression, least: int, most: int | None) -> Expression:
    if most == 0:
        return EMPTY
    return part if least == most == 1 else Repeat(part, least, most)


def simplest(expression: Expression, length: int) -> Expression:
    """Return an expression that matches the same lines up to a length."""
    simple = partial(simplest, length=length)
    if isinstance(expression, Chain):
        return sequence(list(map(simple, expression.parts)))
    if isinstance(expression, Either):
        return either(list(map(simple, expression.parts)))
    if isinstance(expression, Repeat):
        return repeated(simple(expression.part), expression.least, expression.most, length)
    return expression


def _shortest(expression: Expression) -> int:
    """Return the length of the shortest line that an expression matches."""
    if isinstance(expression, Chain):
        return sum(map(_shortest, expression.parts))
    if isinstance(expression, Either):
        return min(map(_shortest, expression.parts))
    return expression.least * _shortest(expression.part) if isinstance(expression, Repeat) else 1


@lru_cache(maxsize=65536)
def is_done(expression: Expression) -> bool:
    """Return whether an expression matches the empty text."""
    if isinstance(expression, Chain):
        return all(map(is_done, expression.parts))
    if isinstance(expression, Either):
        return any(map(is_done, expression.parts))
    return isinstance(expression, Repeat) and (expression.least == 0 or is_done(expression.part))


@lru_cache(maxsize=65536)
def after(expression: Expression, value: int) -> Expression:
    """Return the derivative: the expression that remains to be matched after a value."""
    if isinstance(expression, Symbols):
        return EMPTY if expression.values >> value - 1 & 1 else NOTHING
    if isinstance(expression, Repeat):
        part, least, most = expression
        others = _again(part, max(0, least - 1), None if most is None else most - 1)
        return sequence([after(part, value), others])
    if isinstance(expression, Either):
        return either([after(part, value) for part in expression.parts])
    ways: list[Expression] = []
    for index, part in enumerate(expression.parts, 1):
        ways.append(sequence([after(part, value), *expression.parts[index:]]))
        if not is_done(part):
            break
    return either(ways)


def matches(text: str, n: int, values: Sequence[int]) -> bool:
    """Return whether a regular expression matches some values: by its meaning, without an automaton.

    Python's `re` may take years, since it backtracks.
    """
    # Bit i of the entry of a value is set if it is the i-th value; bit i of a set of places means: after i values.
    places = [sum(1 << i for i, other in enumerate(values) if other == value) for value in range(1, n + 1)]
    behind: dict[tuple[Expression, int], int] = {}

    def ends(expression: Expression, starts: int) -> int:
        key = expression, starts
        if key not in behind:
            behind[key] = _ends(expression, starts, places, ends)
        return behind[key]

    return bool(ends(parsed(text, n), 1) >> len(values) & 1)


def _ends(expression: Expression, starts: int, places: Sequence[int], ends: Callable[[Expression, int], int]) -> int:
    """Return the set of places where a match may end that begins at a place of a set."""
    if isinstance(expression, Symbols):
        allowed = (place for value, place in enumerate(places) if expression.values >> value & 1)
        return (starts & sum(allowed)) << 1
    if isinstance(expression, Chain):
        for part in expression.parts:
            starts = ends(part, starts)
        return starts
    if isinstance(expression, Either):
        reached = 0
        for part in expression.parts:
            reached |= ends(part, starts)
        return reached
    reached, times, seen = 0, 0, set[int]()
    while expression.most is None or times <= expression.most:
        if times >= expression.least:
            reached |= starts
            if starts in seen:
                break
            seen.add(starts)
        starts, times = ends(expression.part, starts), times + 1
    return reached


class Derivatives:
    """The states of the automaton of a regular expression for lines up to a length, by number; 0 is the first.

    States are computed when they are reached, so threads must not share an object.

    Raises:
        FormatError: the text is not a regular expression, or its first state is too large.
    """

    def __init__(self, text: str, n: int, length: int) -> None:
        self.text = text
        self._states: list[Expression] = []
        self._numbers: dict[Expression, int] = {}
        self._moves: dict[tuple[int, int], int | None] = {}
        self._n_parts = 0
        first = simplest(parsed(text, n), length)
        self._number(first)
        # Values that belong to the same sets of symbols lead to the same states.
        sets = sorted({symbols.values for symbols in _symbols(first)})
        seen: dict[tuple[int, ...], int] = {}
        self._like = [
            seen.setdefault(tuple(symbols >> value - 1 & 1 for symbols in sets), value) for value in range(1, n + 1)
        ]

    def step(self, state: int, value: int) -> int | None:
        """Return the state after a value; None if nothing can match.

        Raises:
            FormatError: there are too many states, or they are too large.
        """
        value = self._like[value - 1]
        if (state, value) not in self._moves:
            following = after(self._states[state], value)
            self._moves[state, value] = None if following == NOTHING else self._number(following)
        return self._moves[state, value]

    def is_done(self, state: int) -> bool:
        """Return whether a line may end in a state."""
        return is_done(self._states[state])

    def _number(self, state: Expression) -> int:
        if state in self._numbers:
            return self._numbers[state]
        n_parts = _n_parts(state)
        self._n_parts += n_parts
        if len(self._states) == _MAX_STATES:
            raise FormatError(f"{short(self.text)!r} has more than {_MAX_STATES:,} states")
        if n_parts > _MAX_STATE_PARTS or self._n_parts > _MAX_PARTS:
            raise FormatError(
                f"{short(self.text)!r} has states of more than {_MAX_PARTS:,} parts in all; expected fewer repetitions "
                "inside each other"
            )
        self._states.append(state)
        return self._numbers.setdefault(state, len(self._states) - 1)


def _symbols(expression: Expression) -> Iterator[Symbols]:
    """Yield the symbols of an expression."""
    if isinstance(expression, Symbols):
        yield expression
    elif isinstance(expression, Repeat):
        yield from _symbols(expression.part)
    else:
        for part in expression.parts:
            yield from _symbols(part)


def _n_parts(expression: Expression) -> int:
    """Return how many expressions an expression consists of."""
    if isinstance(expression, Symbols):
        return 1
    parts = (expression.part,) if isinstance(expression, Repeat) else expression.parts
    return 1 + sum(map(_n_parts, parts))
