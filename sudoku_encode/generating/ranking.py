"""The solutions of a puzzle by rank, see `frontier.ranks`: from a list, from tables, or by counts of sub-puzzles."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sudoku_encode import frontier, search
from sudoku_encode.constraints.lowering import plain
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.frontier.problem import differing, propagated
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.methods import calls
from sudoku_encode.methods.table import AUTO
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.events import MethodChosen, Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search.probes import estimate

# Up to this many solutions are listed.
LISTABLE_SOLUTIONS = 100_000
# How far search goes before it is given up: in calls of its kernel, not in seconds, since by the way that is taken the
# same rank may be another solution, and a seed should draw the same ones on any machine.
_SEARCH_CALLS = 100
# How long the solutions of a puzzle may be counted, where there is no other limit.
_COUNT_SECONDS = 60.0
# Where `frontier` ends before this part of the cells, and there are about this many solutions, nothing counts them.
_MIN_PASSED, _MOST_COUNTED_SOLUTIONS = 0.4, 1e12
_PROBES = 1000


def by_auto(puzzle: Puzzle, deadline: Deadline) -> tuple[str, Ranked]:
    """Return the solutions by rank, and which way that is.

    Raises:
        StoppedError: by the deadline, or no way is known; then it says so.
    """
    board = puzzle.geometry
    if puzzle.constraints or search.unsupported_reason(board) or kernels.unavailable():
        emit(MethodChosen("listing", "since nothing else can be used here"))
        return "listing", by_listing(puzzle, deadline)
    if (grids := _listed_soon(puzzle, deadline)) is not None:
        return "listing", _of_list(grids)
    try:
        emit(MethodChosen("frontier"))
        return "frontier", by_frontier(puzzle, deadline)
    except OutOfTableMemory as reason:
        emit(MethodChosen("parts", f"since frontier gave up: {reason}"))
        guess = estimate(puzzle, _PROBES, 0, deadline).solutions
        if reason.passed < _MIN_PASSED and guess > _MOST_COUNTED_SOLUTIONS:
            raise StoppedError(
                f"there are about {guess:.3g} solutions by random probes, and no method here counts so many"
            ) from reason
    return "parts", by_parts(puzzle, deadline)


def by_listing(puzzle: Puzzle, deadline: Deadline) -> Ranked:
    """List all solutions.

    Raises:
        StoppedError: there are too many, or the deadline was reached.
    """
    return _of_list(_listed(puzzle, replace(deadline, solutions=LISTABLE_SOLUTIONS + 1)))


def by_frontier(puzzle: Puzzle, deadline: Deadline) -> Ranked:
    """Make tables, see `frontier.ranked`.

    Raises:
        OutOfTableMemory: they would take too much memory.
        StoppedError: by the deadline.
    """
    max_bytes = frontier.MAX_BYTES if deadline.memory is None else deadline.memory * 3 // 4
    found = frontier.ranked(plain(puzzle, "method frontier"), deadline, max_bytes)
    if not found.every and not _has_a_solution(puzzle, deadline):
        return _of_list(np.zeros((0, puzzle.geometry.n_cells), np.uint8))
    return found


def by_parts(puzzle: Puzzle, deadline: Deadline) -> Ranked:
    """Count the solutions; those of a rank are found by counts of smaller and smaller sub-puzzles.

    Raises:
        StoppedError: by the deadline, or they could not be counted.
    """
    within = deadline if deadline.ends is not None else deadline.within(_COUNT_SECONDS)
    try:
        total = _counted(puzzle, within)
    except StoppedError as reason:
        if deadline.ends is None and str(reason) == "time limit":
            raise StoppedError(f"the solutions were not counted within {_COUNT_SECONDS:.0f} seconds") from reason
        raise
    return Ranked(total, _Parts(puzzle, total, deadline).at, "counts of sub-puzzles")


def _has_a_solution(puzzle: Puzzle, deadline: Deadline) -> bool:
    return any(len(batch) for batch in calls.solutions(puzzle, AUTO, replace(deadline, solutions=2)))


def _listed_soon(puzzle: Puzzle, deadline: Deadline) -> Grids | None:
    """Return all solutions, or None where there are many, or they take long to find."""
    calls_left = _SEARCH_CALLS

    def tick() -> None:
        nonlocal calls_left
        deadline()
        calls_left -= 1
        if not calls_left:
            raise StoppedError

    found, size = list[Grids](), 0
    try:
        for batch in search.solutions(puzzle, tick):
            size += len(batch)
            if size > LISTABLE_SOLUTIONS:
                return None
            found.append(batch)
    except StoppedError:
        deadline()
        return None
    return _sorted(puzzle, found)


def _listed(puzzle: Puzzle, deadline: Deadline) -> Grids:
    return _sorted(puzzle, calls.solutions(puzzle, AUTO, deadline))


def _sorted(puzzle: Puzzle, batches: Iterable[Grids]) -> Grids:
    """Return solutions in an order that does not depend on who found them."""
    grids = np.ascontiguousarray(np.concatenate([np.zeros((0, puzzle.geometry.n_cells), np.uint8), *batches]))
    rows = grids.view(f"V{grids.shape[1]}").ravel()
    order: Grids = grids[np.argsort(rows, kind="stable")]
    return order


def _of_list(grids: Grids) -> Ranked:
    return Ranked(len(grids), lambda ranks, tick: grids[np.array(ranks, np.intp)], "a list of all solutions")


def _counted(puzzle: Puzzle, deadline: Deadline) -> int:
    counted = calls.count(puzzle, AUTO, replace(deadline, solutions=None))
    if not counted.complete:
        raise StoppedError(counted.stopped)
    return counted.value


class _Parts:
    """The solutions of a puzzle by the counts of its parts; what was counted is kept.

    Args:
        puzzle: the puzzle.
        total: how many solutions it has.
        deadline: when to stop.
    """

    def __init__(self, puzzle: Puzzle, total: int, deadline: Deadline) -> None:
        self.deadline, self.counts = deadline, {puzzle: total}
        self.puzzle = puzzle

    def at(self, ranks: Sequence[int], tick: Callable[[], None]) -> Grids:
        """Return the solutions of some ranks."""
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        grids = np.zeros((len(ranks), self.puzzle.geometry.n_cells), np.uint8)
        grids[order] = self._within(self.puzzle, [ranks[number] for number in order], tick)
        return grids

    def _within(self, puzzle: Puzzle, ranks: list[int], tick: Callable[[], None]) -> Grids:
        """Return the solutions of some ranks, ascending, in a part."""
        tick()
        total = self.counts[puzzle]
        if (known := self._ranked(puzzle, total)) is not None:
            if known.total != total:
                raise InternalError(f"{total} solutions were counted, and there are {known.total} by rank")
            return known.at(ranks, tick)
        found, before, at = [], 0, 0
        for part, size in self._split(puzzle, total):
            end = at
            while end < len(ranks) and ranks[end] < before + size:
                end += 1
            if end > at:
                found.append(self._within(part, [rank - before for rank in ranks[at:end]], tick))
            at, before = end, before + size
        return np.concatenate(found)

    def _ranked(self, puzzle: Puzzle, total: int) -> Ranked | None:
        """Return the solutions of a part by rank where they can be had at once."""
        if total <= LISTABLE_SOLUTIONS:
            return _of_list(_listed(puzzle, replace(self.deadline, solutions=None)))
        try:
            found = by_frontier(puzzle, self.deadline)
        except OutOfTableMemory:
            return None
        return found if found.every else None

    def _split(self, puzzle: Puzzle, total: int) -> list[tuple[Puzzle, int]]:
        """Return a puzzle for each value of a cell with few candidates, with its number of solutions.

        Raises:
            InternalError: they do not sum to the total.
        """
        candidates = propagated(puzzle)
        if candidates is None:
            raise InternalError("there are solutions, and singles find a contradiction")
        cell = fewest_candidates(candidates)
        # Of values that nothing tells apart each has as many solutions.
        first = np.argmax(~differing(puzzle.candidates), axis=1)
        if puzzle.constraints:
            first = np.arange(len(first))
        sizes: dict[int, int] = {}
        found = []
        for value in np.flatnonzero(candidates[cell]).tolist():
            givens = puzzle.givens.copy()
            givens[cell] = value + 1
            part, kind = replace(puzzle, givens=givens), int(first[value])
            if kind not in sizes:
                sizes[kind] = self.counts[part] if part in self.counts else _counted(part, self.deadline)
            self.counts[part] = sizes[kind]
            emit(Progress(f"{len(self.counts):,} parts are counted ..."))
            found.append((part, sizes[kind]))
        if sum(size for _, size in found) != total:
            raise InternalError(f"the parts of a puzzle do not have its {total} solutions between them")
        return found


def fewest_candidates(candidates: Candidates) -> int:
    """Return the first of the open cells with the fewest candidates."""
    sizes = candidates.sum(axis=1)
    return int(np.argmin(np.where(sizes > 1, sizes, candidates.shape[1] + 1)))


RANKINGS: dict[str, Callable[[Puzzle, Deadline], tuple[str, Ranked]]] = {
    "auto": by_auto,
    **{
        name: partial(lambda way, name, puzzle, deadline: (name, way(puzzle, deadline)), way, name)
        for name, way in (("listing", by_listing), ("frontier", by_frontier), ("parts", by_parts))
    },
}
