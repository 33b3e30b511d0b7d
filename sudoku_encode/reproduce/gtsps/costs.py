"""What the GTSPS thesis says its algorithm costs, and on which boards it holds."""

from collections.abc import Iterator
from itertools import product
from math import factorial, lgamma, log

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps, gtsps4
from sudoku_encode.papers import gtsps4_contracted as contracted
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.answers import Grids
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.example import example
from sudoku_encode.reproduce.gtsps.solutions import UNIQUE, fig_4_9
from sudoku_encode.reproduce.puzzles import no_tick

# Puzzles of other sizes than 9x9.
OTHER_SIZES = (
    *("small/4x4-empty.txt", "small/4x4-four-givens.txt", "small/4x4-none.txt", "small/4x4-no-candidate.txt"),
    *("small/6x6-first-row.txt", "small/6x6.txt", "small/6x6-boxes-3x2.txt", "small/6x6-none.txt"),
    *("small/8x8.txt", "small/8x8-boxes-4x2.txt", "small/10x10.txt", "small/12x12.txt", "small/12x12-boxes-2x6.txt"),
    *("small/16x16.txt", "large/25x25.csv"),
)


def _fewer_clues() -> Iterator[se.Puzzle]:
    puzzle = fig_4_9()
    clues = np.flatnonzero(puzzle.givens)
    for gone in range(0, 9, 2):
        givens = puzzle.givens.copy()
        givens[clues[:gone]] = 0
        yield se.Puzzle.of(puzzle.geometry, givens)


def more_solutions_cost_nothing(work: Work) -> Finding:
    """The price of many solutions."""
    rows = []
    for puzzle in _fewer_clues():
        made = gtsps4.graph(puzzle, no_tick)
        some = [len(contracted.super_vertices(made, line, no_tick)) for line in made.lines]
        n_cycles = contracted.cycles(made, no_tick)
        n_edges = sum(contracted.super_edges(made, no_tick))
        rows.append(
            (int(np.count_nonzero(puzzle.givens)), n_cycles // 2, len(made.names), sum(some), n_edges, n_cycles)
        )
    return Finding(
        "section 4, overview; Theorem 4.2",
        "All solutions are found without additional time or space.",
        f"Fig. 4.9 with its first clues taken away: from {rows[0][1]} to {rows[-1][1]} solutions, 3-cycles to find "
        f"grow from {rows[0][5]} to {rows[-1][5]}, super-vertices from {rows[0][3]} to {rows[-1][3]}.",
        verdict(len({row[5] for row in rows}) == 1),
        "True is that one run finds them all. Each is at least a 3-cycle to find and a grid to keep.",
        side_by_side(
            ("clues", "solutions", "vertices", "super-vertices", "edges of G*", "3-cycles"),
            *rows,
            drawn={"number": ("solutions", "vertices", "super-vertices", "edges of G*", "3-cycles")},
        ),
    )


def _product_grid(k: int, first: Grids, others: Grids) -> Grids:
    """Build a solution: row (a, b), column (c, d) holds k * first[b, c] + others[b, c, a, d] + 1."""
    a, b, c, d = np.indices((k, k, k, k))
    values: Grids = (k * first[b, c] + others[b, c, a, d] + 1).reshape(-1).astype(np.uint8)
    return values


def _latin(k: int) -> Grids:
    """Return the Latin squares of order 2, or some of order 3."""
    cyclic = np.add.outer(np.arange(k), np.arange(k)) % k
    return np.stack([(cyclic + shift) % k for shift in range(k)])


def more_solutions_than_steps(work: Work) -> Finding:
    """Theorem 4.2 on empty boards."""
    squares = _latin(2)
    small = [
        _product_grid(2, squares[x], squares[list(rest)].reshape(2, 2, 2, 2)) for x, *rest in product(*[(0, 1)] * 5)
    ]
    three = _product_grid(3, _latin(3)[0], _latin(3)[np.arange(9) % 3].reshape(3, 3, 3, 3))
    faults = [fault for grid in small for fault in se.violations(se.Puzzle.of(se.board("4x4")), grid)]
    faults += se.violations(se.Puzzle.of(se.board("9x9")), three)
    different = len({grid.tobytes() for grid in small})
    rows = [(f"{k * k}x{k * k}", round(_digits_solutions(k)), round(_digits_steps(k))) for k in range(5, 15)]
    over = [row for row in rows if row[1] > row[2]]
    return Finding(
        "Theorem 4.2",
        "All solutions are found in O(m^2 n^6 sqrt(n)) steps, m = (p! - x)^sqrt(n).",
        f"An empty {over[0][0]} board has over 10^{over[0][1]} solutions; the bound is 10^{over[0][2]}, and "
        "falls behind more and more up to 196x196."
        if over
        else "No empty board up to 196x196 is shown to have more solutions.",
        verdict(not over and not faults),
        "On an empty board p = n and x = 0. Counted are only the solutions built from sqrt(n)^2 + 1 Latin squares of "
        f"order sqrt(n), of which there are at least k!^(2k) / k^(k^2); on 4x4 these are {different} grids, with "
        f"{len(faults)} faults. Their exponent grows like n^2, the bound's like n^1.5. The proof counts the edges "
        "of G*, not the 3-cycles of step 8.",
        side_by_side(
            ("empty board", "solutions, over 10^", "bound, 10^"),
            *rows,
            drawn={"power of ten": ("solutions, over 10^", "bound, 10^")},
        ),
    )


def _digits_solutions(k: int) -> float:
    """Decimal logarithm of a lower bound for the solutions of an empty board with k x k boxes."""
    return (2 * k * lgamma(k + 1) - k * k * log(k)) * (k * k + 1) / log(10)


def _digits_steps(k: int) -> float:
    """Decimal logarithm of m^2 n^6 sqrt(n) there."""
    return (2 * k * lgamma(k * k + 1) + 6.5 * log(k * k)) / log(10)


def three_bounds(work: Work) -> Finding:
    """The complexity as it is stated in three places."""
    made = example()[1]
    q = len(made.names) / 9
    n, root = 9, 3
    exponents = (float(n), 2.0 * root, 1.5 * n)
    return Finding(
        "section 4.4, Theorem 4.2, Table 4.8",
        "With q = p! - x permutations in a minigrid time is (p! - x)^n, O(m^2 n^6 sqrt(n)) with m = q^sqrt(n), "
        "and, for version 4.1, O(sqrt(n) q^(3n/2)).",
        f"For n = 9: q^{exponents[0]:g}, q^{exponents[1]:g} x 9^6.5 and 3 q^{exponents[2]:g}. On Fig. 4.2 (q = "
        f"{q:.2f}) {q**9:.1e}, {q**6 * 9**6.5:.1e} and {3 * q**13.5:.1e}.",
        verdict(len(set(exponents)) == 1),
        "The first two are said of one algorithm. As upper bounds all may hold, but the third is more than trying each "
        "choice of nine permutations, which are q^9. The scan has the n-th root of n in the proof; read as sqrt(n).",
    )


def few_permutations(work: Work) -> Finding:
    """How many of the possible permutations are valid."""
    rows = []
    for kind in UNIQUE:
        valid = possible = 0
        for puzzle in puzzles.random(kind, work.puzzles):
            for one in gtsps.minigrids(puzzle, no_tick):
                valid += len(one.permutations)
                possible += factorial(int(one.blank.sum()))
        rows.append((kind, valid, possible, round(100 * valid / possible, 2)))
    return Finding(
        "section 4.4, section 4.5",
        "The invalid permutations x are very close to p!: valid ones are greatly fewer than possible ones.",
        f"Valid are {', '.join(f'{row[3]} % ({row[0]})' for row in rows)}.",
        verdict(all(row[3] < 20 for row in rows)),
        f"{work.puzzles} random puzzles of each kind. Held to: below 20 %.",
        side_by_side(
            ("puzzles", "valid", "p! in all", "valid, %"),
            *rows,
            drawn={"permutations": ("valid", "p! in all"), "valid, %": ("valid, %",)},
        ),
    )


def other_sizes(work: Work) -> Finding:
    """Boards other than 9x9."""
    rows, wrong, boxes = [], 0, set()
    for file in OTHER_SIZES:
        (puzzle,) = puzzles.read(file)
        # Norvig's search shares no code with GTSPS.
        box, right = puzzle.geometry.box, se.count(puzzle, "norvig2006")
        found = [answers.count_in_process(puzzle, name, work.seconds) for name in ("gtsps-4.1", "gtsps-4.2")]
        boxes.add(f"{box[0]}x{box[1]}" if box else "")
        wrong += sum(count.complete and count != right for count in found)
        n_vertices = sum(len(each.permutations) for each in gtsps.minigrids(puzzle, no_tick))
        rows.append((file, int(np.count_nonzero(puzzle.givens)), n_vertices, right.value, *map(str, found)))
    empty = answers.count_in_process(se.Puzzle.of(se.board("16x16")), "gtsps-4.1", work.seconds)
    return Finding(
        "section 4.4, section 4.5.2",
        "The same logic holds for 16x16, 25x25 and any rectangular size, in a reasonable time.",
        f"{len(rows)} puzzles from 4x4 to 25x25, with boxes of {', '.join(sorted(boxes))}: {wrong} wrong counts, "
        f"{sum('at least' in str(cell) for row in rows for cell in row)} of {2 * len(rows)} runs not ended in "
        f"{work.seconds:g} s.",
        verdict(not wrong),
        "With enough clues. On the empty 16x16 board the method stops at once: " + empty.stopped + ".",
        side_by_side(
            ("puzzle", "clues", "vertices", "solutions", "version 4.1", "version 4.2"),
            *rows,
            drawn={"solutions": ("solutions", "version 4.1", "version 4.2"), "vertices": ("vertices",)},
        ),
    )


CHECKS = (more_solutions_cost_nothing, more_solutions_than_steps, three_bounds, few_permutations, other_sizes)
