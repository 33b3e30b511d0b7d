"""Ask for the true candidates of puzzles within limits that hold whatever a method does."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from sudoku_encode.constraints.lowering import is_quick
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.asking import Numbered, OnEvent, load, warm_up_for
from sudoku_encode.methods.calls import find, fitting
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.returned import wrong_grids
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import candidates as here
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.questions.ways import load_search
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


def candidates_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    counts: bool = False,
    on_event: OnEvent | None = None,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, TrueCandidates | StoppedError, float]]:
    """Yield each puzzle with its true candidates, or what stopped the process, and the seconds that took.

    The pool is where they are found.
    """
    find(method)
    yield from each(
        *(partial(one_by_one, partial(_answer, method, limits, options, counts)), puzzles, limits),
        pool=pool,
        load=partial(_load, method),
        prepare=partial(warm_up_for, method) if limits.seconds is not None else None,
        on_event=on_event,
        types=(TrueCandidates,),
        usable=_wrong,
    )


def _answer(method: str, limits: Limits, options: Options, counts: bool, item: Numbered) -> TrueCandidates:
    return here.candidates(item[1], method, limits.start(), options, counts)


def _load(method: str, item: Numbered) -> None:
    """Load the libraries of a method, and what is compiled."""
    load(method if method != AUTO else "sat")
    # Constraints that take long to lower are left to the process whose time is limited.
    if method in (AUTO, "search") and is_quick(item[1]) and not here.reason_against_search(item[1]):
        load_search(item[1])


def _wrong(item: Numbered, answer: TrueCandidates | StoppedError, events: Sequence[Event]) -> str:
    """Say what is wrong with true candidates: the solutions that show them are checked, not that these are all."""
    if isinstance(answer, StoppedError):
        return ""
    if wrong := wrong_grids(*item, answer.witnesses):
        return wrong
    shape = (item[1].geometry.n_cells, item[1].geometry.n_values)
    seen = np.zeros(shape, bool)
    for grid in answer.witnesses:
        seen[np.arange(shape[0]), grid - 1] = True
    # A method that counts has no witnesses.
    shown = answer.seen if answer.shares is not None and not len(answer.witnesses) else seen
    if answer.seen.dtype != bool or not np.array_equal(answer.seen, shown) or answer.seen.shape != shape:
        return f"the executor's answer for puzzle {item[0]} is not what its solutions show"
    return ""


def candidates(
    puzzle: Puzzle, method: str, limits: Limits, options: Options, counts: bool = False, pool: Pool = ONE
) -> TrueCandidates:
    """Return the true candidates of a puzzle; see `candidates.candidates`, which says what is raised.

    Raises:
        StoppedError: its process died, or was ended.
    """
    fitting(puzzle, method, options)
    if pool.is_here and not limits.need_a_process:
        return here.candidates(puzzle, method, limits.start(), options, counts)
    ((_, found, _),) = candidates_each([(1, puzzle)], method, limits, options, counts, pool=pool)
    if isinstance(found, StoppedError):
        raise found
    return found
