"""Puzzles of growing hardness, chosen among many: rungs of a ladder for benchmarks of SAT solvers."""

from collections.abc import Iterable
from typing import NamedTuple

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver

# The solver whose propagations are counted: a plain one, whose count does not change with the time that it takes.
SOLVER = "minisat22"
# What is left out of the CNFs: nothing.
REDUCTION = "none"
# How many puzzles are generated for each rung: fewer leave rungs that are hardly harder than those before them.
PUZZLES_PER_RUNG = 8


class Rung(NamedTuple):
    """A puzzle of a ladder.

    Attributes:
        number: of the puzzle among those that were generated.
        puzzle: itself.
        propagations: see `propagations`.
    """

    number: int
    puzzle: Puzzle
    propagations: int


def propagations(puzzle: Puzzle) -> int:
    """Return how many literals minisat propagates in the puzzle's CNF until it has all solutions, and no more exist.

    The CNF has the givens as clauses, so that no file of a ladder is empty, and singles are the solver's work.
    """
    with IncrementalSolver(encode(puzzle, reduction=REDUCTION), SOLVER) as solver:
        for _ in solver.solutions(Deadline()):
            pass
        return solver.propagations


def ladder(puzzles: Iterable[tuple[int, Puzzle]], n: int) -> list[Rung]:
    """Return n of the puzzles, each harder than the one before: the easiest, the hardest, and those at even steps.

    Args:
        puzzles: with their numbers, more than n.
        n: how many are wanted; fewer come out where fewer differ in hardness.
    """
    by_hardness: dict[int, Rung] = {}
    for number, puzzle in puzzles:
        hardness = propagations(puzzle)
        # Of several that are as hard as each other the first is taken.
        by_hardness.setdefault(hardness, Rung(number, puzzle, hardness))
    rungs = [by_hardness[hardness] for hardness in sorted(by_hardness)]
    if len(rungs) <= n:
        return rungs
    return [rungs[round(step * (len(rungs) - 1) / max(1, n - 1))] for step in range(n)]
