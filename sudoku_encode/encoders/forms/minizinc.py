"""MiniZinc: the data of the puzzle, on top of the model or in a file of its own, and the output of MiniZinc."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from sudoku_encode.encoders.answers import Answer, from_values
from sudoku_encode.encoders.forms.common import (
    cell_values,
    heading,
    integer,
    joined,
    lines,
    read_heading,
    region_clauses,
)
from sudoku_encode.encoders.model_comments import board_comments, given_comments
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Count,
    EqualSums,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

_MODEL = """
% ---- Model ----

array[1..n_cells] of var 1..n_values: x;

predicate units_differ(array[int, int] of int: units) =
  forall (u in index_set_1of2(units)) (
    all_different([x[units[u, i]] | i in index_set_2of2(units)])
  );

constraint forall (cell in 1..n_cells) (x[cell] in allowed[cell]);
"""

_END = """
solve satisfy;

% The whole grid, so that different solutions print differently and `minizinc -a` drops none.
output [
  show(x[cell]) ++ (if cell mod line_length = 0 then "\\n" else " " endif) | cell in 1..n_cells
];
"""


def minizinc(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write one model file that needs no data file."""
    yield from _model("mzn", puzzle, candidates, _allowed(puzzle, candidates, "array[1..n_cells] of {}: allowed"))


def minizinc_model(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the model of a board and its constraints, whose puzzles are data files; givens and pencilmarks are data."""
    empty = _without_cells(puzzle)
    made_for = f"string: made_for;\nconstraint assert(made_for = {_made_for(puzzle)}, {_OTHER_MODEL});\n\n"
    declared = f"{made_for}{_CELLS}array[1..n_cells] of {_SETS}: allowed;\n".encode("ascii")
    yield from _model("mzn-model", empty, lower_puzzle(empty).puzzle.candidates, [declared])


def minizinc_data(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the values that each cell may hold as a data file for the model of the board and its constraints."""
    yield heading("%", "dzn", puzzle, "data for the model that --to mzn-model writes of this board and its constraints")
    yield f"\nmade_for = {_made_for(puzzle)};\n\n".encode("ascii")
    # The model does not know of a given that a constraint on its cell excludes.
    yield from _allowed(puzzle, candidates & lower_puzzle(_without_cells(puzzle)).puzzle.candidates, "allowed")


_OTHER_MODEL = '"these data are for the model of another board or of other constraints"'
_CELLS, _SETS = "% What each cell may hold.\n", "set of 1..n_values"


def _without_cells(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without givens and pencilmarks."""
    return replace(puzzle, givens=np.zeros_like(puzzle.givens), pencilmarks=None)


def _made_for(puzzle: Puzzle) -> str:
    """Return the board and the constraints, which a model and its data must share, as a string of MiniZinc."""
    _, *lines = (*board_comments(puzzle.geometry), *given_comments(_without_cells(puzzle)))
    text = ascii("; ".join(lines))[1:-1]
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _allowed(puzzle: Puzzle, candidates: Candidates, name: str) -> Iterator[bytes]:
    """Yield the item with the values of each cell."""
    yield f"{_CELLS}{name.format(_SETS)} = [\n".encode("ascii")
    yield from joined(_domains(puzzle.extended.geometry, candidates))
    yield b"];\n"


def _model(form: str, puzzle: Puzzle, candidates: Candidates, allowed: Iterable[bytes]) -> Iterator[bytes]:
    """Write a model with the item, or the declaration, of the values that each cell may hold."""
    low = lower_puzzle(puzzle)
    board = low.puzzle.geometry
    names = _names(board)
    yield heading("%", form, puzzle, "x[i] is the value of cell i, from 1 in reading order")
    yield b'\ninclude "all_different.mzn";\n\n% ---- Data ----\n\n'
    yield f"int: n_cells = {board.n_cells};\nint: n_values = {board.n_values};\n".encode("ascii")
    yield f"int: line_length = {board.shape[-1]};\n\n".encode("ascii")
    yield from allowed
    yield b"\n% The cells of each unit, a unit a line.\n"
    for name, rule in zip(names, board.rules, strict=True):
        yield f"array[int, int] of 1..n_cells: {name} = [|\n".encode("ascii")
        yield from lines("  " + ", ".join(["%d"] * rule.units.shape[1]) + " |\n", rule.units + 1)
        yield b"|];\n"
    yield _MODEL.encode("ascii")
    yield "".join(f"constraint units_differ({name});\n" for name in names).encode("ascii")
    if low.primitives:
        yield b'\n% ---- Constraints ----\n\ninclude "table.mzn";\ninclude "regular.mzn";\n\n'
        yield from joined(
            _constraint(primitive, board.n_values)
            for primitive in expanded(low.primitives, board.n_values, (Count, SameCounts))
        )
        yield from joined(_regions(low, candidates))
    yield _END.encode("ascii")


def _names(board: Geometry) -> list[str]:
    """Return a legal name for the units of each rule. The suffix keeps clear of keywords and of the function `row`."""
    words = [re.sub(r"[^A-Za-z0-9]+", "_", rule.name) for rule in board.rules]
    names = [f"{word if word[:1].isalpha() else f'rule_{word}'}_units" for word in words]
    alike = len(set(names)) < len(names)
    return [f"{name}_{number}" for number, name in enumerate(names, 1)] if alike else names


def _domains(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield the domain of each cell, with a line for each line of the board."""
    last, full = board.shape[-1] - 1, f"1..{board.n_values}"
    for cell, values in enumerate(cell_values(candidates)):
        column = cell % board.shape[-1]
        domain = full if len(values) == board.n_values else "{" + ",".join(map(str, values)) + "}"
        yield f"{'' if column else '  '}{domain},{' ' if column < last else chr(10)}"


def _constraint(primitive: Primitive, n: int) -> str:
    """Return the constraint of a primitive other than `Unit` and `Domain`."""
    if isinstance(primitive, Sum):
        terms = zip(primitive.cells, primitive.coefficients, strict=True)
        return f"constraint {' + '.join(_term(cell, factor) for cell, factor in terms)} = {primitive.total};\n"
    if isinstance(primitive, EqualSums):
        first, *others = (" + ".join(_term(cell, 1) for cell in part) for part in primitive.parts)
        return "".join(f"constraint {first} = {other};\n" for other in others)
    if isinstance(primitive, Count):
        numbers = ", ".join(
            str(number) for number in range(len(primitive.cells) + 1) if primitive.numbers >> number & 1
        )
        return f"constraint {_times(primitive.cells, primitive.value)} in {{{numbers}}};\n"
    if isinstance(primitive, SameCounts):
        pairs_of_parts = product(primitive.parts[:1], primitive.parts[1:], range(1, n + 1))
        return "".join(f"constraint {_times(a, value)} = {_times(b, value)};\n" for a, b, value in pairs_of_parts)
    if isinstance(primitive, Relation):
        pairs = [f"{a}, {b}" for a, allowed in enumerate(primitive.allowed, 1) for b in values_in(allowed)]
        cells = f"[x[{primitive.first + 1}], x[{primitive.second + 1}]]"
        return f"constraint table({cells}, [| {' | '.join(pairs)} |]);\n" if pairs else "constraint false;\n"
    if isinstance(primitive, Clause):
        literals = [f"x[{cell + 1}] {'=' if value > 0 else '!='} {abs(value)}" for cell, value in primitive.literals]
        return "constraint " + (" \\/ ".join(literals) or "false") + ";\n"
    return _automaton(primitive, n) if isinstance(primitive, Automaton) else ""


def _regions(low: LoweredPuzzle, candidates: Candidates) -> Iterator[str]:
    """Yield the auxiliary variables and the clauses of regions, connected cells and runs."""
    clauses, n_variables = region_clauses(low, candidates)
    n, first = candidates.shape[1], candidates.size + 1
    if n_variables >= first:
        yield f"\n% Auxiliary: the cells determine them.\narray[{first}..{n_variables}] of var bool: auxiliary;\n"
    for clause in clauses:
        literals = []
        for literal in clause:
            cell, value = divmod(abs(literal) - 1, n)
            if abs(literal) >= first:
                literals.append(f"{'' if literal > 0 else 'not '}auxiliary[{abs(literal)}]")
            else:
                literals.append(f"x[{cell + 1}] {'=' if literal > 0 else '!='} {value + 1}")
        yield "constraint " + (" \\/ ".join(literals) or "false") + ";\n"


def _times(cells: Sequence[int], value: int) -> str:
    """Return how many of some cells hold a value."""
    return f"sum([{', '.join(f'x[{cell + 1}] = {value}' for cell in cells)}])"


def _term(cell: int, factor: int) -> str:
    return f"x[{cell + 1}]" if factor == 1 else f"{factor}*x[{cell + 1}]"


def _automaton(automaton: Automaton, n: int) -> str:
    """Return an automaton whose states are those of all layers in order, from 1; 0 means no transition."""
    sizes = [1, *(1 + max(after for _, _, after in layer) for layer in automaton.layers)]
    rows = [[0] * n for _ in range(sum(sizes))]
    first = 0
    for size, layer in zip(sizes, automaton.layers, strict=False):
        for before, value, after in layer:
            rows[first + before][value - 1] = first + size + after + 1
        first += size
    cells = ", ".join(f"x[{cell + 1}]" for cell in automaton.cells)
    moves = " | ".join(", ".join(map(str, row)) for row in rows)
    return f"constraint regular([{cells}], {len(rows)}, {n}, [| {moves} |], 1, {{{len(rows)}}});\n"


# Output of MiniZinc: one solution, or several with -a or -n.

_SEPARATOR, _ALL_FOUND = "-" * 10, "=" * 10
_CLAIMS = {
    "=====UNSATISFIABLE=====": False,
    "=====UNKNOWN=====": None,
    "=====ERROR=====": None,
    "=====UNBOUNDED=====": None,
    "=====UNSATorUNBOUNDED=====": None,
}
# The array as --output-mode dzn and json write it; else the output is the numbers alone.
_ARRAY = re.compile(r'(?:^|[{,;\s])"?x"?\s*[=:]\s*(?:array1d\([^,()]*,\s*)?\[([^][]*)\]')
# The beginning of a grid whose end is missing.
_BEGUN = re.compile(r'[{\s]*"?x?"?\s*[=:]*\s*(?:array1d\([0-9. ]*,?\s*)?\[?[-+0-9\s,]*[]);}\s]*')


def read(model: str, output: str) -> Answer:
    """Read the grids, each with a line of ten dashes after it, and `=====UNSATISFIABLE=====` or the like.

    Raises:
        FormatError: a word is not a number, or there is not one number for each cell.
    """
    return read_grids(model, "%", output)


def read_grids(model: str, mark: str, output: str) -> Answer:
    """Read grids that are printed as MiniZinc does; the mark begins the comments of the model."""
    puzzle, source = read_heading(model, mark), files.source_name(output)
    grids: list[list[int]] = []
    claims: set[bool | None] = set()
    lines: list[str] = []
    start = 1
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if text == _SEPARATOR:
            grids.append(_values("".join(lines), puzzle.geometry.n_cells, source, start))
            lines, start = [], number + 1
        elif text in _CLAIMS:
            claims.add(_CLAIMS[text])
        elif text and text != _ALL_FOUND and not text.startswith("%"):
            start = start if lines else number
            lines.append(line)
    if len(claims) > 1:
        raise FormatError("the answer contradicts itself", source)
    if lines and not _BEGUN.fullmatch("".join(lines)):
        raise FormatError(f"{short(lines[0].strip())!r} is not a grid of this model", source, start)
    claim = claims.pop() if claims else None
    return from_values(puzzle, claim, grids, f"no line {_SEPARATOR} follows it" if lines else "")


def _values(text: str, n_cells: int, source: str, number: int) -> list[int]:
    array = _ARRAY.search(text)
    words = (array[1].replace(",", " ") if array else text).split()
    values = [integer(word, source, number) for word in words]
    if len(values) != n_cells:
        raise FormatError(f"{len(values)} values for the {n_cells} cells of this model", source, number)
    return values
