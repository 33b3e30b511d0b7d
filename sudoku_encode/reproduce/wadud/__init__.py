"""Wadud & Abdullah-Al-Wadud: faster data structures for UHBPnP. Its example, strategies and algorithms."""

from itertools import product

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import hbpnp_state
from sudoku_encode.papers.hbpnp import Search
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Work, verdict
from sudoku_encode.reproduce.wadud import table
from sudoku_encode.reproduce.wadud.algorithms import (
    NUMBERS,
    Looks,
    Rows,
    Tables,
    all_lists,
    candidate_list,
    cells_of,
    check_violation_1,
    check_violation_2,
    crossed_out,
    random_grids,
    singles,
    sub_grid,
    update,
)

# Section 2.1: the list of cell (2, 2) of Fig. 1, counted from 1.
LIST_OF_2_2 = {5, 8}
# Section 2.2: what each of the steps 1, 3 and 5 of Algorithm 1 may need to check.
CELLS_OF_A_STEP = 9


def rows_of(puzzle: se.Puzzle) -> Rows:
    """Return the givens as rows."""
    rows: Rows = puzzle.givens.reshape(9, 9).tolist()
    return rows


def figure_1() -> se.Puzzle:
    """Return the puzzle of Fig. 1."""
    (puzzle,) = puzzles.read("papers/uhbpnp-fig-1.txt")
    return puzzle


def solution(puzzle: se.Puzzle) -> Rows:
    """Return the first solution."""
    rows: Rows = answers.solution(puzzle).reshape(9, 9).tolist()
    return rows


def the_example(work: Work) -> Finding:
    """Fig. 1 is a Sudoku puzzle."""
    puzzle = figure_1()
    found = se.count(puzzle, "sat").value
    search = Search.of(puzzle, "uhbpnp-tables")
    list(search.grow(puzzles.no_tick))
    return Finding(
        "Fig. 1",
        "A Sudoku puzzle.",
        f"{np.count_nonzero(puzzle.givens)} clues, {found} solution, found with {search.guesses} guesses.",
        verdict(found == 1),
        "The paper states no number of clues. The list of (2, 2) is all that it works out on this puzzle.",
    )


def the_list_of_a_cell(work: Work) -> Finding:
    """Section 2.1: the candidates of (2, 2)."""
    ours = candidate_list(rows_of(figure_1()), 1, 1, Looks())
    return Finding(
        "section 2.1",
        f"In Fig. 1 the candidate list of (2, 2) contains {_list(LIST_OF_2_2)}.",
        f"It contains {_list(ours)}.",
        verdict(ours == LIST_OF_2_2),
    )


def _list(numbers: set[int]) -> str:
    return " and ".join(map(str, sorted(numbers)))


def the_three_strategies(work: Work) -> Finding:
    """Section 1: what lone singles, hidden singles and lone pairs say is so."""
    right = {"lone single": 0, "hidden single": 0, "lone pair": 0}
    wrong = dict(right)
    kinds = ("easy", "medium", "hard", "evil")
    made = [puzzle for kind in kinds for puzzle in puzzles.random(kind, max(1, work.puzzles // 4))]
    for puzzle in made:
        grid, lists = solution(puzzle), all_lists(rows_of(puzzle), Looks())
        for name, (r, c), number in singles(lists):
            (right if grid[r][c] == number else wrong)[name] += 1
        for (r, c), number in crossed_out(lists):
            (wrong if grid[r][c] == number else right)["lone pair"] += 1
    found = ", ".join(f"{n} by {name}s ({wrong[name]} wrong)" for name, n in right.items())
    return Finding(
        "section 1",
        "A lone single, the only candidate of a cell, should be placed; hidden singles and lone pairs are patterns too "
        "that are used to fill in cells.",
        f"On {len(made)} random puzzles, placements and numbers crossed out: {found}.",
        verdict(not any(wrong.values()) and all(right.values())),
        "What follows from a hidden single and from a lone pair the paper does not print. Taken is the usual: the "
        "number is placed; the two numbers of the pair are crossed out elsewhere in its row, column or sub-grid.",
    )


def pencil_and_paper_alone(work: Work) -> Finding:
    """Section 1: it cannot solve difficult puzzles."""
    guesses = {name: table.decisions(name, "uhbpnp")[0] for name in table.TIMES}
    solved = sum(number == 0 for number in guesses.values())
    return Finding(
        "section 1",
        "Puzzles of high difficulty cannot be solved by pencil and paper alone.",
        f"The three strategies solve {solved} of the ten AI puzzles; UHBPnP guesses {min(guesses.values())} to "
        f"{max(guesses.values())} times until it has proved that there is no second solution.",
        verdict(solved == 0),
        "It guesses when no strategy applies, so no guess means solved by the strategies.",
    )


def backtracking_always_answers(work: Work) -> Finding:
    """Section 1: plain backtracking."""
    tried = {name: table.values_tried(name) for name in table.TIMES}
    answered = sum(found == 1 for found, _ in tried.values())
    placed = {name: table.decisions(name, "uhbpnp")[1] for name in table.TIMES}
    fewest = min(tried[name][1] / placed[name] for name in tried)
    return Finding(
        "section 1",
        "Backtracking always guarantees an answer but takes too long.",
        f"It finds the one solution of {answered} of the ten AI puzzles. It tries at least {fewest:.1f} times as many "
        "values as UHBPnP places, each search up to the proof that there is no other solution.",
        verdict(answered == len(tried) and fewest > 1),
        "Values are counted, since time says more about the program. What is too long, the paper does not say.",
    )


def lists_kept_instead_of_built(work: Work) -> Finding:
    """Section 2.1: lists that are updated are those that are built anew, for less work."""
    grid, truth = rows_of(figure_1()), solution(figure_1())
    built, kept = Looks(), Looks()
    lists = all_lists(grid, kept)
    n_same = n_placed = 0
    for r, c in list(lists):
        grid[r][c] = truth[r][c]
        update(lists, truth[r][c], r, c, kept)
        n_same += lists == all_lists(grid, built)
        n_placed += 1
    return Finding(
        "section 2.1",
        "Lists that are made once and updated when a number is put take much less time than lists made every time, "
        "given that the update operations are efficient.",
        f"Filling Fig. 1 cell by cell, the two agree after {n_same} of {n_placed} placements. Building reads "
        f"{built.cells:,} cells in all; the first lists and the updates read {kept.cells + kept.entries:,} cells and "
        "entries.",
        verdict(n_same == n_placed and kept.cells + kept.entries < built.cells / 3),
        "Building is counted once for a placement; HBPnP and UHBPnP do it for every strategy. The condition is met "
        "here, since a table finds the lists of a row, a column and a sub-grid by their places; in two parallel arrays "
        "each list would have to be searched for, which is not counted.",
    )


def most_of_a_scan_is_redundant(work: Work) -> Finding:
    """Section 2.1: how many lists change from one round of strategies to the next?"""
    same = total = 0
    for name in table.TIMES:
        one, other = table.unchanged_lists(name)
        same, total = same + one, total + other
    return Finding(
        "section 2.1",
        "Most of the scan that makes the lists anew is redundant.",
        f"Of {total:,} lists of blanks in the rounds of UHBPnP on the ten AI puzzles {100 * same / total:.0f} percent "
        "are as in the round before.",
        verdict(same > total / 2),
        "Guesses taken back are rounds too. Lists made for the second and third strategy of a round are not counted; "
        "they never change.",
    )


def cells_of_a_step(work: Work) -> Finding:
    """Section 2.2: what Algorithm 1 reads."""
    looks, all_cells = Looks(), Looks()
    for grid in random_grids(work.puzzles):
        for a, r, c in product(NUMBERS, range(9), range(9)):
            check_violation_1(grid, a, r, c, looks)
    check_violation_1([[0] * 9 for _ in range(9)], 1, 0, 0, all_cells)
    different = len(set().union(*cells_of(0, 0)))
    return Finding(
        "Algorithm 1",
        f"Steps 1, 3 and 5 may need to check {CELLS_OF_A_STEP} cells each.",
        f"The most that a step reads is {looks.longest}; the three read up to {all_cells.cells} cells, {different} of "
        "them different.",
        verdict(looks.longest == CELLS_OF_A_STEP),
        "Step 5 could leave out the five cells that steps 1 and 3 have read.",
    )


def both_algorithms_say_the_same(work: Work) -> Finding:
    """Section 2.2: Algorithms 1 and 2 as printed, on random grids and while numbers are put and taken back."""
    asked = agree = right = own = 0
    steps, looks = set[int](), Looks()
    for grid in random_grids(work.puzzles):
        tables = Tables.of(grid)
        for a, r, c in product(NUMBERS, range(9), range(9)):
            one = check_violation_1(grid, a, r, c, looks)
            two = check_violation_2(tables, a, r, c, sub_grid(r, c), looks)
            peers = {grid[x][y] for cells in cells_of(r, c) for x, y in cells if (x, y) != (r, c)}
            asked, agree = asked + 1, agree + (one == two)
            right += bool(one) == (a in peers)
            own += bool(one) != (a in peers) and grid[r][c] == a
            steps |= {one, two}
    walked, kept = _walk(200 * max(1, work.puzzles // 10))
    return Finding(
        "Algorithms 1 and 2",
        "Both say whether a in row r and column c causes a violation.",
        f"On {asked:,} questions about {work.puzzles} random grids they end at the same step {agree:,} times, and are "
        f"right {right:,} times; in {own:,} others a stands on the cell itself. All {len(steps)} ways out are taken. "
        f"While numbers are put and taken back on Fig. 1 they agree on {kept:,} of {walked:,} questions.",
        verdict(agree == asked == right + own and kept == walked),
        "They are meant for empty cells. Flags of 0 and 1 can be cleared when a number is taken back, since no unit "
        "holds a number twice then; the paper does not print that step.",
    )


def _walk(steps: int) -> tuple[int, int]:
    """Put numbers that Algorithm 2 allows and take them back; return the questions and the same answers."""
    chance = np.random.default_rng(2)
    grid, put, looks = rows_of(figure_1()), list[tuple[int, int]](), Looks()
    tables, blanks = Tables.of(grid), list(all_lists(grid, looks))
    same = 0
    for _ in range(steps):
        r, c = blanks[chance.integers(len(blanks))]
        a = int(chance.integers(1, 10))
        two = check_violation_2(tables, a, r, c, sub_grid(r, c), looks)
        same += two == check_violation_1(grid, a, r, c, looks)
        if grid[r][c] == 0 and not two:
            grid[r][c] = a
            tables.mark(a, r, c, 1)
            put.append((r, c))
        elif put:
            r, c = put.pop(int(chance.integers(len(put))))
            tables.mark(grid[r][c], r, c, 0)
            grid[r][c] = 0
    return steps, same


def what_a_check_reads(work: Work) -> Finding:
    """Section 2.2: Algorithm 2 is to reduce the time of a check."""
    scan, look = Looks(), Looks()
    asked = 0
    for puzzle in (figure_1(), *(table.ai_puzzle(name) for name in table.TIMES)):
        grid = rows_of(puzzle)
        tables = Tables.of(grid)
        for (r, c), a in product(list(all_lists(grid, Looks())), NUMBERS):
            check_violation_1(grid, a, r, c, scan)
            check_violation_2(tables, a, r, c, sub_grid(r, c), look)
            asked += 1
    return Finding(
        "Algorithm 2",
        "It reduces the time needed to check whether a candidate causes a violation.",
        f"For every blank and number of Fig. 1 and the ten AI puzzles Algorithm 1 reads {scan.cells / asked:.1f} cells "
        f"on average and Algorithm 2 {look.entries / asked:.1f} entries.",
        verdict(look.entries < scan.cells),
        "Three entries have to be set for each number that is put, and cleared when it is taken back.",
    )


def lists_after_a_guess_is_taken_back(work: Work) -> Finding:
    """Section 2.1 says how lists change when a number is put; what when it is taken back?"""
    grid, truth, looks = rows_of(figure_1()), solution(figure_1()), Looks()
    lists = all_lists(grid, looks)
    spoilt = 0
    for r, c in list(lists):
        after = {cell: set(left) for cell, left in lists.items()}
        update(after, truth[r][c], r, c, looks)
        # The obvious way back: the number returns to every list of the row, the column and the sub-grid.
        for cell in set().union(*cells_of(r, c)) & after.keys():
            after[cell].add(truth[r][c])
        spoilt += any(after[cell] != lists[cell] for cell in after)
    return Finding(
        "section 2.1",
        "The lists are updated every time a number is put on an empty cell.",
        f"To add the number again to the lists of the row, the column and the sub-grid when it is taken back would "
        f"spoil the lists for {spoilt} of the {len(lists)} first placements on Fig. 1.",
        UNCHECKED,
        "The paper does not say how the lists are restored when a guess fails, nor which cell is guessed, nor what "
        "lone pairs leave when lists are made anew. Our table version saves its "
        f"{hbpnp_state.start(figure_1(), hbpnp_state.TABLES).marks.size} marks before a guess.",
    )


CHECKS: tuple[Check, ...] = (
    *(the_example, the_list_of_a_cell, the_three_strategies, pencil_and_paper_alone, backtracking_always_answers),
    *(lists_kept_instead_of_built, most_of_a_scan_is_redundant, lists_after_a_guess_is_taken_back),
    *(cells_of_a_step, both_algorithms_say_the_same, what_a_check_reads),
    *table.CHECKS,
)
