"""Constraints as clauses, written a second time as plainly as possible, for certificates.

It shares no code with `encoders`, and does not depend on how these write constraints. `docs/internals/certificates.md`
lists the clauses, for authors of other checkers. Why they can be trusted: every grid that keeps the constraints is part
of a model, in which a state or a transition holds iff the grid goes through it, and a set or a sum holds iff the cells
have it. So where the clauses and the blocking clauses have no model, there is no further grid.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Domain,
    EqualSums,
    Primitive,
    Regions,
    Relation,
    Runs,
    Sum,
    Unit,
    value_sets,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Puzzle

# With up to this number of sets of values, the sum of cells that differ is told by the set.
MAX_SETS = 50
# Constraints of more clauses would take too much memory to check.
MAX_CLAUSES = 1_000_000
# From one partial sum to the next; most of those of a large sum lead nowhere.
MAX_STEPS = 4_000_000

Literals = tuple[int, ...]
# For each cell of an automaton its transitions: the state before, the value, the state after.
Layers = Sequence[Sequence[tuple[int, int, int]]]


def clauses(puzzle: Puzzle) -> tuple[list[Literals], int]:
    """Return the clauses of the constraints of a puzzle, and how many variables there are with their auxiliary ones.

    Raises:
        MethodError: there are too many.
    """
    board = puzzle.extended.geometry
    writer = _Writer(board.n_values, board.n_cells * board.n_values)
    written: list[Literals] = []
    for constraint in puzzle.placed:
        for primitive in expanded(constraint.primitives(), constraint.n):
            written += writer.clauses_of(primitive)
            if len(written) > MAX_CLAUSES:
                raise MethodError(f"the constraints have more than {MAX_CLAUSES:,} clauses, too many for a certificate")
    return written, writer.n_variables


class _Writer:
    """Writes clauses."""

    def __init__(self, n: int, n_variables: int) -> None:
        self.n, self.n_variables = n, n_variables  # the largest value, and how many variables there are so far

    def clauses_of(self, primitive: Primitive) -> Iterator[Literals]:
        """Yield the clauses of a primitive."""
        match primitive:
            case Unit(cells, _):
                yield from self._unit(cells)
            case Domain(cell, values):
                yield from ((-self._x(cell, value),) for value in self._values if value not in set(values_in(values)))
            case Clause(literals):
                signed = {self._x(cell, abs(value)) * (1 if value > 0 else -1) for cell, value in literals}
                if not any(-literal in signed for literal in signed):
                    yield tuple(signed)
            case Relation(first, second, allowed):
                pairs = [(a, b) for a, values in enumerate(allowed, start=1) for b in values_in(values)]
                yield from self._supports(first, second, pairs)
                yield from self._supports(second, first, [(b, a) for a, b in pairs])
            case Sum():
                yield from self._sum(primitive)
            case EqualSums(parts):
                yield from self._equal_sums(parts)
            case Automaton(cells, layers):
                yield from self._automaton(cells, layers, {0: self._new()})
            case ConnectedCells() | Regions() | Runs():
                yield from RegionWriter(self.n, self._x, self._new).clauses_of(primitive)

    @property
    def _values(self) -> range:
        return range(1, self.n + 1)

    def _x(self, cell: int, value: int) -> int:
        """Return the variable that says that a cell holds a value."""
        return cell * self.n + value

    def _new(self) -> int:
        """Return a new variable."""
        self.n_variables += 1
        return self.n_variables

    def _unit(self, cells: Sequence[int]) -> Iterator[Literals]:
        """No two of the cells hold the same value; with as many cells as values, one of them holds it."""
        for value in self._values:
            if len(cells) == self.n:
                yield tuple(self._x(cell, value) for cell in cells)
            for first, second in combinations(cells, 2):
                yield -self._x(first, value), -self._x(second, value)

    def _supports(self, first: int, second: int, pairs: Sequence[tuple[int, int]]) -> Iterator[Literals]:
        """A value of the first cell needs one of those of the second that go with it."""
        supports: dict[int, list[int]] = {value: [] for value in self._values}
        for own, other in pairs:
            supports[own].append(self._x(second, other))
        for value, supporting in supports.items():
            if len(supporting) < self.n:
                yield -self._x(first, value), *supporting

    def _sum(self, constraint: Sum) -> Iterator[Literals]:
        cells, coefficients, total = constraint.cells, constraint.coefficients, constraint.total
        if constraint.distinct and set(coefficients) == {1}:
            sets = value_sets(self.n, len(cells), total, MAX_SETS)
            if sets is not None:
                yield from self._sets(cells, [tuple(values_in(chosen)) for chosen in sets])
                return
        yield from self._partial_sums(cells, coefficients, {total: self._new()})

    def _sets(self, cells: Sequence[int], sets: Sequence[Literals]) -> Iterator[Literals]:
        """The values of the cells, which differ, are one of the sets."""
        variables = [self._new() for _ in sets]
        yield tuple(variables)
        for variable, chosen in zip(variables, sets, strict=True):
            for value in self._values:
                if value in chosen:
                    yield -variable, *(self._x(cell, value) for cell in cells)
                else:
                    yield from ((-variable, -self._x(cell, value)) for cell in cells)

    def _equal_sums(self, parts: Sequence[Sequence[int]]) -> Iterator[Literals]:
        """All parts have the same sum, which is one that each of them can have."""
        totals = range(max(map(len, parts)), min(map(len, parts)) * self.n + 1)
        ends = {total: self._new() for total in totals}
        yield tuple(ends.values())
        for part in parts if totals else ():
            yield from self._partial_sums(part, [1] * len(part), ends)

    def _partial_sums(
        self, cells: Sequence[int], coefficients: Sequence[int], ends: dict[int, int]
    ) -> Iterator[Literals]:
        """The cells, each times its coefficient, add up to one of some sums, each of which has a variable."""
        reached = [{0}]
        n_steps = 0
        for coefficient in coefficients:
            n_steps += len(reached[-1]) * self.n
            if n_steps > MAX_STEPS:
                raise MethodError(f"a sum has more than {MAX_STEPS:,} steps, too many for a certificate")
            reached.append({before + coefficient * value for before in reached[-1] for value in self._values})
        good, layers = reached[-1] & set(ends), list[Sequence[tuple[int, int, int]]]()
        for before, coefficient in zip(reached[-2::-1], reversed(coefficients), strict=True):
            steps = ((start, value, start + coefficient * value) for start, value in product(before, self._values))
            layers.insert(0, sorted(step for step in steps if step[2] in good))
            good = {step[0] for step in layers[0]}
        yield from self._automaton(cells, layers, ends)

    def _automaton(self, cells: Sequence[int], layers: Layers, ends: dict[int, int]) -> Iterator[Literals]:
        """The cells take an automaton from state 0 to one of its last states, each of which has a variable."""
        # Which of several last states it is must be said elsewhere.
        states = {0: self._new()}
        yield (states[0],)
        if len(ends) == 1:
            yield tuple(ends.values())
        for position, (cell, layer) in enumerate(zip(cells, layers, strict=True), start=1):
            is_last = position == len(cells)
            after = ends if is_last else {state: self._new() for state in sorted({step[2] for step in layer})}
            taken = {step: self._new() for step in sorted(layer)}
            for (start, value, end), variable in taken.items():
                yield -variable, states[start]
                yield -variable, self._x(cell, value)
                yield -variable, after[end]
                yield variable, -states[start], -self._x(cell, value)
            # A state before the cell, a value of it, and a state after it: each needs a transition of its own.
            needs = (states, {value: self._x(cell, value) for value in self._values}, after)
            for place, named in enumerate(needs):
                ways: dict[int, list[int]] = {name: [] for name in named}
                for step, variable in taken.items():
                    ways[step[place]].append(variable)
                yield from ((-named[name], *variables) for name, variables in ways.items())
            states = after


# Regions, connected cells and runs.

_Edges = Sequence[tuple[int, int]]


class RegionWriter:
    """Writes clauses: `x` returns the variable that says that a cell holds a value, `new` a new variable."""

    def __init__(self, n: int, x: Callable[[int, int], int], new: Callable[[], int]) -> None:
        self.n, self.x, self.new = n, x, new

    def clauses_of(self, primitive: ConnectedCells | Regions | Runs) -> Iterator[Literals]:
        """Yield the clauses of a primitive."""
        match primitive:
            case ConnectedCells():
                yield from self._connected(primitive)
            case Regions():
                yield from self._regions(primitive)
            case Runs():
                yield from self._runs(primitive)

    def _any(self, variable: int, parts: Sequence[int]) -> Iterator[Literals]:
        """The variable holds if and only if one of some literals does."""
        yield -variable, *parts
        yield from ((variable, -part) for part in parts)

    def _both(self, variable: int, first: int, second: int) -> Iterator[Literals]:
        """The variable holds if and only if both literals do."""
        yield -variable, first
        yield -variable, second
        yield variable, -first, -second

    def _prefixes(self, literals: Sequence[int], prefixes: list[int]) -> Iterator[Literals]:
        """For each of the literals a variable, which is appended to a list: it or one before it holds."""
        for literal in literals:
            variable = self.new()
            yield from self._any(variable, [*prefixes[-1:], literal])
            prefixes.append(variable)

    def _amounts(self, literals: Sequence[int], most: int, amounts: list[int]) -> Iterator[Literals]:
        """For each number up to `most` a variable, which is appended to a list: at least so many literals hold."""
        # Row by row, with one more literal in each.
        for count, literal in enumerate(literals, 1):
            before = list(amounts)
            for number in range(1, min(count, most) + 1):
                variable = self.new()
                # Or enough of those before hold already, or one less and this one.
                enough = before[number - 1 : number]
                less = before[number - 2 : number - 1] if number > 1 else []
                yield -variable, *enough, literal
                yield from ((-variable, *enough, one) for one in less)
                yield from ((variable, -one) for one in enough)
                yield variable, -literal, *(-one for one in less)
                amounts[number - 1 : number] = [variable]

    def _reach(
        self, roots: Sequence[int], links: Sequence[Sequence[tuple[int, int]]], steps: int
    ) -> Iterator[Literals]:
        """Each place is reached from a root in some steps; for each place its links, the literal and the other end."""
        before = list(roots)
        for _ in range(steps):
            after = [self.new() for _ in roots]
            for place, variable in enumerate(after):
                ways = [before[place]]
                for literal, other in links[place]:
                    way = self.new()
                    yield from self._both(way, literal, before[other])
                    ways.append(way)
                yield from self._any(variable, ways)
            before = after
        yield from ((variable,) for variable in before)

    def _regions(self, primitive: Regions) -> Iterator[Literals]:
        cells, labels, edges = primitive.cells, primitive.labels, primitive.edges
        numbers = range(1, primitive.n_regions + 1)
        begun: dict[int, list[int]] = {number: [] for number in numbers}
        for number in numbers:
            yield from self._prefixes([self.x(label, number) for label in labels], begun[number])
            yield (begun[number][-1],)
        roots = [self.new() for _ in cells]
        for place, label in enumerate(labels):
            for number in numbers:
                literal, earlier = self.x(label, number), begun[number][place - 1 : place] if place else []
                yield from ((-literal, -roots[place], -variable) for variable in earlier)
                yield -literal, roots[place], *earlier
                if number > 1:
                    yield -literal, *(begun[number - 1][place - 1 : place] if place else [])
        links: list[list[tuple[int, int]]] = [[] for _ in cells]
        for first, second in edges:
            same = self.new()
            yield from self._same(same, labels[first], labels[second], numbers)
            links[first].append((same, second))
            links[second].append((same, first))
        yield from self._reach(roots, links, self.n - 1)
        for number in numbers:
            for value in range(1, self.n + 1):
                holds = [self.new() for _ in cells]
                for place, variable in enumerate(holds):
                    yield from self._both(variable, self.x(labels[place], number), self.x(cells[place], value))
                yield tuple(holds)
                prefixes: list[int] = []
                yield from self._prefixes(holds, prefixes)
                yield from ((-variable, -earlier) for variable, earlier in zip(holds[1:], prefixes, strict=False))

    def _same(self, variable: int, first: int, second: int, values: Sequence[int]) -> Iterator[Literals]:
        """The variable holds if and only if two cells hold the same value."""
        for value in values:
            literal, other = self.x(first, value), self.x(second, value)
            yield -variable, -literal, other
            yield -variable, literal, -other
            yield variable, -literal, -other

    def _connected(self, primitive: ConnectedCells) -> Iterator[Literals]:
        inside = [self.new() for _ in primitive.cells]
        for variable, cell in zip(inside, primitive.cells, strict=True):
            yield from self._any(variable, [self.x(cell, value) for value in values_in(primitive.values)])
        prefixes: list[int] = []
        yield from self._prefixes(inside, prefixes)
        yield (prefixes[-1],)
        # Cells outside of the set count as reached.
        roots = [self.new() for _ in inside]
        for place, variable in enumerate(roots):
            earlier = prefixes[place - 1 : place] if place else []
            yield from ((-variable, -inside[place], -one) for one in earlier)
            yield variable, inside[place]
            yield variable, *earlier
        links: list[list[tuple[int, int]]] = [[] for _ in inside]
        for first, second in primitive.edges:
            links[first].append((inside[second], second))
            links[second].append((inside[first], first))
        yield from self._reach(roots, links, primitive.most - 1)
        if primitive.least > 1 or primitive.most < len(inside):
            amounts: list[int] = []
            yield from self._amounts(inside, primitive.most + 1, amounts)
            yield (amounts[primitive.least - 1],)
            yield from ((-variable,) for variable in amounts[primitive.most :])

    def _runs(self, primitive: Runs) -> Iterator[Literals]:
        reached: list[int] = []
        for arm in primitive.arms:
            for place, cell in enumerate(arm):
                variable, before = self.new(), reached[-1:] if place else []
                yield from ((-variable, earlier) for earlier in before)
                for value in range(1, self.n + 1):
                    first, other = self.x(primitive.first, value), self.x(cell, value)
                    yield -variable, -first, other
                    yield variable, *(-earlier for earlier in before), -first, -other
                reached.append(variable)
        amounts: list[int] = []
        yield from self._amounts(reached, len(reached), amounts)
        for value in range(1, self.n + 1):
            literal, total = self.x(primitive.control, value), value + primitive.offset - 1
            if total > len(reached):
                yield (-literal,)
                continue
            yield from ((-literal, variable) for variable in amounts[total - 1 : total] if total)
            yield from ((-literal, -variable) for variable in amounts[total : total + 1])
