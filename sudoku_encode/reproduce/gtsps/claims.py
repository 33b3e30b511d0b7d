"""Claims in words of the GTSPS thesis: guessed free, without backtracking, and other rows of Tables 4.7 and 4.8."""

from collections import Counter
from math import log2

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps, gtsps3, gtsps4, logic
from sudoku_encode.papers import gtsps4_contracted as contracted
from sudoku_encode.papers.gtsps import Tally
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import LOGIC
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.compared import ALL_IN_ONE_RUN, on_the_slowest
from sudoku_encode.reproduce.gtsps.example import example
from sudoku_encode.reproduce.gtsps.solutions import SOLUTIONS_4_9, UNIQUE, fig_4_9, inkala, sample
from sudoku_encode.reproduce.gtsps.tables import runs
from sudoku_encode.reproduce.puzzles import no_tick

# Table 4.7 row 1: the techniques that it names, and ours of the same name.
TECHNIQUES = {
    "twin": ("naked pair",),
    "triplet": ("naked triple",),
    "locked candidates": ("pointing", "claiming"),
    "hidden subset": ("hidden pair", "hidden triple", "hidden quad"),
    "lone ranger": ("hidden single",),
    "naked subsets": ("naked pair", "naked triple", "naked quad"),
    "X-wing": ("X-wing",),
    "XY-wing": ("XY-wing",),
    "swordfish": ("swordfish",),
    "XYZ-wing": ("XYZ-wing",),
}
# Table 4.7 row 4, section 4.5.2: the first algorithm on Sudoku by graphs. The thesis is later than 2013, when one of
# its authors published versions 3.1 and 3.2; this is on the colourings of the graph of 81 cells.
EARLIER = "Herzberg and Murty, Sudoku squares and chromatic polynomials, Notices of the AMS 54(6), 2007, 708-717"
# Table 4.7 rows 8 and 9: which solvers solve puzzles of any difficulty.
ANY_DIFFICULTY = {"pencil-paper": False, "logic": False, "brute-force": True, "norvig2006": True, "gtsps-4.1": True}
# Table 4.7 row 11: of use for steganography.
STEGANOGRAPHY = {name: name.startswith("gtsps-4") for name in ALL_IN_ONE_RUN if not name.startswith("gtsps-3")}
# Table 4.8 row 7: minigrids in a vertex.
MINIGRIDS_IN_A_VERTEX = (1, 3)


def _search(graph: gtsps4.Graph) -> Tally:
    """Return the tally of a search for the rook's graphs that takes the minigrid which leaves the fewest next."""
    tally = Tally.of(len(graph.minigrids))
    for _ in gtsps4.rooks_graphs(graph, no_tick, tally):
        pass
    return tally


def guessed_free(work: Work) -> Finding:
    """The headline, for GTSPS itself."""
    rows = []
    for kind in (*UNIQUE, "few", "AI"):
        sample_of_kind = inkala() if kind == "AI" else sample(work, kind)[:20]
        graphs = [gtsps4.build_graph(puzzle, no_tick) for puzzle in sample_of_kind]
        n_remaining = [int(np.count_nonzero(made.deleted == 0)) for made in graphs]
        n_dead_ends = sum(sum(_search(made).n_dead_ends) for made in graphs)
        edges = [sum(contracted.super_edges(made, no_tick)) for made in graphs]
        # One solution is a 3-cycle of rows and one of columns.
        in_no_cycle = sum(edges) - 6 * len(sample_of_kind)
        rows.append(
            (kind, len(sample_of_kind), sum(n > 9 for n in n_remaining), max(n_remaining), n_dead_ends, in_no_cycle)
        )
    return Finding(
        "section 4.7, Table 4.7 row 2, Table 4.8 row 1",
        "GTSPS is entirely guessed free; versions 4.1 and 4.2 are without backtracking.",
        f"On {sum(row[2] for row in rows)} of {sum(row[1] for row in rows)} puzzles with one solution, more than "
        "nine vertices are left after all deletions, so some have to be tried: version 4.1 meets "
        f"{sum(row[4] for row in rows):,} dead ends ({rows[-1][4]:,} on the ten AI puzzles), version 4.2 "
        f"{sum(row[5] for row in rows):,} pairs of super-vertices that are in no 3-cycle.",
        verdict(not any(row[4] or row[5] for row in rows)),
        "The claim holds where the deletions end with nine vertices. A dead end is a choice of matching permutations "
        "for some minigrids that no permutation of the next minigrid fits; on cells it would be a guess that is "
        "taken back. We count up to the proof that there is no second solution, and take next the minigrid that is "
        "expected to leave the fewest choices; in reading order there are other dead ends, see `reproduce open`. It "
        "is true that all choices are tried, so none has to be a lucky one.",
        side_by_side(
            ("puzzles", "number", "over nine left", "most left", "dead ends, 4.1", "pairs in no 3-cycle, 4.2"),
            *rows,
            drawn={
                "puzzles": ("number", "over nine left"),
                "vertices left": ("most left",),
                "number": ("dead ends, 4.1", "pairs in no 3-cycle, 4.2"),
            },
        ),
    )


def techniques_of_row_1(work: Work) -> Finding:
    """Whether all that are named find something."""
    used = Counter[str]()
    all_puzzles = [*sample(work, *UNIQUE, "few"), *inkala(), *puzzles.read("known-counts/royle-17.sdm")]
    for puzzle in all_puzzles:
        used.update(step.technique for step in logic.steps(Marks.of(puzzle), no_tick, LOGIC))
    rows = [(name, sum(used[one] for one in ours)) for name, ours in TECHNIQUES.items()]
    idle = [str(row[0]) for row in rows if not row[1]]
    return Finding(
        "Table 4.7 row 1",
        f"The solvers [46] and [49] use {', '.join(TECHNIQUES)}, etc.",
        f"On {len(all_puzzles)} puzzles, with each technique tried only where no simpler one finds anything, all but "
        f"{len(idle)} are of use{': ' + ', '.join(idle) if idle else ''}.",
        verdict(len(idle) < len(rows)),
        "The unnamed techniques cannot be checked. A twin and a triplet are naked subsets too, so row 1 counts them "
        "twice.",
        side_by_side(("technique", "used, times"), *rows, drawn={"times used": ("used, times",)}),
    )


def minigrid_based(work: Work) -> Finding:
    """Table 4.7 row 3 and Table 4.8 row 2, and what section 4.4 says dominates."""
    rows = []
    for kind in UNIQUE:
        cells = permutations = pairs = 0
        for puzzle in sample(work, kind)[:20]:
            graph = gtsps4.build_graph(puzzle, no_tick)
            cells += sum(tree_nodes(puzzle))
            permutations += len(graph.deleted)
            sizes = np.diff(graph.starts)
            pairs += sum(
                int(sizes[a] * sizes[b]) for line in graph.lines for a in line.numbers for b in line.numbers if a < b
            )
        rows.append((kind, permutations, cells, pairs, round(pairs / cells, 1)))
    return Finding(
        "Table 4.7 row 3, Table 4.8 row 2, section 4.4",
        "GTSPS fills minigrids, the other solvers cells; versions 3 are a tree, versions 4 a graph. The tree of each "
        "minigrid's permutations dominates the computation.",
        f"A vertex fills a whole minigrid, but is made cell by cell, in a tree: "
        f"{', '.join(f'{row[2]:,}' for row in rows)} values are put into cells for "
        f"{', '.join(f'{row[1]:,}' for row in rows)} vertices "
        f"({', '.join(row[0] for row in rows)}). To join the vertices {rows[-1][4]:g} times as many pairs are compared "
        f"(evil), {rows[0][4]:g} (easy).",
        verdict(all(row[2] > row[3] for row in rows)),
        "Rows 3 and 2 are right as they are meant. But the tree does not dominate: with few clues the pairs do, "
        "since their number grows with the square.",
        side_by_side(
            ("puzzles", "vertices", "values put, in trees", "pairs compared", "pairs a value"),
            *rows,
            drawn={
                "number": ("vertices", "values put, in trees", "pairs compared"),
                "pairs compared for each value put": ("pairs a value",),
            },
        ),
    )


def tree_nodes(puzzle: se.Puzzle) -> list[int]:
    """Return, for each minigrid, the nodes of the tree of Fig. 3.5: partial permutations that fit the clues."""
    board = puzzle.geometry
    numbers = []
    for cells in board.rules[2].units.astype(np.intp):
        blanks = cells[puzzle.givens[cells] == 0]
        values_of_blanks = []
        for cell in blanks.tolist():
            given_values = set(puzzle.givens[board.peers[cell]].tolist())
            values_of_blanks.append([1 << value for value in range(1, board.n_values + 1) if value not in given_values])
        level, nodes = Counter({0: 1}), 0
        # Partial permutations with the same digits have the same continuations.
        for values in values_of_blanks:
            level = sum(
                (Counter({taken | bit: n for taken, n in level.items() if not taken & bit}) for bit in values),
                Counter(),
            )
            nodes += level.total()
        numbers.append(nodes)
    return numbers


def first_by_graphs(work: Work) -> Finding:
    """Table 4.7 row 4."""
    puzzle = example()[0]
    same = puzzles.solution_set(puzzle, "sat:colouring") == puzzles.solution_set(puzzle, "gtsps-4.1")
    n_edges = len(puzzle.geometry.edges)
    return Finding(
        "Table 4.7 row 4, section 4.5.2",
        "No other solver views a puzzle as a graph; GTSPS is the first, exclusive algorithm that does.",
        f"A puzzle is a colouring of a graph of {puzzle.geometry.n_cells} cells and {n_edges} edges, "
        f"{'which gives the same solution' if same else 'which does not give the solution'} of Fig. 4.2; that was "
        f"published before: {EARLIER}.",
        verdict(not same),
        "The four solvers that row 4 compares with indeed use no graph. We found no earlier graph of ways to fill "
        "minigrids; 'first' is true only of that graph.",
    )


def any_difficulty(work: Work) -> Finding:
    """Table 4.7 rows 8 and 9."""
    runs_by_kind = runs(work.puzzles, work.seconds)
    kinds = (*UNIQUE, "few")
    unsolved_by_method = {name: [runs_by_kind[kind, name].unsolved for kind in kinds] for name in ANY_DIFFICULTY}
    solves = {name: not any(unsolved) for name, unsolved in unsolved_by_method.items()}
    slow = [name for name, able in ANY_DIFFICULTY.items() if able and not solves[name]]
    slow_text = f"Not finished on all of these: {', '.join(slow)}. " if slow else ""
    not_ended = [row[0] for row in on_the_slowest(work.seconds) if row[2] != "done"]
    in_all = {name: sum(unsolved) for name, unsolved in unsolved_by_method.items()}
    return Finding(
        "Table 4.7 rows 8 and 9",
        "Brute force, Norvig's solver and GTSPS solve puzzles of any difficulty, [46] and [49] do not; brute force "
        "with redundant computations and extremely time consuming.",
        f"GTSPS 4.1 leaves {in_all['gtsps-4.1']} of {sum(runs_by_kind[kind, 'gtsps-4.1'].number for kind in kinds)} "
        f"unsolved, [46] {in_all['pencil-paper']}, [49] {in_all['logic']}; brute force does not finish on "
        f"{in_all['brute-force']}, Norvig's solver on {in_all['norvig2006']}.",
        verdict(solves["gtsps-4.1"] and not solves["pencil-paper"] and not solves["logic"]),
        f"The verdict requires that [46] and [49] leave some puzzles, and GTSPS none. {slow_text}Norvig's slowest "
        "puzzle, which GTSPS solves according to the thesis, is not among these, since it has no solution. Not "
        f"finished on it in time: {' and '.join(not_ended) or 'none'}.",
        side_by_side(
            ("method", *(f"unsolved, {kind}" for kind in kinds)),
            *((name, *unsolved) for name, unsolved in unsolved_by_method.items()),
            drawn={"puzzles unsolved": tuple(f"unsolved, {kind}" for kind in kinds)},
        ),
    )


def steganography(work: Work) -> Finding:
    """Table 4.7 row 11: hide a number as the place of a solution among all."""
    orders = {name: sorted(puzzles.solution_set(fig_4_9(), name)) for name in STEGANOGRAPHY}
    sent = orders["gtsps-4.1"]
    read = {
        name: sum(mine == theirs for mine, theirs in zip(order, sent, strict=False)) for name, order in orders.items()
    }
    able = {name: number == len(sent) for name, number in read.items()}
    return Finding(
        "Table 4.7 row 11",
        "Of the solvers only GTSPS is applicable in steganography: a message is in one of several solutions.",
        f"Fig. 4.9 hides {log2(len(sent)):.2f} bits: the position of a solution among its {len(sent)} in ascending "
        f"order. {sum(able.values())} of {len(able)} methods that list all solutions read each of the "
        f"{SOLUTIONS_4_9} messages.",
        verdict(able == STEGANOGRAPHY),
        "This needs nothing but all solutions, which is row 6 again. Anybody who has the puzzle can list them too.",
        side_by_side(
            ("method", "paper", f"messages read, of {len(sent)}"),
            *((name, "yes" if STEGANOGRAPHY[name] else "no", number) for name, number in read.items()),
            drawn={"messages read": (f"messages read, of {len(sent)}",)},
        ),
    )


def order_of_minigrids(work: Work) -> Finding:
    """Table 4.8 row 5: does the order not arise in version 4?"""
    rows: list[tuple[str, int, int, int, int]] = []
    for name, puzzle in zip(sorted(puzzles.INKALA), inkala(), strict=True):
        graph = gtsps4.build_graph(puzzle, no_tick)
        matched: list[int] = []
        for order in (None, tuple(range(9)), tuple(range(8, -1, -1))):
            tally = Tally.of(9)
            for _ in gtsps4.rooks_graphs(graph, no_tick, tally, order):
                pass
            matched.append(sum(tally.matched))
        rows.append((name, int(np.count_nonzero(graph.deleted == 0)), matched[0], matched[1], matched[2]))
    totals = [sum(row[2] for row in rows), sum(row[3] for row in rows), sum(row[4] for row in rows)]
    return Finding(
        "Table 4.8 row 5",
        "Versions 3.1 and 3.2 choose the minigrids in a sequence; with versions 4 it does not arise.",
        "It does where the deletions leave more than nine vertices: on the ten AI puzzles the rook's graphs are "
        f"found by way of {totals[0]:,} partial ones if the minigrid that leaves the fewest choices comes next, "
        f"{totals[1]:,} in reading order, {totals[2]:,} in reverse order.",
        verdict(len(set(totals)) == 1),
        "The solutions are the same in any order. The thesis does not say how to find the graphs.",
        side_by_side(
            ("puzzle", "vertices left", "fewest next", "reading order", "reverse"),
            *rows,
            drawn={"branches": ("fewest next", "reading order", "reverse"), "vertices left": ("vertices left",)},
        ),
    )


def minigrids_in_a_vertex(work: Work) -> Finding:
    """Table 4.8 row 7."""
    sizes_by_board = []
    for puzzle in (example()[0], puzzles.read("small/16x16.txt")[0], puzzles.read("small/6x6.txt")[0]):
        graph = gtsps4.build_graph(puzzle, no_tick)
        sizes_by_board.append(
            (
                puzzle.geometry.name,
                *sorted({contracted.super_vertices(graph, line, no_tick).shape[1] for line in graph.lines}),
            )
        )
    nine = sizes_by_board[0][1:]
    return Finding(
        "Table 4.8 row 7",
        f"A vertex of version 4.1 holds {MINIGRIDS_IN_A_VERTEX[0]} minigrid, one of version 4.2 "
        f"{MINIGRIDS_IN_A_VERTEX[1]}.",
        "A super-vertex holds "
        f"{'; '.join(f'{name}: ' + ' or '.join(map(str, sizes)) for name, *sizes in sizes_by_board)}.",
        verdict(nine == (MINIGRIDS_IN_A_VERTEX[1],)),
        "The table is for n x n, but says 1 and 3, which is right for 9x9; in general it is the number of minigrids "
        "in a row or in a column.",
    )


def faster_towards_the_end(work: Work) -> Finding:
    """Section 4.6: matching along a sequence."""
    rows, faster = [], []
    for kind in ("hard", "evil"):
        total = Tally.of(9)
        sizes = np.zeros(9)
        for puzzle in sample(work, kind)[:20]:
            minigrids = gtsps.minigrids(puzzle, no_tick)
            tally = Tally.of(9)
            order = gtsps3.sequence((3, 3), "semi-spiral")
            for _ in gtsps.matching(gtsps.levels([minigrids[number] for number in order], (3, 3)), no_tick, tally):
                pass
            total = Tally(
                *(
                    [a + b for a, b in zip(*pair, strict=True)]
                    for pair in ((total.matched, tally.matched), (total.n_dead_ends, tally.n_dead_ends))
                )
            )
            sizes += [len(minigrids[number].permutations) for number in order]
        reached = [len(sample(work, kind)[:20]), *total.matched]
        fits = [total.matched[place] / max(1, reached[place]) for place in range(9)]
        faster.append(max(fits[6:]) < min(fits[:2]))
        for place, number in enumerate(gtsps3.sequence((3, 3), "semi-spiral")):
            rows.append((kind, f"M{number + 1}", reached[place], round(fits[place], 3), total.n_dead_ends[place]))
    return Finding(
        "section 4.6",
        "Towards the end of the sequence of version 3.2 matching becomes faster, since fewer permutations fit.",
        "Along the semi-spiral a branch has "
        + "; ".join(
            f"{rows[start][3]:g} matching permutations of the first minigrid, {rows[start + 4][3]:g} of the fifth, "
            f"{rows[start + 8][3]:g} of the last ({rows[start][0]})"
            for start in (0, 9)
        )
        + ".",
        verdict(all(faster)),
        "The verdict requires that each of the last three has fewer for a branch than either of the first two. This "
        f"is for one branch; most branches are in the middle: {max(row[2] for row in rows[9:]):,} of them on the "
        "evil puzzles. A dead end is a branch without a matching permutation of the minigrid.",
        side_by_side(
            ("puzzles", "minigrid", "branches", "matching for each", "dead ends"),
            *rows,
            drawn={"branches": ("branches", "dead ends"), "permutations that match a branch": ("matching for each",)},
        ),
    )


CHECKS = (
    guessed_free,
    techniques_of_row_1,
    minigrid_based,
    first_by_graphs,
    any_difficulty,
    steganography,
    order_of_minigrids,
    minigrids_in_a_vertex,
    faster_towards_the_end,
)
