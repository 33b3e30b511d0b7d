"""The proofs of a certificate in cubes: for each cube its solutions and that there are no more; and the cover.

Workers make those of the cubes; the cover proves that each solution is in a cube. The many solutions of a cube may be
counted in place of that, in a way that a checker repeats.
"""

import json
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

import numpy as np

from sudoku_encode.encoders.cubes import Cube, cuts, within
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formula import dimacs
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import counts, cube_folder, hints, making, numbers, recount, recount_kinds
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
    few: int = 100  # solutions, of which fewer are listed even if they may be counted, since a list proves more
    proof_bytes: int = 10_000_000  # of the compressed proof, which travels, or of the file of a count
    state_bytes: int = 500_000_000  # of memory for the states of a count; a checker needs as many


BUDGET: Budget = Budget()


class ListedLeaf(NamedTuple):
    """The solutions in a cube, with the proof."""

    grids: Grids  # its solutions, uint8 (m, n_cells)
    proof: bytes  # the gzip file of the proof that there are no more

    @property
    def n_solutions(self) -> int:
        """How many solutions there are."""
        return len(self.grids)

    @property
    def size(self) -> int:
        """How many bytes the proof takes."""
        return len(self.proof)


class CountedLeaf(NamedTuple):
    """The number of solutions in a cube, and how to count them again."""

    text: bytes  # as that of count.json

    @property
    def n_solutions(self) -> int | None:
        """How many solutions there are, as the text says, if it does."""
        try:
            return recount_kinds.stated(json.loads(self.text))
        except ValueError:
            return None

    @property
    def size(self) -> int:
        """How many bytes the text takes."""
        return len(self.text)


Leaf: TypeAlias = ListedLeaf | CountedLeaf


@dataclass(frozen=True)
class _TaskDeadline(Deadline):
    """A deadline of a task, which ends also when its client has stopped the task."""

    def __call__(self) -> None:
        """Raise StoppedError when the time is over, or the client has stopped the task."""
        go_on()
        super().__call__()


def leaf(puzzle: Puzzle, solver: str, budget: Budget | None, cube: Cube, *, may_count: bool = False) -> Leaf | None:
    """Return the solutions in a cube of a puzzle with the proof, or None if that takes more than the budget.

    With `may_count` they are listed if they are few, else counted if that takes no more than the budget.

    Raises:
        StoppedError: the client has stopped the task.
        InternalError: a solver lost a solution, or its proof is invalid.
    """
    if budget is None:
        return _listed(puzzle, solver, cube, _TaskDeadline())
    deadline = _TaskDeadline(budget.solutions, time.monotonic() + budget.seconds, budget.state_bytes)
    ways: list[Callable[[], Leaf]] = [partial(_listed, puzzle, solver, cube, deadline)]
    if may_count:
        few = replace(deadline, solutions=min(budget.few, budget.solutions))
        ways = [partial(_listed, puzzle, solver, cube, few), partial(_counted, puzzle, cube, deadline), *ways]
    for way in ways:
        try:
            result = way()
        except StoppedError:
            go_on()
            continue
        if result.size <= budget.proof_bytes:
            return result
    return None


def _counted(puzzle: Puzzle, cube: Cube, deadline: Deadline) -> CountedLeaf:
    rules = counts.within(_whole_rules(puzzle), cube)
    return CountedLeaf(recount_kinds.count(within(puzzle, cube), rules, deadline).text.encode("ascii"))


@lru_cache(maxsize=1)
def _whole_rules(puzzle: Puzzle) -> recount.Rules:
    return counts.rules_of(puzzle)


def _listed(puzzle: Puzzle, solver: str, cube: Cube, deadline: Deadline) -> ListedLeaf:
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
    return ListedLeaf(grids, _packed(steps))


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


def answer_fault(puzzle: Puzzle, cube: Cube, answer: object, *, is_whole: bool = False, may_count: bool = False) -> str:
    """Return why a worker's answer for a cube is wrong, as far as a quick check shows; "" if it is not.

    For a whole cube, which has no budget, None is wrong.
    """
    if answer is None:
        return "the executor answered that the cube is over its budget, but it has none" if is_whole else ""
    if may_count and isinstance(answer, CountedLeaf):
        is_count = isinstance(answer.text, bytes) and answer.n_solutions is not None
        return "" if is_count else "the executor's answer is not a count"
    if (
        not isinstance(answer, ListedLeaf)
        or not isinstance(answer.grids, np.ndarray)
        or not isinstance(answer.proof, bytes)
    ):
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
