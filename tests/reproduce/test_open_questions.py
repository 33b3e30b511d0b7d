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


def test_the_puzzles_of_three_and_four_givens_are_counted_by_unavoidable_cells_too() -> None:
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
def test_both_ways_to_count_agree_on_latin_squares(k: int) -> None:
    empty = Puzzle.of(board("latin:4x4"))
    grids = puzzles.solutions(empty)
    found = kinds(grids, swaps((4, 4), band=1), 4)

    assert sum(kind.number for kind in found) == len(grids) == 576
    assert sum(kind.number * n_meeting(differences(kind.grid, grids), k, (1 << 16) - 1) for kind in found) == (
        small_cubes.n_unique(grids, np.array(list(combinations(range(16), k))))
    )


def test_the_symmetries_of_a_cube_bring_the_first_cell_to_every_place() -> None:
    reached, before = {0}, set[int]()
    while reached != before:
        before = set(reached)
        reached |= {int(move[cell]) for move in swaps((4, 4, 4), band=2) for cell in before}

    assert len(reached) == 64


def test_a_move_that_is_no_symmetry_is_seen() -> None:
    # With minigrids, layers of different bands cannot be swapped.
    with pytest.raises(KeyError):
        kinds(small_cubes.all_solutions(small_cubes.CUBE), swaps((4, 4, 4), band=1), 4)


def test_every_set_of_five_cells_leaves_another_latin_cube_and_those_of_six_are_counted_one_by_one() -> None:
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


def test_a_latin_cube_of_six_givens_is_unique_by_sat() -> None:
    cube = board("latin:4x4x4")
    dug = (
        keck2022.puzzle(grid, cube, 6, np.random.RandomState(seed), puzzles.no_tick)
        for seed in range(100)
        if (grid := keck2022.solution(cube, np.random.RandomState(seed), puzzles.no_tick)) is not None
    )
    puzzle = next(one for one in dug if np.count_nonzero(one.givens) == 6)

    assert tally(calls.solutions(puzzle, "sat", Deadline(2))) == Count(1, True)


def test_most_latin_cubes_consist_of_eight_sub_cubes_of_two_values() -> None:
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


def test_an_exchange_makes_another_solution_under_the_four_rules() -> None:
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


def test_counts_that_are_no_powers_of_two_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubes, "N_GRIDS", 0)
    monkeypatch.setattr(cubes, "FOUR", board("9x9x9").rule_names)

    assert verdict("open", "powers_of_two") == UNCHECKED


def test_the_table_of_tables_5_to_7_is_read() -> None:
    assert sorted(number for number in cubes.printed_counts() if number > 16) == [32, 32, 64, 720, 768]


@pytest.mark.parametrize("seed", range(3))
def test_robots_in_another_order_are_those_of_the_plain_reading_renamed(seed: int) -> None:
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    order = np.random.RandomState(seed).permutation(9) + 1
    new = np.zeros(10, np.uint8)
    new[order] = np.arange(1, 10)
    plain = tables.board_after_robots(Puzzle.of(figure.geometry, new[figure.givens]), tables.definition_3)

    assert (new[titles.board_in_order(figure, order, "3")] == plain).all()
    assert (
        titles.board_in_order(figure, np.arange(1, 10), "3") == tables.board_after_robots(figure, tables.definition_3)
    ).all()


def test_the_order_matters_for_the_printed_robots_alone() -> None:
    assert [row[2:] for row in table("open", "order_of_sound_robots").rows] == [(0, 1), (0, 1)]
    assert 0 not in [row[2] for row in table("open", "order_of_printed_robots").rows]


def test_tables_5_to_7_time_the_solver_of_2021_on_35_cubes() -> None:
    assert "time that solver on 35 of 75 cubes" in finding("open", "first_ever").ours


def test_the_dead_ends_are_those_of_another_order_than_in_the_page_of_gtsps() -> None:
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
def test_the_chances_of_the_generator_are_those_of_following_it(name: str) -> None:
    empty = Puzzle.of(board(name))
    grids = puzzles.solutions(empty)
    plain = by_recursion(empty)

    assert sorted(plain) == sorted(grid.tobytes() for grid in grids)
    assert small_cubes.chances(grids) == pytest.approx([plain[grid.tobytes()] for grid in grids])


def test_some_boards_are_filled_evenly_and_cubes_of_side_four_are_not() -> None:
    # Each first row of a Latin square of side 3 goes on in two ways.
    assert small_cubes.chances(puzzles.solutions(Puzzle.of(board("latin:3x3")))) == pytest.approx([1 / 12] * 12)

    chance = small_cubes.chances(small_cubes.all_solutions(small_cubes.LATIN))
    assert chance.sum() == pytest.approx(1)
    assert chance.max() * len(chance) == pytest.approx(8)
    assert chance.min() * len(chance) == pytest.approx(1 / 64)


def test_the_cubes_that_need_eight_clues_are_drawn_too_seldom() -> None:
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


def test_solvers_that_leave_nothing_to_choose_would_be_guessed_free(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table("open", "guessed_free").rows
    assert ("escargot.txt", 2635, 714) in [row[:3] for row in rows]
    assert 0 not in [row[4] for row in rows]

    monkeypatch.setattr(titles, "AI_PUZZLES", ("papers/gtsps-fig-4.2.ss",))
    assert verdict("open", "guessed_free") == REPRODUCED
