"""Counting without listing: known numbers, agreement with SAT on small boards of every kind, time and memory."""

from collections.abc import Callable, Generator
from itertools import permutations, product
from math import comb, factorial, prod

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode import frontier
from sudoku_encode.errors import StoppedError
from sudoku_encode.frontier import band_join, band_tables, box_fillings, empty_two_row_boxes, transfer_matrix
from sudoku_encode.frontier.problem import propagated_candidates
from sudoku_encode.frontier.transfer_matrix import OutOfTableMemory
from sudoku_encode.methods.calls import solutions
from sudoku_encode.puzzles.arrays import Int64s, Uint64s
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.puzzles.rules import CUBE_RULES
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.limits import Deadline
from tests.helpers.known_puzzles import KNOWN
from tests.helpers.method_steps import said
from tests.helpers.puzzles import JIGSAW, puzzles
from tests.helpers.solution_sets import after, all_by_sat, never

SMALL = ["4x4", "4x4+diagonals", "4x4+windoku", "5x5", "6x6:2x3", "6x6:3x2", "6x6+diagonals", JIGSAW, "4x4x4"]
LARGE = ["9x9", "9x9+diagonals+windoku", "8x8", "7x7"]
TEN_THOUSAND = "000000000000000002003004050000006000000012000070000080000300940200700000650000000"
MILLION = "000000000000000012003045000000003000060000000120000000000200006007000400000807000"
HUNDRED_MILLION = "051000403000008000000000000605000200000200000002700005000000070020000050008500000"

# The first three were counted by `band_join` too, and each was found again as a sum over the values of two of its
# cells.
BILLIONS = {
    "051000403000008000000000000005000200000200000002000005000000070020000050008500000": 4_520_394_642,
    "051000000000008000000000000605000200000200000002700005000000070020000000008000000": 73_660_309_404,
    "001000400000008000000000000005000200000200000002000005000000070020000050008000000": 579_379_978_464,
    "051000400000000000000000000605000200000000000002700005000000000020000050008000000": 967_618_585_952,
}


def every_way(puzzle: Puzzle) -> set[int]:
    """The number of solutions along each way there is."""
    candidates = propagated_candidates(puzzle)
    if candidates is None:
        return {0}
    found = {frontier.count(puzzle, never)}
    if (parts := transfer_matrix.ways(puzzle, candidates)) and len(parts[0]) > 0:
        for at, choice in enumerate(parts):
            rest = [other[0].follow(None, never, 2**30) for other in parts[:at] + parts[at + 1 :]]
            for way in choice:
                total = way.follow(2**16, never, 2**30)
                found |= set() if total is None or None in rest else {prod(filter(None, rest)) * total * all(rest)}
    for kind in band_join.bands(puzzle.geometry):
        found.add(by_bands(puzzle, kind))
    return found | by_tables(puzzle)


def by_bands(puzzle: Puzzle, kind: str) -> int:
    """The number of solutions by bands alone."""
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    lines = band_join.count(puzzle.geometry, candidates, kind, never, 2**30)
    while True:
        try:
            next(lines)
        except StopIteration as end:
            return int(end.value)


def by_tables(puzzle: Puzzle) -> set[int]:
    """The number of solutions by tables of bands and of stacks, on boards for them."""
    candidates = propagated_candidates(puzzle)
    assert candidates is not None
    if not box_fillings.fits(puzzle.geometry):
        return set()
    return {band_tables.count_joined(plan, candidates, never) for plan in box_fillings.plans(candidates, never, 2**30)}


@pytest.mark.slow
@given(puzzle=puzzles(SMALL, most_open=1.0, fewer_rules=True))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_small_boards(puzzle: Puzzle) -> None:
    """Every way counts what SAT lists on small boards."""
    expected = all_by_sat(puzzle)
    assert every_way(puzzle) == {len(expected)}


@pytest.mark.slow
@given(puzzle=puzzles(LARGE, most_open=0.75, fewer_rules=True))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_larger_boards(puzzle: Puzzle) -> None:
    """Every way counts what SAT lists on larger boards."""
    expected = all_by_sat(puzzle)
    assert every_way(puzzle) == {len(expected)}


@pytest.mark.slow
@given(puzzle=puzzles(["4x4", "4x4x4", "6x6"], most_open=1.0, marked=False, fewer_rules=True))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_values_of_a_cell(puzzle: Puzzle) -> None:
    """The counts of a cell's values add up."""
    assume(len(puzzle.blanks))
    parts = []
    for value in range(1, puzzle.geometry.n_values + 1):
        givens = puzzle.givens.copy()
        givens[puzzle.blanks[len(puzzle.blanks) // 2]] = value
        parts.append(frontier.count(Puzzle.of(puzzle.geometry, givens), never))
    assert sum(parts) == frontier.count(puzzle, never)


@pytest.mark.slow
def test_no_known_board_refused() -> None:
    """It refuses no board of a known puzzle."""
    assert [case.name for case in KNOWN if frontier.unsupported_reason(case.puzzle.geometry)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rules", "known"),
    [
        ("4x4", None, 288),
        ("4x4+diagonals", None, 48),
        ("5x5", None, 161280),
        ("6x6", None, 28_200_960),
        ("6x6", ["row", "column"], 812_851_200),
        ("7x7", None, 61_479_419_904_000),
        ("latin:8x8", None, 108_776_032_459_082_956_800),
        ("8x8", None, 29_136_487_207_403_520),
        pytest.param("9x9", None, 6_670_903_752_021_072_936_960, marks=pytest.mark.slow),
        ("4x4x4", None, 768),
        ("4x4x4", CUBE_RULES[:3], 55_296),
        ("4x4x4", CUBE_RULES[:4], 21_888),
        ("4x4x4", CUBE_RULES[:5], 10_368),
        ("4x4x4", [CUBE_RULES[0], *CUBE_RULES[2:]], 82_944),
        ("4x4x4", ["row-x", "row-y", "box-xy"], 288**4),
    ],
)
def test_empty_boards(name: str, rules: list[str] | None, known: int) -> None:
    """Empty boards."""
    assert frontier.count(Puzzle.of(board(name, rules)), never) == known


def test_beyond_machine_word() -> None:
    """A count of more than a machine word is exact cell by cell."""
    # Any values on the diagonal, and the rest of each row in any order.
    puzzle = Puzzle.of(board("7x7+diagonals", ["row", "diagonal"]))
    (part,) = transfer_matrix.ways(puzzle, puzzle.candidates)
    assert part[0].follow(None, never, 10**9) == factorial(7) * factorial(6) ** 7


@pytest.mark.parametrize(("givens", "known"), [(TEN_THOUSAND, 10_810), (MILLION, 943_676)])
def test_bands_and_stacks(givens: str, known: int) -> None:
    """Bands stacks and the choice between them agree."""
    puzzle = Puzzle.of(board("9x9"), list(map(int, givens)))
    assert by_bands(puzzle, "bands") == by_bands(puzzle, "stacks") == frontier.count(puzzle, never) == known
    assert by_tables(puzzle) == {known}


def test_boxes_without_completion() -> None:
    """Boxes that nothing completes make no solution."""
    # Singles find nothing here.
    text = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
    puzzle = Puzzle.of(board("9x9"), [int(symbol) if symbol.isdigit() else 0 for symbol in text])
    assert propagated_candidates(puzzle) is not None
    assert frontier.count(puzzle, never) == 0


@pytest.mark.parametrize(
    ("givens", "known"),
    [case if case[1] < 10**10 else pytest.param(*case, marks=pytest.mark.slow) for case in BILLIONS.items()],
)
def test_billions(givens: str, known: int) -> None:
    """Billions are counted."""
    assert frontier.count(Puzzle.of(board("9x9"), list(map(int, givens))), never) == known


@pytest.mark.slow
@pytest.mark.parametrize("givens", list(BILLIONS)[:1])
def test_billions_by_cell(givens: str) -> None:
    """Billions are split by the values of a cell."""
    blank = givens.rindex("0")
    parts = [f"{givens[:blank]}{value}{givens[blank + 1 :]}" for value in range(1, 10)]
    assert (
        sum(frontier.count(Puzzle.of(board("9x9"), list(map(int, part))), never) for part in parts) == BILLIONS[givens]
    )


@pytest.mark.slow
@pytest.mark.parametrize("givens", list(BILLIONS)[:1])
def test_representatives(givens: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Partitions that stand for others change no count."""
    found: list[int] = []
    honest = band_tables.weights

    def each_for_itself(partitions: Uint64s, values: Int64s, lines: Candidates) -> Int64s:
        found.append(int(honest(partitions, values, lines).max()))
        return np.ones(len(partitions), np.int64)

    puzzle = Puzzle.of(board("9x9"), list(map(int, givens)))
    monkeypatch.setattr(band_tables, "weights", each_for_itself)
    assert by_tables(puzzle) == {BILLIONS[givens]}
    assert max(found) > 1


def test_exchanges() -> None:
    """Partitions stand for what exchanges make of them."""
    columns = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}], [{3, 4, 5}, {0, 1, 2}, {6, 7, 8}], [{0, 1, 3}, {2, 4, 5}, {6, 7, 8}]
    words = [sum(1 << 9 * line + value for line, held in enumerate(one) for value in held) for one in columns]
    partitions = np.array(words, np.uint64)
    same, apart = np.zeros((3, 9, 9), bool), np.zeros((3, 9, 9), bool)
    apart[np.arange(3), :, np.arange(3)] = True
    alone, two = np.arange(9), np.array([0, 1, 2, 2, 4, 5, 6, 7, 8])
    assert band_tables.weights(partitions, alone, apart).tolist() == [1, 1, 1]
    assert sorted(band_tables.weights(partitions, alone, same).tolist()) == [0, 1, 2]
    assert sorted(band_tables.weights(partitions, two, apart).tolist()) == [0, 1, 2]
    assert sorted(band_tables.weights(partitions, two, same).tolist()) == [0, 0, 3]


def test_too_large_tables() -> None:
    """Tables that take too much memory are not made."""
    candidates = propagated_candidates(Puzzle.of(board("9x9"), list(map(int, list(BILLIONS)[2]))))
    assert candidates is not None
    for max_bytes in (10**4, 10**6, 10**7):
        with pytest.raises(OutOfTableMemory, match="memory limit"):
            box_fillings.plans(candidates, never, max_bytes)
    assert all(plan.bytes <= 4 * 10**7 for plan in box_fillings.plans(candidates, never, 4 * 10**7))


@pytest.mark.parametrize("name", ["6x6", "6x6:3x2", "8x8"])
def test_two_rows_of_boxes(name: str) -> None:
    """Two rows of boxes are counted in two ways."""
    geometry = board(name)
    empty = Puzzle.of(geometry)
    assert empty_two_row_boxes.fits(geometry, empty.candidates)
    width = geometry.n_values // 2
    found = empty_two_row_boxes.classes(width, never)
    # Every choice of sets is in one class.
    assert sum(found.values()) == comb(2 * width, width) ** width
    halves = empty_two_row_boxes.halves(list(found), never)
    total = sum(size * ways**2 for size, ways in zip(found.values(), halves, strict=True))
    (part,) = transfer_matrix.ways(empty, empty.candidates)
    # Cell by cell the 8x8 takes 6 s, and its number is a published one.
    other = 29_136_487_207_403_520 if name == "8x8" else part[0].follow(None, never, 10**9)
    assert total == frontier.count(empty, never) == other


def test_half_board() -> None:
    """Half of a board is filled as often as a plain count says."""
    # The rows {1, 2, 3}, {4, 5, 6}; {1, 2, 4}, {3, 5, 6}; {1, 5, 6}, {2, 3, 4}, and columns that hold each value once.
    rows = [permutations(row) for row in ((1, 2, 3), (4, 5, 6), (1, 2, 4), (3, 5, 6), (1, 5, 6), (2, 3, 4))]
    plain = sum(all(len(set(column)) == 6 for column in zip(*grid, strict=True)) for grid in product(*rows))
    sets = ({1, 2, 3}, {1, 2, 4}, {1, 5, 6})
    places = [sum((value in some) << band for band, some in enumerate(sets)) for value in range(1, 7)]
    assert empty_two_row_boxes.halves([tuple(np.bincount(places, minlength=8).tolist())], never) == [plain]
    assert plain > 0


@pytest.mark.slow
def test_kinds_of_10x10_halves() -> None:
    """The kinds of halves of the 10x10 are 355 and one is counted."""
    found = empty_two_row_boxes.classes(5, never)
    assert len(found) == 355
    assert sum(found.values()) == comb(10, 5) ** 5
    # From the other half of such a board, as givens, the way cell by cell counts the same, in 14 s.
    places = {0: 4, 15: 1, 23: 1, 27: 1, 29: 1, 30: 1, 31: 1}
    choice = tuple(places.get(place, 0) for place in range(32))
    assert found[choice] == 4_838_400
    assert empty_two_row_boxes.halves([choice], never) == [1_517_322_240]
    with pytest.raises(StoppedError, match="enough"):
        empty_two_row_boxes.halves([choice], after(2))


def test_equal_bands() -> None:
    """Halves whose bands are all alike are pairs of latin squares."""
    # Two Latin rectangles, one on top of the other in every row.
    for width, latin_squares in ((3, 12), (4, 576)):
        alike = (width, *[0] * (2**width - 2), width)
        assert empty_two_row_boxes.halves([alike], never) == [latin_squares**2]


def test_bands_refused() -> None:
    """Bands need three of them and no rule across them."""
    kinds = {name: list(band_join.bands(board(name))) for name in ("9x9", "6x6", "6x6:3x2", "8x8", "12x12", "9x9x9")}
    assert kinds == {
        "9x9": ["bands", "stacks"],
        "6x6": ["bands"],
        "6x6:3x2": ["stacks"],
        "8x8": [],
        "12x12": ["stacks"],
        "9x9x9": [],
    }
    assert band_join.bands(board("9x9+diagonals")) == band_join.bands(board("9x9", ["box"])) == {}
    assert list(band_join.bands(board("9x9", ["column", "box"]))) == ["bands"]


@pytest.mark.slow
def test_memory_limit() -> None:
    """Memory is limited."""
    for puzzle in (Puzzle.of(board("9x9"), [1, *[0] * 80]), Puzzle.of(board("9x9x9")), Puzzle.of(board("12x12"))):
        with pytest.raises(StoppedError, match="memory limit"):
            frontier.count(puzzle, never, 10**6)


@pytest.mark.parametrize("max_bytes", [30_000, 100_000])
def test_split_by_cell(max_bytes: int) -> None:
    """What needs too much memory is counted by the values of a cell."""
    puzzle = Puzzle.of(board("6x6+diagonals"))
    steps = said(frontier.explain(puzzle, never, max_bytes))
    assert any("; so each value of the cell r3c3 by itself" in line for line in steps)
    assert steps[-1] == f"{frontier.count(puzzle, never):,} solutions"


def counted_in_slices(puzzle: Puzzle) -> int:
    """The number of solutions, where the memory is enough only when two more cells are settled."""
    enough = np.count_nonzero(puzzle.givens) + 2
    honest = frontier._count_whole

    def counted(part: Puzzle, tick: Callable[[], None], max_bytes: int) -> Generator[str, None, int]:
        candidates = propagated_candidates(part)
        if np.count_nonzero(part.givens) < enough and candidates is not None and (candidates.sum(axis=1) > 1).any():
            raise OutOfTableMemory("memory limit", 1.0)
        return (yield from honest(part, tick, max_bytes))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier, "_count_whole", counted)
        patch.setattr(frontier, "MAX_SLICES", 100)
        return frontier.count(puzzle, never)


@given(puzzle=puzzles(["4x4", "6x6", "6x6+diagonals", JIGSAW, "4x4x4"], most_open=0.9, fewer_rules=True))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_slices(puzzle: Puzzle) -> None:
    """Slices add up to what SAT lists."""
    assert counted_in_slices(puzzle) == len(all_by_sat(puzzle))


@pytest.mark.parametrize(("name", "known"), [("4x4", 288), ("6x6", 28_200_960), ("4x4x4", 768)])
def test_slices_of_empty_boards(name: str, known: int) -> None:
    """Slices of empty boards stand for all values that nothing tells apart."""
    assert counted_in_slices(Puzzle.of(board(name))) == known


def test_fallback_to_cells() -> None:
    """Where bands take too much memory the way cell by cell is tried."""
    puzzle = Puzzle.of(board("9x9"), list(map(int, MILLION)))
    with pytest.raises(OutOfTableMemory, match=r"memory limit of .* bytes: over .* states at cell"):
        list(band_join.count(puzzle.geometry, puzzle.candidates, "bands", never, 10**5))
    steps: list[Step] = []
    with pytest.raises(StoppedError, match="memory limit"):
        steps.extend(frontier.explain(puzzle, never, 10**5))
    assert any(line.endswith("; another way instead") for line in said(steps))
    assert any(line.endswith("; cell by cell instead") for line in said(steps))


@pytest.mark.parametrize("puzzle", [Puzzle.of(board("8x8")), Puzzle.of(board("9x9"), list(map(int, HUNDRED_MILLION)))])
def test_ticks(puzzle: Puzzle) -> None:
    """Ticks come again and again and end the count."""
    with pytest.raises(StoppedError, match="enough"):
        frontier.count(puzzle, after(9))


def test_explained() -> None:
    """It is explained."""
    assert said(frontier.explain(Puzzle.of(board("4x4")), never)) == [
        "singles leave 16 of 16 cells open",
        "11 different parts of 16 open cells",
        "288 solutions",
    ]
    puzzle = Puzzle.of(board("9x9"), list(map(int, MILLION)))
    assert frontier.plan(puzzle) == "tables of the values that bands or stacks put into the lines across them"
    assert said(frontier.explain(puzzle, never))[-4:] == [
        "stack 1: 7,992 fillings in a table of 8,400",
        "stack 2: 26,240 fillings in a table of 35,552",
        "stack 3: 33,408 fillings in a table of 12,288",
        "943,676 solutions",
    ]
    without = Puzzle.of(board("9x9", ["column", "box"]), list(map(int, MILLION)))
    assert (
        frontier.plan(without)
        == frontier.plan(Puzzle.of(board("4x4")))
        == "connected parts of the open cells, each once"
    )
    assert frontier._describe_cells(without, without.candidates).endswith("4,096 states; else by bands")
    clash = Puzzle.of(board("4x4"), [1, 1, *[0] * 14])
    assert said(frontier.explain(clash, never)) == [
        "singles find a contradiction",
        "no solution: r1c1 and r1c2 can both hold 1 only (row 1, box 1)",
    ]
    assert frontier.plan(clash) == "singles find a contradiction"
    full = next(iter(solutions(Puzzle.of(board("4x4")), "sat", Deadline(1))))[0]
    assert frontier.plan(Puzzle.of(board("4x4"), full)) == "singles settle every cell"


def test_too_many_values() -> None:
    """Boards of too many values are refused."""
    assert frontier.unsupported_reason(board("64x64")) == ""
    assert frontier.unsupported_reason(board("65x65")) == "it supports at most 64 values"


# The first value is the only one of its cell, the second cell has none, or two, and lies in no unit.
@pytest.mark.parametrize(
    ("name", "rules", "loose", "marks", "known"),
    [
        ("2x2+diagonals", ["diagonal"], 1, [], 0),
        ("2x2+diagonals", ["diagonal"], 1, [2], 4),
        ("2x2+diagonals", ["diagonal"], 1, [1, 2], 8),
        ("3x3+diagonals", ["diagonal"], 1, [], 0),
        ("4x4+diagonals", ["diagonal"], 1, [], 0),
        ("4x4+diagonals", ["diagonal", "antidiagonal"], 1, [], 0),
        ("4x4+diagonals", ["diagonal"], 1, [1, 3], 24 * 2 * 4**11),
        ("4x4+windoku", ["window"], 0, [], 0),
        ("4x4+windoku", ["window"], 0, [4], 24 * 4**11),
        ("9x9+diagonals", ["diagonal"], 1, [], 0),
    ],
)
def test_cell_without_unit(name: str, rules: list[str], loose: int, marks: list[int], known: int) -> None:
    """A cell in no unit holds one of its candidates and none is no solution."""
    geometry = board(name, rules)
    assert not len(geometry.peers[loose])
    allowed = np.ones((geometry.n_cells, geometry.n_values), bool)
    allowed[loose] = np.isin(np.arange(1, geometry.n_values + 1), marks)
    puzzle = Puzzle.of(geometry, pencilmarks=allowed)
    assert frontier.count(puzzle, never) == known
    assert (propagated_candidates(puzzle) is None) == (not marks)
