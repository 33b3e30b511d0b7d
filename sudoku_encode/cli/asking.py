"""Ask about each puzzle within limits, and say what came out."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sudoku_encode.cli import options
from sudoku_encode.cli.reading import Answers, Source

if TYPE_CHECKING:
    from sudoku_encode.errors import Stopped
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.result import Budget, Count

R = TypeVar("R")
# Methods of these families run solvers by others, which may end the process that they work in.
_FOREIGN = ("sat", "cp-sat")
# The number of a puzzle, and the puzzle.
Item = tuple[int, "Puzzle"]
Tell = Callable[[Any], None]


class Limits(NamedTuple):
    """What each puzzle may take.

    Attributes:
        solutions: how many are wanted at most.
        seconds: how long it may take.
        memory: how many bytes may be added to what the program takes.
    """

    solutions: int | None = None
    seconds: float | None = None
    memory: int | None = None

    @staticmethod
    def of(solutions: int | None, seconds: float | None, memory: str | None) -> "Limits":
        """Read what the options say.

        Raises:
            SudokuError: --memory is no size.
        """
        return Limits(solutions, seconds, None if memory is None else options.in_bytes(memory))

    @property
    def guarded(self) -> bool:
        """Whether somebody else must see to it that they hold."""
        return self.seconds is not None or self.memory is not None

    def budget(self) -> "Budget":
        """Return a budget that starts now."""
        from sudoku_encode.run.result import Budget

        return Budget.of(*self)


def each(
    source: Source, method: str, ask: Callable[[Item, Tell], R], told: Callable[[Item, Any], None], limits: Limits
) -> "Iterator[tuple[int, Puzzle, R | Stopped]]":
    """Yield the puzzles with their numbers and answers; see `child.each`."""
    from sudoku_encode import methods
    from sudoku_encode.run import child

    if limits.guarded or foreign(method):
        methods.load(method)
    asked = child.each(source.puzzles(), ask, told, limits.seconds, limits.memory, foreign(method))
    for (number, puzzle), answer in asked:
        yield number, puzzle, answer


def foreign(method: str) -> bool:
    """Say whether a method runs a solver by others in its own process; `auto` sees to that itself."""
    from sudoku_encode import methods

    return method != methods.AUTO and methods.find(method).family in _FOREIGN


def ignore(item: Item, what: Any) -> None:
    """Do not listen."""


def so_far(answer: "Count | Stopped", found: int) -> "Count":
    """Return what is known of a puzzle of which so many solutions were seen before something stopped the search."""
    from sudoku_encode.errors import Stopped
    from sudoku_encode.run.result import Count

    return Count(found, False, str(answer)) if isinstance(answer, Stopped) else answer


def note(answers: Answers, counted: "Count") -> None:
    """Remember for the exit status what kind of answer this is."""
    answers.incomplete |= not counted.complete
    answers.negative |= counted.complete and counted.value == 0


def total(counted: "Count", puzzle: "Puzzle") -> str:
    """Say how many solutions there are, whether that is all, and if not, why not."""
    if counted.complete and not counted.value:
        return f"no solution{why(puzzle)}"
    solutions = "solution" if counted.value == 1 else "solutions"
    if counted.complete:
        return f"{counted.value} {solutions}, complete"
    return f"at least {counted.value} {solutions}; stopped: {counted.stopped}"


def why(puzzle: "Puzzle") -> str:
    """Say why there is no solution, where that is plain: two cells that clash, or a unit too large."""
    from sudoku_encode.encoders.reduction import reduce

    reason = puzzle.geometry.why_impossible or reduce(puzzle, "singles").contradiction
    return f": {reason}" if reason else ""
