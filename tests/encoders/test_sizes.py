"""The sizes of encodings, found by arithmetic for many puzzles at once, are those of the formulas that are made."""

import json
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.encoders import puzzle_sizes
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.reduction import reduce, reduce_all
from sudoku_encode.encoders.table import ALL, ENCODINGS, REDUCTIONS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.puzzles import STRIP

BOARDS = {
    **{name: board(name) for name in ("2x2", "4x4", "6x6:2x3", "9x9", "9x9+diagonals+windoku", "4x4x4")},
    "jigsaw": board("jigsaw:aaabacbbccbdcddd"),
    "without columns": board("9x9", ["row", "box"]),
    "strip": STRIP,
}


def some_puzzles(geometry: Geometry, many: int) -> list[Puzzle]:
    """Return puzzles with few or many givens, with pencilmarks or none, with solutions or none."""
    chance = np.random.default_rng(7)
    found = [Puzzle.of(geometry)]
    for share in np.linspace(0.03, 0.5, many):
        values = chance.integers(1, geometry.n_values + 1, geometry.n_cells)
        givens = np.where(chance.random(geometry.n_cells) < share, values, 0)
        # Most random givens clash; of those that do, one is kept.
        for first, second in geometry.edges.tolist():
            if givens[first] == givens[second] and chance.random() < 0.98:
                givens[second] = 0
        marks = chance.random((geometry.n_cells, geometry.n_values)) < 0.9
        found.append(Puzzle.of(geometry, givens, marks if chance.random() < 0.5 else None))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_many_puzzles(name: str) -> None:
    """The sizes of many puzzles are those of each formula."""
    puzzles = some_puzzles(BOARDS[name], 10)
    seen = set()
    for rows in puzzle_sizes.sizes(puzzle_sizes.PuzzleBatch(puzzles), [ALL], ["pairwise"]):
        for puzzle, row in zip(puzzles, rows, strict=True):
            encoding = row["encoding"]
            seen.add(encoding)
            made = encode(puzzle, encoding, reduction="none").cnf
            assert (row["variables"], row["clauses"]) == (made.n_variables, made.n_clauses)
            if "reduce" in ENCODINGS[encoding].options:
                made = encode(puzzle, encoding).cnf
                assert (row["reduced_variables"], row["reduced_clauses"]) == (made.n_variables, made.n_clauses)
    assert {"efficient", "extended", "order", "log"} <= seen


def test_every_at_most_one() -> None:
    """Every way to write at most one has the size of its formula."""
    puzzles = some_puzzles(BOARDS["4x4"], 6)
    for rows in puzzle_sizes.sizes(puzzle_sizes.PuzzleBatch(puzzles), [ALL], [ALL]):
        for puzzle, row in zip(puzzles, rows, strict=True):
            amo = row["amo"] or "pairwise"
            made = encode(puzzle, row["encoding"], reduction="none", amo=amo).cnf
            assert (row["variables"], row["clauses"]) == (made.n_variables, made.n_clauses)
            if row["reduced_variables"] is not None:
                made = encode(puzzle, row["encoding"], amo=amo).cnf
                assert (row["reduced_variables"], row["reduced_clauses"]) == (made.n_variables, made.n_clauses)


def test_shared_places() -> None:
    """A value with the same places in two units is counted once."""
    # In the first box 1 and 2 have places in the first row only, which has them nowhere else.
    marks = np.ones((81, 9), bool)
    marks[[3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20], :2] = False
    puzzle = Puzzle.of(board("9x9"), pencilmarks=marks)
    batch = puzzle_sizes.PuzzleBatch([puzzle])
    (extended,) = (row for (row,) in puzzle_sizes.sizes(batch, ["extended"], ["pairwise"]))

    assert batch.counted.unit_values.tolist() == [3 * 81 - 2]
    assert extended["reduced_clauses"] == encode(puzzle).cnf.n_clauses


@pytest.mark.parametrize("level", REDUCTIONS)
@pytest.mark.parametrize("name", BOARDS)
def test_reduced_alone_or_together(name: str, level: str) -> None:
    """A puzzle is reduced the same by itself and among others."""
    puzzles = some_puzzles(BOARDS[name], 25)
    together = list(reduce_all(puzzles, level))
    for puzzle, left in zip(puzzles, together, strict=True):
        alone = reduce(puzzle, level)
        assert np.array_equal(left.candidates, alone.candidates)
        assert np.array_equal(left.decided, alone.decided)
        assert left.contradiction == alone.contradiction


def test_varied_puzzles() -> None:
    """Some of the puzzles here have no solution and some may have one."""
    contradictions = reduce_all(some_puzzles(BOARDS["9x9"], 25), "singles").contradictions

    assert 1 < sum(map(bool, contradictions)) < len(contradictions) - 1


def test_info_with_constraints(run: Command, tmp_path: Path) -> None:
    """Info has the sizes of the files of a puzzle with constraints."""
    of = ["--board", "6x6", "--constraint", "arrow r1c1 / r1c2 r2c2 r3c2", "--constraint", "cage 7 r4c4 r5c5 r6c6"]
    record = json.loads(run("info", *of, "--json").out)
    assert record["units"] == {"row": 6, "column": 6, "box": 6, "cage": 1}
    assert (record["constraints"], record["primitives"]) == ({"arrow": 1, "cage": 1}, {"Sum": 2})
    assert {row["encoding"] for row in record["encodings"]} == {"minimal", "efficient", "extended", "colouring"}
    for row in record["encodings"]:
        for level, prefix in (("none", ""), ("singles", "reduced_"))[: 1 + (row["reduced_clauses"] is not None)]:
            path = tmp_path / f"{row['encoding']}-{level}.cnf"
            assert run("encode", *of, "-o", path, "--encoding", row["encoding"], "--reduce", level).status == 0
            assert f"p cnf {row[f'{prefix}variables']} {row[f'{prefix}clauses']}\n" in path.read_text()
    (order,) = run("info", *of, "--encodings", "order", "--csv").lines[1:]
    assert order.endswith('"encoding order supports only units; the puzzle has constraints: arrow, cage"')
