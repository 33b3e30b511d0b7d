"""A random solution, and a puzzle dug out of it: plain backtracking, then givens taken away one by one.

All chance is drawn from one `RandomState`, whose stream numpy has frozen: a seed gives the same puzzle on any machine.

His cubes are Latin cubes, `latin:4x4x4`: a value is once in each line along each axis, and there are no minigrids. The
post does not say so; the two cubes in its pictures do, since they have one solution under these rules, and none when
the rules of a minigrid are added.

Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), which prints the two functions in C#.
Differs: any board is supported, such as a cube with minigrids; a cell's neighbours are its peers.
"""

from collections.abc import Callable, Sequence
from itertools import count

import numpy as np
from numpy.random import RandomState

from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle

# Steps, of a few microseconds each, between two calls of `tick`.
_STEPS_PER_CALL = 2**12


def solution(board: Geometry, rng: RandomState, tick: Callable[[], None]) -> Grids | None:
    """Fill a board at random, cell by cell in scan order, each with a value that no peer holds; undo on failure.

    Every solution can come out, but not all are equally likely. On 16x16 and on cubes of side 9, Latin or not, the
    search as a rule gets lost part of the way, and only `tick`, called every few thousand steps, ends it. The result is
    None if the board has no solution: every choice was tried.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), GenSudokuSolution.
    Differs: a loop, not a recursion as deep as there are cells. GetNeighbors is not printed; it is taken for the values
        of the cell's peers (on his cubes, those in its three lines: see the module), and since cells are filled in
        order only earlier ones can hold any.
    """
    earlier = [peers[peers < cell].tolist() for cell, peers in enumerate(board.peers)]
    grid = [0] * board.n_cells
    # For each cell up to the current one, the values still to be tried.
    options = [list(range(1, board.n_values + 1))]
    for step in count():
        if step % _STEPS_PER_CALL == 0:
            tick()
        cell = len(options) - 1
        if options[cell]:
            grid[cell] = options[cell].pop(rng.randint(len(options[cell])))
            if cell + 1 == board.n_cells:
                break
            peer_values = {grid[peer] for peer in earlier[cell + 1]}
            options.append([value for value in range(1, board.n_values + 1) if value not in peer_values])
        elif cell:
            options.pop()
        else:
            return None
    return np.array(grid, np.uint8)


def puzzle(full: Grids, board: Geometry, clues: int, rng: RandomState, tick: Callable[[], None]) -> Puzzle:
    """Clear cells of a solution in random order, each only if exactly one solution remains, until `clues` are left.

    The puzzle has more clues if no further one can be removed. With 0 it is minimal: without any one given it has more
    solutions.

    Source: Keck, Three-Dimensional Sudoku Thesis (blog post, 2022), GenSudokuPuzzle.
    Differs: he draws cells for ever, and never ends where the number cannot be reached; here each cell is tried once,
        in an order drawn beforehand. That loses nothing: fewer givens only add solutions, so a given that cannot be
        removed now cannot be removed later. IsValidPuzzle is not printed; here solutions are counted by backtracking,
        up to two.
    """
    peers = [peers.tolist() for peers in board.peers]
    givens, n_givens = full.copy(), board.n_cells
    for cell in rng.permutation(board.n_cells):
        if n_givens <= clues:
            break
        givens[cell] = 0
        if _at_most_two(givens.tolist(), peers, board.n_values, tick) == 1:
            n_givens -= 1
        else:
            givens[cell] = full[cell]
    return Puzzle.of(board, givens)


def _at_most_two(givens: Sequence[int], peers: Sequence[Sequence[int]], n_values: int, tick: Callable[[], None]) -> int:
    """Count solutions, up to two, depth first, branching on a cell with the fewest candidates."""
    # The candidates of a cell as bits: bit v - 1 for value v.
    masks = [1 << value - 1 if value else (1 << n_values) - 1 for value in givens]
    waiting = [masks] if _propagate(masks, [cell for cell, value in enumerate(givens) if value], peers) else []
    n_solutions = 0
    while waiting and n_solutions < 2:
        tick()
        masks = waiting.pop()
        unsettled = [cell for cell, bits in enumerate(masks) if bits & (bits - 1)]
        if not unsettled:
            n_solutions += 1
            continue
        cell = min(unsettled, key=lambda at: masks[at].bit_count())
        for value in range(n_values):
            if masks[cell] >> value & 1:
                branch = masks.copy()
                branch[cell] = 1 << value
                if _propagate(branch, [cell], peers):
                    waiting.append(branch)
    return n_solutions


def _propagate(masks: list[int], settled: list[int], peers: Sequence[Sequence[int]]) -> bool:
    """Remove the values of `settled` cells and of cells settled thereby from their peers; False if a cell is empty."""
    while settled:
        cell = settled.pop()
        for peer in peers[cell]:
            if masks[peer] & masks[cell]:
                masks[peer] ^= masks[cell]
                if not masks[peer]:
                    return False
                if not masks[peer] & (masks[peer] - 1):
                    settled.append(peer)
    return True
