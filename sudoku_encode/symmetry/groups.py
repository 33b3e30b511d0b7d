"""The symmetries of a board or a puzzle, and those of them that fix cells."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import factorial, prod

import numpy as np

from sudoku_encode.errors import InternalError
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.symmetry.graphs import Graph, label
from sudoku_encode.symmetry.structure import Structure, SymmetryMap, is_carried

Tick = Callable[[], None]
# Of cells whose symmetries are stored: about 50 MB for the 9x9.
_MOST_SETS = 4096


@dataclass(frozen=True, eq=False)
class Symmetry:
    """The symmetries of a puzzle: maps of cells and values that keep its rules, givens, pencilmarks and constraints.

    Attributes:
        order: the number of symmetries.
        cell_maps: the number of ways in which they move cells.
        renamings: the number of symmetries that only rename values; order = cell_maps * renamings.
        generators: maps from which all others result, by one after the other.
        complete: whether these are all. If False, the constraints may have more symmetries than their clauses show.

    >>> import sudoku_encode as se
    >>> se.symmetries("." * 16, board="4x4")
    Symmetry(order=3072, cell_maps=128, renamings=24, complete=True)
    """

    order: int
    cell_maps: int
    renamings: int
    generators: tuple[SymmetryMap, ...] = field(repr=False)
    complete: bool


def symmetry(puzzle: Puzzle, tick: Tick) -> Symmetry:
    """Return the symmetries of a puzzle; `tick` may end the search by an error."""
    structure, board = Structure(puzzle), puzzle.geometry
    labelling = label(structure.graph, tick)
    maps = dict[tuple[bytes, bytes], SymmetryMap]()
    for move in labelling.generators:
        each = structure.map_of(move)
        require_carried(puzzle, puzzle, each)
        # Hidden cells are not a part of a solution.
        on_grid = SymmetryMap(each.cells[: board.n_grid], each.values)
        if not on_grid.is_identity:
            maps[on_grid.cells.tobytes(), on_grid.values.tobytes()] = on_grid
    renamings = _renamings(structure)
    all_of = labelling.order, labelling.order // renamings, renamings
    return Symmetry(*all_of, tuple(maps.values()), structure.has_all_symmetries)


def require_carried(source: Puzzle, target: Puzzle, by: SymmetryMap) -> None:
    """Check a map that a search returned, which covers hidden cells too.

    Raises:
        InternalError: it does not carry one puzzle to the other.
    """
    if not is_carried(source, target, by):
        raise InternalError("the search for symmetries returned a map that does not keep the puzzle")


def _renamings(structure: Structure) -> int:
    """Return how many symmetries only rename values: those that permute values with the same givens and pencilmarks."""
    if not structure.renames_values:
        return 1
    low = structure.lowered.puzzle
    is_read = (low.givens > 0) | ~low.candidates.all(axis=1)
    columns = [column.tobytes() for column in low.candidates[is_read].T]
    return prod(factorial(columns.count(column)) for column in set(columns))


class Stabilisers:
    """The symmetries of a graph that fix given vertices, each set of which is computed once."""

    def __init__(self, graph: Graph, tick: Tick) -> None:
        self.graph, self.tick = graph, tick
        self._generators: dict[tuple[int, ...], list[Intps]] = {}

    def fixing(self, vertices: Sequence[int]) -> list[Intps]:
        """Return generators of the symmetries that fix some vertices."""
        key = tuple(vertices)
        if key not in self._generators:
            if len(self._generators) == _MOST_SETS:
                self._generators.clear()
            place = np.zeros(self.graph.n, np.intp)
            place[list(key)] = np.arange(1, len(key) + 1)
            # Colours keep their order, so that vertices that count stay first.
            colours = self.graph.colours * (len(key) + 1) + place
            single = Graph(np.unique(colours, return_inverse=True)[1], self.graph.edges, self.graph.n_visible)
            self._generators[key] = label(single, self.tick).generators
        return self._generators[key]
