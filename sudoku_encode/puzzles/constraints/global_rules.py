"""Constraints on all cells of a board: chess moves, diagonals, neighbours without a mark, and 2x2 squares."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import ClassVar

from sudoku_encode.puzzles.constraints.constraint import (
    NO_CELLS,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Picture,
    Values,
    rank,
)
from sudoku_encode.puzzles.constraints.pairs import Equalities, Relations
from sudoku_encode.puzzles.constraints.primitives import Clause, EachClass, Primitive, Unit
from sudoku_encode.puzzles.neighbours import cell_at, neighbours, place_of, squares
from sudoku_encode.puzzles.square_rules import diagonals, windows

# Groups of cells that differ.


class Groups(BoundConstraint):
    """A kind of constraints that name no cells: those of each of its groups differ."""

    n_lists = NO_CELLS
    compares = True

    def groups(self) -> Iterable[Sequence[int]]:
        """Return the groups of cells."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether two cells of a group are equal."""
        return any(len({values[cell] for cell in cells}) < len(cells) for cells in self.groups())

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit for each group."""
        for cells in self.groups():
            yield Unit(tuple(cells), self.name)

    def scope(self) -> Iterator[int]:
        """Yield the cells of the groups."""
        for cells in self.groups():
            yield from cells


class AntiKnight(Groups):
    name = "anti-knight"
    aliases = ("knight",)
    summary = "cells a knight's move apart differ"
    form = example = "anti-knight"
    needs = "lines"
    f_puzzles = FPuzzlesKey("antiknight", "flag")
    iss = (IssType("AntiKnight", "flag"),)

    def groups(self) -> Iterable[Sequence[int]]:
        moves = product(range(-2, 3), repeat=len(self.board.coordinates[0]))
        return neighbours(
            self.board, tuple(move for move in moves if sorted(map(abs, move))[-3:] in ([1, 2], [0, 1, 2]))
        )


class AntiKing(Groups):
    name = "anti-king"
    aliases = ("king",)
    summary = "cells that touch differ, at a side or a corner"
    form = example = "anti-king"
    needs = "lines"
    f_puzzles = FPuzzlesKey("antiking", "flag")
    iss = (IssType("AntiKing", "flag"),)

    def groups(self) -> Iterable[Sequence[int]]:
        moves = product((-1, 0, 1), repeat=len(self.board.coordinates[0]))
        return neighbours(self.board, tuple(move for move in moves if any(move)))


class Diagonal(Groups):
    name = "diagonal"
    aliases = ("diagonals", "diagonal+ 1", "diagonal- -1", "positive-diagonal 1", "negative-diagonal -1")
    summary = "the cells of both long diagonals differ, or those of one: 1 rises to the right, -1 falls"
    form = "diagonal [1 OR -1]"
    example = "diagonal 1"
    n_numbers = (0, 1)
    needs = "grid"
    picture = Picture("a thin line along each diagonal", "diagonals")
    iss = (IssType("Diagonal", "diagonal"),)

    def groups(self) -> Iterable[Sequence[int]]:
        both = diagonals(self.board.shape[0])
        return [both[number] for number in self.numbers or both]

    def unfit(self) -> str:
        shape = self.board.shape
        if len(shape) != 2 or shape[0] != shape[1]:
            return f"it needs as many rows as columns, unlike {self.board.name}"
        number = self.number(1)
        return "" if number in (1, -1) else f"not a diagonal: {number} (1 rises to the right, -1 falls)"


class DisjointGroups(Groups):
    name = "disjoint-groups"
    aliases = ("disjoint",)
    summary = "cells in the same place of their boxes differ"
    form = example = "disjoint-groups"
    needs = "boxes"
    f_puzzles = FPuzzlesKey("disjointgroups", "flag")
    iss = (IssType("DisjointSets", "flag"),)

    def groups(self) -> Iterable[Sequence[int]]:
        boxes = self._boxes()
        return [tuple(box[place] for box in boxes) for place in boxes[0]]

    def unfit(self) -> str:
        if len(self.board.shape) == 2 and len({frozenset(box) for box in self._boxes()}) == 1:
            return ""
        return f"it needs boxes of the same shape, unlike {self.board.name}"

    def _boxes(self) -> list[dict[tuple[int, int], int]]:
        """Return the cells of each box, by their offsets from the box's first row and column."""
        boxes: dict[int, list[tuple[int, int]]] = {}
        columns = self.board.shape[1]
        for cell, number in enumerate(self.boxes):
            if number >= 0:
                boxes.setdefault(number, []).append(divmod(cell, columns))
        offsets = []
        for places in boxes.values():
            first_row, first_column = (min(line) for line in zip(*places, strict=True))
            offsets.append({(row - first_row, column - first_column): row * columns + column for row, column in places})
        return offsets


class Windoku(Groups):
    name = "windoku"
    summary = "the cells of each window differ; windows are as large as boxes, with a line of cells around each"
    form = example = "windoku"
    needs = "grid"
    picture = Picture("a pale fill of the windows", "windows")
    iss = (IssType("Windoku", "flag"),)

    def groups(self) -> Iterable[Sequence[int]]:
        return windows(self.board.shape[0], self.board.box)

    def unfit(self) -> str:
        fits = self.groups()
        return "" if fits else f"it needs rectangular boxes with a line of cells around, unlike {self.board.name}"


def _not_a_cube(c: BoundConstraint) -> str:
    return "" if c.board.is_cube else f"it needs a cube, not {c.board.name}"


class SpaceDiagonals(Groups):
    name = "space-diagonals"
    summary = "the cells of each long diagonal of a cube differ"
    form = example = "space-diagonals"
    example_board = "4x4x4"

    def groups(self) -> Iterable[Sequence[int]]:
        cells, last = self.board.cells_by_coordinates, self.n - 1
        return [
            tuple(cells[x, last - x if y_falls else x, last - x if z_falls else x] for x in range(self.n))
            for y_falls, z_falls in product((False, True), repeat=2)
        ]

    def unfit(self) -> str:
        return _not_a_cube(self)


class PlaneDiagonals(Groups):
    name = "plane-diagonals"
    summary = "the cells of both long diagonals of each plane of a cube differ"
    form = example = "plane-diagonals"
    example_board = "4x4x4"

    def groups(self) -> Iterable[Sequence[int]]:
        cells, last = self.board.cells_by_coordinates, self.n - 1
        diagonals = []
        for axis, plane, falls in product(range(3), range(self.n), (False, True)):
            places = [[step, last - step if falls else step] for step in range(self.n)]
            diagonals.append(tuple(cells[*place[:axis], plane, *place[axis:]] for place in places))
        return diagonals

    def unfit(self) -> str:
        return _not_a_cube(self)


class EqualPlanes(Equalities):
    """Equal planes: planes of a cube across an axis (1 is x, 2 is y, 3 is z) hold the same values in the same places.

    Lines along the axis then hold a value twice, so the rule for these lines must be left out.
    """

    name = "equal-planes"
    summary = "two planes of a cube across an axis (1 is x, 2 is y, 3 is z) are equal; planes are numbered from 0"
    form = "equal-planes AXIS PLANE PLANE"
    example = "equal-planes 3 0 1"
    n_numbers = (3, 100)
    n_lists = NO_CELLS
    example_board = "4x4x4"

    def violated(self, values: Values) -> bool:
        first, *others = [[values[cell] for cell in plane] for plane in self._planes()]
        return any(other != first for other in others)

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Yield each cell of the first plane with each cell at its place in the other planes."""
        first, *others = self._planes()
        for other in others:
            yield from zip(first, other, strict=True)

    def scope(self) -> Iterator[int]:
        for plane in self._planes():
            yield from plane

    def unfit(self) -> str:
        if reason := _not_a_cube(self):
            return reason
        (axis, *planes), last = self.numbers, self.n - 1
        if not 1 <= axis <= 3:
            return f"not an axis: {axis} (1, 2 or 3, for x, y or z)"
        if wrong := [plane for plane in planes if not 0 <= plane <= last]:
            return f"not a plane of {self.board.name}: {wrong[0]} (0 to {last})"
        if len(set(planes)) < len(planes):
            return "a plane appears twice"
        return ""

    def _planes(self) -> list[list[int]]:
        cells, (axis, *planes) = self.board.cells_by_coordinates, self.numbers
        places = list(product(range(self.n), repeat=2))
        return [[cells[*place[: axis - 1], plane, *place[axis - 1 :]] for place in places] for plane in planes]


# Negative constraints: neighbours without a mark do not have the relation that the mark stands for.


class NegativeRule(Relations):
    """A kind of constraints that name no cells: neighbours without a mark do not hold forbidden pairs of values."""

    n_lists = NO_CELLS
    needs = "lines"
    marks: ClassVar[tuple[str, ...]]  # the kinds of the marks

    def forbids(self, a: int, b: int) -> bool:
        """Check whether two values are forbidden."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether two unmarked neighbours hold forbidden values."""
        return any(self.forbids(values[a], values[b]) for a, b in self.pairs())

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of neighbours that no constraint of the kinds `marks` names."""
        marked = self.marked(*self.marks)
        return [pair for pair in self.neighbours if pair not in marked]

    def allows(self, a: int, b: int) -> bool:
        """Check whether two values are not forbidden."""
        return not self.forbids(a, b)

    def scope(self) -> Iterator[int]:
        """Yield the cells of the unmarked pairs."""
        for pair in self.pairs():
            yield from pair


class NonConsecutive(NegativeRule):
    name = "non-consecutive"
    summary = "neighbours do not differ by 1, except those with a `difference`"
    form = example = "non-consecutive"
    compares = True
    f_puzzles = FPuzzlesKey("nonconsecutive", "flag")
    iss = (IssType("AntiConsecutive", "flag"),)
    marks = ("difference",)

    def forbids(self, a: int, b: int) -> bool:
        return abs(a - b) == 1


class NegativeDifference(NegativeRule):
    name = "negative-difference"
    summary = "neighbours without a `difference` or `ratio` do not differ by any of the numbers (by default 1)"
    form = "negative-difference [NUMBERS]"
    example = "negative-difference 1"
    n_numbers = (0, 9)
    f_puzzles = FPuzzlesKey("difference", "negative")
    iss = (IssType("StrictKropki", "flag", (1,)),)
    marks = ("difference", "ratio")

    def forbids(self, a: int, b: int) -> bool:
        return abs(a - b) in (self.numbers or (1,))

    def unfit(self) -> str:
        wrong = next((number for number in self.numbers if not 0 <= number < self.n), None)
        first, last = self.board.first, self.board.last
        return "" if wrong is None else f"values from {first} to {last} differ by 0 to {self.n - 1}, never by {wrong}"

    from_zero = Relations.table_from_zero


class NegativeRatio(NegativeRule):
    name = "negative-ratio"
    summary = (
        "neighbours without a `ratio` or `difference`: neither is any of the numbers times the other (by default 2)"
    )
    form = "negative-ratio [NUMBERS]"
    example = "negative-ratio 2"
    n_numbers = (0, 9)
    f_puzzles = FPuzzlesKey("ratio", "negative")
    iss = (IssType("StrictKropki", "flag", (2,)),)
    marks = ("ratio", "difference")

    def forbids(self, a: int, b: int) -> bool:
        return any(a == k * b or b == k * a for k in self.numbers or (2,))

    def unfit(self) -> str:
        first, last = self.board.first, self.board.last
        wrong = next((number for number in self.numbers if not 1 <= number <= last), None)
        return "" if wrong is None else f"no value from {first} to {last} is {wrong} times another"

    from_zero = Relations.table_from_zero


class NegativeXV(NegativeRule):
    name = "negative-xv"
    summary = "neighbours without an `xv` add up to none of the numbers (by default 5 and 10)"
    form = "negative-xv [NUMBERS]"
    example = "negative-xv"
    n_numbers = (0, 9)
    f_puzzles = FPuzzlesKey("xv", "negative")
    iss = (IssType("StrictXV", "flag"),)
    marks = ("xv",)

    def forbids(self, a: int, b: int) -> bool:
        return a + b in (self.numbers or (5, 10))

    def unfit(self) -> str:
        first, last = self.board.first, self.board.last
        wrong = next((number for number in self.numbers if not 2 * first <= number <= 2 * last), None)
        sums = f"{2 * first} to {2 * last}"
        return "" if wrong is None else f"two values from {first} to {last} add up to {sums}, never to {wrong}"

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        # Two values add up to at most twice the largest.
        if amounts := tuple(amount + 2 for amount in self.numbers or (5, 10) if amount <= 2 * self.board.last):
            yield Constraint(self.name, (), amounts)


# Constraints on all cells.


class OfAllCells(BoundConstraint):
    """A kind of constraints that name no cells and depend on all of them."""

    n_lists = NO_CELLS

    def scope(self) -> Iterator[int]:
        """Yield all cells."""
        yield from range(self.board.n_grid)


class AntiTaxicab(OfAllCells):
    name = "anti-taxicab"
    summary = "two cells with the same value d are not d steps apart, along sides"
    form = example = "anti-taxicab"
    needs = "lines"
    iss = (IssType("AntiTaxicab", "flag"),)

    def violated(self, values: Values) -> bool:
        return any(values[a] == values[b] == steps for a, b, steps in self._pairs())

    def lower(self) -> Iterator[Primitive]:
        """Yield a clause for each pair of cells whose distance is a value of the board."""
        for first, second, steps in self._pairs():
            if steps <= self.n:
                yield Clause(((first, -steps), (second, -steps)))

    def _pairs(self) -> Iterator[tuple[int, int, int]]:
        """Yield each pair of cells with the number of steps between them."""
        places = [place_of(self.board, cell) for cell in range(self.board.n_grid)]
        for first, second in combinations(range(self.board.n_grid), 2):
            steps = sum(abs(a - b) for a, b in zip(places[first], places[second], strict=True))
            yield first, second, steps


class Squares(OfAllCells):
    """A kind of constraints by which each 2x2 square contains a value of each class."""

    needs = "grid"

    def class_of(self, value: int) -> int:
        """Return the class of a value."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether a square lacks a class."""
        classes = {self.class_of(value) for value in range(1, self.n + 1)}
        return any({self.class_of(values[cell]) for cell in cells} != classes for cells in squares(self.board))

    def lower(self) -> Iterator[Primitive]:
        """Yield each square with the classes."""
        classes: dict[int, int] = {}
        for value in range(1, self.n + 1):
            classes[self.class_of(value)] = classes.get(self.class_of(value), 0) | 1 << value - 1
        of_each = tuple(values for _, values in sorted(classes.items()))
        for cells in squares(self.board):
            yield EachClass(tuple(cells), of_each)


class GlobalEntropy(Squares):
    name = "global-entropy"
    summary = "each 2x2 square contains a low, a middle and a high value"
    form = example = "global-entropy"
    iss = (IssType("GlobalEntropy", "flag"),)

    def class_of(self, value: int) -> int:
        return rank(value, self.n)


class GlobalModular(Squares):
    name = "global-modular"
    summary = "each 2x2 square contains values with every remainder modulo the number (by default 3)"
    form = "global-modular [NUMBER]"
    example = "global-modular"
    n_numbers = (0, 1)
    compares = True
    iss = (IssType("GlobalMod", "flag"),)

    def class_of(self, value: int) -> int:
        return value % self.number(3)

    def unfit(self) -> str:
        most = min(self.n, 4)
        return "" if 2 <= self.number(3) <= most else f"not a modulus: {self.number(3)} (2 to {most})"


class DutchFlatmates(OfAllCells):
    name = "dutch-flatmates"
    summary = "each middle value has a 1 above it or the largest value below it"
    form = example = "dutch-flatmates"
    needs = "grid"
    iss = (IssType("DutchFlatmates", "flag"),)

    def violated(self, values: Values) -> bool:
        return any(
            values[cell] == self._middle and not any(values[mate] == value for mate, value in self._mates(cell))
            for cell in range(self.board.n_grid)
        )

    def lower(self) -> Iterator[Primitive]:
        """Yield a clause for each cell."""
        for cell in range(self.board.n_grid):
            yield Clause(((cell, -self._middle), *self._mates(cell)))

    def unfit(self) -> str:
        return "" if self.n % 2 else f"values from 1 to {self.n} have no middle"

    @property
    def _middle(self) -> int:
        return (self.n + 1) // 2

    def _mates(self, cell: int) -> list[tuple[int, int]]:
        """Return the cells above and below, each with the value that it should hold."""
        row, column = place_of(self.board, cell)
        beside = [(cell_at(self.board, (row - 1, column)), 1), (cell_at(self.board, (row + 1, column)), self.n)]
        return [(mate, value) for mate, value in beside if mate is not None]


KINDS: tuple[type[BoundConstraint], ...] = (
    NonConsecutive,
    NegativeDifference,
    NegativeRatio,
    NegativeXV,
    AntiKnight,
    AntiKing,
    Diagonal,
    DisjointGroups,
    Windoku,
    SpaceDiagonals,
    PlaneDiagonals,
    EqualPlanes,
    AntiTaxicab,
    GlobalEntropy,
    GlobalModular,
    DutchFlatmates,
)
