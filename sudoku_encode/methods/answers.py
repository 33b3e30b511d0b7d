"""Answers for what was read, in its order: for many puzzles at once where `search` answers, else one by one."""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import FormatError, Interrupted, Stopped
from sudoku_encode.formats.entries import Block, Entry, Located
from sudoku_encode.methods import asking
from sudoku_encode.methods.asking import Numbered, OnEvent
from sudoku_encode.methods.question import Answer, BlockAnswer, Question, known_count
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import Count
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import here

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import Batch

# How many puzzles are answered at a time: few at first, and then as many as take about this long.
_FIRST_PUZZLES, _MOST_PUZZLES, _WANTED_SECONDS = 64, 8192, 0.1
# And by a SAT or CP solver at most as many, each of which takes longer.
_MOST_BY_SOLVER_PUZZLES = 1024
# A puzzle that was given up within a limit of this many seconds is not asked again: `auto` gives up no sooner.
_GIVEN_UP_SECONDS = 1.0
# Without a limit solutions are counted up to this number.
_ALL_SOLUTIONS = 2**62


def answers(located: Iterator[Located], question: Question, on_event: OnEvent) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for what was read, in its order; of what is no puzzle as well.

    Args:
        located: what was read.
        question: what is asked of each puzzle.
        on_event: called with a puzzle and what happens meanwhile, where it is answered by itself.
    """
    head = list(islice(located, 2))
    many = len(head) > 1 or any(isinstance(one.found, Block) and len(one.found) > 1 for one in head)
    located = chain(head, located)
    if not many:
        yield from _one_by_one(located, question, on_event)
        return
    for board, run in groupby(located, _BoardOfBatch(question)):
        if board is None:
            yield from _one_by_one(run, question, on_event)
        elif question.solved_by_one_solver(board):
            yield from _by_one_solver(run, board, question, on_event)
        else:
            yield from _in_batches(run, board, question, on_event)


class _BoardOfBatch:
    """Tells the board of what is answered in batches; None of a puzzle that is answered by itself.

    What is no puzzle goes with what is before it, so that it ends no batch.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.board: Geometry | None = None

    def __call__(self, located: Located) -> Geometry | None:
        found = located.found.found if isinstance(located.found, Entry) else located.found
        if isinstance(found, FormatError):
            return self.board
        board = found.board if isinstance(found, Block) else found.geometry
        plain = isinstance(found, Block) or found.pencilmarks is None
        self.board = board if plain and self.question.answered_in_batches(board) else None
        return self.board


def _one_by_one(located: Iterable[Located], question: Question, on_event: OnEvent) -> Iterator[Answer]:
    """Yield the answers for puzzles that are asked one after the other."""
    waiting: deque[Located] = deque()

    def puzzles() -> Iterator[Numbered]:
        for one in located:
            for entry in one.singles():
                waiting.append(entry)
                if isinstance(entry.found, Entry) and isinstance(entry.found.found, Puzzle):
                    yield entry.number, entry.found.found

    for number, count, grid, seconds in _asked(puzzles(), question, on_event):
        while waiting[0].number < number:
            yield Answer(waiting.popleft(), None)
        yield Answer(waiting.popleft(), count, grid, question.method, seconds)
    for one in waiting:
        yield Answer(one, None)


def _asked(
    puzzles: Iterator[Numbered], question: Question, on_event: OnEvent
) -> Iterator[tuple[int, Count, Grids | None, float]]:
    """Yield the numbers of puzzles with their counts, with a solution if one was wanted, and the seconds that took."""
    method, limits, options = question.method, question.limits, question.options
    if not question.solve:
        counted = asking.count_each(puzzles, method, limits, options, on_event, question.processes)
        for (number, _), count, seconds in counted:
            yield number, count, None, seconds
        return
    for (number, _), found, seconds in asking.first_of_each(puzzles, method, limits, options, question.processes):
        if isinstance(found, Stopped):
            yield number, Count(0, False, str(found)), None, seconds
        else:
            yield number, Count(int(found is not None), True), found, seconds


def _in_batches(
    located: Iterator[Located], board: Geometry, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for puzzles on one board, many at a time."""
    from sudoku_encode.methods.batches import SAT_SECONDS

    size, rest, sat_ends = _FIRST_PUZZLES, deque[Located](), time.monotonic() + SAT_SECONDS
    while some := _taken(located, rest, size):
        givens = np.concatenate([_givens(one, board) for one in some])
        seconds_for_each = _seconds_for_each(board, question)
        begun = time.monotonic()
        found = _solved(board, givens, question, seconds_for_each, sat_ends)
        seconds = time.monotonic() - begun
        if found is None:
            yield from _one_by_one(some, question, on_event)
            continue
        size = min(_MOST_PUZZLES, 2 * size) if seconds < _WANTED_SECONDS else max(_FIRST_PUZZLES, size // 2)
        yield from _parts(some, found, seconds, question, on_event)


def _by_one_solver(
    located: Iterator[Located], board: Geometry, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for puzzles on one board that one solver solves, many at a time, in processes of their own."""
    from sudoku_encode.methods.batches import Batch
    from sudoku_encode.methods.many import solver_of_many

    pieces = _pieces(located)
    first_piece = next(pieces)
    if sum(map(_size, first_piece)) < 2:
        yield from _one_by_one(first_piece, question, on_event)
        return
    asking.load(question.method)
    with solver_of_many(board, question.method, question.options) as solve:

        def solved(some: list[Located]) -> Batch:
            grids, has_solution = solve(np.concatenate([_givens(one, board) for one in some]))
            grids[~has_solution] = 0
            counts, nobody = has_solution.astype(np.int64), np.zeros(len(grids), bool)
            return Batch(grids, counts, nobody, question.method)

        # A process for each piece: which of several solutions is found depends on nothing that was solved before.
        task, limits = partial(one_by_one, solved), Limits(memory=question.limits.memory)
        for some, found, seconds in each(
            task, chain([first_piece], pieces), limits, pool=here(question.processes), chunk=1
        ):
            if isinstance(found, Interrupted):
                (entry,) = next(iter(some)).singles()
                yield Answer(entry, Count(0, False, str(found)), None, question.method, seconds)
            elif isinstance(found, Stopped):
                # What ended the process is the answer of one puzzle only.
                yield from _one_by_one(some, question, on_event)
            else:
                yield from _parts(some, found, seconds, question, on_event)


def _pieces(located: Iterator[Located]) -> Iterator[list[Located]]:
    """Yield some puzzles at a time, cut the same way however long they take."""
    size, rest = _FIRST_PUZZLES, deque[Located]()
    while some := _taken(located, rest, size):
        yield some
        size = min(_MOST_BY_SOLVER_PUZZLES, 2 * size)


def _parts(
    some: list[Located], found: "Batch", seconds: float, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for what was read, of a batch that took some seconds."""
    start, each_took = 0, seconds / max(1, len(found.counts))
    for one in some:
        end = start + _size(one)
        yield from _answered(one, found.part(start, end), each_took, question, on_event)
        start = end


def _size(located: Located) -> int:
    """Return how many puzzles there are."""
    found = located.found
    return len(found) if isinstance(found, Block) else int(isinstance(found.found, Puzzle))


def _taken(located: Iterator[Located], rest: deque[Located], size: int) -> list[Located]:
    """Return what holds some puzzles, or all that is left; the rest of a block that is too large comes next."""
    some, n_puzzles = [], 0
    while n_puzzles < size and (one := rest.popleft() if rest else next(located, None)) is not None:
        room = size - n_puzzles
        if isinstance(one.found, Block) and len(one.found) > room:
            rest.append(Located(one.number + room, one.source, one.found.part(room, len(one.found))))
            one = one._replace(found=one.found.part(0, room))
        some.append(one)
        n_puzzles += _size(one)
    return some


def _givens(located: Located, board: Geometry) -> Grids:
    """Return the givens, uint8 (m, n_cells)."""
    found = located.found
    if isinstance(found, Block):
        return found.givens
    return found.found.givens[None] if isinstance(found.found, Puzzle) else np.empty((0, board.n_cells), np.uint8)


def _seconds_for_each(board: Geometry, question: Question) -> float | None:
    """Return after how many seconds a puzzle is given up; what is compiled is loaded here."""
    from sudoku_encode import search
    from sudoku_encode.methods.auto import first_seconds

    seconds = question.limits.seconds
    if question.method == "search":
        kernels.require(question.method)
    elif search.missing_for_batch(board):
        return seconds
    # What it loads here, processes made from this one need not load.
    first = first_seconds(board)
    if question.method == "search":
        return seconds
    return first if seconds is None else min(first, seconds)


def _solved(
    board: Geometry, givens: Grids, question: Question, seconds: float | None, sat_ends: float
) -> "Batch | None":
    """Return the answers for some puzzles, each of which is given up after some seconds.

    With a limit on memory they are found in a process of its own; None where that was ended.
    """
    from sudoku_encode.methods.batches import Batch, solve_batches

    limit = 1 if question.solve else question.limits.solutions or _ALL_SOLUTIONS
    work = partial(solve_batches, board, givens, limit, question.method, seconds, sat_ends, question.processes)
    if question.limits.memory is None:
        return Batch.joined(list(work()), board)
    try:
        return Batch.joined(list(stream(work, lambda: None, question.limits.memory)), board)
    except Stopped:
        return None


def _answered(
    located: Located, found: "Batch", seconds: float, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for a block, or for an entry; a puzzle that was given up is asked again, if that may help."""
    if isinstance(located.found, Entry):
        if not isinstance(located.found.found, Puzzle):
            yield Answer(located, None)
        elif found.given_up[0]:
            yield from _asked_again(located, int(found.counts[0]), question, on_event)
        else:
            count = known_count(int(found.counts[0]), question.limit)
            yield Answer(located, count, found.grids[0] if count.value else None, found.method, seconds)
        return
    start = 0
    for end in [*np.flatnonzero(found.given_up).tolist(), len(located.found)]:
        if start < end:
            some, block = found.part(start, end), located.found.part(start, end)
            here = Located(located.number + start, located.source, block)
            yield BlockAnswer(here, some.counts, some.grids, question.limit, found.method, seconds)
        if end < len(located.found):
            (entry,) = located.found.part(end, end + 1).entries()
            here = Located(located.number + end, located.source, entry)
            yield from _asked_again(here, int(found.counts[end]), question, on_event)
        start = end + 1


def _asked_again(located: Located, found: int, question: Question, on_event: OnEvent) -> Iterator[Answer]:
    """Yield the answer for a puzzle that was given up after some solutions were found."""
    limits = question.limits
    if question.method == "auto" and (limits.seconds is None or limits.seconds > _GIVEN_UP_SECONDS):
        yield from _one_by_one([located], question, on_event)
    else:
        yield Answer(located, Count(found, False, "time limit"), None, question.method, limits.seconds or 0.0)
