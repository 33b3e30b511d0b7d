"""Constraints on pairs of cells: dots, sums of two, inequalities and clones."""

from collections.abc import Iterable, Iterator

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import (
    LINE,
    PAIR,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Look,
    Picture,
    Placing,
    Values,
)
from sudoku_encode.puzzles.constraints.primitives import Primitive, consecutive_pairs, pair_relations
from sudoku_encode.puzzles.constraints.written_automata import pair_words, too_many_values


class Relations(BoundConstraint):
    """A kind of constraints that hold if pairs of cells hold allowed pairs of values; by default those along a line."""

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return the pairs of cells: by default each cell with the next."""
        return consecutive_pairs(self.cells)

    def allows(self, a: int, b: int) -> bool:
        """Check whether a pair may hold two values."""
        raise NotImplementedError

    def lower(self) -> Iterator[Primitive]:
        """Yield a relation for each pair."""
        yield from pair_relations(self.pairs(), self.n, self.allows)

    def table_from_zero(self) -> Iterator[Constraint]:
        """Yield the table of the values that are one more than the allowed ones, for each pair of cells."""
        if reason := too_many_values(self.board) or self.unfit():
            raise FormatError(reason)
        values = range(1, self.n + 1)
        if not (words := pair_words((a, b) for a in values for b in values if self.allows(a - 1, b - 1))):
            raise FormatError("no values satisfy it")
        yield from (Constraint("pairs", (pair,), (), words) for pair in self.pairs())


class Difference(Relations):
    name = "difference"
    aliases = ("white-dot", "kropki-white")
    summary = "two cells differ by the number, by default 1 (a white dot)"
    form = "difference [NUMBER] CELL CELL"
    example = "difference 1 r1c1 r1c2"
    n_numbers = (0, 1)
    n_cells = PAIR
    compares = True
    picture = Picture("a white dot, with the number where it is not 1", "white-dot")
    f_puzzles = FPuzzlesKey("difference", "cells", has_value=True)
    iss = (IssType("WhiteDot", "neighbours", (1,)),)
    placing = Placing("pair")

    def violated(self, values: Values) -> bool:
        first, second = self.in_list(values)
        return abs(first - second) != self.number(1)

    def allows(self, a: int, b: int) -> bool:
        return abs(a - b) == self.number(1)

    def impossible(self) -> str:
        if not 0 <= self.number(1) < self.n:
            return f"values from 1 to {self.n} differ by 0 to {self.n - 1}, never by {self.number(1)}"
        return ""


class Ratio(Relations):
    name = "ratio"
    aliases = ("black-dot", "kropki-black")
    summary = "one cell is the number times the other, by default 2 (a black dot)"
    form = "ratio [NUMBER] CELL CELL"
    example = "ratio 2 r1c1 r1c2"
    n_numbers = (0, 1)
    n_cells = PAIR
    picture = Picture("a black dot, with the number where it is not 2", "black-dot")
    f_puzzles = FPuzzlesKey("ratio", "cells", has_value=True)
    iss = (IssType("BlackDot", "neighbours", (2,)),)
    placing = Placing("pair")

    def violated(self, values: Values) -> bool:
        first, second = self.in_list(values)
        return first != self.number(2) * second and second != self.number(2) * first

    def allows(self, a: int, b: int) -> bool:
        k = self.number(2)
        return a == k * b or b == k * a

    def impossible(self) -> str:
        if not 1 <= self.number(2) <= self.n:
            return f"no value from 1 to {self.n} is {self.number(2)} times another"
        return ""

    from_zero = Relations.table_from_zero


class XV(Relations):
    name = "xv"
    aliases = ("x 10", "v 5")
    summary = "two cells add up to the sum: 10 for an X, 5 for a V"
    form = "xv SUM CELL CELL"
    example = "xv 10 r1c1 r1c2"
    n_numbers = (1, 1)
    n_cells = PAIR
    picture = Picture("an X for 10, a V for 5, else the sum", "pair-sum")
    f_puzzles = FPuzzlesKey("xv", "xv", has_value=True)
    iss = (IssType("X", "neighbours", (10,)), IssType("V", "neighbours", (5,)))
    placing = Placing("pair", numbers=((5,), (10,)))

    def violated(self, values: Values) -> bool:
        return sum(self.in_list(values)) != self.number(10)

    def allows(self, a: int, b: int) -> bool:
        return a + b == self.number(10)

    def impossible(self) -> str:
        if not 2 <= self.number(10) <= 2 * self.n:
            return f"two values from 1 to {self.n} add up to 2 to {2 * self.n}, never to {self.number(10)}"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        yield self.constraint.raised(2)


class Greater(Relations):
    name = "greater"
    aliases = ("greater-than",)
    summary = "each cell is greater than the next"
    form = "greater CELLS"
    example = "greater r1c1 r1c2"
    n_cells = LINE
    repeats = True
    compares = True
    picture = Picture("signs between the cells", "greater")
    iss = (IssType("Pair", "written-table"), IssType("GreaterThan", "neighbours"))

    def violated(self, values: Values) -> bool:
        return any(a <= b for a, b in consecutive_pairs(self.in_list(values)))

    def allows(self, a: int, b: int) -> bool:
        return a > b


class Equalities(Relations):
    """A kind of constraints that hold if the cells of pairs are equal."""

    compares = True

    def allows(self, a: int, b: int) -> bool:
        """Check whether two values are equal."""
        return a == b


class Clone(Equalities):
    name = "clone"
    summary = "the lists have the same values, cell by cell"
    form = "clone CELLS / CELLS"
    example = "clone r1c1 r1c2 / r5c5 r5c6"
    n_lists = (2, 2)
    repeats = True
    picture = Picture(
        "a fill and a line around it, with a letter",
        "clone",
        Look(990, fill="#e2e2dc"),
        "cells that are cloned",
        legend="box",
        has_letters=True,
    )
    f_puzzles = FPuzzlesKey("clone", "clone")
    iss = (IssType("SameValues", "clone"),)

    def violated(self, values: Values) -> bool:
        return any(values[a] != values[b] for a, b in zip(*self.lists, strict=True))

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return each cell and its clone."""
        return [(first, second) for first, second in zip(*self.lists, strict=True) if first != second]

    def unfit(self) -> str:
        first, second = map(len, self.lists)
        return "" if first == second else f"{first} cells and {second} clones; expected as many clones as cells"


class Palindrome(Equalities):
    name = "palindrome"
    summary = "the line reads the same from both ends"
    form = "palindrome CELLS"
    example = "palindrome r1c1-r4c4"
    n_cells = LINE
    repeats = True
    picture = Picture(
        "a wide grey line", "line", Look(870, "#808080", 0.34, round=True, opacity=0.35), "a palindrome", legend="line"
    )
    f_puzzles = FPuzzlesKey("palindrome", "lines")
    iss = (IssType("Palindrome", "line"),)
    # The two middle cells of an even number would be equal and side by side.
    placing = Placing("walk", (3, 5), is_odd=True)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return line != line[::-1]

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return each cell and its mirror image."""
        mirrored = zip(self.cells[: len(self.cells) // 2], reversed(self.cells), strict=False)
        return [(first, second) for first, second in mirrored if first != second]

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        places = range(length // 2 + 1, len(values))
        return all(values[place] == values[length - 1 - place] for place in places)


KINDS: tuple[type[BoundConstraint], ...] = (Difference, Ratio, XV, Greater, Clone, Palindrome)
