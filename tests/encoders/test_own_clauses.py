"""Assumptions and clauses of one's own, said of cells and values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.changes import add_clauses
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers import icnf_files
from tests.helpers.command import Command
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import ESCARGOT_SOLUTION, puzzle_of

ONE = puzzle_of("4x4", "1" + "0" * 15)
GRIDS = np.array(list(by_hand(ONE)), np.uint8)


def solutions(encoding: Encoding, assumptions: list[int] | None = None) -> set[bytes]:
    """List the solutions, each excluded once found, by a solver that knows clauses only."""
    found = set()
    with Solver("minisat22", bootstrap_with=encoding.cnf) as solver:
        while solver.solve(assumptions=assumptions or []):
            model = solver.get_model()
            found.add(encoding.decode(model).values.tobytes())
            truth = set(model)
            solver.add_clause([-v if v in truth else v for v in encoding.projection.tolist()])
    return found


def that(cell: int, value: int) -> set[bytes]:
    """The solutions in which a cell holds a value, or, of a negated value, does not."""
    return {grid.tobytes() for grid in GRIDS if (grid[cell] == abs(value)) == (value > 0)}


@pytest.mark.slow
@pytest.mark.parametrize("reduction", ["none", "singles"])
@pytest.mark.parametrize("name", list(ENCODINGS))
def test_single_cell_wishes(name: str, reduction: str) -> None:
    """Every wish on a single cell is what it says."""
    if reduction != "none" and "reduce" not in ENCODINGS[name].options:
        pytest.skip("takes no reduction")
    encoding = encode(ONE, name, reduction=reduction)
    for cell, value in [(0, 1), (0, 2), (0, -1), (0, -2), (1, 1), (1, 3), (1, -1), (1, -3), (15, 4), (15, -4)]:
        place = encoding.puzzle.geometry.cell_name(cell)
        written = se.encode(ONE, name, reduction=reduction, assume={place: value})
        assert solutions(written) == that(cell, value)
        if value > 0 or encoding.kind == "direct":
            assert solutions(encoding, encoding.assuming({place: value})) == that(cell, value)


@pytest.mark.parametrize("name", ["order", "log"])
def test_not_a_literal(name: str) -> None:
    """What is no literal is refused as an assumption."""
    encoding = encode(puzzle_of("4x4"), name)
    with pytest.raises(se.MethodError, match=r"that r1c2 does not hold 3 is a clause in encoding .*encode\(assume"):
        encoding.assuming({"r1c2": -3})


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_several_wishes_and_grids(data: st.DataObject) -> None:
    """Several wishes and grids at once."""
    name = data.draw(st.sampled_from(["extended", "dual", "triads", "order", "log"]))
    wishes = data.draw(st.dictionaries(st.integers(0, 15), st.sampled_from([-4, -3, -2, -1, 2, 3]), max_size=3))
    blocked = GRIDS[data.draw(st.lists(st.integers(0, len(GRIDS) - 1), max_size=5))]
    seed = data.draw(st.none() | st.integers(0, 9))

    encoding = se.encode(ONE, name, assume=wishes, blocked=blocked, seed=seed)

    expected = {grid.tobytes() for grid in GRIDS} - {grid.tobytes() for grid in blocked}
    for cell, value in wishes.items():
        expected &= that(cell, value)
    assert solutions(encoding) == expected


@pytest.mark.parametrize("name", list(ENCODINGS))
def test_blocking_all(name: str) -> None:
    """Blocking all solutions leaves none and all but one leaves that."""
    assert solutions(se.encode(ONE, name, blocked=GRIDS)) == set()
    assert solutions(se.encode(ONE, name, blocked=GRIDS[1:])) == {GRIDS[0].tobytes()}


def test_grid_forms() -> None:
    """Grids may have any form."""
    encoding = encode(ONE)
    grid = se.solve(ONE)
    assert grid is not None
    forms: list[Any] = [[grid], grid, grid.values, [grid.array.tolist()], (row for row in [grid.values])]

    assert all(encoding.blocking(form) == encoding.blocking([grid.values]) for form in forms)
    assert len(encoding.blocking(GRIDS)) == len(GRIDS)
    assert encoding.blocking([]) == []


def test_grid_not_a_model() -> None:
    """A grid that is no model excludes no solution."""
    # It has another given, and else is a solution.
    other = GRIDS[0].copy()
    other[0] = 2
    for reduction in ("none", "singles"):
        encoding = encode(ONE, reduction=reduction)
        assert encoding.blocking([other]) == []
        assert len(encoding.blocking([other, GRIDS[0]])) == 1


def test_decided_puzzle() -> None:
    """A puzzle that singles decide can be asked too."""
    decided = puzzle_of("4x4", "1234341221434..1")
    encoding = encode(decided)
    grid = next(iter(by_hand(decided)))
    assert encoding.cnf.n_variables == 0

    assert encoding.assuming({"r4c2": 3}) == []
    assert solutions(encoding, encoding.assuming({"r4c2": 2})) == set()
    assert encoding.blocking([grid]) == [[1], [-1]]
    assert not Solver(bootstrap_with=se.encode(decided, blocked=[grid]).cnf).solve()


def test_contradiction() -> None:
    """A contradiction stays one."""
    for reduction in REDUCTIONS:
        encoding = se.encode("11..............", board="4x4", reduction=reduction, assume={"r2c3": 1}, blocked=GRIDS)
        assert encoding.assuming({"r2c3": -1}) == ([-25] if reduction == "none" else [])
        assert not Solver(bootstrap_with=encoding.cnf).solve()


@pytest.mark.parametrize("place", ["r5c1", "x", "", (4, 0), (0, 0, 0), (0,), 16, -1, None, 1.5])
def test_not_a_cell(place: Any) -> None:
    """A cell that is none is refused."""
    with pytest.raises(se.FormatError, match="is not a cell of 4x4"):
        encode(ONE).assuming({place: 1})


def test_not_a_mapping() -> None:
    """What is no mapping is refused."""
    wishes: Any = 5
    with pytest.raises(se.FormatError, match=r"not a mapping of cells to values, such as \{'r1c1': 5\}: 5"):
        encode(ONE).assuming(wishes)


@pytest.mark.parametrize("value", [0, 5, -5, "1", 1.0, None])
def test_not_a_value(value: Any) -> None:
    """A value that is none is refused."""
    with pytest.raises(se.FormatError, match=r"r1c2: .* is not a value \(1 to 4, or negated\)"):
        se.encode(ONE, assume={"r1c2": value})


@pytest.mark.parametrize("grids", [[[1] * 15], [[0] * 16], [[5] * 16], [[1.5] * 16], "1234", 3, [["a"] * 16], [None]])
def test_not_grids(grids: Any) -> None:
    """Grids that are none are refused."""
    with pytest.raises(se.FormatError, match="grid"):
        encode(ONE).blocking(grids)


def test_loaded_encoding(tmp_path: Path) -> None:
    """A loaded encoding has assumptions but nothing can be added."""
    encoding = se.encode(ONE, seed=3)
    encoding.save(tmp_path / "a.cnf")
    loaded = se.load_encoding(tmp_path / "a.cnf")

    assert loaded.assuming({"r1c2": 3, "r2c3": -4}) == encoding.assuming({"r1c2": 3, "r2c3": -4})
    assert loaded.blocking(GRIDS) == encoding.blocking(GRIDS)
    with pytest.raises(se.SudokuError, match="without its clauses"):
        add_clauses(loaded, {"r1c2": 3}, None)


def test_written_and_decoded(run: Command, tmp_path: Path) -> None:
    """What was added is in the file which decodes."""
    path = tmp_path / "a.cnf"
    encoding = se.encode(ONE, assume={"r1c2": 3}, blocked=GRIDS[:2], seed=1)
    encoding.save(path)

    assert "c encoding extended, 3 clauses added" in path.read_text().splitlines()
    with Solver(bootstrap_with=encoding.cnf) as solver:
        assert solver.solve()
        ran = run("decode", path, stdin=f"v {' '.join(map(str, solver.get_model()))} 0\n")
    assert (ran.status, ran.out[1]) == (0, "3")
    none = run("decode", path, "--exit-status", 20, stdin="s UNSATISFIABLE\n")
    assert none.status == 1
    assert "; the model contains 3 clauses added, so this applies to them too" in none.err


# For a board the texts of assumptions, and the same as cells and values from 1.
ASSUMED: dict[str, tuple[list[str], list[tuple[int, int]]]] = {
    "4x4": (["r1c1=1,r2c2=3", "R4C4!=1"], [(0, 1), (5, 3), (15, -1)]),
    "4x4:0-3": (["r1c1=0", "r1c2!=1 r1c2!=3"], [(0, 1), (1, -2), (1, -4)]),
    "4x4x4": (["x0y0z0=4", "x0y1z0-x0y1z2!=1"], [(0, 4), (4, -1), (5, -1), (6, -1)]),
    "latin:2x3:4": (["r1c1=4,r2c3!=4"], [(0, 4), (5, -4)]),
}


def restricted(board: str, pairs: list[tuple[int, int]]) -> Puzzle:
    """The empty board with assumptions as givens and pencilmarks."""
    geometry = se.board(board)
    givens, marks = np.zeros(geometry.n_cells, np.uint8), np.ones((geometry.n_cells, geometry.n_values), bool)
    for cell, value in pairs:
        if value > 0:
            givens[cell] = value
        else:
            marks[cell, -value - 1] = False
    return Puzzle.of(geometry, givens, pencilmarks=marks)


def clauses_and_cubes(path: Path) -> tuple[list[list[int]], list[list[int]]]:
    """Return the clauses of a file, soft ones too, and its cubes: one of no literals if it has no cubes."""
    if path.suffix == ".icnf":
        return icnf_files.read(path)
    if path.suffix == ".cnf":
        return CNF(from_file=str(path)).clauses, [[]]
    formula = WCNF(from_file=str(path))
    return [*formula.hard, *formula.soft], [[]]


@pytest.mark.parametrize("encoding", ["extended", "order"])
@pytest.mark.parametrize("board", ASSUMED)
def test_assumed_on_command_line(board: str, encoding: str, run: Command, tmp_path: Path) -> None:
    """A CNF with assumptions, cut into cubes or not, has the solutions with these givens and pencilmarks."""
    texts, pairs = ASSUMED[board]
    words = [word for text in texts for word in ("--assume", text)]
    options = ["--board", board, "--encoding", encoding, *words]
    count = se.count(restricted(board, pairs)).value

    ran = run("encode", *options, "-o", tmp_path / "a.cnf")
    assert run("encode", *options, "--cubes", 5, "-o", tmp_path / "a.icnf").status == 0

    assert f"{encoding}, " in ran.err
    assert " added, " in ran.err
    assert "--reduce singles would" not in ran.err
    clauses, cubes = clauses_and_cubes(tmp_path / "a.icnf")
    whole = icnf_files.grids(tmp_path / "a.cnf", CNF(from_file=str(tmp_path / "a.cnf")).clauses, [])
    in_cubes = [grid for cube in cubes for grid in icnf_files.grids(tmp_path / "a.icnf", clauses, cube)]
    assert len(whole) == len(set(whole)) == count
    assert sorted(in_cubes) == sorted(whole)
    # What a cell holds is not in the clauses but in each cube, so that a solver can drop it.
    assert all(set(cubes[0][:1]) <= set(cube) for cube in cubes)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", ["a.cnf", "a.icnf"])
@pytest.mark.parametrize("wish", [("r4c2", 2), ("r4c2", -3)])
def test_assumed_against_singles(wish: tuple[str, int], name: str, reduction: str, tmp_path: Path) -> None:
    """An assumption that a reduction contradicts leaves no model, in a CNF and in each cube."""
    decided = puzzle_of("4x4", "1234341221434..1")
    se.save_model(decided, tmp_path / name, reduction=reduction, assume=dict([wish]))
    clauses, cubes = clauses_and_cubes(tmp_path / name)
    with Solver(bootstrap_with=clauses) as solver:
        assert [solver.solve(cube) for cube in cubes] == [False] * len(cubes)


@pytest.mark.parametrize("form", ["cnf", "icnf", "wcnf", "wcnf-old"])
def test_blocked_on_command_line(form: str, run: Command, tmp_path: Path) -> None:
    """A file with k of n solutions, in any format, leaves n - k."""
    puzzle, file, model = ("1" + "." * 15, "--board", "4x4"), tmp_path / "known.txt", tmp_path / f"a.{form}"
    listed = run("enumerate", *puzzle).lines
    known = [se.read(text, board="4x4") for text in listed if text[0] != "#"]
    left = [known.pop(number) for number in (70, 33, 0)]
    texts = (text for puzzle in known for text in write_all([puzzle], "line" if form == "cnf" else "csv"))
    file.write_text("".join(texts), encoding="ascii")
    ran = run("encode", *puzzle, "--to", form, "--block", file, "-o", model)
    assert (ran.status, len(known)) == (0, len(GRIDS) - 3)
    assert "extended, 69 clauses added, " in ran.err
    clauses, cubes = clauses_and_cubes(model)
    grids = [grid for cube in cubes for grid in icnf_files.grids(model, clauses, cube)]
    assert sorted(grids) == sorted(puzzle.givens.tobytes() for puzzle in left)


WRONG = {
    "--assume r1c2=3,r1c2=2": "assumption r1c2=2: the puzzle, or another assumption, leaves r1c2 3",
    "--assume r1c1!=1": "assumption r1c1!=1: the puzzle, or another assumption, leaves r1c1 1",
    "--assume r1c2!=1,r1c2!=2,r1c2!=3,r1c2!=4": "leaves r1c2 4",
    "--assume r1c9=1": "assumption r1c9=1: 4x4 has no cell 'r1c9'; its cells are r1c1 to r4c4",
    "--assume h1=2": "assumption h1=2: no constraint of the puzzle names h1",
    "--assume r1c2=5": "assumption r1c2=5: not a value: 5 (1 to 4)",
    "--assume r1c2": "not an assumption: 'r1c2' (such as r1c1=5 or r1c1!=5)",
    "--block 9x9.txt": "9x9.txt:1: 81 symbols on a line make no puzzle; 4x4 needs 4 lines of 4, or one of 16",
    "--block rows.txt": "grid 1 to exclude is not a solution: r1c2 and r2c1 of one box both hold 2",
    "--block given.txt": "grid 2 to exclude is not a solution: r1c1 holds 2, its given is 1",
    "--block blanks.txt": "blanks.txt: expected full grids, got a puzzle with blanks",
    "--block none.txt": "none.txt: no such file, and 8 symbols make no puzzle; 4x4 needs 16",
    "--assume r1c2=3 --to opb": "model format opb takes no option assume; cnf, icnf, wcnf, wcnf-old take it",
    "--block given.txt --to asp": "model format asp takes no option block; cnf, icnf, wcnf, wcnf-old take it",
    "--assume r1c2=3 -o models/": "--assume has no effect with a folder; expected one file for one puzzle",
    "--assume r1c2=3 --check a.cnf": "--assume has no effect with --check, which writes nothing",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_on_command_line(words: str, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong assumption, a wrong file of solutions or a form without them is refused in one line."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "9x9": ESCARGOT_SOLUTION,
        "rows": "1234214334124321",
        "given": "1234341221434321\n2134431212433421",
        "blanks": "1" + "." * 15,
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(f"{text}\n", encoding="ascii")
    ran = run("encode", "1" + "." * 15, "--board", "4x4", *([] if "-o" in words else ["-o", "m"]), *words.split())
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert WRONG[words] in ran.err
    assert not (tmp_path / "m").exists()
