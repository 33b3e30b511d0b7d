"""Hidden cells: constraints may name cells outside the grid, and each grid that has values for them counts once."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode import Puzzle, board, search
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError, InternalError, MethodError
from sudoku_encode.formats.iss_writing import text_of
from sudoku_encode.methods.definitions import solutions as by_definitions
from sudoku_encode.proving import check as check_certificate
from sudoku_encode.proving import plain, prove
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.puzzles.constraints.hidden import fillings
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import are_wrong, check, violations
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import sat
from tests.helpers import certificate_reader
from tests.helpers.command import Command
from tests.helpers.constraint_cases import Case, all_cases, identified, puzzle_of
from tests.helpers.constraint_grids import allowed_grids, grids_of

# Two cages share a sum that nobody knows, h1 tens and h2; h3 is the value that is missing from the first row.
SHARED = (
    "weighted-sum 0 -4 -1 1 1 h1 h2 r1c1 r2c1",
    "weighted-sum 0 -4 -1 1 1 h1 h2 r3c3 r4c3",
    "thermometer h1 h2",
)
_ON_A_LINE = [case for case in all_cases() if case[0].startswith("1x") and case[0] != "1x1"]


def _with_hidden_end(case: Case) -> Puzzle:
    """Return the puzzle of a case on a board without the last cell, whose number then is that of a hidden cell."""
    whole = puzzle_of(case)
    rows, columns = whole.geometry.shape
    return Puzzle(
        Geometry(f"1x{columns - 1}", (rows, columns - 1), whole.geometry.n_values, ()), constraints=whole.constraints
    )


def _projected(case: Case) -> list[tuple[int, ...]]:
    """Return the grids without the last cell, each once, that some value of the last cell completes."""
    return sorted({grid[:-1] for grid in allowed_grids(puzzle_of(case))})


# Those whose constraints name the last cell.
LINES = [case for case in _ON_A_LINE if _with_hidden_end(case).extended.geometry.n_hidden]


def test_most_cases_have_a_hidden_end() -> None:
    """Most kinds are tried with a hidden cell in place of their last cell."""
    assert len(LINES) > 140


@pytest.mark.parametrize("case", LINES, ids=identified)
def test_each_grid_counts_once(case: Case) -> None:
    """With a hidden cell in place of the last one, solutions are the projected grids, each once, by every method."""
    puzzle, expected = _with_hidden_end(case), _projected(case)
    by_definition = [tuple(grid) for batch in by_definitions(puzzle, Deadline()) for grid in batch.tolist()]
    assert sorted(by_definition) == expected
    for method in ("sat", "cp-sat", "cp-sat-bool", "search"):
        assert sorted(grids_of(puzzle, method)) == expected, method
    # CP-SAT counts by listing.
    for method in ("sat", "search"):
        assert se.count(puzzle, method) == len(expected), method


@pytest.mark.parametrize("case", LINES, ids=identified)
def test_plain_clauses_keep_the_grids(case: Case) -> None:
    """The clauses of certificates have a model for each grid, and none for another."""
    puzzle, found = _with_hidden_end(case), []
    with Solver("cadical195", bootstrap_with=[c for rows in plain.clauses(puzzle) for c in rows.tolist()]) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() or [] if literal > 0}
            n = puzzle.geometry.n_values
            grid = [next(v for v in range(1, n + 1) if c * n + v in true) for c in range(puzzle.geometry.n_cells)]
            found.append(tuple(grid))
            solver.add_clause(plain.blocking(puzzle, np.array([grid], np.uint8))[0].tolist())
    assert sorted(found) == _projected(case)


def test_many_values_of_free_cells() -> None:
    """Hidden cells that nothing binds multiply no solution, though each grid has 4^3 values for them."""
    puzzle = Puzzle(board("4x4"), constraints=["sum <=99 h1 h2 h3 r1c1"])
    assert puzzle.extended.geometry.n_cells == 19
    for method in ("auto", "sat", "cp-sat-bool", "search"):
        assert se.count(puzzle, method) == 288, method
    # These do not even find a grid twice; for CP-SAT those that come again are left out.
    for batches in (search.solutions(puzzle, lambda: None), sat.solutions(encode(puzzle), Deadline())):
        assert sum(map(len, batches)) == 288


def test_generated() -> None:
    """A generated puzzle with constraints on hidden cells has givens in the grid alone, and one solution."""
    lines = ["sum 7 r1c1 h1", "thermometer h1 h2 r2c2"]
    (generated,) = se.generate("6x6", constraints=lines, seed=3)
    assert generated.puzzle.geometry == board("6x6")
    assert se.count(generated.puzzle, "cp-sat") == 1


@pytest.mark.parametrize("constraints", [["odd h1"], ["extra-region h1 r1c1-r1c3"], ["cage h1 r1c1 r2c2", "even h3"]])
def test_units_and_domains_alone(constraints: list[str]) -> None:
    """Hidden cells in units and domains alone are projected away too, and methods for units refuse them."""
    puzzle = Puzzle(board("4x4"), constraints=constraints)
    for method in ("auto", "sat", "cp-sat", "search", "definitions"):
        assert se.count(puzzle, method) == 288, method
    with pytest.raises(MethodError, match=r"frontier supports only units; the puzzle has constraints: "):
        se.count(puzzle, "frontier")


def test_value_missing_from_a_row() -> None:
    """On a board with more values than a row has cells, a hidden cell is the value that the row lacks."""
    latin = board("latin:2x3:4")
    row_and_rest = ["extra-region h1 r1c1-r1c3", "extra-region h2 r2c1-r2c3", "greater h1 h2"]
    puzzle = Puzzle(latin, constraints=row_and_rest)
    expected = [
        grid
        for grid in grids_of(Puzzle(latin), "sat")
        if next(iter({1, 2, 3, 4} - set(grid[:3]))) > next(iter({1, 2, 3, 4} - set(grid[3:])))
    ]
    assert sorted(grids_of(puzzle, "auto")) == sorted(expected)
    assert 0 < len(expected) < se.count(Puzzle(latin))


def test_sum_that_two_cages_share() -> None:
    """Two sums that are equal to one number of hidden digits are equal."""
    expected = [
        grid
        for grid in grids_of(Puzzle(board("4x4")), "sat")
        if grid[0] + grid[4] == grid[10] + grid[14]
        and any(grid[0] + grid[4] == 4 * a + b for a in range(1, 5) for b in range(a + 1, 5))
    ]
    for method in ("auto", "sat", "cp-sat", "definitions"):
        assert sorted(grids_of(Puzzle(board("4x4"), constraints=SHARED), method)) == sorted(expected), method
    assert expected


def test_definition_of_a_solution() -> None:
    """A grid breaks constraints on hidden cells if no values of these satisfy all of them."""
    puzzle = Puzzle(board("4x4"), constraints=["sum 6 r1c1 h1", "greater h1 h2", "odd h2", "sum 5 h2 r4c4"])
    grids = np.array(grids_of(Puzzle(board("4x4")), "sat"), np.uint8)
    right = [
        grid
        for grid in grids.tolist()
        if any(grid[0] + h1 == 6 and h1 > h2 and h2 + grid[15] == 5 for h1 in range(1, 5) for h2 in (1, 3))
    ]
    assert grids[~are_wrong(puzzle, grids)].tolist() == right
    wrong = grids[are_wrong(puzzle, grids)][0]
    assert list(violations(puzzle, wrong)) == [
        "no values of the hidden cells satisfy `sum 6 r1c1 h1; greater h1 h2; odd h2; sum 5 h2 r4c4`"
    ]
    with pytest.raises(InternalError, match="no values of the hidden cells"):
        check(puzzle, wrong[None])
    filled = next(fillings(puzzle.placed, right[0]))
    assert len(filled) == 18
    check(puzzle.extended, np.array([filled], np.uint8))


def test_text_and_names() -> None:
    """Hidden cells have names on every board, and lines of them are written as ranges."""
    for name in ("9x9", "4x4x4", "samurai", "corner:4"):
        puzzle = Puzzle(
            board(name), constraints=["cage 20 h1-h4 h7" if name != "corner:4" else "cage 20 h1 h2 h3 h4 h7"]
        )
        (constraint,) = puzzle.constraints
        text = constraint.text(puzzle.geometry)
        assert Puzzle(board(name), constraints=[text]).constraints == (constraint,)
        assert puzzle.extended.geometry.n_hidden == 7
        assert puzzle.extended.on_grid == puzzle
        assert pickle.loads(pickle.dumps(puzzle.extended)) == puzzle.extended
    assert text == "cage 20 h1 h2 h3 h4 h7"


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ("cage h0 r1c1", "9x9 has no cell 'h0'; its cells are r1c1 to r9c9"),
        ("cage h1000 r1c1", "9x9 has no cell 'h1000'"),
        ("row-indexer h1", "row-indexer: h1 is a hidden cell; expected cells of the grid"),
        ("thermometer r1c1-h2", "no straight line goes from r1c1 to h2"),
        ("cage h1 h1", "h1 appears twice"),
    ],
)
def test_bad_names(constraint: str, message: str) -> None:
    """A name that is not one of a hidden cell, or comes where none may be, is refused."""
    with pytest.raises(FormatError, match=message):
        Puzzle(board("9x9"), constraints=[constraint])


def test_models_and_answers(run: Command, tmp_path: Path) -> None:
    """A model has variables of hidden cells, whose values its answers do not show."""
    puzzle = Puzzle(board("4x4"), constraints=["sum 6 r1c1 h1", "greater h1 r4c4", "even h2"])
    expected = sorted(grids_of(puzzle, "definitions"))
    encoding = encode(puzzle)
    assert encoding.puzzle.on_grid == puzzle
    with Solver("cadical195", bootstrap_with=encoding.cnf) as solver:
        found = []
        while solver.solve():
            grid = encoding.decode(solver.get_model() or [])
            found.append(tuple(grid.values.tolist()))
            solver.append_formula(encoding.blocking([grid]))
    assert sorted(found) == expected
    model, answer = tmp_path / "p.cnf", tmp_path / "p.out"
    whole = encode(puzzle, reduction="none")
    whole.save(model)
    assert f"c p show {' '.join(map(str, range(1, 65)))} 0" in model.read_text().splitlines()
    with Solver("cadical195", bootstrap_with=whole.cnf) as solver:
        assert solver.solve()
        literals = " ".join(map(str, solver.get_model() or []))
    answer.write_text(f"s SATISFIABLE\nv {literals} 0\n")
    decoded = run("decode", model, answer)
    assert decoded.status == 0
    assert tuple(map(int, decoded.lines[-1])) in expected


def test_other_forms(run: Command, tmp_path: Path) -> None:
    """Hints, candidates, pictures, figures and certificates are about the grid; sentences may name hidden cells."""
    source = tmp_path / "p.txt"
    source.write_text(
        "# board: 4x4\n# constraint: relation a+b==5: r1c1 h1\n# constraint: relation a<b: r2c2 h1\n"
        "# constraint: clone h2 / r4c4\n1...\n....\n.3..\n...4\n"
    )
    file = str(source)
    assert "relation in r1c1 and h1" in run("hint", "--all", file).out
    assert "solved in 18 steps" in run("hint", "--all", file).out
    for arguments in (["hint"], ["show"], ["show", "--candidates"], ["candidates"]):
        assert run(*arguments, file, "--to", "svg").out.startswith("<svg") or arguments == ["hint"], arguments
    record = json.loads(run("candidates", "--counts", "--json", file).out)
    assert len(record["candidates"]) == 16
    figures = json.loads(run("info", "--json", file).out)
    assert (figures["cells"], figures["hidden_cells"], figures["blanks"]) == (16, 2, 13)
    assert "unique" in run("check", file).out
    assert "exactly 1 solution, proved" in run("prove", file, "-o", str(tmp_path / "c")).out
    assert "exactly 1 solution, proved" in run("prove", file, "--cubes", "3", "-o", str(tmp_path / "d")).out
    assert "exactly 1 solution, proved" in run("prove", "--check", str(tmp_path / "d")).out
    refused = run("convert", file, "--to", "f-puzzles")
    assert refused.status == 2
    assert "f-puzzles cannot say `relation a+b==5: r1c1 h1`: it has no hidden cells" in refused.err


@pytest.mark.parametrize("lines", [SHARED, ("sum 6 r1c1 h1", "greater h1 h2", "cage h1 h2 r4c4")])
def test_certificates(lines: tuple[str, ...], tmp_path: Path) -> None:
    """A second reader, which shares no code, accepts certificates, and refuses one that lacks a solution."""
    puzzle = Puzzle(board("4x4"), [2, *[0] * 5, 1, *[0] * 9], constraints=lines)
    made = prove(puzzle, tmp_path, Deadline())
    assert made.count == certificate_reader.check(tmp_path) == se.count(puzzle, "definitions") > 1
    assert check_certificate(tmp_path).count == made.count
    listed = tmp_path / "solutions.txt"
    listed.write_text("".join(listed.read_text().splitlines(keepends=True)[1:]))
    with pytest.raises(certificate_reader.Refused, match="blocked"):
        certificate_reader.check(tmp_path)
    with pytest.raises(CertificateError, match="blocked"):
        check_certificate(tmp_path)


VAR = ".Shape~4x4.Var~A~sum~2.Var~B.~R1C1_1~VB_2_3.Sum~7~VA1~R1C2.Thermo~VA2~R2C3~VB.SameValues~2~VA1~VA2"


def test_iss() -> None:
    """Cells of `Var` are hidden cells, in the order of their groups."""
    puzzle = se.read(VAR)
    texts = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]
    assert texts == ["values 2 3 h3", "sum 7 h1 r1c2", "thermometer h2 r2c3 h3", "same-values h1 / h2"]
    text = text_of(puzzle)
    assert ".Var~H~~3." in text
    assert se.read(text) == puzzle
    grids = grids_of(Puzzle(board("4x4")), "sat")
    right = [g for g in grids if g[0] == 1 and any(7 - g[1] < g[6] < b for b in (2, 3)) and 1 <= 7 - g[1] <= 4]
    assert sorted(grids_of(puzzle, "auto")) == sorted(right)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".Var~a~~2", r"Var: 'a~~2'; expected A~label~8, capital letters and a size"),
        (".Var~A~~0", r"Var: 'A~~0'"),
        (".Var~A~~40x40", r"Var: 1600 cells; expected at most 999"),
        (".Var~A~~2.Var~A~~2", r"Var: two groups of cells have one name"),
        (".Var~A~~2.Cage~3~VA3~R1C1", r"'VA3' is not a cell"),
        (".Var~A.Replicate~B~R1C1.Cage~3~VA~R1C1.End", r"Replicate: a hidden cell cannot be moved"),
    ],
)
def test_bad_iss(text: str, message: str) -> None:
    """A group that cannot be read is refused in one line."""
    with pytest.raises(FormatError, match=message):
        se.read(text)
