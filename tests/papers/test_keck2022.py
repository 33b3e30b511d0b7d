"""Keck's generator: its solutions obey the rules, its puzzles are unique by SAT, and a seed is a seed for ever."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.random import RandomState

from sudoku_encode.errors import StoppedError
from sudoku_encode.formats.reading import read
from sudoku_encode.methods import calls
from sudoku_encode.papers import keck2022
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline
from tests.helpers.known_puzzles import INSTANCES

BOARDS: dict[str, Geometry] = {
    "4x4": board("4x4"),
    "6x6": board("6x6"),
    "9x9": board("9x9"),
    "9x9+diagonals": board("9x9+diagonals"),
    "jigsaw": board("jigsaw:aaabacbbccbdcddd"),
    "latin:4x4x4": board("latin:4x4x4"),
    "4x4x4": board("4x4x4"),
    "4x4x4, two rules": board("4x4x4", ["row-z", "box-xy"]),
}


def keep_on() -> None:
    """A tick that lets the search go on."""


def stop_after(n_ticks: int) -> Callable[[], None]:
    """A tick that ends the search at its n-th call."""
    calls = iter(range(1, n_ticks))

    def tick() -> None:
        if next(calls, None) is None:
            raise StoppedError(f"{n_ticks} ticks")

    return tick


@cache
def solved(name: str, seed: int) -> Grids:
    grid = keck2022.solution(BOARDS[name], RandomState(seed), keep_on)
    assert grid is not None
    return grid


@cache
def dug(name: str, seed: int, clues: int) -> Puzzle:
    return keck2022.puzzle(solved(name, seed), BOARDS[name], clues, RandomState(seed), keep_on)


def n_givens(puzzle: Puzzle) -> int:
    return int(np.count_nonzero(puzzle.givens))


def counted(puzzle: Puzzle) -> Count:
    return tally(calls.solutions(puzzle, "sat", Deadline(2)))


def text(grid: Grids) -> str:
    return "".join(map(str, grid.tolist()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", BOARDS)
def test_solution_is_valid(name: str, seed: int) -> None:
    """A solution breaks no rule."""
    grid = solved(name, seed)

    assert grid.dtype == np.uint8
    assert list(violations(Puzzle.of(BOARDS[name]), grid)) == []


@pytest.mark.parametrize("name", BOARDS)
def test_seeds(name: str) -> None:
    """The same seed gives the same and another seed something else."""
    again = keck2022.solution(BOARDS[name], RandomState(1), keep_on)
    assert again is not None
    assert (again == solved(name, 1)).all()
    dug_again = keck2022.puzzle(again, BOARDS[name], 0, RandomState(1), keep_on)
    assert (dug_again.givens == dug(name, 1, 0).givens).all()
    # Of the same solution another seed clears other cells.
    other = keck2022.puzzle(again, BOARDS[name], 0, RandomState(2), keep_on)
    assert (other.givens != dug_again.givens).any()

    assert len({solved(name, seed).tobytes() for seed in range(5)}) > 1


def test_stream_position() -> None:
    """Solution and puzzle go on where the stream stands."""
    rng = RandomState(1)
    grids = [keck2022.solution(BOARDS["9x9"], rng, keep_on) for _ in range(3)]

    assert len({grid.tobytes() for grid in grids if grid is not None}) == 3


# Known by having been drawn once: a seed must give the same puzzle on any machine and in any later version.
DRAWN = [
    (
        "latin:4x4x4",
        "2143132442313412143242133124234143213142241312343214243113424123",
        "0000000000000000003000000000200003000000040000003000000000020100",
    ),
    (
        "4x4x4",
        "2143342143121234431212342143342112344312342121433421214312344312",
        "0000000000000000001000000000300000000000000001000000000000040000",
    ),
    (
        "9x9",
        "134258679956741283287936541345827196721369458869514327473685912592173864618492735",
        "004000000000001280280006500300000100021009000800500007073080000090000860000400005",
    ),
]


@pytest.mark.parametrize(("name", "grid", "givens"), DRAWN, ids=["latin:4x4x4", "4x4x4", "9x9"])
def test_seed_2022(name: str, grid: str, givens: str) -> None:
    """Seed 2022 gives what it has always given."""
    assert text(solved(name, 2022)) == grid
    assert text(dug(name, 2022, 0).givens) == givens


@pytest.mark.parametrize("seed", range(3))
def test_no_solution(seed: int) -> None:
    """A board without a solution has none."""
    assert keck2022.solution(board("4x4x4:literal"), RandomState(seed), keep_on) is None


@pytest.mark.slow
def test_draws_of_768_cubes() -> None:
    """Most of the 768 cubes with minigrids are soon drawn."""
    grids = [keck2022.solution(BOARDS["4x4x4"], RandomState(seed), keep_on) for seed in range(3000)]
    drawn = {grid.tobytes() for grid in grids if grid is not None}

    assert 650 < len(drawn) <= 768


def test_latin_cubes() -> None:
    """There are far more latin cubes."""
    grids = [keck2022.solution(BOARDS["latin:4x4x4"], RandomState(seed), keep_on) for seed in range(1000)]
    drawn = {grid.tobytes() for grid in grids if grid is not None}

    assert 900 < len(drawn) <= 1000


@pytest.mark.parametrize("side", [2, 3, 5])
def test_any_side(side: int) -> None:
    """A latin cube needs no square side."""
    cube = board(f"latin:{side}x{side}x{side}")
    grid = keck2022.solution(cube, RandomState(1), stop_after(1000))

    assert grid is not None
    for axis in range(3):
        lines = np.moveaxis(grid.reshape(cube.shape), axis, 2).reshape(-1, side)
        assert (np.sort(lines, axis=1) == np.arange(1, side + 1)).all()


@pytest.mark.parametrize("picture", ["keck-hard", "keck-cubic"])
def test_pictured_cubes(picture: str) -> None:
    """The cubes of the pictures are latin."""
    puzzle = read(INSTANCES / "papers" / f"{picture}.txt")

    assert puzzle.geometry.name == "latin:4x4x4"
    assert counted(puzzle) == Count(1, True)
    assert counted(Puzzle.of(BOARDS["4x4x4"], puzzle.givens)) == Count(0, True)


@pytest.mark.slow
@pytest.mark.parametrize("clues", [0, 30])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", BOARDS)
def test_puzzle_is_unique(name: str, seed: int, clues: int) -> None:
    """A puzzle is a part of the solution and has no other."""
    full, puzzle = solved(name, seed), dug(name, seed, clues)

    assert ((puzzle.givens == 0) | (puzzle.givens == full)).all()
    assert counted(puzzle) == Count(1, True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", BOARDS)
def test_minimal_puzzle(name: str, seed: int) -> None:
    """A puzzle of as few clues as possible needs each of them."""
    puzzle = dug(name, seed, 0)
    assert 0 < n_givens(puzzle) < BOARDS[name].n_cells
    for cell in np.flatnonzero(puzzle.givens):
        givens = puzzle.givens.copy()
        givens[cell] = 0

        assert counted(Puzzle.of(puzzle.geometry, givens)).value == 2


@pytest.mark.parametrize(
    ("name", "clues"),
    [
        ("latin:4x4x4", 19),
        ("4x4x4", 64),
        ("4x4x4", 63),
        ("4x4x4", 12),
        ("4x4", 8),
        ("6x6", 18),
        ("9x9", 81),
        ("9x9", 30),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_clue_goal(name: str, clues: int, seed: int) -> None:
    """It stops at the wanted number of clues."""
    assert n_givens(dug(name, seed, clues)) == clues


@pytest.mark.parametrize(("name", "clues"), [("latin:4x4x4", 2), ("4x4x4", 2), ("9x9", 16)])
@pytest.mark.parametrize("seed", range(5))
def test_unreachable_goal(name: str, clues: int, seed: int) -> None:
    """A number of clues that cannot be reached gives the minimal puzzle."""
    # Three values must be among the givens of a cube of side 4, and no Sudoku of 16 clues is unique (McGuire 2012).
    assert n_givens(dug(name, seed, clues)) > clues
    assert (dug(name, seed, clues).givens == dug(name, seed, 0).givens).all()


def test_too_many_clues() -> None:
    """More clues than cells leave the solution as it is."""
    assert (dug("4x4x4", 0, 100).givens == solved("4x4x4", 0)).all()


def test_solution_unchanged() -> None:
    """The solution is not changed."""
    full = solved("9x9", 0).copy()
    keck2022.puzzle(full, BOARDS["9x9"], 0, RandomState(0), keep_on)

    assert (full == solved("9x9", 0)).all()


def test_tick_in_solution() -> None:
    """What tick raises ends the search for a solution."""
    # This search gets lost: without the tick it would hang here.
    with pytest.raises(StoppedError, match="50 ticks"):
        keck2022.solution(board("9x9x9"), RandomState(0), stop_after(50))


def test_tick_in_puzzle() -> None:
    """What tick raises ends the search for a puzzle."""
    with pytest.raises(StoppedError, match="50 ticks"):
        keck2022.puzzle(solved("9x9", 0), BOARDS["9x9"], 0, RandomState(0), stop_after(50))


def test_tick_in_count() -> None:
    """Tick is called in the middle of a count too."""
    calls: list[None] = []
    keck2022.puzzle(solved("9x9", 0), BOARDS["9x9"], 0, RandomState(0), lambda: calls.append(None))

    # A count without a guess makes one call.
    assert len(calls) > 81
