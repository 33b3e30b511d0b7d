"""Count solutions without listing them: a state remembers only what the cells passed so far forbid to later cells.

STRATEGIES lists the ways to count, chosen by board and puzzle: on any board, a search that counts each connected part
of the open cells once (`component_cache`), or a transfer matrix over the cells (`transfer_matrix`); groups of fillings
of three bands that are joined (`band_join`, squares with three rows or columns of boxes); on the 9x9, tables of the
values that each band puts into the columns (`band_tables`), or where there are few givens, classes of a band
(`few_givens`); with a few cells in extra units, the fillings of these (`listed_cells`); for squares that share boxes,
messages from square to square (`square_trees`); for Latin squares with lines without givens, the graphs that the other
lines leave (`latin`); and for other empty boards, classes up to symmetry (`empty_two_row_boxes`). Squares inside a
board that are independent are counted by themselves (`parts`). Counts are exact: they are added in as many machine
words as they need.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import plural
from sudoku_encode.frontier import (
    band_join,
    band_ranks,
    band_tables,
    box_fillings,
    cell_ranks,
    component_cache,
    empty_9x9,
    empty_two_row_boxes,
    few_givens,
    latin,
    listed_cells,
    parts,
    square_trees,
    transfer_matrix,
)
from sudoku_encode.frontier.problem import key_of, propagated_candidates, separated_values, singles
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.dead_ends import NONE, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, require_plain
from sudoku_encode.puzzles.step import Step

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("ranks", "transfer_matrix")

__all__ = ["MAX_BYTES", "STRATEGIES", "Strategy", "count", "explain", "plan", "ranked", "shares", "unsupported_reason"]

# How many bytes the tables may take. The rest of the process takes about 200 MB more.
MAX_BYTES = 2 * 10**9
# A puzzle that needs more memory is counted in slices, at most this number of them: each takes a while.
MAX_SLICES = 16
# The number of states peaks when about half of the cells are passed. If the memory ends long before, slices do not
# help.
MIN_PASSED = 0.4
# Boards below this side are counted cell by cell: they are small, and joining bands has a cost of its own.
MIN_BAND_JOIN_SIDE = 9

_CONTRADICTION = "singles find a contradiction"


@dataclass(frozen=True)
class Strategy:
    """A way to count the solutions of a puzzle after singles."""

    # Whether it is for this puzzle and these candidates (those after singles).
    fits: Callable[[Puzzle, Candidates], bool]
    describe: Callable[[Puzzle, Candidates], str]  # returns a text for people about what it does with them
    # Yields a line for each step, and returns the number of solutions. It takes puzzle, candidates, `tick` and
    # `max_bytes`, see `count`. Where it raises OutOfTableMemory, the next strategy that fits is taken.
    count: Callable[[Puzzle, Candidates, Callable[[], None], int], Generator[str, None, int]]


class Shares(NamedTuple):
    """How many solutions have each candidate."""

    shares: NDArray[Any]  # (n_cells, n_values), Python integers: how many solutions have each value in each cell
    total: int  # the number of solutions; the shares of each cell sum to it


def unsupported_reason(board: Geometry) -> str:
    """Return why a board does not fit bit masks, or an empty string."""
    return "" if board.n_values <= 64 else "it supports at most 64 values"


def _ignore_line(line: str) -> None:
    pass


def count(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, watch: Callable[[str], None] = _ignore_line
) -> int:
    """Return the number of solutions of a puzzle on a supported board; `watch` is called with a line about each step.

    Raises:
        StoppedError: by `tick`; or the tables would take more than `max_bytes`: its message starts with `memory limit`.
    """
    require_plain(puzzle)
    lines = _count_in_slices(puzzle, tick, max_bytes)
    while True:
        try:
            watch(next(lines))
        except StopIteration as end:
            return int(end.value)


def shares(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES, watch: Callable[[str], None] = _ignore_line
) -> Shares:
    """Return how many solutions have each candidate, and how many there are, on a supported board.

    On the 9x9 this is done by tables of bands, else by a transfer matrix over the cells, in one pass forwards and one
    backwards. On an empty board every value has the same share of a cell. `watch` is called with a line that names the
    strategy.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`.
    """
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return Shares(np.zeros(puzzle.candidates.shape, object), 0)
    n = puzzle.geometry.n_values
    if not separated_values(puzzle.candidates).any():
        watch("all values are interchangeable: each has the same share")
        total = count(puzzle, tick, max_bytes, watch)
        return Shares(np.full(candidates.shape, total // n, object), total)
    if box_fillings.fits(puzzle.geometry) and (candidates.sum(axis=1) > 1).any():
        try:
            watch("tables of the values that bands or stacks put into the lines across them, forwards and backwards")
            return Shares(*band_ranks.shares(candidates, tick, max_bytes))
        except OutOfTableMemory as reason:
            watch(f"{reason}; cell by cell instead")
    watch("cell by cell, forwards and backwards")
    return Shares(*cell_ranks.shares(puzzle, candidates, tick, max_bytes))


def ranked(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> RankedSolutions:
    """Return the solutions of a puzzle by rank, on a board of up to 64 values.

    Where not every rank has a solution, there may be no solution at all.

    Raises:
        OutOfTableMemory: the tables would take more than `max_bytes`.
    """
    board = puzzle.geometry
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        nothing = np.zeros((0, board.n_cells), np.uint8)
        return RankedSolutions(0, lambda ranks, tick: nothing, _CONTRADICTION)
    if empty_9x9.fits(board, candidates):
        return empty_9x9.ranked(tick)
    if not box_fillings.fits(board):
        return cell_ranks.ranked(puzzle, candidates, tick, max_bytes)
    only_givens = puzzle.pencilmarks is None
    if only_givens and empty_9x9.has_few_givens(puzzle.givens):
        return empty_9x9.ranked_with_givens(puzzle.givens, tick)
    try:
        return band_ranks.ranked(candidates, tick, max_bytes)
    except OutOfTableMemory:
        if only_givens:
            return empty_9x9.ranked_with_givens(puzzle.givens, tick)
        return cell_ranks.ranked(puzzle, candidates, tick, max_bytes)


def explain(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int = MAX_BYTES) -> Iterator[Step]:
    """Yield the chosen strategy, the number of states or groups after each step, and the number of solutions.

    Raises:
        StoppedError: see `count`.
    """
    candidates, sound = singles(puzzle)
    if not sound:
        why = dead_end(puzzle.geometry, candidates)
        yield Step(_CONTRADICTION, because=why.cells)
        yield Step(f"no solution: {why.text}", "end", because=why.cells, data=NONE)
        return
    require_plain(puzzle)
    lines = _count_in_slices(puzzle, tick, max_bytes)
    while True:
        try:
            yield Step(next(lines))
        except StopIteration as end:
            total = int(end.value)
            break
    text = f"{total:,} solution{'' if total == 1 else 's'}" if total else "no solution: no state remains"
    yield Step(text, "end", data={"solutions": total, "complete": True})


def plan(puzzle: Puzzle) -> str:
    """Return a text about how a puzzle would be counted, without counting."""
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return _CONTRADICTION
    return _strategies(puzzle, candidates)[0].describe(puzzle, candidates)


def _count_in_slices(
    puzzle: Puzzle, tick: Callable[[], None], max_bytes: int, slices: int = 1
) -> Generator[str, None, int]:
    """Yield lines about each step, and return the count: of the whole puzzle, or a sum over the values of a cell."""
    # Slices have no state in common, so each needs less memory than the whole. `slices`: how many slices the original
    # puzzle already has. Raises OutOfTableMemory if MAX_SLICES slices are not enough.
    try:
        return (yield from _count_whole(puzzle, tick, max_bytes))
    except OutOfTableMemory as error:
        if error.passed < MIN_PASSED:
            raise
        reason = error
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    cell = _cell_to_slice(puzzle.geometry, candidates)
    # Interchangeable values have equal numbers of solutions.
    first = np.argmax(~separated_values(puzzle.candidates), axis=1)
    values, sizes = np.unique(first[candidates[cell]], return_counts=True)
    slices *= max(2, len(values))
    if slices > MAX_SLICES:
        raise reason
    yield f"{reason}; so each value of the cell {puzzle.geometry.cell_name(cell)} by itself"
    total = 0
    for value, size in zip(values.tolist(), sizes.tolist(), strict=True):
        givens = puzzle.givens.copy()
        givens[cell] = value + 1
        part = Puzzle.of(puzzle.geometry, givens, puzzle.pencilmarks)
        total += size * (yield from _count_in_slices(part, tick, max_bytes, slices))
    return total


def _cell_to_slice(board: Geometry, candidates: Candidates) -> int:
    """Return the open cell with the fewest candidates; among several, one with the most open peers."""
    sizes = candidates.sum(axis=1)
    n_open_peers = np.array([(sizes[peers] > 1).sum() for peers in board.peers])
    return int(np.lexsort((-n_open_peers, np.where(sizes > 1, sizes, board.n_values + 1)))[0])


def _count_whole(puzzle: Puzzle, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
    """Yield lines about each step, and return the count, by the strategies that fit."""
    tick()
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        yield _CONTRADICTION
        return 0
    yield f"singles leave {_n_open(candidates)} of {len(candidates)} cells open"
    *others, last = _strategies(puzzle, candidates)
    for strategy in others:
        try:
            return (yield from strategy.count(puzzle, candidates, tick, max_bytes))
        except OutOfTableMemory as reason:
            yield f"{reason}; another way instead"
    return (yield from last.count(puzzle, candidates, tick, max_bytes))


def _strategies(puzzle: Puzzle, candidates: Candidates) -> list[Strategy]:
    """Return the strategies that fit, the best first."""
    return [strategy for strategy in STRATEGIES if strategy.fits(puzzle, candidates)]


def _n_open(candidates: Candidates) -> int:
    return int((candidates.sum(axis=1) > 1).sum())


def _one_solution(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Return 1 for a puzzle that singles have solved."""
    yield from ()
    return 1


def _band_kind(board: Geometry, candidates: Candidates) -> str:
    """Return which bands to join if there are too many states: `bands`, `stacks`, or an empty string."""
    return band_join.choice(board, candidates) if board.n_values >= MIN_BAND_JOIN_SIDE else ""


def _describe_cells(puzzle: Puzzle, candidates: Candidates) -> str:
    kind = _band_kind(puzzle.geometry, candidates)
    limit = f" while there are at most {transfer_matrix.STATE_CAPS[0]:,} states; else by {kind}"
    return f"cell by cell{limit if kind else ''}"


def _count_cells(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Count cell by cell, or by bands if that needs many states."""
    ways, caps = transfer_matrix.ways(puzzle, candidates), transfer_matrix.STATE_CAPS
    if len(ways) > 1:
        yield f"they fall into {len(ways)} independent parts"
        return (yield from _count_independent(ways, tick, max_bytes))
    total = yield from transfer_matrix.race(ways[0], tick, max_bytes, caps[:1])
    if total >= 0:
        return total
    kind = _band_kind(puzzle.geometry, candidates)
    if kind:
        try:
            return (yield from band_join.count(puzzle.geometry, candidates, kind, tick, max_bytes))
        except OutOfTableMemory as reason:
            yield f"{reason}; cell by cell instead"
    return (yield from transfer_matrix.race(ways[0], tick, max_bytes, (*caps[1:], None)))


def _count_independent(
    parts_ways: list[list[transfer_matrix.Way]], tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Count independent parts cell by cell, equal ones once, and return the product."""
    counts: dict[bytes, int] = {}
    product = 1
    for ways in parts_ways:
        key = key_of(ways[0].problem)
        if key not in counts:
            counts[key] = yield from transfer_matrix.race(ways, tick, max_bytes, (*transfer_matrix.STATE_CAPS, None))
        product *= counts[key]
    return product


def _describe_squares(puzzle: Puzzle, candidates: Candidates) -> str:
    squares = parts.squares(puzzle, candidates)
    return f"{len(squares)} independent {plural('square', len(squares))}; the first: {plan(squares[0].puzzle)}"


def _count_squares(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Count independent squares, those that are equal once, and the other cells cell by cell."""
    squares = parts.squares(puzzle, candidates)
    counts: dict[bytes, int] = {}
    product = 1
    for number, square in enumerate(squares, 1):
        if square.key not in counts:
            first = puzzle.geometry.cell_name(int(square.cells.min()))
            yield f"number {number} of {len(squares)} squares that are independent, from {first}"
            counts[square.key] = yield from _count_in_slices(square.puzzle, tick, max_bytes)
        product *= counts[square.key]
    others = transfer_matrix.ways(puzzle, candidates, [cell for square in squares for cell in square.cells.tolist()])
    return product * (yield from _count_independent(others, tick, max_bytes))


def _has_few_givens(puzzle: Puzzle, candidates: Candidates) -> bool:
    """Return whether this is a 9x9 of which few cells are settled, and the others have all candidates."""
    n_settled = len(candidates) - _n_open(candidates)
    return n_settled <= few_givens.MOST_SETTLED and few_givens.fits(puzzle)


# The first strategy that fits is used; the last one fits every puzzle.
STRATEGIES = (
    Strategy(
        lambda puzzle, candidates: _n_open(candidates) == 0,
        lambda puzzle, candidates: "singles settle every cell",
        _one_solution,
    ),
    Strategy(lambda puzzle, candidates: bool(parts.squares(puzzle, candidates)), _describe_squares, _count_squares),
    Strategy(_has_few_givens, few_givens.describe, few_givens.count),
    Strategy(
        lambda puzzle, candidates: empty_two_row_boxes.fits(puzzle.geometry, candidates),
        lambda puzzle, candidates: "classes of the values in the upper rows of the boxes on the left",
        lambda puzzle, candidates, tick, max_bytes: empty_two_row_boxes.count(puzzle.geometry.n_values // 2, tick),
    ),
    Strategy(
        lambda puzzle, candidates: latin.fits(puzzle),
        lambda puzzle, candidates: latin.describe(puzzle),
        latin.count,
    ),
    Strategy(
        lambda puzzle, candidates: box_fillings.fits(puzzle.geometry),
        lambda puzzle, candidates: "tables of the values that bands or stacks put into the lines across them",
        lambda puzzle, candidates, tick, max_bytes: band_tables.count(candidates, tick, max_bytes),
    ),
    # Where those tables are too large.
    Strategy(lambda puzzle, candidates: few_givens.fits(puzzle), few_givens.describe, few_givens.count),
    Strategy(
        lambda puzzle, candidates: square_trees.tree(puzzle.geometry) is not None,
        lambda puzzle, candidates: "messages from square to square, by tables of their bands",
        square_trees.count,
    ),
    Strategy(
        lambda puzzle, candidates: True,
        lambda puzzle, candidates: "connected parts of the open cells, each once",
        component_cache.count,
    ),
    Strategy(
        lambda puzzle, candidates: listed_cells.fits(puzzle.geometry),
        lambda puzzle, candidates: "fillings of the cells in extra units, and the rest as a plain 9x9",
        lambda puzzle, candidates, tick, max_bytes: listed_cells.count(
            puzzle, candidates, tick, max_bytes, _count_in_slices
        ),
    ),
    Strategy(lambda puzzle, candidates: True, _describe_cells, _count_cells),
)
