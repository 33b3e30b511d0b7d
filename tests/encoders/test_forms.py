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


def test_the_search_that_the_counts_rest_on_finds_the_known_numbers() -> None:
    assert {name: sum(1 for _ in by_hand(make())) for name, (make, known) in SMALL.items() if known is not None} == {
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


def test_constraints_that_are_units_are_edges_and_items() -> None:
    lines = ["extra-region r1c1 r2c3 r3c2 r4c4", "odd r1c2", "cage r2c1 r2c2 r3c3"]
    puzzle = Puzzle.of(se.board("4x4"), constraints=lines)
    count = se.count(puzzle, "definitions")
    assert count_col(puzzle) == sum(1 for _ in grids_dlx(puzzle)) == count.value == 12


@pytest.mark.parametrize("name", ["empty 4x4x4", "literal 4x4x4"])
def test_cubes_have_as_many_colourings_and_exact_covers_as_solutions(name: str) -> None:
    make, count = CUBES[name]
    assert count_col(make()) == count
    assert sum(1 for _ in grids_dlx(make())) == count


@pytest.mark.parametrize("name", [*SMALL, *CUBES])
def test_every_opb_file_is_what_strict_readers_ask_for(name: str) -> None:
    make, _ = SMALL[name] if name in SMALL else CUBES[name]
    check_opb(text("opb", make()).splitlines())
