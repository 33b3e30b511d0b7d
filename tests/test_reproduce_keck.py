"""The referee's page of Keck's post: a test holds each verdict, and the figures that matter."""

import pytest
from refereeing import finding, verdict

from sudoku_encode.reproduce import keck
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED


def test_only_the_large_cube_is_not_filled() -> None:
    found = finding("keck", "any_size").table
    assert found is not None

    assert {row[0]: row[2] for row in found.rows} == {"4x4x4": 3, "9x9": 3, "9x9x9": 0}


def test_no_pass_ends_below_four_clues() -> None:
    # 4 is the fewest that is known of a 4x4x4 cube, and 3 was not reached in a long search.
    found = finding("keck", "fewest_clues").table
    assert found is not None
    reached = {row[0]: row[1] for row in found.rows}

    assert reached[3] == 0
    assert reached[12] == 100


def test_the_units_and_pairs_are_those_counted_by_hand() -> None:
    # A cell of the cube has 3 peers in each of 3 rows and 1 more in each of 3 minigrids; 20 peers in a 9x9.
    found = finding("keck", "fewer_constraints").table
    assert found is not None

    assert found.rows == (("4x4x4", 64, 6 * 16, 64 * 12 // 2, 12), ("9x9", 81, 27, 81 * 20 // 2, 20))


def test_a_wrong_number_in_the_post_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keck, "CELLS", {"4x4x4": 63, "9x9": 81})

    assert verdict("keck", "fewer_constraints") == DIFFERS


def test_clues_that_are_always_reached_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keck, "WANTED", (40, 20))

    assert verdict("keck", "fewest_clues") == REPRODUCED
