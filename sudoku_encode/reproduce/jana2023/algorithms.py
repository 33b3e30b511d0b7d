"""Jana et al. 2023, sections III and VI: Algorithm 1 as printed, its linked list, Figs. 10, 13 to 16, complexity."""

from collections.abc import Callable, Mapping

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.papers.jana2023_v1_printed import LinkedList, build
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, SIX, table_2
from sudoku_encode.reproduce.jana2023.example import FIGURE_8A, lists
from sudoku_encode.reproduce.puzzles import no_tick

# Figs. 13 to 16: a row before and after. One digit is a given, several are the probable values of a blank.
FIGURES_13_TO_16 = {
    "Fig. 13": ("5 3 4,7 9 6 8 7* 2 1", "5 3 4 9 6 8 7 2 1"),
    "Fig. 14": ("1 8 5,4 6 7 3 2 9 3,5", "1 8 4 6 7 3 2 9 5"),
    "Fig. 15": ("5 2,3 1 4 2,7 2,3 8 3,6 9", "5 2,3 1 4 7 2,3 8 6 9"),
    "Fig. 16": ("5 2,3,6 1 4 2,3,6 2,3,6 8 6,5 9", "5 2,3,6 1 4 2,3,6 2,3,6 8 5 9"),
}
# Algorithm 1: the first value of l (line 1), the columns of P (line 2), the last column that is filled (line 9), and
# how far beyond row l lines 15, 17 and 21 go.
FIRST_ROW, COLUMNS, LAST_COLUMN, BEYOND_L = 1, 12, 13, 0
# Section VI: the exponents of 9 in the worst cases of a cube and of a layer.
EXPONENTS = {729: 730, 81: 82}


def digits_of_the_index(work: Work) -> Finding:
    """Take x, y, z back out of id = 100 a + 10 b + c."""
    lost = [name for name in FIGURE_8A if str(int(name)) != name]
    return Finding(
        "Algorithm 1, lines 25 and 38 to 40",
        "id = 100 a + 10 b + c, and x, y, z are its first, second and third digit.",
        f"With the indices of Fig. 8, which count from 0, {len(lost)} of the {len(FIGURE_8A)} numbers have fewer than"
        f" three digits, such as {int(lost[0])} for {lost[0]}.",
        verdict(not lost),
        "This is right with the indices 1 to 9 of the pseudocode's own loops. The figures count from 0.",
    )


def rows_and_columns_of_p(work: Work) -> Finding:
    """Run lines 1 to 14 of Algorithm 1 on Table 2, and compare the rows and columns of P with those that are used."""
    row, filled = FIRST_ROW, []
    for given in table_2().givens.tolist():
        if given == 0:
            filled.append(row)
            row += 1
    empty = [visited for visited in range(FIRST_ROW, row + BEYOND_L + 1) if visited not in filled]
    return Finding(
        "Algorithm 1, lines 1 to 21",
        f"P has {COLUMNS} columns (line 2), the last filled one is {LAST_COLUMN} (lines 9, 15 and 17); l is "
        f"{FIRST_ROW} at first (line 1) and grows by 1 after each blank (line 10); lines 15, 17 and 21 go from 1 to l.",
        f"On Table 2 lines 3 to 14 fill {len(filled)} rows and leave l at {row}, so lines 15, 17 and 21 visit "
        f"{len(empty)} empty row. P has {'a' if LAST_COLUMN <= COLUMNS else 'no'} column "
        f"{LAST_COLUMN}.",
        verdict(not empty and LAST_COLUMN <= COLUMNS),
        "Both are slips: x, y, z, nine values and their count are 13 columns, and l - 1 rows are filled. By its "
        "count, 0, the empty row would be sorted to the top. In our scan line 9 of Algorithm 2 stores [i, k], where i "
        "is the number of the grid and the other index is j; and the last row of Table 4, for m solutions of n blanks, "
        "is called solution n.",
    )


def two_reasons_for_a_hidden_single(work: Work) -> Finding:
    """Apply both explanations of a hidden single to the row of Fig. 13."""
    givens, blanks = _row(FIGURES_13_TO_16["Fig. 13"][0])
    cell, values = next((cell, values) for cell, values in blanks.items() if len(values) > 1)
    others = {value for other, some in blanks.items() if other != cell and len(some) == 1 for value in some}
    after = [value for value in values if value not in others]
    absent = [value for value in values if int(value) not in givens.values()]
    return Finding(
        "section III-B1, Fig. 13",
        "A hidden single is the only value left in a cell after the values of naked singles are removed; 4 is one in "
        f"cell {cell + 1} because it is not present in any of the three directions.",
        f"After that removal {' and '.join(after)} is left in cell {cell + 1}. But {' and '.join(absent)}, "
        f"{len(absent)} of its {len(values)} values, are not present in the row.",
        verdict(after == absent),
        "The second explanation holds for every probable value, so it cannot be the reason. Algorithm 1 here uses the "
        "first. The usual hidden single, the only place of a value in a row, is the paper's lone ranger.",
    )


def _row(text: str) -> tuple[dict[int, int], dict[int, str]]:
    """Return the givens of a row, and the candidates of its blanks; a star marks a blank with one candidate."""
    cells = dict(enumerate(text.split()))
    blanks = {cell: some.strip("*").replace(",", "") for cell, some in cells.items() if "," in some or "*" in some}
    return {cell: int(some) for cell, some in cells.items() if cell not in blanks}, blanks


def _eliminated(blanks: Mapping[int, str]) -> tuple[dict[int, str], str]:
    """Return the candidates that the constraints leave in the blanks of a row, and the uses in words, cells from 1."""
    candidates = np.array([[str(value) in some for value in range(1, 10)] for some in blanks.values()])
    reduced, log = jana2023_v1.eliminate(
        Matrix(se.board("9x9x9", ("row-z",)), np.array(list(blanks)), candidates), no_tick
    )
    uses = (
        f"{use.constraint} {' '.join(map(str, use.values))} in {' '.join(str(cell + 1) for cell in use.cells)}"
        for use in log
        if use.removed or use.constraint == "hidden single"
    )
    return {int(name): some for name, some in lists(reduced).items()}, ", ".join(uses)


def rows_of_figures_13_to_16(work: Work) -> Finding:
    """Apply the constraints to the printed rows, and see whether the candidates are possible at all."""
    rows, faults = [], []
    for figure, (before, after) in FIGURES_13_TO_16.items():
        givens, blanks = _row(before)
        expected = {cell: some.replace(",", "") for cell, some in enumerate(after.split()) if cell in blanks}
        ours, uses = _eliminated(blanks)
        taken = [(cell + 1, value) for cell, some in blanks.items() for value in some if int(value) in givens.values()]
        shown = " ".join(ours[cell] if cell in ours else str(givens[cell]) for cell in range(9))
        remark = ", ".join(f"cell {cell} may hold {value}, which the row has already" for cell, value in taken)
        rows.append((figure, before.replace("*", ""), after, shown, remark or None, uses))
        if ours != expected or taken:
            faults.append(figure)
    fits = [figure for figure in FIGURES_13_TO_16 if figure not in faults]
    return Finding(
        "Figs. 13 to 16",
        "Examples of naked and hidden single, lone ranger, twin and triplet.",
        f"{', '.join(fits)} come out as printed, and their candidates fit their rows; {', '.join(faults)} do not.",
        verdict(not faults),
        "In Fig. 14 the lone ranger applies to 3 in the last cell as well as to 4, but 3 is a given of the row. In "
        "Fig. 16 the 6 is removed as the rule says, but then the row holds 5 twice and has no place for 7. In the "
        "paper's order the lone rangers come first and already do what the twin of Fig. 15 shows. The four rows are "
        "puzzles too: explain instances/cubes/jana-2023-figs-13-to-16.json.",
        side_by_side(("figure", "before", "after", "ours", "remark", "constraints, and their cells from 1"), *rows),
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
        verdict(small and right, own=True),
        "This is right for a tree in which no rule is checked. Algorithm 2 grows nine such trees and then combines "
        "their solutions; the section gives no bound for that.",
    )


def height_of_the_tree(work: Work) -> Finding:
    """Find the height that gives the printed worst cases."""
    heights = {blanks: exponent - 1 for blanks, exponent in EXPONENTS.items()}
    heights_text = " and ".join(f"h = {h} for {blanks} blanks" for blanks, h in heights.items())
    return Finding(
        "section VI",
        "The tree contains h levels, where h - 1 is the number of blank cells.",
        f"The printed worst cases have {heights_text}.",
        verdict(all(h - 1 == blanks for blanks, h in heights.items())),
        "With the head as level 0 the height is the number of blanks; there are h + 1 levels.",
    )


# Algorithm 1, lines 18 to 62, Fig. 10 and section III-A: the linked list and the path-matrix.

# Fig. 10: the fields of a node. Algorithm 1: the lines that put something into each.
FIELDS = {"VAL": "27", "INDEX": "28, 54", "PREV": "", "NEXT": "49, 55", "DOWN": "31, 47", "UP": ""}
# Algorithm 1: the lines that put something into the path-matrix, and into S, the set of solutions that it returns.
FILLS = {"path-matrix": "", "S": ""}

# The branches that a reading of the lines keeps, each as the values of the blanks.
Reading = Callable[[Tree], list[tuple[int, ...]]]


def branches_of_own_nodes(tree: Tree, wait: bool) -> list[tuple[int, ...]]:
    """Return the branches of the tree of lines 21 to 62 if each branch has its own node for a candidate.

    Unless it should wait, a candidate that does not fit gives the branch its END (lines 51 to 56) unless one before it
    did fit (the leaf has then the same INDEX), and line 36 passes over a branch that has its END.
    """
    branches: list[tuple[int, ...]] = [()]
    for earlier, allowed in zip(tree.earlier, tree.candidates, strict=True):
        values = (np.flatnonzero(allowed) + 1).tolist()
        longer = []
        for branch in branches:
            values_above = {branch[level] for level in earlier}
            if wait or values[0] not in values_above:
                longer += [(*branch, value) for value in values if value not in values_above]
        branches = longer
    return branches


READINGS: dict[str, Reading] = {
    "one node for a candidate, as printed; END at the first that does not fit, as printed": lambda tree: (
        build(tree, no_tick).path_matrix
    ),
    "one node for a candidate; END when none fits": lambda tree: build(tree, no_tick, wait=True).path_matrix,
    "a node for each branch; END at the first that does not fit": lambda tree: branches_of_own_nodes(tree, wait=False),
    "a node for each branch; END when none fits": lambda tree: branches_of_own_nodes(tree, wait=True),
}


def algorithm_1_as_printed(work: Work) -> Finding:
    """Run lines 18 to 62 of Algorithm 1 on Table 2, in four readings."""
    trees = (
        jana2023_v1.plan(table_2(FOUR), no_tick),
        jana2021.plan(table_2(FOUR)),
        jana2023_v1.plan(table_2(SIX), no_tick),
    )
    every = [sum(map(len, tree.grow(no_tick))) for tree in trees]
    rows = [(name, *(len(reading(tree)) for tree in trees)) for name, reading in READINGS.items()]
    printed = rows[0][1:]
    return Finding(
        "Algorithm 1, lines 26 to 57",
        "Algorithm 1 finds both solutions of Table 3.",
        f"Under the four rules it keeps {printed[0]} of {every[0]} as printed, and {printed[1]} with the blanks in "
        f"scan order; under the six rules, where there is nothing left to choose, {printed[2]} of {every[2]}.",
        verdict(printed[0] == every[0]),
        "They are lost for two reasons. A branch gets END as soon as the first candidate of a blank does not fit, "
        "and is then passed over, so a later candidate that fits is lost. And line 26 makes one node for a "
        "candidate, which is then linked to every open branch: an END behind it ends all of them, and a candidate "
        "that is linked to it by DOWN belongs to all of them. With a node for each branch, and an END only when no "
        "candidate fits, both are found: that is the tree of jana2021 and jana2023-v1. (If an END counted as the "
        "leaf of its branch, line 36 would find the branch open, and END would end nothing.)",
        side_by_side(
            ("reading", "four rules, order of P", "four rules, scan order", "six rules, order of P"),
            *rows,
            drawn={"solutions found": ("four rules, order of P", "four rules, scan order", "six rules, order of P")},
        ),
    )


def _wrong_branches(linked: LinkedList, tree: Tree) -> tuple[int, int]:
    """Count the branches of full length, and those of them that break a rule."""
    last = len(tree.cells) - 1
    full = [[node.value for node in branch] for branch in linked.branches() if branch[-1].level == last]
    wrong = sum(
        any(values[other] == values[level] for level in range(last + 1) for other in tree.earlier[level].tolist())
        for values in full
    )
    return len(full), wrong


def path_matrix(work: Work) -> Finding:
    """Look for the lines that fill the path-matrix, and for what the links alone say."""
    tree = jana2023_v1.plan(table_2(FOUR), no_tick)
    linked = build(tree, no_tick, wait=True)
    full, wrong = _wrong_branches(linked, tree)
    missing = [name for name, lines in FILLS.items() if not lines]
    return Finding(
        "section III-A, Algorithm 1",
        "The solution paths are stored in the path-matrix at the time they are being identified, since a second value"
        " of a blank is not linked to the value that follows it.",
        f"No line of Algorithm 1 puts anything into {' or '.join(missing)}. But the reason given for it is right: if "
        f"END waits until no candidate fits, the links of Table 2 lead to {full} branches of full length, and "
        f"{wrong} of them breaks a rule.",
        verdict(not missing),
        "If it is filled where line 44 accepts a candidate of the last blank, the path-matrix contains "
        f"{len(linked.path_matrix)} of the 2 solutions. With a node for each branch it is not needed: each branch is "
        "its own row of it.",
    )


def fields_of_figure_10(work: Work) -> Finding:
    """Look for the lines that fill the fields of a node."""
    linked = build(jana2023_v1.plan(table_2(FOUR), no_tick), no_tick)
    unset = [name for name, lines in FIELDS.items() if not lines]
    backward = sum(node.prev is not None or node.up is not None for node in linked.nodes)
    return Finding(
        "Fig. 10",
        "A node has VAL, INDEX and four pointers: PREV to the node on its left, NEXT, DOWN and UP.",
        f"No line of Algorithm 1 sets {' or '.join(unset)}: after a run on Table 2 {backward} of the"
        f" {len(linked.nodes)} nodes have one. Lines 31 and 47 link a node to itself {linked.own_links} time"
        f"{'' if linked.own_links == 1 else 's'} in that run.",
        verdict(not unset),
        "One PREV is not enough: the node of a candidate has as many nodes on its left as branches that it fits. "
        "Line 31 links the first node to the head. Lines 35 to 47 then reach it as the leaf of a branch with the "
        "same INDEX, and link it to its own DOWN; the same happens to the third of three candidates that fit.",
        side_by_side(("field", "set in lines"), *((name, lines or "none") for name, lines in FIELDS.items())),
    )
