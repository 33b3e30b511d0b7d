"""The kinds that use hidden cells for the second reader, from docs/internals/certificates.md alone, in plain Python."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from tests.helpers.certificate_lines import Board, Line
from tests.helpers.certificate_primitives import Primitive

Cells = list[int]


def hidden_cells(lines: Sequence[Line], board: Board) -> int:
    """Returns how many hidden cells there are: those that have names, and those of ranks."""
    return named(lines, board) + sum(own_cells(line, board, lines) for line in lines)


def named(lines: Sequence[Line], board: Board) -> int:
    """Returns the number in the last name of a hidden cell; names in alternatives are words of their own."""
    words = [word for line in lines for word in line.expression.replace("-h", " h").split(" ")]
    numbers = [int(word[1:]) for word in words if word[:1] == "h" and word[1:].isdigit()]
    cells = [cell for line in lines for part in line.lists for cell in part]
    return max([0, *numbers, *(cell - math.prod(board.sides) + 1 for cell in cells)])


def sides_of(n: int) -> list[list[Cells]]:
    """Returns the lines that begin on the left, on the right, at the top and at the bottom."""
    rows = [[row * n + column for column in range(n)] for row in range(n)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [rows, [row[::-1] for row in rows], columns, [column[::-1] for column in columns]]


class Group:
    """The clues of a digit, their lines by rank, the sides without one of them, and how many copies are where."""

    def __init__(self, line: Line, board: Board, all_lines: Sequence[Line]) -> None:
        ranked = [other for other in all_lines if other.kind == "full-rank"]
        ties = [other.numbers[0] for other in all_lines if other.kind == "full-rank-ties"]
        self.n, self.ties = board.n, min(ties, default=1) == 2
        self.digit = (line.numbers[0] + 3) // 4
        clues = sorted((other.numbers[0], other.lists[0]) for other in ranked)
        own = [clue for clue in clues if (clue[0] + 3) // 4 == self.digit]
        elsewhere = [cells for clue in clues if clue not in own for cells in [clue[1]]]
        self.is_first = next(other for other in ranked if (other.numbers[0] + 3) // 4 == self.digit) == line
        self.ranks = {rank: [cells for r, cells in own if r == rank] for rank, _ in own}
        sides = [side for side in sides_of(board.n) if not any(cells in side for _, cells in own)]
        self.sides = [[cells for cells in side if cells not in elsewhere] for side in sides]
        lower = {rank: sum(r < rank for r, _ in own) for rank in self.ranks}
        below = [0, *(rank - 4 * self.digit + 3 - lower[rank] for rank in self.ranks), len(sides)]
        numbers = [b - a for a, b in itertools.pairwise(below)]
        self.fits = min(numbers) >= 0 and len(sides) + len(own) == 4 and (self.ties or len(own) == len(self.ranks))
        self.places = {at: number for at, number in enumerate(numbers) if number} if self.fits else {}

    @property
    def hidden(self) -> int:
        return len(self.sides) * (self.n - 1 + (len(self.places) > 1)) if self.fits and self.is_first else 0


def own_cells(line: Line, board: Board, all_lines: Sequence[Line]) -> int:
    if line.kind == "full-rank":
        return Group(line, board, all_lines).hidden
    return board.n if counts_hidden(line, board) else 0


def counts_hidden(line: Line, board: Board) -> bool:
    """Whether different values are counted with hidden cells: one for each value then says if it is there."""
    return line.kind == "count-distinct" and any(cell >= len(board.names) for cells in line.lists for cell in cells)


def first_own_cell(line: Line, board: Board, all_lines: Sequence[Line]) -> int:
    before = all_lines[: list(all_lines).index(line)]
    return math.prod(board.sides) + named(all_lines, board) + sum(own_cells(one, board, all_lines) for one in before)


def full_rank(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields the primitives of all clues of a digit for the first of them."""
    group, n = Group(line, board, all_lines), board.n
    if not group.is_first:
        return
    if not group.fits:
        yield "clause", ([],)
        return
    start = first_own_cell(line, board, all_lines)
    size, number = n - 1, len(group.sides)
    copies = [list(range(start + at * size, start + (at + 1) * size)) for at in range(number)]
    where = range(start + number * size, start + number * (size + 1))
    for cells in itertools.chain(*group.ranks.values()):
        yield "allowed", (cells[0], {group.digit})
    for first, *others in group.ranks.values():
        for a, b in [pair for other in others for pair in zip(first, other, strict=True)]:
            if a == b:
                yield "allowed", (a, set(range(1, n + 1)))
            else:
                yield "relation", (a, b, {(v, v) for v in range(1, n + 1)})
    rests = [cells[0][1:] for cells in group.ranks.values()]
    for low, high in itertools.pairwise(rests):
        yield below(low, high, True)
    for copy, side in zip(copies, group.sides, strict=True):
        yield from copied(copy, side, group.digit, n)
    yield from placed(group, copies, where, rests)


def copied(copy: Cells, side: list[Cells], digit: int, n: int) -> Iterator[Primitive]:
    """Yields that a copy has the values of the line of a side that begins with a digit."""
    yield "unit", (copy,)
    yield from (("allowed", (cell, set(range(1, n + 1)) - {digit})) for cell in copy)
    for cells, (at, cell), v in itertools.product(side, enumerate(copy, 1), range(1, n + 1)):
        if v != digit:
            yield "clause", ([(cells[0], -digit), (cells[at], -v), (cell, v)],)


def placed(group: Group, copies: list[Cells], where: range, rests: list[Cells]) -> Iterator[Primitive]:
    """Yields that copies are between the clues."""
    places = list(group.places)
    if len(places) > 1:
        yield from (("allowed", (cell, set(range(1, len(places) + 1)))) for cell in where)
        for v, times in enumerate(group.places.values(), 1):
            for some in itertools.combinations(where, times + 1):
                yield "clause", ([(cell, -v) for cell in some],)
            for some in itertools.combinations(where, len(copies) - times + 1):
                yield "clause", ([(cell, v) for cell in some],)
    for (copy, cell), (at, rest) in itertools.product(zip(copies, where, strict=True), enumerate(rests)):
        if places[0] <= at < places[-1]:
            last = sum(place <= at for place in places)
            yield "sequences", ([cell, *mixed(copy, rest)], either_way(last, not group.ties))
        elif at == places[-1]:
            yield below(copy, rest, True)
        elif at == places[0] - 1:
            yield below(rest, copy, not group.ties)


def mixed(low: Cells, high: Cells) -> Cells:
    return [cell for pair in zip(low, high, strict=True) for cell in pair]


def below(low: Cells, high: Cells, strict: bool) -> Primitive:
    return "sequences", (
        mixed(low, high),
        lambda held: held[::2] < held[1::2] or (held[::2] == held[1::2] and not strict),
    )


def either_way(last: int, strict: bool) -> Callable[[Sequence[int]], bool]:
    def holds(held: Sequence[int]) -> bool:
        own, other = list(held[1::2]), list(held[2::2])
        return own < other if held[0] <= last else own > other or (own == other and not strict)

    return holds


def full_rank_ties(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields that lines differ, if none may be equal: those that could be equal."""
    seen: list[set[tuple[int, ...]]] = []
    box_of = {cell: at for at, box in enumerate(board.boxes) for cell in box}

    def apart(a: int, b: int) -> bool:
        same_box = box_of.get(a, -1) == box_of.get(b, -2)
        return a != b and (a // board.n == b // board.n or a % board.n == b % board.n or same_box)

    for one, other in itertools.combinations(itertools.chain(*sides_of(board.n)), 2):
        pairs = list(zip(one, other, strict=True))
        if line.numbers[0] or any(apart(a, b) or (a != b and a in other) for a, b in pairs):
            continue
        if {tuple(one[::-1]), tuple(other[::-1])} not in seen:
            seen.append({tuple(one), tuple(other)})
            cells = [cell for a, b in pairs if a != b for cell in (a, b)]
            yield "sequences", (cells, lambda held: held[::2] != held[1::2])


def doppelganger(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields units of each row, column and box with the cell of its missing value, and of the lists."""
    side = board.n - 1
    rows, _, columns, _ = sides_of(side)
    down = next(r for r in range(math.isqrt(side), 0, -1) if side % r == 0)
    number_of = {cell: cell // side // down * down + cell % side // (side // down) for cell in range(side * side)}
    boxes = board.boxes or [[cell for cell in number_of if number_of[cell] == at] for at in range(side)]
    families = [rows, columns, boxes][: len(line.lists)]
    groups = [pair for some in zip(families, line.lists, strict=True) for pair in zip(*some, strict=True)]
    yield from (("unit", ([*cells, own],)) for cells, own in groups)
    for cells in line.lists:
        yield "unit", (cells,)
        yield from (("allowed", (cell, set(range(2, board.n + 1)))) for cell in cells)
    for cell in range(side * side):
        owns = [own for cells, own in groups if cell in cells]
        for (a, b), v in itertools.product(itertools.combinations(owns, 2), range(2, board.n + 1)):
            yield "clause", ([(cell, -1), (a, -v), (b, -v)],)


PRIMITIVES: dict[str, Callable[[Line, Board, Sequence[Line]], Iterator[Primitive]]] = {
    "full-rank": full_rank,
    "full-rank-ties": full_rank_ties,
    "doppelganger": doppelganger,
}
