"""The graph of GTSPS along its rows and columns of minigrids: which permutations match there, and what is deleted.

Permutations of a minigrid with the same digits in each row have the same neighbours along its row of minigrids, and so
for columns. There are far fewer such sets of digits than permutations, so all is done once for each set.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.1 and step 5 of section 4.3.
Differs: see `gtsps4`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps import Level, Minigrid
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps, Uint64s

# For each minigrid whether each of its permutations is kept.
Kept = list[Bools]

# Cliques of one line that are listed; an empty line of a 9x9 board has 94,080.
_MAX_CLIQUES = 2**17


@dataclass(frozen=True, eq=False)
class Line:
    """A row or a column of minigrids.

    Attributes:
        numbers: its minigrids, numbered from 0.
        masks: for each of them uint64 (sets, words): its sets of digits of each row (column), each once.
        of: for each of them intp (m,): which of these sets a permutation has.
    """

    numbers: tuple[int, ...]
    masks: tuple[Uint64s, ...]
    of: tuple[Intps, ...]

    @staticmethod
    def along(some: Sequence[Minigrid], numbers: Intps, in_rows: bool, tick: Callable[[], None]) -> "Line":
        """Find the sets of digits of some minigrids in a line."""
        found = []
        for number in numbers:
            tick()
            found.append(different(some[number].rows if in_rows else some[number].columns))
        return Line(tuple(numbers.tolist()), tuple(masks for masks, _ in found), tuple(of for _, of in found))

    @property
    def n_pairs(self) -> int:
        """How many pairs of sets of digits there are to compare."""
        return sum(len(one) * len(other) for one, other in combinations(self.masks, 2))

    @cached_property
    def match(self) -> dict[tuple[int, int], Bools]:
        """For each two of its minigrids, by place, which sets of the one match which of the other."""
        found: dict[tuple[int, int], Bools] = {}
        for one, other in combinations(range(len(self.numbers)), 2):
            apart = np.ones((len(self.masks[one]), len(self.masks[other])), bool)
            # A word at a time, so that a large board needs no array of all words of all pairs.
            for mine, its in zip(self.masks[one].T, self.masks[other].T, strict=True):
                apart &= (mine[:, None] & its) == 0
            found[one, other], found[other, one] = apart, apart.T
        return found

    def counts(self, kept: Kept) -> list[Int64s]:
        """For each minigrid and set: how many permutations that are kept have it."""
        return [
            np.bincount(of[kept[number]], minlength=len(masks)).astype(np.int64)
            for number, masks, of in zip(self.numbers, self.masks, self.of, strict=True)
        ]


def different(masks: Uint64s) -> tuple[Uint64s, Intps]:
    """Return each of some masks once, and which of these each one is."""
    order = np.lexsort(masks.T)
    ascending = masks[order]
    new = np.ones(len(masks), bool)
    new[1:] = (ascending[1:] != ascending[:-1]).any(axis=1)
    of = np.empty(len(masks), np.intp)
    of[order] = np.cumsum(new) - 1
    return ascending[new], of


def degrees(lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None]) -> list[Int64s]:
    """For each minigrid the degrees of its vertices among those that are kept, 0 for the others."""
    found = [np.zeros(len(one), np.int64) for one in kept]
    for line in lines:
        counts = line.counts(kept)
        for at, number in enumerate(line.numbers):
            along = np.zeros(len(line.masks[at]), np.int64)
            for other in range(len(line.numbers)):
                if other != at:
                    tick()
                    along += line.match[at, other] @ counts[other]
            found[number] += along[line.of[at]]
    return [np.where(one, degree, 0) for one, degree in zip(kept, found, strict=True)]


def delete_low_degrees(lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None]) -> None:
    """Step 5: delete every vertex that has fewer neighbours than its minigrid has adjacent ones, until none is left."""
    least = sum(len(line.numbers) - 1 for line in lines if 0 in line.numbers)
    low = True
    while low:
        tick()
        low = False
        for one, gone in zip(kept, low_degrees(degrees(lines, kept, tick), kept, least), strict=True):
            one[gone] = False
            low |= bool(gone.any())


def low_degrees(each: list[Int64s], kept: Kept, least: int) -> Kept:
    """Say which vertices that are kept have a lower degree."""
    return [one & (degree < least) for one, degree in zip(kept, each, strict=True)]


def delete_unsupported(lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None]) -> None:
    """Delete every vertex without a neighbour in an adjacent minigrid, then every one without a clique in its line."""
    delete_without_neighbour(lines, kept, tick)
    delete_without_clique(lines, kept, tick)


def delete_without_neighbour(lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None]) -> None:
    """Delete every vertex without a neighbour in some adjacent minigrid."""
    _until_nothing_changes(lines, kept, tick, [_with_neighbours(line) for line in lines])


def delete_without_clique(lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None]) -> None:
    """Delete every vertex without a clique in its row or its column of minigrids, where these can be listed."""
    _until_nothing_changes(lines, kept, tick, [_in_cliques(line, kept, tick) for line in lines])


# From the sets of digits in use, of each minigrid of a line, to those of them that are supported.
Support = Callable[[list[Bools]], list[Bools]]


def _until_nothing_changes(
    lines: tuple[Line, ...], kept: Kept, tick: Callable[[], None], support: list[Support]
) -> None:
    waiting = set(range(len(lines)))
    while waiting:
        tick()
        line = lines[at := waiting.pop()]
        supported = support[at]([count > 0 for count in line.counts(kept)])
        for number, of, sets in zip(line.numbers, line.of, supported, strict=True):
            if (gone := kept[number] & ~sets[of]).any():
                kept[number] &= ~gone
                waiting |= {other for other, crossing in enumerate(lines) if number in crossing.numbers}


def _with_neighbours(line: Line) -> Support:
    def supported(used: list[Bools]) -> list[Bools]:
        found = [sets.copy() for sets in used]
        for (one, other), match in line.match.items():
            found[one] &= match[:, used[other]].any(axis=1)
        return found

    return supported


def _in_cliques(line: Line, kept: Kept, tick: Callable[[], None]) -> Support:
    """List the cliques of the line, one set of digits of each minigrid; where they are too many, all is supported."""
    used = [np.flatnonzero(count) for count in line.counts(kept)]
    slots = np.arange(line.masks[0].shape[1])
    some = [Level(masks[sets], slots) for masks, sets in zip(line.masks, used, strict=True)]
    listed, n_cliques = [np.empty((0, len(used)), np.int32)], 0
    for batch in gtsps.matching(some, tick):
        listed.append(batch)
        n_cliques += len(batch)
        if n_cliques > _MAX_CLIQUES:
            return lambda used: used
    cliques = np.column_stack([sets[which] for sets, which in zip(used, np.concatenate(listed).T, strict=True)])

    def supported(used: list[Bools]) -> list[Bools]:
        whole = np.logical_and.reduce([sets[which] for sets, which in zip(used, cliques.T, strict=True)])
        found = [np.zeros(len(sets), bool) for sets in used]
        for sets, which in zip(found, cliques[whole].T, strict=True):
            sets[which] = True
        return found

    return supported
