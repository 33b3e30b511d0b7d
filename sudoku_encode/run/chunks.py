"""Items, some at a time, for processes that work on them. Knows no Sudoku."""

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Generic, TypeVar

T = TypeVar("T")


class Chunks(Generic[T]):
    """Hands out some items at a time: more where those before took little time, fewer where they took long.

    Where that must be steady, every second chunk is twice as large as the one before. Where items are in groups, a
    group at a time.

    Args:
        items: what to hand out.
        most: how many at a time at most.
        first: how many at first.
        steady: whether the sizes must not depend on time.
        group: what items share that are in one group.
        seconds: how long a chunk should take at least and at most.
    """

    def __init__(
        self,
        items: Iterator[T],
        most: int,
        first: int,
        *,
        steady: bool,
        group: Callable[[T], object] | None,
        seconds: tuple[float, float],
    ) -> None:
        self.least_seconds, self.most_seconds = seconds
        self.items, self.most, self.size, self.first, self.steady = items, most, first, first, steady
        self.groups = groupby(items, group) if group else None
        self.n_chunks = 0

    def next(self) -> list[T]:
        """Return the next items; none where none is left."""
        if self.groups:
            return list(next(self.groups, (None, ()))[1])
        self.n_chunks += 1
        if self.steady and self.n_chunks > 1 and self.n_chunks % 2:
            self.size = min(self.most, 2 * self.size)
        return list(islice(self.items, self.size))

    def took(self, seconds: float) -> None:
        """Note how long a chunk took."""
        if self.steady:
            return
        if seconds < self.least_seconds:
            self.size = min(self.most, 2 * self.size)
        elif seconds > self.most_seconds:
            self.size = max(self.first, self.size // 2)


def all_of(items: list[T], at_a_time: int) -> Chunks[T]:
    """Return some items, as many at a time however long they take."""
    return Chunks(iter(items), at_a_time, at_a_time, steady=True, group=None, seconds=(0.0, 0.0))
