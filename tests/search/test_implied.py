"""What the search with constraints knows of cells that differ: sets of values, groups of cells."""

from itertools import combinations, permutations, product
from random import Random

import pytest

from sudoku_encode import Puzzle, board
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import Automaton, Relation, automaton, relation
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.search.cell_relations import (
    all_differ,
    are_unequal,
    cliques,
    counted_value,
    derived_sums,
    differing_cells,
    groups,
    is_symmetric,
    joined_sums,
    sets_in_any_order,
)


def accepts(wanted: Automaton, values: tuple[int, ...]) -> bool:
    state: int | None = 0
    for layer, value in zip(wanted.layers, values, strict=True):
        state = next((after for before, read, after in layer if (before, read) == (state, value)), None)
        if state is None:
            return False
    return True


def sets_by_reading(wanted: Automaton, n: int) -> set[int]:
    """Return the sets of values that are accepted in every order."""
    return {
        sum(1 << value - 1 for value in chosen)
        for chosen in combinations(range(1, n + 1), len(wanted.layers))
        if all(accepts(wanted, order) for order in permutations(chosen))
    }


@pytest.mark.parametrize(
    "text",
    ["renban r1c1-r1c4", "rellik-cage 5 r1c1-r1c3", "rellik-cage 8 r1c1-r1c5", "equality-cage r1c1-r1c4"],
)
def test_sets_of_automata(text: str) -> None:
    """Sets are those that are read in any order."""
    n = 9
    for wanted in lower_puzzle(Puzzle.of(board("9x9"), constraints=[text])).primitives:
        assert isinstance(wanted, Automaton)
        sets = sets_in_any_order(wanted.layers, n)
        assert len(sets) > 1
        assert set(sets) == sets_by_reading(wanted, n)


def test_ordered_automata() -> None:
    """Where the order matters there are no sets."""
    for text in ("regex 1.*9: r1c1-r1c4", "sum-line 10 r1c1-r1c4", "sandwich 8 r1c1-r1c9"):
        found = [
            one
            for one in expanded(lower_puzzle(Puzzle.of(board("9x9"), constraints=[text])).primitives, 9)
            if isinstance(one, Automaton)
        ]
        assert len(found) == 1
        assert sets_in_any_order(found[0].layers, 9) == ()


@pytest.mark.parametrize("seed", range(30))
def test_automata_read_their_sets(seed: int) -> None:
    """What any automaton reads is in its sets where it has some."""
    rng = Random(seed)
    n, n_sets = 4, 0
    for _ in range(60):
        steps = [[rng.choice([0, 0, 1, 1, None]) for _ in range(n)] for _ in range(2)]
        wanted = automaton([0, 1, 2], n, 0, lambda at, value: steps[at][value - 1], lambda at: at != 1)  # noqa: B023
        if isinstance(wanted, Automaton) and (sets := sets_in_any_order(wanted.layers, n)):
            n_sets += 1
            read = {
                sum(1 << value - 1 for value in row) for row in permutations(range(1, n + 1), 3) if accepts(wanted, row)
            }
            assert read == set(sets) == sets_by_reading(wanted, n)
    assert n_sets > 0


def test_differing_cells() -> None:
    """Cells of units and of relations without equal values differ."""
    found = lower_puzzle(Puzzle.of(board("4x4"), constraints=["difference 1 r1c1 r4c4", "ratio 2 r2c2 r4c1"]))
    pairs = [
        (one.first, one.second) for one in found.primitives if isinstance(one, Relation) and are_unequal(one.allowed)
    ]
    assert len(pairs) == 1 or len(pairs) == 2
    near = differing_cells(found.puzzle.geometry, pairs)
    peers = [set(peers.tolist()) for peers in found.puzzle.geometry.peers]
    for cell, other in product(range(16), repeat=2):
        differ = other in peers[cell] or {cell, other} in ({0, 15}, {5, 12})
        assert bool(near[cell] >> other & 1) == differ
    assert all_differ((0, 1, 4, 5), near)
    assert all_differ((0, 15), near)
    assert not all_differ((0, 1, 10), near)
    assert not all_differ((3, 3), near)


@pytest.mark.parametrize("seed", range(10))
def test_groups(seed: int) -> None:
    """Groups share out the cells and all of each differ."""
    rng = Random(seed)
    near = differing_cells(board("9x9"), [])
    cells = rng.sample(range(81), 30)
    found = groups(cells, near)
    assert sorted(cell for group in found for cell in group) == sorted(cells)
    assert all(all_differ(group, near) for group in found)
    assert len(found) < 15
    assert groups([0, 40], near) == [[0], [40]] or groups([0, 40], near) == [[40], [0]]


def test_group_size() -> None:
    """Groups hold no more cells than four bits count."""
    near = differing_cells(board("16x16"), [])
    assert [len(group) for group in groups(range(16), near)] == [15, 1]


def test_separate_sets() -> None:
    """Cells that are pairwise apart hold the sets whose values are."""

    def apart(first: int, second: int) -> Relation:
        found = relation(first, second, 9, lambda a, b: abs(a - b) >= 2)
        assert isinstance(found, Relation)
        return found

    less = relation(20, 21, 9, lambda a, b: a < b)
    assert isinstance(less, Relation)
    pairs = [apart(*pair) for pair in combinations((3, 5, 8, 11), 2)] + [apart(11, 14), apart(14, 3), apart(30, 31)]
    assert is_symmetric(pairs[0].allowed)
    assert not is_symmetric(less.allowed)
    found = dict(cliques([(one.allowed, [(one.first, one.second)]) for one in pairs], 9))
    wanted = {
        size: {
            sum(1 << value - 1 for value in chosen)
            for chosen in combinations(range(1, 10), size)
            if all(b - a >= 2 for a, b in combinations(chosen, 2))
        }
        for size in (3, 4)
    }
    assert {cells: set(sets) for cells, sets in found.items()} == {(3, 5, 8, 11): wanted[4], (3, 11, 14): wanted[3]}


def test_too_many_cells() -> None:
    """Of cells that are too many to be apart nothing is said."""
    apart = relation(0, 1, 9, lambda a, b: abs(a - b) >= 2)
    assert isinstance(apart, Relation)
    assert list(cliques([(apart.allowed, combinations(range(6), 2))], 9)) == []
    assert len(list(cliques([(apart.allowed, combinations(range(5), 2))], 9))) == 1


@pytest.mark.parametrize("seed", range(20))
def test_counting_automata(seed: int) -> None:
    """An automaton that counts is known by its value and numbers."""
    rng = Random(seed)
    n, size = rng.choice([3, 4]), rng.randint(2, 5)
    value = rng.randint(1, n)
    numbers = set(rng.sample(range(size + 1), rng.randint(1, size)))
    wanted = automaton(list(range(size)), n, 0, lambda seen, held: seen + (held == value), lambda seen: seen in numbers)
    assert isinstance(wanted, Automaton)
    assert counted_value(wanted, n) == (value, sum(1 << number for number in numbers))
    for row in product(range(1, n + 1), repeat=size):
        assert accepts(wanted, row) == (row.count(value) in numbers)


def test_other_automata() -> None:
    """Other automata count nothing."""
    for seed in range(200):
        rng = Random(seed)
        steps = [[rng.choice([0, 1, 2, None]) for _ in range(3)] for _ in range(3)]
        wanted = automaton([0, 1, 2], 3, 0, lambda at, value: steps[at][value - 1], lambda at: at != 1)  # noqa: B023
        if isinstance(wanted, Automaton) and (found := counted_value(wanted, 3)):
            value, numbers = found
            for row in product(range(1, 4), repeat=3):
                assert accepts(wanted, row) == bool(numbers >> row.count(value) & 1)
    for text in ("regex 1.*9: r1c1-r1c4", "sandwich 8 r1c1-r1c9", "rellik-cage 5 r1c1-r1c3"):
        (one,) = expanded(lower_puzzle(Puzzle.of(board("9x9"), constraints=[text])).primitives, 9)
        assert isinstance(one, Automaton)
        assert counted_value(one, 9) is None


@pytest.mark.parametrize("seed", range(3))
def test_derived_sums(seed: int) -> None:
    """What follows from sums of cells and from units holds in a grid in which these sums hold."""
    rng, board_9 = Random(seed), board("9x9")
    grid = [(3 * (cell // 9) + cell // 27 + cell % 9) % 9 + 1 for cell in range(81)]
    sums, free = [], list(range(81))
    while len(free) > 9:
        # Cells that touch, as in a cage.
        cells = [rng.choice(free)]
        while len(cells) < rng.randint(2, 5) and (
            near := [cell for cell in free if cell not in cells and min(abs(cell - one) for one in cells) in (1, 9)]
        ):
            cells.append(rng.choice(near))
        free = [cell for cell in free if cell not in cells]
        sums.append((tuple(cells), sum(grid[cell] for cell in cells)))
    derived = derived_sums([*sums, ((0, 80), 99)], board_9)
    assert len(derived) > 20
    assert any(set(one.coefficients) == {1, -1} for one in derived)
    for one in derived:
        assert sum(grid[cell] * factor for cell, factor in zip(one.cells, one.coefficients, strict=True)) == one.total


@pytest.mark.parametrize("seed", range(3))
def test_joined_sums(seed: int) -> None:
    """Joined sums hold in a grid in which the sums hold, each cell counts once, and the cells of a group differ."""
    rng, board_9 = Random(seed), board("9x9")
    grid = [(3 * (cell // 9) + cell // 27 + cell % 9) % 9 + 1 for cell in range(81)]
    near = differing_cells(board_9, ())
    great = [cell for cell in range(81) if grid[cell] >= 7]
    # Great values in two rows each; the same cells in further sums, which overlap; and cells of any value.
    chosen = [tuple(great[start : start + 6]) for start in range(0, len(great), 6)]
    chosen += [tuple(rng.sample(great, 7)) for _ in range(4)] + [tuple(rng.sample(range(81), 8)) for _ in range(3)]
    joined = joined_sums([(cells, sum(grid[cell] for cell in cells)) for cells in chosen], near, 9)
    assert len(joined) > 0
    for parts, total in joined:
        cells = [cell for part in parts for cell in part]
        assert len(set(cells)) == len(cells) >= 12
        assert sum(grid[cell] for cell in cells) == total
        assert all(all_differ(part, near) for part in parts)


def test_joined_diagonals() -> None:
    """Four diagonals of great sums are tight together, with most of their cells in three boxes; short sums are not."""
    diagonals = [range(7, 64, 8), range(8, 73, 8), range(17, 74, 8), range(26, 75, 8)]
    sums = [(tuple(cells), 49) for cells in diagonals]
    near = differing_cells(board("9x9"), ())
    ((parts, total),) = joined_sums(sums, near, 9)
    assert total == 196
    assert [len(part) for part in parts[:3]] == [8, 8, 8]
    assert joined_sums(sums[:1], near, 9) == []
    assert joined_sums([((0, 1, 2), 24), ((3, 4, 5), 9)], near, 9) == []


def test_no_derived_sums() -> None:
    """Without sums, or without units, no sum follows; of a cage in a row the rest of the row does."""
    cage = (0, 1, 2), 6
    assert derived_sums([], board("9x9")) == []
    assert derived_sums([cage], Geometry("bare", (9, 9), 9, ())) == []
    rests = {one.cells: one.total for one in derived_sums([cage], board("9x9"))}
    assert rests == {(3, 4, 5, 6, 7, 8): 39, (9, 10, 11, 18, 19, 20): 39}
