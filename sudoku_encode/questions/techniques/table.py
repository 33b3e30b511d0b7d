"""The techniques of `hint`, from simple to hard. Imports nothing heavy: --help reads this.

To add one: write a `FindDeductions` function in the file of its family, and its row here, in its place by difficulty.
"""

from collections.abc import Iterator, Sequence
from functools import partial
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
            ("relation", "A value of a cell fits none of the next cell on a line, or of a pair.", "relation"),
            ("only way", "One way is left in which a constraint can hold.", "only_way"),
            ("sum combinations", "The values that make the sum of a cage, an arrow or another constraint.", "sums"),
            ("line sequence", "The ways to fill the cells of a line or of a clue beside the grid.", "sequence"),
        )
    ),
    Technique(
        "every way",
        _CONSTRAINTS,
        "Every way in which a constraint can hold excludes the same.",
        _CONSTRAINTS_FILE,
        "every_way",
        of_constraints=True,
    ),
    Technique(
        "pointing",
        _LOCKED,
        "The places of a value in a box are all in one row: nowhere else in the row.",
        _BASIC,
        "pointing",
    ),
    Technique(
        "claiming",
        _LOCKED,
        "The places of a value in a row are all in one box: nowhere else in the box.",
        _BASIC,
        "claiming",
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
                f"{size} values have {size} places together in a unit: nothing else is there.",
                "hidden_subset",
            ),
        )
    ),
    Technique("X-wing", _FISH, "The places of a value in two rows are in two columns.", _BASIC, "fish", 2),
    Technique(
        "skyscraper",
        _PATTERNS,
        "Two rows have two places of a value each, one of both in the same column.",
        _PATTERNS_FILE,
        "skyscraper",
    ),
    Technique(
        "two-string kite",
        _PATTERNS,
        "A row and a column have two places of a value each, one of both in a box.",
        _PATTERNS_FILE,
        "two_string_kite",
    ),
    Technique(
        "empty rectangle",
        _PATTERNS,
        "A row's two places of a value, one of which leaves it few places in a box.",
        _PATTERNS_FILE,
        "empty_rectangle",
    ),
    Technique(
        "simple colouring",
        _COLOURS,
        "A value's pairs of places have two colours, one of which is true.",
        _CHAINS_FILE,
        "simple_colouring",
    ),
    Technique("XY-wing", _WINGS, "A cell of x, y sees one of x, z and one of y, z.", _BASIC, "xy_wing"),
    Technique("swordfish", _FISH, "The places of a value in three rows are in three columns.", _BASIC, "fish", 3),
    Technique("XYZ-wing", _WINGS, "A cell of x, y, z sees one of x, z and one of y, z.", _BASIC, "xyz_wing"),
    Technique(
        "W-wing",
        _WINGS,
        "Two cells of x, y, each seeing one of two places of x: one of them is y.",
        _PATTERNS_FILE,
        "w_wing",
    ),
    Technique(
        "unique rectangle",
        _UNIQUE,
        "Four cells in a rectangle may not all be x or y only.",
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
        "finned X-wing",
        _FINS,
        "An X-wing except for some places; candidates that see all of them go.",
        _PATTERNS_FILE,
        "finned_fish",
        2,
    ),
    Technique(
        "X-chain",
        _CHAINS,
        "A chain of places of one value, one of whose ends has it.",
        _CHAINS_FILE,
        "x_chain",
    ),
    Technique(
        "XY-chain",
        _CHAINS,
        "A chain of cells with two candidates, one of whose ends is true.",
        _CHAINS_FILE,
        "xy_chain",
    ),
    Technique("jellyfish", _FISH, "The places of a value in four rows are in four columns.", _BASIC, "fish", 4),
    Technique(
        "finned swordfish",
        _FINS,
        "A swordfish except for some places; candidates that see all of them go.",
        _PATTERNS_FILE,
        "finned_fish",
        3,
    ),
    Technique(
        "ALS-XZ",
        _ALS,
        "Two almost locked sets, one of which cannot hold x: it holds z, or the other one does.",
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
        "Chains from all candidates of a cell, or places in a unit, lead to the same.",
        _CHAINS_FILE,
        "forcing_chain",
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
        "All candidates of a cell, or places in a unit, lead by singles to the same.",
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
