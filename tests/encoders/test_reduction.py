"""Reduction before encoding: it removes candidates, never a solution, and names what it finds impossible."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.reduction import contradictions, reduce, reduce_all
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import MethodError
from sudoku_encode.papers import brute_force
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import literal_cube, square
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import sat
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import CLASHES, STRIP

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EASY_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


def read(geometry: Geometry, text: str, marks: np.ndarray | None = None) -> Puzzle:
    return Puzzle.of(geometry, [int(symbol) if symbol.isdigit() else 0 for symbol in text], pencilmarks=marks)


def solve(puzzle: Puzzle, reduction: str) -> set[bytes]:
    encoded = encode(puzzle, "extended", reduction=reduction)
    return {grid.tobytes() for batch in sat.solutions(encoded, Deadline(20_000)) for grid in batch}


def test_singles_solve() -> None:
    """Singles alone solve an easy puzzle."""
    left = reduce(read(square(9), EASY), "singles")

    assert left.decided.all()
    assert "".join(map(str, left.candidates.argmax(axis=1) + 1)) == EASY_SOLVED
    assert (left.candidates.sum(axis=1) == 1).all()


def test_no_variables_left() -> None:
    """An easy puzzle leaves no variable."""
    encoded = encode(read(square(9), EASY))

    assert (encoded.cnf.n_variables, encoded.cnf.n_clauses) == (0, 0)
    assert solve(read(square(9), EASY), "singles") == {bytes(map(int, EASY_SOLVED))}


def test_hidden_singles() -> None:
    """Hidden singles are found where no cell has one candidate."""
    # The four 1s leave the first box one cell for its own.
    givens = np.zeros((9, 9), int)
    for row, column in ((1, 3), (2, 6), (3, 1), (6, 2)):
        givens[row, column] = 1
    left = reduce(Puzzle.of(square(9), givens), "singles")

    assert left.candidates[0].tolist() == [True] + [False] * 8
    assert left.decided[0]
    assert not reduce(Puzzle.of(square(9), givens), "givens").decided[0]


def test_full_units_only() -> None:
    """Hidden singles are looked for in full units only."""
    # In a unit of three cells and four values a value with one cell left need not go there.
    marks = np.ones((6, 4), bool)
    marks[1:3, 0] = False
    puzzle = Puzzle.of(STRIP, pencilmarks=marks)

    assert reduce(puzzle, "singles").candidates[0].all()
    assert solve(puzzle, "singles") == {bytes(grid) for grid in by_hand(puzzle)}


def test_one_pass_of_givens() -> None:
    """Level givens is one pass only."""
    # r1c4 can only be 4 then, but its peers keep their 4.
    puzzle = read(square(4), "123.............")
    left = reduce(puzzle, "givens")

    assert left.candidates[3].tolist() == [False, False, False, True]
    assert left.decided.tolist() == [True] * 3 + [False] * 13
    assert left.candidates[7].tolist() == [True, True, False, True]
    assert not left.contradiction
    further = reduce(puzzle, "singles")
    assert further.decided[3]
    assert further.candidates[7].tolist() == [True, True, False, False]


def test_last_candidate_stays() -> None:
    """A blank with one candidate left stays a variable with a clause."""
    puzzle = read(square(4), "123.............")
    encoded = encode(puzzle, "minimal", reduction="givens")

    literal = encoded.literals[3, 3, 0]
    assert literal > 0
    assert [int(literal)] in [clause for chunk in encoded.cnf.chunks() for clause in chunk.tolist()]
    assert solve(puzzle, "givens") == {bytes(grid) for grid in by_hand(puzzle)}


def test_level_none() -> None:
    """Level none leaves out nothing."""
    left = reduce(read(square(4), "1...1..........."), "none")

    assert left.candidates.all()
    assert not left.decided.any()
    assert not left.contradiction


@pytest.mark.parametrize("level", ["givens", "singles"])
@pytest.mark.parametrize(
    ("text", "marks", "reason"),
    [
        ("1..1............", {}, "r1c1 and r1c4 are peers and both hold 1"),
        ("123....4........", {}, "r1c4 has no candidate left"),
        ("................", {5: []}, "r2c2 has no candidate left"),
        ("................", {0: [2], 2: [2]}, "r1c1 and r1c3 are peers and both must hold 2"),
        ("................", {0: [1, 2], 1: [1, 2], 2: [1, 2], 3: [1, 2]}, "no cell is left for 3 in the row of r1c1"),
    ],
)
def test_contradiction_named(level: str, text: str, marks: dict[int, list[int]], reason: str) -> None:
    """A contradiction is named."""
    allowed = np.ones((16, 4), bool)
    for cell, values in marks.items():
        allowed[cell] = [value in values for value in range(1, 5)]
    puzzle = read(square(4), text, allowed if marks else None)

    assert reduce(puzzle, level).contradiction == reason
    assert not list(by_hand(puzzle))
    assert encode(puzzle, reduction=level).contradiction == reason


def test_unknown_level() -> None:
    """An unknown level is refused with those there are."""
    with pytest.raises(MethodError, match="no reduction is called 'some'; choose from none, givens, singles"):
        reduce(Puzzle.of(square(4)), "some")


def test_puzzle_unchanged() -> None:
    """Reduction does not change the puzzle."""
    marks = np.ones((81, 9), bool)
    puzzle = read(square(9), EASY, marks)
    before = puzzle.candidates.copy()
    for level in REDUCTIONS:
        reduce(puzzle, level)

    assert marks.all()
    assert np.array_equal(puzzle.candidates, before)


BOARDS = [
    square(4),
    board("4x4+diagonals"),
    board("4x4", ["row", "box"]),
    board("jigsaw:aaabacbbccbdcddd"),
    STRIP,
]


@pytest.mark.slow
@given(
    which=st.integers(0, len(BOARDS) - 1),
    seed=st.integers(0, 10**6),
    share=st.floats(0.2, 0.8),
    crossed=st.integers(0, 12),
    random_given=st.booleans(),
)
@settings(derandomize=True, max_examples=120, deadline=None)
def test_solutions_survive(which: int, seed: int, share: float, crossed: int, random_given: bool) -> None:
    """Every solution survives and none is added."""
    chance = np.random.default_rng(seed)
    geometry = BOARDS[which]
    n = geometry.n_values
    some = next(by_hand(Puzzle.of(geometry, pencilmarks=_one_row(geometry, chance))), None)
    assume(some is not None)
    givens = np.where(chance.random(geometry.n_cells) < share, np.array(some), 0)
    if random_given:
        givens[chance.integers(geometry.n_cells)] = chance.integers(1, n + 1)
    marks = np.ones((geometry.n_cells, n), bool)
    marks[chance.integers(0, geometry.n_cells, crossed), chance.integers(0, n, crossed)] = False
    puzzle = Puzzle.of(geometry, givens, pencilmarks=marks)
    wanted = {bytes(grid) for grid in by_hand(puzzle)}

    assert solve(puzzle, "none") == wanted
    for level in ("givens", "singles"):
        left = reduce(puzzle, level)
        assert solve(puzzle, level) == wanted
        if left.contradiction:
            assert not wanted
        else:
            assert (left.candidates <= puzzle.candidates).all()
            assert all(left.candidates[range(len(grid)), np.array(list(grid)) - 1].all() for grid in wanted)


def _one_row(geometry: Geometry, chance: np.random.Generator) -> np.ndarray:
    """Fix the first three cells at random, so that not every example starts from the same grid."""
    marks = np.ones((geometry.n_cells, geometry.n_values), bool)
    order = chance.permutation(geometry.n_values)
    for cell in range(3):
        marks[cell] = np.arange(geometry.n_values) == order[cell]
    return marks


def test_clique_of_givens() -> None:
    """A clique of more cells than values is found in givens."""
    givens = np.zeros(64, int)
    givens[[0, 5]] = 2

    assert "are peers and both hold 2" in reduce(Puzzle.of(literal_cube(4), givens), "givens").contradiction


@pytest.mark.parametrize("level", ["givens", "singles"])
@pytest.mark.parametrize("name", CLASHES)
def test_whole_after_contradiction(name: str, level: str) -> None:
    """Where there is a contradiction all of the puzzle is left."""
    puzzle = CLASHES[name]()
    left = reduce(puzzle, level)

    assert left.contradiction or level == "givens"
    if left.contradiction:
        assert (left.candidates == puzzle.candidates).all()
        assert not left.decided.any()
    # Encoders leave out what decided cells say, since it is excluded from their peers.
    for cell in np.flatnonzero(left.decided):
        assert not left.candidates[puzzle.geometry.peers[cell]][:, left.candidates[cell]].any()


@pytest.mark.parametrize("name", ["4x4", "6x6", "jigsaw:1122112233443344", "latin:3x4"])
def test_many_contradictions(name: str) -> None:
    """Many contradictions are those of each puzzle and true."""
    geometry, random = board(name), np.random.default_rng(7)
    shape = (300, geometry.n_cells)
    is_given = random.random(shape) < random.uniform(0.05, 0.4, (300, 1))
    givens = np.where(is_given, random.integers(1, geometry.n_values + 1, shape), 0).astype(np.uint8)
    texts = contradictions(geometry, givens)
    assert texts == [reduce(Puzzle(geometry, row), "singles").contradiction for row in givens]
    assert tuple(texts) == reduce_all([Puzzle(geometry, row) for row in givens], "singles").contradictions
    assert {"both hold" in text for text in texts if text} == {True, False}
    assert "" in texts
    names = [geometry.cell_name(cell) for cell in range(geometry.n_cells)]
    pairs = {frozenset(pair) for pair in geometry.edges.tolist()}
    for row, text in zip(givens, texts, strict=True):
        puzzle = Puzzle(geometry, row)
        clashes = any(row[first] and row[first] == row[second] for first, second in geometry.edges.tolist())
        assert ("both hold" in text) == clashes
        if clashes:
            first, second = (names.index(word) for word in text.split() if word in names)
            assert frozenset((first, second)) in pairs
            assert row[first] == row[second] == int(text.split()[-1])
        assert not text or next(brute_force.solutions(puzzle, lambda: None), None) is None


def test_no_puzzles() -> None:
    """No puzzles have no contradictions."""
    assert contradictions(board("4x4"), np.zeros((0, 16), np.uint8)) == []
