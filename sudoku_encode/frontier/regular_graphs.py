"""In how many ways a regular bipartite graph falls into perfect matchings.

A graph has n rows, n values, and an edge where a row holds a value; every row and every value has as many edges. All
matchings with one edge of the graph are taken away in turn, and what is left is counted once for all graphs that differ
in the order of rows and values only. So whole levels of graphs are gathered, a level for each degree.

Source: McKay & Rogoyski 1995, Latin squares of order ten, for the graphs and the edge that is fixed.
Differs: graphs are brought to a form that tells some isomorphic graphs apart, which costs time and changes no count.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.executor import spread
from sudoku_encode.run.threads import threads

_R = TypeVar("_R")

# Graphs of this degree are counted one by one: what that takes is less than what bringing their rests to a form takes.
PLAIN_DEGREE = 4
# What the kernel that counts does between two looks at the clock, some tens of milliseconds; and how many rests of a
# graph are written at a time, and of how many graphs at a time, which takes about as long.
_STEPS_PER_CALL, _ROOM_RESTS, _GRAPHS_TOGETHER = 2**21, 2**12, 64


class _Rests(NamedTuple):
    """What matchings leave of a graph.

    Attributes:
        forms: the bytes of each form that is left, int64 (n,).
        counts: how many matchings leave it.
    """

    forms: list[bytes]
    counts: list[int]


def factorizations(graphs: Int64s, tick: Callable[[], None]) -> list[int]:
    """Return for each graph in how many ways its edges fall into perfect matchings, whose order does not count.

    Args:
        graphs: int64 (graphs, n), of one degree: for each row its values, a bit each.
        tick: called some times a second.

    Raises:
        StoppedError: by `tick`.

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
        found, number = _each(_rests, _graphs(number), tick), {}
        steps.append([([number.setdefault(form, len(number)) for form in one.forms], one.counts) for one in found])
        degree -= 1
    totals = _each(_plain, _graphs(number), tick)
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


def _each(task: Callable[[threading.Event, Int64s], list[_R]], level: Int64s, tick: Callable[[], None]) -> list[_R]:
    """Return what a task makes of each graph, done on all cores."""
    stop = threading.Event()
    parts = [level[start : start + _GRAPHS_TOGETHER] for start in range(0, len(level), _GRAPHS_TOGETHER)]
    made: list[list[_R]] = [[] for _ in parts]
    with threads() as pool:
        try:
            for at, some in spread(partial(task, stop), parts, pool, window=len(parts), tick=tick):
                if isinstance(some, StoppedError):
                    raise some
                made[at] = some
        finally:
            stop.set()
    return [one for some in made for one in some]


def _rests(stop: threading.Event, graphs: Iterable[Int64s]) -> list[_Rests]:
    from sudoku_encode.frontier.regular_graphs_kernel import rests

    made = []
    for graph in graphs:
        n = len(graph)
        left, used = np.zeros((2, n), np.int64)
        left[0] = graph[0] & -graph[0]
        at, out = np.zeros(1, np.int64), np.empty((_ROOM_RESTS, n), np.int64)
        counts: dict[bytes, int] = {}
        while at[0] >= 0:
            _check(stop)
            size = rests(graph, left, used, at, out)
            forms, sizes = np.unique(out[:size].view(np.dtype((np.void, 8 * n))).ravel(), return_counts=True)
            for form, count in zip(forms, sizes.tolist(), strict=True):
                counts[form.tobytes()] = counts.get(form.tobytes(), 0) + count
        made.append(_Rests(list(counts), list(counts.values())))
    return made


def _plain(stop: threading.Event, graphs: Iterable[Int64s]) -> list[int]:
    """Count graphs one by one."""
    from sudoku_encode.frontier.regular_graphs_kernel import factorizations

    made = []
    for whole in graphs:
        n, degree = len(whole), int(whole[0]).bit_count()
        graph, left, used = np.zeros((3, degree + 1, n), np.int64)
        graph[degree] = whole
        left[degree, 0] = whole[0] & -whole[0]
        at = np.zeros(degree + 3, np.int64)
        at[degree + 1] = degree
        _check(stop)
        while not factorizations(graph, left, used, at, _STEPS_PER_CALL):
            _check(stop)
        made.append(int(at[degree + 2]))
    return made


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise StoppedError("interrupted")
