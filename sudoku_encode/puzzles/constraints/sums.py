"""Constraints on sums: cages, arrows, lines that are cut into parts, and lists with equal sums."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import prod
from typing import NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import (
    ANY,
    LINE,
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
from sudoku_encode.puzzles.constraints.primitives import (
    Domain,
    EqualSums,
    Primitive,
    Steps,
    Unit,
    automaton,
    bounded_total,
    relation,
    total,
    values_that,
)
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero
from sudoku_encode.puzzles.neighbours import is_diagonal

_BLUE, _BROWN, _GREEN, _MIDDLE, _PURPLE, _VERMILLION = "#0072b2", "#a0703c", "#009e73", "#6a6a66", "#c04fb4", "#d55e00"


class Cage(BoundConstraint):
    name = "cage"
    aliases = ("killer", "killer-cage")
    summary = "the cells all differ, and add up to the sum where there is one"
    form = "cage [SUM] CELLS"
    has_template = False
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
        yield replace(self.constraint, numbers=tuple(amount + len(self.cells) for amount in self.numbers))


class Sum(BoundConstraint):
    name = "sum"
    summary = "the cells add up to the sum; they may be equal"
    form = "sum SUM CELLS"
    has_template = False
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
        yield replace(self.constraint, numbers=tuple(amount + len(self.cells) for amount in self.numbers))


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
    summary = "the cells, each times its coefficient, add up to the sum; they may be equal"
    form = "weighted-sum SUM COEFFICIENTS CELLS"
    has_template = False
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
        amount, *coefficients = self.numbers
        yield replace(self.constraint, numbers=(amount + sum(coefficients), *coefficients))


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


def _balanced(cells: Sequence[int], others: Sequence[int], times: Sequence[int] = ()) -> Constraint:
    """Return the constraint on values from 0 that cells add up to others, these by default once, as one from 1."""
    coefficients = [*[1] * len(cells), *(-number for number in times or [1] * len(others))]
    added: Counter[int] = Counter()
    for cell, coefficient in zip([*cells, *others], coefficients, strict=True):
        added[cell] += coefficient
    return Constraint("weighted-sum", (tuple(added),), (sum(coefficients), *added.values()))


class Arrow(BoundConstraint):
    """Arrow: the number in the circle is the sum of the cells along the arrow.

    The circle may have two or three cells, the digits of the number from left to right (a pill).
    """

    name = "arrow"
    summary = "the circle, of one to three digits, is the sum of the cells along the arrow"
    form = "arrow CIRCLE / CELLS"
    has_template = False
    example = "arrow r1c1 / r1c2 r2c3"
    n_lists = (2, 2)
    n_cells = ((1, 3), ANY)
    repeats = True
    picture = Picture("a circle or a pill with an arrow", "arrow", Look(650, "#8a8a86", 0.05, round=True), "an arrow")
    f_puzzles = FPuzzlesKey("arrow", "arrow")
    iss = (IssType("Arrow", "arrow"), IssType("PillArrow", "pill-arrow"))
    placing = Placing("walk", (3, 4))

    def violated(self, values: Values) -> bool:
        circle, line = self.lists
        number = 0
        for cell in circle:
            number = 10 * number + values[cell]
        return number != sum(values[cell] for cell in line)

    def lower(self) -> Iterator[Primitive]:
        """Yield the sum of the line less the number in the circle."""
        circle, line = self.lists
        powers = [-(10**power) for power in range(len(circle) - 1, -1, -1)]
        yield total([*line, *circle], 0, [1] * len(line) + powers)

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        return sum(values[1:]) == values[0] if len(values) == length else sum(values[1:]) < values[0]

    def from_zero(self) -> Iterator[Constraint]:
        circle, line = self.lists
        powers = [10**power for power in range(len(circle) - 1, -1, -1)]
        yield self.constraint if sum(powers) == len(line) else _balanced(line, circle, powers)


class DoubleArrow(BoundConstraint):
    name = "double-arrow"
    summary = "the two ends add up to as much as the cells between them"
    form = "double-arrow CELLS"
    has_template = False
    example = "double-arrow r1c1-r1c5"
    n_cells = ((3, None),)
    repeats = True
    picture = Picture(
        "a line with a circle and an arrow at both ends",
        "double-arrow",
        Look(730, "#a9a9a5", 0.06, round=True),
        "ends with the sum of what is between them",
    )
    f_puzzles = FPuzzlesKey("doublearrow", "lines", colour="#c54b8b")
    iss = (IssType("DoubleArrow", "line"),)

    def violated(self, values: Values) -> bool:
        first, *middle, last = self.in_list(values)
        return first + last != sum(middle)

    def lower(self) -> Iterator[Primitive]:
        """Yield a sum."""
        yield total(self.cells, 0, [1, *[-1] * (len(self.cells) - 2), 1])

    def from_zero(self) -> Iterator[Constraint]:
        first, *middle, last = self.cells
        yield self.constraint if len(middle) == 2 else _balanced((first, last), middle)


class SumsOfParts(BoundConstraint):
    """A kind of constraints that name parts with equal sums."""

    has_template = False

    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Return the parts."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether two sums differ."""
        return len({sum(values[cell] for cell in part) for part in self.parts()}) > 1

    def lower(self) -> Iterator[Primitive]:
        """Yield the equality of the sums."""
        parts = self.parts()
        if len(parts) > 1:
            yield EqualSums(parts)

    def from_zero(self) -> Iterator[Constraint]:
        """Yield equal sums of the parts of each size, and from size to size a sum in which each value is one more."""
        by_size: dict[int, list[tuple[int, ...]]] = {}
        for part in self.parts():
            by_size.setdefault(len(part), []).append(part)
        if len(by_size) == 1:
            yield self.constraint
            return
        for parts in by_size.values():
            if len(parts) > 1:
                yield Constraint("equal-sums", tuple(parts))
        first, *others = by_size.values()
        yield from (_balanced(first[0], parts[0]) for parts in others)


class EqualSumsOfLists(SumsOfParts):
    name = "equal-sums"
    summary = "each list of cells adds up to the same"
    form = "equal-sums CELLS / CELLS / ..."
    example = "equal-sums r1c1 r1c2 / r2c1 r2c2"
    n_lists = (2, None)
    repeats = True
    picture = Picture(
        "a blue line of short dashes through each list",
        "line",
        Look(840, _BLUE, 0.22, (0.08, 0.12), 0.5),
        "lists of cells with equal sums",
        legend="line",
        has_letters=True,
    )
    iss = (IssType("EqualSum", "equal-sums"),)

    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Return the lists."""
        return self.lists


class RegionSums(SumsOfParts):
    name = "region-sums"
    aliases = ("region-sum-line",)
    summary = "the cells of the line add up to the same in each box that it passes, each time that it does"
    form = "region-sums CELLS"
    has_template = True
    example = "region-sums r1c2-r1c5"
    n_cells = LINE
    needs = "boxes"
    picture = Picture(
        "a wide light blue line",
        "line",
        Look(860, "#56b4e9", 0.3, round=True, opacity=0.6),
        "equal sums in each box",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("regionsumline", "lines", colour="#2ecbff")
    iss = (IssType("RegionSumLine", "line"),)

    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Return the segments of the line, cut where it passes from one box to another."""
        box_of, cells = self.boxes, self.cells
        cuts = [at for at in range(1, len(cells)) if box_of[cells[at]] != box_of[cells[at - 1]]]
        return tuple(cells[start:end] for start, end in zip([0, *cuts], [*cuts, len(cells)], strict=True))


class Zipper(SumsOfParts):
    name = "zipper"
    aliases = ("zipper-line",)
    summary = "cells as far from the middle of the line add up to the same, and to the middle cell if there is one"
    form = "zipper CELLS"
    example = "zipper r1c1-r1c5"
    n_cells = LINE
    picture = Picture(
        "a violet line of long dashes",
        "line",
        Look(810, "#9a86e0", 0.18, (0.3, 0.08), 0.7),
        "sums from the ends inwards",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("zipperline", "lines", colour="#cdb1ec")
    iss = (IssType("Zipper", "line"),)

    def parts(self) -> tuple[tuple[int, ...], ...]:
        """Return the pairs, and the middle cell."""
        cells, half = self.cells, len(self.cells) // 2
        pairs = list(zip(cells[:half], reversed(cells), strict=False))
        return (*pairs, (cells[half],)) if len(cells) % 2 else tuple(pairs)

    def from_zero(self) -> Iterator[Constraint]:
        *pairs, last = self.parts()
        yield from [self.constraint] if len(last) == 2 else (_balanced(pair, last) for pair in pairs)


class SumLine(BoundConstraint):
    name = "sum-line"
    summary = "the line can be cut into pieces that each add up to the sum"
    form = "sum-line SUM CELLS"
    example = "sum-line 10 r1c1-r1c5"
    n_numbers = (1, 1)
    picture = Picture(
        "a wide brown line of dashes",
        "line",
        Look(830, _BROWN, 0.24, (0.24, 0.08), 0.5),
        "pieces with the same sum",
        legend="line",
    )
    iss = (IssType("SumLine", "sum-line"),)

    def violated(self, values: Values) -> bool:
        return not _is_cut(self.in_list(values), self.number(0))

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton whose state is the sum of the current segment."""
        most = self.number(0)

        def step(amount: int, value: int) -> int | None:
            after = amount + value
            return after % most if after <= most else None

        yield automaton(self.cells, self.n, 0, step, lambda amount: amount == 0)

    def unfit(self) -> str:
        return "" if self.number(0) >= 1 else f"the sum is {self.number(0)}; expected 1 or more"

    def impossible(self) -> str:
        most = len(self.cells) * self.n
        if self.number(0) > most:
            return f"{len(self.cells)} cells add up to {most} at most, never to {self.number(0)}"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, _parts_from_zero, self.number(0), self.name == "sum-loop")


def _is_cut(line: Sequence[int], amount: int) -> bool:
    """Check whether a line can be cut into segments of a sum, the first at its beginning."""
    so_far = 0
    for value in line:
        so_far += value
        if so_far > amount:
            return False
        so_far %= amount
    return so_far == 0


def _parts_from_zero(amount: int, is_loop: bool) -> Steps[tuple[int, int, bool]]:
    """Return the steps over a line, or a loop, that can be cut into parts of a sum; a 0 may end or begin a part."""
    if amount < 1:
        raise FormatError(f"the sum of a part is {amount}, below 1")
    # The sum so far, by its remainder; where cuts may be by that remainder, since a cell is not cut; and whether there
    # is more than 0: a loop of 0 alone has no part.
    start = (0, (1 << amount) - 1 if is_loop else 1, not is_loop)

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
        so_far, cuts, has_part = state
        for part in range(1, value):
            cuts &= ~(1 << (so_far + part) % amount)
        return ((so_far + value) % amount, cuts, has_part or value > 0) if cuts else None

    return Steps(start, step, lambda state: state[0] == 0 and state[2])


# The automaton of a loop reads it as many times.
_MOST_LOOP_SUM = 60


class _LoopState(NamedTuple):
    """The state of the automaton of a loop after some cells.

    Attributes:
        before: the sum, of the segment in which the loop is opened, before the opening: a guess, 0, 1, 2, ...
        read: number of cells read with this guess.
        amount: sum of the current segment; -1 once a segment was too large.
    """

    before: int
    read: int
    amount: int


class SumLoop(SumLine):
    name = "sum-loop"
    summary = "the line goes on from its last cell to the first, and can be cut into pieces that each add up to the sum"
    form = "sum-loop SUM CELLS"
    example = "sum-loop 10 r1c1 r1c2 r2c2 r2c1"
    n_cells = LINE
    picture = Picture(
        "a wide brown line of long dashes that is closed",
        "loop",
        Look(820, _BROWN, 0.24, (0.4, 0.08), 0.5),
        "the same on a loop",
        legend="line",
    )
    iss = (IssType("SumLine", "sum-loop"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return not any(_is_cut(line[cut:] + line[:cut], self.number(0)) for cut in range(len(line)))

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that reads the loop once for each guess of the sum before the opening.

        Trying all guesses at once would take thousands of states.
        """
        most, size = self.number(0), len(self.cells)
        end = _LoopState(most, 0, 0)

        def step(state: _LoopState, value: int) -> _LoopState | None:
            if state == end:
                return end
            amount = state.amount if state.amount < 0 else state.amount + value
            amount = -1 if amount > most else amount % most if amount > 0 else amount
            if state.read + 1 < size:
                return _LoopState(state.before, state.read + 1, amount)
            if amount == state.before:
                return end
            return _LoopState(state.before + 1, 0, state.before + 1) if state.before + 1 < most else None

        yield automaton(self.cells * most, self.n, _LoopState(0, 0, 0), step, lambda state: state == end)

    def unfit(self) -> str:
        if not 1 <= self.number(0) <= _MOST_LOOP_SUM:
            return f"the sum is {self.number(0)}; expected 1 to {_MOST_LOOP_SUM}"
        return ""


# The smallest and the largest value so far, whether the smallest came first, the sum between them, the sum after both.
_LunchState = tuple[int, int, bool, int, int]


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
        """Yield a unit, and an automaton that adds up the values between the ends so far."""
        yield Unit(self.cells, "lunchbox")
        yield automaton(self.cells, self.n, *self.steps(self.number(0)))

    @staticmethod
    def steps(amount: int) -> Steps[_LunchState | None]:
        """Return steps that accept different values with the sum between the smallest and the largest."""
        # Sums above the amount stay above it for as long as they count, so they need not be told apart.
        above = amount + 1

        def step(state: _LunchState | None, value: int) -> _LunchState | None:
            if state is None:
                return value, value, True, 0, 0
            low, high, is_rising, between, after = state
            if low < value < high:
                return low, high, is_rising, between, min(after + value, above)
            if value in (low, high):
                return None
            if low == high:
                return min(low, value), max(high, value), value > low, 0, 0
            # The value is a new end, so the sum between starts after the end that stays.
            passed = (high if is_rising else low) + between if (value > high) == is_rising else 0
            between = min(passed + after, above)
            return min(low, value), max(high, value), value > high, between, 0

        return Steps(None, step, lambda state: state is not None and state[3] == amount)

    def unfit(self) -> str:
        # Its automaton has 12,000 transitions for 9 cells of 9 values, and 365,000 for those of 16 values.
        return _too_many_cells(self, 9 if self.n <= 9 else 6)

    def impossible(self) -> str:
        most = sum(range(self.n - 1, 1, -1)[: max(len(self.cells) - 2, 0)])
        return "" if 0 <= self.number(0) <= most else f"impossible sum {self.number(0)}: expected 0 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        if len(self.cells) > 1:
            yield Constraint("extra-region", self.lists)
        yield automaton_from_zero(self.cells, self.n, self.steps, self.number(0))


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
    summary = "the cells differ, none is the middle value; as many are odd as even, and low as high"
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
    summary = "each list of cells holds the same values, each as often"
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
        """Yield equalities for lists of one cell; for longer lists an automaton that counts each value in two lists."""
        first, *others = self.lists
        for cells in others:
            if len(first) == 1:
                yield relation(first[0], cells[0], self.n, lambda a, b: a == b)
            else:
                # Cells in both lists count the same in both.
                both = set(first) & set(cells)
                rest, other_rest = (
                    [cell for cell in cells_of_list if cell not in both] for cells_of_list in (first, cells)
                )
                if rest:
                    yield from (_as_often(rest, other_rest, self.n, value) for value in range(1, self.n + 1))

    def unfit(self) -> str:
        sizes = sorted({len(cells) for cells in self.lists})
        if len(sizes) == 1:
            return ""
        return f"lists of {' and '.join(map(str, sizes))} cells; expected lists of the same length"


def _as_often(cells: Sequence[int], others: Sequence[int], n: int, counted: int) -> Primitive:
    """Return the automaton of two lists that hold a value equally often."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, more = state
        return read + 1, more + (value == counted) * (1 if read < len(cells) else -1)

    return automaton([*cells, *others], n, (0, 0), step, lambda state: state[1] == 0)


KINDS: tuple[type[BoundConstraint], ...] = (
    Cage,
    Sum,
    LittleKiller,
    Arrow,
    DoubleArrow,
    EqualSumsOfLists,
    RegionSums,
    Zipper,
    WeightedSum,
    Product,
    SumLine,
    SumLoop,
    Lunchbox,
    RellikCage,
    EqualityCage,
    SameValues,
)
