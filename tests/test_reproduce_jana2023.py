"""The referee's page of Jana et al. 2023: a test holds each verdict, and the figures that matter."""

from functools import cache

import pytest

from sudoku_encode.reproduce import jana2023, jana2023_algorithms, jana2023_cube, jana2023_example, jana2023_tables
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED, UNCHECKED, Finding, Table, Work

SMALL = Work(puzzles=4, seconds=0.25)
CHECKS = {check.__name__: check for check in jana2023.PAPER.checks}
VERDICTS = {
    "aircraft": REPRODUCED,
    "planes_of_a_cube": REPRODUCED,
    "figure_2": REPRODUCED,
    "cell_through_the_grids": REPRODUCED,
    "mini_cubes": REPRODUCED,
    "more_solutions_in_3d": DIFFERS,
    "seventeen_clues": DIFFERS,
    "edge_conditions": DIFFERS,
    "table_1_is_a_solution": REPRODUCED,
    "table_2_blanks": REPRODUCED,
    "direction_of_the_grids": DIFFERS,
    "candidates_of_figure_8a": DIFFERS,
    "order_of_figure_8b": REPRODUCED,
    "sorting_by_count": DIFFERS,
    "elimination_of_figure_9": REPRODUCED,
    "two_solutions": DIFFERS,
    "values_of_table_3": REPRODUCED,
    "second_solution": DIFFERS,
    "fewer_branches_in_figure_12": REPRODUCED,
    "value_that_leads_nowhere": DIFFERS,
    "rows_of_figures_13_to_16": DIFFERS,
    "algorithm_1_as_printed": DIFFERS,
    "digits_of_the_index": DIFFERS,
    "minigrid_of_cell_2_3": DIFFERS,
    "combinations_of_figure_19": REPRODUCED,
    "numbers_of_solutions": REPRODUCED,
    "solutions_and_hardness": REPRODUCED,
    "each_algorithm_faster": DIFFERS,
    "stagnant_level": DIFFERS,
    "search_tree_of_2021": DIFFERS,
    "algorithm_1": DIFFERS,
    "algorithm_2": REPRODUCED,
    "branches_of_a_full_tree": REPRODUCED,
    "height_of_the_tree": DIFFERS,
    "combinations_of_layers": DIFFERS,
    "guaranteed_solution": DIFFERS,
    "places_named_in_the_text": DIFFERS,
    "pictures": UNCHECKED,
}


@cache
def finding(name: str) -> Finding:
    return CHECKS[name](SMALL)


def table(name: str) -> Table:
    found = finding(name).table
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "expected"), VERDICTS.items(), ids=list(VERDICTS))
def test_the_verdict_of(name: str, expected: str) -> None:
    found = finding(name)

    assert found.verdict == expected
    assert found.paper
    assert found.ours
    assert found.place
    assert found.why or expected == REPRODUCED


def test_every_check_has_its_verdict_here() -> None:
    assert list(VERDICTS) == list(CHECKS)
    assert len(CHECKS) == len(jana2023.PAPER.checks)


def test_tables_and_plots_have_full_rows_and_series() -> None:
    for found in map(finding, VERDICTS):
        for row in found.table.rows if found.table else ():
            assert found.table is not None
            assert len(row) == len(found.table.columns)
        for series in found.plot.series if found.plot else ():
            assert len(series.x) == len(series.y)


# What is expected here is from a reading of the paper made before, with a SAT solver, and from the counting of tables.
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("edge_conditions", "107,892 edges"),
        ("edge_conditions", "13,122 edges"),
        ("table_1_is_a_solution", "486 of its 486"),
        ("planes_of_a_cube", "27 planes"),
        ("figure_2", "509 agree and 3 do not"),
        ("cell_through_the_grids", "row 2, column 3, counted from 1"),
        ("minigrid_of_cell_2_3", "counted from 0"),
        ("table_2_blanks", "16 zeros, the first at [0,3,2]"),
        ("table_2_blanks", "713 of its 713 digits"),
        ("candidates_of_figure_8a", "Of the 63 choices of rules 2 give all 16 lists"),
        ("candidates_of_figure_8a", "every other differs in at least 2"),
        ("two_solutions", "Under the six rules it has 1."),
        ("second_solution", "solution 1 breaks none, solution 2 breaks 6 row-x, 6 row-y"),
        ("values_of_table_3", "jana2021 and jana2023-v1 and jana2023-v2"),
        ("algorithm_1_as_printed", "it keeps 0 of 2"),
        ("numbers_of_solutions", "at most 8, 29 of 34"),
        ("numbers_of_solutions", "64, 14 of 21"),
        ("each_algorithm_faster", "in 1 of the 35 rows"),
        ("stagnant_level", "fewer than 180 blanks"),
        ("branches_of_a_full_tree", "10^695 and 10^77"),
        ("height_of_the_tree", "h = 729 for 729 blanks"),
        ("digits_of_the_index", "7 of the 16 numbers"),
        ("guaranteed_solution", "finds 0 and is stopped"),
    ],
)
def test_our_sentence_has_the_number(name: str, part: str) -> None:
    assert part in finding(name).ours


def test_only_the_rows_of_figures_14_and_16_are_impossible() -> None:
    remarks = {row[0]: row[4] for row in table("rows_of_figures_13_to_16").rows}

    assert remarks == {
        "Fig. 13": None,
        "Fig. 14": "cell 9 may hold 3, which the row has already",
        "Fig. 15": None,
        "Fig. 16": "cell 8 may hold 5, which the row has already",
    }


def test_row_18_is_where_algorithm_1_is_slower_than_the_tree_of_2021() -> None:
    assert table("each_algorithm_faster").rows[0][3:] == (1, "18")
    assert "row 18: Algorithm 1 2.74 s, [2] 1.92 s" in finding("each_algorithm_faster").why


def test_the_mini_cubes_that_touch_are_counted_by_hand() -> None:
    # Of a 3x3x3 block: 8 corners, 12 edges, 6 faces, 1 middle.
    assert "8 have 3, 12 have 4, 6 have 5, 1 have 6" in finding("mini_cubes").why


def test_the_first_row_of_the_instances_is_that_of_table_5_and_the_last_that_of_table_7() -> None:
    first, last = jana2023_tables.rows()[0], jana2023_tables.rows()[-1]

    assert (first.blanks, first.solutions, first.seconds["jana2021"]) == (180, 1, 1.74)
    assert (last.instance, last.blanks, last.solutions, last.seconds) == (75, 542, 3, {"jana2023-v2": 8.26})
    assert [row.instance for row in jana2023_tables.rows()] == list(range(1, 76))


def test_our_75_cubes_are_counted_right_wherever_a_method_ends() -> None:
    for rules in jana2023_tables.RULES:
        for method in jana2023_tables.METHODS:
            results = jana2023_tables.runs(rules, method, SMALL.seconds)
            for row, (_, found) in zip(jana2023_tables.rows(), results, strict=True):
                assert found.value == row.solutions or not found.complete, (rules, method, row)


def test_a_wrong_number_in_the_paper_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [
        (jana2023_cube, "GRIDS", 26, "planes_of_a_cube"),
        (jana2023_cube, "THROUGH_2_3", "576428391", "cell_through_the_grids"),
        (jana2023_cube, "NEIGHBOURS", 5, "mini_cubes"),
        (jana2023_cube, "BLANKS", jana2023_cube.BLANKS.replace("242", "243"), "table_2_blanks"),
        (jana2023_cube, "FIGURE_2", {(0, 1): "285647913 197538264 436219857"}, "figure_2"),
        (jana2023_example, "FIGURE_9", jana2023_example.FIGURE_9 | {"032": "8"}, "elimination_of_figure_9"),
        (jana2023_example, "TABLE_3", jana2023_example.TABLE_3 | {"052": "88"}, "values_of_table_3"),
        (jana2023_tables, "ONE_SOLUTION", {"easy": 28, "moderate": 14}, "numbers_of_solutions"),
        (jana2023_algorithms, "EXPONENTS", {729: 729, 81: 82}, "branches_of_a_full_tree"),
        (jana2023_algorithms, "FIGURE_19", "111111111 211211111", "combinations_of_figure_19"),
    ]
    for module, constant, value, name in wrong:
        assert CHECKS[name](SMALL).verdict == REPRODUCED
        with monkeypatch.context() as patch:
            patch.setattr(module, constant, value)
            assert CHECKS[name](SMALL).verdict == DIFFERS, name


def test_a_right_number_in_the_paper_would_be_seen_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jana2023_cube, "GRID_ACROSS", "x")
    monkeypatch.setattr(jana2023_algorithms, "EXPONENTS", {728: 730})
    monkeypatch.setattr(jana2023_tables, "STAGNANT", 500)
    # Table 3 with Table 1 as both solutions.
    monkeypatch.setattr(
        jana2023_example, "TABLE_3", {name: both[0] * 2 for name, both in jana2023_example.TABLE_3.items()}
    )

    for name in ("direction_of_the_grids", "height_of_the_tree", "stagnant_level", "second_solution"):
        assert CHECKS[name](SMALL).verdict == REPRODUCED, name
