"""The primitives of alternatives for the second reader, from docs/internals/certificates.md alone, in plain Python."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tests.helpers.certificate_primitives import MEANING, Primitive

# What is read of a primitive: its cells, and what values must be.
Read = tuple[list[int], Callable[[Sequence[int]], bool]]
MOST_TRIED = 60_000
MOST_CLAUSES = 64


def of_alternatives(alternatives: list[list[Primitive]], n: int, once: bool) -> Iterator[Primitive]:
    """Yields the primitives of which the page says that at least one, or exactly one, of some alternatives holds."""
    possible = [
        [one for one in some if not says_nothing(one)]
        for some in alternatives
        if not any(never(one, n) for one in some)
    ]
    if once:
        yield from exactly_one(possible, n)
        return
    if not all(possible):
        return
    if len(possible) < 2:
        yield from possible[0] if possible else [("clause", ([],))]
        return
    clauses = [[literals(one) for one in some] for some in possible]
    number = math.prod(map(len, clauses)) if all(all(some) for some in clauses) else 0
    cells = list(dict.fromkeys(cell for some in possible for one in some for cell in read(one)[0]))
    if number != 1 and n ** len(cells) <= MOST_TRIED:
        yield of_few(cells, possible, n, any)
    elif 1 <= number <= MOST_CLAUSES:
        for chosen in itertools.product(*clauses):
            found = list(dict.fromkeys(literal for part in chosen for literal in part))
            if not any((cell, -v) in found for cell, v in found):
                yield "clause", (found,)
    else:
        parts = [[read(part) for one in some for part in in_pairs(one, n)] for some in possible]
        yield (
            "sequences",
            ([cell for some in parts for of, _ in some for cell in of], lambda held: in_turn(parts, held) > 0),
        )


def exactly_one(possible: list[list[Primitive]], n: int) -> Iterator[Primitive]:
    """Yields the primitives of which the page says that exactly one of some alternatives holds."""
    always, possible = possible.count([]), [some for some in possible if some]
    if always > 1 or not possible:
        yield from [] if always == 1 else [("clause", ([],))]
        return
    if len(possible) == 1 and not always:
        yield from possible[0]
        return
    cells = list(dict.fromkeys(cell for some in possible for one in some for cell in read(one)[0]))
    if n ** len(cells) <= MOST_TRIED:
        yield of_few(cells, possible, n, lambda held: sum(held) + always == 1)
    else:
        parts = [[read(part) for one in some for part in in_pairs(one, n)] for some in possible]
        read_cells = [cell for some in parts for of, _ in some for cell in of]
        yield "sequences", (read_cells, lambda held: in_turn(parts, held) + always == 1)


def in_pairs(primitive: Primitive, n: int) -> list[Primitive]:
    if primitive[0] != "unit" or n <= 9:
        return [primitive]
    differ = set(itertools.permutations(range(1, n + 1), 2))
    cells: Any = primitive[1][0]
    return [("relation", (a, b, differ)) for a, b in itertools.combinations(cells, 2)]


def in_turn(parts: list[list[Read]], held: Sequence[int]) -> int:
    """Returns of how many alternatives all primitives hold, if values are read one primitive after another."""
    found, at = 0, 0
    for some in parts:
        holds = True
        for cells, meaning in some:
            holds &= meaning(held[at : at + len(cells)])
            at += len(cells)
        found += holds
    return found


def of_few(
    cells: list[int], possible: list[list[Primitive]], n: int, enough: Callable[[Iterator[bool]], bool]
) -> Primitive:
    def holds(held: Sequence[int]) -> bool:
        values: Any = dict(zip(cells, held, strict=True))
        return enough(all(MEANING[name](values, *of) for name, of in some) for some in possible)

    if len(cells) == 1:
        return "allowed", (cells[0], {v for v in range(1, n + 1) if holds([v])})
    if len(cells) == 2:
        return "relation", (*cells, {pair for pair in itertools.product(range(1, n + 1), repeat=2) if holds(pair)})
    return "sequences", (cells, holds)


def read(primitive: Primitive) -> Read:
    """Returns the cells of a primitive in the order in which they are read, and what their values must be."""
    name, of = primitive[0], list[Any](primitive[1])
    if name == "sequences":
        return list(of[0]), lambda held: bool(of[1](tuple(held)))
    if name == "equal":
        ends = [0, *itertools.accumulate(map(len, of[0]))]
        parts = list(itertools.pairwise(ends))
        return [cell for part in of[0] for cell in part], lambda held: len({sum(held[a:b]) for a, b in parts}) == 1
    if name == "runs":
        control, first, arms, offset = of
        ends = list(itertools.accumulate(map(len, arms), initial=1))
        ranges = [list(range(a, b)) for a, b in itertools.pairwise(ends)]
        return [first, *itertools.chain(*arms), control], lambda held: bool(
            MEANING[name](dict(enumerate(held)), len(held) - 1, 0, ranges, offset)
        )
    cells: list[int] = list(of[0]) if name in ("unit", "sum") else list(of[:2] if name == "relation" else of[:1])
    if name == "clause":
        cells = list(dict.fromkeys(cell for cell, _ in of[0]))
    return cells, lambda held: bool(MEANING[name](dict(zip(cells, held, strict=True)), *of))


def literals(primitive: Primitive) -> list[tuple[int, int]]:
    """Returns the literals of which one holds; none where a primitive is no clause."""
    name, of = primitive[0], list[Any](primitive[1])
    if name == "allowed":
        return [(of[0], v) for v in sorted(of[1])]
    return list(of[0]) if name == "clause" else []


def says_nothing(primitive: Primitive) -> bool:
    name, of = primitive[0], list[Any](primitive[1])
    return (name == "sequences" and not of[0]) or (name == "clause" and any((cell, -v) in of[0] for cell, v in of[0]))


def never(primitive: Primitive, n: int) -> bool:
    name, of = primitive[0], list[Any](primitive[1])
    if name == "sequences":
        return not any(of[1](held) for held in itertools.product(range(1, n + 1), repeat=len(of[0])))
    return (name == "clause" and not of[0]) or (name == "unit" and len(of[0]) > n)
