"""Forms other than CNF, read back by plain readers written here: they have as many solutions as the puzzle."""

import itertools
import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from sudoku_encode.encoders import saving
from sudoku_encode.puzzles import boards, shapes
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, violations

ESCARGOT = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
ESCARGOT_SOLUTION = "162857493534129678789643521475312986913586742628794135356478219241935867897261354"

DIAGONAL = "023406009000800001004000000000000090009000000060029000207000600000700000000205070"


def text(name: str, puzzle: Puzzle, candidates: Candidates | None = None) -> str:
    chunks = saving.chunks(puzzle, name, puzzle.candidates if candidates is None else candidates)
    return b"".join(chunks).decode("ascii")


def puzzle_of(board: str, givens: str = "") -> Puzzle:
    return Puzzle.of(boards.board(board), [int(symbol) for symbol in givens] if givens else None)


def with_rule(cells: list[int]) -> Geometry:
    """The rows and columns of a 4x4 and one more unit, of any size."""
    rules = shapes.square(4).rules[:2]
    return Geometry("4x4 with a cage", (4, 4), 4, (*rules, Rule("cage", np.array([cells], np.int32))))


def pencilled() -> Puzzle:
    """The first four cells of a 4x4 may not be 4, 3, 2 and 1; the fifth must be 3 and so says its pencilmark."""
    marks = np.ones((16, 4), bool)
    marks[[0, 1, 2, 3], [3, 2, 1, 0]] = False
    marks[4] = [False, False, True, False]
    return Puzzle.of(shapes.square(4), [0] * 15 + [1], pencilmarks=marks)


def without_a_choice() -> Puzzle:
    """A 4x4 with a cell that may hold nothing."""
    marks = np.ones((16, 4), bool)
    marks[6] = False
    return Puzzle.of(shapes.square(4), pencilmarks=marks)


def loose_cell(*values: int) -> Puzzle:
    """A 2x2 of which only the diagonal is a unit; one of the other cells may hold these values."""
    marks = np.ones((4, 2), bool)
    marks[1] = np.isin([1, 2], values)
    return Puzzle.of(boards.board("2x2+diagonals", ["diagonal"]), pencilmarks=marks)


# The number of solutions: a published one, or None where `by_search` has to say.
SMALL: dict[str, tuple[Callable[[], Puzzle], int | None]] = {
    "empty 4x4": (lambda: puzzle_of("4x4"), 288),
    "empty 2x2": (lambda: puzzle_of("2x2"), 2),
    "Latin squares of order 4": (lambda: Puzzle.of(boards.board("4x4", ["row", "column"])), 576),
    "rows of a 3x3 alone": (lambda: Puzzle.of(boards.board("3x3", ["row"])), 6**3),
    "4x4 with diagonals": (lambda: puzzle_of("4x4+diagonals"), None),
    "jigsaw": (lambda: puzzle_of("jigsaw:1112122233343444"), None),
    "oblong": (lambda: puzzle_of("6x6:2x3", "120400" + "000050" + "0" * 18 + "004021"), None),
    "oblong, upright": (lambda: puzzle_of("6x6:3x2", "100400" + "056023" + "0" * 18 + "004000"), None),
    "pencilmarks": (pencilled, None),
    "short unit": (lambda: Puzzle.of(with_rule([0, 5, 10])), None),
    "unit of a single cell": (lambda: Puzzle.of(with_rule([7])), 576),
    "long unit": (lambda: Puzzle.of(with_rule([0, 5, 10, 15, 6])), 0),
    "given twice in a row": (lambda: puzzle_of("4x4", "1010" + "0" * 12), 0),
    "a cell without a candidate": (without_a_choice, 0),
    "a cell in no unit": (lambda: loose_cell(1, 2), 8),
    "a cell in no unit with one candidate": (lambda: loose_cell(2), 4),
    "a cell in no unit without a candidate": (loose_cell, 0),
    "full": (lambda: puzzle_of("4x4", "1234341221434321"), 1),
    "escargot": (lambda: puzzle_of("9x9", ESCARGOT), 1),
    "9x9 with diagonals": (lambda: puzzle_of("9x9+diagonals", DIAGONAL), None),
}
# An option names its value with its units, and these have a cell without any.
UNNAMED = ["a cell in no unit", "a cell in no unit with one candidate"]
CUBES: dict[str, tuple[Callable[[], Puzzle], int]] = {
    "empty 4x4x4": (lambda: puzzle_of("4x4x4"), 768),
    "4x4x4, lines of two axes": (
        lambda: Puzzle.of(boards.board("4x4x4", ["row-x", "row-y", "box-xy", "box-xz", "box-yz"])),
        82_944,
    ),
    "literal 4x4x4": (lambda: puzzle_of("4x4x4:literal"), 0),
}


def by_search(puzzle: Puzzle) -> int:
    """Count solutions cell by cell, from the units alone."""
    units = [unit for rule in puzzle.geometry.rules for unit in rule.units.tolist()]
    peers = [{c for unit in units if cell in unit for c in unit} - {cell} for cell in range(puzzle.geometry.n_cells)]
    return colourings(peers, [set(np.flatnonzero(row).tolist()) for row in puzzle.candidates])


def colourings(peers: list[set[int]], allowed: list[set[int]]) -> int:
    """Count colourings in which neighbours differ, the vertex with fewest colours first."""
    if not peers or not all(allowed):
        return 0 if peers else 1
    left = dict(enumerate(allowed))

    def count() -> int:
        if not left:
            return 1
        vertex = min(left, key=lambda v: len(left[v]))
        colours, found = left.pop(vertex), 0
        for colour in colours:
            hit = [peer for peer in peers[vertex] if peer in left and colour in left[peer]]
            for peer in hit:
                left[peer].remove(colour)
            found += count()
            for peer in hit:
                left[peer].add(colour)
        left[vertex] = colours
        return found

    return count()


def expected(name: str) -> tuple[Puzzle, int]:
    make, known = SMALL[name]
    puzzle = make()
    return puzzle, by_search(puzzle) if known is None else known


# Readers


def read_col(lines: list[str]) -> tuple[int, list[tuple[int, int]]]:
    """Read a .col file as a strict reader does: counts exact, no edge twice, in either direction, and no loop."""
    body = [line for line in lines if not line.startswith("c ")]
    header = re.fullmatch(r"p edge (\d+) (\d+)", body[0])
    assert header, body[0]
    edges = []
    for line in body[1:]:
        match = re.fullmatch(r"e ([1-9]\d*) ([1-9]\d*)", line)
        assert match, line
        edges.append((int(match[1]), int(match[2])))
    assert len(edges) == int(header[2])
    assert all(1 <= vertex <= int(header[1]) for edge in edges for vertex in edge)
    assert len({frozenset(edge) for edge in edges}) == len(edges)
    assert all(first != second for first, second in edges)
    return int(header[1]), edges


def count_col(puzzle: Puzzle) -> int:
    """Count the colourings of a .col file, up to the names of the colours where vertices stand for them."""
    n_vertices, edges = read_col(text("col", puzzle).splitlines())
    n, n_cells = puzzle.geometry.n_values, puzzle.geometry.n_cells
    peers: list[set[int]] = [set() for _ in range(n_vertices)]
    for first, second in edges:
        peers[first - 1].add(second - 1)
        peers[second - 1].add(first - 1)
    colours = [{vertex} for vertex in range(n)] if n_vertices > n_cells else []
    if colours:
        assert set(itertools.combinations(range(n_cells + 1, n_vertices + 1), 2)) <= set(edges)
    return colourings(peers, [set(range(n)) for _ in range(n_cells)] + colours)


def read_dlx(lines: list[str]) -> tuple[list[str], list[str], list[list[str]]]:
    """Read a file of dlx1: its primary items, its secondary items, and its options."""
    body = [line for line in lines if not line.startswith("|")]
    assert all(line == line.strip() and "  " not in line for line in body)
    primary, _, secondary = body[0].partition(" | ")
    names = [*primary.split(), *secondary.split()]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 8 and re.fullmatch(r"[^\s:|]+", name) for name in names)
    options = [line.split() for line in body[1:]]
    for option in options:
        assert option
        assert len(set(option)) == len(option)
        assert set(option) <= set(names)
    return primary.split(), secondary.split(), options


def exact_covers(primary: list[str], options: list[list[str]]) -> Iterator[list[list[str]]]:
    """Yield each way to cover every primary item once and every secondary item at most once. Knuth's Algorithm X."""
    users: dict[str, set[int]] = {item: set() for item in itertools.chain(primary, *options)}
    for number, option in enumerate(options):
        for item in option:
            users[item].add(number)
    open_items, chosen = set(primary), list[list[str]]()

    def cover() -> Iterator[list[list[str]]]:
        if not open_items:
            yield list(chosen)
            return
        item = min(open_items, key=lambda name: len(users[name]))
        for number in list(users[item]):
            mine = set(options[number])
            gone = {other for name in mine for other in users[name]}
            for other in gone:
                for name in options[other]:
                    users[name].discard(other)
            closed = mine & open_items
            open_items.difference_update(closed)
            chosen.append(options[number])
            yield from cover()
            chosen.pop()
            open_items.update(closed)
            for other in gone:
                for name in options[other]:
                    users[name].add(other)

    return cover()


def grids_dlx(puzzle: Puzzle) -> Iterator[list[int]]:
    """Yield the grids of a .dlx file; an option names its value after any of its units."""
    primary, _, options = read_dlx(text("dlx", puzzle).splitlines())
    for cover in exact_covers(primary, options):
        grid = [0] * puzzle.geometry.n_cells
        for cell, *units in cover:
            (grid[int(cell[1:])],) = {int(unit.split(".")[1]) for unit in units}
        yield grid


def check_opb(lines: list[str]) -> None:
    """Refuse what clasp and minisat+ refuse, and counts that are not exact."""
    header = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
    assert header, lines[0]
    body = [line for line in lines if not line.startswith("* ")]
    assert len(body) == int(header[2])
    assert all(re.fullmatch(r"([+-]1 x[1-9]\d* )+(=|>=) -?\d+ ;", line) for line in body)
    assert {int(number) for number in re.findall(r"x(\d+)", " ".join(body))} == set(range(1, int(header[1]) + 1))


# Counts


def test_the_search_that_the_counts_rest_on_finds_the_known_numbers() -> None:
    assert {name: by_search(make()) for name, (make, known) in SMALL.items() if known is not None} == {
        name: known for name, (_, known) in SMALL.items() if known is not None
    }


def test_no_count_that_only_the_search_knows_is_trivial() -> None:
    assert all(1 < expected(name)[1] < 2000 for name, (_, known) in SMALL.items() if known is None)


@pytest.mark.parametrize("name", SMALL)
def test_the_colourings_of_the_graph_are_the_solutions(name: str) -> None:
    puzzle, count = expected(name)
    assert count_col(puzzle) == count


@pytest.mark.parametrize("name", [name for name in SMALL if name not in UNNAMED])
def test_the_exact_covers_are_the_solutions(name: str) -> None:
    puzzle, count = expected(name)
    grids = list(grids_dlx(puzzle))
    assert len({tuple(grid) for grid in grids}) == len(grids) == count
    assert [fault for grid in grids for fault in violations(puzzle, grid)] == []


@pytest.mark.parametrize("name", UNNAMED)
def test_an_option_that_names_no_value_is_an_option_all_the_same(name: str) -> None:
    puzzle, count = expected(name)
    primary, _, options = read_dlx(text("dlx", puzzle).splitlines())
    assert sum(1 for _ in exact_covers(primary, options)) == count


@pytest.mark.parametrize("name", ["empty 4x4x4", "literal 4x4x4"])
def test_cubes_have_as_many_colourings_and_exact_covers_as_solutions(name: str) -> None:
    make, count = CUBES[name]
    assert count_col(make()) == count
    assert sum(1 for _ in grids_dlx(make())) == count


@pytest.mark.parametrize("name", [*SMALL, *CUBES])
def test_every_opb_file_is_what_strict_readers_ask_for(name: str) -> None:
    make, _ = SMALL[name] if name in SMALL else CUBES[name]
    check_opb(text("opb", make()).splitlines())
