"""Keck, Three-Dimensional Sudoku Thesis (blog post): the two functions that it prints, and its remarks."""

import statistics
import time

import numpy as np
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.papers import keck2022, logic
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import SINGLES
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import no_tick

# Footnote 3: the cells of the cube that the post shows, and of a standard Sudoku.
CELLS = {"4x4x4": 64, "9x9": 81}
# Clues that may be wanted of a 4x4x4 cube. The post names no number; its generator takes any.
WANTED = (40, 30, 20, 12, 8, 6, 5, 4, 3)


class _Clock:
    """A tick that ends a search after some seconds of process time, and counts its calls."""

    def __init__(self, seconds: float) -> None:
        self.end = time.process_time() + seconds
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        if time.process_time() > self.end:
            raise se.Stopped("time limit")


def _solved(board: se.Geometry, seed: int) -> Grids:
    grid = keck2022.solution(board, RandomState(seed), no_tick)
    assert grid is not None
    return grid


def solutions_of_4x4x4(work: Work) -> Finding:
    """Draw solutions of the empty 4x4x4 cube."""
    board = se.board("4x4x4")
    empty = se.Puzzle.of(board)
    grids = np.stack([_solved(board, seed) for seed in range(10 * work.puzzles)])
    wrong = sum(any(se.violations(empty, grid)) for grid in grids)
    total = se.count(empty, "sat").value
    return Finding(
        "GenSudokuSolution",
        "Walks cell by cell, puts a random number that no neighbour has, goes back where none is left; what comes out"
        " is a valid solution.",
        f"Of {len(grids)} solutions drawn for a 4x4x4 cube {wrong} break a rule; {len(np.unique(grids, axis=0))}"
        f" different ones were drawn of the {total} that there are.",
        verdict(wrong == 0),
        "GetNeighbors is not printed; it is taken for the values of the cells that share a row or a minigrid in any of"
        " the three directions.",
    )


def any_size(work: Work) -> Finding:
    """Draw a solution of several boards, three seeds each."""
    rows, lost = [], []
    for name in ("4x4x4", "9x9", "9x9x9"):
        board, spent, ended, steps = se.board(name), [], 0, 0
        for seed in range(3):
            clock, start = _Clock(work.seconds / 3), time.process_time()
            try:
                ended += keck2022.solution(board, RandomState(seed), clock) is not None
            except se.Stopped:
                steps = max(steps, clock.calls * 2**12)
            spent.append(time.process_time() - start)
        lost += [name] * (ended < 3)
        rows.append((name, board.n_cells, ended, round(statistics.median(spent), 4), steps or None))
    return Finding(
        "GenSudokuSolution, `size`",
        "The function generates a valid solution; `size` may be any.",
        f"Of 3 searches of {work.seconds / 3:.2g} s each,"
        f" {', '.join(f'{ended} end on {name}' for name, _, ended, _, _ in rows)}.",
        verdict(not lost),
        "The post shows a 4x4x4 cube and does not say that a larger one was made. The search goes back one cell at"
        " a time, however far back the wrong choice is.",
        side_by_side(("board", "cells", "ended, of 3", "median s", "steps without an end"), *rows),
    )


def one_solution(work: Work) -> Finding:
    """Dig puzzles of 20 clues and count their solutions by SAT."""
    board, clues = se.board("4x4x4"), 20
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
    board = se.board("4x4x4")
    left = [
        int(np.count_nonzero(keck2022.puzzle(_solved(board, seed), board, 0, RandomState(seed), no_tick).givens))
        for seed in range(work.puzzles)
    ]
    shares = [100 * sum(number <= wanted for number in left) / len(left) for wanted in WANTED]
    missed = [wanted for wanted, share in zip(WANTED, shares, strict=True) if share < 100]
    plot = Plot(
        "keck-fewest-clues",
        "Clues that one pass of removals leaves in a 4x4x4 cube with one solution",
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
        f"In {len(left)} cubes of 4x4x4 one pass over all cells ends at {min(left)} to {max(left)} clues, on average"
        f" {statistics.mean(left):.1f}. Not always reached: {', '.join(map(str, missed)) or 'none'} clues.",
        verdict(not missed),
        "Where no clue can go any more and more are left than wanted, the printed loop draws cells for ever: a clue"
        " that cannot go now cannot go later either. With 2 clues no puzzle is unique: two values are not given at all"
        " and can be swapped.",
        side_by_side(
            ("clues wanted", "reached, % of cubes"),
            *((wanted, round(share, 1)) for wanted, share in zip(WANTED, shares, strict=True)),
        ),
        plot,
    )


def fewer_constraints(work: Work) -> Finding:
    """Count cells, units and pairs of peers."""
    rows = []
    for name in CELLS:
        board = se.board(name)
        rows.append((name, board.n_cells, board.n_units, len(board.edges), len(board.peers[0])))
    (_, *cube), (_, *square) = rows
    return Finding(
        "footnote 3",
        f"A 4x4x4 puzzle has {CELLS['4x4x4']} cells as opposed to {CELLS['9x9']}; this reduces the number of"
        " constraints.",
        f"It has {cube[0]} cells and {cube[2]} pairs of cells that must differ; a 9x9 has {square[0]} and {square[2]}.",
        verdict(cube[0] == CELLS["4x4x4"] and square[0] == CELLS["9x9"] and cube[2] < square[2]),
        f"Counted in rows, columns and minigrids there are more: {cube[1]} against {square[1]}.",
        side_by_side(("board", "cells", "units", "pairs", "peers of a cell"), *rows),
    )


def easier_than_9x9(work: Work) -> Finding:
    """See how many puzzles that need each of their clues are solved by singles alone."""
    board = se.board("4x4x4")
    square = se.board("9x9")
    # Fewer would not tell the two kinds apart with certainty.
    number = max(20, min(50, work.puzzles))
    cubes, squares = (
        [keck2022.puzzle(_solved(one, seed), one, 0, RandomState(seed), no_tick) for seed in range(number)]
        for one in (board, square)
    )
    solved = [100 * statistics.mean(map(_by_singles, some)) for some in (cubes, squares)]
    return Finding(
        "section Conclusions, footnote 3",
        "A 4x4x4 puzzle on the hard setting should not be too difficult, and easier and quicker to solve than a 9x9.",
        f"Of {len(cubes)} cubes from which no clue can go, {solved[0]:.0f} % are solved by naked and hidden singles"
        f" alone; of {len(squares)} such 9x9 puzzles {solved[1]:.0f} %.",
        verdict(solved[0] > solved[1]),
        "One measure of difficulty. How many clues the hard setting leaves is not in the post.",
    )


def _by_singles(puzzle: se.Puzzle) -> bool:
    marks = Marks.of(puzzle)
    for _ in logic.steps(marks, no_tick, SINGLES):
        pass
    return logic.ended(marks) == "solved"


def pictures_and_thesis(work: Work) -> Finding:
    """Say what cannot be seen."""
    return Finding(
        "pictures, thesis",
        "A puzzle of the hard setting; examples of variants; that this approach is the best of several.",
        "Not compared.",
        UNCHECKED,
        "The pictures and the thesis itself are not in the text that we have.",
    )


CHECKS: tuple[Check, ...] = (
    solutions_of_4x4x4,
    any_size,
    one_solution,
    fewest_clues,
    fewer_constraints,
    easier_than_9x9,
    pictures_and_thesis,
)
