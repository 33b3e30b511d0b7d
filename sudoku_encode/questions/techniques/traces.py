"""What follows by singles from a candidate, step by step with what each step is for: nets in words."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sudoku_encode.papers.marks import Layout, Marks, Unit
from sudoku_encode.questions.techniques.links import members


@dataclass(frozen=True)
class _Event:
    """Something that follows.

    Attributes:
        says: in words.
        because: the numbers of the events before that it follows from.
        candidate: the cell and the value (from 0) that are placed; None where a candidate goes.
    """

    says: str
    because: frozenset[int]
    candidate: tuple[int, int] | None


@dataclass(eq=False)
class Trace:
    """The consequences of one supposition after the other.

    Attributes:
        layout: of the board.
        first: the candidates of each cell at the start, as bit masks; bit 0 is value 1.
        masks: what is left of them.
        filled: the cells that hold a value.
        gone: by cell and value (from 0), the event that took the candidate.
        events: what happened, in order.
        dead: where there is a contradiction, what it is, and what it follows from.
    """

    layout: Layout
    first: tuple[int, ...]
    masks: list[int]
    filled: set[int]
    gone: dict[tuple[int, int], int] = field(default_factory=dict)
    events: list[_Event] = field(default_factory=list)
    dead: tuple[str, frozenset[int]] | None = None
    _touched: set[int] = field(default_factory=set)

    @staticmethod
    def of(marks: Marks) -> "Trace":
        """Begin where the marks are."""
        filled = set(range(len(marks.masks))) - marks.blanks
        # There may be singles that were not filled in yet: all blanks are looked at once.
        touched = set(marks.blanks)
        return Trace(marks.layout, tuple(marks.masks), list(marks.masks), filled, _touched=touched)

    def copy(self) -> "Trace":
        """Return another one that goes on from here."""
        return Trace(
            *(self.layout, self.first, list(self.masks), set(self.filled), dict(self.gone)),
            *(list(self.events), self.dead, set(self._touched)),
        )

    def place(self, cell: int, value: int, says: str = "", because: Iterable[int] = ()) -> None:
        """Put a value (from 0) into a cell, and take it from the peers."""
        number = len(self.events)
        self.events.append(_Event(says, frozenset(because), (cell, value)))
        for other in members(self.masks[cell] & ~(1 << value)):
            self._take(cell, other, number)
        self.filled.add(cell)
        for peer in self.layout.peers[cell]:
            if self.masks[peer] >> value & 1:
                self._take(peer, value, number)

    def take(self, cell: int, value: int, says: str, because: Iterable[int]) -> None:
        """Take a candidate away."""
        self.events.append(_Event(says, frozenset(because), None))
        self._take(cell, value, len(self.events) - 1)

    def _take(self, cell: int, value: int, number: int) -> None:
        self.masks[cell] &= ~(1 << value)
        self.gone[cell, value] = number
        self._touched.add(cell)

    def settle(self) -> "Trace":
        """Fill in singles, those that are found at the same time together, until there are none; return this."""
        while self._touched and self.dead is None:
            touched, self._touched = sorted(self._touched), set()
            units = dict.fromkeys(unit for cell in touched for unit in self.layout.units_of_cell[cell] if unit.full)
            self._look_for_dead(touched, units)
            if self.dead is not None:
                return self
            for cell in touched:
                if cell not in self.filled and self.masks[cell].bit_count() == 1:
                    value = self.masks[cell].bit_length() - 1
                    says = f"{self.layout.board.cell_name(cell)} is {value + 1}"
                    self.place(cell, value, says, self._reasons_of_cell(cell))
            for unit in units:
                self._hidden_singles(unit)
        return self

    def _look_for_dead(self, cells: Iterable[int], units: Iterable[Unit]) -> None:
        for cell in cells:
            if not self.masks[cell]:
                self.dead = f"{self.layout.board.cell_name(cell)} has no candidate left", self._reasons_of_cell(cell)
                return
        every = (1 << self.layout.board.n_values) - 1
        for unit in units:
            union = 0
            for cell in unit.cells:
                union |= self.masks[cell]
            if union != every:
                value = next(members(every & ~union))
                self.dead = f"{unit.name} has no place for {value + 1}", self._reasons_of_unit(unit, value)
                return

    def _hidden_singles(self, unit: Unit) -> None:
        once = twice = 0
        for cell in unit.cells:
            twice |= once & self.masks[cell]
            once |= self.masks[cell]
        for cell in unit.cells:
            here = self.masks[cell] & once & ~twice
            if here and cell not in self.filled:
                value = here.bit_length() - 1
                says = f"{self.layout.board.cell_name(cell)} is {value + 1} (in {unit.name})"
                self.place(cell, value, says, self._reasons_of_unit(unit, value))

    def _reasons_of_cell(self, cell: int) -> frozenset[int]:
        gone = members(self.first[cell] & ~self.masks[cell])
        return frozenset(self.gone[cell, value] for value in gone)

    def _reasons_of_unit(self, unit: Unit, value: int) -> frozenset[int]:
        return frozenset(self.gone[cell, value] for cell in unit.cells if (cell, value) in self.gone)

    def needed(self, because: Iterable[int]) -> list[int]:
        """Return the numbers of the events that some follow from, and of those themselves, in order."""
        needed: set[int] = set()
        stack = list(because)
        while stack:
            number = stack.pop()
            if number not in needed:
                needed.add(number)
                stack += self.events[number].because
        return sorted(needed)

    def why_dead(self) -> list[int]:
        """Return the numbers of the events that the contradiction follows from."""
        assert self.dead is not None
        return self.needed(self.dead[1])

    def told(self, numbers: Iterable[int]) -> list[str]:
        """Return what some events say, those that say anything."""
        return [self.events[number].says for number in numbers if self.events[number].says]
