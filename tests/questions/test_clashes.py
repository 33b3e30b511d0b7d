"""Clashes of givens, units and constraints, beside a search through all sets of parts."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.questions.clashes import Clash, find_clashes
from sudoku_encode.run.limits import Limits
from tests.helpers.command import Command

IN_TIME = Limits(seconds=60)
# Puzzles of nine cells and three values: the givens, and constraints with their meaning.
GRIDS = np.array(list(product((1, 2, 3), repeat=9)))
UNITS = {f"row {r + 1}": [3 * r, 3 * r + 1, 3 * r + 2] for r in range(3)}
UNITS |= {f"column {c + 1}": [c, c + 3, c + 6] for c in range(3)}
CONSTRAINTS = {
    "cage 6 r1c1 r1c2 r2c1": lambda g: (
        (g[:, [0, 1, 3]].sum(axis=1) == 6) & (g[:, 0] != g[:, 1]) & (g[:, 0] != g[:, 3]) & (g[:, 1] != g[:, 3])
    ),
    "thermometer r1c1-r1c3": lambda g: (g[:, 0] < g[:, 1]) & (g[:, 1] < g[:, 2]),
    "odd r1c2": lambda g: g[:, 1] % 2 == 1,
    "odd r2c2": lambda g: g[:, 4] % 2 == 1,
    "minimum r2c2": lambda g: (g[:, 4, None] < g[:, [1, 3, 5, 7]]).all(axis=1),
}
PUZZLES = [
    ("11.......", ()),
    ("13.......", ("thermometer r1c1-r1c3",)),
    ("1...2....", ("cage 6 r1c1 r1c2 r2c1", "odd r2c2")),
    ("......12.", ("thermometer r1c1-r1c3", "minimum r2c2")),
    (".........", ("thermometer r1c1-r1c3", "cage 6 r1c1 r1c2 r2c1", "odd r1c2", "minimum r2c2")),
]


def holding(givens: str, constraints: tuple[str, ...]) -> dict[object, NDArray[np.bool_]]:
    """Return for each part, by the cell or the name, which of all grids satisfy it."""
    parts: dict[object, NDArray[np.bool_]] = {
        cell: GRIDS[:, cell] == int(sign) for cell, sign in enumerate(givens) if sign != "."
    }
    for name, unit in UNITS.items():
        pairs = [GRIDS[:, a] != GRIDS[:, b] for a, b in combinations(unit, 2)]
        parts[name] = np.logical_and.reduce(pairs)
    return parts | {text: CONSTRAINTS[text](GRIDS) for text in constraints}


def every_clash(parts: dict[object, NDArray[np.bool_]]) -> Iterator[frozenset[object]]:
    """Yield all irreducible sets of parts that no grid satisfies, by trying all sets, the smallest first."""
    clashes: list[frozenset[object]] = []
    for size in range(1, len(parts) + 1):
        for chosen in map(frozenset, combinations(parts, size)):
            if any(clash <= chosen for clash in clashes):
                continue
            if not np.logical_and.reduce([parts[part] for part in chosen]).any():
                clashes.append(chosen)
                yield chosen


def as_set(clash: Clash) -> frozenset[object]:
    """Return the parts of a clash."""
    return frozenset([*(cell for cell, _ in clash.givens), *clash.units, *clash.constraints])


@pytest.mark.parametrize(("givens", "constraints"), PUZZLES)
def test_all_clashes(givens: str, constraints: tuple[str, ...]) -> None:
    """All clashes are listed, each once, a smallest one first."""
    expected = list(every_clash(holding(givens, constraints)))
    puzzle = se.Puzzle.of(
        se.board("latin:3x3"), [int(sign) for sign in givens.replace(".", "0")], constraints=constraints
    )
    found = find_clashes(puzzle, 1000, IN_TIME.start())
    assert len(expected) > 0
    assert (found.complete, found.smallest) == (True, True)
    assert len(found.clashes) == len(set(map(as_set, found.clashes)))
    assert set(map(as_set, found.clashes)) == set(expected)
    assert [len(clash) for clash in found.clashes] == [len(clash) for clash in expected]


def is_solvable(parts: frozenset[object], values: Mapping[int, int]) -> bool:
    """Return whether a 9x9 grid satisfies some units, and has some of the givens."""
    with Solver("minisat22") as solver:
        for cell in range(81):
            solver.add_clause([9 * cell + value for value in range(1, 10)])
            for pair in combinations(range(1, 10), 2):
                solver.add_clause([-9 * cell - value for value in pair])
        for cell, value in values.items():
            if cell in parts:
                solver.add_clause([9 * cell + value])
        for row, column in product(range(9), repeat=2):
            names = {f"row {row + 1}", f"column {column + 1}", f"box {row // 3 * 3 + column // 3 + 1}"}
            for other in range(9 * row + column + 1, 81):
                down, across = divmod(other, 9)
                shared = {f"row {down + 1}", f"column {across + 1}", f"box {down // 3 * 3 + across // 3 + 1}"}
                if names & shared & parts:
                    for value in range(1, 10):
                        solver.add_clause([-9 * (9 * row + column) - value, -9 * other - value])
        return bool(solver.solve())


def test_each_part_needed() -> None:
    """On a 9x9 no part of a clash can be left out, and without any one of them there is a solution."""
    puzzle = se.read(Path("instances/small/9x9-clash.txt"))
    values = {cell: int(value) for cell, value in enumerate(puzzle.givens) if value}
    found = find_clashes(puzzle, 3, IN_TIME.start())
    assert len(found.clashes) == 3
    for clash in map(as_set, found.clashes):
        assert not is_solvable(clash, values)
        assert all(is_solvable(clash - {part}, values) for part in clash)


def test_limit_on_clashes() -> None:
    """With a limit some are listed, and it is said that there are more."""
    puzzle = se.read("11..............", board="4x4")
    found = find_clashes(puzzle, 2, IN_TIME.start())
    assert (len(found.clashes), len(found.clashes[0]), found.complete) == (2, 3, False)
    every = find_clashes(puzzle, 6, IN_TIME.start())
    assert ([len(clash) for clash in every.clashes], every.complete) == ([3, 3, 5, 7, 9, 9], True)


def test_pencilmarks_hold() -> None:
    """Pencilmarks are not parts: they always hold."""
    puzzle = se.Puzzle(se.board("2x2"), [1, 0, 0, 0], np.array([[1, 0], [1, 0], [1, 1], [1, 1]], bool))
    found = find_clashes(puzzle, 10, IN_TIME.start())
    # r1c2 holds 1 by its pencilmarks, and r1c1 by its given; through the other row it is the same.
    assert {as_set(clash) for clash in found.clashes} == {
        frozenset([0, "row 1"]),
        frozenset([0, "row 2", "column 1", "column 2"]),
    }


def test_time_over() -> None:
    """Without time no clash is claimed."""
    found = find_clashes(se.read("11..............", board="4x4"), 5, Limits(seconds=0).start())
    assert (found.clashes, found.complete, found.smallest) == ((), False, False)


def test_hidden_cells() -> None:
    """Parts clash if no grid satisfies them with any value of a hidden cell."""
    board = se.board("latin:2x2:3")
    values = np.array(list(product((1, 2, 3), repeat=5)))
    a, b, c, d, hidden = values.T
    parts: dict[object, NDArray[np.bool_]] = {1: b == 2, 3: d == 1}
    parts |= {"row 1": a != b, "row 2": c != d, "column 1": a != c, "column 2": b != d}
    constraints = {
        "thermometer r1c1 h1": a < hidden,
        "thermometer h1 r1c2": hidden < b,
        "even h1": hidden % 2 == 0,
        "odd h1": hidden % 2 == 1,
        "thermometer r2c1 r1c1": c < a,
        "odd r1c1": a % 2 == 1,
    }
    expected = list(every_clash(parts | constraints))
    found = find_clashes(se.Puzzle.of(board, [0, 2, 0, 1], constraints=list(constraints)), 1000, IN_TIME.start())
    assert (found.complete, found.smallest) == (True, True)
    assert len(found.clashes) == len(expected) > 2
    assert set(map(as_set, found.clashes)) == set(expected)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line."""
    return Command(capfd, monkeypatch)


def test_shell(run: Command) -> None:
    """The command lists clashes as text and in the record."""
    found = run("check", "11..............", "--board", "4x4", "--clashes", "9")
    assert found.status == 1
    assert "6 clashes of givens, units and constraints (all); no clash has fewer parts than the first:" in found.out
    assert "- 3 parts: r1c1 = 1, r1c2 = 1, row 1" in found.lines
    record = json.loads(run("check", "11..............", "--board", "4x4", "--clashes", "1", "--json").out)
    assert record["clashes"] == [{"givens": ["r1c1", "r1c2"], "units": ["row 1"], "constraints": []}]
    assert (record["smallest_clash"], record["all_clashes"]) == (True, False)
    refused = run("check", "-", "--clashes", "1", stdin=f"11{'.' * 79}\n22{'.' * 79}\n")
    assert (refused.status, refused.out) == (2, "")
    assert "--clashes is for one puzzle, or for many with --details" in refused.err
