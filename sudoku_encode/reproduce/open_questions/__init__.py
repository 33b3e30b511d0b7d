"""Questions that the papers leave open, settled by proof or computation; title claims compared with earlier work."""

from sudoku_encode.reproduce.finding import Check
from sudoku_encode.reproduce.open_questions import cube_kinds, cubes, rule_sets, small_cubes, titles

CHECKS: tuple[Check, ...] = (
    small_cubes.fewest_givens_of_a_cube,
    small_cubes.fewest_givens_of_a_latin_cube,
    small_cubes.latin_cubes_that_need_more,
    small_cubes.latin_cubes_are_drawn_unevenly,
    rule_sets.cubes_of_rule_sets,
    rule_sets.cubes_that_fall_apart,
    cube_kinds.kinds_of_cubes,
    cube_kinds.unavoidable_sets,
    cube_kinds.minimal_cubes,
    cubes.powers_of_two,
    cubes.latin_squares_in_a_mini_cube,
    cubes.placements_of_a_value,
    cubes.uniform_cubes,
    cubes.other_cubes,
    titles.order_of_sound_robots,
    titles.order_of_printed_robots,
    titles.first_ever,
    titles.guessed_free,
    titles.evolutionary_solvers,
)
