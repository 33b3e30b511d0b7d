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

from sudoku_encode.papers import jana2021
from sudoku_encode.papers.jana2021 import MAX_BYTES, Tree, candidates, filled, grown
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle


@dataclass(frozen=True)
class Step:
    """What one use of a constraint removed.

    Attributes:
        constraint: `naked single`, `hidden single`, `lone ranger`, `twin` or `triplet`.
        cells: the blanks that it is about.
        values: the values that it is about.
        rule: the rule of the row, or nothing for singles, which are about all peers.
        removed: the candidates that it removed, as (cell, value).
    """

    constraint: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    rule: str
    removed: tuple[tuple[int, int], ...]

    def text(self, board: Geometry) -> str:
        """Say the step in one line."""
        cells, values = " ".join(map(board.cell_name, self.cells)), " ".join(map(str, self.values))
        where = f" in a {self.rule}" if self.rule else ""
        removed = ", ".join(f"{value} from {board.cell_name(cell)}" for cell, value in self.removed)
        return f"{self.constraint} {cells}: {values}{where} removes {removed}"


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

    def lines(self) -> Iterator[str]:
        """Yield P as text."""
        width = len(str(self.board.n_values))
        for row in self.table().tolist():
            yield " ".join(f"{number:>{width}}" for number in row)


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
        self.log: list[Step] = []

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
        """Take the values of a mask from the targets, and log it if that takes anything."""
        removed: list[tuple[int, int]] = []
        for cell in targets:
            if gone := self.masks[cell] & mask:
                self.masks[cell] &= ~mask
                removed += [(cell, value) for value in _values(gone)]
        if removed:
            self.log.append(Step(constraint, tuple(cells), _values(mask), rule, tuple(removed)))

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
                self.log.append(Step("lone ranger", (cell,), _values(lone), rule, gone))

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


def eliminate(matrix: Matrix, tick: Callable[[], None], minigrids: bool = False) -> tuple[Matrix, list[Step]]:
    """Apply the five constraints until nothing changes.

    Args:
        matrix: P; its rows stay in their order.
        tick: see the package.
        minigrids: apply the constraints to minigrids too, not to rows only.

    Returns:
        The reduced P, and what each constraint removed, in order.
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


def explain(puzzle: Puzzle, tick: Callable[[], None], minigrids: bool = False) -> Iterator[str]:
    """Yield P, P sorted, what each constraint removed, P reduced and sorted, and the tree."""
    if puzzle.clash is not None:
        yield "two givens clash: there is no matrix P"
        return
    matrix = Matrix.of(puzzle)
    yield "P: x, y, z, candidates, their count"
    yield from matrix.lines()
    yield "P sorted"
    yield from matrix.sorted().lines()
    reduced, log = eliminate(matrix.sorted(), tick, minigrids)
    yield f"constraints: {len(log)} steps"
    yield from (step.text(puzzle.geometry) for step in log)
    reduced = reduced.sorted()
    yield "P reduced and sorted"
    yield from reduced.lines()
    yield from grown(Tree.of(puzzle.geometry, reduced.cells, reduced.candidates), tick)
