"""Links between candidates: which exclude each other, and of which at least one is true. Chains and patterns use them.

A candidate is the number `cell * n_values + value - 1`, and a set of candidates is an integer with a bit for each, so
that the candidates that two candidates both see are one `&`.

Two candidates *see* each other if they cannot both be true: another value of the same cell, or the same value in a
peer (a weak link). They are *partners* if one of them must be true: the only two of a cell, or the only two places of
a value in a unit that holds every value (a strong link).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from sudoku_encode.papers.marks import Deduction, Layout, Marks, Unit
from sudoku_encode.puzzles.geometry import Geometry, Rule


def members(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


@dataclass(frozen=True)
class Pair:
    """The only two places of a value in a unit."""

    unit: Unit
    value: int
    ends: tuple[int, int]  # the two candidates

    def turns(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the ends in both orders."""
        return self.ends, self.ends[::-1]


@dataclass(frozen=True, eq=False)
class Sight:
    """Which candidates of a board see each other, whether or not they are still possible."""

    layout: Layout

    @staticmethod
    @lru_cache(maxsize=8)
    def of(layout: Layout) -> "Sight":
        """Return the sight of a board, shared by all puzzles on it."""
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
        """By rule and cell, the unit of the cell, if it has one."""
        homes: dict[Rule, dict[int, Unit]] = {rule: {} for rule in self.layout.board.rules}
        for unit in self.layout.units:
            for cell in unit.cells:
                homes[unit.rule][cell] = unit
        return homes


@dataclass(frozen=True, eq=False)
class Links:
    """The links between the candidates of the blanks at one point."""

    sight: Sight  # which candidates see each other on this board
    masks: tuple[int, ...]  # the candidates of each cell, bit 0 is value 1; 0 for a filled cell

    @staticmethod
    def of(marks: Marks) -> "Links":
        """Return the links between the current candidates."""
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
        """For each unit that holds every value, and each value, its candidates there."""
        n, rows = self.n_values, []
        for unit in self.sight.layout.full_units:
            places: dict[int, list[int]] = {}
            for cell in unit.cells:
                for value in members(self.masks[cell]):
                    places.setdefault(value, []).append(cell * n + value)
            rows += [(unit, value + 1, tuple(places[value])) for value in sorted(places)]
        return rows

    @cached_property
    def pairs(self) -> list[Pair]:
        """The values with exactly two places in a unit."""
        return [Pair(unit, value, (ends[0], ends[1])) for unit, value, ends in self.places if len(ends) == 2]

    @cached_property
    def pairs_of_value(self) -> dict[int, list[Pair]]:
        """The pairs by their value."""
        pairs: dict[int, list[Pair]] = {}
        for pair in self.pairs:
            pairs.setdefault(pair.value, []).append(pair)
        return pairs

    @cached_property
    def partners_by_place(self) -> dict[int, int]:
        """For each candidate its partners in units."""
        partners: dict[int, int] = {}
        for pair in self.pairs:
            for end, other in pair.turns():
                partners[end] = partners.get(end, 0) | 1 << other
        return partners

    @cached_property
    def partners_by_cell(self) -> dict[int, int]:
        """For each candidate of a cell with two candidates, the other one."""
        partners: dict[int, int] = {}
        for cell in self.two_valued:
            low, high = (cell * self.n_values + value for value in members(self.masks[cell]))
            partners[low], partners[high] = 1 << high, 1 << low
        return partners

    @cached_property
    def partners(self) -> dict[int, int]:
        """For each candidate its partners of both kinds."""
        partners = dict(self.partners_by_place)
        for candidate, others in self.partners_by_cell.items():
            partners[candidate] = partners.get(candidate, 0) | others
        return partners

    @cached_property
    def two_valued(self) -> list[int]:
        """The blanks with two candidates."""
        return [cell for cell, mask in enumerate(self.masks) if mask.bit_count() == 2]

    def sees(self, candidate: int) -> int:
        """Return the possible candidates that a candidate sees."""
        return self.sight.all(candidate) & self.live

    def seen_by_all(self, candidates: Iterable[int]) -> int:
        """Return the possible candidates that all given candidates see."""
        seen = self.live
        for candidate in candidates:
            seen &= self.sight.all(candidate)
        return seen

    def cell(self, candidate: int) -> int:
        """Return the cell of a candidate."""
        return candidate // self.n_values

    def value(self, candidate: int) -> int:
        """Return the value of a candidate."""
        return candidate % self.n_values + 1

    def shown(self, candidate: int) -> str:
        """Return the number of the value of a candidate as text."""
        return self.board.shown(self.value(candidate))

    def deduction(self, technique: str, removed: int, pattern: Sequence[int], why: str, where: str = "") -> Deduction:
        """Return a deduction: the candidates that go, those that the reason is about, and its units."""
        cells = tuple(dict.fromkeys(self.cell(candidate) for candidate in pattern))
        values = tuple(dict.fromkeys(self.value(candidate) for candidate in pattern))
        removals = tuple((self.cell(candidate), self.value(candidate)) for candidate in members(removed))
        candidates = tuple((self.cell(candidate), self.value(candidate)) for candidate in pattern)
        return Deduction(technique, cells, values, where, removals, None, why, candidates)


@lru_cache(maxsize=2)
def _links(layout: Layout, masks: tuple[int, ...]) -> Links:
    return Links(Sight.of(layout), masks)
