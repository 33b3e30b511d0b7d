"""Elimination, then the search tree: the matrix P of candidates, five constraints on it, the tree over what is left.

Source: Jana et al. 2023, section III and Algorithm 1; the tree is that of `jana2021`.
Differs: lone rangers, twins and triplets are sought along the rows of those row rules that hold, since they are wrong
    along any other row. A single's value is taken from all its peers; the text says from its rows, but then Fig. 9
    could not have 5 alone in 138. The paper does not say how often the constraints are applied; here until nothing
    changes. A blank of a triplet may have only two of its three values; in the paper's Fig. 16 each has all three.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sudoku_encode.papers import jana2021
from sudoku_encode.papers.jana2021 import (
    MAX_BYTES,
    Tree,
    candidates,
    cell_text,
    explain_tree,
    filled_grids,
    index_text,
    picture_lines,
    require_no_clash,
)
from sudoku_encode.puzzles.arrays import Int64s, Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

# The steps of `explain`: each use of a constraint, the candidates that it removes, and why.


@dataclass(frozen=True)
class Use:
    """A use of a constraint."""

    constraint: str  # `naked single`, `hidden single`, `lone ranger`, `twin` or `triplet`
    cells: tuple[int, ...]  # the blanks of the pattern
    values: tuple[int, ...]  # the values of the pattern
    rule: str  # the rule of the row; empty for singles, which apply to all peers
    removed: tuple[tuple[int, int], ...]  # the removed candidates, as (cell, value); a single may remove none


def show_uses(board: Geometry, log: Sequence[Use]) -> Iterator[Step]:
    """Yield a heading, and a step for each use of a constraint."""
    removed = sum(len(use.removed) for use in log)
    yield Step(f"constraints: {len(log)} steps, which remove {removed} candidates")
    # For each removed candidate, the cells of the pattern that removed it.
    behind: dict[Candidate, tuple[int, ...]] = {}
    for use in log:
        single = use.constraint.endswith("single")
        yield _single_step(board, use, behind) if single else _row_step(board, use)
        behind.update(dict.fromkeys(use.removed, use.cells))


def _single_step(board: Geometry, use: Use, behind: dict[Candidate, tuple[int, ...]]) -> Step:
    """Return the step of a single, with the rules that remove its value; for a hidden one with how it became single."""
    (cell,), (value,) = use.cells, use.values
    rules: dict[str, list[int]] = {}
    for peer, _ in use.removed:
        rules.setdefault(_shared_rules(board, cell, peer), []).append(peer)
    taken = "; ".join(f"{value} from {_cell_texts(board, peers)} by {rule}" for rule, peers in rules.items())
    lost = {other: cells for (owner, other), cells in behind.items() if owner == cell}
    why = ", ".join(f"{other} {_cause_text(board, cell, cells)}" for other, cells in sorted(lost.items()))
    lost_text = f", which lost {why}" if use.constraint == "hidden single" and why else ""
    text = f"{use.constraint} {cell_text(board, cell)}: {value}{lost_text}" + (f"; removes {taken}" if taken else "")
    data = {"value": value, "by": {rule: [board.cell_name(peer) for peer in peers] for rule, peers in rules.items()}}
    because = tuple(dict.fromkeys([cell, *(by for cells in lost.values() for by in cells)]))
    return Step(text, "place", use.constraint, because, ((cell, value),), use.removed, data)


def _cause_text(board: Geometry, cell: int, cells: tuple[int, ...]) -> str:
    return "as a lone ranger" if cells == (cell,) else f"by {' '.join(index_text(board, by) for by in cells)}"


def _row_step(board: Geometry, use: Use) -> Step:
    """Return the step of a lone ranger, a twin or a triplet, with its row."""
    rule = next(rule for rule in board.rules if rule.name == use.rule)
    unit = next(cells for cells in rule.units.tolist() if use.cells[0] in cells)
    row = f"{use.rule} {index_text(board, unit[0])} to {index_text(board, unit[-1])}"
    values = " ".join(map(str, use.values))
    taken: dict[int, list[int]] = {}
    for cell, value in use.removed:
        taken.setdefault(cell, []).append(value)
    removes = ", ".join(
        f"{' '.join(map(str, lost_values))} from {cell_text(board, cell)}" for cell, lost_values in taken.items()
    )
    text = f"{use.constraint} {_cell_texts(board, use.cells)}: {values} in {row}; removes {removes}"
    data = {"values": list(use.values), "rule": use.rule, "unit": [board.cell_name(cell) for cell in unit]}
    return Step(text, "remove", use.constraint, use.cells, removes=use.removed, data=data)


def _cell_texts(board: Geometry, cells: Sequence[int]) -> str:
    return ", ".join(cell_text(board, cell) for cell in cells)


def _shared_rules(board: Geometry, cell: int, peer: int) -> str:
    """Return the names of the rules by which two peers must differ, rows first."""
    same = board.units_of_cells[cell] == board.units_of_cells[peer]
    names = [
        rule.name for rule, both in zip(board.rules, same & (board.units_of_cells[cell] >= 0), strict=True) if both
    ]
    return " and ".join(names)


@dataclass(frozen=True, eq=False)
class Matrix:
    """The matrix P: one row per blank."""

    board: Geometry
    cells: Intps  # (rows,)
    candidates: Candidates  # (rows, n_values)

    @staticmethod
    def of(puzzle: Puzzle) -> "Matrix":
        """Return P as in Fig. 8a: the blanks in scan order, each with the candidates that the givens leave."""
        return Matrix(puzzle.geometry, puzzle.blanks, candidates(puzzle))

    @property
    def counts(self) -> Int64s:
        """The last column: the number of candidates of each row."""
        return np.asarray(np.count_nonzero(self.candidates, axis=1))

    def sorted(self) -> "Matrix":
        """Return P with its rows sorted by count, rows of equal count in their order (Fig. 8b)."""
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
        """Return P as a step, below a heading, as the paper prints it."""
        width = len(str(self.board.n_values))
        lines = (" ".join(f"{number:>{width}}" for number in row) for row in self.table().tolist())
        values = [(np.flatnonzero(row) + 1).tolist() for row in self.candidates]
        names = [jana2021.index_text(self.board, cell) for cell in self.cells.tolist()]
        data = {"index": names, "candidates": dict(zip(map(self.board.cell_name, self.cells), values, strict=True))}
        return Step("\n".join([head, *lines]), "candidates", "matrix P", data=data)


class _Elimination:
    """The state of an elimination: candidates as bit masks by cell, 0 for a given, bit 0 for value 1."""

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
        """Remove the values of a mask from the targets, and log it; for twins and triplets only if a target has any."""
        removed: list[tuple[int, int]] = []
        for cell in targets:
            if lost := self.masks[cell] & mask:
                self.masks[cell] &= ~mask
                removed += [(cell, value) for value in _values(lost)]
        if removed or len(cells) == 1:
            self.log.append(Use(constraint, tuple(cells), _values(mask), rule, tuple(removed)))

    def _singles(self) -> None:
        """Apply naked singles, and hidden singles, which become single by a removal."""
        waiting = [cell for cell in self.blanks if self._size(cell) == 1 and cell not in self.settled]
        while waiting:
            cell = waiting.pop(0)
            # A peer may have emptied it meanwhile; then there is no solution, and the tree has no open branch.
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
                lost = tuple((cell, value) for value in _values(removed))
                self.log.append(Use("lone ranger", (cell,), _values(lone), rule, lost))

    def _twins(self, rule: str, full: bool, row: list[int]) -> None:
        pairs = [cell for cell in row if self._size(cell) == 2]
        for first, second in combinations(pairs, 2):
            if self.masks[first] == self.masks[second] and self._size(first) == 2:
                self._naked("twin", (first, second), self.masks[first], rule, row)

    def _triplets(self, rule: str, full: bool, row: list[int]) -> None:
        few = [cell for cell in row if 2 <= self._size(cell) <= 3]
        for cells in combinations(few, 3):
            union = self.masks[cells[0]] | self.masks[cells[1]] | self.masks[cells[2]]
            if union.bit_count() == 3:
                self._naked("triplet", cells, union, rule, row)

    def _naked(self, constraint: str, cells: Sequence[int], mask: int, rule: str, row: list[int]) -> None:
        self._remove(constraint, cells, mask, rule, [cell for cell in row if cell not in cells])


def eliminate(matrix: Matrix, tick: Callable[[], None], minigrids: bool = False) -> tuple[Matrix, list[Use]]:
    """Apply the five constraints until nothing changes: to rows, and to minigrids too if they are asked for.

    Return the reduced P, its rows in the same order, and each use of a constraint, in order.
    """
    work = _Elimination(matrix, minigrids)
    work.run(tick)
    bits = range(matrix.board.n_values)
    allowed = np.array([[work.masks[cell] >> bit & 1 for bit in bits] for cell in work.blanks], bool)
    return Matrix(matrix.board, matrix.cells, allowed.reshape(matrix.candidates.shape)), work.log


def plan(puzzle: Puzzle, tick: Callable[[], None], minigrids: bool = False) -> Tree:
    """Return the tree over the reduced and sorted P."""
    reduced, _ = eliminate(Matrix.of(puzzle).sorted(), tick, minigrids)
    reduced = reduced.sorted()
    return Tree.of(puzzle.geometry, reduced.cells, reduced.candidates)


unsupported_reason = jana2021.unsupported_reason


def solutions(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, minigrids: bool = False
) -> Iterator[Grids]:
    """Yield all solutions of a cube in batches; see `jana2021.solutions` and `eliminate` for the arguments."""
    if puzzle.clash is None:
        yield from filled_grids(puzzle, plan(puzzle, tick, minigrids), tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None], minigrids: bool = False) -> Iterator[Step]:
    """Yield P, P sorted, each use of a constraint, P reduced and sorted, the tree and the solutions."""
    matrix = Matrix.of(puzzle)
    yield matrix.step("P: x, y, z, candidates, their count")
    yield matrix.sorted().step("P sorted")
    reduced, log = eliminate(matrix.sorted(), tick, minigrids)
    yield from show_uses(puzzle.geometry, log)
    reduced = reduced.sorted()
    yield reduced.step("P reduced and sorted")
    yield from explain_tree(Tree.of(puzzle.geometry, reduced.cells, reduced.candidates), puzzle.givens, tick)


# The tree over the reduced and sorted P as DOT and SVG: Fig. 12, drawn as in `jana2021`.


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str, minigrids: bool = False) -> Iterator[str]:
    """Yield the lines of a file, `dot` or `svg`, with the search tree that remains after the five constraints.

    Raises:
        MethodError: two givens clash, so there is no tree; or the tree is too large for a picture.
    """
    require_no_clash(puzzle)
    yield from picture_lines(plan(puzzle, tick, minigrids), tick, form)


# The family of `marks` has the same; methods of two families share no code.
def _values(mask: int) -> tuple[int, ...]:
    return tuple(bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1)
