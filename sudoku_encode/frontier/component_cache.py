"""Count by a search over the cells that counts each connected part of the open cells once.

After each value, singles are placed, and a unit with fewer values than open cells ends the branch. Then the open cells
fall into parts that share no unit and candidate; the count is the product of theirs. A part is known by its cells and
by the sets of cells that may hold each value, sorted, so that parts that differ only in names are one.

Source: component caching of model counters (Sang, Bacchus, Beame, Kautz & Pitassi 2004, Combining Component Caching and
    Clause Learning for Effective Model Counting).
Differs: parts of cells and units instead of clauses, whole parts as keys, values without names, and a fixed order.
"""

from collections.abc import Callable, Generator, Iterable

import numpy as np

from sudoku_encode.frontier.cell_order import estimate, orders
from sudoku_encode.frontier.problem import (
    Cache,
    Lists,
    Problem,
    Search,
    Units,
    blank,
    components,
    key_of,
    members,
    spans,
)
from sudoku_encode.frontier.transfer_matrix import MAX_NEAREST_CELLS, OutOfTableMemory
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# How much the kernel does between two calls of `tick`, some milliseconds; a step is a look at a cell.
STEPS_PER_CALL = 2**18
_ENTRIES_PER_CALL = 2**16
# The part of the memory for tables that the cache may take: with the default, the process stays below 1 GB.
CACHE_SHARE = 3, 8
# With this many parts in the cache, which takes a second or two, the search is given up if it has not done this share
# of its work: it would pass the memory, and orders of cells may need less.
FIRST_PARTS, LEAST_SHARE = 2**17, 0.002
# The first room for entries, in words of the pool, and in slots of the table.
_FIRST_WORDS, _FIRST_SLOTS = 2**14, 2**10


def count(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield a line about each step, and return the number of solutions.

    Parts that are independent from the start are counted by themselves, equal ones once.

    Raises:
        OutOfTableMemory: the cache would pass its share of `max_bytes`, or most of the search would remain when it is
            as large as FIRST_PARTS.
    """
    problem, cells = blank(puzzle.geometry, candidates)
    counts: dict[bytes, int] = {}
    product = 1
    for part, numbers in components(problem):
        key = key_of(part)
        if key not in counts:
            counts[key] = yield from _count_part(part, puzzle.geometry, cells[numbers], tick, max_bytes)
        product *= counts[key]
    return product


def _count_part(
    problem: Problem, board: Geometry, cells: Intps, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield a line about each step, and return the number of solutions of a problem, whose cells are these."""
    from sudoku_encode.frontier import component_cache_kernel as kernel

    tick()
    max_bytes = max_bytes * CACHE_SHARE[0] // CACHE_SHARE[1]
    units, search = _start(problem, _order(problem, board, cells, tick), max_bytes)
    cache = Cache(np.zeros(_FIRST_SLOTS, np.uint64), np.zeros(_FIRST_WORDS, np.uint32))
    progress, is_tried = search.progress, False
    while (end := kernel.count_parts(units, search, cache, STEPS_PER_CALL)) != kernel.DONE:
        tick()
        n_parts = int(progress[kernel.ENTRIES])
        if n_parts >= FIRST_PARTS and not is_tried:
            share, is_tried = _searched_share(search), True
            line = f"{n_parts:,} different parts of {len(cells)} open cells in {share:.2%} of the search"
            if share < LEAST_SHARE:
                raise OutOfTableMemory(line)
            yield line
        if end == kernel.FULL:
            cache = _grown(cache, int(progress[kernel.USED]), n_parts, tick, max_bytes)
    yield f"{progress[kernel.ENTRIES]:,} different parts of {len(cells)} open cells"
    digits = search.products[0, : search.frames[0, kernel.PRODUCT]].tolist()
    return sum(digit << 32 * place for place, digit in enumerate(digits))


def _searched_share(search: Search) -> float:
    """Return roughly the share of the search that is done, as if all values of a cell had equal shares."""
    from sudoku_encode.frontier import component_cache_kernel as kernel

    share, weight = 0.0, 1.0
    for frame in search.frames[1 : search.progress[kernel.DEPTH] + 1]:
        weight /= max(1, frame[kernel.CHOICES])
        share += weight * max(0, frame[kernel.TRIED] - 1)
    return share


def _order(problem: Problem, board: Geometry, cells: Intps, tick: Callable[[], None]) -> list[int]:
    """Return the order of the cells that seems to need the fewest parts."""
    best, least = list(range(len(cells))), np.inf
    for _, order in orders(problem, cells, board, near=len(cells) <= MAX_NEAREST_CELLS):
        tick()
        if (size := estimate(problem, order)) < least:
            best, least = order, size
    return best


def _lists(rows: Iterable[Iterable[int]]) -> Lists:
    """Return lists of numbers, one after the other."""
    parts = [np.fromiter(row, np.int32) for row in rows]
    starts = np.append(0, np.cumsum([len(part) for part in parts])).astype(np.int64)
    return Lists(np.concatenate([*parts, np.empty(0, np.int32)]), starts)


def _start(problem: Problem, order: list[int], max_bytes: int) -> tuple[Units, Search]:
    """Return the cells in an order, and a search in which no part is counted yet, or raise OutOfTableMemory."""
    from sudoku_encode.frontier import component_cache_kernel as kernel

    size, n = problem.candidates.shape
    candidates = problem.candidates[order]
    # No count is larger than the product of the numbers of candidates.
    digits = int(np.log2(np.maximum(1, candidates.sum(axis=1))).sum()) // 32 + 2
    # Under a part are smaller ones, so the parts of all frames together have at most this many cells.
    nested = size * (size + 3) // 2 + 1
    key_words = (size + 1) * (3 + size // 32) + n * nested // 32
    if 4 * (nested + key_words) + 16 * size * (n + digits) + 4 * _FIRST_WORDS + 8 * _FIRST_SLOTS > max_bytes:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: too many open cells for a search of their parts")
    units = _units(problem, order)
    search = Search(
        masks=(candidates.astype(np.int64) << np.arange(n)).sum(axis=1),
        trail=np.empty((size * n + 1, 2), np.int64),
        cells=np.arange(size + nested, dtype=np.int32),
        parts=np.zeros((2 * size + 2, 2), np.int64),
        frames=np.zeros((size + 2, kernel.FIELDS), np.int64),
        choices=np.empty((size + 2, n), np.int64),
        times=np.empty((size + 2, n), np.int64),
        keys=np.empty(key_words, np.uint32),
        sums=np.empty((size + 2, digits), np.uint64),
        products=np.empty((size + 2, digits), np.uint64),
        scratch=np.empty(2 * digits, np.uint64),
        rows=np.zeros((n, size // 32 + 1), np.uint64),
        order=np.empty(n, np.int64),
        queue=np.empty(size + 1, np.int32),
        changed=np.empty(len(problem.units), np.int32),
        is_changed=np.zeros(len(problem.units), np.bool_),
        is_open=np.zeros(size, np.bool_),
        progress=np.zeros(8, np.int64),
    )
    search.progress[kernel.USED] = 1
    search.products[0, 0] = search.frames[0, kernel.PRODUCT] = 1
    search.frames[0, kernel.END_PART] = kernel.split(units, search, 0, size, 0)
    return units, search


def _units(problem: Problem, order: list[int]) -> Units:
    """Return the units, their cells numbered in an order."""
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    units = [np.sort(place[unit]) for unit in problem.units]
    cells, of_cells = [unit.tolist() for unit in units], members(units, len(order))
    peers = [sorted({peer for unit in some for peer in cells[unit]} - {cell}) for cell, some in enumerate(of_cells)]
    return Units(_lists(cells), _lists(of_cells), _lists(peers))


def _grown(cache: Cache, used: int, n_entries: int, tick: Callable[[], None], max_bytes: int) -> Cache:
    """Return a cache with room for more entries, or raise OutOfTableMemory if it would pass `max_bytes`."""
    from sudoku_encode.frontier.component_keys_kernel import rebuild

    slots = len(cache.table) * (2 if 2 * n_entries > len(cache.table) else 1)
    # The old and the new pool exist together for a moment.
    words = min(2 * len(cache.pool), (max_bytes - 8 * slots) // 4 - len(cache.pool))
    if words < len(cache.pool) * 9 // 8:
        raise OutOfTableMemory(f"memory limit of {max_bytes:,} bytes: over {n_entries:,} parts of the open cells")
    pool = np.empty(words, np.uint32)
    for start, end in spans(used, STEPS_PER_CALL, tick):
        pool[start:end] = cache.pool[start:end]
    grown = Cache(np.zeros(slots, np.uint64), pool)
    place = 1
    while place < used:
        tick()
        place = rebuild(grown, place, used, _ENTRIES_PER_CALL)
    return grown
