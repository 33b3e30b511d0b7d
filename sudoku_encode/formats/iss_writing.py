"""Writes a puzzle as an ISS string."""

import base64
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_automata import token_of
from sudoku_encode.formats.iss_boards import text_of_board
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraints.constraint import UNBOUNDED, Constraint, IssType
from sudoku_encode.puzzles.constraints.pairs import Relations
from sudoku_encode.puzzles.constraints.parsing import bind
from sudoku_encode.puzzles.constraints.primitives import NEVER
from sudoku_encode.puzzles.constraints.sets import Domains
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.constraints.written_automata import one_more
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

# Returns the text of a constraint, by a type that stands for its kind.
_Writer = Callable[[Geometry, Constraint, IssType], str]
_FLAG_OF = {rows[0].kind: (name, rows[0].numbers) for name, rows in types.FLAGS.items() if len(rows) == 1}
_ABOUT_OTHERS = {constraint.kind for name in types.ABOUT_OTHERS for constraint in types.FLAGS[name]}
_KROPKI = types.FLAGS["StrictKropki"]


def text_of(puzzle: Puzzle) -> str:
    """Return a puzzle as one ISS string.

    Raises:
        FormatError: it has a constraint, or a cell without a candidate, that no ISS string says.
    """
    board = puzzle.geometry
    constraints = "".join(_constraints(puzzle.extended))
    names = _hidden_names(puzzle)
    n_more = sum(name.startswith("VH") for name in names)
    more = f".Var~H~~{n_more}" if n_more else ""
    constraints = re.sub(r"\$(\d+)", lambda match: names[int(match[1]) - 1], constraints)
    return "".join([*text_of_board(board), more, *_given(puzzle), constraints])


def _hidden_names(puzzle: Puzzle) -> list[str]:
    """Return the name of each hidden cell that constraints name, in the order of their numbers."""
    board = puzzle.geometry
    n_named = max((constraint.n_hidden(board) for constraint in puzzle.constraints), default=0)
    types_of_kinds = [row.type for constraint in puzzle.constraints for row in CONSTRAINTS[constraint.kind].iss]
    names = types.hidden_cells_of(types_of_kinds, board.shape)
    n_more = max(0, n_named - len(names))
    return [*names, *(["VH"] if n_more == 1 else [f"VH{number}" for number in range(1, n_more + 1)])]


def _given(puzzle: Puzzle) -> Iterator[str]:
    cells = []
    for cell, row in enumerate(puzzle.candidates):
        values = (np.flatnonzero(row) + puzzle.geometry.first).tolist()
        name = types.cell_name(puzzle.geometry, cell)
        if not values:
            raise FormatError(f"an ISS string has a value for each cell, but {name} may hold none")
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
    if constraint.bounds != UNBOUNDED and kind != "connected":
        raise _refused(constraint, "with bounds", board)
    if kind in _FLAG_OF:
        name, numbers = _FLAG_OF[kind]
        usual = {"negative-xv": [(), (5, 10), (10, 5)], "global-modular": [(), (3,)]}.get(kind, [numbers])
        if constraint.numbers not in usual:
            raise _refused(constraint, "with these numbers", board)
        return f".{name}"
    row = next((row for row in CONSTRAINTS[kind].iss if row.form in FORMS), None)
    if row is None:
        raise _refused(constraint, "", board)
    return FORMS[row.form](board, constraint, row)


def _refused(constraint: Constraint, why: str, board: Geometry) -> FormatError:
    return FormatError(
        " ".join(f"an ISS string cannot express {constraint.kind} {why}".split()) + f": {constraint.text(board)}"
    )


def _part(board: Geometry, name: str, *words: object, cells: Sequence[int] = ()) -> str:
    return "~".join([f".{name}", *map(str, words), *(types.cell_name(board, cell) for cell in cells)])


def _line(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(board, row.type, cells=constraint.cells[0])


def _numbered(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(board, row.type, *(constraint.numbers or row.numbers), cells=constraint.cells[0])


def _whispers(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(board, row.type, *(constraint.numbers or ((board.n_values + 1) // 2,)), cells=constraint.cells[0])


def _outside(board: Geometry, constraint: Constraint, row: IssType) -> str:
    clue = constraint.numbers[0]
    for line, cells in types.lines(board):
        if constraint.cells[0] == cells:
            return _part(board, row.type, line, clue, "")
        if constraint.cells[0] == cells[::-1]:
            return _part(board, row.type, line, "", clue)
    raise _refused(constraint, "except for whole rows and columns", board)


def _of_neighbours(board: Geometry, constraint: Constraint, row: IssType) -> str:
    (first, second), numbers = constraint.cells[0], constraint.numbers or row.numbers
    name = next((row.type for row in CONSTRAINTS[constraint.kind].iss if row.numbers == numbers), None)
    if name and (min(first, second), max(first, second)) in neighbours.neighbours(board):
        return _part(board, name, cells=constraint.cells[0])
    return _table(board, constraint, row._replace(type="Pair"))


def _table(board: Geometry, constraint: Constraint, row: IssType) -> str:
    """Return the table of the pairs of values that a constraint allows."""
    bound, values = bind(constraint, board).from_one[0], range(1, board.n_values + 1)
    assert isinstance(bound, Relations)
    key = types.table_key([[bound.allows(a, b) for b in values] for a in values])
    return _part(board, row.type, key, f"_{constraint.kind}", cells=constraint.cells[0])


def _values(board: Geometry, constraint: Constraint, row: IssType) -> str:
    bound = bind(constraint, board).from_one[0]
    assert isinstance(bound, Domains)
    values = [str(board.numbers[value]) for value in range(1, board.n_values + 1) if bound.allows(value)]
    return ".~" + "~".join("_".join([types.cell_name(board, cell), *values]) for cell in constraint.cells[0])


def _weighted(board: Geometry, constraint: Constraint, row: IssType) -> str:
    amount, *coefficients = constraint.numbers
    if any(abs(coefficient) > 100 for coefficient in coefficients):
        raise _refused(constraint, "with coefficients above 100", board)
    return _part(board, "Sum", "_".join(map(str, (amount, "=", *coefficients))), cells=constraint.cells[0])


def _arrow(board: Geometry, constraint: Constraint, row: IssType) -> str:
    circle, line = constraint.cells
    if len(circle) == 1:
        return _part(board, "Arrow", cells=(*circle, *line))
    if board.last > 9 or circle != tuple(sorted(circle)):
        raise _refused(constraint, "with such a pill", board)
    return _part(board, "PillArrow", len(circle), cells=(*circle, *line))


def _cage(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if constraint.numbers == (0,):
        raise _refused(constraint, "with the sum 0", board)
    return _part(board, "Cage", *(constraint.numbers or ("",)), cells=constraint.cells[0])


def _diagonal(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return "".join(_part(board, "Diagonal", number) for number in constraint.numbers or (1, -1))


def _full_rank_ties(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(board, row.type, types.TIES[constraint.numbers[0]])


def _little_killer(board: Geometry, constraint: Constraint, row: IssType) -> str:
    for cells in (constraint.cells[0], constraint.cells[0][::-1]):
        if types.diagonal_from(board, cells[0]) == cells:
            return _part(board, "LittleKiller", constraint.numbers[0], cells=cells[:1])
    return _part(board, "Sum", constraint.numbers[0], cells=constraint.cells[0])


def _sandwich(board: Geometry, constraint: Constraint, row: IssType) -> str:
    for line, cells in types.lines(board):
        if constraint.cells[0] in (cells, cells[::-1]) and len(cells) == board.n_values and not constraint.numbers[1:]:
            return _part(board, "Sandwich", constraint.numbers[0], line)
    raise _refused(constraint, "except for whole rows and columns with all values", board)


def _quadruple(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if constraint.cells[0] in set(neighbours.squares(board)):
        return "~".join([_part(board, "Quad", cells=constraint.cells[0][:1]), *map(str, constraint.numbers)])
    return _part(board, "ContainAtLeast", "_".join(map(str, constraint.numbers)), cells=constraint.cells[0])


def _look_and_say(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if any(number > 9 for number in constraint.numbers):
        raise _refused(constraint, "with numbers of several digits", board)
    return _part(board, "LookAndSay", "".join(map(str, constraint.numbers)), cells=constraint.cells[0])


def _indexing(board: Geometry, constraint: Constraint, row: IssType) -> str:
    letter = {"row-indexer": "R", "column-indexer": "C"}[constraint.kind]
    return _part(board, row.type, letter, cells=constraint.cells[0])


def _count_distinct(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(board, "CountDistinct", cells=(*constraint.cells[0], *constraint.cells[1]))


def _sum_loop(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return f"{_part(board, 'SumLine', *constraint.numbers, cells=constraint.cells[0])}~LOOP"


def _automaton(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if NEVER in bind(constraint, board).primitives():
        # Its reader refuses a machine that accepts nothing.
        raise _refused(constraint, "that no values of its cells satisfy", board)
    words = constraint.expression if board.first else one_more(constraint.expression)
    token = token_of(words, board.n_values)
    return _part(board, "NFA", token, "_automaton", cells=constraint.cells[0])


def _same_values(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return _part(
        board, "SameValues", len(constraint.cells), cells=[cell for cells in constraint.cells for cell in cells]
    )


def _clone(board: Geometry, constraint: Constraint, row: IssType) -> str:
    pairs = [(a, b) for a, b in zip(*constraint.cells, strict=False) if a != b]
    return "".join(_part(board, "SameValues", 2, cells=pair) for pair in pairs)


def _equal_sums(board: Geometry, constraint: Constraint, row: IssType) -> str:
    parts = ["~".join(types.cell_name(board, cell) for cell in cells) for cells in constraint.cells]
    return f".EqualSum~{'~-~'.join(parts)}"


def _either(board: Geometry, constraint: Constraint, row: IssType) -> str:
    return "".join([".Or", *(_alternative(board, together) for together in constraint.alternatives), ".End"])


def _alternative(board: Geometry, together: Sequence[Constraint]) -> str:
    """Return constraints that hold together as one part of an Or."""
    if others := [constraint for constraint in together if constraint.kind in _ABOUT_OTHERS]:
        raise _refused(others[0], "in an alternative", board)
    texts = [_written(constraint, board) for constraint in together]
    is_one = len(texts) == 1 and texts[0].count(".") == 1 and (texts[0][1] != "~" or texts[0].count("~") == 1)
    return texts[0] if is_one else "".join([".And", *texts, ".End"])


def _doppelganger(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if board.first or constraint.cells != tuple(cells for _, cells, _ in types.missing_values(board.shape)):
        raise _refused(constraint, "except with values from 0 and the first hidden cells", board)
    return f".{row.type}"


def _chaos(board: Geometry, constraint: Constraint, row: IssType) -> str:
    if constraint.cells[0] != tuple(range(board.n_grid, 2 * board.n_grid)):
        raise _refused(constraint, "except for the first hidden cells", board)
    return f".{row.type}"


def _region_clue(board: Geometry, constraint: Constraint, row: IssType) -> str:
    (control,), *lines = constraint.cells
    words = ["~".join(types.cell_name(board, cell) for cell in line) for line in lines]
    number = str(constraint.numbers[0]) if constraint.numbers else ""
    return f"{_part(board, row.type, types.cell_name(board, control), number)}~{'~-~'.join(words)}"


def _connected(board: Geometry, constraint: Constraint, row: IssType) -> str:
    least, most = constraint.bounds
    layer = {(): "", (tuple(range(board.n_grid)),): "", (tuple(range(board.n_grid, 2 * board.n_grid)),): "CC"}
    if constraint.cells not in layer or (least != most and (least or 1, most) != (1, None)):
        raise _refused(constraint, "for such cells", board)
    words = ["_".join(map(str, constraint.numbers)), *([] if most is None else [most])]
    return _part(board, row.type, layer[constraint.cells], *words)


def _regex(board: Geometry, constraint: Constraint, row: IssType) -> str:
    token = base64.urlsafe_b64encode(constraint.expression.encode()).decode().rstrip("=")
    return _part(board, "Regex", token, cells=constraint.cells[0])


FORMS: dict[str, _Writer] = {
    "line": _line,
    "numbered": _numbered,
    "sum": _numbered,
    "sum-line": _numbered,
    "whispers": _whispers,
    "outside": _outside,
    "neighbours": _of_neighbours,
    "table": _table,
    "written-table": _table,
    "all-different": _line,
    "values": _values,
    "weighted-sum": _weighted,
    "arrow": _arrow,
    "cage": _cage,
    "either": _either,
    "diagonal": _diagonal,
    "full-rank-ties": _full_rank_ties,
    "little-killer": _little_killer,
    "sandwich": _sandwich,
    "quadruple": _quadruple,
    "look-and-say": _look_and_say,
    "indexer": _indexing,
    "count-distinct": _count_distinct,
    "same-values": _same_values,
    "clone": _clone,
    "equal-sums": _equal_sums,
    "regex": _regex,
    "automaton": _automaton,
    "sum-loop": _sum_loop,
    "chaos": _chaos,
    "doppelganger": _doppelganger,
    "region-run": _region_clue,
    "region-count": _region_clue,
    "connected": _connected,
}
"""The forms that are written."""
