"""The lines of constraints for the second reader, the cells that they name, and those that they say all differ.

From docs/internals/certificates.md alone, as `certificate_constraints`. Cells have names on squares and cubes.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple


class Board(NamedTuple):
    """The sides of a square or cube, the largest value, the cells of each box, and the numbers of cells by names."""

    sides: list[int]
    n: int
    boxes: list[list[int]]
    names: dict[str, int]


class Line(NamedTuple):
    """A constraint: its kind, the numbers or the expression before the cells, and the lists of cells.

    The expression of alternatives is all of them. The range is the least and the most that stand for the first number.
    """

    kind: str
    numbers: list[int]
    expression: str
    lists: list[list[int]]
    range: tuple[float, float] | None = None

    def fits(self, amount: int) -> bool:
        """Says whether an amount is the first number, or in the range that stands for it."""
        least, most = self.range or (self.numbers[0], self.numbers[0])
        return least <= amount <= most

    @property
    def others(self) -> list[int]:
        """The numbers after the first, or after the range that stands for it."""
        return self.numbers if self.range else self.numbers[1:]


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
    if not board.names:
        raise ValueError("of boards that overlap they are not read")
    if text.startswith(("either ", "exactly-one ")):
        kind, _, rest = text.partition(" ")
        return Line(kind, [], rest, [])
    head, colon, tail = text.rpartition(": ")
    kind, _, expression = head.partition(" ") if colon else text.partition(" ")
    words = tail.split() if colon else expression.split()
    numbers, bounds = [], None
    if words and not colon and (signs := re.fullmatch("(>=|<=)(-?[0-9]+)", words[0])):
        bounds = (int(signs[2]), math.inf) if signs[1] == ">=" else (-math.inf, int(signs[2]))
        del words[0]
    elif words and not colon and (ends := re.fullmatch("(-?[0-9]+)-(-?[0-9]+)", words[0])):
        bounds = int(ends[1]), int(ends[2])
        del words[0]
    while words and not colon and re.fullmatch("-?[0-9]+", words[0]):
        numbers.append(int(words.pop(0)))
    lists = [[cell for word in part.split() for cell in run(word, board)] for part in " ".join(words).split(" / ")]
    return Line(kind, numbers, expression if colon else "", lists if words else [], bounds)


def run(word: str, board: Board) -> list[int]:
    """Returns the cells of a name, or of a straight line by its two ends."""
    first, dash, last = word.partition("-")
    if hidden := re.fullmatch("h([1-9][0-9]{0,2})(?:-h([1-9][0-9]{0,2}))?", word):
        return [math.prod(board.sides) + at - 1 for at in range(int(hidden[1]), int(hidden[2] or hidden[1]) + 1)]
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


def units(line: Line, board: Board) -> list[list[int]]:
    """Returns the cells of each unit of a constraint."""
    return UNITS[line.kind](line, board) if line.kind in UNITS else []


def steps(a: int, b: int, board: Board) -> list[int]:
    """Returns by how much the coordinates of two cells differ, the least first."""
    return sorted(abs(x - y) for x, y in zip(place(a, board), place(b, board), strict=True))


def all_pairs(board: Board) -> Iterator[tuple[int, int]]:
    return itertools.combinations(range(len(board.names)), 2)


def own_cells(line: Line, board: Board) -> list[list[int]]:
    return line.lists


def diagonals(line: Line, board: Board) -> list[list[int]]:
    rows, columns = board.sides
    if rows != columns:
        raise ValueError("the board has no diagonals")
    both = {1: [(at, rows - 1 - at) for at in range(rows)], -1: [(at, at) for at in range(rows)]}
    return [[number(at, board) for at in both[one]] for one in line.numbers or both]


def box_sides(board: Board) -> tuple[int, int]:
    """Returns how many rows and columns each box has; raises ValueError where they are no such rectangles."""
    rows, columns = (len({place(cell, board)[axis] for cell in board.boxes[0]}) for axis in (0, 1))
    for box in board.boxes:
        corners = {(r // rows, c // columns) for r, c in (place(cell, board) for cell in box)}
        if len(corners) > 1 or len(box) != rows * columns:
            raise ValueError("boxes are no rectangles")
    return rows, columns


def groups(board: Board) -> list[list[int]]:
    """Returns the cells in the same place of their boxes, for each place; boxes must have the same form."""
    boxes = []
    for box in board.boxes:
        places = [place(cell, board) for cell in box]
        top, left = (min(at[axis] for at in places) for axis in (0, 1))
        boxes.append({(r - top, c - left): number([r, c], board) for r, c in places})
    if any(box.keys() != boxes[0].keys() for box in boxes):
        raise ValueError("boxes have not the same form")
    return [[box[at] for box in boxes] for at in boxes[0]]


def windows(board: Board) -> list[list[int]]:
    """Returns the cells of each window, around which there is a line of cells."""
    starts = [
        [start for start in range(1, side, length + 1) if start + length < side]
        for side, length in zip(board.sides, box_sides(board), strict=True)
    ]
    r, c = box_sides(board)
    return [
        [number((top + i, left + j), board) for i in range(r) for j in range(c)]
        for top, left in itertools.product(*starts)
    ]


def cube_side(board: Board) -> int:
    if len(board.sides) != 3 or len(set(board.sides)) > 1:
        raise ValueError("the board is no cube")
    return board.sides[0]


def through_space(board: Board) -> list[list[int]]:
    last = cube_side(board) - 1
    found = []
    for y_falls, z_falls in itertools.product((False, True), repeat=2):
        places = [(x, last - x if y_falls else x, last - x if z_falls else x) for x in range(last + 1)]
        found.append([number(at, board) for at in places])
    return found


def in_planes(board: Board) -> list[list[int]]:
    side = cube_side(board)
    found = []
    for axis, plane, falls in itertools.product(range(3), range(side), (False, True)):
        places = [[at, side - 1 - at if falls else at] for at in range(side)]
        found.append([number([*at[:axis], plane, *at[axis:]], board) for at in places])
    return found


UNITS: dict[str, Callable[[Line, Board], list[list[int]]]] = {
    "cage": own_cells,
    "extra-region": own_cells,
    "renban": own_cells,
    "lunchbox": own_cells,
    "rellik-cage": own_cells,
    "equality-cage": own_cells,
    "anti-knight": lambda line, board: [
        [a, b] for a, b in all_pairs(board) if [step for step in steps(a, b, board) if step] == [1, 2]
    ],
    "anti-king": lambda line, board: [[a, b] for a, b in all_pairs(board) if steps(a, b, board)[-1] == 1],
    "diagonal": diagonals,
    "disjoint-groups": lambda line, board: groups(board),
    "windoku": lambda line, board: windows(board),
    "space-diagonals": lambda line, board: through_space(board),
    "plane-diagonals": lambda line, board: in_planes(board),
}
