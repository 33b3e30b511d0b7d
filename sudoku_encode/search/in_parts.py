"""One puzzle counted or listed in parts, on any executor: parts that take long split themselves.

What comes back is checked as far as it can be: that it is a count, that the parts that are left are narrower than the
one that they are from and share no solution; of a list every solution, that it lies in its part and in none that is
left, and that none comes twice. That a worker counted wrong, or left a solution out, cannot be seen here.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, InternalError, ProcessDiedError, StoppedError, short
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, check, not_allowed
from sudoku_encode.puzzles.repeats import has_repeats
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import Event, Progress, emit, observing
from sudoku_encode.run.parts import Number, Parts, Work, as_text
from sudoku_encode.run.pools import Pool
from sudoku_encode.search.part import (
    CALLS,
    FIRST_CALLS,
    LISTED_BYTES,
    Counted,
    Listed,
    Part,
    count_part,
    first_parts,
    list_part,
    unpacked_grids,
)
from sudoku_encode.search.remaining import narrowed

# How many parts a puzzle has at first, however many workers there are: so the parts are the same everywhere.
N_FIRST = 64
# For how many seconds a part is counted: while few wait, so that there are soon parts for all workers; and else.
SHORT_SECONDS, LONG_SECONDS = 1.0, 20.0
# A task that is handed out before a time limit should be back before that, but is not counted more briefly than this.
_LEAST_SECONDS = 0.1
# How long a task takes at most, on a slow machine that has to compile first.
_MOST_SECONDS = 60.0
# How many bytes of solutions may wait until those of the parts before have come.
_WAITING_BYTES = 1 << 27
# A part to count with its number, and for how many seconds.
_Item = tuple[Number, Part, float]
_Countings = Parts[Part, _Item, Counted]
_Listings = Parts[Part, tuple[Part, int, int], Listed]


def count_in_parts(
    puzzle: Puzzle,
    tick: Callable[[], None],
    pool: Pool,
    *,
    memory: int | None = None,
    first: list[Part] | None = None,
    earlier: Mapping[Number, Counted] | None = None,
    keep: Callable[[Number, Counted], None] | None = None,
    ends: float | None = None,
) -> Count:
    """Count the solutions of a puzzle in parts that share none.

    Args:
        puzzle: on a board of up to 64 values.
        tick: called some times a second; it may raise StoppedError.
        pool: where the parts are counted.
        memory: how many bytes a part may take.
        first: the parts to begin with; by default `first_parts`.
        earlier: what is known of parts already.
        keep: called with what becomes known of a part, so that another run can go on.
        ends: the time of `time.monotonic` at which `tick` will raise StoppedError; None where it has no such time.

    Returns:
        How many there are; at least so many, where a part has no answer, `tick` raised StoppedError, or after Ctrl-C.
        How
        many there are so far is emitted as `Progress`.

    Raises:
        ProcessDiedError: all workers are lost, and what is known is kept.
        StoppedError: by `keep`.
    """
    so_far, begun = _SoFar(), time.monotonic()
    task, wrong = partial(_count_numbered, puzzle, memory, so_far), partial(_wrong_count, puzzle)
    work = Work(task, partial(_counted_for, so_far, begun, ends), wrong, overdue_seconds=_MOST_SECONDS)
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
        for number, found in parts.answers(pool, report_and_tick):
            if isinstance(found, StoppedError):
                missing = missing or f"part {as_text(number)}: {found}"
                if not isinstance(found, ProcessDiedError):
                    break
                continue
            total += found.value
            so_far.answered(number)
            if keep is not None and number not in parts.earlier:
                keep(number, found)
            reported = max(reported, value := total + so_far.total())
            emit(Progress.of_solutions(value, parts.in_words()))
    except (StoppedError, KeyboardInterrupt) as reason:
        if keep is not None and isinstance(reason, ProcessDiedError):
            raise
        missing = stop_reason(reason)
    return Count(total + so_far.total(), False, missing) if missing else Count(total, True)


class _SoFar:
    """How many solutions the parts at work have so far, where they are counted in threads of this process.

    In another process it begins empty, and nothing of it comes back.

    Attributes:
        is_seen: whether something was reported here.
    """

    def __init__(self) -> None:
        self.is_seen = False
        self._counts: dict[Number, int] = {}
        self._answered: set[Number] = set()

    def __reduce__(self) -> "tuple[type[_SoFar], tuple[()]]":
        return _SoFar, ()

    def note(self, number: Number, event: Event) -> None:
        """Take an event of a part into account."""
        if isinstance(event, Progress):
            self._counts[number], self.is_seen = event.found, True

    def answered(self, number: Number) -> None:
        """Leave a part out from now on: its answer says more."""
        self._answered.add(number)
        self._counts.pop(number, None)

    def total(self) -> int:
        """Return how many solutions the parts without an answer have together."""
        # A part that was handed out twice may still be at work when it is answered, and say something new.
        return sum(count for number, count in list(self._counts.items()) if number not in self._answered)


def _count_numbered(puzzle: Puzzle, memory: int | None, so_far: _SoFar, item: _Item) -> Counted:
    """Count a part and note meanwhile how many solutions it has so far; see `count_part`."""
    number, part, seconds = item
    with observing(partial(so_far.note, number)):
        return count_part(puzzle, memory, (part, seconds))


def _counted_for(so_far: _SoFar, begun: float, ends: float | None, number: Number, part: Part, few: bool) -> _Item:
    """Return a part with its number and for how many seconds it is counted.

    Where nothing is known of a part before its answer, that should come while it can still be used: the first answers
    come soon, and none is longer away than half of the time that remains.
    """
    now = time.monotonic()
    seconds = SHORT_SECONDS if few else LONG_SECONDS
    if not so_far.is_seen:
        seconds = min(seconds, max(SHORT_SECONDS, now - begun))
        if ends is not None:
            seconds = min(seconds, max(_LEAST_SECONDS, (ends - now) / 2))
    return number, part, seconds


def _wrong_count(puzzle: Puzzle, number: Number, part: Part, counted: Counted) -> str:
    """Say why this cannot be the count of a part; an empty string where it can."""
    if not isinstance(counted, Counted) or type(counted.value) is not int or counted.value < 0:
        return "what came back is no count"
    if not isinstance(counted.seconds, float):
        return f"it took {short(repr(counted.seconds))}, which are no seconds"
    return _wrong_left(puzzle, part, counted.left)


def _wrong_left(puzzle: Puzzle, part: Part, left: list[Part]) -> str:
    """Say why these cannot be what is left of a part: they share solutions, or have others."""
    if type(left) is not list or not all(isinstance(child, Part) for child in left):
        return "what came back as left are no parts"
    if not left:
        return ""
    if not all(type(times) is int and times > 0 for child in left for times in child.times):
        return "what came back as left counts its solutions a wrong number of times"
    try:
        whole = _boards(puzzle, part)
        mine = np.concatenate([_boards(puzzle, child) for child in left])
    except (FormatError, TypeError, AttributeError, ValueError) as error:
        return f"what came back as left is no part: {error}"
    if not all((~whole & board).any(axis=(1, 2)).sum() < len(whole) for board in mine):
        return "what came back as left is no part of it"
    # Two boards share no solution where a cell has no candidate in both.
    for at, board in enumerate(mine[:-1]):
        if (board & mine[at + 1 :]).any(axis=2).all(axis=1).any():
            return "what came back as left shares solutions"
    # Nothing was done of it, and so it could come back for ever.
    if {board.tobytes() for board in mine} == {board.tobytes() for board in whole}:
        return "what came back as left is all of it"
    return ""


def _boards(puzzle: Puzzle, part: Part) -> Bools:
    return np.array([board.candidates for board in part.unpacked(puzzle.geometry)])


class ListedPart(NamedTuple):
    """Some solutions of a puzzle, all checked.

    Attributes:
        number: of the part, such as `17.2`; parts come in the order of their numbers.
        grids: uint8 (m, n_cells).
    """

    number: str
    grids: Grids


def listed_parts(
    puzzle: Puzzle, pool: Pool, tick: Callable[[], None], *, most: int | None = None, memory: int | None = None
) -> Iterator[ListedPart]:
    """Yield all solutions of a puzzle, part by part in an order that the puzzle alone decides, each checked.

    Args and errors are those of `listed_answers`. Parts without a solution are left out.
    """
    for number, one in listed_answers(puzzle, pool, tick, most=most, memory=memory):
        if n_grids := sum(one.numbers):
            yield ListedPart(as_text(number), unpacked_grids(one.grids, puzzle.geometry, n_grids))


def listed_answers(
    puzzle: Puzzle,
    pool: Pool,
    tick: Callable[[], None],
    *,
    most: int | None = None,
    memory: int | None = None,
    earlier: Mapping[Number, Listed] | None = None,
) -> Iterator[tuple[Number, Listed]]:
    """Yield each part of a puzzle with its solutions, checked, in an order that the puzzle alone decides.

    Args:
        puzzle: on a board of up to 64 values.
        pool: where the parts are listed.
        tick: called some times a second; it may raise StoppedError.
        most: how many solutions are wanted: then a part has no more.
        memory: how many bytes a part may take.
        earlier: what is known of parts already; it comes back as it is, and may be without the solutions.

    Raises:
        StoppedError: by `tick`; a part has no answer. Parts before it have been yielded.
    """
    ready = _Ready()
    size = LISTED_BYTES // puzzle.geometry.n_cells * (2 if puzzle.geometry.n_values <= 16 else 1)
    item = partial(_listed_for, min(max(1, size), most or size))
    task, wrong = partial(list_part, puzzle, memory), partial(_wrong_list, puzzle)
    work = Work(task, item, wrong, ready.held, _MOST_SECONDS)
    parts: _Listings = Parts(work, first_parts(puzzle, N_FIRST), earlier)
    ready.next = [(at,) for at in range(parts.n_known, 0, -1)]
    found = 0
    for number, answer in parts.answers(pool, tick):
        ready.take(number, answer)
        while (listed := ready.first()) is not None:
            name, one = listed
            if isinstance(one, StoppedError):
                raise type(one)(f"part {as_text(name)}: {one}")
            found += sum(one.numbers)
            yield name, one
        emit(Progress.of_solutions(found, parts.in_words()))


class _Ready:
    """Answers that wait until those of the parts before them have come.

    Attributes:
        next: the parts that come next, the first of them last.
    """

    def __init__(self) -> None:
        self.next: list[Number] = []
        self._waiting: dict[Number, Listed | StoppedError] = {}
        self._n_bytes = 0

    def held(self, number: Number) -> bool:
        """Say whether a part should wait, since much waits already and it is not the next."""
        return self._n_bytes > _WAITING_BYTES and number != self.next[-1]

    def take(self, number: Number, answer: Listed | StoppedError) -> None:
        """Keep the answer for a part until its turn."""
        self._waiting[number] = answer
        self._n_bytes += 0 if isinstance(answer, StoppedError) else len(answer.grids)

    def first(self) -> tuple[Number, Listed | StoppedError] | None:
        """Return the part that comes next with its answer, if that is there."""
        if not self.next or self.next[-1] not in self._waiting:
            return None
        number = self.next.pop()
        answer = self._waiting.pop(number)
        if not isinstance(answer, StoppedError):
            self._n_bytes -= len(answer.grids)
            self.next += [(*number, at) for at in range(len(answer.left), 0, -1)]
        return number, answer


def _listed_for(most: int, number: Number, part: Part, few: bool) -> tuple[Part, int, int]:
    # By its number, and not by how many wait: the parts must be the same whatever the workers.
    return part, most, FIRST_CALLS if len(number) < 2 else CALLS


def _wrong_list(puzzle: Puzzle, number: Number, part: Part, listed: Listed) -> str:
    """Say why these cannot be solutions of a part; an empty string where they can."""
    try:
        boards = [board.candidates for board in part.unpacked(puzzle.geometry)]
        numbers = listed.numbers
        if len(numbers) != len(boards) or any(type(one) is not int or one < 0 for one in numbers):
            return "what came back is no list of solutions"
        grids = unpacked_grids(listed.grids, puzzle.geometry, sum(numbers))
        check(puzzle, grids)
    except InternalError as error:
        return str(error)
    except (FormatError, TypeError, AttributeError, ValueError) as error:
        return f"what came back is no list of solutions: {error}"
    start = 0
    for candidates, n_grids in zip(boards, numbers, strict=True):
        if not_allowed(narrowed(puzzle, candidates), grids[start : start + n_grids]).any():
            return "a solution is of another part"
        start += n_grids
    if has_repeats(grids):
        return "a solution came twice"
    if wrong := _wrong_left(puzzle, part, listed.left):
        return wrong
    for child in listed.left:
        for board in child.unpacked(puzzle.geometry):
            if len(_within(grids, board.candidates)):
                return "a solution is of a part that is left"
    return ""


def _within(grids: Grids, candidates: Candidates) -> "np.ndarray[tuple[int], np.dtype[np.intp]]":
    """Return which grids a board allows, by their rows."""
    rows = np.arange(len(grids))
    # Cells with few candidates exclude the most, so that hardly any grid is looked at in more than some of them.
    for cell in np.argsort(candidates.sum(axis=1), kind="stable"):
        if not len(rows):
            break
        rows = rows[candidates[cell][grids[rows, cell] - 1]]
    return rows
