"""The steps of the GTSPS thesis as they are printed, and how far its deletions go."""

import numpy as np

from sudoku_encode.papers import gtsps4
from sudoku_encode.papers.gtsps4 import DEGREE, STRUCTURE
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.example import example, neighbours, vertices
from sudoku_encode.reproduce.gtsps.solutions import UNIQUE, inkala, sample
from sudoku_encode.reproduce.puzzles import no_tick

# Step 4 of section 4.3 lets i and j be minigrids from 1 to this.
LAST_MINIGRID = 3
# Step 5 of section 4.3: the least degree that stays.
LEAST_DEGREE = 4


def step_4(work: Work) -> Finding:
    """Which minigrids it joins."""
    made = example()[1]
    ours = len(made.edges)
    owners = np.searchsorted(made.starts, made.edges, side="right")
    printed = int((owners <= LAST_MINIGRID).all(axis=1).sum())
    return Finding(
        "section 4.3, step 4",
        f"Permutations of minigrids i and j, from 1 to {LAST_MINIGRID}, are joined.",
        f"So Fig. 4.2 would have {printed} edges of {ours}.",
        verdict(printed == ours),
        f"It must be 1 to 9: {LAST_MINIGRID} counts the minigrids of one row.",
    )


def step_5(work: Work) -> Finding:
    """When it ends."""
    made = example()[1]
    first = neighbours(made, made.names)
    left = [name for name, near in first.items() if len(near) >= LEAST_DEGREE]
    low = sorted(name for name, near in neighbours(made, left).items() if len(near) < LEAST_DEGREE)
    end = vertices(made, DEGREE)
    return Finding(
        "section 4.3, step 5",
        "Deletion is repeated until a vertex of degree three or less is found; then none has a degree below four.",
        f"On Fig. 4.2 such a vertex ({' '.join(low)}) is found after one round, with {len(left)} vertices left; "
        f"with none below four {len(end)} are left.",
        verdict(len(left) == len(end)),
        "It must be until none is found, as section 4.1 says it.",
    )


def degree_four_on_4x4(work: Work) -> Finding:
    """Theorem 4.1 from 4x4 on, with step 5."""
    (puzzle,) = puzzles.read("small/4x4-four-givens.txt")
    made = gtsps4.graph(puzzle, no_tick)
    left = made.names
    while low := {name for name, near in neighbours(made, left).items() if len(near) < LEAST_DEGREE}:
        left = [name for name in left if name not in low]
    found, adjacent = len(answers.solution_set(puzzle, "sat")), sum(made.shape) - 2
    return Finding(
        "Theorem 4.1",
        "It holds for n x n with sqrt(n) of 2 or more; step 5 deletes every vertex of a degree below four.",
        f"A 4x4 puzzle with {found} solution: of {len(made.names)} vertices step 5 leaves {len(left)}. With the degree "
        f"{adjacent}, the number of adjacent minigrids, {len(vertices(made, STRUCTURE))} are left at the end.",
        verdict(bool(left)),
        "Four is the degree for 3 x 3 minigrids. For r x c minigrids it is r + c - 2: 2 on 4x4, 3 on 6x6, 6 on 16x16.",
    )


def degree_is_not_enough(work: Work) -> Finding:
    """A vertex of degree four or more in no solution."""
    made = example()[1]
    left = vertices(made, DEGREE)
    solution = vertices(made, STRUCTURE)
    lacking = {}
    for name, near in neighbours(made, left).items():
        if len(seen := {other[0] for other in near}) < 4:
            lacking[name] = (len(near), " ".join(f"M{number}" for number in sorted(seen)))
    name, (degree, where) = min(lacking.items())
    return Finding(
        "section 4.1",
        "A vertex of degree four or more need not belong to a solution.",
        f"In Fig. 4.5 {len(left) - len(solution)} of {len(left)} do not. {len(lacking)} have no neighbour in some "
        f"adjacent minigrid, such as {name}: degree {degree}, all in {where}.",
        verdict(len(left) > len(solution)),
    )


def reduction_leaves_the_solution(work: Work) -> Finding:
    """How far the deletions get without a search."""
    rows = []
    for kind in (*UNIQUE, "AI"):
        some = inkala() if kind == "AI" else sample(work, kind)
        left = [len(vertices(gtsps4.graph(puzzle, no_tick), STRUCTURE)) for puzzle in some]
        rows.append((kind, len(some), sum(one == 9 for one in left), max(left)))
    return Finding(
        "section 4.1, Fig. 4.6",
        "Deleting what is not compatible leads in due course from Fig. 4.5 to the one solution.",
        f"So it is for {sum(row[2] for row in rows)} of {sum(row[1] for row in rows)} puzzles with one solution; of "
        f"the ten AI puzzles for {rows[-1][2]}, where up to {rows[-1][3]} vertices are left.",
        verdict(all(row[1] == row[2] for row in rows)),
        "The text shows one example. Deletions are a filter; the 3-cycles of step 8 must be sought on what they leave.",
        side_by_side(
            ("puzzles", "number", "nine vertices left", "most left"),
            *rows,
            drawn={"puzzles": ("number", "nine vertices left"), "vertices left": ("most left",)},
        ),
    )


CHECKS = (step_4, step_5, degree_four_on_4x4, degree_is_not_enough, reduction_leaves_the_solution)
