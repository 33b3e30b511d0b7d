"""Jana et al. 2023, section III: the worked example, Figs. 8 to 12 and Table 3."""

from contextlib import suppress
from itertools import combinations

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.papers.jana2023_v1 import Matrix
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, SIX, index, table_1, table_2
from sudoku_encode.reproduce.jana2023.tables import CLASSES, RULES
from sudoku_encode.reproduce.puzzles import no_tick


def _blanks(text: str) -> dict[str, str]:
    return dict(item.split(":") for item in text.split())


# Each blank with its candidates, in the printed order. Row 130 of Fig. 8a reads 4 5 2 in our scan, in Fig. 8b 4 5 8.
FIGURE_8A = _blanks(
    "032:489 036:4 038:8 041:5 050:48 051:34 052:348 130:452 131:345 132:3458 138:35 152:35 157:3 230:5 238:3 242:4"
)
FIGURE_8B = _blanks(
    "036:4 038:8 041:5 157:3 230:5 238:3 242:4 050:48 051:34 138:35 152:35 032:489 052:348 130:458 131:345 132:3458"
)
FIGURE_9 = _blanks(
    "036:4 038:8 041:5 157:3 230:5 238:3 242:4 138:5 152:5 032:9 050:48 051:34 052:38 130:48 131:34 132:38"
)
# Each blank with its value in solutions 1 and 2.
TABLE_3 = _blanks(
    "036:44 038:88 041:55 157:33 230:55 238:33 242:44 138:55 152:55 032:99 050:48 051:34 052:83 130:84 131:43 132:38"
)


# Trees are grown up to this size.
MAX_NODES = 200_000
# The cubes on which they are compared; under four rules most trees of hard ones are larger, whatever the order.
SORTED = [(rules, kind) for rules in RULES for kind in CLASSES if (rules, kind) != ("four-rules", "hard")]


def lists(matrix: Matrix) -> dict[str, str]:
    """Return the rows of a matrix P in their order: the name of each blank, and its candidates."""
    return {
        index(cell): "".join(str(value + 1) for value in np.flatnonzero(row))
        for cell, row in zip(matrix.cells.tolist(), matrix.candidates, strict=True)
    }


def subsets() -> dict[tuple[str, ...], se.Puzzle]:
    """Return Table 2 under each choice of the six rules."""
    chosen = [some for size in range(1, 7) for some in combinations(SIX, size)]
    return {rules: table_2(rules) for rules in chosen}


def _named(rules: tuple[str, ...]) -> str:
    return "{" + ", ".join(rules) + "}"


def candidates_of_figure_8a(work: Work) -> Finding:
    """Compute the candidates of the sixteen blanks under every choice of rules."""
    lists_by_rules = {rules: lists(Matrix.of(puzzle)) for rules, puzzle in subsets().items()}
    printed = FIGURE_8A | {"130": FIGURE_8B["130"]}
    wrong = {rules: sum(printed[name] != some[name] for name in printed) for rules, some in lists_by_rules.items()}
    exact = [rules for rules, number in wrong.items() if number == 0]
    nearest = min(number for number in wrong.values() if number)
    slip = [rules for rules, some in lists_by_rules.items() if "2" in some["130"]]
    six = lists_by_rules[SIX]
    return Finding(
        "Fig. 8a",
        "The probable values of the sixteen blanks of Table 2.",
        f"Under the six rules every blank has {max(map(len, six.values()))} probable value, and {wrong[SIX]} of the "
        f"16 lists differ. Of the {len(lists_by_rules)} choices of rules, {len(exact)} give all 16 lists: "
        f"{' and '.join(map(_named, exact))}; every other choice differs in at least {nearest}.",
        verdict(wrong[SIX] == 0),
        "So the program did not check rows along x and y. Row 130 is compared with the 4 5 8 of Fig. 8b; in our scan "
        f"Fig. 8a has 4 5 2, and {len(slip)} of the choices of rules leave 2 there.",
        side_by_side(
            ("blank", "Fig. 8a", "four rules", "six rules"),
            *(
                (name, " ".join(some), " ".join(lists_by_rules[FOUR][name]), six[name])
                for name, some in FIGURE_8A.items()
            ),
        ),
    )


def order_of_figure_8b(work: Work) -> Finding:
    """Sort P by the number of candidates."""
    ours = list(lists(Matrix.of(table_2(FOUR)).sorted()).items())
    printed = list(FIGURE_8B.items())
    same = sum(a == b for a, b in zip(ours, printed, strict=True))
    return Finding(
        "Fig. 8b",
        "P, sorted by the count of probable values.",
        f"Under the four rules that give Fig. 8a, {same} of the {len(printed)} rows are the same in the same place.",
        verdict(ours == printed),
        "Rows of equal count stay in the order of Fig. 8a.",
    )


def _nodes(tree: Tree) -> int:
    """Count the nodes of a tree, up to about MAX_NODES."""

    def tick() -> None:
        if tree.opened.sum() > MAX_NODES:
            raise se.StoppedError("nodes")

    with suppress(se.StoppedError):
        for _ in tree.grow(tick):
            pass
    return min(MAX_NODES, int(tree.opened.sum()))


def sorting_by_count(work: Work) -> Finding:
    """Grow the trees of cubes with the blanks in scan order, sorted by count, and after the constraints too."""
    table = []
    for rules, kind in SORTED:
        trees = []
        for puzzle in puzzles.read(f"cubes/{rules}-{kind}.txt"):
            by_count = Matrix.of(puzzle).sorted()
            plans = (
                jana2021.plan(puzzle),
                Tree.of(puzzle.geometry, by_count.cells, by_count.candidates),
                jana2023_v1.plan(puzzle, no_tick),
            )
            trees.append([_nodes(tree) for tree in plans])
        scan, by, after = np.array(trees).T
        medians = (int(np.median(numbers)) for numbers in (scan, by, after))
        table.append(
            (rules.replace("-", " "), kind, len(trees), int((by < scan).sum()), int((by > scan).sum()), *medians)
        )
    counts_text = "; under ".join(
        f"{rules} on " + ", ".join(f"{row[4]} of {row[2]} {row[1]}" for row in table if row[0] == rules)
        for rules in dict.fromkeys(row[0] for row in table)
    )
    return Finding(
        "section III-A",
        "Blank cells with the fewest probable values must be considered first, which helps in reducing backtracking.",
        "On our cubes for Tables 5 to 7 the tree over the sorted blanks has more nodes than the tree in scan order, "
        f"under {counts_text} (counted up to {MAX_NODES:,}).",
        verdict(not any(row[4] for row in table)),
        "P is sorted once, before the tree grows. The rule of minimum remaining value, which the text names, would "
        "choose again at every node. The constraints that follow make up for some of it: see the last column.",
        side_by_side(
            (
                "rules",
                "class",
                "cubes",
                "fewer nodes sorted",
                "more",
                "median in scan order",
                "sorted",
                "constraints too",
            ),
            *table,
            drawn={
                "cubes": ("cubes", "fewer nodes sorted", "more"),
                "nodes, median": ("median in scan order", "sorted", "constraints too"),
            },
        ),
    )


def elimination_of_figure_9(work: Work) -> Finding:
    """Apply the five constraints."""
    reduced, log = jana2023_v1.eliminate(Matrix.of(table_2(FOUR)).sorted(), no_tick)
    ours = list(lists(reduced.sorted()).items())
    same = sum(a == b for a, b in zip(ours, FIGURE_9.items(), strict=True))
    used = ", ".join(sorted({use.constraint for use in log}))
    cell = int(np.ravel_multi_index((1, 3, 8), (9, 9, 9)))
    (taker,) = (use.cells[0] for use in log if (cell, 3) in use.removed)
    hidden = ", ".join(index(use.cells[0]) for use in log if use.constraint == "hidden single")
    sharing = sum(a == b for a, b in zip(index(taker), index(cell), strict=True))
    return Finding(
        "Fig. 9",
        "P after naked single, hidden single, lone ranger, twin and triplet.",
        f"Under the four rules {same} of the {len(ours)} rows are the same, after {len(log)} steps ({used}).",
        verdict(ours == list(FIGURE_9.items())),
        f"138 loses its 3 to the single {index(taker)}, which shares {sharing} coordinate with it: a minigrid but no "
        f"row. So singles must act on minigrids too, although the text says rows. Hidden singles are {hidden}.",
    )


def two_solutions(work: Work) -> Finding:
    """Count the solutions of Table 2 under every choice of rules."""
    six = se.count(table_2(), "sat", limits=se.Limits(10)).value
    sets = se.rules_with(table_2(), 2)
    exact = sets.matching
    flat = sum("row-x" in rules or "row-y" in rules for rules in exact)
    return Finding(
        "section III-A, Table 3",
        "Table 2 has 2 solutions.",
        f"Under the six rules it has {six}. It has exactly 2 under {len(exact)} of the {len(sets.counts)} choices of "
        f"rules: {', '.join(map(_named, exact))}.",
        verdict(six == 2),
        f"{flat or 'None'} of these choices has rows along x or y. But the caption of Table 2 states these two "
        "rules: the ith elements of each row and of each column of the table are 1 to 9 without repetition.",
    )


def second_solution(work: Work) -> Finding:
    """Count the rows and minigrids that the two solutions of Table 3 break."""
    geometry = se.board("9x9x9")
    broken = []
    for which in (0, 1):
        grid = _solution(which)
        units = {rule.name: sum(len(set(grid[unit].tolist())) < 9 for unit in rule.units) for rule in geometry.rules}
        broken.append({name: number for name, number in units.items() if number})
    broken_texts = [", ".join(f"{number} {name}" for name, number in some.items()) or "none" for some in broken]
    same = "is" if (_solution(0) == table_1().givens).all() else "is not"
    return Finding(
        "Table 3",
        "Solutions 1 and 2 solve the 3D Sudoku of Table 2.",
        f"Of the 486 rows and minigrids solution 1 breaks {broken_texts[0]}, solution 2 breaks "
        f"{broken_texts[1]}. Solution 1 {same}"
        " Table 1.",
        verdict(broken == [{}, {}]),
        "Solution 2 is not a solution under the paper's own definition.",
    )


def _solution(which: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    grid = table_2().givens.copy()
    for name, values in TABLE_3.items():
        grid[int(name[0]) * 81 + int(name[1]) * 9 + int(name[2])] = int(values[which])
    return grid


def values_of_table_3(work: Work) -> Finding:
    """List the solutions of Table 2 under four rules by the three methods."""
    printed = {_solution(which).tobytes() for which in (0, 1)}
    puzzle = table_2(FOUR)
    solutions_by_method = {}
    for method in ("jana2021", "jana2023-v1", "jana2023-v2-joined"):
        solutions_by_method[method] = puzzles.solution_set(puzzle, method)
    agree = [method for method, some in solutions_by_method.items() if some == printed]
    return Finding(
        "Table 3",
        "The algorithm of [2] and Algorithm 1 find the same two solutions of Table 2, of 16 values each.",
        f"Under the four rules {' and '.join(agree)} find exactly the two printed solutions.",
        verdict(len(agree) == len(solutions_by_method)),
    )


def fewer_branches_in_figure_12(work: Work) -> Finding:
    """Count the nodes of the trees before and after the constraints."""
    puzzle = table_2(FOUR)
    by_count = Matrix.of(puzzle).sorted()
    trees = {
        "blanks in scan order, as in [2] (Fig. 11)": jana2021.plan(puzzle),
        "blanks sorted by count": Tree.of(puzzle.geometry, by_count.cells, by_count.candidates),
        "after the five constraints (Fig. 12)": jana2023_v1.plan(puzzle, no_tick),
    }
    rows = []
    for name, tree in trees.items():
        solutions = sum(map(len, tree.grow(no_tick)))
        rows.append((name, int(tree.opened.sum()), int(tree.ended.sum()), int(tree.opened.max()), solutions))
    return Finding(
        "Figs. 11 and 12",
        "Fig. 12 has fewer branches than Fig. 11, by the five constraints; the result is the same.",
        f"{rows[2][1]} nodes and {rows[2][2]} END after the constraints, {rows[0][1]} nodes and {rows[0][2]} END in"
        f" scan order; both trees have {rows[2][4]} solutions.",
        verdict(rows[2][1] < rows[0][1] and rows[2][4] == rows[0][4]),
        f"Sorting alone does most of it: {rows[1][1]} nodes. The trees use the four rules of Fig. 8a.",
        side_by_side(
            ("tree", "nodes", "END", "widest level", "solutions"),
            *rows,
            drawn={"nodes": ("nodes", "END", "widest level"), "solutions": ("solutions",)},
        ),
    )


def value_that_leads_nowhere(work: Work) -> Finding:
    """Look for solutions with 3 in 051, and with 8 in 050 besides."""
    puzzle, places = table_2(FOUR), {"050": 45, "051": 46}
    grids = puzzles.solutions(puzzle, "jana2023-v1")
    with_3 = grids[grids[:, places["051"]] == 3]
    both = int((with_3[:, places["050"]] == 8).sum())
    return Finding(
        "section III-A",
        "The first possible value, 3, of the blank 051 does not contribute to a solution path; the next sentence is "
        "about the path with the second value, 8, of 050.",
        f"{both or 'None'} of the {len(grids)} solutions has 8 in 050 and 3 in 051; {len(with_3)} has 3 in 051.",
        verdict(both == 0),
        "The verdict is on the path with 8 in 050. Without the next sentence the claim would be wrong: solution 1 of "
        "Table 3 has 3 in 051.",
    )
