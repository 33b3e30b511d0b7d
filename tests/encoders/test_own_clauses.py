"""Assumptions and clauses of one's own, said of cells and values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.changes import add_clauses
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from tests.helpers.command import Command
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import puzzle_of

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
    wishes: Any = ["r1c1", 3]
    with pytest.raises(se.FormatError, match=r"is not a mapping of cells to values, such as \{'r1c1': 5\}"):
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
