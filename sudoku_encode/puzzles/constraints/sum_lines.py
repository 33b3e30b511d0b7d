"""Constraints on sums along lines: arrows, parts with equal sums, and lines that are cut into parts of a sum."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sudoku_encode.errors import FormatError
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
from sudoku_encode.puzzles.constraints.expansions import unless_wide
from sudoku_encode.puzzles.constraints.primitives import CutLine, EqualSums, Primitive, Steps, total
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero

_BLUE, _BROWN = "#0072b2", "#a0703c"


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
    summary = "the number in the circle, of one to three digits, is the sum of the cells along the arrow"
    form = "arrow CIRCLE / CELLS"
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
    summary = "the sum of the two ends equals the sum of the cells between them"
    form = "double-arrow CELLS"
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
    summary = "all lists of cells have the same sum"
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
    summary = (
        "the parts of the line in each box have the same sum; a box that it enters several times has several parts"
    )
    form = "region-sums CELLS"
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
    summary = "cells at the same distance from the middle of the line have the same sum, which a middle cell equals"
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
        """Yield the pieces of the line."""
        yield from unless_wide(CutLine(self.cells, self.number(0), self.name == "sum-loop"), self.n)

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
        raise FormatError(f"the sum of a part is {amount}; expected 1 or more")
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


class SumLoop(SumLine):
    name = "sum-loop"
    summary = "the line is closed, and can be cut into pieces that each add up to the sum"
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

    def unfit(self) -> str:
        if not 1 <= self.number(0) <= _MOST_LOOP_SUM:
            return f"the sum is {self.number(0)}; expected 1 to {_MOST_LOOP_SUM}"
        return ""


KINDS: tuple[type[BoundConstraint], ...] = (
    Arrow,
    DoubleArrow,
    EqualSumsOfLists,
    RegionSums,
    Zipper,
    SumLine,
    SumLoop,
)
