"""A second reader for each text format: simple, without any code of the project, from the formats' own descriptions.

A reader returns the *readings* that a text can have, each a list of what its puzzles mean. Where several are possible
(0 is a blank, or the smallest value; 64 symbols are an 8x8, or a 4x4x4) it returns all. No reading: it cannot read the
text. `Misleading`: a person would take the text for another puzzle than a program that leaves a part out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from tests.helpers.oracle import Board, Cells, _grouped, _without, rectangle

NAMED = {"samurai": "9x9@0,0;0,12;6,6;12,0;12,12", "twodoku": "9x9@0,0;6,6", "gattai-3": "9x9@0,3;3,6;6,0"}


class Misleading(Exception):
    """The text must be refused: part of it would be left out, and that part looks as if it mattered."""


class CannotRead(Exception):
    """The text is not in the format, as far as this reader knows."""


class Meaning(NamedTuple):
    """What a puzzle means.

    Attributes:
        n: its largest value.
        n_cells: how many cells it has.
        units: sets of cells that all differ.
        allowed: the values that each cell may hold, without those that a given in the same unit excludes.
        others: constraints that are not units: kind, cells, numbers.
    """

    n: int
    n_cells: int
    units: frozenset[frozenset[int]]
    allowed: tuple[frozenset[int], ...]
    others: frozenset[tuple[str, tuple[Cells, ...], tuple[int, ...]]] = frozenset()

    @property
    def clashes(self) -> bool:
        """Whether two cells of a unit hold the same value, or a cell may hold none."""
        single = {cell: min(values) for cell, values in enumerate(self.allowed) if len(values) == 1}
        given = ([single[cell] for cell in unit if cell in single] for unit in self.units)
        return not all(self.allowed) or any(len(set(values)) < len(values) for values in given)


Reading = list[Meaning]
Other = tuple[str, tuple[Cells, ...], tuple[int, ...]]


def meaning(
    board: Board, allowed: Sequence[Iterable[int]], others: Iterable[Other] = (), units: Iterable[Cells] = ()
) -> Meaning:
    """Return what a puzzle means; a cell may hold some values, all of them where it is a blank."""
    groups = {frozenset(unit) for rule in board.rules.values() for unit in rule} | set(map(frozenset, units))
    rest = set[Other]()
    for kind, cells, numbers in others:
        if kind in ("cage", "extra-region"):
            groups.add(frozenset(cells[0]))
        if kind == "cage" and numbers:
            rest.add(("sum", (tuple(sorted(cells[0])),), numbers))
        elif kind not in ("cage", "extra-region"):
            rest.add((kind, cells, numbers))
    groups = {unit for unit in groups if len(unit) > 1}
    return Meaning(board.n, len(board.places), frozenset(groups), _without_peers(groups, allowed), frozenset(rest))


def _without_peers(units: set[frozenset[int]], allowed: Sequence[Iterable[int]]) -> tuple[frozenset[int], ...]:
    """Return what cells may hold once the single value of a cell is excluded from its peers, as often as it goes.

    Formats write candidates with or without what givens exclude: that makes no other puzzle.
    """
    may, done = [set(values) for values in allowed], set[int]()
    while single := [cell for cell, values in enumerate(may) if len(values) == 1 and cell not in done]:
        done.update(single)
        gone = [(cell, value) for cell in single for value in may[cell]]
        for cell, value in gone:
            for unit in units:
                if cell in unit:
                    for other in unit - done:
                        may[other].discard(value)
    return tuple(map(frozenset, may))


def of_givens(
    board: Board, givens: Sequence[int], others: Iterable[Other] = (), units: Iterable[Cells] = ()
) -> Meaning:
    """Return what a puzzle with givens alone means; 0 is a blank."""
    every = range(1, board.n + 1)
    if len(givens) != len(board.places) or not all(0 <= value <= board.n for value in givens):
        raise CannotRead("givens do not fit the board")
    return meaning(board, [[value] if value else every for value in givens], others, units)


# Boards.


def default_box(n: int) -> int:
    """Return how many rows a box has: the largest divisor whose square is not larger than n; 1 if there is none."""
    return max(rows for rows in range(1, n + 1) if n % rows == 0 and rows * rows <= n)


@lru_cache(maxsize=500)
def board_named(name: str) -> Board:
    """Return a board by its name.

    Raises:
        CannotRead: a name that this reader does not know.
    """
    name = NAMED.get(name, name)
    if "@" in name:
        base, _, corners = name.partition("@")
        if not re.fullmatch(r"\d+,\d+(;\d+,\d+)*", corners):
            raise CannotRead(name)
        return _overlapping(board_named(base), [tuple(map(int, at.split(","))) for at in corners.split(";")], name)
    if match := re.fullmatch(r"(\d+)x\1x\1", name):
        n, k = int(match[1]), round(int(match[1]) ** 0.5)
        places = tuple(product(range(n), repeat=3))
        rules = {f"row-{axis}": _grouped(places, partial(_without, axis)) for axis in range(3)}
        for flat in range(3):
            rules[f"box-{flat}"] = _grouped(places, partial(_layer_box, flat, k))
        return Board(name, n, places, rules)
    if name.startswith("jigsaw:"):
        regions = name.removeprefix("jigsaw:")
        n = round(len(regions) ** 0.5)
        if n * n != len(regions) or set(Counter(regions).values()) != {n}:
            raise CannotRead(name)
        return rectangle(name, n, n, n, {"region": lambda p: regions[p[0] * n + p[1]]})
    match = re.fullmatch(r"(latin:)?(\d+)x(\d+)(?::(\d+)x(\d+))?((?:\+[a-z]+)*)", name)
    if not match or match[2] != match[3] or not 2 <= int(match[2]) <= 100:
        raise CannotRead(name)
    n = int(match[2])
    height = int(match[4]) if match[4] else default_box(n)
    width = int(match[5]) if match[5] else n // height
    if height * width != n:
        raise CannotRead(name)
    more: dict[str, Callable[..., object]] = {"box": lambda p: (p[0] // height, p[1] // width)}
    if match[1] or (height == 1 and not match[4]):
        more = {}
    for extra in match[6].split("+")[1:]:
        if extra != "diagonals":
            raise CannotRead(name)
        more["diagonal"] = lambda p: 0 if p[0] == p[1] else None
        more["antidiagonal"] = lambda p: 0 if p[0] + p[1] == n - 1 else None
    return rectangle(name, n, n, n, more)


def _layer_box(flat: int, k: int, place: tuple[int, ...]) -> tuple[int, ...]:
    """Return the box of a cell in its plane across an axis."""
    return tuple(at if axis == flat else at // k for axis, at in enumerate(place))


def _overlapping(base: Board, corners: Sequence[tuple[int, ...]], name: str) -> Board:
    places = tuple(sorted({(top + p[0], left + p[1]) for top, left in corners for p in base.places}))
    index = {place: cell for cell, place in enumerate(places)}
    rules: dict[str, list[Cells]] = {rule: [] for rule in base.rules}
    for (top, left), (rule, units) in product(corners, base.rules.items()):
        rules[rule] += [tuple(index[top + base.places[c][0], left + base.places[c][1]] for c in unit) for unit in units]
    return Board(name, base.n, places, rules)


def frame_of(board: Board) -> tuple[int, int]:
    """Return the rows and columns of the rectangle around a board."""
    return max(place[0] for place in board.places) + 1, max(place[1] for place in board.places) + 1
