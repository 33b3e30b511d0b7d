"""Puzzles that the checks work on: those of `instances/`, and random ones where a paper does not publish its own."""

from functools import cache
from pathlib import Path

import numpy as np

import sudoku_encode as se
from sudoku_encode.reproduce import answers

# The thesis on GTSPS sorts puzzles by their numbers of clues. Of each kind the numbers of clues and of solutions, taken
# in turn. One pass of removals seldom ends below 23 clues, so its evil puzzles, of 17 to 27 clues, and those with
# several solutions, of 21 to 32, are two kinds each: `few` and `several-few` are made from puzzles of 17 clues. Of the
# latter the number of solutions is what it happens to be, up to MOST_SOLUTIONS.
KINDS: dict[str, list[tuple[int, int]]] = {
    "easy": [(clues, 1) for clues in range(36, 47)],
    "medium": [(clues, 1) for clues in range(32, 36)],
    "hard": [(clues, 1) for clues in range(28, 32)],
    "evil": [(clues, 1) for clues in range(23, 28)],
    "several": [(clues, (100, 20, 5, 2)[(clues - 24) // 3]) for clues in range(24, 33)],
    "few": [(clues, 1) for clues in (22, 20, 18, 21, 19, 17)],
    "several-few": [(clues, 0) for clues in (23, 22, 21)],
}
# Fig. 4.9 of the thesis has these, "and others are having less number of solutions".
MOST_SOLUTIONS = 127
SEVENTEEN = "known-counts/royle-17.sdm"


def no_tick() -> None:
    """Stop nothing."""


def instances() -> Path:
    """Return the folder of the puzzles that come with this project: in the installed package, or beside its source."""
    package = Path(__file__).resolve().parents[1]
    return next(home for home in (package / "instances", package.parent / "instances") if home.is_dir())


def path(file: str) -> Path:
    """Return where a file of `instances/` is."""
    return instances() / file


def read(file: str) -> list[se.Puzzle]:
    """Return the puzzles of a file of `instances/`."""
    puzzles = []
    for entry in se.read_all(path(file)):
        if isinstance(entry, se.FormatError):
            raise entry
        puzzles.append(entry)
    return puzzles


def random(kind: str, number: int) -> tuple[se.Puzzle, ...]:
    """Return `number` random 9x9 puzzles of a kind, with the clues and solutions of KINDS, each in turn."""
    return tuple(_random(kind, seed) for seed in range(number))


@cache
def _random(kind: str, seed: int) -> se.Puzzle:
    clues, solutions = KINDS[kind][seed % len(KINDS[kind])]
    if kind.endswith("few"):
        return _with_few_clues(clues, solutions == 1, seed)
    (generated,) = se.generate("9x9", clues=clues, solutions=solutions, seed=seed, attempts=1000)
    if not generated.reached:
        raise se.InternalError(f"no puzzle with {clues} clues and {solutions} solutions: seed {seed}")
    return generated.puzzle


@cache
def _seventeen() -> tuple[tuple[se.Puzzle, answers.Grids], ...]:
    """Return some puzzles of 17 clues, and their solutions."""
    return tuple((puzzle, answers.solution(puzzle)) for puzzle in read(SEVENTEEN))


def _with_few_clues(clues: int, unique: bool, seed: int) -> se.Puzzle:
    """Shuffle a puzzle of 17 clues and give more of its solution; where several are wanted, take a clue away first."""
    chance = np.random.default_rng([clues, seed])
    while True:
        puzzle, solution = _seventeen()[chance.integers(len(_seventeen()))]
        given = list(chance.permutation(np.flatnonzero(puzzle.givens)))[0 if unique else 1 :]
        given += list(chance.permutation(puzzle.blanks))[: clues - len(given)]
        grid = np.zeros_like(solution)
        grid[given] = solution[given]
        made = se.Puzzle.of(puzzle.geometry, _shuffled(grid, chance))
        if unique or 2 <= answers.count_in_process(made, "norvig2006", 5).value <= MOST_SOLUTIONS:
            return made


def _shuffled(grid: answers.Grids, chance: np.random.Generator) -> answers.Grids:
    """Exchange the digits, the bands, stacks, rows and columns of a 9x9 grid at random, and perhaps turn it over."""
    digits = np.concatenate([[0], 1 + chance.permutation(9)]).astype(np.uint8)
    lines = [np.concatenate([3 * band + chance.permutation(3) for band in chance.permutation(3)]) for _ in range(2)]
    square = digits[grid.reshape(9, 9)][np.ix_(*lines)]
    return np.ascontiguousarray(square.T if chance.integers(2) else square).ravel()
