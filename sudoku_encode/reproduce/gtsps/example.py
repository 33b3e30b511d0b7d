"""The worked example of the GTSPS thesis, Figures 4.2 to 4.8, step by step."""

from functools import cache

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps4
from sudoku_encode.papers import gtsps4_contracted as contracted
from sudoku_encode.papers.gtsps import matching
from sudoku_encode.papers.gtsps4 import DEGREE, STRUCTURE, Graph
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import no_tick

# Fig. 4.2 as the scan has it, where some clues slipped sideways.
FIGURE_4_2_SCANNED = ".1.2.34.. 4..1.5... ..678.... .214.75.. 57..1.89. .39.641.. ...978... ..5.1..7. .98.3.6.."
# Section 4.1, M1 to M9.
PERMUTATIONS = """
978235 978325; 59634 65934; 678192 678291 678921 876192 876291 876921; 648; 892357 893257; 362;
142367 143267 162347 163247; 46825 46852 48625 48652 56824 58624 62854 68425 68452;
249315 259314 342915 349215 352914 359214
"""
PAIRS = "12 13 14 17 23 25 28 36 39 45 46 47 56 58 69 78 79 89"
# Section 4.1, the list of 104 edges, as it stands.
EDGES = """
1a-2b 1a-3d 1a-3e 1a-3f 1a-4a 1b-4a 1a-7b 1a-7d 1b-7a 1b-7c 2a-3a 2a-3b 2a-3c 2b-3d 2b-3e 2b-3f 2b-5b 2a-8e 2b-8f
2b-8g 3b-6a 3c-6a 3e-6a 3f-6a 3b-9a 3b-9b 3b-9d 3b-9f 3c-9c 3c-9e 3e-9a 3e-9b 3e-9d 3e-9f 3f-9c 3f-9e 4a-5a 4a-5b
4a-6a 4a-7a 4a-7b 4a-7c 4a-7d 5a-6a 5b-6a 5b-8c 5b-8f 5b-8h 6a-9a 6a-9b 6a-9c 6a-9d 6a-9e 6a-9f 7a-8g 7a-8h 7a-8i
7b-8h 7b-8i 7c-8a 7c-8b 7c-8c 7c-8d 7c-8e 7c-8f 7d-8a 7d-8b 7d-8c 7d-8d 7d-8e 7d-8f 7a-9e 7a-9f 7b-9b 7c-9c 7c-9d
7c-9e 7c-9f 7d-9a 7d-9b 8a-9b 8a-9c 8a-9f 8b-9b 8b-9c 8b-9f 8c-9b 8c-9c 8c-9f 8d-9b 8d-9c 8d-9f 8e-9a 8e-9c 8e-9d
8f-9a 8f-9c 8f-9d 8h-9b 8h-9c 8h-9f 8i-9b 8i-9c 8i-9f
"""
N_EDGES, N_HEADERS, N_LINKED = 104, 33, 208
LOW_DEGREES = {"1b": 3, "3a": 1, "3d": 2, "5a": 2, "8g": 2}
# Section 4.1 after Fig. 4.5: the minigrids of which it says how many permutations are left there.
LEFT = {"1": 1, "2": 1, "8": 8, "9": 6}
# Fig. 4.7.
SOLUTION = "917625348482193576356748291621489753574312689839576412163957824245861937798234165"
# Section 4.2, the three-tuples of Fig. 4.5.
TUPLES = """
1a-2b-3e 1a-2b-3f 4a-5b-6a 7a-8h-9e 7a-8h-9f 7a-8i-9e 7a-8i-9f 7b-8h-9b 7b-8i-9b 7c-8a-9e 7c-8a-9f 7c-8b-9e 7c-8b-9f
7c-8c-9e 7c-8c-9f 7c-8d-9e 7c-8d-9f 7c-8e-9c 7c-8e-9d 7c-8f-9c 7c-8f-9d 7d-8a-9b 7d-8b-9b 7d-8c-9b 7d-8d-9b 7d-8e-9a
7d-8f-9a 1a-4a-7b 1a-4a-7d 2b-5b-8f 3e-6a-9a 3e-6a-9b 3e-6a-9d 3f-6a-9c 3f-6a-9e
"""
N_TUPLES = 35
# Section 4.2, after Fig. 4.8.
TRIANGLES = "1a-2b-3c 4a-5b-6a 7d-8f-9a 1a-4a-7d 2b-5b-8f 3c-6a-9a"


@cache
def example() -> tuple[se.Puzzle, Graph]:
    """Return the puzzle of Fig. 4.2 and its graph."""
    (puzzle,) = puzzles.read("papers/gtsps-fig-4.2.ss")
    return puzzle, gtsps4.build_graph(puzzle, no_tick)


def edges(graph: Graph) -> set[str]:
    """Return the edges of G before any deletion, as 1a-2b."""
    return {f"{graph.names[one]}-{graph.names[other]}" for one, other in graph.edges.tolist()}


def vertices(graph: Graph, after: int) -> list[str]:
    """Return the vertices that no step up to `after` deleted."""
    return [graph.names[vertex] for vertex in np.flatnonzero(np.concatenate(graph.remaining(after)))]


def neighbours(graph: Graph, names: list[str]) -> dict[str, set[str]]:
    """Return the neighbours of each of these vertices among them."""
    near: dict[str, set[str]] = {vertex: set() for vertex in names}
    for first, second in (edge.split("-") for edge in edges(graph)):
        if first in near and second in near:
            near[first].add(second)
            near[second].add(first)
    return near


def tuples(graph: Graph, after: int) -> list[str]:
    """Return the super-vertices of the rows, then of the columns, as 1a-2b-3e."""
    names = []
    for line in graph.lines:
        names += contracted.names(graph, contracted.super_vertices(graph, line, no_tick, after))
    return [name.strip("<>") for name in names]


def super_edges(graph: Graph, after: int) -> set[tuple[str, str]]:
    """Return the edges of G*."""
    pairs = set()
    for lines in (graph.rows, graph.columns):
        vertices_of_lines = [contracted.super_vertices(graph, line, no_tick, after) for line in lines]
        levels = [
            contracted.crossing(graph, line, vertices_of_line)
            for line, vertices_of_line in zip(lines, vertices_of_lines, strict=True)
        ]
        names = [
            [name.strip("<>") for name in contracted.names(graph, vertices_of_line)]
            for vertices_of_line in vertices_of_lines
        ]
        for number in range(len(lines)):
            for other in range(number + 1, len(lines)):
                for batch in matching([levels[number], levels[other]], no_tick):
                    pairs |= {(names[number][a], names[other][b]) for a, b in batch.tolist()}
    return pairs


def triangles(pairs: set[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """Return the 3-cycles of a graph whose edges are written smaller end first."""
    after: dict[str, set[str]] = {}
    for first, other in pairs:
        after.setdefault(first, set()).add(other)
    return sorted(
        (first, second, third) for first, second in pairs for third in after[first] & after.get(second, set())
    )


def valid_permutations(work: Work) -> Finding:
    """The permutations of Fig. 4.2."""
    puzzle, graph = example()
    paper = [part.split() for part in PERMUTATIONS.split(";")]
    ours = [one.texts() for one in graph.minigrids]
    rows = [(one.label, len(their), len(texts)) for one, their, texts in zip(graph.minigrids, paper, ours, strict=True)]
    n_ours, n_clues = len(graph.names), int(np.count_nonzero(puzzle.givens))
    scanned = zip(FIGURE_4_2_SCANNED.replace(" ", ""), puzzle.givens.tolist(), strict=True)
    n_moved = sum(clue not in (".", str(given)) for clue, given in scanned)
    return Finding(
        "Fig. 4.2, section 4.1",
        f"35 clues; the minigrids have {' '.join(str(row[1]) for row in rows)} valid permutations, 33 in all, listed.",
        f"{n_clues} clues; {' '.join(str(row[2]) for row in rows)}, {n_ours} in all; "
        f"{sum(a == b for a, b in zip(paper, ours, strict=True))} of 9 lists are the same, in the same order.",
        verdict((paper, 33, 35) == (ours, n_ours, n_clues)),
        f"In our scan {n_moved} of the clues are in another column than in Fig. 4.7, the solution; they were moved "
        "back.",
        side_by_side(("minigrid", "paper", "ours"), *rows, drawn={"valid permutations": ("paper", "ours")}),
    )


def pairs_of_minigrids(work: Work) -> Finding:
    """The pairs to compare."""
    ours = {f"{a + 1}{b + 1}" for line in example()[1].lines for a in line.numbers for b in line.numbers if a < b}
    paper = set(PAIRS.split())
    return Finding(
        "section 4.1",
        f"{len(paper)} pairs of minigrids lie in one row or column; they are listed.",
        f"There are {len(ours)}, {len(ours & paper)} of them in the list.",
        verdict(ours == paper),
    )


def number_of_edges(work: Work) -> Finding:
    """The edges of G and its linked lists."""
    graph = example()[1]
    n_vertices, n_edges = len(graph.names), len(edges(graph))
    return Finding(
        "Fig. 4.3, Fig. 4.4",
        f"G has {N_EDGES} edges; its linked lists have {N_HEADERS} headers and {N_LINKED} nodes.",
        f"G has {n_edges} edges, {n_vertices} headers and {2 * n_edges} nodes.",
        verdict((n_edges, n_vertices, 2 * n_edges) == (N_EDGES, N_HEADERS, N_LINKED)),
    )


def list_of_edges(work: Work) -> Finding:
    """The list, edge by edge."""
    ours, paper = edges(example()[1]), set(EDGES.split())
    missing, wrong = sorted(ours - paper), sorted(paper - ours)
    needed = {f"{parts[1]}-{parts[2]}" for parts in (name.split("-") for name in TUPLES.split())}
    return Finding(
        "section 4.1",
        f"It lists the {len(paper)} edges of Fig. 4.3.",
        f"{len(ours & paper)} are edges. Not edges: {' '.join(wrong) or 'none'}. "
        f"Edges that are not listed: {' '.join(missing) or 'none'}.",
        verdict(ours == paper),
        "The letter c stands for e, a misprint of the thesis or of the scan. The thesis itself needs "
        f"{len(needed & set(missing))} of the {len(missing)} unlisted edges and {len(needed & set(wrong))} of the "
        f"{len(wrong)} wrong ones for its three-tuples in section 4.2.",
    )


def low_degrees(work: Work) -> Finding:
    """Check the first vertices to be deleted."""
    graph = example()[1]
    degrees = {name: len(near) for name, near in neighbours(graph, graph.names).items()}
    ours = {name: degree for name, degree in degrees.items() if degree < 4}
    return Finding(
        "section 4.1",
        f"Below degree 4: {', '.join(f'{name} {degree}' for name, degree in LOW_DEGREES.items())}.",
        f"Below degree 4: {', '.join(f'{name} {degree}' for name, degree in ours.items())}.",
        verdict(ours == LOW_DEGREES),
    )


def degree_deletion(work: Work) -> Finding:
    """Fig. 4.5."""
    graph = example()[1]
    remaining = vertices(graph, DEGREE)
    near = neighbours(graph, remaining)
    least = min(map(len, near.values()))
    ours = {number: sum(name[0] == number for name in remaining) for number in LEFT}
    left_text = ", ".join(f"M{number} {count}" for number, count in LEFT.items())
    return Finding(
        "Fig. 4.5",
        f"After repeated deletion each degree is at least 4; the text leaves of {left_text}.",
        f"{len(remaining)} vertices and {graph.n_edges(DEGREE, no_tick)} edges, least degree {least}; "
        f"{', '.join(f'M{number} {count}' for number, count in ours.items())}. "
        f"Deleted: {' '.join(sorted(set(graph.names) - set(remaining)))}.",
        verdict(ours == LEFT and least >= 4),
        "The picture is not in the scan; we compare with its description in the text.",
    )


def deletions_by_hand(work: Work) -> Finding:
    """From Fig. 4.5 to Fig. 4.6."""
    graph = example()[1]
    near = neighbours(graph, vertices(graph, DEGREE))
    not_near = {name for name in near if name[0] in "37"} - near["1a"]
    in_m8 = {name for name in near["2b"] if name[0] == "8"}
    before_last = ["1a", "2b", "3e", "3f", "4a", "5b", "6a", "7d", "8f", *(f"9{letter}" for letter in "abcdef")]
    late = neighbours(graph, before_last)
    low = sorted(name for name in late if name[0] == "9" and len(late[name]) < 4)
    last = neighbours(graph, [name for name in before_last if name not in low])["3f"]
    ours = (not_near, in_m8, "8f" in near["7b"], low, len(last))
    return Finding(
        "section 4.1",
        "In Fig. 4.5 1a has no edge to 3b, 7a, 7c; of M8 2b reaches 8f only; 7b does not reach 8f; "
        "then 9b to 9f fall below degree 4, and 3f to 3.",
        f"1a has none to {', '.join(sorted(not_near))}; 2b reaches {', '.join(sorted(in_m8))}; 7b "
        f"{'reaches' if ours[2] else 'does not reach'} 8f; below 4 are {', '.join(low)}; 3f has degree {len(last)}.",
        verdict(ours == ({"3b", "7a", "7c"}, {"8f"}, False, ["9b", "9c", "9d", "9e", "9f"], 3)),
    )


def final_graph(work: Work) -> Finding:
    """Figures 4.6 and 4.7."""
    puzzle, graph = example()
    remaining = vertices(graph, STRUCTURE)
    grids = puzzles.solutions(puzzle)
    grid = "".join(map(str, grids[0].tolist()))
    near = neighbours(graph, remaining)
    return Finding(
        "Fig. 4.6, Fig. 4.7",
        "The reduced graph is one rook's graph of 9 vertices of degree 4; it is the only solution, which is printed.",
        f"{len(remaining)} vertices are left, of degree "
        f"{' '.join(map(str, sorted({len(one) for one in near.values()})))}; "
        f"SAT finds {len(grids)} solution, {'the' if grid == SOLUTION else 'not the'} one printed.",
        verdict((len(remaining), {len(one) for one in near.values()}, len(grids), grid) == (9, {4}, 1, SOLUTION)),
    )


def three_tuples(work: Work) -> Finding:
    """The super-vertices of Fig. 4.5."""
    graph = example()[1]
    ours, paper = set(tuples(graph, DEGREE)), set(TUPLES.split())
    missing = sorted(ours - paper)
    of_3b = [name for name in missing if name.startswith("3b")]
    others = [name for name in missing if name not in of_3b]
    listed = set(EDGES.split())
    own = [name for name in others if {name[:5], name[3:], f"{name[:2]}-{name[6:]}"} <= listed]
    n_printed = sum(name[:2] in ("7a", "7c") for name in paper)
    used = sum(name in cycle for cycle in triangles(super_edges(graph, DEGREE)) for name in missing)
    return Finding(
        "section 4.2",
        f"Fig. 4.5 has {N_TUPLES} three-tuples; they are listed.",
        f"It has {len(ours)}; {len(ours & paper)} of the {len(paper)} printed are among them. "
        f"Not printed: {' '.join(missing) or 'none'}.",
        verdict(ours == paper and len(ours) == N_TUPLES),
        f"{len(of_3b)} contain 3b, which is in Fig. 4.5 and is deleted in the text after it; the text deletes 7a and "
        f"7c in the same sentence, but still prints their {n_printed} tuples. {' '.join(own)} is missing although "
        f"its three edges are in the list of edges. {used} of the {len(missing)} are in a 3-cycle.",
    )


def isolated_super_vertices(work: Work) -> Finding:
    """Fig. 4.8."""
    graph = example()[1]
    counts = []
    for names in (set(tuples(graph, DEGREE)), set(TUPLES.split())):
        pairs = {pair for pair in super_edges(graph, DEGREE) if set(pair) <= names}
        in_cycles = {name for cycle in triangles(pairs) for name in cycle}
        counts.append((len(names), len(names) - len({name for pair in pairs for name in pair}), len(names - in_cycles)))
    (n_ours, alone, outside), (n_paper, paper_alone, paper_outside) = counts
    return Finding(
        "Fig. 4.8, section 4.3",
        "Most super-vertices are isolated, or rather not in a 3-cycle.",
        f"Of {n_ours} super-vertices, {alone} have no edge and {outside} are in no 3-cycle; of the {n_paper} that "
        f"the thesis lists, {paper_alone} and {paper_outside}.",
        verdict(2 * outside > n_ours and 2 * paper_outside > n_paper),
        "The verdict is on 'not in a 3-cycle'. Section 4.2 only says 'isolated', which is "
        f"{'true' if 2 * paper_alone > n_paper else 'not true'} of the listed ones.",
    )


def two_triangles(work: Work) -> Finding:
    """The 3-cycles of Fig. 4.8."""
    cycles = triangles(super_edges(example()[1], DEGREE))
    parts = [{part for name in cycle for part in name.split("-")} for cycle in cycles]
    return Finding(
        "Fig. 4.8",
        "G* has two 3-cycles, one of rows and one of columns, and both are the one solution.",
        f"{len(cycles)}: {'; '.join(' '.join(cycle) for cycle in cycles)}; "
        f"they hold {len(set().union(*parts))} permutations in all.",
        verdict([len(part) for part in parts] == [9, 9] and parts[0] == parts[1]),
    )


def names_of_the_triangles(work: Work) -> Finding:
    """Check the names of the two 3-cycles in the text."""
    graph = example()[1]
    ours = {name for cycle in triangles(super_edges(graph, DEGREE)) for name in cycle}
    wrong = sorted(set(TRIANGLES.split()) - ours)
    unknown = sorted({part for name in wrong for part in name.split("-")} - set(vertices(graph, DEGREE)))
    return Finding(
        "section 4.2",
        f"The two 3-cycles are of {TRIANGLES}.",
        f"{len(set(TRIANGLES.split()) & ours)} of 6 are; not {' and '.join(wrong)}, but "
        f"{' and '.join(sorted(ours - set(TRIANGLES.split())))}.",
        verdict(set(TRIANGLES.split()) == ours),
        f"c stands for e again, a misprint of the thesis or of the scan: {' '.join(unknown)} is not in Fig. 4.5, and "
        f"the solution contains {' '.join(name for name in vertices(graph, STRUCTURE) if name[0] == '3')}.",
    )


CHECKS = (
    valid_permutations,
    pairs_of_minigrids,
    number_of_edges,
    list_of_edges,
    low_degrees,
    degree_deletion,
    deletions_by_hand,
    final_graph,
    three_tuples,
    isolated_super_vertices,
    two_triangles,
    names_of_the_triangles,
)
