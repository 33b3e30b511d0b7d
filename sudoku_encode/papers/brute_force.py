"""Brute force: cell by cell in scan order, each value in turn, back to the cell before when none is left.

Source: the brute-force solver that chapter 4 of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver) compares with,
    its [47]: plain backtracking over the cells.
Differs: the thesis says that it must run once for each solution; nothing keeps it from going on after the first, and
    here it lists all of them in one run, in the order of their values. It holds for any board, not for squares only.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers.brute_force_state import DONE, LEVEL, TRIED, UNDONE, State
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

# How many values a kernel looks at between two calls of `tick`, some tens of milliseconds.
VALUES_PER_CALL = 2**22
# It returns earlier when its batch of solutions is full.
BATCH_BYTES = 2**20
# How many moves `explain` yields one by one, and how many of them with a text.
MAX_MOVES, MAX_SHOWN_MOVES = 5_000, 30


def start(puzzle: Puzzle) -> State:
    """Start at the first blank. The givens must not clash."""
    board = puzzle.geometry
    home = board.units_of_cells
    used = np.zeros((board.n_units, board.n_values), bool)
    cells, rules = np.nonzero((home >= 0) & (puzzle.givens > 0)[:, None])
    used[home[cells, rules], puzzle.givens[cells].astype(np.intp) - 1] = True
    return State(puzzle.blanks, puzzle.candidates, home, used, puzzle.givens.copy(), np.zeros(4, np.int64))


def run(state: State, tick: Callable[[], None]) -> Iterator[Grids]:
    """Yield the solutions from where the search is, the first one by itself, then larger and larger batches."""
    from sudoku_encode.papers.brute_force_kernel import search

    for out in buffers(len(state.grid)):
        if state.counts[DONE]:
            return
        tick()
        found = search(state, out, VALUES_PER_CALL)
        if found:
            yield out[:found].copy()


def buffers(n_cells: int) -> Iterator[Grids]:
    """Yield room for 1, 2, 4, ... solutions, up to a batch, for ever."""
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
    """Yield the first values tried and undone, and how many there were up to the first solution and in all."""
    board, state = puzzle.geometry, start(puzzle)
    yield Step(f"{len(state.blanks)} blanks in scan order", data={"blanks": state.blanks.tolist()})
    found: list[Grids] = []
    yield from _first_moves(board, state, found)

    def none_left() -> DeadEnd:
        first = int(state.blanks[0])
        return DeadEnd(f"no value is left for the first blank, {board.cell_name(first)}", (first,))

    yield from counted(
        chain(found, run(state, tick)),
        lambda: {"tried": int(state.counts[TRIED]), "undone": int(state.counts[UNDONE])},
        none_left,
    )


def _first_moves(board: Geometry, state: State, found: list[Grids]) -> Iterator[Step]:
    """Make the first moves, up to the first solution, which is put into `found`; yield each, the later ones as data."""
    from sudoku_encode.papers.brute_force_kernel import search

    out = np.zeros((1, board.n_cells), np.uint8)
    for number in range(1, MAX_MOVES + 1):
        level = int(state.counts[LEVEL])
        if level < 0:
            return
        cell = int(state.blanks[level]) if level < len(state.blanks) else -1
        old = int(state.grid[cell])
        # With so little work the kernel makes one move: the next value of this blank, or back to the blank before.
        if search(state, out, 1):
            found.append(out.copy())
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


def counted(
    batches: Iterator[Grids], work: Callable[[], dict[str, int]], none_left: Callable[[], DeadEnd]
) -> Iterator[Step]:
    """Yield the work up to the first solution and up to the end, also when the search is stopped before its end.

    Args:
        batches: of solutions.
        work: returns how many values were tried, and how many undone, by what each is called.
        none_left: says where the search ended, if there is no solution.
    """
    found, stopped = 0, None

    def so_far(when: str, kind: str, grid: Sequence[int] = ()) -> Step:
        done = work()
        (verb, tried), (_, undone) = done.items()
        return Step(
            f"{when}: {tried} values {verb}, {undone} undone", kind, data={**done, **({"grid": grid} if grid else {})}
        )

    try:
        for batch in batches:
            if not found:
                yield so_far("first solution", "grid", batch[0].tolist())
            found += len(batch)
    except StoppedError as reason:
        stopped = reason
    yield so_far("stopped" if stopped else "all done", "note")
    if not found and not stopped:
        why = none_left()
        yield Step(f"no solution: {why.text}", "end", because=why.cells, data=NONE)
        return
    text = f"{'at least ' if stopped else ''}{found} solution{'' if found == 1 else 's'}"
    yield Step(text, "end", data={"solutions": found, "complete": not stopped})
    if stopped:
        raise stopped
