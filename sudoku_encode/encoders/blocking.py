"""Blocking clauses, which exclude solutions that a solver has found, and the grids that these clauses determine.

Short clauses are faster. In a unit with as many cells as there are values, the value of one cell follows from the
others, so the clause can leave that cell out.
"""

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import chain
from operator import itemgetter
from struct import pack
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.geometry import Cells, Geometry
from sudoku_encode.puzzles.puzzle import Grids

Model = list[int]
Clause = list[int]


class Blocking(NamedTuple):
    """How solutions are excluded."""

    # From a model, the literals of the encoding's variables in order, to the clause that excludes its solution.
    # Decoding the grid takes longer, and is done for many at once.
    clause: Callable[[Model], Clause]
    # From such clauses to the grids that they exclude, uint8 (m, n_cells); None if clauses do not determine them: in
    # some encodings a value is not a single variable.
    grids: Callable[[list[Clause]], Grids] | None


def blocking(encoding: Encoding, givens: Grids, *, infer: bool = True) -> Blocking:
    """Return how to exclude solutions of an encoded puzzle, whose givens include assumed ones.

    With `infer`, inferred cells are left out of the clauses; finding them takes as long as some clauses.
    """
    board = encoding.puzzle.geometry
    is_open = (givens == 0) & encoding.literals.any(axis=(1, 2))
    # Solutions that differ only in hidden cells are one solution.
    is_open[board.n_grid :] = False
    inferred = inferred_cells(board, is_open) if infer else []
    is_named = is_open.copy()
    is_named[[cell for cell, _ in inferred]] = False
    named = encoding.literals[is_named]
    if named.shape[2] > 1 or (named < 0).any() or board.n_hidden:
        return Blocking(_of_literals(named), None)
    base = np.where(givens == 0, encoding.candidates.argmax(axis=1) + 1, givens).astype(np.uint8)
    base[is_open] = 0
    return Blocking(_of_variables(named), _decoder(encoding, base, is_named, inferred))


def inferred_cells(board: Geometry, is_open: NDArray[np.bool_]) -> list[tuple[int, Cells]]:
    """Return open cells that other cells determine, each with a unit of which it is the last open cell.

    They are in the order in which they can be filled. At least one open cell is not among them. There are many, but not
    always as many as possible. Units with as many cells as there are values determine cells.
    """
    units = [unit for rule in board.full_rules for unit in rule.units]
    cells_of = [unit[is_open[unit]].tolist() for unit in units]
    units_of: dict[int, list[int]] = {}
    for number, cells in enumerate(cells_of):
        for cell in cells:
            units_of.setdefault(cell, []).append(number)
    # For each unused unit its cells in no used unit: any one of them may be inferred, since no earlier cell depends on
    # it. The others remain named, so the unit with the fewest comes first.
    free = [set(cells) for cells in cells_of]
    waiting = [(len(cells), number) for number, cells in enumerate(free)]
    heapify(waiting)
    inferred: list[tuple[int, Cells]] = []
    while waiting:
        size, number = heappop(waiting)
        if not size or size != len(free[number]):
            continue
        cells = sorted(free[number])
        inferred.append((cells[0], units[number]))
        for cell in cells:
            for other in units_of[cell]:
                free[other].discard(cell)
                heappush(waiting, (len(free[other]), other))
    return inferred[: max(0, int(is_open.sum()) - 1)]


def _of_variables(named: Literals) -> Callable[[Model], Clause]:
    """Return the function that makes clauses if each candidate is a variable."""
    places = (named[named != 0] - 1).tolist()
    if len(places) < 2:
        return lambda model: [-model[place] for place in places if model[place] > 0]
    pick = itemgetter(*places)
    return lambda model: [-literal for literal in pick(model) if literal > 0]


def _of_literals(named: Literals) -> Callable[[Model], Clause]:
    """Return the function that makes clauses if a candidate is a conjunction of literals."""
    of_candidates = named.reshape(-1, named.shape[2])
    of_candidates = of_candidates[(of_candidates != 0).any(axis=1)]
    candidates = [[literal for literal in literals if literal] for literals in of_candidates.tolist()]

    def clause(model: Model) -> Clause:
        true_literals = set(model)
        cell_literals = (
            literal for literals in candidates if true_literals.issuperset(literals) for literal in literals
        )
        return [-literal for literal in dict.fromkeys(cell_literals)]

    return clause


def _decoder(
    encoding: Encoding, base: Grids, is_named: NDArray[np.bool_], inferred: list[tuple[int, Cells]]
) -> Callable[[list[Clause]], Grids]:
    """Return the function that decodes clauses of variables; `base` is the grid that they share, 0 if unknown."""
    cells, values = np.zeros((2, encoding.cnf.n_variables + 1), np.intp)
    cell, value = np.nonzero(encoding.literals[:, :, 0] * is_named[:, None])
    variables = encoding.literals[cell, value, 0]
    cells[variables], values[variables] = cell, value + 1
    n_named, n = np.count_nonzero(is_named), encoding.puzzle.geometry.n_values
    # Grids are bytes, so sums are modulo 256.
    all_values = np.uint8(n * (n + 1) // 2 % 256)

    def grids(clauses: list[Clause]) -> Grids:
        if any(len(clause) != n_named for clause in clauses):
            # A model gives a cell no value, or two: its grid is left empty, which every check rejects.
            whole = np.array([len(clause) == n_named for clause in clauses])
            result = np.zeros((len(clauses), len(base)), np.uint8)
            if whole.any():
                result[whole] = grids([clause for clause, is_whole in zip(clauses, whole, strict=True) if is_whole])
            return result
        # `struct` reads a list of numbers three times as fast as numpy.
        packed = pack(f"{len(clauses) * n_named}i", *chain.from_iterable(clauses))
        named = -np.frombuffer(packed, np.int32).reshape(len(clauses), n_named)
        result = np.tile(base, (len(clauses), 1))
        np.put_along_axis(result, cells[named], values[named].astype(np.uint8), axis=1)
        for place, unit in inferred:
            result[:, place] = all_values - result[:, unit].sum(axis=1, dtype=np.uint8)
        return result

    return grids
