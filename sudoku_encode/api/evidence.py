"""Evidence: many methods compared, and certificates of counts to check without this program."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from sudoku_encode import proving, verifying
from sudoku_encode.api.arguments import (
    NO_LIMITS,
    LimitNames,
    check_arguments,
    iterate_on,
    open_pool,
    run_in_process,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle, each_of
from sudoku_encode.encoders.cubes import N_CUBES
from sudoku_encode.errors import FormatError, MethodError, SudokuError, short
from sudoku_encode.formats import reading
from sudoku_encode.formats.place import Place
from sudoku_encode.proving import cube_folder, in_cubes
from sudoku_encode.proving.batches import check_any, check_by_proved, prove_count
from sudoku_encode.proving.in_cubes import CubeOptions
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import ExecutorLike
from sudoku_encode.solvers.table import CERTIFICATE_FORMS, DEFAULT_PROVER
from sudoku_encode.storage.outputs import file_name
from sudoku_encode.verifying import Case, Report
from sudoku_encode.verifying.cases import ENOUGH_FAMILIES, chosen, of_puzzle, of_source
from sudoku_encode.verifying.running import DEFAULT_LIMITS

# By default a puzzle with this many solutions is given up.
_MAX_SOLUTIONS = 100_000


@check_arguments
def verify(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    methods: str | Iterable[str] | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    processes: int | None = None,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Iterator[Report]:
    """Yield a report for each puzzle that compares the answers of many methods.

    Each method runs in a process of its own.

    Args:
        puzzles: one or many: puzzles, texts, files, arrays; or a folder. The
            answers are also compared with a `known.toml` in or above a folder.
        methods: keys of METHODS, or `all`; those that do not support a board
            are left out. By default as many as it takes until three families of
            methods confirm the number.
        limits: for each method on each puzzle.
        processes: the number of methods run at a time here; by default one per
            core.
        executor: where to run: an Executor, a text such as `processes:8`, or a
            function that makes one.
        board: needed if a text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: not a puzzle, or no such method.

    >>> [report.status for report in verify("1...............", ["sat", "cp-sat"], board="4x4")]
    ['confirmed']
    """
    if processes is not None and processes < 1:
        raise SudokuError(f"processes={processes}: it must be at least 1")
    if processes is not None and executor is not None:
        raise SudokuError("processes has no effect with an executor, which has its own number of workers")
    several: Iterable[str] = ["all"] if methods is None else [methods] if isinstance(methods, str) else methods
    names = chosen(",".join(map(str, several)))
    enough = ENOUGH_FAMILIES if methods is None else None
    rules = None if rules is None else tuple(rules)
    cases = (
        replace(case, enough=enough) for source in each_of(puzzles) for case in _cases(source, names, board, rules)
    )
    return iterate_on(executor, partial(verifying.verify, cases, limits), processes or cores())


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
    for case in of_source(str(source), read, names, any_rules=board is None and rules is None):
        if isinstance(case, FormatError):
            raise case
        yield case


@check_arguments
def prove(
    puzzle: PuzzleLike,
    folder: str | Path,
    *,
    solver: str = DEFAULT_PROVER,
    limits: Limits = NO_LIMITS,
    cubes: int | None = None,
    count: bool = False,
    to: str | None = None,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> proving.Certificate:
    """Write a certificate that a puzzle has exactly N solutions.

    Return a description of it. With `cubes` or `executor` the puzzle is split
    into cubes, which are proved in parallel, and the certificate is checked
    here. A call continues the work of an interrupted one in the folder.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        folder: where to write; it replaces an earlier certificate.
        solver: a solver of PySAT with trustworthy proofs.
        limits: on time, memory and solutions; by default the call gives up at
            100,000 solutions.
        cubes: the least number of cubes, by default 64; a cube that takes long
            is split further.
        count: certify how to count again, for numbers of any size; with
            `cubes`, only in those with many solutions.
        to: also write files for VeriPB (`veripb`), or a count for Coq (`rocq`).
        executor: where the cubes are proved; by default in processes on this
            machine.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: not a puzzle, or the folder cannot be written.

    >>> import tempfile
    >>> prove("1234341221434321", tempfile.mkdtemp(), board="4x4").count
    1
    >>> prove("1...............", tempfile.mkdtemp(), board="4x4", cubes=8, executor="processes:2").count
    72
    >>> prove("." * 36, tempfile.mkdtemp(), board="6x6", count=True).count
    28200960
    """
    if to is not None and to not in CERTIFICATE_FORMS:
        raise MethodError(f"to={short(repr(to))}: choose from {', '.join(CERTIFICATE_FORMS)}")
    if to is not None and (cubes is not None or executor is not None):
        raise MethodError("to has no effect with cubes or executor: these files are about the whole puzzle")
    if to == "veripb" and count:
        raise MethodError("to='veripb' has no effect with count=True, which lists no solutions")
    parsed, home = as_puzzle(puzzle, board, rules), Path(file_name(folder))
    count = count or to == "rocq"
    if count:
        within = limits.without_solutions("prove with count=True")
    else:
        within = Limits(limits.solutions or _MAX_SOLUTIONS, limits.seconds, limits.memory)
    if cubes is not None or executor is not None:
        options = CubeOptions(N_CUBES if cubes is None else cubes, solver, may_count=count)
        return _prove_in_cubes(parsed, home, within, options, executor)
    if count and solver != DEFAULT_PROVER:
        raise MethodError("solver has no effect with count=True and without cubes: nothing is proved by a solver")
    deadline = within.start()
    work = (
        partial(prove_count, parsed, home, deadline, to)
        if count
        else partial(proving.prove, parsed, home, deadline, solver, to_veripb=to == "veripb")
    )
    return run_in_process(work, within) if within.need_a_process else work()


def _prove_in_cubes(
    puzzle: Puzzle, folder: Path, limits: Limits, options: CubeOptions, executor: ExecutorLike | None
) -> proving.Certificate:
    if limits.memory is not None:
        raise MethodError("limits on memory have no effect on a certificate in cubes: the workers have their own")
    if not isinstance(options.n_cubes, int) or options.n_cubes < 1:
        raise SudokuError(f"cubes={short(repr(options.n_cubes))}: it must be a whole number, at least 1")
    with open_pool(executor, cores()) as pool:
        certificate, checked = in_cubes.certify(puzzle, folder, limits.start(), options, pool, resume=True)
    return certificate or proving.Certificate(folder, checked.count, checked.lemmas, 0, checked.seconds)


@check_arguments
def check_certificate(
    folder: str | Path,
    *,
    limits: Limits = NO_LIMITS,
    processes: int | None = None,
    proved: bool = False,
    **named: Unpack[LimitNames],
) -> proving.CheckedCount:
    """Check a certificate, and return the proved number of solutions.

    Nothing in it but the puzzle is trusted.

    Args:
        folder: a certificate, written by `prove` or by another program.
        limits: on time and memory.
        processes: the number of cubes checked at a time, for a certificate in
            cubes; by default one per core.
        proved: have it checked also by a program that is proved correct; it is
            compiled here, with Coq and OCaml.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        CertificateError: the certificate is wrong.
        FormatError: a file is missing or damaged.
        StoppedError: a limit was reached.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove("1234341221434321", folder, board="4x4")
    >>> check_certificate(folder).count
    1
    """
    home = Path(file_name(folder))
    if proved:
        if processes is not None:
            raise MethodError("processes has no effect with proved=True, which supports no cubes")
        return run_in_process(partial(check_by_proved, home), limits.without_solutions("check_certificate"))
    if cube_folder.is_in_cubes(home):
        within = limits.without_solutions("check_certificate")
        return cube_folder.check_cubes(home, cores() if processes is None else processes, within.start())
    if processes is not None:
        raise MethodError("processes has no effect without cubes")
    # In its own process even without limits, since the checker of DRAT proofs might end the process.
    return run_in_process(partial(check_any, home), limits.without_solutions("check_certificate"))
