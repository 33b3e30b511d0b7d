"""Recounts of a 9x9 by bands: known numbers, plain and compiled alike, a second writer, and forgeries refused."""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.errors import FormatError, StoppedError, SudokuError
from sudoku_encode.proving import counts, recount_bands, recount_kinds
from sudoku_encode.proving.recount_bands_kernel import sum_products
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command

# The number of solutions of puzzles, which other methods count too; docs/speed.md names them.
KNOWN = {
    "000000000000000012003045000000003000060000000120000000000200006007000400000807000": 943_676,
    "051000403000008000000000000605000200000200000002700005000000070020000050008500000": 89_223_005,
    "051000403000008000000000000005000200000200000002000005000000070020000050008500000": 4_520_394_642,
}
# Of 2,229 solutions, whose bands have few fillings.
FEW = "030078900600195000000042000800000003000853001010904000901530284000410030000000000"
UNIQUE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
LINES = ("rows", "columns")

Summaries = list[list[Any]]


def puzzle_of(text: str) -> se.Puzzle:
    return se.Puzzle.of(se.board("9x9"), [int(symbol) for symbol in text])


def compiled(puzzle: se.Puzzle, lines: str) -> Summaries:
    """Return the summaries of the compiled recount."""
    way = recount_kinds.by_bands(counts.rules_of(puzzle), lines)
    return [summary for summary, _ in way.compiled(lambda: None, None)]


def prove(text: str, folder: Path) -> dict[str, Any]:
    """Make a certificate; return its count.json, whose kind is bands."""
    counts.prove(puzzle_of(text), folder, Deadline())
    content: dict[str, Any] = json.loads((folder / "count.json").read_text())
    assert content["kind"] == "bands"
    return content


@pytest.mark.parametrize("text", KNOWN)
def test_known_numbers(text: str, tmp_path: Path) -> None:
    """A puzzle with few givens has the known number of solutions, by bands of rows and of columns."""
    assert prove(text, tmp_path)["solutions"] == KNOWN[text]
    assert counts.check(tmp_path).count == KNOWN[text]
    assert [compiled(puzzle_of(text), lines)[-1][1] for lines in LINES] == [KNOWN[text]] * 2


# A second program, written from docs/internals/counts.md, by brute force.


def band_fillings(allowed: Sequence[set[int]], cells: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the ways to fill the first three rows, after the first cells."""
    place = len(cells)
    if place == 27:
        yield cells
    for value in allowed[place] if place < 27 else ():
        row, box = place // 9, place % 9 // 3
        if value not in cells[9 * row :] and not any(
            value in cells[9 * above + 3 * box : 9 * above + 3 * box + 3] for above in range(row + 1)
        ):
            yield from band_fillings(allowed, (*cells, value))


def record(cells: Sequence[int], box: int) -> bytes:
    """Return the bytes of the partition of a box of three rows, from its bits as a text."""
    columns = [{cells[9 * row + 3 * box + column] for row in range(3)} for column in range(3)]
    bits = "".join("1" if value in values else "0" for values in columns for value in range(9, 0, -1))
    return int(bits, 2).to_bytes(4, "big")


def summary(ways: Counter[bytes]) -> list[Any]:
    """Return the summary of records with their ways."""
    total = sum(ways.values())
    size = max(1, -(-total.bit_length() // 8))
    every = b"".join(key + number.to_bytes(size, "big") for key, number in sorted(ways.items()))
    return [len(ways), total, hashlib.sha256(every).hexdigest()]


def written_again(puzzle: se.Puzzle, lines: str) -> Summaries:
    """Return the summaries by brute force: of all fillings of each band, and of all solutions."""
    turned = (lambda grid: grid.reshape(9, 9).T.ravel()) if lines == "columns" else np.ravel
    givens = np.array(puzzle.givens).reshape(9, 9)
    allowed = []
    for row, column in np.ndindex(9, 9):
        corner = givens[row // 3 * 3 :, column // 3 * 3 :][:3, :3]
        near = {*givens[row].tolist(), *givens[:, column].tolist(), *corner.ravel().tolist()}
        allowed.append({int(givens[row, column])} if givens[row, column] else set(range(1, 10)) - near)
    order = turned(np.arange(81))
    bands = [[allowed[cell] for cell in order[27 * band : 27 * band + 27]] for band in range(3)]
    tables = [
        Counter(b"".join(record(cells, box) for box in range(3)) for cells in band_fillings(band)) for band in bands
    ]
    grids = [turned(grid.values).tolist() for grid in se.solutions(puzzle, "search")]
    join = Counter(b"".join(record(grid[27 * band :], 0) for band in range(3)) for grid in grids)
    return [summary(ways) for ways in (*tables, join)]


@pytest.mark.parametrize("lines", LINES)
def test_second_writer(lines: str) -> None:
    """A program that lists the fillings of each band, and all solutions, writes the same layers."""
    puzzle = puzzle_of(FEW)
    assert written_again(puzzle, lines) == compiled(puzzle, lines)


@settings(derandomize=True, deadline=None, max_examples=12)
@given(st.integers(0, 2**32), st.sampled_from(LINES))
def test_plain_as_compiled(seed: int, lines: str) -> None:
    """The plain and the compiled recount have the same layers, also with pencilmarks, and count as search does."""
    solution = next(se.solutions(FEW)).values - 1
    marks = np.random.default_rng(seed).random((81, 9)) < 0.4
    marks[np.arange(81), solution] = True
    puzzle = se.Puzzle(se.board("9x9"), pencilmarks=marks)
    plain = list(recount_kinds.by_bands(counts.rules_of(puzzle), lines).plain())
    assert plain == compiled(puzzle, lines)
    assert plain[-1][1] == se.count(puzzle, "search").value


@pytest.mark.parametrize("text", ["3" + FEW[1:], "012345678" + FEW[9:36] + "9" + FEW[37:]])
def test_no_solution(text: str) -> None:
    """A puzzle with two equal givens in a row, or with a cell without a value, has an empty last layer."""
    puzzle, nothing = puzzle_of(text), [0, 0, hashlib.sha256().hexdigest()]
    assert [compiled(puzzle, lines)[-1] for lines in LINES] == [nothing] * 2


def without(content: dict[str, Any], key: str) -> dict[str, Any]:
    return {own: content[own] for own in content if own != key}


def layer_with(content: dict[str, Any], number: int, place: int, item: Any) -> dict[str, Any]:
    """Return count.json with an item of a summary replaced."""
    layers = [list(layer) for layer in content["layers"]]
    layers[number - 1][place] = item
    return content | {"layers": layers}


# A change of count.json, and the message that refuses it.
FORGED: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "solutions": (lambda content: content | {"solutions": 2_228}, "it says 2228 solutions, but .* 2229 ways"),
    "other lines": (
        lambda content: content | {"lines": ({*LINES} - {content["lines"]}).pop()},
        "layer 1, the first band of .*: it says .* states, and a recount says",
    ),
    "no lines": (lambda content: without(content, "lines"), 'expected the lines as "rows" or "columns"'),
    "kind": (lambda content: content | {"kind": ["bands"]}, 'expected a kind: "cells" or "bands"'),
    "cells": (lambda content: content | {"kind": "cells"}, "expected the order as a list of 81 cells"),
    "layer": (lambda content: content | {"layers": content["layers"][:3]}, "expected 4 layers"),
    "ways": (lambda content: layer_with(content, 2, 1, 7), "layer 2, the second band of .*: it says 7 ways"),
    "hash": (lambda content: layer_with(content, 4, 2, "0" * 64), "layer 4, the join: it says 0+ with SHA-256"),
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder of a certificate of the puzzle with few fillings, and its count.json."""
    folder = tmp_path_factory.mktemp("bands")
    return folder, prove(FEW, folder)


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str, certificate: tuple[Path, dict[str, Any]]) -> None:
    """A changed number, layer, kind or choice of lines is refused, and the message says where."""
    (folder, content), (change, message) = certificate, FORGED[name]
    (folder / "count.json").write_text(json.dumps(change(content)))
    with pytest.raises(SudokuError, match=message):
        counts.check(folder)


def run_plain(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the plain recount as a program, with nothing but the standard library."""
    program = [sys.executable, "-I", "-S", recount_bands.__file__, str(folder)]
    return subprocess.run(program, capture_output=True, text=True, check=False)


def test_plain_program(certificate: tuple[Path, dict[str, Any]]) -> None:
    """The plain recount is a program of its own, which accepts the certificate, and refuses changed files."""
    folder, content = certificate
    (folder / "count.json").write_text(json.dumps(content))
    assert run_plain(folder).stdout == "RECOUNTED: 2229 solutions\n"
    rules = (folder / "rules.txt").read_text()
    (folder / "rules.txt").write_text(rules.replace("unit 0 9", "unit 9 0", 1))
    assert "rules.txt: not a 9x9" in run_plain(folder).stderr
    (folder / "rules.txt").write_text(rules)
    (folder / "count.json").write_text(json.dumps(layer_with(content, 1, 2, "0" * 64)))
    assert "layer 1 differs" in run_plain(folder).stderr


def test_first_difference(run: Command, certificate: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """Where another program counts a table or the join differently, the first three partitions are named."""
    (folder, content), file = certificate, tmp_path / "theirs.txt"
    (folder / "count.json").write_text(json.dumps(content))
    allowed = recount_bands.read(folder)[0]
    for number, table in enumerate(recount_bands.layers(allowed, content["lines"]), start=1):
        first, *others = sorted(table)
        lines = [f"{' '.join(map(str, state))} {table[state]}\n" for state in others]
        file.write_text(f"layer {number}\n{' '.join(map(str, first))} {table[first] + 1}\n" + "".join(lines))
        difference = counts.compare_states(folder, file)
        assert difference is not None
        assert difference == counts.Difference(number, difference.place, first, table[first], table[first] + 1, [])
        file.write_text(f"layer {number}\n{' '.join(map(str, first))} {table[first]}\n" + "".join(lines))
        assert counts.compare_states(folder, file) is None
    file.write_text("layer 4\n")
    result = run("prove", "--check", folder, "--states", file)
    assert (result.status, result.lines[0]) == (1, "layer 4, the join: the first state that differs is")
    assert result.lines[2].endswith(f"by our count, 0 in {file}")


@pytest.mark.parametrize(
    ("board", "constraint"), [("9x9+diagonals", ()), ("6x6", ()), ("9x9", ("thermometer r1c1-r1c3",))]
)
def test_other_rules(board: str, constraint: tuple[str, ...]) -> None:
    """A board with other rules, or with a constraint, is refused: its bands touch elsewhere too."""
    puzzle = se.Puzzle(se.board(board), constraints=constraint)
    content = {"kind": "bands", "lines": "rows"}
    with pytest.raises(FormatError, match='expected the kind "cells", since the board is not a 9x9'):
        recount_kinds.read(content, puzzle.geometry, counts.rules_of(puzzle), "count.json")


def test_largest_sum() -> None:
    """A sum of as many products as there may be, all as large as they may be, is exact."""
    row = np.full((1, 1680 * 56), 6**6, np.uint16)
    filled = np.ones(1, np.bool_)
    low, high = sum_products(np.zeros((3, 3), np.int32), row, row, row, filled, filled, filled)
    assert int(low) + (int(high) << 32) == 3 * row.size * 6**18


def test_memory() -> None:
    """Tables that take more bytes than allowed are refused before they are made."""
    way = recount_kinds.by_bands(counts.rules_of(puzzle_of(FEW)), "rows")
    with pytest.raises(StoppedError, match="more than 1,000 bytes in tables of bands"):
        next(way.compiled(lambda: None, 1_000))


def test_choice() -> None:
    """Cells are chosen where they take little work, or where the tables of bands take too much memory."""
    chosen = [
        recount_kinds.choose(puzzle, counts.rules_of(puzzle), Deadline(memory=memory)).kind
        for puzzle, memory in ((puzzle_of(FEW), None), (puzzle_of(FEW), 100), (puzzle_of(UNIQUE), None))
    ]
    assert chosen == ["bands", "cells", "cells"]
