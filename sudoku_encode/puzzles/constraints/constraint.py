"""A constraint as a value, and the class from which the kinds of constraints are made."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.geometry import Geometry

if TYPE_CHECKING:
    from sudoku_encode.puzzles.constraints.primitives import Primitive

# The values of all cells of a grid.
Values = Sequence[int]
# The least and the most lists, or cells of a list; None for any number.
Size = tuple[int, int | None]
# The least and the most that a sum may be; None for no limit.
Bounds = tuple[int | None, int | None]

ANY: Size = (1, None)
NO_CELLS: Size = (0, 0)
PAIR: tuple[Size, ...] = ((2, 2),)
LINE: tuple[Size, ...] = ((2, None),)
UNBOUNDED: Bounds = (None, None)


@dataclass(frozen=True)
class Constraint:
    """A condition on the cells of a solution.

    Attributes:
        kind: a key of CONSTRAINTS.
        cells: lists of cells; the kind defines their meaning.
        numbers: such as the sum of a cage.
        expression: of a kind that has one.
        alternatives: of a kind that has them: lists of constraints, of which all of at least one list hold.
        bounds: the least and the most that stand for the first number, as in `sum >=12 r1c1 r1c2`; None for no limit.

    >>> from sudoku_encode import board
    >>> Constraint("cage", ((0, 1, 9),), (15,)).text(board("9x9"))
    'cage 15 r1c1 r1c2 r2c1'
    >>> Constraint("sum", ((0, 1),), bounds=(12, None)).text(board("9x9"))
    'sum >=12 r1c1 r1c2'
    """

    kind: str
    cells: tuple[tuple[int, ...], ...] = ()
    numbers: tuple[int, ...] = ()
    expression: str = ""
    alternatives: "tuple[tuple[Constraint, ...], ...]" = ()
    bounds: Bounds = UNBOUNDED

    @property
    def words(self) -> tuple[str, ...]:
        """The numbers as text, the bounds before them: `>=12`, `<=12` or `12-20`."""
        least, most = self.bounds
        signed = f"<={most}" if least is None else f">={least}" if most is None else f"{least}-{most}"
        return (*([signed] if self.bounds != UNBOUNDED else []), *map(str, self.numbers))

    def raised(self, amount: int) -> "Constraint":
        """Return the constraint with a larger first number, or larger bounds in its place."""
        if self.bounds != UNBOUNDED:
            least, most = (None if bound is None else bound + amount for bound in self.bounds)
            return replace(self, bounds=(least, most))
        return replace(self, numbers=(self.numbers[0] + amount, *self.numbers[1:])) if self.numbers else self

    def text(self, board: Geometry) -> str:
        """Return the line that `parse` reads back as this constraint."""
        if self.alternatives:
            texts = (" & ".join(part.text(board) for part in together) for together in self.alternatives)
            return f"{self.kind} {' | '.join(texts)}"
        lists = [" ".join(_range(board, run) for run in neighbours.runs(board, cells)) for cells in self.cells]
        head = [self.kind, f"{self.expression}:"] if self.expression else [self.kind, *self.words]
        return " ".join([*head, *([" / ".join(lists)] if lists else [])])

    @property
    def last_cell(self) -> int:
        """The last cell that the constraint or one of its alternatives names; -1 if it names no cell."""
        last = max([max(cells) for cells in self.cells if cells], default=-1)
        if not self.alternatives:
            return last
        return max([last, *(part.last_cell for together in self.alternatives for part in together)])

    def n_hidden(self, board: Geometry) -> int:
        """Return how many hidden cells there are if the constraint names the last of them."""
        return max(self.last_cell + 1 - board.n_grid, 0)


def _range(board: Geometry, run: tuple[int, ...]) -> str:
    first = board.cell_name(run[0])
    return first if len(run) == 1 else f"{first}-{board.cell_name(run[-1])}"


# The description of a kind besides its meaning: its picture, its names in other formats, and how it is placed.


class Look(NamedTuple):
    """The look of the line or the fill that stands for constraints of a kind; lengths are in sides of a cell."""

    # Its place in the order in which looks are painted: those with a higher number first. Wide lines are below narrow
    # ones, so that both are visible where they overlap; those above 550 are below the lines between cells.
    depth: int
    stroke: str = ""  # colour of the line; empty for a fill
    width: float = 0.0  # of the line
    # The lengths of a dash and the gap after it, and so on in turn; empty for a solid line.
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0  # from 0 to 1; shapes below show through
    round: bool = False  # whether the line has round ends and corners
    fill: str = ""  # colour of a fill; empty for a line


class Picture(NamedTuple):
    """How constraints of a kind are drawn."""

    says: str  # what is drawn
    draw: str  # the name of the drawing, a key of `render.constraint_drawings.CONSTRAINT_DRAWINGS`
    # Of the line or the fill with the name of the kind; None if the drawing has looks of its own.
    look: Look | None = None
    about: str = ""  # the purpose of the look, in a few words
    # The name of the sample in the legend, a key of `render.constraint_drawings.SAMPLES`, for a kind that is not
    # obvious from its drawing.
    legend: str = ""
    sign: str = ""  # what distinguishes it from drawings of the same name: the frame of a clue, or a sign at a number
    corner: Callable[[Sequence[str]], str] = "".join  # from the numbers, as text, to the text in the corner of a cage
    sample_text: str = ""  # the text in the corner of the sample of a cage
    # Whether each constraint has a letter of its own in all its lists of cells, which belong together.
    has_letters: bool = False


class FPuzzlesKey(NamedTuple):
    """The key of f-puzzles objects under which constraints of a kind are."""

    key: str  # the key; for the form `negative` the word in the list of that key
    form: str  # the form of its value, a key of `formats.f_puzzles_keys.USED_BY_FORM`, `flag` or `negative`
    has_value: bool = False  # whether an object may have a number, `value`
    # Whether the order of the cells has no meaning, so that a cell that is listed twice counts once.
    is_set: bool = False
    colour: str = ""  # of a line that the site itself does not know: programs draw it as a picture for the site


class IssType(NamedTuple):
    """A type of ISS strings, those of Interactive Sudoku Solver, that stands for constraints of a kind."""

    type: str  # its name
    # The form of its arguments, a key of FORMS in `formats.iss_constraints` if the type is read, and in
    # `formats.iss_writing` if it is written.
    form: str
    # Of the constraint, if the type says them by its name; for the form `numbered` the default.
    numbers: tuple[int, ...] = ()


class Placing(NamedTuple):
    """How `generate --with` finds constraints of a kind that a random solution satisfies."""

    form: str  # `walk`, a line of cells that touch; `pair`, `cell`, `cage` or `diagonal`
    lengths: tuple[int, int] = (0, 0)  # the least and the largest number of cells of a walk
    is_odd: bool = False  # whether a walk has an odd number of cells
    # The numbers that a pair may have, in the order in which they are tried.
    numbers: tuple[tuple[int, ...], ...] = ((),)


@dataclass(frozen=True, eq=False)
class BoundConstraint:
    """A constraint on its board. Each kind of constraint is a class of its own, and says all about the kind.

    Help, documentation, reading, writing, pictures and errors follow from the class attributes, and every method of
    solving from `violated`, the definition, and `lower`, the primitives that hold together in exactly the other grids.
    """

    board: Geometry  # the board of the puzzle
    constraint: Constraint  # its kind, cells and numbers
    # All constraints of the puzzle, since negative constraints leave out the pairs that others mark.
    others: tuple[Constraint, ...] = field(default=(), repr=False)
    first_hidden: int = 0  # the first hidden cell of the constraint's own, if it has any; see `own_hidden_cells`

    name: ClassVar[str]  # of the kind; the text of a constraint begins with it
    summary: ClassVar[str]  # the meaning of the kind, in a line
    form: ClassVar[str]  # the form of its text
    example: ClassVar[str]  # a constraint on the board `example_board`
    aliases: ClassVar[tuple[str, ...]] = ()  # other names that are read
    n_numbers: ClassVar[tuple[int, int]] = (0, 0)  # the least and the most numbers
    has_bounds: ClassVar[bool] = False  # whether bounds may stand for the first number
    # The name of the kind that it becomes if cells have coefficients, as in `r1c1*2`; empty if they cannot.
    weighted: ClassVar[str] = ""
    n_lists: ClassVar[Size] = (1, 1)  # the least and the most lists of cells
    # The least and the most cells of each list; the last one is for all lists that follow.
    n_cells: ClassVar[tuple[Size, ...]] = (ANY,)
    repeats: ClassVar[bool] = False  # whether a cell may be in a list twice
    has_expression: ClassVar[bool] = False  # whether it has an expression and a colon in place of numbers
    has_alternatives: ClassVar[bool] = False  # whether it has other constraints in place of numbers and cells
    # Whether it only compares values, or ranks them, so that it means the same where they begin at 0.
    compares: ClassVar[bool] = False
    # A property of the board: `lines` (rows and columns, also of a cube), `grid` (of a rectangle), `boxes`.
    needs: ClassVar[str] = ""
    # Whether `lower` looks at the board, although the kind names cells and needs no property.
    depends_on_board: ClassVar[bool] = False
    # Whether constraints that differ only in their cells share primitives; see `templates`. It is not worth it where
    # `lower` yields sums and units.
    has_template: ClassVar[bool] = True
    decides_hidden_cells: ClassVar[bool] = False  # whether `hidden_values` is quick, however many cells it is asked for
    example_board: ClassVar[str] = "9x9"  # the name of the board of the example
    picture: ClassVar[Picture | None] = None  # how it is drawn; None if it is written below the picture
    f_puzzles: ClassVar[FPuzzlesKey | None] = None  # its key in f-puzzles objects; None if these do not have it
    iss: ClassVar[tuple[IssType, ...]] = ()  # the types of ISS strings that stand for it; the first is written
    placing: ClassVar[Placing | None] = None  # how it is placed at random; None if it is not

    # The meaning of the kind.

    def violated(self, values: Values) -> bool:
        """Check whether a full grid breaks the constraint: the definition, in plain Python."""
        raise NotImplementedError

    def hidden_values(self, values: list[int], cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the values of some hidden cells with which a grid does not break the constraint: by default try all.

        The grid, whose other hidden cells of the constraint are known, is changed meanwhile.
        """
        for filling in product(range(1, self.n + 1), repeat=len(cells)):
            for cell, value in zip(cells, filling, strict=True):
                values[cell] = value
            if not self.violated(values):
                yield filling

    def lower(self) -> "Iterable[Primitive]":
        """Yield primitives that hold together in exactly the grids that do not break the constraint."""
        raise NotImplementedError

    def primitives(self) -> "Sequence[Primitive]":
        """Return the primitives of the constraint.

        Raises:
            FormatError: there are too many, or they are too large.
        """
        # Imported here: puzzles with givens alone, which are most, do without the primitives.
        from sudoku_encode.puzzles.constraints.templates import placed_templates

        try:
            return [primitive for part in placed_templates(self) for primitive in part.primitives()]
        except FormatError as error:
            raise FormatError(f"{self.name}: {error.message}") from error

    def own_hidden_cells(self) -> int:
        """Return how many hidden cells, which nothing else names, `lower` uses from `first_hidden` on."""
        return 0

    def with_own_hidden_cells(self, board: Geometry, first: int) -> "BoundConstraint":
        """Return the constraint on a board with all hidden cells of a puzzle, where its own begin with the first."""
        return replace(self, board=board, first_hidden=first)

    def scope(self) -> Iterable[int]:
        """Yield the cells on whose values the constraint depends, in any order: by default those that it names."""
        for cells in self.lists:
            yield from cells

    def unfit(self) -> str:
        """Return why the constraint cannot be on its board, if the numbers above do not say it; empty if it can."""
        return ""

    def impossible(self) -> str:
        """Return why no values satisfy the constraint, by its numbers alone; an empty text if some may.

        Such a constraint is refused, except as one of several alternatives.
        """
        return ""

    def from_zero(self) -> Iterable[Constraint]:
        """Return the constraints on values from 1 that equal this one on values from 0, where each value is one less.

        Raises:
            FormatError: it has no meaning there, no values satisfy it, or it is too large; the message says why.
        """
        if not self.compares:
            raise FormatError("it has no meaning with values from 0")
        return (self.constraint,)

    def require_fit(self) -> None:
        """Check that the constraint can be on its board; see `unfit`.

        Raises:
            FormatError: it cannot.
        """
        if reason := self.unfit():
            raise FormatError(reason)

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        """Check whether a line of some length can begin with these values, or be them: for walks of `placing`."""
        raise NotImplementedError

    @property
    def from_one(self) -> "tuple[BoundConstraint, ...]":
        """The constraints on values from 1 that say the same: itself, unless the values of its board begin at 0."""
        return (self,)

    # The text of the constraint.

    @property
    def n(self) -> int:
        """The largest value."""
        return self.board.n_values

    @property
    def cells(self) -> tuple[int, ...]:
        """The first list of cells; most kinds have one."""
        return self.constraint.cells[0]

    @property
    def lists(self) -> tuple[tuple[int, ...], ...]:
        """All lists of cells."""
        return self.constraint.cells

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers before the cells."""
        return self.constraint.numbers

    def number(self, default: int) -> int:
        """Return the first number, by default the given one."""
        return self.constraint.numbers[0] if self.constraint.numbers else default

    @property
    def bounds(self) -> Bounds:
        """The least and the most that the first number allows: itself, or the bounds in its place."""
        if self.constraint.bounds == UNBOUNDED and self.numbers:
            return self.numbers[0], self.numbers[0]
        return self.constraint.bounds

    def fits(self, least: int, most: int | None = None) -> bool:
        """Check whether the bounds contain a number, or any number from `least` to `most`."""
        low, high = self.bounds
        return (low is None or low <= (least if most is None else most)) and (high is None or least <= high)

    def limits(self, most: int) -> tuple[int, int]:
        """Return the bounds as numbers, by default 0 and the given one."""
        low, high = self.bounds
        return 0 if low is None else low, most if high is None else high

    def wrong_range(self, noun: str, least: int, most: int) -> str:
        """Return why the first number cannot be from `least` to `most`; an empty text if it can."""
        return (
            ""
            if self.fits(least, most)
            else f"impossible {noun} {self.constraint.words[0]}: expected {least} to {most}"
        )

    def in_list(self, values: Values) -> list[int]:
        """Return the values of the cells of the first list, in their order."""
        return [values[cell] for cell in self.constraint.cells[0]]

    # The board of the constraint.

    @cached_property
    def scope_cells(self) -> tuple[int, ...]:
        """The cells on whose values the constraint depends, ascending."""
        return tuple(sorted(set(self.scope())))

    @cached_property
    def neighbours(self) -> tuple[tuple[int, int], ...]:
        """The pairs of cells of the board that share an edge."""
        return neighbours.neighbours(self.board)

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        """For each cell the number of its box, or of its region on a jigsaw; -1 for a cell in none."""
        number_of = [-1] * self.board.n_cells
        for rule in self.board.rules:
            if rule.name in ("box", "region"):
                for number, unit in enumerate(rule.units.tolist()):
                    for cell in unit:
                        number_of[cell] = number
        return tuple(number_of)

    def differ(self, cells: Sequence[int]) -> bool:
        """Check whether some unit of the board contains all of these cells, so that their values differ."""
        return self.board.differ(cells)

    def marked(self, *kinds: str) -> set[tuple[int, int]]:
        """Return the pairs of cells, smaller first, that constraints of some kinds name."""
        return {
            (min(cells), max(cells))
            for other in self.others
            if other.kind in kinds
            for cells in other.cells
            if len(cells) == 2
        }

    def not_values(self, numbers: Iterable[int]) -> str:
        """Return which of some numbers is not a value of the board; an empty text if all are."""
        first, last = self.board.first, self.board.last
        wrong = next((number for number in numbers if not first <= number <= last), None)
        return "" if wrong is None else f"not a value: {wrong} ({first} to {last})"


@dataclass(frozen=True, eq=False)
class FromZero(BoundConstraint):
    """A constraint on a board whose values begin at 0: its numbers are those that people read."""

    # The constraints that say the same about values from 1; see `from_zero`.
    translated: tuple[BoundConstraint, ...] = field(kw_only=True)

    has_template = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.constraint.kind)
        decides = len(self.translated) == 1 and self.translated[0].decides_hidden_cells
        object.__setattr__(self, "decides_hidden_cells", decides)

    @property
    def from_one(self) -> tuple[BoundConstraint, ...]:
        return self.translated

    def violated(self, values: Values) -> bool:
        return any(part.violated(values) for part in self.translated)

    def lower(self) -> "Iterator[Primitive]":
        """Yield the primitives of the parts."""
        for part in self.translated:
            yield from part.primitives()

    def hidden_values(self, values: list[int], cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the values that satisfy the part, if there is one only."""
        (part, *more) = self.translated
        yield from super().hidden_values(values, cells) if more else part.hidden_values(values, cells)

    def own_hidden_cells(self) -> int:
        """Return the number of the parts; where it is not 0, there is one part."""
        return sum(part.own_hidden_cells() for part in self.translated)

    def with_own_hidden_cells(self, board: Geometry, first: int) -> BoundConstraint:
        """Return the constraint with parts on the same board with values from 1."""
        parts = tuple(part.with_own_hidden_cells(board.from_one, first) for part in self.translated)
        return replace(self, board=board, first_hidden=first, translated=parts)

    def scope(self) -> Iterator[int]:
        for part in self.translated:
            yield from part.scope()


def rank(value: int, n: int) -> int:
    """Return 0 for a low value of those from 1 to n, 1 for a middle one and 2 for a high one.

    There are as many low as high ones. If n is not a multiple of 3, low and high take n / 3, rounded to the nearest.

    >>> [rank(value, 9) for value in range(1, 10)], [rank(value, 4) for value in range(1, 5)]
    ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 1, 2])
    """
    third = (n + 1) // 3
    return 0 if value <= third else 2 if value > n - third else 1
