"""Questions that the papers leave open, settled by proof or computation; title claims compared with earlier work."""

from sudoku_encode.reproduce.finding import Check
from sudoku_encode.reproduce.open_questions.cubes import (
    latin_squares_in_a_mini_cube,
    other_cubes,
    placements_of_a_value,
    powers_of_two,
    uniform_cubes,
)
from sudoku_encode.reproduce.open_questions.small_cubes import (
    fewest_givens_of_a_cube,
    fewest_givens_of_a_latin_cube,
    latin_cubes_are_drawn_unevenly,
    latin_cubes_that_need_more,
)
from sudoku_encode.reproduce.open_questions.titles import (
    evolutionary_solvers,
    first_ever,
    guessed_free,
    order_of_printed_robots,
    order_of_sound_robots,
)

CHECKS: tuple[Check, ...] = (
    fewest_givens_of_a_cube,
    fewest_givens_of_a_latin_cube,
    latin_cubes_that_need_more,
    latin_cubes_are_drawn_unevenly,
    powers_of_two,
    latin_squares_in_a_mini_cube,
    placements_of_a_value,
    uniform_cubes,
    other_cubes,
    order_of_sound_robots,
    order_of_printed_robots,
    first_ever,
    guessed_free,
    evolutionary_solvers,
)
