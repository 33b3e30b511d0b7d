"""Answer many puzzles, in their order: in batches where `search` or one solver answers, else one by one.

`answers` gets from a `BatchQuestion` to results, each a `PuzzleAnswer` or a `BatchAnswer`.
"""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_encode.errors import INTERRUPTED, TIME_LIMIT, FormatError, InterruptedRunError, StoppedError, solution_limit
from sudoku_encode.formats.entries import Entry, PuzzleBatch, SourceItem
from sudoku_encode.methods import limited_calls
from sudoku_encode.methods.check_results import (
    GivensBatch,
    givens_batch,
    givens_of,
    growing_batches,
    n_puzzles,
    take_up_to,
)
from sudoku_encode.methods.limited_calls import load_for_many
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO, QUICK_CANDIDATES
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import machine
from sudoku_encode.run.asking import Numbered, OnEvent
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import Count, Floor
from sudoku_encode.run.each import BATCH_ITEMS, each, one_by_one
from sudoku_encode.run.each_here import Task
from sudoku_encode.run.events import observing
from sudoku_encode.run.limits import MAX_SOLUTIONS, Limits
from sudoku_encode.run.pools import ONE, Pool
from sudoku_encode.storage.outputs import PartsFile
from sudoku_encode.storage.part_journal import read_header

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import BatchResult


# Requests and results.


class BatchQuestion(NamedTuple):
    """A request about each of many puzzles: count its solutions, or find one.

    Attributes:
        method: a key of METHODS.
        limits: for each puzzle; solutions are counted up to the limit on solutions.
        options: of the method.
        solve: whether to find one solution instead of counting them.
        pool: where the work is done, and how many puzzles are worked on at a time.
        parts_file: saves the counts of the parts of a puzzle that is counted in parts.
        stats: whether the figures of the solver are wanted for each puzzle, so that each gets a solver of its own.
    """

    method: str
    limits: Limits
    options: Options
    solve: bool = False
    pool: Pool = ONE
    parts_file: PartsFile | None = None
    stats: bool = False

    @property
    def limit(self) -> int | None:
        """The limit on solutions, when counting; None when solving or without a limit."""
        return None if self.solve else self.limits.solutions

    @property
    def in_parts(self) -> bool:
        """Whether a puzzle that takes `search` long is counted in parts."""
        return not self.pool.is_here and not self.solve and self.limit is None

    def solved_by_one_solver(self, board: Geometry) -> bool:
        """Return whether one solver solves many puzzles on a board, so that their answers come together.

        Not on larger boards, so that no answer waits for others; nor with a time limit, which holds for each puzzle.
        """
        from sudoku_encode.methods.one_solution import can_solve_many

        quick = self.limits.seconds is None and board.n_cells * board.n_values <= QUICK_CANDIDATES
        return self.solve and quick and not self.stats and can_solve_many(board, self.method, self.options)

    def answered_in_batches(self, board: Geometry) -> bool:
        """Return whether many puzzles on a board are answered at once, by `search` or one solver."""
        # Imported here and not for a single puzzle: it takes as long to load as that may take to solve.
        from sudoku_encode import search

        named = self.method in ("auto", "search") and self.options == Options()
        return (named and not search.unsupported_reason(board)) or self.solved_by_one_solver(board)


@dataclass(frozen=True, eq=False)
class PuzzleAnswer:
    """The answer for one puzzle.

    Attributes:
        located: the entry that was read.
        count: the number of solutions; when solving, 1 or 0. None if the entry is not a puzzle but an error.
        grid: a solution (n_cells,), if one was requested and found.
        method: the method that answered.
        seconds: how long it took.
    """

    located: SourceItem
    count: Count | None
    grid: Grids | None = None
    method: str = ""
    seconds: float = 0.0

    @property
    def entry(self) -> Entry:
        """The puzzle, or the error of reading it."""
        return self.located.entry


class BatchAnswer(NamedTuple):
    """The answers for consecutive puzzles on one board.

    Attributes:
        located: the block that was read.
        counts: int64 (m,), the number of solutions of each, up to the limit.
        grids: uint8 (m, n_cells), a solution of each; zeros if there are no solutions.
        limit: solutions were counted up to this number; None when solving, or if all were counted.
        method: the method that answered.
        seconds: how long one puzzle took, on average.
    """

    located: SourceItem
    counts: Int64s
    grids: Grids
    limit: int | None
    method: str
    seconds: float

    @property
    def block(self) -> PuzzleBatch:
        """The puzzles."""
        assert isinstance(self.located.item, PuzzleBatch)
        return self.located.item

    def count_of(self, value: int) -> Count:
        """Return the count of a puzzle with this many solutions in `counts`."""
        return count_up_to(value, self.limit)

    def puzzle(self, row: int) -> Puzzle:
        """Return one of the puzzles."""
        return Puzzle(self.block.board, self.block.givens[row])


def count_up_to(value: int, limit: int | None) -> Count:
    """Return the count of a puzzle whose solutions were counted up to a limit."""
    return Count(value, True) if limit is None or value < limit else Count(value, False, solution_limit(limit))


# Answering.

# How many puzzles are answered at a time: few at first, and then as many as take about this long.
_FIRST_PUZZLES, _MOST_PUZZLES, _WANTED_SECONDS = 64, 8192, 0.1
# At most this many by a SAT or CP solver, where each puzzle takes longer, and in a batch that is sent to an executor.
_MOST_BY_SOLVER_PUZZLES = _MOST_ELSEWHERE_PUZZLES = 1024
# A puzzle that was given up within a limit of this many seconds is not tried again: `auto` never gives up sooner, and
# what can be counted in parts never gives up later.
_GIVEN_UP_SECONDS = 1.0
# Without a limit solutions are counted up to this number.
_ALL_SOLUTIONS = MAX_SOLUTIONS


def answers(
    located: Iterator[SourceItem], question: BatchQuestion, on_event: OnEvent
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield an answer for each entry or block, in their order; entries that are not puzzles included.

    Args:
        located: the entries and blocks that were read.
        question: the request about each puzzle.
        on_event: called with a puzzle and its events, if the puzzle is answered by itself.
    """
    head = list(islice(located, 2))
    many = len(head) > 1 or any(isinstance(one.item, PuzzleBatch) and len(one.item) > 1 for one in head)
    located = chain(head, located)
    if not many:
        yield from _alone(located, question, on_event)
        return
    for board, run in groupby(located, _BoardOfBatch(question)):
        if board is None:
            yield from _one_by_one(run, question, on_event)
        elif question.solved_by_one_solver(board):
            yield from _by_one_solver(run, board, question, on_event)
        elif not question.pool.is_here:
            yield from _on_executor(run, board, question, on_event)
        else:
            yield from _on_all_cores(run, board, question, on_event)


class _BoardOfBatch:
    """Returns the board of an entry that is answered in a batch; None for a puzzle that is answered by itself.

    An entry that is not a puzzle gets the board of the entry before it, so that it does not end a batch.
    """

    def __init__(self, question: BatchQuestion) -> None:
        self.question = question
        self.board: Geometry | None = None

    def __call__(self, located: SourceItem) -> Geometry | None:
        item = located.item.content if isinstance(located.item, Entry) else located.item
        if isinstance(item, FormatError):
            return self.board
        board = item.board if isinstance(item, PuzzleBatch) else item.geometry
        plain = isinstance(item, PuzzleBatch) or item.has_givens_alone
        self.board = board if plain and self.question.answered_in_batches(board) else None
        return self.board


def _alone(located: Iterator[SourceItem], question: BatchQuestion, on_event: OnEvent) -> Iterator[PuzzleAnswer]:
    """Yield the answer for the only puzzle, if there is one: without another process if `auto` finds it soon."""
    for item in chain.from_iterable(one.singles() for one in located):
        puzzle, limits = item.entry.content, question.limits
        is_begun = question.parts_file is not None and question.parts_file.is_there
        if isinstance(puzzle, Puzzle) and question.method == AUTO and question.pool.is_here and not is_begun:
            begun = time.monotonic()
            try:
                with observing(partial(on_event, (item.number, puzzle))):
                    turn, limits = limited_calls.first_turn(puzzle, limits, question.options, solve=question.solve)
            except KeyboardInterrupt:
                yield PuzzleAnswer(item, Count(0, False, INTERRUPTED), None, AUTO, time.monotonic() - begun)
                raise
            if turn is not None:
                grid = turn.batches[0][0] if question.solve and turn.batches else None
                counted = Count(len(turn.batches), True) if question.solve else turn.counted
                yield PuzzleAnswer(item, counted, grid, AUTO, time.monotonic() - begun)
                continue
        yield from _one_by_one([item], question._replace(limits=limits), on_event)


def _one_by_one(located: Iterable[SourceItem], question: BatchQuestion, on_event: OnEvent) -> Iterator[PuzzleAnswer]:
    """Yield the answers for puzzles that are answered one after the other."""
    waiting: deque[SourceItem] = deque()

    def puzzles() -> Iterator[Numbered]:
        for item in located:
            for entry in item.singles():
                waiting.append(entry)
                if isinstance(entry.item, Entry) and isinstance(entry.item.content, Puzzle):
                    yield entry.number, entry.item.content

    for number, count, grid, seconds in _count_or_solve(puzzles(), question, on_event):
        while waiting[0].number < number:
            yield PuzzleAnswer(waiting.popleft(), None)
        yield PuzzleAnswer(waiting.popleft(), count, grid, question.method, seconds)
    for item in waiting:
        yield PuzzleAnswer(item, None)


def _count_or_solve(
    puzzles: Iterator[Numbered], question: BatchQuestion, on_event: OnEvent
) -> Iterator[tuple[int, Count, Grids | None, float]]:
    """Yield the number of each puzzle, its count, a solution if one was requested, and the seconds."""
    method, limits, options = question.method, question.limits, question.options
    if not question.solve:
        counted = limited_calls.count_each(
            puzzles, method, limits, options, on_event, question.pool, question.parts_file
        )
        for (number, _), count, seconds in counted:
            yield number, count, None, seconds
        return
    solved = limited_calls.solve_each(puzzles, method, limits, options, question.pool, on_event, alone=question.stats)
    for (number, _), solution, seconds in solved:
        if isinstance(solution, StoppedError):
            yield number, Count(0, False, solution.reason), None, seconds
        else:
            yield number, Count(int(solution is not None), True), solution, seconds


def _on_all_cores(
    located: Iterator[SourceItem], board: Geometry, question: BatchQuestion, on_event: OnEvent
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for puzzles on one board, many at a time."""
    from sudoku_encode.methods.batches import SAT_SECONDS, seconds_for_each

    size, rest, sat_ends = _FIRST_PUZZLES, deque[SourceItem](), time.monotonic() + SAT_SECONDS
    while items := take_up_to(located, rest, size):
        givens = np.concatenate([givens_of(item, board) for item in items])
        seconds_each = seconds_for_each(board, question.method, question.limits.seconds)
        begun = time.monotonic()
        result = _solved(board, givens, question, seconds_each, sat_ends)
        seconds = time.monotonic() - begun
        if result is None:
            yield from _one_by_one(items, question, on_event)
            continue
        size = min(_MOST_PUZZLES, 2 * size) if seconds < _WANTED_SECONDS else max(_FIRST_PUZZLES, size // 2)
        yield from _answers_for(items, result, seconds, question, on_event)


def _by_one_solver(
    located: Iterator[SourceItem], board: Geometry, question: BatchQuestion, on_event: OnEvent
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for puzzles on one board that one solver solves, many at a time, in processes of their own."""
    from sudoku_encode.methods.batches import solve_batch
    from sudoku_encode.methods.one_solution import solve_many, solver_of_many

    batches = growing_batches(located, _FIRST_PUZZLES, _MOST_BY_SOLVER_PUZZLES)
    first_batch = next(batches)
    if sum(map(n_puzzles, first_batch)) < 2:
        yield from _one_by_one(first_batch, question, on_event)
        return
    with ExitStack() as solvers:
        if question.pool.is_here and machine.start_method() == machine.FORK:
            # Processes forked from this one inherit the solver.
            solve = solvers.enter_context(solver_of_many(board, question.method, question.options))
        else:
            solve = partial(solve_many, board, question.method, question.options)
        task = partial(one_by_one, partial(solve_batch, solve, question.method))
        # A process for each batch, so that the solution that is found does not depend on earlier batches.
        yield from _in_processes(chain([first_batch], batches), board, question, on_event, task, batch_items=1)


def _on_executor(
    located: Iterator[SourceItem], board: Geometry, question: BatchQuestion, on_event: OnEvent
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for puzzles on one board that `search` answers at an executor, many at a time."""
    from sudoku_encode.methods.batches import search_batch

    limit = 1 if question.solve else question.limits.solutions or _ALL_SOLUTIONS
    seconds = question.limits.seconds
    if question.in_parts and (seconds is None or seconds > _GIVEN_UP_SECONDS):
        seconds = _GIVEN_UP_SECONDS
    task = partial(one_by_one, partial(search_batch, board, limit, question.method, seconds))
    batches = growing_batches(located, _FIRST_PUZZLES, _MOST_ELSEWHERE_PUZZLES)
    yield from _in_processes(batches, board, question, on_event, task)


def _in_processes(
    batches: Iterator[list[SourceItem]],
    board: Geometry,
    question: BatchQuestion,
    on_event: OnEvent,
    task: "Task[GivensBatch, BatchResult]",
    batch_items: int = BATCH_ITEMS,
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for batches, which a task answers in other processes."""
    # Imported here, since most questions do without it.
    from sudoku_encode.methods.batches import BatchResult, batch_fault

    sent = deque[list[SourceItem]]()

    def puzzle_batches() -> "Iterator[GivensBatch]":
        for items in batches:
            sent.append(items)
            yield givens_batch(items, board)

    limits = Limits(memory=question.limits.memory)
    results = each(
        task,
        puzzle_batches(),
        limits,
        pool=question.pool,
        chunk=batch_items,
        load=partial(load_for_many, board, question.method),
        types=(BatchResult,),
        usable=partial(batch_fault, board),
    )
    for _, result, seconds in results:
        items = sent.popleft()
        if isinstance(result, InterruptedRunError):
            entry = next(items[0].singles())
            yield PuzzleAnswer(entry, Count(0, False, str(result)), None, question.method, seconds)
        elif isinstance(result, StoppedError):
            # Only one of the puzzles ended the process: the others have answers.
            yield from _one_by_one(items, question, on_event)
        else:
            yield from _answers_for(items, result, seconds, question, on_event)


def _answers_for(
    items: list[SourceItem], result: "BatchResult", seconds: float, question: BatchQuestion, on_event: OnEvent
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for the entries of a batch that took some seconds."""
    start, each_took = 0, seconds / max(1, len(result.counts))
    # Workers get all puzzles that were given up together; here all cores work on one of them at a time.
    again = None if question.pool.is_here else _one_by_one(_given_up(items, result), question, on_event)
    for item in items:
        end = start + n_puzzles(item)
        yield from _split_result(item, result.part(start, end), each_took, question, on_event, again)
        start = end


def _given_up(items: list[SourceItem], result: "BatchResult") -> Iterator[SourceItem]:
    """Yield the puzzles that were given up."""
    entries = (entry for item in items for entry in item.singles() if n_puzzles(entry))
    return (entry for entry, is_given_up in zip(entries, result.given_up, strict=True) if is_given_up)


def _solved(
    board: Geometry, givens: Grids, question: BatchQuestion, seconds: float | None, sat_ends: float
) -> "BatchResult | None":
    """Return the answers for some puzzles, each given up after some seconds; None if its limited process was ended."""
    from sudoku_encode.methods.batches import BatchResult, solve_batches

    limit = 1 if question.solve else question.limits.solutions or _ALL_SOLUTIONS
    work = partial(solve_batches, board, givens, limit, question.method, seconds, sat_ends, question.pool.size)
    if question.limits.memory is None:
        return BatchResult.joined(list(work()), board)
    try:
        return BatchResult.joined(list(stream(work, lambda: None, question.limits.memory)), board)
    except StoppedError:
        return None


def _split_result(
    located: SourceItem,
    result: "BatchResult",
    seconds: float,
    question: BatchQuestion,
    on_event: OnEvent,
    again: Iterator[PuzzleAnswer] | None,
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers for a block, or for an entry; try a puzzle that was given up again, if that may help."""
    if isinstance(located.item, Entry):
        if not isinstance(located.item.content, Puzzle):
            yield PuzzleAnswer(located, None)
        elif result.given_up[0]:
            yield from _repeat(located, int(result.counts[0]), question, on_event, again)
        else:
            count = count_up_to(int(result.counts[0]), question.limit)
            yield PuzzleAnswer(located, count, result.grids[0] if count.value else None, result.method, seconds)
        return
    start = 0
    for end in [*np.flatnonzero(result.given_up).tolist(), len(located.item)]:
        if start < end:
            rows, block = result.part(start, end), located.item.part(start, end)
            segment = SourceItem(located.number + start, located.source, block)
            yield BatchAnswer(segment, rows.counts, rows.grids, question.limit, result.method, seconds)
        if end < len(located.item):
            (entry,) = located.item.part(end, end + 1).entries()
            segment = SourceItem(located.number + end, located.source, entry)
            yield from _repeat(segment, int(result.counts[end]), question, on_event, again)
        start = end + 1


def _repeat(
    located: SourceItem, value: int, question: BatchQuestion, on_event: OnEvent, again: Iterator[PuzzleAnswer] | None
) -> Iterator[PuzzleAnswer]:
    """Yield the answer for a puzzle that was given up after some solutions were found."""
    limits, may_help = question.limits, question.method == "auto" or question.in_parts
    is_begun = read_header(question.parts_file).get("puzzle") == located.number
    if is_begun or (may_help and (limits.seconds is None or limits.seconds > _GIVEN_UP_SECONDS)):
        for answer in _one_by_one([located], question, on_event) if again is None else islice(again, 1):
            count = answer.count
            yield answer if count is None or question.solve else replace(answer, count=Floor(value).under(count))
    else:
        yield PuzzleAnswer(located, Count(value, False, TIME_LIMIT), None, question.method, limits.seconds or 0.0)
