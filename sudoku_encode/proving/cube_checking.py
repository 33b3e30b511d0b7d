"""Check a certificate in cubes: nothing in its folder is trusted, and the cubes are checked in several processes."""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sudoku_encode.encoders.cubes import Cube
from sudoku_encode.errors import FormatError, InterruptedRunError, StoppedError, SudokuError
from sudoku_encode.proving import checkers, cube_folder, definitions, plain
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import (
    CertificateError,
    CheckedCount,
    check_figures,
    checked_formula,
    checked_solutions,
    refuse,
)
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.proving.rup import ProofError
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import here

# As many proofs are checked by the slower programs as any proof is; of more, only smaller ones.
_PROOFS_BY_ALL = 8
# In place of the number of a cube: what shows that no solution is outside all of them.
_COVER = 0
_NO_DEADLINE = Deadline()


class CubeProofError(CertificateError):
    """The proofs of some cubes prove nothing.

    Attributes:
        numbers: of these cubes.
    """

    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Basis:
    """What the proofs of all cubes are about.

    Attributes:
        folder: of the certificate.
        puzzle: the puzzle.
        formula: its clauses, each with a 0 at its end; they have been compared with the puzzle.
        cubes: by their numbers; no two of them have a solution in common.
    """

    folder: Path
    puzzle: Puzzle
    formula: Numbers
    cubes: dict[int, Cube]


@dataclass(frozen=True)
class _Proved:
    """What one of the proofs shows.

    Attributes:
        count: exactly how many solutions are in the cube.
        lemmas: how many clauses the proof derives.
        by: the programs that accepted it.
    """

    count: int
    lemmas: int
    by: tuple[str, ...]


# What a proof shows, or why it shows nothing.
_Answer: TypeAlias = _Proved | SudokuError


def check(folder: Path, processes: int = 1, deadline: Deadline = _NO_DEADLINE) -> CheckedCount:
    """Check a certificate in cubes.

    The CNF must encode the puzzle; no two cubes may have a solution in common; a proof must show that no solution is
    outside all cubes; and for each cube every grid must be a solution in it, and a proof must show that it has no more.

    Args:
        folder: see `cube_folder`.
        processes: how many cubes are checked at a time.
        deadline: when to stop.

    Raises:
        CubeProofError: the proofs of some cubes prove nothing, and all else is right.
        CertificateError: it proves nothing.
        FormatError: a file is missing, or not what it should be.
        StoppedError: the deadline came.
    """
    start = time.perf_counter()
    basis = _basis(folder)
    proved: list[_Proved] = []
    wrong: dict[int, SudokuError] = {}
    with closing(_answers(basis, processes, deadline)) as answers:
        for number, answer in answers:
            if isinstance(answer, _Proved):
                proved.append(answer)
            elif number == _COVER:
                raise answer
            else:
                wrong[number] = answer
            emit(Progress(f"{len(proved)} of {len(basis.cubes) + 1} proofs checked"))
    if wrong:
        reason = CubeProofError(str(next(iter(wrong.values()))))
        reason.numbers = tuple(wrong)
        raise reason
    count = sum(one.count for one in proved)
    n_clauses = int(np.count_nonzero(basis.formula == 0))
    check_figures(folder, {"solutions": count, "clauses": n_clauses, "cubes": len(basis.cubes)})
    by = tuple(dict.fromkeys(name for one in proved for name in one.by))
    lemmas = sum(one.lemmas for one in proved)
    n_compared = definitions.compare(basis.puzzle)
    return CheckedCount(basis.puzzle, count, lemmas, by, time.perf_counter() - start, len(basis.cubes), n_compared)


def _basis(folder: Path) -> Basis:
    puzzle = files.puzzle(folder)
    # It is written last, and says that the certificate is complete.
    if not (folder / files.CERTIFICATE).exists():
        raise FormatError(f"{files.CERTIFICATE} is missing: prove --resume goes on", str(folder))
    cubes = cube_folder.read_cubes(folder, puzzle)
    cube_folder.check_names(folder, cubes)
    emit(Progress("checking the formula ..."))
    return Basis(folder, puzzle, checked_formula(folder, puzzle).values, cubes)


def _answers(basis: Basis, processes: int, deadline: Deadline) -> Generator[tuple[int, _Answer]]:
    """Yield for the cover and for each cube what its proof shows, or why it shows nothing.

    Raises:
        StoppedError: the deadline came, or a process ended.
    """
    seconds = None if deadline.ends is None else deadline.seconds_left
    limits = Limits(None, seconds, deadline.memory)
    task = partial(one_by_one, partial(_answer, basis, deadline))
    checkers.load()
    for number, found, _ in each(task, [_COVER, *basis.cubes], limits, pool=here(processes)):
        if isinstance(found, InterruptedRunError):
            raise KeyboardInterrupt
        if isinstance(found, StoppedError):
            raise found
        assert isinstance(found, (_Proved, SudokuError)), "that is what the task returns"
        yield number, found


def _answer(basis: Basis, deadline: Deadline, number: int) -> _Answer:
    deadline()
    try:
        return _cover(basis) if number == _COVER else _leaf(basis, number)
    except (CertificateError, FormatError) as reason:
        return reason


def _cover(basis: Basis) -> _Proved:
    """Check that each solution of the puzzle is in a cube."""
    clauses = cube_folder.covering(basis.formula, basis.puzzle, basis.cubes)
    return _proved(basis, files.COVER, clauses, files.steps(basis.folder, files.COVER), 0)


def _leaf(basis: Basis, number: int) -> _Proved:
    """Check how many solutions are in a cube."""
    cube, name = basis.cubes[number], cube_folder.leaf(number, files.LEAF_SOLUTIONS)
    grids = checked_solutions(basis.folder, basis.puzzle, name)
    for cell, value in cube:
        outside = grids[:, cell] != value
        if outside.any():
            place = basis.puzzle.geometry.cell_name(cell)
            which = int(np.argmax(outside)) + 1
            raise refuse(basis.folder, name, f"grid {which} is outside cube {number}, where {place} is {value}")
    clauses = cube_folder.blocked(basis.formula, basis.puzzle, cube, grids)
    steps = cube_folder.proof(basis.folder, number)
    return _proved(basis, cube_folder.leaf(number, files.LEAF_PROOF), clauses, steps, len(grids))


def _proved(basis: Basis, name: str, clauses: Numbers, steps: Numbers, count: int) -> _Proved:
    path = basis.folder / name
    formula = files.Formula(path, b"", clauses)
    try:
        refutation = checkers.Refutation(formula, plain.n_variables(basis.puzzle), steps)
        lemmas, by = checkers.check(refutation, min(1.0, _PROOFS_BY_ALL / (len(basis.cubes) + 1)))
    except ProofError as reason:
        raise refuse(basis.folder, name, str(reason)) from reason
    return _Proved(count, lemmas, by)
