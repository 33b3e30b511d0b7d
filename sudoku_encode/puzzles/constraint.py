"""Constraints: conditions on a solution besides that the cells of each unit differ.

A constraint is a value: its kind, a key of CONSTRAINTS, and the cells and numbers that it names. Its text is one line,
such as `cage 15 r1c1 r1c2 r2c1` or `arrow r1c1 / r1c2 r1c3`: the kind, its numbers, and lists of cells with `/` between
them. `r1c1-r1c9` are all cells of a straight line. Some kinds have an expression instead of numbers, and a colon after
it: `relation |a-b| >= 5: r1c1 r1c2`. The kind `either` has other constraints: `either odd r1c1 | even r1c1 & odd r1c2`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from importlib import import_module
from types import ModuleType

from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraint_kinds import CONSTRAINTS, Kind
from sudoku_encode.puzzles.geometry import Geometry

# The text of alternatives: `|` stands between them, and `&` between constraints that hold together.


def split(text: str) -> list[list[str]]:
    """Return the lines of constraints of each alternative.

    Both signs are words of their own. In an expression, which goes up to its colon, they mean what they mean there.

    Raises:
        FormatError: there is no constraint where there should be one.

    >>> split("cage 7 r1c1 r1c2 & odd r1c1 | relation |a-b| > 2: r1c1-r1c3")
    [['cage 7 r1c1 r1c2', 'odd r1c1'], ['relation |a-b| > 2: r1c1-r1c3']]
    """
    alternatives: list[list[list[str]]] = [[[]]]
    in_expression = False
    for word in text.split():
        line = alternatives[-1][-1]
        if in_expression:
            in_expression = ":" not in word
        elif not line and word in CONSTRAINTS:
            in_expression = CONSTRAINTS[word].has_expression
        if word == "|" and not in_expression:
            alternatives.append([[]])
        elif word == "&" and not in_expression:
            alternatives[-1].append([])
        else:
            line.append(word)
    if not all(line for lines in alternatives for line in lines):
        raise FormatError(
            "a constraint is missing beside | or &; write either CONSTRAINT & ... | CONSTRAINT & ... | ..."
        )
    return [[" ".join(line) for line in lines] for lines in alternatives]


_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)
# The values of all cells of a grid.
Values = Sequence[int]


@dataclass(frozen=True)
class Constraint:
    """A condition on the cells of a solution.

    Attributes:
        kind: a key of CONSTRAINTS.
        cells: lists of cells; the kind defines their meaning.
        numbers: such as the sum of a cage.
        expression: of a kind that has one.
        alternatives: of a kind that has them: lists of constraints, of which all of at least one list hold.

    >>> from sudoku_encode import board
    >>> Constraint("cage", ((0, 1, 9),), (15,)).text(board("9x9"))
    'cage 15 r1c1 r1c2 r2c1'
    """

    kind: str
    cells: tuple[tuple[int, ...], ...] = ()
    numbers: tuple[int, ...] = ()
    expression: str = ""
    alternatives: "tuple[tuple[Constraint, ...], ...]" = ()

    def text(self, board: Geometry) -> str:
        """Return the line that `parse` reads back as this constraint."""
        if self.alternatives:
            texts = (" & ".join(part.text(board) for part in together) for together in self.alternatives)
            return f"{self.kind} {' | '.join(texts)}"
        lists = [" ".join(_range(board, run) for run in neighbours.runs(board, cells)) for cells in self.cells]
        head = [self.kind, f"{self.expression}:"] if self.expression else [self.kind, *map(str, self.numbers)]
        return " ".join([*head, *([" / ".join(lists)] if lists else [])])


@dataclass(frozen=True, eq=False)
class BoundConstraint:
    """A constraint on its board, for the functions of its kind.

    Attributes:
        board: the board of the puzzle.
        constraint: its kind, cells and numbers.
        others: all constraints of the puzzle, since negative constraints leave out the pairs that others mark.
    """

    board: Geometry
    constraint: Constraint
    others: tuple[Constraint, ...] = field(default=(), repr=False)

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

    @cached_property
    def neighbours(self) -> tuple[tuple[int, int], ...]:
        """The pairs of cells of the board that share an edge."""
        return neighbours.neighbours(self.board)

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        """For each cell the number of its box, or of its region on a jigsaw."""
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


@cache
def functions(kind: str) -> ModuleType:
    """Return the module that defines a kind: `violated`, and `lower` to primitives."""
    return import_module(f"sudoku_encode.constraints.{kind.replace('-', '_')}")


def bind(board: Geometry, constraints: Sequence[Constraint]) -> list[BoundConstraint]:
    """Return the constraints of a puzzle on their board."""
    return [BoundConstraint(board, constraint, tuple(constraints)) for constraint in constraints]


def is_violated(constraint: BoundConstraint, values: Values) -> bool:
    """Check whether a full grid breaks a constraint, by its definition.

    Args:
        constraint: the constraint on its board.
        values: of all cells of the grid.
    """
    return bool(functions(constraint.constraint.kind).violated(constraint, values))


def cells_of(constraint: BoundConstraint) -> tuple[int, ...]:
    """Return the cells on whose values a constraint depends, ascending."""
    module = functions(constraint.constraint.kind)
    if hasattr(module, "scope"):
        return tuple(sorted(set(module.scope(constraint))))
    return tuple(sorted({cell for cells in constraint.lists for cell in cells}))


def parse(text: str, board: Geometry) -> Constraint:
    """Return the constraint of a line of text.

    Raises:
        FormatError: the text is not a constraint; the message says what would be right.

    >>> from sudoku_encode import board
    >>> parse("thermometer r1c1-r1c3", board("9x9"))
    Constraint(kind='thermometer', cells=((0, 1, 2),), numbers=(), expression='', alternatives=())
    """
    constraint = _parsed(text, board)
    if reason := constraint_fault(constraint, board):
        raise FormatError(f"{constraint.kind}: {reason}")
    return constraint


def _parsed(text: str, board: Geometry) -> Constraint:
    """Return the constraint of a line of text, whether or not it fits the board."""
    name, _, rest = text.strip().partition(" ")
    if name not in CONSTRAINTS:
        raise FormatError(unknown(name))
    kind, expression = CONSTRAINTS[name], ""
    if kind.has_alternatives:
        try:
            alternatives = tuple(tuple(_parsed(line, board) for line in lines) for lines in split(rest))
        except FormatError as error:
            raise FormatError(f"{name}: {error.message}") from error
        return Constraint(name, alternatives=alternatives)
    if kind.has_expression:
        expression, colon, rest = rest.rpartition(":")
        expression = " ".join(expression.split())
        if not (colon and expression):
            raise FormatError(f"{name} needs an expression and a colon before its cells: {kind.form}")
    head, *more = rest.replace("/", " / ").split(" / ")
    words = head.split()
    numbers: list[int] = []
    while words and _NUMBER.fullmatch(words[0]) and not kind.has_expression:
        numbers.append(int(words.pop(0)))
    lists = [tuple(_cells(name, part, board)) for part in [words, *(part.split() for part in more)]]
    if lists == [()]:
        lists = []
    return Constraint(name, tuple(lists), tuple(numbers), expression)


def parse_all(lines: Iterable[str], board: Geometry) -> tuple[Constraint, ...]:
    """Return the constraints of some lines of text, each once, in their order; raises as `parse`."""
    return tuple(dict.fromkeys(parse(line, board) for line in lines))


# The constraints that were checked last, and their board: bulk readers and searches make many puzzles of one tuple.
_last_fitting: list[tuple[Geometry, tuple[Constraint, ...]]] = []


def checked_constraints(constraints: Iterable[Constraint | str], board: Geometry) -> tuple[Constraint, ...]:
    """Return constraints, or those of lines of text, each once.

    Raises:
        FormatError: one does not fit the board, or is neither a constraint nor a line of text.
    """
    for last_board, last in _last_fitting:
        if constraints is last and board is last_board:
            return last
    if isinstance(constraints, str) or not isinstance(constraints, Iterable):
        raise FormatError(f"constraints={short(repr(constraints))} is not a list; expected one such as ['odd r1c1']")
    distinct = tuple({_checked(constraint, board): None for constraint in constraints})
    if isinstance(constraints, tuple) and constraints == distinct:
        # The same tuple is recognized next time.
        distinct = constraints
    _last_fitting[:] = [(board, distinct)]
    return distinct


def _checked(constraint: Constraint | str, board: Geometry) -> Constraint:
    """Return a constraint that fits a board, given itself or by its text."""
    if isinstance(constraint, str):
        return parse(constraint, board)
    if not isinstance(constraint, Constraint):
        raise FormatError(f"{short(repr(constraint))} is not a constraint; expected one, or its text: 'odd r1c1'")
    if constraint.kind not in CONSTRAINTS:
        raise FormatError(unknown(constraint.kind))
    if reason := constraint_fault(constraint, board):
        raise FormatError(f"{constraint.kind}: {reason}")
    return constraint


def unknown(name: str) -> str:
    """Return the message that there is no constraint of a name, with the nearest one."""
    from difflib import get_close_matches

    near = get_close_matches(name, CONSTRAINTS, n=1)
    hint = f"did you mean {near[0]}? All are" if near else "choose from"
    return f"no constraint is called {short(name, 30)!r}; {hint} {', '.join(CONSTRAINTS)}"


def constraint_fault(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint cannot be on a board, or no values satisfy it; an empty text if it is fine."""
    return placement_fault(constraint, board) or impossible_reason(constraint, board)


def placement_fault(constraint: Constraint, board: Geometry) -> str:
    """Return why a constraint cannot be on a board; an empty text if it can, even if it never holds."""
    kind = CONSTRAINTS[constraint.kind]
    sizes = tuple(map(len, constraint.cells))
    if bool(constraint.alternatives) != kind.has_alternatives:
        return f"{'it needs' if kind.has_alternatives else 'it has no'} alternatives; write {kind.form}"
    if reason := _wrong_form(constraint.kind, len(constraint.numbers), sizes) or _wrong_cells(kind, constraint, board):
        return reason
    if kind.needs and (reason := _missing(kind.needs, board)):
        return reason
    module = functions(constraint.kind)
    return str(module.unfit(BoundConstraint(board, constraint))) if hasattr(module, "unfit") else ""


def impossible_reason(constraint: Constraint, board: Geometry) -> str:
    """Return why no values satisfy a constraint, by its numbers alone; an empty text if some may."""
    module = functions(constraint.kind)
    return str(module.impossible(BoundConstraint(board, constraint))) if hasattr(module, "impossible") else ""


# Many constraints are of the same form.
@lru_cache(maxsize=1024)
def _wrong_form(name: str, n_numbers: int, sizes: tuple[int, ...]) -> str:
    """Return the fault in the number of numbers, or of cells in each list; an empty text if they are right."""
    kind = CONSTRAINTS[name]
    least, most = kind.numbers
    if not least <= n_numbers <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        return f"{n_numbers} numbers where there should be {expected}; write {kind.form}"
    n_lists = len(sizes)
    if not kind.lists[0] <= n_lists <= (n_lists if kind.lists[1] is None else kind.lists[1]):
        if kind.lists == (0, 0):
            return f"it takes no cells; write {kind.form}"
        return f"{n_lists} lists of cells where there should be {_range_text(*kind.lists)}; write {kind.form}"
    for number, size in enumerate(sizes):
        least, most_cells = kind.sizes[min(number, len(kind.sizes) - 1)]
        if not least <= size <= (size if most_cells is None else most_cells):
            subject = f"list {number + 1} has" if n_lists > 1 else "it has"
            return f"{subject} {size} cells where there should be {_range_text(least, most_cells)}; write {kind.form}"
    return ""


def _range_text(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    return str(least) if least == most else f"{least} to {most}"


def _wrong_cells(kind: Kind, constraint: Constraint, board: Geometry) -> str:
    for cells in constraint.cells:
        if cells and not (min(cells) >= 0 and max(cells) < board.n_cells):
            outside = next(cell for cell in cells if not 0 <= cell < board.n_cells)
            return f"cell {outside} is not on {board.name}, which has {board.n_cells} cells"
        if not kind.repeats and len(set(cells)) < len(cells):
            twice = next(cell for at, cell in enumerate(cells) if cell in cells[:at])
            return f"{board.cell_name(twice)} is there twice"
    return ""


def _missing(needs: str, board: Geometry) -> str:
    if needs == "lines" and not neighbours.has_lines(board):
        return f"it needs neighbours, and the cells of {board.name} have none that lie in straight lines"
    if needs == "grid" and not board.has_rows_and_columns:
        return f"it needs rows and columns, which {board.name} does not have over all its cells"
    # Where boxes of boards that overlap share cells, the box of a cell is not one.
    families = [rule for rule in board.rules if rule.name in ("box", "region")]
    if needs == "boxes" and not (len(families) == 1 and board.has_rows_and_columns):
        return f"it needs boxes or regions that share no cell, which {board.name} does not have"
    return ""


def _range(board: Geometry, run: tuple[int, ...]) -> str:
    names = board.cell_names
    return names[run[0]] if len(run) == 1 else f"{names[run[0]]}-{names[run[-1]]}"


def _cells(name: str, words: Sequence[str], board: Geometry) -> list[int]:
    """Return the cells that some words name."""
    cells: list[int] = []
    for word in words:
        first, dash, last = word.partition("-")
        try:
            ends = [board.cell_number(part) for part in ((first, last) if dash else (first,))]
            cells += neighbours.straight(board, *ends) if dash else ends
        except GeometryError as error:
            raise FormatError(f"{name}: {error}; write {CONSTRAINTS[name].form}") from error
    return cells


def rank(value: int, n: int) -> int:
    """Return 0 for a low value of those from 1 to n, 1 for a middle one and 2 for a high one.

    There are as many low as high ones. If n is not a multiple of 3, low and high take n / 3, rounded to the nearest.

    >>> [rank(value, 9) for value in range(1, 10)], [rank(value, 4) for value in range(1, 5)]
    ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 1, 2])
    """
    third = (n + 1) // 3
    return 0 if value <= third else 2 if value > n - third else 1
