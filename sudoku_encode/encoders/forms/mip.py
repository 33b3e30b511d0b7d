"""A 0/1 program as MPS or LP, by the writers of OR-Tools, and the solution files of solvers.

Source: Bartlett et al. 2008.
Differs: any board, and constraints; candidates that givens exclude can be left out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import Any

import numpy as np

from sudoku_encode.encoders.answers import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import (
    CHUNK_CHARACTERS,
    Numbers,
    cell_variables,
    heading,
    integer,
    numbered_rules,
    numbering,
    read_heading,
    unit_numbering,
    unit_variables,
)
from sudoku_encode.encoders.forms.linear import Linear, auxiliary, linear
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files


def mip_mps(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the 0/1 program as free-format MPS."""
    low = lower_puzzle(puzzle)
    board, more = low.puzzle.geometry, linear(low, candidates)
    yield _heading("*", "mps", puzzle, board, auxiliary(more, candidates, "y_"))
    yield from _chunks(_program(board, candidates, more).export_to_mps_string())


def mip_lp(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the 0/1 program as CPLEX LP."""
    low = lower_puzzle(puzzle)
    board, more = low.puzzle.geometry, linear(low, candidates)
    yield _heading("\\", "lp", puzzle, board, auxiliary(more, candidates, "y_"))
    text = _program(board, candidates, more).export_to_lp_string()
    # GLPK refuses the empty objective that OR-Tools writes.
    yield from _chunks(text.replace("\n Obj: \n", "\n Obj: 0 x_1\n", 1))


def _heading(mark: str, form: str, puzzle: Puzzle, board: Geometry, more: tuple[str, ...]) -> bytes:
    rows = f"row cC: cell C; row uU_V: value V in unit U; {unit_numbering(board)}"
    return heading(mark, form, puzzle, numbering(board, "x_N"), rows, *more)


def _chunks(text: str) -> Iterator[bytes]:
    text = text.strip() + "\n"
    for start in range(0, len(text), CHUNK_CHARACTERS):
        yield text[start : start + CHUNK_CHARACTERS].encode("ascii")


def _program(board: Geometry, candidates: Candidates, more: Linear) -> Any:
    """Return the program as OR-Tools holds it; an excluded candidate is a variable with the upper bound 0."""
    from ortools.linear_solver.python import model_builder

    n = board.n_values
    # Any: the constructor carries no types.
    builder: Any = model_builder
    model = builder.Model()
    model.name = "sudoku"
    # Faster than the operators on expressions, by a factor of ten.
    helper = model.helper
    extra = [True] * (more.n_variables - candidates.size)
    for number, allowed in enumerate([*candidates.ravel().tolist(), *extra], 1):
        variable = helper.add_var()
        helper.set_var_name(variable, f"{'x' if number <= candidates.size else 'y'}_{number}")
        helper.set_var_integrality(variable, True)
        helper.set_var_lower_bound(variable, 0.0)
        helper.set_var_upper_bound(variable, float(allowed))
    _add_rows(helper, [f"c{cell}" for cell in range(board.n_cells)], cell_variables(board), True)
    for first, rule in numbered_rules(board):
        units = range(first, first + len(rule.units))
        names = [f"u{unit}_{value}" for unit in units for value in range(1, n + 1)]
        _add_rows(helper, names, unit_variables(rule, n), rule.units.shape[1] == n)
    _add_linear(helper, more)
    return model


def _add_linear(helper: Any, more: Linear) -> None:
    """Add the constraints other than units."""
    for number, row in enumerate(more.rows()):
        added = helper.add_linear_constraint()
        helper.set_constraint_name(added, f"k{number}")
        helper.set_constraint_lower_bound(added, float(row.bound))
        helper.set_constraint_upper_bound(added, float(row.bound) if row.is_equality else inf)
        for coefficient, variable in zip(row.coefficients, row.variables, strict=True):
            helper.add_term_to_constraint(added, variable - 1, float(coefficient))


def _add_rows(helper: Any, names: list[str], variables: Numbers, exactly: bool) -> None:
    """Add one row for each row of variables: exactly one of them, or at most one."""
    for name, row in zip(names, variables, strict=True):
        added = helper.add_linear_constraint()
        helper.set_constraint_name(added, name)
        helper.set_constraint_lower_bound(added, 1.0 if exactly else -inf)
        helper.set_constraint_upper_bound(added, 1.0)
        for variable in row.tolist():
            helper.add_term_to_constraint(added, variable - 1, 1.0)


# Solution files of solvers.
#
# Tested with glpsol 5.0 (-w and -o), CBC 2.10 (`solu`), HiGHS 1.15 and 1.16 (raw, sparse and both styles of glpsol),
# SCIP 10 (`write solution`). A file of Gurobi has the same lines, a name and its value.

# How far from 0 or 1 a value may be: solvers take 1e-5 to 1e-9 for whole.
TOLERANCE = 1e-5
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
# A variable and its value, after its column and a mark in some files: `0 x_1 1 0`, `1 x_1 * 1 0 1`.
_PAIR = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?x_([1-9][0-9]{0,8})\s+(?:\*\s+)?(\S+)(?:\s.*)?")
# An auxiliary variable of constraints.
_AUXILIARY = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?y_[0-9]{1,9}\s+(?:\*\s+)?[-+0-9.eE]+(?:\s.*)?")
_OTHER_PAIR = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?[A-Za-z_][^\s:]*\s+(?:\*\s+)?[-+0-9.eE]+(?:\s.*)?")

# The status, after which glpsol and CBC write values even where there is no solution. In a file of HiGHS it follows its
# heading; elsewhere such words are the status of the values, not of the program.
_SATISFIABLE = re.compile(
    "Model status: Optimal|Optimal - objective value .*|solution status: optimal solution found"
    "|Status: +INTEGER (?:OPTIMAL|NON-OPTIMAL)"
)
_UNSATISFIABLE = re.compile(
    "Model status: Infeasible|(?:Infeasible|Integer infeasible) - objective value .*|solution status: infeasible"
    "|Status: +INTEGER EMPTY"
)
# Other lines of these programs.
_PASSED_OVER = re.compile(
    r"#.*|c(?: .*)?|None|Feasible|Infeasible|Model status.*|Objective .*|objective value: .*|solution status: .*"
    r"|no solution available|(?:Stopped|Unbounded)[^:]* - objective value .*"
    r"|(?:Problem|Rows|Columns|Non-zeros|Objective|Status): .*|Problem:|No\. +(?:Row|Column) name .*|-{6} -+ .*"
)
_RELAXED = re.compile(r"s (?:bas|ipt) .*|Status: +(?:OPTIMAL|FEASIBLE|UNDEFINED|INFEASIBLE.*|UNBOUNDED)")


@dataclass
class _SolutionFile:
    """The content of a solution file, as far as it is read."""

    claims: set[bool] = field(default_factory=set)
    values: dict[int, float] = field(default_factory=dict)
    cut_off: str = ""


def read(model: str, output: str) -> Answer:
    """Read the output of a solver of integer programs: its status and the values of variables; missing ones are 0.

    Raises:
        FormatError: no such file, a value that is neither 0 nor 1, a variable twice, two statuses.
    """
    # The two forms begin their comments differently.
    first = next(files.read_lines(model), "")
    puzzle, source = read_heading(model, first[:1]), files.source_name(output)
    numbered = _lines(output)
    solution = _SolutionFile()
    head = list(_up_to_kind(numbered))
    last = head[-1][1] if head else ""
    if last.startswith("s mip "):
        _read_columns(chain(head[-1:], numbered), solution, source, puzzle)
    else:
        _read_pairs(chain(head, numbered), solution, source)
    if len(solution.claims) > 1:
        raise FormatError("the file has two statuses that contradict each other", source)
    return _answer(puzzle, solution, source)


def _lines(output: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers; HiGHS's status is joined to its heading."""
    heading = ""
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if text == "Model status":
            heading = "Model status: "
        elif text:
            yield number, heading + text
            heading = ""


def _up_to_kind(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines up to the first that is not a comment, which tells the kind of file."""
    for number, line in lines:
        yield number, line
        if line != "c" and not line.startswith("c "):
            return


def _read_columns(lines: Iterator[tuple[int, str]], solution: _SolutionFile, source: str, puzzle: Puzzle) -> None:
    """Read the output of glpsol -w: `s mip ROWS COLUMNS STATUS OBJECTIVE`, `i ROW VALUE`, `j COLUMN VALUE`, `e o f`."""
    # With constraints, the columns after those of the cells are auxiliary variables.
    number, line = next(lines)
    words = line.split()
    if len(words) != 6 or words[4] not in "ofnu":
        raise FormatError(f"{short(line)!r} is not a status of glpsol", source, number)
    solution.claims |= {"o": {True}, "f": {True}, "n": {False}, "u": set[bool]()}[words[4]]
    for number, line in lines:
        if line == "e o f":
            break
        pair = re.fullmatch(r"[ij] ([1-9][0-9]{0,8}) (\S+)", line)
        if not pair:
            raise FormatError(f"{short(line)!r} is not a line of a solution of glpsol -w", source, number)
        if line[0] == "j" and not (puzzle.constraints and int(pair[1]) > puzzle.candidates.size):
            _add(solution, int(pair[1]), pair[2], source, number)
    else:
        solution.cut_off = "it does not end with `e o f`"


def _read_pairs(lines: Iterator[tuple[int, str]], solution: _SolutionFile, source: str) -> None:
    """Read the output of other solvers: a status, then lines of a name and its value."""
    columns, others, listed = 0, 0, False
    for number, line in lines:
        pair = _PAIR.fullmatch(line)
        if pair:
            _add(solution, int(pair[1]), pair[2], source, number)
        elif line.startswith(("# Rows", "# Dual")) or (listed and line.startswith("Integer feasib")):
            # Next are the rows or the accuracy, and in programs that are not integer the columns again.
            listed = False
            break
        elif _RELAXED.fullmatch(line):
            raise FormatError("this is a solution of the relaxation: solve it as an integer program", source, number)
        elif line.startswith("# Columns "):
            # HiGHS 1.16 writes `# Columns -16 sparse` where 1.15 wrote `# Columns -16`.
            columns = abs(integer(line[10:].removesuffix(" sparse"), source, number))
        elif _AUXILIARY.fullmatch(line):
            others += 1
        elif not _is_status(line, solution) and not _PASSED_OVER.fullmatch(line) and not _OTHER_PAIR.fullmatch(line):
            raise FormatError(f"{short(line)!r} is not a line of a solution of an integer program", source, number)
        listed |= line.startswith("No. ") and "Column name" in line
    if len(solution.values) + others < columns:
        solution.cut_off = f"it has {len(solution.values) + others} of {columns} columns"
    elif listed:
        solution.cut_off = "the list of columns has no end"


def _is_status(line: str, solution: _SolutionFile) -> bool:
    """Read a line with the status; return whether it is one."""
    claims = {claim for claim, words in ((True, _SATISFIABLE), (False, _UNSATISFIABLE)) if words.fullmatch(line)}
    solution.claims |= claims
    return bool(claims)


def _add(solution: _SolutionFile, variable: int, value: str, source: str, number: int) -> None:
    if variable in solution.values:
        raise FormatError(f"x_{variable} has two values", source, number)
    if not _NUMBER.fullmatch(value):
        raise FormatError(f"{short(value)!r} is not a value of x_{variable}", source, number)
    solution.values[variable] = float(value)


def _answer(puzzle: Puzzle, solution: _SolutionFile, source: str) -> Answer:
    claim = solution.claims.pop() if solution.claims else None
    n, shape = puzzle.candidates.size, puzzle.candidates.shape
    strange = next((variable for variable in solution.values if variable > n), 0)
    if strange:
        raise FormatError(f"x_{strange} is out of range: this model has {n} variables", source)
    truth, named = (np.zeros(n, bool) for _ in range(2))
    for variable, value in solution.values.items():
        truth[variable - 1], named[variable - 1] = value > TOLERANCE, True
        if min(abs(value), abs(value - 1)) > TOLERANCE and claim is not False:
            raise FormatError(
                f"x_{variable} is {value:g}, which is neither 0 nor 1 to within {TOLERANCE:g}: was it solved as an "
                "integer program?",
                source,
            )
    cell_values = truth.reshape(shape)
    if claim is False:
        # Some programs write values even without a solution; a real solution would contradict the status.
        is_solution = not any(model.faults for model in from_truth(puzzle, claim, [cell_values]).models)
        return from_truth(puzzle, claim, [cell_values] if is_solution else [])
    missing = first_missing(puzzle, cell_values, named.reshape(shape)) if solution.values else ""
    cut_off = solution.cut_off or (f"{missing} has no variable at 1" if missing else "")
    return from_truth(puzzle, claim, [] if cut_off or not solution.values else [cell_values], cut_off)
