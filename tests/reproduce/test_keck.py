"""The referee's page of Keck's post: a test holds each verdict, and the figures that matter."""

from itertools import permutations, product

import numpy as np
import pytest

from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.reproduce import keck, puzzles
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED
from tests.helpers.paper_findings import finding, table, verdict


def test_unique_pictures() -> None:
    """The pictures are unique under the three rows alone."""
    found = table("keck", "rules_of_the_pictures")

    assert found.rows == (
        ("papers/keck-hard.txt", 19, 0, "row-x, row-y, row-z; row-x, row-y, row-z, box-xy"),
        ("papers/keck-cubic.txt", 8, 0, "row-x, row-y, row-z"),
    )


def test_misread_picture_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture read wrongly would be seen."""
    (puzzle,) = puzzles.read("papers/keck-cubic.txt")
    # The 3 of the first layer is taken for a blank.
    givens = puzzle.givens.copy()
    givens[11] = 0
    monkeypatch.setattr(puzzles, "read", lambda file: [Puzzle.of(puzzle.geometry, givens)])

    assert verdict("keck", "rules_of_the_pictures") == DIFFERS


@pytest.mark.slow
def test_latin_cubes_by_hand() -> None:
    """The 55296 latin cubes are known by hand too."""
    # A Latin cube is four Latin squares, none of which has a value where another has it.
    squares = np.array(list(product(permutations(range(4)), repeat=4))).reshape(-1, 4, 4)
    squares = squares[[all(len(set(column)) == 4 for column in square.T.tolist()) for square in squares]]
    differ = (squares[:, None] != squares[None]).all(axis=(2, 3)).astype(np.int64)
    # For each first layer, the ordered triples of others of which any two differ everywhere.
    near = [differ[np.ix_(some, some)] for some in map(np.flatnonzero, differ)]

    assert len(squares) == 576
    assert sum(int(np.trace(one @ one @ one)) for one in near) == 55296
    assert "of the 55296 solutions that exist" in finding("keck", "solutions_of_4x4x4").ours


def test_mirrored_lines() -> None:
    """Lines that go on over the edges as in a mirror leave no single solution."""
    (puzzle,) = puzzles.read("papers/keck-sudoku-cube.txt")
    ways = dict(keck.mirrored_boards(puzzle.geometry))

    assert len(ways) == 8
    assert {rule.units.tobytes() for rule in ways[False, False, False].rules} == {
        rule.units.tobytes() for rule in puzzle.geometry.rules
    }
    straight, turned = (ways[False, False, turn].rules[2].units for turn in (False, True))
    assert straight.tolist()[0] == [16, 17, 18, 19, 32, 33, 34, 35]
    assert turned.tolist()[0] == [16, 17, 18, 19, 44, 45, 46, 47]
    assert "leaves one solution (the others 0, 0, 0, 3, 0, 0, 0)" in finding("keck", "surfaces_of_the_pictures").why


def test_two_lines_left_out() -> None:
    """Two lines of one direction are left out at a time."""
    (puzzle,) = puzzles.read("papers/keck-isodoku.txt")
    boards = list(keck.boards_without_two_lines(puzzle.geometry))

    assert len(boards) == 3 * 18 // 2
    assert {board.n_units for board in boards} == {81 - 2}
    assert sum(sum(rule.name == "box" for rule in board.rules) for board in boards) == len(boards)


def test_cube_sizes_filled() -> None:
    """The large cube is not filled and the small one is."""
    found = table("keck", "other_sizes")

    assert {row[0]: row[2] for row in found.rows if row[1] in (64, 729)} == {"latin:4x4x4": 3, "latin:9x9x9": 0}


def test_six_clues() -> None:
    """No pass ends below six clues."""
    reached = {row[0]: row[1] for row in table("keck", "fewest_clues").rows}

    assert reached[5] == 0
    assert reached[19] == 100


def test_hard_picture_givens() -> None:
    """Each given of the hard picture could go alone."""
    assert finding("keck", "the_hard_picture").why.startswith(
        "Each of 19 of its 19 givens could be removed on its own;"
    )


def test_units_and_pairs() -> None:
    """The units and pairs are those counted by hand."""
    # A cell of the cube has 3 peers in each of 3 lines; 20 peers in a 9x9.
    found = table("keck", "fewer_constraints")

    assert found.rows == (("latin:4x4x4", 64, 3 * 16, 64 * 9 // 2, 9), ("9x9", 81, 27, 81 * 20 // 2, 20))


def test_wrong_number_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong number in the post would be seen."""
    monkeypatch.setattr(keck, "CELLS", {"latin:4x4x4": 63, "9x9": 81})

    assert verdict("keck", "fewer_constraints") == DIFFERS


def test_reached_clues_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clues that are always reached would be seen."""
    monkeypatch.setattr(keck, "WANTED", (40, 20))

    assert verdict("keck", "fewest_clues") == REPRODUCED
