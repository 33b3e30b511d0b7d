"""From a puzzle with constraints to a puzzle without, and the primitives that the board cannot say."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sudoku_encode.constraints.primitives import NEVER, Allowed, Automaton, Primitive, Unit, values_in
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.puzzles.constraint import Placed, functions
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# Of a puzzle: seconds to make, and half a gigabyte. Four clues to a side of 25x25 take fewer.
MOST_PRIMITIVES, MOST_TRANSITIONS = 500_000, 6_000_000
# Cells that constraints name, times the square of the largest value: a 9x9 with forty lines of nine cells has 30,000.
_QUICK = 50_000
# No board has more values than 100; a larger unit is an impossible one, and is a clause.
MOST_UNIT_CELLS = 256


@dataclass(frozen=True, eq=False)
class Lowered:
    """A puzzle in the terms of encoders and solvers.

    Attributes:
        puzzle: without constraints: groups of cells that differ are units of its board, and what a single cell may hold
            is among its pencilmarks.
        primitives: what must hold besides; none are a `Unit` or `Allowed`.
        kinds: of the constraints that these are from.
    """

    puzzle: Puzzle
    primitives: tuple[Primitive, ...] = ()
    kinds: tuple[str, ...] = ()


def lowered(puzzle: Puzzle) -> Lowered:
    """Return what a puzzle is made of; without constraints it is that itself."""
    return _lowered(puzzle) if puzzle.constraints else Lowered(puzzle)


def is_quick(puzzle: Puzzle) -> bool:
    """Check by the number of cells and values that `lowered` takes less than about a second, whatever the kinds."""
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    named = (n_cells if one.alternatives or not one.cells else sum(map(len, one.cells)) for one in puzzle.constraints)
    return sum(named) * n * n <= _QUICK


@lru_cache(maxsize=32)
def _lowered(puzzle: Puzzle) -> Lowered:
    units: list[Unit] = []
    others: dict[Primitive, None] = {}
    kinds: dict[str, None] = {}
    marks: Candidates | None = None
    n_primitives = n_transitions = 0
    for here in puzzle.placed:
        for primitive in primitives_of(here):
            n_primitives += 1
            n_transitions += sum(map(len, primitive.layers)) if isinstance(primitive, Automaton) else 0
            require_few(n_primitives, n_transitions)
            if isinstance(primitive, Unit) and len(primitive.cells) <= MOST_UNIT_CELLS:
                units.append(primitive)
                continue
            if isinstance(primitive, Unit):
                # No board has as many values; and each pair of the cells would be an edge.
                primitive = NEVER  # noqa: PLW2901
            if isinstance(primitive, Allowed):
                marks = puzzle.candidates.copy() if marks is None else marks
                marks[primitive.cell] &= _as_row(primitive.values, puzzle.geometry.n_values)
                given = int(puzzle.givens[primitive.cell])
                if not given or primitive.values >> given - 1 & 1:
                    continue
                # The pencilmarks of a given are not looked at, so that a clause must say it.
                primitive = NEVER  # noqa: PLW2901
            others[primitive] = None
            kinds[here.constraint.kind] = None
    if marks is None or np.array_equal(marks, puzzle.candidates):
        marks = puzzle.pencilmarks
    plain = Puzzle(with_units(puzzle.geometry, units), puzzle.givens, marks, puzzle.name)
    return Lowered(plain, tuple(others), tuple(kinds))


def primitives_of(here: Placed) -> Iterator[Primitive]:
    """Yield the primitives of a constraint.

    Raises:
        FormatError: they are too many, or too large.
    """
    kind, n_transitions = here.constraint.kind, 0
    try:
        for number, primitive in enumerate(functions(kind).lower(here)):
            n_transitions += sum(map(len, primitive.layers)) if isinstance(primitive, Automaton) else 0
            require_few(number + 1, n_transitions)
            yield primitive
    except FormatError as error:
        raise FormatError(f"{kind}: {error.message}") from error


def require_few(n_primitives: int, n_transitions: int) -> None:
    """Check that a constraint, or a puzzle, is not made of too much: a short line may say that of a large board.

    Raises:
        FormatError: it is.
    """
    if n_primitives > MOST_PRIMITIVES:
        raise FormatError(f"more than {MOST_PRIMITIVES:,} pairs or clauses; expected fewer cells, or a smaller board")
    if n_transitions > MOST_TRANSITIONS:
        raise FormatError(f"automata of more than {MOST_TRANSITIONS:,} transitions; expected fewer cells or values")


def plain(puzzle: Puzzle, what: str) -> Puzzle:
    """Return a puzzle without constraints that has the same solutions, for what knows units and candidates alone.

    Args:
        puzzle: any.
        what: that asks, such as `method frontier`.

    Raises:
        MethodError: there is none; the message names the constraints.
    """
    found = lowered(puzzle)
    if found.primitives:
        raise MethodError(f"{what} takes no constraints but units; the puzzle has {', '.join(found.kinds)}")
    return found.puzzle


def with_units(board: Geometry, units: Iterable[Unit]) -> Geometry:
    """Return a board with more units, of which those that say anything new are rules of their names."""
    known: set[frozenset[int]] = set()
    rows: defaultdict[tuple[str, int, int], list[tuple[int, ...]]] = defaultdict(list)
    taken: defaultdict[tuple[str, int, int], set[int]] = defaultdict(set)
    for unit in units:
        cells, name = unit.cells, unit.name
        # Cells of one unit of the board differ already.
        if len(cells) < 2 or frozenset(cells) in known or board.differ(cells):
            continue
        known.add(frozenset(cells))
        # The units of a rule share no cell.
        level = 0
        while not taken[name, len(cells), level].isdisjoint(cells):
            level += 1
        taken[name, len(cells), level].update(cells)
        rows[name, len(cells), level].append(cells)
    rules = [Rule(name, np.array(cells, np.int32)) for (name, *_), cells in rows.items()]
    return board.with_more(rules) if rules else board


def _as_row(values: int, n: int) -> "np.typing.NDArray[np.bool_]":
    row = np.zeros(n, bool)
    row[[value - 1 for value in values_in(values)]] = True
    return row
