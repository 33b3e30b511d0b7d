"""Ask for the steps of many puzzles within limits that hold whatever a technique does."""

from collections.abc import Iterable, Iterator
from functools import partial

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.asking import Numbered, OnEvent
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.hinting import SolvePath, worked
from sudoku_encode.questions.techniques.table import Technique
from sudoku_encode.run import kernels
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


def hints_each(
    puzzles: Iterable[Numbered],
    techniques: list[Technique],
    limits: Limits,
    most: int | None = None,
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, SolvePath | StoppedError, float]]:
    """Yield each puzzle with its steps, or what stopped the work, and the seconds that took.

    Args:
        puzzles: with their numbers.
        techniques: that are tried, in this order.
        limits: of time and memory, for each puzzle.
        most: how many steps of each are wanted; None for all.
        on_event: observes each step, as a `Step`, when it is found.
        pool: where the work is done, and how many puzzles are worked on at a time.
    """
    prepare = partial(_prepare, techniques) if limits.seconds is not None else None
    task = partial(one_by_one, partial(_answer, techniques, limits, most))
    yield from each(
        task, puzzles, limits, pool=pool, load=_load, prepare=prepare, on_event=on_event, types=(SolvePath,)
    )


def _answer(techniques: list[Technique], limits: Limits, most: int | None, item: Numbered) -> SolvePath:
    return worked(item[1], techniques, limits.start(), most, lambda hint: emit(hint.step()))


def _load(item: Numbered) -> None:
    # It loads numba, if there is one.
    kernels.unavailable()


def _prepare(techniques: list[Technique], item: Numbered) -> None:
    warm_up(techniques)


def warm_up(techniques: Iterable[Technique]) -> None:
    """Compile or load what techniques need, which takes seconds once on a machine and must not count as a puzzle's."""
    worked(Puzzle.of(boards.board("4x4")), list(techniques))
