"""GTSPS: valid permutations, the figures of the thesis, and all solutions by each of its versions."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.papers import gtsps, gtsps3, gtsps4, gtsps4_contracted, gtsps4_steps
from sudoku_encode.papers.gtsps4 import DEGREE, STRUCTURE, Graph
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, violations
from sudoku_encode.puzzles.step import Step
from tests.helpers.known_puzzles import known
from tests.helpers.method_steps import said
from tests.helpers.solution_sets import after, all_by_sat, different, never

Solve = Callable[[Puzzle, Callable[[], None]], Iterator[Grids]]
VERSIONS: dict[str, Solve] = {
    "4.1": gtsps4.solutions,
    "4.2": gtsps4_contracted.solutions,
    "3.1": gtsps3.solutions,
    **{f"3.2 {order}": partial(gtsps3.solutions, order=order) for order in gtsps3.ORDERS[1:]},
}

FIG_4_2 = known("papers/gtsps-fig-4.2.ss").puzzle
FIG_4_9 = known("papers/gtsps-fig-4.9.sdk").puzzle
CLUES_OF_FIG_4_2 = "clues in each minigrid: M1=3 M2=4 M3=3 M4=6 M5=3 M6=6 M7=3 M8=4 M9=3"

PERMUTATIONS = """
978235 978325; 59634 65934; 678192 678291 678921 876192 876291 876921; 648; 892357 893257; 362;
142367 143267 162347 163247; 46825 46852 48625 48652 56824 58624 62854 68425 68452;
249315 259314 342915 349215 352914 359214
"""
# As the thesis lists them.
EDGES = """
1a-2b 1a-3d 1a-3e 1a-3f 1a-4a 1b-4a 1a-7b 1a-7d 1b-7a 1b-7c 2a-3a 2a-3b 2a-3c 2b-3d 2b-3e 2b-3f 2b-5b 2a-8e 2b-8f
2b-8g 3b-6a 3c-6a 3e-6a 3f-6a 3b-9a 3b-9b 3b-9d 3b-9f 3c-9c 3c-9e 3e-9a 3e-9b 3e-9d 3e-9f 3f-9c 3f-9e 4a-5a 4a-5b
4a-6a 4a-7a 4a-7b 4a-7c 4a-7d 5a-6a 5b-6a 5b-8c 5b-8f 5b-8h 6a-9a 6a-9b 6a-9c 6a-9d 6a-9e 6a-9f 7a-8g 7a-8h 7a-8i
7b-8h 7b-8i 7c-8a 7c-8b 7c-8c 7c-8d 7c-8e 7c-8f 7d-8a 7d-8b 7d-8c 7d-8d 7d-8e 7d-8f 7a-9e 7a-9f 7b-9b 7c-9c 7c-9d
7c-9e 7c-9f 7d-9a 7d-9b 8a-9b 8a-9c 8a-9f 8b-9b 8b-9c 8b-9f 8c-9b 8c-9c 8c-9f 8d-9b 8d-9c 8d-9f 8e-9a 8e-9c 8e-9d
8f-9a 8f-9c 8f-9d 8h-9b 8h-9c 8h-9f 8i-9b 8i-9c 8i-9f
"""
TUPLES = """
1a-2b-3e 1a-2b-3f 4a-5b-6a 7a-8h-9e 7a-8h-9f 7a-8i-9e 7a-8i-9f 7b-8h-9b 7b-8i-9b 7c-8a-9e 7c-8a-9f 7c-8b-9e 7c-8b-9f
7c-8c-9e 7c-8c-9f 7c-8d-9e 7c-8d-9f 7c-8e-9c 7c-8e-9d 7c-8f-9c 7c-8f-9d 7d-8a-9b 7d-8b-9b 7d-8c-9b 7d-8d-9b 7d-8e-9a
7d-8f-9a 1a-4a-7b 1a-4a-7d 2b-5b-8f 3e-6a-9a 3e-6a-9b 3e-6a-9d 3f-6a-9c 3f-6a-9e
"""


def vertices(made: Graph, step: int) -> set[str]:
    return {made.names[vertex] for vertex in np.flatnonzero(np.concatenate(made.remaining(step)))}


def neighbours(made: Graph, name: str, among: set[str]) -> set[str]:
    pairs = [(made.names[one], made.names[other]) for one, other in made.edges.tolist()]
    return {one if other == name else other for one, other in pairs if name in (one, other)} & among


@pytest.mark.parametrize(
    ("name", "rules", "refused"),
    [
        ("9x9", None, False),
        ("6x6:2x3", None, False),
        ("6x6:1x6", None, False),
        ("5x5", None, True),
        ("9x9", ["row", "column"], True),
        ("9x9+diagonals", None, True),
        ("jigsaw:1122112233443344", None, True),
        ("4x4x4", None, True),
    ],
)
def test_misfit_boards(name: str, rules: list[str] | None, refused: bool) -> None:
    """Boards with other rules than row column and box are refused."""
    for module in (gtsps, gtsps3, gtsps4, gtsps4_contracted):
        assert bool(module.unsupported_reason(board(name, rules))) == refused


def test_permutations_of_fig_4_2() -> None:
    """The valid permutations of fig 4 2 are those of the thesis in its order."""
    expected = [part.split() for part in PERMUTATIONS.split(";")]

    assert [one.texts() for one in gtsps.minigrids(FIG_4_2, never)] == expected
    assert [one.label for one in gtsps.minigrids(FIG_4_2, never)] == [f"M{number}" for number in range(1, 10)]


@st.composite
def squares(draw: st.DrawFn, names: tuple[str, ...] = ("4x4", "6x6", "6x6:3x2", "8x8", "9x9", "6x6:1x6")) -> Puzzle:
    """A puzzle with 0, 1 or many solutions: a random grid with blanks, now and then a wrong given or pencilmarks."""
    geometry = board(draw(st.sampled_from(names)))
    n = geometry.n_values
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    assert geometry.box
    r, c = geometry.box
    rows = np.concatenate([band * r + chance.permutation(r) for band in chance.permutation(n // r)])
    columns = np.concatenate([stack * c + chance.permutation(c) for stack in chance.permutation(n // c)])
    # Rows of a box shift the values by its width, boxes of a stack by one.
    grid = chance.permutation(n)[((rows % r * c + rows // r)[:, None] + columns) % n] + 1
    givens = np.where(chance.random(n * n) < 0.2 + 0.45 * chance.random(), 0, grid.ravel())
    if chance.random() < 0.25:
        givens[chance.integers(n * n)] = chance.integers(1, n + 1)
    marks = chance.random((n * n, n)) < 0.85 if chance.random() < 0.3 else None
    return Puzzle.of(geometry, givens, pencilmarks=marks)


def fillings(puzzle: Puzzle, cells: list[int]) -> Iterator[tuple[int, ...]]:
    """The valid permutations of a box by their definition."""
    held = set(puzzle.givens[cells].tolist())
    blanks = [cell for cell in cells if not puzzle.givens[cell]]
    for values in permutations(sorted(set(range(1, puzzle.geometry.n_values + 1)) - held)):
        if all(
            puzzle.candidates[cell, value - 1] and value not in puzzle.givens[puzzle.geometry.peers[cell]]
            for cell, value in zip(blanks, values, strict=True)
        ):
            yield values


@given(puzzle=squares(("4x4", "6x6", "6x6:3x2")))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_permutation_definition(puzzle: Puzzle) -> None:
    """Valid permutations are what their definition says."""
    assume(puzzle.clash is None)
    for one, cells in zip(gtsps.minigrids(puzzle, never), puzzle.geometry.rules[2].units.tolist(), strict=True):
        assert [tuple(row) for row in one.permutations[:, one.blank].tolist()] == list(fillings(puzzle, cells))
        assert (one.permutations[:, ~one.blank] == puzzle.givens[cells][~one.blank]).all()


def free(n: int) -> Candidates:
    return np.ones((n, n), bool)


def test_completions() -> None:
    """Completions count what is listed."""
    chance = np.random.default_rng(1)
    for n in (1, 4, 7, 10):
        left = chance.random((n, n)) < 0.6
        if n <= 7:
            every = permutations(range(n))
            listed = sum(all(left[blank, value] for blank, value in enumerate(order)) for order in every)
            assert gtsps.completions(left, never)[0] == listed
        assert gtsps.completions(left, never)[0] == len(gtsps.permutations(left, never))
    assert gtsps.completions(free(20), never)[0] == 2_432_902_008_176_640_000
    assert gtsps.completions(~np.eye(12, dtype=bool), never)[0] == 176_214_841  # derangements of 12


def test_count_before_list() -> None:
    """A count before the listing loses no permutation and keeps the order."""
    left = np.abs(np.arange(12)[:, None] - np.arange(12)) <= 1
    listed = gtsps.permutations(left, never).tolist()

    # Only neighbours change places: the Fibonacci number of 13.
    assert len(listed) == 233
    assert listed == sorted(listed)
    assert all(sorted(row) == list(range(1, 13)) for row in listed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("16x16", "minigrid M1 has 20922789888000$"),
        ("25x25", "minigrid M1 has 25 blanks, and a tree of over"),
        ("49x49", "minigrid M1 has 49 blanks"),
        ("8x8:1x8", "G has 322560 vertices"),
    ],
)
def test_too_many_permutations(name: str, said: str) -> None:
    """Too many permutations are said to be and not listed."""
    started = time.process_time()
    for solve in (gtsps4.solutions, gtsps4_contracted.solutions):
        with pytest.raises(StoppedError, match=f"too many permutations: {said}"):
            next(solve(Puzzle.of(board(name)), never))

    assert time.process_time() - started < 30


def test_shared_budget() -> None:
    """The budget is for all minigrids together."""
    assert len(gtsps.minigrids(FIG_4_2, never, most=33)) == 9
    with pytest.raises(StoppedError, match=r"minigrid M9 has 6$"):
        gtsps.minigrids(FIG_4_2, never, most=32)


def test_graph_of_fig_4_2() -> None:
    """The graph of fig 4 2 has the edges of the thesis but for six."""
    made = gtsps4.build_graph(FIG_4_2, never)
    ours = {f"{made.names[one]}-{made.names[other]}" for one, other in made.edges.tolist()}
    printed = set(EDGES.split())

    assert len(made.names) == 33
    assert len(made.edges) == len(ours) == len(printed) == 104
    assert printed - ours == {f"8{letter}-9c" for letter in "abcdhi"}
    assert ours - printed == {f"8{letter}-9e" for letter in "abcdhi"}
    # With 8a the last row of M8 is 2 3 5; that of M9 is 1 6 5 with 9c, 1 6 4 with 9e.
    m8, m9 = gtsps.minigrids(FIG_4_2, never)[7:]
    assert m8.permutations[0, 6:].tolist() == [2, 3, 5]
    assert [m9.permutations[at, 6:].tolist() for at in (2, 4)] == [[1, 6, 5], [1, 6, 4]]


def test_graph_of_fig_4_5() -> None:
    """The deletions by degree leave the graph of fig 4 5."""
    made = gtsps4.build_graph(FIG_4_2, never)

    assert vertices(made, 0) - vertices(made, DEGREE) == {"1b", "2a", "3a", "3c", "3d", "5a", "8g"}
    assert [made.n_edges(step, never) for step in (0, DEGREE, STRUCTURE)] == [104, 88, 18]
    left = vertices(made, DEGREE)
    assert len(left) == 26
    assert all(len(neighbours(made, name, left)) >= 4 for name in left)


def test_graph_of_fig_4_6() -> None:
    """All deletions leave the graph of fig 4 6."""
    assert " ".join(sorted(vertices(gtsps4.build_graph(FIG_4_2, never), STRUCTURE))) == "1a 2b 3e 4a 5b 6a 7d 8f 9a"


def test_degree_four() -> None:
    """A degree of four is not a neighbour in each adjacent minigrid."""
    made = gtsps4.build_graph(FIG_4_2, never)
    near = neighbours(made, "3b", vertices(made, DEGREE))

    assert len(near) >= 4
    assert not [name for name in near if name[0] in "12"]


def test_wrong_survivors() -> None:
    """What no step deletes need not be in a solution."""
    made = gtsps4.build_graph(known("papers/inkala/escargot.txt").puzzle, never)

    assert len(vertices(made, STRUCTURE)) > 9


@pytest.mark.parametrize(
    ("name", "shape", "least"),
    [("small/6x6.txt", (3, 2), 3), ("small/6x6-boxes-3x2.txt", (2, 3), 3), ("small/4x4-empty.txt", (2, 2), 2)],
)
def test_degree_definition(name: str, shape: tuple[int, int], least: int) -> None:
    """The degree that is asked for is the number of adjacent minigrids."""
    made = gtsps4.build_graph(known(name).puzzle, never)
    left, low = vertices(made, 0), {""}
    while low:
        low = {vertex for vertex in left if len(neighbours(made, vertex, left)) < least}
        left -= low

    assert made.shape == shape
    assert vertices(made, DEGREE) == left


def held(made: Graph, step: int) -> list[tuple[int, int, dict[tuple[int, int], int]]]:
    """For each vertex that is left after a step: row and column of its minigrid, and what it puts into which cell."""
    found = []
    for one, kept in zip(made.minigrids, made.remaining(step), strict=True):
        places = [divmod(cell, made.minigrids[0].permutations.shape[1]) for cell in one.cells.tolist()]
        for row in one.permutations[kept].tolist():
            found.append((*divmod(one.number, made.shape[1]), dict(zip(places, row, strict=True))))
    return found


def joined(
    one: tuple[int, int, dict[tuple[int, int], int]], other: tuple[int, int, dict[tuple[int, int], int]]
) -> bool:
    """Whether there is an edge, by its definition."""
    if (one[0] == other[0]) == (one[1] == other[1]):
        return False
    axis = 0 if one[0] == other[0] else 1
    mine, its = ({(cell[axis], value) for cell, value in some[2].items()} for some in (one, other))
    return not mine & its


@given(puzzle=squares(("4x4", "6x6", "6x6:3x2", "9x9")))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_edge_definition(puzzle: Puzzle) -> None:
    """Edges are what their definition says and no deletion loses a solution."""
    assume(puzzle.clash is None)
    expected = all_by_sat(puzzle)
    made = gtsps4.build_graph(puzzle, never)
    for step in (DEGREE, STRUCTURE):
        cells = {(cell, value) for *_, one in held(made, step) for cell, value in one.items()}
        n = puzzle.geometry.n_values
        assert all((divmod(cell, n), value) in cells for grid in expected for cell, value in enumerate(grid))
    if len(made.names) < 120:
        pairs = [[a, b] for (a, one), (b, other) in combinations(enumerate(held(made, 0)), 2) if joined(one, other)]
        assert made.edges.tolist() == pairs
        assert made.n_edges(0, never) == len(pairs)


def test_too_many_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph with too many edges says so."""
    monkeypatch.setattr(gtsps4, "_MAX_EDGES", 104)
    assert len(gtsps4.build_graph(FIG_4_2, never).edges) == 104

    monkeypatch.setattr(gtsps4, "_MAX_EDGES", 103)
    with pytest.raises(StoppedError, match="too many edges to list: G has 33 vertices"):
        _ = gtsps4.build_graph(FIG_4_2, never).edges


def test_super_vertices() -> None:
    """The super vertices of fig 4 2 are forty and the thesis lacks five."""
    made = gtsps4.build_graph(FIG_4_2, never)
    tuples = [gtsps4_contracted.super_vertices(made, line, never, DEGREE) for line in made.lines]
    ours = [name for some in tuples for name in gtsps4_contracted.names(made, some)]
    printed = {f"<{name}>" for name in TUPLES.split()}

    assert len(printed) == 35
    assert len(ours) == len(set(ours)) == 40
    assert set(ours) - printed == {"<3e-6a-9f>", *(f"<3b-6a-9{letter}>" for letter in "abdf")}
    assert printed <= set(ours)


@pytest.mark.parametrize("step", [0, DEGREE, STRUCTURE])
def test_two_cycles(step: int) -> None:
    """There are two cycles for each solution."""
    for puzzle, expected in ((FIG_4_2, 2), (FIG_4_9, 254)):
        assert gtsps4_contracted.cycles(gtsps4.build_graph(puzzle, never), never, step) == expected


def test_g_star_edges() -> None:
    """The edges of g star are those of super vertices without a common digit."""
    made = gtsps4.build_graph(FIG_4_9, never)
    counts = []
    for lines in (made.rows, made.columns):
        grids = [
            [_cells(made, line.numbers, row) for row in gtsps4_contracted.super_vertices(made, line, never).tolist()]
            for line in lines
        ]
        across = 1 if lines == made.rows else 0
        taken = [[{(cell[across], value) for cell, value in one.items()} for one in some] for some in grids]
        counts.append(sum(not a & b for some, others in combinations(taken, 2) for a, b in product(some, others)))

    assert gtsps4_contracted.super_edges(made, never) == tuple(counts)


def _cells(made: Graph, numbers: tuple[int, ...], row: list[int]) -> dict[tuple[int, int], int]:
    found = {}
    for number, vertex in zip(numbers, row, strict=True):
        one = made.minigrids[number]
        values = one.permutations[vertex - made.starts[number]].tolist()
        found.update({divmod(int(cell), 9): value for cell, value in zip(one.cells, values, strict=True)})
    return found


def test_nine_minigrid_sequences() -> None:
    """The sequences on nine minigrids are those of the thesis."""
    found = {
        order: "".join(str(number + 1) for number in gtsps3.sequence((3, 3), order)) for order in gtsps3.ORDERS[1:]
    }

    assert found == {"zigzag": "123654789", "spiral": "123698745", "semi-spiral": "145236987"}


@pytest.mark.parametrize("order", gtsps3.ORDERS[1:])
def test_sequence_adjacency(
    order: gtsps3.Order,
) -> None:
    """Each minigrid of a sequence is next to the one before or adjacent to an earlier one."""
    for shape in product(range(1, 7), range(1, 7)):
        numbers = gtsps3.sequence(shape, order)
        places = [divmod(number, shape[1]) for number in numbers]

        assert sorted(numbers) == list(range(shape[0] * shape[1]))
        for at, (down, across) in enumerate(places[1:], start=1):
            assert any(down == row or across == column for row, column in places[:at])
        if order != "semi-spiral" or shape[0] == shape[1]:
            assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(places))


def test_densest_first() -> None:
    """The densest minigrids come first."""
    # M4 and M6 have six clues, M2 and M8 four, M3 and the others three.
    assert gtsps3.densest(FIG_4_2) == [3, 5, 1, 7, 0, 2, 4, 6, 8]
    assert [label.split()[0] for label in said(gtsps3.explain(FIG_4_2, never))[1:3]] == ["M4", "M6"]


@pytest.mark.parametrize("puzzle", [FIG_4_2, FIG_4_9, known("small/9x9-complete.sdm").puzzle])
def test_version_3_1_first(puzzle: Puzzle) -> None:
    """Version 3 1 stops at the first solution."""
    tally = gtsps3.first_solution(puzzle, never)

    assert len(tally.matched) == 9
    assert all(tally.matched)
    # What is generated in all is no less than up to the first solution.
    in_all = [step.data["matched"] for step in gtsps3.explain(puzzle, never) if step.kind == "branch"]
    assert all(first <= every for first, every in zip(tally.matched, in_all, strict=True))
    assert tally.matched[0] == in_all[0]


def test_version_3_1_none() -> None:
    """Version 3 1 ends where there is no solution."""
    tally = gtsps3.first_solution(known("small/4x4-none.txt").puzzle, never)
    assert sum(tally.n_dead_ends) > 0
    assert tally.matched[-1] == 0


@pytest.mark.slow
@given(puzzle=squares())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_all_versions(puzzle: Puzzle) -> None:
    """Every version finds the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    for name, solve in VERSIONS.items():
        assert different(solve(puzzle, never)) == expected, name
    assert gtsps4_contracted.count(puzzle, never) == len(expected)


def test_random_puzzles() -> None:
    """The random puzzles have no one and many solutions."""
    counts: list[int] = []

    @given(puzzle=squares())
    @settings(derandomize=True, max_examples=60, deadline=None)
    def look(puzzle: Puzzle) -> None:
        counts.append(len(all_by_sat(puzzle)))

    look()
    assert min(counts.count(0), counts.count(1), sum(count > 1 for count in counts)) >= 5


@pytest.mark.parametrize("order", gtsps3.ORDERS[1:])
def test_small_batches(order: gtsps3.Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches change neither the solutions nor their order."""
    batches = list(gtsps3.solutions(FIG_4_9, never, order))
    monkeypatch.setattr(gtsps, "_PAIRS_PER_CALL", 2**9)
    small = list(gtsps3.solutions(FIG_4_9, never, order))

    assert len(small) > len(batches)
    assert np.array_equal(np.concatenate(small), np.concatenate(batches))


def test_large_counts() -> None:
    """Large counts are exact without a list."""
    first = known("small/6x6-first-row.txt")
    assert gtsps4_contracted.count(first.puzzle, never) == 39_168


def test_empty_board() -> None:
    """An empty board gives solutions at once where they need not all be kept."""
    empty = Puzzle.of(board("6x6"))
    for name, solve in VERSIONS.items():
        batch = next(solve(empty, never))
        assert len(batch), name
        assert not list(violations(empty, batch[-1])), name


@pytest.mark.slow
def test_too_many_super_vertices() -> None:
    """Too many super vertices are said to be."""
    with pytest.raises(StoppedError, match=r"too many super-vertices: M1 M2 have at least \d+"):
        gtsps4_contracted.count(Puzzle.of(board("8x8")), never)


@pytest.mark.parametrize("name", VERSIONS)
def test_equal_givens(name: str) -> None:
    """Two equal givens in a unit are no solution."""
    puzzle = known("small/9x9-clash.txt").puzzle
    assert puzzle.clash is not None
    assert list(VERSIONS[name](puzzle, never)) == []
    assert gtsps4_contracted.count(puzzle, never) == 0


@pytest.mark.parametrize("name", VERSIONS)
@pytest.mark.parametrize("calls", [0, 3, 12])
def test_tick_error(name: str, calls: int) -> None:
    """What a tick raises is passed on."""
    with pytest.raises(StoppedError, match="enough"):
        list(VERSIONS[name](FIG_4_9, after(calls)))


@pytest.mark.slow
@pytest.mark.parametrize("name", VERSIONS)
def test_tick_ends_search(name: str) -> None:
    """A tick that raises ends a long search soon."""
    empty = Puzzle.of(board("9x9"))
    # Seconds of the processor: another program may take it away meanwhile.
    started = time.process_time()

    def tick() -> None:
        if time.process_time() > started + 0.2:
            raise StoppedError("time limit")

    with pytest.raises(StoppedError, match="time limit"):
        for _ in VERSIONS[name](empty, tick):
            pass
    assert time.process_time() - started < 2.5


def test_graph_explained() -> None:
    """The graph is explained in the order of the text."""
    clues, *texts = said(gtsps4_steps.explain(FIG_4_2, never))

    assert clues == CLUES_OF_FIG_4_2
    assert texts[0] == "M1, valid permutations: 2: 1a=978235 1b=978325"
    assert texts[9].startswith(
        "G: 33 vertices, 104 edges; its linked lists have 33 headers and 208 nodes:\n  1a: 2b 3d "
    )
    alone = "only vertex of a minigrid:"
    assert texts[10:-2] == [
        "degree below 4, 5 deleted: 1b (3) 3a (1) 3d (2) 5a (2) 8g (2)",
        "degree below 4, 1 deleted: 2a (3)",
        "degree below 4, 1 deleted: 3c (3)",
        "left after low degrees: 26 vertices, 88 edges",
        f"{alone} 1a of M1; not joined to it, 3 deleted: 3b 7a 7c",
        f"{alone} 2b of M2; not joined to it, 7 deleted: 8a 8b 8c 8d 8e 8h 8i",
        f"{alone} 8f of M8; not joined to it, 1 deleted: 7b; already of degree below 4: 7b 3",
        f"{alone} 7d of M7, 8f of M8; not joined to both, 5 deleted: 9b 9c 9d 9e 9f; already of degree below 4: "
        "9b 3 9c 3 9d 3 9e 2 9f 2",
        f"{alone} 9a of M9; not joined to it, 1 deleted: 3f; already of degree below 4: 3f 3",
        "left after all deletions: 9 vertices, 18 edges",
    ]
    assert texts[-2].splitlines()[:2] == ["the solution:", "9 1 7  6 2 5  3 4 8"]
    assert texts[-1] == "induced rook's graphs of 3 x 3 vertices, the solutions: 1"


@pytest.mark.slow
@given(puzzle=squares())
@settings(derandomize=True, max_examples=40, deadline=None)
def test_deletions_replayed(puzzle: Puzzle) -> None:
    """The steps delete what the graph lacks and no candidate of a solution."""
    assume(puzzle.clash is None and not gtsps.no_permutation_step(puzzle))
    made = gtsps4.build_graph(puzzle, never)
    steps = list(gtsps4_steps.explain(puzzle, never))
    left = set(made.names)
    candidates = [
        set(values) for values in next(step for step in steps if step.kind == "candidates").data["candidates"]
    ]
    found = all_by_sat(puzzle)
    for step in steps:
        left -= set(step.data.get("deleted", ()))
        for cell, value in step.removes:
            candidates[cell].remove(value)
            assert all(grid[cell] != value for grid in found)
        if "left" in step.data:
            assert set(step.data["left"]) == left

    kept = {made.names[at] for at in np.flatnonzero(np.concatenate(made.remaining(STRUCTURE)))}
    assert left == kept
    assert steps[-1].data == {"solutions": len(found), "complete": True}


def test_linked_lists() -> None:
    """The linked lists are data."""
    step = next(step for step in gtsps4_steps.explain(FIG_4_2, never) if "linked lists" in step.data)

    assert sum(map(len, step.data["linked lists"].values())) == 208
    assert len(step.data["edges"]) == 104
    # Figs. 4.5 and 4.6.
    left = [step.data for step in gtsps4_steps.explain(FIG_4_2, never) if "left" in step.data]
    assert [(len(data["left"]), len(data["edges"])) for data in left] == [(26, 88), (9, 18)]
    assert step.data["linked lists"]["3a"] == ["2a"]


def test_super_vertices_explained() -> None:
    """The super vertices are explained."""
    steps = list(gtsps4_contracted.explain(FIG_4_2, never))
    clues, *texts = said(steps)

    # The permutations come before all else but the clues, since their names are in all that follows.
    assert clues == CLUES_OF_FIG_4_2
    assert texts[0] == "M1, valid permutations: 2: 1a=978235 1b=978325"
    assert [text.split(",")[0] for text in texts[:9]] == [f"M{number}" for number in range(1, 10)]
    texts = texts[9:]
    assert texts[0] == "G after low degrees: 26 vertices, 88 edges"
    assert texts[1] == "M1 M2 M3, super-vertices: 2: <1a-2b-3e> <1a-2b-3f>"
    assert texts[7].startswith("G*: 40 super-vertices, 19 edges: <1a-2b-3e>-<4a-5b-6a> ")
    assert texts[8].startswith("without an edge: 21: <7a-8i-9e> ")
    cycles = ["a cycle: <1a-2b-3e> <4a-5b-6a> <7d-8f-9a>", "a cycle: <1a-4a-7d> <2b-5b-8f> <3e-6a-9a>"]
    assert texts[9:11] == cycles
    assert texts[-4:-2] == cycles
    assert texts[-1] == "cycles, of rows and of columns: 2; solutions: 1"
    star = next(step for step in steps if step.rule == "G*")
    assert len(star.data["edges"]) == 19
    both = [step.data["vertices"] for step in steps if step.rule == "cycle"][:2]
    assert both[0] == both[1]


def test_backtracking_explained() -> None:
    """The backtracking is explained and adds up."""
    for order in gtsps3.ORDERS:
        texts = said(gtsps3.explain(FIG_4_9, never, order))
        if order != "densest":
            assert texts.pop(0) == "clues in each minigrid: M1=4 M2=3 M3=6 M4=3 M5=4 M6=2 M7=4 M8=3 M9=3"

        *texts, grid, end = texts
        assert len(texts) == 1 + 9
        assert grid.startswith("one of 127 solutions:\n")
        assert texts[-1].split()[2] == "127"
        given_up = sum(int(row.split()[-1]) for row in texts[1:])
        what = "END nodes" if order == "densest" else "dead ends"
        assert end == f"127 solutions, {given_up} {what}"
        if order != "densest":
            reached = [1, *(int(row.split()[2]) for row in texts[1:])]
            failed = [int(row.split()[3]) for row in texts[1:]]
            assert all(0 <= gone <= before for gone, before in zip(failed, reached, strict=False))


def test_stopped_explanation() -> None:
    """An explanation that is stopped says what it knows."""
    zigzag = partial(gtsps3.explain, order="zigzag")
    for explain, calls, n_heads in ((gtsps3.explain, 40, 1), (zigzag, 72, 2)):
        steps: list[Step] = []
        with pytest.raises(StoppedError, match="enough"):
            steps.extend(explain(FIG_4_9, after(calls)))
        assert len(steps) == n_heads + 9 + 1
        assert str(steps[-1]).startswith("at least ")


@pytest.mark.parametrize("name", ["gtsps-3.2", "gtsps-4.1", "gtsps-4.2"])
def test_clues_first(name: str) -> None:
    """The clues are said before anything that takes time."""
    row = METHODS[name]
    steps: list[Step] = []
    with pytest.raises(StoppedError, match="enough"):
        steps.extend(row.functions.explain(FIG_4_2, after(1), **row.arguments))

    assert said(steps) == [CLUES_OF_FIG_4_2]
    # Their blanks are the digits of a permutation: 6 of M1, 5 of M2, ..., as the thesis writes them.
    assert [9 - clues for clues in steps[0].data["clues"]] == [6, 5, 6, 3, 6, 3, 6, 5, 6]


@pytest.mark.parametrize("name", ["gtsps-3.2", "gtsps-4.1", "gtsps-4.2"])
def test_empty_minigrid(name: str) -> None:
    """A minigrid without a permutation decides at once."""
    # Three blanks of M5 can hold 3 and 4 only, since the rest of the board holds the others.
    grid = [0] * 81
    for cell, value in {30: 1, 31: 2, 32: 5, 39: 6, 41: 7, 48: 8}.items():
        grid[cell] = value
    # r5c5, r6c5, r6c6 are left with 3, 4 and 9; 9 is in column 5 and in row 6.
    grid[4], grid[45] = 9, 9
    puzzle = Puzzle.of(board("9x9"), grid)
    row = METHODS[name]
    (end,) = row.functions.explain(puzzle, never, **row.arguments)

    assert str(end) == "no solution: M5 has no valid permutation: r5c5 r6c5 r6c6 can hold 3 4 only"
    assert (end.because, end.data) == ((40, 49, 50), {"solutions": 0, "complete": True})
    assert list(row.functions.solutions(puzzle, never, **row.arguments)) == []
    assert all_by_sat(puzzle) == set()


@given(puzzle=squares())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_no_permutation_claims(puzzle: Puzzle) -> None:
    """What is said to have no permutation has none."""
    assume(puzzle.clash is None)
    numbers = [len(one.permutations) for one in gtsps.minigrids(puzzle, never)]
    assert bool(gtsps.no_permutation_step(puzzle)) == (0 in numbers)


def test_branches_shown() -> None:
    """The search among what is left is shown branch by branch."""
    puzzle = Puzzle.of(board("4x4"), [1, 2, *[0] * 14])
    steps = list(gtsps4_steps.explain(puzzle, never))
    rows = [step.data for step in steps if step.kind == "branch" and "matched" in step.data]
    branches = [step for step in steps if "vertices" in step.data]

    assert [row["matched"] for row in rows][-1] == len(all_by_sat(puzzle)) == steps[-1].data["solutions"]
    assert sum(row["dead ends"] for row in rows) == sum(not step.data["complete"] for step in branches)
    assert sum(step.data["complete"] for step in branches) == steps[-1].data["solutions"]
    # Depth first: the names of the branches ascend.
    names = [step.data["vertices"] for step in branches]
    assert len({tuple(name) for name in names}) == len(names)


def test_many_branches() -> None:
    """Many branches are shown as totals."""
    steps = list(gtsps4_steps.explain(FIG_4_9, never))
    rows = [step.data for step in steps if "matched" in step.data]
    assert len(rows) == 9
    assert rows[-1]["matched"] == 127
    assert not any("vertices" in step.data for step in steps)
