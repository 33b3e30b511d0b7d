"""Templates: the primitives of constraints that differ only in their cells are made once, and then get their cells."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Domain,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    require_small,
    transitions_of,
)

if TYPE_CHECKING:
    from sudoku_encode.puzzles.constraints.constraint import BoundConstraint

# None for constraints that depend on more than the pattern of their cells.
_Template = tuple[Primitive, ...] | None
# The most primitives and transitions of all templates that are stored: about 60 MB.
MOST_STORED = 500_000


class _Store:
    """The templates by kind, largest value, numbers, expression and pattern of cells; it is emptied when it is full."""

    def __init__(self) -> None:
        self.templates: dict[tuple[Any, ...], _Template] = {}
        self.size = 0

    def add(self, key: tuple[Any, ...], template: _Template) -> None:
        """Store a template."""
        size = sum(1 + transitions_of(primitive) for primitive in template or ()) + 1
        if self.size + size > MOST_STORED:
            self.templates, self.size = {}, 0
        if size <= MOST_STORED:
            self.templates[key] = template
            self.size += size


_store = _Store()


def primitives_of(bound: "BoundConstraint") -> Iterable[Primitive]:
    """Return the primitives of a constraint, which are those of `lower`.

    Raises:
        FormatError: there are too many, or they are too large.
    """
    kind, constraint = type(bound), bound.constraint
    # Kinds that name no cells, or need a property of the board, depend on the board.
    if kind.needs or not constraint.cells:
        return _checked(bound.lower())
    cells = tuple(dict.fromkeys(chain.from_iterable(constraint.cells)))
    places = {cell: place for place, cell in enumerate(cells)}
    pattern = tuple(tuple(map(places.__getitem__, listed)) for listed in constraint.cells)
    key = kind, bound.n, constraint.numbers, constraint.expression, pattern
    # Another thread may empty the store.
    templates = _store.templates
    if key in templates:
        template = templates[key]
    else:
        template = _template(bound, pattern)
        _store.add(key, template)
    return _checked(bound.lower()) if template is None else [_with_cells(primitive, cells) for primitive in template]


class _Unknown:
    """In place of a board, of which only the number of values is known, and of the other constraints."""

    def __init__(self, n_values: int) -> None:
        self.n_values = n_values

    def __iter__(self) -> Iterator[Any]:
        """Refuse to list constraints, as any other use is refused."""
        raise AttributeError("the other constraints are unknown")


def _template(bound: "BoundConstraint", pattern: tuple[tuple[int, ...], ...]) -> _Template:
    """Return the primitives over the cells 0, 1, 2, ...; None if the constraint looks at its board or at others."""
    constraint, unknown = bound.constraint, _Unknown(bound.n)
    renamed = type(constraint)(constraint.kind, pattern, constraint.numbers, constraint.expression)
    make: Any = type(bound)
    try:
        return tuple(_checked(make(unknown, renamed, unknown).lower()))
    except AttributeError:
        return None


def _checked(primitives: Iterable[Primitive]) -> Iterator[Primitive]:
    """Yield primitives while they are few and small."""
    n_transitions = 0
    for number, primitive in enumerate(primitives, 1):
        n_transitions += transitions_of(primitive)
        require_small(number, n_transitions)
        yield primitive


def _with_cells(primitive: Primitive, cells: Sequence[int]) -> Primitive:
    """Return a primitive of a template over other cells."""
    match primitive:
        case Relation(first, second, allowed):
            return Relation(cells[first], cells[second], allowed)
        case Sum(places, coefficients, total, distinct):
            return Sum(_at(cells, places), coefficients, total, distinct)
        case Automaton(places, layers):
            return Automaton(_at(cells, places), layers)
        case Unit(places, name):
            return Unit(_at(cells, places), name)
        case Clause(literals):
            return Clause(tuple((cells[place], value) for place, value in literals))
        case Domain(place, values):
            return Domain(cells[place], values)
        case EqualSums(parts):
            return EqualSums(tuple(_at(cells, part) for part in parts))


def _at(cells: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(cells.__getitem__, places))
