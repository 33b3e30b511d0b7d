"""Claims of the GTSPS thesis about the graphs that are solutions, and about its printed steps and deletions."""

from itertools import combinations

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps4
from sudoku_encode.papers import gtsps4_contracted as contracted
from sudoku_encode.papers.gtsps4 import DEGREE, STRUCTURE, Graph, Line
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.example import example, neighbours, vertices
from sudoku_encode.reproduce.puzzles import no_tick

UNIQUE = ("easy", "medium", "hard", "evil")
# Section 4.5, Fig. 4.9.
SOLUTIONS_4_9 = 127
# Fig. 4.9b: two of them.
TWO = (
    "251679483794328561863415792645981237937254816182763945516892374329147658478536129",
    "751629483294378561863415792645981237937254816182763945516892374329147658478536129",
)
# For each solution, section 4.2.
CYCLES = 2


def fig_4_9() -> se.Puzzle:
    """Return the puzzle of Fig. 4.9."""
    return puzzles.read("papers/gtsps-fig-4.9.sdk")[0]


def inkala() -> list[se.Puzzle]:
    """Return the ten AI puzzles."""
    return [puzzles.inkala(name) for name in sorted(puzzles.INKALA)]


def sample(work: Work, *kinds: str) -> list[se.Puzzle]:
    """Return random puzzles of some kinds, 40 of each at most."""
    return [puzzle for kind in kinds for puzzle in puzzles.random(kind, min(work.puzzles, 40))]


def without_solution() -> list[se.Puzzle]:
    """Return puzzles up to 9x9 without a solution in which no two givens clash."""
    files = ("known-counts/tdoku-none.sdm", "small/4x4-none.txt", "small/4x4-no-candidate.txt", "small/6x6-none.txt")
    return [puzzle for file in files for puzzle in puzzles.read(file)]


def cycles_and_solutions(work: Work) -> Finding:
    """Theorem 4.1 by 3-cycles."""
    rows = []
    for name, group in (
        ("Fig. 4.2", [example()[0]]),
        ("Fig. 4.9", [fig_4_9()]),
        ("AI", inkala()),
        ("without a solution", without_solution()),
        *((kind, sample(work, kind)) for kind in ("evil", "several")),
    ):
        n_solutions = [len(puzzles.solution_set(puzzle, "sat")) for puzzle in group]
        n_cycles = [contracted.cycles(gtsps4.build_graph(puzzle, no_tick), no_tick) for puzzle in group]
        of_rows = [contracted.count(puzzle, no_tick) for puzzle in group]
        agree = sum(a == CYCLES * b and c == b for a, b, c in zip(n_cycles, n_solutions, of_rows, strict=True))
        rows.append((name, len(group), sum(n_solutions), sum(n_cycles), agree))
    return Finding(
        "Theorem 4.1, section 4.2",
        "G* has two 3-cycles for each solution, one of rows and one of columns, never more; none means no solution.",
        f"{sum(row[4] for row in rows)} of {sum(row[1] for row in rows)} puzzles have as many 3-cycles of rows, "
        f"and as many of columns, as SAT finds solutions: {sum(row[3] for row in rows)} 3-cycles and "
        f"{sum(row[2] for row in rows)} solutions in all.",
        verdict(all(row[1] == row[4] for row in rows)),
        table=side_by_side(
            ("puzzles", "number", "solutions by SAT", "3-cycles", "agree"),
            *rows,
            drawn={"in all": ("solutions by SAT", "3-cycles"), "puzzles": ("number", "agree")},
        ),
    )


def either_graph(work: Work) -> Finding:
    """Version 4.2 from the whole graph or a reduced one."""
    rows, same = [], True
    for name, group in (("Fig. 4.2", [example()[0]]), ("Fig. 4.9", [fig_4_9()]), ("hard", sample(work, "hard"))):
        graphs = [gtsps4.build_graph(puzzle, no_tick) for puzzle in group]
        whole = [contracted.cycles(made, no_tick, 0) for made in graphs]
        for step, title in ((0, "whole"), (DEGREE, "without low degrees"), (STRUCTURE, "all deletions")):
            numbers = [contracted.cycles(made, no_tick, step) for made in graphs]
            size = sum(
                len(contracted.super_vertices(made, line, no_tick, step)) for made in graphs for line in made.lines
            )
            rows.append((name, title, size, sum(numbers)))
            same &= numbers == whole
    return Finding(
        "section 4.2",
        "Version 4.2 may start from the graph of Fig. 4.3 or from that of Fig. 4.5.",
        f"The 3-cycles are {'the same' if same else 'not the same'} from either, and after all deletions.",
        verdict(same),
        table=side_by_side(
            ("puzzles", "graph", "super-vertices", "3-cycles"), *rows, drawn={"number": ("super-vertices", "3-cycles")}
        ),
    )


def one_vertex_of_each_minigrid(work: Work) -> Finding:
    """Rook's graphs are solutions and the other way round."""
    all_puzzles = [example()[0], fig_4_9(), *inkala(), *without_solution(), *sample(work, "evil", "several")]
    pairs = [(puzzles.solution_set(puzzle, "gtsps-4.1"), puzzles.solution_set(puzzle, "sat")) for puzzle in all_puzzles]
    agree = sum(one == other for one, other in pairs)
    return Finding(
        "section 4.1",
        "The induced rook's graphs with one vertex of each minigrid are the solutions.",
        f"On {agree} of {len(all_puzzles)} puzzles they are exactly those of SAT, "
        f"{sum(len(one) for one, _ in pairs)} in all.",
        verdict(agree == len(all_puzzles)),
    )


# A 3 x 3 rook's graph in three colours, three vertices of each, so that no two of a colour are joined.
_COLOURED = [[(at, (colour - at) % 3) for at in range(3)] for colour in range(3)]


def rooks_graph_in(graph: Graph, line: Line, most: int = 20_000) -> list[int]:
    """Look, for at most `most` steps, for an induced rook's graph with three vertices of each minigrid of one line."""
    used = [np.flatnonzero(count) for count in line.counts(graph.remaining(0))]
    order = [(colour, place) for place in range(3) for colour in range(3)]
    chosen: dict[tuple[int, int], int] = {}
    steps = 0

    def complete(depth: int) -> bool:
        nonlocal steps
        steps += 1
        if depth == len(order) or steps > most:
            return depth == len(order)
        colour, place = order[depth]
        fits = np.ones(len(used[colour]), bool)
        for (other, its_place), which in chosen.items():
            if other != colour:
                own, its = _COLOURED[colour][place], _COLOURED[other][its_place]
                fits &= line.match[other, colour][which, used[colour]] == ((own[0] == its[0]) != (own[1] == its[1]))
        for which in used[colour][fits].tolist():
            chosen[colour, place] = which
            if complete(depth + 1):
                return True
            del chosen[colour, place]
        return False

    if not complete(0):
        return []
    return [
        int(graph.starts[line.numbers[colour]] + np.flatnonzero(line.of[colour] == which)[0])
        for (colour, _), which in chosen.items()
    ]


def is_rooks_graph(graph: Graph, nine: list[int]) -> bool:
    """Check whether nine vertices induce a rook's graph: two joined ones share one neighbour, two others share two."""
    adjacent = np.zeros((9, 9), int)
    edges = set(map(tuple, graph.edges.tolist()))
    for a, b in combinations(range(9), 2):
        adjacent[a, b] = adjacent[b, a] = (min(nine[a], nine[b]), max(nine[a], nine[b])) in edges
    expected = np.where(np.eye(9, dtype=bool), 4, np.where(adjacent == 1, 1, 2))
    return bool((adjacent @ adjacent == expected).all())


def other_rooks_graphs(work: Work) -> Finding:
    """Look for rook's graphs that are not solutions."""
    random_puzzles = puzzles.random("evil", max(25, work.puzzles))
    examples: list[tuple[Graph, list[int]]] = []
    for puzzle in random_puzzles:
        graph = gtsps4.build_graph(puzzle, no_tick)
        nine_vertices = next((nine for nine in (rooks_graph_in(graph, line) for line in graph.lines) if nine), [])
        if nine_vertices and is_rooks_graph(graph, nine_vertices):
            examples.append((graph, nine_vertices))
    named = " ".join(examples[0][0].name(vertex) for vertex in sorted(examples[0][1])) if examples else ""
    return Finding(
        "section 4.1",
        "The number of induced subgraphs of G isomorphic to Fig. 4.1 is the number of solutions.",
        f"On at least {len(examples)} of {len(random_puzzles)} random puzzles with one solution, G has more: rook's "
        "graphs with three vertices in each of three minigrids of one row or "
        f"column{f', such as {named}' if named else ''}.",
        verdict(not examples),
        "They are not solutions. The claim needs one vertex of each minigrid, which the page before Fig. 4.6 "
        "requires; the 3-cycles of version 4.2 have it by construction.",
    )


def two_minigrids_differ(work: Work) -> Finding:
    """How far apart solutions are."""
    least, n_pairs = 9, 0
    for puzzle in [fig_4_9(), *sample(work, "several")]:
        boxes = puzzle.geometry.rules[2].units
        grids = puzzles.solutions(puzzle, "gtsps-4.2")[:, boxes]
        for number in range(len(grids) - 1):
            apart = (grids[number + 1 :] != grids[number]).any(axis=2).sum(axis=1)
            least, n_pairs = min(least, int(apart.min())), n_pairs + len(apart)
    return Finding(
        "section 4.1",
        "Two solutions of a puzzle differ in two minigrids or more.",
        f"Among {n_pairs} pairs of solutions, the smallest number of minigrids that differ is {least}.",
        verdict(least >= 2),
        "This is always so: the other minigrids determine the row and the column of each digit in the last.",
    )


def figure_4_9(work: Work) -> Finding:
    """The puzzle with 127 solutions."""
    puzzle = fig_4_9()
    solutions = puzzles.solution_set(puzzle, "gtsps-4.2")
    two = [np.array(list(map(int, text)), np.uint8) for text in TWO]
    cells = np.flatnonzero(two[0] != two[1])
    boxes = sorted({int(cell) // 27 * 3 + int(cell) % 9 // 3 + 1 for cell in cells})
    where = ", ".join(puzzle.geometry.cell_name(int(cell)) for cell in cells)
    right = sum(grid.tobytes() in solutions for grid in two)
    return Finding(
        "Fig. 4.9",
        f"{SOLUTIONS_4_9} solutions; the two that are printed differ in the first two minigrids only, by 2 and 7 in "
        "columns 1 and 5 of the first two rows.",
        f"{len(solutions)} solutions by GTSPS 4.2, {len(puzzles.solution_set(puzzle))} by SAT; {right} of the two "
        f"printed are among them; they differ in minigrids {' and '.join(map(str, boxes))}: {where}.",
        verdict(
            len(solutions) == len(puzzles.solution_set(puzzle, "sat")) == SOLUTIONS_4_9
            and right == 2
            and cells.tolist() == [0, 4, 9, 13]
            and boxes == [1, 2]
        ),
        "In our scan the rows of the puzzle lack some empty cells; they were put back by the two printed solutions.",
    )


def no_solution_is_noticed(work: Work) -> Finding:
    """Step 9."""
    unsolvable = without_solution()
    graphs = [gtsps4.build_graph(puzzle, no_tick) for puzzle in unsolvable]
    counts = [se.count(puzzle, name).value for puzzle in unsolvable for name in ("gtsps-4.1", "gtsps-4.2")]
    n_with_vertices = sum(bool(vertices(one, STRUCTURE)) for one in graphs)
    return Finding(
        "section 4.3, step 9",
        "Where a puzzle has no solution, G* has no 3-cycle.",
        f"On {len(unsolvable)} puzzles without a solution, in which no two givens clash, versions 4.1 and 4.2 find "
        f"{sum(counts)}.",
        verdict(not any(counts)),
        f"The deletions alone do not show it: they leave vertices in {n_with_vertices} of the {len(unsolvable)}.",
    )


CHECKS = (
    cycles_and_solutions,
    either_graph,
    one_vertex_of_each_minigrid,
    other_rooks_graphs,
    two_minigrids_differ,
    figure_4_9,
    no_solution_is_noticed,
)


# The steps as printed, and the deletions.

# Step 4 of section 4.3 lets i and j be minigrids from 1 to this.
LAST_MINIGRID = 3
# Step 5 of section 4.3: the least degree that stays.
LEAST_DEGREE = 4


def step_4(work: Work) -> Finding:
    """Which minigrids it joins."""
    graph = example()[1]
    ours = len(graph.edges)
    owners = np.searchsorted(graph.starts, graph.edges, side="right")
    printed = int((owners <= LAST_MINIGRID).all(axis=1).sum())
    return Finding(
        "section 4.3, step 4",
        f"Permutations of minigrids i and j, from 1 to {LAST_MINIGRID}, are joined.",
        f"So Fig. 4.2 would have {printed} edges of {ours}.",
        verdict(printed == ours),
        f"It must be 1 to 9: {LAST_MINIGRID} is the number of minigrids in one row.",
    )


def step_5(work: Work) -> Finding:
    """When it ends."""
    graph = example()[1]
    first = neighbours(graph, graph.names)
    names = [name for name, near in first.items() if len(near) >= LEAST_DEGREE]
    low = sorted(name for name, near in neighbours(graph, names).items() if len(near) < LEAST_DEGREE)
    end = vertices(graph, DEGREE)
    return Finding(
        "section 4.3, step 5",
        "Deletion is repeated until a vertex of degree three or less is found; then none has a degree below four.",
        f"On Fig. 4.2 such a vertex ({' '.join(low)}) is found after one round, with {len(names)} vertices left; "
        f"with none below four {len(end)} are left.",
        verdict(len(names) == len(end)),
        "It must be until none is found, as in section 4.1.",
    )


def degree_four_on_4x4(work: Work) -> Finding:
    """Theorem 4.1 from 4x4 on, with step 5."""
    (puzzle,) = puzzles.read("small/4x4-four-givens.txt")
    graph = gtsps4.build_graph(puzzle, no_tick)
    names = graph.names
    while low := {name for name, near in neighbours(graph, names).items() if len(near) < LEAST_DEGREE}:
        names = [name for name in names if name not in low]
    n_solutions, adjacent = len(puzzles.solution_set(puzzle, "sat")), sum(graph.shape) - 2
    return Finding(
        "Theorem 4.1",
        "It holds for n x n with sqrt(n) of 2 or more; step 5 deletes every vertex of a degree below four.",
        f"A 4x4 puzzle with {n_solutions} solution: of {len(graph.names)} vertices step 5 leaves {len(names)}. "
        "With the degree "
        f"{adjacent}, the number of adjacent minigrids, {len(vertices(graph, STRUCTURE))} are left at the end.",
        verdict(bool(names)),
        "Four is the degree for 3 x 3 minigrids. For r x c minigrids it is r + c - 2: 2 on 4x4, 3 on 6x6, 6 on 16x16.",
    )


def degree_is_not_enough(work: Work) -> Finding:
    """A vertex of degree four or more in no solution."""
    graph = example()[1]
    names = vertices(graph, DEGREE)
    solution = vertices(graph, STRUCTURE)
    lacking = {}
    for name, near in neighbours(graph, names).items():
        if len(seen := {other[0] for other in near}) < 4:
            lacking[name] = (len(near), " ".join(f"M{number}" for number in sorted(seen)))
    name, (degree, where) = min(lacking.items())
    return Finding(
        "section 4.1",
        "A vertex of degree four or more need not belong to a solution.",
        f"In Fig. 4.5, {len(names) - len(solution)} of {len(names)} do not. {len(lacking)} have no neighbour in some "
        f"adjacent minigrid, such as {name}: degree {degree}, all in {where}.",
        verdict(len(names) > len(solution)),
    )


def reduction_leaves_the_solution(work: Work) -> Finding:
    """Count the vertices that the deletions leave."""
    rows = []
    for kind in (*UNIQUE, "AI"):
        sample_of_kind = inkala() if kind == "AI" else sample(work, kind)
        numbers = [len(vertices(gtsps4.build_graph(puzzle, no_tick), STRUCTURE)) for puzzle in sample_of_kind]
        rows.append((kind, len(sample_of_kind), sum(one == 9 for one in numbers), max(numbers)))
    return Finding(
        "section 4.1, Fig. 4.6",
        "Deleting vertices that are not compatible leads in due course from Fig. 4.5 to the one solution.",
        f"This holds for {sum(row[2] for row in rows)} of {sum(row[1] for row in rows)} puzzles with one solution; "
        f"of the ten AI puzzles for {rows[-1][2]}, where up to {rows[-1][3]} vertices are left.",
        verdict(all(row[1] == row[2] for row in rows)),
        "The text shows one example. Deletions are a filter; the 3-cycles of step 8 must be searched for in the "
        "remaining graph.",
        side_by_side(
            ("puzzles", "number", "nine vertices left", "most left"),
            *rows,
            drawn={"puzzles": ("number", "nine vertices left"), "vertices left": ("most left",)},
        ),
    )


STEP_CHECKS = (step_4, step_5, degree_four_on_4x4, degree_is_not_enough, reduction_leaves_the_solution)
