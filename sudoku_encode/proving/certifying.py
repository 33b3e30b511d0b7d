"""Certificates of many puzzles, made here or by an executor, and in any case checked here."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from sudoku_encode.errors import FormatError, InternalError, InterruptedRunError, StoppedError
from sudoku_encode.methods.asking import load_for
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.proving.folder import WRITTEN
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Remark, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool, here
from sudoku_encode.storage.outputs import temporary
from sudoku_encode.storage.parcels import Parcel, packed, unpack

M = TypeVar("M")
C = TypeVar("C")
# A puzzle with its number, and the folder of its certificate.
Item = tuple[int, Puzzle, Path]
# Writes the certificate of a puzzle to a folder; returns also whether there was something to certify.
Make = Callable[[Puzzle, Path], tuple[M, bool]]
Check = Callable[[Path], C]
# What the certificate that is in a folder proves of a puzzle, if it proves anything.
Known = Callable[[Puzzle, Path], C | None]
Found = tuple[M | None, C | None]


def certified(
    make: Make[M],
    check: Check[C],
    items: Iterable[Item],
    limits: Limits,
    pool: Pool,
    known: Known[C] | None = None,
    on_event: Callable[[Item, Event], None] | None = None,
) -> Iterator[tuple[Item, Found[M, C] | StoppedError, float]]:
    """Yield each puzzle with what making its certificate returned, what that proves, and the seconds both took.

    Args:
        make: writes a certificate; says whether it wrote one.
        check: checks it.
        items: the puzzles.
        limits: for each puzzle, to make and to check its certificate.
        pool: where they are made.
        known: where it returns something, nothing is made; None is yielded in place of what making returns.
        on_event: observes what happens meanwhile.

    Raises:
        InternalError: a certificate that was made here proves nothing.
    """
    if pool.is_here:
        task = partial(one_by_one, partial(_here, make, check, known))
        yield from each(task, items, limits, pool=pool, load=partial(load_for, "sat"), on_event=on_event)
        return
    waiting: deque[tuple[Item, C | None]] = deque()

    def unknown() -> Iterator[Item]:
        for item in items:
            waiting.append((item, None if known is None else _known(known, item)))
            if waiting[-1][1] is None:
                yield item

    task_there = partial(one_by_one, partial(_elsewhere, make))
    load = partial(load_for, "sat")
    sent = each(task_there, unknown(), limits, pool=pool, load=load, on_event=on_event, types=(tuple,))
    # They are checked while others are made.
    task = partial(one_by_one, partial(_received, make, check))
    for (item, _, made_in), found, seconds in each(task, sent, limits, pool=here(cores())):
        yield from _kept(waiting, item)
        waiting.popleft()
        yield item, found, made_in + seconds
    yield from _kept(waiting, None)


def _kept(
    waiting: deque[tuple[Item, C | None]], before: Item | None
) -> Iterator[tuple[Item, tuple[None, C | None], float]]:
    """Yield what is known already of the puzzles that come before one."""
    while waiting and waiting[0][0] is not before:
        item, checked = waiting.popleft()
        yield item, (None, checked), 0.0


def _known(known: Known[C], item: Item) -> C | None:
    """Ask what is known in a process of its own, which a checker may end."""
    ((_, found, _),) = each(partial(one_by_one, partial(_known_of, known)), [item])
    if isinstance(found, InterruptedRunError):
        raise KeyboardInterrupt
    return None if isinstance(found, StoppedError) else found


def _known_of(known: Known[C], item: Item) -> C | None:
    return known(item[1], item[2])


def _here(make: Make[M], check: Check[C], known: Known[C] | None, item: Item) -> Found[M, C]:
    _, puzzle, folder = item
    if known is not None and (kept := known(puzzle, folder)) is not None:
        return None, kept
    made, is_written = make(puzzle, folder)
    try:
        return made, check(folder) if is_written else None
    except CertificateError as reason:
        raise InternalError(f"the certificate that was just made is refused: {reason}") from reason


def _elsewhere(make: Make[M], item: Item) -> tuple[M, Parcel]:
    """Make a certificate at a worker, and return its files."""
    with temporary(TemporaryDirectory) as home:
        made, is_written = make(item[1], Path(home))
        return made, packed(sorted(Path(home).iterdir())) if is_written else {}


def _received(make: Make[M], check: Check[C], sent: tuple[Item, tuple[M, Parcel] | StoppedError, float]) -> Found[M, C]:
    """Write what a worker made, and check it; where it proves nothing, it is made here."""
    item, found, _ = sent
    if isinstance(found, StoppedError):
        raise found
    number, _, folder = item
    made, parcel = found
    if not parcel:
        return made, None
    try:
        unpack(parcel, folder, WRITTEN)
        return made, check(folder)
    except (CertificateError, FormatError) as reason:
        emit(Remark(f"the executor's certificate of puzzle {number} is refused: {reason}; it is made here"))
        return _here(make, check, None, item)
