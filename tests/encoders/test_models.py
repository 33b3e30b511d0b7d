"""Each form of a model, with each reduction, has the solutions of its puzzle by solvers of others: none where none is.

What decides a case is the file, read by a solver or a reader of a few lines, and `model_cases`, which tries all values.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ortools.sat.python import cp_model
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.encoders.encoding import unsupported_reason
from sudoku_encode.encoders.model_files import ModelOptions, save_models
from sudoku_encode.encoders.table import DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS, REDUCTIONS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from tests.helpers.form_cases import HIGHS
from tests.helpers.icnf_files import read as read_icnf
from tests.helpers.model_cases import BOARDS, MOST_SOLUTIONS, PLAIN, Grid, cases
from tests.helpers.plain_search import colourings

# Of a list that a solver repeats or goes on with for ever no more is looked at.
MOST = 2 * MOST_SOLUTIONS


def clauses_grids(encoding: se.Encoding, clauses: Sequence[list[int]], cube: Sequence[int] = ()) -> Iterator[Grid]:
    """Yield the grids of all models of clauses, with literals assumed, by what the comments say of the variables."""
    with Solver("cadical195", bootstrap_with=[*clauses, *([literal] for literal in cube)]) as solver:
        # Of a formula without a variable the blocking clauses are two that contradict each other.
        while solver.solve():
            model = [literal for literal in solver.get_model() if abs(literal) <= encoding.cnf.n_variables]
            grid = encoding.decode(model).values
            yield tuple(grid.tolist())
            solver.append_formula(encoding.blocking([grid]) if grid.all() else [[1], [-1]])


def cnf_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    yield from clauses_grids(load_encoding(path), CNF(from_file=str(path)).clauses)


def icnf_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    clauses, cubes = read_icnf(path)
    for cube in cubes:
        yield from clauses_grids(load_encoding(path), clauses, cube)


class Listing(cp_model.CpSolverSolutionCallback):
    """All solutions of a CP-SAT model, as the values of its variables."""

    def __init__(self) -> None:
        super().__init__()
        self.solutions: list[list[int]] = []

    def on_solution_callback(self) -> None:
        self.solutions.append(list(self.response_proto.solution))
        if len(self.solutions) > MOST:
            self.stop_search()


def listed(model: cp_model.CpModel) -> list[list[int]]:
    solver, listing = cp_model.CpSolver(), Listing()
    solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
    assert solver.solve(model, listing) in (cp_model.OPTIMAL, cp_model.INFEASIBLE, cp_model.FEASIBLE)
    return listing.solutions


def cp_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    """Yield grids by the names of the variables, `r1c1` or `r1c1=5`, and the cells that the comments decide."""
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(path.read_text(encoding="utf-8"))
    names = [variable.name.partition("=")[::2] for variable in model.proto.variables]
    # A model with an integer for each cell may have Booleans of cells besides.
    has_integers = any(cell in puzzle.geometry.cell_numbers and not value for cell, value in names)
    decided = re.findall(r"^cell (\w+) = (\d+)$", model.proto.name, re.M)
    for solution in listed(model):
        value_of = {cell: int(value) for cell, value in decided}
        for (cell, value), number in zip(names, solution, strict=True):
            if cell in puzzle.geometry.cell_numbers and number and has_integers == (not value):
                assert cell not in value_of
                value_of[cell] = int(value or number)
        yield tuple(value_of.get(name, 0) for name in puzzle.geometry.cell_names)


def opb_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    """Yield grids by CP-SAT, from the lines of a file."""
    model, variables = cp_model.CpModel(), dict[str, Any]()
    for line in path.read_text(encoding="ascii").splitlines():
        if not line.startswith("*"):
            *terms, relation, bound, _ = line.split()
            pairs = list(zip(terms[1::2], map(int, terms[::2]), strict=True))
            for name in {name for name, _ in pairs} - variables.keys():
                variables[name] = model.new_bool_var(name)
            total = sum(factor * variables[name] for name, factor in pairs)
            model.add(total == int(bound) if relation == "=" else total >= int(bound))
    names = list(variables)
    for solution in listed(model):
        yield variables_grid(puzzle, [int(name[1:]) for name, true in zip(names, solution, strict=True) if true])


def variables_grid(puzzle: Puzzle, true: list[int]) -> Grid:
    """Return the grid of the true variables, of which number N is (cell, value) with N = cell * n + value."""
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    cells = sorted(number for number in true if number <= n_cells * n)
    assert [(number - 1) // n for number in cells] == list(range(n_cells))
    return tuple((number - 1) % n + 1 for number in cells)


def smt_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    import z3

    solver = z3.SolverFor("QF_BV")
    solver.add(z3.parse_smt2_string(path.read_text(encoding="ascii").replace("(check-sat)\n(get-model)\n", "")))
    cells = [z3.BitVec(f"c{cell}", puzzle.geometry.n_values.bit_length()) for cell in range(puzzle.geometry.n_cells)]
    for _ in range(MOST):
        if solver.check() != z3.sat:
            return
        model = solver.model()
        grid = tuple(model.eval(cell, model_completion=True).as_long() for cell in cells)
        yield grid
        solver.add(z3.Or([cell != value for cell, value in zip(cells, grid, strict=True)]))


def col_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    """Yield grids by trying colours; the colour of vertex n_cells + v is value v, where there are such vertices."""
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    edges = re.findall(r"^e (\d+) (\d+)$", path.read_text(encoding="ascii"), re.M)
    neighbours: list[set[int]] = [set() for _ in range(n_cells + n)]
    for first, second in ((int(first) - 1, int(second) - 1) for first, second in edges):
        neighbours[first].add(second)
        neighbours[second].add(first)
    for value in range(n):
        assert (
            not neighbours[n_cells + value]
            or set(range(n_cells, n_cells + n)) - {n_cells + value} <= neighbours[n_cells + value]
        )
    free = {
        cell: {value + 1 for value in range(n)} - {other - n_cells + 1 for other in neighbours[cell]}
        for cell in range(n_cells)
    }
    among_cells = [{other for other in others if other < n_cells} for others in neighbours[:n_cells]]
    yield from (tuple(colours[cell] for cell in range(n_cells)) for colours in colourings(among_cells, free))


def dlx_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    """Yield grids by Knuth's Algorithm X on sets."""
    items, *options = [line for line in path.read_text(encoding="ascii").splitlines() if line[0] != "|"]
    primary, _, secondary = items.partition(" | ")
    rows = [line.split() for line in options]
    columns: dict[str, set[int]] = {item: set() for item in [*primary.split(), *secondary.split()]}
    for number, row in enumerate(rows):
        for item in row:
            columns[item].add(number)

    def covers(open_items: set[str], usable: set[int]) -> Iterator[list[int]]:
        if not open_items:
            yield []
            return
        item = min(open_items, key=lambda item: len(columns[item] & usable))
        for number in sorted(columns[item] & usable):
            used = set().union(*(columns[item] for item in rows[number]))
            yield from ([number, *rest] for rest in covers(open_items - set(rows[number]), usable - used))

    # By its first unit an option names its value, and by its cell where that is.
    for cover in covers(set(primary.split()), set(range(len(rows)))):
        values = {int(rows[number][0][1:]): int(rows[number][1].partition(".")[2]) for number in cover}
        yield tuple(values[cell] for cell in range(puzzle.geometry.n_cells))


def mzn_grids(path: Path, puzzle: Puzzle) -> Iterator[Grid]:
    """Yield grids by trying values, from the data of a model without constraints."""
    text = path.read_text(encoding="ascii")
    allowed = re.search(r"allowed = \[\n(.*?)\];", text, re.S)
    assert allowed
    full = set(range(1, puzzle.geometry.n_values + 1))
    sets = [
        full if ".." in word else set(map(int, re.findall(r"\d+", word)))
        for word in re.findall(r"\{[\d,]*\}|1\.\.\d+", allowed[1])
    ]
    neighbours: list[set[int]] = [set() for _ in sets]
    names = re.findall(r"^constraint units_differ\((\w+)\);$", text, re.M)
    for name in names:
        units = re.search(rf"^array\[int, int\] of 1\.\.n_cells: {name} = \[\|\n(.*?)\|\];", text, re.S | re.M)
        assert units
        for line in units[1].splitlines():
            unit = {int(cell) - 1 for cell in re.findall(r"\d+", line)}
            for cell in unit:
                neighbours[cell] |= unit - {cell}
    assert text.count("\nconstraint ") == len(names) + 1
    for values in colourings(neighbours, dict(enumerate(sets))):
        yield tuple(values[cell] for cell in range(len(sets)))


READERS = {
    "cnf": cnf_grids,
    "icnf": icnf_grids,
    "cp-sat": cp_grids,
    "cp-sat-bool": cp_grids,
    "opb": opb_grids,
    "smt2": smt_grids,
    "col": col_grids,
    "dlx": dlx_grids,
    "mzn": mzn_grids,
}
NOT_ALL = {"col": PLAIN, "dlx": PLAIN, "mzn": PLAIN}


def some_reductions(number: int, name: str) -> Iterator[tuple[str, list[pytest.MarkDecorator]]]:
    """Yield a reduction, or two for a small board, others for the next number, and their marks."""
    is_small = name in ("4x4", "latin:2x3", "jigsaw", "killer")
    for at in range(1 + is_small):
        marks = [] if at == 0 and is_small else [pytest.mark.slow]
        yield list(REDUCTIONS)[(number + at) % len(REDUCTIONS)], marks


def saved(folder: Path, name: str, form: str, options: ModelOptions) -> list[Path]:
    """Write all puzzles on a board at once, as `encode` does into a folder."""
    suffix = MODEL_FORMATS[form].suffixes[0]
    paths = [folder / f"{number}{suffix}" for number, _ in enumerate(cases(name))]
    puzzles = [puzzle for _, puzzle, _ in cases(name)]
    assert len(list(save_models(puzzles, [str(path) for path in paths], form, options))) == len(puzzles)
    return paths


def assert_solutions(paths: list[Path], name: str, form: str, said: str) -> None:
    for path, (what, puzzle, solutions) in zip(paths, cases(name), strict=True):
        grids: list[Grid] = []
        for grid in READERS[form](path, puzzle):
            grids.append(grid)
            assert len(grids) <= MOST, f"{name}, {what}, {said}"
        assert sorted(grids) == sorted(solutions), f"{name}, {what}, {said}"


def test_all_forms_read() -> None:
    """Every form is read here, by test_forms_programs or by test_wcnf."""
    elsewhere = {"asp", "cpmpy", "dzn", "mzn-model", "xcsp3", "wcnf", "wcnf-old"}
    assert READERS.keys() | {"mps", "lp"} | elsewhere == MODEL_FORMATS.keys()


@pytest.mark.slow
def test_all_kinds_of_cases() -> None:
    """The cases are of all kinds."""
    kinds = {what for name in BOARDS for what, _, _ in cases(name)}
    assert len(kinds) == 10
    for name in BOARDS:
        assert sum(not solutions for _, _, solutions in cases(name)) >= 3
        assert max(len(solutions) for _, _, solutions in cases(name)) > 1
        for _, puzzle, solutions in cases(name):
            assert not any(list(violations(puzzle, np.array(grid))) for grid in solutions)


# What a reduction leaves is the same for all forms: on each board a form has other ones of them.
@pytest.mark.parametrize(
    ("form", "name", "reduction"),
    [
        pytest.param(form, name, reduction, marks=marks)
        for at, form in enumerate(READERS)
        if form != "cnf"
        for number, name in enumerate(NOT_ALL.get(form, BOARDS), at)
        for reduction, marks in some_reductions(number, name)
    ],
)
def test_models(form: str, name: str, reduction: str, tmp_path: Path) -> None:
    """A model has exactly the solutions of its puzzle."""
    if form == "smt2":
        pytest.importorskip("z3")
    options = ModelOptions(reduction=reduction, cubes=5 if form == "icnf" else None)
    assert_solutions(saved(tmp_path, name, form, options), name, form, reduction)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_cnfs(name: str, tmp_path: Path) -> None:
    """A CNF has exactly the solutions of its puzzle."""
    board, ways = lower_puzzle(cases(name)[0][1]).puzzle.geometry, list(AT_MOST_ONE)
    n_read = 0
    # On each board an encoding has another third of the reductions; the default has all of them.
    first = sorted(BOARDS).index(name)
    for number, (encoding, reduction) in enumerate(product(ENCODINGS, REDUCTIONS), first):
        if number % 3 and encoding != DEFAULT_ENCODING:
            continue
        row = ENCODINGS[encoding]
        amo = ways[number % len(ways)] if "amo" in row.options else None
        takes = "reduce" in row.options or reduction == "none"
        unfit = not takes or unsupported_reason(encoding, board) or (row.kind != "direct" and name not in PLAIN)
        if unfit:
            continue
        options = ModelOptions(encoding, reduction, amo, seed=number if number % 4 else None)
        assert_solutions(saved(tmp_path, name, "cnf", options), name, "cnf", f"{options}")
        n_read += 1
    assert n_read >= 2


@pytest.mark.slow
@pytest.mark.parametrize(("form", "reduction"), [("mps", "givens"), ("lp", "singles")])
def test_highs(form: str, reduction: str, tmp_path: Path) -> None:
    """HiGHS finds a solution of each program or that there is none."""
    if importlib.util.find_spec("highspy") is None:
        pytest.skip("highspy is not installed")
    files: list[Path] = []
    for number, name in enumerate(BOARDS):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        files += saved(folder, name, form, ModelOptions(reduction=reduction))
    asked = [(f"{name}, {what}", puzzle, grids) for name in BOARDS for what, puzzle, grids in cases(name)]
    said = tmp_path / "highs.jsonl"
    subprocess.run([sys.executable, "-c", HIGHS, said, *files], check=True, capture_output=True, timeout=300)
    answers = [json.loads(line) for line in said.read_text(encoding="ascii").splitlines()]
    for (case, puzzle, solutions), (is_read, _, _, status, true) in zip(asked, answers, strict=True):
        assert (is_read, status) == (True, "Optimal" if solutions else "Infeasible"), case
        assert not solutions or variables_grid(puzzle, true) in solutions, case


@pytest.mark.slow
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", [name for name in BOARDS if name not in PLAIN])
def test_minizinc_constraints(name: str, reduction: str, tmp_path: Path) -> None:
    """MiniZinc lists the solutions of a model with constraints."""
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")
    paths = saved(tmp_path, name, "mzn", ModelOptions(reduction=reduction))
    for path, (what, _, solutions) in zip(paths, cases(name), strict=True):
        if what in ("solvable", "clash"):
            command = ["minizinc", "--solver", "gecode", "-a", str(path)]
            *blocks, _ = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split(
                "----------\n"
            )
            assert sorted(tuple(map(int, block.split())) for block in blocks) == sorted(solutions), what


# The files of the same models have more of them.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reduction"), [(name, list(REDUCTIONS)[at % len(REDUCTIONS)]) for at, name in enumerate(BOARDS)]
)
def test_in_memory(name: str, reduction: str) -> None:
    """Models in memory have exactly the solutions of their puzzle."""
    for form, (what, puzzle, solutions) in product(("cp-sat", "cp-sat-bool"), cases(name)):
        encoded = se.cp_model(puzzle, form, reduction=reduction)
        grids = [tuple(grid.tolist()) for grid in _decoded(encoded)]
        assert sorted(grids) == sorted(solutions), f"{form}, {what}"
    for what, puzzle, solutions in cases(name):
        encoding = se.encode(puzzle, reduction=reduction)
        known = np.array(sorted(solutions), np.uint8).reshape(-1, puzzle.geometry.n_cells)
        with Solver(bootstrap_with=encoding.cnf) as solver:
            for grid in known.tolist():
                assumed = dict(enumerate(grid))
                assert solver.solve(encoding.assuming(assumed)), what
                assert encoding.decode(solver.get_model()).values.tolist() == grid
            solver.append_formula(encoding.blocking(known))
            assert not solver.solve(), what


def _decoded(encoded: CpModel) -> list[Grids]:
    """Return what `decode` says of each solution of a model, while it is listed."""

    class Decoding(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.grids: list[Grids] = []

        def on_solution_callback(self) -> None:
            self.grids.append(encoded.decode(self).values)
            if len(self.grids) > MOST:
                self.stop_search()

    solver, decoding = cp_model.CpSolver(), Decoding()
    solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
    solver.solve(encoded.model, decoding)
    return decoding.grids
