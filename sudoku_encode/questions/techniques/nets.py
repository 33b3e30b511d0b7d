"""Forcing nets: what follows from a candidate by naked and hidden singles, however many steps lead to each.

If a candidate leads to a cell without a candidate or a unit without a place for a value, it goes; so does what all
candidates of a cell, or all places of a value in a unit, lead to the loss of. In a nested net what leads to a
contradiction by singles is itself taken away under the supposition.

Source: HoDoKu, Forcing Nets (hodoku.sourceforge.net/en/tech_last.php); Berthier 2012, Pattern-Based Constraint
    Satisfaction and Logic Puzzles, T&E(1) and T&E(2), for the depth of what is supposed.
Differs: for any board with up to 64 values; of the nets that are found the shortest is taken, but of nested ones the
    first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sudoku_encode.papers.marks import Deduction, Layout, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s
from sudoku_encode.puzzles.geometry import Cells
from sudoku_encode.questions.techniques.links import Links, members
from sudoku_encode.questions.techniques.traces import Trace

MAX_VALUES = 64
# How many nets are written out in words, of which the shortest is taken.
_MOST_TOLD = 6
# Where the nets of all candidates would leave more masks of cells than this, 8 bytes each, they are left out; so are
# nested nets where the cells in the nets of all pairs of candidates are more than this, which takes minutes.
_MOST_KEPT, _MOST_NESTED = 20_000_000, 300_000_000


@dataclass(frozen=True, eq=False)
class _Board:
    """What the kernel looks up on a board: see `nets_kernel.settle`."""

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
    """Say whether there is anything to suppose, and the board is one on which that is possible."""
    return links.n_values <= MAX_VALUES and 0 < links.live.bit_count() * len(links.masks) <= _MOST_KEPT


def _state(marks: Marks) -> tuple[Uint64s, Bools]:
    filled = np.ones(len(marks.masks), bool)
    filled[list(marks.blanks)] = False
    return np.array(marks.masks, np.uint64), filled


def _settled(marks: Marks) -> tuple[list[int], Int64s, Uint64s]:
    """Return the candidates of the blanks, and what becomes of each: see `nets_kernel.settle_each`."""
    from sudoku_encode.questions.techniques.nets_kernel import settle_each

    links, board = Links.of(marks), _Board.of(marks.layout)
    candidates = list(members(links.live))
    cells = np.array([links.cell(candidate) for candidate in candidates], np.int64)
    values = np.array([1 << links.value(candidate) - 1 for candidate in candidates], np.uint64)
    counts, left = settle_each(cells, values, *_state(marks), board.peers, board.starts, board.units)
    return candidates, counts, left


def contradiction_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads by singles to a cell without a candidate, or a unit without a place for a value."""
    links = Links.of(marks)
    if not _fits(links):
        return
    tick()
    candidates, counts, _ = _settled(marks)
    dead = sorted((-int(count), at) for at, count in enumerate(counts.tolist()) if count < 0)
    traces = []
    for _, at in dead[:_MOST_TOLD]:
        tick()
        trace = _supposed(marks, links, candidates[at])
        traces.append((len(trace.why_dead()), candidates[at], trace))
    if traces:
        _, candidate, trace = min(traces, key=lambda one: one[:2])
        yield _refuted("forcing net contradiction", links, candidate, trace)


def _supposed(marks: Marks, links: Links, candidate: int) -> Trace:
    trace = Trace.of(marks)
    trace.place(links.cell(candidate), links.value(candidate) - 1)
    return trace.settle()


def _says(links: Links, candidate: int, verb: str = "is") -> str:
    return f"{links.board.cell_name(links.cell(candidate))} {verb} {links.value(candidate)}"


def _refuted(technique: str, links: Links, candidate: int, trace: Trace) -> Deduction:
    assert trace.dead is not None
    numbers = trace.why_dead()
    told = [*trace.told(numbers), trace.dead[0]]
    why = f"if {_says(links, candidate)}, then {', then '.join(told)}"
    return links.found(technique, 1 << candidate, _placed(links, trace, numbers), why)


def _placed(links: Links, trace: Trace, numbers: list[int]) -> list[int]:
    places = [trace.events[number].candidate for number in numbers]
    return [place[0] * links.n_values + place[1] for place in places if place is not None]


def verity_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Each candidate of a cell, or each place of a value in a unit, leads by singles to the same being false."""
    links = Links.of(marks)
    if not _fits(links):
        return
    tick()
    candidates, counts, left = _settled(marks)
    row = {candidate: at for at, candidate in enumerate(candidates)}
    now = _state(marks)[0]
    n = links.n_values
    sources = [
        (f"{links.board.cell_name(cell)} must be one of its candidates", [cell * n + value for value in members(mask)])
        for cell, mask in enumerate(links.masks)
        if mask
    ]
    sources += [(f"{value} must be somewhere in {unit.name}", list(some)) for unit, value, some in links.places]
    for says, starts in sorted(sources, key=lambda source: len(source[1])):
        alive = [row[start] for start in starts if counts[row[start]] >= 0]
        union = np.bitwise_or.reduce(left[alive], axis=0) if alive else np.zeros_like(now)
        gone = now & ~union
        if gone.any():
            targets = [cell * n + value for cell in np.flatnonzero(gone).tolist() for value in members(int(gone[cell]))]
            yield _agreed(marks, links, says, starts, targets, tick)
            return


def _agreed(marks: Marks, links: Links, says: str, starts: list[int], targets: list[int], tick: Tick) -> Deduction:
    """Return the deduction about the target that takes the fewest words."""
    traces = []
    for start in starts:
        tick()
        traces.append(_supposed(marks, links, start))

    chosen = {target: [_leading(links, trace, target) for trace in traces] for target in targets}
    target = min(chosen, key=lambda one: sum(map(len, chosen[one])))
    place = links.cell(target), links.value(target) - 1
    told, pattern = [], list(starts)
    for start, trace, numbers in zip(starts, traces, chosen[target], strict=True):
        end = trace.dead[0] if trace.dead is not None and place not in trace.gone else _says(links, target, "is not")
        told.append(f"if {_says(links, start)}, then {', then '.join([*trace.told(numbers), end])}")
        pattern += _placed(links, trace, numbers)
    pattern = [candidate for candidate in dict.fromkeys(pattern) if candidate != target]
    return links.found("forcing net verity", 1 << target, pattern, f"{says}; {'; '.join(told)}")


def _leading(links: Links, trace: Trace, target: int) -> list[int]:
    """Return the numbers of the events that lead to a target being false, or to a contradiction."""
    place = links.cell(target), links.value(target) - 1
    return trace.needed([trace.gone[place]]) if place in trace.gone else trace.why_dead()


def nested_net(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A candidate leads to a contradiction by singles, and by nets of singles under the supposition."""
    links, board = Links.of(marks), _Board.of(marks.layout)
    if not _fits(links) or links.live.bit_count() ** 2 * len(links.masks) > _MOST_NESTED:
        return
    from sudoku_encode.questions.techniques.nets_kernel import refute

    masks, filled = _state(marks)
    gone = np.zeros((len(masks) * links.n_values, 2), np.int64)
    fewest = sorted(members(links.live), key=lambda one: links.masks[links.cell(one)].bit_count())
    for candidate in fewest:
        tick()
        cell, value = links.cell(candidate), links.value(candidate)
        count = refute(cell, np.uint64(1 << value - 1), masks, filled, board.peers, board.starts, board.units, gone)
        if count >= 0:
            trace = _nested(_supposed(marks, links, candidate), gone[:count].tolist(), tick)
            yield _refuted("nested forcing net", links, candidate, trace)
            return


def _nested(trace: Trace, gone: list[list[int]], tick: Callable[[], None]) -> Trace:
    """Take away what leads to a contradiction, one after the other, until there is one without any supposition."""
    for cell, value in gone:
        if trace.dead is not None:
            break
        if not trace.masks[cell] >> value & 1:
            continue
        tick()
        inner = trace.copy()
        before = len(inner.events)
        inner.place(cell, value)
        because = [number for number in inner.settle().why_dead() if number < before]
        says = f"{trace.layout.board.cell_name(cell)} is not {value + 1} (that leads to a contradiction)"
        trace.take(cell, value, says, because)
        trace.settle()
    return trace
