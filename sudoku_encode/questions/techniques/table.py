"""The techniques, from simple to hard: what each is called, what it says, and where it is.

To add one: write a function from `papers.marks.Marks` and a tick to deductions, as `papers.techniques` says, into the
file of its family, and add its row here, in its place by difficulty. Light: what lists the techniques loads none.
"""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.papers.techniques import Technique as Function

_BASIC = "sudoku_encode.papers.techniques"
_HERE = "sudoku_encode.questions.techniques"


class Technique(NamedTuple):
    """A row of the table.

    Attributes:
        name: what it is called.
        family: which techniques it is kin to.
        says: what it does, in one line.
        module: the full name of the module that has it.
        function: its name there.
        arguments: what the function takes before the marks, such as the size of a subset.
        assumes_unique: whether it takes for granted that the puzzle has one solution.
        of_constraints: whether it finds something only where there are constraints besides units.
    """

    name: str
    family: str
    says: str
    module: str
    function: str
    arguments: tuple[Any, ...] = ()
    assumes_unique: bool = False
    of_constraints: bool = False

    def load(self) -> "Function":
        """Return the function from marks and a tick to deductions."""
        function = getattr(import_module(self.module), self.function)
        return partial(function, *self.arguments) if self.arguments else function


_SINGLES, _LOCKED, _SUBSETS, _FISH, _FINS = "singles", "locked candidates", "subsets", "fish", "fish with fins"
_WINGS, _PATTERNS, _COLOURS, _CHAINS = "wings", "patterns of one value", "colouring", "chains"
_ALS, _UNIQUE, _FORCING, _CONSTRAINTS = "almost locked sets", "uniqueness", "forcing", "constraints"
_ROWS = (
    Technique("naked single", _SINGLES, "A cell has one candidate left.", _BASIC, "naked_single"),
    Technique("hidden single", _SINGLES, "A value has one place left in a unit.", _BASIC, "hidden_single"),
    *(
        Technique(name, _CONSTRAINTS, says, f"{_HERE}.constraints", function, of_constraints=True)
        for name, says, function in (
            ("relation", "A value of a cell fits none of the next cell on a line, or of a pair.", "relation"),
            ("only way", "One way is left in which a constraint can hold.", "only_way"),
            ("sum combinations", "The values that make the sum of a cage, an arrow or another constraint.", "sums"),
            ("line sequence", "The ways to fill the cells of a line or of a clue beside the grid.", "sequence"),
        )
    ),
    Technique(
        *("every way", _CONSTRAINTS, "What every way in which a constraint can hold excludes."),
        *(f"{_HERE}.every_way", "every_way"),
        of_constraints=True,
    ),
    Technique(
        *("pointing", _LOCKED, "The places of a value in a box are all in one row: nowhere else in the row."),
        *(_BASIC, "pointing"),
    ),
    Technique(
        *("claiming", _LOCKED, "The places of a value in a row are all in one box: nowhere else in the box."),
        *(_BASIC, "claiming"),
    ),
    *(
        Technique(name, _SUBSETS, says, _BASIC, function, (size,))
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
    Technique("X-wing", _FISH, "The places of a value in two rows are in two columns.", _BASIC, "fish", (2,)),
    Technique(
        *("skyscraper", _PATTERNS, "Two rows have two places of a value each, one of both in the same column."),
        *(f"{_HERE}.patterns", "skyscraper"),
    ),
    Technique(
        *("two-string kite", _PATTERNS, "A row and a column have two places of a value each, one of both in a box."),
        *(f"{_HERE}.patterns", "two_string_kite"),
    ),
    Technique(
        *("empty rectangle", _PATTERNS, "A row's two places of a value, one of which leaves it few places in a box."),
        *(f"{_HERE}.patterns", "empty_rectangle"),
    ),
    Technique(
        *("simple colouring", _COLOURS, "A value's pairs of places have two colours, one of which is true."),
        *(f"{_HERE}.colouring", "simple_colouring"),
    ),
    Technique("XY-wing", _WINGS, "A cell of x, y sees one of x, z and one of y, z.", _BASIC, "xy_wing"),
    Technique("swordfish", _FISH, "The places of a value in three rows are in three columns.", _BASIC, "fish", (3,)),
    Technique("XYZ-wing", _WINGS, "A cell of x, y, z sees one of x, z and one of y, z.", _BASIC, "xyz_wing"),
    Technique(
        *("W-wing", _WINGS, "Two cells of x, y, each seeing one of two places of x: one of them is y."),
        *(f"{_HERE}.wings", "w_wing"),
    ),
    Technique(
        *("unique rectangle", _UNIQUE, "Four cells in a rectangle may not all be x or y only."),
        *(f"{_HERE}.uniqueness", "unique_rectangle"),
        assumes_unique=True,
    ),
    Technique(
        *("BUG+1", _UNIQUE, "All blanks but one have two candidates: the value with three places is there."),
        *(f"{_HERE}.uniqueness", "bug_plus_one"),
        assumes_unique=True,
    ),
    Technique(
        *("finned X-wing", _FINS, "An X-wing but for some places, which what goes sees."),
        *(f"{_HERE}.fins", "finned_fish", (2,)),
    ),
    Technique(
        *("X-chain", _CHAINS, "A chain of places of one value, one of whose ends has it."),
        *(f"{_HERE}.chains", "x_chain"),
    ),
    Technique(
        *("XY-chain", _CHAINS, "A chain of cells with two candidates, one of whose ends is true."),
        *(f"{_HERE}.chains", "xy_chain"),
    ),
    Technique("jellyfish", _FISH, "The places of a value in four rows are in four columns.", _BASIC, "fish", (4,)),
    Technique(
        *("finned swordfish", _FINS, "A swordfish but for some places, which what goes sees."),
        *(f"{_HERE}.fins", "finned_fish", (3,)),
    ),
    Technique(
        *("ALS-XZ", _ALS, "Two almost locked sets, one of which cannot hold x: it holds z, or the other one does."),
        *(f"{_HERE}.almost_locked", "als_xz"),
    ),
    Technique(
        *("AIC", _CHAINS, "A chain through cells with two candidates and units with two places (alternating)."),
        *(f"{_HERE}.chains", "alternating_chain"),
    ),
    Technique(
        *("forcing chain", _FORCING, "Chains from all candidates of a cell, or places in a unit, lead to the same."),
        *(f"{_HERE}.forcing", "forcing_chain"),
    ),
    Technique(
        *("forcing net contradiction", _FORCING, "A candidate leads by singles to a contradiction."),
        *(f"{_HERE}.nets", "contradiction_net"),
    ),
    Technique(
        *(
            "forcing net verity",
            _FORCING,
            "All candidates of a cell, or places in a unit, lead by singles to the same.",
        ),
        *(f"{_HERE}.nets", "verity_net"),
    ),
    Technique(
        *("nested forcing net", _FORCING, "A candidate leads to a contradiction by singles and nets within the net."),
        *(f"{_HERE}.nets", "nested_net"),
    ),
)
TECHNIQUES = {row.name: row for row in _ROWS}
"""By its name each technique of `hint`, from simple to hard.

>>> TECHNIQUES["W-wing"].family, [name for name, row in TECHNIQUES.items() if row.assumes_unique]
('wings', ['unique rectangle', 'BUG+1'])
"""


def find(name: str) -> Technique:
    """Return the technique of a name.

    Raises:
        SudokuError: there is none; it lists those that there are.
    """
    if name not in TECHNIQUES:
        from difflib import get_close_matches

        near = "".join(f"; did you mean {like!r}?" for like in get_close_matches(name, TECHNIQUES, n=1))
        raise SudokuError(f"{name!r} is no technique; there are: {', '.join(TECHNIQUES)}{near}")
    return TECHNIQUES[name]


def chosen(names: Sequence[str] | None = None, assume_unique: bool = False) -> list[Technique]:
    """Return techniques in the order of the table: those of some names, or all that may be used.

    Args:
        names: of the techniques that are wanted; None for all.
        assume_unique: whether those that take one solution for granted are among all. One that is named is always.

    Raises:
        SudokuError: a name is none.
    """
    if names is not None:
        wanted = {find(name).name for name in names}
        return [row for row in TECHNIQUES.values() if row.name in wanted]
    return [row for row in TECHNIQUES.values() if assume_unique or not row.assumes_unique]
