"""Small cubes: how few givens a puzzle can have, and how often Keck's generator draws each Latin cube of side 4.

A puzzle cut out of a solution is unique if and only if its givens meet the *difference* to each other solution: the set
of cells where the two differ. A set of cells is bits of a 64-bit number, cell i at bit i, so a board has at most 64.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce import keck
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.puzzles import Grids

# The sets of cells where solutions differ.

Sets = NDArray[np.uint64]
Cells = NDArray[np.intp]


class Kind(NamedTuple):
    """A class of solutions that the symmetries of a board turn into each other."""

    grid: Grids  # a member, uint8 (n_cells,)
    number: int  # the number of members


def kinds(grids: Grids, moves: Sequence[Cells], n_values: int) -> list[Kind]:
    """Sort all solutions of a board, whose first `n_values` cells are a unit, into kinds; values may be renamed.

    A move, a generator of the symmetries, is the cell whose value comes to each place; it is checked that the image of
    a solution is a solution.

    Raises:
        KeyError: a move is not a symmetry of the board.
    """
    named = np.unique(_renamed(grids, n_values), axis=0)
    number = {row.tobytes(): at for at, row in enumerate(named)}
    images = [[number[row.tobytes()] for row in _renamed(named[:, move], n_values)] for move in moves]
    label, before = np.arange(len(named)), np.empty(0, np.intp)
    while not np.array_equal(label, before):
        before = label.copy()
        for image in images:
            label = np.minimum(label, label[image])
            np.minimum.at(label, image, label.copy())
    roots, sizes = np.unique(label, return_counts=True)
    return [
        Kind(named[root], size * factorial(n_values)) for root, size in zip(roots.tolist(), sizes.tolist(), strict=True)
    ]


def _renamed(grids: Grids, n_values: int) -> Grids:
    """Rename the values of each grid so that the first cells hold 1, 2, 3, ..."""
    names = np.argsort(grids[:, :n_values], axis=1).astype(np.uint8) + 1
    return np.take_along_axis(names, grids.astype(np.intp) - 1, axis=1)


def swaps(shape: tuple[int, ...], band: int) -> list[Cells]:
    """Return swaps of axes, and of lines or layers next to each other: all symmetries are made of them.

    Bands of `band` layers stay together: they are swapped as a whole, and layers within one.
    """
    cells, n = np.arange(np.prod(shape)).reshape(shape), shape[0]
    permutations = [np.swapaxes(cells, axis, axis + 1) for axis in range(len(shape) - 1)]
    for axis in range(len(shape)):
        for first in range(n - 1):
            order = np.arange(n)
            if (first + 1) % band:
                order[[first, first + 1]] = first + 1, first
            else:
                order[first + 1 - band : first + 1 + band] = np.roll(order[first + 1 - band : first + 1 + band], band)
            permutations.append(np.take(cells, order, axis=axis))
    return [move.ravel() for move in permutations]


def differences(grid: Grids, grids: Grids) -> Sets:
    """Return the differences of a solution to all others that contain no smaller one, the smallest first."""
    where = np.zeros((len(grids), 64), np.uint8)
    where[:, : grids.shape[1]] = grids != grid
    rest = np.unique(np.packbits(where, axis=1, bitorder="little").view(np.uint64))
    rest = rest[rest > 0]
    rest = rest[np.argsort(np.bitwise_count(rest), kind="stable")]
    minimal = []
    while len(rest):
        minimal.append(rest[0])
        rest = rest[rest & rest[0] != rest[0]]
    return np.array(minimal, np.uint64)


def n_meeting(sets: Sets, k: int, allowed: int) -> int:
    """Count the sets of k cells out of `allowed` that have a cell in each of some sets.

    A set with the fewest allowed cells is taken, and each of its cells in turn; cells taken before are not allowed any
    more, so that each result is counted once.
    """
    if not len(sets):
        return comb(allowed.bit_count(), k)
    if k == 0:
        return 0
    usable = sets & np.uint64(allowed)
    if k == 1:
        return int(np.bitwise_and.reduce(usable)).bit_count()
    total, cells = 0, int(usable[np.argmin(np.bitwise_count(usable))])
    while cells:
        cell = cells & -cells
        cells ^= cell
        allowed ^= cell
        total += n_meeting(sets[sets & np.uint64(cell) == 0], k - 1, allowed)
    return total


def n_disjoint(sets: Sets) -> int:
    """Return the number of sets, taken greedily, without a common cell: a lower bound for the givens needed."""
    taken, number = 0, 0
    for cells in sets.tolist():
        if not cells & taken:
            taken |= cells
            number += 1
    return number


CUBE, LATIN = "4x4x4", "latin:4x4x4"
_ALL = (1 << 64) - 1
# Sets of cells whose values are tabulated together.
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
    """Count the puzzles with givens in some sets of cells, (sets, givens), that agree with exactly one of the grids."""
    values, k, total = grids.T.astype(np.int64) - 1, cells.shape[1], 0
    for start in range(0, len(cells), _CHUNK_SETS):
        part = cells[start : start + _CHUNK_SETS]
        # Each way to fill a set of cells is a number; a number that occurs once is a unique puzzle.
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
        "2D needs at least 17 clues; the smallest number for a cube, where removals must end, is left open.",
        f"A 4x4x4 cube under the six rules needs exactly {fewest}. Over all {len(three):,} sets of 3 cells and all"
        f" {len(grids)} solutions {of_three} puzzles of 3 givens are unique; of 4 givens {of_four:,} are.",
        SETTLED if fewest else UNCHECKED,
        "All puzzles of 3 givens were tabulated. Of 4 givens, those with the first cell were tabulated, "
        f"{with_first:,} of them unique: bands, the layers in them and the axes can be swapped, so all 64 cells are "
        "equivalent. This says nothing about larger cubes.",
    )


def fewest_givens_of_a_latin_cube(work: Work) -> Finding:
    """Search for five and six cells that tell a Latin cube from all others, for one cube of each kind."""
    grids = all_solutions(LATIN)
    rows, totals = list[tuple[str, int, int, int, int, int, int]](), {5: 0, 6: 0}
    for kind, sets in latin_kinds():
        least, n_unique_sets = n_disjoint(sets), {}
        for k in totals:
            n_unique_sets[k] = n_meeting(sets, k, _ALL) if least <= k else 0
            totals[k] += kind.number * n_unique_sets[k]
        smallest = int(np.bitwise_count(sets[0]))
        n_smallest = int((np.bitwise_count(sets) == smallest).sum())
        rows.append((f"kind {len(rows) + 1}", kind.number, len(sets), smallest, n_smallest, least, n_unique_sets[6]))
    reached = sum(row[1] for row in rows if row[-1])
    return Finding(
        "Keck, GenSudokuPuzzle",
        "Clues are removed until the wanted number is reached; the smallest possible number is not given.",
        f"A Latin cube of side 4 needs exactly 6: no puzzle of 5 givens is unique, {totals[6]:,} of 6 are. They belong"
        f" to {reached:,} of the {len(grids):,} cubes.",
        SETTLED if totals[6] and not totals[5] else UNCHECKED,
        f"The cubes are of {len(rows)} kinds under swaps of axes, layers and values. For one of each kind we counted "
        "all sets of 5 and of 6 cells that meet its differences to all others. A unique puzzle of fewer than 5 "
        "givens would give unique ones of 5. So Keck's loop can never end if fewer than 6 clues are wanted.",
        side_by_side(
            (
                "kind",
                "cubes of the kind",
                "smallest differences",
                "cells of the smallest",
                "of that size",
                "without a cell in common",
                "unique sets of 6 cells",
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
    """Count the cubes from which no puzzle of few clues can be cut."""
    grids, needs = all_solutions(LATIN), dict[int, int]()
    for kind, sets in latin_kinds():
        least = n_disjoint(sets)
        needs[least] = needs.get(least, 0) + kind.number
    hard = max(needs)
    return Finding(
        "Keck, GenSudokuPuzzle",
        "`solution` is any solution; the code does not ask whether the wanted number of clues can be reached from it.",
        f"From {needs[hard]:,} of the {len(grids):,} Latin cubes, {100 * needs[hard] / len(grids):.0f} %, no unique"
        f" puzzle of fewer than {hard} clues can be cut: they consist of {hard} sub-cubes of 2x2x2 that hold two values"
        " each.",
        SETTLED,
        "The two values of such a sub-cube can be swapped, so a cell of each must be given. This is why one pass "
        "over the cells ends at different numbers of clues. Keck's generator draws such cubes less often: see the "
        "next finding.",
    )


# The chance of each Latin cube of side 4 in Keck's generator.

Floats = NDArray[np.float64]
# The ways to divide the four layers of an axis into two pairs.
_PAIRS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def chances(grids: Grids) -> Floats:
    """Return the chance of each solution to be the result of random backtracking in scan order, float64 (m,), 1 in all.

    At a cell the values are tried in random order, and a value that no solution continues is taken back. So the values
    that some solution continues are equally likely, and the chance of a solution is the product, over its cells, of 1
    divided by their number. `grids` are all solutions of a board, each once.
    """
    chance = np.ones(len(grids))
    # Solutions that are the same up to the cell have one number.
    prefix = np.zeros(len(grids), np.intp)
    for values in grids.T:
        longer, first, number = np.unique(
            prefix * (int(grids.max()) + 1) + values, return_index=True, return_inverse=True
        )
        chance /= np.bincount(prefix[first], minlength=len(longer))[prefix]
        prefix = number
    return chance


def are_split(grids: Grids) -> NDArray[np.bool_]:
    """Return which Latin cubes of side 4, uint8 (m, 64), consist of eight sub-cubes of two values each.

    The two layers of a sub-cube along an axis need not lie next to each other.
    """
    bits = (1 << grids.astype(np.int64)).reshape(-1, 4, 4, 4)
    is_split = np.zeros(len(grids), bool)
    for x, y, z in product(_PAIRS, repeat=3):
        parts = [bits[:, np.array(a)[:, None, None], np.array(b)[:, None], np.array(c)] for a, b, c in product(x, y, z)]
        values_of_parts = np.stack([np.bitwise_or.reduce(part.reshape(len(grids), 8), axis=1) for part in parts])
        is_split |= (np.bitwise_count(values_of_parts) == 2).all(axis=0)
    return is_split


def latin_cubes_are_drawn_unevenly(work: Work) -> Finding:
    """Compute the chance of each Latin cube, and compare it with cubes that are drawn."""
    grids, sampled = all_solutions(LATIN), keck.sample_cubes(10 * work.puzzles)
    chance, even = chances(grids), 1 / len(grids)
    split, n_drawn = are_split(grids), int(are_split(sampled).sum())
    expected = {"by the exact chances": float(chance[split].sum()), "with equal chances": float(split.mean())}
    squares = {
        name: (n_drawn - share * len(sampled)) ** 2 / (len(sampled) * share * (1 - share))
        for name, share in expected.items()
    }
    rows = [
        (
            kind,
            int(which.sum()),
            *(round(100 * float(share), 1) for share in (which.mean(), chance[which].sum(), drawn)),
        )
        for kind, which, drawn in (
            ("eight sub-cubes of two values", split, n_drawn / len(sampled)),
            ("others", ~split, 1 - n_drawn / len(sampled)),
        )
    ]
    return Finding(
        "Keck, GenSudokuSolution",
        "At each cell a possible number is picked at random; the post does not say whether all solutions are equally "
        "likely.",
        f"They are not: of the {len(grids):,} Latin cubes of side 4 the likeliest come {chance.max() / even:g} times "
        f"as often as with equal chances, the unlikeliest {even / chance.min():g} times as seldom. Cubes from which "
        f"no unique puzzle of fewer than 8 clues can be cut are {rows[0][2]} % of all and {rows[0][3]} % of those "
        "drawn.",
        SETTLED,
        "This is exact: the chance of a cube is the product, over its cells, of 1 divided by the number of values "
        f"with which some cube continues. Of {len(sampled)} cubes drawn, {n_drawn} are of that kind; chi-square, one "
        "degree of freedom: "
        + ", ".join(f"{value:.1f} {name}" for name, value in squares.items())
        + " (3.8 is exceeded once in twenty times by chance).",
        side_by_side(
            ("cubes", "number", "of all, %", "chance, %", f"of {len(sampled)} drawn, %"),
            *rows,
            drawn={"share, %": ("of all, %", "chance, %", f"of {len(sampled)} drawn, %")},
        ),
    )
