"""Regions, connected cells and runs for the second reader: their clauses, and what they mean.

From docs/internals/certificates.md alone, as `certificate_primitives`.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

Clause = tuple[int, ...]
Pairs = list[tuple[int, int]]


class Writer(Protocol):
    """What is asked of the writer of clauses."""

    n: int
    new: Callable[[], int]


def iff_any(writer: Writer, literals: Sequence[int], found: list[Clause]) -> int:
    """Returns a new variable that holds iff a literal does."""
    variable = writer.new()
    found.append((-variable, *literals))
    found.extend((variable, -one) for one in literals)
    return variable


def iff_all(variable: int, literals: Sequence[int], found: list[Clause]) -> None:
    found.extend((-variable, one) for one in literals)
    found.append((variable, *(-one for one in literals)))


def so_far(writer: Writer, literals: Sequence[int], found: list[Clause]) -> list[int]:
    """Returns for each literal a new variable that holds iff it or one before it does."""
    variables: list[int] = []
    for one in literals:
        variables.append(iff_any(writer, [*variables[-1:], one], found))
    return variables


def at_least(writer: Writer, literals: Sequence[int], most: int, found: list[Clause]) -> dict[int, int]:
    """Returns for each k a variable that says that at least k literals hold."""
    row: dict[int, int] = {}
    for count, one in enumerate(literals, 1):
        last, row = row, {}
        for k in range(1, min(count, most) + 1):
            row[k] = variable = writer.new()
            before = [last[k]] if k in last else []
            found.append((-variable, *before, one))
            found.extend((variable, -other) for other in before)
            if k > 1:
                found.append((-variable, *before, last[k - 1]))
                found.append((variable, -one, -last[k - 1]))
            else:
                found.append((variable, -one))
    return row


def reached(
    writer: Writer, roots: list[int], ways: dict[int, list[tuple[int, int]]], steps: int, found: list[Clause]
) -> None:
    before = roots
    for _ in range(steps):
        after = [writer.new() for _ in roots]
        for at, variable in enumerate(after):
            near = [before[at]]
            for literal, other in sorted(ways[at], key=lambda way: way[1]):
                near.append(writer.new())
                iff_all(near[-1], [literal, before[other]], found)
            found.append((-variable, *near))
            found.extend((variable, -one) for one in near)
        before = after
    found.extend((variable,) for variable in before)


def regions(writer: Writer, cells: list[int], labels: list[int], pairs: Pairs) -> Iterator[Clause]:
    n, found = writer.n, list[Clause]()
    k = len(cells) // n
    label = [[cell * n + r for r in range(1, k + 1)] for cell in labels]
    begun = []
    for r in range(k):
        begun.append(so_far(writer, [row[r] for row in label], found))
        found.append((begun[r][-1],))
    first = [writer.new() for _ in cells]
    for at, r in itertools.product(range(len(cells)), range(k)):
        earlier = [begun[r][at - 1]] if at else []
        found.extend((-label[at][r], -first[at], -one) for one in earlier)
        found.append((-label[at][r], first[at], *earlier))
        if r:
            found.append((-label[at][r], *([begun[r - 1][at - 1]] if at else [])))
    ways: dict[int, list[tuple[int, int]]] = {at: [] for at in range(len(cells))}
    for a, b in sorted(pairs):
        same = writer.new()
        for r in range(k):
            found += [
                (-same, -label[a][r], label[b][r]),
                (-same, label[a][r], -label[b][r]),
                (same, -label[a][r], -label[b][r]),
            ]
        ways[a].append((same, b))
        ways[b].append((same, a))
    reached(writer, first, ways, n - 1, found)
    for r, v in itertools.product(range(k), range(1, n + 1)):
        both = [writer.new() for _ in cells]
        for at, variable in enumerate(both):
            iff_all(variable, [label[at][r], cells[at] * n + v], found)
        found.append(tuple(both))
        earlier = so_far(writer, both, found)
        found.extend((-variable, -one) for one, variable in zip(earlier, both[1:], strict=False))
    yield from found


def connected(
    writer: Writer, cells: list[int], values: list[int], pairs: Pairs, least: int, most: int
) -> Iterator[Clause]:
    found: list[Clause] = []
    inside = [writer.new() for _ in cells]
    for cell, variable in zip(cells, inside, strict=True):
        literals = [cell * writer.n + v for v in sorted(values)]
        found.append((-variable, *literals))
        found.extend((variable, -one) for one in literals)
    earlier = so_far(writer, inside, found)
    found.append((earlier[-1],))
    roots = [writer.new() for _ in cells]
    for at, variable in enumerate(roots):
        before = [earlier[at - 1]] if at else []
        found.extend((-variable, -inside[at], -one) for one in before)
        found += [(variable, inside[at]), (variable, *before)]
    ways: dict[int, list[tuple[int, int]]] = {at: [] for at in range(len(cells))}
    for a, b in pairs:
        ways[a].append((inside[b], b))
        ways[b].append((inside[a], a))
    reached(writer, roots, ways, most - 1, found)
    if (least, most) != (1, len(cells)):
        amounts = at_least(writer, inside, most + 1, found)
        found.append((amounts[least],))
        found.extend((-amounts[k],) for k in amounts if k > most)
    yield from found


def runs(writer: Writer, control: int, first: int, arms: list[list[int]], offset: int) -> Iterator[Clause]:
    n, found, lengths = writer.n, list[Clause](), list[int]()
    for arm in arms:
        before: list[int] = []
        for cell in arm:
            variable = writer.new()
            found.extend((-variable, one) for one in before)
            for v in range(1, n + 1):
                found.append((-variable, -first * n - v, cell * n + v))
                found.append((variable, *(-one for one in before), -first * n - v, -cell * n - v))
            before = [variable]
            lengths.append(variable)
    amounts = at_least(writer, lengths, len(lengths), found)
    for v in range(1, n + 1):
        total = v + offset - 1
        if total > len(lengths):
            found.append((-control * n - v,))
            continue
        found.extend([(-control * n - v, amounts[total])] if total else [])
        found.extend([(-control * n - v, -amounts[total + 1])] if total + 1 in amounts else [])
    yield from found


def is_connected(places: set[int], pairs: Pairs) -> bool:
    part = set(list(places)[:1])
    for _ in places:
        part |= {b for pair in pairs for a, b in (pair, pair[::-1]) if a in part and b in places}
    return part == places


def are_regions(held: Sequence[int], cells: list[int], labels: list[int], pairs: Pairs) -> bool:
    numbers = [held[cell] for cell in labels]
    firsts = [numbers.index(r) if r in numbers else len(numbers) for r in range(1, max(numbers) + 1)]
    n = len(cells) // max(numbers)
    return firsts == sorted(set(firsts)) and all(
        sorted(held[cells[at]] for at, label in enumerate(numbers) if label == r) == list(range(1, n + 1))
        and is_connected({at for at, label in enumerate(numbers) if label == r}, pairs)
        for r in set(numbers)
    )


def are_connected(
    held: Sequence[int], cells: list[int], values: list[int], pairs: Pairs, least: int, most: int
) -> bool:
    places = {at for at, cell in enumerate(cells) if held[cell] in values}
    return least <= len(places) <= most and is_connected(places, pairs)


def fit(held: Sequence[int], control: int, first: int, arms: list[list[int]], offset: int) -> bool:
    total = 1
    for arm in arms:
        others = [at for at, cell in enumerate(arm) if held[cell] != held[first]]
        total += others[0] if others else len(arm)
    return held[control] + offset == total


MEANING: dict[str, Callable[..., bool]] = {"regions": are_regions, "connected": are_connected, "runs": fit}
