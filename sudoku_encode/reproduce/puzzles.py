"""Puzzles that the checks work on: those of `instances/`, and random ones where a paper does not publish its own."""

from functools import cache
from pathlib import Path

from sudoku_encode.errors import FormatError, InternalError
from sudoku_encode.formats import known_counts
from sudoku_encode.formats.known_counts import Known
from sudoku_encode.formats.reading import read_all
from sudoku_encode.generating import making
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle

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


def path(file: str) -> Path:
    """Return where a file of `instances/` is."""
    return known_counts.instances() / file


def known() -> tuple[Known, ...]:
    """Return the puzzles of `instances/` whose number of solutions is known."""
    return known_counts.load(known_counts.instances())


def read(file: str, board: str | None = None, rules: tuple[str, ...] | None = None) -> list[Puzzle]:
    """Return the puzzles of a file of `instances/`."""
    puzzles = []
    for entry in read_all(path(file), board=board, rules=rules):
        if isinstance(entry, FormatError):
            raise entry
        puzzles.append(entry)
    return puzzles


def random(kind: str, number: int) -> tuple[Puzzle, ...]:
    """Return `number` random 9x9 puzzles of a kind, each with exactly the clues and solutions that KINDS says."""
    return tuple(_random(kind, seed) for seed in range(number))


@cache
def _random(kind: str, seed: int) -> Puzzle:
    wanted = making.Wanted(*KINDS[kind][seed % len(KINDS[kind])])
    (one,) = making.puzzles(boards.board("9x9"), wanted, seed, attempts=1000)
    if one is None or not one.reached:
        raise InternalError(f"no puzzle as wanted: {wanted}, seed {seed}")
    return one.puzzle
