"""The arithmetic of the GTSPS thesis: its tables against its text and against each other."""

from math import factorial, prod
from statistics import mean

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps4 import Line
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids, no_tick

SOLVERS = ("brute-force", "pencil-paper", "gtsps-4.1")
# Tables 4.1 to 4.5: average iterations and milliseconds of each of the SOLVERS.
ITERATIONS: dict[str, tuple[float | None, ...]] = {
    "easy": (8082.13, 5525.07, 11067.25),
    "medium": (22238.19, 17512.58, 25544.34),
    "hard": (38215.18, 26950.58, 38706.07),
    "evil": (53292.1, 33981.27, 46164.67),
    "several": (80881.72, None, 43407.2),
}
MILLISECONDS: dict[str, tuple[float | None, ...]] = {
    "easy": (17.97, 11.09, 23.04),
    "medium": (34.2, 24.07, 36.09),
    "hard": (61.34, 33.1, 61.97),
    "evil": (84.07, 42.98, 78.7),
    "several": (99.07, None, 68.13),
}
# Tables 4.2 to 4.5, last row.
CLUES = {"easy": (36, 46), "medium": (32, 35), "hard": (28, 31), "evil": (17, 27)}
# Section 4.5: the same, as its text repeats them.
TEXT_ITERATIONS = {
    "easy": (8082.13, 5525.07, 11067.25),
    "medium": (22238.19, 17512.58, 25544.34),
    "hard": (38215.18, 26950.58, 38706.07),
    "evil": (53292.1, 33981.27, 46164.67),
}
TEXT_MILLISECONDS = {
    "easy": (17.97, 11.09, 23.04),
    "medium": (34.2, 24.07, 36.09),
    "hard": (61.34, 33.1, 61.97),
    "evil": (84.07, 42.98, 78.7),
    "several": (99.07, None, 68.13),
}
# Table 4.6, and the sentence under it.
VERTICES = {"easy": 227, "medium": 358, "hard": 528, "evil": 720}
TEXT_VERTICES = {"easy": 228, "medium": 358, "hard": 528, "evil": 720}
# Section 4.5: puzzles, and those that the pencil-and-paper solver does not solve, with the percentages.
N_EACH, N_SEVERAL, N_ALL = 200, 50, 850
UNSOLVED = {"easy": 0, "medium": 0, "hard": 37, "evil": 73}
PERCENT = {"hard": 19, "evil": 37}
# Section 4.5.1: averages over all puzzles, in milliseconds, and years for all grids.
AVERAGES = {"brute-force": 49.40, "pencil-paper": 27.81, "gtsps-4.1": 49.95}
YEARS = {"brute-force": 10_449_728_733_822, "pencil-paper": 5_882_731_904_607, "gtsps-4.1": 10_566_071_867_499}
# Milliseconds.
YEAR = 1000 * 365 * 24 * 3600
GRIDS = 6_670_903_752_021_072_936_960
# Section 4.5.1: seconds and iterations of GTSPS on the 40 extreme puzzles, on average, and on Norvig's slowest.
LONG_RUNS = {"40 extreme, average": (19.0, 21_836_771), "Norvig's slowest": (312.0, 22_119_736)}


def by_solver(table: dict[str, tuple[float | None, ...]], solver: str, *kinds: str) -> list[float]:
    """Return the figures of a solver in a table for some kinds of puzzles."""
    column = SOLVERS.index(solver)
    return [value for kind in kinds if (value := table[kind][column]) is not None]


def text_and_tables(work: Work) -> Finding:
    """The numbers of Tables 4.1 to 4.5 in the text."""
    pairs = [
        (a, b)
        for text, table in ((TEXT_ITERATIONS, ITERATIONS), (TEXT_MILLISECONDS, MILLISECONDS))
        for kind in text
        for a, b in zip(text[kind], table[kind], strict=True)
        if a is not None
    ]
    same = sum(a == b for a, b in pairs)
    return Finding(
        "Tables 4.1 to 4.5",
        "The text of section 4.5 repeats the tables.",
        f"{same} of {len(pairs)} numbers are the same.",
        verdict(same == len(pairs), own=True),
    )


def vertices_of_easy_puzzles(work: Work) -> Finding:
    """Table 4.6 and the text."""
    apart = [kind for kind in VERTICES if VERTICES[kind] != TEXT_VERTICES[kind]]
    return Finding(
        "Table 4.6",
        "The text repeats the average numbers of vertices of Table 4.6.",
        "; ".join(f"{kind}: {VERTICES[kind]} in the table, {TEXT_VERTICES[kind]} in the text." for kind in apart)
        or "They are the same.",
        verdict(not apart),
        "One of them is a slip." if apart else "",
    )


def sums_and_percentages(work: Work) -> Finding:
    """The puzzles, those unsolved, and averages of whole numbers."""
    total = N_EACH * len(CLUES) + N_SEVERAL
    percent = {kind: 100 * UNSOLVED[kind] / N_EACH for kind in PERCENT}
    several = [value * N_SEVERAL for value in ITERATIONS["several"] if value is not None]
    whole = all(abs(value - round(value)) < 1e-6 for value in several)
    return Finding(
        "section 4.5",
        f"{N_ALL} puzzles; unsolved by pencil and paper are 37 of 200 hard ones, around {PERCENT['hard']} %, and 73 of "
        f"200 evil ones, roughly {PERCENT['evil']} %.",
        f"{total} puzzles; {percent['hard']} % and {percent['evil']} %. The averages of Table 4.1 are "
        f"{'' if whole else 'not '}possible for whole numbers of iterations on {N_SEVERAL} puzzles.",
        verdict(
            total == N_ALL and all(abs(percent[kind] - PERCENT[kind]) <= 0.5 for kind in PERCENT) and whole, own=True
        ),
    )


def average_times(work: Work) -> Finding:
    """The averages of the tables, and the years that follow."""
    rows = []
    for solver in SOLVERS:
        average = mean(by_solver(MILLISECONDS, solver, *CLUES))
        # In whole numbers, from hundredths of a millisecond: a double has too few digits.
        years = GRIDS * round(100 * AVERAGES[solver]) // (100 * YEAR)
        rows.append((solver, AVERAGES[solver], round(average, 3), YEARS[solver], years))
    unrounded = mean(by_solver(MILLISECONDS, "brute-force", *CLUES))
    agree = all(abs(row[1] - row[2]) <= 0.005 + 1e-9 and row[3] == row[4] for row in rows)
    return Finding(
        "section 4.5.1",
        "On average 49.40, 27.81 and 49.95 ms; for all 6.67 x 10^21 grids that many times as long, in years.",
        "; ".join(f"{row[0]} {row[2]:.3f} ms, {row[4]:,} years" for row in rows) + ".",
        verdict(agree, own=True),
        "The averages are of Tables 4.2 to 4.5, a year has 365 days. The 50 puzzles with several solutions "
        "are left out. Our years are computed, as the thesis' are, from its averages with two decimals; the "
        f"{unrounded:.3f} ms of brute force would give {GRIDS * round(1000 * unrounded) // (1000 * YEAR):,}.",
        side_by_side(
            ("solver", "paper, ms", "ours, ms", "paper, years", "ours, years"),
            *rows,
            drawn={"milliseconds": ("paper, ms", "ours, ms"), "years": ("paper, years", "ours, years")},
        ),
    )


def who_is_faster(work: Work) -> Finding:
    """Check the statements of section 4.5.1 about its tables."""
    holds = {}
    for name, table in (("time", MILLISECONDS), ("iterations", ITERATIONS)):
        brute, pencil, own = (dict(zip(CLUES, by_solver(table, solver, *CLUES), strict=True)) for solver in SOLVERS)
        several = by_solver(table, "gtsps-4.1", "several")[0] / by_solver(table, "brute-force", "several")[0]
        ratios = {kind: own[kind] / brute[kind] for kind in CLUES}
        holds[f"pencil and paper least {name}"] = all(pencil[kind] < min(brute[kind], own[kind]) for kind in CLUES)
        holds[f"brute force less {name}, easy and medium"] = min(ratios["easy"], ratios["medium"]) > 1
        holds[f"marginal difference in {name}, hard"] = abs(ratios["hard"] - 1) < 0.05
        holds[f"GTSPS less {name}, evil"] = ratios["evil"] < 1
        holds[f"GTSPS best in {name} against brute force on several solutions"] = several < min(ratios.values())
    return Finding(
        "section 4.5.1",
        "Pencil and paper is fastest; brute force beats GTSPS on easy and medium, hardly on hard, not on evil puzzles; "
        "GTSPS does best where there are several solutions.",
        f"{sum(holds.values())} of {len(holds)} such statements, on time and on iterations, hold in its tables.",
        verdict(all(holds.values()), own=True),
        "This compares the thesis' own tables with its text, not with ours; for ours see the times.",
    )


def time_of_an_iteration(work: Work) -> Finding:
    """Seconds and iterations side by side."""
    rows = [
        (kind, 1000 * own / steps)
        for kind in MILLISECONDS
        for own, steps in zip(
            by_solver(MILLISECONDS, "gtsps-4.1", kind), by_solver(ITERATIONS, "gtsps-4.1", kind), strict=True
        )
    ] + [(name, 1e6 * seconds / steps) for name, (seconds, steps) in LONG_RUNS.items()]
    (quick, more), (slow, most) = LONG_RUNS.values()
    ratio = (slow / most) / (quick / more)
    return Finding(
        "section 4.5.1",
        f"On 40 extreme puzzles GTSPS takes {quick:g} s and {more:,} iterations each, on average; on Norvig's slowest "
        f"{slow:g} s and {most:,} iterations.",
        f"{100 * (most / more - 1):.1f} % more iterations take {slow / quick:.1f} times as long: {rows[-2][1]:.2f} and "
        f"{rows[-1][1]:.1f} microseconds each; in Tables 4.1 to 4.5 {min(row[1] for row in rows[:-2]):.2f} to "
        f"{max(row[1] for row in rows[:-2]):.2f}.",
        UNCHECKED,
        f"Per iteration the last takes {ratio:.1f} times as long, which the text does not explain. One of the four "
        "numbers may be wrong, but two of them are averages, and iterations need not take equally long: this is a "
        "suspicion, not a contradiction.",
        side_by_side(
            ("puzzles", "microseconds an iteration"),
            *((name, round(each, 2)) for name, each in rows),
            drawn={"microseconds an iteration": ("microseconds an iteration",)},
        ),
    )


def micro_to_milliseconds(work: Work) -> Finding:
    """The times that section 4.4 speaks of."""
    longest = max(seconds for seconds, _ in LONG_RUNS.values())
    return Finding(
        "section 4.4",
        "The experiments take micro- to milliseconds.",
        f"Section 4.5 has averages from {min(by_solver(MILLISECONDS, 'gtsps-4.1', *MILLISECONDS))} to "
        f"{max(by_solver(MILLISECONDS, 'gtsps-4.1', *MILLISECONDS))} ms, but also "
        f"{' and '.join(f'{seconds:g} s ({name})' for name, (seconds, _) in LONG_RUNS.items())}.",
        verdict(longest < 1),
        "It is true of the milliseconds of Tables 4.1 to 4.5.",
    )


def _bands() -> int:
    """Count the ways to fill three boxes in a row: row by row, the digits that each box has there, in any order."""
    minigrids = gtsps.minigrids(se.Puzzle.of(se.board("9x9"), _first_row_of_boxes()), no_tick)[:3]
    line = Line.along(minigrids, np.arange(3), True, no_tick)
    # Each way to share out the digits to the rows of the boxes, given the first box; each row of a box in any order.
    match = line.match
    shared = int((match[0, 1].astype(int) @ match[1, 2].astype(int) * match[0, 2]).sum())
    return factorial(9) * shared * factorial(3) ** 6


def _first_row_of_boxes() -> list[int]:
    """Give the first box, so that the other two have few permutations by row."""
    givens = np.zeros((9, 9), int)
    givens[:3, :3] = np.arange(1, 10).reshape(3, 3)
    return [int(value) for value in givens.ravel()]


def number_of_grids(work: Work) -> Finding:
    """How many 9x9 grids there are, and whether they are puzzles."""
    # Felgenhauer & Jarvis 2005: 9! x 72^2 x 2^7 x a prime.
    published = prod((factorial(9), 72**2, 2**7, 27_704_267_971))
    bands = _bands()
    estimate = bands**6 / factorial(9) ** 9
    each = len(_puzzles_of_a_grid(puzzles.solution(puzzles.read("papers/gtsps-fig-4.2.ss")[0])))
    return Finding(
        "section 4.5.1",
        f"There are {GRIDS:,} distinct Sudoku puzzles of size 9x9.",
        f"That is the number of full grids ({'equal to' if published == GRIDS else 'not'} that of Felgenhauer and "
        f"Jarvis; the {bands:,} bands give an estimate of {estimate:.3e}). The grid of Fig. 4.7 with at most one "
        f"blank makes {each} puzzles with one solution; as many for each grid are {each * published:.2e}.",
        verdict(each * published <= GRIDS),
        "The years that the text computes are for as many puzzles as there are grids.",
    )


def _puzzles_of_a_grid(grid: Grids) -> list[se.Puzzle]:
    """Return the puzzles with exactly one solution that a full grid and the same with one blank make."""
    candidates = [se.Puzzle.of(se.board("9x9"), np.where(np.arange(81) == blank, 0, grid)) for blank in range(-1, 81)]
    return [one for one in candidates if puzzles.count_in_process(one, "brute-force", 5) == se.Count(1, True)]


CHECKS = (
    text_and_tables,
    vertices_of_easy_puzzles,
    sums_and_percentages,
    average_times,
    who_is_faster,
    time_of_an_iteration,
    micro_to_milliseconds,
    number_of_grids,
)
