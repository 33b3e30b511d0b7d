"""Minigrids, their valid permutations, and the search for permutations that match: the base of all versions of GTSPS.

A minigrid is a box, M1, M2, ... in reading order. A valid permutation fills its blanks, in scan order, with its missing
digits so that no digit meets an equal given in the rest of its row or column. Two minigrids are adjacent when they lie
in the same row or column of minigrids; two of their permutations match when no row (column) of cells has a digit twice.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), chapter 4, sections 4.1 and 4.6.
Differs: a permutation is held as the set of digits of each of its rows and columns, as bits, so that to match is to
    have no bit in common. Matching permutations are sought for many branches at a time, depth first, in bounded memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.papers.jana2021 import candidates
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s, Intps, Uint64s
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.rules import SQUARE_RULES
from sudoku_encode.puzzles.step import Step

# How many permutations are listed in all minigrids together.
MAX_PERMUTATIONS = 2**22
# Permutations of fewer blanks are listed as fast as counted; 20! is the last number of them that int64 holds.
_COUNTED_BLANKS = range(10, 21)
# How many pairs of a branch and a choice are compared between two calls of `tick`.
_PAIRS_PER_CALL = 2**21


@dataclass(frozen=True, eq=False)
class Minigrid:
    """A box and its valid permutations."""

    number: int  # its place among the minigrids, in reading order, from 0
    cells: Intps  # (n,): its cells in scan order
    blank: Bools  # (n,): which of them are blanks
    permutations: Grids  # (m, n): the values of all its cells, ascending
    rows: Uint64s  # (m, words): a bit for each of its rows and digits, set where the row holds the digit
    columns: Uint64s  # (m, words): the same for its columns

    @property
    def label(self) -> str:
        """Its name in the paper: M1, M2, ..."""
        return f"M{self.number + 1}"

    @property
    def blank_cells(self) -> tuple[int, ...]:
        """Its blanks, in scan order."""
        return tuple(self.cells[self.blank].tolist())

    def texts(self, most: int | None = None) -> list[str]:
        """Return the first permutations, or all, as the paper writes them: the digits of the blanks."""
        gap = " " if self.permutations.shape[1] > 9 else ""
        return [gap.join(map(str, row)) for row in self.permutations[:most, self.blank].tolist()]


@dataclass(frozen=True, eq=False)
class Level:
    """The choices at one level of a search."""

    masks: Uint64s  # (m, words): the bits that each choice sets
    slots: Intps  # (words,): the words of a branch in which it sets them


@dataclass(frozen=True)
class Tally:
    """Counts of a search."""

    matched: list[int]  # for each level, how many branches reached it
    n_dead_ends: list[int]  # for each level, how many branches have no match there

    @staticmethod
    def of(n_levels: int) -> "Tally":
        """Return a tally of zeros."""
        return Tally([0] * n_levels, [0] * n_levels)


def counted_branches(n_branches: int, n_dead_ends: int) -> str:
    """Return the numbers of branches and of dead ends in words."""
    branches = f"{n_branches:,} {'branch' if n_branches == 1 else 'branches'}"
    return f"{branches}, {n_dead_ends:,} dead {plural('end', n_dead_ends)}"


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not a square with the rules row, column and box alone, or an empty string."""
    return (
        ""
        if board.box and board.rule_names == SQUARE_RULES
        else "it supports only squares with just the rules row, column and box"
    )


def layout(board: Geometry) -> tuple[int, int]:
    """Return how many rows and columns of minigrids there are."""
    assert board.box
    return board.n_values // board.box[0], board.n_values // board.box[1]


def allowed_digits(puzzle: Puzzle) -> Candidates:
    """Return the digits that the clues leave to each blank, bool (n_cells, n_values); none to other cells."""
    allowed = np.zeros((puzzle.geometry.n_cells, puzzle.geometry.n_values), bool)
    allowed[puzzle.blanks] = candidates(puzzle)
    return allowed


def minigrids(puzzle: Puzzle, tick: Callable[[], None], most: int = MAX_PERMUTATIONS) -> tuple[Minigrid, ...]:
    """List the valid permutations of every minigrid from the clues alone.

    Raises:
        StoppedError: there are more than `most` in all; the message counts those of the minigrid that exceeds it.
    """
    board = puzzle.geometry
    assert board.box
    allowed = allowed_digits(puzzle)
    listed: list[Minigrid] = []
    for number, cells in enumerate(board.rules[2].units.astype(np.intp)):
        blank = puzzle.givens[cells] == 0
        room = most - sum(len(one.permutations) for one in listed)
        filled = permutations(allowed[cells[blank]], tick, room, f"M{number + 1}")
        values = np.tile(puzzle.givens[cells], (len(filled), 1))
        values[:, blank] = filled
        in_row, in_column = np.divmod(np.arange(board.n_values), board.box[1])
        tick()
        rows = _masks(values, in_row)
        tick()
        listed.append(Minigrid(number, cells, blank, values, rows, _masks(values, in_column)))
    return tuple(listed)


def clues_step(puzzle: Puzzle) -> Step:
    """Return how many clues each minigrid has: step 1 of the thesis' section 4.3."""
    numbers = np.count_nonzero(puzzle.givens[puzzle.geometry.rules[2].units], axis=1).tolist()
    listed = " ".join(f"M{at}={number}" for at, number in enumerate(numbers, start=1))
    return Step(f"clues in each minigrid: {listed}", "note", "clues", data={"clues": numbers})


def no_permutation_step(puzzle: Puzzle) -> Step | None:
    """Return the last step of an explanation if a minigrid has no valid permutation; None if each has one.

    No permutation is listed: by Hall's theorem a minigrid has none exactly if some k of its blanks have fewer than k
    digits together.
    """
    allowed = allowed_digits(puzzle)
    for number, cells in enumerate(puzzle.geometry.rules[2].units.tolist(), start=1):
        blanks = [cell for cell in cells if not puzzle.givens[cell]]
        digits = {cell: (np.flatnonzero(allowed[cell]) + 1).tolist() for cell in blanks}
        if few := _too_few(digits):
            digit_texts = " ".join(map(str, sorted({digit for cell in few for digit in digits[cell]})))
            names = " ".join(puzzle.geometry.cell_name(cell) for cell in few)
            why = f"{names} can hold {f'{digit_texts} only' if digit_texts else 'no digit'}"
            text = f"no solution: M{number} has no valid permutation: {why}"
            return Step(text, "end", "valid permutations", few, data=NONE)
    return None


def _too_few(digits: dict[int, list[int]]) -> tuple[int, ...]:
    """Return k cells that have fewer than k digits together, or () if each cell can have a digit of its own."""
    holder: dict[int, int] = {}
    for start in digits:
        # Augmenting paths: each digit reached so far, with the cell from which it was reached.
        reached_from: dict[int, int] = {}
        waiting, free = [start], 0
        for cell in waiting:
            for digit in digits[cell]:
                if digit not in reached_from:
                    reached_from[digit] = cell
                    if digit in holder:
                        waiting.append(holder[digit])
                    else:
                        free = free or digit
        if not free:
            return tuple(sorted(waiting))
        while free:
            cell = reached_from[free]
            given_up = next((digit for digit, other in holder.items() if other == cell), 0)
            holder[free] = cell
            free = given_up
    return ()


def permutations(allowed: Candidates, tick: Callable[[], None], room: int = MAX_PERMUTATIONS, label: str = "") -> Grids:
    """List the ways to give each blank one of its candidates, all different, ascending; at most `room`.

    Raises:
        StoppedError: there are more; the message names the minigrid, and their number unless there are over 20 blanks.
    """
    n_blanks = len(allowed)
    # Only digits that a blank may hold have a bit; a board on which more than 63 have one takes too long anyway.
    digits = np.flatnonzero(allowed.any(axis=0))
    if len(digits) < n_blanks or len(digits) > 63:
        if len(digits) > 63 and allowed.any(axis=1).all():
            raise StoppedError(f"too many permutations: minigrid {label} has {n_blanks} blanks")
        return np.empty((0, n_blanks), np.uint8)
    counted = n_blanks in _COUNTED_BLANKS and len(digits) == n_blanks
    ways = completions(allowed[:, digits], tick) if counted else None
    if ways is not None and ways[0] > room:
        raise StoppedError(f"too many permutations: minigrid {label} has {ways[0]}")
    bits = np.int64(1) << np.arange(len(digits))
    listed, taken = np.zeros((1, 0), np.uint8), np.zeros(1, np.int64)
    for row in allowed[:, digits]:
        tick()
        own = np.flatnonzero(row)
        fits = (taken[:, None] & bits[own]) == 0
        if ways is not None:
            fits &= ways[taken[:, None] | bits[own]] > 0
        parents, choices = np.nonzero(fits)
        # Above 20 blanks, branches are counted, not permutations: a branch need not lead to a permutation.
        if n_blanks > _COUNTED_BLANKS[-1] and len(parents) > room:
            many = f"{n_blanks} blanks, and a tree of over {len(parents)} branches"
            raise StoppedError(f"too many permutations: minigrid {label} has {many}")
        listed = np.column_stack([listed[parents], (digits[own[choices]] + 1).astype(np.uint8)])
        taken = taken[parents] | bits[own[choices]]
    if len(listed) > room:
        raise StoppedError(f"too many permutations: minigrid {label} has {len(listed)}")
    return listed


def completions(allowed: Candidates, tick: Callable[[], None]) -> Int64s:
    """Count, for each set of digits in the first blanks, the ways to fill the other blanks: a permanent.

    `allowed` is bool (blanks, blanks), for 20 at most. The result is int64 (2 ** blanks,); its first entry is the
    number of permutations.
    """
    n = len(allowed)
    sets = np.arange(2**n, dtype=np.int64)
    size = np.bitwise_count(sets)
    ways = np.zeros(2**n, np.int64)
    ways[-1] = 1
    for blank in range(n - 1, -1, -1):
        tick()
        level = sets[size == blank]
        for digit in np.flatnonzero(allowed[blank]):
            free = level[level >> digit & 1 == 0]
            ways[free] += ways[free | 1 << digit]
    return ways


def _masks(values: Grids, lines: Intps) -> Uint64s:
    """Set the bit of (line, digit) for the line and the value of each cell of a minigrid."""
    n = values.shape[1]
    word, bit = np.divmod(lines[:, None] * n + np.arange(n), 64)
    masks = np.zeros((len(values), int(word.max()) + 1), np.uint64)
    cell, digit = np.indices(word.shape)
    table = np.zeros((n, n, masks.shape[1]), np.uint64)
    table[cell, digit, word] = np.uint64(1) << bit.astype(np.uint64)
    for place in range(n):
        masks |= table[place, values[:, place] - 1]
    return masks


def levels(ordered: Sequence[Minigrid], shape: tuple[int, int]) -> list[Level]:
    """Return the levels of a search over minigrids in this order; `shape` is rows and columns of minigrids."""
    search_levels = []
    for minigrid in ordered:
        down, across = divmod(minigrid.number, shape[1])
        per_row, per_column = minigrid.rows.shape[1], minigrid.columns.shape[1]
        in_rows = down * per_row + np.arange(per_row)
        in_columns = shape[0] * per_row + across * per_column + np.arange(per_column)
        search_levels.append(Level(np.hstack([minigrid.rows, minigrid.columns]), np.concatenate([in_rows, in_columns])))
    return search_levels


def matching(search_levels: Sequence[Level], tick: Callable[[], None], tally: Tally | None = None) -> Iterator[Int32s]:
    """Yield, in batches, every way to make a choice at each level so that no two choices have a bit in common.

    A slot holds the same kind of bits at all levels. A batch is int32 (m, levels): the choice at each level,
    ascending. Branches and dead ends are counted in `tally`.
    """
    n_slots = 1 + max((int(level.slots.max(initial=0)) for level in search_levels), default=0)
    pairs = _PAIRS_PER_CALL // max(8, len(search_levels))
    waiting = [(np.zeros((1, 0), np.int32), np.zeros((1, n_slots), np.uint64))]
    while waiting:
        tick()
        chosen, taken = waiting.pop()
        depth = chosen.shape[1]
        if depth == len(search_levels):
            yield chosen
            continue
        room = max(1, pairs // max(1, len(search_levels[depth].masks)))
        if len(chosen) > room:
            waiting.append((chosen[room:], taken[room:]))
            chosen, taken = chosen[:room], taken[:room]
        parents, items = _disjoint(taken[:, search_levels[depth].slots], search_levels[depth].masks)
        if tally:
            tally.matched[depth] += len(parents)
            tally.n_dead_ends[depth] += len(chosen) - len(np.unique(parents))
        if len(parents):
            taken = taken[parents]
            taken[:, search_levels[depth].slots] |= search_levels[depth].masks[items]
            waiting.append((np.column_stack([chosen[parents], items.astype(np.int32)]), taken))


def _disjoint(masks: Uint64s, others: Uint64s) -> tuple[Intps, Intps]:
    """Return the pairs (row of `masks`, row of `others`) that have no bit in common."""
    # Twice as fast as `nonzero` on a matrix.
    pairs = np.flatnonzero((masks[:, :1] & others[:, 0]) == 0)
    first = pairs // max(1, len(others))
    second = pairs - first * len(others)
    for word in range(1, masks.shape[1]):
        apart = (masks[first, word] & others[second, word]) == 0
        first, second = first[apart], second[apart]
    return first, second


def grids(ordered: Sequence[Minigrid], chosen: Int32s) -> Grids:
    """Return the boards, uint8 (m, n_cells), on which each minigrid has its chosen permutation."""
    filled = np.empty((len(chosen), sum(len(minigrid.cells) for minigrid in ordered)), np.uint8)
    for minigrid, which in zip(ordered, chosen.T, strict=True):
        filled[:, minigrid.cells] = minigrid.permutations[which]
    return filled
