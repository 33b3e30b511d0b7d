"""Claims of the papers about themselves compared with earlier work, and the order in which robots work."""

import csv

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

import sudoku_encode as se
from sudoku_encode.papers import block_world, gtsps, gtsps4
from sudoku_encode.papers.gtsps import Minigrid, Tally
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import SETTLED, UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids

# The order of the robots of the block world.

KINDS = ("easy", "medium", "hard")
N_ORDERS = 8


def orders(n_values: int) -> list[NDArray[np.intp]]:
    """Return orders of the robots, that of the paper first."""
    return [np.arange(1, n_values + 1), *(RandomState(seed).permutation(n_values) + 1 for seed in range(N_ORDERS - 1))]


def board_in_order(puzzle: se.Puzzle, order: NDArray[np.intp], model: str) -> Grids:
    """Return the board when the robots have stopped, if robot `order[0]` goes first, then `order[1]`, and so on.

    A robot is identified by its number, so numbers are renamed before and after.
    """
    n = puzzle.geometry.n_values
    new, old = np.zeros(n + 1, np.uint8), np.zeros(n + 1, np.uint8)
    new[order], old[1:] = np.arange(1, n + 1), order
    renamed = se.Puzzle.of(puzzle.geometry, new[puzzle.givens])
    return old[block_world.run(renamed, puzzles.no_tick, model).grid]


def _compared(model: str, compared_puzzles: list[se.Puzzle]) -> tuple[int, int]:
    """Return the number of puzzles on which the order matters, and the most different endings of a puzzle."""
    endings = [
        len({board_in_order(puzzle, order, model).tobytes() for order in orders(9)}) for puzzle in compared_puzzles
    ]
    return sum(number > 1 for number in endings), max(endings)


def _sample(work: Work) -> list[se.Puzzle]:
    number = max(2, work.puzzles // 10)
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    return [figure, *(puzzle for kind in KINDS for puzzle in puzzles.random(kind, number))]


def order_of_sound_robots(work: Work) -> Finding:
    """Let the robots of model 2, and of the sound model 4, work in other orders."""
    robot_sample = _sample(work)
    rows = [(model, len(robot_sample), *_compared(model, robot_sample)) for model in ("2", "4-sound")]
    same = not any(row[2] for row in rows)
    return Finding(
        "Abednego and Nugraheni, models 2 and 4",
        "Robots 1 to 9 work in turn; the paper does not say whether another order would put other boxes.",
        f"With {N_ORDERS} orders of the robots on {len(robot_sample)} puzzles, model 2 and the sound reading of "
        "model 4 end the"
        f" same way {'each time' if same else 'not each time'}.",
        SETTLED if same else UNCHECKED,
        "This must be so on a puzzle with a solution. Each box that they put belongs there in every solution, and a "
        "valid position stays valid until it is filled, since boxes are never taken away. Compare two endings, and "
        "take the boxes of the one in their order: the first that is missing in the other would still be valid "
        "there, and that robot would not have stopped. So neither has a box that the other lacks. The order of the "
        "positions does not matter either.",
        side_by_side(
            ("model", "puzzles", "with different endings", "most endings of one"),
            *rows,
            drawn={"puzzles": ("puzzles", "with different endings"), "endings": ("most endings of one",)},
        ),
    )


def order_of_printed_robots(work: Work) -> Finding:
    """Let the robots of models 3 and 4 as printed work in other orders."""
    robot_sample = _sample(work)
    rows = [(model, len(robot_sample), *_compared(model, robot_sample)) for model in ("3", "4")]
    figure = robot_sample[0]
    put = [
        np.count_nonzero(board_in_order(figure, order, "3")) - np.count_nonzero(figure.givens) for order in orders(9)
    ]
    return Finding(
        "Abednego and Nugraheni, models 3 and 4 as printed",
        "Robots 1 to 9 work in turn; the paper does not say whether another order would put other boxes.",
        f"On {rows[0][2]} of {len(robot_sample)} puzzles {N_ORDERS} orders of the robots of model 3 end "
        "differently, of model 4"
        f" as printed on {rows[1][2]}. On Fig. 1 they put {min(put)} to {max(put)} boxes.",
        SETTLED if all(row[2] for row in rows) else UNCHECKED,
        "Their positions become valid when a neighbouring cell is filled by any box, and a wrong box takes the place "
        "of a right one. So the result depends on which robot comes first.",
        side_by_side(
            ("model", "puzzles", "with different endings", "most endings of one"),
            *rows,
            drawn={"puzzles": ("puzzles", "with different endings"), "endings": ("most endings of one",)},
        ),
    )


# Reference [2] of Jana et al. 2023: title and authors as printed there, and the authors of the paper itself.
SOLVER_OF_2021, YEAR_2021 = "A novel search tree-based 3D Sudoku solver", 2021
AUTHORS_OF_2021 = {"S. Jana", "M. Mallik", "A. K. Maji", "R. K. Pal"}
AUTHORS_OF_2023 = {"S. Jana", "M. Mallik", "A. Khan", "A. K. Maji", "R. K. Pal"}
AI_PUZZLES = tuple(f"papers/inkala/{name}.txt" for name in puzzles.INKALA)


def first_ever(work: Work) -> Finding:
    """Compare the claim with the paper's own list of references and tables."""
    with puzzles.path("cubes/jana-2023-tables.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    timed = sum(bool(row["jana2021"]) for row in rows)
    shared = len(AUTHORS_OF_2021 & AUTHORS_OF_2023)
    return Finding(
        "Jana et al. 2023, section VII",
        "To the best of the authors' knowledge, their algorithms are the first ever to have been designed for solving"
        " 3D Sudoku puzzles.",
        f'Its reference [2] of {YEAR_2021} is "{SOLVER_OF_2021}", by {shared} of its own {len(AUTHORS_OF_2023)}'
        f" authors, and its own tables time that solver on {timed} of {len(rows)} cubes.",
        verdict(not timed),
        "Section V itself says that no solver could be found except [2]. The puzzles of its tables come from a web "
        "site for 3D Sudoku, and Keck's generator, posted in May 2022, counts the solutions of cubes too. This is "
        "the evidence of the texts and their dates; it does not settle who was first of all.",
    )


def _dead_ends(file: str) -> tuple[str, int, int, int, int]:
    """Return the vertices of GTSPS 4.1, those left, and the branches and dead ends of its search in reading order."""
    (puzzle,) = puzzles.read(file)
    graph = gtsps4.build_graph(puzzle, puzzles.no_tick)
    remaining = [
        Minigrid(one.number, one.cells, one.blank, one.permutations[kept], one.rows[kept], one.columns[kept])
        for one, kept in zip(graph.minigrids, graph.remaining(gtsps4.STRUCTURE), strict=True)
    ]
    tally = Tally.of(len(remaining))
    for _ in gtsps.matching(gtsps.levels(remaining, graph.shape), puzzles.no_tick, tally):
        pass
    n_left = int(np.count_nonzero(graph.deleted == 0))
    return file.rpartition("/")[2], len(graph.deleted), n_left, sum(tally.matched), sum(tally.n_dead_ends)


def guessed_free(work: Work) -> Finding:
    """Count the vertices that are left when no more can be deleted, and the branches that lead nowhere."""
    rows = [_dead_ends(file) for file in AI_PUZZLES]
    open_ones = [row for row in rows if row[2] > 9]
    return Finding(
        "GTSPS, sections 4.5.2 and 4.7, Table 4.7 row 2, Theorem 4.1",
        "The solver is completely guessed free; all others are guess based.",
        f"On {len(open_ones)} of the {len(rows)} AI puzzles the deletions leave more than one permutation of a "
        f"minigrid, up to {max(row[2] for row in rows)} vertices. Finding the rook's graphs among them, minigrid by "
        f"minigrid in reading order, meets up to {max(row[4] for row in rows):,} dead ends, "
        f"{sum(row[4] for row in rows):,} in all.",
        verdict(not open_ones),
        "We must try which induced subgraphs are rook's graphs, and at a dead end no permutation of the next "
        "minigrid fits those chosen before: that is a search, over permutations instead of cells. Another order "
        "meets other dead ends: `reproduce gtsps` uses the order that is expected to leave the fewest choices. If "
        "one vertex of each minigrid is left, nothing is guessed, and a search that lists all solutions needs no "
        "luck either.",
        side_by_side(
            ("puzzle", "vertices", "left", "branches", "dead ends"),
            *rows,
            drawn={"number": ("vertices", "left", "branches", "dead ends")},
        ),
    )


def evolutionary_solvers(work: Work) -> Finding:
    """Note that a solver which the paper plans is not built here either."""
    return Finding(
        "Jana et al. 2023, section VII, future work",
        "A solver for cubes by evolutionary algorithms, such as genetic ones and ant colonies, is planned, to see how"
        " effective they are.",
        "Not built here for cubes either, so nothing is compared.",
        UNCHECKED,
        "It is a plan, not a result. Such a search can end on one solution, but it cannot show that there is no "
        "other, or that there is no solution: see `lewis2007`, simulated annealing of squares. This page and the "
        "paper's own two algorithms are about just that.",
    )
