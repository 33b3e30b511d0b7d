"""The single techniques: puzzles that need each of them, and that none takes a value of a solution."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import LOGIC, PENCIL_PAPER, Technique
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from tests.helpers.known_puzzles import known
from tests.helpers.puzzles import NEEDED, nine
from tests.helpers.solution_sets import all_by_sat, never

# In the order of LOGIC.
NAMES = (
    *("naked single", "hidden single", "pointing", "claiming", "naked pair", "hidden pair", "naked triple"),
    *("hidden triple", "naked quad", "hidden quad", "X-wing", "XY-wing", "swordfish", "XYZ-wing"),
)
UNFINISHED = ("naked quad", "hidden quad", "swordfish")
JIGSAWS = (
    "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF",
    known("small/9x9-jigsaw.txt").board,
)
BOARDS = ("4x4", "6x6:2x3", "6x6:3x2", "9x9+diagonals", "9x9+windoku", "12x12", "4x4x4", *JIGSAWS)


def run(puzzle: Puzzle, techniques: Iterable[Technique]) -> tuple[Marks, list[Deduction]]:
    marks = Marks.of(puzzle)
    return marks, list(logic.steps(marks, never, tuple(techniques)))


def test_each_has_puzzle() -> None:
    """Every technique has a name and a puzzle."""
    assert tuple(NEEDED) == NAMES
    assert len(LOGIC) == len(NAMES)
    assert LOGIC[: len(PENCIL_PAPER)] == PENCIL_PAPER


@pytest.mark.parametrize("name", NAMES)
def test_puzzle_needs_it(name: str) -> None:
    """A puzzle needs exactly this technique."""
    puzzle = nine(NEEDED[name])
    at = NAMES.index(name)
    before, simpler = run(puzzle, LOGIC[:at])
    marks, all_steps = run(puzzle, LOGIC[: at + 1])

    assert logic.ended(before).startswith("stuck")
    assert all_steps[: len(simpler)] == simpler
    assert all_steps[len(simpler)].technique == name
    assert {step.technique for step in simpler}.isdisjoint(NAMES[at:])
    assert logic.ended(marks) == "solved" or name in UNFINISHED


def unsound(steps: Iterable[Deduction], solutions: Iterable[tuple[int, ...]]) -> list[str]:
    """What the steps take from a solution, or place against one."""
    return [
        f"{step.technique} {step.cells} {step.values}"
        for step in steps
        for grid in solutions
        if any(grid[cell] == value for cell, value in step.removed)
        or (step.placed is not None and grid[step.placed[0]] != step.placed[1])
    ]


def first(puzzle: Puzzle) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(next(iter(by_method(puzzle, "sat", Deadline(1))))[0].tobytes(), np.uint8)


FULL = [(board(name), first(Puzzle.of(board(name)))) for name in BOARDS]
HARD = [(nine(text), first(nine(text))) for text in NEEDED.values()]


@st.composite
def hard_or_any(draw: st.DrawFn) -> Puzzle:
    """A hard 9x9 puzzle with a few givens less or more, or any puzzle on another board."""
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    if draw(st.booleans()):
        base, full = HARD[draw(st.integers(0, len(HARD) - 1))]
        geometry, given = base.geometry, (base.givens > 0) | (chance.random(81) < 0.12 * chance.random())
        given &= chance.random(81) < 1 - 0.1 * chance.random()
    else:
        geometry, full = FULL[draw(st.integers(0, len(FULL) - 1))]
        if chance.random() < 0.2:
            geometry = geometry.with_rules(np.delete(geometry.rule_names, chance.integers(len(geometry.rules))))
        given = chance.random(geometry.n_cells) < 0.3 + 0.3 * chance.random()
    labels = chance.permutation(geometry.n_values) + 1
    marks = chance.random((geometry.n_cells, geometry.n_values)) < 0.8
    marks[np.arange(geometry.n_cells), labels[full.astype(np.intp) - 1] - 1] = True
    return Puzzle.of(
        geometry, np.where(given, labels[full.astype(np.intp) - 1], 0), marks if chance.random() < 0.3 else None
    )


@pytest.mark.slow
@pytest.mark.thorough
def test_solutions_kept() -> None:
    """No technique takes a value of any solution."""
    used: Counter[tuple[str, bool]] = Counter()

    @given(puzzle=hard_or_any())
    @settings(derandomize=True, max_examples=25, deadline=None)
    def check(puzzle: Puzzle) -> None:
        assume(not logic.unsupported_reason(puzzle.geometry))
        expected = all_by_sat(puzzle, 60)
        # The hard ones first, so that they have something to do; and each by itself, from the start.
        for order in (LOGIC, tuple(reversed(LOGIC)), *((technique,) for technique in LOGIC)):
            marks, steps = run(puzzle, order)
            assert unsound(steps, expected) == []
            assert logic.ended(marks) != "contradiction"
            used.update((step.technique, len(expected) > 1) for step in steps)

    check()

    assert {name for name, many in used if not many} == set(NAMES)
    assert {name for name, many in used if many} >= set(NAMES) - {"hidden quad", "swordfish", "XYZ-wing"}


def marked(geometry: Geometry, marks: dict[int, str]) -> Marks:
    """The empty board, with the candidates of some cells."""
    left = np.ones((geometry.n_cells, geometry.n_values), bool)
    for cell, text in marks.items():
        left[cell] = [str(value) in text for value in range(1, geometry.n_values + 1)]
    return Marks.of(Puzzle.of(geometry, pencilmarks=left))


def without(geometry: Geometry, value: int, cells: Iterable[int]) -> Marks:
    """The empty board, with a value gone from some cells."""
    every = "".join(map(str, range(1, geometry.n_values + 1)))
    return marked(geometry, dict.fromkeys(cells, every.replace(str(value), "")))


def only(name: str, marks: Marks) -> Deduction:
    """The only step that a technique finds."""
    (step,) = LOGIC[NAMES.index(name)](marks, never)
    assert step.technique == name
    return step


def test_naked_pair() -> None:
    """A naked pair takes its values from the others of its unit only."""
    geometry = board("9x9", ["row", "column"])
    step = only("naked pair", marked(geometry, {0: "12", 4: "12"}))

    assert (
        step.text(geometry) == "naked pair r1c1 r1c5: 1 2 in row 1 removes 1 2 from r1c2 r1c3 r1c4 r1c6 r1c7 r1c8 r1c9"
    )


def test_triple() -> None:
    """Three cells with two of three values each are a triple."""
    geometry = board("9x9", ["row"])
    step = only("naked triple", marked(geometry, {0: "12", 4: "23", 8: "13"}))

    assert (step.cells, step.values) == ((0, 4, 8), (1, 2, 3))
    assert step.removed == tuple((cell, value) for cell in (1, 2, 3, 5, 6, 7) for value in (1, 2, 3))


def test_pointing_and_claiming() -> None:
    """Pointing and claiming look from the box and from the row."""
    geometry = board("9x9")
    in_box = only("pointing", without(geometry, 7, [9, 10, 11, 18, 19, 20]))
    assert (
        in_box.text(geometry)
        == "pointing r1c1 r1c2 r1c3: 7 in box 1, row 1 removes 7 from r1c4 r1c5 r1c6 r1c7 r1c8 r1c9"
    )
    in_row = only("claiming", without(geometry, 7, range(3, 9)))
    assert in_row.text(geometry) == (
        "claiming r1c1 r1c2 r1c3: 7 in row 1, box 1 removes 7 from r2c1 r2c2 r2c3 r3c1 r3c2 r3c3"
    )


@pytest.mark.parametrize(("name", "rows"), [("X-wing", (1, 5)), ("swordfish", (1, 5, 8))])
@pytest.mark.parametrize("turned", [False, True])
def test_fish(name: str, rows: tuple[int, ...], turned: bool) -> None:
    """A fish in rows takes from columns and the other way round."""
    columns = (0, 3, 6)[: len(rows)]
    cells = np.arange(81).reshape(9, 9)
    cells = cells.T if turned else cells
    bare = [int(cells[row, column]) for row in rows for column in range(9) if column not in columns]
    step = only(name, without(board("9x9", ["row", "column"]), 4, bare))

    expected = {int(cells[row, column]) for column in columns for row in range(9) if row not in rows}
    assert {cell for cell, _ in step.removed} == expected
    assert {value for _, value in step.removed} == {4}


def test_fish_needs_rules() -> None:
    """A fish needs rules that cross and a base that is full."""

    def names(geometry: Geometry) -> set[tuple[str, str]]:
        return {(base.name, cover.name) for base, cover in Marks.of(Puzzle.of(geometry)).layout.crossings}

    assert names(board("9x9")) == {("row", "column"), ("column", "row")}
    assert names(board(JIGSAWS[0])) == {("row", "column"), ("column", "row")}
    assert ("row-x", "row-y") in names(board("4x4x4"))
    assert ("row-x", "box-yz") in names(board("4x4x4"))
    assert not {("row-x", "box-xy"), ("box-xy", "box-xz")} & names(board("4x4x4"))


def test_finned_row() -> None:
    """A row with a place outside the columns is in no fish."""
    rows, columns = board("9x9", ["row", "column"]).rules
    geometry = Geometry("three columns", (9, 9), 9, (rows, Rule("column", columns.units[:3])))
    places = {0: (0, 1, 8), 3: (0, 2, 8), 6: (1, 2, 8)}
    bare = [9 * row + column for row, left in places.items() for column in range(9) if column not in left]

    assert list(LOGIC[NAMES.index("swordfish")](without(geometry, 4, bare), never)) == []


def test_wings() -> None:
    """Wings are found by their peers."""
    geometry = board("9x9", ["row", "column"])
    # Pivot r1c1, pincers r1c5 and r5c1; r5c5 sees both.
    xy = only("XY-wing", marked(geometry, {0: "12", 4: "13", 36: "23"}))
    assert xy.text(geometry) == "XY-wing r1c1 r1c5 r5c1: 1 2 3 removes 3 from r5c5"
    # Pivot r1c1, pincers r1c2 of its box and r5c1; nothing sees all three but r2c1 and r3c1.
    xyz = only("XYZ-wing", marked(board("9x9"), {0: "123", 10: "13", 36: "23"}))
    assert xyz.text(geometry) == "XYZ-wing r1c1 r2c2 r5c1: 1 2 3 removes 3 from r2c1 r3c1"
    assert not list(LOGIC[NAMES.index("XYZ-wing")](marked(board("9x9"), {0: "12", 10: "13", 36: "23"}), never))
    assert not list(LOGIC[NAMES.index("XY-wing")](marked(board("9x9"), {0: "123", 10: "13", 36: "23"}), never))


def test_full_unit_needed() -> None:
    """Who argues that a value must be somewhere needs a full unit."""
    # Rows of four cells with six values: nothing must be anywhere.
    short = Geometry("short", (4, 4), 6, board("4x4").rules)
    hidden = [at for at, name in enumerate(NAMES) if name.startswith(("hidden", "pointing", "claiming", "X-", "sword"))]
    marks = without(short, 4, [1, 2, 3, 5, 6])

    assert len(hidden) == 8
    assert [step for at in hidden for step in LOGIC[at](marks, never)] == []
    assert only("naked pair", marked(short.with_rules(["row"]), {0: "56", 1: "56"})).cells == (0, 1)


def test_pure() -> None:
    """A technique changes nothing itself."""
    marks = Marks.of(nine(NEEDED["pointing"]))
    before = marks.masks.copy(), marks.blanks.copy()
    for technique in LOGIC:
        list(technique(marks, never))

    assert (marks.masks, marks.blanks) == before


def test_cube_unit_names() -> None:
    """Units of a cube are named by their ends."""
    geometry = board("4x4x4")
    step = only("naked pair", marked(geometry.with_rules(["row-z"]), {0: "12", 1: "12"}))
    assert step.where == "row-z x0y0z0-x0y0z3"


def test_partial_sizes() -> None:
    """Partials keep their sizes."""
    assert [technique.args for technique in LOGIC if isinstance(technique, partial)] == [
        *((2,), (2,), (3,), (3,), (4,), (4,), (2,), (3,)),
    ]
