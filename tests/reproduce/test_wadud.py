"""The referee's findings on the faster UHBPnP: each verdict, and the figures that they rest on."""

import pytest

from sudoku_encode.reproduce import wadud
from sudoku_encode.reproduce.finding import CONSISTENT, DIFFERS, REPRODUCED, UNCHECKED
from sudoku_encode.reproduce.wadud import Looks, Rows, Tables, table
from tests.helpers.paper_findings import finding, verdict
from tests.helpers.paper_findings import table as table_of


def test_table() -> None:
    """The table is the paper s."""
    assert len(table.ALL_ROWS) == 20
    assert sum(row[0] is None for row in table.ALL_ROWS) == 10
    assert [name for name, row in table.TIMES.items() if row[0]] == ["squadron", "honeypot"]
    # The largest and the smallest ratio of the ten, by a pocket calculator.
    said = finding("wadud", "the_gain").ours
    assert "3.2 to 5.7" in said
    assert "3.0 to 48.8" in said


def test_seven_failures() -> None:
    """HBPnP fails on seven as the tests of the method have it."""
    said = finding("wadud", "where_hbpnp_fails")
    assert "10 of 20" in said.paper
    assert "7 of the ten; both fail on 5" in said.ours


def test_example_cell() -> None:
    """The example has 28 clues and its cell two candidates."""
    assert "28 clues, 1 solution, found with 0 guesses" in finding("wadud", "the_example").ours
    assert "5 and 8" in finding("wadud", "the_list_of_a_cell").ours


def test_plot() -> None:
    """The plot has three bars of the paper and three of ours."""
    plot = finding("wadud", "the_gain").plot
    assert plot is not None
    assert [series.paper for series in plot.series] == [True] * 3 + [False] * 3
    assert all(len(series.x) == len(series.y) == 10 for series in plot.series)
    assert plot.series[1].y[2] == 10.941817045212


def test_rows_named() -> None:
    """Findings say which rows of the table they rest on."""
    assert finding("wadud", "the_ten_ai_puzzles").ours.startswith("We test 10 of the 20 rows")
    assert "On the 3 AI puzzles that our HBPnP solves" in finding("wadud", "the_order_of_the_methods").why
    columns = table_of("wadud", "the_gain").columns
    assert columns[-1] == "ms, `search`"
    assert all(isinstance(row[-1], float) for row in table_of("wadud", "the_gain").rows)


def cross() -> Rows:
    """A grid with 1 at (0, 0) and 2 at (4, 4)."""
    grid = [[0] * 9 for _ in range(9)]
    grid[0][0], grid[4][4] = 1, 2
    return grid


def test_checks() -> None:
    """Both checks see rows columns and sub grids and no more."""
    looks, tables = Looks(), Tables.of(cross())
    cases = {(1, 0, 8): 1, (1, 8, 0): 3, (1, 2, 2): 5, (1, 3, 3): 0, (2, 3, 5): 5, (2, 0, 8): 0}
    for (a, r, c), step in cases.items():
        assert wadud.check_violation_1(cross(), a, r, c, looks) == step
        s = wadud.sub_grid(r, c)
        assert wadud.check_violation_2(tables, a, r, c, s, looks) == step


def test_looks_counted() -> None:
    """Looks are counted."""
    looks = Looks()
    assert not wadud.check_violation_1(cross(), 9, 8, 8, looks)
    assert (looks.cells, looks.longest) == (27, 9)
    assert wadud.check_violation_1(cross(), 1, 0, 8, looks)
    assert looks.cells == 28
    assert not wadud.check_violation_2(Tables.of(cross()), 9, 8, 8, 8, looks)
    assert looks.entries == 3


def test_singles_and_pairs() -> None:
    """Singles and pairs on lists made by hand."""
    lists = {(0, 0): {1, 2}, (0, 1): {1, 2}, (0, 5): {1, 2, 3}, (1, 0): {1, 2, 9}, (8, 8): {4}}
    made = set(wadud.find_singles(lists))
    assert ("lone single", (8, 8), 4) in made
    assert ("hidden single", (0, 5), 3) in made
    assert ("hidden single", (0, 0), 1) not in made
    assert set(wadud.lone_pair_removals(lists)) == {((r, c), a) for r, c in ((0, 5), (1, 0)) for a in (1, 2)}


@pytest.mark.parametrize(
    ("module", "name", "value", "check"),
    [
        (wadud, "LIST_OF_2_2", {5}, "the_list_of_a_cell"),
        (wadud, "CELLS_OF_A_STEP", 8, "cells_of_a_step"),
        # An Algorithm 2 that is given the wrong sub-grid.
        (wadud, "sub_grid", lambda r, c: 0, "both_algorithms_say_the_same"),
        # A table whose row 1 has UHBPnP faster than the proposal.
        (table, "ALL_ROWS", ((None, 1.0, 2.0), *table.ALL_ROWS[1:]), "the_order_of_the_methods"),
    ],
)
def test_other_figure_differs(
    module: object, name: str, value: object, check: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another figure would differ."""
    assert finding("wadud", check).verdict in (REPRODUCED, CONSISTENT)
    monkeypatch.setattr(module, name, value)
    assert verdict("wadud", check) == DIFFERS


def test_same_failures_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """HBPnP that fails on the same puzzles would still be no evidence."""
    ours = {name: ((row[0] is not None, 1.0), (True, 1.0), (True, 0.1)) for name, row in table.TIMES.items()}
    monkeypatch.setattr(table, "first_grids", lambda: ours)
    assert verdict("wadud", "where_hbpnp_fails") == UNCHECKED


def test_strategy_rounds() -> None:
    """The strategies are applied in the rounds of the search."""
    # A round of UHBPnP that changes nothing applies three strategies; one that changes something, the last is the one.
    for name in ("escargot", "tweezers"):
        applied, in_vain = table.strategies_applied(name, False)
        assert applied - in_vain <= table.decisions(name, "uhbpnp")[2] <= applied
