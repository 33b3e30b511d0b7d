"""Latin squares counted by the graphs that their lines leave, and regular graphs by their matchings."""

from functools import cache
from itertools import permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode import frontier, search
from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier import latin
from sudoku_encode.frontier.latin import factorizations
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.puzzles import puzzles
from tests.helpers.solution_sets import after, all_by_sat, never

# The reduced squares, whose first row and column are in order: OEIS A000315. McKay & Wanless 2005, Table 1.
REDUCED = {4: 4, 5: 56, 6: 9_408, 7: 16_942_080, 8: 535_281_401_856}


def latin_square(n: int, filled: dict[tuple[int, int], int]) -> Puzzle:
    givens = np.zeros((n, n), np.uint8)
    for place, value in filled.items():
        givens[place] = value
    return Puzzle.of(board(f"latin:{n}x{n}"), givens.ravel())


def rows_of(draw: st.DrawFn, n: int, degree: int) -> Int64s:
    """A regular graph: matchings put on top of each other, each with edges of its own."""
    rows = np.zeros(n, np.int64)
    for _ in range(degree):
        order = draw(st.permutations(range(n)))
        matching = next(
            (some for some in permutations(order) if all(not rows[row] >> value & 1 for row, value in enumerate(some))),
            None,
        )
        assert matching is not None
        rows |= np.left_shift(1, np.array(matching))
    return rows


@cache
def by_matchings(rows: tuple[int, ...]) -> int:
    """In how many ways a graph falls into matchings, with their order: plainly, one after the other."""
    if not any(rows):
        return 1
    total = 0
    for some in permutations(range(len(rows))):
        if all(row >> value & 1 for row, value in zip(rows, some, strict=True)):
            total += by_matchings(tuple(row ^ 1 << value for row, value in zip(rows, some, strict=True)))
    return total


def by_cells(puzzle: Puzzle) -> int:
    """The number of solutions by the last strategy, which fits everything."""
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return 0
    lines = frontier.STRATEGIES[-1].count(puzzle, candidates, never, 2**30)
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


@st.composite
def graphs(draw: st.DrawFn) -> Int64s:
    return rows_of(draw, 5, draw(st.integers(1, 5)))


@given(graph=graphs(), order=st.permutations(range(5)), names=st.permutations(range(5)))
@settings(derandomize=True, max_examples=10, deadline=None)
def test_factorizations(graph: Int64s, order: list[int], names: list[int]) -> None:
    """A graph has as many factorizations as plain listing finds in any order."""
    degree = int(graph[0]).bit_count()
    renamed = np.array([sum(1 << names[value] for value in range(5) if row >> value & 1) for row in graph[order]])
    plain, rest = divmod(by_matchings(tuple(graph.tolist())), factorial(degree))
    assert rest == 0
    assert factorizations(np.array([graph, renamed]), never) == [plain, plain]


@pytest.mark.parametrize("n", REDUCED)
def test_reduced_squares(n: int) -> None:
    """Squares with their first row and column in order are counted."""
    border = {(0, at): at + 1 for at in range(n)} | {(at, 0): at + 1 for at in range(n)}
    puzzle = latin_square(n, {(0, at): at + 1 for at in range(n)})
    assert latin.fits(puzzle)
    assert frontier.count(puzzle, never) == REDUCED[n] * factorial(n - 1)
    # Each line has a given then, so that this is done cell by cell where that is possible.
    assert not latin.fits(latin_square(n, border))
    if n < 7:
        assert frontier.count(latin_square(n, border), never) == REDUCED[n]


@pytest.mark.parametrize("places", [[(2, 0), (2, 3)], [(0, 2), (3, 2)], [(0, 0), (3, 4)]])
def test_swapped_axes(places: list[tuple[int, int]]) -> None:
    """Rows columns and values may change places."""
    # The last two are of one value: in a line of the values, and in lines of their own else.
    filled = {place: (1 if places[0] == (0, 0) else number) for number, place in enumerate(places, 1)}
    puzzle = latin_square(7, filled)
    kind = "value" if places[0] == (0, 0) else "row" if places[0][0] == places[1][0] else "column"
    assert latin.describe(puzzle) == f"1 {kind}s cell by cell, 6 as matchings of regular graphs"
    assert frontier.count(puzzle, never) == 61_479_419_904_000 // (7 * 6)


@given(puzzle=puzzles(["latin:4x4", "latin:5x5", "latin:6x6"], most_open=1.0), row=st.integers(0, 3))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_free_lines(puzzle: Puzzle, row: int) -> None:
    """Squares with free lines are counted as cell by cell and by SAT."""
    n = puzzle.geometry.n_values
    allowed = puzzle.candidates.reshape(n, n, n).copy()
    allowed[np.arange(row, row + 3) % n] = True
    some = Puzzle.of(puzzle.geometry, pencilmarks=allowed.reshape(-1, n))
    assert latin.fits(some)
    expected = by_cells(some)
    assert frontier.count(some, never) == expected
    if n == 4:
        assert len(all_by_sat(some)) == expected


def test_clashing_lines() -> None:
    """Lines that clash leave nothing."""
    puzzle = latin_square(6, {(0, 0): 1, (1, 1): 1, (0, 5): 2, (1, 5): 2})
    assert frontier.count(puzzle, never) == 0


def test_order_and_deadline() -> None:
    """The order is limited and the deadline holds."""
    assert not latin.fits(Puzzle.of(board("latin:10x10")))
    assert not latin.fits(Puzzle.of(board("4x4")))
    with pytest.raises(StoppedError, match="enough"):
        frontier.count(Puzzle.of(board("latin:9x9")), after(5))


@pytest.mark.parametrize("turned", [False, True])
def test_order_9(turned: bool) -> None:
    """With five rows given; the empty ones, which take a quarter of a minute, differ in how many graphs there are."""
    rows = {(row, column): (row + column) % 9 + 1 for row in range(5) for column in range(9)}
    puzzle = latin_square(9, {place[::-1] if turned else place: value for place, value in rows.items()})
    assert latin.fits(puzzle)
    assert frontier.count(puzzle, never) == by_cells(puzzle) == search.count(puzzle, never)
