"""Constraints as linear constraints over 0/1 variables, for OPB, MPS and LP.

Sums, equal sums and counts are equalities over the variables of cells and values. The others become clauses of a CNF,
whose auxiliary variables the cells determine.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.forms.common import cell_variables, sum_terms
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cnf import Group
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle
from sudoku_encode.puzzles.constraints.primitives import Count, EqualSums, SameCounts, Sum
from sudoku_encode.puzzles.puzzle import Candidates


@dataclass(frozen=True, eq=False)
class Row:
    """A linear constraint."""

    coefficients: Sequence[int]  # not 0
    variables: Sequence[int]  # the variable of each coefficient, from 1
    bound: int  # the sum, or its lower bound
    is_equality: bool  # whether it is an equality


@dataclass(frozen=True, eq=False)
class Linear:
    """The constraints of a puzzle other than units."""

    equalities: tuple[Row, ...]  # of sums
    groups: tuple[Group, ...]  # clauses
    n_variables: int  # number of variables, those of the cells first
    possible: bool  # False if the clauses plainly cannot hold

    def rows(self) -> Iterator[Row]:
        """Yield all constraints; the bound of a clause is 1 less the number of negative literals."""
        yield from self.equalities
        if not self.possible:
            yield Row([1], [1], 2, False)
            return
        for group in self.groups:
            for chunk in group.chunks():
                for clause in chunk.tolist():
                    signs = [1 if literal > 0 else -1 for literal in clause]
                    yield Row(signs, [abs(literal) for literal in clause], 1 - signs.count(-1), False)

    @property
    def n_rows(self) -> int:
        """Number of constraints."""
        return len(self.equalities) + (sum(group.n_clauses for group in self.groups) if self.possible else 1)


def linear(low: LoweredPuzzle, candidates: Candidates) -> Linear:
    """Return the linear constraints of a puzzle."""
    x = cell_variables(low.puzzle.geometry)
    equalities, others = [], []
    for primitive in low.primitives:
        if isinstance(primitive, Sum | EqualSums):
            equalities += [_equality(terms, total, x) for terms, total in sum_terms(primitive)]
        elif isinstance(primitive, Count) and primitive.numbers.bit_count() == 1:
            variables = x[list(primitive.cells), primitive.value - 1].tolist()
            equalities.append(Row([1] * len(variables), variables, primitive.numbers.bit_length() - 1, True))
        elif isinstance(primitive, SameCounts):
            first, *more = (x[list(part)].T.tolist() for part in primitive.parts)
            signs = [1] * len(first[0]) + [-1] * len(first[0])
            equalities += [Row(signs, [*a, *b], 0, True) for other in more for a, b in zip(first, other, strict=True)]
        else:
            others.append(primitive)
    reduced = Reduction(candidates, np.zeros(len(candidates), bool))
    groups, n_variables, possible = constraint_groups(others, reduced, x.astype(np.int32), int(x[-1, -1]))
    return Linear(tuple(equalities), tuple(groups), n_variables, possible)


def _equality(terms: dict[int, int], total: int, x: "np.typing.NDArray[np.int64]") -> Row:
    """Return that the values of cells, each times its coefficient, add up to a number."""
    n = x.shape[1]
    coefficients = [coefficient * value for coefficient in terms.values() for value in range(1, n + 1)]
    return Row(coefficients, x[list(terms)].ravel().tolist(), total, True)


def auxiliary(many: Linear, candidates: Candidates, variable: str) -> tuple[str, ...]:
    """Return the comment about auxiliary variables, if there are any."""
    if many.n_variables == candidates.size:
        return ()
    first, last = candidates.size + 1, many.n_variables
    about = "states, transitions and sets of values of constraints; the cells determine them"
    return (f"{variable}{first} to {variable}{last} are {about}",)
