"""Lower a puzzle with constraints to a puzzle with more units and fewer candidates, and the remaining primitives."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

if TYPE_CHECKING:
    from sudoku_encode.puzzles.constraints.primitives import Primitive, Unit

# Number of cells that constraints name, times the square of the largest value: 30,000 for forty 9-cell lines on 9x9.
_QUICK = 50_000
# No board has more than 100 values; a larger unit is impossible, and becomes a clause that never holds.
MOST_UNIT_CELLS = 256


@dataclass(frozen=True, eq=False)
class LoweredPuzzle:
    """A puzzle in the terms of encoders and solvers."""

    # Without constraints: groups of cells that differ are units of its board, and domains are pencilmarks. Its board
    # has the hidden cells.
    puzzle: Puzzle
    primitives: "tuple[Primitive, ...]" = ()  # the remaining primitives, without `Unit` and `Domain`
    kinds: tuple[str, ...] = ()  # the kinds of constraints that these come from


def lower_puzzle(puzzle: Puzzle) -> LoweredPuzzle:
    """Return the lowered puzzle; without constraints it is the puzzle itself."""
    return _lowered(puzzle.extended) if puzzle.constraints else LoweredPuzzle(puzzle)


def is_quick(puzzle: Puzzle) -> bool:
    """Check, by the number of cells and values, that `lower_puzzle` takes less than about a second."""
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    named = (n_cells if c.alternatives or not c.cells else sum(map(len, c.cells)) for c in puzzle.constraints)
    return sum(named) * n * n <= _QUICK


@lru_cache(maxsize=32)
def _lowered(puzzle: Puzzle) -> LoweredPuzzle:
    # Imported here: puzzles with givens alone, which are most, do without the primitives.
    from sudoku_encode.puzzles.constraints.primitives import NEVER, Clause, Domain, Unit, require_small, transitions_of

    units: list[Unit] = []
    others: dict[Primitive, None] = {}
    kinds: dict[str, None] = {}
    marks: Candidates | None = None
    n_primitives = n_transitions = 0
    for c in puzzle.placed:
        primitives = c.primitives()
        n_primitives += len(primitives)
        n_transitions += sum(map(transitions_of, primitives))
        require_small(n_primitives, n_transitions)
        for primitive in primitives:
            if isinstance(primitive, Unit):
                if len(primitive.cells) <= MOST_UNIT_CELLS:
                    units.append(primitive)
                    continue
                # No board has as many values, and each pair of the cells would be an edge.
                primitive = NEVER  # noqa: PLW2901
            elif isinstance(primitive, Domain):
                marks = puzzle.candidates.copy() if marks is None else marks
                marks[primitive.cell] &= _as_row(primitive.values, puzzle.geometry.n_values)
                given = int(puzzle.givens[primitive.cell])
                if not given or primitive.values >> given - 1 & 1:
                    continue
                # Pencilmarks of a given are ignored, so a clause must say it.
                primitive = NEVER  # noqa: PLW2901
            others[primitive] = None
            kinds[c.name] = None
    board = puzzle.geometry
    if board.n_hidden and not others:
        # Only what knows primitives knows that solutions with different hidden cells are one.
        others[Clause(((board.n_grid, 1), (board.n_grid, -1)))] = None
        kinds = dict.fromkeys(constraint.name for constraint in puzzle.placed)
    if marks is None or np.array_equal(marks, puzzle.candidates):
        marks = puzzle.pencilmarks
    plain = Puzzle(add_units(board, units), puzzle.givens, marks, puzzle.name)
    return LoweredPuzzle(plain, tuple(others), tuple(kinds))


def forget() -> None:
    """Forget all that was lowered: a benchmark or a test begins as a new process does."""
    from sudoku_encode.puzzles.constraints import layers, templates

    _lowered.cache_clear()
    templates.store.clear()
    layers.automaton_tables.cache_clear()


def require_units_only(puzzle: Puzzle, caller: str) -> Puzzle:
    """Return a puzzle without constraints that has the same solutions, for a caller that supports units only.

    Raises:
        MethodError: some constraints are not units; the message names them and the caller.
    """
    low = lower_puzzle(puzzle)
    if low.primitives:
        raise MethodError(f"{caller} supports only units; the puzzle has constraints: {', '.join(low.kinds)}")
    return low.puzzle


def add_units(board: Geometry, units: "Iterable[Unit]") -> Geometry:
    """Return a board with more units; units that add nothing new are left out, the others are rules of their names."""
    seen: set[frozenset[int]] = set()
    rows: defaultdict[tuple[str, int, int], list[tuple[int, ...]]] = defaultdict(list)
    taken: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    for unit in units:
        cells, name = unit.cells, unit.name
        # Cells in one unit of the board differ already.
        if len(cells) < 2 or frozenset(cells) in seen or board.differ(cells):
            continue
        seen.add(frozenset(cells))
        # The units of a rule share no cell.
        level = 0
        while not taken[name, len(cells), level].isdisjoint(cells):
            level += 1
        taken[name, len(cells), level].update(cells)
        rows[name, len(cells), level].append(cells)
    rules = [Rule(name, np.array(cells, np.int32)) for (name, *_), cells in rows.items()]
    return board.with_more(rules) if rules else board


def _as_row(values: int, n: int) -> "np.typing.NDArray[np.bool_]":
    from sudoku_encode.puzzles.constraints.primitives import values_in

    row = np.zeros(n, bool)
    row[[value - 1 for value in values_in(values)]] = True
    return row
