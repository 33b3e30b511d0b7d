"""The referee's page of Jana et al. 2023: a test holds each verdict, and the figures that matter."""

from dataclasses import replace
from itertools import permutations, product

import pytest

from sudoku_encode.reproduce.finding import CONSISTENT, DIFFERS, REPRODUCED
from sudoku_encode.reproduce.jana2023 import algorithms, cube, example, layers, tables
from tests.helpers.paper_findings import CHECKS, SMALL, cases, finding, table, verdict


@pytest.mark.parametrize(("key", "name"), cases(("jana2023", name) for name in CHECKS["jana2023"]))
@pytest.mark.thorough
def test_full_tables_and_plots(key: str, name: str) -> None:
    """Tables and plots have full rows and series."""
    found = finding(key, name)
    for row in found.table.rows if found.table else ():
        assert found.table is not None
        assert len(row) == len(found.table.columns)
    for series in found.plot.series if found.plot else ():
        assert len(series.x) == len(series.y)


# What is expected here is from a reading of the paper made before, with a SAT solver, and from the counting of tables.
@pytest.mark.parametrize(
    ("name", "part"),
    cases(
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
            ("candidates_of_figure_8a", "Of the 63 choices of rules, 2 give all 16 lists"),
            ("candidates_of_figure_8a", "every other choice differs in at least 2"),
            ("two_solutions", "Under the six rules it has 1."),
            ("second_solution", "solution 1 breaks none, solution 2 breaks 6 row-x, 6 row-y"),
            ("values_of_table_3", "jana2021 and jana2023-v1 and jana2023-v2-joined"),
            ("algorithm_1_as_printed", "it keeps 0 of 2 as printed, and 0 with the blanks in scan order"),
            ("numbers_of_solutions", "at most 8, 29 of 34"),
            ("numbers_of_solutions", "64, 14 of 21"),
            ("each_algorithm_faster", "slower in 1 of the 35 rows"),
            ("stagnant_level", "fewer than 180 blanks"),
            ("rows_and_columns_of_p", "fill 16 rows and leave l at 17, so lines 15, 17 and 21 visit 1 empty row"),
            ("two_reasons_for_a_hidden_single", "4 is left in cell 3. But 4 and 7, 2 of its 2 values"),
            ("branches_of_a_full_tree", "10^695 and 10^77"),
            ("height_of_the_tree", "h = 729 for 729 blanks"),
            ("digits_of_the_index", "7 of the 16 numbers"),
            ("guaranteed_solution", "finds 0 and is stopped"),
            ("mini_cubes", "their graph has 81 edges"),
            ("mini_cubes_of_figure_7", "S4, S10, S27"),
            ("path_matrix", "2 branches of full length, and 1 of them"),
            ("fields_of_figure_10", "sets PREV or UP: after a run on Table 2 0 of the 24 nodes"),
            ("grids_as_2d_sudokus", "1 of the 2 solutions"),
            ("algorithm_2_as_printed", "0 of 20 hard ones under six rules"),
            ("all_solutions_by_algorithm_2", "it finds 1 under the six rules and 2 under the four rules"),
        ]
    ),
)
def test_number_in_sentence(name: str, part: str) -> None:
    """Our sentence has the number."""
    assert part in finding("jana2023", name).ours


def test_impossible_rows() -> None:
    """Only the rows of figures 14 and 16 are impossible."""
    remarks = {row[0]: row[4] for row in table("jana2023", "rows_of_figures_13_to_16").rows}

    assert remarks == {
        "Fig. 13": None,
        "Fig. 14": "cell 9 may hold 3, which the row has already",
        "Fig. 15": None,
        "Fig. 16": "cell 8 may hold 5, which the row has already",
    }


def test_readings_of_algorithm_1() -> None:
    """Each reading of algorithm 1 keeps so many solutions of table 2."""
    kept = {row[0]: row[1:] for row in table("jana2023", "algorithm_1_as_printed").rows}

    assert list(kept.values()) == [(0, 0, 1), (1, 0, 1), (0, 0, 1), (2, 2, 1)]


@pytest.mark.slow
def test_rows_of_tables_5_to_7() -> None:
    """The rows of tables 5 to 7 are printed theirs beside ours."""
    for name, method, last in (
        ("search_tree_of_2021", "jana2021", 37),
        ("algorithm_1", "jana2023-v1", 55),
        ("algorithm_2", "jana2023-v2", 75),
    ):
        found = table("jana2023", name).rows
        assert [row[:4] for row in found] == [(r.instance, r.kind, r.blanks, r.solutions) for r in tables.rows()]
        assert [row[4] for row in found] == [r.seconds.get(method) for r in tables.rows()]
        assert [row[0] for row in found if row[4] is not None][-1] == last


def test_medians(monkeypatch: pytest.MonkeyPatch) -> None:
    """The means of the numbers of solutions rise, and the medians do not."""
    found = table("jana2023", "solutions_and_hardness")
    assert [row[2] for row in found.rows] == [1, 1, 3]
    assert [row[1] for row in found.rows] == [1.4, 7.8, 78.8]

    assert finding("jana2023", "solutions_and_hardness").verdict == CONSISTENT

    # With one solution for each hard puzzle the means would not rise either.
    fewer = [replace(row, solutions=1) if row.kind == "hard" else row for row in tables.rows()]
    monkeypatch.setattr(tables, "rows", lambda: fewer)
    assert verdict("jana2023", "solutions_and_hardness") == DIFFERS


def test_rows_with_an_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each algorithm of Tables 5 to 7 has an output on more rows than the one before."""
    # Algorithm 2 without one of the rows that Algorithm 1 has.
    fewer = [replace(row, seconds={"jana2023-v1": 1.0}) if row.instance == 40 else row for row in tables.rows()]
    monkeypatch.setattr(tables, "rows", lambda: fewer)
    assert verdict("jana2023", "each_algorithm_faster") == DIFFERS


@pytest.mark.parametrize("order", [2, 3])
def test_hole_in_sudoku(order: int) -> None:
    """A hole in a sudoku takes latin squares and nothing else."""
    puzzle = cube.latin_hole(order)
    symbols = range(1, order + 1)
    squares = {
        bytes(number for row in rows for number in row)
        for rows in product(permutations(symbols), repeat=order)
        if all(len(set(column)) == order for column in zip(*rows, strict=True))
    }

    assert len(puzzle.blanks) == order**2
    assert cube.fillings(order) == squares


def test_figures_21_to_24() -> None:
    """Figures 21 to 24 have plots of the printed numbers."""
    times, easier, hard = (
        finding("jana2023", name).plot
        for name in ("each_algorithm_faster", "numbers_of_solutions", "solutions_and_hardness")
    )
    assert times is not None
    assert easier is not None
    assert hard is not None
    assert [(series.of, sum(y is not None for y in series.y)) for series in times.series] == [
        ("[2]", 35),
        ("Algorithm 1", 55),
        ("Algorithm 2", 75),
    ]
    # Section V: 29 of 34 easy puzzles have one solution, 14 of 21 moderate ones.
    assert [series.y[series.x.index("1")] for series in easier.series] == [29, 14]
    assert sum(number or 0 for number in hard.series[0].y) == 20


def test_mini_cube_graph() -> None:
    """The graph of the mini cubes is the same from both ends."""
    neighbours = {str(row[0]): str(row[2]).split() for row in table("jana2023", "mini_cubes").rows}

    assert neighbours["S1"] == ["S2", "S3", "S4", "S7", "S10", "S19"]
    assert sum(map(len, neighbours.values())) == 2 * 81
    assert all(name in neighbours[other] for name, others in neighbours.items() for other in others)


def test_row_18() -> None:
    """Row 18 is where algorithm 1 is slower than the tree of 2021."""
    assert table("jana2023", "each_algorithm_faster").rows[0][2:] == (55, 35, 35, 1, "18")
    assert "row 18: Algorithm 1 2.74 s, [2] 1.92 s" in finding("jana2023", "each_algorithm_faster").why


def test_touching_mini_cubes() -> None:
    """The mini cubes that touch are counted by hand."""
    # Of a 3x3x3 block: 8 corners, 12 edges, 6 faces, 1 middle.
    assert "8 have 3, 12 have 4, 6 have 5, 1 have 6" in finding("jana2023", "mini_cubes").why


def test_first_and_last_rows() -> None:
    """The first row of the instances is that of table 5 and the last that of table 7."""
    first, last = tables.rows()[0], tables.rows()[-1]

    assert (first.blanks, first.solutions, first.seconds["jana2021"]) == (180, 1, 1.74)
    assert (last.instance, last.blanks, last.solutions, last.seconds) == (75, 542, 3, {"jana2023-v2": 8.26})
    assert [row.instance for row in tables.rows()] == list(range(1, 76))


@pytest.mark.slow
def test_our_75_cubes() -> None:
    """Our 75 cubes are counted right wherever a method ends."""
    for rules in tables.RULES:
        for method in tables.METHODS:
            results = tables.runs(rules, method, SMALL["jana2023"].seconds)
            for row, (_, found) in zip(tables.rows(), results, strict=True):
                assert found.value == row.solutions or not found.complete, (rules, method, row)


def test_wrong_number_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong number in the paper would be seen."""
    wrong = [
        (cube, "GRIDS", 26, "planes_of_a_cube"),
        (cube, "THROUGH_2_3", "576428391", "cell_through_the_grids"),
        (cube, "NEIGHBOURS", 5, "mini_cubes"),
        (cube, "EDGES", 54, "mini_cubes"),
        (cube, "LEGEND", ("S1", "S2", "S3", "S5", "S10", "S27"), "mini_cubes_of_figure_7"),
        (cube, "BLANKS", cube.BLANKS.replace("242", "243"), "table_2_blanks"),
        (cube, "FIGURE_2", {(0, 1): "285647913 197538264 436219857"}, "figure_2"),
        (example, "FIGURE_9", example.FIGURE_9 | {"032": "8"}, "elimination_of_figure_9"),
        (example, "TABLE_3", example.TABLE_3 | {"052": "88"}, "values_of_table_3"),
        (tables, "ONE_SOLUTION", {"easy": 28, "moderate": 14}, "numbers_of_solutions"),
        (algorithms, "EXPONENTS", {729: 729, 81: 82}, "branches_of_a_full_tree"),
        (layers, "FIGURE_19", "111111111 211211111", "combinations_of_figure_19"),
    ]
    for module, constant, value, name in wrong:
        assert verdict("jana2023", name) in (REPRODUCED, CONSISTENT)
        with monkeypatch.context() as patch:
            patch.setattr(module, constant, value)
            assert verdict("jana2023", name) == DIFFERS, name


def test_right_number_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A right number in the paper would be seen too."""
    monkeypatch.setattr(cube, "GRID_ACROSS", "x")
    monkeypatch.setattr(algorithms, "EXPONENTS", {728: 730})
    monkeypatch.setattr(tables, "STAGNANT_BLANKS", 500)
    monkeypatch.setattr(algorithms, "COLUMNS", 13)
    monkeypatch.setattr(algorithms, "BEYOND_L", -1)
    monkeypatch.setattr(algorithms, "FIELDS", dict.fromkeys(algorithms.FIELDS, "28"))
    monkeypatch.setattr(algorithms, "FILLS", dict.fromkeys(algorithms.FILLS, "44"))
    # Table 3 with Table 1 as both solutions.
    monkeypatch.setattr(example, "TABLE_3", {name: both[0] * 2 for name, both in example.TABLE_3.items()})

    for name in (
        "direction_of_the_grids",
        "height_of_the_tree",
        "stagnant_level",
        "second_solution",
        "path_matrix",
        "rows_and_columns_of_p",
    ):
        assert verdict("jana2023", name) == REPRODUCED, name
