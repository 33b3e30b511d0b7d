"""The primitives to which all constraints are lowered; encoders and solvers see nothing else.

A set of values is an int with bit v - 1 set for value v.

`Count`, `SameCounts`, `SumBetween`, `Visible` and `CutLine` mean what an automaton could say too, `EachClass`,
`IndexedLine` and `EqualWhere` what clauses could. The search has propagators of their own for them, so that these are
not made; all others take the automata and clauses of `templates.expanded`.

Primitives are dataclasses, not tuples: tuples of different classes with equal fields are equal, so that a sum could be
taken for a clause.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise, repeat
from typing import Any, Generic, NamedTuple, TypeVar

from sudoku_encode.errors import FormatError

# A larger automaton takes seconds to make, and a gigabyte. A skyscraper clue on 36x36 takes 900,000.
MOST_TRANSITIONS = 3_000_000

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Unit:
    """All cells differ."""

    cells: tuple[int, ...]
    name: str  # name of the rule that the unit becomes on the board, such as `cage`


@dataclass(frozen=True, slots=True)
class Domain:
    """A cell holds a value of a set."""

    cell: int
    values: int  # the set of values


@dataclass(frozen=True, slots=True)
class Clause:
    """At least one literal holds; the empty clause never holds."""

    literals: tuple[tuple[int, int], ...]  # (cell, 5) for a cell that holds 5, (cell, -5) for a cell that does not


@dataclass(frozen=True, slots=True)
class Relation:
    """Two cells hold an allowed pair of values."""

    first: int  # a cell
    second: int  # another cell
    allowed: tuple[int, ...]  # for each value of the first, from 1, the set of values of the second


@dataclass(frozen=True, slots=True)
class Sum:
    """The values of the cells, each times its coefficient, add up to the total."""

    cells: tuple[int, ...]  # each once
    coefficients: tuple[int, ...]  # one per cell, not 0
    total: int  # may be negative
    # Whether a unit says that the cells all differ, so that the sum can be encoded by sets of values.
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class EqualSums:
    """All parts have the same sum."""

    # At least two lists of cells; a cell may be in several parts, and several times in one.
    parts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Automaton:
    """A deterministic automaton accepts the values of the cells, read in order."""

    cells: tuple[int, ...]  # in the order in which they are read; a cell may occur again
    # For each cell the transitions (state, value, next state). States are numbered from 0 in each layer; 0 is the only
    # state before the first cell and after the last. The end can be reached from every state.
    layers: tuple[tuple[tuple[int, int, int], ...], ...]
    # A sum that follows from it: the coefficient of each cell, the least and the most; None for no sum. It says nothing
    # new, but where cells differ the search concludes more from it.
    implied: tuple[tuple[int, ...], int, int] | None = None

    def __hash__(self) -> int:
        """Hash the cells and the sizes of the layers: a hash of all transitions takes longer than their use."""
        return hash((self.cells, self.layers[:1], tuple(map(len, self.layers))))


@dataclass(frozen=True, slots=True)
class ConnectedCells:
    """The cells that hold a value of a set are connected, and their number is within bounds."""

    cells: tuple[int, ...]  # the cells, each once
    values: int  # the set of values
    edges: tuple[tuple[int, int], ...]  # the pairs of places in `cells` that touch, smaller first
    least: int  # the least number of cells, at least 1
    most: int

    def __hash__(self) -> int:
        """Hash all but the edges, of which there are many."""
        return hash((self.cells, self.values, self.least, self.most))


@dataclass(frozen=True, slots=True)
class Regions:
    """The cells are divided into regions, each connected and with every value once.

    Regions are numbered from 1 in the order of their first cells, so that each division has one numbering.
    """

    cells: tuple[int, ...]  # the cells, each once
    labels: tuple[int, ...]  # for each the cell that holds the number of its region
    edges: tuple[tuple[int, int], ...]  # the pairs of places in `cells` that touch, smaller first
    n_regions: int  # how many regions there are: the number of cells by that of values

    def __hash__(self) -> int:
        """Hash the cells alone, since the edges follow from them."""
        return hash((self.cells, self.labels))


@dataclass(frozen=True, slots=True)
class Runs:
    """The value of a cell, plus an offset, is 1 and the lengths of all arms.

    The length of an arm is how many cells it has before the first that differs from the cell `first`.
    """

    control: int  # the cell with the total
    first: int  # the cell to which all others are compared, and which counts once
    arms: tuple[tuple[int, ...], ...]  # lists of other cells
    offset: int  # how much the total is above the value of the cell


@dataclass(frozen=True, slots=True)
class Count:
    """A value occurs in the cells an allowed number of times."""

    cells: tuple[int, ...]  # each once
    value: int  # the value that is counted
    numbers: int  # the allowed numbers, as a set of bits: bit k for k times


@dataclass(frozen=True, slots=True)
class SameCounts:
    """Each value occurs as often in each part."""

    parts: tuple[tuple[int, ...], ...]  # at least two lists of equally many cells, each once in all


@dataclass(frozen=True, slots=True)
class SumBetween:
    """The cells between two ends add up to a sum within bounds."""

    cells: tuple[int, ...]  # each once, in their order. Without `ends` a unit says that they all differ.
    # Two values, each of which occurs once; None for the least and the greatest value of the cells.
    ends: tuple[int, int] | None
    least: int  # of the sum
    most: int  # of the sum


@dataclass(frozen=True, slots=True)
class Visible:
    """A number of cells within bounds are greater than all cells before them."""

    cells: tuple[int, ...]  # in their order; a cell may occur again
    least: int  # of the number
    most: int  # of the number


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line of cells can be cut into pieces that each add up to the total."""

    cells: tuple[int, ...]  # in their order; a cell may occur again
    total: int  # at least 1
    is_loop: bool  # whether the first cell comes after the last one, so that a piece may have both


@dataclass(frozen=True, slots=True)
class EachClass:
    """The cells hold a value of each class."""

    cells: tuple[int, ...]  # each once
    classes: tuple[int, ...]  # sets of values, no two of which share a value


@dataclass(frozen=True, slots=True)
class IndexedLine:
    """The cell at a place of a line says where this place is written: it holds v if and only if the v-th holds it."""

    cells: tuple[int, ...]  # the line: as many cells as values, each once
    place: int  # from 1


@dataclass(frozen=True, slots=True)
class EqualWhere:
    """A cell equals the second cell of each pair whose first cell holds a value."""

    cell: int
    pairs: tuple[tuple[int, int], ...]  # the cells of all pairs, each once; units say that those of a pair differ
    value: int


# Primitives for which automata or clauses can stand.
Expandable = Count | SameCounts | SumBetween | Visible | CutLine | EachClass | IndexedLine | EqualWhere
Primitive = (
    Unit | Domain | Clause | Relation | Sum | EqualSums | Automaton | ConnectedCells | Regions | Runs | Expandable
)


def primitive_cells(primitive: Primitive) -> tuple[int, ...]:
    """Return the cells of a primitive, each once, in the order of their first occurrence."""
    match primitive:
        case Domain(cell, _):
            return (cell,)
        case Clause(literals):
            return tuple(dict.fromkeys(cell for cell, _ in literals))
        case Relation(first, second, _):
            return (first, second)
        case EqualSums(parts) | SameCounts(parts):
            return tuple(dict.fromkeys(cell for part in parts for cell in part))
        case Regions(cells, labels):
            return tuple(dict.fromkeys((*cells, *labels)))
        case EqualWhere(cell, pairs):
            return (cell, *chain.from_iterable(pairs))
        case Runs(control, first, arms):
            return tuple(dict.fromkeys((first, *chain.from_iterable(arms), control)))
    return tuple(dict.fromkeys(primitive.cells))


# Limits for a puzzle: some seconds, and half a gigabyte. A 25x25 with four clues on each side stays below.
MOST_PRIMITIVES, MOST_PUZZLE_TRANSITIONS = 500_000, 6_000_000


def transitions_of(primitive: Primitive) -> int:
    """Return the number of transitions of an automaton; 0 for other primitives."""
    return sum(map(len, primitive.layers)) if isinstance(primitive, Automaton) else 0


def require_small(n_primitives: int, n_transitions: int) -> None:
    """Check that a constraint or a puzzle is not too large: a short line may stand for millions of primitives.

    Raises:
        FormatError: there are too many primitives or transitions.
    """
    if n_primitives > MOST_PRIMITIVES:
        raise FormatError(f"more than {MOST_PRIMITIVES:,} pairs or clauses; expected fewer cells, or a smaller board")
    if n_transitions > MOST_PUZZLE_TRANSITIONS:
        most = f"{MOST_PUZZLE_TRANSITIONS:,}"
        raise FormatError(f"automata of more than {most} transitions; expected fewer cells or values")


NEVER = Clause(())
"""The empty clause, which never holds."""


def values_that(n: int, holds: Callable[[int], bool]) -> int:
    """Return the set of values from 1 to n that satisfy a condition."""
    return sum(1 << value - 1 for value in range(1, n + 1) if holds(value))


def values_in(values: int) -> Iterator[int]:
    """Yield the values of a set, ascending."""
    while values:
        low = values & -values
        yield low.bit_length()
        values ^= low


def relation(first: int, second: int, n: int, holds: Callable[[int, int], bool]) -> "Primitive":
    """Return the relation of two cells whose values satisfy a condition; for a cell with itself its domain."""
    if first == second:
        return Domain(first, values_that(n, lambda value: holds(value, value)))
    return Relation(first, second, _table(n, tuple(holds(a, b) for a in range(1, n + 1) for b in range(1, n + 1))))


def pair_relations(
    pairs: Iterable[tuple[int, int]], n: int, holds: Callable[[int, int], bool]
) -> "Iterator[Primitive]":
    """Yield the same relation for each pair of cells; see `relation`."""
    pairs = iter(pairs)
    for first, second in pairs:
        example = relation(first, second, n, holds)
        yield example
        # The table is the same for all pairs, and takes long to make if there are many values.
        if isinstance(example, Relation):
            for cell, other in pairs:
                yield Relation(cell, other, example.allowed) if cell != other else relation(cell, other, n, holds)


@lru_cache(maxsize=512)
def _table(n: int, allowed: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(sum(allowed[row * n + column] << column for column in range(n)) for row in range(n))


def total(cells: Sequence[int], amount: int, coefficients: Sequence[int] = (), *, distinct: bool = False) -> Primitive:
    """Return the sum constraint of cells, in which a cell may occur several times; coefficients are 1 by default."""
    if not coefficients and 0 < len(cells) == len(set(cells)):
        return Sum(tuple(cells), (1,) * len(cells), amount, distinct)
    added: dict[int, int] = {}
    for cell, coefficient in zip(cells, coefficients or [1] * len(cells), strict=True):
        added[cell] = added.get(cell, 0) + coefficient
    terms = {cell: coefficient for cell, coefficient in added.items() if coefficient}
    if not terms:
        return NEVER if amount else Clause(((cells[0], 1), (cells[0], -1)))
    return Sum(tuple(terms), tuple(terms.values()), amount, distinct)


# With 9 values there are 512 sets.
_MOST_VALUES_OF_USED = 9


def bounded_total(
    cells: Sequence[int],
    n: int,
    bounds: tuple[int | None, int | None],
    coefficients: Sequence[int] = (),
    *,
    distinct: bool = False,
) -> Primitive:
    """Return that a sum, as in `total`, is within bounds, of which each may be None.

    It is a domain or a relation where there are one or two cells, otherwise an automaton, whose clauses propagate all
    that can be: of partial sums, or of the sets of values so far if the cells differ and there are few such sets.
    """
    least, most = bounds
    if least is not None and least == most:
        return total(cells, least, coefficients, distinct=distinct)
    terms = total(cells, 0, coefficients)
    if not isinstance(terms, Sum):
        return terms if _is_within(0, bounds) else NEVER
    first, *others = terms.coefficients
    if not others:
        return Domain(terms.cells[0], values_that(n, lambda value: _is_within(first * value, bounds)))
    if len(others) == 1:
        cell, other = terms.cells
        return relation(
            cell, other, n, lambda a, b: _is_within(first * a + others[0] * b, bounds) and not (distinct and a == b)
        )
    is_small = distinct and n <= _MOST_VALUES_OF_USED
    template = _values_within(len(terms.cells), n, bounds) if is_small else _sum_within(terms.coefficients, n, bounds)
    if not isinstance(template, Automaton):
        return template
    low, high = (sum(pick(factor, factor * n) for factor in terms.coefficients) for pick in (min, max))
    implied = (terms.coefficients, low if least is None else least, high if most is None else most)
    return Automaton(terms.cells, template.layers, implied)


def _is_within(amount: int, bounds: tuple[int | None, int | None]) -> bool:
    least, most = bounds
    return (least is None or least <= amount) and (most is None or amount <= most)


# Many cages are of the same size and have the same bounds.
@lru_cache(maxsize=1024)
def _values_within(size: int, n: int, bounds: tuple[int | None, int | None]) -> "Primitive":
    """Return the automaton of different values with a sum within bounds; a state is the set of values so far."""
    most = n * size if bounds[1] is None else bounds[1]

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        used, amount = state
        return None if used >> value & 1 or amount + value > most else (used | 1 << value, amount + value)

    return automaton(range(size), n, (0, 0), step, lambda state: _is_within(state[1], bounds))


@lru_cache(maxsize=1024)
def _sum_within(factors: tuple[int, ...], n: int, bounds: tuple[int | None, int | None]) -> "Primitive":
    """Return the automaton of partial sums; a state is a place and a sum, None if no rest of the cells is wrong."""
    least, most = bounds
    # The least and the most that the cells after each one add.
    lows, highs = (
        [*accumulate((pick(factor, factor * n) for factor in reversed(factors)), initial=0)][::-1]
        for pick in (min, max)
    )

    def step(state: tuple[int, int | None], value: int) -> tuple[int, int | None] | None:
        index, amount = state
        if amount is None:
            return index + 1, None
        amount += factors[index] * value
        low, high = amount + lows[index + 1], amount + highs[index + 1]
        if (most is not None and low > most) or (least is not None and high < least):
            return None
        return index + 1, None if _is_within(low, bounds) and _is_within(high, bounds) else amount

    start: tuple[int, int | None] = (0, 0)
    return automaton(range(len(factors)), n, start, step, lambda state: True)


class Steps(NamedTuple, Generic[State]):
    """How an automaton reads values."""

    start: State  # the first state
    # From a state and a value to the next state; None if there is no next state.
    step: Callable[[State, int], State | None]
    accepts: Callable[[State], bool]  # whether a state after the last value is accepted


def automaton(
    cells: Sequence[int],
    n: int,
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
) -> Primitive:
    """Return the minimal automaton over some cells, as in `Steps`, without states from which the end cannot be reached.

    Raises:
        FormatError: the automaton has too many transitions.
    """
    # The steps from a state are computed once for all cells.
    numbers, values = _Numbers(start), range(1, n + 1)
    moves: list[tuple[int, ...]] = []
    reached: list[dict[int, tuple[int, ...]]] = []
    layer: dict[int, None] = {0: None}
    n_transitions = 0
    for number, _ in enumerate(cells, start=1):
        n_transitions += n * len(layer)
        if n_transitions > MOST_TRANSITIONS:
            raise FormatError(
                f"its automaton has more than {MOST_TRANSITIONS:,} transitions after {number:,} of its {len(cells):,} "
                "cells; expected fewer cells or smaller numbers"
            )
        for state in numbers.states[len(moves) :]:
            moves.append(tuple(map(numbers.__getitem__, map(step, repeat(state), values))))
        reached.append(dict(zip(layer, map(moves.__getitem__, layer), strict=True)))
        layer = dict.fromkeys(chain.from_iterable(reached[-1].values()))
        layer.pop(_NO_STATE, None)
    return from_layers(cells, reached, 0, {state: 0 for state in layer if accepts(numbers.states[state])})


_NO_STATE = -1


class _Numbers(dict[Any, int]):
    """The numbers of states, from 0, in the order in which they are looked up first; `states` are by their numbers."""

    def __init__(self, start: Any) -> None:
        # The start may be None, which is never a next state.
        super().__init__([(start, 0), (None, _NO_STATE)])
        self.states = [start]

    def __missing__(self, state: Any) -> int:
        """Number a new state."""
        number = self[state] = len(self.states)
        self.states.append(state)
        return number


def from_layers(
    cells: Sequence[int], reached: Sequence[Mapping[Any, Sequence[Any]]], start: Any, ends: dict[Any, int]
) -> Primitive:
    """Return the minimal automaton of some transitions: states with the same transitions are merged.

    `reached` has for each cell, by state, the next state for each value from 1, or any other object for no next state;
    `ends` has the accepted states after the last cell, all with the number 0.
    """
    numbers, layers = ends, []
    for moves in reversed(reached):
        number_of, rows, before = numbers.get, dict[tuple[int | None, ...], int](), dict[Any, int]()
        for state, row in moves.items():
            transitions = tuple(map(number_of, row))
            if transitions.count(None) < len(transitions):
                before[state] = rows.setdefault(transitions, len(rows))
        moves_of_rows = [
            (number, value, after)
            for row, number in rows.items()
            for value, after in enumerate(row, 1)
            if after is not None
        ]
        layers.append(tuple(moves_of_rows))
        numbers = before
    return Automaton(tuple(cells), tuple(reversed(layers))) if start in numbers else NEVER


@lru_cache(maxsize=4096)
def value_sets(n: int, size: int, amount: int, most: int) -> tuple[int, ...] | None:
    """Return the sets of `size` different values from 1 to n with a sum; None if there are more than `most`.

    There may be billions of sets of a size; only those with the sum are made.
    """
    sets: list[int] = []

    def extend(chosen: int, value: int, size: int, amount: int) -> None:
        """Add the sets that consist of the chosen values and `size` more, each at least `value`."""
        # The sum is least for the next `size` values, and largest for the largest `size` values.
        while size and size * (2 * value + size - 1) <= 2 * amount <= size * (2 * n - size + 1):
            if len(sets) > most or n - value + 1 < size:
                return
            extend(chosen | 1 << value - 1, value + 1, size - 1, amount - value)
            value += 1
        if not size and not amount:
            sets.append(chosen)

    extend(0, 1, size, amount)
    return tuple(sets) if len(sets) <= most else None


def consecutive_pairs(cells: Iterable[int]) -> list[tuple[int, int]]:
    """Return each cell with the next one."""
    listed = list(cells)
    return list(pairwise(listed))
