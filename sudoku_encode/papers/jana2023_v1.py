"""Elimination, then the search tree: the matrix P of candidates, five constraints on it, the tree over what is left.

Source: Jana et al. 2023, section III and Algorithm 1; the tree is that of `jana2021`.
Differs: lone rangers, twins and triplets are sought along the rows of those row rules that hold, since they are wrong
    along any other row. A single's value is taken from all its peers; the text says from its rows, but then Fig. 9
    could not have 5 alone in 138. The paper does not say how often the constraints are applied; here until nothing
    changes. Of the three values of a triplet a blank may have two only; in the paper's Fig. 16 each has all three.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sudoku_encode.papers import jana2021, jana2021_drawing
from sudoku_encode.papers.jana2021 import MAX_BYTES, Tree, candidates, filled, grown
from sudoku_encode.papers.jana2023_v1_steps import Use, steps
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Step


@dataclass(frozen=True, eq=False)
class Matrix:
    """The matrix P: one row per blank.

    Attributes:
        board: the board.
        cells: intp (rows,).
        candidates: bool (rows, n_values).
    """

    board: Geometry
    cells: Intps
    candidates: Candidates

    @staticmethod
    def of(puzzle: Puzzle) -> "Matrix":
        """Return P as Fig. 8a has it: the blanks in scan order, with what the givens leave to each."""
        return Matrix(puzzle.geometry, puzzle.blanks, candidates(puzzle))

    @property
    def counts(self) -> Int64s:
        """The last column: how many candidates each row has."""
        return np.asarray(np.count_nonzero(self.candidates, axis=1))

    def sorted(self) -> "Matrix":
        """Return the rows by count, those of equal count in the order in which they are (Fig. 8b)."""
        order = np.argsort(self.counts, kind="stable")
        return Matrix(self.board, self.cells[order], self.candidates[order])

    def table(self) -> Int64s:
        """Return P as the paper prints it, int64 (rows, n + 4): x, y, z, n values with 0 behind the last, the count."""
        n = self.board.n_values
        values = np.where(self.candidates, np.arange(1, n + 1), n + 1)
        values.sort(axis=1)
        values[values > n] = 0
        return np.column_stack([*np.unravel_index(self.cells, self.board.shape), values, self.counts])

    def step(self, head: str) -> Step:
        """Return P below a heading, as the paper prints it."""
        width = len(str(self.board.n_values))
        lines = (" ".join(f"{number:>{width}}" for number in row) for row in self.table().tolist())
        left = [(np.flatnonzero(row) + 1).tolist() for row in self.candidates]
        names = [jana2021_drawing.index(self.board, cell) for cell in self.cells.tolist()]
        data = {"index": names, "candidates": dict(zip(map(self.board.cell_name, self.cells), left, strict=True))}
        return Step("\n".join([head, *lines]), "candidates", "matrix P", data=data)


class _Elimination:
    """The five constraints at work. Candidates are bit masks by cell, 0 for a given; bit 0 is value 1."""

    def __init__(self, matrix: Matrix, minigrids: bool) -> None:
        self.board = matrix.board
        self.masks = [0] * self.board.n_cells
        bits = [1 << value for value in range(self.board.n_values)]
        for cell, row in zip(matrix.cells.tolist(), matrix.candidates, strict=True):
            self.masks[cell] = sum(bits[value] for value in np.flatnonzero(row))
        self.blanks = matrix.cells.tolist()
        blank = set(self.blanks)
        self.peers = {cell: [peer for peer in self.board.peers[cell].tolist() if peer in blank] for cell in self.blanks}
        # The rows: (rule, whether it holds every value, its blanks).
        self.rows = [
            (rule.name, rule in self.board.full_rules, [cell for cell in unit if cell in blank])
            for rule in self.board.rules
            if rule.name.startswith("row") or minigrids
            for unit in rule.units.tolist()
        ]
        self.singles_at_first = {cell for cell in self.blanks if self._size(cell) == 1}
        self.settled: set[int] = set()
        self.log: list[Use] = []

    def run(self, tick: Callable[[], None]) -> None:
        """Apply the constraints in the paper's order until nothing changes."""
        before = -1
        while before < len(self.log):
            before = len(self.log)
            self._singles()
            for constraint in (self._lone_rangers, self._twins, self._triplets):
                for row in self.rows:
                    tick()
                    constraint(*row)

    def _size(self, cell: int) -> int:
        return self.masks[cell].bit_count()

    def _remove(self, constraint: str, cells: Sequence[int], mask: int, rule: str, targets: Sequence[int]) -> None:
        """Take the values of a mask from the targets, and log it; of twins and triplets only if that takes anything."""
        removed: list[tuple[int, int]] = []
        for cell in targets:
            if gone := self.masks[cell] & mask:
                self.masks[cell] &= ~mask
                removed += [(cell, value) for value in _values(gone)]
        if removed or len(cells) == 1:
            self.log.append(Use(constraint, tuple(cells), _values(mask), rule, tuple(removed)))

    def _singles(self) -> None:
        """Naked singles, and hidden ones: what becomes single by a removal."""
        waiting = [cell for cell in self.blanks if self._size(cell) == 1 and cell not in self.settled]
        while waiting:
            cell = waiting.pop(0)
            # A peer may have emptied it meanwhile: then there is no solution, and the tree will find none.
            if cell in self.settled or self._size(cell) != 1:
                continue
            self.settled.add(cell)
            name = "naked single" if cell in self.singles_at_first else "hidden single"
            self._remove(name, [cell], self.masks[cell], "", self.peers[cell])
            waiting += [peer for peer in self.peers[cell] if self._size(peer) == 1 and peer not in self.settled]

    def _lone_rangers(self, rule: str, full: bool, row: list[int]) -> None:
        if not full:
            return
        once = twice = 0
        for cell in row:
            twice |= once & self.masks[cell]
            once |= self.masks[cell]
        for cell in row:
            lone = self.masks[cell] & once & ~twice
            if lone.bit_count() == 1 and self._size(cell) > 1:
                removed = self.masks[cell] & ~lone
                self.masks[cell] = lone
                gone = tuple((cell, value) for value in _values(removed))
                self.log.append(Use("lone ranger", (cell,), _values(lone), rule, gone))

    def _twins(self, rule: str, full: bool, row: list[int]) -> None:
        pairs = [cell for cell in row if self._size(cell) == 2]
        for one, other in combinations(pairs, 2):
            if self.masks[one] == self.masks[other] and self._size(one) == 2:
                self._naked("twin", (one, other), self.masks[one], rule, row)

    def _triplets(self, rule: str, full: bool, row: list[int]) -> None:
        few = [cell for cell in row if 2 <= self._size(cell) <= 3]
        for cells in combinations(few, 3):
            union = self.masks[cells[0]] | self.masks[cells[1]] | self.masks[cells[2]]
            if union.bit_count() == 3:
                self._naked("triplet", cells, union, rule, row)

    def _naked(self, constraint: str, cells: Sequence[int], mask: int, rule: str, row: list[int]) -> None:
        self._remove(constraint, cells, mask, rule, [cell for cell in row if cell not in cells])


def _values(mask: int) -> tuple[int, ...]:
    return tuple(bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1)


def eliminate(matrix: Matrix, tick: Callable[[], None], minigrids: bool = False) -> tuple[Matrix, list[Use]]:
    """Apply the five constraints until nothing changes.

    Args:
        matrix: P; its rows stay in their order.
        tick: see the package.
        minigrids: apply the constraints to minigrids too, not to rows only.

    Returns:
        The reduced P, and each use of a constraint, in order.
    """
    work = _Elimination(matrix, minigrids)
    work.run(tick)
    bits = range(matrix.board.n_values)
    left = np.array([[work.masks[cell] >> bit & 1 for bit in bits] for cell in work.blanks], bool)
    return Matrix(matrix.board, matrix.cells, left.reshape(matrix.candidates.shape)), work.log


def plan(puzzle: Puzzle, tick: Callable[[], None], minigrids: bool = False) -> Tree:
    """Return the tree over the reduced and sorted P."""
    reduced, _ = eliminate(Matrix.of(puzzle).sorted(), tick, minigrids)
    reduced = reduced.sorted()
    return Tree.of(puzzle.geometry, reduced.cells, reduced.candidates)


unsupported_reason = jana2021.unsupported_reason


def solutions(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, minigrids: bool = False
) -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: a cube.
        tick: see the package.
        max_bytes: about as much memory as the tree may take; past it the search goes on depth first.
        minigrids: apply the constraints to minigrids too, not to rows only.
    """
    if puzzle.clash is None:
        yield from filled(puzzle, plan(puzzle, tick, minigrids), tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None], minigrids: bool = False) -> Iterator[Step]:
    """Yield P, P sorted, each use of a constraint, P reduced and sorted, the tree and the solutions."""
    matrix = Matrix.of(puzzle)
    yield matrix.step("P: x, y, z, candidates, their count")
    yield matrix.sorted().step("P sorted")
    reduced, log = eliminate(matrix.sorted(), tick, minigrids)
    yield from steps(puzzle.geometry, log)
    reduced = reduced.sorted()
    yield reduced.step("P reduced and sorted")
    yield from grown(Tree.of(puzzle.geometry, reduced.cells, reduced.candidates), puzzle.givens, tick)
