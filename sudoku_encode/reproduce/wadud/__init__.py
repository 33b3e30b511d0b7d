"""Wadud & Abdullah-Al-Wadud, faster data structures for UHBPnP: its example, strategies and algorithms."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers.hbpnp import Search
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Work, verdict
from sudoku_encode.reproduce.wadud import table

# The data structures, written out from the paper: plain and slow, sharing no code with `papers.hbpnp`. Reads are
# counted, so that costs need no clock.

Rows = list[list[int]]
NUMBERS = range(1, 10)


@dataclass
class Looks:
    """Counts of reads: cells of the puzzle, entries of tables, and the most cells that a step read."""

    cells: int = 0
    entries: int = 0
    longest: int = 0


def sub_grid(r: int, c: int) -> int:
    """Return the number of a sub-grid; it is argument s of Algorithm 2; the paper gives no formula."""
    return r // 3 * 3 + c // 3


def cells_of(r: int, c: int) -> tuple[list[tuple[int, int]], ...]:
    """Return the cells of the row, the column and the sub-grid of a cell, itself among them."""
    x0, y0 = r - r % 3, c - c % 3
    box = [(x, y) for x in range(x0, x0 + 3) for y in range(y0, y0 + 3)]
    return [(r, y) for y in range(9)], [(x, c) for x in range(9)], box


def check_violation_1(grid: Rows, a: int, r: int, c: int, looks: Looks) -> int:
    """Algorithm 1: return which of the steps 1, 3 and 5 (row, column, sub-grid) finds a, or 0 for step 7."""
    for step, cells in zip((1, 3, 5), cells_of(r, c), strict=True):
        for number, (x, y) in enumerate(cells, start=1):
            looks.cells += 1
            looks.longest = max(looks.longest, number)
            if grid[x][y] == a:
                return step
    return 0


@dataclass
class Tables:
    """The arrays Row, Col and SGrid of Algorithm 2, with flags 0 and 1 as printed."""

    row: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])
    col: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])
    s_grid: Rows = field(default_factory=lambda: [[0] * 10 for _ in range(9)])

    @staticmethod
    def of(grid: Rows) -> "Tables":
        """Return the tables of a grid."""
        tables = Tables()
        for r, c in product(range(9), repeat=2):
            tables.mark(grid[r][c], r, c, 1)
        return tables

    def mark(self, a: int, r: int, c: int, flag: int) -> None:
        """Record that a number is put on a cell, or taken away."""
        self.row[r][a] = self.col[c][a] = self.s_grid[sub_grid(r, c)][a] = flag


def check_violation_2(tables: Tables, a: int, r: int, c: int, s: int, looks: Looks) -> int:
    """Algorithm 2: return which of the steps 1, 3 and 5 says true, or 0 for step 7."""
    looks.entries += 1
    if tables.row[r][a] == 1:
        return 1
    looks.entries += 1
    if tables.col[c][a] == 1:
        return 3
    looks.entries += 1
    return 5 if tables.s_grid[s][a] == 1 else 0


def candidate_list(grid: Rows, r: int, c: int, looks: Looks) -> set[int]:
    """Build the list of an empty cell: start with all numbers, delete those in the row, the column and the sub-grid."""
    numbers = set(NUMBERS)
    for cells in cells_of(r, c):
        for x, y in cells:
            looks.cells += 1
            numbers.discard(grid[x][y])
    return numbers


def all_lists(grid: Rows, looks: Looks) -> dict[tuple[int, int], set[int]]:
    """Build the lists of all empty cells."""
    blanks = [(r, c) for r, c in product(range(9), repeat=2) if grid[r][c] == 0]
    return {cell: candidate_list(grid, *cell, looks) for cell in blanks}


def update_lists(lists: dict[tuple[int, int], set[int]], a: int, r: int, c: int, looks: Looks) -> None:
    """Update the lists after a number was put on a cell."""
    lists.pop((r, c))
    for cells in cells_of(r, c):
        for cell in cells:
            looks.entries += 1
            if cell in lists:
                lists[cell].discard(a)


def units() -> Iterator[list[tuple[int, int]]]:
    """Yield the cells of every row, column and sub-grid."""
    for number in range(9):
        yield cells_of(number, number)[0]
        yield cells_of(number, number)[1]
        yield cells_of(number // 3 * 3, number % 3 * 3)[2]


def find_singles(lists: dict[tuple[int, int], set[int]]) -> Iterator[tuple[str, tuple[int, int], int]]:
    """Yield each lone single and each hidden single, the cell and the number, as section 1 defines them."""
    for cell, numbers in lists.items():
        if len(numbers) == 1:
            yield "lone single", cell, min(numbers)
    for unit in units():
        for number in NUMBERS:
            places = [cell for cell in unit if number in lists.get(cell, ())]
            if len(places) == 1:
                yield "hidden single", places[0], number


def lone_pair_removals(lists: dict[tuple[int, int], set[int]]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the cells and numbers that lone pairs remove from other cells of their unit."""
    for unit in units():
        blanks = [cell for cell in unit if cell in lists]
        for place, first in enumerate(blanks):
            for second in blanks[place + 1 :]:
                if len(lists[first]) == 2 and lists[first] == lists[second]:
                    rest = (cell for cell in blanks if cell not in (first, second))
                    yield from ((cell, number) for cell in rest for number in lists[first] & lists[cell])


def random_grids(number: int) -> Iterator[Rows]:
    """Yield grids of random numbers and blanks, which may break rules."""
    chance = np.random.default_rng(1)
    for _ in range(number):
        filled = chance.random((9, 9)) < chance.random()
        grid: Rows = np.where(filled, chance.integers(1, 10, (9, 9)), 0).tolist()
        yield grid


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
    rows: Rows = puzzles.solution(puzzle).reshape(9, 9).tolist()
    return rows


def the_example(work: Work) -> Finding:
    """Fig. 1 is a Sudoku puzzle."""
    puzzle = figure_1()
    n_solutions = se.count(puzzle, "sat").value
    search = Search.of(puzzle, "uhbpnp-tables")
    list(search.grow(puzzles.no_tick))
    return Finding(
        "Fig. 1",
        "A Sudoku puzzle.",
        f"{np.count_nonzero(puzzle.givens)} clues, {n_solutions} solution, found with {search.work[0]} guesses.",
        verdict(n_solutions == 1),
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
    """Section 1: check the deductions of lone singles, hidden singles and lone pairs."""
    right = {"lone single": 0, "hidden single": 0, "lone pair": 0}
    wrong = dict(right)
    kinds = ("easy", "medium", "hard", "evil")
    sample = [puzzle for kind in kinds for puzzle in puzzles.random(kind, max(1, work.puzzles // 4))]
    for puzzle in sample:
        grid, lists = solution(puzzle), all_lists(rows_of(puzzle), Looks())
        for name, (r, c), number in find_singles(lists):
            (right if grid[r][c] == number else wrong)[name] += 1
        for (r, c), number in lone_pair_removals(lists):
            (wrong if grid[r][c] == number else right)["lone pair"] += 1
    counts = ", ".join(f"{n} by {name}s ({wrong[name]} wrong)" for name, n in right.items())
    return Finding(
        "section 1",
        "A lone single, the only candidate of a cell, should be placed; hidden singles and lone pairs are patterns too "
        "that are used to fill in cells.",
        f"On {len(sample)} random puzzles, placements and numbers crossed out: {counts}.",
        verdict(not any(wrong.values()) and all(right.values())),
        "The paper does not print what follows from a hidden single and from a lone pair. We use the usual rules: "
        "the number is placed; the two numbers of the pair are crossed out elsewhere in its row, column or sub-grid.",
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
        "It guesses when no strategy applies, so no guess means that the strategies solve the puzzle.",
    )


def backtracking_always_answers(work: Work) -> Finding:
    """Section 1: plain backtracking."""
    tried = {name: table.values_tried(name) for name in table.TIMES}
    answered = sum(n_solutions == 1 for n_solutions, _ in tried.values())
    placed = {name: table.decisions(name, "uhbpnp")[1] for name in table.TIMES}
    fewest = min(tried[name][1] / placed[name] for name in tried)
    return Finding(
        "section 1",
        "Backtracking always guarantees an answer but takes too long.",
        f"It finds the one solution of {answered} of the ten AI puzzles. It tries at least {fewest:.1f} times as many "
        "values as UHBPnP places, each search up to the proof that there is no other solution.",
        verdict(answered == len(tried) and fewest > 1),
        "Values are counted, since time says more about the program. The paper does not say how long is too long.",
    )


def lists_kept_instead_of_built(work: Work) -> Finding:
    """Section 2.1: lists that are updated are those that are built anew, for less work."""
    grid, truth = rows_of(figure_1()), solution(figure_1())
    built, updated = Looks(), Looks()
    lists = all_lists(grid, updated)
    n_same = n_placed = 0
    for r, c in list(lists):
        grid[r][c] = truth[r][c]
        update_lists(lists, truth[r][c], r, c, updated)
        n_same += lists == all_lists(grid, built)
        n_placed += 1
    return Finding(
        "section 2.1",
        "Lists that are made once and updated when a number is put take much less time than lists made every time, "
        "given that the update operations are efficient.",
        f"Filling Fig. 1 cell by cell, the two agree after {n_same} of {n_placed} placements. Building reads "
        f"{built.cells:,} cells in all; the first lists and the updates read "
        f"{updated.cells + updated.entries:,} cells and "
        "entries.",
        verdict(n_same == n_placed and updated.cells + updated.entries < built.cells / 3),
        "Building is counted once for a placement; HBPnP and UHBPnP build for every strategy. The condition is met "
        "here, since a table finds the lists of a row, a column and a sub-grid by their places; in two parallel "
        "arrays each list would have to be searched for, which is not counted.",
    )


def most_of_a_scan_is_redundant(work: Work) -> Finding:
    """Section 2.1: how many lists change from one round of strategies to the next?"""
    same = total = 0
    for name in table.TIMES:
        n_same, n_lists = table.unchanged_lists(name)
        same, total = same + n_same, total + n_lists
    return Finding(
        "section 2.1",
        "Most of the scan that makes the lists anew is redundant.",
        f"Of {total:,} lists of blanks in the rounds of UHBPnP on the ten AI puzzles, {100 * same / total:.0f} "
        "percent are the same as in the round before.",
        verdict(same > total / 2),
        "A guess that is taken back counts as a round too. Lists made for the second and third strategy of a round "
        "are not counted; they never change.",
    )


def cells_of_a_step(work: Work) -> Finding:
    """Section 2.2: the cells that Algorithm 1 reads."""
    looks, all_cells = Looks(), Looks()
    for grid in random_grids(work.puzzles):
        for a, r, c in product(NUMBERS, range(9), range(9)):
            check_violation_1(grid, a, r, c, looks)
    check_violation_1([[0] * 9 for _ in range(9)], 1, 0, 0, all_cells)
    different = len(set().union(*cells_of(0, 0)))
    return Finding(
        "Algorithm 1",
        f"Steps 1, 3 and 5 may need to check {CELLS_OF_A_STEP} cells each.",
        f"A step reads at most {looks.longest} cells; the three read up to {all_cells.cells} cells, {different} of "
        "them different.",
        verdict(looks.longest == CELLS_OF_A_STEP),
        "Step 5 could leave out the five cells that steps 1 and 3 have read.",
    )


def both_algorithms_say_the_same(work: Work) -> Finding:
    """Section 2.2: Algorithms 1 and 2 as printed, on random grids and while numbers are put and taken back."""
    n_questions = agree = right = own = 0
    steps, looks = set[int](), Looks()
    for grid in random_grids(work.puzzles):
        tables = Tables.of(grid)
        for a, r, c in product(NUMBERS, range(9), range(9)):
            first_step = check_violation_1(grid, a, r, c, looks)
            second_step = check_violation_2(tables, a, r, c, sub_grid(r, c), looks)
            peers = {grid[x][y] for cells in cells_of(r, c) for x, y in cells if (x, y) != (r, c)}
            n_questions, agree = n_questions + 1, agree + (first_step == second_step)
            right += bool(first_step) == (a in peers)
            own += bool(first_step) != (a in peers) and grid[r][c] == a
            steps |= {first_step, second_step}
    walked, n_same = _walk(200 * max(1, work.puzzles // 10))
    return Finding(
        "Algorithms 1 and 2",
        "Both say whether a in row r and column c causes a violation.",
        f"On {n_questions:,} questions about {work.puzzles} random grids they end at the same step {agree:,} times, "
        f"and are right {right:,} times; in {own:,} others a is in the cell itself. All {len(steps)} exits are "
        f"taken. While numbers are put and taken back on Fig. 1 they agree on {n_same:,} of {walked:,} questions.",
        verdict(agree == n_questions == right + own and n_same == walked),
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
    n_questions = 0
    for puzzle in (figure_1(), *(puzzles.inkala(name) for name in table.TIMES)):
        grid = rows_of(puzzle)
        tables = Tables.of(grid)
        for (r, c), a in product(list(all_lists(grid, Looks())), NUMBERS):
            check_violation_1(grid, a, r, c, scan)
            check_violation_2(tables, a, r, c, sub_grid(r, c), look)
            n_questions += 1
    return Finding(
        "Algorithm 2",
        "It reduces the time needed to check whether a candidate causes a violation.",
        "For every blank and number of Fig. 1 and the ten AI puzzles Algorithm 1 reads "
        f"{scan.cells / n_questions:.1f} cells "
        f"on average and Algorithm 2 {look.entries / n_questions:.1f} entries.",
        verdict(look.entries < scan.cells),
        "Three entries have to be set for each number that is put, and cleared when it is taken back.",
    )


def lists_after_a_guess_is_taken_back(work: Work) -> Finding:
    """Section 2.1: lists after a number is taken back."""
    grid, truth, looks = rows_of(figure_1()), solution(figure_1()), Looks()
    lists = all_lists(grid, looks)
    spoilt = 0
    for r, c in list(lists):
        after = {cell: set(left) for cell, left in lists.items()}
        update_lists(after, truth[r][c], r, c, looks)
        # The obvious way back: the number returns to every list of the row, the column and the sub-grid.
        for cell in set().union(*cells_of(r, c)) & after.keys():
            after[cell].add(truth[r][c])
        spoilt += any(after[cell] != lists[cell] for cell in after)
    return Finding(
        "section 2.1",
        "The lists are updated every time a number is put on an empty cell.",
        "If the number were only added again to the lists of the row, the column and the sub-grid when it is taken "
        f"back, the lists would be wrong for {spoilt} of the {len(lists)} first placements on Fig. 1.",
        UNCHECKED,
        "The paper does not say how the lists are restored when a guess fails, which cell is guessed, or what lone "
        "pairs leave when lists are made again. Our table version saves its "
        f"{Search.of(figure_1(), 'uhbpnp-tables').state.marks.size} marks before a guess.",
    )


CHECKS: tuple[Check, ...] = (
    the_example,
    the_list_of_a_cell,
    the_three_strategies,
    pencil_and_paper_alone,
    backtracking_always_answers,
    lists_kept_instead_of_built,
    most_of_a_scan_is_redundant,
    lists_after_a_guess_is_taken_back,
    cells_of_a_step,
    both_algorithms_say_the_same,
    what_a_check_reads,
    *table.CHECKS,
)
