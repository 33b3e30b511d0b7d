"""Make a certificate in cubes, on any executor: the proof of each cube is a task of its own.

A cube that takes a worker too long is cut into further ones, so that no task is long. A run that was killed can be
resumed: it keeps the proofs that exist. The list of cubes is written before any of them is worked on.
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
from sudoku_encode.encoders.cubes import Cube, split
from sudoku_encode.errors import InternalError, MethodError, StoppedError, SudokuError, solution_limit
from sudoku_encode.methods.limited_calls import load
from sudoku_encode.proving import counts, cube_folder, hints, making, recount_kinds, recounting
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import CertificateError, CheckedCount, check_puzzle
from sudoku_encode.proving.cube_proofs import (
    BUDGET,
    Budget,
    CountedLeaf,
    Leaf,
    answer_fault,
    cover,
    leaf,
    whole_formula,
)
from sudoku_encode.proving.making import Certificate
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.asking import Numbered
from sudoku_encode.run.events import Progress, Remark, emit
from sudoku_encode.run.executor import NOT_READY, NotReady, spread
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import Pool, local_pool, pool_of
from sudoku_encode.solvers.table import DEFAULT_PROVER, PROVERS

# Into how many cubes at least one is cut that takes too long.
_PARTS = 8
# A worker notices that its time is over only between two steps of its work, and a busy machine takes longer.
_OVERDUE_FACTOR = 3


class CubeOptions(NamedTuple):
    """The options of a certificate in cubes."""

    n_cubes: int  # the least number of cubes at first
    solver: str = DEFAULT_PROVER  # one of PROVERS
    budget: Budget = BUDGET  # how much a cube may take
    may_count: bool = False  # whether solutions may be counted where a cube has many


@dataclass
class _Work:
    """A certificate that is being made."""

    folder: Path  # of the certificate
    puzzle: Puzzle
    cubes: dict[int, Cube]  # all by their numbers, in ascending order
    todo: deque[int] = field(default_factory=deque)  # the numbers of those without a proof that nobody works on
    sent: list[int] = field(default_factory=list)  # the numbers of those that were handed out, in this order
    away: set[int] = field(default_factory=set)  # those of them without an answer so far
    whole: set[int] = field(default_factory=set)  # those without a budget
    count: int = 0  # how many solutions are in the cubes that are done

    def items(self) -> Iterator[tuple[Cube, bool] | NotReady]:
        """Yield each cube without a proof, and whether it has no budget; results may add more cubes."""
        while self.todo or self.away:
            if not self.todo:
                yield NOT_READY
                continue
            number = self.todo.popleft()
            self.sent.append(number)
            self.away.add(number)
            yield self.cubes[number], number in self.whole

    @property
    def n_done(self) -> int:
        """How many cubes have a proof."""
        return len(self.cubes) - len(self.todo) - len(self.away)

    def note(self, number: int, leaf: Leaf) -> None:
        """Write the files of a cube; the last one, a proof or a count, marks it as complete."""
        self.away.discard(number)
        if isinstance(leaf, CountedLeaf):
            self._write_leaf(number, files.LEAF_COUNT, leaf.text)
        else:
            grids = making.solutions_text(self.puzzle.geometry, leaf.grids)
            self._write_leaf(number, files.LEAF_SOLUTIONS, grids)
            self._write_leaf(number, files.LEAF_PROOF, leaf.proof)
        self.count += leaf.n_solutions or 0

    def _write_leaf(self, number: int, suffix: str, content: bytes) -> None:
        cube_folder.write_whole(self.folder / cube_folder.leaf(number, suffix), content)

    def cut(self, number: int, tick: Callable[[], None]) -> bool:
        """Replace a cube by smaller ones; return whether it can be cut."""
        self.away.discard(number)
        parts = split(lower_puzzle(self.puzzle).puzzle, _PARTS, tick, self.cubes[number]).cubes
        if parts == (self.cubes[number],):
            return False
        first = max(self.cubes) + 1
        del self.cubes[number]
        self.cubes |= dict(enumerate(parts, start=first))
        self.write_cubes()
        self.todo += range(first, first + len(parts))
        return True

    def write_cubes(self) -> None:
        """Write the list of cubes."""
        if len(self.cubes) > cube_folder.MAX_CUBES:
            raise MethodError(f"more than {cube_folder.MAX_CUBES:,} cubes are needed, too many for a certificate")
        text = cube_folder.cubes_text(self.puzzle, self.cubes)
        cube_folder.write_whole(self.folder / files.CUBES, text)


def _call(puzzle: Puzzle, options: CubeOptions, item: tuple[Cube, bool]) -> Leaf | None:
    cube, is_whole = item
    return leaf(puzzle, options.solver, None if is_whole else options.budget, cube, may_count=options.may_count)


def certify(
    puzzle: Puzzle, folder: Path, deadline: Deadline, options: CubeOptions, pool: Pool, *, resume: bool = False
) -> tuple[Certificate | None, CheckedCount]:
    """Write a certificate in cubes, and check it here, without trusting the workers.

    The folder is made if it does not exist, and files of another certificate in it are replaced. With `resume` the
    cubes of this puzzle that it contains stay; for a complete valid certificate return None. As many solutions as the
    limit of the deadline are too many.

    Raises:
        MethodError: the proofs of that solver cannot be trusted, the board is too large, or a recount does not support
            the puzzle.
        StoppedError: the deadline came, or there are as many solutions as the limit; the cubes that are done stay.
        SudokuError: the folder cannot be written.
        InternalError: a certificate that was made here is refused.
    """
    if options.solver not in PROVERS:
        raise MethodError(f"the proofs of {options.solver!r} cannot be trusted; choose from {', '.join(PROVERS)}")
    puzzle = puzzle.from_one
    check_puzzle(puzzle)
    if options.may_count:
        # They raise an error before any work.
        recount_kinds.require_compiled()
        counts.rules_of(puzzle)
    at_a_time = pool.processes if pool.is_here else cores()
    earlier = _earlier_count(puzzle, folder, at_a_time, deadline) if resume else None
    if earlier is not None and (options.may_count or not earlier.n_counted):
        return None, earlier
    start = time.perf_counter()
    for place in (pool, local_pool(at_a_time)):
        _make(puzzle, folder, deadline, options, place, resume=resume)
        proving = time.perf_counter() - start
        try:
            checked = cube_folder.check_cubes(folder, at_a_time, deadline)
        except cube_folder.CubeProofError as reason:
            # They are of an earlier run, or a worker was wrong.
            emit(Remark(f"{len(reason.numbers)} of the cubes have invalid proofs and are proved again here: {reason}"))
            for number in reason.numbers:
                _remove(folder, number)
            resume = True
            continue
        except CertificateError as reason:
            raise InternalError(f"the certificate that was just made is refused: {reason}") from reason
        size = sum(path.stat().st_size for path in files.leaf_files(folder) if path.suffix != files.LEAF_SOLUTIONS)
        return Certificate(folder, checked.count, checked.lemmas, size, proving, checked.n_states), checked
    raise InternalError("cubes that were proved here are refused")


def certify_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    options: CubeOptions,
    pool: Pool,
    *,
    resume: bool = False,
) -> Iterator[tuple[Numbered, tuple[Certificate | None, CheckedCount] | StoppedError]]:
    """Yield each puzzle with its certificate in cubes and the proved result, or with what stopped it; see `certify`.

    The cubes of one puzzle are worked on before those of the next.
    """
    for number, puzzle in puzzles:
        try:
            outcome = certify(puzzle, folder_of(number), limits.start(), options, pool, resume=resume)
        except StoppedError as reason:
            yield (number, puzzle), reason
        else:
            yield (number, puzzle), outcome


def _earlier_count(puzzle: Puzzle, folder: Path, processes: int, deadline: Deadline) -> CheckedCount | None:
    """Return the result of the certificate in a folder; None if it is missing or wrong, or about another puzzle."""
    if not cube_folder.is_in_cubes(folder) or not (folder / files.CERTIFICATE).exists():
        return None
    try:
        checked = cube_folder.check_cubes(folder, processes, deadline)
    except SudokuError:
        return None
    return checked if checked.puzzle == puzzle.from_one else None


def _remove(folder: Path, number: int) -> None:
    for suffix in files.LEAF_SUFFIXES:
        (folder / cube_folder.leaf(number, suffix)).unlink(missing_ok=True)


def _make(puzzle: Puzzle, folder: Path, deadline: Deadline, options: CubeOptions, pool: Pool, *, resume: bool) -> None:
    """Write a certificate; see `certify`."""
    work = _begun(puzzle, folder, deadline, options, resume=resume)
    if work.todo:
        if pool.is_here:
            # Before the processes are forked.
            load("sat")
            if options.may_count:
                recounting.load()
            with pool_of(f"processes:{min(pool.processes, len(work.todo))}") as processes:
                _prove(work, deadline, options, processes)
        else:
            _prove(work, deadline, options, pool)
    _check_limit(work, deadline)
    emit(Progress("proving that no solution is outside the cubes ..."))
    _write_cover(work, deadline)
    whole, _ = whole_formula(puzzle)
    figures = {"solutions": work.count, "clauses": whole.cnf.n_clauses, "cubes": len(work.cubes)}
    about = {**figures, "program": f"sudoku-encode {__version__}", "solver": options.solver}
    cube_folder.write_whole(folder / files.CERTIFICATE, f"{json.dumps(about, indent=1)}\n".encode("ascii"))


def _begun(puzzle: Puzzle, folder: Path, deadline: Deadline, options: CubeOptions, *, resume: bool) -> _Work:
    """Return the remaining work, of an earlier run or from the beginning."""
    cubes = _cubes_there(puzzle, folder, deadline) if resume else None
    if cubes is None:
        making.prepare_folder(folder)
        emit(Progress("cutting the puzzle ..."))
        parts = split(lower_puzzle(puzzle).puzzle, options.n_cubes, deadline).cubes
        work = _Work(folder, puzzle, dict(enumerate(parts, start=1)))
        work.todo += work.cubes
        try:
            (folder / files.LEAVES).mkdir(exist_ok=True)
        except OSError as error:
            raise SudokuError(f"{folder / files.LEAVES}: cannot be made: {error.strerror}") from error
        cube_folder.write_whole(folder / files.PUZZLE, making.puzzle_text(puzzle).encode("ascii"))
        work.write_cubes()
    else:
        (folder / files.CERTIFICATE).unlink(missing_ok=True)
        work = _Work(folder, puzzle, cubes)
        _keep(work, counted=options.may_count)
    whole_formula(puzzle)[0].save(folder / files.FORMULA)
    return work


def _cubes_there(puzzle: Puzzle, folder: Path, deadline: Deadline) -> dict[int, Cube] | None:
    """Return the cubes of an earlier run on the puzzle, if there are some and they cover the puzzle."""
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
    except hints.NotRupError:
        emit(Remark(f"{folder / files.CUBES}: the cubes do not cover the puzzle; starting again"))
        return None
    return cubes


def _keep(work: _Work, *, counted: bool) -> None:
    """Count the solutions in the cubes that are done, and remove files of others, or of counts if none may stay."""
    own = set()
    for number in work.cubes:
        paths = {suffix: work.folder / cube_folder.leaf(number, suffix) for suffix in files.LEAF_SUFFIXES}
        if not counted:
            paths.pop(files.LEAF_COUNT).unlink(missing_ok=True)
        if (n_solutions := cube_folder.n_solutions(work.folder, number)) is None:
            work.todo.append(number)
        else:
            own |= set(paths.values())
            work.count += n_solutions
    for path in set(files.leaf_files(work.folder)) - own:
        path.unlink(missing_ok=True)


def _check_limit(work: _Work, deadline: Deadline) -> None:
    deadline()
    if deadline.solutions is not None and work.count >= deadline.solutions:
        raise StoppedError(solution_limit(deadline.solutions))


def _prove(work: _Work, deadline: Deadline, options: CubeOptions, pool: Pool) -> None:
    """Have the solutions in each cube listed, and proved to be all."""
    task = partial(_call, work.puzzle, options)
    overdue = _OVERDUE_FACTOR * options.budget.seconds

    def usable(index: int, leaf: Leaf | None) -> str:
        number = work.sent[index]
        is_whole = number in work.whole
        return answer_fault(work.puzzle, work.cubes[number], leaf, is_whole=is_whole, may_count=options.may_count)

    def tick() -> None:
        _check_limit(work, deadline)

    answers = spread(task, work.items(), pool, tick=tick, overdue_seconds=overdue, usable=usable)
    try:
        with closing(answers):
            _take(work, answers, deadline)
    except (StoppedError, KeyboardInterrupt):
        emit(Remark(f"{work.n_done} of {len(work.cubes)} cubes are proved; continue with --resume"))
        raise


def _take(work: _Work, answers: Iterator[tuple[int, Leaf | StoppedError | None]], deadline: Deadline) -> None:
    """Write the answers for cubes as they come, and cut cubes that take too long."""
    for index, answer in answers:
        number = work.sent[index]
        if isinstance(answer, Leaf):
            work.note(number, answer)
        elif not work.cut(number, deadline):
            if isinstance(answer, StoppedError):
                raise answer
            work.whole.add(number)
            work.todo.append(number)
        emit(Progress(f"{work.n_done} of {len(work.cubes)} cubes proved, {work.count:,} solutions ...", work.count))


def _write_cover(work: _Work, deadline: Deadline) -> None:
    """Write the proof that each solution is in a cube; see `cover`."""
    try:
        steps = cover(work.puzzle, work.cubes, deadline)
    except hints.NotRupError as error:
        raise InternalError(f"the cubes do not cover the puzzle: {error}") from error
    cube_folder.write_whole(work.folder / files.COVER, "".join(making.proof_lines(steps)).encode("ascii"))
