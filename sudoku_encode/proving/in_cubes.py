"""Make a certificate in cubes, on any executor: the proof of each cube is a task of its own.

A cube that takes a worker too long is cut into further ones, so that no task is long. What is there already is kept: a
run that was killed goes on with what is missing. Which cubes there are is written before any of them is worked on.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sudoku_encode import __version__
from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.cubes import Cube, split
from sudoku_encode.errors import InternalError, MethodError, StoppedError, SudokuError
from sudoku_encode.methods.asking import Numbered, load
from sudoku_encode.proving import cube_checking, cube_folder, hints, making
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import CertificateError, CheckedCount, check_puzzle
from sudoku_encode.proving.cube_cover import cover
from sudoku_encode.proving.cube_leaf import BUDGET, Budget, Leaf, leaf, whole_formula, wrong
from sudoku_encode.proving.making import Certificate
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.events import Progress, Remark, emit
from sudoku_encode.run.executor import LATER, Later, spread
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import Pool, here, pool_of
from sudoku_encode.solvers.table import DEFAULT_PROVER, PROVERS

# Into how many cubes at least one is cut that takes too long.
_PARTS = 8
# A worker notices that its time is over only between two steps of its work, and a busy machine takes longer.
_OVERDUE_FACTOR = 3


class Wanted(NamedTuple):
    """How a certificate in cubes is made.

    Attributes:
        n_cubes: at least, at first.
        solver: one of PROVERS.
        budget: how much a cube may take.
    """

    n_cubes: int
    solver: str = DEFAULT_PROVER
    budget: Budget = BUDGET


@dataclass
class _Work:
    """A certificate that is being made.

    Attributes:
        folder: of the certificate.
        puzzle: the puzzle.
        cubes: all by their numbers, in ascending order.
        todo: the numbers of those without a proof that nobody works on.
        sent: the numbers of those that were handed out, in this order.
        away: those of them that have no answer so far.
        whole: those that may take all that they need.
        count: how many solutions are listed so far.
    """

    folder: Path
    puzzle: Puzzle
    cubes: dict[int, Cube]
    todo: deque[int] = field(default_factory=deque)
    sent: list[int] = field(default_factory=list)
    away: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)
    count: int = 0

    def items(self) -> Iterator[tuple[Cube, bool] | Later]:
        """Yield each cube without a proof, and whether it may take all that it needs; more may come from a result."""
        while self.todo or self.away:
            if not self.todo:
                yield LATER
                continue
            number = self.todo.popleft()
            self.sent.append(number)
            self.away.add(number)
            yield self.cubes[number], number in self.whole

    @property
    def n_done(self) -> int:
        """How many cubes have a proof."""
        return len(self.cubes) - len(self.todo) - len(self.away)

    def note(self, number: int, found: Leaf) -> None:
        """Write what is in a cube; its proof last, which says that it is complete."""
        self.away.discard(number)
        grids = making.solutions_text(self.puzzle.geometry, found.grids)
        cube_folder.write_whole(self.folder / cube_folder.leaf(number, files.LEAF_SOLUTIONS), grids)
        cube_folder.write_whole(self.folder / cube_folder.leaf(number, files.LEAF_PROOF), found.proof)
        self.count += len(found.grids)

    def cut(self, number: int, tick: Callable[[], None]) -> bool:
        """Put further cubes in the place of one; say whether it can be cut."""
        self.away.discard(number)
        parts = split(lowered(self.puzzle).puzzle, _PARTS, tick, self.cubes[number]).cubes
        if parts == (self.cubes[number],):
            return False
        first = max(self.cubes) + 1
        del self.cubes[number]
        self.cubes |= dict(enumerate(parts, start=first))
        self.write_cubes()
        self.todo += range(first, first + len(parts))
        return True

    def write_cubes(self) -> None:
        """Write which cubes there are."""
        if len(self.cubes) > cube_folder.MAX_CUBES:
            raise MethodError(f"more than {cube_folder.MAX_CUBES:,} cubes are needed, too many for a certificate")
        text = cube_folder.cubes_text(self.puzzle, self.cubes)
        cube_folder.write_whole(self.folder / files.CUBES, text)


def _call(puzzle: Puzzle, solver: str, budget: Budget, item: tuple[Cube, bool]) -> Leaf | None:
    cube, is_whole = item
    return leaf(puzzle, solver, None if is_whole else budget, cube)


def certify(
    puzzle: Puzzle, folder: Path, deadline: Deadline, wanted: Wanted, pool: Pool, *, resume: bool = False
) -> tuple[Certificate | None, CheckedCount]:
    """Write a certificate in cubes, and check it here, whatever the workers said of it.

    Args:
        puzzle: any.
        folder: where to write; it is made if it is not there, and files of another certificate in it are replaced.
        deadline: for all; as many solutions as its limit are too many.
        wanted: how it is made.
        pool: where the cubes are worked on, and how many at a time.
        resume: keep the cubes of this puzzle that the folder has; a complete certificate that is right is yielded as
            None.

    Raises:
        MethodError: the proofs of that solver cannot be trusted, or the board is too large.
        StoppedError: the deadline came, or there are as many solutions as the limit; the cubes that are done stay.
        SudokuError: the folder cannot be written.
        InternalError: what was made here is refused.
    """
    if wanted.solver not in PROVERS:
        raise MethodError(
            f"no proof that can be trusted comes from {wanted.solver!r}; choose from {', '.join(PROVERS)}"
        )
    check_puzzle(puzzle)
    at_a_time = pool.processes if pool.is_here else cores()
    if resume and (known := _known(puzzle, folder, at_a_time, deadline)):
        return None, known
    start = time.perf_counter()
    for place in (pool, here(at_a_time)):
        _make(puzzle, folder, deadline, wanted, place, resume=resume)
        proving = time.perf_counter() - start
        try:
            checked = cube_checking.check(folder, at_a_time, deadline)
        except cube_checking.CubeProofError as reason:
            # They were there before, or a worker was wrong.
            emit(Remark(f"{len(reason.numbers)} of the cubes prove nothing, and are proved again here: {reason}"))
            for number in reason.numbers:
                _remove(folder, number)
            resume = True
            continue
        except CertificateError as reason:
            raise InternalError(f"the certificate that was just made is refused: {reason}") from reason
        size = sum(path.stat().st_size for path in files.leaf_files(folder) if path.suffix == ".gz")
        return Certificate(folder, checked.count, checked.lemmas, size, proving), checked
    raise InternalError("cubes that were proved here are refused")


def certify_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    wanted: Wanted,
    pool: Pool,
    *,
    resume: bool = False,
) -> Iterator[tuple[Numbered, tuple[Certificate | None, CheckedCount] | StoppedError]]:
    """Yield each puzzle with its certificate in cubes and what that proves, or with what stopped that; see `certify`.

    The cubes of one puzzle are worked on before those of the next.
    """
    for number, puzzle in puzzles:
        try:
            found = certify(puzzle, folder_of(number), limits.start(), wanted, pool, resume=resume)
        except StoppedError as reason:
            yield (number, puzzle), reason
        else:
            yield (number, puzzle), found


def _known(puzzle: Puzzle, folder: Path, processes: int, deadline: Deadline) -> CheckedCount | None:
    """Return what the certificate in a folder proves; None where there is none that is right, or it is of another."""
    if not cube_folder.is_in_cubes(folder) or not (folder / files.CERTIFICATE).exists():
        return None
    try:
        found = cube_checking.check(folder, processes, deadline)
    except SudokuError:
        return None
    return found if found.puzzle == puzzle else None


def _remove(folder: Path, number: int) -> None:
    for suffix in (files.LEAF_PROOF, files.LEAF_SOLUTIONS):
        (folder / cube_folder.leaf(number, suffix)).unlink(missing_ok=True)


def _make(puzzle: Puzzle, folder: Path, deadline: Deadline, wanted: Wanted, pool: Pool, *, resume: bool) -> None:
    """Write a certificate; see `certify`."""
    work = _begun(puzzle, folder, deadline, wanted, resume=resume)
    if work.todo:
        if pool.is_here:
            # Before the processes are forked.
            load("sat")
            with pool_of(f"processes:{min(pool.processes, len(work.todo))}") as processes:
                _prove(work, deadline, wanted, processes)
        else:
            _prove(work, deadline, wanted, pool)
    _check_limit(work, deadline)
    emit(Progress("proving that no solution is outside the cubes ..."))
    _write_cover(work, deadline)
    whole, _ = whole_formula(puzzle)
    figures = {"solutions": work.count, "clauses": whole.cnf.n_clauses, "cubes": len(work.cubes)}
    about = {**figures, "program": f"sudoku-encode {__version__}", "solver": wanted.solver}
    cube_folder.write_whole(folder / files.CERTIFICATE, f"{json.dumps(about, indent=1)}\n".encode("ascii"))


def _begun(puzzle: Puzzle, folder: Path, deadline: Deadline, wanted: Wanted, *, resume: bool) -> _Work:
    """Return what is to be done: with what is there, or from the beginning."""
    cubes = _cubes_there(puzzle, folder, deadline) if resume else None
    if cubes is None:
        making.prepare_folder(folder)
        emit(Progress("cutting the puzzle ..."))
        found = split(lowered(puzzle).puzzle, wanted.n_cubes, deadline).cubes
        work = _Work(folder, puzzle, dict(enumerate(found, start=1)))
        try:
            (folder / files.LEAVES).mkdir(exist_ok=True)
        except OSError as error:
            raise SudokuError(f"{folder / files.LEAVES}: cannot be made: {error.strerror}") from error
        cube_folder.write_whole(folder / files.PUZZLE, making.puzzle_text(puzzle).encode("ascii"))
        work.write_cubes()
    else:
        (folder / files.CERTIFICATE).unlink(missing_ok=True)
        work = _Work(folder, puzzle, cubes)
        _keep(work)
    whole_formula(puzzle)[0].save(folder / files.FORMULA)
    proofs = {number: folder / cube_folder.leaf(number, files.LEAF_PROOF) for number in work.cubes}
    work.todo += [number for number, path in proofs.items() if not path.exists()]
    return work


def _cubes_there(puzzle: Puzzle, folder: Path, deadline: Deadline) -> dict[int, Cube] | None:
    """Return the cubes of a certificate of the puzzle that was begun, if there is one, and they cover the puzzle."""
    try:
        if (
            files.puzzle(folder) != puzzle
            or (folder / files.LEAVES).is_symlink()
            or not (folder / files.LEAVES).is_dir()
        ):
            return None
        cubes = cube_folder.read_cubes(folder, puzzle)
    except SudokuError:
        return None
    try:
        cover(puzzle, cubes, deadline)
    except hints.NotRup:
        emit(Remark(f"{folder / files.CUBES}: the cubes do not cover the puzzle; all is made anew"))
        return None
    return cubes


def _keep(work: _Work) -> None:
    """Count the solutions in the cubes that have a proof, and remove what belongs to no cube."""
    own = set()
    for number in work.cubes:
        grids, proof = (work.folder / cube_folder.leaf(number, end) for end in (files.LEAF_SOLUTIONS, files.LEAF_PROOF))
        if grids.exists() and proof.exists():
            own |= {grids, proof}
            work.count += len(cube_folder.data_lines(grids))
    for path in set(files.leaf_files(work.folder)) - own:
        path.unlink(missing_ok=True)


def _check_limit(work: _Work, deadline: Deadline) -> None:
    deadline()
    if deadline.solutions is not None and work.count >= deadline.solutions:
        raise StoppedError(f"limit of {deadline.solutions}")


def _prove(work: _Work, deadline: Deadline, wanted: Wanted, pool: Pool) -> None:
    """Have the solutions in each cube listed, and proved to be all."""
    task = partial(_call, work.puzzle, wanted.solver, wanted.budget)
    overdue = _OVERDUE_FACTOR * wanted.budget.seconds

    def usable(at: int, found: Leaf | None) -> str:
        number = work.sent[at]
        return wrong(work.puzzle, work.cubes[number], found, is_whole=number in work.whole)

    def tick() -> None:
        _check_limit(work, deadline)

    answers = spread(task, work.items(), pool, tick=tick, overdue_seconds=overdue, usable=usable)
    try:
        with closing(answers):
            _take(work, answers, deadline)
    except (StoppedError, KeyboardInterrupt):
        emit(Remark(f"{work.n_done} of {len(work.cubes)} cubes are proved; with --resume the others are added"))
        raise


def _take(work: _Work, answers: Iterator[tuple[int, Leaf | StoppedError | None]], deadline: Deadline) -> None:
    """Write what is in the cubes as it comes, and cut those that take too long."""
    for at, found in answers:
        number = work.sent[at]
        if isinstance(found, Leaf):
            work.note(number, found)
        elif not work.cut(number, deadline):
            if isinstance(found, StoppedError):
                raise found
            work.whole.add(number)
            work.todo.append(number)
        emit(Progress(f"{work.n_done} of {len(work.cubes)} cubes proved, {work.count:,} solutions ...", work.count))


def _write_cover(work: _Work, deadline: Deadline) -> None:
    """Write the proof that each solution is in a cube: of what was cut, that it has no solution outside its parts."""
    try:
        steps = cover(work.puzzle, work.cubes, deadline)
    except hints.NotRup as error:
        raise InternalError(f"the cubes do not cover the puzzle: {error}") from error
    cube_folder.write_whole(work.folder / files.COVER, "".join(making.proof_lines(steps)).encode("ascii"))
