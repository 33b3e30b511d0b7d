"""The techniques of `hint`: puzzles that need each, and that nothing that goes is in a solution."""

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.methods.calls import solutions
from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import LOGIC, PENCIL_PAPER
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, violations
from sudoku_encode.questions.hinting import CONTRADICTION, OPEN, SOLVED, STUCK, Hint, solve_by_hand, steps
from sudoku_encode.questions.techniques.table import TECHNIQUES, Technique, choose_techniques
from sudoku_encode.run.limits import Deadline, Limits
from tests.helpers.known_puzzles import KNOWN, known
from tests.helpers.puzzles import nine
from tests.helpers.solution_sets import after, never
from tests.helpers.technique_puzzles import NEEDED, UNFINISHED

NAMES = [name for name, row in TECHNIQUES.items() if not row.of_constraints]
JIGSAWS = ("jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF", known("small/9x9-jigsaw.txt").board)
BOARDS = ("4x4", "6x6:2x3", "6x6:3x2", "9x9", "9x9+diagonals", "9x9+windoku", "12x12", "4x4x4", *JIGSAWS)


def up_to(name: str) -> list[Technique]:
    """The techniques before one in the table, and itself; of those that assume one solution only itself."""
    rows = [row for row in TECHNIQUES.values() if not row.assumes_unique or row.name == name]
    return rows[: [row.name for row in rows].index(name) + 1]


def test_table_matches_methods() -> None:
    """The techniques of logic are in the table and the methods have no others."""
    functions = [row.load() for row in TECHNIQUES.values()]
    known_ones = [repr(function) for function in functions]
    assert [repr(technique) for technique in LOGIC if repr(technique) not in known_ones] == []
    assert (len(PENCIL_PAPER), len(LOGIC)) == (10, 14)
    assert set(NEEDED) == set(NAMES)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in ("nested forcing net", "forcing net verity") else name
        for name in NAMES
    ],
)
def test_puzzle_needs_it(name: str) -> None:
    """A puzzle needs exactly this technique, and the sentences of its steps say cells, reason and what follows."""
    puzzle = nine(NEEDED[name])
    before = solve_by_hand(puzzle, up_to(name)[:-1])
    all_of_it = solve_by_hand(puzzle, up_to(name))

    assert before.ended == STUCK
    first = all_of_it.steps[len(before.steps)]
    assert first.technique == name == first.deduction.technique
    assert all_of_it.ended == (STUCK if name in UNFINISHED else SOLVED)
    assert all_of_it.hardest == name
    for step in all_of_it.steps:
        assert_said(puzzle, step)


def assert_said(puzzle: Puzzle, step: Hint) -> None:
    """The sentence of a step says technique, cells, reason and what follows."""
    said = str(step)
    assert said.startswith(f"{step.technique} in r")
    assert said.count(", so ") >= 1
    end = said.rpartition(", so ")[2]
    for at, value in step.places:
        assert end == f"{puzzle.geometry.cell_name(at)} is {value}"
    if not step.places and len(step.removes) < 9:
        assert all(puzzle.geometry.cell_name(at) in end and str(value) in end for at, value in step.removes)


def unsound(found: Deduction, truth: Candidates) -> bool:
    """Whether something goes that is in a solution, or comes against one."""
    if any(truth[cell, value - 1] for cell, value in found.removed):
        return True
    return found.placed is not None and np.flatnonzero(truth[found.placed[0]]).tolist() != [found.placed[1] - 1]


def faults(puzzle: Puzzle, truth: Candidates, rows: list[Technique], each: int) -> tuple[list[str], set[str]]:
    """Solve by steps, and now and then try every technique; return what is unsound, and what was found."""
    wrong, used = list[str](), set[str]()
    marks = Marks.of(puzzle)
    functions = [row.load() for row in rows]

    def look(found: Deduction) -> None:
        used.add(found.technique)
        if unsound(found, truth):
            wrong.append(f"{found}")

    for number, step in enumerate(logic.steps(marks, never, functions)):
        look(step)
        if number % each == each - 1:
            for function in functions:
                for found in function(marks, never):
                    assert found.removed or found.placed, found
                    assert all(marks.masks[cell] >> value - 1 & 1 for cell, value in found.removed), found
                    look(found)
    return wrong, used


def random_puzzle(geometry: Geometry, full: np.ndarray, seed: int) -> Puzzle:
    """A puzzle with one solution or several; every third one has pencilmarks."""
    chance = np.random.default_rng(seed)
    labels = chance.permutation(geometry.n_values) + 1
    values = labels[full.astype(np.intp) - 1]
    fewest = 0.05 if geometry.is_cube else 0.2
    given = chance.random(geometry.n_cells) < fewest + 0.3 * chance.random()
    marks = chance.random((geometry.n_cells, geometry.n_values)) < 0.4 + 0.4 * chance.random()
    marks[np.arange(geometry.n_cells), values - 1] = True
    return Puzzle.of(geometry, np.where(given, values, 0), marks if seed % 3 == 0 else None)


# On larger boards techniques are tried for seconds where the last of them is needed: seeds whose puzzles take less, one
# of each three with pencilmarks where there are three.
SEEDS = {"9x9": (0, 1), "9x9+diagonals": (0, 4), "9x9+windoku": (0, 1), "12x12": (1,)}
SEEDS |= {"4x4x4": (0, 2), JIGSAWS[1]: (0, 4)}
# These take a third of a second each.
QUICK = ("4x4", "6x6:2x3")


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in BOARDS]
)
def test_random_puzzles(name: str) -> None:
    """Nothing goes that is in a solution of a random puzzle."""
    geometry = board(name)
    full = next(iter(solutions(Puzzle.of(geometry), "sat", Deadline(1))))[0]
    several, used = 0, set[str]()
    for seed in SEEDS.get(name, range(36 if name == "4x4" else 9)):
        puzzle = random_puzzle(geometry, full, seed)
        truth = se.candidates(puzzle)
        assert truth.complete
        several += bool((truth.seen.sum(axis=1) > 1).any())
        wrong, found = faults(puzzle, truth.seen, choose_techniques(), each=9)
        assert wrong == [], seed
        used |= found
    assert several > 0
    assert len(used) > 5


@pytest.mark.slow
def test_known_squares() -> None:
    """Known squares are solved if they are unique and no solution is lost."""
    squares = [case for case in KNOWN if case.puzzle.geometry.n_cells <= 81]
    assert len(squares) > 90
    # All of them take half a minute.
    squares = squares[::12]
    assert {min(case.count, 2) for case in squares} == {0, 1, 2}
    for case in squares:
        found, truth = se.hints(case.puzzle), se.candidates(case.puzzle)
        assert (found.left | ~truth.seen).all() or case.count == 0, case.name
        if case.count == 1:
            assert found.ended == SOLVED, case.name
        else:
            assert found.ended == (STUCK if case.count else CONTRADICTION), case.name


@pytest.mark.slow
@pytest.mark.thorough
def test_hard_puzzles() -> None:
    """Nothing goes that is in the solution of a hard puzzle."""
    used: set[str] = set()
    for text in NEEDED.values():
        puzzle = nine(text)
        truth = se.candidates(puzzle).seen
        rows = choose_techniques(assume_unique=bool((truth.sum(axis=1) == 1).all()))
        wrong, found = faults(puzzle, truth, rows, each=30)
        assert wrong == []
        used |= found

    assert used == set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["9x9", "9x9+diagonals", *JIGSAWS])
def test_uniqueness(name: str) -> None:
    """Uniqueness is sound where there is one solution."""
    full = next(iter(solutions(Puzzle.of(board(name)), "sat", Deadline(1))))[0]
    unique = 0
    for seed in range(12):
        puzzle = random_puzzle(board(name), full, seed)
        truth = se.candidates(puzzle).seen
        if (truth.sum(axis=1) == 1).all():
            unique += 1
            wrong, _ = faults(puzzle, truth, choose_techniques(assume_unique=True), each=9)
            assert wrong == [], seed
    assert unique > 1


def test_pure() -> None:
    """A technique changes nothing itself."""
    marks = Marks.of(nine(NEEDED["nested forcing net"]))
    before = marks.masks.copy(), marks.blanks.copy()
    for row in TECHNIQUES.values():
        list(row.load()(marks, never))

    assert (marks.masks, marks.blanks) == before


def test_simplest_first() -> None:
    """The first step is the simplest and all steps lead to the solution."""
    puzzle = nine(NEEDED["W-wing"])
    found = se.hints(puzzle)

    assert found.ended == SOLVED
    assert found.hardest == "W-wing"
    assert found.n_blanks == 0
    assert not list(violations(puzzle, found.values))
    first = se.hint(puzzle)
    assert first is not None
    assert (first.technique, first.places, str(first)) == (
        *(found.steps[0].technique, found.steps[0].places),
        str(found.steps[0]),
    )
    assert [step.number for step in found.steps] == list(range(1, len(found.steps) + 1))


def test_steps_chain() -> None:
    """Each step begins where the one before ended."""
    found = se.hints(nine(NEEDED["ALS-XZ"]))
    for one, following in zip(found.steps, found.steps[1:], strict=False):
        left = one.candidates.copy()
        for cell, value in one.removes:
            assert left[cell, value - 1]
            left[cell, value - 1] = False
        assert (left == following.candidates).all()
        placed = one.values.copy()
        for cell, value in one.places:
            placed[cell] = value
        assert (placed == following.values).all()


def test_stopping_reason() -> None:
    """It says where it stops."""
    several = se.hints(known("papers/gtsps-fig-4.9.sdk").puzzle)
    assert several.ended == STUCK
    assert several.n_blanks > 0
    true = se.candidates(known("papers/gtsps-fig-4.9.sdk").puzzle).seen
    assert (several.left & true == true).all()

    none = se.hints("11" + 14 * ".", board="4x4")
    assert (none.ended, none.steps) == (CONTRADICTION, ())
    assert none.reason == "the givens clash: r1c1 and r1c2 both hold 1 (row 1, box 1)"
    assert se.hint("11" + 14 * ".", board="4x4") is None
    assert solve_by_hand(nine(NEEDED["W-wing"]), most=1).ended == OPEN
    assert se.hints(known("small/9x9-complete.sdm").puzzle).ended == SOLVED


def test_contradiction_by_nets() -> None:
    """A contradiction that nets find is told."""
    # Without a solution, though singles alone do not show it: a nested net takes all candidates of a cell.
    marks = np.zeros((16, 4), bool)
    marks[:, :2] = True
    found = solve_by_hand(Puzzle.of(board("4x4"), pencilmarks=marks))
    assert found.ended == CONTRADICTION
    assert found.reason


def test_chosen_techniques() -> None:
    """Only the techniques that are named are used."""
    puzzle = nine(NEEDED["W-wing"])
    found = se.hints(puzzle, techniques=["hidden single"])
    assert {step.technique for step in found.steps} == {"hidden single"}
    assert found.ended == STUCK
    assert [row.name for row in choose_techniques(["X-wing", "naked single"])] == ["naked single", "X-wing"]
    with pytest.raises(
        SudokuError, match=r"not a technique: 'X-Wing'; there are: naked single, .*; did you mean 'X-wing'"
    ):
        se.hint(puzzle, techniques=["X-Wing"])


def test_uniqueness_is_optional() -> None:
    """Uniqueness is assumed only where that is wanted."""
    puzzle = nine(NEEDED["unique rectangle"])
    without = {step.technique for step in se.hints(puzzle).steps}
    assert not without & {"unique rectangle", "BUG+1"}
    assert "unique rectangle" in {step.technique for step in se.hints(puzzle, assume_unique=True).steps}


def test_limits() -> None:
    """Limits hold."""
    puzzle = nine(NEEDED["nested forcing net"])
    with pytest.raises(StoppedError, match="time limit"):
        se.hints(puzzle, limits=Limits(seconds=0))
    with pytest.raises(StoppedError, match="enough"):
        list(steps(puzzle, tick=after(30)))
    assert se.hints(nine(NEEDED["X-wing"]), limits=Limits(seconds=100)).hardest == "X-wing"


def marked(geometry: Geometry, marks: dict[int, str]) -> Marks:
    """The empty board, with the candidates of some cells."""
    left = np.ones((geometry.n_cells, geometry.n_values), bool)
    for cell, text in marks.items():
        left[cell] = [str(value) in text for value in range(1, geometry.n_values + 1)]
    return Marks.of(Puzzle.of(geometry, pencilmarks=left))


def without(geometry: Geometry, value: int, rows: dict[int, tuple[int, ...]]) -> Marks:
    """The empty board, with the only columns that a value has in some rows, both from 0."""
    left = np.ones((9, 9, 9), bool)
    for row, columns in rows.items():
        left[row, :, value - 1] = False
        left[row, list(columns), value - 1] = True
    return Marks.of(Puzzle.of(geometry, pencilmarks=left.reshape(81, 9)))


def only(name: str, marks: Marks) -> list[tuple[int, int]]:
    """What all steps of a technique remove."""
    found = list(TECHNIQUES[name].load()(marks, never))
    assert {step.technique for step in found} <= {name}
    return sorted({one for step in found for one in step.removed})


def cell(name: str) -> int:
    return 9 * (int(name[1]) - 1) + int(name[3]) - 1


def test_skyscraper() -> None:
    """A skyscraper takes what sees both tops."""
    # 4 in row 1 at columns 1 and 5, in row 8 at columns 1 and 6: r1c5 or r8c6 is 4.
    removed = only("skyscraper", without(board("9x9"), 4, {0: (0, 4), 7: (0, 5)}))
    assert removed == [(cell(name), 4) for name in ("r2c6", "r3c6", "r7c5", "r9c5")]


def test_two_string_kite() -> None:
    """A two string kite takes the crossing of the far ends."""
    left = np.ones((9, 9, 9), bool)
    # 4 in row 1 at columns 2 and 8, in column 1 at rows 3 and 7; r1c2 and r3c1 share box 1: r1c8 or r7c1 is 4.
    left[0, :, 3] = left[:, 0, 3] = False
    left[0, [1, 7], 3] = left[[2, 6], 0, 3] = True
    marks = Marks.of(Puzzle.of(board("9x9"), pencilmarks=left.reshape(81, 9)))
    assert only("two-string kite", marks) == [(cell("r7c8"), 4)]


def test_w_wing() -> None:
    """A w wing needs the link."""
    geometry = board("9x9")
    marks = marked(geometry, {cell("r1c1"): "45", cell("r5c9"): "45"})
    assert only("W-wing", marks) == []
    # 4 in row 9 at r9c1, which sees r1c1, or r9c9, which sees r5c9; 5 goes from what sees both.
    for column in range(1, 8):
        marks.masks[72 + column] &= ~(1 << 3)
    assert only("W-wing", marks) == [(cell("r1c9"), 5), (cell("r5c1"), 5)]
    # r5c8 sees neither place.
    other = marked(geometry, {cell("r1c1"): "45", cell("r5c8"): "45"})
    for column in range(1, 8):
        other.masks[72 + column] &= ~(1 << 3)
    assert only("W-wing", other) == []


def test_finned_x_wing() -> None:
    """A finned x wing takes only what sees the fin."""
    # 4 in row 1 at columns 1 and 5, in row 5 at columns 1, 5 and 6: the fin r5c6 sees r4c5 and r6c5.
    rows = {0: (0, 4), 4: (0, 4, 5)}
    assert only("finned X-wing", without(board("9x9"), 4, rows)) == [(cell("r4c5"), 4), (cell("r6c5"), 4)]
    assert only("finned X-wing", without(board("9x9", ["row", "column"]), 4, rows)) == []


def test_als_xz() -> None:
    """Als xz needs a common value that only one can hold."""
    geometry = board("9x9", ["row", "column"])
    # {1, 2} in r1c1 and {1, 2, 3} in r1c5 r5c5 do not share a unit alone; x = 1 is in r1c1 and r1c5 only.
    marks = marked(geometry, {cell("r1c1"): "12", cell("r1c5"): "13", cell("r5c5"): "23"})
    assert (cell("r5c1"), 2) in only("ALS-XZ", marks)
    assert only("ALS-XZ", marked(geometry, {cell("r1c1"): "12", cell("r3c5"): "13", cell("r5c5"): "23"})) == []


def test_deadly_rectangle() -> None:
    """A rectangle that cannot be exchanged is not deadly."""
    corners = [cell(name) for name in ("r1c1", "r1c2", "r4c1", "r4c2")]
    marks = dict.fromkeys(corners[:3], "12") | {corners[3]: "123"}
    assert only("unique rectangle", marked(board("9x9"), marks)) == [(corners[3], 1), (corners[3], 2)]
    # In four boxes each value of a box could not be exchanged; nor where a corner is on a diagonal.
    four = [cell(name) for name in ("r1c1", "r1c4", "r4c1", "r4c4")]
    apart = dict.fromkeys(four[:3], "12") | {four[3]: "123"}
    assert only("unique rectangle", marked(board("9x9"), apart)) == []
    assert only("unique rectangle", marked(board("9x9+diagonals"), marks)) == []
