"""Draw solutions of puzzles within limits that hold whatever a method does."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.asking import Numbered, OnEvent, load_for, warm_up
from sudoku_encode.methods.returned import wrong_grids
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import sampling
from sudoku_encode.questions.sampling import MAX_SEED, Samples
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


def samples_each(
    puzzles: Iterable[Numbered],
    many: int,
    seed: int,
    method: str,
    limits: Limits,
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, Samples | StoppedError, float]]:
    """Yield each puzzle with solutions of it, or what stopped the process, and the seconds that took.

    Puzzle 1 has the seed, and each other puzzle one of its own, see `seed_of`; the pool, where they
    are drawn, changes nothing.
    """
    yield from each(
        *(partial(one_by_one, partial(_answer, many, seed, method, limits)), puzzles, limits),
        pool=pool,
        load=partial(load_for, "sat"),
        prepare=_prepare if limits.seconds is not None else None,
        on_event=on_event,
        types=(Samples,),
        usable=partial(_wrong, many),
    )


def _answer(many: int, seed: int, method: str, limits: Limits, item: Numbered) -> Samples:
    return sampling.sample(item[1], many, seed_of(seed, item[0]), method, limits.start())


def _wrong(many: int, item: Numbered, answer: Samples | StoppedError, events: Sequence[Event]) -> str:
    if isinstance(answer, StoppedError):
        return ""
    found = len(answer.grids)
    # None is drawn where there is no solution, or the work was stopped.
    if found != many and (found or (answer.complete and answer.total is not None and answer.total.value)):
        return f"the executor's answer for puzzle {item[0]} has {found} solutions, and {many} were asked for"
    return wrong_grids(*item, answer.grids)


def _prepare(item: Numbered) -> None:
    for name in (AUTO, "frontier"):
        warm_up(name, item[1])


def seed_of(seed: int, number: int) -> int:
    """Return the seed of the puzzle of a number, from 1: the next one for each."""
    return (seed + number - 1) % (MAX_SEED + 1)


def sample(puzzle: Puzzle, many: int, seed: int, method: str, limits: Limits, pool: Pool = ONE) -> Samples:
    """Draw solutions of a puzzle; see `sampling.sample`, which says what is raised.

    Raises:
        StoppedError: its process died, or was ended.
    """
    sampling.refuse(puzzle, many, seed, method)
    if pool.is_here and not limits.need_a_process:
        return sampling.sample(puzzle, many, seed, method, limits.start())
    ((_, found, _),) = samples_each([(1, puzzle)], many, seed, method, limits, pool=pool)
    if isinstance(found, StoppedError):
        raise found
    return found
