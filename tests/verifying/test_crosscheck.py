"""The cross-check finds every kind of fault, says who is wrong by proof and not by vote, and makes it small."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from sudoku_encode.formats.known_counts import KnownCount
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits
from sudoku_encode.verifying import CONFIRMED, DISAGREE, UNCONFIRMED, Case, Fault, Report, shrink, verify
from sudoku_encode.verifying.report import judge
from sudoku_encode.verifying.running import Run
from tests.helpers import broken_methods
from tests.helpers.child_processes import child_processes, needs_proc
from tests.helpers.known_puzzles import known

QUICK = Limits(solutions=1000, seconds=1.0, memory=400 << 20)
THREE = known("known-counts/tdoku-several.txt#1")


@pytest.fixture(autouse=True)
def faulty_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (listing, _) in broken_methods.FAULTS.items():
        monkeypatch.setitem(METHODS, name, broken_methods.method(name, listing))


def reported(puzzle: Puzzle, *methods: str, known: KnownCount | None = None, limits: Limits = QUICK) -> Report:
    (report,) = verify([Case("", puzzle, methods, known)], limits)
    return report


# Of the two kinds of faults, those of answers and those of processes, one each; the others are marked as slow together.
QUICK_FAULTS = ("loses", "killed")
EVERY_FAULT = [
    name if name in QUICK_FAULTS else pytest.param(name, marks=pytest.mark.slow) for name in broken_methods.FAULTS
]


@pytest.mark.parametrize("name", EVERY_FAULT)
def test_every_fault_named(name: str) -> None:
    """Every fault is found and its method named."""
    kind = broken_methods.FAULTS[name][1]
    report = reported(THREE.puzzle, "cp-sat", "sat", name, known=THREE)
    assert [(fault.method, fault.kind) for fault in report.faults] == [(name, kind)]
    # The others are not moved by it.
    assert (report.total, report.families) == ("3", ("cp-sat", "sat"))
    assert report.status == (DISAGREE if kind in ("loses", "invents", "repeats") else CONFIRMED)


@pytest.mark.parametrize("name", EVERY_FAULT)
def test_every_fault_shrunk(name: str) -> None:
    """Every fault is shrunk to a tiny board."""
    report = reported(THREE.puzzle, "cp-sat", name)
    (fault,) = report.faults
    smallest = shrink(report, fault, replace(QUICK, seconds=0.5))
    assert smallest is not None
    assert smallest.report.puzzle.geometry.n_cells <= 16
    assert (smallest.fault.method, smallest.fault.kind) == (name, broken_methods.FAULTS[name][1])


def test_failing_method_counts() -> None:
    """What a failing method listed before still counts."""
    report = reported(THREE.puzzle, "killed", "raises")
    assert (report.total, report.status) == ("at least 3", UNCONFIRMED)


def test_missing_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solution that a method lacks proves it wrong however many lack it."""
    for name in ("other", "third"):
        monkeypatch.setitem(METHODS, name, broken_methods.method(name, broken_methods.loses))
    report = reported(THREE.puzzle, "loses", "other", "third", "sat")
    assert {fault.method for fault in report.faults} == {"loses", "other", "third"}
    assert (report.total, report.families) == ("3", ("sat",))
    for fault in report.faults:
        assert fault.grid is not None
        assert fault.witness == "sat"
        assert list(violations(THREE.puzzle, fault.grid)) == []


def test_invented_grid() -> None:
    """The grid that is shown is the invented one."""
    (fault,) = reported(THREE.puzzle, "sat", "invents").faults
    assert fault.grid is not None
    reason = next(violations(THREE.puzzle, fault.grid))
    assert reason in fault.text


@pytest.mark.slow
def test_large_board_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that needs a large board is shrunk there."""
    # No board that is tried has five values, and few are smaller.
    five = Puzzle.of(board("5x5"), list(map(int, "1230504010010302305000020")))

    def loses_on_five(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
        small = puzzle.geometry.n_values < 5 or "column" not in puzzle.geometry.rule_names or not puzzle.givens[0]
        yield from batches if small else broken_methods.loses(batches, puzzle)

    monkeypatch.setitem(METHODS, "five", broken_methods.method("five", loses_on_five))
    report = reported(five, "sat", "five")
    smallest = shrink(report, report.faults[0], replace(QUICK, solutions=20, seconds=2.0))
    assert smallest is not None
    puzzle = smallest.report.puzzle
    assert puzzle.geometry.name == "5x5"
    # The columns and the first given are what the fault needs; more givens only keep the solutions few enough to list.
    assert "column" in puzzle.geometry.rule_names
    assert puzzle.givens[0]
    assert np.count_nonzero(puzzle.givens) < np.count_nonzero(five.givens)


@pytest.mark.slow
def test_fault_not_repeated() -> None:
    """Nothing is shrunk where the fault does not show again."""
    report = reported(Puzzle.of(board("3x3")), "sat", "cp-sat")
    assert report.total == "12"
    # Smaller boards are tried before.
    assert shrink(report, Fault("sat", "loses", "", None, "cp-sat"), replace(QUICK, solutions=20)) is None


def run_of(method: str, family: str, grids: list[list[int]], complete: bool, value: int | None = None) -> Run:
    rows = np.array(grids, np.uint8).reshape(len(grids), 4)
    return Run(method, family, Count(len(rows) if value is None else value, complete), rows, "", 0.0, 0)


TWO = Puzzle.of(board("2x2"))
BOTH = [[1, 2, 2, 1], [2, 1, 1, 2]]


def test_bound_below_count() -> None:
    """A lower bound agrees with a complete count above it."""
    report = judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "b", BOTH[:1], False)])
    assert (report.status, report.total, report.faults) == (UNCONFIRMED, "2", ())


def test_bound_above_count() -> None:
    """A lower bound above a complete count proves it wrong."""
    report = judge(TWO, [run_of("a", "a", BOTH[:1], True), run_of("b", "b", BOTH, False)])
    assert [(fault.method, fault.kind) for fault in report.faults] == [("a", "loses")]
    assert (report.status, report.total) == (DISAGREE, "at least 2")


def test_one_family() -> None:
    """Two methods of one family confirm nothing."""
    assert judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "a", BOTH, True)]).status == UNCONFIRMED
    assert judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "b", BOTH, True)]).status == CONFIRMED


def test_order_of_solutions() -> None:
    """The order of the solutions does not matter."""
    assert judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "b", BOTH[::-1], True)]).status == CONFIRMED


def test_equal_counts_differ() -> None:
    """Equal counts of different sets disagree."""
    report = judge(TWO, [run_of("a", "a", BOTH[:1], True), run_of("b", "b", BOTH[1:], True)])
    assert {(fault.method, fault.kind) for fault in report.faults} == {("a", "loses"), ("b", "loses")}
    assert report.total == "at least 2"


@pytest.mark.parametrize(("value", "kind"), [(1, "loses"), (3, "miscounts")])
def test_count_without_list(value: int, kind: str) -> None:
    """A count without a list is compared too."""
    report = judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "b", [], True, value)])
    assert [(fault.method, fault.kind) for fault in report.faults] == [("b", kind)]
    assert report.status == DISAGREE
    assert judge(TWO, [run_of("a", "a", BOTH, True), run_of("b", "b", [], True, 2)]).status == CONFIRMED


def test_wrong_expectation() -> None:
    """A wrong expectation is a disagreement."""
    for value in (2, 4):
        wrong = replace(THREE, count=value)
        report = reported(THREE.puzzle, "sat", "cp-sat", known=wrong)
        assert (report.status, report.total) == (DISAGREE, "3")
        assert str(value) in report.mismatch


def test_expected_solutions() -> None:
    """Expected solutions are compared one by one."""
    runs = [run_of("a", "a", BOTH, True), run_of("b", "b", BOTH, True)]
    assert judge(TWO, runs, 2, np.array(BOTH, np.uint8)).status == CONFIRMED
    assert "is invalid" in judge(TWO, runs, 2, np.array([BOTH[0], [1, 1, 1, 1]], np.uint8)).mismatch
    assert "not among" in judge(TWO, runs, 2, np.array(BOTH[:1], np.uint8)).mismatch


def test_too_many_to_list() -> None:
    """Where there is too much to list a method that can count does."""
    report = reported(Puzzle.of(board("4x4")), "gtsps-4.2", "sat", limits=replace(QUICK, solutions=100, seconds=600))
    counted, listed = report.runs
    assert (counted.count, counted.listed) == (Count(288, True), False)
    assert not listed.count.complete
    assert (report.status, report.total) == (UNCONFIRMED, "288")


def test_order_of_reports() -> None:
    """Reports come in the order of the puzzles whatever ends first."""
    puzzles = [Puzzle.of(board(name)) for name in ("4x4", "2x2", "3x3", "4x4x4", "2x2")]
    cases = [Case(puzzle.geometry.name, puzzle, ("sat", "cp-sat")) for puzzle in puzzles]
    counts = [report.total for report in verify(cases, replace(QUICK, seconds=600))]
    assert counts == ["288", "2", "12", "768", "2"]


def test_no_method() -> None:
    """A puzzle that no method takes is unconfirmed."""
    reports = list(verify([Case("", TWO, ()), Case("", TWO, ("sat", "cp-sat"))], QUICK))
    assert [report.status for report in reports] == [UNCONFIRMED, CONFIRMED]


@needs_proc
def test_hanging_method() -> None:
    """A hanging method leaves no process behind."""
    before = child_processes()
    puzzles = [Case("", TWO, ("sat",)), Case("", TWO, ("hangs", "hangs"))]
    running = verify(puzzles, QUICK)
    next(running)
    assert child_processes() - before
    del running
    assert child_processes() <= before
