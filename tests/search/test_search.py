"""The exhaustive search: lists, counts, splits, estimates and batches agree with SAT on every kind of board."""

import threading
from collections.abc import Callable
from math import factorial, inf, isfinite, log10, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode import frontier, search
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.counting import tally
from sudoku_encode.search.part import count_part, first_parts, split
from sudoku_encode.search.probes import estimate
from sudoku_encode.search.state import AnyState, any_state, masks_of
from sudoku_encode.search.vectors9 import Vectors9State, is_plain
from tests.helpers.known_puzzles import KNOWN, method_names
from tests.helpers.long_searches import MANY, STRIP, TEN_THOUSAND
from tests.helpers.puzzles import JIGSAW, cube_of_layers, filled, puzzles
from tests.helpers.solution_sets import after, all_by_sat, different, never, rows_of, written_down

CASES = [case for case in KNOWN if "search" in method_names(case)]

BOARDS = (
    *("4x4", "5x5", "6x6:2x3", "6x6:3x2", "9x9", "9x9+diagonals+windoku", "4x4x4", JIGSAW),
    *("4x4x4, two rules", "9x9, no boxes", "short units"),
)


def of(text: str) -> Puzzle:
    return Puzzle.of(board("9x9"), [int(symbol) for symbol in text.replace(".", "0")])


def generic(puzzle: Puzzle) -> AnyState:
    """A search by the kernel for any board, also where the board is the plain 9x9 one."""
    return any_state(puzzle.geometry, masks_of(puzzle))


def test_both_kernels() -> None:
    """Both kernels are tried on puzzles with none one and many solutions."""
    plain = {case.count for case in CASES if is_plain(case.puzzle.geometry)}
    others = {case.count for case in CASES if not is_plain(case.puzzle.geometry)}

    assert {0, 1, 127} <= plain
    assert {0, 1, 288} <= others
    assert {case.board.split(":")[0] for case in CASES} >= {"4x4", "6x6", "jigsaw", "4x4x4", "9x9x9"}


@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_same_as_sat(puzzle: Puzzle) -> None:
    """It finds the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    assert different(search.solutions(puzzle, never)) == expected
    assert search.count(puzzle, never) == len(expected)


@given(puzzle=puzzles(["9x9"]))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_general_kernel_on_9x9(puzzle: Puzzle) -> None:
    """The kernel for any board does the plain one too."""
    expected = all_by_sat(puzzle)
    out, state, found = np.empty((1000, 81), np.uint8), generic(puzzle), 0
    while not search.finished(state):
        found += search.advance(state, out[found:])
    assert different([out[:found]]) == expected


FURTHER = ("9x9+diagonals", "9x9+windoku", "9x9+diagonals+windoku")


@given(puzzle=puzzles(FURTHER))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_further_units(puzzle: Puzzle) -> None:
    """The 9x9 with further units is searched in vectors, and has the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    assert isinstance(search.start(puzzle), Vectors9State)
    assert different(search.solutions(puzzle, never)) == expected
    assert search.count(puzzle, never) == len(expected)


@pytest.mark.parametrize("name", FURTHER)
def test_further_units_count(name: str) -> None:
    """With few givens it counts what the kernel for any board counts."""
    full, chance, counts = filled(name), np.random.default_rng(1), []
    least = 10 if name == "9x9+diagonals+windoku" else 14
    for n_givens in (*range(least, least + 4), *range(least, least + 4)):
        puzzle = Puzzle.of(board(name), np.where(chance.permutation(81) < n_givens, full, 0))
        counts.append(search.count(puzzle, never))
        assert counts[-1] == search.tally(generic(puzzle), never)
    assert max(counts) > 100


def test_pairs_in_further_unit() -> None:
    """Two fillings of the plain board that repeat a value on the diagonal are not counted unseen."""
    puzzle = of("..57836949435628718769412356.78.5943.983.4567354697128569478312781239456432156789")
    diagonal = "extra-region " + " ".join(f"r{number}c{number}" for number in range(1, 10))
    assert search.count(puzzle, never) == 2
    assert search.count(Puzzle.of(puzzle.geometry, puzzle.givens, constraints=[diagonal]), never) == 0


def test_units_of_other_sizes() -> None:
    """Only units of nine cells are further units of the vectors."""
    for size, kind in ((9, Vectors9State), (8, AnyState)):
        region = " ".join(f"r{number + 1}c{2 * number % 9 + 1}" for number in range(size))
        puzzle = lower_puzzle(Puzzle.of(board("9x9"), constraints=[f"extra-region {region}"])).puzzle
        assert isinstance(search.start(puzzle), kind)


@given(puzzle=puzzles(BOARDS, marked=False), limit=st.integers(1, 30), data=st.data())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_batch(puzzle: Puzzle, limit: int, data: st.DataObject) -> None:
    """A batch gives each puzzle its first solution and its count."""
    expected = all_by_sat(puzzle)
    chance = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    rows = np.repeat(puzzle.givens[None], 3, axis=0)
    rows[2, chance.integers(len(puzzle.givens))] = chance.integers(1, puzzle.geometry.n_values + 1)
    fewer = all_by_sat(Puzzle.of(puzzle.geometry, rows[2]))
    grids, counts, _ = search.batch(puzzle.geometry, rows, limit, never)

    for grid, found, all_of_them in zip(grids, counts, (expected, expected, fewer), strict=True):
        assert found == min(limit, len(all_of_them))
        assert tuple(grid.tolist()) in all_of_them if found else not grid.any()


@pytest.mark.parametrize("name", ["9x9", "6x6:2x3", "4x4x4"])
def test_two_threads(name: str) -> None:
    """Two threads on two halves find what one finds."""
    chance = np.random.default_rng(5)
    full = filled(name)
    rows = np.where(chance.random((200, len(full))) < 0.55, 0, full).astype(np.uint8)
    whole = search.batch(board(name), rows, 100, never)
    halves = [whole, whole]

    def work(half: int) -> None:
        halves[half] = search.batch(board(name), rows[100 * half : 100 * half + 100], 100, never)

    threads = [threading.Thread(target=work, args=(half,)) for half in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for part in range(2):
        assert np.array_equal(np.concatenate([half[part] for half in halves]), whole[part])


def test_empty_batch() -> None:
    """An empty batch is empty."""
    grids, counts, given_up = search.batch(board("9x9"), np.empty((0, 81), np.uint8), 2, never)
    assert grids.shape == (0, 81)
    assert counts.shape == given_up.shape == (0,)


@pytest.mark.parametrize("name", ["9x9", "9x9+diagonals"])
def test_slow_puzzle_given_up(name: str) -> None:
    """A puzzle that takes too long is given up and those after it are not."""
    full = filled(name)
    one = np.where(np.arange(81) < 3, 0, full)
    rows = np.stack([one, np.zeros(81, np.uint8), one, np.zeros(81, np.uint8)]).astype(np.uint8)
    grids, counts, given_up = search.batch(board(name), rows, 2**62, never, seconds=0.05)

    assert given_up.tolist() == [False, True, False, True]
    assert counts[0] == counts[2] == 1
    assert (counts[[1, 3]] > 1).all()
    assert (grids[[0, 2]] == full).all()


@given(puzzle=puzzles(BOARDS), size=st.integers(1, 7), work=st.integers(1, 40))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_resumed(puzzle: Puzzle, size: int, work: int) -> None:
    """A search that is left again and again and written down finds the same."""
    expected = all_by_sat(puzzle, 100)
    at_once = rows_of(search.solutions(puzzle, never))
    state, found = search.start(puzzle), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "CELLS_PER_CALL", 100 * work)
        patch.setattr(search, "FRAMES_PER_CALL", work)
        while not search.finished(state):
            out = np.zeros((size, puzzle.geometry.n_cells), np.uint8)
            found += rows_of([out[: search.advance(state, out)]])
            state = written_down(state)
        assert search.count(puzzle, never) == len(expected)

    assert found == at_once
    assert search.advance(state, out) == 0


@given(puzzle=puzzles(BOARDS), parts=st.integers(1, 40))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_parts_cover(puzzle: Puzzle, parts: int) -> None:
    """The parts of a puzzle have its solutions between them."""
    expected = all_by_sat(puzzle, 300)
    pieces = split(puzzle, parts)

    assert different(grids for piece in pieces for grids in search.solutions(piece, never)) == expected
    assert len(pieces) >= min(parts, len(expected))


@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_estimate(puzzle: Puzzle) -> None:
    """An estimate is near the number of solutions."""
    expected = all_by_sat(puzzle)
    guess = estimate(puzzle, 3000, 1)

    assert abs(guess.solutions - len(expected)) <= 6 * guess.solutions_error + 1e-9 + 0.05 * len(expected)
    assert guess.nodes >= 1
    assert all(isfinite(figure) for figure in guess[:4])
    assert guess == estimate(puzzle, 3000, 1)


def test_estimate_of_many() -> None:
    """An estimate of many solutions is within some errors."""
    guess = estimate(of(TEN_THOUSAND), 20_000, 3)

    assert abs(guess.solutions - 10_810) < 4 * guess.solutions_error < 2_000
    assert guess.nodes > 10_810
    assert estimate(of(TEN_THOUSAND), 20_000, 4) != guess
    assert isfinite(estimate(of(TEN_THOUSAND), 1, 0).solutions_error)
    nine_layers = Puzzle.of(board("9x9x9", ["row-x", "row-y", "box-xy"]))
    assert isfinite(estimate(nine_layers, 10, 0).solutions_error)


def test_estimate_above_floats() -> None:
    """An estimate above the largest float has a finite logarithm, and the logarithm of a small one is exact."""
    # Each probe of a Latin line without conflicts meets the same number.
    lines = estimate(Puzzle.of(board("9x9x9", ["row-x"])), 10, 0)

    assert (lines.solutions, lines.text) == (inf, "10^450")
    assert lines.log10_solutions == pytest.approx(81 * log10(factorial(9)))
    small = estimate(of(TEN_THOUSAND), 100, 0)
    assert small.log10_solutions == pytest.approx(log10(small.solutions))
    assert estimate(Puzzle.of(board("9x9x9:literal")), 10, 0).log10_solutions == -inf


@pytest.mark.parametrize(
    ("givens", "barred", "powers"),
    [
        ({}, [], [4]),
        ({0: 1}, [], [1, 3]),
        ({0: 1, 16: 2}, [], [2, 2]),
        ({0: 1, 22: 1}, [], [1, 1, 2]),
        # Pencilmarks: the cells stay open, and only the candidates differ.
        ({}, [(0, 1), (16, 2)], [2, 2]),
        ({}, [(0, 1), (21, 1), (32, 1), (33, 1)], [1, 1, 1, 1]),
    ],
)
def test_equal_parts_once(givens: dict[int, int], barred: list[tuple[int, int]], powers: list[int]) -> None:
    """Layers of a cube that differ at most in the names of values are counted once."""
    puzzle, layers = cube_of_layers(givens, barred)
    expected = prod(tally(calls.solutions(layer, "sat")).value for layer in layers)

    assert sorted(factor.power for factor in search.factors(lower_puzzle(puzzle), never)) == powers
    assert search.count(puzzle, never) == expected
    assert count_part(puzzle, None, (first_parts(puzzle, 1)[0], 60)).value == expected
    assert frontier.count(puzzle, never) == expected


def test_million_solutions() -> None:
    """A million solutions are counted, and ten thousand are listed."""
    found = list(search.solutions(of(TEN_THOUSAND), never))
    grids = np.concatenate(found)

    assert search.count(of(TEN_THOUSAND), never) == len(grids) == 10_810
    assert len(np.unique(grids.view("S81"))) == len(grids)
    assert search.count(of(MANY), never) == 943_676
    assert [len(batch) for batch in found[:5]] == [1, 2, 4, 8, 16]


@pytest.mark.parametrize("name", ["9x9", "4x4"])
def test_batches_independent(name: str) -> None:
    """A batch is not changed by the next one."""
    puzzle = of(TEN_THOUSAND) if name == "9x9" else Puzzle.of(board("4x4"))
    kept = [(batch, batch.copy()) for batch in search.solutions(puzzle, never, 100)]

    assert all(np.array_equal(batch, copy) for batch, copy in kept)
    assert max(len(batch) for batch, _ in kept) == 100


def test_plain_board() -> None:
    """The plain board is told by its units."""
    jigsaw = board("jigsaw:" + "".join(f"{3 * (row // 3) + column // 3}" for row in range(9) for column in range(9)))

    assert isinstance(search.start(Puzzle.of(jigsaw)), Vectors9State)
    assert isinstance(search.start(Puzzle.of(square(9))), Vectors9State)
    for other in ("9x9:1x9", "4x4", "9x9x9:literal"):
        assert isinstance(search.start(Puzzle.of(board(other))), AnyState)
    assert isinstance(search.start(Puzzle.of(board("9x9", ["row", "column"]))), AnyState)


def test_64_values() -> None:
    """A board of 64 values is done and one of more is refused."""
    row, column = np.divmod(np.arange(64 * 64), 64)
    full = ((8 * (row % 8) + row // 8 + column) % 64 + 1).astype(np.uint8)
    puzzle = Puzzle.of(board("64x64"), np.where(np.random.default_rng(1).random(64 * 64) < 0.2, 0, full))

    assert not list(violations(puzzle, full))
    assert not search.unsupported_reason(puzzle.geometry)
    assert tuple(full.tolist()) in rows_of(search.solutions(puzzle, never))
    assert search.unsupported_reason(board("65x65")) == "it supports at most 64 values"
    with pytest.raises(MethodError, match="65x65: it supports at most 64 values"):
        search.start(Puzzle.of(board("65x65")))


def test_oversized_unit() -> None:
    """A board with more cells in a unit than values has no solution."""
    puzzle = Puzzle.of(board("9x9x9:literal"))

    assert search.count(puzzle, never) == 0
    assert list(search.solutions(puzzle, never)) == []
    assert split(puzzle, 5) == []
    assert estimate(puzzle, 10, 0).solutions == 0
    assert search.batch(puzzle.geometry, puzzle.givens[None], 2, never)[1].tolist() == [0]


def test_product_of_parts() -> None:
    """Parts that share nothing are multiplied beyond what a word holds."""
    # Twelve units of three cells, with three different values out of 16 each.
    rule = Rule("row", np.arange(36, dtype=np.int32).reshape(12, 3))
    puzzle = Puzzle.of(Geometry("strips", (6, 6), 16, (rule,)))

    assert search.count(puzzle, never) == (16 * 15 * 14) ** 12


def test_paired_states() -> None:
    """A state of pairs is counted twice for each part that turns round."""
    full_grid = filled("9x9").reshape(9, 9)
    blank = full_grid.copy()
    for value in (1, 2):
        blank[full_grid == value] = 0
    expected = all_by_sat(Puzzle.of(board("9x9"), blank.ravel()))

    assert expected is not None
    assert search.count(Puzzle.of(board("9x9"), blank.ravel()), never) == len(expected) >= 2


def test_partial_units() -> None:
    """Pairs in units that need not hold every value are not counted twice."""
    marks = np.zeros((12, 4), bool)
    marks[np.arange(12), np.arange(12) % 3] = True
    # 12, 23, 34 in one unit: of the eight ways to choose, two have 2 twice and two 3 twice.
    marks[[0, 1, 2], [1, 2, 3]] = True
    puzzle = Puzzle.of(STRIP, pencilmarks=marks)

    assert len(different(search.solutions(puzzle, never))) == search.count(puzzle, never) == 4


@pytest.mark.parametrize("kind", [search.count, lambda puzzle, tick: list(search.solutions(puzzle, tick))])
@pytest.mark.parametrize("name", ["9x9", "6x6", "9x9x9", "16x16"])
def test_ticks(kind: Callable[[Puzzle, Callable[[], None]], object], name: str) -> None:
    """Ticks come again and again and end the search."""
    with pytest.raises(StoppedError, match="enough"):
        kind(Puzzle.of(board(name)), after(9))


def test_batch_tick() -> None:
    """A batch is stopped by its tick."""
    with pytest.raises(StoppedError, match="enough"):
        search.batch(board("9x9"), np.zeros((1, 81), np.uint8), 2**40, after(3))
