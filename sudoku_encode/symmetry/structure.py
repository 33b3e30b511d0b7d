"""Puzzles as coloured graphs, and the check that a map of cells and values carries one puzzle to another.

The vertices are the cells and the values, then hidden cells, and vertices that say how a constraint reads its cells.
Cells that must differ are neighbours, and a cell with a given or pencilmarks is a neighbour of its values.

A search finds maps on the graph; `is_carried` checks each on the puzzle itself. Both share the primitives and `normal`,
and nothing of the graph.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s, Intps, freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Clause,
    Count,
    EachClass,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    Unit,
    primitive_cells,
)
from sudoku_encode.puzzles.constraints.templates import with_cells
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.symmetry.graphs import Graph

# The first words of colours, in their order: vertices that count come first.
_CELL, _VALUE, _HIDDEN, _CONSTRAINT = range(4)
_Colour = tuple[int, str]


@dataclass(frozen=True, eq=False)
class SymmetryMap:
    """A map of the cells and values of a board.

    Attributes:
        cells: for each cell the cell to which its value goes, intp (n_cells,).
        values: for 0, a blank, and each value the value that it becomes, intp (n_values + 1,).

    >>> import numpy as np
    >>> turn = SymmetryMap(np.array([1, 3, 0, 2]), np.array([0, 1, 2]))
    >>> turn.grid(np.array([1, 0, 0, 2], np.uint8)).tolist()
    [0, 1, 2, 0]
    """

    cells: Intps
    values: Intps

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    @property
    def is_identity(self) -> bool:
        """Whether nothing moves."""
        return all(np.array_equal(each, np.arange(len(each))) for each in (self.cells, self.values))

    def grid(self, values: Grids) -> Grids:
        """Return the image of values (n_cells,) or of many grids (m, n_cells); 0 is a blank."""
        image = np.empty_like(values)
        image[..., self.cells] = self.values[values]
        return image

    def cycles(self, board: Geometry) -> str:
        """Return the map as cycles of the cells and values that it moves, such as `(r1c1 r1c2)(5 6)`."""
        values = [f"{board.shown(value)}" for value in range(board.n_values + 1)]
        parts = [*_cycles(self.cells, [board.cell_name(cell) for cell in range(len(self.cells))])]
        return "".join([*parts, *_cycles(self.values, values)]) or "()"


def _cycles(move: Intps, names: Sequence[str]) -> Iterator[str]:
    """Yield the cycles of a permutation, without fixed points, as text."""
    images, seen = move.tolist(), set[int]()
    for start in range(len(images)):
        cycle, place = [], start
        while place not in seen:
            seen.add(place)
            cycle.append(names[place])
            place = images[place]
        if len(cycle) > 1:
            yield f"({' '.join(cycle)})"


@dataclass(frozen=True, eq=False)
class Structure:
    """A puzzle with its graph."""

    puzzle: Puzzle

    @cached_property
    def lowered(self) -> LoweredPuzzle:
        """The puzzle in units, candidates and primitives."""
        return lower_puzzle(self.puzzle)

    @cached_property
    def renames_values(self) -> bool:
        """Whether values may be renamed: not if a constraint tells them apart."""
        n = self.puzzle.geometry.n_values
        return all(_is_same_for_all_values(primitive, n) for primitive in self.lowered.primitives)

    @property
    def has_all_symmetries(self) -> bool:
        """Whether every symmetry of the rules, givens and pencilmarks is one of the graph."""
        # Constraints that mean the same may have different primitives.
        return not self.lowered.placed

    @cached_property
    def _vertices(self) -> tuple[list[_Colour], list[tuple[int, int]]]:
        """The colours of all vertices, and all edges but those of cells that must differ."""
        board, low = self.lowered.puzzle.geometry, self.lowered.puzzle
        n_grid, n = board.n_grid, board.n_values
        is_marked = (low.givens == 0) & ~low.candidates.all(axis=1)
        states = np.where(low.givens > 0, "given", np.where(is_marked, "pencilmarks", "blank")).tolist()
        colours: list[_Colour] = [(_CELL, state) for state in states[:n_grid]]
        colours += [(_VALUE, "" if self.renames_values else f"{value:3}") for value in range(n)]
        colours += [(_HIDDEN, state) for state in states[n_grid:]]
        read, value = np.nonzero(low.candidates & ((low.givens > 0) | is_marked)[:, None])
        edges = list(zip(self.vertex_of[read].tolist(), (n_grid + value).tolist(), strict=True))
        for primitive in dict.fromkeys(map(normal, self.lowered.primitives)):
            _add_primitive(primitive, colours, edges, self.vertex_of)
        return colours, edges

    @cached_property
    def vertex_of(self) -> Intps:
        """The vertex of each cell, hidden ones too."""
        board = self.lowered.puzzle.geometry
        cells = np.arange(board.n_cells)
        return np.where(cells < board.n_grid, cells, cells + board.n_values)

    @cached_property
    def palette(self) -> tuple[tuple[_Colour, int], ...]:
        """The colours with the number of their vertices, ascending: graphs are compared only if theirs are equal."""
        names, sizes = np.unique([f"{kind} {text}" for kind, text in self._vertices[0]], return_counts=True)
        return tuple(
            ((int(name[0]), name[2:]), size) for name, size in zip(names.tolist(), sizes.tolist(), strict=True)
        )

    @cached_property
    def graph(self) -> Graph:
        """The graph of the puzzle."""
        board = self.lowered.puzzle.geometry
        names, edges = self._vertices
        number = {colour: place for place, (colour, _) in enumerate(self.palette)}
        colours = np.array([number[name] for name in names], np.intp)
        every = np.concatenate([self.vertex_of[board.edges], np.array(edges, np.intp).reshape(-1, 2)])
        return Graph(colours, every, board.n_grid + board.n_values)

    def map_of(self, images: Intps) -> SymmetryMap:
        """Return the map of cells, hidden ones too, and values that belongs to a map of vertices."""
        board = self.lowered.puzzle.geometry
        cell_of = np.empty(self.vertex_of.max() + 1, np.intp)
        cell_of[self.vertex_of] = np.arange(board.n_cells)
        values = images[board.n_grid : board.n_grid + board.n_values] - board.n_grid + 1
        return SymmetryMap(cell_of[images[self.vertex_of]], np.concatenate([[0], values]))


def _is_same_for_all_values(primitive: Primitive, n: int) -> bool:
    """Check whether a primitive holds however values are renamed."""
    if isinstance(primitive, Relation):
        equal, all_values = tuple(1 << value for value in range(n)), (1 << n) - 1
        return primitive.allowed in (equal, tuple(all_values ^ row for row in equal))
    return isinstance(primitive, SameCounts) or primitive == Clause(())


def normal(primitive: Primitive) -> Primitive:
    """Return a primitive that means the same, and is the same for any order of the cells that has no meaning."""
    match primitive:
        case Relation(first, second, allowed):
            n = len(allowed)
            turned = tuple(sum((allowed[a] >> b & 1) << a for a in range(n)) for b in range(n))
            if (turned, second, first) < (allowed, first, second):
                return Relation(second, first, turned)
        case Sum(cells, coefficients):
            terms = sorted(zip(coefficients, cells, strict=True))
            return replace(primitive, cells=tuple(cell for _, cell in terms), coefficients=tuple(c for c, _ in terms))
        case Unit(cells) | Count(cells) | EachClass(cells):
            return replace(primitive, cells=tuple(sorted(cells)))
        case Clause(literals):
            return Clause(tuple(sorted(set(literals), key=lambda literal: (literal[1], literal[0]))))
    return primitive


def _roles(primitive: Primitive) -> list[int]:
    """Return for each cell of a normal primitive a number, which is equal for cells whose order has no meaning."""
    match primitive:
        case Relation(_, _, allowed):
            turned = normal(Relation(1, 0, allowed))
            return [0, 0] if turned == Relation(0, 1, allowed) else [0, 1]
        case Sum(_, coefficients):
            return list(coefficients)
        case Count(cells) | EachClass(cells):
            return [0] * len(cells)
        case Clause(literals) if len({cell for cell, _ in literals}) == len(literals):
            return [value for _, value in literals]
    return list(range(len(primitive_cells(primitive))))


def _add_primitive(
    primitive: Primitive, colours: list[_Colour], edges: list[tuple[int, int]], vertex_of: Intps
) -> None:
    """Add a vertex for a primitive, and one for each role of its cells."""
    cells, roles = primitive_cells(primitive), _roles(primitive)
    pattern = with_cells(primitive, {cell: place for place, cell in enumerate(cells)})
    name = blake2b(repr(pattern).encode(), digest_size=16).hexdigest()
    centre = len(colours)
    colours.append((_CONSTRAINT, name))
    vertices = {role: centre + place for place, role in enumerate(sorted(set(roles)), 1)}
    # If all cells have the same role, they are neighbours of the primitive itself.
    if len(vertices) == 1:
        vertices = dict.fromkeys(vertices, centre)
    else:
        colours += [(_CONSTRAINT, f"{name} {role:5}") for role in vertices]
        edges += [(centre, vertex) for vertex in vertices.values()]
    edges += [(vertices[role], int(vertex_of[cell])) for cell, role in zip(cells, roles, strict=True)]


def is_carried(source: Puzzle, target: Puzzle, by: SymmetryMap) -> bool:
    """Check whether a map carries the rules, givens, pencilmarks and constraints of a puzzle to those of another.

    Then it also carries each solution of the first to one of the second, and its inverse the other way round.
    """
    lowered, image = lower_puzzle(source), lower_puzzle(target)
    (low, other), n = (lowered.puzzle, image.puzzle), source.geometry.n_values
    if sorted(by.cells.tolist()) != list(range(low.geometry.n_cells)) or sorted(by.values.tolist()) != list(
        range(n + 1)
    ):
        return False
    if low.geometry.n_cells != other.geometry.n_cells or n != target.geometry.n_values:
        return False
    # A hidden cell is read by constraints alone, and not a part of a solution.
    if (by.cells[: low.geometry.n_grid] >= low.geometry.n_grid).any():
        return False
    if not np.array_equal(_pairs(by.cells[low.geometry.edges]), _pairs(other.geometry.edges.astype(np.intp))):
        return False
    allowed = np.empty_like(low.candidates)
    allowed[np.ix_(by.cells, by.values[1:] - 1)] = low.candidates
    if not np.array_equal(by.grid(low.givens), other.givens) or not np.array_equal(allowed, other.candidates):
        return False
    moved = {normal(with_cells(primitive, by.cells.tolist())) for primitive in lowered.primitives}
    if by.values.tolist() != list(range(n + 1)) and not all(_is_same_for_all_values(each, n) for each in moved):
        return False
    return moved == {normal(primitive) for primitive in image.primitives}


def _pairs(edges: Intps) -> Int64s:
    """Return each pair of cells as a number, ascending."""
    ordered = np.sort(edges, axis=1).astype(np.int64)
    return np.sort(ordered[:, 0] << 32 | ordered[:, 1])
