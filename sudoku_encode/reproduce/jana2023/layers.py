"""Jana et al. 2023, sections IV to VI: Algorithm 2 as printed, Fig. 19, and how many combinations there are."""

from functools import cache
from itertools import product
from math import floor, log10

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers.jana2023_v2 import AXES, layer_solutions, planes
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, table_1, table_2
from sudoku_encode.reproduce.jana2023.tables import CLASSES, METHODS, OURS, RULES, rows
from sudoku_encode.reproduce.puzzles import no_tick

# Fig. 19: which solution of each layer is combined.
FIGURE_19 = "111111111 111211111 111311111 211111111 211211111 211311111"
# More combinations than a computer checks in a second.
CHECKED_A_SECOND = 1e9
# Five times as many as `jana2023-v2` checks in a second.
CHECKED_BY_OURS = 1e6
# The orders of checks that Algorithm 2 is run with, and the methods that do so.
ORDERS = {
    "as printed": "jana2023-v2",
    "two layers at a time": "jana2023-v2-plain",
}
# Other orders and axes are tried on this many cubes of each class, evenly spread.
TRIED = 2
# Algorithm 2, and what its solutions are compared with.
ALL_BY = ("jana2023-v2", "sat")
# Solutions of a layer are counted up to this many.
MOST_OF_A_LAYER = 500


def combinations_of_figure_19(work: Work) -> Finding:
    """List the combinations of 2 solutions of layer 1, 3 of layer 4 and 1 of each other."""
    printed = FIGURE_19.split()
    numbers = [max(int(row[layer]) for row in printed) for layer in range(9)]
    ours = ["".join(map(str, some)) for some in product(*(range(1, number + 1) for number in numbers))]
    puzzle = table_2(FOUR)
    numbers_text = ", ".join(
        " ".join(str(len(layer_solutions(puzzle, cells, None, no_tick))) for cells in planes(puzzle.geometry, axis))
        + f" (across {axis})"
        for axis in AXES
    )
    return Finding(
        "Fig. 19",
        "All possible combinations of the solutions of the nine layers of Fig. 18.",
        f"Layers with {', '.join(map(str, numbers))} solutions have {len(ours)} combinations; the figure lists"
        f" {len(set(printed))} of them.",
        verdict(ours == printed, own=True),
        "The number of solutions of each layer of Fig. 18 is read from Fig. 19, since Fig. 18 is not in our scan. "
        f"They are not the layers of Table 2, which have {numbers_text} under the four rules.",
    )


def algorithm_2_as_printed(work: Work) -> Finding:
    """Run Algorithm 2 as printed on all cubes, and with each axis and each order of checks on some of each class."""
    table, finished = [], {}
    for rules in RULES:
        finished[rules] = [_finished(rules, kind, work.seconds) for kind in CLASSES]
        shares = (round(100 * sum(some) / len(some), 1) for some in finished[rules])
        table.append((rules.replace("-", " "), "as printed", "x", "jana2023-v2", "all 75", *shares))
    seconds = work.seconds / 20
    for rules in RULES:
        cubes = [_spread_sample(f"cubes/{rules}-{kind}.txt", TRIED) for kind in CLASSES]
        # Under four rules most layers have more solutions than fit into the memory, across any axis.
        for (order, name), axis in product(ORDERS.items(), AXES if rules == RULES[0] else AXES[:1]):
            if (order, axis) != ("as printed", "x"):
                method = name if axis == "x" else f"{name}:{axis}"
                ended = [
                    sum(puzzles.count_in_process(cube, method, seconds).complete for cube in some) for some in cubes
                ]
                shares = (100 * number / TRIED for number in ended)
                table.append((rules.replace("-", " "), order, axis, method, f"{TRIED} of each class", *shares))
    counts_text = " and ".join(
        ", ".join(f"{sum(some)} of {len(some)} {kind}" for kind, some in zip(CLASSES, finished[rules], strict=True))
        + f" ones under {rules.replace('-', ' ')}"
        for rules in RULES
    )
    return Finding(
        "section V, Algorithm 2",
        "Algorithm 2 works for easy, moderate and hard instances.",
        f"As printed, on the paper's grids, it finishes within {work.seconds:g} s on {counts_text}.",
        verdict(all(all(some) for each in finished.values() for some in each)),
        "As printed, the candidates of a layer are those that its own givens leave, and line 49 checks only whole "
        f"cubes. A cube whose layers have more combinations than {CHECKED_BY_OURS:,.0f} a second, five times as many "
        "as ours checks, is not run. On hard ones more time would not help, as their number shows (section VI, below). "
        f"Other axes and orders of checks are tried on {TRIED} cubes of each class, {seconds:g} s each. If a "
        "layer starts from the candidates that Algorithm 1 leaves in the whole cube, and a combination is dropped at "
        "its first conflict, hard ones finish too: see the rows of Tables 5 to 7. We cannot check whether the "
        "paper's program finished on its own instances. Lines 2 and 12 continue to count the rows of P from layer to "
        "layer, so P of the second layer does not begin at its row 1; here each does.",
        side_by_side(
            ("rules", "checks", "axis", "method", "cubes", *(f"{kind}, % finished" for kind in CLASSES)),
            *table,
            drawn={"cubes solved, %": tuple(f"{kind}, % finished" for kind in CLASSES)},
        ),
    )


def _finished(rules: str, kind: str, seconds: float) -> list[bool]:
    """Return whether Algorithm 2 as printed finishes on each cube of a class within some seconds."""
    checked = log10(max(1.0, CHECKED_BY_OURS * seconds))
    return [
        power <= checked and puzzles.count_in_process(cube, "jana2023-v2", seconds).complete
        for cube, power in zip(puzzles.read(f"cubes/{rules}-{kind}.txt"), _powers(rules, kind), strict=True)
    ]


def all_solutions_by_algorithm_2(work: Work) -> Finding:
    """Run Algorithm 2 as printed on Table 2, and compare its solutions with those of a SAT solver."""
    cubes = {"six": table_2(), "four": table_2(FOUR)}
    listed = {rules: [puzzles.solution_set(cube, method) for method in ALL_BY] for rules, cube in cubes.items()}
    same = [rules for rules, (ours, sat) in listed.items() if ours == sat]
    numbers = " and ".join(f"{len(ours)} under the {rules} rules" for rules, (ours, _) in listed.items())
    return Finding(
        "abstract, section IV",
        "Algorithm 2 obtains all solutions of a cube from the solutions of its nine layers.",
        f"On Table 2, as printed, it finds {numbers}; a SAT solver finds the same under "
        f"{' and '.join(same) or 'none'} of them.",
        verdict(len(same) == len(cubes)),
        "Each layer keeps the rules of a 2D Sudoku that the cube has. Table 2 has few blanks: on which cubes it "
        "finishes is a claim of its own.",
    )


def grids_as_2d_sudokus(work: Work) -> Finding:
    """Combine the solutions of the grids of Table 2 as 2D Sudokus, by the rules of the paper's example."""
    puzzle, square = table_2(FOUR), se.board("9x9")
    numbers = [se.count(puzzle.givens[cells], "sat", board=square).value for cells in planes(puzzle.geometry, "x")]
    both = len(puzzles.solutions(puzzle))
    n_combined = len(puzzles.solutions(table_2((*FOUR, "row-y"))))
    return Finding(
        "abstract, section IV",
        "Algorithm 2 obtains the solutions of the cube from those of nine 2D Sudokus; it is compared with Algorithm 1, "
        "whose two solutions of Table 2 are in Table 3.",
        f"The grids of Table 2 have {' '.join(map(str, numbers))} solutions as 2D Sudokus. {n_combined} of the {both}"
        " solutions of Table 3 is a combination of them.",
        verdict(n_combined == both),
        "A 2D Sudoku has rows and columns. One of the two is along y, a rule that Fig. 8 and Table 3 do not follow: "
        "solution 2 of Table 3 breaks it. So Table 3 cannot come from a program whose layers are 2D Sudokus; this says "
        "nothing against either algorithm, each of which has all solutions by its own rules.",
    )


def _spread_sample(file: str, number: int) -> list[se.Puzzle]:
    """Return some puzzles of a file, evenly spread from the first to the last."""
    cubes = puzzles.read(file)
    return [cubes[round(place)] for place in np.linspace(0, len(cubes) - 1, min(number, len(cubes)))]


def combinations_of_layers(work: Work) -> Finding:
    """Count the combinations that the nine nested loops go through on moderate and on hard cubes."""
    powers = {kind: _powers("six-rules", kind) for kind in ("moderate", "hard")}
    longest = max(row.seconds["jana2023-v2"] for row in rows())
    hard = [row.blanks for row in rows() if row.kind == "hard"]
    clues = [(729 - blanks) / 9 for blanks in (max(hard), min(hard))]
    powers_text = "; on ".join(
        f"{len(some)} {kind} ones at least 10^{floor(min(some))} to 10^{floor(max(some))}"
        for kind, some in powers.items()
    )
    return Finding(
        "section VI, Algorithm 2, lines 22 to 60",
        "All combinations of the layers' solutions are checked, which takes much less time than the other methods: at"
        f" most {longest} s for hard puzzles.",
        f"Of our cubes under six rules the layers have, on {powers_text} combinations (solutions of a layer are "
        "counted up to"
        f" {MOST_OF_A_LAYER}).",
        verdict(10 ** min(powers["hard"]) <= CHECKED_A_SECOND * longest),
        f"Lines 22 to 60 check only whole cubes. The hard puzzles leave {clues[0]:.1f} to {clues[1]:.1f} clues for a "
        "layer on average, and few 2D puzzles with so few clues have few solutions. So the program must drop "
        "combinations earlier than printed, or its layers have far fewer solutions than ours.",
    )


@cache
def _powers(rules: str, kind: str) -> list[float]:
    """Return the logarithms of the numbers of combinations of the layers of a class of cubes, or lower bounds."""
    # Each layer keeps the rules of a 2D Sudoku that the cube has.
    square, powers = se.board("9x9", ("row", "column", "box") if rules == RULES[0] else ("row", "box")), []
    for puzzle in puzzles.read(f"cubes/{rules}-{kind}.txt"):
        power = 0.0
        for cells in planes(puzzle.geometry, "x"):
            count = se.count(puzzle.givens[cells], "norvig2006", limits=se.Limits(MOST_OF_A_LAYER), board=square)
            power += log10(max(1, count.value))
        powers.append(power)
    return powers


def guaranteed_solution(work: Work) -> Finding:
    """Blank one layer of Table 1 and run Algorithm 2 as printed, each layer from its own givens."""
    full = table_1()
    blank = np.isin(np.arange(729), planes(full.geometry, "x")[0])
    puzzle = se.Puzzle.of(full.geometry, np.where(blank, 0, full.givens))
    seconds = min(2.0, work.seconds)
    plain = puzzles.count_in_process(puzzle, "jana2023-v2-plain", seconds)
    others = {name: str(se.count(puzzle, OURS[name])) for name in METHODS}
    counts_text = ", ".join(f"{METHODS[name]} {number}" for name, number in others.items())
    return Finding(
        "abstract, section VII",
        "Both solvers provide all possible solutions; for any valid instance they guarantee at least one.",
        f"On Table 1 with one layer of 81 blank cells, Algorithm 2 with each layer alone finds {plain.value} and is "
        f"stopped ({plain.stopped or 'it ended'}). Started from the candidates of the whole cube: {counts_text}.",
        verdict(plain.complete and plain.value == 1),
        "A blank layer alone has 6.7 * 10^21 solutions. Section VII agrees: Algorithm 2 may not work if a layer is "
        "almost empty; and Algorithm 1 does not work on the 20 hard puzzles of Table 7.",
    )
