"""Classes of what a band puts into the stacks: known numbers, other ways to count, and the tables by hand."""

from collections.abc import Callable, Generator
from itertools import permutations, product

import numpy as np
import pytest

from sudoku_encode import frontier
from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier import band_tables, few_givens, partitions
from sudoku_encode.frontier.few_givens_kernel import _add_product
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.solution_sets import after, never

EMPTY = 6_670_903_752_021_072_936_960


def nine(givens: dict[tuple[int, int], int]) -> Puzzle:
    """The 9x9 with givens by row and column."""
    cells = np.zeros((9, 9), np.uint8)
    for place, value in givens.items():
        cells[place] = value
    return Puzzle.of(board("9x9"), cells)


def from_text(text: str) -> Puzzle:
    """The 9x9 with the givens of a text."""
    return Puzzle.of(board("9x9"), [int(symbol) if symbol.isdigit() else 0 for symbol in text])


def counted(way: Callable[..., Generator[str, None, int]], *arguments: object, tick: Callable[[], None] = never) -> int:
    """The number that a way of counting returns."""
    lines = way(*arguments, tick, 2**30)
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


def by_classes(puzzle: Puzzle) -> int:
    """The number of solutions by classes."""
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    return counted(few_givens.count, puzzle, candidates)


def by_tables(puzzle: Puzzle) -> int:
    """The number of solutions by tables of whole bands, without classes."""
    return counted(band_tables.count, propagated_candidates(puzzle))


def random_puzzles(many: int, fewest: int, most: int) -> list[Puzzle]:
    """Puzzles with solutions, their givens at random places."""
    rng = np.random.default_rng(9)
    rows = np.arange(9)
    pattern = (3 * (rows[:, None] % 3) + rows[:, None] // 3 + rows) % 9 + 1
    drawn = []
    for _ in range(many):
        lines = [np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)]) for _ in range(2)]
        grid = rng.permutation(9)[pattern[lines[0]][:, lines[1]] - 1] + 1
        grid.flat[rng.permutation(81)[rng.integers(fewest, most + 1) :]] = 0
        drawn.append(Puzzle.of(board("9x9"), grid))
    return drawn


TWELVE = ".7....834...3........4..7..........9.....9...7....4.........................8...."


@pytest.mark.parametrize(
    ("puzzle", "known"),
    [
        (nine({}), EMPTY),
        (nine({(4, 4): 5}), EMPTY // 9),
        # Found by `band_tables` too, and by another program in C.
        (from_text(TWELVE), 533_229_368_832),
    ],
)
def test_known_numbers(puzzle: Puzzle, known: int) -> None:
    """The empty board and givens with known numbers."""
    assert by_classes(puzzle) == known


@pytest.mark.parametrize("puzzle", random_puzzles(2, 14, 16))
@pytest.mark.thorough
def test_other_tables(puzzle: Puzzle) -> None:
    """Random puzzles have as many solutions by tables of whole bands."""
    assert by_classes(puzzle) == by_tables(puzzle)


@pytest.mark.slow
def test_unrelated_givens() -> None:
    """Two givens that no unit joins: one value or two values, together those of one given."""
    equal, different = by_classes(nine({(0, 0): 1, (4, 4): 1})), by_classes(nine({(0, 0): 1, (4, 4): 2}))
    assert equal + 8 * different == EMPTY // 9


@pytest.mark.slow
def test_repeated_values() -> None:
    """Values that repeat in a band and in a stack, and a contradiction that singles do not see."""
    puzzle = from_text("1...........1...........1...1........2..1........3..1.45..67......8........9.....")
    assert by_classes(puzzle) == by_tables(puzzle) > 0
    assert (
        by_classes(from_text(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........")) == 0
    )


def fillings(givens: np.ndarray, columns: list[np.ndarray]) -> int:
    """The number of ways to fill a band by hand, (3, 3, 3) by box, row and column, with these columns of values."""
    boxes = []
    for box, marks in zip(givens, columns, strict=True):
        orders = [list(permutations(np.flatnonzero(marks == column).tolist())) for column in range(3)]
        found = [np.array(filled).T for filled in product(*orders)]
        boxes.append([filled for filled in found if ((box < 0) | (box == filled)).all()])
    first, second = ([[set(row) for row in filled.tolist()] for filled in some] for some in boxes[:2])
    third = [tuple(map(frozenset, filled.tolist())) for filled in boxes[2]]
    every = frozenset(range(9))
    total = 0
    for one, other in product(first, second):
        if all(a.isdisjoint(b) for a, b in zip(one, other, strict=True)):
            total += third.count(tuple(every - a - b for a, b in zip(one, other, strict=True)))
    return total


def test_band_table() -> None:
    """A band has as many fillings with three partitions as by hand, whatever its type and its free rows."""
    puzzle = nine({(0, 0): 1, (0, 4): 2, (0, 8): 5, (4, 4): 1})
    every, rng = partitions.all_partitions(never), np.random.default_rng(1)
    (arrangement, *_) = few_givens.arrangements(every, puzzle, puzzle.candidates, never)
    assert arrangement.kind == "bands"
    table = few_givens.band_table(arrangement, 0, never)
    assert len(table.table) > 1
    counts = []
    for _ in range(12):
        first, second, third = (int(rng.choice(np.flatnonzero(stack.columns[0]))) for stack in arrangement.stacks)
        places = table.places[:, first, [second, third]].diagonal()
        counts.append(int(table.table[(table.types[first], *places)]))
        assert counts[-1] == fillings(arrangement.givens[0], list(every.marks[[first, second, third]]))
    assert len(set(counts)) > 2


def test_wide_sums() -> None:
    """Products of large weights are added exactly."""
    rng, sums, total = np.random.default_rng(2), np.zeros(3, np.uint64), 0
    for _ in range(2000):
        factor, other = int(rng.integers(2**39, 2**40)), int(rng.integers(2**44, 2**45))
        _add_product(np.uint64(factor), np.uint64(other), sums)
        total += factor * other
    assert sum(digit << 32 * place for place, digit in enumerate(sums.tolist())) == total > 2**94


def test_limits() -> None:
    """Too little memory goes to other ways, a tick ends the count, and pencilmarks are not for it."""
    puzzle = nine({(0, 0): 1})
    with pytest.raises(OutOfTableMemory, match="memory limit of 1,000,000 bytes: tables of bands"):
        list(few_givens.count(puzzle, puzzle.candidates, never, 10**6))
    with pytest.raises(StoppedError, match="enough"):
        list(few_givens.count(puzzle, puzzle.candidates, after(20), 2**30))
    marks = puzzle.candidates.copy()
    marks[80, 0] = False
    assert few_givens.fits(puzzle)
    assert not few_givens.fits(Puzzle.of(puzzle.geometry, pencilmarks=marks))
    assert not few_givens.fits(Puzzle.of(board("9x9+diagonals")))
    assert frontier.plan(puzzle).startswith("classes of the values")
