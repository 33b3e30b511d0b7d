"""Constraints on single cells and on sets of cells: parities, regions, and how often values occur."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from sudoku_encode.puzzles.constraints.constraint import (
    ANY,
    LINE,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Look,
    Picture,
    Placing,
    Values,
)
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS
from sudoku_encode.puzzles.constraints.pairs import Relations
from sudoku_encode.puzzles.constraints.primitives import (
    Clause,
    Count,
    Domain,
    EachClass,
    Primitive,
    Steps,
    Sum,
    Unit,
    automaton,
    values_that,
)
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero
from sudoku_encode.puzzles.neighbours import around

_GREEN, _GREY = "#009e73", "#cacac6"


class Domains(BoundConstraint):
    """A kind of constraints that allow each of their cells some values."""

    def allows(self, value: int) -> bool:
        """Check whether a cell may hold a value."""
        raise NotImplementedError

    def lower(self) -> Iterator[Primitive]:
        """Yield the domain of each cell."""
        allowed = values_that(self.n, self.allows)
        for cell in self.cells:
            yield Domain(cell, allowed)

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        yield Constraint("values", self.lists, tuple(v for v in range(1, self.n + 1) if self.allows(v - 1)))


class Odd(Domains):
    name = "odd"
    summary = "the cells are odd"
    form = "odd CELLS"
    example = "odd r1c1"
    picture = Picture("grey circles", "odd", Look(920, fill=_GREY), "odd cells")
    f_puzzles = FPuzzlesKey("odd", "marks")
    iss = (IssType("", "values"),)
    placing = Placing("cell")

    def violated(self, values: Values) -> bool:
        return any(values[cell] % 2 != 1 for cell in self.cells)

    def allows(self, value: int) -> bool:
        return value % 2 == 1


class Even(Domains):
    name = "even"
    summary = "the cells are even"
    form = "even CELLS"
    example = "even r1c1"
    picture = Picture("grey squares", "even", Look(930, fill=_GREY), "even cells")
    f_puzzles = FPuzzlesKey("even", "marks")
    iss = (IssType("", "values"),)
    placing = Placing("cell")

    def violated(self, values: Values) -> bool:
        return any(values[cell] % 2 != 0 for cell in self.cells)

    def allows(self, value: int) -> bool:
        return value % 2 == 0


class AllowedValues(Domains):
    name = "values"
    summary = "each cell holds one of the values"
    form = "values VALUES CELLS"
    example = "values 2 5 r1c1 r1c2"
    n_numbers = (1, 64)
    picture = Picture("small values low in the cells", "values")
    iss = (IssType("", "values"),)

    def violated(self, values: Values) -> bool:
        return any(values[cell] not in self.numbers for cell in self.cells)

    def allows(self, value: int) -> bool:
        return value in self.numbers

    def unfit(self) -> str:
        return self.not_values(self.numbers)


class Extremes(Relations):
    """A kind of constraints that compare cells with their neighbours, but for those that are marked so too."""

    needs = "lines"
    compares = True

    def pairs(self) -> list[tuple[int, int]]:
        """Return each cell with each of its neighbours that is not marked."""
        marked = {
            cell for other in (self.constraint, *self.others) if other.kind == self.name for cell in other.cells[0]
        }
        return [(cell, other) for cell in self.cells for other in around(self.board, cell) if other not in marked]

    def scope(self) -> Iterator[int]:
        """Yield the cells and their neighbours."""
        yield from self.cells
        for pair in self.pairs():
            yield from pair


class Minimum(Extremes):
    name = "minimum"
    summary = "each cell is smaller than its neighbours, except for those that are marked too"
    form = "minimum CELLS"
    example = "minimum r2c2"
    picture = Picture("a fill, and signs whose tips point into the cell", "extreme", sign="inwards")
    f_puzzles = FPuzzlesKey("minimum", "marks")

    def violated(self, values: Values) -> bool:
        return any(not values[cell] < values[other] for cell, other in self.pairs())

    def allows(self, a: int, b: int) -> bool:
        return a < b


class Maximum(Extremes):
    name = "maximum"
    summary = "each cell is greater than its neighbours, except for those that are marked too"
    form = "maximum CELLS"
    example = "maximum r2c2"
    picture = Picture("a fill, and signs whose tips point out of the cell", "extreme", sign="outwards")
    f_puzzles = FPuzzlesKey("maximum", "marks")

    def violated(self, values: Values) -> bool:
        return any(not values[cell] > values[other] for cell, other in self.pairs())

    def allows(self, a: int, b: int) -> bool:
        return a > b


class ExtraRegion(BoundConstraint):
    name = "extra-region"
    summary = "the cells all differ"
    form = "extra-region CELLS"
    example = "extra-region r2c2-r4c4"
    n_cells = LINE
    compares = True
    picture = Picture(
        "a fill and a line around it", "extra-region", Look(1000, fill="#ececf4"), "cells of an extra region"
    )
    f_puzzles = FPuzzlesKey("extraregion", "cells", is_set=True)
    iss = (IssType("AllDifferent", "all-different"),)

    def violated(self, values: Values) -> bool:
        return len(set(self.in_list(values))) < len(self.cells)

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit."""
        yield Unit(self.cells, "extra-region")


class Quadruple(BoundConstraint):
    name = "quadruple"
    aliases = ("quad",)
    summary = "the cells contain the values, each at least as often as it is listed"
    form = "quadruple VALUES CELLS"
    example = "quadruple 3 5 r1c1 r1c2 r2c1 r2c2"
    n_numbers = (1, 9)
    picture = Picture("a circle with the values", "quadruple")
    f_puzzles = FPuzzlesKey("quadruple", "quadruple")
    iss = (IssType("Quad", "quadruple"), IssType("ContainAtLeast", "contain"))

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        return any(cell_values.count(value) < self.numbers.count(value) for value in self.numbers)

    def lower(self) -> Iterator[Primitive]:
        """Yield the values; or, where some are listed more than once, clauses.

        Of any set of all cells but k - 1, one holds a value that k cells must hold.
        """
        if len(set(self.numbers)) == len(self.numbers):
            yield EachClass(self.cells, tuple(1 << value - 1 for value in self.numbers))
            return
        for value in dict.fromkeys(self.numbers):
            k = self.numbers.count(value)
            for cells in combinations(self.cells, len(self.cells) - k + 1):
                yield Clause(tuple((cell, value) for cell in cells))

    def unfit(self) -> str:
        if reason := self.not_values(self.numbers):
            return reason
        if len(self.numbers) > len(self.cells):
            return f"{len(self.numbers)} values for {len(self.cells)} cells"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        yield replace(self.constraint, numbers=tuple(value + 1 for value in self.numbers))


class CountingCircles(BoundConstraint):
    name = "counting-circles"
    summary = "each value that the cells contain appears in as many of them as its number"
    form = "counting-circles CELLS"
    example = "counting-circles r1c1 r2c4 r5c5"
    picture = Picture(
        "circles",
        "counting-circles",
        Look(600, "#a07d9b", 0.045),
        "cells that count the cells with their value",
        legend="circle",
        has_letters=True,
    )
    iss = (IssType("CountingCircles", "line"),)

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        return any(cell_values.count(value) != value for value in cell_values)

    def lower(self) -> Iterator[Primitive]:
        """Yield how often each value may come; values above the number of cells are excluded."""
        most = min(len(self.cells), self.n)
        for cell in self.cells:
            yield Domain(cell, values_that(most, lambda value: True))
        for counted in range(1, most + 1):
            yield Count(self.cells, counted, 1 | 1 << counted)

    def from_zero(self) -> Iterator[Constraint]:
        """Yield regexes: a value v appears never or v times; 0 and values above the number of circles never."""
        symbols = SYMBOLS[1 : min(self.n, len(self.cells) + 1)]
        yield Constraint("regex", self.lists, (), f"[{symbols}]*")
        for times, symbol in enumerate(symbols, 1):
            yield Constraint("regex", self.lists, (), f"[^{symbol}]*|([^{symbol}]*{symbol}){{{times}}}[^{symbol}]*")


def _pairs_text(numbers: Sequence[str]) -> str:
    """Return the text in the corner of a look-and-say: how often, and which value, for each pair."""
    between = ":" if max(map(len, numbers)) > 1 else ""
    return " ".join(f"{times}{between}{value}" for times, value in zip(numbers[::2], numbers[1::2], strict=True))


class LookAndSay(BoundConstraint):
    name = "look-and-say"
    summary = "for each pair of a number and a value, exactly that number of cells hold the value"
    form = "look-and-say NUMBER VALUE ... CELLS"
    example = "look-and-say 1 6 2 7 r1c1 r2c1 r3c3"
    n_numbers = (2, 40)
    picture = Picture(
        "a green line of dashes around the cells, in its corner how often and which value, for each pair",
        "cage",
        Look(420, _GREEN, 0.045, (0.1, 0.1)),
        "around cells whose values are counted",
        legend="cage",
        corner=_pairs_text,
    )
    iss = (IssType("LookAndSay", "look-and-say"), IssType("ContainExact", "contain"))

    @property
    def counts(self) -> list[tuple[int, int]]:
        """How often, and which value, for each pair of numbers."""
        return list(zip(self.numbers[::2], self.numbers[1::2], strict=True))

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        return any(cell_values.count(value) != times for times, value in self.counts)

    def lower(self) -> Iterator[Primitive]:
        """Yield how often each value comes; a value with 0 times is excluded."""
        for times, value in self.counts:
            if times:
                yield Count(self.cells, value, 1 << times)
            else:
                for cell in self.cells:
                    yield Domain(cell, values_that(self.n, value.__ne__))

    def unfit(self) -> str:
        if len(self.numbers) % 2:
            return f"{len(self.numbers)} numbers are not pairs; expected how often, and then which value"
        return self.not_values(value for _, value in self.counts)

    def impossible(self) -> str:
        most = len(self.cells)
        wrong = next((times for times, _ in self.counts if not 0 <= times <= most), None)
        if wrong is not None:
            return f"{wrong} cells cannot hold a value: expected 0 to {most}"
        times_of: dict[int, int] = {}
        for times, value in self.counts:
            if times_of.setdefault(value, times) != times:
                return f"{times_of[value]} and {times} cells should hold {value}"
        needed = sum(times_of.values())
        return f"its values take {needed} cells, but it has {most}" if needed > most else ""

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        yield replace(self.constraint, numbers=tuple(number + at % 2 for at, number in enumerate(self.numbers)))


# The automaton of a number of distinct values has a state for each set of values.
_MOST_DISTINCT = 12


class CountDistinct(BoundConstraint):
    name = "count-distinct"
    summary = "the first cell is the number of different values in the others"
    form = "count-distinct CELL / CELLS"
    example = "count-distinct r3c3 / r2c2-r2c4"
    n_lists = (2, 2)
    n_cells = ((1, 1), ANY)
    picture = Picture(
        "a circle, and a green line of dots around the cells that it counts",
        "count-distinct",
        Look(400, _GREEN, 0.03, (0.03, 0.06)),
        "around cells whose values are counted",
        legend="cage",
    )
    iss = (IssType("CountDistinct", "count-distinct"),)

    def violated(self, values: Values) -> bool:
        (control,), others = self.lists
        return len({values[cell] for cell in others}) != values[control]

    def own_hidden_cells(self) -> int:
        # Of hidden cells, which are not filled before the grid, sets of values are too many.
        return self.n if max(map(max, self.lists)) >= self.board.n_grid else 0

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that collects the set of values, and reads the first cell last.

        With hidden cells among them: a hidden cell of its own for each value is 2 if the value is there, else 1.
        """
        (control,), others = self.lists
        if not self.first_hidden:
            yield automaton([*others, control], self.n, *self.steps(len(others)))
            return
        flags = tuple(range(self.first_hidden, self.first_hidden + self.n))
        for value, flag in enumerate(flags, 1):
            yield Domain(flag, 0b11)
            yield Clause(((flag, -2), *((cell, value) for cell in others)))
            yield from (Clause(((flag, 2), (cell, -value))) for cell in others)
        yield Sum((control, *flags), (1, *[-1] * self.n), -self.n)

    @staticmethod
    def steps(n_others: int) -> Steps[tuple[int, int]]:
        """Return steps that read the values and then their number; a state is (cells read, set of values as bits)."""
        end = (-1, 0)

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            read, used = state
            if read < n_others:
                return read + 1, used | 1 << value
            return end if used.bit_count() == value else None

        return Steps((0, 0), step, lambda state: state == end)

    def unfit(self) -> str:
        most = _MOST_DISTINCT
        return f"at most {most} values, but {self.board.name} has {self.n}" if self.n > most else ""

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        (control,), others = self.lists
        yield automaton_from_zero((*others, control), self.n, self.steps, len(others))


KINDS: tuple[type[BoundConstraint], ...] = (
    Odd,
    Even,
    AllowedValues,
    Minimum,
    Maximum,
    ExtraRegion,
    Quadruple,
    CountingCircles,
    LookAndSay,
    CountDistinct,
)
