"""Forcing nets: the consequences of a candidate by naked and hidden singles, however many steps lead to each.

If a candidate leads to a cell without a candidate, or a unit without a place for a value, it goes; and a candidate
goes if all candidates of a cell, or all places of a value in a unit, lead to its removal. In a nested net, candidates
that lead to a contradiction by singles are themselves removed under the assumption.

Source: HoDoKu, Forcing Nets (hodoku.sourceforge.net/en/tech_last.php); Berthier 2012, Pattern-Based Constraint
    Satisfaction and Logic Puzzles, T&E(1) and T&E(2), for the depth of assumptions.
Differs: for any board with up to 64 values; of the nets that are found the shortest is taken, but of nested ones the
    first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush

import numpy as np

from sudoku_encode.papers.marks import Deduction, Layout, Marks, Unit
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.questions.techniques.conditions import Condition, supported_masks
from sudoku_encode.questions.techniques.links import Links, members
from sudoku_encode.questions.techniques.words import conclusion

MAX_VALUES = 64
# How many nets are written out in words; the shortest is taken.
_MOST_WRITTEN = 6
# Nets are skipped if those of all candidates take more masks of cells than this, 8 bytes each; nested nets, if those of
# all pairs of candidates contain more cells than this, which takes minutes.
_MOST_MASKS, _MOST_NESTED = 20_000_000, 300_000_000


@dataclass(frozen=True)
class _Event:
    """A consequence."""

    says: str  # in words
    because: frozenset[int]  # the numbers of the earlier events that it follows from
    candidate: tuple[int, int] | None  # the cell and the value (from 0) that are placed; None if a candidate goes


@dataclass(eq=False)
class Trace:
    """The consequences of assumptions by singles, step by step with reasons, so that a net can be put into words."""

    layout: Layout  # of the board
    first: tuple[int, ...]  # the candidates of each cell at the start, as bit masks; bit 0 is value 1
    masks: list[int]  # the current candidates
    filled: set[int]  # the cells that hold a value
    # By cell and value (from 0), the number of the event that removed the candidate.
    removed_by: dict[tuple[int, int], int] = field(default_factory=dict)
    events: list[_Event] = field(default_factory=list)  # the consequences, in order
    # The contradiction in words and the numbers of its reasons, if there is one.
    dead: tuple[str, frozenset[int]] | None = None
    _touched: set[int] = field(default_factory=set)
    # The conditions of constraints that are used too, the quick ones first, and their numbers by cell; a heap and a
    # set of the numbers of those to look at again. See `constraint_net`.
    conditions: Sequence[Condition] = ()
    conditions_of: Mapping[int, Sequence[int]] = field(default_factory=dict)
    _pending: list[int] = field(default_factory=list)
    _is_pending: set[int] = field(default_factory=set)

    @staticmethod
    def of(marks: Marks) -> "Trace":
        """Return a trace that starts from the marks."""
        filled = set(range(len(marks.masks))) - marks.blanks
        # There may be singles that were not filled in yet, so all blanks are examined once.
        touched = set(marks.blanks)
        return Trace(marks.layout, tuple(marks.masks), list(marks.masks), filled, _touched=touched)

    def copy(self) -> "Trace":
        """Return a copy that continues from here."""
        return Trace(
            self.layout,
            self.first,
            list(self.masks),
            set(self.filled),
            dict(self.removed_by),
            list(self.events),
            self.dead,
            set(self._touched),
            self.conditions,
            self.conditions_of,
            list(self._pending),
            set(self._is_pending),
        )

    def place(self, cell: int, value: int, says: str = "", because: Iterable[int] = ()) -> None:
        """Put a value (from 0) into a cell, and remove it from the peers."""
        number = len(self.events)
        self.events.append(_Event(says, frozenset(because), (cell, value)))
        for other in members(self.masks[cell] & ~(1 << value)):
            self._remove(cell, other, number)
        self.filled.add(cell)
        for peer in self.layout.peers[cell]:
            if self.masks[peer] >> value & 1:
                self._remove(peer, value, number)

    def remove(self, cell: int, value: int, says: str, because: Iterable[int]) -> None:
        """Remove a candidate."""
        self.events.append(_Event(says, frozenset(because), None))
        self._remove(cell, value, len(self.events) - 1)

    def _remove(self, cell: int, value: int, number: int) -> None:
        self.masks[cell] &= ~(1 << value)
        self.removed_by[cell, value] = number
        self._touched.add(cell)
        for condition in self.conditions_of.get(cell, ()):
            if condition not in self._is_pending:
                self._is_pending.add(condition)
                heappush(self._pending, condition)

    def settle(self, most: int | None = None) -> "Trace":
        """Fill in singles in rounds until there are no more, or some number of events; return the trace itself.

        With conditions of constraints, candidates that one of them leaves no choice go where there are no singles.
        """
        while (self._touched or self._pending) and self.dead is None and (most is None or len(self.events) <= most):
            if not self._touched:
                number = heappop(self._pending)
                self._is_pending.discard(number)
                self._remove_unsupported(self.conditions[number])
                continue
            touched, self._touched = sorted(self._touched), set()
            units = dict.fromkeys(unit for cell in touched for unit in self.layout.units_of_cell[cell] if unit.full)
            self._find_contradiction(touched, units)
            if self.dead is not None:
                return self
            for cell in touched:
                if cell not in self.filled and self.masks[cell].bit_count() == 1:
                    value = self.masks[cell].bit_length() - 1
                    says = f"{self.layout.board.cell_name(cell)} is {self.layout.board.shown(value + 1)}"
                    self.place(cell, value, says, self._reasons_of_cell(cell))
            for unit in units:
                self._place_hidden_singles(unit)
        return self

    def _find_contradiction(self, cells: Iterable[int], units: Iterable[Unit]) -> None:
        for cell in cells:
            if not self.masks[cell]:
                self.dead = f"{self.layout.board.cell_name(cell)} has no candidate left", self._reasons_of_cell(cell)
                return
        board = self.layout.board
        every = (1 << board.n_values) - 1
        for unit in units:
            union = 0
            for cell in unit.cells:
                union |= self.masks[cell]
            if union != every:
                value = next(members(every & ~union))
                self.dead = f"{unit.name} has no place for {board.shown(value + 1)}", self._reasons_of_unit(unit, value)
                return

    def _place_hidden_singles(self, unit: Unit) -> None:
        once = twice = 0
        for cell in unit.cells:
            twice |= once & self.masks[cell]
            once |= self.masks[cell]
        for cell in unit.cells:
            single = self.masks[cell] & once & ~twice
            if single and cell not in self.filled:
                value = single.bit_length() - 1
                says = f"{self.layout.board.cell_name(cell)} is {self.layout.board.shown(value + 1)} (in {unit.name})"
                self.place(cell, value, says, self._reasons_of_unit(unit, value))

    def _remove_unsupported(self, condition: Condition) -> None:
        """Remove the candidates that fit no choice among the candidates of the other cells of a condition."""
        masks = tuple(self.masks[cell] for cell in condition.cells)
        supported = supported_masks(condition, masks, is_supposed=True)
        if supported == masks:
            return
        removed = [
            (cell, value)
            for cell, before, after in zip(condition.cells, masks, supported, strict=True)
            for value in members(before & ~after)
        ]
        board = self.layout.board
        deduction = Deduction("", (), (), "", tuple((cell, value + 1) for cell, value in removed))
        because = frozenset[int]().union(*map(self._reasons_of_cell, condition.cells))
        number = len(self.events)
        self.events.append(_Event(f"{conclusion(board, deduction)} ({condition.text})", because, None))
        for cell, value in removed:
            self._remove(cell, value, number)

    def _reasons_of_cell(self, cell: int) -> frozenset[int]:
        removed = members(self.first[cell] & ~self.masks[cell])
        return frozenset(self.removed_by[cell, value] for value in removed)

    def _reasons_of_unit(self, unit: Unit, value: int) -> frozenset[int]:
        return frozenset(self.removed_by[cell, value] for cell in unit.cells if (cell, value) in self.removed_by)

    def needed(self, because: Iterable[int]) -> list[int]:
        """Return the numbers of some events and of all events that they follow from, in order."""
        needed: set[int] = set()
        stack = list(because)
        while stack:
            number = stack.pop()
            if number not in needed:
                needed.add(number)
                stack += self.events[number].because
        return sorted(needed)

    def reasons(self) -> list[int]:
        """Return the numbers of the events that the contradiction follows from."""
        assert self.dead is not None
        return self.needed(self.dead[1])

    def sentences(self, numbers: Iterable[int]) -> list[str]:
        """Return the texts of some events, without empty ones."""
        return [self.events[number].says for number in numbers if self.events[number].says]


@dataclass(frozen=True, eq=False)
class _Board:
    """The arrays of a board for the kernel: see `nets_kernel.settle`."""

    peers: Cells
    starts: Int64s
    units: Cells

    @staticmethod
    @lru_cache(maxsize=8)
    def of(layout: Layout) -> "_Board":
        board = layout.board
        units = [np.empty((0, board.n_values), np.int32), *(rule.units for rule in board.full_rules)]
        starts = np.cumsum([0, *map(len, board.peers)])
        return _Board(
            np.concatenate(board.peers).astype(np.int32),
            starts.astype(np.int64),
            np.ascontiguousarray(np.concatenate(units), np.int32),
        )


def _fits(links: Links) -> bool:
    """Check whether there are candidates, and the board is small enough."""
    return links.n_values <= MAX_VALUES and 0 < links.live.bit_count() * len(links.masks) <= _MOST_MASKS


def _state(marks: Marks) -> tuple[Uint64s, Bools]:
    filled = np.ones(len(marks.masks), bool)
    filled[list(marks.blanks)] = False
    return np.array(marks.masks, np.uint64), filled


def _settle_each(marks: Marks) -> tuple[list[int], Int64s, Uint64s]:
    """Return the candidates of the blanks, and the results of `nets_kernel.settle_each` for them."""
    from sudoku_encode.questions.techniques.nets_kernel import settle_each

    links, board = Links.of(marks), _Board.of(marks.layout)
    candidates = list(members(links.live))
    cells = np.array([links.cell(candidate) for candidate in candidates], np.int64)
    values = np.array([1 << links.value(candidate) - 1 for candidate in candidates], np.uint64)
    counts, masks = settle_each(cells, values, *_state(marks), board.peers, board.starts, board.units)
    return candidates, counts, masks


def contradiction_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads by singles to a cell without a candidate, or a unit without a place for a value."""
    links = Links.of(marks)
    if not _fits(links):
        return
    tick()
    candidates, counts, _ = _settle_each(marks)
    dead = sorted((-int(count), number) for number, count in enumerate(counts.tolist()) if count < 0)
    traces = []
    for _, number in dead[:_MOST_WRITTEN]:
        tick()
        trace = _trace_from(marks, links, candidates[number])
        traces.append((len(trace.reasons()), candidates[number], trace))
    if traces:
        _, candidate, trace = min(traces, key=lambda row: row[:2])
        yield _refutation("forcing net contradiction", links, candidate, trace)


def _trace_from(marks: Marks, links: Links, candidate: int) -> Trace:
    trace = Trace.of(marks)
    trace.place(links.cell(candidate), links.value(candidate) - 1)
    return trace.settle()


def _statement(links: Links, candidate: int, verb: str = "is") -> str:
    return f"{links.board.cell_name(links.cell(candidate))} {verb} {links.shown(candidate)}"


def _refutation(technique: str, links: Links, candidate: int, trace: Trace) -> Deduction:
    assert trace.dead is not None
    numbers = trace.reasons()
    sentences = [*trace.sentences(numbers), trace.dead[0]]
    why = f"if {_statement(links, candidate)}, then {', then '.join(sentences)}"
    return links.deduction(technique, 1 << candidate, _placements(links, trace, numbers), why)


def _placements(links: Links, trace: Trace, numbers: list[int]) -> list[int]:
    places = [trace.events[number].candidate for number in numbers]
    return [place[0] * links.n_values + place[1] for place in places if place is not None]


def verity_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Each candidate of a cell, or each place of a value in a unit, leads by singles to the same being false."""
    links = Links.of(marks)
    if not _fits(links):
        return
    tick()
    candidates, counts, masks = _settle_each(marks)
    row_of = {candidate: number for number, candidate in enumerate(candidates)}
    current = _state(marks)[0]
    n = links.n_values
    sources = [
        (f"{links.board.cell_name(cell)} must be one of its candidates", [cell * n + value for value in members(mask)])
        for cell, mask in enumerate(links.masks)
        if mask
    ]
    sources += [
        (f"{links.board.shown(value)} must be somewhere in {unit.name}", list(places))
        for unit, value, places in links.places
    ]
    for says, starts in sorted(sources, key=lambda source: len(source[1])):
        alive = [row_of[start] for start in starts if counts[row_of[start]] >= 0]
        union = np.bitwise_or.reduce(masks[alive], axis=0) if alive else np.zeros_like(current)
        removed = current & ~union
        if removed.any():
            targets = [
                cell * n + value for cell in np.flatnonzero(removed).tolist() for value in members(int(removed[cell]))
            ]
            yield _shortest_verity(marks, links, says, starts, targets, tick)
            return


def _shortest_verity(
    marks: Marks, links: Links, says: str, starts: list[int], targets: list[int], tick: Tick
) -> Deduction:
    """Return the deduction about the candidate whose nets are the shortest."""
    traces = []
    for start in starts:
        tick()
        traces.append(_trace_from(marks, links, start))

    chosen = {target: [_reasons_for(links, trace, target) for trace in traces] for target in targets}
    target = min(chosen, key=lambda goal: sum(map(len, chosen[goal])))
    place = links.cell(target), links.value(target) - 1
    nets, pattern = [], list(starts)
    for start, trace, numbers in zip(starts, traces, chosen[target], strict=True):
        end = (
            trace.dead[0]
            if trace.dead is not None and place not in trace.removed_by
            else _statement(links, target, "is not")
        )
        nets.append(f"if {_statement(links, start)}, then {', then '.join([*trace.sentences(numbers), end])}")
        pattern += _placements(links, trace, numbers)
    pattern = [candidate for candidate in dict.fromkeys(pattern) if candidate != target]
    return links.deduction("forcing net verity", 1 << target, pattern, f"{says}; {'; '.join(nets)}")


def _reasons_for(links: Links, trace: Trace, target: int) -> list[int]:
    """Return the numbers of the events that lead to a candidate being false, or to a contradiction."""
    place = links.cell(target), links.value(target) - 1
    return trace.needed([trace.removed_by[place]]) if place in trace.removed_by else trace.reasons()


def nested_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads to a contradiction by singles, and by nets of singles under the supposition."""
    links, board = Links.of(marks), _Board.of(marks.layout)
    if not _fits(links) or links.live.bit_count() ** 2 * len(links.masks) > _MOST_NESTED:
        return
    from sudoku_encode.questions.techniques.nets_kernel import refute

    masks, filled = _state(marks)
    removed = np.zeros((len(masks) * links.n_values, 2), np.int64)
    fewest = sorted(members(links.live), key=lambda candidate: links.masks[links.cell(candidate)].bit_count())
    for candidate in fewest:
        tick()
        cell, value = links.cell(candidate), links.value(candidate)
        count = refute(cell, np.uint64(1 << value - 1), masks, filled, board.peers, board.starts, board.units, removed)
        if count >= 0:
            trace = _trace_nested(_trace_from(marks, links, candidate), removed[:count].tolist(), tick)
            yield _refutation("nested forcing net", links, candidate, trace)
            return


# On larger boards, such as an empty 25x25, nets of constraints take minutes.
_MOST_MASKS_WITH_CONSTRAINTS = 1_200_000
# How many nets of constraints are compared, of which the shortest is taken; and the most steps of a chain.
_MOST_CONSTRAINT_NETS, _MOST_IN_CHAIN = 3, 4


def constraint_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads in a few steps, by singles and constraints, to a contradiction."""
    return _constraint_nets("constraint chain", _MOST_IN_CHAIN, marks, tick)


def constraint_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads by singles and constraints to a cell without a candidate, or a unit without a place."""
    return _constraint_nets("constraint net", None, marks, tick)


def _constraint_nets(technique: str, most: int | None, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    links = Links.of(marks)
    if not marks.constraints or links.live.bit_count() * len(links.masks) > _MOST_MASKS_WITH_CONSTRAINTS:
        return
    start, dead = Trace.of(marks).settle(), []
    start.conditions = sorted(
        (condition for condition in marks.constraints if condition.is_quick(marks)), key=lambda quick: quick.cost
    )
    numbers: dict[int, list[int]] = {}
    for number, condition in enumerate(start.conditions):
        for cell in condition.cells:
            numbers.setdefault(cell, []).append(number)
    start.conditions_of = numbers
    if start.dead is not None:
        return
    before = len(start.events)
    # Those that led to nothing a short time ago come last: it is not likely that much has changed.
    tried = marks.tried.setdefault(technique, {})
    now = max(tried.values(), default=0) + 1
    for candidate in sorted(
        members(links.live), key=lambda each: (links.masks[links.cell(each)].bit_count(), tried.get(each, 0))
    ):
        tick()
        trace = start.copy()
        trace.place(links.cell(candidate), links.value(candidate) - 1)
        # Not all events are part of the reason.
        trace.settle(most and before + 2 * most)
        if trace.dead is not None and (most is None or len(trace.reasons()) - 1 <= most):
            dead.append((len(trace.reasons()), candidate, trace))
        else:
            tried[candidate] = now
        if len(dead) == (_MOST_CONSTRAINT_NETS if most is None else 1):
            break
    if dead:
        _, candidate, trace = min(dead, key=lambda row: row[:2])
        yield _refutation(technique, links, candidate, trace)


def _trace_nested(trace: Trace, removed: list[list[int]], tick: Callable[[], None]) -> Trace:
    """Remove candidates that lead to a contradiction until there is one without any assumption."""
    for cell, value in removed:
        if trace.dead is not None:
            break
        if not trace.masks[cell] >> value & 1:
            continue
        tick()
        inner = trace.copy()
        before = len(inner.events)
        inner.place(cell, value)
        because = [number for number in inner.settle().reasons() if number < before]
        board = trace.layout.board
        says = f"{board.cell_name(cell)} is not {board.shown(value + 1)} (that leads to a contradiction)"
        trace.remove(cell, value, says, because)
        trace.settle()
    return trace
