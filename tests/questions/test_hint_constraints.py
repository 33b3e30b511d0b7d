"""The techniques of `hint` for constraints: nothing goes that is in a solution, and what can go does."""

from itertools import islice

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode import Puzzle, board
from sudoku_encode.errors import MethodError
from sudoku_encode.generating.table import PLACED
from sudoku_encode.puzzles.puzzle import Candidates, violations
from sudoku_encode.questions.hinting import CONTRADICTION, SOLVED, STUCK, SolvePath, solve_by_hand, steps
from sudoku_encode.questions.techniques.table import TECHNIQUES, Technique, choose_techniques, last_number
from tests.helpers.command import Command
from tests.helpers.constraint_cases import CASES, Case, has_hidden_cells, identified, puzzle_of
from tests.helpers.constraint_grids import SMALL, allowed_grids, claims_consistency
from tests.helpers.known_puzzles import INSTANCES
from tests.helpers.solution_sets import never

ROWS = [row for row in TECHNIQUES.values() if row.of_constraints]
NAMES = [row.name for row in ROWS]

GRIDS = {case: puzzle_of(case).candidates.sum(axis=1).prod() for case in SMALL}
# To look at each grid of more than some thousands takes a moment.
FEW_GRIDS = [
    pytest.param(case, marks=pytest.mark.slow) if many > 2500 else case
    for case, many in GRIDS.items()
    if many < 100_000
]
NEEDED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "thermometer": ("4x4", "." * 16, ("thermometer r1c1-r1c3",)),
    "relation": ("4x4", "." * 16, ("difference 3 r1c1 r1c2",)),
    "only way": (
        "9x9",
        "." * 26 + "1" + "." * 47 + "1" + "." * 6,
        ("quadruple 1 r3c3 r3c4 r4c3 r4c4",),
    ),
    "sum combinations": ("4x4", "." * 16, ("cage 7 r2c1-r2c3",)),
    "line sequence": ("4x4", "." * 16, ("between r1c4-r4c4",)),
    "every way": ("4x4", "." * 16, ("either values 1 r1c1 | values 1 r1c2",)),
    "rule of 45": ("4x4", "." * 16, ("sum 7 r1c1-r1c3",)),
    "constraint pointing": ("9x9", "." * 81, ("cage 3 r1c1 r1c2",)),
    "ways to fill": ("9x9", "." * 81, ("sum 4 r1c1 r1c2",)),
    "two constraints": ("9x9", "." * 81, ("ratio r1c1 r1c2", "ratio r1c2 r1c3")),
    "constraint chain": (
        "4x4",
        "." * 16,
        ("palindrome r4c4 r4c3 r3c3 r2c4 r1c3", "thermometer r1c4 r2c4 r2c3", "difference r2c3 r2c4"),
    ),
    "constraint net": ("4x4", "." * 16, ("between r4c4 r4c3 r3c2 r4c2", "cage 5 r1c1 r1c2")),
}
ALL_FOUR = ("thermometer r1c1-r1c3", "arrow r3c1 / r4c1 r4c2", "cage 7 r2c1-r2c3", "between r1c4-r4c4")


def puzzle(name: str, givens: str, constraints: tuple[str, ...]) -> Puzzle:
    values = [0 if symbol == "." else int(symbol) for symbol in givens]
    return Puzzle.of(board(name), values, constraints=constraints)


def up_to(name: str) -> list[Technique]:
    rows = choose_techniques()
    return rows[: [row.name for row in rows].index(name) + 1]


def test_all_covered() -> None:
    """Every technique of constraints has a puzzle."""
    assert list(NEEDED) == NAMES
    assert {row.family for row in ROWS} == {"constraints"}


@pytest.mark.parametrize("name", NAMES)
def test_puzzle_needs_it(name: str) -> None:
    """A puzzle needs exactly this technique and the reason is the constraint."""
    asked = puzzle(*NEEDED[name])
    before, after = solve_by_hand(asked, up_to(name)[:-1]), solve_by_hand(asked, up_to(name))
    step = after.steps[len(before.steps)]
    assert before.ended == STUCK
    assert step.technique == name == after.hardest
    reason = NEEDED[name][2][0]
    assert f"`{reason}`" in str(step) or f"({reason})" in str(step) or "(the sum of row 1)" in str(step)


def truth_of(grids: "np.ndarray[tuple[int, int], np.dtype[np.int64]]", n: int) -> Candidates:
    """Which candidates some grid has, bool (n_cells, n)."""
    found: Candidates = (grids[:, :, None] == np.arange(1, n + 1)).any(axis=0)
    return found


@pytest.mark.parametrize("case", FEW_GRIDS, ids=identified)
def test_allowed_values_stay(case: Case) -> None:
    """Nothing goes that is in a grid that breaks no definition."""
    bare = puzzle_of(case)
    n, n_cells = bare.geometry.n_values, bare.geometry.n_cells
    grids = np.array(sorted(allowed_grids(bare)), np.int64).reshape(-1, n_cells)
    rng = np.random.RandomState(1)
    for _ in range(4):
        marks = rng.random_sample((n_cells, n)) < rng.choice([0.5, 0.8])
        marks[np.arange(n_cells), rng.randint(n, size=n_cells)] = True
        found = solve_by_hand(Puzzle.of(bare.geometry, pencilmarks=marks, constraints=bare.constraints))
        truth = truth_of(grids[marks[np.arange(n_cells), grids - 1].all(axis=1)], n)
        assert not (truth & ~found.left).any()
        if claims_consistency(case):
            # All goes that can, so that it is seen where there is no solution.
            assert (found.ended == CONTRADICTION) == (not truth.any())
            assert found.ended == CONTRADICTION or (found.left == truth).all()


@pytest.mark.parametrize("kind", [kind for kind, cases in CASES.items() if any(case[0] == "4x4" for case in cases)])
def test_solutions_stay(kind: str) -> None:
    """On a board nothing goes that is in a solution."""
    for case in CASES[kind]:
        if case[0] == "4x4" or not has_hidden_cells(case):
            check(Puzzle.of(board("4x4"), constraints=case[2]))


def check(asked: Puzzle) -> SolvePath:
    """Solve as far as techniques lead, each step checked against all solutions."""
    truth = se.candidates(asked)
    assert truth.complete
    n_grid = asked.geometry.n_grid
    for step in steps(asked, choose_techniques(), never):
        removes = [(cell, value) for cell, value in step.removes if cell < n_grid]
        assert not any(truth.seen[cell, value - 1] for cell, value in removes), str(step)
        places = [(cell, value) for cell, value in step.places if cell < n_grid]
        # Of what has no solution nothing can be lost.
        assert all(set(np.flatnonzero(truth.seen[cell]) + 1) <= {value} for cell, value in places), str(step)
    return solve_by_hand(asked)


def test_solved_without_givens() -> None:
    """A puzzle without givens is solved by its constraints."""
    found = check(Puzzle.of(board("4x4"), constraints=ALL_FOUR))
    assert found.ended == SOLVED
    assert list(violations(Puzzle.of(board("4x4"), constraints=ALL_FOUR), found.values)) == []
    assert {"thermometer", "sum combinations", "line sequence"} <= {step.technique for step in found.steps}


def test_excluded_by_all_ways() -> None:
    """What every way excludes is in no solution."""
    constraints = ["either values 1 r1c1 | values 1 r1c2", "quadruple 4 r2c2 r2c3 r3c2 r3c3"]
    constraints += ["either values 2 r2c1 | values 3 r3c1 | values 3 r3c2", "either values 3 r4c4 | values 3 4 r4c3"]
    found = check(Puzzle.of(board("4x4"), [0, 0, 3] + 13 * [0], constraints=constraints))
    assert sum(step.technique == "every way" for step in found.steps) > 1


def test_whole_line_and_sums() -> None:
    """All of a line is one step and a sum names its combinations."""
    thermometer = Puzzle.of(board("9x9"), constraints=["thermometer r1c1-r1c9"])
    (first, *others) = solve_by_hand(thermometer).steps
    assert first.technique == "thermometer"
    assert len(first.removes) == 9 * 8
    assert {step.technique for step in others[:9]} == {"naked single"}
    cage = solve_by_hand(Puzzle.of(board("9x9"), constraints=["cage 8 r1c1-r1c3"])).steps[0]
    assert str(cage) == (
        "sum combinations in r1c1, r1c2 and r1c3: in `cage 8 r1c1-r1c3` the sum is 1+3+4 or 1+2+5, "
        "so r1c1, r1c2 and r1c3 are not 6, 7, 8 or 9"
    )


@pytest.mark.parametrize(
    ("name", "constraints", "technique", "text"),
    [
        (
            "9x9",
            ["cage 42 r1c1-r1c8"],
            "rule of 45",
            "rule of 45 in r1c9: the cells of row 1 sum to 45, and those of `cage 42 r1c1-r1c8` to 42, so r1c9 is 3",
        ),
        (
            "9x9",
            ["cage 21 r1c1-r1c3 r2c3", "cage 20 r2c1 r2c2 r3c1"],
            "rule of 45",
            "the cells of box 1 sum to 45, and those of `cage 21 r1c1-r1c3 r2c3` and `cage 20 r2c1 r2c2 r3c1` to 41, "
            "which leaves r3c2 + r3c3 = 4, so r3c2 and r3c3 are not 2, 4",
        ),
        (
            "9x9:0-8",
            ["cage 33 r1c1-r1c8"],
            "rule of 45",
            "rule of 45 in r1c9: the cells of row 1 sum to 36, and those of `cage 33 r1c1-r1c8` to 33, so r1c9 is 3",
        ),
        (
            "9x9",
            ["cage 20 r1c1-r1c3", "cage 23 r1c4-r1c7 r2c7"],
            "rule of 45",
            "to 43, which leaves r1c8 + r1c9 - r2c7 = 2",
        ),
        (
            "9x9",
            ["arrow r1c1 / r1c2-r1c4", "cage 20 r1c5-r1c8"],
            "rule of 45",
            "which leaves 2*r1c1 + r1c9 = 25, so r1c1 is not 1, 2, 3, 4, 5, 6 or 7, and r1c9 is not 1, 2, 3, 4, 5, 6",
        ),
        (
            "9x9",
            ["cage 3 r1c1 r1c2"],
            "constraint pointing",
            "constraint pointing in r1c1 and r1c2: each way to fill `cage 3 r1c1 r1c2` has 1 at r1c1 or r1c2, so r1c3",
        ),
        (
            "9x9:0-8",
            ["sum 1 r1c1 r1c2"],
            "ways to fill",
            "the cells of `sum 1 r1c1 r1c2`, which differ where they see each other, are 0-1 or 1-0, so",
        ),
        (
            "9x9",
            ["ratio r1c1 r1c2", "ratio r1c2 r1c3"],
            "two constraints",
            "are 1-2-4, 2-4-8, 4-2-1 or 8-4-2, so r1c1 and r1c3 are not 3, 5, 6, 7 or 9, and r1c2 is not",
        ),
    ],
)
def test_sentences(name: str, constraints: list[str], technique: str, text: str) -> None:
    """A step says what a person needs to follow it."""
    step = solve_by_hand(Puzzle.of(board(name), constraints=constraints), choose_techniques([technique])).steps[0]
    assert text in str(step)
    assert step.technique == technique


@pytest.mark.parametrize("seed", range(2))
def test_random_puzzles(seed: int) -> None:
    """Of random puzzles with constraints of several kinds no step removes a true candidate."""
    rng = np.random.RandomState(seed)
    kinds = rng.choice(sorted(PLACED), 4, replace=False)
    for made in se.generate("6x6", placed=[f"{kind}:2" for kind in kinds], many=3, seed=seed, attempts=1):
        givens = made.puzzle.givens.copy()
        # With a given less there are several solutions.
        givens[np.flatnonzero(givens)[:2]] = 0
        check(Puzzle.of(made.puzzle.geometry, givens, constraints=made.puzzle.constraints))


def published(name: str) -> list[Puzzle]:
    """Return the first and the third puzzle with constraints of a file: the steps of a second take seconds."""
    puzzles = (each for each in se.read_all(INSTANCES / "variants" / name) if isinstance(each, Puzzle))
    return list(islice((each for each in puzzles if each.constraints), 0, 3, 2))


@pytest.mark.parametrize("name", ["f-puzzles.jsonl", "iss.txt"])
@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_published_puzzles(name: str) -> None:
    """Steps solve most published puzzles, and none removes a value of the solution."""
    ends = []
    for asked in published(name):
        solution = next(iter(se.solutions(asked))).values
        path = solve_by_hand(asked)
        ends.append(path.ended)
        for step in path.steps:
            wrong = [(cell, value) for cell, value in step.removes if solution[cell : cell + 1].tolist() == [value]]
            assert not wrong, str(step)
    assert SOLVED in ends


def test_pairs_over_board() -> None:
    """What holds all over the board goes pair by pair."""
    asked = Puzzle.of(board("9x9"), [5] + 80 * [0], constraints=["non-consecutive"])
    first = solve_by_hand(asked).steps[0]
    assert first.cells == (0, 1)
    assert first.removes == ((1, 4), (1, 6))


def test_impossible_constraint() -> None:
    """A constraint that cannot hold is a contradiction."""
    for givens, constraint in (("2" + "." * 15, "odd r1c1"), ("4" + "." * 15, "thermometer r1c1-r1c2")):
        found = solve_by_hand(puzzle("4x4", givens, (constraint.replace("r1c1-r1c2", "r1c1 r1c2"),)))
        assert found.ended == CONTRADICTION


def test_singles_may_break_it() -> None:
    """Singles alone may leave values that break a constraint."""
    for givens in ("123434122143432.", "1234341221434321"):
        asked = puzzle("4x4", givens, ("thermometer r4c2 r4c3 r4c4",))
        for rows in (None, choose_techniques(["naked single", "hidden single"])):
            found = solve_by_hand(asked, rows)
            assert found.ended == CONTRADICTION
        assert found.reason == "the only remaining values break `thermometer r4c2-r4c4`"


def test_step_has_constraints() -> None:
    """A step has the puzzle with its constraints."""
    asked = Puzzle.of(board("4x4"), constraints=["extra-region r1c1 r2c3 r3c2 r4c4", *ALL_FOUR[:1]])
    (first, *_) = solve_by_hand(asked).steps
    assert first.puzzle == asked


def test_uniqueness_declines(run: Command) -> None:
    """Techniques that take one solution for granted decline where there are constraints."""
    arrow = Puzzle.of(board("4x4"), constraints=["arrow r3c1 / r4c1 r4c2"])
    for rows in (choose_techniques(assume_unique=True), choose_techniques(["unique rectangle"])):
        with pytest.raises(MethodError, match=r"unique rectangle supports only units; .* constraints: arrow"):
            solve_by_hand(arrow, rows)
    # What is a unit is on the board, where these look.
    solve_by_hand(
        Puzzle.of(board("4x4"), constraints=["extra-region r1c1 r2c3 r3c2"]), choose_techniques(assume_unique=True)
    )


def test_command(run: Command) -> None:
    """The command prints the step."""
    ended = run("hint", "--board", "4x4", "--constraint", "cage 7 r2c1-r2c3")
    assert ended.status == 0
    assert ended.out.startswith(
        "sum combinations in r2c1, r2c2 and r2c3: in `cage 7 r2c1-r2c3` the sum is 1+2+4, so r2c1, r2c2 and r2c3 are "
        "not 3\n"
    )
    stuck = run("hint", "--board", "4x4", "--constraint", "cage 7 r2c1-r2c3", "--technique", "relation")
    assert (stuck.status, stuck.out[:6]) == (3, "stuck:")


def test_rate_declines(run: Command) -> None:
    """Rate has the figures of steps and declines the others by name."""
    words = ("rate", "--board", "4x4", *(word for text in ALL_FOUR for word in ("--constraint", text)))
    asked = Puzzle.of(board("4x4"), constraints=ALL_FOUR)
    found, by_hand = se.rate(asked, figures=["technique", "steps"]), solve_by_hand(asked)
    number = TECHNIQUES[by_hand.hardest].number
    assert found.status == "unique"
    assert [one.value for one in found.figures.values()] == [number, len(by_hand.steps)]
    assert f"number {number} of {last_number()}" in found.figures["technique"].text
    ended = run(*words)
    assert ended.status == 0
    assert ended.out.count("not computed: the puzzle has constraints (thermometer, ") == 3
    ended = run(*words, "--figure", "nodes")
    assert ended.status == 2
    assert "figure nodes of rate supports only units; the puzzle has constraints: thermometer" in ended.err
    # The numbers are the same for a puzzle without constraints.
    plain = se.rate("1234341221434...", board="4x4", figures=["technique"]).figures["technique"]
    assert plain.text.endswith(f"number 1 of {last_number()} from simple to hard")
