"""Boards on surfaces: their cells, counts, text and pictures. `puzzles/test_geometry_plain.py` holds their rules."""

import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import GeometryError
from sudoku_encode.formats.reading import read, read_text
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import write, write_all
from sudoku_encode.methods import calls
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import EXAMPLES, board
from sudoku_encode.puzzles.folding import face_names, polygons
from sudoku_encode.puzzles.joined_boards import SURFACES
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.rules import SURFACE_RULES
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline
from tests.helpers import certificate_reader
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES

NAMES = ("corner:2", "corner:4", "isodoku:2110", "isodoku:321211111", "sudokube:2", "sudokube:4")
PICTURES = ("keck-isodoku", "keck-sudoku-cube")


def counted(name: str, method: str) -> int:
    found = calls.count(Puzzle.of(board(name)), method)
    assert found.complete
    return found.value


def test_rows_have_examples() -> None:
    """Every row has an example that is a board and stands in the help."""
    for kind, row in SURFACES.items():
        found = board(f"{kind}:{row.example}")
        assert found.name == f"{kind}:{row.example}"
        assert found.name in EXAMPLES
        assert len(face_names(found)) == found.shape[0]


@pytest.mark.parametrize(
    ("name", "shape", "n_values", "units"),
    [
        ("corner:4", (3, 4, 4), 8, {"line": 12, "box": 6}),
        ("isodoku:321211111", (3, 9, 9), 9, {"line": 54, "box": 27}),
        ("sudokube:4", (6, 4, 4), 16, {"hoop": 12, "face": 6}),
    ],
)
def test_figures_of_surfaces(name: str, shape: tuple[int, ...], n_values: int, units: dict[str, int]) -> None:
    """A surface has as many cells values and units as its picture."""
    found = board(name)
    sizes = {rule: sum(len(one.units) for one in found.rules if one.name == rule) for rule in found.rule_names}

    assert (found.shape, found.n_values, sizes) == (shape, n_values, units)
    assert found.full_rules == found.rules
    assert (found.cell_name(0), found.cell_name(found.n_cells - 1)) == (
        "f1r1c1",
        f"f{shape[0]}r{shape[1]}c{shape[2]}",
    )
    assert pickle.loads(pickle.dumps(found)) is found


def test_completed_rules() -> None:
    """The names of the rules of surfaces are those that a shell completes."""
    assert {rule for name in NAMES for rule in board(name).rule_names} == set(SURFACE_RULES)


@pytest.mark.parametrize("method", ["sat", "cp-sat", "search", "exact-cover", "brute-force"])
def test_smallest_corner(method: str) -> None:
    """The smallest corner has 48 solutions by every method."""
    assert not METHODS[method].installed or counted("corner:2", method) == 48


def test_smallest_corner_by_hand() -> None:
    """And 48 by hand."""
    edges = board("corner:2").edges.tolist()
    # The top, a box of four, in one of 24 orders.
    grids = ((0, 1, 2, 3, *rest) for rest in product(range(4), repeat=8))

    assert 24 * sum(all(grid[one] != grid[other] for one, other in edges) for grid in grids) == 48


def test_empty_and_full_corner() -> None:
    """An empty corner is three squares and so is a full one."""
    # Without cubes, or with all, each line ends where its face does.
    assert counted("isodoku:0000", "frontier") == counted("isodoku:2222", "frontier") == 288**3


def test_stack_and_hole() -> None:
    """A stack and the hole of its form have as many solutions."""
    # Seen from below, a cube in the corner is a cube that is missing.
    counts = {name: counted(f"isodoku:{name}", "frontier") for name in ("1000", "2221", "1100", "1010")}

    assert counts["1000"] == counts["2221"]
    # A wall along one side is one along the other, mirrored.
    assert counts["1100"] == counts["1010"]


@pytest.mark.parametrize("side", [1, 3])
def test_impossible_cube(side: int) -> None:
    """A cube of six faces has no solution with some sides."""
    assert counted(f"sudokube:{side}", "cp-sat") == 0


@pytest.mark.parametrize("name", [*NAMES, "isodoku:0000", "isodoku:333000000", "sudokube:3"])
def test_certificates_page(name: str) -> None:
    """The page on certificates describes the same units."""
    found = board(name)
    sides, n_values, rules = certificate_reader.surface(name)

    assert (tuple(sides), n_values) == (found.shape, found.n_values)
    for rule, units in rules.items():
        ours = [unit for one in found.rules if one.name == rule for unit in one.units.tolist()]
        assert sorted(map(sorted, units)) == sorted(map(sorted, ours))


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("method", ["sat", "cp-sat"])
def test_pictured_puzzles(name: str, method: str) -> None:
    """The puzzles of the pictures have one solution as the pictures are read."""
    puzzle = read(INSTANCES / "papers" / f"{name}.txt")

    assert tally(calls.solutions(puzzle, method, Deadline(2))) == Count(1, True)


def test_wrong_line_ends() -> None:
    """Lines that end elsewhere make no such puzzle."""
    # Another stack has as many cells, but the givens of the picture clash on it.
    puzzle = read(INSTANCES / "papers" / "keck-isodoku.txt")

    assert Puzzle.of(board("isodoku:321211110"), puzzle.givens).clash is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", TEXT_FORMATS)
def test_formats(name: str, format: str) -> None:
    """What a format holds reads back."""
    found = board(name)
    values = np.random.RandomState(1).randint(0, found.n_values + 1, found.n_cells)
    puzzle = Puzzle.of(found, values)
    able = TEXT_FORMATS[format].unsupported_reason(found) is None

    assert able == (format in ("line", "grid", "numbers", "csv", "layers", "json"))
    if able:
        (again,) = read_text("".join(write_all([puzzle], format)))
        assert again == puzzle


def test_drawn_by_face(run: Command) -> None:
    """A puzzle is drawn face by face."""
    drawn = run("show", "--ascii", INSTANCES / "papers" / "keck-sudoku-cube.txt").out.splitlines()

    assert drawn == [
        *("f1: top", "+-----+-----+", "| . . | . . |", "| . . | . . |", "| . 1 | . . |", "| 8 . | . 2 |"),
        *("+-----+-----+", "", "f2: left", "+---------+", "| 3 . . . |", "| . 7 4 . |", "+---------+"),
        *("| . . 1 . |", "| . . . 8 |", "+---------+", "", "f3: right", "+-----+-----+", "| 5 . | . . |"),
        *("| . . | . . |", "| . 6 | 4 . |", "| . . | . . |", "+-----+-----+"),
    ]
    bordered = write(board("corner:4"), [0] * 48, "grid").splitlines()
    assert [line for line in bordered if "." not in line] == [
        line for line in drawn if "|" not in line and not line.startswith("f")
    ]
    names = [line for line in run("show", INSTANCES / "papers" / "keck-isodoku.txt").out.splitlines() if ": " in line]
    assert names == ["f1: from above, on cubes 321/211/111 high", "f2: facing left", "f3: facing right"]
    assert "has no layers" in run("show", "--axis", "x", INSTANCES / "papers" / "keck-sudoku-cube.txt").err


@pytest.mark.parametrize("name", [*NAMES, "9x9", "latin:5x5x5"])
def test_tiled_picture(name: str) -> None:
    """The cells of a picture tile it."""
    found = board(name)
    corners = polygons(found)
    x, y = np.moveaxis(corners, 2, 0)
    areas = np.abs((x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y).sum(axis=1) / 2)

    assert corners.shape == (found.n_cells, 4, 2)
    assert areas == pytest.approx(areas[0])
    # No two cells lie at one place, and neighbours meet at corners.
    assert len(np.unique(corners.mean(axis=1).round(3), axis=0)) == found.n_cells
    assert len(np.unique(corners.reshape(-1, 2).round(3), axis=0)) < 2 * found.n_cells


@pytest.mark.parametrize("stack", ["0000", "2222", "2110"])
def test_hexagon(stack: str) -> None:
    """The picture of a stack is a hexagon whatever stands in it."""
    corners = polygons(board(f"isodoku:{stack}")).reshape(-1, 2)

    assert corners.min(axis=0) == pytest.approx([-(3**0.5) * 2, -4])
    assert corners.max(axis=0) == pytest.approx([3**0.5 * 2, 4])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("corner:3", "an even side"),
        ("corner:0", "from 1 to 50"),
        ("corner:52", "from 1 to 50"),
        ("corner:04", "from 1 to 50"),
        ("corner:", "from 1 to 50"),
        ("corner:-2", "from 1 to 50"),
        ("sudokube:11", "from 1 to 10"),
        ("isodoku:", "k \\* k digits"),
        ("isodoku:12", "k \\* k digits"),
        ("isodoku:abcd", "k \\* k digits"),
        ("isodoku:1", "k \\* k digits"),
        ("isodoku:" + "1" * 36, "k from 2 to 5"),
        ("isodoku:3000", "heights go from 2 to 0"),
        ("isodoku:0100", "never rise"),
        ("isodoku:0010", "never rise"),
        ("cone:4", "no board is called"),
    ],
)
def test_unknown_surface(name: str, why: str) -> None:
    """A surface that there is not is refused in one line."""
    with pytest.raises(GeometryError, match=why) as refusal:
        board(name)

    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("method", ["jana2021", "jana2023-v1", "jana2023-v2-joined", "gtsps-4.1", "block-world-1"])
def test_misfit_methods(method: str) -> None:
    """Methods for other boards refuse a surface."""
    assert METHODS[method].unsupported_reason(board("corner:4"))


def test_all_commands(run: Command, tmp_path: Path) -> None:
    """A surface is encoded solved and generated."""
    file = INSTANCES / "papers" / "keck-sudoku-cube.txt"
    assert run("encode", file, "-o", tmp_path / "a.cnf").status == 0
    assert run("solve", file, "--method", "cp-sat").out == run("solve", file, "--method", "sat").out
    assert run("count", "-", stdin=run("generate", "--board", "corner:4", "--seed", 1).out).out == "1\n"
