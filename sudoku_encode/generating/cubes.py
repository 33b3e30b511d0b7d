"""Random 9x9x9 cubes of a wanted kind: uniform, whose values have one pattern of signs, or mixed.

To begin with nothing would be too hard a question for SAT solvers where most values have one pattern. So each of the 14
classes of patterns that occur (`placements.classes`) has a first cube. It is moved by random symmetries, and then a few
values at a time are filled anew, as in `grids`, while each value keeps its pattern. So a cube depends on the random
numbers alone, not on a solver.
"""

from functools import partial

import numpy as np
from numpy.random import RandomState

from sudoku_encode.errors import InternalError
from sudoku_encode.generating import grids
from sudoku_encode.generating.first_cubes import MIXED
from sudoku_encode.generating.lines import encoded
from sudoku_encode.placements.classes import CLASSES
from sudoku_encode.placements.structure import bits, lines, patterns_of
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.limits import Deadline

# How many rounds of refilling there are: more than where patterns may change, since there are fewer ways to refill.
ROUNDS = 20


def solution(board: Geometry, kind: str, rng: RandomState, deadline: Deadline, rounds: int = ROUNDS) -> Grids:
    """Return a random cube, uint8 (n_cells,). Not every cube is equally likely.

    Args:
        board: the 9x9x9 cube with all six rules.
        kind: `uniform`, or `mixed`: one of the 13 other classes, each as likely as the others.
        rng: the source of all that is random.
        deadline: when to stop.
        rounds: of refilling; without any, the cube is the first one of its class, moved.

    Raises:
        StoppedError: the deadline came.
    """
    number = 0 if kind == "uniform" else 1 + rng.randint(len(CLASSES) - 1)
    axes = rng.permutation(3)
    first = np.ascontiguousarray(first_cube(board, number).reshape(board.shape).transpose(axes)).ravel()
    cube = grids.shuffled(board, first, rng)
    patterns = patterns_of(cube, 3)
    for _ in range(rounds):
        cube = grids.refilled(board, cube, rng, deadline, partial(encoded, patterns=patterns))
    return cube


def first_cube(board: Geometry, number: int) -> Grids:
    """Return the first cube of a class, a place in CLASSES, (n_cells,); its patterns are those that CLASSES has."""
    if not number:
        regular = grids.pattern(board)
        if regular is None:
            raise InternalError(f"{board.name} has no regular solution")
        return regular
    cube = np.zeros(board.n_cells, np.uint8)
    chosen = np.array(list(MIXED[number - 1]), np.intp).reshape(9, 27, 1)
    for value, (pattern, places) in enumerate(zip(CLASSES[number], chosen, strict=True), start=1):
        cube[np.isin(lines(3, pattern), np.take_along_axis(bits(3), places, axis=1))] = value
    return cube
