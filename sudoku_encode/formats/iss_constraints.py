"""Readers of ISS strings: for each type a function from its arguments to constraints."""

import base64
import binascii
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from string import ascii_uppercase
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_automata import constraint_of, machine_of
from sudoku_encode.formats.symbols import board_alphabet
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraints.constraint import Constraint, IssType
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.constraints.written_automata import one_less
from sudoku_encode.puzzles.geometry import Geometry

_Constraints = Iterator[Constraint]


def _line(kind: str, row: IssType) -> "Reader":
    return lambda board, arguments: iter([Constraint(kind, (types.cells_of(board, arguments),))])


def _flag(kind: str, row: IssType) -> "Reader":
    return lambda board, arguments: iter(types.FLAGS[row.type])


def _numbered(kind: str, row: IssType) -> "Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        number, *names = arguments
        if row.form == "whispers" and number[:1] in ("R", "r"):
            number, names = "5", list(arguments)
        yield Constraint(kind, (types.cells_of(board, names),), (types.number_of(number),))

    return read


def _outside(kind: str, row: IssType) -> "Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        cells = types.line_of(board, arguments[0])
        for clue, ordered in zip(arguments[1:3], (cells, cells[::-1]), strict=False):
            if clue:
                yield Constraint(kind, (ordered,), (types.number_of(clue),))

    return read


def _of_neighbours(kind: str, row: IssType) -> "Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        cells = tuple(dict.fromkeys(types.cells_of(board, arguments)))
        beside = _pairs_beside(board)
        pairs = [pair for pair in combinations(cells, 2) if pair in beside or pair[::-1] in beside]
        if not pairs:
            raise FormatError("no two of its cells are neighbours")
        yield from (Constraint(kind, (pair,), row.numbers) for pair in pairs)

    return read


@lru_cache(maxsize=16)
def _pairs_beside(board: Geometry) -> frozenset[tuple[int, int]]:
    """Return the pairs of cells that are side by side, hidden ones too, smaller first."""
    return frozenset((*neighbours.neighbours(board), *types.hidden_neighbours(board.shape)))


def _of_table(kind: str, row: IssType) -> "Reader":
    of_all, is_legacy = types.TABLES[row.type], row.type.startswith("Binary")

    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        key, *names = arguments
        # The older types have the last two symbols the other way round.
        table = types.table_of(key.translate(str.maketrans("-_", "_-")) if is_legacy else key, board.n_values)
        symbols = board_alphabet(board)
        words = ("".join(symbols[at] for at in (value, *np.flatnonzero(table[value]))) for value in range(len(table)))
        expression = " ".join(word for word in words if len(word) > 1)
        if not expression:
            raise FormatError("its table has no pair")
        for group in _groups(names):
            cells = types.cells_of(board, group)
            lists = combinations(cells, 2) if of_all else [cells]
            yield from (Constraint(kind, (tuple(listed),), (), expression) for listed in lists)

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


def _cage(board: Geometry, arguments: Sequence[str]) -> _Constraints:
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


def _all_different(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    cells = tuple(dict.fromkeys(types.cells_of(board, arguments)))
    if len(cells) > 1:
        yield Constraint("extra-region", (cells,))


def _sum(board: Geometry, arguments: Sequence[str]) -> _Constraints:
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


def _arrow(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    first, *rest = types.cells_of(board, arguments)
    yield Constraint("arrow", ((first,), tuple(rest)))


def _pill_arrow(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    size, cells = types.number_of(arguments[0]), types.cells_of(board, arguments[1:])
    pill = tuple(sorted(cells[:size]))
    yield Constraint("arrow", (pill, cells[size:]))
    # All but the first are digits.
    if numbers := ascii_uppercase[: max(board.last - 9, 0)]:
        yield from (Constraint("regex", ((cell,),), (), f"[^{numbers}]") for cell in pill[1:])


def _diagonal(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    yield Constraint("diagonal", (), (types.number_of(arguments[0]),))


def _full_rank_ties(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    if arguments[0] not in types.TIES:
        raise FormatError(f"{short(arguments[0], 20)!r} is not one of {', '.join(types.TIES)}")
    yield Constraint("full-rank-ties", (), (types.TIES.index(arguments[0]),))


def _doppelganger(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    yield Constraint("doppelganger", tuple(cells for _, cells, _ in types.missing_values(board.shape)))


def _little_killer(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    cells = types.diagonal_from(board, types.cells_of(board, arguments[1:2])[0])
    if not cells:
        raise FormatError(f"no diagonal begins at {arguments[1]}")
    yield Constraint("little-killer", (cells,), (types.number_of(arguments[0]),))


def _sandwich(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    cells = types.line_of(board, arguments[1])
    # With fewer cells than values, what is between the smallest and the largest of the line counts.
    kind = "sandwich" if len(cells) == board.n_values else "lunchbox"
    yield Constraint(kind, (cells,), (types.number_of(arguments[0]),))


def _quad(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    first = types.cells_of(board, arguments[:1])[0]
    square = next((cells for cells in neighbours.squares(board) if cells[0] == first), None)
    if square is None:
        raise FormatError(f"{arguments[0]} is the first of no 2x2 square")
    yield Constraint("quadruple", (square,), tuple(map(types.number_of, arguments[1:])))


def _contain(kind: str, row: IssType) -> "Reader":
    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        values = list(map(types.number_of, arguments[0].split("_")))
        cells = types.cells_of(board, arguments[1:])
        if kind == "quadruple":
            yield Constraint(kind, (cells,), tuple(values))
            return
        counts = Counter(values)
        yield Constraint(kind, (cells,), tuple(number for value in counts for number in (counts[value], value)))

    return read


def _look_and_say(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    digits = tuple(map(types.number_of, arguments[0]))
    yield Constraint("look-and-say", (types.cells_of(board, arguments[1:]),), digits)


def _indexing(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    kinds = {"C": "column-indexer", "R": "row-indexer"}
    if arguments[0] not in kinds:
        raise FormatError(f"{short(arguments[0], 20)!r} is neither C nor R, for columns and rows")
    yield Constraint(kinds[arguments[0]], (types.cells_of(board, arguments[1:]),))


def _count_distinct(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    first, *rest = types.cells_of(board, arguments)
    yield Constraint("count-distinct", ((first,), tuple(rest)))


def _sum_line(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    amount, is_loop = types.number_of(arguments[0]), arguments[-1] == "LOOP"
    cells = types.cells_of(board, arguments[1:-1] if is_loop else arguments[1:])
    yield Constraint("sum-loop" if is_loop else "sum-line", (cells,), (amount,))


def _same_values(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    n_sets, cells = types.number_of(arguments[0]), types.cells_of(board, arguments[1:])
    if n_sets < 2 or len(cells) % n_sets or not cells:
        raise FormatError(f"{len(cells)} cells are not {n_sets} sets of equal size")
    size = len(cells) // n_sets
    yield Constraint("same-values", tuple(cells[at : at + size] for at in range(0, len(cells), size)))


def _equal_sum(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    cuts = [-1, *(at for at, name in enumerate(arguments) if name == "-"), len(arguments)]
    yield Constraint("equal-sums", tuple(types.cells_of(board, arguments[at + 1 : to]) for at, to in pairwise(cuts)))


def _regex(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    token, *names = arguments
    try:
        padded = token + "=" * (-len(token) % 4)
        pattern = unquote(token) if "%" in token else base64.urlsafe_b64decode(padded).decode("ascii")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise FormatError(f"{short(token, 20)!r} is not a regular expression in base 64") from error
    for group in _groups(names):
        yield Constraint("regex", (types.cells_of(board, group),), (), "".join(pattern.split()).upper())


def _state_machine(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    token, *names = arguments
    machine = machine_of(token, board.n_values)
    for group in _groups(names):
        cuts = [-1, *(at for at, name in enumerate(group) if name == "-"), len(group)]
        segments = [types.cells_of(board, group[at + 1 : to]) for at, to in pairwise(cuts)]
        constraint = constraint_of(machine, segments, board.n_values)
        yield constraint if board.first else replace(constraint, expression=one_less(constraint.expression))


def _chaos(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    yield Constraint("chaos-construction", (tuple(range(board.n_grid, 2 * board.n_grid)),))


def _region_clue(kind: str, row: IssType) -> "Reader":
    """Return the reader of a clue about regions, whose cells are by default those in all directions or all around."""

    def read(board: Geometry, arguments: Sequence[str]) -> _Constraints:
        control, left_out, *names = [*arguments[:2], *[""] * (2 - len(arguments)), *arguments[2:]]
        (cell,) = types.cells_of(board, [control])
        cuts = [-1, *(at for at, name in enumerate(names) if name == "-"), len(names)]
        lines = [types.cells_of(board, names[at + 1 : to]) for at, to in pairwise(cuts) if to > at + 1]
        if not lines:
            around = _lines_from(board, cell)
            square = (cell, *(one for one in range(board.n_grid) if one != cell and _touches(board, cell, one)))
            near = around if kind == "region-run" else [square]
            lines = [tuple(one + board.n_grid for one in line) for line in near]
        if min(map(min, lines)) < board.n_grid:
            raise FormatError("its cells after the first should be cells of regions, such as CC1")
        numbers = (1,) if types.number_of(left_out or "0") else ()
        yield Constraint(kind, ((cell,), *lines), numbers)

    return read


def _lines_from(board: Geometry, cell: int) -> list[tuple[int, ...]]:
    """Return the cells to the left of a cell, to its right, above and below, each list from the cell on."""
    rows, columns = board.shape
    begin = cell - cell % columns
    ends = (range(cell, begin - 1, -1), range(cell, begin + columns))
    return [tuple(line) for line in (*ends, range(cell, -1, -columns), range(cell, rows * columns, columns))]


def _touches(board: Geometry, cell: int, other: int) -> bool:
    """Check whether a cell is in the square of nine cells around another."""
    (row, column), (other_row, other_column) = (divmod(one, board.shape[1]) for one in (cell, other))
    return abs(row - other_row) <= 1 and abs(column - other_column) <= 1


def _connected(board: Geometry, arguments: Sequence[str]) -> _Constraints:
    group, values, size = (*arguments, "", "")[:3]
    if group not in ("", "CC"):
        raise FormatError(f"{short(group, 20)!r} is not a group of cells; expected none for the grid, or CC")
    cells = (tuple(range(board.n_grid, 2 * board.n_grid)),) if group else ()
    number = types.number_of(size) if size else None
    numbers = tuple(sorted(set(map(types.number_of, values.split("_")))))
    yield Constraint("connected", cells, numbers, bounds=(number, number))


Reader = Callable[[Geometry, Sequence[str]], Iterator[Constraint]]


class Form(NamedTuple):
    """A form of arguments.

    Attributes:
        make: from a kind, and a type of this form that stands for it, to the reader of the type.
        least: the smallest number of arguments.
    """

    make: Callable[[str, IssType], Reader]
    least: int = 2


def _only(reader: Reader, least: int = 2) -> Form:
    """Return the form of a single type."""
    return Form(lambda kind, row: reader, least)


FORMS: dict[str, Form] = {
    "flag": Form(_flag, 0),
    "line": Form(_line, 1),
    "numbered": Form(_numbered),
    "whispers": Form(_numbered, 1),
    "outside": Form(_outside),
    "neighbours": Form(_of_neighbours, 1),
    "table": Form(_of_table),
    "contain": Form(_contain),
    "cage": _only(_cage),
    "all-different": _only(_all_different, 1),
    "sum": _only(_sum),
    "arrow": _only(_arrow),
    "pill-arrow": _only(_pill_arrow),
    "diagonal": _only(_diagonal, 1),
    "full-rank-ties": _only(_full_rank_ties, 1),
    "doppelganger": _only(_doppelganger, 0),
    "little-killer": _only(_little_killer),
    "sandwich": _only(_sandwich),
    "quadruple": _only(_quad),
    "look-and-say": _only(_look_and_say),
    "indexer": _only(_indexing),
    "count-distinct": _only(_count_distinct),
    "sum-line": _only(_sum_line),
    "same-values": _only(_same_values),
    "equal-sums": _only(_equal_sum, 1),
    "regex": _only(_regex),
    "automaton": _only(_state_machine),
    "chaos": _only(_chaos, 0),
    "region-run": Form(_region_clue, 1),
    "region-count": Form(_region_clue, 1),
    "connected": _only(_connected),
}
"""The forms that are read; those of kinds that have no type of their own are only written."""

_TYPES = [(kind.name, row) for kind in CONSTRAINTS.values() for row in kind.iss if row.form in FORMS]
READERS: dict[str, Reader] = {row.type: FORMS[row.form].make(name, row) for name, row in _TYPES}
# The smallest number of arguments of each type.
LEAST_ARGUMENTS = {row.type: FORMS[row.form].least for _, row in _TYPES}
