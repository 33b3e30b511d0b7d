"""Primitives of constraints in CP-SAT models: sums and relations of integers natively, the rest as clauses.

An automaton is its clauses, never `add_automaton`, with which CP-SAT 9.15 repeats solutions when it lists all.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.constraints.primitives import Automaton, Clause, EqualSums, Primitive, Relation, Sum, values_in
from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.reduction import Reduction


def add(model: Any, primitives: Sequence[Primitive], reduced: Reduction, variables: NDArray[np.int64]) -> None:
    """Add primitives to a model.

    Args:
        model: an `ortools.sat.python.cp_model.CpModel`.
        primitives: none are a `Unit` or `Allowed`.
        reduced: what is left of the cells.
        variables: as `CpModel.variables`.
    """
    cells = _Cells(model, reduced, variables)
    as_clauses: list[Primitive] = []
    for primitive in primitives:
        if isinstance(primitive, Sum):
            terms = zip(primitive.cells, primitive.coefficients, strict=True)
            model.add(sum(coefficient * cells.value(cell) for cell, coefficient in terms) == primitive.total)
        elif isinstance(primitive, EqualSums):
            first, *others = (sum(cells.value(cell) for cell in part) for part in primitive.parts)
            for other in others:
                model.add(first == other)
        elif isinstance(primitive, Relation) and variables.ndim == 1:
            ends = (cells.value(primitive.first), cells.value(primitive.second))
            pairs = [(a, b) for a, held in enumerate(primitive.allowed, 1) for b in values_in(held)]
            model.add_allowed_assignments(ends, pairs) if pairs else model.add_bool_or([])
        else:
            as_clauses.append(primitive)
    if as_clauses:
        _add_clauses(model, as_clauses, reduced, cells)


class _Cells:
    """The cells of a model as integers and as Booleans, which are made where they are needed."""

    def __init__(self, model: Any, reduced: Reduction, variables: NDArray[np.int64]) -> None:
        self.model, self.reduced, self.variables = model, reduced, variables

    def value(self, cell: int) -> Any:
        """Return what a cell holds, an expression of integers."""
        if self.variables.ndim == 1:
            return self.model.get_int_var_from_proto_index(int(self.variables[cell]))
        held = np.flatnonzero(self.reduced.candidates[cell]).tolist()
        # Which is 0 where the cell has no candidate; the model has no solution then, by another constraint.
        return sum((value + 1) * self._boolean(cell, value) for value in held)

    def booleans(self, cell: int) -> dict[int, Any]:
        """Return for each candidate of a cell that is open, from 0, the Boolean that says that the cell holds it."""
        values = np.flatnonzero(self.reduced.candidates[cell]).tolist()
        if self.variables.ndim > 1:
            return {value: self._boolean(cell, value) for value in values if self.variables[cell, value] >= 0}
        integer, found = self.value(cell), {}
        for value in values:
            found[value] = self.model.new_bool_var(f"{integer.name}={value + 1}")
            self.model.add(integer == value + 1).only_enforce_if(found[value])
            self.model.add(integer != value + 1).only_enforce_if(~found[value])
        return found

    def _boolean(self, cell: int, value: int) -> Any:
        number = int(self.variables[cell, value])
        return 1 if number < 0 else self.model.get_bool_var_from_proto_index(number)


def _add_clauses(model: Any, primitives: Sequence[Primitive], reduced: Reduction, cells: _Cells) -> None:
    x = np.zeros(reduced.candidates.shape, np.int32)
    literals: list[Any] = []
    for cell in sorted(set(_cells(primitives))):
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


def _cells(primitives: Iterable[Primitive]) -> Iterable[int]:
    for primitive in primitives:
        if isinstance(primitive, Relation):
            yield from (primitive.first, primitive.second)
        elif isinstance(primitive, Clause):
            yield from (cell for cell, _ in primitive.literals)
        elif isinstance(primitive, Automaton):
            yield from primitive.cells
