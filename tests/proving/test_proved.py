"""The proved counter: its theorems assume nothing, its proof fails with a fault, and its program counts and refuses."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import InternalError, MethodError, SudokuError
from sudoku_encode.proving import plain, proved
from sudoku_encode.proving.proved import numbered_rules
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.known_puzzles import known
from tests.helpers.long_searches import TEN_THOUSAND, of

MISSING = proved.missing_compilers()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

# Text of the counter and of the program around it, with faults: each makes a number wrong, so the proof has to fail.
FAULTS = {
    "others keep the value": ("(N.ldiff s others :: S') :: later", "(s :: S') :: later"),
    "value is not asked for": ("if N.testbit s c then (N.ldiff s others", "if true then (N.ldiff s others"),
    "cover test is reversed": ("N.ldiff all (fold_right N.lor 0 S) =? 0", "N.ldiff (fold_right N.lor 0 S) all =? 0"),
    "one pigeon too many": ("(set_of cells, length cells)", "(set_of cells, Datatypes.S (length cells))"),
    "sorting drops equal sets": ("if s <=? t then s :: S else", "if s =? t then S else if s <=? t then s :: S else"),
    "packed too narrow": ("split n' k all (N.shiftr p k)", "split n' k all (N.shiftr p (N.pred k))"),
    "fusing forgets ways": ("fuse a' b' ((s, v + w) :: done)", "fuse a' b' ((s, v) :: done)"),
    "fusing loses the rest": ("[] => rev_append done a", "[] => rev_append done []"),
    "heap loses a layer": ("[] :: push (fuse l m []) heap'", "push (fuse l m []) []"),
    "a symmetry may leave peers": ("(image moves (N.land all (peers units c)) =? N.land all (peers units d))", "true"),
    "a symmetry may join cells": ("(image moves all =? all) &&", "true &&"),
    "symmetries are unchecked": ("if every (symmetry units k') t then", "if true then"),
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the proofs up to the counter's have been checked."""
    folder = tmp_path_factory.mktemp("proofs")
    proved.prove(["Rules"], folder)
    return folder


def test_no_assumptions(tmp_path: Path) -> None:
    """Coq proves every theorem, and none assumes anything; a theorem without a proof is noticed."""
    assert proved.unproved_theorems(tmp_path) == []
    stated = {name for path in tmp_path.glob("*.v") for name in re.findall(r"^Theorem (\w+)", path.read_text(), re.M)}
    assert stated == set(re.findall(r"^Print Assumptions (\w+)\.", (tmp_path / "Assumptions.v").read_text(), re.M))
    text = (tmp_path / "Boards.v").read_text()
    assumed = text.replace("Proof. apply plain_count_correct. vm_compute. reflexivity. Qed.", "Admitted.")
    assert assumed != text
    (tmp_path / "Boards.v").write_text(assumed)
    assert proved.unproved_theorems(tmp_path, proved.THEOREMS) == ["four"]


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_fail_proof(fault: str, scratch: Path) -> None:
    """Coq refuses the counter with a fault."""
    text, changed = (proved.SOURCES / "Counter.v").read_text(), FAULTS[fault]
    assert text.count(changed[0]) == 1
    (scratch / "Counter.v").write_text(text.replace(*changed))
    with pytest.raises(InternalError, match="coqc refuses"):
        proved.prove(["Counter"], scratch)


def empty(name: str) -> Puzzle:
    """An empty board."""
    return Puzzle(board(name), np.zeros(board(name).n_cells, np.int64))


def in_rows(puzzle: Puzzle) -> list[int]:
    """All cells in reading order."""
    return list(range(puzzle.geometry.n_cells))


def in_columns(puzzle: Puzzle) -> list[int]:
    """All cells of a square, column by column."""
    return np.arange(puzzle.geometry.n_cells).reshape(puzzle.geometry.shape).T.ravel().tolist()


COUNTS: list[tuple[Puzzle, Callable[[Puzzle], Sequence[int]], int]] = [
    (empty("4x4"), in_rows, 288),
    (empty("6x6"), in_columns, 28_200_960),
    (empty("4x4x4"), in_rows, 768),
    (empty("latin:5x5"), in_rows, 161_280),
    (empty("latin:3x4"), in_rows, 576),
    (known("small/5x5-jigsaw-empty.txt").puzzle, in_rows, known("small/5x5-jigsaw-empty.txt").count),
    (known("small/4x4-sukaku.json").puzzle, in_rows, known("small/4x4-sukaku.json").count),
    (known("small/4x4-no-candidate.txt").puzzle, in_rows, 0),
    (known("small/9x9-clash.txt").puzzle, in_rows, 0),
    (known("papers/gtsps-fig-4.9.sdk").puzzle, in_columns, 127),
    (of("9x9", TEN_THOUSAND), lambda puzzle: in_rows(puzzle)[::-1], 10_810),
]


@pytest.mark.parametrize(("puzzle", "order", "number"), COUNTS)
def test_counts(puzzle: Puzzle, order: Callable[[Puzzle], Sequence[int]], number: int) -> None:
    """The proved program counts what is known."""
    assert proved.count(numbered_rules(puzzle), order(puzzle)) == number


def rows_swapped(cells: Sequence[int], first: int, second: int) -> list[int]:
    """The images of cells of a 6x6 board if two rows change places."""
    rows = {first: second, second: first}
    return [rows.get(cell // 6, cell // 6) * 6 + cell % 6 for cell in cells]


def test_symmetries() -> None:
    """Rows may be swapped inside a band after a column; rows of two bands, and half of a column, may not."""
    puzzle = empty("6x6")
    rules, order = numbered_rules(puzzle), in_columns(puzzle)
    swaps = {6 * k: [rows_swapped(order[6 * k :], row, row + 1) for row in (0, 2, 4)] for k in range(1, 6)}
    assert proved.count(rules, order, swaps) == 28_200_960
    for wrong in ({12: [rows_swapped(order[12:], 1, 2)]}, {9: [rows_swapped(order[9:], 4, 5)[::-1]]}):
        with pytest.raises(SudokuError, match="a symmetry that does not hold"):
            proved.count(rules, order, swaps | wrong)


SHORT, TWICE = [*range(15)], [*range(15), 0]


@pytest.mark.parametrize("order", [SHORT, TWICE, [*SHORT, 16], [*range(16), 3], [*range(17)], []])
def test_refused_orders(order: list[int]) -> None:
    """An order without each cell exactly once is refused."""
    with pytest.raises(SudokuError, match="an order without each cell once"):
        proved.count(numbered_rules(empty("4x4")), order)


def changed(old: str, new: str, text: str) -> str:
    """The text with a change."""
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    "change",
    [
        partial(changed, "values 4\n", "values  4\n"),
        partial(changed, "values 4\n", "values 04\n"),
        partial(changed, "values 4\n", "values 0x4\n"),
        partial(changed, "values 4\n", "values 4\n\n"),
        partial(changed, "values 4\n", "values 4 \n"),
        partial(changed, "values 4\n", "values 4\nvalues 4\n"),
        partial(changed, "cells 16\nvalues 4\n", "values 4\ncells 16\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 16\n"),
        partial(changed, "unit 0 1 2 3\n", "units 0 1 2 3\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 3\r\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 3.0\n"),
        lambda text: text + "allowed\n",
        lambda text: text + "allowed 16 1\n",
    ],
)
def test_refused_rules(change: Callable[[str], str]) -> None:
    """Rules in any other form than the one that the theorem speaks of are refused."""
    with pytest.raises(SudokuError, match="refused by the proved program"):
        proved.count(change(numbered_rules(empty("4x4"))), range(16))


def test_refused_constraints() -> None:
    """A puzzle with constraints has no rules in numbers yet."""
    with pytest.raises(MethodError, match="no constraints"):
        numbered_rules(Puzzle.of(board("4x4"), constraints=["odd r4c4"]))


PUZZLES = ("small/4x4-empty.txt", "small/6x6.txt", "papers/gtsps-fig-4.9.sdk", "small/4x4-sukaku.json")


@pytest.mark.parametrize("name", PUZZLES)
def test_clauses(name: str) -> None:
    """The clauses of the theorem are those of `formula.cnf`."""
    puzzle = known(name).puzzle
    clauses = proved.clauses(numbered_rules(puzzle), np.flatnonzero(puzzle.givens).tolist())
    expected = {tuple(row) for table in plain.each_once(puzzle).values() for row in table.tolist()}
    assert {tuple(sorted(clause)) for clause in clauses} == expected
