"""Check whether the kernels of the search are compiled, and load them before a time limit starts to run."""

from functools import lru_cache

import numpy as np

from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.search import batch, blocks, count, solutions, unsupported_reason, vectors9
from sudoku_encode.search.blocks import is_of_blocks
from sudoku_encode.search.vectors9 import is_of_vectors9

# Where the kernels are.
_PACKAGE = "sudoku_encode.search"
# The kernels that listing and counting call, by module and name.
_ANY_KERNELS = (("any_kernel", "begin"), ("any_kernel", "run"), ("any_kernel", "components"))
_NOWHERE = np.empty((0, 0), np.uint8)
_CONSTRAINED_KERNELS = (("constrained_kernel", "run"),)


# The boards whose kernels are compiled in this process, which stay so; None for puzzles with constraints.
_compiled_for: set[Geometry | None] = set()
_MOST_BOARDS = 64


def not_compiled_reason(board: Geometry, constrained: bool = False) -> str:
    """Return why a search would have to wait for the compiler or cannot be compiled; an empty string if it can start.

    A puzzle is `constrained` if it has constraints that are not units.
    """
    key = None if constrained else board
    if key in _compiled_for:
        return ""
    reason = _not_compiled_reason(board, constrained)
    if not reason:
        if len(_compiled_for) >= _MOST_BOARDS:
            _compiled_for.clear()
        _compiled_for.add(key)
    return reason


def _not_compiled_reason(board: Geometry, constrained: bool) -> str:
    if constrained:
        return kernels.missing(_PACKAGE, _CONSTRAINED_KERNELS)
    module, leading = _kernel_of(board)
    if not leading:
        return kernels.missing(_PACKAGE, _ANY_KERNELS)
    return kernels.missing(_PACKAGE, [(module, "run")], (*leading, _NOWHERE, 0, True, 0))


def batch_not_compiled_reason(board: Geometry) -> str:
    """Return why `batch` would have to wait for the compiler or cannot be compiled; an empty string if it can start."""
    module, leading = _kernel_of(board)
    numbers = np.empty(0, np.int64)
    arguments = (*leading, _NOWHERE, 0, _NOWHERE, numbers, numbers, 0) if leading else ()
    return kernels.missing(_PACKAGE, [(module, "run_all")], arguments)


def _kernel_of(board: Geometry) -> tuple[str, tuple[object, ...]]:
    """Return the module of a board's kernels, and their first arguments, where these are compiled for several types."""
    if is_of_blocks(board):
        of_blocks = blocks.empty_state(board)
        return "blocks_kernel", (blocks.shape_of(of_blocks), of_blocks)
    if is_of_vectors9(board):
        of_nine = vectors9.empty_state(board)
        return "vectors9_kernel", (vectors9.kind_of(of_nine), of_nine)
    return "any_kernel", ()


def load(board: Geometry, constrained: bool = False) -> None:
    """Load or compile the kernels that list and count the solutions of a puzzle, so that no search waits for that.

    A puzzle is `constrained` if it has constraints that are not units; nothing is done for an unsupported board.
    """
    if not unsupported_reason(board):
        if constrained:
            _load_constrained()
        else:
            _load(board)


@lru_cache(maxsize=64)
def _load(board: Geometry) -> None:
    # A puzzle without a solution, on the board itself: some kernels are compiled for one board.
    puzzle = Puzzle.of(board, np.ones(board.n_cells, np.uint8))
    count(puzzle, lambda: None)
    next(solutions(puzzle, lambda: None), None)


@lru_cache(maxsize=1)
def _load_constrained() -> None:
    count(Puzzle.of(boards.board("4x4"), constraints=["thermometer r1c1 r1c2"]), lambda: None)


@lru_cache(maxsize=16)
def load_for_batch(board: Geometry) -> None:
    """Load or compile the kernels of `batch` for a board; nothing is done for one that search does not support."""
    if not unsupported_reason(board):
        batch(board, np.ones((1, board.n_cells), np.uint8), 1, lambda: None)
