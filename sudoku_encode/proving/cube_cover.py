"""The proof that each solution of a puzzle is in one of some cubes."""

import numpy as np

from sudoku_encode.encoders.cubes import Cube, cuts
from sudoku_encode.proving import cube_folder, hints
from sudoku_encode.proving.cube_leaf import whole_formula
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline


def cover(puzzle: Puzzle, cubes: dict[int, Cube], deadline: Deadline) -> Numbers:
    """Return the steps of the proof: of what was cut, that it has no solution outside its parts.

    Args:
        puzzle: the puzzle.
        cubes: by their numbers.
        deadline: raises StoppedError when the time is over.

    Raises:
        NotRup: that does not follow, since some cubes are missing.
    """
    whole, formula = whole_formula(puzzle)
    lemmas = [[-literal for literal in cube_folder.literals(puzzle, cube)] for cube in cuts(cubes.values()) if cube]
    derived = np.array([literal for lemma in lemmas for literal in [*lemma, 0]], np.int32)
    return hints.find(cube_folder.covering(formula, puzzle, cubes), derived, whole.cnf.n_variables, deadline)
