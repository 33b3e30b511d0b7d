"""Which patterns of signs the nine values of a 9x9x9 cube can have together.

By the law of blocks (see `structure`) nine patterns can only go together where in each block all nine lines have one
direction, or six have one and three another. Of the multisets of nine patterns that have pattern 0 in them, 1,171 obey
this law. They fall into 28 classes, since a cube stays a cube where its axes are exchanged, the slabs of an axis are
permuted, or the layers of a slab are turned round, which turns its sign for all values. A SAT formula shows that cubes
exist for 14 classes, with 388 of the multisets, but not for the other 14 (tests/placements/test_classes.py).
"""

from collections.abc import Iterable
from functools import cache
from itertools import permutations, product

import numpy as np

from sudoku_encode.placements.structure import patterns
from sudoku_encode.puzzles.arrays import Int64s

Multiset = tuple[int, ...]

# The smallest multiset with pattern 0 of each class for which there are cubes. The first is uniform.
CLASSES: tuple[Multiset, ...] = (
    (0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0, 1, 1, 1),
    (0, 0, 0, 0, 0, 0, 3, 3, 3),
    (0, 0, 0, 0, 0, 0, 5, 5, 5),
    (0, 0, 0, 0, 0, 0, 28, 28, 28),
    (0, 0, 0, 0, 0, 0, 29, 29, 29),
    (0, 0, 0, 0, 0, 1, 2, 3, 3),
    (0, 0, 0, 0, 1, 1, 2, 2, 3),
    (0, 0, 0, 0, 1, 2, 252, 252, 255),
    (0, 0, 0, 1, 1, 1, 2, 2, 2),
    (0, 0, 0, 1, 1, 1, 252, 252, 252),
    (0, 0, 0, 1, 1, 2, 253, 253, 254),
    (0, 0, 0, 3, 3, 3, 253, 253, 253),
    (0, 0, 1, 1, 2, 2, 252, 255, 255),
)


@cache
def moves() -> Int64s:
    """Return which pattern each one becomes where slabs are permuted and axes exchanged: int64 (1296, 256)."""
    orders = list(permutations(range(3)))
    images = []
    for axes, *slabs in product(orders, repeat=4):
        moved = patterns(3)[:, axes]
        moved = np.stack([moved[:, axis, order] for axis, order in enumerate(slabs)], axis=1).reshape(-1, 9)
        # All signs turned round are the same pattern. The number of a pattern has a bit for each sign but the first.
        images.append((moved ^ moved[:, :1])[:, 1:] @ (1 << np.arange(8)))
    return np.array(images)


def alike(multiset: Iterable[int]) -> set[Multiset]:
    """Return the multisets of a multiset's class that have pattern 0 in them, each in ascending order."""
    members = np.array(list(multiset))
    # Signs that are turned for all values change the bits of their patterns in the same way.
    turned = [np.sort(moves()[:, members ^ member], axis=1) for member in np.unique(members)]
    return set(map(tuple, np.concatenate(turned).tolist()))


@cache
def class_numbers() -> dict[Multiset, int]:
    """Return the class, a place in CLASSES, of each multiset with pattern 0 in it of which there are cubes."""
    return {one: number for number, some in enumerate(CLASSES) for one in alike(some)}


def class_of(patterns_of_values: Iterable[int]) -> int:
    """Return the class of a cube, a place in CLASSES, by the patterns of its values; -1 where there is no such cube."""
    numbers = list(patterns_of_values)
    return class_numbers().get(tuple(sorted(number ^ numbers[0] for number in numbers)), -1)
