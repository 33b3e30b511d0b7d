"""How few givens a small cube can have."""

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.open_questions.unavoidable import (
    Kind,
    Sets,
    differences,
    kinds,
    n_disjoint,
    n_meeting,
    swaps,
)

CUBE, LATIN = "4x4x4", "latin:4x4x4"
_ALL = (1 << 64) - 1
# Sets of cells of which the values are tabulated at a time.
_CHUNK_SETS = 2_000


@cache
def all_solutions(name: str) -> Grids:
    """Return all solutions of an empty board."""
    return np.concatenate(list(se.solutions(se.Puzzle.of(se.board(name))).batches()))


@cache
def latin_kinds() -> list[tuple[Kind, Sets]]:
    """Return the kinds of Latin cubes of side 4, each with its differences."""
    grids = all_solutions(LATIN)
    return [(kind, differences(kind.grid, grids)) for kind in kinds(grids, swaps((4, 4, 4), band=1), 4)]


def n_unique(grids: Grids, cells: NDArray[np.int64]) -> int:
    """Count the puzzles with givens in some sets of cells that exactly one of the grids agrees with.

    Args:
        grids: solutions with values from 1 to 4.
        cells: (sets, givens).
    """
    values, k, total = grids.T.astype(np.int64) - 1, cells.shape[1], 0
    for start in range(0, len(cells), _CHUNK_SETS):
        part = cells[start : start + _CHUNK_SETS]
        # Each way to fill a set of cells is a number; those that come once are unique puzzles.
        number = np.arange(len(part))[:, None]
        for place in part.T:
            number = number * 4 + values[place]
        total += int((np.bincount(number.ravel(), minlength=len(part) * 4**k) == 1).sum())
    return total


def fewest_givens_of_a_cube(work: Work) -> Finding:
    """Count the unique puzzles of three and of four givens among all that there are."""
    grids = all_solutions(CUBE)
    three = np.array(list(combinations(range(64), 3)))
    of_three = n_unique(grids, three)
    # All cells are alike, and so are all values: count those with a 1 in the first cell, each of which has 4 givens.
    first = np.array([(0, *rest) for rest in combinations(range(1, 64), 3)])
    with_first = 4 * n_unique(grids[grids[:, 0] == 1], first)
    of_four = with_first * 64 // 4
    fewest = 3 if of_three else 4 if of_four else None
    return Finding(
        "Jana et al. 2023 section II-C; Keck, GenSudokuPuzzle",
        "At least 17 clues are needed in 2D; how few a cube needs, where removals must end, is left open.",
        f"A 4x4x4 cube under the six rules needs exactly {fewest}. Over all {len(three):,} sets of 3 cells and all"
        f" {len(grids)} solutions {of_three} puzzles of 3 givens are unique; of 4 givens {of_four:,} are.",
        SETTLED if fewest else UNCHECKED,
        f"All puzzles of 3 givens were tabulated. Of 4 givens those with the first cell were, {with_first:,} of them"
        " unique: bands, the layers in them and the axes can be swapped, so all 64 cells are alike. It says nothing of"
        " larger cubes.",
    )


def fewest_givens_of_a_latin_cube(work: Work) -> Finding:
    """Search for five and six cells that tell a Latin cube from all others, for one cube of each kind."""
    grids = all_solutions(LATIN)
    rows, totals = list[tuple[str, int, int, int, int, int, int]](), {5: 0, 6: 0}
    for kind, sets in latin_kinds():
        least, found = n_disjoint(sets), {}
        for k in totals:
            found[k] = n_meeting(sets, k, _ALL) if least <= k else 0
            totals[k] += kind.number * found[k]
        smallest = int(np.bitwise_count(sets[0]))
        n_smallest = int((np.bitwise_count(sets) == smallest).sum())
        rows.append((f"kind {len(rows) + 1}", kind.number, len(sets), smallest, n_smallest, least, found[6]))
    reached = sum(row[1] for row in rows if row[-1])
    return Finding(
        "Keck, GenSudokuPuzzle",
        "Clues are removed until the number that is wanted is reached; how few there can be is not said.",
        f"A Latin cube of side 4 needs exactly 6: no puzzle of 5 givens is unique, {totals[6]:,} of 6 are. They belong"
        f" to {reached:,} of the {len(grids):,} cubes.",
        SETTLED if totals[6] and not totals[5] else UNCHECKED,
        f"The cubes are of {len(rows)} kinds under swaps of axes, layers and values, and for one of each all sets of 5"
        " and of 6 cells that meet its differences to all others were counted. A puzzle of fewer givens than 5 would"
        " make unique ones of 5. So Keck's loop can never end where fewer than 6 clues are wanted.",
        side_by_side(
            (
                *("kind", "cubes of the kind", "smallest differences", "cells of the smallest", "of that size"),
                *("without a cell in common", "unique sets of 6 cells"),
            ),
            *rows,
            drawn={
                "cubes of the kind": ("cubes of the kind",),
                "differences": ("smallest differences", "of that size", "without a cell in common"),
                "unique sets of 6 cells": ("unique sets of 6 cells",),
            },
        ),
    )


def latin_cubes_that_need_more(work: Work) -> Finding:
    """Say from which cubes no puzzle of few clues can be cut."""
    grids, needs = all_solutions(LATIN), dict[int, int]()
    for kind, sets in latin_kinds():
        least = n_disjoint(sets)
        needs[least] = needs.get(least, 0) + kind.number
    hard = max(needs)
    return Finding(
        "Keck, GenSudokuPuzzle",
        "`solution` is any solution; whether the wanted number of clues can be reached from it is not asked.",
        f"From {needs[hard]:,} of the {len(grids):,} Latin cubes, {100 * needs[hard] / len(grids):.0f} %, no unique"
        f" puzzle of fewer than {hard} clues can be cut: they consist of {hard} sub-cubes of 2x2x2 that hold two values"
        " each.",
        SETTLED,
        "The two values of such a sub-cube can be swapped, so a cell of each must be given. It is why one pass over the"
        " cells ends at different numbers of clues. Keck's generator draws such cubes less often: see the next one.",
    )
