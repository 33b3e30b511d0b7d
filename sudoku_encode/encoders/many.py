"""Many puzzles on one board as CNFs, encoded at once: as one puzzle on a board of as many copies.

Most of the time that a small puzzle takes is the calls of numpy, which are the same number for many puzzles at once.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from sudoku_encode.encoders.encoding import Choice, Encoding, encode, encode_reduced, level_of, refuse_unfit
from sudoku_encode.encoders.reduction import Reduction, batch_size, reduce_all
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.parts import cut
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle

# How many puzzles are encoded at once: few enough that their clauses stay in the processor's cache.
_AT_ONCE = 64


def encode_many(
    puzzles: Sequence[Puzzle],
    encoding: str = DEFAULT_ENCODING,
    *,
    reduction: str = DEFAULT_REDUCTION,
    amo: str = "pairwise",
    duplicates: bool = False,
) -> Iterator[Encoding]:
    """Yield for each of some puzzles on one board what `encode` returns, save that clauses have no names.

    By default nothing is left out.

    Raises:
        MethodError: as `encode`.
    """
    if any(puzzle.constraints for puzzle in puzzles):
        # Their units, and so their boards, are not the same.
        for puzzle in puzzles:
            yield encode(puzzle, encoding, reduction=reduction, amo=amo, duplicates=duplicates)
        return
    level, choice = level_of(encoding, reduction), Choice(encoding, amo, duplicates)
    refuse_unfit(puzzles[0].geometry, level, choice)
    step = batch_size(puzzles[0].geometry)
    for start in range(0, len(puzzles), step):
        some = puzzles[start : start + step]
        yield from encode_many_reduced(some, list(reduce_all(some, level)), choice)


def encode_many_reduced(puzzles: Sequence[Puzzle], left: Sequence[Reduction], choice: Choice) -> Iterator[Encoding]:
    """Yield the encodings of what reductions left of puzzles on one board; the encoding fits the board."""
    for start in range(0, len(puzzles), _AT_ONCE):
        some, rest = puzzles[start : start + _AT_ONCE], left[start : start + _AT_ONCE]
        small = [number for number, one in enumerate(rest) if _is_small(one)]
        made = _together([some[number] for number in small], [rest[number] for number in small], choice)
        found = dict(zip(small, made, strict=True))
        for number, both in enumerate(zip(some, rest, strict=True)):
            together = found.get(number)
            # Of a large formula the clauses are written in another order where they are in groups.
            yield together if together and dimacs.is_small(together.cnf) else encode_reduced(*both, choice)


def _is_small(left: Reduction) -> bool:
    """Say whether what is left of a puzzle may have a small formula, for which its share of the calls is large."""
    if left.contradiction or left.candidates.all():
        # Encoders write a whole board by other rules than what is left of one.
        return False
    return int(np.count_nonzero(left.candidates[~left.decided])) <= dimacs.SMALL_VARIABLES


def _together(puzzles: list[Puzzle], left: list[Reduction], choice: Choice) -> list[Encoding]:
    """Return the encodings of puzzles on one board, of none of which all is left."""
    if not puzzles:
        return []
    board, m = puzzles[0].geometry, len(puzzles)
    candidates = np.stack([one.candidates for one in left])
    decided = np.stack([one.decided for one in left])
    together = encode_reduced(
        _side_by_side(puzzles), Reduction(candidates.reshape(-1, board.n_values), decided.ravel()), choice
    )
    literals = together.literals.reshape(m, *candidates.shape[1:], -1)
    part_of = np.full(together.cnf.n_variables + 1, -1, np.int16)
    part_of[np.abs(literals).reshape(m, -1)] = np.arange(m, dtype=np.int16)[:, None]
    formulas, names = cut(together.cnf, part_of, m)
    parts = zip(puzzles, formulas, candidates, names[literals], strict=True)
    return [Encoding(puzzle, together.name, together.kind, *part) for puzzle, *part in parts]


def _side_by_side(puzzles: list[Puzzle]) -> Puzzle:
    """Return puzzles on one board as one puzzle on a board of copies."""
    board = puzzles[0].geometry
    marks = None
    if any(puzzle.pencilmarks is not None for puzzle in puzzles):
        every = np.ones((board.n_cells, board.n_values), bool)
        marks = np.concatenate([every if one.pencilmarks is None else one.pencilmarks for one in puzzles])
    return Puzzle(_copies(board, len(puzzles)), np.concatenate([puzzle.givens for puzzle in puzzles]), marks)


@lru_cache(maxsize=8)
def _copies(board: Geometry, n: int) -> Geometry:
    """Return a board that is some copies of a board, whose cells come copy by copy."""
    first_cells = np.arange(n, dtype=np.int32)[:, None, None] * board.n_cells
    rules = [Rule(rule.name, (first_cells + rule.units).reshape(-1, rule.units.shape[1])) for rule in board.rules]
    return Geometry(f"{n} x {board.name}", (n, *board.shape), board.n_values, tuple(rules))
