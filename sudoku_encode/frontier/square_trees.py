"""Count boards of several 9x9 that share boxes without a ring, such as a samurai.

From the outer squares inwards, each square sends a *message* to the box through which it reaches the rest: for each
filling of the box, in how many ways the square and all squares behind it can be completed. A square that receives
messages counts each filling of its shared boxes as many times as they say. Numbers of the last square pass a machine
word, so they are counted modulo several primes, whose product is larger than the number.

Source: belief propagation on trees (Pearl 1982), with the tables of bands of Felgenhauer & Jarvis 2006.
"""

from collections.abc import Callable, Generator, Mapping
from math import prod
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier.band_tables import by_first
from sudoku_encode.frontier.box_fillings import SIDE, VALUES, Box, completing_triples, fillings, prune
from sudoku_encode.frontier.problem import WeightedBox, spans
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.arrays import Int32s, Intps, Uint64s
from sudoku_encode.puzzles.geometry import Geometry, distinct_units
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# How many steps a kernel does between two calls of `tick`, some tens of milliseconds.
STEPS_PER_CALL = 2**24
# Messages of squares that receive none are smaller than this: a 9x9 with a full box has 1.8e16 solutions.
_EXACT = 2**63
# A filling of a box is a word: its partition of columns, and above it that of rows.
_PARTITION_BITS = np.uint64(SIDE * VALUES)
# The largest primes below 2**31.
_LARGEST = 2**31 - 1


class Message(NamedTuple):
    """For each filling of a box, in how many ways the squares behind it can be completed."""

    fillings: Uint64s  # (fillings,): ascending
    weights: Uint64s  # (fillings,): numbers of ways, or their residues
    most: int  # no number of ways is larger


class Link(NamedTuple):
    """A square, the box through which it sends its message, and the boxes through which it receives messages."""

    cells: Intps  # (9, 9): its cells
    box: tuple[int, int]  # band and stack of the box for its message
    sources: tuple[tuple[tuple[int, int], "Link"], ...]  # band and stack of a shared box, and a square behind it


def squares(board: Geometry) -> list[Intps]:
    """Return the cells (9, 9) of each 9x9 with its rows, columns and boxes; empty if there are other units."""
    units = distinct_units(board.rules)
    numbers, result, covered = board.cells_by_coordinates, [], set()
    for corner in board.places:
        places = [(corner[0] + row, corner[1] + column) for row in range(VALUES) for column in range(VALUES)]
        if all(place in numbers for place in places):
            cells = np.array([numbers[place] for place in places]).reshape(VALUES, VALUES)
            boxes = cells.reshape(SIDE, SIDE, SIDE, SIDE).swapaxes(1, 2).reshape(VALUES, VALUES)
            own = {tuple(sorted(unit)) for lines in (cells, cells.T, boxes) for unit in lines.tolist()}
            if own <= units:
                result.append(cells)
                covered |= own
    return result if covered == units else []


def tree(board: Geometry) -> Link | None:
    """Return a square of a board that receives messages from all others; None where there is a ring, or more shared."""
    if board.n_values != VALUES or not board.places or not (all_squares := squares(board)):
        return None
    homes: dict[tuple[int, ...], list[tuple[int, tuple[int, int]]]] = {}
    for number, cells in enumerate(all_squares):
        for band, stack in np.ndindex(SIDE, SIDE):
            box = cells[SIDE * band : SIDE * band + SIDE, SIDE * stack : SIDE * stack + SIDE]
            homes.setdefault(tuple(box.ravel().tolist()), []).append((number, (band, stack)))
    shared = [some for some in homes.values() if len(some) > 1]
    cells_in_boxes = sum(VALUES * (len(some) - 1) for some in shared)
    # Squares share nothing but these boxes, and a tree has an edge less than nodes.
    n_edges, n_nodes = sum(map(len, shared)), len(all_squares) + len(shared)
    if len(all_squares) * VALUES**2 - cells_in_boxes != board.n_cells or n_edges != n_nodes - 1:
        return None
    visited: set[int] = set()

    def link(number: int, box: tuple[int, int] | None) -> Link:
        """Return a square with those behind it; `box` is the one through which it is reached."""
        visited.add(number)
        sources = [
            (place, link(other, other_place))
            for some in shared
            for own, place in some
            if own == number and place != box
            for other, other_place in some
            if other not in visited
        ]
        return Link(all_squares[number], box or sources[0][0], tuple(sources))

    middle = max(range(len(all_squares)), key=lambda number: sum(number == one for some in shared for one, _ in some))
    root = link(middle, None)
    return root if len(visited) == len(all_squares) > 1 else None


def count(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield a line about each step, and return the number of solutions of a board with a `tree`.

    Raises:
        OutOfTableMemory: the tables of a square would pass `max_bytes`.
    """
    root = tree(puzzle.geometry)
    assert root is not None
    outer: dict[int, Message] = {}
    modulus, residue, product, n_primes = _LARGEST, 0, 1, 0
    while True:
        result, most = _total(root, candidates, modulus, outer, tick, max_bytes)
        # The number that has all residues so far, smaller than the product of the primes.
        residue += product * ((result - residue) * pow(product, -1, modulus) % modulus)
        product, n_primes = product * modulus, n_primes + 1
        if product > most:
            yield f"messages of {len(outer)} outer squares; the rest modulo {n_primes} primes"
            return residue
        modulus = _prime_below(modulus)


def _prime_below(number: int) -> int:
    """Return the largest prime below a number of 31 bits."""
    number -= 2
    while any(number % divisor == 0 for divisor in range(3, 46342, 2)):
        number -= 2
    return number


def _total(
    root: Link,
    candidates: Candidates,
    modulus: int,
    outer: dict[int, Message],
    tick: Callable[[], None],
    max_bytes: int,
) -> tuple[int, int]:
    """Return the number of solutions modulo a prime, and an upper bound of it; `outer` keeps exact messages."""
    same_box = [source for place, source in root.sources if place == root.box]
    others = root._replace(sources=tuple(source for source in root.sources if source[0] != root.box))
    incoming = _product([_message(source, candidates, modulus, outer, tick, max_bytes) for source in same_box], modulus)
    own = _message(others, candidates, modulus, outer, tick, max_bytes, incoming)
    both = _product([own, incoming], modulus)
    return sum(both.weights.tolist()) % modulus, own.most * incoming.most


def _product(messages: list[Message], modulus: int) -> Message:
    """Return the message of several squares behind one box."""
    first, *rest = messages
    numbers, weights, most = first.fillings, first.weights % np.uint64(modulus), first.most
    for message in rest:
        numbers, places, others = np.intersect1d(numbers, message.fillings, assume_unique=True, return_indices=True)
        weights = weights[places] * (message.weights[others] % np.uint64(modulus)) % np.uint64(modulus)
        most *= message.most
    return Message(numbers, weights, most)


def _message(
    link: Link,
    candidates: Candidates,
    modulus: int,
    outer: dict[int, Message],
    tick: Callable[[], None],
    max_bytes: int,
    allowed: Message | None = None,
) -> Message:
    """Return a square's message, of residues if it receives some itself; for the fillings in `allowed` at most."""
    key = int(link.cells[0, 0])
    if not link.sources and allowed is None:
        if key not in outer:
            outer[key] = square_message(link, candidates, {}, _EXACT, None, tick, max_bytes)
        return outer[key]
    by_box: dict[tuple[int, int], list[Message]] = {}
    for place, source in link.sources:
        by_box.setdefault(place, []).append(_message(source, candidates, modulus, outer, tick, max_bytes))
    incoming = {place: _product(some, modulus) for place, some in by_box.items()}
    return square_message(link, candidates, incoming, modulus, allowed, tick, max_bytes)


def square_message(
    link: Link,
    candidates: Candidates,
    incoming: Mapping[tuple[int, int], Message],
    modulus: int,
    allowed: Message | None,
    tick: Callable[[], None],
    max_bytes: int,
) -> Message:
    """Return in how many ways, modulo a number, each filling of a square's box is completed in it.

    Raises:
        OutOfTableMemory: its tables would take more than `max_bytes`.
    """
    from sudoku_encode.frontier.square_trees_kernel import complete, sum_beside

    layout, places = _layout(link, candidates, incoming, allowed, tick, max_bytes)
    if not len(layout.boxes[0][0].across):
        return Message(np.empty(0, np.uint64), np.empty(0, np.uint64), 0)
    received = {place: message for place, message in places.items() if message is not allowed}
    multiple, number = np.uint64(_EXACT // modulus * modulus), np.uint64(modulus)
    weighted = [[_weighted(layout, (i, j), received.get((i, j)), number) for j in range(SIDE)] for i in range(SIDE)]
    lines = [completing_triples([np.unique(box.across) for box in band], tick) for band in layout.boxes]
    # The band whose table has fewer entries other than 0 comes first: only these are joined.
    ways = [_n_fillings(*pair) for pair in zip(layout.boxes, lines, strict=True)]
    order = [0, *sorted((1, 2), key=lambda band: ways[band] / prod(map(len, layout.columns[band])))]
    above, below = (_table(weighted[band], lines[band], layout.columns[band], number, tick) for band in order[1:])
    pairs, seconds, thirds = (triples[:, order] for triples in layout.joins)
    width = len(layout.columns[order[1]][1]), len(layout.columns[order[1]][2])
    joined = by_first(pairs, len(layout.columns[0][0])), by_first(seconds[:, [1, 0, 2]], width[0])
    inner, filled = by_first(thirds[:, [1, 0, 2]], width[1]), np.asarray(below.any(axis=2))
    beside = by_first(lines[0], len(weighted[0][0].starts) - 1)
    # The fillings of the box, those with the same partition of columns together.
    box = layout.boxes[0][0]
    box = Box(*(words[np.argsort(box.down, kind="stable")] for words in box))
    rows = np.searchsorted(np.unique(box.across), box.across)
    starts = np.searchsorted(box.down, layout.columns[0][0]).tolist()
    weights = np.zeros(len(rows), np.uint64)
    _, second, third = weighted[0]
    gathered = np.zeros((len(second.starts) - 1, len(layout.columns[0][2])), np.uint64)
    stride = max(1, STEPS_PER_CALL // max(1, len(seconds) * len(thirds)))
    for place, part in enumerate(map(slice, starts, [*starts[1:], len(rows)])):
        sheet = np.zeros((len(layout.columns[0][1]), len(layout.columns[0][2])), np.uint64)
        triples = joined[0].items[joined[0].starts[place] : joined[0].starts[place + 1]]
        for start, end in spans(len(triples), stride, tick):
            complete(above, below, filled, triples[start:end], joined[1], inner, multiple, sheet)
        sheet %= number
        sum_beside(beside, rows[part], second, third, sheet, number, multiple, gathered, weights[part])
    words, bound = layout.words(box), prod(ways) * prod(one.most for one in received.values())
    # A residue of 0 may be that of another number.
    used = np.flatnonzero(weights) if modulus == _EXACT else np.arange(len(words))
    used = used[np.argsort(words[used])]
    return Message(words[used], weights[used], int(weights.max()) if modulus == _EXACT else bound)


class _Layout(NamedTuple):
    """The boxes of a square by bands or stacks, that of the message first."""

    boxes: list[list[Box]]
    turned: bool  # whether they are by stacks
    columns: list[list[Uint64s]]  # for each box its partitions of columns
    joins: list[Int32s]  # for each stack the triples of them that complete each other

    @property
    def steps(self) -> int:
        """About how many steps it takes to join the bands."""
        return prod(map(len, self.joins))

    def words(self, box: Box) -> Uint64s:
        """Return a word for each filling of a box."""
        across, down = (box.down, box.across) if self.turned else (box.across, box.down)
        return across << _PARTITION_BITS | down


def _layout(
    link: Link,
    candidates: Candidates,
    incoming: Mapping[tuple[int, int], Message],
    allowed: Message | None,
    tick: Callable[[], None],
    max_bytes: int,
) -> tuple[_Layout, dict[tuple[int, int], Message]]:
    """Return the boxes of a square, by bands or stacks as takes fewer steps, and the messages by their places then."""
    bands, stacks = ([first, *(one for one in range(SIDE) if one != first)] for first in link.box)
    cells = link.cells.reshape(SIDE, SIDE, SIDE, SIDE)[bands][:, :, stacks].reshape(-1)
    places = {(bands.index(band), stacks.index(stack)): one for (band, stack), one in incoming.items()}
    if allowed is not None:
        places[0, 0] = allowed
    boxes = fillings(candidates[cells], tick, max_bytes)
    for (band, stack), message in places.items():
        box = boxes[band][stack]
        used = np.isin(box.across << _PARTITION_BITS | box.down, message.fillings)
        boxes[band][stack] = Box(box.across[used], box.down[used])
    boxes = prune(boxes, tick)
    turned = [[Box(boxes[j][i].down, boxes[j][i].across) for j in range(SIDE)] for i in range(SIDE)]
    layouts = []
    for three, is_turned in ((boxes, False), (turned, True)):
        columns = [[np.unique(box.down) for box in band] for band in three]
        joins = [completing_triples([band[stack] for band in columns], tick) for stack in range(SIDE)]
        needed = 8 * sum(prod(map(len, band)) for band in columns[1:]) + 8 * len(columns[0][1]) * len(columns[0][2])
        layouts.append((needed, _Layout(three, is_turned, columns, joins)))
    least = min(needed for needed, _ in layouts)
    if least > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: the tables of a square would take {least:,}")
    layout = min((layout for needed, layout in layouts if needed <= max_bytes), key=lambda one: one.steps)
    return layout, {place[::-1]: one for place, one in places.items()} if layout.turned else places


def _table(
    three: list[WeightedBox], lines: Int32s, columns: list[Uint64s], modulus: np.uint64, tick: Callable[[], None]
) -> Uint64s:
    """Return the weights of the fillings of a band by their partitions of columns, with an axis for each box."""
    from sudoku_encode.frontier.square_trees_kernel import weigh_band

    first, second, third = three
    table, multiple = np.zeros(tuple(map(len, columns)), np.uint64), np.uint64(_EXACT) // modulus * modulus
    for start, end in spans(len(lines), 64, tick):
        weigh_band(lines, first, second, third, modulus, multiple, table, start, end)
    table %= modulus
    return table


def _n_fillings(band: list[Box], lines: Int32s) -> int:
    """Return how many fillings a band has."""
    counts = [np.unique(box.across, return_counts=True)[1] for box in band]
    first, second, third = (one[lines[:, place]] for place, one in enumerate(counts))
    return int((first * second * third).sum())


def _weighted(layout: _Layout, place: tuple[int, int], message: Message | None, modulus: np.uint64) -> WeightedBox:
    """Return the fillings of a box by their partitions of rows, with the weights of a message, or 1."""
    box = layout.boxes[place[0]][place[1]]
    order = np.argsort(box.across, kind="stable")
    starts = np.append(0, np.cumsum(np.unique(box.across, return_counts=True)[1])).astype(np.int64)
    weights = np.ones(len(order), np.uint64)
    if message is not None:
        weights = message.weights[np.searchsorted(message.fillings, layout.words(box)[order])] % modulus
    down = np.searchsorted(layout.columns[place[0]][place[1]], box.down[order])
    return WeightedBox(starts, down.astype(np.int32), weights)
