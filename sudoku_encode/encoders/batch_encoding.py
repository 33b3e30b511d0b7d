"""Encode many puzzles on one board at once: as one puzzle on a board of as many copies.

A small puzzle spends most of its time in calls of numpy, whose number is the same for many puzzles at once.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from sudoku_encode.encoders.encoding import Choice, Encoding, encode, encode_reduced, level_of, refuse_unfit
from sudoku_encode.encoders.reduction import Reduction, batch_size, reduce_all
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.cnf import cut_formula
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle

# Number of puzzles encoded at once: their clauses stay in the processor's cache.
_AT_ONCE = 64


def encode_many(
    puzzles: Sequence[Puzzle],
    encoding: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    duplicates: bool = False,
) -> Iterator[Encoding]:
    """Yield the result of `encode` for each of many puzzles on one board, but without names of clauses.

    By default the puzzles are not reduced.

    Raises:
        MethodError: as `encode`.
    """
    if any(puzzle.constraints for puzzle in puzzles):
        # Their units, and so their boards, differ.
        for puzzle in puzzles:
            yield encode(puzzle, encoding, reduction=reduction, amo=amo, duplicates=duplicates)
        return
    level, choice = level_of(encoding, reduction), Choice(encoding, amo, duplicates)
    refuse_unfit(puzzles[0].geometry, level, choice)
    step = batch_size(puzzles[0].geometry)
    for start in range(0, len(puzzles), step):
        batch = puzzles[start : start + step]
        yield from encode_many_reduced(batch, list(reduce_all(batch, level)), choice)


def encode_many_reduced(
    puzzles: Sequence[Puzzle], reductions: Sequence[Reduction], choice: Choice
) -> Iterator[Encoding]:
    """Yield the encodings of reduced puzzles on one board; the encoding must fit the board."""
    for start in range(0, len(puzzles), _AT_ONCE):
        batch, rest = puzzles[start : start + _AT_ONCE], reductions[start : start + _AT_ONCE]
        small = [number for number, one in enumerate(rest) if _is_small(one)]
        small_encodings = _together([batch[number] for number in small], [rest[number] for number in small], choice)
        encoding_of = dict(zip(small, small_encodings, strict=True))
        for number, both in enumerate(zip(batch, rest, strict=True)):
            together = encoding_of.get(number)
            # Large formulas are written in the order of their groups, so they must be encoded alone.
            yield together if together and dimacs.is_small(together.cnf) else encode_reduced(*both, choice)


def _is_small(reduction: Reduction) -> bool:
    """Return whether a reduced puzzle may have a small formula, for which calls take most of the time."""
    if reduction.contradiction or reduction.candidates.all():
        # Encoders treat a board with all candidates differently.
        return False
    return int(np.count_nonzero(reduction.candidates[~reduction.decided])) <= dimacs.SMALL_VARIABLES


def _together(puzzles: list[Puzzle], reductions: list[Reduction], choice: Choice) -> list[Encoding]:
    """Return the encodings of puzzles on one board, each of which has lost candidates."""
    if not puzzles:
        return []
    board, m = puzzles[0].geometry, len(puzzles)
    candidates = np.stack([one.candidates for one in reductions])
    decided = np.stack([one.decided for one in reductions])
    together = encode_reduced(
        _side_by_side(puzzles), Reduction(candidates.reshape(-1, board.n_values), decided.ravel()), choice
    )
    literals = together.literals.reshape(m, *candidates.shape[1:], -1)
    part_of = np.full(together.cnf.n_variables + 1, -1, np.int16)
    part_of[np.abs(literals).reshape(m, -1)] = np.arange(m, dtype=np.int16)[:, None]
    formulas, names = cut_formula(together.cnf, part_of, m)
    parts = zip(puzzles, formulas, candidates, names[literals], strict=True)
    return [Encoding(puzzle, together.name, together.kind, *part) for puzzle, *part in parts]


def _side_by_side(puzzles: list[Puzzle]) -> Puzzle:
    """Return puzzles on one board as one puzzle on a board of copies."""
    board = puzzles[0].geometry
    marks = None
    if any(puzzle.pencilmarks is not None for puzzle in puzzles):
        every = np.ones((board.n_cells, board.n_values), bool)
        marks = np.concatenate([every if puzzle.pencilmarks is None else puzzle.pencilmarks for puzzle in puzzles])
    return Puzzle(_copies(board, len(puzzles)), np.concatenate([puzzle.givens for puzzle in puzzles]), marks)


@lru_cache(maxsize=8)
def _copies(board: Geometry, n: int) -> Geometry:
    """Return a board that consists of n copies of a board, with cells numbered copy by copy."""
    first_cells = np.arange(n, dtype=np.int32)[:, None, None] * board.n_cells
    rules = [Rule(rule.name, (first_cells + rule.units).reshape(-1, rule.units.shape[1])) for rule in board.rules]
    return Geometry(f"{n} x {board.name}", (n, *board.shape), board.n_values, tuple(rules))
