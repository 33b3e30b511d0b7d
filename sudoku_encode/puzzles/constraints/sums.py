"""Constraints on sums and products of cells: cages of all sorts, and clues along diagonals."""

from collections.abc import Iterator
from itertools import chain, combinations
from math import prod

from sudoku_encode.puzzles.constraints.constraint import (
    UNBOUNDED,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Look,
    Picture,
    Placing,
    Values,
)
from sudoku_encode.puzzles.constraints.expansions import lunchbox_steps, unless_wide
from sudoku_encode.puzzles.constraints.primitives import (
    Domain,
    Primitive,
    SameCounts,
    Steps,
    SumBetween,
    Unit,
    automaton,
    bounded_total,
    relation,
    values_that,
)
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero
from sudoku_encode.puzzles.neighbours import is_diagonal

_BLUE, _BROWN, _GREEN, _MIDDLE, _PURPLE, _VERMILLION = "#0072b2", "#a0703c", "#009e73", "#6a6a66", "#c04fb4", "#d55e00"


class Cage(BoundConstraint):
    name = "cage"
    aliases = ("killer", "killer-cage")
    summary = "the cells all differ, and add up to the sum if there is one"
    form = "cage [SUM] CELLS"
    example = "cage 15 r1c1 r1c2 r2c1"
    n_numbers = (0, 1)
    has_bounds = True
    picture = Picture(
        "a dashed line around the cells, the sum in its corner",
        "cage",
        Look(480, "#1a1a1a", 0.03, (0.1, 0.07)),
        "around a cage",
    )
    f_puzzles = FPuzzlesKey("killercage", "cells", has_value=True, is_set=True)
    iss = (IssType("Cage", "cage"),)
    placing = Placing("cage")

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        return len(set(cell_values)) < len(cell_values) or not self.fits(sum(cell_values))

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit, and the sum if one is given."""
        yield Unit(self.cells, "cage")
        if self.bounds != UNBOUNDED:
            yield bounded_total(self.cells, self.n, self.bounds, distinct=True)

    def impossible(self) -> str:
        k = len(self.cells)
        least, most = k * (k + 1) // 2, k * (2 * self.n + 1 - k) // 2
        if k <= self.n and not self.fits(least, most):
            return f"{k} different values add up to {least} to {most}, never to {self.constraint.words[0]}"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        yield self.constraint.raised(len(self.cells))


class Sum(BoundConstraint):
    name = "sum"
    summary = "the cells add up to the sum; they may be equal"
    form = "sum SUM CELLS"
    example = "sum 15 r1c1 r1c2 r2c1"
    n_numbers = (1, 1)
    has_bounds = True
    weighted = "weighted-sum"
    picture = Picture(
        "a dotted line around the cells, the sum in its corner",
        "cage",
        Look(470, _MIDDLE, 0.035, (0.035, 0.07)),
        "around cells with a sum that may be equal",
    )
    iss = (IssType("Sum", "sum"),)

    def violated(self, values: Values) -> bool:
        return not self.fits(sum(self.in_list(values)))

    def lower(self) -> Iterator[Primitive]:
        """Yield the sum."""
        yield bounded_total(self.cells, self.n, self.bounds)

    def impossible(self) -> str:
        k = len(self.cells)
        if not self.fits(k, k * self.n):
            return f"{k} values from 1 to {self.n} add up to {k} to {k * self.n}, never to {self.constraint.words[0]}"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        yield self.constraint.raised(len(self.cells))


class LittleKiller(Sum):
    name = "little-killer"
    summary = "the cells of a diagonal add up to the sum; they may be equal"
    form = "little-killer SUM CELLS"
    example = "little-killer 20 r1c4-r4c1"
    weighted = ""
    picture = Picture("a number beside the grid with an arrow", "diagonal-clue")
    f_puzzles = FPuzzlesKey("littlekillersum", "diagonal", has_value=True)
    iss = (IssType("LittleKiller", "little-killer"),)
    placing = Placing("diagonal")

    def unfit(self) -> str:
        if is_diagonal(self.board, self.cells):
            return ""
        return "the cells are not on a diagonal; `sum` takes any cells"


class WeightedSum(BoundConstraint):
    name = "weighted-sum"
    summary = "the cells, each multiplied by its coefficient, add up to the sum; they may be equal"
    form = "weighted-sum SUM COEFFICIENTS CELLS"
    example = "weighted-sum 4 1 1 -2 r1c1 r1c2 r2c1"
    n_numbers = (2, 101)
    has_bounds = True
    weighted = name
    picture = Picture(
        "a line of dashes and dots around the cells, the sum in its corner, in cells coefficients other than 1",
        "weighted-sum",
        Look(460, _MIDDLE, 0.035, (0.14, 0.06, 0.035, 0.06)),
        "around cells with coefficients",
        legend="cage",
        corner=lambda numbers: numbers[0],
    )
    iss = (IssType("Sum", "weighted-sum"),)

    def violated(self, values: Values) -> bool:
        return not self.fits(
            sum(times * values[cell] for times, cell in zip(self._coefficients, self.cells, strict=True))
        )

    def lower(self) -> Iterator[Primitive]:
        """Yield the sum."""
        yield bounded_total(self.cells, self.n, self.bounds, self._coefficients)

    @property
    def _coefficients(self) -> tuple[int, ...]:
        return self.numbers if self.constraint.bounds != UNBOUNDED else self.numbers[1:]

    def unfit(self) -> str:
        n_cells, n_coefficients = len(self.cells), len(self._coefficients)
        return "" if n_coefficients == n_cells else f"{n_coefficients} coefficients after the sum, for {n_cells} cells"

    def impossible(self) -> str:
        least = sum(min(times, times * self.n) for times in self._coefficients)
        most = sum(max(times, times * self.n) for times in self._coefficients)
        return self.wrong_range("sum", least, most)

    def from_zero(self) -> Iterator[Constraint]:
        yield self.constraint.raised(sum(self._coefficients))


class Product(BoundConstraint):
    name = "product"
    summary = "the cells multiply to the product; they may be equal"
    form = "product PRODUCT CELLS"
    example = "product 24 r1c1 r1c2 r2c1"
    n_numbers = (1, 1)
    has_bounds = True
    picture = Picture(
        "a line of long and short dashes around the cells, the product and x in its corner",
        "cage",
        Look(465, _GREEN, 0.035, (0.2, 0.05, 0.05, 0.05)),
        "around cells with a product",
        corner=lambda numbers: f"{numbers[0]}x",
    )

    def violated(self, values: Values) -> bool:
        return not self.fits(prod(self.in_list(values)))

    def lower(self) -> Iterator[Primitive]:
        """Yield a domain, a relation, or an automaton whose state is the product so far."""
        if len(self.cells) == 1:
            yield Domain(self.cells[0], values_that(self.n, self.fits))
        elif len(self.cells) == 2:
            yield relation(*self.cells, self.n, lambda a, b: self.fits(a * b))
        else:
            yield automaton(self.cells, self.n, 1, self._step, self.fits)

    def _step(self, product: int, value: int) -> int | None:
        """Return the next product; the least one instead of more if there is no most."""
        least, most = self.bounds
        product *= value
        if most is None:
            return product if least is None else min(product, max(least, 1))
        return product if product <= most and (least != most or most % product == 0) else None

    def impossible(self) -> str:
        most = self.n ** len(self.cells)
        if reason := self.wrong_range("product", 1, most):
            return reason
        (product, *_), divided = self.numbers or (1,), range(self.n, 1, -1)
        for value in divided:
            while product % value == 0:
                product //= value
        return "" if product == 1 else f"no values from 1 to {self.n} multiply to {self.numbers[0]}"


class Lunchbox(BoundConstraint):
    name = "lunchbox"
    summary = "the cells differ, and those between the smallest and the largest of them add up to the sum"
    form = "lunchbox SUM CELLS"
    example = "lunchbox 11 r1c2 r1c1 r2c1 r2c2"
    n_numbers = (1, 1)
    picture = Picture(
        "a brown line around the cells, the sum in a frame in its corner",
        "cage",
        Look(450, _BROWN, 0.04),
        "around cells with a sum of what is between two of them",
        legend="cage",
        sign="frame",
        sample_text="1",
    )
    iss = (IssType("Lunchbox", "numbered"),)

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        first, last = sorted((cell_values.index(min(cell_values)), cell_values.index(max(cell_values))))
        return len(set(cell_values)) < len(cell_values) or sum(cell_values[first + 1 : last]) != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit, and the sum between the least and the greatest value."""
        yield Unit(self.cells, "lunchbox")
        yield from unless_wide(SumBetween(self.cells, None, self.number(0), self.number(0)), self.n)

    def unfit(self) -> str:
        # Its automaton has 12,000 transitions for 9 cells of 9 values, and 365,000 for those of 16 values.
        return _too_many_cells(self, 9 if self.n <= 9 else 6)

    def impossible(self) -> str:
        most = sum(range(self.n - 1, 1, -1)[: max(len(self.cells) - 2, 0)])
        return "" if 0 <= self.number(0) <= most else f"impossible sum {self.number(0)}: expected 0 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        if len(self.cells) > 1:
            yield Constraint("extra-region", self.lists)
        yield automaton_from_zero(self.cells, self.n, lunchbox_steps, self.number(0))


def _too_many_cells(c: BoundConstraint, most: int) -> str:
    return f"at most {most} cells with {c.n} values, but it has {len(c.cells)}" if len(c.cells) > most else ""


class RellikCage(BoundConstraint):
    name = "rellik-cage"
    summary = "the cells differ, and no set of them adds up to the number"
    form = "rellik-cage NUMBER CELLS"
    example = "rellik-cage 9 r1c1 r1c2 r2c1"
    n_numbers = (1, 1)
    picture = Picture(
        "a red line of dots around the cells, the number struck out in its corner",
        "cage",
        Look(440, _VERMILLION, 0.04, (0.06, 0.06)),
        "around cells that have no such sum",
        legend="cage",
        sign="strike",
        sample_text="1",
    )
    iss = (IssType("RellikCage", "numbered"),)

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        sets = (chosen for size in range(1, len(cell_values) + 1) for chosen in combinations(cell_values, size))
        return len(set(cell_values)) < len(cell_values) or any(sum(chosen) == self.number(0) for chosen in sets)

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit, and an automaton whose state is the set of sums so far."""
        yield Unit(self.cells, "rellik-cage")
        yield automaton(self.cells, self.n, *self.steps(self.number(0)))

    @staticmethod
    def steps(banned: int) -> Steps[int]:
        """Return steps that accept values without a subset of the banned sum; bit s of a state is the sum s."""

        def step(sums: int, value: int) -> int | None:
            after = (sums | sums << value) & (1 << banned + 1) - 1
            return None if after >> banned or value == banned else after

        return Steps(1, step, lambda sums: True)

    def unfit(self) -> str:
        if self.number(0) < 1:
            return f"the number is {self.number(0)}; expected 1 or more"
        # Its automaton has 32,000 transitions for 9 cells of 9 values, and 67,000 for 6 of 16 values.
        return _too_many_cells(self, 9 if self.n <= 9 else 6)

    def from_zero(self) -> Iterator[Constraint]:
        if len(self.cells) > 1:
            yield Constraint("extra-region", self.lists)
        yield automaton_from_zero(self.cells, self.n, self.steps, self.number(0))


class EqualityCage(BoundConstraint):
    name = "equality-cage"
    summary = (
        "the cells differ, and none is the middle value; they contain as many odd as even values, and as many low as "
        "high"
    )
    form = "equality-cage CELLS"
    example = "equality-cage r1c1 r1c2 r2c1 r2c2"
    compares = True
    picture = Picture(
        "a blue line of long dashes around the cells, = in its corner",
        "cage",
        Look(430, _BLUE, 0.03, (0.22, 0.06)),
        "around as many odd as even cells",
        legend="cage",
        corner=lambda numbers: "=",
        sample_text="=",
    )
    iss = (IssType("EqualityCage", "line"),)

    def violated(self, values: Values) -> bool:
        cell_values = self.in_list(values)
        odd = sum(value % 2 for value in cell_values)
        low = sum(2 * value < self.n + 1 for value in cell_values)
        high = sum(2 * value > self.n + 1 for value in cell_values)
        return (
            len(set(cell_values)) < len(cell_values)
            or 2 * odd != len(cell_values)
            or low != high
            or low + high != len(cell_values)
        )

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit, and an automaton that counts odd less even values, and high less low values."""
        yield Unit(self.cells, "equality-cage")
        middle = self.n + 1

        def step(more: tuple[int, int], value: int) -> tuple[int, int] | None:
            side = (2 * value > middle) - (2 * value < middle)
            return (more[0] + (1 if value % 2 else -1), more[1] + side) if side else None

        yield automaton(self.cells, self.n, (0, 0), step, lambda more: more == (0, 0))


class SameValues(BoundConstraint):
    name = "same-values"
    summary = "all lists of cells contain the same values, equally often"
    form = "same-values CELLS / CELLS / ..."
    example = "same-values r1c1 r1c2 / r5c5 r6c5"
    n_lists = (2, None)
    compares = True
    picture = Picture(
        "a purple line of dashes around each list of cells, with a letter",
        "same-values",
        Look(410, _PURPLE, 0.035, (0.16, 0.1)),
        "around lists with the same values",
        legend="cage",
        has_letters=True,
    )
    iss = (IssType("SameValues", "same-values"),)

    def violated(self, values: Values) -> bool:
        return len({tuple(sorted(values[cell] for cell in cells)) for cells in self.lists}) > 1

    def lower(self) -> Iterator[Primitive]:
        """Yield equalities for lists of one cell; for longer lists that counts are the same."""
        first, *others = self.lists
        if len(first) > 1 and len(set(chain.from_iterable(self.lists))) == len(first) * len(self.lists):
            yield SameCounts(self.lists)
            return
        for cells in others:
            if len(first) == 1:
                yield relation(first[0], cells[0], self.n, lambda a, b: a == b)
            else:
                # Cells in both lists count the same in both.
                both = set(first) & set(cells)
                rest, other_rest = (tuple(cell for cell in listed if cell not in both) for listed in (first, cells))
                if rest:
                    yield SameCounts((rest, other_rest))

    def unfit(self) -> str:
        sizes = sorted({len(cells) for cells in self.lists})
        if len(sizes) == 1:
            return ""
        return f"lists of {' and '.join(map(str, sizes))} cells; expected lists of the same length"


KINDS: tuple[type[BoundConstraint], ...] = (
    Cage,
    Sum,
    LittleKiller,
    WeightedSum,
    Product,
    Lunchbox,
    RellikCage,
    EqualityCage,
    SameValues,
)
