"""A test holds each verdict of each paper, with few puzzles and little time."""

import re
from pathlib import Path

import pytest

from sudoku_encode.reproduce.finding import CONSISTENT, DIFFERS, REPRODUCED, SETTLED, UNCHECKED
from tests.helpers.paper_findings import CHECKS, cases, finding

VERDICTS = {
    "jana2023": {
        "aircraft": REPRODUCED,
        "planes_of_a_cube": REPRODUCED,
        "figure_2": REPRODUCED,
        "cell_through_the_grids": REPRODUCED,
        "mini_cubes": REPRODUCED,
        "mini_cubes_of_figure_7": REPRODUCED,
        "more_solutions_in_3d": DIFFERS,
        "asp_completeness": UNCHECKED,
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
        "value_that_leads_nowhere": REPRODUCED,
        "two_reasons_for_a_hidden_single": DIFFERS,
        "rows_of_figures_13_to_16": DIFFERS,
        "rows_and_columns_of_p": DIFFERS,
        "algorithm_1_as_printed": DIFFERS,
        "path_matrix": DIFFERS,
        "fields_of_figure_10": DIFFERS,
        "digits_of_the_index": DIFFERS,
        "minigrid_of_cell_2_3": DIFFERS,
        "all_solutions_by_algorithm_2": REPRODUCED,
        "grids_as_2d_sudokus": DIFFERS,
        "combinations_of_figure_19": CONSISTENT,
        "numbers_of_solutions": CONSISTENT,
        "solutions_and_hardness": CONSISTENT,
        "each_algorithm_faster": CONSISTENT,
        "stagnant_level": DIFFERS,
        "search_tree_of_2021": UNCHECKED,
        "algorithm_1": UNCHECKED,
        "algorithm_2": UNCHECKED,
        "algorithm_2_as_printed": DIFFERS,
        "branches_of_a_full_tree": CONSISTENT,
        "height_of_the_tree": DIFFERS,
        "combinations_of_layers": DIFFERS,
        "guaranteed_solution": DIFFERS,
        "places_named_in_the_text": DIFFERS,
        "pictures": UNCHECKED,
    },
    "gtsps": {
        "valid_permutations": REPRODUCED,
        "pairs_of_minigrids": REPRODUCED,
        "number_of_edges": REPRODUCED,
        "list_of_edges": DIFFERS,
        "low_degrees": REPRODUCED,
        "degree_deletion": REPRODUCED,
        "deletions_by_hand": REPRODUCED,
        "final_graph": REPRODUCED,
        "three_tuples": DIFFERS,
        "isolated_super_vertices": REPRODUCED,
        "two_triangles": REPRODUCED,
        "names_of_the_triangles": DIFFERS,
        "step_4": DIFFERS,
        "step_5": DIFFERS,
        "degree_four_on_4x4": DIFFERS,
        "degree_is_not_enough": REPRODUCED,
        "reduction_leaves_the_solution": DIFFERS,
        "cycles_and_solutions": REPRODUCED,
        "either_graph": REPRODUCED,
        "one_vertex_of_each_minigrid": REPRODUCED,
        "other_rooks_graphs": DIFFERS,
        "two_minigrids_differ": REPRODUCED,
        "figure_4_9": REPRODUCED,
        "no_solution_is_noticed": REPRODUCED,
        "more_solutions_cost_nothing": DIFFERS,
        "more_solutions_than_steps": DIFFERS,
        "three_bounds": DIFFERS,
        "few_permutations": REPRODUCED,
        "other_sizes": UNCHECKED,
        "bounds_of_the_proof": DIFFERS,
        "bounds_by_averages": DIFFERS,
        "space": REPRODUCED,
        "text_and_tables": CONSISTENT,
        "vertices_of_easy_puzzles": DIFFERS,
        "sums_and_percentages": CONSISTENT,
        "average_times": CONSISTENT,
        "who_is_faster": CONSISTENT,
        "time_of_an_iteration": UNCHECKED,
        "micro_to_milliseconds": DIFFERS,
        "number_of_grids": DIFFERS,
        "times": UNCHECKED,
        "unsolved_by_pencil_and_paper": UNCHECKED,
        "numbers_of_vertices": UNCHECKED,
        "vertices_by_clues": UNCHECKED,
        "iterations": UNCHECKED,
        "all_in_one_run": DIFFERS,
        "who_tells_validity": DIFFERS,
        "guess_based": DIFFERS,
        "only_9x9": DIFFERS,
        "redundant_permutations": DIFFERS,
        "slowest_puzzle": DIFFERS,
        "extreme_puzzles": UNCHECKED,
        "more_clues_more_solutions": REPRODUCED,
        "guessed_free": DIFFERS,
        "techniques_of_row_1": REPRODUCED,
        "minigrid_based": DIFFERS,
        "first_by_graphs": DIFFERS,
        "any_difficulty": REPRODUCED,
        "steganography": DIFFERS,
        "order_of_minigrids": DIFFERS,
        "minigrids_in_a_vertex": REPRODUCED,
        "faster_towards_the_end": REPRODUCED,
    },
    "wadud": {
        "the_example": REPRODUCED,
        "the_list_of_a_cell": REPRODUCED,
        "the_three_strategies": REPRODUCED,
        "pencil_and_paper_alone": REPRODUCED,
        "backtracking_always_answers": REPRODUCED,
        "lists_kept_instead_of_built": REPRODUCED,
        "most_of_a_scan_is_redundant": REPRODUCED,
        "lists_after_a_guess_is_taken_back": UNCHECKED,
        "cells_of_a_step": REPRODUCED,
        "both_algorithms_say_the_same": REPRODUCED,
        "what_a_check_reads": REPRODUCED,
        "the_ten_ai_puzzles": REPRODUCED,
        "where_hbpnp_fails": UNCHECKED,
        "which_check_hbpnp_has": UNCHECKED,
        "the_order_of_the_methods": CONSISTENT,
        "the_gain": REPRODUCED,
        "fruitless_iterations": UNCHECKED,
        "both_take_the_same_decisions": REPRODUCED,
        "the_easier_puzzles": UNCHECKED,
    },
    "block-world": {
        "the_example": REPRODUCED,
        "all_solutions_by_model_1": REPRODUCED,
        "the_position_of_figure_4": REPRODUCED,
        "the_position_of_figure_5": REPRODUCED,
        "the_position_of_figure_6": DIFFERS,
        "model_2_puts_no_wrong_box": REPRODUCED,
        "model_3_puts_no_wrong_box": DIFFERS,
        "the_smallest_wrong_box": DIFFERS,
        "what_definition_4_adds": DIFFERS,
        "the_classes": CONSISTENT,
        "the_pictures": UNCHECKED,
        "solved_by_the_printed_definitions": DIFFERS,
        "filled_by_the_printed_definitions": DIFFERS,
        "a_sound_reading_of_the_definitions": UNCHECKED,
        "the_averages": CONSISTENT,
        "model_4_is_faster": DIFFERS,
        "model_4_and_then_model_1": DIFFERS,
        "totals_of_table_3": CONSISTENT,
        "the_combination_is_better": UNCHECKED,
    },
    "keck": {
        "surfaces_of_the_pictures": REPRODUCED,
        "rules_of_the_pictures": REPRODUCED,
        "solutions_of_4x4x4": REPRODUCED,
        "other_sizes": UNCHECKED,
        "one_solution": REPRODUCED,
        "fewest_clues": DIFFERS,
        "the_hard_picture": REPRODUCED,
        "fewer_constraints": REPRODUCED,
        "easier_than_9x9": REPRODUCED,
        "best_of_several_approaches": UNCHECKED,
    },
    "open": {
        "fewest_givens_of_a_cube": SETTLED,
        "fewest_givens_of_a_latin_cube": SETTLED,
        "latin_cubes_that_need_more": SETTLED,
        "latin_cubes_are_drawn_unevenly": SETTLED,
        "cubes_of_rule_sets": SETTLED,
        "cubes_that_fall_apart": SETTLED,
        "kinds_of_cubes": SETTLED,
        "unavoidable_sets": SETTLED,
        "minimal_cubes": SETTLED,
        "powers_of_two": SETTLED,
        "latin_squares_in_a_mini_cube": SETTLED,
        "placements_of_a_value": SETTLED,
        "uniform_cubes": UNCHECKED,
        "other_cubes": UNCHECKED,
        "order_of_sound_robots": SETTLED,
        "order_of_printed_robots": SETTLED,
        "first_ever": DIFFERS,
        "guessed_free": DIFFERS,
        "evolutionary_solvers": UNCHECKED,
    },
}
EACH = [(key, name) for key, names in VERDICTS.items() for name in names]


def test_all_checks_listed() -> None:
    """Every check has its verdict here in the paper's order."""
    assert {key: list(names) for key, names in VERDICTS.items()} == {key: list(names) for key, names in CHECKS.items()}


def test_numbers_on_page() -> None:
    """The page of the papers has the numbers of verdicts."""
    page = (Path(__file__).parents[2] / "docs" / "papers.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    # What is settled beyond the papers is not counted among their claims.
    ours = [list(names.values()) for key, names in VERDICTS.items() if key != "open"]
    assert [tuple(map(int, row)) for row in rows] == [
        (len(some), *(some.count(verdict) for verdict in (REPRODUCED, CONSISTENT, DIFFERS, UNCHECKED))) for some in ours
    ]


@pytest.mark.parametrize(("key", "name"), cases(EACH), ids=str)
def test_verdict(key: str, name: str) -> None:
    """The verdict of."""
    found = finding(key, name)

    assert found.verdict == VERDICTS[key][name]
    assert found.place
    assert found.paper.endswith(".")
    assert found.ours.endswith(".")
    # What is not as the paper says is explained.
    assert found.why or found.verdict in (REPRODUCED, CONSISTENT)
