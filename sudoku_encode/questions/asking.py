"""Ask for the true candidates of puzzles within limits that hold whatever a method does."""

from collections.abc import Iterable, Iterator
from functools import partial

from sudoku_encode.errors import Stopped
from sudoku_encode.methods.asking import Numbered, OnEvent, load, warm_up
from sudoku_encode.methods.calls import fitting
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import candidates as questions
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.questions.ways import load_search
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import here


def candidates_each(
    puzzles: Iterable[Numbered],
    method: str,
    limits: Limits,
    options: Options,
    counts: bool = False,
    on_event: OnEvent | None = None,
    processes: int = 1,
) -> Iterator[tuple[Numbered, TrueCandidates | Stopped, float]]:
    """Yield each puzzle with its true candidates, or what stopped the process, and the seconds that took.

    Some processes work at a time.
    """

    def answer(item: Numbered) -> TrueCandidates:
        return questions.candidates(item[1], method, limits.start(), options, counts)

    load(method if method != AUTO else "sat")
    puzzles = _loading(puzzles, method)
    prepare = (lambda item: warm_up(method, item[1])) if limits.seconds is not None else None
    yield from each(
        partial(one_by_one, answer), puzzles, limits, pool=here(processes), prepare=prepare, on_event=on_event
    )


def _loading(puzzles: Iterable[Numbered], method: str) -> Iterator[Numbered]:
    """Yield the puzzles; for the first one what is compiled is loaded here, so that no process need do that again."""
    for number, item in enumerate(puzzles):
        if not number and method in (AUTO, "search") and not questions.reason_against_search(item[1]):
            load_search(item[1].geometry)
        yield item


def candidates(puzzle: Puzzle, method: str, limits: Limits, options: Options, counts: bool = False) -> TrueCandidates:
    """Return the true candidates of a puzzle; see `candidates.candidates`, which says what is raised.

    Raises:
        Stopped: its process died, or was ended.
    """
    fitting(puzzle, method, options)
    if not limits.need_a_process:
        return questions.candidates(puzzle, method, limits.start(), options, counts)
    ((_, found, _),) = candidates_each([(1, puzzle)], method, limits, options, counts)
    if isinstance(found, Stopped):
        raise found
    return found
