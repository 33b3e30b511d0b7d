"""One solution of each of many puzzles: with the method `sat`, neighbours on one board share one incremental solver."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, groupby, islice

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.many import solver_of_many, solves_many
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Limits

_CHUNK_PUZZLES = 256

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()

# The answer of a search for one solution: a grid (n_cells,), None when there is none, or what stopped the search.
Answer = Grids | StoppedError | None


def first_of_each(puzzles: Iterable[Puzzle], method: str = "sat", options: Options = _NO_OPTIONS) -> Iterator[Answer]:
    """Yield for each puzzle a solution (n_cells,), None where it has none, or what stopped the search.

    Args:
        puzzles: of any boards.
        method: a key of METHODS.
        options: what else is chosen.
    """

    @cache
    def together(board: Geometry) -> bool:
        return solves_many(board, method, options)

    def shared_board(puzzle: Puzzle) -> Geometry | None:
        """Return the board that puzzles must share to be solved by one solver; None where they are not."""
        return puzzle.geometry if puzzle.has_givens_alone and together(puzzle.geometry) else None

    for board, group in groupby(puzzles, key=shared_board):
        head, rest = _first_two(group)
        if board and len(head) == 2:
            yield from _together(rest, board, method, options)
        else:
            yield from (first(puzzle, method, options=options) for puzzle in rest)


def _first_two(puzzles: Iterable[Puzzle]) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """Return the first two puzzles, or the only one, and all of them."""
    remaining = iter(puzzles)
    head = list(islice(remaining, 2))
    return head, chain(head, remaining)


def _together(puzzles: Iterator[Puzzle], board: Geometry, method: str, options: Options) -> Iterator[Answer]:
    """Solve puzzles on a board, with givens alone, by one solver."""
    with solver_of_many(board, method, options) as solve:
        while chunk := list(islice(puzzles, _CHUNK_PUZZLES)):
            grids, has_solution = solve(np.stack([puzzle.givens for puzzle in chunk]))
            yield from (grid if solved else None for grid, solved in zip(grids, has_solution, strict=True))


def first(puzzle: Puzzle, method: str, limits: Limits = _NO_LIMITS, options: Options = _NO_OPTIONS) -> Answer:
    """Return a solution (n_cells,), None where there is none, or what stopped the search."""
    # Some methods are faster with a limit of 1; that they stop there does not matter, since the solution is the answer.
    deadline = Limits(1, limits.seconds, limits.memory).start()
    try:
        for batch in calls.solutions(puzzle, method, deadline, options):
            return np.asarray(batch[0])
    except StoppedError as reason:
        return reason
    return None
