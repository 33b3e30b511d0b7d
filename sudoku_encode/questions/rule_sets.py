"""The question under which sets of rules a puzzle has a number of solutions."""

from dataclasses import dataclass, replace
from itertools import combinations

from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status

# With more rules there are more sets than anybody wants to read.
MOST_RULES = 10
_NO_OPTIONS = Options()


@dataclass(frozen=True)
class RuleSets:
    """How many solutions a puzzle has under each set of its rules.

    Attributes:
        solutions: the number of solutions that was asked for.
        counts: for each set of rules, the largest first, its number of solutions, or None for more than `solutions`.

    >>> RuleSets(2, {("row", "column"): 2, ("row",): None, ("column",): None}).matching
    (('row', 'column'),)
    """

    solutions: int
    counts: dict[tuple[str, ...], int | None]

    def __post_init__(self) -> None:
        freeze_fields(self)

    @property
    def matching(self) -> tuple[tuple[str, ...], ...]:
        """The sets of rules under which the puzzle has exactly the number of solutions that was asked for."""
        return tuple(rules for rules, count in self.counts.items() if count == self.solutions)


@dataclass(frozen=True)
class RuleSetsQuestion(Question[RuleSets]):
    """The question under which sets of its rules a puzzle has a number of solutions."""

    types = (RuleSets,)

    solutions: int
    method: str = AUTO  # a key of METHODS
    options: Options = _NO_OPTIONS

    def require(self, puzzle: Puzzle) -> None:
        """Check that the board has few rules."""
        if (number := len(puzzle.geometry.rules)) > MOST_RULES:
            raise SudokuError(f"{puzzle.geometry.name} has {number} rules: sets of more than {MOST_RULES} are too many")

    def answer(self, item: Numbered, deadline: Deadline) -> RuleSets:
        """Return the numbers of solutions. A set of rules with too many solutions has no part with fewer.

        Raises:
            StoppedError: the deadline was reached.
        """
        puzzle = item[1]
        self.require(puzzle)
        names = puzzle.geometry.rule_names
        limited = replace(deadline, solutions=self.solutions + 1)
        counts: dict[tuple[str, ...], int | None] = {}
        for size in range(len(names), 0, -1):
            for rules in combinations(names, size):
                larger = (other for other, count in counts.items() if len(other) == size + 1 and count is None)
                if any(set(rules) < set(other) for other in larger):
                    counts[rules] = None
                    continue
                with_rules = replace(puzzle, geometry=puzzle.geometry.with_rules(rules))
                count = calls.count(with_rules, self.method, limited, self.options)
                counts[rules] = None if count.value > self.solutions else count.exact
        return RuleSets(self.solutions, counts)

    def judge(self, puzzle: Puzzle, value: RuleSets) -> tuple[Status, str]:
        """Return that the sets are shown."""
        return Status.SHOWN, ""


def sentence(value: RuleSets) -> str:
    """Return how many sets of rules have the number of solutions that was asked for."""
    n = len(value.matching)
    solutions = f"{value.solutions} {plural('solution', value.solutions)}"
    return f"{solutions} under {n} of {len(value.counts)} {plural('set', len(value.counts))} of rules"
