"""Claims of the GTSPS thesis about the cost of its algorithm, the proof of Theorem 4.2, and about other boards."""

from collections.abc import Iterator
from itertools import product
from math import comb, factorial, gamma, isqrt, lgamma, log

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps, gtsps4
from sudoku_encode.papers import gtsps4_contracted as contracted
from sudoku_encode.papers.gtsps4 import STRUCTURE, Graph
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED, UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.claims import tree_nodes
from sudoku_encode.reproduce.gtsps.example import example
from sudoku_encode.reproduce.gtsps.solutions import UNIQUE, fig_4_9, inkala, sample
from sudoku_encode.reproduce.puzzles import Grids, no_tick

# Puzzles of other sizes than 9x9.
OTHER_SIZES = (
    "small/4x4-empty.txt",
    "small/4x4-four-givens.txt",
    "small/4x4-none.txt",
    "small/4x4-no-candidate.txt",
    "small/6x6-first-row.txt",
    "small/6x6.txt",
    "small/6x6-boxes-3x2.txt",
    "small/6x6-none.txt",
    "small/8x8.txt",
    "small/8x8-boxes-4x2.txt",
    "small/10x10.txt",
    "small/12x12.txt",
    "small/12x12-boxes-2x6.txt",
    "small/16x16.txt",
    "large/25x25.csv",
)


def _fewer_clues() -> Iterator[se.Puzzle]:
    puzzle = fig_4_9()
    clues = np.flatnonzero(puzzle.givens)
    for n_removed in range(0, 9, 2):
        givens = puzzle.givens.copy()
        givens[clues[:n_removed]] = 0
        yield se.Puzzle.of(puzzle.geometry, givens)


def more_solutions_cost_nothing(work: Work) -> Finding:
    """Measure the cost of many solutions."""
    rows = []
    for puzzle in _fewer_clues():
        graph = gtsps4.build_graph(puzzle, no_tick)
        cliques_of_lines = [len(contracted.super_vertices(graph, line, no_tick)) for line in graph.lines]
        n_cycles = contracted.cycles(graph, no_tick)
        n_edges = sum(contracted.super_edges(graph, no_tick))
        rows.append(
            (
                int(np.count_nonzero(puzzle.givens)),
                n_cycles // 2,
                len(graph.names),
                sum(cliques_of_lines),
                n_edges,
                n_cycles,
            )
        )
    return Finding(
        "section 4, overview; Theorem 4.2",
        "All solutions are found without additional time or space.",
        f"Fig. 4.9 with its first clues removed: from {rows[0][1]} to {rows[-1][1]} solutions, the number of "
        f"3-cycles to find grows from {rows[0][5]} to {rows[-1][5]}, that of super-vertices from {rows[0][3]} to "
        f"{rows[-1][3]}.",
        verdict(len({row[5] for row in rows}) == 1),
        "It is true that one run finds them all. But each is at least a 3-cycle to find and a grid to keep.",
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
        f"An empty {over[0][0]} board has over 10^{over[0][1]} solutions; the bound is 10^{over[0][2]}, and falls "
        "further and further behind up to 196x196."
        if over
        else "No empty board up to 196x196 is shown to have more solutions.",
        verdict(not over and not faults),
        "On an empty board p = n and x = 0. We count only the solutions built from sqrt(n)^2 + 1 Latin squares of "
        f"order sqrt(n), of which there are at least k!^(2k) / k^(k^2); on 4x4 these are {different} grids, with "
        f"{len(faults)} faults. Their exponent grows like n^2, but that of the bound like n^1.5. The proof counts "
        "the edges of G*, not the 3-cycles of step 8.",
        side_by_side(
            ("empty board", "solutions, over 10^", "bound, 10^"),
            *rows,
            drawn={"power of ten": ("solutions, over 10^", "bound, 10^")},
        ),
    )


def _digits_solutions(k: int) -> float:
    """Return the decimal logarithm of a lower bound for the solutions of an empty board with k x k boxes."""
    return (2 * k * lgamma(k + 1) - k * k * log(k)) * (k * k + 1) / log(10)


def _digits_steps(k: int) -> float:
    """Return the decimal logarithm of m^2 n^6 sqrt(n) on such a board."""
    return (2 * k * lgamma(k * k + 1) + 6.5 * log(k * k)) / log(10)


def three_bounds(work: Work) -> Finding:
    """The complexity as it is stated in three places."""
    graph = example()[1]
    q = len(graph.names) / 9
    n, root = 9, 3
    exponents = (float(n), 2.0 * root, 1.5 * n)
    return Finding(
        "section 4.4, Theorem 4.2, Table 4.8",
        "With q = p! - x permutations in a minigrid time is (p! - x)^n, O(m^2 n^6 sqrt(n)) with m = q^sqrt(n), "
        "and, for version 4.1, O(sqrt(n) q^(3n/2)).",
        f"For n = 9: q^{exponents[0]:g}, q^{exponents[1]:g} x 9^6.5 and 3 q^{exponents[2]:g}. On Fig. 4.2 (q = "
        f"{q:.2f}) {q**9:.1e}, {q**6 * 9**6.5:.1e} and {3 * q**13.5:.1e}.",
        verdict(len(set(exponents)) == 1),
        "The first two are stated for one algorithm. As upper bounds all may hold, but the third is more than trying "
        "each choice of nine permutations, which is q^9. The scan has the n-th root of n in the proof; we read it as "
        "sqrt(n).",
    )


def few_permutations(work: Work) -> Finding:
    """How many of the possible permutations are valid."""
    rows = []
    for kind in UNIQUE:
        valid = possible = 0
        for puzzle in puzzles.random(kind, work.puzzles):
            for minigrid in gtsps.minigrids(puzzle, no_tick):
                valid += len(minigrid.permutations)
                possible += factorial(int(minigrid.blank.sum()))
        rows.append((kind, valid, possible, round(100 * valid / possible, 2)))
    return Finding(
        "section 4.4, section 4.5",
        "The invalid permutations x are very close to p!: valid ones are greatly fewer than possible ones.",
        f"These are valid: {', '.join(f'{row[3]} % ({row[0]})' for row in rows)}.",
        verdict(all(row[3] < 20 for row in rows)),
        f"{work.puzzles} random puzzles of each kind. The verdict requires less than 20 %.",
        side_by_side(
            ("puzzles", "valid", "p! in all", "valid, %"),
            *rows,
            drawn={"permutations": ("valid", "p! in all"), "valid, %": ("valid, %",)},
        ),
    )


def other_sizes(work: Work) -> Finding:
    """Boards other than 9x9."""
    rows, wrong, boxes = [], 0, set()
    not_ended = []
    for file in OTHER_SIZES:
        (puzzle,) = puzzles.read(file)
        # Norvig's search shares no code with GTSPS.
        box, right = puzzle.geometry.box, se.count(puzzle, "norvig2006")
        counts = [puzzles.count_in_process(puzzle, name, work.seconds) for name in ("gtsps-4.1", "gtsps-4.2")]
        boxes.add(f"{box[0]}x{box[1]}" if box else "")
        wrong += sum(count.complete and count != right for count in counts)
        not_ended += [puzzle.geometry.name for count in counts if not count.complete]
        n_vertices = sum(len(each.permutations) for each in gtsps.minigrids(puzzle, no_tick))
        rows.append((file, int(np.count_nonzero(puzzle.givens)), n_vertices, right.value, *map(str, counts)))
    empty = puzzles.count_in_process(se.Puzzle.of(se.board("16x16")), "gtsps-4.1", work.seconds)
    return Finding(
        "section 4.4, section 4.5.2",
        "The same logic holds for 16x16, 25x25 and any rectangular size, in a reasonable time.",
        f"{len(rows)} puzzles from 4x4 to 25x25, with boxes of {', '.join(sorted(boxes))}: {wrong} wrong counts, "
        f"{len(not_ended)} of {2 * len(rows)} runs not finished in {work.seconds:g} s"
        f" ({', '.join(sorted(set(not_ended))) or 'none'}).",
        # More time would finish some of them: what is not a wrong count cannot refute a reasonable time.
        DIFFERS if wrong else UNCHECKED if not_ended else REPRODUCED,
        "The verdict requires right counts, and that all runs finish; the thesis does not say which time is "
        "reasonable, so one that does not finish decides nothing. On the empty 16x16 board the method stops at once: "
        + empty.stopped
        + ".",
        side_by_side(
            ("puzzle", "clues", "vertices", "solutions", "version 4.1", "version 4.2"),
            *rows,
            drawn={"solutions": ("solutions", "version 4.1", "version 4.2"), "vertices": ("vertices",)},
        ),
    )


CHECKS = (more_solutions_cost_nothing, more_solutions_than_steps, three_bounds, few_permutations, other_sizes)


# The proof of Theorem 4.2, each bound compared with counts.


def _graphs(work: Work) -> list[tuple[str, Graph]]:
    graphs = [("Fig. 4.2", example()[1]), ("Fig. 4.9", gtsps4.build_graph(fig_4_9(), no_tick))]
    graphs += [("AI", gtsps4.build_graph(puzzle, no_tick)) for puzzle in inkala()]
    for kind in ("easy", "hard", "evil", "few"):
        graphs += [(kind, gtsps4.build_graph(puzzle, no_tick)) for puzzle in sample(work, kind)[:6]]
    return graphs


def _ratios(graph: Graph) -> dict[str, float]:
    """Return, for each bound of the proof, the count divided by the bound (with a factor of 1)."""
    n, root = 9, 3
    q = len(graph.deleted) / n
    sizes = np.diff(graph.starts).astype(object)
    pairs = sum(sizes[a] * sizes[b] for line in graph.lines for a in line.numbers for b in line.numbers if a < b)
    cliques = [len(contracted.super_vertices(graph, line, no_tick, STRUCTURE)) for line in graph.lines]
    m = sum(cliques[:root]) / root
    triples = sum(sizes[line.numbers[0]] * sizes[line.numbers[1]] * sizes[line.numbers[2]] for line in graph.lines)
    star = sum(contracted.super_edges(graph, no_tick))
    return {
        "vertices: n q": sum(sizes) / (n * q),
        "pairs compared: n^2 q^2": pairs / (n * q) ** 2,
        "pairs of minigrids in a row: n": comb(root, 2) / n,
        "triples tried for super-vertices: m n^2 sqrt(n)": float(triples / max(1, m * n**2 * root)),
        "edges of G*: m^2 n^5": star / max(1, m**2 * n**5),
    }


def bounds_of_the_proof(work: Work) -> Finding:
    """Theorem 4.2's steps."""
    graphs = _graphs(work)
    ratios = [_ratios(one) for _, one in graphs]
    rows = [
        (name, max(each[name] for each in ratios), graphs[int(np.argmax([each[name] for each in ratios]))][0])
        for name in ratios[0]
    ]
    height = [
        (p, sum(factorial(p) // factorial(p - k) for k in range(1, p + 1)), p * factorial(p)) for p in range(1, 10)
    ]
    tree = max(nodes / bound for _, nodes, bound in height)
    exponent = 2 + 2 + 1 + 1.5 == 6.5
    over = [row[0] for row in rows if row[1] > 1]
    shown = [
        ("nodes of a tree: p p!", round(tree, 3), "p = 1 to 9, no clue"),
        *((a, float(f"{b:.3g}"), c) for a, b, c in rows),
    ]
    return Finding(
        "Theorem 4.2, proof",
        "A tree has O(p p!) nodes, G has O(nq) vertices, comparing them takes O(n^2 q^2), and no later task takes "
        "more; the super-vertices take O(m n^2 sqrt(n)), the edges of G* O(m^2 n^5), in all O(m^2 n^6 sqrt(n)).",
        f"On {len(graphs)} puzzles the counts are below the bound, with a factor of 1, for {len(shown) - len(over)} "
        f"of {len(shown)} tasks; above it for {'; '.join(over) or 'none'}: up to {max(row[1] for row in rows):,.0f} "
        f"times, if each triple is tried. m^2 n^5 x n sqrt(n) is {'' if exponent else 'not '}m^2 n^6 sqrt(n).",
        verdict(not over),
        "The proof takes the cost of a super-vertex as that of checking one that exists; but to find them, pairs and "
        "triples that do not match are tried too, up to q^3 in a row. With m = (p! - x)^sqrt(n), as the theorem "
        "finally has it, all triples are in m and the bound holds. The next paragraph of the proof itself withdraws "
        "that no later task takes more than n^2 q^2. The 3-cycles are missing in the proof, see the other finding.",
        side_by_side(
            ("bound", "most counted / bound", "on"),
            *shown,
            drawn={"most counted, as a share of the bound": ("most counted / bound",)},
        ),
    )


def bounds_by_averages(work: Work) -> Finding:
    """P is an average number of blanks."""
    rows = []
    for kind in ("easy", "medium", "hard", "evil", "few"):
        ratios = []
        for puzzle in sample(work, kind)[:20]:
            units = puzzle.geometry.rules[2].units
            blanks = (puzzle.givens[units] == 0).sum(axis=1).tolist()
            p = sum(blanks) / 9
            possible = sum(factorial(number) for number in blanks)
            ratios.append((possible / (9 * gamma(p + 1)), sum(tree_nodes(puzzle)) / (9 * p * gamma(p + 1))))
        rows.append((kind, round(max(one for one, _ in ratios), 1), round(max(other for _, other in ratios), 3)))
    # Four minigrids without a clue and five that are full.
    p = 4 * 9 / 9
    apart = 4 * factorial(9) / (9 * gamma(p + 1))
    return Finding(
        "section 4.4, Theorem 4.2",
        "With p the average number of blanks in a minigrid, there are n p! ways to fill them, n p p! steps for all "
        "trees.",
        "An average is not enough: p! grows so fast that n minigrids with p blanks on average have up to "
        f"{max(row[1] for row in rows):g} times as many ways as n p! on our puzzles, and four empty minigrids beside "
        f"five full ones (p = {p:g}) have {apart:,.0f} times as many. The nodes of the trees, which the clues cut "
        f"down, stay at {max(row[2] for row in rows):g} of n p p! or below.",
        verdict(all(row[1] <= 1 for row in rows)),
        "The bound holds if p is the largest number of blanks. The counts stay below it anyway, since the clues of "
        "the row and column leave few permutations.",
        side_by_side(
            ("puzzles", "most ways / n p!", "most nodes / n p p!"),
            *rows,
            drawn={"most counted, as a share of the thesis' number": ("most ways / n p!", "most nodes / n p p!")},
        ),
    )


def space(work: Work) -> Finding:
    """Theorem 4.2: the same for space."""
    rows = []
    for name, graph in _graphs(work)[:12]:
        cliques = [len(contracted.super_vertices(graph, line, no_tick, STRUCTURE)) for line in graph.lines]
        total = (
            len(graph.deleted) + graph.n_edges(0, no_tick) + sum(cliques) + sum(contracted.super_edges(graph, no_tick))
        )
        m = sum(cliques[: isqrt(9)]) / 3
        rows.append((name, len(graph.deleted), graph.n_edges(0, no_tick), sum(cliques), total, total <= m**2 * 9**6.5))
    within = sum(bool(row[5]) for row in rows)
    shown = [(*row[:5], "yes" if row[5] else "no") for row in rows]
    return Finding(
        "section 4.4, Theorem 4.2",
        "The space is of the same order as the time: O(m^2 n^6 sqrt(n)).",
        f"Vertices, edges, super-vertices and edges of G* are {min(row[4] for row in rows):,} to "
        f"{max(row[4] for row in rows):,} in all on Figs. 4.2 and 4.9 and the ten AI puzzles, and within the bound "
        f"on {within} of {len(rows)}.",
        verdict(within == len(rows)),
        "Here m is the number of super-vertices of a row that all deletions leave. A list of the solutions is not "
        "included: there may be more of them than the bound, see the finding on empty boards.",
        side_by_side(
            ("puzzle", "vertices", "edges", "super-vertices", "kept in all", "within m^2 n^6 sqrt(n)"),
            *shown,
            drawn={"number": ("vertices", "edges", "super-vertices", "kept in all")},
        ),
    )


BOUND_CHECKS = (bounds_of_the_proof, bounds_by_averages, space)
