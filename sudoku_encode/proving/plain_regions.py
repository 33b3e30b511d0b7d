"""Regions, connected cells and runs as clauses, written a second time as plainly as possible; see `plain_constraints`.

Every grid that keeps the constraints is part of a model, in which each auxiliary variable means what its name says.
"""

from collections.abc import Callable, Iterator, Sequence

from sudoku_encode.puzzles.constraints.primitives import ConnectedCells, Regions, Runs, values_in

Literals = tuple[int, ...]
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
