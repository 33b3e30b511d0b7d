"""What is known so far of the true candidates of a puzzle: those that a solution has, and those that none has."""

from dataclasses import dataclass, field, replace

import numpy as np

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, check


@dataclass(eq=False)
class Gathered:
    """What is known so far.

    Attributes:
        puzzle: the puzzle.
        counting: whether solutions are counted too; then no solution may be added twice.
        seen: bool (n_cells, n_values): what some solution has.
        refuted: bool (n_cells, n_values): what no solution has.
        witnesses: solutions which together have all that is seen because of them.
        shares: int64 (n_cells, n_values): how many of the solutions added have each value, if they are counted.
        total: how many solutions were added, if they are counted.
    """

    puzzle: Puzzle
    counting: bool = False
    seen: Candidates = field(init=False)
    refuted: Candidates = field(init=False)
    witnesses: list[Grids] = field(default_factory=list)
    shares: Int64s = field(init=False)
    total: int = 0

    def __post_init__(self) -> None:
        left = reduce(lowered(self.puzzle).puzzle, "singles")
        # What a reduction finds out is used by every method: it is what any of them would do first.
        self.refuted = ~left.candidates if not left.contradiction else np.ones_like(left.candidates)
        if self.puzzle.geometry.oversized_unit is not None:
            self.refuted[:] = True
        self.seen = np.zeros_like(self.refuted)
        self.shares = np.zeros(self.refuted.shape, np.int64)

    @property
    def unknown(self) -> Candidates:
        """What is neither seen nor refuted, bool (n_cells, n_values)."""
        return ~(self.seen | self.refuted)

    def add(self, grids: Grids) -> None:
        """Take some solutions into account.

        Args:
            grids: uint8 (m, n_cells); they are checked against the rules.

        Raises:
            InternalError: a grid is no solution, or has what was refuted.
        """
        if not len(grids):
            return
        check(self.puzzle, grids)
        n_cells, n = self.seen.shape
        places = grids + np.arange(n_cells, dtype=np.int64) * n - 1
        held = np.bincount(places.ravel(), minlength=n_cells * n).reshape(n_cells, n)
        if self.counting:
            self.shares += held
            self.total += len(grids)
        new = (held > 0) & ~self.seen
        if (new & self.refuted).any():
            raise InternalError("a solution has a candidate that was refuted")
        if new.any():
            self._keep(grids, new)
            self.seen |= new

    def _keep(self, grids: Grids, new: Candidates) -> None:
        """Keep solutions that have what is new: of those in turn that have the most of what is left."""
        cells, values = np.nonzero(new)
        has = grids[:, cells] == (values + 1).astype(np.uint8)
        left = np.ones(len(cells), bool)
        while left.any():
            best = int(np.argmax(has[:, left].sum(axis=1)))
            self.witnesses.append(grids[best].copy())
            left &= ~has[best]

    def refute(self, cells: Intps, values: Intps) -> None:
        """Take into account that no solution has these values (from 0) in these cells."""
        self.refuted[cells, values] = True

    def refute_rest(self) -> None:
        """Take into account that no solution has what is not seen."""
        self.refuted = ~self.seen

    def narrowed(self, cell: int, values: Bools) -> Puzzle:
        """Return the puzzle with only these values, bool (n_values,), left for a cell."""
        marks = self.puzzle.candidates.copy()
        marks[cell] &= values
        givens = self.puzzle.givens
        if values.sum() == 1:
            givens = givens.copy()
            givens[cell] = np.argmax(values) + 1
            if self.puzzle.pencilmarks is None:
                return replace(self.puzzle, givens=givens)
        return replace(self.puzzle, givens=givens, pencilmarks=marks)
