"""Cubes by whole values: all cells of a value are placed at once, for which the rules leave few ways.

`structure` describes these ways. A cube whose nine values have one pattern of signs is searched in the frame of that
pattern, where each line of a block is used once; in all other cubes, `mixed` ones, each value has its own frame, and
the lines that a placement takes from the others are known for each pattern. Both searches go depth first over values,
the value with the fewest placements first, and are complete: where a list would be too long, lines of blocks are chosen
first.

Until there is a solution, all searches take turns, each time from the start and twice as long, since a search with a
bad start may take a thousand times as long as one with another order. Then each search runs to its end, which proves
the count. Other cores work on the next searches.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.placements.state import DONE, PlacementsState, allowed_lines, new_state, tables
from sudoku_encode.placements.structure import WORDS, bits, patterns_of, side
from sudoku_encode.puzzles.arrays import Bools, Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, violations
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.machine import cores
from sudoku_encode.run.threads import in_order

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE: tuple[str, ...] = ()

# Room for placements, if the limit on memory allows it: a quarter of a gigabyte.
_ROWS = 2**23
# How many placements all searches together visit in their first turns (about a second), how many each visits at most
# and at least, and how many are visited between two looks at the clock.
_FIRST_TURNS, _LONG_TURN, _SHORT_TURN, _WORK = 2**28, 2**26, 2**25, 2**22
# The search with all patterns gets this many times less of a turn, since generated cubes often have one pattern.
_MIXED_SHARE = 4
_BATCH_ROWS = 64
# A function that makes a search that has not begun, or returns one that has.
_MakeState = Callable[[], PlacementsState]


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not supported, or an empty string."""
    return "" if side(board) else "it supports only cubes of side 4 and 9 with all six rules"


def solutions(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
    """Yield all solutions in batches, each once, in an order that does not depend on the number of cores.

    The deadline is looked at often; its memory limits the lists of placements, not the solutions.
    """
    k = side(puzzle.geometry)
    allowed = allowed_lines(puzzle, k)
    open_searches = _searches(k, allowed)
    if not open_searches:
        return
    n_threads = min(cores(), len(open_searches))
    room = _ROWS if deadline.memory is None else max(1, min(_ROWS, deadline.memory // 2 // n_threads // (8 * WORDS)))
    new = partial(new_state, allowed=allowed, k=k, rows=room)
    _compile(new(open_searches[0].entries, rows=1, seed=0, mixed=open_searches[0].mixed), k)
    turn, seed, begun = max(_SHORT_TURN, min(_LONG_TURN, _FIRST_TURNS // len(open_searches))), 0, None
    while open_searches and begun is None:
        looks = [
            partial(
                _look,
                partial(new, search.entries, seed=seed + place, mixed=search.mixed),
                k,
                turn // _MIXED_SHARE if search.mixed else turn,
            )
            for place, search in enumerate(open_searches, start=1)
        ]
        seed += len(open_searches)
        with closing(in_order(looks, n_threads, deadline)) as ended:
            for search, (state, solution, done) in zip(tuple(open_searches), ended, strict=True):
                if solution is not None or done:
                    # Searches that have ended without a solution need no second look.
                    open_searches = [other for other in open_searches if other is not search]
                if solution is not None:
                    begun = state
                    yield solution
                    break
                emit(Progress(f"{search.name}: {'none' if done else 'none found yet'} ..."))
        turn *= 2
    rest: list[_MakeState] = [partial(new, search.entries, seed=seed, mixed=search.mixed) for search in open_searches]
    if begun is not None:
        rest.insert(0, lambda: begun)
    if rest:
        emit(Progress(f"{len(rest)} searches run to their ends ..."))
    yield from in_order([partial(_to_the_end, make_state, k) for make_state in rest], n_threads, deadline)


class _Search(NamedTuple):
    """A part of all cubes."""

    name: str  # for a person
    entries: Int64s  # (m, 2): values, from 0 on, and patterns
    mixed: bool  # whether cubes whose values all have one pattern are left out


def _searches(k: int, allowed: Int64s) -> list[_Search]:
    """Return searches that together find all solutions: one for each pattern that all values may have, and the rest."""
    first, last, _ = tables(k).marks
    possible = (((allowed - first) & ~allowed & last) == 0).all(axis=2)
    shared, values = np.flatnonzero(possible.all(axis=1)).tolist(), np.arange(k * k)
    uniform = [
        _Search(f"cubes of pattern {one}", np.stack([values, np.full(k * k, one)], axis=1), False) for one in shared
    ]
    # With k = 2 there is one pattern.
    return uniform if k == 2 else [*uniform, _Search("cubes of several patterns", np.argwhere(possible.T), True)]


def _compile(state: PlacementsState, k: int) -> None:
    """Wait for the compiler before there are threads."""
    from sudoku_encode.placements import kernel

    kernel.run(tables(k), state, np.empty((1, k**6), np.uint8), 0)


def _look(
    make_state: _MakeState, k: int, work: int, go_on: Callable[[], None]
) -> Iterator[tuple[PlacementsState | None, Grids | None, bool]]:
    """Search until there is a solution, or some work is done; yield once: search, first solution, whether it ended."""
    # Search and solution are None if there is no solution, since a search takes much memory.
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
        n_solutions = kernel.run(tables(k), state, out, _WORK)
        if n_solutions:
            yield out[:n_solutions]


def pattern_figures(puzzle: Puzzle, candidates: Candidates) -> dict[str, Any]:
    """Return figures about the patterns of a puzzle's values, which are numbered as in `structure.patterns`.

    Returns:
        For a solution its `kind`, uniform or mixed, and the `patterns` of its values. For another puzzle
        `patterns_left`: how many patterns the candidates leave to each value, those with a possible line in each block.
        An empty dictionary for other boards, and for a full grid that breaks a rule.
    """
    k = side(puzzle.geometry)
    if not k:
        return {}
    if not len(puzzle.blanks):
        if next(violations(puzzle, puzzle.givens), None):
            return {}
        patterns = patterns_of(puzzle.givens, k)
        return {"kind": "uniform" if len(set(patterns)) == 1 else "mixed", "patterns": list(patterns)}
    allowed = allowed_lines(replace(puzzle, pencilmarks=candidates), k)
    lines: Bools = np.unpackbits(allowed.view(np.uint8), axis=-1, bitorder="little")[..., bits(k)] > 0
    in_each_block: Bools = np.logical_and.reduce(lines.any(axis=3), axis=2)
    return {"patterns_left": in_each_block.sum(axis=0).tolist()}
