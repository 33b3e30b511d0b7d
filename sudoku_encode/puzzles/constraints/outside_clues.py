"""Constraints of clues beside rows and columns, whose cells are read from the clue on."""

from collections.abc import Iterator
from dataclasses import replace

from sudoku_encode.puzzles.constraints.constraint import (
    LINE,
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Picture,
    Values,
)
from sudoku_encode.puzzles.constraints.indexing import at_place
from sudoku_encode.puzzles.constraints.primitives import Clause, Primitive, Steps, automaton
from sudoku_encode.puzzles.constraints.written_automata import automaton_from_zero


class OutsideClue(BoundConstraint):
    """A kind of constraints with one number and one list of cells, a row or a column."""

    n_numbers = (1, 1)


class Sandwich(OutsideClue):
    name = "sandwich"
    summary = "the cells between the board's smallest and largest value, each of which is there once, add up to the sum"
    form = "sandwich SUM CELLS"
    example = "sandwich 17 r1c1-r1c9"
    n_cells = LINE
    picture = Picture("a number beside the grid", "edge-clue", legend="clue")
    f_puzzles = FPuzzlesKey("sandwichsum", "outside", has_value=True)
    iss = (IssType("Sandwich", "sandwich"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        if line.count(1) != 1 or line.count(self.n) != 1:
            return True
        first, last = sorted((line.index(1), line.index(self.n)))
        return sum(line[first + 1 : last]) != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that adds the values between the two crusts."""
        yield automaton(self.cells, self.n, *self.steps((1, self.n), self.number(0)))

    @staticmethod
    def steps(crusts: tuple[int, int], amount: int) -> Steps[tuple[int, int]]:
        """Return steps that accept values with the sum between two crusts; a state is (first crust, sum since)."""
        before, after = (-1, 0), (-2, 0)

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            crust, so_far = state
            if value not in crusts:
                so_far += value if crust in crusts else 0
                return (crust, so_far) if so_far <= amount else None
            if state == before:
                return value, 0
            return after if crust not in (value, after[0]) and so_far == amount else None

        return Steps(before, step, lambda state: state == after)

    def impossible(self) -> str:
        size = max(len(self.cells) - 2, 0)
        most = size * (self.n - 1)
        if self.differ(self.cells):
            most = sum(range(self.n - 1, 1, -1)[:size])
        return "" if 0 <= self.number(0) <= most else f"impossible sum {self.number(0)}: expected 0 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, self.steps, (0, self.n - 1), self.number(0))


class XSum(OutsideClue):
    name = "x-sum"
    summary = "the first X cells add up to the sum, where X is the first of them"
    form = "x-sum SUM CELLS"
    example = "x-sum 12 r1c1-r1c9"
    picture = Picture(
        "a number beside the grid, in a circle where there are several kinds", "edge-clue", legend="clue", sign="circle"
    )
    f_puzzles = FPuzzlesKey("xsum", "outside", has_value=True)
    iss = (IssType("XSum", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return line[0] > len(line) or sum(line[: line[0]]) != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that counts down the cells and the sum."""
        yield automaton(self.cells, self.n, *self.steps(self.number(0)))

    @staticmethod
    def steps(amount: int) -> Steps[tuple[int, int]]:
        """Return steps for the X-sum; a state is (cells still to add, sum still to reach)."""
        begin = (-1, amount)

        def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
            n_cells, rest = (value, amount) if state == begin else state
            if n_cells == 0:
                return state if state != begin else None
            n_cells, rest = n_cells - 1, rest - value
            return (n_cells, rest) if (rest == 0 if n_cells == 0 else rest >= 0) else None

        return Steps(begin, step, lambda state: state == (0, 0))

    def impossible(self) -> str:
        longest = min(self.n, len(self.cells))
        most = longest + (longest - 1) * self.n
        if self.differ(self.cells):
            most = max(
                x + sum([value for value in range(self.n, 0, -1) if value != x][: x - 1]) for x in range(1, longest + 1)
            )
        return "" if 1 <= self.number(0) <= most else f"impossible sum {self.number(0)}: expected 1 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, self.steps, self.number(0))


class Skyscraper(OutsideClue):
    name = "skyscraper"
    aliases = ("skyscrapers",)
    summary = "as many cells as the number are greater than all before them"
    form = "skyscraper NUMBER CELLS"
    example = "skyscraper 3 r1c1-r1c9"
    picture = Picture(
        "a number beside the grid, in a square where there are several kinds", "edge-clue", legend="clue", sign="square"
    )
    f_puzzles = FPuzzlesKey("skyscraper", "outside", has_value=True)
    iss = (IssType("Skyscraper", "outside"),)

    def violated(self, values: Values) -> bool:
        line = self.in_list(values)
        return sum(value > max(line[:at], default=0) for at, value in enumerate(line)) != self.number(0)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that counts the visible cells."""
        yield automaton(self.cells, self.n, *self.steps(self.number(0)))

    @staticmethod
    def steps(n_visible: int) -> Steps[tuple[int, int]]:
        """Return steps that count values greater than all before; a state is (greatest value, count)."""

        def step(state: tuple[int, int], value: int) -> tuple[int, int]:
            greatest, seen = state
            return (value, seen + 1) if value > greatest else state

        return Steps((0, 0), step, lambda state: state[1] == n_visible)

    def impossible(self) -> str:
        most = min(len(self.cells), self.n)
        return "" if 1 <= self.number(0) <= most else f"{self.number(0)} cells cannot be seen: expected 1 to {most}"

    def from_zero(self) -> Iterator[Constraint]:
        yield automaton_from_zero(self.cells, self.n, self.steps, self.number(0))


# The state after a cell is hidden.
_HIDDEN = -1


class HiddenSkyscraper(OutsideClue):
    name = "hidden-skyscraper"
    summary = "the first cell that is not greater than all before it holds the value"
    form = "hidden-skyscraper VALUE CELLS"
    example = "hidden-skyscraper 8 r1c1-r1c9"
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
        yield replace(self.constraint, numbers=(self.number(0) + 1,))


class NumberedRoom(OutsideClue):
    name = "numbered-room"
    aliases = ("numbered-rooms",)
    summary = "the X-th cell holds the value, where X is the first cell"
    form = "numbered-room VALUE CELLS"
    example = "numbered-room 4 r1c1-r1c9"
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
        first, value = self.cells[0], self.number(0) + 1
        yield from at_place(first, self.cells, f"a != {{place}} or b == {value}")
        # If the first cell holds 1, it is its own target.
        yield Constraint("relation", ((first, first),), (), f"a != 2 or a == {value}")


KINDS: tuple[type[BoundConstraint], ...] = (Sandwich, XSum, Skyscraper, HiddenSkyscraper, NumberedRoom)
