"""Templates: the primitives of constraints that differ only in their cells are made once, and then get their cells.

A template is made without a board and without the other constraints of the puzzle. A kind that asks for more has
no template, so that a new kind is right whether or not it thinks of templates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Protocol

from sudoku_encode.puzzles.constraints import expansions
from sudoku_encode.puzzles.constraints.primitives import (
    NEVER,
    Automaton,
    Clause,
    ConnectedCells,
    Count,
    CutLine,
    Domain,
    EachClass,
    EqualSums,
    EqualWhere,
    Expandable,
    IndexedLine,
    Primitive,
    Regions,
    Relation,
    Runs,
    SameCounts,
    Sum,
    SumBetween,
    Unit,
    Visible,
    primitive_cells,
    require_small,
    transitions_of,
)
from sudoku_encode.puzzles.geometry import Geometry

# No board has more than 100 values; a larger unit is impossible, and becomes a clause that never holds.
MOST_UNIT_CELLS = 256


@dataclass(frozen=True, eq=False)
class Template:
    """The primitives of a constraint, whose cells are places among the cells that it is placed on."""

    n_values: int  # the largest value
    every: tuple[Primitive, ...]

    @cached_property
    def n_transitions(self) -> int:
        """The number of transitions of all automata."""
        return sum(map(transitions_of, self.every))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units that a board can have."""
        return tuple(one for one in self.every if isinstance(one, Unit) and len(one.cells) <= MOST_UNIT_CELLS)

    @cached_property
    def domains(self) -> tuple[Domain, ...]:
        """The domains."""
        return tuple(one for one in self.every if isinstance(one, Domain))

    @cached_property
    def others(self) -> tuple[Primitive, ...]:
        """The primitives that are left to encoders and to the search."""
        units = set(self.units)
        rest = (one for one in self.every if not isinstance(one, Domain) and one not in units)
        # No board has as many values as the cells of a larger unit, and each pair of the cells would be an edge.
        return tuple(dict.fromkeys(NEVER if isinstance(one, Unit) else one for one in rest))


class PlacedTemplate(NamedTuple):
    """A template and the cells of its places; all cells of the board if its places are cells."""

    template: Template
    cells: Sequence[int]

    def primitives(self, of: Iterable[Primitive] | None = None) -> Iterable[Primitive]:
        """Return some primitives of the template, by default all, over the cells."""
        chosen = self.template.every if of is None else of
        if isinstance(self.cells, range):
            return chosen
        return [with_cells(primitive, self.cells) for primitive in chosen]


# None for constraints that depend on the others of their puzzle.
_Stored = Template | None
# The most primitives and transitions of all templates that are stored: about 60 MB.
MOST_STORED = 500_000


class _Store:
    """The templates by kind, largest value or board, and all else that a constraint says; emptied when it is full."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Drop all templates."""
        self.templates: dict[tuple[Any, ...], _Stored] = {}
        self.size = 0

    def add(self, key: tuple[Any, ...], template: _Stored, size: int) -> None:
        """Store a template, whose key has a size, unless both are too large."""
        size += len(template.every) + template.n_transitions if template else 0
        if size > MOST_STORED:
            return
        if self.size + size > MOST_STORED:
            self.clear()
        self.templates[key] = template
        self.size += size


store = _Store()


class Bound(Protocol):
    """The members of a `BoundConstraint` that lead to its primitives."""

    @property
    def board(self) -> Geometry: ...

    @property
    def constraint(self) -> Any: ...

    @property
    def needs(self) -> str: ...

    @property
    def depends_on_board(self) -> bool: ...

    @property
    def has_template(self) -> bool: ...

    @property
    def first_hidden(self) -> int: ...

    @property
    def from_one(self) -> Sequence["Bound"]: ...

    def own_hidden_cells(self) -> int: ...

    def lower(self) -> Iterable[Primitive]: ...


def placed_templates(bound: Bound) -> list[PlacedTemplate]:
    """Return the templates of a constraint on its cells: of itself, or of those on values from 1 that say the same.

    Raises:
        FormatError: there are too many primitives, or they are too large.
    """
    return [_placed(part) for part in bound.from_one]


def _placed(bound: Bound) -> PlacedTemplate:
    """Return the template of a constraint, whose primitives are those of `lower`, on its cells."""
    board = bound.board
    # Its own hidden cells are not among those that it names.
    is_known = bound.has_template and not (bound.first_hidden and bound.own_hidden_cells())
    template, cells = _known_template(bound) if is_known else (None, ())
    if template is None:
        return PlacedTemplate(Template(board.n_values, tuple(_checked(bound.lower()))), range(board.n_cells))
    return PlacedTemplate(template, cells or range(board.n_cells))


def _known_template(bound: Bound) -> tuple[_Stored, tuple[int, ...]]:
    """Return the stored template of a constraint, and the cells that it names; no cells if it depends on the board."""
    constraint, pattern = bound.constraint, bound.constraint.cells
    board: Geometry | int = bound.board
    cells: tuple[int, ...] = ()
    # The pattern; the number of cells stands for one list of different cells, which most constraints have.
    shape: object = pattern
    # Kinds that name no cells, or need a property of the board, depend on the board, and few others.
    if pattern and not (bound.needs or bound.depends_on_board):
        cells = tuple(dict.fromkeys(chain.from_iterable(pattern)))
        board = bound.board.n_values
        if pattern == (cells,):
            shape = len(cells)
        else:
            places = {cell: place for place, cell in enumerate(cells)}
            shape = pattern = tuple(tuple(map(places.__getitem__, listed)) for listed in pattern)
    form = constraint.numbers, constraint.bounds, constraint.expression, constraint.alternatives
    key = type(bound), board, shape, form
    # Another thread may empty the store.
    templates = store.templates
    if key in templates:
        return templates[key], cells
    template = _template(bound, board, (tuple(range(len(cells))),) if shape == len(cells) else pattern)
    store.add(key, template, 1 if cells else bound.board.n_cells)
    return template, cells


class _Unknown:
    """In place of a board, of which only the number of values is known, or of the other constraints."""

    def __init__(self, n_values: int = 0) -> None:
        self.n_values, self.first, self.last = n_values, 1, n_values

    def __len__(self) -> int:
        """Refuse to tell how many constraints there are, as any other use is refused."""
        raise AttributeError("the other constraints are unknown")

    def __iter__(self) -> Iterator[Any]:
        """Refuse to list constraints."""
        raise AttributeError("the other constraints are unknown")


def _template(bound: Bound, board: Geometry | int, pattern: tuple[tuple[int, ...], ...]) -> _Stored:
    """Return the template over a pattern of cells; None if the constraint depends on the others of its puzzle too."""
    make: Any = type(bound)
    known_board = _Unknown(board) if isinstance(board, int) else board
    try:
        primitives = _checked(make(known_board, replace(bound.constraint, cells=pattern), _Unknown()).lower())
        return Template(bound.board.n_values, tuple(primitives))
    except AttributeError:
        return None


def _checked(primitives: Iterable[Primitive]) -> Iterator[Primitive]:
    """Yield primitives while they are few and small."""
    n_transitions = 0
    for number, primitive in enumerate(primitives, 1):
        n_transitions += transitions_of(primitive)
        require_small(number, n_transitions)
        yield primitive


def expanded(primitives: Iterable[Primitive], n: int, classes: tuple[type, ...] = ()) -> list[Primitive]:
    """Return primitives in which automata and clauses stand for all that is `Expandable`, but for the given classes.

    Raises:
        FormatError: there are too many, or they are too large.
    """
    parts = ((each,) if isinstance(each, classes) else _expanded(each, n) for each in primitives)
    return list(_checked(chain.from_iterable(parts)))


def _expanded(primitive: Primitive, n: int) -> Iterable[Primitive]:
    if not isinstance(primitive, Expandable):
        return (primitive,)
    cells = primitive_cells(primitive)
    pattern: Any = with_cells(primitive, {cell: place for place, cell in enumerate(cells)})
    return PlacedTemplate(
        stored(("expanded", n, pattern), n, lambda: expansions.parts_of(pattern, n)), cells
    ).primitives()


def stored(key: tuple[Any, ...], n: int, make: Callable[[], Iterable[Primitive]]) -> Template:
    """Return a template that is made once, and known again by its key."""
    templates = store.templates
    if (template := templates.get(key)) is None:
        template = Template(n, tuple(make()))
        store.add(key, template, len(template.every))
    return template


def with_cells(primitive: Primitive, cells: Sequence[int] | Mapping[int, int]) -> Primitive:
    """Return a primitive of a template over other cells."""
    match primitive:
        case Relation(first, second, allowed):
            return Relation(cells[first], cells[second], allowed)
        case Clause(literals):
            return Clause(tuple([(cells[place], value) for place, value in literals]))
        case Automaton(places, layers, implied):
            return Automaton(_cells_at(cells, places), layers, implied)
        case Unit(places, name):
            return Unit(_cells_at(cells, places), name)
        case Sum(places, coefficients, total, distinct):
            return Sum(_cells_at(cells, places), coefficients, total, distinct)
        case Domain(place, values):
            return Domain(cells[place], values)
        case Runs(control, first, arms, offset):
            return Runs(cells[control], cells[first], tuple(_cells_at(cells, arm) for arm in arms), offset)
        case EqualWhere(place, pairs, value):
            return EqualWhere(cells[place], tuple([(cells[a], cells[b]) for a, b in pairs]), value)
        case Regions(places, labels):
            return replace(primitive, cells=_cells_at(cells, places), labels=_cells_at(cells, labels))
        case EqualSums(parts) | SameCounts(parts):
            return replace(primitive, parts=tuple(_cells_at(cells, part) for part in parts))
        case Count(places) | EachClass(places) | IndexedLine(places) | SumBetween(places) | Visible(places):
            return replace(primitive, cells=_cells_at(cells, places))
        case ConnectedCells(places) | CutLine(places):
            return replace(primitive, cells=_cells_at(cells, places))


def _cells_at(cells: Sequence[int] | Mapping[int, int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(cells.__getitem__, places))
