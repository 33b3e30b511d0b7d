"""Jana et al. 2023, sections III, IV and VI: the two algorithms as printed, Figs. 13 to 16 and 19, the complexity."""

from collections.abc import Mapping

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import jana2023_v1
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.example import FIGURE_8A, lists
from sudoku_encode.reproduce.puzzles import no_tick

# Figs. 13 to 16: a row before and after. One digit is a given, several are the probable values of a blank.
FIGURES_13_TO_16 = {
    "Fig. 13": ("5 3 4,7 9 6 8 7* 2 1", "5 3 4 9 6 8 7 2 1"),
    "Fig. 14": ("1 8 5,4 6 7 3 2 9 3,5", "1 8 4 6 7 3 2 9 5"),
    "Fig. 15": ("5 2,3 1 4 2,7 2,3 8 3,6 9", "5 2,3 1 4 7 2,3 8 6 9"),
    "Fig. 16": ("5 2,3,6 1 4 2,3,6 2,3,6 8 6,5 9", "5 2,3,6 1 4 2,3,6 2,3,6 8 5 9"),
}
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
        "Right with the indices 1 to 9 of the pseudocode's own loops. The figures count from 0.",
    )


def _row(text: str) -> tuple[dict[int, int], dict[int, str]]:
    """Return the givens of a row, and the candidates of its blanks; a star marks a blank with one candidate."""
    cells = dict(enumerate(text.split()))
    blanks = {cell: some.strip("*").replace(",", "") for cell, some in cells.items() if "," in some or "*" in some}
    return {cell: int(some) for cell, some in cells.items() if cell not in blanks}, blanks


def _eliminated(blanks: Mapping[int, str]) -> tuple[dict[int, str], str]:
    """Return what the constraints leave to the blanks of a row, and what they do, cells from 1."""
    left = np.array([[str(value) in some for value in range(1, 10)] for some in blanks.values()])
    reduced, log = jana2023_v1.eliminate(Matrix(se.board("9x9x9", ("row-z",)), np.array(list(blanks)), left), no_tick)
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
        wanted = {cell: some.replace(",", "") for cell, some in enumerate(after.split()) if cell in blanks}
        ours, uses = _eliminated(blanks)
        taken = [(cell + 1, value) for cell, some in blanks.items() for value in some if int(value) in givens.values()]
        shown = " ".join(ours[cell] if cell in ours else str(givens[cell]) for cell in range(9))
        remark = ", ".join(f"cell {cell} may hold {value}, which the row has already" for cell, value in taken)
        rows.append((figure, before.replace("*", ""), after, shown, remark or None, uses))
        if ours != wanted or taken:
            faults.append(figure)
    fits = [figure for figure in FIGURES_13_TO_16 if figure not in faults]
    return Finding(
        "Figs. 13 to 16",
        "Examples of naked and hidden single, lone ranger, twin and triplet.",
        f"{', '.join(fits)} come out as printed, and their candidates fit their rows; {', '.join(faults)} do not.",
        verdict(not faults),
        "In Fig. 14 the lone ranger applies to 3 in the last cell as well as to 4, and 3 is a given of the row. In Fig."
        " 16 the 6 goes as the rule says, but the row then holds 5 twice and has no place for 7. In the paper's order"
        " the lone rangers come first and do what the twin of Fig. 15 shows. The four rows are puzzles too: explain"
        " instances/cubes/jana-2023-figs-13-to-16.json.",
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
