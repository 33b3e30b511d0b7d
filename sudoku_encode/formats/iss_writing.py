"""Writes a puzzle as an ISS string."""

import base64
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sudoku_encode.constraints.expressions import table
from sudoku_encode.constraints.lowering import primitives_of
from sudoku_encode.constraints.primitives import NEVER
from sudoku_encode.errors import FormatError
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_automata import token_of
from sudoku_encode.formats.iss_boards import text_of_board
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraint import BoundConstraint, Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

_Writer = Callable[[Geometry, Constraint], str]
_FLAG_OF = {rows[0].kind: (name, rows[0].numbers) for name, rows in types.FLAGS.items() if len(rows) == 1}
_ABOUT_OTHERS = {constraint.kind for name in types.ABOUT_OTHERS for constraint in types.FLAGS[name]}
_KROPKI = types.FLAGS["StrictKropki"]


def text_of(puzzle: Puzzle) -> str:
    """Return a puzzle as one ISS string.

    Raises:
        FormatError: it has a constraint, or a cell without a candidate, that no ISS string says.
    """
    board = puzzle.geometry
    return "".join([*text_of_board(board), *_given(puzzle), *_constraints(puzzle)])


def _given(puzzle: Puzzle) -> Iterator[str]:
    cells = []
    for cell, row in enumerate(puzzle.candidates):
        values = (np.flatnonzero(row) + 1).tolist()
        name = types.cell_name(puzzle.geometry, cell)
        if not values:
            raise FormatError(f"an ISS string has a value for each cell, and {name} may hold none")
        if len(values) < puzzle.geometry.n_values:
            cells.append("_".join([name, *map(str, values)]))
    if cells:
        yield f".~{'~'.join(cells)}"


def _constraints(puzzle: Puzzle) -> Iterator[str]:
    rest = list(puzzle.constraints)
    has_dots = any(constraint.kind == "difference" for constraint in rest)
    while rest:
        constraint = rest.pop(0)
        other = next((other for other in _KROPKI if other != constraint), None)
        if constraint in _KROPKI and other in rest:
            rest.remove(other)
            yield ".StrictKropki"
        elif constraint.kind == "non-consecutive" and has_dots:
            raise _refused(constraint, "with dots", puzzle.geometry)
        else:
            yield _written(constraint, puzzle.geometry)


def _written(constraint: Constraint, board: Geometry) -> str:
    kind = constraint.kind
    if kind in _FLAG_OF:
        name, numbers = _FLAG_OF[kind]
        usual = {"negative-xv": [(), (5, 10), (10, 5)], "global-modular": [(), (3,)]}.get(kind, [numbers])
        if constraint.numbers not in usual:
            raise _refused(constraint, "of these numbers", board)
        return f".{name}"
    if kind not in _WRITERS:
        raise _refused(constraint, "", board)
    return _WRITERS[kind](board, constraint)


def _refused(constraint: Constraint, why: str, board: Geometry) -> FormatError:
    return FormatError(" ".join(f"no ISS string says {constraint.kind} {why}".split()) + f": {constraint.text(board)}")


def _part(board: Geometry, name: str, *words: object, cells: Sequence[int] = ()) -> str:
    return "~".join([f".{name}", *map(str, words), *(types.cell_name(board, cell) for cell in cells)])


def _line(name: str) -> _Writer:
    return lambda board, constraint: _part(board, name, cells=constraint.cells[0])


def _numbered(name: str, default: int | None = None) -> _Writer:
    def write(board: Geometry, constraint: Constraint) -> str:
        usual = (board.n_values + 1) // 2 if default == _HALF else default
        return _part(board, name, *(constraint.numbers or (usual,)), cells=constraint.cells[0])

    return write


# Stands for the default number of whispers: half of the values.
_HALF = -1


def _outside(name: str) -> _Writer:
    def write(board: Geometry, constraint: Constraint) -> str:
        clue = constraint.numbers[0]
        for line, cells in types.lines(board):
            if constraint.cells[0] == cells:
                return _part(board, name, line, clue, "")
            if constraint.cells[0] == cells[::-1]:
                return _part(board, name, line, "", clue)
        raise _refused(constraint, "but of whole rows and columns", board)

    return write


def _of_neighbours(kind: str, default: int) -> _Writer:
    names = {row[1]: name for name, row in types.NEIGHBOURS.items() if row[0] == kind}

    def write(board: Geometry, constraint: Constraint) -> str:
        (first, second), numbers = constraint.cells[0], constraint.numbers or (default,)
        beside = (min(first, second), max(first, second)) in neighbours.neighbours(board)
        if beside and numbers in names:
            return _part(board, names[numbers], cells=constraint.cells[0])
        return _table(board, constraint, {"difference": _differ, "ratio": _ratio, "xv": _add_up}[kind](numbers[0]))

    return write


_Holds = Callable[[int, int], bool]


def _differ(number: int) -> _Holds:
    return lambda a, b: abs(a - b) == number


def _ratio(number: int) -> _Holds:
    return lambda a, b: a == number * b or b == number * a


def _add_up(number: int) -> _Holds:
    return lambda a, b: a + b == number


def _table(board: Geometry, constraint: Constraint, holds: _Holds, name: str = "Pair") -> str:
    values = range(1, board.n_values + 1)
    key = types.table_key([[holds(a, b) for b in values] for a in values])
    return _part(board, name, key, f"_{constraint.kind}", cells=constraint.cells[0])


def _of_table(holds: _Holds, name: str = "Pair") -> _Writer:
    return lambda board, constraint: _table(board, constraint, holds, name)


def _pairs(board: Geometry, constraint: Constraint) -> str:
    symbols = ALPHABETS[DEFAULT_ALPHABET]
    words = constraint.expression.split()
    allowed = {(symbols.index(word[0]) + 1, symbols.index(other) + 1) for word in words for other in word[1:]}
    return _table(board, constraint, lambda a, b: (a, b) in allowed)


def _relation(board: Geometry, constraint: Constraint) -> str:
    allowed = table(constraint.expression, board.n_values)
    return _table(board, constraint, lambda a, b: allowed[a - 1][b - 1])


def _parity(remainder: int) -> _Writer:
    def write(board: Geometry, constraint: Constraint) -> str:
        values = [str(value) for value in range(1, board.n_values + 1) if value % 2 == remainder]
        return ".~" + "~".join("_".join([types.cell_name(board, cell), *values]) for cell in constraint.cells[0])

    return write


def _weighted(board: Geometry, constraint: Constraint) -> str:
    amount, *coefficients = constraint.numbers
    if any(abs(coefficient) > 100 for coefficient in coefficients):
        raise _refused(constraint, "with coefficients above 100", board)
    return _part(board, "Sum", "_".join(map(str, (amount, "=", *coefficients))), cells=constraint.cells[0])


def _arrow(board: Geometry, constraint: Constraint) -> str:
    circle, line = constraint.cells
    if len(circle) == 1:
        return _part(board, "Arrow", cells=(*circle, *line))
    if board.n_values > 9 or circle != tuple(sorted(circle)):
        raise _refused(constraint, "with such a pill", board)
    return _part(board, "PillArrow", len(circle), cells=(*circle, *line))


def _cage(board: Geometry, constraint: Constraint) -> str:
    return _part(board, "Cage", *(constraint.numbers or ("",)), cells=constraint.cells[0])


def _diagonal(board: Geometry, constraint: Constraint) -> str:
    return "".join(_part(board, "Diagonal", number) for number in constraint.numbers or (1, -1))


def _little_killer(board: Geometry, constraint: Constraint) -> str:
    for cells in (constraint.cells[0], constraint.cells[0][::-1]):
        if types.diagonal_from(board, cells[0]) == cells:
            return _part(board, "LittleKiller", constraint.numbers[0], cells=cells[:1])
    return _part(board, "Sum", constraint.numbers[0], cells=constraint.cells[0])


def _sandwich(board: Geometry, constraint: Constraint) -> str:
    for line, cells in types.lines(board):
        if constraint.cells[0] in (cells, cells[::-1]) and len(cells) == board.n_values:
            return _part(board, "Sandwich", constraint.numbers[0], line)
    raise _refused(constraint, "but of whole rows and columns with all values", board)


def _quadruple(board: Geometry, constraint: Constraint) -> str:
    if constraint.cells[0] in set(neighbours.squares(board)):
        return "~".join([_part(board, "Quad", cells=constraint.cells[0][:1]), *map(str, constraint.numbers)])
    return _part(board, "ContainAtLeast", "_".join(map(str, constraint.numbers)), cells=constraint.cells[0])


def _look_and_say(board: Geometry, constraint: Constraint) -> str:
    if any(number > 9 for number in constraint.numbers):
        raise _refused(constraint, "of more than digits", board)
    return _part(board, "LookAndSay", "".join(map(str, constraint.numbers)), cells=constraint.cells[0])


def _indexing(letter: str) -> _Writer:
    return lambda board, constraint: _part(board, "Indexing", letter, cells=constraint.cells[0])


def _count_distinct(board: Geometry, constraint: Constraint) -> str:
    return _part(board, "CountDistinct", cells=(*constraint.cells[0], *constraint.cells[1]))


def _sum_loop(board: Geometry, constraint: Constraint) -> str:
    return f"{_part(board, 'SumLine', *constraint.numbers, cells=constraint.cells[0])}~LOOP"


def _automaton(board: Geometry, constraint: Constraint) -> str:
    if NEVER in primitives_of(BoundConstraint(board, constraint)):
        # Its reader refuses a machine that accepts nothing.
        raise _refused(constraint, "that no values of its cells fulfil", board)
    token = token_of(constraint.expression, board.n_values)
    return _part(board, "NFA", token, "_automaton", cells=constraint.cells[0])


def _same_values(board: Geometry, constraint: Constraint) -> str:
    return _part(
        board, "SameValues", len(constraint.cells), cells=[cell for cells in constraint.cells for cell in cells]
    )


def _clone(board: Geometry, constraint: Constraint) -> str:
    pairs = [(a, b) for a, b in zip(*constraint.cells, strict=False) if a != b]
    return "".join(_part(board, "SameValues", 2, cells=pair) for pair in pairs)


def _equal_sums(board: Geometry, constraint: Constraint) -> str:
    parts = ["~".join(types.cell_name(board, cell) for cell in cells) for cells in constraint.cells]
    return f".EqualSum~{'~-~'.join(parts)}"


def _values(board: Geometry, constraint: Constraint) -> str:
    values = list(map(str, sorted(set(constraint.numbers))))
    return ".~" + "~".join("_".join([types.cell_name(board, cell), *values]) for cell in constraint.cells[0])


def _either(board: Geometry, constraint: Constraint) -> str:
    return "".join([".Or", *(_alternative(board, together) for together in constraint.alternatives), ".End"])


def _alternative(board: Geometry, together: Sequence[Constraint]) -> str:
    """Return constraints that hold together as one part of an Or."""
    if others := [constraint for constraint in together if constraint.kind in _ABOUT_OTHERS]:
        raise _refused(others[0], "in an alternative", board)
    texts = [_written(constraint, board) for constraint in together]
    is_one = len(texts) == 1 and texts[0].count(".") == 1 and (texts[0][1] != "~" or texts[0].count("~") == 1)
    return texts[0] if is_one else "".join([".And", *texts, ".End"])


def _regex(board: Geometry, constraint: Constraint) -> str:
    token = base64.urlsafe_b64encode(constraint.expression.encode()).decode().rstrip("=")
    return _part(board, "Regex", token, cells=constraint.cells[0])


_WRITERS: dict[str, _Writer] = {
    **{kind: _line(name) for name, kind in types.LINES.items()},
    **{kind: _numbered(name) for name, kind in types.NUMBERED.items()},
    **{kind: _outside(name) for name, kind in types.OUTSIDE.items()},
    **{kind: _of_neighbours(kind, default) for kind, default in (("difference", 1), ("ratio", 2), ("xv", 10))},
    "whispers": _numbered("Whisper", _HALF),
    "modular": _numbered("Modular", 3),
    "lockout": _numbered("Lockout", 4),
    "sum": _numbered("Sum"),
    "extra-region": _line("AllDifferent"),
    "greater": _of_table(lambda a, b: a > b),
    "slow-thermometer": _of_table(lambda a, b: a <= b),
    "parity-line": _of_table(lambda a, b: (a + b) % 2 == 1),
    "nabner": _of_table(lambda a, b: abs(a - b) >= 2, "PairX"),
    "odd": _parity(1),
    "even": _parity(0),
    "weighted-sum": _weighted,
    "arrow": _arrow,
    "cage": _cage,
    "values": _values,
    "either": _either,
    "diagonal": _diagonal,
    "little-killer": _little_killer,
    "sandwich": _sandwich,
    "quadruple": _quadruple,
    "look-and-say": _look_and_say,
    "row-indexer": _indexing("R"),
    "column-indexer": _indexing("C"),
    "count-distinct": _count_distinct,
    "same-values": _same_values,
    "clone": _clone,
    "equal-sums": _equal_sums,
    "pairs": _pairs,
    "relation": _relation,
    "regex": _regex,
    "automaton": _automaton,
    "sum-loop": _sum_loop,
}
