"""Exhaustive search: all solutions of a puzzle, their number, and many puzzles at once.

The candidates of a cell are bits of a word. Naked and hidden singles are propagated; then a cell with the fewest
candidates is tried, or a value with two places left in a unit. A guess is one value of one cell, and then that value
taken from the cell, so the search continues where the guess left it. The 9x9 board is stored in nine vectors, also with
further units such as diagonals (see `vectors9`), and larger squares and cubes in vectors too (see `blocks`): that is
ten to twenty times as fast, and changes no answer.

Counting uses one more fact. When every open cell has two candidates and every value two places in each unit, a choice
in a cell settles all cells connected with it, and the opposite choice in all of them is sound as well: one half is
searched and counted twice.

Constraints that are not units remove candidates by propagators (see `Propagators` in `state`), on any board.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.arrays import Bools, Int64s, Intps
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, require_plain
from sudoku_encode.run.counting import new_grids
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.search import blocks, vectors9
from sudoku_encode.search.blocks import BlocksState, is_of_blocks
from sudoku_encode.search.state import DONE, EARLY, EFFORT, AnyState, ConstrainedState, any_state, masks_of
from sudoku_encode.search.vectors9 import Vectors9State, empty_state, is_of_vectors9, vectors9_state

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("loading", "probes")

MAX_VALUES = 64
# How much work a kernel does between two calls of `tick`, some tens of milliseconds.
CELLS_PER_CALL, FRAMES_PER_CALL, VECTORS_PER_CALL, ASKED_PER_CALL = 2**24, 2**16, 2**19, 2**18
# About how many bytes a batch of solutions may take: it stays in the cache while the solutions are checked.
BATCH_BYTES = 2**17

# Searches over units and candidates alone; with those that take constraints.
State = AnyState | Vectors9State | BlocksState
AnySearch = State | ConstrainedState


def unsupported_reason(board: Geometry) -> str:
    """Return why a board does not fit bit masks, or an empty string."""
    return "" if board.n_values <= MAX_VALUES else f"it supports at most {MAX_VALUES} values"


def start(puzzle: Puzzle) -> State:
    """Return a search that has not begun: a tuple of arrays, which can be saved, loaded and continued.

    Raises:
        MethodError: the board has too many values.
    """
    require_plain(puzzle)
    board = puzzle.geometry
    if unsupported_reason(board):
        raise MethodError(f"{board.name}: {unsupported_reason(board)}")
    if is_of_blocks(board):
        return blocks.blocks_state(puzzle)
    return vectors9_state(puzzle) if is_of_vectors9(board) else any_state(board, masks_of(puzzle))


def start_any(lowered_puzzle: LoweredPuzzle) -> AnySearch:
    """Return a search that has not begun, of a puzzle with or without constraints that are not units."""
    board = lowered_puzzle.puzzle.geometry
    if not lowered_puzzle.placed:
        return start(lowered_puzzle.puzzle)
    if reason := unsupported_reason(board):
        raise MethodError(f"{board.name}: {reason}")
    from sudoku_encode.search.constrained import constrained_state

    return constrained_state(lowered_puzzle)


def finished(state: AnySearch) -> bool:
    """Return whether all solutions have been found."""
    # DONE is the same place in all kinds of states.
    return bool(state.counts[DONE])


def advance(state: AnySearch, out: Grids) -> int:
    """Continue a search for some tens of milliseconds, or until `out`, uint8 (m, n_cells), is full.

    Return how many solutions were written to it, in an order that only the puzzle decides; it may be 0 before the
    search is `finished`.
    """
    return run(state, out, len(out), False)


def run(state: AnySearch, out: Grids, stop: int, doubling: bool) -> int:
    """Continue a search for some tens of milliseconds; see `run` of the kernels; return how many solutions it found."""
    if isinstance(state, Vectors9State):
        from sudoku_encode.search import vectors9_kernel

        return vectors9_kernel.run(vectors9.kind_of(state), state, out, stop, doubling, FRAMES_PER_CALL)
    if isinstance(state, BlocksState):
        from sudoku_encode.search import blocks_kernel

        return blocks_kernel.run(blocks.shape_of(state), state, out, stop, doubling, _boards_per_call(state))
    if isinstance(state, ConstrainedState):
        from sudoku_encode.search import constrained_kernel

        return constrained_kernel.run(state, out, stop, ASKED_PER_CALL)
    from sudoku_encode.search import any_kernel

    return any_kernel.run(state, out, stop, doubling, CELLS_PER_CALL)


def _boards_per_call(state: BlocksState) -> int:
    return max(1, VECTORS_PER_CALL // blocks.n_vectors(state))


def solutions(puzzle: Puzzle, tick: Callable[[], None], size: int | None = None) -> Iterator[Grids]:
    """Yield all solutions in batches, the first one by itself, then larger and larger ones.

    Hidden cells come after those of the grid; a grid comes once, with the first values of the hidden cells. A batch has
    up to `size` solutions, by default about a hundred kilobytes; `tick` may raise StoppedError.
    """
    return (batch for batch, _ in steps(puzzle, tick, size) if len(batch))


def steps(puzzle: Puzzle, tick: Callable[[], None], size: int | None = None) -> Iterator[tuple[Grids, int]]:
    """Yield the batches of `solutions`, empty ones too, each after some tens of milliseconds at most.

    Each comes with the work that is done so far, in runs of a cheap propagator; 0 for a puzzle without constraints.
    """
    state = start_any(lower_puzzle(puzzle))
    n_cells, seen = puzzle.extended.geometry.n_cells, set[bytes]()
    repeats = isinstance(state, ConstrainedState) and state.propagators.progress[EARLY] > puzzle.geometry.n_grid
    progress = state.propagators.progress if isinstance(state, ConstrainedState) else np.zeros(EFFORT + 1, np.int64)
    max_size = size or max(1, BATCH_BYTES // n_cells)
    size_now = 1
    while not finished(state):
        tick()
        out = np.empty((size_now, n_cells), np.uint8)
        batch = out[: advance(state, out)]
        if repeats:
            batch = new_grids(batch, puzzle.geometry.n_grid, seen)
        yield batch, int(progress[EFFORT])
        if len(batch):
            size_now = min(2 * size_now, max_size)


def count(puzzle: Puzzle, tick: Callable[[], None]) -> int:
    """Count the solutions without listing them.

    Where the cells that propagation leaves open fall into parts that share no candidate within a unit, the parts are
    counted one by one, equal ones once, with the rest of the board filled as in one solution. The number so far is
    emitted as `Progress`.
    """
    total = 1
    for state, power in factors(lower_puzzle(puzzle), tick):
        # Where there are several parts, each has a solution: each part that is not counted yet counts as 1 at least.
        total *= tally(state, tick, partial(report_count, 0, total)) ** power
    return total


def report_count(before: int, times: int, n_found: int) -> None:
    """Emit how many solutions there are at least: those counted before, and `n_found` that count `times` each."""
    emit(Progress.of_solutions(before + times * n_found))


class Factor(NamedTuple):
    """A search whose count is a factor of the count of a puzzle."""

    search: AnySearch  # it has not begun
    power: int  # how many times it is a factor: for how many equal parts of the puzzle it stands


def factors(lowered_puzzle: LoweredPuzzle, tick: Callable[[], None]) -> list[Factor]:
    """Return searches whose counts, multiplied, are the count of the puzzle. Mostly it is one."""
    board = lowered_puzzle.puzzle.geometry
    state = start_any(lowered_puzzle)
    if not isinstance(state, AnyState):
        return [Factor(state, 1)]
    from sudoku_encode.search.any_kernel import begin, components

    if finished(state) or not begin(state, False):
        return [Factor(state, 1)]
    part = np.empty(board.n_cells, np.int32)
    n_parts = components(state, part)
    fixed = any_state(board, state.masks.copy())
    if n_parts < 2:
        return [Factor(fixed, 1)]
    solved = _first_solution(fixed, tick)
    if solved is None:
        return [Factor(fixed, 1)]
    equal_parts: dict[bytes, list[int]] = {}
    for number in range(n_parts):
        equal_parts.setdefault(_part_key(board, state.masks, np.flatnonzero(part == number)), []).append(number)
    return [
        Factor(any_state(board, np.where(part == numbers[0], state.masks, solved)), len(numbers))
        for numbers in equal_parts.values()
    ]


def _part_key(board: Geometry, masks: Int64s, cells: Intps) -> bytes:
    """Return a key that is equal for parts that differ at most in their places and the names of their values."""
    place = np.full(board.n_cells, -1, np.intp)
    place[cells] = np.arange(len(cells))
    units = sorted(
        # Only in a unit with a cell for each value must the values occur.
        (*inside[inside >= 0].tolist(), -1 if unit_size == board.n_values else -2)
        for rule in board.rules
        for inside, unit_size in ((place[unit], len(unit)) for unit in rule.units)
        if (inside >= 0).any()
    )
    columns = sorted((masks[cells] >> value & 1).astype(np.uint8).tobytes() for value in range(board.n_values))
    return repr((units, columns)).encode()


def _first_solution(state: AnyState, tick: Callable[[], None]) -> Int64s | None:
    """Return the first solution, as a set of one value for each cell."""
    out = np.empty((1, len(state.masks)), np.uint8)
    while not finished(state):
        tick()
        if advance(state, out):
            solved: Int64s = (np.uint64(1) << (out[0] - np.uint8(1)).astype(np.uint64)).view(np.int64)
            return solved
    return None


def tally(state: AnySearch, tick: Callable[[], None], report: Callable[[int], None] | None = None) -> int:
    """Run a search to its end, and return how many solutions it found.

    `report` is called before `tick` with the number of solutions so far, where that has grown.
    """
    nowhere = np.empty((0, 0), np.uint8)
    total = 0
    while not finished(state):
        tick()
        more = run(state, nowhere, 2**62, True)
        total += more
        if more and report is not None and not finished(state):
            report(total)
    return total


class BatchAnswers(NamedTuple):
    """The answers of `batch`."""

    grids: Grids  # (puzzles, n_cells), the first solution of each; zeros where there is no solution
    counts: Int64s  # (puzzles,), how many solutions were found, up to the limit
    given_up: Bools  # (puzzles,), which took too long: they may have more solutions


def batch(
    board: Geometry, givens: Grids, limit: int, tick: Callable[[], None], seconds: float | None = None
) -> BatchAnswers:
    """Solve many puzzles of one board in one loop. Other threads run meanwhile, so each can have a share of them.

    A limit of 1 solves, one of 2 tells whether there is only one solution. After some seconds a puzzle is given up,
    some tens of milliseconds late; by default never.
    """
    answers = BatchAnswers(
        np.zeros(givens.shape, np.uint8), np.zeros(len(givens), np.int64), np.zeros(len(givens), bool)
    )
    if board.oversized_unit is not None:
        return answers
    rows, position = np.ascontiguousarray(givens, np.uint8), np.zeros(2, np.int64)
    state = _empty_state(board)
    puzzle, begun = -1, time.monotonic()
    while position[0] < len(rows):
        tick()
        if seconds is not None and position[0] == puzzle and time.monotonic() - begun >= seconds:
            answers.given_up[puzzle] = True
            position[:] = puzzle + 1, 0
            continue
        if position[0] != puzzle:
            puzzle, begun = int(position[0]), time.monotonic()
        if isinstance(state, Vectors9State):
            from sudoku_encode.search import vectors9_kernel

            vectors9_kernel.run_all(
                vectors9.kind_of(state),
                state,
                rows,
                limit,
                answers.grids,
                answers.counts,
                position,
                FRAMES_PER_CALL,
            )
        elif isinstance(state, BlocksState):
            from sudoku_encode.search import blocks_kernel

            blocks_kernel.run_all(
                blocks.shape_of(state),
                state,
                rows,
                limit,
                answers.grids,
                answers.counts,
                position,
                _boards_per_call(state),
            )
        else:
            from sudoku_encode.search import any_kernel

            any_kernel.run_all(state, rows, limit, answers.grids, answers.counts, position, CELLS_PER_CALL)
    return answers


def _empty_state(board: Geometry) -> State:
    """Return a state for puzzles of one board, one after the other."""
    if is_of_blocks(board):
        return blocks.empty_state(board)
    return empty_state(board) if is_of_vectors9(board) else any_state(board, np.zeros(board.n_cells, np.int64))
