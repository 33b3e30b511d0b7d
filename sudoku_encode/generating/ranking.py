"""Number the solutions of a puzzle (see `frontier.ranks`), and draw from them uniformly with a seed.

The numbering comes from a list, from tables, or from counts of sub-puzzles.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
from numpy.random import PCG64

from sudoku_encode import frontier, search
from sudoku_encode.errors import TIME_LIMIT, InternalError, StoppedError
from sudoku_encode.frontier.problem import propagated_candidates, separated_values
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.methods import calls, sat_first
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.constraints.lowering import require_units_only
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import of_grid
from sudoku_encode.run.events import MethodChosen, Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search.probes import estimate

# Up to this many solutions are listed.
LISTABLE_SOLUTIONS = 100_000
# How far search goes before it is given up: in calls of its kernel, not in seconds, since the numbering depends on the
# way that is chosen, and a seed should draw the same solutions on any machine.
_SEARCH_CALLS = 100
# How long the solutions of a puzzle may be counted, if there is no other limit.
_COUNT_SECONDS = 60.0
# If `frontier` ends before this share of the cells, and there are about this many solutions, nothing counts them.
_MIN_PASSED, _MOST_COUNTED_SOLUTIONS = 0.4, 1e12
_PROBES = 1000


def by_auto(puzzle: Puzzle, deadline: Deadline) -> tuple[str, RankedSolutions]:
    """Return the name of the way that is chosen, and the solutions by rank.

    Raises:
        StoppedError: by the deadline, or no way can count the solutions.
    """
    board = puzzle.geometry
    # On the plain 9x9 board search lists all that a SAT solver does, so the way is the same once search is loaded.
    turn = sat_first.take_turn(puzzle, deadline) if board.is_classic and board.n_values == 9 else None
    if turn is not None and turn.complete:
        return "listing", _ranked_list(_sorted(puzzle, turn.batches))
    if puzzle.constraints or search.unsupported_reason(board) or kernels.unavailable():
        emit(MethodChosen("listing", "since no other method can be used here"))
        return "listing", by_listing(puzzle, deadline)
    if (grids := _list_soon(puzzle, deadline)) is not None:
        return "listing", _ranked_list(grids)
    try:
        emit(MethodChosen("frontier"))
        return "frontier", by_frontier(puzzle, deadline)
    except OutOfTableMemory as reason:
        emit(MethodChosen("parts", f"since frontier gave up: {reason}"))
        guess = estimate(puzzle, _PROBES, 0, deadline)
        if reason.passed < _MIN_PASSED and guess.solutions > _MOST_COUNTED_SOLUTIONS:
            raise StoppedError(
                f"random probes estimate about {guess.text} solutions, and no method here can count so many"
            ) from reason
    return "parts", by_parts(puzzle, deadline)


def by_listing(puzzle: Puzzle, deadline: Deadline) -> RankedSolutions:
    """List all solutions.

    Raises:
        StoppedError: there are too many, or the deadline was reached.
    """
    return _ranked_list(_list_all(puzzle, replace(deadline, solutions=LISTABLE_SOLUTIONS + 1)))


def by_frontier(puzzle: Puzzle, deadline: Deadline) -> RankedSolutions:
    """Build tables; see `frontier.ranked`.

    Raises:
        OutOfTableMemory: they would take too much memory.
    """
    max_bytes = frontier.MAX_BYTES if deadline.memory is None else deadline.memory * 3 // 4
    ranked = frontier.ranked(require_units_only(puzzle, "method frontier"), deadline, max_bytes)
    if not ranked.every and not _has_a_solution(puzzle, deadline):
        return _ranked_list(np.zeros((0, puzzle.geometry.n_cells), np.uint8))
    return ranked


def by_parts(puzzle: Puzzle, deadline: Deadline) -> RankedSolutions:
    """Count the solutions; one of a rank is located by counts of smaller and smaller sub-puzzles.

    Raises:
        StoppedError: by the deadline, or they could not be counted.
    """
    within = deadline if deadline.ends is not None else deadline.within(_COUNT_SECONDS)
    try:
        total = _exact_count(puzzle, within)
    except StoppedError as reason:
        if deadline.ends is None and reason.reason == TIME_LIMIT:
            raise StoppedError(f"the solutions were not counted within {_COUNT_SECONDS:.0f} seconds") from reason
        raise
    return RankedSolutions(total, _SubPuzzles(puzzle, total, deadline).solutions_of_ranks, "counts of sub-puzzles")


def _has_a_solution(puzzle: Puzzle, deadline: Deadline) -> bool:
    return any(len(batch) for batch in calls.solutions(puzzle, AUTO, replace(deadline, solutions=2)))


def _list_soon(puzzle: Puzzle, deadline: Deadline) -> Grids | None:
    """Return all solutions, or None if there are many, or they take long to find."""
    calls_left = _SEARCH_CALLS

    def tick() -> None:
        nonlocal calls_left
        deadline()
        calls_left -= 1
        if not calls_left:
            raise StoppedError

    batches, size = list[Grids](), 0
    try:
        for batch in of_grid(puzzle, search.solutions(puzzle, tick)):
            size += len(batch)
            if size > LISTABLE_SOLUTIONS:
                return None
            batches.append(batch)
    except StoppedError:
        deadline()
        return None
    return _sorted(puzzle, batches)


def _list_all(puzzle: Puzzle, deadline: Deadline) -> Grids:
    return _sorted(puzzle, calls.solutions(puzzle, AUTO, deadline))


def _sorted(puzzle: Puzzle, batches: Iterable[Grids]) -> Grids:
    """Return solutions in an order that does not depend on the method that found them."""
    grids = np.ascontiguousarray(np.concatenate([np.zeros((0, puzzle.geometry.n_cells), np.uint8), *batches]))
    rows = grids.view(f"V{grids.shape[1]}").ravel()
    order: Grids = grids[np.argsort(rows, kind="stable")]
    return order


def _ranked_list(grids: Grids) -> RankedSolutions:
    return RankedSolutions(len(grids), lambda ranks, tick: grids[np.array(ranks, np.intp)], "a list of all solutions")


def _exact_count(puzzle: Puzzle, deadline: Deadline) -> int:
    count = calls.count(puzzle, AUTO, replace(deadline, solutions=None))
    if not count.complete:
        raise StoppedError(count.stopped)
    return count.value


class _SubPuzzles:
    """The solutions of a puzzle by the counts of its sub-puzzles, which are cached."""

    def __init__(self, puzzle: Puzzle, total: int, deadline: Deadline) -> None:
        self.deadline, self.counts = deadline, {puzzle: total}
        self.puzzle = puzzle

    def solutions_of_ranks(self, ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        """Return the solutions of some ranks."""
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        grids = np.zeros((len(ranks), self.puzzle.geometry.n_cells), np.uint8)
        grids[order] = self._within(self.puzzle, [ranks[number] for number in order], tick)
        return grids

    def _within(self, puzzle: Puzzle, ranks: list[int], tick: Callable[[], None]) -> Grids:
        """Return the solutions of some ranks, ascending, in a sub-puzzle."""
        tick()
        total = self.counts[puzzle]
        if (ranked := self._ranked(puzzle, total)) is not None:
            if ranked.total != total:
                raise InternalError(f"{total} solutions by count, but {ranked.total} by rank")
            return ranked.solutions_at(ranks, tick)
        batches, before, start = [], 0, 0
        for sub_puzzle, size in self._split(puzzle, total):
            end = start
            while end < len(ranks) and ranks[end] < before + size:
                end += 1
            if end > start:
                batches.append(self._within(sub_puzzle, [rank - before for rank in ranks[start:end]], tick))
            start, before = end, before + size
        return np.concatenate(batches)

    def _ranked(self, puzzle: Puzzle, total: int) -> RankedSolutions | None:
        """Return the solutions of a sub-puzzle by rank, if that needs no further split; else None."""
        if total <= LISTABLE_SOLUTIONS:
            return _ranked_list(_list_all(puzzle, replace(self.deadline, solutions=None)))
        try:
            ranked = by_frontier(puzzle, self.deadline)
        except OutOfTableMemory:
            return None
        return ranked if ranked.every else None

    def _split(self, puzzle: Puzzle, total: int) -> list[tuple[Puzzle, int]]:
        """Return a sub-puzzle for each value of a cell with few candidates, with its number of solutions."""
        candidates = propagated_candidates(puzzle)
        if candidates is None:
            raise InternalError("there are solutions, but singles find a contradiction")
        cell = fewest_candidates(candidates)
        # Values that can be exchanged have the same number of solutions.
        first = np.argmax(~separated_values(puzzle.candidates), axis=1)
        if puzzle.constraints:
            first = np.arange(len(first))
        sizes: dict[int, int] = {}
        sub_puzzles = []
        for value in np.flatnonzero(candidates[cell]).tolist():
            givens = puzzle.givens.copy()
            givens[cell] = value + 1
            sub_puzzle, kind = replace(puzzle, givens=givens), int(first[value])
            if kind not in sizes:
                sizes[kind] = (
                    self.counts[sub_puzzle] if sub_puzzle in self.counts else _exact_count(sub_puzzle, self.deadline)
                )
            self.counts[sub_puzzle] = sizes[kind]
            emit(Progress(f"{len(self.counts):,} parts are counted ..."))
            sub_puzzles.append((sub_puzzle, sizes[kind]))
        if sum(size for _, size in sub_puzzles) != total:
            raise InternalError(f"the sub-puzzles of a puzzle do not have its {total} solutions in total")
        return sub_puzzles


def fewest_candidates(candidates: Candidates) -> int:
    """Return the first of the open cells with the fewest candidates."""
    sizes = candidates.sum(axis=1)
    return int(np.argmin(np.where(sizes > 1, sizes, candidates.shape[1] + 1)))


RANKINGS: dict[str, Callable[[Puzzle, Deadline], tuple[str, RankedSolutions]]] = {
    "auto": by_auto,
    **{
        name: partial(lambda way, name, puzzle, deadline: (name, way(puzzle, deadline)), way, name)
        for name, way in (("listing", by_listing), ("frontier", by_frontier), ("parts", by_parts))
    },
}


# Drawing.

_WORD_BITS = 64
# How many ranks are looked up together: if not every rank has a solution, and if every one has (which takes a pass over
# all tables); and how many words are drawn together.
_RANKS_AT_A_TIME, _MOST_RANKS, _WORDS_AT_A_TIME = 4096, 1 << 18, 1024


def draw_solutions(ranked: RankedSolutions, many: int, seed: int | list[int], deadline: Deadline) -> Grids:
    """Return solutions of random ranks, uint8 (many, n_cells)."""
    numbers, batches, size = ranks(ranked.total, seed), list[Grids](), 0
    while size < many:
        n_ranks = min(many - size, _MOST_RANKS) if ranked.every else _RANKS_AT_A_TIME
        batches.append(ranked.solutions_at(list(islice(numbers, n_ranks)), deadline))
        size += len(batches[-1])
        # A solution may be drawn again, so this number is not a lower bound on the count.
        emit(Progress(f"{size:,} solutions so far ..."))
    return np.concatenate(batches)[:many]


def ranks(total: int, seed: int | list[int]) -> Iterator[int]:
    """Yield integers from 0 to `total` - 1 without end, all equally likely.

    As many random bits are taken as the largest has, and larger numbers are rejected, so that nothing is rounded. The
    words are those of PCG64, which are the same on every machine and with every version of numpy.
    """
    bits = (total - 1).bit_length()
    n_words = max(1, -(-bits // _WORD_BITS))
    random, shift = PCG64(seed), n_words * _WORD_BITS - bits
    while True:
        data = random.random_raw(_WORDS_AT_A_TIME * n_words).astype("<u8").tobytes()
        for start in range(0, len(data), 8 * n_words):
            number = int.from_bytes(data[start : start + 8 * n_words], "little") >> shift
            if number < total:
                yield number
