"""From the parts of an ISS string to a board, givens, pencilmarks and constraints."""

import base64
import binascii
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import default_box


class Item(NamedTuple):
    """A part of an ISS string.

    Attributes:
        type: such as `Thermo`; empty for givens.
        arguments: what follows it.
    """

    type: str
    arguments: tuple[str, ...]


_Found = Iterator[Constraint]


def items_of(text: str) -> list[Item]:
    """Cut an ISS string into its parts; white space in it means nothing.

    Raises:
        FormatError: it does not begin with a point, or has types that no constraint says; the message names all of
            them.
    """
    before, *parts = "".join(text.split()).split(".")
    if before:
        raise FormatError(f"{short(before, 20)!r} before the first point; an ISS string begins with one")
    items = [Item(name, tuple(arguments)) for name, *arguments in (part.split("~") for part in parts)]
    known = {*types.ABOUT_BOARDS, *_READERS}
    names = dict.fromkeys(item.type for item in items if item.type not in known)
    if unsupported := [name for name in names if name in types.UNSUPPORTED]:
        raise FormatError(f"no constraint says what {', '.join(unsupported)} of this ISS string is")
    if names:
        raise FormatError(f"{short(next(iter(names)), 30)!r} is no type of ISS strings")
    return items


def puzzle_of(items: Sequence[Item], setting: Setting, name: str = "") -> Puzzle:
    """Return the puzzle of an ISS string.

    Args:
        items: its parts.
        setting: what the caller says of it.
        name: of the puzzle.

    Raises:
        FormatError: a part cannot be read, or does not fit the board.
        GeometryError: there is no such board.
    """
    board, constraints = _board(items, setting)
    allowed = np.ones((board.n_cells, board.n_values), bool)
    for item in items:
        try:
            if item.type == "":
                for argument in item.arguments:
                    _restrict(allowed, board, argument)
            elif item.type in _READERS:
                if len(item.arguments) < _least(item.type):
                    raise FormatError("its cells are missing")
                constraints += _READERS[item.type](board, item.arguments)
        except FormatError as error:
            raise FormatError(f"{item.type or 'givens'}: {error.message}") from error
    if any(item.type == "AntiConsecutive" for item in items):
        # There it holds of all neighbours, here not of those with a dot.
        dots = [one.cells for one in constraints if one.kind == "difference"]
        constraints += [Constraint("relation", cells, (), "|a-b| != 1") for cells in dots]
    single = allowed.sum(axis=1) == 1
    givens = np.where(single, allowed.argmax(axis=1) + 1, 0)
    marks = None if (single | allowed.all(axis=1)).all() else allowed
    return Puzzle.of(board, givens, marks, name, constraints)


def _board(items: Sequence[Item], setting: Setting) -> tuple[Geometry, list[Constraint]]:
    """Return the board, and its regions that are none of the board's own: where both are meant, boxes are."""
    n = _side(items)
    layouts = [item.arguments[-1] for item in items if item.type == "Jigsaw" and item.arguments]
    for layout in layouts:
        if len(layout) != n * n or not (layout.isascii() and layout.isalnum()):
            raise FormatError(f"Jigsaw: {n}x{n} needs a letter or digit for each of its {n * n} cells")
    name = f"{n}x{n}"
    if any(item.type == "NoBoxes" for item in items) or not default_box(n):
        if len(layouts) == 1 and set(Counter(layouts[0]).values()) == {n}:
            name = f"jigsaw:{layouts.pop()}"
        elif default_box(n):
            name = f"latin:{name}"
    board = replace(setting, board=name).known_board()
    assert board is not None
    if board.shape != (n, n) or board.n_values != n:
        raise FormatError(f"an ISS string of {n}x{n} cells is not for {board.name}")
    regions: dict[str, list[int]] = {}
    for number, layout in enumerate(layouts):
        for cell, symbol in enumerate(layout):
            regions.setdefault(f"{number} {symbol}", []).append(cell)
    if sum(len(cells) not in (n, n * n) for cells in regions.values()) > len(layouts):
        raise FormatError(f"Jigsaw: each region has {n} cells; only what is in none may be another number")
    return board, [Constraint("extra-region", (tuple(cells),)) for cells in regions.values() if len(cells) == n]


def _side(items: Sequence[Item]) -> int:
    """Return how many rows, columns and values there are; sizes and values of other kinds are refused by name."""
    shapes = [item.arguments for item in items if item.type == "Shape"]
    dimensions, *values = shapes[0] if shapes and shapes[0] else ("9x9",)
    sides = [types.number_of(side) for side in dimensions.split("x")]
    if len(sides) != 2 or sides[0] != sides[1] or not 2 <= sides[0] <= types.MAX_SIDE:
        raise FormatError(f"Shape {dimensions}: only squares are read, from 2x2 to {types.MAX_SIDE}x{types.MAX_SIDE}")
    n = sides[0]
    if values and values[0] not in ("", str(n), f"1-{n}"):
        raise FormatError(f"Shape {dimensions}~{values[0]}: only values from 1 to {n} are read")
    if len(values) > 1:
        raise FormatError(f"Shape {'~'.join((dimensions, *values))}: only a board with rows and columns is read")
    for item in items:
        if item.type == "RegionSize" and item.arguments != (str(n),):
            raise FormatError(f"RegionSize {'~'.join(item.arguments)}: only regions of {n} cells are read")
    return n


def _restrict(allowed: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], board: Geometry, argument: str) -> None:
    name, *values = argument.split("_")
    row = np.zeros(board.n_values, bool)
    for text in values:
        if not 1 <= (value := types.number_of(text)) <= board.n_values:
            raise FormatError(f"{name} = {value}; values on {board.name} go from 1 to {board.n_values}")
        row[value - 1] = True
    if not values:
        raise FormatError(f"{short(argument, 20)!r} has no value; write R1C1_5, or R1C1_5_6 for pencilmarks")
    allowed[types.cells_of(board, [name])[0]] &= row


def _least(name: str) -> int:
    """Return how many arguments a type must have."""
    if name in types.FLAGS:
        return 0
    one = name in types.LINES or name in types.NEIGHBOURS or name in ("Whisper", "Diagonal", "EqualSum", "AllDifferent")
    return 1 if one else 2


def _line(kind: str) -> "_Reader":
    return lambda board, arguments: iter([Constraint(kind, (types.cells_of(board, arguments),))])


def _numbered(kind: str) -> "_Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Found:
        number, *names = arguments
        if kind == "whispers" and number[:1] in ("R", "r"):
            number, names = "5", list(arguments)
        yield Constraint(kind, (types.cells_of(board, names),), (types.number_of(number),))

    return read


def _flag(constraints: tuple[Constraint, ...]) -> "_Reader":
    return lambda board, arguments: iter(constraints)


def _outside(kind: str) -> "_Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Found:
        cells = types.line_of(board, arguments[0])
        for clue, ordered in zip(arguments[1:3], (cells, cells[::-1]), strict=False):
            if clue:
                yield Constraint(kind, (ordered,), (types.number_of(clue),))

    return read


def _of_neighbours(kind: str, numbers: tuple[int, ...]) -> "_Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Found:
        cells = types.cells_of(board, arguments)
        beside = set(neighbours.neighbours(board))
        found = [pair for pair in combinations(cells, 2) if (min(pair), max(pair)) in beside]
        if not found:
            raise FormatError("no two of its cells are neighbours")
        yield from (Constraint(kind, (pair,), numbers) for pair in found)

    return read


def _of_table(of_all: bool, is_legacy: bool) -> "_Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Found:
        key, *names = arguments
        # The older types have the last two symbols the other way round.
        table = types.table_of(key.translate(str.maketrans("-_", "_-")) if is_legacy else key, board.n_values)
        symbols = ALPHABETS[DEFAULT_ALPHABET]
        words = ("".join(symbols[at] for at in (row, *np.flatnonzero(table[row]))) for row in range(len(table)))
        expression = " ".join(word for word in words if len(word) > 1)
        if not expression:
            raise FormatError("its table has no pair")
        for group in _groups(names):
            cells = types.cells_of(board, group)
            lists = combinations(cells, 2) if of_all else [cells]
            yield from (Constraint("pairs", (tuple(some),), (), expression) for some in lists)

    return read


def _groups(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of cells: an empty argument ends one, and so does a name for people, after _."""
    group: list[str] = []
    for name in [*names, ""]:
        if name and name[0] != "_":
            group.append(name)
        elif group:
            yield group
            group = []


def _cage(board: Geometry, arguments: Sequence[str]) -> _Found:
    """Read a cage; a cell that is there twice counts twice in its sum, and differs from the others once."""
    amount, cells = arguments[0], types.cells_of(board, arguments[1:])
    numbers = () if amount in ("", "0") else (types.number_of(amount),)
    if len(set(cells)) == len(cells):
        yield Constraint("cage", (cells,), numbers)
        return
    if len(set(cells)) > 1:
        yield Constraint("extra-region", (tuple(dict.fromkeys(cells)),))
    if numbers:
        yield _weighted(numbers[0], cells, [1] * len(cells))


def _all_different(board: Geometry, arguments: Sequence[str]) -> _Found:
    cells = tuple(dict.fromkeys(types.cells_of(board, arguments)))
    if len(cells) > 1:
        yield Constraint("extra-region", (cells,))


def _sum(board: Geometry, arguments: Sequence[str]) -> _Found:
    amount, *marked = arguments[0].split("_")
    cells = types.cells_of(board, arguments[1:])
    if not marked and len(set(cells)) == len(cells):
        yield Constraint("sum", (cells,), (types.number_of(amount),))
        return
    if marked and (marked[0] != "=" or len(marked) != len(cells) + 1):
        raise FormatError("a coefficient for each cell should follow the sum, such as 7_=_1_-2")
    yield _weighted(types.number_of(amount), cells, list(map(types.number_of, marked[1:])) or [1] * len(cells))


def _weighted(amount: int, cells: Sequence[int], coefficients: Sequence[int]) -> Constraint:
    added: Counter[int] = Counter()
    for cell, coefficient in zip(cells, coefficients, strict=True):
        added[cell] += coefficient
    return Constraint("weighted-sum", (tuple(added),), (amount, *added.values()))


def _arrow(board: Geometry, arguments: Sequence[str]) -> _Found:
    first, *rest = types.cells_of(board, arguments)
    yield Constraint("arrow", ((first,), tuple(rest)))


def _pill_arrow(board: Geometry, arguments: Sequence[str]) -> _Found:
    size, cells = types.number_of(arguments[0]), types.cells_of(board, arguments[1:])
    if board.n_values > 9:
        raise FormatError("the cells of a pill are digits, so it is read up to 9x9")
    yield Constraint("arrow", (tuple(sorted(cells[:size])), cells[size:]))


def _diagonal(board: Geometry, arguments: Sequence[str]) -> _Found:
    yield Constraint("diagonal", (), (types.number_of(arguments[0]),))


def _little_killer(board: Geometry, arguments: Sequence[str]) -> _Found:
    cells = types.diagonal_from(board, types.cells_of(board, arguments[1:2])[0])
    if not cells:
        raise FormatError(f"no diagonal begins at {arguments[1]}")
    yield Constraint("little-killer", (cells,), (types.number_of(arguments[0]),))


def _sandwich(board: Geometry, arguments: Sequence[str]) -> _Found:
    yield Constraint("sandwich", (types.line_of(board, arguments[1]),), (types.number_of(arguments[0]),))


def _quad(board: Geometry, arguments: Sequence[str]) -> _Found:
    first = types.cells_of(board, arguments[:1])[0]
    square = next((cells for cells in neighbours.squares(board) if cells[0] == first), None)
    if square is None:
        raise FormatError(f"{arguments[0]} is the first of no 2x2 square")
    yield Constraint("quadruple", (square,), tuple(map(types.number_of, arguments[1:])))


def _contain(kind: str) -> "_Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Found:
        values = list(map(types.number_of, arguments[0].split("_")))
        cells = types.cells_of(board, arguments[1:])
        if kind == "quadruple":
            yield Constraint(kind, (cells,), tuple(values))
            return
        counts = Counter(values)
        yield Constraint(kind, (cells,), tuple(number for value in counts for number in (counts[value], value)))

    return read


def _look_and_say(board: Geometry, arguments: Sequence[str]) -> _Found:
    digits = tuple(map(types.number_of, arguments[0]))
    yield Constraint("look-and-say", (types.cells_of(board, arguments[1:]),), digits)


def _indexing(board: Geometry, arguments: Sequence[str]) -> _Found:
    kinds = {"C": "column-indexer", "R": "row-indexer"}
    if arguments[0] not in kinds:
        raise FormatError(f"{short(arguments[0], 20)!r} is neither C nor R, for columns and rows")
    yield Constraint(kinds[arguments[0]], (types.cells_of(board, arguments[1:]),))


def _count_distinct(board: Geometry, arguments: Sequence[str]) -> _Found:
    first, *rest = types.cells_of(board, arguments)
    yield Constraint("count-distinct", ((first,), tuple(rest)))


def _same_values(board: Geometry, arguments: Sequence[str]) -> _Found:
    n_sets, cells = types.number_of(arguments[0]), types.cells_of(board, arguments[1:])
    if n_sets < 2 or len(cells) % n_sets or not cells:
        raise FormatError(f"{len(cells)} cells are not {n_sets} sets of equal size")
    size = len(cells) // n_sets
    yield Constraint("same-values", tuple(cells[at : at + size] for at in range(0, len(cells), size)))


def _equal_sum(board: Geometry, arguments: Sequence[str]) -> _Found:
    cuts = [-1, *(at for at, name in enumerate(arguments) if name == "-"), len(arguments)]
    yield Constraint("equal-sums", tuple(types.cells_of(board, arguments[at + 1 : to]) for at, to in pairwise(cuts)))


def _regex(board: Geometry, arguments: Sequence[str]) -> _Found:
    token, *names = arguments
    try:
        padded = token + "=" * (-len(token) % 4)
        pattern = unquote(token) if "%" in token else base64.urlsafe_b64decode(padded).decode("ascii")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise FormatError(f"{short(token, 20)!r} is no regular expression in base 64") from error
    for group in _groups(names):
        yield Constraint("regex", (types.cells_of(board, group),), (), "".join(pattern.split()))


_Reader = Callable[[Geometry, Sequence[str]], Iterator[Constraint]]
_SPECIAL: dict[str, _Reader] = {
    "Cage": _cage,
    "AllDifferent": _all_different,
    "Sum": _sum,
    "Arrow": _arrow,
    "PillArrow": _pill_arrow,
    "Diagonal": _diagonal,
    "LittleKiller": _little_killer,
    "Sandwich": _sandwich,
    "Quad": _quad,
    "ContainAtLeast": _contain("quadruple"),
    "ContainExact": _contain("look-and-say"),
    "LookAndSay": _look_and_say,
    "Indexing": _indexing,
    "CountDistinct": _count_distinct,
    "SameValues": _same_values,
    "EqualSum": _equal_sum,
    "Regex": _regex,
}
_READERS: dict[str, _Reader] = {
    **{name: _line(kind) for name, kind in types.LINES.items()},
    **{name: _numbered(kind) for name, kind in types.NUMBERED.items()},
    **{name: _flag(constraints) for name, constraints in types.FLAGS.items()},
    **{name: _outside(kind) for name, kind in types.OUTSIDE.items()},
    **{name: _of_neighbours(*row) for name, row in types.NEIGHBOURS.items()},
    **{name: _of_table(of_all, name.startswith("Binary")) for name, of_all in types.TABLES.items()},
    **_SPECIAL,
}
