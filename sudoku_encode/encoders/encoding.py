"""What encoders make and solvers take: a puzzle as a CNF, or as a CP-SAT model.

Of a CNF it is known which literals say that a cell holds a value. Decoding, projection and blocking clauses follow from
that one table for every encoding, so no encoder writes them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.formula.cnf import Cnf, Literals
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle


@dataclass(frozen=True, eq=False)
class Encoding:
    """A puzzle as a CNF.

    Attributes:
        puzzle: what was encoded.
        name: of the encoding and its options, for people.
        kind: `direct`, `order` or `log`: how the variables of a cell stand for its candidates.
        cnf: the formula.
        candidates: bool (n_cells, n_values): the values that a cell may have in a model.
        literals: int32 (n_cells, n_values, width), padded with 0: a cell holds a candidate iff all its literals hold.
            A cell with one candidate and no literals holds it in every model.
        contradiction: why there is no solution, where encoding found that out.
    """

    puzzle: Puzzle
    name: str
    kind: str
    cnf: Cnf
    candidates: Candidates
    literals: Literals
    contradiction: str = ""

    @cached_property
    def projection(self) -> Literals:
        """The variables that tell solutions apart, ascending; all others are auxiliary."""
        used = np.zeros(self.cnf.n_variables + 1, bool)
        used[np.abs(self.literals)] = True
        return np.flatnonzero(used[1:]).astype(np.int32) + 1

    @property
    def n_auxiliary(self) -> int:
        """How many variables a solution does not determine on its own."""
        return self.cnf.n_variables - len(self.projection)

    def holds(self, models: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Say which values the cells hold in some models.

        Args:
            models: bool (m, n_variables + 1); column v is variable v.

        Returns:
            bool (m, n_cells, n_values).
        """
        found = np.broadcast_to(self.candidates, (len(models), *self.candidates.shape)).copy()
        for literal in np.moveaxis(self.literals, 2, 0):
            found &= (models[:, np.abs(literal)] ^ (literal < 0)) | (literal == 0)
        return found

    def decode(self, models: NDArray[np.bool_]) -> Grids:
        """Return the grids of some models, uint8 (m, n_cells); 0 where a model gives a cell no value, or two."""
        found = self.holds(models)
        values = found.argmax(axis=2).astype(np.uint8) + np.uint8(1)
        return np.where(found.sum(axis=2, dtype=np.int32) == 1, values, np.uint8(0))

    def blocking_clause(self, grid: Grids, blanks: NDArray[np.intp]) -> list[int]:
        """Return the clause that excludes one solution: only the literals that say what the blanks hold."""
        literals = self.literals[blanks, grid[blanks].astype(np.intp) - 1]
        return [-literal for literal in dict.fromkeys(literals.ravel().tolist()) if literal]

    def assumptions(self, givens: Grids) -> Iterator[list[int]]:
        """Yield for each row of givens (m, n_cells) the literals that fix them; for an encoding without givens."""
        rows, cells = np.nonzero(givens)
        literals = self.literals[cells, givens[rows, cells].astype(np.intp) - 1]
        ends = np.cumsum(np.bincount(rows, minlength=len(givens)) * literals.shape[1]).tolist()
        flat = literals.ravel().tolist()
        for start, end in pairwise([0, *ends]):
            yield [literal for literal in flat[start:end] if literal]


@dataclass(frozen=True, eq=False)
class CpModel:
    """A puzzle as a CP-SAT model.

    Attributes:
        puzzle: what was encoded.
        name: `cp-sat` or `cp-sat-bool`.
        model: the `ortools.sat.python.cp_model.CpModel`.
        decode: from the values of all variables, (m, variables), to grids, uint8 (m, n_cells).
        contradiction: why there is no solution, where the reduction found that out.
    """

    puzzle: Puzzle
    name: str
    model: Any
    decode: Callable[[Literals], Grids]
    contradiction: str = ""
