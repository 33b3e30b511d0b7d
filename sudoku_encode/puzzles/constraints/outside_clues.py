"""Constraints of clues beside rows and columns, whose cells are read from the clue on."""

from collections.abc import Iterator

from sudoku_encode.puzzles.constraints.constraint import (
    LINE,
    UNBOUNDED,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Picture,
    Values,
)
from sudoku_encode.puzzles.constraints.expansions import sandwich_steps, unless_wide, visible_steps
from sudoku_encode.puzzles.constraints.indexing import at_place
from sudoku_encode.puzzles.constraints.primitives import Clause, Primitive, Steps, SumBetween, Visible, automaton
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero


class OutsideClue(BoundConstraint):
    """A kind of constraints with one number and one list of cells, a row or a column."""

    n_numbers = (1, 1)
    has_bounds = True


class Sandwich(OutsideClue):
    name = "sandwich"
    summary = (
        "the cells between two values, which each appear once, add up to the sum; by default the two are the "
        "smallest and the largest value"
    )
    form = "sandwich SUM [VALUE VALUE] CELLS"
    example = "sandwich 17 r1c1-r1c9"
    n_numbers = (1, 3)
    n_cells = LINE
    picture = Picture("a number beside the grid", "edge-clue", legend="clue")
    f_puzzles = FPuzzlesKey("sandwichsum", "outside", has_value=True)
    iss = (IssType("Sandwich", "sandwich"),)

    def violated(self, values: Values) -> bool:
        line, (crust, other) = self.in_list(values), self._crusts
        if line.count(crust) != 1 or line.count(other) != 1:
            return True
        first, last = sorted((line.index(crust), line.index(other)))
        return not self.fits(sum(line[first + 1 : last]))

    def lower(self) -> Iterator[Primitive]:
        """Yield the sum between the two crusts."""
        limits = self.limits(self.n * len(self.cells))
        yield from unless_wide(SumBetween(self.cells, self._crusts, *limits), self.n)

    @property
    def _crusts(self) -> tuple[int, int]:
        crusts = self.numbers if self.constraint.bounds != UNBOUNDED else self.numbers[1:]
        return (crusts[0], crusts[1]) if crusts else self._ends

    @property
    def _ends(self) -> tuple[int, int]:
        return self.board.first, self.board.last

    def unfit(self) -> str:
        n_crusts = len(self.constraint.words) - 1
        first, last = self._ends
        if n_crusts not in (0, 2) or self._crusts[0] == self._crusts[1]:
            return f"expected two different values after the sum, or none, as in sandwich 10 [{first} {last}] CELLS"
        return self.not_values(self._crusts)

    def impossible(self) -> str:
        size = max(len(self.cells) - 2, 0)
        crusts = self._crusts
        fillings = [value for value in range(self.n, 0, -1) if value not in crusts]
        most = sum(fillings[:size]) if self.differ(self.cells) else size * max(fillings, default=0)
        return self.wrong_range("sum", 0, most)

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        limits = self.limits(self.n * len(self.cells))
        yield automaton_from_zero(self.cells, self.n, sandwich_steps, self._crusts, *limits)


class XSum(OutsideClue):
    name = "x-sum"
    summary = "the first X cells add up to the sum, where X is the value of the first cell"
    form = "x-sum SUM CELLS"
    example = "x-sum 12 r1c1-r1c9"
    picture = Picture(
        "a number beside the grid, in a circle where there are several kinds", "edge-clue", legend="clue", sign="circle"
    )
    f_puzzles = FPuzzlesKey("xsum", "outside", has_value=True)
    iss = (IssType("XSum", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return line[0] > len(line) or not self.fits(sum(line[: line[0]]))

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that counts down the cells and adds up the sum."""
        yield automaton(self.cells, self.n, *self.steps(*self.limits(self.n * len(self.cells))))

    @staticmethod
    def steps(least: int, most: int | None = None) -> Steps[tuple[int, int]]:
        """Return steps for the X-sum; a state is (cells still to add, sum so far), and (0, 0) after the last."""
        begin, end, most = (-1, 0), (0, 0), least if most is None else most

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            n_cells, so_far = (value, 0) if state == begin else state
            if state == end:
                return end
            n_cells, so_far = n_cells - 1, so_far + value
            if n_cells == 0:
                return end if least <= so_far <= most else None
            return (n_cells, so_far) if n_cells > 0 and so_far <= most else None

        return Steps(begin, step, lambda state: state == end)

    def impossible(self) -> str:
        longest = min(self.n, len(self.cells))
        most = longest + (longest - 1) * self.n
        if self.differ(self.cells):
            most = max(
                x + sum([value for value in range(self.n, 0, -1) if value != x][: x - 1]) for x in range(1, longest + 1)
            )
        return self.wrong_range("sum", 1, most)

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, self.steps, *self.limits(self.n * len(self.cells)))


class Skyscraper(OutsideClue):
    name = "skyscraper"
    aliases = ("skyscrapers",)
    summary = "the number counts the cells that are greater than all cells before them"
    form = "skyscraper NUMBER CELLS"
    example = "skyscraper 3 r1c1-r1c9"
    picture = Picture(
        "a number beside the grid, in a square where there are several kinds", "edge-clue", legend="clue", sign="square"
    )
    f_puzzles = FPuzzlesKey("skyscraper", "outside", has_value=True)
    iss = (IssType("Skyscraper", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return not self.fits(sum(value > max(line[:at], default=0) for at, value in enumerate(line)))

    def lower(self) -> Iterator[Primitive]:
        """Yield how many cells are visible."""
        yield from unless_wide(Visible(self.cells, *self.limits(self.n)), self.n)

    def impossible(self) -> str:
        most = min(len(self.cells), self.n)
        if self.fits(1, most):
            return ""
        return f"{self.constraint.words[0]} cells cannot be seen: expected 1 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, visible_steps, *self.limits(self.n * len(self.cells)))


# The state after a cell is hidden.
_HIDDEN = -1


class HiddenSkyscraper(OutsideClue):
    name = "hidden-skyscraper"
    summary = "the first cell that is not greater than all cells before it holds the value"
    form = "hidden-skyscraper VALUE CELLS"
    example = "hidden-skyscraper 8 r1c1-r1c9"
    has_bounds = False
    picture = Picture(
        "a number beside the grid, between two upright lines where there are several kinds",
        "edge-clue",
        legend="clue",
        sign="uprights",
    )
    iss = (IssType("HiddenSkyscraper", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        hidden = (value for at, value in enumerate(line) if any(before >= value for before in line[:at]))
        return next(hidden, None) != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton whose state is the greatest value so far, until a cell is hidden."""
        clue = self.number(0)

        def step(greatest: int, value: int) -> int | None:
            if greatest == _HIDDEN or value <= greatest:
                return _HIDDEN if greatest == _HIDDEN or value == clue else None
            return value

        yield automaton(self.cells, self.n, 0, step, lambda greatest: greatest == _HIDDEN)

    def unfit(self) -> str:
        return self.not_values(self.numbers)

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        yield self.constraint.raised(1)


class NumberedRoom(OutsideClue):
    name = "numbered-room"
    aliases = ("numbered-rooms",)
    summary = "the X-th cell holds the value, where X is the value of the first cell"
    form = "numbered-room VALUE CELLS"
    example = "numbered-room 4 r1c1-r1c9"
    has_bounds = False
    picture = Picture(
        "a number beside the grid, in a house where there are several kinds", "edge-clue", legend="clue", sign="house"
    )
    iss = (IssType("NumberedRoom", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return line[0] > len(line) or line[line[0] - 1] != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield a clause for each X."""
        first = self.cells[0]
        for x in range(1, self.n + 1):
            clue = ((self.cells[x - 1], self.number(0)),) if x <= len(self.cells) else ()
            yield Clause(((first, -x), *clue))

    def unfit(self) -> str:
        return self.not_values(self.numbers)

    def from_zero(self) -> Iterator[Constraint]:
        self.require_fit()
        first, value = self.cells[0], self.number(0) + 1
        yield from at_place(first, self.cells, f"a != {{place}} or b == {value}")
        # If the first cell holds 1, it is its own target.
        yield Constraint("relation", ((first, first),), (), f"a != 2 or a == {value}")


KINDS: tuple[type[BoundConstraint], ...] = (Sandwich, XSum, Skyscraper, HiddenSkyscraper, NumberedRoom)
