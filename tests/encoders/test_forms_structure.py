"""Forms other than CNF: what a file has in it, and what is refused."""

import re

import numpy as np
import pytest

from sudoku_encode import __version__
from sudoku_encode.encoders import model_files
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles import shapes
from sudoku_encode.puzzles.geometry import Geometry, Rule, tiling
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.form_cases import CUBES, SMALL, read_col, read_dlx, text, with_rule, without_a_choice
from tests.helpers.puzzles import ESCARGOT, ESCARGOT_SOLUTION, puzzle_of


@pytest.mark.parametrize(("board", "edges"), [("4x4", 56), ("9x9", 810), ("4x4x4", 384), ("9x9x9", 13_122)])
def test_empty_graph(board: str, edges: int) -> None:
    """An empty board is a graph of its cells alone."""
    puzzle = puzzle_of(board)
    n_vertices, found = read_col(text("col", puzzle).splitlines())
    assert (n_vertices, len(found)) == (puzzle.geometry.n_cells, edges)


def test_excluded_candidate_in_graph() -> None:
    """A single excluded candidate brings all colour vertices and one edge to them."""
    puzzle = puzzle_of("4x4")
    candidates = puzzle.candidates.copy()
    candidates[5, 2] = False
    n_vertices, edges = read_col(text("col", puzzle, candidates).splitlines())
    assert (n_vertices, len(edges)) == (20, 56 + 6 + 1)
    assert edges[-1] == (6, 19)


def test_exact_cover_9x9() -> None:
    """An empty 9x9 is an exact cover of 324 items by 729 options."""
    primary, secondary, options = read_dlx(text("dlx", puzzle_of("9x9")).splitlines())
    assert (len(primary), secondary, len(options)) == (324, [], 729)


def test_secondary_items() -> None:
    """The items of short and long units are secondary."""
    for cage in ([0, 5, 10], [0, 5, 10, 15, 6]):
        primary, secondary, _ = read_dlx(text("dlx", Puzzle.of(with_rule(cage))).splitlines())
        assert secondary == ["u8.1", "u8.2", "u8.3", "u8.4"]
        assert len(primary) == 16 + 32


def test_item_without_option() -> None:
    """An item without an option is still listed."""
    primary, _, options = read_dlx(text("dlx", without_a_choice()).splitlines())
    assert "c6" in primary
    assert not any("c6" in option for option in options)
    assert len(primary) == 64


@pytest.mark.parametrize("board", ["100x100+diagonals+windoku", "25x25x25"])
def test_dlx1_names(board: str) -> None:
    """The names of the largest boards fit dlx1."""
    puzzle = puzzle_of(board)
    first = next(line for line in text("dlx", puzzle, puzzle.candidates & False).splitlines() if line[0] != "|")
    names = first.split()
    assert max(map(len, names)) == 8
    assert len(set(names)) == len(names) == puzzle.geometry.n_cells + puzzle.geometry.n_units * puzzle.geometry.n_values


def test_too_large_for_dlx1() -> None:
    """A board too large for dlx1 is refused before anything is written."""
    n = 120
    board = Geometry("huge", (n, n, n), n, (tiling("row", (n, n, n), (1, 1, n)),))
    with pytest.raises(MethodError, match=r"huge is too large for dlx: item u14399\.120 has more than 8 characters"):
        model_files.chunks(Puzzle.of(board), "dlx", np.zeros((n**3, n), bool))


def test_reduced_candidates() -> None:
    """Candidates after a reduction are what is written."""
    puzzle = puzzle_of("9x9", ESCARGOT)
    solved = np.array([int(symbol) for symbol in ESCARGOT_SOLUTION])[:, None] == np.arange(1, 10)
    assert text("opb", puzzle, solved).count("= 0 ;") == 81 * 8
    assert len(read_dlx(text("dlx", puzzle, solved).splitlines())[2]) == 81
    assert text("mps", puzzle, solved).count("FX BOUND") == 81 * 8
    assert text("lp", puzzle, solved).count("<= 0\n") == 81 * 8
    assert len(re.findall(r"\{\d\},", text("mzn", puzzle, solved))) == 81
    assert len(re.findall(r"\(assert \(= c\d+ \(_ bv\d 4\)\)\)", text("smt2", puzzle, solved))) == 81


def test_units_not_full() -> None:
    """Units that are not full hold a value at most once."""
    for cage in ([0, 5, 10], [0, 5, 10, 15, 6]):
        puzzle = Puzzle.of(with_rule(cage))
        assert next(line for line in text("opb", puzzle).splitlines() if ">=" in line) == (
            " ".join(f"-1 x{4 * cell + 1}" for cell in cage) + " >= -1 ;"
        )
        assert text("lp", puzzle).count(" <= 1\n") == 4 + 64
        assert re.findall(r"^ L  (\w+)$", text("mps", puzzle), re.M) == ["u8_1", "u8_2", "u8_3", "u8_4"]


def test_smt_distinct() -> None:
    """SMT has no distinct of one term which the standard forbids."""
    written = text("smt2", Puzzle.of(with_rule([7])))
    assert [len(terms.split()) for terms in re.findall(r"\(distinct ([^)]*)\)", written)] == [4] * 8


def test_minizinc_items() -> None:
    """A MiniZinc file has the data above the model and closes every item."""
    for make, _ in [*SMALL.values(), *CUBES.values()]:
        puzzle = make()
        code = re.sub(r"%.*", "", text("mzn", puzzle))
        items = [" ".join(item.split()) for item in code.split(";")]
        assert items.pop() == ""
        names = re.findall(r"array\[int, int\] of 1\.\.n_cells: (\w+) = \[\|", code)
        assert [item.split()[0] for item in items] == [
            *("include", "int:", "int:", "int:", "array[1..n_cells]"),
            *["array[int,"] * len(names),
            *("array[1..n_cells]", "predicate", "constraint"),
            *["constraint"] * len(names),
            *("solve", "output"),
        ]
        assert re.findall(r"constraint units_differ\((\w+)\)", code) == names
        matrices = re.findall(r"\[\|(.*?)\|\]", code, re.S)
        for matrix, rule in zip(matrices, puzzle.geometry.rules, strict=True):
            rows = [row for row in matrix.split("|") if row.strip()]
            assert [[int(cell) - 1 for cell in row.split(",")] for row in rows] == rule.units.tolist()


def test_minizinc_names() -> None:
    """Rules of any name become different legal names in MiniZinc."""
    rule = shapes.square(2).rules[0]
    named = [Rule(name, rule.units) for name in ("box-xy", "3 d", "é", "row")]
    board = Geometry("odd", (2, 2), 2, tuple(named))
    assert re.findall(r"(\w+) = \[\|", text("mzn", Puzzle.of(board))) == [
        "box_xy_units",
        "rule_3_d_units",
        "rule___units",
        "row_units",
    ]
    twice = Geometry("odd", (2, 2), 2, (rule, rule))
    assert re.findall(r"(\w+) = \[\|", text("mzn", Puzzle.of(twice))) == ["row_units_1", "row_units_2"]


@pytest.mark.parametrize("form", [form.name for form in MODEL_FORMATS.values() if form.chunks])
def test_ascii_and_stable(form: str) -> None:
    """A file is ASCII says what it is and is the same each time."""
    board = Geometry("evil\nname é", (2, 2), 2, shapes.square(2).rules)
    marks = {"col": "c", "dlx": "|", "lp": "\\", "smt2": ";", "xcsp3": "", "cpmpy": "#"}
    mark = marks.get(form, "*" if form in ("opb", "mps") else "%")
    written = text(form, Puzzle.of(board))
    comments = [line for line in written.splitlines() if line.startswith(f"{mark} ")]
    comments = comments[1:] if form == "opb" else comments
    assert comments[:4] == [
        f"{mark} sudoku-encode {__version__}",
        f"{mark} format {form}",
        rf"{mark} board evil\nname \xe9",
        f"{mark} rules row column",
    ]
    assert any("cell" in line for line in comments[4:])
    assert written.endswith("\n")
    assert "\r" not in written
    assert written == text(form, Puzzle.of(board))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["col", "opb", "dlx", "mps", "lp"])
def test_written_in_chunks(form: str) -> None:
    """A large board comes in many chunks."""
    puzzle = puzzle_of("16x16x16")
    sizes = [len(chunk) for chunk in model_files.chunks(puzzle, form, puzzle.candidates)]
    assert 0 < max(sizes) < 1_000_000
    assert sum(sizes) > 1_600_000
