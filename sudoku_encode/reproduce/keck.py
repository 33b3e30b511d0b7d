"""Keck, Three-Dimensional Sudoku Thesis (blog post, 2022): the two printed functions, the remarks and the pictures."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.papers import keck2022, logic
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import SINGLES
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids, no_tick, solution

# His cube, by the rules that the pictures follow.
CUBE = "latin:4x4x4"
# Footnote 3: the cells of the cube that the post shows, and of a standard Sudoku.
CELLS = {CUBE: 64, "9x9": 81}
# Numbers of clues to try on a 4x4x4 cube. The post names no number; its generator takes any.
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


def _sample_cube(board: se.Geometry, seed: int) -> Grids:
    grid = keck2022.solution(board, RandomState(seed), no_tick)
    assert grid is not None
    return grid


@cache
def sample_cubes(number: int) -> Grids:
    """Return `number` solutions of his cube, one for each seed from 0, uint8 (number, 64)."""
    return np.stack([_sample_cube(se.board(CUBE), seed) for seed in range(number)])


def solutions_of_4x4x4(work: Work) -> Finding:
    """Draw solutions of the empty cube."""
    board = se.board(CUBE)
    empty = se.Puzzle.of(board)
    grids = sample_cubes(10 * work.puzzles)
    wrong = sum(any(se.violations(empty, grid)) for grid in grids)
    total = se.count(empty).value
    return Finding(
        "GenSudokuSolution",
        "The algorithm goes from cell to cell, puts a random number that no neighbour has, and goes back if none is "
        "left; the result is a valid solution.",
        f"Of {len(grids)} solutions drawn for a 4x4x4 cube, {wrong} break a rule; {len(np.unique(grids, axis=0))} of "
        f"the {total} solutions that exist were drawn.",
        verdict(wrong == 0),
        "We read GetNeighbors as the values of the cells that share a line in any of the three directions.",
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
        "The code takes the side of the cube from a variable, `size`; the post shows only cubes of side 4.",
        f"Of 3 searches of {work.seconds / 20:.2g} s each,"
        f" {', '.join(f'{ended} end on {name}' for name, _, ended, _, _ in rows)}.",
        UNCHECKED,
        "The post does not say that a larger cube was made, or how long it took. The search goes back one cell at a "
        "time, however far back the wrong choice is, and a few seconds do not prove that it never ends.",
        side_by_side(
            ("board", "cells", "ended, of 3", "median s", "steps without an end"),
            *rows,
            drawn={"seconds, median": ("median s",), "runs that ended": ("ended, of 3",)},
        ),
    )


def one_solution(work: Work) -> Finding:
    """Dig puzzles of 20 clues and count their solutions by SAT."""
    board, clues = se.board(CUBE), 20
    dug = [keck2022.puzzle(_sample_cube(board, s), board, clues, RandomState(s), no_tick) for s in range(work.puzzles)]
    counts = [se.count(puzzle, "sat", limits=se.Limits(2)).value for puzzle in dug]
    unique = counts.count(1)
    right = sum(int(np.count_nonzero(puzzle.givens)) == clues for puzzle in dug)
    return Finding(
        "GenSudokuPuzzle",
        "Values are removed one by one until the desired number of clues is reached, and only if the puzzle still has"
        " only one unique solution.",
        f"Of {len(dug)} puzzles with a target of {clues} clues, {right} have {clues} clues and {unique} have one "
        "solution.",
        verdict(unique == right == len(dug)),
        "IsValidPuzzle is not printed; ours counts up to two solutions by backtracking, and SAT confirms the counts.",
    )


def fewest_clues(work: Work) -> Finding:
    """Remove as many clues as possible, and count the rest."""
    board = se.board(CUBE)
    n_left = [
        int(np.count_nonzero(keck2022.puzzle(_sample_cube(board, seed), board, 0, RandomState(seed), no_tick).givens))
        for seed in range(work.puzzles)
    ]
    shares = [100 * sum(number <= n_wanted for number in n_left) / len(n_left) for n_wanted in WANTED]
    missed = [n_wanted for n_wanted, share in zip(WANTED, shares, strict=True) if share < 100]
    plot = Plot(
        "keck-fewest-clues",
        "Clues that one pass of removals leaves in a Latin cube of side 4 with one solution",
        "clues left",
        "cubes",
        (
            Series(
                "",
                tuple(str(number) for number in range(min(n_left), max(n_left) + 1)),
                tuple(n_left.count(number) for number in range(min(n_left), max(n_left) + 1)),
                False,
            ),
        ),
        log=False,
    )
    return Finding(
        "GenSudokuPuzzle, `while (clueCount > clues)`",
        "Values are removed until the desired number of clues is reached.",
        f"In {len(n_left)} Latin cubes of side 4, one pass over all cells ends at {min(n_left)} to {max(n_left)} "
        f"clues, on average {statistics.mean(n_left):.1f}. Not always reached: "
        f"{', '.join(map(str, missed)) or 'none'} clues.",
        verdict(not missed),
        "If no clue can be removed any more and more are left than wanted, the printed loop draws cells forever: a "
        "clue that cannot be removed now cannot be removed later. With 2 clues no puzzle is unique: two values are "
        "not given at all and can be swapped; `reproduce open` shows how few clues a cube can have. These are shares "
        "of the cubes that the generator draws, and it does not draw all with the same chance: see `reproduce open` "
        "for that too.",
        side_by_side(
            ("clues wanted", "reached, % of cubes"),
            *((n_wanted, round(share, 1)) for n_wanted, share in zip(WANTED, shares, strict=True)),
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
        f"There are more groups of cells that must all differ: {cube[1]} lines against {square[1]} rows, columns and "
        "minigrids.",
        side_by_side(
            ("board", "cells", "units", "pairs", "peers of a cell"),
            *rows,
            drawn={"number": ("cells", "units", "pairs", "peers of a cell")},
        ),
    )


def easier_than_9x9(work: Work) -> Finding:
    """Count the minimal puzzles that singles alone solve."""
    board, square = se.board(CUBE), se.board("9x9")
    # Fewer would not tell the two kinds apart with certainty.
    number = max(20, min(50, work.puzzles))
    cubes, squares = (
        [keck2022.puzzle(_sample_cube(one, seed), one, 0, RandomState(seed), no_tick) for seed in range(number)]
        for one in (board, square)
    )
    solved = [100 * statistics.mean(map(is_solved_by_singles, some)) for some in (cubes, squares)]
    return Finding(
        "section Conclusions, footnote 3",
        "A 4x4x4 puzzle on the hard setting should not be too difficult, and easier and quicker to solve than a 9x9.",
        f"Of {len(cubes)} cubes from which no clue can be removed, {solved[0]:.0f} % are solved by naked and hidden "
        f"singles alone; of {len(squares)} such 9x9 puzzles {solved[1]:.0f} %.",
        verdict(solved[0] > solved[1]),
        "This is one measure of difficulty. The post's puzzle of the hard setting has 19 clues, many more.",
    )


def best_of_several_approaches(work: Work) -> Finding:
    """Note the claim that the post leaves to the thesis."""
    return Finding(
        "section The Algorithms, thesis",
        "There are a few different approaches in the actual thesis; this one is ultimately the best.",
        "Not compared.",
        UNCHECKED,
        "The post does not say what the others are, and the thesis itself is not at hand.",
    )


# Keck's post: what its pictures show.

# The picture of a puzzle of his own, and that of a "Cubic Sudoku", a kind that the post presents.
HARD, CUBIC = "papers/keck-hard.txt", "papers/keck-cubic.txt"
LINES = ("row-x", "row-y", "row-z")
# The pictures of the other kinds.
SURFACES = ("papers/keck-isodoku.txt", "papers/keck-sudoku-cube.txt")


def is_solved_by_singles(puzzle: se.Puzzle) -> bool:
    """Check whether naked and hidden singles alone solve a puzzle."""
    marks = Marks.of(puzzle)
    for _ in logic.steps(marks, puzzles.no_tick, SINGLES):
        pass
    return logic.ended(marks) == "solved"


def is_unique(board: se.Geometry, givens: Grids) -> bool:
    """Check whether givens have exactly one solution on a board."""
    return se.count(se.Puzzle.of(board, givens), "sat", limits=se.Limits(2)) == se.Count(1, True)


def rules_of_the_pictures(work: Work) -> Finding:
    """Count the solutions of both cubes under each of the 63 subsets of a cube's six rules."""
    six = se.board("4x4x4").rule_names
    subsets = [rules for size in range(1, 7) for rules in combinations(six, size)]
    rows, unique = [], []
    for file in (HARD, CUBIC):
        (puzzle,) = puzzles.read(file)
        unique.append([rules for rules in subsets if is_unique(se.board("4x4x4", rules), puzzle.givens)])
        under_six = se.count(se.Puzzle.of(se.board("4x4x4"), puzzle.givens), "sat").value
        rows.append((file, int(np.count_nonzero(puzzle.givens)), under_six, "; ".join(map(", ".join, unique[-1]))))
    both = [rules for rules in subsets if all(rules in some for some in unique)]
    return Finding(
        "pictures of the two cubes, GetNeighbors",
        "Cubic Sudoku is a true three-dimensional puzzle; the result of GetNeighbors, and so which cells must "
        "differ, is not printed.",
        f"Of the {len(subsets)} subsets of the six rules of a cube, both cubes have exactly one solution under"
        f" {len(both)} of them: {', '.join(both[0]) if both else 'none'}. Under all six rules they have {rows[0][2]}"
        f" and {rows[1][2]} solutions. So his cubes are Latin cubes, without minigrids.",
        verdict(both == [LINES]),
        "Only one subset gives both cubes one solution, so the pictures show what the text leaves out. We judge all "
        "other claims by these rules. The first cube is unique with box-xy too, since its solution satisfies that "
        "rule by chance.",
        side_by_side(("puzzle", "givens", "solutions under six rules", "one solution under"), *rows),
    )


def the_hard_picture(work: Work) -> Finding:
    """Solve the cube of the hard setting, and count the givens that could be removed."""
    (puzzle,) = puzzles.read(HARD)
    board, full = puzzle.geometry, solution(puzzle)
    givens = np.flatnonzero(puzzle.givens)
    spare = sum(is_unique(board, np.where(np.arange(board.n_cells) == cell, 0, puzzle.givens)) for cell in givens)
    n_left = np.count_nonzero(keck2022.puzzle(full, board, 0, RandomState(0), puzzles.no_tick).givens)
    easy = is_solved_by_singles(puzzle)
    return Finding(
        "section Conclusions, picture",
        "This one was generated on the Hard setting, but because it is only a 4 x 4 x 4 puzzle, it should not be too"
        " difficult.",
        f"It has {len(givens)} givens and one solution, and {'is' if easy else 'is not'} solved by naked and hidden"
        f" singles alone.",
        verdict(easy),
        f"Each of {spare} of its {len(givens)} givens could be removed on its own; one pass over all cells of its "
        f"solution leaves {n_left}. So the hard setting stops at a number of clues, far from the smallest possible.",
    )


def boards_without_two_lines(board: se.Geometry) -> Iterator[se.Geometry]:
    """Yield a board without two lines of one direction, for disjoint pairs of lines.

    One line would not be a test: it holds every value if all other lines of its direction and all boxes do.
    """
    for number, rule in enumerate(board.rules):
        for first in range(0, len(rule.units) - 1, 2) if rule.name == "line" else ():
            rest = replace(rule, units=np.delete(rule.units, [first, first + 1], axis=0))
            rules = (*board.rules[:number], rest, *board.rules[number + 1 :])
            yield se.Geometry(f"{board.name} without two lines", board.shape, board.n_values, rules)


def mirrored_boards(board: se.Geometry) -> Iterator[tuple[tuple[bool, ...], se.Geometry]]:
    """Yield the ways in which lines of `corner:n` can continue over its edges: straight or mirrored, at each edge."""
    n, lines = board.n_values // 2, [rule for rule in board.rules if rule.name == "line"]
    for turned in product((False, True), repeat=len(lines)):
        rules = [
            replace(rule, units=np.hstack([rule.units[:, :n], rule.units[::-1, n:]])) if turn else rule
            for rule, turn in zip(lines, turned, strict=True)
        ]
        rest = [rule for rule in board.rules if rule.name != "line"]
        yield turned, se.Geometry(f"{board.name} mirrored", board.shape, board.n_values, (*rules, *rest))


def surfaces_of_the_pictures(work: Work) -> Finding:
    """Solve the puzzles of the two kinds that lie on a surface."""
    rows, unique_without, ways = [], list[bool](), list[int]()
    for file in SURFACES:
        (puzzle,) = puzzles.read(file)
        board, n_givens = puzzle.geometry, int(np.count_nonzero(puzzle.givens))
        n_solutions = se.count(puzzle, "sat", limits=se.Limits(2)).value
        rows.append((file, board.name, board.n_cells, board.n_values, board.n_units, n_givens, n_solutions))
        if board.name.startswith("corner"):
            ways = [se.count(se.Puzzle.of(other, puzzle.givens), "sat").value for _, other in mirrored_boards(board)]
        else:
            unique_without = [is_unique(other, puzzle.givens) for other in boards_without_two_lines(board)]
    unique = all(row[-1] == 1 for row in rows)
    return Finding(
        "pictures in sections IsoDoku and Other Variants",
        "IsoDoku are merely projections onto the third dimension; others are considered SudokuKubes or Sudoku Cubes.",
        f"Read as surfaces with lines that run over edges, their puzzles of {rows[0][5]} and {rows[1][5]} givens have"
        f" {'exactly one solution each' if unique else f'{rows[0][-1]} and {rows[1][-1]} solutions'}.",
        verdict(unique),
        "The post states no rule for these. We read the IsoDoku as the surface of 13 cubes stacked in a corner, with "
        "a box on each face of a cube; its lines end half way, at the thick lines. The Sudoku Cube has three faces "
        "of a cube, boxes of 2 x 4, and lines over two faces. All this was read from one picture of each kind, and "
        f"the givens support it. Of the {len(ways)} ways in which the lines of the Sudoku Cube can continue over its "
        "edges, straight or mirrored, only this one leaves one solution (the others "
        f"{', '.join(map(str, ways[1:]))}). If two lines of a direction of the IsoDoku are left out, there is still "
        f"one solution, which satisfies them anyway, in {sum(unique_without)} of {len(unique_without)} tries. It "
        "does not follow that all puzzles of these names have such rules. The post has no picture of a cube with six "
        "faces, our board `sudokube:n`, so it is not judged.",
        side_by_side(
            ("puzzle", "board", "cells", "values", "units", "givens", "solutions"),
            *rows,
            drawn={"number": ("cells", "units", "givens", "solutions")},
        ),
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
