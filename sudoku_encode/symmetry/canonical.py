"""Canonical forms of puzzles: two puzzles have the same one if a symmetry of their board makes one from the other.

The form of a 9x9 with givens alone is its least image, see `minlex`. For others a canonical numbering of the graph of
the puzzle puts its cells in an order. Of all images of this order under the symmetries of the board, the canonical form
has the least; values are named in the order in which they occur.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint, Constraint
from sudoku_encode.puzzles.constraints.primitives import Primitive
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.symmetry import minlex
from sudoku_encode.symmetry.graphs import Labelling, label
from sudoku_encode.symmetry.groups import Stabilisers, Tick, require_carried
from sudoku_encode.symmetry.structure import Structure, SymmetryMap, is_carried, normal


def same(first: Puzzle, second: Puzzle, tick: Tick) -> SymmetryMap | None:
    """Return a map that makes the second puzzle from the first; None if there is not any.

    Raises:
        MethodError: constraints may mean the same, although their clauses differ.
    """
    if minlex.fits(first) and minlex.fits(second):
        (image, by), (other_image, other_by) = minlex.least_map(first), minlex.least_map(second)
        if not np.array_equal(image, other_image):
            return None
        by = SymmetryMap(np.argsort(other_by.cells)[by.cells], np.argsort(other_by.values)[by.values])
        require_carried(first, second, by)
        return by
    structures = [Structure(puzzle) for puzzle in (first, second)]
    if structures[0].palette == structures[1].palette:
        own, other = (label(structure.graph, tick) for structure in structures)
        if np.array_equal(own.codes, other.codes):
            by = structures[0].map_of(np.argsort(other.labels)[own.labels])
            require_carried(first, second, by)
            return SymmetryMap(by.cells[: first.geometry.n_grid], by.values)
    if not all(structure.has_all_symmetries for structure in structures):
        raise MethodError("no map was found, but the constraints may have symmetries that their clauses do not show")
    return None


def canonical(puzzle: Puzzle, tick: Tick) -> Puzzle:
    """Return the canonical form of a puzzle, on its board.

    Raises:
        MethodError: the puzzle has hidden cells, or a constraint that its symmetries do not keep.
    """
    if minlex.fits(puzzle):
        return Puzzle(puzzle.geometry, minlex.least_map(puzzle)[0], None, puzzle.name)
    structure = Structure(puzzle)
    if structure.lowered.puzzle.geometry.n_hidden:
        raise MethodError("a canonical form of a puzzle with hidden cells is not possible")
    labelling = label(structure.graph, tick)
    cells = _least_order(puzzle, np.argsort(labelling.labels[: puzzle.geometry.n_cells]), tick)
    values = _named_values(structure, labelling, cells)
    by = SymmetryMap(cells, values)
    marks = None
    # Pencilmarks of givens, and those that allow all values, say nothing.
    if not puzzle.candidates[puzzle.blanks].all():
        marks = np.empty_like(puzzle.candidates)
        marks[np.ix_(by.cells, by.values[1:] - 1)] = puzzle.candidates
    moved = sorted((_moved(bound, cells) for bound in puzzle.placed), key=lambda each: each.text(puzzle.geometry))
    image = Puzzle(puzzle.geometry, by.grid(puzzle.givens), marks, puzzle.name, dict.fromkeys(moved))
    if not is_carried(puzzle, image, by):
        kinds = ", ".join(dict.fromkeys(constraint.kind for constraint in puzzle.constraints))
        raise MethodError(f"a canonical form is not possible with these constraints: {kinds}")
    return image


def canonical_givens(board: Geometry, givens: Grids, tick: Tick) -> Grids:
    """Return the givens of the canonical form of each of many puzzles that have givens alone (m, n_cells)."""
    if minlex.is_9x9(board):
        forms, is_form = minlex.least_images(board, givens)
    else:
        forms, is_form = givens.copy(), np.zeros(len(givens), bool)
    for number in np.flatnonzero(~is_form):
        forms[number] = canonical(Puzzle(board, givens[number]), tick).givens
    return forms


def _least_order(puzzle: Puzzle, order: Intps, tick: Tick) -> Intps:
    """Return the symmetry of the board, as the image of each cell, that maps an order of the cells to the least one."""
    stabilisers = _of_board(Puzzle(puzzle.geometry, constraints=[c.constraint for c in puzzle.placed if _stays(c)]))
    stabilisers.tick = tick
    image, fixed = np.arange(puzzle.geometry.n_cells), list[int]()
    for cell in order.tolist():
        generators = stabilisers.fixing(fixed)
        if not generators:
            break
        least, move = _to_least(int(image[cell]), generators)
        image = move[image]
        if any(each[least] != least for each in generators):
            fixed.append(least)
    return image


@lru_cache(maxsize=8)
def _of_board(puzzle: Puzzle) -> Stabilisers:
    """Return the symmetries of a board with the constraints that stay, which many puzzles share."""
    return Stabilisers(Structure(puzzle).graph, lambda: None)


def _to_least(cell: int, generators: list[Intps]) -> tuple[int, Intps]:
    """Return the least image of a cell, and a product of generators that maps the cell to it."""
    moves = {cell: np.arange(len(generators[0]))}
    waiting = [cell]
    for reached in waiting:
        for generator in generators:
            image = int(generator[reached])
            if image not in moves:
                moves[image] = generator[moves[reached]]
                waiting.append(image)
    return min(moves), moves[min(moves)]


def _named_values(structure: Structure, labelling: Labelling, cells: Intps) -> Intps:
    """Return for 0 and each value its new name: the place of its first given in the image, then of its label."""
    board, givens = structure.puzzle.geometry, structure.puzzle.givens
    if not structure.renames_values:
        return np.arange(board.n_values + 1)
    labels = labelling.labels[board.n_cells : board.n_cells + board.n_values]
    values = range(1, board.n_values + 1)
    first = np.array([cells[givens == value].min(initial=board.n_cells) for value in values])
    names = np.zeros(board.n_values + 1, np.intp)
    names[1 + np.lexsort((labels, first))] = values
    return names


def _stays(bound: BoundConstraint) -> bool:
    """Return whether a constraint stays where it is when cells move, such as that of the knight's moves."""
    kind = bound.constraint
    return bool(not kind.cells or kind.alternatives or bound.needs or bound.depends_on_board)


def _moved(bound: BoundConstraint, image: Intps) -> Constraint:
    """Return a constraint on the images of its cells, in an order that does not depend on the given one if possible."""
    constraint = bound.constraint
    if _stays(bound):
        return constraint
    lists = tuple(tuple(int(image[cell]) for cell in cells) for cells in constraint.cells)
    moved = replace(constraint, cells=lists)
    if len(lists) != 1:
        return moved
    means = _meaning(bound, moved)
    for order in (sorted(lists[0]), min(lists[0], lists[0][::-1])):
        other = replace(constraint, cells=(tuple(order),))
        if _meaning(bound, other) == means:
            return other
    return moved


def _meaning(bound: BoundConstraint, constraint: Constraint) -> set[Primitive]:
    """Return the normal primitives of a constraint of the same kind."""
    return set(map(normal, replace(bound, constraint=constraint).primitives()))
