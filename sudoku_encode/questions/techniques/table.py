"""The techniques, from simple to hard: what each is called, what it says, and where it is.

To add one: write a function from `papers.marks.Marks` and a tick to deductions, as `papers.techniques` says, into the
file of its family, and add its row here, in its place by difficulty. Light: what lists the techniques loads none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.papers.techniques import Technique as Function

_BASIC = "sudoku_encode.papers.techniques"
_HERE = "sudoku_encode.questions.techniques"


@dataclass(frozen=True)
class Technique:
    """A row of the table.

    Attributes:
        name: what it is called.
        family: which techniques it is kin to.
        says: what it does, in one line.
        module: the full name of the module that has it.
        function: its name there.
        arguments: what the function takes before the marks, such as the size of a subset.
        assumes_unique: whether it takes for granted that the puzzle has one solution.
    """

    name: str
    family: str
    says: str
    module: str
    function: str
    arguments: tuple[Any, ...] = ()
    assumes_unique: bool = False

    def load(self) -> "Function":
        """Return the function from marks and a tick to deductions."""
        function = getattr(import_module(self.module), self.function)
        return partial(function, *self.arguments) if self.arguments else function


_SINGLES, _LOCKED, _SUBSETS, _FISH, _WINGS = "singles", "locked candidates", "subsets", "fish", "wings"
_ROWS = (
    Technique("naked single", _SINGLES, "A cell has one candidate left.", _BASIC, "naked_single"),
    Technique("hidden single", _SINGLES, "A value has one place left in a unit.", _BASIC, "hidden_single"),
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
            (f"naked {word}", f"{size} cells of a unit have {size} candidates: nobody else has them.", "naked_subset"),
            (f"hidden {word}", f"{size} values have {size} places in a unit: nothing else is there.", "hidden_subset"),
        )
    ),
    Technique("X-wing", _FISH, "The places of a value in 2 rows are in 2 columns.", _BASIC, "fish", (2,)),
    Technique("XY-wing", _WINGS, "A cell of x, y sees one of x, z and one of y, z.", _BASIC, "xy_wing"),
    Technique("swordfish", _FISH, "The places of a value in 3 rows are in 3 columns.", _BASIC, "fish", (3,)),
    Technique("XYZ-wing", _WINGS, "A cell of x, y, z sees one of x, z and one of y, z.", _BASIC, "xyz_wing"),
)
TECHNIQUES: Mapping[str, Technique] = {row.name: row for row in _ROWS}


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
