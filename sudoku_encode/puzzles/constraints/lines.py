"""Constraints along lines: thermometers, whispers, renbans, and lines with special ends."""

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

from sudoku_encode.puzzles.constraints.constraint import (
    LINE,
    BoundConstraint,
    FPuzzlesKey,
    IssType,
    Look,
    Picture,
    Placing,
    Values,
    rank,
)
from sudoku_encode.puzzles.constraints.pairs import Relations
from sudoku_encode.puzzles.constraints.primitives import Primitive, Unit, automaton, consecutive_pairs, pair_relations


class Thermometer(Relations):
    name = "thermometer"
    aliases = ("thermo",)
    summary = "each cell is greater than the one before, starting at the bulb"
    form = "thermometer CELLS"
    example = "thermometer r1c1-r1c4"
    compares = True
    n_cells = LINE
    repeats = True
    picture = Picture(
        "a tube with a bulb", "thermometer", Look(910, "#cfcfcb", 0.26, round=True), "the tube of a thermometer"
    )
    f_puzzles = FPuzzlesKey("thermometer", "lines")
    iss = (IssType("Thermo", "line"),)
    placing = Placing("walk", (3, 6))

    def violated(self, values: Values) -> bool:
        return any(values[first] >= values[second] for first, second in consecutive_pairs(self.cells))

    def allows(self, a: int, b: int) -> bool:
        return a < b

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        return all(a < b for a, b in pairwise(values))


class SlowThermometer(Relations):
    name = "slow-thermometer"
    aliases = ("slow-thermo",)
    summary = "no cell is smaller than the one before, starting at the bulb"
    form = "slow-thermometer CELLS"
    example = "slow-thermometer r1c1-r1c4"
    n_cells = LINE
    repeats = True
    compares = True
    picture = Picture(
        "a tube with a hollow bulb",
        "slow-thermometer",
        Look(890, "#bccbd6", 0.2, round=True),
        "the tube of a slow thermometer",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("slowthermometer", "lines", colour="#6495ed")
    iss = (IssType("Pair", "written-table"),)

    def violated(self, values: Values) -> bool:
        return any(a > b for a, b in consecutive_pairs(self.in_list(values)))

    def allows(self, a: int, b: int) -> bool:
        return a <= b


class Whispers(Relations):
    """Whispers: consecutive cells of the line differ by at least the number.

    The default is half of the largest value, rounded up: 5 on a 9x9 board (German whispers); 4 gives Dutch whispers.
    """

    name = "whispers"
    aliases = ("german-whispers", "whisper", "dutch-whispers 4")
    summary = "neighbours on the line differ by at least the number (by default half the number of values: 5 on 9x9)"
    form = "whispers [NUMBER] CELLS"
    example = "whispers 5 r1c1-r1c4"
    compares = True
    n_numbers = (0, 1)
    n_cells = LINE
    repeats = True
    picture = Picture(
        "a green line",
        "line",
        Look(790, "#009e73", 0.16, round=True, opacity=0.6),
        "neighbours that differ by much",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("whispers", "lines", has_value=True, colour="#67f067")
    iss = (IssType("Whisper", "whispers"),)
    placing = Placing("walk", (3, 6))

    @property
    def gap(self) -> int:
        """The least difference."""
        return self.number((self.n + 1) // 2)

    def violated(self, values: Values) -> bool:
        return any(abs(values[a] - values[b]) < self.gap for a, b in consecutive_pairs(self.cells))

    def allows(self, a: int, b: int) -> bool:
        return abs(a - b) >= self.gap

    def unfit(self) -> str:
        return "" if self.gap >= 0 else f"the difference is {self.gap}; expected 0 or more"

    def impossible(self) -> str:
        return _too_large_difference(self, self.gap)

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        return all(abs(a - b) >= (n + 1) // 2 for a, b in pairwise(values))


def _too_large_difference(c: BoundConstraint, gap: int) -> str:
    return f"values from 1 to {c.n} differ by at most {c.n - 1}, never by {gap}" if gap >= c.n else ""


# On longer renbans the automaton has too many states; pairs mean the same but propagate less.
_MOST_RENBAN_CELLS = 6


class Renban(BoundConstraint):
    name = "renban"
    summary = "the values are consecutive and all differ, in any order"
    form = "renban CELLS"
    example = "renban r1c1-r1c4"
    compares = True
    picture = Picture(
        "a purple line",
        "line",
        Look(850, "#c04fb4", 0.22, round=True, opacity=0.5),
        "consecutive values",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("renban", "lines", is_set=True, colour="#f067f0")
    iss = (IssType("Renban", "line"),)
    placing = Placing("walk", (3, 5))

    def violated(self, values: Values) -> bool:
        line = sorted(self.in_list(values))
        return line != list(range(line[0], line[0] + len(line)))

    def lower(self) -> Iterator[Primitive]:
        """Yield a unit, and an automaton whose state is the set of values so far; for long lines, pair relations."""
        yield Unit(self.cells, "renban")
        k = len(self.cells)

        def step(used: int, value: int) -> int | None:
            after = used | 1 << value
            low, high = (after & -after).bit_length(), after.bit_length()
            return after if after != used and high - low < k else None

        if k > _MOST_RENBAN_CELLS:
            yield from pair_relations(combinations(self.cells, 2), self.n, lambda a, b: 0 < abs(a - b) < k)
        elif k > 1:
            yield automaton(self.cells, self.n, 0, step, lambda used: True)

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        return len(set(values)) == len(values) and max(values) - min(values) < length


class Nabner(Relations):
    name = "nabner"
    summary = "any two values on the line differ by at least 2"
    form = "nabner CELLS"
    example = "nabner r1c1-r1c4"
    compares = True
    picture = Picture(
        "a yellow line of short dashes",
        "line",
        Look(800, "#e0cc00", 0.18, (0.14, 0.1), 0.75),
        "values that are not neighbours",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("nabner", "lines", is_set=True, colour="#c9c883")
    iss = (IssType("PairX", "written-table"),)

    def violated(self, values: Values) -> bool:
        return any(abs(values[a] - values[b]) < 2 for a, b in combinations(self.cells, 2))

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return all pairs of cells of the line."""
        return combinations(self.cells, 2)

    def allows(self, a: int, b: int) -> bool:
        return abs(a - b) >= 2


class Classes(Relations):
    """A kind of lines on which consecutive cells, as many as there are classes of values, are in different classes."""

    def n_classes(self) -> int:
        """Return the number of classes."""
        raise NotImplementedError

    def class_of(self, value: int) -> int:
        """Return the class of a value."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether two cells that are less than so many steps apart hold values of one class."""
        return any(self.class_of(values[a]) == self.class_of(values[b]) for a, b in self.pairs())

    def pairs(self) -> Iterable[tuple[int, int]]:
        """Return the pairs of cells that are less than so many steps apart."""
        size = self.n_classes()
        return [
            (cell, other) for start, cell in enumerate(self.cells, 1) for other in self.cells[start : start + size - 1]
        ]

    def allows(self, a: int, b: int) -> bool:
        """Check whether two values are of different classes."""
        return self.class_of(a) != self.class_of(b)


class Entropic(Classes):
    name = "entropic"
    aliases = ("entropic-line", "entropy")
    summary = "any three consecutive cells on the line have a low, a middle and a high value"
    form = "entropic CELLS"
    example = "entropic r1c1-r1c4"
    n_cells = LINE
    picture = Picture(
        "an orange line of long dashes",
        "line",
        Look(780, "#e69f00", 0.16, (0.42, 0.1), 0.7),
        "low, middle and high values",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("entropicline", "lines", colour="#ffccaa")
    iss = (IssType("Entropic", "line"),)

    def n_classes(self) -> int:
        return 3

    def class_of(self, value: int) -> int:
        return rank(value, self.n)


class Modular(Classes):
    name = "modular"
    aliases = ("modular-line",)
    summary = "any m consecutive cells on the line have different remainders modulo m (by default 3)"
    form = "modular [NUMBER] CELLS"
    example = "modular 3 r1c1-r1c4"
    compares = True
    n_numbers = (0, 1)
    n_cells = LINE
    picture = Picture(
        "a line of short dashes, between blue and green",
        "line",
        Look(770, "#17a2a2", 0.16, (0.16, 0.16), 0.7),
        "different remainders",
        legend="line",
    )
    f_puzzles = FPuzzlesKey("modularline", "lines", has_value=True, colour="#55aaaa")
    iss = (IssType("Modular", "numbered", (3,)),)

    def n_classes(self) -> int:
        return self.number(3)

    def class_of(self, value: int) -> int:
        return value % self.number(3)

    def unfit(self) -> str:
        return "" if 2 <= self.number(3) <= self.n else f"not a modulus: {self.number(3)} (2 to {self.n})"


class ParityLine(Relations):
    name = "parity-line"
    aliases = ("parity",)
    summary = "values on the line alternate between odd and even"
    form = "parity-line CELLS"
    example = "parity-line r1c1-r1c4"
    n_cells = LINE
    repeats = True
    compares = True
    picture = Picture(
        "a red line of dashes and dots",
        "line",
        Look(760, "#d55e00", 0.12, (0.3, 0.1, 0.06, 0.1), 0.7),
        "odd and even in turn",
        legend="line",
    )
    iss = (IssType("Pair", "written-table"),)

    def violated(self, values: Values) -> bool:
        return any(a % 2 == b % 2 for a, b in consecutive_pairs(self.in_list(values)))

    def allows(self, a: int, b: int) -> bool:
        return a % 2 != b % 2


class Between(BoundConstraint):
    name = "between"
    aliases = ("between-line",)
    summary = "the values between the ends of the line lie strictly between those of the ends"
    form = "between CELLS"
    example = "between r1c1-r1c4"
    compares = True
    n_cells = LINE
    picture = Picture(
        "a line with a circle at both ends",
        "between",
        Look(750, "#a9a9a5", 0.1, round=True),
        "values between those of the ends",
    )
    f_puzzles = FPuzzlesKey("betweenline", "lines")
    iss = (IssType("Between", "line"),)
    placing = Placing("walk", (3, 5))

    def violated(self, values: Values) -> bool:
        first, *middle, last = self.in_list(values)
        return any(not min(first, last) < value < max(first, last) for value in middle)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that reads the two ends first."""
        first, *middle, last = self.cells

        def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            if len(ends) < 2:
                return tuple(sorted((*ends, value)))
            return ends if ends[0] < value < ends[1] else None

        if middle:
            start: tuple[int, ...] = ()
            yield automaton([first, last, *middle], self.n, start, step, lambda ends: True)

    @classmethod
    def can_begin_walk(cls, values: Values, length: int, n: int) -> bool:
        first, middle = values[0], values[1 : length - 1]
        if not middle:
            return True
        last = values[-1] if len(values) == length else None
        ascends = min(middle) > first and (last is None or max(middle) < last)
        return ascends or (max(middle) < first and (last is None or min(middle) > last))


class Lockout(BoundConstraint):
    name = "lockout"
    aliases = ("lockout-line",)
    summary = (
        "the ends differ by at least the number (by default 4), and no other value on the line lies between theirs "
        "or equals one of them"
    )
    form = "lockout [NUMBER] CELLS"
    example = "lockout 4 r1c1-r1c4"
    compares = True
    n_numbers = (0, 1)
    n_cells = LINE
    picture = Picture(
        "a line with a diamond at both ends",
        "lockout",
        Look(740, "#8fb0cf", 0.1, round=True),
        "values not between those of the ends",
    )
    f_puzzles = FPuzzlesKey("lockout", "lines", has_value=True)
    iss = (IssType("Lockout", "numbered", (4,)),)

    def violated(self, values: Values) -> bool:
        first, *middle, last = self.in_list(values)
        inside = any(min(first, last) <= value <= max(first, last) for value in middle)
        return inside or abs(first - last) < self.number(4)

    def lower(self) -> Iterator[Primitive]:
        """Yield an automaton that reads the two ends first."""
        first, *middle, last = self.cells
        gap = self.number(4)

        def step(ends: tuple[int, ...], value: int) -> tuple[int, ...] | None:
            if len(ends) == 2:
                return None if ends[0] <= value <= ends[1] else ends
            after = tuple(sorted((*ends, value)))
            return after if len(after) < 2 or after[1] - after[0] >= gap else None

        start: tuple[int, ...] = ()
        yield automaton([first, last, *middle], self.n, start, step, lambda ends: True)

    def unfit(self) -> str:
        return "" if self.number(4) >= 0 else f"the difference is {self.number(4)}; expected 0 or more"

    def impossible(self) -> str:
        return _too_large_difference(self, self.number(4))


KINDS: tuple[type[BoundConstraint], ...] = (
    Thermometer,
    SlowThermometer,
    Whispers,
    Renban,
    Nabner,
    Entropic,
    Modular,
    ParityLine,
    Between,
    Lockout,
)
