"""The techniques of `hint`, from simple to hard. Imports nothing heavy: --help reads this.

To add one: write a `FindDeductions` function in the file of its family, and its row here, in its place by difficulty.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.papers.marks import Deduction, Marks
    from sudoku_encode.papers.techniques import Tick

_BASIC = "sudoku_encode.papers.techniques"
_CHAINS_FILE = "sudoku_encode.questions.techniques.chains"
_CONSTRAINTS_FILE = "sudoku_encode.questions.techniques.constraints"
_LOCKED_SETS_FILE = "sudoku_encode.questions.techniques.almost_locked"
_NETS_FILE = "sudoku_encode.questions.techniques.nets"
_PATTERNS_FILE = "sudoku_encode.questions.techniques.patterns"
_UNIQUENESS_FILE = "sudoku_encode.questions.techniques.uniqueness"


class FindDeductions(Protocol):
    """The function of a technique."""

    def __call__(self, marks: "Marks", tick: "Tick") -> "Iterator[Deduction]":
        """Yield the deductions of the technique, each from the marks as they are then.

        Args:
            marks: the candidates of a puzzle; the function does not change them.
            tick: is called often, and raises an exception to end the work.
        """


class Technique(NamedTuple):
    """A row of the table.

    Attributes:
        name: of the technique.
        family: the techniques that it belongs to.
        says: what it does, in one line.
        module: the full name of the module that contains its function.
        function: the name of the function, a `FindDeductions` after its `size`, if it has one.
        size: what the function takes before the marks, such as the size of a subset; None for a function without.
        assumes_unique: whether it is sound only for a puzzle with one solution.
        of_constraints: whether it finds deductions only in puzzles with constraints besides units.
    """

    name: str
    family: str
    says: str
    module: str
    function: str
    size: int | None = None
    assumes_unique: bool = False
    of_constraints: bool = False

    @property
    def number(self) -> float:
        """Its place among all from simple to hard: 1, 2, ...; 2.1, 2.2, ... after 2 for those of constraints."""
        return _numbers()[self.name]

    @property
    def difficulty(self) -> str:
        """The word for puzzles whose hardest technique it is."""
        return difficulty_of(self.number)

    @property
    def weight(self) -> int:
        """How much a step counts in the figure `score` of `rate`."""
        return _WEIGHTS[self.name]

    def load(self) -> FindDeductions:
        """Return the function from marks and a tick to deductions."""
        function = getattr(import_module(self.module), self.function)
        return cast(FindDeductions, function if self.size is None else partial(function, self.size))


_SINGLES, _LOCKED, _SUBSETS, _FISH, _FINS = "singles", "locked candidates", "subsets", "fish", "fish with fins"
_WINGS, _PATTERNS, _COLOURS, _CHAINS = "wings", "patterns of one value", "colouring", "chains"
_ALS, _UNIQUE, _FORCING, _CONSTRAINTS = "almost locked sets", "uniqueness", "forcing", "constraints"
_ROWS = (
    Technique("naked single", _SINGLES, "A cell has one candidate left.", _BASIC, "naked_single"),
    Technique("hidden single", _SINGLES, "A value has one place left in a unit.", _BASIC, "hidden_single"),
    *(
        Technique(name, _CONSTRAINTS, says, _CONSTRAINTS_FILE, function, of_constraints=True)
        for name, says, function in (
            ("thermometer", "Values rise along a line and leave room for the cells before and after.", "thermometer"),
            (
                "relation",
                "A candidate of a cell fits no candidate of the next cell on a line, or of the other one in a pair.",
                "relation",
            ),
            ("only way", "Only one way is left to satisfy a constraint.", "only_way"),
            (
                "sum combinations",
                "Only some sets of values have the sum of a cage, an arrow or another constraint.",
                "sums",
            ),
            (
                "line sequence",
                "Only some ways are left to fill the cells of a line or of a clue beside the grid.",
                "sequence",
            ),
        )
    ),
    Technique(
        "every way",
        _CONSTRAINTS,
        "Every way to satisfy a constraint excludes the same candidates.",
        _CONSTRAINTS_FILE,
        "every_way",
        of_constraints=True,
    ),
    Technique(
        "rule of 45",
        _CONSTRAINTS,
        "The sum of units minus the sums of cages is the sum of innies and outies.",
        _CONSTRAINTS_FILE,
        "rule_of_45",
        of_constraints=True,
    ),
    Technique(
        "pointing",
        _LOCKED,
        "All places of a value in a box are in one row: it is nowhere else in the row.",
        _BASIC,
        "pointing",
    ),
    Technique(
        "claiming",
        _LOCKED,
        "All places of a value in a row are in one box: it is nowhere else in the box.",
        _BASIC,
        "claiming",
    ),
    Technique(
        "constraint pointing",
        _CONSTRAINTS,
        "Each way to fill a constraint has the value in a cell that another cell sees.",
        _CONSTRAINTS_FILE,
        "constraint_pointing",
        of_constraints=True,
    ),
    Technique(
        "ways to fill",
        _CONSTRAINTS,
        "A candidate is in no way to fill a whole constraint that its units allow.",
        _CONSTRAINTS_FILE,
        "ways_to_fill",
        of_constraints=True,
    ),
    *(
        Technique(name, _SUBSETS, says, _BASIC, function, size)
        for size, word in ((2, "pair"), (3, "triple"), (4, "quad"))
        for name, says, function in (
            (
                f"naked {word}",
                f"{size} cells of a unit have {size} candidates together: no other cell of it has them.",
                "naked_subset",
            ),
            (
                f"hidden {word}",
                f"{size} values have {size} places together in a unit: no other value is there.",
                "hidden_subset",
            ),
        )
    ),
    Technique(
        "two constraints",
        _CONSTRAINTS,
        "A candidate is in no way to fill two constraints that share a cell.",
        _CONSTRAINTS_FILE,
        "two_constraints",
        of_constraints=True,
    ),
    Technique(
        "X-wing",
        _FISH,
        "The places of a value in two rows are in two columns: it is nowhere else in these.",
        _BASIC,
        "fish",
        2,
    ),
    Technique(
        "skyscraper",
        _PATTERNS,
        "A value has two places in each of two rows, one of each in the same column.",
        _PATTERNS_FILE,
        "skyscraper",
    ),
    Technique(
        "two-string kite",
        _PATTERNS,
        "A value has two places in a row and two in a column, one of each in the same box.",
        _PATTERNS_FILE,
        "two_string_kite",
    ),
    Technique(
        "empty rectangle",
        _PATTERNS,
        "A value has two places in a row, and one of them leaves it few places in a box.",
        _PATTERNS_FILE,
        "empty_rectangle",
    ),
    Technique(
        "simple colouring",
        _COLOURS,
        "Pairs of places of a value are coloured in two colours, and one colour is true.",
        _CHAINS_FILE,
        "simple_colouring",
    ),
    Technique(
        "XY-wing",
        _WINGS,
        "A cell with x, y sees a cell with x, z and a cell with y, z: one of these is z.",
        _BASIC,
        "xy_wing",
    ),
    Technique(
        "swordfish",
        _FISH,
        "The places of a value in three rows are in three columns: it is nowhere else in these.",
        _BASIC,
        "fish",
        3,
    ),
    Technique(
        "XYZ-wing",
        _WINGS,
        "A cell with x, y, z sees a cell with x, z and a cell with y, z: one of the three is z.",
        _BASIC,
        "xyz_wing",
    ),
    Technique(
        "W-wing",
        _WINGS,
        "Two cells with x, y each see one of the two places of x in a unit: one of them is y.",
        _PATTERNS_FILE,
        "w_wing",
    ),
    Technique(
        "unique rectangle",
        _UNIQUE,
        "Four cells in a rectangle cannot all be x or y: they could be swapped.",
        _UNIQUENESS_FILE,
        "unique_rectangle",
        assumes_unique=True,
    ),
    Technique(
        "BUG+1",
        _UNIQUE,
        "All blanks but one have two candidates: the value with three places is there.",
        _UNIQUENESS_FILE,
        "bug_plus_one",
        assumes_unique=True,
    ),
    Technique(
        "constraint chain",
        _CONSTRAINTS,
        "A candidate leads in a few steps, by singles and constraints, to a contradiction.",
        _NETS_FILE,
        "constraint_chain",
        of_constraints=True,
    ),
    Technique(
        "finned X-wing",
        _FINS,
        "An X-wing except for some places: the value is in no cell that sees all of these.",
        _PATTERNS_FILE,
        "finned_fish",
        2,
    ),
    Technique(
        "X-chain",
        _CHAINS,
        "A chain of places of one value: at least one of its ends has the value.",
        _CHAINS_FILE,
        "x_chain",
    ),
    Technique(
        "XY-chain",
        _CHAINS,
        "A chain of cells with two candidates: at least one of its ends is true.",
        _CHAINS_FILE,
        "xy_chain",
    ),
    Technique(
        "jellyfish",
        _FISH,
        "The places of a value in four rows are in four columns: it is nowhere else in these.",
        _BASIC,
        "fish",
        4,
    ),
    Technique(
        "finned swordfish",
        _FINS,
        "A swordfish except for some places: the value is in no cell that sees all of these.",
        _PATTERNS_FILE,
        "finned_fish",
        3,
    ),
    Technique(
        "ALS-XZ",
        _ALS,
        "Only one of two almost locked sets can hold x, and then the other one holds z.",
        _LOCKED_SETS_FILE,
        "als_xz",
    ),
    Technique(
        "AIC",
        _CHAINS,
        "A chain through cells with two candidates and units with two places (alternating).",
        _CHAINS_FILE,
        "alternating_chain",
    ),
    Technique(
        "forcing chain",
        _FORCING,
        "Chains from all candidates of a cell, or places in a unit, lead to the same conclusion.",
        _CHAINS_FILE,
        "forcing_chain",
    ),
    Technique(
        "constraint net",
        _CONSTRAINTS,
        "A candidate leads by singles and constraints to a contradiction.",
        _NETS_FILE,
        "constraint_net",
        of_constraints=True,
    ),
    Technique(
        "forcing net contradiction",
        _FORCING,
        "A candidate leads by singles to a contradiction.",
        _NETS_FILE,
        "contradiction_net",
    ),
    Technique(
        "forcing net verity",
        _FORCING,
        "All candidates of a cell, or places in a unit, lead by singles to the same conclusion.",
        _NETS_FILE,
        "verity_net",
    ),
    Technique(
        "nested forcing net",
        _FORCING,
        "A candidate leads to a contradiction by singles and nets within the net.",
        _NETS_FILE,
        "nested_net",
    ),
)
TECHNIQUES = {row.name: row for row in _ROWS}
"""By its name each technique of `hint`, from simple to hard.

>>> TECHNIQUES["W-wing"].family, [name for name, row in TECHNIQUES.items() if row.assumes_unique]
('wings', ['unique rectangle', 'BUG+1'])
"""

# The words for difficulty, each with the hardest technique that it stands for.
_HARDEST = {
    "easy": "hidden single",
    "medium": "hidden triple",
    "hard": "BUG+1",
    "fiendish": "AIC",
    "diabolical": "nested forcing net",
}
# The word for puzzles that the techniques do not solve.
BEYOND = "beyond"
DIFFICULTIES = (*_HARDEST, BEYOND)
"""The words for difficulty, from easy to hard; the last one is for puzzles that the techniques do not solve.

>>> DIFFICULTIES
('easy', 'medium', 'hard', 'fiendish', 'diabolical', 'beyond')
"""

# Source: the default scores of HoDoKu (hodoku.sourceforge.net), where it has the technique.
# Differs: the weights of techniques for constraints and of nested forcing nets are ours.
_WEIGHTS = {
    "naked single": 4,
    "hidden single": 14,
    "thermometer": 30,
    "relation": 30,
    "only way": 30,
    "sum combinations": 50,
    "line sequence": 60,
    "every way": 50,
    "rule of 45": 60,
    "pointing": 50,
    "claiming": 50,
    "constraint pointing": 60,
    "ways to fill": 80,
    "naked pair": 60,
    "hidden pair": 70,
    "naked triple": 80,
    "hidden triple": 100,
    "naked quad": 120,
    "hidden quad": 150,
    "two constraints": 150,
    "X-wing": 140,
    "skyscraper": 130,
    "two-string kite": 150,
    "empty rectangle": 120,
    "simple colouring": 150,
    "XY-wing": 160,
    "swordfish": 150,
    "XYZ-wing": 180,
    "W-wing": 150,
    "unique rectangle": 100,
    "BUG+1": 100,
    "constraint chain": 260,
    "finned X-wing": 130,
    "X-chain": 260,
    "XY-chain": 260,
    "jellyfish": 160,
    "finned swordfish": 200,
    "ALS-XZ": 300,
    "AIC": 280,
    "forcing chain": 500,
    "constraint net": 700,
    "forcing net contradiction": 700,
    "forcing net verity": 700,
    "nested forcing net": 1400,
}


@cache
def _numbers() -> Mapping[str, float]:
    """Return the number of each technique: those of constraints lie between the others, which they do not shift."""
    numbers, whole, more = dict[str, float](), 0, 0
    for row in _ROWS:
        whole, more = (whole, more + 1) if row.of_constraints else (whole + 1, 0)
        numbers[row.name] = round(whole + more / 10, 1) if more else whole
    return numbers


def last_number() -> int:
    """Return the number of the hardest technique.

    >>> last_number()
    32
    """
    return int(max(_numbers().values()))


def difficulty_of(number: float) -> str:
    """Return the word for puzzles whose hardest technique has a number; one above all is that of no technique.

    >>> difficulty_of(TECHNIQUES["X-wing"].number), difficulty_of(last_number() + 1)
    ('hard', 'beyond')
    """
    words = (word for word, name in _HARDEST.items() if number <= _numbers()[name])
    return next(words, BEYOND)


def numbers_of(easiest: str, hardest: str) -> tuple[float, float]:
    """Return the range of numbers of techniques that words for difficulty stand for, both included.

    Raises:
        SudokuError: it is not a word for difficulty, or the first is harder than the second.
    """
    for word in (easiest, hardest):
        if word not in DIFFICULTIES:
            raise SudokuError(f"not a difficulty: {word!r}; choose from {', '.join(DIFFICULTIES)}")
    if DIFFICULTIES.index(easiest) > DIFFICULTIES.index(hardest):
        raise SudokuError(f"difficulty {easiest}-{hardest}: {easiest} is harder than {hardest}")
    numbers = sorted({*_numbers().values(), last_number() + 1})
    fitting = [number for number in numbers if easiest == difficulty_of(number)]
    return min(fitting), max(number for number in numbers if hardest == difficulty_of(number))


def require_technique(name: str) -> Technique:
    """Return the technique of a name.

    Raises:
        SudokuError: there is no such technique; the message lists those that there are.
    """
    if name not in TECHNIQUES:
        from difflib import get_close_matches

        near = "".join(f"; did you mean {match!r}?" for match in get_close_matches(name, TECHNIQUES, n=1))
        raise SudokuError(f"not a technique: {name!r}; there are: {', '.join(TECHNIQUES)}{near}")
    return TECHNIQUES[name]


def choose_techniques(names: Sequence[str] | None = None, assume_unique: bool = False) -> list[Technique]:
    """Return techniques in the order of the table: those of some names, or all that are sound.

    "All" includes those that assume one solution only if `assume_unique`; a named technique is always included.

    Raises:
        SudokuError: there is no technique of a name.
    """
    if names is not None:
        chosen = {require_technique(name).name for name in names}
        return [row for row in TECHNIQUES.values() if row.name in chosen]
    return [row for row in TECHNIQUES.values() if assume_unique or not row.assumes_unique]
