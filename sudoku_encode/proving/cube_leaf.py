"""What a worker does for a certificate in cubes: it lists the solutions in a cube and proves that there are no more."""

import time
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode.encoders.cubes import Cube, within
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formula import dimacs
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import cube_folder, hints, making, numbers
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.formulas import left_of, whole_of
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, are_wrong
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.stopping import go_on


class Budget(NamedTuple):
    """How much a cube may take; one that takes more is cut.

    Attributes:
        seconds: of one core.
        solutions: listed in it; each adds a clause, and with many of them a solver gets slow.
        proof_bytes: of the compressed proof, which travels.
    """

    seconds: float = 20.0
    solutions: int = 2_000
    proof_bytes: int = 10_000_000


BUDGET = Budget()


class Leaf(NamedTuple):
    """What is in a cube.

    Attributes:
        grids: its solutions, uint8 (m, n_cells).
        proof: the gzip file of the proof that there are no more.
    """

    grids: Grids
    proof: bytes


@dataclass(frozen=True)
class _Watched(Deadline):
    """A deadline of a task, which ends also when its client wants no answer any more."""

    def __call__(self) -> None:
        """Raise StoppedError when the time is over, or the client has stopped the task."""
        go_on()
        super().__call__()


def leaf(puzzle: Puzzle, solver: str, budget: Budget | None, cube: Cube) -> Leaf | None:
    """Return what is in a cube of a puzzle, or None if that takes more than the budget.

    Args:
        puzzle: the puzzle.
        solver: one of PROVERS.
        budget: how much it may take; None is all that it needs.
        cube: of the puzzle.

    Raises:
        StoppedError: the client wants no answer any more.
        InternalError: a solver lost a solution, or its proof is none.
    """
    if budget is None:
        return _leaf(puzzle, solver, _Watched(), cube)
    try:
        found = _leaf(puzzle, solver, _Watched(budget.solutions, time.monotonic() + budget.seconds), cube)
    except StoppedError:
        go_on()
        return None
    return found if len(found.proof) <= budget.proof_bytes else None


def _leaf(puzzle: Puzzle, solver: str, deadline: Deadline, cube: Cube) -> Leaf:
    part = within(puzzle, cube)
    grids = np.concatenate([np.empty((0, len(part.givens)), np.uint8), *solutions(part, "sat", deadline)])
    deadline()
    whole, formula = whole_formula(puzzle)
    left = left_of(part, whole)
    clauses = [left.blocking_clause(grid, part.blanks) for grid in grids]
    if left is whole:
        clauses += [[literal] for literal in cube_folder.literals(puzzle, cube)]
    derived = making.renamed(making.lemmas(left, clauses, deadline, solver), left, whole)
    blocked = cube_folder.blocked(formula, puzzle, cube, grids)
    try:
        steps = hints.find(blocked, derived, whole.cnf.n_variables, deadline)
    except hints.NotRup as error:
        raise InternalError(f"the proof of {solver} is none: {error}") from error
    return Leaf(grids, _packed(steps))


def _packed(steps: Numbers) -> bytes:
    packing = zlib.compressobj(6, wbits=31)
    pieces = [packing.compress(line.encode("ascii")) for line in making.proof_lines(steps)]
    return b"".join([*pieces, packing.flush()])


@lru_cache(maxsize=1)
def whole_formula(puzzle: Puzzle) -> tuple[Encoding, Numbers]:
    """Return the encoding of a puzzle without a reduction, and its clauses, each with a 0 at its end."""
    whole, text = whole_of(puzzle), bytearray()
    dimacs.write(whole.cnf, text.extend)
    return whole, numbers.read(bytes(text), files.FORMULA, numbers.header(bytes(text), files.FORMULA)[2])


def wrong(puzzle: Puzzle, cube: Cube, found: object, *, is_whole: bool = False) -> str:
    """Say why what a worker returned is nothing that is in a cube, as far as that shows at a glance.

    Args:
        puzzle: the puzzle.
        cube: of the puzzle.
        found: what was returned.
        is_whole: whether the cube might take all that it needs, so that there is no None.
    """
    if found is None:
        return (
            "the executor answered that the cube takes too much, and it may take all that it needs" if is_whole else ""
        )
    if not isinstance(found, Leaf) or not isinstance(found.grids, np.ndarray) or not isinstance(found.proof, bytes):
        return "the executor answered with no solutions and proof"
    part = within(puzzle, cube)
    if found.grids.dtype != np.uint8 or found.grids.shape[1:] != (len(part.givens),):
        return "the executor answered with what are no grids"
    if are_wrong(part, found.grids).any():
        return "the executor answered with a grid that is no solution"
    return ""
