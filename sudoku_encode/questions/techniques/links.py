"""Which candidates exclude each other, and of which one at least is true: what chains and patterns are made of.

A candidate is a number here, `cell * n_values + value - 1`, and a set of candidates is a whole number with a bit for
each, so that what two candidates both see is one `&`.

Two candidates *see* each other if they cannot both be true: another value of the same cell, or the same value in a
peer (a weak link). They are *partners* if one of them must be true: the only two of a cell, or the only two places of
a value in a unit that holds every value (a strong link).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sudoku_encode.papers.marks import Deduction, Layout, Marks, Unit
from sudoku_encode.puzzles.geometry import Geometry, Rule


def members(some: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while some:
        low = some & -some
        yield low.bit_length() - 1
        some ^= low


@dataclass(frozen=True)
class Pair:
    """The only two places of a value in a unit.

    Attributes:
        unit: the unit.
        value: the value.
        ends: the two candidates.
    """

    unit: Unit
    value: int
    ends: tuple[int, int]

    def turns(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the ends in both orders."""
        return self.ends, self.ends[::-1]


@dataclass(frozen=True, eq=False)
class Sight:
    """What the candidates of a board see, whatever is left of them."""

    layout: Layout

    @staticmethod
    @lru_cache(maxsize=8)
    def of(layout: Layout) -> "Sight":
        """Return that of a board, the same for all puzzles on it."""
        return Sight(layout)

    @cached_property
    def n_values(self) -> int:
        """How many values there are."""
        return self.layout.board.n_values

    @cached_property
    def _all(self) -> dict[int, int]:
        return {}

    @cached_property
    def _same_value(self) -> dict[int, int]:
        return {}

    def same_value(self, candidate: int) -> int:
        """Return the candidates of the same value in peers."""
        if candidate not in self._same_value:
            cell, value = divmod(candidate, self.n_values)
            self._same_value[candidate] = sum(1 << peer * self.n_values + value for peer in self.layout.peers[cell])
        return self._same_value[candidate]

    def all(self, candidate: int) -> int:
        """Return all candidates that one sees."""
        if candidate not in self._all:
            cell = candidate // self.n_values
            own = ((1 << self.n_values) - 1) << cell * self.n_values
            self._all[candidate] = self.same_value(candidate) | own ^ 1 << candidate
        return self._all[candidate]

    @cached_property
    def homes(self) -> dict[Rule, dict[int, Unit]]:
        """By rule and cell, the unit of the cell, where it has one."""
        homes: dict[Rule, dict[int, Unit]] = {rule: {} for rule in self.layout.board.rules}
        for unit in self.layout.units:
            for cell in unit.cells:
                homes[unit.rule][cell] = unit
        return homes


@dataclass(frozen=True, eq=False)
class Links:
    """The links between the candidates that blanks have at one point.

    Attributes:
        sight: what candidates see on this board.
        masks: the candidates of each cell, bit 0 is value 1; 0 for a cell that is filled.
    """

    sight: Sight
    masks: tuple[int, ...]

    @staticmethod
    def of(marks: Marks) -> "Links":
        """Return the links as the marks are now."""
        blanks = marks.blanks
        return _links(marks.layout, tuple(mask if cell in blanks else 0 for cell, mask in enumerate(marks.masks)))

    @property
    def board(self) -> Geometry:
        """The board."""
        return self.sight.layout.board

    @property
    def n_values(self) -> int:
        """How many values there are."""
        return self.sight.n_values

    @cached_property
    def live(self) -> int:
        """All candidates of blanks."""
        n, live = self.n_values, 0
        for mask in reversed(self.masks):
            live = live << n | mask
        return live

    @cached_property
    def of_value(self) -> list[int]:
        """For each value, from 1 at index 1, its candidates."""
        n = self.n_values
        column = sum(1 << cell * n for cell in range(len(self.masks)))
        return [0, *(self.live & column << value for value in range(n))]

    @cached_property
    def places(self) -> list[tuple[Unit, int, tuple[int, ...]]]:
        """For each unit that holds every value, and each value, the candidates that are left of it there."""
        n, found = self.n_values, []
        for unit in self.sight.layout.full_units:
            places: dict[int, list[int]] = {}
            for cell in unit.cells:
                for value in members(self.masks[cell]):
                    places.setdefault(value, []).append(cell * n + value)
            found += [(unit, value + 1, tuple(places[value])) for value in sorted(places)]
        return found

    @cached_property
    def pairs(self) -> list[Pair]:
        """The values that have two places in a unit."""
        return [Pair(unit, value, (some[0], some[1])) for unit, value, some in self.places if len(some) == 2]

    @cached_property
    def pairs_of_value(self) -> dict[int, list[Pair]]:
        """The pairs by their value."""
        found: dict[int, list[Pair]] = {}
        for pair in self.pairs:
            found.setdefault(pair.value, []).append(pair)
        return found

    @cached_property
    def partners_by_place(self) -> dict[int, int]:
        """For a candidate its partners by units."""
        found: dict[int, int] = {}
        for pair in self.pairs:
            for one, other in pair.turns():
                found[one] = found.get(one, 0) | 1 << other
        return found

    @cached_property
    def partners_by_cell(self) -> dict[int, int]:
        """For a candidate of a cell with two the other one."""
        found: dict[int, int] = {}
        for cell in self.two_valued:
            one, other = (cell * self.n_values + value for value in members(self.masks[cell]))
            found[one], found[other] = 1 << other, 1 << one
        return found

    @cached_property
    def partners(self) -> dict[int, int]:
        """For a candidate its partners of both kinds."""
        found = dict(self.partners_by_place)
        for one, others in self.partners_by_cell.items():
            found[one] = found.get(one, 0) | others
        return found

    @cached_property
    def two_valued(self) -> list[int]:
        """The blanks with two candidates."""
        return [cell for cell, mask in enumerate(self.masks) if mask.bit_count() == 2]

    def sees(self, candidate: int) -> int:
        """Return what is left of the candidates that one sees."""
        return self.sight.all(candidate) & self.live

    def seen_by_all(self, some: Iterable[int]) -> int:
        """Return what is left of the candidates that each of some sees."""
        seen = self.live
        for candidate in some:
            seen &= self.sight.all(candidate)
        return seen

    def cell(self, candidate: int) -> int:
        """Return the cell of a candidate."""
        return candidate // self.n_values

    def value(self, candidate: int) -> int:
        """Return the value of a candidate."""
        return candidate % self.n_values + 1

    def found(self, technique: str, removed: int, pattern: Sequence[int], why: str, where: str = "") -> Deduction:
        """Return a deduction.

        Args:
            technique: its name.
            removed: the candidates that go.
            pattern: the candidates that the reason is about.
            why: the reason in words.
            where: the units that it is about.
        """
        cells = tuple(dict.fromkeys(self.cell(candidate) for candidate in pattern))
        values = tuple(dict.fromkeys(self.value(candidate) for candidate in pattern))
        gone = tuple((self.cell(candidate), self.value(candidate)) for candidate in members(removed))
        about = tuple((self.cell(candidate), self.value(candidate)) for candidate in pattern)
        return Deduction(technique, cells, values, where, gone, None, why, about)


@lru_cache(maxsize=2)
def _links(layout: Layout, masks: tuple[int, ...]) -> Links:
    return Links(Sight.of(layout), masks)
