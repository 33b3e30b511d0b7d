"""The plain formula of a puzzle and a CNF file, in common variables: those of the cells are the same in both.

The variables are numbered: those of the cells, as in `plain`; the auxiliary ones of the plain formula; the other ones
of the file. In most encodings a variable of the file says that a cell holds a value: then it is one of the first.
"""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.proving import plain
from sudoku_encode.proving.implication import apart, joined
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Puzzle

# All values of variables are tried where there are no more variables than these.
_MOST_BITS = 7


@dataclass(frozen=True, eq=False)
class FormulaPair:
    """A plain formula and a file in common variables."""

    plain: Numbers
    file: Numbers
    # Clauses that a cell holds a value if and only if all literals hold that the encoding names for it.
    meaning: Numbers
    n_of_cells: int  # how many variables the cells have
    n_plain: int  # the same with the auxiliary ones of the plain formula
    n_variables: int  # the same with those of the file
    # int32 (variables of the file + 1,): the literal here of each variable there.
    names: Numbers
    literals: Numbers  # `Encoding.literals` in these variables

    @property
    def is_of_cell(self) -> NDArray[np.bool_]:
        """Which variables are of cells, bool (n_variables + 1,); also entry 0."""
        return np.arange(self.n_variables + 1) <= self.n_of_cells

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The number in the file of each variable that is not of a cell."""
        return {int(name): number for number, name in enumerate(self.names.tolist()) if name > self.n_plain}


def tie(puzzle: Puzzle, encoding: Encoding, clauses: Numbers, n_variables: int) -> FormulaPair:
    """Return the formula of a puzzle and the clauses of a file, of which an encoding tells what its variables mean.

    Raises:
        MethodError: the constraints have too many clauses.
    """
    board = puzzle.extended.geometry
    of_cells = np.arange(1, board.n_cells * board.n_values + 1, dtype=np.int32).reshape(-1, board.n_values)
    n_plain, literals = plain.n_variables(puzzle), encoding.literals
    # A variable that is the only literal of one value of one cell, and of no other, is that of the cell.
    n_uses = np.bincount(np.abs(literals).ravel(), minlength=n_variables + 1)
    only = np.where((literals != 0).sum(axis=2) == 1, literals.sum(axis=2, dtype=np.int32), 0)
    is_same = encoding.candidates & (only != 0) & (n_uses[np.abs(only)] == 1)
    names = np.zeros(n_variables + 1, np.int32)
    names[np.abs(only[is_same])] = np.sign(only[is_same]) * of_cells[is_same]
    others = np.flatnonzero(names[1:] == 0) + 1
    names[others] = np.arange(n_plain + 1, n_plain + 1 + len(others))
    common = _renamed(literals, names)
    meaning: list[list[int]] = []
    for cell, value in zip(*np.nonzero(~is_same), strict=True):
        variable, parts = int(of_cells[cell, value]), [literal for literal in common[cell, value].tolist() if literal]
        if not encoding.candidates[cell, value]:
            meaning.append([-variable])
            continue
        meaning += [[-variable, part] for part in parts] + [[variable, *(-part for part in parts)]]
    return FormulaPair(
        np.concatenate([np.pad(family, ((0, 0), (0, 1))).ravel() for family in plain.clauses(puzzle)]),
        _renamed(clauses, names),
        joined(meaning),
        of_cells.size,
        n_plain,
        n_plain + len(others),
        names,
        common,
    )


def _renamed(literals: Numbers, names: Numbers) -> Numbers:
    return np.asarray(np.sign(literals) * names[np.abs(literals)], np.int32)


def bits(both: FormulaPair) -> dict[int, list[int]]:
    """Return the variables of the file that determine a variable of a cell, if these are several, but few."""
    determining: dict[int, list[int]] = {}
    for cell, literals in enumerate(both.literals):
        own = np.unique(np.abs(literals[np.abs(literals) > both.n_plain])).tolist()
        if 1 < len(own) <= _MOST_BITS:
            first = cell * len(literals) + 1
            determining.update(dict.fromkeys(range(first, first + len(literals)), own))
    return determining


def functions(both: FormulaPair) -> dict[int, list[int]]:
    """Return for each variable of the file that helps to encode the value of one cell the values for which it is true.

    Values are given by the variables of cells. The literals of a value need not name each variable of the cell: others
    follow from clauses between variables of the same cell, or are false.
    """
    n_values = both.literals.shape[1]
    owners = np.full(both.n_variables + 1, -1)
    for cell, literals in enumerate(both.literals):
        own = np.unique(np.abs(literals[np.abs(literals) > both.n_plain]))
        owners[own] = np.where(owners[own] == -1, cell, -2)
    if (owners < 0).all():
        return {}
    inner: defaultdict[int, list[list[int]]] = defaultdict(list)
    for clause in apart(both.file):
        cells = {int(owners[abs(literal)]) for literal in clause}
        if len(cells) == 1 and min(cells) >= 0:
            inner[cells.pop()].append(clause)
    true_for: dict[int, list[int]] = {int(variable): [] for variable in np.flatnonzero(owners >= 0)}
    for cell in np.unique(owners[owners >= 0]).tolist():
        for value in range(n_values):
            for literal in _propagated(both.literals[cell, value].tolist(), inner[cell]):
                if literal in true_for:
                    true_for[literal].append(cell * n_values + value + 1)
    return true_for


def _propagated(literals: list[int], clauses: list[list[int]]) -> set[int]:
    """Return literals with those that they imply by unit propagation; 0 is left out, and contradictions are ignored."""
    true = {literal for literal in literals if literal}
    remaining, before = clauses if true else [], -1
    while len(true) != before:
        before, rest = len(true), []
        for clause in remaining:
            free = [literal for literal in clause if -literal not in true]
            if len(free) == 1:
                true.add(free[0])
            elif true.isdisjoint(free):
                rest.append(clause)
        remaining = rest
    return true
