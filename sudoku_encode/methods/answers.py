"""Answers for what was read, in its order: for many puzzles at once where `search` answers, else one by one."""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import FormatError, InterruptedRunError, StoppedError
from sudoku_encode.formats.entries import Block, Entry, Located
from sudoku_encode.methods import asking
from sudoku_encode.methods.asking import Numbered, OnEvent, load_for_many
from sudoku_encode.methods.pieces import Piece, givens_of, piece_of, pieces_of, size_of, taken
from sudoku_encode.methods.question import Answer, BlockAnswer, Question, known_count
from sudoku_encode.methods.returned import wrong_batch
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import starting
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import Count, Floor
from sudoku_encode.run.each import CHUNK_ITEMS, each, one_by_one
from sudoku_encode.run.each_here import Task
from sudoku_encode.run.limits import MAX_SOLUTIONS, Limits
from sudoku_encode.storage.part_journal import header_of

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import Batch

# How many puzzles are answered at a time: few at first, and then as many as take about this long.
_FIRST_PUZZLES, _MOST_PUZZLES, _WANTED_SECONDS = 64, 8192, 0.1
# And by a SAT or CP solver, each of which takes longer, or in a piece that is sent to an executor, at most as many.
_MOST_BY_SOLVER_PUZZLES = _MOST_ELSEWHERE_PUZZLES = 1024
# A puzzle that was given up within a limit of this many seconds is not asked again: `auto` gives up no sooner, and
# later nothing does that can be counted in parts.
_GIVEN_UP_SECONDS = 1.0
# Without a limit solutions are counted up to this number.
_ALL_SOLUTIONS = MAX_SOLUTIONS


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
        elif not question.pool.is_here:
            yield from _elsewhere(run, board, question, on_event)
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
        plain = isinstance(found, Block) or found.has_givens_alone
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
        counted = asking.count_each(puzzles, method, limits, options, on_event, question.pool, question.parts_file)
        for (number, _), count, seconds in counted:
            yield number, count, None, seconds
        return
    for (number, _), found, seconds in asking.first_of_each(puzzles, method, limits, options, question.pool):
        if isinstance(found, StoppedError):
            yield number, Count(0, False, str(found)), None, seconds
        else:
            yield number, Count(int(found is not None), True), found, seconds


def _in_batches(
    located: Iterator[Located], board: Geometry, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for puzzles on one board, many at a time."""
    from sudoku_encode.methods.batches import SAT_SECONDS, seconds_for_each

    size, rest, sat_ends = _FIRST_PUZZLES, deque[Located](), time.monotonic() + SAT_SECONDS
    while some := taken(located, rest, size):
        givens = np.concatenate([givens_of(one, board) for one in some])
        seconds_each = seconds_for_each(board, question.method, question.limits.seconds)
        begun = time.monotonic()
        found = _solved(board, givens, question, seconds_each, sat_ends)
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
    from sudoku_encode.methods.batches import solved_piece
    from sudoku_encode.methods.many import solve_many, solver_of_many

    pieces = pieces_of(located, _FIRST_PUZZLES, _MOST_BY_SOLVER_PUZZLES)
    first_piece = next(pieces)
    if sum(map(size_of, first_piece)) < 2:
        yield from _one_by_one(first_piece, question, on_event)
        return
    with ExitStack() as made:
        if question.pool.is_here and starting.start_method() == starting.FORK:
            # What it has made already, processes forked from this one have.
            solve = made.enter_context(solver_of_many(board, question.method, question.options))
        else:
            solve = partial(solve_many, board, question.method, question.options)
        task = partial(one_by_one, partial(solved_piece, solve, question.method))
        # A process for each piece: which of several solutions is found depends on nothing that was solved before.
        yield from _in_pieces(chain([first_piece], pieces), board, question, on_event, task, chunk=1)


def _elsewhere(
    located: Iterator[Located], board: Geometry, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for puzzles on one board that `search` answers at an executor, many at a time."""
    from sudoku_encode.methods.batches import searched_piece

    limit = 1 if question.solve else question.limits.solutions or _ALL_SOLUTIONS
    seconds = question.limits.seconds
    if question.in_parts and (seconds is None or seconds > _GIVEN_UP_SECONDS):
        seconds = _GIVEN_UP_SECONDS
    task = partial(one_by_one, partial(searched_piece, board, limit, question.method, seconds))
    pieces = pieces_of(located, _FIRST_PUZZLES, _MOST_ELSEWHERE_PUZZLES)
    yield from _in_pieces(pieces, board, question, on_event, task)


def _in_pieces(
    pieces: Iterator[list[Located]],
    board: Geometry,
    question: Question,
    on_event: OnEvent,
    task: "Task[Piece, Batch]",
    chunk: int = CHUNK_ITEMS,
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for pieces, which a task answers in other processes."""
    # Imported here, since most questions do without it.
    from sudoku_encode.methods.batches import Batch

    read = deque[list[Located]]()

    def items() -> "Iterator[Piece]":
        for some in pieces:
            read.append(some)
            yield piece_of(some, board)

    limits = Limits(memory=question.limits.memory)
    answered = each(
        *(task, items(), limits),
        pool=question.pool,
        chunk=chunk,
        load=partial(load_for_many, board, question.method),
        types=(Batch,),
        usable=partial(wrong_batch, board),
    )
    for _, found, seconds in answered:
        some = read.popleft()
        if isinstance(found, InterruptedRunError):
            entry = next(some[0].singles())
            yield Answer(entry, Count(0, False, str(found)), None, question.method, seconds)
        elif isinstance(found, StoppedError):
            # What ended the process is the answer of one puzzle only.
            yield from _one_by_one(some, question, on_event)
        else:
            yield from _parts(some, found, seconds, question, on_event)


def _parts(
    some: list[Located], found: "Batch", seconds: float, question: Question, on_event: OnEvent
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for what was read, of a batch that took some seconds."""
    start, each_took = 0, seconds / max(1, len(found.counts))
    # Workers are asked for all that were given up together; here all cores work on one of them at a time.
    again = None if question.pool.is_here else _one_by_one(_given_up(some, found), question, on_event)
    for one in some:
        end = start + size_of(one)
        yield from _answered(one, found.part(start, end), each_took, question, on_event, again)
        start = end


def _given_up(some: list[Located], found: "Batch") -> Iterator[Located]:
    """Yield the puzzles that were given up."""
    entries = (entry for one in some for entry in one.singles() if size_of(entry))
    return (entry for entry, is_given_up in zip(entries, found.given_up, strict=True) if is_given_up)


def _solved(
    board: Geometry, givens: Grids, question: Question, seconds: float | None, sat_ends: float
) -> "Batch | None":
    """Return the answers for some puzzles, each of which is given up after some seconds.

    With a limit on memory they are found in a process of its own; None where that was ended.
    """
    from sudoku_encode.methods.batches import Batch, solve_batches

    limit = 1 if question.solve else question.limits.solutions or _ALL_SOLUTIONS
    work = partial(solve_batches, board, givens, limit, question.method, seconds, sat_ends, question.pool.size)
    if question.limits.memory is None:
        return Batch.joined(list(work()), board)
    try:
        return Batch.joined(list(stream(work, lambda: None, question.limits.memory)), board)
    except StoppedError:
        return None


def _answered(
    located: Located,
    found: "Batch",
    seconds: float,
    question: Question,
    on_event: OnEvent,
    again: Iterator[Answer] | None,
) -> Iterator[Answer | BlockAnswer]:
    """Yield the answers for a block, or for an entry; a puzzle that was given up is asked again, if that may help."""
    if isinstance(located.found, Entry):
        if not isinstance(located.found.found, Puzzle):
            yield Answer(located, None)
        elif found.given_up[0]:
            yield from _asked_again(located, int(found.counts[0]), question, on_event, again)
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
            yield from _asked_again(here, int(found.counts[end]), question, on_event, again)
        start = end + 1


def _asked_again(
    located: Located, found: int, question: Question, on_event: OnEvent, again: Iterator[Answer] | None
) -> Iterator[Answer]:
    """Yield the answer for a puzzle that was given up after some solutions were found."""
    limits, may_help = question.limits, question.method == "auto" or question.in_parts
    is_begun = header_of(question.parts_file).get("puzzle") == located.number
    if is_begun or (may_help and (limits.seconds is None or limits.seconds > _GIVEN_UP_SECONDS)):
        for answer in _one_by_one([located], question, on_event) if again is None else islice(again, 1):
            count = answer.count
            yield answer if count is None or question.solve else replace(answer, count=Floor(found).under(count))
    else:
        yield Answer(located, Count(found, False, "time limit"), None, question.method, limits.seconds or 0.0)
