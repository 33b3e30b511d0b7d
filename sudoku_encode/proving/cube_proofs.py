"""The proofs of a certificate in cubes: for each cube its solutions and that there are no more; and the cover.

Workers make those of the cubes; the cover proves that each solution is in a cube.
"""

import time
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode.encoders.cubes import Cube, cuts, within
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formula import dimacs
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import cube_folder, hints, making, numbers
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.making import left_of, whole_of
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, are_wrong
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.tasks import go_on


class Budget(NamedTuple):
    """How much a cube may take; one that takes more is cut."""

    seconds: float = 20.0  # of one core
    solutions: int = 2_000  # listed in it; each adds a clause, and with many of them a solver gets slow
    proof_bytes: int = 10_000_000  # of the compressed proof, which travels


BUDGET: Budget = Budget()


class Leaf(NamedTuple):
    """The solutions in a cube, with the proof."""

    grids: Grids  # its solutions, uint8 (m, n_cells)
    proof: bytes  # the gzip file of the proof that there are no more


@dataclass(frozen=True)
class _TaskDeadline(Deadline):
    """A deadline of a task, which ends also when its client has stopped the task."""

    def __call__(self) -> None:
        """Raise StoppedError when the time is over, or the client has stopped the task."""
        go_on()
        super().__call__()


def leaf(puzzle: Puzzle, solver: str, budget: Budget | None, cube: Cube) -> Leaf | None:
    """Return the solutions in a cube of a puzzle with the proof, or None if that takes more than the budget.

    Raises:
        StoppedError: the client has stopped the task.
        InternalError: a solver lost a solution, or its proof is invalid.
    """
    if budget is None:
        return _leaf(puzzle, solver, _TaskDeadline(), cube)
    try:
        result = _leaf(puzzle, solver, _TaskDeadline(budget.solutions, time.monotonic() + budget.seconds), cube)
    except StoppedError:
        go_on()
        return None
    return result if len(result.proof) <= budget.proof_bytes else None


def _leaf(puzzle: Puzzle, solver: str, deadline: Deadline, cube: Cube) -> Leaf:
    part = within(puzzle, cube)
    grids = np.concatenate([np.empty((0, len(part.givens)), np.uint8), *solutions(part, "sat", deadline)])
    deadline()
    whole, formula = whole_formula(puzzle)
    reduced = left_of(part, whole)
    clauses = [reduced.blocking_clause(grid, part.blanks) for grid in grids]
    if reduced is whole:
        clauses += [[literal] for literal in cube_folder.literals(puzzle, cube)]
    derived = making.renamed(making.lemmas(reduced, clauses, deadline, solver), reduced, whole)
    blocked = cube_folder.blocked(formula, puzzle, cube, grids)
    try:
        steps = hints.find(blocked, derived, whole.cnf.n_variables, deadline)
    except hints.NotRupError as error:
        raise InternalError(f"{solver} produced an invalid proof: {error}") from error
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


def answer_fault(puzzle: Puzzle, cube: Cube, answer: object, *, is_whole: bool = False) -> str:
    """Return why a worker's answer for a cube is wrong, as far as a quick check shows; "" if it is not.

    For a whole cube, which has no budget, None is wrong.
    """
    if answer is None:
        return "the executor answered that the cube is over its budget, but it has none" if is_whole else ""
    if not isinstance(answer, Leaf) or not isinstance(answer.grids, np.ndarray) or not isinstance(answer.proof, bytes):
        return "the executor's answer is not solutions with a proof"
    part = within(puzzle, cube)
    if answer.grids.dtype != np.uint8 or answer.grids.shape[1:] != (len(part.givens),):
        return "the executor's answer is not an array of grids"
    if are_wrong(part, answer.grids).any():
        return "the executor's answer contains a grid that is not a solution"
    return ""


def cover(puzzle: Puzzle, cubes: dict[int, Cube], deadline: Deadline) -> Numbers:
    """Return the proof that each solution of a puzzle is in a cube: a cube that was cut has none outside its parts.

    Raises:
        NotRupError: it does not follow, since some cubes are missing.
    """
    whole, formula = whole_formula(puzzle)
    lemmas = [[-literal for literal in cube_folder.literals(puzzle, cube)] for cube in cuts(cubes.values()) if cube]
    derived = np.array([literal for lemma in lemmas for literal in [*lemma, 0]], np.int32)
    return hints.find(cube_folder.covering(formula, puzzle, cubes), derived, whole.cnf.n_variables, deadline)
