"""Cubes of side 4 up to symmetry: their two kinds, unavoidable sets, and all minimal puzzles of each.

A set of cells is *unavoidable* in a cube if another cube differs from it in exactly these cells, and in no fewer: a
unique puzzle has a given in each. A puzzle is *minimal* if it is unique and would not be without any of its givens.
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.open_questions.small_cubes import (
    CUBE,
    Kind,
    Sets,
    all_solutions,
    differences,
    kinds,
    n_meeting,
    swaps,
)

Givens = NDArray[np.int64]


def minimal_puzzles(sets: Sets, first_cells: Iterable[int] = range(64)) -> dict[int, int]:
    """Count the minimal puzzles of a cube by their givens, from its unavoidable sets.

    In a minimal puzzle each given is the only one in some unavoidable set. That holds for each part of its givens too,
    so these are all reached cell by cell, in ascending order; `first_cells` are those to begin with.
    """
    bits = (sets[:, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    rows = np.zeros((64, -(-len(sets) // 64) * 64), np.uint8)
    rows[:, : len(sets)] = bits.T
    # For each cell the unavoidable sets with it, a bit each.
    sets_with = np.packbits(rows, axis=1).view(np.uint64)
    numbers = Counter[int]()
    for first in first_cells:
        once = sets_with[first][None]
        _extend(sets_with, once, np.zeros_like(once), np.array([[first]]), numbers)
    return {k: number for k, number in sorted(numbers.items()) if number}


def _extend(sets_with: Sets, once: Sets, twice: Sets, givens: Givens, numbers: Counter[int]) -> None:
    """Count the minimal puzzles with more givens than these, (m, k), which are in some sets `once` or `twice`."""
    every, k = np.bitwise_or.reduce(sets_with), givens.shape[1] + 1
    # `twice`: twice or more.
    longer = list[tuple[Sets, Sets, Givens]]()
    for cell in range(len(sets_with)):
        before = givens[:, -1] < cell
        hit = once[before] & sets_with[cell]
        new_twice = twice[before] | hit
        new_once = (once[before] | sets_with[cell]) & ~new_twice
        irredundant = (sets_with[cell] & new_once).any(axis=1)
        for given in givens[before].T:
            irredundant &= (sets_with[given] & new_once).any(axis=1)
        is_unique = irredundant & ((new_once | new_twice) == every).all(axis=1)
        numbers[k] += int(is_unique.sum())
        irredundant &= ~is_unique
        rows = givens[before][irredundant]
        longer.append(
            (new_once[irredundant], new_twice[irredundant], np.column_stack([rows, np.full(len(rows), cell)]))
        )
    once, twice, givens = (np.concatenate(part) for part in zip(*longer, strict=True))
    if len(givens):
        _extend(sets_with, once, twice, givens, numbers)


def reached_from_first_cell(kind: Kind) -> int:
    """Return to how many cells the symmetries of a cube of side 4, which may rename values, bring its first cell."""
    maps = [by.cells for by in se.symmetries(se.Puzzle.of(se.board(CUBE), kind.grid)).generators]
    reached, before = {0}, set[int]()
    while reached != before:
        before = set(reached)
        reached |= {int(cells[cell]) for cells in maps for cell in before}
    return len(reached)


def kinds_of_cubes(work: Work) -> Finding:
    """Sort the cubes of side 4 into kinds in two ways, and count the symmetries of the boards."""
    grids = all_solutions(CUBE)
    sizes = sorted((kind.number for kind in kinds(grids, swaps((4, 4, 4), band=2), 4)), reverse=True)
    by_graph = se.kinds(se.Puzzle.of(se.board(CUBE)))
    boards = {name: se.symmetries(se.Puzzle.of(se.board(name))) for name in (CUBE, "latin:4x4x4", "9x9x9")}
    # Three axes; along each the bands, and the layers of each band.
    plain = {CUBE: 6 * (2 * 2**2) ** 3, "latin:4x4x4": 6 * 24**3, "9x9x9": 6 * (6 * 6**3) ** 3}
    agree = sorted(by_graph.sizes, reverse=True) == sizes and all(
        symmetry.complete and symmetry.cell_maps == plain[name] for name, symmetry in boards.items()
    )
    return Finding(
        "Jana et al. 2023, section II; Keck",
        "Which cubes, and which cells of one, are equivalent is not discussed.",
        f"The {len(grids)} cubes of side 4 are of {len(sizes)} kinds, of {' and '.join(map(str, sizes))} cubes. The "
        f"graph of 64 vertices has {boards[CUBE].cell_maps:,} symmetries, that of 729 vertices"
        f" {boards['9x9x9'].cell_maps:,}.",
        SETTLED if agree else UNCHECKED,
        "The kinds were found by swaps of axes, bands and layers, and by canonical forms. The symmetries of the boards "
        "were found from their units alone: there are as many as ways to permute three axes, and along each the bands "
        "and the layers of each band, so no others. With renamed values there are "
        f"{boards[CUBE].order:,} and {boards['9x9x9'].order:,}.",
        side_by_side(
            ("board", "symmetries of the cells", "axes, bands and layers"),
            *((name, symmetry.cell_maps, plain[name]) for name, symmetry in boards.items()),
            drawn={"symmetries": ("symmetries of the cells",)},
        ),
    )


def unavoidable_sets(work: Work) -> Finding:
    """List the minimal unavoidable sets of a cube of each kind."""
    grids, rows, texts = all_solutions(CUBE), list[tuple[str, int, int, int]](), list[str]()
    for kind in kinds(grids, swaps((4, 4, 4), band=2), 4):
        sizes = Counter(np.bitwise_count(differences(kind.grid, grids)).tolist())
        rows += [(f"{kind.number} cubes", kind.number, size, number) for size, number in sorted(sizes.items())]
        texts.append(f"a cube of the kind of {kind.number} has {sizes.total()}, of {min(sizes)} to {max(sizes)} cells")
    return Finding(
        "Keck, GenSudokuPuzzle",
        "Clues are removed until a second solution would appear; where solutions differ is not discussed.",
        f"The minimal unavoidable sets of the 4x4x4 cubes are few and large: {'; '.join(texts)}.",
        SETTLED,
        f"Each of the {len(grids)} cubes was compared with all others, and differences that contain a smaller one were "
        "left out. A 4x4 Sudoku has unavoidable sets of 4 cells.",
        side_by_side(("kind", "cubes of the kind", "cells", "minimal unavoidable sets"), *rows),
    )


def minimal_cubes(work: Work) -> Finding:
    """Count all minimal puzzles of a cube of each kind."""
    grids, rows, agree = all_solutions(CUBE), list[tuple[str, int, int, int, int]](), True
    for kind in kinds(grids, swaps((4, 4, 4), band=2), 4):
        sets = differences(kind.grid, grids)
        agree &= reached_from_first_cell(kind) == 64
        # As all cells are alike, each is in as many minimal puzzles as the first one.
        numbers = {k: number * 64 // k for k, number in minimal_puzzles(sets, [0]).items()}
        # A smallest puzzle is minimal: the smallest ones are counted in another way.
        agree &= min(numbers) <= 5 and [n_meeting(sets, k, 2**64 - 1) for k in (min(numbers) - 1, min(numbers))] == [
            0,
            numbers[min(numbers)],
        ]
        rows += [(f"{kind.number} cubes", kind.number, k, each, each * kind.number) for k, each in numbers.items()]
    # Of each kind, from the fewest givens to the most; the larger kind first.
    givens = {size: [k for _, other, k, *_ in rows if other == size] for size in sorted({row[1] for row in rows})[::-1]}
    return Finding(
        "Jana et al. 2023, section II-C; Keck, GenSudokuPuzzle",
        "The smallest number of clues for a cube, and the largest that are all needed, are left open.",
        " ".join(
            f"Each of the kind of {size} cubes needs {min(some)} givens; its largest minimal puzzles have {max(some)}."
            for size, some in givens.items()
        )
        + f" In all there are {sum(row[-1] for row in rows):,} minimal 4x4x4 puzzles.",
        SETTLED if agree else UNCHECKED,
        "This is an exhaustive search: givens of a minimal puzzle each have an unavoidable set of their own, so all "
        "sets of cells with that property were listed, cell by cell, and those that meet all unavoidable sets counted. "
        "The symmetries of a cube bring its first cell to every other, so only puzzles with that cell were listed. The "
        "numbers of smallest puzzles were counted a second time, without this.",
        side_by_side(
            ("kind", "cubes of the kind", "givens", "minimal puzzles of each cube", "in all"),
            *rows,
        ),
    )
