"""The constraints of a certificate for the second reader: from docs/certificates.md alone, with nothing but Python.

It shares no code with sudoku_encode and must not. Sequences are found by trying all that there are, which is for small
boards: an automaton's states are the sets of the rests of sequences. Cells have names on squares and cubes.
"""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

Clause = tuple[int, ...]
Cells = Sequence[int]
# Of a relation, of sequences: what values must hold.
Holds = Callable[..., bool]

MOST_SEQUENCES = 300_000
MAX_SETS = 50
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Board(NamedTuple):
    """The sides of a square or cube, the largest value, the cells of each box, and the numbers of cells by names."""

    sides: list[int]
    n: int
    boxes: list[list[int]]
    names: dict[str, int]


class Line(NamedTuple):
    """A constraint: its kind, the numbers or the expression before the cells, and the lists of cells."""

    kind: str
    numbers: list[int]
    expression: str
    lists: list[list[int]]


# A primitive: its name, and what it is of.
Primitive = tuple[str, tuple[object, ...]]


def board_of(sides: list[int], n: int, boxes: list[list[int]]) -> Board:
    """Returns a board, with the names of its cells; none where boards overlap, whose constraints are not read."""
    if len(sides) == 1:
        return Board(sides, n, boxes, {})
    places = itertools.product(*map(range, sides))
    form = "r{}c{}" if len(sides) == 2 else "x{}y{}z{}"
    names = {form.format(*(at + (len(sides) == 2) for at in place)): cell for cell, place in enumerate(places)}
    return Board(sides, n, boxes, names)


def parse(text: str, board: Board) -> Line:
    """Returns the constraint of a line of text; raises ValueError or KeyError for what is none."""
    head, colon, tail = text.rpartition(": ")
    kind, _, expression = head.partition(" ") if colon else text.partition(" ")
    words = tail.split() if colon else expression.split()
    numbers = []
    while words and not colon and re.fullmatch("-?[0-9]+", words[0]):
        numbers.append(int(words.pop(0)))
    lists = [[cell for word in part.split() for cell in run(word, board)] for part in " ".join(words).split(" / ")]
    return Line(kind, numbers, expression if colon else "", lists if words else [])


def run(word: str, board: Board) -> list[int]:
    """Returns the cells of a name, or of a straight line by its two ends."""
    first, dash, last = word.partition("-")
    a, b = place(board.names[first], board), place(board.names[last if dash else first], board)
    length = max(abs(y - x) for x, y in zip(a, b, strict=True))
    return [
        number([x + (y > x) * i - (y < x) * i for x, y in zip(a, b, strict=True)], board) for i in range(length + 1)
    ]


def place(cell: int, board: Board) -> list[int]:
    at: list[int] = []
    for side in reversed(board.sides):
        cell, rest = divmod(cell, side)
        at.insert(0, rest)
    return at


def number(at: Sequence[int], board: Board) -> int:
    cell = 0
    for one, side in zip(at, board.sides, strict=True):
        cell = cell * side + one
    return cell


def primitives(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields the primitives of a constraint, by the table of the page."""
    kind, n = line.kind, board.n
    cells = line.lists[0] if line.lists else []
    if kind in ("cage", "extra-region", "renban"):
        yield "unit", (cells,)
    if kind in SUMS:
        yield from sums(line, board)
    elif kind in ("odd", "even"):
        yield from (("allowed", (cell, {v for v in range(1, n + 1) if v % 2 == (kind == "odd")})) for cell in cells)
    elif kind in RELATIONS:
        yield from related(pairs_of(line, board, all_lines), RELATIONS[kind](line, n), n)
    elif kind == "renban" and len(cells) > 6:
        yield from related(itertools.combinations(cells, 2), lambda a, b: 0 < abs(a - b) < len(cells), n)
    elif kind in SEQUENCES:
        if len(cells) > {"renban": 1, "between": 2}.get(kind, 0):
            order = [cells[0], cells[-1], *cells[1:-1]] if kind in ("between", "lockout") else cells
            yield "sequences", (order, SEQUENCES[kind](line, n))
    elif kind == "counting-circles":
        yield from counted(cells, min(len(cells), n))
    elif kind != "extra-region":
        yield from (("clause", (literals,)) for literals in clauses_of(line, board))


def counted(cells: Cells, most: int) -> Iterator[Primitive]:
    """Yields that each value up to a number comes never, or as often as it says."""
    yield from (("allowed", (cell, set(range(1, most + 1)))) for cell in cells)
    for v in range(1, most + 1):
        yield "sequences", (cells, lambda held, v=v: held.count(v) in (0, v))


SUMS = ("cage", "sum", "little-killer", "arrow", "double-arrow", "equal-sums", "region-sums", "zipper")


def sums(line: Line, board: Board) -> Iterator[Primitive]:
    """Yields the sums of the kinds that are made of them."""
    kind, numbers, lists = line.kind, line.numbers, line.lists
    cells = lists[0]
    if kind == "arrow":
        yield from total([*lists[1], *cells], [1] * len(lists[1]) + [-100, -10, -1][-len(cells) :], 0)
    elif kind == "double-arrow":
        yield from total(cells, [1, *[-1] * (len(cells) - 2), 1], 0)
    elif kind in ("equal-sums", "region-sums", "zipper"):
        parts = lists if kind == "equal-sums" else by_box(cells, board) if kind == "region-sums" else mirrored(cells)
        if len(parts) > 1:
            yield "equal", (parts,)
    elif numbers:
        yield from total(cells, [1] * len(cells), numbers[0], kind == "cage")


def total(cells: Cells, coefficients: Sequence[int], amount: int, differ: bool = False) -> Iterator[Primitive]:
    """Yields a sum in which each cell comes once."""
    added: dict[int, int] = {}
    for cell, coefficient in zip(cells, coefficients, strict=True):
        added[cell] = added.get(cell, 0) + coefficient
    kept = {cell: coefficient for cell, coefficient in added.items() if coefficient}
    if kept:
        yield "sum", (list(kept), list(kept.values()), amount, differ)
    elif amount:
        yield "clause", ([],)


def by_box(cells: Cells, board: Board) -> list[list[int]]:
    box_of = {cell: at for at, box in enumerate(board.boxes) for cell in box}
    return [list(part) for _, part in itertools.groupby(cells, box_of.__getitem__)]


def mirrored(cells: Cells) -> list[list[int]]:
    half = len(cells) // 2
    return [[cells[at], cells[-1 - at]] for at in range(half)] + ([[cells[half]]] if len(cells) % 2 else [])


def related(pairs: "Iterator[tuple[int, int]] | list[tuple[int, int]]", holds: Holds, n: int) -> Iterator[Primitive]:
    """Yields the relation of each pair."""
    for a, b in pairs:
        if a == b:
            yield "allowed", (a, {v for v in range(1, n + 1) if holds(v, v)})
        else:
            table = {(v, w) for v, w in itertools.product(range(1, n + 1), repeat=2) if holds(v, w)}
            yield "relation", (a, b, table)


def apart(a: int, b: int, board: Board) -> int:
    return sum(abs(x - y) for x, y in zip(place(a, board), place(b, board), strict=True))


def pairs_of(line: Line, board: Board, all_lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Returns the pairs of cells that a kind relates."""
    kind, cells = line.kind, line.lists[0] if line.lists else []
    if kind in ("nabner", "entropic", "modular"):
        near = {"nabner": len(cells), "entropic": 3, "modular": (line.numbers or [3])[0]}[kind]
        return [(a, b) for (i, a), (j, b) in itertools.combinations(enumerate(cells), 2) if j - i < near]
    if kind in ("clone", "palindrome"):
        halves = line.lists if kind == "clone" else [cells[: len(cells) // 2], cells[: (len(cells) - 1) // 2 : -1]]
        return [(a, b) for a, b in zip(*halves, strict=True) if a != b]
    touching = [pair for pair in itertools.combinations(range(len(board.names)), 2) if apart(*pair, board) == 1]
    if kind in NEGATIVE:
        marked = [set(other.lists[0]) for other in all_lines if other.kind in NEGATIVE[kind]]
        return [pair for pair in touching if set(pair) not in marked]
    if kind in ("minimum", "maximum"):
        marks = {cell for other in all_lines if other.kind == kind for cell in other.lists[0]}
        return [(a, sum(pair) - a) for a in cells for pair in touching if a in pair and sum(pair) - a not in marks]
    return list(itertools.pairwise(cells))


NEGATIVE = {
    "non-consecutive": ("difference",),
    "negative-difference": ("difference", "ratio"),
    "negative-ratio": ("difference", "ratio"),
    "negative-xv": ("xv",),
}


def third(v: int, n: int) -> int:
    size = (n + 1) // 3
    return 0 if v <= size else 2 if v > n - size else 1


def own(line: Line, n: int) -> Holds:
    """Returns what a relation of one's own says."""
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", line.expression)
    code = compile(re.sub(r"(?<![<>=!])=(?!=)", "==", text), "relation", "eval")
    return lambda a, b: bool(
        eval(code, {"__builtins__": {}}, {"a": a, "b": b, "n": n, "abs": abs, "min": min, "max": max})
    )


RELATIONS: dict[str, Callable[[Line, int], Holds]] = {
    "thermometer": lambda line, n: lambda a, b: a < b,
    "slow-thermometer": lambda line, n: lambda a, b: a <= b,
    "greater": lambda line, n: lambda a, b: a > b,
    "whispers": lambda line, n: lambda a, b: abs(a - b) >= (line.numbers or [(n + 1) // 2])[0],
    "parity-line": lambda line, n: lambda a, b: (a + b) % 2 == 1,
    "relation": own,
    "difference": lambda line, n: lambda a, b: abs(a - b) == (line.numbers or [1])[0],
    "ratio": lambda line, n: lambda a, b: max(a, b) == (line.numbers or [2])[0] * min(a, b),
    "xv": lambda line, n: lambda a, b: a + b == line.numbers[0],
    "nabner": lambda line, n: lambda a, b: abs(a - b) > 1,
    "entropic": lambda line, n: lambda a, b: third(a, n) != third(b, n),
    "modular": lambda line, n: lambda a, b: (a - b) % (line.numbers or [3])[0] != 0,
    "clone": lambda line, n: lambda a, b: a == b,
    "palindrome": lambda line, n: lambda a, b: a == b,
    "non-consecutive": lambda line, n: lambda a, b: abs(a - b) != 1,
    "negative-difference": lambda line, n: lambda a, b: abs(a - b) not in (line.numbers or [1]),
    "negative-ratio": lambda line, n: lambda a, b: all(max(a, b) != k * min(a, b) for k in line.numbers or [2]),
    "negative-xv": lambda line, n: lambda a, b: a + b not in (line.numbers or [5, 10]),
    "minimum": lambda line, n: lambda a, b: a < b,
    "maximum": lambda line, n: lambda a, b: a > b,
}


def is_sandwich(held: Cells, amount: int, n: int) -> bool:
    crusts = [at for at, v in enumerate(held) if v in (1, n)]
    return len(crusts) == 2 and held[crusts[0]] != held[crusts[1]] and sum(held[crusts[0] + 1 : crusts[1]]) == amount


SEQUENCES: dict[str, Callable[[Line, int], Holds]] = {
    "renban": lambda line, n: lambda held: sorted(held) == list(range(min(held), min(held) + len(held))),
    "between": lambda line, n: lambda held: all(min(held[:2]) < v < max(held[:2]) for v in held[2:]),
    "lockout": lambda line, n: (
        lambda held: (
            abs(held[0] - held[1]) >= (line.numbers or [4])[0]
            and not any(min(held[:2]) <= v <= max(held[:2]) for v in held[2:])
        )
    ),
    "sandwich": lambda line, n: lambda held: is_sandwich(held, line.numbers[0], n),
    "x-sum": lambda line, n: lambda held: held[0] <= len(held) and sum(held[: held[0]]) == line.numbers[0],
    "skyscraper": lambda line, n: (
        lambda held: sum(v > max(held[:at], default=0) for at, v in enumerate(held)) == line.numbers[0]
    ),
    "regex": lambda line, n: lambda held: bool(re.fullmatch(line.expression, "".join(SYMBOLS[v - 1] for v in held))),
}


def clauses_of(line: Line, board: Board) -> Iterator[list[tuple[int, int]]]:
    """Yields literals (cell, v), or (cell, -v) for `not v`, of the kinds that are clauses."""
    kind, n, cells = line.kind, board.n, line.lists[0] if line.lists else []
    if kind == "anti-taxicab":
        for a, b in itertools.combinations(range(len(board.names)), 2):
            if apart(a, b, board) <= n:
                yield [(a, -apart(a, b, board)), (b, -apart(a, b, board))]
    elif kind in ("global-entropy", "global-modular"):
        yield from of_squares(line, board)
    elif kind == "quadruple":
        for v in set(line.numbers):
            for some in itertools.combinations(cells, len(cells) - line.numbers.count(v) + 1):
                yield [(cell, v) for cell in some]
    elif kind == "numbered-room":
        for x in range(1, n + 1):
            yield [(cells[0], -x), *([(cells[x - 1], line.numbers[0])] if x <= len(cells) else [])]
    elif kind.endswith("-indexer"):
        for cell in cells:
            yield from indexed(kind, cell, board)
    else:
        raise KeyError(kind)


def of_squares(line: Line, board: Board) -> Iterator[list[tuple[int, int]]]:
    """Yields the clauses that each 2x2 square has a value of each class."""
    n, m, (rows, columns) = board.n, (line.numbers or [3])[0], board.sides
    classes = {v: third(v, n) if line.kind == "global-entropy" else v % m for v in range(1, n + 1)}
    for r, c, one in itertools.product(range(rows - 1), range(columns - 1), sorted(set(classes.values()))):
        square = [r * columns + c, r * columns + c + 1, (r + 1) * columns + c, (r + 1) * columns + c + 1]
        yield [(cell, v) for cell in square for v in classes if classes[v] == one]


def indexed(kind: str, cell: int, board: Board) -> Iterator[list[tuple[int, int]]]:
    """Yields the clauses of a cell that says where a value is in its row, its column or its box."""
    (r, c), n = place(cell, board), board.n
    around = {
        "row-indexer": [row * n + c for row in range(n)],
        "column-indexer": [r * n + column for column in range(n)],
        "box-indexer": next((box for box in board.boxes if cell in box), []),
    }[kind]
    own_place = around.index(cell) + 1
    for v, other in enumerate(around, 1):
        yield [(cell, -v), (other, own_place)]
        yield [(cell, v), (other, -own_place)]


class Writer:
    """Writes the clauses of primitives, with auxiliary variables from a number on."""

    def __init__(self, n: int, last: int) -> None:
        self.n, self.last = n, last

    def new(self) -> int:
        self.last += 1
        return self.last

    def clauses(self, name: str, of: tuple[object, ...]) -> Iterator[Clause]:
        yield from getattr(self, name)(*of)

    def unit(self, cells: Cells) -> Iterator[Clause]:
        for v in range(1, self.n + 1):
            literals = [cell * self.n + v for cell in cells]
            if len(cells) == self.n:
                yield tuple(literals)
            yield from ((-a, -b) for a, b in itertools.combinations(literals, 2))

    def allowed(self, cell: int, values: set[int]) -> Iterator[Clause]:
        yield from ((-cell * self.n - v,) for v in range(1, self.n + 1) if v not in values)

    def clause(self, literals: list[tuple[int, int]]) -> Iterator[Clause]:
        found = {cell * self.n + v if v > 0 else -cell * self.n + v for cell, v in literals}
        if not any(-literal in found for literal in found):
            yield tuple(found)

    def relation(self, a: int, b: int, pairs: set[tuple[int, int]]) -> Iterator[Clause]:
        for one, other, table in ((a, b, pairs), (b, a, {(w, v) for v, w in pairs})):
            for v in range(1, self.n + 1):
                supports = [other * self.n + w for w in range(1, self.n + 1) if (v, w) in table]
                if len(supports) < self.n:
                    yield -one * self.n - v, *supports

    def sum(self, cells: Cells, coefficients: Sequence[int], amount: int, differ: bool) -> Iterator[Clause]:
        sets = [some for some in itertools.combinations(range(1, self.n + 1), len(cells)) if sum(some) == amount]
        if differ and set(coefficients) == {1} and len(sets) <= MAX_SETS:
            variables = {some: self.new() for some in sets}
            yield tuple(variables.values())
            for (some, variable), v in itertools.product(variables.items(), range(1, self.n + 1)):
                literals = [cell * self.n + v for cell in cells]
                if v in some:
                    yield -variable, *literals
                else:
                    yield from ((-variable, -literal) for literal in literals)
            return
        yield from self.partial_sums(cells, coefficients, {amount: self.new()})

    def equal(self, parts: list[list[int]]) -> Iterator[Clause]:
        sums = range(max(map(len, parts)), min(map(len, parts)) * self.n + 1)
        ends = {amount: self.new() for amount in sums}
        yield tuple(ends.values())
        if ends:
            for part in parts:
                yield from self.partial_sums(part, [1] * len(part), ends)

    def partial_sums(self, cells: Cells, coefficients: Sequence[int], ends: dict[int, int]) -> Iterator[Clause]:
        values = range(1, self.n + 1)
        before, after = [{0}], [set(ends)]
        for c in coefficients:
            before.append({amount + c * v for amount in before[-1] for v in values})
        for c in reversed(coefficients):
            after.insert(0, {amount - c * v for amount in after[0] for v in values})
        states = [sorted(a & b) for a, b in zip(before, after, strict=True)]
        layers = [
            [(s, v, s + c * v) for s in states[at] for v in values if s + c * v in states[at + 1]]
            for at, c in enumerate(coefficients)
        ]
        yield from self.automaton(cells, layers, ends)

    def sequences(self, cells: Cells, holds: Holds) -> Iterator[Clause]:
        if self.n ** len(cells) > MOST_SEQUENCES:
            raise ValueError("too many sequences for this reader")
        found = frozenset(s for s in itertools.product(range(1, self.n + 1), repeat=len(cells)) if holds(s))
        if not found:
            yield ()
            return
        states, layers = [found], []
        for _ in cells:
            numbers: dict[frozenset[Clause], int] = {}
            layer = []
            for (at, state), v in itertools.product(enumerate(states), range(1, self.n + 1)):
                rest = frozenset(s[1:] for s in state if s[0] == v)
                if rest:
                    layer.append((at, v, numbers.setdefault(rest, len(numbers))))
            layers.append(layer)
            states = list(numbers)
        yield from self.automaton(cells, layers, {0: self.new()})

    def automaton(
        self, cells: Cells, layers: Sequence[list[tuple[int, int, int]]], ends: dict[int, int]
    ) -> Iterator[Clause]:
        before = {0: self.new()}
        yield (before[0],)
        if len(ends) == 1:
            yield tuple(ends.values())
        for at, (cell, layer) in enumerate(zip(cells, layers, strict=True)):
            ordered = sorted({s for _, _, s in layer})
            after = ends if at == len(cells) - 1 else {state: self.new() for state in ordered}
            taken = {step: self.new() for step in sorted(layer)}
            for (s, v, t), variable in taken.items():
                x = cell * self.n + v
                yield from ((-variable, before[s]), (-variable, x), (-variable, after[t]), (variable, -before[s], -x))
            for s, variable in before.items():
                yield -variable, *(step for (a, _, _), step in taken.items() if a == s)
            for v in range(1, self.n + 1):
                yield -cell * self.n - v, *(step for (_, b, _), step in taken.items() if b == v)
            for t, variable in after.items():
                yield -variable, *(step for (_, _, c), step in taken.items() if c == t)
            before = after


def holds(name: str, of: tuple[object, ...], values: Sequence[int]) -> bool:
    """Says whether a primitive holds of the values of all cells."""
    one: list[object] = list(of)
    return bool(MEANING[name](values, *one))


MEANING: dict[str, Callable[..., bool]] = {
    "unit": lambda held, cells: len({held[cell] for cell in cells}) == len(cells),
    "allowed": lambda held, cell, values: held[cell] in values,
    "clause": lambda held, literals: any((held[cell] == abs(v)) == (v > 0) for cell, v in literals),
    "relation": lambda held, a, b, pairs: (held[a], held[b]) in pairs,
    "sum": lambda held, cells, by, amount, _: sum(k * held[c] for c, k in zip(cells, by, strict=True)) == amount,
    "equal": lambda held, parts: len({sum(held[cell] for cell in part) for part in parts}) == 1,
    "sequences": lambda held, cells, meaning: meaning(tuple(held[cell] for cell in cells)),
}
