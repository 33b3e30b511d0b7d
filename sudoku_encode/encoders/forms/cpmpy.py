"""A Python program that builds the puzzle as a model of CPMpy, for changes of your own, and lists its solutions.

The program prints solutions as MiniZinc does, so that they are read in the same way.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from sudoku_encode.encoders.answers import Answer
from sudoku_encode.encoders.forms.common import CELL_NUMBERING, cell_values, heading, joined, region_clauses, sum_terms
from sudoku_encode.encoders.forms.minizinc import read_grids
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

_UNITS = """
# Cells of a unit differ.
for cells in units:
    model += cp.AllDifferent(x[cells])

# What each cell may hold, if not every value.
for cell, values in allowed.items():
    model += cp.InDomain(x[cell], values) if values else cp.BoolVal(False)
"""

_AUTOMATA = """

def add_automaton(cells, layers):
    \"\"\"Add an automaton that reads cells; a layer has the steps (state, value, next state), from state 0 to 0.\"\"\"
    # Steps as implications, since CP-SAT lists some solutions of a Regular constraint more than once.
    sizes = [1, *(1 + max(after for _, _, after in layer) for layer in layers)]
    states = [cp.intvar(0, size - 1) if size > 1 else None for size in sizes]
    for place, (cell, layer) in enumerate(zip(cells, layers)):
        steps = {(before, value): after for before, value, after in layer}
        for before in range(sizes[place]):
            for value in range(1, n_values + 1):
                here = x[cell] == value
                if states[place] is not None:
                    here = here & (states[place] == before)
                if (before, value) not in steps:
                    model.add(~here)
                elif states[place + 1] is not None:
                    model.add(here.implies(states[place + 1] == steps[before, value]))


"""

_MAIN = """

def show():
    \"\"\"Print a solution.\"\"\"
    values = x.value()
    for start in range(0, n_cells, line_length):
        print(*values[start : start + line_length])
    print("----------", flush=True)


if __name__ == "__main__":
    solver = cp.SolverLookup.get("ortools", model)
    # With several workers CP-SAT loses solutions when it lists all.
    n_solutions = solver.solveAll(display=show, num_workers=1)
    print("==========" if n_solutions else "=====UNSATISFIABLE=====")
"""


def cpmpy(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write a program with an integer variable for each cell; the model is named `model`, its variables `x`."""
    low = lower_puzzle(puzzle)
    board = low.puzzle.geometry
    yield heading("#", "cpmpy", puzzle, CELL_NUMBERING)
    sizes = f"n_cells, n_values, line_length = {board.n_cells}, {board.n_values}, {board.shape[-1]}"
    yield f"\nimport cpmpy as cp\n\n{sizes}\n".encode("ascii")
    yield b'x = cp.intvar(1, n_values, shape=(n_cells,), name="x")\n'
    yield b"# A solver gives values only to variables of constraints.\nmodel = cp.Model(x >= 1)\n\n"
    yield from joined(_data(board, candidates))
    yield _UNITS.encode("ascii")
    if low.primitives:
        yield from joined(_constraints(low, candidates))
    yield _MAIN.encode("ascii")


def _data(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield the units, a line each, and the values of each cell that may not hold every value."""
    yield "units = [\n"
    for rule in board.rules:
        yield f"    # {rule.name}\n" if rule.name.isascii() and rule.name.isprintable() else ""
        yield from (f"    {unit},\n" for unit in rule.units.tolist() if len(unit) > 1)
    yield "]\nallowed = {\n"
    for cell, values in enumerate(cell_values(candidates)):
        yield f"    {cell}: {values},\n" if len(values) < board.n_values else ""
    yield "}\n"


def _constraints(low: LoweredPuzzle, candidates: Candidates) -> Iterator[str]:
    """Yield the constraints other than units."""
    n = candidates.shape[1]
    primitives = expanded(low.primitives, n, (Count, SameCounts))
    yield _AUTOMATA if any(isinstance(primitive, Automaton) for primitive in primitives) else "\n"
    yield from (f"{line}\n" for primitive in primitives for line in _constraint(primitive, n))
    clauses, n_variables = region_clauses(low, candidates)
    if n_auxiliary := n_variables - candidates.size:
        yield f"# Auxiliary: the cells determine them.\nauxiliary = cp.boolvar(shape=({n_auxiliary},))\n"
    for clause in clauses:
        yield _clause([_literal(literal, n, candidates.size) for literal in clause]) + "\n"


def _constraint(primitive: Primitive, n: int) -> Iterator[str]:
    """Yield statements for a primitive other than `Unit`, `Domain` and regions."""
    if isinstance(primitive, Sum | EqualSums):
        for terms, total in sum_terms(primitive):
            products = (f"{factor} * x[{cell}]" if factor != 1 else f"x[{cell}]" for cell, factor in terms.items())
            yield f"model += {' + '.join(products)} == {total}"
    elif isinstance(primitive, Count):
        numbers = [number for number in range(len(primitive.cells) + 1) if primitive.numbers >> number & 1]
        yield f"model += cp.InDomain({_times(primitive.cells, primitive.value)}, {numbers})"
    elif isinstance(primitive, SameCounts):
        first, *others = primitive.parts
        for other, value in product(others, range(1, n + 1)):
            yield f"model += {_times(first, value)} == {_times(other, value)}"
    elif isinstance(primitive, Relation):
        pairs = [(a, b) for a, allowed in enumerate(primitive.allowed, 1) for b in values_in(allowed)]
        cells = f"[x[{primitive.first}], x[{primitive.second}]]"
        yield f"model += cp.Table({cells}, {pairs})" if pairs else _clause([])
    elif isinstance(primitive, Clause):
        yield _clause([f"x[{cell}] {'==' if value > 0 else '!='} {abs(value)}" for cell, value in primitive.literals])
    elif isinstance(primitive, Automaton):
        yield f"add_automaton({list(primitive.cells)}, {[list(layer) for layer in primitive.layers]})"


def _times(cells: Sequence[int], value: int) -> str:
    return f"cp.Count(x[{list(cells)}], {value})"


def _literal(literal: int, n: int, n_of_cells: int) -> str:
    """Return a literal of the clauses of regions."""
    if abs(literal) > n_of_cells:
        return f"{'' if literal > 0 else '~'}auxiliary[{abs(literal) - n_of_cells - 1}]"
    cell, value = divmod(abs(literal) - 1, n)
    return f"x[{cell}] {'==' if literal > 0 else '!='} {value + 1}"


def _clause(literals: Sequence[str]) -> str:
    return f"model += cp.any([{', '.join(literals)}])" if literals else "model += cp.BoolVal(False)"


def read(model: str, output: str) -> Answer:
    """Read the grids that the program prints; see `minizinc.read`."""
    return read_grids(model, "#", output)
