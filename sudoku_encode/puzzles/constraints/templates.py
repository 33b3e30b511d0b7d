"""Templates: the primitives of constraints that differ only in their cells are made once, and then get their cells.

A template is made without a board and without the other constraints of the puzzle. A kind that asks for more has
no template, so that a new kind is right whether or not it thinks of templates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Protocol

from sudoku_encode.puzzles.constraints import expansions
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Count,
    CutLine,
    Domain,
    EachClass,
    EqualSums,
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

# None for constraints that depend on the others of their puzzle.
_Template = tuple[Primitive, ...] | None
# The most primitives and transitions of all templates that are stored: about 60 MB.
MOST_STORED = 500_000


class _Store:
    """The templates by kind, largest value or board, and all else that a constraint says; emptied when it is full."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Drop all templates."""
        self.templates: dict[tuple[Any, ...], _Template] = {}
        self.size = 0

    def add(self, key: tuple[Any, ...], template: _Template, size: int) -> None:
        """Store a template, whose key has a size, unless both are too large."""
        size += sum(1 + transitions_of(primitive) for primitive in template or ())
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
    def has_template(self) -> bool: ...

    def lower(self) -> Iterable[Primitive]: ...


def primitives_of(bound: Bound) -> Iterable[Primitive]:
    """Return the primitives of a constraint, which are those of `lower`.

    Raises:
        FormatError: there are too many, or they are too large.
    """
    if not bound.has_template:
        return bound.lower()
    constraint, pattern = bound.constraint, bound.constraint.cells
    board: Geometry | int = bound.board
    cells: tuple[int, ...] = ()
    # Kinds that name no cells, or need a property of the board, depend on the board.
    if pattern and not bound.needs:
        cells = tuple(dict.fromkeys(chain.from_iterable(pattern)))
        places = {cell: place for place, cell in enumerate(cells)}
        board, pattern = bound.board.n_values, tuple(tuple(map(places.__getitem__, listed)) for listed in pattern)
    form = constraint.numbers, constraint.bounds, constraint.expression, constraint.alternatives
    key = type(bound), board, pattern, form
    # Another thread may empty the store.
    templates = store.templates
    if key in templates:
        template = templates[key]
    else:
        template = _template(bound, board, pattern)
        store.add(key, template, 1 if cells else bound.board.n_cells)
    if template is None:
        return _checked(bound.lower())
    return [with_cells(primitive, cells) for primitive in template] if cells else template


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


def _template(bound: Bound, board: Geometry | int, pattern: tuple[tuple[int, ...], ...]) -> _Template:
    """Return the primitives over a pattern of cells; None if the constraint depends on the others of its puzzle too."""
    make: Any = type(bound)
    known_board = _Unknown(board) if isinstance(board, int) else board
    try:
        return tuple(_checked(make(known_board, replace(bound.constraint, cells=pattern), _Unknown()).lower()))
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
    parts = stored(("expanded", n, pattern), lambda: expansions.parts_of(pattern, n))
    return [with_cells(part, cells) for part in parts]


def stored(key: tuple[Any, ...], make: Callable[[], Iterable[Primitive]]) -> tuple[Primitive, ...]:
    """Return primitives that are made once, and known again by their key."""
    templates = store.templates
    if (template := templates.get(key)) is None:
        template = tuple(make())
        store.add(key, template, len(template))
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
        case EqualSums(parts):
            return EqualSums(tuple(_cells_at(cells, part) for part in parts))
        case Runs(control, first, arms, offset):
            return Runs(cells[control], cells[first], tuple(_cells_at(cells, arm) for arm in arms), offset)
        case Regions(places, labels):
            return replace(primitive, cells=_cells_at(cells, places), labels=_cells_at(cells, labels))
        case SameCounts(parts):
            return SameCounts(tuple(_cells_at(cells, part) for part in parts))
        case Count(places) | EachClass(places) | IndexedLine(places) | SumBetween(places) | Visible(places):
            return replace(primitive, cells=_cells_at(cells, places))
        case ConnectedCells(places) | CutLine(places):
            return replace(primitive, cells=_cells_at(cells, places))


def _cells_at(cells: Sequence[int] | Mapping[int, int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(cells.__getitem__, places))
