"""Puzzles after singles, as problems without coordinates: cells with candidates, and units of cells that differ."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Bools, Int16s, Int32s, Int64s, Intps, Uint16s, Uint32s, Uint64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


class Problem(NamedTuple):
    """Cells and groups of cells that must differ, without coordinates."""

    candidates: Candidates  # (cells, n_values)
    units: tuple[Intps, ...]  # for each group the numbers of its cells
    needs: Bools  # (units, n_values): the values that must each be in the unit
    lasting: Bools  # (units,): whether the unit stays open, since its values in the end are part of the result
    apart: Bools  # (n_values, n_values): pairs of values that are not interchangeable because of something outside


def propagated_candidates(puzzle: Puzzle) -> Candidates | None:
    """Return the candidates after naked and hidden singles, bool (n_cells, n_values); None on a contradiction.

    Values that are interchangeable before are interchangeable afterwards too.
    """
    candidates, sound = singles(puzzle)
    return candidates if sound else None


def singles(puzzle: Puzzle) -> tuple[Candidates, bool]:
    """Return the candidates after naked and hidden singles, and whether no contradiction was found."""
    board = puzzle.geometry
    candidates = puzzle.candidates.copy()
    # A cell may lie in no unit, so that no rule checks it.
    if board.why_impossible or not candidates.any(axis=1).all():
        return candidates, False
    before = -1
    while (n_candidates := int(candidates.sum())) != before:
        before = n_candidates
        for rule in board.rules:
            if not _singles(candidates, rule.units, rule in board.full_rules):
                return candidates, False
    return candidates, True


def _singles(candidates: Candidates, units: Int32s, full: bool) -> bool:
    """Apply naked singles, and hidden ones where each value must be in each unit; return False on a contradiction."""
    marks = candidates[units]
    single = marks.sum(axis=2) == 1
    times = (marks & single[:, :, None]).sum(axis=1)
    marks &= single[:, :, None] | ~times.astype(bool)[:, None, :]
    sound = bool((times <= 1).all() and marks.any(axis=2).all())
    if full and sound:
        places = marks.sum(axis=1)
        only = marks & (places == 1)[:, None, :]
        marks = np.where(only.any(axis=2)[:, :, None], only, marks)
        sound = bool((places > 0).all() and (only.sum(axis=2) <= 1).all())
    candidates[units] = marks
    return sound


def whole(board: Geometry, candidates: Candidates) -> Problem:
    """Return a board as a problem."""
    n = board.n_values
    units = [unit.astype(np.intp) for rule in board.rules for unit in rule.units]
    needs = np.zeros((len(units), n), bool)
    needs[[len(unit) == n for unit in units]] = True
    return Problem(candidates, tuple(units), needs, np.zeros(len(units), bool), np.zeros((n, n), bool))


def blank(board: Geometry, candidates: Candidates) -> tuple[Problem, Intps]:
    """Return a board without its settled cells (peers must lack their values) as a problem, and the open cells."""
    n = board.n_values
    blanks = np.flatnonzero(candidates.sum(axis=1) > 1)
    place = np.full(board.n_cells, -1, np.intp)
    place[blanks] = np.arange(len(blanks))
    units, needs = [], [np.zeros((0, n), bool)]
    for rule in board.rules:
        for unit in rule.units:
            open_cells = place[unit][place[unit] >= 0]
            if len(open_cells) > 1:
                settled = candidates[unit][place[unit] < 0].any(axis=0)
                units.append(open_cells)
                needs.append((~settled & (len(unit) == n))[None])
    apart = np.zeros((n, n), bool)
    return Problem(candidates[blanks], tuple(units), np.concatenate(needs), np.zeros(len(units), bool), apart), blanks


def components(problem: Problem) -> list[tuple[Problem, Intps]]:
    """Split a problem without lasting units into independent parts, each with its cells.

    Two cells are connected when they share a unit and a candidate, so all places of a value in a unit are in one part,
    and each part needs those values of the unit for which it has a place.
    """
    root = list(range(len(problem.candidates)))

    def find(cell: int) -> int:
        while root[cell] != cell:
            root[cell] = root[root[cell]]
            cell = root[cell]
        return cell

    for unit in problem.units:
        for places in problem.candidates[unit].T:
            first, *rest = unit[places].tolist() or [0]
            for cell in rest:
                root[find(cell)] = find(first)
    roots = np.array([find(cell) for cell in range(len(root))], np.intp)
    return [_component(problem, np.flatnonzero(roots == one)) for one in np.unique(roots)]


def _component(problem: Problem, cells: Intps) -> tuple[Problem, Intps]:
    place = np.full(len(problem.candidates), -1, np.intp)
    place[cells] = np.arange(len(cells))
    candidates = problem.candidates[cells]
    units, needs = [], [np.zeros((0, candidates.shape[1]), bool)]
    for unit, needed in zip(problem.units, problem.needs, strict=True):
        inside = place[unit][place[unit] >= 0]
        if len(inside) > 1:
            units.append(inside)
            needs.append((needed & candidates[inside].any(axis=0))[None])
    part = Problem(candidates, tuple(units), np.concatenate(needs), np.zeros(len(units), bool), problem.apart)
    return part, cells


def key_of(problem: Problem) -> bytes:
    """Return a key that is equal for parts that differ at most in their places and the names of their values."""
    by_value = sorted(column.tobytes() for column in np.concatenate([problem.candidates, problem.needs]).T)
    return repr((by_value, [unit.tolist() for unit in problem.units])).encode()


def separated_values(candidates: Candidates) -> Bools:
    """Return for each pair of values whether some cell may hold only one of them, bool (n_values, n_values)."""
    columns = candidates.astype(np.float32)
    both = columns.T @ columns
    each = np.diagonal(both)
    return np.asarray((both != each[:, None]) | (both != each[None, :]))


def members(units: Sequence[Intps], n_cells: int) -> list[list[int]]:
    """Return for each cell the numbers of its units."""
    units_of_cell: list[list[int]] = [[] for _ in range(n_cells)]
    for number, unit in enumerate(units):
        for cell in unit.tolist():
            units_of_cell[cell].append(number)
    return units_of_cell


# Arrays that compiled loops share with their callers.


class Lists(NamedTuple):
    """Lists of numbers, one after the other."""

    items: Int32s  # (items,) or (items, 3)
    starts: Int64s  # (lists + 1,): where each starts, and where the last ends


class Move(NamedTuple):
    """How a step turns states into others, see `transfer_matrix_kernel`."""

    allowed: Bools  # (n_values,): for each place of an old state whether the cell may hold the value there
    classes: Int64s  # (n_values,): for each place of an old state the first place of its class
    sources: Int64s  # (n_values,): for each place of a new state its place in the old one
    firsts: Int64s  # (n_values,): for each place of a new state the first place of its class
    masks: Any  # unsigned (4, n_values), see `move_state`
    values: Int64s  # (n_values,): the value at each place of a new state


class JoinedTables(NamedTuple):
    """The tables of three bands, and the triples of partitions that complete each other on each of their three axes."""

    first: Uint32s  # three axes: numbers of fillings
    second: Uint32s
    third: Uint32s
    firsts: Int32s  # (triples, 3): the triples of the first axis, by their places in the three tables
    seconds: Lists  # those of the second axis, a list for each place in the first table
    thirds: Lists  # those of the last axis, likewise
    filled: Bools  # (first axis, second axis): whether a row of the first table has an entry other than 0
    second_filled: Bools
    third_filled: Bools


class BandTable(NamedTuple):
    """How many fillings of a 9x9's band put each three partitions into the stacks, see `few_givens`.

    Values that are not given in the band may be renamed: the first partition is always one of few types.
    """

    table: Uint32s  # (types, places of the second partition, places of the third): numbers of fillings
    types: Int16s  # (1680,): for each first partition its type, or -1 if it has no fillings
    places: Int16s  # (2, 1680, 1680): beside each first partition the places of second and of third ones, or -1


class Classes(NamedTuple):
    """Pairs of partitions that a band puts into the middle and the last stack, in classes; see `few_givens`."""

    used: Bools  # (1680,): whether there is a class with this partition in the middle stack
    weights: Uint64s  # (1680, 1680): how many fillings of the band are in the class with these two partitions
    images: Uint16s  # (1680, 1680): beside each used one the partition of the last stack that stands for this one


class Tree(NamedTuple):
    """Groups sorted, as a tree of their three parts; see `band_join_kernel.join`."""

    # (nodes,): a node for each pair of a first and a second part of a group: the number of the second part among the
    # distinct second parts. The nodes of one first part are neighbours.
    nodes: Int32s
    starts: Int64s  # (distinct first parts + 1,): where the nodes of each first part start
    leaves: Int64s  # (nodes + 1,): where the third parts of each node start
    parts: Uint64s  # (groups,): the third parts, ascending within a node
    counts: Uint64s  # (groups,): the number of fillings of each group, see `Groups`


class Units(NamedTuple):
    """The open cells, numbered in the order of the search, and their units."""

    cells: Lists  # the cells of each unit
    of_cells: Lists  # the units of each cell
    peers: Lists  # the peers of each cell


class Search(NamedTuple):
    """The state of a search: a stack of frames, one for each part that is being counted."""

    masks: Int64s  # (cells,): what each cell may hold, a bit each
    trail: Int64s  # (cells * n_values, 2): changes of masks: the cell, and its mask before
    cells: Int32s  # the cells of parts, part after part
    parts: Int64s  # (parts, 2): where the cells of each part start and end
    frames: Int64s  # (frames, fields): see the kernel
    choices: Int64s  # (frames, n_values): the values of the first cell of each frame's part
    times: Int64s  # (frames, n_values): how many values each of them stands for
    keys: Uint32s  # the keys of the frames, one after the other
    sums: Uint64s  # (frames, digits): the solutions of each frame's part so far, in digits of 32 bits, the lowest first
    products: Uint64s  # (frames, digits): the product of the parts below the current value
    scratch: Uint64s  # (2 * digits,)
    rows: Uint64s  # (n_values, words): the cells of the current part that may hold each value, 32 in a word
    order: Int64s  # (n_values,): the values that have cells, sorted by them
    queue: Int32s  # (cells,): cells whose value is to be barred from their peers
    changed: Int32s  # (units,): units to look at
    is_changed: Bools  # (units,)
    is_open: Bools  # (cells,)
    progress: Int64s  # (8,): see the kernel


class Cache(NamedTuple):
    """Parts that are counted, with their counts."""

    table: Uint64s  # (a power of 2,): by hash: the place of an entry in the pool, and bits of its hash; 0 where free
    # Entries, one after the other: the number of words of the key, and above it that of digits; key; digits of 32 bits.
    pool: Uint32s


class WeightedBox(NamedTuple):
    """The fillings of a box by their partitions of rows, with weights."""

    starts: Int64s  # (partitions of rows + 1,): where the fillings with each of them start
    down: Int32s  # (fillings,): the number of the partition of columns
    weights: Uint64s  # (fillings,)


def spans(size: int, most: int, tick: Callable[[], None]) -> Iterator[tuple[int, int]]:
    """Yield the starts and ends of ranges that make up `size`, each of `most` at most, and call `tick` before each."""
    for start in range(0, size, most):
        tick()
        yield start, min(size, start + most)
