"""Break symmetries: givens and inequalities that leave at least one solution of each kind.

Where all values may be renamed, a unit gets its values in order. Of the symmetries of the puzzle that then keep all
values, those that fix some first cells map the next cell to several others. The solution that is the least in reading
order has no smaller value there, so an inequality may say it.

Source: Crawford et al. 1996 (lex-leader); Salvagnin 2018.
"""

from dataclasses import dataclass
from math import factorial

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.symmetry.graphs import orbits_under
from sudoku_encode.symmetry.groups import Stabilisers, Tick, symmetry
from sudoku_encode.symmetry.kinds import unit_in_order, with_unit
from sudoku_encode.symmetry.structure import Structure


@dataclass(frozen=True, eq=False)
class BrokenSymmetry:
    """A puzzle with conditions that leave fewer solutions, and at least one of each kind.

    Attributes:
        puzzle: the puzzle with these conditions as givens and constraints.
        renamings: the number of ways to name the values, of which one is left.
        cell_maps: the number of symmetries of the puzzle with these names that move cells and keep values.
        exact: whether of every `renamings * cell_maps` solutions exactly one is left; else it may be more.

    >>> import sudoku_encode as se
    >>> broken = se.break_symmetry("." * 16, board="4x4")
    >>> broken.renamings, broken.cell_maps, se.count(broken.puzzle).value
    (24, 2, 6)
    """

    puzzle: Puzzle
    renamings: int
    cell_maps: int
    exact: bool

    @property
    def text(self) -> str:
        """The broken symmetries, in a line."""
        names = f"{self.renamings:,} ways to name the values" if self.renamings > 1 else ""
        maps = f"{self.cell_maps:,} maps of cells" if self.cell_maps > 1 else ""
        parts = " and ".join(filter(None, (names, maps)))
        if not parts:
            return "symmetry broken: none; the puzzle has no symmetry of this sort"
        least = "" if self.exact else "at least "
        return f"symmetry broken: {parts}; {least}1 of {self.renamings * self.cell_maps:,} solutions is left"


def break_symmetry(puzzle: Puzzle, tick: Tick) -> BrokenSymmetry:
    """Return a puzzle with at least one solution of each kind, and mostly far fewer solutions.

    Raises:
        MethodError: the puzzle has hidden cells.
    """
    board = puzzle.geometry
    unit = unit_in_order(puzzle, symmetry(puzzle, tick))
    named = with_unit(puzzle, unit)
    structure = Structure(named)
    if structure.lowered.puzzle.geometry.n_hidden:
        raise MethodError("symmetry of a puzzle with hidden cells cannot be broken")
    stabilisers = Stabilisers(structure.graph, tick)
    fixed = list(range(board.n_cells, board.n_cells + board.n_values))
    added, cell_maps, exact = list[Constraint](), 1, True
    for cell in range(board.n_cells):
        generators = stabilisers.fixing(fixed)
        if not generators:
            break
        orbits = orbits_under(generators, structure.graph.n)
        others = [other for other in np.flatnonzero(orbits == orbits[cell]).tolist() if other != cell]
        if not others:
            continue
        fixed.append(cell)
        cell_maps *= len(others) + 1
        for other in others:
            differ = board.differ((cell, other))
            exact = exact and differ
            added.append(Constraint("thermometer" if differ else "slow-thermometer", ((cell, other),)))
    constraints = [*puzzle.constraints, *added]
    broken = Puzzle(board, named.givens, named.pencilmarks, puzzle.name, constraints)
    return BrokenSymmetry(broken, 1 if unit is None else factorial(board.n_values), cell_maps, exact)
