"""The clauses that exclude the solutions that a solver found, and the grids that these clauses say.

A clause of few literals takes less time to add and to work with. Where a unit has as many cells as there are values,
one cell of it holds what the others leave; so the clause need not say what it holds.
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
    """How solutions are excluded.

    Attributes:
        clause: from a model, the literals of the encoding's variables in their order, to the clause that excludes its
            solution. Which grid that is takes longer to find out, and is found out for many at once.
        grids: from some of these clauses to the grids that they exclude, uint8 (m, n_cells); None where clauses do not
            say it: in some encodings a value is no variable.
    """

    clause: Callable[[Model], Clause]
    grids: Callable[[list[Clause]], Grids] | None


def blocking(encoding: Encoding, known: Grids, *, infer: bool = True) -> Blocking:
    """Return how solutions of an encoded puzzle are excluded.

    Args:
        encoding: of the puzzle.
        known: uint8 (n_cells,): the givens, also those that are assumed; 0 is a blank.
        infer: leave out of the clauses what follows from the rest. To see what that is takes as long as some clauses.
    """
    is_open = (known == 0) & encoding.literals.any(axis=(1, 2))
    inferred = inferred_cells(encoding.puzzle.geometry, is_open) if infer else []
    is_named = is_open.copy()
    is_named[[cell for cell, _ in inferred]] = False
    named = encoding.literals[is_named]
    if named.shape[2] > 1 or (named < 0).any():
        return Blocking(_of_literals(named), None)
    base = np.where(known == 0, encoding.candidates.argmax(axis=1) + 1, known).astype(np.uint8)
    base[is_open] = 0
    return Blocking(_of_variables(named), _decoder(encoding, base, is_named, inferred))


def inferred_cells(board: Geometry, is_open: NDArray[np.bool_]) -> list[tuple[int, Cells]]:
    """Return open cells that other cells determine, each with a unit of which it is the only cell not known by then.

    They come in the order in which they can be filled in, at least one open cell is not among them, and there are many,
    though not always as many as there can be.

    Args:
        board: its units with as many cells as there are values determine cells.
        is_open: bool (n_cells,): cells whose value is not known.
    """
    units = [unit for rule in board.full_rules for unit in rule.units]
    cells_of = [unit[is_open[unit]].tolist() for unit in units]
    units_of: dict[int, list[int]] = {}
    for number, cells in enumerate(cells_of):
        for cell in cells:
            units_of.setdefault(cell, []).append(number)
    # In a unit that is not used yet, the cells that are in none of those used: any of them may be left out, since no
    # cell before depends on it. The others remain named; so the unit with the fewest comes first.
    free = [set(cells) for cells in cells_of]
    waiting = [(len(cells), number) for number, cells in enumerate(free)]
    heapify(waiting)
    found: list[tuple[int, Cells]] = []
    while waiting:
        size, number = heappop(waiting)
        if not size or size != len(free[number]):
            continue
        cells = sorted(free[number])
        found.append((cells[0], units[number]))
        for cell in cells:
            for other in units_of[cell]:
                free[other].discard(cell)
                heappush(waiting, (len(free[other]), other))
    return found[: max(0, int(is_open.sum()) - 1)]


def _of_variables(named: Literals) -> Callable[[Model], Clause]:
    """Return what makes clauses where each candidate is a variable of its own."""
    places = (named[named != 0] - 1).tolist()
    if len(places) < 2:
        return lambda model: [-model[place] for place in places if model[place] > 0]
    pick = itemgetter(*places)
    return lambda model: [-literal for literal in pick(model) if literal > 0]


def _of_literals(named: Literals) -> Callable[[Model], Clause]:
    """Return what makes clauses where a cell holds a candidate iff some literals hold."""
    of_candidates = named.reshape(-1, named.shape[2])
    of_candidates = of_candidates[(of_candidates != 0).any(axis=1)]
    candidates = [[literal for literal in literals if literal] for literals in of_candidates.tolist()]

    def clause(model: Model) -> Clause:
        held = set(model)
        said = (literal for literals in candidates if held.issuperset(literals) for literal in literals)
        return [-literal for literal in dict.fromkeys(said)]

    return clause


def _decoder(
    encoding: Encoding, base: Grids, is_named: NDArray[np.bool_], inferred: list[tuple[int, Cells]]
) -> Callable[[list[Clause]], Grids]:
    """Return what makes grids of clauses of variables; `base` is 0 where a grid is not known."""
    cells, values = np.zeros((2, encoding.cnf.n_variables + 1), np.intp)
    cell, value = np.nonzero(encoding.literals[:, :, 0] * is_named[:, None])
    variables = encoding.literals[cell, value, 0]
    cells[variables], values[variables] = cell, value + 1
    n_named, n = np.count_nonzero(is_named), encoding.puzzle.geometry.n_values
    # Grids are of bytes, in which sums are exact but for multiples of 256.
    all_values = np.uint8(n * (n + 1) // 2 % 256)

    def grids(clauses: list[Clause]) -> Grids:
        if any(len(clause) != n_named for clause in clauses):
            # A model gives a cell no value, or two: its grid is left empty, which no check takes for a solution.
            whole = np.array([len(clause) == n_named for clause in clauses])
            found = np.zeros((len(clauses), len(base)), np.uint8)
            if whole.any():
                found[whole] = grids([clause for clause, is_whole in zip(clauses, whole, strict=True) if is_whole])
            return found
        # `struct` reads a list of numbers three times as fast as numpy.
        packed = pack(f"{len(clauses) * n_named}i", *chain.from_iterable(clauses))
        said = -np.frombuffer(packed, np.int32).reshape(len(clauses), n_named)
        found = np.tile(base, (len(clauses), 1))
        np.put_along_axis(found, cells[said], values[said].astype(np.uint8), axis=1)
        for place, unit in inferred:
            found[:, place] = all_values - found[:, unit].sum(axis=1, dtype=np.uint8)
        return found

    return grids
