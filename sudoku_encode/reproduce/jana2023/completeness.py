"""Jana et al. 2023: what it says of completeness, a theorem of others, and the step of its proof that can be run."""

import numpy as np

import sudoku_encode as se
from sudoku_encode.reproduce import answers
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side

# Sides of the Latin squares, of which Sudokus of side 4, 9 and 16 are made.
ORDERS = (2, 3, 4)


def latin_hole(order: int) -> se.Puzzle:
    """Return a Sudoku whose blanks can be filled as a Latin square can, and in no other way.

    Cell (i, j) of its solution, from 0, has the value (i mod n) n + i div n + j, modulo n^2, plus 1. Blank are the
    cells of the first band in the columns 0, n, 2n, ...: in each of these rows and columns just the values 1, n + 1,
    2n + 1, ... are missing, and of a minigrid only one column is blank, so that it asks for nothing more.
    """
    n = order
    i, j = np.indices((n * n, n * n))
    grid = (i % n * n + i // n + j) % (n * n) + 1
    grid[:n, ::n] = 0
    return se.Puzzle.of(se.board(f"{n * n}x{n * n}"), grid)


def fillings(order: int) -> set[bytes]:
    """Return what the solutions of `latin_hole` have in its blanks, as values from 1 to the order."""
    puzzle = latin_hole(order)
    return {grid.tobytes() for grid in (answers.solutions(puzzle)[:, puzzle.blanks] - 1) // order + 1}


def asp_completeness(work: Work) -> Finding:
    """Sections I and II-C: the step from Latin squares to Sudokus, on small sides."""
    rows = []
    for order in ORDERS:
        squares = answers.solution_set(se.Puzzle.of(se.board(f"latin:{order}x{order}")))
        found = fillings(order)
        rows.append((f"{order**2}x{order**2}", order**2, len(squares), len(found), len(squares & found)))
    same = all(row[2] == row[3] == row[4] for row in rows)
    return Finding(
        "abstract, section II-C",
        "Sudoku is NP-complete; its ASP-completeness (to find another solution where one is known) was proved by [8].",
        f"Not proved here. Blanks in Sudokus of side {', '.join(str(order**2) for order in ORDERS)} are filled by"
        f" {'exactly' if same else 'not exactly'} the {', '.join(str(row[2]) for row in rows)} Latin squares of side"
        f" {', '.join(map(str, ORDERS))}.",
        UNCHECKED,
        "A theorem on all sides cannot be confirmed by computing on some. What can be run is one step of such a proof:"
        " to complete a Latin square is to solve a Sudoku, with as many solutions, since more givens leave the same"
        " fillings to both. That completing Latin squares is NP-complete, and ASP-complete, is taken from the"
        " literature. [8] and this step are about squares; the paper gives no proof for cubes.",
        side_by_side(
            ("Sudoku", "blanks", "Latin squares", "fillings of the blanks", "in both"),
            *rows,
            drawn={"number": ("Latin squares", "fillings of the blanks", "in both")},
        ),
    )
