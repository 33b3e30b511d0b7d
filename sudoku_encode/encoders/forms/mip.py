"""A 0/1 program, as MPS or LP, through the writers of OR-Tools."""

from collections.abc import Iterator
from math import inf
from typing import Any

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.forms.common import (
    CHUNK_CHARACTERS,
    Numbers,
    cell_variables,
    heading,
    numbered_rules,
    numbering,
    unit_numbering,
    unit_variables,
)
from sudoku_encode.encoders.forms.linear import Linear, auxiliary, linear
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def mip_mps(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the 0/1 program as free-format MPS.

    Yields:
        The file, in chunks.
    """
    low = lowered(puzzle)
    board, more = low.puzzle.geometry, linear(low, candidates)
    yield _heading("*", "mps", puzzle, board, auxiliary(more, candidates, "y_"))
    yield from _chunks(_program(board, candidates, more).export_to_mps_string())


def mip_lp(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the 0/1 program as CPLEX LP.

    Yields:
        The file, in chunks.
    """
    low = lowered(puzzle)
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
    # Below the operators on expressions, which take ten times as long.
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
    """Add the constraints that are no units."""
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
