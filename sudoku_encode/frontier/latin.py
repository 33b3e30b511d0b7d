"""Latin squares: the lines with givens cell by cell, the others as perfect matchings of regular graphs.

After some rows each column lacks as many values as there are rows left. If these rows have no givens, that is all that
matters: columns and values are a regular bipartite graph, the other rows are perfect matchings of it, and graphs that
differ only in the order of columns and of values have equal numbers of fillings.

Rows, columns and values may be exchanged, so the lines may also be columns, or the places of each value.

Source: McKay & Rogoyski 1995, Latin squares of order ten; McKay & Wanless 2005, On the number of Latin squares.
Differs: there the board is empty, and cut in the middle.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from math import factorial
from typing import NamedTuple, TypeVar

import numpy as np

from sudoku_encode.errors import INTERRUPTED, StoppedError
from sudoku_encode.frontier.cell_order import slots
from sudoku_encode.frontier.problem import Problem
from sudoku_encode.frontier.transfer_matrix import Layer, layers
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.run.executor import spread
from sudoku_encode.run.threads import threads

# Factorizations: in how many ways a regular bipartite graph falls into perfect matchings.
#
# A graph has n rows, n values, and an edge where a row holds a value; all rows and values have the same number of
# edges. All matchings with one fixed edge are removed in turn, and the remaining graph is counted once for all graphs
# that differ only in the order of rows and values. So whole levels of graphs are collected, a level for each degree.
#
# Source: McKay & Rogoyski 1995, Latin squares of order ten, for the graphs and the edge that is fixed.
# Differs: the form of a graph is not canonical: some isomorphic graphs differ in it, which costs time and changes no
# count.

_R = TypeVar("_R")

# Graphs of this degree are counted one by one: that is faster than computing the forms of their rests.
PLAIN_DEGREE = 4
# How many steps the counting kernel does between two looks at the clock, some tens of milliseconds; and how many rests
# of a graph are written at a time, and for how many graphs at a time, which takes about as long.
_STEPS_PER_CALL, _ROOM_RESTS, _GRAPHS_TOGETHER = 2**21, 2**12, 64


class _GraphRests(NamedTuple):
    """The graphs that remain when a matching is removed from a graph."""

    forms: list[bytes]  # the bytes of each form, int64 (n,)
    counts: list[int]  # how many matchings leave it


def factorizations(graphs: Int64s, tick: Callable[[], None]) -> list[int]:
    """Return for each graph in how many ways its edges fall into perfect matchings, whose order does not count.

    The graphs, int64 (graphs, n), are of one degree: for each row its values, a bit each.

    >>> factorizations(np.full((1, 5), 2**5 - 1), lambda: None)
    [1344]
    """
    degree = int(graphs[0, 0]).bit_count()
    if degree < 2:
        return [1] * len(graphs)
    number: dict[bytes, int] = {}
    numbers = [number.setdefault(form, len(number)) for form in _forms(graphs, tick)]
    steps: list[list[tuple[list[int], list[int]]]] = []
    while degree > PLAIN_DEGREE:
        level, number = _run_on_cores(_graph_rests, _graphs(number), tick), {}
        steps.append([([number.setdefault(form, len(number)) for form in rest.forms], rest.counts) for rest in level])
        degree -= 1
    totals = _run_on_cores(_count_plainly, _graphs(number), tick)
    for step in reversed(steps):
        totals = [sum(totals[at] * count for at, count in zip(places, counts, strict=True)) for places, counts in step]
    return [totals[at] for at in numbers]


def _graphs(forms: Iterable[bytes]) -> Int64s:
    return np.array([np.frombuffer(form, np.int64) for form in forms])


def _forms(graphs: Int64s, tick: Callable[[], None]) -> Iterator[bytes]:
    """Yield the form of each graph."""
    from sudoku_encode.frontier.regular_graphs_kernel import write_form

    form = np.empty(graphs.shape[1], np.int64)
    for number, graph in enumerate(graphs):
        if number % _ROOM_RESTS == 0:
            tick()
        write_form(graph, form)
        yield form.tobytes()


def _run_on_cores(
    task: Callable[[threading.Event, Int64s], list[_R]], level: Int64s, tick: Callable[[], None]
) -> list[_R]:
    """Return the results of a task for all graphs, computed on all cores."""
    stop = threading.Event()
    parts = [level[start : start + _GRAPHS_TOGETHER] for start in range(0, len(level), _GRAPHS_TOGETHER)]
    results: list[list[_R]] = [[] for _ in parts]
    with threads() as pool:
        try:
            for number, part_results in spread(partial(task, stop), parts, pool, window=len(parts), tick=tick):
                if isinstance(part_results, StoppedError):
                    raise part_results
                results[number] = part_results
        finally:
            stop.set()
    return [one for part_results in results for one in part_results]


def _graph_rests(stop: threading.Event, graphs: Iterable[Int64s]) -> list[_GraphRests]:
    from sudoku_encode.frontier.regular_graphs_kernel import rests

    results = []
    for graph in graphs:
        n = len(graph)
        untried, used = np.zeros((2, n), np.int64)
        untried[0] = graph[0] & -graph[0]
        progress, out = np.zeros(1, np.int64), np.empty((_ROOM_RESTS, n), np.int64)
        counts: dict[bytes, int] = {}
        while progress[0] >= 0:
            _check(stop)
            size = rests(graph, untried, used, progress, out)
            forms, sizes = np.unique(out[:size].view(np.dtype((np.void, 8 * n))).ravel(), return_counts=True)
            for form, count in zip(forms, sizes.tolist(), strict=True):
                counts[form.tobytes()] = counts.get(form.tobytes(), 0) + count
        results.append(_GraphRests(list(counts), list(counts.values())))
    return results


def _count_plainly(stop: threading.Event, graphs: Iterable[Int64s]) -> list[int]:
    """Count graphs one by one."""
    from sudoku_encode.frontier.regular_graphs_kernel import factorizations

    counts = []
    for whole in graphs:
        n, degree = len(whole), int(whole[0]).bit_count()
        graph, untried, used = np.zeros((3, degree + 1, n), np.int64)
        graph[degree] = whole
        untried[degree, 0] = whole[0] & -whole[0]
        progress = np.zeros(degree + 3, np.int64)
        progress[degree + 1] = degree
        _check(stop)
        while not factorizations(graph, untried, used, progress, _STEPS_PER_CALL):
            _check(stop)
        counts.append(int(progress[degree + 2]))
    return counts


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise StoppedError(INTERRUPTED)


# Counting Latin squares.

# The largest order: its 7,000 graphs of degrees 4 and 5 take seconds. The next order has far more, and was not tried.
MAX_ORDER = 9
# With fewer lines without givens there is no gain.
_MIN_FREE_LINES = 3
_AXES = {"row": (0, 1, 2), "column": (1, 0, 2), "value": (2, 0, 1)}


class _Lines(NamedTuple):
    """The lines of one kind."""

    kind: str  # row, column or value
    cube: Bools  # (n, n, n): line, place in the line, candidates
    free: Bools  # (n,): the lines without givens


def fits(puzzle: Puzzle) -> bool:
    """Return whether this is a Latin square with enough lines without givens."""
    board = puzzle.geometry
    square = board.shape == (board.n_values, board.n_values) and board.n_values <= MAX_ORDER
    return (
        square
        and board.rule_names == ("row", "column")
        and _lines(puzzle.candidates).free.sum() >= _needed(board.n_values)
    )


def _needed(n: int) -> int:
    """Return how many lines must be free: the others are counted cell by cell, and half of them are the most work."""
    return max(_MIN_FREE_LINES, n // 2)


def _lines(candidates: Candidates) -> _Lines:
    """Return the lines of the kind that has most of them free."""
    # A given bars its value from its row and column, and all others from its cell. For lines without givens that adds
    # no information, since the line with the given is filled before; anything else that bars a candidate counts.
    n = candidates.shape[1]
    cube = candidates.reshape(n, n, n)
    givens = cube & (cube.sum(axis=2) == 1)[:, :, None]
    barred = ~cube & ~givens.any(axis=0) & ~givens.any(axis=1)[:, None] & ~givens.any(axis=2)[:, :, None]
    kinds = [(kind, (cube.transpose(axes), (givens | barred).transpose(axes))) for kind, axes in _AXES.items()]
    lines_of_kinds = [_Lines(kind, one, ~np.asarray(bound.any(axis=(1, 2)))) for kind, (one, bound) in kinds]
    return max(lines_of_kinds, key=lambda lines: int(lines.free.sum()))


def describe(puzzle: Puzzle) -> str:
    """Return a text about how the puzzle is counted."""
    lines = _lines(puzzle.candidates)
    n_free = int(lines.free.sum())
    return f"{len(lines.free) - n_free} {lines.kind}s cell by cell, {n_free} as matchings of regular graphs"


def count(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield lines about each step, and return the number of solutions of a board that `fits`.

    The puzzle decides which lines are free. All that singles bar in free lines is barred by the other lines.

    Raises:
        OutOfTableMemory: see `transfer_matrix.layers`.
    """
    lines = _lines(puzzle.candidates)
    n = len(lines.free)
    given_lines = candidates.reshape(n, n, n).transpose(_AXES[lines.kind])[~lines.free]
    graphs, counts = _fill_lines(given_lines, tick, max_bytes)
    yield f"{len(given_lines)} {lines.kind}s cell by cell: {len(graphs):,} graphs of the remaining values"
    if not len(graphs):
        return 0
    ways = factorizations(graphs, tick)
    return factorial(n - len(given_lines)) * sum(one * some for one, some in zip(ways, counts, strict=True))


def _fill_lines(lines: Bools, tick: Callable[[], None], max_bytes: int) -> tuple[Int64s, list[int]]:
    """Fill lines, and return the graphs that they leave, int64 (graphs, n), and the number of fillings of each."""
    # `lines`: bool (lines, n, n): for each place its candidates. A graph has for each value the places where it is
    # still to come, a bit each.
    n_lines, n = lines.shape[:2]
    full = 2**n - 1
    if not n_lines:
        return np.full((1, n), full, np.int64), [1]
    problem = _problem(lines)
    way = range(n_lines * n)
    last: Layer | None = None
    # The following steps take several times as much memory per state.
    for layer in layers(problem, way, tick, max_bytes // 4):
        last = layer
    assert last is not None
    bits = dict(slots(problem, way)[0][-1])
    places_of_value = np.zeros(last.states.shape, np.int64)
    for place in range(n):
        places_of_value |= (last.states >> last.states.dtype.type(bits[place]) & last.states.dtype.type(1)).astype(
            np.int64
        ) << place
    return full ^ places_of_value, last.numbers


def _problem(lines: Bools) -> Problem:
    """Return a few lines by themselves, the lines across them open in the end."""
    n_lines, n = lines.shape[:2]
    cells = np.arange(n_lines * n, dtype=np.intp).reshape(n_lines, n)
    units: tuple[Intps, ...] = (*cells.T, *cells)
    across = np.arange(n + n_lines) < n
    return Problem(lines.reshape(-1, n), units, np.repeat(~across[:, None], n, axis=1), across, np.zeros((n, n), bool))
