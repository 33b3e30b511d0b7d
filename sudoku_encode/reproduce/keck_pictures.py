"""Keck's post: what its pictures show."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np
from numpy.random import RandomState

import sudoku_encode as se
from sudoku_encode.papers import keck2022, logic
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import SINGLES
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.answers import Grids, solution
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict

# The picture of a puzzle of his own, and that of a "Cubic Sudoku", a kind that the post presents.
HARD, CUBIC = "papers/keck-hard.txt", "papers/keck-cubic.txt"
LINES = ("row-x", "row-y", "row-z")
# The pictures of the other kinds.
SURFACES = ("papers/keck-isodoku.txt", "papers/keck-sudoku-cube.txt")


def by_singles(puzzle: se.Puzzle) -> bool:
    """Say whether naked and hidden singles alone solve a puzzle."""
    marks = Marks.of(puzzle)
    for _ in logic.steps(marks, puzzles.no_tick, SINGLES):
        pass
    return logic.ended(marks) == "solved"


def is_unique(board: se.Geometry, givens: Grids) -> bool:
    """Say whether givens have exactly one solution on a board."""
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
        "Cubic Sudoku is a true three-dimensional puzzle; what GetNeighbors returns, and so which cells must differ, is"
        " not printed.",
        f"Of the {len(subsets)} subsets of the six rules of a cube, both cubes have exactly one solution under"
        f" {len(both)}: {', '.join(both[0]) if both else 'none'}. Under all six rules they have {rows[0][2]} and"
        f" {rows[1][2]} solutions. So his cubes are Latin cubes, without minigrids.",
        verdict(both == [LINES]),
        "Only one subset gives both cubes one solution, so the pictures say what the text leaves out. All that follows"
        " is judged by these rules. The first cube is unique with box-xy too, since its solution keeps that by chance.",
        side_by_side(("puzzle", "givens", "solutions under six rules", "one solution under"), *rows),
    )


def the_hard_picture(work: Work) -> Finding:
    """Solve the cube of the hard setting, and see which of its givens could go."""
    (puzzle,) = puzzles.read(HARD)
    board, full = puzzle.geometry, solution(puzzle)
    givens = np.flatnonzero(puzzle.givens)
    spare = sum(is_unique(board, np.where(np.arange(board.n_cells) == cell, 0, puzzle.givens)) for cell in givens)
    left = np.count_nonzero(keck2022.puzzle(full, board, 0, RandomState(0), puzzles.no_tick).givens)
    easy = by_singles(puzzle)
    return Finding(
        "section Conclusions, picture",
        "This one was generated on the Hard setting, but because it is only a 4 x 4 x 4 puzzle, it should not be too"
        " difficult.",
        f"It has {len(givens)} givens and one solution, and {'is' if easy else 'is not'} solved by naked and hidden"
        f" singles alone.",
        verdict(easy),
        f"Each of {spare} of its {len(givens)} givens could go on its own; one pass over all cells of its solution"
        f" leaves {left}. So the hard setting stops at a number of clues, far from where it must.",
    )


def without_two_lines(board: se.Geometry) -> Iterator[se.Geometry]:
    """Yield a board without two lines of one direction, each line in one pair.

    One line would be no test: it holds every value if all other lines of its direction and all boxes do.
    """
    for at, rule in enumerate(board.rules):
        for first in range(0, len(rule.units) - 1, 2) if rule.name == "line" else ():
            rest = replace(rule, units=np.delete(rule.units, [first, first + 1], axis=0))
            rules = (*board.rules[:at], rest, *board.rules[at + 1 :])
            yield se.Geometry(f"{board.name} without two lines", board.shape, board.n_values, rules)


def mirrored(board: se.Geometry) -> Iterator[tuple[tuple[bool, ...], se.Geometry]]:
    """Yield the ways that lines of `corner:n` can go on over its edges: as they do, or as in a mirror, at each edge."""
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
    rows, kept, ways = [], list[bool](), list[int]()
    for file in SURFACES:
        (puzzle,) = puzzles.read(file)
        board, n_givens = puzzle.geometry, int(np.count_nonzero(puzzle.givens))
        n_solutions = se.count(puzzle, "sat", limits=se.Limits(2)).value
        rows.append((file, board.name, board.n_cells, board.n_values, board.n_units, n_givens, n_solutions))
        if board.name.startswith("corner"):
            ways = [se.count(se.Puzzle.of(other, puzzle.givens), "sat").value for _, other in mirrored(board)]
        else:
            kept = [is_unique(other, puzzle.givens) for other in without_two_lines(board)]
    unique = all(row[-1] == 1 for row in rows)
    return Finding(
        "pictures in sections IsoDoku and Other Variants",
        "IsoDoku are merely projections onto the third dimension; others are considered SudokuKubes or Sudoku Cubes.",
        f"Read as surfaces with lines that run over edges, their puzzles of {rows[0][5]} and {rows[1][5]} givens have"
        f" {'exactly one solution each' if unique else f'{rows[0][-1]} and {rows[1][-1]} solutions'}.",
        verdict(unique),
        "The post says no rule of these. The IsoDoku is the surface of 13 cubes stacked in a corner, with a box on"
        " each face of a cube; its lines end half way, at the thick lines. The other has three faces of a cube, boxes"
        " of 2 x 4, and lines over two faces. All this was read from one picture of each kind, and the givens bear it"
        f" out. Of the {len(ways)} ways in which the lines of the Sudoku Cube can go on over its edges, straight or"
        f" mirrored, this one alone leaves one solution (the others {', '.join(map(str, ways[1:]))}). If two lines of a"
        f" direction of the IsoDoku are left out, there is still one solution, which keeps them unasked, in"
        f" {sum(kept)} of {len(kept)} tries. Whether all puzzles of these names have such rules does not follow; of"
        " a cube with six faces, our board `sudokube:n`, the post has no picture, and nothing is judged.",
        side_by_side(
            ("puzzle", "board", "cells", "values", "units", "givens", "solutions"),
            *rows,
            drawn={"number": ("cells", "units", "givens", "solutions")},
        ),
    )
