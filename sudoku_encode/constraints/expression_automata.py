"""Regular expressions over values as deterministic automata.

A value is a symbol, as in the text of a puzzle: 1 to 9, then A, B, ... for 10, 11, ... There are symbols, `.`, sets
such as `[135]`, `[2-5]` and `[^1]`, groups, `|`, and `*`, `+`, `?`, `{2}`, `{1,3}` after what is repeated.

The states of the automaton are *derivatives*: what is left to match after some values, as an expression.

Source: Brzozowski 1964.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from string import ascii_uppercase
from typing import NamedTuple, Union

from sudoku_encode.errors import FormatError, short

SYMBOLS = "123456789" + ascii_uppercase
MAX_CHARACTERS = 200
# A repetition of more is none that a line of cells has.
_MOST_TIMES = 50
_MAX_STATES = 2_000
# What is between brackets.
_INSIDE = re.compile(r"\^?(?:[0-9A-Z](?:-[0-9A-Z])?)+")
_PLAIN = re.compile(r"[0-9A-Z.\[\]^()|*+?{},-]*")


class Symbols(NamedTuple):
    """One value of a set; no value where the set is empty, so that nothing matches.

    Attributes:
        values: the set, bit v - 1 for value v.
    """

    values: int


class Sequence(NamedTuple):
    """Some expressions, one after the other; the empty text where there is none."""

    parts: tuple["Expression", ...]


class Either(NamedTuple):
    """One of some expressions."""

    parts: frozenset["Expression"]


class Star(NamedTuple):
    """An expression any number of times."""

    part: "Expression"


Expression = Union[Symbols, Sequence, Either, Star]  # noqa: UP007  -- it refers to itself
NOTHING, EMPTY = Symbols(0), Sequence(())


@lru_cache(maxsize=256)
def parsed(text: str, n: int) -> Expression:
    """Return a regular expression over the values from 1 to n.

    Raises:
        FormatError: it is none.
    """
    if len(text) > MAX_CHARACTERS:
        raise FormatError(f"an expression of more than {MAX_CHARACTERS} characters")
    if not _PLAIN.fullmatch(text):
        raise FormatError(f"{short(text)!r}: a value is a symbol 1-9 or A-Z; besides there are . [] ^ () | * + ? {{}}")
    for inside in re.findall(r"\[([^\]]*)", text):
        if not _INSIDE.fullmatch(inside):
            raise FormatError(
                f"{short(text)!r}: in brackets there are values and ranges of them, not {short(inside)!r}"
            )
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise FormatError(f"{short(text)!r} is no regular expression: {error}") from error
    found, end = _either(text, 0, n)
    if end < len(text):
        raise FormatError(f"{short(text)!r}: {text[end]!r} at column {end + 1} has no beginning")
    return found


def _either(text: str, at: int, n: int) -> tuple[Expression, int]:
    parts = []
    while True:
        part, at = _sequence(text, at, n)
        parts.append(part)
        if at == len(text) or text[at] != "|":
            return either(parts), at
        at += 1


def _sequence(text: str, at: int, n: int) -> tuple[Expression, int]:
    parts = []
    while at < len(text) and text[at] not in "|)":
        part, at = _atom(text, at, n)
        part, at = _repeated(text, at, part)
        parts.append(part)
    return sequence(parts), at


def _atom(text: str, at: int, n: int) -> tuple[Expression, int]:
    symbol = text[at]
    if symbol == "(":
        if text[at + 1 : at + 2] == "?":
            raise FormatError(f"{short(text)!r}: there are plain groups only, no `(?`")
        part, at = _either(text, at + 1, n)
        return part, at + 1
    if symbol == "[":
        end = text.index("]", at + 1)
        inside = text[at + 1 : end]
        values = sum(1 << v for v in range(n) if re.fullmatch(f"[{inside.removeprefix('^')}]", SYMBOLS[v]))
        return Symbols(((1 << n) - 1) ^ values if inside.startswith("^") else values), end + 1
    if symbol == ".":
        return Symbols((1 << n) - 1), at + 1
    if symbol not in SYMBOLS[:n]:
        raise FormatError(f"{short(text)!r}: {symbol!r} is no value; they go from 1 to {SYMBOLS[n - 1]}")
    return Symbols(1 << SYMBOLS.index(symbol)), at + 1


def _repeated(text: str, at: int, part: Expression) -> tuple[Expression, int]:
    mark = text[at : at + 1]
    if mark in ("*", "+", "?"):
        least, most, at = int(mark == "+"), 1 if mark == "?" else None, at + 1
    elif match := re.compile(r"\{(\d*)(,?)(\d*)\}").match(text, at):
        least, at = int(match[1] or 0), match.end()
        most = int(match[3]) if match[3] else None if match[2] else least
    else:
        return part, at
    if max(least, most or 0) > _MOST_TIMES:
        raise FormatError(f"{short(text)!r}: more than {_MOST_TIMES} times")
    if text[at : at + 1] in ("*", "+", "?", "{"):
        raise FormatError(f"{short(text)!r}: two repetitions in a row at column {at + 1}; write a group")
    rest: list[Expression] = [Star(part)] if most is None else [either([part, EMPTY])] * (most - least)
    return sequence([part] * least + rest), at


def sequence(parts: list[Expression]) -> Expression:
    """Return expressions one after the other, in the simplest form."""
    flat: list[Expression] = []
    for part in parts:
        if part == NOTHING:
            return NOTHING
        flat += part.parts if isinstance(part, Sequence) else [part]
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def either(parts: list[Expression]) -> Expression:
    """Return one of some expressions, in the simplest form."""
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


@lru_cache(maxsize=65536)
def is_done(expression: Expression) -> bool:
    """Say whether nothing more need follow."""
    if isinstance(expression, Sequence):
        return all(map(is_done, expression.parts))
    if isinstance(expression, Either):
        return any(map(is_done, expression.parts))
    return isinstance(expression, Star)


@lru_cache(maxsize=65536)
def after(expression: Expression, value: int) -> Expression:
    """Return what is left to match after a value."""
    if isinstance(expression, Symbols):
        return EMPTY if expression.values >> value - 1 & 1 else NOTHING
    if isinstance(expression, Star):
        return sequence([after(expression.part, value), expression])
    if isinstance(expression, Either):
        return either([after(part, value) for part in expression.parts])
    ways: list[Expression] = []
    for at, part in enumerate(expression.parts):
        ways.append(sequence([after(part, value), *expression.parts[at + 1 :]]))
        if not is_done(part):
            break
    return either(ways)


def steps(text: str, n: int) -> tuple[Expression, Callable[[Expression, int], Expression | None]]:
    """Return the first state of the automaton of a regular expression, and its steps.

    Raises:
        FormatError: it is no regular expression; or, while the steps are taken, it has too many states.
    """
    seen: set[Expression] = set()

    def step(state: Expression, value: int) -> Expression | None:
        found = after(state, value)
        seen.add(found)
        if len(seen) > _MAX_STATES:
            raise FormatError(f"{short(text)!r} has more than {_MAX_STATES:,} states")
        return None if found == NOTHING else found

    return parsed(text, n), step
