"""Jana et al. 2023, sections III, IV and VI: the two algorithms as printed, Figs. 13 to 16 and 19, the complexity."""

from collections.abc import Mapping
from itertools import product
from math import floor, log10

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.papers.jana2023_v2 import AXES, planes
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, SIX, table_1, table_2
from sudoku_encode.reproduce.jana2023.example import FIGURE_8A, lists
from sudoku_encode.reproduce.jana2023.tables import METHODS, rows
from sudoku_encode.reproduce.puzzles import no_tick

# Figs. 13 to 16: a row before and after. One digit is a given, several are the probable values of a blank.
FIGURES_13_TO_16 = {
    "Fig. 13": ("5 3 4,7 9 6 8 7* 2 1", "5 3 4 9 6 8 7 2 1"),
    "Fig. 14": ("1 8 5,4 6 7 3 2 9 3,5", "1 8 4 6 7 3 2 9 5"),
    "Fig. 15": ("5 2,3 1 4 2,7 2,3 8 3,6 9", "5 2,3 1 4 7 2,3 8 6 9"),
    "Fig. 16": ("5 2,3,6 1 4 2,3,6 2,3,6 8 6,5 9", "5 2,3,6 1 4 2,3,6 2,3,6 8 5 9"),
}
# Fig. 19: which solution of each layer is combined.
FIGURE_19 = "111111111 111211111 111311111 211111111 211211111 211311111"
# Section VI: the exponents of 9 in the worst cases of a cube and of a layer.
EXPONENTS = {729: 730, 81: 82}
# More combinations than a computer checks in a second.
CHECKED_A_SECOND = 1e9


def printed_tree(tree: Tree) -> list[tuple[int, ...]]:
    """Grow a tree as lines 21 to 62 of Algorithm 1 print it.

    A candidate that does not fit gives the branch its END (lines 51 to 56) unless one before it did fit (the leaf has
    then the same INDEX), and line 36 passes over a branch that has its END.
    """
    branches: list[tuple[int, ...]] = [()]
    for earlier, left in zip(tree.earlier, tree.candidates, strict=True):
        values = (np.flatnonzero(left) + 1).tolist()
        longer = []
        for branch in branches:
            held = {branch[level] for level in earlier}
            if values[0] not in held:
                longer += [(*branch, value) for value in values if value not in held]
        branches = longer
    return branches


def algorithm_1_as_printed(work: Work) -> Finding:
    """Run Algorithm 1 line by line on Table 2."""
    found, all_of_them = {}, 0
    for name, rules in (("four", FOUR), ("six", SIX)):
        tree = jana2023_v1.plan(table_2(rules), no_tick)
        all_of_them = max(all_of_them, sum(map(len, tree.grow(no_tick))))
        found[name] = len(printed_tree(tree))
    scan_order = len(printed_tree(jana2021.plan(table_2(FOUR))))
    return Finding(
        "Algorithm 1, lines 35 to 57",
        "Algorithm 1 finds both solutions of Table 3.",
        f"Under the four rules it keeps {found['four']} of {all_of_them} as printed, with the blanks in scan order"
        f" {scan_order}; under the six rules, where nothing is left to choose, {found['six']} of 1.",
        verdict(found["four"] == all_of_them),
        "A branch gets END as soon as the first candidate of a blank does not fit, and is then passed over, so a later"
        " candidate that fits is lost. END should wait until no candidate fits; then both solutions are found. (Were an"
        " END taken for the leaf of its branch, line 36 would find the branch open, and END would end nothing.)",
    )


def digits_of_the_index(work: Work) -> Finding:
    """Take x, y, z back out of id = 100 a + 10 b + c."""
    lost = [name for name in FIGURE_8A if str(int(name)) != name]
    return Finding(
        "Algorithm 1, lines 25 and 38 to 40",
        "id = 100 a + 10 b + c, and x, y, z are its first, second and third digit.",
        f"With the indices of Fig. 8, which count from 0, {len(lost)} of the {len(FIGURE_8A)} numbers have fewer than"
        f" three digits, such as {int(lost[0])} for {lost[0]}.",
        verdict(not lost),
        "Right with the indices 1 to 9 of the pseudocode's own loops. The figures count from 0.",
    )


def _row(text: str) -> tuple[dict[int, int], dict[int, str]]:
    """Return the givens of a row, and the candidates of its blanks; a star marks a blank with one candidate."""
    cells = dict(enumerate(text.split()))
    blanks = {cell: some.strip("*").replace(",", "") for cell, some in cells.items() if "," in some or "*" in some}
    return {cell: int(some) for cell, some in cells.items() if cell not in blanks}, blanks


def _eliminated(blanks: Mapping[int, str]) -> dict[int, str]:
    left = np.array([[str(value) in some for value in range(1, 10)] for some in blanks.values()])
    reduced, _ = jana2023_v1.eliminate(Matrix(se.board("9x9x9", ("row-z",)), np.array(list(blanks)), left), no_tick)
    return {int(name): some for name, some in lists(reduced).items()}


def rows_of_figures_13_to_16(work: Work) -> Finding:
    """Apply the constraints to the printed rows, and see whether the candidates are possible at all."""
    rows, faults = [], []
    for figure, (before, after) in FIGURES_13_TO_16.items():
        givens, blanks = _row(before)
        wanted = {cell: some.replace(",", "") for cell, some in enumerate(after.split()) if cell in blanks}
        ours = _eliminated(blanks)
        taken = [(cell + 1, value) for cell, some in blanks.items() for value in some if int(value) in givens.values()]
        shown = " ".join(ours[cell] if cell in ours else str(givens[cell]) for cell in range(9))
        remark = ", ".join(f"cell {cell} may hold {value}, which the row has already" for cell, value in taken)
        rows.append((figure, before.replace("*", ""), after, shown, remark or None))
        if ours != wanted or taken:
            faults.append(figure)
    fits = [figure for figure in FIGURES_13_TO_16 if figure not in faults]
    return Finding(
        "Figs. 13 to 16",
        "Examples of naked and hidden single, lone ranger, twin and triplet.",
        f"{', '.join(fits)} come out as printed, and their candidates fit their rows; {', '.join(faults)} do not.",
        verdict(not faults),
        "In Fig. 14 the lone ranger applies to 3 in the last cell as well as to 4, and 3 is a given of the row. In Fig."
        " 16 the 6 goes as the rule says, but the row then holds 5 twice and has no place for 7.",
        side_by_side(("figure", "before", "after", "ours", "remark"), *rows),
    )


def combinations_of_figure_19(work: Work) -> Finding:
    """List the combinations of 2 solutions of layer 1, 3 of layer 4 and 1 of each other."""
    printed = FIGURE_19.split()
    numbers = [max(int(row[layer]) for row in printed) for layer in range(9)]
    ours = ["".join(map(str, some)) for some in product(*(range(1, number + 1) for number in numbers))]
    return Finding(
        "Fig. 19",
        "All possible combinations of the solutions of the nine layers of Fig. 18.",
        f"Layers with {', '.join(map(str, numbers))} solutions have {len(ours)} combinations; the figure lists"
        f" {len(set(printed))} of them.",
        verdict(ours == printed),
        "How many solutions the layers of Fig. 18 have is read from Fig. 19 itself, since Fig. 18 is not in our scan.",
    )


def combinations_of_layers(work: Work) -> Finding:
    """Count the combinations that the nine nested loops go through on hard cubes."""
    square, most = se.board("9x9"), 500
    powers = []
    for puzzle in puzzles.read("cubes/six-rules-hard.txt")[: max(2, work.puzzles)]:
        counts = [
            se.count(puzzle.givens[cells], "norvig2006", limits=se.Limits(most), board=square).value
            for cells in planes(puzzle.geometry, AXES[1])
        ]
        powers.append(sum(log10(max(1, number)) for number in counts))
    longest = max(row.seconds["jana2023-v2"] for row in rows())
    hard = [row.blanks for row in rows() if row.kind == "hard"]
    clues = [(729 - blanks) / 9 for blanks in (max(hard), min(hard))]
    return Finding(
        "section VI, Algorithm 2, lines 22 to 60",
        "All combinations of the layers' solutions are checked, which takes much less time than the other methods: at"
        f" most {longest} s for hard puzzles.",
        f"On {len(powers)} of our hard cubes the layers have at least 10^{floor(min(powers))} to"
        f" 10^{floor(max(powers))} combinations (solutions of a layer are counted up to {most}).",
        verdict(10 ** min(powers) <= CHECKED_A_SECOND * longest),
        f"Lines 22 to 60 check whole cubes only. The hard puzzles leave {clues[0]:.1f} to {clues[1]:.1f} clues to a"
        " layer on average, and few 2D puzzles with so few clues have few solutions. So the program must drop"
        " combinations earlier than printed, or its layers have far fewer solutions than ours.",
    )


def branches_of_a_full_tree(work: Work) -> Finding:
    """Count the branches of full trees level by level."""
    small = all(
        sum(n**level for level in range(1, h + 1)) == (n ** (h + 1) - 1) // (n - 1) - 1
        for n in range(2, 10)
        for h in range(7)
    )
    worst = {blanks: sum(9**level for level in range(1, blanks + 1)) for blanks in EXPONENTS}
    right = all(8 * worst[blanks] == 9**exponent - 9 for blanks, exponent in EXPONENTS.items())
    return Finding(
        "section VI",
        "A full N-ary tree of height h has (N^(h+1) - 1)/(N - 1) - 1 branches; with N = 9 that is (9^730 - 9)/8 for 729"
        " blanks and (9^82 - 9)/8 for the 81 of a layer.",
        f"Added up level by level, the formula is {'right' if small else 'wrong'} for N from 2 to 9 and h up to 6, and"
        f" the two worst cases are {'right' if right else 'wrong'}: about 10^{len(str(worst[729])) - 1} and"
        f" 10^{len(str(worst[81])) - 1}.",
        verdict(small and right),
        "Right for a tree in which no rule is checked. Algorithm 2 grows nine such trees and then combines their"
        " solutions; the section gives no bound for that.",
    )


def height_of_the_tree(work: Work) -> Finding:
    """Find the height that gives the printed worst cases."""
    heights = {blanks: exponent - 1 for blanks, exponent in EXPONENTS.items()}
    said = " and ".join(f"h = {h} for {blanks} blanks" for blanks, h in heights.items())
    return Finding(
        "section VI",
        "The tree contains h levels, where h - 1 is the number of blank cells.",
        f"The printed worst cases have {said}.",
        verdict(all(h - 1 == blanks for blanks, h in heights.items())),
        "With the head as level 0 the height is the number of blanks; there are h + 1 levels.",
    )


def guaranteed_solution(work: Work) -> Finding:
    """Blank one layer of Table 1 and run Algorithm 2 as printed, each layer from its own givens."""
    full = table_1()
    blank = np.isin(np.arange(729), planes(full.geometry, "y")[0])
    puzzle = se.Puzzle.of(full.geometry, np.where(blank, 0, full.givens))
    seconds = min(2.0, work.seconds)
    plain = answers.count_in_process(puzzle, "jana2023-v2-plain", seconds)
    others = {name: str(se.count(puzzle, name)) for name in METHODS}
    said = ", ".join(f"{METHODS[name]} {number}" for name, number in others.items())
    return Finding(
        "abstract, section VII",
        "Both solvers provide all possible solutions; for any valid instance they guarantee at least one.",
        f"On Table 1 with one layer of 81 cells blank, Algorithm 2 with each layer for itself finds {plain.value} and"
        f" is stopped ({plain.stopped or 'it ended'}). Started from the candidates of the whole cube: {said}.",
        verdict(plain.complete and plain.value == 1),
        "A blank layer alone has 6.7 * 10^21 solutions. Section VII says so too: Algorithm 2 may not work if a layer is"
        " almost empty; and Algorithm 1 does not work on the 20 hard puzzles of Table 7.",
    )
