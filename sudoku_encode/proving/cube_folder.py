"""The files of a certificate in cubes, and its check; nothing in the folder is trusted.

certificate.json     how many solutions, clauses and cubes there are; and what made them. It is written last
puzzle.json          the puzzle
formula.cnf          its extended encoding
cubes.txt            a line for each cube: its number, its literals, 0
cover.lrat           a proof that formula.cnf and the negation of every cube have no model
leaves/NUMBER.txt    the solutions in a cube, one a line
leaves/NUMBER.lrat.gz  a proof that there are no more: that formula.cnf, the literals of the cube as clauses, and a
                     blocking clause for each of these solutions have no model
leaves/NUMBER.json   in place of these two, where they are many: how to count them again, as a count.json; see `counts`

A proof knows clauses by their place: those of formula.cnf first, then the others in the order of their files.
`docs/internals/certificates.md` describes the files in full.
"""

import os
import time
import zlib
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from sudoku_encode.encoders.cubes import Cube
from sudoku_encode.errors import FormatError, InterruptedRunError, StoppedError, SudokuError, short
from sudoku_encode.proving import checkers, checking, counts, numbers, plain, recount, recount_kinds, recounting
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.numbers import DELETE, Numbers
from sudoku_encode.proving.rup import ProofError
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Progress, emit, ignore, observing
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import local_pool
from sudoku_encode.storage import outputs

# More would take too long to compare with each other.
MAX_CUBES = 20_000
FIGURES = ("solutions", "clauses", "cubes")
# Files of other kinds of certificates, which could be mistaken for a part of this one.
_OF_LISTS = (files.SOLUTIONS, files.BLOCKED, files.PROOF, files.DRAT, files.OPB, files.PBP)
_OTHERS = (*_OF_LISTS, files.CANDIDATES, files.RULES, files.COUNT, files.THEOREM)


def is_in_cubes(folder: Path) -> bool:
    """Return whether a folder contains a certificate in cubes."""
    return (folder / files.CUBES).exists()


def leaf(number: int, suffix: str) -> str:
    """Return the name of a file of a cube, within the folder."""
    return f"{files.LEAVES}/{number:06}{suffix}"


def check_names(folder: Path, cubes: dict[int, Cube]) -> frozenset[int]:
    """Check that each cube has its files, and that there are no others; return the numbers of the cubes with a count.

    Raises:
        FormatError: a file is missing, or there is another one.
    """
    if extra := [name for name in _OTHERS if os.path.lexists(folder / name)]:
        raise FormatError(f"{extra[0]} does not belong to a certificate in cubes", str(folder))
    home = folder / files.LEAVES
    try:
        names = {f"{files.LEAVES}/{path.name}" for path in home.iterdir()}
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(home)) from error
    counted = frozenset(number for number in cubes if leaf(number, files.LEAF_COUNT) in names)
    expected = {leaf(number, suffix) for number in cubes for suffix in _suffixes(is_counted=number in counted)}
    if extra := sorted(names - expected):
        own = {leaf(number, suffix) for number in counted for suffix in files.LEAF_SUFFIXES}
        reason = "this cube has a count too" if extra[0] in own else "this file belongs to no cube"
        raise FormatError(reason, str(folder / extra[0]))
    if missing := sorted(expected - names):
        raise FormatError("this file of a cube is missing", str(folder / missing[0]))
    return counted


def _suffixes(*, is_counted: bool) -> tuple[str, ...]:
    return (files.LEAF_COUNT,) if is_counted else (files.LEAF_SOLUTIONS, files.LEAF_PROOF)


def n_solutions(folder: Path, number: int) -> int | None:
    """Return how many solutions are in a cube, as its files say; None if they are missing or incomplete."""
    solutions, proof, count = (folder / leaf(number, suffix) for suffix in files.LEAF_SUFFIXES)
    if not count.exists():
        is_complete = solutions.exists() and proof.exists()
        return sum(1 for line in files.data(solutions).split(b"\n") if line.strip()) if is_complete else None
    try:
        return recount_kinds.stated(files.json_of(count))
    except FormatError:
        return None


def read_cubes(folder: Path, puzzle: Puzzle) -> dict[int, Cube]:
    """Return the cubes by their numbers, which ascend.

    Raises:
        FormatError: a line is not a cube, or two cubes are not disjoint.
    """
    path, cubes = folder / files.CUBES, dict[int, Cube]()
    for line, row in enumerate(files.data(path).split(b"\n"), start=1):
        if not row.strip(b" \t\r"):
            continue
        try:
            number, cube = _numbered_cube(row, puzzle)
            if number <= max(cubes, default=0):
                raise FormatError(f"cube {number} follows cube {max(cubes)}; expected ascending numbers")
            cubes[number] = cube
            if len(cubes) > MAX_CUBES:
                raise FormatError(f"more than {MAX_CUBES:,} cubes")
        except FormatError as error:
            raise FormatError(error.message, str(path), line) from None
    _check_disjoint(cubes, str(path))
    return cubes


def _numbered_cube(row: bytes, puzzle: Puzzle) -> tuple[int, Cube]:
    values, n = numbers.read(row, "").tolist(), puzzle.geometry.n_values
    literals = values[1:-1]
    if len(values) < 2 or values[-1] != 0 or DELETE in values or min(values[:-1]) < 1:
        text = short(row.decode("ascii", "replace"))
        raise FormatError(f"not a cube: {text!r}; expected its number, its literals above 0, and 0")
    cells = [(literal - 1) // n for literal in literals]
    if max(literals, default=0) > puzzle.geometry.n_cells * n or len(set(cells)) < len(cells):
        raise FormatError(f"cube {values[0]} contains a literal of no cell, or two literals of one cell")
    return values[0], tuple((cell, (literal - 1) % n + 1) for cell, literal in zip(cells, literals, strict=True))


def _check_disjoint(cubes: dict[int, Cube], source: str) -> None:
    """Refuse two cubes that give no cell two different values: a solution in both would be counted twice."""
    column = {cell: at for at, cell in enumerate(sorted({cell for cube in cubes.values() for cell, _ in cube}))}
    rows = np.zeros((len(cubes), len(column)), np.uint8)
    for row, cube in zip(rows, cubes.values(), strict=True):
        for cell, value in cube:
            row[column[cell]] = value
    names = list(cubes)
    for number, row in enumerate(rows[:-1]):
        own = np.flatnonzero(row)
        others = rows[number + 1 :, own]
        together = ((others == 0) | (others == row[own])).all(axis=1)
        if together.any():
            other = names[number + 1 + int(np.argmax(together))]
            raise FormatError(f"the cubes {names[number]} and {other} are not disjoint", source)


def literals(puzzle: Puzzle, cube: Cube) -> list[int]:
    """Return the literals of a cube: variables of `formula.cnf`."""
    return [cell * puzzle.geometry.n_values + value for cell, value in cube]


def cubes_text(puzzle: Puzzle, cubes: dict[int, Cube]) -> bytes:
    """Return the file of some cubes."""
    rows = (" ".join(map(str, [number, *literals(puzzle, cubes[number]), 0])) for number in sorted(cubes))
    return "".join(f"{row}\n" for row in rows).encode("ascii")


def covering(formula: Numbers, puzzle: Puzzle, cubes: dict[int, Cube]) -> Numbers:
    """Return the clauses that have no model if each solution is in a cube, each with a 0 at its end."""
    negated = [-literal for number in sorted(cubes) for literal in [*literals(puzzle, cubes[number]), 0]]
    return np.concatenate([formula, np.array(negated, np.int32)])


def blocked(formula: Numbers, puzzle: Puzzle, cube: Cube, grids: Grids) -> Numbers:
    """Return the clauses that have no model if some solutions are all that are in a cube, each with a 0 at its end."""
    units = np.zeros((len(cube), 2), np.int32)
    units[:, 0] = literals(puzzle, cube)
    blocking = np.pad(plain.blocking(puzzle, grids), ((0, 0), (0, 1)))
    return np.concatenate([formula, units.ravel(), blocking.ravel()])


def proof(folder: Path, number: int) -> Numbers:
    """Return the numbers of the proof of a cube.

    Raises:
        FormatError: it is missing, not a gzip file, too large, or has a word that is not a number.
    """
    path = folder / leaf(number, files.LEAF_PROOF)
    packed, unpacking = files.data(path), zlib.decompressobj(31)
    try:
        text = unpacking.decompress(packed, files.MAX_BYTES + 1)
    except zlib.error as error:
        raise FormatError(f"this is not a gzip file: {error}", str(path)) from error
    if len(text) > files.MAX_BYTES:
        raise FormatError(f"more than {files.MAX_BYTES >> 20} MB", str(path))
    if not unpacking.eof or unpacking.unused_data:
        raise FormatError("this is not a whole gzip file", str(path))
    return files.read_steps(text, str(path))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that gets its name only when it is complete.

    Raises:
        SudokuError: it cannot be written.
        StoppedError: the disk is full.
    """
    part = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise outputs.unwritable(path, error) from error


# Checking: nothing in the folder is trusted, and the cubes are checked in several processes.

# As many proofs are checked by the slower programs as any proof is; of more, only smaller ones.
_PROOFS_BY_ALL = 8
# In place of the number of a cube: the proof that the cubes cover the puzzle.
_COVER = 0
_NO_DEADLINE = Deadline()


class CubeProofError(checking.CertificateError):
    """The proofs of some cubes prove nothing."""

    numbers: tuple[int, ...] = ()  # of these cubes


@dataclass(frozen=True, eq=False)
class Basis:
    """The data that the proofs of all cubes share."""

    folder: Path  # of the certificate
    puzzle: Puzzle
    formula: Numbers  # its clauses, each with a 0 at its end; they have been compared with the puzzle
    cubes: dict[int, Cube]  # by their numbers; no two of them have a solution in common
    counted: frozenset[int]  # the numbers of the cubes whose solutions are counted, not listed
    rules: recount.Rules | None  # the puzzle in numbers, if there are such cubes

    @property
    def share(self) -> float:
        """Which share of their usual work the slow programs do for each cube."""
        return min(1.0, _PROOFS_BY_ALL / (len(self.cubes) + 1))


@dataclass(frozen=True)
class _ProofResult:
    """The result of the check of one proof."""

    count: int  # exactly how many solutions are in the cube
    lemmas: int  # how many clauses the proof derives
    by: tuple[str, ...]  # the programs that accepted it
    n_states: int = 0  # that a recount passed, for a cube whose solutions are counted


# The result of a proof, or why it proves nothing.
_Answer: TypeAlias = _ProofResult | SudokuError


def check_cubes(folder: Path, processes: int = 1, deadline: Deadline = _NO_DEADLINE) -> checking.CheckedCount:
    """Check a certificate in cubes, `processes` of them at a time; see `cube_folder`.

    The CNF must encode the puzzle; no two cubes may have a solution in common; a proof must show that no solution is
    outside all cubes; and for each cube every grid must be a solution in it, and a proof must show that it has no more,
    or a recount must give the number of its solutions.

    Raises:
        CubeProofError: the proofs of some cubes prove nothing, and all else is right.
        CertificateError: it proves nothing.
        FormatError: a file is missing or invalid.
    """
    start = time.perf_counter()
    basis = _basis(folder)
    proved: list[_ProofResult] = []
    wrong: dict[int, SudokuError] = {}
    with closing(_answers(basis, processes, deadline)) as answers:
        for number, answer in answers:
            if isinstance(answer, _ProofResult):
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
    checking.check_figures(folder, {"solutions": count, "clauses": n_clauses, "cubes": len(basis.cubes)})
    by = tuple(dict.fromkeys(name for one in proved for name in one.by))
    lemmas, n_states = sum(one.lemmas for one in proved), sum(one.n_states for one in proved)
    n_compared = plain.compare_definitions(basis.puzzle)
    seconds = time.perf_counter() - start
    checked = checking.CheckedCount(basis.puzzle, count, lemmas, by, seconds, len(basis.cubes), n_compared)
    return replace(checked, n_states=n_states, n_counted=len(basis.counted)) if basis.counted else checked


def _basis(folder: Path) -> Basis:
    puzzle = files.puzzle(folder)
    # It is written last, when the certificate is complete.
    if not (folder / files.CERTIFICATE).exists():
        raise FormatError(f"{files.CERTIFICATE} is missing: continue with prove --resume", str(folder))
    cubes = read_cubes(folder, puzzle)
    counted = check_names(folder, cubes)
    emit(Progress("checking the formula ..."))
    formula = checking.checked_formula(folder, puzzle).values
    rules = recount.read_rules(counts.supported_rules_text(folder, puzzle).splitlines()) if counted else None
    return Basis(folder, puzzle, formula, cubes, counted, rules)


def _answers(basis: Basis, processes: int, deadline: Deadline) -> Generator[tuple[int, _Answer]]:
    """Yield for the cover and for each cube the result of its proof, or why it proves nothing."""
    seconds = None if deadline.ends is None else deadline.seconds_left
    limits = Limits(None, seconds, deadline.memory)
    task = partial(one_by_one, partial(_answer, basis, deadline))
    checkers.load()
    if basis.counted:
        recounting.load()
    for number, answer, _ in each(task, [_COVER, *basis.cubes], limits, pool=local_pool(processes)):
        if isinstance(answer, InterruptedRunError):
            raise KeyboardInterrupt
        if isinstance(answer, StoppedError):
            raise answer
        assert isinstance(answer, (_ProofResult, SudokuError)), "the task returns these"
        yield number, answer


def _answer(basis: Basis, deadline: Deadline, number: int) -> _Answer:
    deadline()
    try:
        if number == _COVER:
            return _cover(basis)
        return _counted(basis, number) if number in basis.counted else _listed(basis, number)
    except (checking.CertificateError, FormatError) as reason:
        return reason


def _cover(basis: Basis) -> _ProofResult:
    """Check that each solution of the puzzle is in a cube."""
    clauses = covering(basis.formula, basis.puzzle, basis.cubes)
    return _proved(basis, files.COVER, clauses, files.steps(basis.folder, files.COVER), 0)


def _listed(basis: Basis, number: int) -> _ProofResult:
    """Check the list of solutions in a cube, and the proof that there are no more."""
    cube, name = basis.cubes[number], leaf(number, files.LEAF_SOLUTIONS)
    grids = checking.checked_solutions(basis.folder, basis.puzzle, name)
    for cell, value in cube:
        outside = grids[:, cell] != value
        if outside.any():
            place = basis.puzzle.geometry.cell_name(cell)
            which = int(np.argmax(outside)) + 1
            raise checking.refusal(
                basis.folder, name, f"grid {which} is outside cube {number}, where {place} is {value}"
            )
    clauses = blocked(basis.formula, basis.puzzle, cube, grids)
    steps = proof(basis.folder, number)
    return _proved(basis, leaf(number, files.LEAF_PROOF), clauses, steps, len(grids))


def _counted(basis: Basis, number: int) -> _ProofResult:
    """Count the solutions in a cube again, as its file says."""
    assert basis.rules is not None, "a cube is counted"
    rules, path = counts.within(basis.rules, basis.cubes[number]), basis.folder / leaf(number, files.LEAF_COUNT)
    # The layers of many cubes at a time tell nobody how far the check is.
    with observing(ignore):
        again = recount_kinds.count_again(path, basis.puzzle.geometry, rules, basis.share)
    return _ProofResult(again.n_solutions, 0, again.checkers, again.n_states)


def _proved(basis: Basis, name: str, clauses: Numbers, steps: Numbers, count: int) -> _ProofResult:
    path = basis.folder / name
    formula = files.Formula(path, b"", clauses)
    try:
        refutation = checkers.Refutation(formula, plain.n_variables(basis.puzzle), steps)
        lemmas, by = checkers.check(refutation, basis.share)
    except ProofError as reason:
        raise checking.refusal(basis.folder, name, str(reason)) from reason
    return _ProofResult(count, lemmas, by)
