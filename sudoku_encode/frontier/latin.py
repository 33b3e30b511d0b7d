"""Latin squares: the lines with givens cell by cell, the others by what these leave to them.

After some rows each column lacks some values, as many as there are rows left. Where nothing is given in these, that is
all that matters: columns and values are a regular bipartite graph, the rows left are perfect matchings of it, and
graphs that differ in the order of columns and of values only have as many fillings.

Rows, columns and values may change places, so the lines may as well be columns, or where each value lies.

Source: McKay & Rogoyski 1995, Latin squares of order ten; McKay & Wanless 2005, On the number of Latin squares.
Differs: there the board is empty, and cut in the middle.
"""

from collections.abc import Callable, Generator
from math import factorial
from typing import NamedTuple

import numpy as np

from sudoku_encode.frontier.cell_order import slots
from sudoku_encode.frontier.problem import Problem
from sudoku_encode.frontier.regular_graphs import factorizations
from sudoku_encode.frontier.transfer_matrix import Layer, layers
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# The largest order: its 7,000 graphs of degrees 4 and 5 take seconds. The next order has far more, which was not tried.
MAX_ORDER = 9
# With fewer lines without givens nothing is gained.
_MIN_FREE_LINES = 3
_AXES = {"row": (0, 1, 2), "column": (1, 0, 2), "value": (2, 0, 1)}


class _Lines(NamedTuple):
    """The lines of one kind.

    Attributes:
        kind: row, column or value.
        cube: bool (n, n, n): line, place in the line, what may be there.
        free: bool (n,): the lines in which nothing is given.
    """

    kind: str
    cube: Bools
    free: Bools


def fits(puzzle: Puzzle) -> bool:
    """Say whether this is a Latin square with enough lines without givens."""
    board = puzzle.geometry
    square = board.shape == (board.n_values, board.n_values) and board.n_values <= MAX_ORDER
    return (
        square
        and board.rule_names == ("row", "column")
        and _lines(puzzle.candidates).free.sum() >= _needed(board.n_values)
    )


def _needed(n: int) -> int:
    """Return how many lines must be free: the others are done cell by cell, and half of them are the most work."""
    return max(_MIN_FREE_LINES, n // 2)


def _lines(candidates: Candidates) -> _Lines:
    """Return the lines of the kind that has most of them free.

    A given bars its value from its row and column, and all others from its cell. In lines without givens that says
    nothing new, for the line with the given is filled before; what else bars a candidate counts.
    """
    n = candidates.shape[1]
    cube = candidates.reshape(n, n, n)
    held = cube & (cube.sum(axis=2) == 1)[:, :, None]
    barred = ~cube & ~held.any(axis=0) & ~held.any(axis=1)[:, None] & ~held.any(axis=2)[:, :, None]
    kinds = [(kind, (cube.transpose(axes), (held | barred).transpose(axes))) for kind, axes in _AXES.items()]
    found = [_Lines(kind, one, ~np.asarray(bound.any(axis=(1, 2)))) for kind, (one, bound) in kinds]
    return max(found, key=lambda lines: int(lines.free.sum()))


def describe(puzzle: Puzzle) -> str:
    """Say what is done."""
    lines = _lines(puzzle.candidates)
    n_free = int(lines.free.sum())
    return f"{len(lines.free) - n_free} {lines.kind}s cell by cell, {n_free} as matchings of regular graphs"


def count(
    puzzle: Puzzle, candidates: Candidates, tick: Callable[[], None], max_bytes: int
) -> Generator[str, None, int]:
    """Yield lines about each step, and return the number of solutions of a board that `fits`.

    Args:
        puzzle: says which lines are free.
        candidates: what singles leave. What they bar in free lines is barred by the other lines.
        tick: called some times a second.
        max_bytes: what the tables may take.

    Raises:
        OutOfTableMemory: see `transfer_matrix.layers`.
        StoppedError: by `tick`.
    """
    lines = _lines(puzzle.candidates)
    n = len(lines.free)
    left = candidates.reshape(n, n, n).transpose(_AXES[lines.kind])[~lines.free]
    graphs, counts = _begun(left, tick, max_bytes)
    yield f"{len(left)} {lines.kind}s cell by cell: {len(graphs):,} graphs of what they leave"
    if not len(graphs):
        return 0
    ways = factorizations(graphs, tick)
    return factorial(n - len(left)) * sum(one * some for one, some in zip(ways, counts, strict=True))


def _begun(lines: Bools, tick: Callable[[], None], max_bytes: int) -> tuple[Int64s, list[int]]:
    """Fill lines.

    Args:
        lines: bool (lines, n, n): for each place what may be there.
        tick: called some times a second.
        max_bytes: what the tables may take.

    Returns:
        What the lines leave, int64 (graphs, n): for each value the places where it is still to come, a bit each; and by
        how many fillings.
    """
    some, n = lines.shape[:2]
    full = 2**n - 1
    if not some:
        return np.full((1, n), full, np.int64), [1]
    problem = _problem(lines)
    way = range(some * n)
    last: Layer | None = None
    # What comes after takes several times as much for each state.
    for layer in layers(problem, way, tick, max_bytes // 4):
        last = layer
    assert last is not None
    bits = dict(slots(problem, way)[0][-1])
    held = np.zeros(last.states.shape, np.int64)
    for place in range(n):
        held |= (last.states >> last.states.dtype.type(bits[place]) & last.states.dtype.type(1)).astype(
            np.int64
        ) << place
    return full ^ held, last.numbers


def _problem(lines: Bools) -> Problem:
    """Return some lines by themselves, the lines across them open in the end."""
    some, n = lines.shape[:2]
    cells = np.arange(some * n, dtype=np.intp).reshape(some, n)
    units: tuple[Intps, ...] = (*cells.T, *cells)
    across = np.arange(n + some) < n
    return Problem(lines.reshape(-1, n), units, np.repeat(~across[:, None], n, axis=1), across, np.zeros((n, n), bool))
