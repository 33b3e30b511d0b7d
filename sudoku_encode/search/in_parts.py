"""Count or list one puzzle in parts, on any executor: slow parts split themselves.

Answers are checked as far as possible: a count is a count, unfinished parts are narrower than the part that they come
from and share no solution, and each listed solution is right, lies in its part and in no unfinished part, and comes
only once. A wrong count, or a solution that a worker left out, cannot be noticed here.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, InternalError, ProcessDiedError, StoppedError, short
from sudoku_encode.puzzles.arrays import Bools, has_repeats
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, check, not_allowed
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import Event, Progress, emit, observing
from sudoku_encode.run.parts import Number, Parts, Work, as_text
from sudoku_encode.run.pools import Pool
from sudoku_encode.search.part import (
    CALLS,
    FIRST_CALLS,
    LISTED_BYTES,
    Part,
    PartCount,
    PartListing,
    count_part,
    first_parts,
    list_part,
    unpack_grids,
    with_candidates,
)

# How many parts a puzzle is split into at first; it does not depend on the workers, so the parts are the same
# everywhere.
N_FIRST = 64
# For how many seconds a part is counted: while few parts wait, so that there are soon parts for all workers; and else.
SHORT_SECONDS, LONG_SECONDS = 1.0, 20.0
# A task that is handed out before a time limit should be back before that, but is not counted more briefly than this.
_LEAST_SECONDS = 0.1
# How long a task takes at most, on a slow machine that has to compile first.
_MOST_SECONDS = 60.0
# How many bytes of solutions may wait until those of the parts before have come.
_WAITING_BYTES = 1 << 27
# A part to count with its number, and for how many seconds.
_Item = tuple[Number, Part, float]
_Countings = Parts[Part, _Item, PartCount]
_Listings = Parts[Part, tuple[Part, int, int], PartListing]


def count_in_parts(
    puzzle: Puzzle,
    tick: Callable[[], None],
    pool: Pool,
    *,
    memory: int | None = None,
    first: list[Part] | None = None,
    earlier: Mapping[Number, PartCount] | None = None,
    keep: Callable[[Number, PartCount], None] | None = None,
    ends: float | None = None,
) -> Count:
    """Count the solutions of a puzzle in parts that share none, each within some bytes of memory.

    The count begins with the parts `first`, by default `first_parts`, and the counts of an earlier run; `keep` is
    called with the count of each part, so that another run can continue. `ends` is the time of `time.monotonic` at
    which `tick` will raise StoppedError, if there is one. The count is a lower bound if a part has no answer, `tick`
    raised StoppedError, or after Ctrl-C. The number so far is emitted as `Progress`.

    Raises:
        ProcessDiedError: all workers are lost, and there is a `keep`.
        StoppedError: by `keep`.
    """
    so_far, begun = _PartialCounts(), time.monotonic()
    task, wrong = partial(_count_numbered, puzzle, memory, so_far), partial(_count_fault, puzzle)
    work = Work(task, partial(_count_item, so_far, begun, ends), wrong, overdue_seconds=_MOST_SECONDS)
    parts: _Countings = Parts(work, first_parts(puzzle, N_FIRST) if first is None else first, earlier)
    total, reported, missing = 0, 0, ""

    def report() -> None:
        nonlocal reported
        if (value := total + so_far.total()) > reported:
            reported = value
            emit(Progress.of_solutions(value, parts.in_words()))

    def report_and_tick() -> None:
        report()
        tick()

    try:
        for number, answer in parts.answers(pool, report_and_tick):
            if isinstance(answer, StoppedError):
                missing = missing or f"part {as_text(number)}: {answer}"
                if not isinstance(answer, ProcessDiedError):
                    break
                continue
            total += answer.value
            so_far.answered(number)
            if keep is not None and number not in parts.earlier:
                keep(number, answer)
            reported = max(reported, value := total + so_far.total())
            emit(Progress.of_solutions(value, parts.in_words()))
    except (StoppedError, KeyboardInterrupt) as reason:
        if keep is not None and isinstance(reason, ProcessDiedError):
            raise
        missing = stop_reason(reason)
    return Count(total + so_far.total(), False, missing) if missing else Count(total, True)


class _PartialCounts:
    """The numbers of solutions so far of the running parts, if they are counted in threads of this process.

    In another process the object starts empty, and does not come back.
    """

    def __init__(self) -> None:
        self.is_seen = False  # whether a part reported something in this process
        self._counts: dict[Number, int] = {}
        self._answered: set[Number] = set()

    def __reduce__(self) -> "tuple[type[_PartialCounts], tuple[()]]":
        return _PartialCounts, ()

    def note(self, number: Number, event: Event) -> None:
        """Take an event of a part into account."""
        if isinstance(event, Progress):
            self._counts[number], self.is_seen = event.found, True

    def answered(self, number: Number) -> None:
        """Leave a part out from now on: its answer replaces its number so far."""
        self._answered.add(number)
        self._counts.pop(number, None)

    def total(self) -> int:
        """Return how many solutions the parts without an answer have together."""
        # A part that was handed out twice may still be running after its answer, and report again.
        return sum(count for number, count in list(self._counts.items()) if number not in self._answered)


def _count_numbered(puzzle: Puzzle, memory: int | None, so_far: _PartialCounts, item: _Item) -> PartCount:
    """Count a part, see `count_part`, and note its number of solutions so far."""
    number, part, seconds = item
    with observing(partial(so_far.note, number)):
        return count_part(puzzle, memory, (part, seconds))


def _count_item(
    so_far: _PartialCounts, begun: float, ends: float | None, number: Number, part: Part, few: bool
) -> _Item:
    """Return a part with its number and for how many seconds to count it."""
    # If parts report nothing before their answers, these must come while they can still be used: the first answers come
    # soon, and no answer takes longer than half of the remaining time.
    now = time.monotonic()
    seconds = SHORT_SECONDS if few else LONG_SECONDS
    if not so_far.is_seen:
        seconds = min(seconds, max(SHORT_SECONDS, now - begun))
        if ends is not None:
            seconds = min(seconds, max(_LEAST_SECONDS, (ends - now) / 2))
    return number, part, seconds


def _count_fault(puzzle: Puzzle, number: Number, part: Part, counted: PartCount) -> str:
    """Return why this cannot be the count of a part; an empty string if it can."""
    if not isinstance(counted, PartCount) or type(counted.value) is not int or counted.value < 0:
        return "the answer is not a count"
    if not isinstance(counted.seconds, float):
        return f"the answer has seconds that are not a number: {short(repr(counted.seconds))}"
    return _unfinished_fault(puzzle, part, counted.unfinished)


def _unfinished_fault(puzzle: Puzzle, part: Part, unfinished: list[Part]) -> str:
    """Return why these cannot be the unfinished parts of a part: they share solutions, or have others."""
    if type(unfinished) is not list or not all(isinstance(child, Part) for child in unfinished):
        return "the answer has unfinished parts that are not parts"
    if not unfinished:
        return ""
    if not all(type(times) is int and times > 0 for child in unfinished for times in child.times):
        return "an unfinished part counts its solutions a wrong number of times"
    try:
        whole = _part_boards(puzzle, part)
        mine = np.concatenate([_part_boards(puzzle, child) for child in unfinished])
    except (FormatError, TypeError, AttributeError, ValueError) as error:
        return f"an unfinished part is invalid: {error}"
    if not all((~whole & board).any(axis=(1, 2)).sum() < len(whole) for board in mine):
        return "an unfinished part is not within the part"
    # Two boards share no solution if a cell has no candidate in both.
    for number, board in enumerate(mine[:-1], start=1):
        if (board & mine[number:]).any(axis=2).all(axis=1).any():
            return "unfinished parts share solutions"
    # Nothing of the part was done, so it could come back for ever.
    if {board.tobytes() for board in mine} == {board.tobytes() for board in whole}:
        return "the unfinished parts are the whole part"
    return ""


def _part_boards(puzzle: Puzzle, part: Part) -> Bools:
    return np.array([board.candidates for board in part.unpacked(puzzle.geometry)])


class ListedPart(NamedTuple):
    """Some solutions of a puzzle, all checked."""

    number: str  # of the part, such as `17.2`; parts come in the order of their numbers
    grids: Grids  # (m, n_cells)


def listed_parts(
    puzzle: Puzzle, pool: Pool, tick: Callable[[], None], *, most: int | None = None, memory: int | None = None
) -> Iterator[ListedPart]:
    """Yield all solutions of a puzzle, part by part in an order that depends on the puzzle alone, each checked.

    Args and errors are those of `listed_answers`. Parts without a solution are left out.
    """
    for number, listing in listed_answers(puzzle, pool, tick, most=most, memory=memory):
        if n_grids := sum(listing.numbers):
            yield ListedPart(as_text(number), unpack_grids(listing.grids, puzzle.geometry, n_grids))


def listed_answers(
    puzzle: Puzzle,
    pool: Pool,
    tick: Callable[[], None],
    *,
    most: int | None = None,
    memory: int | None = None,
    earlier: Mapping[Number, PartListing] | None = None,
) -> Iterator[tuple[Number, PartListing]]:
    """Yield each part of a puzzle with its solutions, checked, in an order that depends on the puzzle alone.

    A part lists up to `most` solutions within some bytes of memory. Listings from an earlier run are yielded unchanged,
    and may lack the solutions.

    Raises:
        StoppedError: by `tick`; a part has no answer. Parts before it have been yielded.
    """
    ready = _OrderedAnswers()
    size = LISTED_BYTES // puzzle.geometry.n_cells * (2 if puzzle.geometry.n_values <= 16 else 1)
    item = partial(_list_item, min(max(1, size), most or size))
    task, wrong = partial(list_part, puzzle, memory), partial(_listing_fault, puzzle)
    work = Work(task, item, wrong, ready.should_wait, _MOST_SECONDS)
    parts: _Listings = Parts(work, first_parts(puzzle, N_FIRST), earlier)
    ready.next = [(at,) for at in range(parts.n_parts, 0, -1)]
    n_listed = 0
    for number, answer in parts.answers(pool, tick):
        ready.take(number, answer)
        while (first := ready.first()) is not None:
            name, listing = first
            if isinstance(listing, StoppedError):
                raise type(listing)(f"part {as_text(name)}: {listing}")
            n_listed += sum(listing.numbers)
            yield name, listing
        emit(Progress.of_solutions(n_listed, parts.in_words()))


class _OrderedAnswers:
    """Answers that wait until those of the parts before them have come."""

    def __init__(self) -> None:
        self.next: list[Number] = []  # the parts that come next, the first of them last
        self._waiting: dict[Number, PartListing | StoppedError] = {}
        self._n_bytes = 0

    def should_wait(self, number: Number) -> bool:
        """Return whether a part should wait, since many bytes wait already and it is not the next."""
        return self._n_bytes > _WAITING_BYTES and number != self.next[-1]

    def take(self, number: Number, answer: PartListing | StoppedError) -> None:
        """Keep the answer for a part until its turn."""
        self._waiting[number] = answer
        self._n_bytes += 0 if isinstance(answer, StoppedError) else len(answer.grids)

    def first(self) -> tuple[Number, PartListing | StoppedError] | None:
        """Return the part that comes next with its answer, if that is there."""
        if not self.next or self.next[-1] not in self._waiting:
            return None
        number = self.next.pop()
        answer = self._waiting.pop(number)
        if not isinstance(answer, StoppedError):
            self._n_bytes -= len(answer.grids)
            self.next += [(*number, at) for at in range(len(answer.unfinished), 0, -1)]
        return number, answer


def _list_item(most: int, number: Number, part: Part, few: bool) -> tuple[Part, int, int]:
    # By its number, not by how many parts wait: the parts must be the same for any workers.
    return part, most, FIRST_CALLS if len(number) < 2 else CALLS


def _listing_fault(puzzle: Puzzle, number: Number, part: Part, listed: PartListing) -> str:
    """Return why these cannot be solutions of a part; an empty string if they can."""
    try:
        boards = [board.candidates for board in part.unpacked(puzzle.geometry)]
        numbers = listed.numbers
        if len(numbers) != len(boards) or any(type(one) is not int or one < 0 for one in numbers):
            return "the answer is not a list of solutions"
        grids = unpack_grids(listed.grids, puzzle.geometry, sum(numbers))
        check(puzzle, grids)
    except InternalError as error:
        return str(error)
    except (FormatError, TypeError, AttributeError, ValueError) as error:
        return f"the answer is not a list of solutions: {error}"
    start = 0
    for candidates, n_grids in zip(boards, numbers, strict=True):
        if not_allowed(with_candidates(puzzle, candidates), grids[start : start + n_grids]).any():
            return "a solution belongs to another part"
        start += n_grids
    if has_repeats(grids):
        return "a solution appears twice"
    if wrong := _unfinished_fault(puzzle, part, listed.unfinished):
        return wrong
    for child in listed.unfinished:
        for board in child.unpacked(puzzle.geometry):
            if len(_rows_within(grids, board.candidates)):
                return "a solution belongs to an unfinished part"
    return ""


def _rows_within(grids: Grids, candidates: Candidates) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    """Return the rows of the grids that a board allows."""
    rows = np.arange(len(grids))
    # Cells with few candidates exclude the most grids, so most grids are excluded after a few cells.
    for cell in np.argsort(candidates.sum(axis=1), kind="stable"):
        if not len(rows):
            break
        rows = rows[candidates[cell][grids[rows, cell] - 1]]
    return rows
