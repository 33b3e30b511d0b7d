"""Symmetries against published orders, and against maps that are written out or drawn at random."""

from dataclasses import replace
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.symmetry.structure import is_carried

SETTINGS = settings(derandomize=True, deadline=None, max_examples=15)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Most of these are wreath products of the swaps of lines, and of the swaps of bands.
ORDERS = {
    "4x4": 2**7,
    "9x9": 2 * 6**8,
    "6x6:2x3": 3456,
    "16x16": 2 * 24**10,
    "4x4x4": 3072,
    "9x9x9": 13_060_694_016,
    "latin:5x5": 2 * 120**2,
    "9x9+diagonals": 96,
    "9x9:0-8": 2 * 6**8,
}
CONSTRAINTS = {
    "cage 10 r1c1 r1c2": 2 * 6**3 * 6 * 2 * 2 * 2,
    "anti-knight": 8,
    "thermometer r1c1 r1c2 r1c3": 10368,
    "skyscraper 3 r1c1-r1c9": 2 * 6**2 * 2,
}


def puzzle(text: str = "", *constraints: str, board: str = "9x9") -> se.Puzzle:
    geometry = se.board(board)
    return se.Puzzle(geometry, se.read(text, board=geometry).givens if text else None, constraints=constraints)


def drawn(source: se.Puzzle, seed: int) -> se.Puzzle:
    """Return a puzzle that random symmetries of the board made from another."""
    rng = np.random.default_rng(seed)
    generators = se.symmetries(se.Puzzle(source.geometry)).generators
    for place in rng.integers(len(generators), size=60):
        by = generators[place]
        marks = source.pencilmarks
        if marks is not None:
            marks = np.empty_like(marks)
            marks[np.ix_(by.cells, by.values[1:] - 1)] = source.pencilmarks
        source = replace(source, givens=by.grid(source.givens), pencilmarks=marks)
    return source


@pytest.mark.parametrize("board", ORDERS)
def test_orders(board: str) -> None:
    """The board has its known number of symmetries, times all names of values."""
    result = se.symmetries(se.Puzzle(se.board(board)))
    assert (result.cell_maps, result.renamings) == (ORDERS[board], factorial(se.board(board).n_values))
    assert result.complete


@pytest.mark.parametrize("text", CONSTRAINTS)
def test_orders_with_constraints(text: str) -> None:
    """Constraints leave the symmetries that keep them, and those that read values their names."""
    result = se.symmetries(puzzle("", text))
    assert result.cell_maps == CONSTRAINTS[text]
    assert result.renamings == (factorial(9) if text == "anti-knight" else 1)


@pytest.mark.parametrize("text", ["1...........3...", "12..3...........", "1234............", "1..............1"])
def test_orders_by_brute_force(text: str) -> None:
    """The number of symmetries is that of all maps of lines and values that keep the givens."""
    source, count = puzzle(text, board="4x4"), 0
    lines = [[*a, *b] for a, b in product(permutations((0, 1)), permutations((2, 3)))]
    lines += [[*b, *a] for a, b in product(permutations((0, 1)), permutations((2, 3)))]
    for rows, columns, turn in product(lines, lines, (False, True)):
        image = source.givens.reshape(4, 4)[rows][:, columns]
        image = image.T if turn else image
        for names in permutations(range(1, 5)):
            count += np.array_equal(np.array([0, *names])[image].ravel(), source.givens)
    assert se.symmetries(source).order == count


def test_generators_keep_solutions() -> None:
    """Each generator of a puzzle with constraints maps solutions to solutions."""
    source = puzzle("", "cage 5 r1c1 r1c2", "cage 5 r4c4 r4c3", board="4x4")
    grids = [grid.values for grid in se.solutions(source)]
    generators = se.symmetries(source).generators
    assert grids
    assert generators
    for by in generators:
        assert {bytes(by.grid(grid)) for grid in grids} == set(map(bytes, grids))


def test_symmetries_of_grids() -> None:
    """A grid has at most 648 symmetries, and a usual one only the identity."""
    text = "".join(str((3 * (row % 3) + row // 3 + column) % 9 + 1) for row in range(9) for column in range(9))
    shifted = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    usual = se.solve(PUZZLE)
    assert usual is not None
    assert [se.symmetries(each).order for each in (text, shifted, str(usual))] == [54, 648, 1]


@SETTINGS
# With other numbers of givens, refining mostly tells all cells apart without a choice.
@given(st.integers(0, 10**6), st.sampled_from((3, 6, 9, 12, 78, 81)))
def test_canonical_of_images(seed: int, n_givens: int) -> None:
    """All images of a puzzle have its canonical form, which is an image too."""
    rng = np.random.default_rng(seed)
    grid = se.solve(PUZZLE)
    assert grid is not None
    givens = np.where(rng.permutation(81) < n_givens, grid.values, 0)
    source = se.Puzzle(grid.geometry, givens)
    form = se.canonical(source)
    assert form == se.canonical(drawn(source, seed))
    assert form == se.canonical(form)
    by = se.same(source, form)
    assert by is not None
    assert np.array_equal(by.grid(source.givens), form.givens)


@pytest.mark.parametrize("board", ["6x6:2x3", "4x4x4", "samurai", "9x9+windoku"])
def test_canonical_on_boards(board: str) -> None:
    """A puzzle with pencilmarks on any board has the canonical form of its image."""
    geometry = se.board(board)
    rng = np.random.default_rng(1)
    marks = rng.random((geometry.n_cells, geometry.n_values)) < 0.9
    source = se.Puzzle(geometry, pencilmarks=marks | (rng.random((geometry.n_cells, 1)) < 0.5))
    assert se.canonical(source) == se.canonical(drawn(source, 2))


def test_canonical_with_constraints() -> None:
    """Cages and lines move with their cells, in whatever order they are written."""
    first = puzzle("", "cage 10 r1c1 r1c2", "thermometer r4c4 r5c5 r6c6", "anti-knight")
    other = puzzle("", "anti-knight", "thermometer r4c6 r5c5 r6c4", "cage 10 r2c9 r1c9")
    assert se.canonical(first) == se.canonical(other)
    by = se.same(first, other)
    assert by is not None
    assert is_carried(first, other, by)


def test_different() -> None:
    """Puzzles that no symmetry maps to each other have different forms, even with equally many givens."""
    for first, other in (("12..............", "1......2........"), ("1...............", "1...1...........")):
        assert se.same(first, other) is None
        assert se.canonical(first) != se.canonical(other)
    reversed_line = puzzle("", "thermometer r1c1 r1c2"), puzzle("", "thermometer r1c1 r4c4")
    with pytest.raises(se.MethodError, match="constraints may"):
        se.same(*reversed_line)


def test_hidden_cells_refused() -> None:
    """A puzzle with hidden cells has symmetries, and no canonical form."""
    source = puzzle("", "sum 5 r1c1 h1", board="4x4")
    assert se.symmetries(source).order > 1
    with pytest.raises(se.MethodError, match="hidden"):
        se.canonical(source)
    with pytest.raises(se.MethodError, match="hidden"):
        se.break_symmetry(source)


def test_check_of_maps() -> None:
    """The check of maps refuses one that changes rules, givens, pencilmarks or constraints."""
    board = se.board("4x4")
    turn = se.SymmetryMap(np.arange(16).reshape(4, 4).T.ravel(), np.arange(5))
    swap = se.SymmetryMap(np.array([4, *range(1, 4), 0, *range(5, 16)]), np.arange(5))
    names = se.SymmetryMap(np.arange(16), np.array([0, 2, 1, 3, 4]))
    empty, first = se.Puzzle(board), puzzle("12..............", board="4x4")
    marked = se.Puzzle(board, pencilmarks=np.arange(64).reshape(16, 4) != 5)
    cage = puzzle("", "cage 5 r1c1 r1c2", board="4x4")
    assert [is_carried(empty, empty, by) for by in (turn, swap, names)] == [True, False, True]
    for source in (first, marked, cage):
        assert [is_carried(source, source, by) for by in (turn, swap, names)] == [False, False, False]


KINDS = {
    "4x4": (192, 96),
    "4x4x4": (576, 192),
    "latin:5x5": (144_000, 17_280),
    "4x4+diagonals": (48,),
}


@pytest.mark.parametrize("board", KINDS)
def test_kinds(board: str) -> None:
    """The kinds of solutions of small boards have the published sizes."""
    assert se.kinds(se.Puzzle(se.board(board))).sizes == KINDS[board]


def test_kinds_of_6x6() -> None:
    """The 28,200,960 grids of 6x6 are of 49 kinds, each of a size that divides the order."""
    result = se.kinds(se.Puzzle(se.board("6x6:2x3")))
    assert (result.count, result.solutions, result.order) == (49, 28_200_960, 3456 * 720)
    assert all(result.order % size == 0 for size in result.sizes)


@pytest.mark.parametrize("text", ["1...............", "12..3..........."])
def test_kinds_by_canonical_forms(text: str) -> None:
    """Solutions of a puzzle are of one kind if and only if the puzzle that marks them has the same canonical form."""
    source = puzzle(text, board="4x4")
    # The givens of the puzzle are marked by hand: symmetries must keep them.
    generators, forms = se.symmetries(source).generators, {}
    for grid in se.solutions(source):
        orbit, waiting = {bytes(grid.values)}, [grid.values]
        for values in waiting:
            images = [by.grid(values) for by in generators]
            waiting += [image for image in images if bytes(image) not in orbit]
            orbit |= set(map(bytes, images))
        forms[min(orbit)] = len(orbit)
    assert se.kinds(source).sizes == tuple(sorted(forms.values(), reverse=True))


def test_too_many_kinds() -> None:
    """Too many solutions to list are refused as a limit, and no number is printed."""
    with pytest.raises(se.StoppedError, match="time"):
        se.kinds(se.Puzzle(se.board("9x9")), timeout=0.2)


BROKEN = {"4x4": 6, "4x4x4": 4, "6x6:2x3": 4896, "latin:5x5": 56}


@pytest.mark.parametrize("board", BROKEN)
def test_solutions_left(board: str) -> None:
    """The solutions that are left are the promised share of all, and of every kind."""
    source = se.Puzzle(se.board(board))
    broken = se.break_symmetry(source)
    every = se.kinds(source)
    remaining = np.array([grid.values for grid in se.solutions(broken.puzzle)])
    assert broken.exact
    assert len(remaining) == BROKEN[board] == every.solutions // (broken.renamings * broken.cell_maps)
    if every.count < 10:
        forms = {se.canonical(se.Puzzle(source.geometry, values)).givens.tobytes() for values in remaining}
        assert len(forms) == every.count


def test_kinds_left_with_constraints() -> None:
    """With constraints at least one solution of each kind is left."""
    source = puzzle("", "cage 5 r1c1 r1c2", "cage 5 r4c4 r4c3", board="4x4")
    remaining = {bytes(grid.values) for grid in se.solutions(se.break_symmetry(source).puzzle)}
    every = {bytes(grid.values) for grid in se.solutions(source)}
    generators, n_kinds = se.symmetries(source).generators, 0
    waiting = set(every)
    while waiting:
        orbit = [waiting.pop()]
        for values in orbit:
            images = {bytes(by.grid(np.frombuffer(values, np.uint8))) for by in generators}
            orbit += images - set(orbit)
        waiting -= set(orbit)
        assert remaining & set(orbit)
        n_kinds += 1
    assert remaining < every
    assert n_kinds == se.kinds(source).count
