"""Recount a puzzle with compiled loops: the same layers as `recount`, which says plainly what is done."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import OUT_OF_MEMORY, StoppedError, StopReason
from sudoku_encode.proving.recount import (
    MAX_PRODUCTS,
    Arrangement,
    CountError,
    Rules,
    Setting,
    arrange,
    read_symmetries,
    union,
)
from sudoku_encode.puzzles.arrays import Int32s, Intps, Uint64s
from sudoku_encode.run import kernels

if TYPE_CHECKING:
    from sudoku_encode.proving.recount_kernel import FillStep
    from sudoku_encode.proving.recount_narrowing_kernel import Links

# How many states are filled between two calls of `tick`.
_STATES_PER_CALL = 1 << 14
# A state has a number of 32 bits in the hash table.
MAX_STATES = 1 << 30
# For symmetries: the most images of sets that are listed.
MAX_IMAGES = 1 << 28
# How many images are made at once.
_IMAGES_PER_PART = 1 << 20
_DIGIT = np.uint64(2**32 - 1)
_DIGIT_BITS = np.uint64(32)


class TooManyStatesError(StoppedError):
    """A layer has more states than it may have."""


@dataclass(frozen=True, eq=False)
class Layer:
    """The states after some cells are filled."""

    n_open: int
    n_values: int
    # (states, rows, words), the lowest word first: the sets of each, then the states of automata that are reading.
    states: Uint64s
    ways: Uint64s  # (states, digits): how many ways lead to each, in digits of 32 bits, the lowest first
    n_images: int = 0  # of how many images the least were taken

    @property
    def total(self) -> int:
        """The number of ways that lead to all states."""
        # Fewer than 2^32 digits of 32 bits fit in a word together.
        return sum(digit << 32 * place for place, digit in enumerate(self.ways.sum(axis=0, dtype=np.uint64).tolist()))

    def ways_of_states(self) -> dict[tuple[int, ...], int]:
        """Return the states as numbers, with the number of ways that lead to each."""
        words = self.states.astype(object) << (64 * np.arange(self.states.shape[2])).astype(object)
        digits = self.ways.astype(object) << (32 * np.arange(self.ways.shape[1])).astype(object)
        return dict(zip(map(tuple, words.sum(axis=2).tolist()), digits.sum(axis=1).tolist(), strict=True))

    def records(self) -> NDArray[np.bytes_]:
        """Return the states as byte strings, ascending: the sets, each of as many bytes, and the ways."""
        m, rows, words = self.states.shape
        width, digits = (self.n_open + 7) // 8, max(1, (self.total.bit_length() + 7) // 8)
        numbers = self.states[:, :, ::-1].astype(">u8").view(np.uint8).reshape(m, rows, 8 * words)
        sets = numbers[:, : self.n_values, 8 * words - width :].reshape(m, self.n_values * width)
        marks = numbers[:, self.n_values :, 8 * words - 4 :].reshape(m, 4 * (rows - self.n_values))
        ways = self.ways[:, ::-1].astype(">u4").view(np.uint8).reshape(m, 4 * self.ways.shape[1])
        ways = np.pad(ways, ((0, 0), (max(0, digits - ways.shape[1]), 0)))[:, -digits:]
        record = np.concatenate([sets, marks, ways], axis=1)
        return np.sort(record.view(f"S{record.shape[1]}").ravel())

    def summary(self) -> list[Any]:
        """Return the figures of the layer in count.json: the numbers of states and of ways, and a SHA-256 of both."""
        return [len(self.states), self.total, hashlib.sha256(self.records().data).hexdigest()]


class _Table:
    """A growing hash table of states."""

    def __init__(self, room: int, rows: int, words: int, digits: int) -> None:
        self.states = np.empty((room, rows, words), np.uint64)
        self.ways = np.zeros((room, digits), np.uint64)
        self.slots = np.full(1 << (2 * room - 1).bit_length(), -1, np.int32)
        self.used = 0

    def grow(self, max_states: int) -> None:
        """Double the room.

        Raises:
            TooManyStatesError: there are more states than `max_states`.
        """
        from sudoku_encode.proving.recount_kernel import rebuild

        if self.used > max_states:
            raise TooManyStatesError(StopReason(f"more than {max_states:,} states", OUT_OF_MEMORY.status))
        room = 2 * len(self.states)
        states, ways = self.states, self.ways
        self.states = np.empty((room, *states.shape[1:]), np.uint64)
        self.ways = np.zeros((room, ways.shape[1]), np.uint64)
        self.states[: self.used], self.ways[: self.used] = states[: self.used], ways[: self.used]
        self.slots = np.full(2 * len(self.slots), -1, np.int32)
        rebuild(self.states, self.used, self.slots)

    def layer(self, n_open: int, n_values: int, n_images: int = 0) -> Layer:
        """Return the states, with all digits of their ways below 2^32."""
        ways = self.ways[: self.used]
        for digit in range(ways.shape[1] - 1):
            ways[:, digit + 1] += ways[:, digit] >> _DIGIT_BITS
            ways[:, digit] &= _DIGIT
        return Layer(n_open, n_values, self.states[: self.used], ways, n_images)


def layers(
    rules: Rules,
    order: Sequence[int],
    symmetries: Mapping[int, Sequence[Sequence[int]]],
    tick: Callable[[], None],
    max_states: int = MAX_STATES,
) -> Iterator[Layer]:
    """Yield the states after each cell of an order; `max_states` may a layer have. Raises as `recount.layers`.

    Raises:
        TooManyStatesError: a layer has more states.
    """
    puzzle = arrange(rules, order)
    links, n = links_of(puzzle), rules.n_values
    layer = Layer(len(order), n, _words(puzzle.start, len(order))[None], np.ones((1, 1), np.uint64))
    for filled in range(1, len(order) + 1):
        layer = _fill(layer, _step(puzzle, links, order, filled), links, tick, max_states)
        if symmetries.get(filled):
            layer = _merge_images(layer, _products(symmetries[filled], order[filled:], puzzle), tick)
        yield layer


def load() -> None:
    """Load the compiled recount, where there is a compiler: processes that are forked then need not load it each."""
    if not kernels.unavailable():
        for _ in layers(Rules(1, 1, [], {}, []), [0], {}, lambda: None):
            pass


def _words(sets: Sequence[int], n_open: int) -> Uint64s:
    """Return sets in words, (sets, words), the lowest word first."""
    words = max(1, (n_open + 63) // 64)
    rows = [[one >> 64 * word & (2**64 - 1) for word in range(words)] for one in sets]
    return np.array(rows, np.uint64).reshape(-1, words)


def _fill(layer: Layer, step: "FillStep", links: "Links", tick: Callable[[], None], max_states: int) -> Layer:
    """Return the layer after filling a cell."""
    from sudoku_encode.proving.recount_kernel import fill

    m, n = len(layer.states), layer.n_values
    digits = ((layer.total * n).bit_length() + 31) // 32 or 1
    rows = n + len(step.copies)
    table = _Table(max(64, 2 * n, min(m, max_states)), rows, len(step.every), digits)
    done = 0
    while done < m:
        tick()
        end = min(m, done + _STATES_PER_CALL)
        done, table.used = fill(
            layer.states, layer.ways, done, end, step, links, table.states, table.ways, table.slots, table.used
        )
        if done < end:
            table.grow(max_states)
    return table.layer(step.bit, n)


def links_of(puzzle: Arrangement) -> "Links":
    """Return which cells share units and automata, as far as the kernel needs them."""
    from sudoku_encode.proving.recount_narrowing_kernel import Links, Lists

    def lists(rows: Sequence[Sequence[int]]) -> Lists:
        starts = np.cumsum([0, *map(len, rows)])
        return Lists(starts, np.array(list(chain.from_iterable(rows)), np.int64))

    def inside(rows: Sequence[Sequence[int]]) -> Lists:
        numbers = [list[int]() for _ in puzzle.bit]
        for number, row in enumerate(rows):
            for cell in row:
                numbers[cell].append(number)
        return lists(numbers)

    places = [[puzzle.bit[cell].bit_length() - 1 for cell in each.cells] for each in puzzle.automata]
    units = [_bits(unit) for unit in puzzle.units]
    near = [_bits(puzzle.near[1 << cell] ^ 1 << cell) for cell in range(len(puzzle.bit))]
    levels = list(chain.from_iterable(each.moves for each in puzzle.automata))
    first_states = np.cumsum([0, *map(len, levels)])
    moves = np.array(list(chain.from_iterable(chain.from_iterable(levels))), np.int32)
    n = len(levels[0][0]) if levels else 0
    return Links(
        lists(near),
        lists(units),
        inside(units),
        lists(places),
        inside(places),
        first_states[:-1] * n,
        first_states,
        moves,
    )


def _bits(places: int) -> list[int]:
    """Return the numbers of the bits of a set, ascending."""
    return [bit for bit in range(places.bit_length()) if places >> bit & 1]


def _step(puzzle: Arrangement, links: "Links", order: Sequence[int], filled: int) -> "FillStep":
    """Return how to fill a cell, the last of some number of cells that are filled."""
    from sudoku_encode.proving.recount_kernel import FillStep

    cell, bit = order[filled - 1], len(order) - filled
    before, now = puzzle.settings[filled - 1 : filled + 1]
    every = (1 << bit) - 1
    units = [unit & every for unit in puzzle.units if unit & every]
    sharing = union([unit & every for unit in puzzle.units if unit >> bit & 1])
    (values, old_firsts), (places, firsts) = _places(before), _places(now)
    reads = list[tuple[int, int, int]]()
    # Units and automata of the cell can narrow all states, and after the first cell all units and automata can.
    units_to_narrow = [filled == 1 or unit >> bit & 1 for unit in puzzle.units]
    automata_to_narrow = [filled == 1 or cell in automaton.cells for automaton in puzzle.automata]
    for number, automaton in enumerate(puzzle.automata):
        if cell in automaton.cells:
            place = links.places.starts[number] + automaton.cells.index(cell)
            reads.append((_index(before.readers, number), _index(now.readers, number), links.offsets[place]))
    reading = [number for number in now.readers if cell not in puzzle.automata[number].cells]
    copies = [_index(before.readers, number) if number in reading else -1 for number in now.readers]
    return FillStep(
        bit,
        _words([every], bit)[0],
        _words([sharing], bit)[0],
        _words(units, bit),
        np.array([unit.bit_count() for unit in units], np.int64),
        np.array(values, np.int64) - 1,
        np.array(old_firsts, np.int64),
        np.array([values.index(value) for value in places], np.int64),
        np.array(firsts, np.int64),
        np.array(copies, np.int64),
        np.array(reads, np.int64).reshape(-1, 3),
        np.array([_index(now.readers, number) for number in range(len(puzzle.automata))], np.int64),
        np.array(units_to_narrow, np.uint8),
        np.array(automata_to_narrow, np.uint8),
    )


def _places(setting: Setting) -> tuple[list[int], list[int]]:
    """Return the value at each place, and the first place of its class."""
    values, firsts = list[int](), list[int]()
    for members in setting.classes:
        firsts += [len(values)] * len(members)
        values += members
    return values, firsts


def _index(numbers: Sequence[int], number: int) -> int:
    return numbers.index(number) if number in numbers else -1


def _products(given: Sequence[Sequence[int]], cells: Sequence[int], start: Arrangement) -> Intps:
    """Return all products of symmetries: for each open cell's bit the bit of its image, (products, open cells)."""
    steps = np.array(
        [
            [symmetry[1 << bit].bit_length() - 1 for bit in range(len(cells))]
            for symmetry in read_symmetries(given, cells, start)
        ]
    )
    new = np.arange(len(cells))[None]
    every, seen = [new], {new.tobytes()}
    while len(new):
        images = np.concatenate([step[new] for step in steps])
        text, width = images.tobytes(), images[0].nbytes
        is_new = np.zeros(len(images), bool)
        for place in range(len(images)):
            key = text[place * width : (place + 1) * width]
            if key not in seen:
                seen.add(key)
                is_new[place] = True
        new = images[is_new]
        every.append(new)
        if len(seen) > MAX_PRODUCTS:
            raise CountError(f"more than {MAX_PRODUCTS} products of symmetries")
    return np.concatenate(every)


def _merge_images(layer: Layer, moved: Intps, tick: Callable[[], None]) -> Layer:
    """Return a layer with each state replaced by the least of its images under some symmetries; see `_products`."""
    from sudoku_encode.proving.recount_kernel import enter, least_images

    m, n, words = layer.states.shape
    ranges = [(start, min(m, start + _STATES_PER_CALL)) for start in range(0, m, _STATES_PER_CALL)]
    sets, images = _images(layer, moved, ranges)
    keys, ranks = _keys(sets), np.empty((m, n), np.int32)
    # The symmetries that make the image of each set as small as any does, set after set.
    of_set, leading = np.nonzero(images.min(axis=0)[:, None] == images.T)
    starts = np.searchsorted(of_set, np.arange(len(sets) + 1))
    table = _Table(max(64, m), n, words, layer.ways.shape[1])
    for start, end in ranges:
        tick()
        ranks[start:end] = np.searchsorted(keys, _keys(layer.states[start:end].reshape(-1, words))).reshape(-1, n)
        least_images(ranks[start:end], images, leading.astype(np.int32), starts)
        table.used = enter(
            sets[ranks[start:end]], layer.ways[start:end], table.states, table.ways, table.slots, table.used
        )
    return table.layer(layer.n_open, n, m * len(moved))


def _keys(sets: Uint64s) -> NDArray[np.void]:
    """Return a byte string for each set, (sets, words), in the same order as the sets as numbers."""
    return np.ascontiguousarray(sets[:, ::-1].astype(">u8")).view(f"S{8 * sets.shape[1]}").ravel()


def _unique(sets: Uint64s) -> Uint64s:
    """Return the different ones of some sets, ascending."""
    return sets[np.unique(_keys(sets), return_index=True)[1]]


def _images(layer: Layer, moved: Intps, ranges: Sequence[tuple[int, int]]) -> tuple[Uint64s, Int32s]:
    """Return all images of the sets of a layer, ascending, and for each symmetry the rank of the image of each."""
    words = layer.states.shape[2]
    sets = _unique(np.concatenate([_unique(layer.states[start:end].reshape(-1, words)) for start, end in ranges]))
    # The products are a group: the images of images are images. So all are there after one turn.
    _refuse_many_images(sets, moved)
    images = [_unique(own.reshape(-1, words)) for own in _moved_by_parts(sets, moved)]
    sets = _unique(np.concatenate(images))
    _refuse_many_images(sets, moved)
    keys = _keys(sets)
    ranks = [
        np.searchsorted(keys, _keys(own.reshape(-1, words))).astype(np.int32).reshape(-1, len(sets))
        for own in _moved_by_parts(sets, moved)
    ]
    return sets, np.concatenate(ranks)


def _refuse_many_images(sets: Uint64s, moved: Intps) -> None:
    if len(sets) * len(moved) > MAX_IMAGES:
        raise TooManyStatesError(StopReason(f"more than {MAX_IMAGES:,} images of sets", OUT_OF_MEMORY.status))


def _moved_by_parts(sets: Uint64s, moved: Intps) -> Iterator[Uint64s]:
    """Yield the images of sets under symmetries, (symmetries, sets, words), some symmetries at a time."""
    from sudoku_encode.proving.recount_kernel import move

    size = max(1, _IMAGES_PER_PART // max(1, len(sets)))
    for start in range(0, len(moved), size):
        yield move(sets, moved[start : start + size])
