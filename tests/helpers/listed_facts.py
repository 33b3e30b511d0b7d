"""What is true of a puzzle that was checked, from lists of all solutions by plain backtracking and nothing else."""

from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np
from ortools.sat.python import cp_model

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, Verdict
from tests.helpers.plain_search import Grid, TooMany, by_hand

# Plain backtracking gives a question up after this many steps.
STEPS = 300_000
# All subsets are tried where there are at most this many; and up to this number of solutions an empty board is listed.
SUBSETS, LISTED = 100, 3000


def with_givens(puzzle: Puzzle, cells: Iterable[int]) -> Puzzle:
    """Return the puzzle with the givens of these cells; where another one was, any value is allowed."""
    kept = set(cells)
    givens = [int(value) if cell in kept else 0 for cell, value in enumerate(puzzle.givens)]
    marks = None
    if puzzle.pencilmarks is not None:
        n = puzzle.geometry.n_values
        marks = [
            [True] * n if puzzle.givens[cell] and cell not in kept else puzzle.pencilmarks[cell].tolist()
            for cell in range(len(givens))
        ]
    return Puzzle.of(puzzle.geometry, givens, pencilmarks=marks)


def up_to(puzzle: Puzzle, most: int) -> int | None:
    """Count the solutions up to a number; None where that takes too many steps."""
    try:
        return sum(1 for _ in islice(by_hand(puzzle, STEPS), most))
    except TooMany:
        return None


def fewest_that_hit(sets: Sequence[Iterable[int]]) -> int:
    """Return how many elements a smallest set has that has one of each set."""
    model = cp_model.CpModel()
    chosen = {cell: model.new_bool_var(str(cell)) for cell in sorted(set().union(*sets))}
    for one in sets:
        model.add_bool_or([chosen[cell] for cell in one])
    model.minimize(sum(chosen.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def faults(puzzle: Puzzle, truth: set[Grid], verdict: Verdict) -> list[str]:
    """Say everything that is wrong with a verdict, where `truth` are all solutions."""
    kind = Unique if len(truth) == 1 else Several if truth else NoSolution
    if not isinstance(verdict, kind):
        return [f"{type(verdict).__name__} of a puzzle with {len(truth)} solutions"]
    assert not isinstance(verdict, Unknown)
    if isinstance(verdict, Unique):
        return _of_unique(puzzle, truth, verdict)
    return _of_several(truth, verdict) if isinstance(verdict, Several) else _of_none(puzzle, verdict)


def _of_unique(puzzle: Puzzle, truth: set[Grid], verdict: Unique) -> list[str]:
    found = []
    if {tuple(verdict.solution.tolist())} != truth:
        found.append("another solution")
    givens = np.flatnonzero(puzzle.givens).tolist()
    for cell in givens:
        number = up_to(with_givens(puzzle, set(givens) - {cell}), 2)
        can_go = cell in verdict.redundant
        if cell in verdict.undecided or (number is not None and can_go != (number == 1)):
            found.append(f"{cell} can go: {can_go}, but {number} solutions without it")
    if verdict.minimal != (not verdict.redundant):
        found.append("minimal")
    if verdict.sub_puzzle is not None:
        smaller = verdict.sub_puzzle.puzzle
        kept = np.flatnonzero(smaller.givens).tolist()
        if smaller != with_givens(puzzle, kept) or not set(kept) <= set(givens):
            found.append("the sub-puzzle has other givens")
        if up_to(smaller, 2) not in (1, None):
            found.append("the sub-puzzle is not unique")
        needed = [up_to(with_givens(smaller, set(kept) - {cell}), 2) for cell in kept]
        if not verdict.sub_puzzle.minimal or 1 in needed:
            found.append("the sub-puzzle is not minimal")
    return found


def _of_several(truth: set[Grid], verdict: Several) -> list[str]:
    found = []
    both = {tuple(verdict.first.tolist()), tuple(verdict.second.tolist())}
    if not both <= truth or len(both) < 2:
        found.append("two solutions")
    if set(verdict.differing) != {cell for cell, (one, other) in enumerate(zip(*both, strict=True)) if one != other}:
        found.append("where they differ")
    if verdict.count.value > len(truth) or (verdict.count.complete and verdict.count.value < len(truth)):
        found.append(f"{verdict.count}, not {len(truth)}")
    wanted = tuple(verdict.wanted.tolist())
    if wanted not in truth:
        found.append("the wanted solution")
    sets = [{cell for cell, value in enumerate(other) if value != wanted[cell]} for other in truth - {wanted}]
    if any(one.isdisjoint(verdict.extra) for one in sets):
        found.append("the extra givens leave another solution")
    if verdict.fewest and fewest_that_hit(sets) != len(verdict.extra):
        found.append(f"{len(verdict.extra)} extra givens are not the fewest")
    return found


def _of_none(puzzle: Puzzle, verdict: NoSolution) -> list[str]:
    found = []
    givens, clash = np.flatnonzero(puzzle.givens).tolist(), set(verdict.clash)
    if not clash <= set(givens) or verdict.puzzle != with_givens(puzzle, clash):
        found.append("the clash is no part of the puzzle")
    if up_to(verdict.puzzle, 1) == 1:
        found.append("the clash has a solution")
    if verdict.irreducible and 0 in [up_to(with_givens(puzzle, clash - {cell}), 1) for cell in clash]:
        found.append("the clash is not irreducible")
    if verdict.smallest and clash and (fewest := _fewest_that_clash(puzzle, givens, len(clash))) < len(clash):
        found.append(f"{fewest} givens clash, not {len(clash)}")
    return found


def _fewest_that_clash(puzzle: Puzzle, givens: list[int], found: int) -> int:
    """Return how many givens clash at least, as far as that is feasible."""
    try:
        every = set(islice(by_hand(with_givens(puzzle, ()), STEPS), LISTED + 1))
    except TooMany:
        every = set()
    if every and len(every) <= LISTED:
        return fewest_that_hit([{cell for cell in givens if grid[cell] != puzzle.givens[cell]} for grid in every])
    if comb(len(givens), found - 1) > SUBSETS:
        return found
    subsets = combinations(givens, found - 1)
    return found - 1 if any(up_to(with_givens(puzzle, cells), 1) == 0 for cells in subsets) else found
