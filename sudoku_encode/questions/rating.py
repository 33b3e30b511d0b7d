"""How hard a puzzle is: several figures, each of which is what its name says and nothing more."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module

from sudoku_encode.constraints.lowering import plain
from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.methods import asking, calls
from sudoku_encode.methods.asking import Numbered
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.figures.asked import Asked, Figure
from sudoku_encode.questions.figures.table import COPIES, FIGURES, FigureRow
from sudoku_encode.questions.hint_asking import warm_up as warm_up_techniques
from sudoku_encode.questions.techniques.table import chosen
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import ONE, Pool

_METHOD = "auto"
_NEEDS_A_GUESS = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
_NO_MEANING = {
    "several": "it has several solutions",
    "no solution": "it has no solution",
}


@dataclass(frozen=True)
class Wanted:
    """Which figures are wanted.

    Attributes:
        figures: names in FIGURES.
        copies: over how many copies a median is taken.
        seed: of the copies.

    Raises:
        SudokuError: there is no such figure, or a number is out of range.
    """

    figures: tuple[str, ...] = tuple(FIGURES)
    copies: int = COPIES
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.figures:
            if name not in FIGURES:
                raise SudokuError(f"no figure is called {name!r}; there are: {', '.join(FIGURES)}")
        if not self.figures:
            raise SudokuError(f"no figure is wanted; there are: {', '.join(FIGURES)}")
        if self.copies < 1:
            raise SudokuError(f"copies={self.copies}: it must be at least 1")
        if not 0 <= self.seed < 2**32:
            raise SudokuError(f"seed={self.seed}: it must be from 0 to {2**32 - 1}")

    @property
    def rows(self) -> list[FigureRow]:
        """The rows of the table, in its order."""
        return [row for row in FIGURES.values() if row.name in self.figures]


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """How hard a puzzle is.

    Attributes:
        puzzle: the puzzle.
        status: `unique`, `several` or `no solution`.
        figures: by name, those that were wanted.
        stopped: what ended the work before all of them were known, or an empty string.

    >>> import sudoku_encode as se
    >>> se.rate("1234341221434...", board="4x4", figures=["nodes", "backdoor"])
    Rating(unique, nodes=1, backdoor=0)
    """

    puzzle: Puzzle
    status: str
    figures: Mapping[str, Figure]
    stopped: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    def __repr__(self) -> str:
        """Return the values on one short line."""
        shown = [f"{name}={'?' if one.value is None else f'{one.value:g}'}" for name, one in self.figures.items()]
        return f"Rating({', '.join([self.status, *shown])})"


def rate(puzzle: Puzzle, deadline: Deadline, wanted: Wanted) -> Rating:
    """Return the figures of a puzzle; those that are not known when the time ends have no value.

    Raises:
        MethodError: the puzzle has constraints, and a figure that is wanted is not of solving by hand.
        StoppedError: it is not known in time how many solutions there are.
    """
    for row in wanted.rows:
        if not row.of_constraints:
            puzzle = plain(puzzle, f"figure {row.name} of rate")
    grids: list[Grids] = []
    try:
        for batch in calls.solutions(puzzle, _METHOD, replace(deadline, solutions=2)):
            grids += list(batch)
    except StoppedError:
        # The second solution stops the search, since there may be more.
        if len(grids) < 2:
            raise
    status = ("no solution", "unique", "several")[len(grids)]
    asked = Asked(puzzle, grids[0] if grids else None, wanted.copies, wanted.seed)
    figures, stopped = dict[str, Figure](), ""
    for row in wanted.rows:
        if status != "unique" and not (row.of_none and status == "no solution"):
            figures[row.name] = Figure(row.name, None, "", {}, _NO_MEANING[status])
            continue
        emit(Progress(f"{row.name} ..."))
        try:
            figures[row.name] = _measure(row, asked, deadline)
        except StoppedError as reason:
            stopped = str(reason)
            figures[row.name] = Figure(row.name, None, "", {}, stopped)
    return Rating(puzzle, status, figures, stopped)


def _measure(row: FigureRow, asked: Asked, deadline: Deadline) -> Figure:
    found: Figure = getattr(import_module(f"{__package__}.figures.{row.module}"), row.function)(asked, deadline)
    return found


def rate_each(
    puzzles: Iterable[Numbered], limits: Limits, wanted: Wanted, pool: Pool = ONE
) -> Iterator[tuple[Numbered, Rating | StoppedError, float]]:
    """Yield each puzzle with its figures, or what stopped the work, and the seconds that took.

    Args:
        puzzles: with their numbers.
        limits: of time and memory, for each puzzle.
        wanted: which figures.
        pool: where the work is done, and how many puzzles are worked on at a time.
    """
    task = partial(one_by_one, partial(_answer, limits, wanted))
    prepare = partial(_prepare, wanted) if limits.seconds is not None else None
    yield from each(task, puzzles, limits, pool=pool, load=partial(_load, wanted), prepare=prepare, types=(Rating,))


def _answer(limits: Limits, wanted: Wanted, item: Numbered) -> Rating:
    return rate(item[1], limits.start(), wanted)


def _load(wanted: Wanted, item: Numbered) -> None:
    asking.load("sat")
    warm_up(wanted)


def _prepare(wanted: Wanted, item: Numbered) -> None:
    asking.warm_up(_METHOD, item[1])
    warm_up(wanted)


@cache
def warm_up(wanted: Wanted) -> None:
    """Load what the figures have compiled, or compile it: that takes seconds once, and must not count as a puzzle's."""
    hand = [name for name in wanted.figures if FIGURES[name].module == "by_hand"]
    if hand:
        warm_up_techniques(chosen())
    # It needs a guess, so that all kernels are called.
    others = tuple(name for name in wanted.figures if name not in hand)
    if others:
        values = [0 if symbol == "." else int(symbol) for symbol in _NEEDS_A_GUESS]
        rate(Puzzle.of(boards.board("9x9"), values), Deadline(), Wanted(others, 1))
