"""Keck, Three-Dimensional Sudoku Thesis (blog post, 2022): the two functions that it prints, and its remarks."""

import statistics
import time
from functools import cache

import numpy as np
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.papers import keck2022
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.keck_pictures import (
    by_singles,
    rules_of_the_pictures,
    surfaces_of_the_pictures,
    the_hard_picture,
)
from sudoku_encode.reproduce.puzzles import no_tick

# His cube, by the rules that the pictures follow.
CUBE = "latin:4x4x4"
# Footnote 3: the cells of the cube that the post shows, and of a standard Sudoku.
CELLS = {CUBE: 64, "9x9": 81}
# Clues that may be wanted of a 4x4x4 cube. The post names no number; its generator takes any.
WANTED = (40, 30, 20, 19, 12, 10, 8, 7, 6, 5)


class _Clock:
    """A tick that ends a search after some seconds of process time, and counts its calls."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        if time.process_time() > self.end:
            raise se.StoppedError("time limit")


def _solved(board: se.Geometry, seed: int) -> Grids:
    grid = keck2022.solution(board, RandomState(seed), no_tick)
    assert grid is not None
    return grid


@cache
def drawn(number: int) -> Grids:
    """Return as many solutions of his cube as are wanted, one a seed, uint8 (number, 64)."""
    return np.stack([_solved(se.board(CUBE), seed) for seed in range(number)])


def solutions_of_4x4x4(work: Work) -> Finding:
    """Draw solutions of the empty cube."""
    board = se.board(CUBE)
    empty = se.Puzzle.of(board)
    grids = drawn(10 * work.puzzles)
    wrong = sum(any(se.violations(empty, grid)) for grid in grids)
    total = se.count(empty).value
    return Finding(
        "GenSudokuSolution",
        "Walks cell by cell, puts a random number that no neighbour has, goes back where none is left; what comes out"
        " is a valid solution.",
        f"Of {len(grids)} solutions drawn for a 4x4x4 cube {wrong} break a rule; {len(np.unique(grids, axis=0))}"
        f" different ones were drawn of the {total} that there are.",
        verdict(wrong == 0),
        "GetNeighbors is taken for the values of the cells that share a line in any of the three directions.",
    )


def other_sizes(work: Work) -> Finding:
    """Draw a solution of several cubes, three seeds each."""
    rows = []
    for side in (4, 5, 6, 9):
        board, spent, ended, steps = se.board(f"latin:{side}x{side}x{side}"), [], 0, 0
        for seed in range(3):
            clock, start = _Clock(work.seconds / 20), time.process_time()
            try:
                ended += keck2022.solution(board, RandomState(seed), clock) is not None
            except se.StoppedError:
                steps = max(steps, clock.calls * 2**12)
            spent.append(time.process_time() - start)
        rows.append((board.name, board.n_cells, ended, round(statistics.median(spent), 4), steps or None))
    return Finding(
        "GenSudokuSolution, `size`",
        "The code takes the side of the cube from a variable, `size`; the post shows cubes of side 4 alone.",
        f"Of 3 searches of {work.seconds / 20:.2g} s each,"
        f" {', '.join(f'{ended} end on {name}' for name, _, ended, _, _ in rows)}.",
        UNCHECKED,
        "The post does not say that a larger cube was made, or how long that took. The search goes back one cell at a"
        " time, however far back the wrong choice is, and a few seconds are no proof that it never ends.",
        side_by_side(
            ("board", "cells", "ended, of 3", "median s", "steps without an end"),
            *rows,
            drawn={"seconds, median": ("median s",), "runs that ended": ("ended, of 3",)},
        ),
    )


def one_solution(work: Work) -> Finding:
    """Dig puzzles of 20 clues and count their solutions by SAT."""
    board, clues = se.board(CUBE), 20
    made = [keck2022.puzzle(_solved(board, s), board, clues, RandomState(s), no_tick) for s in range(work.puzzles)]
    counts = [se.count(puzzle, "sat", limits=se.Limits(2)).value for puzzle in made]
    unique = counts.count(1)
    right = sum(int(np.count_nonzero(puzzle.givens)) == clues for puzzle in made)
    return Finding(
        "GenSudokuPuzzle",
        "Values are removed one by one until the desired number of clues is reached, and only if the puzzle still has"
        " only one unique solution.",
        f"Of {len(made)} puzzles with {clues} clues wanted, {right} have {clues} clues and {unique} have one solution.",
        verdict(unique == right == len(made)),
        "IsValidPuzzle is not printed; ours counts solutions up to two by backtracking, and SAT confirms it.",
    )


def fewest_clues(work: Work) -> Finding:
    """Remove what can go, and see how many clues are left."""
    board = se.board(CUBE)
    left = [
        int(np.count_nonzero(keck2022.puzzle(_solved(board, seed), board, 0, RandomState(seed), no_tick).givens))
        for seed in range(work.puzzles)
    ]
    shares = [100 * sum(number <= wanted for number in left) / len(left) for wanted in WANTED]
    missed = [wanted for wanted, share in zip(WANTED, shares, strict=True) if share < 100]
    plot = Plot(
        "keck-fewest-clues",
        "Clues that one pass of removals leaves in a Latin cube of side 4 with one solution",
        "clues left",
        "cubes",
        (
            Series(
                "",
                tuple(str(number) for number in range(min(left), max(left) + 1)),
                tuple(left.count(number) for number in range(min(left), max(left) + 1)),
                False,
            ),
        ),
        log=False,
    )
    return Finding(
        "GenSudokuPuzzle, `while (clueCount > clues)`",
        "Values are removed until the desired number of clues is reached.",
        f"In {len(left)} Latin cubes of side 4 one pass over all cells ends at {min(left)} to {max(left)} clues, on"
        f" average {statistics.mean(left):.1f}. Not always reached: {', '.join(map(str, missed)) or 'none'} clues.",
        verdict(not missed),
        "Where no clue can go any more and more are left than wanted, the printed loop draws cells for ever: a clue"
        " that cannot go now cannot go later either. With 2 clues no puzzle is unique: two values are not given at all"
        " and can be swapped; `reproduce open` says how few clues a cube can have. These are shares of the cubes that"
        " the generator draws, and it does not draw all alike; of that too `reproduce open` has more.",
        side_by_side(
            ("clues wanted", "reached, % of cubes"),
            *((wanted, round(share, 1)) for wanted, share in zip(WANTED, shares, strict=True)),
        ),
        plot,
    )


def fewer_constraints(work: Work) -> Finding:
    """Count cells, units and pairs of peers."""
    rows = []
    for name in (CUBE, "9x9"):
        board = se.board(name)
        rows.append((name, board.n_cells, board.n_units, len(board.edges), len(board.peers[0])))
    (_, *cube), (_, *square) = rows
    return Finding(
        "footnote 3",
        f"A 4x4x4 puzzle has {CELLS[CUBE]} cells as opposed to {CELLS['9x9']}; this reduces the number of constraints.",
        f"It has {cube[0]} cells and {cube[2]} pairs of cells that must differ; a 9x9 has {square[0]} and {square[2]}.",
        verdict(cube[0] == CELLS[CUBE] and square[0] == CELLS["9x9"] and cube[2] < square[2]),
        f"Counted in groups of cells that must all differ there are more: {cube[1]} lines against {square[1]} rows,"
        " columns and minigrids.",
        side_by_side(
            ("board", "cells", "units", "pairs", "peers of a cell"),
            *rows,
            drawn={"number": ("cells", "units", "pairs", "peers of a cell")},
        ),
    )


def easier_than_9x9(work: Work) -> Finding:
    """See how many puzzles that need each of their clues are solved by singles alone."""
    board, square = se.board(CUBE), se.board("9x9")
    # Fewer would not tell the two kinds apart with certainty.
    number = max(20, min(50, work.puzzles))
    cubes, squares = (
        [keck2022.puzzle(_solved(one, seed), one, 0, RandomState(seed), no_tick) for seed in range(number)]
        for one in (board, square)
    )
    solved = [100 * statistics.mean(map(by_singles, some)) for some in (cubes, squares)]
    return Finding(
        "section Conclusions, footnote 3",
        "A 4x4x4 puzzle on the hard setting should not be too difficult, and easier and quicker to solve than a 9x9.",
        f"Of {len(cubes)} cubes from which no clue can go, {solved[0]:.0f} % are solved by naked and hidden singles"
        f" alone; of {len(squares)} such 9x9 puzzles {solved[1]:.0f} %.",
        verdict(solved[0] > solved[1]),
        "One measure of difficulty. The puzzle of the hard setting that the post shows has 19 clues, many more.",
    )


def best_of_several_approaches(work: Work) -> Finding:
    """Say what the post leaves to the thesis."""
    return Finding(
        "section The Algorithms, thesis",
        "There are a few different approaches in the actual thesis; this one is ultimately the best.",
        "Not compared.",
        UNCHECKED,
        "The post does not say what the others are, and the thesis itself is not at hand.",
    )


CHECKS: tuple[Check, ...] = (
    surfaces_of_the_pictures,
    rules_of_the_pictures,
    solutions_of_4x4x4,
    other_sizes,
    one_solution,
    fewest_clues,
    the_hard_picture,
    fewer_constraints,
    easier_than_9x9,
    best_of_several_approaches,
)
