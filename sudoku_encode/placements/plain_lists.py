"""What is left to each value of a cube, and what that means for the others: for `plain_search`."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.placements.plain import cells_of_lines, count, lines_left, listed, packed, unpacked
from sudoku_encode.placements.structure import Int16s
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s
from sudoku_encode.puzzles.dead_ends import DeadEnd
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Candidate

# Up to how many placements of a value are listed.
MAX_LISTED = 200_000


class Left(NamedTuple):
    """What is left to a value that is not placed.

    Attributes:
        patterns: that it may have.
        may: bool (n_cells,), the cells that it may have; where there is a list, those that some placement has.
        must: bool (n_cells,), the cells that it must have; where there is a list, those that all placements have.
        number: of placements.
        sets: all of them, uint64 (m, words); None where they are too many, or none.
        signs: the pattern of each, int16 (m,).
    """

    patterns: tuple[int, ...]
    may: Bools
    must: Bools
    number: int = 0
    sets: Uint64s | None = None
    signs: Int16s | None = None


class Propagated(NamedTuple):
    """What follows from what is left to each value.

    Attributes:
        lefts: what is left when nothing more follows.
        why: why there is no solution, if that is seen.
        required: candidates that must be, since no other value can be in the cell.
        barred: candidates that cannot be, since all placements of another value have the cell.
    """

    lefts: dict[int, Left]
    why: DeadEnd
    required: list[Candidate]
    barred: list[Candidate]


def reach(puzzle: Puzzle) -> tuple[Bools, Bools]:
    """Return which cells each value may have and which it must have: bool (n_cells, values), twice."""
    may = puzzle.candidates
    return may, may & (may.sum(axis=1) == 1)[:, None]


def numbers_of(lefts: Mapping[int, Left]) -> dict[int, int]:
    """Return how many placements each value has."""
    return {value: left.number for value, left in lefts.items()}


def counted(k: int, patterns: Sequence[int], may: Bools, must: Bools, tick: Callable[[], None]) -> Left:
    """Count a value's placements in each pattern, and list them where they are not too many."""
    kept, number, some = dict[int, Bools](), 0, np.zeros_like(may)
    for pattern in patterns:
        tick()
        lines = lines_left(k, pattern, may, must)
        more = count(k, lines)
        if more:
            kept[pattern] = lines
            number += more
            some[cells_of_lines(k, pattern)[lines]] = True
    if number > MAX_LISTED or not kept:
        return Left(tuple(kept), some, must, number)
    parts = [listed(k, pattern, lines) for pattern, lines in kept.items()]
    return _of_list(np.concatenate(parts), np.repeat(np.array(list(kept), np.int16), list(map(len, parts))), len(may))


def narrowed(k: int, left: Left, may: Bools, must: Bools, tick: Callable[[], None]) -> Left:
    """Return what is left to a value with fewer cells that it may have, or more that it must have."""
    tick()
    if left.sets is None or left.signs is None:
        return counted(k, left.patterns, may, must, tick)
    keep = ~(left.sets & ~packed(may)).any(axis=1)
    if (must & ~left.must).any():
        keep &= ~(packed(must) & ~left.sets).any(axis=1)
    return _of_list(left.sets[keep], left.signs[keep], len(may))


def _of_list(sets: Uint64s, signs: Int16s, n_cells: int) -> Left:
    some, every = (unpacked(join.reduce(sets, axis=0), n_cells) for join in (np.bitwise_or, np.bitwise_and))
    # Without a placement all cells would be in every one.
    return Left(tuple(dict.fromkeys(signs.tolist())), some, every & some, len(sets), sets, signs)


def propagated(
    k: int, lefts: Mapping[int, Left], taken: Bools, name: Callable[[int], str], tick: Callable[[], None]
) -> Propagated:
    """Find what must be and what cannot be, until nothing more follows.

    Args:
        k: 2 or 3.
        lefts: of the values that are not placed.
        taken: bool (n_cells,), the cells of those that are.
        name: how a cell is written.
        tick: called often; it may raise StoppedError.
    """
    found = Propagated(dict(lefts), DeadEnd(), [], [])
    changed = bool(lefts)
    while changed:
        changed = False
        may = np.array([left.may for left in found.lefts.values()])
        must = np.array([left.must for left in found.lefts.values()])
        why = _dead_end(found.lefts, may.any(axis=0) | taken, must.sum(axis=0), name)
        if why.text:
            return found._replace(why=why)
        for at, (value, left) in enumerate(found.lefts.items()):
            needed = may[at] & ~must[at] & (may.sum(axis=0) == 1)
            barred = may[at] & ~must[at] & must.any(axis=0)
            if needed.any() or barred.any():
                found.required.extend((cell, value) for cell in np.flatnonzero(needed).tolist())
                found.barred.extend((cell, value) for cell in np.flatnonzero(barred).tolist())
                found.lefts[value] = narrowed(k, left, left.may & ~barred, left.must | needed, tick)
                changed = True
    return found


def _dead_end(lefts: Mapping[int, Left], reached: Bools, held: Int64s, name: Callable[[int], str]) -> DeadEnd:
    """Say why there is no solution, if a value or a cell shows it.

    Args:
        lefts: what is left to each value.
        reached: bool (n_cells,), the cells that some value has or may have.
        held: int (n_cells,), how many values must have each cell.
        name: how a cell is written.
    """
    for value, left in lefts.items():
        if not left.number:
            return DeadEnd(f"{value} has no placement left")
    for cell in np.flatnonzero(~reached).tolist():
        return DeadEnd(f"no value can be on {name(cell)}", (cell,))
    for cell in np.flatnonzero(held > 1).tolist():
        first, second, *_ = (value for value, left in lefts.items() if left.must[cell])
        return DeadEnd(f"{first} and {second} would both have to be on {name(cell)}", (cell,))
    return DeadEnd()
