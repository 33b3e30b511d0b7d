"""Regions to be found, connected cells and runs as clauses, with auxiliary variables that the cells determine.

- *same*: a variable says that two cells hold the same value. Region and runs share those of the same two cells.
- *reach*: the first cell of a region reaches itself in 0 steps, and a cell in as many as one beside it in the same
  region, and one more. So each region is connected, and a cell that is cut off from all others is in none.
- regions: a variable for each cell, region and value; of those of a region and a value one holds.
- runs: unary numbers, merged as in totalizers.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.constraints.primitives import ConnectedCells, Regions, Runs, values_in

# A literal that always holds; its negation never does.
TRUE = 1 << 30


class RegionWriter:
    """Writes clauses over the literals of cells: TRUE if a cell holds the value, -TRUE if it cannot.

    `new` returns new variables; `add` adds clauses, a row each, that may contain TRUE and its negation, to a group.
    """

    def __init__(
        self, literals: Literals, new: Callable[[int], Literals], add: Callable[[str, NDArray[np.int32]], None]
    ) -> None:
        self.literals, self.new, self.add = literals, new, add
        self._same: dict[tuple[int, int], int] = {}
        self._cell_of: dict[int, int] = {}

    def write(self, primitive: ConnectedCells | Regions | Runs) -> None:
        """Write a primitive."""
        match primitive:
            case ConnectedCells():
                self._connected(primitive)
            case Regions():
                self._regions(primitive)
            case Runs():
                self._runs(primitive)

    def _any_of(self, parts: Literals) -> Literals:
        """Return for each row a literal that holds if and only if a literal of the row does."""
        is_open = parts != -TRUE
        result: Literals = parts[np.arange(len(parts)), is_open.argmax(axis=1)]
        result[(parts == TRUE).any(axis=1)] = TRUE
        several = np.flatnonzero((is_open.sum(axis=1) > 1) & (result != TRUE))
        result[several] = new = self.new(len(several))
        parts = parts[several]
        self.add("regions", np.concatenate([-new[:, None], parts], axis=1))
        self.add("regions", np.stack([np.repeat(new, parts.shape[1]), -parts.ravel()], axis=1))
        return result

    def _all_of(self, parts: Literals) -> Literals:
        """Return for each row a literal that holds if and only if all literals of the row do."""
        negated: Literals = -self._any_of(-parts)
        return negated

    def _same_value(self, first: int, second: int) -> int:
        """Return the literal that says that two cells hold the same value."""
        if first == second:
            return TRUE
        key = min(first, second), max(first, second)
        if key not in self._same:
            self._same[key] = int(self.new(1)[0])
            a, b = self.literals[list(key)]
            same = np.full(len(a), self._same[key], np.int32)
            for signs in ((-1, -1, 1), (-1, 1, -1), (1, -1, -1)):
                self.add("regions", np.stack([same, a, b], axis=1) * np.array(signs, np.int32))
            if first in self._cell_of and second in self._cell_of:
                x, y = self.literals[[self._cell_of[first], self._cell_of[second]]]
                self.add("regions", -np.stack([same, x, y], axis=1))
        return self._same[key]

    def _prefixes(self, parts: Literals) -> Literals:
        """Return (m + 1, k) literals that say whether a literal of the first rows of (m, k) holds, column by column."""
        rows = [np.full(parts.shape[1], -TRUE, np.int32)]
        for part in parts:
            rows.append(self._any_of(np.stack([rows[-1], part], axis=1)))
        return np.array(rows)

    def _at_most_one(self, parts: Literals) -> None:
        """Write that at most one literal of each column of (m, k) holds."""
        before = self._prefixes(parts)[:-1]
        self.add("regions", -np.stack([parts.ravel(), before.ravel()], axis=1))

    def _reached(self, roots: Literals, beside: NDArray[np.int64], links: Literals, steps: int) -> Literals:
        """Return for each cell whether a root reaches it in some steps, over links (m, k) to the places beside each."""
        reached = roots
        for _ in range(steps):
            nearer = np.append(reached, np.int32(-TRUE))[beside]
            steps_to = self._all_of(np.stack([links.ravel(), nearer.ravel()], axis=1))
            reached = self._any_of(np.concatenate([reached[:, None], steps_to.reshape(links.shape)], axis=1))
        return reached

    def _regions(self, primitive: Regions) -> None:
        self._cell_of.update(zip(primitive.labels, primitive.cells, strict=True))
        values = self.literals[list(primitive.cells)]
        size, n = values.shape
        labels = self.literals[list(primitive.labels)][:, : primitive.n_regions]
        # Regions begin in the order of their numbers.
        begun = self._prefixes(labels)
        roots = self.new(size)
        for sign in (-1, 1):
            column = np.repeat(sign * roots, labels.shape[1])
            self.add("regions", np.stack([-labels.ravel(), column, sign * begun[:-1].ravel()], axis=1))
        self.add("regions", np.stack([-labels[:, 1:].ravel(), begun[:-1, :-1].ravel()], axis=1))
        self.add("regions", begun[-1:].T)
        beside, places = _table(size, primitive.edges)
        links = np.full(beside.shape, -TRUE, np.int32)
        for (a, b), ends in zip(primitive.edges, places, strict=True):
            links[a, ends[0]] = links[b, ends[1]] = self._same_value(primitive.labels[a], primitive.labels[b])
        # A region of several cells has no cell alone.
        self.add("regions", links)
        self.add("regions", self._reached(roots, beside, links, n - 1)[:, None])
        # Each value is once in each region.
        pairs = np.broadcast_arrays(labels[:, :, None], values[:, None, :])
        both = self._all_of(np.stack([pair.ravel() for pair in pairs], axis=1)).reshape(size, -1)
        self.add("regions", both.T)
        self._at_most_one(both)

    def _connected(self, primitive: ConnectedCells) -> None:
        columns = [value - 1 for value in values_in(primitive.values)]
        inside = self._any_of(self.literals[list(primitive.cells)][:, columns])
        size = len(inside)
        beside, _ = _table(size, primitive.edges)
        before = self._prefixes(inside[:, None])[:, 0]
        reached = self._all_of(np.stack([inside, -before[:-1]], axis=1))
        padded = np.append(reached, np.int32(-TRUE))
        for _ in range(primitive.most - 1):
            near = self._any_of(padded[np.concatenate([np.arange(size)[:, None], beside], axis=1)])
            padded = np.append(self._all_of(np.stack([inside, near], axis=1)), np.int32(-TRUE))
        self.add("regions", np.stack([-inside, padded[:-1]], axis=1))
        self.add("regions", before[-1:, None])
        if primitive.least > 1 or primitive.most < size:
            amounts = [inside[at : at + 1] for at in range(size)]
            while len(amounts) > 1:
                merged = [self._merged(*pair) for pair in zip(amounts[::2], amounts[1::2], strict=False)]
                amounts = [*merged, *amounts[len(amounts) - len(amounts) % 2 :]]
            self.add("regions", np.stack([amounts[0][primitive.least - 1 : primitive.least]], axis=1))
            self.add("regions", -amounts[0][primitive.most : primitive.most + 1, None])

    def _merged(self, first: Literals, second: Literals) -> Literals:
        """Return the sum of two unary numbers, whose literals say that they are at least 1, 2, and so on."""
        total = self.new(len(first) + len(second))
        ends = [np.array([sign * TRUE], np.int32) for sign in (1, -1)]
        a, b, s = (np.concatenate([ends[0], number, ends[1]]) for number in (first, second, total))
        i, j = (index.ravel() for index in np.indices((len(first) + 1, len(second) + 1)))
        self.add("regions", np.stack([s[i + j], -a[i], -b[j]], axis=1))
        self.add("regions", np.stack([-s[i + j + 1], a[i + 1], b[j + 1]], axis=1))
        return total

    def _runs(self, primitive: Runs) -> None:
        total: Literals = np.empty(0, np.int32)
        for arm in primitive.arms:
            # Along an arm each cell is compared with the one before, since these may be cells that touch.
            same = [self._same_value(a, b) for a, b in zip((primitive.first, *arm), arm, strict=False)]
            lengths: list[int] = []
            for literal in same:
                both = np.array([[lengths[-1] if lengths else TRUE, literal]], np.int32)
                lengths.append(int(self._all_of(both)[0]))
            arm_lengths = np.array(lengths, np.int32)
            total = (
                self._merged(total, arm_lengths) if len(total) and len(arm_lengths) else np.append(total, arm_lengths)
            )
        ends = np.concatenate([[TRUE], total, [-TRUE]]).astype(np.int32)
        for value, literal in enumerate(self.literals[primitive.control], 1):
            amount = value + primitive.offset - 1
            if amount > len(total):
                self.add("regions", np.array([[-literal]], np.int32))
            else:
                self.add("regions", np.array([[-literal, ends[amount]], [-literal, -ends[amount + 1]]], np.int32))


def _table(size: int, edges: Sequence[tuple[int, int]]) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
    """Return the places that touch each, with `size` for none, and for each edge its columns in both of its rows."""
    rows: list[list[int]] = [[] for _ in range(size)]
    columns: list[tuple[int, int]] = []
    for a, b in edges:
        columns.append((len(rows[a]), len(rows[b])))
        rows[a].append(b)
        rows[b].append(a)
    width = max(map(len, rows), default=0)
    return np.array([row + [size] * (width - len(row)) for row in rows], np.int64).reshape(size, width), columns
