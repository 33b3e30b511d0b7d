"""The referee's page of Keck's post: a test holds each verdict, and the figures that matter."""

from functools import cache

import pytest

from sudoku_encode.reproduce import keck
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED, UNCHECKED, Finding, Work

SMALL = Work(puzzles=10, seconds=1.0)
CHECKS = {check.__name__: check for check in keck.PAPER.checks}
VERDICTS = {
    "solutions_of_4x4x4": REPRODUCED,
    "any_size": DIFFERS,
    "one_solution": REPRODUCED,
    "fewest_clues": DIFFERS,
    "fewer_constraints": REPRODUCED,
    "easier_than_9x9": REPRODUCED,
    "pictures_and_thesis": UNCHECKED,
}


@cache
def finding(name: str) -> Finding:
    return CHECKS[name](SMALL)


@pytest.mark.parametrize(("name", "expected"), VERDICTS.items(), ids=list(VERDICTS))
def test_the_verdict_of(name: str, expected: str) -> None:
    found = finding(name)

    assert found.verdict == expected
    assert found.paper
    assert found.ours
    assert found.why


def test_every_check_has_its_verdict_here() -> None:
    assert list(VERDICTS) == list(CHECKS)


def test_only_the_large_cube_is_not_filled() -> None:
    found = finding("any_size").table
    assert found is not None

    assert {row[0]: row[2] for row in found.rows} == {"4x4x4": 3, "9x9": 3, "9x9x9": 0}


def test_no_pass_ends_below_four_clues() -> None:
    # 4 is the fewest that is known of a 4x4x4 cube, and 3 was not reached in a long search.
    found = finding("fewest_clues").table
    assert found is not None
    reached = {row[0]: row[1] for row in found.rows}

    assert reached[3] == 0
    assert reached[12] == 100


def test_the_units_and_pairs_are_those_counted_by_hand() -> None:
    # A cell of the cube has 3 peers in each of 3 rows and 1 more in each of 3 minigrids; 20 peers in a 9x9.
    found = finding("fewer_constraints").table
    assert found is not None

    assert found.rows == (("4x4x4", 64, 6 * 16, 64 * 12 // 2, 12), ("9x9", 81, 27, 81 * 20 // 2, 20))


def test_a_wrong_number_in_the_post_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keck, "CELLS", {"4x4x4": 63, "9x9": 81})

    assert CHECKS["fewer_constraints"](SMALL).verdict == DIFFERS


def test_clues_that_are_always_reached_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keck, "WANTED", (40, 20))

    assert CHECKS["fewest_clues"](SMALL).verdict == REPRODUCED
