"""What the papers leave open, settled by proof or computation, and what their titles claim, against what there was."""

from sudoku_encode.reproduce.finding import Check
from sudoku_encode.reproduce.open_questions.cubes import other_cubes, uniform_cubes
from sudoku_encode.reproduce.open_questions.draws import latin_cubes_are_drawn_unevenly
from sudoku_encode.reproduce.open_questions.givens import (
    fewest_givens_of_a_cube,
    fewest_givens_of_a_latin_cube,
    latin_cubes_that_need_more,
)
from sudoku_encode.reproduce.open_questions.one_value import placements_of_a_value
from sudoku_encode.reproduce.open_questions.powers import latin_squares_in_a_mini_cube, powers_of_two
from sudoku_encode.reproduce.open_questions.robots import order_of_printed_robots, order_of_sound_robots
from sudoku_encode.reproduce.open_questions.titles import evolutionary_solvers, first_ever, guessed_free

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
