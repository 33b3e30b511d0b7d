"""Jana et al. 2023: its checks, in the paper's order, and the places that its text names."""

from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023 import algorithms, cube, example, layers, tables

# Subjects, with their place by the text, and their place by the captions and headings.
REFERENCES = (
    ("algorithms 1 and 2", "sections IV and V", "sections III and IV"),
    ("experimental results", "section VI", "section V"),
    ("storage of the cube", "section III", "section II-E"),
    ("connectivity graph of the 27 mini-cubes", "Fig. 3", "Fig. 4"),
    ("neighbours of mini-cube S1", "Fig. 4", "Fig. 6"),
    ("x-, y- and z-planes", "Fig. 5", "Fig. 3"),
    ("mini-cube S1", "Fig. 6", "Fig. 5"),
    ("nine puzzles as input of Algorithm 2", "Fig. 16", "Fig. 17"),
    ("matrix of the solutions of a 2D puzzle", "Fig. 17", "Table 4"),
    ("puzzle whose candidates Fig. 8a lists", "Table 1", "Table 2"),
    ("Jana et al.'s 3D solver", "[1]", "[2]"),
    ("conclusion", "section VII", "section VII"),
    ("combinations of layers' solutions", "Fig. 19", "Fig. 19"),
)


def places_named_in_the_text(work: Work) -> Finding:
    """Compare the places that the text names with the real ones."""
    wrong = [row for row in REFERENCES if row[1] != row[2]]
    return Finding(
        "throughout",
        "The text names sections, figures, tables and references for its topics.",
        f"Of {len(REFERENCES)} such places that we looked up, {len(wrong)} are not where the text says.",
        verdict(not wrong),
        "Most are one or two numbers off, as after a figure or a section was moved.",
        side_by_side(("what", "place named in the text", "where it is"), *REFERENCES),
    )


# Pictures that are not in our scan, and counterparts made from the text or computed.
COUNTERPARTS = (
    ("Fig. 1", "a 2D puzzle and its solution", "none: no digit of it is in our scan"),
    ("Fig. 3", "alignment of the x-, y- and z-planes", "the direction of the grids, above"),
    ("Figs. 4 and 6", "graph of the mini-cubes, and S1 in it", "the table of mini-cubes, above: 27 vertices, 81 edges"),
    ("Fig. 5", "mini-cube S1", "first row of the same table"),
    ("Fig. 11", "linked list in scan order", "explain --method jana2021 on Table 2 under four rules"),
    ("Fig. 12", "linked list after the constraints", "explain --method jana2023-v1 on the same"),
    ("Fig. 17", "layers of the puzzle", "explain --method jana2023-v2 on any cube"),
    ("Fig. 18", "solutions of the layers, combined", "the same; they are in the form of Table 4"),
    ("Fig. 20", "not named in the text", "none"),
    ("Fig. 21", "seconds by instance", "the plot jana2023-fig-21, from Tables 5 to 7"),
    ("Figs. 22 to 24", "puzzles by number of solutions", "the plots jana2023-figs-22-and-23 and jana2023-fig-24"),
)


def pictures(work: Work) -> Finding:
    """List the pictures that are not in the scan, and their counterparts."""
    return Finding(
        "Figs. 1, 3 to 6, 11, 12, 17, 18 and 20 to 24",
        "Pictures of the structure, of trees, of the flow and of the results.",
        "Not compared. Their descriptions in the text have counterparts here.",
        UNCHECKED,
        "The pictures are not in our scan. The text's statements about them are claims of their own.",
        side_by_side(("picture", "of what", "counterpart"), *COUNTERPARTS),
    )


CHECKS: tuple[Check, ...] = (
    cube.aircraft,
    cube.planes_of_a_cube,
    cube.figure_2,
    cube.cell_through_the_grids,
    cube.mini_cubes,
    cube.mini_cubes_of_figure_7,
    tables.more_solutions_in_3d,
    cube.asp_completeness,
    cube.seventeen_clues,
    cube.edge_conditions,
    cube.table_1_is_a_solution,
    cube.table_2_blanks,
    cube.direction_of_the_grids,
    example.candidates_of_figure_8a,
    example.order_of_figure_8b,
    example.sorting_by_count,
    example.elimination_of_figure_9,
    example.two_solutions,
    example.values_of_table_3,
    example.second_solution,
    example.fewer_branches_in_figure_12,
    example.value_that_leads_nowhere,
    algorithms.two_reasons_for_a_hidden_single,
    algorithms.rows_of_figures_13_to_16,
    algorithms.rows_and_columns_of_p,
    algorithms.algorithm_1_as_printed,
    algorithms.path_matrix,
    algorithms.fields_of_figure_10,
    algorithms.digits_of_the_index,
    cube.minigrid_of_cell_2_3,
    layers.all_solutions_by_algorithm_2,
    layers.grids_as_2d_sudokus,
    layers.combinations_of_figure_19,
    tables.numbers_of_solutions,
    tables.solutions_and_hardness,
    tables.each_algorithm_faster,
    tables.stagnant_level,
    tables.search_tree_of_2021,
    tables.algorithm_1,
    tables.algorithm_2,
    layers.algorithm_2_as_printed,
    algorithms.branches_of_a_full_tree,
    algorithms.height_of_the_tree,
    layers.combinations_of_layers,
    layers.guaranteed_solution,
    places_named_in_the_text,
    pictures,
)
