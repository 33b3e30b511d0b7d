"""The empty board whose boxes have two rows (or two columns): 6x6, 8x8, 10x10.

A band has two boxes. The upper row of the left box holds a set S of half the values; its lower row and the right box's
upper row hold the others. So with S chosen for each band every row of both halves of the board is known as a set, and
the halves are filled independently, each in the same number of ways N. The total is the sum of N * N over all choices.
Renaming values, exchanging bands and exchanging the two rows of a band do not change N, which leaves few classes of
choices: 355 for the 10x10.

A half is a graph: its rows, the values, and an edge where a row holds a value. Each column of a filling is a perfect
matching, so N is the number of ways to colour the edges, the columns being the colours.

Source: this project.
"""

from collections.abc import Callable, Generator, Sequence
from itertools import permutations
from math import comb, factorial

import numpy as np

from sudoku_encode.frontier.latin import factorizations
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates

# The 12x12 has a hundred times as many classes, and each takes a million times as long.
MAX_BOX_COLUMNS = 5

# How many values lie in which sets: at place p the number of values that are in S of band i just where bit i of p is
# set.
Choice = tuple[int, ...]


def fits(board: Geometry, candidates: Candidates) -> bool:
    """Return whether this is an empty board whose boxes have two rows or two columns."""
    sides = sorted(board.box or ())
    plain = sides[:1] == [2] and 2 < sides[1] <= MAX_BOX_COLUMNS and board.rule_names == ("row", "column", "box")
    square = board.shape == (board.n_values, board.n_values)
    return plain and square and bool(candidates.all())


def classes(width: int, tick: Callable[[], None]) -> dict[Choice, int]:
    """Return the choices of `width` values for each of `width` bands, up to symmetry, and how many each has."""
    sizes: dict[Choice, int] = {(2 * width,): 1}
    for band in range(width):
        more: dict[Choice, int] = {}
        for choice, size in sizes.items():
            tick()
            for chosen, ways in _subsets(choice, width):
                key = (*(all_ - some for all_, some in zip(choice, chosen, strict=True)), *chosen)
                more[key] = more.get(key, 0) + size * ways
        images, sizes = _images(band + 1), {}
        while more:
            tick()
            key = next(iter(more))
            alike = set(map(tuple, np.array(key)[images].tolist()))
            sizes[key] = sum(more.pop(image, 0) for image in alike)
    return sizes


def _subsets(choice: Choice, size: int) -> list[tuple[Choice, int]]:
    """Return how many values of each kind can be in a set of `size` values, and in how many ways."""
    subsets: list[tuple[Choice, int]] = [((), 1)]
    for number in choice:
        subsets = [
            ((*subset, more), ways * comb(number, more))
            for subset, ways in subsets
            for more in range(min(number, size - sum(subset)) + 1)
        ]
    return [(subset, ways) for subset, ways in subsets if sum(subset) == size]


def _images(bands: int) -> Intps:
    """Return where the places of a choice go when bands, or their two rows, are exchanged."""
    places = np.arange(1 << bands)
    moved = [sum((places >> band & 1) << to for band, to in enumerate(order)) for order in permutations(range(bands))]
    return np.array([one ^ turned for one in moved for turned in range(1 << bands)], np.intp)


def halves(choices: Sequence[Choice], tick: Callable[[], None]) -> list[int]:
    """Return for each choice in how many ways half of the board can be filled."""
    width = sum(choices[0]) // 2
    # The colours are distinct, the matchings are not ordered.
    return [factorial(width) * ways for ways in factorizations(np.array([_half(one) for one in choices]), tick)]


def _half(choice: Choice) -> list[int]:
    """Return the graph of half of the board: for each row its values, a bit each."""
    width = sum(choice) // 2
    kinds = np.repeat(np.arange(len(choice)), choice)
    bits = np.int64(1) << np.arange(2 * width)
    upper = [int(bits[kinds >> band & 1 == 1].sum()) for band in range(width)]
    full = int(bits.sum())
    return [row for some in upper for row in (some, full ^ some)]


def count(width: int, tick: Callable[[], None]) -> Generator[str, None, int]:
    """Yield lines about the steps, and return the number of grids with boxes of two rows and `width` columns."""
    sizes = classes(width, tick)
    yield f"{len(sizes)} classes of the values in the upper rows of the boxes on the left"
    return sum(size * ways**2 for size, ways in zip(sizes.values(), halves(list(sizes), tick), strict=True))
