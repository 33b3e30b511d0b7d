"""How hard a puzzle is: several figures, each of which means exactly what its name says.

`rate` measures the figures of `table.FIGURES`; `parse_aim` reads the range that `generate --rating` requires.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

from sudoku_encode.errors import MethodError, StoppedError, SudokuError
from sudoku_encode.generating.options import Aim
from sudoku_encode.methods import calls, limited_calls
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle, require_units_only
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.questions.figures import Figure, FigureContext
from sudoku_encode.questions.hinting import warm_up as warm_up_techniques
from sudoku_encode.questions.table import COPIES, DEFAULT_FIGURE, FIGURES, FigureKind
from sudoku_encode.questions.techniques.table import DIFFICULTIES, choose_techniques, difficulty_of, numbers_of
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_stop

_METHOD = "auto"
_NEEDS_A_GUESS = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
_NO_MEANING = {
    "several": "it has several solutions",
    "no solution": "it has no solution",
}


@dataclass(frozen=True, eq=False, repr=False)
class Rating:
    """How hard a puzzle is.

    Attributes:
        puzzle: the puzzle.
        status: `unique`, `several` or `no solution`.
        figures: by name, the figures that were asked for.
        stopped: what ended the work before all of them were known; empty if nothing did.

    >>> import sudoku_encode as se
    >>> se.rate("1234341221434...", board="4x4", figures=["nodes", "backdoor"])
    Rating(unique, nodes=1, backdoor=0)
    """

    puzzle: Puzzle
    status: str
    figures: Mapping[str, Figure]
    stopped: str = ""

    _repr_html_ = shown_as_html

    def __post_init__(self) -> None:
        freeze_fields(self)

    @property
    def difficulty(self) -> str | None:
        """The word for how hard it is, of DIFFICULTIES; None for no word, or without the figure `technique`.

        >>> import sudoku_encode as se
        >>> se.rate("1234341221434...", board="4x4", figures=["technique"]).difficulty
        'easy'
        """
        figure = self.figures.get("technique")
        return None if figure is None or figure.value is None else figure.data["difficulty"]

    def __repr__(self) -> str:
        """Return the values on one short line."""
        shown = [
            f"{name}={'?' if figure.value is None else f'{figure.value:g}'}" for name, figure in self.figures.items()
        ]
        return f"Rating({', '.join([self.status, *shown])})"


def rate(puzzle: Puzzle, deadline: Deadline, options: "RateQuestion") -> Rating:
    """Return the figures of a puzzle; a figure that is not known when the time ends has no value.

    Of all figures only those about solving by hand have a value for a puzzle with constraints.

    Raises:
        MethodError: the puzzle has constraints, and a figure is named that is not about solving by hand.
        StoppedError: it is not known in time how many solutions there are.
    """
    unfit = ""
    for row in options.rows:
        if not row.of_constraints and not unfit:
            try:
                puzzle = require_units_only(puzzle, f"figure {row.name} of rate")
            except MethodError:
                if len(options.rows) < len(FIGURES):
                    raise
                unfit = f"the puzzle has constraints ({', '.join(lower_puzzle(puzzle).kinds)})"
    grids: list[Grids] = []
    try:
        for batch in calls.solutions(puzzle, _METHOD, replace(deadline, solutions=2)):
            grids += list(batch)
    except StoppedError:
        # The second solution stops the search, since there may be more.
        if len(grids) < 2:
            raise
    status = ("no solution", "unique", "several")[len(grids)]
    context = FigureContext(puzzle, grids[0] if grids else None, options.copies, options.seed)
    figures, stopped = dict[str, Figure](), ""
    for row in options.rows:
        if status != "unique" and not (row.of_none and status == "no solution"):
            figures[row.name] = Figure(row.name, None, "", {}, _NO_MEANING[status])
            continue
        if unfit and not row.of_constraints:
            figures[row.name] = Figure(row.name, None, "", {}, unfit)
            continue
        emit(Progress(f"{row.name} ..."))
        try:
            figures[row.name] = row.load()(context, deadline)
        except StoppedError as reason:
            stopped = reason.reason
            figures[row.name] = Figure(row.name, None, "", {}, stopped)
    return Rating(puzzle, status, figures, stopped)


@dataclass(frozen=True)
class RateQuestion(Question[Rating]):
    """The question for the figures of a puzzle.

    Raises:
        SudokuError: there is no such figure, or a number is out of range.
    """

    types = (Rating,)

    figures: tuple[str, ...] = tuple(FIGURES)  # names in FIGURES
    copies: int = COPIES  # over how many copies a median is taken
    seed: int = 0  # of the copies

    def __post_init__(self) -> None:
        for name in self.figures:
            if name not in FIGURES:
                raise SudokuError(f"no figure is called {name!r}; there are: {', '.join(FIGURES)}")
        if not self.figures:
            raise SudokuError(f"no figure is named; there are: {', '.join(FIGURES)}")
        if self.copies < 1:
            raise SudokuError(f"copies={self.copies}: it must be at least 1")
        if not 0 <= self.seed < 2**32:
            raise SudokuError(f"seed={self.seed}: it must be from 0 to {2**32 - 1}")

    @property
    def rows(self) -> list[FigureKind]:
        """The rows of the table, in its order."""
        return [row for row in FIGURES.values() if row.name in self.figures]

    def answer(self, item: Numbered, deadline: Deadline) -> Rating:
        """Return the figures."""
        return rate(item[1], deadline, self)

    def judge(self, puzzle: Puzzle, value: Rating) -> tuple[Status, str]:
        """Return how many solutions the puzzle has, unless a figure is not known in time."""
        return (status_of_stop(value.stopped) if value.stopped else Status(value.status)), value.stopped

    def load(self, item: Numbered) -> None:
        """Load the SAT solvers and the code of the figures."""
        limited_calls.load("sat")
        warm_up(self)

    def warm_up(self, item: Numbered) -> None:
        """Compile or load the code of the figures."""
        limited_calls.warm_up(_METHOD, item[1])
        warm_up(self)


@cache
def warm_up(options: RateQuestion) -> None:
    """Load or compile the code of the figures: that takes seconds once, and must not count as a puzzle's time."""
    by_hand = [name for name in options.figures if FIGURES[name].by_hand]
    if by_hand:
        warm_up_techniques(choose_techniques())
    # This puzzle needs a guess, so that all kernels are called.
    others = tuple(name for name in options.figures if name not in by_hand)
    if others:
        values = [0 if symbol == "." else int(symbol) for symbol in _NEEDS_A_GUESS]
        rate(Puzzle.of(boards.board("9x9"), values), Deadline(), RateQuestion(others, 1))


# The range that a figure of a generated puzzle must be in.

_NUMBER = r"[0-9]+(?:\.[0-9]+)?"


def parse_aim(text: str) -> Aim:
    """Return the range of a text such as `backdoor:2-3`, `nodes:20-` or `7-21`; a single number means exactly that.

    Raises:
        SudokuError: there is no such figure, or the range is invalid.
    """
    name, _, span = text.rpartition(":")
    name = name or DEFAULT_FIGURE
    if name not in FIGURES:
        raise SudokuError(f"--rating {text}: no figure is called {name!r}; there are: {', '.join(FIGURES)}")
    match = re.fullmatch(f"({_NUMBER})?(-)?({_NUMBER})?", span)
    if not match or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise SudokuError(f"--rating {text}: write a range, such as {DEFAULT_FIGURE}:20-50, 20- or -50")
    low = float(match[1] or 0)
    high = float(match[3]) if match[3] else math.inf if match[2] else low
    if low > high:
        raise SudokuError(f"--rating {text}: {low:g} is above {high:g}")
    return _aim(name, span, low, high)


def _aim(name: str, span: str, low: float, high: float, word: str = "") -> Aim:
    measure = partial(measure_figure, name)
    return Aim(f"{name}:{span}", low, high, measure, FIGURES[name].of_constraints, word, difficulty_of)


def parse_difficulty(text: str) -> Aim:
    """Return the range of numbers of techniques that a text such as `hard`, `medium-hard` or `fiendish-` stands for.

    Raises:
        SudokuError: it is not a word of DIFFICULTIES, nor a range of them.
    """
    first, dash, last = text.partition("-")
    easiest, hardest = (first or DIFFICULTIES[0], last or DIFFICULTIES[-1]) if dash else (first, first)
    if text in ("", "-"):
        raise SudokuError(f"--difficulty {text!r}: write a word or a range of {', '.join(DIFFICULTIES)}")
    try:
        low, high = numbers_of(easiest, hardest)
    except SudokuError as error:
        raise SudokuError(f"--difficulty {text}: {error}") from error
    return _aim("technique", f"{low}-{high}", low, high, text)


def choose_aim(rating: str | None, difficulty: str | None) -> Aim | None:
    """Return the range of one of two texts, of `parse_aim` and `parse_difficulty`; None if neither is given.

    Raises:
        SudokuError: both are given, or one is invalid.
    """
    if rating is not None and difficulty is not None:
        raise SudokuError("--rating and --difficulty: give only one of them")
    if difficulty is not None:
        return parse_difficulty(difficulty)
    return None if rating is None else parse_aim(rating)


def measure_figure(name: str, puzzle: Puzzle, deadline: Deadline) -> float | None:
    """Return a figure of a puzzle with one solution; None if it is not known.

    Raises:
        StoppedError: by the deadline.
    """
    rating = rate(puzzle, deadline, RateQuestion((name,)))
    deadline()
    return rating.figures[name].value
