"""Small puzzles of many kinds of boards, most of them without a solution, each with its solutions by trying values."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import numpy as np

import sudoku_encode as se
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.shapes import jigsaw
from tests.helpers.plain_search import TooMany, by_hand
from tests.helpers.puzzles import JIGSAW_4

Grid = tuple[int, ...]
Case = tuple[str, Puzzle, frozenset[Grid]]
# So few that every solver lists all solutions at once.
MOST_SOLUTIONS, MOST_STEPS = 12, 20_000

BOARDS: dict[str, tuple[Callable[[], Geometry], tuple[str, ...]]] = {
    "4x4": (lambda: se.board("4x4"), ()),
    "6x6": (lambda: se.board("6x6:2x3"), ()),
    "latin:2x3": (lambda: se.board("latin:2x3"), ()),
    "latin:3x4": (lambda: se.board("latin:3x4"), ()),
    "latin:3x3:4": (lambda: se.board("latin:3x3:4"), ()),
    "jigsaw": (lambda: jigsaw(JIGSAW_4, "jigsaw:aaabacbbccbdcddd"), ()),
    "overlap": (lambda: se.board("4x4@0,0;2,2"), ()),
    "surface": (lambda: se.board("sudokube:2"), ()),
    "4x4x4": (lambda: se.board("4x4x4"), ()),
    "4x4x4, two rules": (lambda: se.board("4x4x4", ["row-y", "box-xz"]), ()),
    "anti-king": (lambda: se.board("latin:3x4:5"), ("anti-king",)),
    "anti-knight": (lambda: se.board("latin:4x4"), ("anti-knight",)),
    "killer": (lambda: se.board("4x4"), ("cage 5 r1c1 r1c2", "thermometer r2c1 r2c2", "arrow r4c4 / r4c1 r3c1")),
    "rellik": (lambda: se.board("6x6:1x6"), ("rellik-cage 8 r1c1-r1c3", "regex [1-3].*[4-6]: r2c1-r2c6")),
}
# What these say no grid can have, and to try all values for that takes long.
IMPOSSIBLE = ("clash", "empty cell", "empty pencilmarks", "value without a place")
# Graphs and exact covers have no place for constraints, and a name of an option says no cell without a unit.
PLAIN = [name for name, (_, constraints) in BOARDS.items() if not constraints]


def truth(puzzle: Puzzle) -> frozenset[Grid]:
    """Return all solutions.

    Raises:
        TooMany: there are more than MOST_SOLUTIONS, or it takes more than MOST_STEPS.
    """
    grids_of_units = by_hand(puzzle, MOST_STEPS)
    solutions = (grid for grid in grids_of_units if not any(placed.violated(grid) for placed in puzzle.placed))
    grids = list(islice(solutions, MOST_SOLUTIONS + 1))
    if len(grids) > MOST_SOLUTIONS:
        raise TooMany
    return frozenset(grids)


@cache
def cases(name: str) -> list[Case]:
    """Return puzzles on a board: what is special about each, itself, its solutions."""
    make, constraints = BOARDS[name]
    board, chance = make(), np.random.default_rng(sorted(BOARDS).index(name))
    full = se.solve(Puzzle.of(board, constraints=constraints))
    assert full is not None
    grid = np.asarray(full, np.uint8).ravel()
    if not constraints:
        grid = np.array([0, *(chance.permutation(board.n_values) + 1)], np.uint8)[grid]
    puzzles = _puzzles(board, constraints, grid, chance)
    return [(what, puzzle, frozenset() if what in IMPOSSIBLE else truth(puzzle)) for what, puzzle in puzzles]


def _puzzles(
    board: Geometry, constraints: tuple[str, ...], full: Grids, chance: np.random.Generator
) -> Iterator[tuple[str, Puzzle]]:
    def puzzle(givens: Grids, marks: Candidates | None = None) -> Puzzle:
        return Puzzle.of(board, givens, pencilmarks=marks, constraints=constraints)

    n, solvable = board.n_values, _with_few_solutions(board, constraints, full, chance)
    yield "solvable", puzzle(solvable)
    marks = chance.random((board.n_cells, n)) < 0.5
    marks[np.arange(board.n_cells), full - 1] = True
    yield "solvable, pencilmarks", puzzle(solvable, marks)
    yield "full", puzzle(full)
    unit = board.rules[0].units[0]
    clash = np.zeros_like(full)
    clash[unit[:2]] = full[unit[0]]
    yield "clash", puzzle(clash)
    clash_and_more = solvable.copy()
    clash_and_more[unit[:2]] = full[unit[0]]
    yield "clash among givens", puzzle(clash_and_more)
    if (crowded := _with_an_empty_cell(board, full)) is not None:
        yield "empty cell", puzzle(crowded)
    no_value = np.ones((board.n_cells, n), bool)
    no_value[chance.integers(board.n_cells)] = False
    yield "empty pencilmarks", puzzle(np.zeros_like(full), no_value)
    # Pencilmarks are of blanks: those of a given say nothing.
    not_given = np.ones((board.n_cells, n), bool)
    not_given[np.flatnonzero(solvable), solvable[solvable > 0] - 1] = False
    yield "givens against their pencilmarks", puzzle(solvable, not_given)
    for rule in board.full_rules[-1:]:
        no_place = np.ones((board.n_cells, n), bool)
        no_place[rule.units[-1], 0] = False
        yield "value without a place", puzzle(np.zeros_like(full), no_place)
    yield from (("unsolvable", puzzle(givens)) for givens in _unsolvable(board, constraints, full, chance))


def _with_few_solutions(
    board: Geometry, constraints: tuple[str, ...], full: Grids, chance: np.random.Generator
) -> Grids:
    """Return as few of the values of a grid as leave few solutions."""
    givens = full.copy()
    for cell in chance.permutation(board.n_cells).tolist():
        fewer = givens.copy()
        fewer[cell] = 0
        try:
            truth(Puzzle.of(board, fewer, constraints=constraints))
        except TooMany:
            continue
        givens = fewer
    return givens


def _with_an_empty_cell(board: Geometry, full: Grids) -> Grids | None:
    """Return givens without a clash that leave a blank no value, if there are some around the first cell."""
    peers = board.peers[0][board.peers[0] >= 0]
    for peer in peers.tolist():
        givens = np.zeros_like(full)
        givens[peers] = full[peers]
        givens[peer] = full[0]
        if len(set(givens[peers].tolist())) == board.n_values and Puzzle.of(board, givens).clash is None:
            return givens
    return None


def _unsolvable(
    board: Geometry, constraints: tuple[str, ...], full: Grids, chance: np.random.Generator
) -> Iterator[Grids]:
    """Yield givens without a clash and without a solution: those of a grid, one of them changed."""
    n_yielded = 0
    for _ in range(300):
        givens = np.where(chance.random(board.n_cells) < chance.random(), full, 0).astype(np.uint8)
        givens[chance.integers(board.n_cells)] = chance.integers(1, board.n_values + 1)
        puzzle = Puzzle.of(board, givens, constraints=constraints)
        try:
            is_solvable = puzzle.clash is not None or bool(truth(puzzle))
        except TooMany:
            continue
        if not is_solvable:
            n_yielded += 1
            yield givens
        if n_yielded == 2:
            return
