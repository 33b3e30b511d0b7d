"""Certify many puzzles within limits that hold whatever a solver or a checker does to its process."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from sudoku_encode.errors import FormatError, InternalError, InterruptedRunError, StoppedError, SudokuError
from sudoku_encode.methods.limited_calls import load_for
from sudoku_encode.proving import counts, veripb
from sudoku_encode.proving.checking import CertificateError, CheckedCount, check
from sudoku_encode.proving.folder import THEOREM, WRITTEN
from sudoku_encode.proving.making import Certificate, prove, whole_of
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.asking import Numbered
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Remark, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import ONE, Pool, local_pool
from sudoku_encode.storage.folder_files import PackedFiles, pack_files, unpack_files
from sudoku_encode.storage.outputs import make_temporary


def certify_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    solver: str,
    pool: Pool = ONE,
    *,
    resume: bool = False,
    count: bool = False,
    to: str | None = None,
) -> Iterator[tuple[Numbered, tuple[Certificate | None, CheckedCount] | StoppedError]]:
    """Write a certificate for each puzzle and check it; yield the puzzle with both, or with the reason of a stop.

    The limits are for making and checking each certificate; errors of `folder_of` end all. With `resume` an existing
    certificate of the puzzle whose check succeeds is kept, and yielded as None. With `count` the solutions are counted,
    not listed, and the solver has no effect. With `to` the folders also get the files of one of CERTIFICATE_FORMS; the
    theorem of `rocq` states a count.
    """
    items = ((number, puzzle, folder_of(number)) for number, puzzle in puzzles)
    count, to_veripb = count or to == "rocq", to == "veripb"
    make = partial(_count, limits, to) if count else partial(_prove, limits, solver, to_veripb)
    earlier = partial(_check_earlier, _check_of(to) if count else check, to_veripb) if resume else None
    for (number, puzzle, folder), outcome, _ in certify_items(make, check_any, items, limits, pool, earlier):
        if isinstance(outcome, StoppedError):
            yield (number, puzzle), outcome
            continue
        certificate, checked = outcome
        assert checked is not None, "a certificate is always written"
        # A worker had it in a folder of its own.
        yield (number, puzzle), (certificate and replace(certificate, folder=folder), checked)


def _prove(limits: Limits, solver: str, to_veripb: bool, puzzle: Puzzle, folder: Path) -> tuple[Certificate, bool]:
    return prove(puzzle, folder, limits.start(), solver, to_veripb=to_veripb), True


def _count(limits: Limits, to: str | None, puzzle: Puzzle, folder: Path) -> tuple[Certificate, bool]:
    return prove_count(puzzle, folder, limits.start(), to), True


def prove_count(puzzle: Puzzle, folder: Path, deadline: Deadline, to: str | None) -> Certificate:
    """Write the certificate of a count, with `to` rocq also the theorem that states it."""
    if to is None:
        return counts.prove(puzzle, folder, deadline)
    from sudoku_encode.proving import theorem

    return theorem.prove(puzzle, folder, deadline)


def _check_of(to: str | None) -> "Check[CheckedCount]":
    """Return the check of the certificate of a count; it fails where a theorem is asked for and missing."""
    if to is None:
        return counts.check
    from sudoku_encode.proving import theorem

    return theorem.check


def check_any(folder: Path) -> CheckedCount:
    """Check a certificate whose solutions are counted, with its theorem if it has one, or one that lists them."""
    if not counts.is_count(folder):
        return check(folder)
    return _check_of("rocq" if os.path.lexists(folder / THEOREM) else None)(folder)


def check_by_proved(folder: Path) -> CheckedCount:
    """Check a certificate as `check_any`, and by the program for it that is proved correct.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing or invalid.
        MethodError: no such program supports the certificate.
    """
    from sudoku_encode.proving import proved

    start = time.perf_counter()
    # First: it may refuse the kind of certificate, and the other check may take long.
    n_solutions, name = proved.check(folder)
    checked = check_any(folder)
    if n_solutions != checked.count:
        raise CertificateError(f"{folder}: {checked.count} solutions, but {n_solutions} by the {name}")
    return replace(checked, checkers=(*checked.checkers, name), seconds=time.perf_counter() - start)


def _check_earlier(check: "Check[CheckedCount]", to_veripb: bool, puzzle: Puzzle, folder: Path) -> CheckedCount | None:
    """Return the result of the certificate in a folder; None if it is missing or wrong, or about another puzzle."""
    try:
        checked = check(folder)
    except (CertificateError, SudokuError):
        return None
    if checked.puzzle != puzzle.from_one:
        return None
    if to_veripb:
        veripb.write(folder, whole_of(checked.puzzle))
    return checked


# Certificates of any kind, made here or by an executor, but always checked here.

M = TypeVar("M")
C = TypeVar("C")
# A puzzle with its number, and the folder of its certificate.
Item = tuple[int, Puzzle, Path]
# Writes the certificate of a puzzle to a folder; returns also whether there was something to certify.
Make = Callable[[Puzzle, Path], tuple[M, bool]]
Check = Callable[[Path], C]
# Returns the proved result of the certificate in a folder, if it is a valid one of the puzzle.
CheckEarlier = Callable[[Puzzle, Path], C | None]
Outcome = tuple[M | None, C | None]


def certify_items(
    make: Make[M],
    check: Check[C],
    items: Iterable[Item],
    limits: Limits,
    pool: Pool,
    check_earlier: CheckEarlier[C] | None = None,
    on_event: Callable[[Item, Event], None] | None = None,
) -> Iterator[tuple[Item, Outcome[M, C] | StoppedError, float]]:
    """Yield each puzzle with the results of making and of checking its certificate, and the seconds both took.

    `make` returns also whether it wrote a certificate. If `check_earlier` returns a result, nothing is made, and None
    is yielded in place of the result of `make`. The limits are for both together.

    Raises:
        InternalError: a certificate that was made here proves nothing.
    """
    if pool.is_here:
        task = partial(one_by_one, partial(_make_and_check, make, check, check_earlier))
        yield from each(task, items, limits, pool=pool, load=partial(load_for, "sat"), on_event=on_event)
        return
    waiting: deque[tuple[Item, C | None]] = deque()

    def unknown() -> Iterator[Item]:
        for item in items:
            waiting.append((item, None if check_earlier is None else _check_earlier_of(check_earlier, item)))
            if waiting[-1][1] is None:
                yield item

    task_there = partial(one_by_one, partial(_make_at_worker, make))
    load = partial(load_for, "sat")
    sent = each(task_there, unknown(), limits, pool=pool, load=load, on_event=on_event, types=(tuple,))
    # They are checked while others are made.
    task = partial(one_by_one, partial(_unpack_and_check, make, check))
    for (item, _, made_in), outcome, seconds in each(task, sent, limits, pool=local_pool(cores())):
        yield from _yield_earlier(waiting, item)
        waiting.popleft()
        yield item, outcome, made_in + seconds
    yield from _yield_earlier(waiting, None)


def _yield_earlier(
    waiting: deque[tuple[Item, C | None]], before: Item | None
) -> Iterator[tuple[Item, tuple[None, C | None], float]]:
    """Yield the earlier results of the puzzles before an item."""
    while waiting and waiting[0][0] is not before:
        item, checked = waiting.popleft()
        yield item, (None, checked), 0.0


def _check_earlier_of(check_earlier: CheckEarlier[C], item: Item) -> C | None:
    """Check an earlier certificate in a process of its own, which a checker may end."""
    ((_, checked, _),) = each(partial(one_by_one, partial(_known_of, check_earlier)), [item])
    if isinstance(checked, InterruptedRunError):
        raise KeyboardInterrupt
    return None if isinstance(checked, StoppedError) else checked


def _known_of(check_earlier: CheckEarlier[C], item: Item) -> C | None:
    return check_earlier(item[1], item[2])


def _make_and_check(make: Make[M], check: Check[C], check_earlier: CheckEarlier[C] | None, item: Item) -> Outcome[M, C]:
    _, puzzle, folder = item
    if check_earlier is not None and (checked := check_earlier(puzzle, folder)) is not None:
        return None, checked
    certificate, is_written = make(puzzle, folder)
    try:
        return certificate, check(folder) if is_written else None
    except CertificateError as reason:
        raise InternalError(f"the certificate that was just made is refused: {reason}") from reason


def _make_at_worker(make: Make[M], item: Item) -> tuple[M, PackedFiles]:
    """Make a certificate at a worker, and return its files."""
    with make_temporary(TemporaryDirectory) as home:
        certificate, is_written = make(item[1], Path(home))
        return certificate, pack_files(sorted(Path(home).iterdir())) if is_written else {}


def _unpack_and_check(
    make: Make[M], check: Check[C], sent: tuple[Item, tuple[M, PackedFiles] | StoppedError, float]
) -> Outcome[M, C]:
    """Write a worker's certificate, and check it; if it proves nothing, make it here."""
    item, outcome, _ = sent
    if isinstance(outcome, StoppedError):
        raise outcome
    number, _, folder = item
    certificate, parcel = outcome
    if not parcel:
        return certificate, None
    try:
        unpack_files(parcel, folder, WRITTEN)
        return certificate, check(folder)
    except (CertificateError, FormatError) as reason:
        emit(Remark(f"the executor's certificate of puzzle {number} is refused: {reason}; making it here instead"))
        return _make_and_check(make, check, None, item)
