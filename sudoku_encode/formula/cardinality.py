"""At-most-one constraints as clauses, independent of Sudoku.

Each encoding is a function of the size of the set. It returns a pattern: clauses over the numbers 1..size for the
members and size + 1 .. for auxiliary variables. A pattern is applied to all sets of that size at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil, isqrt
from pkgutil import resolve_name

import numpy as np

from sudoku_encode.formula.cnf import Group, Literals
from sudoku_encode.formula.table import AT_MOST_ONE

Clauses = list[tuple[int, ...]]


@dataclass(frozen=True)
class Pattern:
    """Clauses over 1..size (the set) and size + 1 .. size + n_auxiliary."""

    n_auxiliary: int
    clauses: Clauses


def pairwise(size: int) -> Pattern:
    """Exclude every pair: size * (size - 1) / 2 clauses, no auxiliary variable."""
    return Pattern(0, [(-a, -b) for a, b in combinations(range(1, size + 1), 2)])


def sequential(size: int) -> Pattern:
    """Count from left to right: 3 * size - 4 clauses, size - 1 auxiliary variables.

    Source: Sinz 2005 (the sequential counter, k = 1).
    """
    if size < 2:
        return Pattern(0, [])
    # seen(i): one of 1..i holds.
    seen = range(size, 2 * size).__getitem__
    clauses: Clauses = [(-1, seen(1)), (-size, -seen(size - 1))]
    for i in range(2, size):
        clauses += [(-i, seen(i)), (-seen(i - 1), seen(i)), (-i, -seen(i - 1))]
    return Pattern(size - 1, clauses)


def bitwise(size: int) -> Pattern:
    """Give each member a different binary code: size * bits clauses, bits auxiliary variables.

    Source: Frisch et al. 2005 (there called binary); Prestwich 2007.
    """
    bits = (size - 1).bit_length()
    return Pattern(
        bits,
        [
            (-(member + 1), size + 1 + bit if member >> bit & 1 else -(size + 1 + bit))
            for member in range(size)
            for bit in range(bits)
        ],
    )


def ladder(size: int) -> Pattern:
    """Tie each member to one step of a ladder y(0) >= ... >= y(size): 4 * size clauses, size + 1 auxiliary variables.

    Source: Gent & Nightingale 2004.
    Differs: one more step at either end, so that no member may hold; then all y are equal, in two ways.
    """
    if size < 2:
        return Pattern(0, [])
    y = range(size + 1, 2 * size + 2).__getitem__
    clauses: Clauses = [(-y(i), y(i - 1)) for i in range(1, size + 1)]
    for i in range(1, size + 1):
        clauses += [(-i, y(i - 1)), (-i, -y(i)), (i, -y(i - 1), y(i))]
    return Pattern(size + 1, clauses)


def product(size: int) -> Pattern:
    """Arrange the members in a grid; at most one row and one column is used, recursively.

    Source: Chen 2010.
    """
    if size <= _PAIRWISE_UP_TO:
        return pairwise(size)
    columns = isqrt(size - 1) + 1
    rows = ceil(size / columns)
    free = _counter(size)
    row, column = [next(free) for _ in range(rows)], [next(free) for _ in range(columns)]
    clauses: Clauses = []
    for member in range(size):
        clauses += [(-(member + 1), row[member // columns]), (-(member + 1), column[member % columns])]
    for line in (row, column):
        clauses += _over(product(len(line)), line, free)
    return Pattern(next(free) - size - 1, clauses)


def commander(size: int) -> Pattern:
    """Give every three members a commander, which is true if one of them is; at most one commander, recursively.

    Source: Klieber & Kwon 2007.
    Differs: a group's commander may be true when no member is, since only at-most-one is needed, and a group of one
        is its own commander.
    """
    if size <= _PAIRWISE_UP_TO:
        return pairwise(size)
    free = _counter(size)
    clauses: Clauses = []
    commanders = []
    for start in range(1, size + 1, 3):
        group = range(start, min(start + 3, size + 1))
        clauses += [(-a, -b) for a, b in combinations(group, 2)]
        commanders.append(group[0] if len(group) == 1 else next(free))
        clauses += [(-member, commanders[-1]) for member in group if len(group) > 1]
    clauses += _over(commander(len(commanders)), commanders, free)
    return Pattern(next(free) - size - 1, clauses)


# The recursion stops at this size: pairs are not more clauses, and need no variables.
_PAIRWISE_UP_TO = 4


def pattern_of(name: str, size: int) -> Pattern:
    """Return the clauses of an encoding, a key of AT_MOST_ONE, for a set of a size."""
    make_pattern: Callable[[int], Pattern] = resolve_name(AT_MOST_ONE[name])
    return make_pattern(size)


def at_most_one(name: str, way: str, tables: Sequence[Literals], n_variables: int) -> tuple[list[Group], int]:
    """Return the clauses that at most one literal of each set holds, and the new number of variables.

    Each column of a table, int32 (size, sets), is a set. Groups without auxiliary variables are separate.
    """
    groups = []
    for table in tables:
        size, sets = table.shape
        n_auxiliary, kinds = _pattern_arrays(way, size)
        auxiliary = n_variables + 1 + np.arange(n_auxiliary * sets, dtype=np.int32)
        n_variables += len(auxiliary)
        whole = np.concatenate([table, auxiliary.reshape(sets, -1).T]) if len(auxiliary) else table
        groups += [Group(name, rows, whole if auxiliary_too else table) for auxiliary_too, rows in kinds]
    return groups, n_variables


@lru_cache(maxsize=256)
def _pattern_arrays(way: str, size: int) -> tuple[int, list[tuple[bool, Literals]]]:
    """Return the number of auxiliary variables of a pattern, and its clauses by width, with and without these."""
    pattern = pattern_of(way, size)
    kinds: dict[tuple[bool, int], Clauses] = {}
    for clause in pattern.clauses:
        kinds.setdefault((max(map(abs, clause)) > size, len(clause)), []).append(clause)
    return pattern.n_auxiliary, [(kind[0], np.array(rows, dtype=np.int32)) for kind, rows in sorted(kinds.items())]


def _counter(size: int) -> Iterator[int]:
    return iter(range(size + 1, 1 << 30))


def _over(pattern: Pattern, members: Sequence[int], free: Iterator[int]) -> Clauses:
    """Apply a pattern to other numbers."""
    number = [*members, *(next(free) for _ in range(pattern.n_auxiliary))]
    return [tuple(number[abs(a) - 1] * (1 if a > 0 else -1) for a in clause) for clause in pattern.clauses]
