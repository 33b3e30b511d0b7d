"""The variables of cells in a CP-SAT model, and the constraints on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.puzzles.arrays import frozen
from sudoku_encode.puzzles.constraints.primitives import (
    Count,
    EqualSums,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    primitive_cells,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr


class CellVariables:
    """The cells of a CP-SAT model as integers and as Booleans; those that it lacks are added on first use.

    Attributes:
        model: the `CpModel` of OR-Tools.
        candidates: bool (n_cells, n_values): the values that a cell may have in the model.
        numbers: int64, the number of the variable by cell, or by cell and value from 0, as the model was made; -1 for
            no variable, if it is decided.
    """

    def __init__(self, board: Geometry, model: "CpModel", reduced: Reduction, numbers: NDArray[np.int64]) -> None:
        self.model, self.candidates, self.numbers = model, frozen(reduced.candidates), frozen(numbers)
        self._board = board
        self._integers: dict[int, IntVar] = {}
        self._booleans: dict[tuple[int, int], IntVar] = {}

    @property
    def are_integers(self) -> bool:
        """Whether the model was made with an integer for each cell."""
        return self.numbers.ndim == 1

    def integer(self, cell: int) -> "IntVar":
        """Return the integer of a cell; a constant if the cell has no variables."""
        if self.are_integers:
            return self.model.get_int_var_from_proto_index(int(self.numbers[cell]))
        if cell not in self._integers:
            n, values = self.candidates.shape[1], np.flatnonzero(self.candidates[cell]).tolist()
            if len(values) == 1:
                self._integers[cell] = self.model.new_constant(values[0] + 1)
            else:
                integer = self._integers[cell] = self.model.new_int_var(1, n, self._board.cell_name(cell))
                self.model.add(integer == self.value(cell))
        return self._integers[cell]

    def literal(self, cell: int, value: int) -> "IntVar":
        """Return the Boolean that is true if a cell holds a value, from 0; a constant if that is decided."""
        if not self.are_integers and self.numbers[cell, value] >= 0:
            return self.model.get_bool_var_from_proto_index(int(self.numbers[cell, value]))
        if not self.are_integers or not self.candidates[cell, value] or self.candidates[cell].sum() == 1:
            return self.model.new_constant(int(self.candidates[cell, value]))
        return self._boolean_of_integer(cell, value)

    def _boolean_of_integer(self, cell: int, value: int) -> "IntVar":
        if (cell, value) not in self._booleans:
            name = f"{self._board.cell_name(cell)}={value + self._board.first}"
            integer, boolean = self.integer(cell), self.model.new_bool_var(name)
            self.model.add(integer == value + 1).only_enforce_if(boolean)
            self.model.add(integer != value + 1).only_enforce_if(~boolean)
            self._booleans[cell, value] = boolean
        return self._booleans[cell, value]

    def value(self, cell: int) -> "LinearExpr | int":
        """Return the value of a cell as an expression, or as a number if it is decided, without a new variable."""
        if self.are_integers:
            return self.integer(cell)
        values = np.flatnonzero(self.candidates[cell]).tolist()
        # The sum is 0 for a cell without candidates; then the model has no solution, by another constraint.
        return sum((value + 1) * self._boolean(cell, value) for value in values)

    def booleans(self, cell: int) -> "dict[int, IntVar]":
        """Return the Boolean of each candidate (from 0) of a cell; none of a decided cell in a model of Booleans."""
        values = np.flatnonzero(self.candidates[cell]).tolist()
        if self.are_integers:
            return {value: self._boolean_of_integer(cell, value) for value in values}
        return {value: self.literal(cell, value) for value in values if self.numbers[cell, value] >= 0}

    def count(self, cells: Sequence[int], value: int) -> "LinearExpr | int":
        """Return how many of some cells hold a value: an expression, or a number if that is decided."""
        if self.are_integers:
            return sum(self.booleans(cell).get(value - 1, 0) for cell in cells)
        return sum(self._boolean(cell, value - 1) for cell in cells if self.candidates[cell, value - 1])

    def _boolean(self, cell: int, value: int) -> "IntVar | int":
        """Return the Boolean of a candidate in a model of Booleans; 1 if the cell is decided."""
        return 1 if self.numbers[cell, value] < 0 else self.literal(cell, value)


# Primitives of constraints: sums, counts and relations of integers are native, the others are clauses. Automata never
# use `add_automaton`, with which CP-SAT 9.15 repeats solutions when it lists all.


def add_primitives(cells: CellVariables, primitives: Sequence[Primitive], reduced: Reduction) -> None:
    """Add primitives, without `Unit` and `Domain`, to the model of some cells."""
    model, n = cells.model, reduced.candidates.shape[1]
    as_clauses: list[Primitive] = []
    for primitive in primitives:
        if isinstance(primitive, Count):
            numbers = [number for number in range(len(primitive.cells) + 1) if primitive.numbers >> number & 1]
            _add_in_domain(model, cells.count(primitive.cells, primitive.value), numbers)
        elif isinstance(primitive, SameCounts):
            for value in range(1, n + 1):
                first, *others = (cells.count(part, value) for part in primitive.parts)
                for other in others:
                    _add_in_domain(model, first - other, [0])
        elif isinstance(primitive, Sum):
            terms = zip(primitive.cells, primitive.coefficients, strict=True)
            model.add(sum(coefficient * cells.value(cell) for cell, coefficient in terms) == primitive.total)
        elif isinstance(primitive, EqualSums):
            first, *others = (sum(cells.value(cell) for cell in part) for part in primitive.parts)
            for other in others:
                model.add(first == other)
        elif isinstance(primitive, Relation) and cells.are_integers:
            ends = (cells.value(primitive.first), cells.value(primitive.second))
            pairs = [(a, b) for a, allowed in enumerate(primitive.allowed, 1) for b in values_in(allowed)]
            model.add_allowed_assignments(ends, pairs) if pairs else model.add_bool_or([])
        else:
            as_clauses.append(primitive)
    if as_clauses:
        _add_clauses(cells, expanded(as_clauses, n), reduced)


def _add_in_domain(model: "CpModel", amount: "LinearExpr | int", allowed: Sequence[int]) -> None:
    """Add that an amount, which may be a number already, is an allowed one."""
    from ortools.sat.python import cp_model

    if isinstance(amount, int):
        if amount not in allowed:
            model.add_bool_or([])
    else:
        model.add_linear_expression_in_domain(amount, cp_model.Domain.from_values(allowed))


def _add_clauses(cells: CellVariables, primitives: Sequence[Primitive], reduced: Reduction) -> None:
    model = cells.model
    x = np.zeros(reduced.candidates.shape, np.int32)
    literals: list[IntVar] = []
    for cell in sorted({cell for primitive in primitives for cell in primitive_cells(primitive)}):
        for value, boolean in cells.booleans(cell).items():
            literals.append(boolean)
            x[cell, value] = len(literals)
    groups, n_variables, possible = constraint_groups(primitives, reduced, x, len(literals))
    if not possible:
        model.add_bool_or([])
        return
    literals += [model.new_bool_var(f"auxiliary {number}") for number in range(len(literals) + 1, n_variables + 1)]
    for group in groups:
        for chunk in group.chunks():
            for clause in chunk.tolist():
                model.add_bool_or(
                    [literals[literal - 1] if literal > 0 else ~literals[-literal - 1] for literal in clause]
                )
