"""Puzzles of the checks: those of `instances/`, and random ones if a paper publishes none; and their solutions."""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se

# Solutions by the methods.

Grids = NDArray[np.uint8]


def count_in_process(puzzle: se.Puzzle, method: str, seconds: float) -> se.Count:
    """Count the solutions of a puzzle by a method of `papers`, in this process, with a time limit.

    `se.count` with a limit of seconds starts a process for each puzzle, which takes many times as long as most of these
    methods, so their times could not be measured.

    Raises:
        MethodError: the method cannot be compiled.
        InternalError: the method lists a grid that is not a solution.
    """
    chosen = se.METHODS[method]
    if not chosen.installed:
        raise se.MethodError(f"method {method} needs compiled code, which cannot be made here")
    deadline, value = se.Limits(seconds=seconds).start(), 0
    try:
        if chosen.counts:
            return se.Count(int(chosen.functions.count(puzzle, deadline, **chosen.arguments)), True)
        for grids in chosen.functions.solutions(puzzle, deadline, **chosen.arguments):
            if not _are_solutions(puzzle, grids):
                raise se.InternalError(f"method {method} lists a grid that is not a solution")
            value += len(grids)
    except se.StoppedError as reason:
        return se.Count(value, False, str(reason))
    return se.Count(value, True)


def _are_solutions(puzzle: se.Puzzle, grids: Grids) -> bool:
    """Check that all grids (m, n_cells) are solutions, on a board whose units hold every value."""
    # `se.violations` checks one grid, and would take longer than the methods that are timed.
    given, values = np.flatnonzero(puzzle.givens), np.arange(1, puzzle.geometry.n_values + 1)
    givens_agree = (grids[:, given] == puzzle.givens[given]).all()
    return bool(givens_agree) and all((np.sort(grids[:, rule.units]) == values).all() for rule in puzzle.geometry.rules)


def solutions(puzzle: se.Puzzle, method: str = "sat") -> Grids:
    """Return all solutions of a puzzle, uint8 (m, n_cells)."""
    return np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *se.solutions(puzzle, method).batches()])


def solution_set(puzzle: se.Puzzle, method: str = "sat") -> set[bytes]:
    """Return all solutions of a puzzle, each as bytes, for comparison."""
    return {grid.tobytes() for grid in solutions(puzzle, method)}


def solution(puzzle: se.Puzzle) -> Grids:
    """Return the first solution of a puzzle that has one, uint8 (n_cells,)."""
    return next(se.solutions(puzzle, "sat")).values


# The thesis on GTSPS sorts puzzles by their numbers of clues. For each kind, the numbers of clues and of solutions of
# its puzzles, in turn. One pass of removals seldom ends below 23 clues, so its evil puzzles, of 17 to 27 clues, and
# those with several solutions, of 21 to 32, are two kinds each: `few` and `several-few` are made from puzzles of 17
# clues. For the latter any number of solutions up to MOST_SOLUTIONS is taken.
KINDS: dict[str, list[tuple[int, int]]] = {
    "easy": [(clues, 1) for clues in range(36, 47)],
    "medium": [(clues, 1) for clues in range(32, 36)],
    "hard": [(clues, 1) for clues in range(28, 32)],
    "evil": [(clues, 1) for clues in range(23, 28)],
    "several": [(clues, (100, 20, 5, 2)[(clues - 24) // 3]) for clues in range(24, 33)],
    "few": [(clues, 1) for clues in (22, 20, 18, 21, 19, 17)],
    "several-few": [(clues, 0) for clues in (23, 22, 21)],
}
# The number of Fig. 4.9 of the thesis, "and others are having less number of solutions".
MOST_SOLUTIONS = 127
SEVENTEEN = "known-counts/royle-17.sdm"
# Ten puzzles of Arto Inkala's, hard for backtracking too, by their names without "AI"; three of the papers use them.
INKALA = (
    "escargot",
    "killer-application",
    "lucky-diamond",
    "worm-hole",
    "labyrinth",
    "circles",
    "squadron",
    "honeypot",
    "tweezers",
    "broken-brick",
)


def no_tick() -> None:
    """Do nothing: a tick that never stops a method."""


def instances() -> Path:
    """Return the folder of the puzzles that come with this project: in the installed package, or beside its source."""
    package = Path(__file__).resolve().parents[1]
    return next(home for home in (package / "instances", package.parent / "instances") if home.is_dir())


def path(file: str) -> Path:
    """Return the path of a file of `instances/`."""
    return instances() / file


def read(file: str) -> list[se.Puzzle]:
    """Return the puzzles of a file of `instances/`."""
    return read_file(path(file))


def read_file(file: str | Path) -> list[se.Puzzle]:
    """Return the puzzles of a file.

    Raises:
        FormatError: something in it is not a puzzle.
    """
    puzzles = []
    for entry in se.read_all(file):
        if isinstance(entry, se.FormatError):
            raise entry
        puzzles.append(entry)
    return puzzles


def inkala(name: str) -> se.Puzzle:
    """Return a puzzle of INKALA."""
    (puzzle,) = read(f"papers/inkala/{name}.txt")
    return puzzle


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
def _seventeen() -> tuple[tuple[se.Puzzle, Grids], ...]:
    """Return the known puzzles of 17 clues, and their solutions."""
    return tuple((puzzle, solution(puzzle)) for puzzle in read(SEVENTEEN))


def _with_few_clues(clues: int, unique: bool, seed: int) -> se.Puzzle:
    """Return a shuffled puzzle of 17 clues with more givens; if it should have several solutions, without one clue."""
    chance = np.random.default_rng([clues, seed])
    while True:
        puzzle, solution = _seventeen()[chance.integers(len(_seventeen()))]
        given = list(chance.permutation(np.flatnonzero(puzzle.givens)))[0 if unique else 1 :]
        given += list(chance.permutation(puzzle.blanks))[: clues - len(given)]
        grid = np.zeros_like(solution)
        grid[given] = solution[given]
        candidate = se.Puzzle.of(puzzle.geometry, _shuffled(grid, chance))
        if unique or 2 <= count_in_process(candidate, "norvig2006", 5).value <= MOST_SOLUTIONS:
            return candidate


def _shuffled(grid: Grids, chance: np.random.Generator) -> Grids:
    """Exchange the digits, the bands, stacks, rows and columns of a 9x9 grid at random, and perhaps turn it over."""
    digits = np.concatenate([[0], 1 + chance.permutation(9)]).astype(np.uint8)
    lines = [np.concatenate([3 * band + chance.permutation(3) for band in chance.permutation(3)]) for _ in range(2)]
    square = digits[grid.reshape(9, 9)][np.ix_(*lines)]
    return np.ascontiguousarray(square.T if chance.integers(2) else square).ravel()
