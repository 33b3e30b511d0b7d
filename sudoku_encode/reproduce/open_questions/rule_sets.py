"""Cubes under each set of rules: how many there are, and how few givens a puzzle can have.

With rules left out, a cube mostly falls apart: cells are *connected* if they share a unit, and the parts share nothing.
The number of cubes is the product of those of the parts, and a puzzle is unique if and only if each part is.
"""

from functools import cache
from itertools import combinations, permutations
from math import log10, prod
from typing import NamedTuple

import numpy as np

import sudoku_encode as se
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side
from sudoku_encode.reproduce.gtsps.figures import GRIDS
from sudoku_encode.reproduce.open_questions.small_cubes import Cells, differences, kinds, n_disjoint, n_meeting, swaps
from sudoku_encode.reproduce.puzzles import Grids

RULES = ("row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz")


def classes() -> dict[tuple[str, ...], int]:
    """Return a set of rules for each class that swaps of axes turn into each other, with the size of the class."""
    sets = [rules for size in range(1, 7) for rules in combinations(RULES, size)]
    sizes = dict[tuple[str, ...], int]()
    for rules in sets:
        first = min((_swapped(rules, axes) for axes in permutations("xyz")), key=sets.index)
        sizes[first] = sizes.get(first, 0) + 1
    return sizes


def _swapped(rules: tuple[str, ...], axes: tuple[str, ...]) -> tuple[str, ...]:
    """Return rules with other names of the axes, in the order of RULES."""
    names = dict(zip("xyz", axes, strict=True))
    renamed = {
        f"{kind}-{''.join(sorted(map(names.__getitem__, on)))}" for kind, on in (rule.split("-") for rule in rules)
    }
    return tuple(rule for rule in RULES if rule in renamed)


def connected_parts(board: se.Geometry) -> list[Cells]:
    """Return the cells of each connected part, in ascending order."""
    part = np.arange(board.n_cells)
    before = np.empty(0, np.intp)
    while not np.array_equal(part, before):
        before = part.copy()
        for rule in board.rules:
            least = part[rule.units].min(axis=1)
            np.minimum.at(part, rule.units, least[:, None])
        part = part[part]
    return [np.flatnonzero(part == first) for first in np.unique(part)]


def solutions_of_part(board: se.Geometry, cells: Cells) -> Grids:
    """Return all solutions of a connected part, uint8 (m, cells), with the rest of the board filled in one way."""
    solution = se.solve(se.Puzzle.of(board))
    assert solution is not None
    givens = np.array(solution.values, np.uint8)
    givens[cells] = 0
    grids = np.concatenate(list(se.solutions(se.Puzzle.of(board, givens)).batches()))
    return np.ascontiguousarray(grids[:, cells])


def moves_of_part(board: se.Geometry, cells: Cells) -> list[Cells]:
    """Return moves of the cells of a connected part, by their places in it, that map its units to its units."""
    units = {frozenset(unit) for rule in board.rules for unit in rule.units.tolist()}
    place = np.full(board.n_cells, -1, np.intp)
    place[cells] = np.arange(len(cells))
    shape = board.shape
    moves = [move for band in (1, 2) for move in swaps(shape, band)]
    return [
        place[move[cells]]
        for move in moves
        if (place[move[cells]] >= 0).all() and {frozenset(move[list(unit)].tolist()) for unit in units} == units
    ]


def fewest_givens(grids: Grids, moves: list[Cells], n_values: int) -> int:
    """Return the fewest givens of a unique puzzle, where these are all solutions, and their first cells are a unit."""
    sets = [differences(kind.grid, grids) for kind in kinds(grids, moves, n_values)]
    k = min(map(n_disjoint, sets))
    all_cells = (1 << grids.shape[1]) - 1
    while not any(n_disjoint(some) <= k and n_meeting(some, k, all_cells) for some in sets):
        k += 1
    return k


class CubeCount(NamedTuple):
    """The cubes of side 4 under a set of rules."""

    n_parts: int  # connected parts
    listed: int  # the product of the numbers of solutions of the parts, which are listed
    counted: int  # the number of cubes, counted without listing
    fewest: int  # the fewest givens of a unique puzzle


@cache
def cube_count(rules: tuple[str, ...]) -> CubeCount:
    """Return the cubes of side 4 under a set of rules."""
    board = se.board("4x4x4", rules)
    parts, fewest = connected_parts(board), dict[bytes, int]()
    sizes, givens = list[int](), 0
    for part in parts:
        # The cells of a unit come first.
        unit = next(unit for rule in board.rules for unit in rule.units if part[0] in unit)
        cells = part[np.argsort(~np.isin(part, unit), kind="stable")]
        grids = solutions_of_part(board, cells)
        key = np.sort(grids.view(f"S{len(cells)}"), axis=0).tobytes()
        if key not in fewest:
            fewest[key] = fewest_givens(grids, moves_of_part(board, cells), board.n_values)
        sizes.append(len(grids))
        givens += fewest[key]
    return CubeCount(len(parts), prod(sizes), se.count(se.Puzzle.of(board), method="frontier").value, givens)


def cubes_of_rule_sets(work: Work) -> Finding:
    """Count the cubes of side 4, and the fewest givens, under all sets of rules."""
    results = {rules: cube_count(rules) for rules in classes()}
    agree = all(one.listed == one.counted for one in results.values())
    return Finding(
        "Jana et al. 2023, sections II and IV; Keck",
        "Cubes have six rules, of which the worked example follows four and Keck's cubes three; numbers of cubes, and "
        "of the clues that are needed, are not given.",
        f"The {sum(classes().values())} sets of rules of the 4x4x4 are {len(results)} up to the axes. From "
        f"{min(one.counted for one in results.values())} to {max(one.counted for one in results.values()):,} cubes "
        f"follow them, and puzzles need {min(one.fewest for one in results.values())} to "
        f"{max(one.fewest for one in results.values())} givens.",
        SETTLED if agree else UNCHECKED,
        f"Under {sum(one.n_parts > 1 for one in results.values())} of them the cube falls apart into parts that share "
        "no rule. All solutions of each part were listed, and the product of their numbers is the number that "
        "`frontier` counts on the whole cube, without listing. For the fewest givens, sets of cells that meet all "
        "differences between two solutions were searched for, for one solution of each kind; a puzzle is unique if "
        "each part is.",
        side_by_side(
            ("rules", "sets up to the axes", "parts", "cubes", "fewest givens"),
            *((", ".join(rules), size, *_row(results[rules])) for rules, size in classes().items()),
            drawn={"fewest givens": ("fewest givens",)},
        ),
    )


def _in_powers(number: int) -> str:
    """Return a large number in powers of ten."""
    power = len(str(number)) - 1
    return f"{number / 10**power:.6g} * 10^{power}"


def _row(of: CubeCount) -> tuple[int, int, int]:
    return of.n_parts, of.counted, of.fewest


# The parts of 9x9x9 cubes: for sets of rules under which the cube falls apart, the number of solutions of a part.
LATIN_SQUARES = 5_524_751_496_156_892_842_531_225_600
PARTS_OF_9 = {
    ("row-x",): 362_880,
    ("box-xy",): 362_880,
    ("row-x", "row-y"): LATIN_SQUARES,
    ("row-x", "box-xy"): 948_109_639_680,
    ("row-x", "box-yz"): LATIN_SQUARES,
    ("box-xy", "box-xz"): 948_109_639_680,
    ("row-x", "row-y", "box-xy"): GRIDS,
    ("row-x", "box-xy", "box-xz"): 2_049_600_873_499_776_820_350_812_160,
    ("row-x", "box-xy", "box-yz"): GRIDS,
    ("box-xy", "box-xz", "box-yz"): 14_515_200,
    ("row-x", "box-xy", "box-xz", "box-yz"): 972_469_536_030_720,
}
# Those that are counted in a moment; tests/reproduce/test_open_rule_sets.py counts all of them.
QUICK = [rules for rules, number in PARTS_OF_9.items() if number not in (LATIN_SQUARES, GRIDS)]


def cubes_that_fall_apart(work: Work) -> Finding:
    """Count the 9x9x9 cubes under sets of rules that leave many small parts."""
    n_parts = {rules: len(connected_parts(se.board("9x9x9", rules))) for rules in PARTS_OF_9}
    wrong = [
        rules
        for rules in QUICK
        if se.count(se.Puzzle.of(se.board("9x9x9", rules)), method="frontier") != PARTS_OF_9[rules] ** n_parts[rules]
    ]
    n_sets = sum(classes()[rules] for rules in PARTS_OF_9)
    return Finding(
        "Jana et al. 2023, sections II and IV",
        "The numbers of 9x9x9 cubes are not given, under all rules or under some.",
        f"Under {n_sets} of the 63 sets of rules the exact number is known, since the cube falls apart into parts of "
        f"at most 81 cells: two rows and their box leave nine 9x9 Sudokus, so there are {_in_powers(GRIDS**9)} cubes, "
        f"the ninth power of {GRIDS:,}.",
        UNCHECKED if wrong else SETTLED,
        "The number of cubes is that of the solutions of a part to the power of the number of parts. For "
        f"{len(QUICK)} rows of the table `frontier` counted the whole cube again in this run; the others take it up to "
        "a minute each (`count --board 9x9x9 --rules ...`). Many parts are Latin squares or Sudokus of side 9 in "
        "disguise. Under the other sets the cube is connected, or has three parts, whose numbers are not known.",
        side_by_side(
            ("rules", "sets up to the axes", "parts", "solutions of a part", "cubes, power of ten"),
            *(
                (", ".join(rules), classes()[rules], n_parts[rules], number, round(n_parts[rules] * log10(number), 2))
                for rules, number in PARTS_OF_9.items()
            ),
            drawn={"power of ten": ("cubes, power of ten",)},
        ),
    )
