"""What the papers say of themselves, against what there was, and against what their algorithms do."""

import csv

import numpy as np

from sudoku_encode.papers import gtsps, gtsps4
from sudoku_encode.papers.gtsps import Minigrid, Tally
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side, verdict

# Its reference [2]: title and authors as printed there; those of the paper itself.
SOLVER_OF_2021, YEAR_2021 = "A novel search tree-based 3D Sudoku solver", 2021
AUTHORS_OF_2021 = {"S. Jana", "M. Mallik", "A. K. Maji", "R. K. Pal"}
AUTHORS_OF_2023 = {"S. Jana", "M. Mallik", "A. Khan", "A. K. Maji", "R. K. Pal"}
AI_PUZZLES = tuple(
    f"papers/inkala/{name}.txt"
    for name in (
        *("escargot", "killer-application", "lucky-diamond", "worm-hole", "labyrinth"),
        *("circles", "squadron", "honeypot", "tweezers", "broken-brick"),
    )
)


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
        "Section V says so itself: no solver could be found except [2]. The puzzles of its tables come from a web site"
        " for 3D Sudoku, and Keck's generator, posted in May 2022, counts the solutions of cubes too. This is what the"
        " texts and their dates say; who was first of all is not settled.",
    )


def _dead_ends(file: str) -> tuple[str, int, int, int, int]:
    """Return how many vertices GTSPS 4.1 has and leaves, and how many branches and dead ends its matching meets.

    The minigrids are in reading order.
    """
    (puzzle,) = puzzles.read(file)
    made = gtsps4.graph(puzzle, puzzles.no_tick)
    left = [
        Minigrid(one.number, one.cells, one.blank, one.permutations[kept], one.rows[kept], one.columns[kept])
        for one, kept in zip(made.minigrids, made.kept(gtsps4.STRUCTURE), strict=True)
    ]
    tally = Tally.of(len(left))
    for _ in gtsps.matching(gtsps.levels(left, made.shape), puzzles.no_tick, tally):
        pass
    n_left = int(np.count_nonzero(made.deleted == 0))
    return file.rpartition("/")[2], len(made.deleted), n_left, sum(tally.matched), sum(tally.n_dead_ends)


def guessed_free(work: Work) -> Finding:
    """Count the vertices that are left when no more can be deleted, and the branches that lead nowhere."""
    rows = [_dead_ends(file) for file in AI_PUZZLES]
    open_ones = [row for row in rows if row[2] > 9]
    return Finding(
        "GTSPS, sections 4.5.2 and 4.7, Table 4.7 row 2, Theorem 4.1",
        "The solver is completely guessed free; all others are guess based.",
        f"On {len(open_ones)} of the {len(rows)} AI puzzles the deletions leave more than one permutation of a"
        f" minigrid, up to {max(row[2] for row in rows)} vertices. To find the rook's graphs among them, minigrid"
        f" by minigrid in reading order, up to {max(row[4] for row in rows):,} dead ends are met,"
        f" {sum(row[4] for row in rows):,} in all.",
        verdict(not open_ones),
        "Which induced subgraphs are rook's graphs must be tried, and at a dead end no permutation of the next minigrid"
        " fits those chosen before: that is a search, over permutations in place of cells. Another order meets other"
        " dead ends: `reproduce gtsps` has the order that is expected to leave the fewest. Where one vertex of each"
        " minigrid is left nothing is guessed, and a search that lists all solutions needs no luck either.",
        side_by_side(
            ("puzzle", "vertices", "left", "branches", "dead ends"),
            *rows,
            drawn={"number": ("vertices", "left", "branches", "dead ends")},
        ),
    )


def evolutionary_solvers(work: Work) -> Finding:
    """Say that what a paper plans is not built here."""
    return Finding(
        "Jana et al. 2023, section VII, future work",
        "A solver for cubes by evolutionary algorithms, such as genetic ones and ant colonies, is planned, to see how"
        " effective they are.",
        "Not built here either, so nothing is compared.",
        UNCHECKED,
        "It is a plan, not a result. Such a search can end on one solution; it cannot show that there is no other, nor"
        " that there is none, which is what this page and the paper's own two algorithms are about.",
    )
