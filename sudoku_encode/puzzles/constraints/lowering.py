"""Lower a puzzle with constraints to a puzzle with more units and fewer candidates, and the remaining primitives."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.puzzles.arrays import freeze
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint, Constraint
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

if TYPE_CHECKING:
    from sudoku_encode.puzzles.constraints.primitives import Primitive
    from sudoku_encode.puzzles.constraints.templates import PlacedTemplate

# Number of cells that constraints name, times the square of the largest value: 30,000 for forty 9-cell lines on 9x9.
_QUICK = 50_000


@dataclass(frozen=True, eq=False)
class LoweredPuzzle:
    """A puzzle in the terms of encoders and solvers."""

    # Without constraints: groups of cells that differ are units of its board, and domains are pencilmarks. Its board
    # has the hidden cells.
    puzzle: Puzzle
    # The templates with other primitives than `Unit` and `Domain`, on their cells.
    placed: "tuple[PlacedTemplate, ...]" = ()
    kinds: tuple[str, ...] = ()  # the kinds of constraints that these come from

    @cached_property
    def primitives(self) -> "tuple[Primitive, ...]":
        """The remaining primitives, each once."""
        return tuple(dict.fromkeys(one for part in self.placed for one in part.primitives(part.template.others)))

    @staticmethod
    def of(puzzle: Puzzle, primitives: "Sequence[Primitive]") -> "LoweredPuzzle":
        """Return a puzzle with primitives, none of which is a unit or a domain."""
        from sudoku_encode.puzzles.constraints.templates import PlacedTemplate, Template

        board = puzzle.geometry
        return LoweredPuzzle(
            puzzle, (PlacedTemplate(Template(board.n_values, tuple(primitives)), range(board.n_cells)),)
        )


def lower_puzzle(puzzle: Puzzle) -> LoweredPuzzle:
    """Return the lowered puzzle; without constraints it is the puzzle itself."""
    return _lowered(puzzle.extended) if puzzle.constraints else LoweredPuzzle(puzzle)


def is_quick(puzzle: Puzzle) -> bool:
    """Check, by the number of cells and values, that `lower_puzzle` takes less than about a second."""
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    return sum(_named_cells(constraint, n_cells) for constraint in puzzle.constraints) * n * n <= _QUICK


def _named_cells(constraint: Constraint, n_cells: int) -> int:
    """Return how many cells a constraint names, which may be as many as there are."""
    if constraint.alternatives:
        return min(n_cells, sum(_named_cells(part, n_cells) for part in chain.from_iterable(constraint.alternatives)))
    return sum(map(len, constraint.cells)) if constraint.cells else n_cells


@lru_cache(maxsize=32)
def _lowered(puzzle: Puzzle) -> LoweredPuzzle:
    # Imported here: puzzles with givens alone, which are most, do without the primitives.
    from sudoku_encode.puzzles.constraints.primitives import NEVER, Clause, require_small
    from sudoku_encode.puzzles.constraints.templates import PlacedTemplate, Template

    board, placed, kinds = puzzle.geometry, list[PlacedTemplate](), dict[str, None]()
    units: list[tuple[tuple[int, ...], str]] = []
    domains: list[tuple[int, int]] = []
    n_primitives = n_transitions = 0
    never = PlacedTemplate(Template(board.n_values, (NEVER,)), range(board.n_cells))
    for c, parts in _placed_templates(puzzle):
        for part in parts:
            template, cells = part
            n_primitives += len(template.every)
            n_transitions += template.n_transitions
            require_small(n_primitives, n_transitions)
            units += [(tuple([cells[place] for place in unit.cells]), unit.name) for unit in template.units]
            of_cells = [(cells[domain.cell], domain.values) for domain in template.domains]
            domains += of_cells
            # Pencilmarks of a given are ignored, so a clause must say it.
            if any(_excludes(values, int(puzzle.givens[cell])) for cell, values in of_cells):
                placed.append(never)
                kinds[c.name] = None
            if template.others:
                placed.append(part)
                kinds[c.name] = None
    if board.n_hidden and not placed:
        # Only what knows primitives knows that solutions with different hidden cells are one.
        always = Clause(((board.n_grid, 1), (board.n_grid, -1)))
        placed.append(PlacedTemplate(Template(board.n_values, (always,)), range(board.n_cells)))
        kinds = dict.fromkeys(constraint.name for constraint in puzzle.placed)
    plain = Puzzle(add_units(board, units), puzzle.givens, _marks(puzzle, domains), puzzle.name)
    return LoweredPuzzle(plain, tuple(placed), tuple(kinds))


def _placed_templates(puzzle: Puzzle) -> "Iterator[tuple[BoundConstraint, list[PlacedTemplate]]]":
    """Yield each constraint of a puzzle with its templates."""
    from sudoku_encode.puzzles.constraints.templates import placed_templates

    for constraint in puzzle.placed:
        try:
            yield constraint, placed_templates(constraint)
        except FormatError as error:
            raise FormatError(f"{constraint.name}: {error.message}") from error


def _excludes(values: int, given: int) -> bool:
    return bool(given) and not values >> given - 1 & 1


def _marks(puzzle: Puzzle, domains: Sequence[tuple[int, int]]) -> Candidates | None:
    """Return the pencilmarks of a puzzle whose cells have domains too."""
    if not domains:
        return puzzle.pencilmarks
    n, marks = puzzle.geometry.n_values, puzzle.candidates.copy()
    for cell, values in domains:
        marks[cell] &= _as_row(values, n)
    return puzzle.pencilmarks if np.array_equal(marks, puzzle.candidates) else marks


def forget() -> None:
    """Forget all that was lowered: a benchmark or a test begins as a new process does."""
    from sudoku_encode.puzzles.constraints import layers, templates

    _lowered.cache_clear()
    _with_units.cache_clear()
    templates.store.clear()
    layers.automaton_tables.cache_clear()


def require_units_only(puzzle: Puzzle, caller: str) -> Puzzle:
    """Return a puzzle without constraints that has the same solutions, for a caller that supports units only.

    Raises:
        MethodError: some constraints are not units; the message names them and the caller.
    """
    low = lower_puzzle(puzzle)
    if low.placed:
        raise MethodError(f"{caller} supports only units; the puzzle has constraints: {', '.join(low.kinds)}")
    return low.puzzle


def add_units(board: Geometry, units: Iterable[tuple[tuple[int, ...], str]]) -> Geometry:
    """Return a board with more units, given by cells and name.

    Units that add nothing new are left out, the others are rules of their names.
    """
    # Cells in one unit of the board differ already.
    more = tuple((cells, name) for cells, name in units if len(cells) > 1 and not board.differ(cells))
    return _with_units(board, more) if more else board


@lru_cache(maxsize=32)
def _with_units(board: Geometry, units: tuple[tuple[tuple[int, ...], str], ...]) -> Geometry:
    """Return a board with more units, a copy of a unit left out."""
    # Many puzzles have the same units, such as those of a knight's moves.
    seen: set[frozenset[int]] = set()
    rows: defaultdict[tuple[str, int, int], list[tuple[int, ...]]] = defaultdict(list)
    taken: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    for cells, name in units:
        if frozenset(cells) in seen:
            continue
        seen.add(frozenset(cells))
        # The units of a rule share no cell.
        level = 0
        while not taken[name, len(cells), level].isdisjoint(cells):
            level += 1
        taken[name, len(cells), level].update(cells)
        rows[name, len(cells), level].append(cells)
    return board.with_more([Rule(name, np.array(cells, np.int32)) for (name, *_), cells in rows.items()])


@lru_cache(maxsize=1024)
def _as_row(values: int, n: int) -> "np.typing.NDArray[np.bool_]":
    from sudoku_encode.puzzles.constraints.primitives import values_in

    row = np.zeros(n, bool)
    row[[value - 1 for value in values_in(values)]] = True
    return freeze(row)
