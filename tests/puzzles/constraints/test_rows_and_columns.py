"""Ranks of rows and columns, and doppelgangers: their meaning told apart from their classes, and in every method."""

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

import sudoku_encode as se
from sudoku_encode import Puzzle, board
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.parsing import bind, parse
from sudoku_encode.puzzles.puzzle import violations
from tests.helpers.constraint_grids import grids_of

Grid = tuple[int, ...]
# The cells of each line of a 4x4, by the text of its cells.
LINES = {
    **{f"r{k}c1-r{k}c4": range(4 * k - 4, 4 * k) for k in range(1, 5)},
    **{f"r{k}c4-r{k}c1": range(4 * k - 1, 4 * k - 5, -1) for k in range(1, 5)},
    **{f"r1c{k}-r4c{k}": range(k - 1, 16, 4) for k in range(1, 5)},
    **{f"r4c{k}-r1c{k}": range(k + 11, -1, -4) for k in range(1, 5)},
}
NONE, UNCLUED, ANY = "none", "unclued", "any"


@pytest.fixture(scope="module")
def squares() -> dict[str, list[Grid]]:
    """Return the grids of boards of side 4."""
    return {name: sorted(grids_of(Puzzle.of(board(name)), "search")) for name in ("4x4", "latin:4x4")}


def numbers_of(grid: Grid) -> dict[str, int]:
    """Return the number along each line."""
    return {name: int("".join(str(grid[cell]) for cell in cells)) for name, cells in LINES.items()}


def fits(grid: Grid, clues: dict[str, int], ties: str) -> bool:
    """Return whether ranks are those of a grid."""
    numbers = numbers_of(grid)
    ordered = sorted(numbers.values())
    tied = {number for number in ordered if ordered.count(number) > 1}
    if (ties == NONE and tied) or (ties != ANY and any(numbers[line] in tied for line in clues)):
        return False
    return all(ordered.index(numbers[line]) + 1 == rank for line, rank in clues.items())


@pytest.mark.parametrize("name", ["4x4", "latin:4x4"])
@pytest.mark.parametrize("ties", [NONE, UNCLUED, ANY])
def test_ranks(ties: str, name: str, squares: dict[str, list[Grid]]) -> None:
    """Grids are those whose lines have the ranks, whatever clues there are, and lines may be equal as ties say."""
    chance, several = random.Random(3), 0
    for _ in range(8):
        numbers = numbers_of(chance.choice(squares[name]))
        lines = chance.sample(list(LINES), chance.randint(1, 4))
        clues = {line: sum(other < numbers[line] for other in numbers.values()) + 1 for line in lines}
        if chance.random() < 0.15:
            clues[lines[0]] = chance.randint(1, 16)
        texts = [f"full-rank {rank} {line}" for line, rank in clues.items()]
        if ties != UNCLUED or chance.random() < 0.5:
            texts.append(f"full-rank-ties {ties}")
        puzzle = Puzzle.of(board(name), constraints=texts)
        expected = [grid for grid in squares[name] if fits(grid, clues, ties)]
        several += len(expected) > 1
        for method in ("search", "sat"):
            assert sorted(grids_of(puzzle, method)) == expected, (method, texts)
        assert [grid for grid in squares[name] if not any(one.violated(grid) for one in puzzle.placed)] == expected
    assert several or ties == NONE


@pytest.mark.parametrize(("name", "number"), [("4x4", 12), ("latin:4x4", 20), ("9x9", 0), ("latin:9x9", 18)])
def test_pairs_of_ties(name: str, number: int) -> None:
    """Of few pairs of lines anything must be said to keep them from being equal."""
    assert len(lower_puzzle(Puzzle.of(board(name), constraints=["full-rank-ties none"])).primitives) == number


def test_copies() -> None:
    """The clues of a digit share the copies of the lines without a clue, and their first digit is known."""
    geometry = board("9x9")
    texts = ["full-rank 26 r1c2-r9c2", "full-rank 25 r9c9-r1c9", "full-rank 28 r4c1-r4c9", "full-rank 1 r9c3-r1c3"]
    puzzle = Puzzle.of(geometry, constraints=texts)
    # One line with 7 has no clue. Of three with 1, all are above.
    assert [one.own_hidden_cells() for one in puzzle.placed] == [8, 0, 0, 24]
    low = lower_puzzle(puzzle).puzzle
    assert low.geometry.n_hidden == 32
    assert low.candidates[[1, 80, 27, 74]].sum(axis=1).tolist() == [1, 1, 1, 1]
    alone = Puzzle.of(geometry, constraints=texts[:1])
    # One of three lines is below: which it is, is in three cells more.
    assert lower_puzzle(alone).puzzle.geometry.n_hidden == 27


REFUSED = {
    ("9x9", "full-rank 37 r1c1-r1c9"): "full-rank: impossible rank 37: expected 1 to 36",
    ("9x9", "full-rank 5 r1c1-r1c8"): "full-rank: expected the cells of a whole row or column",
    ("9x9", "full-rank 5 r1c1-r9c9"): "full-rank: expected the cells of a whole row or column",
    ("latin:4x5", "full-rank 5 r1c1-r1c5"): "full-rank: it needs a square whose rows and columns have all values",
    ("latin:4x4:5", "full-rank 5 r1c1-r1c4"): "full-rank: it needs a square whose rows and columns have all values",
    ("9x9", "full-rank 5 h1-h9"): "full-rank: h1 is a hidden cell; expected cells of the grid",
    ("9x9", "full-rank-ties 3"): "full-rank-ties: expected 0, 1 or 2, not 3",
    ("9x9", "either full-rank 5 r1c1-r1c9 | odd r1c1"): "either: full-rank: not a constraint for an alternative",
    ("9x9", "doppelganger h1-h9 / h10-h18"): "doppelganger: it needs a square with one value more than",
    ("latin:4x4:5", "doppelganger h1-h3 / h4-h7"): "doppelganger: expected lists of 4 cells each",
    ("latin:4x4:5", "doppelganger h1-h4 / h4-h7"): "doppelganger: expected hidden cells such as h1, each once",
    ("latin:4x4:5", "doppelganger r1c1-r1c4 / h4-h7"): "doppelganger: expected hidden cells such as h1, each once",
    (
        "latin:3x3:4",
        "doppelganger h1-h3 / h4-h6 / h7-h9",
    ): "doppelganger: boxes are in the third list, which latin:3x3:4",
}


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_refused(name: str, text: str) -> None:
    """What is not on the board is refused in one line."""
    with pytest.raises(FormatError) as caught:
        parse(text, board(name))
    assert str(caught.value).startswith(REFUSED[name, text])


def test_words_of_ties() -> None:
    """Ties are written as words too."""
    geometry = board("9x9")
    assert [parse(f"full-rank-ties {word}", geometry).numbers for word in (NONE, UNCLUED, ANY)] == [(0,), (1,), (2,)]
    assert parse("Full-Rank-Ties any", geometry).text(geometry) == "full-rank-ties 2"


def doppelgangers(above: tuple[Grid, ...] = ()) -> Iterator[Grid]:
    """Yield the 4x4 grids of values from 0 to 4 that begin with some rows and are doppelgangers."""
    if len(above) == 4:
        grid = tuple(value for row in above for value in row)
        if is_doppelganger(grid):
            yield tuple(value + 1 for value in grid)
        return
    for missing in range(1, 5):
        for row in permutations(set(range(5)) - {missing}):
            halves = ({*row[at : at + 2], *above[-1][at : at + 2]} for at in (0, 2)) if len(above) % 2 else ()
            if not any(a == b for other in above for a, b in zip(row, other, strict=True)) and all(
                len(values) == 4 for values in halves
            ):
                yield from doppelgangers((*above, row))


def is_doppelganger(grid: Grid) -> bool:
    """Return whether each row, column and box lacks another value, and those that meet at a 0 lack different ones."""
    rows = [{4 * row + at for at in range(4)} for row in range(4)]
    columns = [{4 * at + column for at in range(4)} for column in range(4)]
    boxes = [{top + at for at in (0, 1, 4, 5)} for top in (0, 2, 8, 10)]
    missing: list[list[tuple[set[int], int]]] = []
    for units in (rows, columns, boxes):
        sets = [{grid[cell] for cell in cells} for cells in units]
        if any(len(values) < 4 or 0 not in values for values in sets):
            return False
        missing.append([(cells, 10 - sum(values)) for cells, values in zip(units, sets, strict=True)])
    if any(len({value for _, value in family}) < 4 for family in missing):
        return False
    zeros = (cell for cell in range(16) if grid[cell] == 0)
    return all(len({value for family in missing for cells, value in family if cell in cells}) == 3 for cell in zeros)


def test_doppelgangers() -> None:
    """The grids of a small board are those that are found by trying all first rows with values in order."""
    firsts = [(0, 1, 2, 3), (1, 0, 2, 3), (1, 2, 0, 3), (1, 2, 3, 0)]
    expected = sorted(grid for first in firsts for grid in doppelgangers((first,)))
    puzzle = Puzzle.of(board("latin:4x4:5"), constraints=["doppelganger h1-h4 / h5-h8 / h9-h12"])
    assert len(expected) == 32
    for method in ("search", "sat"):
        grids = sorted(grids_of(puzzle, method))
        assert len(grids) == 24 * len(expected)
        assert [grid for grid in grids if tuple(value - 1 for value in grid[:4]) in firsts] == expected
    for grid in expected:
        assert list(violations(puzzle, grid)) == []
        assert list(violations(puzzle, [*grid[1:], grid[0]])) != []


def test_missing_values() -> None:
    """Other constraints name the missing values, and `definitions` finds them too."""
    texts = ["doppelganger h1-h4 / h5-h8 / h9-h12", "greater h1 h2", "whispers 3 h5 h6", "sum 12 h1 h5 r1c4"]
    geometry = board("latin:4x4:5")
    whole = Puzzle.of(geometry, constraints=texts)
    found = next(se.solutions(whole, "sat")).values
    givens = found.ravel().copy()
    givens[:8] = 0
    puzzle = Puzzle.of(geometry, givens, constraints=texts)
    grids = [sorted(grids_of(puzzle, method)) for method in ("definitions", "search", "sat", "cp-sat")]
    assert tuple(found.ravel().tolist()) in grids[0]
    assert grids == 4 * [grids[0]]


def test_values_that_are_missing() -> None:
    """The definition gives the only values of hidden cells that go with a grid."""
    geometry = board("latin:2x2:3")
    bound = bind(parse("doppelganger h1 h2 / h3 h4", geometry), geometry)
    # Rows 1 2 and 3 1 lack 3 and 2, and so do columns 1 3 and 2 1: 2 and 3.
    grid = [1, 2, 3, 1]
    assert list(bound.hidden_values([*grid, 0, 0, 0, 0], [4, 5, 6, 7])) == [(3, 2, 2, 3)]
    assert list(bound.hidden_values([*grid, 3, 0, 0, 0], [5, 6, 7])) == [(2, 2, 3)]
    assert list(bound.hidden_values([1, 2, 2, 1, 0, 0, 0, 0], [4, 5, 6, 7])) == []
