"""Forms other than CNF, read back by plain readers written here: they have as many solutions as the puzzle."""

import itertools
import re
from collections.abc import Iterator

import pytest

import sudoku_encode as se
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from tests.helpers.form_cases import CUBES, SMALL, UNNAMED, expected, read_col, read_dlx, text
from tests.helpers.plain_search import by_hand, colourings

# Readers


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
    allowed = [set(range(n)) for _ in range(n_cells)] + colours
    return sum(1 for _ in colourings(peers, dict(enumerate(allowed))))


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


def test_plain_search_known_counts() -> None:
    """The search that the counts rest on finds the known numbers."""
    assert {name: sum(1 for _ in by_hand(make())) for name, (make, known) in SMALL.items() if known is not None} == {
        name: known for name, (_, known) in SMALL.items() if known is not None
    }


def test_counts_not_trivial() -> None:
    """No count that only the search knows is trivial."""
    assert all(1 < expected(name)[1] < 2000 for name, (_, known) in SMALL.items() if known is None)


@pytest.mark.parametrize("name", SMALL)
def test_graph_colourings(name: str) -> None:
    """The colourings of the graph are the solutions."""
    puzzle, count = expected(name)
    assert count_col(puzzle) == count


@pytest.mark.parametrize("name", [name for name in SMALL if name not in UNNAMED])
def test_exact_covers(name: str) -> None:
    """The exact covers are the solutions."""
    puzzle, count = expected(name)
    grids = list(grids_dlx(puzzle))
    assert len({tuple(grid) for grid in grids}) == len(grids) == count
    assert [fault for grid in grids for fault in violations(puzzle, grid)] == []


@pytest.mark.parametrize("name", UNNAMED)
def test_valueless_option(name: str) -> None:
    """An option that names no value is an option all the same."""
    puzzle, count = expected(name)
    primary, _, options = read_dlx(text("dlx", puzzle).splitlines())
    assert sum(1 for _ in exact_covers(primary, options)) == count


def test_unit_constraints() -> None:
    """Constraints that are units are edges and items."""
    lines = ["extra-region r1c1 r2c3 r3c2 r4c4", "odd r1c2", "cage r2c1 r2c2 r3c3"]
    puzzle = Puzzle.of(se.board("4x4"), constraints=lines)
    count = se.count(puzzle, "definitions")
    assert count_col(puzzle) == sum(1 for _ in grids_dlx(puzzle)) == count.value == 12


@pytest.mark.parametrize("name", ["empty 4x4x4", "literal 4x4x4"])
def test_cubes(name: str) -> None:
    """Cubes have as many colourings and exact covers as solutions."""
    make, count = CUBES[name]
    assert count_col(make()) == count
    assert sum(1 for _ in grids_dlx(make())) == count


@pytest.mark.parametrize("name", [*SMALL, *CUBES])
def test_opb_is_strict(name: str) -> None:
    """Every OPB file is what strict readers ask for."""
    make, _ = SMALL[name] if name in SMALL else CUBES[name]
    check_opb(text("opb", make()).splitlines())
