"""Random puzzles are what was wanted, by other solvers' word, and a seed is a seed whatever solver is asked."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.generating import grids
from sudoku_encode.generating.digging import Digger
from sudoku_encode.generating.making import GeneratedPuzzle, puzzles
from sudoku_encode.generating.options import GenerateOptions, orbits
from sudoku_encode.generating.table import SYMMETRIES
from sudoku_encode.methods import calls
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.puzzles.rules import CUBE_RULES
from sudoku_encode.puzzles.shapes import cube, square
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.events import Event, Progress, observing
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from tests.helpers.puzzles import STRIP

BOARDS: dict[str, Geometry] = {
    **{name: board(name) for name in ("4x4", "6x6", "6x6:3x2", "7x7", "9x9", "9x9+diagonals", "9x9+windoku")},
    "jigsaw": board("jigsaw:aaabacbbccbdcddd"),
    **{name: board(name) for name in ("12x12", "16x16", "4x4x4", "9x9x9")},
    "9x9x9, four rules": board("9x9x9", ["row-z", "box-xy", "box-xz", "box-yz"]),
}
# Its first region is a row but for the last cell, and the cell below that: both would hold the same value.
NO_SOLUTION = "jigsaw:aaabbbbaccddccdd"


def drawn(geometry: Geometry, seed: int, rounds: int = grids.REFILLING_ROUNDS) -> Grids | None:
    with IncrementalSolver(encode(Puzzle.of(geometry), reduction="none"), grids.SOLVER) as solver:
        return grids.solution(solver, RandomState(seed), Deadline(), rounds)


@cache
def solved(name: str, seed: int = 1) -> Grids:
    grid = drawn(BOARDS[name], seed)
    assert grid is not None
    return grid


def made(geometry: Geometry, wanted: GenerateOptions, seed: int = 1, **how: object) -> GeneratedPuzzle:
    (one,) = puzzles(geometry, wanted, seed, **how)  # type: ignore[arg-type]
    assert one is not None
    return one


def without(puzzle: Puzzle, cells: list[int]) -> Puzzle:
    givens = puzzle.givens.copy()
    givens[cells] = 0
    return Puzzle.of(puzzle.geometry, givens)


def has_more_than(puzzle: Puzzle, number: int) -> bool:
    return tally(calls.solutions(puzzle, "sat", Deadline(number + 1))).value > number


def check(one: GeneratedPuzzle, wanted: GenerateOptions, counter: str) -> None:
    """Check all that a puzzle says of itself, with a counter that had no part in making it."""
    puzzle, board_ = one.puzzle, one.puzzle.geometry
    assert one.reached
    assert list(violations(puzzle, one.solution)) == []
    assert one.solutions == wanted.solutions
    assert tally(calls.solutions(puzzle, counter)) == Count(wanted.solutions, True)
    assert one.clues == np.count_nonzero(puzzle.givens)
    assert wanted.clues in (None, one.clues)
    groups = [[cell for cell in group if puzzle.givens[cell]] for group in orbits(board_, wanted.symmetry)]
    assert all(
        len(some) in (0, len(group)) for some, group in zip(groups, orbits(board_, wanted.symmetry), strict=True)
    )
    if wanted.minimal or wanted.clues is None:
        assert one.minimal
        assert all(has_more_than(without(puzzle, group), wanted.solutions) for group in groups if group)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", BOARDS)
def test_random_solution(name: str, seed: int) -> None:
    """A random solution breaks no rule."""
    grid = solved(name, seed)

    assert grid.dtype == np.uint8
    assert list(violations(Puzzle.of(BOARDS[name]), grid)) == []
    assert (grid != solved(name, 3 - seed)).any()


@pytest.mark.slow
def test_random_16x16x16() -> None:
    """A random solution of the cube of side 16 breaks no rule."""
    grid = drawn(board("16x16x16"), 1, rounds=1)

    assert grid is not None
    assert list(violations(Puzzle.of(board("16x16x16")), grid)) == []


@pytest.mark.parametrize("name", ["4x4x4:literal", NO_SOLUTION, "2x2+diagonals"])
def test_no_solution(name: str) -> None:
    """A board without a solution has no random one."""
    assert drawn(board(name), 1) is None
    assert list(puzzles(board(name), GenerateOptions(), many=3)) == [None]
    assert list(puzzles(board(name), GenerateOptions(), method="keck2022")) == [None]


BOXES = [(1, 2), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 5), (5, 2), (3, 4), (4, 3), (4, 4), (5, 5), (3, 7), (7, 9)]


@pytest.mark.parametrize(("r", "c"), BOXES)
def test_square_pattern(r: int, c: int) -> None:
    """The pattern of a square and its shuffles break no rule."""
    geometry = square(r * c, (r, c))
    grid = grids.pattern(geometry)
    assert grid is not None
    assert list(violations(Puzzle.of(geometry), grid)) == []
    for seed in range(5):
        assert list(violations(Puzzle.of(geometry), grids.shuffled(geometry, grid, RandomState(seed)))) == []


@pytest.mark.parametrize("n", [4, 9, 16, 25])
def test_cube_pattern(n: int) -> None:
    """The pattern of a cube and its shuffles break no rule."""
    grid = grids.pattern(cube(n))
    assert grid is not None
    assert list(violations(Puzzle.of(cube(n)), grid)) == []
    for seed in range(2):
        assert list(violations(Puzzle.of(cube(n)), grids.shuffled(cube(n), grid, RandomState(seed)))) == []


@pytest.mark.parametrize("name", ["9x9+diagonals", "jigsaw", "4x4x4:literal"])
def test_no_pattern(name: str) -> None:
    """Other boards have no pattern."""
    assert grids.pattern(BOARDS.get(name) or board(name)) is None


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["glucose4", "minisat22"])
@pytest.mark.parametrize("name", ["4x4", "6x6", "9x9", "9x9+diagonals", "jigsaw", "12x12", "4x4x4", "9x9x9"])
def test_seeded_grid(monkeypatch: pytest.MonkeyPatch, name: str, solver: str) -> None:
    """A seed gives the same grid whatever solver is asked."""
    expected = solved(name)
    monkeypatch.setattr(grids, "SOLVER", solver)

    again = drawn(BOARDS[name], 1)
    assert again is not None
    assert (again == expected).all()


@pytest.mark.parametrize("wanted", [GenerateOptions(), GenerateOptions(solutions=6)])
@pytest.mark.parametrize("solver", ["glucose4", "minisat22"])
@pytest.mark.parametrize("seed", [1, 2])
def test_seeded_puzzle(monkeypatch: pytest.MonkeyPatch, seed: int, solver: str, wanted: GenerateOptions) -> None:
    """A seed gives the same puzzle whatever solver is asked."""
    expected = made(board("9x9"), wanted, seed, attempts=3)
    monkeypatch.setattr(grids, "SOLVER", solver)
    monkeypatch.setattr("sudoku_encode.generating.digging.SOLVER", solver)
    other = made(board("9x9"), wanted, seed, attempts=3)

    assert (other.puzzle.givens == expected.puzzle.givens).all()
    assert (other.solution == expected.solution).all()


def text(grid: Grids) -> str:
    return "".join(map(str, grid.tolist()))


# Known by having been drawn once: a seed must give the same puzzle on any machine and in any later version.
DRAWN = {
    ("4x4", GenerateOptions()): "1003004001002000",
    ("9x9", GenerateOptions()): "000300000013400000000700590200000040009600030060008000090560000000001006080004012",
    (
        "9x9",
        GenerateOptions(clues=30, symmetry="point"),
    ): "000000401913400860000700500208090000100607008000040109001002000032001956506000000",
    ("4x4x4", GenerateOptions()): "0000000000000000000000034020000000000000000010000000000000000000",
}


@pytest.mark.parametrize(("name", "wanted"), DRAWN, ids=str)
def test_seed_2026(name: str, wanted: GenerateOptions) -> None:
    """Seed 2026 gives what it has always given."""
    assert text(made(BOARDS[name], wanted, 2026).puzzle.givens) == DRAWN[name, wanted]


def test_numbered_puzzles() -> None:
    """A puzzle of a seed is the same however many are made."""
    one, two, three = puzzles(board("9x9"), GenerateOptions(), 7, 3)
    (first,) = puzzles(board("9x9"), GenerateOptions(), 7, 1)
    again, second = puzzles(board("9x9"), GenerateOptions(), 7, 2)

    assert one
    assert two
    assert three
    assert first
    assert again
    assert second
    assert text(one.puzzle.givens) == text(first.puzzle.givens) == text(again.puzzle.givens)
    assert text(two.puzzle.givens) == text(second.puzzle.givens)
    assert len({text(each.puzzle.givens) for each in (one, two, three)}) == 3


@pytest.mark.parametrize("name", ["9x9", "jigsaw", "4x4x4", "9x9x9"])
def test_kempe_swap(name: str) -> None:
    """A kempe set turned round is another solution."""
    geometry, grid = BOARDS[name], solved(name)
    sets = grids.kempe_sets(geometry, grid)
    by_values: dict[tuple[int, ...], list[int]] = {}
    for cells in sets:
        one, other = np.unique(grid[cells]).tolist()
        by_values.setdefault((one, other), []).extend(cells.tolist())
        turned = grid.copy()
        turned[cells] = one + other - grid[cells]

        assert list(violations(Puzzle.of(geometry), turned)) == []

    assert set(by_values) == set(combinations(range(1, geometry.n_values + 1), 2))
    for values, all_cells in by_values.items():
        assert sorted(all_cells) == np.flatnonzero(np.isin(grid, values)).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "solutions"), [*(("6x6", number) for number in (1, 2, 3, 4, 5, 8, 12, 24)), ("9x9", 1), ("9x9", 24)]
)
def test_solution_count(name: str, solutions: int) -> None:
    """A puzzle has exactly as many solutions as wanted."""
    check(made(BOARDS[name], GenerateOptions(solutions=solutions)), GenerateOptions(solutions=solutions), "cp-sat")


@pytest.mark.parametrize("solutions", [1, 2, 4, 8])
def test_cube_solution_count(solutions: int) -> None:
    """A cube has exactly as many solutions as wanted."""
    check(
        made(BOARDS["4x4x4"], GenerateOptions(solutions=solutions)), GenerateOptions(solutions=solutions), "jana2023-v1"
    )


@pytest.mark.slow
@pytest.mark.parametrize("solutions", [1, 2, 3])
def test_large_cube(solutions: int) -> None:
    """A large cube has exactly the clues and the solutions wanted."""
    wanted = GenerateOptions(clues=520, solutions=solutions)

    check(made(BOARDS["9x9x9"], wanted, attempts=5), wanted, "jana2023-v1")


def test_left_out_rules() -> None:
    """The rules left out are left out of a puzzle too."""
    geometry, wanted = BOARDS["9x9x9, four rules"], GenerateOptions(clues=650, solutions=2)
    one = made(geometry, wanted)
    check(one, wanted, "jana2023-v1")
    every = Puzzle.of(board("9x9x9"), one.puzzle.givens)

    assert geometry.rule_names != CUBE_RULES
    assert any(violations(every, one.solution))


@pytest.mark.parametrize("clues", [25, 30, 45, 80, 81])
def test_clue_count(clues: int) -> None:
    """The number of clues is reached exactly."""
    check(made(board("9x9"), GenerateOptions(clues=clues)), GenerateOptions(clues=clues), "cp-sat")


def test_clues_and_minimal() -> None:
    """Clues and minimal hold together."""
    wanted = GenerateOptions(clues=25, minimal=True)

    check(made(board("9x9"), wanted), wanted, "cp-sat")


@pytest.mark.slow
@pytest.mark.parametrize("solutions", [1, 2])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("name", ["9x9", "4x4x4"])
def test_symmetry(name: str, symmetry: str, solutions: int) -> None:
    """A pattern has its symmetry and no group of givens can go."""
    if (name, symmetry, solutions) == ("4x4x4", "full", 2):
        pytest.skip("most attempts miss it: it takes too long")
    wanted = GenerateOptions(solutions=solutions, symmetry=symmetry)

    check(made(BOARDS[name], wanted), wanted, "cp-sat")


@pytest.mark.slow
@given(
    name=st.sampled_from(["4x4", "6x6", "4x4x4", "jigsaw"]),
    clues=st.none() | st.integers(0, 30),
    solutions=st.integers(1, 3),
    minimal=st.booleans(),
    symmetry=st.sampled_from(list(SYMMETRIES)),
    seed=st.integers(0, 2**32 - 1),
)
@settings(derandomize=True, max_examples=30, deadline=None)
def test_all_goals_reached(
    name: str, clues: int | None, solutions: int, minimal: bool, symmetry: str, seed: int
) -> None:
    """What is reached is all that was wanted."""
    wanted = GenerateOptions(clues, solutions, minimal, symmetry)
    try:
        one = made(BOARDS[name], wanted, seed, attempts=1)
    except MethodError:
        sizes = [len(group) for group in orbits(BOARDS[name], symmetry)]
        assert clues is not None
        assert clues > BOARDS[name].n_cells or clues % min(sizes) or symmetry != "none"
        return
    if one.reached:
        check(one, wanted, "sat")
    else:
        # What it says of itself is true all the same.
        assert one.solutions is not None
        assert tally(calls.solutions(one.puzzle, "sat")) == Count(one.solutions, True)


@pytest.mark.parametrize("attempts", [1, 4])
def test_nearest_attempt(attempts: int) -> None:
    """What cannot be reached ends with the nearest attempt."""
    observed: list[Event] = []
    # No Sudoku of 16 clues is unique (McGuire 2012).
    with observing(observed.append):
        one = made(board("9x9"), GenerateOptions(clues=16), attempts=attempts)
    tries = [made(board("9x9"), GenerateOptions(clues=16), attempts=n) for n in range(1, attempts + 1)]

    assert not one.reached
    assert one.clues == min(each.clues for each in tries)
    texts = [event.text for event in observed if isinstance(event, Progress)]
    assert {text.split(":")[0] for text in texts} == {f"attempt {n}" for n in range(1, attempts + 1)}
    assert 1 <= one.attempt <= attempts


def test_nearest_minimal() -> None:
    """The nearest minimal puzzle is not the one with the fewest clues."""
    wanted = GenerateOptions(clues=40, minimal=True)
    best = made(board("9x9"), wanted, attempts=8)
    first = made(board("9x9"), wanted, attempts=1)

    assert not best.reached
    assert best.minimal
    assert best.clues > first.clues


def test_given_grid() -> None:
    """Puzzles are cut out of the grid given."""
    grid = solved("9x9")
    one, two = puzzles(board("9x9"), GenerateOptions(), 1, 2, grid=grid)

    assert one
    assert two
    for each in (one, two):
        assert (each.solution == grid).all()
        check(each, GenerateOptions(), "cp-sat")
    assert text(one.puzzle.givens) != text(two.puzzle.givens)


@pytest.mark.parametrize("method", ["sat", "keck2022"])
@pytest.mark.parametrize("name", ["9x9", "9x9x9"])
def test_no_time(name: str, method: str) -> None:
    """No time is no puzzle."""
    with pytest.raises(StoppedError, match="time limit"):
        next(puzzles(BOARDS[name], GenerateOptions(), method=method, seconds=1e-9))


@pytest.mark.parametrize(
    "wanted", [GenerateOptions(), GenerateOptions(clues=40), GenerateOptions(clues=40, minimal=True)]
)
def test_keck(wanted: GenerateOptions) -> None:
    """Keck's method makes puzzles too."""
    for one in puzzles(board("4x4x4"), wanted, 3, 2, attempts=1, method="keck2022"):
        assert one
        if one.reached:
            check(one, wanted, "cp-sat")
        assert one.reached == (not wanted.minimal)


def test_undecided_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not decided is neither removed nor called minimal."""
    monkeypatch.setattr("sudoku_encode.generating.digging._MAX_CONFLICTS", 0)

    (minimal,) = puzzles(board("9x9"), GenerateOptions(), 1, attempts=2)
    assert minimal
    assert (minimal.reached, minimal.minimal, minimal.clues) == (False, False, 81)

    (thinned,) = puzzles(board("9x9"), GenerateOptions(clues=60), 1, attempts=2)
    assert thinned
    assert (thinned.reached, thinned.clues, thinned.solutions) == (False, 81, 1)


@pytest.mark.parametrize("wanted", [1, 2, 3, 4, 5, 7, 12])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_refused_removal(seed: int, wanted: int) -> None:
    """A removal that is refused leaves everything as it was."""
    geometry, grid, cells = board("4x4"), solved("4x4", seed), [[cell] for cell in range(16)]
    with IncrementalSolver(encode(Puzzle.of(geometry), reduction="none"), grids.SOLVER) as solver:
        digger = Digger(solver, grid, cells, wanted, Deadline())
        digger.multiply(RandomState(seed), lambda what: None)
        found = {text(each) for each in digger.solutions}
        assert len(found) == wanted
        assert digger.remove_givens(None, lambda what: None)
        clues = list(digger.clues)
        # Nothing more can go, alone or together, and trying changes nothing.
        digger.groups = [clues, *([cell] for cell in clues)]
        assert digger.remove_givens(None, lambda what: None)

        assert list(digger.clues) == clues
        assert {text(each) for each in digger.solutions} == found
        assert {text(each) for batch in calls.solutions(digger.puzzle, "cp-sat") for each in batch} == found


@pytest.mark.parametrize(
    ("geometry", "wanted", "method", "message"),
    [
        (square(9), GenerateOptions(clues=82), "sat", "82 clues on 9x9: it has 81 cells"),
        (square(9), GenerateOptions(clues=-1), "sat", "-1 clues on 9x9"),
        (square(9), GenerateOptions(solutions=0), "sat", "at least 1 solution"),
        (square(9), GenerateOptions(solutions=10**9), "sat", "1000000000 solutions are too many"),
        (
            square(9),
            GenerateOptions(symmetry="round"),
            "sat",
            "not a symmetry: 'round'; choose from none, point, mirror",
        ),
        (
            square(9),
            GenerateOptions(clues=22, symmetry="quarter"),
            "sat",
            "no pattern of 22 clues has symmetry quarter on 9x9",
        ),
        (STRIP, GenerateOptions(symmetry="diagonal"), "sat", "symmetry diagonal needs equal sides"),
        (STRIP, GenerateOptions(symmetry="full"), "sat", "symmetry full needs equal sides"),
        (square(9), GenerateOptions(), "magic", "not a generator: 'magic'; choose from sat, keck2022"),
        (square(9), GenerateOptions(solutions=2), "keck2022", "one solution and without symmetry; use --method sat"),
        (
            square(9),
            GenerateOptions(symmetry="point"),
            "keck2022",
            "one solution and without symmetry; use --method sat",
        ),
    ],
)
def test_impossible_goals(geometry: Geometry, wanted: GenerateOptions, method: str, message: str) -> None:
    """What no puzzle can be is refused at once."""
    with pytest.raises(MethodError, match=message):
        puzzles(geometry, wanted, method=method)


def test_not_a_solution() -> None:
    """A grid that is no solution is refused at once."""
    grid = solved("9x9").copy()
    grid[1] = grid[0]
    with pytest.raises(
        MethodError, match=f"the full grid is not a solution: r1c1 and r1c2 of one row both hold {grid[0]}"
    ):
        puzzles(board("9x9"), GenerateOptions(), grid=grid)
    grid[[4, 7]] = 0
    with pytest.raises(MethodError, match="not a full grid: 2 blanks, the first at r1c5"):
        puzzles(board("9x9"), GenerateOptions(), grid=grid)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["latin:5x5x5", "latin:6x6x6"])
def test_minimal_cube(name: str) -> None:
    """A minimal cube of any side is unique and needs each clue."""
    one = made(board(name), GenerateOptions(), 4)

    assert one.clues < 50
    check(one, GenerateOptions(), "cp-sat")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["latin:5x5x5", "latin:9x9"])
def test_latin_boards(name: str) -> None:
    """Latin boards of any side are filled and dug."""
    one = made(board(name), GenerateOptions(clues=board(name).n_cells * 3 // 4))

    assert one.reached
    check(one, GenerateOptions(clues=one.clues), "cp-sat")


def test_keck_default_board() -> None:
    """Keck's generator makes his cubes where no board is named."""
    assert next(se.generate(method="keck2022", seed=1)).puzzle.geometry.name == "latin:4x4x4"
    assert next(se.generate("4x4x4", method="keck2022", seed=1)).puzzle.geometry.name == "4x4x4"
    assert next(se.generate(seed=1)).puzzle.geometry.name == "9x9"
