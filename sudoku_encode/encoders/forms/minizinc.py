"""MiniZinc: the data of the puzzle on top, then a model that any board shares."""

import re
from collections.abc import Iterator

from sudoku_encode.encoders.forms.common import cell_values, heading, joined, lines
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

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
    """Write one model file that needs no data file.

    Yields:
        The file, in chunks.
    """
    board = puzzle.geometry
    names = _names(board)
    yield heading("%", "mzn", puzzle, "x[i] is the value of cell i, from 1 in reading order")
    yield b'\ninclude "all_different.mzn";\n\n% ---- Data ----\n\n'
    yield f"int: n_cells = {board.n_cells};\nint: n_values = {board.n_values};\n".encode("ascii")
    yield f"int: line_length = {board.shape[-1]};\n\n% What each cell may hold.\n".encode("ascii")
    yield b"array[1..n_cells] of set of 1..n_values: allowed = [\n"
    yield from joined(_domains(board, candidates))
    yield b"];\n\n% The cells of each unit, a unit a line.\n"
    for name, rule in zip(names, board.rules, strict=True):
        yield f"array[int, int] of 1..n_cells: {name} = [|\n".encode("ascii")
        yield from lines("  " + ", ".join(["%d"] * rule.units.shape[1]) + " |\n", rule.units + 1)
        yield b"|];\n"
    yield _MODEL.encode("ascii")
    yield "".join(f"constraint units_differ({name});\n" for name in names).encode("ascii")
    yield _END.encode("ascii")


def _names(board: Geometry) -> list[str]:
    """Return a legal name for the units of each rule. The suffix keeps clear of keywords and of the function `row`."""
    words = [re.sub(r"[^A-Za-z0-9]+", "_", rule.name) for rule in board.rules]
    names = [f"{word if word[:1].isalpha() else f'rule_{word}'}_units" for word in words]
    alike = len(set(names)) < len(names)
    return [f"{name}_{number}" for number, name in enumerate(names, 1)] if alike else names


def _domains(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield what each cell may hold, a line of the board a line."""
    last, full = board.shape[-1] - 1, f"1..{board.n_values}"
    for cell, values in enumerate(cell_values(candidates)):
        at = cell % board.shape[-1]
        domain = full if len(values) == board.n_values else "{" + ",".join(map(str, values)) + "}"
        yield f"{'' if at else '  '}{domain},{' ' if at < last else chr(10)}"
