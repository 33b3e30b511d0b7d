"""Questions about many puzzles in one call, at the speed of the commands: answers come in the order of the puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, groupby
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from sudoku_encode.api.arguments import (
    NO_LIMITS,
    NO_OPTIONS,
    HintNames,
    LimitNames,
    MethodNames,
    RateNames,
    SampleNames,
    check_arguments,
    iterate_on,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import FormatError, GeometryError, StoppedError, short
from sudoku_encode.formats import bulk
from sudoku_encode.formats.entries import Entry, ParsedItem, PuzzleBatch, SourceItem, n_puzzles
from sudoku_encode.methods.answers import BatchAnswer, BatchQuestion, PuzzleAnswer, answers, count_up_to
from sudoku_encode.methods.calls import find_method
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import CheckQuestion, Verdict
from sudoku_encode.questions.hinting import HintQuestion, SolvePath
from sudoku_encode.questions.rating import RateQuestion, Rating
from sudoku_encode.questions.sampling import SampleQuestion, Samples
from sudoku_encode.questions.table import COPIES, FIGURES
from sudoku_encode.questions.techniques.table import choose_techniques
from sudoku_encode.questions.true_candidates import CandidatesQuestion, TrueCandidates
from sudoku_encode.run.asking import Question, ask_each
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.machine import cores
from sudoku_encode.run.pools import ExecutorLike, Pool

if TYPE_CHECKING:
    from sudoku_encode.run.asking import Numbered

R = TypeVar("R")
# Texts of one symbol a cell are read together, this many at a time.
_TEXTS = 4096
# The boards of such texts, where the caller names none.
_BOARD_OF_LENGTH = {16: "4x4", 81: "9x9", 256: "16x16"}


@check_arguments
def count_all(
    puzzles: Iterable[PuzzleLike] | Any,
    method: str = "auto",
    *,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> Iterator[Count | FormatError]:
    """Yield the number of solutions of each puzzle, in order.

    An entry that is not a puzzle yields its error.

    Args:
        puzzles: an iterable of puzzles in the forms that `count` takes; an
            array of values (m, n_cells); or a column of a table, such as a
            Series of pandas or polars.
        method: a key of METHODS.
        limits: on solutions, time and memory, for each puzzle.
        options: settings of the method.
        executor: where to count: an Executor, a text such as `processes:8`, or
            a function that makes one. By default on all cores of this machine.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        SudokuError: the method does not support a puzzle.

    >>> list(count_all(["1...............", "1234341221434321", "what?"], board="4x4", limit=2))[:2]
    [Count(value=2, complete=False, stopped='limit of 2'), Count(value=1, complete=True, stopped='')]
    """
    find_method(method)
    question = partial(BatchQuestion, method, limits, options, False)
    for answer in _answers(puzzles, question, executor, board, rules):
        if isinstance(answer, BatchAnswer):
            yield from (count_up_to(value, answer.limit) for value in answer.counts.tolist())
        else:
            yield answer.entry.content if isinstance(answer.entry.content, FormatError) else _count_of(answer)


@check_arguments
def solve_all(
    puzzles: Iterable[PuzzleLike] | Any,
    method: str = "auto",
    *,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> Iterator[Grid | StoppedError | FormatError | None]:
    """Yield a solution of each puzzle, or None, in order.

    A puzzle that provably has no solution yields None. If that is not known, or
    an entry is not a puzzle, it yields the error.

    Args:
        puzzles: as for `count_all`.
        method: a key of METHODS.
        limits: on time and memory, for each puzzle.
        options: settings of the method.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: the method does not support a puzzle.

    >>> [str(grid) for grid in solve_all(["1234341221434...", "1234341221434...", "11.............."], board="4x4")]
    ['1234341221434321', '1234341221434321', 'None']
    """
    find_method(method)
    question = partial(BatchQuestion, method, limits.without_solutions("solve_all"), options, True)
    for answer in _answers(puzzles, question, executor, board, rules):
        if isinstance(answer, BatchAnswer):
            geometry = answer.block.board
            rows = zip(answer.counts.tolist(), answer.grids, strict=True)
            yield from (Grid(geometry, grid) if has_solution else None for has_solution, grid in rows)
            continue
        puzzle = answer.entry.content
        if isinstance(puzzle, FormatError):
            yield puzzle
        elif answer.grid is not None:
            yield Grid(puzzle.geometry, answer.grid)
        else:
            counted = _count_of(answer)
            yield None if counted.complete else StoppedError(counted.stopped)


@check_arguments
def check_all(
    puzzles: Iterable[PuzzleLike] | Any,
    *,
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Iterator[Verdict | StoppedError | FormatError]:
    """Yield the verdict of `check` about each puzzle, in order.

    An entry that is not a puzzle yields its error.

    Args:
        puzzles: as for `count_all`.
        limits: on time and memory, for each puzzle.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: not an executor.

    >>> [type(verdict).__name__ for verdict in check_all(["1234341221434...", 16 * "."], board="4x4")]
    ['Unique', 'Several']
    """
    return _ask_all(CheckQuestion(), puzzles, limits.without_solutions("check_all"), executor, board, rules)


@check_arguments
def candidates_all(
    puzzles: Iterable[PuzzleLike] | Any,
    method: str = "auto",
    *,
    counts: bool = False,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> Iterator[TrueCandidates | StoppedError | FormatError]:
    """Yield the true candidates of each puzzle, in order; see `candidates`.

    An entry that is not a puzzle, or was stopped, yields its error.

    Args:
        puzzles: as for `count_all`.
        method: as for `candidates`.
        counts: as for `candidates`.
        limits: on time and memory, for each puzzle.
        options: settings of the method.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: the method does not support a puzzle.

    >>> [found.values(13) for found in candidates_all(["1234341221434..."], board="4x4")]
    [[3]]
    """
    question = CandidatesQuestion(method, options, counts)
    return _ask_all(question, puzzles, limits.without_solutions("candidates_all"), executor, board, rules)


@check_arguments
def sample_all(
    puzzles: Iterable[PuzzleLike] | Any,
    many: int = 1,
    *,
    seed: int = 0,
    method: str = "auto",
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[SampleNames],
) -> Iterator[Samples | StoppedError | FormatError]:
    """Yield random solutions of each puzzle, in order; see `sample`.

    An entry that is not a puzzle, or was stopped, yields its error.

    Args:
        puzzles: as for `count_all`.
        many: the number of solutions of each puzzle.
        seed: the seed of the first puzzle; each further puzzle uses the next.
        method: as for `sample`.
        limits: on time and memory, for each puzzle.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        MethodError: no such method, or the number or the seed is out of range.

    >>> [len(drawn.grids) for drawn in sample_all(["1" + 15 * ".", 16 * "."], 3, board="4x4")]
    [3, 3]
    """
    question = SampleQuestion(many, seed, method)
    return _ask_all(question, puzzles, limits.without_solutions("sample_all"), executor, board, rules)


@check_arguments
def hints_all(
    puzzles: Iterable[PuzzleLike] | Any,
    *,
    techniques: Iterable[str] | None = None,
    assume_unique: bool = False,
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[HintNames],
) -> Iterator[SolvePath | StoppedError | FormatError]:
    """Yield the steps to solve each puzzle by hand, in order; see `hints`.

    An entry that is not a puzzle, or was stopped, yields its error.

    Args:
        puzzles: as for `count_all`.
        techniques: as for `hint`.
        assume_unique: as for `hint`.
        limits: on time and memory, for each puzzle.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: no such technique.

    >>> [path.ended for path in hints_all(["1234341221434...", "1..............."], board="4x4")]
    ['solved', 'stuck']
    """
    rows = choose_techniques(None if techniques is None else list(techniques), assume_unique)
    within = limits.without_solutions("hints_all")
    return _ask_all(HintQuestion(tuple(rows)), puzzles, within, executor, board, rules)


@check_arguments
def rate_all(
    puzzles: Iterable[PuzzleLike] | Any,
    *,
    figures: Iterable[str] | None = None,
    copies: int = COPIES,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[RateNames],
) -> Iterator[Rating | StoppedError | FormatError]:
    """Yield the figures of difficulty of each puzzle, in order; see `rate`.

    An entry that is not a puzzle, or was stopped, yields its error.

    Args:
        puzzles: as for `count_all`.
        figures: as for `rate`.
        copies: as for `rate`.
        seed: as for `rate`.
        limits: on time and memory, for each puzzle.
        executor: as for `count_all`.
        board: the board of all puzzles, if they do not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: no such figure.

    >>> [rating.status for rating in rate_all(["1234341221434..."], figures=["nodes"], copies=3, board="4x4")]
    ['unique']
    """
    question = RateQuestion(tuple(FIGURES) if figures is None else tuple(figures), copies, seed)
    return _ask_all(question, puzzles, limits.without_solutions("rate_all"), executor, board, rules)


def _ask_all(
    question: Question[R],
    puzzles: Any,
    limits: Limits,
    executor: ExecutorLike | None,
    board: str | Geometry | None,
    rules: Iterable[str] | None,
) -> Iterator[R | StoppedError | FormatError]:
    """Yield the value of the answer for each puzzle, or the error in its place."""
    items = chain.from_iterable(item.singles() for item in _items(puzzles, board, rules))

    def values(pool: Pool) -> Iterator[R | StoppedError | FormatError]:
        waiting: dict[int, FormatError] = {}
        following = 1

        def numbered() -> Iterator[Numbered]:
            for item in items:
                if isinstance(item.entry.content, FormatError):
                    waiting[item.number] = item.entry.content
                else:
                    yield item.number, item.entry.content

        for (number, _), answer in ask_each(question, numbered(), limits, pool):
            while following < number:
                yield waiting.pop(following)
                following += 1
            yield StoppedError(answer.stopped) if answer.value is None else answer.value
            following += 1
        yield from waiting.values()

    return iterate_on(executor, values, cores())


def _answers(
    puzzles: Any,
    question: Callable[[Pool], BatchQuestion],
    executor: ExecutorLike | None,
    board: str | Geometry | None,
    rules: Iterable[str] | None,
) -> Iterator[PuzzleAnswer | BatchAnswer]:
    """Yield the answers to a question, which is asked in a pool, about some puzzles."""
    items = _items(puzzles, board, rules)
    yield from iterate_on(executor, lambda pool: answers(items, question(pool), lambda item, event: None), cores())


def _count_of(answer: PuzzleAnswer) -> Count:
    assert answer.count is not None
    return answer.count


# Puzzles in any form.


def _items(puzzles: Any, board: str | Geometry | None, rules: Iterable[str] | None) -> Iterator[SourceItem]:
    """Yield puzzles with their numbers, many at a time where they are plain texts or rows of an array."""
    number = 1
    for item in _parsed(puzzles, board, None if rules is None else tuple(rules)):
        yield SourceItem(number, "argument", item)
        number += n_puzzles(item)


def _parsed(puzzles: Any, board: str | Geometry | None, rules: tuple[str, ...] | None) -> Iterator[ParsedItem]:
    """Yield puzzles, batches of them, and errors."""
    if hasattr(puzzles, "to_numpy"):
        puzzles = puzzles.to_numpy()
    if isinstance(puzzles, np.ndarray) and puzzles.dtype.kind in "iu" and puzzles.ndim > 1:
        yield from _rows(puzzles, board, rules)
        return
    if isinstance(puzzles, (str, bytes, Puzzle, Grid)) or not isinstance(puzzles, Iterable):
        raise FormatError(
            f"{short(repr(puzzles))} is not many puzzles; expected a list of them, or an array (m, n_cells)"
        )
    for length, group in groupby(puzzles, key=_plain_length):
        geometry = _board_for_length(length, board, rules) if length else None
        if geometry is None:
            yield from (_entry(source, board, rules) for source in group)
            continue
        while texts := [text for _, text in zip(range(_TEXTS), group, strict=False)]:
            yield from _texts(texts, geometry)


def _plain_length(source: object) -> int:
    """Return the length of a text that may have one symbol a cell; 0 for anything else."""
    return len(source) if isinstance(source, str) and source.isascii() and not source.isspace() else 0


def _board_for_length(length: int, board: str | Geometry | None, rules: tuple[str, ...] | None) -> Geometry | None:
    """Return the board of texts of a length with one symbol a cell; None if they must be read one by one."""
    chosen = _BOARD_OF_LENGTH.get(length) if board is None else board
    if chosen is None:
        return None
    geometry = chosen if isinstance(chosen, Geometry) else boards.board(chosen)
    if geometry.n_cells != length:
        return None
    return geometry if rules is None else geometry.with_rules(rules)


def _texts(texts: list[str], board: Geometry) -> Iterator[ParsedItem]:
    """Yield puzzles from texts of the length of a board."""
    together = "\n".join(texts) + "\n"
    lines = bulk.cut(together.encode("ascii"))
    if len(lines) != len(texts):
        yield from (_entry(text, board, None) for text in texts)
        return
    good, givens = bulk.read(lines, board)
    start = row = 0
    for is_good, group in groupby(good.tolist()):
        end = start + sum(1 for _ in group)
        if is_good:
            yield PuzzleBatch(board, givens[row : row + end - start], np.arange(start + 1, end + 1))
            row += end - start
        else:
            yield from (_entry(text, board, None) for text in texts[start:end])
        start = end


def _rows(
    values: np.typing.NDArray[Any], board: str | Geometry | None, rules: tuple[str, ...] | None
) -> Iterator[ParsedItem]:
    """Yield puzzles from the rows of an array (m, n_cells), or (m, *shape)."""
    if not len(values):
        return
    first = as_puzzle(values[0], board, rules)
    flat = values.reshape(len(values), -1)
    if flat.shape[1] != first.geometry.n_cells:
        raise FormatError(
            f"rows of {flat.shape[1]} values for the {first.geometry.n_cells} cells of {first.geometry.name}"
        )
    good: Bools = np.all((flat >= 0) & (flat <= first.geometry.n_values), axis=1)
    start = 0
    for is_good, group in groupby(good.tolist()):
        end = start + sum(1 for _ in group)
        if is_good:
            yield PuzzleBatch(first.geometry, flat[start:end].astype(np.uint8), np.arange(start + 1, end + 1))
        else:
            yield from (_entry(row, first.geometry, None) for row in values[start:end])
        start = end


def _entry(source: Any, board: str | Geometry | None, rules: tuple[str, ...] | None) -> Entry:
    """Return a puzzle, or the error in its place."""
    try:
        if source is None or (isinstance(source, float) and isnan(source)):
            raise FormatError(f"not a puzzle: {source}")
        return Entry(as_puzzle(source, board, rules))
    except (FormatError, GeometryError) as error:
        return Entry(error if isinstance(error, FormatError) else FormatError(str(error)))
