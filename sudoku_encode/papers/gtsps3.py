"""GTSPS, versions 3.1 and 3.2: backtracking over minigrids.

Version 3.1 takes the minigrids with the most clues first, and generates the permutations of each against those that
were chosen before it. Version 3.2 generates the valid permutations of all minigrids first, from the clues alone, and
then goes along a sequence in which each minigrid is adjacent to an earlier one: zigzag, spiral or semi-spiral.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.6 and Table 4.8, which describe both.
Differs: both versions give one solution a run and cannot tell whether there is one; here they go on after a solution,
    so they list all solutions and prove it when there is no solution. Of the sequences the text spells out the
    semi-spiral one only (1 4 5 2 3 6 9 8 7); zigzag is read as 1 2 3 6 5 4 7 8 9 and spiral as 1 2 3 6 9 8 7 4 5.
    Minigrids with equally many clues, about which nothing is said, are taken in reading order. Version 3.1 uses the
    tree of `jana2021`.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.grid_text import grid_text, solution_text
from sudoku_encode.papers.gtsps import Tally, unsupported_reason
from sudoku_encode.papers.jana2021 import Tree, dead_level, filled_grids
from sudoku_encode.puzzles.arrays import Intps
from sudoku_encode.puzzles.dead_ends import DeadEnd
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step

__all__ = ["ORDERS", "Order", "densest", "explain", "first_solution", "sequence", "solutions", "unsupported_reason"]

Order = Literal["densest", "zigzag", "spiral", "semi-spiral"]
ORDERS: tuple[Order, ...] = ("densest", "zigzag", "spiral", "semi-spiral")

_MAX_TREE_BYTES = 2**25


def solutions(puzzle: Puzzle, tick: Callable[[], None], order: Order = "densest") -> Iterator[Grids]:
    """Yield all solutions in batches, in the order `densest` of minigrids by version 3.1, in the others by version 3.2.

    Raises:
        StoppedError: version 3.2 has too many permutations to list.
    """
    if puzzle.clash is not None:
        return
    if order == "densest":
        yield from filled_grids(puzzle, _tree(puzzle), tick, _MAX_TREE_BYTES)
        return
    if gtsps.no_permutation_step(puzzle):
        return
    minigrids = gtsps.minigrids(puzzle, tick)
    yield from _matching_grids(puzzle, minigrids, order, tick, None)


def _matching_grids(
    puzzle: Puzzle, minigrids: tuple[gtsps.Minigrid, ...], order: Order, tick: Callable[[], None], tally: Tally | None
) -> Iterator[Grids]:
    shape = gtsps.layout(puzzle.geometry)
    ordered = [minigrids[number] for number in sequence(shape, order)]
    for chosen in gtsps.matching(gtsps.levels(ordered, shape), tick, tally):
        yield gtsps.grids(ordered, chosen)


def densest(puzzle: Puzzle) -> list[int]:
    """Return the minigrids, numbered from 0, those with the most clues first."""
    clues = np.count_nonzero(puzzle.givens[puzzle.geometry.rules[2].units], axis=1)
    return [int(number) for number in np.argsort(-clues, kind="stable")]


def sequence(shape: tuple[int, int], order: Order) -> list[int]:
    """Return the minigrids, numbered from 0 in reading order, along a sequence of version 3.2."""
    numbers = np.arange(shape[0] * shape[1]).reshape(shape)
    if order == "zigzag":
        return [int(number) for down, row in enumerate(numbers) for number in row[:: -1 if down % 2 else 1]]
    if order == "spiral":
        numbers_in_order: list[int] = []
        while numbers.size:
            numbers_in_order += numbers[0].tolist()
            numbers = np.rot90(numbers[1:])
        return numbers_in_order
    return [int(number) for shell in range(max(shape)) for number in _shell(numbers, shell)]


def _shell(numbers: np.ndarray[tuple[int, ...], np.dtype[np.intp]], shell: int) -> list[int]:
    """Return the outer cells of the first `shell` + 1 rows and columns, in a direction that alternates with `shell`."""
    down, across = numbers[shell : shell + 1, : shell + 1].ravel(), numbers[:shell, shell : shell + 1].ravel()
    return [*down, *across[::-1]] if shell % 2 else [*across, *down[::-1]]


def _tree(puzzle: Puzzle) -> Tree:
    """Return the tree of version 3.1: its levels are the blanks, minigrid by minigrid."""
    cells = puzzle.geometry.rules[2].units[densest(puzzle)].ravel().astype(np.intp)
    cells = cells[puzzle.givens[cells] == 0]
    return Tree.of(puzzle.geometry, cells, gtsps.allowed_digits(puzzle)[cells])


def first_solution(puzzle: Puzzle, tick: Callable[[], None]) -> Tally:
    """Run version 3.1 as the thesis does, minigrid by minigrid, until the first solution or to the end.

    The tally has for each minigrid, densest first, how many permutations were generated that match the minigrids before
    it, and how often there was none, so that the search went back.
    """
    units = puzzle.geometry.rules[2].units.astype(np.intp)
    cells = [units[number][puzzle.givens[units[number]] == 0] for number in densest(puzzle)]
    tally = Tally.of(len(cells))
    if puzzle.clash is not None:
        return tally
    grid = puzzle.givens.copy()
    waiting: list[Iterator[Grids]] = []
    going_down = True
    while going_down or waiting:
        if going_down and len(waiting) == len(cells):
            break
        if going_down:
            listed = _against(puzzle, grid, cells[len(waiting)], tick)
            tally.matched[len(waiting)] += len(listed)
            tally.n_dead_ends[len(waiting)] += not len(listed)
            waiting.append(iter(listed))
        own = cells[len(waiting) - 1]
        chosen = next(waiting[-1], None)
        going_down = chosen is not None
        grid[own] = 0 if chosen is None else chosen
        if not going_down:
            waiting.pop()
    return tally


def _against(puzzle: Puzzle, grid: Grids, cells: Intps, tick: Callable[[], None]) -> Grids:
    """List the permutations of a minigrid's blanks `cells` that match the values of the grid."""
    allowed = puzzle.candidates[cells]
    for row, cell in zip(allowed, cells.tolist(), strict=True):
        peer_values = grid[puzzle.geometry.peers[cell]]
        row[peer_values[peer_values > 0] - 1] = False
    return gtsps.permutations(allowed, tick)


def explain(puzzle: Puzzle, tick: Callable[[], None], order: Order = "densest") -> Iterator[Step]:
    """Yield, for each minigrid in order, the number of matching permutations and of dead ends; then the totals."""
    yield from (_explain_densest if order == "densest" else _explain_sequence)(puzzle, tick, order)


def _explain_densest(puzzle: Puzzle, tick: Callable[[], None], _order: Order) -> Iterator[Step]:
    tree = _tree(puzzle)
    n_solutions, first, stopped = _count_solutions(filled_grids(puzzle, tree, tick, _MAX_TREE_BYTES))
    text = "The search fills the minigrids one by one, those with the most clues first."
    yield Step(text, row="minigrid  clues  permutations against the earlier ones  END nodes")
    level, opened = 0, 1
    for number in densest(puzzle):
        blanks = int((puzzle.givens[puzzle.geometry.rules[2].units[number]] == 0).sum())
        opened = int(tree.opened[level + blanks - 1]) if blanks else opened
        ended = int(tree.ended[level : level + blanks].sum())
        row = {"minigrid": number + 1, "clues": puzzle.geometry.n_values - blanks, "matched": opened, "END": ended}
        blanks_text = f"{row['clues']} {plural('clue', row['clues'])}"
        text = f"minigrid {number + 1}, {blanks_text}: {gtsps.counted_branches(opened, ended)}"
        printed = f"{f'M{number + 1}':<8}  {row['clues']:>5}  {opened:>37}  {ended:>9}"
        yield Step(text, "branch", "search", data=row, row=printed)
        level += blanks
    why = DeadEnd()
    if not n_solutions and not stopped:
        why = dead_level(tree, puzzle.givens, puzzle.geometry.cell_name)
    # A level of the tree is a blank, so a branch may end within a minigrid.
    yield from _last_steps(puzzle.geometry, n_solutions, int(tree.ended.sum()), "END nodes", first, stopped, why)


def _explain_sequence(puzzle: Puzzle, tick: Callable[[], None], order: Order) -> Iterator[Step]:
    if end := gtsps.no_permutation_step(puzzle):
        yield end
        return
    yield gtsps.clues_step(puzzle)
    minigrids = gtsps.minigrids(puzzle, tick)
    tally = Tally.of(len(minigrids))
    n_solutions, first, stopped = _count_solutions(_matching_grids(puzzle, minigrids, order, tick, tally))
    text = f"The search goes through the minigrids in the order {order}, and joins the permutations that match."
    yield Step(text, row=f"{order}: minigrid  valid permutations  matched  dead ends")
    for place, number in enumerate(sequence(gtsps.layout(puzzle.geometry), order)):
        valid, matched, dead_ends = len(minigrids[number].permutations), tally.matched[place], tally.n_dead_ends[place]
        row = {"minigrid": number + 1, "valid": valid, "matched": matched, "dead ends": dead_ends}
        permutations = f"{valid:,} valid {plural('permutation', valid)}"
        text = f"minigrid {number + 1}: {permutations}, {gtsps.counted_branches(matched, dead_ends)}"
        printed = f"{minigrids[number].label:>{len(order) + 10}}  {valid:>18}  {matched:>7}  {dead_ends:>9}"
        yield Step(text, "branch", "search", data=row, row=printed)
    why = DeadEnd()
    if not n_solutions and not stopped:
        last = max(place for place, dead_ends in enumerate(tally.n_dead_ends) if dead_ends)
        minigrid = minigrids[sequence(gtsps.layout(puzzle.geometry), order)[last]]
        why = DeadEnd(
            f"every branch is a dead end, at {minigrid.label} at the latest",
            minigrid.blank_cells,
        )
    yield from _last_steps(puzzle.geometry, n_solutions, sum(tally.n_dead_ends), "dead ends", first, stopped, why)


def _count_solutions(batches: Iterator[Grids]) -> tuple[int, list[int], StoppedError | None]:
    """Return the number of solutions, the first solution, and the error that stopped the search."""
    n_solutions = 0
    first: list[int] = []
    try:
        for batch in batches:
            first = first or batch[:1].ravel().tolist()
            n_solutions += len(batch)
    except StoppedError as reason:
        return n_solutions, first, reason
    return n_solutions, first, None


def _last_steps(
    board: Geometry,
    n_solutions: int,
    failed: int,
    unit: str,
    first: list[int],
    stopped: StoppedError | None,
    why: DeadEnd,
) -> Iterator[Step]:
    """Yield the first solution, and the number of solutions."""
    if first:
        text = f"{solution_text(n_solutions, bool(stopped))}:\n{grid_text(board, first)}"
        yield Step(text, "grid", "solution", data={"grid": first})
    text = f"{'at least ' if stopped else ''}{n_solutions} solution{'' if n_solutions == 1 else 's'}, {failed} {unit}"
    if why.text:
        text = f"no solution, {failed} {unit}: {why.text}"
    yield Step(text, "end", because=why.cells, data={"solutions": n_solutions, "complete": not stopped, unit: failed})
    if stopped:
        raise stopped
