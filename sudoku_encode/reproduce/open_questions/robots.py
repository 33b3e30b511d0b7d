"""Whether it matters in which order the robots of the block world work."""

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.papers import block_world
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side

KINDS = ("easy", "medium", "hard")
N_ORDERS = 8


def orders(n_values: int) -> list[NDArray[np.intp]]:
    """Return some orders of the robots, first that of the paper."""
    return [np.arange(1, n_values + 1), *(RandomState(seed).permutation(n_values) + 1 for seed in range(N_ORDERS - 1))]


def in_order(puzzle: se.Puzzle, order: NDArray[np.intp], model: str) -> Grids:
    """Return what the robots have put when they stop, where robot `order[0]` goes first, then `order[1]`, and so on.

    A robot is known by its number alone, so numbers are renamed before and after.
    """
    n = puzzle.geometry.n_values
    new, old = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.uint8)
    new[order], old[1:] = np.arange(1, n + 1), order
    renamed = se.Puzzle.of(puzzle.geometry, new[puzzle.givens])
    return old[block_world.run(renamed, puzzles.no_tick, model).grid]


def _compared(model: str, some: list[se.Puzzle]) -> tuple[int, int]:
    """Return on how many puzzles the order changes what is put, and the most different endings of one."""
    endings = [len({in_order(puzzle, order, model).tobytes() for order in orders(9)}) for puzzle in some]
    return sum(number > 1 for number in endings), max(endings)


def _sample(work: Work) -> list[se.Puzzle]:
    number = max(2, work.puzzles // 10)
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    return [figure, *(puzzle for kind in KINDS for puzzle in puzzles.random(kind, number))]


def order_of_sound_robots(work: Work) -> Finding:
    """Let the robots of model 2, and of the sound model 4, work in other orders."""
    some = _sample(work)
    rows = [(model, len(some), *_compared(model, some)) for model in ("2", "4-sound")]
    same = not any(row[2] for row in rows)
    return Finding(
        "Abednego and Nugraheni, models 2 and 4",
        "Robots 1 to 9 work in turn; whether another order would put other boxes is not said.",
        f"With {N_ORDERS} orders of the robots on {len(some)} puzzles, model 2 and the sound reading of model 4 end the"
        f" same way {'each time' if same else 'not each time'}.",
        SETTLED if same else UNCHECKED,
        "It must be so on a puzzle with a solution. Each box that they put belongs there in every solution, and a valid"
        " position stays valid until it is filled, since boxes are never taken away. Of two endings, take the boxes of"
        " the one in their order: the first that is missing in the other would still be valid there, and that robot"
        " would not have stopped. So neither has a box that the other lacks. The order of the positions does not matter"
        " either.",
        side_by_side(
            ("model", "puzzles", "with different endings", "most endings of one"),
            *rows,
            drawn={"puzzles": ("puzzles", "with different endings"), "endings": ("most endings of one",)},
        ),
    )


def order_of_printed_robots(work: Work) -> Finding:
    """Let the robots of models 3 and 4 as printed work in other orders."""
    some = _sample(work)
    rows = [(model, len(some), *_compared(model, some)) for model in ("3", "4")]
    figure = some[0]
    put = [np.count_nonzero(in_order(figure, order, "3")) - np.count_nonzero(figure.givens) for order in orders(9)]
    return Finding(
        "Abednego and Nugraheni, models 3 and 4 as printed",
        "Robots 1 to 9 work in turn; whether another order would put other boxes is not said.",
        f"On {rows[0][2]} of {len(some)} puzzles {N_ORDERS} orders of the robots of model 3 end differently, of model 4"
        f" as printed on {rows[1][2]}. On Fig. 1 they put {min(put)} to {max(put)} boxes.",
        SETTLED if all(row[2] for row in rows) else UNCHECKED,
        "Their positions become valid when a neighbouring cell is filled, by whatever box, and a wrong box takes a"
        " place from a right one. So what they reach depends on which robot comes first.",
        side_by_side(
            ("model", "puzzles", "with different endings", "most endings of one"),
            *rows,
            drawn={"puzzles": ("puzzles", "with different endings"), "endings": ("most endings of one",)},
        ),
    )
