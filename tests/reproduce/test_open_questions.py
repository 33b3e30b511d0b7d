"""The page of open questions: each number again, by another way or by hand."""

from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_encode.methods import calls
from sudoku_encode.papers import gtsps4, keck2022
from sudoku_encode.papers.gtsps import Tally
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.reproduce import keck, puzzles
from sudoku_encode.reproduce.block_world import tables
from sudoku_encode.reproduce.finding import REPRODUCED, UNCHECKED
from sudoku_encode.reproduce.open_questions import cubes, small_cubes, titles
from sudoku_encode.reproduce.open_questions.small_cubes import differences, kinds, n_disjoint, n_meeting, swaps
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline
from tests.helpers.paper_findings import finding, table, verdict

ALL_64 = (1 << 64) - 1


def sets_of(k: int, n_cells: int) -> NDArray[np.uint64]:
    """Return all sets of k cells as bits."""
    found = np.zeros(1, np.uint64)
    for _ in range(k):
        # Each with one more cell, above all of its own.
        found = np.concatenate([found[found < 1 << cell] | np.uint64(1 << cell) for cell in range(n_cells)])
    return found


def n_that_meet(found: NDArray[np.uint64], sets: NDArray[np.uint64]) -> int:
    for one in sets:
        found = found[found & one > 0]
        if not len(found):
            break
    return len(found)


@pytest.mark.slow
def test_few_givens_by_two_ways() -> None:
    """The puzzles of three and four givens are counted by unavoidable cells too."""
    grids = small_cubes.all_solutions(small_cubes.CUBE)
    found = {3: 0, 4: 0}
    for kind in kinds(grids, swaps((4, 4, 4), band=2), 4):
        sets = differences(kind.grid, grids)
        for k in found:
            found[k] += kind.number * n_meeting(sets, k, ALL_64)

    assert found == {3: 0, 4: 4_423_680}
    assert "exactly 4." in finding("open", "fewest_givens_of_a_cube").ours
    assert "of 4 givens 4,423,680 are" in finding("open", "fewest_givens_of_a_cube").ours


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_latin_squares_by_two_ways(k: int) -> None:
    """Both ways to count agree on latin squares."""
    empty = Puzzle.of(board("latin:4x4"))
    grids = puzzles.solutions(empty)
    found = kinds(grids, swaps((4, 4), band=1), 4)

    assert sum(kind.number for kind in found) == len(grids) == 576
    assert sum(kind.number * n_meeting(differences(kind.grid, grids), k, (1 << 16) - 1) for kind in found) == (
        small_cubes.n_unique(grids, np.array(list(combinations(range(16), k))))
    )


def test_cube_symmetries() -> None:
    """The symmetries of a cube bring the first cell to every place."""
    reached, before = {0}, set[int]()
    while reached != before:
        before = set(reached)
        reached |= {int(move[cell]) for move in swaps((4, 4, 4), band=2) for cell in before}

    assert len(reached) == 64


def test_wrong_symmetry_seen() -> None:
    """A move that is no symmetry is seen."""
    # With minigrids, layers of different bands cannot be swapped.
    with pytest.raises(KeyError):
        kinds(small_cubes.all_solutions(small_cubes.CUBE), swaps((4, 4, 4), band=1), 4)


@pytest.mark.slow
@pytest.mark.thorough
def test_sets_of_five_and_six() -> None:
    """Every set of five cells leaves another latin cube and those of six are counted one by one."""
    # Cubes of the other kinds need eight givens.
    (sets,) = [sets for _, sets in small_cubes.latin_kinds() if n_disjoint(sets) < 8]
    five = sets_of(5, 64)
    assert n_that_meet(five, sets) == 0
    # Those with the last cell and five more.
    rest = sets[sets < 1 << 63]
    assert n_that_meet(five[five < 1 << 63], rest) == n_meeting(rest, 5, ALL_64 >> 1) > 0
    assert sum(kind.number for kind, _ in small_cubes.latin_kinds()) == 55_296
    assert finding("open", "fewest_givens_of_a_latin_cube").ours.startswith(
        "A Latin cube of side 4 needs exactly 6: no puzzle of 5 givens is unique, 3,678,732,288 of 6 are."
    )


def test_latin_cube_of_six() -> None:
    """A latin cube of six givens is unique by SAT."""
    cube = board("latin:4x4x4")
    dug = (
        keck2022.puzzle(grid, cube, 6, np.random.RandomState(seed), puzzles.no_tick)
        for seed in range(100)
        if (grid := keck2022.solution(cube, np.random.RandomState(seed), puzzles.no_tick)) is not None
    )
    puzzle = next(one for one in dug if np.count_nonzero(one.givens) == 6)

    assert tally(calls.solutions(puzzle, "sat", Deadline(2))) == Count(1, True)


@pytest.mark.slow
def test_latin_sub_cubes() -> None:
    """Most latin cubes consist of eight sub cubes of two values."""
    for kind, sets in small_cubes.latin_kinds():
        small = [
            np.array([cell for cell in range(64) if one >> cell & 1]) for one in sets.tolist() if one.bit_count() == 8
        ]
        # The sub-cubes with two values, found by their layers.
        pairs = list(combinations(range(4), 2))
        cube = kind.grid.reshape(4, 4, 4)
        by_layers = [at for at in product(pairs, repeat=3) if len(np.unique(cube[np.ix_(*map(list, at))])) == 2]
        assert len(small) == len(by_layers)
        assert n_disjoint(sets) == (8 if small else 4)
    assert "From 39,744 of the 55,296" in finding("open", "latin_cubes_that_need_more").ours


def test_exchange() -> None:
    """An exchange makes another solution under the four rules."""
    (full,) = puzzles.read("papers/jana-2023-table-1.txt")
    found = cubes.exchanges(full.givens)
    empty = {rules: Puzzle.of(board("9x9x9", rules)) for rules in (cubes.FOUR, None)}

    assert len(found) == 243
    for _, cells in found[::20]:
        changed = full.givens.copy()
        changed[list(cells)] = full.givens[[*cells[3:], *cells[:3]]]
        assert (changed[list(cells)] != full.givens[list(cells)]).all()
        assert list(violations(empty[cubes.FOUR], changed)) == []
        assert list(violations(empty[None], changed)) != []


@pytest.mark.slow
def test_powers_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that are no powers of two would be seen."""
    monkeypatch.setattr(cubes, "N_GRIDS", 0)
    monkeypatch.setattr(cubes, "FOUR", board("9x9x9").rule_names)

    assert verdict("open", "powers_of_two") == UNCHECKED


def test_tables_5_to_7() -> None:
    """The table of tables 5 to 7 is read."""
    assert sorted(number for number in cubes.printed_counts() if number > 16) == [32, 32, 64, 720, 768]


@pytest.mark.parametrize("seed", range(3))
def test_renamed_robots(seed: int) -> None:
    """Robots in another order are those of the plain reading renamed."""
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    order = np.random.RandomState(seed).permutation(9) + 1
    new = np.zeros(10, np.uint8)
    new[order] = np.arange(1, 10)
    plain = tables.board_after_robots(Puzzle.of(figure.geometry, new[figure.givens]), tables.definition_3)

    assert (new[titles.board_in_order(figure, order, "3")] == plain).all()
    assert (
        titles.board_in_order(figure, np.arange(1, 10), "3") == tables.board_after_robots(figure, tables.definition_3)
    ).all()


def test_order_of_robots() -> None:
    """The order matters for the printed robots alone."""
    assert [row[2:] for row in table("open", "order_of_sound_robots").rows] == [(0, 1), (0, 1)]
    assert 0 not in [row[2] for row in table("open", "order_of_printed_robots").rows]


def test_timed_cubes() -> None:
    """Tables 5 to 7 time the solver of 2021 on 35 cubes."""
    assert "time that solver on 35 of 75 cubes" in finding("open", "first_ever").ours


@pytest.mark.slow
def test_dead_ends_in_other_order() -> None:
    """The dead ends are those of another order than in the page of GTSPS."""
    (escargot,) = puzzles.read("papers/inkala/escargot.txt")
    made = gtsps4.build_graph(escargot, puzzles.no_tick)
    tally = Tally.of(9)
    assert len(list(gtsps4.rooks_graphs(made, puzzles.no_tick, tally, range(9)))) == 1

    dead_ends = {row[0]: int(row[4] or 0) for row in table("open", "guessed_free").rows}
    assert dead_ends["escargot.txt"] == sum(tally.n_dead_ends)
    assert "in reading order" in finding("open", "guessed_free").ours
    assert f"{sum(dead_ends.values()):,} in all" in finding("open", "guessed_free").ours


def by_recursion(puzzle: Puzzle) -> dict[bytes, float]:
    """The chance of each solution, by following the generator: the values that lead nowhere are taken back."""
    cells = puzzle.blanks
    if not len(cells):
        return {puzzle.givens.tobytes(): 1.0}
    below = []
    held = puzzle.givens[puzzle.geometry.peers[cells[0]]]
    for value in sorted(set(range(1, puzzle.geometry.n_values + 1)) - set(held.tolist())):
        givens = puzzle.givens.copy()
        givens[cells[0]] = value
        if found := by_recursion(Puzzle.of(puzzle.geometry, givens)):
            below.append(found)
    return {grid: chance / len(below) for found in below for grid, chance in found.items()}


@pytest.mark.parametrize("name", ["latin:3x3", "4x4", "latin:2x2x2"])
def test_generator_chances(name: str) -> None:
    """The chances of the generator are those of following it."""
    empty = Puzzle.of(board(name))
    grids = puzzles.solutions(empty)
    plain = by_recursion(empty)

    assert sorted(plain) == sorted(grid.tobytes() for grid in grids)
    assert small_cubes.chances(grids) == pytest.approx([plain[grid.tobytes()] for grid in grids])


@pytest.mark.slow
def test_even_boards() -> None:
    """Some boards are filled evenly and cubes of side four are not."""
    # Each first row of a Latin square of side 3 goes on in two ways.
    assert small_cubes.chances(puzzles.solutions(Puzzle.of(board("latin:3x3")))) == pytest.approx([1 / 12] * 12)

    chance = small_cubes.chances(small_cubes.all_solutions(small_cubes.LATIN))
    assert chance.sum() == pytest.approx(1)
    assert chance.max() * len(chance) == pytest.approx(8)
    assert chance.min() * len(chance) == pytest.approx(1 / 64)


@pytest.mark.slow
def test_eight_clue_cubes() -> None:
    """The cubes that need eight clues are drawn too seldom."""
    split = small_cubes.are_split(small_cubes.all_solutions(small_cubes.LATIN))
    # The kinds by their differences: eight of them without a cell in common need eight clues.
    needed = sum(kind.number for kind, sets in small_cubes.latin_kinds() if n_disjoint(sets) == 8)
    assert split.sum() == needed == 39_744
    assert all(
        small_cubes.are_split(kind.grid[None])[0] == (n_disjoint(sets) == 8) for kind, sets in small_cubes.latin_kinds()
    )

    share = small_cubes.chances(small_cubes.all_solutions(small_cubes.LATIN))[split].sum()
    drawn = small_cubes.are_split(keck.sample_cubes(300)).mean()
    # Within three deviations of the exact chance; the even share, 72 %, is ten away.
    assert abs(drawn - share) < 3 * (share * (1 - share) / 300) ** 0.5
    assert "71.9 % of all and 42.1 % of those drawn" in finding("open", "latin_cubes_are_drawn_unevenly").ours


@pytest.mark.slow
def test_no_choice_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers that leave nothing to choose would be guessed free."""
    rows = table("open", "guessed_free").rows
    assert ("escargot.txt", 2635, 714) in [row[:3] for row in rows]
    assert 0 not in [row[4] for row in rows]

    monkeypatch.setattr(titles, "AI_PUZZLES", ("papers/gtsps-fig-4.2.ss",))
    assert verdict("open", "guessed_free") == REPRODUCED
