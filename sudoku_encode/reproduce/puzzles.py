"""Puzzles that the checks work on: those of `instances/`, and random ones where a paper does not publish its own."""

from functools import cache
from pathlib import Path

import sudoku_encode as se

# The thesis on GTSPS sorts puzzles by their numbers of clues. Of each kind the numbers of clues and of solutions, taken
# in turn; one pass of removals seldom ends below 23 clues, so "evil" does not go down to 17, nor "several" to 21.
KINDS = {
    "easy": [(clues, 1) for clues in range(36, 47)],
    "medium": [(clues, 1) for clues in range(32, 36)],
    "hard": [(clues, 1) for clues in range(28, 32)],
    "evil": [(clues, 1) for clues in range(23, 28)],
    "several": [(clues, (100, 20, 5, 2)[(clues - 24) // 3]) for clues in range(24, 33)],
}


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
    """Return `number` random 9x9 puzzles of a kind, each with exactly the clues and solutions that KINDS says."""
    return tuple(_random(kind, seed) for seed in range(number))


@cache
def _random(kind: str, seed: int) -> se.Puzzle:
    clues, solutions = KINDS[kind][seed % len(KINDS[kind])]
    (generated,) = se.generate("9x9", clues=clues, solutions=solutions, seed=seed, attempts=1000)
    if not generated.reached:
        raise se.InternalError(f"no puzzle with {clues} clues and {solutions} solutions: seed {seed}")
    return generated.puzzle
