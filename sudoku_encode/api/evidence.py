"""Evidence: many methods compared, and certificates that can be checked without trusting this program."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

from sudoku_encode import proving, verifying
from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import at_work_on, on
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle, each_of
from sudoku_encode.encoders.cubes import N_CUBES
from sudoku_encode.errors import FormatError, MethodError, StoppedError, SudokuError, short
from sudoku_encode.formats import reading
from sudoku_encode.formats.place import Place
from sudoku_encode.proving import cube_checking, cube_folder, in_cubes
from sudoku_encode.proving.in_cubes import Wanted
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike
from sudoku_encode.solvers.table import DEFAULT_PROVER
from sudoku_encode.storage.outputs import file_name
from sudoku_encode.verifying import Case, Report
from sudoku_encode.verifying.cases import chosen, of_puzzle, of_source
from sudoku_encode.verifying.running import DEFAULT_LIMITS

T = TypeVar("T")
_NO_LIMITS = Limits()
# By default a puzzle with this many solutions is given up.
_MAX_SOLUTIONS = 100_000


@checked
def verify(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    methods: str | Iterable[str] = "all",
    *,
    limits: Limits = DEFAULT_LIMITS,
    processes: int | None = None,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Iterator[Report]:
    """Yield for each puzzle what many methods say of it, compared; each works in a process of its own.

    Args:
        puzzles: one or many: puzzles, texts, files, arrays; or a folder. What a `known.toml` in or above a folder says
            is compared too.
        methods: keys of METHODS, or `all`; those that cannot do a board are left out.
        limits: of each method on each puzzle.
        processes: how many methods run at a time here; by default one a core.
        executor: where it is done instead: an Executor, a text such as `processes:8`, or a function that makes one.
        board: where a text or an array does not say it.
        rules: to keep.

    Raises:
        SudokuError: something is no puzzle, or there is no such method.

    >>> [report.status for report in verify("1...............", ["sat", "cp-sat"], board="4x4")]
    ['confirmed']
    """
    if processes is not None and processes < 1:
        raise SudokuError(f"processes={processes}: it must be at least 1")
    if processes is not None and executor is not None:
        raise SudokuError("processes has no effect with an executor, which has its own number of workers")
    several = isinstance(methods, Iterable) and not isinstance(methods, str)
    names = chosen(",".join(map(str, methods if several else [methods])))
    kept = None if rules is None else tuple(rules)
    cases = (case for source in each_of(puzzles) for case in _cases(source, names, board, kept))
    return on(executor, partial(verifying.verify, cases, limits), processes or cores())


def _cases(
    source: PuzzleLike, names: tuple[str, ...], board: str | Geometry | None, rules: tuple[str, ...] | None
) -> Iterator[Case]:
    def read(name: str) -> Iterator[tuple[Place, str, Puzzle]]:
        if not os.path.exists(name):  # noqa: PTH110  -- unlike Path's it takes a text of any length
            yield Place(puzzle=1), name, as_puzzle(source, board, rules)
            return
        for number, entry in enumerate(reading.read_all(Path(name), board=board, rules=rules), start=1):
            if isinstance(entry, FormatError):
                raise entry
            yield Place(name, None, number), name, entry

    if not isinstance(source, (str, Path)):
        yield of_puzzle("", as_puzzle(source, board, rules), names)
        return
    for found in of_source(str(source), read, names, any_rules=board is None and rules is None):
        if isinstance(found, FormatError):
            raise found
        yield found


@checked
def prove(
    puzzle: PuzzleLike,
    folder: str | Path,
    *,
    solver: str = DEFAULT_PROVER,
    limits: Limits = _NO_LIMITS,
    cubes: int | None = None,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> proving.Certificate:
    """Write a certificate that a puzzle has exactly N solutions, and return what was written.

    With `cubes` or `executor` the puzzle is cut, the cubes are worked on at the same time, and what was written is
    checked here. What an interrupted call left in the folder is kept.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        folder: where to write; files of a certificate in it are replaced.
        solver: of PySAT, whose proofs can be trusted.
        limits: of time and memory; a puzzle with as many solutions as their limit, by default 100,000, is given up.
        cubes: how many cubes at least the puzzle is cut into, by default 64; one that takes long is cut further.
        executor: where they are worked on; by default in processes of this machine.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: it is no puzzle, or the folder cannot be written.

    >>> import tempfile
    >>> prove("1234341221434321", tempfile.mkdtemp(), board="4x4").count
    1
    >>> prove("1...............", tempfile.mkdtemp(), board="4x4", cubes=8, executor="processes:2").count
    72
    """
    asked = as_puzzle(puzzle, board, rules)
    within = Limits(limits.solutions or _MAX_SOLUTIONS, limits.seconds, limits.memory)
    if cubes is not None or executor is not None:
        return _prove_in_cubes(
            asked, Path(file_name(folder)), within, Wanted(N_CUBES if cubes is None else cubes, solver), executor
        )
    work = partial(proving.prove, asked, Path(file_name(folder)), within.start(), solver)
    return _apart(work, within) if within.need_a_process else work()


def _prove_in_cubes(
    puzzle: Puzzle, folder: Path, limits: Limits, wanted: Wanted, executor: "ExecutorLike | None"
) -> proving.Certificate:
    if limits.memory is not None:
        raise MethodError("a certificate in cubes takes no limit on memory: its workers have their own")
    if not isinstance(wanted.n_cubes, int) or wanted.n_cubes < 1:
        raise SudokuError(f"cubes={short(repr(wanted.n_cubes))}: it must be a whole number, at least 1")
    with at_work_on(executor, cores()) as pool:
        made, checked = in_cubes.certify(puzzle, folder, limits.start(), wanted, pool, resume=True)
    return made or proving.Certificate(folder, checked.count, checked.lemmas, 0, checked.seconds)


@checked
def check_certificate(
    folder: str | Path, *, limits: Limits = _NO_LIMITS, processes: int | None = None
) -> proving.CheckedCount:
    """Return what a certificate proves, trusting nothing in it but the puzzle.

    Args:
        folder: of a certificate, written by `prove` or by another program.
        limits: of time and memory.
        processes: of a certificate in cubes, how many are checked at a time; by default one a core.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing, or not what it should be.
        StoppedError: a limit was reached.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove("1234341221434321", folder, board="4x4")
    >>> check_certificate(folder).count
    1
    """
    home = Path(file_name(folder))
    if cube_folder.is_in_cubes(home):
        within = limits.without_solutions("check_certificate")
        return cube_checking.check(home, cores() if processes is None else processes, within.start())
    if processes is not None:
        raise MethodError("processes has no effect: that is no certificate in cubes")
    # In a process of its own even without limits: the checker of DRAT proofs might end it.
    return _apart(partial(proving.check, home), limits.without_solutions("check_certificate"))


def _apart(work: Callable[[], T], limits: Limits) -> T:
    """Return what some work returns, in a process of its own where there can be one."""
    ((_, found, _),) = each(partial(one_by_one, _called), [work], limits)
    if isinstance(found, StoppedError):
        raise found
    return found


def _called(work: Callable[[], T]) -> T:
    """Return what some work returns."""
    return work()
