"""Brute force: cell by cell in scan order, each value in turn; when no value is left, back to the cell before.

Source: the brute-force solver that chapter 4 of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver) compares with,
    its [47]: plain backtracking over the cells.
Differs: the thesis says that it must run once for each solution; here it continues after the first and lists all
    solutions in one run, in the order of their values. Any board is supported, not only squares.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.papers.brute_force_kernel import State

# Values that a kernel tries between two calls of `tick`: some tens of milliseconds.
VALUES_PER_CALL = 2**22
# It returns earlier when its batch of solutions is full.
BATCH_BYTES = 2**20
# The number of moves that `explain` yields one by one, and of those that have a text.
MAX_MOVES, MAX_SHOWN_MOVES = 5_000, 30


def start(puzzle: Puzzle) -> "State":
    """Return the search at the first blank; the givens must not clash."""
    from sudoku_encode.papers.brute_force_kernel import State

    board = puzzle.geometry
    home = board.units_of_cells
    used = np.zeros((board.n_units, board.n_values), bool)
    cells, rules = np.nonzero((home >= 0) & (puzzle.givens > 0)[:, None])
    used[home[cells, rules], puzzle.givens[cells].astype(np.intp) - 1] = True
    return State(puzzle.blanks, puzzle.candidates, home, used, puzzle.givens.copy(), np.zeros(4, np.int64))


def run(state: "State", tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield the solutions from the current state of the search: the first alone, then larger and larger batches."""
    from sudoku_encode.papers import brute_force_kernel as kernel

    for out in solution_buffers(len(state.grid)):
        if state.counts[kernel.DONE]:
            return
        tick()
        n_solutions = kernel.search(state, out, VALUES_PER_CALL)
        if n_solutions:
            yield out[:n_solutions].copy()


def solution_buffers(n_cells: int) -> Iterator[Grids]:
    """Yield, without end, buffers for 1, 2, 4, ... solutions, up to a batch."""
    out = np.zeros((max(1, BATCH_BYTES // n_cells), n_cells), np.uint8)
    size = 1
    while True:
        yield out[:size]
        size = min(2 * size, len(out))


def unsupported_reason(board: Geometry) -> str:
    """Return an empty string: every board is supported."""
    return ""


def solutions(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield all solutions in batches, in the order of their values."""
    if puzzle.clash is None:
        yield from run(start(puzzle), tick)


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the first values tried and undone, and their number up to the first solution and in all."""
    from sudoku_encode.papers.brute_force_kernel import TRIED, UNDONE

    board, state = puzzle.geometry, start(puzzle)
    yield Step(f"{len(state.blanks)} blanks in scan order", data={"blanks": state.blanks.tolist()})
    first_solutions: list[Grids] = []
    yield from _first_moves(board, state, first_solutions)

    def none_left() -> DeadEnd:
        first = int(state.blanks[0])
        return DeadEnd(f"no value is left for the first blank, {board.cell_name(first)}", (first,))

    yield from explain_search(
        chain(first_solutions, run(state, tick)),
        lambda: {"tried": int(state.counts[TRIED]), "undone": int(state.counts[UNDONE])},
        none_left,
    )


def _first_moves(board: Geometry, state: "State", solutions: list[Grids]) -> Iterator[Step]:
    """Yield the first moves, the later ones without a text, up to the first solution, which is added to `solutions`."""
    from sudoku_encode.papers.brute_force_kernel import LEVEL, search

    out = np.zeros((1, board.n_cells), np.uint8)
    for number in range(1, MAX_MOVES + 1):
        level = int(state.counts[LEVEL])
        if level < 0:
            return
        cell = int(state.blanks[level]) if level < len(state.blanks) else -1
        old = int(state.grid[cell])
        # With `work` 1 the kernel makes one move: the next value of this blank, or back to the blank before.
        if search(state, out, 1):
            solutions.append(out.copy())
            return
        value, name = int(state.grid[cell]), board.cell_name(cell)
        undone = ((cell, old),) if old else ()
        data = {"depth": level + 1}
        if value:
            passed = [str(other) for other in range(old + 1, value)]
            text = f"{number}. {name}: {value}" + (f" in place of {old}" if old else "")
            text += f", since {' '.join(passed)} {'does' if len(passed) == 1 else 'do'} not fit" if passed else ""
            yield Step(
                text if number <= MAX_SHOWN_MOVES else "",
                "guess",
                "next value",
                (cell,),
                ((cell, value),),
                undone,
                data,
            )
        else:
            back = f"back to {board.cell_name(int(state.blanks[level - 1]))}" if level else "nothing is left to try"
            text = f"{number}. {name}: no {f'value above {old}' if old else 'value'} fits, {back}"
            yield Step(text if number <= MAX_SHOWN_MOVES else "", "undo", "back", (cell,), removes=undone, data=data)


def explain_search(
    batches: Iterator[Grids], work: Callable[[], dict[str, int]], none_left: Callable[[], DeadEnd]
) -> Iterator[Step]:
    """Yield the work up to the first solution and in all, also if the search is stopped early.

    `work` returns the numbers of values tried and undone, by their names; `none_left` the dead end, if there is no
    solution.
    """
    n_solutions, stopped = 0, None

    def so_far(when: str, kind: str, grid: Sequence[int] = ()) -> Step:
        done = work()
        (verb, tried), (_, undone) = done.items()
        return Step(
            f"{when}: {tried} values {verb}, {undone} undone", kind, data={**done, **({"grid": grid} if grid else {})}
        )

    try:
        for batch in batches:
            if not n_solutions:
                yield so_far("first solution", "grid", batch[0].tolist())
            n_solutions += len(batch)
    except StoppedError as reason:
        stopped = reason
    yield so_far("stopped" if stopped else "all done", "note")
    if not n_solutions and not stopped:
        why = none_left()
        yield Step(f"no solution: {why.text}", "end", because=why.cells, data=NONE)
        return
    text = f"{'at least ' if stopped else ''}{n_solutions} solution{'' if n_solutions == 1 else 's'}"
    yield Step(text, "end", data={"solutions": n_solutions, "complete": not stopped})
    if stopped:
        raise stopped
