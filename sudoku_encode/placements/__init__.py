"""Cubes by whole values: what is placed are all cells of a value at once, which the rules leave few ways for.

`structure` says which ways these are. A cube whose nine values have one pattern of signs is searched in the frame of
that pattern, where each line of a block is taken once; for all others, `mixed` ones, each value has its own frame, and
what a placement takes from the others is known for each pattern. Both searches go depth first over values, the one with
the fewest placements first, and never leave one out: where a list would be too long, lines of blocks are chosen first.

Until there is a solution, all searches take turns, each time anew and twice as long, since a search that begins badly
may take a thousand times as long as one with another order. Then each is carried to its end, which proves the count.
The next searches are ahead on other cores.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_encode.placements.state import DONE, PlacementsState, allowed_lines, new_state, tables
from sudoku_encode.placements.structure import WORDS, side
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.cores import cores
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.threads import in_order

# How many placements there is room for, if the limit on memory allows it: a quarter of a gigabyte.
_ROWS = 2**23
# How many placements all searches look at in their first turns, for a second, and each at most and at least; that is
# also how many are looked at between two looks at the clock.
_FIRST_TURNS, _LONG_TURN, _SHORT_TURN, _WORK = 2**28, 2**26, 2**25, 2**22
# The search with all patterns has so much less of a turn, since a cube that was made has often one pattern.
_MIXED_SHARE = 4
_BATCH_ROWS = 64
# Makes a search that has not begun, or returns one that has.
_MakeState = Callable[[], PlacementsState]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is no cube that this is for, or an empty string."""
    return "" if side(board) else "it is for cubes of side 4 and 9 with all six rules"


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield all solutions in batches, each once, in an order that does not depend on the number of cores.

    Args:
        puzzle: on a cube of side 4 or 9 with all six rules.
        deadline: called often; it may raise StoppedError. Its memory limits how much is listed, not what is found.
    """
    k = side(puzzle.geometry)
    allowed = allowed_lines(puzzle, k)
    left = _searches(k, allowed)
    if not left:
        return
    n_threads = min(cores(), len(left))
    room = _ROWS if deadline.memory is None else max(1, min(_ROWS, deadline.memory // 2 // n_threads // (8 * WORDS)))
    new = partial(new_state, allowed=allowed, k=k, rows=room)
    _compile(new(left[0].entries, rows=1, seed=0, mixed=left[0].mixed), k)
    turn, seed, begun = max(_SHORT_TURN, min(_LONG_TURN, _FIRST_TURNS // len(left))), 0, None
    while left and begun is None:
        looks = [
            partial(
                _look,
                partial(new, search.entries, seed=seed + place, mixed=search.mixed),
                k,
                turn // _MIXED_SHARE if search.mixed else turn,
            )
            for place, search in enumerate(left, start=1)
        ]
        seed += len(left)
        with closing(in_order(looks, n_threads, deadline)) as ended:
            for search, (state, found, done) in zip(tuple(left), ended, strict=True):
                if found is not None or done:
                    # Searches that have ended without a solution need no second look.
                    left = [other for other in left if other is not search]
                if found is not None:
                    begun = state
                    yield found
                    break
                emit(Progress(f"{search.name}: {'none' if done else 'none found yet'} ..."))
        turn *= 2
    rest: list[_MakeState] = [partial(new, search.entries, seed=seed, mixed=search.mixed) for search in left]
    if begun is not None:
        rest.insert(0, lambda: begun)
    if rest:
        emit(Progress(f"{len(rest)} searches go on to their ends ..."))
    yield from in_order([partial(_to_the_end, make_state, k) for make_state in rest], n_threads, deadline)


class _Search(NamedTuple):
    """A part of all cubes.

    Attributes:
        name: for a person.
        entries: int64 (m, 2): values, from 0 on, and patterns.
        mixed: whether cubes whose values all have one pattern are left out.
    """

    name: str
    entries: Int64s
    mixed: bool


def _searches(k: int, allowed: Int64s) -> list[_Search]:
    """Return the searches that find all solutions between them: a pattern that all values may have in each, the rest.

    Args:
        k: 2 or 3.
        allowed: int64 (patterns, values, 4): see `allowed_lines`.
    """
    first, last, _ = tables(k).marks
    possible = (((allowed - first) & ~allowed & last) == 0).all(axis=2)
    shared, values = np.flatnonzero(possible.all(axis=1)).tolist(), np.arange(k * k)
    uniform = [
        _Search(f"cubes of pattern {one}", np.stack([values, np.full(k * k, one)], axis=1), False) for one in shared
    ]
    # With k = 2 there is one pattern.
    return uniform if k == 2 else [*uniform, _Search("cubes of several patterns", np.argwhere(possible.T), True)]


def _compile(state: PlacementsState, k: int) -> None:
    """Wait for the compiler, which is better done before there are threads."""
    from sudoku_encode.placements import kernel

    kernel.run(tables(k), state, np.empty((1, k**6), np.uint8), 0)


def _look(
    make_state: _MakeState, k: int, work: int, go_on: Callable[[], None]
) -> Iterator[tuple[PlacementsState | None, Grids | None, bool]]:
    """Search until there is a solution, or some work is done.

    Yields:
        Once: the search and its first solution, or None twice, since a search takes much memory; and whether it ended.
    """
    from sudoku_encode.placements import kernel

    state, out = make_state(), np.empty((1, k**6), np.uint8)
    while work > 0 and not state.counts[DONE]:
        go_on()
        if kernel.run(tables(k), state, out, min(work, _WORK)):
            yield state, out, False
            return
        work -= _WORK
    yield None, None, bool(state.counts[DONE])


def _to_the_end(make_state: _MakeState, k: int, go_on: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions that a search has not found yet."""
    from sudoku_encode.placements import kernel

    state = make_state()
    while not state.counts[DONE]:
        go_on()
        out = np.empty((_BATCH_ROWS, k**6), np.uint8)
        found = kernel.run(tables(k), state, out, _WORK)
        if found:
            yield out[:found]
